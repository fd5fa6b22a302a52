/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs what a shell can run: the program under test with its errors among its output, the oracle,
 * and whatever else a test compares with them. Texts are the caller's to free.
 */
#ifndef TESTS_SUPPORT_SHELL_H
#define TESTS_SUPPORT_SHELL_H

/* Where they are: the environment's DEALPROOF and ORACLE, else those of the plain build. */
const char *shell_dealproof(void);
const char *shell_oracle(void);

/*
 * What a shell command prints, NULL if it cannot be started; `status` gets its exit status, -1 if
 * a signal ended it.
 */
__attribute__((format(printf, 2, 3))) char *shell_run(int *status, const char *format, ...);

/* The same of "dealproof ARGUMENTS", its errors among the output; never NULL. */
char *shell_command(int *status, const char *arguments);

/* "dealproof ARGUMENTS" must exit so and print these words among others. */
void shell_says(const char *arguments, int wanted, const char *words);

#endif
