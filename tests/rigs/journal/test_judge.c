/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a journal can contradict itself in. Each case forges one thing in a journal that has
 * something of everything, with a chain that holds, and says what is found.
 */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rigs/journal/resume.h"
#include "rigs/journal/verify.h"
#include "rigs/report/report.h"
#include "tests/support/lies/forge.h"
#include "tests/support/process.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

#define DIGEST "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

static void begin_round(struct journal *journal, unsigned number)
{
    char played[32];
    int length = snprintf(played, sizeof played, "{\"round\":%u}", number);

    CU_ASSERT_EQUAL(journal_round(journal, number, played, (size_t)length, NULL), 0);
    journal_event(journal, "shuffler", "packet-present", "{\"packet\":1,\"cards\":\"As\"}", 3,
                  NULL);
}

static void settle(struct journal *journal, unsigned number)
{
    char settlement[32];
    int length = snprintf(settlement, sizeof settlement, "{\"round\":%u}", number);

    CU_ASSERT_EQUAL(journal_settlement(journal, settlement, (size_t)length, NULL), 0);
}

static void ask(struct journal *journal)
{
    static const struct desk_open question = {.id = 4,
                                              .kind = QUESTION_DECISION,
                                              .sides = DESK_PAGE,
                                              .text = "bet or fold?",
                                              .choices = {"bet", "fold"},
                                              .choice_count = 2};
    static const struct answer answer = {.text = "bet", .side = DESK_PAGE, .answered = 5000000};

    CU_ASSERT_EQUAL(journal_question(journal, &question, NULL), 0);
    CU_ASSERT_EQUAL(journal_answer(journal, &question, &answer, NULL), 0);
}

static void pass_round(struct journal *journal, struct clock *clock)
{
    const struct journal_timing timing = {"packet", 5, 10, false};

    begin_round(journal, 1);
    journal_retry(journal, "shoe", "frames", 1, "said again", NULL);
    ask(journal);
    if (!clock->is_virtual)
        journal_wait(journal, &(struct journal_wait){"packet", "shuffler", 5000, 0}, NULL);
    else
        clock_advance(clock, clock_now(clock) + NANOS_PER_MILLI);
    settle(journal, 1);
    journal_check(journal, &(struct check_result){.name = "shuffle", .outcome = CHECK_SKIPPED},
                  NULL);
    for (unsigned i = 0; i < 3; i++)
        journal_pass(journal, "dealt-cards", NULL);
    CU_ASSERT_EQUAL(
        journal_verdict(journal, &(struct journal_verdict){VERDICT_PASS, NULL, &timing, 1}, NULL),
        0);
}

static void fail_round(struct journal *journal)
{
    const struct journal_timing timing = {"packet", 15, 10, false};
    const bool is_same = false;

    begin_round(journal, 2);
    journal_check(journal, &(struct check_result){.name = "timing", .outcome = CHECK_FAIL}, NULL);
    journal_check(journal, &(struct check_result){.name = "identity", .outcome = CHECK_FAIL}, NULL);
    journal_reconnect(
        journal, &(struct journal_reconnect){"shuffler", 1, 2, NANOS_PER_SECOND, &is_same}, NULL);
    settle(journal, 2);
    CU_ASSERT_EQUAL(
        journal_verdict(journal, &(struct journal_verdict){VERDICT_FAIL, NULL, &timing, 1}, NULL),
        0);
}

static void observe_round(struct journal *journal)
{
    begin_round(journal, 1);
    journal_event(journal, "rig", "observed", "{\"round\":1}", 5, NULL);
    settle(journal, 1);
    journal_pass(journal, "refused-round", NULL);
    CU_ASSERT_EQUAL(
        journal_verdict(journal, &(struct journal_verdict){.verdict = VERDICT_PASS}, NULL), 0);
}

/* A round that the rules refuse, which is not played and passes. */
static void refuse_round(struct journal *journal)
{
    CU_ASSERT_EQUAL(journal_round(journal, 3, "{}", 2, NULL), 0);
    journal_pass(journal, "refused-round", NULL);
    CU_ASSERT_EQUAL(
        journal_verdict(journal, &(struct journal_verdict){.verdict = VERDICT_PASS}, NULL), 0);
}

