/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/run/runner.h"
#include "rigs/run/dealer/dealer.h"
#include "rigs/run/ending.h"
#include "rigs/run/loop.h"
#include "rigs/run/replay.h"
#include "rigs/run/second.h"
#include "rigs/run/table.h"
#include "rigs/run/terminal/terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hal/desk/desk.h"
#include "rigs/bench/rest.h"
#include "rigs/recording/files.h"
#include "rigs/recording/write.h"

/* So much of a line that cannot be read stands in the journal, and takes so much there. */
#define QUOTED_MAX  4096
#define QUOTED_SIZE (6 * QUOTED_MAX + 3)

static void tell_failure(void *context, const struct check_result *result)
{
    const struct runner *runner = context;

    if (runner->options->check_failed)
        runner->options->check_failed(runner->options->context, runner->path,
                                      runner->run.round.recorded.round.number, result);
}

static int write_pass(void *context, const char *name, struct error *error)
{
    const struct runner *runner = context;

    return journal_pass(runner->options->journal, name, error);
}

static int write_result(void *context, const struct check_result *result, struct error *error)
{
    const struct runner *runner = context;

    return journal_check(runner->options->journal, result, error);
}

struct runner *runner_new(struct bench *bench, const struct runner_options *options,
                          struct error *error)
{
    struct runner *runner = calloc(1, sizeof *runner);

    if (runner)
        runner->json = json_reader_new(JSON_LONGEST);
    if (!runner || !runner->json) {
        free(runner);
        error_set(error, ERROR_RIG, "no memory for a runner");
        return NULL;
    }
    runner->bench = bench;
    runner->options = options;
    runner->book = (struct check_book){.context = runner, .failed = tell_failure};
    if (options->journal) {
        runner->book.write_pass = write_pass;
        runner->book.write_result = write_result;
    }
    runner->run = (struct run){
        .bench = bench, .book = &runner->book, .journal = options->journal, .options = options};
    run_second_begin(&runner->run);
    return runner;
}

void runner_free(struct runner *runner)
{
    if (!runner)
        return;
    if (runner->bench->hal.desk)
        desk_scribe(runner->bench->hal.desk, NULL);
    run_second_forget(&runner->run);
    json_reader_free(runner->json);
    run_chance_free(&runner->chance);
    free(runner->digests);
    free(runner);
}

const struct runner_counts *runner_counts(const struct runner *runner)
{
    return &runner->counts;
}

/* Whether a line of the journal that holds this as JSON can be read. */
static bool is_json(struct runner *runner, const struct text_line *line)
{
    static const char before[] = "{\"played\":", after[] = "}";
    char held[JSON_LONGEST];
    size_t length = sizeof before - 1 + line->length + sizeof after - 1;

    if (length > sizeof held)
        return false;
    memcpy(held, before, sizeof before - 1);
    memcpy(held + sizeof before - 1, line->text, line->length);
    memcpy(held + length - (sizeof after - 1), after, sizeof after - 1);
    return json_read(runner->json, held, length, NULL) != NULL;
}

/* What is no JSON stands in the journal as a text, or the beginning of it. */
static size_t quote(const struct text_line *line, char quoted[QUOTED_SIZE])
{
    char text[QUOTED_MAX + 1];
    size_t length = line->length < QUOTED_MAX ? line->length : QUOTED_MAX;
    struct json_text out;

    for (size_t i = 0; i < length; i++)
        text[i] = line->text[i] ? line->text[i] : '\xff';
    text[length] = '\0';
    json_text_begin(&out, quoted, QUOTED_SIZE);
    json_text_string(&out, text);
    return (size_t)(out.at - quoted);
}

static int play_line(struct runner *runner, const struct text_line *line,
                     const struct text_line *expected, struct error *error)
{
    char quoted[QUOTED_SIZE];
    struct recording_round recorded;
    struct error why;
    struct run_replay_lines lines = {.recorded = &recorded, .why = &why, .expected = expected};
    struct run_turn turn = {
        .text = line->text, .length = line->length, .context = &lines, .play = run_replay};

    lines.status = recording_read_round(runner->json, line->text, line->length, &runner->header,
                                        &recorded, &why);
    if (!lines.status &&
        run_table_check_round(runner->bench->rig, &runner->header, &recorded, error)) {
        error_prefix(error, "%s:%ju", runner->path, (uintmax_t)line->number);
        return ERROR_CONFIG;
    }
    turn.number = recorded.round.number;
    lines.is_numbered = !lines.status ||
                        recording_find_number(runner->json, line->text, line->length, &turn.number);
    if (lines.status && !is_json(runner, line)) {
        turn.text = quoted;
        turn.length = quote(line, quoted);
    }
    return run_loop_turn(runner, &turn, error);
}

