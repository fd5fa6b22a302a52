/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory that is short: each allocation of a command in turn, one in so many in 'make test', all in
 * 'make check-allocations'. What a run has left then verifies, a report and a bundle are whole or
 * not told as made, and nobody is called a forger or told that a file is bad. The instrumented
 * program has an allocator of its own.
 */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/lies/failing.h"
#include "tests/support/process.h"
#include "tests/support/suite.h"

#define SHOES "fixtures/three-card-poker"
#define SHOE  SHOES "/ace-is-high.shoe"

struct trial {
    const char *const *arguments;
    const char *made;   /* gone before each; what it is must be whole where the status is 0 */
    bool is_journal;    /* and verifies whatever the status is */
    const char *output; /* what is printed where the status is 0; NULL: anything */
};

static struct process_result run(const char *const *arguments)
{
    return process_run(arguments, process_input("", 0));
}

#define RUN(...) run((const char *const[]){__VA_ARGS__, NULL})

/* 1 whole, every allocation; a test run has no time for that. */
static unsigned steps(unsigned sample)
{
    const char *campaign = getenv("CAMPAIGN");

    return campaign && !strcmp(campaign, "whole") ? 1 : sample;
}

static bool verifies(const char *path)
{
    return !process_status_with(RUN("verify", path), "intact");
}

/*
 * fts_open() of the C library uses memory that it has not got, and the program dies of it before it
 * has made anything.
 */
static bool has_died_in_vain(const struct trial *trial, const struct process_result *result)
{
    return result->status == 128 + SIGSEGV && (!trial->made || access(trial->made, F_OK));
}

static bool is_right(const struct trial *trial, const struct process_result *result)
{
    bool is_there = trial->made && !access(trial->made, F_OK);

    if (strstr(result->err, "altered") || (result->status && result->status != 4))
        return false;
    if (!result->status && trial->output && strcmp(result->out, trial->output) != 0)
        return false;
    if (!result->status && trial->made && !is_there)
        return false;
    return !is_there || (!trial->is_journal && result->status) || verifies(trial->made);
}

/* How many allocations there are. */
static unsigned fail_each(const struct trial *trial, unsigned step)
{
    unsigned deaths = 0;

    for (unsigned at = 1;; at += step) {
        struct process_result result;
        struct failing memory;
        bool has_failed, is_dead;

        if (trial->made)
            unlink(trial->made);
        failing_begin(&memory, "malloc", at, ENOMEM, "");
        result = run(trial->arguments);
        has_failed = failing_end(&memory);
        is_dead = has_died_in_vain(trial, &result);
        deaths += is_dead;
        if (!is_dead && !is_right(trial, &result)) {
            printf("%s, allocation %u: %d: %s\n", trial->arguments[0], at, result.status,
                   result.err);
            CU_FAIL("an allocation that failed was taken for something else");
        }
        process_free(&result);
        if (has_failed)
            continue;
        CU_ASSERT_TRUE(deaths <= 1);
        if (steps(0) == 1)
            printf("%s: %u allocations failed in turn\n", trial->arguments[0], at - 1);
        return at - 1;
    }
}

TEST(a_run_without_memory_leaves_a_journal_that_verifies)
{
    char journal[SCRATCH_PATH_SIZE];
    const char *const one[] = {"run", "-q", "--journal", journal, SHOE, NULL};
    const char *const many[] = {"run", "-q", "--jobs", "3", "--journal", journal, SHOES, NULL};
    const char *const in_turn[] = {"run", "-q", "--jobs", "1", "--journal", journal, SHOES, NULL};

    if (PROCESS_INSTRUMENTED)
        return;
    scratch_path(journal);
    CU_ASSERT_TRUE(fail_each(&(struct trial){one, journal, true, NULL}, steps(19)) > 500);
    CU_ASSERT_TRUE(fail_each(&(struct trial){many, journal, true, NULL}, steps(29)) > 1000);
    CU_ASSERT_TRUE(fail_each(&(struct trial){in_turn, journal, true, NULL}, steps(29)) > 1000);
    unlink(journal);
}

TEST(a_run_on_a_real_clock_without_memory_leaves_a_journal_that_verifies)
{
    static const char rig[] =
        "rig: test\nclock: real\ndevices:\n  shuffler: {address: "
        "'emu:shuffler?shuffle=5,deal=1,take=1'}\ntiming: {reply: 20000, packet: 20000, take: "
        "20000}\n";
    char journal[SCRATCH_PATH_SIZE], path[SCRATCH_PATH_SIZE];
    const char *const arguments[] = {"run", "-q", "--rig", path, "--journal", journal, SHOE, NULL};

    if (PROCESS_INSTRUMENTED)
        return;
    scratch_path(journal);
    scratch_path(path);
    scratch_write(path, rig, sizeof rig - 1);
    CU_ASSERT_TRUE(fail_each(&(struct trial){arguments, journal, true, NULL}, steps(5)) > 80);
    unlink(journal);
    unlink(path);
}

TEST(a_report_or_bundle_without_memory_is_whole_or_not_told_as_made)
{
    static const char *const formats[] = {"--text", "--junit", "--html"};
    char lab[] = "/tmp/dealproof-XXXXXX", folder[48], journal[64], bundle[48];
    const char *const bundles[] = {"bundle", folder, "-o", bundle, NULL};

    if (PROCESS_INSTRUMENTED)
        return;
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(lab));
    snprintf(folder, sizeof folder, "%s/run", lab);
    snprintf(journal, sizeof journal, "%s/run.journal", folder);
    snprintf(bundle, sizeof bundle, "%s/b.tar", lab);
    CU_ASSERT_EQUAL_FATAL(process_status_with(RUN("run", "--reports", folder, SHOE), "pass"), 0);
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        const char *const reports[] = {"report", formats[i], journal, NULL};
        struct process_result whole = run(reports);

        CU_ASSERT_EQUAL(whole.status, 0);
        CU_ASSERT_TRUE(fail_each(&(struct trial){reports, NULL, false, whole.out}, steps(2)) > 20);
        process_free(&whole);
    }
    CU_ASSERT_TRUE(fail_each(&(struct trial){bundles, bundle, false, NULL}, 1) > 20);
    scratch_remove(lab);
}
