/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/lies/alter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/shoe/angel_eye/frame.h"
#include "devices/wire/wire.h"

#define CALLS_MAX 1000000 /* of the device in one run; a round takes a few hundred */

/* The model that the link has in the place of the device's own. */
struct altered {
    struct model model;
    struct model *inner;
    struct alter *alter;
    enum device_class class;
    bool is_open_wire;
    uint8_t in[FRAME_ENCODED_MAX], out[4096];
    size_t in_used, out_used;
    nanos_t now;
    uint8_t shift; /* of event numbers: those told, less those that there were */
    bool is_again; /* the event below is told once more when it is acknowledged */
    struct alter_message again;
    uint8_t host[FRAME_ENCODED_MAX]; /* from the host */
    size_t host_used;
};

static size_t put_cobs(const uint8_t *bytes, size_t count, uint8_t *out)
{
    size_t code = 0, used = 1;

    for (size_t i = 0; i < count; i++)
        if (bytes[i]) {
            out[used++] = bytes[i];
        } else {
            out[code] = (uint8_t)(used - code);
            code = used++;
        }
    out[code] = (uint8_t)(used - code);
    out[used++] = 0;
    return used;
}

static size_t take_cobs(const uint8_t *encoded, size_t count, uint8_t *out)
{
    size_t used = 0;

    for (size_t at = 0; at < count;) {
        size_t code = encoded[at++];

        for (size_t i = 1; i < code && at < count; i++)
            out[used++] = encoded[at++];
        if (at < count)
            out[used++] = 0;
    }
    return used;
}

static void put_out(struct altered *altered, const uint8_t *bytes, size_t count)
{
    if (altered->out_used + count > sizeof altered->out) {
        fprintf(stderr, "alter: no room for what the device sends\n");
        abort();
    }
    memcpy(altered->out + altered->out_used, bytes, count);
    altered->out_used += count;
}

static void send_open(struct altered *altered, const struct alter_message *message)
{
    uint8_t whole[ALTER_MESSAGE_MAX + FRAME_CRC], encoded[FRAME_ENCODED_MAX + 8];
    unsigned crc = frame_crc(message->bytes, message->size);

    memcpy(whole, message->bytes, message->size);
    whole[message->size] = (uint8_t)(crc >> 8);
    whole[message->size + 1] = (uint8_t)crc;
    put_out(altered, encoded, put_cobs(whole, message->size + FRAME_CRC, encoded));
}

/* A report's check leaves its ENQ out, an answer's may have its STX in. */
static void send_angel_eye(struct altered *altered, const struct alter_message *message)
{
    char check[3] = "";
    unsigned sum = 0;

    put_out(altered, message->bytes, message->size);
    if (message->size <= 2)
        return;
    for (size_t i = message->bytes[0] == ANGEL_EYE_STX ? 0 : 1; i < message->size; i++)
        sum ^= message->bytes[i];
    snprintf(check, sizeof check, "%02X", sum & 0xff);
    put_out(altered, (const uint8_t *)check, 2);
}

static void send_message(struct altered *altered, const struct alter_message *message)
{
    if (altered->is_open_wire)
        send_open(altered, message);
    else
        send_angel_eye(altered, message);
}

static bool is_meant(const struct alter *alter, const struct alter_message *message)
{
    if (alter->message == ALTER_EVERY)
        return message->size > ALTER_TYPE_AT && message->bytes[ALTER_TYPE_AT] == alter->type;
    return alter->message == (int)alter->count;
}

/* Another content; false where it would be the same, or there is none to alter. */
static bool change(const struct alter *alter, struct alter_message *message)
{
    uint8_t *byte, before;

    if (alter->how == ALTER_SHORTER && message->size > 1) {
        message->size--;
        return true;
    }
    if (alter->how == ALTER_LONGER && message->size < ALTER_MESSAGE_MAX) {
        message->bytes[message->size++] = alter->value;
        return true;
    }
    if (alter->byte >= message->size)
        return false;
    byte = &message->bytes[alter->byte];
    before = *byte;
    if (alter->how == ALTER_XOR)
        *byte ^= alter->value;
    if (alter->how == ALTER_SET)
        *byte = alter->value;
    if (alter->how == ALTER_ADD)
        *byte = (uint8_t)(*byte + alter->value);
    return *byte != before;
}

