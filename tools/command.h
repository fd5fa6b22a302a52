/*
 * The commands of the one binary. A command registers itself with COMMAND() in its own file; it
 * gets its name as argv[0], returns the exit status, and prints results on standard output and
 * everything else on standard error.
 */
#ifndef TOOLS_COMMAND_H
#define TOOLS_COMMAND_H

#include <stdbool.h>

#include "hal/base/error.h"

enum exit_status {
    EXIT_PASS = 0,
    EXIT_FAIL = 1,
    EXIT_USAGE = 2,
    EXIT_DEVICE = 3,
    EXIT_RIG = 4,
    EXIT_TIMEOUT = 5,
    EXIT_TOO_FEW = 6, /* shuffles to say */
    EXIT_ABORTED = 130,
};

struct command {
    const char *name;
    const char *synopsis; /* what follows the name: "[--json] [GAME]" */
    const char *summary;  /* for the list of commands: a verb first, no full stop */
    const char *help;     /* what --help says below the synopsis: teaches, with examples */
    int (*run)(const struct command *command, int argc, char **argv);
};

#define COMMAND(name)                                                                              \
    static const struct command *const name##_entry __attribute__((used, section("commands"))) =   \
        &(name)

/* --help of one command, on standard output. */
void command_help(const struct command *command);

/* "dealproof COMMAND: MESSAGE" and where help is, on standard error; returns EXIT_USAGE. */
int command_usage_error(const struct command *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* "dealproof COMMAND: SENTENCE" on standard error; returns the exit status of the error's code. */
int command_error(const struct command *command, const struct error *error);

/*
 * Flushes standard output and says so if it could not be written (a full disk, a closed pipe):
 * returns `status`, or EXIT_RIG.
 */
int command_finish(const struct command *command, int status);

#endif
