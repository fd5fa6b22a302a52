/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which coverage points a round marks: all that came up in it and no other. */
#include <stdio.h>
#include <string.h>

#include "tests/support/suite.h"
#include "tests/support/table.h"

struct row {
    const char *bets, *decisions, *deal;
    const char *points; /* in the order of the game, between semicolons */
};

static const char *marked(const struct table *table, char *text, size_t size)
{
    const struct game *game = table->setup.game;
    size_t length = 0;

    *text = '\0';
    for (unsigned i = 0; i < game->point_count; i++)
        if (table->result.marks.points >> i & 1)
            length += (size_t)snprintf(text + length, size - length, "%s%s", length ? "; " : "",
                                       game->points[i]);
    return text;
}

/* Seat 2 plays alone. */
static void try_rows(const char *game, bool ace_low, const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char text[2048];
        struct table table;
        int result;

        table_open(&table, game_find(game));
        table.setup.ace_low = ace_low;
        table_seat(&table, 2, rows[i].bets, rows[i].decisions);
        table_deal(&table, rows[i].deal);
        result = table_settle(&table);
        if (result)
            printf("%s: %s\n", rows[i].deal, table.error.text);
        CU_ASSERT_EQUAL_FATAL(result, 0);
        if (strcmp(marked(&table, text, sizeof text), rows[i].points) != 0)
            printf("%s: %s: %s\n", rows[i].deal, rows[i].decisions, text);
        CU_ASSERT_STRING_EQUAL(text, rows[i].points);
    }
}
#define TRY_ROWS(game, ace_low, rows) try_rows(game, ace_low, rows, sizeof rows / sizeof *rows)

#define TWO "ante 1000 x-tra 1000"

TEST(a_showdown_of_chase_the_flush_marks_who_won_and_what_decided_it)
{
    static const struct row rows[] = {
        {TWO, "bet", "Ac Kc 3s, 9h 3c 5d, 2h 4h Tc Jd",
         "a dealer who just qualifies: three of a suit, nine high; "
         "a dealer who qualifies and is beaten; "
         "flushes of one length that their cards decide; "
         "flushes of one length that an ace decides"},
        {TWO, "bet", "Ac Kc 3s, 8h 3c 5d, 2h 4h Tc Jd",
         "a dealer who just does not: three of a suit, eight high; "
         "a dealer who does not qualify and is beaten; "
         "flushes of one length that their cards decide; "
         "flushes of one length that an ace decides"},
        {TWO, "bet", "Qc Kc 3s, Th 3c 5d, 2h 4h Tc Jd",
         "a dealer who qualifies and is beaten; "
         "flushes of one length that their cards decide"},
        {TWO, "bet", "Ac Kc 3d, 3s 5s 9c, 2h 4h Tc Jd",
         "a dealer with no more than two of a suit; "
         "a dealer who does not qualify and is beaten"},
        {TWO, "bet", "5h 6h 7d, Ac Kc 3s, 2h 4h Tc Jd",
         "a dealer who qualifies and is beaten; "
         "a longer flush against a higher one"},
        {TWO, "bet", "Ac Kc 3s, 5h 6h 7d, 2h 4h Tc Jd",
         "a dealer who qualifies and wins; "
         "a longer flush against a higher one"},
        {TWO, "bet", "Kc 3d 3s, Ah 6h 7d, 2h 4h Tc Jd", "a dealer who qualifies and wins"},
        {TWO, "bet", "9h 8h 7d, 9c 3d 8c, 2h 4h Tc Jd",
         "a dealer who qualifies and is beaten; "
         "a longer flush against a higher one"},
        {TWO, "bet", "2c 3d 5h, 4c 6d 7h, As Ks Qs Js", "a dealer who qualifies and ties"},
        {TWO, "bet", "2c 3d 5h, 4c 6d 7h, 8s 7s 6s Jd",
         "a dealer who just does not: three of a suit, eight high; "
         "a dealer who does not qualify and ties"},
        {TWO, "bet", "3s 7d 9h, 2s 6d 7h, As Ks Qs Jd",
         "a dealer who qualifies and is beaten; "
         "flushes of one length that their cards decide; "
         "flushes that only their lowest card decides"},
        {TWO, "bet", "2s 7d 9h, 3s 6d 7h, As Ks Qs Jd",
         "a dealer who qualifies and wins; "
         "flushes of one length that their cards decide; "
         "flushes that only their lowest card decides"},
        {TWO, "bet", "Ts 7d 9h, 3s 6d 7h, As Ks Qs Jd",
         "a dealer who qualifies and is beaten; "
         "flushes of one length that their cards decide; "
         "flushes that only their lowest card decides"},
        {TWO, "bet", "2c 3d 5s, 8h 3c 5d, 2h 4h Tc Jd",
         "a dealer who just does not: three of a suit, eight high; "
         "a dealer who does not qualify and wins; "
         "a longer flush against a higher one"},
        {TWO, "bet", "Kh 3c 5d, Ah 3d 5s, 2h 4h Tc Jd",
         "a dealer who qualifies and wins; "
         "flushes of one length that their cards decide; "
         "flushes of one length that an ace decides"},
    };

    TRY_ROWS("chase-the-flush", true, rows);
}

