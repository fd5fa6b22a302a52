/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What bet sensors say by themselves, and the wagers that are placed on them and collected. */
#include <stdio.h>
#include <string.h>

#include "tests/support/scenes/sensors_scene.h"
#include "tests/support/suite.h"

#define SEATS(a, b) (seats_t)(1u << (a) | 1u << (b))
#define SAID        "the bet sensor reports it"
#define LIES        "a wager lies on the sensor"

/* An event at a seat where a wager has lain, or not, and an actuator holds it, or not. */
static struct sensors_scene *hear_one(enum bet_event_kind kind, unsigned seat, bool was_wagered,
                                      bool is_held)
{
    struct sensors_scene *scene = sensors_scene_open();

    scene->run.round.wagered = was_wagered ? seat_bit(seat) : 0;
    scene->run.round.held = is_held ? seat_bit(seat) : 0;
    sensors_scene_tell(scene, kind, seat);
    CU_ASSERT_EQUAL(run_sensors_hear(&scene->run, &scene->error), 0);
    return scene;
}

static void expect_allowed(enum bet_event_kind kind, unsigned seat, bool is_held)
{
    struct sensors_scene *scene = hear_one(kind, seat, true, is_held);

    sensors_scene_expect_found(scene, 0, 0);
    sensors_scene_close(scene);
}

static void expect_refused(enum bet_event_kind kind, unsigned seat, bool was_wagered, bool is_held,
                           const char *name, const char *got)
{
    struct sensors_scene *scene = hear_one(kind, seat, was_wagered, is_held);

    sensors_scene_expect_found(scene, 0, 1);
    sensors_scene_expect_first(scene, name, seat, "null", got, SAID);
    sensors_scene_close(scene);
}

TEST(people_place_and_lift_wagers_where_they_play)
{
    expect_allowed(BET_EVENT_PLACED, 6, false);
    expect_allowed(BET_EVENT_LIFTED, 6, false);
    expect_refused(BET_EVENT_PLACED, 6, false, false, "wagers-sensed", "\"wager placed\"");
    expect_refused(BET_EVENT_LIFTED, 7, false, false, "wagers-sensed", "\"wager lifted\"");
}

TEST(what_an_actuator_holds_is_not_lifted_and_where_it_holds_nothing_none_is_placed)
{
    expect_allowed(BET_EVENT_PLACED, 3, true);
    expect_allowed(BET_EVENT_LIFTED, 3, false);
    expect_refused(BET_EVENT_LIFTED, 3, true, true, "wagers-sensed", "\"wager lifted\"");
    expect_refused(BET_EVENT_PLACED, 3, true, false, "wagers-sensed", "\"wager placed\"");
}

TEST(a_seat_without_a_sensor_or_an_actuator_is_not_held_to_one)
{
    expect_allowed(BET_EVENT_PLACED, 1, false);
    expect_allowed(BET_EVENT_LIFTED, 6, true);
}

TEST(a_unit_that_lost_its_power_may_have_let_go)
{
    struct sensors_scene *scene = sensors_scene_open();

    scene->unit.has_host = true;
    scene->run.round.wagered = scene->run.round.held = seat_bit(3);
    sensors_scene_tell(scene, BET_EVENT_LIFTED, 3);
    CU_ASSERT_EQUAL(run_sensors_hear(&scene->run, &scene->error), 0);
    sensors_scene_expect_found(scene, 0, 1);
    scene->unit.host.counts.restarts = 1;
    sensors_scene_tell(scene, BET_EVENT_LIFTED, 3);
    CU_ASSERT_EQUAL(run_sensors_hear(&scene->run, &scene->error), 0);
    sensors_scene_expect_found(scene, 0, 1);
    sensors_scene_close(scene);
}

TEST(late_wagers_stuck_sensors_and_wrong_lamps_are_never_in_order)
{
    expect_refused(BET_EVENT_LATE, 6, true, false, "wagers-sensed", "\"late wager\"");
    expect_refused(BET_EVENT_LAMP_DARK, 6, true, false, "lights", "\"lamp stays dark\"");
    expect_refused(BET_EVENT_LAMP_LIT, 6, true, false, "lights", "\"lamp stays lit\"");
    expect_refused(BET_EVENT_EDGES_LOST, 0, true, false, "wagers-sensed", "\"edges lost\"");
}

