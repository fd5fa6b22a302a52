/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "games/audit/audit.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "games/audit/meters.h"
#include "games/audit/suits.h"
#include "games/chase_the_flush/rules.h"
#include "tests/support/naive_hand.h"
#include "tests/support/seeded.h"
#include "tests/support/suite.h"

/* A whole audit of the two larger games takes minutes under a sanitizer: there only samples run. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SLOW
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SLOW
#endif

struct result {
    struct audit_entry entries[AUDIT_ENTRIES_MAX];
    size_t count;
};

static bool reads(struct ratio ratio, unsigned decimals, const char *expected)
{
    char text[RATIO_TEXT_SIZE];

    ratio_format(ratio, decimals, text);
    if (!strcmp(text, expected))
        return true;
    fprintf(stderr, "expected %s, got %s\n", expected, text);
    return false;
}

static bool same(struct ratio a, struct ratio b)
{
    a = ratio_reduce(a);
    b = ratio_reduce(b);
    return a.numerator == b.numerator && a.denominator == b.denominator;
}

static const struct audit_entry *find(const struct result *result, const char *wager,
                                      const char *table)
{
    for (size_t i = 0; i < result->count; i++)
        if (!strcmp(result->entries[i].wager, wager) &&
            !strcmp(result->entries[i].table->name, table))
            return &result->entries[i];
    CU_FAIL_FATAL("no such entry");
    return NULL;
}

static bool house_edge_is(const struct result *result, const char *wager, const char *table,
                          unsigned decimals, const char *percent)
{
    struct ratio ev = find(result, wager, table)->ev;

    return reads(ratio_make(-100 * ev.numerator, ev.denominator), decimals, percent);
}

static bool share_is(const struct audit_entry *entry, const char *decision, const char *percent)
{
    for (unsigned i = 0; i < entry->strategy_count; i++) {
        struct ratio share = entry->strategy[i].share;

        if (!strcmp(entry->strategy[i].name, decision))
            return reads(ratio_make(100 * share.numerator, share.denominator), 4, percent);
    }
    return false;
}

static int64_t combinations(const struct audit_entry *entry, const char *line)
{
    for (unsigned i = 0; i < entry->line_count; i++)
        if (!strcmp(entry->lines[i].name, line))
            return entry->lines[i].combinations;
    return -1;
}

static void run_units(const struct audit_request *request, size_t first, size_t end,
                      struct result *result)
{
    struct audit_part *part;
    struct audit *audit;

    CU_ASSERT_EQUAL_FATAL(audit_new(&audit, request, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(audit_part_new(&part, audit, NULL), 0);
    if (end > audit_units(audit))
        end = audit_units(audit);
    for (size_t unit = first; unit < end; unit++)
        audit_part_do(part, unit);
    result->count = audit_entries(part, result->entries);
    audit_part_free(part);
    audit_free(audit);
}

/* Wagers that are paid by their lines alone need no unit of work. */
static void side_bets(const struct game *game, struct result *result)
{
    struct audit_request request;

    audit_request_init(&request, game);
    run_units(&request, 0, 0, result);
}

struct half {
    struct audit_part *part;
    size_t start, units;
};

static void *every_second_unit(void *argument)
{
    const struct half *half = argument;

    for (size_t unit = half->start; unit < half->units; unit += 2)
        audit_part_do(half->part, unit);
    return NULL;
}

/* The whole audit, its units dealt out to two threads. */
static void run_all(const struct audit_request *request, struct result *result)
{
    struct half halves[2];
    struct audit *audit;
    pthread_t thread;

    CU_ASSERT_EQUAL_FATAL(audit_new(&audit, request, NULL), 0);
    for (size_t i = 0; i < 2; i++) {
        halves[i] = (struct half){NULL, i, audit_units(audit)};
        CU_ASSERT_EQUAL_FATAL(audit_part_new(&halves[i].part, audit, NULL), 0);
    }
    CU_ASSERT_EQUAL_FATAL(pthread_create(&thread, NULL, every_second_unit, &halves[1]), 0);
    every_second_unit(&halves[0]);
    pthread_join(thread, NULL);
    audit_part_add(halves[0].part, halves[1].part);
    result->count = audit_entries(halves[0].part, result->entries);
    audit_part_free(halves[0].part);
    audit_part_free(halves[1].part);
    audit_free(audit);
}

