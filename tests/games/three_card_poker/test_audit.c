/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "games/audit/suits.h"
#include "tests/support/games/audited.h"
#include "tests/support/games/naive_hand.h"
#include "tests/support/suite.h"

#define DEALERS 18424

static struct audited audited;

static void run_units(size_t first, size_t end)
{
    struct audit_request request;

    audit_request_init(&request, game_find("three-card-poker"));
    audited_units(&request, first, end, &audited);
}

TEST(the_main_game_of_three_card_poker_keeps_3_372981_percent_of_an_ante)
{
    const struct audit_entry *ante = &audited.entries[0];

    run_units(0, TRIPLE_CLASSES);
    CU_ASSERT_EQUAL(audited.count, 6);
    CU_ASSERT_STRING_EQUAL(ante->wager, "ante");
    CU_ASSERT_STRING_EQUAL(ante->table->name, "1");
    CU_ASSERT(audited_reads(ante->ev, 8, "-0.03372981"));
    CU_ASSERT(audited_reads(ante->average_wager, 8, "1.67420814"));
    CU_ASSERT(audited_reads(audit_element_of_risk(ante), 8, "0.02014672"));
    CU_ASSERT_STRING_EQUAL(ante->strategy[0].name, "play");
    CU_ASSERT(audited_same(ante->strategy[0].share, ratio_make(14900, 22100)));
}

TEST(the_five_pair_plus_tables_keep_what_is_published_of_them)
{
    static const char *const edges[] = {"2.316742", "7.276018", "5.574661", "3.493213", "5.104072"};

    run_units(0, 0);
    for (unsigned i = 0; i < 5; i++) {
        const struct audit_entry *entry = &audited.entries[1 + i];

        CU_ASSERT_STRING_EQUAL(entry->wager, "pair-plus");
        CU_ASSERT_EQUAL(entry->table->name[0], '1' + (int)i);
        CU_ASSERT(audited_edge_is(&audited, "pair-plus", entry->table->name, 6, edges[i]));
        CU_ASSERT_EQUAL(entry->lines[0].combinations, 48);
        CU_ASSERT_EQUAL(entry->lines[1].combinations, 52);
        CU_ASSERT_EQUAL(entry->lines[2].combinations, 720);
        CU_ASSERT_EQUAL(entry->lines[3].combinations, 1096);
        CU_ASSERT_EQUAL(entry->lines[4].combinations, 3744);
        CU_ASSERT_EQUAL(entry->lines[4].of, TRIPLE_COUNT);
    }
}

static int naive_bonus(unsigned player)
{
    static const int bonus[] = {
        [THREE_STRAIGHT] = 1, [THREE_OF_A_KIND] = 4, [THREE_STRAIGHT_FLUSH] = 5};

    return bonus[naive_three_category(player)];
}

/* Ante, bonus and play of a hand that was played, in antes. */
static int naive_net(unsigned player, unsigned dealer)
{
    unsigned queen_high = naive_three(hand_card(card_make(RANK_QUEEN, SUIT_CLUBS)) |
                                          hand_card(card_make(RANK_THREE, SUIT_SPADES)) |
                                          hand_card(card_make(RANK_TWO, SUIT_HEARTS)),
                                      true);
    int even = (player > dealer) - (player < dealer);

    return naive_bonus(player) + (dealer < queen_high ? 1 : 2 * even);
}

/* Against every dealer: what it nets, and how often that is more than nothing. */
static int64_t naive_value(hand_t hand, int64_t *hits)
{
    unsigned player = naive_three(hand, true);
    int64_t value = 0;

    *hits = 0;
    for (unsigned a = 2; a < DECK_SIZE; a++)
        for (unsigned b = 1; b < a; b++)
            for (unsigned c = 0; c < b; c++) {
                hand_t dealer = hand_card(card_from_index(a)) | hand_card(card_from_index(b)) |
                                hand_card(card_from_index(c));
                int net = dealer & hand ? 0 : naive_net(player, naive_three(dealer, true));

                value += net;
                *hits += net > 0;
            }
    return value;
}

/* A hand whose unit has not been done ties with every dealer; only its bonus counts. */
static void check_unit(unsigned unit, const struct suit_class *class)
{
    int64_t bonus = naive_bonus(naive_three(class->hand, true)), hits;
    int64_t value = naive_value(class->hand, &hits);
    bool plays = value > -DEALERS;
    struct audit_entry none;

    run_units(0, 0);
    none = audited.entries[0];
    run_units(unit, unit + 1);
    CU_ASSERT(audited.entries[0].ev.denominator == (wide_t)TRIPLE_COUNT * DEALERS);
    CU_ASSERT(audited.entries[0].ev.numerator - none.ev.numerator ==
              (wide_t) class->weight * ((plays ? value : -DEALERS) - bonus * DEALERS));
    CU_ASSERT(audited.entries[0].hit_frequency.numerator - none.hit_frequency.numerator ==
              (wide_t) class->weight * ((plays ? hits : 0) - (bonus ? DEALERS : 0)));
}

/* Some of all hands, and more of the few that have a bonus. */
TEST(a_three_card_poker_hand_is_worth_what_trying_every_dealer_says)
{
    static struct suit_class classes[TRIPLE_CLASSES];
    unsigned with_bonus = 0;

    suit_classes(3, classes, TRIPLE_CLASSES);
    for (unsigned unit = 0; unit < TRIPLE_CLASSES; unit++) {
        bool bonus = naive_bonus(naive_three(classes[unit].hand, true)) > 0;

        if (unit % 80 == 0 || (bonus && with_bonus++ % 5 == 0))
            check_unit(unit, &classes[unit]);
    }
    CU_ASSERT(with_bonus > 50);
}

/* What is played by optimal play is what the plain policy plays, hand by hand. */
TEST(the_plain_policy_of_three_card_poker_plays_as_the_audit_does)
{
    static struct suit_class classes[TRIPLE_CLASSES];
    const struct game *game = game_find("three-card-poker");
    struct game_setup setup;
    unsigned played = 0;

    game_setup_init(&setup, game);
    suit_classes(3, classes, TRIPLE_CLASSES);
    for (unsigned i = 0; i < TRIPLE_CLASSES; i++)
        played += game->bets(&setup, classes[i].hand, 0) ? classes[i].weight : 0;
    CU_ASSERT_EQUAL(played, 14900);
}
