/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The program with somebody who reads and writes while it goes on, through pipes or on a terminal.
 * What does not come within 20 s does not come; nothing else here looks at a clock.
 */
#ifndef TESTS_SUPPORT_TALK_H
#define TESTS_SUPPORT_TALK_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct talk {
    pid_t pid;
    int in, out;
    size_t length;
    char text[65536];
};

/* With these arguments, up to a NULL; talk_end() frees it. */
struct talk *talk_start(const char *const *arguments);
/* The same on a terminal of 100 columns. */
struct talk *talk_on_terminal(const char *const *arguments);

/* Reads until these words have come after those that were waited for before. */
bool talk_hears(struct talk *talk, const char *words);
void talk_say(const struct talk *talk, const char *line);

/* Its exit status, or 128 + signal. */
int talk_end(struct talk *talk);

#endif
