/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/journal/judge.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "hal/base/digest.h"
#include "rigs/journal/entry.h"
#include "rigs/journal/schema.h"

int judge_refuse(const struct journal_line *line, const char *why, struct error *error)
{
    const char *kind = journal_kind_name(line->kind);

    return error_set(error, ERROR_RULE, "line %ju was altered: %s %s line %s",
                     (uintmax_t)line->number, strchr("aeiou", kind[0]) ? "an" : "a", kind, why);
}

bool judge_add(int64_t *sum, const struct json_value *count)
{
    return json_is(count, JSON_KIND_INTEGER) && count->integer >= 0 &&
           !__builtin_add_overflow(*sum, count->integer, sum);
}

static const char *text_of(const struct journal_line *line, const char *key)
{
    const char *text = json_chars(json_member(line->fields, key));

    return text ? text : "";
}

static bool has_number(const struct journal_line *line, const char *key, int64_t number)
{
    const struct json_value *value = json_member(line->fields, key);

    return json_is(value, JSON_KIND_INTEGER) && json_int(value) == number;
}

bool judge_is_digest(const struct json_value *value)
{
    return json_is(value, JSON_KIND_STRING) && value->length == DIGEST_DIGITS &&
           strspn(value->text, "0123456789abcdef") == DIGEST_DIGITS;
}

static bool is_digest_or_null(const struct json_value *value)
{
    return json_is(value, JSON_KIND_NULL) || judge_is_digest(value);
}

static bool are_all(const struct json_value *container, enum json_kind kind)
{
    JSON_EACH (value, container)
        if (value->kind != kind)
            return false;
    return true;
}

static bool is_in_calendar(const char *text)
{
    struct tm day = {.tm_isdst = 0}, same;
    time_t time;

    if (sscanf(text, "%4d-%2d-%2dT%2d:%2d:%2dZ", &day.tm_year, &day.tm_mon, &day.tm_mday,
               &day.tm_hour, &day.tm_min, &day.tm_sec) != 6)
        return false;
    day.tm_year -= 1900;
    day.tm_mon--;
    same = day;
    time = timegm(&same);
    return gmtime_r(&time, &same) && same.tm_mon == day.tm_mon && same.tm_mday == day.tm_mday &&
           same.tm_hour == day.tm_hour && same.tm_min == day.tm_min && same.tm_sec == day.tm_sec;
}

bool judge_is_date(const struct json_value *value)
{
    static const char form[] = "0000-00-00T00:00:00Z";
    const char *text = json_chars(value);

    for (size_t i = 0; text && i < sizeof form; i++)
        if (form[i] == '0' ? text[i] < '0' || text[i] > '9' : text[i] != form[i])
            return false;
    return text && is_in_calendar(text);
}

/* A file and its digest. */
static bool is_named(const struct json_value *file)
{
    return json_chars(json_member(file, "path")) && judge_is_digest(json_member(file, "sha256"));
}

/* Of the 64 bits that a seed has. */
static bool is_seed(const char *text)
{
    char *end;

    errno = 0;
    strtoull(text, &end, 10);
    return *text && strspn(text, "0123456789") == strlen(text) && !errno;
}

static bool is_run_id(const char *text)
{
    return strspn(text, "0123456789abcdef") == JOURNAL_RUN_DIGITS && !text[JOURNAL_RUN_DIGITS];
}

static int judge_start(struct judge *judge, const struct journal_line *line, struct error *error)
{
    const struct json_value *rig = json_member(line->fields, "rig");
    const struct json_value *rounds = json_member(line->fields, "rounds");
    const char *clock = text_of(line, "clock"), *run = json_chars(json_member(line->fields, "run"));
    bool has_date = json_member(line->fields, "date") != NULL;

    judge->is_virtual = !strcmp(clock, "virtual");
    if (!judge->is_virtual && strcmp(clock, "real"))
        return judge_refuse(line, "knows neither a virtual nor a real clock", error);
    if (has_date == judge->is_virtual)
        return judge_refuse(line, has_date ? "has a date in virtual time" : "has no date", error);
    if (has_date && !judge_is_date(json_member(line->fields, "date")))
        return judge_refuse(line, "has a date that is none", error);
    if (run && (judge->is_virtual || !is_run_id(run)))
        return judge_refuse(
            line, judge->is_virtual ? "has a run id in virtual time" : "has a run id that is none",
            error);
    if (judge->is_virtual && json_member(line->fields, "host"))
        return judge_refuse(line, "names a host in virtual time", error);
    if (!is_seed(text_of(line, "seed")))
        return judge_refuse(line, "has a seed that is no number of 64 bits", error);
    if (rounds && json_int(rounds) < 0)
        return judge_refuse(line, "announces fewer rounds than none", error);
    judge->announced = rounds ? json_int(rounds) : -1;
    if (!are_all(json_member(line->fields, "libraries"), JSON_KIND_STRING) ||
        !are_all(json_member(line->fields, "command"), JSON_KIND_STRING))
        return judge_refuse(line, "has libraries or a command that are no texts", error);
    if (json_is(rig, JSON_KIND_OBJECT) && !is_named(rig))
        return judge_refuse(line, "does not say which rig it is of", error);
    JSON_EACH (file, json_member(line->fields, "files"))
        if (!is_named(file))
            return judge_refuse(line, "does not say which files its rig names", error);
    return 0;
}

