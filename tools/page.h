/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The page of a command that plays: serves its journal while it is written, and takes orders from
 * browsers, or as lines of JSON from the program that has started it. A page that nobody looks at
 * changes nothing. Without a page all functions but page_start() take NULL and do nothing.
 */
#ifndef TOOLS_PAGE_H
#define TOOLS_PAGE_H

#include "hal/clock.h"
#include "rigs/desk/desk.h"
#include "rigs/journal/journal.h"
#include "rigs/rig/rig.h"

struct page_options {
    const char *listen, *token_file; /* listen is NULL: nothing is served */
    const char *orders;              /* a descriptor that orders come from; NULL: none */
    const char *command;             /* "run" */
    const char *journal;             /* its path; NULL: a file that is removed at once */
    const struct rig *rig;
    struct desk
        *desk; /* where questions are asked; it says itself who may answer. NULL: a new one */
};

struct page;

/*
 * Before a device is touched. NULL in `page` when neither a page nor orders are wanted. Says on
 * standard error where the page is. ERROR_CONFIG: the options cannot be used, or the port is taken.
 */
int page_start(struct page **page, const struct page_options *options, struct error *error);

/* After the run: what has been written is offered to who follows. */
void page_stop(struct page *page);

/* The path that the journal is to be opened at. */
const char *page_journal(const struct page *page);

/* Where questions can be answered by a browser; NULL: nowhere. */
struct desk *page_desk(const struct page *page);

/*
 * The run has begun, and its journal is there: `stop` is called with 1 to end the run after this
 * round and with 2 to end it now, by other threads, until page_ended(). ERROR_RIG when the journal
 * cannot be opened.
 */
int page_began(struct page *page, void (*stop)(void *context, unsigned times), void *context,
               struct error *error);

/* The run is being stopped, by whoever it was. */
void page_stopping(struct page *page);

/*
 * Between two rounds, by the thread that plays: waits as long as the run is paused, and writes to
 * the journal who is at the bench since.
 */
void page_between(struct page *page, struct journal *journal, const struct clock *clock);

/* The last line is written. */
void page_ended(struct page *page);

#endif
