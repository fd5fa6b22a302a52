/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rigs/history/details.h"
#include "rigs/history/spread.h"
#include "rigs/page/markup.h"
#include "rigs/report/report.h"
#include "tools/history/history.h"

/* Failures and rounds that are shown to people; --json has all that the store has. */
#define SHOWN 20

struct showing {
    struct store *store;
    const struct history_options *options;
    struct json_print json;
    int64_t number, count;
    int64_t left_out; /* of a part, that are not shown to people */
    struct history_spreads spreads;
};

static void print_fact(const char *name, const char *text)
{
    if (!text)
        return;
    printf("%-12s ", name);
    plain_text(stdout, text);
    putchar('\n');
}

static void print_counted(const char *name, const struct history_counts *counts)
{
    printf("%-12s %" PRId64 " passed, %" PRId64 " failed, %" PRId64 " skipped", name,
           counts->passed, counts->failed, counts->skipped);
    if (counts->ended)
        printf(", %" PRId64 " ended by the bench or a person", counts->ended);
    putchar('\n');
}

static void print_warnings(struct showing *showing, const struct history_found *run)
{
    char later[HISTORY_ID_MAX + 1];

    if (!run->is_verified)
        print_fact("NOT VERIFIED", run->problem);
    if (!run->is_complete && !(run->parts && !run->part))
        print_fact("cut off", "there is no end line; what follows is what the lines up to there "
                              "come to");
    if (!strcmp(run->dated_by, "file"))
        print_fact("", "in virtual time: the date is when the journal was written");
    if (strcmp(run->date, run->imported) > 0)
        print_fact("clock", "it is dated after it was imported: a clock was wrong");
    if (!history_dated_after(showing->store, run->number, later, NULL) && *later) {
        printf("%-12s a run of this bench that was imported before is dated after it: ", "clock");
        plain_text(stdout, later);
        putchar('\n');
    }
}

static void print_shard(const struct history_found *run)
{
    print_fact("job", run->job);
    if (run->part)
        printf("%-12s %" PRId64 " of %" PRId64 ", attempt %" PRId64 "%s\n", "shard", run->part,
               run->parts, run->attempt, run->is_counted ? "" : ", not counted");
    else if (run->parts)
        printf("%-12s %" PRId64 "\n", "shards", run->parts);
}

static int print_head(void *context, const struct history_found *run)
{
    struct showing *showing = context;

    showing->number = run->number;
    if (showing->options->json) {
        history_print_members(&showing->json, run);
        return 0;
    }
    print_fact("run", run->id);
    print_fact("date", run->date);
    print_fact("bench", run->host);
    print_fact("verdict", run->verdict);
    print_fact("why", run->why);
    print_warnings(showing, run);
    print_shard(run);
    print_fact("rig", run->rig ? run->rig : "(built in)");
    print_fact("journal", run->source);
    print_fact("digest", run->digest);
    print_counted("rounds", &run->rounds);
    print_counted("checks", &run->checks);
    for (size_t i = 0; i < run->performer_count; i++)
        print_fact("operator", run->performers[i]);
    for (size_t i = 0; i < run->device_count; i++) {
        const struct history_device *device = &run->devices[i];

        printf("%-12s ", "device");
        plain_text(stdout, device->name);
        printf(": model ");
        plain_text(stdout, device->model ? device->model : "-");
        printf(", serial ");
        plain_text(stdout, device->serial ? device->serial : "-");
        printf(", firmware ");
        plain_text(stdout, device->firmware ? device->firmware : "-");
        puts(device->test_mode ? ", in test mode" : "");
    }
    return 0;
}

/* Counts what is shown of a part, and what is not any more. */
static bool leave_out(struct showing *showing)
{
    bool is_left_out = showing->count == SHOWN;

    showing->count += !is_left_out;
    showing->left_out += is_left_out;
    return is_left_out;
}

static int print_recording(void *context, const struct history_recording *recording, int64_t others)
{
    struct showing *showing = context;
    struct json_print *print = &showing->json;

    if (showing->options->json) {
        json_print_open(print, NULL, "{}");
        json_print_text(print, "path", recording->path);
        json_print_text(print, "sha256", recording->sha256);
        json_print_text(print, "expect-sha256", recording->expect_sha256);
        json_print_text(print, "game", recording->game);
        json_print_text(print, "verdict", verdict_name(recording->verdict));
        history_print_counts(print, &recording->rounds);
        json_print_integer(print, "ended", recording->rounds.ended);
        json_print_integer(print, "other-contents", others);
        json_print_close(print, "{}");
        return 0;
    }
    if (recording->verdict == VERDICT_PASS && !others && leave_out(showing))
        return 0;
    printf("recording    %-8s %" PRId64 "/%" PRId64 " ", verdict_name(recording->verdict),
           recording->rounds.passed,
           recording->rounds.passed + recording->rounds.failed + recording->rounds.skipped +
               recording->rounds.ended);
    plain_text(stdout, recording->path ? recording->path : recording->game);
    if (recording->sha256)
        printf("  %.12s", recording->sha256);
    if (others)
        printf("  (%" PRId64 " other content%s under this name in other runs)", others,
               others == 1 ? "" : "s");
    putchar('\n');
    return 0;
}

