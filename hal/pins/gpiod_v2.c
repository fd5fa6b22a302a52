/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The shim over libgpiod 2.x: one request for all lines, debounced by the kernel, whose edges come
 * numbered and in order.
 */
#if GPIOD_MAJOR >= 2

#include "hal/pins/gpiod.h"

#include <errno.h>
#include <gpiod.h>
#include <stdlib.h>

#include "hal/base/printable.h"

/* The most that the kernel agrees to keep, and how many are taken from it at once. */
#define KERNEL_QUEUE 1024
#define BATCH        64

struct gpio_chip {
    struct gpiod_chip *chip;
    struct gpiod_chip_info *info;
};

struct gpio_request {
    struct gpiod_line_request *request;
    struct gpiod_edge_event_buffer *batch;
    size_t next, filled; /* in the batch */
    bool watches;
    size_t count;
    unsigned offsets[PINS_MAX];
};

int gpio_chip_open(struct gpio_chip **chip, const char *path)
{
    struct gpio_chip *opened = calloc(1, sizeof *opened);
    int result;

    if (!opened)
        return -ENOMEM;
    opened->chip = gpiod_chip_open(path);
    if (opened->chip)
        opened->info = gpiod_chip_get_info(opened->chip);
    if (opened->info) {
        *chip = opened;
        return 0;
    }
    result = -errno;
    gpio_chip_close(opened);
    return result;
}

void gpio_chip_close(struct gpio_chip *chip)
{
    if (!chip)
        return;
    if (chip->info)
        gpiod_chip_info_free(chip->info);
    if (chip->chip)
        gpiod_chip_close(chip->chip);
    free(chip);
}

const char *gpio_chip_label(const struct gpio_chip *chip)
{
    return gpiod_chip_info_get_label(chip->info);
}

size_t gpio_chip_lines(const struct gpio_chip *chip)
{
    return gpiod_chip_info_get_num_lines(chip->info);
}

int gpio_chip_line(struct gpio_chip *chip, unsigned offset, struct gpio_line_info *line)
{
    struct gpiod_line_info *found = gpiod_chip_get_line_info(chip->chip, offset);

    if (!found)
        return -errno;
    printable_copy(line->name, sizeof line->name, gpiod_line_info_get_name(found));
    printable_copy(line->consumer, sizeof line->consumer, gpiod_line_info_get_consumer(found));
    line->used = gpiod_line_info_is_used(found);
    line->output = gpiod_line_info_get_direction(found) == GPIOD_LINE_DIRECTION_OUTPUT;
    line->active_low = gpiod_line_info_is_active_low(found);
    gpiod_line_info_free(found);
    return 0;
}

static enum gpiod_line_bias bias_of(const struct pin_request *wanted)
{
    switch (wanted->bias) {
    case PIN_BIAS_NONE:
        return GPIOD_LINE_BIAS_DISABLED;
    case PIN_PULL_UP:
        return GPIOD_LINE_BIAS_PULL_UP;
    case PIN_PULL_DOWN:
        return GPIOD_LINE_BIAS_PULL_DOWN;
    case PIN_BIAS_AS_IS:
        break;
    }
    return GPIOD_LINE_BIAS_AS_IS;
}

static enum gpiod_line_edge edges_of(const struct pin_request *wanted)
{
    switch (wanted->edges) {
    case PIN_RISING:
        return GPIOD_LINE_EDGE_RISING;
    case PIN_FALLING:
        return GPIOD_LINE_EDGE_FALLING;
    case PIN_BOTH_EDGES:
        return GPIOD_LINE_EDGE_BOTH;
    case PIN_NO_EDGES:
        break;
    }
    return GPIOD_LINE_EDGE_NONE;
}

static int set_settings(struct gpiod_line_settings *settings, const struct pin_request *wanted)
{
    bool output = wanted->direction == PIN_OUTPUT;

    gpiod_line_settings_reset(settings);
    gpiod_line_settings_set_active_low(settings, wanted->active_low);
    gpiod_line_settings_set_debounce_period_us(settings, wanted->debounce_us);
    return gpiod_line_settings_set_direction(settings, output ? GPIOD_LINE_DIRECTION_OUTPUT
                                                              : GPIOD_LINE_DIRECTION_INPUT) ||
           gpiod_line_settings_set_bias(settings, bias_of(wanted)) ||
           gpiod_line_settings_set_edge_detection(settings, edges_of(wanted)) ||
           gpiod_line_settings_set_output_value(
               settings, wanted->initial ? GPIOD_LINE_VALUE_ACTIVE : GPIOD_LINE_VALUE_INACTIVE);
}

static int configure(struct gpiod_line_config *config, const unsigned *offsets,
                     const struct pin_request *wanted, size_t count)
{
    struct gpiod_line_settings *settings = gpiod_line_settings_new();
    int result = settings ? 0 : -ENOMEM;

    for (size_t i = 0; i < count && !result; i++)
        if (set_settings(settings, &wanted[i]) ||
            gpiod_line_config_add_line_settings(config, &offsets[i], 1, settings))
            result = -errno;
    gpiod_line_settings_free(settings);
    return result;
}

