/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The models of devices: what an emulated device is to whoever set up the bench. A model's file
 * registers its kind by REGISTER(device_models, kind); kinds are constant. Most stand behind a link
 * ("emu:NAME?OPTIONS", or served as a process) and are freed through their ops, by the link or by
 * whoever made them; one on pins makes its own chip and is freed by its maker after the pins are
 * closed.
 */
#ifndef DEVICES_MODEL_H
#define DEVICES_MODEL_H

#include "devices/device.h"
#include "devices/wire/defects.h"
#include "devices/wire/options.h"
#include "games/card.h"
#include "hal/link/model.h"
#include "hal/usb/discover.h"

#define MODEL_USB_VENDOR 0x1209 /* of the open devices */

struct model_kind {
    const char *name;        /* "shuffler" */
    const char *summary;     /* what it is, without a full stop: "single deck, deals packets" */
    enum device_class class; /* of the devices that it is one of; DEVICE_CLASSES: any; */
    const char *driver;      /* and the driver that understands it */
    const struct model_option *options; /* what `make` takes, */
    const struct defect_table *defects; /* and its option fault */
    /* NULL with ERROR_CONFIG and a sentence for what is not an option. NULL: it is on pins. */
    struct model *(*make)(const char *options, struct error *error);
    /* The same on pins that can be opened as "emu:CHIP" from then on. NULL: it is on a link. */
    struct model *(*make_on_pins)(struct hal *hal, const char *chip, const char *options,
                                  struct error *error);
    /* Adds a defect as option fault=SPEC does; and whether any has made a difference yet. */
    int (*fault)(struct model *model, const char *spec, struct error *error);
    bool (*has_shown)(const struct model *model);
    /* Power gone and back; only what the device keeps in non-volatile memory is left. NULL: it is
       not known what is. */
    void (*power_cycle)(struct model *model, nanos_t now);
    /* Appends the order of one more deck, for playing a recording. NULL: it deals no cards. */
    int (*load)(struct model *model, const card_t *top, size_t count, nanos_t now,
                struct error *error);
    bool deals_packets;
    /* Of a device whose two decks take turns, which who stands at it sees and the wire does not
       tell: the number of the deck that is in, from 1, and of the deck that a card which it dealt
       last is of. 0: it has one. NULL: such a device never has two. */
    uint8_t (*deck_in)(const struct model *model);
    uint8_t (*back_of)(const struct model *model, card_t card);
    uint8_t frame_class; /* enum frame_class; 0: it does not speak the open wire protocol */
    uint16_t usb_vendor, usb_product; /* both 0: this device is never on USB */
    const char *hands;                /* options for the simulated operator, or "" */
};

/* The kinds in the order of their names, by number; NULL after the last. */
const struct model_kind *model_kind_at(size_t index);

/* One on a link. NULL with ERROR_CONFIG and a sentence that lists them when there is none. */
const struct model_kind *model_kind_find(const char *name, struct error *error);

/* The one that such a driver talks to; NULL when there is none. */
const struct model_kind *model_kind_for(const struct device_driver *driver);

/* Whether such a driver can talk to it. One that takes a script can to any of its class. */
bool model_kind_fits(const struct model_kind *kind, const struct device_driver *driver);

/* What hal->make_model takes; the context is not used. */
struct model *model_make(void *context, const char *name, const char *options, struct error *error);

/*
 * Asks a model of this kind, made for the purpose, who it is. ERROR_CONFIG for bad options and for
 * a device that does not speak the open wire protocol.
 */
int model_identity(const struct model_kind *kind, const char *options,
                   struct wire_identity *identity, struct error *error);

/*
 * The USB devices that there is a model of, and so a driver for; tools/99-dealproof.rules names the
 * same ids to udev. Returns how many.
 */
size_t model_known_usb(struct usb_known known[REGISTRY_MAX]);

#endif
