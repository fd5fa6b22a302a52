/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/listen/listener.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHANNELS 256
#define ASKED    8 /* questions of one side that an answer is looked for among */

struct question {
    uint64_t number; /* of the message; 0: there is none */
    uint32_t key;
    int sequence;
    uint64_t sum; /* of its content */
    nanos_t time;
    unsigned asked, answered; /* how often */
    struct heard heard;
};

/* One direction of a channel. */
struct ear {
    struct listener *listener;
    struct channel *channel;
    struct decoder *decoder;
    struct question asked[ASKED];
    unsigned next; /* the oldest of them */
};

struct channel {
    uint8_t number;
    char address[2 * LINK_ADDRESS_MAX + 16];
    struct ear ears[2];  /* by direction: to the device, from it */
    bool hears_question; /* every one since it was set: none was missed */
};

struct listener {
    struct listener_options options;
    struct listener_counts counts;
    struct channel *channels[CHANNELS];
    struct listened listened;
};

struct listener *listener_new(const struct listener_options *options)
{
    struct listener *listener = calloc(1, sizeof *listener);

    if (listener)
        listener->options = *options;
    return listener;
}

void listener_free(struct listener *listener)
{
    if (!listener)
        return;
    for (size_t i = 0; i < CHANNELS; i++) {
        struct channel *channel = listener->channels[i];

        for (int side = 0; channel && side < 2; side++)
            decoder_close(channel->ears[side].decoder);
        free(channel);
    }
    free(listener);
}

const struct listener_counts *listener_counted(const struct listener *listener)
{
    return &listener->counts;
}

/* FNV-1a, of 64 bits. */
static uint64_t sum_of(const struct message *message)
{
    uint64_t sum = 0xcbf29ce484222325u;

    for (const char *at = message->fields.start; at < message->fields.at; at++)
        sum = (sum ^ (unsigned char)*at) * 0x100000001b3u;
    return sum;
}

/* The newest question with that key; NULL when there is none. */
static struct question *find_question(struct ear *ear, uint32_t key)
{
    for (unsigned i = 1; i <= ASKED; i++) {
        struct question *question = &ear->asked[(ear->next + ASKED - i) % ASKED];

        if (question->number && question->key == key)
            return question;
    }
    return NULL;
}

static void forget(struct ear *ear, struct question *question)
{
    if (question->number && !question->answered)
        ear->listener->counts.unanswered++;
    question->number = 0;
}

static void keep_question(struct ear *ear, const struct message *message, struct listened *listened)
{
    struct question *last = &ear->asked[(ear->next + ASKED - 1) % ASKED];
    struct question *question = &ear->asked[ear->next];
    uint64_t sum = sum_of(message);

    /* Without a number the same question may be asked again as soon as it was answered. */
    listened->is_again = last->number && last->key == message->key && last->sum == sum &&
                         last->sequence == message->number &&
                         !(message->number == MESSAGE_NO_NUMBER && last->answered);
    ear->channel->hears_question = true;
    last->asked += listened->is_again;
    if (listened->is_again)
        return;
    forget(ear, question);
    *question = (struct question){.number = listened->number,
                                  .key = message->key,
                                  .sequence = message->number,
                                  .sum = sum,
                                  .time = listened->time,
                                  .asked = 1,
                                  .heard = message->heard};
    ear->next = (ear->next + 1) % ASKED;
    if (message->kind == MESSAGE_EVENT)
        listened->heard = &question->heard;
}

/* Where devices only answer, one question at a time, the last one waits for an answer or none. */
static void check_asked(const struct ear *ear, const struct question *question,
                        struct message *message)
{
    const struct question *last = &ear->asked[(ear->next + ASKED - 1) % ASKED];

    if (ear->channel->hears_question && (question != last || last->answered >= last->asked))
        message_wrong(message, "no question waits for it");
}

/* What a request has told counts from its answer on, once. */
static void match(struct ear *ear, struct message *message, struct listened *listened)
{
    struct question *question = find_question(ear, message->key);

    if (listened->protocol->answers_only)
        check_asked(ear, question, message);
    if (message->heard.kind != HEARD_NOTHING && message->heard.kind != HEARD_REFUSED)
        listened->heard = &message->heard;
    if (!question)
        return;
    listened->answers = question->number;
    listened->after = listened->time - question->time;
    listened->is_again = question->answered;
    if (message->kind == MESSAGE_REPLY && message->heard.kind == HEARD_NOTHING &&
        !question->answered)
        listened->heard = &question->heard;
    question->answered++;
}

static void count(struct listener *listener, const struct message *message)
{
    listener->counts.damaged += message->wrong[0] != '\0';
    listener->counts.missed += message->missed;
    listener->counts.unknown += message->kind == MESSAGE_BYTES;
}

