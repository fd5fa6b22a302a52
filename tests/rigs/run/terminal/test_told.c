/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the terminal tells by itself of awards, its sign, refused keys and its mode, against what
 * was due.
 */
#include <stdlib.h>
#include <string.h>

#include "rigs/run/observation.h"
#include "tests/support/scenes/terminal_scene.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

/* All that is told of one kind, one after another, so that what follows is told anew. */
static struct terminal_event *tell(struct terminal_scene *scene, enum terminal_event_kind kind)
{
    scene->writer.event_count = scene->writer.told = 0;
    return terminal_scene_tell(scene, kind);
}

static void tell_award(struct terminal_scene *scene, enum terminal_event_kind kind, unsigned number,
                       unsigned seat)
{
    tell(scene, kind)->award = (struct terminal_award){
        .number = number, .seat = (uint8_t)seat, .hand = 2, .meter = 1, .cents = 500 + number};
    terminal_scene_listen(scene);
}

TEST(awards_are_numbered_one_by_one_where_they_are_counted)
{
    struct terminal_scene *scene = terminal_scene_open();

    scene->run.recording.award_number = 4;
    tell_award(scene, TERMINAL_EVENT_JACKPOT, 7, 3);
    terminal_scene_expect_found(scene, 0, 0);
    scene->run.recording.is_counted = true;
    tell_award(scene, TERMINAL_EVENT_JACKPOT, 8, 3);
    terminal_scene_expect_found(scene, 1, 0);
    tell_award(scene, TERMINAL_EVENT_JACKPOT, 10, 5);
    terminal_scene_expect_found(scene, 1, 1);
    terminal_scene_expect_first(scene, "jackpots", 5, "9", "10",
                                "awards are numbered in the order in which they are paid");
    tell_award(scene, TERMINAL_EVENT_JACKPOT, 11, 5); /* the next one of those */
    terminal_scene_expect_found(scene, 2, 1);
    scene->run.recording.award_number = UINT32_MAX; /* after the last number there is none */
    tell_award(scene, TERMINAL_EVENT_JACKPOT, 0, 5);
    terminal_scene_expect_found(scene, 2, 2);
    free(scene);
}

TEST(must_hit_comes_with_end_round_alone)
{
    struct terminal_scene *scene = terminal_scene_open();

    tell_award(scene, TERMINAL_EVENT_JACKPOT, 1, 3);
    scene->run.round.is_ending = true;
    tell_award(scene, TERMINAL_EVENT_JACKPOT, 1, 3);
    tell_award(scene, TERMINAL_EVENT_MUST_HIT, 2, 3);
    terminal_scene_expect_found(scene, 0, 0);
    scene->run.round.is_ending = false;
    tell_award(scene, TERMINAL_EVENT_MUST_HIT, 3, 6);
    terminal_scene_expect_found(scene, 0, 1);
    terminal_scene_expect_first(scene, "must-hit-seat", 6, "null", "\"must-hit\"",
                                "Must Hit is paid at END ROUND only");
    free(scene);
}

TEST(an_observed_must_hit_is_due_on_the_sign)
{
    static const struct observation observation;

    for (unsigned how = 0; how < 4; how++) {
        struct terminal_scene *scene = terminal_scene_open();
        const struct terminal_sign *sign = &scene->run.round.sign;

        scene->run.round.is_ending = true;
        scene->run.recording.observation = how & 1 ? &observation : NULL;
        tell_award(scene, how & 2 ? TERMINAL_EVENT_MUST_HIT : TERMINAL_EVENT_JACKPOT, 1, 3);
        if (how == 3)
            CU_ASSERT(sign->seat == 3 && sign->meter == 1 && sign->cents == 501);
        CU_ASSERT_EQUAL(scene->run.round.sign_count, how == 3);
        free(scene);
    }
}

