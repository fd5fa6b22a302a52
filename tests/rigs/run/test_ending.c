/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The end of a run and of a recording: what devices still say, and what they are then. */
#include <stdlib.h>
#include <string.h>

#include "tests/support/scenes/ending_scene.h"
#include "tests/support/suite.h"

#define EVERYTHING (ENDING_SHUFFLER | ENDING_TERMINAL | ENDING_SENSORS)

/* It ends so, and what failed is this. */
static void expect_end(struct ending_scene *scene, const char *found)
{
    run_ending(&scene->runner);
    ending_scene_expect_found(scene, found);
    free(scene);
}

/* The same of a recording that another one follows. */
static void expect_recording(struct ending_scene *scene, const char *found)
{
    run_ending_recording(&scene->runner);
    ending_scene_expect_found(scene, found);
    free(scene);
}

static struct bench_device *entry_of(struct ending_scene *scene, enum device_class class)
{
    return (struct bench_device *)bench_find(&scene->bench, class);
}

/* Its frames can be seen, and it speaks version 2: there is BYE to be said. */
static void show_frames(struct ending_scene *scene, enum device_class class)
{
    struct ending_device *device = &scene->devices[class];

    device->device.capabilities |= DEVICE_SHOWS_FRAMES;
    device->has_host = true;
    device->host.version = FRAME_VERSION_2;
}

TEST(after_the_last_round_all_is_asked_and_judged_in_this_order)
{
    struct ending_scene *scene = ending_scene_open(EVERYTHING);

    show_frames(scene, DEVICE_TERMINAL);
    run_ending(&scene->runner);
    ending_scene_expect_said(
        scene,
        " shuffler? terminal? sensors?"
        "\n50: shuffler? terminal? sensors?"
        "\n100: shuffler? terminal? sensors?"
        "\n120: shuffler? terminal? sensors?"
        " +jackpots +lights +key-refusals"
        " terminal status terminal status +status +status +status +status"
        " +status +status +status +status"
        " terminal meters +meter-values +meter-values +meter-values"
        " terminal lights +lights terminal sign +sign-amount"
        " shuffler log 2 +event-log terminal log 2 +event-log sensors log 2 +event-log"
        " shuffler off shuffler..1000"
        "\n130: shuffler! +test-mode-announced shuffler? terminal? sensors?"
        "\n180: shuffler? terminal? sensors? shuffler mode shuffler mode +test-mode-announced"
        " shuffler status +status +status"
        " terminal off terminal..3000"
        "\n190: terminal! terminal? +test-mode-announced"
        " terminal mode terminal mode +test-mode-announced"
        " terminal status terminal status +status +status +status +status"
        " +status +status +status +status"
        " terminal meters +meter-values +meter-values +meter-values"
        " terminal lights +lights terminal sign +sign-amount"
        " sensors rest sensors lamps +test-mode-announced +lights +status +status"
        " shuffler? terminal? sensors? +status"
        " shuffler? terminal? sensors?"
        " shuffler log 2 +event-log terminal log 2 +event-log sensors log 2 +event-log"
        " shuffler log 0 +event-log terminal log 0 +event-log sensors log 0 +event-log"
        " shuffler who +identity terminal who +identity sensors who +identity"
        " shuffler? terminal? sensors?"
        " terminal parts +frames +frames +frames");
    ending_scene_expect_found(scene, "");
    free(scene);
}

TEST(between_two_recordings_nothing_is_waited_for_and_nobody_leaves_test_mode)
{
    struct ending_scene *scene = ending_scene_open(EVERYTHING);

    show_frames(scene, DEVICE_TERMINAL);
    run_ending_recording(&scene->runner);
    ending_scene_expect_said(
        scene, " shuffler? terminal? sensors?"
               " +jackpots +lights +key-refusals"
               " terminal status terminal status +status +status +status +status"
               " +status +status +status +status"
               " terminal meters +meter-values +meter-values +meter-values"
               " terminal lights +lights terminal sign +sign-amount"
               " shuffler log 2 +event-log terminal log 2 +event-log sensors log 2 +event-log"
               " shuffler? terminal? sensors?"
               " +frames +frames +frames");
    ending_scene_expect_found(scene, "");
    free(scene);
}