/* Something of everything. */
static void write_everything(const char *path, struct clock *clock)
{
    static const char *const command[] = {"run", "a.shoe", NULL};
    const struct library library = {"nettle", "3.8"};
    const struct journal_start start = {.version = "1",
                                        .libraries = &library,
                                        .library_count = 1,
                                        .rig_path = "bench.yaml",
                                        .rig_digest = DIGEST,
                                        .seed = 7,
                                        .command = command,
                                        .rounds = 4};
    struct journal *journal = NULL;

    CU_ASSERT_EQUAL_FATAL(
        journal_open(path, &(struct journal_options){.clock = clock}, &start, &journal, NULL), 0);
    journal_device(journal, &(struct journal_device){.name = "shuffler", .digest = DIGEST}, NULL);
    journal_device(journal, &(struct journal_device){.name = "shoe", .test_mode = true}, NULL);
    journal_recording(journal,
                      &(struct journal_recording){.path = "a.shoe",
                                                  .digest = DIGEST,
                                                  .expect_path = "a.expect",
                                                  .expect_digest = DIGEST,
                                                  .game = "flush-rush",
                                                  .rounds = 3},
                      NULL);
    CU_ASSERT_EQUAL(journal_order(journal, "pause", "Ann", NULL), 0);
    pass_round(journal, clock);
    fail_round(journal);
    refuse_round(journal);
    journal_recording(journal, &(struct journal_recording){.path = "b", .game = "flush-rush"},
                      NULL);
    observe_round(journal);
    journal_check(journal, &(struct check_result){.name = "jackpots", .outcome = CHECK_SKIPPED},
                  NULL);
    journal_pass(journal, "status", NULL);
    CU_ASSERT_EQUAL(journal_passes(journal, NULL), 0);
    CU_ASSERT_EQUAL(journal_end(journal, VERDICT_FAIL, NULL, NULL), 0);
    journal_close(journal);
}

static void write_clocked(const char *path, bool is_virtual)
{
    struct clock clock;

    if (is_virtual)
        clock_virtual(&clock, 5);
    else
        clock_real(&clock);
    write_everything(path, &clock);
}

enum what { REPLACE, REMOVE, REPEAT };

struct forged {
    enum what what;
    const char *line; /* some text of it */
    unsigned nth;
    const char *old, *new;
    const char *words; /* what is said of it */
};

static int verify(const char *path, struct error *error)
{
    struct journal_verified verified;

    error->text[0] = '\0';
    return journal_verify(path, &(struct journal_verify){0}, &verified, error);
}

/* The report has the same reader, and so the same reason. */
static bool is_reported(const char *path, const char *words)
{
    struct report *report;
    bool is_it;

    if (report_read(path, &report, NULL))
        return false;
    is_it = strstr(report->problem, words) != NULL;
    report_free(report);
    return is_it;
}

static bool is_found(const char *journal, const struct forged *forged)
{
    struct forgery forgery = forge_read(journal);
    size_t line = forge_find(&forgery, forged->line, forged->nth);
    char path[SCRATCH_PATH_SIZE];
    struct error error;
    int status;
    bool is_it;

    if (forged->what == REPLACE)
        forge_replace(&forgery, line, forged->old, forged->new);
    else if (forged->what == REMOVE)
        forge_remove(&forgery, line, 1);
    else
        forge_insert(&forgery, line, forgery.bodies[line]);
    scratch_path(path);
    forge_write(&forgery, path);
    status = verify(path, &error);
    is_it = status == ERROR_RULE && strstr(error.text, forged->words) &&
            is_reported(path, forged->words);
    if (!is_it)
        printf("%s, %s: status %d: %s\n", forged->line, forged->words, status, error.text);
    unlink(path);
    forge_free(&forgery);
    return is_it;
}

static void find_all(bool is_virtual, const struct forged *forged, size_t count)
{
    char path[SCRATCH_PATH_SIZE];
    struct error error;

    scratch_path(path);
    write_clocked(path, is_virtual);
    CU_ASSERT_EQUAL(verify(path, &error), 0);
    if (*error.text)
        printf("%s\n", error.text);
    for (size_t i = 0; i < count; i++)
        CU_ASSERT_TRUE(is_found(path, &forged[i]));
    unlink(path);
}

#define FIND_ALL(is_virtual, cases) find_all(is_virtual, cases, sizeof(cases) / sizeof(cases)[0])

