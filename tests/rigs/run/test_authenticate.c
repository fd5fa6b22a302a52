/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the software of a device comes to, in a run: what is asked, judged and written down. */
#include <fcntl.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hal/link/tap.h"
#include "rigs/run/loop.h"
#include "tests/support/devices/gat_liar.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

#define A "1111111111111111111111111111111111111111"
#define B "2222222222222222222222222222222222222222"
#define C "3333333333333333333333333333333333333333"
#define KEYED(name)                                                                                \
    "<Function><Feature>Component</Feature><Parameter>" name                                       \
    "</Parameter><Parameter>%%SHA1_HMAC%%</Parameter></Function>"
#define FILE_LIST                                                                                  \
    "<SpecialFunctions><Function><Feature>Get File</Feature><Parameter>AuthenticationResponse.xml" \
    "</Parameter><Parameter>%%SHA1_HMAC%%</Parameter></Function></SpecialFunctions>"
#define ONE(name, value)                                                                           \
    "<Component><Name>" name "</Name><Checksum>" value "</Checksum></Component>"
#define TOLD(inside) "<Components>" inside "</Components>"

static const struct rig_authenticate wanted = {.address = "emu:gat"};

struct asking {
    struct runner runner;
    struct bench bench;
    struct rig rig;
    struct runner_options options;
    struct authenticate_setup setup;
    struct approved approved;
    struct gat_liar liar;
    struct check_tally tally;
    unsigned failed, skipped, waits;
    char wager[16], expected[64], got[64], device[64], why[160]; /* of the last */
    char waited[64];
    char journal[SCRATCH_PATH_SIZE];
};

static int note_result(void *context, const struct check_result *result, struct error *error)
{
    struct asking *asking = context;

    (void)error;
    CU_ASSERT_STRING_EQUAL(result->name, "identity");
    snprintf(asking->why, sizeof asking->why, "%s", result->why);
    asking->skipped += result->outcome == CHECK_SKIPPED;
    if (result->outcome == CHECK_SKIPPED)
        return 0;
    asking->failed++;
    snprintf(asking->wager, sizeof asking->wager, "%s", result->wager);
    snprintf(asking->expected, sizeof asking->expected, "%s", result->expected);
    snprintf(asking->got, sizeof asking->got, "%s", result->got);
    snprintf(asking->device, sizeof asking->device, "%s", result->device);
    return 0;
}

static void note_wait(void *context, const struct run_wait *wait)
{
    struct asking *asking = context;

    asking->waits++;
    if (wait)
        snprintf(asking->waited, sizeof asking->waited, "%s %s %u", wait->device, wait->what,
                 (unsigned)wait->limit_ms);
}

/* A terminal whose components a and b are approved, by the key "Jefe". */
static struct asking *open_asking(void)
{
    struct asking *asking = calloc(1, sizeof *asking);
    const struct journal_start start = {.version = "1", .seed = 1};
    struct journal_options options = {0};

    CU_ASSERT_PTR_NOT_NULL_FATAL(asking);
    clock_virtual(&asking->bench.clock, 0);
    CU_ASSERT_EQUAL_FATAL(hal_open(&asking->bench.hal, &asking->bench.clock, NULL), 0);
    gat_liar_open(&asking->liar, &asking->bench.hal);
    asking->approved =
        (struct approved){.by = "the lab",
                          .count = 2,
                          .list = {{.name = "a", .digest = A}, {.name = "b", .digest = B}}};
    CU_ASSERT_EQUAL_FATAL(gat_key_text(&asking->approved.key, "Jefe", NULL), 0);
    asking->setup.plan =
        (struct authenticate_plan){.settings = gat_standard, .approved = &asking->approved};
    asking->rig.clock = RIG_CLOCK_REAL; /* waits are told, though time is the test's */
    asking->bench.rig = &asking->rig;
    asking->bench.seed = 7;
    asking->bench.devices[0] = (struct bench_device){.class = DEVICE_TERMINAL,
                                                     .name = "terminal",
                                                     .authenticate = &wanted,
                                                     .setup = &asking->setup};
    asking->bench.device_count = 1;
    options.clock = &asking->bench.clock;
    scratch_path(asking->journal);
    CU_ASSERT_EQUAL_FATAL(
        journal_open(asking->journal, &options, &start, &asking->options.journal, NULL), 0);
    asking->options.context = asking;
    asking->options.awaited = note_wait;
    asking->runner.bench = asking->runner.run.bench = &asking->bench;
    asking->runner.options = asking->runner.run.options = &asking->options;
    asking->runner.book = (struct check_book){
        .context = asking, .write_result = note_result, .tally = &asking->tally};
    asking->runner.run.book = &asking->runner.book;
    return asking;
}