TEST(a_recording_without_a_dealer_or_whose_devices_are_not_at_rest_has_no_end)
{
    for (unsigned i = 0; i < 2; i++) {
        struct ending_scene *scene = ending_scene_open(EVERYTHING);

        if (i)
            scene->runner.is_at_rest = false;
        else
            scene->runner.run.recording.dealer = NULL;
        run_ending_recording(&scene->runner);
        ending_scene_expect_said(scene, "");
        free(scene);
    }
}

TEST(a_recording_whose_logs_cannot_be_followed_is_not_judged)
{
    struct ending_scene *scene = ending_scene_open(EVERYTHING);

    scene->runner.has_passed = false;
    ending_scene_fail(scene, DEVICE_SHUFFLER, "log", ERROR_TIMEOUT, 0);
    run_ending_recording(&scene->runner);
    ending_scene_expect_said(scene, " shuffler? terminal? sensors? shuffler end");
    free(scene);
}

TEST(a_terminal_that_does_not_play_is_listened_to_by_nobody)
{
    struct ending_scene *scene = ending_scene_open(ENDING_SHUFFLER | ENDING_TERMINAL);

    scene->runner.run.recording.has_terminal = false;
    run_ending_recording(&scene->runner);
    ending_scene_expect_said(scene, " shuffler? shuffler log 2 +event-log shuffler?");
    free(scene);
}

TEST(a_terminal_that_tells_nothing_is_not_asked_and_its_events_are_not_judged)
{
    struct ending_scene *scene = ending_scene_open(ENDING_SHUFFLER | ENDING_TERMINAL);

    scene->devices[DEVICE_TERMINAL].device.capabilities &= ~(unsigned)DEVICE_TELLS_STATUS;
    ending_scene_tell(scene, DEVICE_TERMINAL, 0)->terminal =
        (struct terminal_event){.kind = TERMINAL_EVENT_LIGHTS, .lights = 2};
    run_ending_recording(&scene->runner);
    ending_scene_expect_said(scene, " shuffler? terminal? terminal! terminal?"
                                    " shuffler log 2 +event-log terminal log 2 +event-log"
                                    " shuffler? terminal?");
    free(scene);
}

TEST(of_a_run_that_was_cut_off_devices_leave_test_mode_and_nothing_else_is_judged)
{
    static const char left[] =
        " shuffler off shuffler..1000"
        "\n10: shuffler! +test-mode-announced shuffler? terminal? sensors?"
        "\n60: shuffler? terminal? sensors? shuffler mode shuffler mode +test-mode-announced"
        " terminal off terminal..3000"
        "\n70: terminal! terminal? +test-mode-announced"
        " terminal mode terminal mode +test-mode-announced"
        " sensors rest shuffler who +identity terminal who +identity sensors who +identity";
    struct ending_scene *scene = ending_scene_open(EVERYTHING);

    scene->sensors.is_put_there = false;
    scene->runner.is_at_rest = false;
    run_ending(&scene->runner);
    ending_scene_expect_said(scene, left);
    free(scene);

    scene = ending_scene_open(EVERYTHING);
    scene->bench.hal.cancelled = true;
    run_ending(&scene->runner);
    ending_scene_expect_said(
        scene, " shuffler? terminal? sensors? shuffler off shuffler..1000"
               "\n10: shuffler! +test-mode-announced shuffler? terminal? sensors?"
               " shuffler mode shuffler mode +test-mode-announced"
               " terminal off terminal..3000"
               "\n20: terminal! terminal? +test-mode-announced"
               " terminal mode terminal mode +test-mode-announced"
               " sensors rest sensors lamps +test-mode-announced +lights +status +status"
               " shuffler? terminal? sensors? +status"
               " shuffler who +identity terminal who +identity sensors who +identity");
    free(scene);

    scene = ending_scene_open(ENDING_SHUFFLER);
    scene->runner.has_passed = false;
    ending_scene_fail(scene, DEVICE_SHUFFLER, "log", ERROR_TIMEOUT, 0);
    run_ending(&scene->runner);
    CU_ASSERT_EQUAL(ending_scene_count(scene, " log"), 0);
    CU_ASSERT_EQUAL(ending_scene_count(scene, " status"), 0);
    CU_ASSERT_EQUAL(ending_scene_count(scene, "shuffler who"), 1);
    free(scene);
}

