/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an emulated device makes of the text of an IACQ: documents, honest or not. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/gat/model.h"
#include "hal/base/random.h"

#define RESPONSE "AuthenticationResponse.xml"
#define ADDED    "DeckMate2_Guest_1.0.000"
#define DEEP     1000
#define LARGE    (1024 * 1024)

/* Name and parameters as they came, between TABs. */
struct asked {
    const uint8_t *text[GAT_PARAMETERS_MAX];
    size_t size[GAT_PARAMETERS_MAX];
    unsigned count;
};

static void split(const uint8_t *text, size_t size, struct asked *asked)
{
    asked->count = 0;
    while (asked->count < GAT_PARAMETERS_MAX) {
        const uint8_t *tab = memchr(text, '\t', size);
        size_t length = tab ? (size_t)(tab - text) : size;

        asked->text[asked->count] = text;
        asked->size[asked->count++] = length;
        if (!tab)
            return;
        text += length + 1;
        size -= length + 1;
    }
}

static bool is_text(const struct gat_model *gat, const struct asked *asked, unsigned at,
                    const char *text)
{
    uint8_t bytes[GAT_TEXT_MAX];
    int size = (int)strlen(text);

    if (at >= asked->count)
        return false;
    if (gat->settings.is_utf8)
        memcpy(bytes, text, (size_t)size);
    else
        size = gat_latin1(text, bytes, sizeof bytes);
    return size >= 0 && asked->size[at] == (size_t)size &&
           !memcmp(asked->text[at], bytes, (size_t)size);
}

static void put_escaped(FILE *out, const char *text)
{
    for (; *text; text++)
        if (*text == '&' || *text == '<' || *text == '>')
            fprintf(out, "&#%d;", *text);
        else
            fputc(*text, out);
}

static void put_element(FILE *out, const char *name, const char *text)
{
    fprintf(out, "<%s>", name);
    put_escaped(out, text);
    fprintf(out, "</%s>", name);
}

static void put_function(FILE *out, const char *feature, const char *parameter)
{
    fputs("  <Function>", out);
    put_element(out, "Feature", feature);
    if (parameter) {
        put_element(out, "Parameter", parameter);
        put_element(out, "Parameter", "%%SHA1_HMAC%%");
    }
    fputs("</Function>\n", out);
}

static void put_list(struct gat_model *gat, FILE *out)
{
    fputs("<SpecialFunctions>\n", out);
    put_function(out, "Get Special Functions", NULL);
    put_function(out, "Get File", RESPONSE);
    for (unsigned i = 0; i < gat->count; i++)
        put_function(out, "Component", gat->components[i].name);
    if (defects_hold(&gat->defects, GAT_DEFECT_ADDED, 0))
        put_function(out, "Component", ADDED);
    fputs("</SpecialFunctions>\n", out);
}

static void compute(const struct gat_model *gat, const struct gat_model_component *component,
                    const uint8_t *key, size_t size, char digest[GAT_DIGEST_SIZE])
{
    struct gat_hmac hmac;

    (void)gat;
    gat_hmac_begin(&hmac, key, size);
    if (*component->image) {
        gat_hmac_add(&hmac, component->image, strlen(component->image));
    } else {
        gat_hmac_add(&hmac, "the image of ", strlen("the image of "));
        gat_hmac_add(&hmac, component->name, strlen(component->name));
        gat_hmac_add(&hmac, "\n", 1);
    }
    gat_hmac_end(&hmac, digest);
}

static void alter(struct gat_model *gat, char digest[GAT_DIGEST_SIZE])
{
    uint64_t state = gat->seed;
    char *digit = &digest[random_next(&state) % (GAT_DIGEST_SIZE - 1)];

    *digit = *digit == '0' ? '1' : '0';
}

static void put_component(struct gat_model *gat, FILE *out, unsigned index, const uint8_t *key,
                          size_t size)
{
    static const struct gat_model_component added = {.name = ADDED};
    bool is_added = index == gat->count;
    const struct gat_model_component *component = is_added ? &added : &gat->components[index];
    char digest[GAT_DIGEST_SIZE];

    if (!is_added && defects_hold(&gat->defects, GAT_DEFECT_LEFT_OUT, index + 1))
        return;
    if (defects_hold(&gat->defects, GAT_DEFECT_REPLAYS, 0))
        compute(gat, component, (const uint8_t *)gat->stored, strlen(gat->stored), digest);
    else
        compute(gat, component, key, size, digest);
    if (!is_added && defects_hold(&gat->defects, GAT_DEFECT_OTHER_DIGEST, index + 1))
        alter(gat, digest);
    for (char *digit = digest; *digit; digit++)
        *digit = (char)toupper((unsigned char)*digit);
    fputs("    <Component>", out);
    put_element(out, "Name", component->name);
    put_element(out, "Checksum", digest);
    fputs("</Component>\n", out);
}

