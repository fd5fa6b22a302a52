/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A device model that a test plays by hand: what the host writes piles up here, and what the test
 * puts in is sent to the host. A stage holds the puppets that "emu:NAME" finds; it owns them, and
 * a puppet stays as it is when its link closes, so that it can be plugged in again.
 */
#ifndef TESTS_SUPPORT_DEVICES_PUPPET_H
#define TESTS_SUPPORT_DEVICES_PUPPET_H

#include "hal/hal.h"
#include "hal/link/model.h"

/* Numbers in captures as tools/dealproof.lua knows them, for tests that tap a puppet. */
enum tap_protocol { TAP_DEALPROOF = 1, TAP_ANGEL_EYE = 2 };

#define PUPPET_QUEUE (256 * 1024)

struct puppet_queue {
    uint8_t bytes[PUPPET_QUEUE];
    size_t start, end;
};

struct puppet {
    struct model model;
    char name[16];
    struct puppet_queue from_host, to_host;
    nanos_t ready_at; /* what is queued for the host comes no sooner */
    size_t mouthful;  /* the most that it sends at once; 0 is any number */
    bool is_echo;     /* what it receives goes straight back */
    bool is_away;     /* cannot be made */
    bool is_stuck;    /* says that it is due and sends nothing */
    unsigned plugged, unplugged, freed;
};

struct puppet_stage {
    struct puppet *puppets[4];
    size_t count;
    char options[32]; /* of the last address that was opened */
};

/* Sets the hal's make_model; nothing is on the stage yet. */
void puppet_stage_open(struct puppet_stage *stage, struct hal *hal);
void puppet_stage_close(struct puppet_stage *stage);

/* Aborts when the stage is full or memory is out, as only a broken test can make it. */
struct puppet *puppet_add(struct puppet_stage *stage);

/* What the host wrote, and what the host shall read; both return how many bytes. */
size_t puppet_take(struct puppet *puppet, void *bytes, size_t size);
size_t puppet_put(struct puppet *puppet, const void *bytes, size_t size);

/* Off the bus, until is_away is cleared and it is opened again. */
void puppet_unplug(struct puppet *puppet);

#endif