TEST(as_many_awards_are_kept_as_a_round_can_have)
{
    struct terminal_scene *scene = terminal_scene_open();
    struct run_round *round = &scene->run.round;

    for (unsigned i = 0; i < SEATS_MAX + 3; i++)
        tell_award(scene, TERMINAL_EVENT_JACKPOT, i, i + 1);
    CU_ASSERT_EQUAL(round->award_count, SEATS_MAX + 1);
    for (unsigned i = 0; i < round->award_count; i++) {
        CU_ASSERT(round->awards[i].seat == i + 1 && round->awards[i].meter == 1);
        CU_ASSERT_EQUAL(round->awards[i].pays, 500 + i);
        CU_ASSERT_EQUAL(round->award_hands[i], 2);
    }
    free(scene);
}

static const struct terminal_sign sign_3 = {.seat = 3, .meter = 1, .cents = 500};
static const struct terminal_sign sign_5 = {.seat = 5, .meter = 1, .cents = 700};
static const struct terminal_sign dark = {.seat = 0};

static void sign(struct terminal_scene *scene, struct terminal_sign shows)
{
    tell(scene, TERMINAL_EVENT_SIGN)->sign = shows;
    terminal_scene_listen(scene);
}

/* Both are due, the second now. */
static struct terminal_scene *open_signs(void)
{
    struct terminal_scene *scene = terminal_scene_open();

    scene->run.round.told.screen = TERMINAL_SIGNED;
    run_expect_sign(&scene->run, sign_3.seat, sign_3.meter, (cents_t)sign_3.cents);
    run_expect_sign(&scene->run, sign_5.seat, sign_5.meter, (cents_t)sign_5.cents);
    return scene;
}

TEST(signs_are_the_same_in_seat_meter_and_cents)
{
    struct terminal_sign other = sign_3;

    CU_ASSERT(run_is_sign(&sign_3, &other));
    other.seat++;
    CU_ASSERT_FALSE(run_is_sign(&sign_3, &other));
    other = sign_3;
    other.meter++;
    CU_ASSERT_FALSE(run_is_sign(&sign_3, &other));
    other = sign_3;
    other.cents++;
    CU_ASSERT_FALSE(run_is_sign(&sign_3, &other));
}

TEST(signs_that_were_due_may_be_told_until_the_end)
{
    struct terminal_scene *scene = open_signs();
    const struct run_told *told = &scene->run.round.told;

    sign(scene, sign_5);
    CU_ASSERT(told->signs == 2 && !told->signs_ended);
    sign(scene, sign_5); /* again, and it was not gone */
    sign(scene, sign_3);
    CU_ASSERT(told->signs == 3 && !told->signs_ended);
    sign(scene, dark);
    sign(scene, dark);
    CU_ASSERT(told->signs == 3 && told->signs_ended == 2);
    terminal_scene_expect_found(scene, 0, 0);
    free(scene);
}

TEST(a_sign_that_was_not_due_is_held_against_the_one_that_is)
{
    static const struct {
        struct terminal_sign shows;
        const char *expected, *got, *why;
    } lies[] = {
        {{4, 1, 700}, "5", "4", "seat on the sign, by SIGN CHANGED"},
        {{5, 1, 701}, "700", "701", "cents on the sign, by SIGN CHANGED"},
        {{5, 2, 700}, "1", "2", "meter on the sign, by SIGN CHANGED"},
    };

    for (size_t i = 0; i < sizeof lies / sizeof lies[0]; i++) {
        struct terminal_scene *scene = open_signs();

        sign(scene, lies[i].shows);
        terminal_scene_expect_found(scene, 2, 1);
        terminal_scene_expect_first(scene, "sign-amount", lies[i].shows.seat, lies[i].expected,
                                    lies[i].got, lies[i].why);
        CU_ASSERT_EQUAL(scene->run.round.told.signs, 0);
        free(scene);
    }
}

