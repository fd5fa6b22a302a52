/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/journal_sample.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hal/base/digest.h"
#include "hal/base/lines.h"
#include "tests/support/scratch.h"
#include "tests/support/seeded.h"
#include "tests/support/suite.h"

static const char *const games[] = {"flush-rush", "chase-the-flush", "three-card-catch"};

struct writer {
    const struct journal_sample *sample;
    struct journal *journal;
    struct clock clock;
    uint64_t random;
    uint64_t round;
    struct journal_timing timings[64];
    size_t timing_count;
    struct error *error;
};

static int write_devices(struct writer *writer)
{
    static const struct journal_device devices[] = {
        {"shuffler", "open", "emu:shuffler", "DP-1 single deck", "1.4.2", "SH-0042",
         "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", true},
        {"terminal", "open", "emu:terminal", "DP-4 dealer terminal", "2.0.1", "T-0007", NULL,
         false},
        {"bet-sensor", "pins", "gpio:emulated", NULL, NULL, NULL, NULL, false}};

    for (size_t i = 0; i < sizeof devices / sizeof devices[0]; i++)
        if (journal_device(writer->journal, &devices[i], writer->error))
            return ERROR_RIG;
    return 0;
}

static int deal(struct writer *writer, const json_t *dealt)
{
    const json_t *packet;
    size_t index;

    json_array_foreach((json_t *)dealt, index, packet)
    {
        nanos_t took =
            400 * NANOS_PER_MILLI + (nanos_t)seeded_below(&writer->random, 500) * NANOS_PER_MILLI;
        char details[256];

        writer->clock.now += took;
        if (writer->timing_count < sizeof writer->timings / sizeof writer->timings[0])
            writer->timings[writer->timing_count++] =
                (struct journal_timing){"packet-present", took, NANOS_PER_SECOND, false};
        snprintf(details, sizeof details, "{\"packet\":%zu,\"cards\":\"%s\"}", index + 1,
                 json_string_value(packet));
        if (journal_event(writer->journal, "shuffler", "packet-present", details,
                          writer->clock.now - 1000, writer->error))
            return ERROR_RIG;
        writer->clock.now += 250 * NANOS_PER_MILLI;
    }
    return 0;
}

static int pass(struct writer *writer)
{
    static const char *const passing[] = {"packet-size",   "card-order",  "card-conservation",
                                          "wager-outcome", "meter-value", "light"};

    for (size_t i = 0; i < sizeof passing / sizeof passing[0]; i++)
        for (size_t times = 0; times <= i; times++)
            if (journal_check(writer->journal,
                              &(struct check_result){.name = passing[i], .outcome = CHECK_PASS},
                              writer->error))
                return ERROR_RIG;
    return 0;
}

/* The device pays the first seat ten dollars less on its ante. */
static int fail_wager(struct writer *writer, const json_t *expect)
{
    json_t *seats = json_object_get(expect, "seats");
    const char *seat = json_object_iter_key(json_object_iter(seats));
    const json_t *net = json_object_get(json_object_get(seats, seat), "net");
    json_int_t ante = json_integer_value(json_object_get(net, "ante"));
    char expected[24], got[24];
    const struct check_result failed = {
        "wager-outcome",
        CHECK_FAIL,
        (unsigned)atoi(seat),
        "ante",
        expected,
        got,
        expected,
        expected,
        got,
        "the terminal paid <less> than the \"sheet\" & recording say",
        NULL};

    snprintf(expected, sizeof expected, "%jd", (intmax_t)ante);
    snprintf(got, sizeof got, "%jd", (intmax_t)ante - 1000);
    return journal_check(writer->journal, &failed, writer->error);
}

/* The device says that the last card of the first packet was of another suit. */
static int fail_card(struct writer *writer, const json_t *round)
{
    const char *packet = json_string_value(json_array_get(json_object_get(round, "dealt"), 0));
    char expected[256], got[256];
    const struct check_result failed = {.name = "card-order",
                                        .outcome = CHECK_FAIL,
                                        .expected = expected,
                                        .got = got,
                                        .recording = expected,
                                        .device = got,
                                        .why = "packet 1: the shuffler dealt another card"};
    int length = snprintf(expected, sizeof expected, "\"%s\"", packet);

    strcpy(got, expected);
    got[length - 2] = got[length - 2] == 's' ? 'h' : 's';
    return journal_check(writer->journal, &failed, writer->error);
}

static bool comes_every(uint64_t round, uint64_t every)
{
    return every && round % every == 0;
}

static int judge(struct writer *writer, bool fails, bool late)
{
    struct journal_verdict verdict = {
        .verdict = VERDICT_PASS, .timings = writer->timings, .timing_count = writer->timing_count};

    if (fails) {
        verdict.verdict = VERDICT_FAIL;
        verdict.why = "2 checks failed";
    } else if (late) {
        verdict.verdict = VERDICT_TIMEOUT;
        verdict.why = "shuffler: no packet within 3 s";
        if (journal_retry(writer->journal, "shuffler", "packet", 1, "no answer", writer->error))
            return ERROR_RIG;
    }
    return journal_verdict(writer->journal, &verdict, writer->error);
}

