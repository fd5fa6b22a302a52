/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What parts of the decoders promise; the proof of the part itself says how far. In the proof of
 * whoever calls it, its promise stands for the part: it looks whether it may be called so, and
 * gives back anything that was promised. `Trusts: PART:PROMISE` in a proof puts one in the place of
 * the other.
 */
#ifndef TESTS_PROVE_PROMISES_H
#define TESTS_PROVE_PROMISES_H

#include "devices/shoe/angel_eye/frame.h"
#include "devices/wire/frame.h"
#include "tests/prove/prove.h"

#define ENCODED_MOST (FRAME_ENCODED_MAX - 1) /* without the closing zero */

/* Of memcpy() and memmove() no more than where it reads and writes: what was there before is
 * anything already. */
void *copy_promised(void *to, const void *from, size_t count)
{
    MAY_READ(from, count);
    MAY_WRITE(to, count);
    return to;
}

/* Of memchr() that it finds a place among those bytes, or none. */
void *find_promised(const void *bytes, int value, size_t count)
{
    size_t at;
    _Bool is_there;

    MAY_READ(bytes, count);
    GIVEN(!is_there || at < count);
    return is_there ? (uint8_t *)bytes + at : NULL;
}

/* cobs_decode() */
size_t cobs_promised(const uint8_t *encoded, size_t count, uint8_t *data)
{
    size_t length;

    MUST(count >= 1 && count <= ENCODED_MOST);
    MAY_READ(encoded, count);
    MAY_WRITE(data, count - 1);
    GIVEN(length == 0 || length == count - 1);
    return length;
}

/* frame_crc() */
uint16_t crc_promised(const uint8_t *bytes, size_t count)
{
    uint16_t crc;

    MUST(count <= ENCODED_MOST);
    MAY_READ(bytes, count);
    return crc;
}

/* frame_parse() */
enum frame_result frame_parse_promised(struct frame_decoder *decoder, const uint8_t *encoded,
                                       size_t count, struct frame *frame)
{
    _Bool is_good;

    MUST(count >= 1 && count <= ENCODED_MOST);
    MAY_READ(encoded, count);
    MAY_WRITE(frame, sizeof *frame);
    return is_good ? FRAME_READY : FRAME_REJECTED;
}

/* drop() of the Angel Eye decoder: `begins` is whether a frame may begin behind what is dropped. */
#define DROP_LEAVES(before, count, begins, after)                                                  \
    ((begins) ? (after) == (before) - (count) : (after) <= (before) - (count))

void drop_promised(struct angel_eye_decoder *decoder, size_t count)
{
    size_t before = decoder->used, after;
    _Bool begins;

    MUST(before <= ANGEL_EYE_FRAME_MAX && count <= before);
    begins =
        count < before &&
        (decoder->partial[count] == ANGEL_EYE_ENQ || decoder->partial[count] == ANGEL_EYE_STX ||
         decoder->partial[count] == ANGEL_EYE_ACK || decoder->partial[count] == ANGEL_EYE_NAK);
    GIVEN(DROP_LEAVES(before, count, begins, after));
    decoder->used = after;
    __CPROVER_havoc_slice(decoder->partial, sizeof decoder->partial);
}

/* block_check() of the Angel Eye decoder */
uint8_t block_check_promised(const uint8_t *bytes, size_t count)
{
    uint8_t check;

    MUST(count <= ANGEL_EYE_FRAME_MAX);
    MAY_READ(bytes, count);
    return check;
}

/*
 * parse() of the Angel Eye decoder: wanting more it has kept everything, and has room for a byte
 * more; otherwise it has dropped something.
 */
#define PARSE_KEEPS(result, before, after)                                                         \
    ((result) == ANGEL_EYE_NEED_MORE ? (after) == (before) && (after) < ANGEL_EYE_FRAME_MAX        \
                                     : (after) < (before))

enum angel_eye_result parse_promised(struct angel_eye_decoder *decoder,
                                     struct angel_eye_frame *frame)
{
    enum angel_eye_result result;
    size_t after;

    MUST(decoder->used <= ANGEL_EYE_FRAME_MAX);
    MAY_WRITE(frame, sizeof *frame);
    GIVEN(result >= ANGEL_EYE_NEED_MORE && result <= ANGEL_EYE_REJECTED);
    GIVEN(PARSE_KEEPS(result, decoder->used, after));
    decoder->used = after;
    return result;
}

#endif
