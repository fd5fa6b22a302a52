/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/station/station.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "hal/base/realtime.h"
#include "rigs/page/links.h"
#include "rigs/recording/list.h"
#include "tools/interrupt.h"
#include "tools/options.h"
#include "tools/pages.h"
#include "tools/recordings.h"
#include "tools/station/lists.h"

#define FOLDERS_MAX 32
#define NOTHING_YET UINT_MAX /* the run before the first: it has no lines, and is over */
#define LOOK_MS     20       /* between two looks for the journal of a run that starts */

struct options {
    const char *rig, *listen, *token_file, *runs, *history_pages;
    char *folders[FOLDERS_MAX + 1];
    size_t folder_count;
    bool json;
    bool realtime;
};

static const char *state_of(const struct station *station)
{
    return station->child.pid && station->is_reset    ? "resetting"
           : station->is_left                         ? "stopping"
           : station->playing && station->is_stopping ? "stopping"
           : station->playing && station->is_paused   ? "paused"
           : station->playing                         ? "playing"
           : station->is_examined                     ? "examining"
           : station->has_played                      ? "ended"
                                                      : "idle";
}

static int open_journal(void *context, unsigned run)
{
    const struct station *station = context;

    return run == NOTHING_YET ? memfd_create("nothing", MFD_CLOEXEC)
                              : station_runs_journal(&station->runs, run);
}

/* Reads the journal of the current run to its end; NULL: there is none. */
static struct feed *follow(struct station *station, unsigned current)
{
    if (station->feed && station->feed->run.number != current) {
        feed_free(station->feed);
        station->feed = NULL;
    }
    if (!station->feed) {
        int fd = current ? open_journal(station, current) : -1;

        station->feed = fd >= 0 ? feed_new(fd, &(struct server_run){.number = current}) : NULL;
    }
    if (station->feed)
        pages_follow(station->feed, station->block);
    return station->feed;
}

static void write_status(void *context, struct json_text *out)
{
    struct station *station = context;
    unsigned current;
    nanos_t ran;
    bool played;

    JSON_TEXT_PUT(out, "\"version\":\"" DEALPROOF_VERSION "\",\"rig\":");
    json_text_string(out, station->rig->name);
    JSON_TEXT_PUT(out, ",\"clock\":");
    json_text_string(out, station->rig->clock == RIG_CLOCK_REAL ? "real" : "virtual");
    JSON_TEXT_PUT(out, ",\"command\":\"station\",\"state\":");
    pthread_mutex_lock(&station->lock);
    json_text_string(out, state_of(station));
    if (*station->operator_name) {
        JSON_TEXT_PUT(out, ",\"operator\":");
        json_text_string(out, station->operator_name);
    }
    if (*station->said) {
        JSON_TEXT_PUT(out, ",\"said\":");
        json_text_string(out, station->said);
    }
    current = station->current;
    played = current && current == station->playing && !station->is_paused;
    ran = played && !station->is_stopping ? pages_watch_read(&station->watch) : 0;
    pthread_mutex_unlock(&station->lock);
    if (!follow(station, current))
        return;
    JSON_TEXT_PUT(out, ",\"run\":");
    json_text_unsigned(out, current);
    JSON_TEXT_PUT(out, ",\"line\":");
    json_text_unsigned(out, station->feed->lines);
    progress_write(&station->feed->progress, played, ran, out);
}

static bool find_run(void *context, struct server_run *run)
{
    struct station *station = context;
    const struct station_run *found, *next;

    pthread_mutex_lock(&station->lock);
    if (!run->number)
        run->number = station->current ? station->current : NOTHING_YET;
    found = station_runs_find(&station->runs, run->number);
    next = found ? found + 1 : NULL;
    run->is_over = run->number != station->playing;
    run->is_begun = !run->is_over && run->number != station->current;
    run->next = 0;
    if (run->number == NOTHING_YET)
        run->next = station->current;
    else if (found && next < station->runs.list + station->runs.count &&
             next->number <= station->current)
        run->next = next->number;
    pthread_mutex_unlock(&station->lock);
    return found || run->number == NOTHING_YET;
}

