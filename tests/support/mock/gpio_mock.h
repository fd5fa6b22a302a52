/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A machine with GPIO chips, on umockdev's nodes: it answers the ioctls of both of the kernel's
 * GPIO interfaces, so that libgpiod 1.6 and 2.x run on it unchanged. Edges bear the times that the
 * test gives them, and the kernel's debouncer follows those times. Levels are physical. One machine
 * at a time; the test owns it, and frees it after the last use of its chips. Run under
 * umockdev-wrapper.
 */
#ifndef TESTS_SUPPORT_MOCK_GPIO_MOCK_H
#define TESTS_SUPPORT_MOCK_GPIO_MOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <umockdev.h>

#include "hal/clock.h"

struct gpio_mock;
struct gpio_mock_chip;

struct gpio_mock *gpio_mock_new(void);
void gpio_mock_free(struct gpio_mock *mock);

/* For devices of other kinds on the same machine; it stays the mock's. */
UMockdevTestbed *gpio_mock_testbed(const struct gpio_mock *mock);

/* /dev/gpiochipNUMBER. The machine owns it. */
struct gpio_mock_chip *gpio_mock_add(struct gpio_mock *mock, unsigned number, const char *label,
                                     const char *const *lines, size_t count);

/* Another name for a chip: /dev/gpiochipNUMBER is a symbolic link to it. */
void gpio_mock_link(struct gpio_mock *mock, unsigned number, unsigned target);

/* Every ioctl of the chip fails with that errno; 0 ends it. ENODEV also hangs its lines up. */
void gpio_mock_fail(struct gpio_mock_chip *chip, int number);

void gpio_mock_drive(struct gpio_mock_chip *chip, unsigned line, bool level, nanos_t time);
bool gpio_mock_level(struct gpio_mock_chip *chip, unsigned line);

/* That much time has passed for the kernel's debouncer. */
void gpio_mock_pass(struct gpio_mock_chip *chip, nanos_t until);

/* The next edges are dropped as from a full queue: numbered where there are numbers. */
void gpio_mock_lose(struct gpio_mock_chip *chip, unsigned edges);

/* Another program has the line; NULL: it has let go of it. */
void gpio_mock_occupy(struct gpio_mock_chip *chip, unsigned line, const char *consumer);

/* How many ioctls that write lines have been answered. */
unsigned gpio_mock_writes(struct gpio_mock_chip *chip);

#endif
