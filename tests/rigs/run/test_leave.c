/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Devices are left out of the test mode that they were put into, and otherwise as they were. */
#include <stdlib.h>

#include "tests/support/scenes/ending_scene.h"
#include "tests/support/suite.h"

static void expect_end(struct ending_scene *scene, const char *found)
{
    run_ending(&scene->runner);
    ending_scene_expect_found(scene, found);
    free(scene);
}

static struct ending_scene *open_with(unsigned classes)
{
    struct ending_scene *scene = ending_scene_open(classes);

    scene->rig.timing.quiet = 0;
    return scene;
}

TEST(a_shoe_leaves_test_mode_with_the_deck_of_its_last_stand_by)
{
    struct ending_scene *scene = open_with(ENDING_SHOE);

    run_ending(&scene->runner);
    ending_scene_expect_said(scene, " shoe? shoe log 2 +event-log shoe off shoe..1000"
                                    "\n10: shoe! +test-mode-announced shoe?"
                                    "\n60: shoe? shoe mode shoe mode +test-mode-announced"
                                    " shoe status +status shoe? shoe log 2 +event-log"
                                    " shoe log 0 +event-log shoe who +identity shoe?");
    ending_scene_expect_found(scene, "");
    CU_ASSERT_FALSE(scene->runner.run.entered[DEVICE_SHOE]);
    CU_ASSERT_FALSE(scene->runner.run.recording.in_test_mode);
    free(scene);
}

TEST(devices_that_were_not_put_into_test_mode_are_left_alone)
{
    struct ending_scene *scene = open_with(ENDING_SHUFFLER | ENDING_TERMINAL);

    scene->runner.run.entered[DEVICE_SHUFFLER] = scene->runner.run.entered[DEVICE_TERMINAL] = false;
    run_ending(&scene->runner);
    CU_ASSERT_EQUAL(ending_scene_count(scene, " off"), 0);
    CU_ASSERT_EQUAL(ending_scene_count(scene, "terminal status"), 2);
    CU_ASSERT_EQUAL(scene->bench.clock.now, 10 * NANOS_PER_SECOND);
    free(scene);
}

TEST(a_device_that_dealt_another_recording_leaves_test_mode_with_its_log_followed_from_there_on)
{
    struct ending_scene *scene = open_with(ENDING_SHUFFLER | ENDING_SHOE);

    run_ending(&scene->runner);
    ending_scene_expect_said(
        scene, " shuffler? shuffler log 2 +event-log shuffler off shuffler..1000"
               "\n10: shuffler! +test-mode-announced shuffler?"
               "\n60: shuffler? shuffler mode shuffler mode +test-mode-announced"
               " shuffler status +status +status"
               " shoe end shoe off shoe..1000"
               "\n70: shoe! +test-mode-announced shoe?"
               "\n120: shoe? shoe mode shoe mode +test-mode-announced shoe status +status"
               " shoe? shoe log 0 +event-log shuffler log 0 +event-log shoe log 0 +event-log"
               " shuffler who +identity shoe who +identity shoe?");
    free(scene);

    scene = open_with(ENDING_SHUFFLER | ENDING_SHOE); /* which it did not say any more */
    scene->runner.run.recording.dealer = &run_dealer_shoe;
    scene->runner.run.recording.dealer_said = false;
    scene->runner.run.entered[DEVICE_SHOE] = false;
    run_ending(&scene->runner);
    CU_ASSERT_EQUAL(ending_scene_count(scene, "shuffler end shuffler off shuffler..1000"), 1);
    free(scene);
}

TEST(a_device_whose_log_cannot_be_followed_is_not_told_to_leave_test_mode)
{
    struct ending_scene *scene = open_with(ENDING_SHUFFLER | ENDING_SHOE);

    ending_scene_fail(scene, DEVICE_SHOE, "log", ERROR_ABORTED, 0);
    run_ending(&scene->runner);
    CU_ASSERT_EQUAL(ending_scene_count(scene, "shoe off"), 0);
    CU_ASSERT(scene->runner.run.entered[DEVICE_SHOE]);
    free(scene);
}

