/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/kernel/sim.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A path of the chip in configfs. */
static void name_path(const struct sim *sim, const char *rest, char path[GUEST_PATH_SIZE])
{
    guest_text(path, "/sys/kernel/config/gpio-sim/%s%s", sim->label, rest);
}

static void make_directory(const struct sim *sim, const char *rest)
{
    char path[GUEST_PATH_SIZE];

    name_path(sim, rest, path);
    guest_make_directory(path);
}

static void set(const struct sim *sim, const char *rest, const char *value)
{
    char path[GUEST_PATH_SIZE];

    name_path(sim, rest, path);
    guest_write(path, value);
}

static void get(const struct sim *sim, const char *rest, char *value, size_t size)
{
    char path[GUEST_PATH_SIZE];

    name_path(sim, rest, path);
    if (!guest_read(path, value, size))
        guest_die("%s: %m", path);
}

static void name_line(const struct sim *sim, unsigned line, const char *name)
{
    char rest[GUEST_PATH_SIZE];

    guest_text(rest, "/bank0/line%u", line);
    make_directory(sim, rest);
    guest_text(rest, "/bank0/line%u/name", line);
    set(sim, rest, name);
}

static int open_attribute(const char *device, const char *chip, unsigned line, const char *name,
                          int flags)
{
    char path[GUEST_PATH_SIZE];
    int fd;

    guest_text(path, "/sys/devices/platform/%s/%s/sim_gpio%u/%s", device, chip, line, name);
    fd = open(path, flags | O_CLOEXEC);
    if (fd < 0)
        guest_die("%s: %m", path);
    return fd;
}

static void open_attributes(struct sim *sim)
{
    char device[32], chip[32], node[GUEST_PATH_SIZE];

    get(sim, "/dev_name", device, sizeof device);
    get(sim, "/bank0/chip_name", chip, sizeof chip);
    guest_text(node, "/dev/%s", chip);
    if (access(node, F_OK))
        guest_die("%s: %m", node);
    for (unsigned line = 0; line < sim->count; line++) {
        sim->pull[line] = open_attribute(device, chip, line, "pull", O_WRONLY);
        sim->value[line] = open_attribute(device, chip, line, "value", O_RDONLY);
    }
}

void sim_make(struct sim *sim, const char *label, const char *const *names, unsigned count)
{
    char number[8];

    *sim = (struct sim){.label = label, .count = count};
    snprintf(number, sizeof number, "%u", count);
    make_directory(sim, "");
    make_directory(sim, "/bank0");
    set(sim, "/bank0/label", label);
    set(sim, "/bank0/num_lines", number);
    for (unsigned line = 0; line < count; line++)
        if (*names[line])
            name_line(sim, line, names[line]);
    set(sim, "/live", "1");
    open_attributes(sim);
}

void sim_free(struct sim *sim)
{
    char path[GUEST_PATH_SIZE], rest[GUEST_PATH_SIZE];

    set(sim, "/live", "0");
    for (unsigned line = 0; line < sim->count; line++) {
        close(sim->pull[line]);
        close(sim->value[line]);
        guest_text(rest, "/bank0/line%u", line);
        name_path(sim, rest, path);
        rmdir(path);
    }
    name_path(sim, "/bank0", path);
    guest_remove(path);
    name_path(sim, "", path);
    guest_remove(path);
}

void sim_pull(const struct sim *sim, unsigned line, bool up)
{
    const char *text = up ? "pull-up" : "pull-down";

    if (pwrite(sim->pull[line], text, strlen(text), 0) != (ssize_t)strlen(text))
        guest_die("%s: line %u cannot be pulled: %m", sim->label, line);
}

bool sim_value(const struct sim *sim, unsigned line)
{
    char value = '?';

    if (pread(sim->value[line], &value, 1, 0) != 1)
        guest_die("%s: line %u cannot be looked at: %m", sim->label, line);
    return value == '1';
}
