/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keys of a round that pay what is due and try on the way what must be refused. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "devices/terminal/walk.h"
#include "rigs/cover/make.h"
#include "rigs/recording/steps.h"

/* So many keys a round is given at most, though it may have more; an approval takes eight. */
#define KEYS_MAX      60
#define APPROVAL_KEYS 8

struct tour {
    const struct cover_points *points;
    struct cover_set seen;
    struct terminal_walk walk;
    unsigned count, winners; /* keys so far; winners that are still to be paid */
    bool is_straight;        /* nothing is tried */
    char *out;
    size_t used;
};

static void __attribute__((format(printf, 2, 3))) emit(struct tour *tour, const char *format, ...)
{
    va_list arguments;
    char key[64];

    va_start(arguments, format);
    vsnprintf(key, sizeof key, format, arguments);
    va_end(arguments);
    tour->used += (size_t)snprintf(tour->out + tour->used, MAKE_KEYS_SIZE - tour->used, "%s\"%s\"",
                                   tour->count ? "," : "", key);
    tour->count++;
}

static int pressed_point(const struct tour *tour, enum terminal_key key)
{
    return tour->points
        ->step[COVER_PRESSED + (unsigned)tour->walk.state * TERMINAL_KEYS + (unsigned)key];
}

static bool is_unseen(const struct tour *tour, int point)
{
    return point >= 0 && !cover_has(&tour->seen, (unsigned)point);
}

/* Whether there is room for so many keys beside those that must come. */
static bool has_room(const struct tour *tour, unsigned keys)
{
    return !tour->is_straight && tour->count + keys + tour->winners * APPROVAL_KEYS + 2 <= KEYS_MAX;
}

static void press(struct tour *tour, const struct terminal_press *key)
{
    char text[TERMINAL_KEY_TEXT];
    int point = pressed_point(tour, key->key);
    int refusal = terminal_walk_press(&tour->walk, key);

    cover_add(&tour->seen, point);
    if (refusal > TERMINAL_WRONG_STATE)
        cover_add(&tour->seen, tour->points->step[COVER_KEY_REFUSED + refusal]);
    emit(tour, "%s", terminal_key_name(key, NULL, text));
}

static void press_key(struct tour *tour, enum terminal_key key)
{
    /* Which hand has won the run knows. */
    press(tour, &(struct terminal_press){.key = key});
}

/* Presses it if it must be refused and nobody has seen that yet. */
static void try(struct tour *tour, const struct terminal_press *key)
{
    struct terminal_walk tried = tour->walk;
    int refusal = terminal_walk_press(&tried, key);

    if (!refusal || tried.state != tour->walk.state || !has_room(tour, 1))
        return;
    if (is_unseen(tour, pressed_point(tour, key->key)) ||
        (refusal > TERMINAL_WRONG_STATE &&
         is_unseen(tour, tour->points->step[COVER_KEY_REFUSED + refusal])))
        press(tour, key);
}

static void try_all(struct tour *tour)
{
    for (unsigned key = TERMINAL_START_ROUND; key < TERMINAL_KEYS; key++)
        if (key != TERMINAL_SEAT && key != TERMINAL_CODE)
            try(tour, &(struct terminal_press){.key = (enum terminal_key)key});
    for (unsigned seat = 1; seat <= SEATS_MAX; seat++)
        try(tour, &(struct terminal_press){.key = TERMINAL_SEAT, .seat = (uint8_t)seat});
    try(tour, &(struct terminal_press){.key = TERMINAL_HAND, .hand = TERMINAL_UNKNOWN});
    try(tour, &(struct terminal_press){.key = TERMINAL_CODE, .is_wrong = true});
    if (tour->walk.state != TERMINAL_CODE_ENTRY)
        try(tour, &(struct terminal_press){.key = TERMINAL_CODE});
}

/* Leaves the approval by a way out that nobody has taken yet. */
static bool leave(struct tour *tour, enum terminal_key key)
{
    if (!has_room(tour, APPROVAL_KEYS) || !is_unseen(tour, pressed_point(tour, key)))
        return false;
    press_key(tour, key);
    return true;
}

static bool lock(struct tour *tour)
{
    if (!has_room(tour, APPROVAL_KEYS + TERMINAL_CODE_TRIES) ||
        !is_unseen(tour, tour->points->step[COVER_KEY_REFUSED + TERMINAL_CODE_LOCKED]))
        return false;
    while (tour->walk.state == TERMINAL_CODE_ENTRY)
        press(tour, &(struct terminal_press){.key = TERMINAL_CODE, .is_wrong = true});
    return true;
}

