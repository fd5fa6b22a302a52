/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A bench put together from a rig: its clock, links with their taps and faults, models where it is
 * emulated, and a driver for each device. The caller keeps the struct where it is, and the rig,
 * from bench_open() to bench_close(); everything in it belongs to the bench. One thread uses a
 * bench.
 */
#ifndef RIGS_BENCH_BENCH_H
#define RIGS_BENCH_BENCH_H

#include <stdbool.h>
#include <stdint.h>

#include "devices/model.h"
#include "devices/sensors/sensors.h"
#include "devices/shoe/shoe.h"
#include "devices/shuffler/shuffler.h"
#include "devices/terminal/terminal.h"
#include "hal/base/error.h"
#include "hal/clock.h"
#include "hal/hal.h"
#include "hal/link/link.h"
#include "hal/link/tap.h"
#include "rigs/authenticate/rig.h"
#include "rigs/recording/paytables.h"
#include "rigs/rig/rig.h"

/* One device of the rig, whether or not it could be opened. */
struct bench_device {
    enum device_class class;
    const char *name;    /* "shuffler", "shoe", "terminal", "sensors" */
    const char *driver;  /* as the rig has it */
    const char *address; /* as the rig has it; the driver where there is none */
    bool is_emulated;
    bool is_lossy; /* its link may damage bytes: rig_device.line, or link-fault */
    int status;    /* of opening it: 0, or the code of `error` */
    struct error error;
    struct device *device; /* NULL: it could not be opened */
    bool has_identity;     /* some devices cannot say who they are */
    struct wire_identity identity;
    const struct rig_identity *wanted; /* of the rig; NULL: it may be any */
    const struct rig_authenticate
        *authenticate;                /* of the rig; NULL: its software is not asked for */
    struct authenticate_setup *setup; /* for that; the bench's */
    struct link *link;                /* NULL on pins */
    const struct model_kind *kind;    /* of an emulated device; NULL otherwise */
    struct model *model;              /* likewise. After it was reopened this is another one */
    struct bench *bench;
    unsigned reopened; /* how often it went away and came back */
    unsigned tries;    /* that this took in all */
    nanos_t away;      /* for how long in all */
};

struct bench {
    const struct rig *rig;
    struct clock clock;
    struct hal hal;
    uint64_t seed;

    /* The devices by class; NULL each where the rig has none. */
    struct shuffler *shuffler;
    struct shoe *shoe;
    struct terminal *terminal;
    struct sensors *sensors;
    struct paytables *paytables;                      /* NULL: the sheets' own */
    struct authenticate_setup setups[DEVICE_CLASSES]; /* of devices whose software is asked for */

    /*
     * Told when a link came back, and while it is away before which try to open it; a caller may
     * set them once the bench is open.
     */
    void (*reopened)(void *context, const struct bench_device *device, unsigned tries,
                     nanos_t away);
    void (*away)(void *context, const struct bench_device *device, unsigned try);
    void *context;

    struct bench_device devices[DEVICE_CLASSES];
    unsigned device_count;
    struct capture *capture;
};

/*
 * Opens everything, or nothing: the sentence then names each device that failed. The seed is that
 * of models and faults whose options give none. ERROR_CONFIG when the rig cannot mean such a bench,
 * ERROR_DEVICE when a device is not there, ERROR_RIG when this machine will not let us.
 */
int bench_open(struct bench *bench, const struct rig *rig, uint64_t seed, struct error *error);

/*
 * Opens what there is: 0 although devices failed, each of which says so in its `status`. Other
 * errors are those of the bench itself; it is then closed.
 */
int bench_try(struct bench *bench, const struct rig *rig, uint64_t seed, struct error *error);

/*
 * Makes an open bench as it was when it was opened, with another seed: its devices are closed and
 * opened again, and virtual time starts anew. Its capture goes on. When a device fails the bench
 * stays open, to be closed.
 */
int bench_renew(struct bench *bench, uint64_t seed, struct error *error);

/* Closes what is open; ERROR_RIG when the capture could not be written to its end. */
int bench_close(struct bench *bench, struct error *error);

/*
 * How long a device is waited for, in milliseconds, where the rig allows `limit`: a tenth longer,
 * and at least a second, so that what comes a little late fails the check of its time. And the end
 * of that time from now on.
 */
uint64_t bench_patience(uint32_t limit);
nanos_t bench_deadline(const struct bench *bench, uint32_t limit);

/* How long a person is waited for, who is allowed `limit`. */
uint64_t bench_person(const struct bench *bench, uint32_t limit);

/* The devices of the rig by number, in the order above; NULL after the last. */
const struct bench_device *bench_device(const struct bench *bench, unsigned index);

/* The device of a class, or NULL where the rig has none. */
const struct bench_device *bench_find(const struct bench *bench, enum device_class class);

/* Whether a device says that it is in test mode now; one that cannot be asked is not. */
bool bench_in_test_mode(struct bench *bench, enum device_class class);

/*
 * What people at an emulated device see and its wire does not tell, of two decks that take turns:
 * the one that is in, and the one that a card is of. 0: it is not emulated, or has one deck.
 */
uint8_t bench_deck(const struct bench *bench, enum device_class class);
uint8_t bench_back(const struct bench *bench, enum device_class class, card_t card);

/*
 * Adds a defect to an emulated device while it is open, as its model's options name them
 * ("jam@packet:2"). ERROR_CONFIG when the rig has no such device or it is real.
 */
int bench_fault(struct bench *bench, enum device_class class, const char *spec,
                struct error *error);

/* Whether a defect of an emulated device has made a difference yet. */
bool bench_has_shown(const struct bench *bench, enum device_class class);

#endif
