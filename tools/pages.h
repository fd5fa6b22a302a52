/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a bench says of a journal beside its lines: how far it goes, and a report of what has been
 * played so far. For the server's thread, which these are called by.
 */
#ifndef TOOLS_PAGES_H
#define TOOLS_PAGES_H

#include "rigs/station/feed.h"

/* Reads a journal to its end. `block` has room for FEED_BLOCK bytes. */
void pages_follow(struct feed *feed, char *block);

/*
 * The report of the rounds that are over, for a journal called `name`: the round that is being
 * played would tell of cards that are not dealt yet. `what` is "report", or "shuffles" for one that
 * has a section about these. The caller frees it; NULL when there is none, or memory is short. The
 * feed has been read to its end.
 */
char *pages_report(const struct feed *feed, const char *what, const char *name, size_t *length);

#endif
