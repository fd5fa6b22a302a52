/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "games/meter.h"

#include <string.h>

#include "tests/support/suite.h"

#define DOLLARS(n) ((micros_t)(n)*MICROS_PER_DOLLAR)

static const struct meter_rule rules[] = {{"big", DOLLARS(1000), 200},
                                          {"small", DOLLARS(250), 500}};

static struct meters make(enum rounding rounding)
{
    struct meters meters;

    meters_init(&meters, rules, 2, rounding);
    return meters;
}

static struct meters with_must_hit(micros_t reset, micros_t hit_by, int32_t rate)
{
    struct meters meters = make(ROUNDING_CENTS);

    CU_ASSERT_EQUAL(
        meters_add_must_hit(&meters, &(struct must_hit_rule){reset, hit_by, rate}, NULL), 0);
    return meters;
}

static cents_t award_at(enum rounding rounding, micros_t value, micros_t *left)
{
    struct meters meters = make(rounding);
    cents_t pays;

    CU_ASSERT_EQUAL(meters_open(&meters, "small", value, NULL), 0);
    pays = meters_award(&meters, 1);
    *left = meters.meter[1].value;
    return pays;
}

TEST(meters_start_at_their_reseed_values)
{
    struct meters meters = make(ROUNDING_UP);

    CU_ASSERT_EQUAL(meters.count, 2);
    CU_ASSERT_EQUAL(meters.must_hit, -1);
    CU_ASSERT_EQUAL(meters.meter[0].value, DOLLARS(1000));
    CU_ASSERT_EQUAL(meters.meter[1].value, DOLLARS(250));
    CU_ASSERT_STRING_EQUAL(meters.meter[1].name, "small");
}

TEST(a_table_has_no_more_meters_than_there_is_room_for)
{
    static const struct meter_rule many[METERS_MAX + 1] = {{"a", 1, 1}, {"b", 1, 1}, {"c", 1, 1},
                                                           {"d", 1, 1}, {"e", 1, 1}, {"f", 1, 1}};
    struct meters meters;

    meters_init(&meters, many, METERS_MAX + 1, ROUNDING_CENTS);
    CU_ASSERT_EQUAL(meters.count, METERS_MAX);
    CU_ASSERT_STRING_EQUAL(meters.meter[METERS_MAX - 1].name, "e");
}

TEST(cents_times_basis_points_are_millionths)
{
    struct meters meters = make(ROUNDING_CENTS);

    CU_ASSERT_EQUAL(meters_end_round(&meters, 501, false, NULL, NULL), 0);
    CU_ASSERT_EQUAL(meters.meter[0].value, DOLLARS(1000) + 100200);
    CU_ASSERT_EQUAL(meters.meter[1].value, DOLLARS(250) + 250500);
}

TEST(whole_cents_are_paid_and_the_fraction_stays)
{
    micros_t left;

    CU_ASSERT_EQUAL(award_at(ROUNDING_CENTS, 300129999, &left), 30012);
    CU_ASSERT_EQUAL(left, DOLLARS(250) + 9999);
    CU_ASSERT_EQUAL(award_at(ROUNDING_CENTS, 300120000, &left), 30012);
    CU_ASSERT_EQUAL(left, DOLLARS(250));
}

TEST(rounding_up_pays_the_next_dollar_unless_it_is_whole)
{
    micros_t left;

    CU_ASSERT_EQUAL(award_at(ROUNDING_UP, DOLLARS(300), &left), 30000);
    CU_ASSERT_EQUAL(award_at(ROUNDING_UP, DOLLARS(300) + 1, &left), 30100);
    CU_ASSERT_EQUAL(left, DOLLARS(250));
    CU_ASSERT_EQUAL(award_at(ROUNDING_UP, DOLLARS(301) - 1, &left), 30100);
}

TEST(rounding_to_the_nearest_dollar_takes_half_up)
{
    micros_t left;

    CU_ASSERT_EQUAL(award_at(ROUNDING_NEAREST, DOLLARS(300) + 499999, &left), 30000);
    CU_ASSERT_EQUAL(left, DOLLARS(250));
    CU_ASSERT_EQUAL(award_at(ROUNDING_NEAREST, DOLLARS(300) + 500000, &left), 30100);
    CU_ASSERT_EQUAL(left, DOLLARS(250));
}

