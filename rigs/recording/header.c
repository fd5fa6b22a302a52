/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/recording/format.h"

#include <stdio.h>
#include <string.h>

#include "hal/base/json_fields.h"
#include "hal/base/names.h"
#include "hal/base/printable.h"

#define RECORDING_VERSION 1

static int read_game(const struct json_value *header, struct game_setup *setup, struct error *error)
{
    const struct game *game;
    const char *name;
    int64_t version;

    if (field_number(json_member(header, "shoe"), "shoe (the version of the format)", INT64_MIN,
                     INT64_MAX, &version, error) < 0)
        return error->code;
    if (version != RECORDING_VERSION)
        return error_set(error, ERROR_CONFIG,
                         "shoe (the version of the format) is %jd; this program reads version %d",
                         (intmax_t)version, RECORDING_VERSION);
    if (field_text(json_member(header, "game"), "game", &name, error) < 0)
        return error->code;
    game = game_find(name);
    if (!game)
        return game_unknown(name, error);
    if (game_check(game, error))
        return error->code;
    game_setup_init(setup, game);
    return 0;
}

static int read_deal(const struct json_value *value, struct game_setup *setup, struct error *error)
{
    const char *mode;

    if (!value)
        return 0;
    if (field_text(value, "deal", &mode, error) < 0)
        return error->code;
    if (!strcmp(mode, "packets")) {
        setup->deal = DEAL_PACKETS;
    } else if (!strcmp(mode, "cards")) {
        setup->deal = DEAL_CARDS;
    } else {
        return error_set(error, ERROR_CONFIG, "deal is '%.40s'; it must be packets or cards", mode);
    }
    return 0;
}

static int read_burn(const struct json_value *value, struct game_setup *setup, struct error *error)
{
    int64_t burn;

    if (!value)
        return 0;
    if (field_number(value, "burn", 0, DECK_SIZE, &burn, error) < 0)
        return error->code;
    setup->burn = (uint8_t)burn;
    return 0;
}

static int read_decks(const struct json_value *value, uint8_t *decks, struct error *error)
{
    int64_t count = 1;

    if (json_is(value, JSON_KIND_INTEGER) && json_int(value) > DECKS_MAX)
        return error_set(error, ERROR_CONFIG,
                         "decks is %jd; it must be from 1 to %d: a machine shuffles one deck, or "
                         "two that take turns",
                         (intmax_t)json_int(value), DECKS_MAX);
    if (value && field_number(value, "decks", 1, DECKS_MAX, &count, error) < 0)
        return error->code;
    *decks = (uint8_t)count;
    return 0;
}

static int unknown_table(const struct paytables *paytables, const struct game *game, unsigned wager,
                         const char *name, struct error *error)
{
    struct name_list tables;
    const struct paytable *table;

    name_list_start(&tables);
    for (size_t i = 0; (table = paytables_at(paytables, game, wager, i)); i++)
        name_list_add(&tables, table->name);
    return error_set(error, ERROR_CONFIG, "there is no table '%.40s'; it has %s", name,
                     name_list_text(&tables));
}

static int read_table(const char *wager_name, const struct json_value *value,
                      const struct paytables *paytables, struct game_setup *setup,
                      struct error *error)
{
    const struct game *game = setup->game;
    int wager = game_wager(game, wager_name);
    const char *name;

    if (wager < 0)
        return error_set(error, ERROR_CONFIG, "%s has no such wager", game->name);
    if (!game->wagers[wager].table_count)
        return error_set(error, ERROR_CONFIG, "it pays even money and has no table");
    if (field_text(value, "it", &name, error) < 0)
        return error->code;
    setup->table[wager] = paytables_find(paytables, game, (unsigned)wager, name);
    return setup->table[wager] ? 0 : unknown_table(paytables, game, (unsigned)wager, name, error);
}

static int read_tables(const struct json_value *tables, const struct paytables *paytables,
                       struct game_setup *setup, struct error *error)
{

    if (!tables)
        return 0;
    if (field_object(tables, "tables", error) < 0)
        return error->code;
    JSON_EACH (value, tables) {
        if (read_table(value->key, value, paytables, setup, error) < 0) {
            error_prefix(error, "tables: %.40s", value->key);
            return error->code;
        }
    }
    return 0;
}

static int read_rounding(const struct json_value *value, struct game_setup *setup,
                         struct error *error)
{
    const char *rounding;

    if (field_text(value, "it", &rounding, error) < 0)
        return error->code;
    if (!strcmp(rounding, "up")) {
        setup->rounding = ROUNDING_UP;
    } else if (!strcmp(rounding, "nearest")) {
        setup->rounding = ROUNDING_NEAREST;
    } else {
        return error_set(error, ERROR_CONFIG, "it must be up or nearest, not '%.40s'", rounding);
    }
    return 0;
}

static int read_ace_low(const struct json_value *value, struct game_setup *setup,
                        struct error *error)
{
    char shown[FIELD_SHOWN_SIZE];

    if (!json_is(value, JSON_KIND_TRUE) && !json_is(value, JSON_KIND_FALSE))
        return error_set(error, ERROR_CONFIG, "it must be true or false, not %s",
                         field_show(value, shown, sizeof shown));
    setup->ace_low = json_is(value, JSON_KIND_TRUE);
    return 0;
}

static int read_rule(const char *name, const struct json_value *value, struct game_setup *setup,
                     struct error *error)
{
    if (setup->game->rounding_open && !strcmp(name, "progressive-rounding"))
        return read_rounding(value, setup, error);
    if (setup->game->ace_low_open && !strcmp(name, "ace-low"))
        return read_ace_low(value, setup, error);
    return error_set(error, ERROR_CONFIG, "%s has no such rule", setup->game->name);
}

