/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How PROGRAM of the open wire protocol says what is to be dealt. Version 1: by the number of a
 * deal that the protocol knows, or as custom, which lists its packets and has no draws. Version 2:
 * every packet and the draws. Pure.
 */
#ifndef DEVICES_SHUFFLER_OPEN_PROGRAM_H
#define DEVICES_SHUFFLER_OPEN_PROGRAM_H

#include "devices/shuffler/shuffler.h"

#define SHUFFLER_PROGRAM_MAX (4 + SHUFFLER_PACKETS_MAX)

/* Writes the payload; ERROR_CONFIG when version 1 has no way to say it. */
int shuffler_put_program(const struct shuffler_program *program, const char *address,
                         uint8_t payload[SHUFFLER_PROGRAM_MAX], size_t *size, struct error *error);

/* The same in version 2, which can say all of them. */
void shuffler_put_wide_program(const struct shuffler_program *program,
                               uint8_t payload[SHUFFLER_PROGRAM_MAX], size_t *size);

#endif
