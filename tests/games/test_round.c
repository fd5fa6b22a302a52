/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <string.h>

#include "games/chase_the_flush/chase_the_flush.h"
#include "games/game.h"
#include "tests/support/suite.h"
#include "tests/support/table.h"

TEST(what_is_recorded_for_a_seat_that_does_not_play_is_refused)
{
    struct table table = table_chase();

    table.round.decision_count[5] = 1;
    CU_ASSERT(table_refuses(&table, "seat 5 has 1 decision but no bets"));
    table.round.decision_count[5] = 0;
    table.round.bets[5][CHASE_STAX] = 500;
    CU_ASSERT(table_refuses(&table, "seat 5 stakes 500 cents on stax"));
    table.round.bets[5][CHASE_ANTE] = 1000;
    CU_ASSERT(table_refuses(&table, "seat 5 stakes 1000 cents on ante"));
}

TEST(nothing_is_settled_at_seat_0)
{
    struct table table = table_chase();

    table.round.bets[0][CHASE_ANTE] = 1000;
    CU_ASSERT(table_refuses(&table, "seat 0 stakes 1000 cents on ante"));
    table.round.seats |= seat_bit(0);
    CU_ASSERT(table_refuses(&table, "there is no seat 0; seats are 1 to 7"));
}

TEST(a_card_dealt_twice_is_named)
{
    struct table table = table_chase();

    table_deal(&table, "As Ks 2d, 9h 9c 9d, 3s 4s 5s As");
    CU_ASSERT(table_refuses(&table, "As is dealt twice, the second time as card 10"));
    table.round.dealt[9] = CARD_NONE;
    CU_ASSERT(table_refuses(&table, "card 10 of the deal is no card (255)"));
    table.round.dealt[9] = 13;
    CU_ASSERT(table_refuses(&table, "card 10 of the deal is no card (13)"));
}

TEST(a_packet_of_the_wrong_size_is_named_with_whose_it_is)
{
    struct table table = table_chase();

    table_deal(&table, "As Ks 2d Jh Jc, 9h 9c 9d, 3s 4s 5s 7h");
    CU_ASSERT(table_refuses(&table, "packet 1, for seat 3: expected 3 cards, got 5"));
    table_deal(&table, "As Ks 2d, 9h 9c, 3s 4s 5s 7h");
    CU_ASSERT(table_refuses(&table, "packet 2, for the dealer: expected 3 cards, got 2"));
    table_deal(&table, "As Ks 2d, 9h 9c 9d, 3s 4s 5s");
    CU_ASSERT(table_refuses(&table, "packet 3, for the community: expected 4 cards, got 3"));
    table.setup.burn = 1;
    table_deal(&table, "As Ks 2d, 9h 9c 9d, 3s 4s 5s 7h");
    CU_ASSERT(table_refuses(&table, "packet 1, for the burn: expected 1 card, got 3"));
}

TEST(a_missing_and_an_extra_packet_are_named)
{
    struct table table = table_chase();

    table_deal(&table, "As Ks 2d, 9h 9c 9d");
    CU_ASSERT(table_refuses(&table, "packet 3 is missing: 4 cards for the community"));
    table_deal(&table, "As Ks 2d, 9h 9c 9d, 3s 4s 5s 7h, Jc");
    CU_ASSERT(table_refuses(&table, "packet 4 is one too many: the deal is complete after 3"));
    table_deal(&table, "");
    CU_ASSERT(table_refuses(&table, "packet 1 is missing: 3 cards for seat 3"));
}

TEST(more_cards_than_a_deck_are_refused)
{
    struct table table = table_chase();

    table.round.dealt_count = 53;
    CU_ASSERT(table_refuses(&table, "53 cards in 3 packets, more than a deck of 52"));
    table.round.dealt_count = 10;
    table.round.packet[2] = 5;
    CU_ASSERT(table_refuses(&table, "the packets hold 11 cards, but 10 were dealt"));
    table = table_chase();
    table.setup.burn = 43;
    CU_ASSERT(table_refuses(&table, "after a burn of 43 cannot be dealt from 52 cards"));
    table.setup.burn = 255;
    CU_ASSERT(table_refuses(&table, "after a burn of 255 cannot"));
}