static void close_asking(struct asking *asking)
{
    free(asking->runner.digests);
    journal_close(asking->options.journal);
    scratch_remove(asking->journal);
    hal_close(&asking->bench.hal);
    free(asking);
}

static void ask(struct asking *asking, const char *when, const char *document)
{
    const char *const documents[] = {FILE_LIST, document, NULL};

    asking->liar.documents = documents;
    run_authenticate(&asking->runner, &asking->bench.devices[0], when);
}

/* The details of the last line of the journal, to be freed with json_decref(). */
static json_t *last_line(const struct asking *asking, const char *event)
{
    size_t length;
    char *text = scratch_read(asking->journal, &length), *line = text;
    json_t *fields, *details;

    for (char *at = text; (at = strchr(at, '\n')); at++)
        if (at[1])
            line = at + 1;
    fields = json_loads(line, 0, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(fields);
    CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(fields, "device")), "terminal");
    CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(fields, "event")), event);
    details = json_incref(json_object_get(fields, "details"));
    CU_ASSERT_PTR_NOT_NULL_FATAL(details);
    json_decref(fields);
    free(text);
    return details;
}

static void expect_text(const json_t *fields, const char *name, const char *text)
{
    const json_t *value = json_object_get(fields, name);

    CU_ASSERT_PTR_NOT_NULL_FATAL(value);
    if (text) {
        CU_ASSERT_STRING_EQUAL(json_string_value(value), text);
    } else {
        CU_ASSERT(json_is_null(value));
    }
}

static void expect_row(const json_t *details, unsigned at, const char *name, const char *digest,
                       const char *approved, const char *result)
{
    const json_t *row = json_array_get(json_object_get(details, "components"), at);

    expect_text(row, "name", name);
    expect_text(row, "digest", digest);
    expect_text(row, "approved", approved);
    expect_text(row, "result", result);
}

static void expect_found(const struct asking *asking, unsigned passed, unsigned failed,
                         unsigned skipped)
{
    CU_ASSERT_EQUAL(asking->tally.passed, passed);
    CU_ASSERT_EQUAL(asking->failed, failed);
    CU_ASSERT_EQUAL(asking->skipped, skipped);
}

TEST(digests_as_approved_pass_each_and_are_written_down)
{
    struct asking *asking = open_asking();
    char options[GAT_SETTINGS_SIZE];
    json_t *details;

    ask(asking, "opened", TOLD(ONE("a", A) ONE("b", B)));
    expect_found(asking, 2, 0, 0);
    CU_ASSERT_EQUAL(asking->runner.authenticated, 1);
    CU_ASSERT_EQUAL(asking->liar.freed, 1);
    CU_ASSERT_STRING_EQUAL(asking->liar.options, "seed=7");
    details = last_line(asking, "authenticated");
    expect_text(details, "when", "opened");
    expect_text(details, "protocol", GAT_SPOKEN);
    expect_text(details, "address", "emu:gat");
    expect_text(details, "options", gat_settings_text(&gat_standard, options));
    expect_text(details, "version", "3.50");
    expect_text(details, "key", "Jefe");
    expect_text(details, "by", "the lab");
    expect_text(details, "note", AUTHENTICATE_CAUTION);
    CU_ASSERT_PTR_NULL(json_object_get(details, "left-out"));
    CU_ASSERT_EQUAL(json_array_size(json_object_get(details, "components")), 2);
    expect_row(details, 0, "a", A, A, "matches");
    expect_row(details, 1, "b", B, B, "matches");
    json_decref(details);
    close_asking(asking);
}

