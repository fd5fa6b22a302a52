/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is heard on a line as text or JSON, one line each, for decode and bridge
 * (devices/LISTENING.md). The struct is the caller's; zero is ready for use.
 */
#ifndef TOOLS_LISTEN_SHOW_H
#define TOOLS_LISTEN_SHOW_H

#include "devices/listen/listener.h"

#define LISTEN_LINE_SIZE (256 * 1024)

struct listen_show {
    bool json;
    bool has_begun;
    nanos_t first; /* the time that those of text count from */
    char line[LISTEN_LINE_SIZE];
};

/* The line, newline included, in `show->line`; returns its length. */
size_t listen_show(struct listen_show *show, const struct listened *listened);

#endif
