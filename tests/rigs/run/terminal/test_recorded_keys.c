/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recorded keys: what is seen after each, what is paid by them, and the codes that go with them. */
#include <stdlib.h>
#include <string.h>

#include "tests/support/scenes/key_scene.h"
#include "tests/support/suite.h"

#define OF_METERS 4u

static int press_recorded(struct terminal_scene *scene, enum terminal_key key)
{
    struct terminal_press pressed = key_scene_press(key);

    return run_press_recorded(&scene->run, &pressed, &scene->error);
}

TEST(the_screen_after_a_recorded_key_is_looked_at)
{
    static const struct {
        enum terminal_state from;
        enum terminal_key key;
        unsigned passed; /* of the screen */
    } cases[] = {
        {TERMINAL_OPEN, TERMINAL_SEAT, OF_SCREEN + 1},
        {TERMINAL_CHOOSE, TERMINAL_HAND, OF_SCREEN + 2},
        {TERMINAL_PENDING, TERMINAL_PENDING_JACKPOT, OF_SCREEN + 2},
        {TERMINAL_CONFIRM, TERMINAL_PAY_JACKPOT, OF_SCREEN + 2},
        {TERMINAL_CODE_ENTRY, TERMINAL_CODE, OF_SCREEN + 2},
        {TERMINAL_OPEN, TERMINAL_OK, OF_SCREEN},
        {TERMINAL_AMOUNT, TERMINAL_OK, OF_SCREEN + 1},
        {TERMINAL_SIGNED, TERMINAL_SEAT, OF_SCREEN + 1},
        {TERMINAL_IDLE, TERMINAL_START_ROUND, OF_SCREEN},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct terminal_scene *scene = key_scene_open(cases[i].from);

        CU_ASSERT_EQUAL(press_recorded(scene, cases[i].key), 0);
        terminal_scene_expect_found(scene, OF_KEY + cases[i].passed, 0);
        CU_ASSERT_EQUAL(scene->run.round.took[RUN_JACKPOT], 20 * NANOS_PER_MILLI);
        CU_ASSERT_EQUAL(scene->run.round.live.meter[1].value, 70120000);
        free(scene);
    }
}

TEST(what_the_screen_shows_wrongly_after_a_key_is_told)
{
    enum { STATE, PLACE, HAND, CODES, EARLY, CENTS, LIES };
    static const struct {
        enum terminal_state from;
        enum terminal_key key;
        const char *name;
        unsigned seat, passed;
        const char *expected, *got, *why;
    } lies[LIES] = {
        [STATE] = {TERMINAL_IDLE, TERMINAL_OK, "key-refusals", 0, OF_KEY + OF_SCREEN - 1, "1", "2",
                   "state of the terminal after the key"},
        [PLACE] = {TERMINAL_CHOOSE, TERMINAL_HAND, "key-refusals", SEAT, OF_KEY + OF_SCREEN + 1,
                   "3", "5", "seat on the screen"},
        [HAND] = {TERMINAL_PENDING, TERMINAL_PENDING_JACKPOT, "key-refusals", SEAT,
                  OF_KEY + OF_SCREEN + 1, "1", "0", "hand on the screen"},
        [CODES] = {TERMINAL_CONFIRM, TERMINAL_PAY_JACKPOT, "key-refusals", SEAT,
                   OF_KEY + OF_SCREEN + 1, "1", "0",
                   "the screen has as many wrong codes as were entered"},
        [EARLY] = {TERMINAL_PENDING, TERMINAL_PENDING_JACKPOT, "amount-hidden", SEAT,
                   OF_KEY + OF_SCREEN + 1, "0", "1",
                   "the amount is on the screen before the code was entered"},
        [CENTS] = {TERMINAL_CODE_ENTRY, TERMINAL_CODE, "jackpots", SEAT, OF_KEY + OF_SCREEN + 1,
                   "7012", "7011", "cents that the terminal shows"},
    };

    for (unsigned lie = 0; lie < LIES; lie++) {
        struct terminal_scene *scene = key_scene_open(lies[lie].from);
        struct terminal_writer *writer = &scene->writer;

        if (lie == STATE)
            writer->walk.state = TERMINAL_OPEN;
        writer->answers_otherwise = lie == STATE;
        writer->walk.approving = lie == PLACE ? 5 : SEAT;
        writer->walk.hand = lie == HAND ? FLUSH : DIAMOND;
        writer->walk.wrong_codes = lie == CODES;
        writer->shows_early = lie == EARLY;
        writer->cents[0] -= lie == CENTS;
        CU_ASSERT_EQUAL(press_recorded(scene, lies[lie].key), 0);
        terminal_scene_expect_found(scene, lies[lie].passed, 1);
        terminal_scene_expect_first(scene, lies[lie].name, lies[lie].seat, lies[lie].expected,
                                    lies[lie].got, lies[lie].why);
        CU_ASSERT_STRING_EQUAL(scene->wager, lie == CENTS ? "diamond" : "");
        free(scene);
    }
}

