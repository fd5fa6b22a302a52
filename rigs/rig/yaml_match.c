#include "rigs/rig/yaml_match.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define WHERE_MAX 160
#define NAMES_MAX 240

struct match {
    yaml_document_t *document;
    const char *path;
    struct error *error;
    char where[WHERE_MAX]; /* the value that is looked at */
};

static int fail(const struct match *match, const yaml_node_t *node, const char *format, ...)
{
    char text[ERROR_TEXT_SIZE];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return error_set(match->error, ERROR_CONFIG, "%s:%zu:%zu: %s%s%s", match->path,
                     node->start_mark.line + 1, node->start_mark.column + 1, match->where,
                     match->where[0] ? ": " : "", text);
}

static const char *kind_of(const yaml_node_t *node)
{
    switch (node->type) {
    case YAML_MAPPING_NODE:
        return "a group of fields";
    case YAML_SEQUENCE_NODE:
        return "a list";
    default:
        return "a single value";
    }
}

static int match_value(struct match *match, const yaml_node_t *node,
                       const cyaml_schema_value_t *schema);

/* A scalar as a C string: libyaml ends it with a NUL, and one within would hide the rest. */
static int get_text(const struct match *match, const yaml_node_t *node, const char **text)
{
    if (node->type != YAML_SCALAR_NODE)
        return fail(match, node, "this is %s; it must be a single value", kind_of(node));
    *text = (const char *)node->data.scalar.value;
    for (size_t i = 0; i < node->data.scalar.length; i++)
        if ((unsigned char)(*text)[i] < ' ' || (*text)[i] == 0x7f)
            return fail(match, node, "character %zu of this value cannot be printed (0x%02x)",
                        i + 1, (unsigned char)(*text)[i]);
    return 0;
}

static void list_names(const cyaml_strval_t *strings, uint32_t count, char names[NAMES_MAX])
{
    size_t used = 0;

    names[0] = '\0';
    for (uint32_t i = 0; i < count && used < NAMES_MAX; i++)
        used +=
            (size_t)snprintf(names + used, NAMES_MAX - used, "%s%s", i ? ", " : "", strings[i].str);
}

static int match_name(const struct match *match, const yaml_node_t *node,
                      const cyaml_schema_value_t *schema)
{
    char names[NAMES_MAX];
    const char *text;
    int status = get_text(match, node, &text);

    if (status)
        return status;
    for (uint32_t i = 0; i < schema->enumeration.count; i++)
        if (!strcmp(schema->enumeration.strings[i].str, text))
            return 0;
    list_names(schema->enumeration.strings, schema->enumeration.count, names);
    return fail(match, node, "'%.40s' is none of: %s", text, names);
}

/* Decimal only: libcyaml would take 010 for eight. */
static int match_number(const struct match *match, const yaml_node_t *node,
                        const cyaml_schema_value_t *schema)
{
    uint64_t most =
        schema->data_size >= 8 ? UINT64_MAX : (UINT64_C(1) << 8 * schema->data_size) - 1;
    uint64_t value = 0;
    const char *text;
    int status = get_text(match, node, &text);

    if (status)
        return status;
    if (!*text || text[strspn(text, "0123456789")] || (text[0] == '0' && text[1]))
        return fail(match, node, "'%.40s' is no whole number; write it in digits, as in 20", text);
    for (const char *digit = text; *digit; digit++) {
        unsigned add = (unsigned)(*digit - '0');

        if (value > (most - add) / 10)
            return fail(match, node, "%.40s is too large; the largest here is %" PRIu64, text,
                        most);
        value = value * 10 + add;
    }
    return 0;
}

static int match_text(const struct match *match, const yaml_node_t *node,
                      const cyaml_schema_value_t *schema)
{
    const char *text;
    int status = get_text(match, node, &text);
    size_t length = status ? 0 : strlen(text);

    if (status)
        return status;
    if (length < schema->string.min)
        return fail(match, node, "this is empty; give it a value or leave the field out");
    if (length > schema->string.max)
        return fail(match, node, "'%.40s…' has %zu bytes; it may have %u", text, length,
                    schema->string.max);
    return 0;
}

