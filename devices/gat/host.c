/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/gat/host.h"

#include <stdlib.h>
#include <string.h>

#include "hal/base/plural.h"

#define WRITE_TIME     (5 * NANOS_PER_SECOND)
#define BITS_A_BYTE    10 /* with start and stop bit */
#define SERVER_BAUD    9600
#define BABBLE_MAX     4096  /* bytes behind a bad frame that are waited out */
#define PARTS_MAX      16384 /* 16 bytes each of the longest document */
#define DOCUMENT_FIRST 4096

static nanos_t now_of(const struct gat_host *host)
{
    return clock_now(host->link->hal->clock);
}

/* How fast bytes leave, where they do so later than they are written. */
static int64_t line_speed(const struct link *link, const struct gat_settings *settings)
{
    const char *at = strrchr(link->address, '@');

    if (settings->baud >= 0)
        return settings->baud;
    if (!strncmp(link->address, "serial:", 7))
        return at && atoll(at + 1) > 0 ? atoll(at + 1) : SERVER_BAUD;
    return !strncmp(link->address, "tcp:", 4) ? SERVER_BAUD : 0;
}

/* What comes until then, which nobody has asked for: how many bytes, or the link's error. */
static int hear_until(struct gat_host *host, nanos_t until, uint64_t *heard, struct error *error)
{
    uint8_t bytes[GAT_FRAME_MAX];

    *heard = 0;
    do {
        ssize_t count = link_read(host->link, bytes, sizeof bytes, until, error);

        if (count < 0)
            return (int)count;
        *heard += (uint64_t)count;
    } while (now_of(host) < until);
    return 0;
}

int gat_host_open(struct gat_host *host, struct link *link, const struct gat_settings *settings,
                  struct error *error)
{
    int64_t speed = line_speed(link, settings);

    *host = (struct gat_host){.link = link, .settings = *settings};
    host->decoder.order = settings->order;
    host->byte_time = speed ? BITS_A_BYTE * NANOS_PER_SECOND / speed : 0;
    return hear_until(host, now_of(host) + settings->no_reply, &host->dropped, error);
}

static int await_turn(struct gat_host *host, struct error *error)
{
    uint64_t heard;
    int status = hear_until(host, host->not_before, &heard, error);

    if (status || !heard)
        return status;
    return error_set(error, ERROR_DEVICE,
                     "%s: bytes came that nobody has asked for, %llu in number",
                     host->link->address, (unsigned long long)heard);
}

static int say_rejected(const struct gat_host *host, uint8_t command, struct error *error)
{
    return error_set(error, ERROR_DEVICE, "%s: the answer to %s is damaged: %s",
                     host->link->address, gat_command_name(command),
                     gat_reject_text(host->decoder.reason));
}

/* Behind an answer there is silence. */
static int hear_gap(struct gat_host *host, uint8_t command, size_t behind, struct error *error)
{
    uint64_t heard = 0;
    int status = behind ? 0 : hear_until(host, host->last_byte + host->settings.gap, &heard, error);

    if (status || !(heard + behind))
        return status;
    return error_set(error, ERROR_DEVICE, "%s: bytes follow the answer to %s, %llu in number",
                     host->link->address, gat_command_name(command),
                     (unsigned long long)(heard + behind));
}

/* A late answer is told as what it is, if it comes before the next question could be asked. */
static int say_silent(struct gat_host *host, uint8_t command, nanos_t until, struct error *error)
{
    uint64_t heard;
    int status = hear_until(host, until, &heard, error);

    if (status)
        return status;
    return error_set(error, ERROR_TIMEOUT, "%s: %s to %s within %lld ms", host->link->address,
                     heard ? "an answer came, but none" : "no answer came",
                     gat_command_name(command),
                     (long long)(host->settings.reply / NANOS_PER_MILLI));
}

/* 1 while the answer goes on, 0 when it is whole, or an error. */
static int take(struct gat_host *host, const uint8_t *bytes, size_t count, uint8_t command,
                struct error *error)
{
    size_t taken;
    enum gat_result result = gat_decode(&host->decoder, bytes, count, &taken, &host->reply);

    host->last_byte = now_of(host);
    if (result == GAT_READY)
        return hear_gap(host, command, count - taken, error);
    if (result == GAT_REJECTED)
        host->decoder.dropped += count - taken;
    if (host->decoder.dropped > BABBLE_MAX)
        return error_set(error, ERROR_DEVICE, "%s: the answer to %s does not end",
                         host->link->address, gat_command_name(command));
    return 1;
}

