/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One suite a program. A test is written as TEST(what_must_be_so) { ... }, which is all that it
 * takes to be run; its name states the rule that it proves. The program is named after the file,
 * runs the tests in their order through CUnit, prints each failed assertion and ends with "SUITE: N
 * passed, N failed"; its exit status is 0 only if every test passed. An argument runs just the
 * tests whose names contain it. $NOT_HERE names tests, between spaces, that this machine cannot
 * run; each is said. $TEST_ORDER is the seed of another order than that of the file.
 */
#ifndef TESTS_SUPPORT_SUITE_H
#define TESTS_SUPPORT_SUITE_H

#include <CUnit/CUnit.h>

struct test {
    const char *name;
    void (*run)(void);
    int line;
};

#define TEST_ENTRY(name)                                                                           \
    static const struct test name##_test = {#name, name, __LINE__};                                \
    static const struct test *const name##_entry __attribute__((used, section("tests"))) =         \
        &name##_test;

#define TEST(name)                                                                                 \
    static void name(void);                                                                        \
    TEST_ENTRY(name)                                                                               \
    static void name(void)

/* A test that several suites share: its contract's header declares it, and a suite takes it. */
#define DECLARE_TEST(name)     void name(void);
#define TEST_OF_CONTRACT(name) TEST_ENTRY(name)

#endif
