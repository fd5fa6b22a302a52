/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "games/chase_the_flush/chase_the_flush.h"
#include "games/game.h"
#include "tests/support/suite.h"
#include "tests/support/table.h"

#define DOLLARS(n) ((micros_t)(n)*MICROS_PER_DOLLAR)

static void bet(struct table *table, unsigned wager, cents_t stake)
{
    table->round.bets[3][wager] = stake;
}

static struct table with_must_hit(micros_t value)
{
    struct table table = table_chase();

    CU_ASSERT_EQUAL(meters_add_must_hit(&table.meters,
                                        &(struct must_hit_rule){DOLLARS(250), DOLLARS(500), 100},
                                        NULL),
                    0);
    CU_ASSERT_EQUAL(meters_open(&table.meters, "must-hit", value, NULL), 0);
    return table;
}

TEST(must_hit_is_the_last_award_and_part_of_its_seats_total)
{
    struct table table = with_must_hit(DOLLARS(300));
    cents_t before;

    /* A 5-card straight flush wins the diamond in the same round. */
    table_deal(&table, "As 2s Kd, 9h 9c 9d, 3s 4s 5s 7h");
    CU_ASSERT_EQUAL_FATAL(table_settle(&table), 0);
    before = table.result.seat[3].total;
    table = with_must_hit(DOLLARS(300));
    table_deal(&table, "As 2s Kd, 9h 9c 9d, 3s 4s 5s 7h");
    table.round.must_hit_seat = 3;
    CU_ASSERT_EQUAL_FATAL(table_settle(&table), 0);
    CU_ASSERT_EQUAL_FATAL(table.result.award_count, 2);
    CU_ASSERT_EQUAL(table.result.awards[0].meter, 3);
    CU_ASSERT_EQUAL(table.result.awards[0].pays, 50000);
    CU_ASSERT_EQUAL(table.result.awards[1].seat, 3);
    CU_ASSERT_EQUAL(table.result.awards[1].meter, 4);
    CU_ASSERT_EQUAL(table.result.awards[1].pays, 30005);
    CU_ASSERT_EQUAL(table.result.seat[3].must_hit, 30005);
    CU_ASSERT_EQUAL(table.result.seat[3].total, before + 30005);
    CU_ASSERT_EQUAL(table_net(&table, 3, "stax"), 50000 - 500);
    CU_ASSERT_EQUAL(table_meter(&table, "must-hit"), DOLLARS(250));
}

TEST(must_hit_goes_only_to_a_seat_that_paid_for_it)
{
    struct table table = with_must_hit(DOLLARS(300));

    table.round.must_hit_seat = 4;
    CU_ASSERT(table_refuses(&table, "must-hit: seat 4 does not play"));
    table.round.must_hit_seat = 200;
    CU_ASSERT(table_refuses(&table, "must-hit: seat 200 does not play"));
    table.round.must_hit_seat = 3;
    bet(&table, CHASE_STAX, 0);
    CU_ASSERT(table_refuses(&table, "must-hit: seat 3 has no paid progressive wager"));
}

TEST(a_must_hit_award_without_its_meter_is_refused)
{
    struct table table = table_chase();

    table.round.must_hit_seat = 3;
    CU_ASSERT(table_refuses(&table, "this table has no such meter"));
    table_open(&table, game_find("flush-rush"));
    table_seat(&table, 1, "ante 1000", "fold");
    table_deal(&table, "2h 4h 6h 8h, Ts Qs 3d Th");
    table.round.must_hit_seat = 1;
    CU_ASSERT(table_refuses(&table, "must-hit: seat 1 has no paid progressive wager"));
}

TEST(a_meter_past_its_ceiling_makes_the_round_an_error)
{
    struct table table = with_must_hit(DOLLARS(500) - 49999);

    CU_ASSERT(table_refuses(&table, "meter must-hit would stand at 500.000001 without an award, "
                                    "above its ceiling of 500.000000"));
    table.round.must_hit_seat = 3;
    CU_ASSERT_EQUAL_FATAL(table_settle(&table), 0);
    CU_ASSERT_EQUAL(table.result.awards[0].pays, 50000);
    CU_ASSERT_EQUAL(table_meter(&table, "must-hit"), DOLLARS(250) + 1);
}

TEST(five_meters_leave_no_room_for_must_hit)
{
    struct table table;

    table_open(&table, game_find("three-card-catch"));
    CU_ASSERT_EQUAL(meters_add_must_hit(&table.meters,
                                        &(struct must_hit_rule){DOLLARS(250), DOLLARS(500), 100},
                                        NULL),
                    ERROR_CONFIG);
}

