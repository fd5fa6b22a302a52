/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lamps and locks of bet sensors in a round, what they answer of it, and how it is left. */
#include <stdio.h>
#include <string.h>

#include "tests/support/scenes/sensors_scene.h"
#include "tests/support/suite.h"

#define SEATS(a, b) (seats_t)(1u << (a) | 1u << (b))

/* Wagers lie at these seats, where people have put them. */
static struct sensors_scene *open_with(unsigned seats)
{
    struct sensors_scene *scene = sensors_scene_open();

    scene->unit.sees = seats;
    scene->run.round.wagered = (seats_t)seats;
    scene->unit.with[BET_LINE_LAMP] = BET_ALL_SEATS;
    return scene;
}

static int light(struct sensors_scene *scene, seats_t lit)
{
    return run_sensors_light(&scene->run, lit, &scene->error);
}

TEST(the_first_lights_lock_the_seats_that_are_lit_and_the_last_unlock_them)
{
    struct sensors_scene *scene = open_with(1u << 6 | 1u << 7);

    CU_ASSERT_EQUAL(light(scene, SEATS(5, 6)), 0);
    CU_ASSERT_STRING_EQUAL(scene->unit.calls, "lock 6, light 5 6, lamps, ");
    CU_ASSERT_EQUAL(scene->run.round.locked, seat_bit(6));
    sensors_scene_expect_found(scene, 1, 0);
    *scene->unit.calls = '\0';
    CU_ASSERT_EQUAL(light(scene, seat_bit(6)), 0);
    CU_ASSERT_STRING_EQUAL(scene->unit.calls, "light 6, lamps, ");
    *scene->unit.calls = '\0';
    CU_ASSERT_EQUAL(light(scene, 0), 0);
    CU_ASSERT_STRING_EQUAL(scene->unit.calls, "light, lamps, unlock, ");
    *scene->unit.calls = '\0';
    CU_ASSERT_EQUAL(light(scene, 0), 0);
    CU_ASSERT_STRING_EQUAL(scene->unit.calls, "light, lamps, ");
    sensors_scene_close(scene);
}

TEST(a_lamp_that_is_not_as_it_should_be_fails_where_lamps_are_seen)
{
    struct sensors_scene *scene = open_with(1u << 6);

    scene->unit.wrong = 1u << 6;
    CU_ASSERT_EQUAL(light(scene, seat_bit(6)), 0);
    sensors_scene_expect_found(scene, 0, 1);
    sensors_scene_expect_first(scene, "lights", 0, "0", "64",
                               "set of seats whose lamp is not as it should be");
    scene->unit.with[BET_LINE_LAMP] = 0;
    CU_ASSERT_EQUAL(light(scene, seat_bit(6)), 0);
    sensors_scene_expect_found(scene, 0, 1);
    sensors_scene_close(scene);
}

TEST(sensors_that_fail_with_their_lamps_end_the_round)
{
    struct sensors_scene *scene = open_with(1u << 6);

    scene->unit.lamps_status = ERROR_TIMEOUT;
    CU_ASSERT_EQUAL(light(scene, seat_bit(6)), ERROR_TIMEOUT);
    scene->unit.light_status = ERROR_DEVICE;
    CU_ASSERT_EQUAL(light(scene, seat_bit(6)), ERROR_DEVICE);
    CU_ASSERT_STRING_EQUAL(scene->unit.calls, "lock 6, light 6, lamps, light 6, ");
    sensors_scene_expect_found(scene, 0, 0);
    scene->unit.light_status = scene->unit.lamps_status = 0;
    scene->unit.event_status = ERROR_RIG;
    CU_ASSERT_EQUAL(light(scene, 0), ERROR_RIG);
    CU_ASSERT(scene->unit.in_round);
    scene->unit.event_status = 0;
    scene->unit.unlock_status = ERROR_DEVICE;
    CU_ASSERT_EQUAL(light(scene, 0), ERROR_DEVICE);
    sensors_scene_close(scene);
}

