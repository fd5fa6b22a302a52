/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hal/base/names.h"
#include "hal/base/registry.h"
#include "hal/base/udev.h"
#include "hal/pins/discover.h"
#include "hal/pins/gpiod.h"
#include "hal/pins/pins.h"
#include "hal/pins/resolve.h"

struct gpiod_pins {
    struct pins pins;
    struct gpio_chip *chip;
    struct gpio_request *request;
};

/* What a walk over all chips finds out about one label. */
struct search {
    const char *label;
    char path[PINS_LABEL_MAX]; /* of the first chip with that label */
    size_t matches;
    struct name_list paths;   /* of all chips with that label */
    struct name_list labels;  /* of all chips that could be opened */
    struct name_list refused; /* paths that the user may not open */
};

static void look_at_chip(void *context, const struct gpio_chip_info *chip)
{
    struct search *search = context;

    if (chip->failed == EACCES || chip->failed == EPERM)
        name_list_add(&search->refused, chip->path);
    if (chip->failed)
        return;
    name_list_add(&search->labels, chip->label);
    if (strcmp(chip->label, search->label))
        return;
    if (!search->matches++)
        strcpy(search->path, chip->path);
    name_list_add(&search->paths, chip->path);
}

static int refuse_label(struct search *search, struct error *error)
{
    if (search->matches > 1)
        return error_set(error, ERROR_CONFIG,
                         "gpio:%s: %zu chips have this label: %s; detach one, or give one another "
                         "label in the device tree",
                         search->label, search->matches, name_list_text(&search->paths));
    if (search->refused.names)
        return error_set(error, ERROR_RIG,
                         "gpio:%s: no permission to open %s; join the group 'gpio', then log in "
                         "again; where it is not the chip's, follow the first lines of " UDEV_RULES,
                         search->label, name_list_text(&search->refused));
    return error_set(error, ERROR_CONFIG,
                     "gpio:%s: no chip has this label; the labels here are: %s", search->label,
                     name_list_text(&search->labels));
}

static int open_chip(struct gpiod_pins *gpiod, const char *label, struct error *error)
{
    struct search search = {.label = label};
    int result;

    name_list_start(&search.paths);
    name_list_start(&search.labels);
    name_list_start(&search.refused);
    result = discover_gpio(look_at_chip, &search, error);
    if (result < 0)
        return result;
    if (search.matches != 1)
        return refuse_label(&search, error);
    result = gpio_chip_open(&gpiod->chip, search.path);
    if (result)
        return error_set(error, ERROR_RIG, "gpio:%s: cannot open %s: %s", label, search.path,
                         strerror(-result));
    return 0;
}

static int read_lines(struct gpiod_pins *gpiod, struct gpio_line_info *lines, size_t count,
                      struct error *error)
{
    for (unsigned offset = 0; offset < count; offset++) {
        int result = gpio_chip_line(gpiod->chip, offset, &lines[offset]);

        if (result)
            return error_set(error, ERROR_RIG, "%s: cannot ask about line %u: %s",
                             gpiod->pins.address, offset, strerror(-result));
    }
    return 0;
}

static int resolve(struct gpiod_pins *gpiod, const struct pin_request *requests, size_t count,
                   unsigned *offsets, struct error *error)
{
    const char *address = gpiod->pins.address;
    size_t lines_count = gpio_chip_lines(gpiod->chip);
    struct gpio_line_info *lines = calloc(lines_count + 1, sizeof *lines);
    int result;

    if (!lines)
        return error_set(error, ERROR_RIG, "%s: out of memory", address);
    result = read_lines(gpiod, lines, lines_count, error);
    if (!result)
        result = pins_resolve(address, lines, lines_count, requests, count, offsets, error);
    free(lines);
    return result;
}

static int refuse_request(const char *address, int number, struct error *error)
{
    const char *remedy = "";

    if (number == E2BIG)
        remedy = "; too many different settings at once: open the lines in two lots";
    else if (number == EINVAL || number == ENOTSUP)
        remedy = "; this chip may have no bias, or no edges on these lines";
    else if (number == EBUSY)
        remedy = "; another program has just taken one of them";
    return error_set(error, ERROR_RIG, "%s: the kernel does not grant the lines: %s%s", address,
                     strerror(number), remedy);
}

static int open_lines(struct gpiod_pins *gpiod, const struct pin_request *requests, size_t count,
                      struct error *error)
{
    unsigned offsets[PINS_MAX];
    int result = resolve(gpiod, requests, count, offsets, error);

