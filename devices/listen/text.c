/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The fields of a message as text; the JSON is that of message.c and its like, and well formed. */
#include <string.h>

#include "devices/listen/message.h"

struct text {
    const char *from, *end; /* the JSON that is left */
    char *at, *stop;        /* the room that is left; one byte of it is for the NUL */
};

static void put(struct text *text, const char *words, size_t length)
{
    if (length > (size_t)(text->stop - text->at))
        length = (size_t)(text->stop - text->at);
    memcpy(text->at, words, length);
    text->at += length;
}

static void put_words(struct text *text, const char *words)
{
    put(text, words, strlen(words));
}

static bool take(struct text *text, char character)
{
    if (text->from >= text->end || *text->from != character)
        return false;
    text->from++;
    return true;
}

/* Quotes and backslashes lose their backslash; control characters stay as they are written. */
static void put_string(struct text *text)
{
    const char *first;

    text->from++;
    if (take(text, '"')) {
        put_words(text, "\"\"");
        return;
    }
    while (text->from < text->end && *text->from != '"') {
        if (*text->from == '\\' && (text->from[1] == '"' || text->from[1] == '\\'))
            text->from++;
        first = text->from++;
        put(text, first, 1);
    }
    take(text, '"');
}

static void put_word(struct text *text)
{
    const char *first = text->from;
    size_t length;

    while (text->from < text->end && !strchr(",]}", *text->from))
        text->from++;
    length = (size_t)(text->from - first);
    if (length == 4 && !memcmp(first, "true", length))
        put_words(text, "yes");
    else if (length == 5 && !memcmp(first, "false", length))
        put_words(text, "no");
    else if (length == 4 && !memcmp(first, "null", length))
        put_words(text, "none");
    else
        put(text, first, length);
}

static void put_value(struct text *text);

static void put_members(struct text *text)
{
    bool is_first = true;

    while (text->from < text->end && *text->from == '"') {
        if (!is_first)
            put_words(text, ", ");
        is_first = false;
        put_string(text);
        take(text, ':');
        put_words(text, " ");
        put_value(text);
        take(text, ',');
    }
}

/* Values side by side; groups in brackets, one after the other. */
static void put_array(struct text *text)
{
    bool has_groups;

    text->from++;
    if (take(text, ']')) {
        put_words(text, "none");
        return;
    }
    has_groups = *text->from == '{';
    if (has_groups)
        put_words(text, "(");
    do {
        if (has_groups && take(text, '{')) {
            put_members(text);
            take(text, '}');
        } else {
            put_value(text);
        }
        if (text->from < text->end && *text->from == ',')
            put_words(text, has_groups ? "; " : " ");
    } while (take(text, ','));
    take(text, ']');
    if (has_groups)
        put_words(text, ")");
}

static void put_value(struct text *text)
{
    if (*text->from == '[') {
        put_array(text);
    } else if (*text->from == '"') {
        put_string(text);
    } else if (take(text, '{')) {
        put_words(text, "(");
        put_members(text);
        take(text, '}');
        put_words(text, ")");
    } else {
        put_word(text);
    }
}

size_t message_text(const struct message *message, char *room, size_t size)
{
    struct text text = {.from = message->fields.start,
                        .end = message->fields.at,
                        .at = room,
                        .stop = room + size - 1};

    put_members(&text);
    *text.at = '\0';
    return (size_t)(text.at - room);
}
