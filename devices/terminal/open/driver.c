/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The terminal driver "open": the host's side of devices/PROTOCOL.md, class 4. */
#include <string.h>

#include "devices/terminal/open/mask.h"
#include "devices/terminal/open/reading.h"
#include "devices/terminal/open/wire.h"
#include "hal/base/plural.h"

#define CHALLENGES 32 /* that are remembered, to know one that comes again */

struct open_terminal {
    struct terminal terminal;
    uint8_t challenges[CHALLENGES][WIRE_PROOF_SIZE];
    unsigned challenge_count;
    bool has_replayed; /* a proof was said again, to see that it is refused */
    struct host host;
    struct frame reply;         /* to the last request */
    struct terminal_award told; /* the last one; number 0: none */
};

static struct open_terminal *open_of(struct terminal *terminal)
{
    return (struct open_terminal *)terminal;
}

static int open_open(struct device *device, const struct device_connection *connection,
                     struct error *error)
{
    struct host *host = &((struct open_terminal *)device)->host;
    int status = host_open_as(host, connection->link, FRAME_TERMINAL, connection->protocol, error);

    device_claim(device, host);
    host->reading = 1u << TERMINAL_METERS | 1u << TERMINAL_SIGN | 1u << TERMINAL_LIGHTS |
                    1u << TERMINAL_SCREEN | 1u << TERMINAL_LEDGER | 1u << TERMINAL_CONFIGURATION |
                    1u << TERMINAL_CHALLENGE;
    return status;
}

static struct host *open_host(struct device *device)
{
    return &((struct open_terminal *)device)->host;
}

static const char *address(const struct terminal *terminal)
{
    return terminal->device.address;
}

/* 0 with the reply, or an error; a refusal is kept. */
static int ask(struct terminal *terminal, uint8_t type, const char *name, const void *payload,
               size_t size, struct terminal_said *said, struct error *error)
{
    struct frame *reply = &open_of(terminal)->reply;
    int result = host_request(&open_of(terminal)->host, type, payload, size, reply, error);

    *said = (struct terminal_said){.address = address(terminal),
                                   .message = name,
                                   .bytes = reply->payload,
                                   .size = reply->size};
    terminal->device.refusal = 0;
    return result > 0 ? device_refuse(&terminal->device, name, (unsigned)result,
                                      wire_refusal_text((unsigned)result), error)
                      : result;
}

/* A request whose reply holds nothing. */
static int tell(struct terminal *terminal, uint8_t type, const char *name, const void *payload,
                size_t size, struct error *error)
{
    struct terminal_said said;
    int status = ask(terminal, type, name, payload, size, &said, error);

    if (!status && said.size)
        return error_set(error, ERROR_DEVICE,
                         "%s: the terminal answers %s with %zu byte%s where there are none",
                         address(terminal), name, said.size, plural(said.size));
    return status;
}

static int open_identity(struct device *device, struct wire_identity *identity, struct error *error)
{
    return host_identity(open_host(device), identity, error);
}

static int open_status(struct terminal *terminal, struct terminal_status *status,
                       struct error *error)
{
    struct terminal_said said;
    int result = ask(terminal, WIRE_STATUS, "STATUS", NULL, 0, &said, error);

    return result ? result : terminal_read_status(&said, status, error);
}

static int open_sensors(struct terminal *terminal, unsigned seats, struct error *error)
{
    uint8_t set = (uint8_t)seats;

    if (seats & 1 || seats > 0xff)
        return error_set(error, ERROR_CONFIG,
                         "%s: 0x%x is not a set of seats 1 to %d with bit n for seat n",
                         address(terminal), seats, TERMINAL_SEATS);
    return tell(terminal, TERMINAL_SENSORS, "SENSORS", &set, 1, error);
}

static int open_meters(struct terminal *terminal, struct terminal_meters *meters,
                       struct error *error)
{
    struct terminal_said said;
    int result = ask(terminal, TERMINAL_METERS, "METERS", NULL, 0, &said, error);

