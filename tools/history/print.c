/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hal/base/json.h"
#include "rigs/page/markup.h"
#include "tools/history/history.h"

static void print_quoted(FILE *out, const char *text)
{
    if (!strpbrk(text, ",\"\r\n")) {
        fputs(text, out);
        return;
    }
    putc('"', out);
    for (; *text; text++) {
        if (*text == '"')
            putc('"', out);
        putc(*text, out);
    }
    putc('"', out);
}

/* A program for tables computes a cell that begins so, unless an apostrophe says that it is text;
 * "-" alone is what is not there. */
static bool is_formula(const char *text)
{
    return *text && strchr("=+-@\t\r", *text) && strcmp(text, "-") != 0;
}

void history_print_field(FILE *out, const char *text)
{
    char *words = NULL;
    size_t length;
    FILE *into = text ? open_memstream(&words, &length) : NULL;

    if (!into)
        return;
    putc('\'', into);
    plain_text(into, text);
    if (!fclose(into))
        print_quoted(out, words + !(is_formula(text) || is_formula(words + 1)));
    free(words);
}

void history_print_counts(struct json_print *print, const struct history_counts *counts)
{
    json_print_integer(print, "pass", counts->passed);
    json_print_integer(print, "fail", counts->failed);
    json_print_integer(print, "skipped", counts->skipped);
}

static void print_totals(struct json_print *print, const struct history_found *run)
{
    json_print_open(print, "rounds", "{}");
    history_print_counts(print, &run->rounds);
    json_print_integer(print, "ended", run->rounds.ended);
    json_print_close(print, "{}");
    json_print_open(print, "checks", "{}");
    history_print_counts(print, &run->checks);
    json_print_close(print, "{}");
}

/* Of a shard, or of a run that was played in shards. */
static void print_shard(struct json_print *print, const struct history_found *run)
{
    char shard[48];

    if (!run->parts)
        return;
    json_print_text(print, "job", run->job);
    if (!run->part) {
        json_print_integer(print, "shards", run->parts);
        return;
    }
    snprintf(shard, sizeof shard, "%" PRId64 "/%" PRId64, run->part, run->parts);
    json_print_text(print, "shard", shard);
    json_print_integer(print, "attempt", run->attempt);
    json_print_bool(print, "counted", run->is_counted);
}

/* The store has the command line as the journal writes it. */
static void print_command(struct json_print *print, const char *command)
{
    struct json_reader *reader = json_reader_new(JSON_LONGEST);
    const struct json_value *words =
        reader ? json_read(reader, command, strlen(command), NULL) : NULL;

    json_print_open(print, "command", "[]");
    JSON_EACH (word, words)
        json_print_text(print, NULL, json_chars(word));
    json_print_close(print, "[]");
    json_reader_free(reader);
}

static void print_device(struct json_print *print, const struct history_device *device)
{
    json_print_open(print, NULL, "{}");
    json_print_text(print, "name", device->name);
    json_print_text(print, "driver", device->driver);
    json_print_text(print, "address", device->address);
    json_print_text(print, "model", device->model);
    json_print_text(print, "serial", device->serial);
    json_print_text(print, "firmware", device->firmware);
    json_print_text(print, "digest", device->digest);
    json_print_bool(print, "test-mode", device->test_mode);
    json_print_close(print, "{}");
}

static void print_journal(struct json_print *print, const struct history_found *run)
{
    json_print_text(print, "source", run->source);
    json_print_text(print, "digest", run->digest);
    json_print_integer(print, "lines", run->lines);
    json_print_bool(print, "complete", run->is_complete);
    json_print_bool(print, "verified", run->is_verified);
    if (run->problem)
        json_print_text(print, "problem", run->problem);
    json_print_text(print, "version", run->version);
    json_print_text(print, "build", run->build);
    json_print_text(print, "rig", run->rig);
    json_print_text(print, "rig-sha256", run->rig_sha256);
    json_print_text(print, "seed", run->seed);
    print_command(print, run->command);
}

