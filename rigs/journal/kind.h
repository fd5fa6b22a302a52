/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a line of a journal tells of (rigs/JOURNAL.md), in the order in which they come first. */
#ifndef RIGS_JOURNAL_KIND_H
#define RIGS_JOURNAL_KIND_H

enum journal_kind {
    JOURNAL_START,
    JOURNAL_DEVICE,
    JOURNAL_OPERATOR,
    JOURNAL_ORDER,
    JOURNAL_RECORDING,
    JOURNAL_ROUND,
    JOURNAL_EVENT,
    JOURNAL_RETRY,
    JOURNAL_RECONNECT,
    JOURNAL_WAIT,
    JOURNAL_QUESTION,
    JOURNAL_ANSWER,
    JOURNAL_SETTLED,
    JOURNAL_CHECK,
    JOURNAL_VERDICT,
    JOURNAL_RESUMED,
    JOURNAL_END,
    JOURNAL_KINDS
};

const char *journal_kind_name(enum journal_kind kind);

#endif
