/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lines of a table, heard together in the order of their times. */
#include <stdio.h>
#include <string.h>

#include "tools/record/from_inside.h"

static void keep_identity(struct heard_line *line, const struct listened *listened)
{
    struct recording_from *from = line->from;
    struct known_device *known = from->known;

    while (known < from->known + from->known_count &&
           (known->line != line || known->channel != listened->channel))
        known++;
    if (known == from->known + RECORD_FROM_IDENTITIES)
        return;
    if (known == from->known + from->known_count)
        from->known_count++;
    *known = (struct known_device){
        .line = line, .channel = listened->channel, .identity = listened->heard->identity};
}

static bool is_dealing(enum heard_kind kind)
{
    return kind == HEARD_SHUFFLED || kind == HEARD_PACKET || kind == HEARD_NEW_DECK ||
           kind == HEARD_CARD;
}

/* Before the first card no line is known to be the one. */
static bool is_of_dealer(const struct heard_line *line, const struct listened *listened)
{
    const struct recording_from *from = line->from;

    return line == from->dealing && listened->channel == from->channel;
}

/* A whole frame of the device whose content cannot be. */
static bool message_is_wrong(const struct listened *listened)
{
    const struct message *message = listened->message;

    return message->wrong[0] && message->kind != MESSAGE_DAMAGE &&
           listened->direction == TAP_FROM_DEVICE;
}

/* What was missed before a message, as far as that can be seen. */
static void take_gap(struct heard_line *line, const struct listened *listened)
{
    const struct message *message = listened->message;
    char why[DEAL_WHY_SIZE];

    if (message->missed)
        snprintf(why, sizeof why, "%u event%s of the %s in it or after it %s not heard",
                 message->missed, message->missed == 1 ? "" : "s", message->device,
                 message->missed == 1 ? "was" : "were");
    else if (message->kind == MESSAGE_DAMAGE && listened->direction == TAP_FROM_DEVICE &&
             !listened->protocol->numbers_events)
        snprintf(why, sizeof why, "bytes were heard that are no message: %.64s", message->wrong);
    else
        return;
    deals_miss(&line->from->deals, is_of_dealer(line, listened), why);
}

/* The numbers of events show what is missing of them; without numbers it may be anything. */
static void take_told_gap(struct heard_line *line, const struct listened *listened)
{
    struct recording_from *from = line->from;
    char sentence[ERROR_TEXT_SIZE];

    if (!from->deals.is_open)
        return;
    from->has_gap = true;
    snprintf(sentence, sizeof sentence, "in or after round %ju: %s", (uintmax_t)from->deals.count,
             listened->text);
    record_from_say(from, sentence);
    if (!listened->protocol || !listened->protocol->numbers_events)
        deals_miss(&from->deals, is_of_dealer(line, listened), listened->text);
}

/* Told of each message. */
static void take_message(void *context, const struct listened *listened)
{
    struct heard_line *line = context;
    struct recording_from *from = line->from;

    if (listened->kind == LISTENED_ADDRESS && is_of_dealer(line, listened))
        deals_renew(&from->deals);
    if (listened->kind == LISTENED_GAP)
        take_told_gap(line, listened);
    if (listened->kind != LISTENED_MESSAGE || from->status || listened->is_again)
        return;
    take_gap(line, listened);
    if (listened->heard->kind == HEARD_IDENTITY)
        keep_identity(line, listened);
    if (is_dealing(listened->heard->kind) && !from->has_header) {
        from->dealing = line;
        from->channel = listened->channel;
        snprintf(from->address, sizeof from->address, "%s", listened->address);
        from->is_emulated = !strncmp(listened->address, "emu:", 4);
    }
    from->status = deals_hear(&from->deals, listened->heard, &from->error);
    if (message_is_wrong(listened))
        deals_spoil(&from->deals, listened->message->wrong);
}

/* The next packet of a line; one that is cut off ends there, which is said. */
static int read_next(struct heard_line *line)
{
    struct recording_from *from = line->from;
    int status = capture_reader_next(line->reader, &line->packet, &from->error);

    line->has_packet = status > 0;
    if (status == ERROR_RULE) {
        record_from_say(from, from->error.text);
        from->left_out++;
        return 0;
    }
    return status < 0 ? status : 0;
}

/* What the lines speak, by name or by a script. */
static int choose_protocol(struct recording_from *from, const struct protocol **protocol)
{
    const struct live_options *options = from->options;

    if (options->protocol && options->script)
        return error_set(&from->error, ERROR_CONFIG, "one of --protocol and --script");
    if (options->protocol)
        *protocol = protocol_find(options->protocol, &from->error);
    if (options->protocol && !*protocol)
        return ERROR_CONFIG;
    return options->script ? listen_script_load(&from->script, options->script, &from->error) : 0;
}

int record_from_open_lines(struct recording_from *from)
{
    const struct protocol *protocol = NULL;
    int status = choose_protocol(from, &protocol);

    for (size_t i = 0; i < from->options->from_count && !status; i++) {
        struct heard_line *line = &from->lines[i];
        const struct listener_options options = {
            .protocol = protocol,
            .unnamed = from->options->script ? &from->script.protocol : NULL,
            .tell = take_message,
            .context = line};

        line->from = from;
        line->path = from->options->from[i];
        line->listener = listener_new(&options);
        if (!line->listener)
            return error_set(&from->error, ERROR_RIG, "out of memory");
        status = capture_reader_open(&line->reader, line->path, &from->error);
        if (!status)
            status = read_next(line);
    }
    return status;
}

/* The line that has said something first; NULL when all are at their end. */
static struct heard_line *find_first(struct recording_from *from)
{
    struct heard_line *first = NULL;

    for (size_t i = 0; i < from->options->from_count; i++) {
        struct heard_line *line = &from->lines[i];

        if (line->has_packet && (!first || line->packet.time < first->packet.time))
            first = line;
    }
    return first;
}

int record_from_listen(struct recording_from *from)
{
    struct heard_line *line = find_first(from);

    if (line)
        from->first = line->packet.time;
    for (; line && !from->status; line = find_first(from)) {
        int status = listener_hear(line->listener, &line->packet, &from->error);

        if (!status && from->script.status) {
            from->error = from->script.error;
            status = from->script.status;
        }
        if (!status)
            status = read_next(line);
        if (status)
            return status;
    }
    return from->status ? from->status : deals_end(&from->deals, &from->error);
}