    return result ? result : terminal_read_meters(&said, meters, error);
}

static int open_screen(struct terminal *terminal, struct terminal_screen *screen,
                       struct error *error)
{
    struct terminal_said said;
    int result = ask(terminal, TERMINAL_SCREEN, "SCREEN", NULL, 0, &said, error);

    return result ? result : terminal_read_screen(&said, screen, error);
}

static int open_sign(struct terminal *terminal, struct terminal_sign *sign, struct error *error)
{
    struct terminal_said said;
    int result = ask(terminal, TERMINAL_SIGN, "SIGN", NULL, 0, &said, error);

    return result ? result : terminal_read_sign(&said, sign, error);
}

static int open_lights(struct terminal *terminal, uint8_t *seats, struct error *error)
{
    struct terminal_said said;
    int result = ask(terminal, TERMINAL_LIGHTS, "LIGHTS", NULL, 0, &said, error);

    return result ? result : terminal_read_lights(&said, seats, error);
}

/* A code with its length before it; how many bytes, or 0 if it cannot be a code. */
static size_t put_code(uint8_t *at, const char *code)
{
    size_t length = strspn(code, "0123456789");

    if (code[length] || length < TERMINAL_CODE_MIN || length > TERMINAL_CODE_MAX)
        return 0;
    at[0] = (uint8_t)length;
    memcpy(at + 1, code, length);
    return 1 + length;
}

/* The sentence does not repeat the code: it may be almost right. */
static int bad_code(const struct terminal *terminal, struct error *error)
{
    return error_set(error, ERROR_CONFIG, "%s: a code has %d to %d digits and nothing else",
                     address(terminal), TERMINAL_CODE_MIN, TERMINAL_CODE_MAX);
}

/* Another one each time; one that was there before is counted. */
static int ask_challenge(struct terminal *terminal, uint8_t challenge[WIRE_PROOF_SIZE],
                         struct error *error)
{
    struct open_terminal *open = open_of(terminal);
    struct terminal_said said;
    int status = ask(terminal, TERMINAL_CHALLENGE, "CHALLENGE", NULL, 0, &said, error);

    if (!status && said.size != WIRE_PROOF_SIZE)
        return error_set(error, ERROR_DEVICE, "%s: the terminal's CHALLENGE has %zu byte%s, not %d",
                         address(terminal), said.size, plural(said.size), WIRE_PROOF_SIZE);
    if (status)
        return status;
    memcpy(challenge, said.bytes, WIRE_PROOF_SIZE);
    for (unsigned i = 0; i < CHALLENGES && i < open->challenge_count; i++)
        if (!memcmp(open->challenges[i], challenge, WIRE_PROOF_SIZE)) {
            terminal->stale++;
            break;
        }
    memcpy(open->challenges[open->challenge_count++ % CHALLENGES], challenge, WIRE_PROOF_SIZE);
    return 0;
}

/*
 * What stands for a code: in version 1 its digits with their length before them, in version 2 its
 * proof for what the payload has besides. How many bytes, or an error.
 */
static int put_authorization(struct terminal *terminal, const char *code, uint8_t type,
                             const uint8_t *rest, size_t size, uint8_t *at, struct error *error)
{
    uint8_t challenge[WIRE_PROOF_SIZE], digits[1 + TERMINAL_CODE_MAX];
    size_t length = put_code(digits, code);
    int status;

    if (!length)
        return bad_code(terminal, error);
    if (!terminal->device.is_wide) {
        memcpy(at, digits, length);
        return (int)length;
    }
    status = ask_challenge(terminal, challenge, error);
    if (status)
        return status;
    terminal_prove(code, length - 1, challenge, type, rest, size, at);
    return WIRE_PROOF_SIZE;
}

static uint8_t *put_meter(uint8_t *at, const struct terminal_meter_rule *meter)
{
    size_t length = strlen(meter->name);

    *at++ = (uint8_t)length;
    memcpy(at, meter->name, length);
    at += length;
    wire_put64(at, meter->reseed);
    wire_put64(at + 8, meter->opening);
    wire_put16(at + 16, meter->rate);
    return at + 18;
}

