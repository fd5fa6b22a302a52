/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What decisions add to a seat's stakes, and the total of them, do not overflow, and no wager is
 * read or written that a seat has not.
 *
 * Bound: any stakes that game_check_bets() accepts, any play that game_check() accepts
 * Options: --unwind 6
 * Broken: games/bet.c s/i < game->stage_count/i <= game->stage_count/
 */
#include "games/bet.c"
#include "tests/prove/prove.h"

const char *const decision_names[DECISION_COUNT];

/* A choice makes no wager, or one that is made by decisions alone, which the ante is not. */
static void given_choice(const struct choice *choice)
{
    GIVEN(choice->wager == NO_WAGER || (choice->wager >= 1 && choice->wager < WAGERS_MAX));
    GIVEN((unsigned)choice->decision < DECISION_COUNT);
}

int main(void)
{
    struct wager wagers[WAGERS_MAX];
    struct stage stages[STAGES_MAX];
    struct game game;
    struct game_setup setup;
    struct round round;
    cents_t stakes[WAGERS_MAX];
    bool folded;

    game.wagers = wagers;
    game.stages = stages;
    setup.game = &game;
    GIVEN(game.wager_count <= WAGERS_MAX && game.stage_count <= STAGES_MAX);
    GIVEN(round.decision_count[SEATS_MAX] <= STAGES_MAX);
    for (unsigned i = 0; i < WAGERS_MAX; i++)
        GIVEN(stakes[i] >= 0 && stakes[i] <= STAKE_MAX);
    for (unsigned i = 0; i < STAGES_MAX; i++) {
        given_choice(&stages[i].choices[0]);
        given_choice(&stages[i].choices[1]);
    }
    game_check_decisions(&setup, &round, SEATS_MAX, stakes, &folded, NULL);
    for (unsigned i = 0; i < WAGERS_MAX; i++)
        MUST(stakes[i] >= 0 && stakes[i] <= STAKE_MAX * (1 + STAGES_MAX * 255));
}
