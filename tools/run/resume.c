/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/run/resume.h"

#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hal/base/digest.h"
#include "hal/base/plural.h"
#include "rigs/page/markup.h"
#include "rigs/report/report.h"
#include "rigs/rig/named.h"

static int no_memory(struct error *error)
{
    return error_set(error, ERROR_RIG, "out of memory");
}

/* The command line of the run; only 'run' plays what can be found again. */
static int take_command(struct run_resume *resume, struct error *error)
{
    const struct json_value *command = json_member(resume->cut.start, "command");
    const char *name = json_chars(json_element(command, 0));

    if (!name || strcmp(name, "run"))
        return error_set(error, ERROR_CONFIG,
                         "%s: is of '%.20s'; only 'run' plays recordings that it can go on with",
                         resume->cut.path, name ? name : "");
    resume->argv = calloc(json_count(command) + 1, sizeof *resume->argv);
    if (!resume->argv)
        return no_memory(error);
    JSON_EACH (argument, command) {
        resume->argv[resume->argc] = strdup(json_chars(argument));
        if (!resume->argv[resume->argc++])
            return no_memory(error);
    }
    return 0;
}

int run_resume_read(struct run_resume *resume, const char *path, struct error *error)
{
    int status;

    *resume = (struct run_resume){.argc = 0};
    status = journal_cut_read(path, NULL, NULL, &resume->cut, error);
    return status ? status : take_command(resume, error);
}

void run_resume_free(struct run_resume *resume)
{
    for (int i = 0; i < resume->argc; i++)
        free(resume->argv[i]);
    free(resume->argv);
    journal_cut_free(&resume->cut);
    *resume = (struct run_resume){.argc = 0};
}

static int check_rig(const struct run_resume *resume, const struct rig *rig, struct error *error)
{
    const struct json_value *was = json_member(resume->cut.start, "rig");
    const char *digest = json_chars(json_member(was, "sha256"));
    char now[DIGEST_SIZE];

    digest_bytes(rig->text, rig->text_size, now);
    if (!digest || !strcmp(digest, now))
        return 0;
    return error_set(error, ERROR_CONFIG,
                     "%s: is another rig than the one of the run, which had the digest %.12s...; "
                     "put that one back",
                     rig->path, digest);
}

/* What the rig names is what it was; a journal of an earlier version does not say. */
static int check_named(const struct run_resume *resume, const struct rig *rig, struct error *error)
{
    struct rig_named named[RIG_NAMED_MAX];
    unsigned count = rig_named(rig, named);

    JSON_EACH (file, json_member(resume->cut.start, "files")) {
        const char *path = json_chars(json_member(file, "path"));
        const char *was = json_chars(json_member(file, "sha256"));
        bool is_same = false;

        for (unsigned i = 0; i < count; i++)
            is_same |= !strcmp(named[i].path, path) && !strcmp(named[i].digest, was);
        if (!is_same)
            return error_set(error, ERROR_CONFIG,
                             "%.200s: the file that the rig names has changed since the run, in "
                             "which it had the digest %.12s...; put that one back",
                             path, was);
    }
    return 0;
}

struct comparison {
    const struct recording_list *recordings;
    const struct run_survey *surveys;
    uint64_t repeat;
};

static bool is_text(const struct json_value *value, const char *text)
{
    return json_is(value, JSON_KIND_STRING) && !strcmp(value->text, text);
}

/* A recording that was begun is still where it was, and what it was. */
static int compare_recording(void *context, const struct journal_line *line, struct error *error)
{
    const struct comparison *comparison = context;
    size_t index = (size_t)json_int(json_member(line->fields, "recording")) - 1;
    size_t at = index % comparison->recordings->count;
    const struct run_survey *survey = &comparison->surveys[at];
    const char *path = comparison->recordings->paths[at];

    if (index / comparison->recordings->count >= comparison->repeat ||
        !is_text(json_member(line->fields, "path"), path))
        return error_set(error, ERROR_CONFIG,
                         "recording %zu of the run was another one than %s; run --resume where the "
                         "run was started, with the recordings that there were",
                         index + 1, path);
    if (!is_text(json_member(line->fields, "sha256"), survey->digest) ||
        !is_text(json_member(line->fields, "expect-sha256"), survey->expect_digest))
        return error_set(
            error, ERROR_CONFIG,
            "%s: it or its expectation was changed since the run; put back what it was", path);
    return 0;
}

int run_resume_check(struct run_resume *resume, const struct rig *rig,
                     const struct recording_list *recordings, const struct run_survey *surveys,
                     uint64_t repeat, struct error *error)
{
    struct comparison comparison = {recordings, surveys, repeat};
    const struct judge_recording *last = &resume->cut.recording;
    char path[PATH_MAX];
    int status = check_rig(resume, rig, error);

    if (!status)
        status = check_named(resume, rig, error);
    if (status)
        return status;
    memcpy(path, resume->cut.path, sizeof path);
    journal_cut_free(&resume->cut);
    status = journal_cut_read(path, compare_recording, &comparison, &resume->cut, error);
    if (status)
        return status;
    resume->goes_on = last->number && last->judged < last->announced;
    resume->first = (size_t)last->number - resume->goes_on;
    return 0;
}

int run_resume_count(const struct run_resume *resume, struct runner_counts *counts,
                     struct error *error)
{
    struct report *report;
    int status = report_read(resume->cut.path, &report, error);

