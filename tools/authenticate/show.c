/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/authenticate/show.h"

#include <stdio.h>
#include <string.h>

#include "hal/base/digest.h"
#include "hal/base/plural.h"
#include "rigs/page/markup.h"
#include "rigs/rig/rig.h"
#include "tools/json_print.h"

#define DECLARED "declared by the device itself, and proved by nothing"

static void key_digest(const struct gat_key *key, char digest[DIGEST_SIZE])
{
    digest_bytes(key->bytes, key->size, digest);
}

static void show_pass(const struct authenticate_shown *shown, unsigned number)
{
    const struct authenticate_pass *pass = &shown->result->passes[number];
    char digest[DIGEST_SIZE];

    key_digest(&pass->key, digest);
    if (pass->is_unkeyed)
        printf("key: none was sent, since the device lists no function that takes one\n");
    else if (shown->hides_key && !pass->is_fresh)
        printf("key: from its file, SHA-256 %s\n", digest);
    else
        printf("key%s: %s%s\n", pass->key.is_hex ? ", hexadecimal" : "", pass->key.text,
               pass->is_fresh ? " (random)" : "");
    printf("calculated in %.1f s, %u %s of %zu byte%s in all\n", (double)pass->took / 1e9,
           pass->parts, pass->parts == 1 ? "part" : "parts", pass->bytes, plural(pass->bytes));
}

static const char *expected_by(const struct authenticate_row *row)
{
    return row->by_device  ? "the device also says"
           : row->by_image ? "its image has"
                           : "approved is";
}

static void show_row(const struct authenticate_row *row, int width)
{
    printf("  ");
    plain_text(stdout, row->name);
    printf("%*s  %s  %s", width - (int)strlen(row->name), "",
           *row->digest ? row->digest : "no digest                               ",
           authenticate_outcome_name(row->outcome));
    if (row->outcome == AUTHENTICATE_MATCHES && row->by_image)
        printf(" (image)");
    if (row->outcome == AUTHENTICATE_DIFFERS)
        printf(", %s %s", expected_by(row), row->expected);
    putchar('\n');
}

static void show_rows(const struct authenticate_result *result, unsigned pass)
{
    int width = 0;

    for (unsigned i = 0; i < result->row_count; i++)
        if ((int)strlen(result->rows[i].name) > width)
            width = (int)strlen(result->rows[i].name);
    for (unsigned i = 0; i < result->row_count; i++)
        if (result->rows[i].pass == pass)
            show_row(&result->rows[i], width);
}

static void show_verdict(const struct authenticate_shown *shown)
{
    const struct authenticate_result *result = shown->result;
    const struct approved *approved = shown->plan->approved;

    if (result->wrong)
        printf("differs: %u of %u\n", result->wrong, result->row_count);
    else if (result->compared)
        printf("the same: %u of %u compared\n", result->compared, result->row_count);
    if (!result->compared)
        printf("nothing was compared: no approved digests and no images were given\n");
    if (approved) {
        printf("approved by ");
        plain_text(stdout, approved->by);
        printf("%s", *approved->date ? ", " : "");
        plain_text(stdout, approved->date);
        printf(" (");
        plain_text(stdout, shown->approved);
        printf(")\n");
    }
    if (shown->plan->image_count)
        printf("note: %s\n", AUTHENTICATE_ASSUMED);
    printf("note: %s\n", AUTHENTICATE_CAUTION);
}

void authenticate_show_text(const struct authenticate_shown *shown)
{
    const struct authenticate_result *result = shown->result;
    char options[GAT_SETTINGS_SIZE];

    printf("%s%s", shown->device ? shown->device : "", shown->device ? " at " : "");
    plain_text(stdout, shown->address);
    printf(": " GAT_SPOKEN "\n");
    printf("version %x.%02x; %u special functions; last authentication ",
           result->status.version >> 8, result->status.version & 0xffu, result->functions.count);
    if (result->last.seconds == UINT32_MAX)
        printf("not known\n");
    else
        printf("%u s before\n", result->last.seconds);
    printf("options: %s\n", gat_settings_text(&shown->plan->settings, options));
    if (*result->game) {
        plain_text(stdout, result->game);
        printf("%s", *result->manufacturer ? ", " : "");
        plain_text(stdout, result->manufacturer);
        putchar('\n');
    }
    for (unsigned i = 0; i < result->pass_count; i++) {
        show_pass(shown, i);
        show_rows(result, i);
    }
    show_verdict(shown);
}

static void print_functions(struct json_print *print, const struct gat_functions *functions)
{
    json_print_open(print, "functions", "[]");
    for (unsigned i = 0; i < functions->count; i++) {
        const struct gat_function *function = &functions->list[i];

        json_print_open(print, NULL, "{}");
        json_print_text(print, "feature", function->feature);
        json_print_open(print, "parameters", "[]");
        for (unsigned j = 0; j < function->count; j++)
            json_print_text(print, NULL, function->parameters[j]);
        json_print_close(print, "[]");
        json_print_close(print, "{}");
    }
    json_print_close(print, "[]");
}

static void print_passes(struct json_print *print, const struct authenticate_shown *shown)
{
    json_print_open(print, "calculations", "[]");
    for (unsigned i = 0; i < shown->result->pass_count; i++) {
        const struct authenticate_pass *pass = &shown->result->passes[i];
        char digest[DIGEST_SIZE];

        key_digest(&pass->key, digest);
        json_print_open(print, NULL, "{}");
        if (pass->is_unkeyed)
            json_print_text(print, "key", NULL);
        else if (shown->hides_key && !pass->is_fresh)
            json_print_text(print, "key-sha256", digest);
        else
            json_print_text(print, pass->key.is_hex ? "key-hex" : "key", pass->key.text);
        json_print_bool(print, "random", pass->is_fresh);
        json_print_integer(print, "took-ms", pass->took / NANOS_PER_MILLI);
        json_print_integer(print, "parts", pass->parts);
        json_print_integer(print, "bytes", (int64_t)pass->bytes);
        json_print_close(print, "{}");
    }
    json_print_close(print, "[]");
}