static uint8_t *put_config(uint8_t *at, const struct terminal_config *config)
{
    wire_put32(at, config->wager);
    at[4] = (uint8_t)config->rounding;
    at[5] = config->meter_count;
    at += 6;
    for (unsigned i = 0; i < config->meter_count; i++)
        at = put_meter(at, &config->meters[i]);
    wire_put16(at, config->must_hit.rate);
    at += 2;
    if (terminal_config_has_must_hit(config)) {
        wire_put64(at, config->must_hit.reset);
        wire_put64(at + 8, config->must_hit.hit_by);
        wire_put64(at + 16, config->must_hit.opening);
        at += 24;
    }
    *at++ = config->hand_count;
    for (unsigned i = 0; i < config->hand_count; i++, at += 5) {
        at[0] = config->hands[i].meter;
        wire_put32(at + 1, config->hands[i].cents);
    }
    return at;
}

/* A request of the administrator: what stands for his code, then the rest. */
static int tell_authorized(struct terminal *terminal, const char *admin, uint8_t type,
                           const char *name, const uint8_t *rest, size_t size, struct error *error)
{
    uint8_t payload[FRAME_PAYLOAD_MAX + WIRE_PROOF_SIZE];
    int length = put_authorization(terminal, admin, type, rest, size, payload, error);

    if (length < 0)
        return length;
    memcpy(payload + length, rest, size);
    return tell(terminal, type, name, payload, (size_t)length + size, error);
}

static int open_configuration(struct terminal *terminal, struct terminal_config *config,
                              struct error *error)
{
    struct terminal_said said;
    int status = ask(terminal, TERMINAL_CONFIGURATION, "CONFIGURATION", NULL, 0, &said, error);

    return status ? status : terminal_read_config(&said, config, error);
}

static int open_configure(struct terminal *terminal, const char *admin,
                          const struct terminal_config *config, struct error *error)
{
    uint8_t rest[FRAME_PAYLOAD_MAX];
    int status = tell_authorized(terminal, admin, TERMINAL_CONFIGURE, "CONFIGURE", rest,
                                 (size_t)(put_config(rest, config) - rest), error);

    if (!status) /* awards may be counted from 1 again */
        open_of(terminal)->told = (struct terminal_award){0};
    return status;
}

static int open_correct(struct terminal *terminal, const char *admin, unsigned meter,
                        uint64_t micros, const char *reason, struct error *error)
{
    uint8_t rest[10 + TERMINAL_REASON_MAX];
    size_t length = strlen(reason);

    if (!length || length > TERMINAL_REASON_MAX || meter > TERMINAL_METERS_MAX)
        return error_set(error, ERROR_CONFIG,
                         "%s: meter %u with a reason of %zu characters; a correction needs a meter "
                         "up to %d and 1 to %d characters",
                         address(terminal), meter, length, TERMINAL_METERS_MAX,
                         TERMINAL_REASON_MAX);
    rest[0] = (uint8_t)meter;
    wire_put64(rest + 1, micros);
    rest[9] = (uint8_t)length;
    memcpy(rest + 10, reason, length);
    return tell_authorized(terminal, admin, TERMINAL_CORRECT, "CORRECT METER", rest, 10 + length,
                           error);
}

static int open_test_mode(struct terminal *terminal, bool on, struct error *error)
{
    uint8_t byte = on;

    return tell(terminal, TERMINAL_TEST_MODE, "TEST MODE", &byte, 1, error);
}

static int open_load_must_hit(struct terminal *terminal, unsigned seat, struct error *error)
{
    uint8_t byte = (uint8_t)seat;

    if (seat > TERMINAL_SEATS)
        return error_set(error, ERROR_CONFIG, "%s: there is no seat %u", address(terminal), seat);
    return tell(terminal, TERMINAL_LOAD_MUST_HIT, "LOAD MUST HIT", &byte, 1, error);
}

