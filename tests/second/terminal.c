/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/second/terminal.h"

#include <stdlib.h>
#include <string.h>

#include "tests/second/bytes.h"
#include "tests/second/terminal_state.h"

#define ADMINISTRATOR "86420"

enum request {
    KEY = 0x10,
    SENSORS,
    METERS,
    SIGN,
    LIGHTS,
    SCREEN,
    CONFIGURE,
    CORRECT_METER,
    LEDGER,
    TEST_MODE,
    LOAD_MUST_HIT,
};

static uint8_t flags(void *device)
{
    const struct terminal *t = device;
    return t->test ? 1 : 0;
}

static enum refusal status(struct terminal *t, struct frame *reply)
{
    uint8_t *to = reply->payload;
    to[0] = (uint8_t)t->state;
    to[1] = 0;
    to[2] = flags(t);
    to[3] = t->locked;
    to[4] = t->won;
    bytes_put(to + 5, t->rounds, 4);
    bytes_put(to + 9, t->awards, 4);
    reply->size = 13;
    return DONE;
}

/* Reads the administrator's code at the start of a payload; its size, or 0 when cut short. */
static size_t code_size(const struct frame *request)
{
    return request->size > 0 && request->payload[0] < request->size ? 1u + request->payload[0] : 0;
}

static bool authorized(struct terminal *t, const struct frame *request)
{
    if (terminal_lie(t, "any-admin-code"))
        return true;
    size_t size = request->payload[0];
    if (size == strlen(ADMINISTRATOR) && memcmp(request->payload + 1, ADMINISTRATOR, size) == 0)
        return true;
    talk_note(t->talk, LOG_ADMIN, request->type, 0);
    return false;
}

static void configured(struct terminal *t)
{
    talk_note(t->talk, LOG_CONFIGURED, (uint8_t)t->meters.count, 0);
    bool sign_cleared = terminal_option(t, "configure-clears-sign") && t->sign_on;
    if (sign_cleared)
        t->sign_on = false;
    if (terminal_option(t, "configure-quiet"))
        return;
    terminal_tell_meters(t);
    if (sign_cleared || terminal_option(t, "configure-all"))
        terminal_tell_sign(t);
    if (!terminal_option(t, "configure-all"))
        return;
    terminal_tell_lights(t);
    terminal_tell_screen(t);
}

static const char *must_hit_name(const struct terminal *t)
{
    const char *name = options_text(t->talk->options, "must-hit-name");
    return name != NULL ? name : "must-hit";
}

static enum refusal configure(struct terminal *t, const struct frame *request)
{
    size_t code = code_size(request);
    struct meters fresh = {.chance = t->meters.chance, .lies = t->talk->lies};
    if (code == 0 ||
        !meters_parse(&fresh, request->payload + code, request->size - code, must_hit_name(t)))
        return WRONG_LENGTH;
    if (!authorized(t, request))
        return NOT_AUTHORIZED;
    if (t->state != IDLE)
        return NOT_IN_THIS_STATE;
    if (!meters_possible(&fresh))
        return OUT_OF_RANGE;
    if (terminal_lie(t, "opening-value-ignored"))
        fresh.list[0].value = fresh.list[0].reseed;
    if (terminal_lie(t, "opening-value-a-millionth-off"))
        fresh.list[0].value++;
    if (terminal_lie(t, "configure-ignored"))
        return DONE;
    t->meters = fresh;
    if (fresh.must_hit != METERS_NONE)
        meters_draw_target(&t->meters, fresh.list[fresh.must_hit].value);
    configured(t);
    return DONE;
}

static bool value_possible(const struct terminal *t, uint8_t meter, uint64_t value)
{
    if (meter == t->meters.must_hit)
        return value >= t->meters.list[meter].reseed && value <= t->meters.ceiling;
    return value <= 1000000000ull * 1000000;
}

static enum refusal correct_meter(struct terminal *t, const struct frame *request)
{
    size_t code = code_size(request);
    const uint8_t *rest = request->payload + code;
    if (code == 0 || request->size < code + 10 || request->size != code + 10 + rest[9])
        return WRONG_LENGTH;
    if (!authorized(t, request))
        return NOT_AUTHORIZED;
    if (t->state > OPEN)
        return NOT_IN_THIS_STATE;
    uint64_t value = bytes_get(rest + 1, 8);
    if (rest[0] >= t->meters.count || !value_possible(t, rest[0], value) || rest[9] == 0 ||
        rest[9] > LEDGER_REASON)
        return OUT_OF_RANGE;
    struct ledger_entry entry = {.time = talk_clock(t->talk),
                                 .code = LOG_CORRECTED,
                                 .hand = METERS_NONE,
                                 .meter = rest[0],
                                 .before = t->meters.list[rest[0]].value,
                                 .after = value,
                                 .reason_size = rest[9]};
    memcpy(entry.reason, rest + 10, rest[9]);
    t->meters.list[rest[0]].value = value;
    if (rest[0] == t->meters.must_hit)
        meters_draw_target(&t->meters, value);
    uint64_t number = ledger_add(&t->ledger, &entry);
    talk_note(t->talk, LOG_CORRECTED, rest[0], (uint16_t)number);
    terminal_tell_meters(t);
    return DONE;
}