TEST(no_money_is_looked_for_on_a_screen_of_another_state)
{
    struct terminal_scene *scene = key_scene_open(TERMINAL_CODE_ENTRY);

    scene->writer.walk.state = TERMINAL_OPEN;
    scene->writer.key_answer = TERMINAL_NO_WAGER;
    scene->run.round.device_failed = true;
    CU_ASSERT_EQUAL(press_recorded(scene, TERMINAL_CODE), 0);
    /* The reason, the state in the reply and on the screen, seat and hand there. */
    terminal_scene_expect_found(scene, 2, 5);
    CU_ASSERT_EQUAL(scene->book.counts.failed[CHECK_JACKPOTS], 0);
    free(scene);
}

/* A jackpot is paid by a key of its own. */
static struct terminal_scene *open_payment(unsigned hand)
{
    struct terminal_scene *scene = key_scene_open(TERMINAL_AMOUNT);
    struct terminal_writer *writer = &scene->writer;
    unsigned meter = hand == FLUSH ? TERMINAL_NONE : 1;
    uint64_t cents = hand == FLUSH ? 2000 : 7012;

    scene->run.round.hand = writer->walk.hand = hand;
    writer->cents[1] = cents;
    writer->sign = (struct terminal_sign){SEAT, (uint8_t)meter, cents};
    terminal_scene_tell(scene, TERMINAL_EVENT_JACKPOT)->award = (struct terminal_award){
        .seat = SEAT, .hand = (uint8_t)hand, .meter = (uint8_t)meter, .cents = cents};
    if (hand == DIAMOND) {
        writer->meters.meter[1].micros = 10000000;
        terminal_scene_tell(scene, TERMINAL_EVENT_METERS)->meters = writer->meters;
    }
    return scene;
}

/* The key, the screen, cents, the sign and the award. */
#define OF_PAYMENT (OF_KEY + OF_SCREEN + 1 + 1 + 3 + 5)

TEST(a_jackpot_that_is_paid_is_on_the_screen_and_the_sign_told_and_off_its_meter)
{
    for (unsigned hand = 0; hand < HANDS; hand++) {
        struct terminal_scene *scene = open_payment(hand);
        const struct run_round *round = &scene->run.round;

        CU_ASSERT_EQUAL(press_recorded(scene, TERMINAL_PAY_JACKPOT), 0);
        terminal_scene_expect_found(scene, OF_PAYMENT + (hand == DIAMOND ? 2 : 1) * OF_METERS, 0);
        CU_ASSERT_FALSE(scene->writer.was_awaited);
        CU_ASSERT_EQUAL(round->live.meter[1].value, hand == DIAMOND ? 10000000 : 70120000);
        CU_ASSERT_EQUAL(round->awards_due, 1);
        CU_ASSERT_EQUAL(round->sign.seat, SEAT);
        CU_ASSERT_EQUAL(round->sign_count, 1);
        free(scene);
    }
}

