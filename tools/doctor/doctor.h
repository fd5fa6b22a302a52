/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What `dealproof doctor` found out, one finding a line. The checks add findings; the command
 * prints them. A finding's texts are copied.
 */
#ifndef TOOLS_DOCTOR_DOCTOR_H
#define TOOLS_DOCTOR_DOCTOR_H

#include <stdbool.h>
#include <stddef.h>

#include "hal/base/error.h"

#define FINDING_REMEDY_SIZE 320

enum finding_verdict {
    FINDING_OK,
    FINDING_WARN, /* works, but not as well as it could */
    FINDING_FAIL, /* a device or a clock that is there cannot be used */
};

struct finding {
    enum finding_verdict verdict;
    char what[96];
    char detail[ERROR_TEXT_SIZE];
    char remedy[FINDING_REMEDY_SIZE]; /* "" when there is nothing to do */
};

struct findings {
    size_t count, room;
    struct finding *list;
    int lost;     /* memory ran out */
    bool is_kept; /* with a run: nothing in it that is another each time */
};

/* `remedy` is NULL where nothing has to be done: of FINDING_OK alone. */
void findings_add(struct findings *findings, enum finding_verdict verdict, const char *what,
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
int doctor_check_rig(struct findings *findings, const char *command, const char *path,
                     struct error *error);

/* All of that printed, for another command: its exit status. The JSON is one line. */
struct command;
int doctor_report(const struct command *command, const char *rig, bool json);

/* The lines of a shuffler on pins, as they are while nothing is dealt. */
struct shuffler;
void doctor_check_shuffler(struct findings *findings, struct shuffler *shuffler);

/* The codes and test modes of an open bench, which is left as it was. */
struct bench;
void doctor_check_access(struct findings *findings, struct bench *bench);

#endif
