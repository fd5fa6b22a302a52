/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Awards of a terminal that tells nothing by itself: what somebody reads off screen and sign. */
#include "rigs/run/events.h"
#include "rigs/run/terminal/terminal.h"

/* What the screen shows after the code. */
static int read_amount(struct run *run, struct error *error)
{
    const struct terminal_hand *hand = &run->recording.terminal.hands[run->round.hand];
    struct meters unpaid = run->round.live;
    cents_t pays = run_pay_hand(run, run->round.hand);
    struct terminal_screen screen;
    int status = terminal_screen(run->bench->terminal, &screen, error);

    run->round.live = unpaid;
    if (!status)
        check_number(run->book, CHECK_JACKPOTS, run->round.approving, hand->name, pays,
                     (int64_t)screen.cents, "cents that the terminal shows");
    return status;
}

/* What the sign shows after PAY JACKPOT: the award that was paid, as far as anybody can see. */
static int read_sign(struct run *run, struct error *error)
{
    unsigned seat = run->round.approving, hand = run->round.hand, at = run->round.award_count;
    uint8_t meter = run->recording.terminal.hands[hand].meter;
    cents_t pays = run_pay_hand(run, hand);
    struct terminal_sign sign;
    int status = terminal_sign(run->bench->terminal, &sign, error);

    if (status)
        return status;
    run_expect_sign(run, seat, meter, pays);
    run_compare_sign(run, &sign, "on the sign");
    run->round.won |= seat_bit(seat);
    run->round.awards_due++;
    if (!sign.seat || at > SEATS_MAX)
        return 0;
    run->round.award_hands[at] = (uint8_t)hand;
    run->round.awards[run->round.award_count++] =
        (struct award){.seat = sign.seat, .meter = meter, .pays = (cents_t)sign.cents};
    return 0;
}

int run_read_award(struct run *run, enum terminal_state before, struct error *error)
{
    if (run->round.state == TERMINAL_AMOUNT)
        return read_amount(run, error);
    if (run->round.state == TERMINAL_SIGNED)
        return read_sign(run, error);
    if (run->round.state == TERMINAL_OPEN && before == TERMINAL_SIGNED)
        run_expect_sign(run, 0, 0, 0);
    return 0;
}

/* Keys that lead on together; what comes of the last is read. */
static int press_together(struct run *run, const struct terminal_press *keys, unsigned count,
                          enum terminal_state leads_to, struct error *error)
{
    enum terminal_state before = run->round.state;
    unsigned seat = run->round.approving;
    struct error why;
    int refusal = terminal_keys(run->bench->terminal, keys, count, &why);

    if (refusal < 0) {
        if (error)
            *error = why;
        return refusal;
    }
    for (unsigned i = 0; i < count; i++)
        run_tell_key(run, &keys[i], refusal);
    check_number(run->book, CHECK_KEY_REFUSALS, seat,
                 run->recording.terminal.hands[run->round.hand].name, 0, refusal != 0,
                 refusal ? why.text : "the way of a jackpot");
    run->round.log.is_unsure |= refusal != 0;
    if (refusal)
        return 0;
    run->round.state = leads_to;
    return run_read_award(run, before, error);
}

/* The way of a jackpot at a terminal that somebody works: three questions. */
int run_approve_by_hand(struct run *run, unsigned seat, unsigned hand, struct error *error)
{
    const struct terminal_press way[] = {{.key = TERMINAL_SEAT, .seat = (uint8_t)seat},
                                         {.key = TERMINAL_HAND, .hand = (uint8_t)hand},
                                         {.key = TERMINAL_PENDING_JACKPOT},
                                         {.key = TERMINAL_PAY_JACKPOT},
                                         {.key = TERMINAL_CODE}};
    const struct terminal_press pay = {.key = TERMINAL_PAY_JACKPOT}, ok = {.key = TERMINAL_OK};
    int status;

    run->round.approving = seat;
    run->round.hand = hand;
    status = press_together(run, way, sizeof way / sizeof way[0], TERMINAL_AMOUNT, error);
    if (!status && !run->round.log.is_unsure)
        status = press_together(run, &pay, 1, TERMINAL_SIGNED, error);
    if (!status && !run->round.log.is_unsure)
        status = press_together(run, &ok, 1, TERMINAL_OPEN, error);
    return status;
}
