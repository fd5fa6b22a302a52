/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hal/base/random.h"

#include <errno.h>
#include <string.h>
#include <sys/random.h>

int random_fresh(void *bytes, size_t count, struct error *error)
{
    /* Up to 256 bytes come whole. */
    ssize_t got = getrandom(bytes, count, 0);

    if (got != (ssize_t)count)
        return error_set(error, ERROR_RIG, "this machine gives no random bytes: %s",
                         got < 0 ? strerror(errno) : "too few");
    return 0;
}