TEST(a_wager_leaves_a_locked_seat_only_where_it_is_collected)
{
    struct sensors_scene *scene;

    expect_refused(BET_EVENT_LIFTED_LOCKED, 6, true, false, "wagers-sensed",
                   "\"wager lifted while locked\"");
    scene = sensors_scene_open();
    scene->run.round.wagered = seat_bit(6);
    scene->run.round.is_collected = true;
    sensors_scene_tell(scene, BET_EVENT_LIFTED_LOCKED, 6);
    CU_ASSERT_EQUAL(run_sensors_hear(&scene->run, &scene->error), 0);
    sensors_scene_expect_found(scene, 0, 0);
    sensors_scene_tell(scene, BET_EVENT_LATE, 6);
    sensors_scene_tell(scene, BET_EVENT_LIFTED_LOCKED, 7);
    CU_ASSERT_EQUAL(run_sensors_hear(&scene->run, &scene->error), 0);
    sensors_scene_expect_found(scene, 0, 2);
    sensors_scene_close(scene);
}

TEST(a_loss_of_power_is_no_fault_of_wagers_and_leaves_the_log_open)
{
    struct sensors_scene *scene = hear_one(BET_EVENT_LATE, 6, false, false);

    CU_ASSERT_FALSE(scene->run.recording.sensors_log.due.is_unsure);
    sensors_scene_close(scene);
    scene = hear_one(BET_EVENT_POWER_UP, 0, false, false);
    sensors_scene_expect_found(scene, 0, 0);
    CU_ASSERT(scene->run.recording.sensors_log.due.is_unsure);
    sensors_scene_close(scene);
}

TEST(all_that_is_told_is_taken_at_once_and_nothing_is_waited_for)
{
    struct sensors_scene *scene = sensors_scene_open();

    sensors_scene_tell(scene, BET_EVENT_LATE, 6);
    sensors_scene_tell(scene, BET_EVENT_LATE, 7);
    sensors_scene_tell(scene, BET_EVENT_LATE, 3);
    CU_ASSERT_EQUAL(run_sensors_hear(&scene->run, &scene->error), 0);
    sensors_scene_expect_found(scene, 0, 3);
    CU_ASSERT_FALSE(scene->unit.was_awaited);
    scene->unit.event_status = ERROR_TIMEOUT;
    CU_ASSERT_EQUAL(run_sensors_hear(&scene->run, &scene->error), ERROR_TIMEOUT);
    sensors_scene_close(scene);
}

TEST(what_comes_at_once_is_one_line_of_the_journal_and_the_last_is_written_too)
{
    struct sensors_scene *scene = sensors_scene_open();

    sensors_scene_write(scene);
    scene->run.round.wagered = SEATS(6, 7);
    sensors_scene_tell(scene, BET_EVENT_PLACED, 6);
    sensors_scene_tell(scene, BET_EVENT_PLACED, 7);
    sensors_scene_tell(scene, BET_EVENT_LIFTED, 7);
    CU_ASSERT_EQUAL(run_sensors_hear(&scene->run, &scene->error), 0);
    CU_ASSERT_EQUAL(sensors_scene_written(scene, "\"wager placed\""), 1);
    CU_ASSERT_EQUAL(sensors_scene_written(scene, "\"wager lifted\""), 1);
    sensors_scene_close(scene);
}

static void due(struct sensors_scene *scene, unsigned code, unsigned seat, unsigned value)
{
    scene->unit.due[scene->unit.due_count++] =
        (struct log_entry){.code = (uint8_t)code, .detail = (uint8_t)seat, .value = value};
}

