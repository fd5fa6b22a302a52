/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Faults of the emulated shuffler, power losses, and devices that lie. */
#include <string.h>

#include "tests/support/devices/shuffler_table.h"
#include "tests/support/suite.h"

static struct shuffler_table table;
static struct raw_host *const host = &table.host;

static const uint8_t flush_rush[] = {SHUFFLER_FLUSH_RUSH, 6, 0};

/* What a fault reports, and where clearing it leads. */
static const struct {
    const char *spec;
    uint8_t code, detail, leads_to;
} faults[] = {
    {"fault=jam@packet:1", 1, 0, SHUFFLER_DEALING},
    {"fault=jam@packet:3", 1, 2, SHUFFLER_DEALING},
    {"fault=misread@card:1", 2, 1, SHUFFLER_DEALING},
    {"fault=misread@card:8", 2, 8, SHUFFLER_DEALING},
    {"fault=misread@card:28", 2, 28, SHUFFLER_DEALING},
    {"fault=missing@shuffle:1", 3, 51, SHUFFLER_IDLE},
    {"fault=extra@shuffle:1", 4, 53, SHUFFLER_IDLE},
    {"fault=duplicate@shuffle:1", 5, 52, SHUFFLER_IDLE},
    {"fault=door@packet:2", 6, 1, SHUFFLER_DEALING},
    {"fault=cover@shuffle:1", 7, 0xff, SHUFFLER_SHUFFLING},
    {"fault=power@packet:7", 8, 6, SHUFFLER_DEALING},
};

#define FAULTS (sizeof faults / sizeof faults[0])

static void expect_fault(uint8_t code, uint8_t detail)
{
    const struct frame *event = raw_host_last(host, SHUFFLER_FAULT);

    CU_ASSERT_PTR_NOT_NULL_FATAL(event);
    CU_ASSERT_EQUAL(event->size, 2);
    CU_ASSERT_EQUAL(event->payload[0], code);
    CU_ASSERT_EQUAL(event->payload[1], detail);
    CU_ASSERT_EQUAL(shuffler_table_state(&table), SHUFFLER_ERROR);
    CU_ASSERT_EQUAL(host->reply.payload[1], code);
    CU_ASSERT_EQUAL(host->reply.payload[2], PEER_FLAG_ERROR);
}

TEST(each_fault_is_reported_survives_a_power_cycle_and_is_cleared)
{
    for (size_t i = 0; i < FAULTS; i++) {
        shuffler_table_open(&table, faults[i].spec);
        shuffler_table_play(&table);
        expect_fault(faults[i].code, faults[i].detail);
        host->count = 0;
        shuffler_model_power_cycle(table.model, host->now);
        raw_host_listen(host, 0);
        CU_ASSERT_EQUAL(host->count, 1);
        CU_ASSERT_EQUAL(host->events[0].type, SHUFFLER_POWER_UP);
        CU_ASSERT_EQUAL(host->events[0].payload[0], SHUFFLER_ERROR);
        CU_ASSERT_EQUAL(host->events[0].payload[1], faults[i].code);
        CU_ASSERT_EQUAL(shuffler_table_ask(&table, WIRE_CLEAR_ERROR, &faults[i].code, 1), 0);
        CU_ASSERT_EQUAL(raw_host_last(host, SHUFFLER_FAULT_CLEARED)->payload[0], faults[i].code);
        CU_ASSERT_EQUAL(shuffler_table_state(&table), faults[i].leads_to);
        CU_ASSERT_EQUAL(host->reply.payload[2], 0);
        shuffler_table_close(&table);
    }
}

