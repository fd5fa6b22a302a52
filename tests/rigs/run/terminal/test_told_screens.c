/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Screens that the terminal tells by itself, each in its turn. */
#include <stdlib.h>

#include "tests/support/scenes/terminal_scene.h"
#include "tests/support/suite.h"

/* Screens of seat 3, whose hand 2 is paid 500 cents. */
static struct terminal_screen screen_of(enum terminal_state state)
{
    struct terminal_screen screen = {.state = state, .hand = TERMINAL_NONE};

    if (state >= TERMINAL_CHOOSE)
        screen.seat = 3;
    if (state >= TERMINAL_PENDING)
        screen.hand = 2;
    if (state >= TERMINAL_AMOUNT) {
        screen.amount_shown = true;
        screen.cents = 500;
    }
    return screen;
}

static void show(struct terminal_scene *scene, struct terminal_screen screen)
{
    scene->writer.event_count = scene->writer.told = 0;
    terminal_scene_tell(scene, TERMINAL_EVENT_SCREEN)->screen = screen;
    terminal_scene_listen(scene);
}

/* Those of an approval, in which a wrong code is tried: that screen may be left out. */
static struct terminal_scene *open_approval(void)
{
    struct terminal_scene *scene = terminal_scene_open();

    scene->run.most_wrong_codes = 1;
    for (unsigned state = TERMINAL_OPEN; state <= TERMINAL_SIGNED; state++) {
        struct terminal_screen screen = screen_of((enum terminal_state)state);

        run_expect_screen(&scene->run, &screen, false);
        screen.wrong_codes = 1;
        if (state == TERMINAL_CODE_ENTRY)
            run_expect_screen(&scene->run, &screen, true);
    }
    return scene;
}

/* As far as that screen, which is told as a test says. */
static struct terminal_scene *open_until(enum terminal_state last)
{
    struct terminal_scene *scene = open_approval();

    for (unsigned state = TERMINAL_OPEN; state < last; state++)
        show(scene, screen_of((enum terminal_state)state));
    terminal_scene_expect_found(scene, (unsigned)last - TERMINAL_OPEN, 0);
    return scene;
}

TEST(screens_that_are_told_in_their_turn_pass)
{
    for (unsigned probed = 0; probed < 2; probed++) {
        struct terminal_scene *scene = open_until(TERMINAL_AMOUNT);
        struct terminal_screen refused = screen_of(TERMINAL_CODE_ENTRY);

        refused.wrong_codes = 1;
        if (probed)
            show(scene, refused);
        show(scene, screen_of(TERMINAL_AMOUNT));
        show(scene, screen_of(TERMINAL_SIGNED));
        CU_ASSERT_EQUAL(run_check_screens(&scene->run, &scene->error), 0);
        terminal_scene_expect_found(scene, 8 + probed, 0);
        CU_ASSERT_FALSE(scene->writer.was_awaited);
        CU_ASSERT_EQUAL(scene->run.round.told.screen, TERMINAL_SIGNED);
        free(scene);
    }
}

TEST(a_screen_that_is_told_otherwise_than_due_is_told_and_those_behind_it_go_on)
{
    static const struct {
        enum terminal_state due;
        struct terminal_screen shows;
        unsigned passed; /* of its fields */
        const char *name, *expected, *got, *why;
    } lies[] = {
        {TERMINAL_PENDING,
         {TERMINAL_CONFIRM, 3, 2, 0, false, 0},
         2,
         "key-refusals",
         "4",
         "5",
         "state by SCREEN CHANGED"},
        {TERMINAL_PENDING,
         {TERMINAL_PENDING, 4, 2, 0, false, 0},
         2,
         "key-refusals",
         "3",
         "4",
         "seat by SCREEN CHANGED"},
        {TERMINAL_PENDING,
         {TERMINAL_PENDING, 3, 3, 0, false, 0},
         2,
         "key-refusals",
         "2",
         "3",
         "hand by SCREEN CHANGED, 255 for none"},
        {TERMINAL_PENDING,
         {TERMINAL_PENDING, 3, 2, 2, false, 0},
         3,
         "key-refusals",
         "0",
         "2",
         "wrong codes by SCREEN CHANGED"},
        {TERMINAL_CODE_ENTRY,
         {TERMINAL_CODE_ENTRY, 3, 2, 2, false, 0},
         3,
         "key-refusals",
         "0",
         "2",
         "wrong codes by SCREEN CHANGED"},
        {TERMINAL_AMOUNT,
         {TERMINAL_AMOUNT, 3, 2, 0, true, 501},
         3,
         "jackpots",
         "500",
         "501",
         "cents by SCREEN CHANGED"},
    };

    for (size_t i = 0; i < sizeof lies / sizeof lies[0]; i++) {
        struct terminal_scene *scene = open_until(lies[i].due);
        unsigned passed = scene->passed + lies[i].passed;

        show(scene, lies[i].shows);
        terminal_scene_expect_found(scene, passed, 1);
        terminal_scene_expect_first(scene, lies[i].name, 3, lies[i].expected, lies[i].got,
                                    lies[i].why);
        show(scene, screen_of((enum terminal_state)(lies[i].due + 1)));
        terminal_scene_expect_found(scene, passed + 1, 1);
        free(scene);
    }
}