/* Told by a decoder. */
static void tell(void *context, struct decoder *decoder, struct message *message)
{
    static const struct heard nothing = {.kind = HEARD_NOTHING};
    struct ear *ear = context;
    struct listener *listener = ear->listener;
    struct listened *listened = &listener->listened;

    listened->kind = LISTENED_MESSAGE;
    listened->direction = decoder->direction;
    listened->protocol = decoder->protocol;
    listened->message = message;
    listened->number = ++listener->counts.messages;
    listened->is_again = false;
    listened->answers = 0;
    listened->after = 0;
    listened->heard = &nothing;
    if (message_asks(message))
        keep_question(ear, message, listened);
    else if (message_answers(message))
        match(&ear->channel->ears[decoder->direction == TAP_TO_DEVICE], message, listened);
    else if (message->kind == MESSAGE_FRAME)
        listened->heard = &message->heard;
    else if (message->kind == MESSAGE_DAMAGE && decoder->direction == TAP_TO_DEVICE)
        ear->channel->hears_question = false;
    count(listener, message);
    listener->options.tell(listener->options.context, listened);
}

static struct channel *find_channel(struct listener *listener, uint8_t number)
{
    struct channel *channel = listener->channels[number];

    if (channel)
        return channel;
    channel = listener->channels[number] = calloc(1, sizeof *channel);
    if (!channel)
        return NULL;
    channel->number = number;
    for (int side = 0; side < 2; side++) {
        channel->ears[side].listener = listener;
        channel->ears[side].channel = channel;
    }
    return channel;
}

static void end_channel(struct channel *channel)
{
    for (int side = 0; side < 2; side++) {
        struct ear *ear = &channel->ears[side];

        if (ear->decoder)
            decoder_end(ear->decoder);
        for (unsigned i = 0; i < ASKED; i++)
            forget(ear, &ear->asked[i]);
    }
    channel->hears_question = false;
}

/* Another protocol than before on the same channel is another line. */
static struct decoder *find_decoder(struct listener *listener, struct ear *ear,
                                    const struct heard_packet *packet, struct error *error)
{
    const struct listener_options *options = &listener->options;
    const struct protocol *protocol = options->protocol ? options->protocol
                                      : options->unnamed && packet->protocol == TAP_RAW
                                          ? options->unnamed
                                          : protocol_numbered(packet->protocol);

    if (ear->decoder && ear->decoder->protocol == protocol)
        return ear->decoder;
    if (ear->decoder)
        decoder_end(ear->decoder);
    decoder_close(ear->decoder);
    ear->decoder = decoder_open(protocol, packet->direction, error);
    if (ear->decoder) {
        ear->decoder->tell = tell;
        ear->decoder->context = ear;
    }
    return ear->decoder;
}

static void tell_text(struct listener *listener, struct channel *channel,
                      const struct heard_packet *packet, enum listened_kind kind)
{
    char text[sizeof channel->address];
    size_t length = packet->count < sizeof text ? packet->count : sizeof text - 1;

    for (size_t i = 0; i < length; i++)
        text[i] = packet->bytes[i] >= ' ' && packet->bytes[i] <= '~' ? (char)packet->bytes[i] : '?';
    text[length] = '\0';
    if (kind == LISTENED_ADDRESS) {
        end_channel(channel);
        memcpy(channel->address, text, length + 1);
    }
    if (kind == LISTENED_GAP && channel->ears[1].decoder)
        listener->listened.protocol = channel->ears[1].decoder->protocol;
    listener->counts.gaps += kind == LISTENED_GAP;
    if (kind == LISTENED_GAP)
        channel->hears_question = false;
    listener->listened.kind = kind;
    listener->listened.text = text;
    listener->options.tell(listener->options.context, &listener->listened);
    listener->listened.text = NULL;
}

static void tell_lines(struct listener *listener, const struct heard_packet *packet)
{
    if (packet->count < 2)
        return;
    listener->listened.kind = LISTENED_LINES;
    listener->listened.direction = packet->bytes[0] ? TAP_FROM_DEVICE : TAP_TO_DEVICE;
    listener->listened.lines = packet->bytes[1];
    listener->options.tell(listener->options.context, &listener->listened);
}

static int hear_bytes(struct listener *listener, struct channel *channel,
                      const struct heard_packet *packet, struct error *error)
{
    struct ear *ear = &channel->ears[packet->direction == TAP_FROM_DEVICE];
    struct error unheard;
    struct decoder *decoder = find_decoder(listener, ear, packet, error ? error : &unheard);

    if (!decoder)
        return error ? (int)error->code : ERROR_RIG;
    decoder_hear(decoder, packet->bytes, packet->count, packet->time);
    return 0;
}

int listener_hear(struct listener *listener, const struct heard_packet *packet, struct error *error)
{
    struct channel *channel = find_channel(listener, packet->channel);

    if (!channel)
        return error_set(error, ERROR_RIG, "out of memory for channel %u", packet->channel);
    listener->listened = (struct listened){.packet = packet->number,
                                           .time = packet->time,
                                           .channel = packet->channel,
                                           .address = channel->address};
    switch (packet->direction) {
    case TAP_TO_DEVICE:
    case TAP_FROM_DEVICE:
        return hear_bytes(listener, channel, packet, error);
    case TAP_ABOUT:
        tell_text(listener, channel, packet, LISTENED_ADDRESS);
        return 0;
    case TAP_LINES:
        tell_lines(listener, packet);
        return 0;
    default:
        tell_text(listener, channel, packet,
                  packet->direction == TAP_GAP ? LISTENED_GAP : LISTENED_NOTE);
        return 0;
    }
}

void listener_end(struct listener *listener)
{
    for (size_t i = 0; i < CHANNELS; i++)
        if (listener->channels[i])
            end_channel(listener->channels[i]);
}
