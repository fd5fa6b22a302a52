/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The law of a round of 3 Card Catch against rounds that are played here, straight from the rules
 * of games/RULES.md: neither the engine nor the audit's way of counting is used.
 */
#include "games/audit/law.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "games/audit/audit.h"
#include "tests/support/games/naive_hand.h"
#include "tests/support/seeded.h"
#include "tests/support/suite.h"

/* Under a sanitizer the audit takes a minute; there a quarter of the rounds is played. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define ROUNDS 50000
#else
#define ROUNDS 200000
#endif

static struct audit_entry entries[AUDIT_ENTRIES_MAX];

static void audit(bool ace_low)
{
    struct audit_request request;
    struct audit_part *part;
    struct audit *all;

    audit_request_init(&request, game_find("three-card-catch"));
    request.ace_low = ace_low;
    CU_ASSERT_EQUAL_FATAL(audit_new(&all, &request, NULL), 0);
    CU_ASSERT_EQUAL_FATAL(audit_part_new(&part, all, NULL), 0);
    for (size_t unit = 0; unit < audit_units(all); unit++)
        audit_part_do(part, unit);
    CU_ASSERT_EQUAL(audit_entries(part, entries), 7);
    audit_part_free(part);
    audit_free(all);
}

/* A pair of 8s or better: as high as 8-8-2, the lowest of them. */
static bool is_natural(unsigned three)
{
    hand_t lowest = hand_card(card_make(RANK_EIGHT, 0)) | hand_card(card_make(RANK_EIGHT, 1)) |
                    hand_card(card_make(RANK_TWO, 0));

    return three >= naive_three(lowest, true);
}

/* Three suits, no card above a ten, every two cards at least three ranks apart. */
static bool folds(hand_t hand)
{
    int rank[3], suit[3], n = 0;

    for (; hand; hand &= hand - 1, n++) {
        rank[n] = (int)card_rank((card_t)__builtin_ctzll(hand));
        suit[n] = (int)card_suit((card_t)__builtin_ctzll(hand));
    }
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3;

        if (rank[i] > RANK_TEN || suit[i] == suit[j] || abs(rank[i] - rank[j]) < 3)
            return false;
    }
    return true;
}

/* What x-tra pays a winner, by the two tables of the sheet. */
static int x_tra_pays(bool natural, bool caught, hand_t seen, unsigned best, unsigned table)
{
    static const int pays[2][THREE_STRAIGHT_FLUSH + 1] = {
        {[THREE_FLUSH] = 1,
         [THREE_STRAIGHT] = 2,
         [THREE_OF_A_KIND] = 10,
         [THREE_STRAIGHT_FLUSH] = 20},
        {[THREE_FLUSH] = 1,
         [THREE_STRAIGHT] = 3,
         [THREE_OF_A_KIND] = 6,
         [THREE_STRAIGHT_FLUSH] = 10},
    };

    if (natural)
        return 1;
    if (!caught)
        return 0;
    return naive_top_suited(seen, 3) ? 50 : pays[table][naive_three_category(best)];
}

/* The cards in the order in which they are dealt: seat, dealer, the two draws. */
static int net_of(const hand_t packet[4], bool ace_low, unsigned table)
{
    unsigned own = naive_three(packet[0], ace_low), dealer = naive_three(packet[1], ace_low);
    bool natural = is_natural(own), caught = false;
    hand_t seen = packet[0];

    if (folds(packet[0]))
        return -2;
    if (!natural && !is_natural(dealer)) {
        unsigned first = own;

        seen |= packet[2];
        own = naive_best_three(seen, ace_low);
        dealer = naive_best_three(packet[1] | packet[3], ace_low);
        caught = own > first && naive_three_category(own) >= THREE_PAIR;
    }
    if (own == dealer)
        return 0;
    return own < dealer ? -3 : 2 + x_tra_pays(natural, caught, seen, own, table);
}

static void deal(uint64_t *seed, hand_t packet[4])
{
    static const unsigned cards[4] = {3, 3, 1, 1};
    hand_t dealt = 0;

    for (unsigned i = 0; i < 4; i++) {
        packet[i] = 0;
        while (hand_count(packet[i]) < cards[i]) {
            hand_t card = hand_card(card_from_index(seeded_below(seed, DECK_SIZE)));

            packet[i] |= dealt & card ? 0 : card;
            dealt |= card;
        }
    }
}

/* Every result is one of the law, and comes as often as it says, within four and a half deviations.
 */
static void follows(const struct audit_law *law, bool ace_low, unsigned table, uint64_t seed)
{
    unsigned seen[LAW_MAX] = {0}, known = 0;
    hand_t packet[4];

    for (unsigned n = 0; n < ROUNDS; n++) {
        int net;

        deal(&seed, packet);
        net = net_of(packet, ace_low, table);
        for (unsigned i = 0; i < law->count; i++)
            if (law->outcome[i].net == (int64_t)net * law->per) {
                seen[i]++;
                known++;
            }
    }
    CU_ASSERT_EQUAL(known, ROUNDS);
    for (unsigned i = 0; i < law->count; i++) {
        double chance = (double)law->outcome[i].deals / (double)law_deals(law);
        double due = chance * ROUNDS, spread = sqrt(due * (1 - chance));

        if (fabs(seen[i] - due) >= 4.5 * spread)
            fprintf(stderr, "%lld: %u, due %.1f\n", (long long)law->outcome[i].net, seen[i], due);
        CU_ASSERT(fabs(seen[i] - due) < 4.5 * spread);
    }
}

TEST(rounds_of_three_card_catch_follow_its_laws)
{
    audit(true);
    follows(&entries[0].law, true, 0, 1);
    follows(&entries[1].law, true, 1, 2);
}

TEST(rounds_with_the_ace_high_only_follow_theirs)
{
    audit(false);
    follows(&entries[0].law, false, 0, 3);
    follows(&entries[1].law, false, 1, 4);
}
