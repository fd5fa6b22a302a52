/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rounds that the rules refuse, made of legal ones: one thing is wrong with each. */
#include <stdio.h>
#include <string.h>

#include "rigs/cover/make.h"
#include "rigs/recording/steps.h"

struct wrong {
    const struct cover_table_state *state;
    struct made_round *made;
    struct round *round;
    unsigned seat; /* one that plays */
    uint64_t *random;
};

static unsigned wager_where(const struct wrong *wrong, bool (*is)(const struct wager *wager))
{
    const struct game *game = wrong->state->points->game;
    unsigned i = 0;

    while (i < game->wager_count && !is(&game->wagers[i]))
        i++;
    return i;
}

static bool is_by_decision(const struct wager *wager)
{
    return wager->by_decision;
}

static bool is_progressive(const struct wager *wager)
{
    return wager->progressive;
}

static bool is_equal(const struct wager *wager)
{
    return wager->equal_to != NO_WAGER;
}

static bool leave_out_ante(struct wrong *wrong)
{
    unsigned optional = wrong->state->points->game->wager_count - 1u;

    wrong->round->bets[wrong->seat][optional] = 500;
    wrong->round->bets[wrong->seat][0] = 0;
    return true;
}

static bool stake_decided(struct wrong *wrong)
{
    wrong->round->bets[wrong->seat][wager_where(wrong, is_by_decision)] = 500;
    return true;
}

static bool stake_progressive(struct wrong *wrong)
{
    wrong->round->bets[wrong->seat][wager_where(wrong, is_progressive)] = 400;
    return true;
}

static bool stake_unequal(struct wrong *wrong)
{
    wrong->round->bets[wrong->seat][wager_where(wrong, is_equal)] += 100;
    return true;
}

static bool drop_decision(struct wrong *wrong)
{
    wrong->round->decision_count[wrong->seat]--;
    return true;
}

/* The one of the three that the stage does not offer. */
static bool decide_wrongly(struct wrong *wrong)
{
    const struct game *game = wrong->state->points->game;
    uint8_t *count = &wrong->round->decision_count[wrong->seat];
    const struct stage *stage = &game->stages[*count - 1u];

    for (unsigned decision = 0; decision < DECISION_COUNT; decision++)
        if (decision != stage->choices[0].decision && decision != stage->choices[1].decision) {
            wrong->round->decisions[wrong->seat][*count - 1] = (uint8_t)decision;
            return true;
        }
    return false;
}

static bool decide_again(struct wrong *wrong)
{
    uint8_t *count = &wrong->round->decision_count[wrong->seat];

    if (*count >= wrong->state->points->game->stage_count && *count >= STAGES_MAX)
        return false;
    wrong->round->decisions[wrong->seat][(*count)++] = DECISION_FOLD;
    return true;
}

static bool decide_without_bets(struct wrong *wrong)
{
    static const char *const plays[SEATS_MAX + 1] = {
        NULL,
        "\"1\":[\"fold\"],",
        "\"2\":[\"fold\"],",
        "\"3\":[\"fold\"],",
        "\"4\":[\"fold\"],",
        "\"5\":[\"fold\"],",
        "\"6\":[\"fold\"],",
        "\"7\":[\"fold\"],",
    };

    for (unsigned seat = 1; seat <= SEATS_MAX; seat++)
        if (!(wrong->round->seats & seat_bit(seat))) {
            wrong->made->extra_play = plays[seat];
            return true;
        }
    return false;
}

static bool take_bets_away(struct wrong *wrong)
{
    wrong->round->seats = 0;
    return true;
}

static bool deal_twice(struct wrong *wrong)
{
    wrong->round->dealt[wrong->round->dealt_count - 1] = wrong->round->dealt[0];
    return true;
}

static bool drop_packet(struct wrong *wrong)
{
    struct round *round = wrong->round;

    round->dealt_count = (uint8_t)(round->dealt_count - round->packet[--round->packet_count]);
    return true;
}

static bool shorten_packet(struct wrong *wrong)
{
    struct round *round = wrong->round;
    uint8_t *last = &round->packet[round->packet_count - 1];

    if (*last == 1)
        return false; /* a draw, or a deal card by card: no packet is left of it */
    --*last;
    round->dealt_count--;
    return true;
}

