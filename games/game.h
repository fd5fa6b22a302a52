/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The one interface of a game: its wagers, meters, deal, decisions and settlement, and what
 * observing, auditing and judging shuffles ask of it. A game is a folder with one REGISTER(games,
 * ...); nothing outside it knows its name. It is constant data and pure functions; a round goes in,
 * a settlement comes out, and the meters are the only thing that lives from one round to the next.
 * Nothing here allocates, prints, waits or remembers. Seats are numbered 1 … SEATS_MAX clockwise
 * from the dealer's left; arrays over seats are indexed by that number and their element 0 is
 * unused.
 */
#ifndef GAMES_GAME_H
#define GAMES_GAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "games/hand.h"
#include "games/meter.h"
#include "games/money.h"
#include "games/paytable.h"
#include "games/refusal.h"
#include "hal/base/error.h"
#include "hal/base/registry.h"

#define SEATS_MAX   7
#define WAGERS_MAX  5
#define STAGES_MAX  3
#define PACKETS_MAX DECK_SIZE
#define NO_WAGER    ((int8_t)-1)

/* A set of seats: bit n stands for seat n. */
typedef uint8_t seats_t;

static inline seats_t seat_bit(unsigned seat)
{
    return (seats_t)(1u << seat);
}

struct wager {
    const char *name;
    bool required;    /* a seat cannot play without it */
    bool by_decision; /* made by a decision, never placed before the deal */
    bool progressive; /* collected at the start, never returned, feeds the meters */
    int8_t equal_to;  /* must be staked exactly as that wager is, or NO_WAGER */
    cents_t fixed;    /* the only stake allowed, or 0 */
    const struct line *lines;
    uint8_t line_count;
    const struct paytable *tables;
    uint8_t table_count;
    uint8_t default_table;
};

/* The decisions of all games; a decision that makes a wager may also be written as its name. */
enum decision { DECISION_FOLD, DECISION_CHECK, DECISION_BET, DECISION_COUNT };

/* One of the two ways on at a stage of the play. */
struct choice {
    enum decision decision;
    int8_t wager;     /* made by this decision, or NO_WAGER */
    uint8_t multiple; /* of the ante */
    bool last;        /* no decision follows */
};

struct stage {
    struct choice choices[2];
    uint8_t board; /* community cards that lie open when it is decided */
};

enum deal_mode { DEAL_PACKETS, DEAL_CARDS };

/* A recording's or a table's choice among what the sheet leaves open. */
struct game_setup {
    const struct game *game;
    const struct paytable *table[WAGERS_MAX]; /* NULL where the wager has none */
    cents_t minimum[WAGERS_MAX];              /* table limits; 0 where there is none */
    cents_t maximum[WAGERS_MAX];
    cents_t most; /* that a seat may stake in a round, decisions included; 0: no limit */
    enum deal_mode deal;
    uint8_t burn;
    bool ace_low;
    enum rounding rounding;
};

enum deal_to { DEAL_TO_BURN, DEAL_TO_SEAT, DEAL_TO_DEALER, DEAL_TO_BOARD };

/* One packet of the deal program, or one card in cards mode. */
struct deal_step {
    enum deal_to to;
    uint8_t seat;
    uint8_t cards;
};

/* When an administrator set a meter: before any award of the round, after them, after its end. */
enum correction_stage { CORRECTED_FIRST, CORRECTED_PAID, CORRECTED_LAST };

struct correction {
    uint8_t meter;
    enum correction_stage stage;
    micros_t value;
};
#define CORRECTIONS_MAX 4

/* What was staked, dealt and decided in one round, as recorded. */
struct round {
    int64_t number;
    uint8_t deck_id; /* of two that take turns, 1 or 2; 0: there is one, or it is not said */
    seats_t seats;
    cents_t bets[SEATS_MAX + 1][WAGERS_MAX]; /* 0 where not placed */
    uint8_t decisions[SEATS_MAX + 1][STAGES_MAX];
    uint8_t decision_count[SEATS_MAX + 1];
    card_t dealt[DECK_SIZE];
    uint8_t dealt_count;
    uint8_t packet[PACKETS_MAX]; /* sizes in delivery order; each 1 in cards mode */
    uint8_t packet_count;
    uint8_t must_hit_seat; /* an observed Must Hit award, or 0 */
    bool cancelled;        /* CANCEL ROUND was pressed: no contribution, no award */
    uint8_t correction_count;
    struct correction corrections[CORRECTIONS_MAX]; /* in their order */
    bool is_void; /* a misdeal: every wager comes back, the deal may break off */
};