TEST(what_is_paid_wrongly_by_a_key_is_told)
{
    enum { CENTS, SIGN, AWARD, METER, EVENT, LIES };
    static const struct {
        const char *name, *expected, *got, *why;
        unsigned seat;
    } lies[LIES] = {
        [CENTS] = {"jackpots", "7012", "7011", "cents that the terminal shows", SEAT},
        [SIGN] = {"sign-amount", "7012", "7011", "on the sign", SEAT},
        [AWARD] = {"jackpots", "7012", "7011", "cents of the award", SEAT},
        [METER] = {"meter-values", "\"900.000000\"", "\"900.000001\"", "after PAY JACKPOT", 0},
        [EVENT] = {"meter-values", "1", "0", "METERS CHANGED was told", 0},
    };

    for (unsigned lie = 0; lie < LIES; lie++) {
        struct terminal_scene *scene = open_payment(DIAMOND);
        struct terminal_writer *writer = &scene->writer;

        writer->cents[1] -= lie == CENTS;
        writer->sign.cents -= lie == SIGN;
        writer->events[0].award.cents -= lie == AWARD;
        writer->meters.meter[0].micros += lie == METER;
        writer->event_count -= lie == EVENT;
        CU_ASSERT_EQUAL(press_recorded(scene, TERMINAL_PAY_JACKPOT), 0);
        CU_ASSERT_EQUAL(scene->failed, 1);
        terminal_scene_expect_first(scene, lies[lie].name, lies[lie].seat, lies[lie].expected,
                                    lies[lie].got, lies[lie].why);
        free(scene);
    }
}

TEST(a_terminal_that_does_not_answer_after_a_recorded_key_ends_the_round)
{
    enum { KEY, SCREEN, AWARD, METERS, SIGN, WAYS };

    for (unsigned way = 0; way < WAYS; way++) {
        struct terminal_scene *scene =
            way == SIGN ? key_scene_open(TERMINAL_CODE_ENTRY) : open_payment(DIAMOND);
        struct terminal_writer *writer = &scene->writer;

        writer->key_answer = way == KEY ? ERROR_TIMEOUT : 0;
        writer->screen_status = way == SCREEN ? ERROR_TIMEOUT : 0;
        writer->event_status = way == AWARD ? ERROR_TIMEOUT : 0;
        writer->event_count = way == AWARD ? 0 : writer->event_count;
        writer->meters_status = way == METERS || way == SIGN ? ERROR_TIMEOUT : 0;
        writer->sign_status = way == SIGN ? ERROR_DEVICE : 0;
        CU_ASSERT_EQUAL(press_recorded(scene, way == SIGN ? TERMINAL_ESC : TERMINAL_PAY_JACKPOT),
                        way == SIGN ? ERROR_DEVICE : ERROR_TIMEOUT);
        CU_ASSERT_EQUAL(scene->error.code, way == SIGN ? ERROR_DEVICE : ERROR_TIMEOUT);
        CU_ASSERT_EQUAL(scene->writer.asked_screens, way != KEY);
        CU_ASSERT_EQUAL(scene->failed, 0);
        CU_ASSERT_EQUAL(scene->run.round.took[RUN_JACKPOT] != 0, way > SCREEN);
        free(scene);
    }
}

TEST(after_ok_the_sign_is_dark)
{
    for (unsigned lit = 0; lit < 2; lit++) {
        struct terminal_scene *scene = key_scene_open(TERMINAL_SIGNED);
        const struct terminal_sign *sign = &scene->run.round.sign;

        run_expect_sign(&scene->run, SEAT, 1, 7012);
        scene->writer.stays_on = lit;
        scene->writer.meters_status = ERROR_TIMEOUT; /* they are not asked for */
        CU_ASSERT_EQUAL(press_recorded(scene, TERMINAL_OK), 0);
        terminal_scene_expect_found(scene, OF_KEY + OF_SCREEN + !lit, lit);
        if (lit)
            terminal_scene_expect_first(scene, "sign-amount", 0, "0", "3", "after OK");
        CU_ASSERT(!sign->seat && !sign->meter && !sign->cents);
        CU_ASSERT_EQUAL(scene->run.round.signs_ended, 1);
        free(scene);
    }
}

TEST(a_way_out_leaves_a_dark_sign_and_the_meters_as_they_were)
{
    static const struct {
        enum terminal_state from;
        enum terminal_key key;
    } ways[] = {{TERMINAL_CHOOSE, TERMINAL_NO_HAND},
                {TERMINAL_CONFIRM, TERMINAL_CANCEL_JACKPOT},
                {TERMINAL_CODE_ENTRY, TERMINAL_ESC}};
    enum { RIGHT, LIT, PAID, LIES };

    for (unsigned i = 0; i < sizeof ways / sizeof ways[0] * LIES; i++) {
        struct terminal_scene *scene = key_scene_open(ways[i / LIES].from);
        unsigned lie = i % LIES;

        scene->writer.stays_on = lie == LIT;
        scene->writer.meters.meter[1].micros -= lie == PAID;
        CU_ASSERT_EQUAL(press_recorded(scene, ways[i / LIES].key), 0);
        CU_ASSERT_FALSE(scene->writer.was_awaited); /* no METERS CHANGED */
        terminal_scene_expect_found(scene, OF_KEY + OF_SCREEN + 1 + OF_METERS - (lie != RIGHT),
                                    lie != RIGHT);
        if (lie == LIT)
            terminal_scene_expect_first(scene, "sign-amount", 0, "0", "3", "after a way out");
        if (lie == PAID)
            terminal_scene_expect_first(scene, "meter-values", 0, "\"70.120000\"", "\"70.119999\"",
                                        "after a way out");
        free(scene);
    }
}