static int read_rules(const struct json_value *rules, struct game_setup *setup, struct error *error)
{

    if (!rules)
        return 0;
    if (field_object(rules, "rules", error) < 0)
        return error->code;
    JSON_EACH (value, rules) {
        if (read_rule(value->key, value, setup, error) < 0) {
            error_prefix(error, "rules: %.40s", value->key);
            return error->code;
        }
    }
    return 0;
}

static int read_dollars(const struct json_value *value, micros_t *micros, struct error *error)
{
    const char *text;

    return field_text(value, "it", &text, error) < 0 ? (int)error->code
                                                     : micros_parse(text, micros, error);
}

static int read_rate(const struct json_value *value, int32_t *rate, struct error *error)
{
    const char *text;

    return field_text(value, "it", &text, error) < 0 ? (int)error->code
                                                     : rate_parse(text, rate, error);
}

static int read_must_hit(const struct json_value *value, struct meters *meters, struct error *error)
{
    static const char *const known[] = {"reset", "hit-by", "rate", NULL};
    const char *part = NULL;
    struct must_hit_rule rule;

    if (!value)
        return 0;
    if (field_object(value, "must-hit", error) < 0 ||
        fields_known(value, "must-hit", known, error) < 0)
        return error->code;
    if (read_dollars(json_member(value, known[0]), &rule.reset, error) < 0)
        part = known[0];
    else if (read_dollars(json_member(value, known[1]), &rule.hit_by, error) < 0)
        part = known[1];
    else if (read_rate(json_member(value, known[2]), &rule.rate, error) < 0)
        part = known[2];
    if (part) {
        error_prefix(error, "must-hit: %s", part);
        return error->code;
    }
    return meters_add_must_hit(meters, &rule, error);
}

static int read_meters(const struct json_value *values, struct meters *meters, struct error *error)
{
    micros_t micros;

    if (!values)
        return 0;
    if (field_object(values, "meters", error) < 0)
        return error->code;
    JSON_EACH (value, values) {
        if (read_dollars(value, &micros, error) < 0 ||
            meters_open(meters, value->key, micros, error) < 0) {
            error_prefix(error, "meters: %.40s", value->key);
            return error->code;
        }
    }
    return 0;
}

/* Printable, since it is compared and printed. */
static void keep_source(const struct json_value *source, const char *key,
                        char kept[RECORDING_SOURCE_SIZE])
{
    printable_copy(kept, RECORDING_SOURCE_SIZE, json_chars(json_member(source, key)));
}

static int read_source(const struct json_value *source, struct recording_header *header,
                       struct error *error)
{
    static const char *const known[] = {"recorded", "device",    "firmware", "by",
                                        "note",     "decisions", "devices",  "capture",
                                        "wagers",   "mode",      NULL};
    const char *text;

    keep_source(source, "device", header->device);
    keep_source(source, "firmware", header->firmware);
    keep_source(source, "recorded", header->recorded);
    if (!source)
        return 0;
    if (field_object(source, "source", error) < 0 ||
        fields_known(source, "source", known, error) < 0)
        return error->code;
    JSON_EACH (value, source) {
        if (field_text(value, value->key, &text, error) < 0) {
            error_prefix(error, "source");
            return error->code;
        }
    }
    return 0;
}

static int read_header(const struct json_value *line, const struct paytables *paytables,
                       struct recording_header *header, struct error *error)
{
    static const char *const known[] = {"shoe",  "game",   "deal",     "burn",   "decks", "tables",
                                        "rules", "meters", "must-hit", "source", NULL};
    struct game_setup *setup = &header->setup;

    if (fields_known(line, "the header", known, error) < 0 || read_game(line, setup, error) < 0 ||
        read_deal(json_member(line, "deal"), setup, error) < 0 ||
        read_burn(json_member(line, "burn"), setup, error) < 0 ||
        read_decks(json_member(line, "decks"), &header->decks, error) < 0 ||
        read_tables(json_member(line, "tables"), paytables, setup, error) < 0 ||
        read_rules(json_member(line, "rules"), setup, error) < 0 ||
        game_check_setup(setup, error) < 0)
        return error->code;
    game_meters_init(setup, &header->meters);
    header->has_meters = json_member(line, "meters");
    header->has_must_hit = json_member(line, "must-hit");
    if (read_must_hit(json_member(line, "must-hit"), &header->meters, error) < 0 ||
        read_meters(json_member(line, "meters"), &header->meters, error) < 0)
        return error->code;
    return read_source(json_member(line, "source"), header, error);
}

int recording_read_header(const char *text, size_t length, const struct paytables *paytables,
                          struct recording_header *header, struct error *error)
{
    struct json_reader *reader = json_reader_new(JSON_LONGEST);
    const struct json_value *line;
    struct error unheard;
    int status;

    if (!error)
        error = &unheard;
    if (!reader)
        return error_set(error, ERROR_RIG, "out of memory");
    line = fields_parse(reader, text, length, error);
    status = line ? read_header(line, paytables, header, error) : (int)error->code;
    json_reader_free(reader);
    if (status == ERROR_RULE)
        status = error->code = ERROR_CONFIG;
    if (status < 0) {
        char told[ERROR_TEXT_SIZE];

        memcpy(told, error->text, sizeof told);
        printable_show(error->text, sizeof error->text, told);
    }
    return status;
}

uint8_t recording_deck(const struct recording_header *header, const struct round *round,
                       uint8_t *previous)
{
    uint8_t deck = round->deck_id ? round->deck_id : *previous == 1 ? 2 : 1;

    if (header->decks < 2)
        return 0;
    if (!round->is_void || round->packet_count)
        *previous = deck;
    return deck;
}
