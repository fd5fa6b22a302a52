/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two decks that take turns (rigs/FORMATS.md: Two decks): which one a round is due to be dealt
 * from, which one the next shuffle takes, and whether the cards that came are of it. The wire of
 * version 1 tells none of this; who sees the backs of cards does, and version 2 of its decks.
 */
#include <stdio.h>
#include <string.h>

#include "rigs/run/dealer/dealer.h"

static uint8_t other(uint8_t deck)
{
    return deck == 1 ? 2 : 1;
}

uint8_t run_deck_next(const struct run *run)
{
    uint8_t seen = bench_deck(run->bench, run->recording.dealer->class);

    if (run->bench->rig->decks < 2)
        return 0;
    return seen ? seen : run->deck_last ? other(run->deck_last) : 0;
}

/* A recording of one deck says nothing: then they take turns as they come. */
static uint8_t find_due(struct run *run)
{
    const struct recording_header *header = run->recording.header;
    uint8_t next = run_deck_next(run), due;

    if (run->recording.observation || header->decks < 2)
        return next ? next : 1;
    due = recording_deck(header, &run->round.recorded.round, &run->recording.deck_played);
    return run->is_deck_swapped ? other(due) : due;
}

void run_deck_begin(struct run *run)
{
    if (run->bench->rig->decks < 2)
        return;
    run->is_deck_known |= bench_deck(run->bench, run->recording.dealer->class) > 0;
    run->round.dealt.deck_id = run->round.deck = find_due(run);
}

void run_deck_named(struct run *run)
{
    run->is_deck_known |= run->round.deck > 0;
}

void run_deck_moves(struct run *run, uint8_t deck)
{
    run->deck_moving = deck;
}

void run_deck_shuffled(struct run *run)
{
    char details[24];

    if (!run->deck_moving)
        return;
    run->deck_last = run->deck_moving;
    snprintf(details, sizeof details, "{\"deck\":%u}", run->deck_last);
    run_event(run, "rig", "deck", details, clock_now(&run->bench->clock));
}

/* Who sees the back of a card knows it better than the machine that it came from. */
static uint8_t back_of(const struct run *run, card_t card, uint8_t told)
{
    uint8_t seen = bench_back(run->bench, run->recording.dealer->class, card);

    return seen ? seen : told;
}

void run_deck_take(struct run *run, const card_t *cards, const uint8_t *backs, unsigned count)
{
    unsigned first = run->round.dealt.dealt_count;

    for (unsigned i = 0; i < count && first + i < DECK_SIZE; i++)
        run->round.backs[first + i] = back_of(run, cards[i], backs[i]);
}

/* The deck that most of the cards are of, in doubt the one that is due; 0: nobody says it. */
static uint8_t deck_of_most(const struct run *run)
{
    unsigned count[DECKS_MAX + 1] = {0};

    for (unsigned i = 0; i < run->round.dealt.dealt_count; i++)
        if (run->round.backs[i] <= DECKS_MAX)
            count[run->round.backs[i]]++;
    if (count[1] == count[2])
        return count[1] ? (uint8_t)(run->round.deck ? run->round.deck : 1) : 0;
    return count[1] > count[2] ? 1 : 2;
}

static void refuse_stray(struct run *run, unsigned place, uint8_t deck)
{
    char text[RUN_CARDS_TEXT], why[64];

    run_cards_text(&run->round.dealt.dealt[place], 1, text);
    snprintf(why, sizeof why, "this card is of deck %u, and deck %u is dealt",
             run->round.backs[place], deck);
    check_fail(run->book, CHECK_CARD_CONSERVATION,
               (struct check_result){.expected = "null", .got = text, .device = text, .why = why});
}

/*
 * Nobody has told which deck was in when a run began on real devices: the first that comes is the
 * one whose turn it is, whatever its number, and after it they must take turns.
 */
static void find_first(struct run *run, uint8_t deck)
{
    if (!run->is_deck_known && deck != run->round.deck) {
        run->is_deck_swapped = true;
        run->round.deck = deck;
    }
    run->is_deck_known = true;
}

/* A card whose back nobody has named may be of either deck. */
static void judge_strays(struct run *run, bool has_strays, unsigned untold)
{
    char why[64];

    snprintf(why, sizeof why, "nobody has said of which deck %u of the cards are", untold);
    if (untold)
        check_skip(run->book, CHECK_CARD_CONSERVATION, why);
    else if (!has_strays)
        check_pass(run->book, CHECK_CARD_CONSERVATION);
}

static void skip_turn(struct run *run)
{
    if (run->round.deck && run->round.dealt.dealt_count &&
        device_can(run_dealer_device(run)->device, DEVICE_TELLS_BACKS))
        check_skip(run->book, CHECK_DECK_TURNS, "nobody has said of which deck the cards are");
}

void run_check_decks(struct run *run)
{
    uint8_t deck = deck_of_most(run);
    bool has_strays = false;
    unsigned untold = 0;

    if (!deck) {
        skip_turn(run);
        return;
    }
    for (unsigned i = 0; i < run->round.dealt.dealt_count; i++) {
        untold += !run->round.backs[i];
        if (run->round.backs[i] && run->round.backs[i] != deck) {
            refuse_stray(run, i, deck);
            has_strays = true;
        }
    }
    judge_strays(run, has_strays, untold);
    if (!run->round.deck)
        return;
    find_first(run, deck);
    check_number(run->book, CHECK_DECK_TURNS, 0, NULL, run->round.deck, deck,
                 "the deck that was dealt, by the backs of its cards");
    run->deck_last = run->round.dealt.deck_id = deck;
}
