/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A shoe that speaks the open wire protocol: "Shoe (class 2)" in devices/PROTOCOL.md. */
#include <string.h>

#include "devices/shoe/open/wire.h"
#include "hal/base/plural.h"

#define STATUS_SIZE 8 /* two more in version 2 */

struct open_shoe {
    struct shoe shoe;
    struct host host;
    bool test_mode; /* as far as the device has said */
    /* A device that lost its power says again what was not acknowledged: the place in the deck
     * tells a card that was heard already from a new one. */
    bool knows_place;
    uint8_t next_index;
    card_t last_card;
    uint64_t repeats;  /* cards said again under a new number */
    bool knows_fault;  /* what came before our time is not known */
    uint8_t fault;     /* that is pending, by the events; 0: none */
    uint8_t deck[6];   /* the last STAND BY */
    uint64_t renewals; /* times that the power was lost or the link torn, up to the last deck */
};

static struct open_shoe *open_of(struct shoe *shoe)
{
    return (struct open_shoe *)shoe;
}

/* 0 with a reply of exactly `reply_size` bytes. */
static int ask(struct shoe *shoe, const char *name, uint8_t type, const void *payload, size_t size,
               size_t reply_size, struct frame *reply, struct error *error)
{
    int result = host_request(&open_of(shoe)->host, type, payload, size, reply, error);

    if (result > 0)
        return device_refuse(&shoe->device, name, (unsigned)result,
                             wire_refusal_text((unsigned)result), error);
    if (!result && reply->size != reply_size)
        return error_set(error, ERROR_DEVICE, "%s: the reply to %s has %u byte%s, not %zu",
                         shoe->device.address, name, reply->size, plural(reply->size), reply_size);
    return result;
}

static int open_open(struct device *device, const struct device_connection *connection,
                     struct error *error)
{
    struct open_shoe *open = (struct open_shoe *)device;
    int result =
        host_open_as(&open->host, connection->link, FRAME_SHOE, connection->protocol, error);

    device_claim(device, &open->host);
    open->test_mode = !result && open->host.hello_flags & 1;
    open->knows_fault = !result && !(open->host.hello_flags & 2) && !open->host.hello_events;
    return result;
}

static struct host *open_host(struct device *device)
{
    return &((struct open_shoe *)device)->host;
}

static int open_identity(struct device *device, struct wire_identity *identity, struct error *error)
{
    return host_identity(open_host(device), identity, error);
}

/* The number of a deck: of four bytes in version 2. */
static uint32_t deck_number(const struct shoe *shoe, const uint8_t *at)
{
    return shoe->device.is_wide ? wire_get32(at) : wire_get16(at);
}

static int open_status(struct shoe *shoe, struct shoe_status *status, struct error *error)
{
    const unsigned wider = shoe->device.is_wide ? 2 : 0;
    struct frame reply;
    const uint8_t *at = reply.payload, *loaded = at + 7 + wider;
    int result = ask(shoe, "STATUS", WIRE_STATUS, NULL, 0, STATUS_SIZE + wider, &reply, error);

    if (result)
        return result;
    if (at[0] < SHOE_IDLE || at[0] > SHOE_ERROR || at[1] >= SHOE_FAULTS || at[2] > 3 ||
        at[3] + at[4] != DECK_SIZE || *loaded > 1 || !at[1] != (at[0] != SHOE_ERROR) ||
        !(at[2] & 2) != !at[1] || (*loaded && !(at[2] & 1)) || (at[0] == SHOE_IDLE && at[3]) ||
        (at[0] == SHOE_DEALING && !at[3]))
        return error_set(error, ERROR_DEVICE,
                         "%s: STATUS is impossible: state %u, error %u, flags %02x, %u drawn, %u "
                         "left, loaded %u",
                         shoe->device.address, at[0], at[1], at[2], at[3], at[4], *loaded);
    *status = (struct shoe_status){
        .state = at[0],
        .error = at[1],
        .test_mode = at[2] & 1,
        .drawn = at[3],
        .left = at[4],
        .deck = deck_number(shoe, at + 5),
        .loaded = *loaded,
    };
    return 0;
}

static int open_lock(struct shoe *shoe, bool on, struct error *error)
{
    const uint8_t payload = on;
    struct frame reply;

    return ask(shoe, "LOCK", SHOE_LOCK, &payload, 1, 0, &reply, error);
}

static int open_clear_error(struct shoe *shoe, uint8_t code, struct error *error)
{
    struct frame reply;

    return ask(shoe, "CLEAR ERROR", WIRE_CLEAR_ERROR, &code, 1, 0, &reply, error);
}

