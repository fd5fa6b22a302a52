/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What run, observe and record have in common: options, the rig, and how the crew that plays is
 * told of all of it. The struct is the first member of a command's options, and starts as
 * RUN_SETUP.
 */
#ifndef TOOLS_RUN_SETUP_H
#define TOOLS_RUN_SETUP_H

#include "rigs/desk/desk.h"
#include "tools/options.h"
#include "tools/run_crew.h"

struct run_setup {
    const char *journal; /* as asked for; NULL: none */
    const char *folder;  /* of the reports; NULL: none */
    struct page_options page;
    struct run_orders orders;
    struct run_show show;
    struct run_reports reports;
    struct desk *desk; /* where people are asked; NULL: nobody is */
};

#define RUN_SETUP                                                                                  \
    {                                                                                              \
        .orders = {.jobs = 1, .repeat = 1, .seed = 1 }                                             \
    }

/* The rows of these options but --rig, for `expand` of a row. */
size_t run_setup_rows(struct option_row *rows, size_t room);

/* The rig that was asked for, or the one that is built in; rig_free() it. */
int run_setup_rig(const struct run_setup *setup, struct rig **rig, struct error *error);

/* Before the first card: the folder and the names of the reports. */
int run_setup_reports(struct run_setup *setup, struct error *error);

/* Plays the recordings on the rig; argv is for the journal. Returns the exit status. */
int run_setup_play(const struct command *command, struct run_setup *setup, const struct rig *rig,
                   const struct recording_list *recordings, char **argv);

#endif
