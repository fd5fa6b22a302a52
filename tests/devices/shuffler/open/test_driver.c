/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The shuffler's driver: against golden frames, and against the model on emu:, pty: and tcp:. */
#include <stdlib.h>
#include <string.h>

#include "devices/shuffler/open/model.h"
#include "devices/shuffler/open/wire.h"
#include "tests/support/devices/model_pump.h"
#include "tests/support/devices/puppet.h"
#include "tests/support/devices/scripted.h"
#include "tests/support/devices/shuffler_golden.h"
#include "tests/support/suite.h"

static struct clock clock_;
static struct hal hal;
static struct link *wire;
static struct shuffler *shuffler;
static struct shuffler_event event;
static struct error error;
static struct model *model;

static struct model *make_model(void *context, const char *name, const char *options,
                                struct error *said)
{
    (void)context;
    (void)name;
    model = shuffler_model_new(options, said);
    return model;
}

static int open_shuffler(void)
{
    return scripted_open((struct device **)&shuffler, DEVICE_SHUFFLER, "open", wire, "", &error);
}

static void set_up(const char *address)
{
    clock_virtual(&clock_, 1000);
    CU_ASSERT_EQUAL_FATAL(hal_open(&hal, &clock_, &error), 0);
    hal.make_model = make_model;
    CU_ASSERT_EQUAL_FATAL(link_open(&wire, &hal, address, &error), 0);
    CU_ASSERT_EQUAL_FATAL(open_shuffler(), 0);
}

static void tear_down(void)
{
    shuffler_close(shuffler);
    link_close(wire);
    hal_close(&hal);
}

/* The kind of the next event, 100 for none, or the error. */
static int next(void)
{
    int result = shuffler_next(shuffler, &event, clock_deadline(&clock_, 60000), &error);

    return result == 1 ? (int)event.kind : result ? result : 100;
}

static const struct shuffler_program flush_rush = {.count = 7, .sizes = {4, 4, 4, 4, 4, 4, 4}};
static const struct shuffler_program catch = {.count = 3, .sizes = {3, 3, 3}, .draws = 3};

static void shuffle(const struct shuffler_program *program)
{
    CU_ASSERT_EQUAL_FATAL(shuffler_program(shuffler, program, &error), 0);
    CU_ASSERT_EQUAL_FATAL(shuffler_shuffle(shuffler, &error), 0);
}

static void in_order(card_t order[DECK_SIZE])
{
    for (unsigned i = 0; i < DECK_SIZE; i++)
        order[i] = card_from_index(i);
}

/* The device's half of the round in hex is played by a puppet; the host's half is compared. */
static void put_golden(struct puppet *puppet, uint8_t *expected, size_t *count)
{
    uint8_t bytes[256];

    *count = 0;
    for (size_t i = 0; i < shuffler_golden_count; i++) {
        size_t size = shuffler_golden_bytes(&shuffler_golden[i], bytes);

        if (shuffler_golden[i].from_device) {
            puppet_put(puppet, bytes, size);
        } else {
            memcpy(expected + *count, bytes, size);
            *count += size;
        }
    }
}

static void play_golden_deal(void)
{
    CU_ASSERT_EQUAL(next(), SHUFFLER_EVENT_SHUFFLED);
    CU_ASSERT_EQUAL(event.shuffled.number, 1);
    CU_ASSERT_TRUE(event.shuffled.loaded);
    CU_ASSERT_TRUE(event.test_mode);
    CU_ASSERT_EQUAL(shuffler_press(shuffler, &error), 0);
    CU_ASSERT_EQUAL(next(), SHUFFLER_EVENT_PRESENT);
    CU_ASSERT_EQUAL(event.packet.index, 0);
    CU_ASSERT_EQUAL(event.packet.size, 4);
    CU_ASSERT_EQUAL(event.packet.programmed, 4);
    CU_ASSERT(!memcmp(event.packet.cards, "\x3c\x18\x27\x00", 4));
    CU_ASSERT_EQUAL(next(), SHUFFLER_EVENT_TAKEN);
    CU_ASSERT_EQUAL(event.taken, 0);
    CU_ASSERT_EQUAL(next(), SHUFFLER_EVENT_FAULT);
    CU_ASSERT_EQUAL(event.fault.code, SHUFFLER_JAM);
    CU_ASSERT_EQUAL(event.fault.detail, 1);
    CU_ASSERT_EQUAL(shuffler_clear_error(shuffler, SHUFFLER_JAM, &error), 0);
    CU_ASSERT_EQUAL(next(), SHUFFLER_EVENT_CLEARED);
    CU_ASSERT_EQUAL(event.fault.code, SHUFFLER_JAM);
    CU_ASSERT_EQUAL(next(), SHUFFLER_EVENT_PRESENT);
    CU_ASSERT_EQUAL(event.packet.index, 1);
    CU_ASSERT(!memcmp(event.packet.cards, "\x01\x02\x03\x04", 4));
    CU_ASSERT_EQUAL(next(), SHUFFLER_EVENT_TAKEN);
    CU_ASSERT_EQUAL(event.taken, 1);
    CU_ASSERT_EQUAL(next(), SHUFFLER_EVENT_BUTTON);
    CU_ASSERT_EQUAL(event.button, REFUSED_STATE);
}

