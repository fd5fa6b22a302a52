/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/station_questions.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hal/base/json.h"
#include "tools/output.h"

/* The kind of that name; a question of none of them can still be answered in words. */
static enum question_kind kind_of(const char *name)
{
    unsigned kind = 0;

    while (name && kind < QUESTION_KINDS && strcmp(question_kinds[kind], name))
        kind++;
    return name && kind < QUESTION_KINDS ? (enum question_kind)kind : QUESTION_STEP;
}

static void send_answer(const struct station_questions *questions, int64_t id,
                        const struct answer *answer)
{
    char buffer[6 * (DESK_ANSWER_SIZE + DESK_NAME_SIZE) + 128];
    struct json_text text;
    struct error error;

    json_text_begin(&text, buffer, sizeof buffer);
    JSON_TEXT_PUT(&text, "{\"answer\":{\"id\":");
    json_text_number(&text, id);
    JSON_TEXT_PUT(&text, ",\"answer\":");
    json_text_string(&text, answer->text);
    if (*answer->by) {
        JSON_TEXT_PUT(&text, ",\"by\":");
        json_text_string(&text, answer->by);
    }
    JSON_TEXT_PUT(&text, "}}\n");
    output_write(questions->child->answers, -1, buffer, (size_t)(text.at - buffer), &error);
}

/* The end of its time is the asker's own business. */
static void ask(struct station_questions *questions, const struct json_value *asked)
{
    const char *text = json_chars(json_member(asked, "text"));
    int64_t id = json_int(json_member(asked, "id"));
    int64_t limit = json_int(json_member(asked, "limit-ms"));
    struct question question = {.kind = kind_of(json_chars(json_member(asked, "ask"))),
                                .text = text ? text : "",
                                .seat = (unsigned)json_int(json_member(asked, "seat")),
                                .limit_ms = limit > 0 ? (uint32_t)limit : 0,
                                .otherwise = json_chars(json_member(asked, "otherwise"))};
    struct answer answer;
    struct error error;
    unsigned count = 0;

    JSON_EACH (choice, json_member(asked, "answers"))
        if (count < DESK_CHOICES_MAX && json_chars(choice))
            question.choices[count++] = json_chars(choice);
    if (id < 1)
        return;
    desk_count_from(questions->desk, (uint64_t)id);
    if (!desk_ask(questions->desk, &questions->hal, &question, &answer, &error) && answer.side)
        send_answer(questions, id, &answer);
}

static void *pass_on(void *context)
{
    struct station_questions *questions = context;
    struct json_reader *reader = json_reader_new(JSON_LONGEST);
    FILE *said = fdopen(dup(questions->child->said), "r");
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    struct error error;

    while (reader && said && (length = getline(&line, &room, said)) > 0) {
        const struct json_value *question =
            json_member(json_read(reader, line, (size_t)length, NULL), "question");

        if (question)
            ask(questions, question);
        else
            output_write(questions->output, -1, line, (size_t)length, &error);
    }
    free(line);
    if (said)
        fclose(said);
    json_reader_free(reader);
    return NULL;
}

int station_questions_start(struct station_questions *questions, struct desk *desk,
                            const struct station_child *child, int output, struct error *error)
{
    sigset_t all, before;
    int status;

    *questions = (struct station_questions){.desk = desk, .child = child, .output = output};
    clock_real(&questions->clock);
    status = hal_open(&questions->hal, &questions->clock, error);
    if (status)
        return status;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    status = pthread_create(&questions->thread, NULL, pass_on, questions);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!status)
        return 0;
    hal_close(&questions->hal);
    return error_set(error, ERROR_RIG, "no thread to pass on questions");
}

void station_questions_end(struct station_questions *questions)
{
    hal_cancel(&questions->hal);
    pthread_join(questions->thread, NULL);
    hal_close(&questions->hal);
}
