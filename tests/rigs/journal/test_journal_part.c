/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of a journal: whatever way lines come into it, they are the same to the byte. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "rigs/journal/verify.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

#define RECORDINGS 3

/* Enough for a part to outgrow its buffer several times. */
#define MANY 1500

static struct clock clocks[RECORDINGS];

static struct journal *open_journal(char path[SCRATCH_PATH_SIZE], const struct clock *clock)
{
    struct journal *journal = NULL;

    scratch_path(path);
    CU_ASSERT_EQUAL(journal_open(path, &(struct journal_options){.clock = clock},
                                 &(struct journal_start){.version = "1"}, &journal, NULL),
                    0);
    CU_ASSERT_PTR_NOT_NULL_FATAL(journal);
    CU_ASSERT_EQUAL(journal_device(journal, &(struct journal_device){.name = "shoe"}, NULL), 0);
    journal_hold(journal);
    return journal;
}

static int write_round(struct journal *journal, struct clock *clock, uint64_t number)
{
    static const char played[] = "{\"bets\":{\"1\":{\"ante\":1000}}}";
    const enum check_outcome outcome = number % 5 ? CHECK_PASS : CHECK_FAIL;
    int status = journal_round(journal, number, played, sizeof played - 1, NULL);

    clock_advance(clock, clock_now(clock) + NANOS_PER_MILLI);
    status |= journal_event(journal, "shoe", "card", "{\"card\":\"As\"}", clock_now(clock), NULL);
    status |= journal_event(journal, "rig", "observed", played, clock_now(clock), NULL);
    status |= journal_settlement(journal, "{}", 2, NULL);
    if (number % 7 == 0)
        status |= journal_retry(journal, "shoe", "frames", 1, "said again", NULL);
    status |= journal_check(journal,
                            &(struct check_result){.name = "card-order", .outcome = outcome}, NULL);
    return status | journal_verdict(journal,
                                    &(struct journal_verdict){.verdict = number % 5 ? VERDICT_PASS
                                                                                    : VERDICT_FAIL},
                                    NULL);
}

static int write_recording(struct journal *journal, struct clock *clock, uint64_t rounds)
{
    int status;

    clock_virtual(clock, 0);
    status = journal_recording(journal, &(struct journal_recording){.game = "flush-rush"}, NULL);
    for (uint64_t round = 1; round <= rounds && !status; round++)
        status = write_round(journal, clock, round);
    return status;
}

static char *finish_as(struct journal *journal, const char *path, enum verdict verdict,
                       size_t *length)
{
    char *text;

    CU_ASSERT_EQUAL(journal_end(journal, verdict, "it ends here", NULL), 0);
    journal_close(journal);
    CU_ASSERT_EQUAL(
        journal_verify(path, &(struct journal_verify){0}, &(struct journal_verified){0}, NULL), 0);
    text = scratch_read(path, length);
    unlink(path);
    return text;
}

static char *finish(struct journal *journal, const char *path, size_t *length)
{
    return finish_as(journal, path, VERDICT_FAIL, length);
}

/* All recordings one after the other, on a clock that starts anew with each. */
static char *write_alone(uint64_t rounds, size_t *length)
{
    char path[SCRATCH_PATH_SIZE];
    struct clock clock;
    struct journal *journal;

    clock_virtual(&clock, 0);
    journal = open_journal(path, &clock);
    for (unsigned i = 0; i < RECORDINGS; i++)
        CU_ASSERT_EQUAL(write_recording(journal, &clock, rounds), 0);
    return finish(journal, path, length);
}

struct half {
    struct journal *journal, *part;
    bool joins;     /* when it is asked */
    unsigned asked; /* how often */
};

static int full(void *context, struct error *error)
{
    struct half *half = context;

    half->asked++;
    return half->joins ? journal_join(half->journal, half->part, error) : 0;
}

static void start_part(struct half *half, unsigned index)
{
    CU_ASSERT_EQUAL(journal_part_start(half->part,
                                       &(struct journal_part){.clock = &clocks[index],
                                                              .recording = index + 1,
                                                              .full = full,
                                                              .context = half},
                                       NULL),
                    0);
}

static void add_part(struct half *half, struct journal *journal, unsigned index, bool joins)
{
    *half = (struct half){journal, journal_part_new(journal, NULL), joins, 0};
    CU_ASSERT_PTR_NOT_NULL_FATAL(half->part);
    start_part(half, index);
}

/* Each recording as a part, the last one written first. */
static char *write_parts(uint64_t rounds, bool joins, size_t *length)
{
    char path[SCRATCH_PATH_SIZE];
    struct clock clock;
    struct journal *journal;
    struct half halves[RECORDINGS];

    clock_virtual(&clock, 0);
    journal = open_journal(path, &clock);
    for (unsigned i = 0; i < RECORDINGS; i++)
        add_part(&halves[i], journal, i, joins && !i);
    for (unsigned i = RECORDINGS; i-- > 0;)
        CU_ASSERT_EQUAL(write_recording(halves[i].part, &clocks[i], rounds), 0);
    for (unsigned i = 0; i < RECORDINGS; i++) {
        CU_ASSERT_EQUAL(halves[i].asked > 0, rounds == MANY);
        CU_ASSERT_EQUAL(journal_join(journal, halves[i].part, NULL), 0);
        journal_close(halves[i].part);
        clock = clocks[i];
    }
    return finish(journal, path, length);
}

