/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/cover/see.h"

#include <string.h>

#define WORDS (COVER_POINTS_MAX / 64)

bool cover_is_new(const struct cover_set *set, const struct cover_set *more)
{
    for (unsigned i = 0; i < WORDS; i++)
        if (more->word[i] & ~set->word[i])
            return true;
    return false;
}

void cover_join(struct cover_set *set, const struct cover_set *more)
{
    for (unsigned i = 0; i < WORDS; i++)
        set->word[i] |= more->word[i];
}

unsigned cover_count(const struct cover_set *set)
{
    unsigned count = 0;

    for (unsigned i = 0; i < WORDS; i++)
        count += (unsigned)__builtin_popcountll(set->word[i]);
    return count;
}

/* The number of a wager's table among those of the sheet, or COVER_NONE for one of a file. */
static int sheet_table(const struct game_setup *setup, unsigned wager)
{
    const struct wager *of = &setup->game->wagers[wager];

    for (int i = 0; i < of->table_count; i++)
        if (setup->table[wager] == &of->tables[i])
            return i;
    return COVER_NONE;
}

/* The number of the first line that the table of a wager has, or COVER_NONE. */
static int first_line(const struct cover_points *points, const struct game_setup *setup,
                      unsigned wager)
{
    int table = sheet_table(setup, wager);

    return table < 0 ? COVER_NONE
                     : points->line[wager] + table * (setup->game->wagers[wager].line_count + 1);
}

/* Whether a line is of a table that the setup has. */
static bool is_line_of(const struct cover_points *points, const struct game_setup *setup,
                       unsigned point)
{
    for (unsigned wager = 0; wager < setup->game->wager_count; wager++) {
        int first = first_line(points, setup, wager);

        if (first >= 0 && (int)point >= first &&
            (int)point <= first + setup->game->wagers[wager].line_count)
            return true;
    }
    return false;
}

bool cover_may_show(const struct cover_points *points, const struct recording_header *header,
                    unsigned point)
{
    const struct game_setup *setup = &header->setup;
    const int16_t *table = points->table, *meter = points->meter;
    int number = (int)point;

    if (points->point[point].kind == COVER_LINES)
        return is_line_of(points, setup, point);
    if (number == table[COVER_PACKETS] || number == table[COVER_CARDS])
        return (number == table[COVER_CARDS]) == (setup->deal == DEAL_CARDS);
    if (number == table[COVER_BURN])
        return setup->burn;
    if (number == table[COVER_DECK_1] || number == table[COVER_DECK_2])
        return header->decks == 2;
    if (number == meter[COVER_ROUNDED_UP])
        return setup->rounding == ROUNDING_UP;
    if (number == meter[COVER_NEAREST_DOWN] || number == meter[COVER_NEAREST_UP] ||
        number == meter[COVER_NEAREST_HALF])
        return setup->rounding == ROUNDING_NEAREST;
    return true;
}

static void see_marks(const struct cover_points *points, const struct game_setup *setup,
                      const struct round_marks *marks, struct cover_set *set)
{
    for (unsigned wager = 0; wager < setup->game->wager_count; wager++) {
        unsigned lines = setup->game->wagers[wager].line_count;
        int first = first_line(points, setup, wager);

        if (first < 0)
            continue;
        for (unsigned line = 0; line < lines; line++)
            if (marks->lines[wager] & line_bit(line))
                cover_add(set, first + (int)line);
        if (marks->lines[wager] & MARK_NO_LINE)
            cover_add(set, first + (int)lines);
    }
    for (unsigned i = 0; i < setup->game->point_count; i++)
        if (marks->points >> i & 1)
            cover_add(set, points->hand + (int)i);
}

unsigned cover_decided(const struct game *game, const struct round *round,
                       const struct settlement *settlement, unsigned seat)
{
    unsigned count = 0;

    if (settlement->seat[seat].held.card_count < game->hole_cards)
        return 0;
    while (count < round->decision_count[seat] &&
           game->stages[count].board <= settlement->board_count)
        count++;
    return count;
}

static void see_decisions(const struct cover_points *points, const struct round *round,
                          const struct settlement *settlement, struct cover_set *set)
{
    bool all_fold = true;

    for (unsigned seat = 1; seat <= SEATS_MAX; seat++) {
        unsigned count;

        if (!(round->seats & seat_bit(seat)))
            continue;
        count = cover_decided(points->game, round, settlement, seat);
        for (unsigned stage = 0; stage < count; stage++)
            for (unsigned i = 0; i < 2; i++)
                if (points->game->stages[stage].choices[i].decision ==
                    round->decisions[seat][stage])
                    cover_add(set, points->decision[stage][i]);
        all_fold &= count && round->decisions[seat][count - 1] == DECISION_FOLD;
    }
    if (all_fold && !round->is_void)
        cover_add(set, points->table[COVER_ALL_FOLD]);
}

