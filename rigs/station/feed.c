/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/station/feed.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hal/base/veil.h"

#define FEED_STEP     256               /* lines between two places that are kept */
#define FEED_A_TURN   ((size_t)4 << 20) /* bytes that are read before others have their turn */
#define HEAD_LONGEST  160               /* bytes up to the kind: n, prev and t are before it */
#define KIND_NAME     ",\"kind\":\""
#define KIND_NAME_LEN (sizeof KIND_NAME - 1)

struct feed *feed_new(int fd, const struct server_run *run)
{
    struct feed *feed = calloc(1, sizeof *feed);

    if (!feed) {
        close(fd);
        return NULL;
    }
    feed->fd = fd;
    feed->run = *run;
    feed->open_round = feed->open_recording = FEED_NONE;
    return feed;
}

void feed_free(struct feed *feed)
{
    close(feed->fd);
    free(feed->places);
    free(feed);
}

const char *feed_kind(const char *line, size_t length, size_t *kind_length)
{
    const char *found =
        memmem(line, length < HEAD_LONGEST ? length : HEAD_LONGEST, KIND_NAME, KIND_NAME_LEN);
    const char *end;

    if (!found)
        return NULL;
    found += KIND_NAME_LEN;
    end = memchr(found, '"', length - (size_t)(found - line));
    if (!end)
        return NULL;
    *kind_length = (size_t)(end - found);
    return found;
}

bool feed_is_kind(const char *kind, size_t length, const char *name)
{
    return kind && length == strlen(name) && !memcmp(kind, name, length);
}

/* What is only observed has no digest: nobody knows what will come of it. */
static void open_recording(struct feed *feed, const char *line, size_t length)
{
    static const char digest[] = ",\"sha256\":\"", rounds[] = ",\"rounds\":";
    const char *found = memmem(line, length, rounds, sizeof rounds - 1);

    feed->rounds_left = found ? strtoull(found + sizeof rounds - 1, NULL, 10) : 0;
    feed->open_recording =
        memmem(line, length, digest, sizeof digest - 1) ? feed->complete : FEED_NONE;
}

/*
 * A journal has one round open at a time; its verdict ends it, or a crash. A recording ends with
 * the verdict of its last round, and with the run.
 */
static void note_line(struct feed *feed, const char *line, size_t length)
{
    size_t kind_length = 0;
    const char *kind = feed_kind(line, length, &kind_length);
    bool is_judged = feed_is_kind(kind, kind_length, "verdict");

    if (feed_is_kind(kind, kind_length, "round"))
        feed->open_round = feed->complete;
    else if (is_judged || feed_is_kind(kind, kind_length, "resumed"))
        feed->open_round = FEED_NONE;
    if (feed_is_kind(kind, kind_length, "recording"))
        open_recording(feed, line, length);
    else if ((is_judged && feed->rounds_left && !--feed->rounds_left) ||
             feed_is_kind(kind, kind_length, "end"))
        feed->open_recording = FEED_NONE;
    if (kind)
        progress_take(&feed->progress, kind, kind_length, line, length);
}

/* False when memory is short: the line is looked at again in the next turn. */
static bool note_place(struct feed *feed)
{
    if (feed->lines % FEED_STEP)
        return true;
    if (feed->place_count == feed->place_room) {
        size_t room = feed->place_room ? 2 * feed->place_room : 64;
        uint64_t *places = realloc(feed->places, room * sizeof *places);

        if (!places)
            return false;
        feed->places = places;
        feed->place_room = room;
    }
    feed->places[feed->place_count++] = feed->complete;
    return true;
}

/* Takes the complete lines of a block; how many bytes that were. */
static size_t take_lines(struct feed *feed, const char *block, size_t length)
{
    const char *at = block, *end = block + length, *newline;

    while ((newline = memchr(at, '\n', (size_t)(end - at)))) {
        size_t line = (size_t)(newline - at);

        if (!note_place(feed))
            break;
        note_line(feed, at, line);
        feed->complete += line + 1;
        feed->lines++;
        at = newline + 1;
    }
    return (size_t)(at - block);
}

/*
 * What has been read up to the veil: a verdict that is not on the disk yet is not shown. The veil
 * is looked for after reading, since it was there before what it covers.
 */
static size_t cut_veiled(const struct feed *feed, ssize_t got)
{
    off_t veiled = got > 0 ? veil_find(feed->fd) : -1;
    uint64_t end = feed->complete + (uint64_t)(got > 0 ? got : 0);

    if (veiled >= 0 && (uint64_t)veiled < end)
        end = (uint64_t)veiled > feed->complete ? (uint64_t)veiled : feed->complete;
    return (size_t)(end - feed->complete);
}

void feed_grow(struct feed *feed, char *block)
{
    size_t taken = 0;

    feed->is_at_end = false;
    while (taken < FEED_A_TURN) {
        ssize_t got = pread(feed->fd, block, FEED_BLOCK, (off_t)feed->complete);
        size_t lines = take_lines(feed, block, cut_veiled(feed, got));

        /* What is left is a line that is being written, or too long for a journal. */
        if (!lines) {
            feed->is_at_end = true;
            return;
        }
        taken += lines;
    }
}

uint64_t feed_place(const struct feed *feed, uint64_t line, char *block)
{
    uint64_t at = line / FEED_STEP;
    uint64_t offset = at < feed->place_count ? feed->places[at] : feed->complete;
    uint64_t number = at * FEED_STEP;

    while (number < line && offset < feed->complete) {
        size_t length = feed_read(feed, offset, FEED_BLOCK, block);
        const char *from = block, *newline;

        if (!length)
            break;
        while (number < line && (newline = memchr(from, '\n', length - (size_t)(from - block)))) {
            from = newline + 1;
            number++;
        }
        offset += (uint64_t)(from - block);
    }
    return offset;
}

static size_t read_lines(const struct feed *feed, uint64_t offset, size_t size, char *block)
{
    ssize_t got = pread(feed->fd, block, size, (off_t)offset);
    const char *last = got > 0 ? memrchr(block, '\n', (size_t)got) : NULL;

    return last ? (size_t)(last + 1 - block) : 0;
}

size_t feed_read(const struct feed *feed, uint64_t offset, size_t wanted, char *block)
{
    uint64_t left = feed->complete - offset;
    size_t most = left < FEED_BLOCK ? (size_t)left : FEED_BLOCK;
    size_t length = read_lines(feed, offset, wanted < most ? wanted : most, block);

    return length || wanted >= most ? length : read_lines(feed, offset, most, block);
}
