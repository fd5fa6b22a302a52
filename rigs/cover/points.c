/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/cover/points.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *const cover_kind_names[COVER_KINDS] = {"lines",  "hands",    "decisions", "table",
                                                   "meters", "refusals", "keys"};

static int16_t __attribute__((format(printf, 3, 4)))
add(struct cover_points *points, enum cover_kind kind, const char *format, ...)
{
    struct cover_point *point = &points->point[points->count];
    va_list arguments;

    if (points->count == COVER_POINTS_MAX)
        return COVER_NONE;
    point->kind = kind;
    va_start(arguments, format);
    vsnprintf(point->name, sizeof point->name, format, arguments);
    va_end(arguments);
    return (int16_t)points->count++;
}

static void add_lines(struct cover_points *points, unsigned index)
{
    const struct wager *wager = &points->game->wagers[index];

    points->line[index] = wager->table_count ? (int16_t)points->count : COVER_NONE;
    for (unsigned table = 0; table < wager->table_count; table++) {
        for (unsigned line = 0; line < wager->line_count; line++)
            add(points, COVER_LINES, "%s %s paid for %s", wager->name, wager->tables[table].name,
                wager->lines[line].name);
        add(points, COVER_LINES, "%s %s with a hand that it does not pay", wager->name,
            wager->tables[table].name);
    }
}

static void add_decisions(struct cover_points *points)
{
    static const char *const ordinal[STAGES_MAX] = {"first", "second", "third"};

    for (unsigned stage = 0; stage < points->game->stage_count; stage++)
        for (unsigned i = 0; i < 2; i++)
            points->decision[stage][i] = add(
                points, COVER_DECISIONS, "a %s as the %s decision",
                decision_names[points->game->stages[stage].choices[i].decision], ordinal[stage]);
}

static void add_table(struct cover_points *points)
{
    static const char *const names[COVER_WITHOUT] = {
        [COVER_PACKETS] = "a deal in packets",
        [COVER_CARDS] = "a deal card by card",
        [COVER_BURN] = "a house burn",
        [COVER_DECK_1] = "a round from the first of two decks",
        [COVER_DECK_2] = "a round from the second of two decks",
        [COVER_ALONE] = "a seat that plays alone",
        [COVER_FULL] = "seven seats at once",
        [COVER_GAP] = "an empty seat between two that play",
        [COVER_STAKES] = "two seats with different antes",
        [COVER_ALL_FOLD] = "a round in which everybody folds",
        [COVER_VOID_FIRST] = "a misdeal before the first card",
        [COVER_VOID_DEAL] = "a misdeal in the middle of the deal",
        [COVER_VOID_DEALT] = "a misdeal after the deal",
        [COVER_VOID_DRAW] = "a misdeal among the draws",
        [COVER_CANCELLED] = "a round that was cancelled",
    };
    const struct game *game = points->game;

    for (unsigned i = 0; i < COVER_WITHOUT; i++) {
        bool is_known = (i != COVER_CARDS || game->card_at_a_time) &&
                        (i != COVER_VOID_DRAW || game->draws) &&
                        (i != COVER_CANCELLED || points->progressive != NO_WAGER);

        points->table[i] = is_known ? add(points, COVER_TABLE, "%s", names[i]) : COVER_NONE;
    }
    for (unsigned i = 0; i < WAGERS_MAX; i++) {
        const struct wager *wager = &game->wagers[i];
        bool is_known = i < game->wager_count && !wager->required && !wager->by_decision;

        points->table[COVER_WITHOUT + i] =
            is_known ? add(points, COVER_TABLE, "a seat without %s", wager->name) : COVER_NONE;
    }
}

/* How meters are paid, as far as the sheet of the game knows it. */
static void add_roundings(struct cover_points *points)
{
    const struct game *game = points->game;
    int16_t *meter = points->meter;

    if (game->rounding == ROUNDING_CENTS)
        meter[COVER_CENT_LEFT] =
            add(points, COVER_METERS, "a meter won with part of a cent, which stays in it");
    if (game->rounding == ROUNDING_UP || game->rounding_open)
        meter[COVER_ROUNDED_UP] = add(points, COVER_METERS, "a meter rounded up to the dollar");
    if (!game->rounding_open)
        return;
    meter[COVER_NEAREST_DOWN] =
        add(points, COVER_METERS, "a meter rounded down to the nearest dollar");
    meter[COVER_NEAREST_UP] = add(points, COVER_METERS, "a meter rounded up to the nearest dollar");
    meter[COVER_NEAREST_HALF] =
        add(points, COVER_METERS, "a meter of half a dollar rounded to the nearest");
}