static bool is_event(const struct altered *altered, const struct alter_message *message)
{
    return altered->is_open_wire && message->size >= FRAME_HEAD &&
           wire_is_event(message->bytes[ALTER_TYPE_AT]);
}

/* Tells the device that the host has its event. */
static void acknowledge(struct altered *altered, const struct alter_message *event)
{
    uint8_t encoded[FRAME_ENCODED_MAX];
    struct frame ack;

    frame_begin(&ack, event->bytes[1], event->bytes[ALTER_TYPE_AT] | WIRE_ANSWER, event->bytes[3]);
    altered->inner->ops->receive(altered->inner, encoded, frame_encode(&ack, encoded),
                                 altered->now);
}

static void omit(struct altered *altered, const struct alter_message *event)
{
    altered->alter->shown++;
    altered->shift--;
    acknowledge(altered, event);
}

static void tell_twice(struct altered *altered, struct alter_message *event)
{
    altered->alter->shown++;
    altered->again = *event;
    altered->is_again = true;
    event->bytes[3] = (uint8_t)(event->bytes[3] + altered->shift);
    send_message(altered, event);
}

static void pass_message(struct altered *altered, struct alter_message *message)
{
    struct alter *alter = altered->alter;
    bool is_telling = is_event(altered, message) && alter->how >= ALTER_OMIT;

    if (alter->lie) {
        const struct alter_message honest = *message;

        alter->lie(alter->context, altered->class, message);
        alter->shown +=
            honest.size != message->size || memcmp(honest.bytes, message->bytes, honest.size);
        send_message(altered, message);
        return;
    }
    if (alter->count < alter->kept_max)
        alter->kept[alter->count] = *message;
    if (is_telling && is_meant(alter, message)) {
        if (alter->how == ALTER_OMIT)
            omit(altered, message);
        else
            tell_twice(altered, message);
    } else if (!is_meant(alter, message) || alter->how >= ALTER_OMIT) {
        if (is_event(altered, message))
            message->bytes[3] = (uint8_t)(message->bytes[3] + altered->shift);
        send_message(altered, message);
    } else if (alter->how == ALTER_TWICE) {
        send_message(altered, message);
        send_message(altered, message);
        alter->shown++;
    } else if (alter->how == ALTER_DROP) {
        alter->shown++;
    } else {
        alter->shown += change(alter, message);
        send_message(altered, message);
    }
    alter->count++;
}

static bool is_whole_open(const struct altered *altered)
{
    return altered->in[altered->in_used - 1] == 0;
}

static bool is_whole_angel_eye(const struct altered *altered)
{
    const uint8_t *in = altered->in;
    size_t used = altered->in_used;

    if (in[0] == ANGEL_EYE_NAK)
        return used == 2;
    if (in[0] != ANGEL_EYE_ENQ && in[0] != ANGEL_EYE_STX)
        return true;
    return used > 4 && in[used - 3] == ANGEL_EYE_ETX;
}

static void take_byte(struct altered *altered, uint8_t byte)
{
    struct alter_message message;

    altered->in[altered->in_used++] = byte;
    if (!(altered->is_open_wire ? is_whole_open : is_whole_angel_eye)(altered))
        return;
    if (altered->is_open_wire) {
        message.size = take_cobs(altered->in, altered->in_used - 1, message.bytes);
        message.size -= message.size < FRAME_CRC ? message.size : FRAME_CRC;
    } else {
        message.size = altered->in_used > 2 ? altered->in_used - 2 : altered->in_used;
        memcpy(message.bytes, altered->in, message.size);
    }
    altered->in_used = 0;
    if (message.size)
        pass_message(altered, &message);
}

