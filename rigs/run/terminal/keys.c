/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keys of the terminal: where each must lead, and what must be on the screen after it. */
#include <stdio.h>
#include <string.h>

#include "devices/terminal/walk.h"
#include "rigs/run/events.h"
#include "rigs/run/terminal/terminal.h"

/* The request's type, as the log has it. */
#define CORRECT_METER 0x17

void run_expect_log(struct run *run, enum terminal_log_code code, unsigned detail, int64_t value)
{
    const struct run_log *log = &run->round.log;
    bool is_pressed = code == TERMINAL_LOG_ROUND_STARTED || code == TERMINAL_LOG_ROUND_ENDED ||
                      code == TERMINAL_LOG_ROUND_CANCELLED;

    /* What is due above was known before the key was pressed. */
    run_log_add(&run->round.log, code, detail, value,
                is_pressed && log->count ? log->entries[log->count - 1].told : 0,
                clock_now(&run->bench->clock));
}

void run_count_wrong_code(struct run *run)
{
    run->round.wrong_codes++;
    run->round.code_entries++;
    if (run->round.wrong_codes > run->most_wrong_codes)
        run->most_wrong_codes = run->round.wrong_codes;
}

/* Why a key must be refused, or 0; the state is then the one that it leads to. */
static int predict(struct run *run, const struct terminal_press *key)
{
    struct terminal_walk walk = {.state = run->round.state,
                                 .laid = run->round.laid,
                                 .sensed = run->round.sensed,
                                 .won = run->round.won,
                                 .hands = run->recording.terminal.hand_count,
                                 .approving = run->round.approving,
                                 .hand = run->round.hand,
                                 .wrong_codes = run->round.wrong_codes};
    int refusal = terminal_walk_press(&walk, key);

    if (refusal == TERMINAL_WRONG_CODE || refusal == TERMINAL_CODE_LOCKED)
        run_count_wrong_code(run);
    run->round.code_entries += refusal == TERMINAL_CODE_LOCKED;
    run->round.state = walk.state;
    run->round.won = walk.won;
    run->round.approving = walk.approving;
    run->round.hand = walk.hand;
    run->round.wrong_codes = walk.wrong_codes;
    return refusal;
}

/* As the log has it. */
static int64_t round_number(const struct run *run)
{
    uint32_t wide = run->bench->terminal->device.is_wide ? UINT32_MAX : UINT16_MAX;

    return run->recording.is_counted ? (int64_t)(run->recording.rounds_started & wide)
                                     : RUN_LOG_ANY;
}

/* What a key that was accepted writes into the log. */
static void expect_entry(struct run *run, enum terminal_key key)
{
    unsigned seat = run->round.approving;

    switch (key) {
    case TERMINAL_START_ROUND:
        run->recording.rounds_started++;
        run_expect_log(run, TERMINAL_LOG_ROUND_STARTED, run->round.sensed, round_number(run));
        break;
    case TERMINAL_CANCEL_ROUND:
        run_expect_log(run, TERMINAL_LOG_ROUND_CANCELLED, run->round.sensed, round_number(run));
        break;
    case TERMINAL_END_ROUND:
        run_expect_log(run, TERMINAL_LOG_ROUND_ENDED, run->round.sensed, round_number(run));
        break;
    case TERMINAL_HAND:
        run_expect_log(run, TERMINAL_LOG_HAND_CHOSEN, seat, (int)run->round.hand);
        break;
    case TERMINAL_NO_HAND:
        run_expect_log(run, TERMINAL_LOG_HAND_UNDONE, seat, TERMINAL_NONE);
        break;
    case TERMINAL_CANCEL_JACKPOT:
        run_expect_log(run, TERMINAL_LOG_JACKPOT_CANCELLED, seat, (int)run->round.hand);
        break;
    case TERMINAL_ESC:
        run_expect_log(run, TERMINAL_LOG_CODE_ESCAPED, seat, (int)run->round.hand);
        break;
    case TERMINAL_CODE:
        run_expect_log(run, TERMINAL_LOG_AUTHORIZED, seat, (int)run->round.hand);
        break;
    case TERMINAL_PAY_JACKPOT:
        if (run->round.state == TERMINAL_SIGNED)
            run_expect_log(run, TERMINAL_LOG_JACKPOT_PAID, seat, RUN_LOG_ANY);
        break;
    default:
        break;
    }
}