TEST(a_cleared_fault_resumes_the_round_with_the_same_cards)
{
    card_t plain[DECK_SIZE], mended[DECK_SIZE];

    shuffler_table_open(&table, "");
    shuffler_table_play(&table);
    CU_ASSERT_EQUAL(shuffler_table_dealt(&table, plain), 28);
    shuffler_table_close(&table);
    for (size_t i = 0; i < FAULTS; i++) {
        shuffler_table_open(&table, faults[i].spec);
        shuffler_table_play(&table);
        CU_ASSERT_EQUAL(shuffler_table_ask(&table, WIRE_CLEAR_ERROR, &faults[i].code, 1), 0);
        raw_host_listen(host, MILLIS(20000));
        if (shuffler_table_state(&table) == SHUFFLER_IDLE) {
            shuffler_table_play(&table);
        } else if (shuffler_table_state(&table) == SHUFFLER_READY) {
            CU_ASSERT_EQUAL(shuffler_table_ask(&table, SHUFFLER_BUTTON, NULL, 0), 0);
            raw_host_listen(host, MILLIS(20000));
        }
        CU_ASSERT_EQUAL(shuffler_table_state(&table), SHUFFLER_WAITING);
        CU_ASSERT_EQUAL(shuffler_table_dealt(&table, mended), 28);
        CU_ASSERT(!memcmp(plain, mended, 28));
        shuffler_table_close(&table);
    }
}

TEST(a_refused_deck_is_not_reported_as_shuffled)
{
    shuffler_table_open(&table, "fault=missing@shuffle:1");
    shuffler_table_play(&table);
    CU_ASSERT_PTR_NULL(raw_host_last(host, SHUFFLER_SHUFFLED));
    shuffler_table_close(&table);
}

TEST(an_open_door_cannot_be_cleared_for_two_seconds)
{
    shuffler_table_open(&table, "fault=door@packet:1");
    shuffler_table_ready(&table, flush_rush);
    CU_ASSERT_EQUAL(shuffler_table_ask(&table, SHUFFLER_BUTTON, NULL, 0), 0);
    raw_host_listen(host, MILLIS(300));
    CU_ASSERT_EQUAL(shuffler_table_ask(&table, WIRE_CLEAR_ERROR, "\6", 1), REFUSED_STATE);
    raw_host_listen(host, MILLIS(2000) - 1);
    CU_ASSERT_EQUAL(shuffler_table_ask(&table, WIRE_CLEAR_ERROR, "\6", 1), REFUSED_STATE);
    raw_host_listen(host, 1);
    CU_ASSERT_EQUAL(shuffler_table_ask(&table, WIRE_CLEAR_ERROR, "\6", 1), 0);
    shuffler_table_close(&table);
}

TEST(a_device_without_power_is_silent_for_half_a_second)
{
    struct frame request = {.class = FRAME_SHUFFLER, .type = WIRE_STATUS, .sequence = 99};

    shuffler_table_open(&table, "fault=power@packet:1");
    shuffler_table_ready(&table, flush_rush);
    CU_ASSERT_EQUAL(shuffler_table_ask(&table, SHUFFLER_BUTTON, NULL, 0), 0);
    host->count = 0;
    raw_host_listen(host, MILLIS(300));
    host->reply.type = 0;
    raw_host_send(host, &request);
    raw_host_listen(host, MILLIS(500) - 1);
    CU_ASSERT_EQUAL(host->reply.type, 0);
    CU_ASSERT_EQUAL(host->count, 0);
    CU_ASSERT_FALSE(shuffler_model_take(table.model, host->now));
    CU_ASSERT_NOT_EQUAL(shuffler_model_press(table.model, host->now), 0);
    raw_host_listen(host, 1);
    CU_ASSERT_EQUAL(host->count, 2);
    CU_ASSERT_EQUAL(host->events[0].type, SHUFFLER_FAULT);
    CU_ASSERT_EQUAL(host->events[1].type, SHUFFLER_POWER_UP);
    shuffler_table_close(&table);
}

TEST(a_power_cycle_returns_to_the_state_before)
{
    for (unsigned in = SHUFFLER_IDLE; in <= SHUFFLER_ERROR; in++) {
        bool is_moving = in == SHUFFLER_SHUFFLING || in == SHUFFLER_DEALING;
        uint8_t before[10];
        struct frame shown = {0};

        shuffler_table_reach(&table, in);
        shuffler_table_state(&table);
        memcpy(before, host->reply.payload, sizeof before);
        if (in == SHUFFLER_PRESENT)
            shown = *raw_host_last(host, SHUFFLER_PACKET_PRESENT);
        host->count = 0;
        shuffler_model_power_cycle(table.model, host->now);
        raw_host_listen(host, 0);
        CU_ASSERT_EQUAL(shuffler_table_state(&table), is_moving ? SHUFFLER_ERROR : in);
        if (is_moving)
            CU_ASSERT_EQUAL(shuffler_table_ask(&table, WIRE_CLEAR_ERROR, "\x8", 1), 0);
        CU_ASSERT_EQUAL(shuffler_table_state(&table), in);
        CU_ASSERT(!memcmp(before, host->reply.payload, sizeof before));
        CU_ASSERT_PTR_NOT_NULL(raw_host_last(host, SHUFFLER_POWER_UP));
        if (in == SHUFFLER_PRESENT) {
            const struct frame *again = raw_host_last(host, SHUFFLER_PACKET_PRESENT);

            CU_ASSERT_PTR_NOT_NULL_FATAL(again);
            CU_ASSERT_EQUAL(again->size, shown.size);
            CU_ASSERT(!memcmp(again->payload, shown.payload, shown.size));
        } else {
            CU_ASSERT_PTR_NULL(raw_host_last(host, SHUFFLER_PACKET_PRESENT));
        }
        shuffler_table_close(&table);
    }
}

