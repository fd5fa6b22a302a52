/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/terminal/open/reading.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "devices/terminal/open/wire.h"
#include "hal/base/plural.h"

/* More than any meter can pay, rounding and a wrong sign included. */
#define CENTS_MAX (2 * TERMINAL_METER_MAX / TERMINAL_MICROS_PER_CENT)

static int wrong_size(const struct terminal_said *said, struct error *error)
{
    return error_set(error, ERROR_DEVICE,
                     "%s: the terminal's %s has %zu byte%s: not one of its forms", said->address,
                     said->message, said->size, plural(said->size));
}

static int wrong_value(const struct terminal_said *said, const char *what, uint64_t value,
                       struct error *error)
{
    return error_set(error, ERROR_DEVICE, "%s: the terminal's %s says %s %" PRIu64 ": impossible",
                     said->address, said->message, what, value);
}

static bool is_seat(uint8_t seat)
{
    return seat >= 1 && seat <= TERMINAL_SEATS;
}

static bool is_state(uint8_t state)
{
    return state >= TERMINAL_IDLE && state < TERMINAL_STATES;
}

static bool is_meter(uint8_t meter)
{
    return meter < TERMINAL_METERS_MAX || meter == TERMINAL_NONE;
}

/* A seat is on the screen from its choice until the end of its approval, a hand one step later. */
static bool screen_agrees(const struct terminal_screen *screen)
{
    bool approving = screen->state >= TERMINAL_CHOOSE;
    bool chosen = screen->state >= TERMINAL_PENDING;

    return (approving ? is_seat(screen->seat) : !screen->seat) &&
           (chosen ? screen->hand < TERMINAL_HANDS_MAX : screen->hand == TERMINAL_NONE);
}

int terminal_read_screen(const struct terminal_said *said, struct terminal_screen *screen,
                         struct error *error)
{
    const uint8_t *bytes = said->bytes;

    if (said->size != 4 && said->size != 12)
        return wrong_size(said, error);
    if (!is_state(bytes[0]))
        return wrong_value(said, "state", bytes[0], error);
    *screen = (struct terminal_screen){.state = (enum terminal_state)bytes[0],
                                       .seat = bytes[1],
                                       .hand = bytes[2],
                                       .wrong_codes = bytes[3],
                                       .amount_shown = said->size == 12,
                                       .cents = said->size == 12 ? wire_get64(bytes + 4) : 0};
    if (!screen_agrees(screen))
        return error_set(error, ERROR_DEVICE,
                         "%s: the terminal's %s says seat %u and hand %u although %s",
                         said->address, said->message, screen->seat, screen->hand,
                         terminal_state_text(screen->state));
    if (screen->wrong_codes >= TERMINAL_CODE_TRIES)
        return wrong_value(said, "wrong codes", screen->wrong_codes, error);
    if (screen->cents > CENTS_MAX)
        return wrong_value(said, "an amount in cents of", screen->cents, error);
    if (screen->state >= TERMINAL_AMOUNT && !screen->amount_shown)
        return error_set(error, ERROR_DEVICE,
                         "%s: the terminal's %s has no amount although the code was accepted",
                         said->address, said->message);
    return 0;
}

/* A length byte, that many printable characters: how many bytes in all, or 0. */
static size_t read_text(const uint8_t *bytes, size_t left, char *text, size_t most)
{
    size_t length = left ? bytes[0] : 0;

    if (!left || length > most || length > left - 1)
        return 0;
    for (size_t i = 1; i <= length; i++)
        if (!isprint(bytes[i]))
            return 0;
    memcpy(text, bytes + 1, length);
    text[length] = '\0';
    return 1 + length;
}

int terminal_read_meters(const struct terminal_said *said, struct terminal_meters *meters,
                         struct error *error)
{
    size_t at = 2;

