/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "games/audit/audit.h"

#include <stdlib.h>
#include <string.h>

struct audit {
    const struct game *game;
    const struct audit_method *method;
    void *plan;
};

struct audit_part {
    const struct audit *audit;
    void *scratch;
    int64_t sums[];
};

void audit_request_init(struct audit_request *request, const struct game *game)
{
    struct game_setup setup;

    game_setup_init(&setup, game);
    memset(request, 0, sizeof *request);
    request->game = game;
    request->ace_low = setup.ace_low;
    for (unsigned w = 0; w < game->wager_count; w++)
        for (unsigned t = 0; t < game->wagers[w].table_count; t++)
            audit_request_add(request, w, &game->wagers[w].tables[t], NULL);
}

int audit_request_add(struct audit_request *request, unsigned wager, const struct paytable *table,
                      struct error *error)
{
    struct audit_tables *tables = &request->tables[wager];

    if (tables->count == AUDIT_TABLES_MAX)
        return error_set(error, ERROR_CONFIG,
                         "%s, %s: table '%s' is one too many, at most %d can be audited at once",
                         request->game->name, request->game->wagers[wager].name, table->name,
                         AUDIT_TABLES_MAX);
    tables->table[tables->count++] = table;
    return 0;
}

struct ratio audit_element_of_risk(const struct audit_entry *entry)
{
    return ratio_divide(ratio_negate(entry->ev), entry->average_wager);
}

struct ratio audit_standard_deviation(const struct audit_entry *entry)
{
    return ratio_root(law_variance(&entry->law));
}

struct ratio audit_volatility_index(const struct audit_entry *entry)
{
    struct ratio deviation = audit_standard_deviation(entry);

    return ratio_make(deviation.numerator * 1645, deviation.denominator * 1000);
}

static int out_of_memory(const struct game *game, size_t bytes, struct error *error)
{
    return error_set(error, ERROR_RIG,
                     "no memory to audit %s (%zu MB needed); free some, or use fewer jobs",
                     game->name, bytes / 1000000 + 1);
}

int audit_new(struct audit **audit, const struct audit_request *request, struct error *error)
{
    const struct audit_method *method = request->game->audit;
    struct audit *made;

    if (!method)
        return error_set(error, ERROR_CONFIG, "%s cannot be audited: it has no audit of its own",
                         request->game->name);
    made = malloc(sizeof *made);
    if (!made)
        return out_of_memory(request->game, sizeof *made, error);
    made->game = request->game;
    made->method = method;
    made->plan = method->plan(request);
    if (!made->plan) {
        free(made);
        return out_of_memory(request->game, 0, error);
    }
    *audit = made;
    return 0;
}

void audit_free(struct audit *audit)
{
    if (!audit)
        return;
    free(audit->plan);
    free(audit);
}

size_t audit_units(const struct audit *audit)
{
    return audit->method->units;
}

static size_t sums_size(const struct audit *audit)
{
    return audit->method->sums(audit->plan) * sizeof(int64_t);
}

size_t audit_part_size(const struct audit *audit)
{
    return sizeof(struct audit_part) + sums_size(audit) + audit->method->scratch_size;
}

int audit_part_new(struct audit_part **part, const struct audit *audit, struct error *error)
{
    struct audit_part *made = calloc(1, sizeof *made + sums_size(audit));
    void *scratch = malloc(audit->method->scratch_size + 1);

    if (!made || !scratch) {
        free(made);
        free(scratch);
        return out_of_memory(audit->game, audit_part_size(audit), error);
    }
    made->audit = audit;
    made->scratch = scratch;
    *part = made;
    return 0;
}

void audit_part_free(struct audit_part *part)
{
    if (!part)
        return;
    free(part->scratch);
    free(part);
}

void audit_part_do(struct audit_part *part, size_t unit)
{
    part->audit->method->unit(part->audit->plan, unit, part->scratch, part->sums);
}

void audit_part_add(struct audit_part *part, const struct audit_part *other)
{
    size_t count = part->audit->method->sums(part->audit->plan);

    for (size_t i = 0; i < count; i++)
        part->sums[i] += other->sums[i];
}

size_t audit_entries(const struct audit_part *total,
                     struct audit_entry entries[static AUDIT_ENTRIES_MAX])
{
    return total->audit->method->entries(total->audit->plan, total->sums, entries);
}

bool audit_decisions(const struct audit_part *total, unsigned table, audit_row_fn row,
                     void *context)
{
    const struct audit_method *method = total->audit->method;

    if (!method->decisions)
        return false;
    method->decisions(total->audit->plan, total->sums, table, row, context);
    if (method->last_decisions)
        method->last_decisions(total->audit->plan, total->sums, total->scratch, row, context);
    return true;
}