TEST(decimals_are_rounded_half_away_from_zero)
{
    CU_ASSERT(reads(ratio_make(1, 8), 2, "0.13"));
    CU_ASSERT(reads(ratio_make(-1, 8), 2, "-0.13"));
    CU_ASSERT(reads(ratio_make(1249, 10000), 2, "0.12"));
    CU_ASSERT(reads(ratio_make(-1, 1000), 2, "0.00"));
    CU_ASSERT(reads(ratio_make(199, 200), 2, "1.00"));
    CU_ASSERT(reads(ratio_make(12, 1), 10, "12.0000000000"));
    CU_ASSERT(reads(ratio_make(25, 10), 0, "3"));
    CU_ASSERT(reads(ratio_make(0, 7), 0, "0"));
    CU_ASSERT(reads(ratio_divide(ratio_make(-3, 4), ratio_make(5, 2)), 1, "-0.3"));
}

TEST(stax_lines_are_counted_over_all_seven_card_hands)
{
    static const int64_t expected[] = {32, 1592, 4140, 35820, 64860, 611336, 777724, 7865208};
    const struct audit_entry *entry;
    struct result result;
    int64_t nothing;

    side_bets(game_find("chase-the-flush"), &result);
    entry = find(&result, "stax", "1");
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
    struct result result;

    side_bets(game_find("chase-the-flush"), &result);
    CU_ASSERT(house_edge_is(&result, "stax", "1", 4, "21.9066"));
}

TEST(same_suit_keeps_5_66942_percent_by_a_and_8_46224_by_b)
{
    struct result result;

    side_bets(game_find("chase-the-flush"), &result);
    CU_ASSERT(house_edge_is(&result, "same-suit", "A", 5, "5.66942"));
    CU_ASSERT(house_edge_is(&result, "same-suit", "B", 5, "8.46224"));
}

TEST(same_suit_wins_30226768_hands_by_either_table)
{
    static const char *const tables[] = {"A", "B"};
    struct result result;

    side_bets(game_find("chase-the-flush"), &result);
    for (unsigned t = 0; t < 2; t++) {
        const struct audit_entry *entry = find(&result, "same-suit", tables[t]);
        int64_t wins = 0;

        for (unsigned i = 0; i < entry->line_count; i++)
            wins += entry->lines[i].combinations;
        CU_ASSERT_EQUAL(wins, 30226768);
        CU_ASSERT(same(entry->hit_frequency, ratio_make(30226768, 133784560)));
    }
}

/* A seven-card flush pays 300 and 400; a straight flush of five inside it 100 and 500. */
TEST(a_seven_card_flush_is_counted_where_its_table_pays_most)
{
    struct result result;

    side_bets(game_find("chase-the-flush"), &result);
    CU_ASSERT_EQUAL(combinations(find(&result, "same-suit", "A"), "7-card flush"), 6644);
    CU_ASSERT_EQUAL(combinations(find(&result, "same-suit", "B"), "7-card flush"), 5996);
    CU_ASSERT_EQUAL(combinations(find(&result, "same-suit", "A"), "5-card straight flush"), 39312);
    CU_ASSERT_EQUAL(combinations(find(&result, "same-suit", "B"), "5-card straight flush"), 39960);
}

TEST(all_or_nothing_keeps_3_951981_percent)
{
    struct result result;

    side_bets(game_find("flush-rush"), &result);
    CU_ASSERT(house_edge_is(&result, "all-or-nothing", "sample", 6, "3.951981"));
}

