/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/sensors/unit/bet_unit.h"

#include <stdlib.h>

#include "hal/base/plural.h"

#define STATUS_SIZE 6

struct bet_unit {
    struct host host;
    unsigned refusal; /* enum wire_refusal of the last request */
    /* The last of a seat's events that a wager came or went; a device that lost its power may say
     * it again. */
    enum bet_event_kind told[BET_SENSOR_SEATS + 1];
    uint64_t repeats;
};

int bet_unit_open(struct bet_unit **unit, struct link *link, struct error *error)
{
    return bet_unit_open_as(unit, link, 0, error);
}

int bet_unit_open_as(struct bet_unit **unit, struct link *link, unsigned version,
                     struct error *error)
{
    struct bet_unit *opened = calloc(1, sizeof *opened);
    int status;

    *unit = NULL;
    if (!opened)
        return error_set(error, ERROR_RIG, "%s: no memory for a bet sensor unit", link->address);
    status = host_open_as(&opened->host, link, FRAME_BET_SENSOR, version, error);
    if (status) {
        free(opened);
        return status;
    }
    opened->host.status_firm = STATUS_SIZE - 1; /* a lamp takes its time */
    *unit = opened;
    return 0;
}

void bet_unit_close(struct bet_unit *unit)
{
    free(unit);
}

struct host *bet_unit_host(struct bet_unit *unit)
{
    return &unit->host;
}

unsigned bet_unit_refusal(const struct bet_unit *unit)
{
    return unit->refusal;
}

uint64_t bet_unit_repeats(const struct bet_unit *unit)
{
    return unit->repeats;
}

static const char *address(const struct bet_unit *unit)
{
    return unit->host.link->address;
}

/* 0 with the reply, or an error; a refusal is kept. */
static int ask(struct bet_unit *unit, const char *name, uint8_t type, const void *payload,
               size_t size, struct frame *reply, struct error *error)
{
    int result = host_request(&unit->host, type, payload, size, reply, error);

    unit->refusal = result > 0 ? (unsigned)result : 0;
    if (result > 0)
        return error_set(error, ERROR_DEVICE, "%s: the bet sensor unit refuses %s: %s",
                         address(unit), name, wire_refusal_text(unit->refusal));
    return result;
}

/* The same where the reply is to have exactly so many bytes. */
static int ask_sized(struct bet_unit *unit, const char *name, uint8_t type, const void *payload,
                     size_t size, size_t reply_size, struct frame *reply, struct error *error)
{
    int result = ask(unit, name, type, payload, size, reply, error);

    if (!result && reply->size != reply_size)
        return error_set(error, ERROR_DEVICE, "%s: the reply to %s has %u byte%s, not %zu",
                         address(unit), name, reply->size, plural(reply->size), reply_size);
    return result;
}

static int send_set(struct bet_unit *unit, const char *name, uint8_t type, unsigned seats,
                    struct error *error)
{
    uint8_t set = (uint8_t)seats;
    struct frame reply;

    unit->refusal = 0;
    if (seats & ~BET_ALL_SEATS)
        return error_set(error, ERROR_CONFIG,
                         "%s: %s: 0x%x is not a set of seats 1 to %d with bit n for seat n",
                         address(unit), name, seats, BET_SENSOR_SEATS);
    return ask_sized(unit, name, type, &set, 1, 0, &reply, error);
}

/* The six bytes of STATUS and POWER UP. */
static int read_status(const struct bet_unit *unit, const char *name, const uint8_t *at,
                       struct bet_unit_status *status, struct error *error)
{
    bool is_idle = at[0] == BET_UNIT_IDLE;

    if ((!is_idle && at[0] != BET_UNIT_ROUND) || at[1] || at[2] > 1 ||
        (at[3] | at[4] | at[5]) & 1 || (is_idle && at[4]))
        return error_set(error, ERROR_DEVICE,
                         "%s: %s is impossible: state %u, error %u, flags %02x, placed %02x, "
                         "locked %02x, lit %02x",
                         address(unit), name, at[0], at[1], at[2], at[3], at[4], at[5]);
    *status = (struct bet_unit_status){
        .state = (enum bet_unit_state)at[0],
        .test_mode = at[2],
        .placed = at[3],
        .locked = at[4],
        .lit = at[5],
    };
    return 0;
}

int bet_unit_status(struct bet_unit *unit, struct bet_unit_status *status, struct error *error)
{
    struct frame reply;
    int result = ask_sized(unit, "STATUS", WIRE_STATUS, NULL, 0, STATUS_SIZE, &reply, error);

    return result ? result : read_status(unit, "STATUS", reply.payload, status, error);
}

int bet_unit_lock(struct bet_unit *unit, unsigned seats, struct error *error)
{
    return send_set(unit, "LOCK", BET_UNIT_LOCK, seats, error);
}

int bet_unit_unlock(struct bet_unit *unit, struct error *error)
{
    struct frame reply;

    return ask_sized(unit, "UNLOCK", BET_UNIT_UNLOCK, NULL, 0, 0, &reply, error);
}

int bet_unit_light(struct bet_unit *unit, unsigned seats, struct error *error)
{
    return send_set(unit, "LIGHTS", BET_UNIT_LIGHTS, seats, error);
}

int bet_unit_place(struct bet_unit *unit, unsigned seats, struct error *error)
{
    return send_set(unit, "PLACE", BET_UNIT_PLACE, seats, error);
}

int bet_unit_test_mode(struct bet_unit *unit, bool on, struct error *error)
{
    const uint8_t payload = on;
    struct frame reply;

    return ask_sized(unit, "TEST MODE", BET_UNIT_TEST_MODE, &payload, 1, 0, &reply, error);
}