TEST(after_a_round_that_failed_logs_are_followed_from_here_on_and_neither_meters_nor_status_known)
{
    struct ending_scene *scene = ending_scene_open(EVERYTHING);

    scene->runner.has_passed = false;
    scene->rig.timing.quiet = 0;
    scene->meters.meter[0].micros++;
    scene->shuffler.shuffle++;
    for (unsigned class = 0; class < DEVICE_SENSORS; class ++)
        if (class != DEVICE_SHOE)
            ending_scene_log(scene, class, 0, 1, 2, 3);
    run_ending(&scene->runner);
    ending_scene_expect_said(
        scene, " shuffler? terminal? sensors? shuffler end terminal end"
               " +jackpots +lights +key-refusals"
               " terminal status terminal status +status +status +status +status"
               " +status +status +status +status"
               " shuffler log 3 +event-log terminal log 3 +event-log sensors log 2 +event-log"
               " shuffler off shuffler..1000"
               "\n10: shuffler! +test-mode-announced shuffler? terminal? sensors?"
               "\n60: shuffler? terminal? sensors? shuffler mode shuffler mode"
               " +test-mode-announced terminal off terminal..3000"
               "\n70: terminal! terminal? +test-mode-announced"
               " terminal mode terminal mode +test-mode-announced"
               " terminal status terminal status +status +status +status +status"
               " +status +status +status +status"
               " sensors rest sensors lamps +test-mode-announced +lights +status +status"
               " shuffler? terminal? sensors? +status shuffler? terminal? sensors?"
               " shuffler log 3 +event-log terminal log 3 +event-log sensors log 2 +event-log"
               " shuffler log 0 +event-log terminal log 0 +event-log sensors log 0 +event-log"
               " shuffler who +identity terminal who +identity sensors who +identity"
               " shuffler? terminal? sensors?");
    free(scene);
}

TEST(a_terminal_whose_log_begins_with_how_it_was_set_up_is_followed_from_here_on)
{
    struct ending_scene *scene = ending_scene_open(ENDING_SHUFFLER | ENDING_TERMINAL);

    scene->runner.run.recording.has_start = true;
    ending_scene_log(scene, DEVICE_TERMINAL, 0, TERMINAL_LOG_CONFIGURED, 0, 0);
    run_ending_recording(&scene->runner);
    CU_ASSERT_EQUAL(ending_scene_count(scene, "terminal end"), 1);
    CU_ASSERT_EQUAL(ending_scene_count(scene, "terminal log 3 +event-log"), 1);
    CU_ASSERT_EQUAL(ending_scene_count(scene, "shuffler end"), 0);
    CU_ASSERT_FALSE(scene->runner.run.recording.has_start);
    free(scene);
}

