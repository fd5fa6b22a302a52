/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A deck that people put in order, for a machine that cannot be told one and deals without
 * shuffling: the order, which a desk asks them to lay in piles that they can check, and what must
 * be read of it all the same. A plain value that the caller owns.
 */
#ifndef DEVICES_CARDS_STACK_H
#define DEVICES_CARDS_STACK_H

#include "games/card.h"
#include "hal/base/error.h"
#include "hal/hal.h"

struct card_stack {
    card_t order[DECK_SIZE]; /* top first, each card once */
    uint8_t deck;            /* which of two it is put into, from 1; 0: there is one */
    unsigned known; /* of them matter, from the top, 1 … DECK_SIZE: the rest may be anyhow */
    /*
     * What somebody must read although it is in the order, bit n for packet n since the shuffle,
     * from 0; of a shoe, for card n of the deck. Of the rest a nod is enough.
     */
    uint64_t read;
};

/* Whether that packet, or card, may be confirmed as recorded by a nod. */
static inline bool card_stack_nods(const struct card_stack *stack, unsigned index)
{
    return index < 64 && !(stack->read >> index & 1);
}

/*
 * What a nod would confirm of packet, or card, `index`: the `count` cards of the order from `first`
 * on. NULL: they must be read, or it is not known what they are.
 */
static inline const card_t *card_stack_recorded(const struct card_stack *stack, unsigned index,
                                                unsigned first, unsigned count)
{
    return card_stack_nods(stack, index) && first + count <= stack->known ? stack->order + first
                                                                          : NULL;
}

/*
 * Asks people to lay what matters of it pile by pile, bottom first, and to put all `into` the
 * device: "the shuffler, which must not shuffle". 0, or as desk_ask(); `limit_ms` is for each pile.
 */
int card_stack_ask(const struct card_stack *stack, const struct hal *hal, const char *into,
                   uint32_t limit_ms, struct error *error);

#endif
