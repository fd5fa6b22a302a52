/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many threads a command works on: --jobs and -j, alike for every command that has them. */
#ifndef TOOLS_JOBS_H
#define TOOLS_JOBS_H

#define JOBS_MAX 64

#define JOBS_HELP "threads, 1 to 64 (default: one per core); the output is the same for any N"

/* One for each core that this process may run on. */
unsigned jobs_default(void);

#endif
