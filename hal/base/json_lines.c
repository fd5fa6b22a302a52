/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hal/base/json_lines.h"

#include <unistd.h>

#include "hal/base/lines.h"
#include "hal/base/printable.h"

int json_lines_place(const char *path, uint64_t number, struct error *error)
{
    printable_make(error->text);
    error_prefix(error, "%s:%ju", path, (uintmax_t)number);
    if (error->code == ERROR_RULE)
        error->code = ERROR_CONFIG;
    return error->code;
}

static int take_line(struct json_reader *reader, const struct text_line *line,
                     json_lines_take *take, void *context, struct error *error)
{
    const struct json_value *root = fields_parse(reader, line->text, line->length, error);

    return root ? take(context, root, line->number, error) : (int)error->code;
}

static int read_all(struct lines *lines, struct json_reader *reader, struct text_line *line,
                    json_lines_take *take, void *context, struct error *error)
{
    int status;

    while ((status = lines_next(lines, true, line, error)) > 0) {
        status = status == LINES_LONG
                     ? error_set(error, ERROR_CONFIG, "a line longer than %zu bytes", LINES_LONGEST)
                     : take_line(reader, line, take, context, error);
        if (status < 0)
            return status;
    }
    return status;
}

int json_lines_read(const char *path, json_lines_take *take, void *context, struct error *error)
{
    struct text_line line = {.number = 0};
    struct json_reader *reader;
    struct lines *lines;
    struct error unheard;
    int fd, status;

    if (!error)
        error = &unheard;
    fd = lines_open_named(path, error);
    if (fd < 0)
        return fd;
    lines = lines_new(fd, -1);
    reader = json_reader_new(JSON_LONGEST);
    if (!lines || !reader)
        status = error_set(error, ERROR_RIG, "%s: out of memory", path);
    else if (read_all(lines, reader, &line, take, context, error) < 0)
        status = json_lines_place(path, line.number, error);
    else
        status = 0;
    json_reader_free(reader);
    lines_free(lines);
    close(fd);
    return status;
}
