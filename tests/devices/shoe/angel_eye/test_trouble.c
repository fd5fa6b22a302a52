/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Faults, lost power, bad lines and far ends: what may befall an Angel Eye shoe. */
#include <stdio.h>
#include <string.h>

#include "devices/shoe/angel_eye/model.h"
#include "hal/link/fault.h"
#include "tests/support/devices/shoe_bench.h"
#include "tests/support/suite.h"

static struct shoe_bench bench;
static struct error error;

/* Each fault, the error it shows or 0, and how many cards a deck then has. */
static const struct {
    const char *spec;
    int code;
    unsigned cards, different, repeats;
} faults[] = {
    {"misread@card:17", SHOE_CANNOT_READ, 52, 52, 0},
    {"jam@card:17", SHOE_DRAW_TIMEOUT, 52, 52, 0},
    {"reverse@card:17", SHOE_REVERSE_AT_EXIT, 52, 52, 0},
    {"overdraw@card:17", SHOE_OVERDRAW, 52, 52, 0},
    {"wrong@card:17", 0, 52, 52, 0},
    {"twice@card:17", 0, 52, 51, 0},
    {"repeat@card:17", 0, 52, 52, 1},
    {"lost-ack@card:17", 0, 52, 52, 1},
};

TEST(every_fault_shows_once_and_the_deck_goes_on)
{
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        card_t cards[DECK_SIZE];
        unsigned count = 0, errors = 0;
        struct shoe_counts counts;
        char options[64];
        int kind;

        snprintf(options, sizeof options, "draw=400,fault=%s", faults[i].spec);
        shoe_bench_open_unlocked(&bench, "angel-eye", options);
        while ((kind = shoe_bench_next(&bench)) >= 0) {
            if (kind == SHOE_EVENT_CARD)
                cards[count++] = bench.event.card.card;
            if (kind == SHOE_EVENT_FAULT) {
                CU_ASSERT_EQUAL(bench.event.fault.code, faults[i].code);
                CU_ASSERT_EQUAL(count, faults[i].code == SHOE_OVERDRAW ? 17 : 16);
                errors++;
                CU_ASSERT_EQUAL(shoe_clear_error(bench.shoe, (uint8_t)faults[i].code, &error), 0);
                CU_ASSERT_EQUAL(shoe_bench_next(&bench), SHOE_EVENT_CLEARED);
            }
        }
        shoe_counts(bench.shoe, &counts);
        CU_ASSERT_EQUAL(errors, faults[i].code != 0);
        CU_ASSERT_EQUAL(count, faults[i].cards);
        CU_ASSERT_EQUAL(shoe_bench_different(cards, count), faults[i].different);
        CU_ASSERT_EQUAL(counts.repeats, faults[i].repeats);
        shoe_bench_close(&bench);
    }
}

TEST(a_torn_cable_is_a_device_that_is_gone)
{
    int kind;

    shoe_bench_open_unlocked(&bench, "angel-eye", "draw=400,fault=unplug@frames:9");
    do
        kind = shoe_bench_next(&bench);
    while (kind >= 0);
    CU_ASSERT_EQUAL(bench.error.code, ERROR_DEVICE);
    CU_ASSERT_PTR_NOT_NULL(strstr(bench.error.text, "gone"));
    shoe_bench_close(&bench);
}

TEST(a_hand_that_draws_without_a_listener_stops_before_a_card_is_lost)
{
    card_t cards[DECK_SIZE];

    shoe_bench_open_unlocked(&bench, "angel-eye", "draw=100");
    clock_advance(&bench.clock, clock_now(&bench.clock) + 60 * NANOS_PER_SECOND);
    CU_ASSERT_EQUAL(shoe_bench_take_cards(&bench, cards), DECK_SIZE);
    CU_ASSERT_EQUAL(shoe_bench_different(cards, DECK_SIZE), DECK_SIZE);
    shoe_bench_close(&bench);
    shoe_bench_open_unlocked(&bench, "angel-eye", "");
    for (unsigned i = 0; i < DECK_SIZE; i++)
        angel_eye_model_draw(bench.model, clock_now(&bench.clock));
    CU_ASSERT_FALSE(angel_eye_model_draw(bench.model, clock_now(&bench.clock)));
    /* What fitted was told in full, with its results. */
    CU_ASSERT(shoe_bench_take_cards(&bench, cards) > 20);
    CU_ASSERT_TRUE(angel_eye_model_draw(bench.model, clock_now(&bench.clock)));
    shoe_bench_close(&bench);
}

