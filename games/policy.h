/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How the players of an observed round decide, since no device sees what they do. Every policy is
 * legal in every game, and looks at no card that its player could not see at that moment. Pure: the
 * same cards, and for `random` the same seed, make the same decisions.
 */
#ifndef GAMES_POLICY_H
#define GAMES_POLICY_H

#include <stddef.h>
#include <stdint.h>

#include "games/game.h"

enum policy {
    POLICY_PLAIN,  /* by the hand, as rigs/FORMATS.md has it for each game */
    POLICY_BET,    /* at the first chance */
    POLICY_LATE,   /* checks as long as it may, then bets */
    POLICY_FOLD,   /* never bets */
    POLICY_RANDOM, /* a coin for each decision */
    POLICY_COUNT
};

extern const char *const policy_names[POLICY_COUNT];

/* -1 when the name is none of them. */
int policy_find(const char *name);

/* Whether the game can be played so; ERROR_CONFIG when it has no plain policy and that is asked. */
int policy_check(enum policy policy, const struct game *game, struct error *error);

/*
 * Writes the decisions of every seat of the round, which was dealt by the first `count` steps. A
 * hand that was dealt in other packets than the steps say is played by what came of it. The policy
 * is one that policy_check() accepts.
 */
void policy_decide(enum policy policy, const struct game_setup *setup,
                   const struct deal_step *steps, size_t count, uint64_t seed, struct round *round);

#endif
