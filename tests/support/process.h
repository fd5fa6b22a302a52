/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs the program under test, $DEALPROOF, and keeps what it says. The result owns its texts,
 * which end with a NUL; process_free() releases them.
 */
#ifndef TESTS_SUPPORT_PROCESS_H
#define TESTS_SUPPORT_PROCESS_H

#include <stddef.h>
#include <sys/types.h>

struct process_result {
    int status; /* of exit, or 128 + signal */
    char *out;
    char *err;
    size_t out_length;
    size_t err_length;
    long peak_kilobytes;
};

/* A file in memory that holds this text, to be read from its start; the caller closes it. */
int process_input(const char *text, size_t length);

/*
 * Starts the program with `arguments` (its name left out, NULL at the end) on three descriptors; a
 * negative one is closed in it.
 */
pid_t process_start(const char *const *arguments, int in, int out, int err);

/* Waits for its end. */
int process_wait(pid_t pid, long *peak_kilobytes);

/* Sends a signal and waits until it was taken: two of a kind that wait are one to the process. */
void process_signal(pid_t pid, int number);

/* Waits for an end that must be near: 128 + SIGKILL when it does not come within two minutes. */
int process_wait_soon(pid_t pid);

/* Starts it and waits for its end, reading `in`, which is closed. */
struct process_result process_run(const char *const *arguments, int in);
void process_free(struct process_result *result);

/* Frees the result: its exit status, or -1, when these words are nowhere in what it printed. */
int process_status_with(struct process_result result, const char *words);

/* The same on a terminal of so many columns, which all it says goes to: into `out`. */
struct process_result process_run_on_terminal(const char *const *arguments, unsigned columns);

/* The program is instrumented, so that its memory says nothing. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define PROCESS_INSTRUMENTED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define PROCESS_INSTRUMENTED 1
#endif
#endif
#ifndef PROCESS_INSTRUMENTED
#define PROCESS_INSTRUMENTED 0
#endif

#endif
