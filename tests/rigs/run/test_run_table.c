/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the table of a rig means for a recording that speaks of meters, and for one that does not.
 */
#include "rigs/run/table.h"

#include <stdio.h>
#include <string.h>

#include "tests/support/suite.h"

#define RIG_HEAD "rig: test\nclock: virtual\ndevices:\n  shuffler: {address: emu:shuffler}\n"
#define METERS   "meters:\n  - {meter: star, opening: \"12000.50\"}\n"
#define MUST_HIT "must-hit: {reset: \"250.00\", hit-by: \"500.00\", rate: \"1.00\"}\n"

static const struct wager wagers[] = {{.name = "ante", .required = true, .equal_to = NO_WAGER}};

static const struct stage stages[] = {
    {{{DECISION_FOLD, NO_WAGER, 0, true}, {DECISION_CHECK, NO_WAGER, 0, true}}, 0},
};

static seats_t draw(const struct game_setup *setup, const card_t hole[SEATS_MAX + 1][4],
                    seats_t seats_in, bool *dealer_draws)
{
    (void)setup;
    (void)hole;
    *dealer_draws = false;
    return seats_in;
}

static void settle(const struct game_setup *setup, cents_t stakes[SEATS_MAX + 1][WAGERS_MAX],
                   seats_t folded, struct settlement *settlement)
{
    (void)setup;
    (void)stakes;
    (void)folded;
    (void)settlement;
}

/* The open protocol has no words for a draw after two cards. */
static const struct game pairs = {
    .name = "pairs",
    .title = "Pairs",
    .wagers = wagers,
    .stages = stages,
    .wager_count = 1,
    .stage_count = 1,
    .hole_cards = 2,
    .card_at_a_time = true,
    .rounding = ROUNDING_CENTS,
    .draws = draw,
    .settle = settle,
};
REGISTER(games, pairs);

static struct error error;

/* Puts the header of a recording on a rig whose file ends so; the code of the error. */
static int apply(const char *rig_text, const char *header_text, struct recording_header *header)
{
    struct rig *rig;
    char text[1024];
    int length = snprintf(text, sizeof text, RIG_HEAD "%s", rig_text), status;

    CU_ASSERT_EQUAL_FATAL(rig_parse(&rig, "test.yaml", text, (size_t)length, &error), 0);
    CU_ASSERT_EQUAL_FATAL(
        recording_read_header(header_text, strlen(header_text), NULL, header, &error), 0);
    status = run_table_apply(rig, header, &error);
    rig_free(rig);
    return status;
}

static micros_t meter(const struct recording_header *header, const char *name)
{
    for (unsigned i = 0; i < header->meters.count; i++)
        if (!strcmp(header->meters.meter[i].name, name))
            return header->meters.meter[i].value;
    return -1;
}

TEST(a_silent_recording_opens_with_the_meters_of_the_rig)
{
    struct recording_header header;

    CU_ASSERT_EQUAL(apply(METERS, "{\"shoe\":1,\"game\":\"chase-the-flush\"}", &header), 0);
    CU_ASSERT_EQUAL(meter(&header, "star"), 12000500000);
    CU_ASSERT_EQUAL(meter(&header, "spade"), 2500000000);
}

TEST(a_recording_that_speaks_of_meters_speaks_for_all_of_them)
{
    struct recording_header header;

    CU_ASSERT_EQUAL(
        apply(METERS,
              "{\"shoe\":1,\"game\":\"chase-the-flush\",\"meters\":{\"spade\":\"2600.00\"}}",
              &header),
        0);
    CU_ASSERT_EQUAL(meter(&header, "star"), 10000000000);
    CU_ASSERT_EQUAL(meter(&header, "spade"), 2600000000);
}

TEST(a_silent_recording_gets_the_must_hit_of_the_rig)
{
    struct recording_header header;

    CU_ASSERT_EQUAL(apply(MUST_HIT "meters: [{meter: must-hit, opening: \"300.00\"}]\n",
                          "{\"shoe\":1,\"game\":\"chase-the-flush\"}", &header),
                    0);
    CU_ASSERT_EQUAL(header.meters.must_hit, 4);
    CU_ASSERT_EQUAL(meter(&header, "must-hit"), 300000000);
    CU_ASSERT_EQUAL(header.meters.meter[4].ceiling, 500000000);
    CU_ASSERT_EQUAL(header.meters.meter[4].rate, 100);
}

