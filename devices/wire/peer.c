/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/wire/peer.h"

#include <string.h>

void peer_init(struct peer *peer, const struct peer_ops *ops, void *context, enum frame_class class,
               const struct wire_identity *identity)
{
    memset(peer, 0, sizeof *peer);
    peer->ops = ops;
    peer->context = context;
    peer->class = (uint8_t) class;
    peer->identity = identity;
}

void peer_learn(struct peer *peer, unsigned capabilities, struct defects *defects, unsigned first)
{
    peer->capabilities = (WIRE_OF_ALL & ~(unsigned)WIRE_HAS_VENDOR) | capabilities;
    peer->defects = defects;
    peer->first_defect = first;
}

int peer_option_protocol(struct peer *peer, const char *value, struct error *error)
{
    if ((value[0] != '1' && value[0] != '2') || value[1])
        return error_set(error, ERROR_CONFIG, "protocol=%.40s: write 1 or 2", value);
    peer->versions = peer->decoder.versions = (uint8_t)(value[0] - '0');
    return 0;
}

int peer_option_lacks(struct peer *peer, const char *value, struct error *error)
{
    for (unsigned i = 0; i < WIRE_CAPABILITIES; i++) {
        const char *text = wire_capability_text(1u << i);
        size_t at = 0;

        while (value[at] && (text[at] == value[at] || (text[at] == ' ' && value[at] == '-')))
            at++;
        if (!value[at] && !text[at]) {
            peer->lacks |= 1u << i;
            return 0;
        }
    }
    return error_set(error, ERROR_CONFIG,
                     "lacks=%.40s: it is a capability of devices/PROTOCOL-2.md, such as test-mode",
                     value);
}

void peer_unplug(struct peer *peer)
{
    peer->decoder.used = 0;
    peer->decoder.skipping = false;
    peer->out_at = peer->out_end = 0;
}

/* The version of a conversation, and that it is over, survive. */
void peer_reset(struct peer *peer)
{
    const struct peer before = *peer;

    peer_init(peer, before.ops, before.context, (enum frame_class)before.class, before.identity);
    peer->versions = peer->decoder.versions = before.versions;
    peer->version = before.version;
    peer->is_over = before.is_over;
    peer->stated = before.stated;
    peer->capabilities = before.capabilities;
    peer->lacks = before.lacks;
    peer->told = before.told;
    peer->defects = before.defects;
    peer->first_defect = before.first_defect;
}

static bool holds(const struct peer *peer, unsigned defect, uint64_t at)
{
    return peer->defects && peer_is_wide(peer) &&
           defects_hold(peer->defects, peer->first_defect + defect, at);
}

static bool has(const struct peer *peer, unsigned defect)
{
    for (unsigned i = 0; peer->defects && i < peer->defects->count; i++)
        if (peer->defects->list[i].kind == peer->first_defect + defect)
            return true;
    return false;
}

/* What it says that it can, and what it does. */
static uint32_t claimed(const struct peer *peer, bool says)
{
    uint32_t set = peer->capabilities & ~peer->lacks;

    if (has(peer, PEER_VENDOR) || has(peer, PEER_FLOOD))
        set |= WIRE_HAS_VENDOR;
    for (unsigned i = 0; i < WIRE_CAPABILITIES; i++) {
        if (holds(peer, PEER_CLAIMS, i + 1))
            set = says ? set | 1u << i : set & ~(1u << i);
        if (says && holds(peer, PEER_HIDES, i + 1))
            set &= ~(1u << i);
    }
    return set;
}

bool peer_can(const struct peer *peer, unsigned capability)
{
    return claimed(peer, false) & capability;
}

static void put_out(struct peer *peer, const struct frame *frame)
{
    if (peer->out_at == peer->out_end)
        peer->out_at = peer->out_end = 0;
    /* A host that does not read what it asked for will ask again; nothing is lost by dropping. */
    if (sizeof peer->out - peer->out_end >= FRAME_ENCODED_MAX)
        peer->out_end += frame_encode(frame, peer->out + peer->out_end);
}

static void start_reply(struct peer *peer, uint8_t type, uint8_t sequence)
{
    peer->reply = (struct frame){
        .version = peer->version, .class = peer->class, .type = type, .sequence = sequence};
}

static void put_text(struct frame *frame, const char *text)
{
    size_t length = strnlen(text, WIRE_TEXT_MAX);

    frame->payload[frame->size++] = (uint8_t)length;
    memcpy(frame->payload + frame->size, text, length);
    frame->size = (uint8_t)(frame->size + length);
}

