/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rounds that are void: every card to whom it was dealt, as far as that went, and all money back.
 */
#include <string.h>

#include "tests/oracle/table.h"

/* Who gets a packet: a seat, or one of these. */
enum { DEALER = 0, BURN = -1, BOARD = -2 };

struct place {
    int who;
    int cards;
};

static int add_places(struct place places[], int count, const struct table *table, int who,
                      int cards)
{
    if (!table->card_by_card && cards) {
        places[count++] = (struct place){who, cards};
        return count;
    }
    while (cards--)
        places[count++] = (struct place){who, 1};
    return count;
}

/* One packet after the other, or one card, before anybody decides. */
static int first_deal(const struct table *table, const struct round *round, struct place places[])
{
    int hole = table->game->hole_cards, count = add_places(places, 0, table, BURN, table->burn);

    for (int given = 0; given < hole; given += table->card_by_card ? 1 : hole) {
        int cards = table->card_by_card ? 1 : hole;

        for (int number = 1; number <= SEATS; number++)
            if (round->seats[number].in)
                count = add_places(places, count, table, number, cards);
        if (table->game->dealer)
            count = add_places(places, count, table, DEALER, cards);
    }
    return add_places(places, count, table, BOARD, table->game->board_cards);
}

static void give(struct round *round, int who, const struct card *cards, int count)
{
    struct card *to = who > DEALER    ? round->seats[who].cards
                      : who == DEALER ? round->dealer
                      : who == BURN   ? round->burned
                                      : round->board;
    int *held = who > DEALER    ? &round->seats[who].card_count
                : who == DEALER ? &round->dealer_count
                : who == BURN   ? &round->burned_count
                                : &round->board_count;

    memcpy(to + *held, cards, (size_t)count * sizeof *cards);
    *held += count;
}

/* Gives packets from `packet` on to these places, and returns the first that is left. */
static int give_all(struct round *round, const struct place places[], int count, int packet)
{
    int card = 0;

    for (int i = 0; i < packet; i++)
        card += round->packets[i];
    for (int i = 0; i < count && packet < round->packet_count; i++, packet++) {
        if (round->packets[packet] != places[i].cards) {
            round_error(round, "packet %d does not hold %d cards", packet + 1, places[i].cards);
            return packet;
        }
        give(round, places[i].who, &round->dealt[card], places[i].cards);
        card += places[i].cards;
    }
    return packet;
}

static int draw_places(const struct table *table, struct round *round, struct place places[])
{
    bool draws[SEATS + 1];
    int count = 0;

    for (int number = 1; number <= SEATS; number++)
        if (round->seats[number].in && !round->seats[number].play[0])
            round_error(round, "cards were drawn, but seat %d has not decided", number);
    three_card_catch_draws(table, round, draws);
    for (int number = 1; number <= SEATS; number++)
        if (draws[number])
            places[count++] = (struct place){number, 1};
    if (draws[DEALER])
        places[count++] = (struct place){DEALER, 1};
    return count;
}

void round_void(const struct table *table, struct round *round)
{
    struct place places[2 * DECK];
    int packet = give_all(round, places, first_deal(table, round, places), 0);

    if (table->game == &oracle_games[FLUSH_RUSH] && round->board_count)
        give(round, BURN, &round->board[--round->board_count], 1);
    if (packet < round->packet_count && !round->error[0] &&
        table->game == &oracle_games[THREE_CARD_CATCH])
        packet = give_all(round, places, draw_places(table, round, places), packet);
    if (packet < round->packet_count)
        round_error(round, "packet %d is of no hand", packet + 1);
    if (round->must_hit_seat)
        round_error(round, "Must Hit in a round that is void");
}
