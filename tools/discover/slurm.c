/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The benches of a host as Slurm has them: a node and a generic resource for each rig file, with
 * what its devices are and can as features. rigs/LAB.md says where the lines go.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rigs/bench/bench.h"
#include "rigs/page/markup.h"
#include "tools/discover/discover.h"
#include "tools/others.h"

#define FIRST_PORT 17001 /* of a slurmd; one more for each further bench */
#define NAME_SIZE  64

/* What may stand in a name of Slurm's; anything else means something there. */
static void make_name(char name[NAME_SIZE], const char *text)
{
    snprintf(name, NAME_SIZE, "%s", text);
    for (char *at = name; *at; at++)
        if (!isalnum((unsigned char)*at) && *at != '.' && *at != '-')
            *at = '_';
}

/* "bench-usb" of "rigs/bench-usb.yaml". */
static void name_rig(char name[NAME_SIZE], const char *path)
{
    const char *slash = strrchr(path, '/');

    make_name(name, slash ? slash + 1 : path);
    if (strrchr(name, '.') && strrchr(name, '.') != name)
        *strrchr(name, '.') = '\0';
}

/* What deals there is what kind of bench it is. */
static const char *type_of(const struct bench *bench)
{
    static const enum device_class classes[] = {DEVICE_SHUFFLER, DEVICE_SHOE, DEVICE_TERMINAL,
                                                DEVICE_SENSORS};

    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++)
        if (bench_find(bench, classes[i]))
            return device_class_name(classes[i]);
    return "empty";
}

static void put_feature(FILE *out, const char **separator, const char *device, const char *kind,
                        const char *value)
{
    char name[NAME_SIZE];

    if (!*value)
        return;
    make_name(name, value);
    fprintf(out, "%s%s.%s%s%s", *separator, device, kind, *kind ? "." : "", name);
    *separator = ",";
}

static void put_features(FILE *out, const struct bench *bench)
{
    static const struct {
        unsigned capability;
        const char *name;
    } capabilities[] = {{DEVICE_LOADS_ORDER, "loads-order"}, {DEVICE_HAS_TEST_MODE, "test-mode"},
                        {DEVICE_KEEPS_LOG, "log"},           {DEVICE_TELLS_STATUS, "status"},
                        {DEVICE_TELLS_CARDS, "cards"},       {DEVICE_IS_STACKED, "stacked"}};
    const struct bench_device *device;
    const char *separator = " Features=";

    for (unsigned i = 0; (device = bench_device(bench, i)); i++) {
        put_feature(out, &separator, device->name, "driver", device->driver);
        if (device->has_identity) {
            put_feature(out, &separator, device->name, "model", device->identity.model);
            put_feature(out, &separator, device->name, "serial", device->identity.serial);
            put_feature(out, &separator, device->name, "firmware", device->identity.firmware);
        }
        for (size_t c = 0; c < sizeof capabilities / sizeof capabilities[0]; c++)
            if (device_can(device->device, capabilities[c].capability))
                put_feature(out, &separator, device->name, "", capabilities[c].name);
    }
}

struct lines {
    FILE *nodes, *resources;
    char host[NAME_SIZE];
};

static void put_bench(const struct lines *lines, const struct bench *bench, const char *path,
                      unsigned port)
{
    char name[NAME_SIZE];

    name_rig(name, path);
    fprintf(lines->nodes, "NodeName=%s-%s NodeHostname=%s Port=%u CPUs=1 Gres=bench:%s:1",
            lines->host, name, lines->host, port, type_of(bench));
    put_features(lines->nodes, bench);
    fputs(" State=UNKNOWN # ", lines->nodes);
    plain_text(lines->nodes, path);
    putc('\n', lines->nodes);
    fprintf(lines->resources, "NodeName=%s-%s Name=bench Type=%s Count=1 Flags=CountOnly\n",
            lines->host, name, type_of(bench));
}

static int add_rig(const struct lines *lines, const char *path, unsigned port, struct error *error)
{
    struct bench bench;
    struct rig *rig;
    int status = rig_load(&rig, path, error);

    if (status)
        return status;
    rig->capture[0] = '\0';
    others_warn_of_rig("discover", rig);
    status = bench_open(&bench, rig, 1, error);
    if (!status) {
        put_bench(lines, &bench, path, port);
        status = bench_close(&bench, error);
    }
    rig_free(rig);
    return status;
}

/* Two rigs of one name would be one node. */
static int check_names(char *const *paths, struct error *error)
{
    char one[NAME_SIZE], other[NAME_SIZE];

    for (size_t i = 0; paths[i]; i++)
        for (size_t j = 0; j < i; j++) {
            name_rig(one, paths[i]);
            name_rig(other, paths[j]);
            if (!strcmp(one, other))
                return error_set(error, ERROR_CONFIG,
                                 "%s and %s would both be node %s; give one of the files another "
                                 "name",
                                 paths[j], paths[i], one);
        }
    return 0;
}

/* Both files are put together before a line is written. */
static int list_benches(const struct lines *lines, char *const *paths, struct error *error)
{
    int status = check_names(paths, error);

    for (unsigned i = 0; !status && paths[i]; i++)
        status = add_rig(lines, paths[i], FIRST_PORT + i, error);
    return status;
}

static void find_host(char name[NAME_SIZE])
{
    char host[NAME_SIZE] = "";

    gethostname(host, sizeof host - 1);
    host[strcspn(host, ".")] = '\0';
    make_name(name, *host ? host : "localhost");
}

int discover_slurm(char *const *paths, FILE *out, struct error *error)
{
    char *nodes = NULL, *resources = NULL;
    size_t node_length, resource_length;
    struct lines lines = {.nodes = open_memstream(&nodes, &node_length),
                          .resources = open_memstream(&resources, &resource_length)};
    int status = 0;

    find_host(lines.host);
    if (lines.nodes && lines.resources)
        status = list_benches(&lines, paths, error);
    if (!lines.nodes || !lines.resources || fclose(lines.nodes) || fclose(lines.resources))
        status = error_set(error, ERROR_RIG, "out of memory");
    if (!status)
        fprintf(out, "# slurm.conf\nGresTypes=bench\n%s\n# gres.conf\n%s", nodes, resources);
    free(nodes);
    free(resources);
    return status;
}
