/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Failures, rounds and recordings as they happen: lines for people, or JSON for programs. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "games/paid.h"
#include "rigs/page/markup.h"
#include "tools/run/lines.h"

#define MARK '\001' /* around the key of a line that is not printed yet */

/* How often that has come, this time included; 0 where nobody counts any more. */
static uint64_t count_again(struct run_show *show, const char *key)
{
    size_t at = 0;

    if (!show->repeats)
        show->repeats = calloc(RUN_SHOW_REPEATS, sizeof *show->repeats);
    while (show->repeats && at < show->repeat_count && strcmp(show->repeats[at].key, key) != 0)
        at++;
    if (!show->repeats || at == RUN_SHOW_REPEATS)
        return 0;
    if (at == show->repeat_count)
        strcpy(show->repeats[show->repeat_count++].key, key);
    return ++show->repeats[at].times;
}

/*
 * Whether a line is to be printed now. Of several benches, the one whose turn has not come leaves
 * the key before the line: it is counted when the line is printed, in the order of recordings.
 */
static bool is_wanted(struct run_show *show, FILE *out, const char *what, const char *where)
{
    char key[sizeof show->repeats->key];

    if (show->verbose)
        return true;
    snprintf(key, sizeof key, "%s%s%s", what, where ? ", " : "", where ? where : "");
    for (char *at = key; *at; at++)
        if ((unsigned char)*at < ' ')
            *at = ' ';
    if (out == stdout)
        return count_again(show, key) <= TIMES_PRINTED;
    fprintf(out, "%c%s%c", MARK, key, MARK);
    return true;
}

void run_show_print(struct run_show *show, const char *words, size_t length)
{
    const char *end = words + length;

    while (words < end) {
        const char *next = memchr(words, '\n', (size_t)(end - words));
        const char *text =
            *words == MARK ? memchr(words + 1, MARK, (size_t)(end - words - 1)) : NULL;
        char key[sizeof show->repeats->key] = "";

        next = next ? next + 1 : end;
        if (text)
            snprintf(key, sizeof key, "%.*s", (int)(text - words - 1), words + 1);
        if (!text || count_again(show, key) <= TIMES_PRINTED)
            fwrite(text ? text + 1 : words, 1, (size_t)(next - (text ? text + 1 : words)), stdout);
        words = next;
    }
}

void run_line_print(FILE *out, struct json_text *text)
{
    JSON_TEXT_PUT(text, "}\n");
    fwrite(text->start, 1, (size_t)(text->at - text->start), out);
}

void run_line_json(struct json_text *text, const char *key, const char *json)
{
    if (!json)
        return;
    JSON_TEXT_PUT(text, ",");
    json_text_string(text, key);
    JSON_TEXT_PUT(text, ":");
    json_text_raw(text, json, strlen(json));
}

void run_line_string(struct json_text *text, const char *key, const char *string)
{
    if (!string)
        return;
    JSON_TEXT_PUT(text, ",");
    json_text_string(text, key);
    JSON_TEXT_PUT(text, ":");
    json_text_string(text, string);
}

void run_line_number(struct json_text *text, const char *key, int64_t number)
{
    JSON_TEXT_PUT(text, ",");
    json_text_string(text, key);
    JSON_TEXT_PUT(text, ":");
    json_text_number(text, number);
}

/* Other threads print too, so that it is one call. */
void run_show_wait_json(const struct run_wait *wait)
{
    char line[256];
    struct json_text text;

    json_text_begin(&text, line, sizeof line);
    JSON_TEXT_PUT(&text, "{\"wait\":{\"for\":");
    json_text_string(&text, wait->what);
    run_line_string(&text, "device", wait->device);
    if (wait->limit_ms)
        run_line_number(&text, "limit-ms", (int64_t)wait->limit_ms);
    if (wait->try)
        run_line_number(&text, "try", wait->try);
    JSON_TEXT_PUT(&text, "}");
    run_line_print(stdout, &text);
}

/* Cents are dollars to people; JSON keeps them as they are. */
static void put_value(FILE *out, const struct check_result *result, const char *json)
{
    char text[PAID_TEXT_SIZE], *end = NULL;
    bool is_money = check_is_money(result->name, result->wager);
    long long cents = json && is_money ? strtoll(json, &end, 10) : 0;

    if (end && end != json && !*end)
        fprintf(out, "%s%s", cents < 0 ? "-" : "", paid_text(cents < 0 ? -cents : cents, text));
    else
        plain_text(out, json ? json : "nothing");
}

/* "round 1, seat 3, x-tra: wager-outcome: expected $70.00, got $60.00 (why)". */
static void put_sentence(FILE *out, int64_t round, const struct check_result *result, bool colour)
{
    if (round)
        fprintf(out, "round %" PRId64, round);
    else
        fputs("after the last round", out);
    if (result->seat)
        fprintf(out, ", seat %u", result->seat);
    if (result->wager) {
        fputs(", ", out);
        plain_text(out, result->wager);
    }
    fprintf(out, ": %s%s%s: expected ", colour ? RED : "", result->name, colour ? PLAIN : "");
    put_value(out, result, result->expected);
    fputs(", got ", out);
    put_value(out, result, result->got);
    if (result->why) {
        fputs(" (", out);
        plain_text(out, result->why);
        fputs(")", out);
    }
}

