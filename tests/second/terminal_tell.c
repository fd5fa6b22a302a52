/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "tests/second/bytes.h"
#include "tests/second/terminal_state.h"

bool terminal_option(const struct terminal *t, const char *name)
{
    return options_has(t->talk->options, name);
}

bool terminal_lie(struct terminal *t, const char *name)
{
    return lies_deed(t->talk->lies, name);
}

size_t terminal_put_screen(struct terminal *t, uint8_t *to)
{
    to[0] = (uint8_t)t->state;
    to[1] = t->seat;
    to[2] = t->hand;
    to[3] = t->wrong_codes;
    bool shown = t->state == AMOUNT || t->state == SIGNED;
    if (t->state == CODE && terminal_lie(t, "amount-before-code"))
        shown = true;
    if (t->state == CONFIRM && terminal_lie(t, "amount-before-confirmation"))
        shown = true;
    if (!shown)
        return 4;
    uint64_t cents = t->state == SIGNED ? t->sign_cents : meters_due(&t->meters, t->hand);
    bytes_put(to + 4, cents, 8);
    return 12;
}

size_t terminal_put_sign(const struct terminal *t, uint8_t *to)
{
    to[0] = 0;
    if (!t->sign_on)
        return 1;
    to[0] = t->sign_seat;
    to[1] = t->sign_meter;
    bytes_put(to + 2, t->sign_cents, 8);
    return 10;
}

void terminal_tell_screen(struct terminal *t)
{
    uint8_t payload[12];
    talk_event(t->talk, SCREEN_CHANGED, payload, terminal_put_screen(t, payload));
}

void terminal_tell_lights(struct terminal *t)
{
    talk_event_byte(t->talk, LIGHTS_CHANGED, t->lights);
}

void terminal_tell_meters(struct terminal *t)
{
    uint8_t payload[FRAME_PAYLOAD_MAX];
    talk_event(t->talk, METERS_CHANGED, payload, meters_put(&t->meters, payload));
}

void terminal_tell_sign(struct terminal *t)
{
    uint8_t payload[10];
    talk_event(t->talk, SIGN_CHANGED, payload, terminal_put_sign(t, payload));
}

void terminal_tell_award(struct terminal *t, uint8_t type, uint8_t hand, uint8_t meter,
                         uint64_t cents, uint8_t seat)
{
    uint8_t payload[15];
    bytes_put(payload, t->awards, 4);
    payload[4] = seat;
    payload[5] = hand;
    payload[6] = meter;
    bytes_put(payload + 7, cents, 8);
    talk_event(t->talk, type, payload, sizeof payload);
}

void terminal_show(struct terminal *t, uint8_t seat, uint8_t meter, uint64_t cents)
{
    t->sign_on = true;
    t->sign_seat = seat;
    t->sign_meter = meter;
    t->sign_cents = cents;
}

void terminal_back_to_open(struct terminal *t)
{
    t->state = OPEN;
    t->seat = 0;
    t->hand = METERS_NONE;
    t->wrong_codes = 0;
}
