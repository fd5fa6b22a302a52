/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a table has paid: from the tray and from meters, exactly. */
#include <string.h>

#include "games/paid.h"
#include "tests/support/suite.h"

enum { ANTE, X_TRA, ALL_IN, SAME_SUIT, STAX };

static void settled(struct round *round, struct settlement *settlement)
{
    memset(round, 0, sizeof *round);
    memset(settlement, 0, sizeof *settlement);
    settlement->seats = seat_bit(2);
    round->bets[2][ANTE] = 1000;
    round->bets[2][STAX] = 500;
}

static struct paid paid_by(const struct round *round, const struct settlement *settlement)
{
    struct paid paid = {0};

    paid_round(&paid, game_find("chase-the-flush"), round, settlement);
    return paid;
}

TEST(wagers_at_odds_and_fixed_pays_come_from_the_tray)
{
    struct settlement settlement;
    struct round round;

    settled(&round, &settlement);
    settlement.seat[2].net[ANTE] = 1000;
    settlement.seat[2].net[X_TRA] = -1000;
    settlement.seat[2].net[STAX] = 14500;
    CU_ASSERT_EQUAL(paid_by(&round, &settlement).tray, 16000);
    CU_ASSERT_EQUAL(paid_by(&round, &settlement).meters, 0);
}

TEST(a_lost_side_wager_pays_nothing)
{
    struct settlement settlement;
    struct round round;

    settled(&round, &settlement);
    settlement.seat[2].net[STAX] = -500;
    CU_ASSERT_EQUAL(paid_by(&round, &settlement).tray, 0);
}

TEST(jackpots_and_must_hit_come_from_meters)
{
    struct settlement settlement;
    struct round round;

    settled(&round, &settlement);
    settlement.seat[2].net[ANTE] = 1000;
    settlement.seat[2].net[STAX] = 49500;
    settlement.seat[2].must_hit = 30000;
    settlement.awards[0] = (struct award){.seat = 2, .meter = 3, .pays = 50000};
    settlement.awards[1] = (struct award){.seat = 2, .meter = 4, .pays = 30000};
    settlement.award_count = 2;
    CU_ASSERT_EQUAL(paid_by(&round, &settlement).tray, 1000);
    CU_ASSERT_EQUAL(paid_by(&round, &settlement).meters, 80000);
}

TEST(a_round_that_is_void_pays_nothing_and_is_counted)
{
    struct settlement settlement;
    struct round round;

    settled(&round, &settlement);
    settlement.is_void = true;
    CU_ASSERT_EQUAL(paid_by(&round, &settlement).tray, 0);
    CU_ASSERT_EQUAL(paid_by(&round, &settlement).voided, 1);
}

TEST(a_sum_that_has_no_room_stays_at_its_end_and_says_so)
{
    struct paid paid = {.tray = PAID_MOST - 5, .meters = PAID_MOST - 5}, sum = {0};
    char text[PAID_TEXT_SIZE];

    paid_wager(&paid, false, 6, 0);
    paid_wager(&paid, true, PAID_MOST, PAID_MOST);
    paid_award(&paid, true, 6);
    CU_ASSERT_EQUAL(paid.tray, PAID_MOST);
    CU_ASSERT_EQUAL(paid.meters, PAID_MOST);
    paid_since(&sum, &paid, &(struct paid){.tray = 1});
    CU_ASSERT_EQUAL(sum.tray, PAID_MOST);
    CU_ASSERT_STRING_EQUAL(paid_text(sum.tray, text), "more than $92233720368547758.07");
    CU_ASSERT_STRING_EQUAL(paid_text(1205, text), "$12.05");
}

TEST(every_seat_that_plays_is_counted_and_no_other)
{
    struct settlement settlement;
    struct round round;

    settled(&round, &settlement);
    settlement.seats = seat_bit(1) | seat_bit(SEATS_MAX);
    settlement.seat[1].net[ANTE] = 1000;
    settlement.seat[2].net[ANTE] = 200; /* of an earlier round */
    settlement.seat[SEATS_MAX].net[ANTE] = 30;
    CU_ASSERT_EQUAL(paid_by(&round, &settlement).tray, 1030);
}

TEST(only_awards_that_are_counted_were_paid)
{
    struct settlement settlement;
    struct round round;

    settled(&round, &settlement);
    settlement.awards[0] = (struct award){.seat = 2, .meter = 4, .pays = 30000};
    CU_ASSERT_EQUAL(paid_by(&round, &settlement).meters, 0);
    settlement.award_count = 1;
    CU_ASSERT_EQUAL(paid_by(&round, &settlement).meters, 30000);
}

TEST(a_single_cent_is_a_pay_and_less_than_nothing_is_none)
{
    struct paid paid = {.tray = 0};

    paid_wager(&paid, false, 1, 1000);
    paid_award(&paid, false, 1);
    paid_award(&paid, true, -1);
    CU_ASSERT_EQUAL(paid.tray, 1);
    CU_ASSERT_EQUAL(paid.meters, 1);
}

TEST(a_pay_that_no_number_holds_takes_its_sum_to_the_end)
{
    struct paid paid = {.tray = 0};

    paid_wager(&paid, true, PAID_MOST, 1);
    CU_ASSERT_EQUAL(paid.tray, PAID_MOST);
}

TEST(what_was_there_before_is_not_added_again)
{
    struct paid paid = {10, 20, 1};

    paid_since(&paid, &(struct paid){700, 900, 5}, &(struct paid){300, 400, 2});
    CU_ASSERT_EQUAL(paid.tray, 410);
    CU_ASSERT_EQUAL(paid.meters, 520);
    CU_ASSERT_EQUAL(paid.voided, 4);
}
