/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/help/help.h"

#include <string.h>

REGISTRY(commands);

struct options {
    bool manual;
    const char *shell;
};

static const struct option_row rows[] = {
    {"man", 0, NULL, "the manual page of COMMAND, or of the program, for man -l -",
     OPTION_INTO(struct options, manual)},
    {"completion", 0, "SHELL", "what bash or zsh needs to complete command lines",
     OPTION_INTO(struct options, shell)},
    OPTIONS_END};

const struct command *help_command_at(size_t index)
{
    const struct command *command, *part;
    size_t seen = 0;

    for (size_t i = 0; (command = registry_at(&commands, i)); i++)
        if (seen++ == index)
            return command;
    for (size_t i = 0; (command = registry_at(&commands, i)); i++)
        for (size_t j = 0; command->parts && (part = registry_at(command->parts, j)); j++)
            if (seen++ == index)
                return part;
    return NULL;
}

static void print_commands(void)
{
    const struct command *command;

    printf("Usage: dealproof COMMAND [OPTION]... [ARGUMENT]...\n"
           "Proves that a card table's devices deal, sense and pay what the approved rules say.\n\n"
           "Commands:\n");
    for (size_t i = 0; (command = registry_at(&commands, i)); i++)
        printf("  %-12s %s\n", command->name, command->summary);
    printf("\nOptions:\n"
           "  -h, --help     this text; behind a command, that command's\n"
           "  -V, --version  the version and the commit that it was built from\n");
    printf("\n'dealproof help COMMAND' explains one of them. Exit status: 0 pass, 1 fail,\n"
           "2 usage or configuration, 3 device, 4 rig, 5 timeout, 6 too few shuffles to say,\n"
           "130 aborted.\n");
}

static int complete(const struct command *help, const char *shell)
{
    if (!strcmp(shell, "bash"))
        help_complete_bash();
    else if (!strcmp(shell, "zsh"))
        help_complete_zsh();
    else
        return command_usage_error(help, "--completion is '%s'; it must be bash or zsh", shell);
    return command_finish(help, EXIT_PASS);
}

/* "help" lists the commands, "help COMMAND" is "COMMAND --help", of a part as well. */
static int run_help(const struct command *help, int argc, char **argv)
{
    static char asked[] = "--help";
    struct options options = {.manual = false};
    const struct command *command = NULL;
    int status;
    char **names = options_read(help, argc, argv, &options, &status);

    if (!names)
        return status;
    if (options.shell)
        return complete(help, options.shell);
    if (*names && !(command = command_find(*names)))
        return command_usage_error(NULL, "unknown command '%s'", *names);
    if (command && names[1] && (!command->parts || names[2]))
        return command_usage_error(help, "'%s' is one too many: it explains one command",
                                   names[command->parts ? 2 : 1]);
    if (options.manual)
        help_manual(command);
    else if (!command)
        print_commands();
    else if (command->parts && names[1])
        return command->run(command, 3, (char *[]){names[0], names[1], asked, NULL});
    else
        return command->run(command, 2, (char *[]){names[0], asked, NULL});
    return command_finish(help, EXIT_PASS);
}

static const struct command help = {
    .name = "help",
    .synopsis = "[--man] [COMMAND]\n"
                "       dealproof help --completion bash|zsh",
    .summary = "List the commands, or explain one of them",
    .about = "Says what --help of a command says. Manual pages and what shells complete are made "
             "of the\n"
             "same tables.\n",
    .options = rows,
    .help = "Examples:\n"
            "  dealproof help run\n"
            "  dealproof help --man run | man -l -\n"
            "  eval \"$(dealproof help --completion bash)\"\n\n"
            "Exit status: 0, 2 usage, 4 writing failed.\n",
    .run = run_help,
};
REGISTER(commands, help);