TEST(the_second_award_of_a_meter_is_the_reseed_value)
{
    struct meters meters = make(ROUNDING_CENTS);

    CU_ASSERT_EQUAL(meters_open(&meters, "small", 777776543, NULL), 0);
    CU_ASSERT_EQUAL(meters_award(&meters, 1), 77777);
    CU_ASSERT_EQUAL(meters_award(&meters, 1), 25000);
    CU_ASSERT_EQUAL(meters.meter[1].value, DOLLARS(250) + 6543);
}

TEST(a_meter_opens_by_name_within_its_range)
{
    struct meters meters = make(ROUNDING_CENTS);
    struct error error;

    CU_ASSERT_EQUAL(meters_open(&meters, "big", 1234567, NULL), 0);
    CU_ASSERT_EQUAL(meters.meter[0].value, 1234567);
    CU_ASSERT_EQUAL(meters_open(&meters, "big", 0, NULL), 0);
    CU_ASSERT_EQUAL(meters.meter[0].value, 0);
    CU_ASSERT_EQUAL(meters_open(&meters, "big", METER_MAX, NULL), 0);
    CU_ASSERT_EQUAL(meters_open(&meters, "big", METER_MAX + 1, &error), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "big cannot open at 1000000000.000001"));
    CU_ASSERT_EQUAL(meters_open(&meters, "big", -1, NULL), ERROR_CONFIG);
    CU_ASSERT_EQUAL(meters.meter[0].value, METER_MAX);
    CU_ASSERT_EQUAL(meters_open(&meters, "star", 1, &error), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "'star'"));
    CU_ASSERT_EQUAL(meters_open(&meters, "must-hit", 1, NULL), ERROR_CONFIG);
}

TEST(no_meter_passes_its_maximum_and_none_is_fed_then)
{
    struct meters meters = make(ROUNDING_CENTS), before;

    /* The second meter's share is 2500 micros for 5 cents. */
    CU_ASSERT_EQUAL(meters_open(&meters, "small", METER_MAX - 2500, NULL), 0);
    before = meters;
    CU_ASSERT_EQUAL(meters_end_round(&meters, 6, false, NULL, NULL), ERROR_RULE);
    CU_ASSERT_EQUAL(memcmp(&before, &meters, sizeof meters), 0);
    meters.meter[1].value++;
    CU_ASSERT_EQUAL(meters_end_round(&meters, 5, false, NULL, NULL), ERROR_RULE);
    meters.meter[1].value--;
    CU_ASSERT_EQUAL(meters_end_round(&meters, 5, false, NULL, NULL), 0);
    CU_ASSERT_EQUAL(meters.meter[1].value, METER_MAX);
    CU_ASSERT_EQUAL(meters_end_round(&meters, INT64_MAX, false, NULL, NULL), ERROR_RULE);
    CU_ASSERT_EQUAL(meters_end_round(&meters, -1, false, NULL, NULL), ERROR_RULE);
}

TEST(a_full_meter_is_still_paid_exactly)
{
    micros_t left;

    CU_ASSERT_EQUAL(award_at(ROUNDING_CENTS, METER_MAX, &left), METER_MAX / MICROS_PER_CENT);
    CU_ASSERT_EQUAL(award_at(ROUNDING_UP, METER_MAX, &left), METER_MAX / MICROS_PER_CENT);
    CU_ASSERT_EQUAL(award_at(ROUNDING_NEAREST, METER_MAX, &left), METER_MAX / MICROS_PER_CENT);
}

TEST(must_hit_stands_last_at_its_reset_value)
{
    struct meters meters = with_must_hit(DOLLARS(250), DOLLARS(500), 100);

    CU_ASSERT_EQUAL(meters.count, 3);
    CU_ASSERT_EQUAL(meters.must_hit, 2);
    CU_ASSERT_EQUAL(meters.meter[2].value, DOLLARS(250));
    CU_ASSERT_STRING_EQUAL(meters.meter[2].name, "must-hit");
    CU_ASSERT_EQUAL(meters_add_must_hit(
                        &meters, &(struct must_hit_rule){DOLLARS(250), DOLLARS(500), 100}, NULL),
                    ERROR_CONFIG);
}

TEST(a_must_hit_without_sense_is_refused_with_its_values)
{
    struct meters meters = make(ROUNDING_CENTS);
    struct error error;

    CU_ASSERT_EQUAL(
        meters_add_must_hit(&meters, &(struct must_hit_rule){9999, DOLLARS(2), 100}, &error),
        ERROR_CONFIG);
    CU_ASSERT_STRING_EQUAL(error.text,
                           "must-hit: reset 0.009999 and hit-by 2.000000; the reset value must be "
                           "at least 0.01 and below hit-by, and hit-by at most 1000000000");
}

