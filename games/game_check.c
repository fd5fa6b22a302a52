/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "games/audit/audit.h"
#include "games/game.h"

/* A meter that no line pays would grow for ever. */
static int check_meters_paid(const struct game *game, const struct wager *wager,
                             const struct paytable *table, struct error *error)
{
    unsigned paid = 0;

    for (unsigned i = 0; i < wager->line_count; i++) {
        struct pay pay = table->pays[i];

        if (pay.kind != PAY_METER)
            continue;
        if (pay.amount >= game->meter_count)
            return error_set(error, ERROR_CONFIG,
                             "%s, table '%s': '%s' pays meter %d, but %s has only %u", wager->name,
                             table->name, wager->lines[i].name, pay.amount + 1, game->name,
                             game->meter_count);
        paid |= 1u << pay.amount;
    }
    for (unsigned i = 0; wager->progressive && i < game->meter_count; i++)
        if (!(paid & 1u << i))
            return error_set(error, ERROR_CONFIG, "%s, table '%s': no line pays meter %s",
                             wager->name, table->name, game->meters[i].name);
    return 0;
}

int game_check_table(const struct game *game, unsigned wager, const struct paytable *table,
                     struct error *error)
{
    const struct wager *w = &game->wagers[wager];
    int status;

    if (wager >= game->wager_count || !w->table_count)
        return error_set(error, ERROR_CONFIG, "wager %u of %s has no paytable", wager + 1,
                         game->name);
    status = paytables_check(w->name, w->lines, w->line_count, table, 1, w->progressive, error);
    return status ? status : check_meters_paid(game, w, table, error);
}

/* How many choices of the play make a wager. */
static unsigned ways_to_make(const struct game *game, unsigned wager)
{
    unsigned ways = 0;

    for (unsigned i = 0; i < game->stage_count; i++)
        for (unsigned j = 0; j < 2; j++)
            ways += game->stages[i].choices[j].wager == (int)wager;
    return ways;
}

static int check_wager(const struct game *game, unsigned index, struct error *error)
{
    const struct wager *wager = &game->wagers[index];

    if (game_wager(game, wager->name) != (int)index)
        return error_set(error, ERROR_CONFIG, "two wagers are named '%s'", wager->name);
    if (wager->equal_to != NO_WAGER && (wager->equal_to < 0 || wager->equal_to >= (int)index))
        return error_set(error, ERROR_CONFIG, "%s must equal a wager that stands before it",
                         wager->name);
    if (wager->fixed < 0 || wager->fixed > STAKE_MAX)
        return error_set(error, ERROR_CONFIG, "%s has a fixed stake out of range", wager->name);
    if (wager->by_decision != (ways_to_make(game, index) > 0))
        return error_set(error, ERROR_CONFIG, "%s is %smade by a decision, but its stages differ",
                         wager->name, wager->by_decision ? "" : "not ");
    if (wager->table_count && wager->default_table >= wager->table_count)
        return error_set(error, ERROR_CONFIG, "%s: its default table does not exist", wager->name);
    if (paytables_check(wager->name, wager->lines, wager->line_count, wager->tables,
                        wager->table_count, wager->progressive, error))
        return ERROR_CONFIG;
    for (unsigned i = 0; i < wager->table_count; i++)
        if (check_meters_paid(game, wager, &wager->tables[i], error))
            return ERROR_CONFIG;
    return 0;
}

static int check_meter(const struct game *game, unsigned index, struct error *error)
{
    const struct meter_rule *meter = &game->meters[index];

    for (unsigned i = 0; i < index; i++)
        if (!strcmp(game->meters[i].name, meter->name))
            return error_set(error, ERROR_CONFIG, "two meters are named '%s'", meter->name);
    if (meter->reseed <= 0 || meter->reseed > METER_MAX || meter->rate <= 0 ||
        meter->rate > RATE_MAX)
        return error_set(error, ERROR_CONFIG, "meter %s: reseed value or rate out of range",
                         meter->name);
    return 0;
}

