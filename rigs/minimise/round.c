/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One round made smaller: seats, wagers, decisions, keys, cards. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rigs/minimise/minimise.h"
#include "rigs/recording/write.h"

/* A round as it is being changed. Its keys stay in the reader of edits, which no trial uses. */
struct edit {
    struct recording_header header;
    struct recording_round recorded;
    size_t spared_from, spared_to; /* of the keys: those from there to before that are left out */
};

static bool edit_open(struct trials *trials, const struct failing_case *failing, size_t index,
                      struct edit *edit)
{
    const struct case_round *round;

    *edit = (struct edit){.spared_from = 0};
    if (index >= failing->count)
        return false;
    round = &failing->rounds[index];
    return !recording_read_header(failing->header, strlen(failing->header), trials->paytables,
                                  &edit->header, NULL) &&
           !recording_read_round(trials->edited, round->line, round->length, &edit->header,
                                 &edit->recorded, NULL);
}

static void put_keys(struct json_text *text, const struct edit *edit)
{
    bool is_first = true;
    size_t i = 0;

    JSON_TEXT_PUT(text, ",\"keys\":[");
    JSON_EACH (key, edit->recorded.keys) {
        bool is_spared = i >= edit->spared_from && i < edit->spared_to;

        i++;
        if (is_spared)
            continue;
        if (!is_first)
            JSON_TEXT_PUT(text, ",");
        is_first = false;
        json_text_value(text, key);
    }
    JSON_TEXT_PUT(text, "]");
    if (edit->recorded.is_free)
        JSON_TEXT_PUT(text, ",\"procedure\":\"free\"");
}

static char *edit_line(const struct edit *edit)
{
    char line[RECORDING_LINE_SIZE + LINES_LONGEST];
    struct recording_round recorded = edit->recorded;
    struct json_text text;
    size_t length;

    if (recorded.keys)
        recorded.round.cancelled = recorded.round.is_void;
    length = recording_write_round(line, edit->header.setup.game, &recorded) - strlen("}\n");
    json_text_begin(&text, line + length, sizeof line - length - 1);
    if (recorded.keys)
        put_keys(&text, edit);
    JSON_TEXT_PUT(&text, "}");
    *text.at = '\0';
    return text.full ? NULL : strdup(line);
}

/* Takes the change if the case still fails so, on a rig or on its own, and undoes it if not. */
static bool keep_on(struct trials *trials, struct failing_case *failing, size_t index,
                    const struct edit *changed, struct edit *edit, char *rig)
{
    if (!minimise_try_line(trials, failing, index, edit_line(changed), rig))
        return false;
    return edit_open(trials, failing, index, edit);
}

static bool keep(struct trials *trials, struct failing_case *failing, size_t index,
                 const struct edit *changed, struct edit *edit)
{
    return keep_on(trials, failing, index, changed, edit, NULL);
}

/* A defect that counts what is left out, keys or packets, shows as many of them sooner. */
static bool keep_or_lower(struct trials *trials, struct failing_case *failing, size_t index,
                          const struct edit *changed, struct edit *edit, size_t count)
{
    char *lowered;

    if (keep(trials, failing, index, changed, edit))
        return true;
    lowered = minimise_lowered(failing->rig, count);
    return lowered && keep_on(trials, failing, index, changed, edit, lowered);
}

static card_t unused_card(const struct round *round)
{
    hand_t dealt = hand_of(round->dealt, round->dealt_count);

    for (unsigned i = 0; i < DECK_SIZE; i++)
        if (!(dealt & hand_card(card_from_index(i))))
            return card_from_index(i);
    return CARD_NONE;
}

static void add_packet(struct round *round, const card_t *cards, unsigned count)
{
    memcpy(round->dealt + round->dealt_count, cards, count);
    round->dealt_count = (uint8_t)(round->dealt_count + count);
    round->packet[round->packet_count++] = (uint8_t)count;
}

/* Whose the cards of a settlement were, in the order in which they are dealt. */
struct holders {
    struct settlement was;
    unsigned burned, board, held[SEATS_MAX + 1]; /* dealt again so far; the dealer is seat 0 */
};

static const card_t *next_cards(const struct game *game, struct holders *holders,
                                const struct deal_step *step, card_t board[8])
{
    const struct settlement *was = &holders->was;
    unsigned shown = (unsigned)(game->board_cards - game->board_burn);
    const card_t *cards;

    switch (step->to) {
    case DEAL_TO_BURN:
        cards = was->burned + holders->burned;
        holders->burned += step->cards;
        return cards;
    case DEAL_TO_BOARD:
        memcpy(board, was->board, shown);
        memcpy(board + shown, was->burned + was->burned_count - game->board_burn, game->board_burn);
        cards = board + holders->board;
        holders->board += step->cards;
        return cards;
    default:
        cards = step->seat ? was->seat[step->seat].held.cards : was->dealer.cards;
        cards += holders->held[step->seat];
        holders->held[step->seat] += step->cards;
        return cards;
    }
}