static int open_log(struct device *device, uint32_t first, struct log_entry *entries,
                    unsigned *count, uint32_t *total, struct error *error)
{
    return host_log(open_host(device), first, entries, count, total, error);
}

static int open_in_test_mode(struct device *device, bool *is_on, struct error *error)
{
    struct terminal_status status = {.test_mode = false};
    int result = open_status((struct terminal *)device, &status, error);

    *is_on = status.test_mode;
    return result;
}

static int open_ledger(struct terminal *terminal, uint32_t number,
                       struct terminal_ledger_entry *entry, struct error *error)
{
    struct terminal_said said;
    uint8_t payload[4];
    int result;

    wire_put32(payload, number);
    result = ask(terminal, TERMINAL_LEDGER, "LEDGER", payload, sizeof payload, &said, error);
    if (!result)
        result = terminal_read_ledger(&said, entry, error);
    if (!result && entry->number != number)
        return error_set(error, ERROR_DEVICE,
                         "%s: the terminal answers LEDGER for entry %u with entry %u",
                         address(terminal), (unsigned)number, (unsigned)entry->number);
    return result;
}

static bool is_same_award(const struct terminal_award *a, const struct terminal_award *b)
{
    return a->number == b->number && a->seat == b->seat && a->hand == b->hand &&
           a->meter == b->meter && a->cents == b->cents;
}

/*
 * A device that lost its power tells again what may not have been heard: 0 for an award that was
 * told before, 1 for any other event, or an error.
 */
static int sort_award(struct open_terminal *open, const struct terminal_event *event,
                      struct error *error)
{
    const struct terminal_award *award = &event->award;

    if (event->kind == TERMINAL_EVENT_POWER_UP)
        open->terminal.repeated = 0;
    if (event->kind != TERMINAL_EVENT_JACKPOT && event->kind != TERMINAL_EVENT_MUST_HIT)
        return 1;
    if (award->number < open->told.number || is_same_award(award, &open->told)) {
        open->terminal.repeated++;
        return 0;
    }
    if (award->number == open->told.number)
        return error_set(error, ERROR_DEVICE,
                         "%s: the terminal tells award %u twice and not alike, to seat %u and to "
                         "seat %u",
                         address(&open->terminal), (unsigned)award->number, open->told.seat,
                         award->seat);
    open->told = *award;
    return 1;
}

static int open_next(struct terminal *terminal, struct terminal_event *event, nanos_t deadline,
                     struct error *error)
{
    int result;

    do {
        struct frame frame;

        result = host_event(&open_of(terminal)->host, &frame, deadline, error);
        if (result <= 0)
            return result;
        event->time = open_of(terminal)->host.event_time;
        result = terminal_read_event(address(terminal), &frame, event, error);
        if (!result)
            result = sort_award(open_of(terminal), event, error);
    } while (!result);
    return result;
}

#define KEY_MAX (1 + WIRE_PROOF_SIZE)

/* The key with its argument; how many bytes, or an error. */
static int put_key(struct terminal *terminal, const struct terminal_press *press, uint8_t *payload,
                   struct error *error)
{
    payload[0] = (uint8_t)press->key;
    switch (press->key) {
    case TERMINAL_SEAT:
        payload[1] = press->seat;
        return 2;
    case TERMINAL_HAND:
        payload[1] = press->hand;
        return 2;
    case TERMINAL_CODE: {
        uint8_t code[KEY_MAX];
        int size = put_authorization(terminal, press->code, TERMINAL_KEY, payload, 1, code, error);

        if (size < 0)
            return size;
        if (terminal->device.is_wide) {
            memcpy(payload + 1, code, (size_t)size);
            return 1 + size;
        }
        memcpy(payload + 1, code + 1, (size_t)size - 1); /* without its length */
        return size;
    }
    default:
        return 1;
    }
}

