/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/oracle/shoe.h"

#include <stdlib.h>
#include <string.h>

#include "tests/oracle/keys.h"

/* A decimal of at most six places, in millionths; -1 if it is not one. */
static int64_t read_decimal(const json_t *value)
{
    const char *text = json_string_value(value);
    int64_t whole = 0;
    int places = -1;

    if (!text || !*text || strspn(text, "0123456789.") != strlen(text) || strlen(text) > 18)
        return -1;
    for (; *text; text++) {
        if (*text == '.' && places >= 0)
            return -1;
        if (*text == '.') {
            places = 0;
            continue;
        }
        whole = whole * 10 + (*text - '0');
        if (places >= 0)
            places++;
    }
    if (places > 6 || places == 0)
        return -1;
    for (int i = places < 0 ? 0 : places; i < 6; i++)
        whole *= 10;
    return whole;
}

static bool known_fields(json_t *object, const char *const *names)
{
    const char *key;
    json_t *value;

    json_object_foreach(object, key, value)
    {
        const char *const *name = names;

        while (*name && strcmp(*name, key) != 0)
            name++;
        if (!*name)
            return false;
    }
    return true;
}

static int wager_number(const struct game *game, const char *name)
{
    for (int i = 0; i < WAGERS && game->wagers[i]; i++)
        if (strcmp(game->wagers[i], name) == 0)
            return i;
    return -1;
}

static bool read_game(const json_t *header, struct table *table)
{
    const char *name = json_string_value(json_object_get(header, "game"));

    *table = (struct table){.ace_low = true};
    for (int i = 0; name && i < GAMES; i++)
        if (strcmp(oracle_games[i].name, name) == 0)
            table->game = &oracle_games[i];
    if (!table->game)
        return false;
    for (int i = 0; i < WAGERS; i++)
        table->paytable[i] = table->game->tables[i] ? table->game->tables[i][0] : '\0';
    memcpy(table->meters, table->game->meters, sizeof table->meters);
    table->meter_count = table->game->meter_count;
    return true;
}

static bool read_tables(json_t *tables, struct table *table)
{
    const char *key;
    json_t *value;

    json_object_foreach(tables, key, value)
    {
        int wager = wager_number(table->game, key);
        const char *name = json_string_value(value);

        if (wager < 0 || !name || !*name || !table->game->tables[wager])
            return false;
        if (strcmp(name, "sample") != 0 && name[1])
            return false;
        if (!strchr(table->game->tables[wager], name[0]))
            return false;
        table->paytable[wager] = name[0];
    }
    return true;
}

static bool read_rules(json_t *rules, struct table *table)
{
    json_t *ace_low = json_object_get(rules, "ace-low");
    const char *rounding = json_string_value(json_object_get(rules, "progressive-rounding"));

    if (!known_fields(rules, (const char *[]){"ace-low", "progressive-rounding", NULL}))
        return false;
    if (ace_low && !json_is_boolean(ace_low))
        return false;
    table->ace_low = !ace_low || json_is_true(ace_low);
    table->round_to_nearest = rounding && strcmp(rounding, "nearest") == 0;
    return true;
}

static bool read_must_hit(json_t *must_hit, struct table *table)
{
    int64_t reset = read_decimal(json_object_get(must_hit, "reset"));
    int64_t rate = read_decimal(json_object_get(must_hit, "rate"));

    if (!must_hit)
        return true;
    table->hit_by = read_decimal(json_object_get(must_hit, "hit-by"));
    if (table->game != &oracle_games[CHASE_THE_FLUSH] || reset < 0 || rate < 0 ||
        table->hit_by <= reset)
        return false;
    table->must_hit = true;
    table->meters[table->meter_count++] = (struct meter){"must-hit", reset, rate / 10000, reset};
    return true;
}

static bool read_meters(json_t *meters, struct table *table)
{
    const char *key;
    json_t *value;

    json_object_foreach(meters, key, value)
    {
        int m = 0;

        while (m < table->meter_count && strcmp(table->meters[m].name, key) != 0)
            m++;
        if (m == table->meter_count)
            return false;
        table->meters[m].value = read_decimal(value);
        if (table->meters[m].value < 0)
            return false;
    }
    return true;
}

static bool read_deal(json_t *header, struct table *table)
{
    const char *deal = json_string_value(json_object_get(header, "deal"));
    json_int_t burn = json_integer_value(json_object_get(header, "burn"));

    table->card_by_card = deal && strcmp(deal, "cards") == 0;
    if (deal && !table->card_by_card && strcmp(deal, "packets") != 0)
        return false;
    table->burn = (int)burn;
    return burn >= 0 && burn <= 10 && !(table->card_by_card && !table->game->by_cards);
}

