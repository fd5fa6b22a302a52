/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/init/inquiry.h"

#include <string.h>

static int check_answer(const void *context, const char *answer, struct error *error)
{
    const struct inquiry *inquiry = context;

    if (!*answer && !inquiry->suggested)
        return error_set(error, ERROR_CONFIG, "there is no usual answer to this");
    return *answer ? inquiry->check(inquiry->init, inquiry->class, answer, error) : 0;
}

/* Without anybody who is asked: what was given, or what is sure. */
static int answer_alone(const struct inquiry *inquiry, char answer[DESK_ANSWER_SIZE],
                        struct error *error)
{
    const char *text = inquiry->given ? inquiry->given : inquiry->suggested;

    if (!text)
        return error_set(error, ERROR_CONFIG, "%s No answer is sure; say it by --%s", inquiry->text,
                         inquiry->option);
    if (strlen(text) >= DESK_ANSWER_SIZE)
        return error_set(error, ERROR_CONFIG, "--%s has at most %d bytes", inquiry->option,
                         DESK_ANSWER_SIZE - 1);
    strcpy(answer, text);
    if (check_answer(inquiry, answer, error) == 0)
        return 0;
    error_prefix(error, "--%s", inquiry->option);
    return ERROR_CONFIG;
}

int init_inquire(const struct init *init, struct inquiry *inquiry, char answer[DESK_ANSWER_SIZE],
                 struct error *error)
{
    struct question question = {
        .kind = QUESTION_SETUP, .text = inquiry->text, .check = check_answer, .context = inquiry};
    size_t length = strlen(inquiry->text);
    struct answer said;
    int status;

    inquiry->init = init;
    if (inquiry->given || !init->desk)
        return answer_alone(inquiry, answer, error);
    if (inquiry->suggested)
        snprintf(inquiry->text + length, sizeof inquiry->text - length, " [%s]",
                 inquiry->suggested);
    status = desk_ask(init->desk, &init->hal, &question, &said, error);
    if (!status)
        snprintf(answer, DESK_ANSWER_SIZE, "%s", *said.text ? said.text : inquiry->suggested);
    return status;
}

int init_none_of(const char *answer, const char *known, struct error *error)
{
    return error_set(error, ERROR_CONFIG, "'%.40s' is none of: %s", answer, known);
}
