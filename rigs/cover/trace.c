/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/cover/trace.h"

#include <stdlib.h>
#include <string.h>

#include "hal/base/embed.h"

EMBED_TEXT(cover_trace_text, "games/trace.txt");

/* The next of the fields that " | " parts; "" when there is none. */
static char *next_field(char **rest)
{
    char *field = *rest, *end = strstr(field, " | ");

    if (end)
        *end = '\0';
    *rest = end ? end + 3 : field + strlen(field);
    return field;
}

/* "NUMBER | statement | how | fixture | failing entry | points" */
static void read_line(char *line, struct cover_statement *statement)
{
    char *fixture;

    *statement = (struct cover_statement){.name = next_field(&line), .text = next_field(&line)};
    next_field(&line);
    fixture = next_field(&line);
    next_field(&line);
    statement->points = next_field(&line);
    fixture[strcspn(fixture, "/")] = '\0';
    statement->game = *statement->points && strcmp(statement->points, "-") != 0 ? fixture : "";
    if (!*statement->game)
        statement->points = "";
}

int cover_trace_open(struct cover_trace *trace, struct error *error)
{
    size_t lines = 1;

    for (const char *at = cover_trace_text; (at = strchr(at, '\n')); at++)
        lines++;
    *trace = (struct cover_trace){.copy = strdup(cover_trace_text),
                                  .statements = calloc(lines, sizeof *trace->statements)};
    if (!trace->copy || !trace->statements) {
        cover_trace_close(trace);
        return error_set(error, ERROR_RIG, "no memory for the statements of the rule sheets");
    }
    for (char *line = trace->copy; *line;) {
        char *end = strchr(line, '\n');

        if (end)
            *end = '\0';
        if (*line && *line != '#')
            read_line(line, &trace->statements[trace->count++]);
        line = end ? end + 1 : line + strlen(line);
    }
    return 0;
}

void cover_trace_close(struct cover_trace *trace)
{
    free(trace->copy);
    free(trace->statements);
    *trace = (struct cover_trace){.copy = NULL};
}

int cover_trace_point(const struct cover_statement *statement, const struct cover_points *points,
                      const char **at, char name[COVER_NAME_SIZE])
{
    const char *from = *at ? *at : statement->points;
    size_t length = strcspn(from, ";");

    name[0] = '\0';
    if (!length)
        return COVER_NONE;
    if (length >= COVER_NAME_SIZE)
        length = COVER_NAME_SIZE - 1;
    memcpy(name, from, length);
    name[length] = '\0';
    *at = from + length + (from[length] == ';') + (from[length] == ';' && from[length + 1] == ' ');
    return cover_points_find(points, name);
}