static enum refusal test_mode(struct terminal *t, uint8_t on)
{
    if (on > 1)
        return OUT_OF_RANGE;
    bool changes = t->test != (on == 1);
    t->test = on == 1;
    if (on == 0 && !terminal_option(t, "load-until-used"))
        t->loaded_seat = NO_LOAD;
    if ((changes || terminal_option(t, "test-mode-always-told")) &&
        !terminal_lie(t, "test-mode-unannounced")) {
        talk_note(t->talk, LOG_TEST_MODE, on, 0);
        talk_event_byte(t->talk, MODE, on);
    }
    return DONE;
}

static enum refusal load_must_hit(struct terminal *t, uint8_t seat)
{
    if (seat > 7)
        return OUT_OF_RANGE;
    if (!t->test)
        return ONLY_IN_TEST_MODE;
    if (t->meters.must_hit == METERS_NONE)
        return NOT_IN_THIS_STATE;
    t->loaded_seat = seat;
    talk_note(t->talk, LOG_LOADED, seat, 0);
    return DONE;
}

static enum refusal show_ledger(struct terminal *t, const struct frame *request,
                                struct frame *reply)
{
    uint32_t number = (uint32_t)bytes_get(request->payload, 4);
    reply->size = ledger_put(&t->ledger, number, reply->payload);
    if (reply->size == 0)
        return OUT_OF_RANGE;
    if (terminal_lie(t, "ledger-rewritten"))
        t->ledger.entries[number % LEDGER_KEPT].cents += 100;
    return DONE;
}

static enum refusal sensors(struct terminal *t, uint8_t seats)
{
    if ((seats & 1) != 0)
        return OUT_OF_RANGE;
    t->sensors = seats;
    return DONE;
}

static enum refusal look(struct terminal *t, uint8_t type, struct frame *reply)
{
    switch (type) {
    case TALK_STATUS:
        return status(t, reply);
    case METERS:
        reply->size = meters_put(&t->meters, reply->payload);
        return DONE;
    case SIGN:
        reply->size = terminal_put_sign(t, reply->payload);
        return DONE;
    case LIGHTS:
        reply->payload[0] = t->lights;
        reply->size = 1;
        return DONE;
    default:
        reply->size = terminal_put_screen(t, reply->payload);
        return DONE;
    }
}

static bool right_length(const struct frame *request)
{
    switch (request->type) {
    case KEY:
    case CONFIGURE:
    case CORRECT_METER:
        return true;
    case SENSORS:
    case TEST_MODE:
    case LOAD_MUST_HIT:
    case TALK_CLEAR_ERROR:
        return request->size == 1;
    case LEDGER:
        return request->size == 4;
    default:
        return request->size == 0;
    }
}

static enum refusal request_of(void *device, const struct frame *request, struct frame *reply)
{
    struct terminal *t = device;
    uint8_t type = request->type;
    if (type != TALK_STATUS && type != TALK_CLEAR_ERROR && (type < KEY || type > LOAD_MUST_HIT))
        return UNKNOWN_REQUEST;
    if (!right_length(request))
        return WRONG_LENGTH;
    bool speaks = type == KEY || type == CONFIGURE || type == CORRECT_METER || type == TEST_MODE;
    if (speaks && talk_room(t->talk) < 6)
        return BUSY;
    switch (type) {
    case TALK_CLEAR_ERROR:
        return OUT_OF_RANGE;
    case KEY:
        return terminal_key(t, request, reply);
    case SENSORS:
        return sensors(t, request->payload[0]);
    case CONFIGURE:
        return configure(t, request);
    case CORRECT_METER:
        return correct_meter(t, request);
    case LEDGER:
        return show_ledger(t, request, reply);
    case TEST_MODE:
        return test_mode(t, request->payload[0]);
    case LOAD_MUST_HIT:
        return load_must_hit(t, request->payload[0]);
    default:
        return look(t, type, reply);
    }
}

static void tick(void *device, uint64_t now)
{
    (void)device;
    (void)now;
}

static void power_up(void *device)
{
    struct terminal *t = device;
    talk_note(t->talk, LOG_POWER_UP, (uint8_t)t->state, 0);
    uint8_t payload[12];
    talk_event(t->talk, POWER_UP, payload, terminal_put_screen(t, payload));
}

static void *create(struct talk *talk)
{
    struct terminal *t = calloc(1, sizeof *t);
    if (t == NULL)
        abort();
    t->talk = talk;
    t->state = IDLE;
    t->hand = METERS_NONE;
    t->loaded_seat = NO_LOAD;
    t->meters.must_hit = METERS_NONE;
    t->meters.chance = talk->now;
    t->meters.lies = talk->lies;
    t->rounds = (uint32_t)options_number(talk->options, "rounds", 0);
    t->awards = (uint32_t)options_number(talk->options, "awards", 0);
    ledger_age(&t->ledger, t->awards, talk_clock(talk));
    return t;
}

const struct talk_device terminal_device = {
    .device_class = 4,
    .model = "SECOND-TERMINAL",
    .log_kept = 1024,
    .power_up_code = LOG_POWER_UP,
    .create = create,
    .request = request_of,
    .flags = flags,
    .tick = tick,
    .power_up = power_up,
    .secret = NULL,
};
