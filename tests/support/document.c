/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/document.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/scratch.h"

unsigned document_count(const char *text, const char *words)
{
    unsigned found = 0;

    for (text = strstr(text, words); text; text = strstr(text + 1, words))
        found++;
    return found;
}

/* Runs a command whose %s is the document's file. */
static int run(const char *format, const char *argument, const char *document, size_t length)
{
    char path[SCRATCH_PATH_SIZE], command[1024];
    int status;

    scratch_path(path);
    scratch_write(path, document, length);
    snprintf(command, sizeof command, format, argument, path);
    status = system(command);
    unlink(path);
    return status;
}

int document_lint(const char *arguments, const char *document, size_t length)
{
    return run("xmllint --nonet %s %s", arguments, document, length);
}

bool document_holds(const char *document, size_t length, const char *expression)
{
    bool holds = !run("xmllint --nonet --xpath \"boolean(%s)\" %s | grep -qx true", expression,
                      document, length);

    if (!holds)
        fprintf(stderr, "not so: %s\n", expression);
    return holds;
}
