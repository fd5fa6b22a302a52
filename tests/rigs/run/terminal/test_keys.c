/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keys one by one: where each leads, what it writes into the log, and what the screen shows then.
 */
#include <stdlib.h>
#include <string.h>

#include "devices/wire/host.h"
#include "tests/support/suite.h"
#include "tests/support/terminal_scene.h"

enum { FLUSH, DIAMOND, HANDS }; /* a fixed amount, and meter 1 whole */

#define ADMIN     "8888"
#define SEAT      3
#define OF_KEY    2u /* checks: its answer, and the state there */
#define OF_SCREEN 4u /* the time, the state, wrong codes and the hidden amount */
#define OF_METERS 4u

static struct rig_device device;

/* Seats 3 and 5 have wagered. The terminal is where it must be, with the diamond of seat 3. */
static struct terminal_scene *open_in(enum terminal_state state)
{
    struct terminal_scene *scene = terminal_scene_open();
    struct run *run = &scene->run;

    device =
        (struct rig_device){.address = "emu:terminal", .code = TERMINAL_SCENE_CODE, .admin = ADMIN};
    scene->rig.devices.terminal = &device;
    run->recording.terminal.hand_count = HANDS;
    run->recording.terminal.hands[FLUSH] = (struct terminal_hand){"flush", TERMINAL_NONE, 2000};
    run->recording.terminal.hands[DIAMOND] = (struct terminal_hand){"diamond", 1, 0};
    run->round.live =
        (struct meters){.meter = {{.name = "royal", .value = 900000000},
                                  {.name = "diamond", .value = 70120000, .reseed = 10000000}},
                        .count = 2,
                        .must_hit = -1};
    run->round.is_settled = true;
    run->round.state = state;
    run->round.approving = SEAT;
    run->round.hand = DIAMOND;
    run->round.laid = run->round.sensed = run->round.paid = (seats_t)(seat_bit(SEAT) | seat_bit(5));
    scene->writer.meters = (struct terminal_meters){
        .count = 2,
        .must_hit = TERMINAL_NONE,
        .meter = {{.name = "royal", .micros = 900000000}, {.name = "diamond", .micros = 70120000}}};
    scene->writer.cents[0] = scene->writer.cents[1] = 7012;
    scene->writer.sign = (struct terminal_sign){SEAT, 1, 7012};
    scene->writer.walk = (struct terminal_walk){.state = state,
                                                .laid = run->round.laid,
                                                .sensed = run->round.sensed,
                                                .hands = HANDS,
                                                .approving = SEAT,
                                                .hand = DIAMOND};
    return scene;
}

/* Nothing comes by itself, and nobody says why. */
static struct terminal_scene *open_by_hand(enum terminal_state state)
{
    struct terminal_scene *scene = open_in(state);

    scene->writer.terminal.device.capabilities = 0;
    return scene;
}

static struct terminal_press key_of(enum terminal_key key)
{
    return (struct terminal_press){
        .key = key, .seat = SEAT, .hand = DIAMOND, .code = TERMINAL_SCENE_CODE};
}

static int press(struct terminal_scene *scene, enum terminal_key key)
{
    struct terminal_press pressed = key_of(key);

    return run_press(&scene->run, &pressed, &scene->error);
}

static int press_wrong_code(struct terminal_scene *scene)
{
    struct terminal_press pressed = {
        .key = TERMINAL_CODE, .seat = SEAT, .is_wrong = true, .code = "0000"};

    return run_press(&scene->run, &pressed, &scene->error);
}

static int press_recorded(struct terminal_scene *scene, enum terminal_key key)
{
    struct terminal_press pressed = key_of(key);

    return run_press_recorded(&scene->run, &pressed, &scene->error);
}