struct terminal_screen run_screen_due(const struct run *run)
{
    enum terminal_state state = run->round.state;
    struct meters meters = run->round.live;
    struct terminal_screen screen = {.state = state, .hand = TERMINAL_NONE};
    const struct terminal_hand *hand = &run->recording.terminal.hands[run->round.hand];

    if (state >= TERMINAL_CHOOSE)
        screen.seat = (uint8_t)run->round.approving;
    if (state >= TERMINAL_PENDING)
        screen.hand = (uint8_t)run->round.hand;
    if (state == TERMINAL_CODE_ENTRY)
        screen.wrong_codes = (uint8_t)run->round.wrong_codes;
    if (state >= TERMINAL_AMOUNT)
        screen.cents = hand->meter == TERMINAL_NONE ? hand->cents
                                                    : (uint64_t)meters_award(&meters, hand->meter);
    return screen;
}

void run_expect_refusal(struct run *run, enum terminal_key key, int reason)
{
    if (run->round.refused < RUN_KEYS_MAX)
        run->round.refusals[run->round.refused] =
            (struct run_refusal){(uint8_t)key, (uint8_t)reason, (uint8_t)run->round.state};
    run->round.refused++;
    if (reason == TERMINAL_WRONG_CODE)
        run_expect_log(run, TERMINAL_LOG_CODE_WRONG, run->round.approving,
                       (int)run->round.wrong_codes);
    else if (reason == TERMINAL_CODE_LOCKED)
        run_expect_log(run, TERMINAL_LOG_CODE_LOCKED, run->round.approving, (int)run->round.hand);
    else
        run_expect_log(run, TERMINAL_LOG_KEY_REFUSED, key, reason << 8 | (int)run->round.state);
}

/* A key did its work although its repeat is refused, if the terminal has lost its power. */
static bool has_restarted(const struct run *run)
{
    return run->round.device_failed;
}

/* What such a key has put on the screen and the sign is told before the loss of power is. */
static void expect_done(struct run *run, bool is_open)
{
    const struct terminal_hand *hand = &run->recording.terminal.hands[run->round.hand];
    struct terminal_screen screen = run_screen_due(run);

    run_expect_screen(run, &screen, is_open);
    if (run->round.state == TERMINAL_SIGNED)
        run_expect_sign(run, run->round.approving, hand->meter, (cents_t)screen.cents);
}

/*
 * A wrong code that was entered again, because the terminal lost its power before it answered, may
 * count twice: then the keys that follow mean something else, and the round is over.
 */
static int follow_restart(struct run *run, struct error *error)
{
    struct terminal_screen screen;
    int status = run_listen(run, has_restarted, run->bench->rig->timing.jackpot, error);

    if (status || !run->round.device_failed)
        return status;
    status = terminal_screen(run->bench->terminal, &screen, error);
    if (status || (screen.state == run->round.state &&
                   run_wrong_codes_agree(run, &screen, run->round.wrong_codes)))
        return status;
    return error_set(error, ERROR_DEVICE,
                     "the terminal lost its power when a wrong code was entered and has counted it "
                     "twice");
}

static uint64_t retries(const struct run *run)
{
    const struct host *host = device_host(&run->bench->terminal->device);

    return host ? host->counts.retries : 0;
}

static void check_key(struct run *run, const struct terminal_press *key, int expected, int refusal,
                      const char *why)
{
    char name[TERMINAL_KEY_TEXT];

    /* Whoever reads it off sees that a key is refused, not why. */
    if (!run_terminal_tells(run)) {
        check_number(run->book, key->is_wrong ? CHECK_AUTHORIZATION : CHECK_KEY_REFUSALS, key->seat,
                     terminal_key_name(key, &run->recording.terminal, name), expected != 0,
                     refusal != 0, "whether the terminal refuses the key");
        return;
    }
    check_number(run->book, key->is_wrong ? CHECK_AUTHORIZATION : CHECK_KEY_REFUSALS, key->seat,
                 terminal_key_name(key, &run->recording.terminal, name), expected, refusal, why);
    check_number(run->book, CHECK_KEY_REFUSALS, key->seat, NULL, run->round.state,
                 run->bench->terminal->answered, "state in the reply to a key");
}