static bool read_decks(const json_t *decks, struct table *table)
{
    table->decks = decks ? (int)json_integer_value(decks) : 1;
    return table->decks == 1 || table->decks == 2;
}

bool shoe_read_header(const char *line, struct table *table, char error[160])
{
    static const char *const fields[] = {"shoe",  "game",   "deal",     "burn",   "decks", "tables",
                                         "rules", "meters", "must-hit", "source", NULL};
    json_t *header = json_loads(line, JSON_REJECT_DUPLICATES, NULL);
    const char *wrong = NULL;

    if (!header || !known_fields(header, fields) ||
        json_integer_value(json_object_get(header, "shoe")) != 1)
        wrong = "no header";
    else if (!read_game(header, table))
        wrong = "no game";
    else if (!read_deal(header, table))
        wrong = "wrong deal or burn";
    else if (!read_decks(json_object_get(header, "decks"), table))
        wrong = "wrong decks";
    else if (!read_tables(json_object_get(header, "tables"), table))
        wrong = "wrong tables";
    else if (!read_rules(json_object_get(header, "rules"), table))
        wrong = "wrong rules";
    else if (!read_must_hit(json_object_get(header, "must-hit"), table))
        wrong = "wrong Must Hit";
    else if (!read_meters(json_object_get(header, "meters"), table))
        wrong = "wrong meters";
    snprintf(error, 160, "%s", wrong ? wrong : "");
    json_decref(header);
    return !wrong;
}

static int seat_number(const char *key)
{
    return strlen(key) == 1 && key[0] >= '1' && key[0] <= '0' + SEATS ? key[0] - '0' : 0;
}

static void read_seat_bets(json_t *bets, const struct table *table, struct round *round, int number)
{
    const struct game *game = table->game;
    struct seat *seat = &round->seats[number];
    const char *key;
    json_t *value;

    json_object_foreach(bets, key, value)
    {
        int wager = wager_number(game, key);

        if (wager < 0 || strstr(game->by_decision, key) || json_integer_value(value) <= 0)
            round_error(round, "seat %d: wrong bet \"%s\"", number, key);
        else
            seat->stake[wager] = json_integer_value(value);
    }
    seat->in = true;
    if (!seat->stake[ANTE])
        round_error(round, "seat %d: no ante", number);
    if (game->x_tra && seat->stake[X_TRA] != seat->stake[ANTE])
        round_error(round, "seat %d: x-tra is not the ante", number);
    if (game->progressive >= 0 && seat->stake[game->progressive] &&
        seat->stake[game->progressive] != 500)
        round_error(round, "seat %d: the progressive wager is not $5", number);
}

static void read_bets(json_t *bets, const struct table *table, struct round *round)
{
    const char *key;
    json_t *value;

    if (!json_object_size(bets))
        round_error(round, "no bets");
    json_object_foreach(bets, key, value)
    {
        int number = seat_number(key);

        if (!number || !json_is_object(value))
            round_error(round, "no seat \"%s\"", key);
        else
            read_seat_bets(value, table, round, number);
    }
}

/* The same decisions, but not all of them. */
static bool breaks_off(const char *whole, const char *play)
{
    size_t length = strlen(play);

    return strncmp(whole, play, length) == 0 && (!length || whole[length] == ' ');
}

static void read_seat_play(const json_t *words, const struct table *table, struct round *round,
                           int number)
{
    char play[64] = "";
    bool is_legal = false;

    for (size_t i = 0; i < json_array_size(words); i++) {
        const char *word = json_string_value(json_array_get(words, i));

        snprintf(play + strlen(play), sizeof play - strlen(play), "%s%s", i ? " " : "",
                 word ? word : "?");
    }
    for (int i = 0; table->game->plays[i]; i++)
        if (strcmp(table->game->plays[i], play) == 0 ||
            (round->misdealt && breaks_off(table->game->plays[i], play)))
            is_legal = true;
    if (!is_legal)
        round_error(round, "seat %d cannot play \"%s\"", number, play);
    else
        snprintf(round->seats[number].play, sizeof round->seats[number].play, "%.31s", play);
}

static void read_play(json_t *play, const struct table *table, struct round *round)
{
    const char *key;
    json_t *value;

    json_object_foreach(play, key, value)
    {
        int number = seat_number(key);

        if (!number || !round->seats[number].in)
            round_error(round, "seat \"%s\" plays without a bet", key);
        else
            read_seat_play(value, table, round, number);
    }
    for (int number = 1; number <= SEATS; number++)
        if (round->seats[number].in && !round->seats[number].play[0] && !round->misdealt)
            round_error(round, "seat %d does not play", number);
}

