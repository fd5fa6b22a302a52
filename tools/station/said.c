/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/station/said.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LOOKED_AT 65536 /* bytes at the end of what was printed */

/* Joins the lines in words in their place. */
static size_t join(char *text, size_t length)
{
    size_t used = 0;
    char *line = text, *end = text + length;

    while (line < end) {
        char *newline = memchr(line, '\n', (size_t)(end - line));
        size_t size = (size_t)((newline ? newline : end) - line);

        if (size && *line != '{') {
            /* A newline and a brace at least were before it, or nothing was. */
            memmove(text + used, line, size);
            used += size;
            text[used++] = '\n';
        }
        line += size + 1;
    }
    return used ? used - 1 : 0;
}

/* Copies the end of it, from the beginning of a line on where there is one. */
static void copy_end(char said[STATION_SAID], const char *text, size_t length)
{
    size_t used = 0, breaks = 0;
    const char *from;

    for (size_t i = 0; i < length; i++)
        breaks += text[i] == '\n';
    while (length + breaks > STATION_SAID - 1) {
        from = memchr(text, '\n', length);
        from = from ? from + 1 : text + length + breaks - (STATION_SAID - 1);
        breaks -= from[-1] == '\n';
        length -= (size_t)(from - text);
        text = from;
    }
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\n')
            said[used++] = ';';
        said[used++] = text[i] == '\n' ? ' ' : text[i];
    }
    said[used] = '\0';
}

void station_said_read(int output, char said[STATION_SAID])
{
    char *text = malloc(LOOKED_AT + 1);
    struct stat status;
    off_t from;
    ssize_t got;

    *said = '\0';
    if (text && !fstat(output, &status)) {
        from = status.st_size > LOOKED_AT ? status.st_size - LOOKED_AT : 0;
        got = pread(output, text, LOOKED_AT, from);
        if (got > 0)
            copy_end(said, text, join(text, (size_t)got));
    }
    free(text);
}