static void play_golden_end(void)
{
    const struct shuffler_program custom = {.burn = 1, .count = 2, .sizes = {5, 2}};
    struct log_entry entries[LOG_REPLY_MAX];
    struct shuffler_status status;
    unsigned count;
    uint32_t total;

    CU_ASSERT_EQUAL(shuffler_status(shuffler, &status, &error), 0);
    CU_ASSERT_EQUAL(status.state, SHUFFLER_WAITING);
    CU_ASSERT_EQUAL(status.error, SHUFFLER_NO_FAULT);
    CU_ASSERT_TRUE(status.test_mode);
    CU_ASSERT_EQUAL(status.presented, 2);
    CU_ASSERT_EQUAL(status.taken, 2);
    CU_ASSERT_EQUAL(status.left, 44);
    CU_ASSERT_EQUAL(status.shuffle, 1);
    CU_ASSERT(scripted_is() || status.program == SHUFFLER_FLUSH_RUSH);
    CU_ASSERT_EQUAL(status.packets, 2);
    CU_ASSERT_EQUAL(device_log(&shuffler->device, 8, entries, &count, &total, &error), 0);
    CU_ASSERT_EQUAL(total, 10);
    CU_ASSERT_EQUAL(count, 2);
    CU_ASSERT_EQUAL(entries[0].number, 8);
    CU_ASSERT_EQUAL(entries[0].millis, 21912);
    CU_ASSERT_EQUAL(entries[0].code, 0x42);
    CU_ASSERT_EQUAL(entries[0].detail, 1);
    CU_ASSERT_EQUAL(entries[1].value, 4);
    CU_ASSERT_EQUAL(shuffler_return_deck(shuffler, &error), 0);
    CU_ASSERT_EQUAL(shuffler_press(shuffler, &error), ERROR_DEVICE);
    CU_ASSERT_EQUAL(device_refusal(&shuffler->device), REFUSED_STATE);
    CU_ASSERT_EQUAL(shuffler_program(shuffler, &custom, &error), 0);
    CU_ASSERT_EQUAL(device_refusal(&shuffler->device), 0);
    CU_ASSERT_EQUAL(next(), SHUFFLER_EVENT_POWER_UP);
    CU_ASSERT_EQUAL(event.power.state, SHUFFLER_IDLE);
    CU_ASSERT_EQUAL(event.power.presented, 2);
    CU_ASSERT_EQUAL(event.power.taken, 2);
}

