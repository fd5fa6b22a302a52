/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/devices/raw_host.h"

#include <CUnit/CUnit.h>
#include <string.h>

void raw_host_send(struct raw_host *host, const struct frame *frame)
{
    uint8_t encoded[FRAME_ENCODED_MAX];

    host->model->ops->receive(host->model, encoded, frame_encode(frame, encoded), host->now);
}

bool raw_host_next(struct raw_host *host, struct frame *frame)
{
    for (;;) {
        size_t taken;

        if (host->at == host->end) {
            host->at = 0;
            host->end =
                host->model->ops->send(host->model, host->bytes, sizeof host->bytes, host->now);
            if (!host->end)
                return false;
        }
        while (host->at < host->end) {
            enum frame_result result = frame_decode(&host->decoder, host->bytes + host->at,
                                                    host->end - host->at, &taken, frame);

            host->at += taken;
            if (result == FRAME_READY)
                return true;
        }
    }
}

static void take(struct raw_host *host, const struct frame *frame)
{
    struct frame ack = {
        .class = host->class, .type = frame->type | WIRE_ANSWER, .sequence = frame->sequence};

    if (!wire_is_event(frame->type)) {
        host->reply = *frame;
        return;
    }
    CU_ASSERT_FATAL(host->count < RAW_EVENTS);
    host->events[host->count++] = *frame;
    raw_host_send(host, &ack);
}

void raw_host_listen(struct raw_host *host, nanos_t time)
{
    nanos_t until = host->now + time;
    struct frame frame;

    for (;;) {
        nanos_t due;

        while (raw_host_next(host, &frame))
            take(host, &frame);
        if (host->now >= until)
            return;
        due = host->model->ops->due(host->model);
        host->now = due < until ? due : until;
    }
}

unsigned raw_host_ask(struct raw_host *host, uint8_t type, const void *payload, size_t size)
{
    struct frame request = {
        .class = host->class, .type = type, .sequence = ++host->sequence, .size = (uint8_t)size};

    if (size)
        memcpy(request.payload, payload, size);
    host->reply.type = 0;
    raw_host_send(host, &request);
    raw_host_listen(host, 0);
    CU_ASSERT_EQUAL_FATAL(host->reply.sequence, host->sequence);
    if (host->reply.type == WIRE_REFUSED) {
        CU_ASSERT_EQUAL(host->reply.payload[0], type);
        return host->reply.payload[1];
    }
    CU_ASSERT_EQUAL_FATAL(host->reply.type, type | WIRE_ANSWER);
    return 0;
}

void raw_host_open(struct raw_host *host, struct model *model, uint8_t class, nanos_t now)
{
    memset(host, 0, sizeof *host);
    host->model = model;
    host->class = class;
    host->now = now;
    CU_ASSERT_EQUAL_FATAL(raw_host_ask(host, WIRE_HELLO, "\0\0\0\1", WIRE_NONCE_SIZE), 0);
}

const struct frame *raw_host_last(const struct raw_host *host, uint8_t type)
{
    for (unsigned i = host->count; i > 0; i--)
        if (host->events[i - 1].type == type)
            return &host->events[i - 1];
    return NULL;
}
