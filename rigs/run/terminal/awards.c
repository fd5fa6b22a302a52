/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Awards of the terminal: the way of a jackpot, the sign, Must Hit. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "rigs/run/observation.h"
#include "rigs/run/terminal/terminal.h"

int run_winning_hand(const struct run *run, unsigned seat)
{
    const struct settlement *outcome = &run->round.outcome;
    const struct terminal_config *config = &run->recording.terminal;
    cents_t cash = outcome->seat[seat].net[run->recording.progressive] +
                   run->round.dealt.bets[seat][run->recording.progressive];

    if (outcome->is_void)
        return -1;
    for (unsigned i = 0; i < outcome->award_count; i++)
        for (int hand = 0; outcome->awards[i].seat == seat && hand < config->hand_count; hand++)
            if (config->hands[hand].meter == outcome->awards[i].meter)
                return hand;
    for (int hand = 0; cash && hand < config->hand_count; hand++)
        if (config->hands[hand].meter == TERMINAL_NONE && config->hands[hand].cents == cash)
            return hand;
    return -1;
}

/* The same of a seat that has a progressive wager; below 0: none. */
static int hand_due(const struct run *run, unsigned seat)
{
    return run->round.paid & seat_bit(seat) ? run_winning_hand(run, seat) : -1;
}

cents_t run_pay_hand(struct run *run, unsigned hand)
{
    const struct terminal_hand *paid = &run->recording.terminal.hands[hand];
    cents_t pays;

    run->round.booking = (struct run_booking){.hand = (uint8_t)hand};
    if (paid->meter == TERMINAL_NONE)
        return (cents_t)paid->cents;
    run->round.booking.before = run->round.live.meter[paid->meter].value;
    pays = meters_award(&run->round.live, paid->meter);
    run->round.booking.after = run->round.live.meter[paid->meter].value;
    return pays;
}

/* Which meter it is of is not on a sign that somebody reads. */
void run_compare_sign(struct run *run, const struct terminal_sign *sign, const char *why)
{
    const struct terminal_sign *due = &run->round.sign;

    check_number(run->book, CHECK_SIGN_AMOUNT, due->seat, "seat", due->seat, sign->seat, why);
    if (!due->seat || !sign->seat)
        return;
    check_number(run->book, CHECK_SIGN_AMOUNT, due->seat, "cents", (int64_t)due->cents,
                 (int64_t)sign->cents, why);
    if (run_terminal_tells(run))
        check_number(run->book, CHECK_SIGN_AMOUNT, due->seat, "meter", due->meter, sign->meter,
                     why);
}

void run_expect_sign(struct run *run, unsigned seat, unsigned meter, cents_t pays)
{
    run->round.signs_ended += run->round.sign.seat && !seat;
    run->round.sign = (struct terminal_sign){
        .seat = (uint8_t)seat, .meter = (uint8_t)meter, .cents = (uint64_t)pays};
    if (!seat || (run->round.sign_count &&
                  run_is_sign(&run->round.signs[run->round.sign_count - 1], &run->round.sign)))
        return;
    run->recording.sign = run->round.sign;
    if (run->round.sign_count <= SEATS_MAX)
        run->round.signs[run->round.sign_count++] = run->round.sign;
}

int run_check_sign(struct run *run, const char *why, struct error *error)
{
    struct terminal_sign sign;
    int status = terminal_sign(run->bench->terminal, &sign, error);

    if (!status)
        run_compare_sign(run, &sign, why);
    return status;
}

void run_leave_sign(struct run *run)
{
    run->recording.sign_left = run->round.sign;
    run->recording.is_sign_left = true;
}

int run_check_left_sign(struct run *run, const char *why, struct error *error)
{
    const struct terminal_sign due = run->round.sign;
    int status;

    if (!run->recording.is_sign_left || !run_terminal_tells(run))
        return 0;
    run->round.sign = run->recording.sign_left;
    status = run_check_sign(run, why, error);
    run->round.sign = due;
    return status;
}

static bool awards_told(const struct run *run)
{
    return run->round.award_count >= run->round.awards_awaited;
}

int run_terminal_listen(struct run *run, unsigned awards, struct error *error)
{
    run->round.awards_awaited = awards;
    return run_listen(run, awards_told, run->bench->rig->timing.jackpot, error);
}

int run_check_award(struct run *run, unsigned seat, unsigned hand, cents_t pays,
                    struct error *error)
{
    unsigned before = run->round.awards_before;
    const struct award *award = &run->round.awards[before];
    const char *what = run->recording.terminal.hands[hand].name;
    int status;

