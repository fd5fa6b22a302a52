/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/page.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "hal/base/json_fields.h"
#include "hal/base/temporary.h"
#include "rigs/station/server.h"
#include "tools/ask.h"
#include "tools/options.h"
#include "tools/pages.h"

#define NAME     "journal"
#define DRAIN_MS 300000 /* that clients have in all to take the rest, after the run */
#define NOTED    64     /* orders of one round that the journal is still to be told of */

/* What somebody has ordered. */
struct noted {
    char what[16], by[DESK_NAME_SIZE];
};

struct page {
    struct page_options options;
    struct server *server;          /* NULL: orders alone */
    struct desk *desk;              /* NULL: likewise */
    char folder[PATH_MAX];          /* of the journal that is removed; "": it stays */
    char journal[PATH_MAX];         /* its path */
    pthread_t reader;               /* of orders */
    int orders, done;               /* descriptors; -1: none */
    char line[SERVER_BODY_MAX + 1]; /* of an order that has not come whole */
    size_t length;
    struct feed *feed; /* of the journal, for the server's thread once it is there */
    char block[FEED_BLOCK];
    pthread_mutex_t lock; /* of all below */
    pthread_cond_t changed;
    bool has_journal, is_paused, is_stopping, is_over;
    bool is_named; /* the operator is another since the journal was told */
    unsigned wanted_stop;
    void (*stop)(void *context, unsigned times);
    void *context;
    struct pages_watch watch;
    struct noted noted[NOTED];
    unsigned noted_count;
    char operator_name[DESK_NAME_SIZE];
};

static bool is_played(const struct page *page)
{
    return page->has_journal && !page->is_over && !page->is_paused;
}

static const char *state_of(const struct page *page)
{
    return page->is_over       ? "ended"
           : page->is_stopping ? "stopping"
           : page->is_paused   ? "paused"
           : page->has_journal ? "playing"
                               : "idle";
}

/* Whether the journal is there; from then on its feed is the server's thread's. */
static bool is_there(struct page *page)
{
    bool is_it;

    pthread_mutex_lock(&page->lock);
    is_it = page->has_journal;
    pthread_mutex_unlock(&page->lock);
    return is_it;
}

static void write_status(void *context, struct json_text *out)
{
    struct page *page = context;
    nanos_t ran;
    bool played;

    JSON_TEXT_PUT(out, "\"version\":\"" DEALPROOF_VERSION "\",\"rig\":");
    json_text_string(out, page->options.rig->name);
    JSON_TEXT_PUT(out, ",\"clock\":");
    json_text_string(out, page->options.rig->clock == RIG_CLOCK_REAL ? "real" : "virtual");
    JSON_TEXT_PUT(out, ",\"command\":");
    json_text_string(out, page->options.command);
    pthread_mutex_lock(&page->lock);
    JSON_TEXT_PUT(out, ",\"state\":");
    json_text_string(out, state_of(page));
    if (*page->operator_name) {
        JSON_TEXT_PUT(out, ",\"operator\":");
        json_text_string(out, page->operator_name);
    }
    played = is_played(page);
    ran = played && !page->is_stopping ? pages_watch_read(&page->watch) : 0;
    pthread_mutex_unlock(&page->lock);
    if (is_there(page)) {
        pages_follow(page->feed, page->block);
        JSON_TEXT_PUT(out, ",\"run\":1,\"line\":");
        json_text_unsigned(out, page->feed->lines);
        progress_write(&page->feed->progress, played, ran, out);
    }
}

static bool find_run(void *context, struct server_run *run)
{
    struct page *page = context;

    if (!run->number)
        run->number = 1;
    pthread_mutex_lock(&page->lock);
    run->is_over = page->is_over;
    pthread_mutex_unlock(&page->lock);
    return run->number == 1;
}

/* By the descriptor that is open, since the file may have no name any more. */
static int open_journal(void *context, unsigned run)
{
    struct page *page = context;
    char path[64];

    (void)run;
    if (!is_there(page))
        return -1;
    snprintf(path, sizeof path, "/proc/self/fd/%d", page->feed->fd);
    return open(path, O_RDONLY | O_CLOEXEC);
}

/* By the server's second thread. */
static char *list(void *context, const char *path, size_t *length, const char **type)
{
    static const char folder[] = "/runs/1/";
    struct page *page = context;
    int fd = strncmp(path, folder, sizeof folder - 1) ? -1 : open_journal(page, 1);

    if (fd < 0)
        return NULL;
    *type = "text/html; charset=utf-8";
    return pages_report(fd, path + sizeof folder - 1, *page->folder ? "not kept" : page->journal,
                        length);
}

static void wake(struct page *page)
{
    if (page->server)
        server_wake(page->server);
}