static int open_test_mode(struct shoe *shoe, bool on, struct error *error)
{
    const uint8_t payload = on;
    struct frame reply;

    return ask(shoe, "TEST MODE", SHOE_TEST_MODE, &payload, 1, 0, &reply, error);
}

static int open_load_order(struct shoe *shoe, const card_t *order, size_t count,
                           struct error *error)
{
    uint8_t payload[1 + DECK_SIZE] = {(uint8_t)count};
    struct frame reply;

    memcpy(payload + 1, order, count);
    return ask(shoe, "LOAD ORDER", SHOE_LOAD_ORDER, payload, 1 + count, 0, &reply, error);
}

static int say_malformed(const struct shoe *shoe, const char *name, const struct frame *frame,
                         const char *what, unsigned value, struct error *error)
{
    return error_set(error, ERROR_DEVICE, "%s: %s (event 0x%02x of %u byte%s): %s is %u",
                     shoe->device.address, name, frame->type, frame->size, plural(frame->size),
                     what, value);
}

/* What was told before comes again when the power was lost or the link torn, and only then. */
static uint64_t renewals(const struct open_shoe *open)
{
    return open->host.event_renewals;
}

/* 1 with a card, 0 when it was heard before, or ERROR_DEVICE. */
static int read_card(struct open_shoe *open, const struct frame *frame, struct shoe_event *event,
                     struct error *error)
{
    const struct shoe *shoe = &open->shoe;
    uint8_t index = frame->payload[0], card = frame->payload[1], flags = frame->payload[2];
    bool is_known = open->knows_place;
    uint8_t expected = open->next_index;

    if (index >= DECK_SIZE)
        return say_malformed(shoe, "CARD", frame, "the index", index, error);
    if (!card_valid(card))
        return say_malformed(shoe, "CARD", frame, "the card", card, error);
    if (flags > 7 || (flags & SHOE_FLAG_LOADED && !(flags & SHOE_FLAG_TEST_MODE)))
        return say_malformed(shoe, "CARD", frame, "the set of flags", flags, error);
    if (is_known && index + 1 == expected && card == open->last_card) {
        open->repeats++;
        if (renewals(open) > open->renewals)
            return 0;
        return error_set(error, ERROR_DEVICE, "%s: CARD %u is told twice, and no power was lost",
                         shoe->device.address, index);
    }
    open->knows_place = true;
    open->next_index = (uint8_t)(index + 1);
    open->last_card = card;
    if (is_known && index != expected)
        return error_set(error, ERROR_DEVICE,
                         "%s: CARD has the index %u, but %u cards of this deck were heard of",
                         shoe->device.address, index, expected);
    open->test_mode = flags & SHOE_FLAG_TEST_MODE;
    event->kind = SHOE_EVENT_CARD;
    event->card.is_nodded = false;
    event->card.witness = NULL;
    event->card.card = card;
    event->card.raw = index;
    event->card.back = 0;
    event->card.outside = flags & SHOE_FLAG_OUTSIDE;
    event->card.loaded = flags & SHOE_FLAG_LOADED;
    return 1;
}

static int read_stand_by(struct open_shoe *open, const struct frame *frame,
                         struct shoe_event *event, struct error *error)
{
    const unsigned number = open->shoe.device.is_wide ? 4 : 2;
    uint8_t cards = frame->payload[number], flags = frame->payload[number + 1];

    if (cards != DECK_SIZE)
        return say_malformed(&open->shoe, "STAND BY", frame, "the number of cards", cards, error);
    if (flags > 3 || flags == SHOE_FLAG_LOADED)
        return say_malformed(&open->shoe, "STAND BY", frame, "the set of flags", flags, error);
    if (renewals(open) > open->renewals && !memcmp(open->deck, frame->payload, frame->size))
        return 0;
    memcpy(open->deck, frame->payload, frame->size);
    open->knows_place = true;
    open->next_index = 0;
    open->renewals = renewals(open);
    open->test_mode = flags & SHOE_FLAG_TEST_MODE;
    event->kind = SHOE_EVENT_STAND_BY;
    event->deck.is_known = true;
    event->deck.number = deck_number(&open->shoe, frame->payload);
    event->deck.loaded = flags & SHOE_FLAG_LOADED;
    return 1;
}

static int read_fault(struct open_shoe *open, const struct frame *frame, struct shoe_event *event,
                      struct error *error)
{
    uint8_t code = frame->payload[0];

