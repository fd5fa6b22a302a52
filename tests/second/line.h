/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The bytes on their way to the host: a first-in-first-out queue in which each piece has the time
   from which it may leave, and the habits of a line (single bytes, many frames at once, a slow
   baud rate). The queue drops what finds no room; no honest device fills it. */
#ifndef SECOND_LINE_H
#define SECOND_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tests/second/options.h"

#define LINE_ROOM   65536
#define LINE_PIECES 1024

struct line {
    uint8_t bytes[LINE_ROOM];
    size_t head;
    size_t count;
    struct {
        uint64_t due;
        size_t size;
    } pieces[LINE_PIECES];
    size_t first_piece;
    size_t piece_count;
    uint64_t last_write;
    uint64_t credit;
    bool single_bytes;
    uint64_t gather_ms;
    uint64_t baud;
    bool hang_up;
};

void line_init(struct line *line, const struct options *options);

void line_send(struct line *line, const uint8_t *bytes, size_t size, uint64_t due);

/* Writes to the descriptor what may leave now; false when the other end is gone. */
bool line_flush(struct line *line, int fd, uint64_t now);

void line_clear(struct line *line);

#endif