static void deal_draw(struct round *round, const struct hand_result *held, unsigned hole)
{
    card_t card = held->card_count > hole ? held->cards[hole] : unused_card(round);

    add_packet(round, &card, 1);
}

static void deal_draws(const struct game_setup *setup, const struct settlement *was,
                       struct round *round)
{
    card_t hole[SEATS_MAX + 1][4];
    bool dealer_draws = false;
    seats_t in = 0, drawing;

    memcpy(hole[0], was->dealer.cards, sizeof hole[0]);
    for (unsigned seat = 1; seat <= SEATS_MAX; seat++) {
        unsigned count = round->decision_count[seat];

        if (!(round->seats & seat_bit(seat)))
            continue;
        memcpy(hole[seat], was->seat[seat].held.cards, sizeof hole[seat]);
        if (count && round->decisions[seat][count - 1] != DECISION_FOLD)
            in |= seat_bit(seat);
    }
    drawing = setup->game->draws(setup, (const card_t(*)[4])hole, in, &dealer_draws);
    for (unsigned seat = 1; seat <= SEATS_MAX; seat++)
        if (drawing & seat_bit(seat))
            deal_draw(round, &was->seat[seat].held, setup->game->hole_cards);
    if (dealer_draws)
        deal_draw(round, &was->dealer, setup->game->hole_cards);
}

/* Deals the same cards to who is left, after seats or decisions have changed. */
static bool deal_again(struct edit *edit, const struct settlement *was)
{
    const struct game_setup *setup = &edit->header.setup;
    struct round *round = &edit->recorded.round;
    struct holders holders = {.was = *was};
    struct deal_step steps[PACKETS_MAX];
    size_t count = game_deal(setup, round->seats, steps);
    card_t board[8];

    round->dealt_count = round->packet_count = 0;
    edit->recorded.has_deck = false;
    for (size_t i = 0; i < count; i++)
        add_packet(round, next_cards(setup->game, &holders, &steps[i], board), steps[i].cards);
    if (setup->game->draws)
        deal_draws(setup, was, round);
    return count;
}

/*
 * A misdeal breaks off where it did: the same packets to who is left, up to the draws, which are
 * for those alone who have decided. So it is of a round that the rules refuse: no hand tells whose
 * its cards are.
 */
static bool break_off(const struct edit *edit, struct edit *changed)
{
    const struct round *was = &edit->recorded.round;
    struct round *round = &changed->recorded.round;
    struct deal_step steps[PACKETS_MAX];
    size_t count = game_deal(&edit->header.setup, was->seats, steps);
    const card_t *cards = was->dealt;

    round->dealt_count = round->packet_count = 0;
    changed->recorded.has_deck = false;
    for (size_t i = 0; i < count && i < was->packet_count; cards += was->packet[i++])
        if (steps[i].to != DEAL_TO_SEAT || round->seats & seat_bit(steps[i].seat))
            add_packet(round, cards, was->packet[i]);
    return count;
}

/* Deals what `edit` has to the seats and decisions of `changed`. */
static bool deal_what_is_left(const struct edit *edit, struct edit *changed)
{
    struct settlement was;

    if (edit->recorded.round.is_void ||
        game_settle(&edit->header.setup, &edit->recorded.round, &was, NULL))
        return break_off(edit, changed);
    return deal_again(changed, &was);
}

static bool drop_seats(struct trials *trials, struct failing_case *failing, size_t index,
                       struct edit *edit)
{
    bool is_smaller = false;

    for (unsigned seat = SEATS_MAX; seat; seat--) {
        struct edit changed = *edit;

        if (edit->recorded.round.seats == seat_bit(seat) ||
            !(edit->recorded.round.seats & seat_bit(seat)))
            continue;
        changed.recorded.round.seats &= (seats_t)~seat_bit(seat);
        if (deal_what_is_left(edit, &changed))
            is_smaller |= keep_or_lower(trials, failing, index, &changed, edit, 1);
    }
    return is_smaller;
}

/* Nobody need have decided in a misdeal, nor need all have been dealt. */
static bool break_off_sooner(struct trials *trials, struct failing_case *failing, size_t index,
                             struct edit *edit)
{
    bool is_smaller = false;

