#include "tools/run_show.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "rigs/json_text.h"

#define BAR_EVERY_MS 100
#define LINE_SIZE    4096

static uint64_t now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

void run_show_start(struct run_show *show)
{
    show->colour = isatty(STDOUT_FILENO);
    show->bar = isatty(STDERR_FILENO) && !show->quiet && !show->json;
    show->start_ms = show->drawn_ms = now_ms();
}

static void clear_bar(const struct run_show *show)
{
    if (show->bar)
        fputs("\r\033[K", stderr);
}

void run_show_progress(struct run_show *show, uint64_t rounds, uint64_t failed)
{
    uint64_t now;

    show->rounds += rounds;
    show->failed += failed;
    if (!show->bar)
        return;
    now = now_ms();
    if (now - show->drawn_ms < BAR_EVERY_MS)
        return;
    show->drawn_ms = now;
    fprintf(stderr, "\r\033[K%" PRIu64 " rounds, %" PRIu64 " a second, %" PRIu64 " not passed",
            show->rounds, show->rounds * 1000 / (now - show->start_ms + 1), show->failed);
    fflush(stderr);
}

static void print_line(FILE *out, struct json_text *text)
{
    JSON_TEXT_PUT(text, "}\n");
    fwrite(text->start, 1, (size_t)(text->at - text->start), out);
}

static void put_json(struct json_text *text, const char *key, const char *json)
{
    if (!json)
        return;
    JSON_TEXT_PUT(text, ",");
    json_text_string(text, key);
    JSON_TEXT_PUT(text, ":");
    json_text_raw(text, json, strlen(json));
}

static void put_string(struct json_text *text, const char *key, const char *string)
{
    if (!string)
        return;
    JSON_TEXT_PUT(text, ",");
    json_text_string(text, key);
    JSON_TEXT_PUT(text, ":");
    json_text_string(text, string);
}

static void put_number(struct json_text *text, const char *key, int64_t number)
{
    JSON_TEXT_PUT(text, ",");
    json_text_string(text, key);
    JSON_TEXT_PUT(text, ":");
    json_text_number(text, number);
}

static void failure_json(FILE *out, const char *recording, int64_t round,
                         const struct check_result *result)
{
    char line[LINE_SIZE];
    struct json_text text;

    json_text_begin(&text, line, sizeof line);
    JSON_TEXT_PUT(&text, "{\"check\":");
    json_text_string(&text, result->name);
    put_string(&text, "recording-path", recording);
    put_number(&text, "round", round);
    if (result->seat)
        put_number(&text, "seat", result->seat);
    put_string(&text, "wager", result->wager);
    put_json(&text, "expected", result->expected);
    put_json(&text, "got", result->got);
    put_json(&text, "recording", result->recording);
    put_json(&text, "engine", result->engine);
    put_json(&text, "device", result->device);
    put_string(&text, "why", result->why);
    print_line(out, &text);
}

void run_show_request(const struct run_show *show, const char *what)
{
    if (show->quiet)
        return;
    clear_bar(show);
    fprintf(stderr, "%s\n", what);
}

void run_show_failure(const struct run_show *show, FILE *out, const char *recording, int64_t round,
                      const struct check_result *result)
{
    if (show->quiet)
        return;
    if (show->json) {
        failure_json(out, recording, round, result);
        return;
    }
    clear_bar(show);
    fprintf(out, "%s: round %" PRId64, recording, round);
    if (result->seat)
        fprintf(out, ", seat %u", result->seat);
    if (result->wager)
        fprintf(out, ", %s", result->wager);
    fprintf(out, ": %s%s%s: expected %s, got %s", show->colour ? "\033[31m" : "", result->name,
            show->colour ? "\033[0m" : "", result->expected ? result->expected : "nothing",
            result->got ? result->got : "nothing");
    if (result->why)
        fprintf(out, " (%s)", result->why);
    fputc('\n', out);
}

void run_show_round(const struct run_show *show, FILE *out, const struct runner_round *round)
{
    if (show->quiet)
        return;
    if (show->json) {
        char line[LINE_SIZE];
        struct json_text text;

        json_text_begin(&text, line, sizeof line);
        JSON_TEXT_PUT(&text, "{\"verdict\":");
        json_text_string(&text, verdict_name(round->verdict));
        put_string(&text, "recording-path", round->recording);
        put_number(&text, "round", round->number);
        put_number(&text, "passed", round->passed);
        put_number(&text, "failed", round->failed);
        put_string(&text, "why", round->why);
        print_line(out, &text);
    } else if (round->why && (show->verbose || round->verdict != VERDICT_SKIPPED)) {
        clear_bar(show);
        fprintf(out, "%s: round %" PRId64 ": %s: %s\n", round->recording, round->number,
                verdict_name(round->verdict), round->why);
    }
}

void run_show_recording(const struct run_show *show, FILE *out, const char *path, uint64_t rounds,
                        uint64_t failed)
{
    if (show->quiet || show->json || (!show->verbose && !failed))
        return;
    clear_bar(show);
    if (failed)
        fprintf(out, "%s: %" PRIu64 " of %" PRIu64 " rounds did not pass\n", path, failed, rounds);
    else
        fprintf(out, "ok %s (%" PRIu64 " round%s)\n", path, rounds, rounds == 1 ? "" : "s");
}

static void summary_json(const struct runner_counts *counts, enum verdict verdict)
{
    printf("{\"run\":\"%s\",\"rounds\":%" PRIu64, verdict_name(verdict), counts->rounds);
    for (int i = 0; i < VERDICT_COUNT; i++)
        if (counts->verdicts[i])
            printf(",\"%s\":%" PRIu64, verdict_name((enum verdict)i), counts->verdicts[i]);
    printf("}\n");
}

static void print_failed_checks(const struct check_counts *checks)
{
    for (int i = 0; i < CHECK_COUNT; i++)
        if (checks->failed[i])
            printf("  %-20s %" PRIu64 " failed of %" PRIu64 "\n", check_kinds[i].name,
                   checks->failed[i], checks->failed[i] + checks->passed[i]);
}

void run_show_summary(struct run_show *show, const struct runner_counts *counts, size_t recordings,
                      enum verdict verdict, const char *journal)
{
    uint64_t took = now_ms() - show->start_ms, checks = 0;
    bool passed = verdict == VERDICT_PASS;

    if (show->quiet)
        return;
    if (show->json) {
        summary_json(counts, verdict);
        return;
    }
    clear_bar(show);
    for (int i = 0; i < CHECK_COUNT; i++)
        checks += counts->checks.passed[i] + counts->checks.failed[i];
    printf("%s%s%s: ", show->colour ? (passed ? "\033[32m" : "\033[31m") : "",
           verdict_name(verdict), show->colour ? "\033[0m" : "");
    if (recordings)
        printf("%zu recording%s, ", recordings, recordings == 1 ? "" : "s");
    printf("%" PRIu64 " round%s, %" PRIu64 " checks in %.3f s", counts->rounds,
           counts->rounds == 1 ? "" : "s", checks, (double)took / 1000);
    for (int i = 0; i < VERDICT_COUNT; i++)
        if (counts->verdicts[i])
            printf(", %" PRIu64 " %s", counts->verdicts[i], verdict_name((enum verdict)i));
    putchar('\n');
    print_failed_checks(&counts->checks);
    if (journal)
        printf("journal: %s\n", journal);
}

void run_show_checks(void)
{
    for (int i = 0; i < CHECK_COUNT; i++)
        printf("%-20s %s\n%-20s   %s\n", check_kinds[i].name, check_kinds[i].rule, "",
               check_kinds[i].source);
}
