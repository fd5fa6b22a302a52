/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What names this machine knows. A fresh root of Debian has no /etc/hosts, so not even "localhost"
 * is sure.
 */
#ifndef TESTS_SUPPORT_RESOLVER_H
#define TESTS_SUPPORT_RESOLVER_H

#include <stdbool.h>

bool resolver_knows(const char *name);

#endif