static int print_check(void *context, const struct history_check *check)
{
    struct showing *showing = context;
    struct json_print *print = &showing->json;

    if (showing->options->json) {
        json_print_open(print, NULL, "{}");
        json_print_text(print, "name", check->name);
        history_print_counts(print, &check->counts);
        if (check->why)
            json_print_text(print, "why-skipped", check->why);
        json_print_close(print, "{}");
        return 0;
    }
    if (!check->counts.failed)
        return 0;
    printf("failed       ");
    plain_text(stdout, check->name);
    printf(": %" PRId64 " of %" PRId64 "\n", check->counts.failed,
           check->counts.failed + check->counts.passed);
    return 0;
}

static int print_failure(void *context, const struct history_failure *failure)
{
    struct showing *showing = context;
    struct json_print *print = &showing->json;

    if (showing->options->json) {
        json_print_open(print, NULL, "{}");
        json_print_integer(print, "recording", (int64_t)failure->recording);
        json_print_integer(print, "round", failure->round);
        json_print_text(print, "name", failure->name);
        if (failure->seat)
            json_print_integer(print, "seat", failure->seat);
        if (failure->wager)
            json_print_text(print, "wager", failure->wager);
        json_print_text(print, "expected", failure->expected);
        json_print_text(print, "got", failure->got);
        json_print_text(print, "why", failure->why);
        json_print_close(print, "{}");
        return 0;
    }
    if (leave_out(showing))
        return 0;
    printf("  recording %zu, round %" PRId64 ", ", failure->recording, failure->round);
    plain_text(stdout, failure->name);
    if (failure->why) {
        fputs(": ", stdout);
        plain_text(stdout, failure->why);
    }
    putchar('\n');
    return 0;
}

static int print_round(void *context, const struct history_unpassed *round)
{
    struct showing *showing = context;
    struct json_print *print = &showing->json;

    if (showing->options->json) {
        json_print_open(print, NULL, "{}");
        json_print_integer(print, "recording", (int64_t)round->recording);
        json_print_integer(print, "round", round->round);
        json_print_text(print, "verdict", verdict_name(round->verdict));
        if (round->why)
            json_print_text(print, "why", round->why);
        json_print_close(print, "{}");
        return 0;
    }
    if (leave_out(showing))
        return 0;
    printf("  recording %zu, round %" PRId64 ": %s", round->recording, round->round,
           verdict_name(round->verdict));
    if (round->why) {
        fputs(", ", stdout);
        plain_text(stdout, round->why);
    }
    putchar('\n');
    return 0;
}

static void print_timing(struct showing *showing, const struct history_spread *spread)
{
    struct json_print *print = &showing->json;
    char median[DURATION_TEXT_SIZE], slowest[DURATION_TEXT_SIZE];

    if (showing->options->json) {
        json_print_open(print, NULL, "{}");
        json_print_text(print, "name", spread->name);
        json_print_bool(print, "by-hand", spread->by_hand);
        json_print_integer(print, "count", (int64_t)spread->count);
        json_print_integer(print, "median", history_spread_median(spread));
        json_print_integer(print, "slowest", history_spread_slowest(spread));
        if (spread->limit)
            json_print_integer(print, "limit", spread->limit);
        json_print_close(print, "{}");
        return;
    }
    printf("timing       ");
    plain_text(stdout, spread->name);
    printf("%s: %zu, median %s, slowest %s\n", spread->by_hand ? " by hand" : "", spread->count,
           report_duration(history_spread_median(spread), median),
           report_duration(history_spread_slowest(spread), slowest));
}

static int print_journal(void *context, const struct history_found *run)
{
    struct showing *showing = context;

    if (showing->options->json) {
        json_print_open(&showing->json, NULL, "{}");
        history_print_members(&showing->json, run);
        json_print_close(&showing->json, "{}");
        return 0;
    }
    if (run->is_counted && !strcmp(run->verdict, "pass") && leave_out(showing))
        return 0;
    printf("shard        %-8s %" PRId64 "/%" PRId64 " attempt %" PRId64 "%s  ", run->verdict,
           run->part, run->parts, run->attempt, run->is_counted ? "" : ", not counted");
    plain_text(stdout, run->id);
    fputs("  ", stdout);
    plain_text(stdout, run->host);
    if (!run->is_verified)
        fputs("  NOT VERIFIED", stdout);
    putchar('\n');
    return 0;
}

