/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Version 2 of the open protocol: how two ends come to speak it, its frames at the host's end with
 * a device that a test plays by hand and at the models' end with a host that it plays, and devices
 * that do not keep to it. Bytes are those of devices/PROTOCOL-2.md.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/model.h"
#include "devices/shuffler/shuffler.h"
#include "devices/terminal/open/wire.h"
#include "devices/wire/host.h"
#include "tests/support/devices/puppet.h"
#include "tests/support/devices/raw_host.h"
#include "tests/support/suite.h"

static struct clock clock_;
static struct hal hal;
static struct puppet_stage stage;
static struct puppet *puppet;
static struct link *wire;
static struct host host;
static struct error error;

static void set_up(void)
{
    char address[32];

    clock_virtual(&clock_, 0x00c0ffee);
    CU_ASSERT_EQUAL_FATAL(hal_open(&hal, &clock_, &error), 0);
    puppet_stage_open(&stage, &hal);
    puppet = puppet_add(&stage);
    snprintf(address, sizeof address, "emu:%s", puppet->name);
    CU_ASSERT_EQUAL_FATAL(link_open(&wire, &hal, address, &error), 0);
}

static void tear_down(void)
{
    link_close(wire);
    puppet_stage_close(&stage);
    hal_close(&hal);
}

static size_t read_hex(const char *hex, uint8_t *bytes)
{
    size_t count = 0;

    for (char *end; *hex; hex = end + (*end == ' '))
        bytes[count++] = (uint8_t)strtoul(hex, &end, 16);
    return count;
}

static void says(const char *hex)
{
    uint8_t bytes[FRAME_ENCODED_MAX];

    puppet_put(puppet, bytes, read_hex(hex, bytes));
}

/* What the host has written since is exactly this. */
static void has_heard(const char *hex)
{
    uint8_t wanted[1024], got[1024];
    size_t count = read_hex(hex, wanted), taken = puppet_take(puppet, got, sizeof got);

    CU_ASSERT_EQUAL(taken, count);
    CU_ASSERT(taken == count && !memcmp(got, wanted, count));
}

#define HELLO_1      "05 01 01 01 01 06 c0 ff ee 18 95 00"
#define KNOWS_1      "06 01 01 81 01 01 01 03 c5 0a 00"
#define KNOWS_2      "07 01 01 81 01 01 10 03 c6 79 00"
#define HELLO_2      "05 02 01 01 02 06 c0 ff ef 2e 13 00"
#define IN_VERSION_2 "07 02 01 81 02 02 10 01 01 01 04 17 d8 7f 00"
#define STATUS       "07 02 01 03 03 3b a8 00"
#define FRESH                                                                                      \
    "06 02 01 83 03 01 01 01 01 02 34 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 "   \
    "01 "                                                                                          \
    "01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 01 02 0c "   \
    "01 "                                                                                          \
    "09 01 9b 76 da a8 0c d7 a9 00"
#define LOG_OF_0 "05 02 01 04 04 01 01 01 03 89 5e 00"
#define ONE_ENTRY                                                                                  \
    "05 02 01 84 04 01 01 03 01 01 01 01 01 01 01 01 01 01 01 01 04 0c 45 01 01 01 01 03 c0 a4 00"
#define DIGESTED                                                                                   \
    "06 02 01 83 05 01 02 01 01 02 34 01 01 01 01 01 01 01 01 22 01 95 03 fe dc 74 67 20 1a f7 "   \
    "e6 "                                                                                          \
    "79 07 5f 48 e7 1f 03 2e 8d 9b 0f 9d e8 79 8d d0 2f 24 28 34 b6 89 01 01 01 01 01 01 02 0c "   \
    "01 "                                                                                          \
    "09 01 9b 76 da a8 0c c8 25 00"

TEST(a_device_that_knows_version_1_alone_sees_nothing_new)
{
    set_up();
    says(KNOWS_1);
    CU_ASSERT_EQUAL(host_open(&host, wire, FRAME_SHUFFLER, &error), 0);
    CU_ASSERT_EQUAL(host.version, FRAME_VERSION);
    has_heard(HELLO_1);
    tear_down();
}

