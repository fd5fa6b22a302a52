/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * libpq, loaded when the first store of PostgreSQL is named: it brings Kerberos, LDAP and OpenSSL,
 * whose loading takes longer than a short run. Nothing is kept but the functions.
 */
#ifndef RIGS_HISTORY_STORE_LIBPQ_H
#define RIGS_HISTORY_STORE_LIBPQ_H

#include <libpq-fe.h>

#include "hal/base/error.h"

#define PQ_FUNCTIONS(EACH)                                                                         \
    EACH(connectdbParams)                                                                          \
    EACH(status)                                                                                   \
    EACH(errorMessage)                                                                             \
    EACH(connectionNeedsPassword)                                                                  \
    EACH(connectionUsedPassword)                                                                   \
    EACH(finish)                                                                                   \
    EACH(execParams)                                                                               \
    EACH(resultStatus)                                                                             \
    EACH(resultErrorField)                                                                         \
    EACH(ntuples)                                                                                  \
    EACH(getisnull)                                                                                \
    EACH(getvalue)                                                                                 \
    EACH(getlength)                                                                                \
    EACH(clear)                                                                                    \
    EACH(conninfoParse)                                                                            \
    EACH(conninfoFree)                                                                             \
    EACH(freemem)                                                                                  \
    EACH(setNoticeProcessor)

/* pq.status() is PQstatus(), and so on. */
struct pq_library {
#define PQ_FUNCTION(name) __typeof__(PQ##name) *name;
    PQ_FUNCTIONS(PQ_FUNCTION)
#undef PQ_FUNCTION
};

/* Filled in by the first pq_load() that succeeds, and never changed after that. */
extern struct pq_library pq;

/* ERROR_RIG when the library is not installed. Any thread. */
int pq_load(struct error *error);

#endif