TEST(the_round_in_hex_is_spoken_to_the_byte)
{
    const struct shuffler_program one = {.count = 2, .sizes = {4, 4}};
    struct wire_identity identity;
    struct puppet_stage stage;
    struct puppet *puppet;
    uint8_t expected[4096], got[4096];
    card_t order[DECK_SIZE] = {0x3c, 0x18, 0x27, 0x00};
    size_t count;

    for (unsigned i = 0, end = 4; i < DECK_SIZE; i++)
        if (!memchr(order, card_from_index(i), 4))
            order[end++] = card_from_index(i);
    clock_virtual(&clock_, 0x00c0ffee);
    CU_ASSERT_EQUAL_FATAL(hal_open(&hal, &clock_, &error), 0);
    puppet_stage_open(&stage, &hal);
    puppet = puppet_add(&stage);
    /* A script is given all that has come at once, and no reply may come before it was asked for.
     */
    puppet->mouthful = scripted_is() ? 1 : 0;
    put_golden(puppet, expected, &count);
    CU_ASSERT_EQUAL_FATAL(link_open(&wire, &hal, "emu:puppet0", &error), 0);
    CU_ASSERT_EQUAL_FATAL(open_shuffler(), 0);
    CU_ASSERT_EQUAL(device_identity(&shuffler->device, &identity, &error), 0);
    CU_ASSERT_STRING_EQUAL(identity.model, "DP-SHUF1");
    CU_ASSERT_EQUAL(shuffler_test_mode(shuffler, true, &error), 0);
    CU_ASSERT_EQUAL(next(), SHUFFLER_EVENT_TEST_MODE);
    CU_ASSERT_TRUE(event.test_mode);
    CU_ASSERT_EQUAL(shuffler_load_order(shuffler, order, &error), 0);
    shuffle(&one);
    play_golden_deal();
    play_golden_end();
    CU_ASSERT_EQUAL(puppet_take(puppet, got, sizeof got), count);
    CU_ASSERT(!memcmp(got, expected, count));
    tear_down();
    puppet_stage_close(&stage);
}

/* Of a packet, the burn first and draws last. */
static unsigned size_of(const struct shuffler_program *program, unsigned packet)
{
    unsigned burned = program->burn ? 1 : 0;

    if (packet < burned)
        return program->burn;
    return packet < program->count + burned ? program->sizes[packet - burned] : 1;
}

/* A whole round; the cards in a row. */
static unsigned play_round(const struct shuffler_program *program, card_t *cards)
{
    unsigned packets = program->count + (program->burn ? 1u : 0u);
    unsigned count = 0, taken = 0;

    shuffle(program);
    CU_ASSERT_EQUAL_FATAL(next(), SHUFFLER_EVENT_SHUFFLED);
    CU_ASSERT_EQUAL_FATAL(shuffler_press(shuffler, &error), 0);
    while (taken < packets + program->draws) {
        CU_ASSERT_EQUAL_FATAL(next(), SHUFFLER_EVENT_PRESENT);
        CU_ASSERT_EQUAL(event.packet.index, taken);
        CU_ASSERT_EQUAL(event.packet.size, size_of(program, taken));
        CU_ASSERT_EQUAL(event.packet.programmed, event.packet.size);
        memcpy(cards + count, event.packet.cards, event.packet.size);
        count += event.packet.size;
        CU_ASSERT_EQUAL_FATAL(next(), SHUFFLER_EVENT_TAKEN);
        CU_ASSERT_EQUAL(event.taken, taken++);
        if (taken >= packets && taken < packets + program->draws)
            CU_ASSERT_EQUAL_FATAL(shuffler_press(shuffler, &error), 0);
    }
    CU_ASSERT_EQUAL(shuffler_return_deck(shuffler, &error), 0);
    return count;
}

static void expect_each_once(const card_t *cards, unsigned count)
{
    uint64_t seen = 0;

    for (unsigned i = 0; i < count; i++) {
        CU_ASSERT_EQUAL(seen >> cards[i] & 1, 0);
        seen |= UINT64_C(1) << cards[i];
    }
}

TEST(every_program_is_dealt_without_a_card_twice)
{
    static const struct shuffler_program programs[] = {
        {.count = 7, .sizes = {4, 4, 4, 4, 4, 4, 4}},
        {.count = 7, .sizes = {3, 3, 3, 3, 3, 3, 3}, .draws = 7, .burn = 1},
        {.count = 9, .sizes = {3, 3, 3, 3, 3, 3, 3, 3, 4}},
        {.count = 3, .sizes = {20, 30, 2}},
    };
    static const unsigned sizes[] = {28, 29, 28, 52};
    card_t cards[DECK_SIZE];

    set_up("emu:shuffler");
    for (unsigned i = 0; i < 4; i++) {
        CU_ASSERT_EQUAL(play_round(&programs[i], cards), sizes[i]);
        expect_each_once(cards, sizes[i]);
    }
    if (!scripted_is()) {
        CU_ASSERT_EQUAL(device_host(&shuffler->device)->counts.retries, 0);
        CU_ASSERT_EQUAL(device_host(&shuffler->device)->counts.lost, 0);
    }
    tear_down();
}

