/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What there is to see of a game: its coverage points. Each is a phrase that completes "never saw
 * ..."; together they are every paying line of every table, what the game's own engine tells apart
 * (game->points), each decision, deal, meter event, refusal, and each key of the terminal in each
 * state. A point has a number within its game. The list is made from the game's data, so that a new
 * game has one without a line here.
 */
#ifndef RIGS_COVER_POINTS_H
#define RIGS_COVER_POINTS_H

#include <stdbool.h>
#include <stdint.h>

#include "devices/terminal/terminal.h"
#include "games/game.h"

#define COVER_POINTS_MAX 384
#define COVER_NAME_SIZE  104

enum cover_kind {
    COVER_LINES,     /* of the paytables, and hands that none pays */
    COVER_HANDS,     /* what the engine of the game marks */
    COVER_DECISIONS, /* each way on at each stage */
    COVER_TABLE,     /* deal, burn, decks, seats, misdeals */
    COVER_METERS,
    COVER_REFUSALS, /* what the rules refuse */
    COVER_KEYS,     /* of the terminal, and why it refuses them */
    COVER_KINDS
};

extern const char *const cover_kind_names[COVER_KINDS];

enum cover_table {
    COVER_PACKETS,
    COVER_CARDS,
    COVER_BURN,
    COVER_DECK_1,
    COVER_DECK_2,
    COVER_ALONE,
    COVER_FULL,
    COVER_GAP,
    COVER_STAKES,
    COVER_ALL_FOLD,
    COVER_VOID_FIRST,
    COVER_VOID_DEAL,
    COVER_VOID_DEALT,
    COVER_VOID_DRAW,
    COVER_CANCELLED,
    COVER_WITHOUT, /* a wager that may be left out: one for each */
    COVER_TABLES = COVER_WITHOUT + WAGERS_MAX
};

enum cover_meter {
    COVER_FED, /* one for each meter */
    COVER_WON = COVER_FED + METERS_MAX,
    COVER_WON_TWICE = COVER_WON + METERS_MAX,
    COVER_TWO_WINNERS,
    COVER_CENT_LEFT,
    COVER_ROUNDED_UP,
    COVER_NEAREST_DOWN,
    COVER_NEAREST_UP,
    COVER_NEAREST_HALF,
    COVER_MUST_HIT_FED,
    COVER_MUST_HIT_WON,
    COVER_MUST_HIT_CARRIED,
    COVER_MUST_HIT_CEILING,
    COVER_CORRECTED, /* one for each stage */
    COVER_METERS_END = COVER_CORRECTED + CORRECTED_LAST + 1
};

enum cover_step {
    COVER_PRESSED, /* a key in a state: one for each pair of them */
    COVER_KEY_REFUSED = COVER_PRESSED + TERMINAL_STATES * TERMINAL_KEYS,
    COVER_WRONG_ADMIN = COVER_KEY_REFUSED + TERMINAL_REFUSALS,
    COVER_TOO_SOON,
    COVER_STEPS
};

struct cover_point {
    enum cover_kind kind;
    char name[COVER_NAME_SIZE];
};

#define COVER_NONE (-1)

struct cover_points {
    const struct game *game;
    int progressive; /* wager, or NO_WAGER */
    unsigned count;
    struct cover_point point[COVER_POINTS_MAX];
    /* Numbers of points; COVER_NONE where the game knows no such thing. */
    int16_t line[WAGERS_MAX]; /* of the first line of the first table; a table has one more */
    int16_t hand;             /* the first that the game lists */
    int16_t decision[STAGES_MAX][2];
    int16_t table[COVER_TABLES];
    int16_t meter[COVER_METERS_END];
    int16_t refusal[REFUSALS];
    int16_t step[COVER_STEPS];
};

void cover_points_init(struct cover_points *points, const struct game *game);

/* The point of that name, or COVER_NONE. */
int cover_points_find(const struct cover_points *points, const char *name);

/*
 * What the rules refuse, by the reason that an error has. Those without a name are no points:
 * table limits, for the limits are a rig's, and what a Must Hit award leaves above its ceiling.
 */
struct cover_refusal {
    const char *name;
    bool (*concerns)(const struct game *game); /* NULL: every game */
};
extern const struct cover_refusal cover_refusals[REFUSALS];

#endif