TEST(a_start_line_that_cannot_be_is_found)
{
    static const struct forged cases[] = {
        {REPLACE, "start", 1, "virtual", "solar", "neither a virtual nor a real clock"},
        {REPLACE, "start", 1, "\"virtual\"", "\"virtual\",\"date\":\"2026-01-31T18:00:00Z\"",
         "has a date in virtual time"},
        {REPLACE, "start", 1, "\"virtual\"", "\"real\"", "has no date"},
        {REPLACE, "start", 1, "\"virtual\"", "\"real\",\"date\":\"yesterday\"",
         "has a date that is none"},
        {REPLACE, "start", 1, "\"virtual\"", "\"real\",\"date\":\"2026-02-29T18:00:00Z\"",
         "has a date that is none"},
        {REPLACE, "start", 1, "\"virtual\"", "\"real\",\"date\":\"2026-01-31T24:00:00Z\"",
         "has a date that is none"},
        {REPLACE, "start", 1, "\"virtual\"",
         "\"virtual\",\"run\":\"0123456789abcdef0123456789abcdef\"",
         "has a run id in virtual time"},
        {REPLACE, "start", 1, "\"virtual\"",
         "\"real\",\"date\":\"2026-01-31T18:00:00Z\",\"run\":\"my run\"",
         "has a run id that is none"},
        {REPLACE, "start", 1, "\"virtual\"", "\"virtual\",\"host\":\"bench-3\"",
         "names a host in virtual time"},
        {REPLACE, "start", 1, "\"seed\":\"7\"", "\"seed\":\"x\"", "a seed that is no number"},
        {REPLACE, "start", 1, "\"seed\":\"7\"", "\"seed\":\"18446744073709551616\"",
         "a seed that is no number of 64 bits"},
        {REPLACE, "start", 1, "\"rounds\":4", "\"rounds\":-4", "fewer rounds than none"},
        {REPLACE, "start", 1, "\"3.8\"", "3", "libraries or a command that are no texts"},
        {REPLACE, "start", 1, "\"run\"", "null", "libraries or a command that are no texts"},
        {REPLACE, "start", 1, DIGEST, "0", "does not say which rig it is of"},
        {REPLACE, "start", 1, "\"journal\":1,", "", "has no 'journal'"},
        {REPLACE, "start", 1, "\"journal\":1", "\"journal\":\"1\"", "has a 'journal' of another"},
        {REPLACE, "start", 1, "\"journal\":1,\"version\":\"1\"", "\"version\":\"1\",\"journal\":1",
         "has no 'journal'"},
        {REPLACE, "start", 1, "\"t\":5,\"kind\":\"start\"", "\"kind\":\"start\",\"t\":5",
         "has 'kind' among its first four fields"},
        {REPEAT, "start", 1, NULL, NULL, "only the first, is a start line"}};

    FIND_ALL(true, cases);
}

TEST(devices_and_recordings_that_cannot_be_are_found)
{
    static const struct forged cases[] = {
        {REPEAT, "\"device\",\"name\":\"shoe\"", 1, NULL, NULL, "of a device a second time"},
        {REMOVE, "\"device\",\"name\":\"shuffler\"", 1, NULL, NULL,
         "of a device that no line has told of"},
        {REMOVE, "\"device\",\"name\":\"shoe\"", 1, NULL, NULL,
         "of a device that no line has told of"},
        {REPLACE, "\"name\":\"shuffler\"", 1, DIGEST, "none", "has a digest that is none"},
        {REPLACE, "\"name\":\"shoe\"", 1, "true", "1", "has a 'test-mode' of another type"},
        {REPLACE, "\"kind\":\"check\"", 6, "\"kind\":\"check\"",
         "\"kind\":\"device\",\"name\":\"late\",\"driver\":null,\"address\":null,\"model\":null,"
         "\"firmware\":null,\"serial\":null,\"digest\":null,\"test-mode\":false",
         "stands after a recording"},
        {REPLACE, "\"recording\":2,\"path\"", 1, "\"recording\":2", "\"recording\":3",
         "does not follow the recording before it"},
        {REPLACE, "\"recording\":1,\"path\"", 1, "\"rounds\":3", "\"rounds\":4",
         "comes after a recording that has not all its rounds"},
        {REPLACE, "\"recording\":1,\"path\"", 1, "\"rounds\":3", "\"rounds\":2",
         "is one more than its recording has"},
        {REPLACE, "\"recording\":2,\"path\"", 1, "\"rounds\":0", "\"rounds\":-1",
         "announces fewer rounds than none"},
        {REPLACE, "\"recording\":2,\"path\"", 1, "\"rounds\":0", "\"rounds\":2",
         "before all rounds of the recording above have, and does not say why"},
        {REPLACE, "\"recording\":1,\"path\"", 1, "\"a.shoe\"", "null", "has a digest of nothing"},
        {REPLACE, "\"recording\":1,\"path\"", 1, "\"sha256\":\"0123", "\"sha256\":\"x123",
         "or one that is none"},
        {REMOVE, "\"recording\":2,\"path\"", 1, NULL, NULL, "belong to the recording before it"}};

    FIND_ALL(true, cases);
}