/* False: the approval was left before anything was paid. */
static bool approve(struct tour *tour, unsigned seat)
{
    try_all(tour);
    press(tour, &(struct terminal_press){.key = TERMINAL_SEAT, .seat = (uint8_t)seat});
    try_all(tour);
    if (leave(tour, TERMINAL_NO_HAND))
        return false;
    press_key(tour, TERMINAL_HAND);
    try_all(tour);
    press_key(tour, TERMINAL_PENDING_JACKPOT);
    try_all(tour);
    if (leave(tour, TERMINAL_CANCEL_JACKPOT))
        return false;
    press_key(tour, TERMINAL_PAY_JACKPOT);
    try_all(tour);
    if (leave(tour, TERMINAL_ESC) || lock(tour))
        return false;
    press_key(tour, TERMINAL_CODE);
    try_all(tour);
    press_key(tour, TERMINAL_PAY_JACKPOT);
    try_all(tour);
    press_key(tour, TERMINAL_OK);
    return true;
}

static void put_seats(seats_t seats, char text[2 * SEATS_MAX + 1])
{
    size_t length = 0;

    text[0] = '\0';
    for (unsigned seat = 1; seat <= SEATS_MAX; seat++)
        if (seats & seat_bit(seat))
            length += (size_t)snprintf(text + length, 2 * SEATS_MAX + 1 - length, "%s%u",
                                       length ? "," : "", seat);
}

/* START ROUND without a wager, and one that came too soon: before the second of them lay there. */
static void try_wagers(struct tour *tour, seats_t paid)
{
    const struct cover_points *points = tour->points;
    char all[2 * SEATS_MAX + 1];

    put_seats(paid, all);
    if (has_room(tour, 3) &&
        is_unseen(tour, points->step[COVER_KEY_REFUSED + TERMINAL_NO_WAGERS])) {
        emit(tour, "wagers:");
        tour->walk.laid = tour->walk.sensed = 0;
        press_key(tour, TERMINAL_START_ROUND);
        emit(tour, "wagers:%s", all);
        tour->walk.laid = tour->walk.sensed = paid;
    }
    if (paid & (paid - 1) && has_room(tour, 4) && is_unseen(tour, points->step[COVER_TOO_SOON])) {
        emit(tour, "wagers:%d", __builtin_ctz(paid));
        emit(tour, "start-round");
        emit(tour, "cancel-round");
        emit(tour, "wagers:%s", all);
    }
}

/* Sets a meter where nobody has seen it set yet. */
static void correct(struct tour *tour, enum correction_stage stage, const struct meters *meters,
                    unsigned meter)
{
    char value[MICROS_TEXT_SIZE];

    if (!is_unseen(tour, tour->points->meter[COVER_CORRECTED + stage]))
        return;
    micros_format(meters->meter[meter].reseed + 123 * MICROS_PER_DOLLAR + 450000, value);
    emit(tour, "correct-meter:%s=%s", meters->meter[meter].name, value);
}

void make_keys(const struct cover_points *points, const struct settlement *settlement,
               const struct meters *meters, const struct cover_set *seen, uint64_t *random,
               struct made_round *made)
{
    const struct round *round = &made->recorded.round;
    seats_t paid = recording_steps_begin(points->game, round).paid;
    seats_t winners = cover_winners(points, settlement, round);
    unsigned meter = make_random(random, points->game->meter_count);
    bool corrects = !make_random(random, 4);
    struct tour tour = {.points = points,
                        .seen = *seen,
                        .walk = {.state = TERMINAL_IDLE,
                                 .laid = paid,
                                 .sensed = paid,
                                 .hands = points->game->wagers[points->progressive].line_count},
                        .winners = (unsigned)__builtin_popcount(winners),
                        .is_straight = corrects,
                        .out = made->keys};

    if (!paid)
        return;
    try_wagers(&tour, paid);
    try_all(&tour);
    press_key(&tour, TERMINAL_START_ROUND);
    if (corrects)
        correct(&tour, CORRECTED_FIRST, meters, meter);
    else if (is_unseen(&tour, points->step[COVER_WRONG_ADMIN]) && has_room(&tour, 1))
        emit(&tour, "wrong-admin");
    for (unsigned seat = SEATS_MAX; seat; seat--) {
        while (winners & seat_bit(seat) && !approve(&tour, seat))
            continue;
        tour.winners -= winners & seat_bit(seat) ? 1 : 0;
    }
    try_all(&tour);
    if (corrects && winners)
        correct(&tour, CORRECTED_PAID, meters, meter);
    press_key(&tour, TERMINAL_END_ROUND);
    if (corrects)
        correct(&tour, CORRECTED_LAST, meters, meter);
}
