/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Captures: a decorator that writes every byte that passes a link, with its time and direction, to
 * a capture file that Wireshark opens (libpcap, link type USER0). Several links share one file;
 * each is a channel with a name. A capture is owned by its opener and closed after the last tapped
 * link.
 *
 * Each packet starts with four bytes: version (1), channel, direction (0 to the device, 1 from it,
 * 2 about the channel), protocol (a number that the driver of the device gives, so that the
 * dissector knows what follows; 0 says nothing); then the bytes, as they came: a frame may span
 * packets. A packet about the channel holds the link's address as text; each tapped link begins
 * with one, and again when it was reopened. Time is that of day, counted on by the monotonic clock
 * from when the capture was opened; on a virtual clock it is the virtual time.
 */
#ifndef HAL_LINK_TAP_H
#define HAL_LINK_TAP_H

#include <stdint.h>

#include "hal/link/link.h"

struct capture;

#define TAP_VERSION     1
#define TAP_HEADER_SIZE 4
#define TAP_RAW         0 /* the protocol that says nothing about the bytes */

enum tap_direction { TAP_TO_DEVICE, TAP_FROM_DEVICE, TAP_ABOUT };

/* Creates the file, or empties the one that is there. */
int capture_open(struct capture **capture, const char *path, struct error *error);

/* Flushes and closes, NULL included; ERROR_RIG when the disk would not take all of it. */
int capture_close(struct capture *capture, struct error *error);

/* The virtual clock will start anew, having come to `now`; the times of the packets go on. */
void capture_restart(struct capture *capture, nanos_t now);

/*
 * The decorator owns `inner` from then on. Every packet is in the file when the read or write
 * returns; a capture that cannot be written makes the link ERROR_RIG. Links of one capture may be
 * used by different threads.
 */
int tap_link(struct link **link, struct link *inner, struct capture *capture, uint8_t channel,
             unsigned protocol, struct error *error);

#endif
