/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "games/card.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/suite.h"

/* The sentence for a text that is no list of at most seven cards; "" for one that is. */
static const char *complaint(const char *text, size_t length)
{
    static struct error error;
    card_t cards[7];
    /* Exactly as long as it is said to be, for the sanitizer to watch its end. */
    char *copy = malloc(length ? length : 1);

    CU_ASSERT_PTR_NOT_NULL_FATAL(copy);
    memcpy(copy, text, length);
    memset(&error, 0, sizeof error);
    if (cards_parse(copy, length, cards, 7, &error) >= 0)
        error.text[0] = '\0';
    else
        CU_ASSERT_EQUAL(error.code, ERROR_RULE);
    free(copy);
    return error.text;
}

static void complains(const char *text, const char *expected)
{
    CU_ASSERT_STRING_EQUAL(complaint(text, strlen(text)), expected);
}

TEST(every_card_is_read_back_as_it_was_written)
{
    for (unsigned index = 0; index < DECK_SIZE; index++) {
        card_t card = card_from_index(index), again = CARD_NONE;
        char text[2];

        CU_ASSERT_TRUE(card_valid(card));
        CU_ASSERT_EQUAL(card_index(card), index);
        card_format(card, text);
        CU_ASSERT_TRUE(card_parse(text, &again));
        CU_ASSERT_EQUAL(again, card);
    }
}

TEST(of_all_pairs_of_characters_just_a_deck_is_cards)
{
    bool seen[256] = {false};
    unsigned cards = 0;

    for (unsigned first = 0; first < 256; first++)
        for (unsigned second = 0; second < 256; second++) {
            const char text[2] = {(char)first, (char)second};
            card_t card = CARD_NONE;

            if (!card_parse(text, &card)) {
                CU_ASSERT_EQUAL(card, CARD_NONE);
                continue;
            }
            CU_ASSERT_FALSE(seen[card]);
            seen[card] = true;
            cards++;
        }
    CU_ASSERT_EQUAL(cards, DECK_SIZE);
}

TEST(rank_stands_before_suit)
{
    card_t card = CARD_NONE;
    char text[3] = "";

    CU_ASSERT_TRUE(card_parse("As", &card));
    CU_ASSERT_EQUAL(card_rank(card), RANK_ACE);
    CU_ASSERT_EQUAL(card_suit(card), SUIT_SPADES);
    CU_ASSERT_TRUE(card_parse("2c", &card));
    CU_ASSERT_EQUAL(card, card_make(RANK_TWO, SUIT_CLUBS));
    card_format(card_make(RANK_TEN, SUIT_DIAMONDS), text);
    CU_ASSERT_STRING_EQUAL(text, "Td");
    card_format(card_make(RANK_NINE, SUIT_HEARTS), text);
    CU_ASSERT_STRING_EQUAL(text, "9h");
}

TEST(what_is_not_a_card_is_written_with_question_marks)
{
    unsigned valid = 0;
    char text[3] = "";

    for (unsigned value = 0; value < 256; value++) {
        card_format((card_t)value, text);
        CU_ASSERT_EQUAL(strcmp(text, "??") != 0, card_valid((card_t)value));
        valid += card_valid((card_t)value);
    }
    CU_ASSERT_EQUAL(valid, DECK_SIZE);
    CU_ASSERT_FALSE(card_valid(CARD_NONE));
}

TEST(cards_stand_one_space_apart)
{
    card_t cards[4] = {0};

    CU_ASSERT_EQUAL(cards_parse("As Td 9h 2c", 11, cards, 4, NULL), 4);
    CU_ASSERT_EQUAL(cards[0], card_make(RANK_ACE, SUIT_SPADES));
    CU_ASSERT_EQUAL(cards[1], card_make(RANK_TEN, SUIT_DIAMONDS));
    CU_ASSERT_EQUAL(cards[2], card_make(RANK_NINE, SUIT_HEARTS));
    CU_ASSERT_EQUAL(cards[3], card_make(RANK_TWO, SUIT_CLUBS));
    CU_ASSERT_EQUAL(cards_parse("As Td", 2, cards, 4, NULL), 1);
    CU_ASSERT_EQUAL(cards_parse("As Td", 4, cards, 4, NULL), ERROR_RULE);
}

