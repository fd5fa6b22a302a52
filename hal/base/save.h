/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files that are written whole or not at all: everything is on the disk before the new file takes
 * the name of the old one. Nothing is kept; what fails, or is ended by a signal, leaves what was
 * there and nothing beside it.
 */
#ifndef HAL_BASE_SAVE_H
#define HAL_BASE_SAVE_H

#include <stdio.h>

#include "hal/base/error.h"

/* Errors of writing are the stream's. */
typedef void save_writer(const void *what, FILE *out);

/* ERROR_RIG when it cannot be. What is there and no file, such as a pipe, is written as it is. */
int save_whole(const char *path, save_writer *write, const void *what, struct error *error);

#endif
