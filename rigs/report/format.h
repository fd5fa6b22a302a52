/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The formats that a report is written in. A format is one file, which makes itself known by
 * REGISTER(report_formats, x): 'dealproof report' then has it as an option and '--reports DIR'
 * leaves it in the folder.
 */
#ifndef RIGS_REPORT_FORMAT_H
#define RIGS_REPORT_FORMAT_H

#include <stdio.h>

#include "hal/base/registry.h"
#include "rigs/report/report.h"

struct report_format {
    const char *name;    /* also the option's: "junit" is --junit */
    const char *file;    /* what it is called in the folder of --reports */
    const char *summary; /* for --help, without a full stop */
    int rank;            /* its place among the others; 0 where it does not matter */
    /* Errors of writing are the stream's, to be asked with ferror(). */
    void (*write)(const struct report *report, FILE *out);
};

/* NULL when there is none of that name. */
const struct report_format *report_format_find(const char *name);

/* The page comes last, so that what people open stands at the end of what a run prints. */
#define REPORT_RANK_LAST 100

/* One after the other, NULL after the last: from the lowest rank to the highest, then by name. */
const struct report_format *report_format_at(size_t index);

/*
 * Writes a file whole or not at all: ERROR_RIG leaves what was there. What is there and no file,
 * such as a pipe, is written as it is.
 */
int report_save(const struct report *report, const struct report_format *format, const char *path,
                struct error *error);

#endif