/* Nobody knows beforehand how long people play who are only observed. */
static bool is_counted(const struct judge_recording *recording)
{
    return recording->announced || !recording->is_observed;
}

static bool is_complete(const struct judge_recording *recording)
{
    return recording->judged == recording->announced || !is_counted(recording);
}

static bool agree(const struct journal_line *line, const char *path, const char *digest)
{
    return is_digest_or_null(json_member(line->fields, digest)) &&
           (json_is(json_member(line->fields, path), JSON_KIND_STRING) ||
            json_is(json_member(line->fields, digest), JSON_KIND_NULL));
}

static int judge_recording(struct judge *judge, const struct journal_line *line,
                           struct error *error)
{
    struct judge_recording *recording = &judge->recording;
    const struct json_value *rounds = json_member(line->fields, "rounds");

    if (judge->round.is_open)
        return judge_refuse(line, "stands inside a round", error);
    if (!has_number(line, "recording", recording->number + 1))
        return judge_refuse(line, "does not follow the recording before it", error);
    if (recording->number && !is_complete(recording)) {
        if (!judge->is_virtual)
            return judge_refuse(line, "comes before all rounds of the recording above have", error);
        judge->is_short = true;
    }
    if (!agree(line, "path", "sha256") || !agree(line, "expect", "expect-sha256"))
        return judge_refuse(line, "has a digest of nothing, or one that is none", error);
    if (json_int(rounds) < 0)
        return judge_refuse(line, "announces fewer rounds than none", error);
    *recording = (struct judge_recording){
        .number = recording->number + 1,
        .announced = json_int(rounds),
        .is_observed = json_is(json_member(line->fields, "expect"), JSON_KIND_NULL)};
    judge->totals.recordings++;
    return 0;
}

/* What was played has a number of its own, unless it could not be read. */
static bool is_played(const struct journal_line *line, int64_t number)
{
    const struct json_value *played = json_member(line->fields, "played");
    const struct json_value *own = json_member(played, "round");

    return !json_is(own, JSON_KIND_INTEGER) || json_int(own) == number;
}

static int judge_round(struct judge *judge, const struct journal_line *line, struct error *error)
{
    const struct judge_recording *recording = &judge->recording;
    const struct json_value *round = json_member(line->fields, "round");

    if (judge->round.is_open)
        return judge_refuse(line, "stands inside a round", error);
    if (!recording->number || !has_number(line, "recording", recording->number) ||
        !json_is(round, JSON_KIND_INTEGER))
        return judge_refuse(line, "does not belong to the recording before it", error);
    if (judge->question)
        return judge_refuse(line, "comes before an answer", error);
    if (judge->owed)
        return judge_refuse(line, JUDGE_OWED, error);
    if (is_counted(recording) && is_complete(recording))
        return judge_refuse(line, "is one more than its recording has", error);
    if (!is_played(line, json_int(round)) ||
        (recording->is_observed && json_int(round) != recording->judged + 1))
        return judge_refuse(line, "has another number than what was played", error);
    judge->round = (struct judge_round){.is_open = true, .number = json_int(round)};
    return 0;
}

/* A line may stand outside a round; if it names one, it must be the one that is open. */
static int judge_place(const struct judge *judge, const struct journal_line *line,
                       struct error *error)
{
    if (judge->round.is_open ? has_number(line, "recording", judge->recording.number) &&
                                   has_number(line, "round", judge->round.number)
                             : !json_member(line->fields, "round"))
        return 0;
    return judge_refuse(line, "does not belong to the round around it", error);
}

/* "rig" is the program itself. */
static int judge_speaker(const struct judge *judge, const struct journal_line *line,
                         struct error *error)
{
    const char *device = text_of(line, "device");

    if (judge_knows_device(judge, device) || !strcmp(device, "rig"))
        return 0;
    return judge_refuse(line, "is of a device that no line has told of", error);
}

static int judge_telling(struct judge *judge, const struct journal_line *line, struct error *error)
{
    int status = judge_speaker(judge, line, error);

    return status ? status : judge_software(judge, line, error);
}

