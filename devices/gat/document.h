/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The two documents of GAT that are XML (devices/GAT.md): the list of special functions and the
 * digests. They are read by libexpat, within bounds: no document type, so that there is no entity
 * but XML's own five and nothing outside of the document is ever looked for. What is wrong is
 * ERROR_DEVICE with a sentence. The caller owns the structs; nothing is kept.
 */
#ifndef DEVICES_GAT_DOCUMENT_H
#define DEVICES_GAT_DOCUMENT_H

#include "devices/gat/key.h"

#define GAT_DOCUMENT_MAX   ((size_t)256 * 1024)
#define GAT_DEPTH_MAX      16
#define GAT_NAME_SIZE      129 /* with its NUL; UTF-8 */
#define GAT_PARAMETERS_MAX 8
#define GAT_COMPONENTS_MAX 128
/* One for each component, and as many others as a device may have. */
#define GAT_FUNCTIONS_MAX (GAT_COMPONENTS_MAX + 32)

struct gat_function {
    char feature[GAT_NAME_SIZE];
    char parameters[GAT_PARAMETERS_MAX][GAT_NAME_SIZE];
    unsigned count;
};

struct gat_functions {
    struct gat_function list[GAT_FUNCTIONS_MAX];
    unsigned count;
};

struct gat_component {
    char name[GAT_NAME_SIZE];
    char digest[GAT_DIGEST_SIZE];
};

struct gat_components {
    char game[GAT_NAME_SIZE];         /* "" where it is not told */
    char manufacturer[GAT_NAME_SIZE]; /* likewise */
    struct gat_component list[GAT_COMPONENTS_MAX];
    unsigned count;
};

int gat_read_functions(const void *bytes, size_t size, struct gat_functions *functions,
                       struct error *error);
int gat_read_components(const void *bytes, size_t size, struct gat_components *components,
                        struct error *error);

/* Whether a parameter of the list stands for what the host has to put there: "%%SHA1_HMAC%%". */
bool gat_is_blank(const char *parameter);

/* NULL when there is none of that name. */
const struct gat_component *gat_find_component(const struct gat_components *components,
                                               const char *name);

#endif