TEST(a_device_that_cannot_be_told_to_leave_test_mode_fails_unless_the_run_was_cut_off)
{
    static const enum device_class classes[] = {DEVICE_SHUFFLER, DEVICE_TERMINAL};
    static const char *const found[] = {"test-mode-announced shuffler: 0, not 1: no off\n",
                                        "test-mode-announced terminal: 0, not 1: no off\n"};

    for (unsigned i = 0; i < 2; i++)
        for (unsigned is_cut = 0; is_cut < 2; is_cut++) {
            struct ending_scene *scene = open_with(ENDING_SHUFFLER | ENDING_TERMINAL);

            scene->runner.run.entered[classes[!i]] = false;
            scene->runner.is_at_rest = !is_cut;
            ending_scene_fail(scene, classes[i], "off", ERROR_DEVICE, 0);
            run_ending(&scene->runner);
            ending_scene_expect_found(scene, is_cut ? "" : found[i]);
            CU_ASSERT_EQUAL(ending_scene_count(scene, " mode"), 0);
            CU_ASSERT(scene->runner.run.entered[classes[i]]);
            CU_ASSERT(scene->runner.run.recording.in_test_mode);
            CU_ASSERT_EQUAL(ending_scene_count(scene, ".."), 0);
            free(scene);
        }
}

TEST(a_device_that_has_said_already_that_it_left_test_mode_is_not_waited_for)
{
    struct ending_scene *scene = open_with(ENDING_SHUFFLER | ENDING_TERMINAL);

    scene->runner.run.recording.dealer_said = scene->runner.run.recording.terminal_said = false;
    scene->devices[DEVICE_SHUFFLER].says_nothing = scene->devices[DEVICE_SHUFFLER].logs_nothing =
        true;
    run_ending(&scene->runner);
    ending_scene_expect_found(scene, "");
    CU_ASSERT_EQUAL(ending_scene_count(scene, ".."), 0);
    CU_ASSERT_EQUAL(ending_scene_count(scene, "+test-mode-announced"), 4);
    free(scene);
}

TEST(a_device_that_says_again_that_it_left_test_mode_fails)
{
    struct ending_scene *scene = open_with(ENDING_SHUFFLER);

    scene->runner.run.recording.dealer_said = false;
    run_ending(&scene->runner);
    ending_scene_expect_found(scene, "test-mode-announced shuffler: 0, not 1: times that test mode "
                                     "was told again, though it had not changed\n");
    free(scene);

    scene = open_with(ENDING_SHUFFLER); /* nobody knows since when it has been in it */
    scene->runner.run.recording.dealer_said = false;
    scene->runner.run.recording.is_first = true;
    run_ending(&scene->runner);
    ending_scene_expect_found(scene, "");
    free(scene);
}

TEST(a_device_that_does_not_say_that_it_left_test_mode_fails)
{
    struct ending_scene *scene = open_with(ENDING_SHUFFLER);

    scene->devices[DEVICE_SHUFFLER].says_nothing = scene->devices[DEVICE_SHUFFLER].logs_nothing =
        true;
    run_ending(&scene->runner);
    ending_scene_expect_found(scene, "test-mode-announced shuffler: 0, not 1: test mode by the "
                                     "last event, after it was told to leave it\n");
    CU_ASSERT_EQUAL(
        ending_scene_count(scene, "shuffler..1000\n1000: -test-mode-announced shuffler?"), 1);
    free(scene);

    scene = open_with(ENDING_SHUFFLER | ENDING_TERMINAL);
    scene->runner.run.entered[DEVICE_SHUFFLER] = false;
    scene->devices[DEVICE_TERMINAL].says_nothing = true;
    run_ending(&scene->runner);
    ending_scene_expect_found(scene, "test-mode-announced terminal: 0, not 1: test mode by the "
                                     "last event, after it was told to leave it\n");
    CU_ASSERT_EQUAL(
        ending_scene_count(scene, "terminal..3000\n3000: -test-mode-announced terminal mode"), 1);
    free(scene);
}

