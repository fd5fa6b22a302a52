/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "tests/oracle/table.h"

int64_t meter_pay(struct table *table, struct round *round, int seat, int number)
{
    struct meter *meter = &table->meters[number];
    int64_t cents;

    if (table->game == &oracle_games[THREE_CARD_CATCH]) {
        int64_t dollars = meter->value / MILLIONTHS_PER_DOLLAR;
        int64_t rest = meter->value % MILLIONTHS_PER_DOLLAR;

        if (table->round_to_nearest ? rest >= MILLIONTHS_PER_DOLLAR / 2 : rest > 0)
            dollars++;
        cents = dollars * 100;
        meter->value = meter->reseed;
    } else {
        cents = meter->value / MILLIONTHS_PER_CENT;
        meter->value = meter->reseed + meter->value % MILLIONTHS_PER_CENT;
    }
    round->jackpots[round->jackpot_count++] = (struct jackpot){seat, number, cents};
    return cents;
}

static void correct_meters(struct table *table, const struct round *round, int stage)
{
    for (int i = 0; i < round->correction_count; i++)
        if (round->corrections[i].stage == stage)
            table->meters[round->corrections[i].meter].value = round->corrections[i].value;
}

static void award_must_hit(struct table *table, struct round *round)
{
    struct meter *meter = &table->meters[MUST_HIT];
    struct seat *seat = &round->seats[round->must_hit_seat];
    int64_t most = meter->value < table->hit_by ? meter->value : table->hit_by;
    int64_t cents = most / MILLIONTHS_PER_CENT;

    if (!seat->in || !seat->stake[table->game->progressive]) {
        round_error(round, "seat %d has no progressive wager for Must Hit", round->must_hit_seat);
        return;
    }
    meter->value = meter->reseed + meter->value - cents * MILLIONTHS_PER_CENT;
    seat->must_hit = cents;
    round->jackpots[round->jackpot_count++] =
        (struct jackpot){round->must_hit_seat, MUST_HIT, cents};
}

void meters_end_round(struct table *table, struct round *round)
{
    if (round->must_hit_seat && !table->must_hit)
        round_error(round, "an award of Must Hit, but the table has no such meter");
    /* Meters are paid on the way to END ROUND, so a round that pays one was not cancelled. */
    if (round->cancelled && (round->jackpot_count || round->must_hit_seat))
        round_error(round, "a meter is due, but the round was cancelled");
    correct_meters(table, round, 1);
    if (round->cancelled)
        correct_meters(table, round, 2);
    if (round->cancelled || round->error[0])
        return;
    /* A cent times a hundredth of a per cent is a millionth of a dollar. */
    for (int number = 1; number <= SEATS; number++)
        for (int m = 0; m < table->meter_count; m++)
            table->meters[m].value +=
                round->seats[number].stake[table->game->progressive] * table->meters[m].rate;
    if (round->must_hit_seat)
        award_must_hit(table, round);
    if (table->must_hit && table->meters[MUST_HIT].value > table->hit_by)
        round_error(round, "Must Hit passed its ceiling");
    correct_meters(table, round, 2);
}

/* Where the next card comes from. */
struct delivery {
    struct round *round;
    int packet;
    int card;
};

static void take_packet(struct delivery *from, int count, struct card *to)
{
    const struct round *round = from->round;

    if (from->packet >= round->packet_count || round->packets[from->packet] != count) {
        round_error(from->round, "packet %d does not hold %d cards", from->packet + 1, count);
        return;
    }
    memcpy(to, &round->dealt[from->card], (size_t)count * sizeof *to);
    from->card += count;
    from->packet++;
}

static void take(const struct table *table, struct delivery *from, int count, struct card *to)
{
    if (!table->card_by_card) {
        take_packet(from, count, to);
        return;
    }
    for (int i = 0; i < count; i++)
        take_packet(from, 1, to + i);
}

