/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/table.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "games/hand.h"
#include "rigs/recording/paytables.h"

void table_open(struct table *table, const struct game *game)
{
    memset(table, 0, sizeof *table);
    game_setup_init(&table->setup, game);
    game_meters_init(&table->setup, &table->meters);
}

void table_choose(struct table *table, const char *wager, const char *paytable)
{
    const struct game *game = table->setup.game;
    int index = game_wager(game, wager);
    const struct paytable *choice = paytables_find(NULL, game, (unsigned)index, paytable);

    CU_ASSERT_PTR_NOT_NULL_FATAL(choice);
    table->setup.table[index] = choice;
}

void table_clear(struct table *table)
{
    memset(&table->round, 0, sizeof table->round);
}

static void place(struct table *table, unsigned seat, const char *bets)
{
    char name[32];
    long long stake;
    int read;

    for (; sscanf(bets, "%31s %lld%n", name, &stake, &read) == 2; bets += read) {
        int wager = game_wager(table->setup.game, name);

        CU_ASSERT_FATAL(wager >= 0);
        table->round.bets[seat][wager] = stake;
    }
    CU_ASSERT_FATAL(*bets == '\0');
}

static void decide(struct table *table, unsigned seat, const char *decisions)
{
    struct round *round = &table->round;
    char word[32];
    int read;

    for (; sscanf(decisions, "%31s%n", word, &read) == 1; decisions += read) {
        unsigned stage = round->decision_count[seat]++;
        int decision = game_decision(table->setup.game, stage, word);

        CU_ASSERT_FATAL(decision >= 0);
        if (stage < STAGES_MAX)
            round->decisions[seat][stage] = (uint8_t)decision;
    }
}

void table_seat(struct table *table, unsigned seat, const char *bets, const char *decisions)
{
    table->round.seats |= seat_bit(seat);
    place(table, seat, bets);
    decide(table, seat, decisions);
}

void table_deal(struct table *table, const char *packets)
{
    struct round *round = &table->round;

    round->dealt_count = 0;
    round->packet_count = 0;
    while (*packets) {
        size_t length = strcspn(packets, ",");
        int count = cards_parse(packets, length, round->dealt + round->dealt_count,
                                DECK_SIZE - round->dealt_count, NULL);

        CU_ASSERT_FATAL(count > 0);
        round->dealt_count = (uint8_t)(round->dealt_count + count);
        if (table->setup.deal == DEAL_PACKETS)
            round->packet[round->packet_count++] = (uint8_t)count;
        else
            while (count--)
                round->packet[round->packet_count++] = 1;
        packets += length;
        packets += strspn(packets, ", ");
    }
}

int table_settle(struct table *table)
{
    int status = game_settle(&table->setup, &table->round, &table->result, &table->error);

    if (!status)
        status = game_settle_meters(&table->setup, &table->round, &table->meters, &table->result,
                                    &table->error);
    return status;
}

cents_t table_net(const struct table *table, unsigned seat, const char *wager)
{
    int index = game_wager(table->setup.game, wager);

    CU_ASSERT_FATAL(index >= 0);
    CU_ASSERT(table->result.seat[seat].made & 1u << index);
    return table->result.seat[seat].net[index];
}

micros_t table_meter(const struct table *table, const char *name)
{
    for (unsigned i = 0; i < table->meters.count; i++)
        if (!strcmp(table->meters.meter[i].name, name))
            return table->meters.meter[i].value;
    CU_FAIL_FATAL("no such meter");
    return -1;
}

uint64_t table_hand(const char *cards)
{
    card_t hand[DECK_SIZE];
    int count = cards_parse(cards, strlen(cards), hand, DECK_SIZE, NULL);

    CU_ASSERT_FATAL(count > 0);
    return hand_of(hand, (size_t)count);
}

