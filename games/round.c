/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "games/game.h"
#include "hal/base/plural.h"

/* What stands in a round for seats that do not play belongs to no hand and cannot be settled. */
static int check_empty_seat(const struct game *game, const struct round *round, unsigned seat,
                            struct error *error)
{
    if (round->decision_count[seat])
        return error_refuse(
            error, REFUSED_DECISION_WITHOUT_BETS, "seat %u has %u decision%s but no bets", seat,
            round->decision_count[seat], round->decision_count[seat] == 1 ? "" : "s");
    for (unsigned i = 0; i < game->wager_count; i++)
        if (round->bets[seat][i])
            return error_set(error, ERROR_RULE,
                             "seat %u stakes %" PRId64 " cents on %s but is not among the seats "
                             "that play",
                             seat, round->bets[seat][i], game->wagers[i].name);
    return 0;
}

static int check_seats(const struct game_setup *setup, const struct round *round,
                       cents_t stakes[SEATS_MAX + 1][WAGERS_MAX], seats_t *folded,
                       struct error *error)
{
    if (!round->seats)
        return error_refuse(error, REFUSED_NO_BETS,
                            "no seat has a bet, there is nothing to settle");
    for (unsigned seat = 0; seat <= SEATS_MAX; seat++) { /* there is no seat 0 to bet at */
        bool fold = false;

        if (!(round->seats & seat_bit(seat))) {
            if (check_empty_seat(setup->game, round, seat, error))
                return ERROR_RULE;
            continue;
        }
        if (game_check_bets(setup, round, seat, error))
            return ERROR_RULE;
        memcpy(stakes[seat], round->bets[seat], sizeof stakes[seat]);
        if (game_check_decisions(setup, round, seat, stakes[seat], &fold, error))
            return ERROR_RULE;
        if (fold)
            *folded |= seat_bit(seat);
    }
    return 0;
}

static int bad_card(card_t card, size_t place, struct error *error)
{
    char name[2];

    if (!card_valid(card))
        return error_set(error, ERROR_RULE, "card %zu of the deal is no card (%u)", place, card);
    card_format(card, name);
    return error_refuse(error, REFUSED_CARD_TWICE,
                        "%.2s is dealt twice, the second time as card %zu", name, place);
}

static int check_cards(const struct round *round, struct error *error)
{
    unsigned cards = 0;
    size_t once;

    if (round->dealt_count > DECK_SIZE || round->packet_count > PACKETS_MAX)
        return error_set(error, ERROR_RULE, "%u cards in %u packets, more than a deck of %d",
                         round->dealt_count, round->packet_count, DECK_SIZE);
    for (unsigned i = 0; i < round->packet_count; i++)
        cards += round->packet[i];
    if (cards != round->dealt_count)
        return error_set(error, ERROR_RULE, "the packets hold %u card%s, but %u were dealt", cards,
                         plural(cards), round->dealt_count);
    once = cards_once(round->dealt, round->dealt_count);
    return once == round->dealt_count ? 0 : bad_card(round->dealt[once], once + 1, error);
}

/* Where the dealing of a round's packets has come to. */
struct dealing {
    const struct game_setup *setup;
    const struct round *round;
    struct settlement *settlement;
    unsigned packet;
    unsigned card;
};

static const char *whose(const struct deal_step *step, char text[16])
{
    switch (step->to) {
    case DEAL_TO_BURN:
        return "the burn";
    case DEAL_TO_DEALER:
        return "the dealer";
    case DEAL_TO_BOARD:
        return "the community";
    case DEAL_TO_SEAT:
        break;
    }
    snprintf(text, 16, "seat %u", step->seat);
    return text;
}

static int check_packet(const struct dealing *dealing, const struct deal_step *step,
                        struct error *error)
{
    const struct round *round = dealing->round;
    const char *unit = dealing->setup->deal == DEAL_CARDS ? "card" : "packet";
    char text[16];

    if (dealing->packet >= round->packet_count)
        return error_refuse(error, REFUSED_PACKET_MISSING,
                            "%s %u is missing: %u card%s for %s; the deal ends after %u", unit,
                            dealing->packet + 1, step->cards, step->cards == 1 ? "" : "s",
                            whose(step, text), round->packet_count);
    if (round->packet[dealing->packet] != step->cards)
        return error_refuse(error, REFUSED_PACKET_SIZE, "%s %u, for %s: expected %u card%s, got %u",
                            unit, dealing->packet + 1, whose(step, text), step->cards,
                            step->cards == 1 ? "" : "s", round->packet[dealing->packet]);
    return 0;
}

static void hold(struct hand_result *hand, const card_t *cards, unsigned count)
{
    memcpy(hand->cards + hand->card_count, cards, count);
    hand->card_count = (uint8_t)(hand->card_count + count);
}

static void burn(struct settlement *settlement, const card_t *cards, unsigned count)
{
    memcpy(settlement->burned + settlement->burned_count, cards, count);
    settlement->burned_count = (uint8_t)(settlement->burned_count + count);
}

static int deal_step(struct dealing *dealing, const struct deal_step *step, struct error *error)
{
    struct settlement *settlement = dealing->settlement;
    const card_t *cards = dealing->round->dealt + dealing->card;
    unsigned shown;

    if (dealing->round->is_void && dealing->packet == dealing->round->packet_count)
        return 0;
    if (check_packet(dealing, step, error))
        return ERROR_RULE;
    switch (step->to) {
    case DEAL_TO_BURN:
        burn(settlement, cards, step->cards);
        break;
    case DEAL_TO_SEAT:
        hold(&settlement->seat[step->seat].held, cards, step->cards);
        break;
    case DEAL_TO_DEALER:
        hold(&settlement->dealer, cards, step->cards);
        break;
    case DEAL_TO_BOARD:
        shown = step->cards - dealing->setup->game->board_burn;
        memcpy(settlement->board + settlement->board_count, cards, shown);
        settlement->board_count = (uint8_t)(settlement->board_count + shown);
        burn(settlement, cards + shown, step->cards - shown);
        break;
    }
    dealing->packet++;
    dealing->card += step->cards;
    return 0;
}