TEST(side_wagers_of_chase_the_flush_mark_what_became_of_the_hand_that_won_them)
{
    static const struct row rows[] = {
        {TWO, "check check fold", "2s 3s 4s, 9h 9d 9c, 5s 6s Kd Qh",
         "a dealer with no more than two of a suit"},
        {TWO " same-suit 1000", "check check fold", "2s 3s 4s, 9h 9d 9c, 5s 6s Kd Qh",
         "a dealer with no more than two of a suit; "
         "Same Suit won by a hand that folded; "
         "Same Suit won while the dealer does not qualify"},
        {TWO " same-suit 1000", "check check fold", "2s 3d 4c, 9h 9d 9c, 5s 6s Kd Qh",
         "a dealer with no more than two of a suit"},
        {TWO " same-suit 1000 stax 500", "bet", "2s 3d 4c, 9h 8h 9c, 5s 6s Kd Qh",
         "a dealer who qualifies and wins; "
         "flushes of one length that their cards decide"},
        {TWO " same-suit 1000 stax 500", "check check fold", "2s 3s 4s, Ah Jh 9c, 5s 6s Kd Qh",
         "Same Suit won by a hand that folded; "
         "STAX won by a hand that folded"},
        {"ante 1 x-tra 1 same-suit 1 stax 500", "check check bet",
         "2s 4s 9h, Ts 8s 7s, 5s 6s Kd Qh",
         "a dealer who qualifies and wins; "
         "Same Suit won by a hand that lost; "
         "STAX won by a hand that lost"},
        {TWO " same-suit 1000 stax 500", "bet", "2s 4s 9h, Ts 8s 7s, 5s 6s Kd Qh",
         "a dealer who qualifies and wins; "
         "Same Suit won by a hand that lost; "
         "STAX won by a hand that lost"},
        {TWO " same-suit 1000 stax 500", "bet", "2s 3s 9h, 4d 8d 7c, As 6s Kd Qh",
         "a dealer who qualifies and is beaten; "
         "a straight flush on STAX that begins with its ace"},
        {TWO " same-suit 1000 stax 500", "bet", "2c 3d 5h, 4c 6d 7h, As Ks Qs Js",
         "a dealer who qualifies and ties; "
         "a hand of two lines of STAX, paid on the better one"},
        {TWO " same-suit 1000 stax 500", "bet", "As 2s 9h, 4d 8d 7c, 8h Th Jh Qd",
         "a dealer who qualifies and is beaten; "
         "a longer flush against a higher one"},
        {TWO " same-suit 1000 stax 500", "bet", "5s 6s 7s, 4d 8d 7c, 8s Ks Jh Qd",
         "a dealer who qualifies and is beaten; "
         "a straight flush shorter than the flush beside it, on Same Suit"},
        {TWO " same-suit 1000 stax 500", "bet", "5s 6s 7s, 4d 8d 7c, 9s Ks Jh Qd",
         "a dealer who qualifies and is beaten"},
        {TWO " stax 500", "check check fold", "2s 3s 4s, 9h 9d 9c, 5s 6s 7s 8s",
         "STAX won by a hand that folded"},
    };

    TRY_ROWS("chase-the-flush", true, rows);
}

