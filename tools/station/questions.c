/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/station/questions.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hal/base/json.h"
#include "tools/output.h"

/*
 * A question with a limit is over here a little before it is there, so that an answer that was
 * taken is never too late on its way.
 */
#define ON_ITS_WAY_MS 500
#define REPLY_S       3 /* that a command may take to say whether it takes an answer */

/* The kind of that name; a question of none of them can still be answered in words. */
static enum question_kind kind_of(const char *name)
{
    unsigned kind = 0;

    while (name && kind < QUESTION_KINDS && strcmp(question_kinds[kind], name))
        kind++;
    return name && kind < QUESTION_KINDS ? (enum question_kind)kind : QUESTION_STEP;
}

/* Fits into one write to a pipe, which orders are written to at the same time. */
static bool send_answer(const struct station_questions *questions, const char *answer,
                        const char *by)
{
    char buffer[6 * (DESK_ANSWER_SIZE + DESK_NAME_SIZE) + 128];
    struct json_text text;

    json_text_begin(&text, buffer, sizeof buffer);
    JSON_TEXT_PUT(&text, "{\"answer\":{\"id\":");
    json_text_number(&text, questions->id);
    JSON_TEXT_PUT(&text, ",\"answer\":");
    json_text_string(&text, answer);
    if (by && *by) {
        JSON_TEXT_PUT(&text, ",\"by\":");
        json_text_string(&text, by);
    }
    JSON_TEXT_PUT(&text, "}}\n");
    return station_child_tell(questions->child, buffer, (size_t)(text.at - buffer));
}

/* With the lock held: what the command says of the answer on its way, as soon as it does. */
static enum station_reply await_reply(struct station_questions *questions,
                                      const struct timespec *until)
{
    while (!questions->reply && !questions->is_over && !questions->is_ending)
        if (pthread_cond_clockwait(&questions->changed, &questions->lock, CLOCK_MONOTONIC, until))
            break;
    if (questions->reply)
        return questions->reply;
    return questions->is_over || questions->is_ending ? REPLY_OVER : REPLY_NONE;
}

/* With the lock held: gives the command an answer, and says what became of it. */
static enum station_reply give(struct station_questions *questions, const char *answer,
                               const char *by, const struct timespec *until)
{
    enum station_reply reply;

    if (!send_answer(questions, answer, by))
        return REPLY_UNREAD;
    questions->reply = REPLY_NONE;
    questions->is_on_its_way = questions->is_awaited = true;
    reply = await_reply(questions, until);
    questions->is_awaited = false;
    return reply;
}

/*
 * With the lock held. Nobody could tell which of two answers a reply is of, so the next is given
 * when something was said of the one before, whoever gave that has stopped waiting.
 */
static enum station_reply give_next(struct station_questions *questions, const char *answer,
                                    const char *by)
{
    enum station_reply before = REPLY_REFUSED;
    struct timespec until;

    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += REPLY_S;
    if (questions->is_over)
        return REPLY_OVER;
    if (questions->is_on_its_way)
        before = await_reply(questions, &until);
    if (before == REPLY_REFUSED)
        return give(questions, answer, by, &until);
    return before == REPLY_NONE ? REPLY_UNREAD : REPLY_OVER;
}

/* The command alone knows which cards were seen and which wagers the table takes. */
static int pass_on(void *asker, const char *answer, const char *by, struct error *error)
{
    struct station_questions *questions = asker;
    enum station_reply reply;
    int status = 0;

    pthread_mutex_lock(&questions->lock);
    reply = give_next(questions, answer, by);
    if (reply == REPLY_REFUSED)
        status = error_set(error, ERROR_CONFIG, "%s", questions->why.text);
    else if (reply == REPLY_NONE)
        status = error_set(error, ERROR_RIG,
                           "the run has not said within %d seconds whether it takes that; look at "
                           "what is asked before you answer again",
                           REPLY_S);
    else if (reply == REPLY_UNREAD)
        status =
            error_set(error, ERROR_RIG,
                      "the run does not read what it is told, so it was not given that answer");
    else if (reply == REPLY_OVER)
        status = error_set(error, ERROR_TIMEOUT, "the question is over");
    pthread_mutex_unlock(&questions->lock);
    return status;
}

static uint32_t limit_of(const struct json_value *asked)
{
    int64_t limit = json_int(json_member(asked, "limit-ms"));

    if (limit <= 0 || limit > UINT32_MAX)
        return 0;
    return (uint32_t)(limit - (limit / 10 < ON_ITS_WAY_MS ? limit / 10 : ON_ITS_WAY_MS));
}

static void ask(struct station_questions *questions, const struct json_value *asked)
{
    const char *text = json_chars(json_member(asked, "text"));
    int64_t id = json_int(json_member(asked, "id"));
    struct question question = {.kind = kind_of(json_chars(json_member(asked, "ask"))),
                                .text = text ? text : "",
                                .seat = (unsigned)json_int(json_member(asked, "seat")),
                                .limit_ms = limit_of(asked),
                                .refer = pass_on,
                                .asker = questions,
                                .otherwise = json_chars(json_member(asked, "otherwise"))};
    struct answer answer;
    struct error error;
    unsigned count = 0;

    JSON_EACH (choice, json_member(asked, "answers"))
        if (count < DESK_CHOICES_MAX && json_chars(choice))
            question.choices[count++] = json_chars(choice);
    if (id < 1)
        return;
    pthread_mutex_lock(&questions->lock);
    questions->id = id;
    questions->reply = REPLY_NONE;
    questions->is_on_its_way = questions->is_over = false;
    pthread_mutex_unlock(&questions->lock);
    desk_count_from(questions->desk, questions->run, (uint64_t)id);
    desk_ask(questions->desk, &questions->hal, &question, &answer, &error);
}

