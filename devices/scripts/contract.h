/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The contract suite of scripts: rules that a driver of a class keeps, each tried on a bench of its
 * own in virtual time against a model. What a script or its model cannot is skipped with the
 * reason, never held.
 */
#ifndef DEVICES_SCRIPTS_CONTRACT_H
#define DEVICES_SCRIPTS_CONTRACT_H

#include <stdint.h>

#include "hal/base/error.h"

enum contract_outcome { CONTRACT_HOLDS, CONTRACT_BROKEN, CONTRACT_SKIPPED, CONTRACT_OUTCOMES };

struct contract {
    const char *path;    /* of the script */
    const char *model;   /* "emu:..."; NULL: that of the script itself */
    const char *options; /* of the script, "key=value,key=value" */
    uint64_t seed;
    /* Hears of each rule when it was tried; `why` is NULL where it holds. */
    void (*told)(void *context, const char *rule, enum contract_outcome outcome, const char *why);
    /* Hears what the script prints. */
    void (*printed)(void *context, const char *line);
    void *context;
    unsigned counts[CONTRACT_OUTCOMES]; /* filled in */
};

/* 0 once all rules were tried; ERROR_CONFIG when the script or its model cannot be used at all. */
int contract_try(struct contract *contract, struct error *error);

#endif
