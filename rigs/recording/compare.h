/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Settles a recording and compares it, round by round, with the .expect file beside it. The
 * result is a plain value; it holds the first differences and counts them all.
 */
#ifndef RIGS_RECORDING_COMPARE_H
#define RIGS_RECORDING_COMPARE_H

#include <stddef.h>
#include <stdint.h>

#include "hal/base/error.h"
#include "rigs/recording/expect.h"
#include "rigs/recording/paytables.h"

#define COMPARE_SHOWN 10

struct compare_result {
    uint64_t rounds;
    uint64_t differing; /* rounds that differ, those on one side only included */
    size_t shown;
    struct expect_difference differences[COMPARE_SHOWN];
};

/*
 * `stop` is that of recording_file_open(), `jobs` and `table` those of settle_run(). Returns 0 when
 * all rounds could be compared, whatever the result; ERROR_CONFIG when the recording or its
 * expectation cannot be used, or it has no round.
 */
struct settle_table;
int compare_recording(const char *path, const struct paytables *paytables,
                      const struct settle_table *table, unsigned jobs, int stop,
                      struct compare_result *result, struct error *error);

#endif
