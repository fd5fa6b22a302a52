/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/telling.h"

#include <string.h>

struct json_text *telling_begin(struct telling *telling, const char *name)
{
    telling->name = name;
    json_text_begin(&telling->text, telling->buffer, sizeof telling->buffer - 1);
    return &telling->text;
}

const char *telling_details(struct telling *telling)
{
    *telling->text.at = '\0';
    return telling->text.full || !telling->buffer[0] ? NULL : telling->buffer;
}

void telling_plain(struct telling *telling, const char *name)
{
    telling_begin(telling, name);
}

void telling_number(struct telling *telling, const char *name, uint64_t number)
{
    json_text_unsigned(telling_begin(telling, name), number);
}

void telling_text(struct telling *telling, const char *name, const char *words)
{
    json_text_string(telling_begin(telling, name), words);
}

void telling_truth(struct telling *telling, const char *name, bool is_so)
{
    telling_put_truth(telling_begin(telling, name), is_so);
}

void telling_seats(struct telling *telling, const char *name, unsigned seats)
{
    struct json_text *text = telling_begin(telling, name);
    const char *separator = "[";

    for (unsigned seat = 1; seat < 8 * sizeof seats; seat++)
        if (seats >> seat & 1) {
            json_text_raw(text, separator, 1);
            json_text_unsigned(text, seat);
            separator = ",";
        }
    if (*separator == '[')
        JSON_TEXT_PUT(text, "[");
    JSON_TEXT_PUT(text, "]");
}

void telling_put_number(struct json_text *text, const char *key, uint64_t number)
{
    json_text_raw(text, key, strlen(key));
    json_text_unsigned(text, number);
}

void telling_put_text(struct json_text *text, const char *key, const char *words)
{
    json_text_raw(text, key, strlen(key));
    json_text_string(text, words);
}

void telling_put_truth(struct json_text *text, bool is_so)
{
    if (is_so)
        JSON_TEXT_PUT(text, "true");
    else
        JSON_TEXT_PUT(text, "false");
}

void telling_put_witness(struct json_text *text, const char *witness, bool is_nodded)
{
    if (!witness)
        return;
    telling_put_text(text, ",\"witness\":", witness);
    if (is_nodded)
        JSON_TEXT_PUT(text, ",\"nodded\":true");
}

void telling_put_cards(struct json_text *text, const card_t *cards, unsigned count)
{
    JSON_TEXT_PUT(text, "\"");
    for (unsigned i = 0; i < count; i++) {
        char card[3] = {' '};

        card_format(cards[i], card + 1);
        json_text_raw(text, card + !i, sizeof card - !i);
    }
    JSON_TEXT_PUT(text, "\"");
}
