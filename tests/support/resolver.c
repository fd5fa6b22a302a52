/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/resolver.h"

#include <netdb.h>
#include <stddef.h>

bool resolver_knows(const char *name)
{
    struct addrinfo *found;

    if (getaddrinfo(name, NULL, NULL, &found))
        return false;
    freeaddrinfo(found);
    return true;
}