static void answer_identity(struct peer *peer)
{
    struct frame *reply = &peer->reply;

    put_text(reply, peer->identity->model);
    put_text(reply, peer->identity->serial);
    put_text(reply, peer->identity->firmware);
    memcpy(reply->payload + reply->size, peer->identity->digest, WIRE_DIGEST_SIZE);
    reply->size = (uint8_t)(reply->size + WIRE_DIGEST_SIZE);
}

/* Version 1 has no vendors: their events are left out. */
static void drop_vendors(struct peer *peer)
{
    unsigned kept = 0;

    for (unsigned i = 0; i < peer->queued; i++) {
        const struct frame *event = &peer->queue[(peer->first + i) % WIRE_EVENTS_MAX];

        if (!wire_is_vendor(event->type))
            frame_copy(&peer->queue[(peer->first + kept++) % WIRE_EVENTS_MAX], event);
    }
    peer->queued = kept;
}

/* A new conversation: what is queued is numbered and said again from the start. */
static void answer_hello(struct peer *peer, uint32_t nonce, nanos_t now)
{
    if (!peer_is_wide(peer))
        drop_vendors(peer);
    peer->nonce = nonce;
    peer->is_over = false;
    peer->reply.payload[0] = peer_is_wide(peer) ? peer->version : FRAME_VERSION;
    peer->reply.payload[1] = peer->ops->flags ? peer->ops->flags(peer->context) : 0;
    if (peer->versions > FRAME_VERSION)
        peer->reply.payload[1] |= (uint8_t)((peer->versions - FRAME_VERSION) << WIRE_MORE_VERSIONS);
    peer->reply.payload[2] = (uint8_t)peer->queued;
    peer->reply.size = 3;
    if (peer_is_wide(peer)) {
        wire_put32(peer->reply.payload + 3, claimed(peer, true));
        peer->reply.size = 7;
    }
    peer->sequence = 0;
    peer->event_tries = 0;
    peer->event_due = now;
}

/* 2026-01-01 00:00 UTC, when the clock of a model begins. */
#define WALL_START UINT64_C(1767225600000)
#define HOUR       UINT64_C(3600000)

/* With this reply to STATUS or one before it. */
static bool has_begun(const struct peer *peer, unsigned defect)
{
    for (unsigned i = 0; peer->defects && i < peer->defects->count; i++)
        if (peer->defects->list[i].kind == peer->first_defect + defect &&
            peer->defects->list[i].at <= peer->stated)
            return holds(peer, defect, peer->defects->list[i].at);
    return false;
}

static void add_state(struct peer *peer, nanos_t now)
{
    uint8_t *at = peer->reply.payload + peer->reply.size;
    struct wire_state state = {.entries = 0};
    uint64_t jumped;

    peer->stated++;
    jumped = has_begun(peer, PEER_CLOCK_JUMPS) ? HOUR : 0;
    if (peer->ops->state)
        peer->ops->state(peer->context, &state, now);
    if (!peer_can(peer, WIRE_KEEPS_LOG)) {
        state.entries = 0;
        memset(state.digest, 0, sizeof state.digest);
    }
    if (has_begun(peer, PEER_STALE)) {
        state.entries = peer->told.entries;
        memcpy(state.digest, peer->told.digest, sizeof state.digest);
    }
    peer->told = state;
    state.millis += holds(peer, PEER_TWO_CLOCKS, 0) ? HOUR : 0;
    state.digest[0] ^= holds(peer, PEER_REDIGESTED, peer->stated);
    wire_put32(at, state.entries);
    memcpy(at + 4, state.digest, WIRE_DIGEST_SIZE);
    wire_put64(at + 4 + WIRE_DIGEST_SIZE, state.millis);
    wire_put64(at + 12 + WIRE_DIGEST_SIZE,
               peer_can(peer, WIRE_TELLS_TIME) ? WALL_START + state.millis + jumped : 0);
    peer->reply.size = (uint8_t)(peer->reply.size + WIRE_STATE_SIZE);
}

static void say_vendor(struct peer *peer, nanos_t now)
{
    static const uint8_t payload[] = {0xc0, 0xde};

    peer_event(peer, WIRE_VENDOR_EVENT, payload, sizeof payload, now);
}

/* What a vendor has to say with a reply to STATUS. */
static void see_vendor(struct peer *peer, nanos_t now)
{
    if (holds(peer, PEER_VENDOR, peer->stated)) {
        say_vendor(peer, now);
        peer->ops->note(peer->context, WIRE_VENDOR_CODE, 1, peer->stated, now);
    }
    if (holds(peer, PEER_FLOOD, peer->stated))
        say_vendor(peer, now);
}