static void add_must_hit(struct cover_points *points)
{
    static const char *const names[] = {"Must Hit that grows and is not won",
                                        "Must Hit won below its ceiling",
                                        "Must Hit won past its ceiling, the rest carried over",
                                        "Must Hit that stands at its ceiling"};

    for (unsigned i = 0; points->game->meter_count < METERS_MAX && i < 4; i++)
        points->meter[COVER_MUST_HIT_FED + i] = add(points, COVER_METERS, "%s", names[i]);
}

static void add_meters(struct cover_points *points)
{
    static const char *const corrected[] = {
        [CORRECTED_FIRST] = "a meter corrected before the awards",
        [CORRECTED_PAID] = "a meter corrected after an award",
        [CORRECTED_LAST] = "a meter corrected after the end of the round"};
    const struct game *game = points->game;

    if (!game->meter_count)
        return;
    for (unsigned i = 0; i < game->meter_count; i++) {
        points->meter[COVER_FED + i] =
            add(points, COVER_METERS, "meter %s fed", game->meters[i].name);
        points->meter[COVER_WON + i] =
            add(points, COVER_METERS, "meter %s won", game->meters[i].name);
    }
    points->meter[COVER_WON_TWICE] = add(points, COVER_METERS, "one meter won twice in a round");
    points->meter[COVER_TWO_WINNERS] =
        add(points, COVER_METERS, "two seats that win the progressive in one round");
    add_roundings(points);
    add_must_hit(points);
    for (unsigned i = 0; i <= CORRECTED_LAST; i++)
        points->meter[COVER_CORRECTED + i] = add(points, COVER_METERS, "%s", corrected[i]);
}

static void add_refusals(struct cover_points *points)
{
    for (unsigned i = 0; i < REFUSALS; i++) {
        const struct cover_refusal *refusal = &cover_refusals[i];

        if (refusal->name && (!refusal->concerns || refusal->concerns(points->game)))
            points->refusal[i] = add(points, COVER_REFUSALS, "%s", refusal->name);
    }
}

static void add_keys(struct cover_points *points)
{
    for (unsigned state = TERMINAL_IDLE; state < TERMINAL_STATES; state++)
        for (unsigned key = TERMINAL_START_ROUND; key < TERMINAL_KEYS; key++) {
            struct terminal_press press = {.key = (enum terminal_key)key, .hand = TERMINAL_NONE};
            char text[TERMINAL_KEY_TEXT];

            points->step[COVER_PRESSED + state * TERMINAL_KEYS + key] =
                add(points, COVER_KEYS, "%s while %s",
                    key == TERMINAL_SEAT ? "a seat" : terminal_key_name(&press, NULL, text),
                    terminal_state_text(state));
        }
    for (unsigned why = TERMINAL_NO_WAGERS; why < TERMINAL_REFUSALS; why++)
        points->step[COVER_KEY_REFUSED + why] =
            add(points, COVER_KEYS, "a key refused because %s", terminal_refusal_text(why));
    points->step[COVER_WRONG_ADMIN] = add(points, COVER_KEYS, "a wrong code of the administrator");
    points->step[COVER_TOO_SOON] =
        add(points, COVER_KEYS, "wagers that change after a START ROUND that came too soon");
}

void cover_points_init(struct cover_points *points, const struct game *game)
{
    memset(points, 0xff, sizeof *points); /* COVER_NONE in every number */
    points->game = game;
    points->progressive = game_progressive(game);
    points->count = 0;
    for (unsigned i = 0; i < game->wager_count; i++)
        add_lines(points, i);
    points->hand = (int16_t)points->count;
    for (unsigned i = 0; i < game->point_count; i++)
        add(points, COVER_HANDS, "%s", game->points[i]);
    add_decisions(points);
    add_table(points);
    add_meters(points);
    add_refusals(points);
    if (points->progressive != NO_WAGER)
        add_keys(points);
}

int cover_points_find(const struct cover_points *points, const char *name)
{
    for (unsigned i = 0; i < points->count; i++)
        if (!strcmp(points->point[i].name, name))
            return (int)i;
    return COVER_NONE;
}
