/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/station/library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>

#define LIBRARY "libmicrohttpd.so.12"

struct http_library http;

static bool is_loaded;

static void load(void)
{
    void *library = dlopen(LIBRARY, RTLD_NOW);

    is_loaded = library != NULL;
#define HTTP_FUNCTION(name)                                                                        \
    if (is_loaded)                                                                                 \
        is_loaded = (*(void **)&http.name = dlsym(library, "MHD_" #name)) != NULL;
    HTTP_FUNCTIONS(HTTP_FUNCTION)
#undef HTTP_FUNCTION
}

int http_load(struct error *error)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, load);
    if (!is_loaded)
        return error_set(error, ERROR_RIG,
                         "%s cannot be loaded, so there is no page: install libmicrohttpd12",
                         LIBRARY);
    return 0;
}
