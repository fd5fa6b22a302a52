/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/shoe/open/model.h"

#include <stdlib.h>
#include <string.h>

#include "devices/model.h"
#include "devices/shoe/mechanics.h"
#include "devices/shoe/open/wire.h"
#include "devices/wire/log.h"
#include "devices/wire/peer.h"

#define LOG_ENTRIES 256 /* the oldest are overwritten */
/* Queue slots needed before a draw, for all events that may follow it. */
#define ROOM_NEEDED 4
#define NO_CARD     0xff
#define WHISPER     0x60 /* an event that the protocol does not have */

struct shoe_model {
    struct shoe_model_base base;
    struct peer peer;
    struct wire_identity identity;
    /* With the mechanics' memory, what a power loss leaves as it was. */
    bool test_mode;
    uint32_t logged;
    struct log_chain chain; /* where version 2 is spoken */
    struct log_entry log[LOG_ENTRIES];
    /* Index of a card that is said twice, and of one whose acknowledgement is not heard. */
    uint8_t repeated, unheard;
    uint32_t stated; /* replies to STATUS */
    uint64_t frames; /* of the host, also before the last power loss */
};

static struct shoe_model *shoe_of(struct model *model)
{
    return (struct shoe_model *)model;
}

static void note(struct shoe_model *shoe, uint8_t type, const uint8_t *payload, unsigned value,
                 nanos_t now)
{
    struct log_entry *entry = &shoe->log[shoe->logged++ % LOG_ENTRIES];

    *entry = (struct log_entry){
        .millis = log_millis(&shoe->base.mechanics.defects, SHOE_DEFECT_LOG, now),
        .code = type,
        .detail = payload[0],
        .value = value,
    };
    if (shoe->peer.versions > FRAME_VERSION)
        log_chain_add(&shoe->chain, entry);
}

static void tell(struct shoe_model *shoe, uint8_t type, const uint8_t *payload, size_t size,
                 unsigned value, nanos_t now)
{
    peer_event(&shoe->peer, type, payload, size, now);
    note(shoe, type, payload, value, now);
}

static enum shoe_state state_of(const struct shoe_model *shoe)
{
    const struct shoe_memory *memory = &shoe->base.mechanics.memory;

    if (memory->error)
        return SHOE_ERROR;
    if (memory->is_locked)
        return SHOE_LOCKED;
    return memory->drawn ? SHOE_DEALING : SHOE_IDLE;
}

static uint8_t hello_flags(void *context)
{
    const struct shoe_model *shoe = context;

    return (uint8_t)((shoe->test_mode ? PEER_FLAG_TEST_MODE : 0) |
                     (shoe->base.mechanics.memory.error ? PEER_FLAG_ERROR : 0));
}

static uint8_t deck_flags(const struct shoe_model *shoe)
{
    return (uint8_t)((shoe->test_mode ? SHOE_FLAG_TEST_MODE : 0) |
                     (shoe->base.mechanics.memory.is_loaded ? SHOE_FLAG_LOADED : 0));
}

static void tell_stand_by(struct shoe_model *shoe, nanos_t now)
{
    uint8_t payload[6] = {[4] = DECK_SIZE, [5] = deck_flags(shoe)};
    struct shoe_mechanics *mechanics = &shoe->base.mechanics;
    uint32_t number = mechanics->memory.number;

    number += shoe_mechanics_shows(mechanics, SHOE_DEFECT_MISNUMBERED, number);
    wire_put32(payload, number);
    peer_event(&shoe->peer, SHOE_STAND_BY, payload, sizeof payload, now);
    /* The detail of its entry is the first byte in version 1, whatever is spoken. */
    if (!shoe_mechanics_shows(mechanics, SHOE_DEFECT_UNLOGGED_DECK, number))
        note(shoe, SHOE_STAND_BY, payload + 2, number, now);
    shoe_mechanics_plan(&shoe->base.mechanics, now);
}

static void set_test_mode(struct shoe_model *shoe, bool on, nanos_t now)
{
    const uint8_t payload = on;

    if (shoe->test_mode == on)
        return;
    shoe->test_mode = on;
    if (on || !shoe_mechanics_shows(&shoe->base.mechanics, SHOE_DEFECT_ENDS_SILENTLY, 0))
        tell(shoe, SHOE_TEST_MODE_CHANGED, &payload, 1, 0, now);
    else
        note(shoe, SHOE_TEST_MODE_CHANGED, &payload, 0, now);
    if (!on && shoe->base.mechanics.memory.is_loaded) {
        shoe->base.mechanics.played = shoe->base.mechanics.recorded;
        shoe_mechanics_refill(&shoe->base.mechanics);
        tell_stand_by(shoe, now);
    }
}

