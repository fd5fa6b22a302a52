/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "devices/sensors/seat.h"
#include "tests/support/suite.h"

enum { REFUSED = -1 };

/* What a dealer would say: from where, what happens, to where, what is told. */
static const struct {
    enum bet_state state;
    enum bet_input input;
    int next; /* or REFUSED */
    enum bet_event_kind event;
} rules[] = {
    {BET_OPEN, BET_INPUT_WAGER, BET_PLACED, BET_EVENT_PLACED},
    {BET_OPEN, BET_INPUT_LATE_WAGER, BET_PLACED, BET_EVENT_LATE},
    {BET_OPEN, BET_INPUT_LIFT, BET_OPEN, BET_EVENT_NONE},
    {BET_OPEN, BET_INPUT_LOCK, REFUSED, BET_EVENT_NONE},
    {BET_OPEN, BET_INPUT_LOCK_UNSEEN, BET_LOCKED, BET_EVENT_NONE},
    {BET_OPEN, BET_INPUT_RELEASE, REFUSED, BET_EVENT_NONE},
    {BET_OPEN, BET_INPUT_RELEASE_EMPTY, REFUSED, BET_EVENT_NONE},
    {BET_PLACED, BET_INPUT_WAGER, BET_PLACED, BET_EVENT_NONE},
    {BET_PLACED, BET_INPUT_LATE_WAGER, BET_PLACED, BET_EVENT_NONE},
    {BET_PLACED, BET_INPUT_LIFT, BET_OPEN, BET_EVENT_LIFTED},
    {BET_PLACED, BET_INPUT_LOCK, BET_LOCKED, BET_EVENT_NONE},
    {BET_PLACED, BET_INPUT_LOCK_UNSEEN, REFUSED, BET_EVENT_NONE},
    {BET_PLACED, BET_INPUT_RELEASE, REFUSED, BET_EVENT_NONE},
    {BET_PLACED, BET_INPUT_RELEASE_EMPTY, REFUSED, BET_EVENT_NONE},
    {BET_LOCKED, BET_INPUT_WAGER, BET_LOCKED, BET_EVENT_LATE},
    {BET_LOCKED, BET_INPUT_LATE_WAGER, BET_LOCKED, BET_EVENT_LATE},
    {BET_LOCKED, BET_INPUT_LIFT, BET_LOCKED, BET_EVENT_LIFTED_LOCKED},
    {BET_LOCKED, BET_INPUT_LOCK, REFUSED, BET_EVENT_NONE},
    {BET_LOCKED, BET_INPUT_LOCK_UNSEEN, REFUSED, BET_EVENT_NONE},
    {BET_LOCKED, BET_INPUT_RELEASE, BET_PLACED, BET_EVENT_NONE},
    {BET_LOCKED, BET_INPUT_RELEASE_EMPTY, BET_OPEN, BET_EVENT_NONE},
};
#define RULES (sizeof rules / sizeof rules[0])

TEST(every_state_answers_every_input_as_the_rules_say)
{
    bool seen[BET_STATES][BET_INPUTS] = {{false}};

    for (size_t i = 0; i < RULES; i++) {
        struct bet_step step = bet_seat_step(rules[i].state, rules[i].input);
        bool refused = rules[i].next == REFUSED;

        CU_ASSERT_EQUAL(step.refused, refused);
        CU_ASSERT_EQUAL((int)step.next, refused ? (int)rules[i].state : rules[i].next);
        CU_ASSERT_EQUAL(step.event, rules[i].event);
        CU_ASSERT_FALSE(seen[rules[i].state][rules[i].input]);
        seen[rules[i].state][rules[i].input] = true;
    }
    CU_ASSERT_EQUAL(RULES, BET_STATES * BET_INPUTS);
}

TEST(every_event_has_a_text_of_its_own)
{
    for (unsigned i = 0; i < BET_EVENT_KINDS; i++)
        for (unsigned j = 0; j < i; j++)
            CU_ASSERT_STRING_NOT_EQUAL(bet_event_text(i), bet_event_text(j));
    CU_ASSERT_STRING_EQUAL(bet_event_text(BET_EVENT_LATE), "late wager");
}
