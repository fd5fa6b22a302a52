#include "tests/oracle_run.h"

#include <libgen.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

const char *oracle_program(void)
{
    static char beside[PATH_MAX + sizeof "/oracle/oracle"];
    char self[PATH_MAX];
    ssize_t length;

    if (getenv("ORACLE"))
        return getenv("ORACLE");
    length = readlink("/proc/self/exe", self, sizeof self - 1);
    self[length < 0 ? 0 : length] = '\0';
    snprintf(beside, sizeof beside, "%s/oracle/oracle", dirname(self));
    return beside;
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
