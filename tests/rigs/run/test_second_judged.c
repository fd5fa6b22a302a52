/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What version 2 of the open protocol lets a run see, by devices whose counts a test sets and whose
 * replies it says: what is noted and not judged, what is judged since it was looked at last, BYE.
 */
#include "rigs/run/second.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rigs/run/options.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

/* A device at the other end of a link, and what it has been asked: "status bye". */
struct talker {
    struct device device;
    struct host host;
    struct link link;
    struct clock *clock;
    bool in_test_mode;
    uint32_t entries; /* of its log, by STATUS and LOG */
    uint8_t silent;   /* the request that it does not answer, */
    uint8_t refused;  /* or refuses, */
    uint8_t refusal;  /* with this code */
    uint8_t bye_size; /* of the reply to BYE */
    int write_status; /* of the link; 0: it takes what is written */
    char asked[64];
    struct frame_decoder decoder;
    uint8_t pending[FRAME_ENCODED_MAX];
    size_t pending_count;
};

static const char *request_name(uint8_t type)
{
    return type == WIRE_STATUS ? "status "
           : type == WIRE_LOG  ? "log "
           : type == WIRE_BYE  ? "bye "
                               : "? ";
}

static void answer(struct talker *talker, const struct frame *request)
{
    struct frame reply;

    frame_begin(&reply, request->class, request->type | WIRE_ANSWER, request->sequence);
    reply.version = request->version;
    memset(reply.payload, 0, sizeof reply.payload);
    if (request->type == talker->refused) {
        reply.type = WIRE_REFUSED;
        reply.size = 2;
        reply.payload[0] = request->type;
        reply.payload[1] = talker->refusal;
    } else if (request->type == WIRE_STATUS) {
        reply.size = WIRE_STATE_SIZE;
        wire_put32(reply.payload, talker->entries);
    } else if (request->type == WIRE_LOG) {
        reply.size = 5;
        wire_put32(reply.payload, talker->entries);
    } else {
        reply.size = talker->bye_size;
    }
    talker->pending_count = frame_encode(&reply, talker->pending);
}

static ssize_t hear(struct link *link, const void *bytes, size_t size, nanos_t deadline,
                    struct error *error)
{
    struct talker *talker = (struct talker *)((char *)link - offsetof(struct talker, link));
    struct frame request;
    size_t taken;

    (void)deadline;
    if (talker->write_status)
        return error_set(error, talker->write_status, "no line");
    CU_ASSERT_EQUAL_FATAL(frame_decode(&talker->decoder, bytes, size, &taken, &request),
                          FRAME_READY);
    CU_ASSERT_FATAL(strlen(talker->asked) + 8 < sizeof talker->asked);
    strcat(talker->asked, request_name(request.type));
    if (request.type != talker->silent)
        answer(talker, &request);
    return (ssize_t)size;
}

static ssize_t say(struct link *link, void *bytes, size_t size, nanos_t deadline,
                   struct error *error)
{
    struct talker *talker = (struct talker *)((char *)link - offsetof(struct talker, link));
    size_t count = talker->pending_count;

    (void)error;
    if (!count)
        clock_advance(talker->clock, deadline);
    CU_ASSERT_FATAL(count <= size);
    memcpy(bytes, talker->pending, count);
    talker->pending_count = 0;
    return (ssize_t)count;
}

static const struct link_backend backend = {.scheme = "talker", .read = say, .write = hear};

static struct host *host_of(struct device *device)
{
    return &((struct talker *)device)->host;
}

static int tell_test_mode(struct device *device, bool *is_on, struct error *error)
{
    (void)error;
    *is_on = ((struct talker *)device)->in_test_mode;
    return 0;
}

static const struct device_driver driver = {
    .key = "shoe/talker",
    .noun = "shoe",
    .capabilities = DEVICE_SHOWS_FRAMES | DEVICE_TELLS_STATUS,
    .host = host_of,
    .in_test_mode = tell_test_mode,
};

/* A shuffler and a shoe that speak version 2, a terminal of another protocol, and sensors that
 * could not be opened. */
struct bench_of_talkers {
    struct run run;
    struct check_book book;
    struct bench bench;
    struct rig rig;
    struct runner_options options;
    struct terminal terminal;
    struct talker talker[2];
    struct host other; /* of the terminal: nobody may touch it */
    struct host_counts seen;
    unsigned failed;
    char name[32], wager[16], expected[32], got[32], why[160];
    char journal[SCRATCH_PATH_SIZE];
};

