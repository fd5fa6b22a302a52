/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory that cannot be had: every allocation of a settlement, of verifying and reporting a journal
 * and of trying a rig's models fails once. Allocations are counted here, in place of the C
 * library's own, which the sanitizer has another name for.
 */
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rigs/journal/verify.h"
#include "rigs/recording/compare.h"
#include "rigs/report/format.h"
#include "rigs/rig/rig.h"
#include "tests/support/journal_sample.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

/* The sanitizer looks for leaks itself, and copies texts by other functions than these. */
#ifdef __SANITIZE_ADDRESS__
#define REAL(name)   __interceptor_##name
#define COUNTS_LEAKS false
#else
#define REAL(name)   __libc_##name
#define COUNTS_LEAKS true
#endif

void *REAL(malloc)(size_t size);
void *REAL(calloc)(size_t count, size_t size);
void *REAL(realloc)(void *memory, size_t size);
void REAL(free)(void *memory);

static atomic_long live;      /* allocations that have not been freed */
static atomic_long countdown; /* the allocation that fails, from 1; none at 0 or below */

static bool fails(void)
{
    if (atomic_load(&countdown) <= 0 || atomic_fetch_sub(&countdown, 1) != 1)
        return false;
    errno = ENOMEM;
    return true;
}

static void *counted(void *memory)
{
    atomic_fetch_add(&live, memory != NULL);
    return memory;
}

void *malloc(size_t size)
{
    return fails() ? NULL : counted(REAL(malloc)(size));
}

void *calloc(size_t count, size_t size)
{
    return fails() ? NULL : counted(REAL(calloc)(count, size));
}

void *realloc(void *memory, size_t size)
{
    if (fails())
        return NULL;
    return memory ? REAL(realloc)(memory, size) : counted(REAL(realloc)(NULL, size));
}

void *reallocarray(void *memory, size_t count, size_t size)
{
    return realloc(memory, count * size);
}

void free(void *memory)
{
    atomic_fetch_sub(&live, memory != NULL);
    REAL(free)(memory);
}

#define ROUNDS 1200 /* more than a report holds in memory */
#define SHOE   "fixtures/chase-the-flush/evening-of-six-seats.shoe"

/*
 * Does the work with one allocation after the other failing, until none is left to fail. Each time
 * the work says ERROR_RIG with a sentence, or does without, as stdio does without a buffer; then it
 * has looked at what came of it. Nothing is left behind. Returns how often it could not be done.
 */
static long fail_each(int (*work)(const char *path, struct error *error), const char *path)
{
    struct error error;
    long failed = 0;

    CU_ASSERT_EQUAL_FATAL(work(path, &error), 0);
    for (long number = 1;; number++) {
        long before = atomic_load(&live), kept, left;
        int status;

        error = (struct error){.text = ""};
        atomic_store(&countdown, number);
        status = work(path, &error);
        left = atomic_exchange(&countdown, 0);
        kept = COUNTS_LEAKS ? atomic_load(&live) - before : 0;
        if (kept || (status && status != ERROR_RIG))
            printf("allocation %ld: status %d: %s; %ld are left\n", number, status, error.text,
                   kept);
        CU_ASSERT_EQUAL(kept, 0);
        CU_ASSERT_TRUE(!status || (status == ERROR_RIG && (int)error.code == status));
        CU_ASSERT_TRUE(!status || error.text[0]);
        if (left > 0)
            return failed;
        failed += status != 0;
    }
}

static int settle(const char *path, struct error *error)
{
    struct compare_result result;
    int status = compare_recording(path, NULL, NULL, 1, -1, &result, error);

    CU_ASSERT_TRUE(status || (result.rounds && !result.differing));
    return status;
}

TEST(a_settlement_without_memory_says_so)
{
    CU_ASSERT_TRUE(fail_each(settle, SHOE) >= 7);
}

static int verify(const char *path, struct error *error)
{
    struct journal_verified verified;
    int status = journal_verify(path, &(struct journal_verify){0}, &verified, error);

    CU_ASSERT_TRUE(status || verified.rounds == ROUNDS);
    return status;
}