TEST(must_hit_needs_sense)
{
    static const struct must_hit_rule bad[] = {
        {MICROS_PER_CENT - 1, DOLLARS(500), 100},
        {0, DOLLARS(500), 100},
        {-1, DOLLARS(500), 100},
        {DOLLARS(500), DOLLARS(500), 100},
        {DOLLARS(501), DOLLARS(500), 100},
        {DOLLARS(250), METER_MAX + 1, 100},
        {DOLLARS(250), DOLLARS(500), 0},
        {DOLLARS(250), DOLLARS(500), RATE_MAX + 1},
    };
    static const struct must_hit_rule good[] = {
        {MICROS_PER_CENT, MICROS_PER_CENT + 1, 1},
        {DOLLARS(250), METER_MAX, RATE_MAX},
    };

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct meters meters = make(ROUNDING_CENTS);

        CU_ASSERT_EQUAL(meters_add_must_hit(&meters, &bad[i], NULL), ERROR_CONFIG);
        CU_ASSERT_EQUAL(meters.count, 2);
    }
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        struct meters meters = make(ROUNDING_CENTS);

        CU_ASSERT_EQUAL(meters_add_must_hit(&meters, &good[i], NULL), 0);
    }
}

TEST(must_hit_needs_a_progressive_with_four_meters_or_fewer)
{
    static const struct meter_rule five[] = {
        {"a", 1, 1}, {"b", 1, 1}, {"c", 1, 1}, {"d", 1, 1}, {"e", 1, 1}};
    const struct must_hit_rule rule = {DOLLARS(250), DOLLARS(500), 100};
    struct meters meters;
    struct error error;

    meters_init(&meters, five, 4, ROUNDING_CENTS);
    CU_ASSERT_EQUAL(meters_add_must_hit(&meters, &rule, NULL), 0);
    meters_init(&meters, five, 5, ROUNDING_CENTS);
    CU_ASSERT_EQUAL(meters_add_must_hit(&meters, &rule, &error), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "four meters or fewer"));
    meters_init(&meters, NULL, 0, ROUNDING_CENTS);
    CU_ASSERT_EQUAL(meters_add_must_hit(&meters, &rule, NULL), ERROR_CONFIG);
}

TEST(must_hit_opens_between_its_reset_value_and_its_ceiling)
{
    struct meters meters = with_must_hit(DOLLARS(250), DOLLARS(500), 100);
    struct error error;

    CU_ASSERT_EQUAL(meters_open(&meters, "must-hit", DOLLARS(250), NULL), 0);
    CU_ASSERT_EQUAL(meters_open(&meters, "must-hit", DOLLARS(500), NULL), 0);
    CU_ASSERT_EQUAL(meters_open(&meters, "must-hit", DOLLARS(7), &error), ERROR_CONFIG);
    CU_ASSERT_STRING_EQUAL(
        error.text, "meter must-hit cannot open at 7.000000, only from 250.000000 to 500.000000");
    CU_ASSERT_EQUAL(meters_open(&meters, "must-hit", DOLLARS(250) - 1, NULL), ERROR_CONFIG);
    CU_ASSERT_EQUAL(meters_open(&meters, "must-hit", DOLLARS(500) + 1, NULL), ERROR_CONFIG);
}

TEST(must_hit_may_reach_its_ceiling_but_not_pass_it_unawarded)
{
    struct meters meters = with_must_hit(DOLLARS(250), DOLLARS(500), 100), before;
    struct error error;
    cents_t pays = -1;

    CU_ASSERT_EQUAL(meters_open(&meters, "must-hit", DOLLARS(500) - 50000, NULL), 0);
    before = meters;
    CU_ASSERT_EQUAL(meters_end_round(&meters, 501, false, &pays, &error), ERROR_RULE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "must-hit"));
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "500.000100"));
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "500.000000"));
    CU_ASSERT_EQUAL(memcmp(&before, &meters, sizeof meters), 0);
    CU_ASSERT_EQUAL(meters_end_round(&meters, 500, false, &pays, NULL), 0);
    CU_ASSERT_EQUAL(pays, 0);
    CU_ASSERT_EQUAL(meters.meter[2].value, DOLLARS(500));
}

