/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a page orders to be played, as the command line of the program that plays it. */
#ifndef TOOLS_STATION_START_H
#define TOOLS_STATION_START_H

#include <stdbool.h>

#include "hal/base/json.h"
#include "rigs/recording/list.h"
#include "rigs/rig/rig.h"

#define STATION_ARGUMENTS                                                                          \
    2048 /* an order has 4,096 bytes, and names no recording in less than three */

struct station_start {
    const struct rig *rig;
    const struct recording_list *recordings; /* that may be played */
    char *arguments[STATION_ARGUMENTS + 1];  /* up to a NULL; station_start_clear() frees them */
    size_t count;
    bool is_short;                   /* memory was, for one of them */
    const struct json_value *chosen; /* of them, as ordered; NULL: it is no run */
    bool asks;                       /* people are asked for decisions */
    const char *by;                  /* who has ordered it; NULL: nobody said so */
    bool records;                    /* the name of a recording is to be added: -o SHOE */
};

/*
 * Reads an order, which must last until station_start_finish(): 0, ERROR_RULE when it is no order
 * of that form, ERROR_CONFIG when it cannot be played here.
 */
int station_start_read(struct station_start *start, const struct json_value *order,
                       struct error *error);
/* The caller's own arguments, then the recordings; ERROR_RIG when memory is short. */
void station_start_add(struct station_start *start, const char *argument);
void station_start_add_two(struct station_start *start, const char *option, const char *value);
int station_start_finish(struct station_start *start, struct error *error);
void station_start_clear(struct station_start *start);

#endif
