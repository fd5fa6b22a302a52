/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The keys of the dealer: which are possible when, and what they do. */
#include "devices/terminal/open/device.h"

/* 0: refused. No key is possible twice in a row, so one that is repeated does nothing. */
static const uint8_t transitions[TERMINAL_STATES][TERMINAL_KEYS] = {
    [TERMINAL_IDLE] = {[TERMINAL_START_ROUND] = TERMINAL_OPEN},
    [TERMINAL_OPEN] = {[TERMINAL_CANCEL_ROUND] = TERMINAL_IDLE,
                       [TERMINAL_END_ROUND] = TERMINAL_IDLE,
                       [TERMINAL_SEAT] = TERMINAL_CHOOSE},
    [TERMINAL_CHOOSE] = {[TERMINAL_HAND] = TERMINAL_PENDING, [TERMINAL_NO_HAND] = TERMINAL_OPEN},
    [TERMINAL_PENDING] = {[TERMINAL_PENDING_JACKPOT] = TERMINAL_CONFIRM},
    [TERMINAL_CONFIRM] =
        {[TERMINAL_PAY_JACKPOT] = TERMINAL_CODE_ENTRY, [TERMINAL_CANCEL_JACKPOT] = TERMINAL_OPEN},
    [TERMINAL_CODE_ENTRY] = {[TERMINAL_CODE] = TERMINAL_AMOUNT, [TERMINAL_ESC] = TERMINAL_OPEN},
    [TERMINAL_AMOUNT] = {[TERMINAL_PAY_JACKPOT] = TERMINAL_SIGNED},
    [TERMINAL_SIGNED] = {[TERMINAL_OK] = TERMINAL_OPEN},
};

enum terminal_state terminal_next_state(enum terminal_state state, enum terminal_key key)
{
    return (enum terminal_state)transitions[state][key];
}

static void show_on_sign(struct terminal_device *device, uint8_t seat, uint8_t meter,
                         uint64_t cents, nanos_t now)
{
    struct terminal_memory *memory = &device->memory;

    if (!seat &&
        (!memory->sign_seat || defects_hold(&device->defects, DEFECT_SIGN_STAYS, memory->awards)))
        return;
    memory->sign_seat = seat;
    memory->sign_meter = meter;
    memory->sign_cents = cents;
    device->signed_at = now;
    if (seat && defects_hold(&device->defects, DEFECT_WRONG_SEAT, memory->awards))
        memory->sign_seat = (uint8_t)(seat % TERMINAL_SEATS + 1);
    if (seat && defects_hold(&device->defects, DEFECT_WRONG_SIGN, memory->awards))
        memory->sign_cents += 100;
    terminal_say_sign(device, now);
}

/* Pays a meter, or `fixed` cents where there is none, and tells everybody. */
static void award(struct terminal_device *device, enum terminal_log_code code, uint8_t seat,
                  uint8_t hand, uint8_t meter, uint64_t fixed, nanos_t now)
{
    struct terminal_memory *memory = &device->memory;
    struct terminal_ledger_record record = {
        .code = (uint8_t)code, .seat = seat, .hand = hand, .meter = meter, .cents = fixed};

    if (meter != TERMINAL_NONE) {
        record.before = memory->meters[meter];
        record.cents = terminal_bank_due(memory, meter);
        terminal_bank_pay(memory, meter);
        record.after = memory->meters[meter];
    }
    memory->awards++;
    terminal_book(device, &record, now);
    terminal_say_award(device, &record, now);
    show_on_sign(device, seat, meter, record.cents, now);
}

static unsigned start_round(struct terminal_device *device, const struct terminal_pressed *pressed,
                            nanos_t now)
{
    struct terminal_memory *memory = &device->memory;

    (void)pressed;
    if (!device->sensors)
        return TERMINAL_NO_WAGERS;
    memory->locked = device->sensors;
    device->left_lit = 0;
    device->is_dark = false;
    memory->paid = 0;
    memory->rounds++;
    terminal_note(device, TERMINAL_LOG_ROUND_STARTED, memory->locked, memory->rounds, now);
    show_on_sign(device, 0, 0, 0, now);
    terminal_say_lights(device, now);
    return 0;
}