static void raise_fault(struct shoe_model *shoe, const struct shoe_draw *draw, nanos_t now)
{
    const uint8_t payload[] = {(uint8_t)draw->fault, draw->index};

    shoe->base.mechanics.memory.error = (uint8_t)draw->fault;
    tell(shoe, SHOE_FAULT, payload, sizeof payload, draw->index, now);
}

static void report_card(struct shoe_model *shoe, const struct shoe_draw *draw, nanos_t now)
{
    struct shoe_mechanics *mechanics = &shoe->base.mechanics;
    unsigned place = draw->index + 1u;
    uint8_t payload[] = {draw->index, draw->card,
                         (uint8_t)(deck_flags(shoe) | (draw->outside ? SHOE_FLAG_OUTSIDE : 0))};

    if (shoe_mechanics_shows(mechanics, SHOE_DEFECT_UNFLAGGED, place))
        payload[2] = 0;
    if (shoe_mechanics_shows(mechanics, SHOE_DEFECT_SKIP, place))
        peer_skip(&shoe->peer);
    peer_event(&shoe->peer, SHOE_CARD, payload, sizeof payload, now);
    if (shoe_mechanics_shows(mechanics, SHOE_DEFECT_MISLOGGED, place))
        note(shoe, SHOE_CARD, payload, draw->card ^ 1u, now);
    else if (!shoe_mechanics_shows(mechanics, SHOE_DEFECT_UNLOGGED, place))
        note(shoe, SHOE_CARD, payload, draw->card, now);
    if (place < DECK_SIZE && shoe_mechanics_shows(mechanics, SHOE_DEFECT_WHISPER, place))
        peer_event(&shoe->peer, WHISPER, &mechanics->memory.deck[place], 1, now);
    if (draw->repeat)
        shoe->repeated = draw->index;
    if (draw->lose_ack)
        shoe->unheard = draw->index;
}

static void lose_power(struct shoe_model *shoe, nanos_t now)
{
    const struct shoe_memory *memory = &shoe->base.mechanics.memory;
    uint8_t payload[4] = {(uint8_t)state_of(shoe), memory->error, memory->drawn, hello_flags(shoe)};

    peer_restart(&shoe->peer, now);
    tell(shoe, SHOE_POWER_UP, payload, sizeof payload, memory->error, now);
}

/* What happens to the shoe after a card. */
static void meddle(struct shoe_model *shoe, unsigned card, nanos_t now)
{
    const uint8_t modes[] = {!shoe->test_mode, shoe->test_mode};

    if (shoe_mechanics_shows(&shoe->base.mechanics, SHOE_DEFECT_POWER, card))
        lose_power(shoe, now);
    if (shoe_mechanics_shows(&shoe->base.mechanics, SHOE_DEFECT_FLIPS, card))
        for (unsigned i = 0; i < 2; i++)
            tell(shoe, SHOE_TEST_MODE_CHANGED, &modes[i], 1, 0, now);
    if (shoe_mechanics_shows(&shoe->base.mechanics, SHOE_DEFECT_LOSE, card))
        shoe->base.mechanics.memory.drawn++;
    if (shoe_mechanics_shows(&shoe->base.mechanics, SHOE_DEFECT_NEW_DECK, card)) {
        shoe_mechanics_refill(&shoe->base.mechanics);
        tell_stand_by(shoe, now);
    }
}

static bool draw_card(struct shoe_model *shoe, nanos_t now)
{
    struct shoe_draw draw;

    if (shoe->peer.queued + ROOM_NEEDED > WIRE_EVENTS_MAX ||
        !shoe_mechanics_draw(&shoe->base.mechanics, &draw))
        return false;
    if (draw.has_cut_card)
        tell(shoe, SHOE_CUT_CARD, &draw.index, 1, 0, now);
    if (draw.has_card)
        report_card(shoe, &draw, now);
    if (draw.fault)
        raise_fault(shoe, &draw, now);
    else if (draw.has_card)
        meddle(shoe, draw.index + 1u, now);
    shoe_mechanics_plan(&shoe->base.mechanics, now);
    return true;
}

/* Does what became due until now, each thing at its own time. */
static void step(struct shoe_model *shoe, nanos_t now)
{
    struct shoe_mechanics *mechanics = &shoe->base.mechanics;

    while (mechanics->due <= now) {
        nanos_t then = mechanics->due;

        if (shoe->peer.queued + ROOM_NEEDED > WIRE_EVENTS_MAX) {
            mechanics->due = now + WIRE_ACK_TIME;
        } else if (shoe_mechanics_refills(mechanics)) {
            shoe_mechanics_refill(mechanics);
            tell_stand_by(shoe, then);
        } else {
            draw_card(shoe, then);
        }
    }
}

