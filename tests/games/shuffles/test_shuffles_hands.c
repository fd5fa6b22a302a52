/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "games/shuffles/hands.h"

#include <string.h>

#include "games/audit/audit.h"
#include "tests/support/suite.h"

/* The lines of an audit do not depend on its units, none of which is done here. */
TEST(frequencies_of_hands_are_those_of_the_audit)
{
    static struct audit_entry entries[AUDIT_ENTRIES_MAX];
    static struct hands hands;

    hands_init(&hands);
    CU_ASSERT(hands.game_count >= 3);
    for (size_t game = 0; game < hands.game_count; game++) {
        const struct hands_of_game *of = &hands.games[game];
        const struct wager *wager = &of->game->wagers[game_wager(of->game, of->wager)];
        const char *table = wager->tables[wager->default_table].name;
        struct audit_request request;
        struct audit *audit;
        struct audit_part *part;
        size_t count, found = 0;

        audit_request_init(&request, of->game);
        CU_ASSERT_EQUAL_FATAL(audit_new(&audit, &request, NULL), 0);
        CU_ASSERT_EQUAL_FATAL(audit_part_new(&part, audit, NULL), 0);
        count = audit_entries(part, entries);
        for (size_t i = 0; i < count; i++) {
            if (strcmp(entries[i].wager, of->wager) || strcmp(entries[i].table->name, table))
                continue;
            found++;
            CU_ASSERT_EQUAL_FATAL(of->line_count, entries[i].line_count);
            for (size_t line = 0; line < of->line_count; line++)
                CU_ASSERT_DOUBLE_EQUAL(of->chance[line],
                                       (double)entries[i].lines[line].combinations /
                                           (double)entries[i].lines[line].of,
                                       1e-15);
        }
        CU_ASSERT_EQUAL(found, 1);
        audit_part_free(part);
        audit_free(audit);
    }
}

/* In Chase the Flush with seats 2 and 5: seat 2 has cards 1 to 3, the board 10 to 13. */
TEST(the_first_seats_hand_is_the_one_that_counts)
{
    static const unsigned spades[] = {0, 1, 2, 9, 10, 11, 12};
    struct hands_of_game *chase = NULL;
    struct game_setup setup;
    struct hands hands;
    card_t deck[DECK_SIZE];
    unsigned other = 0;

    hands_init(&hands);
    game_setup_init(&setup, game_find("chase-the-flush"));
    for (size_t i = 0; i < hands.game_count; i++)
        if (hands.games[i].game == setup.game)
            chase = &hands.games[i];
    CU_ASSERT_PTR_NOT_NULL_FATAL(chase);
    for (unsigned i = 0; i < DECK_SIZE; i++)
        deck[i] = CARD_NONE;
    for (unsigned i = 0; i < 7; i++)
        deck[spades[i]] = card_make(2 * i < RANK_COUNT ? 2 * i : 1, SUIT_SPADES);
    for (unsigned i = 0; i < DECK_SIZE; i++)
        if (deck[i] == CARD_NONE)
            deck[i] = card_from_index(other++);
    CU_ASSERT_EQUAL(hands_dealt(&setup, seat_bit(2) | seat_bit(5)), 13);
    hands_add(&hands, &setup, seat_bit(2) | seat_bit(5), deck, 12);
    CU_ASSERT_EQUAL(chase->total, 0);
    hands_add(&hands, &setup, seat_bit(2) | seat_bit(5), deck, 13);
    CU_ASSERT_EQUAL(chase->total, 1);
    /* A 7-card flush is the fifth line. */
    CU_ASSERT_EQUAL(chase->seen[4], 1);
}