TEST(what_was_told_or_done_is_due_in_the_log_by_now)
{
    struct sensors_scene *scene = sensors_scene_open();
    const struct run_log *log = &scene->run.recording.sensors_log.due;

    due(scene, 7, 3, 41);
    due(scene, 8, 4, 42);
    CU_ASSERT_EQUAL(run_sensors_hear(&scene->run, &scene->error), 0);
    CU_ASSERT_EQUAL_FATAL(log->count, 2);
    CU_ASSERT_EQUAL(log->entries[0].code, 7);
    CU_ASSERT_EQUAL(log->entries[1].code, 8);
    CU_ASSERT_EQUAL(log->entries[1].detail, 4);
    CU_ASSERT_EQUAL(log->entries[1].value, 42);
    CU_ASSERT_EQUAL(log->entries[1].since, 0);
    CU_ASSERT_EQUAL(log->entries[1].told, SENSORS_SCENE_BEGIN);
    CU_ASSERT_FALSE(log->is_unsure);
    due(scene, 0, 0, 0);
    due(scene, 8, 4, 42);
    CU_ASSERT_EQUAL(run_sensors_hear(&scene->run, &scene->error), 0);
    CU_ASSERT(log->is_unsure);
    sensors_scene_close(scene);
}

static struct sensors_scene *open_logged(void)
{
    struct sensors_scene *scene = sensors_scene_open();

    scene->unit.sensors.device.capabilities = DEVICE_KEEPS_LOG;
    scene->unit.has_host = true;
    scene->unit.logged = 2;
    return scene;
}

static int place(struct sensors_scene *scene, seats_t laid, seats_t *sensed)
{
    scene->run.round.laid = laid;
    return run_sensors_place(&scene->run, sensed, &scene->error);
}

TEST(a_log_is_followed_from_the_first_wager_on)
{
    struct sensors_scene *scene = open_logged();
    seats_t sensed;

    CU_ASSERT_EQUAL(place(scene, 0, &sensed), 0);
    CU_ASSERT(scene->run.recording.sensors_begun);
    CU_ASSERT_EQUAL(scene->unit.logs_asked, 1);
    CU_ASSERT_EQUAL(scene->run.recording.sensors_log.logged, 2);
    CU_ASSERT_FALSE(scene->unit.was_awaited);
    CU_ASSERT_EQUAL(place(scene, 0, &sensed), 0);
    CU_ASSERT_EQUAL(scene->unit.logs_asked, 1);
    sensors_scene_close(scene);
    scene = sensors_scene_open();
    CU_ASSERT_EQUAL(place(scene, 0, &sensed), 0);
    CU_ASSERT_FALSE(scene->run.recording.sensors_begun);
    CU_ASSERT_EQUAL(scene->unit.logs_asked, 0);
    sensors_scene_close(scene);
    scene = open_logged();
    scene->unit.has_host = false;
    CU_ASSERT_EQUAL(place(scene, 0, &sensed), 0);
    CU_ASSERT_EQUAL(scene->unit.logs_asked, 1);
    sensors_scene_close(scene);
}

TEST(what_waited_in_a_unit_is_behind_the_mark_from_which_its_log_is_followed)
{
    struct sensors_scene *scene = open_logged();
    seats_t sensed;

    scene->unit.host.hello_events = 3;
    scene->unit.host.counts.events = 1;
    due(scene, 7, 3, 41);
    sensors_scene_tell(scene, BET_EVENT_POWER_UP, 0);
    sensors_scene_tell(scene, BET_EVENT_POWER_UP, 0);
    CU_ASSERT_EQUAL(place(scene, 0, &sensed), 0);
    CU_ASSERT_EQUAL(scene->unit.told, 2);
    CU_ASSERT_FALSE(scene->unit.was_awaited);
    CU_ASSERT_EQUAL(scene->unit.logs_asked, 1);
    CU_ASSERT_EQUAL(scene->run.recording.sensors_log.due.count, 0);
    CU_ASSERT_FALSE(scene->run.recording.sensors_log.due.is_unsure);
    sensors_scene_close(scene);
}

TEST(an_event_that_a_unit_promised_is_waited_for_a_second)
{
    struct sensors_scene *scene = open_logged();
    seats_t sensed;

    scene->unit.host.hello_events = 1;
    CU_ASSERT_EQUAL(place(scene, 0, &sensed), 0);
    CU_ASSERT_EQUAL(scene->bench.clock.now, SENSORS_SCENE_BEGIN + RUN_SILENCE * NANOS_PER_MILLI);
    CU_ASSERT(scene->run.recording.sensors_begun);
    sensors_scene_close(scene);
}

