/*
 * The inside of a tree, shared by the two files that make it: rigs/rig/yaml_tree.c reads it and
 * finds values in it, rigs/rig/yaml_match.c holds it against a schema.
 */
#ifndef RIGS_RIG_YAML_MATCH_H
#define RIGS_RIG_YAML_MATCH_H

#include <stdbool.h>
#include <yaml.h>

#include "rigs/rig/rig.h"
#include "rigs/rig/yaml_tree.h"

struct yaml_tree {
    char path[RIG_PATH_MAX];
    bool is_loaded;
    yaml_document_t document;
};

#endif
