/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Server-Sent Events. Nothing is kept for a client but its place in the journal: when libmicrohttpd
 * has room in its buffer, the next lines are read from the file, and when there are none the
 * connection is suspended until there are.
 */
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <unistd.h>

#include "rigs/station/mask.h"
#include "rigs/station/station.h"

static struct feed *find_feed(struct server *server, unsigned run)
{
    struct feed *feed = server->feeds;

    while (feed && feed->run.number != run)
        feed = feed->next;
    return feed;
}

/* Journals that nobody follows any more are closed when another is opened. */
static void close_unused(struct server *server)
{
    struct feed **at = &server->feeds;

    while (*at) {
        struct feed *feed = *at;

        if (feed->users) {
            at = &feed->next;
            continue;
        }
        *at = feed->next;
        inotify_rm_watch(server->watch_fd, feed->watch);
        feed_free(feed);
    }
}

/* By its descriptor, since a file that is removed at the end may have no name by now. */
static void watch(const struct server *server, struct feed *feed)
{
    char path[64];

    snprintf(path, sizeof path, "/proc/self/fd/%d", feed->fd);
    feed->watch = inotify_add_watch(server->watch_fd, path, IN_MODIFY);
}

/* The journal of a run that has been started may be there by now. */
static void look_for_journal(struct server *server, struct feed *feed)
{
    int fd = feed->is_awaited ? server->bench.journal(server->bench.context, feed->run.number) : -1;

    if (fd < 0)
        return;
    inotify_rm_watch(server->watch_fd, feed->watch);
    close(feed->fd);
    feed->fd = fd;
    feed->is_awaited = false;
    watch(server, feed);
}

static struct feed *open_feed(struct server *server, unsigned number)
{
    struct server_run run = {.number = number};
    struct feed *feed;
    bool is_awaited;
    int fd;

    if (!server->bench.run(server->bench.context, &run))
        return NULL;
    feed = find_feed(server, run.number);
    if (feed)
        return feed;
    fd = server->bench.journal(server->bench.context, run.number);
    is_awaited = fd < 0 && run.is_begun;
    if (is_awaited)
        fd = memfd_create("nothing", MFD_CLOEXEC);
    feed = fd >= 0 ? feed_new(fd, &run) : NULL;
    if (!feed)
        return NULL;
    feed->is_awaited = is_awaited;
    close_unused(server);
    watch(server, feed);
    feed->next = server->feeds;
    server->feeds = feed;
    return feed;
}

/* 0 with the number of a line or run, or 400. */
static unsigned read_number(const struct request *request, enum MHD_ValueKind kind,
                            const char *name, uint64_t most, uint64_t *number)
{
    unsigned count;
    const char *text = request_value(request, kind, name, &count);

    *number = 0;
    if (!count)
        return 0;
    return count == 1 && request_number(text, number) && *number <= most ? 0 : 400;
}

/* Writes an event without a number. */
static size_t write_named(const char *name, const char *data, size_t length, char *out, size_t room)
{
    struct json_text text;

    json_text_begin(&text, out, room);
    JSON_TEXT_PUT(&text, "event: ");
    json_text_raw(&text, name, strlen(name));
    JSON_TEXT_PUT(&text, "\ndata: ");
    json_text_raw(&text, data, length);
    JSON_TEXT_PUT(&text, "\n\n");
    return text.full ? 0 : (size_t)(text.at - text.start);
}

/* The event of one line, as a whole, in the server's buffer. */
static size_t write_event(struct server *server, const struct stream *stream, const char *line,
                          size_t length)
{
    struct json_text text;
    size_t kind_length = 0;
    const char *kind = feed_kind(line, length, &kind_length);

    json_text_begin(&text, server->event, sizeof server->event);
    JSON_TEXT_PUT(&text, "id: ");
    json_text_unsigned(&text, stream->line + 1);
    if (kind) {
        JSON_TEXT_PUT(&text, "\nevent: ");
        json_text_raw(&text, kind, kind_length);
    }
    JSON_TEXT_PUT(&text, "\ndata: ");
    if (stream->mask &&
        (feed_is_kind(kind, kind_length, "round") || feed_is_kind(kind, kind_length, "recording")))
        mask_line(server->reader, stream->mask, line, length, &text);
    else if (stream->mask & MASK_PREVIOUS)
        mask_previous(line, length, &text);
    else
        json_text_raw(&text, line, length);
    JSON_TEXT_PUT(&text, "\n\n");
    return (size_t)(text.at - text.start);
}

