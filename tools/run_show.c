/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/run_show.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "hal/base/json_text.h"
#include "hal/base/lines.h"
#include "rigs/page/markup.h"
#include "tools/run_bar.h"

#define BAR_EVERY_MS  100
#define TICK_MS       1000
#define TIMES_PRINTED 3      /* of the same failure */
#define MARK          '\001' /* around the key of a line that is not printed yet */

/* With everything around them these fit a screen of 24 lines. */
#define CHECKS_SHOWN     8
#define RECORDINGS_SHOWN 5

#define RED    "\033[31m"
#define GREEN  "\033[32m"
#define YELLOW "\033[33m"
#define PLAIN  "\033[0m"

static uint64_t now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static bool is_terminal(int fd)
{
    const char *kind = getenv("TERM");

    return isatty(fd) && !(kind && !strcmp(kind, "dumb"));
}

/* As no-color.org has it. */
static bool wants_colour(int fd)
{
    const char *refused = getenv("NO_COLOR");

    return is_terminal(fd) && !(refused && *refused);
}

/* The caller holds the screen, where another thread could. */
static void draw(struct run_show *show, uint64_t now)
{
    show->drawn_ms = now;
    if (show->is_paused)
        return;
    run_bar_draw(&(struct run_bar){.rounds = show->rounds,
                                   .total = show->total,
                                   .failed = show->failed,
                                   .milliseconds = now - show->start_ms,
                                   .colour = show->bar_colour,
                                   .is_live = show->live,
                                   .is_stopping = show->is_stopping,
                                   .away = show->away,
                                   .tries = show->tries,
                                   .awaits = show->wait.what,
                                   .from = show->wait.device,
                                   .waited_ms = now - show->wait_ms,
                                   .limit_ms = show->wait.limit_ms});
}

static void draw_if_due(struct run_show *show)
{
    uint64_t now = now_ms();

    if (now - show->drawn_ms >= BAR_EVERY_MS)
        draw(show, now);
}

/* Time goes on also while nothing happens. */
static void *tick(void *context)
{
    struct run_show *show = context;

    pthread_mutex_lock(&show->screen);
    while (!show->is_over) {
        struct timespec next;

        clock_gettime(CLOCK_MONOTONIC, &next);
        next.tv_sec += TICK_MS / 1000;
        pthread_cond_clockwait(&show->over, &show->screen, CLOCK_MONOTONIC, &next);
        if (!show->is_over)
            draw_if_due(show);
    }
    pthread_mutex_unlock(&show->screen);
    return NULL;
}

void run_show_start(struct run_show *show)
{
    show->colour = wants_colour(STDOUT_FILENO);
    show->bar_colour = wants_colour(STDERR_FILENO);
    show->bar = is_terminal(STDERR_FILENO) && !show->quiet && !show->json;
    show->start_ms = now_ms();
    show->failing = NULL;
    show->failing_count = 0;
    show->repeats = NULL;
    show->repeat_count = 0;
    pthread_mutex_init(&show->lock, NULL);
    pthread_mutex_init(&show->screen, NULL);
    pthread_cond_init(&show->over, NULL);
    /* Who reads from a pipe reads each line when it is written. */
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    show->is_over = show->is_paused = show->is_stopping = false;
    if (show->bar)
        draw(show, show->start_ms);
    show->ticks = show->bar && show->live && !pthread_create(&show->ticker, NULL, tick, show);
}

void run_show_stop(struct run_show *show)
{
    show->took_ms = now_ms() - show->start_ms;
    if (!show->ticks)
        return;
    pthread_mutex_lock(&show->screen);
    show->is_over = true;
    pthread_cond_signal(&show->over);
    pthread_mutex_unlock(&show->screen);
    pthread_join(show->ticker, NULL);
    show->ticks = false;
}

/* The next tick comes later than what is printed now. */
void run_show_clear(struct run_show *show)
{
    if (!show->bar)
        return;
    pthread_mutex_lock(&show->screen);
    show->drawn_ms = now_ms();
    run_bar_clear();
    pthread_mutex_unlock(&show->screen);
}

void run_show_wait(struct run_show *show, const struct run_wait *wait)
{
    if (!show->bar || !show->live)
        return;
    pthread_mutex_lock(&show->screen);
    show->wait = wait ? *wait : (struct run_wait){.what = NULL};
    show->wait_ms = now_ms();
    if (wait)
        draw_if_due(show);
    pthread_mutex_unlock(&show->screen);
}

void run_show_away(struct run_show *show, const char *device, unsigned tries)
{
    if (!show->bar || !show->live)
        return;
    pthread_mutex_lock(&show->screen);
    show->away = tries ? device : NULL;
    show->tries = tries;
    draw(show, now_ms());
    pthread_mutex_unlock(&show->screen);
}

