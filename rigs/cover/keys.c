/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "devices/terminal/walk.h"
#include "rigs/cover/see.h"
#include "rigs/recording/steps.h"

struct walker {
    const struct cover_points *points;
    struct terminal_walk walk;
    struct terminal_config config; /* names of hands alone */
    seats_t taken_back;            /* wagers of a START ROUND that was cancelled; 0: of none */
    struct cover_set *set;
};

/* START ROUND, CANCEL ROUND, other wagers, START ROUND: the first one came too soon. */
static void see_start(struct walker *walker, enum terminal_key key)
{
    seats_t laid = walker->walk.laid;

    if (key == TERMINAL_CANCEL_ROUND)
        walker->taken_back = laid;
    if (key == TERMINAL_START_ROUND && walker->taken_back && walker->taken_back != laid)
        cover_add(walker->set, walker->points->step[COVER_TOO_SOON]);
    if (key == TERMINAL_START_ROUND || key == TERMINAL_END_ROUND)
        walker->taken_back = 0;
}

static void press(struct walker *walker, const struct terminal_press *key)
{
    const struct cover_points *points = walker->points;
    enum terminal_state state = walker->walk.state;
    int refusal = terminal_walk_press(&walker->walk, key);

    cover_add(walker->set,
              points->step[COVER_PRESSED + (unsigned)state * TERMINAL_KEYS + (unsigned)key->key]);
    if (refusal > TERMINAL_WRONG_STATE)
        cover_add(walker->set, points->step[COVER_KEY_REFUSED + refusal]);
    if (!refusal)
        see_start(walker, key->key);
}

static void step(struct walker *walker, const char *text, const struct meters *meters)
{
    struct correction correction;
    struct terminal_press key;
    seats_t seats;

    if (recording_step_correction(text, meters, &correction, NULL))
        return;
    if (recording_step_wagers(text, &seats)) {
        walker->walk.laid = walker->walk.sensed = seats;
        return;
    }
    if (terminal_key_parse(text, &walker->config, &key, NULL))
        return;
    if (key.key == TERMINAL_WRONG_ADMIN) {
        cover_add(walker->set, walker->points->step[COVER_WRONG_ADMIN]);
        return;
    }
    /* "hand" alone is the one that was won. */
    if (key.key == TERMINAL_HAND && key.hand == TERMINAL_NONE)
        key.hand = 0;
    press(walker, &key);
}

/* START ROUND, each winner from the right to the left, END ROUND; or CANCEL ROUND. */
static void press_regular(struct walker *walker, const struct recording_round *recorded,
                          const struct settlement *settlement)
{
    static const enum terminal_key approval[] = {TERMINAL_HAND,        TERMINAL_PENDING_JACKPOT,
                                                 TERMINAL_PAY_JACKPOT, TERMINAL_CODE,
                                                 TERMINAL_PAY_JACKPOT, TERMINAL_OK};
    const struct round *round = &recorded->round;
    seats_t winners = cover_winners(walker->points, settlement, round);

    press(walker, &(struct terminal_press){.key = TERMINAL_START_ROUND});
    for (unsigned seat = SEATS_MAX; seat; seat--) {
        if (!(winners & seat_bit(seat)))
            continue;
        press(walker, &(struct terminal_press){.key = TERMINAL_SEAT, .seat = (uint8_t)seat});
        for (unsigned i = 0; i < sizeof approval / sizeof approval[0]; i++)
            press(walker, &(struct terminal_press){.key = approval[i]});
    }
    press(walker, &(struct terminal_press){.key = round->is_void ? TERMINAL_CANCEL_ROUND
                                                                 : TERMINAL_END_ROUND});
}

void cover_see_keys(const struct cover_table_state *state, const struct recording_round *recorded,
                    const struct settlement *settlement, struct cover_set *set)
{
    const struct wager *wager = &state->points->game->wagers[state->points->progressive];
    seats_t paid = recording_steps_begin(state->points->game, &recorded->round).paid;
    struct walker walker = {
        .points = state->points,
        .walk = {.state = TERMINAL_IDLE, .laid = paid, .sensed = paid, .hands = wager->line_count},
        .config = {.hand_count = wager->line_count},
        .set = set};

    for (unsigned i = 0; i < wager->line_count; i++)
        walker.config.hands[i].name = wager->lines[i].name;
    if (recorded->keys)
        JSON_EACH (key, recorded->keys)
            step(&walker, json_chars(key), &state->header.meters);
    else if (paid)
        press_regular(&walker, recorded, settlement);
}
