/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whether an Angel Eye shoe is here: it is asked for its state, with the block check in either way
 * that is published. A whole frame with its block check is an answer, also a report that the shoe
 * sends on its own account; that is not acknowledged, so that it is sent again. A lone ACK or NAK
 * could be anybody's.
 */
#include "devices/probe.h"
#include "devices/shoe/angel_eye/frame.h"

static const uint32_t rates[] = {4800, 0};

/* 1, 0 when nothing with a block check comes in time, or the link's error. */
static int await_frame(struct link *link, struct error *error)
{
    nanos_t deadline = clock_now(link->hal->clock) + ANGEL_EYE_REPLY;
    struct angel_eye_decoder decoder = {.used = 0};
    struct angel_eye_frame frame;
    uint8_t byte;
    size_t taken;

    while (clock_now(link->hal->clock) < deadline) {
        ssize_t count = link_read(link, &byte, 1, deadline, error);

        if (count < 0)
            return (int)count;
        if (count && angel_eye_decode(&decoder, &byte, 1, &taken, &frame) == ANGEL_EYE_READY &&
            (frame.start == ANGEL_EYE_STX || frame.start == ANGEL_EYE_ENQ))
            return 1;
    }
    return 0;
}

static int ask(struct link *link, struct device_found *found, struct error *error)
{
    struct angel_eye_frame question = {.start = ANGEL_EYE_STX,
                                       .size = ANGEL_EYE_OPERATION,
                                       .data = {'O', 'P', 'G', 'P', '0', '0'}};
    uint8_t bytes[ANGEL_EYE_FRAME_MAX];
    int status = 0;

    found->class = DEVICE_SHOE;
    found->driver = "angel-eye";
    for (int way = 1; way >= 0 && !status; way--) {
        question.includes_stx = way;
        status = link_write_all(link, bytes, angel_eye_encode(&question, bytes),
                                clock_now(link->hal->clock) + ANGEL_EYE_REPLY, error);
        if (!status)
            status = await_frame(link, error);
    }
    return status;
}

static const struct device_probe angel_eye_probe = {
    .name = "angel-eye", .rates = rates, .ask = ask};
REGISTER(device_probes, angel_eye_probe);