TEST(rounds_and_settlements_that_cannot_be_are_found)
{
    static const struct forged cases[] = {
        {REMOVE, "\"kind\":\"round\"", 1, NULL, NULL, "does not belong to the round around it"},
        {REPEAT, "\"kind\":\"round\"", 1, NULL, NULL, "stands inside a round"},
        {REPLACE, "\"kind\":\"round\"", 1, "\"played\":{\"round\":1}", "\"played\":{\"round\":2}",
         "has another number than what was played"},
        {REPLACE, "\"kind\":\"round\"", 4, "\"round\":1,\"played\":{\"round\":1}",
         "\"round\":2,\"played\":{\"round\":2}", "has another number than what was played"},
        {REPLACE, "\"kind\":\"event\"", 2, "\"round\":2", "\"round\":1",
         "does not belong to the round around it"},
        {REPLACE, "\"name\":\"jackpots\"", 1, "\"kind\":\"check\"",
         "\"kind\":\"check\",\"recording\":2,\"round\":1",
         "does not belong to the round around it"},
        {REPEAT, "\"kind\":\"settled\"", 1, NULL, NULL, "is the second of its round"},
        {REMOVE, "\"kind\":\"settled\"", 1, NULL, NULL, "passes a round that was not settled"},
        {REPLACE, "\"kind\":\"settled\"", 1, "{\"round\":1}", "{\"round\":7}",
         "settles another round"},
        {REPLACE, "\"kind\":\"settled\"", 1, "{\"round\":1}", "{\"round\":1,\"error\":\"x\"}",
         "passes a round that cannot be settled"},
        {REMOVE, "\"event\":\"observed\"", 1, NULL, NULL, "passes a round that nobody has told of"},
        {REPEAT, "\"event\":\"observed\"", 1, NULL, NULL, "or twice of one"},
        {REPLACE, "\"event\":\"packet-present\"", 1, "\"shuffler\",\"event\":\"packet-present\"",
         "\"rig\",\"event\":\"observed\"", "a round that is not observed"},
        {REPLACE, "\"kind\":\"event\"", 1, "\"at\":3", "\"at\":6",
         "tells of what has not happened yet"},
        {REMOVE, "\"kind\":\"verdict\"", 1, NULL, NULL, "stands inside a round"},
        {REMOVE, "\"kind\":\"verdict\"", 3, NULL, NULL, "stands inside a round"},
        {REMOVE, "\"kind\":\"verdict\"", 4, NULL, NULL, "between what has passed and the verdict"}};

    FIND_ALL(true, cases);
}

