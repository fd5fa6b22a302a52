/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/station/said.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hal/base/json.h"

#define LOOKED_AT 65536 /* bytes at the end of what was printed */

/* An error that a run has told as JSON, as the sentence that it is otherwise; 0 for any other line.
 */
static size_t read_error(struct json_reader *reader, const char *line, size_t size,
                         char sentence[ERROR_TEXT_SIZE + 64])
{
    const struct json_value *error = json_member(json_read(reader, line, size, NULL), "error");
    const char *command = json_chars(json_member(error, "command"));
    const char *message = json_chars(json_member(error, "message"));

    if (!command || !message)
        return 0;
    return (size_t)snprintf(sentence, ERROR_TEXT_SIZE + 64, "dealproof %.40s: %.*s", command,
                            ERROR_TEXT_SIZE, message);
}

/* Joins the lines in words in their place. */
static size_t join(struct json_reader *reader, char *text, size_t length)
{
    char sentence[ERROR_TEXT_SIZE + 64];
    size_t used = 0;
    char *line = text, *end = text + length;

    while (line < end) {
        char *newline = memchr(line, '\n', (size_t)(end - line));
        size_t size = (size_t)((newline ? newline : end) - line);
        bool is_object = size && *line == '{';
        size_t words = is_object ? read_error(reader, line, size, sentence) : size;

        /* A sentence is shorter than its object, and a newline at least was before it. */
        if (words && words <= size) {
            memmove(text + used, is_object ? sentence : line, words);
            used += words;
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
    struct json_reader *reader = json_reader_new(LOOKED_AT);
    char *text = malloc(LOOKED_AT + 1);
    struct stat status;
    off_t from;
    ssize_t got;

    *said = '\0';
    if (text && reader && !fstat(output, &status)) {
        from = status.st_size > LOOKED_AT ? status.st_size - LOOKED_AT : 0;
        got = pread(output, text, LOOKED_AT, from);
        if (got > 0)
            copy_end(said, text, join(reader, text, (size_t)got));
    }
    json_reader_free(reader);
    free(text);
}
