/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "games/game.h"

/* The wager that feeds the meters, or NO_WAGER. */
static int progressive_wager(const struct game *game)
{
    for (int i = 0; i < game->wager_count; i++)
        if (game->wagers[i].progressive)
            return i;
    return NO_WAGER;
}

static cents_t wagered(const struct round *round, int wager)
{
    cents_t sum = 0;

    for (unsigned seat = 1; wager != NO_WAGER && seat <= SEATS_MAX; seat++)
        sum += round->seats & seat_bit(seat) ? round->bets[seat][wager] : 0;
    return sum;
}

/* Only a seat that paid for it can win Must Hit. */
static int check_must_hit_seat(const struct round *round, int wager, struct error *error)
{
    unsigned seat = round->must_hit_seat;

    if (!seat)
        return 0;
    if (seat > SEATS_MAX || !(round->seats & seat_bit(seat)))
        return error_refuse(error, REFUSED_MUST_HIT_SEAT,
                            "must-hit: seat %u does not play in this round", seat);
    if (wager == NO_WAGER || !round->bets[seat][wager])
        return error_refuse(error, REFUSED_MUST_HIT_UNPAID,
                            "must-hit: seat %u has no paid progressive wager in this round", seat);
    return 0;
}

static int check_cancelled(const struct round *round, const struct settlement *settlement,
                           struct error *error)
{
    if (round->must_hit_seat)
        return error_refuse(error, REFUSED_MUST_HIT_CANCELLED,
                            "must-hit: seat %u cannot win in a %s round", round->must_hit_seat,
                            round->is_void ? "voided" : "cancelled");
    if (settlement->award_count)
        return error_refuse(error, REFUSED_METER_CANCELLED,
                            "seat %u is due a meter, but the round was cancelled",
                            settlement->awards[0].seat);
    return 0;
}

static int pay_meters(const struct settlement *settlement, struct meters *meters,
                      cents_t pays[SEATS_MAX + 1], struct error *error)
{
    for (unsigned i = 0; i < settlement->award_count; i++) {
        const struct award *award = &settlement->awards[i];

        if (award->meter >= meters->count || award->meter == meters->must_hit)
            return error_set(error, ERROR_CONFIG, "seat %u is due meter %u, but the table has %u",
                             award->seat, award->meter + 1u, meters->count);
        pays[i] = meters_award(meters, award->meter);
    }
    return 0;
}

static void add_must_hit(unsigned seat, unsigned meter, cents_t pays, struct settlement *settlement)
{
    settlement->awards[settlement->award_count++] =
        (struct award){.seat = (uint8_t)seat, .meter = (uint8_t)meter, .pays = pays};
    settlement->seat[seat].must_hit = pays;
    settlement->seat[seat].total += pays;
}

static void correct(const struct round *round, enum correction_stage from, enum correction_stage to,
                    struct meters *meters)
{
    for (unsigned i = 0; i < round->correction_count; i++) {
        const struct correction *correction = &round->corrections[i];

        if (correction->stage >= from && correction->stage <= to)
            meters->meter[correction->meter].value = correction->value;
    }
}

int game_settle_meters(const struct game_setup *setup, const struct round *round,
                       struct meters *meters, struct settlement *settlement, struct error *error)
{
    int wager = progressive_wager(setup->game), status;
    struct meters after = *meters;
    cents_t pays[SEATS_MAX + 1], must_hit;

    if (round->cancelled || round->is_void) {
        status = check_cancelled(round, settlement, error);
        if (!status)
            correct(round, CORRECTED_FIRST, CORRECTED_LAST, meters);
        return status;
    }
    if (check_must_hit_seat(round, wager, error))
        return ERROR_RULE;
    correct(round, CORRECTED_FIRST, CORRECTED_FIRST, &after);
    status = pay_meters(settlement, &after, pays, error);
    correct(round, CORRECTED_PAID, CORRECTED_PAID, &after);
    if (!status)
        status = meters_end_round(&after, wagered(round, wager), round->must_hit_seat != 0,
                                  &must_hit, error);
    if (status)
        return status;
    for (unsigned i = 0; i < settlement->award_count; i++) {
        struct award *award = &settlement->awards[i];

        award->pays = pays[i];
        settlement->seat[award->seat].net[wager] += pays[i];
        settlement->seat[award->seat].total += pays[i];
    }
    if (round->must_hit_seat)
        add_must_hit(round->must_hit_seat, (unsigned)after.must_hit, must_hit, settlement);
    correct(round, CORRECTED_LAST, CORRECTED_LAST, &after);
    *meters = after;
    return 0;
}
