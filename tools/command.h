/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The commands of the one binary. A command is made known by REGISTER(commands, x) in its own file.
 * It gets its name as argv[0], returns the exit status, and prints results on standard output and
 * everything else on standard error.
 */
#ifndef TOOLS_COMMAND_H
#define TOOLS_COMMAND_H

#include <stdbool.h>

#include "hal/base/error.h"
#include "hal/base/registry.h"

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

struct option_row;      /* tools/options.h */
struct rig;             /* rigs/rig/rig.h */
struct recording_list;  /* rigs/recording/list.h */
struct recording_place; /* rigs/recording/files.h */
struct run_named;       /* tools/run/named.h */

/* What is played once more, and from what; a command takes over rig and recordings. */
struct command_again {
    const char *journal; /* that is written */
    struct rig *rig;
    struct recording_list *recordings;   /* NULL: as the command line names them, */
    const struct recording_place *place; /* and where they are; NULL: on the disk */
    struct run_named *named; /* nothing is played: they are held against these; NULL: it is */
};

struct command {
    const char *name;
    const char *synopsis;             /* what follows the name: "[--json] [GAME]" */
    const char *summary;              /* for the list of commands: a verb first, no full stop */
    const char *about;                /* --help before the options: what it does */
    void (*list)(void);               /* --help after that: what there is to name; NULL: nothing */
    const struct registry *parts;     /* commands called "NAME PART"; NULL: it has none */
    const struct option_row *options; /* up to OPTIONS_END */
    const char *help;                 /* --help after the options: examples, exit status */
    int (*run)(const struct command *command, int argc, char **argv);
    /*
     * Plays on emulated devices, in virtual time, what that command line has played, into a journal
     * and without leaving or showing anything else; NULL: it plays nothing.
     */
    int (*again)(const struct command *command, int argc, char **argv,
                 const struct command_again *again);
};

/* NULL when there is none of that name. */
const struct command *command_find(const char *name);

/*
 * Before anything is read: where the command line has --json or --questions, what
 * command_usage_error(), command_error() and command_finish() say is a line
 * {"error":{"command","message","status"}}.
 */
void command_choose_form(char *const *argv);

/*
 * An error under --json as a line of its own, for who writes to standard error in another way; its
 * length. No character of a message takes more than six bytes.
 */
#define COMMAND_MESSAGE_SIZE 1024
#define COMMAND_ERROR_SIZE   (6 * COMMAND_MESSAGE_SIZE + 128)
size_t command_json_error(const char *name, const char *message, int status,
                          char line[COMMAND_ERROR_SIZE]);

/*
 * "dealproof COMMAND: MESSAGE" and where help is, on standard error; returns EXIT_USAGE. The
 * command is NULL before one is chosen.
 */
int command_usage_error(const struct command *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* "dealproof COMMAND: SENTENCE" on standard error; returns the exit status of the error's code. */
int command_error(const struct command *command, const struct error *error);

/* The same of an end that no error has: returns `status`. */
int command_end(const struct command *command, int status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* "ready ADDRESS" on standard output, or {"ready":"ADDRESS"}: somebody may come now. */
void command_ready(const char *address, bool json);

/*
 * Flushes standard output and says so if it could not be written (a full disk, a closed pipe),
 * once: returns `status`, or EXIT_RIG. The command is NULL before one is chosen.
 */
int command_finish(const struct command *command, int status);

/* Another sentence says that it cannot be written: command_finish() does not, then. */
void command_loss_told(void);

#endif
