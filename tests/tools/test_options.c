/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the tables of options give to every command: --help and the errors. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/process.h"
#include "tests/support/suite.h"

#define COMMANDS_MAX 32
#define NAME_SIZE    32

/* The names in the list of `dealproof --help`. */
static size_t list_commands(char names[COMMANDS_MAX][NAME_SIZE])
{
    struct process_result help =
        process_run((const char *const[]){"--help", NULL}, open("/dev/null", O_RDONLY | O_CLOEXEC));
    const char *line = strstr(help.out, "Commands:\n");
    size_t count = 0;

    CU_ASSERT_PTR_NOT_NULL_FATAL(line);
    line = strchr(line, '\n') + 1;
    while (count < COMMANDS_MAX && sscanf(line, "  %31s", names[count]) == 1 && *line == ' ') {
        line = strchr(line, '\n') + 1;
        count++;
    }
    process_free(&help);
    return count;
}

static struct process_result help_of(const char *command)
{
    return process_run((const char *const[]){command, "--help", NULL},
                       open("/dev/null", O_RDONLY | O_CLOEXEC));
}

TEST(every_help_fits_ninety_columns)
{
    char names[COMMANDS_MAX][NAME_SIZE];
    size_t count = list_commands(names);

    CU_ASSERT(count > 8);
    for (size_t i = 0; i < count; i++) {
        struct process_result help = help_of(names[i]);

        CU_ASSERT_EQUAL(help.status, 0);
        for (char *line = strtok(help.out, "\n"); line; line = strtok(NULL, "\n"))
            if (strlen(line) > 90) {
                fprintf(stderr, "%s --help: %s\n", names[i], line);
                CU_FAIL("a line is too long");
            }
        process_free(&help);
    }
}

TEST(what_is_no_option_is_named)
{
    static const struct {
        const char *const arguments[5];
        const char *words;
    } cases[] = {
        {{"run", "--jo"}, "run: unknown option '--jo'"},
        {{"run", "-qzv", "x"}, "run: unknown option '-z'"},
        {{"run", "--json=3", "x"}, "run: '--json=3': this option takes no value"},
        {{"run", "x", "--repeat"}, "run: --repeat needs a value"},
        {{"run", "-qj"}, "run: -qj needs a value"},
        {{"run", "--repeat", "0", "x"}, "--repeat is '0'; it must be from 1 to 1000000000"},
        {{"run", "--repeat", "+1", "x"}, "--repeat is '+1'"},
        {{"run", "-j65", "x"}, "--jobs is '65'; it must be from 1 to 64"},
        {{"run", "--seed=18446744073709551616", "x"}, "to 18446744073709551615"},
        {{"run", "--", "--json"}, "--json"},
        {{"verify", "--digest", "12", "x"}, "--digest must be 64 hexadecimal digits"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        CU_ASSERT_EQUAL(process_status_with(process_run(cases[i].arguments,
                                                        open("/dev/null", O_RDONLY | O_CLOEXEC)),
                                            cases[i].words),
                        2);
}

TEST(an_option_may_be_shortened_and_stand_after_the_arguments)
{
    static const char *const shortened[] = {"run", "--list", NULL};
    static const char *const after[] = {"settle", "fixtures", "--chec", NULL};

    CU_ASSERT_EQUAL(process_status_with(
                        process_run(shortened, open("/dev/null", O_RDONLY | O_CLOEXEC)), "packet"),
                    0);
    CU_ASSERT_EQUAL(process_status_with(process_run(after, open("/dev/null", O_RDONLY | O_CLOEXEC)),
                                        "0 failed"),
                    0);
}
