#include "devices/bet_seat.h"

#define STAY(state)                                                                                \
    {                                                                                              \
        BET_##state, BET_EVENT_NONE, false                                                         \
    }
#define GO(state, event)                                                                           \
    {                                                                                              \
        BET_##state, BET_EVENT_##event, false                                                      \
    }
#define REFUSE(state)                                                                              \
    {                                                                                              \
        BET_##state, BET_EVENT_NONE, true                                                          \
    }

static const struct bet_step steps[BET_STATES][BET_INPUTS] = {
    [BET_OPEN] =
        {
            [BET_INPUT_WAGER] = GO(PLACED, PLACED),
            [BET_INPUT_LATE_WAGER] = GO(PLACED, LATE),
            [BET_INPUT_LIFT] = STAY(OPEN),
            [BET_INPUT_LOCK] = REFUSE(OPEN),
            [BET_INPUT_LOCK_UNSEEN] = GO(LOCKED, NONE),
            [BET_INPUT_RELEASE] = REFUSE(OPEN),
            [BET_INPUT_RELEASE_EMPTY] = REFUSE(OPEN),
        },
    [BET_PLACED] =
        {
            [BET_INPUT_WAGER] = STAY(PLACED),
            [BET_INPUT_LATE_WAGER] = STAY(PLACED),
            [BET_INPUT_LIFT] = GO(OPEN, LIFTED),
            [BET_INPUT_LOCK] = GO(LOCKED, NONE),
            [BET_INPUT_LOCK_UNSEEN] = REFUSE(PLACED),
            [BET_INPUT_RELEASE] = REFUSE(PLACED),
            [BET_INPUT_RELEASE_EMPTY] = REFUSE(PLACED),
        },
    [BET_LOCKED] =
        {
            [BET_INPUT_WAGER] = GO(LOCKED, LATE),
            [BET_INPUT_LATE_WAGER] = GO(LOCKED, LATE),
            [BET_INPUT_LIFT] = GO(LOCKED, LIFTED_LOCKED),
            [BET_INPUT_LOCK] = REFUSE(LOCKED),
            [BET_INPUT_LOCK_UNSEEN] = REFUSE(LOCKED),
            [BET_INPUT_RELEASE] = GO(PLACED, NONE),
            [BET_INPUT_RELEASE_EMPTY] = GO(OPEN, NONE),
        },
};

struct bet_step bet_seat_step(enum bet_state state, enum bet_input input)
{
    return steps[state][input];
}

const char *bet_state_text(enum bet_state state)
{
    static const char *const texts[BET_STATES] = {"open", "placed", "locked"};

    return texts[state];
}

const char *bet_event_text(enum bet_event_kind kind)
{
    static const char *const texts[BET_EVENT_KINDS] = {
        [BET_EVENT_NONE] = "nothing",
        [BET_EVENT_PLACED] = "wager placed",
        [BET_EVENT_LIFTED] = "wager lifted",
        [BET_EVENT_LATE] = "late wager",
        [BET_EVENT_LIFTED_LOCKED] = "wager lifted while locked",
        [BET_EVENT_STUCK_LOW] = "sensor sees no wager where the actuator placed one",
        [BET_EVENT_STUCK_HIGH] = "sensor sees a wager where the actuator holds none",
        [BET_EVENT_LAMP_DARK] = "lamp stays dark",
        [BET_EVENT_LAMP_LIT] = "lamp stays lit",
        [BET_EVENT_EDGES_LOST] = "edges lost",
    };

    return texts[kind];
}
