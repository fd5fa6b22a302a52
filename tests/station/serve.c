/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A bench that only seems to be one, for work on the page and for its tests in a browser: serves a
 * journal that grows line by line from a given one, asks a question now and then, and takes orders.
 * Prints "ready URL", then each answer and order as a line of JSON. It ends when standard input
 * does.
 *
 *   serve [--listen ADDRESS:PORT] [--token-file FILE] [--rate LINES-A-SECOND] [--ask-every LINES]
 *         [--limit-ms N] [--runs N] JOURNAL
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hal/base/json.h"
#include "rigs/station/server.h"
#include "tests/support/scratch.h"

#define RUNS_MAX 100

struct bench {
    struct server *server;
    struct desk *desk;
    struct hal hal;
    struct clock clock;
    char *text; /* of the journal that is served */
    size_t length;
    unsigned rate, ask_every, limit_ms, runs;
    int journals[RUNS_MAX + 1];
    pthread_mutex_t lock; /* of all below */
    unsigned run;
    bool is_over;
    uint64_t line;
    const char *state;
    char operator_name[DESK_NAME_SIZE];
};

static void fail(const char *why)
{
    fprintf(stderr, "serve: %s\n", why);
    exit(EXIT_FAILURE);
}

static void write_status(void *context, struct json_text *out)
{
    struct bench *bench = context;

    pthread_mutex_lock(&bench->lock);
    JSON_TEXT_PUT(out,
                  "\"version\":\"" DEALPROOF_VERSION "\",\"rig\":\"bench\",\"clock\":\"real\"");
    JSON_TEXT_PUT(out, ",\"command\":\"station\",\"state\":");
    json_text_string(out, bench->state);
    JSON_TEXT_PUT(out, ",\"run\":");
    json_text_unsigned(out, bench->run);
    JSON_TEXT_PUT(out, ",\"line\":");
    json_text_unsigned(out, bench->line);
    if (*bench->operator_name) {
        JSON_TEXT_PUT(out, ",\"operator\":");
        json_text_string(out, bench->operator_name);
    }
    if (!strcmp(bench->state, "playing"))
        JSON_TEXT_PUT(out,
                      ",\"wait\":{\"for\":\"packet\",\"device\":\"shuffler\",\"since-ms\":1200,"
                      "\"limit-ms\":5000}");
    pthread_mutex_unlock(&bench->lock);
}

static void set_state(struct bench *bench, const char *state)
{
    pthread_mutex_lock(&bench->lock);
    bench->state = state;
    pthread_mutex_unlock(&bench->lock);
    server_wake(bench->server);
}

static bool is_state(struct bench *bench, const char *state)
{
    bool is_it;

    pthread_mutex_lock(&bench->lock);
    is_it = !strcmp(bench->state, state);
    pthread_mutex_unlock(&bench->lock);
    return is_it;
}

static void take_operator(struct bench *bench, const char *order, size_t length)
{
    struct json_reader *reader = json_reader_new(SERVER_BODY_MAX);
    const struct json_value *body = json_read(reader, order, length, NULL);
    const char *name = json_chars(json_member(body, "by"));

    pthread_mutex_lock(&bench->lock);
    snprintf(bench->operator_name, sizeof bench->operator_name, "%s", name ? name : "");
    pthread_mutex_unlock(&bench->lock);
    json_reader_free(reader);
    server_wake(bench->server);
}

static void take_order(void *context, const char *what, const char *order, size_t length,
                       struct server_reply *reply)
{
    struct bench *bench = context;

    printf("{\"order\":%.*s}\n", (int)length, order);
    if (!strcmp(what, "pause"))
        set_state(bench, "paused");
    else if (!strcmp(what, "continue") || !strcmp(what, "start"))
        set_state(bench, "playing");
    else if (!strcmp(what, "stop") || !strcmp(what, "stop-now"))
        set_state(bench, "stopping");
    else if (!strcmp(what, "operator"))
        take_operator(bench, order, length);
    else if (!strcmp(what, "doctor"))
        JSON_TEXT_PUT(&reply->body,
                      "{\"doctor\":[{\"what\":\"clock\",\"ok\":true},{\"what\":\"/dev/ttyUSB0\","
                      "\"ok\":false,\"why\":\"no permission\",\"remedy\":\"add the user to the "
                      "group dialout\"}]}");
    else if (strcmp(what, "reset")) {
        reply->status = 422;
        JSON_TEXT_PUT(&reply->body, "{\"why\":\"there is no such order\"}");
    }
}