TEST(a_component_that_differs_is_missing_or_was_approved_by_nobody_fails)
{
    struct asking *asking = open_asking();
    json_t *details;

    ask(asking, "end", TOLD(ONE("a", A) ONE("b", C)));
    expect_found(asking, 1, 1, 0);
    CU_ASSERT_STRING_EQUAL(asking->wager, "terminal");
    CU_ASSERT_STRING_EQUAL(asking->expected, "\"" B "\"");
    CU_ASSERT_STRING_EQUAL(asking->got, "\"" C "\"");
    CU_ASSERT_STRING_EQUAL(asking->device, "\"" C "\"");
    CU_ASSERT_STRING_EQUAL(asking->why,
                           "b: the digest that was approved, and what the device says");
    ask(asking, "end", TOLD(ONE("a", A)));
    expect_found(asking, 2, 2, 0);
    CU_ASSERT_STRING_EQUAL(asking->got, "null");
    CU_ASSERT_STRING_EQUAL(asking->why, "b: the device gives no digest of this component");
    details = last_line(asking, "authenticated");
    expect_row(details, 1, "b", NULL, B, "missing");
    json_decref(details);
    ask(asking, "end", TOLD(ONE("a", A) ONE("b", B) ONE("evil", C)));
    expect_found(asking, 4, 3, 0);
    CU_ASSERT_STRING_EQUAL(asking->expected, "null");
    CU_ASSERT_STRING_EQUAL(asking->why, "evil: nobody has approved this component");
    close_asking(asking);
}

/* All are wrong: that is no reason to say that nothing was compared. */
TEST(where_every_component_is_wrong_nothing_is_skipped)
{
    struct asking *asking = open_asking();

    ask(asking, "end", TOLD(ONE("a", C) ONE("b", C)));
    expect_found(asking, 0, 2, 0);
    close_asking(asking);
}

TEST(digests_that_nobody_has_approved_are_only_written_down)
{
    struct asking *asking = open_asking();
    json_t *details;

    asking->setup.plan.approved = NULL;
    ask(asking, "opened", TOLD(ONE("a", A)));
    expect_found(asking, 0, 0, 1);
    CU_ASSERT_STRING_EQUAL(
        asking->why, "no digests are approved: those that the device tells are only written down");
    details = last_line(asking, "authenticated");
    expect_text(details, "by", NULL);
    expect_row(details, 0, "a", A, NULL, "shown");
    json_decref(details);
    close_asking(asking);
}

/* Two digests of one component differ, with nothing approved. */
TEST(a_device_that_contradicts_itself_fails_with_nothing_approved)
{
    static const char *const documents[] = {"<SpecialFunctions>" KEYED("a")
                                                KEYED("b") "</SpecialFunctions>",
                                            TOLD(ONE("a", A)), TOLD(ONE("b", B) ONE("a", C)), NULL};
    struct asking *asking = open_asking();

    asking->setup.plan.approved = NULL;
    asking->liar.documents = documents;
    run_authenticate(&asking->runner, &asking->bench.devices[0], "opened");
    expect_found(asking, 0, 1, 0);
    CU_ASSERT_STRING_EQUAL(asking->why, "a: two digests that the device gives of this component");
    close_asking(asking);
}

