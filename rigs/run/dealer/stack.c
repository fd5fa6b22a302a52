/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A recorded order in a deck that people stack. Whoever deals it may confirm a packet as recorded
 * by a nod; one in ten must be read out all the same, so that nobody nods everything through.
 */
#include <stdio.h>

#include "hal/base/random.h"
#include "rigs/run/dealer/dealer.h"

#define ONE_IN 10

/* Which of each ten it is; of the first ten one that the first round has. */
static unsigned pick(const struct run *run, uint64_t ten, unsigned first)
{
    uint64_t state = run->bench->seed * 0x9e3779b97f4a7c15 + ten;
    unsigned among = !ten && first < ONE_IN ? first : ONE_IN;

    return (unsigned)(random_next(&state) % among);
}

void run_dealer_stack(struct run *run, bool by_card, struct card_stack *stack)
{
    const struct round *round = &run->round.recorded.round;
    struct run_read *read = &run->recording.read;
    unsigned count = by_card ? round->dealt_count : round->packet_count;

    stack->read = 0;
    stack->deck = run->round.deck;
    stack->known = run->round.recorded.has_deck ? DECK_SIZE : round->dealt_count;
    run_dealer_order(run, stack->order);
    if (!read->asked)
        read->first = count;
    for (unsigned i = 0; i < count; i++, read->asked++)
        if (read->asked % ONE_IN == pick(run, read->asked / ONE_IN, read->first))
            stack->read |= UINT64_C(1) << i;
}

void run_dealer_see_witness(struct run *run, const char *witness, bool is_nodded)
{
    run->round.witness = witness;
    if (witness && is_nodded)
        run->recording.read.nodded++;
    else if (witness)
        run->recording.read.read++;
}

void run_dealer_tell_read(struct run *run)
{
    const struct run_read *read = &run->recording.read;
    char details[64];

    if (!read->read && !read->nodded)
        return;
    snprintf(details, sizeof details, "{\"read\":%u,\"nodded\":%u}", read->read, read->nodded);
    run_event(run, "rig", "cards-read", details, clock_now(&run->bench->clock));
}
