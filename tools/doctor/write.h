/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What 'dealproof doctor' says of this machine, for who keeps it with a run: without figures that
 * are others each time.
 */
#ifndef TOOLS_DOCTOR_WRITE_H
#define TOOLS_DOCTOR_WRITE_H

#include <stdio.h>

void doctor_write(FILE *out);

#endif
