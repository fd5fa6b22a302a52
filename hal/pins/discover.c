/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hal/pins/discover.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "hal/base/printable.h"
#include "hal/pins/gpiod.h"

#define CHIPS_MAX 256

/* The number of "gpiochipN", or -1. A symbolic link is another name of a chip, not another chip:
 * Raspberry Pi OS keeps the former number of the header's chip alive in this way. */
static int chip_number(const char *name)
{
    char path[PINS_LABEL_MAX], rest;
    struct stat status;
    unsigned number;

    if (sscanf(name, "gpiochip%u%c", &number, &rest) != 1 || number > 999999)
        return -1;
    snprintf(path, sizeof path, "/dev/gpiochip%u", number);
    return lstat(path, &status) || S_ISLNK(status.st_mode) ? -1 : (int)number;
}

static int compare_numbers(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static int list_chips(int *numbers, struct error *error)
{
    DIR *directory = opendir("/dev");
    struct dirent *entry;
    int count = 0;

    if (!directory)
        return error_set(error, ERROR_RIG, "cannot list /dev: %s", strerror(errno));
    while (count < CHIPS_MAX && (entry = readdir(directory))) {
        int number = chip_number(entry->d_name);

        if (number >= 0)
            numbers[count++] = number;
    }
    closedir(directory);
    qsort(numbers, (size_t)count, sizeof *numbers, compare_numbers);
    return count;
}

/* Allocates the lines; a line that cannot be asked about stays nameless. */
static int describe(struct gpio_chip *chip, struct gpio_chip_info *info,
                    struct gpio_line_info **lines)
{
    size_t count = gpio_chip_lines(chip);

    *lines = calloc(count ? count : 1, sizeof **lines);
    if (!*lines)
        return -ENOMEM;
    for (unsigned offset = 0; offset < count; offset++)
        if (gpio_chip_line(chip, offset, &(*lines)[offset]))
            (*lines)[offset] = (struct gpio_line_info){.used = true};
    printable_copy(info->label, sizeof info->label, gpio_chip_label(chip));
    info->count = count;
    info->lines = *lines;
    return 0;
}

static int discover_chip(int number,
                         void (*found)(void *context, const struct gpio_chip_info *chip),
                         void *context, struct error *error)
{
    struct gpio_chip_info info = {.count = 0};
    struct gpio_line_info *lines = NULL;
    struct gpio_chip *chip;
    int result;

    snprintf(info.name, sizeof info.name, "gpiochip%d", number);
    snprintf(info.path, sizeof info.path, "/dev/%s", info.name);
    result = gpio_chip_open(&chip, info.path);
    if (!result) {
        result = describe(chip, &info, &lines);
        gpio_chip_close(chip);
    }
    if (result == -ENOMEM)
        return error_set(error, ERROR_RIG, "out of memory for the lines of %s", info.path);
    info.failed = -result;
    found(context, &info);
    free(lines);
    return 0;
}

int discover_gpio(void (*found)(void *context, const struct gpio_chip_info *chip), void *context,
                  struct error *error)
{
    int numbers[CHIPS_MAX];
    int count = list_chips(numbers, error);

    for (int i = 0; i < count; i++) {
        int result = discover_chip(numbers[i], found, context, error);

        if (result)
            return result;
    }
    return count;
}
