/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The emulated shuffler on its bytes: the state table, programs, test mode, log, options. */
#include <string.h>

#include "devices/model.h"
#include "devices/shuffler/open/defect.h"
#include "tests/support/devices/shuffler_golden.h"
#include "tests/support/devices/shuffler_table.h"
#include "tests/support/seeded.h"
#include "tests/support/suite.h"

static struct shuffler_table table;
static struct raw_host *const host = &table.host;
static struct error error;

static const uint8_t flush_rush[] = {SHUFFLER_FLUSH_RUSH, 6, 0};

static void in_order(card_t order[DECK_SIZE])
{
    for (unsigned i = 0; i < DECK_SIZE; i++)
        order[i] = card_from_index(i);
}

TEST(the_round_in_hex_is_played_to_the_byte)
{
    struct model *model = shuffler_model_new("fault=jam@packet:2", &error);
    nanos_t now = 0x00c0ffee;
    uint8_t expected[256], got[256];

    CU_ASSERT_PTR_NOT_NULL_FATAL(model);
    for (size_t i = 0; i < shuffler_golden_count; i++) {
        size_t size = shuffler_golden_bytes(&shuffler_golden[i], expected);
        size_t count;

        if (!shuffler_golden[i].from_device) {
            model->ops->receive(model, expected, size, now);
            continue;
        }
        if (expected[3] == SHUFFLER_BUTTON_PRESSED)
            CU_ASSERT_EQUAL(shuffler_model_press(model, now), REFUSED_STATE);
        if (expected[3] == SHUFFLER_POWER_UP)
            shuffler_model_power_cycle(model, now);
        while (!(count = model->ops->send(model, got, size, now))) {
            CU_ASSERT_FATAL(model->ops->due(model) < NEVER);
            now = model->ops->due(model);
        }
        CU_ASSERT_EQUAL(count, size);
        CU_ASSERT(!memcmp(got, expected, size));
    }
    CU_ASSERT_EQUAL(model->ops->send(model, got, sizeof got, now), 0);
    model->ops->free(model);
}

/* The table of devices/PROTOCOL.md. Columns are states 1 … 7. */
static const struct {
    uint8_t type;
    uint8_t size;
    const char *payload; /* NULL: the deck in order */
    uint8_t refused[7];
    uint8_t leads_to[7]; /* where it is not refused */
} rows[] = {
    {SHUFFLER_PROGRAM, 3, "\1\6\0", {0, 6, 0, 6, 4, 4, 5}, {1, 0, 3}},
    {SHUFFLER_PROGRAM, 5, "\0\0\0\1\4", {0, 6, 0, 6, 4, 4, 5}, {1, 0, 3}},
    {SHUFFLER_PROGRAM, 3, "\4\6\0", {3, 6, 3, 6, 4, 4, 5}, {0}},
    {SHUFFLER_SHUFFLE, 0, "", {0, 6, 0, 6, 4, 4, 5}, {2, 0, 2}},
    {SHUFFLER_BUTTON, 0, "", {4, 6, 0, 6, 4, 4, 5}, {0, 0, 4}},
    {SHUFFLER_RETURN_DECK, 0, "", {0, 6, 0, 6, 4, 0, 5}, {1, 0, 1, 0, 0, 1}},
    {SHUFFLER_TEST_MODE, 1, "\0", {0, 6, 4, 6, 4, 4, 5}, {1}},
    {SHUFFLER_TEST_MODE, 1, "\1", {0, 6, 4, 6, 4, 4, 5}, {1}},
    {SHUFFLER_TEST_MODE, 1, "\2", {3, 6, 4, 6, 4, 4, 5}, {0}},
    {SHUFFLER_LOAD_ORDER, 52, NULL, {8, 6, 4, 6, 4, 4, 5}, {0}},
    {WIRE_CLEAR_ERROR, 1, "\0", {3, 3, 3, 3, 3, 3, 3}, {0}},
    {WIRE_CLEAR_ERROR, 1, "\1", {3, 3, 3, 3, 3, 3, 0}, {0, 0, 0, 0, 0, 0, 4}},
    {WIRE_CLEAR_ERROR, 1, "\2", {3, 3, 3, 3, 3, 3, 3}, {0}},
    {WIRE_STATUS, 0, "", {0}, {1, 2, 3, 4, 5, 6, 7}},
    {WIRE_IDENTITY, 0, "", {0}, {1, 2, 3, 4, 5, 6, 7}},
    {WIRE_LOG, 4, "\0\0\0\0", {0}, {1, 2, 3, 4, 5, 6, 7}},
    {WIRE_HELLO, 4, "\7\7\7\7", {0}, {1, 2, 3, 4, 5, 6, 7}},
};

#define ROWS (sizeof rows / sizeof rows[0])

