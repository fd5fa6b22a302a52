/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/rig/tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

/* Deeper than any rig: device, sensors, seats, seat. */
#define DEPTH_MAX 12

struct tree {
    const char *path; /* the caller's while it is read, then a copy */
    struct tree_node *root;
    struct tree_node *made; /* the last node; the others follow */
    char *copy;
};

/* A list or group that is not closed yet. */
struct level {
    struct tree_node *node;
    struct tree_node *last; /* child so far */
    bool awaits_value;      /* of the last child, which is a key */
};

struct reader {
    struct tree *tree;
    const char *text;
    size_t size;
    unsigned depth, documents;
    struct level levels[DEPTH_MAX];
    struct error *error;
};

static int fail(const struct reader *reader, const yaml_mark_t *mark, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static int fail(const struct reader *reader, const yaml_mark_t *mark, const char *format, ...)
{
    char text[ERROR_TEXT_SIZE];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return error_set(reader->error, ERROR_CONFIG, "%s:%zu:%zu: %s", reader->tree->path,
                     mark->line + 1, mark->column + 1, text);
}

static int no_memory(const char *path, struct error *error)
{
    return error_set(error, ERROR_RIG, "%s: not enough memory to read it", path);
}

/* For bytes that are no text libyaml tells an offset only. */
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

static int syntax_error(const struct reader *reader, const yaml_parser_t *parser)
{
    const char *problem = parser->problem ? parser->problem : "it cannot be read";
    yaml_mark_t mark = parser->problem_mark;

    if (parser->error == YAML_MEMORY_ERROR)
        return no_memory(reader->tree->path, reader->error);
    if (parser->error == YAML_READER_ERROR) {
        size_t offset = parser->problem_offset;

        mark = mark_of_offset(reader->text, offset < reader->size ? offset : reader->size);
        return fail(reader, &mark, "this is no YAML text: %s (0x%02x)", problem,
                    parser->problem_value < 0 ? 0u : (unsigned)parser->problem_value);
    }
    return fail(reader, &mark, "this is no YAML: %s%s%s", problem, parser->context ? " " : "",
                parser->context ? parser->context : "");
}

static struct tree_node *make_node(struct reader *reader, enum tree_kind kind,
                                   const yaml_mark_t *mark, const void *text, size_t length)
{
    struct tree_node *node = calloc(1, sizeof *node + length + 1);

    if (!node)
        return NULL;
    node->kind = kind;
    node->line = (unsigned)mark->line + 1;
    node->column = (unsigned)mark->column + 1;
    node->length = length;
    if (length)
        memcpy(node->text, text, length);
    node->made = reader->tree->made;
    reader->tree->made = node;
    return node;
}

/* Puts a node where the file has it: below the list or group that is open. */
static void attach(struct reader *reader, struct tree_node *node)
{
    struct level *level = reader->depth ? &reader->levels[reader->depth - 1] : NULL;

    if (!level) {
        reader->tree->root = node;
    } else if (level->awaits_value) {
        level->last->value = node;
        level->awaits_value = false;
    } else {
        *(level->last ? &level->last->next : &level->node->first) = node;
        level->last = node;
        level->awaits_value = level->node->kind == TREE_GROUP;
    }
}

static int add(struct reader *reader, enum tree_kind kind, const yaml_event_t *event,
               const yaml_char_t *anchor, const void *text, size_t length)
{
    struct tree_node *node;

    if (anchor)
        return fail(reader, &event->start_mark,
                    "anchors and aliases are not used here ('%.40s'); write the value out",
                    (const char *)anchor);
    if (kind != TREE_VALUE && reader->depth == DEPTH_MAX)
        return fail(reader, &event->start_mark,
                    "this is nested more than %d deep; nothing in a rig is", DEPTH_MAX);
    node = make_node(reader, kind, &event->start_mark, text, length);
    if (!node)
        return no_memory(reader->tree->path, reader->error);
    attach(reader, node);
    if (kind != TREE_VALUE)
        reader->levels[reader->depth++] = (struct level){.node = node};
    return 0;
}

static int take(struct reader *reader, const yaml_event_t *event)
{
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
        return ++reader->documents > 1 ? fail(reader, &event->start_mark,
                                              "a second document starts here; a file holds one")
                                       : 0;
    case YAML_SEQUENCE_START_EVENT:
        return add(reader, TREE_LIST, event, event->data.sequence_start.anchor, NULL, 0);
    case YAML_MAPPING_START_EVENT:
        return add(reader, TREE_GROUP, event, event->data.mapping_start.anchor, NULL, 0);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        reader->depth--;
        return 0;
    case YAML_SCALAR_EVENT:
        return add(reader, TREE_VALUE, event, event->data.scalar.anchor, event->data.scalar.value,
                   event->data.scalar.length);
    case YAML_ALIAS_EVENT:
        return add(reader, TREE_VALUE, event, event->data.alias.anchor, NULL, 0);
    default:
        return 0;
    }
}

