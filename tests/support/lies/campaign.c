/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/lies/campaign.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rigs/recording/expect.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

#define PATH_SIZE (SCRATCH_PATH_SIZE + 16)

struct files {
    char shoe[PATH_SIZE], expect[PATH_SIZE], journal[PATH_SIZE];
};

static void note_round(void *context, const struct runner_round *round)
{
    struct campaign_result *result = context;

    if (round->verdict > result->worst)
        snprintf(result->why, sizeof result->why, "%s", round->why ? round->why : "");
    result->worst = verdict_worse(result->worst, round->verdict);
}

static void note_check(void *context, const char *recording, int64_t round,
                       const struct check_result *check)
{
    struct campaign_result *result = context;

    (void)recording;
    (void)round;
    if (!result->first)
        result->first = check->name;
}

/* Copies the first lines of a file; how many there were. */
static unsigned copy_lines(const char *from, const char *to, unsigned most)
{
    size_t length, end = 0;
    char *text = scratch_read(from, &length);
    unsigned lines = 0;

    while (end < length && lines < most) {
        end += strcspn(text + end, "\n") + 1;
        lines++;
    }
    scratch_write(to, text, end < length ? end : length);
    free(text);
    return lines;
}

static unsigned make_files(const struct campaign_run *run, struct files *files)
{
    char base[SCRATCH_PATH_SIZE], from[512];
    size_t stem = strlen(run->path) - strlen(".shoe");
    unsigned most = run->rounds ? run->rounds : 1000000;

    scratch_path(base);
    snprintf(files->shoe, PATH_SIZE, "%s.shoe", base);
    snprintf(files->expect, PATH_SIZE, "%s.expect", base);
    snprintf(files->journal, PATH_SIZE, "%s.journal", base);
    snprintf(from, sizeof from, "%.*s.expect", (int)stem, run->path);
    copy_lines(from, files->expect, most);
    return copy_lines(run->path, files->shoe, most + 1) - 1;
}

static void drop_files(const struct files *files)
{
    unlink(files->shoe);
    unlink(files->expect);
    unlink(files->journal);
}

/* What was dealt and settled in the round that the journal is at. */
struct audit {
    struct campaign_result *result;
    FILE *shoe, *expect;
    json_t *recorded, *expected; /* lines of this round */
    json_t *packets;             /* that came */
    json_t *settled;
};

static json_t *next_object(FILE *file)
{
    char line[16384];

    return fgets(line, sizeof line, file) ? json_loads(line, 0, NULL) : NULL;
}

static void open_round(struct audit *audit)
{
    json_decref(audit->recorded);
    json_decref(audit->expected);
    json_decref(audit->settled);
    audit->recorded = next_object(audit->shoe);
    audit->expected = next_object(audit->expect);
    audit->settled = NULL;
    json_array_clear(audit->packets);
}

static void take_cards(struct audit *audit, const json_t *line)
{
    const char *event = json_string_value(json_object_get(line, "event"));
    json_t *details = json_object_get(line, "details");

    if (!strcmp(event, "packet-present"))
        json_array_append(audit->packets, json_object_get(details, "cards"));
    if (!strcmp(event, "card"))
        json_array_append(audit->packets, details);
}

/* What a shuffler brings after a misdeal is of no hand. */
static void drop_swept(struct audit *audit)
{
    size_t dealt = json_array_size(json_object_get(audit->recorded, "dealt"));

    while (json_object_get(audit->recorded, "void") && json_array_size(audit->packets) > dealt)
        json_array_remove(audit->packets, json_array_size(audit->packets) - 1);
}

static void judge(struct audit *audit, const json_t *line)
{
    bool passed = !strcmp(json_string_value(json_object_get(line, "verdict")), "pass");
    bool refused = json_object_get(audit->expected, "error") != NULL;
    bool right;

    drop_swept(audit);
    right = refused || (json_equal(audit->settled, audit->expected) &&
                        json_equal(audit->packets, json_object_get(audit->recorded, "dealt")));

    if (passed && !right)
        audit->result->wrong_pass++;
}

