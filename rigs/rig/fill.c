/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/rig/fill.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "games/money.h"
#include "hal/base/names.h"

#define WHERE_MAX 160

struct walk {
    const struct tree *tree;
    struct error *error;
    char where[WHERE_MAX]; /* the value that is looked at */
};

static int fail(const struct walk *walk, const struct tree_node *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static int fail(const struct walk *walk, const struct tree_node *node, const char *format, ...)
{
    va_list arguments;
    int status;

    va_start(arguments, format);
    status = tree_error_at(walk->tree, node, walk->error, walk->where, format, arguments);
    va_end(arguments);
    return status;
}

static const char *kind_name(const struct tree_node *node)
{
    static const char *const names[] = {[TREE_VALUE] = "a single value",
                                        [TREE_LIST] = "a list",
                                        [TREE_GROUP] = "a group of fields"};

    return names[node->kind];
}

static int check_kind(const struct walk *walk, const struct tree_node *node, enum tree_kind kind)
{
    const struct tree_node wanted = {.kind = kind};

    if (node->kind == kind)
        return 0;
    return fail(walk, node, "this is %s; it must be %s", kind_name(node), kind_name(&wanted));
}

/* A single value without control characters, a NUL among them. */
static int check_value(const struct walk *walk, const struct tree_node *node)
{
    int status = check_kind(walk, node, TREE_VALUE);

    for (size_t i = 0; i < node->length && !status; i++)
        if ((unsigned char)node->text[i] < ' ' || node->text[i] == 0x7f)
            status = fail(walk, node, "character %zu of this value cannot be printed (0x%02x)",
                          i + 1, (unsigned char)node->text[i]);
    return status;
}

static int fill_text(const struct walk *walk, const struct tree_node *node,
                     const struct field *field, char *text)
{
    int status = check_value(walk, node);

    if (status)
        return status;
    if (node->length < field->least)
        return fail(walk, node, "this is empty; give it a value or leave the field out");
    if (node->length >= field->size)
        return fail(walk, node, "'%.40s…' has %zu bytes; it may have %zu", node->text, node->length,
                    field->size - 1);
    memcpy(text, node->text, node->length + 1);
    return 0;
}

/* Members are of different widths; the bounds of the table fit into them. */
static void store(void *member, size_t size, uint64_t value)
{
    if (size == sizeof(uint8_t))
        *(uint8_t *)member = (uint8_t)value;
    else
        *(uint32_t *)member = (uint32_t)value;
}

/* Decimal only, so that nobody takes 010 for eight. */
static int fill_number(const struct walk *walk, const struct tree_node *node,
                       const struct field *field, void *member)
{
    const char *text = node->text, *unit = field->unit ? field->unit : "";
    const char *blank = field->unit ? " " : "";
    uint64_t value;
    int status = check_value(walk, node);

    if (status)
        return status;
    if (!*text || text[strspn(text, "0123456789")] || (text[0] == '0' && text[1]))
        return fail(walk, node, "'%.40s' is no whole number; write it in digits, as in 20", text);
    value = node->length > 19 ? UINT64_MAX : strtoull(text, NULL, 10);
    if (value < field->least || value > field->most)
        return fail(walk, node, "%.40s%s%s; it is %" PRIu64 " to %" PRIu64 "%s%s", text, blank,
                    unit, field->least, field->most, blank, unit);
    store(member, field->size, value);
    return 0;
}

static int fill_word(const struct walk *walk, const struct tree_node *node,
                     const struct field *field, unsigned *value)
{
    const struct field_word *word = field->words;
    struct name_list names;
    int status = check_value(walk, node);

    if (status)
        return status;
    name_list_start(&names);
    for (; word->word; word++) {
        if (!strcmp(word->word, node->text)) {
            *value += word->value;
            return 0;
        }
        name_list_add(&names, word->word);
    }
    return fail(walk, node, "'%.40s' is none of: %s", node->text, name_list_text(&names));
}

static int fill_amount(const struct walk *walk, const struct tree_node *node,
                       const struct field *field, void *member)
{
    struct error said;
    int status = check_value(walk, node);

    if (status)
        return status;
    status = field->kind == FIELD_RATE ? rate_parse(node->text, member, &said)
                                       : micros_parse(node->text, member, &said);
    return status ? fail(walk, node, "%s", said.text) : 0;
}

static int check_count(const struct walk *walk, const struct tree_node *node, uint64_t least,
                       uint64_t most, size_t *count)
{
    int status = check_kind(walk, node, TREE_LIST);

    *count = 0;
    for (const struct tree_node *entry = node->first; entry && !status; entry = entry->next)
        ++*count;
    if (!status && (*count < least || *count > most))
        status = fail(walk, node, "this list has %zu entries; it must have %" PRIu64 " to %" PRIu64,
                      *count, least, most);
    return status;
}

static int fill_words(struct walk *walk, const struct tree_node *node, const struct field *field,
                      unsigned *value)
{
    size_t length = strlen(walk->where), number = 0, count, known = 0;
    int status;

    while (field->words[known].word)
        known++;
    status = check_count(walk, node, 0, known, &count);
    for (const struct tree_node *entry = node->first; entry && !status; entry = entry->next) {
        snprintf(walk->where + length, sizeof walk->where - length, "[%zu]", ++number);
        status = fill_word(walk, entry, field, value);
    }
    if (!status)
        walk->where[length] = '\0';
    return status;
}

static int fill_group(struct walk *walk, const struct tree_node *node, const struct field *fields,
                      void *into);

static int fill_list(struct walk *walk, const struct tree_node *node, const struct field *field,
                     void *member, unsigned *counted)
{
    size_t length = strlen(walk->where), number = 0, count;
    int status = check_count(walk, node, field->least, field->most, &count);
    char *entries;

    if (status)
        return status;
    entries = calloc(count, field->size);
    if (!entries)
        return error_set(walk->error, ERROR_RIG, "%s: not enough memory for it", walk->where);
    *(void **)member = entries;
    *counted = (unsigned)count;
    for (const struct tree_node *entry = node->first; entry && !status; entry = entry->next) {
        snprintf(walk->where + length, sizeof walk->where - length, "[%zu]", ++number);
        status = fill_group(walk, entry, field->fields, entries + (number - 1) * field->size);
    }
    if (!status)
        walk->where[length] = '\0';
    return status;
}

static int fill_member(struct walk *walk, const struct tree_node *node, const struct field *field,
                       char *into)
{
    char *member = into + field->offset;

    if (field->place)
        *(struct rig_place *)(into + field->place) = (struct rig_place){node->line, node->column};
    switch (field->kind) {
    case FIELD_TEXT:
        return fill_text(walk, node, field, member);
    case FIELD_NUMBER:
        return fill_number(walk, node, field, member);
    case FIELD_WORD:
        return fill_word(walk, node, field, (unsigned *)member);
    case FIELD_WORDS:
        return fill_words(walk, node, field, (unsigned *)member);
    case FIELD_LIST:
        return fill_list(walk, node, field, member, (unsigned *)(into + field->count));
    case FIELD_GROUP:
        return fill_group(walk, node, field->fields, field->is_pointer ? *(void **)member : member);
    default:
        return fill_amount(walk, node, field, member);
    }
}

/* What a field means that is left out; inside a group that is left out all are. */
static void fill_standard(const struct field *field, char *into)
{
    if (field->kind == FIELD_NUMBER)
        store(into + field->offset, field->size, field->standard);
    if (field->kind == FIELD_GROUP && !field->is_pointer)
        for (const struct field *inner = field->fields; inner->key; inner++)
            fill_standard(inner, into + field->offset);
}

static int make_group(struct walk *walk, const struct field *field, char *into)
{
    void **member = (void **)(into + field->offset);

    if (field->kind != FIELD_GROUP || !field->is_pointer)
        return 0;
    *member = calloc(1, field->size);
    return *member ? 0
                   : error_set(walk->error, ERROR_RIG, "%s: not enough memory for it", field->key);
}

static int fill_field(struct walk *walk, const struct tree_node *group, const struct field *field,
                      void *into)
{
    const struct tree_node *node = tree_field(group, field->key, strlen(field->key));
    size_t length = strlen(walk->where);
    int status;

    if (!node && field->required)
        return fail(walk, group, "the field '%s' is missing here", field->key);
    if (!node) {
        fill_standard(field, into);
        return 0;
    }
    snprintf(walk->where + length, sizeof walk->where - length, "%s%s", length ? "." : "",
             field->key);
    status = make_group(walk, field, into);
    if (!status)
        status = fill_member(walk, node, field, into);
    if (!status)
        walk->where[length] = '\0';
    return status;
}

/* Every key of a group is a field of the table, and none is there twice. */
static int check_keys(const struct walk *walk, const struct tree_node *group,
                      const struct field *fields)
{
    for (const struct tree_node *key = group->first; key; key = key->next) {
        const struct field *field = fields;
        struct name_list names;
        int status = check_value(walk, key);

        if (status)
            return status;
        name_list_start(&names);
        for (; field->key && strcmp(field->key, key->text) != 0; field++)
            name_list_add(&names, field->key);
        if (!field->key)
            return fail(walk, key, "there is no field '%.40s' here; the fields are %s", key->text,
                        name_list_text(&names));
        if (tree_field(group, key->text, key->length) != key->value)
            return fail(walk, key, "the field '%s' is here twice; keep one of them", key->text);
    }
    return 0;
}

static int fill_group(struct walk *walk, const struct tree_node *node, const struct field *fields,
                      void *into)
{
    int status = check_kind(walk, node, TREE_GROUP);

    if (!status)
        status = check_keys(walk, node, fields);
    for (; fields->key && !status; fields++)
        status = fill_field(walk, node, fields, into);
    return status;
}

int fill_tree(const struct tree *tree, const struct field *fields, void *into, struct error *error)
{
    struct walk walk = {.tree = tree, .error = error};

    return fill_group(&walk, tree_root(tree), fields, into);
}

void fill_free(const struct field *fields, void *filled)
{
    for (; fields->key; fields++) {
        char *member = (char *)filled + fields->offset;
        unsigned count = 1;

        if (fields->kind == FIELD_LIST)
            count = *(unsigned *)((char *)filled + fields->count);
        else if (fields->kind != FIELD_GROUP)
            continue;
        if (fields->kind == FIELD_LIST || fields->is_pointer)
            member = *(char **)member;
        for (unsigned i = 0; member && i < count; i++)
            fill_free(fields->fields, member + i * fields->size);
        if (fields->kind == FIELD_LIST || fields->is_pointer)
            free(member);
    }
}