static int hear_reply(struct gat_host *host, uint8_t command, nanos_t asked, struct error *error)
{
    uint8_t bytes[GAT_FRAME_MAX];
    nanos_t deadline = asked + host->settings.reply;
    bool has_begun = false;
    int status = 1;

    gat_silence(&host->decoder);
    host->decoder.dropped = 0;
    while (status > 0) {
        ssize_t count = link_read(host->link, bytes, sizeof bytes, deadline, error);

        if (count < 0)
            return (int)count;
        if (count) {
            has_begun = true;
            status = take(host, bytes, (size_t)count, command, error);
            deadline = host->last_byte + host->settings.stall;
        } else if (now_of(host) >= deadline) {
            if (!has_begun)
                return say_silent(host, command, asked + host->settings.no_reply, error);
            gat_silence(&host->decoder);
            return say_rejected(host, command, error);
        }
    }
    return status;
}

static int check_reply(const struct gat_host *host, uint8_t command, unsigned least, unsigned most,
                       struct error *error)
{
    const struct gat_frame *reply = &host->reply;

    if (reply->command != (command | GAT_REPLY))
        return error_set(error, ERROR_DEVICE, "%s: %s is answered by a frame of command %02x",
                         host->link->address, gat_command_name(command), reply->command);
    if (reply->size < least || reply->size > most)
        return error_set(error, ERROR_DEVICE,
                         "%s: the answer to %s has %u byte%s of data, not %u%s",
                         host->link->address, gat_command_name(command), reply->size,
                         plural(reply->size), least, most > least ? " or more" : "");
    return 0;
}

static int ask_once(struct gat_host *host, const struct gat_frame *question, struct error *error)
{
    uint8_t bytes[GAT_FRAME_MAX];
    size_t size = gat_encode(question, host->settings.order, bytes);
    int status = await_turn(host, error);
    nanos_t asked;

    if (!status)
        status = link_write_all(host->link, bytes, size, now_of(host) + WRITE_TIME, error);
    if (status)
        return status;
    host->asked++;
    host->asked_at = now_of(host);
    asked = now_of(host) + (nanos_t)size * host->byte_time;
    host->last_byte = asked;
    status = hear_reply(host, question->command, asked, error);
    host->not_before = status == ERROR_TIMEOUT ? asked + host->settings.no_reply
                                               : host->last_byte + host->settings.pause;
    if (!status)
        host->has_answered = true;
    return status;
}

/* The answer is in `host->reply`, with at least and at most so many bytes of data. */
static int ask(struct gat_host *host, const struct gat_frame *question, unsigned least,
               unsigned most, struct error *error)
{
    int status = ERROR_TIMEOUT;

    for (unsigned i = 0; i < host->settings.tries; i++) {
        status = ask_once(host, question, error);
        if (!status)
            status = check_reply(host, question->command, least, most, error);
        if (status != ERROR_TIMEOUT && status != ERROR_DEVICE)
            return status;
    }
    return status;
}

static int refuse_reserved(const struct gat_host *host, const char *what, unsigned bits,
                           struct error *error)
{
    if (!host->settings.refuses_reserved || !bits)
        return 0;
    return error_set(error, ERROR_DEVICE, "%s: %s has bits that mean nothing: %02x",
                     host->link->address, what, bits);
}

static int check_version(struct gat_host *host, uint16_t version, struct error *error)
{
    uint16_t before = host->version, lowest = host->settings.version;

    if (!gat_is_version(version))
        return error_set(error, ERROR_DEVICE, "%s: %04x is no version", host->link->address,
                         version);
    if (version < lowest)
        return error_set(error, ERROR_DEVICE,
                         "%s: the device speaks version %x.%02x of GAT, and %x.%02x is the lowest "
                         "that is spoken here; version=%04x would try it",
                         host->link->address, version >> 8u, version & 0xffu, lowest >> 8u,
                         lowest & 0xffu, version);
    if (before && before != version)
        return error_set(
            error, ERROR_DEVICE,
            "%s: the device speaks version %x.%02x of GAT, and has said %x.%02x before",
            host->link->address, version >> 8u, version & 0xffu, before >> 8u, before & 0xffu);
    host->version = version;
    return 0;
}

