/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A run of 10,000 rounds bundled and signed, beside sha256sum and tar on the same files. Both write
 * an archive of all files and the digest of each; ours judges the journal besides, once before it
 * is bundled, when the reports are made again and compared, and once before it is signed.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/bench.h"
#include "tests/support/process.h"
#include "tests/support/rounds.h"
#include "tests/support/scratch.h"

#define TURNS  9
#define ROUNDS 10000

static void fail(const char *why)
{
    fprintf(stderr, "bench_bundle: %s\n", why);
    exit(EXIT_FAILURE);
}

static void call(const char *const *arguments, int out)
{
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);

    if (process_wait(process_start(arguments, null, out < 0 ? null : out, STDERR_FILENO), NULL))
        fail("a command failed");
    close(null);
}

#define CALL(...) call((const char *const[]){__VA_ARGS__, NULL}, -1)

static void shell(const char *folder, const char *words)
{
    char command[512];

    snprintf(command, sizeof command, "cd %s && { %s; }", folder, words);
    if (system(command))
        fail(words);
}

static int make_file(const char *path)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

    if (fd < 0)
        fail("cannot write the rounds");
    return fd;
}

/* "run" in the folder: a run of a recording, with its reports; and a key. */
static void play(const char *folder)
{
    char shoe[64], expect[64], reports[64];
    int fd;

    snprintf(shoe, sizeof shoe, "%s/a.shoe", folder);
    snprintf(expect, sizeof expect, "%s/a.expect", folder);
    snprintf(reports, sizeof reports, "%s/run", folder);
    fd = make_file(shoe);
    if (rounds_write(fd, 6, ROUNDS, 1))
        fail("cannot write the rounds");
    close(fd);
    fd = make_file(expect);
    call((const char *const[]){"settle", shoe, NULL}, fd);
    close(fd);
    CALL("run", "-q", "--reports", reports, shoe);
    shell(folder, "ssh-keygen -q -t ed25519 -N '' -f key");
}

static double processor_time(void)
{
    struct rusage usage;

    getrusage(RUSAGE_CHILDREN, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

struct took {
    double wall, processor;
};

static void keep_least(struct took *least, double began, double used)
{
    double wall = bench_now() - began, processor = processor_time() - used;

    if (least->wall == 0 || wall < least->wall)
        least->wall = wall;
    if (least->processor == 0 || processor < least->processor)
        least->processor = processor;
}

static void bundle_and_sign(const char *folder, struct took *took)
{
    char run[64], file[64], key[64];
    double began, used;

    snprintf(run, sizeof run, "%s/run", folder);
    snprintf(file, sizeof file, "%s/b.tar", folder);
    snprintf(key, sizeof key, "%s/key", folder);
    shell(folder, "rm -f b.tar*");
    began = bench_now();
    used = processor_time();
    CALL("bundle", run, "-o", file);
    CALL("sign", file, "--key", key, "--as", "performed");
    keep_least(took, began, used);
}

/* With one process each, however many files there are; and on the disk, as a bundle is. */
static void digest_and_tar(const char *folder, struct took *took)
{
    double began, used;

    shell(folder, "rm -f t.tar MANIFEST");
    began = bench_now();
    used = processor_time();
    shell(folder, "find run -type f | sort | xargs sha256sum > MANIFEST && "
                  "tar --format=ustar -cf t.tar MANIFEST run && sync t.tar");
    keep_least(took, began, used);
}

int main(void)
{
    char folder[] = "/tmp/dealproof-XXXXXX";
    struct took ours = {0}, theirs = {0};

    if (!mkdtemp(folder))
        fail("no folder");
    play(folder);
    for (int turn = 0; turn < TURNS; turn++) {
        bundle_and_sign(folder, &ours);
        digest_and_tar(folder, &theirs);
    }
    scratch_remove(folder);
    bench_title("bundle and sign a run of 10,000 rounds, processor time");
    bench_figure("sha256sum and tar on the same files", 1e3 * theirs.processor, "ms", 0);
    bench_figure_for("bundle and sign", 1e3 * ours.processor, "ms", 1e3 * theirs.processor,
                     "at most 3");
    bench_title("the same, wall time");
    bench_figure("sha256sum and tar on the same files", 1e3 * theirs.wall, "ms", 0);
    bench_figure_for("bundle and sign", 1e3 * ours.wall, "ms", 1e3 * theirs.wall, "at most 3");
    return EXIT_SUCCESS;
}
