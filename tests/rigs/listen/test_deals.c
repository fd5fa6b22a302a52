/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/listen/deals.h"

#include <string.h>

#include "tests/support/suite.h"

struct table {
    struct deals deals;
    struct deal told[8];
    size_t count;
};

static int take(void *context, const struct deal *deal, struct error *error)
{
    struct table *table = context;

    (void)error;
    CU_ASSERT_FATAL(table->count < 8);
    table->told[table->count++] = *deal;
    return 0;
}

static void begin(struct table *table)
{
    memset(table, 0, sizeof *table);
    table->deals.ended = take;
    table->deals.context = table;
}

static void hear(struct table *table, struct heard heard)
{
    CU_ASSERT_EQUAL(deals_hear(&table->deals, &heard, NULL), 0);
}

#define HEAR(table, ...) hear(table, (struct heard){__VA_ARGS__})

/* Three cards from `first` on, in the dense numbering. */
static void packet(struct table *table, int index, unsigned first)
{
    struct heard heard = {.kind = HEARD_PACKET, .index = index, .count = 3};

    for (unsigned i = 0; i < 3; i++)
        heard.cards[i] = card_from_index(first + i);
    hear(table, heard);
}

static void card(struct table *table, int index, unsigned which)
{
    HEAR(table, .kind = HEARD_CARD, .index = index, .count = 1, .cards = {card_from_index(which)});
}

static void end(struct table *table)
{
    CU_ASSERT_EQUAL(deals_end(&table->deals, NULL), 0);
}

static void expect_why(const struct table *table, const char *why)
{
    CU_ASSERT_EQUAL_FATAL(table->count, 1);
    CU_ASSERT_STRING_EQUAL(table->told[0].why, why);
}

TEST(a_deal_is_what_comes_between_two_shuffles)
{
    struct table table;

    begin(&table);
    HEAR(&table, .kind = HEARD_SHUFFLED);
    packet(&table, 0, 0);
    packet(&table, 1, 3);
    HEAR(&table, .kind = HEARD_SHUFFLED);
    HEAR(&table, .kind = HEARD_SHUFFLED); /* nothing came of the second */
    packet(&table, 0, 10);
    end(&table);
    CU_ASSERT_EQUAL_FATAL(table.count, 2);
    CU_ASSERT_EQUAL(table.told[0].number, 1);
    CU_ASSERT_EQUAL(table.told[0].packets, 2);
    CU_ASSERT_EQUAL(table.told[0].card_count, 6);
    CU_ASSERT_EQUAL(table.told[0].cards[5], card_from_index(5));
    CU_ASSERT_EQUAL(table.told[1].number, 2);
    CU_ASSERT_EQUAL(table.told[1].packets, 1);
    CU_ASSERT_STRING_EQUAL(table.told[0].why, "");
    CU_ASSERT_STRING_EQUAL(table.told[1].why, "");
    CU_ASSERT(!table.told[1].has_wagers);
}

TEST(a_packet_that_is_said_again_is_one_packet)
{
    struct table table;

    begin(&table);
    HEAR(&table, .kind = HEARD_SHUFFLED);
    packet(&table, 0, 0);
    packet(&table, 0, 0);
    packet(&table, 1, 3);
    packet(&table, 0, 0);
    end(&table);
    expect_why(&table, "");
    CU_ASSERT_EQUAL(table.told[0].packets, 2);
}

TEST(a_packet_that_changes_spoils_its_deal)
{
    struct table table;

    begin(&table);
    HEAR(&table, .kind = HEARD_SHUFFLED);
    packet(&table, 0, 0);
    packet(&table, 0, 9);
    end(&table);
    expect_why(&table, "packet 1 was heard twice, with other cards");
}

TEST(a_packet_that_was_missed_spoils_its_deal)
{
    struct table table;

    begin(&table);
    HEAR(&table, .kind = HEARD_SHUFFLED);
    packet(&table, 0, 0);
    packet(&table, 2, 9);
    end(&table);
    expect_why(&table, "packet 3 was heard after packet 1");
}

