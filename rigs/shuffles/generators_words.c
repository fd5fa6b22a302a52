/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/shuffles/generators_words.h"

#include <inttypes.h>

#include "hal/base/plural.h"

const char *generators_start_words(const struct generators_order *order,
                                   enum generators_start start)
{
    if (start == GENERATORS_SORTED)
        return "from a sorted deck, 2c 3c to As, whatever went in";
    return order->has_before ? "from the order that went in"
                             : "from the order dealt before it, which stands for what went in";
}

static void say_size(const struct generators *generators, FILE *out)
{
    const struct weak_generator *generator;
    uint64_t entries = 0, all = 0;
    unsigned count = 0;

    for (size_t i = 0; (generator = weak_generator_at(i)); i++) {
        unsigned mappings = generators_mappings(generators, i);
        uint64_t first, seeds;

        generators_seeds(generators, generator, &first, &seeds);
        if (!mappings || !seeds)
            continue;
        count++;
        entries += mappings;
        all += seeds;
    }
    fprintf(out, "%" PRIu64 " entr%s of %u generator%s, %" PRIu64 " seeds", entries,
            entries == 1 ? "y" : "ies", count, plural(count), all);
}

void generators_say_sought(const struct generators *generators, FILE *out)
{
    for (size_t i = 0; i < generators->target_count; i++) {
        const struct generators_target *target = &generators->targets[i];
        const struct generators_order *order = &generators->orders->orders[target->order];

        fprintf(out, "Looked for: shuffle %" PRIu64 " of %" PRIu64 ", %u cards of it, %s.\n",
                order->number, generators->orders->read, target->moved.known,
                generators_start_words(order, target->start));
    }
    fputs("Looked in: ", out);
    say_size(generators, out);
    fprintf(out,
            ". The order of a uniform shuffler would be found among them with a chance of %.1e at "
            "most.\n",
            generators->chance);
}

void generators_say_left(const struct generators *generators, FILE *out)
{
    const struct weak_generator *generator;
    bool has_before = false;

    for (size_t i = 0; i < generators->target_count; i++)
        has_before |= generators->targets[i].start == GENERATORS_BEFORE;
    if (!has_before)
        fputs("What went in is not known: a generator that permutes whatever goes in cannot be "
              "recognised without it. Recordings have it as \"before\".\n",
              out);
    for (size_t i = 0; (generator = weak_generator_at(i)); i++) {
        uint64_t first, seeds;

        generators_seeds(generators, generator, &first, &seeds);
        if (!seeds && generators_mappings(generators, i))
            fprintf(out,
                    "Not looked in: %s, whose seeds are times; no recording says when it was "
                    "made.\n",
                    generator->name);
    }
}

void generators_say_found(const struct generators *generators, const struct generators_found *found,
                          FILE *out)
{
    const struct generators_order *order = &generators->orders->orders[found->order];
    char entry[WEAK_ENTRY_TEXT], time[GENERATORS_TIME_TEXT];

    if (!found->is_found) {
        fputs("No generator of the catalogue made it.\n", out);
        return;
    }
    weak_entry_text(found->entry, entry);
    generators_time_text(found, time);
    fprintf(out, "%s made shuffle %" PRIu64 " with seed %" PRIu64 " (0x%" PRIx64 ")", entry,
            order->number, found->seed, found->seed);
    if (*time)
        fprintf(out, ", which may be a time: %s", time);
    if (found->skipped)
        fprintf(out, ", after %u number that was not used", found->skipped);
    fprintf(out, ", %s.\n", generators_start_words(order, found->start));
    fprintf(out, "The generator is %s; the mapping: %s.\n",
            weak_entry_generator(found->entry)->what, weak_entry_mapping(found->entry)->what);
    if (found->hits > 1)
        fprintf(out, "%zu seeds or mappings fit, which these cards do not tell apart.\n",
                found->hits);
}

static void say_gap(const struct generators_found *found, FILE *out)
{
    if (found->gap)
        fprintf(out, ", with %u number%s between two shuffles that others drew", found->gap,
                plural(found->gap));
}

void generators_say_followed(const struct generators *generators,
                             const struct generators_found *found, FILE *out)
{
    const struct generators_orders *orders = generators->orders;
    size_t after = orders->count - found->order - 1;

    if (found->right) {
        fprintf(out, "%s of the %zu shuffle%s after it w%s predicted from there, to the card",
                found->right == after ? "All" : "The first", after, plural(after),
                after == 1 ? "as" : "ere");
        if (found->right < after)
            fprintf(out, ": %zu", found->right);
        say_gap(found, out);
        fputs(".\n", out);
    }
    if (found->is_unknown)
        fputs("What went into the one after that is not known, so that nothing is predicted.\n",
              out);
    if (found->is_broken)
        fprintf(out, "Shuffle %" PRIu64 " is not what comes next: ",
                orders->orders[found->order + found->right + 1].number);
    if (found->is_reseeded)
        fprintf(out, "the generator was seeded anew, with %" PRIu64 " (0x%" PRIx64 ").\n",
                found->reseed, found->reseed);
    else if (found->is_broken)
        fprintf(out,
                "no seed %smade it by the same entry, and no fewer than %d numbers lie between.\n",
                weak_is_cycle(weak_entry_generator(found->entry)) ? "" : "near that one ",
                GENERATORS_GAP_MAX);
    if (found->has_next)
        fprintf(out, "The next order, if %s:\n",
                found->next_start == GENERATORS_BEFORE
                    ? "the cards go back as they came out"
                    : "it begins with a sorted deck, whatever goes in");
}