TEST(what_sensors_say_while_lamps_are_looked_at_is_heard)
{
    struct sensors_scene *scene = open_with(1u << 6);

    sensors_scene_tell(scene, BET_EVENT_LAMP_DARK, 6);
    CU_ASSERT_EQUAL(light(scene, seat_bit(6)), 0);
    sensors_scene_expect_found(scene, 1, 1);
    CU_ASSERT_FALSE(scene->unit.was_awaited);
    sensors_scene_close(scene);
}

/* A wager is lifted before LOCK comes: refused once, then the round begins without it. */
TEST(a_wager_that_is_lifted_in_the_last_moment_is_not_in_the_round)
{
    struct sensors_scene *scene = open_with(1u << 6 | 1u << 7);

    scene->unit.locks_refused = 1;
    scene->unit.lock_refusal = REFUSED_STATE;
    sensors_scene_tell_later(scene, BET_EVENT_LIFTED, 6, 900);
    CU_ASSERT_EQUAL(light(scene, SEATS(6, 7)), 0);
    CU_ASSERT_STRING_EQUAL(scene->unit.calls, "lock 6 7, lock 7, light 6 7, lamps, ");
    CU_ASSERT_EQUAL(scene->run.round.locked, seat_bit(7));
    CU_ASSERT_FALSE(scene->unit.was_awaited);
    CU_ASSERT_EQUAL(scene->book.counts.failed[CHECK_WAGERS_SENSED], 1);
    CU_ASSERT_EQUAL(scene->book.counts.passed[CHECK_WAGERS_SENSED], 1);
    sensors_scene_expect_first(scene, "wagers-sensed", 6, "1", "0", "a wager lies on the sensor");
    sensors_scene_close(scene);
}

TEST(events_of_other_seats_are_no_reason_to_lock_again)
{
    struct sensors_scene *scene = open_with(1u << 5 | 1u << 6);

    scene->unit.locks_refused = 2;
    scene->unit.lock_refusal = REFUSED_STATE;
    sensors_scene_tell_later(scene, BET_EVENT_LIFTED, 5, 300);
    sensors_scene_tell_later(scene, BET_EVENT_LIFTED, 6, 600);
    CU_ASSERT_EQUAL(light(scene, seat_bit(6)), ERROR_DEVICE);
    CU_ASSERT_STRING_EQUAL(scene->unit.calls, "lock 6, lock, ");
    CU_ASSERT_EQUAL(scene->unit.told, 2);
    CU_ASSERT_EQUAL(scene->bench.clock.now, SENSORS_SCENE_BEGIN + 1600 * NANOS_PER_MILLI);
    sensors_scene_close(scene);
}

TEST(a_lock_that_is_refused_while_all_wagers_lie_there_ends_the_round)
{
    struct sensors_scene *scene = open_with(1u << 6);

    scene->unit.locks_refused = 1;
    scene->unit.lock_refusal = REFUSED_STATE;
    CU_ASSERT_EQUAL(light(scene, seat_bit(6)), ERROR_DEVICE);
    CU_ASSERT_STRING_EQUAL(scene->unit.calls, "lock 6, ");
    CU_ASSERT_EQUAL(scene->bench.clock.now, SENSORS_SCENE_BEGIN + RUN_SILENCE * NANOS_PER_MILLI);
    sensors_scene_expect_found(scene, 0, 0);
    scene->unit.locks_refused = 1;
    scene->unit.later_status = ERROR_RULE;
    CU_ASSERT_EQUAL(light(scene, seat_bit(6)), ERROR_DEVICE);
    sensors_scene_close(scene);
}