/* The burn leaves a round for one seat; two get theirs only if nobody draws. */
TEST(draws_cannot_take_more_than_the_deck)
{
    struct table table;

    table_open(&table, game_find("three-card-catch"));
    table.setup.burn = 43;
    CU_ASSERT_EQUAL(game_check_setup(&table.setup, NULL), 0);
    table_seat(&table, 1, "ante 1000 x-tra 1000", "play");
    table_seat(&table, 2, "ante 1000 x-tra 1000", "play");
    for (unsigned i = 0; i < DECK_SIZE; i++)
        table.round.dealt[table.round.dealt_count++] = card_from_index(i);
    table.round.packet[0] = 43;
    table.round.packet[1] = table.round.packet[2] = table.round.packet[3] = 3;
    table.round.packet_count = 4;
    /* 2c 3c … 5s are burned; 6s 7s 8s, 9s Ts Js and Qs Ks As are left, all naturals. */
    CU_ASSERT_EQUAL(table_settle(&table), 0);
    /* With the 2c instead of the 6s, and the 2d instead of the Qs, seat 1 and the dealer draw. */
    table.round.dealt[43] = card_from_index(0);
    table.round.dealt[0] = card_from_index(43);
    table.round.dealt[49] = card_from_index(13);
    table.round.dealt[13] = card_from_index(49);
    CU_ASSERT(table_refuses(&table, "the draws would take 54 cards from a deck of 52"));
}

/* One game after the other, over and over. */
static const struct game *nth_game(unsigned n)
{
    unsigned count = 0;

    while (game_at(count))
        count++;
    return game_at(n % count);
}

static void table_of(struct table *table, const struct game *game, uint64_t *state)
{
    table_open(table, game);
    if (game->card_at_a_time && table_random(state, 2))
        table->setup.deal = DEAL_CARDS;
    table->setup.burn = (uint8_t)table_random(state, 3);
    table->setup.ace_low = table_random(state, 2);
    for (unsigned i = 0; i < game->wager_count; i++) {
        const struct wager *wager = &game->wagers[i];

        if (wager->table_count)
            table->setup.table[i] = &wager->tables[table_random(state, wager->table_count)];
    }
}

TEST(every_seats_total_is_the_sum_of_its_results_and_every_card_is_somewhere_once)
{
    uint64_t state = 11;

    for (unsigned i = 0; i < 6000; i++) {
        struct table table;
        const struct settlement *result = &table.result;
        uint64_t cards;
        unsigned count;

        table_of(&table, nth_game(i), &state);
        table_random_round(&table, 1 + table_random(&state, 7), &state);
        CU_ASSERT_EQUAL_FATAL(table_settle(&table), 0);
        cards = hand_of(result->board, result->board_count) |
                hand_of(result->burned, result->burned_count) |
                hand_of(result->dealer.cards, result->dealer.card_count);
        count = (unsigned)(result->board_count + result->burned_count + result->dealer.card_count);
        for (unsigned seat = 1; seat <= SEATS_MAX; seat++) {
            const struct seat_result *s = &result->seat[seat];
            cents_t sum = s->must_hit;

            for (unsigned j = 0; j < WAGERS_MAX; j++) {
                sum += s->net[j];
                CU_ASSERT(s->made & 1u << j || !s->net[j]);
                CU_ASSERT(s->net[j] >= 0 || s->net[j] == -table.round.bets[seat][j] ||
                          table.setup.game->wagers[j].by_decision);
            }
            CU_ASSERT_EQUAL(s->total, sum);
            cards |= hand_of(s->held.cards, s->held.card_count);
            count += s->held.card_count;
        }
        CU_ASSERT_EQUAL(count, table.round.dealt_count);
        CU_ASSERT_EQUAL(cards, hand_of(table.round.dealt, table.round.dealt_count));
    }
}

TEST(what_others_wager_changes_nothing_for_a_seat)
{
    uint64_t state = 12;

    for (unsigned i = 0; i < 3000; i++) {
        struct table table, other;
        unsigned seat;

        table_of(&table, nth_game(i), &state);
        table_random_round(&table, 2 + table_random(&state, 6), &state);
        CU_ASSERT_EQUAL_FATAL(game_settle(&table.setup, &table.round, &table.result, NULL), 0);
        seat = (unsigned)__builtin_ctz(table.round.seats);
        other = table;
        for (unsigned s = seat + 1; s <= SEATS_MAX; s++)
            for (unsigned j = 0; j < WAGERS_MAX; j++) {
                const struct wager *wager = &table.setup.game->wagers[j];

                if (!(table.round.seats & seat_bit(s)) || j >= table.setup.game->wager_count)
                    continue;
                if (wager->required)
                    other.round.bets[s][j] += 77;
                else if (!wager->by_decision)
                    other.round.bets[s][j] = other.round.bets[s][j] ? 0 : 500;
            }
        CU_ASSERT_EQUAL_FATAL(game_settle(&other.setup, &other.round, &other.result, NULL), 0);
        CU_ASSERT_EQUAL(memcmp(&table.result.seat[seat], &other.result.seat[seat],
                               sizeof table.result.seat[seat]),
                        0);
    }
}

