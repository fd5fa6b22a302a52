/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A PostgreSQL server of Debian's package, for the tests of one program: in a folder of its own, on
 * a unix socket there, as another user where the tests run as root, who may not start one. It ends
 * with the program, which removes the folder by postgresql_stop().
 */
#ifndef TESTS_SUPPORT_HISTORY_POSTGRESQL_H
#define TESTS_SUPPORT_HISTORY_POSTGRESQL_H

#include <stdbool.h>

#define POSTGRESQL_USER     "lab"
#define POSTGRESQL_PASSWORD "open sesame"

/* False where the package is not installed. A server that does not start ends the program. */
bool postgresql_start(void);
void postgresql_stop(void);

/* An address of it, with a schema of that name, which is not made. */
#define POSTGRESQL_ADDRESS_SIZE 256
void postgresql_address(const char *schema, char address[POSTGRESQL_ADDRESS_SIZE]);

/* The folder of its socket. */
const char *postgresql_folder(void);

#endif
