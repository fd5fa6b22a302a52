/*
 * The rounds of a report, however many there are: the last of them in memory, those before in a
 * temporary file that has no name. What they point at stays where it is. The store owns its copies.
 */
#ifndef RIGS_REPORT_ROUNDS_H
#define RIGS_REPORT_ROUNDS_H

#include <stddef.h>

#include "hal/base/error.h"
#include "rigs/report/report.h"

/* NULL when memory is short. */
struct report_rounds *report_rounds_new(void);
void report_rounds_free(struct report_rounds *rounds);

/* Adds a round behind the others; ERROR_RIG when the temporary file cannot be written. */
int report_rounds_add(struct report_rounds *rounds, const struct report_round *round,
                      struct error *error);

/* A round by its place, from 0. One that cannot be read back looks cut off. */
struct report_round report_rounds_at(struct report_rounds *rounds, size_t index);

#endif
