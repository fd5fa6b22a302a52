/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The regular way of a jackpot through the terminal, one look at the screen before each key. */
#include <string.h>

#include "devices/terminal/terminal.h"

/* More than the way has keys, so that a device which goes in circles comes to an end. */
#define STEPS_MAX 16

/* The key that leads on from a state. */
static enum terminal_key regular_key(enum terminal_state state)
{
    static const enum terminal_key keys[TERMINAL_STATES] = {
        [TERMINAL_OPEN] = TERMINAL_SEAT,
        [TERMINAL_CHOOSE] = TERMINAL_HAND,
        [TERMINAL_PENDING] = TERMINAL_PENDING_JACKPOT,
        [TERMINAL_CONFIRM] = TERMINAL_PAY_JACKPOT,
        [TERMINAL_CODE_ENTRY] = TERMINAL_CODE,
        [TERMINAL_AMOUNT] = TERMINAL_PAY_JACKPOT,
        [TERMINAL_SIGNED] = TERMINAL_OK,
    };

    return keys[state];
}

static int another_jackpot(struct terminal *terminal, const struct terminal_screen *screen,
                           const struct terminal_press *press, struct error *error)
{
    return error_set(error, ERROR_DEVICE,
                     "%s: the terminal is at seat %u, hand %u in the approval of seat %u, hand %u",
                     terminal->device.address, screen->seat, screen->hand, press->seat,
                     press->hand);
}

/* Keeps the longest that a key has taken to its screen. */
static void note_time(const struct terminal *terminal, nanos_t pressed,
                      struct terminal_approval *approval)
{
    nanos_t took = clock_now(terminal->device.link->hal->clock) - pressed;

    if (took > approval->longest)
        approval->longest = took;
}

/* Looks at screen and sign before the next key. */
static int look(struct terminal *terminal, const struct terminal_press *press,
                struct terminal_screen *screen, struct terminal_approval *approval,
                struct error *error)
{
    int status = terminal_screen(terminal, screen, error);

    if (status)
        return status;
    if ((screen->state >= TERMINAL_CHOOSE && screen->seat != press->seat) ||
        (screen->state >= TERMINAL_PENDING && screen->hand != press->hand))
        return another_jackpot(terminal, screen, press, error);
    if (screen->amount_shown && screen->state < TERMINAL_AMOUNT)
        approval->early = true;
    if (screen->state == TERMINAL_AMOUNT)
        approval->cents = screen->cents;
    if (screen->state == TERMINAL_SIGNED)
        approval->cents_signed = screen->cents;
    if (screen->state == TERMINAL_CODE_ENTRY)
        approval->wrong_codes = screen->wrong_codes;
    return screen->state == TERMINAL_SIGNED ? terminal_sign(terminal, &approval->sign, error) : 0;
}

/*
 * Presses the key that leads on. A refusal for the state is none if the terminal has moved on
 * meanwhile: the key did its work and the repeat of its request came after a loss of power.
 */
static int step(struct terminal *terminal, struct terminal_press *press,
                struct terminal_screen *screen, struct terminal_approval *approval,
                struct error *error)
{
    enum terminal_state before = screen->state;
    nanos_t pressed = clock_now(terminal->device.link->hal->clock);
    struct error why;
    int refusal;

    press->key = regular_key(before);
    refusal = terminal_key(terminal, press, &why);
    if (!refusal || refusal == TERMINAL_WRONG_STATE) {
        int status = look(terminal, press, screen, approval, error);

        note_time(terminal, pressed, approval);
        if (!status && terminal->answered != screen->state)
            approval->misstated = true;
        approval->pretended |= refusal && screen->state != before;
        if (status || !refusal || screen->state != before)
            return status;
    }
    if (error)
        *error = why;
    return refusal;
}

static int not_open(struct terminal *terminal, const struct terminal_screen *screen,
                    struct error *error)
{
    error_set(error, ERROR_RULE, "%s: a jackpot is approved in an open round, but %s",
              terminal->device.address, terminal_state_text(screen->state));
    return TERMINAL_WRONG_STATE;
}

void terminal_wrong_code(const char *code, char wrong[TERMINAL_CODE_MAX + 1])
{
    size_t length = strnlen(code, TERMINAL_CODE_MAX);

    memcpy(wrong, code, length);
    wrong[length] = '\0';
    if (length)
        wrong[length - 1] = wrong[length - 1] == '9' ? '0' : (char)(wrong[length - 1] + 1);
}

/* A wrong code; whatever comes of it, the way is looked for from there. */
static int probe(struct terminal *terminal, const struct terminal_press *press,
                 struct terminal_screen *screen, struct terminal_approval *approval,
                 struct error *error)
{
    struct terminal_press wrong = *press;
    int refusal;

    terminal_wrong_code(press->code, wrong.code);
    wrong.key = TERMINAL_CODE;
    refusal = terminal_key(terminal, &wrong, error);
    if (refusal < 0)
        return refusal;
    approval->has_probed = true;
    approval->refusal = (uint8_t)refusal;
    refusal = look(terminal, press, screen, approval, error);
    if (!refusal && terminal->answered != screen->state)
        approval->misstated = true;
    return refusal;
}

static int approve(struct terminal *terminal, unsigned seat, unsigned hand, const char *code,
                   bool probes, struct terminal_approval *approval, struct error *error)
{
    struct terminal_press press = {.seat = (uint8_t)seat, .hand = (uint8_t)hand};
    struct terminal_screen screen;
    bool paid = false;
    int status;

    *approval = (struct terminal_approval){0};
    if (seat > TERMINAL_SEATS || hand > UINT8_MAX || strlen(code) > TERMINAL_CODE_MAX)
        return error_set(error, ERROR_CONFIG,
                         "%s: seat %u, hand %u and a code of %zu digits are none that a terminal "
                         "knows",
                         terminal->device.address, seat, hand, strlen(code));
    memcpy(press.code, code, strlen(code));
    status = look(terminal, &press, &screen, approval, error);
    if (status)
        return status;
    if (screen.state != TERMINAL_OPEN)
        return not_open(terminal, &screen, error);
    for (unsigned steps = 0; steps < STEPS_MAX; steps++) {
        status = probes && screen.state == TERMINAL_CODE_ENTRY && !approval->has_probed
                     ? probe(terminal, &press, &screen, approval, error)
                     : step(terminal, &press, &screen, approval, error);
        if (status)
            return status;
        if (screen.state == TERMINAL_OPEN && paid)
            return 0;
        if (screen.state <= TERMINAL_OPEN)
            break;
        paid = screen.state == TERMINAL_SIGNED;
    }
    return error_set(error, ERROR_DEVICE,
                     "%s: the terminal accepts every key of an approval and pays nothing; %s",
                     terminal->device.address, terminal_state_text(screen.state));
}

int terminal_approve(struct terminal *terminal, unsigned seat, unsigned hand, const char *code,
                     struct terminal_approval *approval, struct error *error)
{
    return approve(terminal, seat, hand, code, false, approval, error);
}

int terminal_approve_probing(struct terminal *terminal, unsigned seat, unsigned hand,
                             const char *code, struct terminal_approval *approval,
                             struct error *error)
{
    return approve(terminal, seat, hand, code, true, approval, error);
}