TEST(a_device_that_fails_while_it_is_waited_for_is_told_and_asked_for_its_mode)
{
    struct ending_scene *scene = open_with(ENDING_SHUFFLER);

    ending_scene_fail(scene, DEVICE_SHUFFLER, "await", ERROR_DEVICE, 0);
    run_ending(&scene->runner);
    ending_scene_expect_found(scene, "test-mode-announced shuffler: 0, not 1: no await\n");
    CU_ASSERT_EQUAL(ending_scene_count(scene, "shuffler mode shuffler mode +test-mode"), 1);
    CU_ASSERT_EQUAL(ending_scene_count(scene, "+test-mode-announced"), 1);
    free(scene);

    scene = open_with(ENDING_SHUFFLER | ENDING_TERMINAL);
    scene->runner.run.entered[DEVICE_SHUFFLER] = false;
    ending_scene_fail(scene, DEVICE_TERMINAL, "await", ERROR_DEVICE, 0);
    run_ending(&scene->runner);
    ending_scene_expect_found(scene, "test-mode-announced terminal: 0, not 1: no await\n");
    CU_ASSERT_EQUAL(ending_scene_count(scene, "+test-mode-announced"), 1);
    free(scene);
}

TEST(a_device_may_say_something_else_before_it_says_that_it_left_test_mode)
{
    struct ending_scene *scene = open_with(ENDING_SHUFFLER);

    ending_scene_tell(scene, DEVICE_SHUFFLER, 5)->shuffler.kind = SHUFFLER_EVENT_BUTTON;
    scene->devices[DEVICE_SHUFFLER].device.capabilities &= ~(unsigned)DEVICE_KEEPS_LOG;
    run_ending(&scene->runner);
    ending_scene_expect_found(scene, "");
    CU_ASSERT_EQUAL(ending_scene_count(scene, "shuffler..1000\n5: shuffler! shuffler..995\n10:"),
                    1);
    free(scene);
}

TEST(a_device_that_is_in_test_mode_after_it_was_told_to_leave_it_fails)
{
    static const enum device_class classes[] = {DEVICE_SHUFFLER, DEVICE_TERMINAL};
    static const char *const found[] = {
        "test-mode-announced shuffler: 0, not 1: it is in test mode after it was told to leave "
        "it\n",
        "test-mode-announced terminal: 0, not 1: it is in test mode after it was told to leave "
        "it\n"};

    for (unsigned i = 0; i < 2; i++)
        for (unsigned is_late = 0; is_late < 2; is_late++) {
            struct ending_scene *scene = open_with(ENDING_SHUFFLER | ENDING_TERMINAL);

            scene->devices[classes[i]].stays_on = true;
            scene->devices[classes[i]].is_off_later = is_late;
            expect_end(scene, is_late ? "" : found[i]);
        }
}

TEST(a_device_that_does_not_tell_its_mode_fails_unless_it_is_gone)
{
    for (unsigned asked = 0; asked < 2; asked++)
        for (unsigned is_lost = 0; is_lost < 2; is_lost++) {
            struct ending_scene *scene = open_with(ENDING_SHUFFLER);

            ending_scene_fail(scene, DEVICE_SHUFFLER, "mode", ERROR_DEVICE, asked);
            scene->devices[DEVICE_SHUFFLER].link.is_lost = is_lost;
            run_ending(&scene->runner);
            ending_scene_expect_found(
                scene, is_lost ? "" : "test-mode-announced shuffler: 0, not 1: no mode\n");
            CU_ASSERT_EQUAL(ending_scene_count(scene, "shuffler mode"), 1 + asked);
            CU_ASSERT_EQUAL(ending_scene_count(scene, "+test-mode-announced"), 1);
            free(scene);
        }
}