TEST(the_must_hit_of_a_recording_goes_before_that_of_the_rig)
{
    struct recording_header header;

    CU_ASSERT_EQUAL(apply(MUST_HIT "meters: [{meter: must-hit, opening: \"400.00\"}]\n",
                          "{\"shoe\":1,\"game\":\"chase-the-flush\",\"must-hit\":{\"reset\":"
                          "\"100.00\",\"hit-by\":\"200.00\",\"rate\":\"2.00\"}}",
                          &header),
                    0);
    CU_ASSERT_EQUAL(meter(&header, "must-hit"), 100000000);
    CU_ASSERT_EQUAL(header.meters.meter[4].ceiling, 200000000);
}

TEST(meters_and_must_hit_of_another_game_are_left_out)
{
    struct recording_header header;

    CU_ASSERT_EQUAL(apply(METERS MUST_HIT, "{\"shoe\":1,\"game\":\"three-card-catch\"}", &header),
                    0);
    CU_ASSERT_EQUAL(header.meters.must_hit, -1);
    CU_ASSERT_EQUAL(header.meters.count, 5);
    CU_ASSERT_EQUAL(apply(METERS MUST_HIT, "{\"shoe\":1,\"game\":\"flush-rush\"}", &header), 0);
    CU_ASSERT_EQUAL(header.meters.count, 0);
}

TEST(limits_hold_whatever_a_recording_says)
{
    struct recording_header header;

    CU_ASSERT_EQUAL(apply("limits: [{wager: ante, min: 500, max: 50000}]\n",
                          "{\"shoe\":1,\"game\":\"chase-the-flush\"}", &header),
                    0);
    CU_ASSERT_EQUAL(header.setup.minimum[0], 500);
    CU_ASSERT_EQUAL(header.setup.maximum[0], 50000);
}

TEST(a_deal_that_the_dealing_device_cannot_be_told_is_refused_with_the_table)
{
    struct recording_header header;

    CU_ASSERT_EQUAL(apply("", "{\"shoe\":1,\"game\":\"pairs\"}", &header), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "emu:shuffler: the protocol has draws only after"));
    CU_ASSERT_EQUAL(apply("", "{\"shoe\":1,\"game\":\"pairs\",\"deal\":\"cards\"}", &header), 0);
    CU_ASSERT_EQUAL(apply("", "{\"shoe\":1,\"game\":\"three-card-catch\"}", &header), 0);
}

/* Whether all rounds at this table can be played; the rig has more fields, the header too. */
static bool takes_all(const char *rig_text, const char *header_text)
{
    struct recording_header header;
    struct rig *rig;
    char text[1024];
    int length = snprintf(text, sizeof text, RIG_HEAD "%s", rig_text);
    bool takes;

    CU_ASSERT_EQUAL_FATAL(rig_parse(&rig, "test.yaml", text, (size_t)length, &error), 0);
    CU_ASSERT_EQUAL_FATAL(
        recording_read_header(header_text, strlen(header_text), NULL, &header, &error), 0);
    takes = run_table_takes_all(rig, &header);
    rig_free(rig);
    return takes;
}

TEST(a_table_takes_all_rounds_that_its_seats_and_its_machine_are_enough_for)
{
    static const char catch[] = "{\"shoe\":1,\"game\":\"three-card-catch\"}";

    CU_ASSERT(takes_all("", catch));
    CU_ASSERT_FALSE(takes_all("seats: 6\n", catch));
    /* Eight hands of three and as many draws leave twenty cards. */
    CU_ASSERT(takes_all("", "{\"shoe\":1,\"game\":\"three-card-catch\",\"burn\":20}"));
    CU_ASSERT_FALSE(takes_all("", "{\"shoe\":1,\"game\":\"three-card-catch\",\"burn\":21}"));
    CU_ASSERT(
        takes_all("", "{\"shoe\":1,\"game\":\"three-card-catch\",\"deal\":\"cards\",\"burn\":21}"));
}