TEST(a_showdown_of_three_card_poker_marks_who_won_and_what_decided_it)
{
    static const struct row rows[] = {
        {"ante 1000", "play", "As Kd 9c, Qs 5d 2c",
         "a dealer who just qualifies: queen high; "
         "a dealer who qualifies and is beaten"},
        {"ante 1000", "play", "As Kd 9c, Js 5d 2c",
         "a dealer who just does not: jack high; "
         "a dealer who does not qualify with the lower hand"},
        {"ante 1000", "play", "3s 5h 9c, Js 5d 2c",
         "a dealer who just does not: jack high; "
         "a dealer who does not qualify with the higher hand"},
        {"ante 1000", "play", "Jd 5h 2d, Js 5d 2c",
         "a dealer who just does not: jack high; "
         "a dealer who does not qualify with an equal hand"},
        {"ante 1000", "play", "3s 5h 9c, Ks 5d 2c", "a dealer who qualifies and wins"},
        {"ante 1000", "play", "Kh 5h 2d, Ks 5d 2c", "a dealer who qualifies and ties"},
        {"ante 1000", "play", "Kh Ks 3d, Kd Kc 2c",
         "a dealer who qualifies and is beaten; "
         "equal pairs that the third card decides"},
        {"ante 1000", "play", "Kh Ks 2d, Kd Kc 3c",
         "a dealer who qualifies and wins; "
         "equal pairs that the third card decides"},
        {"ante 1000", "play", "Kh Ks 2d, Kd Kc 2c", "a dealer who qualifies and ties"},
        {"ante 1000", "play", "Kh Ks 2d, Qd Qc 2c", "a dealer who qualifies and is beaten"},
        {"ante 1000", "play", "2h 2s 3d, Kd Qc 9c",
         "a dealer who qualifies and is beaten; "
         "a pair against a high card"},
        {"ante 1000", "play", "2h 2s 3d, Kd Qd 9d",
         "a dealer who qualifies and wins; "
         "a flush against a pair"},
        {"ante 1000", "play", "2h 3s 4d, Kd Qd 9d",
         "a dealer who qualifies and is beaten; "
         "a straight against a flush"},
        {"ante 1000", "play", "2h 3s 4d, Kd Ks Kh",
         "a dealer who qualifies and wins; "
         "three of a kind against a straight; "
         "an ante bonus paid to a hand that lost"},
        {"ante 1000", "play", "2h 3h 4h, Kd Ks Kh",
         "a dealer who qualifies and is beaten; "
         "a straight flush against three of a kind"},
        {"ante 1000", "play", "2h 3h 4h, Kd Qs 9h", "a dealer who qualifies and is beaten"},
        {"ante 1000", "play", "Ah 2s 3d, Kd Qs Jh",
         "a dealer who qualifies and wins; "
         "an ante bonus paid to a hand that lost; "
         "ace, deuce and three as the lowest straight"},
        {"ante 1000", "play", "Ah 2s 3d, Js 5d 2c",
         "a dealer who just does not: jack high; "
         "a dealer who does not qualify with the lower hand; "
         "ace, deuce and three as the lowest straight"},
        {"ante 1000", "fold", "Ah 2s 3d, Kd Qs Jh", ""},
    };

    TRY_ROWS("three-card-poker", true, rows);
}

TEST(side_wagers_of_three_card_poker_mark_what_became_of_the_hand_that_won_them)
{
    static const struct row rows[] = {
        {"ante 1000", "play", "4h 4s 3d, Kd Ks 2h", "a dealer who qualifies and wins"},
        {"ante 1000 pair-plus 1000", "play", "4h 4s 3d, Kd Ks 2h",
         "a dealer who qualifies and wins; "
         "Pair Plus won by a hand that lost"},
        {"ante 1000 pair-plus 1", "play", "4h 4s 3d, Kd Ks 2h",
         "a dealer who qualifies and wins; "
         "Pair Plus won by a hand that lost"},
        {"ante 1000 pair-plus 1000", "play", "4h 5s 8d, Kd Ks 2h",
         "a dealer who qualifies and wins; "
         "a pair against a high card"},
        {"ante 1000 pair-plus 1000", "play", "4h 4s 3d, 9d 8s 2h",
         "a dealer who does not qualify with the lower hand; "
         "a pair against a high card"},
        {"ante 1000 pair-plus 1000", "play", "4h 4s 3d, 4d 4c 3h",
         "a dealer who qualifies and ties"},
        {"ante 1000 pair-plus 1000", "play", "2h 3s 4d, 5d 6s 4h",
         "a dealer who qualifies and wins; "
         "an ante bonus paid to a hand that lost; "
         "Pair Plus won by a hand that lost"},
        {"ante 1000", "play", "2h 3s 4d, 2d 3h 4s", "a dealer who qualifies and ties"},
        {"ante 1000 pair-plus 1000", "fold", "4h 4s 3d, Kd Ks 2h",
         "Pair Plus lost by a fold of what would have won it"},
        {"ante 1000 pair-plus 1000", "fold", "4h 6s 3d, Kd Ks 2h", ""},
        {"ante 1000", "fold", "4h 4s 3d, Kd Ks 2h", ""},
        {"ante 1000", "fold", "2h 3s 4d, Kd Ks 2d", ""},
        {"ante 1000", "play", "2h 3s 5d, 4d 3d 2d", "a dealer who qualifies and wins"},
    };

    TRY_ROWS("three-card-poker", true, rows);
}

