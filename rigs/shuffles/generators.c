/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/shuffles/generators.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int generators_keep(struct generators_orders *orders, const struct shuffles_order *order,
                    struct error *error)
{
    struct generators_order *kept;

    if (orders->read++ < GENERATORS_KEPT_MAX && orders->count == orders->room) {
        size_t room = orders->room ? 2 * orders->room : 64;

        kept = realloc(orders->orders, room * sizeof *kept);
        if (!kept)
            return error_set(error, ERROR_RIG, "no memory to keep %zu orders in", room);
        orders->orders = kept;
        orders->room = room;
    }
    if (order->unrelated)
        orders->has_last[order->deck] = false;
    if (orders->count < GENERATORS_KEPT_MAX) {
        kept = &orders->orders[orders->count++];
        *kept = (struct generators_order){.number = orders->read,
                                          .known = (unsigned)order->count,
                                          .deck = order->deck,
                                          .has_before = order->before != NULL,
                                          .is_stand_in =
                                              !order->before && orders->has_last[order->deck]};
        memcpy(kept->cards, order->cards, order->count);
        if (order->before || kept->is_stand_in)
            memcpy(kept->before, order->before ? order->before : orders->last[order->deck],
                   DECK_SIZE);
    }
    orders->has_last[order->deck] = order->count == DECK_SIZE;
    memcpy(orders->last[order->deck], order->cards, order->count);
    return 0;
}

void generators_orders_free(struct generators_orders *orders)
{
    free(orders->orders);
    memset(orders, 0, sizeof *orders);
}

static size_t count_generators(void)
{
    size_t count = 0;

    while (count < GENERATORS_COUNT_MAX && weak_generator_at(count))
        count++;
    return count;
}

void generators_init(struct generators *generators, const struct generators_orders *orders)
{
    memset(generators, 0, sizeof *generators);
    generators->orders = orders;
    generators->jobs = 1;
    memset(generators->entries, true, count_generators() * WEAK_MAPPINGS);
}

static bool is_named(uint32_t entry, const char *name, size_t length)
{
    char text[WEAK_ENTRY_TEXT];
    const char *const names[] = {text, weak_entry_generator(entry)->name,
                                 weak_entry_mapping(entry)->name};

    weak_entry_text(entry, text);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strlen(names[i]) == length && !memcmp(names[i], name, length))
            return true;
    return false;
}

int generators_take(struct generators *generators, const char *names, struct error *error)
{
    memset(generators->entries, false, sizeof generators->entries);
    for (;; names++) {
        size_t length = strcspn(names, ",");
        bool is_any = false;

        for (uint32_t i = 0; i < count_generators() * WEAK_MAPPINGS; i++)
            if (is_named(i, names, length))
                is_any = generators->entries[i] = true;
        if (!is_any)
            return error_set(error, ERROR_CONFIG,
                             "'%.*s' is neither a generator nor a mapping of the catalogue; write "
                             "lcg, down-modulo or lcg:down-modulo, as 'dealproof shuffles "
                             "--generators' has them",
                             (int)(length < 40 ? length : 40), names);
        names += length;
        if (!*names)
            return 0;
    }
}

void generators_seeds(const struct generators *generators, const struct weak_generator *generator,
                      uint64_t *first, uint64_t *seeds)
{
    *first = weak_is_cycle(generator) ? 0 : generator->first;
    *seeds = generator->seeds;
    if (generator->by_millisecond) {
        *first = (uint64_t)generators->from;
        *seeds =
            generators->to > generators->from ? (uint64_t)(generators->to - generators->from) : 0;
    }
}

unsigned generators_mappings(const struct generators *generators, size_t generator)
{
    unsigned count = 0;

    for (size_t i = 0; i < WEAK_MAPPINGS; i++)
        count += generators->entries[generator * WEAK_MAPPINGS + i];
    return count;
}

/* Seeds that are tried by some mapping, of all generators; those just seeded in two ways. */
static double count_trials(const struct generators *generators)
{
    const struct weak_generator *generator;
    double trials = 0;

    for (size_t i = 0; (generator = weak_generator_at(i)); i++) {
        uint64_t first, seeds;

        generators_seeds(generators, generator, &first, &seeds);
        trials +=
            (double)seeds * generators_mappings(generators, i) * (weak_is_cycle(generator) ? 1 : 2);
    }
    return trials;
}

/* That the first cards of an order of a uniform shuffler are those. */
static double chance_of(unsigned known)
{
    double chance = 1;

    for (unsigned i = 0; i < known; i++)
        chance /= DECK_SIZE - i;
    return chance;
}

void generators_moved(const struct generators_order *order, enum generators_start start,
                      struct seek_target *moved)
{
    uint8_t place[DECK_SIZE];

    for (unsigned i = 0; i < DECK_SIZE; i++)
        place[start == GENERATORS_SORTED ? i : card_index(order->before[i])] = (uint8_t)i;
    moved->known = order->known;
    for (unsigned i = 0; i < order->known; i++)
        moved->moved[i] = place[card_index(order->cards[i])];
}