/* What a line that begins there is sent without. */
static unsigned mask_at(const struct feed *feed, uint64_t offset)
{
    uint64_t open =
        feed->open_recording < feed->open_round ? feed->open_recording : feed->open_round;

    return (offset > open ? MASK_PREVIOUS : 0u) |
           (offset >= feed->open_recording ? MASK_FILE : 0u) |
           (offset >= feed->open_round ? MASK_PLAYED : 0u);
}

/* Puts as much of the event of one line as there is room for; true when that was all of it. */
static bool put_line(struct server *server, struct stream *stream, const char *line, size_t length,
                     char *out, size_t room, size_t *put)
{
    size_t whole, left;

    /* What was begun without cards is ended so, whatever has happened since. */
    if (!stream->sent)
        stream->mask = mask_at(stream->feed, stream->offset);
    whole = write_event(server, stream, line, length);
    left = whole - stream->sent;
    *put = left < room ? left : room;
    memcpy(out, server->event + stream->sent, *put);
    stream->sent += *put;
    if (stream->sent < whole)
        return false;
    stream->sent = 0;
    stream->line++;
    stream->offset += length + 1;
    return true;
}

/* Puts lines of the journal as long as there is room; how many bytes. */
static size_t put_lines(struct server *server, struct stream *stream, char *out, size_t room)
{
    size_t used = 0, length = 0, put;
    const char *at, *newline;

    do {
        length = feed_read(stream->feed, stream->offset, room, server->block);
        at = server->block;
        while ((newline = memchr(at, '\n', length - (size_t)(at - server->block)))) {
            bool is_whole =
                put_line(server, stream, at, (size_t)(newline - at), out + used, room - used, &put);

            used += put;
            if (!is_whole)
                return used;
            at = newline + 1;
        }
    } while (length && used < room);
    return used;
}

/* Finds where a client goes on; false: the journal has not been read so far yet. */
static bool place(struct server *server, struct stream *stream)
{
    struct feed *feed = stream->feed;

    if (stream->is_placed)
        return true;
    if (stream->after > feed->lines && !feed->is_at_end)
        return false;
    /* A line that this journal does not have was one of another. */
    stream->line = stream->after > feed->lines ? 0 : stream->after;
    stream->offset = feed_place(feed, stream->line, server->block);
    stream->is_placed = true;
    return true;
}

static bool is_behind(const struct stream *stream)
{
    return !stream->is_placed || stream->offset < stream->feed->complete ||
           !stream->feed->is_at_end;
}

static bool has_next(const struct stream *stream)
{
    return stream->feed->run.is_over && stream->feed->run.next && !is_behind(stream);
}

/* What is sent beside the journal, to who has all of it. */
static size_t put_other(struct server *server, struct stream *stream, char *out, size_t room,
                        nanos_t now)
{
    char data[64];
    size_t used = 0;

    if (stream->status != server->status_number) {
        used = write_named("status", server->status.start,
                           (size_t)(server->status.at - server->status.start), out, room);
        stream->status = server->status_number;
    }
    if (used || server->is_draining)
        return used;
    if (has_next(stream)) {
        snprintf(data, sizeof data, "{\"run\":%u}", stream->feed->run.next);
        stream->is_next_sent = true;
        return write_named("next", data, strlen(data), out, room);
    }
    if (now - stream->spoke < server->patience)
        return 0;
    memcpy(out, ":\n\n", 3);
    return 3;
}

