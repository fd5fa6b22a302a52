/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ends a suite with its first test that fails, where a mutant is alive: that has killed it, and the
 * tests that follow need not be run. The linker brings calls of CU_add_test() here.
 */
#include <CUnit/CUnit.h>
#include <stdlib.h>
#include <string.h>

CU_pTest __real_CU_add_test(CU_pSuite suite, const char *name, CU_TestFunc run);
CU_pTest __wrap_CU_add_test(CU_pSuite suite, const char *name, CU_TestFunc run);

#define TESTS_MAX 256
static struct {
    const char *name;
    CU_TestFunc run;
} tests[TESTS_MAX];
static unsigned count;

static void run_if_none_failed(void)
{
    const char *name = CU_get_current_test()->pName;

    if (getenv("MUTANT") && CU_get_number_of_failures())
        return;
    for (unsigned i = 0; i < count; i++)
        if (!strcmp(tests[i].name, name))
            tests[i].run();
}

CU_pTest __wrap_CU_add_test(CU_pSuite suite, const char *name, CU_TestFunc run)
{
    if (count == TESTS_MAX)
        return NULL;
    tests[count].name = name;
    tests[count++].run = run;
    return __real_CU_add_test(suite, name, run_if_none_failed);
}
