/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Who listens to lines: takes the pieces that passed on them, in their order, as a capture holds
 * them or a bridge hears them, and tells the messages of both directions, each answer with its
 * question and the time between them. A listener allocates for each channel as it is first heard;
 * the caller owns it.
 */
#ifndef DEVICES_LISTEN_LISTENER_H
#define DEVICES_LISTEN_LISTENER_H

#include "devices/listen/decoder.h"
#include "hal/link/heard.h"

enum listened_kind {
    LISTENED_MESSAGE,
    LISTENED_ADDRESS, /* the channel begins, or begins again: text */
    LISTENED_LINES,   /* modem lines have changed: direction, lines */
    LISTENED_NOTE,    /* text */
    LISTENED_GAP, /* text: something was not heard, or not passed on; protocol, if it is known */
};

/* What is told; good until the function that is told returns. */
struct listened {
    enum listened_kind kind;
    uint64_t packet; /* in which it ended, from 1 */
    nanos_t time;
    uint8_t channel;
    enum tap_direction direction; /* who said it: TAP_TO_DEVICE is the host */
    const char *address;          /* of the channel; "" where it is not known */
    const char *text;
    unsigned lines; /* a set of enum link_line */

    /* Of a message: */
    const struct protocol *protocol;
    const struct message *message;
    uint64_t number;           /* from 1 */
    bool is_again;             /* said once more, number and content */
    uint64_t answers;          /* the number of the question; 0: of none that was heard */
    nanos_t after;             /* the question was first said */
    const struct heard *heard; /* what counts now: of an answered request, its own */
};

struct listener;

/* What passes on a channel whose protocol has no number, and what stands for all. */
struct listener_options {
    const struct protocol *protocol; /* of every channel; NULL: as the capture says */
    const struct protocol *unnamed;  /* of those that it says nothing of; NULL: bytes */
    void (*tell)(void *context, const struct listened *listened);
    void *context;
};

struct listener_counts {
    uint64_t messages;
    uint64_t damaged;    /* those that are no frames, or frames with something wrong in them */
    uint64_t missed;     /* events that were not heard although later ones were */
    uint64_t gaps;       /* of which the capture tells */
    uint64_t unanswered; /* questions */
    uint64_t unknown;    /* pieces of a protocol that is not known */
};

/* NULL when memory is out. listener_free() takes NULL. */
struct listener *listener_new(const struct listener_options *options);
void listener_free(struct listener *listener);

/* The next piece. ERROR_RIG when memory is out. */
int listener_hear(struct listener *listener, const struct heard_packet *packet,
                  struct error *error);

/* Tells what is unfinished. */
void listener_end(struct listener *listener);

const struct listener_counts *listener_counted(const struct listener *listener);

#endif