TEST(a_lock_that_is_refused_for_another_reason_is_not_tried_again)
{
    struct sensors_scene *scene = open_with(1u << 6);

    scene->unit.locks_refused = 1;
    scene->unit.lock_refusal = REFUSED_VALUE;
    sensors_scene_tell_later(scene, BET_EVENT_LIFTED, 6, 900);
    CU_ASSERT_EQUAL(light(scene, seat_bit(6)), ERROR_DEVICE);
    CU_ASSERT_STRING_EQUAL(scene->unit.calls, "lock 6, ");
    CU_ASSERT_EQUAL(scene->unit.told, 0);
    sensors_scene_close(scene);
}

/* Pins say it by ERROR_RULE, which is no refusal of the wire. */
TEST(sensors_on_pins_that_miss_a_wager_are_locked_without_it)
{
    struct sensors_scene *scene = open_with(1u << 6 | 1u << 7);

    scene->unit.locks_refused = 1;
    scene->unit.lock_status = ERROR_RULE;
    sensors_scene_tell_later(scene, BET_EVENT_LIFTED, 6, 900);
    CU_ASSERT_EQUAL(light(scene, SEATS(6, 7)), 0);
    CU_ASSERT_STRING_EQUAL(scene->unit.calls, "lock 6 7, lock 7, light 6 7, lamps, ");
    sensors_scene_close(scene);
}

/* Of two wagers one is lifted and comes back before the other is lifted, on and on. */
TEST(a_lock_is_tried_eight_times)
{
    struct sensors_scene *scene = open_with(1u << 6 | 1u << 7);

    scene->unit.locks_refused = 100;
    scene->unit.lock_refusal = REFUSED_STATE;
    for (unsigned i = 0; i < 9; i++) {
        sensors_scene_tell_later(scene, BET_EVENT_LIFTED, 6 + i % 2, 400 * i + 100);
        sensors_scene_tell_later(scene, BET_EVENT_PLACED, 6 + i % 2, 400 * i + 200);
    }
    CU_ASSERT_EQUAL(light(scene, SEATS(6, 7)), ERROR_DEVICE);
    CU_ASSERT_EQUAL(100 - scene->unit.locks_refused, 8);
    sensors_scene_close(scene);
}

/* The unit answers STATUS with these. */
static struct sensors_scene *open_asked(unsigned sees, unsigned placed, unsigned locked)
{
    struct sensors_scene *scene = open_with(sees);

    scene->unit.with[BET_LINE_LAMP] = 0;
    scene->unit.has_status = true;
    scene->unit.in_round = true;
    scene->run.round.locked = seat_bit(6);
    scene->unit.status =
        (struct sensors_status){.in_round = true, .placed = placed, .locked = locked};
    return scene;
}

TEST(what_a_unit_answers_of_the_round_is_as_it_was_told)
{
    struct sensors_scene *scene = open_asked(1u << 6, 1u << 6, 1u << 6);

    CU_ASSERT_EQUAL(light(scene, seat_bit(6)), 0);
    sensors_scene_expect_found(scene, 3, 0);
    CU_ASSERT_EQUAL(scene->book.counts.passed[CHECK_STATUS], 3);
    CU_ASSERT_FALSE(scene->unit.was_awaited);
    scene->unit.status.locked = 0;
    CU_ASSERT_EQUAL(light(scene, seat_bit(6)), 0);
    sensors_scene_expect_found(scene, 5, 1);
    sensors_scene_expect_first(scene, "status", 0, "64", "0", "set of locked seats");
    CU_ASSERT_STRING_EQUAL(scene->wager, "sensors");
    sensors_scene_close(scene);
}

TEST(outside_a_round_a_unit_has_locked_no_seat)
{
    struct sensors_scene *scene = open_asked(1u << 6, 1u << 6, 0);

    scene->unit.in_round = scene->unit.status.in_round = false;
    CU_ASSERT_EQUAL(light(scene, 0), 0);
    sensors_scene_expect_found(scene, 3, 0);
    scene->unit.status.in_round = true;
    CU_ASSERT_EQUAL(light(scene, 0), 0);
    sensors_scene_expect_first(scene, "status", 0, "0", "1", "in a round");
    sensors_scene_close(scene);
}

