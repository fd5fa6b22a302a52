/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a bench says of a journal beside its lines: how far it goes, and a report of what has been
 * played so far.
 */
#ifndef TOOLS_PAGES_H
#define TOOLS_PAGES_H

#include "rigs/station/feed.h"

/* How long something has been played, by the clock of people and without pauses. */
struct pages_watch {
    nanos_t ran;   /* before `since` */
    nanos_t since; /* 0: it stands */
};

/* Lets it go on or stand, as it may do already. */
void pages_watch_set(struct pages_watch *watch, bool runs);
nanos_t pages_watch_read(const struct pages_watch *watch);

/* Reads a journal to its end. `block` has room for FEED_BLOCK bytes. */
void pages_follow(struct feed *feed, char *block);

/*
 * The report of the rounds that are over, of the journal that can be read from `fd`, which is
 * closed, and is called `name`: the round that is being played would tell of cards that are not
 * dealt yet. `what` is "report", or "shuffles" for the page of the orders that a shuffler made
 * itself. The caller frees it; NULL when there is none, or memory is short. Any thread.
 */
char *pages_report(int fd, const char *what, const char *name, size_t *length);

#endif
