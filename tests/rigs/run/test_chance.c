/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Awards of Must Hit, which chance alone gives to a seat and draws on the way to the ceiling. */
#include "rigs/run/chance.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/suite.h"

#define WHY_SEATS "p of what chance alone would do, corrected for 1 questions: "

/* What the check of Must Hit has come to. */
static struct {
    unsigned failed, passed, skipped;
    char got[32], why[200];
} told;

static int note(void *context, const struct check_result *result, struct error *error)
{
    (void)context;
    (void)error;
    if (strcmp(result->name, "must-hit-random") != 0)
        return 0;
    told.skipped += result->outcome == CHECK_SKIPPED;
    told.failed += result->outcome == CHECK_FAIL;
    if (result->outcome == CHECK_FAIL)
        CU_ASSERT_STRING_EQUAL(result->expected, "\"above 0.0001\"");
    snprintf(told.got, sizeof told.got, "%s", result->got ? result->got : "");
    snprintf(told.why, sizeof told.why, "%s", result->why);
    return 0;
}

static void judge(const struct run_must_hit *counts)
{
    struct run_chance chance = {.must_hit = *counts};
    struct check_tally tally = {0};
    struct check_book book = {.write_result = note, .tally = &tally};

    memset(&told, 0, sizeof told);
    run_chance_judge(&chance, &book);
    told.passed = (unsigned)book.counts.passed[CHECK_MUST_HIT_RANDOM];
    CU_ASSERT_EQUAL(told.failed + told.passed + told.skipped, 1);
}

static void expect_too_few(void)
{
    CU_ASSERT_EQUAL(told.skipped, 1);
    CU_ASSERT_STRING_EQUAL(told.why, "too few awards of Must Hit to say");
}

static void expect_failed(double p, const char *why)
{
    char text[32];

    snprintf(text, sizeof text, "%.3g", p);
    CU_ASSERT_EQUAL(told.failed, 1);
    CU_ASSERT_STRING_EQUAL(told.got, text);
    CU_ASSERT_STRING_EQUAL(told.why, why);
}

/* Two seats can be asked about four times: each has too many, or too few. */
TEST(one_of_two_seats_that_wins_every_award_fails_once_there_are_enough)
{
    struct run_must_hit counts = {0};

    judge(&counts);
    expect_too_few();
    counts.won[2][0] = 16;
    judge(&counts);
    expect_too_few();
    counts.won[2][0] = 17;
    judge(&counts);
    expect_failed(4 * pow(0.5, 17),
                  WHY_SEATS "17 of 17 awards to eligible seat 1 of 2, where 8.5 are due");
    counts.won[2][1] = 17;
    judge(&counts);
    CU_ASSERT_EQUAL(told.passed, 1);
}

TEST(one_of_three_seats_that_wins_eleven_awards_in_turn_is_enough)
{
    struct run_must_hit counts = {0};

    counts.won[3][1] = 10;
    judge(&counts);
    expect_too_few();
    counts.won[3][1] = 11;
    judge(&counts);
    expect_failed(6 * pow(1.0 / 3, 11),
                  WHY_SEATS "11 of 11 awards to eligible seat 2 of 3, where 3.67 are due");
}

TEST(one_of_seven_seats_that_never_wins_fails)
{
    struct run_must_hit counts = {.won[7] = {20, 20, 20, 20, 20, 20, 0}};

    judge(&counts);
    expect_failed(14 * pow(6.0 / 7, 120),
                  WHY_SEATS "0 of 120 awards to eligible seat 7 of 7, where 17.1 are due");
}

/* Awards of other numbers of seats are other questions; who is alone wins, which asks nothing. */
TEST(seats_are_judged_by_how_many_could_have_won)
{
    struct run_must_hit counts = {.won = {[2] = {20, 20}, [4] = {0, 0, 30, 0}}};

    counts.won[1][0] = 100;
    judge(&counts);
    expect_failed(12 * pow(0.25, 30),
                  WHY_SEATS "30 of 30 awards to eligible seat 3 of 4, where 7.5 are due");
}

