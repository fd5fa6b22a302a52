/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The options of observe and record: which table is to be played, by whom, and what is recorded of
 * it. Texts point into argv.
 */
#ifndef TOOLS_LIVE_OPTIONS_H
#define TOOLS_LIVE_OPTIONS_H

#include "rigs/run/observe.h"
#include "tools/run/setup.h"

#define LIVE_PAIRS    32
#define LIVE_CAPTURES 8

/* A field of the tables or rules of a header. */
struct live_pair {
    const char *name, *value;
};

struct live_options {
    struct run_setup setup;
    const char *game;
    const char *deal; /* NULL: by what the rig has */
    uint64_t burn;
    struct live_pair tables[LIVE_PAIRS], rules[LIVE_PAIRS]; /* those with a name */
    uint64_t pause_seconds;
    bool asks;               /* players decide themselves: --play ask */
    uint64_t answer_seconds; /* 0: no limit */
    struct observation observation;
    struct observe_bet bets[WAGERS_MAX];
    const char *output; /* the recording; NULL: none is made */
    const char *note;
    const char *from[LIVE_CAPTURES]; /* captures to be made a recording of */
    size_t from_count;
    const char *notes;             /* what was noted beside them */
    const char *protocol, *script; /* what their lines speak; NULL: as the captures say */
    bool has_policy;               /* --play was given */
};

/* The rows of record; those of observe begin LIVE_RECORD_ROWS further on. */
extern const struct option_row live_options[];
#define LIVE_RECORD_ROWS 6

#endif
