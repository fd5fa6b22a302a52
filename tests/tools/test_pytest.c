/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The plugin for pytest, by tests that are pytest's own: with Debian's, whatever python3 is. */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "tests/support/scratch.h"
#include "tests/support/shell.h"
#include "tests/support/suite.h"

#define MAKE   "env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make -s"
#define PYTHON "/usr/bin/python3"

TEST(the_plugin_for_pytest_believes_no_program)
{
    int status = system("PYTHONPATH=tools " PYTHON " -B -m pytest -q -p pytester "
                        "-p no:cacheprovider tests/pytest 2>&1");

    CU_ASSERT(WIFEXITED(status) && !WEXITSTATUS(status));
}

/* In which folders of those where this Python looks, below one that stands for the machine. */
static char *find_plugin(const char *machine)
{
    int status;

    return shell_run(&status,
                     "for folder in $(" PYTHON " -I -c 'import site; "
                     "print(*site.getsitepackages())'); do "
                     "[ ! -e %s$folder/pytest_dealproof.py ] || echo $folder; done",
                     machine);
}

static void check_installed(const char *prefix)
{
    char machine[SCRATCH_PATH_SIZE], *folders;
    int status;

    scratch_folder(machine);
    free(shell_run(&status, MAKE " install-shared DESTDIR=%s PREFIX=%s 2>&1", machine, prefix));
    CU_ASSERT_EQUAL(status, 0);
    folders = find_plugin(machine);
    CU_ASSERT_PTR_EQUAL(strstr(folders, prefix), folders);
    CU_ASSERT_PTR_NOT_NULL(strstr(folders, "/lib/"));
    free(folders);
    free(shell_run(&status, MAKE " uninstall DESTDIR=%s PREFIX=%s 2>&1", machine, prefix));
    CU_ASSERT_EQUAL(status, 0);
    folders = shell_run(&status, "find %s -type f", machine);
    CU_ASSERT_STRING_EQUAL(folders, "");
    free(folders);
    scratch_remove(machine);
}

TEST(python_finds_the_plugin_where_it_is_installed)
{
    check_installed("/usr/local");
    check_installed("/usr");
}