static bool find_run(void *context, struct server_run *run)
{
    struct bench *bench = context;

    pthread_mutex_lock(&bench->lock);
    if (!run->number)
        run->number = bench->run;
    run->is_over = run->number < bench->run || bench->is_over;
    run->next = run->number < bench->run ? run->number + 1 : 0;
    pthread_mutex_unlock(&bench->lock);
    return run->number && run->number <= bench->run;
}

static int open_journal(void *context, unsigned run)
{
    struct bench *bench = context;
    char path[64];

    snprintf(path, sizeof path, "/proc/self/fd/%d", bench->journals[run]);
    return open(path, O_RDONLY | O_CLOEXEC);
}

static char *list(void *context, const char *path, size_t *length, const char **type)
{
    static const char recordings[] =
        "{\"recordings\":[{\"path\":\"fixtures/flush-rush/"
        "evening-of-six-seats.shoe\",\"game\":\"flush-rush\","
        "\"rounds\":60,\"note\":\"an evening of six seats\",\"last\":\"pass\"},"
        "{\"path\":\"fixtures/three-card-poker/ante-bonus.shoe\",\"game\":\"three-card-poker\","
        "\"rounds\":3,\"note\":\"ante bonus\",\"last\":null}],"
        "\"games\":[\"flush-rush\",\"three-card-poker\"]}";
    static const char runs[] =
        "{\"runs\":[{\"run\":1,\"command\":\"run\",\"verdict\":\"pass\",\"rounds\":1,"
        "\"failed\":0}]}";
    static const char report[] = "<!DOCTYPE html><title>report</title><p>The report of a run.";
    const char *text = NULL;

    (void)context;
    if (!strcmp(path, "/recordings"))
        text = recordings;
    else if (!strcmp(path, "/runs"))
        text = runs;
    else if (!strcmp(path, "/runs/1/report") || !strcmp(path, "/runs/1/shuffles"))
        text = report, *type = "text/html; charset=utf-8";
    if (!text)
        return NULL;
    *length = strlen(text);
    return strdup(text);
}

static int check_cards(const void *context, const char *answer, struct error *error)
{
    (void)context;
    return strlen(answer) == 8 ? 0
                               : error_set(error, ERROR_CONFIG,
                                           "'%.40s' is not three cards, such as As Kd 2c", answer);
}

/* One of each kind, in turn. */
static void ask(struct bench *bench, unsigned number)
{
    static const struct question questions[] = {
        {.kind = QUESTION_DECISION,
         .text = "seat 3: bet or fold?",
         .seat = 3,
         .choices = {"bet", "fold"},
         .otherwise = "fold"},
        {.kind = QUESTION_CARDS,
         .text = "which three cards lie at seat 2?",
         .seat = 2,
         .check = check_cards},
        {.kind = QUESTION_WAGER, .text = "what lies on ante at seat 1, in cents?", .seat = 1},
        {.kind = QUESTION_STEP,
         .text = "put deck 2 into the shuffler, then answer done",
         .choices = {"done"}},
        {.kind = QUESTION_FAULT,
         .text = "what does the shuffler show?",
         .choices = {"jam", "door open", "nothing"}},
    };
    struct question question = questions[number % (sizeof questions / sizeof questions[0])];
    struct answer answer;
    struct error error;

    question.limit_ms = bench->limit_ms;
    if (desk_ask(bench->desk, &bench->hal, &question, &answer, &error))
        printf("{\"unanswered\":\"%s\"}\n", error.text);
    else
        printf("{\"answer\":\"%s\",\"by\":\"%s\",\"from\":\"%s\"}\n", answer.text, answer.by,
               desk_side_name(answer.side));
}

static void tell_server(void *context, const struct desk_open *question,
                        const struct answer *answer)
{
    struct bench *bench = context;

    (void)question, (void)answer;
    server_wake(bench->server);
}

/* Waits; false when the program shall end. */
static bool pause_ms(struct bench *bench, int64_t milliseconds)
{
    return hal_wait(&bench->hal, -1, 0, clock_deadline(&bench->clock, milliseconds), NULL) == 0;
}

static void begin_run(struct bench *bench)
{
    char path[SCRATCH_PATH_SIZE];
    int fd;

    scratch_path(path);
    fd = open(path, O_CREAT | O_EXCL | O_RDWR | O_APPEND | O_CLOEXEC, 0600);
    if (fd < 0)
        fail(strerror(errno));
    unlink(path);
    pthread_mutex_lock(&bench->lock);
    bench->journals[++bench->run] = fd;
    bench->line = 0;
    bench->is_over = false;
    pthread_mutex_unlock(&bench->lock);
}

