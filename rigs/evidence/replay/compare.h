/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two journals of one run, the second written when it was played again: every line must be the
 * same, but for the program's version and build, its libraries, the command line and the digests
 * that follow from them. What a person or a failing disk has cut short is the same up to there.
 * Readers stay the caller's.
 */
#ifndef RIGS_EVIDENCE_REPLAY_COMPARE_H
#define RIGS_EVIDENCE_REPLAY_COMPARE_H

#include "rigs/journal/read.h"

struct journals_compared {
    uint64_t lines;                   /* that are the same */
    bool lacks_rounds;                /* the second says how many there are to play, alone */
    bool is_cut;                      /* the first was cut short: the second is longer */
    uint64_t people, first_of_people; /* lines of who was at a page, which are in no second one */
};

/*
 * 0: they are the same. ERROR_RULE names the line of the first that is not what the second has, and
 * the field. Other errors are those of reading.
 */
int journals_compare(struct journal_reader *was, struct journal_reader *now,
                     struct journals_compared *compared, struct error *error);

#endif
