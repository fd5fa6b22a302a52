/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/station/mask.h"

#include <string.h>

static bool is_secret(const char *key)
{
    return !strcmp(key, "dealt") || !strcmp(key, "play");
}

static void write_key(struct json_text *out, const struct json_value *member, bool is_first)
{
    if (!is_first)
        JSON_TEXT_PUT(out, ",");
    json_text_string(out, member->key);
    JSON_TEXT_PUT(out, ":");
}

static void write_played(struct json_text *out, const struct json_value *played)
{
    JSON_TEXT_PUT(out, "{");
    JSON_EACH (member, played) {
        write_key(out, member, member == json_begin(played));
        if (is_secret(member->key))
            JSON_TEXT_PUT(out, "null");
        else
            json_text_value(out, member);
    }
    JSON_TEXT_PUT(out, "}");
}

void mask_round(struct json_reader *reader, const char *line, size_t length, struct json_text *out)
{
    const struct json_value *round = json_read(reader, line, length, NULL);

    if (!json_is(round, JSON_KIND_OBJECT)) {
        JSON_TEXT_PUT(out, "null");
        return;
    }
    JSON_TEXT_PUT(out, "{");
    JSON_EACH (member, round) {
        write_key(out, member, member == json_begin(round));
        if (!strcmp(member->key, "played"))
            write_played(out, member);
        else
            json_text_value(out, member);
    }
    JSON_TEXT_PUT(out, "}");
}

void mask_previous(const char *line, size_t length, struct json_text *out)
{
    static const char name[] = ",\"prev\":";
    const char *found = memmem(line, length, name, sizeof name - 1);
    const char *from = found ? found + sizeof name - 1 : line;
    const char *to = found ? memchr(from, ',', length - (size_t)(from - line)) : NULL;

    if (!to) {
        JSON_TEXT_PUT(out, "null");
        return;
    }
    json_text_raw(out, line, (size_t)(from - line));
    JSON_TEXT_PUT(out, "null");
    json_text_raw(out, to, length - (size_t)(to - line));
}