TEST(a_showdown_of_three_card_catch_marks_who_drew_and_what_decided_it)
{
    static const struct row rows[] = {
        {TWO, "play", "8c 8d 2h, Kc Qd 2s",
         "a dealer without a natural who has nobody to draw against; "
         "a player with just a natural: a pair of eights; "
         "a natural against a dealer without one; "
         "a pair against a high card"},
        {TWO, "play", "9c 9d 2h, 7c 7d 3s",
         "a dealer without a natural who has nobody to draw against; "
         "a natural against a dealer without one"},
        {TWO, "play", "9c 9d 2h, 8c 8h 3s",
         "a dealer with just a natural: a pair of eights; "
         "a dealer's natural; "
         "a natural that beats a natural"},
        {TWO, "play", "8s 8d 2h, 9c 9h 3s",
         "a dealer's natural; "
         "a player with just a natural: a pair of eights; "
         "a natural that loses against a natural"},
        {TWO, "play", "8s 8d 2h, 8c 8h 2s",
         "a dealer with just a natural: a pair of eights; "
         "a dealer's natural; "
         "a player with just a natural: a pair of eights; "
         "a natural that ties with a natural"},
        {TWO, "play", "8s 8d 3h, 8c 8h 2s",
         "a dealer with just a natural: a pair of eights; "
         "a dealer's natural; "
         "a player with just a natural: a pair of eights; "
         "a natural that beats a natural; "
         "equal pairs that the third card decides"},
        {TWO, "play", "7s 7d 2h, 9c 9h 3s",
         "a dealer's natural; "
         "a hand without a natural that a dealer's natural ends"},
        {TWO, "play", "5s 4d 2h, 9c 9h 3s",
         "a dealer's natural; "
         "a hand without a natural that a dealer's natural ends; "
         "a pair against a high card"},
        {TWO, "play", "7c 7d Ah, Kc Qd 2s, 3c, 4c",
         "a player who just has to draw: a pair of sevens; "
         "a drawn hand that wins; "
         "a draw that catches nothing and wins; "
         "a pair against a high card"},
        {TWO, "play", "Ac 7d 2h, 7c 7h 3s, Ad, 9c",
         "a dealer who just has to draw: a pair of sevens; "
         "a dealer whose fourth card makes his hand; "
         "a drawn hand that wins; "
         "a caught pair that wins, so that X-tra pushes"},
        {TWO, "play", "Ac 7d 2h, 6c 5h 3s, Td, 6d",
         "a dealer whose fourth card makes his hand; "
         "a drawn hand that loses; "
         "a pair against a high card"},
        {TWO, "play", "Ac 7d 2h, Kc 5h 3s, 9d, Qd",
         "a drawn hand that wins; "
         "a draw that catches nothing and wins; "
         "high cards that are compared card by card"},
        {TWO, "play", "Kc 7d 2h, Ac 5h 3s, 9d, Qd",
         "a drawn hand that loses; "
         "high cards that are compared card by card"},
        {TWO, "play", "Kc 7d 2h, Kd 7h 3s, 9d, 9c", "a drawn hand that ties"},
        {TWO, "play", "Kc 7d 2h, Kd 7h 3s, 7c, 7s",
         "a dealer whose fourth card makes his hand; "
         "a drawn hand that ties"},
        {TWO, "play", "Kc 7d 2h, Qd 7h 3s, 7c, 7s",
         "a dealer whose fourth card makes his hand; "
         "a drawn hand that wins; "
         "a caught pair that wins, so that X-tra pushes; "
         "equal pairs that the third card decides"},
        {TWO, "play", "Qc 7d 2h, Kd 7h 3s, 7c, 7s",
         "a dealer whose fourth card makes his hand; "
         "a drawn hand that loses; "
         "equal pairs that the third card decides"},
        {TWO, "play", "Qc 7d 2h, Kd 6h 3s, 2c, 6s",
         "a dealer whose fourth card makes his hand; "
         "a drawn hand that loses"},
        {TWO, "play", "Qc 7d 2h, Kd 6d 3s, 2c, 2d",
         "a dealer whose fourth card makes his hand; "
         "a drawn hand that loses; "
         "a flush against a pair"},
        {TWO, "play", "Qc Td 2h, Kd 6d 3s, Jc, 2d",
         "a dealer whose fourth card makes his hand; "
         "a drawn hand that wins; "
         "a straight against a flush"},
        {TWO, "play", "Qc Td 2h, 7c 7d 3s, Jc, 7h",
         "a dealer who just has to draw: a pair of sevens; "
         "a dealer whose fourth card makes his hand; "
         "a drawn hand that loses; "
         "three of a kind against a straight"},
        {TWO, "play", "Qc Tc 2h, 7c 7d 3s, Jc, 7h",
         "a dealer who just has to draw: a pair of sevens; "
         "a dealer whose fourth card makes his hand; "
         "a drawn hand that wins; "
         "a straight flush against three of a kind"},
        {TWO, "play", "Ac 2d 3h, Kd 9s 4d",
         "a dealer without a natural who has nobody to draw against; "
         "a natural against a dealer without one; "
         "ace, deuce and three as the lowest straight"},
        {TWO, "fold", "Ac 2d 3h, Kd 9s 4d",
         "a dealer without a natural who has nobody to draw against"},
        {TWO, "fold", "8s 8d 3h, 7d 7c 4d",
         "a dealer without a natural who has nobody to draw against"},
    };

    TRY_ROWS("three-card-catch", true, rows);
}

