/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/journal/kind.h"

static const char *const kind_names[JOURNAL_KINDS] = {
    [JOURNAL_START] = "start",         [JOURNAL_DEVICE] = "device",
    [JOURNAL_RECORDING] = "recording", [JOURNAL_ROUND] = "round",
    [JOURNAL_EVENT] = "event",         [JOURNAL_RETRY] = "retry",
    [JOURNAL_SETTLED] = "settled",     [JOURNAL_CHECK] = "check",
    [JOURNAL_VERDICT] = "verdict",     [JOURNAL_END] = "end",
    [JOURNAL_RECONNECT] = "reconnect", [JOURNAL_WAIT] = "wait",
    [JOURNAL_QUESTION] = "question",   [JOURNAL_ANSWER] = "answer",
    [JOURNAL_OPERATOR] = "operator",   [JOURNAL_RESUMED] = "resumed",
    [JOURNAL_ORDER] = "order",
};

const char *journal_kind_name(enum journal_kind kind)
{
    return kind_names[kind];
}
