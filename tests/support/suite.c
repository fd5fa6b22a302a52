/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/suite.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/seeded.h"

static void print_failures(const char *suite)
{
    for (CU_pFailureRecord f = CU_get_failure_list(); f; f = f->pNext)
        fprintf(stderr, "%s: %s: %s:%u: %s\n", suite, f->pTest ? f->pTest->pName : "?",
                f->strFileName, f->uiLineNumber, f->strCondition);
}

/* This machine cannot run the test, as $NOT_HERE says. */
static bool is_not_for_here(const char *name)
{
    const char *words = getenv("NOT_HERE");
    size_t length = strlen(name);

    while (words && *words) {
        size_t word = strcspn(words, " ");

        if (word == length && !strncmp(words, name, length))
            return true;
        words += word + strspn(words + word, " ");
    }
    return false;
}

static bool add(CU_pSuite into, const char *suite, const struct test *test)
{
    if (is_not_for_here(test->name)) {
        printf("%s: %s: not run here\n", suite, test->name);
        return true;
    }
    return CU_add_test(into, test->name, test->run);
}

/* Made by the linker: the two ends of one array, in no order that could be relied on. */
extern const struct test *__start_tests[] __attribute__((weak));
extern const struct test *__stop_tests[] __attribute__((weak));

static int by_line(const void *a, const void *b)
{
    const struct test *const *left = a, *const *right = b;
    int order = (*left)->line - (*right)->line;

    return order ? order : strcmp((*left)->name, (*right)->name);
}

/* An order that follows from the seed in $TEST_ORDER and the suite's name. */
static void shuffle(const struct test **tests, size_t count, const char *suite)
{
    const char *seed = getenv("TEST_ORDER");
    uint64_t state;

    if (!seed || !*seed)
        return;
    state = strtoull(seed, NULL, 10);
    for (const char *at = suite; *at; at++)
        state = state * 31 + (unsigned char)*at;
    for (size_t i = count; i > 1; i--) {
        size_t other = seeded_below(&state, (unsigned)i);
        const struct test *test = tests[i - 1];

        tests[i - 1] = tests[other];
        tests[other] = test;
    }
}

/* "hal/link/tap" of ".../tests/hal/link/test_tap". */
static const char *suite_name(const char *program, char *name, size_t size)
{
    const char *from = program, *base, *found;

    while ((found = strstr(from, "tests/")))
        from = found + strlen("tests/");
    base = strstr(from, "test_");
    if (base)
        snprintf(name, size, "%.*s%s", (int)(base - from), from, base + strlen("test_"));
    else
        snprintf(name, size, "%s", from);
    return name;
}

int main(int argc, char **argv)
{
    const char *filter = argc > 1 ? argv[1] : "";
    size_t count = (size_t)(__stop_tests - __start_tests);
    const struct test **tests = calloc(count, sizeof *tests);
    char suite[128];
    CU_pSuite s;
    unsigned run, failed;

    setvbuf(stdout, NULL, _IOLBF, 0);
    suite_name(argv[0], suite, sizeof suite);
    if (!tests || CU_initialize_registry() || !(s = CU_add_suite(suite, NULL, NULL))) {
        fprintf(stderr, "%s: %s\n", suite, CU_get_error_msg());
        return EXIT_FAILURE;
    }
    memcpy(tests, __start_tests, count * sizeof *tests);
    qsort(tests, count, sizeof *tests, by_line);
    shuffle(tests, count, suite);
    for (size_t i = 0; i < count; i++)
        if (strstr(tests[i]->name, filter) && !add(s, suite, tests[i])) {
            fprintf(stderr, "%s: %s: %s\n", suite, tests[i]->name, CU_get_error_msg());
            return EXIT_FAILURE;
        }
    CU_run_all_tests();
    print_failures(suite);
    run = CU_get_number_of_tests_run();
    failed = CU_get_number_of_tests_failed();
    printf("%s: %u passed, %u failed\n", suite, run - failed, failed);
    CU_cleanup_registry();
    free(tests);
    return run && !failed ? EXIT_SUCCESS : EXIT_FAILURE;
}