TEST(a_unit_that_was_put_into_test_mode_answers_that_it_is_in_it)
{
    struct sensors_scene *scene = open_asked(1u << 6, 1u << 6, 1u << 6);

    scene->unit.status.is_put_there = scene->unit.status.test_mode = true;
    CU_ASSERT_EQUAL(light(scene, seat_bit(6)), 0);
    sensors_scene_expect_found(scene, 4, 0);
    scene->unit.status.test_mode = false;
    CU_ASSERT_EQUAL(light(scene, seat_bit(6)), 0);
    sensors_scene_expect_first(scene, "status", 0, "1", "0", "test mode");
    sensors_scene_close(scene);
}

TEST(a_wager_that_a_unit_answers_is_told_within_a_second)
{
    struct sensors_scene *scene = open_asked(1u << 6, 1u << 6 | 1u << 7, 1u << 6);

    scene->run.round.wagered = SEATS(6, 7);
    sensors_scene_tell_later(scene, BET_EVENT_PLACED, 7, 1000);
    CU_ASSERT_EQUAL(light(scene, seat_bit(6)), 0);
    sensors_scene_expect_found(scene, 3, 0);
    CU_ASSERT_EQUAL(scene->unit.told, 1);
    CU_ASSERT_FALSE(scene->unit.was_awaited);
    sensors_scene_close(scene);
    scene = open_asked(1u << 6, 1u << 6 | 1u << 7, 1u << 6);
    scene->run.round.wagered = SEATS(6, 7);
    sensors_scene_tell_later(scene, BET_EVENT_PLACED, 7, 1001);
    CU_ASSERT_EQUAL(light(scene, seat_bit(6)), 0);
    sensors_scene_expect_found(scene, 2, 1);
    sensors_scene_expect_first(scene, "status", 0, "64", "192",
                               "set of seats whose sensor sees a wager");
    sensors_scene_close(scene);
}

TEST(a_unit_that_failed_or_cannot_be_asked_is_not_judged_by_its_status)
{
    struct sensors_scene *scene = open_asked(1u << 6, 0, 0);

    scene->run.round.device_failed = true;
    CU_ASSERT_EQUAL(light(scene, seat_bit(6)), 0);
    CU_ASSERT_FALSE(scene->unit.was_awaited);
    scene->run.round.device_failed = scene->unit.has_status = false;
    CU_ASSERT_EQUAL(light(scene, seat_bit(6)), 0);
    sensors_scene_expect_found(scene, 0, 0);
    scene->unit.has_status = true;
    scene->unit.later_status = ERROR_RULE;
    CU_ASSERT_EQUAL(light(scene, 0), ERROR_RULE);
    CU_ASSERT(scene->unit.in_round);
    sensors_scene_expect_found(scene, 0, 0);
    sensors_scene_close(scene);
}

TEST(after_a_round_what_was_told_is_heard_the_wagers_are_taken_and_the_log_is_read)
{
    struct sensors_scene *scene = open_with(1u << 4);

    scene->unit.sensors.device.capabilities = DEVICE_KEEPS_LOG;
    scene->run.recording.sensors_begun = true;
    scene->run.round.held = seat_bit(4);
    sensors_scene_tell(scene, BET_EVENT_LIFTED, 4);
    CU_ASSERT_EQUAL(run_sensors_clear(&scene->run, &scene->error), 0);
    CU_ASSERT_STRING_EQUAL(scene->unit.calls, "take 4, settle, ");
    CU_ASSERT_EQUAL(scene->unit.logs_asked, 1);
    CU_ASSERT_EQUAL(scene->book.counts.failed[CHECK_WAGERS_SENSED], 1);
    CU_ASSERT_EQUAL(scene->book.counts.passed[CHECK_WAGERS_SENSED], 3);
    scene->unit.settle_status = ERROR_TIMEOUT;
    CU_ASSERT_EQUAL(run_sensors_clear(&scene->run, &scene->error), ERROR_TIMEOUT);
    CU_ASSERT_EQUAL(scene->unit.logs_asked, 1);
    scene->unit.event_status = ERROR_DEVICE;
    *scene->unit.calls = '\0';
    CU_ASSERT_EQUAL(run_sensors_clear(&scene->run, &scene->error), ERROR_DEVICE);
    CU_ASSERT_STRING_EQUAL(scene->unit.calls, "");
    sensors_scene_close(scene);
}