TEST(a_screen_before_the_code_may_hold_any_cents_that_it_does_not_show)
{
    struct terminal_scene *scene = open_until(TERMINAL_CODE_ENTRY);
    struct terminal_screen screen = screen_of(TERMINAL_CODE_ENTRY);

    screen.cents = 7;
    show(scene, screen);
    terminal_scene_expect_found(scene, 5, 0);
    free(scene);
}

TEST(an_amount_on_the_screen_before_the_code_is_told)
{
    struct terminal_scene *scene;
    struct terminal_screen screen;

    for (unsigned cents = 0; cents <= 7; cents += 7) { /* what an empty meter pays is an amount */
        scene = open_until(TERMINAL_CODE_ENTRY);
        screen = screen_of(TERMINAL_CODE_ENTRY);
        screen.amount_shown = true;
        screen.cents = cents;
        show(scene, screen);
        terminal_scene_expect_found(scene, 5, 1);
        terminal_scene_expect_first(
            scene, "amount-hidden", 3, "null", cents ? "7" : "0",
            "cents on the screen before the code was entered, by SCREEN CHANGED");
        free(scene);
    }
}

TEST(a_screen_that_is_told_again_changes_nothing)
{
    struct terminal_scene *scene = open_approval();

    show(scene, screen_of(TERMINAL_IDLE)); /* before any key */
    terminal_scene_expect_found(scene, 0, 0);
    for (unsigned state = TERMINAL_OPEN; state <= TERMINAL_SIGNED; state++)
        for (unsigned times = 0; times < 2; times++)
            show(scene, screen_of((enum terminal_state)state));
    terminal_scene_expect_found(scene, 7, 0);
    show(scene, screen_of(TERMINAL_IDLE)); /* not after one */
    terminal_scene_expect_first(scene, "key-refusals", 3, "8", "1", "state by SCREEN CHANGED");
    free(scene);
}

TEST(a_screen_where_one_might_be_left_out_is_held_against_that_one)
{
    struct terminal_scene *scene = terminal_scene_open();
    struct terminal_screen refused = screen_of(TERMINAL_CODE_ENTRY);

    refused.wrong_codes = 1;
    run_expect_screen(&scene->run, &(struct terminal_screen){.state = TERMINAL_OPEN}, false);
    run_expect_screen(&scene->run, &refused, true);
    show(scene, (struct terminal_screen){.state = TERMINAL_OPEN});
    refused.wrong_codes = 2;
    show(scene, refused);
    terminal_scene_expect_found(scene, 4, 1);
    terminal_scene_expect_first(scene, "key-refusals", 3, "1", "2",
                                "wrong codes by SCREEN CHANGED");
    CU_ASSERT_EQUAL(scene->run.round.told.screens, 2);
    /* Behind the last one there is none but that. */
    show(scene, screen_of(TERMINAL_AMOUNT));
    CU_ASSERT(scene->failed > 1);
    CU_ASSERT_EQUAL(scene->run.round.told.screens, 2);
    free(scene);
}

TEST(a_screen_that_no_key_has_brought_is_told)
{
    struct terminal_scene *scene = terminal_scene_open();

    scene->run.round.state = TERMINAL_IDLE;
    show(scene, screen_of(TERMINAL_IDLE));
    terminal_scene_expect_found(scene, 0, 0);
    show(scene, screen_of(TERMINAL_OPEN));
    terminal_scene_expect_found(scene, 0, 1);
    terminal_scene_expect_first(scene, "key-refusals", 0, "1", "2",
                                "state by SCREEN CHANGED, which no key has brought");
    free(scene);
}

