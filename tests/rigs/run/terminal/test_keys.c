/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keys one by one: where each leads, and what it writes into the log. */
#include <stdlib.h>
#include <string.h>

#include "devices/wire/host.h"
#include "tests/support/scenes/key_scene.h"
#include "tests/support/suite.h"

static int press(struct terminal_scene *scene, enum terminal_key key)
{
    struct terminal_press pressed = key_scene_press(key);

    return run_press(&scene->run, &pressed, &scene->error);
}

static int press_wrong_code(struct terminal_scene *scene)
{
    struct terminal_press pressed = {
        .key = TERMINAL_CODE, .seat = SEAT, .is_wrong = true, .code = "0000"};

    return run_press(&scene->run, &pressed, &scene->error);
}

TEST(an_entry_of_a_round_that_is_opened_or_closed_is_not_older_than_the_one_above)
{
    static const struct {
        enum terminal_log_code code;
        bool is_pressed;
    } cases[] = {
        {TERMINAL_LOG_ROUND_STARTED, true}, {TERMINAL_LOG_ROUND_CANCELLED, true},
        {TERMINAL_LOG_ROUND_ENDED, true},   {TERMINAL_LOG_HAND_CHOSEN, false},
        {TERMINAL_LOG_CODE_WRONG, false},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct terminal_scene *scene = key_scene_open(TERMINAL_OPEN);
        const struct run_log_entry *due = scene->run.round.log.entries;
        nanos_t start = scene->bench.clock.now;

        for (unsigned n = 0; n < 3; n++) {
            run_expect_log(&scene->run, n == 1 ? TERMINAL_LOG_HAND_CHOSEN : cases[i].code, n, 9);
            CU_ASSERT_EQUAL(due[n].told, start + n * NANOS_PER_SECOND);
            scene->bench.clock.now += NANOS_PER_SECOND;
            key_scene_expect_entry(scene, n, n == 1 ? TERMINAL_LOG_HAND_CHOSEN : cases[i].code, n,
                                   9);
        }
        CU_ASSERT_EQUAL(due[0].since, 0); /* nothing is above it */
        CU_ASSERT_EQUAL(due[1].since, 0);
        CU_ASSERT_EQUAL(due[2].since, cases[i].is_pressed ? due[1].told : 0);
        free(scene);
    }
}

