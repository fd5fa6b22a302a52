#include "rigs/rig/yaml_tree.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "rigs/rig/yaml_match.h"

/* Deeper than any rig: device, sensors, seats, seat. */
#define DEPTH_MAX 12

static int fail_at(const struct yaml_tree *tree, const yaml_mark_t *mark, struct error *error,
                   const char *format, ...)
{
    char text[ERROR_TEXT_SIZE];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return error_set(error, ERROR_CONFIG, "%s:%zu:%zu: %s", tree->path, mark->line + 1,
                     mark->column + 1, text);
}

/* The reader of libyaml knows an offset only. */
static yaml_mark_t mark_of_offset(const char *text, size_t offset)
{
    yaml_mark_t mark = {.index = offset};

    for (size_t i = 0; i < offset; i++) {
        mark.column++;
        if (text[i] == '\n') {
            mark.line++;
            mark.column = 0;
        }
    }
    return mark;
}

static int syntax_error(const struct yaml_tree *tree, const yaml_parser_t *parser, const char *text,
                        size_t size, struct error *error)
{
    const char *problem = parser->problem ? parser->problem : "it cannot be read";
    yaml_mark_t mark = parser->problem_mark;

    if (parser->error == YAML_MEMORY_ERROR)
        return error_set(error, ERROR_RIG, "%s: not enough memory to read it", tree->path);
    if (parser->error == YAML_READER_ERROR) {
        size_t offset = parser->problem_offset;

        mark = mark_of_offset(text, offset < size ? offset : size);
        return fail_at(tree, &mark, error, "this is no YAML text: %s (0x%02x)", problem,
                       parser->problem_value < 0 ? 0u : (unsigned)parser->problem_value);
    }
    return fail_at(tree, &mark, error, "this is no YAML: %s%s%s", problem,
                   parser->context ? " " : "", parser->context ? parser->context : "");
}

/* Looks at one event of the text; `depth` and `documents` are counted. */
static int look_at(const struct yaml_tree *tree, const yaml_event_t *event, unsigned *depth,
                   unsigned *documents, struct error *error)
{
    const yaml_char_t *anchor = NULL;

    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
        if (++*documents > 1)
            return fail_at(tree, &event->start_mark, error,
                           "a second document starts here; a file holds one");
        return 0;
    case YAML_SEQUENCE_START_EVENT:
        anchor = event->data.sequence_start.anchor;
        ++*depth;
        break;
    case YAML_MAPPING_START_EVENT:
        anchor = event->data.mapping_start.anchor;
        ++*depth;
        break;
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        --*depth;
        return 0;
    case YAML_SCALAR_EVENT:
        anchor = event->data.scalar.anchor;
        break;
    case YAML_ALIAS_EVENT:
        anchor = event->data.alias.anchor;
        break;
    default:
        return 0;
    }
    if (anchor)
        return fail_at(tree, &event->start_mark, error,
                       "anchors and aliases are not used here ('%.40s'); write the value out",
                       (const char *)anchor);
    if (*depth > DEPTH_MAX)
        return fail_at(tree, &event->start_mark, error,
                       "this is nested more than %d deep; nothing in a rig is", DEPTH_MAX);
    return 0;
}

/* Before anything is built: whether it is YAML, one document, shallow and without anchors. */
static int scan(const struct yaml_tree *tree, const char *text, size_t size, struct error *error)
{
    yaml_parser_t parser;
    yaml_event_t event;
    unsigned depth = 0, documents = 0;
    bool ended = false;
    int status = 0;

    if (!yaml_parser_initialize(&parser))
        return error_set(error, ERROR_RIG, "%s: not enough memory to read it", tree->path);
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, size);
    while (!ended && !status) {
        if (!yaml_parser_parse(&parser, &event)) {
            status = syntax_error(tree, &parser, text, size, error);
            break;
        }
        ended = event.type == YAML_STREAM_END_EVENT;
        status = look_at(tree, &event, &depth, &documents, error);
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    if (!status && !documents)
        return error_set(error, ERROR_CONFIG, "%s:1:1: the file is empty", tree->path);
    return status;
}

