/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the two parts of the shuffler share: requests are in shuffler.c, shuffling, dealing and
   power in shuffler_deal.c. The conversation owns the device's queue and log. */
#ifndef SECOND_SHUFFLER_STATE_H
#define SECOND_SHUFFLER_STATE_H

#include "tests/second/cards.h"
#include "tests/second/talk.h"

enum state { IDLE = 1, SHUFFLING, READY, DEALING, PRESENT, WAITING, FAULTY };
enum request { PROGRAM = 0x10, SHUFFLE, GREEN_BUTTON, RETURN_DECK, TEST_MODE, LOAD_ORDER };
enum event {
    SHUFFLED = 0x40,
    PACKET_PRESENT,
    PACKET_TAKEN,
    FAULT,
    CLEARED,
    MODE,
    POWER_UP,
    BUTTON
};
enum fault { JAM = 1, MISSING_CARD = 3, DOOR_OPEN = 6, COVER_OPEN = 7, POWER_LOST = 8 };

struct shuffler {
    struct talk *talk;
    enum state state;
    enum state after_error;
    uint8_t error;
    uint64_t cause_until;
    bool test;
    bool loaded;
    uint8_t order[CARDS_DECK];
    uint8_t deck[CARDS_DECK];
    uint64_t chance;
    uint16_t shuffles;
    uint8_t program;
    uint8_t sizes[2 * CARDS_DECK];
    uint8_t packets;
    uint8_t draws;
    uint8_t presented;
    uint8_t taken;
    uint8_t dealt_cards;
    uint8_t at_exit;
    uint64_t due;
    unsigned packets_ever;
    unsigned shuffles_ever;
    bool tripped;
    uint8_t previous[CARDS_DECK];
};

static inline uint64_t shuffler_setting(const struct shuffler *s, const char *name,
                                        uint64_t otherwise)
{
    return options_number(s->talk->options, name, otherwise);
}

static inline bool shuffler_lie(struct shuffler *s, const char *name)
{
    return lies_deed(s->talk->lies, name);
}

static inline uint8_t shuffler_flags(void *device)
{
    const struct shuffler *s = device;
    return (uint8_t)((s->test ? 1 : 0) | (s->error != 0 ? 2 : 0));
}

static inline void shuffler_wait_for(struct shuffler *s, enum state state, const char *name,
                                     uint64_t otherwise)
{
    s->state = state;
    s->due = s->talk->now + shuffler_setting(s, name, otherwise);
}

static inline void shuffler_raise_fault(struct shuffler *s, uint8_t code, uint8_t detail,
                                        enum state after)
{
    s->state = FAULTY;
    s->error = code;
    s->after_error = after;
    talk_note(s->talk, FAULT, code, detail);
    talk_event(s->talk, FAULT, (uint8_t[]){code, detail}, 2);
}

void shuffler_tick(void *device, uint64_t now);

void shuffler_power_up(void *device);

#endif