TEST(a_key_that_is_accepted_leads_on_and_writes_what_it_did_into_the_log)
{
    static const struct {
        enum terminal_state from, to;
        enum terminal_key key;
        unsigned code, detail; /* 0: nothing */
        int64_t value;
    } cases[] = {
        {TERMINAL_IDLE, TERMINAL_OPEN, TERMINAL_START_ROUND, TERMINAL_LOG_ROUND_STARTED,
         1 << 3 | 1 << 5, 42},
        {TERMINAL_OPEN, TERMINAL_IDLE, TERMINAL_CANCEL_ROUND, TERMINAL_LOG_ROUND_CANCELLED,
         1 << 3 | 1 << 5, 41},
        {TERMINAL_OPEN, TERMINAL_IDLE, TERMINAL_END_ROUND, TERMINAL_LOG_ROUND_ENDED,
         1 << 3 | 1 << 5, 41},
        {TERMINAL_OPEN, TERMINAL_CHOOSE, TERMINAL_SEAT, 0, 0, 0},
        {TERMINAL_CHOOSE, TERMINAL_PENDING, TERMINAL_HAND, TERMINAL_LOG_HAND_CHOSEN, SEAT, DIAMOND},
        {TERMINAL_CHOOSE, TERMINAL_OPEN, TERMINAL_NO_HAND, TERMINAL_LOG_HAND_UNDONE, SEAT,
         TERMINAL_NONE},
        {TERMINAL_PENDING, TERMINAL_CONFIRM, TERMINAL_PENDING_JACKPOT, 0, 0, 0},
        {TERMINAL_CONFIRM, TERMINAL_CODE_ENTRY, TERMINAL_PAY_JACKPOT, 0, 0, 0},
        {TERMINAL_CONFIRM, TERMINAL_OPEN, TERMINAL_CANCEL_JACKPOT, TERMINAL_LOG_JACKPOT_CANCELLED,
         SEAT, DIAMOND},
        {TERMINAL_CODE_ENTRY, TERMINAL_OPEN, TERMINAL_ESC, TERMINAL_LOG_CODE_ESCAPED, SEAT,
         DIAMOND},
        {TERMINAL_CODE_ENTRY, TERMINAL_AMOUNT, TERMINAL_CODE, TERMINAL_LOG_AUTHORIZED, SEAT,
         DIAMOND},
        {TERMINAL_AMOUNT, TERMINAL_SIGNED, TERMINAL_PAY_JACKPOT, TERMINAL_LOG_JACKPOT_PAID, SEAT,
         RUN_LOG_ANY},
        {TERMINAL_SIGNED, TERMINAL_OPEN, TERMINAL_OK, 0, 0, 0},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct terminal_scene *scene = key_scene_open(cases[i].from);
        const struct run_round *round = &scene->run.round;
        bool is_signed = cases[i].to == TERMINAL_SIGNED;

        scene->run.recording.is_counted = true;
        scene->run.recording.rounds_started = 41;
        scene->run.round.award_count = 2;
        CU_ASSERT_EQUAL(press(scene, cases[i].key), 0);
        terminal_scene_expect_found(scene, OF_KEY, 0);
        CU_ASSERT_EQUAL(round->state, cases[i].to);
        CU_ASSERT_EQUAL(round->log.count, cases[i].code != 0);
        if (cases[i].code)
            key_scene_expect_entry(scene, 0, cases[i].code, cases[i].detail, cases[i].value);
        CU_ASSERT_EQUAL(round->won, is_signed ? seat_bit(SEAT) : 0);
        CU_ASSERT_EQUAL(round->sign.cents, is_signed ? 7012 : 0);
        CU_ASSERT_EQUAL(round->sign.meter, is_signed);
        CU_ASSERT_EQUAL_FATAL(round->screen_count, 1);
        CU_ASSERT_EQUAL(round->screens[0].shows.state, cases[i].to);
        CU_ASSERT_FALSE(round->screens[0].is_open);
        CU_ASSERT_EQUAL(scene->run.is_code_known, cases[i].key == TERMINAL_CODE);
        CU_ASSERT(!round->refused && !round->code_entries && !scene->run.most_wrong_codes);
        CU_ASSERT_EQUAL(round->key_took, 10 * NANOS_PER_MILLI);
        CU_ASSERT_EQUAL(round->awards_before, 2);
        CU_ASSERT_FALSE(scene->writer.was_awaited);
        free(scene);
    }
}

TEST(the_number_of_a_round_is_as_wide_as_the_terminals_and_due_where_it_is_known)
{
    for (unsigned way = 0; way < 3; way++) {
        struct terminal_scene *scene = key_scene_open(TERMINAL_IDLE);

        scene->run.recording.is_counted = way != 0;
        scene->run.recording.rounds_started = 0x20004;
        scene->writer.terminal.device.is_wide = way == 2;
        CU_ASSERT_EQUAL(press(scene, TERMINAL_START_ROUND), 0);
        CU_ASSERT_EQUAL(scene->run.recording.rounds_started, 0x20005);
        CU_ASSERT_EQUAL(scene->run.round.log.entries[0].value, way == 0   ? RUN_LOG_ANY
                                                               : way == 1 ? 5
                                                                          : 0x20005);
        free(scene);
    }
}

TEST(a_screen_shows_seat_hand_and_amount_once_they_are_chosen)
{
    for (unsigned state = TERMINAL_IDLE; state < TERMINAL_STATES; state++) {
        struct terminal_scene *scene = key_scene_open((enum terminal_state)state);
        struct terminal_screen screen;

        scene->run.round.wrong_codes = 2;
        screen = run_screen_due(&scene->run);
        CU_ASSERT_EQUAL(screen.state, state);
        CU_ASSERT_EQUAL(screen.seat, state >= TERMINAL_CHOOSE ? SEAT : 0);
        CU_ASSERT_EQUAL(screen.hand, state >= TERMINAL_PENDING ? DIAMOND : TERMINAL_NONE);
        CU_ASSERT_EQUAL(screen.wrong_codes, state == TERMINAL_CODE_ENTRY ? 2 : 0);
        CU_ASSERT_EQUAL(screen.cents, state >= TERMINAL_AMOUNT ? 7012 : 0);
        CU_ASSERT_EQUAL(scene->run.round.live.meter[1].value, 70120000);
        scene->run.round.hand = FLUSH;
        CU_ASSERT_EQUAL(run_screen_due(&scene->run).cents, state >= TERMINAL_AMOUNT ? 2000 : 0);
        free(scene);
    }
}