TEST(entries_of_before_are_not_due_though_nobody_has_taken_their_events)
{
    struct sensors_scene *scene = open_logged();
    seats_t sensed;

    scene->unit.has_host = false;
    due(scene, 7, 3, 41);
    due(scene, 8, 3, 41);
    CU_ASSERT_EQUAL(place(scene, 0, &sensed), 0);
    CU_ASSERT_EQUAL(scene->unit.due_taken, 2);
    CU_ASSERT_EQUAL(scene->run.recording.sensors_log.due.count, 0);
    sensors_scene_close(scene);
}

TEST(a_log_is_asked_for_again_where_an_event_came_meanwhile_but_not_for_ever)
{
    struct sensors_scene *scene = open_logged();
    seats_t sensed;

    scene->unit.queued_by_log = 1;
    sensors_scene_tell(scene, BET_EVENT_POWER_UP, 0);
    CU_ASSERT_EQUAL(place(scene, 0, &sensed), 0);
    CU_ASSERT_EQUAL(scene->unit.logs_asked, 2);
    CU_ASSERT_EQUAL(scene->unit.told, 1);
    sensors_scene_close(scene);
    scene = open_logged();
    scene->unit.queued_by_log = 20;
    for (unsigned i = 0; i < 20; i++)
        sensors_scene_tell(scene, BET_EVENT_POWER_UP, 0);
    CU_ASSERT_EQUAL(place(scene, 0, &sensed), 0);
    CU_ASSERT_EQUAL(scene->unit.logs_asked, 8);
    CU_ASSERT(scene->run.recording.sensors_begun);
    sensors_scene_close(scene);
}

TEST(a_log_that_cannot_be_begun_is_not_followed)
{
    struct sensors_scene *scene = open_logged();
    seats_t sensed;

    scene->unit.log_status = ERROR_TIMEOUT;
    scene->unit.queued_by_log = 1;
    CU_ASSERT_EQUAL(place(scene, seat_bit(3), &sensed), ERROR_TIMEOUT);
    CU_ASSERT_EQUAL(scene->unit.logs_asked, 1);
    CU_ASSERT_FALSE(scene->run.recording.sensors_begun);
    CU_ASSERT_STRING_EQUAL(scene->unit.calls, "");
    sensors_scene_close(scene);
    scene = open_logged();
    scene->unit.host.hello_events = 1;
    scene->unit.event_status = ERROR_DEVICE;
    CU_ASSERT_EQUAL(place(scene, 0, &sensed), ERROR_DEVICE);
    CU_ASSERT_EQUAL(scene->unit.logs_asked, 0);
    CU_ASSERT_FALSE(scene->run.recording.sensors_begun);
    sensors_scene_close(scene);
}

TEST(entries_are_held_against_those_that_are_due_once_the_log_is_followed)
{
    struct sensors_scene *scene = open_logged();

    scene->unit.logged = 1;
    scene->unit.log[0] = (struct log_entry){.millis = 5000, .code = 7, .detail = 3, .value = 41};
    due(scene, 7, 3, 42);
    CU_ASSERT_EQUAL(run_sensors_check_log(&scene->run, &scene->error), 0);
    sensors_scene_expect_found(scene, 0, 0);
    CU_ASSERT_EQUAL(scene->run.recording.sensors_log.due.count, 1);
    scene->run.recording.sensors_begun = scene->run.round.device_failed = true;
    CU_ASSERT_EQUAL(run_sensors_check_log(&scene->run, &scene->error), 0);
    sensors_scene_expect_found(scene, 0, 0);
    scene->run.round.device_failed = false;
    CU_ASSERT_EQUAL(run_sensors_check_log(&scene->run, &scene->error), 0);
    CU_ASSERT_EQUAL(scene->failed, 1);
    CU_ASSERT_STRING_EQUAL(scene->name, "event-log");
    CU_ASSERT_STRING_EQUAL(scene->wager, "sensors");
    sensors_scene_close(scene);
}

