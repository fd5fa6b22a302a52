/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The logs of devices at the end of a run: what they have since the last round, and once more. */
#include <stdio.h>
#include <stdlib.h>

#include "tests/support/scenes/ending_scene.h"
#include "tests/support/suite.h"

#define EVERYTHING (ENDING_SHUFFLER | ENDING_TERMINAL | ENDING_SENSORS)

static const enum device_class logging[] = {DEVICE_SHUFFLER, DEVICE_TERMINAL, DEVICE_SENSORS};
static const char *const names[] = {"shuffler", "terminal", "sensors"};
#define LOGGING 3

/* Nobody has to leave test mode, and there is no quiet period. */
static struct ending_scene *open_logs(unsigned classes)
{
    struct ending_scene *scene = ending_scene_open(classes);

    for (unsigned i = 0; i < DEVICE_CLASSES; i++)
        scene->runner.run.entered[i] = false;
    scene->rig.timing.quiet = 0;
    scene->sensors.is_put_there = false;
    return scene;
}

static void expect_end(struct ending_scene *scene, const char *found)
{
    run_ending(&scene->runner);
    ending_scene_expect_found(scene, found);
    free(scene);
}

/* The same sentence of one of the devices. */
static void expect_found_of(struct ending_scene *scene, unsigned device, const char *found)
{
    char text[256];

    snprintf(text, sizeof text, "event-log %s: %s\n", names[device], found);
    run_ending(&scene->runner);
    ending_scene_expect_found(scene, text);
}

TEST(a_log_that_cannot_be_read_fails)
{
    for (unsigned i = 0; i < LOGGING; i++)
        for (unsigned after = 0; after < 3; after++) { /* the last one is when it is read again */
            struct ending_scene *scene = open_logs(EVERYTHING);

            ending_scene_fail(scene, logging[i], "log", ERROR_TIMEOUT, after);
            expect_found_of(scene, i, "0, not 1: no log");
            free(scene);
        }
}

TEST(an_entry_that_nothing_has_brought_fails)
{
    for (unsigned i = 0; i < LOGGING; i++) {
        struct ending_scene *scene = open_logs(EVERYTHING);

        ending_scene_log(scene, logging[i], 0, 200, 1, 2);
        expect_found_of(scene, i, "null, not [200,1,2]: code and details of an entry of the log");
        free(scene);
    }
}

TEST(an_entry_that_is_not_what_it_was_fails)
{
    for (unsigned i = 0; i < LOGGING; i++) {
        struct ending_scene *scene = open_logs(EVERYTHING);

        scene->devices[logging[i]].log[1].value++;
        expect_found_of(scene, i,
                        "null, not 1: number of an entry that is not what it was when first read");
        CU_ASSERT_EQUAL(ending_scene_count(scene, "+event-log"), 8);
        free(scene);
    }
}

TEST(a_log_is_read_again_to_its_end_however_many_entries_a_reply_has)
{
    struct ending_scene *scene = open_logs(ENDING_SHUFFLER);

    scene->devices[DEVICE_SHUFFLER].per_reply = 1;
    run_ending(&scene->runner);
    ending_scene_expect_said(scene, " shuffler? shuffler log 2 +event-log"
                                    " shuffler? shuffler log 2 +event-log"
                                    " shuffler log 0 shuffler log 1 +event-log"
                                    " shuffler who +identity shuffler?");
    free(scene);

    scene = open_logs(ENDING_SHUFFLER);
    scene->devices[DEVICE_SHUFFLER].per_reply = 0; /* it has none of them any more */
    run_ending(&scene->runner);
    ending_scene_expect_said(scene, " shuffler? shuffler log 2 +event-log"
                                    " shuffler? shuffler log 2 +event-log"
                                    " shuffler log 0 +event-log"
                                    " shuffler who +identity shuffler?");
    free(scene);
}

