/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Exact house edges, by full enumeration with symmetry. An audit of one game is a number of
 * independent units of work; each worker adds what its units find to a part of its own, the parts
 * are added up, and the entries are read off the total. All sums are integers and addition
 * commutes, so neither the number of workers nor their order changes a digit. An audit is constant
 * once made and may be shared by threads; a part belongs to one thread at a time. Only memory can
 * run out.
 */
#ifndef GAMES_AUDIT_AUDIT_H
#define GAMES_AUDIT_AUDIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "games/audit/law.h"
#include "games/audit/ratio.h"
#include "games/game.h"
#include "games/hand.h"
#include "hal/base/error.h"

#define AUDIT_TABLES_MAX   16
#define AUDIT_ENTRIES_MAX  (WAGERS_MAX * AUDIT_TABLES_MAX)
#define AUDIT_STRATEGY_MAX 4
#define AUDIT_PLAYS_MAX    8

/* Which paytables of each wager are audited, by index of the wager. */
struct audit_tables {
    const struct paytable *table[AUDIT_TABLES_MAX];
    uint8_t count;
};

struct audit_request {
    const struct game *game;
    bool ace_low;
    struct audit_tables tables[WAGERS_MAX];
};

/* The sheet's own tables, and the sheet's reading of the ace. */
void audit_request_init(struct audit_request *request, const struct game *game);

/* One table more, which must outlive the audit; ERROR_CONFIG when there is no room for it. */
int audit_request_add(struct audit_request *request, unsigned wager, const struct paytable *table,
                      struct error *error);

/*
 * Deals that are paid on one line, nobody folding; `of` counts all deals of the cards that matter
 * to the wager. Only where a card is drawn after the decision do folded hands miss it.
 */
struct audit_line {
    const char *name;
    struct pay pay;
    int64_t combinations;
    int64_t of;
};

/* How often optimal play ends with one decision, as a share of all deals. */
struct audit_share {
    const char *name;
    struct ratio share;
};

/* What an EV is made of; the four add up to it. */
struct audit_parts {
    struct ratio base;          /* stakes lost and won at even money, or kept by a progressive */
    struct ratio pays;          /* lines of the table, at odds or in cash */
    struct ratio meters;        /* lines that pay a meter, at its reseed value */
    struct ratio contributions; /* to the meters */
};

/* What the game is worth to somebody who plays it so; the first play is that of `rules`. */
struct audit_play {
    const char *name;
    struct ratio ev;
};

/*
 * What is known of one wager with one table. A main game, its bonus included, stands under its
 * ante and is reckoned per ante; any other wager per its own stake. The house edge is -ev.
 */
struct audit_entry {
    const struct game *game;
    const char *wager;
    const struct paytable *table;
    bool ace_low;
    struct ratio ev;
    struct ratio average_wager;
    struct ratio hit_frequency; /* deals that win: paid more than a push, and not folded */
    struct audit_law law;       /* of a round's net result; no contribution to a meter counts */
    struct audit_parts parts;
    struct audit_line lines[LINES_MAX];
    struct audit_share strategy[AUDIT_STRATEGY_MAX]; /* empty but for main games */
    const char *const *rules; /* short ones for people, up to a NULL; NULL but for main games */
    struct audit_play plays[AUDIT_PLAYS_MAX];
    uint8_t line_count;
    uint8_t strategy_count;
    uint8_t play_count;
};

/* One decision with its cards: a row of the complete table of optimal play. */
struct audit_row {
    unsigned stage;   /* of the game */
    hand_t hand;      /* one of those that its suits can be renamed into */
    hand_t board;     /* what lies open of the community; 0: none, or all one with the hand */
    uint16_t flush;   /* not 0: no hand, but the ranks of a flush; with it or a better one, bet */
    int64_t deals;    /* of these cards: it stands for so many */
    struct ratio bet; /* what the choices of the stage are worth, in antes: betting, */
    struct ratio not_bet; /* and checking or folding */
    bool bets;
};

typedef void (*audit_row_fn)(void *context, const struct audit_row *row);

/*
 * A wager that dealt cards decide alone, whatever anybody decides: a seat's own, three or four, or
 * with the community seven. By its lines in the sheet's default table the hands of a live table are
 * counted.
 */
struct audit_dealt {
    uint8_t wager;
    uint8_t cards;
    lines_t (*lines)(hand_t hand);
};
#define AUDIT_DEALT_MAX 2

/*
 * How one game is audited: what the game gives to its audit. The plan is everything its units
 * share, constant once made; a unit stands for one suit-canonical hand or board and adds to sums
 * that start at 0. Sums are int64_t so that parts can be added without knowing what they mean; what
 * may not fit is added up in wide_t when the entries are made.
 */
struct audit_method {
    struct audit_dealt dealt[AUDIT_DEALT_MAX]; /* up to one without lines */
    size_t units;
    size_t scratch_size; /* bytes a worker needs to do a unit; their content means nothing */
    /* One block for free(), the request copied into it; NULL when memory has run out. */
    void *(*plan)(const struct audit_request *request);
    size_t (*sums)(const void *plan);
    void (*unit)(const void *plan, size_t unit, void *scratch, int64_t *sums);
    size_t (*entries)(const void *plan, const int64_t *sums, struct audit_entry *entries);
    /*
     * Every decision of the main game with that table; NULL: nobody has written that down. The last
     * one of a long game is dealt again, in the scratch of a unit, and may be told by board: the
     * lowest flush to bet with, and every hand of which that is not true. NULL: it has none.
     */
    void (*decisions)(const void *plan, const int64_t *sums, unsigned table, audit_row_fn row,
                      void *context);
    void (*last_decisions)(const void *plan, const int64_t *sums, void *scratch, audit_row_fn row,
                           void *context);
};

/* House edge over average wager. */
struct ratio audit_element_of_risk(const struct audit_entry *entry);

/* How far one round's net result is from the EV, in stakes: the root of its variance. */
struct ratio audit_standard_deviation(const struct audit_entry *entry);

/* 1.645 standard deviations: the half of what nine rounds of ten lie in, as if they were normal. */
struct ratio audit_volatility_index(const struct audit_entry *entry);

/* What a line brings in an average round, in stakes: with its stake where that comes back too. */
struct ratio audit_line_brings(const struct audit_entry *entry, unsigned line);

struct audit;
struct audit_part;

int audit_new(struct audit **audit, const struct audit_request *request, struct error *error);
void audit_free(struct audit *audit);

size_t audit_units(const struct audit *audit);

/* Bytes that one part takes: who has many workers may have to do with fewer. */
size_t audit_part_size(const struct audit *audit);

int audit_part_new(struct audit_part **part, const struct audit *audit, struct error *error);
void audit_part_free(struct audit_part *part);

/* Does one unit of the work. Every unit must be done exactly once, whoever does it. */
void audit_part_do(struct audit_part *part, size_t unit);

/* Adds what another part has found; the other may then be freed. */
void audit_part_add(struct audit_part *part, const struct audit_part *other);

/* Reads the results off the part that holds all units; returns the number of entries. */
size_t audit_entries(const struct audit_part *total,
                     struct audit_entry entries[static AUDIT_ENTRIES_MAX]);

/* The complete table of the main game's entry with that number; false where there is none. */
bool audit_decisions(const struct audit_part *total, unsigned table, audit_row_fn row,
                     void *context);

#endif