/* A page of a run: "3/report". */
static char *list_page(struct station *station, const char *path, size_t *length)
{
    char name[PATH_MAX];
    unsigned run = 0;
    int used = 0, fd = -1;

    if (sscanf(path, "%9u/%n", &run, &used) == 1 && used && *path >= '1')
        fd = open_journal(station, run);
    if (fd < 0)
        return NULL;
    station_runs_path(&station->runs, run, STATION_JOURNAL, name);
    return pages_report(fd, path + used, name, length);
}

/* Reads the journals that nobody has asked for before, which may take long, without the lock. */
static void read_runs(struct station *station)
{
    struct station_run run;
    unsigned number;

    pthread_mutex_lock(&station->lock);
    station_runs_refresh(&station->runs, station->playing);
    while (!station->is_ending && (number = station_runs_unread(&station->runs))) {
        pthread_mutex_unlock(&station->lock);
        station_run_read(&station->runs, number, &run);
        pthread_mutex_lock(&station->lock);
        station_runs_keep(&station->runs, &run);
    }
    pthread_mutex_unlock(&station->lock);
}

/* By the server's second thread. */
static char *list(void *context, const char *path, size_t *length, const char **type)
{
    static const char pages[] = "/runs/";
    struct station *station = context;
    struct recording_list recordings;
    char *text = NULL;

    if (!strncmp(path, pages, sizeof pages - 1)) {
        *type = "text/html; charset=utf-8";
        return list_page(station, path + sizeof pages - 1, length);
    }
    read_runs(station);
    if (!strcmp(path, "/recordings")) {
        station_recordings_find(station->folders, &station->runs, &recordings);
        text = station_list_recordings(&recordings, &station->runs, &station->lock, length);
        recording_list_free(&recordings);
    } else if (!strcmp(path, "/runs")) {
        pthread_mutex_lock(&station->lock);
        text = station_list_runs(&station->runs, length);
        pthread_mutex_unlock(&station->lock);
    }
    return text;
}

static void tell_server(void *context, const struct desk_open *question,
                        const struct answer *answer)
{
    const struct station *station = context;

    (void)question, (void)answer;
    server_wake(station->server);
}

/* A run is shown as soon as it has a journal. */
static void look_for_journal(struct station *station)
{
    char path[PATH_MAX];

    pthread_mutex_lock(&station->lock);
    station_runs_path(&station->runs, station->playing, STATION_JOURNAL, path);
    if (station->playing && station->current != station->playing && !access(path, R_OK)) {
        station->current = station->playing;
        server_wake(station->server);
    }
    pthread_mutex_unlock(&station->lock);
}

/* What an earlier station has started may have ended by now. */
static void look_for_left(struct station *station)
{
    pid_t pid;

    pthread_mutex_lock(&station->lock);
    if (station->is_left && !station_hold_is_used(&station->hold, &pid)) {
        station->is_left = false;
        server_wake(station->server);
    }
    pthread_mutex_unlock(&station->lock);
}

/* What a reset, or a run that has no end, has printed, for the status. */
static void keep_said(struct station *station, int status)
{
    station_said_read(station->output, station->said);
    if (!*station->said && !station->is_reset)
        snprintf(station->said, sizeof station->said,
                 "the run has ended with status %d, its journal has no end, and it could not say "
                 "why; is there room on the disk?",
                 status);
}

/* What was started has ended. */
static void reap(struct station *station)
{
    struct station_run run;
    unsigned number;
    int status;

    look_for_journal(station);
    if (station->asks)
        station_questions_end(&station->questions);
    pthread_mutex_lock(&station->lock);
    station->asks = false;
    number = station->playing;
    pthread_mutex_unlock(&station->lock);
    station_run_read(&station->runs, number, &run);
    pthread_mutex_lock(&station->lock);
    status = station_child_end(&station->child);
    if (station->is_reset || !run.is_ended)
        keep_said(station, status);
    close(station->output);
    if (number) {
        station_runs_keep(&station->runs, &run);
        station->has_played = true;
    }
    station->playing = 0;
    pthread_mutex_unlock(&station->lock);
    server_wake(station->server);
}

