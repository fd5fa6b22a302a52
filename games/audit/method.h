/*
 * How one game is audited: what games/audit/audit.c asks of it. A method's plan is everything its
 * units share, constant once made; a unit stands for one suit-canonical hand or board and adds to
 * sums that start at 0. Sums are int64_t so that parts can be added without knowing what they mean;
 * what may not fit is added up in wide_t when the entries are made.
 */
#ifndef GAMES_AUDIT_METHOD_H
#define GAMES_AUDIT_METHOD_H

#include "games/audit/audit.h"

struct audit_method {
    size_t units;
    size_t scratch_size; /* bytes a worker needs to do a unit; their content means nothing */
    /* One block for free(), the request copied into it; NULL when memory has run out. */
    void *(*plan)(const struct audit_request *request);
    size_t (*sums)(const void *plan);
    void (*unit)(const void *plan, size_t unit, void *scratch, int64_t *sums);
    size_t (*entries)(const void *plan, const int64_t *sums, struct audit_entry *entries);
};

#endif
