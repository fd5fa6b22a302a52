/*
 * One suite a program: a table of tests, run by CUnit. A test's name states the rule that it
 * proves. The program prints each failed assertion and ends with "SUITE: N passed, N failed";
 * its exit status is 0 only if every test passed. An argument runs just the tests whose names
 * contain it. $NOT_HERE names tests, between spaces, that this machine cannot run; each is said.
 */
#ifndef TESTS_SUPPORT_SUITE_H
#define TESTS_SUPPORT_SUITE_H

#include <CUnit/CUnit.h>
#include <stddef.h>

struct test {
    const char *name;
    void (*run)(void);
};

#define TEST(name)                                                                                 \
    {                                                                                              \
#name, name                                                                                \
    }

int suite_run(const char *suite, const struct test *tests, size_t count, int argc, char **argv);

#define SUITE(suite, ...)                                                                          \
    int main(int argc, char **argv)                                                                \
    {                                                                                              \
        static const struct test tests[] = {__VA_ARGS__};                                          \
                                                                                                   \
        return suite_run(suite, tests, sizeof tests / sizeof tests[0], argc, argv);                \
    }

#endif