static int note_result(void *context, const struct check_result *result, struct error *error)
{
    struct bench_of_talkers *at = context;

    (void)error;
    if (at->failed++)
        return 0;
    CU_ASSERT_EQUAL(result->seat, 0);
    snprintf(at->name, sizeof at->name, "%s", result->name);
    snprintf(at->wager, sizeof at->wager, "%s", result->wager);
    snprintf(at->expected, sizeof at->expected, "%s", result->expected);
    snprintf(at->got, sizeof at->got, "%s", result->got);
    snprintf(at->why, sizeof at->why, "%s", result->why);
    return 0;
}

static struct host *host_of_other(struct device *device)
{
    struct bench_of_talkers *at =
        (struct bench_of_talkers *)((char *)device -
                                    offsetof(struct bench_of_talkers, terminal.device));

    return &at->other;
}

static const struct device_driver other_driver = {
    .key = "terminal/other", .noun = "terminal", .host = host_of_other};

static void open_talker(struct bench_of_talkers *at, unsigned i)
{
    struct talker *talker = &at->talker[i];

    talker->clock = &at->bench.clock;
    talker->link =
        (struct link){.backend = &backend, .hal = &at->bench.hal, .is_open = true, .address = "t:"};
    talker->device = (struct device){.driver = &driver,
                                     .address = "t:",
                                     .link = &talker->link,
                                     .capabilities = driver.capabilities};
    talker->decoder.versions = FRAME_VERSIONS;
    talker->host = (struct host){.link = &talker->link,
                                 .hal = &at->bench.hal,
                                 .class = FRAME_SHOE,
                                 .version = FRAME_VERSION_2,
                                 .capabilities = WIRE_KEEPS_LOG,
                                 .decoder.versions = FRAME_VERSIONS};
    at->bench.devices[i] = (struct bench_device){.class = i ? DEVICE_SHOE : DEVICE_SHUFFLER,
                                                 .name = i ? "shoe" : "shuffler",
                                                 .device = &talker->device,
                                                 .link = &talker->link};
}

static struct bench_of_talkers *open_bench(void)
{
    struct bench_of_talkers *at = calloc(1, sizeof *at);

    CU_ASSERT_PTR_NOT_NULL_FATAL(at);
    clock_virtual(&at->bench.clock, NANOS_PER_SECOND);
    at->bench.hal.clock = &at->bench.clock;
    at->bench.hal.cancel_fd = -1;
    at->bench.rig = &at->rig;
    open_talker(at, 0);
    open_talker(at, 1);
    at->terminal.device = (struct device){.driver = &other_driver};
    at->bench.devices[2] = (struct bench_device){
        .class = DEVICE_TERMINAL, .name = "terminal", .device = &at->terminal.device};
    at->bench.devices[3] = (struct bench_device){.class = DEVICE_SENSORS, .name = "sensors"};
    at->bench.device_count = 4;
    at->book = (struct check_book){
        .context = at, .write_result = note_result, .tally = &at->run.round.tally};
    at->run.book = &at->book;
    at->run.bench = &at->bench;
    at->run.options = &at->options;
    return at;
}

static void close_bench(struct bench_of_talkers *at)
{
    journal_close(at->run.journal);
    if (at->run.journal)
        scratch_remove(at->journal);
    free(at);
}

static struct bench_of_talkers *open_written(void)
{
    struct bench_of_talkers *at = open_bench();
    const struct journal_options options = {.clock = &at->bench.clock};
    const struct journal_start start = {.version = "1", .seed = 1};

    scratch_path(at->journal);
    CU_ASSERT_EQUAL_FATAL(journal_open(at->journal, &options, &start, &at->run.journal, NULL), 0);
    run_second_begin(&at->run);
    return at;
}

/* How often the journal has these words. */
static unsigned written(const struct bench_of_talkers *at, const char *words)
{
    size_t length;
    char *text = scratch_read(at->journal, &length);
    unsigned count = 0;

    for (const char *from = text; (from = strstr(from, words)); from += strlen(words))
        count++;
    free(text);
    return count;
}

static void expect_found(const struct bench_of_talkers *at, unsigned failed)
{
    CU_ASSERT_EQUAL(at->failed, failed);
    CU_ASSERT_EQUAL(at->run.round.tally.passed, 0);
}

static void expect_first(const struct bench_of_talkers *at, const char *name, const char *device,
                         const char *got, const char *why)
{
    CU_ASSERT_STRING_EQUAL(at->name, name);
    CU_ASSERT_STRING_EQUAL(at->wager, device);
    CU_ASSERT_STRING_EQUAL(at->expected, "0");
    CU_ASSERT_STRING_EQUAL(at->got, got);
    CU_ASSERT_STRING_EQUAL(at->why, why);
}