    if (code == SHOE_NO_FAULT || code >= SHOE_FAULTS)
        return say_malformed(&open->shoe, frame->type == SHOE_FAULT ? "FAULT" : "FAULT CLEARED",
                             frame, "the code", code, error);
    if (frame->type == SHOE_FAULT_CLEARED && open->knows_fault && open->fault != code &&
        renewals(open) == open->renewals)
        return error_set(error, ERROR_DEVICE, "%s: FAULT CLEARED is about %s, which was not told",
                         open->shoe.device.address, shoe_fault_text(code));
    open->knows_fault = true;
    open->fault = frame->type == SHOE_FAULT ? code : SHOE_NO_FAULT;
    event->kind = frame->type == SHOE_FAULT ? SHOE_EVENT_FAULT : SHOE_EVENT_CLEARED;
    event->fault.code = code;
    event->fault.is_stopped = frame->type == SHOE_FAULT;
    event->fault.text = shoe_fault_text(code);
    return 1;
}

static int read_switch(struct open_shoe *open, const struct frame *frame, struct shoe_event *event,
                       struct error *error)
{
    uint8_t on = frame->payload[0];

    if (on > 1)
        return say_malformed(&open->shoe, frame->type == SHOE_LOCK_CHANGED ? "LOCK" : "TEST MODE",
                             frame, "on or off", on, error);
    if (frame->type == SHOE_LOCK_CHANGED) {
        event->kind = SHOE_EVENT_LOCK;
        event->is_locked = on;
    } else {
        event->kind = SHOE_EVENT_TEST_MODE;
        event->is_on = open->test_mode = on;
    }
    return 1;
}

static int read_power_up(struct open_shoe *open, const struct frame *frame,
                         struct shoe_event *event, struct error *error)
{
    const uint8_t *at = frame->payload;

    if (at[0] < SHOE_IDLE || at[0] > SHOE_ERROR)
        return say_malformed(&open->shoe, "POWER UP", frame, "the state", at[0], error);
    if (at[1] >= SHOE_FAULTS || !at[1] != (at[0] != SHOE_ERROR))
        return say_malformed(&open->shoe, "POWER UP", frame, "the error", at[1], error);
    if (at[2] > DECK_SIZE)
        return say_malformed(&open->shoe, "POWER UP", frame, "the number of cards", at[2], error);
    if (at[3] > 3)
        return say_malformed(&open->shoe, "POWER UP", frame, "the set of flags", at[3], error);
    open->test_mode = at[3] & 1;
    event->kind = SHOE_EVENT_STARTED;
    return 1;
}

static int read_cut_card(struct open_shoe *open, const struct frame *frame,
                         struct shoe_event *event, struct error *error)
{
    uint8_t index = frame->payload[0];

    if (index > DECK_SIZE)
        return say_malformed(&open->shoe, "CUT CARD", frame, "the index", index, error);
    if (open->knows_place && index != open->next_index)
        return error_set(error, ERROR_DEVICE,
                         "%s: CUT CARD comes after %u card%s, but %u of this deck were heard of",
                         open->shoe.device.address, index, plural(index), open->next_index);
    event->kind = SHOE_EVENT_CUT_CARD;
    return 1;
}

static const struct {
    uint8_t type, size;
    uint8_t wider; /* by so many bytes in version 2 */
    const char *name;
    int (*read)(struct open_shoe *open, const struct frame *frame, struct shoe_event *event,
                struct error *error);
} messages[] = {
    {SHOE_CARD, 3, 0, "CARD", read_card},
    {SHOE_CUT_CARD, 1, 0, "CUT CARD", read_cut_card},
    {SHOE_STAND_BY, 4, 2, "STAND BY", read_stand_by},
    {SHOE_FAULT, 2, 0, "FAULT", read_fault},
    {SHOE_FAULT_CLEARED, 1, 0, "FAULT CLEARED", read_fault},
    {SHOE_TEST_MODE_CHANGED, 1, 0, "TEST MODE", read_switch},
    {SHOE_POWER_UP, 4, 0, "POWER UP", read_power_up},
    {SHOE_LOCK_CHANGED, 1, 0, "LOCK", read_switch},
};

/* How long a message is in the version of its frame. */
static size_t size_of(size_t message, const struct frame *frame)
{
    return messages[message].size +
           (size_t)(frame->version >= FRAME_VERSION_2 ? messages[message].wider : 0);
}

/* The second detail of the log's entry of an event. */
static uint32_t entry_value(const struct shoe *shoe, const struct frame *frame)
{
    switch (frame->type) {
    case SHOE_CARD:
    case SHOE_FAULT:
    case SHOE_POWER_UP:
        return frame->payload[1];
    case SHOE_STAND_BY:
        return deck_number(shoe, frame->payload);
    default:
        return 0;
    }
}