    run->round.awards_due++;
    status = run_terminal_listen(run, before + 1, error);
    if (status)
        return status;
    check_number(run->book, CHECK_JACKPOTS, seat, what, 1, run->round.award_count - before,
                 "awards told by the terminal in one approval");
    if (run->round.award_count == before)
        return 0;
    /* After an award that was told out of turn, later entries cannot be told apart. */
    if (run->round.booking_count == before)
        run->round.bookings[run->round.booking_count++] = run->round.booking;
    check_number(run->book, CHECK_JACKPOTS, seat, what, seat, award->seat, "seat of the award");
    check_number(run->book, CHECK_JACKPOTS, seat, what, hand, run->round.award_hands[before],
                 "hand of the award");
    check_number(run->book, CHECK_JACKPOTS, seat, what, run->recording.terminal.hands[hand].meter,
                 award->meter, "meter of the award, 255 for none");
    check_number(run->book, CHECK_JACKPOTS, seat, what, pays, award->pays, "cents of the award");
    return 0;
}

static void expect_approval(struct run *run, unsigned seat, unsigned hand,
                            const struct terminal_approval *approval)
{
    run->round.won |= seat_bit(seat);
    run_expect_log(run, TERMINAL_LOG_HAND_CHOSEN, seat, (int)hand);
    if (approval->refusal) {
        run->round.state = TERMINAL_CODE_ENTRY;
        run_expect_refusal(run, TERMINAL_CODE, approval->refusal);
        run->round.state = TERMINAL_OPEN;
    }
    run_expect_log(run, TERMINAL_LOG_AUTHORIZED, seat, (int)hand);
    run_expect_log(run, TERMINAL_LOG_JACKPOT_PAID, seat, RUN_LOG_ANY);
}

/* The screens of an approval, from the seat until the round is open again. */
static void expect_screens(struct run *run, unsigned seat, unsigned hand,
                           const struct meters *unpaid, bool has_probed)
{
    enum terminal_state before = run->round.state;
    struct meters paid = run->round.live;
    struct terminal_screen screen;

    run->round.live = *unpaid;
    run->round.approving = seat;
    run->round.hand = hand;
    run->round.wrong_codes = 0;
    for (unsigned state = TERMINAL_CHOOSE; state <= TERMINAL_SIGNED; state++) {
        run->round.state = (enum terminal_state)state;
        screen = run_screen_due(run);
        run_expect_screen(run, &screen, false);
        if (!has_probed || state != TERMINAL_CODE_ENTRY)
            continue;
        run_count_wrong_code(run);
        screen = run_screen_due(run);
        run_expect_screen(run, &screen, true);
    }
    run->round.state = before;
    run->round.live = paid;
    run_expect_screen(run, &(struct terminal_screen){.state = before, .hand = TERMINAL_NONE},
                      false);
}

static bool has_lost_power(const struct run *run)
{
    return run->round.device_failed;
}

/* A key that is refused has done nothing, unless the terminal has lost its power meanwhile. */
static int check_pretence(struct run *run, unsigned seat, const char *what,
                          const struct terminal_approval *approval, struct error *error)
{
    int status = 0;

    if (approval->pretended && !run->round.device_failed)
        status = run_listen(run, has_lost_power, run->bench->rig->timing.jackpot, error);
    if (!status && !run->round.device_failed)
        check_number(run->book, CHECK_KEY_REFUSALS, seat, what, 0, approval->pretended,
                     "a key was refused for the state, and has done its work all the same");
    return status;
}

/* The approval as it was seen from outside. */
static void check_approval(struct run *run, const struct terminal_approval *approval,
                           const char *what, cents_t pays)
{
    unsigned seat = run->round.sign.seat;

    check_number(run->book, CHECK_AMOUNT_HIDDEN, seat, what, 0, approval->early,
                 "the amount is on the screen before the code was entered");
    check_number(run->book, CHECK_JACKPOTS, seat, what, pays, (int64_t)approval->cents,
                 "cents that the terminal shows");
    check_number(run->book, CHECK_JACKPOTS, seat, what, pays, (int64_t)approval->cents_signed,
                 "cents that the terminal shows beside the sign");
    check_number(run->book, CHECK_KEY_REFUSALS, seat, what, 0, approval->misstated,
                 "a reply to a key has another state than the screen");
    run_compare_sign(run, &approval->sign, "on the sign");
}

/* Why no wrong code is to be tried, or NULL. */
static const char *why_not_probed(const struct run *run)
{
    const struct rig_device *terminal = run->bench->rig->devices.terminal;

    if (terminal->probe_codes == RIG_LEAVES_CODES)
        return "the rig says probe-codes: false";
    if (run->recording.observation && run->recording.observation->keeps_meters)
        return "no wrong code is tried on a terminal that keeps its meters";
    if (strncmp(terminal->address, "emu:", 4) != 0 && !run->recording.terminal_test_mode)
        return "no wrong code is tried on a terminal that is not in test mode";
    return NULL;
}

