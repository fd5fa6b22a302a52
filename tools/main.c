/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tools/build.h"
#include "tools/command.h"

REGISTRY(commands);

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

static int run_named(int argc, char **argv)
{
    const struct command *command = command_find(argv[0]);

    if (!command)
        return command_usage_error(NULL, "unknown command '%s'", argv[0]);
    return command->run(command, argc, argv);
}

int main(int argc, char **argv)
{
    static char help[] = "help";

    occupy_standard_descriptors();
    /*
     * A reader that has seen enough, or a file that may not grow, is an error of write(2), not a
     * reason to die.
     */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    command_choose_form(argv);
    if (argc < 2)
        return command_usage_error(NULL, "no command given");
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))
        return run_named(1, (char *[]){help, NULL});
    if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V")) {
        if (argv[2])
            return command_usage_error(NULL, "unknown argument '%s'", argv[2]);
        printf("dealproof %s (%s)\n", DEALPROOF_VERSION, build_commit);
        return command_finish(NULL, EXIT_PASS);
    }
    return run_named(argc - 1, argv + 1);
}
