/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * libmicrohttpd, loaded when the first page is served. It brings GnuTLS and nine more libraries,
 * whose loading takes as long as a short run; a run without a page shall not pay for it.
 */
#ifndef RIGS_STATION_LIBRARY_H
#define RIGS_STATION_LIBRARY_H

#include <microhttpd.h>

#include "hal/base/error.h"

#define HTTP_FUNCTIONS(EACH)                                                                       \
    EACH(start_daemon)                                                                             \
    EACH(stop_daemon)                                                                              \
    EACH(run)                                                                                      \
    EACH(get_timeout)                                                                              \
    EACH(get_daemon_info)                                                                          \
    EACH(get_connection_info)                                                                      \
    EACH(add_connection)                                                                           \
    EACH(suspend_connection)                                                                       \
    EACH(resume_connection)                                                                        \
    EACH(get_connection_values)                                                                    \
    EACH(create_response_from_buffer)                                                              \
    EACH(create_response_from_callback)                                                            \
    EACH(add_response_header)                                                                      \
    EACH(queue_response)                                                                           \
    EACH(destroy_response)

/* http.run() is MHD_run(), and so on. */
struct http_library {
#define HTTP_FUNCTION(name) __typeof__(MHD_##name) *name;
    HTTP_FUNCTIONS(HTTP_FUNCTION)
#undef HTTP_FUNCTION
};

/* Filled in by the first http_load() that succeeds, and never changed after that. */
extern struct http_library http;

/* ERROR_RIG when the library is not installed. Any thread. */
int http_load(struct error *error);

#endif