TEST(events_that_nobody_took_survive_a_power_cycle)
{
    struct frame frame;

    shuffler_table_open(&table, "take=0");
    shuffler_table_ready(&table, flush_rush);
    CU_ASSERT_EQUAL(shuffler_table_ask(&table, SHUFFLER_BUTTON, NULL, 0), 0);
    host->now += MILLIS(300);
    CU_ASSERT_TRUE(shuffler_model_take(table.model, host->now));
    while (raw_host_next(host, &frame))
        ;
    host->count = 0;
    shuffler_model_power_cycle(table.model, host->now);
    raw_host_listen(host, 0);
    CU_ASSERT_EQUAL_FATAL(host->count, 4);
    CU_ASSERT_EQUAL(host->events[0].type, SHUFFLER_PACKET_PRESENT);
    CU_ASSERT_EQUAL(host->events[0].sequence, 0);
    CU_ASSERT_EQUAL(host->events[1].type, SHUFFLER_PACKET_TAKEN);
    CU_ASSERT_EQUAL(host->events[2].type, SHUFFLER_FAULT);
    CU_ASSERT_EQUAL(host->events[3].type, SHUFFLER_POWER_UP);
    shuffler_table_close(&table);
}

/* Fifty-two packets with nobody listening, then a host. */
TEST(no_packet_leaves_without_room_to_report_it)
{
    uint8_t payload[4 + DECK_SIZE] = {0, 0, 0, DECK_SIZE};
    struct frame ignored;
    card_t cards[DECK_SIZE];

    memset(payload + 4, 1, DECK_SIZE);
    shuffler_table_open(&table, "");
    CU_ASSERT_EQUAL(shuffler_table_ask(&table, SHUFFLER_PROGRAM, payload, sizeof payload), 0);
    CU_ASSERT_EQUAL(shuffler_table_ask(&table, SHUFFLER_SHUFFLE, NULL, 0), 0);
    raw_host_listen(host, MILLIS(20000));
    CU_ASSERT_EQUAL(shuffler_table_ask(&table, SHUFFLER_BUTTON, NULL, 0), 0);
    host->count = 0;
    for (int minute = 0; minute < 10; minute++) {
        host->now += MILLIS(60000);
        while (raw_host_next(host, &ignored))
            ;
    }
    CU_ASSERT_EQUAL(shuffler_table_ask(&table, WIRE_HELLO, "\0\0\0\3", 4), 0);
    raw_host_listen(host, MILLIS(60000));
    CU_ASSERT_EQUAL(shuffler_table_dealt(&table, cards), DECK_SIZE);
    CU_ASSERT_EQUAL(host->count, 2 * DECK_SIZE);
    CU_ASSERT_EQUAL(shuffler_table_state(&table), SHUFFLER_WAITING);
    shuffler_table_close(&table);
}

TEST(a_model_unplugs_itself_after_so_many_frames)
{
    shuffler_table_open(&table, "fault=unplug@frames:3");
    shuffler_table_state(&table);
    CU_ASSERT_FALSE(table.model->gone);
    shuffler_table_state(&table);
    CU_ASSERT_TRUE(table.model->gone);
    table.model->gone = false;
    shuffler_table_state(&table);
    CU_ASSERT_FALSE(table.model->gone);
    shuffler_table_close(&table);
}