TEST(the_highest_version_that_both_know_is_spoken)
{
    set_up();
    says(KNOWS_2);
    says(IN_VERSION_2);
    CU_ASSERT_EQUAL(host_open(&host, wire, FRAME_SHUFFLER, &error), 0);
    CU_ASSERT_EQUAL(host.version, FRAME_VERSION_2);
    CU_ASSERT_EQUAL(host.capabilities,
                    WIRE_HAS_TEST_MODE | WIRE_KEEPS_LOG | WIRE_TELLS_TIME | WIRE_DRAWS);
    has_heard(HELLO_1 " " HELLO_2);
    tear_down();
}

TEST(a_pinned_version_1_is_spoken_with_a_device_that_knows_more)
{
    set_up();
    says(KNOWS_2);
    CU_ASSERT_EQUAL(host_open_as(&host, wire, FRAME_SHUFFLER, 1, &error), 0);
    CU_ASSERT_EQUAL(host.version, FRAME_VERSION);
    has_heard(HELLO_1);
    tear_down();
}

TEST(a_device_without_the_pinned_version_2_is_refused_with_a_sentence)
{
    set_up();
    says(KNOWS_1);
    CU_ASSERT_EQUAL(host_open_as(&host, wire, FRAME_SHUFFLER, 2, &error), ERROR_DEVICE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "knows version 1 of the protocol alone"));
    tear_down();
}

TEST(a_device_that_says_it_knows_version_2_and_is_silent_is_told_so)
{
    set_up();
    says(KNOWS_2);
    CU_ASSERT_EQUAL(host_open(&host, wire, FRAME_SHUFFLER, &error), ERROR_DEVICE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "does not answer its HELLO"));
    tear_down();
}

TEST(a_device_that_answers_hello_in_both_versions_is_told_so)
{
    set_up();
    says(KNOWS_2);
    says("07 01 01 81 02 01 10 03 5d a5 00"); /* to the HELLO of version 2, in version 1 */
    says(IN_VERSION_2);
    CU_ASSERT_EQUAL(host_open(&host, wire, FRAME_SHUFFLER, &error), ERROR_DEVICE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "in both versions"));
    tear_down();
}

/* An error of what a device claims in its reply to HELLO of version 2. */
static void expect_claim(const char *reply, const char *words)
{
    set_up();
    says(KNOWS_2);
    says(reply);
    CU_ASSERT_EQUAL(host_open(&host, wire, FRAME_SHUFFLER, &error), ERROR_DEVICE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, words));
    tear_down();
}

static const char *frame_hex(const struct frame *frame)
{
    static char hex[3 * FRAME_ENCODED_MAX + 1];
    uint8_t encoded[FRAME_ENCODED_MAX];
    size_t count = frame_encode(frame, encoded);

    for (size_t i = 0; i < count; i++)
        sprintf(hex + 3 * i, "%02x%s", encoded[i], i + 1 < count ? " " : "");
    return hex;
}

TEST(claims_that_cannot_be_are_refused)
{
    struct frame reply = {.version = 2,
                          .class = FRAME_SHUFFLER,
                          .type = WIRE_HELLO | WIRE_ANSWER,
                          .sequence = 2,
                          .size = 7,
                          .payload = {2, 0x10, 0, 0, 0, 0, 0x40}};

    expect_claim(frame_hex(&reply), "its class has no 0x40");
    reply.payload[3] = 1;
    reply.payload[6] = 0;
    expect_claim(frame_hex(&reply), "its class has no 0x1000000");
    reply.payload[0] = 1;
    expect_claim(frame_hex(&reply), "protocol version 1");
    reply.payload[0] = 2;
    reply.size = 6;
    expect_claim(frame_hex(&reply), "with 6 bytes");
}

/* The conversation in which the frames below come. */
static void begin(void)
{
    uint8_t heard[64];

    set_up();
    says(KNOWS_2);
    says(IN_VERSION_2);
    CU_ASSERT_EQUAL_FATAL(host_open(&host, wire, FRAME_SHUFFLER, &error), 0);
    puppet_take(puppet, heard, sizeof heard);
}

