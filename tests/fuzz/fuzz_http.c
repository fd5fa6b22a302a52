/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The bench page with a hostile browser. An input is a first line "METHOD PATH", header lines and,
 * after an empty line, a body: what HTTP needs around it is added, and '@' in a header becomes the
 * server's address. An input that begins with '!' is sent as it is. A first line that begins with
 * '~' is the token file. Sections come after a line of one character: '&' is another request, '*'
 * one whose client does not stay, '%' goes into the journal as it is, '^' begins another run, '$'
 * is the report of one. A question is open. The answer, if any, is one of HTTP, and afterwards the
 * server still answers a good request; the question is over with an answer that it allows, or with
 * nobody left.
 *
 * Covers: rigs/station/route.c rigs/station/request.c rigs/station/guard.c rigs/station/orders.c
 * Covers: rigs/station/reply.c rigs/station/files.c rigs/station/events.c rigs/station/feed.c
 * Covers: rigs/station/mask.c rigs/station/later.c
 */
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "hal/desk/desk.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/http_client.h"
#include "tests/support/station.h"

/* A client that sends half a request is waited for so long. One that is late on a busy machine is
 * cut as well, and asks again. */
#define PATIENCE_MS  60
#define TRIES        1000
#define SECTIONS_MAX 8

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

/* Who hangs up does so as soon as events come; else the server ends then. */
static void exchange(struct station *station, const char *request, size_t size, bool hangs_up)
{
    struct http_client client;

    http_client_open(&client, server_address(station->server));
    http_client_send(&client, request, size);
    while (!(client.text && strstr(client.text, "text/event-stream")) && http_client_read(&client))
        ;
    FUZZ_MUST(!client.length || !strncmp(client.text, "HTTP/1.", 7));
    if (client.text && strstr(client.text, "text/event-stream") && !hangs_up) {
        /* Who follows is sent the rest when the server ends. */
        station_stop(station);
        http_client_read_all(&client);
    }
    http_client_close(&client);
}

static bool is_alive(struct station *station, unsigned status)
{
    for (unsigned i = 0; i < TRIES; i++)
        if (station_status_of(station, "/status", "") == status)
            return true;
    return false;
}

/* Who plays, and asks for a decision meanwhile. */
static void *play(void *context)
{
    struct station *station = context;
    struct question question = {
        .kind = QUESTION_DECISION, .text = "bet or fold?", .seat = 3, .choices = {"bet", "fold"}};
    struct answer answer;
    struct error error = {.text = ""};
    int status = desk_ask(station->desk, &station->hal, &question, &answer, &error);

    FUZZ_MUST(status == ERROR_ABORTED || !status);
    FUZZ_MUST(status ? error.text[0] : !strcmp(answer.text, "bet") || !strcmp(answer.text, "fold"));
    /* What comes after it is not asked of a page. */
    question.sides = DESK_TERMINAL;
    FUZZ_MUST(desk_ask(station->desk, &station->hal, &question, &answer, &error));
    return NULL;
}

/* The question has been asked when this returns. */
static pthread_t start_playing(struct station *station)
{
    struct desk_open open = {.id = 0};
    pthread_t player;

    desk_sides(station->desk, DESK_PAGE | DESK_TERMINAL);
    FUZZ_MUST(!pthread_create(&player, NULL, play, station));
    while (!open.id) {
        desk_look(station->desk, &open);
        sched_yield();
    }
    return player;
}

/* A first line "~TOKEN", as a file that its owner alone can read; NULL: there is none. */
static const char *take_token(struct fuzz_input *input, struct fuzz_file *file)
{
    const uint8_t *newline = memchr(input->at, '\n', input->left);
    size_t length = newline ? (size_t)(newline + 1 - input->at) : input->left;

    if (!input->left || *input->at != '~')
        return NULL;
    *file = fuzz_file(input->at + 1, length - 1);
    FUZZ_MUST(!fchmod(file->fd, 0600));
    input->at += length;
    input->left -= length;
    return file->path;
}

static bool is_token(const struct server_options *options)
{
    struct server *server = NULL;
    struct error error = {.text = ""};
    int status = server_start(&server, options, &(struct server_bench){.run = NULL}, &error);

    FUZZ_MUST(!status == (server != NULL));
    FUZZ_MUST(!status || (status == ERROR_CONFIG && error.text[0]));
    server_stop(server);
    return !status;
}

static void request(struct station *station, const char *text, size_t size, bool hangs_up)
{
    char *made;

    if (size && text[0] == '!') {
        exchange(station, text + 1, size - 1, hangs_up);
        return;
    }
    made = make_request(text, size, station_host(station), &size);
    exchange(station, made, size, hangs_up);
    free(made);
}

/* One section of the input, by the mark before it. */
static void use_section(struct station *station, char mark, const char *text, size_t size)
{
    if (mark == '%')
        station_write_journal(station, text, size);
    else if (mark == '^' && station->runs < STATION_RUNS)
        station_begin_run(station);
    else if (mark == '$')
        snprintf(station->report, sizeof station->report, "%.*s", (int)size, text);
    else
        request(station, text, size, mark == '*');
}

/* "\n&\n": where the next section begins; the end of the text where there is none. */
static const char *next_mark(const char *text)
{
    while ((text = strchr(text, '\n')) && !(text[1] && strchr("%&^$*", text[1]) && text[2] == '\n'))
        text++;
    return text;
}

static void use(const struct server_options *options, const struct fuzz_input *input)
{
    char *text = fuzz_text(input), mark = '&';
    const char *at = text, *next;
    struct station station;
    pthread_t player;

    station_start(&station, options);
    /* With a token it is a station that has played run 1. */
    if (options->token_file)
        desk_count_from(station.desk, 2, 5);
    player = start_playing(&station);
    station_add_line(&station, "start", "");
    for (unsigned i = 0; at && i < SECTIONS_MAX && station.server; i++) {
        next = next_mark(at);
        use_section(&station, mark, at, next ? (size_t)(next - at) : strlen(at));
        mark = next ? next[1] : '\0';
        at = next ? next + 3 : NULL;
    }
    FUZZ_MUST(!station.server || is_alive(&station, options->token_file ? 401 : 200));
    desk_leave(station.desk, DESK_PAGE);
    desk_leave(station.desk, DESK_TERMINAL);
    pthread_join(player, NULL);
    station_tear_down(&station);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input input = {data, size};
    struct fuzz_file token = {.fd = -1};
    struct server_options options = {.listen = "127.0.0.1:0", .patience_ms = PATIENCE_MS};

    options.token_file = take_token(&input, &token);
    if (!options.token_file || is_token(&options))
        use(&options, &input);
    if (options.token_file)
        fuzz_file_close(&token);
    return 0;
}

FUZZ_WORDS
