/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "games/shuffles/law.h"

#include <gsl/gsl_randist.h>
#include <string.h>

#define CARDS DECK_SIZE

static long double choose(unsigned n, unsigned k)
{
    long double ways = 1;

    if (k > n)
        return 0;
    for (unsigned i = 1; i <= k; i++)
        ways = ways * (n - k + i) / i;
    return ways;
}

static void fill(double *chance, const long double *exact, size_t size)
{
    for (size_t i = 0; i < size; i++)
        chance[i] = (double)exact[i];
}

/*
 * Puts one more group into a row of `placed` cards: it falls into `blocks`, `parting` of which part
 * alike neighbours. `row` and `next` have the chances of each number of alike neighbours.
 */
static void add_group(const long double *row, long double *next, unsigned placed, unsigned alike,
                      unsigned now)
{
    long double ways = choose(placed + alike, alike);

    for (unsigned blocks = 1; blocks <= alike; blocks++)
        for (unsigned parting = 0; parting <= blocks && parting <= now; parting++)
            next[now - parting + alike - blocks] +=
                row[now] * choose(alike - 1, blocks - 1) * choose(now, parting) *
                choose(placed + 1 - now, blocks - parting) / ways;
}

void law_runs(unsigned groups, unsigned alike, double *chance)
{
    long double row[CARDS + 1] = {[0] = 1}, next[CARDS + 1];

    for (unsigned group = 0; group < groups; group++) {
        memset(next, 0, sizeof next);
        for (unsigned now = 0; now <= group * (alike - 1); now++)
            add_group(row, next, group * alike, alike, now);
        memcpy(row, next, sizeof row);
    }
    for (unsigned runs = 0; runs <= groups * alike; runs++)
        chance[runs] = (double)row[groups * alike - runs];
}

/* derangements[n] = the share of the orders of n cards that leave none in its place. */
static void share_derangements(long double derangements[CARDS + 1])
{
    derangements[0] = 1;
    derangements[1] = 0;
    for (unsigned n = 2; n <= CARDS; n++)
        derangements[n] = ((n - 1) * derangements[n - 1] + derangements[n - 2]) / n;
}

void law_fixed_points(unsigned cards, double *chance)
{
    long double derangements[CARDS + 1], factorial = 1;

    share_derangements(derangements);
    for (unsigned k = 0; k <= cards; k++) {
        chance[k] = (double)(derangements[cards - k] / factorial);
        factorial *= k + 1;
    }
}

/* Gluing k pairs leaves an order of cards - k without successions: D(n) + D(n - 1) of n there. */
void law_successions(unsigned cards, double *chance)
{
    long double derangements[CARDS + 1], factorial = 1;

    share_derangements(derangements);
    for (unsigned k = 0; k < cards; k++) {
        unsigned left = cards - k;
        long double none = derangements[left] + derangements[left - 1] / left;

        chance[k] = (double)(none * left / cards / factorial);
        factorial *= k + 1;
    }
}

/*
 * The mean number of ways to choose k of the pairs kept. Such k pairs make some blocks of cards in
 * the order before; these lie somewhere among the `now` first places, and any others around them.
 */
static long double pairs_chosen(unsigned cards, unsigned before, unsigned now, unsigned k)
{
    long double sum = 0;

    for (unsigned blocks = 1; blocks <= k && k + blocks <= before && k + blocks <= now; blocks++) {
        long double ways = choose(k - 1, blocks - 1) * choose(before - k, blocks);

        for (unsigned i = 0; i < blocks; i++)
            ways *= now - k - i;
        for (unsigned i = 0; i < k + blocks; i++)
            ways /= cards - i;
        sum += ways;
    }
    return sum;
}

/* Inclusion and exclusion: the terms fall as those of the exponential series do. */
void law_successions_seen(unsigned cards, unsigned before, unsigned now, double *chance)
{
    long double chosen[CARDS + 1] = {[0] = 1};
    unsigned most = (before < now ? before : now) - 1;

    for (unsigned k = 1; k <= most; k++)
        chosen[k] = pairs_chosen(cards, before, now, k);
    for (unsigned k = 0; k < cards; k++) {
        long double sum = 0;

        for (unsigned more = k; more <= most; more++)
            sum += ((more - k) % 2 ? -1 : 1) * choose(more, k) * chosen[more];
        chance[k] = sum > 0 ? (double)sum : 0;
    }
}

void law_rising(unsigned cards, double *chance)
{
    long double row[CARDS + 2] = {[1] = 1};

    for (unsigned n = 2; n <= cards; n++)
        for (unsigned k = n; k; k--)
            row[k] = (k * row[k] + (n - k + 1) * row[k - 1]) / n;
    fill(chance, row, cards + 1);
}

void law_valleys(unsigned cards, double *chance)
{
    long double row[CARDS / 2 + 1] = {[0] = 1};

    for (unsigned n = 2; n <= cards; n++)
        for (unsigned k = (n - 1) / 2 + 1; k-- > 0;)
            row[k] = ((2 * k + 2) * row[k] + (k ? (n - 2 * k) * row[k - 1] : 0)) / n;
    fill(chance, row, (cards - 1) / 2 + 1);
}