static void read_line(struct audit *audit, const json_t *line)
{
    const char *kind = json_string_value(json_object_get(line, "kind"));

    if (!strcmp(kind, "round"))
        open_round(audit);
    else if (!strcmp(kind, "event"))
        take_cards(audit, line);
    else if (!strcmp(kind, "settled"))
        audit->settled = json_deep_copy(json_object_get(line, "settlement"));
    else if (!strcmp(kind, "retry"))
        audit->result->retries++;
    else if (!strcmp(kind, "verdict"))
        judge(audit, line);
}

static void audit_journal(const struct files *files, struct campaign_result *result)
{
    struct audit audit = {.result = result,
                          .shoe = fopen(files->shoe, "r"),
                          .expect = fopen(files->expect, "r"),
                          .packets = json_array()};
    FILE *journal = fopen(files->journal, "r");
    json_t *line;

    CU_ASSERT_FATAL(audit.shoe && audit.expect && journal);
    json_decref(next_object(audit.shoe));
    while ((line = next_object(journal))) {
        read_line(&audit, line);
        json_decref(line);
    }
    json_decref(audit.recorded);
    json_decref(audit.expected);
    json_decref(audit.settled);
    json_decref(audit.packets);
    fclose(audit.shoe);
    fclose(audit.expect);
    fclose(journal);
}

/* A bench with damaged links may not open: that is a result as well. */
static int open_bench(const struct campaign_run *run, struct rig **rig, struct bench *bench,
                      struct error *error)
{
    int status = run->rig_path ? rig_load(rig, run->rig_path, error) : rig_default(rig, error);

    if (status)
        printf("%s\n", error->text);
    CU_ASSERT_EQUAL_FATAL(status, 0);
    status = bench_open(bench, *rig, run->seed ? run->seed : 1, error);
    if (!status && run->defect)
        CU_ASSERT_EQUAL_FATAL(bench_fault(bench, run->slot, run->defect, error), 0);
    return status;
}

static void play_bench(const struct campaign_run *run, struct bench *bench,
                       const struct files *files, struct campaign_result *result)
{
    struct runner_options options = {
        .context = result, .round_ended = note_round, .check_failed = note_check};
    struct journal_start start = {.version = "campaign"};
    struct journal_options journal = {.clock = &bench->clock};
    struct runner *runner;

    CU_ASSERT_EQUAL_FATAL(
        journal_open(files->journal, &journal, &start, &options.journal, &result->error), 0);
    journal_hold(options.journal);
    runner = runner_new(bench, &options, &result->error);
    CU_ASSERT_PTR_NOT_NULL_FATAL(runner);
    result->status = runner_play(runner, files->shoe, &result->error);
    result->counts = *runner_counts(runner);
    result->has_shown = run->defect && bench_has_shown(bench, run->slot);
    runner_free(runner);
    CU_ASSERT_EQUAL(journal_release(options.journal, NULL), 0);
    journal_close(options.journal);
    audit_journal(files, result);
}

void campaign_play(const struct campaign_run *run, struct campaign_result *result)
{
    struct files files = {"", "", ""};
    struct bench bench;
    struct rig *rig;

    memset(result, 0, sizeof *result);
    result->rounds = make_files(run, &files);
    result->status = open_bench(run, &rig, &bench, &result->error);
    if (!result->status) {
        play_bench(run, &bench, &files, result);
        bench_close(&bench, NULL);
    }
    rig_free(rig);
    drop_files(&files);
}

void campaign_print(const struct campaign_run *run, const struct campaign_result *result)
{
    printf("%s, %s: %s, status %d, %s, %ju of %u rounds, first %s, %u wrong:", run->path,
           run->defect ? run->defect : "-", result->has_shown ? "shown" : "not shown",
           result->status, verdict_name(result->worst), (uintmax_t)result->counts.rounds,
           result->rounds, result->first ? result->first : "-", result->wrong_pass);
    for (int i = 0; i < CHECK_COUNT; i++)
        if (result->counts.checks.failed[i])
            printf(" %s", check_kinds[i].name);
    printf("; %s; %s\n", result->why, result->status ? result->error.text : "");
}
