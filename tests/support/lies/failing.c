/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/lies/failing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/suite.h"

void failing_begin(struct failing *failing, const char *call, unsigned at, int reason,
                   const char *more)
{
    const char *program = getenv("DEALPROOF");
    char library[512], order[64];

    snprintf(library, sizeof library, "%.*s/tests/preload/failing.so",
             (int)(strrchr(program, '/') - program), program);
    CU_ASSERT_EQUAL_FATAL(access(library, R_OK), 0);
    scratch_path(failing->failed);
    snprintf(order, sizeof order, "%s %u %d %s", call, at, reason, more);
    setenv("FAILED", failing->failed, 1);
    setenv("FAILING", order, 1);
    setenv("LD_PRELOAD", library, 1);
}

bool failing_end(const struct failing *failing)
{
    unsetenv("LD_PRELOAD");
    unsetenv("FAILING");
    return !unlink(failing->failed);
}
