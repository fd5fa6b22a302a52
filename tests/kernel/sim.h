/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A chip of gpio-sim: lines like any other to libgpiod, whose inputs a test pulls and whose outputs
 * it looks at. The caller keeps the struct from sim_make() to sim_free().
 */
#ifndef TESTS_KERNEL_SIM_H
#define TESTS_KERNEL_SIM_H

#include "tests/kernel/guest.h"

#define SIM_LINES_MAX 32

struct sim {
    const char *label; /* also its name in configfs */
    unsigned count;
    int pull[SIM_LINES_MAX];  /* attributes of sysfs */
    int value[SIM_LINES_MAX]; /* likewise */
};

/* The label and an array of names, "" for a line without one; all must outlive it. */
void sim_make(struct sim *sim, const char *label, const char *const *names, unsigned count);
void sim_free(struct sim *sim);

void sim_pull(const struct sim *sim, unsigned line, bool up);
bool sim_value(const struct sim *sim, unsigned line);

#endif