/* Somebody is being paid, for a second. */
static struct terminal_scene *open_dwell(void)
{
    struct terminal_scene *scene = key_scene_open(TERMINAL_SIGNED);

    run_expect_sign(&scene->run, SEAT, 1, 7012);
    scene->rig.timing.dwell = 1000;
    return scene;
}

TEST(the_sign_shows_the_award_until_ok)
{
    struct terminal_scene *scene = open_dwell();
    nanos_t start = scene->bench.clock.now;

    terminal_scene_tell(scene, TERMINAL_EVENT_LIGHTS);
    CU_ASSERT_EQUAL(press_recorded(scene, TERMINAL_OK), 0);
    terminal_scene_expect_found(scene, 3 + OF_KEY + OF_SCREEN + 1, 0);
    CU_ASSERT_EQUAL(scene->writer.told, 1); /* it was listened to */
    /* The sign, the key, its screen, the sign. */
    CU_ASSERT_EQUAL(scene->bench.clock.now - start, NANOS_PER_SECOND + 40 * NANOS_PER_MILLI);
    free(scene);

    scene = open_dwell();
    scene->writer.sign.cents--;
    CU_ASSERT_EQUAL(press_recorded(scene, TERMINAL_OK), 0);
    terminal_scene_expect_first(scene, "sign-amount", SEAT, "7012", "7011",
                                "on the sign before OK");
    CU_ASSERT_EQUAL(scene->failed, 1);
    free(scene);
}

TEST(a_run_that_ends_while_somebody_is_paid_presses_no_ok)
{
    struct terminal_scene *scene = open_dwell();

    atomic_store(&scene->bench.hal.cancelled, true);
    CU_ASSERT_EQUAL(press_recorded(scene, TERMINAL_OK), ERROR_ABORTED);
    CU_ASSERT_EQUAL(scene->writer.keys, 0);
    terminal_scene_expect_found(scene, 0, 0);
    free(scene);

    scene = open_dwell();
    scene->writer.event_status = ERROR_TIMEOUT;
    CU_ASSERT_EQUAL(press_recorded(scene, TERMINAL_OK), ERROR_TIMEOUT);
    CU_ASSERT_EQUAL(scene->writer.keys, 0);
    terminal_scene_expect_found(scene, 0, 0);
    free(scene);
}

TEST(nobody_is_paid_where_another_key_is_pressed_or_no_award_stands_there)
{
    static const struct {
        enum terminal_state from;
        enum terminal_key key;
        uint32_t dwell;
    } cases[] = {{TERMINAL_SIGNED, TERMINAL_SEAT, 1000},
                 {TERMINAL_OPEN, TERMINAL_OK, 1000},
                 {TERMINAL_OPEN, TERMINAL_SEAT, 1000},
                 {TERMINAL_SIGNED, TERMINAL_OK, 0}};

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct terminal_scene *scene = key_scene_open(cases[i].from);
        nanos_t start = scene->bench.clock.now;

        scene->rig.timing.dwell = cases[i].dwell;
        terminal_scene_tell(scene, TERMINAL_EVENT_LIGHTS);
        CU_ASSERT_EQUAL(press_recorded(scene, cases[i].key), 0);
        CU_ASSERT(scene->bench.clock.now - start < NANOS_PER_SECOND);
        CU_ASSERT_EQUAL(scene->writer.told, 0);
        free(scene);
    }
}

