/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/ask.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/eventfd.h>
#include <termios.h>
#include <unistd.h>

#include "hal/base/json.h"

#define LINE_MAX_BYTES 4096 /* of an answer with all that is around it */

struct ask {
    struct desk *desk;
    enum desk_side side;
    const char *by;
    struct run_show *show;
    pthread_t thread;
    int changed; /* an eventfd: `open` or `is_closing` is another */
    struct json_reader *json;
    pthread_mutex_t lock; /* of what follows */
    struct desk_open open;
    bool is_closing;
    /* The thread's own. */
    char input[LINE_MAX_BYTES + 1];
    size_t length;
    bool is_too_long; /* the line that is being read, which is dropped */
    bool is_over;     /* standard input has ended */
};

unsigned ask_side(const char *questions)
{
    if (questions)
        return !strcmp(questions, "json") ? DESK_SCRIPT : DESK_PAGE;
    return isatty(STDIN_FILENO) && isatty(STDERR_FILENO) ? DESK_TERMINAL : 0;
}

/* One call writes a line, so that lines of two threads do not mix. */
static void print_line(struct json_text *text)
{
    JSON_TEXT_PUT(text, "}}\n");
    fwrite(text->start, 1, (size_t)(text->at - text->start), stdout);
    fflush(stdout);
}

static void refuse(int64_t id, const char *why)
{
    char line[LINE_MAX_BYTES];
    struct json_text text;

    json_text_begin(&text, line, sizeof line);
    JSON_TEXT_PUT(&text, "{\"refused\":{\"id\":");
    if (id > 0)
        json_text_number(&text, id);
    else
        JSON_TEXT_PUT(&text, "null");
    JSON_TEXT_PUT(&text, ",\"why\":");
    json_text_string(&text, why);
    print_line(&text);
}

static void prompt(const struct desk_open *question)
{
    fputs(question->text, stderr);
    if (question->kind == QUESTION_STEP && question->choice_count)
        fprintf(stderr, " (Enter: %s)", question->choices[0]);
    if (*question->otherwise)
        fprintf(stderr, " (%s after %.0f s)", question->otherwise, question->limit_ms / 1000.0);
    fputc(' ', stderr);
    fflush(stderr);
}

/* What was typed before a question was asked is no answer to it. */
static void ask_person(const struct ask *ask, const struct desk_open *question)
{
    tcflush(STDIN_FILENO, TCIFLUSH);
    run_show_pause(ask->show, true);
    prompt(question);
}

static void ask_program(const struct desk_open *question)
{
    char line[LINE_MAX_BYTES];
    struct json_text text;

    json_text_begin(&text, line, sizeof line);
    JSON_TEXT_PUT(&text, "{\"question\":{");
    desk_write(question, &text);
    print_line(&text);
}

/* Somebody else, or nobody, has answered; the line of the question is left as it is. */
static void tell_person(const struct ask *ask, const struct answer *answer)
{
    if (answer->side != DESK_TERMINAL && (*answer->text || answer->side))
        fprintf(stderr, "\n%s: %s%s%s\n", answer->text, desk_side_name(answer->side),
                *answer->by ? ", " : "", answer->by);
    else if (answer->side != DESK_TERMINAL)
        fputc('\n', stderr);
    run_show_pause(ask->show, false);
}

static void tell_program(uint64_t id, const struct answer *answer, enum desk_side side)
{
    char line[LINE_MAX_BYTES];
    struct json_text text;

    json_text_begin(&text, line, sizeof line);
    if (answer->side == side)
        JSON_TEXT_PUT(&text, "{\"taken\":{\"id\":");
    else
        JSON_TEXT_PUT(&text, "{\"over\":{\"id\":");
    json_text_unsigned(&text, id);
    if (answer->side != side) {
        JSON_TEXT_PUT(&text, ",\"answer\":");
        json_text_string(&text, *answer->text || answer->side ? answer->text : NULL);
        JSON_TEXT_PUT(&text, ",\"from\":");
        json_text_string(&text, desk_side_name(answer->side));
    }
    print_line(&text);
}

static void wake(const struct ask *ask)
{
    eventfd_write(ask->changed, 1);
}

static void set_open(struct ask *ask, const struct desk_open *question)
{
    pthread_mutex_lock(&ask->lock);
    ask->open = *question;
    pthread_mutex_unlock(&ask->lock);
    wake(ask);
}

