/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "games/shuffles/count.h"

#include <stdlib.h>
#include <string.h>

/* The places of four thousand million orders can be counted. */
#define ORDERS_MAX UINT32_MAX

static const struct {
    const char *name;
    size_t size;
} histograms[SHUFFLES_HISTOGRAMS] = {
    [SHUFFLES_SUIT_RUNS] = {"suit runs", DECK_SIZE + 1},
    [SHUFFLES_RANK_RUNS] = {"rank runs", DECK_SIZE + 1},
    [SHUFFLES_PAIRS_KEPT] = {"adjacent pairs kept", DECK_SIZE},
    [SHUFFLES_RISING] = {"rising sequences", DECK_SIZE + 1},
    [SHUFFLES_VALLEYS] = {"valleys", (DECK_SIZE - 1) / 2 + 1},
    [SHUFFLES_PEAKS] = {"peaks", (DECK_SIZE - 1) / 2 + 1},
    [SHUFFLES_FIXED_POINTS] = {"fixed points", DECK_SIZE + 1},
    [SHUFFLES_CYCLES] = {"cycles", DECK_SIZE + 1},
    [SHUFFLES_DISPLACEMENT] = {"displacement", LAW_SIZE},
    [SHUFFLES_GUESSED_NEXT] = {"guesses for riffles", DECK_SIZE + 1},
    [SHUFFLES_GUESSED_ALONG] = {"guesses for shelves", DECK_SIZE + 1},
    [SHUFFLES_OVERLAP] = {"overlap", UPPER_HALF + 1},
};

const enum shuffles_histogram shuffles_later[LATER_COUNT] = {
    [LATER_KEPT] = SHUFFLES_PAIRS_KEPT,    [LATER_RISING] = SHUFFLES_RISING,
    [LATER_VALLEYS] = SHUFFLES_VALLEYS,    [LATER_PEAKS] = SHUFFLES_PEAKS,
    [LATER_FIXED] = SHUFFLES_FIXED_POINTS,
};

static void fill_laws(double *const chance[SHUFFLES_HISTOGRAMS])
{
    law_runs(SUIT_COUNT, RANK_COUNT, chance[SHUFFLES_SUIT_RUNS]);
    law_runs(RANK_COUNT, SUIT_COUNT, chance[SHUFFLES_RANK_RUNS]);
    law_successions(DECK_SIZE, chance[SHUFFLES_PAIRS_KEPT]);
    law_rising(DECK_SIZE, chance[SHUFFLES_RISING]);
    law_valleys(DECK_SIZE, chance[SHUFFLES_VALLEYS]);
    law_valleys(DECK_SIZE, chance[SHUFFLES_PEAKS]);
    law_fixed_points(DECK_SIZE, chance[SHUFFLES_FIXED_POINTS]);
    law_cycles(DECK_SIZE, chance[SHUFFLES_CYCLES]);
    law_displacement(DECK_SIZE, chance[SHUFFLES_DISPLACEMENT]);
    law_cycles(DECK_SIZE, chance[SHUFFLES_GUESSED_NEXT]);
    law_cycles(DECK_SIZE, chance[SHUFFLES_GUESSED_ALONG]);
    law_overlap(DECK_SIZE, UPPER_HALF, chance[SHUFFLES_OVERLAP]);
}

static void fill_moments(struct shuffles *shuffles)
{
    shuffles->laws.same[0] = 1;
    for (unsigned cards = 1; cards <= DECK_SIZE; cards++)
        shuffles->laws.same[cards] = shuffles->laws.same[cards - 1] / (DECK_SIZE - cards + 1);
    for (unsigned seen = 0; seen <= DECK_SIZE; seen++) {
        unsigned half = seen < UPPER_HALF ? seen : UPPER_HALF;

        shuffles->laws.part[SEEN_SUIT][seen] = law_runs_seen(SUIT_COUNT, RANK_COUNT, seen);
        shuffles->laws.part[SEEN_RANK][seen] = law_runs_seen(RANK_COUNT, SUIT_COUNT, seen);
        shuffles->laws.part[SEEN_OVERLAP][seen] = law_overlap_seen(DECK_SIZE, half, half);
        shuffles->laws.serial[seen] = law_rank_products(seen);
        shuffles->laws.trend[seen] = law_rank_trend(seen);
    }
}

static size_t all_bars(void)
{
    size_t sum = 0;

    for (size_t i = 0; i < SHUFFLES_HISTOGRAMS; i++)
        sum += histograms[i].size;
    return sum;
}

struct shuffles *shuffles_new(void)
{
    size_t bars = all_bars();
    struct shuffles *shuffles = calloc(1, sizeof *shuffles);

