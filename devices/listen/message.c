/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/listen/message.h"

#include <stdarg.h>
#include <stdio.h>

#include "devices/telling.h"

void message_rename(struct message *message, const char *name)
{
    static const char *const before[MESSAGE_KINDS] = {[MESSAGE_REQUEST] = "request ",
                                                      [MESSAGE_REPLY] = "reply to ",
                                                      [MESSAGE_REFUSAL] = "",
                                                      [MESSAGE_EVENT] = "event ",
                                                      [MESSAGE_ACKNOWLEDGEMENT] = "acknowledged ",
                                                      [MESSAGE_FRAME] = "",
                                                      [MESSAGE_DAMAGE] = "",
                                                      [MESSAGE_BYTES] = ""};

    snprintf(message->name, sizeof message->name, "%s", name);
    snprintf(message->title, sizeof message->title, "%s%s%s", before[message->kind], message->name,
             message->kind == MESSAGE_REFUSAL ? " refused" : "");
}

void message_begin(struct message *message, enum message_kind kind, const char *device,
                   const char *name, int number)
{
    message->kind = kind;
    snprintf(message->device, sizeof message->device, "%s", device ? device : "");
    message_rename(message, name);
    message->number = number;
    message->key = 0;
    message->missed = 0;
    message->wrong[0] = '\0';
    json_text_begin(&message->fields, message->buffer, sizeof message->buffer);
    message->bytes = NULL;
    message->size = 0;
    memset(&message->heard, 0, sizeof message->heard);
}

const char *message_kind_name(enum message_kind kind)
{
    static const char *const names[MESSAGE_KINDS] = {[MESSAGE_REQUEST] = "request",
                                                     [MESSAGE_REPLY] = "reply",
                                                     [MESSAGE_REFUSAL] = "refusal",
                                                     [MESSAGE_EVENT] = "event",
                                                     [MESSAGE_ACKNOWLEDGEMENT] = "acknowledgement",
                                                     [MESSAGE_FRAME] = "frame",
                                                     [MESSAGE_DAMAGE] = "damage",
                                                     [MESSAGE_BYTES] = "bytes"};

    return names[kind];
}

struct json_text *message_field(struct message *message, const char *name)
{
    struct json_text *fields = &message->fields;

    /* At the beginning, and of a group that has just begun, there is no comma. */
    if (fields->at > fields->start && fields->at[-1] != '{')
        JSON_TEXT_PUT(fields, ",");
    json_text_string(fields, name);
    JSON_TEXT_PUT(fields, ":");
    return fields;
}

void message_put_number(struct message *message, const char *name, uint64_t number)
{
    json_text_unsigned(message_field(message, name), number);
}

void message_put_text(struct message *message, const char *name, const char *text)
{
    json_text_string(message_field(message, name), text);
}

void message_put_truth(struct message *message, const char *name, bool is_so)
{
    telling_put_truth(message_field(message, name), is_so);
}

void message_put_cards(struct message *message, const char *name, const card_t *cards,
                       unsigned count)
{
    telling_put_cards(message_field(message, name), cards, count);
}

void message_wrong(struct message *message, const char *format, ...)
{
    va_list arguments;

    if (message->wrong[0])
        return;
    va_start(arguments, format);
    vsnprintf(message->wrong, sizeof message->wrong, format, arguments);
    va_end(arguments);
}