static bool add_line(struct bench *bench, const char *text, size_t length)
{
    if (write(bench->journals[bench->run], text, length) != (ssize_t)length)
        fail(strerror(errno));
    pthread_mutex_lock(&bench->lock);
    bench->line++;
    pthread_mutex_unlock(&bench->lock);
    server_wake(bench->server);
    if (bench->ask_every && bench->line % bench->ask_every == 0)
        ask(bench, (unsigned)(bench->line / bench->ask_every) - 1);
    while (is_state(bench, "paused"))
        if (!pause_ms(bench, 20))
            return false;
    return !hal_cancelled(&bench->hal) && (!bench->rate || pause_ms(bench, 1000 / bench->rate));
}

static void play(struct bench *bench)
{
    const char *at = bench->text, *newline;

    begin_run(bench);
    set_state(bench, "playing");
    while (!is_state(bench, "stopping") && (newline = strchr(at, '\n'))) {
        if (!add_line(bench, at, (size_t)(newline + 1 - at)))
            return;
        at = newline + 1;
    }
    pthread_mutex_lock(&bench->lock);
    bench->is_over = true;
    pthread_mutex_unlock(&bench->lock);
    set_state(bench, "ended");
}

static void *play_all(void *context)
{
    struct bench *bench = context;

    for (unsigned i = 0; i < bench->runs && !hal_cancelled(&bench->hal); i++)
        play(bench);
    return NULL;
}

static unsigned number(const char *text)
{
    char *end;
    unsigned long value = strtoul(text, &end, 10);

    if (!*text || *end || value > 1000000)
        fail("a number from 0 to 1,000,000 is needed");
    return (unsigned)value;
}

static void read_options(struct bench *bench, struct server_options *options, int count,
                         char **arguments)
{
    static const struct option known[] = {
        {"listen", required_argument, NULL, 'l'},
        {"token-file", required_argument, NULL, 't'},
        {"rate", required_argument, NULL, 'r'},
        {"ask-every", required_argument, NULL, 'a'},
        {"limit-ms", required_argument, NULL, 'm'},
        {"runs", required_argument, NULL, 'n'},
        {NULL, 0, NULL, 0},
    };
    int option;

    while ((option = getopt_long(count, arguments, "", known, NULL)) >= 0)
        switch (option) {
        case 'l':
            options->listen = optarg;
            break;
        case 't':
            options->token_file = optarg;
            break;
        case 'r':
            bench->rate = number(optarg);
            break;
        case 'a':
            bench->ask_every = number(optarg);
            break;
        case 'm':
            bench->limit_ms = number(optarg);
            break;
        case 'n':
            bench->runs = number(optarg);
            break;
        default:
            exit(2);
        }
    if (optind + 1 != count || bench->runs > RUNS_MAX)
        fail("give one journal, and at most 100 runs");
    bench->text = scratch_read(arguments[optind], &bench->length);
}

int main(int count, char **arguments)
{
    static struct bench bench = {.rate = 20, .ask_every = 0, .runs = 1, .state = "idle"};
    struct server_options options = {.listen = "127.0.0.1:0"};
    struct server_bench behind = {&bench,   NULL,         write_status, take_order,
                                  find_run, open_journal, list};
    struct error error;
    pthread_t thread;
    char ignored[256];

    read_options(&bench, &options, count, arguments);
    setvbuf(stdout, NULL, _IOLBF, 0);
    pthread_mutex_init(&bench.lock, NULL);
    clock_real(&bench.clock);
    bench.desk = desk_new(&error);
    behind.desk = bench.desk;
    if (!bench.desk || hal_open(&bench.hal, &bench.clock, &error) ||
        desk_listen(bench.desk, &(struct desk_reader){tell_server, &bench}, &error) ||
        server_start(&bench.server, &options, &behind, &error))
        fail(error.text);
    desk_sides(bench.desk, DESK_PAGE);
    printf("ready %s\n", server_address(bench.server));
    if (pthread_create(&thread, NULL, play_all, &bench))
        fail("no thread");
    while (read(STDIN_FILENO, ignored, sizeof ignored) > 0)
        continue;
    hal_cancel(&bench.hal);
    pthread_join(thread, NULL);
    server_stop(bench.server);
    desk_free(bench.desk);
    hal_close(&bench.hal);
    free(bench.text);
    return EXIT_SUCCESS;
}
