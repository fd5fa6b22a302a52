/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/shuffles/seek.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "rigs/shuffles/seek_filter.h"
#include "rigs/shuffles/seek_numbers.h"

/* Seeds that a thread takes at a time; also how far it goes on after a stop. */
#define UNIT (UINT64_C(1) << 16)

struct crew {
    struct seek *seek;
    struct seek_plan plan;
    _Atomic uint64_t next; /* the first seed that nobody has taken, from the first of all */
    atomic_bool enough;
    pthread_mutex_t lock; /* of the hits */
};

struct worker {
    struct crew *crew;
    struct seek_work *work;
    bool is_first; /* the thread that asked */
    pthread_t thread;
};

void seek_init(struct seek *seek, const struct weak_generator *generator)
{
    memset(seek, 0, sizeof *seek);
    seek->generator = generator;
    seek->seeds = generator->seeds;
    seek->first = weak_is_cycle(generator) ? 0 : generator->first;
    seek->jobs = 1;
}

bool seek_makes(const struct weak_generator *generator, const struct seek_question *question,
                uint64_t seed, unsigned skipped)
{
    struct weak_state state;
    card_t places[DECK_SIZE];

    for (unsigned i = 0; i < DECK_SIZE; i++)
        places[i] = (card_t)i;
    weak_seed(generator, seed, &state);
    while (skipped-- > 0)
        weak_next(generator, &state);
    weak_shuffle(generator, question->mapping, &state, places, DECK_SIZE);
    return !memcmp(places, question->target->moved, question->target->known);
}

static void note_hit(struct crew *crew, const struct seek_check *check, uint64_t seed)
{
    struct seek *seek = crew->seek;

    pthread_mutex_lock(&crew->lock);
    if (seek->hit_count < SEEK_HITS_MAX)
        seek->hits[seek->hit_count] = (struct seek_hit){check->question, seed, check->skipped};
    seek->hit_count++;
    pthread_mutex_unlock(&crew->lock);
    if (seek->is_first_enough)
        atomic_store(&crew->enough, true);
}

/* Lanes that begin `at`, whose seeds are `seed` and the next ones, of which `count` are asked for;
 * of a cycle the states that follow it. */
static void look(const struct worker *worker, size_t at, uint64_t seed, size_t count)
{
    struct crew *crew = worker->crew;
    const struct seek_plan *plan = &crew->plan;
    uint8_t lanes[SEEK_LANES];

    seek_tracks_follow(worker->work, at);
    for (size_t i = 0; i < plan->check_count; i++) {
        const struct seek_check *check = &plan->checks[i];
        const struct seek_question *question = &crew->seek->questions[check->question];

        if (!seek_check_lanes(worker->work, check, at, lanes))
            continue;
        for (size_t lane = 0; lane < count; lane++) {
            uint64_t found = seed + lane;

            if (!lanes[lane] || !seek_check_lane(worker->work, check, question->mapping, at + lane))
                continue;
            if (plan->is_cycle)
                found = seek_advance(plan->generator, seed, lane);
            if (seek_makes(plan->generator, question, found, check->skipped))
                note_hit(crew, check, found);
        }
    }
}

static size_t least(uint64_t left, size_t most)
{
    return left < most ? (size_t)left : most;
}

/* The numbers of a block are kept up to what its last state needs of the next. */
static void try_cycle(const struct worker *worker, uint64_t from, uint64_t count)
{
    const struct weak_generator *generator = worker->crew->plan.generator;
    uint32_t *numbers = worker->work->numbers;
    uint64_t state = seek_advance(generator, generator->first, from);
    struct seek_cycle cycle;

    seek_cycle_start(&cycle, generator, state);
    seek_cycle_numbers(&cycle, numbers, SEEK_WINDOW);
    for (; count > 0; count -= least(count, SEEK_BLOCK)) {
        size_t block = least(count, SEEK_BLOCK);

        seek_cycle_numbers(&cycle, numbers + SEEK_WINDOW, SEEK_BLOCK);
        seek_rows_fill(worker->work);
        for (size_t at = 0; at < block; at += SEEK_LANES) {
            look(worker, at, state, least(block - at, SEEK_LANES));
            state = seek_advance(generator, state, SEEK_LANES);
        }
        memcpy(numbers, numbers + SEEK_BLOCK, SEEK_WINDOW * sizeof *numbers);
    }
}