TEST(the_log_is_held_to_the_digest_of_status)
{
    struct log_entry entries[LOG_REPLY_MAX];
    struct frame reply;
    unsigned count;
    uint32_t total;

    begin();
    says(FRESH);
    CU_ASSERT_EQUAL(host_request(&host, WIRE_STATUS, NULL, 0, &reply, &error), 0);
    CU_ASSERT_EQUAL(reply.size, 12);
    says(ONE_ENTRY);
    CU_ASSERT_EQUAL(host_log(&host, 0, entries, &count, &total, &error), 0);
    CU_ASSERT_EQUAL(entries[0].code, 0x45);
    says(DIGESTED);
    CU_ASSERT_EQUAL(host_request(&host, WIRE_STATUS, NULL, 0, &reply, &error), 0);
    CU_ASSERT_EQUAL(host.counts.rewritten, 0);
    has_heard(STATUS " " LOG_OF_0 " 07 02 01 03 05 5b 6e 00");
    tear_down();
}

static struct frame status_with(uint8_t sequence, uint32_t entries, uint8_t digest, uint64_t clock,
                                uint64_t wall)
{
    struct frame frame = {.version = 2,
                          .class = FRAME_SHUFFLER,
                          .type = WIRE_STATUS | WIRE_ANSWER,
                          .sequence = sequence,
                          .size = 12 + WIRE_STATE_SIZE,
                          .payload = {1, 0, 0, 0, 0, 52}};

    wire_put32(frame.payload + 12, entries);
    frame.payload[16] = digest;
    wire_put64(frame.payload + 48, clock);
    wire_put64(frame.payload + 56, wall);
    return frame;
}

static void ask_status(struct frame answer)
{
    struct frame reply;

    says(frame_hex(&answer));
    CU_ASSERT_EQUAL(host_request(&host, WIRE_STATUS, NULL, 0, &reply, &error), 0);
}

TEST(a_rewritten_log_shows_in_two_readings_of_status)
{
    begin();
    ask_status(status_with(3, 5, 0xaa, 0, 0));
    ask_status(status_with(4, 5, 0xaa, 0, 0));
    CU_ASSERT_EQUAL(host.counts.rewritten, 0);
    ask_status(status_with(5, 5, 0xab, 0, 0));
    CU_ASSERT_EQUAL(host.counts.rewritten, 1);
    ask_status(status_with(6, 4, 0xab, 0, 0));
    CU_ASSERT_EQUAL(host.counts.rewritten, 2);
    ask_status(status_with(7, 0, 0x00, 0, 0));
    CU_ASSERT_EQUAL(host.counts.rewritten, 3);
    tear_down();
}

static struct host_note noted;
static unsigned notes;

static void take_note(void *context, const struct host_note *note)
{
    (void)context;
    noted = *note;
    notes++;
}

TEST(a_wall_clock_that_jumps_is_told_and_not_fatal)
{
    begin();
    host.noted = take_note;
    notes = 0;
    ask_status(status_with(3, 0, 0, 1000, 1000000));
    ask_status(status_with(4, 0, 0, 5000, 1005900));
    CU_ASSERT_EQUAL(notes, 0);
    ask_status(status_with(5, 0, 0, 6000, 4605900));
    CU_ASSERT_EQUAL(notes, 1);
    CU_ASSERT_EQUAL(noted.kind, HOST_CLOCK_JUMP);
    CU_ASSERT_EQUAL(noted.millis, 3599000);
    /* It began its own clock anew. */
    ask_status(status_with(6, 0, 0, 0, 4606000));
    ask_status(status_with(7, 0, 0, 0, 4603000));
    CU_ASSERT_EQUAL(notes, 2);
    CU_ASSERT_EQUAL(noted.millis, -3000);
    CU_ASSERT_EQUAL(host.counts.jumps, 2);
    tear_down();
}