TEST(events_carry_the_time_of_the_device)
{
    nanos_t start;

    set_up("emu:shuffler?shuffle=7000,deal=20,take=30");
    start = clock_now(&clock_);
    shuffle(&flush_rush);
    CU_ASSERT_EQUAL(next(), SHUFFLER_EVENT_SHUFFLED);
    CU_ASSERT_EQUAL(event.time, start + 7000 * NANOS_PER_MILLI);
    CU_ASSERT_EQUAL(shuffler_press(shuffler, &error), 0);
    CU_ASSERT_EQUAL(next(), SHUFFLER_EVENT_PRESENT);
    CU_ASSERT_EQUAL(event.time, start + 7020 * NANOS_PER_MILLI);
    CU_ASSERT_EQUAL(next(), SHUFFLER_EVENT_TAKEN);
    CU_ASSERT_EQUAL(event.time, start + 7050 * NANOS_PER_MILLI);
    tear_down();
}

/* Real time: as short as the device can be made. */
static void play_on(struct model *played, struct model_pump *pump)
{
    card_t order[DECK_SIZE], cards[DECK_SIZE];
    struct wire_identity identity;

    in_order(order);
    clock_real(&clock_);
    CU_ASSERT_EQUAL_FATAL(hal_open(&hal, &clock_, &error), 0);
    CU_ASSERT_EQUAL_FATAL(link_open(&wire, &hal, model_pump_address(pump), &error), 0);
    CU_ASSERT_EQUAL_FATAL(open_shuffler(), 0);
    CU_ASSERT_EQUAL(device_identity(&shuffler->device, &identity, &error), 0);
    CU_ASSERT_STRING_EQUAL(identity.serial, "S-99");
    CU_ASSERT_EQUAL(shuffler_test_mode(shuffler, true, &error), 0);
    CU_ASSERT_EQUAL(next(), SHUFFLER_EVENT_TEST_MODE);
    CU_ASSERT_EQUAL(shuffler_load_order(shuffler, order, &error), 0);
    CU_ASSERT_EQUAL(play_round(&flush_rush, cards), 28);
    CU_ASSERT(!memcmp(cards, order, 28));
    CU_ASSERT_EQUAL(play_round(&catch, cards), 12);
    tear_down();
    model_pump_stop(pump);
    played->ops->free(played);
}

TEST(a_round_is_played_over_a_terminal)
{
    struct model *played = shuffler_model_new("shuffle=5,deal=1,take=1,serial=S-99", &error);

    play_on(played, model_pump_pty(played));
}

TEST(a_round_is_played_over_tcp)
{
    struct model *played = shuffler_model_new("shuffle=5,deal=1,take=1,serial=S-99", &error);

    play_on(played, model_pump_tcp(played));
}

/* Everything that the device reported, however often its power went. */
static unsigned play_with_power_cycle(unsigned step, card_t *cards, unsigned *steps)
{
    unsigned count = 0, packets = 0, draws = 0;

    set_up("emu:shuffler");
    shuffle(&catch);
    for (*steps = 0; packets < 6 || event.kind != SHUFFLER_EVENT_TAKEN; ++*steps) {
        if (*steps == step)
            shuffler_model_power_cycle(model, clock_now(&clock_));
        CU_ASSERT_FATAL(next() >= 0 && event.kind <= SHUFFLER_EVENT_BUTTON);
        if (event.kind == SHUFFLER_EVENT_SHUFFLED)
            CU_ASSERT_EQUAL(shuffler_press(shuffler, &error), 0);
        if (event.kind == SHUFFLER_EVENT_FAULT) {
            CU_ASSERT_EQUAL(event.fault.code, SHUFFLER_POWER_LOST);
            CU_ASSERT_EQUAL(next(), SHUFFLER_EVENT_POWER_UP);
            CU_ASSERT_EQUAL(shuffler_clear_error(shuffler, SHUFFLER_POWER_LOST, &error), 0);
        }
        if (event.kind == SHUFFLER_EVENT_TAKEN && packets >= 3 && draws < 3) {
            CU_ASSERT_EQUAL(shuffler_press(shuffler, &error), 0);
            draws++;
        }
        if (event.kind != SHUFFLER_EVENT_PRESENT)
            continue;
        CU_ASSERT_EQUAL(event.packet.index, packets++);
        memcpy(cards + count, event.packet.cards, event.packet.size);
        count += event.packet.size;
    }
    tear_down();
    return count;
}

