/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/recording/steps.h"

#include <stdio.h>
#include <string.h>

#include "hal/base/names.h"

#define HAND    "hand:"
#define WAGERS  "wagers:"
#define CORRECT "correct-meter:"

bool recording_step_wagers(const char *text, seats_t *seats)
{
    if (strncmp(text, WAGERS, sizeof WAGERS - 1) != 0)
        return false;
    *seats = 0;
    for (text += sizeof WAGERS - 1; *text; text += 1 + (text[1] == ',' && text[2]))
        if (text[0] < '1' || text[0] > '0' + SEATS_MAX || (text[1] && text[1] != ',') ||
            (text[1] && !text[2]))
            return false;
        else
            *seats |= seat_bit((unsigned)(text[0] - '0'));
    return true;
}

struct recording_steps recording_steps_begin(const struct game *game, const struct round *round)
{
    struct recording_steps steps = {0};
    int wager = game_progressive(game);

    if (wager >= 0)
        steps.wager = &game->wagers[wager];
    for (unsigned seat = 1; wager >= 0 && seat <= SEATS_MAX; seat++)
        if (round->bets[seat][wager])
            steps.paid |= seat_bit(seat);
    steps.walk = (struct terminal_walk){
        .state = TERMINAL_IDLE, .laid = steps.paid, .sensed = steps.paid, .hands = 1};
    return steps;
}

int recording_step_correction(const char *text, const struct meters *meters,
                              struct correction *correction, struct error *error)
{
    struct meters tried = *meters;
    char name[16] = "";
    size_t length;

    if (strncmp(text, CORRECT, sizeof CORRECT - 1) != 0)
        return 0;
    text += sizeof CORRECT - 1;
    length = strcspn(text, "=");
    if (length >= sizeof name || !text[length])
        return error_set(error, ERROR_RULE,
                         "a correction is written as correct-meter:NAME=DOLLARS, not '%.40s'",
                         text);
    memcpy(name, text, length);
    if (micros_parse(text + length + 1, &correction->value, error) ||
        meters_open(&tried, name, correction->value, error)) {
        error_prefix(error, "correct-meter");
        return error->code = ERROR_RULE;
    }
    correction->meter = 0;
    while (strcmp(meters->meter[correction->meter].name, name) != 0)
        correction->meter++;
    return 1;
}

/* Where it stands among the awards and the end of the round. */
static int add_correction(struct recording_steps *steps, const struct correction *correction,
                          struct round *round, struct error *error)
{
    struct correction *added = &round->corrections[round->correction_count];

    if (steps->walk.state > TERMINAL_OPEN)
        return 0; /* in an approval the terminal refuses it */
    if (round->correction_count == CORRECTIONS_MAX)
        return error_refuse(error, REFUSED_CORRECTED_OFTEN,
                            "more than %d corrections of meters in a round", CORRECTIONS_MAX);
    round->correction_count++;
    *added = *correction;
    added->stage = steps->closed == TERMINAL_END_ROUND ? CORRECTED_LAST
                   : steps->has_paid                   ? CORRECTED_PAID
                                                       : CORRECTED_FIRST;
    steps->is_fixed |= added->stage == CORRECTED_PAID;
    return 0;
}

static int take_award(struct recording_steps *steps, struct error *error)
{
    if (steps->is_fixed)
        return error_refuse(error, REFUSED_CORRECTED_BETWEEN,
                            "a meter is corrected between two awards; correct it before the first "
                            "or after the last one");
    steps->has_paid = true;
    return 0;
}

/* What a key that the terminal has taken means for the round. */
static int follow(struct recording_steps *steps, enum terminal_key key, struct error *error)
{
    if (key == TERMINAL_END_ROUND || key == TERMINAL_CANCEL_ROUND)
        steps->closed = key;
    if (key == TERMINAL_OK)
        return take_award(steps, error);
    if (key != TERMINAL_START_ROUND)
        return 0;
    if (steps->closed == TERMINAL_END_ROUND)
        return error_set(error, ERROR_RULE,
                         "start-round after the round was ended; write what follows as a round of "
                         "its own");
    steps->locked = steps->walk.laid;
    steps->has_paid = steps->is_fixed = false;
    return 0;
}