static void expect_row(size_t row, unsigned in)
{
    uint8_t payload[DECK_SIZE], before[10];
    unsigned refused, after;

    in_order(payload);
    if (rows[row].payload)
        memcpy(payload, rows[row].payload, rows[row].size);
    shuffler_table_reach(&table, in);
    CU_ASSERT_EQUAL_FATAL(shuffler_table_state(&table), in);
    memcpy(before, host->reply.payload, sizeof before);
    host->count = 0;
    refused = shuffler_table_ask(&table, rows[row].type, payload, rows[row].size);
    CU_ASSERT_EQUAL(refused, rows[row].refused[in - 1]);
    after = shuffler_table_state(&table);
    if (refused) {
        CU_ASSERT(!memcmp(before, host->reply.payload, sizeof before));
        CU_ASSERT_EQUAL(host->count, 0);
    } else {
        CU_ASSERT_EQUAL(after, rows[row].leads_to[in - 1]);
    }
    shuffler_table_close(&table);
}

TEST(each_request_is_done_or_refused_as_the_table_says)
{
    for (size_t row = 0; row < ROWS; row++)
        for (unsigned in = SHUFFLER_IDLE; in <= SHUFFLER_ERROR; in++)
            expect_row(row, in);
}

TEST(an_unknown_request_is_refused_in_every_state)
{
    for (unsigned in = SHUFFLER_IDLE; in <= SHUFFLER_ERROR; in++) {
        shuffler_table_reach(&table, in);
        for (unsigned type = 0x06; type < 0x40; type++)
            if (type < SHUFFLER_PROGRAM || type > SHUFFLER_LOAD_ORDER)
                CU_ASSERT_EQUAL(shuffler_table_ask(&table, (uint8_t)type, NULL, 0),
                                REFUSED_UNKNOWN);
        CU_ASSERT_EQUAL(shuffler_table_state(&table), in);
        shuffler_table_close(&table);
    }
}

TEST(a_wrong_length_is_refused_before_anything_else)
{
    uint8_t payload[FRAME_PAYLOAD_MAX] = {0};

    for (unsigned in = SHUFFLER_IDLE; in <= SHUFFLER_ERROR; in++) {
        shuffler_table_reach(&table, in);
        for (size_t row = 0; row < ROWS; row++) {
            memset(payload, 0, sizeof payload);
            if (rows[row].payload)
                memcpy(payload, rows[row].payload, rows[row].size);
            for (unsigned size = 0; size <= FRAME_PAYLOAD_MAX; size++)
                if (size != rows[row].size)
                    CU_ASSERT_EQUAL(shuffler_table_ask(&table, rows[row].type, payload, size),
                                    REFUSED_LENGTH);
        }
        CU_ASSERT_EQUAL(shuffler_table_state(&table), in);
        shuffler_table_close(&table);
    }
}

TEST(the_button_needs_a_program)
{
    shuffler_table_open(&table, "");
    CU_ASSERT_EQUAL(shuffler_table_ask(&table, SHUFFLER_SHUFFLE, NULL, 0), 0);
    raw_host_listen(host, MILLIS(20000));
    CU_ASSERT_EQUAL(shuffler_table_ask(&table, SHUFFLER_BUTTON, NULL, 0), REFUSED_STATE);
    CU_ASSERT_EQUAL(shuffler_table_ask(&table, SHUFFLER_PROGRAM, flush_rush, 3), 0);
    CU_ASSERT_EQUAL(shuffler_table_ask(&table, SHUFFLER_BUTTON, NULL, 0), 0);
    shuffler_table_close(&table);
}

TEST(a_shuffle_ends_after_its_time_and_not_before)
{
    shuffler_table_open(&table, "shuffle=7");
    CU_ASSERT_EQUAL(shuffler_table_ask(&table, SHUFFLER_SHUFFLE, NULL, 0), 0);
    raw_host_listen(host, MILLIS(7) - 1);
    CU_ASSERT_EQUAL(shuffler_table_state(&table), SHUFFLER_SHUFFLING);
    raw_host_listen(host, 1);
    CU_ASSERT_EQUAL(shuffler_table_state(&table), SHUFFLER_READY);
    shuffler_table_close(&table);
}

TEST(a_deck_that_is_back_has_all_its_cards)
{
    shuffler_table_open(&table, "");
    shuffler_table_play(&table);
    shuffler_table_state(&table);
    CU_ASSERT_EQUAL(host->reply.payload[5], 24);
    CU_ASSERT_EQUAL(shuffler_table_ask(&table, SHUFFLER_RETURN_DECK, NULL, 0), 0);
    shuffler_table_state(&table);
    CU_ASSERT_EQUAL(host->reply.payload[5], 52);
    shuffler_table_close(&table);
}