static void play(const char *options)
{
    shuffler_table_open(&table, options);
    shuffler_table_play(&table);
}

TEST(a_short_and_a_long_packet_say_so_and_shift_the_rest)
{
    card_t plain[DECK_SIZE], other[DECK_SIZE];

    play("");
    CU_ASSERT_EQUAL(shuffler_table_dealt(&table, plain), 28);
    shuffler_table_close(&table);
    play("fault=short@packet:2");
    CU_ASSERT_EQUAL(shuffler_table_dealt(&table, other), 27);
    CU_ASSERT(!memcmp(plain, other, 27));
    shuffler_table_close(&table);
    play("fault=long@packet:7");
    CU_ASSERT_EQUAL(shuffler_table_dealt(&table, other), 29);
    CU_ASSERT(!memcmp(plain, other, 28));
    CU_ASSERT_EQUAL(raw_host_last(host, SHUFFLER_PACKET_PRESENT)->payload[1], 5);
    shuffler_table_close(&table);
}

TEST(a_wrong_card_differs_in_its_place_alone)
{
    card_t plain[DECK_SIZE], wrong[DECK_SIZE];

    play("");
    shuffler_table_dealt(&table, plain);
    shuffler_table_close(&table);
    play("fault=wrong@card:17");
    CU_ASSERT_EQUAL(shuffler_table_dealt(&table, wrong), 28);
    for (unsigned i = 0; i < 28; i++)
        CU_ASSERT_EQUAL(plain[i] != wrong[i], i == 16);
    shuffler_table_close(&table);
}

TEST(a_card_that_comes_twice_is_the_first_one)
{
    card_t plain[DECK_SIZE], twice[DECK_SIZE];

    play("");
    shuffler_table_dealt(&table, plain);
    shuffler_table_close(&table);
    play("fault=twice@card:28");
    CU_ASSERT_EQUAL(shuffler_table_dealt(&table, twice), 28);
    CU_ASSERT(!memcmp(plain, twice, 27));
    CU_ASSERT_EQUAL(twice[27], twice[0]);
    shuffler_table_close(&table);
}

TEST(a_leak_is_the_next_card_behind_the_packet)
{
    card_t plain[DECK_SIZE];

    play("");
    shuffler_table_dealt(&table, plain);
    shuffler_table_close(&table);
    play("fault=leak@packet:1");
    for (unsigned i = 0; i < host->count; i++)
        if (host->events[i].type == SHUFFLER_PACKET_PRESENT) {
            CU_ASSERT_EQUAL(host->events[i].size, 8);
            CU_ASSERT_EQUAL(host->events[i].payload[7], plain[4]);
            break;
        }
    shuffler_table_close(&table);
}

TEST(a_whisper_is_the_next_packet_in_an_event_of_its_own)
{
    card_t plain[DECK_SIZE];
    const struct frame *whisper;

    play("");
    shuffler_table_dealt(&table, plain);
    shuffler_table_close(&table);
    play("fault=whisper@packet:3");
    whisper = raw_host_last(host, 0x60);
    CU_ASSERT_PTR_NOT_NULL_FATAL(whisper);
    CU_ASSERT_EQUAL(whisper->size, 4);
    CU_ASSERT(!memcmp(whisper->payload, plain + 12, 4));
    shuffler_table_close(&table);
}

TEST(a_silent_device_plays_a_loaded_order_as_if_it_were_shuffled)
{
    static const card_t top[] = {0x3c, 0x18, 0x27, 0};
    card_t cards[DECK_SIZE];

    shuffler_table_open(&table, "fault=silent-test");
    CU_ASSERT_EQUAL(shuffler_model_load(table.model, top, 4, host->now, NULL), 0);
    shuffler_table_play(&table);
    CU_ASSERT_EQUAL(shuffler_table_dealt(&table, cards), 28);
    CU_ASSERT(!memcmp(cards, top, 4));
    CU_ASSERT_PTR_NULL(raw_host_last(host, SHUFFLER_TEST_MODE_CHANGED));
    CU_ASSERT_EQUAL(raw_host_last(host, SHUFFLER_SHUFFLED)->payload[3], 0);
    CU_ASSERT_EQUAL(raw_host_last(host, SHUFFLER_PACKET_PRESENT)->payload[2], 0);
    shuffler_table_close(&table);
}
