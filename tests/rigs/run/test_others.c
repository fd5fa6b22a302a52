/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Devices that neither deal nor play in a recording: they stay as they were. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rigs/journal/journal.h"
#include "rigs/run/ending.h"
#include "rigs/run/observation.h"
#include "rigs/run/others.h"
#include "tests/support/scenes/ending_scene.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

#define SHOWN    " terminal meters terminal screen terminal sign terminal lights"
#define TERMINAL " terminal? terminal mode" SHOWN " terminal end"
#define ASKED    " shoe? shoe mode shoe end" TERMINAL

/* A shuffler deals, and a shoe and a terminal stand beside it. */
static struct ending_scene *open_scene(void)
{
    struct ending_scene *scene =
        ending_scene_open(ENDING_SHUFFLER | ENDING_SHOE | ENDING_TERMINAL | ENDING_SENSORS);

    for (unsigned i = 0; i < DEVICE_CLASSES; i++)
        scene->devices[i].device.capabilities |= DEVICE_SHOWS_FRAMES;
    scene->runner.run.recording.has_terminal = false;
    return scene;
}

static void start(struct ending_scene *scene)
{
    struct error error;

    CU_ASSERT_EQUAL(run_others_start(&scene->runner.run, &error), 0);
}

static struct ending_scene *begin(void)
{
    struct ending_scene *scene = open_scene();

    start(scene);
    ending_scene_expect_said(scene, ASKED);
    return scene;
}

static void end(struct ending_scene *scene, const char *found)
{
    run_others_check(&scene->runner.run);
    ending_scene_expect_found(scene, found);
    free(scene);
}

TEST(those_that_neither_deal_nor_play_are_asked_how_they_are_and_no_others)
{
    struct ending_scene *scene = begin();

    run_others_check(&scene->runner.run);
    ending_scene_expect_said(
        scene, " shoe? shoe end shoe mode terminal? terminal end terminal mode" SHOWN);
    end(scene, "");
}

TEST(a_shuffler_beside_a_shoe_that_deals_is_one_of_them_and_a_terminal_that_plays_is_not)
{
    struct ending_scene *scene = open_scene();

    scene->runner.run.recording.dealer = &run_dealer_shoe;
    scene->runner.run.recording.has_terminal = true;
    start(scene);
    ending_scene_expect_said(scene, " shuffler? shuffler mode shuffler end");
    ending_scene_tell(scene, DEVICE_SHUFFLER, 0)->shuffler.kind = SHUFFLER_EVENT_SHUFFLED;
    end(scene, "frames shuffler: 0, not 1: events that it told, though nothing was asked of it\n");
}

TEST(devices_without_frames_log_or_status_are_left_alone)
{
    static const unsigned needed[] = {DEVICE_SHOWS_FRAMES, DEVICE_KEEPS_LOG, DEVICE_TELLS_STATUS};

    for (unsigned i = 0; i < 3; i++) {
        struct ending_scene *scene = open_scene();

        scene->devices[DEVICE_SHOE].device.capabilities &= ~needed[i];
        start(scene);
        ending_scene_expect_said(scene, TERMINAL);
        free(scene);
    }
}

TEST(every_event_fails_but_that_power_has_come_back_or_a_deck_is_in)
{
    struct ending_scene *scene = begin();

    ending_scene_tell(scene, DEVICE_SHOE, 0)->shoe.kind = SHOE_EVENT_CARD;
    ending_scene_tell(scene, DEVICE_SHOE, 0)->shoe.kind = SHOE_EVENT_TEST_MODE;
    ending_scene_tell(scene, DEVICE_TERMINAL, 0)->terminal.kind = TERMINAL_EVENT_JACKPOT;
    end(scene, "frames shoe: 0, not 2: events that it told, though nothing was asked of it\n"
               "frames terminal: 0, not 1: events that it told, though nothing was asked of it\n");
    scene = begin();
    ending_scene_tell(scene, DEVICE_SHOE, 0)->shoe.kind = SHOE_EVENT_STARTED;
    ending_scene_log(scene, DEVICE_SHOE, 0, 1, 0, 0);
    ending_scene_tell(scene, DEVICE_SHOE, 0)->shoe.kind = SHOE_EVENT_STAND_BY;
    ending_scene_log(scene, DEVICE_SHOE, 0, 1, 0, 0);
    ending_scene_tell(scene, DEVICE_TERMINAL, 0)->terminal.kind = TERMINAL_EVENT_POWER_UP;
    ending_scene_log(scene, DEVICE_TERMINAL, 0, 1, 0, 0);
    end(scene, "");
    scene = open_scene();
    scene->runner.run.recording.dealer = &run_dealer_shoe;
    start(scene);
    ending_scene_tell(scene, DEVICE_SHUFFLER, 0)->shuffler.kind = SHUFFLER_EVENT_POWER_UP;
    ending_scene_log(scene, DEVICE_SHUFFLER, 0, 1, 0, 0);
    end(scene, "");
}

