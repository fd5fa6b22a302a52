/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/shuffles/generators_show.h"

#include <inttypes.h>
#include <stdio.h>

#include "hal/base/save.h"
#include "rigs/page/markup.h"
#include "rigs/shuffles/generators_words.h"
#include "tools/json_print.h"

#define DIGITS     12
#define CARDS_TEXT (3 * DECK_SIZE)

static const char *cards_text(const card_t cards[DECK_SIZE], char text[CARDS_TEXT])
{
    for (unsigned i = 0; i < DECK_SIZE; i++) {
        card_format(cards[i], text + 3 * i);
        text[3 * i + 2] = ' ';
    }
    text[CARDS_TEXT - 1] = '\0';
    return text;
}

void generators_show(const struct generators_shown *shown)
{
    char cards[CARDS_TEXT];

    if (*shown->origin->device) {
        fputs("Shuffles of ", stdout);
        plain_text(stdout, shown->origin->device);
        fputs(".\n", stdout);
    }
    generators_say_sought(shown->generators, stdout);
    generators_say_left(shown->generators, stdout);
    putchar('\n');
    generators_say_found(shown->generators, shown->found, stdout);
    if (shown->found->is_found)
        generators_say_followed(shown->generators, shown->found, stdout);
    if (shown->found->has_next)
        printf("  %s\n", cards_text(shown->found->next, cards));
}

static void print_unsigned(struct json_print *print, const char *key, uint64_t number)
{
    json_print_integer(print, key, (int64_t)number);
}

static const char *start_name(const struct generators_order *order, enum generators_start start)
{
    if (start == GENERATORS_SORTED)
        return "sorted";
    return order->has_before ? "before" : "dealt-before";
}

static void print_sought(struct json_print *print, const struct generators *generators)
{
    json_print_open(print, "sought", "[]");
    for (size_t i = 0; i < generators->target_count; i++) {
        const struct generators_target *target = &generators->targets[i];
        const struct generators_order *order = &generators->orders->orders[target->order];

        json_print_open(print, NULL, "{}");
        print_unsigned(print, "shuffle", order->number);
        print_unsigned(print, "cards", order->known);
        json_print_text(print, "start", start_name(order, target->start));
        json_print_close(print, "{}");
    }
    json_print_close(print, "[]");
    json_print_open(print, "generators", "[]");
    for (size_t i = 0; weak_generator_at(i); i++) {
        uint64_t first, seeds;

        generators_seeds(generators, weak_generator_at(i), &first, &seeds);
        json_print_open(print, NULL, "{}");
        json_print_text(print, "generator", weak_generator_at(i)->name);
        print_unsigned(print, "seeds", seeds);
        print_unsigned(print, "mappings", generators_mappings(generators, i));
        json_print_close(print, "{}");
    }
    json_print_close(print, "[]");
}

static void print_found(struct json_print *print, const struct generators_shown *shown)
{
    const struct generators_found *found = shown->found;
    const struct generators_order *order = &shown->generators->orders->orders[found->order];
    char time[GENERATORS_TIME_TEXT], cards[CARDS_TEXT];

    generators_time_text(found, time);
    json_print_open(print, "found", "{}");
    json_print_text(print, "generator", weak_entry_generator(found->entry)->name);
    json_print_text(print, "mapping", weak_entry_mapping(found->entry)->name);
    print_unsigned(print, "seed", found->seed);
    json_print_text(print, "time", *time ? time : NULL);
    print_unsigned(print, "unused", found->skipped);
    print_unsigned(print, "shuffle", order->number);
    json_print_text(print, "start", start_name(order, found->start));
    print_unsigned(print, "hits", found->hits);
    print_unsigned(print, "predicted", found->right);
    print_unsigned(print, "between", found->gap);
    json_print_bool(print, "broken", found->is_broken);
    if (found->is_reseeded)
        print_unsigned(print, "seeded-anew", found->reseed);
    json_print_text(print, "next", found->has_next ? cards_text(found->next, cards) : NULL);
    json_print_close(print, "{}");
}

void generators_show_json(const struct generators_shown *shown)
{
    struct json_print print = {.out = stdout};

    json_print_open(&print, NULL, "{}");
    print_unsigned(&print, "shuffles", shown->generators->orders->read);
    json_print_text(&print, "device", shown->origin->device);
    json_print_text(&print, "firmware", shown->origin->firmware);
    json_print_text(&print, "recorded", shown->origin->recorded);
    json_print_text(&print, "digest", shown->origin->digest);
    json_print_real(&print, "chance", shown->generators->chance, DIGITS);
    print_unsigned(&print, "needed", shown->generators->needed);
    print_sought(&print, shown->generators);
    if (shown->found->is_found)
        print_found(&print, shown);
    else
        json_print_text(&print, "found", NULL);
    json_print_close(&print, "{}");
    putchar('\n');
}

static void write_page(const void *page, FILE *out)
{
    generators_html_page(page, out);
}

int generators_show_page(const struct generators_shown *shown, const char *path,
                         struct error *error)
{
    const struct shuffles_origin *origin = shown->origin;
    const struct generators_page page = {.generators = shown->generators,
                                         .found = shown->found,
                                         .device = origin->device,
                                         .firmware = origin->firmware,
                                         .from = origin->from,
                                         .recorded = origin->recorded,
                                         .digest = origin->digest,
                                         .recordings = origin->recordings};

    return save_whole(path, write_page, &page, error);
}

static void list_json(void)
{
    struct json_print print = {.out = stdout};

    json_print_open(&print, NULL, "{}");
    json_print_open(&print, "entries", "[]");
    for (uint32_t i = 0; weak_entry_generator(i); i++) {
        char text[WEAK_ENTRY_TEXT];

        weak_entry_text(i, text);
        json_print_text(&print, NULL, text);
    }
    json_print_close(&print, "[]");
    json_print_close(&print, "{}");
    putchar('\n');
}

void generators_list(bool json)
{
    const struct weak_generator *generator;
    const struct weak_mapping *mapping;

    if (json) {
        list_json();
        return;
    }
    printf("%-12s %16s  %s\n", "generator", "seeds", "what it is");
    for (size_t i = 0; (generator = weak_generator_at(i)); i++)
        printf("%-12s %16" PRIu64 "  %s\n", generator->name, generator->seeds, generator->what);
    printf("\n%-15s %s\n", "mapping", "how an order is made of its numbers");
    for (size_t i = 0; (mapping = weak_mapping_at(i)); i++)
        printf("%-15s %s\n", mapping->name, mapping->what);
    printf("\nAn entry is both: lcg:down-modulo.\n");
}
