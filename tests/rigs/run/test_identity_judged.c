/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who devices are, by devices that say what a test has them say: at opening, after a round, at the
 * end. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rigs/run/loop.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

/* A device of a bench, and what it says when it is asked who it is. */
struct named {
    struct device device;
    struct link link;
    struct host host;
    struct wire_identity says;
    int status; /* 0: it says that */
    unsigned asked;
};

static int tell_identity(struct device *device, struct wire_identity *identity, struct error *error)
{
    struct named *named = (struct named *)device;

    named->asked++;
    if (named->status)
        return error_set(error, named->status, "it does not say");
    *identity = named->says;
    return 0;
}

static struct host *host_of(struct device *device)
{
    return &((struct named *)device)->host;
}

static const struct device_driver driver = {
    .key = "shoe/named", .noun = "shoe", .identity = tell_identity, .host = host_of};
static const struct device_driver without_host = {
    .key = "shoe/other", .noun = "shoe", .identity = tell_identity};

/* Its software is asked for where nobody answers, so that every time fails and is in the journal.
 */
static const struct rig_authenticate nowhere = {.address = "nowhere:"};

struct bench_of_named {
    struct runner runner;
    struct bench bench;
    struct rig rig;
    struct runner_options options;
    struct authenticate_setup setup;
    struct rig_identity wanted;
    struct check_tally tally;
    struct named named[2];
    unsigned failed, skipped;
    char wager[16], expected[256], got[256], why[160]; /* of the last that failed or was skipped */
    char journal[SCRATCH_PATH_SIZE];
};

static int note_result(void *context, const struct check_result *result, struct error *error)
{
    struct bench_of_named *at = context;

    (void)error;
    CU_ASSERT_STRING_EQUAL(result->name, "identity");
    snprintf(at->why, sizeof at->why, "%s", result->why);
    if (result->outcome == CHECK_SKIPPED) {
        at->skipped++;
        return 0;
    }
    at->failed++;
    snprintf(at->wager, sizeof at->wager, "%s", result->wager);
    snprintf(at->expected, sizeof at->expected, "%s", result->expected);
    snprintf(at->got, sizeof at->got, "%s", result->got);
    return 0;
}

static void open_named(struct bench_of_named *at, unsigned i)
{
    struct named *named = &at->named[i];

    named->link = (struct link){.is_open = true};
    named->device = (struct device){
        .driver = &driver, .address = "here", .capabilities = DEVICE_TELLS_IDENTITY};
    named->says = (struct wire_identity){.model = "Deal", .firmware = "1.2.0"};
    snprintf(named->says.serial, sizeof named->says.serial, "S-%u", i);
    memset(named->says.digest, 0xa0, WIRE_DIGEST_SIZE);
    at->bench.devices[i] = (struct bench_device){.class = i ? DEVICE_TERMINAL : DEVICE_SHOE,
                                                 .name = i ? "terminal" : "shoe",
                                                 .device = &named->device,
                                                 .has_identity = true,
                                                 .identity = named->says,
                                                 .setup = &at->setup,
                                                 .link = &named->link};
}

static struct bench_of_named *open_bench(void)
{
    struct bench_of_named *at = calloc(1, sizeof *at);
    const struct journal_options options = {.clock = &at->bench.clock};
    const struct journal_start start = {.version = "1", .seed = 1};

    CU_ASSERT_PTR_NOT_NULL_FATAL(at);
    clock_virtual(&at->bench.clock, NANOS_PER_SECOND);
    at->bench.hal.clock = &at->bench.clock;
    at->bench.rig = &at->rig;
    at->setup.plan.settings = gat_standard;
    open_named(at, 0);
    open_named(at, 1);
    at->bench.device_count = 2;
    scratch_path(at->journal);
    CU_ASSERT_EQUAL_FATAL(journal_open(at->journal, &options, &start, &at->options.journal, NULL),
                          0);
    at->runner.bench = &at->bench;
    at->runner.options = at->runner.run.options = &at->options;
    at->runner.run.bench = &at->bench;
    at->runner.book =
        (struct check_book){.context = at, .write_result = note_result, .tally = &at->tally};
    return at;
}

static void close_bench(struct bench_of_named *at)
{
    free(at->runner.digests);
    journal_close(at->options.journal);
    scratch_remove(at->journal);
    free(at);
}

static unsigned written(const struct bench_of_named *at, const char *words)
{
    size_t length;
    char *text = scratch_read(at->journal, &length);
    unsigned count = 0;

    for (const char *from = text; (from = strstr(from, words)); from += strlen(words))
        count++;
    free(text);
    return count;
}