void run_show_stopping(struct run_show *show)
{
    if (!show->bar || !show->live)
        return;
    pthread_mutex_lock(&show->screen);
    show->is_stopping = true;
    if (show->is_paused)
        fputs("\nfinishing this round: answer, or press again to cut it short\n", stderr);
    else
        draw(show, now_ms());
    pthread_mutex_unlock(&show->screen);
}

void run_show_pause(struct run_show *show, bool is_paused)
{
    if (!show->bar)
        return;
    pthread_mutex_lock(&show->screen);
    show->is_paused = is_paused;
    if (is_paused)
        run_bar_clear();
    pthread_mutex_unlock(&show->screen);
}

void run_show_progress(struct run_show *show, uint64_t rounds, uint64_t failed)
{
    if (!show->bar)
        return;
    pthread_mutex_lock(&show->screen);
    show->rounds += rounds;
    show->failed += failed;
    draw_if_due(show);
    pthread_mutex_unlock(&show->screen);
}

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
    char line[LINES_LONGEST];
    struct json_text text;

    json_text_begin(&text, line, sizeof line);
    JSON_TEXT_PUT(&text, "{\"check\":");
    json_text_string(&text, result->name);
    put_string(&text, "recording-path", recording);
    if (round)
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

void run_show_request(struct run_show *show, const char *what)
{
    if (show->quiet)
        return;
    run_show_clear(show);
    fprintf(stderr, "%s\n", what);
}

static void print_failure(const struct run_show *show, FILE *out, const char *recording,
                          int64_t round, const struct check_result *result)
{
    plain_text(out, recording);
    if (round)
        fprintf(out, ": round %" PRId64, round);
    else
        fputs(": after the last round", out);
    if (result->seat)
        fprintf(out, ", seat %u", result->seat);
    if (result->wager) {
        fputs(", ", out);
        plain_text(out, result->wager);
    }
    fprintf(out, ": %s%s%s: expected ", show->colour ? RED : "", result->name,
            show->colour ? PLAIN : "");
    plain_text(out, result->expected ? result->expected : "nothing");
    fputs(", got ", out);
    plain_text(out, result->got ? result->got : "nothing");
    if (result->why) {
        fputs(" (", out);
        plain_text(out, result->why);
        fputs(")", out);
    }
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
    put_string(&text, "recording-path", round->recording);
    put_number(&text, "round", round->number);
    put_number(&text, "passed", round->passed);
    put_number(&text, "failed", round->failed);
    put_string(&text, "why", round->why);
    print_line(out, &text);
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
        fprintf(out, ": %" PRIu64 " of %" PRIu64 " rounds did not pass\n", failed, rounds);
    else
        fprintf(out, " (%" PRIu64 " round%s)\n", rounds, rounds == 1 ? "" : "s");
}

static void put_reports(struct json_text *text, const struct run_reports *reports)
{
    const struct report_format *format;
    char path[PATH_MAX];

    put_string(text, "journal", reports ? reports->journal : NULL);
    for (size_t i = 0; reports && reports->written && (format = report_format_at(i)); i++) {
        run_reports_path(reports, format, path);
        put_string(text, format->name, path);
    }
}

static void summary_json(const struct run_show *show, const struct runner_counts *counts,
                         enum verdict verdict)
{
    char line[LINES_LONGEST];
    struct json_text text;

    json_text_begin(&text, line, sizeof line);
    JSON_TEXT_PUT(&text, "{\"run\":");
    json_text_string(&text, verdict_name(verdict));
    put_number(&text, "rounds", (int64_t)counts->rounds);
    for (int i = 0; i < VERDICT_COUNT; i++)
        if (counts->verdicts[i])
            put_number(&text, verdict_name((enum verdict)i), (int64_t)counts->verdicts[i]);
    put_number(&text, "paid-from-tray", counts->paid.tray);
    put_number(&text, "paid-from-meters", counts->paid.meters);
    if (counts->paid.voided)
        put_number(&text, "void", (int64_t)counts->paid.voided);
    put_reports(&text, show->reports);
    print_line(stdout, &text);
}

static const char *colour_of(enum verdict verdict)
{
    return verdict == VERDICT_PASS                                    ? GREEN
           : verdict == VERDICT_SKIPPED || verdict == VERDICT_ABORTED ? YELLOW
                                                                      : RED;
}

static void print_totals(const struct run_show *show, const struct runner_counts *counts,
                         size_t recordings, enum verdict verdict)
{
    uint64_t checks = 0;

    for (int i = 0; i < CHECK_COUNT; i++)
        checks += counts->checks.passed[i] + counts->checks.failed[i];
    printf("%s%s%s: ", show->colour ? colour_of(verdict) : "", verdict_name(verdict),
           show->colour ? PLAIN : "");
    if (recordings)
        printf("%zu recording%s, ", recordings, recordings == 1 ? "" : "s");
    printf("%" PRIu64 " round%s, %" PRIu64 " checks in %.3f s", counts->rounds,
           counts->rounds == 1 ? "" : "s", checks, (double)show->took_ms / 1000);
    for (int i = 0; i < VERDICT_COUNT; i++)
        if (counts->verdicts[i])
            printf(", %" PRIu64 " %s", counts->verdicts[i], verdict_name((enum verdict)i));
    putchar('\n');
}

