/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "tests/oracle/deal.h"
#include "tests/oracle/deck.h"

#define SPOIL_ONE_IN 40
#define VOID_ONE_IN  20

static void random_must_hit(struct chance *chance, struct table *table)
{
    struct meter *meter = &table->meters[table->meter_count++];
    int64_t range = (int64_t)(1 + chance_below(chance, 2000)) * MILLIONTHS_PER_CENT;

    meter->name = "must-hit";
    meter->reseed = (int64_t)(5000 + chance_below(chance, 50000)) * MILLIONTHS_PER_CENT;
    meter->rate = 1 + chance_below(chance, 1000);
    meter->value = meter->reseed + chance_below(chance, (int)range + 1);
    table->must_hit = true;
    table->hit_by = meter->reseed + range;
}

static void random_table(struct chance *chance, const struct game *game, struct table *table)
{
    table_init(table, game);
    table->card_by_card = game->by_cards && chance_one_in(chance, 3);
    table->burn = chance_one_in(chance, 2) ? chance_below(chance, 4) : 0;
    table->ace_low = !chance_one_in(chance, 4);
    table->round_to_nearest = chance_one_in(chance, 2);
    for (int wager = 0; wager < WAGERS; wager++)
        if (table->paytable[wager]) {
            const char *letters = game->tables[wager];

            table->paytable[wager] = letters[chance_below(chance, (int)strlen(letters))];
        }
    for (int m = 0; m < table->meter_count; m++)
        if (chance_one_in(chance, 2))
            table->meters[m].value += chance_below(chance, 2000000000);
    if (game == &oracle_games[CHASE_THE_FLUSH] && chance_one_in(chance, 2))
        random_must_hit(chance, table);
}

static int64_t random_stake(struct chance *chance)
{
    return chance_one_in(chance, 3) ? 1 + chance_below(chance, 99999)
                                    : 500 * (1 + chance_below(chance, 20));
}

static void random_seat(struct chance *chance, const struct game *game, struct seat *seat)
{
    int plays = 0;

    *seat = (struct seat){.in = true};
    for (int wager = 0; wager < WAGERS && game->wagers[wager]; wager++)
        if (wager == ANTE ||
            (!strstr(game->by_decision, game->wagers[wager]) && !chance_one_in(chance, 3)))
            seat->stake[wager] = wager == game->progressive ? 500 : random_stake(chance);
    if (game->x_tra)
        seat->stake[X_TRA] = seat->stake[ANTE];
    while (game->plays[plays])
        plays++;
    snprintf(seat->play, sizeof seat->play, "%s", game->plays[chance_below(chance, plays)]);
}

/* The slots of everything that counts for one seat, in random order. */
static int slots_of(struct chance *chance, const struct game *game, int seat, int slots[8])
{
    int count = 0;

    for (int i = 0; i < (game == &oracle_games[THREE_CARD_CATCH] ? 4 : game->hole_cards); i++)
        slots[count++] = SLOT_SEAT(seat, i);
    for (int i = 0; i < 7 - game->hole_cards && game->board_cards; i++)
        slots[count++] = SLOT_BOARD(i);
    for (int i = count - 1; i > 0; i--) {
        int j = chance_below(chance, i + 1), slot = slots[i];

        slots[i] = slots[j];
        slots[j] = slot;
    }
    return count;
}

/* Cards that follow each other by `step` in suit and `climb` in rank, over the top of the deck. */
static void stack_run(struct chance *chance, const struct game *game, int seat, int step, int climb,
                      struct card deck[DECK])
{
    int slots[8], count = slots_of(chance, game, seat, slots);
    int length = 2 + chance_below(chance, count - 1);
    int rank = chance_below(chance, 13), suit = chance_below(chance, 4);

    for (int i = 0; i < length; i++)
        deck_put(deck, slots[i], card_number((suit + i * step) % 4 * 13 + (rank + i * climb) % 13));
}