/* Each entry of a list; a set of flags is a list of names. */
static int match_list(struct match *match, const yaml_node_t *node,
                      const cyaml_schema_value_t *schema)
{
    bool is_set = schema->type == CYAML_FLAGS;
    uint32_t least = is_set ? 0 : schema->sequence.min;
    uint32_t most = is_set ? schema->enumeration.count : schema->sequence.max;
    size_t length = strlen(match->where), count;

    if (node->type != YAML_SEQUENCE_NODE)
        return fail(match, node, "this is %s; it must be a list", kind_of(node));
    count = (size_t)(node->data.sequence.items.top - node->data.sequence.items.start);
    if (count < least || count > most)
        return fail(match, node, "this list has %zu entries; it must have %u to %u", count, least,
                    most);
    for (size_t i = 0; i < count; i++) {
        const yaml_node_t *entry =
            yaml_document_get_node(match->document, node->data.sequence.items.start[i]);
        int status;

        snprintf(match->where + length, sizeof match->where - length, "[%zu]", i + 1);
        status = is_set ? match_name(match, entry, schema)
                        : match_value(match, entry, schema->sequence.entry);
        if (status)
            return status;
    }
    match->where[length] = '\0';
    return 0;
}

static const cyaml_schema_field_t *find_field(const cyaml_schema_field_t *fields, const char *name)
{
    for (; fields->key; fields++)
        if (!strcmp(fields->key, name))
            return fields;
    return NULL;
}

static int unknown_field(const struct match *match, const yaml_node_t *key, const char *name,
                         const cyaml_schema_field_t *fields)
{
    char names[NAMES_MAX] = "";
    size_t used = 0;

    for (; fields->key && used < sizeof names; fields++)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "",
                                 fields->key);
    return fail(match, key, "there is no field '%.40s' here; the fields are %s", name, names);
}

/* Whether an earlier pair has the same key. */
static bool is_repeated(const struct match *match, const yaml_node_t *node,
                        const yaml_node_pair_t *at, const char *name)
{
    for (const yaml_node_pair_t *pair = node->data.mapping.pairs.start; pair < at; pair++) {
        const yaml_node_t *key = yaml_document_get_node(match->document, pair->key);

        if (!strcmp((const char *)key->data.scalar.value, name))
            return true;
    }
    return false;
}

static int match_field(struct match *match, const yaml_node_t *node, const yaml_node_pair_t *pair,
                       const cyaml_schema_field_t *fields)
{
    const yaml_node_t *key = yaml_document_get_node(match->document, pair->key);
    const yaml_node_t *value = yaml_document_get_node(match->document, pair->value);
    size_t length = strlen(match->where);
    const cyaml_schema_field_t *field;
    const char *name;
    int status = get_text(match, key, &name);

    if (status)
        return status;
    field = find_field(fields, name);
    if (!field)
        return unknown_field(match, key, name, fields);
    if (is_repeated(match, node, pair, name))
        return fail(match, key, "the field '%s' is here twice; keep one of them", name);
    snprintf(match->where + length, sizeof match->where - length, "%s%s", length ? "." : "", name);
    status = match_value(match, value, &field->value);
    if (!status)
        match->where[length] = '\0';
    return status;
}

static int match_fields(struct match *match, const yaml_node_t *node,
                        const cyaml_schema_field_t *fields)
{
    if (node->type != YAML_MAPPING_NODE)
        return fail(match, node, "this is %s; it must be a group of fields", kind_of(node));
    for (const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
         pair < node->data.mapping.pairs.top; pair++) {
        int status = match_field(match, node, pair, fields);

        if (status)
            return status;
    }
    for (const cyaml_schema_field_t *field = fields; field->key; field++) {
        bool present = false;

        for (const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
             pair < node->data.mapping.pairs.top && !present; pair++)
            present = !strcmp(
                (const char *)yaml_document_get_node(match->document, pair->key)->data.scalar.value,
                field->key);
        if (!present && !(field->value.flags & CYAML_FLAG_OPTIONAL))
            return fail(match, node, "the field '%s' is missing here", field->key);
    }
    return 0;
}

static int match_value(struct match *match, const yaml_node_t *node,
                       const cyaml_schema_value_t *schema)
{
    switch (schema->type) {
    case CYAML_MAPPING:
        return match_fields(match, node, schema->mapping.fields);
    case CYAML_SEQUENCE:
    case CYAML_FLAGS:
        return match_list(match, node, schema);
    case CYAML_ENUM:
        return match_name(match, node, schema);
    case CYAML_UINT:
        return match_number(match, node, schema);
    case CYAML_STRING:
        return match_text(match, node, schema);
    default:
        return error_set(match->error, ERROR_RIG, "%s: the schema has a type that is not matched",
                         match->where);
    }
}

int yaml_tree_match(const struct yaml_tree *tree, const cyaml_schema_value_t *schema,
                    struct error *error)
{
    struct match match = {
        .document = (yaml_document_t *)&tree->document, .path = tree->path, .error = error};

    return match_value(&match, yaml_document_get_root_node(match.document), schema);
}