    if (!shuffles)
        return NULL;
    shuffles->repeats = repeats_new();
    shuffles->moves = repeats_new();
    shuffles->seen[0] = calloc(bars, sizeof *shuffles->seen[0]);
    shuffles->laws.chance[0] = calloc(bars, sizeof *shuffles->laws.chance[0]);
    if (!shuffles->repeats || !shuffles->moves || !shuffles->seen[0] || !shuffles->laws.chance[0]) {
        shuffles_free(shuffles);
        return NULL;
    }
    for (size_t i = 1; i < SHUFFLES_HISTOGRAMS; i++) {
        shuffles->seen[i] = shuffles->seen[i - 1] + histograms[i - 1].size;
        shuffles->laws.chance[i] = shuffles->laws.chance[i - 1] + histograms[i - 1].size;
    }
    fill_laws(shuffles->laws.chance);
    fill_moments(shuffles);
    hands_init(&shuffles->hands);
    return shuffles;
}

void shuffles_free(struct shuffles *shuffles)
{
    if (!shuffles)
        return;
    repeats_free(shuffles->repeats);
    repeats_free(shuffles->moves);
    free(shuffles->seen[0]);
    free(shuffles->laws.chance[0]);
    free(shuffles);
}

void shuffles_clear(struct shuffles *shuffles)
{
    struct shuffles empty = {.laws = shuffles->laws,
                             .hands = shuffles->hands,
                             .repeats = shuffles->repeats,
                             .moves = shuffles->moves};

    repeats_clear(empty.repeats);
    repeats_clear(empty.moves);
    hands_clear(&empty.hands);
    memset(shuffles->seen[0], 0, all_bars() * sizeof *shuffles->seen[0]);
    memcpy(empty.seen, shuffles->seen, sizeof empty.seen);
    *shuffles = empty;
}

static int bad_card(const char *what, card_t card, size_t place, struct error *error)
{
    char name[2];

    if (!card_valid(card))
        return error_set(error, ERROR_RULE, "%s: card %zu is no card (%u)", what, place, card);
    card_format(card, name);
    return error_set(error, ERROR_RULE, "%s: %.2s is there twice, the second time as card %zu",
                     what, name, place);
}

/* Dense numbers of the cards, if each is one and none comes twice. */
static int number_cards(const card_t *cards, size_t count, const char *what,
                        uint8_t numbers[DECK_SIZE], struct error *error)
{
    size_t once = cards_once(cards, count);

    if (once < count)
        return bad_card(what, cards[once], once + 1, error);
    for (size_t i = 0; i < count; i++)
        numbers[i] = (uint8_t)card_index(cards[i]);
    return 0;
}

void count_value(struct shuffles *shuffles, enum shuffles_histogram histogram, size_t value)
{
    shuffles->seen[histogram][value]++;
    shuffles->total[histogram]++;
}

static void count_part(struct deviation *deviation, const struct law_moments *law, double value)
{
    deviation->count++;
    deviation->sum += value - law->mean;
    deviation->variance += law->variance;
}

/* Of a whole order against its exact law, of a part of one against mean and variance. */
static void count_seen(struct shuffles *shuffles, unsigned part, enum shuffles_histogram histogram,
                       size_t cards, unsigned value)
{
    if (cards == DECK_SIZE)
        count_value(shuffles, histogram, value);
    else
        count_part(&shuffles->part[part], &shuffles->laws.part[part][cards], value);
}

/* Ranks, centred, of all places; 0 where nobody saw the card. */
static void count_ranks(struct shuffles *shuffles, const card_t *cards, size_t count)
{
    int16_t ranks[PAIRS_ROW] = {0};
    int products = 0, trend = 0;

    for (size_t i = 0; i < count; i++) {
        ranks[i] = (int16_t)((int)card_rank(cards[i]) - RANK_MIDDLE);
        trend += ranks[i] * LAW_TREND(i);
    }
    for (size_t i = 1; i < count; i++)
        products += ranks[i - 1] * ranks[i];
    count_part(&shuffles->serial, &shuffles->laws.serial[count], products);
    count_part(&shuffles->trend, &shuffles->laws.trend[count], trend);
    pairs_add(&shuffles->pairs, ranks, count);
}

static void count_neighbours(struct shuffles *shuffles, const card_t *cards,
                             const struct known_order *now)
{
    unsigned suits = 1, ranks = 1;

    for (size_t i = 1; i < now->count; i++) {
        card_t differ = cards[i - 1] ^ cards[i];

        suits += (differ & 0x30) != 0;
        ranks += (differ & 0x0f) != 0;
        shuffles->neighbours[now->cards[i - 1]][now->cards[i]]++;
    }
    shuffles->neighbours_due += (double)(now->count - 1) / (DECK_SIZE * (DECK_SIZE - 1));
    count_seen(shuffles, SEEN_SUIT, SHUFFLES_SUIT_RUNS, now->count, suits);
    count_seen(shuffles, SEEN_RANK, SHUFFLES_RANK_RUNS, now->count, ranks);
}