TEST(wrong_codes_are_counted_until_the_third_ends_the_approval)
{
    struct terminal_scene *scene = key_scene_open(TERMINAL_CODE_ENTRY);
    const struct run_round *round = &scene->run.round;

    for (unsigned n = 1; n <= TERMINAL_CODE_TRIES; n++) {
        bool is_last = n == TERMINAL_CODE_TRIES;

        CU_ASSERT_EQUAL(press_wrong_code(scene), 0);
        terminal_scene_expect_found(scene, n * OF_KEY, 0);
        CU_ASSERT_EQUAL(scene->book.counts.passed[CHECK_AUTHORIZATION], n);
        CU_ASSERT_EQUAL(round->wrong_codes, n);
        CU_ASSERT_EQUAL(scene->run.most_wrong_codes, n);
        CU_ASSERT_EQUAL(round->code_entries, n + is_last);
        CU_ASSERT_EQUAL(round->state, is_last ? TERMINAL_OPEN : TERMINAL_CODE_ENTRY);
        CU_ASSERT_EQUAL_FATAL(round->screen_count, n);
        CU_ASSERT_EQUAL(round->screens[n - 1].shows.wrong_codes, is_last ? 0 : n);
        CU_ASSERT_EQUAL(round->screens[n - 1].is_open, !is_last);
        CU_ASSERT_EQUAL(round->refused, n);
        CU_ASSERT_EQUAL(round->refusals[n - 1].key, TERMINAL_CODE);
        CU_ASSERT_EQUAL(round->refusals[n - 1].reason,
                        is_last ? TERMINAL_CODE_LOCKED : TERMINAL_WRONG_CODE);
        CU_ASSERT_EQUAL(round->refusals[n - 1].state, round->state);
        key_scene_expect_entry(scene, n - 1,
                               is_last ? TERMINAL_LOG_CODE_LOCKED : TERMINAL_LOG_CODE_WRONG, SEAT,
                               is_last ? DIAMOND : (int)n);
    }
    CU_ASSERT_FALSE(scene->run.is_code_known);
    CU_ASSERT_EQUAL(scene->writer.keys, TERMINAL_CODE_TRIES); /* none of them once more */
    free(scene);

    scene = key_scene_open(TERMINAL_CODE_ENTRY); /* the screen was found with more */
    scene->run.most_wrong_codes = 2;
    CU_ASSERT_EQUAL(press_wrong_code(scene), 0);
    CU_ASSERT_EQUAL(scene->run.most_wrong_codes, 2);
    free(scene);
}

TEST(a_wrong_code_that_is_accepted_is_told)
{
    struct terminal_scene *scene = key_scene_open(TERMINAL_CODE_ENTRY);
    struct terminal_press pressed = key_scene_press(TERMINAL_CODE);

    pressed.is_wrong = true; /* the terminal takes it for the right one */
    CU_ASSERT_EQUAL(run_press(&scene->run, &pressed, &scene->error), 0);
    terminal_scene_expect_found(scene, 0, OF_KEY);
    terminal_scene_expect_first(scene, "authorization", SEAT, "6", "0",
                                "the terminal accepted the key");
    CU_ASSERT_STRING_EQUAL(scene->wager, "wrong-code");
    CU_ASSERT_FALSE(scene->run.is_code_known);
    free(scene);
}

TEST(a_key_that_must_be_refused_is_refused_for_the_right_reason_and_does_nothing)
{
    struct terminal_scene *scene = key_scene_open(TERMINAL_OPEN);
    const struct run_round *round = &scene->run.round;

    CU_ASSERT_EQUAL(press(scene, TERMINAL_OK), 0);
    terminal_scene_expect_found(scene, OF_KEY, 0);
    CU_ASSERT(!round->screen_count && !round->code_entries);
    CU_ASSERT_EQUAL(round->refused, 1);
    CU_ASSERT(round->refusals[0].key == TERMINAL_OK &&
              round->refusals[0].reason == TERMINAL_WRONG_STATE &&
              round->refusals[0].state == TERMINAL_OPEN);
    key_scene_expect_entry(scene, 0, TERMINAL_LOG_KEY_REFUSED, TERMINAL_OK,
                           TERMINAL_WRONG_STATE << 8 | TERMINAL_OPEN);
    CU_ASSERT_FALSE(scene->writer.was_awaited);
    free(scene);

    scene = key_scene_open(TERMINAL_OPEN);
    scene->writer.key_answer = TERMINAL_NO_WAGER;
    CU_ASSERT_EQUAL(press(scene, TERMINAL_OK), 0);
    terminal_scene_expect_found(scene, OF_KEY - 1, 1);
    terminal_scene_expect_first(scene, "key-refusals", SEAT, "1", "3", "refused");
    CU_ASSERT_STRING_EQUAL(scene->wager, "ok");
    free(scene);

    scene = key_scene_open(TERMINAL_OPEN); /* a code that nobody has asked for is not tried again */
    scene->writer.key_answer = TERMINAL_WRONG_CODE;
    CU_ASSERT_EQUAL(press(scene, TERMINAL_CODE), 0);
    terminal_scene_expect_first(scene, "key-refusals", SEAT, "1", "6", "refused");
    CU_ASSERT_EQUAL(scene->writer.keys, 1);
    free(scene);
}