TEST(a_cancelled_round_feeds_no_meter_and_awards_none)
{
    struct table table = with_must_hit(DOLLARS(300));
    struct meters before = table.meters;

    table.round.cancelled = true;
    CU_ASSERT_EQUAL(table_settle(&table), 0);
    CU_ASSERT_EQUAL(memcmp(&before, &table.meters, sizeof before), 0);
    table.round.must_hit_seat = 3;
    CU_ASSERT(table_refuses(&table, "seat 3 cannot win in a cancelled round"));
    table.round.must_hit_seat = 0;
    table_deal(&table, "As 2s Kd, 9h 9c 9d, 3s 4s 5s 7h");
    CU_ASSERT(table_refuses(&table, "seat 3 is due a meter, but the round was cancelled"));
}

TEST(an_award_on_a_full_meter_is_paid_before_it_could_overflow)
{
    struct table table = table_chase();

    CU_ASSERT_EQUAL(meters_open(&table.meters, "diamond", METER_MAX, NULL), 0);
    CU_ASSERT(table_refuses(&table, "meter diamond cannot take its share of 500 cents"));
    table_deal(&table, "As 2s Kd, 9h 9c 9d, 3s 4s 5s 7h");
    CU_ASSERT_EQUAL_FATAL(table_settle(&table), 0);
    CU_ASSERT_EQUAL(table.result.awards[0].pays, METER_MAX / MICROS_PER_CENT);
}

TEST(a_failed_meter_leaves_the_settlement_as_it_was)
{
    struct table table = with_must_hit(DOLLARS(500));
    struct settlement before;

    table_deal(&table, "As 2s Kd, 9h 9c 9d, 3s 4s 5s 7h");
    CU_ASSERT_EQUAL(game_settle(&table.setup, &table.round, &table.result, NULL), 0);
    before = table.result;
    CU_ASSERT_EQUAL(
        game_settle_meters(&table.setup, &table.round, &table.meters, &table.result, NULL),
        ERROR_RULE);
    CU_ASSERT_EQUAL(memcmp(&before, &table.result, sizeof before), 0);
}

TEST(meters_gain_exactly_their_shares_and_lose_exactly_their_pays)
{
    uint64_t state = 13;
    struct table table;
    micros_t expected = 0, value = 0;
    unsigned awards = 0;

    table_open(&table, game_find("chase-the-flush"));
    for (unsigned m = 0; m < table.meters.count; m++)
        expected += table.meters.meter[m].value;
    for (unsigned i = 0; i < 30000; i++) {
        table_random_round(&table, 7, &state);
        CU_ASSERT_EQUAL_FATAL(table_settle(&table), 0);
        for (unsigned seat = 1; seat <= SEATS_MAX; seat++)
            expected += table.round.bets[seat][CHASE_STAX] * (200 + 500 + 500 + 500);
        for (unsigned a = 0; a < table.result.award_count; a++, awards++)
            expected += table.meters.meter[table.result.awards[a].meter].reseed -
                        table.result.awards[a].pays * MICROS_PER_CENT;
    }
    for (unsigned m = 0; m < table.meters.count; m++)
        value += table.meters.meter[m].value;
    CU_ASSERT(awards > 10);
    CU_ASSERT_EQUAL(value, expected);
}

/* A round that wins the diamond, in which an administrator sets a meter. */
static struct table corrected(enum correction_stage stage, unsigned meter, micros_t value)
{
    struct table table = table_chase();

    table_deal(&table, "As 2s Kd, 9h 9c 9d, 3s 4s 5s 7h");
    table.round.correction_count = 1;
    table.round.corrections[0] = (struct correction){(uint8_t)meter, stage, value};
    CU_ASSERT_EQUAL_FATAL(table_settle(&table), 0);
    CU_ASSERT_EQUAL_FATAL(table.result.award_count, 1);
    return table;
}

TEST(a_correction_counts_from_its_stage_of_the_round_on)
{
    const micros_t share = 25 * MICROS_PER_CENT; /* of five dollars */
    struct table table = corrected(CORRECTED_FIRST, 3, DOLLARS(600));

    CU_ASSERT_EQUAL(table.result.awards[0].pays, 60000);
    CU_ASSERT_EQUAL(table_meter(&table, "diamond"), DOLLARS(500) + share);
    table = corrected(CORRECTED_PAID, 3, DOLLARS(600));
    CU_ASSERT_EQUAL(table.result.awards[0].pays, 50000);
    CU_ASSERT_EQUAL(table_meter(&table, "diamond"), DOLLARS(600) + share);
    table = corrected(CORRECTED_LAST, 3, DOLLARS(600));
    CU_ASSERT_EQUAL(table.result.awards[0].pays, 50000);
    CU_ASSERT_EQUAL(table_meter(&table, "diamond"), DOLLARS(600));
}

TEST(every_correction_of_a_round_is_made_and_none_that_is_not_counted)
{
    struct table table = table_chase();

    table.round.correction_count = 2;
    table.round.corrections[0] = (struct correction){0, CORRECTED_LAST, DOLLARS(11)};
    table.round.corrections[1] = (struct correction){1, CORRECTED_LAST, DOLLARS(22)};
    table.round.corrections[2] = (struct correction){2, CORRECTED_LAST, DOLLARS(33)};
    CU_ASSERT_EQUAL_FATAL(table_settle(&table), 0);
    CU_ASSERT_EQUAL(table_meter(&table, "star"), DOLLARS(11));
    CU_ASSERT_EQUAL(table_meter(&table, "spade"), DOLLARS(22));
    CU_ASSERT_NOT_EQUAL(table_meter(&table, "heart"), DOLLARS(33));
}