/* The terminal's list has the lines of the progressive wager. */
static int check_hand(const struct wager *wager, const char *name, struct error *error)
{
    struct name_list lines;

    name_list_start(&lines);
    for (unsigned i = 0; i < wager->line_count; i++) {
        if (!strcmp(wager->lines[i].name, name))
            return 0;
        name_list_add(&lines, wager->lines[i].name);
    }
    return error_set(error, ERROR_RULE,
                     "keys: '" HAND "%.40s' names no hand of %s; unknown-hand is the key for one "
                     "that the terminal has not, and it has %s",
                     name, wager->name, name_list_text(&lines));
}

/* A key that the terminal refuses does nothing. */
static int press(struct recording_steps *steps, const char *text, struct error *error)
{
    bool is_named = !strncmp(text, HAND, sizeof HAND - 1);
    struct terminal_press key;

    if (is_named && check_hand(steps->wager, text + sizeof HAND - 1, error))
        return error->code;
    /* Which hand it is matters to a run alone: one hand stands for all that are in the list. */
    if (terminal_key_parse(is_named ? "hand" : text, NULL, &key, error))
        return error->code;
    if (key.hand == TERMINAL_NONE)
        key.hand = 0;
    if (key.key == TERMINAL_WRONG_ADMIN || terminal_walk_press(&steps->walk, &key))
        return 0;
    return follow(steps, key.key, error);
}

int recording_steps_take(struct recording_steps *steps, const char *key,
                         const struct meters *meters, struct round *round, struct error *error)
{
    struct correction correction = {0};
    int corrects = recording_step_correction(key, meters, &correction, error);
    seats_t seats;

    if (corrects)
        return corrects < 0 ? corrects : add_correction(steps, &correction, round, error);
    if (recording_step_wagers(key, &seats)) {
        if (steps->walk.state != TERMINAL_IDLE)
            return error_refuse(error, REFUSED_WAGERS_LATE,
                                "%s in a round that is open: they are late", key);
        steps->walk.laid = steps->walk.sensed = seats;
        return 0;
    }
    return press(steps, key, error);
}

/* "1, 4", or "no seat". */
static const char *seats_text(seats_t seats, char text[4 * SEATS_MAX])
{
    size_t length = 0;

    for (unsigned seat = 1; seat <= SEATS_MAX; seat++)
        if (seats & seat_bit(seat))
            length += (size_t)snprintf(text + length, 4 * SEATS_MAX - length, "%s%u",
                                       length ? ", " : "", seat);
    return length ? text : "no seat";
}

int recording_steps_end(const struct recording_steps *steps, bool is_void, struct round *round,
                        struct error *error)
{
    char locked[4 * SEATS_MAX], paid[4 * SEATS_MAX];

    round->cancelled = steps->closed == TERMINAL_CANCEL_ROUND;
    if (steps->walk.state != TERMINAL_IDLE)
        return error_set(error, ERROR_RULE,
                         "after the last key %s; end the round with end-round or cancel-round",
                         terminal_state_text(steps->walk.state));
    if (is_void && steps->closed == TERMINAL_END_ROUND)
        return error_set(error, ERROR_RULE,
                         "the round is void, but its keys do not end with CANCEL ROUND");
    if (!is_void && steps->paid && !steps->closed)
        return error_set(error, ERROR_RULE,
                         "the bets have progressive wagers at %s, but no key starts the round; "
                         "press start-round and end-round, or leave out the keys",
                         seats_text(steps->paid, paid));
    if (steps->closed == TERMINAL_END_ROUND && steps->locked != steps->paid)
        return error_refuse(
            error, REFUSED_STARTED_OTHERWISE,
            "wagers lie at %s at the last START ROUND, but the bets have them at %s",
            seats_text(steps->locked, locked), seats_text(steps->paid, paid));
    return 0;
}

int recording_check_seats(const struct recording_round *round, unsigned seats, struct error *error)
{
    seats_t used = round->round.seats, laid;

    JSON_EACH (key, round->keys)
        if (recording_step_wagers(json_chars(key), &laid))
            used |= laid;
    for (unsigned seat = seats + 1; seat <= SEATS_MAX; seat++)
        if (used & seat_bit(seat))
            return error_set(
                error, ERROR_CONFIG,
                "round %jd: seat %u is played, but the table of the rig has %u seat%s; "
                "name a rig with more, or correct its field seats",
                (intmax_t)round->round.number, seat, seats, seats == 1 ? "" : "s");
    return 0;
}
