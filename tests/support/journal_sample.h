/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Journals for tests: the evenings among the fixtures as a run on an emulated bench might have
 * written them, through the real writer and in virtual time. Rounds that shall not pass get a
 * verdict, checks and sentences of their own; everything else is what was recorded.
 */
#ifndef TESTS_SUPPORT_JOURNAL_SAMPLE_H
#define TESTS_SUPPORT_JOURNAL_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hal/base/error.h"
#include "rigs/journal/journal.h"

struct journal_sample {
    uint64_t rounds;
    uint64_t fail_every;    /* every so many rounds one fails; 0: none */
    uint64_t timeout_every; /* or times out */
    bool crashed;           /* no verdict for the last round, and no end line */
};

int journal_sample_write(const char *path, const struct journal_sample *sample,
                         struct error *error);

/* A journal of one round that fails, to be freed; a test that cannot have it ends. */
char *journal_sample_text(size_t *length);

/* What a journal of a test's own must have so as not to contradict itself: its devices. */
void journal_sample_devices(struct journal *journal);

/* The same: the rest of an observed round that passes, with this settlement or an empty one. */
void journal_sample_pass(struct journal *journal, const char *settlement);

#endif
