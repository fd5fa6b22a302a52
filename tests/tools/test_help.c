/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is made of the tables of the commands beside --help: manual pages, and what shells complete.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/suite.h"

#define COMMANDS_MAX 64
#define NAME_SIZE    32
#define OUTPUT_MAX   (1 << 17)

/* What a line of shell prints, errors too, to be freed. */
static char *said(const char *line)
{
    FILE *pipe = popen(line, "r");
    char *text = calloc(1, OUTPUT_MAX);

    CU_ASSERT_PTR_NOT_NULL_FATAL(pipe);
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    CU_ASSERT(fread(text, 1, OUTPUT_MAX - 1, pipe) < OUTPUT_MAX - 1);
    pclose(pipe);
    return text;
}

/* The names in a list of --help, with `before` before each. */
static size_t list(const char *help, const char *heading, const char *before,
                   char names[][NAME_SIZE], size_t room)
{
    char line[128], *text, *at;
    size_t count = 0;

    snprintf(line, sizeof line, "$DEALPROOF %s", help);
    text = said(line);
    at = strstr(text, heading);
    CU_ASSERT_PTR_NOT_NULL_FATAL(at);
    for (at = strchr(at, '\n') + 1; *at == ' ' && count < room; at = strchr(at, '\n') + 1)
        if (at[2] != ' ')
            snprintf(names[count++], NAME_SIZE, "%s%.*s", before, (int)strcspn(at + 2, " "),
                     at + 2);
    free(text);
    return count;
}

/* The commands and the parts of those that have some. */
static size_t list_commands(char names[COMMANDS_MAX][NAME_SIZE])
{
    size_t count = list("--help", "Commands:\n", "", names, COMMANDS_MAX);

    CU_ASSERT(count > 20);
    count += list("history --help", "What can be done:\n", "history ", names + count,
                  COMMANDS_MAX - count);
    CU_ASSERT(count > 28);
    return count;
}

/* The next option that --help lists, without its dashes; false: there is none. */
static bool next_option(const char **help, char option[NAME_SIZE])
{
    while ((*help = strstr(*help, "\n  -"))) {
        const char *at = *help + 3;

        *help += 3;
        if (at[1] != '-' && !strncmp(at + 2, ", --", 4))
            at += 4;
        at += 2;
        snprintf(option, NAME_SIZE, "%.*s", (int)strcspn(at, " [\n"), at);
        return true;
    }
    return false;
}

/* Calls a check for each option of each command, with what was printed for that command. */
static void for_each_option(const char *print, bool (*has)(const char *text, const char *option))
{
    char names[COMMANDS_MAX][NAME_SIZE], option[NAME_SIZE], line[512];
    size_t count = list_commands(names), options = 0;

    for (size_t i = 0; i < count; i++) {
        const char *at;
        char *help, *text;

        snprintf(line, sizeof line, "$DEALPROOF %s --help", names[i]);
        at = help = said(line);
        snprintf(line, sizeof line, print, names[i]);
        text = said(line);
        for (; next_option(&at, option); options++)
            if (!has(text, option)) {
                fprintf(stderr, "%s --%s\n", names[i], option);
                CU_FAIL("an option is missing");
            }
        free(help);
        free(text);
    }
    CU_ASSERT(options > 150);
}

static bool manual_has(const char *text, const char *option)
{
    char spelled[2 * NAME_SIZE + 16] = "\\fB\\-\\-";

    for (size_t used = strlen(spelled); *option; option++) {
        if (*option == '-')
            spelled[used++] = '\\';
        spelled[used++] = *option;
        spelled[used] = '\0';
    }
    strcat(spelled, "\\fR");
    return strstr(text, spelled);
}

TEST(every_option_is_in_the_manual_page_of_its_command)
{
    for_each_option("$DEALPROOF help --man %s", manual_has);
}

static bool has_line(const char *text, const char *option)
{
    char line[NAME_SIZE + 4];

    snprintf(line, sizeof line, "--%s\n", option);
    return strstr(text, line);
}

TEST(bash_completes_every_option_of_every_command)
{
    for_each_option("bash -c 'source <($DEALPROOF help --completion bash); "
                    "COMP_WORDS=(dealproof \"$@\" --); COMP_CWORD=$(($# + 1)); _dealproof; "
                    "printf \"%%s\\n\" \"${COMPREPLY[@]}\"' bash %s",
                    has_line);
}

static bool zsh_has(const char *text, const char *option)
{
    char flag[NAME_SIZE + 4], value[NAME_SIZE + 4], both[NAME_SIZE + 4];

    snprintf(flag, sizeof flag, "--%s[", option);
    snprintf(value, sizeof value, "--%s=", option);
    snprintf(both, sizeof both, "--%s}", option);
    return strstr(text, flag) || strstr(text, value) || strstr(text, both);
}

TEST(what_zsh_gets_has_every_option_of_every_command)
{
    for_each_option("$DEALPROOF help --completion zsh | sed -n \"/^'%s')/,/;;/p\"", zsh_has);
}

