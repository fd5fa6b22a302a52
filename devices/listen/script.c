/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/listen/script.h"

#include <stdio.h>
#include <string.h>

#include "devices/device.h"
#include "devices/scripts/describe.h"
#include "hal/base/json.h"

struct script_decoder {
    struct decoder decoder;
    struct script_describer *describer; /* of one direction */
    struct json_reader *reader;
    const char *device;
};

/* The protocol of a decoder is the first member of its script. */
static struct listen_script *script_of(struct decoder *decoder)
{
    return (struct listen_script *)decoder->protocol;
}

static int open_decoder(struct decoder *decoder, struct error *error)
{
    struct script_decoder *self = (struct script_decoder *)decoder;
    int status = script_describer_open(&self->describer, script_of(decoder)->path, error);

    if (status)
        return status;
    self->reader = json_reader_new(JSON_LONGEST);
    if (!self->reader) {
        script_describer_close(self->describer);
        return error_set(error, ERROR_RIG, "out of memory for a decoder");
    }
    self->device = device_class_name(script_describer_class(self->describer));
    return 0;
}

static void close_decoder(struct decoder *decoder)
{
    struct script_decoder *self = (struct script_decoder *)decoder;

    json_reader_free(self->reader);
    script_describer_close(self->describer);
}

/* Cards as one text or as a list of them; false for anything else. */
static bool read_cards(const struct json_value *value, struct heard *heard)
{
    int count = 0;

    if (json_is(value, JSON_KIND_STRING)) {
        count = cards_parse(value->text, value->length, heard->cards, DECK_SIZE, NULL);
    } else {
        JSON_EACH (card, value)
            if (!json_is(card, JSON_KIND_STRING) || card->length != 2 || count == DECK_SIZE ||
                !card_parse(card->text, &heard->cards[count++]))
                return false;
    }
    heard->count = count > 0 ? (unsigned)count : 0;
    return count > 0;
}

static void hear_deck(const struct json_value *number, enum heard_kind kind, struct heard *heard)
{
    heard->kind = kind;
    heard->has_number = json_is(number, JSON_KIND_INTEGER);
    heard->number = (uint16_t)json_int(number);
}

/* A machine that does not know its cards tells of packets without them. */
static void hear_packet(const struct json_value *details, struct message *message)
{
    const struct json_value *index = json_member(details, "index");
    const struct json_value *cards = json_member(details, "cards");
    int64_t number = index ? json_int(index) : json_int(json_member(details, "packet")) - 1;

    if (!cards)
        return;
    if (number < 0 || number >= DECK_SIZE)
        message_wrong(message, "there is no packet of that number");
    else if (!read_cards(cards, &message->heard))
        message_wrong(message, "its cards are not 1 to %d cards that exist", DECK_SIZE);
    else
        message->heard.kind = HEARD_PACKET;
    message->heard.index = (int)number;
}

static void hear_card(const struct json_value *details, struct message *message)
{
    struct heard *heard = &message->heard;

    if (!read_cards(json_member(details, "card"), heard) || heard->count != 1)
        message_wrong(message, "its card is not one that exists");
    else
        heard->kind = HEARD_CARD;
    heard->index = -1;
}

static void hear_event(struct script_decoder *self, const char *name, const char *details,
                       struct message *message)
{
    const struct json_value *read = json_read(self->reader, details, strlen(details), NULL);

    message->heard.test_mode = json_is(json_member(read, "test_mode"), JSON_KIND_TRUE);
    if (!strcmp(name, "shuffled"))
        hear_deck(json_member(read, "number"), HEARD_SHUFFLED, &message->heard);
    else if (!strcmp(name, "stand-by"))
        hear_deck(json_member(read, "deck"), HEARD_NEW_DECK, &message->heard);
    else if (!strcmp(name, "packet-present"))
        hear_packet(read, message);
    else if (!strcmp(name, "card"))
        hear_card(read, message);
}

/* What a script tells. */
static void take_message(void *context, const struct script_message *told)
{
    struct script_decoder *self = context;
    struct message *message = &self->decoder.message;
    size_t length = strlen(told->details);

    if (told->is_damaged) {
        decoder_damage(&self->decoder, self->device, "the script says that it is damaged",
                       told->bytes, told->count);
        return;
    }
    if (!told->name) {
        message_begin(message, MESSAGE_BYTES, self->device, "bytes", MESSAGE_NO_NUMBER);
        message->bytes = told->bytes;
        message->size = told->count;
        decoder_tell(&self->decoder);
        return;
    }
    message_begin(message, MESSAGE_FRAME, self->device, told->name, MESSAGE_NO_NUMBER);
    if (length > 2)
        json_text_raw(&message->fields, told->details + 1, length - 2);
    if (told->from_device)
        hear_event(self, told->name, told->details, message);
    decoder_tell(&self->decoder);
}

static void hear(struct decoder *decoder, const uint8_t *bytes, size_t count)
{
    struct script_decoder *self = (struct script_decoder *)decoder;
    struct listen_script *script = script_of(decoder);

    if (!script->status)
        script->status =
            script_describe(self->describer, decoder->direction == TAP_FROM_DEVICE, bytes, count,
                            decoder->now, take_message, self, &script->error);
}

int listen_script_load(struct listen_script *script, const char *path, struct error *error)
{
    struct script_describer *describer;
    int status = script_describer_open(&describer, path, error);

    script_describer_close(describer);
    *script = (struct listen_script){.protocol = {.name = "script",
                                                  .summary = "what a script of the lab says",
                                                  .number = TAP_RAW,
                                                  .size = sizeof(struct script_decoder),
                                                  .open = open_decoder,
                                                  .hear = hear,
                                                  .close = close_decoder},
                                     .path = path};
    return status;
}