TEST(money_on_the_sign_before_the_code_is_told)
{
    for (unsigned state = 0; state < TERMINAL_STATES; state++)
        for (unsigned how = 0; how < 3; how++) {
            struct terminal_scene *scene = open_signs();
            bool is_early = state >= TERMINAL_OPEN && state < TERMINAL_AMOUNT && !how;

            scene->run.round.told.screen = (enum terminal_state)state;
            scene->run.round.is_ending = how == 1; /* Must Hit takes no code */
            sign(scene, how == 2 ? dark : sign_3);
            terminal_scene_expect_found(scene, 0, is_early);
            if (is_early)
                terminal_scene_expect_first(
                    scene, "amount-hidden", 3, "null", "500",
                    "cents on the sign before the code was entered, by SIGN CHANGED");
            free(scene);
        }
}

TEST(an_award_that_was_gone_from_the_sign_does_not_come_again)
{
    struct terminal_scene *scene = open_signs();

    sign(scene, sign_3);
    sign(scene, dark);
    sign(scene, sign_5); /* another one */
    terminal_scene_expect_found(scene, 0, 0);
    sign(scene, sign_3); /* the sign was not out meanwhile */
    terminal_scene_expect_found(scene, 0, 0);
    sign(scene, dark);
    scene->run.round.device_failed = true; /* after which it may */
    sign(scene, sign_3);
    terminal_scene_expect_found(scene, 0, 0);
    scene->run.round.device_failed = false;
    sign(scene, dark);
    sign(scene, sign_5);
    terminal_scene_expect_found(scene, 0, 1);
    terminal_scene_expect_first(scene, "sign-amount", 5, "0", "700",
                                "cents on the sign again after they were gone, by SIGN CHANGED");
    free(scene);
}

TEST(what_the_sign_shows_since_the_round_before_may_be_told_again_until_a_key_is_pressed)
{
    for (unsigned state = 0; state <= TERMINAL_OPEN; state++)
        for (unsigned out = 0; out < 2; out++) {
            struct terminal_scene *scene = terminal_scene_open();
            bool is_new = state == TERMINAL_OPEN;

            scene->run.recording.sign = sign_3;
            scene->run.recording.is_sign_out = out;
            scene->run.round.told.screen = (enum terminal_state)state;
            scene->run.round.is_ending = true;
            sign(scene, sign_3);
            if (is_new) /* none was due in this round: seat, cents and meter */
                terminal_scene_expect_found(scene, 0, 3);
            else if (out)
                terminal_scene_expect_first(
                    scene, "sign-amount", 3, "0", "500",
                    "cents on the sign again after they were gone, by SIGN CHANGED");
            else
                terminal_scene_expect_found(scene, 0, 0);
            free(scene);
        }
}

TEST(another_sign_than_that_of_the_round_before_is_judged_at_once)
{
    struct terminal_scene *scene = terminal_scene_open();

    scene->run.recording.sign = sign_3;
    sign(scene, sign_5);
    terminal_scene_expect_first(scene, "sign-amount", 5, "0", "5",
                                "seat on the sign, by SIGN CHANGED");
    free(scene);
}

static void refuse(struct terminal_scene *scene, enum terminal_key key, enum terminal_refusal why,
                   enum terminal_state state)
{
    struct terminal_event *event = tell(scene, TERMINAL_EVENT_REFUSED);

    event->refused.key = key;
    event->refused.reason = why;
    event->refused.state = state;
    terminal_scene_listen(scene);
}

