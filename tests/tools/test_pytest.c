/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The plugin for pytest, by tests that are pytest's own: with Debian's, whatever python3 is. */
#include <stdlib.h>
#include <sys/wait.h>

#include "tests/support/suite.h"

TEST(the_plugin_for_pytest_believes_no_program)
{
    int status = system("PYTHONPATH=tools /usr/bin/python3 -B -m pytest -q -p pytester "
                        "-p no:cacheprovider tests/pytest 2>&1");

    CU_ASSERT(WIFEXITED(status) && !WEXITSTATUS(status));
}
