/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/second/unit.h"

#include <stdlib.h>
#include <string.h>

#define SEATS       8
#define DEBOUNCE_MS 20
#define FOLLOW_MS   500
#define SETTLE_MS   100

enum state { IDLE = 1, ROUND };
enum request { LOCK = 0x10, UNLOCK, LIGHTS, PLACE, TEST_MODE };
enum event { PLACED = 0x40, LIFTED, LATE, LIFTED_LOCKED, LAMP, STUCK, MODE, POWER_UP };

struct seat {
    bool chip;
    uint64_t chip_at;
    bool judged;
    bool wager;
    uint64_t wager_at;
    bool counted;
    bool light;
    uint64_t light_at;
    bool lamp;
    bool lamp_told;
    bool broken;
};

struct unit {
    struct talk *talk;
    enum state state;
    bool test;
    uint8_t locked;
    struct seat seats[SEATS];
    uint64_t hand_at;
    bool hand_was_here;
};

static bool lie(struct unit *u, const char *name)
{
    return lies_deed(u->talk->lies, name);
}

static uint8_t flags(void *device)
{
    const struct unit *u = device;
    return u->test ? 1 : 0;
}

static void tell(struct unit *u, uint8_t type, uint8_t first, uint8_t second, size_t size)
{
    talk_note(u->talk, type, first, second);
    talk_event(u->talk, type, (uint8_t[]){first, second}, size);
}

static size_t put_status(struct unit *u, uint8_t *to)
{
    memset(to, 0, 6);
    to[0] = (uint8_t)u->state;
    to[2] = flags(u);
    to[4] = u->locked;
    for (unsigned i = 1; i < SEATS; i++) {
        to[3] = (uint8_t)(to[3] | (u->seats[i].counted ? 1u << i : 0));
        to[5] = (uint8_t)(to[5] | (u->seats[i].lamp ? 1u << i : 0));
    }
    return 6;
}

static enum refusal lock(struct unit *u, uint8_t seats)
{
    if (u->state == ROUND)
        return NOT_IN_THIS_STATE;
    for (unsigned i = 1; i < SEATS; i++)
        if ((seats >> i & 1) != 0 && !u->seats[i].counted)
            return NOT_IN_THIS_STATE;
    u->state = ROUND;
    u->locked = seats;
    if (lie(u, "locks-one-fewer"))
        u->locked &= (uint8_t)(seats - 1);
    if (!lie(u, "lock-unlogged"))
        talk_note(u->talk, LOCK, seats, 0);
    uint64_t hand = options_number(u->talk->options, "hand-lifts", 0);
    if (hand != 0 && !u->hand_was_here)
        u->hand_at = u->talk->now + 5;
    return DONE;
}

static enum refusal unlock(struct unit *u)
{
    if (u->state == IDLE)
        return NOT_IN_THIS_STATE;
    u->state = IDLE;
    u->locked = 0;
    talk_note(u->talk, UNLOCK, 0, 0);
    return DONE;
}

static void set_lights(struct unit *u, uint8_t seats)
{
    for (unsigned i = 1; i < SEATS; i++) {
        struct seat *seat = &u->seats[i];
        bool on = (seats >> i & 1) != 0;
        if (seat->light == on)
            continue;
        seat->light = on;
        seat->light_at = u->talk->now;
        seat->lamp_told = false;
    }
}

static void place(struct unit *u, uint8_t seats)
{
    for (unsigned i = 1; i < SEATS; i++) {
        struct seat *seat = &u->seats[i];
        bool on = (seats >> i & 1) != 0;
        if (seat->chip == on)
            continue;
        seat->chip = on;
        seat->chip_at = u->talk->now;
        seat->judged = false;
        if (on && lie(u, "wager-not-seen"))
            seat->broken = true;
    }
}

static enum refusal test_mode(struct unit *u, uint8_t on)
{
    if (u->state == ROUND)
        return NOT_IN_THIS_STATE;
    if (u->test == (on == 1))
        return DONE;
    if (talk_room(u->talk) == 0)
        return BUSY;
    u->test = on == 1;
    if (!lie(u, "test-mode-unannounced"))
        tell(u, MODE, on, 0, 1);
    if (on == 0)
        place(u, 0);
    return DONE;
}

static bool known(uint8_t type)
{
    return type == TALK_STATUS || type == TALK_CLEAR_ERROR || (type >= LOCK && type <= TEST_MODE);
}

static bool in_range(const struct frame *request)
{
    uint8_t value = request->payload[0];
    if (request->type == TALK_CLEAR_ERROR)
        return false;
    if (request->type == TEST_MODE)
        return value <= 1;
    return request->size == 0 || (value & 1) == 0;
}

