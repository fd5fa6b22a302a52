/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "tests/oracle/shoe.h"

static json_t *cards_json(const struct card *cards, int count)
{
    json_t *array = json_array();
    char text[3];

    for (int i = 0; i < count; i++) {
        card_write(cards[i], text);
        json_array_append_new(array, json_string(text));
    }
    return array;
}

static json_t *seat_json(const struct table *table, const struct seat *seat, bool misdealt)
{
    json_t *net = json_object(), *json;
    int64_t total = seat->must_hit;

    for (int wager = 0; wager < WAGERS; wager++)
        if (seat->stake[wager]) {
            json_object_set_new(net, table->game->wagers[wager], json_integer(seat->net[wager]));
            total += seat->net[wager];
        }
    if (seat->must_hit)
        json_object_set_new(net, "must-hit", json_integer(seat->must_hit));
    json = json_pack("{s:o, s:s, s:o, s:I}", "cards", cards_json(seat->cards, seat->card_count),
                     "hand", seat->hand, "net", net, "total", (json_int_t)total);
    if (misdealt)
        json_object_del(json, "hand");
    return json;
}

static json_t *dealer_json(const struct table *table, const struct round *round)
{
    json_t *dealer =
        json_pack("{s:o, s:s}", "cards", cards_json(round->dealer, round->dealer_count), "hand",
                  round->dealer_hand);

    if (round->misdealt)
        json_object_del(dealer, "hand");
    else if (table->game->qualifies)
        json_object_set_new(dealer, "qualifies", json_boolean(round->qualifies));
    return dealer;
}

static json_t *seats_json(const struct table *table, const struct round *round)
{
    json_t *seats = json_object();

    for (int number = 1; number <= SEATS; number++)
        if (round->seats[number].in) {
            char key[2] = {(char)('0' + number), '\0'};

            json_object_set_new(seats, key,
                                seat_json(table, &round->seats[number], round->misdealt));
        }
    return seats;
}

static json_t *jackpots_json(const struct table *table, const struct round *round)
{
    json_t *jackpots = json_array();

    for (int i = 0; i < round->jackpot_count; i++) {
        const struct jackpot *jackpot = &round->jackpots[i];

        json_array_append_new(jackpots, json_pack("{s:i, s:s, s:I}", "seat", jackpot->seat, "meter",
                                                  table->meters[jackpot->meter].name, "pays",
                                                  (json_int_t)jackpot->pays));
    }
    return jackpots;
}

static json_t *meters_json(const struct table *table)
{
    json_t *meters = json_object();

    for (int m = 0; m < table->meter_count; m++) {
        char text[32];

        snprintf(text, sizeof text, "%lld.%06lld",
                 (long long)table->meters[m].value / MILLIONTHS_PER_DOLLAR,
                 (long long)table->meters[m].value % MILLIONTHS_PER_DOLLAR);
        json_object_set_new(meters, table->meters[m].name, json_string(text));
    }
    return meters;
}

void expect_write(const struct table *table, const struct round *round, FILE *out)
{
    json_t *json = json_pack("{s:I}", "round", (json_int_t)round->number);

    if (round->error[0]) {
        json_object_set_new(json, "error", json_string(round->error));
    } else {
        if (round->misdealt)
            json_object_set_new(json, "void", json_string("misdeal"));
        json_object_set_new(json, "board", cards_json(round->board, round->board_count));
        json_object_set_new(json, "burned", cards_json(round->burned, round->burned_count));
        if (table->game->dealer)
            json_object_set_new(json, "dealer", dealer_json(table, round));
        json_object_set_new(json, "seats", seats_json(table, round));
        json_object_set_new(json, "jackpots", jackpots_json(table, round));
        json_object_set_new(json, "meters", meters_json(table));
    }
    json_dumpf(json, out, JSON_COMPACT);
    fputc('\n', out);
    json_decref(json);
}

void expect_write_lines(const struct table *table, const struct round *round, FILE *out)
{
    for (int i = 0; !round->error[0] && i < round->decided_count; i++) {
        int wager = round->decided[i].wager;
        char letter[2] = {table->paytable[wager], '\0'};

        fprintf(out, "%s/%s/%s/%s\n", table->game->name, table->game->wagers[wager],
                strcmp(letter, "s") == 0 ? "sample" : letter, round->decided[i].line);
    }
}