bool table_refuses(struct table *table, const char *words)
{
    struct meters before = table->meters;
    int status = table_settle(table);

    CU_ASSERT_EQUAL(status, ERROR_RULE);
    CU_ASSERT_EQUAL(memcmp(&before, &table->meters, sizeof before), 0);
    if (status != ERROR_RULE)
        return false;
    if (!strstr(table->error.text, words))
        fprintf(stderr, "got: %s\n", table->error.text);
    return strstr(table->error.text, words) != NULL;
}

struct table table_chase(void)
{
    struct table table;

    table_open(&table, game_find("chase-the-flush"));
    table_seat(&table, 3, "ante 1000 x-tra 1000 same-suit 700 stax 500", "check bet");
    table_deal(&table, "As Ks 2d, 9h 9c 9d, 3s 4s 5s 7h");
    return table;
}

unsigned table_random(uint64_t *state, unsigned bound)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)((*state >> 32) * bound >> 32);
}

static void random_seat(struct table *table, unsigned seat, uint64_t *state)
{
    const struct game *game = table->setup.game;
    struct round *round = &table->round;
    const struct choice *choice;

    for (unsigned i = 0; i < game->wager_count; i++) {
        const struct wager *wager = &game->wagers[i];

        if (wager->by_decision || (!wager->required && table_random(state, 2)))
            continue;
        round->bets[seat][i] = wager->fixed                  ? wager->fixed
                               : wager->equal_to != NO_WAGER ? round->bets[seat][wager->equal_to]
                                                             : 1 + table_random(state, 100000);
    }
    do {
        uint8_t *count = &round->decision_count[seat];

        choice = &game->stages[*count].choices[table_random(state, 2)];
        round->decisions[seat][(*count)++] = (uint8_t)choice->decision;
    } while (!choice->last);
}

static bool in_play(const struct round *round, unsigned seat)
{
    unsigned last = round->decision_count[seat];

    return round->seats & seat_bit(seat) && round->decisions[seat][last - 1] != DECISION_FOLD;
}

static void random_draws(struct table *table)
{
    struct round *round = &table->round;
    struct deal_step steps[PACKETS_MAX];
    card_t hole[SEATS_MAX + 1][4] = {{0}};
    uint8_t held[SEATS_MAX + 1] = {0};
    seats_t in = 0, drawing;
    bool dealer = false;
    size_t count = game_deal(&table->setup, round->seats, steps);

    for (unsigned i = 0, card = 0; i < count; card += steps[i++].cards)
        if (steps[i].to == DEAL_TO_SEAT || steps[i].to == DEAL_TO_DEALER)
            for (unsigned j = 0; j < steps[i].cards; j++)
                hole[steps[i].seat][held[steps[i].seat]++] = round->dealt[card + j];
    for (unsigned seat = 1; seat <= SEATS_MAX; seat++)
        in |= in_play(round, seat) ? seat_bit(seat) : 0;
    drawing = table->setup.game->draws(&table->setup, (const card_t(*)[4])hole, in, &dealer);
    for (int i = __builtin_popcount(drawing) + dealer; i > 0; i--) {
        round->packet[round->packet_count++] = 1;
        round->dealt_count++;
    }
}

void table_random_round(struct table *table, unsigned seats, uint64_t *state)
{
    struct round *round = &table->round;
    struct deal_step steps[PACKETS_MAX];

    table_clear(table);
    while ((unsigned)__builtin_popcount(round->seats) < seats)
        round->seats |= seat_bit(1 + table_random(state, SEATS_MAX));
    for (unsigned seat = 1; seat <= SEATS_MAX; seat++)
        if (round->seats & seat_bit(seat))
            random_seat(table, seat, state);
    for (unsigned i = 0; i < DECK_SIZE; i++) {
        unsigned j = table_random(state, i + 1);

        round->dealt[i] = round->dealt[j];
        round->dealt[j] = card_from_index(i);
    }
    round->packet_count = (uint8_t)game_deal(&table->setup, round->seats, steps);
    for (unsigned i = 0; i < round->packet_count; i++) {
        round->packet[i] = steps[i].cards;
        round->dealt_count = (uint8_t)(round->dealt_count + steps[i].cards);
    }
    if (table->setup.game->draws)
        random_draws(table);
}