static int read_events(struct reader *reader)
{
    yaml_parser_t parser;
    yaml_event_t event;
    bool ended = false;
    int status = 0;

    if (!yaml_parser_initialize(&parser))
        return no_memory(reader->tree->path, reader->error);
    yaml_parser_set_input_string(&parser, (const unsigned char *)reader->text, reader->size);
    while (!ended && !status) {
        if (!yaml_parser_parse(&parser, &event)) {
            status = syntax_error(reader, &parser);
            break;
        }
        ended = event.type == YAML_STREAM_END_EVENT;
        status = take(reader, &event);
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    if (!status && !reader->documents)
        return error_set(reader->error, ERROR_CONFIG, "%s:1:1: the file is empty",
                         reader->tree->path);
    return status;
}

int tree_parse(struct tree **tree, const char *path, const char *text, size_t size,
               struct error *error)
{
    struct reader reader = {.text = text, .size = size, .error = error};
    int status;

    *tree = reader.tree = calloc(1, sizeof **tree);
    if (!*tree)
        return no_memory(path, error);
    (*tree)->path = path;
    status = read_events(&reader);
    if (!status && !((*tree)->path = (*tree)->copy = strdup(path)))
        status = no_memory(path, error);
    if (status) {
        tree_free(*tree);
        *tree = NULL;
    }
    return status;
}

void tree_free(struct tree *tree)
{
    if (!tree)
        return;
    for (struct tree_node *node = tree->made, *before; node; node = before) {
        before = node->made;
        free(node);
    }
    free(tree->copy);
    free(tree);
}

const struct tree_node *tree_root(const struct tree *tree)
{
    return tree->root;
}

const struct tree_node *tree_field(const struct tree_node *group, const char *name, size_t length)
{
    if (group->kind != TREE_GROUP)
        return NULL;
    for (const struct tree_node *key = group->first; key; key = key->next)
        if (key->kind == TREE_VALUE && key->length == length && !memcmp(key->text, name, length))
            return key->value;
    return NULL;
}

static const struct tree_node *entry_of(const struct tree_node *list, unsigned long number)
{
    const struct tree_node *entry = list->kind == TREE_LIST && number ? list->first : NULL;

    while (entry && --number)
        entry = entry->next;
    return entry;
}

const struct tree_node *tree_find(const struct tree *tree, const char *where)
{
    const struct tree_node *node = tree->root;

    while (*where) {
        const struct tree_node *next;
        size_t length;
        char *end;

        if (*where == '[') {
            next = entry_of(node, strtoul(where + 1, &end, 10));
            where = *end == ']' ? end + 1 : end;
        } else {
            where += *where == '.';
            length = strcspn(where, ".[");
            next = tree_field(node, where, length);
            where += length;
        }
        if (!next)
            return node;
        node = next;
    }
    return node;
}

int tree_error_at(const struct tree *tree, const struct tree_node *node, struct error *error,
                  const char *where, const char *format, va_list arguments)
{
    char text[ERROR_TEXT_SIZE];

    vsnprintf(text, sizeof text, format, arguments);
    return error_set(error, ERROR_CONFIG, "%s:%u:%u: %s%s%s", tree->path, node->line, node->column,
                     where, *where ? ": " : "", text);
}

int tree_error(const struct tree *tree, struct error *error, const char *where, const char *format,
               ...)
{
    va_list arguments;
    int status;

    va_start(arguments, format);
    status = tree_error_at(tree, tree_find(tree, where), error, where, format, arguments);
    va_end(arguments);
    return status;
}