TEST(more_refusals_than_a_recording_has_keys_are_counted_alone)
{
    struct terminal_scene *scene = key_scene_open(TERMINAL_OPEN);
    struct run_round *round = &scene->run.round;

    round->refused = RUN_KEYS_MAX - 1;
    for (unsigned i = 0; i < 2; i++)
        run_expect_refusal(&scene->run, TERMINAL_OK, TERMINAL_WRONG_STATE);
    CU_ASSERT_EQUAL(round->refused, RUN_KEYS_MAX + 1);
    CU_ASSERT_EQUAL(round->refusals[RUN_KEYS_MAX - 1].key, TERMINAL_OK);
    CU_ASSERT_EQUAL(round->screen_count, 0); /* which stands behind them */
    free(scene);
}

TEST(a_key_that_is_accepted_where_it_must_not_be_is_told_and_stands_in_the_log)
{
    struct terminal_scene *scene = key_scene_open(TERMINAL_SIGNED);

    scene->writer.walk.state = TERMINAL_CODE_ENTRY;
    CU_ASSERT_EQUAL(press(scene, TERMINAL_CODE), 0);
    terminal_scene_expect_found(scene, 0, OF_KEY);
    terminal_scene_expect_first(scene, "key-refusals", SEAT, "1", "0",
                                "the terminal accepted the key");
    CU_ASSERT_EQUAL(scene->run.round.log.count, 1);
    key_scene_expect_entry(scene, 0, TERMINAL_LOG_AUTHORIZED, SEAT, DIAMOND);
    CU_ASSERT_EQUAL(scene->run.round.refused, 0);
    free(scene);

    scene = key_scene_open(TERMINAL_OPEN);
    scene->writer.answers_otherwise = true;
    CU_ASSERT_EQUAL(press(scene, TERMINAL_SEAT), 0);
    terminal_scene_expect_found(scene, OF_KEY - 1, 1);
    terminal_scene_expect_first(scene, "key-refusals", SEAT, "3", "1",
                                "state in the reply to a key");
    CU_ASSERT_STRING_EQUAL(scene->wager, "");
    free(scene);
}