static uint64_t set_of(const uint8_t *numbers, size_t count)
{
    uint64_t set = 0;

    for (size_t i = 0; i < count; i++)
        set |= (uint64_t)1 << numbers[i];
    return set;
}

/* Two orders of which different numbers of cards were seen have their shorter beginning in common.
 */
static void count_overlap(struct shuffles *shuffles, const struct known_order *last,
                          const struct known_order *now)
{
    size_t least = now->count < last->count ? now->count : last->count;
    size_t first = least < UPPER_HALF ? least : UPPER_HALF;
    uint64_t both = set_of(now->cards, first) & set_of(last->cards, first);

    count_seen(shuffles, SEEN_OVERLAP, SHUFFLES_OVERLAP, least,
               (unsigned)__builtin_popcountll(both));
}

/* An order that is watched is found if any before it was the same. */
static void count_repeats(struct shuffles *shuffles, const uint8_t *numbers, size_t count)
{
    shuffles->repeats_due += repeats_share(shuffles->repeats) * shuffles->laws.same[count] *
                             (double)shuffles->by_size[count];
    shuffles->by_size[count]++;
    repeats_add(shuffles->repeats, numbers, count);
}

static void count_order(struct shuffles *shuffles, const struct shuffles_order *order,
                        const struct known_order *now, const struct known_order *before)
{
    struct known_order *last = shuffles->last[order->deck];

    shuffles->count++;
    shuffles->whole += order->count == DECK_SIZE;
    for (size_t i = 0; i < order->count; i++)
        shuffles->places[i][now->cards[i]]++;
    count_neighbours(shuffles, order->cards, now);
    count_ranks(shuffles, order->cards, order->count);
    if (order->unrelated)
        last[0].count = last[1].count = 0;
    if (last[0].count)
        count_overlap(shuffles, &last[0], now);
    count_against(shuffles, last, now, before);
    if (order->count >= REPEATS_CARDS_MIN)
        count_repeats(shuffles, now->cards, order->count);
    if (order->setup)
        hands_add(&shuffles->hands, order->setup, order->seats, order->cards, order->count);
    last[1] = last[0];
    last[0] = *now;
}

int shuffles_add(struct shuffles *shuffles, const struct shuffles_order *order, struct error *error)
{
    struct known_order now = {.count = order->count}, before = {.count = DECK_SIZE};

    if (!order->count || order->count > DECK_SIZE)
        return error_set(error, ERROR_RULE, "an order has 1 to %d cards, not %zu", DECK_SIZE,
                         order->count);
    if (order->deck >= DECKS_MAX)
        return error_set(error, ERROR_RULE, "deck %u of %d", order->deck + 1, DECKS_MAX);
    if (shuffles->count == ORDERS_MAX)
        return error_set(error, ERROR_RULE, "more than %u orders cannot be counted",
                         (unsigned)ORDERS_MAX);
    if (number_cards(order->cards, order->count, "the order", now.cards, error) < 0 ||
        (order->before &&
         number_cards(order->before, DECK_SIZE, "the order before", before.cards, error) < 0))
        return ERROR_RULE;
    count_order(shuffles, order, &now, order->before ? &before : NULL);
    return 0;
}

uint64_t shuffles_count(const struct shuffles *shuffles)
{
    return shuffles->count;
}

uint64_t shuffles_whole(const struct shuffles *shuffles)
{
    return shuffles->whole;
}

const shuffles_places *shuffles_place_counts(const struct shuffles *shuffles)
{
    return &shuffles->places;
}

const shuffles_places *shuffles_move_counts(const struct shuffles *shuffles)
{
    return shuffles->dealt.count > shuffles->total[SHUFFLES_PAIRS_KEPT] ? &shuffles->dealt.moved
                                                                        : &shuffles->moved;
}

const shuffles_places *shuffles_neighbour_counts(const struct shuffles *shuffles)
{
    return &shuffles->neighbours;
}

struct shuffles_bars shuffles_bars(const struct shuffles *shuffles,
                                   enum shuffles_histogram histogram)
{
    return (struct shuffles_bars){
        .name = histograms[histogram].name,
        .total = shuffles->total[histogram],
        .size = histograms[histogram].size,
        .seen = shuffles->seen[histogram],
        .chance = shuffles->laws.chance[histogram],
    };
}