void law_cycles(unsigned cards, double *chance)
{
    long double row[CARDS + 1] = {[0] = 1};

    for (unsigned n = 1; n <= cards; n++) {
        for (unsigned k = n; k; k--)
            row[k] = ((n - 1) * row[k] + row[k - 1]) / n;
        row[0] = 0;
    }
    fill(chance, row, cards + 1);
}

typedef long double open_sums[CARDS / 2 + 2][LAW_SIZE];

/*
 * Cards and places are paired off from the top: `open` of each still wait for a partner, and each
 * step moves all that wait one place further apart. The next card and place pair up with each
 * other or one of them with one that waits, both wait, or both find one that waits.
 */
static void pair_next(const open_sums *from, open_sums *to, unsigned n, unsigned open,
                      unsigned cards)
{
    for (unsigned sum = 0; sum <= cards * cards / 4; sum++) {
        long double chance = (*from)[open][sum] / n;

        if (chance == 0)
            continue;
        if (sum + open < LAW_SIZE)
            (*to)[open][sum + open] += chance * (2 * open + 1);
        if (open < cards / 2 && sum + open + 1 < LAW_SIZE)
            (*to)[open + 1][sum + open + 1] += chance;
        if (open)
            (*to)[open - 1][sum + open - 1] += chance * open * open;
    }
}

void law_displacement(unsigned cards, double *chance)
{
    open_sums sums[2];

    memset(sums, 0, sizeof sums);
    sums[0][0][0] = 1;
    for (unsigned n = 1; n <= cards; n++) {
        open_sums *from = &sums[(n - 1) % 2], *to = &sums[n % 2];

        memset(to, 0, sizeof *to);
        for (unsigned open = 0; open < n && open <= cards - n + 1; open++)
            pair_next((const open_sums *)from, to, n, open, cards);
    }
    fill(chance, sums[cards % 2][0], cards * cards / 4 + 1);
}

void law_overlap(unsigned cards, unsigned first, double *chance)
{
    for (unsigned k = 0; k <= first; k++)
        chance[k] = gsl_ran_hypergeometric_pdf(k, first, cards - first, first);
}

struct law_moments law_moments(const double *chance, size_t size)
{
    long double mean = 0, square = 0;

    for (size_t k = 0; k < size; k++) {
        mean += (long double)k * chance[k];
        square += (long double)k * (long double)k * chance[k];
    }
    return (struct law_moments){(double)mean, (double)(square - mean * mean)};
}

/* Pairs of neighbours among `seen` cards: those that share a card, and those that share none. */
static void count_pairs(unsigned seen, double *pairs, double *touching, double *apart)
{
    *pairs = seen > 1 ? seen - 1 : 0;
    *touching = seen > 2 ? 2 * (seen - 2) : 0;
    *apart = *pairs * *pairs - *pairs - *touching;
}

struct law_moments law_runs_seen(unsigned groups, unsigned alike, unsigned seen)
{
    double n = groups * alike, g = alike, pairs, touching, apart, mean;
    double two = (g - 1) / (n - 1), three = two * (g - 2) / (n - 2);
    double four = three * (g - 3) / (n - 3) + two * (n - g) / (n - 2) * (g - 1) / (n - 3);

    count_pairs(seen, &pairs, &touching, &apart);
    mean = pairs * two;
    return (struct law_moments){seen - mean,
                                pairs * two + touching * three + apart * four - mean * mean};
}

struct law_moments law_products(unsigned cards, double squares, double fourths, unsigned seen)
{
    double n = cards, pairs, touching, apart, mean;
    double two = (squares * squares - fourths) / (n * (n - 1));
    double three = (2 * fourths - squares * squares) / (n * (n - 1) * (n - 2));
    double four = 3 * (squares * squares - 2 * fourths) / (n * (n - 1) * (n - 2) * (n - 3));

    count_pairs(seen, &pairs, &touching, &apart);
    mean = -pairs * squares / (n * (n - 1));
    return (struct law_moments){mean, pairs * two + touching * three + apart * four - mean * mean};
}

struct law_moments law_rank_products(unsigned seen)
{
    double squares = 0, fourths = 0;

    for (int rank = 0; rank < RANK_COUNT; rank++) {
        double square = (rank - RANK_MIDDLE) * (rank - RANK_MIDDLE);

        squares += SUIT_COUNT * square;
        fourths += SUIT_COUNT * square * square;
    }
    return law_products(DECK_SIZE, squares, fourths, seen);
}

/* Ranks add up to 0, so that the mean is 0 whatever the places weigh; those not seen weigh 0. */
struct law_moments law_rank_trend(unsigned seen)
{
    double squares = 0, sum = 0, weights = 0;

    for (int rank = 0; rank < RANK_COUNT; rank++)
        squares += SUIT_COUNT * (rank - RANK_MIDDLE) * (rank - RANK_MIDDLE);
    for (unsigned place = 0; place < seen; place++) {
        sum += LAW_TREND(place);
        weights += LAW_TREND(place) * LAW_TREND(place);
    }
    return (struct law_moments){0, squares * (weights - sum * sum / DECK_SIZE) / (DECK_SIZE - 1)};
}

struct law_moments law_overlap_seen(unsigned cards, unsigned a, unsigned b)
{
    double n = cards, share = a / n, mean = b * share;

    return (struct law_moments){mean, mean * (1 - share) * (n - b) / (n - 1)};
}