static card_t unused_card(const struct round *round)
{
    hand_t dealt = hand_of(round->dealt, round->dealt_count);

    for (unsigned i = 0; i < DECK_SIZE; i++)
        if (!(dealt & hand_card(card_from_index(i))))
            return card_from_index(i);
    return CARD_NONE;
}

static bool add_packet(struct wrong *wrong)
{
    struct round *round = wrong->round;
    card_t card = unused_card(round);

    if (card == CARD_NONE || round->packet_count == PACKETS_MAX)
        return false;
    round->dealt[round->dealt_count++] = card;
    round->packet[round->packet_count++] = 1;
    return true;
}

static void copy_seat(struct round *round, unsigned from, unsigned to)
{
    round->seats |= seat_bit(to);
    memcpy(round->bets[to], round->bets[from], sizeof round->bets[to]);
    memcpy(round->decisions[to], round->decisions[from], sizeof round->decisions[to]);
    round->decision_count[to] = round->decision_count[from];
}

/* More than a deck has left after a large burn. */
static bool seat_everybody(struct wrong *wrong)
{
    for (unsigned seat = 1; seat <= SEATS_MAX; seat++)
        if (seat != wrong->seat)
            copy_seat(wrong->round, wrong->seat, seat);
    return true;
}

static bool draw_undecided(struct wrong *wrong)
{
    struct deal_step steps[PACKETS_MAX];
    struct round *round = wrong->round;

    if (round->packet_count <= game_deal(&wrong->state->header.setup, round->seats, steps))
        return false;
    round->is_void = round->cancelled = true;
    round->decision_count[wrong->seat] = 0;
    return true;
}

/* After a large burn two seats can be dealt to, but not both draw. */
static bool draw_too_many(struct wrong *wrong)
{
    struct round *round = wrong->round;
    struct deal_step steps[PACKETS_MAX];
    unsigned needed = 0;
    size_t count;

    copy_seat(round, wrong->seat, wrong->seat == 1 ? 2 : 1);
    count = game_deal(&wrong->state->header.setup, round->seats, steps);
    for (size_t i = 0; i < count; i++) {
        round->packet[i] = steps[i].cards;
        needed += steps[i].cards;
    }
    round->packet_count = (uint8_t)count;
    if (round->dealt_count > needed)
        round->dealt_count = (uint8_t)needed;
    while (round->dealt_count < needed) {
        card_t card = unused_card(round);

        round->dealt[round->dealt_count++] = card;
    }
    return count;
}

static bool award_to_nobody(struct wrong *wrong)
{
    for (unsigned seat = 1; seat <= SEATS_MAX; seat++)
        if (!(wrong->round->seats & seat_bit(seat))) {
            wrong->round->must_hit_seat = (uint8_t)seat;
            return true;
        }
    return false;
}

static bool award_unpaid(struct wrong *wrong)
{
    wrong->round->bets[wrong->seat][wager_where(wrong, is_progressive)] = 0;
    wrong->round->must_hit_seat = (uint8_t)wrong->seat;
    return true;
}

/* Without a wager there is no round on the terminal that could be cancelled. */
static bool award_cancelled(struct wrong *wrong)
{
    wrong->round->must_hit_seat = (uint8_t)wrong->seat;
    wrong->round->cancelled = true;
    return wrong->round->bets[wrong->seat][wager_where(wrong, is_progressive)];
}

static bool cancel(struct wrong *wrong)
{
    wrong->round->cancelled = true;
    return true;
}

static bool press(struct wrong *wrong, const char *keys)
{
    seats_t paid = recording_steps_begin(wrong->state->points->game, wrong->round).paid;

    snprintf(wrong->made->keys, sizeof wrong->made->keys, "%s", keys);
    return paid;
}

static bool lay_late(struct wrong *wrong)
{
    return press(wrong, "\"start-round\",\"wagers:1\",\"end-round\"");
}

#define AWARD                                                                                      \
    "\"seat-%u\",\"hand\",\"pending-jackpot\",\"pay-jackpot\",\"code\",\"pay-jackpot\",\"ok\","

