/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How fast hands are evaluated on one core, beside the simplest correct way, on random hands from
 * a seed. Every way's results are compared with the simplest one's: the program fails if one
 * differs, never because one is slow.
 */
#include "games/hand.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/bench.h"
#include "tests/support/games/naive_hand.h"
#include "tests/support/seeded.h"

#define HANDS (1u << 22) /* 32 MB of hands and 16 MB of values: not in any cache */
#define FEW   (1u << 16) /* enough for the slow way */
#define RUNS  20

struct hand_value {
    uint16_t flush; /* as flush_t */
    uint16_t straight_flush;
};

struct sevens {
    size_t count; /* of hands to evaluate in a run */
    hand_t hands[HANDS];
    struct hand_value expected[HANDS], values[HANDS];
};

static void sevens_naive(void *context)
{
    struct sevens *sevens = context;

    for (size_t i = 0; i < sevens->count; i++)
        sevens->values[i] = (struct hand_value){(uint16_t)naive_flush(sevens->hands[i]),
                                                (uint16_t)naive_straight_flush(sevens->hands[i])};
}

static void sevens_scalar(void *context)
{
    struct sevens *sevens = context;

    for (size_t i = 0; i < sevens->count; i++)
        sevens->values[i] = (struct hand_value){(uint16_t)hand_flush(sevens->hands[i]),
                                                (uint16_t)hand_straight_flush(sevens->hands[i])};
}

/* FNV-1a over the values that were written last. */
static uint64_t checksum(const void *values, size_t size)
{
    const unsigned char *bytes = values;
    uint64_t sum = UINT64_C(0xcbf29ce484222325);

    for (size_t i = 0; i < size; i++)
        sum = (sum ^ bytes[i]) * UINT64_C(0x100000001b3);
    return sum;
}

/* Measures one way on `count` hands; 0 if their values are not the expected ones. */
static double sevens_measure(struct sevens *sevens, const char *name, void (*run)(void *),
                             size_t count, double baseline)
{
    size_t size = count * sizeof sevens->values[0];
    double rate;

    sevens->count = count;
    memset(sevens->values, 0xff, sizeof sevens->values);
    rate = (double)count / bench_best_cpu(RUNS, run, sevens) / 1e6;
    bench_figure(name, rate, "M hands/s", baseline);
    return checksum(sevens->values, size) == checksum(sevens->expected, size) ? rate : 0;
}

static bool bench_sevens(void)
{
    struct sevens *sevens = malloc(sizeof *sevens);
    uint64_t seed = 1;
    double naive;
    bool same;

    if (!sevens)
        return false;
    for (size_t i = 0; i < HANDS; i++)
        sevens->hands[i] = seeded_hand(&seed, 7);
    sevens->count = HANDS;
    sevens_naive(sevens);
    memcpy(sevens->expected, sevens->values, sizeof sevens->expected);

    bench_title("seven cards, longest flush with its ranks and longest straight flush, one core");
    naive = sevens_measure(sevens, "loops over suits and ranks", sevens_naive, FEW, 0);
    same = naive > 0 && sevens_measure(sevens, "hand_flush and hand_straight_flush, from memory",
                                       sevens_scalar, HANDS, naive) > 0;
    printf("  values of %u hands: checksum %016llx, %s\n", HANDS,
           (unsigned long long)checksum(sevens->expected, sizeof sevens->expected),
           same ? "the same both ways" : "NOT the same both ways");
    free(sevens);
    return same;
}

#define THREES (1u << 18)

struct threes {
    hand_t hands[THREES];
    uint32_t values[THREES];
    uint32_t (*value)(hand_t hand, bool ace_low);
};

static void threes_run(void *context)
{
    struct threes *threes = context;

    for (size_t i = 0; i < THREES; i++)
        threes->values[i] = threes->value(threes->hands[i], true);
}

/*
 * The two scales number hands differently, so what is summed up is what they say: how each hand
 * fares against the next.
 */
static uint64_t outcomes(const struct threes *threes)
{
    static int8_t outcome[THREES];

    for (size_t i = 0; i < THREES; i++) {
        uint32_t mine = threes->values[i], next = threes->values[(i + 1) % THREES];

        outcome[i] = (int8_t)((mine > next) - (mine < next));
    }
    return checksum(outcome, sizeof outcome);
}

static double threes_measure(struct threes *threes, const char *name,
                             uint32_t (*value)(hand_t hand, bool ace_low), double baseline)
{
    double rate;

    threes->value = value;
    rate = THREES / bench_best_cpu(RUNS, threes_run, threes) / 1e6;
    bench_figure(name, rate, "M hands/s", baseline);
    return rate;
}

static bool bench_threes(unsigned cards, const char *title,
                         uint32_t (*naive_value)(hand_t hand, bool ace_low), const char *name,
                         uint32_t (*value)(hand_t hand, bool ace_low))
{
    struct threes *threes = malloc(sizeof *threes);
    uint64_t seed = cards, expected, found;
    double naive;

    if (!threes)
        return false;
    for (size_t i = 0; i < THREES; i++)
        threes->hands[i] = seeded_hand(&seed, cards);

    bench_title(title);
    naive = threes_measure(threes, "loops over ranks and suits", naive_value, 0);
    expected = outcomes(threes);
    threes_measure(threes, name, value, naive);
    found = outcomes(threes);
    printf("  %u hands against their neighbours: checksum %016llx, %s\n", THREES,
           (unsigned long long)expected,
           found == expected ? "the same both ways" : "NOT the same both ways");
    free(threes);
    return found == expected;
}

int main(void)
{
    bool sevens = bench_sevens();
    bool threes =
        bench_threes(3, "three-card poker, one core", naive_three, "hand_three", hand_three);
    bool fours = bench_threes(4, "best three of four cards, one core", naive_best_three,
                              "hand_best_three", hand_best_three);

    return sevens && threes && fours ? EXIT_SUCCESS : EXIT_FAILURE;
}