/* Whatever bytes a round is made of, it is settled or refused with a sentence. */
TEST(a_damaged_round_is_refused_and_leaves_the_meters_untouched)
{
    uint64_t state = 14;
    unsigned refused = 0;

    for (unsigned i = 0; i < 30000; i++) {
        struct table table;
        struct meters before;
        unsigned char *bytes = (unsigned char *)&table.round;

        table_of(&table, nth_game(i), &state);
        table_random_round(&table, 1 + table_random(&state, 7), &state);
        for (unsigned j = 1 + table_random(&state, 3); j; j--) {
            size_t at = offsetof(struct round, seats) +
                        table_random(&state, offsetof(struct round, cancelled) -
                                                 (unsigned)offsetof(struct round, seats));

            bytes[at] = (unsigned char)table_random(&state, 256);
        }
        before = table.meters;
        table.error.text[0] = '\0';
        if (!table_settle(&table))
            continue;
        refused++;
        CU_ASSERT_NOT_EQUAL(table.error.text[0], '\0');
        CU_ASSERT_EQUAL(memcmp(&before, &table.meters, sizeof before), 0);
    }
    CU_ASSERT(refused > 10000);
}

TEST(a_deal_may_take_the_whole_deck)
{
    struct table table = table_chase();
    struct round *round = &table.round;

    table.setup.burn = 42;
    round->dealt_count = 0;
    for (unsigned i = 0; i < DECK_SIZE; i++)
        round->dealt[round->dealt_count++] = card_from_index(i);
    round->packet_count = 4;
    memcpy(round->packet, (const uint8_t[]){42, 3, 3, 4}, 4);
    CU_ASSERT_EQUAL(table_settle(&table), 0);
    CU_ASSERT_EQUAL(table.result.burned_count, 42);
    table.setup.deal = DEAL_CARDS;
    round->packet_count = PACKETS_MAX;
    memset(round->packet, 1, PACKETS_MAX);
    CU_ASSERT_EQUAL(table_settle(&table), 0);
    CU_ASSERT_EQUAL(table.result.burned_count, 42);
}

TEST(a_misdeal_ends_with_any_packet_and_what_was_dealt_is_kept)
{
    for (unsigned packets = 0; packets <= 3; packets++) {
        static const uint8_t cards[] = {0, 3, 6, 10};
        struct table table = table_chase();

        table.round.is_void = true;
        table.round.packet_count = (uint8_t)packets;
        table.round.dealt_count = cards[packets];
        CU_ASSERT_EQUAL_FATAL(table_settle(&table), 0);
        CU_ASSERT(table.result.is_void);
        CU_ASSERT_EQUAL(table.result.seat[3].held.card_count, packets > 0 ? 3 : 0);
        CU_ASSERT_EQUAL(table.result.dealer.card_count, packets > 1 ? 3 : 0);
        CU_ASSERT_EQUAL(table.result.board_count, packets > 2 ? 4 : 0);
        CU_ASSERT_EQUAL(table.result.seat[3].total, 0);
    }
}

TEST(a_misdeal_has_no_packet_beyond_its_deal_and_none_of_a_wrong_size)
{
    struct table table = table_chase();

    table.round.is_void = true;
    table_deal(&table, "As Ks 2d, 9h 9c 9d, 3s 4s 5s 7h, Jc");
    CU_ASSERT(table_refuses(&table, "packet 4 is one too many: the deal is complete after 3"));
    table_deal(&table, "As Ks 2d, 9h 9c");
    CU_ASSERT(table_refuses(&table, "packet 2, for the dealer: expected 3 cards, got 2"));
}

/* Seats 1 and 7 of 3 Card Catch have to draw, as has the dealer. */
static struct table misdealt(const char *first, const char *last, const char *draws)
{
    struct table table;
    char deal[128];

