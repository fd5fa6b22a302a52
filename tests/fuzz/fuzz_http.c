/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The bench page with a hostile browser. An input is a first line "METHOD PATH", header lines and,
 * after an empty line, a body: what HTTP needs around it is added, and '@' in a header becomes the
 * server's address. An input that begins with '!' is sent as it is. A journal is there to be
 * followed, half of it the input itself. The answer, if any, is one of HTTP, and afterwards the
 * server still answers a good request.
 *
 * Covers: rigs/station/route.c rigs/station/request.c rigs/station/guard.c rigs/station/orders.c
 * Covers: rigs/station/reply.c rigs/station/files.c rigs/station/events.c rigs/station/feed.c
 * Covers: rigs/station/mask.c rigs/station/later.c
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "tests/support/http_client.h"
#include "tests/support/station.h"

/* A client that sends half a request is waited for so long. One that is late on a busy machine is
 * cut as well, and asks again. */
#define PATIENCE_MS 60
#define TRIES       1000

/* One line with its address put in; without what would end it. */
static void put_line(FILE *out, const char *text, size_t length, const char *host)
{
    for (size_t i = 0; i < length; i++)
        if (text[i] == '@')
            fputs(host, out);
        else if (text[i] != '\r')
            fputc(text[i], out);
}

static char *make_request(const char *text, size_t left, const char *host, size_t *size)
{
    char *request = NULL;
    FILE *out = open_memstream(&request, size);
    const char *newline = memchr(text, '\n', left);
    size_t length = newline ? (size_t)(newline - text) : left;

    FUZZ_MUST(out);
    put_line(out, text, length, host);
    fprintf(out, " HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n", host);
    text += length;
    left -= length;
    while (left && (text++, --left) && *text != '\n') {
        newline = memchr(text, '\n', left);
        length = newline ? (size_t)(newline - text) : left;
        put_line(out, text, length, host);
        fputs("\r\n", out);
        text += length;
        left -= length;
    }
    if (left) {
        text++;
        left--;
    }
    if (left)
        fprintf(out, "Content-Length: %zu\r\n", left);
    fputs("\r\n", out);
    fwrite(text, 1, left, out);
    fclose(out);
    return request;
}

static void exchange(struct station *station, const char *request, size_t size)
{
    struct http_client client;

    http_client_open(&client, server_address(station->server));
    http_client_send(&client, request, size);
    while (!(client.text && strstr(client.text, "text/event-stream")) && http_client_read(&client))
        ;
    FUZZ_MUST(!client.length || !strncmp(client.text, "HTTP/1.", 7));
    if (client.text && strstr(client.text, "text/event-stream")) {
        /* Who follows is sent the rest when the server ends. */
        station_stop(station);
        http_client_read_all(&client);
    }
    http_client_close(&client);
}

static bool is_alive(struct station *station)
{
    for (unsigned i = 0; i < TRIES; i++)
        if (station_status_of(station, "/status", "") == 200)
            return true;
    return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input input = {data, size};
    char *text = fuzz_text(&input), *request = text;
    struct station station;

    station_start(&station,
                  &(struct server_options){.listen = "127.0.0.1:0", .patience_ms = PATIENCE_MS});
    station_add_line(&station, "start", "");
    station_write_journal(&station, text, size);
    station_add_line(&station, "event", ",\"device\":\"shuffler\",\"event\":\"packet-present\"");
    if (size && text[0] == '!') {
        exchange(&station, text + 1, size - 1);
    } else {
        request = make_request(text, size, station_host(&station), &size);
        exchange(&station, request, size);
        free(request);
    }
    FUZZ_MUST(!station.server || is_alive(&station));
    station_tear_down(&station);
    free(text);
    return 0;
}

FUZZ_WORDS