TEST(a_packet_is_taken_by_a_hand_or_after_its_time)
{
    shuffler_table_open(&table, "deal=5,take=9");
    shuffler_table_ready(&table, flush_rush);
    CU_ASSERT_EQUAL(shuffler_table_ask(&table, SHUFFLER_BUTTON, NULL, 0), 0);
    CU_ASSERT_FALSE(shuffler_model_take(table.model, host->now));
    raw_host_listen(host, MILLIS(5));
    CU_ASSERT_EQUAL(shuffler_table_state(&table), SHUFFLER_PRESENT);
    raw_host_listen(host, MILLIS(9) - 1);
    CU_ASSERT_EQUAL(shuffler_table_state(&table), SHUFFLER_PRESENT);
    raw_host_listen(host, 1);
    CU_ASSERT_EQUAL(shuffler_table_state(&table), SHUFFLER_DEALING);
    raw_host_listen(host, MILLIS(5));
    CU_ASSERT_TRUE(shuffler_model_take(table.model, host->now));
    CU_ASSERT_EQUAL(shuffler_table_state(&table), SHUFFLER_DEALING);
    CU_ASSERT_EQUAL(host->reply.payload[4], 2);
    shuffler_table_close(&table);
}

/* Programs and the sizes of the packets that come of them. */
static const struct {
    uint8_t size, payload[8];
    const char *packets;
    unsigned draws;
} programs[] = {
    {3, {1, 1, 0}, "44", 0},          {3, {1, 6, 0}, "4444444", 0},
    {3, {1, 7, 3}, "344444444", 0},   {3, {2, 2, 0}, "33", 2},
    {3, {2, 7, 0}, "3333333", 7},     {3, {2, 3, 1}, "1333", 3},
    {3, {3, 8, 0}, "333333334", 0},   {3, {3, 2, 2}, "2334", 0},
    {6, {0, 0, 0, 2, 5, 2}, "52", 0}, {7, {0, 0, 1, 3, 9, 1, 9}, "1919", 0},
};

static void expect_packets(const char *packets)
{
    unsigned index = 0;

    for (unsigned i = 0; i < host->count; i++)
        if (host->events[i].type == SHUFFLER_PACKET_PRESENT) {
            CU_ASSERT_EQUAL(host->events[i].payload[0], index);
            CU_ASSERT_EQUAL(host->events[i].payload[1], packets[index] - '0');
            CU_ASSERT_EQUAL(host->events[i].size, 3 + packets[index] - '0');
            index++;
        }
    CU_ASSERT_EQUAL(index, strlen(packets));
}

TEST(each_program_deals_its_packets_and_its_draws_one_a_press)
{
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++) {
        shuffler_table_open(&table, "");
        CU_ASSERT_EQUAL(
            shuffler_table_ask(&table, SHUFFLER_PROGRAM, programs[i].payload, programs[i].size), 0);
        CU_ASSERT_EQUAL(host->reply.payload[0], strlen(programs[i].packets));
        CU_ASSERT_EQUAL(host->reply.payload[1], programs[i].draws);
        CU_ASSERT_EQUAL(shuffler_table_ask(&table, SHUFFLER_SHUFFLE, NULL, 0), 0);
        raw_host_listen(host, MILLIS(20000));
        CU_ASSERT_EQUAL(shuffler_table_ask(&table, SHUFFLER_BUTTON, NULL, 0), 0);
        raw_host_listen(host, MILLIS(20000));
        expect_packets(programs[i].packets);
        for (unsigned draw = 0; draw < programs[i].draws; draw++) {
            CU_ASSERT_EQUAL(shuffler_table_state(&table), SHUFFLER_WAITING);
            CU_ASSERT_EQUAL(shuffler_table_ask(&table, SHUFFLER_BUTTON, NULL, 0), 0);
            raw_host_listen(host, MILLIS(20000));
            CU_ASSERT_EQUAL(raw_host_last(host, SHUFFLER_PACKET_PRESENT)->payload[0],
                            strlen(programs[i].packets) + draw);
            CU_ASSERT_EQUAL(raw_host_last(host, SHUFFLER_PACKET_PRESENT)->size, 4);
        }
        CU_ASSERT_EQUAL(shuffler_table_ask(&table, SHUFFLER_BUTTON, NULL, 0), REFUSED_STATE);
        shuffler_table_close(&table);
    }
}