TEST(bash_completes_commands_and_what_they_take)
{
    static const char *const cases[][3] = {
        {"''", "1", " run script settle "},
        {"-", "1", " -h --help -V --version "},
        {"history ''", "2", " import "},
        {"observe --game ''", "3", "flush-rush"},
        {"audit thr", "2", " three-card-poker "},
        {"emulate an", "2", " angel-eye "},
        {"help ver", "2", " verify "},
        {"script ''", "2", " check "},
        {"record --bets ''", "3", " ask "},
    };
    char line[512];

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *text;

        snprintf(line, sizeof line,
                 "bash -c \"source <($DEALPROOF help --completion bash); COMP_WORDS=(dealproof %s) "
                 "COMP_CWORD=%s; _dealproof; echo \\\" \\${COMPREPLY[*]} \\\"\"",
                 cases[i][0], cases[i][1]);
        text = said(line);
        if (!strstr(text, cases[i][2])) {
            fprintf(stderr, "%s: %s\n", cases[i][0], text);
            CU_FAIL("something is not completed");
        }
        free(text);
    }
}

TEST(help_page_and_shells_name_the_programs_own_options)
{
    static const char *const cases[][2] = {
        {"$DEALPROOF help", "\n  -h, --help "},
        {"$DEALPROOF help", "\n  -V, --version "},
        {"$DEALPROOF help --man | mandoc -T utf8 | sed 's/.\\x08//g'", "-h, --help\n"},
        {"$DEALPROOF help --man | mandoc -T utf8 | sed 's/.\\x08//g'", "-V, --version\n"},
        {"$DEALPROOF help --completion zsh", "'-h:"},
        {"$DEALPROOF help --completion zsh", "'--help:"},
        {"$DEALPROOF help --completion zsh", "'-V:"},
        {"$DEALPROOF help --completion zsh", "'--version:"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *text = said(cases[i][0]);

        if (!strstr(text, cases[i][1])) {
            fprintf(stderr, "%s has no %s\n", cases[i][0], cases[i][1]);
            CU_FAIL("an option is not named");
        }
        free(text);
    }
}

TEST(no_manual_page_has_a_fault)
{
    char names[COMMANDS_MAX][NAME_SIZE], line[128], *text;
    size_t count = list("--help", "Commands:\n", "", names, COMMANDS_MAX - 1);

    *names[count++] = '\0';
    for (size_t i = 0; i < count; i++) {
        snprintf(line, sizeof line, "$DEALPROOF help --man %s | mandoc -T lint -W warning 2>&1",
                 names[i]);
        text = said(line);
        if (*text) {
            fprintf(stderr, "%s: %s\n", names[i], text);
            CU_FAIL("mandoc has a complaint");
        }
        free(text);
    }
}

TEST(the_programs_page_names_the_page_of_every_command)
{
    char names[COMMANDS_MAX][NAME_SIZE], row[64];
    size_t count = list("--help", "Commands:\n", "", names, COMMANDS_MAX);
    char *text = said("$DEALPROOF help --man");

    for (size_t i = 0; i < count; i++) {
        snprintf(row, sizeof row, "\n.BR dealproof\\-%s (1)\n", names[i]);
        CU_ASSERT_PTR_NOT_NULL(strstr(text, row));
    }
    free(text);
}

TEST(help_of_a_command_has_an_example_of_it)
{
    char names[COMMANDS_MAX][NAME_SIZE], line[512];
    size_t count = list("--help", "Commands:\n", "", names, COMMANDS_MAX);

    CU_ASSERT(count > 10);
    for (size_t i = 0; i < count; i++) {
        const char *at;
        char *help;

        snprintf(line, sizeof line, "$DEALPROOF %s --help", names[i]);
        help = said(line);
        snprintf(line, sizeof line, "dealproof %s", names[i]);
        at = strstr(help, "\nExample");
        if (!at || !strstr(at, line)) {
            fprintf(stderr, "%s\n", names[i]);
            CU_FAIL("an example is missing");
        }
        free(help);
    }
}

TEST(help_of_a_command_is_its_own)
{
    static const char *const cases[][2] = {
        {"$DEALPROOF help run", "$DEALPROOF run --help"},
        {"$DEALPROOF help history import", "$DEALPROOF history import --help"},
        {"$DEALPROOF help", "$DEALPROOF --help"},
        {"$DEALPROOF help nothing 2>&1 | sed 1q", "echo \"dealproof: unknown command 'nothing'\""},
        {"$DEALPROOF help --completion fish 2>&1 | sed 1q",
         "echo \"dealproof help: --completion is 'fish'; it must be bash or zsh\""},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *text = said(cases[i][0]), *other = said(cases[i][1]);

        CU_ASSERT(*text);
        CU_ASSERT_STRING_EQUAL(text, other);
        free(text);
        free(other);
    }
}