TEST(verdicts_that_do_not_follow_from_their_checks_are_found)
{
    static const struct forged cases[] = {
        {REPLACE, "\"kind\":\"verdict\"", 2, "\"verdict\":\"fail\"", "\"verdict\":\"pass\"",
         "passes a round in which checks failed"},
        {REPLACE, "\"kind\":\"verdict\"", 2, "\"verdict\":\"fail\"", "\"verdict\":\"skipped\"",
         "skips a round that was played"},
        {REPLACE, "\"kind\":\"verdict\"", 2, "\"verdict\":\"fail\"", "\"verdict\":\"device\"",
         "does not say why"},
        {REPLACE, "\"kind\":\"verdict\"", 1, "\"verdict\":\"pass\"", "\"verdict\":\"fail\"",
         "does not say why"},
        {REPLACE, "\"kind\":\"verdict\"", 1, "\"verdict\":\"pass\"", "\"verdict\":\"good\"",
         "has no known verdict"},
        {REPLACE, "\"kind\":\"verdict\"", 1, "\"verdict\":\"pass\"",
         "\"verdict\":\"pass\",\"why\":\"it broke\"", "passes a round and says why it has not"},
        {REPLACE, "\"kind\":\"verdict\"", 2, "\"fail\":2", "\"fail\":1", "other counts than its"},
        {REPLACE, "\"kind\":\"verdict\"", 1, "\"pass\":3", "\"pass\":4", "other counts than its"},
        {REPLACE, "\"kind\":\"verdict\"", 1, "\"skipped\":1", "\"skipped\":0",
         "other counts than its checks"},
        {REMOVE, "\"name\":\"timing\"", 1, NULL, NULL, "other counts than its checks"},
        {REMOVE, "\"name\":\"shuffle\"", 1, NULL, NULL, "other counts than its checks"},
        {REMOVE, "\"dealt-cards\"", 1, NULL, NULL, "other counts than its checks"},
        {REPLACE, "\"name\":\"timing\"", 1, "\"timing\"", "\"lights\"",
         "a timing beyond its limit, and no check of it failed"},
        {REPLACE, "\"kind\":\"verdict\"", 1, "\"took\":5", "\"took\":50",
         "a timing beyond its limit, and no check of it failed"},
        {REPLACE, "\"kind\":\"verdict\"", 1, "\"took\":5", "\"took\":-5", "timings that cannot be"},
        {REPLACE, "\"refused-round\"", 1, "refused-round", "frames", "that was not settled"},
        {REPLACE, "\"dealt-cards\"", 1, "\"result\":\"pass\"", "\"result\":\"fine\"",
         "has no known result"},
        {REPLACE, "\"dealt-cards\"", 1, "\"names\":{\"dealt-cards\":3}", "\"names\":{}",
         "does not say which checks have passed"},
        {REPLACE, "\"dealt-cards\"", 1, "\"dealt-cards\":3", "\"dealt-cards\":-3",
         "counts that cannot be"},
        {REPLACE, "\"dealt-cards\"", 1, "\"dealt-cards\":3",
         "\"dealt-cards\":9223372036854775807,\"lights\":1", "counts that cannot be"},
        {REPLACE, "\"name\":\"timing\"", 1, "\"name\":\"timing\"", "\"why\":\"\"",
         "does not say which check it is of"},
        {REPEAT, "\"dealt-cards\"", 1, NULL, NULL, "between what has passed and the verdict"}};

    FIND_ALL(true, cases);
}

TEST(an_end_that_does_not_follow_from_its_lines_is_found)
{
    static const struct forged cases[] = {
        {REPLACE, "\"kind\":\"end\"", 1, "\"verdict\":\"fail\"", "\"verdict\":\"pass\"",
         "has a better verdict than its rounds and checks"},
        {REPLACE, "\"kind\":\"end\"", 1, "\"verdict\":\"fail\"", "\"verdict\":\"device\"",
         "has a worse verdict than its rounds, and does not say why"},
        {REPLACE, "\"kind\":\"end\"", 1, "\"verdict\":\"fail\"", "\"verdict\":\"\"",
         "has no known verdict"},
        {REPLACE, "\"kind\":\"end\"", 1, "\"pass\":3,\"fail\":1", "\"pass\":4,\"fail\":0",
         "has other totals than its rounds"},
        {REPLACE, "\"kind\":\"end\"", 1, "\"recordings\":2", "\"recordings\":1",
         "has another total than its recordings"},
        {REPLACE, "\"kind\":\"end\"", 1, "\"fail\":2,\"skipped\":2", "\"fail\":0,\"skipped\":2",
         "has other totals than its checks"},
        {REPLACE, "\"kind\":\"end\"", 1, "\"retries\":1", "\"retries\":0",
         "has another total than its retries"},
        {REPLACE, "\"kind\":\"end\"", 1, "\"reconnects\":1", "\"reconnects\":0",
         "has another total than its reconnects"},
        {REMOVE, "\"kind\":\"retry\"", 1, NULL, NULL, "has another total than its retries"},
        {REMOVE, "\"kind\":\"reconnect\"", 1, NULL, NULL, "has another total than its reconnects"},
        {REMOVE, "\"name\":\"jackpots\"", 1, NULL, NULL, "has other totals than its checks"},
        {REPEAT, "\"kind\":\"end\"", 1, NULL, NULL, "stands after the end line"},
        {REPLACE, "\"kind\":\"start\"", 1, "\"rounds\":4", "\"rounds\":5",
         "comes before all rounds that line 1 announces, and does not say why"},
        {REPLACE, "\"kind\":\"start\"", 1, "\"rounds\":4", "\"rounds\":3",
         "comes after more rounds than line 1 announces"},
        {REPLACE, "\"event\":\"observed\"", 1, "\"kind\":\"event\",\"recording\":2,\"round\":1,",
         "\"kind\":\"end\",\"verdict\":\"fail\",\"why\":\"x\",\"recordings\":2,\"rounds\":{},"
         "\"checks\":{},\"retries\":1,\"reconnects\":1,",
         "stands inside a round"}};

    FIND_ALL(true, cases);
}