TEST(what_a_device_fails_with_is_told_unless_it_is_gone_or_its_line_damaged)
{
    static const struct {
        int status;
        bool is_lossy, is_lost, has_no_link, is_told;
    } ways[] = {
        {ERROR_DEVICE, false, false, false, true},  {ERROR_DEVICE, true, false, false, true},
        {ERROR_DEVICE, false, true, false, false},  {ERROR_DEVICE, false, true, true, true},
        {ERROR_TIMEOUT, false, false, false, true}, {ERROR_TIMEOUT, false, true, false, true},
        {ERROR_TIMEOUT, true, false, false, false}, {ERROR_ABORTED, false, false, false, false},
        {ERROR_RIG, false, false, false, false},
    };

    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        struct ending_scene *scene = ending_scene_open(EVERYTHING);
        struct bench_device *sensors = entry_of(scene, DEVICE_SENSORS);

        ending_scene_fail(scene, DEVICE_SENSORS, "hear", ways[i].status, 0);
        sensors->is_lossy = ways[i].is_lossy;
        scene->devices[DEVICE_SENSORS].link.is_lost = ways[i].is_lost;
        sensors->link = ways[i].has_no_link ? NULL : sensors->link;
        expect_recording(scene, ways[i].is_told ? "frames sensors: 0, not 1: no hear\n" : "");
    }
}

TEST(a_dealer_that_fails_while_it_is_listened_to_fails_its_turns_where_nobody_sees_its_frames)
{
    static const enum device_class dealers[] = {DEVICE_SHUFFLER, DEVICE_SHOE};

    for (unsigned i = 0; i < 2; i++) {
        struct ending_scene *scene = ending_scene_open(1u << dealers[i]);

        ending_scene_fail(scene, dealers[i], "hear", ERROR_DEVICE, 0);
        expect_recording(scene, i ? "packet-order shoe: 0, not 1: no hear\n"
                                  : "packet-order shuffler: 0, not 1: no hear\n");
    }
    for (unsigned i = 0; i < 2; i++) {
        struct ending_scene *scene = ending_scene_open(1u << dealers[i]);

        show_frames(scene, dealers[i]);
        ending_scene_fail(scene, dealers[i], "hear", ERROR_DEVICE, 0);
        expect_recording(scene, i ? "frames shoe: 0, not 1: no hear\n"
                                  : "frames shuffler: 0, not 1: no hear\n");
    }
    for (unsigned i = 0; i < 2; i++) {
        enum device_class class = i ? DEVICE_TERMINAL : DEVICE_SENSORS;
        struct ending_scene *scene = ending_scene_open(EVERYTHING);

        ending_scene_fail(scene, class, "hear", ERROR_DEVICE, 0);
        expect_recording(scene, i ? "frames terminal: 0, not 1: no hear\n"
                                  : "frames sensors: 0, not 1: no hear\n");
    }
}

TEST(a_packet_or_a_card_that_comes_in_the_quiet_period_fails)
{
    struct ending_scene *scene = ending_scene_open(ENDING_SHUFFLER);

    ending_scene_tell(scene, DEVICE_SHUFFLER, 120)->shuffler =
        (struct shuffler_event){.kind = SHUFFLER_EVENT_TAKEN, .taken = 4};
    ending_scene_log(scene, DEVICE_SHUFFLER, 120, SHUFFLER_LOG_TAKEN, 4, 0);
    expect_end(scene, "packet-order: null, not \"packet-taken\": a packet is taken before its "
                      "turn\n");

    scene = ending_scene_open(ENDING_SHOE);
    ending_scene_tell(scene, DEVICE_SHOE, 120)->shoe =
        (struct shoe_event){.kind = SHOE_EVENT_CARD, .card = {.card = card_from_index(0)}};
    expect_end(scene, "card-conservation: null, not \"2c\": a card was drawn that the round does "
                      "not deal\n");
}

