#include "rigs/shoe.h"

#include <string.h>

#include "games/name_list.h"
#include "rigs/fields.h"

static int read_game(const json_t *header, struct game_setup *setup, struct error *error)
{
    const struct game *game;
    const char *name;
    int64_t version;

    if (field_number(json_object_get(header, "shoe"), "shoe (the version of the format)", 1, 1,
                     &version, error) < 0 ||
        field_text(json_object_get(header, "game"), "game", &name, error) < 0)
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

static int read_tables(const json_t *tables, const struct paytables *paytables,
                       struct game_setup *setup, struct error *error)
{
    const struct game *game = setup->game;
    const char *key, *name;
    json_t *value;

    if (!tables)
        return 0;
    if (field_object(tables, "tables", error) < 0)
        return error->code;
    json_object_foreach((json_t *)tables, key, value)
    {
        int wager = game_wager(game, key);

        if (wager < 0)
            return error_set(error, ERROR_CONFIG, "tables: %s has no wager '%.40s'", game->name,
                             key);
        if (!game->wagers[wager].table_count)
            return error_set(error, ERROR_CONFIG, "tables: '%s' pays even money and has no table",
                             key);
        if (field_text(value, key, &name, error) < 0)
            return error->code;
        setup->table[wager] = paytables_find(paytables, game, (unsigned)wager, name);
        if (!setup->table[wager])
            return unknown_table(paytables, game, (unsigned)wager, name, error);
    }
    return 0;
}

static int read_rounding(const json_t *value, struct game_setup *setup, struct error *error)
{
    const char *rounding;

    if (field_text(value, "progressive-rounding", &rounding, error) < 0)
        return error->code;
    if (!strcmp(rounding, "up")) {
        setup->rounding = ROUNDING_UP;
    } else if (!strcmp(rounding, "nearest")) {
        setup->rounding = ROUNDING_NEAREST;
    } else {
        return error_set(error, ERROR_CONFIG,
                         "progressive-rounding is '%.40s'; it must be up or nearest", rounding);
    }
    return 0;
}

static int read_rules(const json_t *rules, struct game_setup *setup, struct error *error)
{
    const struct game *game = setup->game;
    const char *key;
    json_t *value;

    if (!rules)
        return 0;
    if (field_object(rules, "rules", error) < 0)
        return error->code;
    json_object_foreach((json_t *)rules, key, value)
    {
        char shown[FIELD_SHOWN_SIZE];

        if (game->rounding_open && !strcmp(key, "progressive-rounding")) {
            if (read_rounding(value, setup, error) < 0)
                return error->code;
        } else if (game->ace_low_open && !strcmp(key, "ace-low")) {
            if (!json_is_boolean(value))
                return error_set(error, ERROR_CONFIG, "ace-low must be true or false, not %s",
                                 field_show(value, shown, sizeof shown));
            setup->ace_low = json_is_true(value);
        } else {
            return error_set(error, ERROR_CONFIG, "rules: %s has no rule '%.40s'", game->name, key);
        }
    }
    return 0;
}

static int read_must_hit(const json_t *value, struct meters *meters, struct error *error)
{
    static const char *const known[] = {"reset", "hit-by", "rate", NULL};
    const char *reset, *hit_by, *rate;
    struct must_hit_rule rule;

    if (!value)
        return 0;
    if (field_object(value, "must-hit", error) < 0 ||
        fields_known(value, "must-hit", known, error) < 0 ||
        field_text(json_object_get(value, "reset"), "reset", &reset, error) < 0 ||
        field_text(json_object_get(value, "hit-by"), "hit-by", &hit_by, error) < 0 ||
        field_text(json_object_get(value, "rate"), "rate", &rate, error) < 0 ||
        micros_parse(reset, &rule.reset, error) < 0 ||
        micros_parse(hit_by, &rule.hit_by, error) < 0 || rate_parse(rate, &rule.rate, error) < 0)
        return error->code;
    return meters_add_must_hit(meters, &rule, error);
}

static int read_meters(const json_t *values, struct meters *meters, struct error *error)
{
    const char *key, *text;
    json_t *value;
    micros_t micros;

    if (!values)
        return 0;
    if (field_object(values, "meters", error) < 0)
        return error->code;
    json_object_foreach((json_t *)values, key, value)
    {
        if (field_text(value, key, &text, error) < 0 || micros_parse(text, &micros, error) < 0 ||
            meters_open(meters, key, micros, error) < 0) {
            error_prefix(error, "meters");
            return error->code;
        }
    }
    return 0;
}

static int read_source(const json_t *source, struct error *error)
{
    static const char *const known[] = {"recorded", "device", "firmware", "by", "note", NULL};
    const char *key, *text;
    json_t *value;

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
    if (read_must_hit(json_object_get(line, "must-hit"), &header->meters, error) < 0 ||
        read_meters(json_object_get(line, "meters"), &header->meters, error) < 0)
        return error->code;
    return read_source(json_object_get(line, "source"), error);
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
