/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The model of a device that answers GAT, whose documents are those of a test: "emu:NAME" of a hal
 * is it, whatever the name. There is one at a time.
 */
#ifndef TESTS_SUPPORT_DEVICES_GAT_LIAR_H
#define TESTS_SUPPORT_DEVICES_GAT_LIAR_H

#include "devices/gat/model.h"
#include "hal/hal.h"

struct gat_liar {
    struct model model;
    struct gat_model *gat;
    const char *const *documents; /* one for each calculation, and NULL */
    uint64_t answered;            /* of them */
    char asked[512];              /* the last frame that was one of IACQ */
    int status;                   /* not 0: it cannot be opened */
    unsigned freed;
    char options[64]; /* of the address that was opened last */
};

/* Sets the hal's make_model. */
void gat_liar_open(struct gat_liar *liar, struct hal *hal);

#endif