TEST(a_card_that_comes_twice_and_what_is_no_card_spoil_their_deal)
{
    struct table table;

    begin(&table);
    HEAR(&table, .kind = HEARD_SHUFFLED);
    packet(&table, 0, 0);
    packet(&table, 1, 2);
    end(&table);
    expect_why(&table, "4c was heard twice");
    begin(&table);
    HEAR(&table, .kind = HEARD_SHUFFLED);
    HEAR(&table, .kind = HEARD_PACKET, .count = 1, .cards = {0x3d});
    end(&table);
    expect_why(&table, "byte 3d was heard in place of a card");
}

TEST(who_began_to_listen_in_the_middle_of_a_deal_has_not_heard_it)
{
    struct table table;

    begin(&table);
    packet(&table, 2, 0);
    end(&table);
    expect_why(&table, "its beginning was not heard");
    begin(&table);
    card(&table, 0, 5); /* the first of its deck: nothing was missed */
    end(&table);
    expect_why(&table, "");
    begin(&table);
    card(&table, -1, 5); /* a protocol that does not number cards */
    end(&table);
    expect_why(&table, "its beginning was not heard");
}

TEST(more_cards_than_a_deck_has_spoil_the_deal_and_nothing_else)
{
    struct table table;

    begin(&table);
    HEAR(&table, .kind = HEARD_NEW_DECK);
    for (unsigned i = 0; i < 300; i++)
        card(&table, -1, i % DECK_SIZE);
    end(&table);
    CU_ASSERT_EQUAL(table.told[0].card_count, DECK_SIZE);
    CU_ASSERT_STRING_EQUAL(table.told[0].why, "2c was heard twice");
}

TEST(a_card_that_is_sent_again_is_the_last_one_or_one_that_was_missed)
{
    struct table table;

    begin(&table);
    HEAR(&table, .kind = HEARD_NEW_DECK);
    card(&table, -1, 5);
    HEAR(&table, .kind = HEARD_CARD_AGAIN, .index = -1, .count = 1, .cards = {card_from_index(5)});
    HEAR(&table, .kind = HEARD_CARD_AGAIN, .index = -1, .count = 1, .cards = {card_from_index(6)});
    end(&table);
    expect_why(&table, "");
    CU_ASSERT_EQUAL(table.told[0].card_count, 2);
}

TEST(a_card_that_slips_out_of_a_locked_shoe_spoils_its_deal)
{
    struct table table;

    begin(&table);
    HEAR(&table, .kind = HEARD_NEW_DECK);
    card(&table, 0, 5);
    HEAR(&table, .kind = HEARD_CARD_OUTSIDE, .index = 1, .count = 1, .cards = {0});
    end(&table);
    expect_why(&table, "a card was drawn although the shoe was locked or in error");
}

TEST(the_wagers_of_a_round_are_those_at_its_start_before_or_after_the_shuffle)
{
    struct table table;

    begin(&table);
    HEAR(&table, .kind = HEARD_WAGERS, .seats = 0x0a);
    HEAR(&table, .kind = HEARD_ROUND_STARTED);
    HEAR(&table, .kind = HEARD_WAGERS, .seats = 0); /* collected */
    HEAR(&table, .kind = HEARD_SHUFFLED);
    packet(&table, 0, 0);
    HEAR(&table, .kind = HEARD_ROUND_ENDED);
    HEAR(&table, .kind = HEARD_SHUFFLED); /* nobody has a wager */
    packet(&table, 0, 0);
    HEAR(&table, .kind = HEARD_SHUFFLED);
    HEAR(&table, .kind = HEARD_WAGERS, .seats = 0x04);
    HEAR(&table, .kind = HEARD_ROUND_STARTED);
    HEAR(&table, .kind = HEARD_WAGERS, .seats = 0);
    packet(&table, 0, 0);
    HEAR(&table, .kind = HEARD_ROUND_CANCELLED);
    end(&table);
    CU_ASSERT_EQUAL_FATAL(table.count, 3);
    CU_ASSERT(table.told[0].has_wagers && table.told[0].is_started && table.told[0].is_ended);
    CU_ASSERT_EQUAL(table.told[0].wagers, 0x0a);
    CU_ASSERT(table.told[1].has_wagers && !table.told[1].is_started);
    CU_ASSERT_EQUAL(table.told[1].wagers, 0);
    CU_ASSERT_EQUAL(table.told[2].wagers, 0x04);
    CU_ASSERT(table.told[2].is_cancelled);
    for (int i = 0; i < 3; i++)
        CU_ASSERT_STRING_EQUAL(table.told[i].why, "");
}