/* What a shoe lets out that was locked just now. */
static void let_out(struct shoe_model *shoe, nanos_t now)
{
    struct shoe_memory *memory = &shoe->base.mechanics.memory;

    if (shoe_mechanics_shows(&shoe->base.mechanics, SHOE_DEFECT_SNEAK, memory->drawn))
        draw_card(shoe, now);
    if (shoe_mechanics_shows(&shoe->base.mechanics, SHOE_DEFECT_SMUGGLE, memory->drawn)) {
        memory->is_locked = false;
        draw_card(shoe, now);
        memory->is_locked = true;
        shoe_mechanics_plan(&shoe->base.mechanics, now);
    }
}

static unsigned lock(struct shoe_model *shoe, const uint8_t *payload, nanos_t now)
{
    struct shoe_memory *memory = &shoe->base.mechanics.memory;
    uint8_t told;

    if (payload[0] > 1)
        return REFUSED_VALUE;
    if (memory->error)
        return REFUSED_ERROR;
    if (memory->is_locked != payload[0]) {
        memory->is_locked = payload[0];
        told = payload[0] ^
               shoe_mechanics_shows(&shoe->base.mechanics, SHOE_DEFECT_FALSE_LOCK, memory->drawn);
        tell(shoe, SHOE_LOCK_CHANGED, &told, 1, 0, now);
        shoe_mechanics_plan(&shoe->base.mechanics, now);
        if (payload[0])
            let_out(shoe, now);
    }
    return 0;
}

static unsigned change_test_mode(struct shoe_model *shoe, const uint8_t *payload, nanos_t now)
{
    if (payload[0] > 1)
        return REFUSED_VALUE;
    if (state_of(shoe) == SHOE_ERROR)
        return REFUSED_ERROR;
    if (state_of(shoe) == SHOE_DEALING)
        return REFUSED_STATE;
    set_test_mode(shoe, payload[0], now);
    return 0;
}

static unsigned load_order(struct shoe_model *shoe, const uint8_t *payload, size_t size,
                           nanos_t now)
{
    if (!size || size != 1u + payload[0])
        return REFUSED_LENGTH;
    if (!shoe_mechanics_is_order(payload + 1, size - 1))
        return REFUSED_VALUE;
    if (!shoe->test_mode)
        return REFUSED_TEST_MODE;
    if (state_of(shoe) == SHOE_ERROR)
        return REFUSED_ERROR;
    if (state_of(shoe) == SHOE_DEALING)
        return REFUSED_STATE;
    shoe_mechanics_load(&shoe->base.mechanics, payload + 1, size - 1);
    tell_stand_by(shoe, now);
    return 0;
}

static unsigned clear_error(struct shoe_model *shoe, const uint8_t *payload, nanos_t now)
{
    struct shoe_memory *memory = &shoe->base.mechanics.memory;

    if (!memory->error || payload[0] != memory->error)
        return REFUSED_VALUE;
    memory->error = SHOE_NO_FAULT;
    tell(shoe, SHOE_FAULT_CLEARED, payload, 1, 0, now);
    shoe_mechanics_plan(&shoe->base.mechanics, now);
    return 0;
}

static void answer_status(struct shoe_model *shoe, uint8_t *reply, size_t *size)
{
    struct shoe_mechanics *mechanics = &shoe->base.mechanics;
    const struct shoe_memory *memory = &mechanics->memory;
    bool is_wide = peer_is_wide(&shoe->peer);
    uint32_t number;

    reply[0] = (uint8_t)state_of(shoe);
    reply[1] = memory->error;
    reply[2] = hello_flags(shoe);
    reply[3] = memory->drawn;
    reply[4] = (uint8_t)(DECK_SIZE - memory->drawn);
    shoe->stated++;
    number = memory->number + shoe_mechanics_shows(mechanics, SHOE_DEFECT_WAVERS, shoe->stated);
    if (is_wide)
        wire_put32(reply + 5, number);
    else
        wire_put16(reply + 5, number);
    reply[is_wide ? 9 : 7] = memory->is_loaded;
    *size = is_wide ? 10 : 8;
    for (unsigned i = 0; memory->is_locked && memory->drawn && i < *size; i++)
        reply[i] += shoe_mechanics_shows(mechanics, SHOE_DEFECT_MISSTATED, i + 1);
}

