/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "games/flush_line.h"

const struct line flush_lines[FLUSH_LINE_COUNT] = {
    {"7-card straight flush", 0}, {"6-card straight flush", 0}, {"5-card straight flush", 0},
    {"4-card straight flush", 0}, {"7-card flush", 1},          {"6-card flush", 1},
    {"5-card flush", 1},          {"4-card flush", 1},
};

const char *flush_name(unsigned length)
{
    static const char *const names[] = {
        "",
        "1-card flush",
        "2-card flush",
        "3-card flush",
        "4-card flush",
        "5-card flush",
        "6-card flush",
        "7-card flush",
    };

    return names[length];
}
