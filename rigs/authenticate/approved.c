/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/authenticate/approved.h"

#include <stdlib.h>
#include <string.h>

#include "hal/base/json_lines.h"

#define FORMAT    1
#define ALGORITHM "hmac-sha1"

/* A text of 1 to APPROVED_TEXT_SIZE - 1 bytes; one that may be left out stays "". */
static int take_text(const struct json_value *line, const char *name, bool is_needed,
                     char text[APPROVED_TEXT_SIZE], struct error *error)
{
    const struct json_value *value = json_member(line, name);
    const char *read;

    text[0] = '\0';
    if (!value && !is_needed)
        return 0;
    if (field_text(value, name, &read, error) < 0)
        return error->code;
    if (!*read || strlen(read) >= APPROVED_TEXT_SIZE)
        return error_set(error, ERROR_CONFIG, "'%s' has 1 to %d bytes, not %zu", name,
                         APPROVED_TEXT_SIZE - 1, strlen(read));
    memcpy(text, read, strlen(read) + 1);
    return 0;
}

static int take_key(const struct json_value *line, struct gat_key *key, struct error *error)
{
    const struct json_value *text = json_member(line, "key"), *hex = json_member(line, "key-hex");
    const char *read;

    if (!text == !hex)
        return error_set(error, ERROR_CONFIG,
                         "give the key of the digests: either 'key', a text, or 'key-hex', "
                         "hexadecimal digits");
    if (field_text(text ? text : hex, text ? "key" : "key-hex", &read, error) < 0)
        return error->code;
    return (text ? gat_key_text : gat_key_hex)(key, read, error);
}

static int take_header(struct approved *approved, const struct json_value *line,
                       struct error *error)
{
    static const char *const known[] = {"approved", "algorithm", "key",  "key-hex", "by",
                                        "date",     "device",    "note", NULL};
    const char *algorithm;
    int64_t format;

    if (fields_known(line, "the first line", known, error) < 0 ||
        field_number(json_member(line, "approved"), "approved", FORMAT, FORMAT, &format, error) <
            0 ||
        field_text(json_member(line, "algorithm"), "algorithm", &algorithm, error) < 0)
        return error->code;
    if (strcmp(algorithm, ALGORITHM) != 0)
        return error_set(error, ERROR_CONFIG, "the algorithm '%.40s' is not known; GAT has %s",
                         algorithm, ALGORITHM);
    if (take_key(line, &approved->key, error) < 0 ||
        take_text(line, "by", true, approved->by, error) < 0 ||
        take_text(line, "date", false, approved->date, error) < 0 ||
        take_text(line, "device", false, approved->device, error) < 0 ||
        take_text(line, "note", false, approved->note, error) < 0)
        return error->code;
    return 0;
}

static int take_component(struct approved *approved, const struct json_value *line,
                          struct error *error)
{
    static const char *const known[] = {"component", "version", "digest", NULL};
    struct approved_component *component = &approved->list[approved->count];
    char digest[APPROVED_TEXT_SIZE];

    if (approved->count == GAT_COMPONENTS_MAX)
        return error_set(error, ERROR_CONFIG, "more than %d components", GAT_COMPONENTS_MAX);
    if (fields_known(line, "a component", known, error) < 0 ||
        take_text(line, "component", true, component->name, error) < 0 ||
        take_text(line, "version", false, component->version, error) < 0 ||
        take_text(line, "digest", true, digest, error) < 0)
        return error->code;
    if (!gat_digest_read(digest, component->digest))
        return error_set(error, ERROR_CONFIG,
                         "the digest '%.60s' is not the %d hexadecimal digits of an HMAC-SHA1",
                         digest, GAT_DIGEST_SIZE - 1);
    if (approved_find(approved, component->name))
        return error_set(error, ERROR_CONFIG, "the component '%.60s' is there twice",
                         component->name);
    approved->count++;
    return 0;
}

static int take_line(void *context, const struct json_value *line, uint64_t number,
                     struct error *error)
{
    return number == 1 ? take_header(context, line, error) : take_component(context, line, error);
}

int approved_load(const char *path, struct approved **result, struct error *error)
{
    struct approved *approved = calloc(1, sizeof *approved);
    int status = approved ? json_lines_read(path, take_line, approved, error)
                          : error_set(error, ERROR_RIG, "%s: out of memory", path);

    if (!status && !approved->count)
        status = error_set(error, ERROR_CONFIG, "%s: no component is approved in it", path);
    *result = status ? NULL : approved;
    if (status)
        free(approved);
    return status;
}

void approved_free(struct approved *approved)
{
    free(approved);
}

const struct approved_component *approved_find(const struct approved *approved, const char *name)
{
    for (unsigned i = 0; i < approved->count; i++)
        if (!strcmp(approved->list[i].name, name))
            return &approved->list[i];
    return NULL;
}