/* In the first approval a wrong code is tried first, of the administrator and of the award. */
static int begin_probe(struct run *run, bool *probes, struct error *error)
{
    const char *why = why_not_probed(run);

    if (run->recording.was_probed)
        return 0;
    run->recording.was_probed = true;
    if (why) {
        check_skip(run->book, CHECK_AUTHORIZATION, why);
        return 0;
    }
    *probes = true;
    return run_try_wrong_admin(run, error);
}

/* The same key by key, where time passes before OK. */
static int approve_slowly(struct run *run, unsigned seat, unsigned hand, bool probes,
                          struct error *error)
{
    struct terminal_press keys[] = {{.key = TERMINAL_SEAT},
                                    {.key = TERMINAL_HAND, .hand = (uint8_t)hand},
                                    {.key = TERMINAL_PENDING_JACKPOT},
                                    {.key = TERMINAL_PAY_JACKPOT},
                                    {.key = TERMINAL_CODE, .is_wrong = true},
                                    {.key = TERMINAL_CODE},
                                    {.key = TERMINAL_PAY_JACKPOT},
                                    {.key = TERMINAL_OK}};
    int status = 0;

    for (unsigned i = 0; i < sizeof keys / sizeof keys[0] && !status; i++) {
        if (keys[i].is_wrong && !probes)
            continue;
        keys[i].seat = (uint8_t)seat;
        status = run_press_recorded(run, &keys[i], error);
    }
    return status;
}

static int approve(struct run *run, unsigned seat, unsigned hand, bool probes, struct error *error)
{
    const char *what = run->recording.terminal.hands[hand].name;
    uint8_t meter = run->recording.terminal.hands[hand].meter;
    struct meters unpaid = run->round.live;
    cents_t pays = run_pay_hand(run, hand);
    struct terminal_approval approval;
    struct error why;
    const char *code = run->bench->rig->devices.terminal->code;
    struct terminal *terminal = run->bench->terminal;
    int status = probes ? terminal_approve_probing(terminal, seat, hand, code, &approval, &why)
                        : terminal_approve(terminal, seat, hand, code, &approval, &why);

    if (status == TERMINAL_WRONG_CODE && run_code_refused(run, &why))
        status = why.code;
    if (status < 0) {
        if (error)
            *error = why;
        return status;
    }
    run->is_code_known |= !status;
    run->round.awards_before = run->round.award_count;
    check_number(run->book, CHECK_KEY_REFUSALS, seat, what, 0, status,
                 status ? why.text : "the way of a jackpot");
    run->round.log.is_unsure |= status != 0;
    if (status)
        return 0;
    expect_screens(run, seat, hand, &unpaid, approval.has_probed);
    expect_approval(run, seat, hand, &approval);
    if (approval.has_probed)
        check_number(run->book, CHECK_AUTHORIZATION, seat, what, TERMINAL_WRONG_CODE,
                     approval.refusal, "reason for which a wrong code is refused");
    run_time(run, RUN_JACKPOT, approval.longest, run->bench->rig->timing.jackpot);
    run_expect_sign(run, seat, meter, pays);
    check_approval(run, &approval, what, pays);
    status = run_check_award(run, seat, hand, pays, error);
    if (!status)
        status = check_pretence(run, seat, what, &approval, error);
    run_expect_sign(run, 0, 0, 0);
    if (!status)
        status = run_check_sign(run, "after OK", error);
    return status ? status
                  : run_check_meters(run, &run->round.live, meter != TERMINAL_NONE,
                                     "after PAY JACKPOT", error);
}

static int approve_one(struct run *run, unsigned seat, unsigned hand, struct error *error)
{
    bool probes = false;
    int status = begin_probe(run, &probes, error);

    if (status)
        return status;
    if (!run_terminal_tells(run))
        return run_approve_by_hand(run, seat, hand, error);
    return run->bench->rig->timing.dwell ? approve_slowly(run, seat, hand, probes, error)
                                         : approve(run, seat, hand, probes, error);
}

int run_approve_all(struct run *run, struct error *error)
{
    int status = 0;

    /* An approval that was refused leaves the terminal in the middle of it: no other follows. */
    for (unsigned seat = SEATS_MAX;
         run->round.is_settled && seat && !status && !run->round.log.is_unsure; seat--) {
        int hand = hand_due(run, seat);

        if (hand >= 0)
            status = approve_one(run, seat, (unsigned)hand, error);
    }
    return status;
}