TEST(tries_waits_and_answers_that_cannot_be_are_found)
{
    static const struct forged cases[] = {
        {REPLACE, "\"kind\":\"order\"", 1, "\"pause\"", "\"dance\"", "orders what cannot be"},
        {REPLACE, "\"kind\":\"order\"", 1, "\"Ann\"", "\"\"", "names nobody"},
        {REPLACE, "\"kind\":\"order\"", 1, "\"page\"", "\"moon\"", "from nowhere"},
        {REPLACE, "\"kind\":\"retry\"", 1, "\"attempt\":1", "\"attempt\":0", "before the first"},
        {REPLACE, "\"kind\":\"reconnect\"", 1, "\"times\":1", "\"times\":0", "counts that cannot"},
        {REPLACE, "\"kind\":\"reconnect\"", 1, "\"away-ms\":1000", "\"away-ms\":-1",
         "counts that cannot be"},
        {REPLACE, "\"name\":\"identity\"", 1, "\"identity\"", "\"timing\"",
         "is of another device, and no check of identity failed"},
        {REMOVE, "\"kind\":\"question\"", 1, NULL, NULL, "answers no question"},
        {REPEAT, "\"kind\":\"question\"", 1, NULL, NULL, "comes before an answer"},
        {REMOVE, "\"kind\":\"answer\"", 1, NULL, NULL, "comes before an answer"},
        {REPLACE, "\"kind\":\"question\"", 1, "\"id\":4", "\"id\":0", "of a question before it"},
        {REPLACE, "\"kind\":\"answer\"", 1, "\"id\":4", "\"id\":5", "answers no question"},
        {REPLACE, "\"kind\":\"answer\"", 1, "\"bet\"", "\"raise\"", "does not allow"},
        {REPLACE, "\"kind\":\"answer\"", 1, "\"page\"", "\"script\"", "does not allow"},
        {REPLACE, "\"kind\":\"answer\"", 1, "\"page\"", "\"nobody\"", "does not allow"},
        {REPLACE, "\"kind\":\"answer\"", 1, "\"took-ms\":5", "\"took-ms\":-5",
         "comes before its question"},
        {REPLACE, "\"recording\":1,\"path\"", 1, "\"rounds\":3", "\"rounds\":4",
         "before all rounds of the recording above have"},
        {REPLACE, "\"kind\":\"wait\"", 1, "\"limit-ms\":5000", "\"limit-ms\":0",
         "waits for no time at all"},
        {REPLACE, "\"kind\":\"wait\"", 1, "\"shuffler\"", "\"terminal\"",
         "of a device that no line has told of"}};

    FIND_ALL(false, cases);
}

TEST(time_that_runs_backwards_or_is_waited_for_where_none_passes_is_found)
{
    static const struct forged backwards[] = {{REPLACE, "\"kind\":\"verdict\"", 1, "\"t\":1",
                                               "\"t\":-1", "is older than the line before"},
                                              {REPLACE, "\"kind\":\"settled\"", 1, "\"t\":1000005",
                                               "\"t\":1000006", "is older than the line before it"},
                                              {REPLACE, "\"kind\":\"retry\"", 1,
                                               "\"recording\":1,\"round\":1,\"device\":\"shoe\"",
                                               "\"device\":\"shoe\",\"recording\":1,\"round\":1",
                                               "has its field 'recording' not in its place"}};
    char path[SCRATCH_PATH_SIZE], other[SCRATCH_PATH_SIZE];
    struct forgery forgery;
    struct error error;

    FIND_ALL(true, backwards);
    scratch_path(path);
    scratch_path(other);
    write_clocked(path, true);
    forgery = forge_read(path);
    forge_insert(
        &forgery, forge_find(&forgery, "\"kind\":\"settled\"", 1),
        "\"t\":5,\"kind\":\"wait\",\"recording\":1,\"round\":1,\"for\":\"card\",\"device\":"
        "\"shoe\"");
    forge_write(&forgery, other);
    CU_ASSERT_EQUAL(verify(other, &error), ERROR_RULE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "waits in virtual time"));
    forge_free(&forgery);
    /* In real time also a recording goes on from where the one before has ended. */
    unlink(path);
    write_clocked(path, false);
    forgery = forge_read(path);
    forge_replace(&forgery, forge_find(&forgery, "\"recording\":2,\"path\"", 1),
                  "\"t\":", "\"t\":-");
    forge_write(&forgery, other);
    CU_ASSERT_EQUAL(verify(other, &error), ERROR_RULE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "is older than the line before it"));
    forge_free(&forgery);
    unlink(path);
    unlink(other);
}