int gat_status(struct gat_host *host, struct gat_status *status, struct error *error)
{
    const uint8_t *data = host->reply.data;
    int result = ask(host, &(struct gat_frame){.command = GAT_SQ}, 4, 4, error);

    if (result)
        return result;
    *status = (struct gat_status){
        .version = (uint16_t)(data[0] << 8 | data[1]), .bits = data[2], .formats = data[3]};
    result = check_version(host, status->version, error);
    if (result)
        return result;
    result = refuse_reserved(host, "SR", status->bits & ~GAT_STATUS_BITS & 0xff, error);
    return result ? result
                  : refuse_reserved(host, "SR",
                                    status->formats & ~(GAT_PLAIN_TEXT | GAT_XML) & 0xff, error);
}

int gat_last(struct gat_host *host, struct gat_last *last, struct error *error)
{
    const uint8_t *data = host->reply.data;
    int result = ask(host, &(struct gat_frame){.command = GAT_LASQ}, 5, 5, error);

    if (!result)
        *last = (struct gat_last){.level = data[0],
                                  .seconds = (uint32_t)data[1] << 24 | (uint32_t)data[2] << 16 |
                                             (uint32_t)data[3] << 8 | data[4]};
    return result;
}

static int put_text(const char *text, bool is_utf8, uint8_t *bytes, size_t room)
{
    size_t length = strlen(text);

    if (!is_utf8)
        return gat_latin1(text, bytes, room);
    if (length > room)
        return -1;
    memcpy(bytes, text, length);
    return (int)length;
}

int gat_request_text(const struct gat_request *request, bool is_utf8, uint8_t text[GAT_TEXT_MAX],
                     struct error *error)
{
    int used = put_text(request->feature, is_utf8, text, GAT_TEXT_MAX), more = used;

    for (unsigned i = 0; i < request->count && more >= 0; i++) {
        if (used == GAT_TEXT_MAX) {
            more = -1;
            break;
        }
        text[used++] = '\t';
        more = put_text(request->parameters[i], is_utf8, text + used, GAT_TEXT_MAX - (size_t)used);
        used += more;
    }
    if (more < 0 || used > GAT_TEXT_MAX)
        return error_set(error, ERROR_CONFIG,
                         "'%.40s' with its parameters does not fit into the %d bytes of a command, "
                         "or has a character that is not in Latin-1",
                         request->feature, GAT_TEXT_MAX);
    return used;
}

static int start(struct gat_host *host, const struct gat_request *request, struct error *error)
{
    struct gat_frame question = {.command = GAT_IACQ, .data = {host->settings.level}};
    uint8_t text[GAT_TEXT_MAX];
    unsigned head = host->settings.has_zero ? 2 : 1;
    int size = gat_request_text(request, host->settings.is_utf8, text, error), status;

    if (size < 0)
        return size;
    memcpy(question.data + head, text, (size_t)size);
    question.size = (uint8_t)(head + (unsigned)size);
    status = ask(host, &question, 0, GAT_DATA_MAX, error);
    if (!status && host->settings.iacr >= 0 &&
        (!host->reply.size || host->reply.data[0] != host->settings.iacr))
        status =
            error_set(error, ERROR_DEVICE,
                      "%s: '%.60s' is refused: IACR has %s%02x, and iacr=%d was asked for",
                      host->link->address, request->feature, host->reply.size ? "" : "no data, ",
                      host->reply.size ? host->reply.data[0] : 0, host->settings.iacr);
    return status;
}

static void tell(const struct gat_listener *listener, const struct gat_progress *progress)
{
    if (listener && listener->told)
        listener->told(listener->context, progress);
}

static bool is_busy(const struct gat_status *status)
{
    unsigned state = GAT_STATE(status->bits);

    return state != GAT_IN_ERROR &&
           (status->bits & GAT_CALCULATING || state == GAT_REQUESTED || state == GAT_WORKING);
}

static int judge_end(const struct gat_host *host, const struct gat_progress *progress,
                     struct error *error)
{
    const struct gat_status *status = &progress->status;

    if (GAT_STATE(status->bits) == GAT_IN_ERROR)
        return error_set(error, ERROR_DEVICE, "%s: the device reports that '%.60s' has failed",
                         host->link->address, progress->request->feature);
    if (!(status->bits & GAT_HAS_RESULTS))
        return error_set(error, ERROR_DEVICE, "%s: '%.60s' is finished and has no results",
                         host->link->address, progress->request->feature);
    if (host->settings.format == GAT_XML && !(status->formats & GAT_XML))
        return error_set(error, ERROR_DEVICE, "%s: the device has results, but not as XML",
                         host->link->address);
    return 0;
}