TEST(a_start_that_is_cancelled_before_the_deal_is_none)
{
    struct table table;

    begin(&table);
    HEAR(&table, .kind = HEARD_WAGERS, .seats = 0x02);
    HEAR(&table, .kind = HEARD_ROUND_STARTED);
    HEAR(&table, .kind = HEARD_ROUND_CANCELLED);
    HEAR(&table, .kind = HEARD_WAGERS, .seats = 0x06);
    HEAR(&table, .kind = HEARD_ROUND_STARTED);
    HEAR(&table, .kind = HEARD_SHUFFLED);
    packet(&table, 0, 0);
    HEAR(&table, .kind = HEARD_ROUND_ENDED);
    end(&table);
    expect_why(&table, "");
    CU_ASSERT_EQUAL(table.told[0].wagers, 0x06);
    CU_ASSERT(!table.told[0].is_cancelled);
}

TEST(a_round_that_is_not_ended_or_ended_twice_is_not_known)
{
    struct table table;

    begin(&table);
    HEAR(&table, .kind = HEARD_WAGERS, .seats = 0x02);
    HEAR(&table, .kind = HEARD_ROUND_STARTED);
    HEAR(&table, .kind = HEARD_SHUFFLED);
    packet(&table, 0, 0);
    end(&table);
    expect_why(&table, "its round was not ended while it was listened to");
    begin(&table);
    HEAR(&table, .kind = HEARD_SHUFFLED);
    packet(&table, 0, 0);
    HEAR(&table, .kind = HEARD_ROUND_CANCELLED);
    HEAR(&table, .kind = HEARD_ROUND_STARTED);
    HEAR(&table, .kind = HEARD_ROUND_ENDED);
    end(&table);
    expect_why(&table, "its round was closed, started again and closed again");
}

TEST(meters_are_those_heard_last_before_the_deal_and_before_the_next)
{
    struct table table;

    begin(&table);
    HEAR(&table, .kind = HEARD_METERS, .count = 1, .meters = {{"star", 100}});
    HEAR(&table, .kind = HEARD_SHUFFLED);
    packet(&table, 0, 0);
    HEAR(&table, .kind = HEARD_MUST_HIT, .seat = 3);
    HEAR(&table, .kind = HEARD_METERS, .count = 1, .meters = {{"star", 110}});
    HEAR(&table, .kind = HEARD_SHUFFLED);
    packet(&table, 0, 0);
    end(&table);
    CU_ASSERT_EQUAL_FATAL(table.count, 2);
    CU_ASSERT_EQUAL(table.told[0].before.meters[0].micros, 100);
    CU_ASSERT_EQUAL(table.told[0].after.meters[0].micros, 110);
    CU_ASSERT_EQUAL(table.told[0].must_hit, 3);
    CU_ASSERT_EQUAL(table.told[1].before.meters[0].micros, 110);
    CU_ASSERT_EQUAL(table.told[1].must_hit, 0);
}

TEST(packets_and_single_cards_in_one_deal_spoil_it)
{
    struct table table;

    begin(&table);
    HEAR(&table, .kind = HEARD_SHUFFLED);
    packet(&table, 0, 0);
    card(&table, 1, 9);
    end(&table);
    expect_why(&table, "packets and single cards were heard in one deal");
}

static void shuffled(struct table *table, uint16_t number)
{
    HEAR(table, .kind = HEARD_SHUFFLED, .has_number = true, .number = number);
}