static void tell(struct bench_of_talkers *at, unsigned i, const struct host_note *said)
{
    struct host *host = &at->talker[i].host;

    CU_ASSERT_PTR_NOT_NULL_FATAL(host->noted);
    host->noted(host->noted_context, said);
}

TEST(what_a_vendor_says_is_in_the_journal_byte_by_byte_and_is_not_judged)
{
    struct bench_of_talkers *at = open_written();
    const uint8_t bytes[] = {0x00, 0xa7, 0xff};
    uint8_t longest[FRAME_PAYLOAD_MAX];
    char text[2 * FRAME_PAYLOAD_MAX + 3] = "\"";

    tell(at, 1,
         &(struct host_note){.kind = HOST_VENDOR_EVENT, .type = 0x71, .size = 3, .payload = bytes});
    CU_ASSERT_EQUAL(written(at, "\"device\":\"shoe\",\"event\":\"vendor\""), 1);
    CU_ASSERT_EQUAL(written(at, "{\"type\":113,\"payload\":\"00a7ff\"}"), 1);
    tell(at, 0, &(struct host_note){.kind = HOST_VENDOR_EVENT, .type = 0x70, .payload = bytes});
    CU_ASSERT_EQUAL(written(at, "{\"type\":112,\"payload\":\"\"}"), 1);
    memset(longest, 0x5e, sizeof longest);
    tell(at, 0,
         &(struct host_note){
             .kind = HOST_VENDOR_EVENT, .size = FRAME_PAYLOAD_MAX, .payload = longest});
    for (unsigned i = 0; i < FRAME_PAYLOAD_MAX; i++)
        strcat(text, "5e");
    CU_ASSERT_EQUAL(written(at, strcat(text, "\"")), 1);
    CU_ASSERT_EQUAL(written(at, "\"vendor\""), 3);
    CU_ASSERT_EQUAL(written(at, "vendor-entry") + written(at, "clock-jumped"), 0);
    CU_ASSERT_EQUAL(at->run.notes[DEVICE_SHUFFLER].jumps, 0);
    expect_found(at, 0);
    close_bench(at);
}

TEST(an_entry_of_a_vendor_is_in_the_journal_and_is_not_judged)
{
    struct bench_of_talkers *at = open_written();
    const struct log_entry entry = {.number = 7, .code = 200, .detail = 3, .value = 70000};

    tell(at, 0, &(struct host_note){.kind = HOST_VENDOR_ENTRY, .entry = &entry});
    CU_ASSERT_EQUAL(written(at, "\"device\":\"shuffler\",\"event\":\"vendor-entry\""), 1);
    CU_ASSERT_EQUAL(written(at, "{\"entry\":7,\"code\":200,\"detail\":3,\"value\":70000}"), 1);
    CU_ASSERT_EQUAL(written(at, "clock-jumped"), 0);
    expect_found(at, 0);
    close_bench(at);
}

/* Once when it is told; of one that was told to nobody, when the device is looked at. */
TEST(a_clock_that_jumps_is_in_the_journal_once)
{
    struct bench_of_talkers *at = open_written();
    struct host *host = &at->talker[1].host;

    host->counts.jumps = 1;
    tell(at, 1, &(struct host_note){.kind = HOST_CLOCK_JUMP, .millis = -3600000});
    CU_ASSERT_EQUAL(written(at, "\"device\":\"shoe\",\"event\":\"clock-jumped\""), 1);
    CU_ASSERT_EQUAL(written(at, "{\"millis\":-3600000}"), 1);
    run_second_check(&at->run, &at->bench.devices[1], host, &at->seen);
    CU_ASSERT_EQUAL(written(at, "clock-jumped"), 1);
    host->counts.jumps = 3;
    run_second_check(&at->run, &at->bench.devices[1], host, &at->seen);
    run_second_check(&at->run, &at->bench.devices[1], host, &at->seen);
    CU_ASSERT_EQUAL(written(at, "\"device\":\"shoe\",\"event\":\"clock-jumped\""), 2);
    expect_found(at, 0);
    close_bench(at);
}

