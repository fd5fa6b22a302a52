/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/fuzz/chain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hal/base/digest.h"
#include "tests/fuzz/fuzz.h"

static void put_line(FILE *out, size_t number, char previous[DIGEST_SIZE], const char *body,
                     size_t length)
{
    char *line = NULL, seal[DIGEST_SIZE];
    size_t size;
    FILE *text = open_memstream(&line, &size);

    FUZZ_MUST(text);
    fprintf(text, "{\"n\":%zu,\"prev\":\"%s\",", number, previous);
    fwrite(body, 1, length, text);
    fflush(text);
    if (memmem(body, length, "\"kind\":\"end\"", 12)) {
        digest_bytes(line, size, seal);
        fprintf(text, ",\"seal\":\"%s\"", seal);
    }
    fputc('}', text);
    fclose(text);
    digest_bytes(line, size, previous);
    fwrite(line, 1, size, out);
    fputc('\n', out);
    free(line);
}

char *fuzz_chain(const char *text, size_t length, size_t *size)
{
    char *journal = NULL, previous[DIGEST_SIZE];
    FILE *out = open_memstream(&journal, size);

    FUZZ_MUST(out);
    memset(previous, '0', DIGEST_DIGITS);
    previous[DIGEST_DIGITS] = '\0';
    if (length && text[0] == '{')
        fwrite(text, 1, length, out);
    else
        for (size_t number = 1, at = 0; at < length; number++) {
            const char *newline = memchr(text + at, '\n', length - at);
            size_t end = newline ? (size_t)(newline - text) : length;

            put_line(out, number, previous, text + at, end - at);
            at = end + 1;
        }
    fclose(out);
    return journal;
}