TEST(a_device_that_has_said_several_things_is_listened_to_until_it_has_no_more)
{
    struct ending_scene *scene = ending_scene_open(EVERYTHING);

    scene->rig.timing.quiet = 0;
    for (unsigned i = 0; i < 2; i++) {
        ending_scene_tell(scene, DEVICE_SHUFFLER, 0)->shuffler.kind = SHUFFLER_EVENT_BUTTON;
        ending_scene_log(scene, DEVICE_SHUFFLER, 0, SHUFFLER_LOG_BUTTON, 1, 0);
        ending_scene_tell(scene, DEVICE_TERMINAL, 0)->terminal.kind = TERMINAL_EVENT_LIGHTS;
        ending_scene_tell(scene, DEVICE_SENSORS, 0)->sensors =
            (struct bet_event){.kind = i ? BET_EVENT_LIFTED : BET_EVENT_PLACED, .seat = 3};
    }
    run_ending_recording(&scene->runner);
    ending_scene_expect_found(scene, "");
    CU_ASSERT_EQUAL(ending_scene_count(scene, "shuffler? shuffler! shuffler? shuffler! shuffler?"
                                              " terminal? terminal! terminal? terminal! terminal?"
                                              " sensors? sensors! sensors? sensors! sensors?"),
                    1);
    free(scene);
}

TEST(people_may_still_place_and_lift_wagers_after_the_last_round)
{
    struct ending_scene *scene = ending_scene_open(EVERYTHING);

    ending_scene_tell(scene, DEVICE_SENSORS, 10)->sensors =
        (struct bet_event){.kind = BET_EVENT_PLACED, .seat = 3};
    ending_scene_tell(scene, DEVICE_SENSORS, 20)->sensors =
        (struct bet_event){.kind = BET_EVENT_LIFTED, .seat = 3};
    scene->sensors.placed = 1u << 3;
    expect_end(scene, "");
}

/* An award that comes by itself after so many milliseconds. */
static void pay(struct ending_scene *scene, unsigned millis, unsigned number)
{
    ending_scene_tell(scene, DEVICE_TERMINAL, millis)->terminal =
        (struct terminal_event){.kind = TERMINAL_EVENT_JACKPOT,
                                .award = {.seat = 3, .number = (uint16_t)number, .cents = 100}};
}

TEST(what_the_terminal_tells_without_a_key_fails_once)
{
    struct ending_scene *scene = ending_scene_open(ENDING_SHUFFLER | ENDING_TERMINAL);

    pay(scene, 10, 3);
    scene->terminal.awards = scene->terminal_later.awards = 3;
    expect_end(scene, "jackpots: 0, not 1: awards told by the terminal after the last round\n");

    scene = ending_scene_open(ENDING_SHUFFLER | ENDING_TERMINAL);
    ending_scene_tell(scene, DEVICE_TERMINAL, 10)->terminal =
        (struct terminal_event){.kind = TERMINAL_EVENT_LIGHTS, .lights = 8};
    expect_end(scene,
               "lights: 0, not 1: times that LIGHTS CHANGED was told after the last round\n");

    scene = ending_scene_open(ENDING_SHUFFLER | ENDING_TERMINAL);
    ending_scene_tell(scene, DEVICE_TERMINAL, 10)->terminal =
        (struct terminal_event){.kind = TERMINAL_EVENT_REFUSED};
    expect_end(scene, "key-refusals: 0, not 1: keys refused after the last round, by the "
                      "terminal's events\n");
}

TEST(what_the_terminal_tells_with_the_last_replies_fails_beside_what_came_before)
{
    enum { AWARD, LIGHTS, REFUSAL, WAYS };
    static const char *const found[WAYS] = {
        "jackpots: 0, not 1: awards told by the terminal after the last round\n"
        "jackpots: 0, not 2: awards told by the terminal after the last round\n",
        "lights: 0, not 1: times that LIGHTS CHANGED was told after the last round\n"
        "lights: 0, not 2: times that LIGHTS CHANGED was told after the last round\n",
        "key-refusals: 0, not 1: keys refused after the last round, by the terminal's events\n"
        "key-refusals: 0, not 2: keys refused after the last round, by the terminal's events\n"};

    for (unsigned way = AWARD; way < WAYS; way++) {
        struct ending_scene *scene = ending_scene_open(ENDING_SHUFFLER | ENDING_TERMINAL);

        scene->rig.timing.quiet = 0;
        scene->runner.run.entered[DEVICE_TERMINAL] = false;
        scene->terminal.awards = scene->terminal_later.awards = way == AWARD ? 3 : 2;
        for (unsigned i = 0; i < 2; i++) {
            if (way == AWARD)
                pay(scene, 60 * i, 3 + i);
            else if (way == LIGHTS)
                ending_scene_tell(scene, DEVICE_TERMINAL, 60 * i)->terminal =
                    (struct terminal_event){.kind = TERMINAL_EVENT_LIGHTS,
                                            .lights = (uint8_t)(8 << i)};
            else
                ending_scene_tell(scene, DEVICE_TERMINAL, 60 * i)->terminal =
                    (struct terminal_event){.kind = TERMINAL_EVENT_REFUSED};
        }
        expect_end(scene, found[way]);
    }
}

