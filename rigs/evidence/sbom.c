/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/evidence/sbom.h"

#include <stdio.h>
#include <string.h>

#define PROGRAM "dealproof"
#define NO_DATE                                                                                    \
    "1970-01-01T00:00:00Z" /* in virtual time there is none, and two bundles are the same */

/* An identifier has letters, digits, dots and dashes. */
static void put_id(struct json_text *out, const char *name)
{
    char id[80];
    size_t length = 0;

    for (const char *at = name; *at && length + 1 < sizeof id; at++)
        id[length++] = (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') ||
                               (*at >= '0' && *at <= '9') || *at == '.'
                           ? *at
                           : '-';
    JSON_TEXT_PUT(out, "\"SPDXRef-");
    json_text_raw(out, id, length);
    JSON_TEXT_PUT(out, "\"");
}

static void put_package(struct json_text *out, const char *name, const char *version)
{
    JSON_TEXT_PUT(out, "{\"SPDXID\":");
    put_id(out, name);
    JSON_TEXT_PUT(out, ",\"name\":");
    json_text_string(out, name);
    JSON_TEXT_PUT(out, ",\"versionInfo\":");
    json_text_string(out, version);
    JSON_TEXT_PUT(out, ",\"downloadLocation\":\"NOASSERTION\",\"filesAnalyzed\":false");
}

static void put_program(struct json_text *out, const struct sbom_program *program)
{
    put_package(out, PROGRAM, program->version);
    JSON_TEXT_PUT(out, ",\"licenseDeclared\":\"GPL-3.0-or-later\",\"sourceInfo\":");
    json_text_string(out, program->commit);
    JSON_TEXT_PUT(out, ",\"comment\":\"the program that made the bundle\",\"checksums\":[{"
                       "\"algorithm\":\"SHA256\",\"checksumValue\":");
    json_text_string(out, program->digest);
    JSON_TEXT_PUT(out, "}]}");
}

static void put_relationship(struct json_text *out, const char *from, const char *kind,
                             const char *to)
{
    JSON_TEXT_PUT(out, "{\"spdxElementId\":");
    put_id(out, from);
    JSON_TEXT_PUT(out, ",\"relationshipType\":");
    json_text_string(out, kind);
    JSON_TEXT_PUT(out, ",\"relatedSpdxElement\":");
    put_id(out, to);
    JSON_TEXT_PUT(out, "}");
}

static void put_head(struct json_text *out, const struct statement *statement, const char *version)
{
    char name[96], tool[64], digest[DIGEST_SIZE];

    digest_bytes(statement->text, statement->length, digest);
    snprintf(name, sizeof name, "urn:sha256:%s", digest);
    JSON_TEXT_PUT(out, "{\"spdxVersion\":\"SPDX-2.3\",\"dataLicense\":\"CC0-1.0\",\"SPDXID\":"
                       "\"SPDXRef-DOCUMENT\",\"name\":\"dealproof-run\",\"documentNamespace\":");
    json_text_string(out, name);
    JSON_TEXT_PUT(out, ",\"creationInfo\":{\"created\":");
    json_text_string(out, *statement->date ? statement->date : NO_DATE);
    JSON_TEXT_PUT(out, ",\"creators\":[");
    snprintf(tool, sizeof tool, "Tool: " PROGRAM "-%s", version);
    json_text_string(out, tool);
    JSON_TEXT_PUT(out, "]}");
}

int sbom_this_program(struct sbom_program *program, const char *commit, struct error *error)
{
    *program = (struct sbom_program){.version = DEALPROOF_VERSION};
    snprintf(program->commit, sizeof program->commit, "%s", commit);
    return digest_file("/proc/self/exe", program->digest, error) ? ERROR_RIG : 0;
}

static bool copy(char *to, size_t size, const struct json_value *from)
{
    const char *text = json_chars(from);

    return text && (size_t)snprintf(to, size, "%s", text) < size;
}

int sbom_read(const char *text, struct sbom_program *program, struct error *error)
{
    struct json_reader *reader = json_reader_new(SBOM_SIZE);
    const struct json_value *value, *package;
    bool is_one;

    if (!reader)
        return error_set(error, ERROR_RIG, "no memory to read a bill of materials");
    value = json_read(reader, text, strcspn(text, "\n"), NULL);
    package = json_element(json_member(value, "packages"), 0);
    is_one = copy(program->version, sizeof program->version, json_member(package, "versionInfo")) &&
             copy(program->commit, sizeof program->commit, json_member(package, "sourceInfo")) &&
             copy(program->digest, sizeof program->digest,
                  json_member(json_element(json_member(package, "checksums"), 0), "checksumValue"));
    json_reader_free(reader);
    return is_one ? 0
                  : error_set(error, ERROR_RULE,
                              "sbom.spdx.json was altered: it names no program that made a bundle");
}

int sbom_write(const struct statement *statement, const struct sbom_program *program,
               char text[SBOM_SIZE], struct error *error)
{
    struct json_text out;

    json_text_begin(&out, text, SBOM_SIZE);
    put_head(&out, statement, program->version);
    JSON_TEXT_PUT(&out, ",\"packages\":[");
    put_program(&out, program);
    JSON_EACH (library, statement->libraries) {
        JSON_TEXT_PUT(&out, ",");
        put_package(&out, library->key, json_chars(library) ? json_chars(library) : "");
        JSON_TEXT_PUT(&out, "}");
    }
    JSON_TEXT_PUT(&out, "],\"relationships\":[");
    put_relationship(&out, "DOCUMENT", "DESCRIBES", "dealproof");
    JSON_EACH (library, statement->libraries) {
        JSON_TEXT_PUT(&out, ",");
        put_relationship(&out, "dealproof", "DEPENDS_ON", library->key);
    }
    JSON_TEXT_PUT(&out, "]}\n");
    if (out.full)
        return error_set(error, ERROR_CONFIG, "the journal names too many libraries");
    return (int)(out.at - out.start);
}
