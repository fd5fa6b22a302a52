/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/lies/forge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hal/base/digest.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

static char *body_of(const char *line, size_t length)
{
    const char *start = memmem(line, length, "\"t\":", 4);
    const char *seal = memmem(line, length, ",\"seal\":\"", 9);

    CU_ASSERT_PTR_NOT_NULL_FATAL(start);
    return strndup(start, (size_t)((seal ? seal : line + length - 1) - start));
}

struct forgery forge_read(const char *path)
{
    struct forgery forgery = {0};
    size_t length;
    char *text = scratch_read(path, &length);

    for (char *at = text, *newline; (newline = strchr(at, '\n')); at = newline + 1)
        forge_insert(&forgery, forgery.count, "");
    forgery.count = 0;
    for (char *at = text, *newline; (newline = strchr(at, '\n')); at = newline + 1) {
        free(forgery.bodies[forgery.count]);
        forgery.bodies[forgery.count++] = body_of(at, (size_t)(newline - at));
    }
    free(text);
    return forgery;
}

void forge_free(struct forgery *forgery)
{
    for (size_t i = 0; i < forgery->count; i++)
        free(forgery->bodies[i]);
    free(forgery->bodies);
}

size_t forge_find(const struct forgery *forgery, const char *within, unsigned nth)
{
    for (size_t i = 0; i < forgery->count; i++)
        if (strstr(forgery->bodies[i], within) && !--nth)
            return i;
    printf("no line has %s\n", within);
    CU_FAIL_FATAL("a forgery finds nothing to forge");
    return 0;
}

void forge_replace(struct forgery *forgery, size_t line, const char *old, const char *new)
{
    char *body = forgery->bodies[line], *at = strstr(body, old), *replaced;

    if (!at)
        printf("no %s in %s\n", old, body);
    CU_ASSERT_PTR_NOT_NULL_FATAL(at);
    CU_ASSERT_FATAL(
        asprintf(&replaced, "%.*s%s%s", (int)(at - body), body, new, at + strlen(old)) >= 0);
    forgery->bodies[line] = replaced;
    free(body);
}

unsigned forge_replace_all(struct forgery *forgery, const char *old, const char *new)
{
    unsigned count = 0;

    for (size_t i = 0; i < forgery->count; i++)
        if (strstr(forgery->bodies[i], old)) {
            forge_replace(forgery, i, old, new);
            count++;
        }
    return count;
}

void forge_remove(struct forgery *forgery, size_t line, size_t count)
{
    for (size_t i = line; i < line + count; i++)
        free(forgery->bodies[i]);
    forgery->count -= count;
    memmove(forgery->bodies + line, forgery->bodies + line + count,
            (forgery->count - line) * sizeof *forgery->bodies);
}

void forge_insert(struct forgery *forgery, size_t line, const char *body)
{
    forgery->bodies = reallocarray(forgery->bodies, forgery->count + 1, sizeof *forgery->bodies);
    memmove(forgery->bodies + line + 1, forgery->bodies + line,
            (forgery->count - line) * sizeof *forgery->bodies);
    forgery->bodies[line] = strdup(body);
    forgery->count++;
}

void forge_splice(struct forgery *forgery, size_t line, const struct forgery *from, size_t first,
                  size_t count)
{
    for (size_t i = 0; i < count; i++)
        forge_insert(forgery, line + i, from->bodies[first + i]);
}

void forge_write(const struct forgery *forgery, const char *path)
{
    char previous[DIGEST_SIZE], *line;
    FILE *out = fopen(path, "we");

    CU_ASSERT_PTR_NOT_NULL_FATAL(out);
    memset(previous, '0', DIGEST_DIGITS);
    previous[DIGEST_DIGITS] = '\0';
    for (size_t i = 0; i < forgery->count; i++) {
        bool is_end = strstr(forgery->bodies[i], "\"kind\":\"end\"") != NULL;
        char seal[DIGEST_SIZE], *sealed;

        CU_ASSERT_FATAL(asprintf(&line, "{\"n\":%zu,\"prev\":\"%s\",%s", i + 1, previous,
                                 forgery->bodies[i]) > 0);
        digest_bytes(line, strlen(line), seal);
        CU_ASSERT_FATAL(asprintf(&sealed, "%s%s%s%s}", line, is_end ? ",\"seal\":\"" : "",
                                 is_end ? seal : "", is_end ? "\"" : "") > 0);
        fprintf(out, "%s\n", sealed);
        digest_bytes(sealed, strlen(sealed), previous);
        free(line);
        free(sealed);
    }
    fclose(out);
}