static int settle(struct writer *writer, const json_t *round, const struct text_line *expect,
                  bool fails)
{
    json_t *expected = json_loadb(expect->text, expect->length, 0, NULL);
    int status = journal_settlement(writer->journal, expect->text, expect->length, writer->error);

    if (!status)
        status = pass(writer);
    if (!status && fails)
        status = fail_wager(writer, expected);
    if (!status && fails)
        status = fail_card(writer, round);
    json_decref(expected);
    return status;
}

static int play(struct writer *writer, const struct text_line *shoe, const struct text_line *expect)
{
    json_t *round = json_loadb(shoe->text, shoe->length, 0, NULL);
    int64_t number = json_integer_value(json_object_get(round, "round"));
    bool fails = comes_every(++writer->round, writer->sample->fail_every);
    bool late = !fails && comes_every(writer->round, writer->sample->timeout_every);
    bool last = writer->sample->crashed && writer->round == writer->sample->rounds;
    int status;

    writer->timing_count = 0;
    status =
        journal_round(writer->journal, (uint64_t)number, shoe->text, shoe->length, writer->error);
    if (!status)
        status = deal(writer, json_object_get(round, "dealt"));
    if (!status && !last && !late)
        status = settle(writer, round, expect, fails);
    json_decref(round);
    return status || last ? status : judge(writer, fails, late);
}

static int play_lines(struct writer *writer, struct lines *shoe, struct lines *expect)
{
    struct text_line played, expected;
    int status = lines_next(shoe, true, &played, writer->error);

    while (status >= 0 && writer->round < writer->sample->rounds &&
           lines_next(shoe, true, &played, writer->error) == LINES_LINE &&
           lines_next(expect, true, &expected, writer->error) == LINES_LINE)
        status = play(writer, &played, &expected);
    return status < 0 ? status : 0;
}

static int play_evening(struct writer *writer, const char *game)
{
    const char *fixtures = getenv("FIXTURES") ? getenv("FIXTURES") : "fixtures";
    char path[2][512], digest[2][DIGEST_SIZE];
    uint64_t left = writer->sample->rounds - writer->round;
    struct journal_recording recording = {.path = path[0],
                                          .digest = digest[0],
                                          .expect_path = path[1],
                                          .expect_digest = digest[1],
                                          .game = game,
                                          .rounds = left < 60 ? left : 60};
    struct lines *lines[2] = {NULL, NULL};
    int fds[2] = {-1, -1}, status = 0;

    for (int i = 0; i < 2 && !status; i++) {
        snprintf(path[i], sizeof path[i], "%s/%s/evening-of-six-seats.%s", fixtures, game,
                 i ? "expect" : "shoe");
        status = digest_file(path[i], digest[i], writer->error);
        fds[i] = status ? -1 : lines_open(path[i], writer->error);
        lines[i] = fds[i] < 0 ? NULL : lines_new(fds[i], -1);
        if (!lines[i])
            status = ERROR_RIG;
    }
    if (!status)
        status = journal_recording(writer->journal, &recording, writer->error);
    if (!status)
        status = play_lines(writer, lines[0], lines[1]);
    for (int i = 0; i < 2; i++) {
        lines_free(lines[i]);
        if (fds[i] >= 0)
            close(fds[i]);
    }
    return status;
}

int journal_sample_write(const char *path, const struct journal_sample *sample, struct error *error)
{
    static const struct library libraries[] = {{"jansson", "2.14"}, {"libusb", "1.0.26"}};
    static const char *const command[] = {"dealproof", "run", "fixtures", NULL};
    const struct journal_start start = {.version = DEALPROOF_VERSION,
                                        .libraries = libraries,
                                        .library_count = 2,
                                        .seed = 7,
                                        .command = command};
    struct writer writer = {.sample = sample, .random = 7, .error = error};
    int status;

    clock_virtual(&writer.clock, 0);
    status = journal_open(path, &(struct journal_options){.clock = &writer.clock}, &start,
                          &writer.journal, error);
    if (!status)
        status = write_devices(&writer);
    for (size_t i = 0; !status && writer.round < sample->rounds; i++)
        status = play_evening(&writer, games[i % 3]);
    if (!status && !sample->crashed)
        status = journal_end(writer.journal, VERDICT_PASS, NULL, error);
    journal_close(writer.journal);
    return status;
}

char *journal_sample_text(size_t *length)
{
    const struct journal_sample sample = {.rounds = 1, .fail_every = 1};
    struct error error = {.text = ""};
    char path[64], *text;

    scratch_path(path);
    CU_ASSERT_EQUAL_FATAL(journal_sample_write(path, &sample, &error), 0);
    text = scratch_read(path, length);
    unlink(path);
    return text;
}

void journal_sample_devices(struct journal *journal)
{
    static const char *const names[] = {"shuffler", "shoe", "terminal", "sensors"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        CU_ASSERT_EQUAL(journal_device(journal, &(struct journal_device){.name = names[i]}, NULL),
                        0);
}

void journal_sample_pass(struct journal *journal, const char *settlement)
{
    const char *text = settlement ? settlement : "{}";

    CU_ASSERT_EQUAL(journal_event(journal, "rig", "observed", "{}", 0, NULL), 0);
    CU_ASSERT_EQUAL(journal_settlement(journal, text, strlen(text), NULL), 0);
    journal_pass(journal, "dealt-cards", NULL);
    CU_ASSERT_EQUAL(
        journal_verdict(journal, &(struct journal_verdict){.verdict = VERDICT_PASS}, NULL), 0);
}