int run_press(struct run *run, const struct terminal_press *key, struct error *error)
{
    uint64_t before = retries(run);
    int expected = predict(run, key);
    bool is_wrong_again;
    struct error why;
    nanos_t pressed = clock_now(&run->bench->clock);
    int refusal = terminal_key(run->bench->terminal, key, &why);

    run->round.key_took = clock_now(&run->bench->clock) - pressed;
    run->round.awards_before = run->round.award_count;
    if (refusal < 0) {
        if (error)
            *error = why;
        return refusal;
    }
    run_tell_key(run, key, refusal);
    if (key->key == TERMINAL_CODE && !key->is_wrong) {
        int status = refusal == TERMINAL_WRONG_CODE && !expected ? run_code_refused(run, error) : 0;

        if (status)
            return status;
        run->is_code_known |= !refusal;
    }
    /* A wrong code where none is asked for does nothing. */
    if (!expected || expected == TERMINAL_WRONG_CODE || expected == TERMINAL_CODE_LOCKED)
        expect_done(run, expected == TERMINAL_WRONG_CODE);
    is_wrong_again = key->is_wrong && retries(run) != before;
    if (is_wrong_again ||
        (!expected && refusal == TERMINAL_WRONG_STATE && run_terminal_tells(run) &&
         run->bench->terminal->answered == run->round.state)) {
        int status = is_wrong_again
                         ? follow_restart(run, error)
                         : run_listen(run, has_restarted, run->bench->rig->timing.jackpot, error);

        if (status || run->round.device_failed)
            return status;
    }
    if (refusal && run_terminal_tells(run))
        run_expect_refusal(run, key->key, refusal);
    else if (!refusal)
        expect_entry(run, key->key);
    check_key(run, key, expected, refusal, refusal ? why.text : "the terminal accepted the key");
    return 0;
}

static void check_screen(struct run *run, const struct terminal_screen *screen)
{
    check_number(run->book, CHECK_KEY_REFUSALS, 0, NULL, run->round.state, screen->state,
                 "state of the terminal after the key");
    if (run->round.state >= TERMINAL_CHOOSE)
        check_number(run->book, CHECK_KEY_REFUSALS, run->round.approving, NULL,
                     run->round.approving, screen->seat, "seat on the screen");
    if (run->round.state >= TERMINAL_PENDING)
        check_number(run->book, CHECK_KEY_REFUSALS, run->round.approving, NULL, run->round.hand,
                     screen->hand, "hand on the screen");
    check_number(run->book, CHECK_KEY_REFUSALS, run->round.approving, NULL, 1,
                 run_wrong_codes_agree(run, screen, run->round.wrong_codes),
                 "the screen has as many wrong codes as were entered");
    if (run->round.state < TERMINAL_AMOUNT)
        check_number(run->book, CHECK_AMOUNT_HIDDEN, screen->seat, NULL, 0, screen->amount_shown,
                     "the amount is on the screen before the code was entered");
}

/* Money on the screen, then on the sign, in an approval key by key. */
static int check_money(struct run *run, const struct terminal_screen *screen, struct error *error)
{
    unsigned seat = run->round.approving, hand = run->round.hand;
    struct meters before = run->round.live;
    cents_t pays = run_pay_hand(run, hand);
    int status;

    check_number(run->book, CHECK_JACKPOTS, seat, run->recording.terminal.hands[hand].name, pays,
                 (int64_t)screen->cents, "cents that the terminal shows");
    if (run->round.state == TERMINAL_AMOUNT) {
        run->round.live = before;
        return 0;
    }
    status = run_check_sign(run, "on the sign", error);
    if (!status)
        status = run_check_award(run, seat, hand, pays, error);
    return status ? status
                  : run_check_meters(run, &run->round.live,
                                     run->recording.terminal.hands[hand].meter != TERMINAL_NONE,
                                     "after PAY JACKPOT", error);
}