TEST(meters_that_are_told_with_the_last_replies_are_those_of_the_engine)
{
    for (unsigned i = 0; i < 3; i++) {
        struct ending_scene *scene = ending_scene_open(ENDING_SHUFFLER | ENDING_TERMINAL);
        struct terminal_event *event;

        scene->rig.timing.quiet = 0;
        scene->runner.run.entered[DEVICE_TERMINAL] = false;
        scene->runner.has_passed = i < 2;
        event = &ending_scene_tell(scene, DEVICE_TERMINAL, 60)->terminal;
        event->kind = TERMINAL_EVENT_METERS;
        event->meters = scene->meters;
        event->meters.meter[0].micros += i > 0;
        expect_end(scene, i == 1 ? "meter-values royal: \"5.000000\", not \"5.000001\": METERS "
                                   "CHANGED\n"
                                 : "");
    }
}

TEST(the_sign_may_still_tell_of_the_awards_of_the_last_round)
{
    for (unsigned i = 0; i < 3; i++) {
        struct ending_scene *scene = ending_scene_open(ENDING_SHUFFLER | ENDING_TERMINAL);
        struct run_round *round = &scene->runner.run.round;

        round->sign_count = 2;
        round->signs[1] = (struct terminal_sign){.seat = 3, .cents = 500};
        round->sign = (struct terminal_sign){.seat = 4, .cents = 600, .meter = 1};
        round->award_count = 3; /* and nothing else is left of it */
        round->told.refused = 2;
        ending_scene_tell(scene, DEVICE_TERMINAL, 10)->terminal = (struct terminal_event){
            .kind = TERMINAL_EVENT_SIGN, .sign = {.seat = 3, .cents = 500 + i}};
        expect_end(scene, !i ? ""
                          : i == 1
                              ? "sign-amount seat 3: 4, not 3: seat on the sign, by SIGN CHANGED\n"
                                "sign-amount seat 3: 600, not 501: cents on the sign, by SIGN "
                                "CHANGED\n"
                                "sign-amount seat 3: 1, not 0: meter on the sign, by SIGN CHANGED\n"
                              : "sign-amount seat 3: 4, not 3: seat on the sign, by SIGN CHANGED\n"
                                "sign-amount seat 3: 600, not 502: cents on the sign, by SIGN "
                                "CHANGED\n"
                                "sign-amount seat 3: 1, not 0: meter on the sign, by SIGN "
                                "CHANGED\n");
    }
}

TEST(a_terminal_that_shows_another_screen_is_not_idle)
{
    struct ending_scene *scene = ending_scene_open(ENDING_SHUFFLER | ENDING_TERMINAL);

    ending_scene_tell(scene, DEVICE_TERMINAL, 10)->terminal =
        (struct terminal_event){.kind = TERMINAL_EVENT_SCREEN, .screen = {.state = TERMINAL_OPEN}};
    expect_end(scene, "key-refusals: 1, not 2: state by SCREEN CHANGED, which no key has "
                      "brought\n");
}