/* The first signal ends what is played after its round, the second now, the third anyway. */
static void on_signal(struct station *station, unsigned times)
{
    pthread_mutex_lock(&station->lock);
    station->is_ending = true;
    if (station->playing) {
        station->is_stopping = true;
        station_child_order(&station->child, times > 1 ? "stop-now" : "stop", NULL);
    }
    if (station->child.pid && times > 2)
        kill(station->child.pid, SIGKILL);
    else if (station->child.pid && station->is_reset)
        kill(station->child.pid, SIGTERM);
    pthread_mutex_unlock(&station->lock);
    server_wake(station->server);
}

/* Whether all is over; else what is waited for, and whether there is something to look at again. */
static bool is_done(struct station *station, int *ended, bool *is_looking)
{
    bool is_it;

    pthread_mutex_lock(&station->lock);
    *ended = station->child.pid ? station->child.ended : -1;
    *is_looking = station->is_left || (station->playing && station->playing != station->current);
    is_it = station->is_ending && !station->child.pid;
    pthread_mutex_unlock(&station->lock);
    return is_it;
}

static void wait_for_all(struct station *station, int signals)
{
    struct signalfd_siginfo info;
    unsigned times = 0;
    uint64_t taken;
    bool is_looking;
    int ended;

    while (!is_done(station, &ended, &is_looking)) {
        struct pollfd polled[] = {{.fd = signals, .events = POLLIN},
                                  {.fd = station->changed, .events = POLLIN},
                                  {.fd = ended, .events = POLLIN}};

        if (poll(polled, 3, is_looking ? LOOK_MS : -1) < 0 && errno != EINTR)
            return;
        if (polled[0].revents && read(signals, &info, sizeof info) == sizeof info)
            on_signal(station, ++times);
        if (polled[1].revents)
            eventfd_read(station->changed, &taken);
        look_for_left(station);
        if (polled[2].revents)
            reap(station);
        else if (is_looking)
            look_for_journal(station);
    }
}

static int serve(const struct command *command, struct station *station,
                 const struct options *options)
{
    const struct server_options how = {.listen = options->listen,
                                       .token_file = options->token_file};
    const struct server_bench bench = {station,  station->desk, write_status, station_control,
                                       find_run, open_journal,  list};
    struct error error;
    int signals = interrupt_descriptor(&error);

    if (signals < 0)
        return command_error(command, &error);
    if (server_start(&station->server, &how, &bench, &error)) {
        close(signals);
        return command_error(command, &error);
    }
    command_ready(server_address(station->server), options->json);
    fflush(stdout);
    wait_for_all(station, signals);
    server_stop(station->server);
    close(signals);
    return command_finish(command, EXIT_PASS);
}

static int run_on(const struct command *command, struct station *station,
                  const struct options *options)
{
    struct error error;
    pid_t left;
    int status;

    station->desk = desk_new(&error);
    station->changed = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (!station->desk || station->changed < 0 ||
        desk_listen(station->desk, &(struct desk_reader){tell_server, station}, &error))
        return command_error(
            command, &(struct error){.code = ERROR_RIG, .text = "memory or descriptors are short"});
    desk_sides(station->desk, DESK_PAGE);
    station->is_left = station_hold_is_used(&station->hold, &left);
    if (station->runs.count) {
        station->current = station->runs.list[station->runs.count - 1].number;
        /* All that they have asked is over. */
        desk_count_from(station->desk, station->current, UINT64_MAX);
    }
    status = serve(command, station, options);
    if (station->feed)
        feed_free(station->feed);
    desk_free(station->desk);
    close(station->changed);
    return status;
}

static int check_realtime(const struct rig *rig, struct error *error)
{
    int status = rig->clock == RIG_CLOCK_VIRTUAL
                     ? error_set(error, ERROR_CONFIG,
                                 "no time passes on this rig, its clock is "
                                 "virtual; leave it out")
                     : realtime_try(error);

    if (status)
        error_prefix(error, "--realtime");
    return status;
}

/* What is wrong is told before anything is served. */
static int prepare(const struct command *command, struct station *station,
                   const struct options *options, struct error *error)
{
    struct recording_list recordings;
    int status = recording_list_show(options->folders, &recordings, error);

    if (status)
        return status;
    recordings_note(command, &recordings);
    recording_list_free(&recordings);
    status = rig_load(&station->rig, options->rig, error);
    if (status)
        return status;
    status = options->realtime ? check_realtime(station->rig, error) : 0;
    if (!status)
        status = station_runs_open(&station->runs, options->runs, error);
    if (!status) {
        status = station_hold_take(&station->hold, station->runs.folder, error);
        if (status)
            station_runs_free(&station->runs);
    }
    if (status)
        rig_free(station->rig);
    return status;
}

