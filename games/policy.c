#include "games/policy.h"

#include <string.h>

#include "games/chase_the_flush/chase_the_flush.h"
#include "games/hand.h"
#include "hal/base/random.h"

#define FLOP_CARDS 2 /* of the community that the second decision sees */

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

/* A seat's own cards and so many of the community. */
static hand_t seen_by(const struct dealt *dealt, unsigned seat, unsigned board)
{
    return dealt->hole[seat] |
           hand_of(dealt->board, board < dealt->board_count ? board : dealt->board_count);
}

static bool rush_bets(const struct dealt *dealt, unsigned seat, unsigned stage)
{
    return flush_length(hand_flush(seen_by(dealt, seat, stage ? FLOP_CARDS : 0))) >= 2 + stage;
}

static bool chase_bets(const struct dealt *dealt, unsigned seat, unsigned stage)
{
    static const unsigned board[] = {0, FLOP_CARDS, 4};
    flush_t flush = hand_flush(seen_by(dealt, seat, board[stage]));

    return stage < 2 ? flush_length(flush) >= 3 + stage : chase_qualifies(flush);
}

static bool catch_bets(const struct game_setup *setup, const struct dealt *dealt, unsigned seat)
{
    hand_t hand = dealt->hole[seat];

    return hand & HAND_LANES(0x1fffu >> RANK_QUEEN << RANK_QUEEN) ||
           (hand_count(hand) == 3 &&
            three_category(hand_three(hand, setup->ace_low)) >= THREE_PAIR);
}

static bool plainly_bets(const struct game_setup *setup, const struct dealt *dealt, unsigned seat,
                         unsigned stage)
{
    if (setup->game == &game_flush_rush)
        return rush_bets(dealt, seat, stage);
    if (setup->game == &game_chase_the_flush)
        return chase_bets(dealt, seat, stage);
    return catch_bets(setup, dealt, seat);
}

static const struct choice *find_choice(const struct stage *stage, bool bets)
{
    return &stage->choices[(stage->choices[1].decision == DECISION_BET) == bets];
}

static bool bets_at(enum policy policy, const struct game_setup *setup, const struct dealt *dealt,
                    unsigned seat, unsigned stage, uint64_t *random)
{
    switch (policy) {
    case POLICY_BET:
        return true;
    case POLICY_LATE:
        return find_choice(&setup->game->stages[stage], false)->last;
    case POLICY_FOLD:
        return false;
    case POLICY_RANDOM:
        return random_next(random) >> 63;
    default:
        return plainly_bets(setup, dealt, seat, stage);
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
