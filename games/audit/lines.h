/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How many hands are paid on each line of a table, and what a wager on them is worth. Lines of
 * seven-card hands are those of their suits taken alone: the number of hands comes from combining
 * the 8192 masks of the four suits by (cards, best line), which is an exact enumeration of all
 * C(52,7) hands. Nothing fails.
 */
#ifndef GAMES_AUDIT_LINES_H
#define GAMES_AUDIT_LINES_H

#include "games/audit/audit.h"
#include "games/hand.h"

struct line_counts {
    int64_t line[LINES_MAX];
    int64_t of;
};

/* Hands of seven; `lines` is asked for the cards of one suit at a time. */
void count_seven_card_lines(const struct paytable *table, lines_t (*lines)(hand_t),
                            struct line_counts *counts);

/* Hands of `cards`, at most four, of a wager for which all suits are alike. */
void count_few_card_lines(unsigned cards, const struct paytable *table, lines_t (*lines)(hand_t),
                          struct line_counts *counts);

/* The lines of what dealt cards decide alone, by the sheet's default table. */
void count_dealt_lines(const struct game *game, const struct audit_dealt *dealt,
                       struct line_counts *counts);

/* An entry with its names and lines, its figures still 0. */
void audit_entry_init(struct audit_entry *entry, const struct audit_request *request,
                      const char *wager, const struct wager *paid, const struct paytable *table,
                      const struct line_counts *counts);

/*
 * The whole entry of a wager that is paid by its line alone. A progressive's meters stand at their
 * reseed values, and what the stake contributes to them counts as return.
 */
void audit_entry_by_lines(struct audit_entry *entry, const struct audit_request *request,
                          unsigned wager, const struct paytable *table,
                          const struct line_counts *counts);

/* Of a main game whose EV is known over all deals: `pays` is what its lines have brought in them.
 */
void audit_entry_parts(struct audit_entry *entry, wide_t pays);

/* A play with what it is worth in as many deals as the EV has. */
void audit_entry_play(struct audit_entry *entry, const char *name, wide_t value);

void audit_entry_share(struct audit_entry *entry, const char *name, wide_t count, wide_t of);

#endif