static void expect_entry(const struct terminal_scene *scene, unsigned at, unsigned code,
                         unsigned detail, int64_t value)
{
    const struct run_log *log = &scene->run.round.log;

    CU_ASSERT_FATAL(at < log->count);
    CU_ASSERT_EQUAL(log->entries[at].code, code);
    CU_ASSERT_EQUAL(log->entries[at].detail, detail);
    CU_ASSERT_EQUAL(log->entries[at].value, value);
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
        struct terminal_scene *scene = open_in(TERMINAL_OPEN);
        const struct run_log_entry *due = scene->run.round.log.entries;
        nanos_t start = scene->bench.clock.now;

        for (unsigned n = 0; n < 3; n++) {
            run_expect_log(&scene->run, n == 1 ? TERMINAL_LOG_HAND_CHOSEN : cases[i].code, n, 9);
            CU_ASSERT_EQUAL(due[n].told, start + n * NANOS_PER_SECOND);
            scene->bench.clock.now += NANOS_PER_SECOND;
            expect_entry(scene, n, n == 1 ? TERMINAL_LOG_HAND_CHOSEN : cases[i].code, n, 9);
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
        struct terminal_scene *scene = open_in(cases[i].from);
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
            expect_entry(scene, 0, cases[i].code, cases[i].detail, cases[i].value);
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
        struct terminal_scene *scene = open_in(TERMINAL_IDLE);

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
        struct terminal_scene *scene = open_in((enum terminal_state)state);
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
    struct terminal_scene *scene = open_in(TERMINAL_CODE_ENTRY);
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
        expect_entry(scene, n - 1, is_last ? TERMINAL_LOG_CODE_LOCKED : TERMINAL_LOG_CODE_WRONG,
                     SEAT, is_last ? DIAMOND : (int)n);
    }
    CU_ASSERT_FALSE(scene->run.is_code_known);
    CU_ASSERT_EQUAL(scene->writer.keys, TERMINAL_CODE_TRIES); /* none of them once more */
    free(scene);

    scene = open_in(TERMINAL_CODE_ENTRY); /* the screen was found with more */
    scene->run.most_wrong_codes = 2;
    CU_ASSERT_EQUAL(press_wrong_code(scene), 0);
    CU_ASSERT_EQUAL(scene->run.most_wrong_codes, 2);
    free(scene);
}

TEST(a_wrong_code_that_is_accepted_is_told)
{
    struct terminal_scene *scene = open_in(TERMINAL_CODE_ENTRY);
    struct terminal_press pressed = key_of(TERMINAL_CODE);

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
    struct terminal_scene *scene = open_in(TERMINAL_OPEN);
    const struct run_round *round = &scene->run.round;

    CU_ASSERT_EQUAL(press(scene, TERMINAL_OK), 0);
    terminal_scene_expect_found(scene, OF_KEY, 0);
    CU_ASSERT(!round->screen_count && !round->code_entries);
    CU_ASSERT_EQUAL(round->refused, 1);
    CU_ASSERT(round->refusals[0].key == TERMINAL_OK &&
              round->refusals[0].reason == TERMINAL_WRONG_STATE &&
              round->refusals[0].state == TERMINAL_OPEN);
    expect_entry(scene, 0, TERMINAL_LOG_KEY_REFUSED, TERMINAL_OK,
                 TERMINAL_WRONG_STATE << 8 | TERMINAL_OPEN);
    CU_ASSERT_FALSE(scene->writer.was_awaited);
    free(scene);

    scene = open_in(TERMINAL_OPEN);
    scene->writer.key_answer = TERMINAL_NO_WAGER;
    CU_ASSERT_EQUAL(press(scene, TERMINAL_OK), 0);
    terminal_scene_expect_found(scene, OF_KEY - 1, 1);
    terminal_scene_expect_first(scene, "key-refusals", SEAT, "1", "3", "refused");
    CU_ASSERT_STRING_EQUAL(scene->wager, "ok");
    free(scene);

    scene = open_in(TERMINAL_OPEN); /* a code that nobody has asked for is not tried again */
    scene->writer.key_answer = TERMINAL_WRONG_CODE;
    CU_ASSERT_EQUAL(press(scene, TERMINAL_CODE), 0);
    terminal_scene_expect_first(scene, "key-refusals", SEAT, "1", "6", "refused");
    CU_ASSERT_EQUAL(scene->writer.keys, 1);
    free(scene);
}

TEST(more_refusals_than_a_recording_has_keys_are_counted_alone)
{
    struct terminal_scene *scene = open_in(TERMINAL_OPEN);
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
    struct terminal_scene *scene = open_in(TERMINAL_SIGNED);

    scene->writer.walk.state = TERMINAL_CODE_ENTRY;
    CU_ASSERT_EQUAL(press(scene, TERMINAL_CODE), 0);
    terminal_scene_expect_found(scene, 0, OF_KEY);
    terminal_scene_expect_first(scene, "key-refusals", SEAT, "1", "0",
                                "the terminal accepted the key");
    CU_ASSERT_EQUAL(scene->run.round.log.count, 1);
    expect_entry(scene, 0, TERMINAL_LOG_AUTHORIZED, SEAT, DIAMOND);
    CU_ASSERT_EQUAL(scene->run.round.refused, 0);
    free(scene);

    scene = open_in(TERMINAL_OPEN);
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
        struct terminal_scene *scene = open_by_hand(cases[i].run);
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
    struct terminal_scene *scene = open_by_hand(TERMINAL_CODE_ENTRY);

    CU_ASSERT_EQUAL(press_wrong_code(scene), 0);
    terminal_scene_expect_found(scene, 1, 0);
    CU_ASSERT_EQUAL(scene->book.counts.passed[CHECK_AUTHORIZATION], 1);
    free(scene);
}