static void begin_cut(const char *path, const struct clock *clock)
{
    const struct journal_start start = {.version = "1"};
    struct journal *journal = NULL;

    CU_ASSERT_EQUAL_FATAL(
        journal_open(path, &(struct journal_options){.clock = clock}, &start, &journal, NULL), 0);
    journal_device(journal, &(struct journal_device){.name = "shuffler", .serial = "S-1"}, NULL);
    journal_recording(journal,
                      &(struct journal_recording){.path = "a.shoe",
                                                  .digest = DIGEST,
                                                  .expect_path = "a.expect",
                                                  .expect_digest = DIGEST,
                                                  .game = "flush-rush",
                                                  .rounds = 2},
                      NULL);
    begin_round(journal, 1);
    settle(journal, 1);
    journal_pass(journal, "dealt-cards", NULL);
    journal_verdict(journal, &(struct journal_verdict){.verdict = VERDICT_PASS}, NULL);
    begin_round(journal, 2);
    journal_check(journal, &(struct check_result){.name = "lights", .outcome = CHECK_FAIL}, NULL);
    journal_close(journal);
}

/* A run that is cut off in its second round, after a check of it has failed, and goes on. */
static void write_resumed(const char *path)
{
    const struct journal_device device = {.name = "shuffler", .serial = "S-1"};
    const struct journal_resume resume = {
        .version = "2", .by = "Ann", .devices = &device, .device_count = 1};
    struct journal *journal = NULL;
    struct journal_cut cut;
    struct clock clock;
    struct error error;

    clock_real(&clock);
    begin_cut(path, &clock);
    CU_ASSERT_EQUAL_FATAL(journal_cut_read(path, NULL, NULL, &cut, &error), 0);
    CU_ASSERT_TRUE(cut.is_lost && cut.lost_round == 2 && cut.lost_lines == 3);
    CU_ASSERT_EQUAL(cut.recording.judged, 1);
    CU_ASSERT_EQUAL_FATAL(
        journal_resume(&cut, &(struct journal_options){.clock = &clock}, &resume, &journal, &error),
        0);
    journal_cut_free(&cut);
    begin_round(journal, 2);
    settle(journal, 2);
    journal_pass(journal, "dealt-cards", NULL);
    journal_verdict(journal, &(struct journal_verdict){.verdict = VERDICT_PASS}, NULL);
    CU_ASSERT_EQUAL(journal_end(journal, VERDICT_PASS, NULL, NULL), 0);
    journal_close(journal);
}

/* The same line at time 5; the text is valid until the next call. */
static const char *reset_time(const char *body)
{
    static char text[4096];

    snprintf(text, sizeof text, "\"t\":5%s", strchr(body, ','));
    return text;
}