/* In virtual time it follows from the seed, and from how often was asked. */
TEST(each_time_is_asked_with_a_key_of_its_own)
{
    struct asking *asking = open_asking();
    char before[2 * GAT_KEY_MAX + 1] = "";

    asking->setup.plan.approved = NULL;
    for (unsigned i = 0; i < 3; i++) {
        struct authenticate_setup same = {.plan.settings = gat_standard};
        uint64_t seed = 7 + i;
        json_t *details;

        CU_ASSERT_EQUAL(authenticate_fresh(&same, &seed, NULL), 0);
        ask(asking, "opened", TOLD(ONE("a", A)));
        details = last_line(asking, "authenticated");
        expect_text(details, "key", same.fresh.text);
        CU_ASSERT_STRING_NOT_EQUAL(same.fresh.text, before);
        snprintf(before, sizeof before, "%s", same.fresh.text);
        json_decref(details);
    }
    close_asking(asking);
}

TEST(a_key_of_hexadecimal_digits_is_written_as_such)
{
    struct asking *asking = open_asking();
    json_t *details;

    CU_ASSERT_EQUAL_FATAL(gat_key_hex(&asking->approved.key, "00ff", NULL), 0);
    asking->setup.plan.settings.key_is_hex = true;
    ask(asking, "opened", TOLD(ONE("a", A) ONE("b", B)));
    details = last_line(asking, "authenticated");
    expect_text(details, "key-hex", asking->approved.key.text);
    CU_ASSERT_PTR_NULL(json_object_get(details, "key"));
    json_decref(details);
    close_asking(asking);
}

TEST(a_device_that_does_not_answer_fails_and_why_is_written_down)
{
    struct asking *asking = open_asking();
    json_t *details;

    asking->liar.status = ERROR_DEVICE;
    ask(asking, "reopened", NULL);
    expect_found(asking, 0, 1, 0);
    CU_ASSERT_STRING_EQUAL(asking->wager, "terminal");
    CU_ASSERT_STRING_EQUAL(asking->expected, "\"digests of its software\"");
    CU_ASSERT_STRING_EQUAL(asking->got, "null");
    CU_ASSERT_STRING_EQUAL(asking->device, "null");
    CU_ASSERT_PTR_NOT_NULL(strstr(asking->why, "it is not there"));
    CU_ASSERT_EQUAL(asking->runner.authenticated, 1);
    CU_ASSERT_EQUAL(asking->runner.book.status, 0);
    details = last_line(asking, "not-authenticated");
    expect_text(details, "when", "reopened");
    expect_text(details, "why", asking->why);
    json_decref(details);
    close_asking(asking);
}

TEST(a_bench_that_cannot_ask_lets_no_run_pass)
{
    struct asking *asking = open_asking();

    asking->liar.status = ERROR_RIG;
    ask(asking, "opened", NULL);
    expect_found(asking, 0, 0, 0);
    CU_ASSERT_EQUAL(asking->runner.book.status, ERROR_RIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(asking->runner.book.error.text, "it is not there"));
    snprintf(asking->runner.book.error.text, ERROR_TEXT_SIZE, "the first");
    asking->runner.book.status = ERROR_CONFIG;
    ask(asking, "end", NULL);
    CU_ASSERT_EQUAL(asking->runner.book.status, ERROR_CONFIG);
    CU_ASSERT_STRING_EQUAL(asking->runner.book.error.text, "the first");
    close_asking(asking);
}

/* How many lines the journal has after an asking that ends so. */
static int ask_to(struct asking *asking, int status)
{
    asking->liar.status = status;
    ask(asking, "end", TOLD(ONE("a", A) ONE("b", B)));
    return scratch_lines(asking->journal);
}

