#include "rigs/rig/rig.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rigs/recording/paytables.h"
#include "rigs/rig/check.h"

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
static int place_path(const struct rig_check *check, const char *where, char path[RIG_PATH_MAX])
{
    const char *slash = strrchr(check->rig->path, '/');
    char given[RIG_PATH_MAX];
    int length;

    if (!path[0] || path[0] == '/' || !slash)
        return 0;
    memcpy(given, path, sizeof given);
    length = snprintf(path, RIG_PATH_MAX, "%.*s/%s", (int)(slash - check->rig->path),
                      check->rig->path, given);
    if (length >= RIG_PATH_MAX)
        return tree_error(check->tree, check->error, where,
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
        status = place_path(check, "paytables", check->rig->paytables);
    return status ? status : place_path(check, "capture", check->rig->capture);
}

/* The text is kept for its digest. */
static int keep_text(struct rig *rig, const char *path, const char *text, size_t size,
                     struct error *error)
{
    rig->text = malloc(size + 1);
    if (!rig->text)
        return error_set(error, ERROR_RIG, "%s: not enough memory to keep it", path);
    memcpy(rig->text, text, size);
    rig->text[size] = '\0';
    rig->text_size = size;
    snprintf(rig->path, sizeof rig->path, "%s", path);
    return 0;
}

static int make_rig(struct rig **rig, const struct tree *tree, struct error *error)
{
    *rig = calloc(1, sizeof **rig);
    if (!*rig)
        return error_set(error, ERROR_RIG, "no memory for a rig");
    return fill(tree, rig_fields, *rig, error);
}

int rig_parse(struct rig **rig, const char *path, const char *text, size_t size,
              struct error *error)
{
    struct tree *tree;
    int status;

    *rig = NULL;
    if (strlen(path) >= RIG_PATH_MAX)
        return error_set(error, ERROR_CONFIG, "%.60s…: a path has at most %d bytes", path,
                         RIG_PATH_MAX - 1);
    if (size > RIG_SIZE_MAX)
        return error_set(error, ERROR_CONFIG, "%s: a rig file has at most %d bytes", path,
                         RIG_SIZE_MAX);
    status = tree_parse(&tree, path, text, size, error);
    if (status)
        return status;
    status = make_rig(rig, tree, error);
    if (!status)
        status = keep_text(*rig, path, text, size, error);
    if (!status)
        status = check_rig(&(struct rig_check){tree, *rig, error});
    tree_free(tree);
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
    fill_free(rig_fields, rig);
    free(rig);
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
