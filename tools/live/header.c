/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/live/header.h"

#include <string.h>

#include "hal/base/json_text.h"
#include "hal/base/utf8.h"

/* A text of an option; one that is no UTF-8 spoils the header. */
static void put_text(struct json_text *header, const char *text)
{
    header->full |= !utf8_is_valid(text);
    json_text_string(header, text);
}

static void put_pairs(struct json_text *header, const struct live_pair pairs[LIVE_PAIRS])
{
    for (size_t i = 0; i < LIVE_PAIRS && pairs[i].name; i++) {
        const char *value = pairs[i].value;

        json_text_raw(header, ",", i > 0);
        put_text(header, pairs[i].name);
        JSON_TEXT_PUT(header, ":");
        if (!strcmp(value, "true") || !strcmp(value, "false"))
            json_text_raw(header, value, strlen(value));
        else
            put_text(header, value);
    }
}

bool live_header(const struct live_options *options, const char *deal, char line[LIVE_HEADER_SIZE])
{
    struct json_text header;

    json_text_begin(&header, line, LIVE_HEADER_SIZE - 1);
    JSON_TEXT_PUT(&header, "{\"shoe\":1,\"game\":");
    put_text(&header, options->game);
    JSON_TEXT_PUT(&header, ",\"deal\":");
    put_text(&header, deal);
    JSON_TEXT_PUT(&header, ",\"burn\":");
    json_text_unsigned(&header, options->burn);
    JSON_TEXT_PUT(&header, ",\"tables\":{");
    put_pairs(&header, options->tables);
    JSON_TEXT_PUT(&header, "},\"rules\":{");
    put_pairs(&header, options->rules);
    JSON_TEXT_PUT(&header, "}}");
    *header.at = '\0';
    return !header.full;
}