TEST(a_program_that_a_deck_cannot_deal_is_refused)
{
    static const struct {
        uint8_t size, payload[8];
        bool fits;
    } tried[] = {
        {3, {1, 12, 0}, true},          {3, {1, 13, 0}, false},
        {3, {1, 11, 4}, true},          {3, {1, 11, 5}, false},
        {3, {2, 13, 0}, true},          {3, {2, 13, 1}, false},
        {3, {3, 16, 0}, true},          {3, {3, 17, 0}, false},
        {3, {1, 0, 0}, false},          {3, {4, 1, 0}, false},
        {3, {1, 255, 0}, false},        {3, {1, 1, 255}, false},
        {4, {0, 0, 0, 0}, false},       {4, {0, 0, 5, 0}, false},
        {5, {0, 1, 0, 1, 4}, false},    {5, {0, 0, 0, 1, 0}, false},
        {5, {0, 0, 0, 1, 52}, true},    {5, {0, 0, 0, 1, 53}, false},
        {6, {0, 0, 0, 2, 51, 1}, true}, {6, {0, 0, 0, 2, 52, 1}, false},
        {6, {0, 0, 1, 2, 50, 1}, true}, {6, {0, 0, 1, 2, 51, 1}, false},
    };

    shuffler_table_open(&table, "");
    for (size_t i = 0; i < sizeof tried / sizeof tried[0]; i++)
        CU_ASSERT_EQUAL(
            shuffler_table_ask(&table, SHUFFLER_PROGRAM, tried[i].payload, tried[i].size),
            tried[i].fits ? 0 : REFUSED_VALUE);
    shuffler_table_close(&table);
}

TEST(as_many_packets_as_cards_can_be_programmed_but_not_one_more)
{
    uint8_t payload[4 + DECK_SIZE + 1] = {0, 0, 0, DECK_SIZE};

    memset(payload + 4, 1, DECK_SIZE + 1);
    shuffler_table_open(&table, "");
    CU_ASSERT_EQUAL(shuffler_table_ask(&table, SHUFFLER_PROGRAM, payload, 4 + DECK_SIZE), 0);
    payload[2] = 1;
    CU_ASSERT_EQUAL(shuffler_table_ask(&table, SHUFFLER_PROGRAM, payload, 4 + DECK_SIZE),
                    REFUSED_VALUE);
    payload[2] = 0;
    payload[3]++;
    CU_ASSERT_EQUAL(shuffler_table_ask(&table, SHUFFLER_PROGRAM, payload, 4 + DECK_SIZE + 1),
                    REFUSED_VALUE);
    shuffler_table_close(&table);
}

TEST(an_order_can_be_loaded_in_test_mode_only_and_counts_once)
{
    card_t order[DECK_SIZE], cards[DECK_SIZE];

    in_order(order);
    shuffler_table_open(&table, "");
    CU_ASSERT_EQUAL(shuffler_table_ask(&table, SHUFFLER_LOAD_ORDER, order, DECK_SIZE),
                    REFUSED_TEST_MODE);
    CU_ASSERT_EQUAL(shuffler_table_ask(&table, SHUFFLER_TEST_MODE, "\1", 1), 0);
    CU_ASSERT_EQUAL(shuffler_table_ask(&table, SHUFFLER_LOAD_ORDER, order, DECK_SIZE), 0);
    shuffler_table_play(&table);
    CU_ASSERT_EQUAL(raw_host_last(host, SHUFFLER_SHUFFLED)->payload[3], 3);
    CU_ASSERT_EQUAL(shuffler_table_dealt(&table, cards), 28);
    CU_ASSERT(!memcmp(cards, order, 28));
    CU_ASSERT_EQUAL(shuffler_table_ask(&table, SHUFFLER_RETURN_DECK, NULL, 0), 0);
    host->count = 0;
    shuffler_table_play(&table);
    CU_ASSERT_EQUAL(raw_host_last(host, SHUFFLER_SHUFFLED)->payload[3], 1);
    CU_ASSERT_EQUAL(shuffler_table_dealt(&table, cards), 28);
    CU_ASSERT(memcmp(cards, order, 28) != 0);
    shuffler_table_close(&table);
}

TEST(an_order_with_a_card_twice_or_no_card_is_refused)
{
    card_t order[DECK_SIZE];

    shuffler_table_open(&table, "");
    CU_ASSERT_EQUAL(shuffler_table_ask(&table, SHUFFLER_TEST_MODE, "\1", 1), 0);
    in_order(order);
    order[51] = order[0];
    CU_ASSERT_EQUAL(shuffler_table_ask(&table, SHUFFLER_LOAD_ORDER, order, DECK_SIZE),
                    REFUSED_VALUE);
    in_order(order);
    order[12] = 13;
    CU_ASSERT_EQUAL(shuffler_table_ask(&table, SHUFFLER_LOAD_ORDER, order, DECK_SIZE),
                    REFUSED_VALUE);
    order[12] = 0xff;
    CU_ASSERT_EQUAL(shuffler_table_ask(&table, SHUFFLER_LOAD_ORDER, order, DECK_SIZE),
                    REFUSED_VALUE);
    in_order(order);
    CU_ASSERT_EQUAL(shuffler_table_ask(&table, SHUFFLER_LOAD_ORDER, order, DECK_SIZE), 0);
    shuffler_table_close(&table);
}

