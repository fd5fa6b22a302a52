/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the part of the Angel Eye decoder that looks at a frame needs and promises: proved for it,
 * and then standing for it in the proof of the rest.
 */
#ifndef TESTS_PROVE_ANGEL_EYE_CONTRACTS_H
#define TESTS_PROVE_ANGEL_EYE_CONTRACTS_H

#include "devices/shoe/angel_eye/frame.h"
#include "tests/prove/prove.h"

/* clang-format off */
static enum angel_eye_result parse(struct angel_eye_decoder *decoder,
                                   struct angel_eye_frame *frame)
    __CPROVER_requires(__CPROVER_rw_ok(decoder, sizeof *decoder))
    __CPROVER_requires(__CPROVER_rw_ok(frame, sizeof *frame))
    __CPROVER_requires(decoder->used <= ANGEL_EYE_FRAME_MAX)
    __CPROVER_assigns(*decoder, *frame)
    /* Wanting more it has kept everything, and has room for a byte more. */
    __CPROVER_ensures(__CPROVER_return_value != ANGEL_EYE_NEED_MORE ||
                      (decoder->used == __CPROVER_old(decoder->used) &&
                       decoder->used < ANGEL_EYE_FRAME_MAX))
    /* Otherwise it has dropped something. */
    __CPROVER_ensures(__CPROVER_return_value == ANGEL_EYE_NEED_MORE ||
                      decoder->used < __CPROVER_old(decoder->used))
    __CPROVER_ensures(__CPROVER_return_value != ANGEL_EYE_READY ||
                      frame->size <= ANGEL_EYE_DATA_MAX);
/* clang-format on */

#include "devices/shoe/angel_eye/frame.c"

#endif
