#include "tools/command.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

extern const struct command *const __start_commands[];
extern const struct command *const __stop_commands[];

static const char intro[] =
    "Proves that a card table's devices deal, sense and pay what the approved rules say.\n";

/* The commands one after the other, as the linker put them side by side; NULL at the end. */
static const struct command *command_at(size_t index)
{
    /* cppcheck-suppress comparePointers */
    return index < (size_t)(__stop_commands - __start_commands) ? __start_commands[index] : NULL;
}

static void print_help(void)
{
    const struct command *command;

    printf("Usage: dealproof COMMAND [OPTION]... [ARGUMENT]...\n%s\nCommands:\n", intro);
    for (size_t i = 0; (command = command_at(i)); i++)
        printf("  %-10s %s\n", command->name, command->summary);
    printf("\n'dealproof COMMAND --help' explains one of them. Exit status: 0 pass, 1 fail,\n"
           "2 usage or configuration, 3 device, 4 rig, 5 timeout, 130 aborted.\n");
}

void command_help(const struct command *command)
{
    printf("Usage: dealproof %s %s\n%s.\n\n%s", command->name, command->synopsis, command->summary,
           command->help);
}

int command_usage_error(const struct command *command, const char *format, ...)
{
    va_list arguments;

    fprintf(stderr, "dealproof %s: ", command->name);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fprintf(stderr, "\nTry 'dealproof %s --help'.\n", command->name);
    return EXIT_USAGE;
}

int command_error(const struct command *command, const struct error *error)
{
    fprintf(stderr, "dealproof %s: %s\n", command->name, error->text);
    return -(int)error->code;
}

int command_finish(const struct command *command, int status)
{
    if (!fflush(stdout) && !ferror(stdout))
        return status;
    fprintf(stderr, "dealproof %s: cannot write standard output: %s\n", command->name,
            strerror(errno));
    return EXIT_RIG;
}

int main(int argc, char **argv)
{
    const struct command *command;

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
        return EXIT_PASS;
    }
    if (!strcmp(argv[1], "--version")) {
        printf("dealproof %s\n", DEALPROOF_VERSION);
        return EXIT_PASS;
    }
    for (size_t i = 0; (command = command_at(i)); i++)
        if (!strcmp(command->name, argv[1]))
            return command->run(command, argc - 1, argv + 1);
    fprintf(stderr, "dealproof: unknown command '%s'\nTry 'dealproof --help'.\n", argv[1]);
    return EXIT_USAGE;
}
