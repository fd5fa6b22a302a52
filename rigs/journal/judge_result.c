/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The judge of a journal: results of checks, verdicts of rounds, and the totals of the end. */
#include <string.h>

#include "rigs/checks/check.h"
#include "rigs/journal/journal.h"
#include "rigs/journal/judge.h"

static const char *const outcome_names[JUDGE_OUTCOMES] = {
    [CHECK_PASS] = "pass", [CHECK_FAIL] = "fail", [CHECK_SKIPPED] = "skipped"};

static bool find_outcome(const struct json_value *result, enum check_outcome *outcome)
{
    const char *name = json_chars(result);

    for (unsigned i = 0; name && i < JUDGE_OUTCOMES; i++)
        if (!strcmp(name, outcome_names[i])) {
            *outcome = (enum check_outcome)i;
            return true;
        }
    return false;
}

static bool count_pass(struct judge *judge, const struct json_value *count)
{
    struct judge_round *round = &judge->round;

    if (!strcmp(count->key, check_kinds[CHECK_REFUSED_ROUND].name))
        round->is_refused = true;
    else if (!strcmp(count->key, check_kinds[CHECK_DEALT_CARDS].name))
        round->is_dealt = true;
    return json_int(count) > 0 && judge_add(&judge->totals.checks[CHECK_PASS], count) &&
           (!round->is_open || judge_add(&round->checks[CHECK_PASS], count));
}

/* Those of a round share a line, unless that is full. */
static int judge_passes(struct judge *judge, const struct journal_line *line, struct error *error)
{
    const struct json_value *names = json_member(line->fields, "names");
    size_t count = json_count(names);

    if (!count || json_member(line->fields, "name"))
        return judge_refuse(line, "does not say which checks have passed", error);
    if (count > JOURNAL_PASSES)
        return judge_refuse(line, "has more names than a line takes", error);
    JSON_EACH (pass, names)
        if (!count_pass(judge, pass))
            return judge_refuse(line, "has counts that cannot be", error);
    judge->round.has_passes = judge->round.is_open && count < JOURNAL_PASSES;
    return 0;
}

int judge_check(struct judge *judge, const struct journal_line *line, struct error *error)
{
    const char *name = json_chars(json_member(line->fields, "name"));
    struct judge_round *round = &judge->round;
    enum check_outcome outcome;

    if (!find_outcome(json_member(line->fields, "result"), &outcome))
        return judge_refuse(line, "has no known result", error);
    if (outcome == CHECK_PASS)
        return judge_passes(judge, line, error);
    if (!name || json_member(line->fields, "names"))
        return judge_refuse(line, "does not say which check it is of", error);
    judge->totals.checks[outcome]++;
    round->checks[outcome] += round->is_open;
    if (outcome == CHECK_SKIPPED)
        return 0;
    if (!strcmp(name, check_kinds[CHECK_IDENTITY].name) && judge->owed)
        judge->owed--;
    round->is_late |= !strcmp(name, check_kinds[CHECK_TIMING].name);
    round->is_other |= !strcmp(name, check_kinds[CHECK_IDENTITY].name);
    if (!round->is_open)
        judge->totals.worst = verdict_worse(judge->totals.worst, VERDICT_FAIL);
    return 0;
}

static bool are_counted(const struct json_value *checks, const int64_t counts[JUDGE_OUTCOMES])
{
    for (unsigned i = 0; i < JUDGE_OUTCOMES; i++) {
        const struct json_value *count = json_member(checks, outcome_names[i]);

        if (!json_is(count, JSON_KIND_INTEGER) || json_int(count) != counts[i])
            return false;
    }
    return true;
}

static int judge_timings(const struct judge *judge, const struct journal_line *line,
                         struct error *error)
{
    JSON_EACH (timing, json_member(line->fields, "timings")) {
        const struct json_value *took = json_member(timing, "took");
        const struct json_value *limit = json_member(timing, "limit");

        if (!json_chars(json_member(timing, "name")) || !json_is(took, JSON_KIND_INTEGER) ||
            json_int(took) < 0 || (limit && json_int(limit) < 1))
            return judge_refuse(line, "has timings that cannot be", error);
        /* What people take is not checked. */
        if (limit && json_int(took) > json_int(limit) && !judge->round.is_late &&
            !json_member(timing, "by"))
            return judge_refuse(line, "has a timing beyond its limit, and no check of it failed",
                                error);
    }
    return 0;
}