/* "correct-meter:NAME=VALUE", of the first meter. */
static void put_correction(const struct wrong *wrong, char text[64])
{
    const struct meter *meter = &wrong->state->header.meters.meter[0];
    char value[MICROS_TEXT_SIZE];

    micros_format(meter->reseed, value);
    snprintf(text, 64, "\"correct-meter:%s=%s\",", meter->name, value);
}

static bool correct_between(struct wrong *wrong)
{
    seats_t paid = recording_steps_begin(wrong->state->points->game, wrong->round).paid;
    unsigned first = paid ? (unsigned)__builtin_ctz(paid) : 0;
    seats_t others = paid & ~seat_bit(first);
    char correction[64];

    if (!others)
        return false;
    put_correction(wrong, correction);
    snprintf(wrong->made->keys, MAKE_KEYS_SIZE, "\"start-round\"," AWARD "%s" AWARD "\"end-round\"",
             (unsigned)__builtin_ctz(others), correction, first);
    return true;
}

static bool correct_often(struct wrong *wrong)
{
    char correction[64];
    char *keys = wrong->made->keys;
    size_t used = (size_t)snprintf(keys, MAKE_KEYS_SIZE, "\"start-round\",");

    put_correction(wrong, correction);
    for (unsigned i = 0; i <= CORRECTIONS_MAX; i++)
        used += (size_t)snprintf(keys + used, MAKE_KEYS_SIZE - used, "%s", correction);
    snprintf(keys + used, MAKE_KEYS_SIZE - used, "\"end-round\"");
    return true;
}

static bool start_with_others(struct wrong *wrong)
{
    seats_t paid = recording_steps_begin(wrong->state->points->game, wrong->round).paid;

    return press(wrong, paid == seat_bit(1) ? "\"wagers:2\",\"start-round\",\"end-round\""
                                            : "\"wagers:1\",\"start-round\",\"end-round\"");
}

static bool leave_alone(struct wrong *wrong)
{
    (void)wrong;
    return true;
}

static bool (*const ways[REFUSALS])(struct wrong *wrong) = {
    [REFUSED_WAGER_MISSING] = leave_out_ante,
    [REFUSED_STAKE_DECIDED] = stake_decided,
    [REFUSED_STAKE_FIXED] = stake_progressive,
    [REFUSED_STAKE_UNEQUAL] = stake_unequal,
    [REFUSED_DECISION_MISSING] = drop_decision,
    [REFUSED_DECISION_WRONG] = decide_wrongly,
    [REFUSED_DECISION_AFTER] = decide_again,
    [REFUSED_DECISION_WITHOUT_BETS] = decide_without_bets,
    [REFUSED_NO_BETS] = take_bets_away,
    [REFUSED_CARD_TWICE] = deal_twice,
    [REFUSED_PACKET_MISSING] = drop_packet,
    [REFUSED_PACKET_SIZE] = shorten_packet,
    [REFUSED_PACKET_AFTER] = add_packet,
    [REFUSED_SEATS] = seat_everybody,
    [REFUSED_DRAW_UNDECIDED] = draw_undecided,
    [REFUSED_DRAWS] = draw_too_many,
    [REFUSED_MUST_HIT_SEAT] = award_to_nobody,
    [REFUSED_MUST_HIT_UNPAID] = award_unpaid,
    [REFUSED_MUST_HIT_CANCELLED] = award_cancelled,
    [REFUSED_MUST_HIT_CEILING] = leave_alone,
    [REFUSED_METER_CANCELLED] = cancel,
    [REFUSED_METER_FULL] = leave_alone,
    [REFUSED_WAGERS_LATE] = lay_late,
    [REFUSED_CORRECTED_BETWEEN] = correct_between,
    [REFUSED_CORRECTED_OFTEN] = correct_often,
    [REFUSED_STARTED_OTHERWISE] = start_with_others,
};

bool make_refused(const struct cover_table_state *state, unsigned refusal, uint64_t *random,
                  struct made_round *made)
{
    struct wrong wrong = {
        .state = state, .made = made, .round = &made->recorded.round, .random = random};

    do
        wrong.seat = 1 + make_random(random, SEATS_MAX);
    while (!(wrong.round->seats & seat_bit(wrong.seat)));
    return refusal < REFUSALS && ways[refusal] && ways[refusal](&wrong);
}
