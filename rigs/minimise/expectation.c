/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/minimise/expectation.h"

static void put_key(struct json_text *out, bool *is_first, const char *key)
{
    if (!*is_first)
        JSON_TEXT_PUT(out, ",");
    *is_first = false;
    json_text_string(out, key);
    JSON_TEXT_PUT(out, ":");
}

static void carry_members(struct json_text *out, const struct json_value *fresh,
                          const struct json_value *settled, const struct json_value *expected)
{
    bool is_first = true;

    JSON_TEXT_PUT(out, "{");
    JSON_EACH (value, fresh) {
        const struct json_value *was = json_member(settled, value->key);
        const struct json_value *wanted = json_member(expected, value->key);

        if (was && !wanted)
            continue;
        put_key(out, &is_first, value->key);
        if (was)
            expectation_carry(out, value, was, wanted);
        else
            json_text_value(out, value);
    }
    JSON_EACH (value, expected)
        if (!json_member(settled, value->key) && !json_member(fresh, value->key)) {
            put_key(out, &is_first, value->key);
            json_text_value(out, value);
        }
    JSON_TEXT_PUT(out, "}");
}

static void carry_elements(struct json_text *out, const struct json_value *fresh,
                           const struct json_value *settled, const struct json_value *expected)
{
    JSON_TEXT_PUT(out, "[");
    for (size_t i = 0; i < json_count(fresh); i++) {
        if (i)
            JSON_TEXT_PUT(out, ",");
        expectation_carry(out, json_element(fresh, i), json_element(settled, i),
                          json_element(expected, i));
    }
    JSON_TEXT_PUT(out, "]");
}

void expectation_carry(struct json_text *out, const struct json_value *fresh,
                       const struct json_value *settled, const struct json_value *expected)
{
    if (json_same(settled, expected))
        json_text_value(out, fresh);
    else if (json_is(fresh, JSON_KIND_OBJECT) && json_is(settled, JSON_KIND_OBJECT) &&
             json_is(expected, JSON_KIND_OBJECT))
        carry_members(out, fresh, settled, expected);
    else if (json_count(fresh) && json_is(fresh, JSON_KIND_ARRAY) &&
             json_count(fresh) == json_count(settled) && json_count(fresh) == json_count(expected))
        carry_elements(out, fresh, settled, expected);
    else
        json_text_value(out, expected);
}
