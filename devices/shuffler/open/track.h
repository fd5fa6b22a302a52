/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Follows what a shuffler of the open protocol reports: decodes its events, and tells what comes
 * again after a power loss from what contradicts the protocol or what the device said before. Pure;
 * the driver owns it and feeds it every event in order. `address` names the device in sentences.
 */
#ifndef DEVICES_SHUFFLER_OPEN_TRACK_H
#define DEVICES_SHUFFLER_OPEN_TRACK_H

#include "devices/shuffler/open/wire.h"

enum track_mode { MODE_UNKNOWN, MODE_NORMAL, MODE_TEST };

struct shuffler_track {
    const char *address;
    bool is_wide;   /* the conversation is one of version 2, */
    bool has_decks; /* and tells two decks apart */
    /* As reported, in the order of events. Unknown while events from before our time are coming. */
    bool counts_known;
    uint8_t presented, taken;
    bool shuffle_known;
    uint32_t shuffle;
    bool shuffle_seen; /* that shuffle's event came while we listened, with these flags */
    uint8_t shuffled_flags;
    uint8_t deck;        /* of two, that was shuffled last; 0: nobody has said it */
    uint8_t loaded_deck; /* that LOAD ORDER was answered for last */
    uint8_t last_type;   /* of the last event that was new: only that can be told again */
    uint8_t last_size;   /* of the last packet; 0: it came before our time */
    card_t last[DECK_SIZE];
    bool error_known;
    uint8_t error, cleared;
    enum track_mode mode;
    enum track_mode told_mode; /* by its event, since that many renewals */
    uint64_t told_renewals;
    /* As agreed to in replies: true from that shuffle on, whatever is still on its way. */
    enum track_mode agreed_mode;
    uint32_t agreed_from;
    bool shuffle_asked; /* SHUFFLE was answered with the number that it will have */
    uint32_t asked;
    unsigned refused;   /* decks since the last SHUFFLED: whether they had a number is open */
    uint64_t renewals;  /* of the conversation, by its owner: power lost, link torn */
    uint64_t excused;   /* those before the last SHUFFLED, which excuse no repeat */
    uint8_t idle_left;  /* cards that an idle device said it holds, other than 52; 0: none */
    bool presses_known; /* nothing went wrong since SHUFFLED, so that the button can be judged: */
    unsigned presses;   /* that were accepted since, by hand or by request */
    bool is_returned;   /* the deck, by request */
    bool order_agreed;
    uint32_t order_from;
    bool programmed;
    uint8_t program; /* its number */
    uint8_t packets; /* that follow each other, the burn included */
    uint8_t draws;
    uint8_t sizes[1 + SHUFFLER_PACKETS_MAX];
};

/* 1 with the event, 0 when it only repeats what is known, ERROR_DEVICE for a lie. */
int shuffler_track_event(struct shuffler_track *track, const struct frame *frame,
                         struct shuffler_event *event, struct error *error);

/* Whether that may be the number of the next shuffle, as the reply to `message` has it. */
int shuffler_track_check_next(const struct shuffler_track *track, const char *message,
                              unsigned number, struct error *error);

/* State, error, flags and counts that can be true together, as STATUS and POWER UP have them. */
int shuffler_track_check_condition(const struct shuffler_track *track, const char *message,
                                   unsigned state, unsigned code, unsigned flags,
                                   unsigned presented, unsigned taken, struct error *error);

/* Says that the device contradicts the protocol or itself; returns ERROR_DEVICE. */
int shuffler_track_lie(const struct shuffler_track *track, struct error *error, const char *format,
                       ...) __attribute__((format(printf, 3, 4)));

/* A number of a shuffle: of four bytes in version 2. */
static inline unsigned track_number(const struct shuffler_track *track, const uint8_t *at)
{
    return track->is_wide ? wire_get32(at) : wire_get16(at);
}

static inline unsigned track_number_size(const struct shuffler_track *track)
{
    return track->is_wide ? 4 : 2;
}

static inline enum track_mode track_mode_of(unsigned flags)
{
    return flags & SHUFFLER_FLAG_TEST_MODE ? MODE_TEST : MODE_NORMAL;
}

const char *shuffler_track_mode_text(enum track_mode mode);

#endif
