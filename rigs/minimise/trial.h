/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A failing recording on the way to a smaller one: its lines, what is expected of each, the rig
 * file as text; and a trial, which plays it and says whether it still fails in the same way. What
 * a reduced round is expected to come to is settled anew; where the original expectation differed
 * from its settlement, it differs in the same place still. The case owns its memory.
 */
#ifndef RIGS_MINIMISE_TRIAL_H
#define RIGS_MINIMISE_TRIAL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "rigs/checks/verdict.h"
#include "rigs/recording/format.h"
#include "rigs/rig/rig.h"

struct case_round {
    char *line;                     /* as it stands now, without its newline */
    size_t length;                  /* of the line, which may have a zero byte in it */
    const char *settled, *expected; /* of the original, the latter NULL where it had none */
    bool was_refused;               /* the rules refuse the original */
};

struct failing_case {
    char *header; /* is JSON, and so without a zero byte */
    struct case_round *rounds;
    size_t count;
    char *rig;       /* the file as text */
    bool is_changed; /* otherwise than by leaving rounds out */
};

/* How it fails: by a check, or where none failed by a verdict and its reason without numbers. */
struct failure {
    char check[48];
    enum verdict verdict; /* of the round; of a check after the last round VERDICT_FAIL */
    char why[256];
    char sentence[512]; /* the first time, for people */
};

struct trials {
    const char *recording; /* what sentences call whatever is played */
    const char *rig_path;  /* what they call the rig, and its paths are relative to */
    uint64_t seed;
    struct paytables *paytables; /* of the rig */
    struct failure wanted;
    size_t at;               /* the round in which the last trial that failed so did */
    uint64_t played, rounds; /* trials and rounds so far */
    uint64_t budget;         /* rounds that may be played; 0: any number */
    const atomic_bool *stop; /* when true, no more are; NULL: never */
    struct json_reader *json[3];
    struct json_reader *edited; /* of the round that is being made smaller, across trials */
    struct error error;         /* why a trial could not be played, the last time */
    char *sound;                /* a rig on which the devices have no defects, as text, or NULL */
    /* The originals, for all cases. */
    char *texts;
};

/*
 * Reads the recording, its expectation and the rig, whose paths stay the caller's. ERROR_CONFIG
 * when one of them cannot be used, ERROR_RIG when memory is short. trials_close() and case_free()
 * follow in any case.
 */
int trials_open(struct trials *trials, struct failing_case *failing, const char *rig_path,
                const char *recording, uint64_t seed, struct error *error);
void trials_close(struct trials *trials);
void case_free(struct failing_case *failing);

/* Whether that is a verdict that a round can fail with and no check: "timeout", "device", "rig". */
bool failure_verdict(const char *name, enum verdict *verdict);

/*
 * Plays it for the first time, and takes what fails as what is wanted, where `check` is not NULL by
 * that check or with that verdict: 1, 0 where nothing fails, ERROR_ABORTED where nothing had by the
 * time of `stop`.
 */
int trials_find(struct trials *trials, const struct failing_case *failing, const char *check,
                struct error *error);

/*
 * Takes the text of a rig on which the same devices are emulated without defects. If the whole does
 * not fail so there, whatever does has become another failure: one of its keys, say, which were
 * left out. No trial counts that fails so there from now on.
 */
void trials_compare(struct trials *trials, const struct failing_case *failing, char *sound);

/* Whether so many rounds may be played yet. */
bool trials_can(const struct trials *trials, size_t rounds);

/* Whether it still fails so. False also when it cannot be played, after `stop` or the budget. */
bool trials_fails(struct trials *trials, const struct failing_case *failing);

/* How many of so many times it fails so. ERROR_ABORTED after `stop`, before that can be told. */
int trials_again(struct trials *trials, const struct failing_case *failing, unsigned times,
                 unsigned *failed);

/*
 * Plays a recording that was written, on the rig that was, whatever the budget: 1 where the same
 * check fails in it, or it ends with the same verdict, 0 where not, or as trials_open() and
 * trials_find() fail.
 */
int trials_written(struct trials *trials, const char *rig_path, const char *recording,
                   struct error *error);

/* Whether `stop` was told. */
bool trials_stopped(const struct trials *trials);

/* The lines of the recording, or with `expected` of its expectation; NULL: it is not possible. */
char *case_text(struct trials *trials, const struct failing_case *failing, bool expected,
                size_t *length);

#endif
