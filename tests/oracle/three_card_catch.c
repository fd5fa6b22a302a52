/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stddef.h>
#include <string.h>

#include "tests/oracle/table.h"

static bool is_natural(const struct card first[3], bool ace_low)
{
    struct three_cards hand = best_three(first, 3, ace_low);

    return hand.rank > PAIR || (hand.rank == PAIR && hand.ranks[0] >= 8);
}

void three_card_catch_draws(const struct table *table, const struct round *round,
                            bool draws[SEATS + 1])
{
    memset(draws, 0, (SEATS + 1) * sizeof draws[0]);
    if (is_natural(round->dealer, table->ace_low))
        return;
    for (int number = 1; number <= SEATS; number++) {
        const struct seat *seat = &round->seats[number];

        if (seat->in && !seat->folded && !is_natural(seat->cards, table->ace_low))
            draws[0] = draws[number] = true;
    }
}

static void settle_x_tra(char paytable, bool natural, enum three_card_rank rank, bool drew,
                         struct round *round, struct seat *seat)
{
    static const struct {
        enum three_card_rank rank;
        int pays_1, pays_2;
        const char *name;
    } catches[] = {{ROYAL, 50, 50, "catch a royal flush"},
                   {STRAIGHT_FLUSH, 20, 10, "catch a straight flush"},
                   {THREE_OF_A_KIND, 10, 6, "catch a three of a kind"},
                   {STRAIGHT, 2, 3, "catch a straight"},
                   {FLUSH, 1, 1, "catch a flush"}};
    int pays = natural ? 1 : 0;
    const char *name = natural ? "natural" : "other";

    for (size_t i = 0; drew && i < sizeof catches / sizeof catches[0]; i++)
        if (rank == catches[i].rank) {
            pays = paytable == '1' ? catches[i].pays_1 : catches[i].pays_2;
            name = catches[i].name;
        }
    seat->net[X_TRA] = pays * seat->stake[X_TRA];
    round_decided(round, X_TRA, name);
}

static void settle_natural_pair_plus(const struct table *table, struct round *round,
                                     struct seat *seat)
{
    static const struct {
        enum three_card_rank rank;
        int pays[4];
        const char *name;
    } lines[] = {{ROYAL, {100, 200, 200, 200}, "royal flush"},
                 {STRAIGHT_FLUSH, {40, 40, 50, 40}, "straight flush"},
                 {THREE_OF_A_KIND, {30, 30, 30, 30}, "three of a kind"},
                 {STRAIGHT, {6, 6, 5, 5}, "straight"},
                 {FLUSH, {4, 4, 4, 4}, "flush"},
                 {PAIR, {2, 2, 2, 2}, "pair of 8s or better"}};
    struct three_cards hand = best_three(seat->cards, 3, table->ace_low);
    int64_t stake = seat->stake[NATURAL_PAIR_PLUS];

    if (!stake)
        return;
    seat->net[NATURAL_PAIR_PLUS] = -stake;
    if (!is_natural(seat->cards, table->ace_low))
        return;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        if (hand.rank == lines[i].rank) {
            seat->net[NATURAL_PAIR_PLUS] =
                stake * lines[i].pays[table->paytable[NATURAL_PAIR_PLUS] - '1'];
            round_decided(round, NATURAL_PAIR_PLUS, lines[i].name);
        }
}

/* What the first three cards pay; a hand that may have no draw has nothing else. */
static int64_t natural_pays(struct table *table, struct round *round, int number, const char **name)
{
    struct three_cards hand = best_three(round->seats[number].cards, 3, table->ace_low);

    if (hand.rank == ROYAL && hand.suit == 's') {
        *name = "natural royal flush in spades";
        return meter_pay(table, round, number, 0);
    }
    if (hand.rank == ROYAL) {
        *name = "natural royal flush";
        return 100000;
    }
    if (hand.rank == STRAIGHT_FLUSH) {
        *name = "natural straight flush";
        return 10000;
    }
    if (hand.rank == THREE_OF_A_KIND) {
        *name = "natural three of a kind";
        return 7500;
    }
    return 0;
}

static int64_t catch_pays(struct table *table, struct round *round, int number, const char **name)
{
    static const struct {
        char suit;
        const char *name;
    } straight_flushes[] = {{'s', "catch a straight flush in spades"},
                            {'d', "catch a straight flush in diamonds"},
                            {'h', "catch a straight flush in hearts"},
                            {'c', "catch a straight flush in clubs"}};
    struct three_cards hand = best_three(round->seats[number].cards, 4, table->ace_low);

    if (hand.rank == ROYAL || hand.rank == STRAIGHT_FLUSH)
        for (int i = 0; i < 4; i++)
            if (hand.suit == straight_flushes[i].suit) {
                *name = straight_flushes[i].name;
                return meter_pay(table, round, number, 1 + i);
            }
    if (hand.rank == THREE_OF_A_KIND) {
        *name = "catch a three of a kind";
        return 5000;
    }
    if (hand.rank == STRAIGHT) {
        *name = "catch a straight";
        return 2500;
    }
    return 0;
}

static void settle_progressive(struct table *table, struct round *round, int number)
{
    struct seat *seat = &round->seats[number];
    const char *name = NULL;
    int64_t pays;

    if (!seat->stake[PROGRESSIVE])
        return;
    if (seat->card_count == 4)
        pays = catch_pays(table, round, number, &name);
    else
        pays = natural_pays(table, round, number, &name);
    seat->net[PROGRESSIVE] = pays - seat->stake[PROGRESSIVE];
    if (name)
        round_decided(round, PROGRESSIVE, name);
}

static void settle_against_dealer(const struct table *table, struct round *round, struct seat *seat)
{
    bool natural = is_natural(seat->cards, table->ace_low);
    struct three_cards own = best_three(seat->cards, seat->card_count, table->ace_low);
    struct three_cards dealer =
        best_three(round->dealer, natural ? 3 : round->dealer_count, table->ace_low);
    int order = three_cards_compare(&own, &dealer);

    if (seat->folded) {
        seat->net[ANTE] = -seat->stake[ANTE];
        seat->net[X_TRA] = -seat->stake[X_TRA];
    } else if (order > 0) {
        seat->net[ANTE] = seat->stake[ANTE];
        seat->net[PLAY] = seat->stake[PLAY];
        settle_x_tra(table->paytable[X_TRA], natural, own.rank, seat->card_count == 4, round, seat);
    } else if (order < 0) {
        seat->net[ANTE] = -seat->stake[ANTE];
        seat->net[X_TRA] = -seat->stake[X_TRA];
        seat->net[PLAY] = -seat->stake[PLAY];
    }
}

void three_card_catch_settle(struct table *table, struct round *round)
{
    struct three_cards dealer = best_three(round->dealer, round->dealer_count, table->ace_low);

    snprintf(round->dealer_hand, sizeof round->dealer_hand, "%s", three_cards_name(&dealer));
    for (int number = SEATS; number >= 1; number--) {
        struct seat *seat = &round->seats[number];
        struct three_cards hand;

        if (!seat->in)
            continue;
        hand = best_three(seat->cards, seat->card_count, table->ace_low);
        snprintf(seat->hand, sizeof seat->hand, "%s", three_cards_name(&hand));
        settle_against_dealer(table, round, seat);
        settle_natural_pair_plus(table, round, seat);
        settle_progressive(table, round, number);
    }
}
