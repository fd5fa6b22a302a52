/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Listening in: what comes from a device is passed on to its own controller and the other way
 * round, as it comes, and each piece goes into a capture when it has been passed on. A side that
 * does not read holds the other one up, as on a cable with flow control; nothing is dropped or
 * changes its place. Modem lines are passed on where both sides have them: what comes in as CTS
 * goes out as RTS, DSR as DTR; the others can only be recorded. What is heard while the other side
 * is away is recorded as well, with a gap after it that says how much was not passed on.
 *
 * Links and capture stay the caller's. A capture that cannot be written does not stop the bytes:
 * it is told once, and the capture ends there.
 */
#ifndef HAL_LINK_BRIDGE_H
#define HAL_LINK_BRIDGE_H

#include "hal/link/link.h"
#include "hal/link/tap.h"

enum bridge_side { BRIDGE_DEVICE, BRIDGE_CONTROLLER, BRIDGE_SIDES };

struct bridge {
    const struct hal *hal;
    struct link *links[BRIDGE_SIDES];
    struct capture *capture;
    uint8_t channel;   /* in the capture */
    unsigned protocol; /* likewise */
    bool keeps_lines;  /* modem lines are recorded and not passed on */
    unsigned reopens;  /* how often a side that went away is looked for; 0: its loss is the end */
    void *context;
    /* Every piece, once it was passed on or could not be, with the time of its packet. NULL: nobody
     * listens. */
    void (*heard)(void *context, enum bridge_side from, const uint8_t *bytes, size_t count,
                  nanos_t time);
    /* A side is gone or back, the capture is lost: a sentence. */
    void (*said)(void *context, const char *sentence);
};

struct bridge_counts {
    struct {
        uint64_t heard;  /* bytes that came from this side */
        uint64_t passed; /* bytes that it was given */
        uint64_t lost;   /* bytes for it that it could not be given any more */
        uint64_t lines;  /* changes of the modem lines that it drives */
    } side[BRIDGE_SIDES];
    bool is_capture_lost;
};

/*
 * Passes on until the hal is cancelled, which is 0. ERROR_DEVICE when a side is gone, which was
 * said; ERROR_RIG when a link is broken or memory is out. `counts` are right whatever ended it.
 */
int bridge_run(const struct bridge *bridge, struct bridge_counts *counts, struct error *error);

#endif
