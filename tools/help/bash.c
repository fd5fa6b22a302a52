/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "tools/help/help.h"

static const char beginning[] =
    "# Completes command lines of dealproof in bash: 'dealproof help --completion bash'.\n"
    "_dealproof()\n"
    "{\n"
    "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}\n"
    "    local command=${COMP_WORDS[1]} options= arguments= values=\n"
    "\n"
    "    COMPREPLY=()\n"
    "    ((COMP_CWORD > 1)) || command=\n";

static const char end[] = "    esac\n"
                          "    case $values in\n"
                          "    '') [[ $word == -* ]] && values=$options || values=$arguments ;;\n"
                          "    nothing) return ;;\n"
                          "    esac\n"
                          "    [[ $values != *files ]] || compopt -o default 2>/dev/null\n"
                          "    COMPREPLY=($(compgen -W \"${values%files}\" -- \"$word\"))\n"
                          "}\n"
                          "complete -F _dealproof dealproof\n";

static void put_values(const struct help_words *words)
{
    printf("'%s%s%s'", words->list, *words->list && words->files ? " " : "",
           words->files   ? "files"
           : *words->list ? ""
                          : "nothing");
}

static void put_option_names(const struct option_table *table)
{
    printf("        options='");
    for (size_t i = 0; i < table->count; i++) {
        const struct option_row *row = &table->rows[i];

        if (row->name)
            printf("--%s ", row->name);
        if (row->name && row->letter)
            printf("-%c ", row->letter);
    }
    printf("'\n");
}

static void put_option_values(const struct option_table *table)
{
    printf("        case $before in\n");
    for (size_t i = 0; i < table->count; i++) {
        const struct option_row *row = &table->rows[i];
        struct help_words words;

        if (!row->name || !row->argument || options_is_optional(row))
            continue;
        help_values(row->argument, &words);
        printf("        --%s", row->name);
        if (row->letter)
            printf(" | -%c", row->letter);
        printf(") values=");
        put_values(&words);
        printf(" ;;\n");
    }
    printf("        esac\n        ;;\n");
}

static void put_command(const struct command *command)
{
    struct option_table table;
    struct help_words words;

    options_lay_out(command, &table);
    help_arguments(command, &words);
    printf("    '%s')\n        arguments=", command->name);
    put_values(&words);
    putchar('\n');
    put_option_names(&table);
    put_option_values(&table);
}

void help_complete_bash(void)
{
    const struct command *command;

    fputs(beginning, stdout);
    for (size_t i = 0; (command = help_command_at(i)); i++)
        if (command->parts)
            printf("    [[ $command != %s ]] || ((COMP_CWORD == 2)) || command+=\" "
                   "${COMP_WORDS[2]}\"\n",
                   command->name);
    printf("    case $command in\n    '')\n        arguments='");
    for (size_t i = 0; (command = help_command_at(i)); i++)
        if (!strchr(command->name, ' '))
            printf("%s ", command->name);
    printf("'\n        options='-h --help -V --version'\n        ;;\n");
    for (size_t i = 0; (command = help_command_at(i)); i++)
        put_command(command);
    fputs(end, stdout);
}