    if (!edit->recorded.round.is_void)
        return false;
    for (unsigned seat = 1; seat <= SEATS_MAX; seat++) {
        struct edit changed = *edit;

        changed.recorded.round.decision_count[seat] = 0;
        if (edit->recorded.round.decision_count[seat] && break_off(edit, &changed))
            is_smaller |= keep(trials, failing, index, &changed, edit);
    }
    for (unsigned chunk = (edit->recorded.round.packet_count + 1u) / 2; chunk;) {
        struct edit changed = *edit;
        struct round *round = &changed.recorded.round;

        for (unsigned i = 0; i < chunk && round->packet_count; i++)
            round->dealt_count -= round->packet[--round->packet_count];
        changed.recorded.has_deck = false;
        if (edit->recorded.round.packet_count && keep(trials, failing, index, &changed, edit))
            is_smaller = true;
        else
            chunk /= 2;
    }
    return is_smaller;
}

static bool drop_wagers(struct trials *trials, struct failing_case *failing, size_t index,
                        struct edit *edit)
{
    const struct game *game = edit->header.setup.game;
    bool is_smaller = false;

    for (unsigned seat = 1; seat <= SEATS_MAX; seat++)
        for (unsigned i = 0; i < game->wager_count; i++) {
            struct edit changed = *edit;

            if (!edit->recorded.round.bets[seat][i] || game->wagers[i].required)
                continue;
            changed.recorded.round.bets[seat][i] = 0;
            is_smaller |= keep(trials, failing, index, &changed, edit);
        }
    return is_smaller;
}

/* A dollar on everything that has no other price. */
static bool lower_stakes(struct trials *trials, struct failing_case *failing, size_t index,
                         struct edit *edit)
{
    const struct game *game = edit->header.setup.game;
    bool is_smaller = false;

    for (unsigned seat = 1; seat <= SEATS_MAX; seat++) {
        struct edit changed = *edit;
        cents_t *bets = changed.recorded.round.bets[seat];

        for (unsigned i = 0; i < game->wager_count; i++)
            if (bets[i] > 100 && !game->wagers[i].fixed)
                bets[i] = 100;
        if (memcmp(bets, edit->recorded.round.bets[seat], sizeof edit->recorded.round.bets[0]) != 0)
            is_smaller |= keep(trials, failing, index, &changed, edit);
    }
    return is_smaller;
}

/* The shortest way: a bet at once, or a fold as soon as there is one. */
static void decide(const struct game *game, bool bets, struct round *round, unsigned seat)
{
    round->decision_count[seat] = 0;
    for (unsigned stage = 0; stage < game->stage_count; stage++) {
        const struct choice *choices = game->stages[stage].choices;
        const struct choice *choice = &choices[(choices[1].decision == DECISION_BET) == bets];

        round->decisions[seat][round->decision_count[seat]++] = (uint8_t)choice->decision;
        if (choice->last)
            return;
    }
}

static bool shorten_play(struct trials *trials, struct failing_case *failing, size_t index,
                         struct edit *edit)
{
    bool is_smaller = false;

    for (unsigned seat = 1; seat <= SEATS_MAX; seat++)
        for (unsigned bets = 0; bets < 2; bets++) {
            struct edit changed = *edit;

            if (!(edit->recorded.round.seats & seat_bit(seat)))
                continue;
            decide(edit->header.setup.game, bets, &changed.recorded.round, seat);
            if (changed.recorded.round.decision_count[seat] <
                    edit->recorded.round.decision_count[seat] &&
                deal_what_is_left(edit, &changed))
                is_smaller |= keep(trials, failing, index, &changed, edit);
        }
    return is_smaller;
}

/* The regular ones in their place, or the same ones with nobody held to what was won. */
static bool regular_keys(struct trials *trials, struct failing_case *failing, size_t index,
                         struct edit *edit)
{
    struct edit changed = *edit;
    bool is_smaller;

    changed.recorded.is_free = false;
    is_smaller = edit->recorded.is_free && keep(trials, failing, index, &changed, edit);
    changed = *edit;
    changed.recorded.is_free = false;
    changed.recorded.keys = NULL;
    changed.recorded.round.cancelled = changed.recorded.round.is_void;
    return keep(trials, failing, index, &changed, edit) || is_smaller;
}

/* Chunks from the end, all of them at first and single keys at last. */
static bool drop_keys(struct trials *trials, struct failing_case *failing, size_t index,
                      struct edit *edit)
{
    bool is_smaller = edit->recorded.keys && regular_keys(trials, failing, index, edit);

