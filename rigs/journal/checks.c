/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What was judged: checks, verdicts of rounds and of the run. */
#include "rigs/journal/journal.h"

#include "hal/base/veil.h"
#include "rigs/journal/inside.h"

static const char *const outcome_names[] = {
    [CHECK_PASS] = "pass", [CHECK_FAIL] = "fail", [CHECK_SKIPPED] = "skipped"};

static void put_witnesses(struct journal *journal, const struct check_result *result)
{
    if (!result->recording && !result->engine && !result->device)
        return;
    PUT(journal, ",\"witnesses\":{");
    JSON(journal, "\"recording\":", result->recording ? result->recording : "null");
    JSON(journal, ",\"engine\":", result->engine ? result->engine : "null");
    JSON(journal, ",\"device\":", result->device && !result->witness ? result->device : "null");
    if (result->device && result->witness) {
        STRING(journal, ",", result->witness);
        JSON(journal, ":", result->device);
    }
    PUT(journal, "}");
}

/* What is in the file counts, and nothing else. */
static void count_checks(struct journal *journal, enum check_outcome outcome, uint64_t count)
{
    journal->round_checks[outcome] += count;
    journal->checks[outcome] += count;
}

static int write_passes(struct journal *journal, struct error *error)
{
    int status;

    if (!journal->pass_count)
        return 0;
    journal_begin_line(journal, JOURNAL_CHECK);
    journal_put_place(journal);
    PUT(journal, ",\"result\":\"pass\",\"names\":{");
    for (size_t i = 0; i < journal->pass_count; i++) {
        if (i)
            PUT(journal, ",");
        json_text_string(&journal->file.text, journal->passes[i].name);
        NUMBER(journal, ":", journal->passes[i].count);
    }
    PUT(journal, "}");
    status = journal_finish_line(journal, error);
    if (status)
        return status;
    for (size_t i = 0; i < journal->pass_count; i++)
        count_checks(journal, CHECK_PASS, journal->passes[i].count);
    journal->pass_count = 0;
    return 0;
}

int journal_passes(struct journal *journal, struct error *error)
{
    return write_passes(journal, error);
}

/* Mostly the same check comes again, so that is looked for first. */
static size_t find_pass(const struct journal *journal, const char *name)
{
    size_t at = journal->latest_pass;

    if (at < journal->pass_count && journal->passes[at].name == name)
        return at;
    for (at = 0; at < journal->pass_count && journal->passes[at].name != name;)
        at++;
    return at;
}

static int add_pass(struct journal *journal, const char *name, struct error *error)
{
    size_t at = find_pass(journal, name);

    if (at == JOURNAL_PASSES) {
        int status = write_passes(journal, error);

        if (status < 0)
            return status;
        at = 0;
    }
    if (at == journal->pass_count)
        journal->passes[journal->pass_count++] = (struct journal_passes){.name = name};
    journal->passes[at].count++;
    journal->latest_pass = at;
    return 0;
}

static int write_check(struct journal *journal, const struct check_result *result,
                       struct error *error)
{
    journal_begin_line(journal, JOURNAL_CHECK);
    journal_put_place(journal);
    STRING(journal, ",\"result\":", outcome_names[result->outcome]);
    STRING(journal, ",\"name\":", result->name);
    if (result->seat)
        NUMBER(journal, ",\"seat\":", result->seat);
    if (result->wager)
        STRING(journal, ",\"wager\":", result->wager);
    if (result->expected)
        JSON(journal, ",\"expected\":", result->expected);
    if (result->got)
        JSON(journal, ",\"got\":", result->got);
    put_witnesses(journal, result);
    if (result->why)
        STRING(journal, ",\"why\":", result->why);
    return journal_finish_line(journal, error);
}

int journal_pass(struct journal *journal, const char *name, struct error *error)
{
    return add_pass(journal, name, error);
}

int journal_check(struct journal *journal, const struct check_result *result, struct error *error)
{
    int status;

    if (result->outcome == CHECK_PASS)
        return journal_pass(journal, result->name, error);
    status = write_check(journal, result, error);
    if (!status)
        count_checks(journal, result->outcome, 1);
    return status;
}

