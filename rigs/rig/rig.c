#include "rigs/rig/rig.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rigs/recording/paytables.h"
#include "rigs/rig/check.h"

/* Silent: what is wrong was said with its place when the tree was matched. */
static const cyaml_config_t config = {
    .log_fn = NULL, .mem_fn = cyaml_mem, .flags = CYAML_CFG_NO_ALIAS};

bool rig_is_emulated(const char *address)
{
    return !strncmp(address, "emu:", 4);
}

/* Appends to a text that keeps room for its NUL; false when it does not fit. */
static bool append(char *text, size_t size, const char *separator, const char *key,
                   const char *value, size_t length)
{
    size_t used = strlen(text);
    int added = snprintf(text + used, size - used, "%s%s%.*s", separator, key, (int)length, value);

    return added >= 0 && (size_t)added < size - used;
}

int rig_address(const char *address, const char *fault, uint64_t seed, char text[LINK_ADDRESS_MAX],
                struct error *error)
{
    const char *options = strchr(address, '?');
    char number[24];
    bool fits;

    snprintf(text, LINK_ADDRESS_MAX, "%s", address);
    if (!rig_is_emulated(address))
        return 0;
    fits = options || append(text, LINK_ADDRESS_MAX, "?", "", "", 0);
    if (!options || (strncmp(options + 1, "seed=", 5) != 0 && !strstr(options, ",seed="))) {
        snprintf(number, sizeof number, "%" PRIu64, seed);
        fits = fits && append(text, LINK_ADDRESS_MAX, options && options[1] ? "," : "",
                              "seed=", number, strlen(number));
    }
    while (fits && *fault) {
        size_t length = strcspn(fault, ",");

        fits = append(text, LINK_ADDRESS_MAX, ",", "fault=", fault, length);
        fault += length + (fault[length] == ',');
    }
    if (!fits)
        return error_set(error, ERROR_CONFIG,
                         "address and faults make more than %d bytes; give fewer of them",
                         LINK_ADDRESS_MAX - 1);
    return 0;
}

/* A path of the file is relative to the file. */
static int place_path(const struct rig_check *check, const char *where, char path[RIG_PATH_MAX],
                      struct rig_place *place)
{
    const char *slash = strrchr(check->rig->path, '/');
    char given[RIG_PATH_MAX];
    int length;

    yaml_tree_find(check->tree, where, &place->line, &place->column);
    if (!path[0] || path[0] == '/' || !slash)
        return 0;
    memcpy(given, path, sizeof given);
    length = snprintf(path, RIG_PATH_MAX, "%.*s/%s", (int)(slash - check->rig->path),
                      check->rig->path, given);
    if (length >= RIG_PATH_MAX)
        return yaml_tree_error(check->tree, check->error, where,
                               "the path has %d bytes with the folder of the rig file; it may "
                               "have %d",
                               length, RIG_PATH_MAX - 1);
    return 0;
}

static int check_rig(const struct rig_check *check)
{
    int status = rig_check_table(check);

    if (!status)
        status = rig_check_devices(check);
    if (!status)
        status = rig_check_sensors(check);
    if (!status)
        status =
            place_path(check, "paytables", check->rig->paytables, &check->rig->paytables_place);
    if (!status)
        status = place_path(check, "capture", check->rig->capture, &check->rig->capture_place);
    return status;
}

/* Fills the struct from text that matches the schema. */
static int fill(struct rig **rig, const char *path, const char *text, size_t size,
                struct error *error)
{
    cyaml_data_t *data = NULL;
    cyaml_err_t failed =
        cyaml_load_data((const uint8_t *)text, size, &config, &rig_schema, &data, NULL);

    if (failed)
        return error_set(error, failed == CYAML_ERR_OOM ? ERROR_RIG : ERROR_CONFIG, "%s: %s", path,
                         cyaml_strerror(failed));
    *rig = data;
    (*rig)->text = malloc(size + 1);
    if (!(*rig)->text)
        return error_set(error, ERROR_RIG, "%s: not enough memory to keep it", path);
    memcpy((*rig)->text, text, size);
    (*rig)->text[size] = '\0';
    (*rig)->text_size = size;
    snprintf((*rig)->path, sizeof(*rig)->path, "%s", path);
    return 0;
}

int rig_parse(struct rig **rig, const char *path, const char *text, size_t size,
              struct error *error)
{
    struct yaml_tree *tree;
    int status;

    *rig = NULL;
    if (strlen(path) >= RIG_PATH_MAX)
        return error_set(error, ERROR_CONFIG, "%.60s…: a path has at most %d bytes", path,
                         RIG_PATH_MAX - 1);
    if (size > RIG_SIZE_MAX)
        return error_set(error, ERROR_CONFIG, "%s: a rig file has at most %d bytes", path,
                         RIG_SIZE_MAX);
    status = yaml_tree_parse(&tree, path, text, size, error);
    if (status)
        return status;
    status = yaml_tree_match(tree, &rig_schema, error);
    if (!status)
        status = fill(rig, path, text, size, error);
    if (!status)
        status = check_rig(&(struct rig_check){tree, *rig, error});
    yaml_tree_free(tree);
    if (status) {
        rig_free(*rig);
        *rig = NULL;
    }
    return status;
}

/* Reads at most one byte more than is allowed. */
static int read_file(const char *path, char **text, size_t *size, struct error *error)
{
    FILE *file = fopen(path, "re");
    int failed;

    *text = NULL;
    if (!file)
        return error_set(error, ERROR_CONFIG, "%s: %s; name a rig file", path, strerror(errno));
    *text = malloc(RIG_SIZE_MAX + 1);
    if (!*text) {
        fclose(file);
        return error_set(error, ERROR_RIG, "%s: not enough memory to read it", path);
    }
    errno = 0;
    *size = fread(*text, 1, RIG_SIZE_MAX + 1, file);
    failed = ferror(file) ? errno : 0;
    fclose(file);
    if (!failed)
        return 0;
    free(*text);
    *text = NULL;
    return error_set(error, ERROR_CONFIG, "%s: %s; name a rig file", path, strerror(failed));
}

int rig_load(struct rig **rig, const char *path, struct error *error)
{
    char *text;
    size_t size = 0;
    int status;

    *rig = NULL;
    status = read_file(path, &text, &size, error);
    if (!status)
        status = rig_parse(rig, path, text, size, error);
    free(text);
    return status;
}

void rig_free(struct rig *rig)
{
    if (!rig)
        return;
    free(rig->text);
    cyaml_free(&config, &rig_schema, rig, 0);
}

void rig_place_error(const struct rig *rig, const struct rig_place *place, const char *what,
                     struct error *error)
{
    if (error)
        error_prefix(error, "%s:%u:%u: the %s", rig->path, place->line, place->column, what);
}

int rig_paytables(const struct rig *rig, struct paytables **set, struct error *error)
{
    int status = 0;

    *set = NULL;
    if (rig->paytables[0])
        status = paytables_load(rig->paytables, set, error);
    if (status)
        rig_place_error(rig, &rig->paytables_place, "paytables", error);
    return status;
}