    if (result)
        return result;
    result = gpio_request_open(&gpiod->request, gpiod->chip, offsets, requests, count);
    return result ? refuse_request(gpiod->pins.address, -result, error) : 0;
}

static int gpiod_open(struct pins *pins, const char *rest, const struct pin_request *requests,
                      size_t count, struct error *error)
{
    struct gpiod_pins *gpiod = (struct gpiod_pins *)pins;
    int result;

    if (!rest[0])
        return error_set(error, ERROR_CONFIG,
                         "gpio: needs the label of a chip, as in "
                         "gpio:pinctrl-rp1; 'dealproof discover' lists them");
    if (pins->hal->clock->is_virtual)
        return error_set(error, ERROR_CONFIG,
                         "%s: real lines cannot be used in virtual time; "
                         "run this bench on the real clock",
                         pins->address);
    result = open_chip(gpiod, rest, error);
    if (result)
        return result;
    result = open_lines(gpiod, requests, count, error);
    if (result)
        gpio_chip_close(gpiod->chip);
    return result;
}

static void gpiod_close(struct pins *pins)
{
    struct gpiod_pins *gpiod = (struct gpiod_pins *)pins;

    gpio_request_close(gpiod->request);
    gpio_chip_close(gpiod->chip);
}

static int fail(const struct gpiod_pins *gpiod, const char *doing, int result, struct error *error)
{
    if (result == -ENODEV || result == -ENXIO)
        return error_set(error, ERROR_DEVICE, "%s: the chip is gone; plug it in and open it again",
                         gpiod->pins.address);
    return error_set(error, ERROR_RIG, "%s: cannot %s: %s", gpiod->pins.address, doing,
                     strerror(-result));
}

/* Takes in what the kernel has by `deadline`, waiting only if there is nothing. */
static int collect(struct gpiod_pins *gpiod, nanos_t deadline, struct error *error)
{
    struct pollfd fds[PINS_MAX];
    size_t count = gpio_request_descriptors(gpiod->request, fds);
    int result = hal_wait_many(gpiod->pins.hal, fds, count, deadline, error);

    if (result <= 0)
        return result;
    result = gpio_request_collect(gpiod->request, fds, count);
    return result ? fail(gpiod, "read edges", result, error) : 0;
}

static int gpiod_read(struct pins *pins, uint64_t *values, struct error *error)
{
    struct gpiod_pins *gpiod = (struct gpiod_pins *)pins;
    int result = gpio_request_read(gpiod->request, values, clock_now(pins->hal->clock));

    return result ? fail(gpiod, "read the lines", result, error) : 0;
}

static int gpiod_write(struct pins *pins, uint64_t mask, uint64_t values, struct error *error)
{
    struct gpiod_pins *gpiod = (struct gpiod_pins *)pins;
    int result = gpio_request_write(gpiod->request, mask, values);

    return result ? fail(gpiod, "write the lines", result, error) : 0;
}

static int gpiod_wait(struct pins *pins, struct pin_event *event, nanos_t deadline,
                      struct error *error)
{
    struct gpiod_pins *gpiod = (struct gpiod_pins *)pins;

    for (;;) {
        /* Whatever happened before `now` is in the kernel's queue by then, so that an edge that
         * is certain at `now` can no longer be overtaken by an older one. */
        nanos_t now = clock_now(pins->hal->clock), due;
        int result = collect(gpiod, now, error);

        if (result)
            return result;
        if (gpio_request_next(gpiod->request, event, now))
            return 1;
        if (now >= deadline)
            return 0;
        due = gpio_request_due(gpiod->request);
        result = collect(gpiod, due < deadline ? due : deadline, error);
        if (result)
            return result;
    }
}

static unsigned gpiod_capabilities(const struct pins *pins)
{
    (void)pins;
    return gpio_capabilities();
}

static const struct pins_backend gpiod_backend = {
    .scheme = "gpio",
    .form = "gpio:LABEL, as in gpio:pinctrl-rp1",
    .size = sizeof(struct gpiod_pins),
    .open = gpiod_open,
    .close = gpiod_close,
    .read = gpiod_read,
    .write = gpiod_write,
    .wait = gpiod_wait,
    .capabilities = gpiod_capabilities,
};
REGISTER(pins_backends, gpiod_backend);