static unsigned answer_bye(struct peer *peer, const struct frame *request)
{
    if (request->size)
        return REFUSED_LENGTH;
    if (peer->ops->flags && peer->ops->flags(peer->context) & PEER_FLAG_TEST_MODE)
        return REFUSED_STATE;
    if (peer->queued)
        return REFUSED_BUSY;
    peer->is_over = true;
    return 0;
}

/* What every device does in version 2 before its class is asked. */
static unsigned refusal_of(const struct peer *peer, uint8_t type)
{
    unsigned capability = wire_capability_for(peer->class, type);

    if (!peer_is_wide(peer))
        return capability & peer->lacks ? REFUSED_UNKNOWN : 0;
    if (peer->is_over && type != WIRE_HELLO && type != WIRE_BYE)
        return REFUSED_STATE;
    return capability && !peer_can(peer, capability) ? REFUSED_UNKNOWN : 0;
}

static unsigned execute(struct peer *peer, const struct frame *request, nanos_t now)
{
    size_t size = 0;
    unsigned refusal = refusal_of(peer, request->type);

    if (refusal)
        return refusal;
    if (request->type == WIRE_BYE && peer_is_wide(peer))
        return answer_bye(peer, request);
    if (request->type == WIRE_HELLO) {
        if (request->size != WIRE_NONCE_SIZE)
            return REFUSED_LENGTH;
        answer_hello(peer, wire_get32(request->payload), now);
        return 0;
    }
    if (request->type == WIRE_IDENTITY) {
        if (request->size)
            return REFUSED_LENGTH;
        answer_identity(peer);
        return 0;
    }
    refusal = peer->ops->request(peer->context, request->type, request->payload, request->size,
                                 peer->reply.payload, &size, now);
    peer->reply.size = (uint8_t)size;
    if (!refusal && request->type == WIRE_STATUS && peer_is_wide(peer)) {
        add_state(peer, now);
        see_vendor(peer, now);
    }
    return refusal;
}

static bool is_repeated(const struct peer *peer, const struct frame *request)
{
    if (!peer->replied || request->sequence != peer->last_request ||
        (request->type == WIRE_HELLO && request->version != peer->version && !peer->is_strict))
        return false;
    return peer->is_strict || request->type != WIRE_HELLO ||
           (request->size == WIRE_NONCE_SIZE && wire_get32(request->payload) == peer->nonce);
}

static void answer(struct peer *peer, const struct frame *request, nanos_t now)
{
    if (!is_repeated(peer, request)) {
        unsigned refusal;

        if (request->type == WIRE_HELLO)
            peer->version = request->version;
        start_reply(peer, request->type | WIRE_ANSWER, request->sequence);
        refusal = execute(peer, request, now);
        if (refusal) {
            start_reply(peer, WIRE_REFUSED, request->sequence);
            peer->reply.payload[0] = request->type;
            peer->reply.payload[1] = (uint8_t)refusal;
            peer->reply.size = 2;
        }
        peer->last_request = request->sequence;
        peer->replied = true;
    }
    if (peer->misaddresses) {
        struct frame other = peer->reply;

        other.sequence++;
        peer->misaddresses = false;
        put_out(peer, &other);
        return;
    }
    if (request->type == WIRE_BYE && holds(peer, PEER_NO_BYE, 0))
        return;
    put_out(peer, &peer->reply);
    if (holds(peer, PEER_BOTH_VERSIONS, 0)) {
        struct frame other = peer->reply;

        other.version = FRAME_VERSION;
        put_out(peer, &other);
    }
    if (peer->is_over && holds(peer, PEER_AFTER_BYE, 0)) {
        struct frame late = {.version = peer->version,
                             .class = peer->class,
                             .type = WIRE_VENDOR_EVENT,
                             .sequence = peer->sequence};

        put_out(peer, &late);
    }
}

static void acknowledge(struct peer *peer, const struct frame *ack, nanos_t now)
{
    const struct frame *first = &peer->queue[peer->first];

    if (!peer->queued || !peer->event_tries || ack->sequence != peer->sequence ||
        (ack->type & ~WIRE_ANSWER) != first->type)
        return;
    peer->first = (peer->first + 1) % WIRE_EVENTS_MAX;
    peer->queued--;
    peer->sequence++;
    peer->event_tries = 0;
    peer->event_due = now;
    if (has(peer, PEER_FLOOD) && (ack->type & ~WIRE_ANSWER) == WIRE_VENDOR_EVENT)
        say_vendor(peer, now);
}

/* A conversation has one version, and only HELLO begins one of another. */
static bool is_understood(const struct peer *peer, const struct frame *frame)
{
    uint8_t version = peer_is_wide(peer) ? peer->version : FRAME_VERSION;

    return frame->class == peer->class && (frame->version == version || frame->type == WIRE_HELLO);
}