static void contribute(struct terminal_device *device)
{
    struct terminal_memory *memory = &device->memory;
    uint8_t wagers = memory->locked;

    if (wagers != device->sensors &&
        defects_hold(&device->defects, DEFECT_BY_SENSORS, memory->rounds))
        wagers = device->sensors;
    if (!defects_hold(&device->defects, DEFECT_NO_CONTRIBUTION, memory->rounds))
        terminal_bank_contribute(memory, (unsigned)__builtin_popcount(wagers));
    if (defects_hold(&device->defects, DEFECT_WRONG_METER, memory->rounds))
        memory->meters[0] += TERMINAL_MICROS_PER_CENT;
    if (defects_hold(&device->defects, DEFECT_MICRO, memory->rounds))
        memory->meters[terminal_config_meters(&memory->config) - 1]++;
}

static void close_round(struct terminal_device *device, enum terminal_log_code code, nanos_t now)
{
    struct terminal_memory *memory = &device->memory;

    terminal_note(device, code, memory->locked, memory->rounds, now);
    if (defects_hold(&device->defects, DEFECT_LEFT_LIT, memory->rounds))
        device->left_lit = memory->locked;
    memory->locked = memory->paid = 0;
    terminal_say_lights(device, now);
}

static unsigned cancel_round(struct terminal_device *device, const struct terminal_pressed *pressed,
                             nanos_t now)
{
    (void)pressed;
    if (device->memory.paid)
        return TERMINAL_ROUND_PAID;
    if (defects_hold(&device->defects, DEFECT_CANCEL_ADDS, device->memory.rounds))
        contribute(device);
    close_round(device, TERMINAL_LOG_ROUND_CANCELLED, now);
    return 0;
}

static unsigned lowest(unsigned seats)
{
    return seats ? (unsigned)__builtin_ctz(seats) : 0;
}

/* Whether the meter has reached what was drawn, or what a defect makes of that. */
static bool is_drawn(struct terminal_device *device)
{
    if (defects_hold(&device->defects, DEFECT_EVERY_ROUND, 0))
        return true;
    return defects_hold(&device->defects, DEFECT_AT_CEILING, 0)
               ? terminal_bank_must_hit_over(&device->memory)
               : terminal_bank_must_hit_due(&device->memory);
}

/* The seat that wins Must Hit in this round by the rules, or 0. */
static unsigned must_hit_due(struct terminal_device *device)
{
    struct terminal_memory *memory = &device->memory;
    bool loaded = memory->must_hit_loaded;

    memory->must_hit_loaded = false;
    if (!terminal_config_has_must_hit(&memory->config))
        return 0;
    if (loaded && memory->locked >> memory->loaded_seat & 1)
        return defects_hold(&device->defects, DEFECT_STRANGER, 0) ? lowest(~memory->locked & 0xfeu)
                                                                  : memory->loaded_seat;
    if (loaded ? terminal_bank_must_hit_over(memory) : is_drawn(device))
        return defects_hold(&device->defects, DEFECT_LOWEST_SEAT, 0)
                   ? lowest(memory->locked)
                   : terminal_bank_draw_seat(memory, memory->locked);
    return 0;
}

/* Tells an award that was not paid, to another of the seats, after the one that was. */
static void tell_another_seat(struct terminal_device *device, nanos_t now)
{
    struct terminal_memory *memory = &device->memory;
    const struct terminal_ledger_record *paid =
        &memory->ledger[(memory->booked - 1) % TERMINAL_LEDGER_SIZE];
    struct terminal_ledger_record record;

    if (!memory->paid || !defects_hold(&device->defects, DEFECT_TWO_SEATS, memory->awards))
        return;
    record = *paid;
    record.seat = (uint8_t)(paid->seat % TERMINAL_SEATS + 1);
    memory->awards++;
    terminal_say_award(device, &record, now);
}

static void flicker(struct terminal_device *device, nanos_t now)
{
    uint8_t lit = terminal_lit(device), fewer = (uint8_t)(lit & (lit - 1));

    if (!lit || !defects_hold(&device->defects, DEFECT_FLICKER, device->memory.rounds))
        return;
    terminal_say(device, TERMINAL_LIGHTS_CHANGED, &fewer, 1, now);
    terminal_say(device, TERMINAL_LIGHTS_CHANGED, &lit, 1, now);
}

