/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dealproof run with --jobs: benches side by side say and write what one bench would, also when
 * something ends the run; and what a run holds in memory does not grow with its rounds.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/process.h"
#include "tests/support/rounds.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

#define EVENING "fixtures/chase-the-flush/evening-of-six-seats.shoe"

static struct process_result run(const char *const *arguments)
{
    return process_run(arguments, process_input("", 0));
}

#define RUN(...) run((const char *const[]){"run", __VA_ARGS__, NULL})

/* A rig whose shuffler has that address, with more lines at its end. */
static void write_rig(char path[SCRATCH_PATH_SIZE], const char *shuffler, const char *more)
{
    char text[768];
    int length = snprintf(text, sizeof text,
                          "rig: test\nclock: virtual\nseats: 7\ndevices:\n  shuffler:\n"
                          "    driver: open\n    address: %s\n"
                          "%s"
                          "  terminal:\n    driver: open\n"
                          "    address: emu:terminal\n    code: \"4711\"\n    admin: \"86420\"\n"
                          "order: load\n",
                          shuffler, more);

    scratch_path(path);
    scratch_write(path, text, (size_t)length);
}

static void append(const char *path, const char *line)
{
    FILE *file = fopen(path, "ae");

    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    fputs(line, file);
    fclose(file);
}

static void expect_intact(const char *journal)
{
    struct process_result result = run((const char *const[]){"verify", journal, NULL});

    CU_ASSERT_EQUAL(result.status, 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "intact"));
    process_free(&result);
}

/* Line by line: under AddressSanitizer a search measures all that it may look through. */
static void blank_in_line(char *line, size_t length, const char *from)
{
    char *at = memmem(line, length, from, strlen(from));
    char *end =
        at ? memchr(at + strlen(from), '"', length - (size_t)(at - line) - strlen(from)) : at;

    if (end)
        memset(at + strlen(from), '.', (size_t)(end - at) - strlen(from));
}

/* Up to the next quotation mark. */
static void blank(char *text, const char *from)
{
    while (*text) {
        char *end = strchrnul(text, '\n');

        blank_in_line(text, (size_t)(end - text), from);
        text = end + (*end != '\0');
    }
}

/*
 * The lines of a journal but for the number of jobs in the command line and, because of that, the
 * digests.
 */
static char *read_lines(const char *path)
{
    size_t length;
    char *text = scratch_read(path, &length);

    blank(text, "\"prev\":\"");
    blank(text, "\"seal\":\"");
    blank(text, "\"--jobs\",\"");
    return text;
}

struct witnessed {
    int status;
    char *said, *written;
};

static struct witnessed witness(const char *path, const char *jobs, const char *const *arguments)
{
    const char *all[16] = {"run", "--json", "--jobs", jobs, "--journal", path};
    struct process_result result;
    struct witnessed seen;

    for (size_t i = 0; arguments[i]; i++)
        all[6 + i] = arguments[i];
    result = run(all);
    expect_intact(path);
    seen = (struct witnessed){result.status, strdup(result.out), read_lines(path)};
    process_free(&result);
    unlink(path);
    return seen;
}

/* Whether any number of jobs gives the same; returns the exit status. */
static int alike(const char *const *arguments)
{
    static const char *const jobs[] = {"2", "3"};
    char path[SCRATCH_PATH_SIZE];
    struct witnessed one;

    scratch_path(path);
    one = witness(path, "1", arguments);
    CU_ASSERT_TRUE(strlen(one.written) > 1000);
    for (unsigned i = 0; i < 2; i++) {
        struct witnessed other = witness(path, jobs[i], arguments);

        CU_ASSERT_EQUAL(one.status, other.status);
        CU_ASSERT_STRING_EQUAL(one.said, other.said);
        CU_ASSERT_STRING_EQUAL(one.written, other.written);
        free(other.said);
        free(other.written);
    }
    free(one.said);
    free(one.written);
    return one.status;
}

#define ALIKE(...) alike((const char *const[]){__VA_ARGS__, NULL})

TEST(benches_side_by_side_write_the_journal_of_one)
{
    CU_ASSERT_EQUAL(ALIKE("--repeat", "2", "fixtures"), 0);
}

TEST(bytes_that_the_cable_spoils_are_the_same_for_any_number_of_benches)
{
    char rig[SCRATCH_PATH_SIZE];

    write_rig(rig, "emu:shuffler", "    link-fault: {drop: 200, flip: 200}\n");
    CU_ASSERT_EQUAL(
        ALIKE("--rig", rig, "--repeat", "3", "--seed", "5", EVENING, "fixtures/chase-the-flush"),
        0);
    unlink(rig);
}

TEST(what_ends_a_run_ends_it_at_the_same_place_for_any_number_of_benches)
{
    static const struct {
        const char *shuffler, *option;
        int status;
    } cases[] = {{"emu:shuffler?fault=wrong@card:2", "--json", 1},
                 {"emu:shuffler?fault=wrong@card:2", "--fail-fast", 1},
                 {"emu:shuffler?fault=unplug@frames:1000", "--json", 3}};

    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char rig[SCRATCH_PATH_SIZE];

        write_rig(rig, cases[i].shuffler, "");
        CU_ASSERT_EQUAL(
            ALIKE("--rig", rig, "--repeat", "2", cases[i].option, "fixtures/chase-the-flush"),
            cases[i].status);
        unlink(rig);
    }
}