/* By the thread that asks. */
static void told(void *context, const struct desk_open *question, const struct answer *answer)
{
    struct ask *ask = context;

    if (answer) {
        set_open(ask, &(struct desk_open){.id = 0});
        if (ask->side == DESK_TERMINAL)
            tell_person(ask, answer);
        else
            tell_program(question->id, answer, ask->side);
        return;
    }
    if (ask->side == DESK_TERMINAL)
        ask_person(ask, question);
    else
        ask_program(question);
    set_open(ask, question);
}

/*
 * The allowed answer that a line means: as it is written, or the only one that begins so. A step
 * that is done is ended by Enter alone.
 */
static const char *complete(const struct desk_open *question, const char *typed)
{
    const char *found = NULL;

    if (!*typed && question->kind == QUESTION_STEP && question->choice_count)
        return question->choices[0];
    for (unsigned i = 0; *typed && i < question->choice_count; i++) {
        if (!strcasecmp(question->choices[i], typed))
            return question->choices[i];
        if (strncasecmp(question->choices[i], typed, strlen(typed)) != 0)
            continue;
        if (found)
            return typed;
        found = question->choices[i];
    }
    return found ? found : typed;
}

/* Whether the question is closed, as far as this side is concerned. */
static bool answer_typed(struct ask *ask, const struct desk_open *question, char *line)
{
    struct error error = {.text = "an answer is one line"};
    enum desk_result result;

    line[strcspn(line, "\r")] = '\0';
    line += strspn(line, " \t");
    for (size_t end = strlen(line); end && (line[end - 1] == ' ' || line[end - 1] == '\t');)
        line[--end] = '\0';
    result = desk_answer(ask->desk, question->id, complete(question, line), ask->by, ask->side,
                         NULL, &error);
    if (result != DESK_NOT_ALLOWED)
        return true;
    fprintf(stderr, "%s\n", error.text);
    prompt(question);
    return false;
}

static const char *reason(enum desk_result result, const struct answer *first,
                          const struct error *error, char *text, size_t size)
{
    switch (result) {
    case DESK_NOT_ALLOWED:
    case DESK_UNTOLD:
        return error->text;
    case DESK_ANSWERED:
        snprintf(text, size, "'%s' was answered before, by the %s%s%s", first->text,
                 desk_side_name(first->side), *first->by ? ", " : "", first->by);
        return text;
    case DESK_OVER:
        return "the question is over";
    case DESK_NOT_YOURS:
        return "the question is not asked of who answers here";
    default:
        return "no such question was asked yet";
    }
}

/* What is wrong with a line as JSON; NULL: nothing. */
static const char *check_shape(const struct json_value *answer, int64_t *id)
{
    *id = json_int(json_member(answer, "id"));
    if (!json_is(answer, JSON_KIND_OBJECT))
        return "a line is {\"answer\":{\"id\":…,\"answer\":\"…\"}}";
    if (*id < 1)
        return "id is the number of a question";
    JSON_EACH (member, answer) {
        if (strcmp(member->key, "id") != 0 && strcmp(member->key, "answer") != 0 &&
            strcmp(member->key, "by") != 0)
            return "an answer has id, answer and by, and nothing else";
        if (strcmp(member->key, "id") != 0 && !json_is(member, JSON_KIND_STRING))
            return "answer and by are strings";
    }
    return json_member(answer, "answer") ? NULL : "answer is missing";
}

enum desk_result ask_take(struct desk *desk, const struct json_value *answer, enum desk_side side,
                          int64_t *id)
{
    struct error error = {.text = ""};
    char text[2 * DESK_ANSWER_SIZE];
    struct answer first;
    enum desk_result result;
    const char *why = check_shape(answer, id);

    if (why) {
        refuse(*id, why);
        return DESK_UNKNOWN;
    }
    result = desk_answer(desk, (uint64_t)*id, json_chars(json_member(answer, "answer")),
                         json_chars(json_member(answer, "by")), side, &first, &error);
    if (result != DESK_TAKEN)
        refuse(*id, reason(result, &first, &error, text, sizeof text));
    return result;
}

static bool answer_scripted(struct ask *ask, const struct desk_open *question, const char *line)
{
    struct error error = {.text = ""};
    const struct json_value *object = json_read(ask->json, line, strlen(line), &error);
    enum desk_result result;
    int64_t id = 0;

    if (!object) {
        refuse(0, error.text);
        return false;
    }
    result = ask_take(ask->desk, json_count(object) == 1 ? json_member(object, "answer") : NULL,
                      ask->side, &id);
    return result == DESK_TAKEN ||
           ((uint64_t)id == question->id && result != DESK_NOT_ALLOWED && result != DESK_UNKNOWN);
}