/* A frame of the host: acknowledgements have the device's numbers again. */
static void take_frame(struct altered *altered)
{
    struct alter_message frame = {.size = 0};
    uint8_t type;

    frame.size = take_cobs(altered->host, altered->host_used - 1, frame.bytes);
    type = frame.bytes[ALTER_TYPE_AT];
    if (frame.size >= FRAME_HEAD && type == WIRE_HELLO)
        altered->shift = 0;
    if (frame.size < FRAME_HEAD || !wire_is_event(type & 0x7f) || !(type & WIRE_ANSWER)) {
        altered->inner->ops->receive(altered->inner, altered->host, altered->host_used,
                                     altered->now);
        return;
    }
    if (altered->is_again &&
        frame.bytes[3] == (uint8_t)(altered->again.bytes[3] + altered->shift)) {
        altered->is_again = false;
        altered->shift++;
        altered->again.bytes[3] = (uint8_t)(altered->again.bytes[3] + altered->shift);
        send_message(altered, &altered->again);
        return;
    }
    frame.bytes[ALTER_TYPE_AT] = type & 0x7f;
    frame.bytes[3] = (uint8_t)(frame.bytes[3] - altered->shift);
    acknowledge(altered, &frame);
}

static void altered_receive(struct model *model, const uint8_t *bytes, size_t count, nanos_t now)
{
    struct altered *altered = (struct altered *)model;

    altered->now = now;
    if (!altered->is_open_wire || altered->alter->how < ALTER_OMIT)
        altered->inner->ops->receive(altered->inner, bytes, count, now);
    for (size_t i = 0; i < count && altered->is_open_wire && altered->alter->how >= ALTER_OMIT;
         i++) {
        altered->host[altered->host_used++] = bytes[i];
        if (bytes[i])
            continue;
        take_frame(altered);
        altered->host_used = 0;
    }
    model->gone = altered->inner->gone;
}

static size_t altered_send(struct model *model, uint8_t *bytes, size_t size, nanos_t now)
{
    struct altered *altered = (struct altered *)model;
    uint8_t sent[1024];
    size_t count;

    altered->now = now;

    if (++altered->alter->calls > CALLS_MAX) {
        altered->alter->hangs = model->gone = true;
        return 0;
    }
    while (!altered->out_used &&
           (count = altered->inner->ops->send(altered->inner, sent, sizeof sent, now)))
        for (size_t i = 0; i < count; i++)
            take_byte(altered, sent[i]);
    model->gone = altered->inner->gone;
    count = altered->out_used < size ? altered->out_used : size;
    memcpy(bytes, altered->out, count);
    memmove(altered->out, altered->out + count, altered->out_used - count);
    altered->out_used -= count;
    return count;
}

static nanos_t altered_due(struct model *model)
{
    struct altered *altered = (struct altered *)model;

    return altered->out_used ? 0 : altered->inner->ops->due(altered->inner);
}

static void altered_unplug(struct model *model, nanos_t now)
{
    struct altered *altered = (struct altered *)model;

    if (altered->inner->ops->unplug)
        altered->inner->ops->unplug(altered->inner, now);
}

static void altered_free(struct model *model)
{
    struct altered *altered = (struct altered *)model;

    altered->inner->ops->free(altered->inner);
    free(altered);
}

static const struct model_ops altered_ops = {
    altered_receive, altered_send, altered_due, altered_unplug, altered_free,
};

/* As the bench makes its models, with the altering one around the device's. */
static struct model *make_altered(void *context, const char *name, const char *options,
                                  struct error *error)
{
    struct alter *alter = context;
    const struct model_kind *kind = model_kind_find(name, error);
    struct model *model = kind ? kind->make(options, error) : NULL;
    struct altered *altered;

    for (unsigned i = 0; i < alter->bench->device_count && model; i++)
        if (alter->bench->devices[i].kind == kind)
            alter->bench->devices[i].model = model;
    if (!model || kind->class == DEVICE_CLASSES || (!alter->lie && kind->class != alter->slot))
        return model;
    altered = calloc(1, sizeof *altered);
    if (!altered)
        abort();
    altered->model.ops = &altered_ops;
    altered->inner = model;
    altered->alter = alter;
    altered->class = kind->class;
    altered->is_open_wire = kind->frame_class != 0;
    return &altered->model;
}

int alter_renew(struct alter *alter, struct bench *bench, uint64_t seed, struct error *error)
{
    alter->bench = bench;
    alter->count = alter->shown = alter->calls = 0;
    alter->hangs = false;
    bench->hal.make_model = make_altered;
    bench->hal.model_context = alter;
    return bench_renew(bench, seed, error);
}