TEST(natural_pair_plus_keeps_what_each_of_its_four_tables_says)
{
    struct result result;

    side_bets(game_find("three-card-catch"), &result);
    CU_ASSERT(house_edge_is(&result, "natural-pair-plus", "1", 4, "7.7466"));
    CU_ASSERT(house_edge_is(&result, "natural-pair-plus", "2", 4, "5.9367"));
    CU_ASSERT(house_edge_is(&result, "natural-pair-plus", "3", 4, "7.2036"));
    CU_ASSERT(house_edge_is(&result, "natural-pair-plus", "4", 4, "9.1946"));
}

TEST(naturals_are_counted_over_all_three_card_hands)
{
    const struct audit_entry *entry;
    struct result result;

    side_bets(game_find("three-card-catch"), &result);
    entry = find(&result, "natural-pair-plus", "1");
    CU_ASSERT_EQUAL(entry->lines[0].of, 22100);
    CU_ASSERT_EQUAL(combinations(entry, "royal flush"), 4);
    CU_ASSERT_EQUAL(combinations(entry, "straight flush"), 44);
    CU_ASSERT_EQUAL(combinations(entry, "three of a kind"), 52);
    CU_ASSERT_EQUAL(combinations(entry, "straight"), 720);
    CU_ASSERT_EQUAL(combinations(entry, "flush"), 1096);
    CU_ASSERT_EQUAL(combinations(entry, "pair of 8s or better"), 2016);
}

TEST(ace_high_only_makes_no_straight_of_a_2_3)
{
    struct audit_request request;
    struct result result;

    audit_request_init(&request, game_find("three-card-catch"));
    request.ace_low = false;
    run_units(&request, 0, 0, &result);
    CU_ASSERT_EQUAL(combinations(find(&result, "natural-pair-plus", "1"), "straight"), 660);
    CU_ASSERT_EQUAL(combinations(find(&result, "natural-pair-plus", "1"), "straight flush"), 40);
}

TEST(flush_rush_keeps_3_749289_percent)
{
    const struct audit_entry *entry;
    struct audit_request request;
    struct result result;

    audit_request_init(&request, game_find("flush-rush"));
    run_all(&request, &result);
    entry = find(&result, "ante", "sample");
    CU_ASSERT(house_edge_is(&result, "ante", "sample", 6, "3.749289"));
    CU_ASSERT(reads(entry->average_wager, 6, "2.473545"));
    CU_ASSERT(share_is(entry, "fold-1", "10.5498"));
    CU_ASSERT(share_is(entry, "fold-2", "31.5459"));
    CU_ASSERT_EQUAL(combinations(entry, "7-card straight flush"), 32);
}

TEST(the_parts_of_an_audit_add_up_in_any_order)
{
    struct audit_request request;
    struct result one, two;

    audit_request_init(&request, game_find("flush-rush"));
    run_units(&request, 0, SIZE_MAX, &one);
    run_all(&request, &two);
    CU_ASSERT_EQUAL(one.count, two.count);
    for (size_t i = 0; i < one.count; i++) {
        CU_ASSERT(same(one.entries[i].ev, two.entries[i].ev));
        CU_ASSERT(same(one.entries[i].hit_frequency, two.entries[i].hit_frequency));
    }
}

static int naive_flush_rush_net(hand_t seven)
{
    static const int flush[] = {[4] = 5, [5] = 9, [6] = 20, [7] = 300};
    static const int straight_flush[] = {[4] = 15, [5] = 100, [6] = 500, [7] = 1000};
    unsigned length = flush_length(naive_flush(seven)), run = naive_straight_flush(seven);
    int pay = 0;

    if (length < 4)
        return -3;
    pay = flush[length];
    if (run >= 4 && straight_flush[run] > pay)
        pay = straight_flush[run];
    return pay + 2;
}