/* 1, 0 when it says nothing new, or ERROR_DEVICE. */
static int read_event(struct open_shoe *open, const struct frame *frame, struct shoe_event *event,
                      struct error *error)
{
    int result;

    for (size_t i = 0; i < sizeof messages / sizeof messages[0]; i++) {
        if (messages[i].type != frame->type)
            continue;
        if (size_of(i, frame) != frame->size)
            return say_malformed(&open->shoe, messages[i].name, frame, "its size by the protocol",
                                 (unsigned)size_of(i, frame), error);
        memset(event, 0, sizeof *event);
        result = messages[i].read(open, frame, event, error);
        event->time = open->host.event_time;
        event->test_mode = open->test_mode;
        event->entry.code = frame->type;
        event->entry.detail =
            frame->payload[messages[i].wider && open->shoe.device.is_wide ? 2 : 0];
        event->entry.value = entry_value(&open->shoe, frame);
        return result;
    }
    return error_set(error, ERROR_DEVICE, "%s: event 0x%02x of %u byte%s is not one of a shoe",
                     open->shoe.device.address, frame->type, frame->size, plural(frame->size));
}

static int open_next(struct shoe *shoe, struct shoe_event *event, nanos_t deadline,
                     struct error *error)
{
    struct open_shoe *open = open_of(shoe);
    int result;

    do {
        struct frame frame;

        result = host_event(&open->host, &frame, deadline, error);
        if (result <= 0)
            return result;
        result = read_event(open, &frame, event, error);
    } while (!result);
    return result;
}

_Static_assert((int)SHOE_LOG_CARD == SHOE_CARD && (int)SHOE_LOG_LOCK == SHOE_LOCK_CHANGED,
               "the codes of the log are those of the class");

static int open_log(struct device *device, uint32_t first, struct log_entry *entries,
                    unsigned *count, uint32_t *total, struct error *error)
{
    return host_log(open_host(device), first, entries, count, total, error);
}

static int open_in_test_mode(struct device *device, bool *is_on, struct error *error)
{
    struct shoe_status status = {.test_mode = false};
    int result = open_status((struct shoe *)device, &status, error);

    *is_on = status.test_mode;
    return result;
}

static size_t own_bytes(const struct frame *frame)
{
    if (frame->type == (WIRE_STATUS | WIRE_ANSWER))
        return STATUS_SIZE + (frame->version >= FRAME_VERSION_2 ? 2 : 0);
    for (size_t i = 0; i < sizeof messages / sizeof messages[0]; i++)
        if (messages[i].type == frame->type)
            return size_of(i, frame);
    return 0;
}

static size_t open_meaningful(const struct frame *frame)
{
    return host_meaningful(frame, frame->class == FRAME_SHOE ? own_bytes(frame) : 0);
}

static int open_frame_test_mode(const struct frame *frame)
{
    if (frame->class != FRAME_SHOE || frame->type != SHOE_CARD || frame->size < 3)
        return -1;
    return frame->payload[2] & SHOE_FLAG_TEST_MODE;
}

static void open_counts(const struct shoe *shoe, struct shoe_counts *counts)
{
    const struct open_shoe *open = (const struct open_shoe *)shoe;

    *counts = (struct shoe_counts){
        .events = open->host.counts.events - open->repeats,
        .repeats = open->host.counts.duplicates + open->repeats,
        .retries = open->host.counts.retries,
    };
    for (unsigned i = 0; i < FRAME_REJECTS; i++)
        counts->rejected += open->host.decoder.rejected[i];
}

static const struct shoe_driver open_driver = {
    .device =
        {
            .key = "shoe/open",
            .class = DEVICE_SHOE,
            .noun = "shoe",
            .size = sizeof(struct open_shoe),
            .capabilities = DEVICE_LOADS_ORDER | DEVICE_HAS_TEST_MODE | DEVICE_KEEPS_LOG |
                            DEVICE_TELLS_IDENTITY | DEVICE_TELLS_STATUS | DEVICE_SHOWS_FRAMES |
                            DEVICE_TELLS_CARDS,
            .has_versions = true,
            .protocol = FRAME_PROTOCOL,
            .open = open_open,
            .identity = open_identity,
            .in_test_mode = open_in_test_mode,
            .log = open_log,
            .host = open_host,
            .meaningful = open_meaningful,
            .frame_test_mode = open_frame_test_mode,
        },
    .status = open_status,
    .lock = open_lock,
    .clear_error = open_clear_error,
    .test_mode = open_test_mode,
    .load_order = open_load_order,
    .next = open_next,
    .counts = open_counts,
};
REGISTER(device_drivers, open_driver);
