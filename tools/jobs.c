/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/jobs.h"

#include <sched.h>

unsigned jobs_default(void)
{
    cpu_set_t cores;
    int count = sched_getaffinity(0, sizeof cores, &cores) ? 1 : CPU_COUNT(&cores);

    return count < JOBS_MAX ? (unsigned)count : JOBS_MAX;
}