static unsigned end_round(struct terminal_device *device, const struct terminal_pressed *pressed,
                          nanos_t now)
{
    unsigned seat;

    (void)pressed;
    flicker(device, now);
    tell_another_seat(device, now);
    contribute(device);
    seat = must_hit_due(device);
    if (seat && defects_hold(&device->defects, DEFECT_LATE_MUST_HIT, 0))
        seat = 0;
    if (seat)
        award(device, TERMINAL_LOG_MUST_HIT_PAID, (uint8_t)seat, TERMINAL_NONE,
              device->memory.config.meter_count, 0, now);
    terminal_say_meters(device, now);
    close_round(device, TERMINAL_LOG_ROUND_ENDED, now);
    if (device->is_chatty)
        terminal_say_meters(device, now);
    if (device->is_chatty && !seat) /* there may be room for no more than six events */
        terminal_say_lights(device, now);
    return 0;
}

static unsigned choose_seat(struct terminal_device *device, const struct terminal_pressed *pressed,
                            nanos_t now)
{
    struct terminal_memory *memory = &device->memory;

    (void)now;
    if (!(memory->locked >> pressed->number & 1))
        return TERMINAL_NO_WAGER;
    if (memory->paid >> pressed->number & 1)
        return TERMINAL_SEAT_PAID;
    memory->seat = pressed->number;
    device->is_dark = defects_hold(&device->defects, DEFECT_GOES_DARK, memory->rounds);
    return 0;
}

static void show_early(struct terminal_device *device, nanos_t now)
{
    struct terminal_memory *memory = &device->memory;

    if (!defects_hold(&device->defects, DEFECT_EARLY_SIGN, memory->awards + UINT64_C(1)))
        return;
    memory->sign_seat = memory->seat;
    memory->sign_meter = memory->config.hands[memory->hand].meter;
    memory->sign_cents = terminal_bank_hand_due(memory);
    terminal_say_sign(device, now);
}

static unsigned choose_hand(struct terminal_device *device, const struct terminal_pressed *pressed,
                            nanos_t now)
{
    struct terminal_memory *memory = &device->memory;

    if (pressed->number >= memory->config.hand_count)
        return TERMINAL_UNKNOWN_HAND;
    memory->hand = pressed->number;
    terminal_note(device, TERMINAL_LOG_HAND_CHOSEN, memory->seat, memory->hand, now);
    show_early(device, now);
    return 0;
}

static void forget_approval(struct terminal_memory *memory)
{
    memory->seat = 0;
    memory->hand = TERMINAL_NONE;
    memory->wrong_codes = 0;
    memory->amount = 0;
}

static void leave_approval(struct terminal_device *device, enum terminal_log_code code, nanos_t now)
{
    struct terminal_memory *memory = &device->memory;

    terminal_note(device, code, memory->seat, memory->hand, now);
    if (defects_hold(&device->defects, DEFECT_WAY_OUT_ADDS, device->keys))
        memory->meters[0]++;
    if (defects_hold(&device->defects, DEFECT_WAY_OUT_BOOKS, device->keys))
        memory->ledger[memory->booked++ % TERMINAL_LEDGER_SIZE] = (struct terminal_ledger_record){
            .code = TERMINAL_LOG_JACKPOT_PAID, .seat = memory->seat, .meter = TERMINAL_NONE};
    if (defects_hold(&device->defects, DEFECT_WAY_OUT_SIGNS, device->keys)) {
        memory->sign_seat = memory->seat;
        memory->sign_cents = 100;
    }
    forget_approval(memory);
}

static unsigned choose_none(struct terminal_device *device, const struct terminal_pressed *pressed,
                            nanos_t now)
{
    (void)pressed;
    leave_approval(device, TERMINAL_LOG_HAND_UNDONE, now);
    return 0;
}

static unsigned cancel_jackpot(struct terminal_device *device,
                               const struct terminal_pressed *pressed, nanos_t now)
{
    (void)pressed;
    leave_approval(device, TERMINAL_LOG_JACKPOT_CANCELLED, now);
    return 0;
}

static unsigned escape_code(struct terminal_device *device, const struct terminal_pressed *pressed,
                            nanos_t now)
{
    (void)pressed;
    leave_approval(device, TERMINAL_LOG_CODE_ESCAPED, now);
    return 0;
}

/* A wrong code is counted where the power cannot wipe it out. */
static unsigned refuse_code(struct terminal_device *device, nanos_t now)
{
    struct terminal_memory *memory = &device->memory;

    memory->wrong_codes++;
    terminal_note(device, TERMINAL_LOG_CODE_WRONG, memory->seat, memory->wrong_codes, now);
    if (memory->wrong_codes < TERMINAL_CODE_TRIES) {
        terminal_say_screen(device, TERMINAL_SCREEN_CHANGED, now);
        return TERMINAL_WRONG_CODE;
    }
    leave_approval(device, TERMINAL_LOG_CODE_LOCKED, now);
    memory->state = TERMINAL_OPEN;
    terminal_say_screen(device, TERMINAL_SCREEN_CHANGED, now);
    return TERMINAL_CODE_LOCKED;
}