TEST(an_entry_may_be_read_before_its_event_has_come)
{
    struct sensors_scene *scene = open_logged();

    scene->run.recording.sensors_begun = true;
    scene->unit.logged = 1;
    scene->unit.log[0] = (struct log_entry){.millis = 5000, .code = 7, .detail = 3, .value = 41};
    sensors_scene_write(scene);
    sensors_scene_tell(scene, BET_EVENT_LATE, 6);
    CU_ASSERT_EQUAL(run_sensors_check_log(&scene->run, &scene->error), 0);
    CU_ASSERT_EQUAL(scene->unit.told, 1);
    CU_ASSERT(scene->unit.was_awaited);
    CU_ASSERT_EQUAL(sensors_scene_written(scene, "\"late wager\""), 1);
    CU_ASSERT_EQUAL(scene->book.counts.failed[CHECK_WAGERS_SENSED], 1);
    CU_ASSERT_EQUAL(scene->book.counts.failed[CHECK_EVENT_LOG], 1);
    sensors_scene_close(scene);
    scene = open_logged();
    scene->run.recording.sensors_begun = true;
    scene->run.round.wagered = seat_bit(6);
    scene->unit.logged = 1;
    scene->unit.log[0] = (struct log_entry){.millis = 5000, .code = 7, .detail = 6, .value = 41};
    due(scene, 7, 6, 41);
    scene->unit.due_after = 1;
    sensors_scene_tell(scene, BET_EVENT_PLACED, 6);
    CU_ASSERT_EQUAL(run_sensors_check_log(&scene->run, &scene->error), 0);
    CU_ASSERT_EQUAL(scene->failed, 0);
    CU_ASSERT_FALSE(scene->unit.was_awaited);
    sensors_scene_close(scene);
    scene = open_logged();
    scene->run.recording.sensors_begun = true;
    scene->unit.logged = 1;
    sensors_scene_tell(scene, BET_EVENT_POWER_UP, 0);
    CU_ASSERT_EQUAL(run_sensors_check_log(&scene->run, &scene->error), 0);
    sensors_scene_expect_found(scene, 0, 0);
    CU_ASSERT_FALSE(scene->unit.was_awaited);
    sensors_scene_close(scene);
}

TEST(test_mode_that_a_unit_changes_by_itself_is_told_once)
{
    struct sensors_scene *scene = open_logged();

    scene->unit.has_status = scene->run.recording.sensors_begun = true;
    CU_ASSERT_EQUAL(run_sensors_hear(&scene->run, &scene->error), 0);
    CU_ASSERT_EQUAL(scene->failed, 0);
    scene->unit.status.strays = 2;
    CU_ASSERT_EQUAL(run_sensors_hear(&scene->run, &scene->error), 0);
    CU_ASSERT_EQUAL(run_sensors_hear(&scene->run, &scene->error), 0);
    CU_ASSERT_EQUAL(scene->failed, 1);
    CU_ASSERT_STRING_EQUAL(scene->name, "test-mode-announced");
    CU_ASSERT_STRING_EQUAL(scene->wager, "sensors");
    CU_ASSERT_STRING_EQUAL(scene->expected, "0");
    CU_ASSERT_STRING_EQUAL(scene->got, "2");
    CU_ASSERT_EQUAL(scene->seat, 0);
    sensors_scene_close(scene);
    /* Also while an entry of the log is waited for. */
    scene = open_logged();
    scene->unit.has_status = scene->run.recording.sensors_begun = true;
    scene->unit.status.strays = 1;
    scene->unit.logged = 1;
    scene->unit.log[0] = (struct log_entry){.millis = 5000, .code = 7, .detail = 3, .value = 41};
    CU_ASSERT_EQUAL(run_sensors_check_log(&scene->run, &scene->error), 0);
    CU_ASSERT_EQUAL(scene->book.counts.failed[CHECK_TEST_MODE_ANNOUNCED], 1);
    sensors_scene_close(scene);
}