/* Seats that a card was dealt to: in a misdeal it may be none. */
static seats_t seats_dealt(const struct settlement *settlement)
{
    seats_t seats = 0;

    for (unsigned seat = 1; seat <= SEATS_MAX; seat++)
        if (settlement->seats & seat_bit(seat) && settlement->seat[seat].held.card_count)
            seats |= seat_bit(seat);
    return seats;
}

static void see_stakes(const struct cover_points *points, const struct round *round, seats_t dealt,
                       struct cover_set *set)
{
    cents_t ante = round->bets[__builtin_ctz(dealt)][0];

    for (unsigned seat = 1; seat <= SEATS_MAX; seat++) {
        if (!(dealt & seat_bit(seat)))
            continue;
        if (round->bets[seat][0] != ante)
            cover_add(set, points->table[COVER_STAKES]);
        for (unsigned i = 0; i < points->game->wager_count; i++)
            if (!round->bets[seat][i])
                cover_add(set, points->table[COVER_WITHOUT + i]);
    }
}

static void see_seats(const struct cover_points *points, const struct round *round,
                      const struct settlement *settlement, struct cover_set *set)
{
    seats_t dealt = seats_dealt(settlement);
    unsigned shifted;

    if (!dealt)
        return;
    shifted = (unsigned)dealt >> __builtin_ctz(dealt);
    if (!(round->seats & (round->seats - 1)))
        cover_add(set, points->table[COVER_ALONE]);
    if (__builtin_popcount(dealt) == SEATS_MAX)
        cover_add(set, points->table[COVER_FULL]);
    if (shifted & (shifted + 1))
        cover_add(set, points->table[COVER_GAP]);
    see_stakes(points, round, dealt, set);
}

static void see_deal(struct cover_table_state *state, const struct round *round,
                     struct cover_set *set)
{
    const struct cover_points *points = state->points;
    const struct game_setup *setup = &state->header.setup;
    struct deal_step steps[PACKETS_MAX];
    size_t count = game_deal(setup, round->seats, steps);
    uint8_t deck = recording_deck(&state->header, round, &state->deck);

    if (round->is_void) {
        cover_add(set, points->table[!round->packet_count          ? COVER_VOID_FIRST
                                     : round->packet_count < count ? COVER_VOID_DEAL
                                     : round->packet_count > count ? COVER_VOID_DRAW
                                                                   : COVER_VOID_DEALT]);
        return;
    }
    cover_add(set, points->table[setup->deal == DEAL_CARDS ? COVER_CARDS : COVER_PACKETS]);
    if (setup->burn)
        cover_add(set, points->table[COVER_BURN]);
    if (deck)
        cover_add(set, points->table[deck == 1 ? COVER_DECK_1 : COVER_DECK_2]);
    if (round->cancelled)
        cover_add(set, points->table[COVER_CANCELLED]);
}

/* What a meter of that value has paid, by what was rounded. */
static void see_rounding(const struct cover_points *points, enum rounding rounding, micros_t value,
                         cents_t pays, struct cover_set *set)
{
    micros_t paid = pays * MICROS_PER_CENT;

    if (rounding == ROUNDING_CENTS && paid < value)
        cover_add(set, points->meter[COVER_CENT_LEFT]);
    if (rounding == ROUNDING_UP && paid > value)
        cover_add(set, points->meter[COVER_ROUNDED_UP]);
    if (rounding != ROUNDING_NEAREST || paid == value)
        return;
    cover_add(set, points->meter[paid < value ? COVER_NEAREST_DOWN : COVER_NEAREST_UP]);
    if (value % MICROS_PER_DOLLAR == MICROS_PER_DOLLAR / 2)
        cover_add(set, points->meter[COVER_NEAREST_HALF]);
}

/* As an administrator has left them by then. */
static struct meters corrected(const struct round *round, const struct meters *meters,
                               enum correction_stage last)
{
    struct meters after = *meters;

    for (unsigned i = 0; i < round->correction_count; i++)
        if (round->corrections[i].stage <= last)
            after.meter[round->corrections[i].meter].value = round->corrections[i].value;
    return after;
}

