/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Options that both sides of GAT have: rows of a table of options (devices/wire/options.h) whose
 * context begins with a pointer to the struct gat_settings that they are read into.
 */
#ifndef DEVICES_GAT_SETTINGS_H
#define DEVICES_GAT_SETTINGS_H

#include "devices/gat/host.h"
#include "devices/wire/options.h"

int gat_option_key(void *context, const char *value, struct error *error);
int gat_option_crc(void *context, const char *value, struct error *error);
int gat_option_level(void *context, const char *value, struct error *error);
int gat_option_iacr(void *context, const char *value, struct error *error);
int gat_option_format(void *context, const char *value, struct error *error);
int gat_option_text(void *context, const char *value, struct error *error);
int gat_option_version(void *context, const char *value, struct error *error);

/* One of two words: false for the first of them. */
int gat_option_word(const char *key, const char *value, const char *first, const char *second,
                    bool *is_second, struct error *error);

#define GAT_OPTIONS                                                                                \
    {"key=text|hex", gat_option_key}, {"crc=high-first|low-first", gat_option_crc},                \
        {"level=N", gat_option_level}, {"iacr=any|N", gat_option_iacr},                            \
        {"format=N", gat_option_format}, {"text=latin-1|utf-8", gat_option_text},                  \
    {                                                                                              \
        "version=NNNN", gat_option_version                                                         \
    }

#endif
