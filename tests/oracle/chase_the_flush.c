/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stddef.h>

#include "tests/oracle/table.h"

static void seven_cards(const struct card *hole, const struct round *round, struct card seven[7])
{
    for (int i = 0; i < 3; i++)
        seven[i] = hole[i];
    for (int i = 0; i < 4; i++)
        seven[3 + i] = round->board[i];
}

static void settle_x_tra(char paytable, int length, struct round *round, struct seat *seat)
{
    static const struct {
        int length, a, b;
        const char *name;
    } lines[] = {{7, 250, 400, "7-card flush"},
                 {6, 20, 70, "6-card flush"},
                 {5, 5, 7, "5-card flush"},
                 {4, 1, 0, "4-card flush"},
                 {0, 0, 0, "other"}};
    int i = 0;

    while (length < lines[i].length)
        i++;
    seat->net[X_TRA] = seat->stake[X_TRA] * (paytable == 'A' ? lines[i].a : lines[i].b);
    round_decided(round, X_TRA, lines[i].name);
}

static void settle_same_suit(char paytable, const struct card seven[7], struct round *round,
                             struct seat *seat)
{
    static const struct {
        bool straight;
        int length, a, b;
        const char *name;
    } lines[] = {{true, 7, 2000, 500, "7-card straight flush"},
                 {true, 6, 2000, 500, "6-card straight flush"},
                 {true, 5, 100, 500, "5-card straight flush"},
                 {true, 4, 20, 20, "4-card straight flush"},
                 {false, 7, 300, 400, "7-card flush"},
                 {false, 6, 50, 50, "6-card flush"},
                 {false, 5, 10, 5, "5-card flush"},
                 {false, 4, 1, 1, "4-card flush"}};
    int straight = longest_straight_flush(seven, 7), suited = longest_flush(seven, 7).length;
    int best = 0;
    const char *name = NULL;

    if (!seat->stake[SAME_SUIT])
        return;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        int pays = paytable == 'A' ? lines[i].a : lines[i].b;

        if ((lines[i].straight ? straight : suited) >= lines[i].length && pays > best) {
            best = pays;
            name = lines[i].name;
        }
    }
    seat->net[SAME_SUIT] = name ? best * seat->stake[SAME_SUIT] : -seat->stake[SAME_SUIT];
    if (name)
        round_decided(round, SAME_SUIT, name);
}

static void settle_stax(struct table *table, struct round *round, int number,
                        const struct card seven[7])
{
    struct seat *seat = &round->seats[number];
    int straight = longest_straight_flush(seven, 7);
    int64_t pays = 0;
    const char *name = NULL;

    if (!seat->stake[STAX])
        return;
    if (straight >= 7) {
        pays = meter_pay(table, round, number, STAR);
        name = "7-card straight flush";
    } else if (straight >= 6) {
        pays = meter_pay(table, round, number, SPADE);
        name = "6-card straight flush";
    } else if (holds_suited(seven, 7, "AKQJT")) {
        pays = meter_pay(table, round, number, HEART);
        name = "A-K-Q-J-10 suited";
    } else if (straight >= 5) {
        pays = meter_pay(table, round, number, DIAMOND);
        name = "5-card straight flush";
    } else if (holds_suited(seven, 7, "AKQJ")) {
        pays = 25000;
        name = "A-K-Q-J suited";
    } else if (straight >= 4) {
        pays = 15000;
        name = "4-card straight flush";
    } else if (holds_suited(seven, 7, "AKQ")) {
        pays = 10000;
        name = "A-K-Q suited";
    } else if (straight >= 3) {
        pays = 2500;
        name = "3-card straight flush";
    }
    seat->net[STAX] = pays - seat->stake[STAX];
    if (name)
        round_decided(round, STAX, name);
}

static void settle_against_dealer(const struct table *table, struct round *round, struct seat *seat,
                                  const struct flush *own, const struct flush *dealer)
{
    int order = flush_compare(own, dealer);

    if (seat->folded) {
        seat->net[ANTE] = -seat->stake[ANTE];
        seat->net[X_TRA] = -seat->stake[X_TRA];
    } else if (order > 0) {
        seat->net[ANTE] = round->qualifies ? seat->stake[ANTE] : 0;
        seat->net[ALL_IN] = seat->stake[ALL_IN];
        settle_x_tra(table->paytable[X_TRA], own->length, round, seat);
    } else if (order < 0) {
        seat->net[ANTE] = round->qualifies ? -seat->stake[ANTE] : 0;
        seat->net[ALL_IN] = -seat->stake[ALL_IN];
        seat->net[X_TRA] = -seat->stake[X_TRA];
    }
}

static bool qualifies(const struct flush *dealer)
{
    return dealer->length > 3 || (dealer->length == 3 && dealer->ranks[0] >= 9);
}

void chase_the_flush_settle(struct table *table, struct round *round)
{
    struct card seven[7];
    struct flush dealer;

    seven_cards(round->dealer, round, seven);
    dealer = longest_flush(seven, 7);
    round->qualifies = qualifies(&dealer);
    snprintf(round->dealer_hand, sizeof round->dealer_hand, "%d-card flush", dealer.length);

    for (int number = SEATS; number >= 1; number--) {
        struct seat *seat = &round->seats[number];
        struct flush own;

        if (!seat->in)
            continue;
        seven_cards(seat->cards, round, seven);
        own = longest_flush(seven, 7);
        snprintf(seat->hand, sizeof seat->hand, "%d-card flush", own.length);
        settle_against_dealer(table, round, seat, &own, &dealer);
        settle_same_suit(table->paytable[SAME_SUIT], seven, round, seat);
        settle_stax(table, round, number, seven);
    }
}
