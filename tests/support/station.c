/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/station.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/scratch.h"

#define NO_DIGEST "0000000000000000000000000000000000000000000000000000000000000000"

static void must(bool is_so, const char *what)
{
    if (is_so)
        return;
    fprintf(stderr, "station: %s\n", what);
    exit(EXIT_FAILURE);
}

static void write_status(void *context, struct json_text *out)
{
    struct station *station = context;

    pthread_mutex_lock(&station->lock);
    JSON_TEXT_PUT(out, "\"state\":");
    json_text_string(out, station->state);
    pthread_mutex_unlock(&station->lock);
}

static void take_order(void *context, const char *what, const char *order, size_t length,
                       struct server_reply *reply)
{
    struct station *station = context;

    if (!strcmp(what, "doctor")) {
        if (!reply->is_later) {
            reply->status = SERVER_LATER;
            return;
        }
        pthread_mutex_lock(&station->gate);
        pthread_mutex_unlock(&station->gate);
        JSON_TEXT_PUT(&reply->body, "{\"doctor\":[]}");
        return;
    }
    snprintf(station->order, sizeof station->order, "%.*s", (int)length, order);
    if (strcmp(what, "pause")) {
        reply->status = 409;
        JSON_TEXT_PUT(&reply->body, "{\"why\":\"not while it plays\"}");
    }
}

static bool find_run(void *context, struct server_run *run)
{
    struct station *station = context;

    pthread_mutex_lock(&station->lock);
    if (!run->number)
        run->number = station->runs;
    run->is_over = run->number < station->runs;
    run->next = run->is_over ? run->number + 1 : 0;
    pthread_mutex_unlock(&station->lock);
    return run->number && run->number <= station->runs;
}

static int open_journal(void *context, unsigned run)
{
    struct station *station = context;
    char path[64];

    snprintf(path, sizeof path, "/proc/self/fd/%d", station->journals[run]);
    return open(path, O_RDONLY | O_CLOEXEC);
}

static char *list(void *context, const char *path, size_t *length, const char **type)
{
    struct station *station = context;
    bool is_report = !strcmp(path, "/runs/1/report");
    const char *text = !is_report           ? "[]"
                       : station->report[0] ? station->report
                                            : "<!DOCTYPE html><title>x</title>";

    pthread_mutex_lock(&station->gate);
    pthread_mutex_unlock(&station->gate);
    if (!is_report && strcmp(path, "/recordings") && strcmp(path, "/runs"))
        return NULL;
    if (is_report)
        *type = "text/html";
    *length = strlen(text);
    return strdup(text);
}

void station_begin_run(struct station *station)
{
    char path[SCRATCH_PATH_SIZE];
    int fd;

    scratch_path(path);
    fd = open(path, O_CREAT | O_EXCL | O_RDWR | O_APPEND | O_CLOEXEC, 0600);
    must(fd >= 0, "no journal");
    unlink(path);
    pthread_mutex_lock(&station->lock);
    station->journals[++station->runs] = fd;
    station->lines = 0;
    pthread_mutex_unlock(&station->lock);
}

void station_start(struct station *station, const struct server_options *options)
{
    struct server_bench bench = {.context = station,
                                 .status = write_status,
                                 .control = take_order,
                                 .run = find_run,
                                 .journal = open_journal,
                                 .list = list};
    struct error error = {.text = ""};

    *station = (struct station){.state = "playing"};
    pthread_mutex_init(&station->lock, NULL);
    pthread_mutex_init(&station->gate, NULL);
    clock_virtual(&station->clock, 0);
    must(!hal_open(&station->hal, &station->clock, NULL), "no descriptor");
    station->desk = bench.desk = desk_new(NULL);
    must(station->desk != NULL, "no desk");
    desk_sides(station->desk, DESK_ANYBODY);
    station_begin_run(station);
    must(!server_start(&station->server, options, &bench, &error), error.text);
}

void station_set_up(struct station *station)
{
    station_start(station, &(struct server_options){.listen = "127.0.0.1:0"});
}

void station_stop(struct station *station)
{
    server_stop(station->server);
    station->server = NULL;
}

void station_tear_down(struct station *station)
{
    server_stop(station->server);
    desk_free(station->desk);
    hal_close(&station->hal);
    for (unsigned i = 1; i <= station->runs; i++)
        close(station->journals[i]);
    pthread_mutex_destroy(&station->lock);
    pthread_mutex_destroy(&station->gate);
}

const char *station_host(const struct station *station)
{
    static char text[64];

    snprintf(text, sizeof text, "%s", server_address(station->server) + strlen("http://"));
    text[strcspn(text, "/")] = '\0';
    return text;
}

void station_write_journal(struct station *station, const char *text, size_t length)
{
    must(write(station->journals[station->runs], text, length) == (ssize_t)length,
         "the journal cannot be written");
    server_wake(station->server);
}

void station_add_line(struct station *station, const char *kind, const char *more)
{
    char line[1024];
    int length = snprintf(line, sizeof line,
                          "{\"n\":%u,\"prev\":\"" NO_DIGEST "\",\"t\":0,\"kind\":\"%s\"%s}\n",
                          ++station->lines, kind, more);

    station_write_journal(station, line, (size_t)length);
}

void station_exchange(struct station *station, struct http_client *client, const char *request)
{
    http_client_open(client, server_address(station->server));
    http_client_send(client, request, strlen(request));
    http_client_read_all(client);
}

void station_ask_for(struct station *station, struct http_client *client, const char *path,
                     const char *more)
{
    char request[1024];

    snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n%s\r\n",
             path, station_host(station), more);
    station_exchange(station, client, request);
}

void station_post(struct station *station, struct http_client *client, const char *path,
                  const char *body)
{
    char request[SERVER_BODY_MAX + 512];

    snprintf(request, sizeof request,
             "POST %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n"
             "Content-Type: application/json\r\nContent-Length: %zu\r\n\r\n%s",
             path, station_host(station), strlen(body), body);
    station_exchange(station, client, request);
}

unsigned station_status_of_post(struct station *station, const char *path, const char *body)
{
    struct http_client client;
    unsigned status;

    station_post(station, &client, path, body);
    status = http_client_status(&client);
    http_client_close(&client);
    return status;
}

unsigned station_status_of(struct station *station, const char *path, const char *more)
{
    struct http_client client;
    unsigned status;

    station_ask_for(station, &client, path, more);
    status = http_client_status(&client);
    http_client_close(&client);
    return status;
}

void station_follow(struct station *station, struct http_client *client, const char *path,
                    const char *more)
{
    http_client_open(client, server_address(station->server));
    http_client_say(client, "GET %s HTTP/1.0\r\nHost: %s\r\n%s\r\n", path, station_host(station),
                    more);
}