TEST(lines_of_parts_come_out_as_if_they_had_been_written_one_after_the_other)
{
    static const struct {
        uint64_t rounds;
        bool joins;
    } cases[] = {{0, false}, {1, false}, {40, false}, {MANY, false}, {MANY, true}};

    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t one, other;
        char *alone = write_alone(cases[i].rounds, &one);
        char *parts = write_parts(cases[i].rounds, cases[i].joins, &other);

        CU_ASSERT_EQUAL(one, other);
        CU_ASSERT_STRING_EQUAL(alone, parts);
        free(alone);
        free(parts);
    }
}

TEST(a_part_that_is_started_again_forgets_what_it_had)
{
    static const uint64_t rounds[] = {3, MANY};

    for (unsigned i = 0; i < 2; i++) {
        char path[SCRATCH_PATH_SIZE], *text;
        struct clock clock;
        struct journal *journal;
        struct half half;
        size_t length;

        clock_virtual(&clock, 0);
        journal = open_journal(path, &clock);
        add_part(&half, journal, 0, false);
        CU_ASSERT_EQUAL(write_recording(half.part, &clocks[0], rounds[i]), 0);
        start_part(&half, 0);
        CU_ASSERT_EQUAL(write_recording(half.part, &clocks[0], 1), 0);
        CU_ASSERT_EQUAL(journal_join(journal, half.part, NULL), 0);
        journal_close(half.part);
        clock = clocks[0];
        text = finish(journal, path, &length);
        CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"rounds\":{\"skipped\":0,\"pass\":1,"));
        CU_ASSERT_PTR_NULL(strstr(text, "\"round\":2"));
        free(text);
    }
}

/* The disk fills up while a part joins; with room again, the rest of it follows. */
TEST(a_join_that_the_disk_refused_can_be_tried_again)
{
    static const uint64_t rounds[] = {20, MANY};
    struct rlimit before, tight;

    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    for (unsigned i = 0; i < 2; i++) {
        char path[SCRATCH_PATH_SIZE], *text;
        struct journal_verified verified;
        struct error error = {.text = ""};
        struct journal *journal;
        struct clock clock;
        struct half half;
        size_t length;

        clock_virtual(&clock, 0);
        journal = open_journal(path, &clock);
        add_part(&half, journal, 0, false);
        CU_ASSERT_EQUAL(write_recording(half.part, &clocks[0], rounds[i]), 0);
        /* A part that keeps lines in a file has all of them there before it joins. */
        tight = (struct rlimit){.rlim_cur = rounds[i] == MANY ? 600000 : 3000,
                                .rlim_max = before.rlim_max};
        setrlimit(RLIMIT_FSIZE, &tight);
        CU_ASSERT_EQUAL(journal_release(journal, NULL), 0);
        CU_ASSERT_EQUAL(journal_join(journal, half.part, &error), ERROR_RIG);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "File too large"));
        setrlimit(RLIMIT_FSIZE, &before);
        CU_ASSERT_EQUAL(journal_verify(path, &(struct journal_verify){0}, &verified, NULL), 0);
        CU_ASSERT_TRUE(verified.rounds < rounds[i]);
        CU_ASSERT_EQUAL(journal_join(journal, half.part, &error), 0);
        journal_close(half.part);
        clock = clocks[0];
        text = finish(journal, path, &length);
        CU_ASSERT_PTR_NOT_NULL(strstr(text, rounds[i] == MANY ? "\"pass\":1200," : "\"pass\":16,"));
        free(text);
    }
}

/* As many bytes in an event, so that each kind of line is the one that fills the part. */
static int write_until_refused(struct half *half, unsigned bytes)
{
    char details[4096];
    int status;

    snprintf(details, sizeof details, "\"%0*u\"", (int)bytes, 0U);
    clock_virtual(&clocks[0], 0);
    status = journal_recording(half->part, &(struct journal_recording){.game = "flush-rush"}, NULL);
    status |= journal_event(half->part, "shoe", "card", details, 0, NULL);
    for (uint64_t round = 1; round <= MANY && !status; round++)
        status = write_round(half->part, &clocks[0], round);
    return status;
}

/* What it had when its lines could not be written is counted, and what came after it is not. */
TEST(a_part_that_was_refused_when_it_was_full_has_the_totals_of_its_lines)
{
    struct rlimit before, tight;

    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    tight = (struct rlimit){.rlim_cur = 2000, .rlim_max = before.rlim_max};
    for (unsigned bytes = 1; bytes < 2000; bytes += 61) {
        struct error error = {.text = ""};
        char path[SCRATCH_PATH_SIZE];
        struct journal *journal;
        struct clock clock;
        struct half half;
        size_t length;

        clock_virtual(&clock, 0);
        journal = open_journal(path, &clock);
        CU_ASSERT_EQUAL(journal_release(journal, NULL), 0);
        add_part(&half, journal, 0, true);
        setrlimit(RLIMIT_FSIZE, &tight);
        CU_ASSERT_NOT_EQUAL(write_until_refused(&half, bytes), 0);
        CU_ASSERT_EQUAL(half.asked, 1);
        setrlimit(RLIMIT_FSIZE, &before);
        CU_ASSERT_EQUAL(journal_join(journal, half.part, &error), ERROR_RIG);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "File too large"));
        journal_close(half.part);
        clock = clocks[0];
        free(finish_as(journal, path, VERDICT_RIG, &length));
    }
}