static enum refusal request_of(void *device, const struct frame *request, struct frame *reply)
{
    struct unit *u = device;
    if (!known(request->type))
        return UNKNOWN_REQUEST;
    bool empty = request->type == TALK_STATUS || request->type == UNLOCK;
    if (request->size != (empty ? 0u : 1u))
        return WRONG_LENGTH;
    if (!in_range(request))
        return OUT_OF_RANGE;
    if (request->type >= LOCK && lie(u, "refuses-in-vain"))
        return NOT_IN_THIS_STATE;
    switch (request->type) {
    case TALK_STATUS:
        reply->size = put_status(u, reply->payload);
        return DONE;
    case LOCK:
        return lock(u, request->payload[0]);
    case UNLOCK:
        return unlock(u);
    case LIGHTS:
        set_lights(u, request->payload[0]);
        return DONE;
    case PLACE:
        if (!u->test)
            return ONLY_IN_TEST_MODE;
        place(u, request->payload[0]);
        return DONE;
    default:
        return test_mode(u, request->payload[0]);
    }
}

static void count_wager(struct unit *u, uint8_t number, struct seat *seat)
{
    seat->counted = seat->wager;
    bool locked = (u->locked >> number & 1) != 0;
    uint8_t type = seat->wager ? PLACED : LIFTED;
    if (seat->wager && (u->state == ROUND || locked))
        type = LATE;
    if (!seat->wager && locked)
        type = LIFTED_LOCKED;
    if (lie(u, "wager-untold"))
        return;
    tell(u, type, number, 0, 1);
    if (lie(u, "wager-told-twice"))
        tell(u, type, number, 0, 1);
    if (lie(u, "ghost-wager"))
        tell(u, type, (uint8_t)((number + 3) % 7 + 1), 0, 1);
}

static void move_chip(struct unit *u, struct seat *seat, uint64_t now)
{
    uint64_t takes = options_number(u->talk->options, "place", 5);
    bool target = seat->chip && !seat->broken;
    if (seat->wager == target || now < seat->chip_at + takes)
        return;
    seat->wager = target;
    seat->wager_at = now;
}

static void move_lamp(struct unit *u, uint8_t number, struct seat *seat, uint64_t now)
{
    uint64_t takes = options_number(u->talk->options, "lamp", 5);
    bool target = seat->light;
    if (options_number(u->talk->options, "broken-lamp", 0) == number)
        target = false;
    if (now >= seat->light_at + takes && seat->lamp != target && !lie(u, "lamp-stands"))
        seat->lamp = target;
    if (seat->lamp != seat->light && now >= seat->light_at + SETTLE_MS && !seat->lamp_told) {
        seat->lamp_told = true;
        if (!lie(u, "lamp-untold"))
            tell(u, LAMP, number, seat->lamp ? 1 : 0, 2);
    }
}

static void watch(struct unit *u, uint8_t number, uint64_t now)
{
    struct seat *seat = &u->seats[number];
    move_chip(u, seat, now);
    if (seat->counted != seat->wager && now >= seat->wager_at + DEBOUNCE_MS)
        count_wager(u, number, seat);
    if (seat->chip_at != 0 && !seat->judged && now > seat->chip_at + FOLLOW_MS) {
        seat->judged = true;
        if (seat->counted != seat->chip)
            tell(u, STUCK, number, seat->counted ? 1 : 0, 2);
    }
    move_lamp(u, number, seat, now);
}

static void hand_lifts(struct unit *u, uint64_t now)
{
    struct seat *seat = &u->seats[options_number(u->talk->options, "hand-lifts", 0) % SEATS];
    u->hand_at = 0;
    u->hand_was_here = true;
    seat->wager = false;
    seat->wager_at = now;
    seat->broken = true;
}

static void tick(void *device, uint64_t now)
{
    struct unit *u = device;
    bool down = options_has(u->talk->options, "high-seats-first");
    if (u->hand_at != 0 && now >= u->hand_at)
        hand_lifts(u, now);
    for (unsigned i = 1; i < SEATS; i++)
        if (talk_room(u->talk) > 8)
            watch(u, (uint8_t)(down ? SEATS - i : i), now);
}

static void power_up(void *device)
{
    struct unit *u = device;
    for (unsigned i = 1; i < SEATS; i++) {
        struct seat *seat = &u->seats[i];
        seat->light_at = seat->wager_at = u->talk->now;
        if (seat->chip_at != 0)
            seat->chip_at = u->talk->now;
        seat->lamp_told = false;
    }
    uint8_t payload[6];
    size_t size = put_status(u, payload);
    talk_note(u->talk, POWER_UP, payload[0], payload[4]);
    talk_event(u->talk, POWER_UP, payload, size);
}

static void *create(struct talk *talk)
{
    struct unit *u = calloc(1, sizeof *u);
    if (u == NULL)
        abort();
    u->talk = talk;
    u->state = IDLE;
    return u;
}

const struct talk_device unit_device = {
    .device_class = 3,
    .model = "SECOND-UNIT",
    .log_kept = 256,
    .power_up_code = POWER_UP,
    .create = create,
    .request = request_of,
    .flags = flags,
    .tick = tick,
    .power_up = power_up,
    .secret = NULL,
};