static void stack_flush(struct chance *chance, const struct game *game, int seat, int top,
                        struct card deck[DECK])
{
    int slots[8], count = slots_of(chance, game, seat, slots);
    int length = 2 + chance_below(chance, count - 1);
    int suit = chance_below(chance, 4);

    for (int i = 0; i < length; i++)
        deck_put(deck, slots[i], card_number(suit * 13 + chance_below(chance, top)));
}

/* The dealer holds the ranks of a seat in other suits: ties and close calls. */
static void stack_mirror(struct chance *chance, int seat, struct card deck[DECK])
{
    int turn = 1 + chance_below(chance, 3);

    for (int i = 0; i < 4; i++) {
        struct card card = deck[SLOT_SEAT(seat, i)];
        int suit = (int)(strchr(SUITS, card.suit) - SUITS);

        deck_put(deck, SLOT_SEAT(0, i), card_number((suit + turn) % 4 * 13 + card.rank - 2));
    }
}

static void stack_deck(struct chance *chance, const struct game *game, struct card deck[DECK])
{
    for (int recipes = chance_below(chance, 5); recipes > 0; recipes--) {
        int seat = chance_below(chance, SEATS + 1);

        switch (chance_below(chance, 7)) {
        case 0:
        case 1:
            stack_run(chance, game, seat, 0, 1, deck);
            break;
        case 2:
            stack_run(chance, game, seat, 1, 0, deck);
            break;
        case 3:
            stack_run(chance, game, seat, 1, 1, deck);
            break;
        case 4:
            stack_flush(chance, game, seat, 13, deck);
            break;
        case 5:
            stack_flush(chance, game, seat, 8, deck);
            break;
        default:
            stack_mirror(chance, 1 + chance_below(chance, SEATS), deck);
        }
    }
}

static void random_round(struct chance *chance, const struct table *table, struct round *round)
{
    struct card deck[DECK];
    int seats = 0;

    while (!seats)
        for (int number = 1; number <= SEATS; number++)
            if (chance_one_in(chance, 2)) {
                random_seat(chance, table->game, &round->seats[number]);
                seats++;
            }
    deck_shuffle(chance, deck);
    stack_deck(chance, table->game, deck);
    deck_deal(deck, table, round);
    round->cancelled = table->game->progressive >= 0 && chance_one_in(chance, 12);
}

/* An award falls at random, and nearly always where the ceiling would be passed without one. */
static void random_award(struct chance *chance, const struct table *table, struct round *round)
{
    const struct meter *meter = &table->meters[MUST_HIT];
    int64_t after = meter->value;
    int last = 0;

    if (!table->must_hit || round->cancelled)
        return;
    for (int number = 1; number <= SEATS; number++)
        if (round->seats[number].stake[STAX]) {
            after += round->seats[number].stake[STAX] * meter->rate;
            if (!last || chance_one_in(chance, 2))
                last = number;
        }
    if (last && (after > table->hit_by ? !chance_one_in(chance, 10) : chance_one_in(chance, 8)))
        round->must_hit_seat = last;
}

static void replace_card(json_t *dealt, size_t packet, bool last, const char *card)
{
    char text[3 * DECK + 1];

    snprintf(text, sizeof text, "%s", json_string_value(json_array_get(dealt, packet)));
    memcpy(last ? text + strlen(text) - 2 : text, card, 2);
    json_array_set_new(dealt, packet, json_string(text));
}

static void spoil_cards(int way, json_t *dealt, struct card spare)
{
    const char *first = json_string_value(json_array_get(dealt, 0));
    char text[3 * DECK + 1], unused[3];

    card_write(spare, unused);
    switch (way) {
    case 0:
        snprintf(text, sizeof text, "%.2s", first);
        replace_card(dealt, json_array_size(dealt) - 1, true, text);
        break;
    case 1:
        replace_card(dealt, 0, false, "1s");
        break;
    case 2:
        json_array_append_new(dealt, json_string(unused));
        break;
    case 3:
        json_array_remove(dealt, json_array_size(dealt) - 1);
        break;
    default:
        snprintf(text, sizeof text, "%s %s", first, unused);
        json_array_set_new(dealt, 0, json_string(text));
    }
}

