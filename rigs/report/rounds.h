/*
 * The rounds of a report, however many there are: the last of them in memory, those before in a
 * temporary file that has no name. What they point at stays where it is. The store owns its copies.
 */
#ifndef RIGS_REPORT_ROUNDS_H
#define RIGS_REPORT_ROUNDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hal/base/error.h"
#include "hal/clock.h"
#include "rigs/checks/verdict.h"

struct report_round {
    size_t recording; /* index */
    int64_t number;
    bool judged; /* false: the journal ends inside the round */
    enum verdict verdict;
    nanos_t began, ended;
    int64_t passed, failed, skipped; /* checks */
    const char *lines;               /* of the journal, each with its newline; NULL: not kept */
    size_t length;
};

struct report_rounds;

/* NULL when memory is short. */
struct report_rounds *report_rounds_new(void);
void report_rounds_free(struct report_rounds *rounds);

/* Adds a round behind the others; ERROR_RIG when the temporary file cannot be written. */
int report_rounds_add(struct report_rounds *rounds, const struct report_round *round,
                      struct error *error);

/* A round by its place, from 0. One that cannot be read back looks cut off. */
struct report_round report_rounds_at(struct report_rounds *rounds, size_t index);

#endif
