/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plan from the group `authenticate` of a rig file. */
#ifndef RIGS_AUTHENTICATE_RIG_H
#define RIGS_AUTHENTICATE_RIG_H

#include "rigs/authenticate/authenticate.h"
#include "rigs/rig/rig.h"

/* A plan and what it points to; kept where it is. */
struct authenticate_setup {
    struct authenticate_plan plan;
    struct approved *approved; /* NULL: none is named */
    struct gat_key key, fresh;
};

/*
 * Reads the approved digests that the group names. `seed` makes a fresh key where one is needed, so
 * that a run in virtual time is the same again; NULL: the kernel does. ERROR_CONFIG with the place
 * in the rig file.
 */
int authenticate_setup(struct authenticate_setup *setup, const struct rig *rig,
                       const struct rig_authenticate *wanted, const uint64_t *seed,
                       struct error *error);
void authenticate_setup_free(struct authenticate_setup *setup);

/* A fresh key for the plan, if it needs one. */
int authenticate_fresh(struct authenticate_setup *setup, const uint64_t *seed, struct error *error);

#endif