TEST(refused_keys_are_told_in_their_order_as_the_replies_had_them)
{
    struct terminal_scene *scene = terminal_scene_open();

    scene->run.round.state = TERMINAL_OPEN;
    for (unsigned i = 0; i < 4; i++)
        run_expect_refusal(&scene->run, TERMINAL_OK, TERMINAL_WRONG_STATE);
    scene->run.round.state = TERMINAL_IDLE;
    run_expect_refusal(&scene->run, TERMINAL_START_ROUND, TERMINAL_NO_WAGERS);
    refuse(scene, TERMINAL_OK, TERMINAL_WRONG_STATE, TERMINAL_OPEN);
    terminal_scene_expect_found(scene, 3, 0);
    refuse(scene, TERMINAL_ESC, TERMINAL_WRONG_STATE, TERMINAL_OPEN);
    terminal_scene_expect_found(scene, 5, 1);
    terminal_scene_expect_first(scene, "key-refusals", 0, "12", "11", "key by KEY REFUSED");
    scene->failed = 0;
    refuse(scene, TERMINAL_OK, TERMINAL_NO_WAGER, TERMINAL_OPEN);
    terminal_scene_expect_found(scene, 7, 1);
    terminal_scene_expect_first(scene, "key-refusals", 0, "1", "3", "reason by KEY REFUSED");
    scene->failed = 0;
    refuse(scene, TERMINAL_OK, TERMINAL_WRONG_STATE, TERMINAL_CHOOSE);
    terminal_scene_expect_found(scene, 9, 1);
    terminal_scene_expect_first(scene, "key-refusals", 0, "2", "3", "state by KEY REFUSED");
    refuse(scene, TERMINAL_START_ROUND, TERMINAL_NO_WAGERS, TERMINAL_IDLE);
    terminal_scene_expect_found(scene, 12, 1);
    refuse(scene, TERMINAL_OK, TERMINAL_WRONG_STATE, TERMINAL_OPEN); /* one more than were */
    terminal_scene_expect_found(scene, 12, 1);
    CU_ASSERT_EQUAL(scene->run.round.told.refused, 6);
    free(scene);
}

TEST(refusals_after_a_loss_of_power_or_beyond_those_kept_are_counted_alone)
{
    struct terminal_scene *scene = terminal_scene_open();

    scene->run.round.state = TERMINAL_OPEN;
    for (unsigned i = 0; i < RUN_KEYS_MAX + 1; i++)
        run_expect_refusal(&scene->run, TERMINAL_OK, TERMINAL_WRONG_STATE);
    scene->run.round.device_failed = true;
    refuse(scene, TERMINAL_ESC, TERMINAL_WRONG_STATE, TERMINAL_OPEN);
    terminal_scene_expect_found(scene, 0, 0);
    scene->run.round.device_failed = false;
    scene->run.round.told.refused = RUN_KEYS_MAX - 1;
    refuse(scene, TERMINAL_OK, TERMINAL_WRONG_STATE, TERMINAL_OPEN);
    terminal_scene_expect_found(scene, 3, 0);
    refuse(scene, TERMINAL_ESC, TERMINAL_WRONG_STATE, TERMINAL_OPEN);
    terminal_scene_expect_found(scene, 3, 0);
    CU_ASSERT_EQUAL(scene->run.round.told.refused, RUN_KEYS_MAX + 1);
    free(scene);
}

TEST(a_loss_of_power_is_told_with_its_reason_and_its_screen)
{
    struct terminal_scene *scene = terminal_scene_open();

    tell(scene, TERMINAL_EVENT_POWER_UP)->screen = (struct terminal_screen){
        .state = TERMINAL_CODE_ENTRY, .seat = 3, .hand = 2, .amount_shown = true, .cents = 7};
    terminal_scene_listen(scene);
    CU_ASSERT(scene->run.round.device_failed);
    CU_ASSERT_STRING_EQUAL(scene->run.round.why, "the terminal lost its power");
    CU_ASSERT_EQUAL(scene->run.round.told.screen, TERMINAL_CODE_ENTRY);
    terminal_scene_expect_found(scene, 0, 1);
    CU_ASSERT_STRING_EQUAL(scene->name, "amount-hidden");
    free(scene);
}