int run_check_must_hit(struct run *run, unsigned before, struct error *error)
{
    const struct award *award = &run->round.awards[before];
    unsigned expected = run->round.sign.seat;
    bool is_told;
    int status;

    run->round.awards_due += expected != 0;
    status = run_terminal_listen(run, before + (expected != 0), error);
    if (status || run->recording.meters.must_hit < 0)
        return status;
    is_told = run->round.award_count > before;
    check_number(run->book, CHECK_MUST_HIT_SEAT, expected, "must-hit", expected,
                 is_told ? award->seat : 0, "seat of the Must Hit award");
    if (is_told)
        check_number(run->book, CHECK_MUST_HIT_SEAT, award->seat, "must-hit", 1,
                     run->round.paid & seat_bit(award->seat) ? 1 : 0,
                     "only a paid seat may win it");
    if (!expected || !is_told)
        return 0;
    check_number(run->book, CHECK_JACKPOTS, expected, "must-hit", run->recording.meters.must_hit,
                 award->meter, "meter of Must Hit");
    check_number(run->book, CHECK_JACKPOTS, expected, "must-hit", (int64_t)run->round.sign.cents,
                 award->pays, "cents of Must Hit");
    return run_check_sign(run, "on the sign after END ROUND", error);
}

/* A payment of a hand; in a list of them a last one has seat 0. */
struct payment {
    unsigned seat, hand;
    cents_t pays;
};

/* What the settlement owes, right to left. A cancelled round pays nothing by the terminal. */
static void find_due(const struct run *run, struct payment due[SEATS_MAX + 1])
{
    const struct settlement *outcome = &run->round.outcome;
    unsigned count = 0;

    for (unsigned seat = SEATS_MAX; seat && !run->round.dealt.cancelled; seat--) {
        int hand = hand_due(run, seat);

        if (hand < 0)
            continue;
        due[count] = (struct payment){seat, (unsigned)hand,
                                      (cents_t)run->recording.terminal.hands[hand].cents};
        for (unsigned i = 0; i < outcome->award_count; i++)
            if (outcome->awards[i].seat == seat &&
                outcome->awards[i].meter == run->recording.terminal.hands[hand].meter)
                due[count].pays = outcome->awards[i].pays;
        count++;
    }
    due[count].seat = 0;
}

static const char *payment_text(const struct run *run, const struct payment *payment,
                                char text[128])
{
    const struct terminal_config *config = &run->recording.terminal;

    if (!payment->seat)
        return "null";
    snprintf(text, 128, "{\"seat\":%u,\"hand\":\"%s\",\"pays\":%jd}", payment->seat,
             payment->hand < config->hand_count ? config->hands[payment->hand].name : "none",
             (intmax_t)payment->pays);
    return text;
}

static void compare_payment(struct run *run, const struct payment *due, const struct payment *paid)
{
    char expected[128], got[128];
    bool is_same = due->seat == paid->seat;

    if (is_same && due->seat)
        is_same = due->hand == paid->hand && due->pays == paid->pays;
    if (is_same) {
        check_pass(run->book, CHECK_PROCEDURE);
        return;
    }
    check_fail(run->book, CHECK_PROCEDURE,
               (struct check_result){.seat = due->seat ? due->seat : paid->seat,
                                     .expected = payment_text(run, due, expected),
                                     .got = payment_text(run, paid, got),
                                     .engine = payment_text(run, due, expected),
                                     .device = payment_text(run, paid, got),
                                     .why = !due->seat    ? "paid, but nobody has won that"
                                            : !paid->seat ? "won, but not paid"
                                                          : "paid in this turn"});
}

void run_check_procedure(struct run *run)
{
    struct payment due[SEATS_MAX + 1], paid;
    unsigned turn = 0;

    if (run->round.recorded.is_free) {
        check_skip(run->book, CHECK_PROCEDURE, "the round says that its procedure is free");
        return;
    }
    if (!run->round.is_settled)
        return;
    find_due(run, due);
    for (unsigned i = 0; i < run->round.award_count; i++) {
        if (run->round.award_hands[i] == TERMINAL_NONE)
            continue;
        paid = (struct payment){run->round.awards[i].seat, run->round.award_hands[i],
                                run->round.awards[i].pays};
        compare_payment(run, &due[turn], &paid);
        turn += due[turn].seat != 0;
    }
    for (; due[turn].seat; turn++)
        compare_payment(run, &due[turn], &(struct payment){0});
    if (!due[0].seat)
        check_pass(run->book, CHECK_PROCEDURE);
}

void run_check_award_count(struct run *run)
{
    check_number(run->book, CHECK_JACKPOTS, 0, NULL, run->round.awards_due, run->round.award_count,
                 "awards told by the terminal in this round");
}