TEST(devices_are_heard_while_there_is_a_run_and_only_those_that_show_their_frames)
{
    struct bench_of_talkers *at = open_bench();

    at->run.notes[DEVICE_SHOE].jumps = 5;
    run_second_begin(&at->run);
    CU_ASSERT_PTR_NOT_NULL(at->talker[0].host.noted);
    CU_ASSERT_PTR_EQUAL(at->talker[0].host.noted_context, &at->run.notes[DEVICE_SHUFFLER]);
    CU_ASSERT_PTR_EQUAL(at->talker[1].host.noted_context, &at->run.notes[DEVICE_SHOE]);
    CU_ASSERT_EQUAL(at->run.notes[DEVICE_SHOE].jumps, 0);
    CU_ASSERT_PTR_NULL(at->other.noted);
    at->other.noted = at->talker[0].host.noted;
    run_second_forget(&at->run);
    CU_ASSERT_PTR_NULL(at->talker[0].host.noted);
    CU_ASSERT_PTR_NULL(at->talker[1].host.noted);
    CU_ASSERT_PTR_NOT_NULL(at->other.noted);
    close_bench(at);
}

/* So many of a count, of which some were seen before. */
static void expect_judged(size_t offset, const char *name, const char *why)
{
    struct bench_of_talkers *at = open_bench();
    struct host *host = &at->talker[1].host;
    uint64_t *count = (uint64_t *)((char *)&host->counts + offset);
    uint64_t *seen = (uint64_t *)((char *)&at->seen + offset);

    *count = *seen = 5;
    run_second_check(&at->run, &at->bench.devices[1], host, &at->seen);
    expect_found(at, 0);
    *count = 7;
    run_second_check(&at->run, &at->bench.devices[1], host, &at->seen);
    expect_found(at, 1);
    expect_first(at, name, "shoe", "2", why);
    host->version = FRAME_VERSION;
    run_second_check(&at->run, &at->bench.devices[1], host, &at->seen);
    expect_found(at, 1);
    close_bench(at);
}

TEST(what_a_device_has_done_wrong_since_it_was_looked_at_is_told_and_only_of_version_2)
{
    expect_judged(offsetof(struct host_counts, versions), "frames",
                  "frames of another version of the protocol than HELLO has agreed on");
    expect_judged(offsetof(struct host_counts, unclaimed), "frames",
                  "events or entries of a vendor that HELLO does not claim");
    expect_judged(offsetof(struct host_counts, late), "frames",
                  "frames that came after BYE was answered");
    expect_judged(offsetof(struct host_counts, rewritten), "event-log",
                  "logs that do not come to the digest that STATUS tells");
    expect_judged(offsetof(struct host_counts, parted), "event-log",
                  "entries of a log that are not of the clock that STATUS tells");
}

TEST(a_capability_that_is_not_as_claimed_is_named)
{
    struct bench_of_talkers *at = open_bench();
    struct host *host = &at->talker[0].host;

    host->lied = WIRE_KEEPS_LOG | WIRE_HAS_VENDOR;
    host->counts.lies = at->seen.lies = 2;
    run_second_check(&at->run, &at->bench.devices[0], host, &at->seen);
    expect_found(at, 0);
    at->seen.lies = 1;
    run_second_check(&at->run, &at->bench.devices[0], host, &at->seen);
    expect_found(at, 1);
    expect_first(at, "status", "shuffler", "1", "'log' is claimed by HELLO and refused");
    close_bench(at);
    at = open_bench();
    host = &at->talker[0].host;
    host->lied = WIRE_TELLS_TIME;
    host->counts.lies = 1;
    run_second_check(&at->run, &at->bench.devices[0], host, &at->seen);
    expect_first(at, "status", "shuffler", "1", "'wall clock' is not claimed by HELLO and done");
    close_bench(at);
}

TEST(challenges_and_proofs_that_come_again_are_told_once)
{
    struct bench_of_talkers *at = open_bench();
    struct terminal *terminal = &at->terminal;

    run_second_check_codes(&at->run);
    at->bench.terminal = terminal;
    terminal->stale = 3;
    run_second_check_codes(&at->run);
    expect_found(at, 0);
    terminal->device.is_wide = true;
    at->run.stale = 1;
    run_second_check_codes(&at->run);
    expect_found(at, 1);
    expect_first(at, "authorization", "terminal", "2", "challenges that came before");
    run_second_check_codes(&at->run);
    expect_found(at, 1);
    close_bench(at);
    at = open_bench();
    terminal = at->bench.terminal = &at->terminal;
    terminal->device.is_wide = true;
    terminal->replayed = 4;
    at->run.replayed = 1;
    run_second_check_codes(&at->run);
    run_second_check_codes(&at->run);
    expect_found(at, 1);
    expect_first(at, "authorization", "terminal", "3",
                 "proofs of a code that were said again, and not refused for that");
    close_bench(at);
}