TEST(a_loss_of_power_and_what_was_told_are_in_the_journal)
{
    struct terminal_scene *scene = terminal_scene_open();
    const struct journal_options options = {.clock = &scene->bench.clock};
    const struct journal_start start = {.version = "1"};
    char path[SCRATCH_PATH_SIZE], *text;
    size_t length;

    scratch_path(path);
    CU_ASSERT_EQUAL_FATAL(journal_open(path, &options, &start, &scene->run.journal, NULL), 0);
    tell(scene, TERMINAL_EVENT_POWER_UP)->screen =
        (struct terminal_screen){.state = TERMINAL_IDLE, .hand = TERMINAL_NONE};
    terminal_scene_listen(scene);
    journal_close(scene->run.journal);
    text = scratch_read(path, &length);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"event\":\"power-up\""));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"what\":\"power\",\"attempt\":1,"));
    free(text);
    scratch_remove(path);
    free(scene);
}

/* How often a wait has begun and ended. */
struct waits {
    unsigned begun, ended;
};

static void see_wait(void *context, const struct run_wait *wait)
{
    struct waits *waits = context;

    waits->begun += wait != NULL;
    waits->ended += !wait;
    if (!wait)
        return;
    CU_ASSERT_STRING_EQUAL(wait->what, "event");
    CU_ASSERT_STRING_EQUAL(wait->device, "terminal");
    CU_ASSERT(wait->limit_ms >= TERMINAL_SCENE_LIMIT);
}

static bool has_met_nothing(const struct run *run)
{
    (void)run;
    return false;
}

static bool has_met_all(const struct run *run)
{
    (void)run;
    return true;
}

TEST(who_watches_is_told_when_an_event_is_waited_for_and_when_no_more)
{
    static run_met *const mets[] = {NULL, has_met_all, has_met_nothing};

    for (unsigned i = 0; i < 3; i++) {
        struct terminal_scene *scene = terminal_scene_open();
        struct waits waits = {0};

        scene->rig.clock = RIG_CLOCK_REAL;
        scene->options.context = &waits;
        scene->options.awaited = see_wait;
        CU_ASSERT_EQUAL(run_listen(&scene->run, mets[i], TERMINAL_SCENE_LIMIT, &scene->error), 0);
        CU_ASSERT(waits.begun == (i == 2) && waits.ended == (i == 2));
        CU_ASSERT_EQUAL(scene->writer.was_awaited, i == 2);
        free(scene);
    }
}

TEST(a_test_mode_that_nobody_asked_for_is_told_where_a_recording_is_played)
{
    static const struct observation observation;

    for (unsigned how = 0; how < 16; how++) {
        struct terminal_scene *scene = terminal_scene_open();
        bool is_on = how & 1, was_on = how & 2, wanted = how & 4, is_observed = how & 8;
        bool is_wrong = !is_observed && is_on != was_on && is_on != wanted;

        scene->run.recording.terminal_said = was_on;
        scene->run.recording.terminal_test_mode = wanted;
        scene->run.recording.observation = is_observed ? &observation : NULL;
        tell(scene, TERMINAL_EVENT_TEST_MODE)->test_mode = is_on;
        terminal_scene_listen(scene);
        terminal_scene_expect_found(scene, 0, is_wrong);
        if (is_wrong)
            terminal_scene_expect_first(scene, "test-mode-announced", 0, wanted ? "1" : "0",
                                        is_on ? "1" : "0",
                                        "test mode by an event, which nobody asked for");
        CU_ASSERT_EQUAL(scene->run.recording.terminal_said, is_on);
        free(scene);
    }
}

TEST(a_terminal_says_which_mode_it_is_in_by_its_reply_and_by_its_event)
{
    for (unsigned how = 0; how < 8; how++) {
        struct terminal_scene *scene = terminal_scene_open();
        bool replied = how & 1, said = how & 2, wanted = how & 4;
        bool is_right = replied == wanted && said == wanted;

        scene->run.recording.terminal_said = said;
        scene->run.recording.terminal_test_mode = wanted;
        run_check_terminal_mode(&scene->run, replied);
        terminal_scene_expect_found(scene, is_right, !is_right);
        if (!is_right)
            terminal_scene_expect_first(scene, "test-mode-announced", 0, wanted ? "true" : "false",
                                        wanted ? "false" : "true",
                                        "the terminal does not say which mode it is in");
        free(scene);
    }
}