static void print_rows(struct json_print *print, const struct authenticate_result *result)
{
    json_print_open(print, "components", "[]");
    for (unsigned i = 0; i < result->row_count; i++) {
        const struct authenticate_row *row = &result->rows[i];

        json_print_open(print, NULL, "{}");
        json_print_integer(print, "calculation", row->pass + 1);
        json_print_text(print, "name", row->name);
        json_print_text(print, "version", *row->version ? row->version : NULL);
        json_print_text(print, "digest", *row->digest ? row->digest : NULL);
        json_print_text(print, "expected", *row->expected ? row->expected : NULL);
        json_print_text(print, "by",
                        !*row->expected  ? NULL
                        : row->by_device ? "device"
                        : row->by_image  ? "image"
                                         : "approved");
        json_print_text(print, "result", authenticate_outcome_name(row->outcome));
        json_print_close(print, "{}");
    }
    json_print_close(print, "[]");
}

static void print_approved(struct json_print *print, const struct authenticate_shown *shown)
{
    const struct approved *approved = shown->plan->approved;

    if (!approved) {
        json_print_text(print, "approved", NULL);
        return;
    }
    json_print_open(print, "approved", "{}");
    json_print_text(print, "path", shown->approved);
    json_print_text(print, "by", approved->by);
    json_print_text(print, "date", *approved->date ? approved->date : NULL);
    json_print_text(print, "device", *approved->device ? approved->device : NULL);
    json_print_close(print, "{}");
}

void authenticate_show_json(const struct authenticate_shown *shown)
{
    const struct authenticate_result *result = shown->result;
    struct json_print print = {.out = stdout};
    char options[GAT_SETTINGS_SIZE], version[8];

    snprintf(version, sizeof version, "%x.%02x", result->status.version >> 8 & 0xffu,
             result->status.version & 0xffu);
    json_print_open(&print, NULL, "{}");
    json_print_text(&print, "protocol", GAT_SPOKEN);
    json_print_text(&print, "device", shown->device);
    json_print_text(&print, "address", shown->address);
    json_print_text(&print, "version", version);
    json_print_text(&print, "options", gat_settings_text(&shown->plan->settings, options));
    json_print_integer(&print, "last-s", result->last.seconds);
    print_functions(&print, &result->functions);
    json_print_text(&print, "game", *result->game ? result->game : NULL);
    json_print_text(&print, "manufacturer", *result->manufacturer ? result->manufacturer : NULL);
    print_passes(&print, shown);
    print_rows(&print, result);
    print_approved(&print, shown);
    json_print_integer(&print, "compared", result->compared);
    json_print_integer(&print, "wrong", result->wrong);
    json_print_text(&print, "result",
                    result->wrong      ? "differs"
                    : result->compared ? "same"
                                       : "not compared");
    if (shown->plan->image_count)
        json_print_text(&print, "assumption", AUTHENTICATE_ASSUMED);
    json_print_text(&print, "note", AUTHENTICATE_CAUTION);
    json_print_close(&print, "{}");
    putchar('\n');
}

static void declared_json(const char *device, const char *address, const char *protocol,
                          const struct wire_identity *identity, const char *digest)
{
    struct json_print print = {.out = stdout};

    json_print_open(&print, NULL, "{}");
    json_print_text(&print, "protocol", protocol);
    json_print_text(&print, "device", device);
    json_print_text(&print, "address", address);
    json_print_text(&print, "model", identity->model);
    json_print_text(&print, "serial", identity->serial);
    json_print_text(&print, "firmware", identity->firmware);
    json_print_text(&print, "digest", *digest ? digest : NULL);
    json_print_text(&print, "result", "declared");
    json_print_text(&print, "note", DECLARED);
    json_print_close(&print, "{}");
    putchar('\n');
}

void authenticate_show_declared(const char *device, const char *address, const char *protocol,
                                const struct wire_identity *identity, bool is_json)
{
    char digest[RIG_IDENTITY_TEXT];

    rig_identity_text(identity, RIG_IDENTITY_FIELDS - 1, digest);
    if (is_json) {
        declared_json(device, address, protocol, identity, digest);
        return;
    }
    printf("%s%s%s: no GAT here; the device speaks the %s protocol\n", device ? device : "",
           device ? " at " : "", address, protocol);
    printf("model %s, serial %s, firmware %s\n", identity->model, identity->serial,
           identity->firmware);
    printf("digest %s: %s\n", *digest ? digest : "none", DECLARED);
}

void authenticate_show_failed(const struct authenticate_failed *failed)
{
    struct json_print print = {.out = stdout};

    json_print_open(&print, NULL, "{}");
    json_print_text(&print, "protocol", GAT_SPOKEN);
    json_print_text(&print, "device", failed->device);
    json_print_text(&print, "address", failed->address);
    json_print_text(&print, "speaks", failed->speaks);
    json_print_text(&print, "result", "failed");
    json_print_integer(&print, "status", failed->status);
    json_print_text(&print, "why", failed->why);
    json_print_text(&print, "note", AUTHENTICATE_CAUTION);
    json_print_close(&print, "{}");
    putchar('\n');
}
