/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "tools/help/help.h"

static const char beginning[] =
    "#compdef dealproof\n"
    "# Completes command lines of dealproof in zsh: 'dealproof help --completion zsh'.\n"
    "local -a commands switches\n"
    "local command=$words[2]\n"
    "if ((CURRENT == 2)); then\n";

static const char middle[] = "    switches=(\n"
                             "        '-h:list the commands' '--help:list the commands'\n"
                             "        '-V:print the version' '--version:print the version'\n"
                             "    )\n"
                             "    _describe -t commands command commands\n"
                             "    _describe -o option switches\n"
                             "    return\n"
                             "fi\n"
                             "((CURRENT--))\n"
                             "shift words\n";

/* Text between single quotes; letters of `special` get a backslash. */
static void put_quoted(const char *text, size_t length, const char *special)
{
    for (size_t i = 0; i < length; i++)
        if (text[i] == '\'')
            fputs("'\\''", stdout);
        else if (text[i] == '\\' || strchr(special, text[i]))
            printf("\\%c", text[i]);
        else
            putchar(text[i]);
}

/* The commands of a registry, or all. */
static void put_commands(const struct command *of)
{
    const struct command *command;

    printf("    commands=(\n");
    for (size_t i = 0; (command = of ? registry_at(of->parts, i) : help_command_at(i)); i++) {
        const char *name = of ? command->name + strlen(of->name) + 1 : command->name;

        if (strchr(name, ' '))
            break;
        printf("        '%s:", name);
        put_quoted(command->summary, strlen(command->summary), "");
        printf("'\n");
    }
    printf("    )\n");
}

static void put_action(const struct help_words *words)
{
    if (*words->list && words->files)
        printf("_alternative \"words\\:word\\:(%s)\" \"files\\:file\\:_files\"", words->list);
    else if (*words->list)
        printf("(%s)", words->list);
    else
        fputs(words->files ? "_files" : " ", stdout);
}

/* The first clause of what --help says. */
static size_t clause(const char *help)
{
    const char *end = strstr(help, "; ");
    size_t line = strcspn(help, "\n");

    return end && (size_t)(end - help) < line ? (size_t)(end - help) : line;
}

/* '(-j --jobs)'{-j+,--jobs=}'[help]:N:action' */
static void put_option(const struct option_row *row)
{
    const char *optional = options_is_optional(row) ? "-" : "", *value = row->argument ? "=" : "";
    struct help_words words;

    printf(" \\\n        ");
    if (row->letter)
        printf("'%s'{-%c%s,--%s%s%s}'[", row->read ? "*" : "", row->letter,
               row->argument ? "+" : "", row->name, value, optional);
    else
        printf("'%s--%s%s%s[", row->read ? "*" : "", row->name, value, optional);
    put_quoted(row->help, clause(row->help), "[]");
    printf("]");
    if (row->argument) {
        help_values(row->argument, &words);
        printf("%s", *optional ? "::" : ":");
        put_quoted(row->argument, strlen(row->argument), ":");
        printf(":");
        put_action(&words);
    }
    printf("'");
}

static void put_command(const struct command *command)
{
    struct option_table table;
    struct help_words words;

    options_lay_out(command, &table);
    help_arguments(command, &words);
    printf("'%s')\n    _arguments -s -S", command->name);
    for (size_t i = 0; i < table.count; i++)
        if (table.rows[i].name)
            put_option(&table.rows[i]);
    printf(" \\\n        '*:argument:");
    put_action(&words);
    printf("'\n    ;;\n");
}

void help_complete_zsh(void)
{
    const struct command *command;

    fputs(beginning, stdout);
    put_commands(NULL);
    fputs(middle, stdout);
    for (size_t i = 0; (command = help_command_at(i)); i++) {
        if (!command->parts)
            continue;
        printf("if [[ $command == %s ]]; then\n", command->name);
        put_commands(command);
        printf("    if ((CURRENT == 2)); then\n        _describe -t commands command commands\n"
               "        return\n    fi\n    command+=\" $words[2]\"\n    ((CURRENT--))\n"
               "    shift words\nfi\n");
    }
    printf("case $command in\n");
    for (size_t i = 0; (command = help_command_at(i)); i++)
        put_command(command);
    printf("esac\n");
}
