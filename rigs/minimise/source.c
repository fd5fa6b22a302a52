/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a recording comes from of which more than rounds was left out: from no device. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hal/base/printable.h"
#include "rigs/minimise/minimise.h"

/* "evening.shoe; recorded: 2024-05-02; device: i-Deal", as far as it is known; the caller's. */
static char *describe(const char *recording, const struct json_value *source)
{
    const char *slash = strrchr(recording, '/');
    char name[NAME_MAX + 1], *note = NULL;
    size_t length;
    FILE *out = open_memstream(&note, &length);

    if (!out)
        return NULL;
    printable_copy(name, sizeof name, slash ? slash + 1 : recording);
    fprintf(out, "made smaller from %s", name);
    JSON_EACH (value, source)
        fprintf(out, "; %s: %s", value->key, json_chars(value));
    if (!fclose(out))
        return note;
    free(note);
    return NULL;
}

/* The field as it stands in a header, with a comma before it; false when it is too long. */
static bool write_source(const char *note, char *text, size_t size)
{
    struct json_text out;

    json_text_begin(&out, text, size - 1);
    JSON_TEXT_PUT(&out, ",\"source\":{\"by\":\"dealproof minimise, not recorded from a device\"");
    if (note) {
        JSON_TEXT_PUT(&out, ",\"note\":");
        json_text_string(&out, note);
    }
    JSON_TEXT_PUT(&out, "}");
    *out.at = '\0';
    return !out.full;
}

static char *with_source(const struct json_value *header, const char *note)
{
    char source[LINES_LONGEST];

    return write_source(note, source, sizeof source)
               ? minimise_header_without(header, "source", source)
               : NULL;
}

void minimise_source(struct trials *trials, struct failing_case *failing)
{
    const struct json_value *header =
        json_read(trials->json[0], failing->header, strlen(failing->header), NULL);
    char *note = header ? describe(trials->recording, json_member(header, "source")) : NULL;
    char *made = header ? with_source(header, note) : NULL;

    if (header && !made)
        made = with_source(header, NULL); /* it says too much of itself for a line */
    if (made) {
        free(failing->header);
        failing->header = made;
    }
    free(note);
}
