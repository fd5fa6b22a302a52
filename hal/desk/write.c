/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Questions as JSON: for a journal, a page and a script alike (rigs/STATION.md). */
#include "hal/desk/desk.h"

static void write_answers(const struct desk_open *open, struct json_text *out)
{
    JSON_TEXT_PUT(out, ",\"answers\":[");
    for (unsigned i = 0; i < open->choice_count; i++) {
        if (i)
            JSON_TEXT_PUT(out, ",");
        json_text_string(out, open->choices[i]);
    }
    JSON_TEXT_PUT(out, "]");
}

static void write_sides(unsigned sides, struct json_text *out)
{
    bool is_first = true;

    JSON_TEXT_PUT(out, ",\"from\":[");
    for (unsigned side = DESK_TERMINAL; side <= DESK_SCANNER; side <<= 1) {
        if (!(sides & side))
            continue;
        if (!is_first)
            JSON_TEXT_PUT(out, ",");
        json_text_string(out, desk_side_name((enum desk_side)side));
        is_first = false;
    }
    JSON_TEXT_PUT(out, "]");
}

void desk_write(const struct desk_open *open, struct json_text *out)
{
    JSON_TEXT_PUT(out, "\"id\":");
    json_text_unsigned(out, open->id);
    if (open->run) {
        JSON_TEXT_PUT(out, ",\"run\":");
        json_text_unsigned(out, open->run);
    }
    JSON_TEXT_PUT(out, ",\"ask\":");
    json_text_string(out, question_kinds[open->kind]);
    JSON_TEXT_PUT(out, ",\"text\":");
    json_text_string(out, open->text);
    if (open->seat) {
        JSON_TEXT_PUT(out, ",\"seat\":");
        json_text_unsigned(out, open->seat);
    }
    if (open->choice_count)
        write_answers(open, out);
    write_sides(open->sides, out);
    if (!open->limit_ms)
        return;
    JSON_TEXT_PUT(out, ",\"limit-ms\":");
    json_text_unsigned(out, open->limit_ms);
    if (*open->otherwise) {
        JSON_TEXT_PUT(out, ",\"otherwise\":");
        json_text_string(out, open->otherwise);
    }
}