/* What wagers bring the meters; nothing in a round that was cancelled. */
static cents_t wagered(const struct cover_points *points, const struct round *round)
{
    cents_t sum = 0;

    if (points->progressive == NO_WAGER || round->cancelled || round->is_void)
        return 0;
    for (unsigned seat = 1; seat <= SEATS_MAX; seat++)
        if (round->seats & seat_bit(seat))
            sum += round->bets[seat][points->progressive];
    return sum;
}

/* Where it stands when the wagers have reached it, and what it pays then. */
static void see_must_hit(const struct cover_points *points, const struct meter *meter,
                         cents_t wagers, cents_t pays, struct cover_set *set)
{
    micros_t reached = meter->value + wagers * meter->rate;
    micros_t left = reached - pays * MICROS_PER_CENT;

    if (!pays && wagers)
        cover_add(
            set,
            points->meter[reached == meter->ceiling ? COVER_MUST_HIT_CEILING : COVER_MUST_HIT_FED]);
    else if (pays && pays * MICROS_PER_CENT < meter->ceiling)
        cover_add(set, points->meter[COVER_MUST_HIT_WON]);
    else if (pays && left >= MICROS_PER_CENT)
        cover_add(set, points->meter[COVER_MUST_HIT_CARRIED]);
}

seats_t cover_winners(const struct cover_points *points, const struct settlement *settlement,
                      const struct round *round)
{
    int wager = points->progressive;
    seats_t winners = 0;

    for (unsigned seat = 1; wager != NO_WAGER && !round->is_void && seat <= SEATS_MAX; seat++)
        if (round->seats & seat_bit(seat) &&
            settlement->seat[seat].net[wager] + round->bets[seat][wager] > 0)
            winners |= seat_bit(seat);
    return winners;
}

/* Meters that were won; `must_hit` is what that one has paid. */
static void see_awards(const struct cover_points *points, const struct settlement *settlement,
                       const struct meters *meters, cents_t *must_hit, struct cover_set *set)
{
    unsigned won = 0;

    for (unsigned i = 0; i < settlement->award_count; i++) {
        const struct award *award = &settlement->awards[i];
        unsigned meter = award->meter;

        if ((int)meter == meters->must_hit) {
            *must_hit = award->pays;
            continue;
        }
        cover_add(set, points->meter[COVER_WON + meter]);
        if (won >> meter & 1)
            cover_add(set, points->meter[COVER_WON_TWICE]);
        else
            see_rounding(points, meters->rounding, meters->meter[meter].value, award->pays, set);
        won |= 1u << meter;
    }
}

/* What wagers and awards did, whatever an administrator did beside them. */
static void see_meters(const struct cover_points *points, const struct round *round,
                       const struct settlement *settlement, const struct meters *before,
                       struct cover_set *set)
{
    struct meters awarding = corrected(round, before, CORRECTED_FIRST);
    struct meters ending = corrected(round, before, CORRECTED_PAID);
    cents_t must_hit = 0, wagers = wagered(points, round);

    see_awards(points, settlement, &awarding, &must_hit, set);
    for (unsigned i = 0; wagers && i < points->game->meter_count; i++)
        cover_add(set, points->meter[COVER_FED + i]);
    if (ending.must_hit >= 0)
        see_must_hit(points, &ending.meter[ending.must_hit], wagers, must_hit, set);
    if (__builtin_popcount(cover_winners(points, settlement, round)) > 1)
        cover_add(set, points->meter[COVER_TWO_WINNERS]);
    for (unsigned i = 0; i < round->correction_count; i++)
        cover_add(set, points->meter[COVER_CORRECTED + round->corrections[i].stage]);
}

void cover_see_refusal(const struct cover_points *points, const struct error *why,
                       struct cover_set *set)
{
    if (why->reason > REFUSED_NOT && why->reason < REFUSALS)
        cover_add(set, points->refusal[why->reason]);
}

int cover_see(struct cover_table_state *state, const struct recording_round *recorded,
              struct cover_set *set, struct error *error)
{
    const struct cover_points *points = state->points;
    const struct round *round = &recorded->round;
    struct meters before = state->header.meters;
    struct settlement settlement;
    int status = game_settle(&state->header.setup, round, &settlement, error);

    if (!status)
        status = game_settle_meters(&state->header.setup, round, &state->header.meters, &settlement,
                                    error);
    if (status) {
        cover_see_refusal(points, error, set);
        return status;
    }
    see_marks(points, &state->header.setup, &settlement.marks, set);
    see_decisions(points, round, &settlement, set);
    see_seats(points, round, &settlement, set);
    see_deal(state, round, set);
    see_meters(points, round, &settlement, &before, set);
    if (points->progressive != NO_WAGER)
        cover_see_keys(state, recorded, &settlement, set);
    return 0;
}