/* The components from the first to before the last. */
static void put_digests(struct gat_model *gat, FILE *out, unsigned first, unsigned end,
                        const uint8_t *key, size_t size)
{
    fputs("<?xml version='1.0'?>\n<Components GatExec='default'>\n  <Game>\n    ", out);
    put_element(out, "Name", gat->game);
    put_element(out, "Manufacturer", gat->manufacturer);
    fputs("\n", out);
    for (unsigned i = first; i < end; i++)
        put_component(gat, out, i, key, size);
    fputs("  </Game>\n</Components>\n", out);
}

static void put_entities(FILE *out)
{
    fputs("<?xml version='1.0'?>\n<!DOCTYPE Components [\n<!ENTITY a0 'ha'>\n", out);
    for (unsigned i = 1; i < 30; i++)
        fprintf(out, "<!ENTITY a%u '&a%u;&a%u;'>\n", i, i - 1, i - 1);
    fputs("]>\n<Components><Game><Name>&a29;</Name></Game></Components>\n", out);
}

static void put_external(FILE *out)
{
    fputs("<?xml version='1.0'?>\n<!DOCTYPE Components [\n"
          "<!ENTITY file SYSTEM 'file:///etc/hostname'>\n]>\n"
          "<Components><Game><Name>&file;</Name></Game></Components>\n",
          out);
}

static void put_deep(FILE *out)
{
    for (unsigned i = 0; i < DEEP; i++)
        fputs("<Components>", out);
    for (unsigned i = 0; i < DEEP; i++)
        fputs("</Components>", out);
}

static void put_large(FILE *out)
{
    fputs("<Components>", out);
    for (unsigned i = 0; i < LARGE; i++)
        fputc(' ', out);
    fputs("</Components>", out);
}

/* True when a document was put in place of an honest one. */
static bool put_hostile(struct gat_model *gat, FILE *out)
{
    static const struct {
        enum gat_defect defect;
        void (*put)(FILE *out);
    } documents[] = {{GAT_DEFECT_ENTITIES, put_entities},
                     {GAT_DEFECT_EXTERNAL, put_external},
                     {GAT_DEFECT_DEEP, put_deep},
                     {GAT_DEFECT_LARGE, put_large}};

    for (size_t i = 0; i < sizeof documents / sizeof documents[0]; i++)
        if (defects_hold(&gat->defects, documents[i].defect, gat->calculations)) {
            documents[i].put(out);
            return true;
        }
    return false;
}

/* The bytes that a key on the line stands for; false when it is none. */
static bool read_key(const struct gat_model *gat, const struct asked *asked, unsigned at,
                     uint8_t key[GAT_TEXT_MAX], size_t *size)
{
    char digits[GAT_TEXT_MAX + 1];
    struct gat_key read;

    *size = at < asked->count ? asked->size[at] : 0;
    if (*size)
        memcpy(key, asked->text[at], *size);
    if (!*size || !gat->settings.key_is_hex)
        return true;
    memcpy(digits, key, *size);
    digits[*size] = '\0';
    if (strlen(digits) != *size || gat_key_hex(&read, digits, NULL))
        return false;
    *size = read.size;
    memcpy(key, read.bytes, read.size);
    return true;
}

/* 0, or 1 when there is no such thing. */
static int put_answer(struct gat_model *gat, const struct asked *asked, FILE *out)
{
    unsigned all = gat->count + (defects_hold(&gat->defects, GAT_DEFECT_ADDED, 0) ? 1 : 0);
    uint8_t key[GAT_TEXT_MAX];
    size_t size;

    if (put_hostile(gat, out))
        return 0;
    if (is_text(gat, asked, 0, "Get Special Functions") && asked->count == 1) {
        put_list(gat, out);
        return 0;
    }
    if (!read_key(gat, asked, 2, key, &size) || asked->count > 3)
        return 1;
    if (is_text(gat, asked, 0, "Get File") && is_text(gat, asked, 1, RESPONSE)) {
        put_digests(gat, out, 0, all, key, size);
        return 0;
    }
    for (unsigned i = 0; i < all && is_text(gat, asked, 0, "Component"); i++)
        if (is_text(gat, asked, 1, i < gat->count ? gat->components[i].name : ADDED)) {
            put_digests(gat, out, gat->answers_all ? 0 : i, gat->answers_all ? all : i + 1, key,
                        size);
            return 0;
        }
    return 1;
}

int gat_model_answer(struct gat_model *gat, const uint8_t *text, size_t size)
{
    struct asked asked;
    char *document = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&document, &length);
    int status;

    if (!out)
        return ERROR_RIG;
    split(text, size, &asked);
    status = put_answer(gat, &asked, out);
    if (ferror(out) | fclose(out))
        status = ERROR_RIG;
    if (status ||
        defects_show(&gat->defects, GAT_DEFECT_STALE, gat->calculations, gat->calculations)) {
        free(document);
        return status;
    }
    free(gat->results);
    gat->results = document;
    gat->size = length;
    return 0;
}