/* A recorded key of an approval: "hand" alone is the hand that the engine sees. */
static void complete_key(const struct run *run, struct terminal_press *key)
{
    if (key->key == TERMINAL_HAND && key->hand == TERMINAL_NONE && key->seat) {
        int hand = run_winning_hand(run, key->seat);

        key->hand = hand < 0 ? 0 : (uint8_t)hand;
    }
    if (key->key == TERMINAL_CODE && key->is_wrong)
        terminal_wrong_code(run->bench->rig->devices.terminal->code, key->code);
    else if (key->key == TERMINAL_CODE)
        snprintf(key->code, sizeof key->code, "%s", run->bench->rig->devices.terminal->code);
}

/* CORRECT METER with a wrong code, to the value that the meter has. */
int run_try_wrong_admin(struct run *run, struct error *error)
{
    enum terminal_state state = run->round.state;
    char wrong[TERMINAL_CODE_MAX + 1];
    struct error why;
    unsigned refusal;
    int status;

    if (!run_terminal_tells(run)) {
        check_skip(run->book, CHECK_AUTHORIZATION,
                   "nobody is asked to enter a wrong code of the administrator");
        return 0;
    }
    terminal_wrong_code(run->bench->rig->devices.terminal->admin, wrong);
    status = terminal_correct(run->bench->terminal, wrong, 0,
                              (uint64_t)run->round.live.meter[0].value, "a wrong code", &why);
    refusal = status == ERROR_DEVICE ? device_refusal(&run->bench->terminal->device) : 0;
    if (status && !refusal) {
        if (error)
            *error = why;
        return status;
    }
    /* In the middle of an approval both reasons hold, and either may be said. */
    if (refusal == REFUSED_STATE && state > TERMINAL_OPEN)
        refusal = REFUSED_AUTHORIZATION;
    else if (refusal)
        run_expect_log(run, TERMINAL_LOG_ADMINISTRATOR_REFUSED, CORRECT_METER, 0);
    check_number(run->book, CHECK_AUTHORIZATION, 0, "wrong-admin", REFUSED_AUTHORIZATION, refusal,
                 "CORRECT METER with a wrong code of the administrator");
    return 0;
}

/* Somebody pays what the sign shows, which takes time; it must be there until OK. */
static int dwell(struct run *run, struct error *error)
{
    struct bench *bench = run->bench;
    uint32_t millis = bench->rig->timing.dwell;
    int status;

    if (!millis)
        return 0;
    status = hal_wait(&bench->hal, -1, 0, clock_deadline(&bench->clock, millis), error);
    if (!status)
        status = run_listen(run, NULL, 0, error);
    return status ? status : run_check_sign(run, "on the sign before OK", error);
}

int run_press_recorded(struct run *run, struct terminal_press *key, struct error *error)
{
    enum terminal_state before = run->round.state;
    struct terminal_screen screen;
    nanos_t asked;
    int status;

    complete_key(run, key);
    status = key->key == TERMINAL_OK && before == TERMINAL_SIGNED ? dwell(run, error) : 0;
    if (!status)
        status = run_press(run, key, error);
    if (!status && !run_terminal_tells(run))
        return run->round.state == before ? 0 : run_read_award(run, before, error);
    asked = clock_now(&run->bench->clock);
    if (!status)
        status = terminal_screen(run->bench->terminal, &screen, error);
    if (status)
        return status;
    run_time(run, RUN_JACKPOT, run->round.key_took + clock_now(&run->bench->clock) - asked,
             run->bench->rig->timing.jackpot);
    check_screen(run, &screen);
    if (run->round.state == before || screen.state != run->round.state)
        return 0;
    if (run->round.state == TERMINAL_AMOUNT || run->round.state == TERMINAL_SIGNED)
        return check_money(run, &screen, error);
    if (run->round.state != TERMINAL_OPEN || before < TERMINAL_CHOOSE)
        return 0;
    run_expect_sign(run, 0, 0, 0);
    status = run_check_sign(run, before == TERMINAL_SIGNED ? "after OK" : "after a way out", error);
    /* A way out has paid nothing; that the ledger has nothing of it shows when the round ends. */
    return status || before == TERMINAL_SIGNED
               ? status
               : run_check_meters(run, &run->round.live, false, "after a way out", error);
}
