/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/cover/make.h"

#include <stdio.h>
#include <string.h>

#include "games/policy.h"
#include "hal/base/random.h"

unsigned make_random(uint64_t *random, unsigned limit)
{
    return (unsigned)((random_next(random) >> 32) * limit >> 32);
}

/* Cards to draw from: those of a pool while it has any left, now and then any. */
struct pool {
    hand_t cards;
    unsigned noise; /* of 4 */
};

#define ALL_CARDS HAND_LANES(0x1fffu)

/* A run of ranks; it may begin with the ace below the deuce. */
static unsigned run_ranks(uint64_t *random, unsigned length)
{
    unsigned from = make_random(random, RANK_COUNT + 2 - length);
    unsigned ranks = ((1u << length) - 1) << from; /* bit 0 is the low ace */

    return ranks >> 1 | (ranks & 1) << RANK_ACE;
}

static struct pool choose_pool(uint64_t *random)
{
    unsigned suit = make_random(random, SUIT_COUNT);
    unsigned length = 3 + make_random(random, 5);
    struct pool pool = {.cards = ALL_CARDS, .noise = make_random(random, 3)};

    switch (make_random(random, 7)) {
    case 0:
        pool.cards = (hand_t)0x1fff << 16 * suit;
        break;
    case 1:
    case 2:
        pool.cards = (hand_t)run_ranks(random, length) << 16 * suit;
        break;
    case 3:
        pool.cards = HAND_LANES(1u) << make_random(random, RANK_COUNT);
        break;
    case 4:
        pool.cards = HAND_LANES(1u) << make_random(random, RANK_COUNT) |
                     HAND_LANES(1u) << make_random(random, RANK_COUNT);
        break;
    case 5:
        pool.cards = HAND_LANES(1u) * run_ranks(random, 3);
        break;
    default:
        pool.cards = HAND_LANES(1u) * ((2u << make_random(random, RANK_COUNT)) - 1);
        break;
    }
    return pool;
}

/* Takes a card that is left out of the deck. */
static card_t take_card(hand_t *left, const struct pool *pool, uint64_t *random)
{
    hand_t from = *left & pool->cards;
    unsigned at;

    if (!from || make_random(random, 4) < pool->noise)
        from = *left;
    at = make_random(random, hand_count(from));
    while (at--)
        from &= from - 1;
    *left &= ~(from & -from);
    return (card_t)__builtin_ctzll(from);
}

/* Whose cards are drawn towards something. */
struct aim {
    unsigned seat; /* 0: nobody's */
    struct pool player, dealer, other;
};

static const struct pool *pool_of(const struct aim *aim, const struct deal_step *step)
{
    if (step->to == DEAL_TO_DEALER)
        return &aim->dealer;
    return (step->to == DEAL_TO_SEAT && step->seat == aim->seat) || step->to == DEAL_TO_BOARD
               ? &aim->player
               : &aim->other;
}

static void add_packet(struct round *round, const card_t *cards, unsigned count)
{
    memcpy(round->dealt + round->dealt_count, cards, count);
    round->dealt_count = (uint8_t)(round->dealt_count + count);
    round->packet[round->packet_count++] = (uint8_t)count;
}

/* Those that are aimed at draw first, or another seat would have taken their cards. */
static void deal(const struct aim *aim, const struct deal_step *steps, size_t count, hand_t *left,
                 uint64_t *random, struct round *round)
{
    card_t cards[PACKETS_MAX][DECK_SIZE];

    for (unsigned pass = 0; pass < 3; pass++)
        for (size_t i = 0; i < count; i++) {
            const struct pool *pool = pool_of(aim, &steps[i]);
            unsigned turn = pool == &aim->player ? 0 : pool == &aim->dealer ? 1 : 2;

            for (unsigned j = 0; turn == pass && j < steps[i].cards; j++)
                cards[i][j] = take_card(left, pool, random);
        }
    for (size_t i = 0; i < count; i++)
        add_packet(round, cards[i], steps[i].cards);
}

static void deal_draws(const struct game_setup *setup, const struct deal_step *steps, size_t count,
                       const struct aim *aim, hand_t *left, uint64_t *random, struct round *round)
{
    card_t hole[SEATS_MAX + 1][4] = {{0}};
    uint8_t held[SEATS_MAX + 1] = {0};
    seats_t in = 0, drawing;
    bool dealer_draws = false;
    unsigned card = 0;

    for (size_t i = 0; i < count; i++)
        for (unsigned j = 0; j < steps[i].cards; j++, card++)
            if (steps[i].to == DEAL_TO_SEAT || steps[i].to == DEAL_TO_DEALER)
                hole[steps[i].seat][held[steps[i].seat]++] = round->dealt[card];
    for (unsigned seat = 1; seat <= SEATS_MAX; seat++)
        if (round->seats & seat_bit(seat) &&
            round->decisions[seat][round->decision_count[seat] - 1] != DECISION_FOLD)
            in |= seat_bit(seat);
    drawing = setup->game->draws(setup, (const card_t(*)[4])hole, in, &dealer_draws);
    for (unsigned seat = 1; seat <= SEATS_MAX; seat++)
        if (drawing & seat_bit(seat)) {
            card_t drawn = take_card(left, seat == aim->seat ? &aim->player : &aim->other, random);

            add_packet(round, &drawn, 1);
        }
    if (dealer_draws) {
        card_t drawn = take_card(left, &aim->dealer, random);

        add_packet(round, &drawn, 1);
    }
}

