/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What was found of each clause of a class. The records own their frames. */
#ifndef DEVICES_CONFORM_RECORDS_H
#define DEVICES_CONFORM_RECORDS_H

#include "devices/conform/suite.h"

#define RECORD_WHY 240

struct suite_record {
    const struct conform_clause *clause;
    unsigned version; /* of the page that it is on */
    enum conform_verdict verdict;
    bool is_held; /* something was held against it, or it is not offered */
    char why[RECORD_WHY];
    struct conform_frame *frames;
    size_t frame_count;
};

struct suite_records {
    struct suite_record *list; /* in the order of the page */
    size_t count;
};

/* The clause of that number in every chapter that there is, and the chapter; NULL: it has none. */
const struct conform_clause *records_clause(const char *id, const struct conform_chapter **of);

/* NULL when out of memory. */
struct suite_records *records_new(unsigned class);
void records_free(struct suite_records *records);

/* Tells all of them, or the one that was asked for, and counts. */
void records_tell(const struct suite *suite);

#endif
