/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Looking at what has come so far of an Angel Eye frame, whatever it is, stays within the decoder
 * and the frame, and ends. Whoever is told that more is needed has room for it; whoever is told
 * anything else has less left than before, so that it comes to an end.
 *
 * Bound: any 21 bytes or fewer: all that a decoder holds
 * Contract: parse
 * Options: --unwind 23
 * Broken: devices/shoe/angel_eye/frame.c s/ANGEL_EYE_DATA_MAX)/ANGEL_EYE_DATA_MAX + 1)/
 */
#include "tests/prove/angel_eye_contracts.h"

int main(void)
{
    struct angel_eye_decoder decoder;
    struct angel_eye_frame frame;

    parse(&decoder, &frame);
}