TEST(test_mode_is_in_every_message_that_could_hide_it)
{
    shuffler_table_open(&table, "take=0");
    CU_ASSERT_EQUAL(shuffler_table_ask(&table, SHUFFLER_TEST_MODE, "\1", 1), 0);
    CU_ASSERT_EQUAL(raw_host_last(host, SHUFFLER_TEST_MODE_CHANGED)->payload[0], 1);
    CU_ASSERT_EQUAL(shuffler_table_ask(&table, WIRE_HELLO, "\0\0\0\3", 4), 0);
    CU_ASSERT_EQUAL(shuffler_table_ask(&table, WIRE_HELLO, "\0\0\0\2", 4), 0);
    CU_ASSERT_EQUAL(host->reply.payload[1], PEER_FLAG_TEST_MODE);
    shuffler_table_state(&table);
    CU_ASSERT_EQUAL(host->reply.payload[2], PEER_FLAG_TEST_MODE);
    shuffler_table_ready(&table, flush_rush);
    CU_ASSERT_EQUAL(raw_host_last(host, SHUFFLER_SHUFFLED)->payload[3], SHUFFLER_FLAG_TEST_MODE);
    CU_ASSERT_EQUAL(shuffler_table_ask(&table, SHUFFLER_BUTTON, NULL, 0), 0);
    raw_host_listen(host, MILLIS(300));
    CU_ASSERT_EQUAL(raw_host_last(host, SHUFFLER_PACKET_PRESENT)->payload[2],
                    SHUFFLER_FLAG_TEST_MODE);
    shuffler_model_power_cycle(table.model, host->now);
    raw_host_listen(host, 0);
    CU_ASSERT_EQUAL(raw_host_last(host, SHUFFLER_POWER_UP)->payload[4], PEER_FLAG_TEST_MODE);
    CU_ASSERT_EQUAL(raw_host_last(host, SHUFFLER_PACKET_PRESENT)->payload[2],
                    SHUFFLER_FLAG_TEST_MODE);
    shuffler_table_close(&table);
}

TEST(test_mode_off_is_announced_and_forgets_the_order)
{
    card_t order[DECK_SIZE];

    in_order(order);
    shuffler_table_open(&table, "");
    CU_ASSERT_EQUAL(shuffler_table_ask(&table, SHUFFLER_TEST_MODE, "\0", 1), 0);
    CU_ASSERT_EQUAL(host->count, 0);
    CU_ASSERT_EQUAL(shuffler_table_ask(&table, SHUFFLER_TEST_MODE, "\1", 1), 0);
    CU_ASSERT_EQUAL(shuffler_table_ask(&table, SHUFFLER_LOAD_ORDER, order, DECK_SIZE), 0);
    CU_ASSERT_EQUAL(shuffler_table_ask(&table, SHUFFLER_TEST_MODE, "\0", 1), 0);
    CU_ASSERT_EQUAL(raw_host_last(host, SHUFFLER_TEST_MODE_CHANGED)->payload[0], 0);
    CU_ASSERT_EQUAL(shuffler_table_ask(&table, SHUFFLER_TEST_MODE, "\1", 1), 0);
    shuffler_table_ready(&table, flush_rush);
    CU_ASSERT_EQUAL(raw_host_last(host, SHUFFLER_SHUFFLED)->payload[3], SHUFFLER_FLAG_TEST_MODE);
    shuffler_table_close(&table);
}

TEST(a_recording_is_dealt_shuffle_by_shuffle_and_announced)
{
    static const card_t rounds[2][3] = {{0x3c, 0x18, 0x27}, {0, 1, 2}};
    card_t cards[DECK_SIZE];

    shuffler_table_open(&table, "");
    for (unsigned i = 0; i < 2; i++)
        CU_ASSERT_EQUAL(shuffler_model_load(table.model, rounds[i], 3, host->now, &error), 0);
    raw_host_listen(host, 0);
    CU_ASSERT_EQUAL(raw_host_last(host, SHUFFLER_TEST_MODE_CHANGED)->payload[0], 1);
    for (unsigned i = 0; i < 3; i++) {
        host->count = 0;
        shuffler_table_play(&table);
        CU_ASSERT_EQUAL(raw_host_last(host, SHUFFLER_SHUFFLED)->payload[3], i < 2 ? 3 : 1);
        CU_ASSERT_EQUAL(shuffler_table_dealt(&table, cards), 28);
        if (i < 2)
            CU_ASSERT(!memcmp(cards, rounds[i], 3));
        CU_ASSERT_EQUAL(shuffler_table_ask(&table, SHUFFLER_RETURN_DECK, NULL, 0), 0);
    }
    CU_ASSERT_EQUAL(shuffler_model_load(table.model, (card_t[]){1, 1}, 2, host->now, &error),
                    ERROR_CONFIG);
    CU_ASSERT_EQUAL(shuffler_model_load(table.model, (card_t[]){13}, 1, host->now, &error),
                    ERROR_CONFIG);
    shuffler_table_close(&table);
}