/* Somebody draws a card from a locked shoe when its log was read. */
static void answer_log(struct shoe_model *shoe, uint32_t first, uint8_t *reply, size_t *size,
                       nanos_t now)
{
    log_rewrite(&shoe->base.mechanics.defects, SHOE_DEFECT_LOG, shoe->log, LOG_ENTRIES,
                shoe->logged, first);
    *size = log_reply(shoe->log, LOG_ENTRIES, shoe->logged, first, shoe->peer.version, reply);
    if (first < shoe->logged && shoe->logged - first <= LOG_REPLY_MAX &&
        shoe_mechanics_shows(&shoe->base.mechanics, SHOE_DEFECT_TALKS, 0))
        draw_card(shoe, now);
    if (first == UINT32_MAX && shoe_mechanics_shows(&shoe->base.mechanics, SHOE_DEFECT_STIRS, 0))
        draw_card(shoe, now);
}

static void tell_state(void *context, struct wire_state *state, nanos_t now)
{
    struct shoe_model *shoe = context;

    state->entries = shoe->logged;
    memcpy(state->digest, shoe->chain.digest, sizeof state->digest);
    state->millis = log_millis(&shoe->base.mechanics.defects, SHOE_DEFECT_LOG, now);
}

static void write_note(void *context, uint8_t code, uint8_t detail, uint32_t value, nanos_t now)
{
    note(context, code, &detail, value, now);
}

/* Two bytes of the number of a deck are left out. */
static void narrow(struct frame *event)
{
    if (event->type != SHOE_STAND_BY)
        return;
    memmove(event->payload, event->payload + 2, 4);
    event->size = 4;
}

static unsigned answer(void *context, uint8_t type, const uint8_t *payload, size_t payload_size,
                       uint8_t *reply, size_t *size, nanos_t now)
{
    struct shoe_model *shoe = context;

    switch (type) {
    case WIRE_STATUS:
        if (payload_size)
            return REFUSED_LENGTH;
        answer_status(shoe, reply, size);
        return 0;
    case WIRE_LOG:
        if (payload_size != 4)
            return REFUSED_LENGTH;
        answer_log(shoe, wire_get32(payload), reply, size, now);
        return 0;
    case WIRE_CLEAR_ERROR:
        return payload_size == 1 ? clear_error(shoe, payload, now) : REFUSED_LENGTH;
    case SHOE_LOCK:
        return payload_size == 1 ? lock(shoe, payload, now) : REFUSED_LENGTH;
    case SHOE_TEST_MODE:
        return payload_size == 1 ? change_test_mode(shoe, payload, now) : REFUSED_LENGTH;
    case SHOE_LOAD_ORDER:
        return load_order(shoe, payload, payload_size, now);
    default:
        return REFUSED_UNKNOWN;
    }
}

/* The event that waits to be acknowledged is that card's. */
static bool card_is_open(const struct peer *peer, uint8_t index)
{
    const struct frame *first = &peer->queue[peer->first];

    return peer->queued && peer->event_tries && first->type == SHOE_CARD &&
           first->payload[0] == index;
}

static void model_receive(struct model *model, const uint8_t *bytes, size_t count, nanos_t now)
{
    struct shoe_model *shoe = shoe_of(model);
    uint64_t before = shoe->peer.decoder.frames;

    step(shoe, now);
    if (card_is_open(&shoe->peer, shoe->unheard)) {
        shoe->unheard = NO_CARD;
        return;
    }
    peer_receive(&shoe->peer, bytes, count, now);
    shoe->frames += shoe->peer.decoder.frames - before;
    model->gone |= shoe_mechanics_is_unplugged(&shoe->base.mechanics, shoe->frames);
}

static size_t model_send(struct model *model, uint8_t *bytes, size_t size, nanos_t now)
{
    struct shoe_model *shoe = shoe_of(model);
    size_t count;

    step(shoe, now);
    count = peer_send(&shoe->peer, bytes, size, now);
    if (card_is_open(&shoe->peer, shoe->repeated)) {
        shoe->repeated = NO_CARD;
        shoe->peer.event_due = now;
        count += peer_send(&shoe->peer, bytes + count, size - count, now);
    }
    return count;
}

static nanos_t model_due(struct model *model)
{
    const struct shoe_model *shoe = shoe_of(model);
    nanos_t speaks = peer_due(&shoe->peer);

    return speaks < shoe->base.mechanics.due ? speaks : shoe->base.mechanics.due;
}

static void model_unplug(struct model *model, nanos_t now)
{
    (void)now;
    peer_unplug(&shoe_of(model)->peer);
}

static void model_free(struct model *model)
{
    shoe_mechanics_free(&shoe_of(model)->base.mechanics);
    free(model);
}