void peer_receive(struct peer *peer, const uint8_t *bytes, size_t count, nanos_t now)
{
    struct frame frame;
    size_t taken;

    for (; count; bytes += taken, count -= taken) {
        if (frame_decode(&peer->decoder, bytes, count, &taken, &frame) != FRAME_READY ||
            !is_understood(peer, &frame))
            continue;
        if (wire_is_request(frame.type))
            answer(peer, &frame, now);
        else if (wire_is_event(frame.type & ~WIRE_ANSWER & 0xff) && frame.type & WIRE_ANSWER)
            acknowledge(peer, &frame, now);
    }
}

static void put_event(struct peer *peer, struct frame *event)
{
    struct frame narrow;

    event->sequence = peer->sequence;
    event->version = peer->version;
    if (peer_is_wide(peer) || !peer->ops->narrow) {
        put_out(peer, event);
        return;
    }
    frame_copy(&narrow, event);
    peer->ops->narrow(&narrow);
    put_out(peer, &narrow);
}

static void say_event(struct peer *peer, nanos_t now)
{
    struct frame *first = &peer->queue[peer->first];

    if (!peer->queued || peer->is_over || peer->event_tries >= WIRE_ACK_TRIES ||
        now < peer->event_due)
        return;
    if (!peer->event_tries && peer->skips_in && !--peer->skips_in)
        peer->sequence++;
    put_event(peer, first);
    if (peer->stammers || peer->crowds) {
        peer->sequence = (uint8_t)(peer->sequence + peer->crowds);
        put_event(peer, first);
        peer->stammers = peer->crowds = false;
    }
    peer->event_tries++;
    peer->event_due = now + WIRE_ACK_TIME;
}

void peer_skip(struct peer *peer)
{
    bool is_open = peer->queued && peer->event_tries;

    peer->skips_in = peer->queued - is_open + 1;
}

void peer_mumble(struct peer *peer, uint8_t type, const void *payload, size_t size)
{
    struct frame frame = {.version = peer->version,
                          .class = peer->class,
                          .type = type,
                          .sequence = peer->last_request,
                          .size = (uint8_t)size};

    memcpy(frame.payload, payload, size);
    put_out(peer, &frame);
}

void peer_garble(struct peer *peer, const void *payload, size_t size)
{
    size_t end;

    peer_mumble(peer, WIRE_STATUS | WIRE_ANSWER, payload, size);
    end = peer->out_end;
    /* A byte of the CRC, which is to be neither right nor the zero that ends a frame. */
    peer->out[end - 2] ^= peer->out[end - 2] == 0x55 ? 0xaa : 0x55;
}

void peer_stammer(struct peer *peer, bool as_next)
{
    peer->stammers = !as_next;
    peer->crowds = as_next;
}

void peer_misaddress(struct peer *peer)
{
    peer->misaddresses = true;
}

size_t peer_send(struct peer *peer, uint8_t *bytes, size_t size, nanos_t now)
{
    size_t count;

    say_event(peer, now);
    count = peer->out_end - peer->out_at;
    if (count > size)
        count = size;
    memcpy(bytes, peer->out + peer->out_at, count);
    peer->out_at += count;
    return count;
}

nanos_t peer_due(const struct peer *peer)
{
    if (peer->out_at < peer->out_end)
        return 0;
    if (peer->queued && !peer->is_over && peer->event_tries < WIRE_ACK_TRIES)
        return peer->event_due;
    return NEVER;
}

bool peer_event(struct peer *peer, uint8_t type, const void *payload, size_t size, nanos_t now)
{
    struct frame *event = &peer->queue[(peer->first + peer->queued) % WIRE_EVENTS_MAX];

    if (peer->queued == WIRE_EVENTS_MAX || size > FRAME_PAYLOAD_MAX) {
        peer->overflows++;
        return false;
    }
    event->class = peer->class;
    event->type = type;
    event->size = (uint8_t)size;
    if (size)
        memcpy(event->payload, payload, size);
    if (!peer->queued++) {
        peer->event_tries = 0;
        peer->event_due = now;
    }
    return true;
}

void peer_restart(struct peer *peer, nanos_t now)
{
    struct frame kept[WIRE_EVENTS_MAX];
    unsigned count = peer->queued;

    for (unsigned i = 0; i < count; i++)
        kept[i] = peer->queue[(peer->first + i) % WIRE_EVENTS_MAX];
    peer_reset(peer);
    for (unsigned i = 0; i < count; i++)
        peer_event(peer, kept[i].type, kept[i].payload, kept[i].size, now);
}
