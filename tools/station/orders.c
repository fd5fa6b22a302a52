/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the page of a station orders. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#include "hal/base/json_fields.h"
#include "tools/station/lists.h"
#include "tools/station/start.h"
#include "tools/station/station.h"

#define DOCTOR_MS 30000 /* that a doctor may take */
#define OUTPUT_ROOM                                                                                \
    16384 /* bytes on the disk for why a run ends, also when that is full by then                  \
           */

static int refuse(struct error *error, unsigned *status, unsigned with, const char *why)
{
    *status = with;
    return error_set(error, ERROR_CONFIG, "%s", why);
}

/* What an earlier station has started takes no orders of this one. */
static int refuse_left(const struct station *station, unsigned *status, struct error *error)
{
    pid_t pid = 0;

    station_hold_is_used(&station->hold, &pid);
    *status = 409;
    return error_set(error, ERROR_CONFIG,
                     "what an earlier station has started still uses the bench, as process %d; it "
                     "ends by itself after its round",
                     (int)pid);
}

/* 0 when nothing is being done, with the lock held. */
static int check_free(const struct station *station, unsigned *status, struct error *error)
{
    if (station->is_ending)
        return refuse(error, status, 503, "the station is ending");
    if (station->is_examined)
        return refuse(error, status, 409, "the bench is being examined");
    if (station->is_left)
        return refuse_left(station, status, error);
    if (!station->child.pid)
        return 0;
    return refuse(error, status, 409,
                  station->is_reset ? "the bench is being reset"
                                    : "something is being played; stop it first");
}

static int open_output(const struct station *station, unsigned number, struct error *error)
{
    char path[PATH_MAX];
    int fd;

    station_runs_path(&station->runs, number, STATION_OUTPUT, path);
    fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
    if (fd >= 0 && fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, OUTPUT_ROOM) &&
        (errno == ENOSPC || errno == EDQUOT)) {
        close(fd);
        fd = -1;
        errno = ENOSPC;
    }
    return fd >= 0 ? fd
                   : error_set(error, ERROR_RIG, "%s: nothing can be written there: %s", path,
                               strerror(errno));
}

/* What only this station knows, and last what is played. */
static int complete(const struct station *station, unsigned number, struct station_start *start,
                    struct error *error)
{
    char folder[PATH_MAX], recording[PATH_MAX];
    const char *const more[] = {"--rig",  station->rig_path, "--orders", STATION_ORDERS,
                                "--json", "--reports",       folder};

    station_runs_path(&station->runs, number, NULL, folder);
    station_runs_path(&station->runs, number, STATION_RECORDED, recording);
    for (size_t i = 0; i < sizeof more / sizeof more[0]; i++)
        station_start_add(start, more[i]);
    if (station->is_realtime)
        station_start_add(start, "--realtime");
    if (start->records)
        station_start_add_two(start, "-o", recording);
    if (station->history_pages)
        station_start_add_two(start, "--history-pages", station->history_pages);
    return station_start_finish(start, error);
}

/* With the lock held. */
static int begin(struct station *station, struct station_start *start, unsigned *number,
                 struct error *error)
{
    struct station_run *run = station_runs_add(&station->runs, error);
    int status;

    if (!run)
        return error->code;
    *number = run->number;
    station->output = open_output(station, *number, error);
    if (station->output < 0) {
        station_runs_drop(&station->runs);
        return error->code;
    }
    status = complete(station, *number, start, error);
    if (!status)
        status = station_child_start(&station->child,
                                     &(struct station_work){.arguments = start->arguments,
                                                            .hold = &station->hold,
                                                            .output = station->output,
                                                            .asks = start->asks,
                                                            .is_played = true,
                                                            .operator_name = station->operator_name,
                                                            .by = start->by},
                                     error);
    if (status) {
        close(station->output);
        station_runs_drop(&station->runs);
        return status;
    }
    station->asks =
        start->asks && !station_questions_start(&station->questions, station->desk, &station->child,
                                                *number, station->output, error);
    /* Without somebody to pass them on, questions would be open for ever. */
    if (start->asks && !station->asks)
        station_child_order(&station->child, "stop-now", NULL);
    snprintf(run->command, sizeof run->command, "%s", start->arguments[1]);
    station->playing = *number;
    station->is_reset = station->is_paused = station->is_stopping = false;
    station->watch = (struct pages_watch){.ran = 0};
    pages_watch_set(&station->watch, true);
    station->said[0] = '\0';
    return 0;
}