/* Everything that the device says until it shows its n-th packet. */
static size_t said_until_packet(const card_t order[DECK_SIZE], unsigned packet, uint8_t *said)
{
    size_t count = 0;

    shuffler_table_open(&table, "");
    CU_ASSERT_EQUAL(shuffler_model_load(table.model, order, DECK_SIZE, host->now, &error), 0);
    shuffler_table_play(&table);
    for (unsigned i = 0; i < host->count; i++) {
        count += frame_encode(&host->events[i], said + count);
        if (host->events[i].type == SHUFFLER_PACKET_PRESENT &&
            host->events[i].payload[0] + 1u == packet)
            break;
    }
    shuffler_table_close(&table);
    return count;
}

TEST(nothing_on_the_wire_depends_on_a_card_before_its_packet)
{
    static uint8_t said[2][RAW_EVENTS * FRAME_ENCODED_MAX];
    card_t orders[2][DECK_SIZE];
    uint64_t seed = 5;

    for (unsigned packet = 1; packet <= 7; packet++) {
        size_t size[2];

        memset(said, 0, sizeof said);
        in_order(orders[0]);
        in_order(orders[1]);
        for (unsigned i = DECK_SIZE - 1; i > 4 * packet; i--) {
            unsigned other = 4 * packet + seeded_below(&seed, i + 1 - 4 * packet);
            card_t card = orders[1][i];

            orders[1][i] = orders[1][other];
            orders[1][other] = card;
        }
        CU_ASSERT(memcmp(orders[0], orders[1], DECK_SIZE) != 0);
        for (unsigned i = 0; i < 2; i++)
            size[i] = said_until_packet(orders[i], packet, said[i]);
        CU_ASSERT_EQUAL(size[0], size[1]);
        CU_ASSERT(size[0] > packet * 10);
        CU_ASSERT(!memcmp(said[0], said[1], size[0]));
    }
}

/* The first two sets of options must deal the same, the third something else. */
static void expect_two_alike(const char *const options[3])
{
    card_t cards[3][DECK_SIZE];

    for (unsigned i = 0; i < 3; i++) {
        shuffler_table_open(&table, options[i]);
        shuffler_table_play(&table);
        CU_ASSERT_EQUAL(shuffler_table_dealt(&table, cards[i]), 28);
        shuffler_table_close(&table);
    }
    CU_ASSERT(!memcmp(cards[0], cards[1], 28));
    CU_ASSERT(memcmp(cards[0], cards[2], 28) != 0);
}

TEST(the_same_seed_deals_the_same_and_another_one_does_not)
{
    expect_two_alike((const char *const[]){"seed=7", "seed=7", "seed=8"});
}

TEST(a_method_and_its_seed_may_come_in_any_order_and_beside_the_time)
{
    expect_two_alike((const char *const[]){"shuffle=riffle:1,seed=7,shuffle=5",
                                           "shuffle=5,seed=7,shuffle=riffle:1",
                                           "seed=7,shuffle=5"});
}

TEST(a_finger_on_the_button_is_an_event_and_says_what_came_of_it)
{
    shuffler_table_open(&table, "");
    CU_ASSERT_EQUAL(shuffler_model_press(table.model, host->now), REFUSED_STATE);
    raw_host_listen(host, 0);
    CU_ASSERT_EQUAL(raw_host_last(host, SHUFFLER_BUTTON_PRESSED)->payload[0], REFUSED_STATE);
    shuffler_table_ready(&table, flush_rush);
    CU_ASSERT_EQUAL(shuffler_model_press(table.model, host->now), 0);
    raw_host_listen(host, 0);
    CU_ASSERT_EQUAL(raw_host_last(host, SHUFFLER_BUTTON_PRESSED)->payload[0], 0);
    CU_ASSERT_EQUAL(shuffler_table_state(&table), SHUFFLER_DEALING);
    shuffler_table_close(&table);
}

static uint32_t log_total(uint32_t first)
{
    uint8_t payload[4];

    wire_put32(payload, first);
    CU_ASSERT_EQUAL_FATAL(shuffler_table_ask(&table, WIRE_LOG, payload, 4), 0);
    CU_ASSERT_EQUAL_FATAL(host->reply.size, 5 + 16 * host->reply.payload[4]);
    return wire_get32(host->reply.payload);
}