static void expect_found(const struct bench_of_named *at, unsigned passed, unsigned failed,
                         unsigned skipped)
{
    CU_ASSERT_EQUAL(at->tally.passed, passed);
    CU_ASSERT_EQUAL(at->failed, failed);
    CU_ASSERT_EQUAL(at->skipped, skipped);
}

static void expect_last(const struct bench_of_named *at, const char *device, const char *expected,
                        const char *got, const char *why)
{
    CU_ASSERT_STRING_EQUAL(at->wager, device);
    CU_ASSERT_STRING_EQUAL(at->expected, expected);
    CU_ASSERT_STRING_EQUAL(at->got, got);
    CU_ASSERT_STRING_EQUAL(at->why, why);
}

#define DIGEST "a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0"
#define ZEROS  "0000000000000000000000000000000000000000000000000000000000000000"

TEST(a_device_is_the_one_that_the_rig_file_names)
{
    struct bench_of_named *at = open_bench();

    run_identity_opened(&at->runner);
    expect_found(at, 0, 0, 0);
    at->wanted = (struct rig_identity){
        .model = "Deal", .serial = "S-1", .firmware = ">=1.2", .digest = DIGEST};
    at->bench.devices[1].wanted = &at->wanted;
    run_identity_opened(&at->runner);
    expect_found(at, 4, 0, 0);
    at->wanted = (struct rig_identity){.serial = "S-1"};
    run_identity_opened(&at->runner);
    expect_found(at, 5, 0, 0);
    CU_ASSERT_EQUAL(at->named[1].asked, 0);
    close_bench(at);
}

static void expect_unwanted(struct rig_identity wanted, const char *expected, const char *got,
                            const char *why)
{
    struct bench_of_named *at = open_bench();

    at->bench.devices[0].wanted = &wanted;
    run_identity_opened(&at->runner);
    expect_found(at, 0, 1, 0);
    expect_last(at, "shoe", expected, got, why);
    close_bench(at);
}

TEST(each_field_of_another_device_than_the_rig_file_names_is_told)
{
    expect_unwanted((struct rig_identity){.model = "Other"}, "\"Other\"", "\"Deal\"",
                    "the model that the rig file names, and that of the device");
    expect_unwanted((struct rig_identity){.serial = "S-9"}, "\"S-9\"", "\"S-0\"",
                    "the serial number that the rig file names, and that of the device");
    expect_unwanted((struct rig_identity){.firmware = ">=1.3"}, "\">=1.3\"", "\"1.2.0\"",
                    "the firmware that the rig file asks for, and that of the device");
    expect_unwanted((struct rig_identity){.digest = ZEROS}, "\"" ZEROS "\"", "\"" DIGEST "\"",
                    "the digest of the firmware that the rig file names, and that of the device");
}

static void come_back(struct bench_of_named *at, unsigned i)
{
    struct bench_device *device = &at->bench.devices[i];

    device->reopened++;
    device->tries += 3;
    device->away += 500 * NANOS_PER_MILLI;
}

TEST(a_device_that_came_back_is_asked_once_and_is_the_same)
{
    struct bench_of_named *at = open_bench();

    run_identity_look(&at->runner);
    CU_ASSERT_EQUAL(at->named[0].asked + at->named[1].asked, 0);
    come_back(at, 1);
    run_identity_look(&at->runner);
    run_identity_look(&at->runner);
    CU_ASSERT_EQUAL(at->named[0].asked, 0);
    CU_ASSERT_EQUAL(at->named[1].asked, 1);
    expect_found(at, 1, 0, 0);
    CU_ASSERT_EQUAL(written(at, "\"reconnect\""), 1);
    CU_ASSERT_EQUAL(
        written(at, "\"terminal\",\"times\":1,\"tries\":3,\"away-ms\":500,\"same\":true}"), 1);
    come_back(at, 1);
    come_back(at, 1);
    run_identity_look(&at->runner);
    CU_ASSERT_EQUAL(
        written(at, "\"terminal\",\"times\":2,\"tries\":6,\"away-ms\":1000,\"same\":true}"), 1);
    come_back(at, 0);
    run_identity_look(&at->runner);
    CU_ASSERT_EQUAL(at->named[0].asked, 1);
    close_bench(at);
}

TEST(a_device_that_started_anew_is_asked_though_it_did_not_go_away)
{
    struct bench_of_named *at = open_bench();

    at->named[0].host.counts.restarts = 2;
    run_identity_look(&at->runner);
    run_identity_look(&at->runner);
    CU_ASSERT_EQUAL(at->named[0].asked, 1);
    expect_found(at, 1, 0, 0);
    CU_ASSERT_EQUAL(written(at, "\"reconnect\""), 0);
    close_bench(at);
    at = open_bench();
    at->named[0].device.driver = &without_host;
    at->named[0].host.counts.restarts = 2;
    run_identity_look(&at->runner);
    CU_ASSERT_EQUAL(at->named[0].asked, 0);
    close_bench(at);
}

