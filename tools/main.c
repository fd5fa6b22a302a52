/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/command.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

REGISTRY(commands);

static const char intro[] =
    "Proves that a card table's devices deal, sense and pay what the approved rules say.\n";

static void print_help(void)
{
    const struct command *command;

    printf("Usage: dealproof COMMAND [OPTION]... [ARGUMENT]...\n%s\nCommands:\n", intro);
    for (size_t i = 0; (command = registry_at(&commands, i)); i++)
        printf("  %-10s %s\n", command->name, command->summary);
    printf("\n'dealproof COMMAND --help' explains one of them. Exit status: 0 pass, 1 fail,\n"
           "2 usage or configuration, 3 device, 4 rig, 5 timeout, 6 too few shuffles to say,\n"
           "130 aborted.\n");
}

const struct command *command_find(const char *name)
{
    return registry_find(&commands, name);
}

/*
 * A standard descriptor that is closed would be given to the next file that is opened, which
 * results would then be written to. It is opened so that reading or writing it fails.
 */
static void occupy_standard_descriptors(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF &&
            open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
            _exit(EXIT_RIG);
}

int main(int argc, char **argv)
{
    const struct command *command;

    occupy_standard_descriptors();
    /*
     * A reader that has seen enough, or a file that may not grow, is an error of write(2), not a
     * reason to die.
     */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    if (argc < 2) {
        fprintf(stderr, "dealproof: no command given\nTry 'dealproof --help'.\n");
        return EXIT_USAGE;
    }
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help")) {
        print_help();
        return command_finish(NULL, EXIT_PASS);
    }
    if (!strcmp(argv[1], "--version")) {
        printf("dealproof %s\n", DEALPROOF_VERSION);
        return command_finish(NULL, EXIT_PASS);
    }
    command = command_find(argv[1]);
    if (command)
        return command->run(command, argc - 1, argv + 1);
    fprintf(stderr, "dealproof: unknown command '%s'\nTry 'dealproof --help'.\n", argv[1]);
    return EXIT_USAGE;
}
