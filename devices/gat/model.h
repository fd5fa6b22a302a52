/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A model of a device that answers GAT: the device's side of devices/GAT.md, a pure state machine
 * on bytes and time. gat_model_new() allocates; whoever gets the model frees it through its ops.
 * Its options are on that page; its defects are named here.
 */
#ifndef DEVICES_GAT_MODEL_H
#define DEVICES_GAT_MODEL_H

#include "devices/gat/settings.h"
#include "devices/wire/defects.h"
#include "hal/link/model.h"

/* In the order of their names in devices/gat/model_options.c. */
enum gat_defect {
    GAT_DEFECT_WRONG_CRC,    /* of an answer */
    GAT_DEFECT_LOW_FIRST,    /* the low byte of every check comes first */
    GAT_DEFECT_LATE,         /* an answer comes after 210 ms */
    GAT_DEFECT_SILENT,       /* or never */
    GAT_DEFECT_CUT,          /* or its last byte does not */
    GAT_DEFECT_BABBLE,       /* or a byte too many */
    GAT_DEFECT_WRONG_PART,   /* LARR has another number than was asked for */
    GAT_DEFECT_PART_ERROR,   /* LARR has the error bit */
    GAT_DEFECT_REFUSES,      /* IACR says no, and nothing is calculated */
    GAT_DEFECT_FAILS,        /* a calculation ends in error */
    GAT_DEFECT_NO_RESULTS,   /* it ends without results */
    GAT_DEFECT_ENDLESS,      /* it never ends */
    GAT_DEFECT_STALE,        /* its results are those of the one before */
    GAT_DEFECT_OTHER_DIGEST, /* of one component */
    GAT_DEFECT_LEFT_OUT,     /* one component is listed and has no digest */
    GAT_DEFECT_ADDED,        /* there is a component more than there should be */
    GAT_DEFECT_REPLAYS,      /* digests are stored ones, whatever the key */
    GAT_DEFECT_ENTITIES,     /* documents define entities that grow, */
    GAT_DEFECT_EXTERNAL,     /* or name a file, */
    GAT_DEFECT_DEEP,         /* or have a thousand elements inside each other, */
    GAT_DEFECT_LARGE,        /* or have a megabyte */
    GAT_DEFECT_OLD_VERSION,  /* 3.00 */
    GAT_DEFECT_UNPLUG,       /* the cable is torn */
    GAT_DEFECTS
};

#define GAT_MODEL_COMPONENTS 16
#define GAT_MODEL_NAME       64
#define GAT_MODEL_IMAGE      128

struct gat_model_component {
    char name[GAT_MODEL_NAME];
    char image[GAT_MODEL_IMAGE]; /* "": those that follow from its name */
};

struct gat_model {
    struct model model;
    struct gat_settings settings;
    int zero; /* 1: after the level, 0: not, -1: either */
    uint64_t seed;
    struct gat_model_component components[GAT_MODEL_COMPONENTS];
    unsigned count;
    char game[GAT_MODEL_NAME], manufacturer[GAT_MODEL_NAME];
    char stored[GAT_MODEL_NAME]; /* the key of the digests that it has stored */
    uint64_t part;               /* bytes */
    nanos_t calculation, delay;
    uint8_t idle, reserved_bits;
    uint32_t never;
    bool answers_all;       /* to Component */
    struct defects defects; /* kinds are enum gat_defect */

    /* The last calculation, and what came of it. */
    bool has_calculated, is_failed, is_endless, has_no_results;
    nanos_t started;
    char *results;
    size_t size;

    struct gat_decoder decoder;
    nanos_t heard_at;
    uint8_t out[GAT_FRAME_MAX + 1];
    size_t out_at, out_end;
    nanos_t out_due;
    uint64_t frames, replies, calculations, parts;
};

struct model *gat_model_new(const char *options, struct error *error);

/* The options of the page. ERROR_CONFIG with a sentence that lists them. */
int gat_model_read(struct gat_model *gat, const char *options, struct error *error);
extern const struct model_option gat_model_options[];
extern const struct defect_table gat_model_defects;

/*
 * Does what the text of an IACQ asks for and makes the document of it: 0, 1 where there is no such
 * function or key, or ERROR_RIG.
 */
int gat_model_answer(struct gat_model *gat, const uint8_t *text, size_t size);

#endif