static void expect_another(void (*change)(struct wire_identity *says), const char *expected,
                           const char *got, const char *why)
{
    struct bench_of_named *at = open_bench();

    change(&at->named[1].says);
    come_back(at, 1);
    run_identity_look(&at->runner);
    expect_found(at, 0, 1, 0);
    expect_last(at, "terminal", expected, got, why);
    CU_ASSERT_EQUAL(written(at, "\"same\":false}"), 1);
    come_back(at, 1);
    run_identity_look(&at->runner);
    expect_found(at, 1, 1, 0);
    CU_ASSERT_EQUAL(written(at, "\"same\":true}"), 1);
    close_bench(at);
}

static void change_model(struct wire_identity *says)
{
    snprintf(says->model, sizeof says->model, "Steal");
}

static void change_serial(struct wire_identity *says)
{
    snprintf(says->serial, sizeof says->serial, "S-2");
}

static void change_firmware(struct wire_identity *says)
{
    snprintf(says->firmware, sizeof says->firmware, "1.2.1");
}

static void change_digest(struct wire_identity *says)
{
    memset(says->digest, 0, sizeof says->digest);
}

/* As it is then it is from then on. */
TEST(each_field_of_a_device_that_came_back_as_another_is_told_once)
{
    expect_another(change_model, "\"Deal\"", "\"Steal\"",
                   "the model of the device at opening and now");
    expect_another(change_serial, "\"S-1\"", "\"S-2\"",
                   "the serial number of the device at opening and now");
    expect_another(change_firmware, "\"1.2.0\"", "\"1.2.1\"",
                   "the firmware of the device at opening and now");
    expect_another(change_digest, "\"" DIGEST "\"", "\"\"",
                   "the digest of the firmware of the device at opening and now");
}

/* So many bytes that are escaped, in quotes. */
static const char *escaped(unsigned count)
{
    static char text[256];

    snprintf(text, sizeof text, "\"");
    for (unsigned i = 0; i < count; i++)
        strcat(text, "\\u0001");
    return strcat(text, "\"");
}

TEST(whatever_a_device_or_a_rig_file_calls_it_is_told_to_its_end)
{
    struct bench_of_named *at = open_bench();
    struct rig_identity wanted = {.model = ""};

    memset(at->named[0].says.serial, 1, WIRE_TEXT_MAX);
    come_back(at, 0);
    run_identity_look(&at->runner);
    expect_last(at, "shoe", "\"S-0\"", escaped(WIRE_TEXT_MAX),
                "the serial number of the device at opening and now");
    close_bench(at);
    memset(wanted.firmware, 1, sizeof wanted.firmware - 1);
    expect_unwanted(wanted, escaped(sizeof wanted.firmware - 1), "\"1.2.0\"",
                    "the firmware that the rig file asks for, and that of the device");
}

TEST(a_device_that_came_back_and_does_not_answer_is_asked_again_after_the_next_round)
{
    struct bench_of_named *at = open_bench();

    come_back(at, 1);
    at->named[1].status = ERROR_TIMEOUT;
    run_identity_look(&at->runner);
    expect_found(at, 0, 0, 0);
    CU_ASSERT_EQUAL(written(at, "\"same\":null}"), 1);
    at->named[1].status = 0;
    at->named[1].link.is_open = false;
    run_identity_look(&at->runner);
    CU_ASSERT_EQUAL(at->named[1].asked, 1);
    at->named[1].link.is_open = true;
    run_identity_look(&at->runner);
    run_identity_look(&at->runner);
    CU_ASSERT_EQUAL(at->named[1].asked, 2);
    expect_found(at, 1, 0, 0);
    CU_ASSERT_EQUAL(written(at, "\"reconnect\""), 1);
    close_bench(at);
}

TEST(a_device_that_cannot_say_who_it_is_is_not_asked)
{
    struct bench_of_named *at = open_bench();

    at->bench.devices[0].has_identity = false;
    come_back(at, 0);
    run_identity_look(&at->runner);
    come_back(at, 0);
    run_identity_look(&at->runner);
    run_identity_look(&at->runner);
    CU_ASSERT_EQUAL(written(at, "\"same\":null}"), 2);
    run_identity_end(&at->runner);
    CU_ASSERT_EQUAL(at->named[0].asked, 0);
    expect_found(at, 1, 0, 0);
    close_bench(at);
}