/* How much a report holds, as a number to be compared. */
static size_t held(const struct report *report)
{
    size_t held = report->round_count + report->kept_bytes + report->kept_passes +
                  report->recording_count + report->check_count + report->timing_count;

    for (size_t i = 0; i < report->recording_count; i++)
        held += report_recording_at(report, i).meter_count;
    return held;
}

static int report(const char *path, struct error *error)
{
    static size_t whole;
    struct report *made;
    int status = report_read(path, &made, error);

    if (status)
        return status;
    whole = whole ? whole : held(made);
    CU_ASSERT_EQUAL(held(made), whole);
    report_free(made);
    return 0;
}

TEST(a_journal_that_is_read_without_memory_is_not_taken_for_a_bad_one)
{
    const struct journal_sample sample = {.rounds = ROUNDS, .fail_every = 7};
    char path[SCRATCH_PATH_SIZE];
    struct error error;

    scratch_path(path);
    CU_ASSERT_EQUAL_FATAL(journal_sample_write(path, &sample, &error), 0);
    CU_ASSERT_TRUE(fail_each(verify, path) >= 3);
    CU_ASSERT_TRUE(fail_each(report, path) > 200);
    unlink(path);
}

/* The length of all formats, and whether the stream was told that something is missing. */
static int write_formats(const struct report *report, FILE *out, long *length, struct error *error)
{
    const struct report_format *format;

    for (size_t i = 0; (format = report_format_at(i)); i++)
        format->write(report, out);
    *length = ftell(out);
    return ferror(out) ? error_set(error, ERROR_RIG, "the stream has failed") : 0;
}

/* The page says itself that it leaves something out, of which nothing could be kept. */
static bool says_what_is_missing(const char *path)
{
    long pending = atomic_exchange(&countdown, 0);
    size_t length;
    char *text = scratch_read(path, &length);
    bool is_said = strstr(text, "are not shown") || strstr(text, "There was no memory");

    free(text);
    atomic_store(&countdown, pending);
    return is_said;
}

static int write_report(const char *path, struct error *error)
{
    static long whole; /* what the first one has, which lacks nothing */
    char written[SCRATCH_PATH_SIZE];
    struct report *made;
    int status = report_read(path, &made, error);
    FILE *out;
    long length = 0;

    if (status)
        return status;
    snprintf(written, sizeof written, "%s.w", path);
    out = fopen(written, "w");
    status =
        out ? write_formats(made, out, &length, error) : error_set(error, ERROR_RIG, "no stream");
    if (out)
        fclose(out);
    whole = whole ? whole : length;
    /* glibc's stream in memory loses a character when it cannot grow, and does not say so. */
    CU_ASSERT_TRUE(status || length >= whole - 1 || says_what_is_missing(written));
    unlink(written);
    report_free(made);
    return status;
}

/* What a reader would miss is not left out in silence, and a writer keeps nothing. */
TEST(a_report_that_is_written_without_memory_is_whole_or_says_what_it_lacks)
{
    const struct journal_sample sample = {.rounds = 6, .fail_every = 2};
    char path[SCRATCH_PATH_SIZE];
    struct error error;

    scratch_path(path);
    CU_ASSERT_EQUAL_FATAL(journal_sample_write(path, &sample, &error), 0);
    CU_ASSERT_TRUE(fail_each(write_report, path) > 10);
    unlink(path);
}

static int try_models(const char *text, struct error *error)
{
    struct rig *rig;
    int status = rig_parse(&rig, "rig.yaml", text, strlen(text), error);

    if (!status)
        rig_free(rig);
    return status;
}

TEST(a_model_that_there_is_no_memory_for_is_no_mistake_of_the_rig)
{
    static const char rig[] =
        "rig: x\nclock: virtual\ndevices:\n  shuffler: {address: emu:shuffler}\n"
        "  sensors: {address: emu:table, seats: [{seat: 1, bet: bet1, light: light1}]}\n";

    CU_ASSERT_TRUE(fail_each(try_models, rig) > 10);
}