struct hand_result {
    card_t cards[4];
    uint8_t card_count;
    const char *hand; /* constant text, "5-card flush"; NULL in a round that is void */
};

struct seat_result {
    struct hand_result held;
    uint8_t made; /* set of wagers: bit per index */
    cents_t net[WAGERS_MAX];
    cents_t must_hit; /* the Must Hit award, 0 if none */
    cents_t total;
};

struct award {
    uint8_t seat;
    uint8_t meter; /* index into struct meters */
    cents_t pays;
};

/*
 * What has come up in a round, at any of its seats, marked by the engine where it decides: by this
 * recordings are asked which rules they have exercised.
 */
struct round_marks {
    lines_t lines[WAGERS_MAX]; /* that were paid; MARK_NO_LINE: a hand that none of them pays */
    uint32_t points;           /* bit per index of the game's points */
};
#define MARK_NO_LINE ((lines_t)(1u << LINES_MAX))
#define POINTS_MAX   32

/* Of the arrays only what is counted, and of the seats only those of `seats`, means anything. */
struct settlement {
    int64_t number;
    bool is_void; /* a misdeal: there are no hands, and every net is 0 */
    seats_t seats;
    card_t board[4];
    uint8_t board_count;
    card_t burned[DECK_SIZE];
    uint8_t burned_count;
    struct hand_result dealer; /* card_count 0 in a game without a dealer's hand */
    bool qualifies;            /* meaningful where game->dealer_qualifies */
    struct seat_result seat[SEATS_MAX + 1];
    struct award awards[SEATS_MAX + 1];
    uint8_t award_count;
    struct round_marks marks; /* nothing in a round that is void */
};

/*
 * A wager that a seat's own cards and the community decide alone, three, four or seven of them in
 * all: its lines in the sheet's default table are what dealt hands are counted by when shuffles are
 * judged. Of seven cards a line must follow from the cards of one suit, so that hands can be
 * counted suit by suit.
 */
struct rated_hands {
    const char *name; /* of the test: "hands of Flush Rush" */
    uint8_t wager;
    lines_t (*lines)(hand_t hand);
};

struct audit_method; /* games/audit/audit.h */

struct game {
    const char *name;           /* "flush-rush" */
    const char *title;          /* "Flush Rush" */
    const struct wager *wagers; /* in the order they are reported; the ante first */
    const struct meter_rule *meters;
    const struct stage *stages;
    uint8_t wager_count;
    uint8_t meter_count;
    uint8_t stage_count;
    uint8_t hole_cards;
    uint8_t board_cards; /* size of the community packet, its burned bottom included */
    uint8_t board_burn;  /* cards burned off the bottom of the community packet */
    bool dealer;         /* the dealer has a hand */
    bool dealer_qualifies;
    bool card_at_a_time; /* the sheet knows a deal in single cards */
    bool ace_low_open;   /* the sheet leaves open whether A-2-3 is a straight */
    bool rounding_open;  /* the sheet leaves open how a meter is rounded to the dollar */
    enum rounding rounding;
    /*
     * Which seats take one card more once all have decided, and whether the dealer does. `hole`
     * holds the first cards by seat, the dealer's at index 0. NULL: this game has no draw.
     */
    seats_t (*draws)(const struct game_setup *setup, const card_t hole[SEATS_MAX + 1][4],
                     seats_t seats_in, bool *dealer_draws);
    /*
     * Fills hands, net results and awards (meters still unpaid). Cards, stakes and decisions have
     * been checked and dealt out into the settlement; `stakes` includes the wagers made by
     * decisions; `folded` seats are those whose last decision is a fold.
     */
    void (*settle)(const struct game_setup *setup, cents_t stakes[SEATS_MAX + 1][WAGERS_MAX],
                   seats_t folded, struct settlement *settlement);
    /*
     * Whether a plain player bets at a stage, seeing his own cards and the community that lies
     * open. NULL: nobody has written down how this game is played.
     */
    bool (*bets)(const struct game_setup *setup, hand_t seen, unsigned stage);
    const struct audit_method *audit; /* NULL: it cannot be audited */
    struct rated_hands rated;         /* without `lines`: its hands do not judge a shuffle */
    /*
     * What else its rules make a difference of, beside lines, decisions and meters: ties, hands
     * that just qualify and just do not. Each completes "never saw ...".
     */
    const char *const *points;
    uint8_t point_count;
};