static int build(struct yaml_tree *tree, const char *text, size_t size, struct error *error)
{
    yaml_parser_t parser;
    int status = 0;

    if (!yaml_parser_initialize(&parser))
        return error_set(error, ERROR_RIG, "%s: not enough memory to read it", tree->path);
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, size);
    if (yaml_parser_load(&parser, &tree->document))
        tree->is_loaded = true;
    else
        status = syntax_error(tree, &parser, text, size, error);
    yaml_parser_delete(&parser);
    return status;
}

int yaml_tree_parse(struct yaml_tree **tree, const char *path, const char *text, size_t size,
                    struct error *error)
{
    struct yaml_tree *new = calloc(1, sizeof *new);
    int status;

    *tree = NULL;
    if (!new)
        return error_set(error, ERROR_RIG, "%s: not enough memory to read it", path);
    snprintf(new->path, sizeof new->path, "%s", path);
    status = scan(new, text, size, error);
    if (!status)
        status = build(new, text, size, error);
    if (status)
        yaml_tree_free(new);
    else
        *tree = new;
    return status;
}

void yaml_tree_free(struct yaml_tree *tree)
{
    if (!tree)
        return;
    if (tree->is_loaded)
        yaml_document_delete(&tree->document);
    free(tree);
}

/* The value of a field, or NULL. */
static yaml_node_t *field_of(yaml_document_t *document, const yaml_node_t *node, const char *name,
                             size_t length)
{
    if (node->type != YAML_MAPPING_NODE)
        return NULL;
    for (const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
         pair < node->data.mapping.pairs.top; pair++) {
        const yaml_node_t *key = yaml_document_get_node(document, pair->key);

        if (key->type == YAML_SCALAR_NODE && key->data.scalar.length == length &&
            !memcmp(key->data.scalar.value, name, length))
            return yaml_document_get_node(document, pair->value);
    }
    return NULL;
}

static yaml_node_t *entry_of(yaml_document_t *document, const yaml_node_t *node,
                             unsigned long number)
{
    const yaml_node_item_t *items;

    if (node->type != YAML_SEQUENCE_NODE)
        return NULL;
    items = node->data.sequence.items.start;
    if (!number || number > (unsigned long)(node->data.sequence.items.top - items))
        return NULL;
    return yaml_document_get_node(document, items[number - 1]);
}

/* The node that is meant, or the last one on the way to it; `found` says which. */
static const yaml_node_t *find(const struct yaml_tree *tree, const char *where, bool *found)
{
    yaml_document_t *document = (yaml_document_t *)&tree->document;
    const yaml_node_t *node = yaml_document_get_root_node(document);

    *found = false;
    while (*where) {
        const yaml_node_t *next;
        char *end;

        if (*where == '[') {
            next = entry_of(document, node, strtoul(where + 1, &end, 10));
            where = *end == ']' ? end + 1 : end;
        } else {
            size_t length;

            where += *where == '.';
            length = strcspn(where, ".[");
            next = field_of(document, node, where, length);
            where += length;
        }
        if (!next)
            return node;
        node = next;
    }
    *found = true;
    return node;
}

void yaml_tree_find(const struct yaml_tree *tree, const char *where, unsigned *line,
                    unsigned *column)
{
    bool found;
    const yaml_node_t *node = find(tree, where, &found);

    *line = (unsigned)node->start_mark.line + 1;
    *column = (unsigned)node->start_mark.column + 1;
}

bool yaml_tree_has(const struct yaml_tree *tree, const char *where)
{
    bool found;

    find(tree, where, &found);
    return found;
}

int yaml_tree_error(const struct yaml_tree *tree, struct error *error, const char *where,
                    const char *format, ...)
{
    char text[ERROR_TEXT_SIZE];
    unsigned line, column;
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    yaml_tree_find(tree, where, &line, &column);
    return error_set(error, ERROR_CONFIG, "%s:%u:%u: %s: %s", tree->path, line, column, where,
                     text);
}
