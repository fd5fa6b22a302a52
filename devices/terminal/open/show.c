/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the terminal says of itself: screen, meters, sign and lights, as replies and as events. */
#include <string.h>

#include "devices/terminal/open/device.h"

/* Once the code was accepted, whatever it comes to: an empty meter pays nothing. */
static bool is_amount_shown(struct terminal_device *device, uint64_t *amount)
{
    const struct terminal_memory *memory = &device->memory;
    bool is_early = memory->state < TERMINAL_AMOUNT && memory->hand != TERMINAL_NONE &&
                    defects_hold(&device->defects, DEFECT_EARLY_AMOUNT, 0);

    *amount = is_early ? terminal_bank_hand_due(memory) : memory->amount;
    return is_early || memory->state >= TERMINAL_AMOUNT;
}

size_t terminal_screen_layout(struct terminal_device *device, uint8_t *bytes)
{
    const struct terminal_memory *memory = &device->memory;
    uint64_t amount;

    bytes[0] = memory->state;
    bytes[1] = memory->seat;
    bytes[2] = memory->hand;
    bytes[3] = memory->wrong_codes;
    if (!is_amount_shown(device, &amount))
        return 4;
    wire_put64(bytes + 4, amount);
    return 12;
}

static uint8_t *put_meter(uint8_t *at, const char *name, uint64_t value)
{
    size_t length = strlen(name);

    *at++ = (uint8_t)length;
    memcpy(at, name, length);
    wire_put64(at + length, value);
    return at + length + 8;
}

size_t terminal_meters_layout(struct terminal_device *device, uint8_t *bytes)
{
    const struct terminal_memory *memory = &device->memory;
    const struct terminal_config *config = &memory->config;
    bool must_hit = terminal_config_has_must_hit(config);
    bool is_said = must_hit != defects_hold(&device->defects, DEFECT_FALSE_PLACE, memory->rounds);
    uint8_t *at = bytes + 2;

    bytes[0] = (uint8_t)terminal_config_meters(config);
    bytes[1] = is_said ? bytes[0] - 1 : TERMINAL_NONE;
    for (unsigned i = 0; i < config->meter_count; i++)
        at = put_meter(at, config->meters[i].name, memory->meters[i]);
    if (must_hit)
        at = put_meter(at, "must-hit", memory->meters[config->meter_count]);
    return (size_t)(at - bytes);
}

static size_t put_sign(uint8_t *bytes, uint8_t seat, uint8_t meter, uint64_t cents)
{
    bytes[0] = seat;
    bytes[1] = meter;
    wire_put64(bytes + 2, cents);
    return seat ? 10 : 1;
}

size_t terminal_sign_layout(struct terminal_device *device, uint8_t *bytes)
{
    const struct terminal_memory *memory = &device->memory;

    if (!memory->sign_seat && defects_hold(&device->defects, DEFECT_FALSE_SIGN, memory->rounds))
        return put_sign(bytes, 1, TERMINAL_NONE, 100);
    if (memory->sign_seat && device->now > device->signed_at + NANOS_PER_SECOND &&
        defects_hold(&device->defects, DEFECT_SIGN_FADES, 0))
        return put_sign(bytes, 0, 0, 0);
    return put_sign(bytes, memory->sign_seat, memory->sign_meter, memory->sign_cents);
}

void terminal_sign_asked(struct terminal_device *device)
{
    struct terminal_memory *memory = &device->memory;

    if (memory->state == TERMINAL_IDLE && memory->sign_seat &&
        defects_hold(&device->defects, DEFECT_MUST_HIT_FADES, 0))
        memory->sign_seat = 0;
}

uint8_t terminal_lit(struct terminal_device *device)
{
    uint8_t lit = device->left_lit | (device->is_dark ? 0 : device->memory.locked);

    for (unsigned seat = 1; seat <= TERMINAL_SEATS; seat++) {
        if (!(lit >> seat & 1) && defects_hold(&device->defects, DEFECT_LIT, seat))
            lit |= (uint8_t)(1u << seat);
        if (lit >> seat & 1 && defects_hold(&device->defects, DEFECT_DARK, seat))
            lit &= (uint8_t) ~(1u << seat);
    }
    return lit;
}