TEST(whoever_reads_off_a_terminal_sees_only_whether_a_key_is_refused)
{
    static const struct {
        enum terminal_state run, device;
        enum terminal_key key;
        int answer;
        const char *expected, *got; /* NULL: it is right */
    } cases[] = {
        {TERMINAL_OPEN, TERMINAL_OPEN, TERMINAL_SEAT, 0, NULL, NULL},
        {TERMINAL_OPEN, TERMINAL_OPEN, TERMINAL_OK, 0, NULL, NULL},
        {TERMINAL_OPEN, TERMINAL_OPEN, TERMINAL_OK, TERMINAL_NO_WAGER, NULL, NULL},
        {TERMINAL_OPEN, TERMINAL_IDLE, TERMINAL_SEAT, 0, "0", "1"},
        {TERMINAL_OPEN, TERMINAL_SIGNED, TERMINAL_OK, 0, "1", "0"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct terminal_scene *scene = key_scene_by_hand(cases[i].run);
        bool is_right = !cases[i].got;

        scene->writer.walk.state = cases[i].device;
        scene->writer.key_answer = cases[i].answer;
        CU_ASSERT_EQUAL(press(scene, cases[i].key), 0);
        terminal_scene_expect_found(scene, is_right, !is_right);
        CU_ASSERT_EQUAL(scene->run.round.refused, 0);
        CU_ASSERT_EQUAL(scene->run.round.log.count, 0);
        CU_ASSERT_FALSE(scene->writer.was_awaited);
        if (!is_right) {
            terminal_scene_expect_first(scene, "key-refusals", SEAT, cases[i].expected,
                                        cases[i].got, "whether the terminal refuses the key");
            CU_ASSERT_STRING_EQUAL(scene->wager, cases[i].key == TERMINAL_OK ? "ok" : "seat-3");
        }
        free(scene);
    }
}

TEST(a_wrong_code_at_a_terminal_that_is_read_off_is_a_matter_of_authorization)
{
    struct terminal_scene *scene = key_scene_by_hand(TERMINAL_CODE_ENTRY);

    CU_ASSERT_EQUAL(press_wrong_code(scene), 0);
    terminal_scene_expect_found(scene, 1, 0);
    CU_ASSERT_EQUAL(scene->book.counts.passed[CHECK_AUTHORIZATION], 1);
    free(scene);
}

TEST(a_terminal_that_does_not_answer_a_key_ends_the_round)
{
    static const int statuses[] = {ERROR_TIMEOUT, ERROR_RULE};

    for (unsigned silent = 0; silent < 2; silent++) { /* nobody wants to know why */
        struct terminal_scene *scene = key_scene_open(TERMINAL_OPEN);
        struct terminal_press pressed = key_scene_press(TERMINAL_SEAT);

        scene->writer.key_answer = statuses[silent];
        CU_ASSERT_EQUAL(run_press(&scene->run, &pressed, silent ? NULL : &scene->error),
                        statuses[silent]);
        CU_ASSERT_EQUAL(scene->error.code, silent ? 0 : ERROR_TIMEOUT);
        terminal_scene_expect_found(scene, 0, 0);
        CU_ASSERT_EQUAL(scene->run.round.screen_count, 0);
        free(scene);
    }
}

TEST(a_right_code_that_is_refused_is_tried_again_unless_it_was_accepted_before)
{
    for (unsigned known = 0; known < 2; known++) {
        struct terminal_scene *scene = key_scene_open(TERMINAL_CODE_ENTRY);
        struct terminal_press pressed = key_scene_press(TERMINAL_CODE);

        strcpy(scene->rig.devices.terminal->code, "9999");
        strcpy(pressed.code, "9999");
        scene->run.is_code_known = known;
        CU_ASSERT_EQUAL(run_press(&scene->run, &pressed, &scene->error), known ? 0 : ERROR_CONFIG);
        CU_ASSERT_EQUAL(scene->writer.keys, known ? 1 : 2);
        CU_ASSERT_EQUAL(scene->error.code, known ? 0 : ERROR_CONFIG);
        CU_ASSERT_EQUAL(scene->failed, known ? OF_KEY : 0);
        CU_ASSERT_EQUAL(scene->run.is_code_known, known);
        if (known)
            terminal_scene_expect_first(scene, "key-refusals", SEAT, "0", "6", "refused");
        free(scene);
    }
}

/* A key is refused for the state although it leads where it must. */
static struct terminal_scene *open_pretence(void)
{
    struct terminal_scene *scene = key_scene_open(TERMINAL_CHOOSE);

    scene->writer.key_answer = TERMINAL_WRONG_STATE;
    return scene;
}

TEST(a_key_that_is_refused_and_does_its_work_is_forgiven_where_the_power_was_lost)
{
    struct terminal_scene *scene = open_pretence();

    terminal_scene_tell(scene, TERMINAL_EVENT_POWER_UP)->screen.state = TERMINAL_OPEN;
    CU_ASSERT_EQUAL(press(scene, TERMINAL_HAND), 0);
    CU_ASSERT_FALSE(scene->writer.was_awaited);
    CU_ASSERT(scene->run.round.device_failed);
    terminal_scene_expect_found(scene, 0, 0);
    CU_ASSERT_EQUAL(scene->run.round.log.count, 0);
    free(scene);

    scene = open_pretence();
    CU_ASSERT_EQUAL(press(scene, TERMINAL_HAND), 0);
    CU_ASSERT(scene->writer.was_awaited);
    terminal_scene_expect_found(scene, OF_KEY - 1, 1);
    terminal_scene_expect_first(scene, "key-refusals", SEAT, "0", "1", "refused");
    CU_ASSERT_STRING_EQUAL(scene->wager, "hand:diamond");
    CU_ASSERT_EQUAL(scene->run.round.refused, 1);
    free(scene);

    scene = open_pretence();
    scene->writer.event_status = ERROR_TIMEOUT;
    CU_ASSERT_EQUAL(press(scene, TERMINAL_HAND), ERROR_TIMEOUT);
    terminal_scene_expect_found(scene, 0, 0);
    free(scene);
}

TEST(a_loss_of_power_is_waited_for_only_where_it_would_explain_the_refusal)
{
    enum { OTHER_REASON, OTHER_STATE, BY_HAND, WAYS };

    for (unsigned way = 0; way < WAYS; way++) {
        struct terminal_scene *scene =
            way == BY_HAND ? key_scene_by_hand(TERMINAL_CHOOSE) : key_scene_open(TERMINAL_CHOOSE);

        scene->writer.key_answer =
            way == OTHER_REASON ? TERMINAL_UNKNOWN_HAND : TERMINAL_WRONG_STATE;
        scene->writer.answers_otherwise = way == OTHER_STATE;
        CU_ASSERT_EQUAL(press(scene, TERMINAL_HAND), 0);
        CU_ASSERT_FALSE(scene->writer.was_awaited);
        CU_ASSERT_EQUAL(scene->failed, way == OTHER_STATE ? 2 : 1);
        free(scene);
    }
}

/* A wrong code is said again, and the terminal says that it lost its power. */
static struct terminal_scene *open_again(struct host *host)
{
    struct terminal_scene *scene = key_scene_open(TERMINAL_CODE_ENTRY);

    *host = (struct host){.counts.retries = 4};
    scene->writer.host = host;
    scene->writer.retried_key = 1;
    terminal_scene_tell(scene, TERMINAL_EVENT_POWER_UP)->screen.state = TERMINAL_OPEN;
    return scene;
}

TEST(a_wrong_code_that_was_entered_again_counts_once)
{
    struct host host;
    struct terminal_scene *scene = open_again(&host);

    CU_ASSERT_EQUAL(press_wrong_code(scene), 0);
    CU_ASSERT(scene->run.round.device_failed);
    CU_ASSERT_FALSE(scene->writer.was_awaited);
    CU_ASSERT_EQUAL(scene->writer.asked_screens, 1);
    terminal_scene_expect_found(scene, 0, 0);
    CU_ASSERT_EQUAL(scene->run.round.refused, 0);
    free(scene);

    for (unsigned more = 1; more < TERMINAL_CODE_TRIES; more++) { /* the last ends the approval */
        scene = open_again(&host);
        scene->writer.walk.wrong_codes = more;
        CU_ASSERT_EQUAL(press_wrong_code(scene), ERROR_DEVICE);
        CU_ASSERT_STRING_EQUAL(scene->error.text,
                               "the terminal lost its power when a wrong code was entered and has "
                               "counted it twice");
        terminal_scene_expect_found(scene, 0, 0);
        free(scene);
    }
}

TEST(a_wrong_code_that_was_entered_again_without_a_loss_of_power_is_judged_as_any_other)
{
    struct host host;
    struct terminal_scene *scene = open_again(&host);

    scene->writer.event_count = 0;
    scene->writer.screen_status = ERROR_TIMEOUT; /* it is not looked at */
    CU_ASSERT_EQUAL(press_wrong_code(scene), 0);
    CU_ASSERT(scene->writer.was_awaited);
    CU_ASSERT_EQUAL(scene->writer.asked_screens, 0);
    terminal_scene_expect_found(scene, OF_KEY, 0);
    CU_ASSERT_EQUAL(scene->run.round.refused, 1);
    free(scene);

    scene = open_again(&host); /* the right one; or a wrong one that is not said again */
    CU_ASSERT_EQUAL(press(scene, TERMINAL_CODE), 0);
    CU_ASSERT_EQUAL(scene->writer.told, 0);
    free(scene);
    scene = open_again(&host);
    scene->writer.retried_key = 0;
    CU_ASSERT_EQUAL(press_wrong_code(scene), 0);
    CU_ASSERT_EQUAL(scene->writer.told, 0);
    terminal_scene_expect_found(scene, OF_KEY, 0);
    free(scene);
}

TEST(a_terminal_that_says_nothing_after_a_loss_of_power_ends_the_round)
{
    struct host host;
    struct terminal_scene *scene = open_again(&host);

    scene->writer.event_status = ERROR_TIMEOUT;
    CU_ASSERT_EQUAL(press_wrong_code(scene), ERROR_TIMEOUT);
    CU_ASSERT_EQUAL(scene->writer.asked_screens, 0);
    free(scene);

    scene = open_again(&host);
    scene->writer.screen_status = ERROR_TIMEOUT;
    CU_ASSERT_EQUAL(press_wrong_code(scene), ERROR_TIMEOUT);
    CU_ASSERT_EQUAL(scene->error.code, ERROR_TIMEOUT);
    free(scene);
}