TEST(an_empty_text_is_no_card_at_all)
{
    CU_ASSERT_EQUAL(cards_parse("", 0, NULL, 0, NULL), 0);
    CU_ASSERT_EQUAL(cards_parse(NULL, 0, NULL, 0, NULL), 0);
}

TEST(a_bad_rank_is_named_with_its_place)
{
    complains("As 1s",
              "card 2, '1s', has no known rank; write one of 23456789TJQKA, then the suit");
    complains("as", "card 1, 'as', has no known rank; write one of 23456789TJQKA, then the suit");
    complains("sA", "card 1, 'sA', has no known rank; write one of 23456789TJQKA, then the suit");
}

TEST(a_bad_suit_is_named_with_its_place)
{
    complains("As Kx 2c", "card 2, 'Kx', has no known suit; write the rank, then one of cdhs");
    complains("AS", "card 1, 'AS', has no known suit; write the rank, then one of cdhs");
}

TEST(a_word_of_another_length_is_named_with_its_place)
{
    const char *advice = "is not a card; write rank and suit, as in 'Td', and one space between "
                         "cards";
    const char *words[] = {"10s", "A", "AsKd", "As,Kd", "A\ts"};

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        char text[16], start[32];
        const char *said;

        snprintf(text, sizeof text, "2c %s", words[i]);
        snprintf(start, sizeof start, "card 2, '%s', ",
                 strchr(words[i], '\t') ? "A\\x09s" : words[i]);
        said = complaint(text, strlen(text));
        CU_ASSERT_EQUAL(strncmp(said, start, strlen(start)), 0);
        CU_ASSERT_STRING_EQUAL(said + strlen(start), advice);
    }
}

TEST(a_space_too_many_is_a_missing_card)
{
    complains("As ", "card 2 is missing; write one space between cards, none at the ends");
    complains(" As", "card 1 is missing; write one space between cards, none at the ends");
    complains("As  Kd", "card 2 is missing; write one space between cards, none at the ends");
    complains(" ", "card 1 is missing; write one space between cards, none at the ends");
}

TEST(more_cards_than_there_is_room_for_are_refused)
{
    complains("2c 3c 4c 5c 6c 7c 8c", "");
    complains("2c 3c 4c 5c 6c 7c 8c 9c", "more than 7 cards in one place");
}

TEST(binary_garbage_is_shown_in_hexadecimal_and_cut)
{
    static const char zeros[100] = {0};
    const char *said = complaint(zeros, sizeof zeros);

    CU_ASSERT_PTR_NOT_NULL(
        strstr(said, "'\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00...', is not a card"));
    CU_ASSERT_PTR_NOT_NULL(strstr(complaint("12345678", 8), "'12345678', is not a card"));
    CU_ASSERT_PTR_NOT_NULL(strstr(complaint("123456789", 9), "'12345678...', is not a card"));
    CU_ASSERT_PTR_NOT_NULL(strstr(complaint("\xff\x7f", 2), "'\\xff\\x7f', has no known rank"));
    CU_ASSERT_PTR_NOT_NULL(strstr(complaint("A\0", 2), "'A\\x00', has no known suit"));
}

TEST(each_card_once_ends_at_the_first_that_is_none_or_comes_again)
{
    card_t deck[DECK_SIZE];

    for (unsigned i = 0; i < DECK_SIZE; i++)
        deck[i] = card_from_index(i);
    CU_ASSERT_EQUAL(cards_once(deck, DECK_SIZE), DECK_SIZE);
    CU_ASSERT_EQUAL(cards_once(deck, 0), 0);
    deck[51] = deck[0];
    CU_ASSERT_EQUAL(cards_once(deck, DECK_SIZE), 51);
    CU_ASSERT_EQUAL(cards_once(deck, 51), 51);
    deck[7] = card_make(RANK_COUNT, SUIT_CLUBS);
    CU_ASSERT_EQUAL(cards_once(deck, DECK_SIZE), 7);
    deck[3] = CARD_NONE;
    CU_ASSERT_EQUAL(cards_once(deck, DECK_SIZE), 3);
}
