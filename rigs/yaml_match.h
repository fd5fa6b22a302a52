/*
 * The inside of a tree, shared by the two files that make it: rigs/yaml_tree.c reads it and finds
 * values in it, rigs/yaml_match.c holds it against a schema.
 */
#ifndef RIGS_YAML_MATCH_H
#define RIGS_YAML_MATCH_H

#include <stdbool.h>
#include <yaml.h>

#include "rigs/rig.h"
#include "rigs/yaml_tree.h"

struct yaml_tree {
    char path[RIG_PATH_MAX];
    bool is_loaded;
    yaml_document_t document;
};

#endif
