/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/recording/paytables.h"

#include <stdlib.h>
#include <string.h>

#include "hal/base/json_lines.h"

struct extra {
    const struct game *game;
    unsigned wager;
    struct paytable table;
    struct extra *next;
};

struct paytables {
    struct extra *first;
    struct extra **last;
};

static const struct extra *next_of(const struct extra *extra, const struct game *game,
                                   unsigned wager)
{
    while (extra && (extra->game != game || extra->wager != wager))
        extra = extra->next;
    return extra;
}

const struct paytable *paytables_at(const struct paytables *set, const struct game *game,
                                    unsigned wager, size_t index)
{
    const struct wager *w = &game->wagers[wager];
    const struct extra *extra;

    if (index < w->table_count)
        return &w->tables[index];
    index -= w->table_count;
    extra = next_of(set ? set->first : NULL, game, wager);
    while (extra && index--)
        extra = next_of(extra->next, game, wager);
    return extra ? &extra->table : NULL;
}

const struct paytable *paytables_find(const struct paytables *set, const struct game *game,
                                      unsigned wager, const char *name)
{
    const struct paytable *table;

    for (size_t i = 0; (table = paytables_at(set, game, wager, i)); i++)
        if (!strcmp(table->name, name))
            return table;
    return NULL;
}

/* "$250.00": whole cents, above 0. */
static int read_cash(const char *text, struct pay *pay, struct error *error)
{
    micros_t micros;

    if (*text != '$')
        return error_set(error, ERROR_CONFIG, "\"%s\" is not a pay; cash is written \"$250.00\"",
                         text);
    if (micros_parse(text + 1, &micros, error) < 0)
        return error->code;
    if (micros % MICROS_PER_CENT || !micros || micros / MICROS_PER_CENT > INT32_MAX)
        return error_set(error, ERROR_CONFIG, "%s is not a sum of whole cents up to $%d", text,
                         INT32_MAX / 100);
    *pay = (struct pay){PAY_CASH, (int32_t)(micros / MICROS_PER_CENT)};
    return 0;
}

static int read_meter(const struct json_value *value, const struct game *game, struct pay *pay,
                      struct error *error)
{
    static const char *const known[] = {"meter", NULL};
    const char *name;

    if (fields_known(value, "a pay", known, error) < 0 ||
        field_text(json_member(value, "meter"), "meter", &name, error) < 0)
        return error->code;
    for (int32_t i = 0; i < game->meter_count; i++)
        if (!strcmp(game->meters[i].name, name)) {
            *pay = (struct pay){PAY_METER, i};
            return 0;
        }
    return error_set(error, ERROR_CONFIG, "%s has no meter '%s'", game->name, name);
}

static int read_pay(const struct json_value *value, const struct game *game, struct pay *pay,
                    struct error *error)
{
    int64_t odds;

    if (json_is(value, JSON_KIND_OBJECT))
        return read_meter(value, game, pay, error);
    if (json_is(value, JSON_KIND_STRING) && strcmp(value->text, "push"))
        return read_cash(value->text, pay, error);
    if (json_is(value, JSON_KIND_STRING)) {
        *pay = (struct pay){PAY_ODDS, 0};
        return 0;
    }
    if (field_number(value, "a pay", 1, INT32_MAX, &odds, error) < 0)
        return error->code;
    *pay = (struct pay){PAY_ODDS, (int32_t)odds};
    return 0;
}

static int read_pays(const struct json_value *pays, const struct extra *extra,
                     struct paytable *table, struct error *error)
{
    const struct wager *wager = &extra->game->wagers[extra->wager];
    const char *known[LINES_MAX + 1] = {NULL};

    for (unsigned i = 0; i < wager->line_count; i++)
        known[i] = wager->lines[i].name;
    if (field_object(pays, "pays", error) < 0 || fields_known(pays, "pays", known, error) < 0)
        return error->code;
    for (unsigned i = 0; i < wager->line_count; i++) {
        const struct json_value *value = json_member(pays, known[i]);

        if (!value)
            return error_set(error, ERROR_CONFIG, "no pay for '%s'; every line must be given",
                             known[i]);
        if (read_pay(value, extra->game, &table->pays[i], error) < 0) {
            error_prefix(error, "%s", known[i]);
            return error->code;
        }
    }
    return 0;
}

static int read_place(const struct json_value *line, struct extra *extra, struct error *error)
{
    const char *game, *wager;
    int index;

    if (field_text(json_member(line, "game"), "game", &game, error) < 0 ||
        field_text(json_member(line, "wager"), "wager", &wager, error) < 0)
        return error->code;
    extra->game = game_find(game);
    if (!extra->game)
        return game_unknown(game, error);
    index = game_wager(extra->game, wager);
    if (index < 0)
        return error_set(error, ERROR_CONFIG, "%s has no wager '%s'", game, wager);
    extra->wager = (unsigned)index;
    if (!extra->game->wagers[index].line_count)
        return error_set(error, ERROR_CONFIG, "%s of %s pays even money and has no table", wager,
                         game);
    return 0;
}

static int read_table(const struct paytables *set, const struct json_value *line,
                      struct extra *extra, struct error *error)
{
    static const char *const known[] = {"game", "wager", "table", "pays", NULL};
    const struct wager *wager;
    const char *name;

    if (fields_known(line, "a paytable", known, error) < 0 || read_place(line, extra, error) < 0 ||
        field_text(json_member(line, "table"), "table", &name, error) < 0)
        return error->code;
    if (!*name || strlen(name) >= TABLE_NAME_MAX)
        return error_set(error, ERROR_CONFIG, "a table's name has 1 to %d characters, not '%s'",
                         TABLE_NAME_MAX - 1, name);
    wager = &extra->game->wagers[extra->wager];
    if (paytables_find(set, extra->game, extra->wager, name))
        return error_set(error, ERROR_CONFIG, "%s has a table '%s' already; choose another name",
                         wager->name, name);
    strcpy(extra->table.name, name);
    if (read_pays(json_member(line, "pays"), extra, &extra->table, error) < 0)
        return error->code;
    return game_check_table(extra->game, extra->wager, &extra->table, error);
}

static int add_line(void *context, const struct json_value *line, uint64_t number,
                    struct error *error)
{
    struct paytables *set = context;
    struct extra *extra = calloc(1, sizeof *extra);
    int status =
        extra ? read_table(set, line, extra, error) : error_set(error, ERROR_RIG, "out of memory");

    (void)number;
    if (status < 0) {
        free(extra);
        return status;
    }
    *set->last = extra;
    set->last = &extra->next;
    return 0;
}

int paytables_load(const char *path, struct paytables **result, struct error *error)
{
    struct paytables *set = calloc(1, sizeof *set);
    int status;

    if (!set)
        return error_set(error, ERROR_RIG, "%s: out of memory", path);
    set->last = &set->first;
    status = json_lines_read(path, add_line, set, error);
    if (!status && !set->first)
        status = error_set(error, ERROR_CONFIG, "%s: empty; no paytable in it", path);
    if (status)
        paytables_free(set);
    else
        *result = set;
    return status;
}

void paytables_free(struct paytables *set)
{
    struct extra *extra = set ? set->first : NULL;

    while (extra) {
        struct extra *next = extra->next;

        free(extra);
        extra = next;
    }
    free(set);
}