TEST(every_device_of_version_2_that_is_there_is_told_bye)
{
    struct bench_of_talkers *at = open_bench();

    run_second_end(&at->run);
    CU_ASSERT_STRING_EQUAL(at->talker[0].asked, "status bye ");
    CU_ASSERT_STRING_EQUAL(at->talker[1].asked, "status bye ");
    CU_ASSERT(at->talker[0].host.is_over);
    expect_found(at, 0);
    close_bench(at);
    at = open_bench();
    at->talker[0].host.version = FRAME_VERSION;
    at->talker[1].link.is_open = false;
    run_second_end(&at->run);
    CU_ASSERT_STRING_EQUAL(at->talker[0].asked, "");
    CU_ASSERT_STRING_EQUAL(at->talker[1].asked, "");
    close_bench(at);
}

TEST(a_log_that_was_read_is_asked_for_again_where_status_counts_more)
{
    struct bench_of_talkers *at = open_bench();

    at->talker[0].entries = at->talker[1].entries = 9;
    at->talker[0].host.log_total = 9;
    at->talker[1].host.log_total = 8;
    run_second_end(&at->run);
    CU_ASSERT_STRING_EQUAL(at->talker[0].asked, "status bye ");
    CU_ASSERT_STRING_EQUAL(at->talker[1].asked, "status log bye ");
    expect_found(at, 0);
    close_bench(at);
    at = open_bench();
    at->talker[0].entries = 9;
    at->talker[1].host.log_total = 8;
    at->talker[1].silent = WIRE_STATUS;
    run_second_end(&at->run);
    CU_ASSERT_STRING_EQUAL(at->talker[0].asked, "status bye ");
    CU_ASSERT_PTR_NULL(strstr(at->talker[1].asked, "log"));
    CU_ASSERT_PTR_NULL(strstr(at->talker[1].asked, "bye"));
    expect_found(at, 1);
    close_bench(at);
}

static struct bench_of_talkers *part_refused(uint8_t refusal, bool in_test_mode)
{
    struct bench_of_talkers *at = open_bench();

    at->talker[1].refused = WIRE_BYE;
    at->talker[1].refusal = refusal;
    at->talker[1].in_test_mode = in_test_mode;
    run_second_end(&at->run);
    return at;
}

TEST(bye_is_refused_by_a_device_that_was_left_in_test_mode_and_by_no_other)
{
    struct bench_of_talkers *at = part_refused(REFUSED_STATE, true);

    expect_found(at, 0);
    close_bench(at);
    at = part_refused(REFUSED_STATE, false);
    expect_found(at, 1);
    expect_first(at, "frames", "shoe", "4", "code with which BYE is refused after the last round");
    close_bench(at);
    at = part_refused(REFUSED_UNKNOWN, true);
    expect_found(at, 1);
    expect_first(at, "frames", "shoe", "1", "code with which BYE is refused after the last round");
    close_bench(at);
}

TEST(a_device_that_answers_bye_with_bytes_or_not_at_all_fails)
{
    struct bench_of_talkers *at = open_bench();

    at->talker[1].bye_size = 2;
    run_second_end(&at->run);
    expect_found(at, 1);
    expect_first(at, "frames", "shoe", "1", "t:: the reply to BYE has 2 bytes");
    close_bench(at);
    at = open_bench();
    at->talker[0].silent = WIRE_BYE;
    run_second_end(&at->run);
    expect_found(at, 1);
    CU_ASSERT_STRING_EQUAL(at->wager, "shuffler");
    CU_ASSERT_STRING_EQUAL(at->got, "1");
    CU_ASSERT_PTR_NOT_NULL(strstr(at->why, "no reply to request 0x06"));
    close_bench(at);
}

TEST(what_a_damaged_line_swallows_or_a_lost_device_cannot_say_is_no_fault_of_it)
{
    struct bench_of_talkers *at = open_bench();

    at->talker[0].silent = WIRE_BYE;
    at->bench.devices[0].is_lossy = true;
    at->talker[1].write_status = ERROR_DEVICE;
    run_second_end(&at->run);
    expect_found(at, 0);
    CU_ASSERT(at->talker[1].link.is_lost);
    close_bench(at);
    at = open_bench();
    at->talker[0].write_status = ERROR_RIG;
    at->talker[1].write_status = ERROR_ABORTED;
    run_second_end(&at->run);
    expect_found(at, 0);
    close_bench(at);
}