TEST(what_a_unit_said_of_test_mode_before_its_log_is_followed_is_not_judged)
{
    struct sensors_scene *scene = open_logged();
    seats_t sensed;

    scene->unit.has_status = true;
    scene->unit.status.strays = 3;
    CU_ASSERT_EQUAL(run_sensors_hear(&scene->run, &scene->error), 0);
    CU_ASSERT_EQUAL(place(scene, 0, &sensed), 0);
    CU_ASSERT_EQUAL(run_sensors_hear(&scene->run, &scene->error), 0);
    CU_ASSERT_EQUAL(scene->book.counts.failed[CHECK_TEST_MODE_ANNOUNCED], 0);
    scene->unit.status.strays = 4;
    CU_ASSERT_EQUAL(run_sensors_hear(&scene->run, &scene->error), 0);
    CU_ASSERT_STRING_EQUAL(scene->got, "1");
    sensors_scene_close(scene);
}

TEST(wagers_are_placed_where_the_bench_can_place_and_see_them)
{
    struct sensors_scene *scene = sensors_scene_open();
    seats_t sensed = 0;

    scene->run.round.is_collected = true;
    scene->run.round.wagered = seat_bit(7);
    scene->unit.sees = 1u << 6;
    CU_ASSERT_EQUAL(place(scene, SEATS(1, 4), &sensed), 0);
    CU_ASSERT_STRING_EQUAL(scene->unit.calls, "place 4, settle, ");
    CU_ASSERT_EQUAL(sensed, SEATS(1, 4));
    CU_ASSERT_EQUAL(scene->run.round.held, seat_bit(4));
    CU_ASSERT_EQUAL(scene->run.round.wagered, SEATS(1, 4) | seat_bit(7));
    CU_ASSERT(scene->run.round.is_laid);
    CU_ASSERT_FALSE(scene->run.round.is_collected);
    sensors_scene_expect_found(scene, 3, 0);
    sensors_scene_close(scene);
}

TEST(what_lies_there_is_what_the_sensors_see)
{
    struct sensors_scene *scene = sensors_scene_open();
    seats_t sensed = 0;

    scene->unit.unseen = 1u << 3;
    scene->unit.sees = 1u << 5;
    CU_ASSERT_EQUAL(place(scene, SEATS(3, 4), &sensed), 0);
    CU_ASSERT_EQUAL(sensed, SEATS(4, 5));
    sensors_scene_expect_found(scene, 1, 2);
    sensors_scene_expect_first(scene, "wagers-sensed", 3, "1", "0", LIES);
    sensors_scene_close(scene);
}

TEST(an_actuator_that_holds_another_wager_draws_it_back_first)
{
    struct sensors_scene *scene = sensors_scene_open();
    seats_t sensed = 0;

    scene->run.round.held = SEATS(3, 4);
    scene->unit.sees = 1u << 3 | 1u << 4;
    CU_ASSERT_EQUAL(place(scene, SEATS(4, 5), &sensed), 0);
    CU_ASSERT_STRING_EQUAL(scene->unit.calls, "take 3, place 4 5, settle, ");
    CU_ASSERT_EQUAL(scene->run.round.held, SEATS(4, 5));
    sensors_scene_expect_found(scene, 3, 0);
    sensors_scene_close(scene);
}

TEST(sensors_that_fail_while_wagers_are_placed_end_the_round)
{
    struct sensors_scene *scene = sensors_scene_open();
    seats_t sensed = 0;

    scene->unit.settle_status = ERROR_TIMEOUT;
    CU_ASSERT_EQUAL(place(scene, seat_bit(3), &sensed), ERROR_TIMEOUT);
    CU_ASSERT_EQUAL(sensed, seat_bit(3));
    scene->unit.place_status = ERROR_DEVICE;
    CU_ASSERT_EQUAL(place(scene, seat_bit(3), &sensed), ERROR_DEVICE);
    CU_ASSERT_STRING_EQUAL(scene->unit.calls, "place 3, settle, place 3, ");
    scene->unit.take_status = ERROR_RIG;
    CU_ASSERT_EQUAL(place(scene, seat_bit(4), &sensed), ERROR_RIG);
    CU_ASSERT_STRING_EQUAL(scene->unit.calls, "place 3, settle, place 3, take 3, ");
    scene->unit.unseen = 1u << 4;
    CU_ASSERT_EQUAL(place(scene, seat_bit(4), &sensed), ERROR_DEVICE);
    CU_ASSERT_EQUAL(sensed, seat_bit(4));
    sensors_scene_expect_found(scene, 0, 0);
    sensors_scene_close(scene);
}

