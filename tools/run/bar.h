/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One line of progress, drawn over itself on standard error, as wide as the terminal is. Who else
 * prints clears it first.
 */
#ifndef TOOLS_RUN_BAR_H
#define TOOLS_RUN_BAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct run_bar {
    uint64_t rounds, total; /* 0: how many there will be is not known */
    uint64_t failed;
    uint64_t milliseconds; /* since the start, and since the last round has ended */
    uint64_t since_round_ms;
    bool colour;
    /* On a real clock: what goes on, in place of the speed. */
    bool is_live;
    bool is_stopping;             /* after the round */
    const char *away;             /* a device that does not answer; NULL: none */
    unsigned tries;               /* to open it again */
    const char *awaits;           /* what is waited for; NULL: nothing */
    const char *from;             /* and from which device */
    uint64_t waited_ms, limit_ms; /* 0: no limit */
};

/* The bar as text, at most `columns` wide when printed; as long as it would be, like snprintf(). */
#define RUN_BAR_SIZE 512
size_t run_bar_text(const struct run_bar *bar, unsigned columns, char text[RUN_BAR_SIZE]);

void run_bar_draw(const struct run_bar *bar);
void run_bar_clear(void);

#endif
