#include "tests/table.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "games/hand.h"

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
    int choice = game_table(&game->wagers[index], paytable);

    CU_ASSERT_FATAL(choice >= 0);
    table->setup.table[index] = &game->wagers[index].tables[choice];
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