TEST(nothing_is_said_of_a_run_that_a_person_has_stopped_or_whose_journal_has_failed)
{
    struct asking *asking = open_asking();

    CU_ASSERT_EQUAL(ask_to(asking, ERROR_ABORTED), 1); /* its start */
    expect_found(asking, 0, 0, 0);
    CU_ASSERT_EQUAL(asking->runner.authenticated, 1);
    CU_ASSERT_EQUAL(asking->runner.book.status, 0);
    asking->runner.book.status = ERROR_RIG;
    CU_ASSERT_EQUAL(ask_to(asking, 0), 1);
    expect_found(asking, 2, 0, 0);
    CU_ASSERT_EQUAL(asking->runner.book.status, ERROR_RIG);
    asking->runner.book.status = 0;
    journal_close(asking->options.journal);
    asking->options.journal = NULL;
    CU_ASSERT_EQUAL(ask_to(asking, 0), 1);
    expect_found(asking, 4, 0, 0);
    CU_ASSERT_EQUAL(asking->runner.book.status, 0);
    close_asking(asking);
}

TEST(digests_are_waited_for_as_long_as_the_settings_say)
{
    struct asking *asking = open_asking();

    asking->setup.plan.settings.limit = 12345 * NANOS_PER_MILLI;
    ask(asking, "opened", TOLD(ONE("a", A) ONE("b", B)));
    CU_ASSERT_EQUAL(asking->waits, 2);
    CU_ASSERT_STRING_EQUAL(asking->waited, "terminal digests 12345");
    asking->bench.devices[0].authenticate = NULL;
    ask(asking, "end", TOLD(ONE("a", A)));
    CU_ASSERT_EQUAL(asking->waits, 2);
    CU_ASSERT_EQUAL(asking->runner.authenticated, 1);
    close_asking(asking);
}

TEST(a_device_that_is_not_there_is_no_channel_of_the_capture)
{
    struct asking *asking = open_asking();
    char path[SCRATCH_PATH_SIZE];

    scratch_path(path);
    CU_ASSERT_EQUAL_FATAL(capture_open(&asking->bench.capture, path, NULL), 0);
    asking->liar.status = ERROR_DEVICE;
    ask(asking, "opened", NULL);
    expect_found(asking, 0, 1, 0);
    CU_ASSERT_EQUAL(capture_close(asking->bench.capture, NULL), 0);
    CU_ASSERT_EQUAL(scratch_count(path), 0);
    close_asking(asking);
}

/* A pipe that nobody reads any more. */
TEST(a_capture_that_cannot_be_written_lets_no_run_pass_and_leaves_the_link_closed)
{
    struct asking *asking = open_asking();
    char path[SCRATCH_PATH_SIZE];
    int reader;

    signal(SIGPIPE, SIG_IGN);
    scratch_path(path);
    CU_ASSERT_EQUAL_FATAL(mkfifo(path, 0600), 0);
    CU_ASSERT_EQUAL_FATAL(chmod(path, 0600), 0);
    reader = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    CU_ASSERT_FATAL(reader >= 0);
    CU_ASSERT_EQUAL_FATAL(capture_open(&asking->bench.capture, path, NULL), 0);
    close(reader);
    ask(asking, "opened", TOLD(ONE("a", A) ONE("b", B)));
    CU_ASSERT_EQUAL(asking->runner.book.status, ERROR_RIG);
    CU_ASSERT_EQUAL(asking->liar.freed, 1);
    capture_close(asking->bench.capture, NULL);
    scratch_remove(path);
    close_asking(asking);
}

/* Behind those of the four classes of devices. */
TEST(what_is_said_of_software_is_a_channel_of_its_own_in_the_capture)
{
    struct asking *asking = open_asking();
    char path[SCRATCH_PATH_SIZE], *bytes;
    const char head[] = {TAP_VERSION, DEVICE_CLASSES + DEVICE_TERMINAL, TAP_ABOUT, GAT_PROTOCOL};
    size_t length;

    scratch_path(path);
    CU_ASSERT_EQUAL_FATAL(capture_open(&asking->bench.capture, path, NULL), 0);
    ask(asking, "opened", TOLD(ONE("a", A) ONE("b", B)));
    expect_found(asking, 2, 0, 0);
    CU_ASSERT_EQUAL(asking->liar.freed, 1);
    CU_ASSERT_EQUAL(capture_close(asking->bench.capture, NULL), 0);
    bytes = scratch_read(path, &length);
    CU_ASSERT_PTR_NOT_NULL(memmem(bytes, length, head, sizeof head));
    free(bytes);
    scratch_remove(path);
    close_asking(asking);
}