static void *ask_all(void *context)
{
    struct station_questions *questions = context;
    struct json_reader *json = json_reader_new(JSON_LONGEST);

    pthread_mutex_lock(&questions->lock);
    while (!questions->is_ending) {
        const struct json_value *line;

        if (!questions->line) {
            pthread_cond_wait(&questions->changed, &questions->lock);
            continue;
        }
        pthread_mutex_unlock(&questions->lock);
        line = json ? json_read(json, questions->line, strlen(questions->line), NULL) : NULL;
        ask(questions, json_member(line, "question"));
        pthread_mutex_lock(&questions->lock);
        free(questions->line);
        questions->line = NULL;
        pthread_cond_broadcast(&questions->changed);
    }
    pthread_mutex_unlock(&questions->lock);
    json_reader_free(json);
    return NULL;
}

/* With the lock held: waits until nothing is asked. */
static void await_asker(struct station_questions *questions)
{
    while (questions->line && !questions->is_ending)
        pthread_cond_wait(&questions->changed, &questions->lock);
}

static void hand_over(struct station_questions *questions, const char *line)
{
    pthread_mutex_lock(&questions->lock);
    await_asker(questions);
    if (!questions->is_ending)
        questions->line = strdup(line);
    pthread_cond_broadcast(&questions->changed);
    pthread_mutex_unlock(&questions->lock);
}

/* The command has closed its question by itself. */
static void withdraw(struct station_questions *questions)
{
    pthread_mutex_lock(&questions->lock);
    if (questions->line && !questions->is_ending) {
        hal_cancel(&questions->hal);
        await_asker(questions);
        if (!questions->is_ending)
            hal_resume(&questions->hal);
    }
    pthread_mutex_unlock(&questions->lock);
}

/*
 * What the command says of the answer on its way, or that its question is over. True where who gave
 * the answer waits for that.
 */
static bool tell_reply(struct station_questions *questions, enum station_reply reply,
                       const struct json_value *of)
{
    const char *why = json_chars(json_member(of, "why"));
    bool is_awaited = false;

    pthread_mutex_lock(&questions->lock);
    if (json_int(json_member(of, "id")) == questions->id) {
        is_awaited = questions->is_awaited && questions->is_on_its_way;
        questions->is_over |= !is_awaited && reply != REPLY_REFUSED;
        questions->is_on_its_way = false;
        questions->reply = is_awaited || reply == REPLY_REFUSED ? reply : REPLY_OVER;
        error_set(&questions->why, ERROR_CONFIG, "%s", why ? why : "that is not allowed");
        pthread_cond_broadcast(&questions->changed);
    }
    pthread_mutex_unlock(&questions->lock);
    return is_awaited;
}

/* A line that the command has said. */
static void hear(struct station_questions *questions, const struct json_value *object,
                 const char *line)
{
    const struct json_value *taken = json_member(object, "taken");
    const struct json_value *over = json_member(object, "over");

    if (json_member(object, "question"))
        hand_over(questions, line);
    else if (json_member(object, "refused"))
        tell_reply(questions, REPLY_REFUSED, json_member(object, "refused"));
    else if (taken && !tell_reply(questions, REPLY_TAKEN, taken))
        withdraw(questions);
    else if (over) {
        tell_reply(questions, REPLY_OVER, over);
        withdraw(questions);
    }
}

static void *read_all(void *context)
{
    struct station_questions *questions = context;
    struct json_reader *json = json_reader_new(JSON_LONGEST);
    FILE *said = fdopen(dup(questions->child->said), "r");
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    struct error error;

    while (json && said && (length = getline(&line, &room, said)) > 0) {
        const struct json_value *object = json_read(json, line, (size_t)length, NULL);

        output_write(questions->output, -1, line, (size_t)length, &error);
        hear(questions, object, line);
    }
    free(line);
    if (said)
        fclose(said);
    json_reader_free(json);
    return NULL;
}

/* Signals are for the thread that waits for them. */
static int start_threads(struct station_questions *questions)
{
    sigset_t all, before;
    int failed;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    failed = pthread_create(&questions->asker, NULL, ask_all, questions);
    if (!failed && pthread_create(&questions->reader, NULL, read_all, questions)) {
        failed = 1;
        pthread_mutex_lock(&questions->lock);
        questions->is_ending = true;
        pthread_cond_broadcast(&questions->changed);
        pthread_mutex_unlock(&questions->lock);
        pthread_join(questions->asker, NULL);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failed;
}

int station_questions_start(struct station_questions *questions, struct desk *desk,
                            const struct station_child *child, unsigned run, int output,
                            struct error *error)
{
    int status;

    *questions =
        (struct station_questions){.desk = desk, .child = child, .run = run, .output = output};
    clock_real(&questions->clock);
    status = hal_open(&questions->hal, &questions->clock, error);
    if (status)
        return status;
    pthread_mutex_init(&questions->lock, NULL);
    pthread_cond_init(&questions->changed, NULL);
    if (!start_threads(questions))
        return 0;
    pthread_cond_destroy(&questions->changed);
    pthread_mutex_destroy(&questions->lock);
    hal_close(&questions->hal);
    return error_set(error, ERROR_RIG, "no thread to pass on questions");
}

void station_questions_end(struct station_questions *questions)
{
    pthread_mutex_lock(&questions->lock);
    questions->is_ending = true;
    hal_cancel(&questions->hal);
    pthread_cond_broadcast(&questions->changed);
    pthread_mutex_unlock(&questions->lock);
    pthread_join(questions->asker, NULL);
    pthread_join(questions->reader, NULL);
    free(questions->line);
    pthread_cond_destroy(&questions->changed);
    pthread_mutex_destroy(&questions->lock);
    hal_close(&questions->hal);
}