static const struct message {
    uint8_t type, size;
    const char *name;
    /* Of one about a seat; the second kind is that of a second byte of 1. */
    enum bet_event_kind kind, other;
} messages[] = {
    {BET_UNIT_PLACED, 1, "PLACED", BET_EVENT_PLACED, BET_EVENT_NONE},
    {BET_UNIT_LIFTED, 1, "LIFTED", BET_EVENT_LIFTED, BET_EVENT_NONE},
    {BET_UNIT_LATE, 1, "LATE", BET_EVENT_LATE, BET_EVENT_NONE},
    {BET_UNIT_LIFTED_LOCKED, 1, "LIFTED WHILE LOCKED", BET_EVENT_LIFTED_LOCKED, BET_EVENT_NONE},
    {BET_UNIT_LAMP, 2, "LAMP", BET_EVENT_LAMP_DARK, BET_EVENT_LAMP_LIT},
    {BET_UNIT_STUCK, 2, "STUCK", BET_EVENT_STUCK_LOW, BET_EVENT_STUCK_HIGH},
    {BET_UNIT_TEST_MODE_CHANGED, 1, "TEST MODE", BET_EVENT_NONE, BET_EVENT_NONE},
    {BET_UNIT_POWER_UP, STATUS_SIZE, "POWER UP", BET_EVENT_NONE, BET_EVENT_NONE},
};

static int say_malformed(const struct bet_unit *unit, const struct message *message,
                         const struct frame *frame, const char *what, unsigned value,
                         struct error *error)
{
    return error_set(error, ERROR_DEVICE, "%s: %s (event 0x%02x of %u byte%s): %s is %u",
                     address(unit), message->name, frame->type, frame->size, plural(frame->size),
                     what, value);
}

static bool is_wager(enum bet_event_kind kind)
{
    return kind == BET_EVENT_PLACED || kind == BET_EVENT_LATE;
}

/* Wagers come and go by turns: 1 for a new one, 0 for what was told before, or ERROR_DEVICE. */
static int take_turn(struct bet_unit *unit, const struct bet_event *event, struct error *error)
{
    enum bet_event_kind last = unit->told[event->seat];

    if (last == event->kind) {
        unit->repeats++;
        if (unit->host.event_renewals > 0)
            return 0;
        return error_set(error, ERROR_DEVICE,
                         "%s: seat %u: '%s' is told twice, and no power was lost", address(unit),
                         event->seat, bet_event_text(event->kind));
    }
    unit->told[event->seat] = event->kind;
    if (last != BET_EVENT_NONE && is_wager(last) == is_wager(event->kind))
        return error_set(error, ERROR_DEVICE, "%s: seat %u: '%s' comes right after '%s'",
                         address(unit), event->seat, bet_event_text(event->kind),
                         bet_event_text(last));
    return 1;
}

static int read_seat(struct bet_unit *unit, const struct message *message,
                     const struct frame *frame, struct bet_unit_event *event, struct error *error)
{
    uint8_t seat = frame->payload[0], level = message->size == 2 ? frame->payload[1] : 0;

    if (!seat || seat > BET_SENSOR_SEATS)
        return say_malformed(unit, message, frame, "the seat", seat, error);
    if (level > 1)
        return say_malformed(unit, message, frame, "the second byte", level, error);
    event->kind = BET_UNIT_EVENT_SEAT;
    event->seat = (struct bet_event){
        .kind = level ? message->other : message->kind, .seat = seat, .time = event->time};
    return message->size == 1 ? take_turn(unit, &event->seat, error) : 1;
}

static int read_test_mode(const struct bet_unit *unit, const struct message *message,
                          const struct frame *frame, struct bet_unit_event *event,
                          struct error *error)
{
    if (frame->payload[0] > 1)
        return say_malformed(unit, message, frame, "on or off", frame->payload[0], error);
    event->kind = BET_UNIT_EVENT_TEST_MODE;
    event->test_mode = frame->payload[0];
    return 1;
}

/* 1, 0 when it says nothing new, or ERROR_DEVICE. */
static int read_event(struct bet_unit *unit, const struct frame *frame,
                      struct bet_unit_event *event, struct error *error)
{
    const struct message *message = NULL;

    for (size_t i = 0; i < sizeof messages / sizeof messages[0]; i++)
        if (messages[i].type == frame->type)
            message = &messages[i];
    if (!message)
        return error_set(error, ERROR_DEVICE,
                         "%s: event 0x%02x of %u byte%s is not one of a bet sensor unit",
                         address(unit), frame->type, frame->size, plural(frame->size));
    if (message->size != frame->size)
        return say_malformed(unit, message, frame, "its size by the protocol", message->size,
                             error);
    *event = (struct bet_unit_event){.time = unit->host.event_time};
    event->entry.code = frame->type;
    event->entry.detail = frame->payload[0];
    event->entry.value = frame->type == BET_UNIT_POWER_UP ? frame->payload[4]
                         : frame->size > 1                ? frame->payload[1]
                                                          : 0;
    if (message->kind != BET_EVENT_NONE)
        return read_seat(unit, message, frame, event, error);
    if (frame->type == BET_UNIT_TEST_MODE_CHANGED)
        return read_test_mode(unit, message, frame, event, error);
    event->kind = BET_UNIT_EVENT_POWER_UP;
    return read_status(unit, message->name, frame->payload, &event->status, error) ? ERROR_DEVICE
                                                                                   : 1;
}

int bet_unit_next(struct bet_unit *unit, struct bet_unit_event *event, nanos_t deadline,
                  struct error *error)
{
    int result;

    do {
        struct frame frame;

        result = host_event(&unit->host, &frame, deadline, error);
        if (result <= 0)
            return result;
        result = read_event(unit, &frame, event, error);
    } while (!result);
    return result;
}
