/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/listen/decoder.h"

#include <stdlib.h>

#include "hal/base/registry.h"

REGISTRY(protocols);

const struct protocol *protocol_at(size_t index)
{
    return registry_at(&protocols, index);
}

const struct protocol *protocol_numbered(unsigned number)
{
    const struct protocol *protocol;

    for (size_t i = 0; (protocol = protocol_at(i)); i++)
        if (protocol->number == number)
            return protocol;
    return &protocol_bytes;
}

const struct protocol *protocol_find(const char *name, struct error *error)
{
    const struct protocol *protocol = registry_find(&protocols, name);
    struct name_list names;

    if (protocol)
        return protocol;
    registry_names(&protocols, &names);
    error_set(error, ERROR_CONFIG, "there is no protocol '%.40s'; known are %s", name,
              name_list_text(&names));
    return NULL;
}

struct decoder *decoder_open(const struct protocol *protocol, enum tap_direction direction,
                             struct error *error)
{
    struct decoder *decoder = calloc(1, protocol->size);

    if (!decoder) {
        error_set(error, ERROR_RIG, "out of memory for a decoder");
        return NULL;
    }
    decoder->protocol = protocol;
    decoder->direction = direction;
    if (protocol->open && protocol->open(decoder, error)) {
        free(decoder);
        return NULL;
    }
    return decoder;
}

void decoder_close(struct decoder *decoder)
{
    if (decoder && decoder->protocol->close)
        decoder->protocol->close(decoder);
    free(decoder);
}

void decoder_hear(struct decoder *decoder, const uint8_t *bytes, size_t count, nanos_t now)
{
    decoder->now = now;
    decoder->protocol->hear(decoder, bytes, count);
}

void decoder_end(struct decoder *decoder)
{
    if (decoder->protocol->end)
        decoder->protocol->end(decoder);
}

void decoder_tell(struct decoder *decoder)
{
    if (decoder->tell)
        decoder->tell(decoder->context, decoder, &decoder->message);
}

void decoder_damage(struct decoder *decoder, const char *device, const char *why,
                    const uint8_t *bytes, size_t count)
{
    struct message *message = &decoder->message;

    message_begin(message, MESSAGE_DAMAGE, device, "damage", MESSAGE_NO_NUMBER);
    message_wrong(message, "%s", why);
    if (!decoder->protocol->has_codes || decoder->direction == TAP_FROM_DEVICE)
        message->bytes = bytes;
    message->size = count;
    decoder_tell(decoder);
}

static void hear_bytes(struct decoder *decoder, const uint8_t *bytes, size_t count)
{
    message_begin(&decoder->message, MESSAGE_BYTES, NULL, "bytes", MESSAGE_NO_NUMBER);
    decoder->message.bytes = bytes;
    decoder->message.size = count;
    decoder_tell(decoder);
}

const struct protocol protocol_bytes = {
    .name = "bytes",
    .summary = "whatever it is, byte by byte",
    .number = TAP_RAW,
    .size = sizeof(struct decoder),
    .hear = hear_bytes,
};
REGISTER(protocols, protocol_bytes);