    if (said->size < 2)
        return wrong_size(said, error);
    meters->count = said->bytes[0];
    meters->must_hit = said->bytes[1];
    if (!meters->count || meters->count > TERMINAL_METERS_MAX)
        return wrong_value(said, "a number of meters of", meters->count, error);
    if (meters->must_hit != TERMINAL_NONE && meters->must_hit != meters->count - 1)
        return wrong_value(said, "that Must Hit is meter", meters->must_hit, error);
    for (unsigned i = 0; i < meters->count; i++) {
        struct terminal_meter *meter = &meters->meter[i];
        size_t length =
            read_text(said->bytes + at, said->size - at, meter->name, TERMINAL_METER_NAME_MAX);

        if (length < 2 || said->size - at - length < 8)
            return error_set(error, ERROR_DEVICE,
                             "%s: the terminal's %s is malformed at meter %u, byte %zu of %zu",
                             said->address, said->message, i + 1, at, said->size);
        at += length;
        meter->micros = wire_get64(said->bytes + at);
        meter->within = 0;
        at += 8;
        if (meter->micros > 2 * TERMINAL_METER_MAX)
            return wrong_value(said, "a meter in millionths of", meter->micros, error);
    }
    return at == said->size ? 0 : wrong_size(said, error);
}

int terminal_read_sign(const struct terminal_said *said, struct terminal_sign *sign,
                       struct error *error)
{
    *sign = (struct terminal_sign){.meter = TERMINAL_NONE};
    if (said->size == 1 && !said->bytes[0])
        return 0;
    if (said->size != 10)
        return wrong_size(said, error);
    sign->seat = said->bytes[0];
    sign->meter = said->bytes[1];
    sign->cents = wire_get64(said->bytes + 2);
    if (!is_seat(sign->seat))
        return wrong_value(said, "seat", sign->seat, error);
    if (!is_meter(sign->meter))
        return wrong_value(said, "meter", sign->meter, error);
    if (sign->cents > CENTS_MAX)
        return wrong_value(said, "an amount in cents of", sign->cents, error);
    return 0;
}

int terminal_read_lights(const struct terminal_said *said, uint8_t *seats, struct error *error)
{
    if (said->size != 1)
        return wrong_size(said, error);
    *seats = said->bytes[0];
    return *seats & 1 ? wrong_value(said, "a set of seats of", *seats, error) : 0;
}

int terminal_read_award(const struct terminal_said *said, bool must_hit,
                        struct terminal_award *award, struct error *error)
{
    if (said->size != 15)
        return wrong_size(said, error);
    *award = (struct terminal_award){.number = wire_get32(said->bytes),
                                     .seat = said->bytes[4],
                                     .hand = said->bytes[5],
                                     .meter = said->bytes[6],
                                     .cents = wire_get64(said->bytes + 7)};
    if (!award->number)
        return wrong_value(said, "award", award->number, error);
    if (!is_seat(award->seat))
        return wrong_value(said, "seat", award->seat, error);
    if (must_hit ? award->hand != TERMINAL_NONE : award->hand >= TERMINAL_HANDS_MAX)
        return wrong_value(said, "hand", award->hand, error);
    if (!is_meter(award->meter) || (must_hit && award->meter == TERMINAL_NONE))
        return wrong_value(said, "meter", award->meter, error);
    if (award->cents > CENTS_MAX)
        return wrong_value(said, "an amount in cents of", award->cents, error);
    return 0;
}

int terminal_read_status(const struct terminal_said *said, struct terminal_status *status,
                         struct error *error)
{
    const uint8_t *bytes = said->bytes;

    if (said->size != 13)
        return wrong_size(said, error);
    if (!is_state(bytes[0]))
        return wrong_value(said, "state", bytes[0], error);
    if (bytes[1])
        return wrong_value(said, "error", bytes[1], error);
    if (bytes[2] > 1)
        return wrong_value(said, "flags", bytes[2], error);
    if (bytes[3] & 1 || bytes[4] & ~bytes[3])
        return wrong_value(said, "a set of seats of", bytes[3] & 1 ? bytes[3] : bytes[4], error);
    *status = (struct terminal_status){.state = (enum terminal_state)bytes[0],
                                       .test_mode = bytes[2],
                                       .locked = bytes[3],
                                       .paid = bytes[4],
                                       .rounds = wire_get32(bytes + 5),
                                       .awards = wire_get32(bytes + 9)};
    return 0;
}

