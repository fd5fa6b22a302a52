/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * libgpiod in the one shape that the pins need, whichever version is linked: hal/pins/gpiod_v1.c is
 * the shim over 1.6, hal/pins/gpiod_v2.c over 2.x. Only the GPIO backend and its discovery use it.
 * Functions that can fail return 0 or a negative errno; the callers make sentences of them. A
 * request and the chip it was made on are closed by their opener, the request first.
 */
#ifndef HAL_PINS_GPIOD_H
#define HAL_PINS_GPIOD_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hal/pins/line.h"
#include "hal/pins/pins.h"

struct gpio_chip;
struct gpio_request;

int gpio_chip_open(struct gpio_chip **chip, const char *path);
void gpio_chip_close(struct gpio_chip *chip);
const char *gpio_chip_label(const struct gpio_chip *chip);
size_t gpio_chip_lines(const struct gpio_chip *chip);
int gpio_chip_line(struct gpio_chip *chip, unsigned offset, struct gpio_line_info *line);

/* `offsets` and `wanted` go together; all lines are granted or none is. */
int gpio_request_open(struct gpio_request **request, struct gpio_chip *chip,
                      const unsigned *offsets, const struct pin_request *wanted, size_t count);
void gpio_request_close(struct gpio_request *request);

/* `now` is for lines that are debounced here, not in the kernel. */
int gpio_request_read(struct gpio_request *request, uint64_t *values, nanos_t now);
int gpio_request_write(struct gpio_request *request, uint64_t mask, uint64_t values);

/* The descriptors that become readable with an edge, at most PINS_MAX; returns how many. */
size_t gpio_request_descriptors(const struct gpio_request *request, struct pollfd *fds);

/* Takes in the edges of the descriptors whose revents say so; never blocks on the others. */
int gpio_request_collect(struct gpio_request *request, const struct pollfd *fds, size_t count);

/* The oldest edge that is certain at `now`; false when there is none. */
bool gpio_request_next(struct gpio_request *request, struct pin_event *event, nanos_t now);

/* When a debounced line will settle that has no certain edge yet, or NEVER. */
nanos_t gpio_request_due(const struct gpio_request *request);

/* A set of enum pins_capability. */
unsigned gpio_capabilities(void);

/* The version of the library in use, at run time. */
const char *gpio_library_version(void);

#endif
