/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Captures read again (hal/link/tap.h): packet after packet, as they were written. A file that is
 * something else, or was cut off, is an error with a sentence that names it and the packet; what
 * came before is good. The caller owns the reader; bytes are good until the next packet.
 */
#ifndef HAL_LINK_HEARD_H
#define HAL_LINK_HEARD_H

#include "hal/link/tap.h"

struct heard_packet {
    uint64_t number; /* from 1, as Wireshark counts */
    nanos_t time;
    uint8_t channel;
    enum tap_direction direction;
    unsigned protocol;
    const uint8_t *bytes; /* after the four that a packet begins with */
    size_t count;
};

struct capture_reader;

/*
 * "-" is standard input. ERROR_CONFIG when the file is not there or no capture of this program.
 * `*reader` is NULL after a failure.
 */
int capture_reader_open(struct capture_reader **reader, const char *path, struct error *error);
void capture_reader_close(struct capture_reader *reader);

/*
 * The next packet: 1, or 0 at the end. ERROR_RULE when the file is cut off or damaged from here on:
 * nothing more can be read of it. ERROR_RIG when reading fails.
 */
int capture_reader_next(struct capture_reader *reader, struct heard_packet *packet,
                        struct error *error);

#endif