/* Both decisions by trying every card, straight from the rules. */
static int64_t naive_flush_rush_value(hand_t hole)
{
    const int64_t fold = -1128 * 46;
    int64_t value = 0;

    for (hand_t a = HAND_DECK & ~hole; a; a &= a - 1)
        for (hand_t b = a & (a - 1); b; b &= b - 1) {
            hand_t six = hole | (a & -a) | (b & -b);
            int64_t bet = 0;

            for (hand_t c = HAND_DECK & ~six; c; c &= c - 1)
                bet += naive_flush_rush_net(six | (c & -c));
            value += bet > -2 * 46 ? bet : -2 * 46;
        }
    return value > fold ? value : fold;
}

TEST(a_flush_rush_hand_is_worth_what_trying_every_card_says)
{
    static struct suit_class classes[QUAD_CLASSES];
    struct audit_request request;
    struct result result;
    uint64_t seed = 11;

    audit_request_init(&request, game_find("flush-rush"));
    suit_classes(4, classes, QUAD_CLASSES);
    for (unsigned i = 0; i < 12; i++) {
        unsigned unit = i ? seeded_below(&seed, QUAD_CLASSES) : 0;
        wide_t value = (wide_t)naive_flush_rush_value(classes[unit].hand) * classes[unit].weight;

        run_units(&request, unit, unit + 1, &result);
        CU_ASSERT(same(find(&result, "ante", "sample")->ev,
                       ratio_make(value, (wide_t)270725 * 1128 * 46)));
    }
}

static bool naive_natural(unsigned three)
{
    return three >= naive_three(hand_card(card_make(RANK_EIGHT, SUIT_CLUBS)) |
                                    hand_card(card_make(RANK_EIGHT, SUIT_SPADES)) |
                                    hand_card(card_make(RANK_TWO, SUIT_HEARTS)),
                                true);
}

static int naive_x_tra(unsigned three, bool natural)
{
    static const int pays[] = {[THREE_FLUSH] = 1,
                               [THREE_STRAIGHT] = 2,
                               [THREE_OF_A_KIND] = 10,
                               [THREE_STRAIGHT_FLUSH] = 20};
    unsigned royal = naive_three(HAND_DECK & 0x1c00, true);

    if (natural)
        return 1;
    return three == royal ? 50 : pays[naive_three_category(three)];
}

/* Ante, play and x-tra by table 1. */
static int64_t naive_catch_net(unsigned player, unsigned dealer, bool natural)
{
    if (player == dealer)
        return 0;
    return player > dealer ? 2 + naive_x_tra(player, natural) : -3;
}

static int64_t naive_draws(hand_t player, hand_t dealer, bool ace_low, const unsigned drawn[52])
{
    hand_t left = HAND_DECK & ~player & ~dealer;
    int64_t net = 0;

    for (hand_t d = left; d; d &= d - 1) {
        unsigned three = naive_best_three(dealer | (d & -d), ace_low);

        for (hand_t c = left & ~(d & -d); c; c &= c - 1)
            net += naive_catch_net(drawn[card_index((card_t)__builtin_ctzll(c))], three, false);
    }
    return net;
}

/* What playing a hand nets against every dealer and every two draws. */
static int64_t naive_catch_value(hand_t hand, bool ace_low)
{
    static struct triples triples;
    unsigned own = naive_three(hand, ace_low), drawn[DECK_SIZE] = {0};
    int64_t net = 0;

    triples_init(&triples);
    for (hand_t c = HAND_DECK & ~hand; c; c &= c - 1)
        drawn[card_index((card_t)__builtin_ctzll(c))] = naive_best_three(hand | (c & -c), ace_low);
    for (unsigned i = 0; i < TRIPLE_COUNT; i++) {
        hand_t dealer = triples.hand[i];
        unsigned three = naive_three(dealer, ace_low);

        if (dealer & hand)
            continue;
        if (naive_natural(own) || naive_natural(three))
            net += naive_catch_net(own, three, naive_natural(own)) * 46 * 45;
        else
            net += naive_draws(hand, dealer, ace_low, drawn);
    }
    return net;
}