static void deal_hands(const struct table *table, struct delivery *from, struct round *round)
{
    int hole = table->game->hole_cards;
    int passes = table->card_by_card ? hole : 1, each = hole / passes;

    for (int pass = 0; pass < passes; pass++) {
        for (int number = 1; number <= SEATS; number++)
            if (round->seats[number].in)
                take(table, from, each, &round->seats[number].cards[pass]);
        if (table->game->dealer)
            take(table, from, each, &round->dealer[pass]);
    }
    for (int number = 1; number <= SEATS; number++)
        round->seats[number].card_count = hole;
    round->dealer_count = table->game->dealer ? hole : 0;
}

static void deal_draws(const struct table *table, struct delivery *from, struct round *round)
{
    bool draws[SEATS + 1];

    three_card_catch_draws(table, round, draws);
    for (int number = 1; number <= SEATS; number++)
        if (draws[number]) {
            take(table, from, 1, &round->seats[number].cards[3]);
            round->seats[number].card_count = 4;
        }
    if (draws[0]) {
        take(table, from, 1, &round->dealer[3]);
        round->dealer_count = 4;
    }
}

static void deal_round(const struct table *table, struct round *round)
{
    struct delivery from = {round, 0, 0};

    if (table->burn)
        take(table, &from, table->burn, round->burned);
    round->burned_count = table->burn;
    deal_hands(table, &from, round);
    if (table->game->board_cards)
        take(table, &from, table->game->board_cards, round->board);
    round->board_count = table->game->board_cards;
    if (table->game == &oracle_games[FLUSH_RUSH])
        round->burned[round->burned_count++] = round->board[--round->board_count];
    if (table->game == &oracle_games[THREE_CARD_CATCH] && !round->error[0])
        deal_draws(table, &from, round);
    if (from.packet != round->packet_count)
        round_error(round, "%d packets were dealt, %d belong to the round", round->packet_count,
                    from.packet);
}

/* The wagers that decisions make, and who folded. */
static void apply_play(const struct table *table, struct seat *seat)
{
    int64_t ante = seat->stake[ANTE];

    if (!seat->play[0])
        return;
    seat->folded = strstr(seat->play, "fold");
    if (table->game == &oracle_games[FLUSH_RUSH]) {
        seat->stake[BET_1] = strncmp(seat->play, "bet", 3) == 0 ? ante : 0;
        seat->stake[BET_2] = strcmp(seat->play, "bet bet") == 0 ? ante : 0;
    } else if (table->game == &oracle_games[CHASE_THE_FLUSH]) {
        if (strcmp(seat->play, "bet") == 0)
            seat->stake[ALL_IN] = 3 * ante;
        else if (strcmp(seat->play, "check bet") == 0)
            seat->stake[ALL_IN] = 2 * ante;
        else if (strcmp(seat->play, "check check bet") == 0)
            seat->stake[ALL_IN] = ante;
    } else if (table->game == &oracle_games[THREE_CARD_CATCH]) {
        seat->stake[PLAY] = seat->folded ? 0 : ante;
    } else {
        seat->stake[POKER_PLAY] = seat->folded ? 0 : ante;
    }
}

void round_settle(struct table *table, struct round *round)
{
    static void (*const settle[GAMES])(struct table *, struct round *) = {
        flush_rush_settle, chase_the_flush_settle, three_card_catch_settle,
        three_card_poker_settle};
    struct table before = *table;

    if (round->error[0])
        return;
    for (int number = 1; number <= SEATS; number++)
        if (round->seats[number].in)
            apply_play(table, &round->seats[number]);
    if (round->misdealt) {
        round_void(table, round);
        return;
    }
    deal_round(table, round);
    if (!round->error[0]) {
        correct_meters(table, round, 0);
        settle[table->game - oracle_games](table, round);
        meters_end_round(table, round);
    }
    if (round->error[0])
        *table = before;
}