static void print_paid(const struct paid *paid)
{
    char tray[PAID_TEXT_SIZE], meters[PAID_TEXT_SIZE];

    printf("paid %s from the tray, %s from meters", paid_text(paid->tray, tray),
           paid_text(paid->meters, meters));
    if (paid->voided)
        printf("; %" PRIu64 " round%s void", paid->voided, paid->voided == 1 ? "" : "s");
    putchar('\n');
}

/* The one that failed most often and was not shown yet, or -1. */
static int next_check(const struct check_counts *checks, const bool *shown)
{
    int next = -1;

    for (int i = 0; i < CHECK_COUNT; i++)
        if (!shown[i] && checks->failed[i] &&
            (next < 0 || checks->failed[i] > checks->failed[next]))
            next = i;
    return next;
}

static void print_checks(const struct run_show *show, const struct check_counts *checks)
{
    bool shown[CHECK_COUNT] = {false};
    unsigned more = 0;
    int check;

    for (unsigned i = 0; i < CHECKS_SHOWN && (check = next_check(checks, shown)) >= 0; i++) {
        shown[check] = true;
        printf("  %s%-20s%s %" PRIu64 " failed of %" PRIu64 "\n", show->colour ? RED : "",
               check_kinds[check].name, show->colour ? PLAIN : "", checks->failed[check],
               checks->failed[check] + checks->passed[check]);
    }
    for (int i = 0; i < CHECK_COUNT; i++)
        more += checks->failed[i] && !shown[i];
    if (more)
        printf("  and %u more check%s\n", more, more == 1 ? "" : "s");
}

static int by_failures(const void *one, const void *other)
{
    const struct run_show_failing *a = one, *b = other;

    return a->failed != b->failed ? (a->failed < b->failed ? 1 : -1) : strcmp(a->path, b->path);
}

static void print_recordings(struct run_show *show)
{
    if (show->failing_count < 2)
        return;
    qsort(show->failing, show->failing_count, sizeof *show->failing, by_failures);
    puts("rounds that did not pass");
    for (size_t i = 0; i < show->failing_count && i < RECORDINGS_SHOWN; i++) {
        printf("  %" PRIu64 " of %" PRIu64 " in ", show->failing[i].failed,
               show->failing[i].rounds);
        plain_text(stdout, show->failing[i].path);
        putchar('\n');
    }
    if (show->failing_count > RECORDINGS_SHOWN)
        printf("  and in %zu more recordings\n", show->failing_count - RECORDINGS_SHOWN);
}

static void print_reports(const struct run_reports *reports, enum verdict verdict)
{
    const struct report_format *format;
    char path[PATH_MAX];

    if (!reports || !reports->journal) {
        if (verdict > VERDICT_PASS)
            puts("no reports; --reports DIR leaves a page, JUnit XML and the journal there");
        return;
    }
    fputs("journal: ", stdout);
    plain_text(stdout, reports->journal);
    putchar('\n');
    for (size_t i = 0; reports->written && (format = report_format_at(i)); i++) {
        run_reports_path(reports, format, path);
        fputs("report:  ", stdout);
        plain_text(stdout, path);
        putchar('\n');
    }
}

static void print_repeats(const struct run_show *show)
{
    bool is_first = true;

    for (size_t i = 0; i < show->repeat_count; i++) {
        const struct run_show_repeat *repeat = &show->repeats[i];

        if (repeat->times <= TIMES_PRINTED)
            continue;
        if (is_first)
            puts("not printed again; --verbose prints all");
        is_first = false;
        printf("  %" PRIu64 " more: ", repeat->times - TIMES_PRINTED);
        plain_text(stdout, repeat->key);
        putchar('\n');
    }
}

void run_show_summary(struct run_show *show, const struct runner_counts *counts, size_t recordings,
                      enum verdict verdict)
{
    if (show->json && !show->quiet)
        summary_json(show, counts, verdict);
    if (show->json || show->quiet)
        return;
    run_show_clear(show);
    print_repeats(show);
    print_totals(show, counts, recordings, verdict);
    print_paid(&counts->paid);
    print_checks(show, &counts->checks);
    print_recordings(show);
    print_reports(show->reports, verdict);
}

void run_show_end(struct run_show *show)
{
    free(show->failing);
    free(show->repeats);
    pthread_cond_destroy(&show->over);
    pthread_mutex_destroy(&show->screen);
    pthread_mutex_destroy(&show->lock);
}

void run_show_checks(void)
{
    for (int i = 0; i < CHECK_COUNT; i++)
        printf("%-20s %s\n%-20s   %s\n", check_kinds[i].name, check_kinds[i].rule, "",
               check_kinds[i].source);
}
