/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/audit/crew.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

#include "tools/jobs.h"

/* What all parts together may take; the largest is some 73 MB, of which four fit in. */
#define MEMORY_MAX ((size_t)320 << 20)

#define BAR_WIDTH     40
#define BAR_PERIOD_MS 100

struct crew {
    const struct audit *audit;
    const char *game;
    atomic_size_t next; /* the first unit that nobody has taken */
    int64_t drawn;      /* when the bar was last drawn, or -1: there is none */
};

struct worker {
    struct crew *crew;
    struct audit_part *part;
    pthread_t thread;
};

static int64_t milliseconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* The counter runs past the end when several workers find nothing left. */
static void draw_bar(const struct crew *crew)
{
    static const char full[] = "########################################";
    size_t taken = atomic_load_explicit(&crew->next, memory_order_relaxed);
    size_t units = audit_units(crew->audit), done = taken < units ? taken : units;
    int width = (int)(done * BAR_WIDTH / units);

    fprintf(stderr, "\r%-18s [%.*s%*s] %3zu %%", crew->game, width, full, BAR_WIDTH - width, "",
            done * 100 / units);
    fflush(stderr);
}

static void erase_bar(void)
{
    fprintf(stderr, "\r%*s\r", BAR_WIDTH + 28, "");
}

static bool work(const struct worker *worker)
{
    struct crew *crew = worker->crew;
    size_t unit = atomic_fetch_add_explicit(&crew->next, 1, memory_order_relaxed);

    if (unit >= audit_units(crew->audit))
        return false;
    audit_part_do(worker->part, unit);
    return true;
}

static void *work_all(void *argument)
{
    while (work(argument))
        ;
    return NULL;
}

/* The first worker runs in the thread that called, and draws. */
static void work_and_draw(const struct worker *worker)
{
    struct crew *crew = worker->crew;

    while (work(worker)) {
        int64_t now = crew->drawn < 0 ? -1 : milliseconds();

        if (now - crew->drawn < BAR_PERIOD_MS)
            continue;
        crew->drawn = now;
        draw_bar(crew);
    }
    if (crew->drawn >= 0)
        erase_bar();
}

/* The first worker is required; fewer of the others, for lack of memory or threads, is no error. */
static unsigned hire(struct worker *workers, unsigned jobs, struct crew *crew, struct error *error)
{
    unsigned count = 0;

    while (count < jobs) {
        struct worker *worker = &workers[count];

        worker->crew = crew;
        if (audit_part_new(&worker->part, crew->audit, count ? NULL : error))
            break;
        if (count && pthread_create(&worker->thread, NULL, work_all, worker)) {
            audit_part_free(worker->part);
            break;
        }
        count++;
    }
    return count;
}

static int run_crew(struct crew *crew, unsigned jobs, const struct audit_crew *hiring,
                    struct audit_entry *entries, size_t *count, struct error *error)
{
    int status = 0;
    struct worker workers[JOBS_MAX];
    unsigned hired = hire(workers, jobs, crew, error);

    if (!hired)
        return (int)error->code;
    work_and_draw(&workers[0]);
    for (unsigned i = 1; i < hired; i++) {
        pthread_join(workers[i].thread, NULL);
        audit_part_add(workers[0].part, workers[i].part);
        audit_part_free(workers[i].part);
    }
    *count = audit_entries(workers[0].part, entries);
    if (hiring->done)
        status = hiring->done(hiring->context, workers[0].part, entries, *count, error);
    audit_part_free(workers[0].part);
    return status;
}

static unsigned jobs_that_fit(const struct audit *audit, unsigned jobs)
{
    size_t fitting = MEMORY_MAX / audit_part_size(audit);

    if (fitting < 1)
        fitting = 1;
    return jobs < fitting ? jobs : (unsigned)fitting;
}

int audit_crew_run(const struct audit_request *request, const struct audit_crew *hiring,
                   struct audit_entry entries[static AUDIT_ENTRIES_MAX], size_t *count,
                   struct error *error)
{
    struct crew crew = {.game = request->game->name, .drawn = hiring->progress ? 0 : -1};
    struct audit *audit;
    int status = audit_new(&audit, request, error);

    if (status)
        return status;
    crew.audit = audit;
    status = run_crew(&crew, jobs_that_fit(audit, hiring->jobs), hiring, entries, count, error);
    audit_free(audit);
    return status;
}
