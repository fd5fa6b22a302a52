/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How long all seeds of a generator take by each mapping: some seeds are tried on one core, in
 * processor time, and two cores take half of what all of them would. The program fails if an order
 * that is among them is not found, never because it is slow.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rigs/shuffles/seek.h"
#include "tests/support/bench.h"

#define SEEDS (UINT64_C(1) << 22)
#define RUNS  5
#define CORES 2

struct work {
    const struct weak_generator *generator;
    size_t first, count; /* mappings */
    struct seek_target targets[WEAK_MAPPINGS];
};

static void make_targets(struct work *work)
{
    for (size_t i = 0; i < WEAK_MAPPINGS; i++) {
        struct weak_state state;

        for (unsigned j = 0; j < DECK_SIZE; j++)
            work->targets[i].moved[j] = (uint8_t)j;
        work->targets[i].known = DECK_SIZE;
        weak_seed(work->generator, work->generator->first, &state);
        weak_shuffle(work->generator, weak_mapping_at(i), &state, work->targets[i].moved,
                     DECK_SIZE);
    }
}

static void search(void *context)
{
    struct work *work = context;
    struct seek seek;

    seek_init(&seek, work->generator);
    seek.seeds = SEEDS;
    for (size_t i = work->first; i < work->first + work->count; i++)
        seek.questions[seek.question_count++] =
            (struct seek_question){weak_mapping_at(i), &work->targets[i]};
    if (seek_run(&seek, NULL) || seek.hit_count != work->count)
        abort();
}

static double seconds_of(struct work *work, size_t first, size_t count, unsigned runs)
{
    work->first = first;
    work->count = count;
    return bench_best_cpu(runs, search, work) * (double)work->generator->seeds / (double)SEEDS /
           CORES;
}

int main(void)
{
    struct work work;
    double first = 0;

    bench_title("generators: all 2^32 states of lcg by one mapping, on two cores");
    work.generator = weak_generator_at(0);
    make_targets(&work);
    for (size_t i = 0; i < WEAK_MAPPINGS; i++) {
        double seconds = seconds_of(&work, i, 1, RUNS);

        bench_figure_for(weak_mapping_at(i)->name, seconds, "s", first, "below 10 s");
        first = i ? first : seconds;
    }
    bench_title("generators: all seeds by all mappings, on two cores");
    for (size_t i = 0; weak_generator_at(i); i++) {
        work.generator = weak_generator_at(i);
        if (work.generator->by_millisecond)
            continue;
        make_targets(&work);
        bench_figure(work.generator->name, seconds_of(&work, 0, WEAK_MAPPINGS, 1), "s", first);
    }
    return 0;
}