/* With the lock held. */
static void stop_run(struct page *page, unsigned times)
{
    void (*stop)(void *context, unsigned times) = page->stop;

    page->is_paused = false;
    page->is_stopping = true;
    pages_watch_set(&page->watch, is_played(page));
    if (times > page->wanted_stop)
        page->wanted_stop = times;
    pthread_cond_broadcast(&page->changed);
    if (stop)
        stop(page->context, times);
}

/* With the lock held: for the journal, if somebody gave a name. The same said twice at once is one
   order. */
static void note_order(struct page *page, const char *what, const char *by)
{
    struct noted noted, *last = page->noted_count ? &page->noted[page->noted_count - 1] : NULL;

    snprintf(noted.what, sizeof noted.what, "%s", what);
    snprintf(noted.by, sizeof noted.by, "%s", by ? by : "");
    if (!*noted.by || (last && !strcmp(last->what, noted.what) && !strcmp(last->by, noted.by)))
        return;
    /* The last place is for who has ended it. */
    page->noted[page->noted_count] = noted;
    page->noted_count += page->noted_count < NOTED - 1;
}

/* The HTTP status of an order, with the lock held; `why` is a sentence where that is not 200. */
static unsigned obey(struct page *page, const char *what, const char *by, const char **why)
{
    bool is_pause = !strcmp(what, "pause"), is_stop = !strcmp(what, "stop");

    *why = "the run has ended";
    if (!strcmp(what, "operator")) {
        if (!by || !*by || desk_check_name(by, NULL)) {
            *why = "an operator has a name in \"by\", one line of up to 63 bytes";
            return 422;
        }
        snprintf(page->operator_name, sizeof page->operator_name, "%s", by);
        page->is_named = true;
        pthread_cond_broadcast(&page->changed);
        return 200;
    }
    *why = "who orders has a name in \"by\", one line of up to 63 bytes";
    if (by && desk_check_name(by, NULL))
        return 422;
    if (!is_pause && !is_stop && strcmp(what, "continue") && strcmp(what, "stop-now")) {
        *why = "there is no such order; it must be pause, continue, stop, stop-now or operator";
        return 422;
    }
    *why = "the run has ended";
    if (page->is_over)
        return 409;
    if (is_stop || !strcmp(what, "stop-now")) {
        note_order(page, what, by);
        stop_run(page, is_stop ? 1 : 2);
        return 200;
    }
    *why = "the run is being stopped";
    if (page->is_stopping)
        return 409;
    *why = "there were more orders in this round than a journal is told of; wait for its end";
    if (page->noted_count == NOTED - 1)
        return 409;
    note_order(page, what, by);
    page->is_paused = is_pause;
    pages_watch_set(&page->watch, is_played(page));
    pthread_cond_broadcast(&page->changed);
    return 200;
}

/* The same of an order as it comes. */
static unsigned take(struct page *page, const char *order, size_t length, struct error *error)
{
    static const char *const known[] = {"do", "by", NULL};
    struct json_reader *reader = json_reader_new(SERVER_BODY_MAX);
    const struct json_value *body = reader ? fields_parse(reader, order, length, error) : NULL;
    const struct json_value *by = json_member(body, "by");
    const char *what, *name = NULL, *why;
    unsigned status = 400;

    if (!reader)
        error_set(error, ERROR_RIG, "no memory for the order");
    if (body && !fields_known(body, "an order", known, error) &&
        !field_text(json_member(body, "do"), "do", &what, error) &&
        (!by || !field_text(by, "by", &name, error))) {
        pthread_mutex_lock(&page->lock);
        status = obey(page, what, name, &why);
        pthread_mutex_unlock(&page->lock);
        if (status != 200)
            error_set(error, ERROR_CONFIG, "%s", why);
        wake(page);
    }
    json_reader_free(reader);
    return status;
}

static void take_order(void *context, const char *what, const char *order, size_t length,
                       struct server_reply *reply)
{
    struct error error;

    (void)what;
    reply->status = take(context, order, length, &error);
    if (reply->status == 200)
        return;
    JSON_TEXT_PUT(&reply->body, "{\"why\":");
    json_text_string(&reply->body, error.text);
    JSON_TEXT_PUT(&reply->body, "}");
}

/* Who has started this, said by the program that did. */
static bool is_start(const struct json_value *order)
{
    const char *what = json_chars(json_member(order, "do"));

    return what && !strcmp(what, "start");
}

static void note_start(struct page *page, const char *by)
{
    if (!by || desk_check_name(by, NULL))
        return;
    pthread_mutex_lock(&page->lock);
    note_order(page, "start", by);
    pthread_mutex_unlock(&page->lock);
}

/*
 * A line from the program that has started this one: an order, or an answer that it passes on from
 * a page. Nobody else can say that.
 */