    for (size_t chunk = json_count(edit->recorded.keys); chunk; chunk /= 2)
        for (size_t at = json_count(edit->recorded.keys); at;) {
            struct edit changed = *edit;

            changed.spared_from = at > chunk ? at - chunk : 0;
            changed.spared_to = at;
            at = changed.spared_from;
            is_smaller |= keep_or_lower(trials, failing, index, &changed, edit,
                                        changed.spared_to - changed.spared_from);
        }
    return is_smaller;
}

static bool drop_decks(struct trials *trials, struct failing_case *failing, size_t index,
                       struct edit *edit)
{
    struct edit changed = *edit;
    bool is_smaller = false;

    changed.recorded.has_deck = false;
    if (edit->recorded.has_deck)
        is_smaller = keep(trials, failing, index, &changed, edit);
    changed = *edit;
    changed.recorded.has_before = false;
    if (edit->recorded.has_before)
        is_smaller |= keep(trials, failing, index, &changed, edit);
    changed = *edit;
    changed.recorded.round.deck_id = 0;
    if (edit->recorded.round.deck_id)
        is_smaller |= keep(trials, failing, index, &changed, edit);
    return is_smaller;
}

/* All decks at once, or else one after the other. */
static bool drop_fields(struct trials *trials, struct failing_case *failing, size_t index,
                        struct edit *edit)
{
    struct edit changed = *edit;
    bool is_smaller = false;

    changed.recorded.has_deck = changed.recorded.has_before = false;
    changed.recorded.round.deck_id = 0;
    if (edit->recorded.has_deck || edit->recorded.has_before || edit->recorded.round.deck_id)
        is_smaller = keep(trials, failing, index, &changed, edit) ||
                     drop_decks(trials, failing, index, edit);
    changed = *edit;
    changed.recorded.round.must_hit_seat = 0;
    if (edit->recorded.round.must_hit_seat)
        is_smaller |= keep(trials, failing, index, &changed, edit);
    return is_smaller;
}

/* Each card by the lowest one that is not dealt, so that those which matter stand out. */
static bool lower_cards(struct trials *trials, struct failing_case *failing, size_t index,
                        struct edit *edit)
{
    bool is_smaller = false;

    for (unsigned i = 0; i < edit->recorded.round.dealt_count; i++) {
        struct edit changed = *edit;
        card_t *card = &changed.recorded.round.dealt[i];
        card_t low = unused_card(&edit->recorded.round);

        if (low == CARD_NONE || card_index(low) >= card_index(*card))
            continue;
        *card = low;
        changed.recorded.has_deck = false;
        is_smaller |= keep(trials, failing, index, &changed, edit);
    }
    return is_smaller;
}

/*
 * Takes so many cards off the top, with packets of which nothing is left; of a misdeal as far as it
 * went. Of a deck they are the last from then on.
 */
static void take_off(struct recording_round *recorded, unsigned count)
{
    struct round *round = &recorded->round;
    card_t taken[DECK_SIZE];
    unsigned packets = 0, left = count < round->dealt_count ? count : round->dealt_count;

    count = left;
    while (left && round->packet[packets] <= left)
        left -= round->packet[packets++];
    if (left)
        round->packet[packets] = (uint8_t)(round->packet[packets] - left);
    round->packet_count = (uint8_t)(round->packet_count - packets);
    memmove(round->packet, round->packet + packets, round->packet_count);
    round->dealt_count = (uint8_t)(round->dealt_count - count);
    memmove(round->dealt, round->dealt + count, round->dealt_count);
    memcpy(taken, recorded->deck, count);
    memmove(recorded->deck, recorded->deck + count, DECK_SIZE - count);
    memcpy(recorded->deck + DECK_SIZE - count, taken, count);
}

char *minimise_line_burning(struct trials *trials, const struct failing_case *failing, size_t index,
                            unsigned fewer)
{
    struct edit edit;

    if (!edit_open(trials, failing, index, &edit) || !edit.recorded.round.dealt_count)
        return NULL;
    take_off(&edit.recorded, fewer);
    return edit_line(&edit);
}

bool minimise_round(struct trials *trials, struct failing_case *failing, size_t index)
{
    static bool (*const ways[])(struct trials * trials, struct failing_case * failing, size_t index,
                                struct edit * edit) = {drop_fields,      drop_keys,    drop_seats,
                                                       break_off_sooner, shorten_play, drop_wagers,
                                                       lower_stakes,     lower_cards};
    bool is_smaller = false;
    struct edit edit;

    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++)
        if (edit_open(trials, failing, index, &edit))
            is_smaller |= ways[i](trials, failing, index, &edit);
    return is_smaller;
}