static int run_station(const struct command *command, int argc, char **argv)
{
    static struct station station;
    struct options options = {.listen = "127.0.0.1:8642", .runs = "runs"};
    struct error error;
    int status;
    char **names = options_read(command, argc, argv, &options, &status);

    if (!names)
        return status;
    if (*names)
        return command_usage_error(command, "unknown argument '%s'", *names);
    if (!options.rig)
        return command_usage_error(command, "no rig given; name one by --rig FILE");
    if (options.history_pages && !page_link_is_address(options.history_pages))
        return command_usage_error(
            command, "--history-pages '%s': it must begin with http://, https:// or file:///",
            options.history_pages);
    station = (struct station){
        .rig_path = options.rig, .history_pages = options.history_pages, .output = -1};
    station.folders = options.folders;
    station.is_realtime = options.realtime;
    if (prepare(command, &station, &options, &error))
        return command_error(command, &error);
    pthread_mutex_init(&station.lock, NULL);
    status = run_on(command, &station, &options);
    pthread_mutex_destroy(&station.lock);
    station_hold_release(&station.hold);
    station_runs_free(&station.runs);
    rig_free(station.rig);
    return status;
}

static int add_folder(const struct option_row *row, char *value, void *context, struct error *error)
{
    struct options *options = context;

    if (options->folder_count == FOLDERS_MAX)
        return error_set(error, ERROR_CONFIG, "--%s is given more than %d times", row->name,
                         FOLDERS_MAX);
    options->folders[options->folder_count++] = value;
    return 0;
}

static const struct option_row rows[] = {
    {"rig", 0, "FILE", "the bench", OPTION_INTO(struct options, rig)},
    {"listen", 0, "[ADDR:]PORT", "where its page is (default 127.0.0.1:8642)",
     OPTION_INTO(struct options, listen)},
    {"token-file", 0, "FILE",
     "what a browser must know to use the page, 16 characters or more in a file that its owner "
     "alone can read; needed where other machines reach it",
     OPTION_INTO(struct options, token_file)},
    {"recordings", 0, "DIR", "recordings to choose from; again for more folders",
     .read = add_folder},
    {"runs", 0, "DIR", "where runs are kept, each in a folder of its number (default runs)",
     OPTION_INTO(struct options, runs)},
    {"history-pages", 0, "URL",
     "where the pages of 'dealproof history page' are: runs and their reports link to them",
     OPTION_INTO(struct options, history_pages)},
    {"json", 0, NULL, "'ready URL' as a line of JSON", OPTION_INTO(struct options, json)},
    {"realtime", 0, NULL,
     "runs have real-time priority 40 and all of their memory locked, as with --realtime of 'run'",
     OPTION_INTO(struct options, realtime)},
    OPTIONS_END};

static const struct command station = {
    .name = "station",
    .synopsis = "--rig FILE [OPTION]...",
    .summary = "Stay at a bench and play what its page in a browser says",
    .about =
        "Serves the page of a bench until it is interrupted. From there recordings are replayed,\n"
        "rounds observed and recorded, one after the other, each by a process of its own; runs "
        "are\n"
        "paused and stopped, the bench reset and examined, and reports of all runs are read. What\n"
        "was played stays in a folder and is listed again by the next station. The page is told\n"
        "all by HTTP, as programs can be: rigs/STATION.md.\n",
    .options = rows,
    .help =
        "Example:\n"
        "  dealproof station --rig rigs/bench-usb.yaml --recordings fixtures\n\n"
        "Prints 'ready URL'. Interrupted, it ends after the round that is being played; again,\n"
        "it cuts that short, and devices are left as they were found either way; a third time, it\n"
        "kills what plays, where that does not answer. Exit status: 0, 2 usage or rig file, or a\n"
        "port or a folder of runs that is taken, 4 something is missing on this machine, or the\n"
        "folder of runs cannot be written.\n",
    .run = run_station,
};
REGISTER(commands, station);