TEST(a_shuffler_has_the_shuffle_and_the_program_of_the_last_round)
{
    enum { NUMBER, PROGRAM, SILENT, NONE, WAYS };
    static const char *const found[WAYS] = {
        [NUMBER] = "status shuffler: 7, not 8: number of the last shuffle, after test mode\n",
        [PROGRAM] =
            ("status shuffler: 1, not 0: program and packets as they were programmed, after "
             "test mode\n"),
        [SILENT] = "status shuffler: 0, not 1: no status\n",
        [NONE] = ""};

    for (unsigned way = NUMBER; way < WAYS; way++) {
        struct ending_scene *scene = open_with(ENDING_SHUFFLER);

        scene->shuffler.shuffle += way == NUMBER || way == NONE;
        scene->shuffler.is_as_programmed = way != PROGRAM && way != NONE;
        if (way == SILENT)
            ending_scene_fail(scene, DEVICE_SHUFFLER, "status", ERROR_TIMEOUT, 0);
        if (way == NONE)
            scene->runner.run.recording.shuffles = 0;
        run_ending(&scene->runner);
        ending_scene_expect_found(scene, found[way]);
        CU_ASSERT_EQUAL(ending_scene_count(scene, "+status"), way < SILENT);
        free(scene);
    }
}

TEST(a_dealer_that_tells_no_status_is_not_asked_for_it)
{
    for (unsigned i = 0; i < 2; i++) {
        enum device_class class = i ? DEVICE_SHOE : DEVICE_SHUFFLER;
        struct ending_scene *scene = open_with(1u << class);

        scene->devices[class].device.capabilities &= ~(unsigned)DEVICE_TELLS_STATUS;
        run_ending(&scene->runner);
        ending_scene_expect_found(scene, "");
        CU_ASSERT_EQUAL(ending_scene_count(scene, " status"), 0);
        free(scene);
    }
}

TEST(the_status_of_a_shoe_is_not_asked_for_where_its_deck_is_not_known)
{
    struct ending_scene *scene = open_with(ENDING_SHOE);

    scene->runner.run.recording.shoe.knows_deck = false;
    run_ending(&scene->runner);
    CU_ASSERT_EQUAL(ending_scene_count(scene, " status"), 0);
    free(scene);
}

/* Another deck goes in so late, which STATUS says at once. */
static struct ending_scene *open_new_deck(unsigned millis, unsigned number)
{
    struct ending_scene *scene = open_with(ENDING_SHOE);
    struct ending_device *shoe = &scene->devices[DEVICE_SHOE];

    shoe->says_nothing = shoe->logs_nothing = true;
    scene->runner.run.recording.dealer_said = false;
    scene->shoe.deck = 4;
    if (number)
        ending_scene_tell(scene, DEVICE_SHOE, millis)->shoe = (struct shoe_event){
            .kind = SHOE_EVENT_STAND_BY, .deck = {.is_known = true, .number = number}};
    return scene;
}

TEST(a_shoe_that_has_another_deck_by_its_status_tells_so_within_a_second)
{
    struct ending_scene *scene = open_new_deck(1050, 4);

    ending_scene_tell(scene, DEVICE_SHOE, 1060)->shoe.kind = SHOE_EVENT_CUT_CARD;
    run_ending(&scene->runner);
    ending_scene_expect_found(scene, "");
    CU_ASSERT_EQUAL(
        ending_scene_count(scene, "shoe status shoe..1000\n1050: shoe! +status +status"), 1);
    CU_ASSERT_EQUAL(scene->bench.clock.now, 11 * NANOS_PER_SECOND + 50 * NANOS_PER_MILLI);
    free(scene);

    scene = open_new_deck(0, 0);
    run_ending(&scene->runner);
    ending_scene_expect_found(scene,
                              "status shoe: 3, not 4: number of the deck, after test mode\n");
    CU_ASSERT_EQUAL(ending_scene_count(scene, "shoe status shoe..1000\n1050: -status"), 1);
    free(scene);
}

TEST(a_shoe_that_fails_while_its_deck_is_asked_for_is_told)
{
    struct ending_scene *scene = open_new_deck(0, 0);

    ending_scene_fail(scene, DEVICE_SHOE, "await", ERROR_DEVICE, 0);
    expect_end(scene, "status shoe: 0, not 1: no await\n");

    scene = open_with(ENDING_SHOE);
    scene->shoe.deck = 4;
    ending_scene_fail(scene, DEVICE_SHOE, "status", ERROR_DEVICE, 0);
    expect_end(scene, "status shoe: 0, not 1: no status\n");
}

