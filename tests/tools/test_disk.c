/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A disk that fails under a run: every write of its journal in turn, whole and in half, for once
 * and for good. What is left verifies, as a whole journal or as one that was cut off, and the run
 * says that it has failed.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/lies/failing.h"
#include "tests/support/process.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

#define SHOE "fixtures/three-card-poker"

static struct process_result run(const char *const *arguments)
{
    return process_run(arguments, process_input("", 0));
}

#define RUN(...) run((const char *const[]){__VA_ARGS__, NULL})

static const struct {
    const char *call;
    int reason;
    const char *more;
} failures[] = {{"write", ENOSPC, ""}, {"write", ENOSPC, "on"}, {"write", EIO, ""},
                {"short", ENOSPC, ""}, {"fdatasync", EIO, ""},  {"fsync", EIO, ""}};

/* What a run on a broken disk has left is intact, if there is anything. */
static bool is_sound(const char *journal, const char *what)
{
    struct process_result result;
    bool is_it = true;

    if (access(journal, F_OK))
        return true;
    result = RUN("verify", journal);
    is_it = !result.status && strstr(result.out, ": intact\n");
    if (!is_it)
        printf("%s: %s%s\n", what, result.out, result.err);
    process_free(&result);
    return is_it;
}

/* A round that was told to have passed has that verdict in the journal. */
static bool is_told_truly(const char *out, const char *journal)
{
    size_t length;
    char *text = access(journal, F_OK) ? strdup("") : scratch_read(journal, &length);
    bool is_it = true;

    for (const char *at = out; (at = strstr(at, "{\"verdict\":\"pass\",\"recording-path\""));
         at++) {
        char wanted[96];

        snprintf(wanted, sizeof wanted, "\"round\":%d,\"verdict\":\"pass\"",
                 atoi(strstr(at, "\"round\":") + strlen("\"round\":")));
        is_it &= strstr(text, wanted) != NULL;
    }
    free(text);
    return is_it;
}

/* The instrumented program takes so much longer that it is tried at one place in five. */
enum { PLACES = PROCESS_INSTRUMENTED ? 5 : 1 };

/* Lets every so-manieth call of a kind fail in turn until none is left; how many could. */
static unsigned fail_each(unsigned which, const char *const *arguments, const char *journal,
                          unsigned step)
{
    for (unsigned at = 1;; at += step * PLACES) {
        struct process_result result;
        struct failing disk;
        char what[64];
        bool has_failed;

        unlink(journal);
        failing_begin(&disk, failures[which].call, at, failures[which].reason,
                      failures[which].more);
        result = run(arguments);
        has_failed = failing_end(&disk);
        snprintf(what, sizeof what, "%s %u %s", failures[which].call, at, failures[which].more);
        CU_ASSERT_TRUE(is_sound(journal, what));
        if (result.status != (has_failed ? 4 : 0))
            printf("%s: status %d: %s\n", what, result.status, result.err);
        CU_ASSERT_EQUAL(result.status, has_failed ? 4 : 0);
        CU_ASSERT_TRUE(is_told_truly(result.out, journal));
        process_free(&result);
        if (!has_failed)
            return at - 1;
    }
}

/* The lines of many recordings, held and joined. */
TEST(a_run_of_benches_side_by_side_on_a_failing_disk_leaves_a_journal_that_verifies)
{
    char journal[SCRATCH_PATH_SIZE];
    const char *const arguments[] = {"run", "-q", "--jobs", "3", "--journal", journal, SHOE, NULL};

    scratch_path(journal);
    for (unsigned i = 0; i < sizeof failures / sizeof failures[0]; i++) {
        unsigned failed = fail_each(i, arguments, journal, 1);

        CU_ASSERT_TRUE(failed >= (strcmp(failures[i].call, "fsync") ? 1 : 0));
    }
    unlink(journal);
}

/* Each line is written by itself there, and each verdict waits for the disk. */
TEST(a_run_on_a_real_clock_and_a_failing_disk_tells_no_verdict_that_it_could_not_write)
{
    static const char rig[] =
        "rig: test\nclock: real\ndevices:\n  shuffler: {address: "
        "'emu:shuffler?shuffle=5,deal=1,take=1'}\ntiming: {reply: 20000, packet: 20000, take: "
        "20000}\n";
    char journal[SCRATCH_PATH_SIZE], path[SCRATCH_PATH_SIZE];
    const char *const arguments[] = {
        "run", "--json", "--rig", path, "--journal", journal, SHOE "/ace-is-high.shoe", NULL};
    struct process_result result;
    struct failing disk;

    scratch_path(journal);
    scratch_path(path);
    scratch_write(path, rig, sizeof rig - 1);
    for (unsigned i = 0; i < sizeof failures / sizeof failures[0]; i++)
        CU_ASSERT_TRUE(fail_each(i, arguments, journal, strstr(failures[i].call, "sync") ? 1 : 5) >
                       0);
    unlink(journal);
    failing_begin(&disk, "fdatasync", 1, EIO, "");
    result = run(arguments);
    CU_ASSERT_TRUE(failing_end(&disk));
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "{\"verdict\":\"rig\",\"recording-path\""));
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "its verdict is held back, since the journal does "
                                              "not reach its disk: Input/output error"));
    CU_ASSERT_PTR_NULL(strstr(result.out, "\"verdict\":\"pass\""));
    process_free(&result);
    unlink(journal);
    unlink(path);
}