static void spoil_bets(int way, const struct game *game, json_t *line, const char *seat)
{
    json_t *bets = json_object_get(json_object_get(line, "bets"), seat);
    json_t *play = json_object_get(json_object_get(line, "play"), seat);

    switch (way) {
    case 0:
        json_object_set_new(bets, game->x_tra ? "x-tra" : "ante",
                            game->x_tra ? json_integer(1000000) : json_integer(0));
        break;
    case 1:
        json_object_set_new(bets, game->progressive >= 0 ? game->wagers[game->progressive] : "stax",
                            json_integer(400));
        break;
    case 2:
        json_object_del(json_object_get(line, "play"), seat);
        break;
    case 3:
        json_array_clear(play);
        json_array_append_new(play, json_string("fold"));
        json_array_append_new(play, json_string("bet"));
        break;
    case 4:
        json_object_set_new(bets, "ante", json_integer(-500));
        break;
    case 5:
        json_object_set_new(json_object_get(line, "bets"), "0",
                            json_pack("{s:i, s:i}", "ante", 500, "x-tra", 500));
        break;
    case 6:
        json_object_set_new(line, "weather", json_string("fine"));
        break;
    default:
        json_object_set_new(line, "must-hit", json_pack("{s:i}", "seat", 8));
    }
}

static bool was_dealt(const struct round *round, struct card card)
{
    for (int i = 0; i < DECK; i++)
        if (card_same(round->dealt[i], card))
            return true;
    return false;
}

static void spoil(struct chance *chance, const struct table *table, const struct round *round,
                  json_t *line)
{
    int spare = 0;
    char seat[2] = "1";

    for (int number = 1; number <= SEATS; number++)
        if (round->seats[number].in)
            seat[0] = (char)('0' + number);
    while (was_dealt(round, card_number(spare)))
        spare++;
    if (chance_one_in(chance, 2))
        spoil_cards(chance_below(chance, 5), json_object_get(line, "dealt"), card_number(spare));
    else
        spoil_bets(chance_below(chance, 8), table->game, line, seat);
}

/* A misdeal: the deal breaks off, and so may decisions. */
static void break_off(struct chance *chance, json_t *line)
{
    json_t *dealt = json_object_get(line, "dealt"), *play;
    int left = chance_below(chance, (int)json_array_size(dealt) + 1);
    const char *seat;

    while ((int)json_array_size(dealt) > left)
        json_array_remove(dealt, json_array_size(dealt) - 1);
    json_object_foreach(json_object_get(line, "play"), seat, play)
    {
        if (chance_one_in(chance, 3) && json_array_size(play))
            json_array_remove(play, json_array_size(play) - 1);
    }
    json_object_del(line, "must-hit");
    json_object_set_new(line, "void", json_string("misdeal"));
}

void deal_random(const struct game *game, uint64_t seed, int count, FILE *out)
{
    struct chance chance = {seed};
    struct table table;
    char note[80];

    random_table(&chance, game, &table);
    snprintf(note, sizeof note, "oracle --random %s %llu %d", game->name, (unsigned long long)seed,
             count);
    line_write(header_json(&table, note), out);
    for (int number = 1; number <= count; number++) {
        struct round round = {.number = number};
        json_t *line;

        random_round(&chance, &table, &round);
        random_award(&chance, &table, &round);
        line = round_json(&table, &round);
        if (chance_one_in(&chance, SPOIL_ONE_IN))
            spoil(&chance, &table, &round, line);
        else if (chance_one_in(&chance, VOID_ONE_IN))
            break_off(&chance, line);
        else
            round_settle(&table, &round);
        line_write(line, out);
    }
}