static int await_end(struct gat_host *host, struct gat_progress *progress,
                     const struct gat_listener *listener, struct error *error)
{
    for (;;) {
        int status = gat_status(host, &progress->status, error);
        nanos_t next = host->asked_at + host->settings.poll;

        if (status)
            return status;
        tell(listener, progress);
        if (!is_busy(&progress->status))
            return judge_end(host, progress, error);
        if (next - progress->since > host->settings.limit)
            return error_set(error, ERROR_TIMEOUT, "%s: '%.60s' has not ended after %lld s",
                             host->link->address, progress->request->feature,
                             (long long)(host->settings.limit / NANOS_PER_SECOND));
        if (host->not_before < next)
            host->not_before = next;
    }
}

static int add_part(const struct gat_host *host, struct gat_document *document, size_t *room,
                    struct error *error)
{
    const struct gat_frame *part = &host->reply;
    size_t size = (size_t)part->size - GAT_PART_HEAD;

    if (!size)
        return 0;
    if (document->size + size > GAT_DOCUMENT_MAX)
        return error_set(error, ERROR_DEVICE, "%s: the results have more than %zu bytes",
                         host->link->address, GAT_DOCUMENT_MAX);
    if (document->size + size > *room) {
        size_t larger = *room ? 2 * *room : DOCUMENT_FIRST;
        uint8_t *bytes = realloc(document->bytes, larger);

        if (!bytes)
            return error_set(error, ERROR_RIG, "out of memory for the results of a device");
        document->bytes = bytes;
        *room = larger;
    }
    memcpy(document->bytes + document->size, part->data + GAT_PART_HEAD, size);
    document->size += size;
    return 0;
}

static int ask_part(struct gat_host *host, unsigned number, struct error *error)
{
    const struct gat_frame question = {
        .command = GAT_LARQ,
        .size = 3,
        .data = {host->settings.format, (uint8_t)(number >> 8), (uint8_t)number}};
    int status = ask(host, &question, GAT_PART_HEAD, GAT_DATA_MAX, error);
    const uint8_t *data = host->reply.data;
    unsigned echoed = (unsigned)data[1] << 8 | data[2];

    if (status)
        return status;
    if (data[0] & GAT_PART_ERROR)
        return error_set(error, ERROR_DEVICE,
                         "%s: part %u of the results: the device reports an "
                         "error",
                         host->link->address, number);
    if (echoed != number)
        return error_set(error, ERROR_DEVICE, "%s: part %u was asked for, and part %u came",
                         host->link->address, number, echoed);
    return refuse_reserved(host, "LARR", data[0] & ~GAT_PART_BITS & 0xff, error);
}

static int read_parts(struct gat_host *host, struct gat_progress *progress,
                      const struct gat_listener *listener, struct gat_document *document,
                      struct error *error)
{
    size_t room = 0;
    nanos_t until = now_of(host) + host->settings.limit;

    while (document->parts < PARTS_MAX) {
        int status = ask_part(host, ++document->parts, error);

        if (!status)
            status = add_part(host, document, &room, error);
        if (status)
            return status;
        progress->parts = document->parts;
        progress->bytes = document->size;
        tell(listener, progress);
        if (host->reply.data[0] & GAT_PART_LAST)
            return 0;
        if (now_of(host) > until)
            return error_set(error, ERROR_TIMEOUT, "%s: the results do not end within %lld s",
                             host->link->address,
                             (long long)(host->settings.limit / NANOS_PER_SECOND));
    }
    return error_set(error, ERROR_DEVICE, "%s: the results do not end after %u parts",
                     host->link->address, document->parts);
}

int gat_perform(struct gat_host *host, const struct gat_request *request,
                const struct gat_listener *listener, struct gat_document *document,
                struct error *error)
{
    struct gat_progress progress = {.request = request};
    int status = start(host, request, error);

    *document = (struct gat_document){.bytes = NULL};
    progress.since = now_of(host);
    if (!status)
        status = await_end(host, &progress, listener, error);
    document->took = now_of(host) - progress.since;
    if (!status)
        status = read_parts(host, &progress, listener, document, error);
    if (status) {
        free(document->bytes);
        *document = (struct gat_document){.bytes = NULL};
    }
    return status;
}
