/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/second/line.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

void line_init(struct line *line, const struct options *options)
{
    memset(line, 0, sizeof *line);
    line->single_bytes = options_has(options, "single-bytes");
    line->gather_ms = options_number(options, "gather", 0);
    line->baud = options_number(options, "baud", 0);
}

void line_send(struct line *line, const uint8_t *bytes, size_t size, uint64_t due)
{
    if (line->count + size > LINE_ROOM || line->piece_count == LINE_PIECES)
        return;
    for (size_t i = 0; i < size; i++)
        line->bytes[(line->head + line->count++) % LINE_ROOM] = bytes[i];
    size_t piece = (line->first_piece + line->piece_count++) % LINE_PIECES;
    line->pieces[piece].due = due + line->gather_ms;
    line->pieces[piece].size = size;
}

/* How many bytes from the head on are due. With gathering the first piece takes all others along.
 */
static size_t due_bytes(const struct line *line, uint64_t now)
{
    size_t size = 0;
    for (size_t i = 0; i < line->piece_count; i++) {
        size_t piece = (line->first_piece + i) % LINE_PIECES;
        if (line->pieces[piece].due > now && !(line->gather_ms != 0 && i > 0))
            break;
        size += line->pieces[piece].size;
    }
    return size;
}

static size_t paced(struct line *line, size_t size, uint64_t now)
{
    if (line->baud == 0)
        return size;
    uint64_t credit = size == 0 ? 0 : line->credit + (now - line->last_write) * line->baud;
    size_t allowed = (size_t)(credit / 10000);
    allowed = allowed < size ? allowed : size;
    line->credit = credit - allowed * 10000;
    line->last_write = now;
    return allowed;
}

static void take(struct line *line, size_t size)
{
    line->head = (line->head + size) % LINE_ROOM;
    line->count -= size;
    while (size > 0) {
        size_t *left = &line->pieces[line->first_piece].size;
        if (*left > size) {
            *left -= size;
            return;
        }
        size -= *left;
        line->first_piece = (line->first_piece + 1) % LINE_PIECES;
        line->piece_count--;
    }
}

bool line_flush(struct line *line, int fd, uint64_t now)
{
    size_t due = due_bytes(line, now);
    size_t size = paced(line, due, now);
    while (size > 0) {
        size_t run = LINE_ROOM - line->head < size ? LINE_ROOM - line->head : size;
        if (line->single_bytes)
            run = 1;
        ssize_t sent = send(fd, line->bytes + line->head, run, MSG_NOSIGNAL);
        if (sent < 0)
            return errno == EAGAIN || errno == EINTR;
        take(line, (size_t)sent);
        size -= (size_t)sent;
    }
    return true;
}

void line_clear(struct line *line)
{
    line->count = 0;
    line->piece_count = 0;
}