static int judge_event(struct judge *judge, const struct journal_line *line, struct error *error)
{
    static const char *const dealt[] = {"packet-present", "card", "card-again"};
    const struct json_value *at = json_member(line->fields, "at");
    const char *event = text_of(line, "event");
    struct judge_round *round = &judge->round;

    for (size_t i = 0; i < sizeof dealt / sizeof dealt[0]; i++)
        round->is_dealt |= !strcmp(event, dealt[i]);
    if (at && (json_int(at) == line->time || (judge->is_virtual && json_int(at) > line->time)))
        return judge_refuse(line, "tells of what has not happened yet", error);
    if (strcmp(event, "observed") || strcmp(text_of(line, "device"), "rig"))
        return judge_telling(judge, line, error);
    if (!round->is_open || !judge->recording.is_observed || round->is_observed)
        return judge_refuse(line, "tells of a round that is not observed, or twice of one", error);
    round->is_observed = true;
    return 0;
}

static int judge_retry(struct judge *judge, const struct journal_line *line, struct error *error)
{
    if (json_int(json_member(line->fields, "attempt")) < 1)
        return judge_refuse(line, "tells of an attempt before the first", error);
    judge->totals.retries++;
    return judge_speaker(judge, line, error);
}

static int judge_reconnect(struct judge *judge, const struct journal_line *line,
                           struct error *error)
{
    const struct json_value *times = json_member(line->fields, "times");

    if (json_int(times) < 1 || !judge_add(&judge->totals.reconnects, times) ||
        json_int(json_member(line->fields, "tries")) < 0 ||
        json_int(json_member(line->fields, "away-ms")) < 0)
        return judge_refuse(line, "has counts that cannot be", error);
    if (json_is(json_member(line->fields, "same"), JSON_KIND_FALSE) && !judge->round.is_other)
        return judge_refuse(line, "is of another device, and no check of identity failed", error);
    return judge_speaker(judge, line, error);
}

static int judge_operator(const struct judge *judge, const struct journal_line *line,
                          struct error *error)
{
    const char *from = text_of(line, "from");

    if (judge->round.is_open)
        return judge_refuse(line, "stands inside a round", error);
    if (!*text_of(line, "name"))
        return judge_refuse(line, "names nobody", error);
    if (strcmp(from, "command") && strcmp(from, "page"))
        return judge_refuse(line, "is from nowhere that is known", error);
    return 0;
}

static int judge_ordered(const struct journal_line *line, struct error *error)
{
    static const char *const known[] = {"start", "pause", "continue", "stop", "stop-now"};
    size_t at = 0;

    while (at < sizeof known / sizeof known[0] && strcmp(known[at], text_of(line, "do")))
        at++;
    if (at == sizeof known / sizeof known[0])
        return judge_refuse(line, "orders what cannot be ordered", error);
    if (!*text_of(line, "by"))
        return judge_refuse(line, "names nobody", error);
    if (strcmp(text_of(line, "from"), "page"))
        return judge_refuse(line, "is from nowhere that is known", error);
    return 0;
}

static int judge_wait(const struct judge *judge, const struct journal_line *line,
                      struct error *error)
{
    const struct json_value *limit = json_member(line->fields, "limit-ms");

    if (judge->is_virtual)
        return judge_refuse(line, "waits in virtual time", error);
    if (limit && json_int(limit) < 1)
        return judge_refuse(line, "waits for no time at all", error);
    return judge_speaker(judge, line, error);
}

static int judge_settled(struct judge *judge, const struct journal_line *line, struct error *error)
{
    const struct json_value *settlement = json_member(line->fields, "settlement");
    const struct json_value *number = json_member(settlement, "round");
    struct judge_round *round = &judge->round;

    if (round->is_settled)
        return judge_refuse(line, "is the second of its round", error);
    if (json_is(number, JSON_KIND_INTEGER) && json_int(number) != round->number)
        return judge_refuse(line, "settles another round", error);
    round->is_settled = true;
    round->is_unsettled = json_member(settlement, "error") != NULL;
    return 0;
}

/* What line 1 announces, unless the run was stopped. */
static int judge_announced(const struct judge *judge, const struct journal_line *line,
                           struct error *error)
{
    bool has_why = json_member(line->fields, "why") != NULL;
    int64_t rounds = 0;

    for (unsigned i = 0; i < VERDICT_COUNT; i++)
        rounds += judge->totals.rounds[i];
    if (judge->announced < 0 || rounds == judge->announced)
        return 0;
    if (rounds > judge->announced)
        return judge_refuse(line, "comes after more rounds than line 1 announces", error);
    return has_why || judge->last > VERDICT_PASS
               ? 0
               : judge_refuse(line,
                              "comes before all rounds that line 1 announces, and does not say why",
                              error);
}