    table_open(&table, game_find("three-card-catch"));
    table.setup.minimum[2] = table.setup.maximum[2] = 1000; /* play */
    table_seat(&table, 1, "ante 1000 x-tra 1000", first);
    table_seat(&table, 7, "ante 1000 x-tra 1000", last);
    snprintf(deal, sizeof deal, "2c 9d Kh, 3d 6h Ts, 4c 8d Jh%s", draws);
    table_deal(&table, deal);
    table.round.is_void = true;
    return table;
}

TEST(a_misdeal_may_come_before_the_draws_or_among_them)
{
    struct table table = misdealt("", "", "");

    CU_ASSERT_EQUAL(table_settle(&table), 0);
    table = misdealt("play", "play", ", 5d");
    CU_ASSERT_EQUAL_FATAL(table_settle(&table), 0);
    CU_ASSERT_EQUAL(table.result.seat[1].held.card_count, 4);
    CU_ASSERT_EQUAL(table.result.seat[7].held.card_count, 3);
    CU_ASSERT_EQUAL(table.result.dealer.card_count, 3);
    table = misdealt("play", "play", ", 5d, 5h, 5s");
    CU_ASSERT_EQUAL_FATAL(table_settle(&table), 0);
    CU_ASSERT_EQUAL(table.result.dealer.card_count, 4);
}

TEST(nobody_draws_before_all_have_decided_not_even_in_a_misdeal)
{
    struct table table = misdealt("", "play", ", 5d");

    CU_ASSERT(table_refuses(&table, "cards were drawn, but: seat 1: decision 1 is missing"));
    table = misdealt("play", "", ", 5d");
    CU_ASSERT(table_refuses(&table, "cards were drawn, but: seat 7: decision 1 is missing"));
}

TEST(a_draw_that_is_missing_is_named_with_whose_it_is)
{
    struct table table = misdealt("play", "play", "");

    table.round.is_void = false;
    CU_ASSERT(table_refuses(&table, "packet 4 is missing: 1 card for seat 1"));
}

TEST(a_settlement_that_is_used_again_keeps_nothing_of_the_round_before)
{
    struct table table = table_chase();
    struct settlement *result = &table.result;
    struct seat_result other;

    memset(result, 0x5a, sizeof *result);
    other = result->seat[5];
    table.round.number = 17;
    table_deal(&table, "As 2s Kd, 9h 9c 9d, 3s 4s 5s 7h");
    CU_ASSERT_EQUAL_FATAL(table_settle(&table), 0);
    CU_ASSERT_EQUAL_FATAL(table_settle(&table), 0);
    CU_ASSERT_EQUAL(result->number, 17);
    CU_ASSERT_FALSE(result->is_void);
    CU_ASSERT_EQUAL(result->award_count, 1);
    CU_ASSERT_EQUAL(result->board_count, 4);
    CU_ASSERT_EQUAL(result->burned_count, 0);
    CU_ASSERT_EQUAL(result->seat[3].held.card_count, 3);
    CU_ASSERT_EQUAL(memcmp(&other, &result->seat[5], sizeof other), 0); /* which does not play */
    table = misdealt("fold", "fold", "");
    table.result.qualifies = true;
    table.round.is_void = false;
    CU_ASSERT_EQUAL_FATAL(table_settle(&table), 0);
    CU_ASSERT_FALSE(table.result.qualifies);
}

TEST(a_seat_has_made_its_own_wagers_and_no_others)
{
    struct table table;

    table_open(&table, game_find("chase-the-flush"));
    table_seat(&table, 3, "ante 1000 x-tra 1000", "check check fold");
    table_seat(&table, 4, "ante 1000 x-tra 1000 stax 500", "check check bet");
    table_deal(&table, "As Ks 2d, Ad Kd 2c, 9h 9c 9d, 3s 4s 5s 7h");
    CU_ASSERT_EQUAL_FATAL(table_settle(&table), 0);
    CU_ASSERT_EQUAL(table.result.seat[3].made, 1u << CHASE_ANTE | 1u << CHASE_X_TRA);
    CU_ASSERT_EQUAL(table.result.seat[4].made,
                    1u << CHASE_ANTE | 1u << CHASE_X_TRA | 1u << CHASE_ALL_IN | 1u << CHASE_STAX);
}
