/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The judge of a journal: one question at a time, and an answer that was allowed. */
#include <stdlib.h>
#include <string.h>

#include "rigs/journal/judge.h"

int judge_question(struct judge *judge, const struct journal_line *line, struct error *error)
{
    int64_t id = json_int(json_member(line->fields, "id"));

    if (judge->question)
        return judge_refuse(line, "comes before an answer", error);
    if (id <= judge->asked)
        return judge_refuse(line, "has the number of a question before it", error);
    judge->asked = id;
    judge->question = json_keep(line->fields);
    return judge->question ? 0 : error_set(error, ERROR_RIG, "no memory to read a journal");
}

static bool is_among(const struct json_value *texts, const struct json_value *text)
{
    JSON_EACH (other, texts)
        if (json_same(other, text))
            return true;
    return false;
}

/* Nobody answers what was withdrawn, or what is stated for that. */
static bool is_allowed(const struct json_value *question, const struct json_value *answer,
                       const struct json_value *from)
{
    const struct json_value *answers = json_member(question, "answers");

    if (!strcmp(json_chars(from), "nobody"))
        return json_is(answer, JSON_KIND_NULL) ||
               json_same(answer, json_member(question, "otherwise"));
    return is_among(json_member(question, "from"), from) && json_is(answer, JSON_KIND_STRING) &&
           (!answers || is_among(answers, answer));
}

int judge_answer(struct judge *judge, const struct journal_line *line, struct error *error)
{
    const struct json_value *question = judge->question;

    if (!question || json_int(json_member(line->fields, "id")) != judge->asked)
        return judge_refuse(line, "answers no question", error);
    if (json_int(json_member(line->fields, "took-ms")) < 0)
        return judge_refuse(line, "comes before its question", error);
    if (!is_allowed(question, json_member(line->fields, "answer"),
                    json_member(line->fields, "from")))
        return judge_refuse(line, "has an answer that its question does not allow", error);
    free(judge->question);
    judge->question = NULL;
    return 0;
}