TEST(a_log_of_which_nothing_was_read_is_not_read_again)
{
    for (unsigned i = 0; i < LOGGING; i++) {
        struct ending_scene *scene = open_logs(EVERYTHING);
        struct run_log_past *past = &scene->runner.run.pasts[logging[i]];

        past->first = past->next;
        run_ending(&scene->runner);
        ending_scene_expect_found(scene, "");
        CU_ASSERT_EQUAL(ending_scene_count(scene, " log 0"), 2);
        CU_ASSERT_EQUAL(ending_scene_count(scene, "+event-log"), 8);
        free(scene);
    }
}

TEST(what_was_read_in_an_earlier_recording_is_read_again_after_the_last)
{
    for (unsigned i = 1; i < LOGGING; i++) {
        struct ending_scene *scene = open_logs(EVERYTHING);

        scene->runner.run.recording.has_terminal &= logging[i] != DEVICE_TERMINAL;
        scene->runner.run.recording.sensors_begun &= logging[i] != DEVICE_SENSORS;
        ending_scene_log(scene, logging[i], 0, 200, 1, 2); /* is judged where others are */
        scene->devices[logging[i]].log[1].value++;
        run_ending(&scene->runner);
        CU_ASSERT_PTR_NOT_NULL(
            strstr(scene->found,
                   "null, not 1: number of an entry that is not what it was when first read"));
        CU_ASSERT_PTR_NULL(strstr(scene->found, "read again after the last round"));
        free(scene);
    }
}

TEST(a_log_that_is_not_kept_or_not_followed_is_not_read)
{
    struct ending_scene *scene;

    for (unsigned i = 0; i < LOGGING; i++) {
        scene = open_logs(EVERYTHING);
        scene->devices[logging[i]].device.capabilities &= ~(unsigned)DEVICE_KEEPS_LOG;
        if (i == 2)
            scene->runner.run.recording.sensors_begun = false;
        run_ending(&scene->runner);
        ending_scene_expect_found(scene, "");
        CU_ASSERT_EQUAL(ending_scene_count(scene, " log "), 6);
        free(scene);
    }
    scene = open_logs(EVERYTHING);
    scene->runner.run.recording.has_terminal = false;
    scene->runner.run.recording.sensors_begun = false;
    scene->runner.run.pasts[DEVICE_TERMINAL] = scene->runner.run.pasts[DEVICE_SENSORS] =
        (struct run_log_past){0};
    run_ending(&scene->runner);
    ending_scene_expect_found(scene, "");
    CU_ASSERT_EQUAL(ending_scene_count(scene, " log "), 3);
    free(scene);
}

TEST(a_log_that_counts_fewer_entries_when_it_is_read_again_fails)
{
    struct ending_scene *scene = open_logs(ENDING_SHUFFLER);

    scene->devices[DEVICE_SHUFFLER].counts_wrong = -1;
    scene->devices[DEVICE_SHUFFLER].counted_at = 2;
    expect_end(scene, "event-log shuffler: 2, not 1: entries that the log says it has, fewer than "
                      "before\n");
}

TEST(every_log_that_was_followed_is_held_to_the_entries_that_it_counts_at_the_end)
{
    for (unsigned i = 0; i < LOGGING; i++) {
        struct ending_scene *scene = open_logs(EVERYTHING);
        char expected[128];

        snprintf(expected, sizeof expected,
                 "event-log %s: 2, not 3: entries that the log says it has, read again after the "
                 "last round\n",
                 device_class_name(logging[i]));
        scene->devices[logging[i]].counts_wrong = 1;
        scene->devices[logging[i]].counted_at = 2;
        expect_end(scene, expected);
    }
}

