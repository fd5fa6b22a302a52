/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Journals put into a history. A run is known by its id: that of its first line, one that is given,
 * or one that follows from the journal. The same journal again changes nothing, and one that has
 * grown replaces its shorter self; all of it is done in one transaction or nothing is.
 */
#ifndef RIGS_HISTORY_IMPORT_H
#define RIGS_HISTORY_IMPORT_H

#include "rigs/history/run.h"
#include "rigs/history/store/store.h"

#define HISTORY_DATE_SIZE sizeof "2026-01-01T00:00:00Z"
#define HISTORY_HOST_SIZE 256

struct history_import {
    /* NULL: as the journal has it, or as follows from it. Of a shard it is that of the run that
     * it is a part of. */
    const char *id;
    bool is_shared;     /* by several journals, which must be shards then */
    const char *host;   /* the bench; NULL: this machine */
    const char *source; /* what the journal is called in the store; NULL: its path */
    bool unverified;    /* take one that does not verify, and mark it for ever */
};

enum history_outcome {
    HISTORY_NEW,
    HISTORY_SAME,   /* it was there, nothing was changed */
    HISTORY_LONGER, /* its shorter self was, and was replaced */
};

struct history_imported {
    enum history_outcome outcome;
    char id[HISTORY_ID_MAX + 1];
    char whole[HISTORY_ID_MAX + 1]; /* of a shard: the run that it is a part of; "": of none */
    bool is_verified;
    char problem[ERROR_TEXT_SIZE]; /* why not; "": it is */
};

/*
 * Imports one journal; "-" is standard input. ERROR_RULE: it does not verify, or the store has
 * another run of this id. ERROR_CONFIG: not a journal, no id. ERROR_RIG: reading or the store
 * failed, or nobody can tell.
 */
int history_import(struct store *store, const char *path, const struct history_import *import,
                   struct history_imported *imported, struct error *error);

/* Whether a text may be an id; ERROR_CONFIG says what it is made of. */
int history_check_id(const char *id, struct error *error);

/* For the tests and for who has read the journal: the id that it has where none is given. */
void history_id_of(const struct history_run *run, const char *date, const char *host,
                   char id[HISTORY_ID_MAX + 1]);

#endif