TEST(a_power_cycle_at_any_step_changes_no_card_and_loses_none)
{
    card_t plain[DECK_SIZE], cycled[DECK_SIZE];
    unsigned steps, ignored;

    CU_ASSERT_EQUAL(play_with_power_cycle(UINT32_MAX, plain, &steps), 12);
    CU_ASSERT_EQUAL(steps, 13);
    for (unsigned step = 0; step < steps; step++) {
        CU_ASSERT_EQUAL(play_with_power_cycle(step, cycled, &ignored), 12);
        CU_ASSERT(!memcmp(plain, cycled, 12));
    }
}

TEST(a_host_that_comes_late_joins_the_round)
{
    struct shuffler *second;

    set_up("emu:shuffler");
    shuffle(&flush_rush);
    CU_ASSERT_EQUAL(next(), SHUFFLER_EVENT_SHUFFLED);
    CU_ASSERT_EQUAL(shuffler_press(shuffler, &error), 0);
    for (int i = 0; i < 3; i++)
        CU_ASSERT(next() >= 0);
    CU_ASSERT_EQUAL(event.kind, SHUFFLER_EVENT_PRESENT);
    second = shuffler;
    clock_advance(&clock_, clock_now(&clock_) + NANOS_PER_MILLI);
    CU_ASSERT_EQUAL_FATAL(open_shuffler(), 0);
    shuffler_close(second);
    CU_ASSERT_EQUAL(next(), SHUFFLER_EVENT_TAKEN);
    CU_ASSERT_EQUAL(event.taken, 1);
    CU_ASSERT_EQUAL(next(), SHUFFLER_EVENT_PRESENT);
    CU_ASSERT_EQUAL(event.packet.index, 2);
    CU_ASSERT_EQUAL(event.packet.programmed, 0);
    tear_down();
}

/* What waited in the device is older than its status, and no contradiction. */
TEST(events_that_waited_for_a_host_are_no_contradiction)
{
    struct shuffler *first;

    set_up("emu:shuffler");
    shuffle(&flush_rush);
    CU_ASSERT_EQUAL(next(), SHUFFLER_EVENT_SHUFFLED);
    CU_ASSERT_EQUAL(shuffler_press(shuffler, &error), 0);
    clock_advance(&clock_, clock_now(&clock_) + 5 * NANOS_PER_SECOND);
    first = shuffler;
    CU_ASSERT_EQUAL_FATAL(open_shuffler(), 0);
    shuffler_close(first);
    for (unsigned i = 0; i < 7; i++) {
        CU_ASSERT_EQUAL(next(), SHUFFLER_EVENT_PRESENT);
        CU_ASSERT_EQUAL(event.packet.index, i);
        CU_ASSERT_EQUAL(next(), SHUFFLER_EVENT_TAKEN);
    }
    tear_down();
}

TEST(an_unplugged_device_is_gone)
{
    set_up("emu:shuffler?fault=unplug@frames:4");
    CU_ASSERT_EQUAL(shuffler_program(shuffler, &flush_rush, &error), 0);
    CU_ASSERT_EQUAL(shuffler_shuffle(shuffler, &error), ERROR_DEVICE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "gone"));
    CU_ASSERT_EQUAL(device_refusal(&shuffler->device), 0);
    CU_ASSERT_EQUAL(next(), ERROR_DEVICE);
    tear_down();
}

/* What the driver itself finds; the rest is for whoever knows the game. */
static void expect_lie(const char *fault, const char *word)
{
    char address[64] = "emu:shuffler?fault=";
    int result;

    set_up(strcat(address, fault));
    shuffle(&flush_rush);
    CU_ASSERT_EQUAL(next(), SHUFFLER_EVENT_SHUFFLED);
    CU_ASSERT_EQUAL(shuffler_press(shuffler, &error), 0);
    do {
        result = next();
    } while (result >= 0 && result < 100);
    CU_ASSERT_EQUAL(result, ERROR_DEVICE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, word));
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "emu:shuffler"));
    CU_ASSERT(next() >= 0);
    tear_down();
}