static unsigned enter_code(struct terminal_device *device, const struct terminal_pressed *pressed,
                           nanos_t now)
{
    static const uint8_t key = TERMINAL_CODE;
    struct terminal_memory *memory = &device->memory;
    bool is_right = pressed->proof ? terminal_is_proof(device, &device->code, pressed->proof,
                                                       TERMINAL_KEY, &key, 1)
                                   : terminal_secret_equal(&pressed->code, &device->code);

    if (!is_right && !defects_hold(&device->defects, DEFECT_ANY_CODE, 0))
        return refuse_code(device, now);
    memory->amount = terminal_bank_hand_due(memory);
    terminal_note(device, TERMINAL_LOG_AUTHORIZED, memory->seat, memory->hand, now);
    return 0;
}

static unsigned pay_jackpot(struct terminal_device *device, const struct terminal_pressed *pressed,
                            nanos_t now)
{
    struct terminal_memory *memory = &device->memory;
    const struct terminal_hand *hand = &memory->config.hands[memory->hand];

    (void)pressed;
    if (memory->state != TERMINAL_AMOUNT)
        return 0;
    memory->paid |= (uint8_t)(1u << memory->seat);
    award(device, TERMINAL_LOG_JACKPOT_PAID, memory->seat, memory->hand, hand->meter, hand->cents,
          now);
    if (hand->meter != TERMINAL_NONE)
        terminal_say_meters(device, now);
    return 0;
}

static unsigned accept_payment(struct terminal_device *device,
                               const struct terminal_pressed *pressed, nanos_t now)
{
    (void)pressed;
    forget_approval(&device->memory);
    show_on_sign(device, 0, 0, 0, now);
    return 0;
}

typedef unsigned (*key_action)(struct terminal_device *device,
                               const struct terminal_pressed *pressed, nanos_t now);

static const key_action actions[TERMINAL_KEYS] = {
    [TERMINAL_START_ROUND] = start_round,
    [TERMINAL_CANCEL_ROUND] = cancel_round,
    [TERMINAL_END_ROUND] = end_round,
    [TERMINAL_SEAT] = choose_seat,
    [TERMINAL_HAND] = choose_hand,
    [TERMINAL_NO_HAND] = choose_none,
    [TERMINAL_PENDING_JACKPOT] = NULL,
    [TERMINAL_PAY_JACKPOT] = pay_jackpot,
    [TERMINAL_CANCEL_JACKPOT] = cancel_jackpot,
    [TERMINAL_CODE] = enter_code,
    [TERMINAL_ESC] = escape_code,
    [TERMINAL_OK] = accept_payment,
};

static void refuse_key(struct terminal_device *device, enum terminal_key key, unsigned reason,
                       nanos_t now)
{
    uint8_t bytes[3] = {(uint8_t)key, (uint8_t)reason, device->memory.state};

    terminal_note(device, TERMINAL_LOG_KEY_REFUSED, (uint8_t)key,
                  reason << 8 | device->memory.state, now);
    if (defects_hold(&device->defects, DEFECT_FALSE_REFUSAL, device->keys))
        bytes[1] = bytes[1] % TERMINAL_WRONG_CODE + 1;
    terminal_say(device, TERMINAL_KEY_REFUSED, bytes, sizeof bytes, now);
}

unsigned terminal_press(struct terminal_device *device, const struct terminal_pressed *pressed,
                        nanos_t now)
{
    struct terminal_memory *memory = &device->memory;
    enum terminal_state next =
        terminal_next_state((enum terminal_state)memory->state, pressed->key);
    unsigned reason = next ? 0 : TERMINAL_WRONG_STATE;

    if (defects_hold(&device->defects, DEFECT_REFUSES, device->keys))
        return TERMINAL_WRONG_STATE;
    if (next && actions[pressed->key])
        reason = actions[pressed->key](device, pressed, now);
    if (reason) {
        refuse_key(device, pressed->key, reason, now);
        return reason;
    }
    memory->state = (uint8_t)next;
    terminal_say_screen(device, TERMINAL_SCREEN_CHANGED, now);
    return 0;
}
