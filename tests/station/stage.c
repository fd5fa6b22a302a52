/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The real server and desk behind a bench that a test plays: it serves journals that the test
 * writes to, and does what lines of JSON on standard input say, until there are no more:
 *
 *   {"status":"\"state\":\"paused\""}   fields of /status, as text
 *   {"ask":{"ask":"decision","text":"seat 3: bet or fold?","seat":3,"answers":["bet","fold"]}}
 *   {"play":"PATH"}                     the next run, whose journal is there
 *
 * It prints "ready URL", then {"order":…} and {"answer":"bet","by":"Ann","from":"page"}. In FOLDER
 * stand the answers to GET /recordings (a file "recordings"), /runs, /runs/N/report and /shuffles,
 * and to the order doctor.
 *
 *   stage ADDRESS:PORT FOLDER [TOKEN-FILE]
 */
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hal/base/json.h"
#include "rigs/station/server.h"
#include "tests/support/scratch.h"

#define RUNS_MAX  8
#define PATH_SIZE 4096
#define LOOK_MS   10

struct stage {
    struct server *server;
    struct desk *desk;
    struct hal hal;
    struct clock clock;
    const char *folder;
    pthread_t asker;
    bool is_asking;
    struct json_reader *asked; /* of the question's texts while it is open */
    unsigned asked_count;      /* questions so far */
    struct question question;
    pthread_mutex_t lock;   /* of all below */
    char status[PATH_SIZE]; /* the fields of /status that the test gives */
    char journals[RUNS_MAX + 1][PATH_SIZE];
    unsigned run;
    off_t seen;     /* of the current journal */
    uint64_t lines; /* in it */
};

static void fail(const char *why)
{
    fprintf(stderr, "stage: %s\n", why);
    exit(EXIT_FAILURE);
}

static void write_status(void *context, struct json_text *out)
{
    struct stage *stage = context;

    pthread_mutex_lock(&stage->lock);
    JSON_TEXT_PUT(out, "\"run\":");
    json_text_unsigned(out, stage->run);
    JSON_TEXT_PUT(out, ",\"line\":");
    json_text_unsigned(out, stage->lines);
    JSON_TEXT_PUT(out, ",");
    /* Last, so that a test can say another number of lines. */
    json_text_raw(out, stage->status, strlen(stage->status));
    pthread_mutex_unlock(&stage->lock);
}

static char *read_from(const struct stage *stage, const char *name, size_t *length)
{
    char path[PATH_SIZE];

    snprintf(path, sizeof path, "%s/%s", stage->folder, name);
    return access(path, R_OK) ? NULL : scratch_read(path, length);
}

static void take_order(void *context, const char *what, const char *order, size_t length,
                       struct server_reply *reply)
{
    struct stage *stage = context;
    size_t found;
    char *text = strcmp(what, "doctor") ? NULL : read_from(stage, what, &found);

    printf("{\"order\":%.*s}\n", (int)length, order);
    if (text)
        json_text_raw(&reply->body, text, found);
    free(text);
}

static bool find_run(void *context, struct server_run *run)
{
    struct stage *stage = context;

    pthread_mutex_lock(&stage->lock);
    if (!run->number)
        run->number = stage->run;
    run->is_over = run->number < stage->run;
    run->next = run->is_over ? run->number + 1 : 0;
    pthread_mutex_unlock(&stage->lock);
    return run->number && run->number <= stage->run;
}

static int open_journal(void *context, unsigned run)
{
    struct stage *stage = context;

    return open(stage->journals[run], O_RDONLY | O_CLOEXEC);
}

static char *list(void *context, const char *path, size_t *length, const char **type)
{
    const char *name = strrchr(path, '/') + 1;

    if (!strcmp(name, "report") || !strcmp(name, "shuffles"))
        *type = "text/html; charset=utf-8";
    return read_from(context, name, length);
}

static void tell_server(void *context, const struct desk_open *question,
                        const struct answer *answer)
{
    struct stage *stage = context;

    (void)question, (void)answer;
    server_wake(stage->server);
}

static void *ask(void *context)
{
    struct stage *stage = context;
    struct answer answer;
    struct error error;

    if (desk_ask(stage->desk, &stage->hal, &stage->question, &answer, &error))
        printf("{\"unanswered\":true}\n");
    else
        printf("{\"answer\":\"%s\",\"by\":\"%s\",\"from\":\"%s\"}\n", answer.text, answer.by,
               answer.side ? desk_side_name(answer.side) : "");
    return NULL;
}