int terminal_read_ledger(const struct terminal_said *said, struct terminal_ledger_entry *entry,
                         struct error *error)
{
    const uint8_t *bytes = said->bytes;

    if (said->size < 41)
        return wrong_size(said, error);
    *entry = (struct terminal_ledger_entry){.number = wire_get32(bytes),
                                            .millis = wire_get64(bytes + 4),
                                            .code = bytes[12],
                                            .seat = bytes[13],
                                            .hand = bytes[14],
                                            .meter = bytes[15],
                                            .cents = wire_get64(bytes + 16),
                                            .before = wire_get64(bytes + 24),
                                            .after = wire_get64(bytes + 32)};
    if (read_text(bytes + 40, said->size - 40, entry->reason, TERMINAL_REASON_MAX) !=
        said->size - 40)
        return wrong_size(said, error);
    if (entry->code < TERMINAL_LOG_JACKPOT_PAID || entry->code > TERMINAL_LOG_CORRECTED)
        return wrong_value(said, "code", entry->code, error);
    if (entry->seat > TERMINAL_SEATS)
        return wrong_value(said, "seat", entry->seat, error);
    if (!is_meter(entry->meter))
        return wrong_value(said, "meter", entry->meter, error);
    return 0;
}

/* So many bytes of what is left; NULL where there are fewer. */
static const uint8_t *take(struct terminal_said *rest, size_t size)
{
    const uint8_t *at = rest->bytes;

    if (rest->size < size)
        return NULL;
    rest->bytes += size;
    rest->size -= size;
    return at;
}

static bool take_rules(struct terminal_said *rest, struct terminal_config *config)
{
    for (unsigned i = 0; i < config->meter_count; i++) {
        struct terminal_meter_rule *rule = &config->meters[i];
        size_t length = read_text(rest->bytes, rest->size, rule->name, TERMINAL_METER_NAME_MAX);
        const uint8_t *at;

        if (length < 2 || !take(rest, length) || !(at = take(rest, 18)))
            return false;
        rule->reseed = wire_get64(at);
        rule->opening = wire_get64(at + 8);
        rule->rate = (uint16_t)wire_get16(at + 16);
    }
    return true;
}

static bool take_must_hit(struct terminal_said *rest, struct terminal_must_hit_rule *rule)
{
    const uint8_t *at = take(rest, 2);

    if (!at)
        return false;
    rule->rate = (uint16_t)wire_get16(at);
    if (!rule->rate)
        return true;
    at = take(rest, 24);
    if (!at)
        return false;
    rule->reset = wire_get64(at);
    rule->hit_by = wire_get64(at + 8);
    rule->opening = wire_get64(at + 16);
    return true;
}

static bool take_hands(struct terminal_said *rest, struct terminal_config *config)
{
    const uint8_t *at = take(rest, 1);

    if (!at || *at > TERMINAL_HANDS_MAX)
        return false;
    config->hand_count = *at;
    for (unsigned i = 0; i < config->hand_count; i++) {
        at = take(rest, 5);
        if (!at)
            return false;
        config->hands[i].meter = at[0];
        config->hands[i].cents = wire_get32(at + 1);
    }
    return !rest->size;
}

int terminal_read_config(const struct terminal_said *said, struct terminal_config *config,
                         struct error *error)
{
    struct terminal_said rest = *said;
    const uint8_t *at = take(&rest, 6);
    struct error why;

    *config = (struct terminal_config){.wager = 0};
    if (!at)
        return wrong_size(said, error);
    config->wager = wire_get32(at);
    config->rounding = (enum terminal_rounding)at[4];
    config->meter_count = at[5];
    if (config->meter_count > TERMINAL_METERS_MAX)
        return wrong_value(said, "a number of meters of", config->meter_count, error);
    if (!take_rules(&rest, config) || !take_must_hit(&rest, &config->must_hit) ||
        !take_hands(&rest, config))
        return wrong_size(said, error);
    if (!terminal_config_check(config, &why))
        return 0;
    return error_set(error, ERROR_DEVICE, "%s: the terminal's %s is impossible: %s", said->address,
                     said->message, why.text);
}

static int read_refused(const struct terminal_said *said, struct terminal_event *event,
                        struct error *error)
{
    const uint8_t *bytes = said->bytes;

