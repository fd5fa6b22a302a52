/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The text of a rig file for another folder: what it reads is found from there as well. */
#include <errno.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/device.h"
#include "rigs/rig/check.h"
#include "rigs/rig/tree.h"

/* Of a device. What a rig writes, its capture and its history, goes where the file is. */
static const char *const file_fields[] = {"script", "map", "authenticate.approved", "address"};
#define FILE_FIELDS (sizeof file_fields / sizeof file_fields[0])

/* The value at a place, and not one around it; NULL. */
static const struct tree_node *value_at(const struct tree *tree, const char *where)
{
    const struct tree_node *node = tree_root(tree);

    while (node && *where) {
        size_t length = strcspn(where, ".");

        node = node->kind == TREE_GROUP ? tree_field(node, where, length) : NULL;
        where += length + (where[length] == '.');
    }
    return node && node->kind == TREE_VALUE ? node : NULL;
}

/* Where in a value a path begins that is relative to the file; NULL: there is none. */
static const char *relative_path(const char *where, const char *value)
{
    static const char address[] = ".address";
    size_t length = strlen(where);
    const char *path = value;

    if (length >= strlen(address) && !strcmp(where + length - strlen(address), address)) {
        size_t model = strlen(RIG_SCRIPT_MODEL);

        path = !strncmp(value, RIG_SCRIPT_MODEL "?", model + 1) ? rig_find_file(value + model + 1)
                                                                : NULL;
    }
    return path && *path && *path != '/' && *path != ',' ? path : NULL;
}

/* The byte at a line and a column, which counts characters. */
static const char *byte_at(const char *text, unsigned line, unsigned column)
{
    while (line > 1 && (text = strchr(text, '\n'))) {
        text++;
        line--;
    }
    while (text && *text && column > 1) {
        text++;
        column -= (*text & 0xc0) != 0x80;
    }
    return text;
}

/* How many bytes of a text a value takes, with its quotes; 0: it is not written there as it is. */
static size_t written_length(const char *text, const struct tree_node *node)
{
    char quote = text && (*text == '\'' || *text == '"') ? *text : '\0';

    if (!text || strlen(node->text) != node->length)
        return 0;
    if (!quote)
        return strncmp(text, node->text, node->length) ? 0 : node->length;
    return !strncmp(text + 1, node->text, node->length) && text[1 + node->length] == quote
               ? node->length + 2
               : 0;
}

/* A value with the folder before its path, in single quotes. */
static void put_value(FILE *out, const char *value, const char *path, const char *folder)
{
    const char *const pieces[] = {folder, "/", path};

    fputc('\'', out);
    fwrite(value, 1, (size_t)(path - value), out);
    for (unsigned i = 0; i < 3; i++)
        for (const char *at = pieces[i]; *at; at++) {
            if (*at == '\'')
                fputc('\'', out);
            fputc(*at, out);
        }
    fputc('\'', out);
}

/* Writes one value anew: 1, 0 where that is not needed, or an error. Takes the text then. */
static int move_value(const struct tree *tree, const char *where, const char *folder, char **text,
                      struct error *error)
{
    const struct tree_node *node = value_at(tree, where);
    const char *path = node ? relative_path(where, node->text) : NULL;
    const char *from;
    char *moved = NULL;
    size_t length, size;
    FILE *out;

    if (!path)
        return 0;
    from = byte_at(*text, node->line, node->column);
    length = written_length(from, node);
    if (!length)
        return tree_error(tree, error, where,
                          "it is relative to the file and written so that it cannot be changed for "
                          "another folder; write it without escapes, or stay in the folder");
    out = open_memstream(&moved, &size);
    if (!out)
        return error_set(error, ERROR_RIG, "no memory for a rig");
    fwrite(*text, 1, (size_t)(from - *text), out);
    put_value(out, node->text, path, folder);
    fputs(from + length, out);
    if (fclose(out)) {
        free(moved);
        return error_set(error, ERROR_RIG, "no memory for a rig");
    }
    free(*text);
    *text = moved;
    return 1;
}

static int move_any(const struct tree *tree, const char *folder, char **text, struct error *error)
{
    int status = move_value(tree, "paytables", folder, text, error);

    for (unsigned i = 0; i < DEVICE_CLASSES * FILE_FIELDS && !status; i++) {
        char where[RIG_WHERE_MAX];

        snprintf(where, sizeof where, "devices.%s.%s",
                 device_class_name((enum device_class)(i / FILE_FIELDS)),
                 file_fields[i % FILE_FIELDS]);
        status = move_value(tree, where, folder, text, error);
    }
    return status;
}

/* After each the file is read anew: places behind it are others. */
static int move_all(const char *path, const char *folder, char **text, struct error *error)
{
    struct tree *tree;
    int status;

    do {
        status = tree_parse(&tree, path, *text, strlen(*text), error);
        if (status)
            return status;
        status = move_any(tree, folder, text, error);
        tree_free(tree);
    } while (status > 0);
    return status;
}

static int folder_of(const char *path, char folder[RIG_PATH_MAX], struct error *error)
{
    char *copy = strdup(path), *found = copy ? realpath(dirname(copy), NULL) : NULL;
    int status = 0;

    if (!found)
        status = error_set(error, copy ? ERROR_CONFIG : ERROR_RIG, "%s: its folder: %s", path,
                           strerror(errno));
    else if (strlen(found) >= RIG_PATH_MAX)
        status = error_set(error, ERROR_CONFIG, "%s: its folder has %zu bytes; it may have %d",
                           path, strlen(found), RIG_PATH_MAX - 1);
    else
        strcpy(folder, strcmp(found, "/") ? found : "");
    free(found);
    free(copy);
    return status;
}

int rig_move(const char *path, const char *text, const char *to, char **moved, struct error *error)
{
    char from[RIG_PATH_MAX], there[RIG_PATH_MAX];
    struct rig *rig;
    int status = folder_of(path, from, error);

    *moved = NULL;
    if (!status)
        status = folder_of(to, there, error);
    if (status)
        return status;
    *moved = strdup(text);
    if (!*moved)
        return error_set(error, ERROR_RIG, "no memory for a rig");
    if (!strcmp(from, there))
        return 0;
    status = move_all(path, from, moved, error);
    if (!status)
        status = rig_parse(&rig, to, *moved, strlen(*moved), error);
    if (!status) {
        rig_free(rig);
        return 0;
    }
    free(*moved);
    *moved = NULL;
    return status;
}