static int read_answer(const struct terminal_said *said, struct error *error)
{
    if (said->size != 2)
        return error_set(error, ERROR_DEVICE,
                         "%s: the terminal answers the key %s with %zu byte%s, not a reason and a "
                         "state",
                         said->address, said->message, said->size, plural(said->size));
    if (said->bytes[0] >= TERMINAL_REFUSALS || !said->bytes[1] || said->bytes[1] >= TERMINAL_STATES)
        return error_set(error, ERROR_DEVICE,
                         "%s: the terminal answers the key %s with reason %u and state %u: "
                         "impossible",
                         said->address, said->message, said->bytes[0], said->bytes[1]);
    if (said->bytes[0])
        error_set(error, ERROR_RULE, "%s: the terminal refuses the key %s: %s (%s)", said->address,
                  said->message, terminal_refusal_text(said->bytes[0]),
                  terminal_state_text(said->bytes[1]));
    return said->bytes[0];
}

/*
 * A challenge is lost with the power: then there is another one, once. What was said goes on
 * pointing at the name.
 */
static int ask_key(struct terminal *terminal, const struct terminal_press *press, const char *name,
                   uint8_t payload[KEY_MAX], struct terminal_said *said, struct error *error)
{
    int status = 0;

    for (unsigned tries = 0; tries < 2; tries++) {
        int size = put_key(terminal, press, payload, error);

        if (size < 0)
            return size;
        status = ask(terminal, TERMINAL_KEY, name, payload, (size_t)size, said, error);
        if (press->key != TERMINAL_CODE || terminal->device.refusal != REFUSED_AUTHORIZATION)
            break;
    }
    return status;
}

/* The proof of a wrong code, said again: it must be refused, not judged. Once is enough. */
static void replay(struct open_terminal *open, const uint8_t payload[KEY_MAX])
{
    struct frame reply;
    int result;

    if (open->has_replayed || !open->terminal.device.is_wide)
        return;
    open->has_replayed = true;
    result = host_request(&open->host, TERMINAL_KEY, payload, KEY_MAX, &reply, NULL);
    open->terminal.replayed +=
        (result >= 0 || result == ERROR_DEVICE) && result != REFUSED_AUTHORIZATION;
}

static int open_key(struct terminal *terminal, const struct terminal_press *press,
                    struct error *error)
{
    char name[TERMINAL_KEY_TEXT];
    uint8_t payload[KEY_MAX];
    struct terminal_said said;
    int status =
        ask_key(terminal, press, terminal_key_name(press, NULL, name), payload, &said, error);

    if (status)
        return status;
    status = read_answer(&said, error);
    if (status >= 0)
        terminal->answered = (enum terminal_state)said.bytes[1];
    if (press->key == TERMINAL_CODE && status == TERMINAL_WRONG_CODE)
        replay(open_of(terminal), payload);
    return status;
}

static const struct terminal_driver open_driver = {
    .device =
        {
            .key = "terminal/open",
            .class = DEVICE_TERMINAL,
            .noun = "terminal",
            .size = sizeof(struct open_terminal),
            .capabilities = DEVICE_HAS_TEST_MODE | DEVICE_KEEPS_LOG | DEVICE_TELLS_IDENTITY |
                            DEVICE_TELLS_STATUS | DEVICE_SHOWS_FRAMES,
            .has_versions = true,
            .protocol = FRAME_PROTOCOL,
            .mask = open_terminal_mask,
            .open = open_open,
            .identity = open_identity,
            .in_test_mode = open_in_test_mode,
            .log = open_log,
            .host = open_host,
        },
    .key = open_key,
    .status = open_status,
    .sensors = open_sensors,
    .meters = open_meters,
    .screen = open_screen,
    .sign = open_sign,
    .lights = open_lights,
    .configure = open_configure,
    .configuration = open_configuration,
    .correct = open_correct,
    .test_mode = open_test_mode,
    .load_must_hit = open_load_must_hit,
    .ledger = open_ledger,
    .next = open_next,
};
REGISTER(device_drivers, open_driver);
