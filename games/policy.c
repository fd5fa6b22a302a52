/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "games/policy.h"

#include <string.h>

#include "hal/base/random.h"

const char *const policy_names[POLICY_COUNT] = {"plain", "bet", "late", "fold", "random"};

int policy_find(const char *name)
{
    for (int i = 0; i < POLICY_COUNT; i++)
        if (!strcmp(policy_names[i], name))
            return i;
    return -1;
}

/* What was dealt, by whom it is held. */
struct dealt {
    hand_t hole[SEATS_MAX + 1];
    card_t board[DECK_SIZE];
    unsigned board_count;
};

static void sort_out(const struct round *round, const struct deal_step *steps, size_t count,
                     struct dealt *dealt)
{
    unsigned card = 0;

    memset(dealt, 0, sizeof *dealt);
    for (size_t i = 0; i < count; i++)
        for (unsigned j = 0; j < steps[i].cards && card < round->dealt_count; j++, card++) {
            if (steps[i].to == DEAL_TO_SEAT)
                dealt->hole[steps[i].seat] |= hand_card(round->dealt[card]);
            else if (steps[i].to == DEAL_TO_BOARD)
                dealt->board[dealt->board_count++] = round->dealt[card];
        }
}

/* A seat's own cards and those of the community that lie open at a stage. */
static hand_t seen_by(const struct dealt *dealt, unsigned seat, const struct stage *stage)
{
    return dealt->hole[seat] |
           hand_of(dealt->board,
                   stage->board < dealt->board_count ? stage->board : dealt->board_count);
}

int policy_check(enum policy policy, const struct game *game, struct error *error)
{
    if (policy != POLICY_PLAIN || game->bets)
        return 0;
    return error_set(error, ERROR_CONFIG,
                     "%s has no plain policy; play it by bet, late, fold or random", game->name);
}

static const struct choice *find_choice(const struct stage *stage, bool bets)
{
    return &stage->choices[(stage->choices[1].decision == DECISION_BET) == bets];
}

static bool bets_at(enum policy policy, const struct game_setup *setup, const struct dealt *dealt,
                    unsigned seat, unsigned stage, uint64_t *random)
{
    const struct game *game = setup->game;

    switch (policy) {
    case POLICY_BET:
        return true;
    case POLICY_LATE:
        return find_choice(&game->stages[stage], false)->last;
    case POLICY_FOLD:
        return false;
    case POLICY_RANDOM:
        return random_next(random) >> 63;
    default:
        return game->bets(setup, seen_by(dealt, seat, &game->stages[stage]), stage);
    }
}

void policy_decide(enum policy policy, const struct game_setup *setup,
                   const struct deal_step *steps, size_t count, uint64_t seed, struct round *round)
{
    uint64_t random = seed ^ (uint64_t)round->number * UINT64_C(0x2545f4914f6cdd1d);
    struct dealt dealt;

    sort_out(round, steps, count, &dealt);
    for (unsigned seat = 1; seat <= SEATS_MAX; seat++) {
        round->decision_count[seat] = 0;
        for (unsigned stage = 0; round->seats & seat_bit(seat) && stage < setup->game->stage_count;
             stage++) {
            bool bets = bets_at(policy, setup, &dealt, seat, stage, &random);
            const struct choice *choice = find_choice(&setup->game->stages[stage], bets);

            round->decisions[seat][round->decision_count[seat]++] = (uint8_t)choice->decision;
            if (choice->last)
                break;
        }
    }
}
