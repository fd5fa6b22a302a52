/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What run, observe and record have in common: options, the rig, and how the crew that plays is
 * told of all of it. The struct is the first member of a command's options, and starts as
 * RUN_SETUP.
 */
#ifndef TOOLS_RUN_SETUP_H
#define TOOLS_RUN_SETUP_H

#include "hal/desk/desk.h"
#include "tools/options.h"
#include "tools/run/crew.h"
#include "tools/run/history.h"

struct run_setup {
    const char *journal;   /* as asked for; NULL: none */
    const char *folder;    /* of the reports; NULL: none */
    const char *by;        /* who performs it; NULL: nobody said so */
    const char *questions; /* "json" or "orders"; NULL: on the terminal */
    const char *asks;      /* what asks people beside devices: "--play ask"; NULL: nothing does */
    bool force;            /* what is there of an earlier run is removed */
    struct run_history history;
    struct page_options page;
    struct run_orders orders;
    struct run_show show;
    struct run_reports reports;
    struct desk *desk; /* where people are asked; NULL: nobody is */
    struct ask *ask;   /* whoever answers at the standard streams; NULL: nobody does */
    const struct command_again *again; /* it is played once more, to be compared; NULL: it is not */
};

#define RUN_SETUP                                                                                  \
    {                                                                                              \
        .orders = {.jobs = 1, .repeat = 1, .seed = 1 }                                             \
    }

/* The rows of these options but --rig, for `expand` of a row. */
size_t run_setup_rows(struct option_row *rows, size_t room);

/*
 * With --force, before the rig or a recording can be refused: what an earlier run has left in the
 * folder of the reports goes, so that nobody takes it for this one's; but nothing where the rig, or
 * one of the paths that `names` ends with NULL, is of that. Returns EXIT_PASS, or the exit status.
 */
int run_setup_force(const struct command *command, const struct run_setup *setup,
                    char *const *names);

/* The rig that was asked for or is given, or the one that is built in; rig_free() it. */
int run_setup_rig(const struct run_setup *setup, struct rig **rig, struct error *error);

/*
 * Where the command or a device of the rig asks people: a desk, and who answers at it. Refused
 * where nobody could, or where there are several benches. Returns EXIT_PASS, or the exit status;
 * then, as after the run, run_setup_leave() ends it, and the folder of reports that has no journal.
 */
int run_setup_people(const struct command *command, struct run_setup *setup, const struct rig *rig);
void run_setup_leave(struct run_setup *setup);

/* Plays it again: into that journal, and nothing else is left, shown or captured. */
void run_setup_again(struct run_setup *setup, const struct command_again *again);

/* Before the first card: the folder and the names of the reports. */
int run_setup_reports(struct run_setup *setup, const struct run_used *used, struct error *error);

/* Plays the recordings on the rig; argv is for the journal. Returns the exit status. */
int run_setup_play(const struct command *command, struct run_setup *setup, const struct rig *rig,
                   const struct recording_list *recordings, char **argv);

#endif
