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

void peer_reset(struct peer *peer)
{
    peer_init(peer, peer->ops, peer->context, (enum frame_class)peer->class, peer->identity);
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
    peer->reply = (struct frame){.class = peer->class, .type = type, .sequence = sequence};
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

/* A new conversation: what is queued is numbered and said again from the start. */
static void answer_hello(struct peer *peer, uint32_t nonce, nanos_t now)
{
    peer->nonce = nonce;
    peer->reply.payload[0] = FRAME_VERSION;
    peer->reply.payload[1] = peer->ops->flags ? peer->ops->flags(peer->context) : 0;
    peer->reply.payload[2] = (uint8_t)peer->queued;
    peer->reply.size = 3;
    peer->sequence = 0;
    peer->event_tries = 0;
    peer->event_due = now;
}

static unsigned execute(struct peer *peer, const struct frame *request, nanos_t now)
{
    size_t size = 0;
    unsigned refusal;

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
    return refusal;
}

static bool is_repeated(const struct peer *peer, const struct frame *request)
{
    if (!peer->replied || request->sequence != peer->last_request)
        return false;
    return peer->is_strict || request->type != WIRE_HELLO ||
           (request->size == WIRE_NONCE_SIZE && wire_get32(request->payload) == peer->nonce);
}

static void answer(struct peer *peer, const struct frame *request, nanos_t now)
{
    if (!is_repeated(peer, request)) {
        unsigned refusal;

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
    put_out(peer, &peer->reply);
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
}

void peer_receive(struct peer *peer, const uint8_t *bytes, size_t count, nanos_t now)
{
    struct frame frame;
    size_t taken;

    for (; count; bytes += taken, count -= taken) {
        if (frame_decode(&peer->decoder, bytes, count, &taken, &frame) != FRAME_READY ||
            frame.class != peer->class)
            continue;
        if (wire_is_request(frame.type))
            answer(peer, &frame, now);
        else if (wire_is_event(frame.type & ~WIRE_ANSWER & 0xff) && frame.type & WIRE_ANSWER)
            acknowledge(peer, &frame, now);
    }
}

static void say_event(struct peer *peer, nanos_t now)
{
    struct frame *first = &peer->queue[peer->first];

    if (!peer->queued || peer->event_tries >= WIRE_ACK_TRIES || now < peer->event_due)
        return;
    if (!peer->event_tries && peer->skips_in && !--peer->skips_in)
        peer->sequence++;
    first->sequence = peer->sequence;
    put_out(peer, first);
    if (peer->stammers || peer->crowds) {
        first->sequence = peer->sequence = (uint8_t)(peer->sequence + peer->crowds);
        put_out(peer, first);
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
    struct frame frame = {
        .class = peer->class, .type = type, .sequence = peer->last_request, .size = (uint8_t)size};

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
    if (peer->queued && peer->event_tries < WIRE_ACK_TRIES)
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
