/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Captures: a decorator that writes every byte that passes a link, with its time and direction, to
 * a capture file that Wireshark opens (libpcap, link type USER0). Several links share one file;
 * each is a channel with a name. A capture is owned by its opener and closed after the last tapped
 * link.
 *
 * Each packet starts with four bytes: version (1), channel, direction (0 to the device, 1 from it,
 * 2 about the channel, 3 modem lines, 4 a note, 5 a gap), protocol (a number that the driver of the
 * device gives, so that the dissector knows what follows; 0 says nothing); then the bytes, as they
 * came: a frame may span packets. A packet about the channel holds the link's address as text; each
 * tapped link begins with one, and again when it was reopened. A packet of modem lines holds two
 * bytes: 0 those that the host drives or 1 those that the device drives, and a set of enum
 * link_line; a bridge writes one when they change. A note is a sentence: before a packet to the
 * device in which a driver has masked a secret it says so, and in a bridge that a side has gone
 * away. A gap is a sentence too: that something was said here and could not be heard, or was not
 * passed on. Time is that of day, counted on by the monotonic clock from when the capture was
 * opened; on a virtual clock it is the virtual time.
 */
#ifndef HAL_LINK_TAP_H
#define HAL_LINK_TAP_H

#include <stddef.h>
#include <stdint.h>

#include "hal/link/link.h"

struct capture;

#define TAP_VERSION     1
#define TAP_HEADER_SIZE 4
#define TAP_RAW         0 /* the protocol that says nothing about the bytes */

enum tap_direction { TAP_TO_DEVICE, TAP_FROM_DEVICE, TAP_ABOUT, TAP_LINES, TAP_NOTE, TAP_GAP };

/*
 * Creates the file, for its owner only. Where there is one already it is kept and the new one gets
 * a number: bench.pcap, bench.2.pcap, bench.3.pcap. What is there and no file, such as a pipe that
 * Wireshark reads, is written to; a link is not followed, and counts as a file.
 */
int capture_open(struct capture **capture, const char *path, struct error *error);

/* The file that is written. */
const char *capture_path(const struct capture *capture);

/*
 * Flushes and closes, NULL included; ERROR_RIG when the disk would not take all of it. A new file
 * that no packet was written to is removed.
 */
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

/*
 * Puts zeros in the place of what no capture may hold, within bytes that are sent in one go, and
 * makes their checks fit; their number stays. Returns how many bytes those were.
 */
typedef size_t tap_masker(uint8_t *bytes, size_t count);

/* Writes longer than that are masked whole. */
#define TAP_MASKED_MAX 512

/* From now on the capture has what `mask` leaves of the bytes that are sent; NULL: all. */
void tap_mask(struct link *link, tap_masker *mask);
/* What a packet begins with. */
struct capture_mark {
    uint8_t channel;
    enum tap_direction direction;
    unsigned protocol;
};

/* For who taps no link: the time that a packet of now would have, and the packet. */
nanos_t capture_time(const struct capture *capture, const struct clock *clock);
int capture_write(struct capture *capture, const struct capture_mark *mark, nanos_t time,
                  const void *bytes, size_t count, struct error *error);

#endif