TEST(a_vendors_event_is_acknowledged_and_passed_on)
{
    struct frame event;

    begin();
    host.noted = take_note;
    notes = 0;
    says("04 02 01 78 05 c0 de d4 50 00");
    CU_ASSERT_EQUAL(host_event(&host, &event, clock_now(&clock_), &error), 0);
    has_heard("04 02 01 f8 03 c4 f0 00");
    CU_ASSERT_EQUAL(notes, 1);
    CU_ASSERT_EQUAL(noted.kind, HOST_VENDOR_EVENT);
    CU_ASSERT_EQUAL(noted.type, 0x78);
    CU_ASSERT_EQUAL(noted.size, 2);
    CU_ASSERT_EQUAL(host.counts.unclaimed, 1); /* the reply to HELLO claims none */
    tear_down();
}

/* With an emulated shuffler at the other end. */
static void begin_emulated(const char *address)
{
    clock_virtual(&clock_, 0);
    CU_ASSERT_EQUAL_FATAL(hal_open(&hal, &clock_, &error), 0);
    hal.make_model = model_make;
    CU_ASSERT_EQUAL_FATAL(link_open(&wire, &hal, address, &error), 0);
    CU_ASSERT_EQUAL_FATAL(host_open(&host, wire, FRAME_SHUFFLER, &error), 0);
    CU_ASSERT_EQUAL_FATAL(host_check_hello(&host, &error), 0);
}

static void end_emulated(void)
{
    link_close(wire);
    hal_close(&hal);
}

static void set_test_mode(uint8_t on)
{
    struct frame reply;

    CU_ASSERT_EQUAL(host_request(&host, 0x14, &on, 1, &reply, &error), 0);
}

TEST(bye_is_refused_in_test_mode_and_ends_a_conversation_outside_it)
{
    struct frame reply;

    begin_emulated("emu:shuffler?protocol=2");
    set_test_mode(1);
    CU_ASSERT_EQUAL(host_bye(&host, &error), REFUSED_STATE);
    set_test_mode(0);
    CU_ASSERT_EQUAL(host_bye(&host, &error), 0);
    CU_ASSERT_TRUE(host.is_over);
    CU_ASSERT_EQUAL(host.counts.late, 0);
    /* The next request begins another one. */
    CU_ASSERT_EQUAL(host_request(&host, WIRE_STATUS, NULL, 0, &reply, &error), 0);
    CU_ASSERT_FALSE(host.is_over);
    end_emulated();
}

TEST(bye_in_version_1_is_nothing)
{
    begin_emulated("emu:shuffler");
    CU_ASSERT_EQUAL(host_bye(&host, &error), 0);
    CU_ASSERT_FALSE(host.is_over);
    end_emulated();
}

TEST(what_comes_after_bye_is_counted_and_silence_is_a_timeout)
{
    begin_emulated("emu:shuffler?protocol=2,fault=after-bye");
    CU_ASSERT_EQUAL(host_bye(&host, &error), 0);
    CU_ASSERT_EQUAL(host.counts.late, 1);
    end_emulated();
    begin_emulated("emu:shuffler?protocol=2,fault=no-bye");
    CU_ASSERT_EQUAL(host_bye(&host, &error), ERROR_TIMEOUT);
    end_emulated();
}

TEST(a_flood_of_a_vendor_is_cut_off)
{
    struct frame event;
    int result = 0;

    begin_emulated("emu:shuffler?protocol=2,fault=flood@status:1");
    for (int i = 0; i < 100 && !result; i++)
        result = host_event(&host, &event, clock_now(&clock_) + NANOS_PER_SECOND, &error);
    CU_ASSERT_EQUAL(result, ERROR_DEVICE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "without an end"));
    end_emulated();
}

TEST(a_capability_that_is_claimed_and_refused_or_done_unclaimed_is_a_lie)
{
    struct log_entry entries[LOG_REPLY_MAX];
    unsigned count;
    uint32_t total;

    begin_emulated("emu:shuffler?protocol=2,fault=claims@capability:2");
    CU_ASSERT_EQUAL(host.counts.lies, 0);
    CU_ASSERT_EQUAL(host_log(&host, 0, entries, &count, &total, &error), REFUSED_UNKNOWN);
    CU_ASSERT_EQUAL(host.lied, WIRE_KEEPS_LOG);
    end_emulated();
    begin_emulated("emu:shuffler?protocol=2,fault=hides@capability:2");
    CU_ASSERT_EQUAL(host.lied, WIRE_KEEPS_LOG);
    end_emulated();
    begin_emulated("emu:shuffler?protocol=2,fault=hides@capability:3");
    CU_ASSERT_EQUAL(host.lied, WIRE_TELLS_TIME);
    end_emulated();
    begin_emulated("emu:shuffler?protocol=2");
    CU_ASSERT_EQUAL(host.lied, 0);
    end_emulated();
}