/* Power goes at each step while six cards are dealt. */
TEST(no_card_is_lost_or_told_twice_by_a_power_loss_at_any_step)
{
    static const char order[] = "8s Kh Ad 2c 3c 4c";
    card_t expected[6];

    cards_parse(order, strlen(order), expected, 6, &error);
    for (unsigned step = 0; step < 24; step++) {
        card_t cards[DECK_SIZE];
        unsigned count = 0, drawn = 0;
        int kind;

        /* The third card is heard but its acknowledgement is not. */
        shoe_bench_open_unlocked(&bench, "angel-eye", "fault=lost-ack@card:3");
        CU_ASSERT_EQUAL(
            angel_eye_model_load(bench.model, expected, 6, clock_now(&bench.clock), &error), 0);
        for (unsigned at = 0; at < 24; at++) {
            nanos_t now = clock_now(&bench.clock);
            uint8_t heard[64];

            if (drawn < 6 && at % 3 == 0)
                drawn += angel_eye_model_draw(bench.model, now);
            if (at == step) {
                /* A report may be on its way. */
                if (at % 2)
                    bench.model->ops->send(bench.model, heard, sizeof heard, now);
                angel_eye_model_power_cycle(bench.model, now);
            }
            kind = shoe_next(bench.shoe, &bench.event, now, &bench.error);
            if (kind == 1 && bench.event.kind == SHOE_EVENT_CARD)
                cards[count++] = bench.event.card.card;
        }
        while ((kind = shoe_bench_next(&bench)) >= 0)
            if (kind == SHOE_EVENT_CARD)
                cards[count++] = bench.event.card.card;
        CU_ASSERT_EQUAL(count, 6);
        CU_ASSERT(!memcmp(cards, expected, 6));
        shoe_bench_close(&bench);
    }
}

TEST(an_error_and_the_lock_survive_a_power_loss)
{
    shoe_bench_open_unlocked(&bench, "angel-eye", "fault=jam@card:1");
    angel_eye_model_draw(bench.model, clock_now(&bench.clock));
    CU_ASSERT_TRUE(shoe_bench_await(&bench, SHOE_EVENT_FAULT));
    angel_eye_model_power_cycle(bench.model, clock_now(&bench.clock));
    CU_ASSERT_EQUAL(shoe_bench_next(&bench), SHOE_EVENT_STARTED);
    CU_ASSERT_EQUAL(shoe_bench_next(&bench), SHOE_EVENT_LOCK);
    CU_ASSERT_FALSE(bench.event.is_locked);
    CU_ASSERT_EQUAL(shoe_bench_next(&bench), SHOE_EVENT_FAULT);
    CU_ASSERT_EQUAL(bench.event.fault.code, SHOE_DRAW_TIMEOUT);
    CU_ASSERT_EQUAL(shoe_lock(bench.shoe, true, &bench.error), ERROR_DEVICE);
    CU_ASSERT_EQUAL(device_refusal(&bench.shoe->device), 0x21);
    CU_ASSERT_EQUAL(shoe_clear_error(bench.shoe, SHOE_DRAW_TIMEOUT, &bench.error), 0);
    CU_ASSERT_EQUAL(shoe_bench_next(&bench), SHOE_EVENT_CLEARED);
    shoe_bench_close(&bench);
}

TEST(a_line_that_damages_bytes_loses_no_card)
{
    uint64_t rejected = 0;

    for (uint64_t seed = 1; seed <= 100; seed++) {
        const struct link_faults noise = {
            .seed = seed, .flip = 4000, .drop = 4000, .duplicate = 2000};
        struct shoe_counts counts;
        card_t cards[DECK_SIZE];
        struct link *noisy;

        shoe_bench_open_unlocked(&bench, "angel-eye", "draw=2000,seed=4");
        CU_ASSERT_EQUAL_FATAL(fault_link(&noisy, bench.link, &noise, &error), 0);
        bench.link = bench.shoe->device.link = noisy;
        CU_ASSERT_EQUAL(shoe_bench_take_cards(&bench, cards), DECK_SIZE);
        CU_ASSERT_EQUAL(shoe_bench_different(cards, DECK_SIZE), DECK_SIZE);
        shoe_counts(bench.shoe, &counts);
        rejected += counts.rejected;
        shoe_bench_close(&bench);
    }
    CU_ASSERT(rejected > 100);
}

static void deal_far_away(struct model_pump *(*pump)(struct model *model))
{
    card_t cards[DECK_SIZE];
    unsigned count = 0;

    shoe_bench_open_far(&bench, "angel-eye", "draw=2,seed=9,fault=misread@card:5", pump);
    CU_ASSERT_EQUAL(shoe_lock(bench.shoe, false, &bench.error), 0);
    while (count < DECK_SIZE) {
        int kind = shoe_bench_next(&bench);

        CU_ASSERT_FATAL(kind >= 0);
        if (kind == SHOE_EVENT_CARD)
            cards[count++] = bench.event.card.card;
        if (kind == SHOE_EVENT_FAULT)
            CU_ASSERT_EQUAL(shoe_clear_error(bench.shoe, SHOE_CANNOT_READ, &bench.error), 0);
    }
    CU_ASSERT_EQUAL(shoe_bench_different(cards, count), DECK_SIZE);
    CU_ASSERT_EQUAL(shoe_lock(bench.shoe, true, &bench.error), 0);
    shoe_bench_close(&bench);
}

TEST(a_deck_is_dealt_over_a_terminal)
{
    deal_far_away(model_pump_pty);
}

TEST(a_deck_is_dealt_over_tcp)
{
    deal_far_away(model_pump_tcp);
}