TEST(what_they_do_between_two_recordings_fails_the_first)
{
    struct ending_scene *scene = begin();

    for (unsigned i = 0; i < DEVICE_CLASSES; i++)
        scene->devices[i].has_host = true;
    ending_scene_tell(scene, DEVICE_SHOE, 0)->shoe.kind = SHOE_EVENT_CARD;
    run_ending_recording(&scene->runner);
    CU_ASSERT_PTR_NOT_NULL(strstr(scene->found, "frames shoe: 0, not 1: events that it told"));
    free(scene);
}

/* The device events of a journal that an idle device leaves, who has told one. */
static unsigned count_events(struct ending_scene *scene, const char *device)
{
    char path[SCRATCH_PATH_SIZE], wanted[64], *text, *at;
    unsigned count = 0, wrong = 0;
    struct error error;
    size_t length;

    scratch_path(path);
    CU_ASSERT_EQUAL_FATAL(
        journal_open(
            path, &(struct journal_options){.clock = &scene->bench.clock},
            &(struct journal_start){.version = "test", .command = (const char *const[]){NULL}},
            &scene->runner.run.journal, &error),
        0);
    start(scene);
    run_others_check(&scene->runner.run);
    journal_close(scene->runner.run.journal);
    scene->runner.run.journal = NULL;
    text = scratch_read(path, &length);
    snprintf(wanted, sizeof wanted, "\"device\":\"%s\",\"event\"", device);
    for (at = text; (at = strstr(at, "\"event\"")); at++)
        wrong++;
    for (at = text; (at = strstr(at, wanted)); at++)
        count++;
    if (count != 1 || wrong < count)
        printf("%s\n", text);
    free(text);
    unlink(path);
    return count;
}

TEST(a_journal_has_what_they_tell_once)
{
    struct ending_scene *scene = open_scene();

    ending_scene_tell(scene, DEVICE_SHOE, 0)->shoe.kind = SHOE_EVENT_STARTED;
    CU_ASSERT_EQUAL(count_events(scene, "shoe"), 1);
    free(scene);
    scene = open_scene();
    ending_scene_tell(scene, DEVICE_TERMINAL, 0)->terminal.kind = TERMINAL_EVENT_POWER_UP;
    CU_ASSERT_EQUAL(count_events(scene, "terminal"), 1);
    free(scene);
    scene = open_scene();
    scene->runner.run.recording.dealer = &run_dealer_shoe;
    ending_scene_tell(scene, DEVICE_SHUFFLER, 0)->shuffler.kind = SHUFFLER_EVENT_BUTTON;
    CU_ASSERT_EQUAL(count_events(scene, "shuffler"), 1);
    free(scene);
}

TEST(what_they_said_before_the_recording_is_not_judged)
{
    struct ending_scene *scene = open_scene();

    ending_scene_tell(scene, DEVICE_SHOE, 0)->shoe.kind = SHOE_EVENT_CARD;
    ending_scene_tell(scene, DEVICE_TERMINAL, 0)->terminal.kind = TERMINAL_EVENT_JACKPOT;
    ending_scene_log(scene, DEVICE_SHOE, 0, 1, 0, 0);
    start(scene);
    end(scene, "");
}

TEST(an_entry_of_their_log_fails_and_so_does_one_that_is_missing)
{
    struct ending_scene *scene = begin();

    ending_scene_log(scene, DEVICE_SHOE, 0, 1, 0, 0);
    end(scene, "event-log shoe: 0, not 1: entries of its log, though nothing was asked of it\n");
    scene = begin();
    ending_scene_tell(scene, DEVICE_TERMINAL, 0)->terminal.kind = TERMINAL_EVENT_POWER_UP;
    end(scene,
        "event-log terminal: 3, not 2: entries of its log, though nothing was asked of it\n");
}

TEST(their_test_mode_stays_as_it_was_and_is_off_where_a_table_is_only_watched)
{
    static const struct observation watched;
    struct ending_scene *scene = begin();

    scene->devices[DEVICE_SHOE].is_on = true;
    end(scene, "test-mode-announced shoe: 0, not 1: test mode, though nothing was asked of it\n");
    scene = open_scene();
    scene->devices[DEVICE_TERMINAL].is_on = true;
    start(scene);
    end(scene, "");
    scene = open_scene();
    scene->devices[DEVICE_TERMINAL].is_on = true;
    scene->runner.run.recording.observation = &watched;
    start(scene);
    end(scene, "test-mode-announced terminal: 0, not 1: it is in test mode\n");
}

