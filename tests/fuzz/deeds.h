/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a caller may ask of the devices of a bench, in any order: an input names the device, the
 * call and its arguments. A call ends with 0, an event, or an error that has a sentence.
 */
#ifndef TESTS_FUZZ_DEEDS_H
#define TESTS_FUZZ_DEEDS_H

#include "rigs/bench/bench.h"
#include "tests/fuzz/fuzz.h"

/* The rig of such a text, which has no mistake. */
struct rig *fuzz_rig(const char *text);

void fuzz_deed(struct bench *bench, struct fuzz_input *input);

#endif