    if (said->size != 3)
        return wrong_size(said, error);
    if (!bytes[0] || bytes[0] >= TERMINAL_KEYS)
        return wrong_value(said, "key", bytes[0], error);
    if (!bytes[1] || bytes[1] >= TERMINAL_REFUSALS)
        return wrong_value(said, "reason", bytes[1], error);
    if (!is_state(bytes[2]))
        return wrong_value(said, "state", bytes[2], error);
    event->refused.key = (enum terminal_key)bytes[0];
    event->refused.reason = (enum terminal_refusal)bytes[1];
    event->refused.state = (enum terminal_state)bytes[2];
    return 0;
}

static int read_test_mode(const struct terminal_said *said, struct terminal_event *event,
                          struct error *error)
{
    if (said->size != 1)
        return wrong_size(said, error);
    if (said->bytes[0] > 1)
        return wrong_value(said, "test mode", said->bytes[0], error);
    event->test_mode = said->bytes[0];
    return 0;
}

int terminal_read_event(const char *address, const struct frame *frame,
                        struct terminal_event *event, struct error *error)
{
    static const struct {
        const char *name;
        enum terminal_event_kind kind;
    } events[] = {
        [TERMINAL_SCREEN_CHANGED - WIRE_FIRST_EVENT] = {"SCREEN CHANGED", TERMINAL_EVENT_SCREEN},
        [TERMINAL_LIGHTS_CHANGED - WIRE_FIRST_EVENT] = {"LIGHTS CHANGED", TERMINAL_EVENT_LIGHTS},
        [TERMINAL_METERS_CHANGED - WIRE_FIRST_EVENT] = {"METERS CHANGED", TERMINAL_EVENT_METERS},
        [TERMINAL_JACKPOT_PAID - WIRE_FIRST_EVENT] = {"JACKPOT PAID", TERMINAL_EVENT_JACKPOT},
        [TERMINAL_MUST_HIT_PAID - WIRE_FIRST_EVENT] = {"MUST HIT PAID", TERMINAL_EVENT_MUST_HIT},
        [TERMINAL_SIGN_CHANGED - WIRE_FIRST_EVENT] = {"SIGN CHANGED", TERMINAL_EVENT_SIGN},
        [TERMINAL_KEY_REFUSED - WIRE_FIRST_EVENT] = {"KEY REFUSED", TERMINAL_EVENT_REFUSED},
        [TERMINAL_POWER_UP - WIRE_FIRST_EVENT] = {"POWER UP", TERMINAL_EVENT_POWER_UP},
        [TERMINAL_TEST_MODE_CHANGED -
            WIRE_FIRST_EVENT] = {"TEST MODE CHANGED", TERMINAL_EVENT_TEST_MODE},
    };
    size_t index = frame->type - (size_t)WIRE_FIRST_EVENT;
    struct terminal_said said = {.address = address, .bytes = frame->payload, .size = frame->size};

    if (index >= sizeof events / sizeof events[0])
        return error_set(error, ERROR_DEVICE, "%s: a terminal has no event 0x%02x", address,
                         frame->type);
    said.message = events[index].name;
    event->kind = events[index].kind;
    switch (event->kind) {
    case TERMINAL_EVENT_SCREEN:
    case TERMINAL_EVENT_POWER_UP:
        return terminal_read_screen(&said, &event->screen, error);
    case TERMINAL_EVENT_LIGHTS:
        return terminal_read_lights(&said, &event->lights, error);
    case TERMINAL_EVENT_METERS:
        return terminal_read_meters(&said, &event->meters, error);
    case TERMINAL_EVENT_JACKPOT:
    case TERMINAL_EVENT_MUST_HIT:
        return terminal_read_award(&said, event->kind == TERMINAL_EVENT_MUST_HIT, &event->award,
                                   error);
    case TERMINAL_EVENT_SIGN:
        return terminal_read_sign(&said, &event->sign, error);
    case TERMINAL_EVENT_REFUSED:
        return read_refused(&said, event, error);
    case TERMINAL_EVENT_TEST_MODE:
        break;
    }
    return read_test_mode(&said, event, error);
}
