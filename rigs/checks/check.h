/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The checks of a run: their names, their rules, where each rule comes from, and what it takes to
 * prove it. rigs/checks/rows.h has them; everything here is constant.
 */
#ifndef RIGS_CHECKS_CHECK_H
#define RIGS_CHECKS_CHECK_H

#include <stdbool.h>

#include "rigs/checks/rows.h"

#define CHECK_NUMBER_OF_ROW(id, name, rule, source, needs) CHECK_##id,
enum check { CHECK_ROWS(CHECK_NUMBER_OF_ROW) CHECK_COUNT };
#undef CHECK_NUMBER_OF_ROW

/* What a check takes, of the game and its table, then of the bench and the recording. */
enum check_need {
    CHECK_NEEDS_NOTHING = 0,
    CHECK_NEEDS_PROGRESSIVE = 1 << 0, /* a wager that feeds meters */
    CHECK_NEEDS_MUST_HIT = 1 << 1,    /* a Must Hit meter */
    CHECK_NEEDS_BURN = 1 << 2,        /* cards that are burned */
    CHECK_NEEDS_DRAWS = 1 << 3,       /* cards drawn after the decisions */
    CHECK_NEEDS_QUALIFYING = 1 << 4,  /* a dealer who must qualify */
    CHECK_NEEDS_RECORDING = 1 << 5,   /* rounds that were recorded, with what must come of them */
    CHECK_NEEDS_AWARDS = 1 << 6,      /* somebody who tells awards: an expectation, a terminal */
    CHECK_NEEDS_SENSORS = 1 << 7,     /* bet sensors */
    CHECK_NEEDS_TERMINAL = 1 << 8,    /* a dealer terminal */
    CHECK_NEEDS_PACKETS = 1 << 9,     /* a dealing device that says how large a packet is */
    CHECK_NEEDS_TURNS = 1 << 10,      /* somebody who says what comes when: it, or a recording */
    CHECK_NEEDS_WIRE = 1 << 11,       /* a dealing device whose frames can be seen */
    CHECK_NEEDS_TEST_MODE = 1 << 12,  /* a dealing device that announces its test mode */
    CHECK_NEEDS_LOG = 1 << 13,        /* a device that keeps a log */
    CHECK_NEEDS_NUMBERS = 1 << 14,    /* a device that numbers its events */
    CHECK_NEEDS_WAGERS = 1 << 15,     /* a seat where wagers are seen, by whoever they are placed */
    CHECK_NEEDS_STATUS = 1 << 16,     /* a device that answers what it is doing */
    CHECK_NEEDS_OWN_ORDER = 1 << 17,  /* a dealing device that shuffles by itself */
    CHECK_NEEDS_OWN_DRAW = 1 << 18,   /* a terminal that draws Must Hit by itself */
    CHECK_NEEDS_IDENTITY = 1 << 19,   /* a device that says who it is */
    CHECK_NEEDS_CARDS = 1 << 20,      /* cards that the dealing device tells, or somebody reads */
    CHECK_NEEDS_SCREENS = 1 << 21,    /* a terminal that tells each of its screens */
    CHECK_NEEDS_TWO_DECKS = 1 << 22,  /* that take turns at the table */
    CHECK_NEEDS_BACKS = 1 << 23       /* somebody who says which of them a card is of */
};

/* What only the game and its table can lack: there is nothing to prove then. */
#define CHECK_NEEDS_OF_GAME                                                                        \
    (CHECK_NEEDS_PROGRESSIVE | CHECK_NEEDS_MUST_HIT | CHECK_NEEDS_BURN | CHECK_NEEDS_DRAWS |       \
     CHECK_NEEDS_QUALIFYING | CHECK_NEEDS_TWO_DECKS)

/* Checks of these are judged after the last recording, whether or not a round has asked. */
#define CHECK_NEEDS_END (CHECK_NEEDS_OWN_ORDER | CHECK_NEEDS_OWN_DRAW | CHECK_NEEDS_IDENTITY)

struct check_kind {
    const char *name;   /* "packet-size" */
    const char *rule;   /* what must be so */
    const char *source; /* where that is written */
    unsigned needs;     /* a set of enum check_need */
};

extern const struct check_kind check_kinds[CHECK_COUNT];

/* -1 when the name is none of them. */
int check_find(const char *name);

/* Whether a check compares cents, of this wager or NULL, which people take as dollars. */
bool check_is_money(const char *name, const char *wager);

/*
 * Why a check that lacks these cannot be proven, as a sentence. NULL: it lacks nothing, or it is
 * recorded that the game has nothing to prove.
 */
const char *check_missing(unsigned needs);

#endif
