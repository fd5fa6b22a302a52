/*
 * What a run says on the terminal: failures as they happen, a bar while it goes on, a summary at
 * its end. Each bench has a voice of its own, so that benches side by side are heard one after the
 * other. Nothing here decides anything.
 */
#ifndef TOOLS_RUN_SHOW_H
#define TOOLS_RUN_SHOW_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#include "rigs/runner.h"

struct run_show {
    bool json, quiet, verbose;
    bool colour;       /* standard output is a terminal */
    bool bar;          /* standard error is one */
    uint64_t start_ms; /* of the monotonic clock */
    uint64_t drawn_ms; /* when the bar was last drawn */
    uint64_t rounds, failed;
};

void run_show_start(struct run_show *show);

/* Rounds that have ended, some of them badly: moves the bar. */
void run_show_progress(struct run_show *show, uint64_t rounds, uint64_t failed);

/* Something that somebody at the table is to do, on standard error. */
void run_show_request(const struct run_show *show, const char *what);

void run_show_failure(const struct run_show *show, FILE *out, const char *recording, int64_t round,
                      const struct check_result *result);
void run_show_round(const struct run_show *show, FILE *out, const struct runner_round *round);
void run_show_recording(const struct run_show *show, FILE *out, const char *path, uint64_t rounds,
                        uint64_t failed);

/* The last words: `journal` may be NULL; 0 recordings are not spoken of. */
void run_show_summary(struct run_show *show, const struct runner_counts *counts, size_t recordings,
                      enum verdict verdict, const char *journal);

/* Every check with its rule and where that is written. */
void run_show_checks(void);

#endif