TEST(after_a_loss_of_power_or_a_key_that_was_lost_no_screen_is_judged)
{
    for (unsigned how = 0; how < 2; how++) {
        struct terminal_scene *scene = open_approval();

        if (how)
            scene->run.round.device_failed = true;
        else
            scene->run.round.log.is_unsure = true;
        show(scene, screen_of(TERMINAL_SIGNED));
        CU_ASSERT_EQUAL(run_check_screens(&scene->run, &scene->error), 0);
        terminal_scene_expect_found(scene, 0, 0);
        CU_ASSERT_EQUAL(scene->run.round.told.screen, TERMINAL_SIGNED);
        free(scene);
    }
}

TEST(a_screen_that_is_not_told_is_waited_for_and_missed)
{
    struct terminal_scene *scene = open_until(TERMINAL_SIGNED);

    CU_ASSERT_EQUAL(run_check_screens(&scene->run, &scene->error), 0);
    CU_ASSERT(scene->writer.was_awaited);
    terminal_scene_expect_found(scene, 6, 1);
    terminal_scene_expect_first(scene, "key-refusals", 0, "1", "0",
                                "SCREEN CHANGED was told of each key");
    free(scene);

    scene = open_until(TERMINAL_SIGNED);
    scene->writer.event_status = ERROR_TIMEOUT;
    CU_ASSERT_EQUAL(run_check_screens(&scene->run, &scene->error), ERROR_TIMEOUT);
    terminal_scene_expect_found(scene, 6, 0);
    free(scene);

    scene = open_until(TERMINAL_SIGNED); /* somebody reads it off */
    scene->writer.terminal.device.capabilities = 0;
    CU_ASSERT_EQUAL(run_check_screens(&scene->run, &scene->error), 0);
    CU_ASSERT_FALSE(scene->writer.was_awaited);
    terminal_scene_expect_found(scene, 6, 0);
    free(scene);
}

TEST(a_screen_that_may_be_left_out_at_the_end_is_not_waited_for)
{
    struct terminal_scene *scene = terminal_scene_open();
    struct terminal_screen screen = screen_of(TERMINAL_CODE_ENTRY);

    run_expect_screen(&scene->run, &screen, false);
    show(scene, screen);
    screen.wrong_codes = 1;
    run_expect_screen(&scene->run, &screen, true);
    CU_ASSERT_EQUAL(run_check_screens(&scene->run, &scene->error), 0);
    CU_ASSERT_FALSE(scene->writer.was_awaited);
    terminal_scene_expect_found(scene, 2, 0);
    free(scene);
}

TEST(of_more_screens_than_are_kept_none_is_judged)
{
    struct terminal_scene *scene = terminal_scene_open();
    struct terminal_screen screen = screen_of(TERMINAL_CODE_ENTRY);

    for (unsigned i = 0; i < RUN_SCREENS_MAX; i++)
        run_expect_screen(&scene->run, &screen, false);
    CU_ASSERT_FALSE(scene->run.round.log.is_unsure);
    run_expect_screen(&scene->run, &screen, false);
    CU_ASSERT(scene->run.round.log.is_unsure);
    CU_ASSERT_EQUAL(scene->run.round.screen_count, RUN_SCREENS_MAX);
    free(scene);
}

TEST(as_many_screens_as_are_kept_may_all_be_left_out)
{
    struct terminal_scene *scene = terminal_scene_open();
    struct terminal_screen screen = screen_of(TERMINAL_CODE_ENTRY);

    for (unsigned i = 0; i < RUN_SCREENS_MAX; i++)
        run_expect_screen(&scene->run, &screen, true);
    CU_ASSERT_EQUAL(run_check_screens(&scene->run, &scene->error), 0);
    terminal_scene_expect_found(scene, 1, 0);
    show(scene, screen_of(TERMINAL_OPEN)); /* none of them */
    CU_ASSERT_STRING_EQUAL(scene->why, "state by SCREEN CHANGED");
    CU_ASSERT_EQUAL(scene->run.round.told.screens, 1);
    free(scene);
}

TEST(wrong_codes_are_exact_while_a_code_is_entered_and_otherwise_no_more_than_ever)
{
    struct terminal_scene *scene = terminal_scene_open();
    struct terminal_screen entry = screen_of(TERMINAL_CODE_ENTRY), open = screen_of(TERMINAL_OPEN);

    scene->run.most_wrong_codes = 2;
    for (unsigned codes = 0; codes < 4; codes++) {
        entry.wrong_codes = open.wrong_codes = (uint8_t)codes;
        CU_ASSERT_EQUAL(run_wrong_codes_agree(&scene->run, &entry, 1), codes == 1);
        CU_ASSERT_EQUAL(run_wrong_codes_agree(&scene->run, &open, 1), codes <= 2);
    }
    free(scene);
}
