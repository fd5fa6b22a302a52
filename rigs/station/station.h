/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the files of the server share, and nobody else. One thread owns all of it but the two flags:
 * it accepts connections, gives those within the limits to libmicrohttpd, and lets that work when
 * something has happened. Nothing here waits for a client, and what takes long is done by a second
 * thread.
 */
#ifndef RIGS_STATION_STATION_H
#define RIGS_STATION_STATION_H

#include <pthread.h>
#include <stdatomic.h>
#include <sys/socket.h>

#include "hal/base/json.h"
#include "hal/clock.h"
#include "rigs/station/feed.h"
#include "rigs/station/library.h"
#include "rigs/station/server.h"

#define HOST_SIZE   64 /* of "[address]:port" with its NUL */
#define TOKEN_SIZE  256
#define STATUS_SIZE 8192
#define REPLY_SIZE  65536 /* of what an order is answered */

/* What a browser may do with an answer. */
#define POLICY_NOTHING "default-src 'none'; frame-ancestors 'none'"

struct request;

/* Where the server listens. */
struct listener {
    int fd;
    bool is_loopback;
    char host[HOST_SIZE]; /* "127.0.0.1:8642" */
    unsigned port;
};

/* How far a client has been sent the journal of a run. */
struct stream {
    struct feed *feed; /* NULL: this connection follows nothing */
    struct MHD_Connection *http;
    uint64_t after;    /* Last-Event-ID: where to begin, until it `is_placed` */
    bool is_placed;    /* the place is found */
    uint64_t line;     /* the last one that was sent as a whole */
    uint64_t offset;   /* in the journal, behind that line */
    size_t sent;       /* bytes of the event of the next line that were sent already */
    unsigned mask;     /* what it is sent without: a set of enum mask */
    uint64_t status;   /* the last status that was sent, by its number */
    bool is_suspended; /* there is nothing to send */
    bool is_gone;      /* the client has hung up, or was too slow */
    bool is_next_sent; /* the run is over and another was announced */
    nanos_t spoke;     /* when something was sent last; 0: nothing was */
};

struct connection {
    int fd; /* -1: free */
    struct sockaddr_storage peer;
    char local[HOST_SIZE]; /* the address that the client has reached */
    nanos_t deadline;      /* it is cut then; NEVER while it waits for the bench */
    struct stream stream;
};

/* What is done later, each by a thread of its own: who answers a question is not to wait for a
   report. */
enum later_what { LATER_LONG, LATER_ANSWERS, LATER_COUNT };

/* Requests that are answered later (later.c). */
struct later {
    struct server *server;
    bool is_started;
    pthread_t thread;
    pthread_mutex_t lock; /* of what follows */
    pthread_cond_t changed;
    struct request *waiting, *done; /* lists by `next` */
    bool is_ending;
};

struct server {
    struct server_bench bench;
    struct listener listener;
    char token[TOKEN_SIZE]; /* "": none is needed */
    char address[HOST_SIZE + 16];
    nanos_t patience, drain;
    struct MHD_Daemon *daemon;
    pthread_t thread;
    int wake_fd;             /* an eventfd */
    int watch_fd;            /* an inotify: a journal that is followed has grown */
    atomic_bool is_woken;    /* and not looked at yet */
    atomic_bool is_stopping; /* server_stop() waits for the thread */
    bool is_draining;        /* streams end where the journal ends now */
    nanos_t looked;          /* when the journals were last looked at */
    nanos_t rest_until;      /* no connections are taken: descriptors are short */
    struct connection connections[SERVER_CONNECTIONS];
    struct feed *feeds;
    struct json_reader *reader;
    struct json_text status; /* the last one, for who follows */
    uint64_t status_number;  /* counts when it changes */
    char status_text[2][STATUS_SIZE];
    char block[FEED_BLOCK];     /* of a journal */
    char event[2 * FEED_BLOCK]; /* one line as an event */
    struct later later[LATER_COUNT];
};

enum route_flag {
    ROUTE_PUBLIC = 1 << 0, /* the page itself: a browser cannot send the token with it */
    ROUTE_QUERY = 1 << 1,  /* it may have a query */
    ROUTE_FOLDER = 1 << 2, /* all paths that begin so */
};

