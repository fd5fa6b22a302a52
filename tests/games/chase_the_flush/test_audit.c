/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "games/audit/suits.h"
#include "games/chase_the_flush/rules.h"
#include "tests/support/games/audited.h"
#include "tests/support/seeded.h"
#include "tests/support/suite.h"

TEST(stax_lines_are_counted_over_all_seven_card_hands)
{
    static const int64_t expected[] = {32, 1592, 4140, 35820, 64860, 611336, 777724, 7865208};
    const struct audit_entry *entry;
    struct audited result;
    int64_t nothing;

    audited_sides("chase-the-flush", &result);
    entry = audited_find(&result, "stax", "1");
    CU_ASSERT_EQUAL_FATAL(entry->line_count, 8);
    nothing = entry->lines[0].of;
    for (unsigned i = 0; i < 8; i++) {
        CU_ASSERT_EQUAL(entry->lines[i].combinations, expected[i]);
        CU_ASSERT_EQUAL(entry->lines[i].of, 133784560);
        nothing -= entry->lines[i].combinations;
    }
    CU_ASSERT_EQUAL(nothing, 124423848);
}

TEST(stax_keeps_21_9066_percent_at_its_reseed_values)
{
    struct audited result;

    audited_sides("chase-the-flush", &result);
    CU_ASSERT(audited_edge_is(&result, "stax", "1", 4, "21.9066"));
}

TEST(same_suit_keeps_5_66942_percent_by_a_and_8_46224_by_b)
{
    struct audited result;

    audited_sides("chase-the-flush", &result);
    CU_ASSERT(audited_edge_is(&result, "same-suit", "A", 5, "5.66942"));
    CU_ASSERT(audited_edge_is(&result, "same-suit", "B", 5, "8.46224"));
}

TEST(same_suit_wins_30226768_hands_by_either_table)
{
    static const char *const tables[] = {"A", "B"};
    struct audited result;

    audited_sides("chase-the-flush", &result);
    for (unsigned t = 0; t < 2; t++) {
        const struct audit_entry *entry = audited_find(&result, "same-suit", tables[t]);
        int64_t wins = 0;

        for (unsigned i = 0; i < entry->line_count; i++)
            wins += entry->lines[i].combinations;
        CU_ASSERT_EQUAL(wins, 30226768);
        CU_ASSERT(audited_same(entry->hit_frequency, ratio_make(30226768, 133784560)));
    }
}

/* A seven-card flush pays 300 and 400; a straight flush of five inside it 100 and 500. */
TEST(a_seven_card_flush_is_counted_where_its_table_pays_most)
{
    struct audited result;

    audited_sides("chase-the-flush", &result);
    CU_ASSERT_EQUAL(audited_combinations(audited_find(&result, "same-suit", "A"), "7-card flush"),
                    6644);
    CU_ASSERT_EQUAL(audited_combinations(audited_find(&result, "same-suit", "B"), "7-card flush"),
                    5996);
    CU_ASSERT_EQUAL(
        audited_combinations(audited_find(&result, "same-suit", "A"), "5-card straight flush"),
        39312);
    CU_ASSERT_EQUAL(
        audited_combinations(audited_find(&result, "same-suit", "B"), "5-card straight flush"),
        39960);
}

#ifdef AUDITED_SLOWLY

/* Its memory, not its figures. */
TEST(chase_the_flush_can_be_audited_in_part)
{
    struct audit_request request;
    struct audited result;

    audit_request_init(&request, game_find("chase-the-flush"));
    audited_units(&request, 0, 3, &result);
    CU_ASSERT_EQUAL(result.count, 5);
    audited_units(&request, QUAD_CLASSES - 3, QUAD_CLASSES, &result);
    CU_ASSERT_EQUAL(result.count, 5);
}

#else

/* Two decisions of Chase the Flush, dealt to the end below, and what the audit has of them. */
#define CHASE_SAMPLES 2

static struct audit_row chase_samples[CHASE_SAMPLES];

/* Every so many rows of the second decision. */
static void take_sample(void *context, const struct audit_row *row)
{
    unsigned *seen = context;

    if (row->stage != 1)
        return;
    for (unsigned i = 0; i < CHASE_SAMPLES; i++)
        if (*seen == 123456 * (i + 1))
            chase_samples[i] = *row;
    ++*seen;
}

/* With a third x-tra table, which differs from A in what seven cards pay. */
static const struct audited *chase_the_flush(void)
{
    static struct paytable rich;
    static struct audited result;
    struct audit_request request;
    unsigned seen = 0;

    if (result.count)
        return &result;
    audit_request_init(&request, game_find("chase-the-flush"));
    rich = *request.tables[1].table[0];
    strcpy(rich.name, "rich");
    rich.pays[0].amount += 1000;
    CU_ASSERT_EQUAL_FATAL(audit_request_add(&request, 1, &rich, NULL), 0);
    audited_whole(&request, take_sample, &seen, &result);
    return &result;
}