TEST(a_log_that_counts_an_entry_which_is_not_there_when_it_is_read_again_fails)
{
    struct ending_scene *scene = open_logs(ENDING_SHUFFLER);

    scene->devices[DEVICE_SHUFFLER].counts_wrong = 1;
    scene->devices[DEVICE_SHUFFLER].counted_at = 2;
    run_ending(&scene->runner);
    ending_scene_expect_found(scene, "event-log shuffler: 2, not 3: entries that the log says it "
                                     "has, read again after the last round\n");
    CU_ASSERT_EQUAL(ending_scene_count(scene, "shuffler log 0 +event-log shuffler log 2"), 1);
    free(scene);

    scene = open_logs(ENDING_SHUFFLER); /* the most that any reply counts */
    scene->devices[DEVICE_SHUFFLER].per_reply = 1;
    scene->devices[DEVICE_SHUFFLER].counts_wrong = 1;
    scene->devices[DEVICE_SHUFFLER].counted_at = 2;
    expect_end(scene, "event-log shuffler: 3, not 2: entries that the log says it has, fewer than "
                      "before\n"
                      "event-log shuffler: 2, not 3: entries that the log says it has, read again "
                      "after the last round\n");
}

TEST(an_entry_that_is_made_while_a_log_is_read_again_is_judged)
{
    for (unsigned is_due = 0; is_due < 2; is_due++) {
        struct ending_scene *scene = open_logs(ENDING_SHUFFLER);

        scene->takes = 10 * NANOS_PER_MILLI;
        scene->devices[DEVICE_SHUFFLER].per_reply = 1;
        if (is_due)
            ending_scene_tell(scene, DEVICE_SHUFFLER, 25)->shuffler.kind = SHUFFLER_EVENT_BUTTON;
        ending_scene_log(scene, DEVICE_SHUFFLER, 25, SHUFFLER_LOG_BUTTON, 1, 0);
        run_ending(&scene->runner);
        ending_scene_expect_found(scene, is_due ? ""
                                                : "event-log shuffler: null, not [71,1,0]: code "
                                                  "and details of an entry of the log\n");
        CU_ASSERT_EQUAL(ending_scene_count(scene, "shuffler log 2"), 3);
        CU_ASSERT_EQUAL(ending_scene_count(scene, "+event-log"), 3 + is_due);
        free(scene);
    }
}

TEST(a_request_for_a_log_that_was_said_again_is_given_time_for_its_reply_to_come_again)
{
    struct ending_scene *scene = open_logs(ENDING_SHUFFLER);

    scene->devices[DEVICE_SHUFFLER].has_host = true;
    scene->devices[DEVICE_SHUFFLER].retries = 2;
    scene->devices[DEVICE_SHUFFLER].host.counts.retries = 5;
    run_ending(&scene->runner);
    CU_ASSERT_EQUAL(scene->bench.clock.now, 11 * NANOS_PER_SECOND);
    CU_ASSERT_EQUAL(ending_scene_count(scene, "\n1000: shuffler? +event-log shuffler who"), 1);
    free(scene);

    scene = open_logs(ENDING_SHUFFLER);
    scene->devices[DEVICE_SHUFFLER].has_host = true;
    scene->devices[DEVICE_SHUFFLER].host.counts.retries = 5;
    run_ending(&scene->runner);
    ending_scene_expect_said(scene, " shuffler? shuffler log 2 +event-log"
                                    " shuffler? shuffler log 2 +event-log"
                                    " shuffler log 0 +event-log"
                                    " shuffler who +identity shuffler?");
    free(scene);
}

TEST(what_was_read_of_the_ledger_is_read_again_after_the_logs)
{
    struct ending_scene *scene = open_logs(ENDING_SHUFFLER | ENDING_TERMINAL);

    ending_scene_book(scene, 3);
    run_ending(&scene->runner);
    CU_ASSERT_EQUAL(ending_scene_count(scene, " terminal log 0 +event-log terminal ledger "
                                              "terminal ledger terminal ledger +event-log "
                                              "shuffler who"),
                    1);
    ending_scene_expect_found(scene, "");
    free(scene);

    scene = open_logs(ENDING_SHUFFLER | ENDING_TERMINAL); /* of which another recording follows */
    ending_scene_book(scene, 2);
    run_ending_recording(&scene->runner);
    CU_ASSERT_EQUAL(ending_scene_count(
                        scene, " terminal ledger terminal ledger +event-log shuffler? terminal?"),
                    1);
    free(scene);
}