TEST(what_somebody_reads_off_after_a_recorded_key_is_the_amount_and_the_sign)
{
    struct terminal_scene *scene = key_scene_by_hand(TERMINAL_CODE_ENTRY);
    const struct run_round *round = &scene->run.round;

    CU_ASSERT_EQUAL(press_recorded(scene, TERMINAL_OK), 0); /* it is refused: there is nothing */
    terminal_scene_expect_found(scene, 1, 0);
    CU_ASSERT_EQUAL(scene->writer.asked_screens, 0);
    CU_ASSERT_EQUAL(press_recorded(scene, TERMINAL_CODE), 0);
    terminal_scene_expect_found(scene, 1 + 2, 0);
    CU_ASSERT_EQUAL(scene->writer.asked_screens, 1);
    CU_ASSERT_EQUAL(press_recorded(scene, TERMINAL_PAY_JACKPOT), 0);
    terminal_scene_expect_found(scene, 1 + 2 + 3, 0);
    CU_ASSERT(round->award_count == 1 && round->sign.seat == SEAT);
    CU_ASSERT_EQUAL(press_recorded(scene, TERMINAL_OK), 0);
    terminal_scene_expect_found(scene, 1 + 2 + 3 + 1, 0);
    CU_ASSERT_EQUAL(round->sign.seat, 0);
    CU_ASSERT_EQUAL(scene->writer.asked_screens, 1);
    CU_ASSERT_EQUAL(round->took[RUN_JACKPOT], 0);
    free(scene);

    scene = key_scene_by_hand(TERMINAL_CODE_ENTRY); /* a key that leads nowhere is not looked at */
    scene->run.round.state = scene->writer.walk.state = TERMINAL_SIGNED;
    scene->writer.sign_status = ERROR_TIMEOUT;
    CU_ASSERT_EQUAL(press_recorded(scene, TERMINAL_CODE), 0);
    CU_ASSERT_EQUAL(scene->run.round.award_count, 0);
    free(scene);

    scene = key_scene_by_hand(TERMINAL_CODE_ENTRY);
    scene->writer.key_answer = ERROR_TIMEOUT;
    CU_ASSERT_EQUAL(press_recorded(scene, TERMINAL_CODE), ERROR_TIMEOUT);
    CU_ASSERT_EQUAL(scene->writer.asked_screens, 0);
    free(scene);
}

TEST(a_recorded_hand_is_the_one_that_was_won_unless_it_has_a_name)
{
    static const struct {
        uint8_t seat, hand;
        bool wins;
        uint8_t chosen;
    } cases[] = {{SEAT, TERMINAL_NONE, true, DIAMOND},
                 {SEAT, TERMINAL_NONE, false, FLUSH},
                 {SEAT, FLUSH, true, FLUSH},
                 {0, TERMINAL_NONE, true, TERMINAL_NONE}};

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct terminal_scene *scene = key_scene_open(TERMINAL_CHOOSE);
        struct settlement *outcome = &scene->run.round.outcome;
        struct terminal_press pressed = {
            .key = TERMINAL_HAND, .seat = cases[i].seat, .hand = cases[i].hand};

        if (cases[i].wins)
            outcome->awards[outcome->award_count++] =
                (struct award){.seat = SEAT, .meter = 1, .pays = 7012};
        CU_ASSERT_EQUAL(run_press_recorded(&scene->run, &pressed, &scene->error), 0);
        CU_ASSERT_EQUAL(pressed.hand, cases[i].chosen);
        CU_ASSERT_STRING_EQUAL(pressed.code, "");
        CU_ASSERT_EQUAL(scene->failed, 0);
        free(scene);
    }
}

TEST(a_recorded_code_is_that_of_the_rig_file_or_another)
{
    for (unsigned wrong = 0; wrong < 2; wrong++) {
        struct terminal_scene *scene = key_scene_open(TERMINAL_CODE_ENTRY);
        struct terminal_press pressed = {
            .key = TERMINAL_CODE, .seat = SEAT, .hand = TERMINAL_NONE, .is_wrong = wrong};

        CU_ASSERT_EQUAL(run_press_recorded(&scene->run, &pressed, &scene->error), 0);
        CU_ASSERT_EQUAL(strcmp(pressed.code, TERMINAL_SCENE_CODE) != 0, wrong);
        CU_ASSERT_EQUAL(strlen(pressed.code), strlen(TERMINAL_SCENE_CODE));
        CU_ASSERT_EQUAL(pressed.hand, TERMINAL_NONE);
        CU_ASSERT_EQUAL(scene->run.round.state, wrong ? TERMINAL_CODE_ENTRY : TERMINAL_AMOUNT);
        CU_ASSERT_EQUAL(scene->failed, 0);
        free(scene);
    }
}