TEST(what_is_found_after_the_last_round_is_counted_of_itself)
{
    struct ending_scene *scene = ending_scene_open(ENDING_SHUFFLER);
    struct check_tally before = {0};

    scene->runner.book.tally = &before;
    scene->runner.run.round.tally.passed = 100;
    run_ending_recording(&scene->runner);
    CU_ASSERT_EQUAL(before.passed, 0);
    CU_ASSERT_EQUAL(scene->runner.run.round.tally.passed, 1);
    free(scene);
}

TEST(the_terminal_is_idle_and_says_the_same_when_it_is_asked_again)
{
    static const struct {
        struct terminal_status first, second;
        const char *found;
    } ways[] = {
        {{TERMINAL_IDLE, false, 4, 0, 5, 2},
         {TERMINAL_IDLE, false, 6, 0, 5, 2},
         "status terminal: 4, not 6: set of locked seats, again\n"},
        {{TERMINAL_IDLE, false, 0, 0, 5, 2},
         {TERMINAL_IDLE, true, 0, 0, 5, 2},
         "status terminal: 0, not 1: test mode, again\n"},
        {{TERMINAL_OPEN, false, 0, 0, 5, 2},
         {TERMINAL_IDLE, false, 0, 0, 5, 2},
         "status terminal: 2, not 1: state, again\n"},
        {{TERMINAL_OPEN, false, 0, 0, 5, 2},
         {TERMINAL_OPEN, false, 0, 0, 5, 2},
         "status terminal: 1, not 2: state after the last round\n"},
        {{TERMINAL_IDLE, false, 0, 0, 6, 2},
         {TERMINAL_IDLE, false, 0, 0, 6, 2},
         "status terminal: 5, not 6: rounds started\n"},
        {{TERMINAL_IDLE, false, 0, 0, 5, 3},
         {TERMINAL_IDLE, false, 0, 0, 5, 3},
         "status terminal: 2, not 3: awards paid\n"},
        {{TERMINAL_IDLE, false, 0, 0, 6, 2},
         {TERMINAL_IDLE, false, 0, 0, 5, 2},
         "status terminal: 6, not 5: rounds started, again\n"},
        {{TERMINAL_IDLE, false, 0, 0, 5, 3},
         {TERMINAL_IDLE, false, 0, 0, 5, 2},
         "status terminal: 3, not 2: awards paid, again\n"},
    };

    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        struct ending_scene *scene = ending_scene_open(ENDING_SHUFFLER | ENDING_TERMINAL);

        scene->terminal = ways[i].first;
        scene->terminal_later = ways[i].second;
        expect_recording(scene, ways[i].found);
    }
}

TEST(a_terminal_that_was_not_counted_may_have_any_count)
{
    struct ending_scene *scene = ending_scene_open(ENDING_SHUFFLER | ENDING_TERMINAL);

    scene->runner.run.recording.is_counted = false;
    scene->terminal = (struct terminal_status){.state = TERMINAL_IDLE, .rounds = 9, .awards = 9};
    run_ending_recording(&scene->runner);
    ending_scene_expect_found(scene, "");
    CU_ASSERT_EQUAL(ending_scene_count(scene, "+status"), 4);
    CU_ASSERT_EQUAL(ending_scene_count(scene, "terminal meters"), 1);
    free(scene);
}

TEST(a_terminal_that_does_not_answer_is_asked_no_further)
{
    for (unsigned asked = 0; asked < 2; asked++) {
        struct ending_scene *scene = ending_scene_open(ENDING_SHUFFLER | ENDING_TERMINAL);

        ending_scene_fail(scene, DEVICE_TERMINAL, "status", ERROR_TIMEOUT, asked);
        run_ending_recording(&scene->runner);
        ending_scene_expect_found(scene, "status terminal: 0, not 1: no status\n");
        CU_ASSERT_EQUAL(ending_scene_count(scene, "terminal status"), 1 + asked);
        CU_ASSERT_EQUAL(ending_scene_count(scene, "terminal meters"), 0);
        CU_ASSERT_EQUAL(ending_scene_count(scene, "+status"), 0);
        free(scene);
    }
}