/* Stakes differ from seat to seat; wagers that may be left out are, one time in four. */
static void stake(const struct game *game, unsigned seat, uint64_t *random, struct round *round)
{
    cents_t ante = 100 * (1 + (cents_t)make_random(random, 100)) * (1 + seat % 3);

    for (unsigned i = 0; i < game->wager_count; i++) {
        const struct wager *wager = &game->wagers[i];
        bool is_made = wager->required || make_random(random, 4);

        if (wager->by_decision || !is_made)
            continue;
        round->bets[seat][i] = wager->fixed                  ? wager->fixed
                               : wager->equal_to != NO_WAGER ? round->bets[seat][wager->equal_to]
                               : i ? 100 * (1 + (cents_t)make_random(random, 50))
                                   : ante;
    }
}

/* As many as a deck has cards for, with a draw for everybody. */
static seats_t choose_seats(const struct game_setup *setup, uint64_t *random)
{
    struct deal_step steps[PACKETS_MAX];
    unsigned most = make_random(random, 8) ? 1 + make_random(random, SEATS_MAX) : SEATS_MAX;
    seats_t seats = 0;

    while ((unsigned)__builtin_popcount(seats) < most) {
        seats_t more = seats | seat_bit(1 + make_random(random, SEATS_MAX));
        size_t count = game_deal(setup, more, steps);
        unsigned cards = setup->game->draws ? 1u + (unsigned)__builtin_popcount(more) : 0;

        for (size_t i = 0; i < count; i++)
            cards += steps[i].cards;
        if (!count || cards > DECK_SIZE)
            break;
        seats = more;
    }
    return seats;
}

static struct aim choose_aim(seats_t seats, uint64_t *random, bool towards)
{
    static const struct pool any = {.cards = ALL_CARDS};
    struct aim aim = {.player = any, .dealer = any, .other = any};

    if (!towards)
        return aim;
    aim.player = choose_pool(random);
    do
        aim.seat = 1 + make_random(random, SEATS_MAX);
    while (!(seats & seat_bit(aim.seat)));
    if (make_random(random, 2))
        aim.dealer = make_random(random, 2) ? aim.player : choose_pool(random);
    if (make_random(random, 2))
        aim.other = aim.player;
    return aim;
}

void make_round(const struct game_setup *setup, uint64_t *random, bool towards,
                struct made_round *made)
{
    struct round *round = &made->recorded.round;
    struct deal_step steps[PACKETS_MAX];
    int64_t number = round->number;
    hand_t left = ALL_CARDS;
    struct aim aim;
    size_t count;

    memset(&made->recorded, 0, sizeof made->recorded);
    made->keys[0] = '\0';
    made->extra_play = NULL;
    round->number = number;
    round->seats = choose_seats(setup, random);
    for (unsigned seat = 1; seat <= SEATS_MAX; seat++)
        if (round->seats & seat_bit(seat))
            stake(setup->game, seat, random, round);
    aim = choose_aim(round->seats, random, towards);
    count = game_deal(setup, round->seats, steps);
    deal(&aim, steps, count, &left, random, round);
    policy_decide(make_random(random, 8) ? POLICY_RANDOM : POLICY_FOLD, setup, steps, count,
                  random_next(random), round);
    if (setup->game->draws)
        deal_draws(setup, steps, count, &aim, &left, random, round);
}

void make_void(const struct game_setup *setup, uint64_t *random, struct made_round *made)
{
    struct round *round = &made->recorded.round;
    struct settlement settlement;

    round->is_void = round->cancelled = true;
    round->packet_count = (uint8_t)make_random(random, round->packet_count + 1u);
    round->dealt_count = 0;
    for (unsigned i = 0; i < round->packet_count; i++)
        round->dealt_count = (uint8_t)(round->dealt_count + round->packet[i]);
    if (game_settle(setup, round, &settlement, NULL))
        return;
    for (unsigned seat = 1; seat <= SEATS_MAX; seat++)
        if (round->seats & seat_bit(seat))
            round->decision_count[seat] =
                (uint8_t)cover_decided(setup->game, round, &settlement, seat);
}

size_t make_line(const struct game *game, const struct made_round *made,
                 char line[RECORDING_LINE_SIZE + MAKE_KEYS_SIZE])
{
    static const char play[] = "\"play\":{";
    size_t length = recording_write_round(line, game, &made->recorded);
    char *at;

    if (made->keys[0]) {
        length -= sizeof "}\n" - 1;
        length += (size_t)snprintf(line + length, MAKE_KEYS_SIZE, ",\"keys\":[%s]}\n", made->keys);
    }
    at = made->extra_play ? strstr(line, play) : NULL;
    if (at) {
        size_t more = strlen(made->extra_play);

        at += sizeof play - 1;
        memmove(at + more, at, (size_t)(line + length - at));
        memcpy(at, made->extra_play, more);
        length += more;
    }
    return length;
}