/* What a round that passed must have, and must not. */
static const char *why_not_passed(const struct judge_round *round, bool has_why, bool is_observed)
{
    if (round->checks[CHECK_FAIL])
        return "passes a round in which checks failed";
    if (has_why)
        return "passes a round and says why it has not";
    if (!round->checks[CHECK_PASS])
        return "passes a round in which no check passed";
    if (round->is_unsettled)
        return "passes a round that cannot be settled";
    if (!round->is_settled && (round->is_dealt || !round->is_refused))
        return "passes a round that was not settled";
    if (is_observed && !round->is_observed)
        return "passes a round that nobody has told of";
    return NULL;
}

static const char *why_not(const struct judge *judge, enum verdict verdict, bool has_why)
{
    const struct judge_round *round = &judge->round;

    switch (verdict) {
    case VERDICT_PASS:
        return why_not_passed(round, has_why, judge->recording.is_observed);
    case VERDICT_SKIPPED:
        if (round->checks[CHECK_FAIL] || round->checks[CHECK_PASS] || round->is_settled)
            return "skips a round that was played";
        break;
    case VERDICT_FAIL:
        if (round->checks[CHECK_FAIL])
            return NULL;
        break;
    default:
        break;
    }
    return has_why ? NULL : "does not say why";
}

int judge_verdict(struct judge *judge, const struct journal_line *line, struct error *error)
{
    const char *name = json_chars(json_member(line->fields, "verdict")), *why;
    bool has_why = json_member(line->fields, "why") != NULL;
    struct judge_totals *totals = &judge->totals;
    enum verdict verdict;
    int status;

    if (!name || !verdict_parse(name, &verdict))
        return judge_refuse(line, "has no known verdict", error);
    if (judge->question)
        return judge_refuse(line, "comes before an answer", error);
    if (judge->owed)
        return judge_refuse(line, JUDGE_OWED, error);
    if (!are_counted(json_member(line->fields, "checks"), judge->round.checks))
        return judge_refuse(line, "has other counts than its checks", error);
    status = judge_timings(judge, line, error);
    if (status)
        return status;
    why = why_not(judge, verdict, has_why);
    if (why)
        return judge_refuse(line, why, error);
    judge->round = (struct judge_round){.is_open = false};
    judge->last = verdict;
    judge->recording.judged++;
    totals->rounds[verdict]++;
    totals->worst = verdict_worse(totals->worst, verdict);
    return 0;
}

static bool is_number(const struct journal_line *line, const char *key, int64_t number)
{
    const struct json_value *value = json_member(line->fields, key);

    return json_is(value, JSON_KIND_INTEGER) && json_int(value) == number;
}

/* The worst of all; worse than that, or fewer rounds, has its reason. */
static int judge_end_verdict(const struct judge *judge, const struct journal_line *line,
                             struct error *error)
{
    const char *name = json_chars(json_member(line->fields, "verdict"));
    bool has_why = json_member(line->fields, "why") != NULL;
    enum verdict verdict;

    if (!name || !verdict_parse(name, &verdict))
        return judge_refuse(line, "has no known verdict", error);
    if (verdict < judge->totals.worst)
        return judge_refuse(line, "has a better verdict than its rounds and checks", error);
    if (verdict > judge->totals.worst && !has_why)
        return judge_refuse(line, "has a worse verdict than its rounds, and does not say why",
                            error);
    if (verdict <= VERDICT_PASS && has_why)
        return judge_refuse(line, "passes the run and says why it has not", error);
    return 0;
}

int judge_totals(const struct judge *judge, const struct journal_line *line, struct error *error)
{
    const struct json_value *rounds = json_member(line->fields, "rounds");
    const struct judge_totals *totals = &judge->totals;

    for (unsigned i = 0; i < VERDICT_COUNT; i++) {
        const struct json_value *count = json_member(rounds, verdict_name((enum verdict)i));

        if (!json_is(count, JSON_KIND_INTEGER) || json_int(count) != totals->rounds[i])
            return judge_refuse(line, "has other totals than its rounds", error);
    }
    if (!is_number(line, "recordings", totals->recordings))
        return judge_refuse(line, "has another total than its recordings", error);
    if (!are_counted(json_member(line->fields, "checks"), totals->checks))
        return judge_refuse(line, "has other totals than its checks", error);
    if (!is_number(line, "retries", totals->retries))
        return judge_refuse(line, "has another total than its retries", error);
    if (json_member(line->fields, "reconnects") &&
        !is_number(line, "reconnects", totals->reconnects))
        return judge_refuse(line, "has another total than its reconnects", error);
    return judge_end_verdict(judge, line, error);
}