TEST(what_sensors_say_while_a_wager_is_placed_is_heard)
{
    struct sensors_scene *scene = sensors_scene_open();
    seats_t sensed = 0;

    sensors_scene_tell(scene, BET_EVENT_LATE, 6);
    CU_ASSERT_EQUAL(place(scene, seat_bit(3), &sensed), 0);
    sensors_scene_expect_found(scene, 3, 1);
    scene->unit.event_status = ERROR_DEVICE;
    CU_ASSERT_EQUAL(place(scene, seat_bit(3), &sensed), ERROR_DEVICE);
    sensors_scene_close(scene);
}

TEST(without_sensors_wagers_lie_where_they_are_said_to_lie)
{
    struct sensors_scene *scene = sensors_scene_open();
    seats_t sensed = 0;

    scene->bench.sensors = NULL;
    scene->rig.wagers = RIG_WAGERS_COLLECTED;
    CU_ASSERT_EQUAL(place(scene, SEATS(3, 6), &sensed), 0);
    CU_ASSERT_EQUAL(sensed, SEATS(3, 6));
    CU_ASSERT(scene->run.round.is_laid);
    CU_ASSERT_EQUAL(run_sensors_light(&scene->run, seat_bit(3), &scene->error), 0);
    CU_ASSERT_EQUAL(run_sensors_collect(&scene->run, &scene->error), 0);
    CU_ASSERT(scene->has_told_terminal);
    CU_ASSERT_EQUAL(run_sensors_clear(&scene->run, &scene->error), 0);
    scene->run.recording.sensors_begun = true;
    CU_ASSERT_EQUAL(run_sensors_recover(&scene->run, &scene->error), 0);
    sensors_scene_close(scene);
}

/* Wagers lie at these seats, and START ROUND was pressed where they are collected. */
static struct sensors_scene *open_laid(seats_t laid)
{
    struct sensors_scene *scene = sensors_scene_open();

    scene->rig.wagers = RIG_WAGERS_COLLECTED;
    scene->run.round.laid = scene->run.round.wagered = laid;
    scene->run.round.held = laid & seat_bit(4);
    scene->run.round.is_laid = true;
    scene->unit.sees = laid & ~3u;
    scene->terminal_told = laid;
    return scene;
}

TEST(wagers_that_stay_on_the_table_are_not_collected)
{
    struct sensors_scene *scene = open_laid(seat_bit(4));

    scene->rig.wagers = RIG_WAGERS_LEFT;
    CU_ASSERT_EQUAL(run_sensors_collect(&scene->run, &scene->error), 0);
    CU_ASSERT_STRING_EQUAL(scene->unit.calls, "");
    CU_ASSERT(scene->run.round.is_laid);
    CU_ASSERT_FALSE(scene->run.round.is_collected);
    CU_ASSERT_FALSE(scene->has_told_terminal);
    sensors_scene_close(scene);
}

TEST(actuators_draw_back_what_is_collected_and_the_terminal_sees_no_wager)
{
    struct sensors_scene *scene = open_laid(seat_bit(4));

    CU_ASSERT_EQUAL(run_sensors_collect(&scene->run, &scene->error), 0);
    CU_ASSERT_STRING_EQUAL(scene->unit.calls, "take 4, settle, ");
    CU_ASSERT_EQUAL(scene->run.round.held, 0);
    CU_ASSERT_FALSE(scene->run.round.is_laid);
    CU_ASSERT(scene->run.round.is_collected);
    CU_ASSERT(scene->has_told_terminal);
    CU_ASSERT_EQUAL(scene->terminal_told, 0);
    CU_ASSERT_STRING_EQUAL(scene->asked, "");
    CU_ASSERT_FALSE(scene->unit.was_awaited);
    sensors_scene_expect_found(scene, 3, 0);
    sensors_scene_close(scene);
}