TEST(a_wager_that_an_actuator_cannot_take_back_is_seen_after_the_round)
{
    struct sensors_scene *scene = open_with(1u << 1);

    scene->unit.with[BET_LINE_BET] |= 1u << 1;
    scene->unit.unseen = 1u << 1;
    scene->run.round.held = seat_bit(1);
    CU_ASSERT_EQUAL(run_sensors_clear(&scene->run, &scene->error), 0);
    sensors_scene_expect_found(scene, 3, 1);
    sensors_scene_expect_first(scene, "wagers-sensed", 1, "0", "1", "a wager lies on the sensor");
    sensors_scene_close(scene);
}

TEST(sensors_are_dark_unlocked_and_empty_after_a_failure_whatever_they_say)
{
    struct sensors_scene *scene = open_with(1u << 4);

    scene->run.recording.sensors_begun = scene->unit.in_round = true;
    for (unsigned i = 0; i < 3; i++)
        sensors_scene_tell(scene, BET_EVENT_LATE, 6);
    CU_ASSERT_EQUAL(run_sensors_recover(&scene->run, &scene->error), 0);
    CU_ASSERT_STRING_EQUAL(scene->unit.calls, "light, unlock, take 1 2 3 4 5, settle, ");
    CU_ASSERT_EQUAL(scene->unit.told, 3);
    CU_ASSERT_FALSE(scene->unit.was_awaited);
    CU_ASSERT_FALSE(scene->run.recording.sensors_begun);
    sensors_scene_expect_found(scene, 0, 0);
    *scene->unit.calls = '\0';
    CU_ASSERT_EQUAL(run_sensors_recover(&scene->run, &scene->error), 0);
    CU_ASSERT_STRING_EQUAL(scene->unit.calls, "light, take 1 2 3 4 5, settle, ");
    sensors_scene_close(scene);
}

static void expect_recovered_to(struct sensors_scene *scene, int status, const char *calls)
{
    scene->unit.in_round = true;
    *scene->unit.calls = '\0';
    CU_ASSERT_EQUAL(run_sensors_recover(&scene->run, &scene->error), status);
    CU_ASSERT_STRING_EQUAL(scene->unit.calls, calls);
}

TEST(sensors_that_cannot_be_recovered_say_so)
{
    struct sensors_scene *scene = open_with(0);

    sensors_scene_tell(scene, BET_EVENT_LATE, 6);
    scene->unit.event_status = ERROR_TIMEOUT;
    expect_recovered_to(scene, ERROR_TIMEOUT, "light, unlock, take 1 2 3 4 5, settle, ");
    CU_ASSERT_EQUAL(scene->unit.told, 1);
    scene->unit.settle_status = ERROR_DEVICE;
    expect_recovered_to(scene, ERROR_DEVICE, "light, unlock, take 1 2 3 4 5, settle, ");
    scene->unit.take_status = ERROR_RIG;
    expect_recovered_to(scene, ERROR_RIG, "light, unlock, take 1 2 3 4 5, ");
    scene->unit.unlock_status = ERROR_DEVICE;
    expect_recovered_to(scene, ERROR_DEVICE, "light, unlock, ");
    scene->unit.light_status = ERROR_TIMEOUT;
    expect_recovered_to(scene, ERROR_TIMEOUT, "light, ");
    sensors_scene_close(scene);
}