static int request_lines(struct gpio_request *request, struct gpio_chip *chip,
                         const struct pin_request *wanted)
{
    struct gpiod_line_config *lines = gpiod_line_config_new();
    struct gpiod_request_config *config = gpiod_request_config_new();
    int result = -ENOMEM;

    if (lines && config) {
        gpiod_request_config_set_consumer(config, PINS_CONSUMER);
        gpiod_request_config_set_event_buffer_size(config, KERNEL_QUEUE);
        result = configure(lines, request->offsets, wanted, request->count);
    }
    if (!result) {
        request->request = gpiod_chip_request_lines(chip->chip, config, lines);
        result = request->request ? 0 : -errno;
    }
    gpiod_line_config_free(lines);
    gpiod_request_config_free(config);
    return result;
}

int gpio_request_open(struct gpio_request **request, struct gpio_chip *chip,
                      const unsigned *offsets, const struct pin_request *wanted, size_t count)
{
    struct gpio_request *made = calloc(1, sizeof *made);
    int result;

    if (!made)
        return -ENOMEM;
    made->count = count;
    for (size_t i = 0; i < count; i++) {
        made->offsets[i] = offsets[i];
        made->watches |= wanted[i].edges != PIN_NO_EDGES;
    }
    made->batch = gpiod_edge_event_buffer_new(BATCH);
    result = made->batch ? request_lines(made, chip, wanted) : -ENOMEM;
    if (result) {
        gpio_request_close(made);
        return result;
    }
    *request = made;
    return 0;
}

void gpio_request_close(struct gpio_request *request)
{
    if (!request)
        return;
    if (request->request)
        gpiod_line_request_release(request->request);
    gpiod_edge_event_buffer_free(request->batch);
    free(request);
}

int gpio_request_read(struct gpio_request *request, uint64_t *values, nanos_t now)
{
    enum gpiod_line_value levels[PINS_MAX];

    (void)now;
    if (gpiod_line_request_get_values_subset(request->request, request->count, request->offsets,
                                             levels))
        return -errno;
    *values = 0;
    for (size_t i = 0; i < request->count; i++)
        *values |= (uint64_t)(levels[i] == GPIOD_LINE_VALUE_ACTIVE) << i;
    return 0;
}

int gpio_request_write(struct gpio_request *request, uint64_t mask, uint64_t values)
{
    enum gpiod_line_value levels[PINS_MAX];
    unsigned offsets[PINS_MAX];
    size_t count = 0;

    for (size_t i = 0; i < request->count; i++)
        if (mask >> i & 1) {
            offsets[count] = request->offsets[i];
            levels[count++] = values >> i & 1 ? GPIOD_LINE_VALUE_ACTIVE : GPIOD_LINE_VALUE_INACTIVE;
        }
    if (!count)
        return 0;
    return gpiod_line_request_set_values_subset(request->request, count, offsets, levels) ? -errno
                                                                                          : 0;
}

size_t gpio_request_descriptors(const struct gpio_request *request, struct pollfd *fds)
{
    if (!request->watches)
        return 0;
    fds[0] = (struct pollfd){.fd = gpiod_line_request_get_fd(request->request), .events = POLLIN};
    return 1;
}

int gpio_request_collect(struct gpio_request *request, const struct pollfd *fds, size_t count)
{
    int read;

    if (!count || !fds[0].revents || request->next < request->filled)
        return 0;
    if (!(fds[0].revents & POLLIN))
        return -ENODEV;
    read = gpiod_line_request_read_edge_events(request->request, request->batch, BATCH);
    if (read < 0)
        return -errno;
    request->next = 0;
    request->filled = (size_t)read;
    return 0;
}

static unsigned pin_at(const struct gpio_request *request, unsigned offset)
{
    unsigned pin = 0;

    while (pin + 1 < request->count && request->offsets[pin] != offset)
        pin++;
    return pin;
}

bool gpio_request_next(struct gpio_request *request, struct pin_event *event, nanos_t now)
{
    struct gpiod_edge_event *edge;

    (void)now;
    if (request->next >= request->filled)
        return false;
    edge = gpiod_edge_event_buffer_get_event(request->batch, request->next++);
    *event = (struct pin_event){
        .pin = pin_at(request, gpiod_edge_event_get_line_offset(edge)),
        .rising = gpiod_edge_event_get_event_type(edge) == GPIOD_EDGE_EVENT_RISING_EDGE,
        .time = (nanos_t)gpiod_edge_event_get_timestamp_ns(edge),
        .sequence = (uint32_t)gpiod_edge_event_get_global_seqno(edge),
    };
    return true;
}

nanos_t gpio_request_due(const struct gpio_request *request)
{
    (void)request;
    return NEVER;
}

unsigned gpio_capabilities(void)
{
    return PINS_LOSS_DETECTED | PINS_KERNEL_DEBOUNCE;
}

const char *gpio_library_version(void)
{
    return gpiod_api_version();
}

#endif