/* The game with that number in the order of names; NULL after the last. */
const struct game *game_at(size_t index);

/* NULL when no game has that name. */
const struct game *game_find(const char *name);

/* Cards that a seat's hand is made of: its own and the community's. */
unsigned game_hand_cards(const struct game *game);

/* ERROR_CONFIG for a name that no game has, the sentence listing those that there are. */
int game_unknown(const char *name, struct error *error);

/* "fold", "check", "bet". */
extern const char *const decision_names[DECISION_COUNT];

/* Index of a wager by name; -1 if there is none. */
int game_wager(const struct game *game, const char *name);

/* Index of the progressive wager; -1 if there is none, and so no terminal at the table. */
int game_progressive(const struct game *game);

/* What it costs, exactly; 0 where there is none. */
cents_t game_progressive_stake(const struct game *game);

/*
 * Which decision a word means at a stage (0 is the first): "bet", "check", "fold" anywhere, or the
 * wager that a decision makes at just this stage; -1 for any other word. Whether the decision is
 * legal there is for game_settle to say.
 */
int game_decision(const struct game *game, unsigned stage, const char *word);

/* The sheet's defaults. */
void game_setup_init(struct game_setup *setup, const struct game *game);

/* Whether the sheet allows the setup at all: deal, burn, tables, limits; ERROR_CONFIG if not. */
int game_check_setup(const struct game_setup *setup, struct error *error);

/* Whether a table that is not built in may stand for a wager's own; ERROR_CONFIG if not. */
int game_check_table(const struct game *game, unsigned wager, const struct paytable *table,
                     struct error *error);

/* The sheet's meters at their reseed values, rounded as the setup says. */
void game_meters_init(const struct game_setup *setup, struct meters *meters);

/*
 * The deal program before any decision: the house burn, then each seat, the dealer and the
 * community, as packets or card by card. Returns the number of steps, 0 when the setup does not
 * allow the deal or a deck is too small for it; `steps` holds PACKETS_MAX.
 */
size_t game_deal(const struct game_setup *setup, seats_t seats, struct deal_step *steps);

/*
 * Checks one seat's stakes against the sheet and the table limits; ERROR_RULE. A stake of 0 is a
 * wager not placed: whoever reads a recording refuses a 0 that is written there.
 */
int game_check_bets(const struct game_setup *setup, const struct round *round, unsigned seat,
                    struct error *error);

/*
 * Works out one seat's decisions: the wagers they make are added to `stakes`, `folded` says whether
 * the last one is a fold. ERROR_RULE for one that is missing, illegal or too many; in a round that
 * is void they may end anywhere.
 */
int game_check_decisions(const struct game_setup *setup, const struct round *round, unsigned seat,
                         cents_t stakes[WAGERS_MAX], bool *folded, struct error *error);

/*
 * What the rules say of a round: everything but what depends on meters. Awards are listed in the
 * order they are due, right to left, with pays 0. The setup is one that game_check_setup accepts.
 * Of a round that is void whole packets may be missing at the end, and nothing is won or lost.
 * ERROR_RULE says what is wrong with the round, and as its reason (games/refusal.h) which rule
 * refuses it; the settlement is then undefined.
 */
int game_settle(const struct game_setup *setup, const struct round *round,
                struct settlement *settlement, struct error *error);

/*
 * Pays the awards of a settlement out of the meters in their order, then ends the round:
 * contributions, then Must Hit, which is appended to the awards. On error nothing has changed.
 */
int game_settle_meters(const struct game_setup *setup, const struct round *round,
                       struct meters *meters, struct settlement *settlement, struct error *error);

/*
 * Whether the rest can play a game, by its static data; ERROR_CONFIG if not. Whoever takes a game
 * by its name asks before game_setup_init(), which trusts the number of its wagers.
 */
int game_check(const struct game *game, struct error *error);

#endif