static void take_line(struct page *page, const char *line, size_t length)
{
    struct json_reader *reader = json_reader_new(SERVER_BODY_MAX);
    const struct json_value *body = reader ? json_read(reader, line, length, NULL) : NULL;
    const struct json_value *answer = json_count(body) == 1 ? json_member(body, "answer") : NULL;
    struct error error;
    int64_t id;
    unsigned status = 200;

    if (is_start(body))
        note_start(page, json_chars(json_member(body, "by")));
    else if (!answer)
        status = take(page, line, length, &error);
    else if (page->options.desk)
        ask_take(page->options.desk, answer, DESK_PAGE, &id);
    json_reader_free(reader);
    if (status != 200)
        fprintf(stderr, "dealproof %s: an order by --orders is refused: %s\n",
                page->options.command, error.text);
}

/* Takes the orders that have come, a line each; false when there will be no more. */
static bool read_some(struct page *page)
{
    char *text = page->line, *newline;
    ssize_t got = read(page->orders, text + page->length, sizeof page->line - page->length);

    if (got <= 0)
        return false;
    page->length += (size_t)got;
    while ((newline = memchr(text, '\n', page->length))) {
        size_t line = (size_t)(newline + 1 - text);

        take_line(page, text, line - 1);
        page->length -= line;
        memmove(text, newline + 1, page->length);
    }
    if (page->length < sizeof page->line)
        return true;
    fprintf(stderr,
            "dealproof %s: an order by --orders is longer than %d bytes; no more are taken, and "
            "the run stops after its round\n",
            page->options.command, SERVER_BODY_MAX);
    return false;
}

/* Until page_stop(). When who gives orders is gone, the run is stopped, and nobody answers. */
static void *read_orders(void *context)
{
    struct page *page = context;
    struct pollfd polled[] = {{.fd = page->orders, .events = POLLIN},
                              {.fd = page->done, .events = POLLIN}};

    while (poll(polled, 2, -1) > 0 || errno == EINTR) {
        if (polled[1].revents)
            return NULL;
        if (polled[0].revents && !read_some(page))
            break;
    }
    pthread_mutex_lock(&page->lock);
    if (!page->is_over)
        stop_run(page, 1);
    pthread_mutex_unlock(&page->lock);
    wake(page);
    if (page->options.desk && !page->server)
        desk_leave(page->options.desk, DESK_PAGE);
    return NULL;
}

/* What has been ordered already is obeyed at once. Signals are for the threads of the bench. */
static int start_reader(struct page *page, struct error *error)
{
    struct pollfd polled = {.events = POLLIN};
    sigset_t all, before;
    uint64_t number;
    int failed, status = options_number("orders", page->options.orders, 0, INT_MAX, &number, error);

    if (status)
        return status;
    if (fcntl((int)number, F_SETFD, FD_CLOEXEC))
        return error_set(error, ERROR_CONFIG,
                         "--orders is '%s'; it must be a descriptor that is open",
                         page->options.orders);
    page->orders = polled.fd = (int)number;
    while (poll(&polled, 1, 0) > 0 && polled.revents == POLLIN && read_some(page))
        continue;
    page->done = eventfd(0, EFD_CLOEXEC);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    failed = page->done < 0 || pthread_create(&page->reader, NULL, read_orders, page);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!failed)
        return 0;
    page->orders = -1;
    return error_set(error, ERROR_RIG, "no thread or descriptor for the orders");
}

static void tell_server(void *context, const struct desk_open *question,
                        const struct answer *answer)
{
    (void)question, (void)answer;
    wake(context);
}

static int start_server(struct page *page, struct error *error)
{
    const struct server_options options = {.listen = page->options.listen,
                                           .token_file = page->options.token_file};
    struct server_bench bench = {page,     NULL,         write_status, take_order,
                                 find_run, open_journal, list};
    int status;

    page->desk = bench.desk = page->options.desk ? page->options.desk : desk_new(error);
    if (!page->desk)
        return error->code;
    status = desk_listen(page->desk, &(struct desk_reader){tell_server, page}, error);
    if (!status)
        status = server_start(&page->server, &options, &bench, error);
    if (status)
        return status;
    server_drain(page->server, DRAIN_MS);
    if (!page->options.desk)
        desk_sides(page->desk, DESK_PAGE);
    fprintf(stderr, "dealproof %s: the page is at %s\n", page->options.command,
            server_address(page->server));
    return 0;
}

/* A folder of its own, so that the name of the journal in it is free. */
static int name_journal(struct page *page, struct error *error)
{
    if (page->options.journal) {
        snprintf(page->journal, sizeof page->journal, "%s", page->options.journal);
        return 0;
    }
    if (snprintf(page->folder, sizeof page->folder - sizeof NAME, "%s/dealproof-XXXXXX",
                 temporary_folder()) >= (int)(sizeof page->folder - sizeof NAME) ||
        !mkdtemp(page->folder)) {
        error_set(error, ERROR_RIG, "no folder for the journal of the page in %s: %s",
                  temporary_folder(), strerror(errno));
        page->folder[0] = '\0';
        return error->code;
    }
    snprintf(page->journal, sizeof page->journal, "%.*s/" NAME, (int)(PATH_MAX - sizeof NAME - 1),
             page->folder);
    return 0;
}

