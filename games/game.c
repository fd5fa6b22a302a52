/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "games/game.h"

#include <inttypes.h>
#include <string.h>

#include "hal/base/names.h"

REGISTRY(games);

const char *const decision_names[DECISION_COUNT] = {
    [DECISION_FOLD] = "fold",
    [DECISION_CHECK] = "check",
    [DECISION_BET] = "bet",
};

const struct game *game_at(size_t index)
{
    return registry_at(&games, index);
}

const struct game *game_find(const char *name)
{
    return registry_find(&games, name);
}

unsigned game_hand_cards(const struct game *game)
{
    return 0u + game->hole_cards + game->board_cards - game->board_burn;
}

int game_unknown(const char *name, struct error *error)
{
    struct name_list known;

    registry_names(&games, &known);
    return error_set(error, ERROR_CONFIG, "unknown game '%.40s'; the games are %s", name,
                     name_list_text(&known));
}

int game_wager(const struct game *game, const char *name)
{
    for (int i = 0; i < game->wager_count; i++)
        if (!strcmp(game->wagers[i].name, name))
            return i;
    return -1;
}

int game_progressive(const struct game *game)
{
    for (int i = 0; i < game->wager_count; i++)
        if (game->wagers[i].progressive)
            return i;
    return -1;
}

cents_t game_progressive_stake(const struct game *game)
{
    int wager = game_progressive(game);

    return wager < 0 ? 0 : game->wagers[wager].fixed;
}

int game_decision(const struct game *game, unsigned stage, const char *word)
{
    for (int i = 0; i < DECISION_COUNT; i++)
        if (!strcmp(decision_names[i], word))
            return i;
    for (unsigned i = 0; stage < game->stage_count && i < 2; i++) {
        const struct choice *choice = &game->stages[stage].choices[i];

        if (choice->wager != NO_WAGER && !strcmp(game->wagers[choice->wager].name, word))
            return (int)choice->decision;
    }
    return -1;
}

void game_setup_init(struct game_setup *setup, const struct game *game)
{
    *setup = (struct game_setup){.game = game, .ace_low = true, .rounding = game->rounding};
    for (unsigned i = 0; i < game->wager_count; i++) {
        const struct wager *wager = &game->wagers[i];

        setup->table[i] = wager->table_count ? &wager->tables[wager->default_table] : NULL;
    }
}

void game_meters_init(const struct game_setup *setup, struct meters *meters)
{
    meters_init(meters, setup->game->meters, setup->game->meter_count, setup->rounding);
}

static unsigned cards_to_deal(const struct game_setup *setup, seats_t seats)
{
    const struct game *game = setup->game;
    unsigned hands = (unsigned)__builtin_popcount(seats) + game->dealer;

    return setup->burn + hands * game->hole_cards + game->board_cards;
}

static size_t deal_hands(const struct game *game, seats_t seats, uint8_t cards,
                         struct deal_step *steps)
{
    size_t count = 0;

    for (uint8_t seat = 1; seat <= SEATS_MAX; seat++)
        if (seats & seat_bit(seat))
            steps[count++] = (struct deal_step){DEAL_TO_SEAT, seat, cards};
    if (game->dealer)
        steps[count++] = (struct deal_step){DEAL_TO_DEALER, 0, cards};
    return count;
}

static size_t deal_packets(const struct game_setup *setup, seats_t seats, struct deal_step *steps)
{
    const struct game *game = setup->game;
    size_t count = 0;

    if (setup->burn)
        steps[count++] = (struct deal_step){DEAL_TO_BURN, 0, setup->burn};
    count += deal_hands(game, seats, game->hole_cards, steps + count);
    if (game->board_cards)
        steps[count++] = (struct deal_step){DEAL_TO_BOARD, 0, game->board_cards};
    return count;
}

static size_t deal_cards(const struct game_setup *setup, seats_t seats, struct deal_step *steps)
{
    const struct game *game = setup->game;
    size_t count = 0;

    for (unsigned i = 0; i < setup->burn; i++)
        steps[count++] = (struct deal_step){DEAL_TO_BURN, 0, 1};
    for (unsigned pass = 0; pass < game->hole_cards; pass++)
        count += deal_hands(game, seats, 1, steps + count);
    for (unsigned i = 0; i < game->board_cards; i++)
        steps[count++] = (struct deal_step){DEAL_TO_BOARD, 0, 1};
    return count;
}

size_t game_deal(const struct game_setup *setup, seats_t seats, struct deal_step *steps)
{
    if (cards_to_deal(setup, seats) > DECK_SIZE)
        return 0;
    if (setup->deal == DEAL_PACKETS)
        return deal_packets(setup, seats, steps);
    return setup->game->card_at_a_time ? deal_cards(setup, seats, steps) : 0;
}

static int check_limits(const struct game_setup *setup, unsigned index, struct error *error)
{
    const struct wager *wager = &setup->game->wagers[index];
    cents_t minimum = setup->minimum[index], maximum = setup->maximum[index];

    if (minimum < 0 || minimum > STAKE_MAX || maximum < 0 || maximum > STAKE_MAX ||
        (maximum && minimum > maximum))
        return error_set(error, ERROR_CONFIG,
                         "%s: table limits of %" PRId64 " to %" PRId64 " cents leave no stake",
                         wager->name, minimum, maximum);
    if (wager->fixed && (minimum > wager->fixed || (maximum && maximum < wager->fixed)))
        return error_set(error, ERROR_CONFIG,
                         "%s: table limits of %" PRId64 " to %" PRId64
                         " cents leave out its only stake of %" PRId64 " cents",
                         wager->name, minimum, maximum, wager->fixed);
    return 0;
}

/* One seat's round must be left: with every draw there can be. */
static unsigned most_burned(const struct game *game)
{
    unsigned hands = 1u + game->dealer;
    unsigned cards = hands * game->hole_cards + game->board_cards + (game->draws ? hands : 0);

    return DECK_SIZE - cards;
}

int game_check_setup(const struct game_setup *setup, struct error *error)
{
    const struct game *game = setup->game;

    if (setup->deal != DEAL_PACKETS && !game->card_at_a_time)
        return error_set(error, ERROR_CONFIG, "deal: %s is dealt in packets, never card by card",
                         game->name);
    if (setup->burn > most_burned(game))
        return error_set(error, ERROR_CONFIG,
                         "burn: %u of %d cards leave too few to deal %s to one seat; at most %u",
                         setup->burn, DECK_SIZE, game->name, most_burned(game));
    for (unsigned i = 0; i < game->wager_count; i++) {
        const struct wager *wager = &game->wagers[i];

        if (!setup->table[i] != !wager->table_count)
            return error_set(error, ERROR_CONFIG, "%s of %s %s a paytable", wager->name, game->name,
                             wager->table_count ? "needs" : "cannot have");
        if (check_limits(setup, i, error))
            return ERROR_CONFIG;
    }
    return 0;
}
