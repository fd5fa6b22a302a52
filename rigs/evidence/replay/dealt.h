/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The cards of one round as its journal has them: those that the dealing device told, packet by
 * packet, and those that people answered when they were asked for them. A round that passes was
 * dealt just so as it was played. For rigs/evidence/replay/resettle.c only. Nothing is allocated.
 */
#ifndef RIGS_EVIDENCE_REPLAY_DEALT_H
#define RIGS_EVIDENCE_REPLAY_DEALT_H

#include "devices/device.h"
#include "games/game.h"
#include "hal/base/json.h"
#include "rigs/rig/rig.h"

/* What somebody answered to one question for cards. */
struct dealt_reading {
    uint8_t count; /* of cards; 0: what was recorded was nodded to */
};

#define DEALT_READINGS (2 * PACKETS_MAX)

struct dealt {
    enum device_class dealer; /* whose events count */
    const char *wrong;        /* what no round that passes has; NULL: nothing yet */
    uint64_t unknown;         /* packets, as a set, whose cards nobody has read */
    unsigned taken;           /* packets */
    unsigned packet_count, card_count;
    uint8_t packet[PACKETS_MAX];
    card_t cards[DECK_SIZE];
    bool is_asked;   /* the question that is open is for cards */
    bool is_scanned; /* codes were read: nothing here says which cards they mean */
    unsigned reading_count;
    struct dealt_reading readings[DEALT_READINGS];
    unsigned said_count, read_count; /* cards that were answered; that were told as read so */
    card_t said[DECK_SIZE], read[DECK_SIZE];
};

void dealt_begin(struct dealt *dealt, enum device_class dealer);

/* An event, question or answer of the round. */
void dealt_event(struct dealt *dealt, const struct json_value *event);
void dealt_question(struct dealt *dealt, const struct json_value *question);
void dealt_answer(struct dealt *dealt, const struct json_value *answer);

/*
 * Why these cards are not those of a round that passes: "it passes a round …"; NULL: they are.
 * `device` is the one that deals.
 */
const char *dealt_differs(const struct dealt *dealt, const struct round *round,
                          const struct rig_device *device);

#endif
