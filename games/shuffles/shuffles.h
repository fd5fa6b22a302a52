/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Statistical tests of shuffled orders: orders go in one by one, a verdict with a list of results
 * comes out (rigs/SHUFFLES.md has each test's statistic, law and source). An accumulator keeps
 * counts, never orders, so that its memory does not grow with their number; a report is a plain
 * value of the caller's. Adding fails for what is no order, making one when memory is short.
 */
#ifndef GAMES_SHUFFLES_SHUFFLES_H
#define GAMES_SHUFFLES_SHUFFLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "games/card.h"
#include "games/game.h"
#include "hal/base/error.h"

/* The significance that is declared where nobody declares another. */
#define SHUFFLES_ALPHA 0.01

/*
 * What a test that looks for one kind of flaw weighs, where the others weigh 1: it finds that flaw
 * by a small p, if it is there, and the others lose next to nothing by it.
 */
#define SHUFFLES_SPECIAL_WEIGHT 0.25

/* One order as it came out of a shuffle; nothing in it is kept. */
struct shuffles_order {
    const card_t *cards;  /* top card first */
    size_t count;         /* DECK_SIZE, or fewer when only the first cards were seen */
    const card_t *before; /* the DECK_SIZE cards that went in, top card first; NULL when unknown */
    unsigned deck;        /* of those that take turns, from 0 */
    bool unrelated;       /* to the order of its deck added before it: a recording begins */
    /* The game the cards were dealt for and its seats; NULL when they were for none. */
    const struct game_setup *setup;
    seats_t seats;
};

struct shuffles;

/* NULL when memory is short. */
struct shuffles *shuffles_new(void);
void shuffles_free(struct shuffles *shuffles);

/* Forgets every order. Cheaper than a new one, whose laws have to be worked out. */
void shuffles_clear(struct shuffles *shuffles);

/*
 * Takes one order. ERROR_RULE when it is none: a card twice, something that is no card, no card at
 * all or more than a deck; nothing has been counted then.
 */
int shuffles_add(struct shuffles *shuffles, const struct shuffles_order *order,
                 struct error *error);

/* Orders added, and how many of them were whole. */
uint64_t shuffles_count(const struct shuffles *shuffles);
uint64_t shuffles_whole(const struct shuffles *shuffles);

enum shuffles_verdict {
    SHUFFLES_NO_EVIDENCE, /* against: nothing was found that a uniform shuffle would not do */
    SHUFFLES_EVIDENCE,    /* against */
    SHUFFLES_TOO_FEW,     /* to say */
    SHUFFLES_UNKNOWN,     /* of one test: the orders do not tell what it asks */
};

/* "no evidence against", "evidence against", "too few shuffles to say", "not known". */
extern const char *const shuffles_verdict_names[];

/* How the p-value follows from the statistic. */
enum shuffles_law {
    SHUFFLES_EXACT,      /* the exact law of the one value */
    SHUFFLES_SUM,        /* the saddlepoint of the exact law, for the mean of many values */
    SHUFFLES_NORMAL,     /* z, from exact mean and variance */
    SHUFFLES_CHI_SQUARE, /* on `df` degrees of freedom */
    SHUFFLES_POISSON,
    SHUFFLES_BINOMIAL, /* of the one cell that stands out most, times all cells */
};

/* "exact", "saddlepoint", "normal", "chi-square", "Poisson", "binomial". */
extern const char *const shuffles_law_names[];

#define SHUFFLES_TEXT_SIZE 200

/* Of one test. Statistic, p and what follows from them mean something when it could be judged. */
struct shuffles_result {
    const char *name;              /* "rising sequences" */
    const char *catches;           /* what it would catch, a clause: "riffles too few to mix" */
    char uses[SHUFFLES_TEXT_SIZE]; /* what it could use of the orders, or what it lacks */
    uint64_t count;                /* orders, or hands, that it could use */
    uint64_t needed;               /* the fewest it can be judged with */
    enum shuffles_law law;
    double statistic;
    double df; /* 0 where the law has none */
    double p;
    double weight; /* its share of the significance, beside those of the others */
    double holm;   /* p after Holm's correction for all tests that could be judged */
    double mean;   /* observed and, for a uniform shuffle, expected; NAN where there is none */
    double expected;
    /* The bias that so many show nine times in ten: off the mean, a chance, or a share; or NAN. */
    double detectable;
    char says[SHUFFLES_TEXT_SIZE];  /* what was found, a sentence */
    char shows[SHUFFLES_TEXT_SIZE]; /* that bias in words: "a mean that is off by 0.3" */
    enum shuffles_verdict verdict;
};

/* Those of every order, and one for the hands of each game. */
#define SHUFFLES_RESULTS_MAX (27 + REGISTRY_MAX)

struct shuffles_report {
    double alpha;
    uint64_t count;    /* orders */
    uint64_t whole;    /* of them with all their cards */
    uint64_t before;   /* of these, whose order that went in is known */
    uint64_t previous; /* and those of which the order dealt before had to stand for it */
    size_t judged;     /* tests that Holm corrects for */
    double weight;     /* of all these together */
    enum shuffles_verdict verdict;
    size_t result_count;
    struct shuffles_result results[SHUFFLES_RESULTS_MAX]; /* in the order of rigs/SHUFFLES.md */
};

/* Judges what has been added so far; more may be added afterwards. `alpha` is within 0 … 1. */
void shuffles_judge(const struct shuffles *shuffles, double alpha, struct shuffles_report *report);

/* How often each card (card_index) lay at each place, the top one being 0. */
typedef uint32_t shuffles_places[DECK_SIZE][DECK_SIZE];
const shuffles_places *shuffles_place_counts(const struct shuffles *shuffles);

/*
 * How often the card at each place had come there from each place before, and how often each card
 * lay right above each other one.
 */
const shuffles_places *shuffles_move_counts(const struct shuffles *shuffles);
const shuffles_places *shuffles_neighbour_counts(const struct shuffles *shuffles);

/* The cards at one place: X² on 51 degrees of freedom; NAN where too few orders reach it. */
struct shuffles_position {
    uint64_t count;
    double statistic;
    double p;
};
struct shuffles_position shuffles_position(const struct shuffles *shuffles, unsigned place);

/*
 * How far the ranks at two places go together, in standard deviations of what is due; NAN where
 * too few orders reach both.
 */
double shuffles_pair(const struct shuffles *shuffles, unsigned upper, unsigned lower);

/* What was counted of every whole order, beside its exact law. */
enum shuffles_histogram {
    SHUFFLES_SUIT_RUNS,  /* runs of cards of one suit, of one card or more */
    SHUFFLES_RANK_RUNS,  /* runs of cards of one rank */
    SHUFFLES_PAIRS_KEPT, /* cards that still lie on the card they lay on */
    SHUFFLES_RISING,     /* rising sequences */
    SHUFFLES_VALLEYS,
    SHUFFLES_PEAKS,
    SHUFFLES_FIXED_POINTS, /* cards that lie where they lay */
    SHUFFLES_CYCLES,
    SHUFFLES_DISPLACEMENT,  /* half the sum of all distances that cards moved */
    SHUFFLES_GUESSED_NEXT,  /* right guesses of who expects riffles */
    SHUFFLES_GUESSED_ALONG, /* right guesses of who expects shelves */
    SHUFFLES_OVERLAP,       /* cards of the upper half that were there in the shuffle before */
    SHUFFLES_HISTOGRAMS
};

/* `size` values from 0 on: how often each was seen, and its chance in a uniform shuffle. */
struct shuffles_bars {
    const char *name;
    uint64_t total;
    size_t size;
    const uint64_t *seen;
    const double *chance;
};

/* Points into the accumulator, valid as long as that and changing when orders are added. */
struct shuffles_bars shuffles_bars(const struct shuffles *shuffles,
                                   enum shuffles_histogram histogram);

#endif