static int judge_end_line(const struct judge *judge, const struct journal_line *line,
                          struct error *error)
{
    const struct judge_recording *recording = &judge->recording;
    bool has_why = json_member(line->fields, "why") != NULL;
    bool is_aborted = !strcmp(text_of(line, "verdict"), "aborted");
    int status;

    if ((judge->round.is_open || judge->question) && !is_aborted &&
        strcmp(text_of(line, "verdict"), "rig"))
        return judge_refuse(line, "stands inside a round", error);
    if (judge->owed && !is_aborted && strcmp(text_of(line, "verdict"), "rig"))
        return judge_refuse(line, JUDGE_OWED, error);
    /* Benches side by side are each stopped in the recording that they are at. */
    if (judge->is_short && !is_aborted)
        return judge_refuse(line, "comes after a recording that has not all its rounds", error);
    if (recording->number && !is_complete(recording) && !has_why && judge->last <= VERDICT_PASS)
        return judge_refuse(line,
                            "comes before all rounds of the recording above have, and does "
                            "not say why",
                            error);
    status = judge_announced(judge, line, error);
    return status ? status : judge_totals(judge, line, error);
}

/* Where a line may stand at all. */
static int judge_order(const struct judge *judge, const struct journal_line *line,
                       struct error *error)
{
    switch (line->kind) {
    case JOURNAL_SETTLED:
    case JOURNAL_VERDICT:
        if (!judge->round.is_open)
            return judge_refuse(line, "stands outside of a round", error);
        break;
    case JOURNAL_EVENT:
    case JOURNAL_RETRY:
    case JOURNAL_RECONNECT:
    case JOURNAL_WAIT:
    case JOURNAL_QUESTION:
    case JOURNAL_ANSWER:
    case JOURNAL_CHECK:
        break;
    default:
        return 0;
    }
    if (judge->round.has_passes && line->kind != JOURNAL_VERDICT)
        return judge_refuse(line, "stands between what has passed and the verdict", error);
    return judge_place(judge, line, error);
}

/* Virtual time starts anew with each recording, real time only with the machine. */
static int judge_time(struct judge *judge, const struct journal_line *line, struct error *error)
{
    bool is_new = line->kind == JOURNAL_START || line->kind == JOURNAL_RESUMED ||
                  (line->kind == JOURNAL_RECORDING && judge->is_virtual);

    if (!is_new && line->time < judge->time)
        return judge_refuse(line, "is older than the line before it", error);
    judge->time = line->time;
    return 0;
}

static int judge_kind(struct judge *judge, const struct journal_line *line, struct error *error)
{
    switch (line->kind) {
    case JOURNAL_START:
        return judge_start(judge, line, error);
    case JOURNAL_DEVICE:
        return judge_device(judge, line, error);
    case JOURNAL_OPERATOR:
        return judge_operator(judge, line, error);
    case JOURNAL_ORDER:
        return judge_ordered(line, error);
    case JOURNAL_RECORDING:
        return judge_recording(judge, line, error);
    case JOURNAL_ROUND:
        return judge_round(judge, line, error);
    case JOURNAL_EVENT:
        return judge_event(judge, line, error);
    case JOURNAL_RETRY:
        return judge_retry(judge, line, error);
    case JOURNAL_RECONNECT:
        return judge_reconnect(judge, line, error);
    case JOURNAL_WAIT:
        return judge_wait(judge, line, error);
    case JOURNAL_QUESTION:
        return judge_question(judge, line, error);
    case JOURNAL_ANSWER:
        return judge_answer(judge, line, error);
    case JOURNAL_SETTLED:
        return judge_settled(judge, line, error);
    case JOURNAL_CHECK:
        return judge_check(judge, line, error);
    case JOURNAL_VERDICT:
        return judge_verdict(judge, line, error);
    case JOURNAL_RESUMED:
        return judge_resumed(judge, line, error);
    case JOURNAL_END:
        return judge_end_line(judge, line, error);
    default:
        return 0;
    }
}

int judge_line(struct judge *judge, const struct journal_line *line, struct error *error)
{
    struct error shape;
    int status = judge_order(judge, line, error);

    if (!status && schema_check(line->kind, line->fields, &shape))
        status = judge_refuse(line, shape.text, error);
    if (!status)
        status = judge_time(judge, line, error);
    return status ? status : judge_kind(judge, line, error);
}

void judge_begin(struct judge *judge)
{
    *judge = (struct judge){.last = VERDICT_SKIPPED, .totals.worst = VERDICT_SKIPPED};
}

void judge_end(struct judge *judge)
{
    free(judge->question);
    judge->question = NULL;
}
