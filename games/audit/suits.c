/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "games/audit/suits.h"

#include <string.h>

static const uint8_t suit_orders[SUIT_ORDERS][SUIT_COUNT] = {
    {0, 1, 2, 3}, {0, 1, 3, 2}, {0, 2, 1, 3}, {0, 2, 3, 1}, {0, 3, 1, 2}, {0, 3, 2, 1},
    {1, 0, 2, 3}, {1, 0, 3, 2}, {1, 2, 0, 3}, {1, 2, 3, 0}, {1, 3, 0, 2}, {1, 3, 2, 0},
    {2, 0, 1, 3}, {2, 0, 3, 1}, {2, 1, 0, 3}, {2, 1, 3, 0}, {2, 3, 0, 1}, {2, 3, 1, 0},
    {3, 0, 1, 2}, {3, 0, 2, 1}, {3, 1, 0, 2}, {3, 1, 2, 0}, {3, 2, 0, 1}, {3, 2, 1, 0},
};

bool suits_canonical(hand_t hand)
{
    return hand_suit(hand, 0) >= hand_suit(hand, 1) && hand_suit(hand, 1) >= hand_suit(hand, 2) &&
           hand_suit(hand, 2) >= hand_suit(hand, 3);
}

hand_t suits_reorder(hand_t hand, unsigned order)
{
    hand_t renamed = 0;

    for (unsigned suit = 0; suit < SUIT_COUNT; suit++)
        renamed |= (hand_t)hand_suit(hand, suit) << (16u * suit_orders[order][suit]);
    return renamed;
}

unsigned suits_canonical_order(hand_t hand)
{
    unsigned order = 0;

    while (!suits_canonical(suits_reorder(hand, order)))
        order++;
    return order;
}

unsigned suits_pattern(hand_t canonical)
{
    unsigned pattern = 0;

    for (unsigned suit = 0; suit + 1 < SUIT_COUNT; suit++)
        if (hand_suit(canonical, suit) == hand_suit(canonical, suit + 1))
            pattern |= 1u << suit;
    return pattern;
}

/* Whether an order only exchanges suits whose masks are equal. */
static bool order_keeps(unsigned order, unsigned pattern)
{
    for (unsigned suit = 0; suit < SUIT_COUNT; suit++) {
        unsigned to = suit_orders[order][suit];
        unsigned low = suit < to ? suit : to, high = suit < to ? to : suit;
        unsigned between = ((1u << high) - 1) & ~((1u << low) - 1);

        if ((pattern & between) != between)
            return false;
    }
    return true;
}

static uint32_t weight_of(hand_t canonical)
{
    unsigned pattern = suits_pattern(canonical);
    uint32_t keeping = 0;

    for (unsigned order = 0; order < SUIT_ORDERS; order++)
        keeping += order_keeps(order, pattern);
    return SUIT_ORDERS / keeping;
}

/* From one bit per dense card index to the lanes of a hand. */
static hand_t hand_from_dense(uint64_t dense)
{
    hand_t hand = 0;

    for (unsigned suit = 0; suit < SUIT_COUNT; suit++)
        hand |= (dense >> (RANK_COUNT * suit) & 0x1fff) << (16u * suit);
    return hand;
}

void suit_classes_each(unsigned cards, suit_class_fn call, void *context)
{
    uint64_t dense = (UINT64_C(1) << cards) - 1;

    while (dense < UINT64_C(1) << DECK_SIZE) {
        hand_t hand = hand_from_dense(dense);
        uint64_t lowest = dense & -dense, ripple = dense + lowest;

        if (suits_canonical(hand))
            call(context, &(struct suit_class){hand, weight_of(hand)});
        dense = ripple | ((dense ^ ripple) >> 2) / lowest;
    }
}

struct class_list {
    struct suit_class *classes;
    size_t size, count;
};

static void list_class(void *context, const struct suit_class *class)
{
    struct class_list *list = context;

    if (list->count < list->size)
        list->classes[list->count] = *class;
    list->count++;
}

size_t suit_classes(unsigned cards, struct suit_class *classes, size_t size)
{
    struct class_list list = {classes, size, 0};

    suit_classes_each(cards, list_class, &list);
    return list.count;
}

unsigned triple_of_hand(hand_t hand)
{
    unsigned cards[3], count = 0;

    for (; hand && count < 3; hand &= hand - 1)
        cards[count++] = card_index((card_t)__builtin_ctzll(hand));
    return triple_index(cards[0], cards[1], cards[2]);
}

static void init_hands(struct triples *triples)
{
    for (unsigned c = 2; c < DECK_SIZE; c++)
        for (unsigned b = 1; b < c; b++)
            for (unsigned a = 0; a < b; a++) {
                unsigned index = triple_index(a, b, c);

                triples->cards[index][0] = (uint8_t)a;
                triples->cards[index][1] = (uint8_t)b;
                triples->cards[index][2] = (uint8_t)c;
                triples->hand[index] = hand_card(card_from_index(a)) |
                                       hand_card(card_from_index(b)) |
                                       hand_card(card_from_index(c));
            }
}

static void init_classes(struct triples *triples)
{
    suit_classes(3, triples->classes, TRIPLE_CLASSES);
    for (unsigned class = 0; class < TRIPLE_CLASSES; class ++) {
        unsigned index = triple_of_hand(triples->classes[class].hand);

        for (unsigned order = 0; order < SUIT_ORDERS; order++)
            triples->class[triples->reordered[order][index]] = (uint16_t) class;
    }
}

static void init_orbits(struct triples *triples, unsigned pattern)
{
    uint16_t *first = triples->first[pattern];

    for (unsigned i = 0; i < TRIPLE_COUNT; i++)
        first[i] = (uint16_t)i;
    for (unsigned order = 0; order < SUIT_ORDERS; order++)
        for (unsigned i = 0; order_keeps(order, pattern) && i < TRIPLE_COUNT; i++)
            if (triples->reordered[order][i] < first[i])
                first[i] = triples->reordered[order][i];
    for (unsigned i = 0; i < TRIPLE_COUNT; i++)
        triples->orbit[pattern][first[i]]++;
}

void triples_init(struct triples *triples)
{
    memset(triples, 0, sizeof *triples);
    init_hands(triples);
    for (unsigned order = 0; order < SUIT_ORDERS; order++)
        for (unsigned i = 0; i < TRIPLE_COUNT; i++)
            triples->reordered[order][i] =
                (uint16_t)triple_of_hand(suits_reorder(triples->hand[i], order));
    init_classes(triples);
    for (unsigned pattern = 0; pattern < SUIT_PATTERNS; pattern++)
        init_orbits(triples, pattern);
}
