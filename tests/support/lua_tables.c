/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/lua_tables.h"

#include "devices/wire/layout.h"

static const char *const kinds[] = {
    [LAYOUT_NUMBER] = "number",   [LAYOUT_NAMED] = "named",
    [LAYOUT_INDEX] = "index",     [LAYOUT_FLAGS] = "flags",
    [LAYOUT_SEATS] = "seats",     [LAYOUT_TRUTH] = "truth",
    [LAYOUT_CARD] = "card",       [LAYOUT_CARDS] = "cards",
    [LAYOUT_NUMBERS] = "numbers", [LAYOUT_TEXT] = "text",
    [LAYOUT_HEX] = "hex",         [LAYOUT_MICROS] = "micros",
    [LAYOUT_CODE] = "code",       [LAYOUT_CODE_TEXT] = "code-text",
    [LAYOUT_GROUPS] = "groups",
};

static const char *const whens[] = {
    [LAYOUT_IF] = "if", [LAYOUT_UNLESS] = "unless", [LAYOUT_IF_MORE] = "if more"};

static void put_names(FILE *out, const char *const *names, size_t count)
{
    const char *before = "";

    fputs(", {", out);
    for (size_t i = 0; i < count; i++)
        if (names[i]) {
            fprintf(out, "%s[%zu] = \"%s\"", before, i, names[i]);
            before = ", ";
        }
    fputs("}", out);
}

static void put_fields(FILE *out, const struct layout_field *fields, int indent);

static void put_field(FILE *out, const struct layout_field *field, int indent)
{
    fprintf(out, "%*s{\"%s\", \"%s\"", indent, "", field->name, kinds[field->kind]);
    if (field->size)
        fprintf(out, ", %u", field->size);
    if (field->names)
        put_names(out, field->names, field->name_count);
    if (field->fields) {
        fputs(", {\n", out);
        put_fields(out, field->fields, indent + 4);
        fprintf(out, "%*s}", indent, "");
    }
    if (field->counts)
        fprintf(out, ", counts = \"%s\"", field->counts);
    if (field->must)
        fprintf(out, ", must = %u", field->must);
    if (field->when)
        fprintf(out, ", when = \"%s\"", whens[field->when]);
    if (field->on)
        fprintf(out, ", on = \"%s\", value = %u", field->on, field->value);
    fputs("},\n", out);
}

static void put_fields(FILE *out, const struct layout_field *fields, int indent)
{
    for (const struct layout_field *field = fields; field->name; field++)
        put_field(out, field, indent);
}

static void put_part(FILE *out, const char *name, const struct layout_field *fields)
{
    if (!fields)
        return;
    fprintf(out, "            %s = {\n", name);
    put_fields(out, fields, 16);
    fputs("            },\n", out);
}

static void put_message(FILE *out, const struct layout_message *message)
{
    fprintf(out, "        [0x%02x] = {\n            \"%s\",\n", message->type, message->name);
    put_part(out, "fields", message->fields);
    put_part(out, "reply", message->reply);
    fputs("        },\n", out);
}

void lua_tables_write(FILE *out)
{
    fputs("local refusals = {", out);
    for (unsigned i = 0; i < LAYOUT_REFUSALS; i++)
        fprintf(out, "%s\n    [%u] = \"%s\"", i ? "," : "", i, layout_refusals[i]);
    fputs(",\n}\nlocal layouts = {\n", out);
    for (unsigned number = 0; number < 256; number++) {
        const struct layout_class *class = layout_class_find(number);

        if (!class)
            continue;
        fprintf(out, "    [%u] = {name = \"%s\", messages = {\n", number, class->name);
        for (const struct layout_message *message = class->messages; message->type; message++)
            put_message(out, message);
        fputs("    }, second = {\n", out);
        for (const struct layout_message *message = class->second; message->type; message++)
            put_message(out, message);
        fputs("    }},\n", out);
    }
    fputs("}\n", out);
}