static void put_checks(struct journal *journal, const uint64_t *checks)
{
    NUMBER(journal, ",\"checks\":{\"pass\":", checks[CHECK_PASS]);
    NUMBER(journal, ",\"fail\":", checks[CHECK_FAIL]);
    NUMBER(journal, ",\"skipped\":", checks[CHECK_SKIPPED]);
    PUT(journal, "}");
}

static void put_timings(struct journal *journal, const struct journal_verdict *verdict)
{
    if (!verdict->timing_count)
        return;
    PUT(journal, ",\"timings\":[");
    for (size_t i = 0; i < verdict->timing_count; i++) {
        if (i)
            PUT(journal, ",");
        STRING(journal, "{\"name\":", verdict->timings[i].name);
        NUMBER(journal, ",\"took\":", verdict->timings[i].took);
        if (verdict->timings[i].limit)
            NUMBER(journal, ",\"limit\":", verdict->timings[i].limit);
        if (verdict->timings[i].by_hand)
            PUT(journal, ",\"by\":\"hand\"");
        PUT(journal, "}");
    }
    PUT(journal, "]");
}

/*
 * Ends the round. A verdict that is to be on the disk before anybody is told of it is veiled until
 * then from those who follow the file.
 */
static int finish_durably(struct journal *journal, struct error *error)
{
    bool is_durable = journal->sync && !journal->file.holding && journal->file.regular;
    int status;

    if (is_durable)
        veil_draw(journal->file.fd, journal->file.size);
    status = journal_finish_line(journal, error);
    journal->in_round = status < 0;
    if (!status && is_durable)
        status = journal_file_sync(&journal->file, error);
    if (is_durable)
        veil_lift(journal->file.fd, journal->file.size);
    return status;
}

int journal_verdict(struct journal *journal, const struct journal_verdict *verdict,
                    struct error *error)
{
    int status = write_passes(journal, error);

    if (status < 0)
        return status;
    journal_begin_line(journal, JOURNAL_VERDICT);
    journal_put_place(journal);
    STRING(journal, ",\"verdict\":", verdict_name(verdict->verdict));
    if (verdict->why)
        STRING(journal, ",\"why\":", verdict->why);
    put_checks(journal, journal->round_checks);
    put_timings(journal, verdict);
    status = finish_durably(journal, error);
    if (journal->in_round)
        return status;
    journal->rounds[verdict->verdict]++;
    journal->worst = verdict_worse(journal->worst, verdict->verdict);
    return status;
}

/*
 * The end line has no line after it that would vouch for it, so it carries a seal: the digest of
 * all that stands before the seal.
 */
static void put_seal(struct journal *journal)
{
    const struct json_text *text = &journal->file.text;
    char seal[DIGEST_SIZE];

    digest_bytes(text->start, (size_t)(text->at - text->start), seal);
    STRING(journal, ",\"seal\":", seal);
}

int journal_end(struct journal *journal, enum verdict verdict, const char *why, struct error *error)
{
    int status =
        journal->unjoined ? journal_say_unjoined(journal, error) : write_passes(journal, error);

    if (status < 0)
        return status;
    journal->file.holding = false;
    journal_begin_line(journal, JOURNAL_END);
    STRING(journal, ",\"verdict\":", verdict_name(verdict_worse(verdict, journal->worst)));
    if (why)
        STRING(journal, ",\"why\":", why);
    NUMBER(journal, ",\"recordings\":", journal->recordings);
    PUT(journal, ",\"rounds\":{");
    for (unsigned i = 0; i < VERDICT_COUNT; i++) {
        if (i)
            PUT(journal, ",");
        json_text_string(&journal->file.text, verdict_name((enum verdict)i));
        NUMBER(journal, ":", journal->rounds[i]);
    }
    PUT(journal, "}");
    put_checks(journal, journal->checks);
    NUMBER(journal, ",\"retries\":", journal->retries);
    NUMBER(journal, ",\"reconnects\":", journal->reconnects);
    put_seal(journal);
    status = journal_finish_line(journal, error);
    return status < 0 ? status : journal_file_sync(&journal->file, error);
}
