/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Faults, lost power, bad lines and far ends: what may befall the open protocol's shoe. */
#include <stdio.h>
#include <string.h>

#include "devices/shoe/open/model.h"
#include "hal/link/fault.h"
#include "tests/support/devices/shoe_bench.h"
#include "tests/support/suite.h"

static struct shoe_bench bench;
static struct error error;

static nanos_t now(void)
{
    return clock_now(&bench.clock);
}

static const struct {
    const char *spec;
    int code;
    unsigned different, repeats;
} faults[] = {
    {"misread@card:17", SHOE_CANNOT_READ, 52, 0},
    {"jam@card:17", SHOE_JAM, 52, 0},
    {"reverse@card:17", SHOE_REVERSE_AT_EXIT, 52, 0},
    {"overdraw@card:17", SHOE_OVERDRAW, 52, 0},
    {"wrong@card:17", 0, 52, 0},
    {"twice@card:17", 0, 51, 0},
    {"repeat@card:17", 0, 52, 1},
    {"lost-ack@card:17", 0, 52, 1},
};

TEST(every_fault_shows_once_and_the_deck_goes_on)
{
    card_t honest[DECK_SIZE];

    shoe_bench_open_unlocked(&bench, "shoe", "draw=400");
    shoe_bench_take_cards(&bench, honest);
    shoe_bench_close(&bench);
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        bool lies = strstr(faults[i].spec, "wrong") || strstr(faults[i].spec, "twice");
        card_t cards[DECK_SIZE];
        unsigned count = 0, errors = 0;
        struct shoe_counts counts;
        char options[64];
        int kind;

        snprintf(options, sizeof options, "draw=400,fault=%s", faults[i].spec);
        shoe_bench_open_unlocked(&bench, "shoe", options);
        while ((kind = shoe_bench_next(&bench)) >= 0) {
            if (kind == SHOE_EVENT_CARD && count < DECK_SIZE)
                cards[count++] = bench.event.card.card;
            if (kind == SHOE_EVENT_FAULT) {
                errors++;
                CU_ASSERT_EQUAL(bench.event.fault.code, faults[i].code);
                CU_ASSERT_EQUAL(count, faults[i].code == SHOE_OVERDRAW ? 17 : 16);
                CU_ASSERT_EQUAL(shoe_clear_error(bench.shoe, (uint8_t)faults[i].code, &error), 0);
            }
        }
        shoe_counts(bench.shoe, &counts);
        CU_ASSERT_EQUAL(errors, faults[i].code != 0);
        CU_ASSERT_EQUAL_FATAL(count, DECK_SIZE);
        CU_ASSERT_EQUAL(shoe_bench_different(cards, count), faults[i].different);
        CU_ASSERT_EQUAL(counts.repeats, faults[i].repeats);
        CU_ASSERT_EQUAL(!memcmp(cards, honest, 16), true);
        CU_ASSERT_EQUAL(cards[16] == honest[16], !lies);
        shoe_bench_close(&bench);
    }
}

TEST(a_torn_cable_is_a_device_that_is_gone)
{
    shoe_bench_open_unlocked(&bench, "shoe", "draw=400,fault=unplug@frames:9");
    while (shoe_bench_next(&bench) >= 0)
        continue;
    CU_ASSERT_EQUAL(bench.error.code, ERROR_DEVICE);
    CU_ASSERT_PTR_NOT_NULL(strstr(bench.error.text, "gone"));
    shoe_bench_close(&bench);
    /* HELLO, LOCK and its event's acknowledgement; the fourth frame comes after the power. */
    shoe_bench_open_unlocked(&bench, "shoe", "fault=unplug@frames:4");
    shoe_model_power_cycle(bench.model, now());
    CU_ASSERT_FALSE(bench.model->gone);
    CU_ASSERT_EQUAL(shoe_bench_next(&bench), SHOE_EVENT_STARTED);
    CU_ASSERT_TRUE(bench.model->gone);
    shoe_bench_close(&bench);
}

TEST(a_lost_acknowledgement_takes_nothing_else_with_it)
{
    struct shoe_counts counts;

    shoe_bench_open_unlocked(&bench, "shoe", "fault=lost-ack@card:1");
    CU_ASSERT_TRUE(shoe_model_draw(bench.model, now()));
    /* The card is not yet sent when the request comes. */
    CU_ASSERT_EQUAL(shoe_lock(bench.shoe, true, &error), 0);
    shoe_counts(bench.shoe, &counts);
    CU_ASSERT_EQUAL(counts.retries, 0);
    CU_ASSERT_EQUAL(shoe_bench_next(&bench), SHOE_EVENT_CARD);
    shoe_bench_close(&bench);
}