TEST(what_a_terminal_shows_stays_as_it_was)
{
    struct ending_scene *scene = begin();

    scene->meters.meter[0].micros++;
    end(scene,
        "meter-values terminal: 5000000, not 5000001: millionths of a dollar on a meter, though "
        "nothing was asked of it\n");
    scene = begin();
    scene->meters.meter[0].name[1] = 'a';
    end(scene, "meter-values terminal: 1, not 0: a meter is called as before, though nothing was "
               "asked of it\n");
    scene = begin();
    scene->meters.must_hit = 0;
    end(scene, "meter-values terminal: 1, not 0: a meter is called as before, though nothing was "
               "asked of it\n");
    scene = begin();
    scene->meters.count = 0;
    scene->meters.meter[0].micros++; /* of those that it has not any more nothing is compared */
    end(scene,
        "meter-values terminal: 1, not 0: meters that it has, though nothing was asked of it\n");
    scene = begin();
    scene->meters.count = 2;
    scene->meters.meter[1].micros = 5;
    end(scene,
        "meter-values terminal: 1, not 2: meters that it has, though nothing was asked of it\n");
    scene = begin();
    scene->screen = (struct terminal_screen){.state = TERMINAL_IDLE, .wrong_codes = 2};
    end(scene,
        "status terminal: 0, not 2: wrong codes by SCREEN, though nothing was asked of it\n");
    scene = begin();
    scene->screen = (struct terminal_screen){.state = TERMINAL_OPEN, .seat = 5};
    end(scene, "status terminal: 1, not 2: state by SCREEN, though nothing was asked of it\n"
               "status terminal: 0, not 5: seat by SCREEN, though nothing was asked of it\n");
    scene = begin();
    scene->sign = (struct terminal_sign){.seat = 3, .cents = 777};
    end(scene,
        "sign-amount terminal: 0, not 3: seat on the sign, though nothing was asked of it\n"
        "sign-amount terminal: 0, not 777: cents on the sign, though nothing was asked of it\n");
    scene = begin();
    scene->lights = 6;
    end(scene, "lights terminal: 0, not 6: seats that are lit, as a set, though nothing was asked "
               "of it\n");
}

TEST(every_meter_of_an_idle_terminal_stays_as_it_was)
{
    struct ending_scene *scene = open_scene();

    scene->meters.count = 2;
    start(scene);
    scene->meters.meter[1].micros = 5;
    end(scene, "meter-values terminal: 0, not 5: millionths of a dollar on a meter, though nothing "
               "was asked of it\n");
}

TEST(what_a_terminal_has_shown_since_an_earlier_recording_it_goes_on_to_show)
{
    struct ending_scene *scene = open_scene();

    scene->sign = (struct terminal_sign){.seat = 3, .cents = 777};
    scene->meters.meter[0].micros++;
    start(scene);
    end(scene, "");
}

TEST(a_terminal_that_does_not_show_what_is_asked_for_is_told)
{
    static const char *const requests[] = {"meters", "screen", "sign", "lights"};

    for (unsigned i = 0; i < 4; i++) {
        struct ending_scene *scene = open_scene();
        struct error error;

        ending_scene_fail(scene, DEVICE_TERMINAL, requests[i], ERROR_DEVICE, 0);
        CU_ASSERT_EQUAL(run_others_start(&scene->runner.run, &error), ERROR_DEVICE);
        CU_ASSERT_EQUAL(ending_scene_count(scene, "terminal end"), 0);
        free(scene);
        scene = begin();
        ending_scene_fail(scene, DEVICE_TERMINAL, requests[i], ERROR_DEVICE, 0);
        scene->lights = 1;
        run_others_check(&scene->runner.run);
        CU_ASSERT_EQUAL(ending_scene_count(scene, "-frames"), 1);
        CU_ASSERT_EQUAL(ending_scene_count(scene, "-lights"), 0);
        free(scene);
    }
}

TEST(one_that_does_not_answer_ends_the_start_and_is_told_at_the_end)
{
    static const char *const requests[] = {"hear", "mode", "log"};

    for (unsigned i = 0; i < 3; i++) {
        struct ending_scene *scene = open_scene();
        struct error error;

        ending_scene_fail(scene, DEVICE_SHOE, requests[i], ERROR_DEVICE, 0);
        CU_ASSERT_EQUAL(run_others_start(&scene->runner.run, &error), ERROR_DEVICE);
        CU_ASSERT_EQUAL(ending_scene_count(scene, "terminal"), 0);
        free(scene);
        scene = begin();
        ending_scene_fail(scene, DEVICE_SHOE, requests[i], ERROR_DEVICE, 0);
        run_others_check(&scene->runner.run);
        CU_ASSERT_EQUAL(ending_scene_count(scene, "-frames"), 1);
        CU_ASSERT_EQUAL(ending_scene_count(scene, "terminal mode"), 1);
        free(scene);
    }
}