/* Takes the first line that was read; false when there is no whole one. */
static bool take_line(struct ask *ask, const struct desk_open *question)
{
    char *end = memchr(ask->input, '\n', ask->length);
    bool is_closed = false;
    size_t used;

    if (!end)
        return false;
    used = (size_t)(end + 1 - ask->input);
    *end = '\0';
    if (ask->is_too_long && ask->side == DESK_SCRIPT)
        refuse(0, "a line is longer than 4096 bytes");
    else if (ask->side == DESK_SCRIPT)
        is_closed = answer_scripted(ask, question, ask->input);
    else if (!ask->is_too_long)
        is_closed = answer_typed(ask, question, ask->input);
    ask->is_too_long = false;
    ask->length -= used;
    memmove(ask->input, ask->input + used, ask->length);
    if (is_closed) {
        pthread_mutex_lock(&ask->lock);
        if (ask->open.id == question->id)
            ask->open.id = 0;
        pthread_mutex_unlock(&ask->lock);
    }
    return true;
}

static void read_input(struct ask *ask)
{
    ssize_t got;

    /* Of a line that does not fit, the last part is kept until its end has come. */
    if (ask->length == LINE_MAX_BYTES) {
        ask->is_too_long = true;
        ask->length = 0;
    }
    got = read(STDIN_FILENO, ask->input + ask->length, LINE_MAX_BYTES - ask->length);
    if (got > 0)
        ask->length += (size_t)got;
    else if (!got || (errno != EINTR && errno != EAGAIN)) {
        ask->is_over = true;
        /* The last line may lack its newline, for which there is always room. */
        if (ask->length)
            ask->input[ask->length++] = '\n';
    }
}

/* Waits until there is something to read, or something has changed. */
static void await(struct ask *ask, bool is_open)
{
    struct pollfd fds[] = {{.fd = ask->changed, .events = POLLIN},
                           {.fd = is_open ? STDIN_FILENO : -1, .events = POLLIN}};
    eventfd_t count;

    if (poll(fds, 2, -1) < 0)
        return;
    if (fds[0].revents)
        eventfd_read(ask->changed, &count);
    if (fds[1].revents)
        read_input(ask);
}

static void *listen_to(void *context)
{
    struct ask *ask = context;

    for (;;) {
        struct desk_open question;
        bool is_closing;

        pthread_mutex_lock(&ask->lock);
        question = ask->open;
        is_closing = ask->is_closing;
        pthread_mutex_unlock(&ask->lock);
        if (is_closing)
            return NULL;
        if (question.id && take_line(ask, &question))
            continue;
        if (question.id && ask->is_over) {
            desk_leave(ask->desk, ask->side);
            return NULL;
        }
        await(ask, question.id > 0);
    }
}

static void free_all(struct ask *ask)
{
    if (ask->changed >= 0)
        close(ask->changed);
    json_reader_free(ask->json);
    pthread_mutex_destroy(&ask->lock);
    free(ask);
}

/* Signals are taken by who watches for them, who may come later. */
static int start(struct ask *ask, struct error *error)
{
    sigset_t all, before;
    int reason;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    reason = pthread_create(&ask->thread, NULL, listen_to, ask);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return reason
               ? error_set(error, ERROR_RIG, "no thread left to read answers: %s", strerror(reason))
               : 0;
}

int ask_open(struct ask **opened, struct desk *desk, enum desk_side side, const char *by,
             struct run_show *show, struct error *error)
{
    struct ask *ask = calloc(1, sizeof *ask);
    int status;

    if (!ask)
        return error_set(error, ERROR_RIG, "no memory for questions");
    pthread_mutex_init(&ask->lock, NULL);
    ask->desk = desk;
    ask->side = side;
    ask->by = by;
    ask->show = show;
    ask->changed = eventfd(0, EFD_CLOEXEC);
    ask->json = json_reader_new(LINE_MAX_BYTES);
    status = ask->changed >= 0 && ask->json
                 ? desk_listen(desk, &(struct desk_reader){told, ask}, error)
                 : error_set(error, ERROR_RIG, "no memory or no descriptor for questions");
    if (!status && side != DESK_PAGE)
        status = start(ask, error);
    if (status) {
        free_all(ask);
        return status;
    }
    *opened = ask;
    return 0;
}

void ask_close(struct ask *ask)
{
    if (!ask)
        return;
    pthread_mutex_lock(&ask->lock);
    ask->is_closing = true;
    pthread_mutex_unlock(&ask->lock);
    wake(ask);
    if (ask->side != DESK_PAGE)
        pthread_join(ask->thread, NULL);
    free_all(ask);
}