TEST(a_wager_that_still_lies_there_after_it_was_collected_is_told_as_such)
{
    struct sensors_scene *scene = open_laid(seat_bit(4));

    scene->unit.unseen = 1u << 4;
    CU_ASSERT_EQUAL(run_sensors_collect(&scene->run, &scene->error), 0);
    sensors_scene_expect_found(scene, 2, 1);
    sensors_scene_expect_first(
        scene, "wagers-sensed", 4, "0", "1",
        "a wager lies on the sensor after START ROUND, where it is collected");
    sensors_scene_close(scene);
}

TEST(where_no_actuator_is_the_dealer_is_asked_and_waited_for)
{
    struct sensors_scene *scene = open_laid(SEATS(1, 6));

    scene->unit.sees = 1u << 6 | 1u << 7;
    sensors_scene_write(scene);
    CU_ASSERT_EQUAL(run_sensors_collect(&scene->run, &scene->error), 0);
    CU_ASSERT_STRING_EQUAL(scene->asked, "START ROUND was pressed: collect the progressive wagers");
    CU_ASSERT_STRING_EQUAL(scene->awaited, "sensors collected 6000");
    CU_ASSERT_FALSE(scene->is_waiting);
    CU_ASSERT_EQUAL(scene->bench.clock.now, SENSORS_SCENE_BEGIN + 6000 * NANOS_PER_MILLI);
    sensors_scene_expect_found(scene, 3, 1);
    sensors_scene_expect_first(
        scene, "wagers-sensed", 6, "0", "1",
        "a wager lies on the sensor after START ROUND, where it is collected");
    CU_ASSERT(scene->has_told_terminal);
    sensors_scene_close(scene);
}

TEST(the_dealer_is_waited_for_until_the_last_wager_is_taken)
{
    struct sensors_scene *scene = open_laid(SEATS(6, 7));

    sensors_scene_tell_later(scene, BET_EVENT_LIFTED, 6, 100);
    sensors_scene_tell_later(scene, BET_EVENT_LIFTED, 7, 5900);
    sensors_scene_tell_later(scene, BET_EVENT_LATE, 7, 5950);
    CU_ASSERT_EQUAL(run_sensors_collect(&scene->run, &scene->error), 0);
    CU_ASSERT_EQUAL(scene->unit.told, 2);
    CU_ASSERT_FALSE(scene->unit.was_awaited);
    CU_ASSERT_FALSE(scene->is_waiting);
    sensors_scene_expect_found(scene, 5, 0);
    sensors_scene_close(scene);
}

TEST(a_wager_that_is_gone_already_is_not_asked_for)
{
    struct sensors_scene *scene = open_laid(seat_bit(6));

    scene->unit.sees = 1u << 7;
    CU_ASSERT_EQUAL(run_sensors_collect(&scene->run, &scene->error), 0);
    CU_ASSERT_STRING_EQUAL(scene->asked, "");
    CU_ASSERT_STRING_EQUAL(scene->awaited, "");
    CU_ASSERT_FALSE(scene->unit.was_awaited);
    sensors_scene_expect_found(scene, 4, 0);
    sensors_scene_close(scene);
}

TEST(sensors_that_fail_while_wagers_are_collected_end_the_round)
{
    struct sensors_scene *scene = open_laid(SEATS(4, 6));

    scene->unit.take_status = ERROR_TIMEOUT;
    CU_ASSERT_EQUAL(run_sensors_collect(&scene->run, &scene->error), ERROR_TIMEOUT);
    CU_ASSERT_FALSE(scene->has_told_terminal);
    CU_ASSERT_STRING_EQUAL(scene->asked, "");
    sensors_scene_close(scene);
    scene = open_laid(seat_bit(6));
    sensors_scene_tell_later(scene, BET_EVENT_LIFTED_LOCKED, 7, 100);
    scene->unit.later_status = ERROR_RULE;
    CU_ASSERT_EQUAL(run_sensors_collect(&scene->run, &scene->error), ERROR_RULE);
    CU_ASSERT_FALSE(scene->has_told_terminal);
    CU_ASSERT_EQUAL(scene->book.counts.passed[CHECK_WAGERS_SENSED], 3);
    sensors_scene_close(scene);
}