#ifdef SLOW
#define CATCH_SAMPLES 1
#else
#define CATCH_SAMPLES 2
#endif

/* The others, not dealt yet, fold and lose two. */
TEST(a_3_card_catch_hand_is_worth_what_trying_every_draw_says)
{
    static struct suit_class classes[TRIPLE_CLASSES];
    const wide_t all = (wide_t)18424 * 46 * 45;
    struct audit_request request;
    struct result result;
    uint64_t seed = 5;

    audit_request_init(&request, game_find("three-card-catch"));
    suit_classes(3, classes, TRIPLE_CLASSES);
    for (unsigned i = 0; i < CATCH_SAMPLES; i++) {
        unsigned unit = seeded_below(&seed, TRIPLE_CLASSES), weight = classes[unit].weight;
        wide_t value;

        request.ace_low = i % 2 == 0;
        value = naive_catch_value(classes[unit].hand, request.ace_low);
        if (value < -2 * all)
            value = -2 * all;
        run_units(&request, unit, unit + 1, &result);
        CU_ASSERT(same(find(&result, "ante", "1")->ev,
                       ratio_make(value * weight - 2 * all * (22100 - weight), 22100 * all)));
    }
}

#ifdef SLOW

/* Its memory, not its figures. */
TEST(chase_the_flush_can_be_audited_in_part)
{
    struct audit_request request;
    struct result result;

    audit_request_init(&request, game_find("chase-the-flush"));
    run_units(&request, 0, 3, &result);
    CU_ASSERT_EQUAL(result.count, 5);
    run_units(&request, QUAD_CLASSES - 3, QUAD_CLASSES, &result);
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

/* The whole audit by two threads, and some of its decisions. */
static void run_chase(const struct audit_request *request, struct result *result)
{
    struct half halves[2];
    struct audit *audit;
    pthread_t thread;
    unsigned seen = 0;

    CU_ASSERT_EQUAL_FATAL(audit_new(&audit, request, NULL), 0);
    for (size_t i = 0; i < 2; i++) {
        halves[i] = (struct half){NULL, i, audit_units(audit)};
        CU_ASSERT_EQUAL_FATAL(audit_part_new(&halves[i].part, audit, NULL), 0);
    }
    CU_ASSERT_EQUAL_FATAL(pthread_create(&thread, NULL, every_second_unit, &halves[1]), 0);
    every_second_unit(&halves[0]);
    pthread_join(thread, NULL);
    audit_part_add(halves[0].part, halves[1].part);
    result->count = audit_entries(halves[0].part, result->entries);
    CU_ASSERT(audit_decisions(halves[0].part, 0, take_sample, &seen));
    audit_part_free(halves[0].part);
    audit_part_free(halves[1].part);
    audit_free(audit);
}

/* With a third x-tra table, which differs from A in what seven cards pay. */
static const struct result *chase_the_flush(void)
{
    static struct paytable rich;
    static struct result result;
    struct audit_request request;

    if (result.count)
        return &result;
    audit_request_init(&request, game_find("chase-the-flush"));
    rich = *request.tables[1].table[0];
    strcpy(rich.name, "rich");
    rich.pays[0].amount += 1000;
    CU_ASSERT_EQUAL_FATAL(audit_request_add(&request, 1, &rich, NULL), 0);
    run_chase(&request, &result);
    return &result;
}

TEST(chase_the_flush_keeps_2_390674_percent_by_a_and_2_286262_by_b)
{
    CU_ASSERT(house_edge_is(chase_the_flush(), "ante", "A", 6, "2.390674"));
    CU_ASSERT(house_edge_is(chase_the_flush(), "ante", "B", 6, "2.286262"));
    CU_ASSERT(reads(find(chase_the_flush(), "ante", "A")->ev, 6, "-0.023907"));
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
        CU_ASSERT(same(row->bet, ratio_make(bet, (wide_t)1081 * 14190)));
        CU_ASSERT(same(row->not_bet, ratio_make(wait, (wide_t)1081 * 14190)));
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
    const struct audit_law *law = &find(chase_the_flush(), "ante", "A")->law;
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
    const struct audit_entry *entry = find(chase_the_flush(), "ante", "A");
    const struct audit_law *law = &entry->law;
    const wide_t all = (wide_t)22100 * 1176 * 1081 * 14190;
    struct ratio fold = entry->strategy[3].share;
    wide_t two = 0;

    CU_ASSERT(law_deals(law) == all);
    CU_ASSERT(same(law_mean(law), entry->ev));
    CU_ASSERT_EQUAL(law->outcome[0].net, -5);
    for (unsigned i = 0; i < law->count; i++)
        two += law->outcome[i].net == -2 ? law->outcome[i].deals : 0;
    CU_ASSERT(two >= fold.numerator * 14190);
    CU_ASSERT_EQUAL(law->outcome[law->count - 1].net, 254);
    CU_ASSERT(reads(audit_standard_deviation(entry), 4, "4.0169"));
    CU_ASSERT(reads(audit_standard_deviation(find(chase_the_flush(), "ante", "B")), 4, "5.5422"));
}

TEST(the_rules_of_chase_the_flush_are_exact_for_3x_and_near_for_2x)
{
    const struct audit_entry *entry = find(chase_the_flush(), "ante", "B");

    CU_ASSERT(same(entry->plays[1].ev, entry->ev));
    CU_ASSERT(reads(ratio_subtract(entry->ev, entry->plays[0].ev), 8, "0.00015766"));
    for (unsigned i = 2; i < entry->play_count; i++)
        CU_ASSERT(ratio_subtract(entry->ev, entry->plays[i].ev).numerator > 0);
}

TEST(chase_the_flush_stakes_3_564878_antes_a_round)
{
    const struct audit_entry *entry = find(chase_the_flush(), "ante", "A");

    CU_ASSERT(reads(entry->average_wager, 6, "3.564878"));
    CU_ASSERT(share_is(entry, "bet-3x", "23.8371"));
    CU_ASSERT(share_is(entry, "bet-2x", "24.9021"));
}

TEST(every_deal_of_chase_the_flush_ends_with_one_decision)
{
    const struct audit_entry *entry = find(chase_the_flush(), "ante", "B");
    wide_t sum = 0;

    for (unsigned i = 0; i < entry->strategy_count; i++)
        sum += entry->strategy[i].share.numerator;
    CU_ASSERT_EQUAL(entry->strategy_count, 4);
    CU_ASSERT(sum == entry->strategy[0].share.denominator);
}

/* 3,406,603,200 of 66,444,101,724,000 deals beat the dealer with seven cards of a suit. */
TEST(an_extra_table_is_audited_like_those_of_the_sheet)
{
    const struct audit_entry *plain = find(chase_the_flush(), "ante", "A");
    const struct audit_entry *rich = find(chase_the_flush(), "ante", "rich");
    struct ratio more = ratio_make(rich->ev.numerator - plain->ev.numerator, plain->ev.denominator);

    CU_ASSERT(rich->ev.denominator == plain->ev.denominator);
    CU_ASSERT(same(more, ratio_make((wide_t)1000 * 3406603200, 66444101724000)));
    CU_ASSERT_EQUAL(combinations(rich, "7-card flush"), 3406603200);
    CU_ASSERT_EQUAL(rich->lines[0].of, 66444101724000);
}

static const struct result *three_card_catch(bool ace_low)
{
    static struct result results[2];
    struct audit_request request;

    audit_request_init(&request, game_find("three-card-catch"));
    request.ace_low = ace_low;
    if (!results[ace_low].count)
        run_all(&request, &results[ace_low]);
    return &results[ace_low];
}

TEST(three_card_catch_keeps_5_9771_percent_by_1_and_4_7478_by_2)
{
    CU_ASSERT(house_edge_is(three_card_catch(true), "ante", "1", 4, "5.9771"));
    CU_ASSERT(house_edge_is(three_card_catch(true), "ante", "2", 4, "4.7478"));
}

TEST(three_card_catch_has_standard_deviations_of_3_2877_and_3_1673_antes)
{
    const struct result *result = three_card_catch(true);

    CU_ASSERT(reads(audit_standard_deviation(find(result, "ante", "1")), 4, "3.2877"));
    CU_ASSERT(reads(audit_standard_deviation(find(result, "ante", "2")), 4, "3.1673"));
    CU_ASSERT(same(law_mean(&find(result, "ante", "1")->law), find(result, "ante", "1")->ev));
}

TEST(the_rules_of_three_card_catch_are_exact_by_either_table_and_ace)
{
    for (unsigned i = 0; i < 4; i++) {
        const struct audit_entry *entry = find(three_card_catch(i % 2), "ante", i / 2 ? "2" : "1");

        CU_ASSERT(same(entry->plays[0].ev, entry->ev));
        CU_ASSERT(ratio_subtract(entry->ev, entry->plays[1].ev).numerator > 0);
    }
}

/* The first meter of the progressive breaks even at $46,380; it keeps 37.4478 % at reseed. */
TEST(the_progressive_of_three_card_catch_breaks_even_where_it_does)
{
    const struct audit_entry *entry = find(three_card_catch(true), "progressive", "1");
    struct audit_meter meters[METERS_MAX];
    struct ratio edge = audit_edge_at_reseed(entry);

    CU_ASSERT_EQUAL_FATAL(audit_meters(entry, meters), 5);
    CU_ASSERT_EQUAL(meters[0].break_even / MICROS_PER_DOLLAR, 46379);
    CU_ASSERT(reads(ratio_make(100 * edge.numerator, edge.denominator), 4, "37.4478"));
}

/* Counted apart from the audit by dealing every drawing dealer beside every hand that plays. */
TEST(the_progressive_counts_catches_of_hands_that_play_and_draw)
{
    const struct audit_entry *entry = find(three_card_catch(true), "progressive", "1");

    CU_ASSERT_EQUAL(combinations(entry, "catch straight"), 47726741700);
    CU_ASSERT_EQUAL(combinations(entry, "catch three of a kind"), 2182512600);
    CU_ASSERT_EQUAL(combinations(entry, "catch straight flush in spades"), 2848585860 / 4);
    CU_ASSERT_EQUAL(combinations(entry, "catch straight flush in clubs"), 2848585860 / 4);
    CU_ASSERT_EQUAL(combinations(entry, "natural royal flush"), (int64_t)3 * 18424 * 46 * 45);
    CU_ASSERT(share_is(find(three_card_catch(true), "ante", "1"), "fold", "1.0860"));
}

TEST(three_card_catch_with_the_ace_high_only_keeps_7_3923_and_6_2943_percent)
{
    CU_ASSERT(house_edge_is(three_card_catch(false), "ante", "1", 4, "7.3923"));
    CU_ASSERT(house_edge_is(three_card_catch(false), "ante", "2", 4, "6.2943"));
}

#endif

TEST(a_table_too_many_is_refused)
{
    struct audit_request request;
    struct error error;

    audit_request_init(&request, game_find("flush-rush"));
    for (unsigned i = 1; i < AUDIT_TABLES_MAX; i++)
        CU_ASSERT_EQUAL(audit_request_add(&request, 0, request.tables[0].table[0], &error), 0);
    CU_ASSERT_EQUAL(audit_request_add(&request, 0, request.tables[0].table[0], &error),
                    ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "table 'sample' is one too many"));
}
