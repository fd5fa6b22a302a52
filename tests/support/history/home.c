/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/history/home.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/suite.h"

struct process_result home_run(const char *const *arguments)
{
    return process_run(arguments, process_input("", 0));
}

struct history_home home_set_up(void)
{
    struct history_home home;
    char state[SCRATCH_PATH_SIZE + 16];

    scratch_path(home.folder);
    CU_ASSERT_EQUAL_FATAL(mkdir(home.folder, 0700), 0);
    snprintf(home.journal, sizeof home.journal, "%s/run.journal", home.folder);
    snprintf(home.store, sizeof home.store, "sqlite:%s/lab.db", home.folder);
    snprintf(state, sizeof state, "%s/state", home.folder);
    setenv("XDG_DATA_HOME", home.folder, 1);
    setenv("XDG_STATE_HOME", state, 1);
    unsetenv("DEALPROOF_STORE");
    return home;
}

void home_take_down(const struct history_home *home)
{
    scratch_remove(home->folder);
}

json_t *home_ask(const char *const *arguments)
{
    struct process_result result = home_run(arguments);
    json_t *answer = json_loads(result.out, 0, NULL);

    CU_ASSERT_EQUAL(result.status, 0);
    CU_ASSERT_PTR_NOT_NULL_FATAL(answer);
    process_free(&result);
    return answer;
}