TEST(meters_that_do_not_come_or_have_changed_after_the_last_round_fail)
{
    struct ending_scene *scene = ending_scene_open(ENDING_SHUFFLER | ENDING_TERMINAL);

    ending_scene_fail(scene, DEVICE_TERMINAL, "meters", ERROR_TIMEOUT, 0);
    expect_recording(scene, "meter-values terminal: 0, not 1: no meters\n");

    scene = ending_scene_open(ENDING_SHUFFLER | ENDING_TERMINAL);
    scene->meters.meter[0].micros++;
    expect_recording(scene, "meter-values royal: \"5.000000\", not \"5.000001\": after the last "
                            "round\n");

    scene = ending_scene_open(ENDING_SHUFFLER | ENDING_TERMINAL);
    scene->meters.meter[0].micros++;
    scene->runner.has_passed = false;
    expect_recording(scene, "");
}

TEST(lights_and_sign_stay_as_the_last_round_has_left_them)
{
    struct ending_scene *scene = ending_scene_open(ENDING_SHUFFLER | ENDING_TERMINAL);

    scene->lights = seat_bit(3);
    expect_recording(scene, "lights seat 3: \"dark\", not \"lit\": after the last round\n");

    scene = ending_scene_open(ENDING_SHUFFLER | ENDING_TERMINAL);
    scene->sign = (struct terminal_sign){2, 0, 100};
    expect_end(scene, "sign-amount seat: 0, not 2: after the last round\n"
                      "sign-amount seat: 0, not 2: after test mode\n");

    scene = ending_scene_open(ENDING_SHUFFLER | ENDING_TERMINAL);
    scene->sign = (struct terminal_sign){2, 0, 100};
    scene->runner.run.recording.sign_left = scene->sign; /* Must Hit, until the next round */
    expect_recording(scene, "");

    scene = ending_scene_open(ENDING_SHUFFLER | ENDING_TERMINAL);
    scene->lights = scene->sign.seat = 2;
    scene->runner.has_passed = false;
    expect_recording(scene, "");
}

TEST(lights_or_a_sign_that_do_not_come_fail)
{
    struct ending_scene *scene = ending_scene_open(ENDING_SHUFFLER | ENDING_TERMINAL);

    ending_scene_fail(scene, DEVICE_TERMINAL, "lights", ERROR_TIMEOUT, 0);
    run_ending_recording(&scene->runner);
    ending_scene_expect_found(scene, "lights terminal: 0, not 1: no lights\n");
    CU_ASSERT_EQUAL(ending_scene_count(scene, "terminal sign"), 0);
    free(scene);

    scene = ending_scene_open(ENDING_SHUFFLER | ENDING_TERMINAL);
    ending_scene_fail(scene, DEVICE_TERMINAL, "sign", ERROR_TIMEOUT, 0);
    expect_recording(scene, "sign-amount terminal: 0, not 1: no sign\n");

    scene = ending_scene_open(ENDING_SHUFFLER | ENDING_TERMINAL);
    ending_scene_fail(scene, DEVICE_TERMINAL, "meters", ERROR_TIMEOUT, 0);
    run_ending_recording(&scene->runner);
    CU_ASSERT_EQUAL(ending_scene_count(scene, "terminal lights"), 0);
    free(scene);
}

TEST(a_device_that_failed_after_the_last_round_is_told)
{
    struct ending_scene *scene = ending_scene_open(ENDING_SHUFFLER | ENDING_TERMINAL);

    ending_scene_tell(scene, DEVICE_TERMINAL, 10)->terminal = (struct terminal_event){
        .kind = TERMINAL_EVENT_POWER_UP, .screen = {.state = TERMINAL_IDLE}};
    expect_end(scene, "status: 0, not 1: the terminal lost its power\n");
}