static void begin_asking(struct stage *stage, const char *line, size_t length)
{
    const struct json_value *body, *answers;
    const char *kind;
    int seat;

    if (stage->is_asking)
        pthread_join(stage->asker, NULL);
    body = json_member(json_read(stage->asked, line, length, NULL), "ask");
    answers = json_member(body, "answers");
    kind = json_chars(json_member(body, "ask"));
    seat = (int)json_int(json_member(body, "seat"));
    stage->question = (struct question){
        .text = json_chars(json_member(body, "text")),
        .seat = (unsigned)seat,
        .sides = DESK_PAGE,
        .limit_ms = (uint32_t)json_int(json_member(body, "limit-ms")),
        .otherwise = json_chars(json_member(body, "otherwise")),
    };
    while (kind && strcmp(question_kinds[stage->question.kind], kind))
        stage->question.kind++;
    for (size_t i = 0; i < json_count(answers); i++)
        stage->question.choices[i] = json_chars(json_element(answers, i));
    desk_count_from(stage->desk, stage->run, ++stage->asked_count);
    stage->is_asking = !pthread_create(&stage->asker, NULL, ask, stage);
}

static void obey(struct stage *stage, struct json_reader *reader, const char *line, size_t length)
{
    const struct json_value *body = json_read(reader, line, length, NULL);
    const char *status = json_chars(json_member(body, "status"));
    const char *path = json_chars(json_member(body, "play"));

    if (json_member(body, "ask"))
        begin_asking(stage, line, length);
    pthread_mutex_lock(&stage->lock);
    if (status)
        snprintf(stage->status, sizeof stage->status, "%s", status);
    if (path && stage->run < RUNS_MAX) {
        snprintf(stage->journals[++stage->run], PATH_SIZE, "%s", path);
        stage->seen = 0;
        stage->lines = 0;
    }
    pthread_mutex_unlock(&stage->lock);
    server_wake(stage->server);
}

/* Wakes the server when the test has written to the journal. */
static void look(struct stage *stage)
{
    static char block[1 << 16];
    int fd = stage->run ? open(stage->journals[stage->run], O_RDONLY | O_CLOEXEC) : -1;
    uint64_t lines = 0;
    off_t seen = stage->seen;
    ssize_t got;

    if (fd < 0)
        return;
    while ((got = pread(fd, block, sizeof block, seen)) > 0) {
        for (ssize_t i = 0; i < got; i++)
            lines += block[i] == '\n';
        seen += got;
    }
    close(fd);
    if (seen == stage->seen)
        return;
    pthread_mutex_lock(&stage->lock);
    stage->seen = seen;
    stage->lines += lines;
    pthread_mutex_unlock(&stage->lock);
    server_wake(stage->server);
}

static void play(struct stage *stage)
{
    struct json_reader *reader = json_reader_new(JSON_LONGEST);
    struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};
    static char text[JSON_LONGEST + 1];
    size_t length = 0;

    for (;;) {
        char *newline;
        ssize_t got;

        look(stage);
        if (poll(&in, 1, LOOK_MS) < 1)
            continue;
        got = read(STDIN_FILENO, text + length, sizeof text - length);
        if (got <= 0)
            break;
        length += (size_t)got;
        while ((newline = memchr(text, '\n', length))) {
            obey(stage, reader, text, (size_t)(newline - text));
            length -= (size_t)(newline + 1 - text);
            memmove(text, newline + 1, length);
        }
    }
    json_reader_free(reader);
}

int main(int count, char **arguments)
{
    static struct stage stage = {.status = "\"state\":\"idle\""};
    struct server_bench behind = {&stage,   NULL,         write_status, take_order,
                                  find_run, open_journal, list};
    struct error error;

    if (count < 3)
        fail("give an address and a folder");
    setvbuf(stdout, NULL, _IOLBF, 0);
    pthread_mutex_init(&stage.lock, NULL);
    clock_real(&stage.clock);
    stage.folder = arguments[2];
    stage.asked = json_reader_new(JSON_LONGEST);
    behind.desk = stage.desk = desk_new(&error);
    if (!stage.desk || hal_open(&stage.hal, &stage.clock, &error) ||
        desk_listen(stage.desk, &(struct desk_reader){tell_server, &stage}, &error) ||
        server_start(&stage.server, &(struct server_options){arguments[1], arguments[3], 0},
                     &behind, &error))
        fail(error.text);
    desk_sides(stage.desk, DESK_PAGE);
    printf("ready %s\n", server_address(stage.server));
    play(&stage);
    hal_cancel(&stage.hal);
    if (stage.is_asking)
        pthread_join(stage.asker, NULL);
    server_stop(stage.server);
    desk_free(stage.desk);
    hal_close(&stage.hal);
    json_reader_free(stage.asked);
    return EXIT_SUCCESS;
}