    if (status)
        return status;
    *counts = (struct runner_counts){.rounds = report->round_count, .paid = report->paid};
    memcpy(counts->verdicts, report->verdicts, sizeof counts->verdicts);
    for (size_t i = 0; i < report->check_count; i++) {
        const struct report_check *check = &report->checks[i];
        int found = check_find(check->name);

        if (found < 0)
            continue;
        counts->checks.passed[found] = check->passed;
        counts->checks.failed[found] = check->failed;
        counts->checks.skipped[found] = check->skipped;
    }
    report_free(report);
    return 0;
}

void run_resume_tell(const struct run_resume *resume, const struct recording_list *recordings)
{
    const struct journal_cut *cut = &resume->cut;

    fprintf(stderr, "resumed after line %ju of ", (uintmax_t)cut->lines);
    plain_text(stderr, cut->path);
    if (resume->goes_on) {
        fprintf(stderr, ", after %jd of %jd round%s of ", (intmax_t)cut->recording.judged,
                (intmax_t)cut->recording.announced, plural((uintmax_t)cut->recording.announced));
        plain_text(stderr, recordings->paths[resume->first % recordings->count]);
    }
    fputs("\n", stderr);
    if (cut->is_lost)
        fprintf(stderr, "round %jd had begun, and is played again\n", (intmax_t)cut->lost_round);
    if (cut->torn)
        fprintf(stderr, "a torn line of %zu byte%s was cut off\n", cut->torn, plural(cut->torn));
}

/* What devices say and are once the last round is over. */
static const enum check after_rounds[] = {CHECK_STATUS,    CHECK_TEST_MODE_ANNOUNCED,
                                          CHECK_EVENT_LOG, CHECK_FRAMES,
                                          CHECK_IDENTITY,  CHECK_TIMING};
/* What all orders together show, where a device makes them. */
static const enum check over_all[] = {CHECK_SHUFFLE};

struct skipping {
    struct journal *journal;
    struct runner_counts *counts;
    bool is_quiet;
};

static int skip(const struct skipping *skipping, const enum check *checks, size_t count,
                const char *why, struct error *error)
{
    int status = 0;

    for (size_t i = 0; i < count && !status; i++) {
        const char *name = check_kinds[checks[i]].name;

        status = journal_check(
            skipping->journal,
            &(struct check_result){.name = name, .outcome = CHECK_SKIPPED, .why = why}, error);
        skipping->counts->checks.skipped[checks[i]]++;
        if (!skipping->is_quiet)
            fprintf(stderr, "%s%s", i ? ", " : "skipped: ", name);
    }
    if (!skipping->is_quiet)
        fprintf(stderr, ": %s\n", why);
    return status;
}

int run_resume_skip(const struct run_resume *resume, const struct rig *rig, struct journal *journal,
                    struct runner_counts *counts, bool is_quiet, struct error *error)
{
    const struct skipping skipping = {journal, counts, is_quiet};
    const struct judge_recording *last = &resume->cut.recording;
    char why[128];
    int status = 0;

    if (last->number && !resume->goes_on) {
        snprintf(why, sizeof why,
                 "the run was cut off after the last round of recording %jd: what is judged after "
                 "it was not",
                 (intmax_t)last->number);
        status =
            skip(&skipping, after_rounds, sizeof after_rounds / sizeof after_rounds[0], why, error);
    }
    if (!status && last->judged && rig->order == RIG_ORDER_COMPARE)
        status = skip(&skipping, over_all, sizeof over_all / sizeof over_all[0],
                      "the run was cut off: only the rounds since are judged together", error);
    return status;
}

static const struct json_value *find_device(const struct journal_cut *cut, const char *name)
{
    for (unsigned i = 0; i < cut->device_count; i++)
        if (is_text(json_member(cut->devices[i], "name"), name))
            return cut->devices[i];
    return NULL;
}

static int compare_device(const struct json_value *was, const struct journal_device *device,
                          struct error *error)
{
    const struct {
        const char *key, *now;
    } fields[] = {{"model", device->model},
                  {"firmware", device->firmware},
                  {"serial", device->serial},
                  {"digest", device->digest}};

    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        const char *before = json_chars(json_member(was, fields[i].key));
        const char *now = fields[i].now;

        if (before && now ? strcmp(before, now) != 0 : before != now)
            return error_set(error, ERROR_DEVICE,
                             "the %s is not the one that the run began with: its %s was %.64s and "
                             "is %.64s; attach that one, or start a new run",
                             device->name, fields[i].key, before ? before : "not said",
                             now ? now : "not said");
    }
    return 0;
}

int run_resume_compare(const struct run_resume *resume, const struct journal_device *devices,
                       size_t count, struct error *error)
{
    if (resume->cut.device_count < count)
        return error_set(error, ERROR_CONFIG,
                         "%s: was cut off before its devices were written down, and nothing was "
                         "played; start a new run",
                         resume->cut.path);
    for (size_t i = 0; i < count; i++) {
        const struct json_value *was = find_device(&resume->cut, devices[i].name);
        int status =
            was ? compare_device(was, &devices[i], error)
                : error_set(error, ERROR_DEVICE, "the run began without the %s", devices[i].name);

        if (status)
            return status;
    }
    return 0;
}

const char *run_resume_name(char name[RUN_RESUME_NAME_SIZE])
{
    struct passwd entry, *found = NULL;
    char room[4096];

    if (getpwuid_r(geteuid(), &entry, room, sizeof room, &found) || !found)
        snprintf(name, RUN_RESUME_NAME_SIZE, "uid %u", (unsigned)geteuid());
    else
        snprintf(name, RUN_RESUME_NAME_SIZE, "%s", found->pw_name);
    return name;
}