/* The play must come to an end: at the last stage every choice does. */
static int check_stage(const struct game *game, unsigned index, struct error *error)
{
    const struct choice *choices = game->stages[index].choices;
    unsigned board = game->stages[index].board;

    if (choices[0].decision == choices[1].decision)
        return error_set(error, ERROR_CONFIG, "stage %u offers '%s' twice", index + 1,
                         decision_names[choices[0].decision]);
    if (board + game->board_burn > game->board_cards ||
        (index && board < game->stages[index - 1].board))
        return error_set(error, ERROR_CONFIG,
                         "stage %u: %u community cards cannot lie open by then", index + 1, board);
    for (unsigned i = 0; i < 2; i++) {
        if (choices[i].wager != NO_WAGER &&
            (choices[i].wager >= game->wager_count || !choices[i].multiple))
            return error_set(error, ERROR_CONFIG, "stage %u: '%s' makes no wager", index + 1,
                             decision_names[choices[i].decision]);
        if (index + 1u == game->stage_count && !choices[i].last)
            return error_set(error, ERROR_CONFIG, "the play does not end with '%s'",
                             decision_names[choices[i].decision]);
    }
    return 0;
}

static int check_deal(const struct game *game, struct error *error)
{
    unsigned hands = SEATS_MAX + game->dealer;
    unsigned hole = game->hole_cards + (game->draws ? 1u : 0u);

    if (!game->hole_cards || hole > 4 || game->board_cards - game->board_burn > 4 ||
        game->board_burn > game->board_cards || hands * hole + game->board_cards > DECK_SIZE)
        return error_set(error, ERROR_CONFIG,
                         "the deal does not fit a deck and a table: %u cards to a hand, its draw "
                         "included, and %u to the community; at most 4 each",
                         hole, game->board_cards - game->board_burn);
    if (game->board_burn && game->card_at_a_time)
        return error_set(error, ERROR_CONFIG, "a card at a time has no bottom card to burn");
    return 0;
}

/* How a wager of so many cards is counted, games/audit/lines.h knows. */
static int check_rated(const struct game *game, struct error *error)
{
    unsigned cards = game_hand_cards(game);

    if (!game->rated.lines)
        return 0;
    if (!game->rated.name || game->rated.wager >= game->wager_count ||
        !game->wagers[game->rated.wager].table_count)
        return error_set(error, ERROR_CONFIG,
                         "its rated hands need a name and a wager with a paytable");
    if (cards != 7 && cards > 4)
        return error_set(error, ERROR_CONFIG,
                         "hands of %u cards cannot be rated; three, four or seven can", cards);
    return 0;
}

static int check_audit(const struct game *game, struct error *error)
{
    const struct audit_method *audit = game->audit;

    if (audit && (!audit->units || !audit->plan || !audit->sums || !audit->unit || !audit->entries))
        return error_set(error, ERROR_CONFIG, "its audit lacks units, or one of its functions");
    return 0;
}

static int check_points(const struct game *game, struct error *error)
{
    if (game->point_count > POINTS_MAX || (game->point_count && !game->points))
        return error_set(error, ERROR_CONFIG, "%u coverage points; at most %d can be marked",
                         game->point_count, POINTS_MAX);
    for (unsigned i = 0; i < game->point_count; i++)
        if (!game->points[i] || !*game->points[i])
            return error_set(error, ERROR_CONFIG, "coverage point %u has no name", i + 1);
    return 0;
}

int game_check(const struct game *game, struct error *error)
{
    int status = 0;

    if (game->wager_count > WAGERS_MAX || game->meter_count > METERS_MAX ||
        game->stage_count > STAGES_MAX || !game->stage_count || !game->wager_count)
        status = error_set(error, ERROR_CONFIG,
                           "the number of its wagers, meters or stages is "
                           "out of range");
    else if (!game->settle)
        status = error_set(error, ERROR_CONFIG, "it cannot settle a round");
    else if (!game->wagers[0].required)
        status = error_set(error, ERROR_CONFIG, "its first wager is not the required ante");
    for (unsigned i = 0; !status && i < game->wager_count; i++)
        status = check_wager(game, i, error);
    for (unsigned i = 0; !status && i < game->meter_count; i++)
        status = check_meter(game, i, error);
    if (!status)
        status = check_deal(game, error);
    for (unsigned i = 0; !status && i < game->stage_count; i++)
        status = check_stage(game, i, error);
    if (!status)
        status = check_rated(game, error);
    if (!status)
        status = check_audit(game, error);
    if (!status)
        status = check_points(game, error);
    if (status)
        error_prefix(error, "%s", game->name);
    return status;
}