/* As people get it; NULL without memory. */
static char *make_sentence(int64_t round, const struct check_result *result)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    if (!out)
        return NULL;
    put_sentence(out, round, result, false);
    if (!fclose(out))
        return text;
    free(text);
    return NULL;
}

static void failure_json(FILE *out, const char *recording, int64_t round,
                         const struct check_result *result)
{
    char line[LINES_LONGEST], *sentence = make_sentence(round, result);
    struct json_text text;

    json_text_begin(&text, line, sizeof line);
    JSON_TEXT_PUT(&text, "{\"check\":");
    json_text_string(&text, result->name);
    run_line_string(&text, "recording-path", recording);
    if (round)
        run_line_number(&text, "round", round);
    if (result->seat)
        run_line_number(&text, "seat", result->seat);
    run_line_string(&text, "wager", result->wager);
    run_line_json(&text, "expected", result->expected);
    run_line_json(&text, "got", result->got);
    run_line_json(&text, "recording", result->recording);
    run_line_json(&text, "engine", result->engine);
    run_line_json(&text, "device", result->device);
    run_line_string(&text, "why", result->why);
    run_line_string(&text, "sentence", sentence);
    run_line_print(out, &text);
    free(sentence);
}

static void print_failure(const struct run_show *show, FILE *out, const char *recording,
                          int64_t round, const struct check_result *result)
{
    plain_text(out, recording);
    fputs(": ", out);
    put_sentence(out, round, result, show->colour);
    fputc('\n', out);
}

void run_show_failure(struct run_show *show, FILE *out, const char *recording, int64_t round,
                      const struct check_result *result)
{
    if (show->quiet)
        return;
    if (show->json) {
        failure_json(out, recording, round, result);
        return;
    }
    if (!is_wanted(show, out, result->name, result->wager))
        return;
    if (out == stdout)
        run_show_clear(show);
    print_failure(show, out, recording, round, result);
}

static void round_json(FILE *out, const struct runner_round *round)
{
    char line[LINES_LONGEST];
    struct json_text text;

    json_text_begin(&text, line, sizeof line);
    JSON_TEXT_PUT(&text, "{\"verdict\":");
    json_text_string(&text, verdict_name(round->verdict));
    run_line_string(&text, "recording-path", round->recording);
    run_line_number(&text, "round", round->number);
    run_line_number(&text, "passed", round->passed);
    run_line_number(&text, "failed", round->failed);
    run_line_string(&text, "why", round->why);
    run_line_print(out, &text);
}

void run_show_round(struct run_show *show, FILE *out, const struct runner_round *round)
{
    if (show->quiet)
        return;
    if (show->json) {
        round_json(out, round);
        return;
    }
    if (!round->why || (!show->verbose && round->verdict == VERDICT_SKIPPED))
        return;
    if (!is_wanted(show, out, verdict_name(round->verdict), round->why))
        return;
    if (out == stdout)
        run_show_clear(show);
    plain_text(out, round->recording);
    fprintf(out, ": round %" PRId64 ": %s: ", round->number, verdict_name(round->verdict));
    plain_text(out, round->why);
    fputc('\n', out);
}

/* Adds to the entry of a recording that is repeated; without memory it is left out. */
static void keep_failing(struct run_show *show, const char *path, uint64_t rounds, uint64_t failed)
{
    size_t at = 0;

    while (at < show->failing_count && show->failing[at].path != path)
        at++;
    if (at == show->failing_count) {
        struct run_show_failing *more = reallocarray(show->failing, at + 1, sizeof *more);

        if (!more)
            return;
        more[at] = (struct run_show_failing){.path = path};
        show->failing = more;
        show->failing_count++;
    }
    show->failing[at].rounds += rounds;
    show->failing[at].failed += failed;
}

void run_show_recording(struct run_show *show, FILE *out, const char *path, uint64_t rounds,
                        uint64_t failed)
{
    if (failed) {
        pthread_mutex_lock(&show->lock);
        keep_failing(show, path, rounds, failed);
        pthread_mutex_unlock(&show->lock);
    }
    if (show->quiet || show->json || (!show->verbose && !failed))
        return;
    if (out == stdout)
        run_show_clear(show);
    fputs(failed ? "" : "ok ", out);
    plain_text(out, path);
    if (failed)
        fprintf(out, ": %" PRIu64 " of %" PRIu64 " round%s did not pass\n", failed, rounds,
                rounds == 1 ? "" : "s");
    else
        fprintf(out, " (%" PRIu64 " round%s)\n", rounds, rounds == 1 ? "" : "s");
}