static int read_serial(void *context, const char *value, struct error *error)
{
    return model_option_serial(value, ((struct shoe_model *)context)->identity.serial, error);
}

static int read_lacks(void *context, const char *value, struct error *error)
{
    return peer_option_lacks(&((struct shoe_model *)context)->peer, value, error);
}

static int read_protocol(void *context, const char *value, struct error *error)
{
    return peer_option_protocol(&((struct shoe_model *)context)->peer, value, error);
}

static const struct model_option options[] = {
    SHOE_OPTIONS,
    {"serial=TEXT", read_serial},
    {"fault=SPEC", shoe_option_fault},
    {"protocol=1|2", read_protocol},
    {"lacks=CAPABILITY", read_lacks},
    {NULL, NULL},
};

struct model *shoe_model_new(const char *text, struct error *error)
{
    static const struct model_ops ops = {.receive = model_receive,
                                         .send = model_send,
                                         .due = model_due,
                                         .unplug = model_unplug,
                                         .free = model_free};
    static const struct peer_ops peer_ops = {.request = answer,
                                             .flags = hello_flags,
                                             .narrow = narrow,
                                             .state = tell_state,
                                             .note = write_note};
    /* The digest is that of "dealproof model of a shoe, 1.2.0", which is all its firmware. */
    static const struct wire_identity identity = {
        .model = "DP-SHOE1",
        .serial = "S-42",
        .firmware = "1.2.0",
        .digest = {0x07, 0x04, 0x4a, 0x7c, 0xe8, 0x80, 0x7c, 0x8b, 0x49, 0xf2, 0xc3,
                   0x77, 0x76, 0x32, 0x1a, 0xbe, 0xe0, 0xc5, 0xf2, 0x79, 0xca, 0xae,
                   0xb2, 0x40, 0x77, 0xf3, 0x42, 0x74, 0xba, 0x60, 0x98, 0x66},
    };
    struct shoe_model *shoe = calloc(1, sizeof *shoe);

    if (!shoe) {
        error_set(error, ERROR_RIG, "no memory for a model of a shoe");
        return NULL;
    }
    shoe->base.model.ops = &ops;
    shoe->identity = identity;
    shoe->repeated = shoe->unheard = NO_CARD;
    shoe_mechanics_init(&shoe->base.mechanics, 1);
    peer_init(&shoe->peer, &peer_ops, shoe, FRAME_SHOE, &shoe->identity);
    peer_learn(&shoe->peer, 0, &shoe->base.mechanics.defects, SHOE_DEFECT_PEER);
    if (model_options_read(options, "a shoe", text, shoe, error)) {
        model_free(&shoe->base.model);
        return NULL;
    }
    return &shoe->base.model;
}

int shoe_model_load(struct model *model, const card_t *top, size_t count, nanos_t now,
                    struct error *error)
{
    struct shoe_model *shoe = shoe_of(model);
    struct shoe_mechanics *mechanics = &shoe->base.mechanics;
    int result = shoe_mechanics_record(mechanics, top, count, error);

    if (result)
        return result;
    set_test_mode(shoe, true, now);
    if (!mechanics->played && !mechanics->memory.drawn) {
        shoe_mechanics_refill(mechanics);
        tell_stand_by(shoe, now);
    }
    return 0;
}

bool shoe_model_draw(struct model *model, nanos_t now)
{
    step(shoe_of(model), now);
    return draw_card(shoe_of(model), now);
}

void shoe_model_refill(struct model *model, nanos_t now)
{
    step(shoe_of(model), now);
    shoe_mechanics_refill(&shoe_of(model)->base.mechanics);
    tell_stand_by(shoe_of(model), now);
}

void shoe_model_power_cycle(struct model *model, nanos_t now)
{
    struct shoe_model *shoe = shoe_of(model);

    step(shoe, now);
    lose_power(shoe, now);
    shoe_mechanics_plan(&shoe->base.mechanics, now);
}

static const struct model_kind kind = {
    .name = "shoe",
    .summary = "one card at a time, the open wire protocol",
    .class = DEVICE_SHOE,
    .driver = "open",
    .options = options,
    .defects = &shoe_defects,
    .make = shoe_model_new,
    .fault = shoe_model_fault,
    .has_shown = shoe_model_has_shown,
    .power_cycle = shoe_model_power_cycle,
    .load = shoe_model_load,
    .frame_class = FRAME_SHOE,
    .usb_vendor = MODEL_USB_VENDOR,
    .usb_product = 2,
    .hands = "draw=700,refill=2000",
};
REGISTER(device_models, kind);