TEST(a_shoe_that_tells_something_else_is_waited_for_no_longer)
{
    struct ending_scene *scene = open_new_deck(0, 0);

    ending_scene_tell(scene, DEVICE_SHOE, 550)->shoe.kind = SHOE_EVENT_CUT_CARD;
    run_ending(&scene->runner);
    CU_ASSERT_EQUAL(ending_scene_count(scene, "shoe..1000\n550: shoe! shoe..500\n1050: -status"),
                    1);
    free(scene);
}

TEST(a_terminal_that_does_not_play_leaves_test_mode_without_its_status_or_log)
{
    struct ending_scene *scene = open_with(ENDING_SHUFFLER | ENDING_TERMINAL);

    scene->runner.run.entered[DEVICE_SHUFFLER] = false;
    scene->runner.run.recording.has_terminal = false;
    run_ending(&scene->runner);
    ending_scene_expect_found(scene, "");
    CU_ASSERT_EQUAL(ending_scene_count(scene, "terminal off terminal..3000"), 1);
    CU_ASSERT_EQUAL(ending_scene_count(scene, "terminal mode"), 2);
    CU_ASSERT_EQUAL(ending_scene_count(scene, "terminal status"), 0);
    CU_ASSERT_EQUAL(scene->runner.run.round.log.count, 0);
    free(scene);
}

TEST(a_terminal_has_in_its_log_that_it_left_test_mode)
{
    struct ending_scene *scene = open_with(ENDING_SHUFFLER | ENDING_TERMINAL);

    scene->runner.run.entered[DEVICE_SHUFFLER] = false;
    scene->devices[DEVICE_TERMINAL].logs_nothing = true;
    expect_end(scene, "event-log terminal: 1, not 0: entries of the log in this round\n");

    scene = open_with(ENDING_SHUFFLER | ENDING_TERMINAL);
    scene->runner.run.entered[DEVICE_SHUFFLER] = false;
    scene->devices[DEVICE_TERMINAL].logs_nothing = true;
    ending_scene_log(scene, DEVICE_TERMINAL, 10, TERMINAL_LOG_TEST_MODE, 1, 1);
    expect_end(scene, "event-log terminal: [18,0,0], not [18,1,1]: code and details of an entry of "
                      "the log\n");
}

TEST(of_a_terminal_nothing_changes_but_its_mode)
{
    struct ending_scene *scene = open_with(ENDING_SHUFFLER | ENDING_TERMINAL);

    ending_scene_fail(scene, DEVICE_TERMINAL, "status", ERROR_TIMEOUT, 2);
    run_ending(&scene->runner);
    ending_scene_expect_found(scene, "status terminal: 0, not 1: no status\n");
    CU_ASSERT_EQUAL(ending_scene_count(scene, "terminal meters"), 1);
    free(scene);

    scene = open_with(ENDING_SHUFFLER | ENDING_TERMINAL);
    ending_scene_fail(scene, DEVICE_TERMINAL, "meters", ERROR_TIMEOUT, 1);
    expect_end(scene, "meter-values terminal: 0, not 1: no meters\n");

    scene = open_with(ENDING_SHUFFLER | ENDING_TERMINAL);
    scene->meters.meter[0].micros++;
    expect_end(scene, "meter-values royal: \"5.000000\", not \"5.000001\": after the last round\n"
                      "meter-values royal: \"5.000000\", not \"5.000001\": after test mode\n");
}