TEST(a_wrong_code_of_the_administrator_is_refused_and_would_change_nothing)
{
    struct terminal_scene *scene = key_scene_open(TERMINAL_OPEN);

    scene->writer.admin = ADMIN;
    CU_ASSERT_EQUAL(run_try_wrong_admin(&scene->run, &scene->error), 0);
    terminal_scene_expect_found(scene, 1, 0);
    CU_ASSERT_EQUAL(scene->book.counts.passed[CHECK_AUTHORIZATION], 1);
    CU_ASSERT_EQUAL(scene->writer.corrected, 1);
    CU_ASSERT_EQUAL(scene->writer.corrects, 0);
    CU_ASSERT_EQUAL(scene->writer.corrects_to, 900000000);
    CU_ASSERT_EQUAL(scene->run.round.log.count, 1);
    key_scene_expect_entry(scene, 0, TERMINAL_LOG_ADMINISTRATOR_REFUSED, 0x17, 0);
    free(scene);
}

TEST(a_wrong_code_of_the_administrator_is_refused_for_the_state_only_in_an_approval)
{
    static const struct {
        enum terminal_state state;
        unsigned refusal; /* 0: it is accepted */
        const char *got;  /* NULL: it is right */
        bool is_logged;
    } cases[] = {
        {TERMINAL_CHOOSE, REFUSED_STATE, NULL, false},
        {TERMINAL_OPEN, REFUSED_STATE, "4", true},
        {TERMINAL_IDLE, REFUSED_STATE, "4", true},
        {TERMINAL_CHOOSE, REFUSED_VALUE, "3", true},
        {TERMINAL_OPEN, 0, "0", false},
        {TERMINAL_CHOOSE, 0, "0", false},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct terminal_scene *scene = key_scene_open(cases[i].state);
        char expected[16];

        terminal_wrong_code(ADMIN, expected);
        scene->writer.admin = expected; /* the terminal takes that for the right one */
        scene->writer.correct_refusal = cases[i].refusal;
        CU_ASSERT_EQUAL(run_try_wrong_admin(&scene->run, &scene->error), 0);
        terminal_scene_expect_found(scene, !cases[i].got, cases[i].got != NULL);
        CU_ASSERT_EQUAL(scene->run.round.log.count, cases[i].is_logged);
        if (cases[i].got) {
            terminal_scene_expect_first(scene, "authorization", 0, "7", cases[i].got,
                                        "CORRECT METER with a wrong code of the administrator");
            CU_ASSERT_STRING_EQUAL(scene->wager, "wrong-admin");
        }
        free(scene);
    }
}

TEST(a_terminal_that_does_not_answer_an_administrator_ends_the_round)
{
    for (unsigned silent = 0; silent < 2; silent++) { /* nobody wants to know why */
        struct terminal_scene *scene = key_scene_open(TERMINAL_OPEN);

        scene->writer.correct_status = silent ? ERROR_DEVICE : ERROR_TIMEOUT;
        CU_ASSERT_EQUAL(run_try_wrong_admin(&scene->run, silent ? NULL : &scene->error),
                        scene->writer.correct_status);
        CU_ASSERT_EQUAL(scene->error.code, silent ? 0 : ERROR_TIMEOUT);
        terminal_scene_expect_found(scene, 0, 0);
        CU_ASSERT_EQUAL(scene->run.round.log.count, 0);
        free(scene);
    }
}

TEST(nobody_at_a_terminal_is_asked_for_a_wrong_code_of_the_administrator)
{
    struct terminal_scene *scene = key_scene_by_hand(TERMINAL_OPEN);

    CU_ASSERT_EQUAL(run_try_wrong_admin(&scene->run, &scene->error), 0);
    terminal_scene_expect_found(scene, 0, 0);
    CU_ASSERT_EQUAL(scene->book.counts.skipped[CHECK_AUTHORIZATION], 1);
    CU_ASSERT_STRING_EQUAL(scene->why,
                           "nobody is asked to enter a wrong code of the administrator");
    CU_ASSERT_EQUAL(scene->writer.corrected, 0);
    free(scene);
}