/* P(X >= 24) of 30 by halves is 7.15e-4: times four it is no evidence. */
TEST(a_seat_that_wins_often_is_no_evidence)
{
    struct run_must_hit counts = {.won[2] = {24, 6}};

    judge(&counts);
    CU_ASSERT_EQUAL(told.passed, 1);
    counts.won[2][0] = 40;
    judge(&counts);
    CU_ASSERT_EQUAL(told.failed, 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(told.why, "40 of 46 awards to eligible seat 1 of 2"));
}

#define QUESTIONS 22 /* about values: 7 beginnings, 7 ends and 8 parts of the way */

/* One over the mean likelihood of all greater chances, against that of `chance`: Simpson's rule. */
static double mean_p(unsigned count, unsigned of, double chance)
{
    const unsigned steps = 20000;
    double sum = 0;

    for (unsigned i = 0; i <= steps; i++) {
        double q = chance + (1 - chance) * i / steps;
        double weight = i == 0 || i == steps ? 1 : i % 2 ? 4 : 2;

        sum += weight * exp(count * log(q / chance)) *
               (of > count ? pow((1 - q) / (1 - chance), of - count) : 1);
    }
    return 3.0 * steps / sum;
}

static void expect_value(struct run_must_hit *counts, uint32_t *count, double chance,
                         const char *says)
{
    char why[200];

    *count = 150;
    judge(counts);
    snprintf(why, sizeof why, WHY_SEATS "150 of 150 awards %s, where %.3g are due", says,
             150 * chance);
    expect_failed(QUESTIONS * mean_p(150, 150, chance), why);
    *count = 0;
}

TEST(awards_that_all_come_in_one_part_of_the_way_fail)
{
    struct run_must_hit counts = {.seen = 150, .early[RUN_PARTS - 1] = 150, .late[0] = 150};
    char says[64];

    for (unsigned part = 0; part < RUN_PARTS; part++) {
        snprintf(says, sizeof says, "in part %u of 8 of the way", part + 1);
        expect_value(&counts, &counts.within[part], 1.0 / 8, says);
    }
}

TEST(awards_that_all_come_at_the_beginning_or_at_the_end_of_the_way_fail)
{
    struct run_must_hit counts = {.seen = 150, .early[RUN_PARTS - 1] = 150, .late[0] = 150};
    char says[64];

    for (unsigned part = 0; part + 1 < RUN_PARTS; part++) {
        snprintf(says, sizeof says, "in the first %u/8 of the way", part + 1);
        expect_value(&counts, &counts.early[part], (part + 1) / 8.0, says);
    }
    for (unsigned part = 1; part < RUN_PARTS; part++) {
        snprintf(says, sizeof says, "in the last %u/8 of the way", 8 - part);
        expect_value(&counts, &counts.late[part], 1 - part / 8.0, says);
    }
}

TEST(most_awards_in_one_part_are_weighed_by_every_chance_that_is_greater)
{
    struct run_must_hit counts = {.seen = 40, .within[4] = 20};

    judge(&counts);
    expect_failed(QUESTIONS * mean_p(20, 40, 1.0 / 8),
                  WHY_SEATS "20 of 40 awards in part 5 of 8 of the way, where 5 are due");
    counts.within[4] = 12;
    judge(&counts);
    CU_ASSERT_EQUAL(told.passed, 1);
}

TEST(eight_awards_are_the_fewest_that_values_can_be_judged_by)
{
    struct run_must_hit counts = {.seen = 7, .within[0] = 7};

    judge(&counts);
    expect_too_few();
    counts.seen = counts.within[0] = 8;
    judge(&counts);
    CU_ASSERT_EQUAL(told.failed, 1);
    counts.within[0] = 0;
    judge(&counts);
    CU_ASSERT_EQUAL(told.passed, 1);
}