#define ROOM       (60 * 1024) /* of a line, of which every row must leave so much: */
#define RESERVED   2048
#define COMPONENTS ((size_t)GAT_COMPONENTS_MAX)

/* As many and as long names as there can be, every byte escaped: those that the device tells, and
 * as many others that are approved. */
static void put_name(char name[GAT_NAME_SIZE], char first, unsigned number)
{
    memset(name, '"', GAT_NAME_SIZE - 1);
    name[GAT_NAME_SIZE - 1] = '\0';
    name[0] = first;
    name[1] = (char)('0' + number / 100);
    name[2] = (char)('0' + number / 10 % 10);
    name[3] = (char)('0' + number % 10);
}

static char *many_components(struct approved *approved)
{
    char *document = NULL;
    size_t length;
    FILE *file = open_memstream(&document, &length);

    fputs("<Components>", file);
    approved->count = COMPONENTS;
    for (unsigned i = 0; i < COMPONENTS; i++) {
        char name[GAT_NAME_SIZE];

        put_name(name, 'd', i);
        fprintf(file, "<Component><Name>%s</Name><Checksum>" A "</Checksum></Component>", name);
        put_name(approved->list[i].name, 'a', i);
        snprintf(approved->list[i].digest, GAT_DIGEST_SIZE, "%s", A);
    }
    fputs("</Components>", file);
    fclose(file);
    return document;
}

/* Of the details of a line: where the rows end, by bytes from the first, and how long the last is.
 */
struct extent {
    size_t end, last, rows, left_out;
};

static struct extent measure(const struct asking *asking)
{
    json_t *details = last_line(asking, "authenticated");
    size_t length;
    char *text = scratch_read(asking->journal, &length), *first = text, *row = text, *end;
    struct extent extent;

    for (char *at = text; (at = strstr(at, "{\"when\":")); at++)
        first = at;
    end = strstr(first, "}]") + 1;
    for (char *at = first; (at = strstr(at, ",{\"name\":")); at++)
        row = at;
    extent = (struct extent){.end = (size_t)(end - first),
                             .last = (size_t)(end - row),
                             .rows = json_array_size(json_object_get(details, "components")),
                             .left_out =
                                 (size_t)json_integer_value(json_object_get(details, "left-out"))};
    expect_text(details, "note", AUTHENTICATE_CAUTION);
    json_decref(details);
    free(text);
    return extent;
}

/* All of them are judged. The second time the last row has just as much room as it must have. */
TEST(rows_that_a_line_has_no_room_for_are_counted_in_it_and_judged)
{
    struct asking *asking = open_asking();
    char *document = many_components(&asking->approved), when[1024] = "end";
    struct extent extent, again;

    ask(asking, when, document);
    expect_found(asking, 0, 2 * COMPONENTS, 0);
    extent = measure(asking);
    CU_ASSERT_EQUAL(extent.rows + extent.left_out, 2 * COMPONENTS);
    CU_ASSERT(extent.left_out > 2);
    CU_ASSERT(ROOM - extent.end < RESERVED);
    CU_ASSERT_FATAL(ROOM - extent.end + extent.last >= RESERVED);
    memset(when + 3, '.', ROOM - extent.end + extent.last - RESERVED);
    ask(asking, when, document);
    again = measure(asking);
    CU_ASSERT_EQUAL(again.rows, extent.rows);
    CU_ASSERT_EQUAL(ROOM - again.end + again.last, RESERVED);
    free(document);
    close_asking(asking);
}