static int play_rounds(struct runner *runner, struct recording_files *files, struct error *error)
{
    struct text_line line, expected;
    int status;

    while ((status = recording_file_next(&files->recorded, &line, error)) > 0) {
        int wanted = recording_file_next(&files->expected, &expected, error);

        if (wanted < 0)
            return wanted;
        if (run_loop_stopped(runner))
            return error_set(error, ERROR_ABORTED, "stopped before line %ju of %s",
                             (uintmax_t)line.number, files->recorded.name);
        status = play_line(runner, &line, wanted ? &expected : NULL, error);
        if (status)
            return status;
    }
    if (status < 0)
        return status;
    status = recording_file_next(&files->expected, &expected, error);
    if (status > 0)
        return error_set(error, ERROR_CONFIG, "%s: line %ju expects a round that %s does not have",
                         files->expect_path, (uintmax_t)expected.number, files->recorded.name);
    return status;
}

static int read_header(struct runner *runner, struct recording_files *files, struct error *error)
{
    int status =
        recording_file_header(&files->recorded, runner->bench->paytables, &runner->header, error);

    if (status)
        return status;
    status = run_table_apply(runner->bench->rig, &runner->header, error);
    if (status)
        error_prefix(error, "%s:1", runner->path);
    return status;
}

/* Says in the journal which files are played, with their digests and the number of rounds. */
static int enter_files(struct runner *runner, const struct recording_files *files, uint64_t rounds,
                       struct error *error)
{
    static const struct recording_source unsaid = {.note = NULL};
    char header[RECORDING_LINE_SIZE];
    const struct journal_recording entry = {
        .path = files->recorded.name,
        .digest = files->recorded.digest,
        .expect_path = files->expect_path,
        .expect_digest = files->expected.digest,
        .game = runner->header.setup.game->name,
        .rounds = rounds,
        .header = header,
        .header_length = recording_write_header(header, &runner->header, &unsaid) - 1};

    return runner->options->journal && !runner->goes_on
               ? journal_recording(runner->options->journal, &entry, error)
               : 0;
}

/* What a round that was played before has made of the meters, as run_replay() has. */
static void pass_over(struct runner *runner, const struct text_line *line)
{
    struct meters after = runner->header.meters;
    struct recording_round recorded;
    struct settlement settlement;

    if (recording_read_round(runner->json, line->text, line->length, &runner->header, &recorded,
                             NULL) ||
        game_settle(&runner->header.setup, &recorded.round, &settlement, NULL) ||
        game_settle_meters(&runner->header.setup, &recorded.round, &after, &settlement, NULL))
        return;
    runner->header.meters = after;
}

static int pass_over_rounds(struct runner *runner, struct recording_files *files,
                            struct error *error)
{
    struct text_line line, expected;

    for (uint64_t i = 0; i < runner->had_ended; i++) {
        int status = recording_file_next(&files->recorded, &line, error);

        if (status > 0)
            pass_over(runner, &line);
        if (status >= 0)
            status = recording_file_next(&files->expected, &expected, error);
        if (status < 0)
            return status;
    }
    runner->goes_on = false;
    runner->had_ended = 0;
    return 0;
}

void runner_go_on(struct runner *runner, uint64_t rounds)
{
    runner->goes_on = true;
    runner->had_ended = rounds;
}

static int open_files(struct runner *runner, struct recording_files *files, struct error *error)
{
    int status = runner->options->journal ? recording_files_sum(files, error) : 0;
    uint64_t lines = files->recorded.count;

    if (!status)
        status = read_header(runner, files, error);
    return status ? status : enter_files(runner, files, lines - 1, error);
}

/* The header is that of the survey, so its line is passed over. */
static int open_surveyed(struct runner *runner, struct recording_files *files,
                         const struct run_survey *survey, struct error *error)
{
    struct text_line line;
    int status;

    recording_files_expect(files, survey->digest, survey->expect_digest);
    status = recording_file_next(&files->recorded, &line, error);
    if (status < 0)
        return status;
    runner->header = survey->header;
    return enter_files(runner, files, survey->rounds, error);
}