TEST(chase_the_flush_keeps_2_390674_percent_by_a_and_2_286262_by_b)
{
    CU_ASSERT(audited_edge_is(chase_the_flush(), "ante", "A", 6, "2.390674"));
    CU_ASSERT(audited_edge_is(chase_the_flush(), "ante", "B", 6, "2.286262"));
    CU_ASSERT(audited_reads(audited_find(chase_the_flush(), "ante", "A")->ev, 6, "-0.023907"));
}

/* Ante, x-tra by table A and a bet of so many antes, straight from the rules. */
static int naive_chase_net(flush_t player, flush_t dealer, int bet)
{
    static const int pays[] = {[4] = 1, [5] = 5, [6] = 20, [7] = 250};
    int ante = dealer >= flush_make(3, 1u << RANK_NINE);

    if (player == dealer)
        return 0;
    if (player < dealer)
        return -ante - 1 - bet;
    return ante + bet + (flush_length(player) >= 4 ? pays[flush_length(player)] : 0);
}

/* One board to the end: what 2x nets, and the better of 1x and folding, over 14,190 dealers. */
static void naive_board(hand_t held, hand_t board, int64_t *bet, int64_t *wait)
{
    flush_t player = hand_flush(held | board);
    hand_t left = HAND_DECK & ~(held | board);
    int64_t call = 0;

    for (hand_t a = left; a; a &= a - 1)
        for (hand_t b = a & (a - 1); b; b &= b - 1)
            for (hand_t c = b & (b - 1); c; c &= c - 1) {
                flush_t dealer = hand_flush(board | (a & -a) | (b & -b) | (c & -c));

                *bet += naive_chase_net(player, dealer, 2);
                call += naive_chase_net(player, dealer, 1);
            }
    *wait += call > -2 * 14190 ? call : -2 * 14190;
}

TEST(a_flop_of_chase_the_flush_is_worth_what_every_board_and_dealer_say)
{
    chase_the_flush();
    for (unsigned i = 0; i < CHASE_SAMPLES; i++) {
        const struct audit_row *row = &chase_samples[i];
        hand_t left = HAND_DECK & ~(row->hand | row->board);
        int64_t bet = 0, wait = 0;

        for (hand_t a = left; a; a &= a - 1)
            for (hand_t b = a & (a - 1); b; b &= b - 1)
                naive_board(row->hand, row->board | (a & -a) | (b & -b), &bet, &wait);
        CU_ASSERT(audited_same(row->bet, ratio_make(bet, (wide_t)1081 * 14190)));
        CU_ASSERT(audited_same(row->not_bet, ratio_make(wait, (wide_t)1081 * 14190)));
        CU_ASSERT_EQUAL(row->bets, bet > wait);
    }
}

/* Whether 1x is worth more than folding, dealer by dealer. */
static bool naive_calls(hand_t held, hand_t board)
{
    int64_t bet = 0, wait = 0;

    naive_board(held, board, &bet, &wait);
    return wait > -2 * 14190;
}

/* The packets of seat, dealer and community; what is decided by the rules, and on the river well.
 */
static void play_chase(const struct game_setup *setup, uint64_t *seed,
                       struct settlement *settlement)
{
    struct round round = {.number = 1, .seats = seat_bit(1), .dealt_count = 10};
    hand_t dealt = 0, held, board;

    round.bets[1][0] = round.bets[1][1] = 100;
    round.packet[0] = round.packet[1] = 3;
    round.packet[2] = 4;
    round.packet_count = 3;
    while (hand_count(dealt) < 10) {
        card_t card = card_from_index(seeded_below(seed, DECK_SIZE));

        if (!(dealt & hand_card(card)))
            round.dealt[hand_count(dealt)] = card;
        dealt |= hand_card(card);
    }
    held = hand_of(round.dealt, 3);
    board = hand_of(round.dealt + 6, 4);
    round.decision_count[1] = 1;
    round.decisions[1][0] = chase_rule_3x(held) ? DECISION_BET : DECISION_CHECK;
    if (round.decisions[1][0] == DECISION_CHECK) {
        round.decision_count[1] = 2;
        round.decisions[1][1] =
            chase_rule_2x(held, hand_of(round.dealt + 6, 2)) ? DECISION_BET : DECISION_CHECK;
    }
    if (round.decisions[1][0] == DECISION_CHECK && round.decisions[1][1] == DECISION_CHECK) {
        round.decision_count[1] = 3;
        round.decisions[1][2] = naive_calls(held, board) ? DECISION_BET : DECISION_FOLD;
    }
    CU_ASSERT_EQUAL_FATAL(game_settle(setup, &round, settlement, NULL), 0);
}

#define CHASE_ROUNDS 20000