TEST(an_entry_of_the_ledger_that_has_changed_or_gone_fails_once)
{
    for (unsigned gone = 0; gone < 2; gone++) {
        struct ending_scene *scene = open_logs(ENDING_SHUFFLER | ENDING_TERMINAL);

        ending_scene_book(scene, 3);
        for (unsigned i = 1; i < 3; i++)
            scene->ledger[i].cents++;
        scene->booked = gone ? 1 : 3;
        run_ending(&scene->runner);
        ending_scene_expect_found(scene,
                                  "event-log ledger seat 3: null, not 1: number of an entry of the "
                                  "ledger that is not what it was when first read\n");
        CU_ASSERT_EQUAL(ending_scene_count(scene, " terminal ledger"), 2);
        free(scene);
    }
}

TEST(a_ledger_that_cannot_be_read_again_fails)
{
    struct ending_scene *scene = open_logs(ENDING_SHUFFLER | ENDING_TERMINAL);

    ending_scene_book(scene, 3);
    ending_scene_fail(scene, DEVICE_TERMINAL, "ledger", ERROR_TIMEOUT, 1);
    expect_found_of(scene, 1, "0, not 1: no ledger");
    CU_ASSERT_EQUAL(ending_scene_count(scene, " terminal ledger"), 2);
    free(scene);
}

TEST(what_an_earlier_recording_has_read_of_the_ledger_is_read_again_as_well)
{
    for (unsigned way = 0; way < 2; way++) {
        struct ending_scene *scene = open_logs(ENDING_SHUFFLER | ENDING_TERMINAL);
        struct run_recording *recording = &scene->runner.run.recording;

        ending_scene_book(scene, 3);
        recording->has_booked = way;    /* also after a round that failed */
        recording->has_terminal = !way; /* or where it does not play */
        run_ending(&scene->runner);
        CU_ASSERT_EQUAL(ending_scene_count(scene, " terminal ledger"), 3);
        ending_scene_expect_found(scene, "");
        free(scene);
    }
}

TEST(a_ledger_of_which_nothing_was_read_is_not_read_again)
{
    struct ending_scene *scene = open_logs(ENDING_SHUFFLER | ENDING_TERMINAL);

    ending_scene_book(scene, 3);
    scene->runner.run.ledger_past.first = scene->runner.run.ledger_past.next;
    run_ending(&scene->runner);
    CU_ASSERT_EQUAL(ending_scene_count(scene, " terminal ledger"), 0);
    ending_scene_expect_found(scene, "");
    free(scene);
}

TEST(a_request_for_the_ledger_that_was_said_again_is_given_time_for_its_reply_to_come_again)
{
    struct ending_scene *scene = open_logs(ENDING_SHUFFLER | ENDING_TERMINAL);
    nanos_t without = clock_now(&scene->bench.clock);

    ending_scene_book(scene, 3);
    scene->devices[DEVICE_TERMINAL].has_host = true;
    run_ending(&scene->runner);
    without = scene->bench.clock.now - without;
    free(scene);
    scene = open_logs(ENDING_SHUFFLER | ENDING_TERMINAL);
    ending_scene_book(scene, 3);
    scene->devices[DEVICE_TERMINAL].has_host = true;
    scene->devices[DEVICE_TERMINAL].retries = 1;
    without += clock_now(&scene->bench.clock);
    run_ending(&scene->runner); /* one of the log, too */
    CU_ASSERT_EQUAL(scene->bench.clock.now, without + 4 * 500 * NANOS_PER_MILLI);
    free(scene);
}