TEST(a_recording_alone_is_played_as_among_others)
{
    char rig[SCRATCH_PATH_SIZE];
    struct process_result all, alone;

    write_rig(rig, "emu:shuffler?fault=wrong@card:2", "");
    all = RUN("--rig", rig, "--json", "fixtures/chase-the-flush");
    alone = RUN("--rig", rig, "--json", EVENING);
    CU_ASSERT_PTR_NOT_NULL(strstr(alone.out, "dealt-cards"));
    *strstr(alone.out, "{\"run\"") = '\0';
    CU_ASSERT_PTR_NOT_NULL(strstr(all.out, alone.out));
    process_free(&all);
    process_free(&alone);
    unlink(rig);
}

TEST(an_interrupted_run_of_two_benches_leaves_a_whole_journal)
{
    char path[SCRATCH_PATH_SIZE], *text;
    int in = process_input("", 0), out = process_input("", 0);
    struct stat file = {0};
    size_t length;
    pid_t pid;

    scratch_path(path);
    pid = process_start((const char *const[]){"run", "--jobs", "2", "--repeat", "1000000",
                                              "--journal", path, EVENING, NULL},
                        in, out, out);
    while (stat(path, &file) || file.st_size < 1000000)
        usleep(1000);
    kill(pid, SIGINT);
    CU_ASSERT_EQUAL(process_wait_soon(pid), 130);
    expect_intact(path);
    text = scratch_read(path, &length);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"kind\":\"end\""));
    free(text);
    unlink(path);
    close(in);
    close(out);
}

TEST(a_killed_run_of_two_benches_leaves_complete_lines)
{
    char path[SCRATCH_PATH_SIZE];
    int in = process_input("", 0), out = process_input("", 0);
    struct stat file = {0};
    struct process_result result;
    pid_t pid;

    scratch_path(path);
    pid = process_start((const char *const[]){"run", "--jobs", "2", "--repeat", "1000000",
                                              "--journal", path, EVENING, NULL},
                        in, out, out);
    while (stat(path, &file) || file.st_size < 1000000)
        usleep(1000);
    kill(pid, SIGKILL);
    CU_ASSERT_EQUAL(process_wait_soon(pid), 128 + SIGKILL);
    result = run((const char *const[]){"verify", path, NULL});
    CU_ASSERT_EQUAL(result.status, 0);
    process_free(&result);
    unlink(path);
    close(in);
    close(out);
}

TEST(a_full_disk_ends_a_run_of_two_benches_as_rig)
{
    struct rlimit before, tight;
    char path[SCRATCH_PATH_SIZE];
    struct process_result result;

    scratch_path(path);
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    tight = (struct rlimit){.rlim_cur = 3000000, .rlim_max = before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &tight);
    result = RUN("--jobs", "2", "--repeat", "100", "--journal", path, EVENING);
    setrlimit(RLIMIT_FSIZE, &before);
    CU_ASSERT_EQUAL(result.status, 4);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.err, ": cannot be written after line "));
    process_free(&result);
    expect_intact(path);
    unlink(path);
}

TEST(benches_side_by_side_are_for_emulated_rigs_without_a_capture)
{
    char rig[SCRATCH_PATH_SIZE];
    struct process_result result;

    write_rig(rig, "emu:shuffler", "");
    append(rig, "capture: away.pcap\n");
    result = RUN("--jobs", "2", "--rig", rig, EVENING);
    CU_ASSERT_EQUAL(result.status, 2);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.err, "--jobs 2: "));
    process_free(&result);
    unlink(rig);
    result = RUN("--jobs", "2", "--rig", "rigs/bench-serial.yaml", EVENING);
    CU_ASSERT_EQUAL(result.status, 2);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.err, "--jobs 2: "));
    process_free(&result);
}

/* A recording of so many rounds, with its expectation, run with a journal; kilobytes. */
static long peak_of(uint64_t rounds)
{
    char shoe[SCRATCH_PATH_SIZE + 8], expect[SCRATCH_PATH_SIZE + 8], base[SCRATCH_PATH_SIZE];
    struct process_result result;
    int fd;
    long peak;

    scratch_path(base);
    snprintf(shoe, sizeof shoe, "%s.shoe", base);
    snprintf(expect, sizeof expect, "%s.expect", base);
    fd = open(shoe, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    CU_ASSERT_EQUAL_FATAL(rounds_write(fd, 2, rounds, 1), 0);
    close(fd);
    result = run((const char *const[]){"settle", shoe, NULL});
    scratch_write(expect, result.out, result.out_length);
    process_free(&result);
    result = RUN("--journal", "/dev/null", shoe);
    CU_ASSERT_EQUAL(result.status, 0);
    peak = result.peak_kilobytes;
    process_free(&result);
    unlink(shoe);
    unlink(expect);
    return peak;
}

TEST(memory_does_not_grow_with_the_rounds)
{
    long few = peak_of(100), many = peak_of(5000);

    /* Ten bytes a round would be 49 kB more; what the kernel counts is coarser than that. */
    if (!PROCESS_INSTRUMENTED)
        CU_ASSERT_TRUE(many < few + 512);
}