TEST(ace_deuce_and_three_mark_by_the_setting_whether_they_are_a_straight)
{
    static const struct row low[] = {{TWO, "play", "Ac 2d 3h, Kd 9s 4d",
                                      "a dealer without a natural who has nobody to draw against; "
                                      "a natural against a dealer without one; "
                                      "ace, deuce and three as the lowest straight"}};
    static const struct row high[] = {{TWO, "play", "Ac 2d 3h, Kd 9s 4d, 5c, 6c",
                                       "a drawn hand that wins; "
                                       "a draw that catches nothing and wins; "
                                       "high cards that are compared card by card; "
                                       "ace, deuce and three where that is no straight"}};

    TRY_ROWS("three-card-catch", true, low);
    TRY_ROWS("three-card-catch", false, high);
}

TEST(side_wagers_of_three_card_catch_mark_what_became_of_the_hand_that_won_them)
{
    static const struct row rows[] = {
        {TWO " natural-pair-plus 1000", "play", "9c 9d 2h, Tc Th 3s",
         "a dealer's natural; "
         "a natural that loses against a natural; "
         "Natural Pair Plus won by a hand that lost"},
        {"ante 1 x-tra 1 natural-pair-plus 1", "play", "9c 9d 2h, Tc Th 3s",
         "a dealer's natural; "
         "a natural that loses against a natural; "
         "Natural Pair Plus won by a hand that lost"},
        {TWO " natural-pair-plus 1000", "fold", "9c 9d 2h, Tc Th 3s",
         "a dealer's natural; "
         "Natural Pair Plus won by a hand that folded"},
        {TWO " natural-pair-plus 1000", "play", "9c 9d 2h, 9s 9h 2s",
         "a dealer's natural; "
         "a natural that ties with a natural"},
        {TWO " natural-pair-plus 1000", "play", "9c 9d 2h, 5s 3h 2s",
         "a dealer without a natural who has nobody to draw against; "
         "a natural against a dealer without one; "
         "a pair against a high card"},
        {TWO " natural-pair-plus 1000", "fold", "9c 7d 2h, Tc Th 3s", "a dealer's natural"},
        {TWO " natural-pair-plus 1000", "play", "9c 7d 2h, Tc Th 3s",
         "a dealer's natural; "
         "a hand without a natural that a dealer's natural ends; "
         "a pair against a high card"},
        {TWO, "fold", "9c 9d 2h, Tc Th 3s", "a dealer's natural"},
        {TWO, "fold", "9c 9d 9h, Tc Th 3s", "a dealer's natural"},
        {TWO " progressive 500", "fold", "9c 9d 9h, Tc Th 3s",
         "a dealer's natural; "
         "the progressive won by a hand that folded"},
        {TWO " progressive 500", "fold", "9c 9d 2h, Tc Th 3s", "a dealer's natural"},
        {TWO " progressive 500", "play", "Qc 7d 2h, Kd 6h 3s, 2c, 6s",
         "a dealer whose fourth card makes his hand; "
         "a drawn hand that loses"},
        {TWO " progressive 500", "play", "9c 9d 9h, Tc Th Ts",
         "a dealer's natural; "
         "a natural that loses against a natural; "
         "the progressive won by a hand that lost"},
        {TWO " progressive 500", "play", "9c 9d 2h, Tc Th 3s",
         "a dealer's natural; "
         "a natural that loses against a natural"},
        {TWO " progressive 500", "play", "9c 9d 9h, Tc Th 3s",
         "a dealer's natural; "
         "a natural that beats a natural"},
        {TWO, "play", "9c 9d 9h, Tc Th Ts",
         "a dealer's natural; "
         "a natural that loses against a natural"},
    };

    TRY_ROWS("three-card-catch", true, rows);
}