TEST(a_hand_that_draws_without_a_listener_stops_before_a_card_is_lost)
{
    card_t cards[DECK_SIZE];

    shoe_bench_open_unlocked(&bench, "shoe", "draw=100");
    clock_advance(&bench.clock, now() + 60 * NANOS_PER_SECOND);
    CU_ASSERT_EQUAL(shoe_bench_take_cards(&bench, cards), DECK_SIZE);
    CU_ASSERT_EQUAL(shoe_bench_different(cards, DECK_SIZE), DECK_SIZE);
    shoe_bench_close(&bench);
}

/* Power goes at each step while six cards are dealt; the third one's acknowledgement is lost. */
TEST(no_card_is_lost_or_told_twice_by_a_power_loss_at_any_step)
{
    card_t expected[DECK_SIZE];

    shoe_bench_open_unlocked(&bench, "shoe", "draw=400");
    shoe_bench_take_cards(&bench, expected);
    shoe_bench_close(&bench);
    for (unsigned step = 0; step < 24; step++) {
        card_t cards[DECK_SIZE];
        unsigned count = 0, starts = 0;
        int kind;

        shoe_bench_open_unlocked(&bench, "shoe", "fault=lost-ack@card:3");
        for (unsigned at = 0; at < 24; at++) {
            uint8_t unheard[64];

            if (at % 4 == 0)
                CU_ASSERT_TRUE(shoe_model_draw(bench.model, now()));
            if (at == step && at % 2)
                bench.model->ops->send(bench.model, unheard, sizeof unheard, now());
            if (at == step)
                shoe_model_power_cycle(bench.model, now());
            kind = shoe_next(bench.shoe, &bench.event, now(), &bench.error);
            CU_ASSERT(kind >= 0);
            if (kind == 1 && bench.event.kind == SHOE_EVENT_CARD)
                cards[count++] = bench.event.card.card;
            starts += kind == 1 && bench.event.kind == SHOE_EVENT_STARTED;
        }
        while ((kind = shoe_bench_next(&bench)) >= 0) {
            if (kind == SHOE_EVENT_CARD)
                cards[count++] = bench.event.card.card;
            starts += kind == SHOE_EVENT_STARTED;
        }
        CU_ASSERT_EQUAL(starts, 1);
        CU_ASSERT_EQUAL(count, 6);
        CU_ASSERT(!memcmp(cards, expected, 6));
        shoe_bench_close(&bench);
    }
}

TEST(place_and_error_survive_a_power_loss)
{
    struct shoe_status before, after;

    shoe_bench_open_unlocked(&bench, "shoe", "fault=misread@card:3");
    for (unsigned i = 0; i < 3; i++)
        shoe_model_draw(bench.model, now());
    CU_ASSERT_TRUE(shoe_bench_await(&bench, SHOE_EVENT_FAULT));
    CU_ASSERT_EQUAL(shoe_status(bench.shoe, &before, &error), 0);
    shoe_model_power_cycle(bench.model, now());
    CU_ASSERT_EQUAL(shoe_bench_next(&bench), SHOE_EVENT_STARTED);
    CU_ASSERT_EQUAL(shoe_status(bench.shoe, &after, &error), 0);
    CU_ASSERT_TRUE(shoe_bench_same_status(&before, &after));
    CU_ASSERT_EQUAL(after.state, SHOE_ERROR);
    CU_ASSERT_EQUAL(after.drawn, 2);
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

        shoe_bench_open_unlocked(&bench, "shoe", "draw=2000,seed=4");
        CU_ASSERT_EQUAL_FATAL(fault_link(&noisy, bench.link, &noise, &error), 0);
        bench.link = bench.shoe->device.link = noisy;
        device_host(&bench.shoe->device)->link = noisy;
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

    shoe_bench_open_far(&bench, "shoe", "draw=2,seed=9,fault=misread@card:5", pump);
    CU_ASSERT_EQUAL(shoe_lock(bench.shoe, false, &error), 0);
    while (count < DECK_SIZE) {
        int kind = shoe_bench_next(&bench);

        CU_ASSERT_FATAL(kind >= 0);
        if (kind == SHOE_EVENT_CARD)
            cards[count++] = bench.event.card.card;
        if (kind == SHOE_EVENT_FAULT)
            CU_ASSERT_EQUAL(shoe_clear_error(bench.shoe, SHOE_CANNOT_READ, &error), 0);
    }
    CU_ASSERT_EQUAL(shoe_bench_different(cards, count), DECK_SIZE);
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
