/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small files of keys: read whole, only if they are files, and secret ones only if nobody else can.
 */
#ifndef RIGS_EVIDENCE_KEYS_KEY_FILE_H
#define RIGS_EVIDENCE_KEYS_KEY_FILE_H

#include <stdbool.h>

#include "hal/base/error.h"

#define KEY_FILE_MAX 16384 /* with a NUL */

/*
 * The text, with a NUL. ERROR_CONFIG when it is no file, is too long, has a NUL in it, or is secret
 * and others than its owner can read it; ERROR_RIG when reading fails.
 */
int key_file_read(const char *path, bool is_secret, char text[KEY_FILE_MAX], struct error *error);

#endif
