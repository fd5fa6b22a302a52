/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A secret that somebody has put into a file of its own: the first line of a regular file that
 * nobody but its owner can read.
 */
#ifndef HAL_BASE_SECRET_H
#define HAL_BASE_SECRET_H

#include <stddef.h>

#include "hal/base/error.h"

/*
 * The first line without its end, at most size - 1 bytes. `noun` is what it is: "token".
 * ERROR_CONFIG with a sentence that names the file, and never what is in it.
 */
int secret_read(const char *path, const char *noun, char *secret, size_t size, struct error *error);

#endif