static int deal_start(struct dealing *dealing, struct error *error)
{
    struct deal_step steps[PACKETS_MAX];
    seats_t seats = dealing->round->seats;
    size_t count = game_deal(dealing->setup, seats, steps);

    if (!count)
        return error_refuse(
            error, REFUSED_SEATS, "%s to %d seats after a burn of %u cannot be dealt from %d cards",
            dealing->setup->game->name, __builtin_popcount(seats), dealing->setup->burn, DECK_SIZE);
    for (size_t i = 0; i < count; i++)
        if (deal_step(dealing, &steps[i], error))
            return ERROR_RULE;
    return 0;
}

/* Nobody draws before all have decided, so a misdeal among the draws comes after that. */
static int check_decided(const struct dealing *dealing, struct error *error)
{
    struct round whole = *dealing->round;
    cents_t stakes[WAGERS_MAX];
    bool folded;

    whole.is_void = false;
    for (unsigned seat = 1; seat <= SEATS_MAX; seat++) {
        memcpy(stakes, whole.bets[seat], sizeof stakes);
        if (whole.seats & seat_bit(seat) &&
            game_check_decisions(dealing->setup, &whole, seat, stakes, &folded, error)) {
            error_prefix(error, "cards were drawn, but");
            if (error)
                error->reason = REFUSED_DRAW_UNDECIDED;
            return ERROR_RULE;
        }
    }
    return 0;
}

static int deal_draws(struct dealing *dealing, seats_t seats_in, struct error *error)
{
    struct settlement *settlement = dealing->settlement;
    card_t hole[SEATS_MAX + 1][4];
    bool dealer_draws = false;
    seats_t drawing;
    unsigned cards;

    memcpy(hole[0], settlement->dealer.cards, sizeof hole[0]);
    for (unsigned seat = 1; seat <= SEATS_MAX; seat++)
        memcpy(hole[seat], settlement->seat[seat].held.cards, sizeof hole[seat]);
    drawing = dealing->setup->game->draws(dealing->setup, (const card_t(*)[4])hole, seats_in,
                                          &dealer_draws);
    cards = dealing->card + (unsigned)__builtin_popcount(drawing) + dealer_draws;
    if (cards > DECK_SIZE)
        return error_refuse(error, REFUSED_DRAWS, "the draws would take %u cards from a deck of %d",
                            cards, DECK_SIZE);
    for (uint8_t seat = 1; seat <= SEATS_MAX; seat++)
        if (drawing & seat_bit(seat) &&
            deal_step(dealing, &(struct deal_step){DEAL_TO_SEAT, seat, 1}, error))
            return ERROR_RULE;
    return dealer_draws ? deal_step(dealing, &(struct deal_step){DEAL_TO_DEALER, 0, 1}, error) : 0;
}

static int deal_out(const struct game_setup *setup, const struct round *round, seats_t folded,
                    struct settlement *settlement, struct error *error)
{
    struct dealing dealing = {.setup = setup, .round = round, .settlement = settlement};

    if (deal_start(&dealing, error))
        return ERROR_RULE;
    if (round->is_void && dealing.packet == round->packet_count)
        return 0;
    if (setup->game->draws && ((round->is_void && check_decided(&dealing, error)) ||
                               deal_draws(&dealing, round->seats & (seats_t)~folded, error)))
        return ERROR_RULE;
    if (dealing.packet < round->packet_count)
        return error_refuse(
            error, REFUSED_PACKET_AFTER, "%s %u is one too many: the deal is complete after %u",
            setup->deal == DEAL_CARDS ? "card" : "packet", dealing.packet + 1, dealing.packet);
    return 0;
}

static void add_up(const struct game *game, cents_t stakes[SEATS_MAX + 1][WAGERS_MAX],
                   struct settlement *settlement)
{
    for (unsigned seat = 1; seat <= SEATS_MAX; seat++) {
        struct seat_result *result = &settlement->seat[seat];

        if (!(settlement->seats & seat_bit(seat)))
            continue;
        for (unsigned i = 0; i < game->wager_count; i++) {
            result->made |= (uint8_t)((stakes[seat][i] != 0) << i);
            result->total += result->net[i];
        }
    }
}

/* Only what will be read: a settlement is larger than what most rounds fill. */
static void clear(struct settlement *settlement, const struct round *round)
{
    settlement->number = round->number;
    settlement->is_void = round->is_void;
    settlement->seats = round->seats;
    settlement->board_count = 0;
    settlement->burned_count = 0;
    settlement->dealer = (struct hand_result){0};
    settlement->qualifies = false;
    settlement->award_count = 0;
    settlement->marks = (struct round_marks){0};
    for (unsigned seat = 1; seat <= SEATS_MAX; seat++)
        if (round->seats & seat_bit(seat))
            settlement->seat[seat] = (struct seat_result){0};
}

int game_settle(const struct game_setup *setup, const struct round *round,
                struct settlement *settlement, struct error *error)
{
    cents_t stakes[SEATS_MAX + 1][WAGERS_MAX];
    seats_t folded = 0;

    clear(settlement, round);
    if (check_seats(setup, round, stakes, &folded, error) || check_cards(round, error) ||
        deal_out(setup, round, folded, settlement, error))
        return ERROR_RULE;
    if (!round->is_void)
        setup->game->settle(setup, stakes, folded, settlement);
    add_up(setup->game, stakes, settlement);
    return 0;
}