static int start_run(struct station *station, const struct json_value *order, const char *by,
                     struct server_reply *reply, struct error *error)
{
    struct station_start start = {.rig = station->rig, .by = by};
    struct recording_list recordings;
    unsigned number = 0;
    int status;

    if (check_free(station, &reply->status, error))
        return error->code;
    station_recordings_find(station->folders, &station->runs, &recordings);
    start.recordings = &recordings;
    status = station_start_read(&start, order, error);
    if (status)
        reply->status = error->code == ERROR_RULE ? 400 : 422;
    else if ((status = begin(station, &start, &number, error)))
        reply->status = 500;
    else {
        JSON_TEXT_PUT(&reply->body, "{\"run\":");
        json_text_unsigned(&reply->body, number);
        JSON_TEXT_PUT(&reply->body, "}");
    }
    station_start_clear(&start);
    recording_list_free(&recordings);
    return status;
}

static int reset(struct station *station, struct server_reply *reply, struct error *error)
{
    char *const arguments[] = {"dealproof", "reset", "--rig", (char *)station->rig_path, NULL};
    int status;

    if (check_free(station, &reply->status, error))
        return error->code;
    reply->status = 500;
    station->output = memfd_create("reset", MFD_CLOEXEC);
    if (station->output < 0)
        return error_set(error, ERROR_RIG, "no file for what a reset says");
    status = station_child_start(&station->child,
                                 &(struct station_work){.arguments = arguments,
                                                        .hold = &station->hold,
                                                        .output = station->output},
                                 error);
    if (status) {
        close(station->output);
        return status;
    }
    station->is_reset = true;
    station->is_paused = station->is_stopping = false;
    station->said[0] = '\0';
    reply->status = 200;
    return 0;
}

/* What the doctor found, as the page has it. */
static void write_findings(const struct json_value *checks, struct json_text *out)
{
    bool is_first = true;

    JSON_TEXT_PUT(out, "{\"doctor\":[");
    JSON_EACH (check, checks) {
        const char *verdict = json_chars(json_member(check, "verdict"));
        const char *remedy = json_chars(json_member(check, "remedy"));

        json_text_raw(out, ",", !is_first);
        is_first = false;
        JSON_TEXT_PUT(out, "{\"what\":");
        json_text_value(out, json_member(check, "what"));
        JSON_TEXT_PUT(out, ",\"ok\":");
        json_text_raw(out, "false", verdict && !strcmp(verdict, "FAIL") ? 5 : 0);
        json_text_raw(out, "true", verdict && !strcmp(verdict, "FAIL") ? 0 : 4);
        if (verdict && !strcmp(verdict, "FAIL")) {
            JSON_TEXT_PUT(out, ",\"why\":");
            json_text_value(out, json_member(check, "detail"));
        }
        if (remedy && *remedy) {
            JSON_TEXT_PUT(out, ",\"remedy\":");
            json_text_string(out, remedy);
        }
        JSON_TEXT_PUT(out, "}");
    }
    JSON_TEXT_PUT(out, "]}");
}

/* Reads what the doctor has printed; false: that is not what a doctor prints. */
static bool read_findings(int output, struct json_text *out)
{
    struct json_reader *reader = json_reader_new(JSON_LONGEST);
    char *text = malloc(JSON_LONGEST);
    ssize_t length = text ? pread(output, text, JSON_LONGEST, 0) : 0;
    const struct json_value *found =
        reader && length > 0 ? json_read(reader, text, (size_t)length, NULL) : NULL;
    bool is_one = json_is(json_member(found, "checks"), JSON_KIND_ARRAY);

    if (is_one)
        write_findings(json_member(found, "checks"), out);
    free(text);
    json_reader_free(reader);
    return is_one;
}

/* Has the doctor look at the bench, without the lock. */
static int examine(const struct station *station, struct server_reply *reply, struct error *error)
{
    char *const arguments[] = {"dealproof", "doctor", "--json", "--rig", (char *)station->rig_path,
                               NULL};
    int output = memfd_create("doctor", MFD_CLOEXEC);
    const struct station_work work = {
        .arguments = arguments, .hold = &station->hold, .output = output};
    struct station_child child;
    struct pollfd polled = {.events = POLLIN};
    bool is_read;

    if (output < 0 || station_child_start(&child, &work, error)) {
        if (output >= 0)
            close(output);
        return error_set(error, ERROR_RIG, "the doctor cannot be started");
    }
    polled.fd = child.ended;
    if (poll(&polled, 1, DOCTOR_MS) != 1)
        kill(child.pid, SIGKILL);
    station_child_end(&child);
    is_read = read_findings(output, &reply->body);
    close(output);
    if (!is_read)
        return error_set(error, ERROR_RIG,
                         "the doctor has not said what it found within 30 seconds");
    reply->status = 200;
    return 0;
}

