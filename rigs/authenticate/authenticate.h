/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a device says that its software comes to (devices/GAT.md), and whether that is what somebody
 * has approved or what the images of the lab come to. A device computes its own proof: whoever
 * shows a result shows AUTHENTICATE_CAUTION with it.
 */
#ifndef RIGS_AUTHENTICATE_AUTHENTICATE_H
#define RIGS_AUTHENTICATE_AUTHENTICATE_H

#include "devices/gat/host.h"
#include "rigs/authenticate/approved.h"

#define AUTHENTICATE_CAUTION                                                                       \
    "a device computes its own proof: a match shows that it can give these digests, not that "     \
    "this software runs in it"
#define AUTHENTICATE_ASSUMED                                                                       \
    "that the bytes of an image are those that its maker hashes is an assumption"

#define AUTHENTICATE_NAMES_MAX 32 /* components, and images, of a plan */

/* An image that the lab holds of a component. */
struct authenticate_image {
    const char *name, *path;
};

struct authenticate_plan {
    struct gat_settings settings;
    const struct gat_key *key;   /* NULL: that of what is approved, and for images a fresh one */
    const struct gat_key *fresh; /* that is used then */
    const struct approved *approved; /* NULL: nothing is */
    const char *const *components;   /* that are asked for one by one; none: all that it has */
    unsigned component_count;
    const struct authenticate_image *images;
    unsigned image_count;
    struct gat_listener listener;
};

enum authenticate_outcome {
    AUTHENTICATE_SHOWN, /* there is nothing to compare it with */
    AUTHENTICATE_MATCHES,
    AUTHENTICATE_DIFFERS,
    AUTHENTICATE_MISSING,    /* the device does not tell it */
    AUTHENTICATE_UNAPPROVED, /* it tells one that nobody has approved */
    AUTHENTICATE_OUTCOMES
};

/* "matches", "differs". */
const char *authenticate_outcome_name(enum authenticate_outcome outcome);

struct authenticate_row {
    unsigned pass; /* of which calculation, from 0 */
    char name[GAT_NAME_SIZE];
    char digest[GAT_DIGEST_SIZE];     /* "" where it was not told */
    char expected[GAT_DIGEST_SIZE];   /* "" where nothing is */
    char version[APPROVED_TEXT_SIZE]; /* as it was approved; "" where it was not */
    enum authenticate_outcome outcome;
    bool by_image;  /* what is expected comes from an image, */
    bool by_device; /* or is what the device itself said of it before */
};

#define AUTHENTICATE_PASSES 2
/* What a device tells and lists, what is approved, and what a plan names, all different. */
#define AUTHENTICATE_ROWS_MAX                                                                      \
    (AUTHENTICATE_PASSES *                                                                         \
     (2 * GAT_COMPONENTS_MAX + GAT_FUNCTIONS_MAX + 2 * AUTHENTICATE_NAMES_MAX))

/* One request for digests with one key. */
struct authenticate_pass {
    struct gat_key key;
    bool is_fresh;
    bool is_unkeyed; /* a function took no key: none was sent, and the key is empty */
    nanos_t took;
    unsigned calculations, parts;
    size_t bytes;
};

struct authenticate_result {
    struct gat_status status; /* before the first calculation */
    struct gat_last last;
    struct gat_functions functions;
    char game[GAT_NAME_SIZE], manufacturer[GAT_NAME_SIZE];
    struct authenticate_pass passes[AUTHENTICATE_PASSES];
    unsigned pass_count;
    struct authenticate_row rows[AUTHENTICATE_ROWS_MAX];
    unsigned row_count;
    unsigned compared, wrong; /* rows */
    bool has_answered;        /* a good frame came: there is such a device */
};

/* ERROR_CONFIG for a plan that cannot be: another key than that of what is approved. */
int authenticate_check(const struct authenticate_plan *plan, struct error *error);

/* Whether a plan needs a fresh key. */
bool authenticate_needs_key(const struct authenticate_plan *plan);

/*
 * Asks the device on that link. 0 although digests differ, which the rows tell; errors are those of
 * devices/gat/host.h, ERROR_DEVICE also when something is to be compared and the device takes no
 * key, and ERROR_CONFIG for an image that cannot be read.
 */
int authenticate(struct link *link, const struct authenticate_plan *plan,
                 struct authenticate_result *result, struct error *error);

/*
 * Whether journals have this, or had it once, as the name of the protocol and as the caution: who
 * words GAT_SPOKEN or AUTHENTICATE_CAUTION anew adds what it was to the lists behind these.
 */
bool authenticate_is_protocol(const char *text);
bool authenticate_is_caution(const char *text);

/* "DeckMate2_UI_2.0.254: differs" as a sentence about a row that is wrong. */
const char *authenticate_row_why(const struct authenticate_row *row);

#endif
