/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/journal/verify.h"

#include <string.h>
#include <unistd.h>

/* What the lines so far say of each other. */
struct progress {
    const struct journal_verify *verify;
    struct journal_verified *verified;
    int64_t recording; /* the current one, from 1 */
    bool in_round;
    int64_t round;
    int64_t rounds[VERDICT_COUNT];
    int64_t reconnects;
    int64_t question; /* that is open; 0: none */
};

static int out_of_order(const struct journal_line *line, const char *why, struct error *error)
{
    return error_set(error, ERROR_RULE, "line %ju was altered: a %s line %s",
                     (uintmax_t)line->number, journal_kind_name(line->kind), why);
}

static bool has_number(const struct journal_line *line, const char *key, int64_t number)
{
    const struct json_value *value = json_member(line->fields, key);

    return json_is(value, JSON_KIND_INTEGER) && json_int(value) == number;
}

/* A line may stand outside a round; if it names one, it must be the one that is open. */
static int check_place(const struct progress *progress, const struct journal_line *line,
                       struct error *error)
{
    if (progress->in_round ? has_number(line, "recording", progress->recording) &&
                                 has_number(line, "round", progress->round)
                           : !json_member(line->fields, "round"))
        return 0;
    return out_of_order(line, "does not belong to the round around it", error);
}

static void check_file(struct progress *progress, const struct json_value *path,
                       const struct json_value *digest)
{
    struct journal_verified *verified = progress->verified;
    enum journal_file_state state = JOURNAL_FILE_DIFFERS;
    char now[DIGEST_SIZE];

    if (!json_is(path, JSON_KIND_STRING) || !json_is(digest, JSON_KIND_STRING))
        return;
    if (access(json_chars(path), R_OK) || digest_file(json_chars(path), now, NULL) < 0)
        state = JOURNAL_FILE_MISSING;
    else if (!strcmp(now, json_chars(digest)))
        state = JOURNAL_FILE_SAME;
    verified->files++;
    verified->differing += state == JOURNAL_FILE_DIFFERS;
    verified->missing += state == JOURNAL_FILE_MISSING;
    if (progress->verify->file)
        progress->verify->file(progress->verify->context, json_chars(path), state);
}

static int see_recording(struct progress *progress, const struct journal_line *line,
                         struct error *error)
{
    if (progress->in_round)
        return out_of_order(line, "stands inside a round", error);
    if (!has_number(line, "recording", ++progress->recording))
        return out_of_order(line, "does not follow the recording before it", error);
    check_file(progress, json_member(line->fields, "path"), json_member(line->fields, "sha256"));
    check_file(progress, json_member(line->fields, "expect"),
               json_member(line->fields, "expect-sha256"));
    return 0;
}

static int see_round(struct progress *progress, const struct journal_line *line,
                     struct error *error)
{
    const struct json_value *round = json_member(line->fields, "round");

    if (progress->in_round)
        return out_of_order(line, "stands inside a round", error);
    if (!progress->recording || !has_number(line, "recording", progress->recording) ||
        !json_is(round, JSON_KIND_INTEGER))
        return out_of_order(line, "does not belong to the recording before it", error);
    progress->in_round = true;
    progress->round = json_int(round);
    progress->verified->rounds++;
    return 0;
}

/* A question is open until its answer, and there is one at a time. */
static int see_question(struct progress *progress, const struct journal_line *line,
                        struct error *error)
{
    int64_t id = json_int(json_member(line->fields, "id"));
    bool is_answer = line->kind == JOURNAL_ANSWER;

    if (id < 1 || (is_answer ? id != progress->question : progress->question > 0))
        return out_of_order(line, is_answer ? "answers no question" : "comes before an answer",
                            error);
    progress->question = is_answer ? 0 : id;
    return check_place(progress, line, error);
}

static int see_verdict(struct progress *progress, const struct journal_line *line,
                       struct error *error)
{
    const char *name = json_chars(json_member(line->fields, "verdict"));
    enum verdict verdict;

    if (!name || !verdict_parse(name, &verdict))
        return out_of_order(line, "has no known verdict", error);
    if (!progress->in_round)
        return out_of_order(line, "stands outside of a round", error);
    progress->in_round = false;
    progress->rounds[verdict]++;
    return 0;
}

static int see_end(const struct progress *progress, const struct journal_line *line,
                   struct error *error)
{
    const struct json_value *rounds = json_member(line->fields, "rounds");

    for (unsigned i = 0; i < VERDICT_COUNT; i++) {
        const struct json_value *count = json_member(rounds, verdict_name((enum verdict)i));

        if (!json_is(count, JSON_KIND_INTEGER) || json_int(count) != progress->rounds[i])
            return out_of_order(line, "has other totals than its rounds", error);
    }
    if (json_member(line->fields, "reconnects") &&
        !has_number(line, "reconnects", progress->reconnects))
        return out_of_order(line, "has another total than its reconnects", error);
    return 0;
}

static int see_line(struct progress *progress, const struct journal_line *line, struct error *error)
{
    const struct json_value *rig = json_member(line->fields, "rig");
    int status = 0;

    switch (line->kind) {
    case JOURNAL_START:
        check_file(progress, json_member(rig, "path"), json_member(rig, "sha256"));
        return 0;
    case JOURNAL_RECORDING:
        return see_recording(progress, line, error);
    case JOURNAL_ROUND:
        return see_round(progress, line, error);
    case JOURNAL_VERDICT:
        status = check_place(progress, line, error);
        return status ? status : see_verdict(progress, line, error);
    case JOURNAL_SETTLED:
        if (!progress->in_round)
            return out_of_order(line, "stands outside of a round", error);
        return check_place(progress, line, error);
    case JOURNAL_RECONNECT:
        progress->reconnects += json_int(json_member(line->fields, "times"));
        return check_place(progress, line, error);
    case JOURNAL_EVENT:
    case JOURNAL_RETRY:
    case JOURNAL_WAIT:
    case JOURNAL_CHECK:
        return check_place(progress, line, error);
    case JOURNAL_QUESTION:
    case JOURNAL_ANSWER:
        return see_question(progress, line, error);
    case JOURNAL_END:
        return see_end(progress, line, error);
    default:
        return 0;
    }
}

static int check_digest(const struct journal_verify *verify, const struct journal_ending *ending,
                        struct error *error)
{
    if (!verify->digest || !strcmp(verify->digest, ending->digest))
        return 0;
    return error_set(
        error, ERROR_RULE,
        "line %ju, the last one, has digest %s, not %s: lines are missing after it, or "
        "the journal was written anew",
        (uintmax_t)ending->lines, ending->digest, verify->digest);
}

int journal_verify(const char *path, const struct journal_verify *verify,
                   struct journal_verified *verified, struct error *error)
{
    struct progress progress = {.verify = verify, .verified = verified};
    struct journal_reader *reader;
    struct journal_line line;
    int status;

    *verified = (struct journal_verified){0};
    status = journal_reader_open(path, &reader, error);
    if (status < 0)
        return status;
    while ((status = journal_reader_next(reader, &line, error)) > 0) {
        status = see_line(&progress, &line, error);
        if (status < 0)
            break;
    }
    journal_reader_ending(reader, &verified->ending);
    journal_reader_close(reader);
    if (!status)
        status = check_digest(verify, &verified->ending, error);
    if (status < 0)
        error_prefix(error, "%s", strcmp(path, "-") ? path : "standard input");
    return status;
}