TEST(a_shuffle_that_was_not_heard_counts_and_leaves_the_count_unknown)
{
    struct table table;

    begin(&table);
    shuffled(&table, 65535);
    packet(&table, 0, 0);
    shuffled(&table, 0);
    packet(&table, 0, 0);
    shuffled(&table, 3);
    packet(&table, 0, 0);
    shuffled(&table, 4);
    packet(&table, 0, 0);
    end(&table);
    CU_ASSERT_EQUAL_FATAL(table.count, 4);
    CU_ASSERT_EQUAL(table.told[1].number, 2);
    CU_ASSERT_EQUAL(table.told[1].missed, 0);
    CU_ASSERT(table.told[1].is_count_known);
    CU_ASSERT_STRING_EQUAL(table.told[1].why,
                           "the next shuffle that was heard after it is 3, not 1");
    CU_ASSERT_EQUAL(table.told[2].number, 5);
    CU_ASSERT_EQUAL(table.told[2].missed, 2);
    CU_ASSERT(!table.told[2].is_count_known);
    CU_ASSERT_STRING_EQUAL(table.told[2].why, "");
    CU_ASSERT_EQUAL(table.told[3].number, 6);
    CU_ASSERT_EQUAL(table.told[3].missed, 0);
    CU_ASSERT(!table.told[3].is_count_known);
}

TEST(shuffles_that_were_missed_before_one_without_cards_are_told_with_the_next)
{
    struct table table;

    begin(&table);
    shuffled(&table, 1);
    packet(&table, 0, 0);
    shuffled(&table, 3);
    shuffled(&table, 4);
    packet(&table, 0, 0);
    end(&table);
    CU_ASSERT_EQUAL_FATAL(table.count, 2);
    CU_ASSERT_EQUAL(table.told[1].number, 3);
    CU_ASSERT_EQUAL(table.told[1].missed, 1);
    CU_ASSERT(!table.told[1].is_count_known);
}

TEST(numbers_that_go_back_are_of_another_count_where_the_line_began_anew)
{
    struct table table;

    begin(&table);
    shuffled(&table, 7);
    packet(&table, 0, 0);
    deals_renew(&table.deals);
    shuffled(&table, 1);
    packet(&table, 0, 0);
    shuffled(&table, 1);
    packet(&table, 0, 0);
    end(&table);
    CU_ASSERT_EQUAL_FATAL(table.count, 3);
    CU_ASSERT(table.told[1].is_count_known);
    CU_ASSERT_EQUAL(table.told[1].number, 2);
    CU_ASSERT(!table.told[2].is_count_known); /* the same once more, after cards */
}

TEST(what_was_missed_spoils_its_deal_and_the_count_where_no_number_shows_that_it_was_none)
{
    for (int has_numbers = 0; has_numbers < 2; has_numbers++) {
        struct table table;

        begin(&table);
        HEAR(&table, .kind = HEARD_SHUFFLED, .has_number = has_numbers, .number = 1);
        packet(&table, 0, 0);
        deals_miss(&table.deals, true, "missed");
        HEAR(&table, .kind = HEARD_SHUFFLED, .has_number = has_numbers, .number = 2);
        packet(&table, 0, 0);
        end(&table);
        CU_ASSERT_EQUAL_FATAL(table.count, 2);
        CU_ASSERT_STRING_EQUAL(table.told[0].why, "missed");
        CU_ASSERT_STRING_EQUAL(table.told[1].why, "");
        CU_ASSERT_EQUAL(table.told[1].is_count_known, has_numbers);
    }
}

TEST(what_another_device_said_unheard_may_be_of_the_deal_to_come)
{
    struct table table;

    begin(&table);
    shuffled(&table, 1);
    packet(&table, 0, 0);
    deals_miss(&table.deals, false, "missed");
    shuffled(&table, 2);
    packet(&table, 0, 0);
    shuffled(&table, 3);
    packet(&table, 0, 0);
    end(&table);
    CU_ASSERT_EQUAL_FATAL(table.count, 3);
    CU_ASSERT_STRING_EQUAL(table.told[0].why, "missed");
    CU_ASSERT_STRING_EQUAL(table.told[1].why, "missed");
    CU_ASSERT_STRING_EQUAL(table.told[2].why, "");
    CU_ASSERT(table.told[2].is_count_known);
}