/* Both questions, the more unlikely answer, times two. */
TEST(of_seats_and_values_the_more_unlikely_is_told)
{
    struct run_must_hit counts = {.won[2] = {30, 0}, .seen = 12, .within[0] = 12};

    judge(&counts);
    expect_failed(2 * QUESTIONS * mean_p(12, 12, 1.0 / 8),
                  "p of what chance alone would do, corrected for 2 questions: 12 of 12 awards in "
                  "part 1 of 8 of the way, where 1.5 are due");
    counts.won[2][0] = 100;
    judge(&counts);
    expect_failed(2 * 4 * pow(0.5, 100),
                  "p of what chance alone would do, corrected for 2 questions: 100 of 100 awards "
                  "to eligible seat 1 of 2, where 50 are due");
}

/* Neither is a number above 0 any more. */
TEST(awards_that_chance_alone_would_never_give_fail_whatever_their_number)
{
    struct run_must_hit counts = {.won[2] = {5000, 0}, .seen = 5000, .within[0] = 5000};

    judge(&counts);
    expect_failed(0, "p of what chance alone would do, corrected for 2 questions: 5000 of 5000 "
                     "awards to eligible seat 1 of 2, where 2.5e+03 are due");
}

/* Four times 21 of 2^20 is evidence alone, and none where another question is asked as well. */
TEST(two_questions_share_the_chance_of_an_error)
{
    struct run_must_hit counts = {.won[2] = {19, 1}, .seen = 40};

    judge(&counts);
    CU_ASSERT_EQUAL(told.passed, 1);
    counts.seen = 0;
    judge(&counts);
    CU_ASSERT_EQUAL(told.failed, 1);
}

#define DOLLAR  ((micros_t)MICROS_PER_DOLLAR)
#define RESEED  (10 * DOLLAR)
#define CEILING (50 * DOLLAR)

/* A round of a table with a Must Hit meter behind another one. */
static struct run *open_run(void)
{
    struct run *run = calloc(1, sizeof *run);
    struct meter *meter;

    CU_ASSERT_PTR_NOT_NULL_FATAL(run);
    run->recording.meters.count = 2;
    run->recording.meters.must_hit = 1;
    meter = &run->recording.meters.meter[1];
    meter->reseed = RESEED;
    meter->ceiling = CEILING;
    run->round.after = run->recording.meters;
    run->round.is_settled = true;
    run->round.paid = seat_bit(2) | seat_bit(3) | seat_bit(6);
    run->round.dealt.must_hit_seat = 3;
    return run;
}

/* An award at `now`, where the meter stood at `before`; the rest of `now` is carried over. */
static void see(struct run_chance *chance, struct run *run, micros_t before, micros_t now,
                micros_t carried)
{
    unsigned seat = run->round.dealt.must_hit_seat;

    run->recording.meters.meter[1].value = before;
    run->round.after.meter[1].value = RESEED + carried;
    run->round.outcome.seat[seat].must_hit = (now - carried) / MICROS_PER_CENT;
    run_chance_see_must_hit(chance, run);
}

TEST(an_award_is_counted_for_its_place_among_those_who_could_have_won)
{
    struct run_chance chance = {0};
    struct run *run = open_run();

    see(&chance, run, 30 * DOLLAR, 31 * DOLLAR, 0);
    CU_ASSERT_EQUAL(chance.must_hit.won[3][1], 1);
    run->round.dealt.must_hit_seat = 2;
    see(&chance, run, 30 * DOLLAR, 31 * DOLLAR, 0);
    CU_ASSERT_EQUAL(chance.must_hit.won[3][0], 1);
    run->round.dealt.must_hit_seat = 6;
    see(&chance, run, 30 * DOLLAR, 31 * DOLLAR, 0);
    CU_ASSERT_EQUAL(chance.must_hit.won[3][2], 1);
    run->round.dealt.must_hit_seat = 5;
    see(&chance, run, 30 * DOLLAR, 31 * DOLLAR, 0);
    CU_ASSERT_EQUAL(
        chance.must_hit.won[3][0] + chance.must_hit.won[3][1] + chance.must_hit.won[3][2], 3);
    free(run);
}

