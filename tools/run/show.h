/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a run prints: failures as they happen, a bar while it goes on, and a summary at its end that
 * fits a screen and names the reports. Each bench prints to a stream of its own, so that the output
 * of benches side by side does not mix. Texts of devices and files are printed without control
 * characters. Nothing here changes the result of a run.
 */
#ifndef TOOLS_RUN_SHOW_H
#define TOOLS_RUN_SHOW_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "rigs/run/runner.h"
#include "tools/run/reports.h"

/* A recording that did not pass. */
struct run_show_failing {
    const char *path;
    uint64_t rounds, failed;
};

/* A failure that came more than once, and how often; its first times were printed. */
struct run_show_repeat {
    char key[96]; /* of all that counts as the same: "timing, shuffle" */
    uint64_t times;
};
#define RUN_SHOW_REPEATS 256 /* that are told apart; what comes beyond them is printed always */

struct run_show {
    bool json, quiet, verbose;
    bool live;         /* the clock is real: the bar says what is waited for */
    uint64_t total;    /* rounds that there are to play; 0: not known */
    uint64_t unplayed; /* rounds of them, since the first that did not pass has ended the run */
    const struct run_reports *reports; /* NULL: none were asked for */

    bool colour;       /* standard output is a terminal, and colour is wanted there */
    bool bar;          /* standard error is one */
    bool bar_colour;   /* and colour is wanted there */
    uint64_t start_ms; /* of the monotonic clock */
    uint64_t took_ms;  /* the run, without its reports */
    uint64_t drawn_ms; /* when the bar was last drawn */
    uint64_t rounds, failed;
    /* Of a live bar, which a thread of its own draws again each second. */
    pthread_mutex_t screen; /* of the bar and what it shows */
    pthread_cond_t over;
    pthread_t ticker;
    bool ticks, is_over, is_paused, is_stopping;
    struct run_wait wait; /* that began at wait_ms; `what` is NULL: none */
    uint64_t wait_ms;
    const char *away; /* a device; NULL: none */
    unsigned tries;
    int64_t round;     /* whose cards were shown last */
    uint64_t round_ms; /* when the last round ended */
    struct run_show_repeat *repeats;
    size_t repeat_count;
    pthread_mutex_t lock; /* of what follows */
    size_t failing_count;
    struct run_show_failing *failing;
};

/* Everything from `colour` on is set here; run_show_end() releases it. */
void run_show_start(struct run_show *show);
void run_show_end(struct run_show *show);

/* Stops the clock of the run, before its reports are written. */
void run_show_stop(struct run_show *show);

/* Counts rounds that have ended and those of them that failed, and moves the bar. */
void run_show_progress(struct run_show *show, uint64_t rounds, uint64_t failed);

/*
 * By any thread, for the live bar, and with `json` as lines: what is waited for, as a runner says
 * it; that the run ends after this round; that a device is away since so many tries to open it, 0
 * when it is back; that nothing is drawn, since a question stands there, and that it is drawn
 * again.
 */
void run_show_wait(struct run_show *show, const struct run_wait *wait);
void run_show_stopping(struct run_show *show);
void run_show_away(struct run_show *show, const char *device, unsigned tries);
void run_show_pause(struct run_show *show, bool is_paused);

/* What is waited for, as a line of JSON. */
void run_show_wait_json(const struct run_wait *wait);

/* Cards as they come, in lines above the live bar. */
void run_show_cards(struct run_show *show, const struct run_cards *cards);

/* Something that somebody at the table is to do, on standard error. */
void run_show_request(struct run_show *show, const char *what);

/* Clears the bar before something else is printed. */
void run_show_clear(struct run_show *show);

/*
 * Of the same check at the same place (or the same sentence of a round), the
 * first three are printed in a run and the others counted, unless `verbose` or `json` is set. What
 * goes to a stream other than standard output is marked for that, and printed by run_show_print().
 */
void run_show_failure(struct run_show *show, FILE *out, const char *recording, int64_t round,
                      const struct check_result *result);
void run_show_print(struct run_show *show, const char *words, size_t length);
void run_show_round(struct run_show *show, FILE *out, const struct runner_round *round);

/* A recording that has ended; its path must live until the summary. */
void run_show_recording(struct run_show *show, FILE *out, const char *path, uint64_t rounds,
                        uint64_t failed);

/* How many of so many `recordings` were played; with 0 both are left out. */
void run_show_summary(struct run_show *show, const struct runner_counts *counts, size_t played,
                      size_t recordings, enum verdict verdict);

/* Every check with its rule and where that is written. */
void run_show_checks(bool json);

#endif