/* With the lock held: a doctor takes long, and meanwhile nothing else uses the bench. */
static int call_doctor(struct station *station, struct server_reply *reply, struct error *error)
{
    int status;

    if (!reply->is_later) {
        if (check_free(station, &reply->status, error))
            return error->code;
        station->is_examined = true;
        reply->status = SERVER_LATER;
        return 0;
    }
    reply->status = 500;
    pthread_mutex_unlock(&station->lock);
    status = examine(station, reply, error);
    pthread_mutex_lock(&station->lock);
    station->is_examined = false;
    return status;
}

/* A run that is held up reads nothing; whoever waits for that holds up the bench. */
static int pass_order(const struct station *station, const char *order, const char *by,
                      unsigned *status, struct error *error)
{
    if (station_child_order(&station->child, order, by))
        return 0;
    return refuse(error, status, 504,
                  "the run does not read its orders, so it was not given that one");
}

static int name_operator(struct station *station, const char *by, unsigned *status,
                         struct error *error)
{
    if (!by || !*by || desk_check_name(by, NULL))
        return refuse(error, status, 422,
                      "an operator has a name in \"by\", one line of up to 63 bytes");
    if (station->playing && pass_order(station, "operator", by, status, error))
        return error->code;
    snprintf(station->operator_name, sizeof station->operator_name, "%s", by);
    return 0;
}

/* pause, continue, stop, stop-now: the run is told. */
static int tell_run(struct station *station, const char *what, const char *by, unsigned *status,
                    struct error *error)
{
    bool is_stop = !strcmp(what, "stop") || !strcmp(what, "stop-now");

    if (!is_stop && strcmp(what, "pause") && strcmp(what, "continue"))
        return refuse(error, status, 422,
                      "there is no such order; it must be start, pause, continue, stop, stop-now, "
                      "reset, doctor or operator");
    if (station->is_left)
        return refuse_left(station, status, error);
    if (!station->playing)
        return refuse(error, status, 409, "nothing is being played");
    if (!is_stop && station->is_stopping)
        return refuse(error, status, 409, "the run is being stopped");
    if (pass_order(station, what, by, status, error))
        return error->code;
    station->is_stopping |= is_stop;
    station->is_paused = !strcmp(what, "pause");
    pages_watch_set(&station->watch, !station->is_paused);
    return 0;
}

static int obey(struct station *station, const char *what, const struct json_value *order,
                struct server_reply *reply, struct error *error)
{
    static const char *const known[] = {"do", "by", NULL};
    const struct json_value *by = json_member(order, "by");
    const char *name = NULL;

    reply->status = 400;
    if (by && field_text(by, "by", &name, error))
        return ERROR_RULE;
    if (strcmp(what, "start") && fields_known(order, "an order", known, error))
        return ERROR_RULE;
    reply->status = 422;
    if (name && desk_check_name(name, error))
        return ERROR_CONFIG;
    reply->status = 200;
    if (!strcmp(what, "start"))
        return start_run(station, order, name, reply, error);
    if (!strcmp(what, "reset"))
        return reset(station, reply, error);
    if (!strcmp(what, "doctor"))
        return call_doctor(station, reply, error);
    if (!strcmp(what, "operator"))
        return name_operator(station, name, &reply->status, error);
    return tell_run(station, what, name, &reply->status, error);
}

void station_control(void *context, const char *what, const char *order, size_t length,
                     struct server_reply *reply)
{
    struct station *station = context;
    struct json_reader *reader = json_reader_new(SERVER_BODY_MAX);
    const struct json_value *body = reader ? json_read(reader, order, length, NULL) : NULL;
    struct error error = {.text = "no memory for the order"};
    int status = ERROR_RIG;

    reply->status = 500;
    if (body) {
        pthread_mutex_lock(&station->lock);
        status = obey(station, what, body, reply, &error);
        pthread_mutex_unlock(&station->lock);
    }
    json_reader_free(reader);
    eventfd_write(station->changed, 1);
    server_wake(station->server);
    if (!status)
        return;
    JSON_TEXT_PUT(&reply->body, "{\"why\":");
    json_text_string(&reply->body, error.text);
    JSON_TEXT_PUT(&reply->body, "}");
}