/* The rules for 2x are near, not exact: a result may be half a per cent of the rounds off. */
TEST(settled_rounds_of_chase_the_flush_follow_its_law)
{
    const struct audit_law *law = &audited_find(chase_the_flush(), "ante", "A")->law;
    unsigned seen[LAW_MAX] = {0}, known = 0;
    struct settlement settlement;
    struct game_setup setup;
    uint64_t seed = 3;

    game_setup_init(&setup, game_find("chase-the-flush"));
    setup.table[1] = &setup.game->wagers[1].tables[0];
    for (unsigned n = 0; n < CHASE_ROUNDS; n++) {
        play_chase(&setup, &seed, &settlement);
        for (unsigned i = 0; i < law->count; i++) {
            bool is_it = law->outcome[i].net * 100 == settlement.seat[1].total;

            seen[i] += is_it;
            known += is_it;
        }
    }
    CU_ASSERT_EQUAL(known, CHASE_ROUNDS);
    for (unsigned i = 0; i < law->count; i++) {
        double chance = (double)law->outcome[i].deals / (double)law_deals(law);
        double due = chance * CHASE_ROUNDS;

        CU_ASSERT(fabs(seen[i] - due) < 4 * sqrt(due) + 0.005 * CHASE_ROUNDS);
    }
}

/* All deals are in the law, folds among those that lose two; what lines pay shows at its end. */
TEST(the_law_of_chase_the_flush_has_every_deal)
{
    const struct audit_entry *entry = audited_find(chase_the_flush(), "ante", "A");
    const struct audit_law *law = &entry->law;
    const wide_t all = (wide_t)22100 * 1176 * 1081 * 14190;
    struct ratio fold = entry->strategy[3].share;
    wide_t two = 0;

    CU_ASSERT(law_deals(law) == all);
    CU_ASSERT(audited_same(law_mean(law), entry->ev));
    CU_ASSERT_EQUAL(law->outcome[0].net, -5);
    for (unsigned i = 0; i < law->count; i++)
        two += law->outcome[i].net == -2 ? law->outcome[i].deals : 0;
    CU_ASSERT(two >= fold.numerator * 14190);
    CU_ASSERT_EQUAL(law->outcome[law->count - 1].net, 254);
    CU_ASSERT(audited_reads(audit_standard_deviation(entry), 4, "4.0169"));
    CU_ASSERT(audited_reads(audit_standard_deviation(audited_find(chase_the_flush(), "ante", "B")),
                            4, "5.5422"));
}

TEST(the_rules_of_chase_the_flush_are_exact_for_3x_and_near_for_2x)
{
    const struct audit_entry *entry = audited_find(chase_the_flush(), "ante", "B");

    CU_ASSERT(audited_same(entry->plays[1].ev, entry->ev));
    CU_ASSERT(audited_reads(ratio_subtract(entry->ev, entry->plays[0].ev), 8, "0.00015766"));
    for (unsigned i = 2; i < entry->play_count; i++)
        CU_ASSERT(ratio_subtract(entry->ev, entry->plays[i].ev).numerator > 0);
}

TEST(chase_the_flush_stakes_3_564878_antes_a_round)
{
    const struct audit_entry *entry = audited_find(chase_the_flush(), "ante", "A");

    CU_ASSERT(audited_reads(entry->average_wager, 6, "3.564878"));
    CU_ASSERT(audited_share_is(entry, "bet-3x", "23.8371"));
    CU_ASSERT(audited_share_is(entry, "bet-2x", "24.9021"));
}

TEST(every_deal_of_chase_the_flush_ends_with_one_decision)
{
    const struct audit_entry *entry = audited_find(chase_the_flush(), "ante", "B");
    wide_t sum = 0;

    for (unsigned i = 0; i < entry->strategy_count; i++)
        sum += entry->strategy[i].share.numerator;
    CU_ASSERT_EQUAL(entry->strategy_count, 4);
    CU_ASSERT(sum == entry->strategy[0].share.denominator);
}

/* 3,406,603,200 of 66,444,101,724,000 deals beat the dealer with seven cards of a suit. */
TEST(an_extra_table_is_audited_like_those_of_the_sheet)
{
    const struct audit_entry *plain = audited_find(chase_the_flush(), "ante", "A");
    const struct audit_entry *rich = audited_find(chase_the_flush(), "ante", "rich");
    struct ratio more = ratio_make(rich->ev.numerator - plain->ev.numerator, plain->ev.denominator);

    CU_ASSERT(rich->ev.denominator == plain->ev.denominator);
    CU_ASSERT(audited_same(more, ratio_make((wide_t)1000 * 3406603200, 66444101724000)));
    CU_ASSERT_EQUAL(audited_combinations(rich, "7-card flush"), 3406603200);
    CU_ASSERT_EQUAL(rich->lines[0].of, 66444101724000);
}

#endif