TEST(must_hit_is_paid_after_the_rounds_contributions)
{
    struct meters meters = with_must_hit(DOLLARS(250), DOLLARS(500), 100);
    cents_t pays;

    CU_ASSERT_EQUAL(meters_open(&meters, "must-hit", DOLLARS(300), NULL), 0);
    CU_ASSERT_EQUAL(meters_end_round(&meters, 1501, true, &pays, NULL), 0);
    CU_ASSERT_EQUAL(pays, 30015);
    CU_ASSERT_EQUAL(meters.meter[2].value, DOLLARS(250) + 100);
}

TEST(must_hit_pays_its_ceiling_and_carries_what_passed_it)
{
    struct meters meters = with_must_hit(DOLLARS(250), DOLLARS(500), 100);
    cents_t pays;

    CU_ASSERT_EQUAL(meters_open(&meters, "must-hit", DOLLARS(500) - 1, NULL), 0);
    CU_ASSERT_EQUAL(meters_end_round(&meters, 3500, true, &pays, NULL), 0);
    CU_ASSERT_EQUAL(pays, 50000);
    CU_ASSERT_EQUAL(meters.meter[2].value, DOLLARS(250) + 350000 - 1);
}

TEST(a_ceiling_between_two_cents_pays_the_lower_one)
{
    struct meters meters = with_must_hit(DOLLARS(250), DOLLARS(500) + 9999, 100);
    cents_t pays;

    CU_ASSERT_EQUAL(meters_open(&meters, "must-hit", DOLLARS(500) + 9999, NULL), 0);
    CU_ASSERT_EQUAL(meters_end_round(&meters, 500, true, &pays, NULL), 0);
    CU_ASSERT_EQUAL(pays, 50000);
    CU_ASSERT_EQUAL(meters.meter[2].value, DOLLARS(250) + 9999 + 50000);
}

TEST(a_carry_that_passes_the_next_ceiling_is_an_error)
{
    struct meters meters = with_must_hit(DOLLARS(250), DOLLARS(251), RATE_MAX), before = meters;

    CU_ASSERT_EQUAL(meters_end_round(&meters, 201, true, NULL, NULL), ERROR_RULE);
    CU_ASSERT_EQUAL(memcmp(&before, &meters, sizeof meters), 0);
    CU_ASSERT_EQUAL(meters_end_round(&meters, 200, true, NULL, NULL), 0);
    CU_ASSERT_EQUAL(meters.meter[2].value, DOLLARS(251));
}

TEST(a_must_hit_award_needs_its_meter)
{
    struct meters meters = make(ROUNDING_CENTS), before = meters;

    CU_ASSERT_EQUAL(meters_end_round(&meters, 500, true, NULL, NULL), ERROR_RULE);
    CU_ASSERT_EQUAL(memcmp(&before, &meters, sizeof meters), 0);
}

TEST(nothing_is_lost_between_contributions_and_pays_in_cents)
{
    struct meters meters = with_must_hit(DOLLARS(250), DOLLARS(300), 77);
    micros_t fed = 0, paid = 0, reseeds = 0;
    uint64_t state = 7;

    for (unsigned i = 0; i < 5000; i++) {
        cents_t wagered, pays;
        bool must_hit;

        state = state * 6364136223846793005u + 1442695040888963407u;
        wagered = (cents_t)(state >> 33) % 4000;
        must_hit = meters.meter[2].value + wagered * 77 > DOLLARS(300);
        if (state >> 60 == 0) {
            paid += meters_award(&meters, 1) * MICROS_PER_CENT;
            reseeds += DOLLARS(250);
        }
        CU_ASSERT_EQUAL(meters_end_round(&meters, wagered, must_hit, &pays, NULL), 0);
        fed += wagered * (500 + 77);
        paid += pays * MICROS_PER_CENT;
        reseeds += must_hit ? DOLLARS(250) : 0;
        CU_ASSERT(meters.meter[2].value <= DOLLARS(300));
    }
    CU_ASSERT(paid > DOLLARS(10000));
    CU_ASSERT_EQUAL(meters.meter[1].value + meters.meter[2].value + paid,
                    DOLLARS(500) + reseeds + fed);
}

TEST(only_meters_that_the_table_has_are_fed)
{
    struct meters meters = make(ROUNDING_CENTS);
    struct meter *behind = &meters.meter[meters.count];

    *behind = (struct meter){.name = "gone", .value = DOLLARS(1), .rate = 500};
    CU_ASSERT_EQUAL(meters_end_round(&meters, 500, false, NULL, NULL), 0);
    CU_ASSERT_EQUAL(behind->value, DOLLARS(1));
}
