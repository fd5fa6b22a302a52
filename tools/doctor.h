/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What `dealproof doctor` found out, one finding a line. The checks add findings; the command
 * prints them. A finding's texts are copied.
 */
#ifndef TOOLS_DOCTOR_H
#define TOOLS_DOCTOR_H

#include <stddef.h>

#include "hal/base/error.h"

enum verdict {
    VERDICT_OK,
    VERDICT_WARN, /* works, but not as well as it could */
    VERDICT_FAIL, /* a device or a clock that is there cannot be used */
};

struct finding {
    enum verdict verdict;
    char what[96];
    char detail[ERROR_TEXT_SIZE];
    char remedy[256]; /* "" when there is nothing to do */
};

struct findings {
    size_t count, room;
    struct finding *list;
    int lost; /* memory ran out */
};

/* `remedy` may be NULL. */
void findings_add(struct findings *findings, enum verdict verdict, const char *what,
                  const char *remedy, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* The serial ports, USB devices and GPIO chips that are here, and whether they may be opened. */
void doctor_check_devices(struct findings *findings);

/* The libraries, the clock, and the way to cancel a wait. */
void doctor_check_machine(struct findings *findings);

/*
 * The bench of a rig file: opens every device, moves every actuator and lamp once. A device that
 * fails is a finding; a rig file that cannot be used is an error.
 */
int doctor_check_rig(struct findings *findings, const char *path, struct error *error);

#endif
