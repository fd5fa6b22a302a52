/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The options of a model, "key=value,key=value", read by a table; the caller owns what they are
 * read into. What is not in the table is ERROR_CONFIG with a sentence that lists it.
 */
#ifndef DEVICES_WIRE_OPTIONS_H
#define DEVICES_WIRE_OPTIONS_H

#include "devices/wire/wire.h"
#include "hal/base/error.h"

struct model_option {
    const char *form; /* "seed=N": up to '=' its key; NULL after the last */
    int (*read)(void *context, const char *value, struct error *error);
};

/* `noun` is what has them: "a shuffler". */
int model_options_read(const struct model_option *options, const char *noun, const char *text,
                       void *context, struct error *error);

/* Values that several models have. */
int model_option_number(const char *key, const char *value, uint64_t most, uint64_t *number,
                        struct error *error);
int model_option_millis(const char *key, const char *value, nanos_t *time, struct error *error);
int model_option_serial(const char *value, char serial[WIRE_TEXT_MAX + 1], struct error *error);

#endif
