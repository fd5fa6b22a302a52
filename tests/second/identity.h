/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a device answers to IDENTITY. */
#ifndef SECOND_IDENTITY_H
#define SECOND_IDENTITY_H

#include <stddef.h>
#include <stdint.h>

#include "tests/second/lies.h"
#include "tests/second/options.h"

/* Writes the payload of the reply and returns its size. */
size_t identity_put(const struct options *options, struct lies *lies, const char *model,
                    uint8_t *payload);

#endif
