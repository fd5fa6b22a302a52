/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/gat/frame.h"

#include <string.h>

#define POLYNOMIAL 0xa001u /* 0x8005, bit 0 first */
#define CHECK_SIZE 2
#define HEAD_SIZE  2

uint16_t gat_crc(const uint8_t *bytes, size_t count)
{
    unsigned crc = 0xffff;

    for (size_t i = 0; i < count; i++) {
        crc ^= bytes[i];
        for (unsigned bit = 0; bit < 8; bit++)
            crc = crc & 1 ? crc >> 1 ^ POLYNOMIAL : crc >> 1;
    }
    return (uint16_t)crc;
}

size_t gat_encode(const struct gat_frame *frame, enum gat_order order, uint8_t bytes[GAT_FRAME_MAX])
{
    size_t size = HEAD_SIZE + (size_t)frame->size;
    uint16_t crc;

    bytes[0] = frame->command;
    bytes[1] = (uint8_t)(size + CHECK_SIZE);
    memcpy(bytes + HEAD_SIZE, frame->data, frame->size);
    crc = gat_crc(bytes, size);
    bytes[size + (order == GAT_LOW_FIRST)] = (uint8_t)(crc >> 8);
    bytes[size + (order == GAT_HIGH_FIRST)] = (uint8_t)crc;
    return size + CHECK_SIZE;
}

bool gat_is_version(unsigned version)
{
    for (; version; version >>= 4)
        if ((version & 15) > 9)
            return false;
    return true;
}

const char *gat_command_name(uint8_t command)
{
    switch (command) {
    case GAT_SQ:
        return "SQ";
    case GAT_LASQ:
        return "LASQ";
    case GAT_LARQ:
        return "LARQ";
    case GAT_IACQ:
        return "IACQ";
    case GAT_SQ | GAT_REPLY:
        return "SR";
    case GAT_LASQ | GAT_REPLY:
        return "LASR";
    case GAT_LARQ | GAT_REPLY:
        return "LARR";
    case GAT_IACQ | GAT_REPLY:
        return "IACR";
    default:
        return NULL;
    }
}

const char *gat_reject_text(enum gat_reject reason)
{
    static const char *const texts[GAT_REJECTS] = {
        [GAT_BAD_LENGTH] = "its length is less than that of any frame",
        [GAT_BAD_CRC] = "its check is wrong",
        [GAT_SWAPPED_CRC] = "the two bytes of its check are in the other order",
        [GAT_CUT] = "it breaks off",
    };

    return texts[reason];
}

static enum gat_result reject(struct gat_decoder *decoder, enum gat_reject reason)
{
    decoder->reason = reason;
    decoder->rejected[reason]++;
    decoder->rejected_size = decoder->used;
    decoder->used = 0;
    decoder->is_deaf = true;
    return GAT_REJECTED;
}

static enum gat_result judge(struct gat_decoder *decoder, struct gat_frame *frame)
{
    const uint8_t *bytes = decoder->partial;
    size_t size = decoder->used - CHECK_SIZE;
    unsigned crc = gat_crc(bytes, size);
    unsigned high_first = (unsigned)bytes[size] << 8 | bytes[size + 1];
    unsigned low_first = (unsigned)bytes[size + 1] << 8 | bytes[size];

    if (crc != (decoder->order == GAT_HIGH_FIRST ? high_first : low_first))
        return reject(decoder,
                      crc == high_first || crc == low_first ? GAT_SWAPPED_CRC : GAT_BAD_CRC);
    frame->command = bytes[0];
    frame->size = (uint8_t)(size - HEAD_SIZE);
    memcpy(frame->data, bytes + HEAD_SIZE, frame->size);
    decoder->frames++;
    decoder->used = 0;
    return GAT_READY;
}

enum gat_result gat_decode(struct gat_decoder *decoder, const uint8_t *bytes, size_t count,
                           size_t *taken, struct gat_frame *frame)
{
    for (*taken = 0; *taken < count && !decoder->is_deaf;) {
        decoder->partial[decoder->used++] = bytes[(*taken)++];
        if (decoder->used < HEAD_SIZE)
            continue;
        if (decoder->partial[1] < GAT_FRAME_MIN)
            return reject(decoder, GAT_BAD_LENGTH);
        if (decoder->used == decoder->partial[1])
            return judge(decoder, frame);
    }
    decoder->dropped += count - *taken;
    *taken = count;
    return GAT_NEED_MORE;
}

bool gat_silence(struct gat_decoder *decoder)
{
    bool had_begun = decoder->used > 0;

    if (had_begun)
        reject(decoder, GAT_CUT);
    decoder->is_deaf = false;
    return had_begun;
}