TEST(at_the_end_every_device_is_the_one_that_it_was)
{
    struct bench_of_named *at = open_bench();

    come_back(at, 1);
    run_identity_end(&at->runner);
    CU_ASSERT_EQUAL(at->named[0].asked, 1);
    CU_ASSERT_EQUAL(at->named[1].asked, 1);
    expect_found(at, 2, 0, 0);
    CU_ASSERT_EQUAL(written(at, "\"same\":true}"), 1);
    change_serial(&at->named[0].says);
    run_identity_end(&at->runner);
    expect_found(at, 3, 1, 0);
    expect_last(at, "shoe", "\"S-0\"", "\"S-2\"",
                "the serial number of the device at opening and now");
    CU_ASSERT_EQUAL(written(at, "\"reconnect\""), 1);
    close_bench(at);
}

/* How the first of two devices ends, and what is found of both. */
static void expect_end(int status, bool is_lossy, bool is_lost, unsigned failed, unsigned skipped)
{
    struct bench_of_named *at = open_bench();

    come_back(at, 0);
    at->named[0].status = status;
    at->bench.devices[0].is_lossy = is_lossy;
    at->named[0].link.is_lost = is_lost;
    run_identity_end(&at->runner);
    expect_found(at, 1, failed, skipped);
    if (failed)
        expect_last(at, "shoe", "\"S-0\"", "null", "it does not say");
    if (skipped)
        CU_ASSERT_STRING_EQUAL(at->why, "it does not say");
    CU_ASSERT_EQUAL(written(at, "\"same\":null}"), 1);
    close_bench(at);
}

TEST(a_device_that_does_not_say_at_the_end_who_it_is_fails_unless_its_line_or_link_is_why)
{
    expect_end(ERROR_TIMEOUT, false, false, 1, 0);
    expect_end(ERROR_TIMEOUT, true, false, 0, 1);
    expect_end(ERROR_TIMEOUT, false, true, 1, 0);
    expect_end(ERROR_DEVICE, false, false, 1, 0);
    expect_end(ERROR_DEVICE, false, true, 0, 1);
    expect_end(ERROR_DEVICE, true, false, 1, 0);
    expect_end(ERROR_RIG, true, true, 0, 0);
}

TEST(a_device_without_a_link_is_never_lost)
{
    struct bench_of_named *at = open_bench();

    at->bench.devices[0].link = NULL;
    at->named[0].status = ERROR_DEVICE;
    run_identity_end(&at->runner);
    expect_found(at, 1, 1, 0);
    close_bench(at);
}

TEST(software_is_asked_for_at_opening_once_after_a_comeback_and_at_the_end)
{
    struct bench_of_named *at = open_bench();

    at->bench.devices[0].authenticate = at->bench.devices[1].authenticate = &nowhere;
    run_identity_opened(&at->runner);
    CU_ASSERT_EQUAL(at->runner.authenticated, 2);
    CU_ASSERT_EQUAL(written(at, "\"device\":\"shoe\",\"event\":\"not-authenticated\""), 1);
    CU_ASSERT_EQUAL(written(at, "\"when\":\"opened\""), 2);
    run_identity_opened(&at->runner);
    CU_ASSERT_EQUAL(at->runner.authenticated, 2);
    run_identity_look(&at->runner);
    CU_ASSERT_EQUAL(at->runner.authenticated, 2);
    at->named[1].status = ERROR_TIMEOUT;
    come_back(at, 1);
    run_identity_look(&at->runner);
    CU_ASSERT_EQUAL(at->runner.authenticated, 3);
    run_identity_look(&at->runner);
    CU_ASSERT_EQUAL(at->runner.authenticated, 3);
    CU_ASSERT_EQUAL(written(at, "\"when\":\"reopened\""), 1);
    at->bench.devices[2] = at->bench.devices[1]; /* behind the last */
    run_identity_end(&at->runner);
    CU_ASSERT_EQUAL(at->runner.authenticated, 5);
    CU_ASSERT_EQUAL(written(at, "\"when\":\"end\""), 2);
    close_bench(at);
}

TEST(a_reconnect_that_cannot_be_written_is_the_books_to_tell)
{
    struct bench_of_named *at = open_bench();

    come_back(at, 0);
    at->runner.book.status = ERROR_RIG;
    run_identity_look(&at->runner);
    CU_ASSERT_EQUAL(written(at, "\"reconnect\""), 0);
    CU_ASSERT_EQUAL(at->runner.book.status, ERROR_RIG);
    journal_close(at->options.journal);
    at->options.journal = NULL;
    at->runner.book.status = 0;
    come_back(at, 0);
    run_identity_look(&at->runner);
    CU_ASSERT_EQUAL(at->runner.book.status, 0);
    close_bench(at);
}
