/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The lines of a machine on pins: from edges to what happened, in its order. Edges are debounced by
 * the pins. The driver owns the struct and the pins.
 */
#ifndef DEVICES_SHUFFLER_PINS_WATCH_H
#define DEVICES_SHUFFLER_PINS_WATCH_H

#include "devices/shuffler/shuffler.h"

#define WATCH_NO_PIN     (-1)
#define WATCH_EVENTS_MAX 64

struct shuffler_watch {
    struct pins *pins;
    int pin[SHUFFLER_LINES]; /* the number of each line among the pins, or WATCH_NO_PIN */
    unsigned on;             /* set of enum shuffler_line: as they were seen last */
    bool is_blind;        /* these pins never tell that edges were lost: levels are read as well */
    bool is_doubtful;     /* edges were lost: likewise, once */
    bool is_flooded;      /* more has happened than there is room for */
    bool shuffles_itself; /* the machine, whenever it has a deck: only a shuffle that is awaited
                             is told */
    bool awaits_shuffle;  /* a deck that is shuffled is what was asked for */
    uint16_t shuffles;
    uint8_t presented, taken; /* packets since the shuffle was asked for */
    struct shuffler_event queue[WATCH_EVENTS_MAX];
    struct shuffler_event spare; /* for what there is no room for */
    unsigned first, queued;
};

static inline bool shuffler_watch_has(const struct shuffler_watch *watch, enum shuffler_line line)
{
    return watch->pin[line] != WATCH_NO_PIN;
}

static inline bool shuffler_watch_is_on(const struct shuffler_watch *watch, enum shuffler_line line)
{
    return watch->on >> line & 1;
}

/* Takes the pins as they are. A fault that is there is told; a packet at the exit is nobody's. */
int shuffler_watch_open(struct shuffler_watch *watch, struct pins *pins,
                        const int pin[SHUFFLER_LINES], struct error *error);

/*
 * Waits for one edge: 1 when there was one, 0 at the deadline. ERROR_RIG when edges were lost: what
 * came of packets is not known then. ERROR_DEVICE when the chip is gone, or when a line changes so
 * fast that nobody can follow.
 */
int shuffler_watch_wait(struct shuffler_watch *watch, nanos_t deadline, struct error *error);

/* Everything that has happened until now. */
int shuffler_watch_catch_up(struct shuffler_watch *watch, struct error *error);

/* A shuffle is asked for: packets are counted from here on. */
void shuffler_watch_begin(struct shuffler_watch *watch);

/* The deck is shuffled: told, although no line says so. */
void shuffler_watch_shuffled(struct shuffler_watch *watch, nanos_t time);

/* The oldest event that was not dropped yet, which stays; NULL: none. */
struct shuffler_event *shuffler_watch_first(struct shuffler_watch *watch);
void shuffler_watch_drop(struct shuffler_watch *watch);

#endif