static void remove_journal(const struct page *page)
{
    if (!*page->folder)
        return;
    unlink(page->journal);
    rmdir(page->folder);
}

int page_start(struct page **started, const struct page_options *options, struct error *error)
{
    struct page *page;
    int status;

    *started = NULL;
    if (!options->listen && options->token_file)
        return error_set(error, ERROR_CONFIG, "--token-file is of a page; say --page PORT too");
    if (!options->listen && !options->orders)
        return 0;
    page = calloc(1, sizeof *page);
    if (!page)
        return error_set(error, ERROR_RIG, "no memory for the page");
    page->options = *options;
    page->orders = page->done = -1;
    snprintf(page->operator_name, sizeof page->operator_name, "%s", options->by ? options->by : "");
    pthread_mutex_init(&page->lock, NULL);
    pthread_cond_init(&page->changed, NULL);
    status = name_journal(page, error);
    if (!status && options->listen)
        status = start_server(page, error);
    if (!status && options->orders)
        status = start_reader(page, error);
    if (status)
        page_stop(page);
    else
        *started = page;
    return status;
}

void page_stop(struct page *page)
{
    if (!page)
        return;
    if (page->orders >= 0) {
        eventfd_write(page->done, 1);
        pthread_join(page->reader, NULL);
    }
    if (page->done >= 0)
        close(page->done);
    server_stop(page->server);
    if (page->desk && !page->options.desk)
        desk_free(page->desk);
    if (page->feed)
        feed_free(page->feed);
    remove_journal(page);
    pthread_cond_destroy(&page->changed);
    pthread_mutex_destroy(&page->lock);
    free(page);
}

const char *page_journal(const struct page *page)
{
    return page ? page->journal : NULL;
}

struct desk *page_desk(const struct page *page)
{
    return page ? page->desk : NULL;
}

int page_began(struct page *page, void (*stop)(void *context, unsigned times), void *context,
               struct error *error)
{
    int fd;

    if (!page)
        return 0;
    fd = open(page->journal, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    page->feed = fd >= 0 ? feed_new(fd, &(struct server_run){.number = 1}) : NULL;
    if (!page->feed)
        return error_set(error, ERROR_RIG, "%s: cannot be read: %s", page->journal,
                         strerror(errno));
    remove_journal(page);
    pthread_mutex_lock(&page->lock);
    page->has_journal = true;
    pages_watch_set(&page->watch, is_played(page));
    page->stop = stop;
    page->context = context;
    if (page->wanted_stop)
        stop_run(page, page->wanted_stop);
    pthread_mutex_unlock(&page->lock);
    wake(page);
    return 0;
}

void page_stopping(struct page *page)
{
    if (!page)
        return;
    pthread_mutex_lock(&page->lock);
    page->is_paused = false;
    page->is_stopping = true;
    pages_watch_set(&page->watch, is_played(page));
    pthread_cond_broadcast(&page->changed);
    pthread_mutex_unlock(&page->lock);
    wake(page);
}

/* With the lock held. What cannot be written is tried again after the next round. */
static void write_people(struct page *page, struct journal *journal)
{
    struct error error;
    unsigned written = 0;

    if (page->is_named)
        page->is_named = journal_operator(journal, page->operator_name, "page", &error) != 0;
    while (written < page->noted_count &&
           !journal_order(journal, page->noted[written].what, page->noted[written].by, &error))
        written++;
    page->noted_count -= written;
    memmove(page->noted, page->noted + written, page->noted_count * sizeof page->noted[0]);
}

void page_between(struct page *page, struct journal *journal)
{
    if (!page)
        return;
    pthread_mutex_lock(&page->lock);
    for (;;) {
        write_people(page, journal);
        if (!page->is_paused)
            break;
        pthread_cond_wait(&page->changed, &page->lock);
    }
    pthread_mutex_unlock(&page->lock);
}

void page_ending(struct page *page, struct journal *journal)
{
    if (!page)
        return;
    pthread_mutex_lock(&page->lock);
    write_people(page, journal);
    pthread_mutex_unlock(&page->lock);
}

const char *page_operator(const struct page *page)
{
    return page && *page->operator_name ? page->operator_name : NULL;
}

void page_ended(struct page *page)
{
    if (!page)
        return;
    pthread_mutex_lock(&page->lock);
    page->is_over = true;
    page->stop = NULL;
    pthread_mutex_unlock(&page->lock);
    wake(page);
}
