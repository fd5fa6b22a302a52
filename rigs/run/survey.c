/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/run/survey.h"

#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>

#include "hal/base/json_fields.h"
#include "rigs/run/table.h"

/* One that the disk says nothing of is taken for a file, whose copy and digest would be missed. */
static bool is_regular(int file)
{
    struct stat status;

    return fstat(file, &status) || S_ISREG(status.st_mode);
}

static int read_header(struct recording_files *files, const struct rig *rig,
                       const struct paytables *paytables, struct run_survey *survey,
                       struct error *error)
{
    struct recording_header *header = &survey->header;
    int status = recording_file_header(&files->recorded, paytables, header, error);

    if (status)
        return status;
    survey->game = header->setup.game;
    status = run_table_apply(rig, header, error);
    if (status)
        error_prefix(error, "%s:1", files->recorded.name);
    return status;
}

static int count_rounds(struct recording_files *files, struct run_survey *survey,
                        struct error *error)
{
    int status = recording_files_sum(files, error);

    if (status)
        return status;
    survey->rounds = files->recorded.count - 1;
    memcpy(survey->digest, files->recorded.digest, sizeof survey->digest);
    memcpy(survey->expect_digest, files->expected.digest, sizeof survey->expect_digest);
    if (files->expected.count > survey->rounds && files->expected.empty)
        return error_set(error, ERROR_CONFIG, "%s:%ju: " RECORDING_EMPTY_LINE, files->expect_path,
                         (uintmax_t)files->expected.empty);
    if (files->expected.count > survey->rounds)
        return error_set(error, ERROR_CONFIG, "%s:%ju: expects a round that %s does not have",
                         files->expect_path, (uintmax_t)survey->rounds + 1, files->recorded.name);
    if (!survey->rounds)
        return error_set(error, ERROR_CONFIG, "%s: " RECORDING_NO_ROUND, files->recorded.name);
    return 0;
}

/* Finds the game although the .expect is missing: --filter may ask for that game. */
static void find_game(const char *path, const struct paytables *paytables,
                      struct run_survey *survey)
{
    struct recording_file file;
    struct recording_header header;

    if (recording_file_open(&file, path, -1, NULL))
        return;
    if (is_regular(file.fd) && !recording_file_header(&file, paytables, &header, NULL))
        survey->game = header.setup.game;
    recording_file_close(&file);
}

int run_survey_in(const struct recording_place *place, const char *path, const struct rig *rig,
                  const struct paytables *paytables, struct run_survey *survey, struct error *error)
{
    struct recording_files files;
    int status = recording_files_open_in(&files, place, path, -1, error);

    *survey = (struct run_survey){.game = NULL};
    if (status) {
        if (!place)
            find_game(path, paytables, survey);
        return status;
    }
    if (is_regular(files.recorded.fd) && is_regular(files.expected.fd)) {
        status = read_header(&files, rig, paytables, survey, error);
        if (!status)
            status = count_rounds(&files, survey, error);
    }
    recording_files_close(&files);
    return status;
}

int run_survey_recording(const char *path, const struct rig *rig, const struct paytables *paytables,
                         struct run_survey *survey, struct error *error)
{
    return run_survey_in(NULL, path, rig, paytables, survey, error);
}

/* What is no round is told when its turn comes. */
static int check_round(const struct text_line *line, struct json_reader *json,
                       const struct recording_header *header, const struct rig *rig,
                       struct error *error)
{
    struct recording_round round;

    return recording_read_round(json, line->text, line->length, header, &round, NULL)
               ? 0
               : run_table_check_round(rig, header, &round, error);
}

static int check_rounds(struct recording_file *file, const struct recording_header *header,
                        const struct rig *rig, struct error *error)
{
    struct json_reader *json = json_reader_new(JSON_LONGEST);
    struct text_line line;
    int status;

    if (!json)
        return error_set(error, ERROR_RIG, "out of memory");
    status = recording_file_next(file, &line, error); /* the header */
    while (status >= 0 && (status = recording_file_next(file, &line, error)) > 0) {
        status = check_round(&line, json, header, rig, error);
        if (status) {
            error_prefix(error, "%s:%ju", file->name, (uintmax_t)line.number);
            break;
        }
    }
    json_reader_free(json);
    return status;
}

int run_survey_rounds(const struct recording_place *place, const char *path, const struct rig *rig,
                      const struct run_survey *survey, struct error *error)
{
    struct recording_files files;
    int status;

    if (!survey->rounds || run_table_takes_all(rig, &survey->header))
        return 0;
    status = recording_files_open_in(&files, place, path, -1, error);
    if (status)
        return status;
    status = check_rounds(&files.recorded, &survey->header, rig, error);
    recording_files_close(&files);
    return status;
}

static int check_expected(const struct text_line *line, struct json_reader *json,
                          struct error *error)
{
    if (recording_is_empty(line->text, line->length))
        return error_set(error, ERROR_CONFIG, RECORDING_EMPTY_LINE);
    if (fields_parse(json, line->text, line->length, error))
        return 0;
    return error->code = ERROR_CONFIG;
}

static int check_all_expected(struct recording_file *file, struct error *error)
{
    struct json_reader *json = json_reader_new(JSON_LONGEST);
    struct text_line line;
    int status;

    if (!json)
        return error_set(error, ERROR_RIG, "out of memory");
    while ((status = recording_file_next(file, &line, error)) > 0) {
        status = check_expected(&line, json, error);
        if (status) {
            error_prefix(error, "%s:%ju", file->name, (uintmax_t)line.number);
            break;
        }
    }
    json_reader_free(json);
    return status;
}

int run_survey_expectation(const struct recording_place *place, const char *path,
                           struct error *error)
{
    struct recording_files files;
    int status = recording_files_open_in(&files, place, path, -1, error);

    if (status)
        return status;
    if (is_regular(files.recorded.fd) && is_regular(files.expected.fd))
        status = check_all_expected(&files.expected, error);
    recording_files_close(&files);
    return status;
}
