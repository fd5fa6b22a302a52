/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/shell.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "tests/support/suite.h"

const char *shell_dealproof(void)
{
    const char *program = getenv("DEALPROOF");

    return program ? program : "build/dealproof";
}

const char *shell_oracle(void)
{
    const char *program = getenv("ORACLE");

    return program ? program : "build/tests/oracle/oracle";
}

static char *read_all(FILE *in)
{
    char *text = NULL, block[65536];
    size_t size = 0, got;
    FILE *out = open_memstream(&text, &size);

    while ((got = fread(block, 1, sizeof block, in)) > 0)
        fwrite(block, 1, got, out);
    fclose(out);
    return text;
}

char *shell_run(int *status, const char *format, ...)
{
    char *command = NULL, *text;
    va_list arguments;
    FILE *pipe;
    int length, ended;

    va_start(arguments, format);
    length = vasprintf(&command, format, arguments);
    va_end(arguments);
    if (length < 0)
        return NULL;
    pipe = popen(command, "r");
    free(command);
    if (!pipe)
        return NULL;
    text = read_all(pipe);
    ended = pclose(pipe);
    *status = WIFEXITED(ended) ? WEXITSTATUS(ended) : -1;
    return text;
}

char *shell_command(int *status, const char *arguments)
{
    char *output = shell_run(status, "%s %s 2>&1", shell_dealproof(), arguments);

    CU_ASSERT_PTR_NOT_NULL_FATAL(output);
    return output;
}

void shell_says(const char *arguments, int wanted, const char *words)
{
    int status;
    char *output = shell_command(&status, arguments);
    bool is_said = strstr(output, words) != NULL;

    if (status != wanted || !is_said)
        printf("%s: exit status %d, '%s' instead of '%s'\n", arguments, status, output, words);
    CU_ASSERT_EQUAL(status, wanted);
    CU_ASSERT(is_said);
    free(output);
}
