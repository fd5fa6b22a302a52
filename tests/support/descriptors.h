/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The descriptors that this process has open, for tests that prove that nothing leaks. A peer that
 * answers from a thread of its own, as umockdev does, closes its end some time after we closed
 * ours: what settles or comes down waits for that.
 */
#ifndef TESTS_SUPPORT_DESCRIPTORS_H
#define TESTS_SUPPORT_DESCRIPTORS_H

#include <stdbool.h>
#include <stddef.h>

/* How many are open once their number has stood still for a while. */
size_t descriptors_settled(void);

/* Whether the number comes down to that within half a minute; if not, says what is open. */
bool descriptors_come_down_to(size_t wanted);

#endif
