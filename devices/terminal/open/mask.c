/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/terminal/open/mask.h"

#include <string.h>

#include "devices/terminal/open/wire.h"

/* Where a request has a code, if it has one. */
static uint8_t *find_code(struct frame *frame, size_t *length)
{
    /* In version 2 a proof stands there, which is no secret. */
    if (frame->version >= FRAME_VERSION_2 || frame->class != FRAME_TERMINAL || !frame->size)
        return NULL;
    switch (frame->type) {
    case TERMINAL_KEY:
        *length = frame->size - 1u;
        return frame->payload[0] == TERMINAL_CODE ? frame->payload + 1 : NULL;
    case TERMINAL_CONFIGURE:
    case TERMINAL_CORRECT:
        *length = frame->payload[0];
        if (*length > frame->size - 1u)
            *length = frame->size - 1u;
        return frame->payload + 1;
    default:
        return NULL;
    }
}

/* A frame is as long as before whatever its payload is. */
static size_t mask_frame(uint8_t *encoded, struct frame *frame)
{
    uint8_t again[FRAME_ENCODED_MAX];
    size_t length, code_length = 0;
    uint8_t *code = find_code(frame, &code_length);

    if (!code)
        return 0;
    memset(code, '0', code_length);
    length = frame_encode(frame, again);
    memcpy(encoded, again, length);
    return code_length;
}

size_t open_terminal_mask(uint8_t *bytes, size_t count)
{
    struct frame_decoder decoder = {.versions = FRAME_VERSIONS};
    struct frame frame;
    size_t masked = 0, start = 0, at = 0;

    while (at < count) {
        size_t taken;
        enum frame_result result = frame_decode(&decoder, bytes + at, count - at, &taken, &frame);

        at += taken;
        if (result == FRAME_READY) {
            /* Empty frames may stand before it. */
            while (!bytes[start])
                start++;
            masked += mask_frame(bytes + start, &frame);
        }
        start = at;
    }
    return masked;
}