void terminal_say(struct terminal_device *device, uint8_t message, const uint8_t *bytes,
                  size_t size, nanos_t now)
{
    if (defects_hold(&device->defects, DEFECT_SKIP, ++device->told))
        peer_skip(&device->peer);
    peer_event(&device->peer, message, bytes, size, now);
}

void terminal_say_screen(struct terminal_device *device, uint8_t message, nanos_t now)
{
    uint8_t bytes[FRAME_PAYLOAD_MAX];

    size_t size = terminal_screen_layout(device, bytes);

    if (defects_hold(&device->defects, DEFECT_FALSE_SCREEN, device->keys))
        bytes[bytes[1] ? 1 : 0] = bytes[1]                    ? bytes[1] % TERMINAL_SEATS + 1
                                  : bytes[0] == TERMINAL_IDLE ? TERMINAL_OPEN
                                                              : TERMINAL_IDLE;
    terminal_say(device, message, bytes, size, now);
}

void terminal_say_meters(struct terminal_device *device, nanos_t now)
{
    uint8_t bytes[FRAME_PAYLOAD_MAX];
    size_t size = terminal_meters_layout(device, bytes);

    if (terminal_config_has_must_hit(&device->memory.config) &&
        defects_hold(&device->defects, DEFECT_RENAMES, device->memory.rounds))
        bytes[size - 9] ^= 1; /* the last letter, before its value */
    if (defects_hold(&device->defects, DEFECT_FALSE_METERS, device->memory.rounds) ||
        (!device->memory.rounds && defects_hold(&device->defects, DEFECT_FALSE_CONFIGURED, 0)))
        bytes[size - 1] ^= 1;
    if (defects_hold(&device->defects, DEFECT_FALSE_STEP, device->memory.rounds)) {
        bytes[size - 1] ^= 1;
        terminal_say(device, TERMINAL_METERS_CHANGED, bytes, size, now);
        bytes[size - 1] ^= 1;
    }
    terminal_say(device, TERMINAL_METERS_CHANGED, bytes, size, now);
}

void terminal_say_sign(struct terminal_device *device, nanos_t now)
{
    static const uint8_t dark;
    uint8_t bytes[FRAME_PAYLOAD_MAX];
    size_t size = terminal_sign_layout(device, bytes);

    if (defects_hold(&device->defects, DEFECT_UNTOLD_SIGN, 0))
        return;
    if (bytes[0] && defects_hold(&device->defects, DEFECT_FALSE_SIGN_METER, device->memory.awards))
        bytes[1] = bytes[1] ? 0 : 1;
    if (bytes[0] && defects_show(&device->defects, DEFECT_SIGN_FLICKERS, device->memory.awards,
                                 device->memory.awards)) {
        terminal_say(device, TERMINAL_SIGN_CHANGED, bytes, size, now);
        terminal_say(device, TERMINAL_SIGN_CHANGED, &dark, 1, now);
    }
    terminal_say(device, TERMINAL_SIGN_CHANGED, bytes, size, now);
}

void terminal_say_lights(struct terminal_device *device, nanos_t now)
{
    uint8_t lit = terminal_lit(device);

    if (lit && defects_hold(&device->defects, DEFECT_FALSE_LIGHTS, device->memory.rounds))
        lit &= (uint8_t)(lit - 1);
    terminal_say(device, TERMINAL_LIGHTS_CHANGED, &lit, 1, now);
}

void terminal_say_award(struct terminal_device *device, const struct terminal_ledger_record *record,
                        nanos_t now)
{
    uint8_t bytes[15];
    bool must_hit = record->code == TERMINAL_LOG_MUST_HIT_PAID;
    bool is_wrong = defects_hold(&device->defects, DEFECT_WRONG_AWARD, device->memory.awards);

    wire_put32(bytes, device->memory.awards);
    bytes[4] = record->seat;
    bytes[5] = record->hand;
    bytes[6] = record->meter;
    wire_put64(bytes + 7, record->cents - (is_wrong ? 100 : 0));
    for (int i = defects_hold(&device->defects, DEFECT_TOLD_TWICE, device->memory.awards); i >= 0;
         i--)
        terminal_say(device, must_hit ? TERMINAL_MUST_HIT_PAID : TERMINAL_JACKPOT_PAID, bytes,
                     sizeof bytes, now);
}
