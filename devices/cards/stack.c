/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/cards/stack.h"

#include <stdio.h>

#include "hal/desk/desk.h"

#define PILE 13 /* cards: as many as a suit has, which are counted at a glance */

static unsigned pile_count(const struct card_stack *stack)
{
    return (stack->known + PILE - 1) / PILE;
}

static size_t put_cards(const struct card_stack *stack, unsigned pile, char *text, size_t size)
{
    unsigned first = pile * PILE, last = first + PILE < stack->known ? first + PILE : stack->known;
    char of_deck[16] = "";
    size_t used;

    if (stack->deck)
        snprintf(of_deck, sizeof of_deck, " of deck %u", stack->deck);
    used = (size_t)snprintf(text, size, "%u card%s%s, bottom first:", last - first,
                            last - first == 1 ? "" : "s", of_deck);

    for (unsigned i = first; i < last; i++) {
        char card[4] = " ";

        card_format(stack->order[stack->known - 1 - i], card + 1);
        used += (size_t)snprintf(text + used, size - used, "%s", card);
    }
    return used;
}

/* "pile 2 of 2, 4 cards, bottom first: As Kd 9h 2c; lay it on pile 1, both on the other 35 …" */
static void put_text(const struct card_stack *stack, unsigned pile, const char *into,
                     char text[DESK_TEXT_SIZE])
{
    unsigned piles = pile_count(stack), rest = DECK_SIZE - stack->known;
    size_t used = (size_t)snprintf(text, DESK_TEXT_SIZE, "pile %u of %u, ", pile + 1, piles);

    used += put_cards(stack, pile, text + used, DESK_TEXT_SIZE - used);
    if (pile)
        used += (size_t)snprintf(text + used, DESK_TEXT_SIZE - used, "; lay it on pile %u", pile);
    if (pile + 1 < piles)
        return;
    if (rest)
        used += (size_t)snprintf(text + used, DESK_TEXT_SIZE - used,
                                 "; lay all on the other %u, in any order", rest);
    snprintf(text + used, DESK_TEXT_SIZE - used, "; put the deck into %s", into);
}

int card_stack_ask(const struct card_stack *stack, const struct hal *hal, const char *into,
                   uint32_t limit_ms, struct error *error)
{
    int status = 0;

    for (unsigned pile = 0; pile < pile_count(stack) && !status; pile++) {
        char text[DESK_TEXT_SIZE];
        struct answer answer;

        put_text(stack, pile, into, text);
        status = desk_ask(
            hal->desk, hal,
            &(struct question){
                .kind = QUESTION_STEP, .text = text, .choices = {"done"}, .limit_ms = limit_ms},
            &answer, error);
    }
    return status;
}
