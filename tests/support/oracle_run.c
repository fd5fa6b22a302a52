/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/oracle_run.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

const char *oracle_program(void)
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

char *oracle_shell(int *status, const char *format, ...)
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
