/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A client of the bench page on a bare socket, which sends what it is told and keeps what it is
 * sent. A read that takes a minute is its end; nothing else here looks at a clock. A program whose
 * client cannot connect ends at once.
 */
#ifndef TESTS_SUPPORT_HTTP_CLIENT_H
#define TESTS_SUPPORT_HTTP_CLIENT_H

#include <stdbool.h>
#include <stddef.h>

struct http_client {
    int fd;
    char *text; /* all that was read, with a NUL after it */
    size_t length, room;
    bool is_ended; /* the server has closed, or reset the connection */
};

/* To a server's address, "http://127.0.0.1:8642/". */
void http_client_open(struct http_client *client, const char *address);
void http_client_close(struct http_client *client);

/* Sends a text; false when the server has closed before all of it was sent. */
bool http_client_send(struct http_client *client, const char *text, size_t length);
bool http_client_say(struct http_client *client, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Reads what there is; false at the end. */
bool http_client_read(struct http_client *client);
/* Reads until a text has come; where it begins, or NULL when the server has closed before. */
const char *http_client_await(struct http_client *client, const char *text);
void http_client_read_all(struct http_client *client);

/* The status that the text begins with; 0: none. */
unsigned http_client_status(const struct http_client *client);
/* The body of an answer that was read as a whole. */
const char *http_client_body(const struct http_client *client);

#endif
