/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs other programs for a test: the oracle, and whatever
 * else a test compares with it. Results are the caller's to free.
 */
#ifndef TESTS_SUPPORT_ORACLE_RUN_H
#define TESTS_SUPPORT_ORACLE_RUN_H

/* Where the oracle is: the environment's ORACLE, else that of the plain build. */
const char *oracle_program(void);

/*
 * What a shell command prints, NULL if it cannot be started; `status` gets its exit status, -1 if
 * a signal ended it.
 */
__attribute__((format(printf, 2, 3))) char *oracle_shell(int *status, const char *format, ...);

#endif