/* Reading that fails is neither intact nor altered, and no file is said to have changed. */
TEST(a_disk_that_does_not_give_back_what_it_has_is_not_called_a_forgery)
{
    char journal[SCRATCH_PATH_SIZE];
    unsigned failed = 0;

    scratch_path(journal);
    CU_ASSERT_EQUAL(
        process_status_with(RUN("run", "--journal", journal, SHOE "/evening-of-six-seats.shoe"),
                            "pass"),
        0);
    for (bool has_failed = true; has_failed;) {
        struct process_result result;
        struct failing disk;

        failing_begin(&disk, "read", failed + 1, EIO, "");
        result = RUN("verify", journal);
        has_failed = failing_end(&disk);
        CU_ASSERT_EQUAL(result.status, has_failed ? 4 : 0);
        CU_ASSERT_PTR_NULL(strstr(result.out, "CHANGED"));
        CU_ASSERT_PTR_NULL(strstr(result.err, "altered"));
        process_free(&result);
        failed += has_failed;
    }
    CU_ASSERT_TRUE(failed > 3);
    unlink(journal);
}

/* The instrumented program has an allocator of its own. */
TEST(a_journal_that_is_verified_without_memory_is_not_called_a_forgery)
{
    char journal[SCRATCH_PATH_SIZE];
    unsigned failed = 0;

    if (PROCESS_INSTRUMENTED)
        return;
    scratch_path(journal);
    CU_ASSERT_EQUAL(
        process_status_with(RUN("run", "--journal", journal, SHOE "/evening-of-six-seats.shoe"),
                            "pass"),
        0);
    for (bool has_failed = true; has_failed;) {
        struct process_result result;
        struct failing disk;

        failing_begin(&disk, "malloc", failed + 1, ENOMEM, "");
        result = RUN("verify", journal);
        has_failed = failing_end(&disk);
        CU_ASSERT_TRUE(!result.status || result.status == 4);
        CU_ASSERT_PTR_NULL(strstr(result.err, "altered"));
        process_free(&result);
        failed += has_failed;
    }
    CU_ASSERT_TRUE(failed > 3);
    unlink(journal);
}

/* A folder with what a run has left, a bundle of it and a key. */
struct lab {
    char folder[32], run[48], bundle[48], other[48], key[48];
};

static void open_lab(struct lab *lab)
{
    char command[128];

    strcpy(lab->folder, "/tmp/dealproof-XXXXXX");
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(lab->folder));
    snprintf(lab->run, sizeof lab->run, "%s/run", lab->folder);
    snprintf(lab->bundle, sizeof lab->bundle, "%s/b.tar", lab->folder);
    snprintf(lab->other, sizeof lab->other, "%s/c.tar", lab->folder);
    snprintf(lab->key, sizeof lab->key, "%s/key", lab->folder);
    snprintf(command, sizeof command, "ssh-keygen -q -t ed25519 -N '' -f %s", lab->key);
    CU_ASSERT_EQUAL_FATAL(system(command), 0);
    CU_ASSERT_EQUAL_FATAL(
        process_status_with(RUN("run", "--reports", lab->run, SHOE "/ace-is-high.shoe"), "pass"),
        0);
    CU_ASSERT_EQUAL_FATAL(process_status_with(RUN("bundle", lab->run, "-o", lab->bundle), ""), 0);
}

/* What could not be written is not there, and what is there is whole. */
TEST(a_bundle_or_signature_that_a_failing_disk_took_half_of_is_not_there)
{
    char signature[64];
    struct lab lab;

    open_lab(&lab);
    snprintf(signature, sizeof signature, "%s.performed.sig", lab.bundle);
    for (unsigned i = 0; i < sizeof failures / sizeof failures[0]; i++)
        for (unsigned at = 1, step = 1; at; at += step) {
            bool signs = at % 2;
            const char *made = signs ? signature : lab.other;
            struct process_result result;
            struct failing disk;
            bool has_failed;

            unlink(made);
            failing_begin(&disk, failures[i].call, (at + 1) / 2, failures[i].reason,
                          failures[i].more);
            result = signs ? RUN("sign", lab.bundle, "--key", lab.key, "--as", "performed")
                           : RUN("bundle", lab.run, "-o", lab.other);
            has_failed = failing_end(&disk);
            CU_ASSERT_EQUAL(result.status, has_failed ? 4 : 0);
            CU_ASSERT_EQUAL(access(made, F_OK) != 0, has_failed);
            process_free(&result);
            if (!has_failed && !signs)
                break;
        }
    scratch_remove(lab.folder);
}

/* Also where the run is played again, by a process of its own. */
TEST(a_bundle_that_cannot_be_read_or_played_is_not_called_a_forgery)
{
    static const struct {
        const char *call;
        int reason;
    } all[] = {{"read", EIO}, {"write", ENOSPC}, {"malloc", ENOMEM}};
    struct lab lab;

    open_lab(&lab);
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        unsigned failed = 0;

        if (PROCESS_INSTRUMENTED && all[i].reason == ENOMEM)
            continue;
        for (bool has_failed = true; has_failed;) {
            struct process_result result;
            struct failing disk;

            failing_begin(&disk, all[i].call, failed + 1, all[i].reason, "");
            result = RUN("verify", "--replay", lab.bundle);
            has_failed = failing_end(&disk);
            if (result.status && result.status != 4)
                printf("%s %u: %d: %s%s\n", all[i].call, failed + 1, result.status, result.out,
                       result.err);
            CU_ASSERT_TRUE(!result.status || result.status == 4);
            CU_ASSERT_PTR_NULL(strstr(result.err, "altered"));
            process_free(&result);
            failed += has_failed ? PLACES : 0;
        }
        CU_ASSERT_TRUE(failed > 3);
    }
    scratch_remove(lab.folder);
}