static void try_seeds(const struct worker *worker, uint64_t from, uint64_t count)
{
    const struct seek_plan *plan = &worker->crew->plan;

    for (uint64_t at = 0; at < count; at += SEEK_LANES) {
        seek_seeded_numbers(plan->generator, from + at, plan->numbers, worker->work->numbers);
        seek_rows_fill(worker->work);
        look(worker, 0, from + at, least(count - at, SEEK_LANES));
    }
}

static bool is_stopped(const struct seek *seek)
{
    return seek->stop && atomic_load(seek->stop);
}

static void *work_through(void *argument)
{
    const struct worker *worker = argument;
    struct crew *crew = worker->crew;
    struct seek *seek = crew->seek;

    while (!is_stopped(seek) && !atomic_load(&crew->enough)) {
        uint64_t at = atomic_fetch_add(&crew->next, UNIT), count;

        if (at >= seek->seeds)
            break;
        count = seek->seeds - at < UNIT ? seek->seeds - at : UNIT;
        (crew->plan.is_cycle ? try_cycle : try_seeds)(worker, seek->first + at, count);
        atomic_fetch_add(&seek->done, count);
        if (worker->is_first && seek->tick)
            seek->tick(seek->context, seek);
    }
    return NULL;
}

/* The first is required; fewer of the others, for lack of memory or threads, is no error. */
static unsigned hire(struct crew *crew, struct worker *workers)
{
    size_t rows = crew->plan.row_count * seek_rows_width(&crew->plan);
    unsigned count = 0;

    for (; count < crew->seek->jobs && count < SEEK_JOBS_MAX; count++) {
        struct worker *worker = &workers[count];

        worker->crew = crew;
        worker->is_first = !count;
        worker->work = malloc(sizeof *worker->work + rows);
        if (!worker->work)
            break;
        worker->work->plan = &crew->plan;
        if (count && pthread_create(&worker->thread, NULL, work_through, worker)) {
            free(worker->work);
            break;
        }
    }
    return count;
}

static int by_question(const void *left, const void *right)
{
    const struct seek_hit *a = left, *b = right;

    if (a->question != b->question)
        return a->question < b->question ? -1 : 1;
    return (a->seed > b->seed) - (a->seed < b->seed);
}

static void sort_hits(struct seek *seek)
{
    size_t kept = seek->hit_count < SEEK_HITS_MAX ? seek->hit_count : SEEK_HITS_MAX;
    uint64_t unit = UINT64_MAX;

    qsort(seek->hits, kept, sizeof seek->hits[0], by_question);
    if (!seek->is_first_enough)
        return;
    /* Which later units were still begun depends on the threads. */
    for (size_t i = 0; i < kept; i++)
        if ((seek->hits[i].seed - seek->first) / UNIT < unit)
            unit = (seek->hits[i].seed - seek->first) / UNIT;
    seek->hit_count = 0;
    for (size_t i = 0; i < kept; i++)
        if ((seek->hits[i].seed - seek->first) / UNIT == unit)
            seek->hits[seek->hit_count++] = seek->hits[i];
}

int seek_run(struct seek *seek, struct error *error)
{
    struct worker workers[SEEK_JOBS_MAX];
    struct crew *crew = calloc(1, sizeof *crew);
    unsigned hired = 0;

    if (crew) {
        crew->seek = seek;
        seek_plan(&crew->plan, seek->generator, seek->questions, seek->question_count);
        pthread_mutex_init(&crew->lock, NULL);
        hired = hire(crew, workers);
    }
    if (hired)
        work_through(&workers[0]);
    for (unsigned i = 0; i < hired; i++) {
        if (i)
            pthread_join(workers[i].thread, NULL);
        free(workers[i].work);
    }
    if (crew)
        pthread_mutex_destroy(&crew->lock);
    free(crew);
    if (!hired)
        return error_set(error, ERROR_RIG, "no memory to search for a generator in");
    sort_hits(seek);
    if (is_stopped(seek) && !seek->hit_count)
        return error_set(error, ERROR_ABORTED, "the search was stopped");
    return 0;
}