TEST(sensors_are_dark_and_out_of_a_round_and_of_test_mode)
{
    static const struct {
        struct sensors_status status;
        unsigned wrong;
        const char *found;
    } ways[] = {
        {{.is_put_there = true, .test_mode = true},
         0,
         "test-mode-announced sensors: 0, not 1: it is in test mode after it was told to leave "
         "it\n"},
        {{.is_put_there = true},
         4,
         "lights: 0, not 4: set of seats whose lamp is not as it should be, after test mode\n"},
        {{.is_put_there = true, .in_round = true},
         0,
         "status sensors: 0, not 1: in a round, after test mode\n"},
        {{.is_put_there = true, .locked = 8},
         0,
         "status sensors: 0, not 8: set of locked seats, after test mode\n"},
        {{.is_put_there = true, .placed = 8},
         0,
         "status sensors: 0, not 8: set of seats whose sensor sees a wager, after test mode\n"},
        {{.test_mode = true, .in_round = true, .locked = 8, .placed = 8}, 4, ""},
    };

    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        struct ending_scene *scene = open_with(ENDING_SHUFFLER | ENDING_SENSORS);

        scene->sensors = ways[i].status;
        scene->wrong = ways[i].wrong;
        expect_end(scene, ways[i].found);
    }
}

TEST(sensors_that_cannot_be_asked_are_left_to_others_and_not_looked_at)
{
    struct ending_scene *scene = open_with(ENDING_SHUFFLER | ENDING_SENSORS);

    scene->has_sensors_status = false;
    run_ending(&scene->runner);
    ending_scene_expect_found(scene, "");
    CU_ASSERT_EQUAL(ending_scene_count(scene, "sensors rest"), 1);
    CU_ASSERT_EQUAL(ending_scene_count(scene, "sensors lamps"), 0);
    free(scene);
}

TEST(sensors_that_do_not_rest_or_show_their_lamps_fail)
{
    struct ending_scene *scene = open_with(ENDING_SHUFFLER | ENDING_SENSORS);

    ending_scene_fail(scene, DEVICE_SENSORS, "rest", ERROR_TIMEOUT, 0);
    run_ending(&scene->runner);
    ending_scene_expect_found(scene, "test-mode-announced sensors: 0, not 1: no rest\n");
    CU_ASSERT_EQUAL(ending_scene_count(scene, "sensors lamps"), 0);
    free(scene);

    scene = open_with(ENDING_SHUFFLER | ENDING_SENSORS);
    ending_scene_fail(scene, DEVICE_SENSORS, "lamps", ERROR_TIMEOUT, 0);
    run_ending(&scene->runner);
    ending_scene_expect_found(scene, "test-mode-announced sensors: 0, not 1: no lamps\n");
    CU_ASSERT_EQUAL(ending_scene_count(scene, "+lights"), 0);
    free(scene);
}

TEST(a_wager_that_sensors_see_is_told_within_a_second)
{
    struct ending_scene *scene = open_with(ENDING_SHUFFLER | ENDING_SENSORS);

    scene->runner.run.entered[DEVICE_SHUFFLER] = false;
    scene->sensors.placed = 1u << 3;
    ending_scene_tell(scene, DEVICE_SENSORS, 980)->sensors =
        (struct bet_event){.kind = BET_EVENT_PLACED, .seat = 3};
    run_ending(&scene->runner);
    ending_scene_expect_found(scene, "");
    CU_ASSERT_EQUAL(scene->bench.clock.now, 11 * NANOS_PER_SECOND);
    CU_ASSERT_EQUAL(
        ending_scene_count(scene, "\n1000: shuffler? sensors? sensors! sensors? +status shuffler?"),
        1);
    free(scene);

    scene = open_with(ENDING_SHUFFLER | ENDING_SENSORS); /* and at once, where it was on its way */
    scene->runner.run.entered[DEVICE_SHUFFLER] = false;
    scene->takes = 10 * NANOS_PER_MILLI;
    scene->sensors.placed = 1u << 3;
    ending_scene_tell(scene, DEVICE_SENSORS, 35)->sensors =
        (struct bet_event){.kind = BET_EVENT_PLACED, .seat = 3};
    run_ending(&scene->runner);
    ending_scene_expect_found(scene, "");
    CU_ASSERT_EQUAL(ending_scene_count(scene, "sensors lamps\n40:"), 1);
    CU_ASSERT(scene->bench.clock.now < 11 * NANOS_PER_SECOND);
    free(scene);
}
