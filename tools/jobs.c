#include "tools/jobs.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>

unsigned jobs_default(void)
{
    cpu_set_t cores;
    int count = sched_getaffinity(0, sizeof cores, &cores) ? 1 : CPU_COUNT(&cores);

    return count < JOBS_MAX ? (unsigned)count : JOBS_MAX;
}

int jobs_read(const struct command *command, const char *text, unsigned *jobs)
{
    unsigned long value;
    char *end;

    errno = 0;
    value = strtoul(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || errno || value < 1 || value > JOBS_MAX)
        return command_usage_error(command, "--jobs is '%s'; it must be from 1 to %d", text,
                                   JOBS_MAX);
    *jobs = (unsigned)value;
    return EXIT_PASS;
}