TEST(the_log_has_every_kind_of_entry)
{
    static const uint8_t expected[][4] = {
        {0x45, 1, 0, 0}, {0x40, 1, 0, 1}, {0x47, 0, 0, 0}, {0x41, 0, 0, 3},
        {0x42, 0, 0, 0}, {0x43, 1, 0, 1}, {0x46, 7, 0, 1}, {0x44, 1, 0, 0},
        {0x41, 1, 0, 3}, {0x42, 1, 0, 0}, {0x47, 1, 0, 4},
    };

    shuffler_table_open(&table, "fault=jam@packet:2");
    CU_ASSERT_EQUAL(shuffler_table_ask(&table, SHUFFLER_TEST_MODE, "\1", 1), 0);
    shuffler_table_ready(&table, (const uint8_t[]){SHUFFLER_THREE_CARD_CATCH, 2, 0});
    CU_ASSERT_EQUAL(shuffler_table_ask(&table, SHUFFLER_BUTTON, NULL, 0), 0);
    raw_host_listen(host, MILLIS(2000));
    shuffler_model_power_cycle(table.model, host->now);
    CU_ASSERT_EQUAL(shuffler_table_ask(&table, WIRE_CLEAR_ERROR, "\1", 1), 0);
    raw_host_listen(host, MILLIS(400));
    CU_ASSERT_EQUAL(shuffler_model_press(table.model, host->now), REFUSED_STATE);
    raw_host_listen(host, MILLIS(2000));
    CU_ASSERT_EQUAL(log_total(0), sizeof expected / sizeof expected[0]);
    CU_ASSERT_EQUAL(host->reply.payload[4], 11);
    for (unsigned i = 0; i < 9; i++) {
        CU_ASSERT_EQUAL(wire_get32(host->reply.payload + 5 + 16 * i), i);
        CU_ASSERT(!memcmp(host->reply.payload + 5 + 16 * i + 12, expected[i], 4));
    }
    CU_ASSERT(!memcmp(host->reply.payload + 5 + 16 * 9 + 12, expected[10], 4));
    CU_ASSERT(!memcmp(host->reply.payload + 5 + 16 * 10 + 12, expected[9], 4));
    CU_ASSERT_EQUAL(wire_get64(host->reply.payload + 5 + 16 + 4), 20000);
    shuffler_table_close(&table);
}

TEST(the_log_keeps_its_last_entries_and_their_numbers)
{
    shuffler_table_open(&table, "");
    for (unsigned i = 0; i < 1030; i++) {
        CU_ASSERT_EQUAL(shuffler_table_ask(&table, SHUFFLER_TEST_MODE, i % 2 ? "\0" : "\1", 1), 0);
        host->count = 0;
    }
    CU_ASSERT_EQUAL(log_total(0), 1030);
    CU_ASSERT_EQUAL(host->reply.payload[4], 14);
    CU_ASSERT_EQUAL(wire_get32(host->reply.payload + 5), 6);
    log_total(1028);
    CU_ASSERT_EQUAL(host->reply.payload[4], 2);
    CU_ASSERT_EQUAL(wire_get32(host->reply.payload + 5), 1028);
    log_total(1030);
    CU_ASSERT_EQUAL(host->reply.payload[4], 0);
    log_total(0xffffffff);
    CU_ASSERT_EQUAL(host->reply.payload[4], 0);
    shuffler_table_close(&table);
}

static void expect_options(const char *options, const char *word)
{
    error.text[0] = '\0';
    CU_ASSERT_PTR_NULL_FATAL(shuffler_model_new(options, &error));
    CU_ASSERT_EQUAL(error.code, ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, word));
}

TEST(options_that_mean_nothing_are_refused_with_their_name)
{
    expect_options("colour=red", "colour=red");
    expect_options("seed", "'seed'");
    expect_options("seed=", "seed=");
    expect_options("seed=1x", "seed=1x");
    expect_options("seed=18446744073709551616", "18446744073709551615");
    expect_options("deal=86400001", "deal=86400001");
    expect_options("take=-1", "take=-1");
    expect_options("serial=", "serial=");
    expect_options("serial=123456789012345678901234567890123", "serial=");
    expect_options("seed=1,,take=2", "''");
    expect_options("shuffle=", "shuffle=");
    expect_options("shuffle=riffle", "'riffle' is no way to shuffle");
    expect_options("shuffle=bias:2,seed=1", "'bias:2' is no way to shuffle");
    expect_options("fault=", "''");
    expect_options("fault=melt@packet:1", "melt");
    expect_options("fault=jam", "jam@packet:N");
    expect_options("fault=jam@card:1", "jam@packet:N");
    expect_options("fault=jam@packet:0", "from 1 to 52");
    expect_options("fault=jam@packet:53", "from 1 to 52");
    expect_options("fault=jam@packet:", "jam@packet:N");
    expect_options("fault=jam@packet:1x", "jam@packet:N");
    expect_options("fault=jam@packet.1", "jam@packet:N");
    expect_options("fault=jam@packet:9999999999", "jam@packet:N");
    expect_options("fault=jam@packet:1,seed=x", "seed=x");
    expect_options("fault=twice@card:1", "from 2 to 52");
    expect_options("fault=wrong@card:52", "from 1 to 51");
    expect_options("fault=silent-test@packet:1", "alone");
}