void history_print_members(struct json_print *print, const struct history_found *run)
{
    json_print_text(print, "id", run->id);
    json_print_text(print, "date", run->date);
    json_print_text(print, "dated-by", run->dated_by);
    json_print_text(print, "clock", run->clock);
    json_print_text(print, "host", run->host);
    json_print_text(print, "imported", run->imported);
    json_print_text(print, "verdict", run->verdict);
    if (run->why)
        json_print_text(print, "why", run->why);
    json_print_integer(print, "recordings", run->recordings);
    print_totals(print, run);
    print_shard(print, run);
    json_print_integer(print, "retries", run->retries);
    json_print_integer(print, "reconnects", run->reconnects);
    json_print_integer(print, "resumed", run->resumed);
    print_journal(print, run);
    json_print_open(print, "operators", "[]");
    for (size_t i = 0; i < run->performer_count; i++)
        json_print_text(print, NULL, run->performers[i]);
    json_print_close(print, "[]");
    json_print_open(print, "devices", "[]");
    for (size_t i = 0; i < run->device_count; i++)
        print_device(print, &run->devices[i]);
    json_print_close(print, "[]");
}

/* All of them in one field. */
static void print_csv_devices(const struct history_found *run)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);

    for (size_t i = 0; out && i < run->device_count; i++) {
        const struct history_device *device = &run->devices[i];

        fprintf(out, "%s%s:%s:%s", i ? " " : "", device->name, device->serial ? device->serial : "",
                device->firmware ? device->firmware : "");
    }
    if (out && !fclose(out))
        history_print_field(stdout, text);
    free(text);
}

static void print_csv(const struct history_found *run)
{
    const char *const texts[] = {run->id, run->date, run->host, run->verdict, run->rig};

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        history_print_field(stdout, texts[i]);
        putchar(',');
    }
    printf("%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%d,%d,",
           run->rounds.passed, run->rounds.failed, run->rounds.skipped, run->checks.passed,
           run->checks.failed, run->checks.skipped, run->is_complete, run->is_verified);
    print_csv_devices(run);
    printf(",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 "\n", run->rounds.ended, run->part,
           run->parts, run->attempt);
}

static void print_devices(const struct history_found *run)
{
    for (size_t i = 0; i < run->device_count; i++) {
        const struct history_device *device = &run->devices[i];

        if (!device->serial && !device->firmware)
            continue;
        fputs("  ", stdout);
        plain_text(stdout, device->name);
        putchar(' ');
        plain_text(stdout, device->serial ? device->serial : "-");
        if (device->firmware) {
            putchar(' ');
            plain_text(stdout, device->firmware);
        }
    }
}

static void print_line(const struct history_found *run)
{
    int64_t played =
        run->rounds.passed + run->rounds.failed + run->rounds.skipped + run->rounds.ended;

    plain_text(stdout, run->date);
    fputs("  ", stdout);
    plain_text(stdout, run->verdict);
    printf("%*s %" PRId64 "/%" PRId64 "  ",
           strlen(run->verdict) < 8 ? 8 - (int)strlen(run->verdict) : 0, "", run->rounds.passed,
           played);
    plain_text(stdout, run->id);
    fputs("  ", stdout);
    plain_text(stdout, run->rig ? run->rig : "(built in)");
    print_devices(run);
    if (run->part)
        printf("  shard %" PRId64 "/%" PRId64 "%s", run->part, run->parts,
               run->is_counted ? "" : ", not counted");
    else if (run->parts)
        printf("  %" PRId64 " shards", run->parts);
    if (!run->is_complete && strcmp(run->verdict, "cut off") != 0)
        fputs("  cut off", stdout);
    if (!run->is_verified)
        fputs("  NOT VERIFIED", stdout);
    putchar('\n');
}

void history_print_begin(struct history_printer *printer, const struct history_options *options)
{
    *printer = (struct history_printer){.options = options, .json = {.out = stdout}};
    if (options->json) {
        json_print_open(&printer->json, NULL, "{}");
        json_print_open(&printer->json, "runs", "[]");
    }
    if (options->csv)
        printf("id,date,host,verdict,rig,rounds_passed,rounds_failed,rounds_skipped,checks_passed,"
               "checks_failed,checks_skipped,complete,verified,devices,rounds_ended,shard,shards,"
               "attempt\n");
}

int history_print_run(void *context, const struct history_found *run)
{
    struct history_printer *printer = context;

    printer->count++;
    if (printer->options->json) {
        json_print_open(&printer->json, NULL, "{}");
        history_print_members(&printer->json, run);
        json_print_close(&printer->json, "{}");
    } else if (printer->options->csv) {
        print_csv(run);
    } else {
        print_line(run);
    }
    return 0;
}

void history_print_end(struct history_printer *printer)
{
    if (printer->options->json) {
        json_print_close(&printer->json, "[]");
        json_print_close(&printer->json, "{}");
        putchar('\n');
    } else if (!printer->options->csv) {
        printf("%" PRIu64 " run%s\n", printer->count, printer->count == 1 ? "" : "s");
    }
}
