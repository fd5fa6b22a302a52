/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>

#include "games/game.h"

/* Amounts are told in the unit of recordings and rig files. */
#define CENTS            "%" PRId64 " cent%s"
#define CENTS_OF(amount) (amount), (amount) == 1 ? "" : "s"

static int check_stake(const struct game_setup *setup, unsigned seat, unsigned index,
                       const cents_t *stakes, struct error *error)
{
    const struct wager *wager = &setup->game->wagers[index];
    cents_t stake = stakes[index];

    if (wager->by_decision)
        return error_refuse(
            error, REFUSED_STAKE_DECIDED,
            "seat %u: %s is made by a decision, it cannot be staked before the deal "
            "(" CENTS ")",
            seat, wager->name, CENTS_OF(stake));
    if (stake < 0 || stake > STAKE_MAX)
        return error_set(error, ERROR_RULE,
                         "seat %u: %s of " CENTS "; a stake is 1 to %" PRId64 " cents", seat,
                         wager->name, CENTS_OF(stake), STAKE_MAX);
    if (wager->fixed && stake != wager->fixed)
        return error_refuse(error, REFUSED_STAKE_FIXED,
                            "seat %u: %s must be exactly " CENTS ", not " CENTS, seat, wager->name,
                            CENTS_OF(wager->fixed), CENTS_OF(stake));
    if (wager->equal_to != NO_WAGER && stake != stakes[wager->equal_to])
        return error_refuse(error, REFUSED_STAKE_UNEQUAL,
                            "seat %u: %s of " CENTS " must equal %s of " CENTS, seat, wager->name,
                            CENTS_OF(stake), setup->game->wagers[wager->equal_to].name,
                            CENTS_OF(stakes[wager->equal_to]));
    if (stake < setup->minimum[index])
        return error_refuse(error, REFUSED_LIMIT,
                            "seat %u: %s of " CENTS " is below the table minimum of " CENTS, seat,
                            wager->name, CENTS_OF(stake), CENTS_OF(setup->minimum[index]));
    if (setup->maximum[index] && stake > setup->maximum[index])
        return error_refuse(error, REFUSED_LIMIT,
                            "seat %u: %s of " CENTS " is above the table maximum of " CENTS, seat,
                            wager->name, CENTS_OF(stake), CENTS_OF(setup->maximum[index]));
    return 0;
}

int game_check_bets(const struct game_setup *setup, const struct round *round, unsigned seat,
                    struct error *error)
{
    const struct game *game = setup->game;

    if (seat < 1 || seat > SEATS_MAX)
        return error_set(error, ERROR_RULE, "there is no seat %u; seats are 1 to %d", seat,
                         SEATS_MAX);
    for (unsigned i = 0; i < WAGERS_MAX; i++) {
        cents_t stake = round->bets[seat][i];

        if (i >= game->wager_count) {
            if (stake)
                return error_set(error, ERROR_RULE, "seat %u: %s has no wager %u", seat, game->name,
                                 i + 1);
        } else if (stake) {
            if (check_stake(setup, seat, i, round->bets[seat], error))
                return ERROR_RULE;
        } else if (game->wagers[i].required) {
            return error_refuse(error, REFUSED_WAGER_MISSING,
                                "seat %u: %s is missing; every seat that plays must stake it", seat,
                                game->wagers[i].name);
        }
    }
    return 0;
}

/* What a decision brings a wager to is within the limits as well. */
static int check_decided(const struct game_setup *setup, unsigned seat, unsigned index,
                         cents_t stake, struct error *error)
{
    bool is_low = stake < setup->minimum[index];
    cents_t limit = is_low ? setup->minimum[index] : setup->maximum[index];

    if (!is_low && !(setup->maximum[index] && stake > setup->maximum[index]))
        return 0;
    return error_refuse(error, REFUSED_LIMIT,
                        "seat %u: %s of " CENTS ", by decision, is %s the table %simum of " CENTS,
                        seat, setup->game->wagers[index].name, CENTS_OF(stake),
                        is_low ? "below" : "above", is_low ? "min" : "max", CENTS_OF(limit));
}

static int check_total(const struct game_setup *setup, unsigned seat,
                       const cents_t stakes[WAGERS_MAX], struct error *error)
{
    cents_t total = 0;

    for (unsigned i = 0; i < setup->game->wager_count; i++)
        total += stakes[i];
    return !setup->most || total <= setup->most
               ? 0
               : error_refuse(error, REFUSED_LIMIT,
                              "seat %u: %" PRId64
                              " cents in all are above the table maximum of " CENTS " for a seat",
                              seat, total, CENTS_OF(setup->most));
}

static const struct choice *find_choice(const struct stage *stage, unsigned decision)
{
    for (unsigned i = 0; i < 2; i++)
        if (stage->choices[i].decision == decision)
            return &stage->choices[i];
    return NULL;
}

static int bad_decision(const struct game *game, unsigned seat, unsigned stage, unsigned decision,
                        struct error *error)
{
    const struct choice *choices = game->stages[stage].choices;

    return error_refuse(error, REFUSED_DECISION_WRONG,
                        "seat %u: decision %u of %s is '%s' or '%s', not '%s'", seat, stage + 1,
                        game->name, decision_names[choices[0].decision],
                        decision_names[choices[1].decision],
                        decision < DECISION_COUNT ? decision_names[decision] : "?");
}

int game_check_decisions(const struct game_setup *setup, const struct round *round, unsigned seat,
                         cents_t stakes[WAGERS_MAX], bool *folded, struct error *error)
{
    const struct game *game = setup->game;
    const uint8_t *decisions = round->decisions[seat];
    unsigned count = round->decision_count[seat];

    for (unsigned i = 0; i < game->stage_count; i++) {
        const struct stage *stage = &game->stages[i];
        const struct choice *choice;

        if (i == count && round->is_void)
            return check_total(setup, seat, stakes, error);
        if (i == count)
            return error_refuse(error, REFUSED_DECISION_MISSING,
                                "seat %u: decision %u is missing; it is '%s' or '%s'", seat, i + 1,
                                decision_names[stage->choices[0].decision],
                                decision_names[stage->choices[1].decision]);
        choice = find_choice(stage, decisions[i]);
        if (!choice)
            return bad_decision(game, seat, i, decisions[i], error);
        if (choice->wager != NO_WAGER) {
            stakes[choice->wager] += stakes[0] * choice->multiple;
            if (check_decided(setup, seat, (unsigned)choice->wager, stakes[choice->wager], error))
                return ERROR_RULE;
        }
        *folded = choice->decision == DECISION_FOLD;
        if (!choice->last)
            continue;
        if (i + 1 < count)
            return error_refuse(error, REFUSED_DECISION_AFTER,
                                "seat %u: %u decisions, but no decision follows '%s' as number %u",
                                seat, count, decision_names[choice->decision], i + 1);
        return check_total(setup, seat, stakes, error);
    }
    return error_set(error, ERROR_RULE, "seat %u: the play of %s has no end", seat, game->name);
}