TEST(a_frame_of_version_1_in_a_conversation_of_version_2_is_counted)
{
    struct frame reply;

    begin();
    says("06 01 01 83 03 01 01 01 01 02 34 01 01 01 03 aa 01 00");
    says(FRESH);
    CU_ASSERT_EQUAL(host_request(&host, WIRE_STATUS, NULL, 0, &reply, &error), 0);
    CU_ASSERT_EQUAL(host.counts.versions, 1);
    tear_down();
}

/* The models' end. */
static struct model *make(const char *name, const char *options)
{
    struct model *model = model_make(NULL, name, options, &error);

    CU_ASSERT_PTR_NOT_NULL_FATAL(model);
    return model;
}

/* What a model answers at that time, until it has no more to say. */
static void tell(struct model *model, const char *hex, nanos_t now)
{
    uint8_t bytes[FRAME_ENCODED_MAX];

    model->ops->receive(model, bytes, read_hex(hex, bytes), now);
}

static void expect_said(struct model *model, const char *hex, nanos_t now)
{
    uint8_t wanted[1024], got[1024];
    size_t count = read_hex(hex, wanted), said = 0, more;

    while ((more = model->ops->send(model, got + said, sizeof got - said, now)))
        said += more;
    CU_ASSERT_EQUAL(said, count);
    CU_ASSERT(said == count && !memcmp(got, wanted, count));
    if (said != count || memcmp(got, wanted, count)) {
        for (size_t i = 0; i < said; i++)
            printf("%02x ", got[i]);
        puts("");
    }
}

#define AT_12 (12 * NANOS_PER_MILLI)

TEST(a_shuffler_says_what_the_page_says)
{
    struct model *model = make("shuffler", "protocol=2");

    tell(model, HELLO_1, AT_12);
    expect_said(model, KNOWS_2, AT_12);
    tell(model, HELLO_2, AT_12);
    expect_said(model, IN_VERSION_2, AT_12);
    tell(model, STATUS, AT_12);
    expect_said(model, FRESH, AT_12);
    tell(model, "08 02 01 14 04 01 60 7d 00", AT_12); /* TEST MODE on, and its event */
    expect_said(model, "06 02 01 94 04 01 01 01 04 01 78 53 00 04 02 01 45 04 01 c5 47 00", AT_12);
    tell(model, "07 02 01 06 09 65 17 00", AT_12);
    expect_said(model, "09 02 01 ff 09 06 04 10 11 00", AT_12); /* test mode counts first */
    model->ops->free(model);
}

TEST(a_device_of_version_1_drops_a_hello_of_version_2)
{
    struct model *model = make("shuffler", "");

    tell(model, HELLO_2, AT_12);
    expect_said(model, "", AT_12);
    tell(model, HELLO_1, AT_12);
    expect_said(model, KNOWS_1, AT_12);
    model->ops->free(model);
}

TEST(an_option_that_is_no_capability_is_refused)
{
    struct model *model = model_make(NULL, "shuffler", "lacks=wheels", &error);

    CU_ASSERT_PTR_NULL(model);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "lacks=wheels"));
}

TEST(a_hello_of_version_1_ends_a_conversation_of_version_2)
{
    struct model *model = make("shuffler", "protocol=2");

    tell(model, HELLO_1, AT_12);
    tell(model, HELLO_2, AT_12);
    expect_said(model, KNOWS_2 " " IN_VERSION_2, AT_12);
    tell(model, "07 01 01 03 02 b0 55 00", AT_12); /* STATUS of version 1 */
    expect_said(model, "", AT_12);
    tell(model, HELLO_1, AT_12);
    expect_said(model, KNOWS_2, AT_12);
    tell(model, "07 01 01 03 02 b0 55 00", AT_12);
    expect_said(model, "06 01 01 83 02 01 01 01 01 02 34 01 01 01 03 72 48 00", AT_12);
    model->ops->free(model);
}