/* Of a run that was played in shards: each of them, also what does not count. */
static int print_journals(struct showing *showing, struct error *error)
{
    return history_find(showing->store, &(struct history_filter){.whole = showing->number},
                        print_journal, showing, error);
}

static int print_recordings(struct showing *showing, struct error *error)
{
    return history_recordings(showing->store, showing->number, print_recording, showing, error);
}

static int print_checks(struct showing *showing, struct error *error)
{
    return history_checks(showing->store, showing->number, print_check, showing, error);
}

static int print_failures(struct showing *showing, struct error *error)
{
    return history_failures(showing->store, showing->number, print_failure, showing, error);
}

static int print_rounds(struct showing *showing, struct error *error)
{
    return history_rounds(showing->store, showing->number, print_round, showing, error);
}

static int print_timings(struct showing *showing, struct error *error)
{
    int status = history_spreads_of_run(showing->store, showing->number, &showing->spreads, error);

    for (size_t i = 0; !status && i < showing->spreads.count; i++)
        print_timing(showing, &showing->spreads.items[i]);
    history_spreads_free(&showing->spreads);
    return status;
}

/* Each is a list of --json, or a part of what people are shown. */
static int print_details(struct showing *showing, struct error *error)
{
    static const struct {
        const char *name;
        int (*print)(struct showing *showing, struct error *error);
    } parts[] = {{"journals", print_journals},        {"recordings-played", print_recordings},
                 {"checks-made", print_checks},       {"failures", print_failures},
                 {"rounds-not-passed", print_rounds}, {"timings", print_timings}};
    int status = 0;

    for (size_t i = 0; i < sizeof parts / sizeof parts[0] && !status; i++) {
        showing->left_out = showing->count = 0;
        if (showing->options->json)
            json_print_open(&showing->json, parts[i].name, "[]");
        status = parts[i].print(showing, error);
        if (showing->options->json)
            json_print_close(&showing->json, "[]");
        else if (showing->left_out)
            printf("  and %" PRId64 " more\n", showing->left_out);
    }
    return status;
}

static int show(struct showing *showing, const char *id, struct error *error)
{
    int status;

    if (showing->options->json) {
        json_print_open(&showing->json, NULL, "{}");
        json_print_open(&showing->json, "runs", "[]");
        json_print_open(&showing->json, NULL, "{}");
    }
    status = history_find(showing->store, &(struct history_filter){.id = id}, print_head, showing,
                          error);
    if (!status)
        status = print_details(showing, error);
    if (showing->options->json && !status) {
        json_print_close(&showing->json, "{}");
        json_print_close(&showing->json, "[]");
        json_print_close(&showing->json, "{}");
        putchar('\n');
    }
    return status;
}

static int show_line(struct showing *showing, const char *id, struct error *error)
{
    struct history_printer printer;
    int status;

    history_print_begin(&printer, showing->options);
    status = history_find(showing->store, &(struct history_filter){.id = id}, history_print_run,
                          &printer, error);
    history_print_end(&printer);
    return status;
}

static int run_show(const struct command *command, int argc, char **argv)
{
    struct history_options options = {.store = NULL};
    struct showing showing = {.options = &options, .json = {.out = stdout}};
    char id[HISTORY_ID_MAX + 1];
    struct error error;
    int status;
    char **names = options_read(command, argc, argv, &options, &status);

    if (!names)
        return status;
    if (!names[0] || names[1])
        return command_usage_error(command, names[0] ? "one run at a time" : "no run given");
    status = history_store(command, &options, false, &showing.store);
    if (status)
        return status;
    if (history_find_id(showing.store, names[0], id, &showing.number, &error) ||
        (options.csv ? show_line : show)(&showing, id, &error))
        status = command_error(command, &error);
    store_close(showing.store);
    return command_finish(command, status);
}

static const struct option_row rows[] = {{.expand = history_rows}, OPTIONS_END};

static const struct command show_command = {
    .name = "history show",
    .synopsis = "[OPTION]... RUN",
    .summary = "Show all that is kept of one run",
    .about =
        "RUN is the id of a run, or its beginning, four letters or more. A recording is known\n"
        "by what is in it: where another run has played something else under the same name,\n"
        "that is said. --csv prints the line that 'history list --csv' has of the run.\n",
    .options = rows,
    .help = "Examples:\n"
            "  dealproof history show 9f2c11d0\n"
            "  dealproof history show 9f2c11d0 --json | jq '.runs[0].failures'\n\n"
            "Exit status: 0, 2 usage, or no such run, 4 the store failed.\n",
    .run = run_show,
};
REGISTER(history_commands, show_command);
