/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The page of a command that plays: serves its journal while it is written, and takes orders from
 * browsers, or as lines of JSON from the program that has started it. A page that nobody looks at
 * changes nothing. Without a page all functions but page_start() take NULL and do nothing.
 */
#ifndef TOOLS_PAGE_H
#define TOOLS_PAGE_H

#include "hal/clock.h"
#include "hal/desk/desk.h"
#include "rigs/journal/journal.h"
#include "rigs/rig/rig.h"

struct page_options {
    const char *listen, *token_file; /* listen is NULL: nothing is served */
    const char *orders;              /* a descriptor that orders come from; NULL: none */
    const char *command;             /* "run" */
    const char *by;                  /* who performs it, a name as a desk takes it; NULL: nobody */
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

/* After the run: who follows is sent the rest, as long as that goes on, for minutes at most. */
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
 * the journal who is at the bench since, and what was ordered.
 */
void page_between(struct page *page, struct journal *journal);

/* Before the last line, by the same thread: writes what was ordered since. */
void page_ending(struct page *page, struct journal *journal);

/* Who is at the bench, where that was said by now; NULL: nobody said so. Before the run begins. */
const char *page_operator(const struct page *page);

/* The last line is written. */
void page_ended(struct page *page);

#endif