TEST(version_1_has_no_events_of_a_vendor)
{
    struct model *model = make("shuffler", "protocol=2,fault=vendor@status:1");
    uint8_t said[1024];

    tell(model, HELLO_1, AT_12);
    tell(model, HELLO_2, AT_12);
    tell(model, STATUS, AT_12);
    while (model->ops->send(model, said, sizeof said, AT_12))
        ;
    tell(model, HELLO_1, AT_12);
    expect_said(model, KNOWS_2, AT_12); /* no event waits, and none comes */
    model->ops->free(model);
}

/* Its first event was sent in version 1, and was not acknowledged. */
TEST(an_event_that_waited_is_sent_as_version_2_has_it)
{
    struct model *model = make("shoe", "protocol=2");
    static const card_t ace = 0x3c;

    CU_ASSERT_EQUAL_FATAL(model_kind_find("shoe", NULL)->load(model, &ace, 1, 0, &error), 0);
    tell(model, "05 01 02 01 01 06 c0 ff ee c0 17 00", 0);
    expect_said(model, "0a 01 02 81 01 01 11 02 1b ea 00 04 01 02 45 04 01 b0 49 00", 0);
    tell(model, "05 02 02 01 02 06 c0 ff ef f6 91 00", 0);
    expect_said(model, "08 02 02 81 02 02 11 02 01 01 04 07 7a a2 00 04 02 02 45 04 01 5e 9b 00",
                0);
    tell(model, "04 02 02 c5 03 ee 69 00", 0);
    expect_said(model, "05 02 02 42 01 01 01 06 02 34 03 af 91 00", 0);
    model->ops->free(model);
}

TEST(bye_waits_for_every_event)
{
    struct model *model = make("shuffler", "protocol=2");

    tell(model, HELLO_1, AT_12);
    tell(model, HELLO_2, AT_12);
    tell(model, "08 02 01 14 03 01 f9 ea 00", AT_12);
    tell(model, "05 02 01 14 04 03 70 5c 00", AT_12);
    expect_said(model,
                KNOWS_2 " " IN_VERSION_2 " 06 02 01 94 03 01 01 01 04 01 b0 12 00 05 02 01 94 04 "
                        "01 01 01 04 01 d2 02 00 04 02 01 45 04 01 c5 47 00",
                AT_12);
    tell(model, "07 02 01 06 09 65 17 00", AT_12);
    expect_said(model, "09 02 01 ff 09 06 06 30 53 00", AT_12);
    tell(model, "04 02 01 c5 03 b7 39 00", AT_12);
    expect_said(model, "05 02 01 45 01 03 e6 57 00", AT_12);
    tell(model, "07 02 01 c5 01 a7 18 00", AT_12);
    tell(model, "07 02 01 06 0b 45 55 00", AT_12);
    expect_said(model, "07 02 01 86 0b 5e cd 00", AT_12);
    tell(model, "07 02 01 03 0c ca 47 00", AT_12);
    expect_said(model, "09 02 01 ff 0c 03 04 04 14 00", AT_12);
    model->ops->free(model);
}

TEST(a_proof_is_the_page_s)
{
    static const uint8_t key = TERMINAL_CODE,
                         wanted[WIRE_PROOF_SIZE] = {0x67, 0x33, 0xb0, 0xff, 0x1f, 0x62, 0xb6, 0x63,
                                                    0x86, 0xf5, 0x92, 0x6b, 0x5b, 0xce, 0xce, 0x56};
    uint8_t challenge[WIRE_PROOF_SIZE], proof[WIRE_PROOF_SIZE];

    for (uint8_t i = 0; i < WIRE_PROOF_SIZE; i++)
        challenge[i] = (uint8_t)(0x10 + i);
    terminal_prove("4711", 4, challenge, TERMINAL_KEY, &key, 1, proof);
    CU_ASSERT(!memcmp(proof, wanted, sizeof proof));
    terminal_prove("4712", 4, challenge, TERMINAL_KEY, &key, 1, proof);
    CU_ASSERT(memcmp(proof, wanted, sizeof proof) != 0);
}
