/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/oracle/deck.h"

#include <string.h>

/* splitmix64: small, well known, the same everywhere. */
static uint64_t next(struct chance *chance)
{
    uint64_t z = chance->state += 0x9e3779b97f4a7c15;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

int chance_below(struct chance *chance, int below)
{
    return (int)(next(chance) % (uint64_t)below);
}

bool chance_one_in(struct chance *chance, int n)
{
    return chance_below(chance, n) == 0;
}

struct card card_number(int number)
{
    return (struct card){2 + number % 13, SUITS[number / 13 % 4]};
}

void deck_shuffle(struct chance *chance, struct card deck[DECK])
{
    for (int i = 0; i < DECK; i++)
        deck[i] = card_number(i);
    for (int i = DECK - 1; i > 0; i--)
        deck_put(deck, i, deck[chance_below(chance, i + 1)]);
}

void deck_put(struct card deck[DECK], int slot, struct card card)
{
    int from = 0;

    while (!card_same(deck[from], card))
        from++;
    deck[from] = deck[slot];
    deck[slot] = card;
}

static void deliver(const struct card *cards, int count, const struct table *table,
                    struct round *round, int *dealt)
{
    for (int i = 0; i < count; i++)
        round->dealt[(*dealt)++] = cards[i];
    for (int i = 0; i < (table->card_by_card ? count : 1); i++)
        round->packets[round->packet_count++] = table->card_by_card ? 1 : count;
}

static void deliver_hands(const struct card deck[DECK], const struct table *table,
                          struct round *round, int *dealt)
{
    int hole = table->game->hole_cards;
    int passes = table->card_by_card ? hole : 1;

    for (int pass = 0; pass < passes; pass++) {
        for (int seat = 1; seat <= SEATS; seat++)
            if (round->seats[seat].in)
                deliver(&deck[SLOT_SEAT(seat, pass)], hole / passes, table, round, dealt);
        if (table->game->dealer)
            deliver(&deck[SLOT_SEAT(0, pass)], hole / passes, table, round, dealt);
    }
}

static void deliver_draws(const struct card deck[DECK], const struct table *table,
                          struct round *round, int *dealt)
{
    struct round seen = *round;
    bool draws[SEATS + 1];

    memcpy(seen.dealer, &deck[SLOT_SEAT(0, 0)], 3 * sizeof deck[0]);
    for (int seat = 1; seat <= SEATS; seat++) {
        memcpy(seen.seats[seat].cards, &deck[SLOT_SEAT(seat, 0)], 3 * sizeof deck[0]);
        seen.seats[seat].folded = strcmp(seen.seats[seat].play, "fold") == 0;
    }
    three_card_catch_draws(table, &seen, draws);
    for (int seat = 1; seat <= SEATS; seat++)
        if (draws[seat])
            deliver(&deck[SLOT_SEAT(seat, 3)], 1, table, round, dealt);
    if (draws[0])
        deliver(&deck[SLOT_SEAT(0, 3)], 1, table, round, dealt);
}

void deck_deal(const struct card deck[DECK], const struct table *table, struct round *round)
{
    int dealt = 0;

    if (table->burn)
        deliver(&deck[SLOT_BURN(0)], table->burn, table, round, &dealt);
    deliver_hands(deck, table, round, &dealt);
    if (table->game->board_cards)
        deliver(&deck[SLOT_BOARD(0)], table->game->board_cards, table, round, &dealt);
    if (table->game == &oracle_games[THREE_CARD_CATCH])
        deliver_draws(deck, table, round, &dealt);
}

void table_init(struct table *table, const struct game *game)
{
    *table = (struct table){.game = game, .ace_low = true, .meter_count = game->meter_count};
    for (int wager = 0; wager < WAGERS; wager++)
        table->paytable[wager] = game->tables[wager] ? game->tables[wager][0] : '\0';
    memcpy(table->meters, game->meters, sizeof table->meters);
}

static json_t *decimal_json(int64_t millionths, int places)
{
    char text[32];

    snprintf(text, sizeof text, "%lld.%06lld", (long long)millionths / MILLIONTHS_PER_DOLLAR,
             (long long)millionths % MILLIONTHS_PER_DOLLAR);
    text[strlen(text) - 6 + (size_t)places] = '\0';
    return json_string(text);
}

static void add_meters(json_t *header, const struct table *table)
{
    const struct meter *last = &table->meters[table->meter_count - 1];
    json_t *meters = json_object();

    for (int m = 0; m < table->meter_count; m++)
        if (table->meters[m].value != table->meters[m].reseed)
            json_object_set_new(meters, table->meters[m].name,
                                decimal_json(table->meters[m].value, 6));
    json_object_set_new(header, "meters", meters);
    if (table->must_hit)
        json_object_set_new(header, "must-hit",
                            json_pack("{s:o, s:o, s:o}", "reset", decimal_json(last->reseed, 2),
                                      "hit-by", decimal_json(table->hit_by, 2), "rate",
                                      decimal_json(last->rate * 10000, 2)));
}

json_t *header_json(const struct table *table, const char *note)
{
    json_t *header = json_pack("{s:i, s:s, s:s, s:i}", "shoe", 1, "game", table->game->name, "deal",
                               table->card_by_card ? "cards" : "packets", "burn", table->burn);
    json_t *tables = json_object(), *rules = json_object();

    for (int wager = 0; wager < WAGERS; wager++)
        if (table->paytable[wager]) {
            char letter[2] = {table->paytable[wager], '\0'};

            json_object_set_new(tables, table->game->wagers[wager],
                                json_string(letter[0] == 's' ? "sample" : letter));
        }
    if (table->game == &oracle_games[THREE_CARD_CATCH]) {
        json_object_set_new(rules, "ace-low", json_boolean(table->ace_low));
        json_object_set_new(rules, "progressive-rounding",
                            json_string(table->round_to_nearest ? "nearest" : "up"));
    }
    json_object_set_new(header, "tables", tables);
    json_object_set_new(header, "rules", rules);
    if (table->meter_count)
        add_meters(header, table);
    json_object_set_new(header, "source",
                        json_pack("{s:s, s:s}", "by", "tests/oracle", "note", note));
    return header;
}

static json_t *play_json(const char *play)
{
    json_t *words = json_array();
    char copy[32], *state = NULL;

    snprintf(copy, sizeof copy, "%s", play);
    for (char *word = strtok_r(copy, " ", &state); word; word = strtok_r(NULL, " ", &state))
        json_array_append_new(words, json_string(word));
    return words;
}

static json_t *dealt_json(const struct round *round)
{
    json_t *dealt = json_array();
    int card = 0;

    for (int packet = 0; packet < round->packet_count; packet++) {
        char text[3 * DECK + 1] = "";

        for (int i = 0; i < round->packets[packet]; i++) {
            char name[3];

            card_write(round->dealt[card++], name);
            snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", i ? " " : "", name);
        }
        json_array_append_new(dealt, json_string(text));
    }
    return dealt;
}

json_t *round_json(const struct table *table, const struct round *round)
{
    json_t *bets = json_object(), *play = json_object();
    json_t *line;

    for (int number = 1; number <= SEATS; number++) {
        const struct seat *seat = &round->seats[number];
        char key[2] = {(char)('0' + number), '\0'};
        json_t *stakes;

        if (!seat->in)
            continue;
        stakes = json_object();
        for (int wager = 0; wager < WAGERS; wager++)
            if (seat->stake[wager])
                json_object_set_new(stakes, table->game->wagers[wager],
                                    json_integer(seat->stake[wager]));
        json_object_set_new(bets, key, stakes);
        json_object_set_new(play, key, play_json(seat->play));
    }
    line = json_pack("{s:I, s:o, s:o, s:o}", "round", (json_int_t)round->number, "bets", bets,
                     "dealt", dealt_json(round), "play", play);
    if (round->cancelled)
        json_object_set_new(line, "keys", json_pack("[s, s]", "start-round", "cancel-round"));
    if (round->must_hit_seat)
        json_object_set_new(line, "must-hit", json_pack("{s:i}", "seat", round->must_hit_seat));
    return line;
}

void line_write(json_t *line, FILE *out)
{
    json_dumpf(line, out, JSON_COMPACT);
    fputc('\n', out);
    json_decref(line);
}