/* A path, how it is asked for, and what answers. */
struct route {
    const char *path, *method;
    enum MHD_Result (*answer)(struct request *request);
    unsigned flags;
};

/* What became of an answer. */
struct outcome {
    enum desk_result result;
    struct answer first; /* where somebody else was */
    struct error error;
};

/* A request while it comes in; libmicrohttpd keeps it until the request is done. */
struct request {
    struct server *server;
    struct connection *connection;
    struct MHD_Connection *http;
    const struct route *route;
    const char *path;
    size_t length;
    char body[SERVER_BODY_MAX + 1];
    /* Of one that is answered later: */
    struct request *next;
    void (*work)(struct request *request); /* NULL: it was not begun yet */
    bool is_suspended, is_given_up;
    struct server_reply reply; /* what came of it */
    struct outcome outcome;    /* the same of an answer to a question */
    char *text;                /* to be freed: of the reply, or of a list */
    size_t text_length;
    const char *text_type;
};

/* loop.c: the server's thread, until `is_stopping`. `context` is the server. */
void *loop_run(void *context);

/* listen.c. ERROR_CONFIG when the text is no address or the port is taken. */
int listener_open(struct listener *listener, const char *text, struct error *error);
/* Takes the connections that wait, within the limits; the others are told 429. */
void connections_accept(struct server *server, nanos_t now);

/* guard.c. ERROR_CONFIG when the file is missing, readable by others, or too short. */
int token_load(char token[TOKEN_SIZE], const char *path, struct error *error);
/* 0, or the status that this request is refused with; `why` is a sentence then. */
unsigned guard_refuses(const struct request *request, const char **why);
bool guard_has_token(const struct request *request);

/* route.c: libmicrohttpd's callbacks. */
enum MHD_Result route_request(void *context, struct MHD_Connection *http, const char *path,
                              const char *method, const char *version, const char *upload,
                              size_t *upload_size, void **kept);
void route_done(void *context, struct MHD_Connection *http, void **kept,
                enum MHD_RequestTerminationCode code);

/* reply.c: each answers a request, and returns what libmicrohttpd is told. */
enum MHD_Result reply_text(const struct request *request, unsigned status, const char *type,
                           const char *policy, const char *text, size_t length,
                           enum MHD_ResponseMemoryMode mode);
enum MHD_Result reply_json(const struct request *request, unsigned status,
                           const struct json_text *text);
enum MHD_Result reply_why(const struct request *request, unsigned status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Adds the headers of every answer and queues it; the response is given away. */
enum MHD_Result reply_with(const struct request *request, unsigned status, const char *type,
                           const char *policy, struct MHD_Response *response);

/* orders.c */
void status_write(struct server *server, struct json_text *out);
enum MHD_Result order_status(struct request *request);
enum MHD_Result order_answer(struct request *request);
enum MHD_Result order_control(struct request *request);
enum MHD_Result order_list(struct request *request);

/* files.c: the page itself, in the files that it is made of. */
enum MHD_Result order_page(struct request *request);

/* events.c */
enum MHD_Result events_begin(struct request *request);
/* Looks what has been added to the journals; false: there is more than could be read at once. */
bool events_look(struct server *server);
/* Lets go on whoever has something to be sent, or has hung up. */
void events_resume(struct server *server, nanos_t now);
void events_end(struct stream *stream);

/*
 * later.c. later_do() has another thread do it, and lets the request be answered again when it is
 * done: `work` is set then. later_resume() lets those go on that are done; later_stop() all of
 * them, after what is being done, and others are given up.
 */
int later_start(struct server *server);
enum MHD_Result later_do(struct request *request, enum later_what what,
                         void (*work)(struct request *request));
void later_resume(struct server *server, nanos_t now);
void later_stop(struct server *server, nanos_t now);

/* request.c: what a request says. The value of a header or query field that is there once; NULL: it
   is not there. `*count` says how often, and may be NULL. */
const char *request_value(const struct request *request, enum MHD_ValueKind kind, const char *name,
                          unsigned *count);
/* A number of up to 15 digits and nothing else; false: it is none. */
bool request_number(const char *text, uint64_t *number);

#endif