/* What failed in a round that was lost has failed, whatever it comes to when it is played again. */
TEST(a_run_that_goes_on_does_not_lose_what_has_failed)
{
    static const struct forged cases[] = {
        {REPLACE, "\"kind\":\"end\"", 1, "\"verdict\":\"fail\"", "\"verdict\":\"pass\"",
         "has a better verdict than its rounds and checks"},
        {REPLACE, "\"kind\":\"resumed\"", 1, "\"judged\":1", "\"judged\":2",
         "goes on from somewhere else"},
        {REPLACE, "\"kind\":\"resumed\"", 1, "\"recordings\":1", "\"recordings\":2",
         "goes on from somewhere else"},
        {REPLACE, "\"kind\":\"resumed\"", 1, "{\"round\":2,\"lines\":3}", "null",
         "has lost another round than the one above"},
        {REPLACE, "\"kind\":\"resumed\"", 1, "\"S-1\"", "\"S-2\"", "goes on with other devices"},
        {REPLACE, "\"kind\":\"resumed\"", 1, "\"devices\":[", "\"devices\":[],\"was\":[",
         "goes on with other devices"},
        {REPLACE, "\"kind\":\"resumed\"", 1,
         "\"away-s\":", "\"away-s\":-5,\"was\":", "has times or counts that cannot be"},
        {REPLACE, "\"kind\":\"resumed\"", 1, "\"date\":\"2", "\"date\":\"x",
         "has times or counts that cannot be"},
        {REMOVE, "\"kind\":\"resumed\"", 1, NULL, NULL, "stands inside a round"}};
    char path[SCRATCH_PATH_SIZE];
    struct forgery forgery;
    struct error error;
    size_t line;

    scratch_path(path);
    write_resumed(path);
    CU_ASSERT_EQUAL(verify(path, &error), 0);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        CU_ASSERT_TRUE(is_found(path, &cases[i]));
    /* After a reboot the clock of the machine begins anew, and goes on from there. */
    forgery = forge_read(path);
    line = forge_find(&forgery, "\"kind\":\"resumed\"", 1);
    for (size_t i = line; i < forgery.count; i++)
        forge_replace(&forgery, i, forgery.bodies[i], reset_time(forgery.bodies[i]));
    forge_write(&forgery, path);
    CU_ASSERT_EQUAL(verify(path, &error), 0);
    forge_free(&forgery);
    unlink(path);
}

TEST(a_line_of_a_later_version_is_not_called_a_forgery)
{
    char path[SCRATCH_PATH_SIZE];
    struct process_result result;
    struct forgery forgery;
    struct error error;

    scratch_path(path);
    write_clocked(path, true);
    forgery = forge_read(path);
    forge_replace(&forgery, forge_find(&forgery, "\"kind\":\"settled\"", 1), "{\"round\":1}",
                  "{\"round\":1},\"weather\":\"fair\"");
    forge_write(&forgery, path);
    CU_ASSERT_EQUAL(verify(path, &error), 0);
    forge_replace(&forgery, forge_find(&forgery, "\"name\":\"jackpots\"", 1), "\"check\"",
                  "\"weather\"");
    forge_write(&forgery, path);
    CU_ASSERT_EQUAL(verify(path, &error), ERROR_RIG);
    result = process_run((const char *const[]){"verify", path, NULL}, process_input("", 0));
    CU_ASSERT_EQUAL(result.status, 4);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.err, "cannot tell whether it is intact: line 32 is of a "
                                              "kind that is not known here, 'weather'"));
    process_free(&result);
    forge_free(&forgery);
    unlink(path);
}

TEST(journals_of_earlier_versions_are_read)
{
    glob_t found;

    CU_ASSERT_EQUAL_FATAL(glob("tests/rigs/journal/earlier/*.journal", 0, NULL, &found), 0);
    CU_ASSERT_TRUE(found.gl_pathc >= 4);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        struct error error;

        CU_ASSERT_EQUAL(verify(found.gl_pathv[i], &error), 0);
        if (*error.text)
            printf("%s\n", error.text);
    }
    globfree(&found);
}

TEST(a_report_of_a_forgery_is_refused_and_shown_only_to_who_asks)
{
    char path[SCRATCH_PATH_SIZE], page[SCRATCH_PATH_SIZE];
    struct process_result result;
    struct forgery forgery;

    scratch_path(path);
    scratch_path(page);
    write_clocked(path, true);
    forgery = forge_read(path);
    forge_replace_all(&forgery, "\"verdict\":\"fail\"", "\"verdict\":\"pass\"");
    forge_write(&forgery, path);
    forge_free(&forgery);
    result =
        process_run((const char *const[]){"report", "-o", page, path, NULL}, process_input("", 0));
    CU_ASSERT_EQUAL(result.status, 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.err, "passes a round in which checks failed"));
    CU_ASSERT(access(page, F_OK));
    process_free(&result);
    result =
        process_run((const char *const[]){"report", "--altered", path, NULL}, process_input("", 0));
    CU_ASSERT_EQUAL(result.status, 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "passes a round in which checks failed"));
    process_free(&result);
    unlink(path);
}
