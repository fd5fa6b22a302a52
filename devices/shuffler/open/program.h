/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How PROGRAM of the open wire protocol, version 1, says what is to be dealt: by the number of a
 * deal that the protocol knows, or as custom, which lists its packets and has no draws. Pure.
 */
#ifndef DEVICES_SHUFFLER_OPEN_PROGRAM_H
#define DEVICES_SHUFFLER_OPEN_PROGRAM_H

#include "devices/shuffler/shuffler.h"

#define SHUFFLER_PROGRAM_MAX (4 + SHUFFLER_PACKETS_MAX)

/* Writes the payload; ERROR_CONFIG when version 1 has no way to say it. */
int shuffler_put_program(const struct shuffler_program *program, const char *address,
                         uint8_t payload[SHUFFLER_PROGRAM_MAX], size_t *size, struct error *error);

#endif
