#include "rigs/recording/shoe.h"

#include <stdio.h>
#include <string.h>

#include "hal/base/json_fields.h"
#include "hal/base/names.h"

#define SHOE_VERSION 1

static int read_game(const json_t *header, struct game_setup *setup, struct error *error)
{
    const struct game *game;
    const char *name;
    int64_t version;

    if (field_number(json_object_get(header, "shoe"), "shoe (the version of the format)", INT64_MIN,
                     INT64_MAX, &version, error) < 0)
        return error->code;
    if (version != SHOE_VERSION)
        return error_set(error, ERROR_CONFIG,
                         "shoe (the version of the format) is %jd; this program reads version %d",
                         (intmax_t)version, SHOE_VERSION);
    if (field_text(json_object_get(header, "game"), "game", &name, error) < 0)
        return error->code;
    game = game_find(name);
    if (!game)
        return game_unknown(name, error);
    game_setup_init(setup, game);
    return 0;
}

static int read_deal(const json_t *value, struct game_setup *setup, struct error *error)
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

static int read_burn(const json_t *value, struct game_setup *setup, struct error *error)
{
    int64_t burn;

    if (!value)
        return 0;
    if (field_number(value, "burn", 0, DECK_SIZE, &burn, error) < 0)
        return error->code;
    setup->burn = (uint8_t)burn;
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

static int read_table(const char *wager_name, const json_t *value,
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

static int read_tables(const json_t *tables, const struct paytables *paytables,
                       struct game_setup *setup, struct error *error)
{
    const char *key;
    json_t *value;

    if (!tables)
        return 0;
    if (field_object(tables, "tables", error) < 0)
        return error->code;
    json_object_foreach((json_t *)tables, key, value)
    {
        if (read_table(key, value, paytables, setup, error) < 0) {
            error_prefix(error, "tables: %.40s", key);
            return error->code;
        }
    }
    return 0;
}

static int read_rounding(const json_t *value, struct game_setup *setup, struct error *error)
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

static int read_ace_low(const json_t *value, struct game_setup *setup, struct error *error)
{
    char shown[FIELD_SHOWN_SIZE];

    if (!json_is_boolean(value))
        return error_set(error, ERROR_CONFIG, "it must be true or false, not %s",
                         field_show(value, shown, sizeof shown));
    setup->ace_low = json_is_true(value);
    return 0;
}

static int read_rule(const char *name, const json_t *value, struct game_setup *setup,
                     struct error *error)
{
    if (setup->game->rounding_open && !strcmp(name, "progressive-rounding"))
        return read_rounding(value, setup, error);
    if (setup->game->ace_low_open && !strcmp(name, "ace-low"))
        return read_ace_low(value, setup, error);
    return error_set(error, ERROR_CONFIG, "%s has no such rule", setup->game->name);
}

static int read_rules(const json_t *rules, struct game_setup *setup, struct error *error)
{
    const char *key;
    json_t *value;

    if (!rules)
        return 0;
    if (field_object(rules, "rules", error) < 0)
        return error->code;
    json_object_foreach((json_t *)rules, key, value)
    {
        if (read_rule(key, value, setup, error) < 0) {
            error_prefix(error, "rules: %.40s", key);
            return error->code;
        }
    }
    return 0;
}

static int read_dollars(const json_t *value, micros_t *micros, struct error *error)
{
    const char *text;

    return field_text(value, "it", &text, error) < 0 ? (int)error->code
                                                     : micros_parse(text, micros, error);
}

static int read_rate(const json_t *value, int32_t *rate, struct error *error)
{
    const char *text;

    return field_text(value, "it", &text, error) < 0 ? (int)error->code
                                                     : rate_parse(text, rate, error);
}

static int read_must_hit(const json_t *value, struct meters *meters, struct error *error)
{
    static const char *const known[] = {"reset", "hit-by", "rate", NULL};
    const char *part = NULL;
    struct must_hit_rule rule;

    if (!value)
        return 0;
    if (field_object(value, "must-hit", error) < 0 ||
        fields_known(value, "must-hit", known, error) < 0)
        return error->code;
    if (read_dollars(json_object_get(value, known[0]), &rule.reset, error) < 0)
        part = known[0];
    else if (read_dollars(json_object_get(value, known[1]), &rule.hit_by, error) < 0)
        part = known[1];
    else if (read_rate(json_object_get(value, known[2]), &rule.rate, error) < 0)
        part = known[2];
    if (part) {
        error_prefix(error, "must-hit: %s", part);
        return error->code;
    }
    return meters_add_must_hit(meters, &rule, error);
}

static int read_meters(const json_t *values, struct meters *meters, struct error *error)
{
    const char *key;
    json_t *value;
    micros_t micros;

    if (!values)
        return 0;
    if (field_object(values, "meters", error) < 0)
        return error->code;
    json_object_foreach((json_t *)values, key, value)
    {
        if (read_dollars(value, &micros, error) < 0 ||
            meters_open(meters, key, micros, error) < 0) {
            error_prefix(error, "meters: %.40s", key);
            return error->code;
        }
    }
    return 0;
}

/* Whoever compares or prints it wants no surprises. */
static void keep_source(const json_t *source, const char *key, char kept[SHOE_SOURCE_SIZE])
{
    const char *text = json_string_value(json_object_get(source, key));

    snprintf(kept, SHOE_SOURCE_SIZE, "%s", text ? text : "");
    text_clean(kept);
}

static int read_source(const json_t *source, struct shoe_header *header, struct error *error)
{
    static const char *const known[] = {"recorded", "device", "firmware", "by", "note", NULL};
    const char *key, *text;
    json_t *value;

    keep_source(source, "device", header->device);
    keep_source(source, "firmware", header->firmware);
    if (!source)
        return 0;
    if (field_object(source, "source", error) < 0 ||
        fields_known(source, "source", known, error) < 0)
        return error->code;
    json_object_foreach((json_t *)source, key, value)
    {
        if (field_text(value, key, &text, error) < 0) {
            error_prefix(error, "source");
            return error->code;
        }
    }
    return 0;
}

static int read_header(const json_t *line, const struct paytables *paytables,
                       struct shoe_header *header, struct error *error)
{
    static const char *const known[] = {"shoe",  "game",   "deal",     "burn",   "tables",
                                        "rules", "meters", "must-hit", "source", NULL};
    struct game_setup *setup = &header->setup;

    if (fields_known(line, "the header", known, error) < 0 || read_game(line, setup, error) < 0 ||
        read_deal(json_object_get(line, "deal"), setup, error) < 0 ||
        read_burn(json_object_get(line, "burn"), setup, error) < 0 ||
        read_tables(json_object_get(line, "tables"), paytables, setup, error) < 0 ||
        read_rules(json_object_get(line, "rules"), setup, error) < 0 ||
        game_check_setup(setup, error) < 0)
        return error->code;
    game_meters_init(setup, &header->meters);
    header->has_meters = json_object_get(line, "meters");
    header->has_must_hit = json_object_get(line, "must-hit");
    if (read_must_hit(json_object_get(line, "must-hit"), &header->meters, error) < 0 ||
        read_meters(json_object_get(line, "meters"), &header->meters, error) < 0)
        return error->code;
    return read_source(json_object_get(line, "source"), header, error);
}

int shoe_read_header(const char *text, size_t length, const struct paytables *paytables,
                     struct shoe_header *header, struct error *error)
{
    struct error unheard;
    json_t *line;
    int status;

    if (!error)
        error = &unheard;
    line = fields_parse(text, length, error);
    status = line ? read_header(line, paytables, header, error) : (int)error->code;
    json_decref(line);
    if (status == ERROR_RULE)
        status = error->code = ERROR_CONFIG;
    if (status < 0)
        text_clean(error->text);
    return status;
}
