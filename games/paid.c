/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "games/paid.h"

#include <stdio.h>

/* A sum that has come to its end stays there. */
static void add(cents_t *sum, cents_t cents)
{
    if (*sum == PAID_MOST || __builtin_add_overflow(*sum, cents, sum))
        *sum = PAID_MOST;
}

void paid_wager(struct paid *paid, bool is_progressive, cents_t net, cents_t stake)
{
    cents_t pays = net;

    if (is_progressive && __builtin_add_overflow(net, stake, &pays))
        pays = PAID_MOST;
    if (pays > 0)
        add(&paid->tray, pays);
}

void paid_award(struct paid *paid, bool is_in_net, cents_t pays)
{
    if (pays <= 0)
        return;
    if (is_in_net && paid->tray != PAID_MOST)
        paid->tray -= pays < paid->tray ? pays : paid->tray;
    add(&paid->meters, pays);
}

void paid_since(struct paid *paid, const struct paid *more, const struct paid *before)
{
    add(&paid->tray, more->tray == PAID_MOST ? PAID_MOST : more->tray - before->tray);
    add(&paid->meters, more->meters == PAID_MOST ? PAID_MOST : more->meters - before->meters);
    paid->voided += more->voided - before->voided;
}

static void add_seat(struct paid *paid, const struct game *game, const cents_t bets[WAGERS_MAX],
                     const struct seat_result *seat)
{
    for (unsigned i = 0; i < game->wager_count; i++)
        paid_wager(paid, game->wagers[i].progressive, seat->net[i], bets[i]);
}

void paid_round(struct paid *paid, const struct game *game, const struct round *round,
                const struct settlement *settlement)
{
    struct paid here = {.voided = settlement->is_void};

    for (unsigned seat = 1; seat <= SEATS_MAX && !settlement->is_void; seat++)
        if (settlement->seats & seat_bit(seat))
            add_seat(&here, game, round->bets[seat], &settlement->seat[seat]);
    for (unsigned i = 0; i < settlement->award_count; i++)
        paid_award(&here, settlement->awards[i].meter < game->meter_count,
                   settlement->awards[i].pays);
    paid_since(paid, &here, &(struct paid){0});
}

const char *paid_text(cents_t cents, char text[PAID_TEXT_SIZE])
{
    snprintf(text, PAID_TEXT_SIZE, "%s$%jd.%02jd", cents == PAID_MOST ? "more than " : "",
             (intmax_t)(cents / 100), (intmax_t)(cents % 100));
    return text;
}
