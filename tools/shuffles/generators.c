/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/shuffles/generators.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "rigs/shuffles/html.h"
#include "tools/interrupt.h"
#include "tools/shuffles/generators_show.h"

#define SAMPLE       (UINT64_C(1) << 18) /* seeds that an estimate is made by */
#define DEAR_SECONDS 10
#define SHOWN_EVERY  0.2
#define DAY          INT64_C(86400000) /* in milliseconds */

struct search {
    const struct command *command;
    const struct generators_use *use;
    struct generators generators;
    struct generators_found found;
    struct generators_done done;
    struct interrupt interrupt;
    bool shows; /* a line of progress */
    double shown;
};

static double seconds_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void on_signal(void *context, unsigned times)
{
    struct search *search = context;

    (void)times;
    atomic_store(&search->generators.stop, true);
}

static void on_tick(void *context, const struct seek *seek)
{
    struct search *search = context;
    double now = seconds_now();

    if (!search->shows || now - search->shown < SHOWN_EVERY)
        return;
    search->shown = now;
    fprintf(stderr, "\r\033[K%s: %" PRIu64 " of %" PRIu64 " seeds", seek->generator->name,
            atomic_load(&seek->done), seek->seeds);
    fflush(stderr);
}

static void clear_line(const struct search *search)
{
    if (search->shows)
        fputs("\r\033[K", stderr);
}

/* Whole minutes from two on. */
static void print_time(double seconds)
{
    if (seconds < 120)
        fprintf(stderr, "about %.0f s", seconds);
    else
        fprintf(stderr, "about %.0f min", seconds / 60);
}

static uint64_t seeds_of(const struct search *search, const struct weak_generator *generator)
{
    uint64_t first, seeds;

    generators_seeds(&search->generators, generator, &first, &seeds);
    return seeds;
}

/* By the time that the first seeds take, on as many threads. */
static int estimate(struct search *search, size_t which, double *seconds, struct error *error)
{
    uint64_t seeds = seeds_of(search, weak_generator_at(which));
    uint64_t sample = SAMPLE * search->use->jobs;
    struct generators_found found;
    double start = seconds_now();
    int status;

    *seconds = 0;
    if (seeds <= sample)
        return 0;
    status = generators_seek(&search->generators, which, sample, &found, error);
    *seconds = (seconds_now() - start) * (double)seeds / (double)sample;
    return status;
}

static bool is_asked(const struct search *search, size_t which)
{
    return seeds_of(search, weak_generator_at(which)) &&
           generators_mappings(&search->generators, which);
}

/* Says how long it takes before it starts, if that is long. */
static int seek_one(struct search *search, size_t which, struct error *error)
{
    double seconds;
    int status = estimate(search, which, &seconds, error);

    clear_line(search);
    if (!status && seconds > DEAR_SECONDS) {
        fprintf(stderr, "%s: %" PRIu64 " seeds by %u mapping%s, ", weak_generator_at(which)->name,
                seeds_of(search, weak_generator_at(which)),
                generators_mappings(&search->generators, which),
                generators_mappings(&search->generators, which) == 1 ? "" : "s");
        print_time(seconds);
        fputc('\n', stderr);
    }
    if (!status)
        status = generators_seek(&search->generators, which, 0, &search->found, error);
    clear_line(search);
    search->done.part = &search->generators.seek;
    search->done.whole += !status;
    return status;
}

static int seek_all(struct search *search, struct error *error)
{
    int status = 0;

    for (size_t i = 0; weak_generator_at(i) && !status && !search->found.is_found; i++)
        if (is_asked(search, i))
            status = seek_one(search, i, error);
    if (!status && search->found.is_found)
        status = generators_follow(&search->generators, &search->found, error);
    clear_line(search);
    return status;
}

/* The day before the first date to the day after the last. */
static void set_span(struct generators *generators, const char *recorded)
{
    struct tm first = {0}, last = {0};
    const char *to = strstr(recorded, " to ");

    if (!strptime(recorded, "%Y-%m-%d", &first) ||
        !strptime(to ? to + strlen(" to ") : recorded, "%Y-%m-%d", &last))
        return;
    generators->from = (int64_t)timegm(&first) * 1000 - DAY;
    generators->to = (int64_t)timegm(&last) * 1000 + 2 * DAY;
}

static int too_few(const struct search *search)
{
    const struct generators *generators = &search->generators;
    unsigned most = 0;

    for (size_t i = 0; i < generators->orders->count; i++)
        if (generators->orders->orders[i].known > most)
            most = generators->orders->orders[i].known;
    if (most)
        return command_end(
            search->command, EXIT_TOO_FEW,
            "no order has more than %u cards known; a generator is looked for from "
            "%u of the top of one order on, or else some seed of the catalogue would "
            "fit by chance",
            most, generators->needed);
    return command_end(search->command, EXIT_TOO_FEW,
                       "there is no order to look for; a generator search needs a round with "
                       "\"deck\", or %u cards of a deal",
                       generators->needed);
}

static int interrupted(const struct search *search)
{
    const struct seek *part = search->done.part;

    if (!part)
        return command_end(search->command, EXIT_ABORTED, "interrupted before the first generator");
    if (search->found.is_found)
        return command_end(search->command, EXIT_ABORTED,
                           "interrupted while what was found was followed");
    return command_end(search->command, EXIT_ABORTED,
                       "interrupted; nothing was found in %u whole generator%s and %" PRIu64
                       " of %" PRIu64 " seeds of %s",
                       search->done.whole, search->done.whole == 1 ? "" : "s",
                       atomic_load(&part->done), seeds_of(search, part->generator),
                       part->generator->name);
}

static int show(const struct search *search, const struct shuffles_origin *origin)
{
    const struct generators_shown shown = {
        .generators = &search->generators, .found = &search->found, .origin = origin};
    struct error error;

    if (search->use->json)
        generators_show_json(&shown);
    else
        generators_show(&shown);
    if (search->use->html && generators_show_page(&shown, search->use->html, &error))
        return command_error(search->command, &error);
    return command_finish(search->command, search->found.is_found ? EXIT_FAIL : EXIT_PASS);
}

static int run(struct search *search, const struct shuffles_origin *origin)
{
    struct error error;
    int status = weak_check(&error);

    if (!status)
        status = interrupt_watch(&search->interrupt, on_signal, search, &error);
    if (status)
        return command_error(search->command, &error);
    status = seek_all(search, &error);
    interrupt_release(&search->interrupt);
    if (status == ERROR_ABORTED)
        return interrupted(search);
    return status ? command_error(search->command, &error) : show(search, origin);
}

int generators_search(const struct command *command, const struct generators_use *use,
                      const struct generators_orders *orders, const struct shuffles_origin *origin)
{
    struct search *search = calloc(1, sizeof *search);
    struct error error = {.code = ERROR_RIG, .text = "no memory to search in"};
    int status;

    if (!search)
        return command_error(command, &error);
    search->command = command;
    search->use = use;
    search->shows = isatty(STDERR_FILENO);
    generators_init(&search->generators, orders);
    search->generators.jobs = use->jobs;
    search->generators.tick = on_tick;
    search->generators.context = search;
    set_span(&search->generators, origin->recorded);
    if (use->only && generators_take(&search->generators, use->only, &error))
        status = command_usage_error(command, "--only: %s", error.text);
    else if (!generators_choose(&search->generators))
        status = too_few(search);
    else
        status = run(search, origin);
    free(search);
    return status;
}