static void add_card(struct round *round, int count, struct card card)
{
    for (int i = 0; i < count; i++)
        if (card_same(round->dealt[i], card))
            round_error(round, "a card was dealt twice");
    if (count < DECK)
        round->dealt[count] = card;
    else
        round_error(round, "more than %d cards", DECK);
}

static void read_dealt(const json_t *dealt, struct round *round)
{
    int count = 0;

    for (size_t i = 0; i < json_array_size(dealt) && i < DECK; i++) {
        const char *packet = json_string_value(json_array_get(dealt, i));
        char *copy = strdup(packet ? packet : "?"), *state = NULL;

        for (char *word = strtok_r(copy, " ", &state); word; word = strtok_r(NULL, " ", &state)) {
            struct card card;

            if (!card_read(word, &card))
                round_error(round, "no card \"%.20s\"", word);
            else
                add_card(round, count++, card);
            round->packets[i]++;
        }
        free(copy);
        round->packet_count++;
    }
    if (json_array_size(dealt) > DECK)
        round_error(round, "more than %d packets", DECK);
}

/* "star=10000.10" */
static void read_correction(const char *text, const struct table *table, int stage,
                            struct round *round)
{
    const char *value = strchr(text, '=');
    json_t *dollars = value ? json_string(value + 1) : NULL;
    struct correction correction = {.stage = stage, .value = read_decimal(dollars)};

    while (value && correction.meter < table->meter_count &&
           (strlen(table->meters[correction.meter].name) != (size_t)(value - text) ||
            strncmp(table->meters[correction.meter].name, text, (size_t)(value - text)) != 0))
        correction.meter++;
    json_decref(dollars);
    if (!value || correction.value < 0 || correction.meter == table->meter_count ||
        round->correction_count == 8)
        round_error(round, "wrong correction \"%s\"", text);
    else
        round->corrections[round->correction_count++] = correction;
}

static void read_keys(const json_t *keys, const struct table *table, struct round *round)
{
    struct pressing pressing;
    bool has_paid = false;

    if (!keys)
        return;
    if (table->game->progressive < 0)
        round_error(round, "keys at a table without a terminal");
    if (json_array_size(keys) > 256)
        round_error(round, "more than 256 keys");
    keys_begin(table, round, &pressing);
    for (size_t i = 0; i < json_array_size(keys); i++) {
        const char *key = json_string_value(json_array_get(keys, i));
        enum place was_at;

        if (!key)
            continue;
        was_at = pressing.at;
        keys_press(&pressing, key, round);
        if (was_at == NO_ROUND && pressing.at == OPEN)
            has_paid = false;
        else if (was_at == ON_SIGN && pressing.at == OPEN)
            has_paid = true;
        else if (strncmp(key, "correct-meter:", 14) == 0 && (was_at == NO_ROUND || was_at == OPEN))
            read_correction(key + 14, table, pressing.closed == ENDED ? 2 : has_paid, round);
    }
    keys_end(&pressing, round);
}

void shoe_read_round(const char *line, const struct table *table, struct round *round)
{
    static const char *const fields[] = {"round",     "bets",     "dealt", "play",    "keys",
                                         "procedure", "must-hit", "void",  "deck-id", NULL};
    json_t *json = json_loads(line, JSON_REJECT_DUPLICATES, NULL);
    const json_t *must_hit = json_object_get(json, "must-hit");
    const json_t *void_as = json_object_get(json, "void");
    const json_t *deck = json_object_get(json, "deck-id");

    *round = (struct round){.number = json_integer_value(json_object_get(json, "round"))};
    if (!json || !known_fields(json, fields) || round->number < 1)
        round_error(round, "not a round");
    if (deck && (table->decks < 2 || json_integer_value(deck) < 1 ||
                 json_integer_value(deck) > table->decks))
        round_error(round, "no such deck");
    round->misdealt = void_as;
    if (void_as && (!json_is_string(void_as) || strcmp(json_string_value(void_as), "misdeal") != 0))
        round_error(round, "void as nothing that there is");
    read_bets(json_object_get(json, "bets"), table, round);
    read_play(json_object_get(json, "play"), table, round);
    read_dealt(json_object_get(json, "dealt"), round);
    read_keys(json_object_get(json, "keys"), table, round);
    if (must_hit) {
        json_int_t seat = json_integer_value(json_object_get(must_hit, "seat"));

        if (seat < 1 || seat > SEATS)
            round_error(round, "Must Hit names no seat");
        else
            round->must_hit_seat = (int)seat;
    }
    json_decref(json);
}