TEST(what_is_no_award_is_not_counted)
{
    struct run_chance chance = {0};
    struct run *run = open_run();

    run->round.is_settled = false;
    see(&chance, run, 30 * DOLLAR, 31 * DOLLAR, 0);
    run->round.is_settled = true;
    run->round.dealt.must_hit_seat = 0;
    run_chance_see_must_hit(&chance, run);
    run->round.dealt.must_hit_seat = 3;
    run->recording.meters.must_hit = -1;
    run_chance_see_must_hit(&chance, run);
    CU_ASSERT_FALSE(chance.must_hit.has_start);
    CU_ASSERT_EQUAL(chance.must_hit.won[3][1], 0);
    free(run);
}

/* The parts that an award is counted for, as sets: drawn before their ends, after their beginnings.
 */
static void expect_parts(const struct run_must_hit *counts, unsigned early, unsigned late)
{
    for (unsigned part = 0; part < RUN_PARTS; part++) {
        CU_ASSERT_EQUAL(counts->early[part], early >> part & 1);
        CU_ASSERT_EQUAL(counts->late[part], late >> part & 1);
        CU_ASSERT_EQUAL(counts->within[part], early >> part & late >> part & 1);
    }
}

/* The second of two awards, the first of which has left the meter at `start`. */
static void expect_drawn(micros_t start, micros_t before, micros_t now, unsigned early,
                         unsigned late)
{
    struct run_chance chance = {0};
    struct run *run = open_run();

    see(&chance, run, 30 * DOLLAR, 31 * DOLLAR, start - RESEED);
    CU_ASSERT_EQUAL(chance.must_hit.seen, 0);
    CU_ASSERT(chance.must_hit.has_start);
    CU_ASSERT_EQUAL(chance.must_hit.start, start);
    see(&chance, run, before, now, 0);
    CU_ASSERT_EQUAL(chance.must_hit.seen, 1);
    CU_ASSERT_EQUAL(chance.must_hit.start, RESEED);
    expect_parts(&chance.must_hit, early, late);
    free(run);
}

/* From 10 to 50 dollars a part has five. */
TEST(an_award_is_counted_for_the_parts_of_the_way_that_it_surely_was_drawn_in)
{
    expect_drawn(RESEED, RESEED, 15 * DOLLAR, 0xff, 0x01);
    expect_drawn(RESEED, 15 * DOLLAR, 20 * DOLLAR, 0xfe, 0x03);
    expect_drawn(RESEED, 16 * DOLLAR, 19 * DOLLAR, 0xfe, 0x03);
    expect_drawn(RESEED, 14 * DOLLAR, 21 * DOLLAR, 0xfc, 0x01);
    expect_drawn(RESEED, 45 * DOLLAR, 50 * DOLLAR, 0x80, 0xff);
    expect_drawn(RESEED, 45 * DOLLAR - 1, 45 * DOLLAR, 0xc0, 0x7f);
}

/* From 30 dollars on a part would have two and a half: what it carried over may have counted. */
TEST(whether_a_target_is_drawn_above_what_was_carried_over_is_left_open)
{
    expect_drawn(30 * DOLLAR, 30 * DOLLAR, 35 * DOLLAR, 0xf0, 0x01);
    expect_drawn(30 * DOLLAR, 40 * DOLLAR, 45 * DOLLAR, 0xc0, 0x1f);
    expect_drawn(30 * DOLLAR, 20 * DOLLAR, 25 * DOLLAR, 0xfc, 0x01);
}

TEST(a_target_is_never_above_the_ceiling)
{
    expect_drawn(RESEED, 49 * DOLLAR, 51 * DOLLAR, 0x80, 0xff);
}

TEST(an_award_that_carries_over_more_than_the_ceiling_begins_no_way)
{
    struct run_chance chance = {0};
    struct run *run = open_run();

    see(&chance, run, 49 * DOLLAR, 91 * DOLLAR, CEILING - RESEED);
    see(&chance, run, 50 * DOLLAR, 50 * DOLLAR, 0);
    CU_ASSERT_EQUAL(chance.must_hit.seen, 0);
    see(&chance, run, 20 * DOLLAR, 21 * DOLLAR, 0);
    CU_ASSERT_EQUAL(chance.must_hit.seen, 1);
    free(run);
}