/* libmicrohttpd has room for `room` bytes. */
static ssize_t fill(void *context, uint64_t position, char *out, size_t room)
{
    struct request *request = context;
    struct server *server = request->server;
    struct stream *stream = &request->connection->stream;
    nanos_t now = clock_read_real();
    size_t used = 0;

    (void)position;
    if (stream->is_gone)
        return MHD_CONTENT_READER_END_WITH_ERROR;
    if (stream->is_next_sent)
        return MHD_CONTENT_READER_END_OF_STREAM;
    if (place(server, stream))
        used = put_lines(server, stream, out, room);
    /* Lines that were there cannot be read any more. */
    if (!used && stream->is_placed && stream->offset < stream->feed->complete)
        return MHD_CONTENT_READER_END_WITH_ERROR;
    if (!used && !is_behind(stream))
        used = put_other(server, stream, out, room, now);
    /* Nothing may be suspended when the server stops. */
    if (!used && server->is_draining)
        return MHD_CONTENT_READER_END_OF_STREAM;
    if (used) {
        stream->spoke = now;
        request->connection->deadline = now + server->patience;
        return (ssize_t)used;
    }
    stream->is_suspended = true;
    request->connection->deadline = NEVER;
    http.suspend_connection(request->http);
    return 0;
}

enum MHD_Result events_begin(struct request *request)
{
    struct server *server = request->server;
    struct stream *stream = &request->connection->stream;
    uint64_t run, after;
    struct MHD_Response *response;
    unsigned is_named;

    request_value(request, MHD_GET_ARGUMENT_KIND, "run", &is_named);
    if (read_number(request, MHD_GET_ARGUMENT_KIND, "run", UINT64_MAX, &run) ||
        http.get_connection_values(request->http, MHD_GET_ARGUMENT_KIND, NULL, NULL) !=
            (int)is_named)
        return reply_why(request, 400, "the query of /events is run=N");
    if (is_named && (!run || run > SERVER_RUNS_MAX))
        return reply_why(request, 404, "runs are numbered from 1 to %u", SERVER_RUNS_MAX);
    if (read_number(request, MHD_HEADER_KIND, "Last-Event-ID", UINT64_MAX, &after))
        return reply_why(request, 400, "Last-Event-ID must be the number of a line");
    *stream = (struct stream){.http = request->http, .after = after};
    stream->feed = open_feed(server, (unsigned)run);
    if (!stream->feed)
        return reply_why(request, 404, "there is no journal of such a run");
    stream->feed->users++;
    response = http.create_response_from_callback(MHD_SIZE_UNKNOWN, 16384, fill, request, NULL);
    atomic_store(&server->is_woken, true);
    return reply_with(request, 200, "text/event-stream", POLICY_NOTHING, response);
}

void events_end(struct stream *stream)
{
    if (stream->feed)
        stream->feed->users--;
    *stream = (struct stream){.feed = NULL};
}

/* Tells who follows what the bench is doing, when that has changed. */
static void look_at_status(struct server *server)
{
    struct json_text text;
    size_t length = (size_t)(server->status.at - server->status.start);

    json_text_begin(&text, server->status_text[(server->status_number + 1) % 2], STATUS_SIZE);
    status_write(server, &text);
    if (text.full || (length && length == (size_t)(text.at - text.start) &&
                      !memcmp(text.start, server->status.start, length)))
        return;
    server->status = text;
    server->status_number++;
}

bool events_look(struct server *server)
{
    bool is_all = true, is_followed = false;

    for (struct feed *feed = server->feeds; feed; feed = feed->next) {
        if (!feed->users)
            continue;
        is_followed = true;
        /* Asked before the file is read: a run that is over then has no line that is not read. */
        server->bench.run(server->bench.context, &feed->run);
        look_for_journal(server, feed);
        feed_grow(feed, server->block);
        is_all &= feed->is_at_end;
    }
    if (is_followed)
        look_at_status(server);
    return is_all;
}

/* Whether fill() would have something to do. */
static bool has_news(const struct server *server, const struct stream *stream, nanos_t now)
{
    const struct feed *feed = stream->feed;

    if (stream->is_gone || server->is_draining || has_next(stream) ||
        stream->status != server->status_number || now - stream->spoke >= server->patience)
        return true;
    return stream->is_placed ? stream->offset < feed->complete
                             : feed->is_at_end || stream->after <= feed->lines;
}

void events_resume(struct server *server, nanos_t now)
{
    for (size_t i = 0; i < SERVER_CONNECTIONS; i++) {
        struct connection *connection = &server->connections[i];
        struct stream *stream = &connection->stream;

        if (connection->fd < 0 || !stream->is_suspended || !has_news(server, stream, now))
            continue;
        stream->is_suspended = false;
        connection->deadline = now + server->patience;
        http.resume_connection(stream->http);
    }
}