TEST(a_terminal_that_does_not_answer_a_key_ends_the_round)
{
    static const int statuses[] = {ERROR_TIMEOUT, ERROR_RULE};

    for (unsigned silent = 0; silent < 2; silent++) { /* nobody wants to know why */
        struct terminal_scene *scene = open_in(TERMINAL_OPEN);
        struct terminal_press pressed = key_of(TERMINAL_SEAT);

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
        struct terminal_scene *scene = open_in(TERMINAL_CODE_ENTRY);
        struct terminal_press pressed = key_of(TERMINAL_CODE);

        strcpy(device.code, "9999");
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
    struct terminal_scene *scene = open_in(TERMINAL_CHOOSE);

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
            way == BY_HAND ? open_by_hand(TERMINAL_CHOOSE) : open_in(TERMINAL_CHOOSE);

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
    struct terminal_scene *scene = open_in(TERMINAL_CODE_ENTRY);

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
        struct terminal_scene *scene = open_in(cases[i].from);

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
        struct terminal_scene *scene = open_in(lies[lie].from);
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
    struct terminal_scene *scene = open_in(TERMINAL_CODE_ENTRY);

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
    struct terminal_scene *scene = open_in(TERMINAL_AMOUNT);
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
            way == SIGN ? open_in(TERMINAL_CODE_ENTRY) : open_payment(DIAMOND);
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
        struct terminal_scene *scene = open_in(TERMINAL_SIGNED);
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
        struct terminal_scene *scene = open_in(ways[i / LIES].from);
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
    struct terminal_scene *scene = open_in(TERMINAL_SIGNED);

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
        struct terminal_scene *scene = open_in(cases[i].from);
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
    struct terminal_scene *scene = open_by_hand(TERMINAL_CODE_ENTRY);
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

    scene = open_by_hand(TERMINAL_CODE_ENTRY); /* a key that leads nowhere is not looked at */
    scene->run.round.state = scene->writer.walk.state = TERMINAL_SIGNED;
    scene->writer.sign_status = ERROR_TIMEOUT;
    CU_ASSERT_EQUAL(press_recorded(scene, TERMINAL_CODE), 0);
    CU_ASSERT_EQUAL(scene->run.round.award_count, 0);
    free(scene);

    scene = open_by_hand(TERMINAL_CODE_ENTRY);
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
        struct terminal_scene *scene = open_in(TERMINAL_CHOOSE);
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
        struct terminal_scene *scene = open_in(TERMINAL_CODE_ENTRY);
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
    struct terminal_scene *scene = open_in(TERMINAL_OPEN);

    scene->writer.admin = ADMIN;
    CU_ASSERT_EQUAL(run_try_wrong_admin(&scene->run, &scene->error), 0);
    terminal_scene_expect_found(scene, 1, 0);
    CU_ASSERT_EQUAL(scene->book.counts.passed[CHECK_AUTHORIZATION], 1);
    CU_ASSERT_EQUAL(scene->writer.corrected, 1);
    CU_ASSERT_EQUAL(scene->writer.corrects, 0);
    CU_ASSERT_EQUAL(scene->writer.corrects_to, 900000000);
    CU_ASSERT_EQUAL(scene->run.round.log.count, 1);
    expect_entry(scene, 0, TERMINAL_LOG_ADMINISTRATOR_REFUSED, 0x17, 0);
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
        struct terminal_scene *scene = open_in(cases[i].state);
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
        struct terminal_scene *scene = open_in(TERMINAL_OPEN);

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
    struct terminal_scene *scene = open_by_hand(TERMINAL_OPEN);

    CU_ASSERT_EQUAL(run_try_wrong_admin(&scene->run, &scene->error), 0);
    terminal_scene_expect_found(scene, 0, 0);
    CU_ASSERT_EQUAL(scene->book.counts.skipped[CHECK_AUTHORIZATION], 1);
    CU_ASSERT_STRING_EQUAL(scene->why,
                           "nobody is asked to enter a wrong code of the administrator");
    CU_ASSERT_EQUAL(scene->writer.corrected, 0);
    free(scene);
}