TEST(a_cancelled_round_still_has_its_corrections)
{
    struct table table = table_chase();

    table.round.cancelled = true;
    table.round.correction_count = 3;
    table.round.corrections[0] = (struct correction){0, CORRECTED_FIRST, DOLLARS(11)};
    table.round.corrections[1] = (struct correction){1, CORRECTED_PAID, DOLLARS(22)};
    table.round.corrections[2] = (struct correction){2, CORRECTED_LAST, DOLLARS(33)};
    CU_ASSERT_EQUAL_FATAL(table_settle(&table), 0);
    CU_ASSERT_EQUAL(table_meter(&table, "star"), DOLLARS(11));
    CU_ASSERT_EQUAL(table_meter(&table, "spade"), DOLLARS(22));
    CU_ASSERT_EQUAL(table_meter(&table, "heart"), DOLLARS(33));
}

TEST(the_last_seat_can_win_must_hit)
{
    struct table table = with_must_hit(DOLLARS(300));

    table_clear(&table);
    table_seat(&table, SEATS_MAX, "ante 1000 x-tra 1000 stax 500", "check bet");
    table_deal(&table, "As Ks 2d, 9h 9c 9d, 3s 4s 5s 7h");
    table.round.must_hit_seat = SEATS_MAX;
    CU_ASSERT_EQUAL_FATAL(table_settle(&table), 0);
    CU_ASSERT_EQUAL(table.result.seat[SEATS_MAX].must_hit, 30005);
}

TEST(an_award_of_a_meter_that_the_table_does_not_have_is_refused)
{
    struct table table = table_chase();

    table_deal(&table, "As 2s Kd, 9h 9c 9d, 3s 4s 5s 7h");
    table.meters.count = 3;
    CU_ASSERT_EQUAL(table_settle(&table), ERROR_CONFIG);
    CU_ASSERT_STRING_EQUAL(table.error.text, "seat 3 is due meter 4, but the table has 3");
}

TEST(must_hit_is_no_line_of_a_paytable)
{
    struct table table = with_must_hit(DOLLARS(300));
    struct paytable pays = *table.setup.table[CHASE_STAX];

    pays.pays[STAX_STRAIGHT_FLUSH_5].amount = 4;
    table.setup.table[CHASE_STAX] = &pays;
    table_deal(&table, "As 2s Kd, 9h 9c 9d, 3s 4s 5s 7h");
    CU_ASSERT_EQUAL(table_settle(&table), ERROR_CONFIG);
    CU_ASSERT_STRING_EQUAL(table.error.text, "seat 3 is due meter 5, but the table has 5");
}

/* A dollar goes to seat 1, of whose game one wager counts. */
static micros_t fed(const struct wager wagers[2])
{
    static const struct meter_rule rule = {"only", DOLLARS(10), 1000};
    const struct game game = {.wagers = wagers, .wager_count = 1};
    const struct game_setup setup = {.game = &game};
    struct round round = {.seats = seat_bit(1), .bets = {[1] = {100, 100}, [2] = {100, 100}}};
    struct settlement settlement = {.seats = seat_bit(1)};
    struct meters meters;

    meters_init(&meters, &rule, 1, ROUNDING_CENTS);
    CU_ASSERT_EQUAL(game_settle_meters(&setup, &round, &meters, &settlement, NULL), 0);
    return meters.meter[0].value - DOLLARS(10);
}

TEST(the_progressive_wager_of_a_game_feeds_its_meters_and_no_other)
{
    CU_ASSERT_EQUAL(fed((const struct wager[2]){{.progressive = true}}), DOLLARS(1) / 10);
    CU_ASSERT_EQUAL(fed((const struct wager[2]){[1] = {.progressive = true}}), 0);
}

TEST(every_award_of_a_round_is_paid)
{
    struct table table;

    table_open(&table, game_find("chase-the-flush"));
    CU_ASSERT_EQUAL(meters_open(&table.meters, "diamond", DOLLARS(700), NULL), 0);
    table_seat(&table, 3, "ante 1000 x-tra 1000 stax 500", "bet");
    table_seat(&table, 4, "ante 1000 x-tra 1000 stax 500", "bet");
    table_deal(&table, "As 2s Kd, 6s 7s Kh, 9h 9c 9d, 3s 4s 5s 7h");
    CU_ASSERT_EQUAL_FATAL(table_settle(&table), 0);
    CU_ASSERT_EQUAL_FATAL(table.result.award_count, 2);
    CU_ASSERT_EQUAL(table_net(&table, 4, "stax"), 70000 - 500);
    CU_ASSERT_EQUAL(table_net(&table, 3, "stax"), 50000 - 500);
}