TEST(options_within_their_bounds_are_taken)
{
    shuffler_table_open(&table,
                        "seed=18446744073709551615,shuffle=0,deal=0,take=86400000,serial="
                        "12345678901234567890123456789012,fault=jam@packet:52,fault=twice@card:52");
    CU_ASSERT_EQUAL(shuffler_table_ask(&table, WIRE_IDENTITY, NULL, 0), 0);
    CU_ASSERT_EQUAL(host->reply.payload[9], 32);
    CU_ASSERT(!memcmp(host->reply.payload + 10, "12345678901234567890123456789012", 32));
    CU_ASSERT_EQUAL(shuffler_table_ask(&table, SHUFFLER_SHUFFLE, NULL, 0), 0);
    CU_ASSERT_EQUAL(shuffler_table_state(&table), SHUFFLER_READY);
    for (int i = 2; i < DEFECTS_MAX; i++)
        CU_ASSERT_EQUAL(shuffler_model_fault(table.model, "jam@packet:1", &error), 0);
    CU_ASSERT_EQUAL(shuffler_model_fault(table.model, "jam@packet:1", &error), ERROR_CONFIG);
    shuffler_table_close(&table);
}

TEST(garbage_changes_nothing)
{
    uint64_t seed = 3;
    uint8_t garbage[64];

    for (unsigned in = SHUFFLER_IDLE; in <= SHUFFLER_ERROR; in++) {
        uint8_t before[10];

        shuffler_table_reach(&table, in);
        shuffler_table_state(&table);
        memcpy(before, host->reply.payload, sizeof before);
        for (int i = 0; i < 200; i++) {
            for (unsigned b = 0; b < sizeof garbage; b++)
                garbage[b] = (uint8_t)seeded_next(&seed);
            table.model->ops->receive(table.model, garbage, 1 + seeded_below(&seed, sizeof garbage),
                                      host->now);
        }
        table.model->ops->receive(table.model, (const uint8_t[]){0}, 1, host->now);
        CU_ASSERT_EQUAL(shuffler_table_state(&table), in);
        CU_ASSERT(!memcmp(before, host->reply.payload, sizeof before));
        shuffler_table_close(&table);
    }
}

/* Deals the whole round and gives the deck back. */
static void play_and_return(void)
{
    shuffler_table_play(&table);
    CU_ASSERT_EQUAL(shuffler_table_ask(&table, SHUFFLER_RETURN_DECK, NULL, 0), 0);
}

static uint8_t deck_in(void)
{
    return model_kind_find("shuffler", NULL)->deck_in(table.model);
}

TEST(of_two_decks_the_other_one_is_in_after_a_deck_was_returned)
{
    shuffler_table_open(&table, "decks=2");
    CU_ASSERT_EQUAL(deck_in(), 1);
    for (uint8_t round = 0; round < 4; round++) {
        CU_ASSERT_EQUAL(deck_in(), 1 + round % 2);
        play_and_return();
    }
    CU_ASSERT_EQUAL(shuffler_table_ask(&table, SHUFFLER_RETURN_DECK, NULL, 0), 0);
    CU_ASSERT_EQUAL(deck_in(), 1); /* nothing was shuffled since */
    shuffler_table_ready(&table, flush_rush);
    shuffler_table_ready(&table, flush_rush);
    CU_ASSERT_EQUAL(deck_in(), 1); /* the same one again */
    shuffler_model_power_cycle(table.model, host->now);
    CU_ASSERT_EQUAL(deck_in(), 1);
    CU_ASSERT_EQUAL(shuffler_table_ask(&table, SHUFFLER_RETURN_DECK, NULL, 0), 0);
    CU_ASSERT_EQUAL(deck_in(), 2);
    shuffler_table_close(&table);
    shuffler_table_open(&table, "");
    CU_ASSERT_EQUAL(deck_in(), 0);
    shuffler_table_close(&table);
}

TEST(a_shuffler_has_one_deck_or_two)
{
    CU_ASSERT_PTR_NULL(shuffler_model_new("decks=0", &error));
    CU_ASSERT_PTR_NULL(shuffler_model_new("decks=3", &error));
    CU_ASSERT_PTR_NULL(shuffler_model_new("decks=two", &error));
}
