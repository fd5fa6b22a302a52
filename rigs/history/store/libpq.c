/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/history/store/libpq.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>

#define LIBRARY "libpq.so.5"

struct pq_library pq;

static bool is_loaded;

static void load(void)
{
    void *library = dlopen(LIBRARY, RTLD_NOW);

    is_loaded = library != NULL;
#define PQ_FUNCTION(name)                                                                          \
    if (is_loaded)                                                                                 \
        is_loaded = (*(void **)&pq.name = dlsym(library, "PQ" #name)) != NULL;
    PQ_FUNCTIONS(PQ_FUNCTION)
#undef PQ_FUNCTION
}

int pq_load(struct error *error)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, load);
    if (!is_loaded)
        return error_set(error, ERROR_RIG,
                         "%s cannot be loaded, so there is no PostgreSQL: install libpq5", LIBRARY);
    return 0;
}