TEST(a_device_that_lies_about_its_packets_is_found)
{
    expect_lie("leak@packet:2", "PACKET PRESENT 1 has 4 cards and 5 bytes");
    expect_lie("whisper@packet:2", "event 0x60");
    expect_lie("twice@card:2", "twice");
}

TEST(a_packet_of_another_size_than_programmed_is_shown_as_such)
{
    set_up("emu:shuffler?fault=short@packet:1,fault=long@packet:2");
    shuffle(&flush_rush);
    CU_ASSERT_EQUAL(next(), SHUFFLER_EVENT_SHUFFLED);
    CU_ASSERT_EQUAL(shuffler_press(shuffler, &error), 0);
    CU_ASSERT_EQUAL(next(), SHUFFLER_EVENT_PRESENT);
    CU_ASSERT_EQUAL(event.packet.size, 3);
    CU_ASSERT_EQUAL(event.packet.programmed, 4);
    CU_ASSERT_EQUAL(next(), SHUFFLER_EVENT_TAKEN);
    CU_ASSERT_EQUAL(next(), SHUFFLER_EVENT_PRESENT);
    CU_ASSERT_EQUAL(event.packet.size, 5);
    CU_ASSERT_EQUAL(event.packet.programmed, 4);
    tear_down();
}

TEST(a_device_that_hides_its_test_mode_is_found)
{
    card_t order[DECK_SIZE];
    struct shuffler_status status;

    in_order(order);
    set_up("emu:shuffler?fault=silent-test");
    CU_ASSERT_EQUAL(shuffler_test_mode(shuffler, true, &error), 0);
    CU_ASSERT_EQUAL(shuffler_load_order(shuffler, order, &error), 0);
    CU_ASSERT_EQUAL(shuffler_status(shuffler, &status, &error), ERROR_DEVICE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "not in test mode"));
    shuffle(&flush_rush);
    CU_ASSERT_EQUAL(next(), ERROR_DEVICE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "SHUFFLED 1 says not in test mode"));
    tear_down();
}

TEST(test_mode_that_somebody_else_turned_on_is_told)
{
    set_up("emu:shuffler");
    CU_ASSERT_EQUAL(shuffler_model_load(model, (card_t[]){0x3c}, 1, clock_now(&clock_), &error), 0);
    CU_ASSERT_EQUAL(next(), SHUFFLER_EVENT_TEST_MODE);
    CU_ASSERT_TRUE(event.test_mode);
    shuffle(&flush_rush);
    CU_ASSERT_EQUAL(next(), SHUFFLER_EVENT_SHUFFLED);
    CU_ASSERT_TRUE(event.test_mode);
    CU_ASSERT_TRUE(event.shuffled.loaded);
    tear_down();
}

TEST(a_driver_that_does_not_exist_is_named)
{
    struct shuffler *none;

    set_up("emu:shuffler");
    CU_ASSERT_EQUAL(shuffler_open(&none, "shfl", wire, &error), ERROR_CONFIG);
    CU_ASSERT_PTR_NULL(none);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "there is no driver 'shfl' for a shuffler"));
    tear_down();
    shuffler_close(NULL);
}

#define FOURS                                                                                      \
    {                                                                                              \
        4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4                                                   \
    }
#define THREES                                                                                     \
    {                                                                                              \
        3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3                                          \
    }

TEST(a_program_that_cannot_be_dealt_or_said_is_not_sent)
{
    static const struct {
        struct shuffler_program program;
        bool fits;
    } tried[] = {
        {{.count = 13, .sizes = FOURS}, true},
        {{.count = 13, .sizes = FOURS, .burn = 1}, false},
        {{.count = 14, .sizes = FOURS}, false},
        {{.count = 8, .sizes = THREES, .draws = 8}, true},
        {{.count = 8, .sizes = THREES, .draws = 7}, false},
        {{.count = 9, .sizes = THREES, .draws = 9}, false},
        {{.count = 8, .sizes = FOURS, .draws = 8}, false},
        {{.count = 2, .sizes = {3, 4}, .draws = 1}, false},
        {{.count = 8, .sizes = THREES}, true},
        {{.count = 17, .sizes = THREES, .burn = 1}, true},
        {{.count = 17, .sizes = THREES, .burn = 2}, false},
        {{.count = 1, .sizes = {52}}, true},
        {{.count = 1, .sizes = {53}}, false},
        {{.count = 2, .sizes = {4, 0}}, false},
        {{.count = 0}, false},
        {{.count = 53}, false},
    };
    uint64_t requests = 0;

    set_up("emu:shuffler");
    if (!scripted_is())
        requests = device_host(&shuffler->device)->counts.requests;
    for (size_t i = 0; i < sizeof tried / sizeof tried[0]; i++) {
        CU_ASSERT_EQUAL(shuffler_program(shuffler, &tried[i].program, &error),
                        tried[i].fits ? 0 : ERROR_CONFIG);
        requests += tried[i].fits;
    }
    if (!scripted_is())
        CU_ASSERT_EQUAL(device_host(&shuffler->device)->counts.requests, requests);
    tear_down();
}

