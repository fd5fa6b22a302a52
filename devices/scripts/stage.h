/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A bench for one rule of the contract of scripts: a virtual clock, a model, a link that may be
 * bad, and the device that the script drives. For the files of the contract only. A rule that fails
 * says why in the stage and returns false.
 */
#ifndef DEVICES_SCRIPTS_STAGE_H
#define DEVICES_SCRIPTS_STAGE_H

#include "devices/model.h"
#include "devices/scripts/contract.h"
#include "devices/scripts/script.h"
#include "hal/link/fault.h"

struct stage {
    const struct contract *contract;
    const struct stage_class *class;
    char address[LINK_ADDRESS_MAX]; /* of the model */
    unsigned capabilities;          /* of the script */
    struct clock clock;
    struct hal hal;
    struct link *link;
    struct device *device;         /* NULL: it could not be opened */
    const struct model_kind *kind; /* NULL: what answers is no model of a device */
    struct model *model;
    struct error error;
    bool is_skipped; /* the rule cannot be tried, for the reason of the error */
};

/* What came of a play: everything that was told, in a number. */
struct stage_play {
    uint64_t cards;   /* what was dealt, */
    uint64_t events;  /* and all events with their times */
    nanos_t power_at; /* after so many events the power goes; 0: never */
    unsigned count;   /* of events so far */
};

/* What a class adds to the rules of all. */
struct stage_class {
    enum device_class class;
    const char *fault; /* of a model of it, that a play must get over: "jam@packet:2" */
    const char *lie;   /* that no play can have right: "twice@card:2"; NULL: none */
    /* Uses the device as a table would, for two rounds. 0, or the error of the device. */
    int (*play)(struct stage *stage, struct stage_play *play);
    /* Some request that needs an answer; or ERROR_CONFIG. */
    int (*probe)(struct stage *stage);
    /* What it answers must be refused: the device is in no state for it. NULL: nothing is known. */
    int (*refused)(struct stage *stage);
    const char *forbidden; /* what that is, in words */
    int (*next)(struct stage *stage, nanos_t deadline);
};

extern const struct stage_class stage_shuffler, stage_shoe;

/*
 * Opens one on that address, NULL for the model's own, with faults of the link, NULL for none. 0,
 * or what opening the device came to; then it is closed like any other.
 */
int stage_open(struct stage *stage, const char *address, const struct link_faults *faults);
void stage_close(struct stage *stage);

/* Says why a rule is broken, or cannot be tried; both return false. */
bool stage_fail(struct stage *stage, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool stage_skip(struct stage *stage, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Adds a number to what a play came to. */
void stage_note(uint64_t *sum, uint64_t number);

/* After each event of a play. */
void stage_event(struct stage *stage, struct stage_play *play, unsigned kind, nanos_t time);

#endif