/* Seat 5, which draws, lets the dealer draw as well. */
static struct table beside_one_that_draws(const char *deal)
{
    struct table table;

    table_open(&table, game_find("three-card-catch"));
    table_seat(&table, 2, TWO, "play");
    table_seat(&table, 5, TWO, "play");
    table_deal(&table, deal);
    CU_ASSERT_EQUAL_FATAL(table_settle(&table), 0);
    return table;
}

TEST(a_natural_is_overtaken_by_a_better_fourth_card_of_the_dealer_and_not_by_an_equal_one)
{
    static const char better[] = "a natural that wins though the dealer's fourth card beats it";
    struct table table = beside_one_that_draws("8c 8d 5h, 2s 4d 7h, 8h 6s 5d, 9d, 8s");
    char text[2048];

    CU_ASSERT_PTR_NOT_NULL(strstr(marked(&table, text, sizeof text), better));
    CU_ASSERT_EQUAL(table_net(&table, 2, "play"), 1000);
    table = beside_one_that_draws("8c 8d 6h, 2s 4d 7h, 8h 6s 5d, 9d, 8s");
    CU_ASSERT_PTR_NULL(strstr(marked(&table, text, sizeof text), better));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "a natural against a dealer without one"));
}

/* Seat 2 folds; its side wager of a cent is paid even. */
static bool is_won_by_a_fold(const char *game, const char *bets, const char *deal,
                             const char *point)
{
    struct paytable even[WAGERS_MAX];
    struct table table;
    char text[2048];

    table_open(&table, game_find(game));
    for (unsigned i = 0; i < table.setup.game->wager_count; i++) {
        if (!table.setup.table[i])
            continue;
        even[i] = *table.setup.table[i];
        for (unsigned line = 0; line < LINES_MAX; line++)
            if (even[i].pays[line].kind == PAY_ODDS)
                even[i].pays[line].amount = 1;
        table.setup.table[i] = &even[i];
    }
    table_seat(&table, 2, bets, "fold");
    table_deal(&table, deal);
    CU_ASSERT_EQUAL_FATAL(table_settle(&table), 0);
    return strstr(marked(&table, text, sizeof text), point);
}

TEST(a_side_wager_that_wins_a_single_cent_has_won)
{
    CU_ASSERT(is_won_by_a_fold("three-card-catch", TWO " natural-pair-plus 1", "9c 9d 2h, Tc Th 3s",
                               "Natural Pair Plus won by a hand that folded"));
    CU_ASSERT(is_won_by_a_fold("flush-rush", "ante 1000 all-or-nothing 1",
                               "As Ks Qs Js, 2d 3d 4h 9c",
                               "All or Nothing won by a hand that folded"));
}
