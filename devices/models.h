/*
 * The device models by name, for "emu:NAME" addresses and for serving one as a process. The table
 * is constant; whoever makes a model frees it through its ops.
 */
#ifndef DEVICES_MODELS_H
#define DEVICES_MODELS_H

#include "devices/wire/wire.h"
#include "games/card.h"
#include "hal/base/error.h"
#include "hal/link/model.h"

#define MODEL_USB_VENDOR 0x1209

struct model_kind {
    const char *name; /* "shuffler" */
    struct model *(*make)(const char *options, struct error *error);
    /* Appends the order of one more deck, as shuffler_model_load(). NULL: it deals no cards. */
    int (*load)(struct model *model, const card_t *top, size_t count, nanos_t now,
                struct error *error);
    bool deals_packets;
    uint8_t class;        /* enum frame_class; 0: it does not speak the open wire protocol */
    uint16_t usb_product; /* with MODEL_USB_VENDOR; 0: this device is never on USB */
    const char *hands; /* options for somebody who works the device when nobody is there, or "" */
};

/* Ends with one whose name is NULL. */
extern const struct model_kind model_kinds[];

/* NULL with ERROR_CONFIG and a sentence that lists them when there is no such model. */
const struct model_kind *models_find(const char *name, struct error *error);

/* What hal->make_model takes; the context is not used. */
struct model *models_make(void *context, const char *name, const char *options,
                          struct error *error);

/*
 * Asks a model of this kind, made for the purpose, who it is. ERROR_CONFIG for bad options and for
 * a device that does not speak the open wire protocol.
 */
int models_identity(const struct model_kind *kind, const char *options,
                    struct wire_identity *identity, struct error *error);

#endif
