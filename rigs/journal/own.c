/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/journal/own.h"

#define OWN_MAX 14

/* Those that every line has. */
#define OF_LINES "n", "prev", "t"

static const char *const lines[] = {OF_LINES, NULL};

static const char *const kinds[JOURNAL_KINDS][OWN_MAX] = {
    [JOURNAL_START] = {OF_LINES, "version", "build", "commit", "libraries", "date", "run", "host",
                       "command", "job", "attempt"},
    [JOURNAL_EVENT] = {OF_LINES, "at"},
    [JOURNAL_RECONNECT] = {OF_LINES, "tries", "away-ms"},
    [JOURNAL_ANSWER] = {OF_LINES, "took-ms"},
    [JOURNAL_VERDICT] = {OF_LINES, "timings"},
    [JOURNAL_RESUMED] = {OF_LINES, "version", "date", "away-s", "command"},
    [JOURNAL_END] = {OF_LINES, "seal"},
};

const char *const *journal_own_fields(enum journal_kind kind)
{
    return kinds[kind][0] ? kinds[kind] : lines;
}