bool generators_has_start(const struct generators_order *order, enum generators_start start)
{
    return start == GENERATORS_SORTED || order->has_before || order->is_stand_in;
}

static void add_targets(struct generators *generators, size_t order)
{
    for (int start = 0; start < GENERATORS_STARTS; start++) {
        struct generators_target *target = &generators->targets[generators->target_count];

        if (!generators_has_start(&generators->orders->orders[order], (enum generators_start)start))
            continue;
        target->order = order;
        target->start = (enum generators_start)start;
        generators_moved(&generators->orders->orders[order], target->start, &target->moved);
        generators->target_count++;
    }
}

/* How much an order tells: most of all its cards, then what went into it. */
static unsigned rank(const struct generators_order *order)
{
    return 3 * order->known + (order->has_before ? 2 : order->is_stand_in);
}

/* The earliest of those that tell most; `count` if there is none. */
static size_t best_order(const struct generators_orders *orders)
{
    size_t best = 0;

    for (size_t i = 1; i < orders->count; i++)
        if (rank(&orders->orders[i]) > rank(&orders->orders[best]))
            best = i;
    return best;
}

bool generators_choose(struct generators *generators)
{
    const struct generators_orders *orders = generators->orders;
    double trials = count_trials(generators) * GENERATORS_STARTS * GENERATORS_TRIES_MAX;
    size_t best = best_order(orders);

    generators->needed = SEEK_KNOWN_MIN;
    while (generators->needed < DECK_SIZE &&
           trials * chance_of(generators->needed) > GENERATORS_CHANCE)
        generators->needed++;
    generators->target_count = 0;
    generators->chance = 0;
    if (best < orders->count && orders->orders[best].known >= generators->needed)
        add_targets(generators, best);
    if (best && orders->orders[0].known >= generators->needed)
        add_targets(generators, 0);
    for (size_t i = 0; i < generators->target_count; i++)
        generators->chance +=
            count_trials(generators) * chance_of(generators->targets[i].moved.known);
    return generators->target_count > 0;
}

/* Asks for all mappings of a generator, each from all targets: by mapping, then target. */
static void ask(struct generators *generators, size_t generator)
{
    struct seek *seek = &generators->seek;

    for (size_t i = 0; i < WEAK_MAPPINGS; i++)
        for (size_t j = 0; j < generators->target_count; j++)
            if (generators->entries[generator * WEAK_MAPPINGS + i])
                seek->questions[seek->question_count++] =
                    (struct seek_question){weak_mapping_at(i), &generators->targets[j].moved};
}

_Static_assert(WEAK_MAPPINGS *GENERATORS_TRIES_MAX *GENERATORS_STARTS <= SEEK_QUESTIONS_MAX,
               "all mappings can be asked for at once");

static const struct generators_target *target_of(const struct generators *generators, size_t hit)
{
    const struct seek *seek = &generators->seek;
    const struct generators_target *target = generators->targets;

    while (&target->moved != seek->questions[seek->hits[hit].question].target)
        target++;
    return target;
}

/* The hit of the earliest order counts; that of another is what the first predicts. */
static void note_found(const struct generators *generators, size_t generator,
                       struct generators_found *found)
{
    const struct seek *seek = &generators->seek;
    size_t kept = seek->hit_count < SEEK_HITS_MAX ? seek->hit_count : SEEK_HITS_MAX;

    for (size_t i = 0; i < kept; i++) {
        const struct generators_target *target = target_of(generators, i);
        size_t mapping = 0;

        if (found->is_found && target->order == found->order)
            found->hits++;
        if (found->is_found && target->order >= found->order)
            continue;
        while (weak_mapping_at(mapping) != seek->questions[seek->hits[i].question].mapping)
            mapping++;
        *found = (struct generators_found){.is_found = true,
                                           .entry = (uint32_t)(generator * WEAK_MAPPINGS + mapping),
                                           .seed = seek->hits[i].seed,
                                           .skipped = seek->hits[i].skipped,
                                           .order = target->order,
                                           .start = target->start,
                                           .hits = 1};
    }
}

void generators_ready(struct generators *generators, size_t generator)
{
    struct seek *seek = &generators->seek;

    seek_init(seek, weak_generator_at(generator));
    seek->stop = &generators->stop;
    seek->tick = generators->tick;
    seek->context = generators->context;
    generators_seeds(generators, seek->generator, &seek->first, &seek->seeds);
    seek->jobs = generators->jobs;
}

int generators_seek(struct generators *generators, size_t generator, uint64_t most,
                    struct generators_found *found, struct error *error)
{
    struct seek *seek = &generators->seek;
    int status;

    *found = (struct generators_found){.is_found = false};
    generators_ready(generators, generator);
    if (most && seek->seeds > most)
        seek->seeds = most;
    seek->is_first_enough = !weak_is_cycle(seek->generator);
    for (size_t i = 0; i < generators->target_count; i++)
        seek->is_first_enough &= generators->targets[i].moved.known == DECK_SIZE;
    ask(generators, generator);
    status = seek_run(seek, error);
    if (!status && seek->hit_count)
        note_found(generators, generator, found);
    return status;
}