TEST(after_a_failure_no_log_is_judged_but_what_was_read_is_the_same)
{
    struct ending_scene *scene = open_logs(EVERYTHING);

    ending_scene_tell(scene, DEVICE_TERMINAL, 0)->terminal = (struct terminal_event){
        .kind = TERMINAL_EVENT_POWER_UP, .screen = {.state = TERMINAL_IDLE}};
    for (unsigned i = 0; i < LOGGING; i++)
        ending_scene_log(scene, logging[i], 0, 200, 1, 2);
    scene->devices[DEVICE_SENSORS].log[0].value++;
    run_ending(&scene->runner);
    ending_scene_expect_found(scene, "event-log sensors: null, not 0: number of an entry that is "
                                     "not what it was when first read\n"
                                     "status: 0, not 1: the terminal lost its power\n");
    CU_ASSERT_EQUAL(ending_scene_count(scene, " log "), 3);
    free(scene);
}

TEST(a_loss_of_power_that_is_told_after_the_quiet_period_is_in_the_log)
{
    for (unsigned late = 0; late < 2; late++) {
        struct ending_scene *scene = ending_scene_open(ENDING_SHUFFLER);

        ending_scene_tell(scene, DEVICE_SHUFFLER, late ? 125 : 115)->shuffler =
            (struct shuffler_event){.kind = SHUFFLER_EVENT_POWER_UP};
        expect_end(scene, late ? "event-log shuffler: 2, not 1: entries of the log, of what was "
                                 "told after the last round\n"
                               : "");
    }
    for (unsigned late = 0; late < 2; late++) {
        struct ending_scene *scene = ending_scene_open(ENDING_SHUFFLER | ENDING_SENSORS);

        scene->runner.run.entered[DEVICE_TERMINAL] = false;
        ending_scene_tell(scene, DEVICE_SENSORS, late ? 125 : 115)->sensors =
            (struct bet_event){.kind = BET_EVENT_POWER_UP};
        run_ending(&scene->runner);
        ending_scene_expect_found(scene, "");
        CU_ASSERT_EQUAL(ending_scene_count(scene, "sensors log 2 +event-log"), late ? 2 : 1);
        free(scene);
    }
}

/* Requests take their time, and it comes with the last of them. */
static struct ending_scene *open_late(unsigned classes)
{
    struct ending_scene *scene = open_logs(classes);

    scene->takes = 10 * NANOS_PER_MILLI;
    return scene;
}

TEST(what_comes_with_the_last_replies_must_be_in_the_logs_too)
{
    for (unsigned is_logged = 0; is_logged < 2; is_logged++) {
        struct ending_scene *scene = open_late(ENDING_SHUFFLER);

        ending_scene_tell(scene, DEVICE_SHUFFLER, 5)->shuffler.kind = SHUFFLER_EVENT_BUTTON;
        if (is_logged)
            ending_scene_log(scene, DEVICE_SHUFFLER, 5, SHUFFLER_LOG_BUTTON, 1, 0);
        run_ending_recording(&scene->runner);
        ending_scene_expect_found(scene, is_logged ? ""
                                                   : "event-log shuffler: 1, not 0: entries of "
                                                     "the log in this round\n");
        CU_ASSERT_EQUAL(ending_scene_count(scene, "shuffler log 2"), 2);
        free(scene);
    }
}

TEST(a_loss_of_power_that_is_told_with_the_last_replies_has_the_log_read)
{
    struct ending_scene *scene = open_late(ENDING_SHUFFLER | ENDING_SENSORS);

    ending_scene_tell(scene, DEVICE_SENSORS, 15)->sensors =
        (struct bet_event){.kind = BET_EVENT_POWER_UP};
    run_ending_recording(&scene->runner);
    ending_scene_expect_found(scene, "");
    CU_ASSERT_EQUAL(ending_scene_count(scene, "sensors log 2"), 2);
    CU_ASSERT_EQUAL(ending_scene_count(scene, "shuffler log 2"), 1);
    free(scene);
}