/* Version 1 numbers three deals; any other is custom, and the device knows which it was told. */
TEST(a_deal_that_the_protocol_knows_is_programmed_by_its_number)
{
    static const struct {
        struct shuffler_program program;
        enum shuffler_game number;
    } tried[] = {
        {{.count = 7, .sizes = FOURS}, SHUFFLER_FLUSH_RUSH},
        {{.count = 13, .sizes = FOURS}, SHUFFLER_CUSTOM},
        {{.count = 7, .sizes = THREES, .draws = 7, .burn = 2}, SHUFFLER_THREE_CARD_CATCH},
        {{.count = 3, .sizes = {3, 3, 4}, .burn = 1}, SHUFFLER_CHASE_THE_FLUSH},
        {{.count = 8, .sizes = THREES}, SHUFFLER_CUSTOM},
        {{.count = 3, .sizes = {3, 4, 3}}, SHUFFLER_CUSTOM},
    };
    struct shuffler_status status;

    set_up("emu:shuffler");
    for (size_t i = 0; i < sizeof tried / sizeof tried[0]; i++) {
        CU_ASSERT_EQUAL(shuffler_program(shuffler, &tried[i].program, &error), 0);
        CU_ASSERT_EQUAL(shuffler_status(shuffler, &status, &error), 0);
        CU_ASSERT(scripted_is() || status.program == tried[i].number);
        CU_ASSERT_TRUE(status.is_as_programmed);
        CU_ASSERT_EQUAL(status.packets, tried[i].program.count + (tried[i].program.burn > 0));
    }
    tear_down();
}

/* Both ends know the largest deals: as many packets as a deck has cards. */
TEST(fifty_two_packets_of_one_are_a_program)
{
    struct shuffler_program program = {.count = DECK_SIZE};
    card_t cards[DECK_SIZE];

    memset(program.sizes, 1, sizeof program.sizes);
    set_up("emu:shuffler");
    CU_ASSERT_EQUAL(play_round(&program, cards), DECK_SIZE);
    expect_each_once(cards, DECK_SIZE);
    program.burn = 1;
    CU_ASSERT_EQUAL(shuffler_program(shuffler, &program, &error), ERROR_CONFIG);
    tear_down();
}

TEST(an_order_that_is_no_deck_is_not_sent)
{
    card_t order[DECK_SIZE];

    in_order(order);
    set_up("emu:shuffler");
    CU_ASSERT_EQUAL(shuffler_load_order(shuffler, order, &error), ERROR_DEVICE);
    CU_ASSERT_EQUAL(device_refusal(&shuffler->device), REFUSED_TEST_MODE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "refuses LOAD ORDER"));
    order[51] = order[0];
    CU_ASSERT_EQUAL(shuffler_load_order(shuffler, order, &error), ERROR_CONFIG);
    order[51] = 0x0d;
    CU_ASSERT_EQUAL(shuffler_load_order(shuffler, order, &error), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "0x0d in place 52"));
    tear_down();
}

TEST(states_and_faults_have_names)
{
    CU_ASSERT_STRING_EQUAL(shuffler_state_text(SHUFFLER_IDLE), "idle");
    CU_ASSERT_STRING_EQUAL(shuffler_state_text(SHUFFLER_ERROR), "error");
    CU_ASSERT_STRING_EQUAL(shuffler_state_text(0), "unknown state");
    CU_ASSERT_STRING_EQUAL(shuffler_state_text(8), "unknown state");
    CU_ASSERT_STRING_EQUAL(shuffler_fault_text(8), "power lost while moving");
    CU_ASSERT_STRING_EQUAL(shuffler_fault_text(9), "unknown fault");
}