static int play_files(struct runner *runner, struct recording_files *files,
                      const struct run_survey *survey, struct error *error)
{
    bool is_surveyed = survey && *survey->digest;
    int status = is_surveyed ? open_surveyed(runner, files, survey, error)
                             : open_files(runner, files, error);
    int rest;

    if (!status)
        status = pass_over_rounds(runner, files, error);
    if (!status)
        status = run_loop_start(runner, NULL, error);
    if (!status)
        status = play_rounds(runner, files, error);
    if (!status)
        status = run_loop_end(runner, error);
    /* After fail_fast there is a rest, and a file that was changed is told all the same. */
    rest = status > 0 ? recording_files_finish(files, error) : 0;
    return rest ? rest : status;
}

/* What was judged outside of rounds. */
static int count_after(struct runner *runner, struct error *error)
{
    struct check_book *book = &runner->book;

    runner->counts.failed_after += runner->run.round.tally.failed;
    runner->counts.checks = book->counts;
    if (runner->options->journal && !book->status)
        book->status = journal_passes(runner->options->journal, &book->error);
    if (book->status)
        *error = book->error;
    return book->status;
}

/* Devices that stay may have said something between two recordings. */
static int end_recording(struct runner *runner, struct error *error)
{
    if (!runner->run.recording.dealer || runner->run.recording.is_first)
        return 0;
    run_ending_recording(runner);
    return count_after(runner, error);
}

int runner_play_surveyed(struct runner *runner, const char *path, const struct run_survey *survey,
                         struct error *error)
{
    struct recording_files files;
    int status = recording_files_open_in(&files, runner->options->place, path, -1, error);

    if (status)
        return status;
    status = end_recording(runner, error);
    runner->path = path;
    if (!status)
        status = play_files(runner, &files, survey, error);
    recording_files_close(&files);
    runner->counts.checks = runner->book.counts;
    return run_loop_left(runner, status, error);
}

int runner_play(struct runner *runner, const char *path, struct error *error)
{
    return runner_play_surveyed(runner, path, NULL, error);
}

/* One that left after the last round has not told all that is checked then. */
static int find_lost(const struct runner *runner, struct error *error)
{
    const struct bench_device *device;

    for (unsigned i = 0; (device = bench_device(runner->bench, i)); i++)
        if (device->link && link_is_lost(device->link))
            return error_set(error, ERROR_DEVICE,
                             "%s is gone: what the %s tells after the last round could not be "
                             "checked",
                             device->link->address, device->name);
    return 0;
}

int runner_judge(struct runner *runner, struct error *error)
{
    int status;

    if (!runner->run.recording.dealer || runner->run.recording.is_first)
        return 0;
    run_ending(runner);
    run_chance_judge(&runner->chance, &runner->book);
    status = count_after(runner, error);
    return status ? status : find_lost(runner, error);
}

int runner_finish(struct runner *runner, struct error *error)
{
    int status = run_dealers_end(&runner->run, error);

    if (!status)
        status = run_terminal_end(&runner->run, error);
    if (!status && runner->bench->sensors)
        status = sensors_rest(runner->bench->sensors, error);
    return status;
}

/* A device that no round has used, and that is in no test mode of ours, is as it was found. */
static bool was_used(const struct run *run, enum device_class class)
{
    const struct run_recording *recording = &run->recording;

    if (run->entered[class])
        return true;
    if (!recording->dealer || recording->is_first)
        return false;
    return class == recording->dealer->class || class == DEVICE_SENSORS ||
           (class == DEVICE_TERMINAL && recording->has_terminal);
}

int runner_rest(struct runner *runner, int64_t wait, struct error *error)
{
    const struct bench_device *device;
    char left[ERROR_TEXT_SIZE] = "";
    size_t used = 0;

    for (unsigned i = 0; (device = bench_device(runner->bench, i)); i++) {
        bool *entered = &runner->run.entered[device->class];
        struct bench_rest rest = {.leaves_test_mode = *entered, .pays = true, .wait = wait};
        struct error why;

        if (!was_used(&runner->run, device->class))
            continue;
        if (!bench_rest(runner->bench, device, &rest, &why))
            *entered = false;
        else if (used < sizeof left)
            used += (size_t)snprintf(
                left + used, sizeof left - used, "%sthe %s is not left as it was found%s: %s",
                used ? "; " : "", device->name,
                *entered && !rest.has_left ? ", but in test mode" : "", why.text);
    }
    return used ? error_set(error, ERROR_DEVICE, "%s", left) : 0;
}
