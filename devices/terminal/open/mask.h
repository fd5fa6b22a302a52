/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Codes of the dealer and of the administrator are kept out of captures: in frames to a terminal
 * each digit of one becomes a zero, and the check of the frame is made to fit. A tap_masker.
 */
#ifndef DEVICES_TERMINAL_OPEN_MASK_H
#define DEVICES_TERMINAL_OPEN_MASK_H

#include <stddef.h>
#include <stdint.h>

size_t open_terminal_mask(uint8_t *bytes, size_t count);

#endif
