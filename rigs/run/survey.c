#include "rigs/run/survey.h"

#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rigs/recording/files.h"
#include "rigs/run/table.h"

static bool is_regular(int file)
{
    struct stat status;

    return !fstat(file, &status) && S_ISREG(status.st_mode);
}

static int read_header(struct recording_files *files, const struct rig *rig,
                       const struct paytables *paytables, struct run_survey *survey,
                       struct error *error)
{
    struct recording_header header;
    int status = recording_files_header(files, paytables, &header, error);

    if (status)
        return status;
    survey->game = header.setup.game;
    status = run_table_apply(rig, &header, error);
    if (status)
        error_prefix(error, "%s:1", files->recorded.path);
    return status;
}

static int count_rounds(struct recording_files *files, struct run_survey *survey,
                        struct error *error)
{
    int status = recording_files_sum(files, error);

    if (status)
        return status;
    survey->rounds = files->recorded.count - 1;
    if (files->expected.count > survey->rounds)
        return error_set(error, ERROR_CONFIG, "%s:%ju: expects a round that %s does not have",
                         files->expect_path, (uintmax_t)survey->rounds + 1, files->recorded.path);
    if (!survey->rounds)
        return error_set(error, ERROR_CONFIG, "%s: has no round; there is nothing to check",
                         files->recorded.path);
    return 0;
}

/* Who asks for a game is told of its recordings that have no expectation. */
static void find_game(const char *path, const struct paytables *paytables,
                      struct run_survey *survey)
{
    int file = lines_open(path, NULL);
    struct lines *lines = file >= 0 ? lines_new(file, -1) : NULL;
    struct recording_header header;
    struct text_line line;

    if (lines && is_regular(file) && lines_next(lines, true, &line, NULL) == LINES_LINE &&
        !recording_read_header(line.text, line.length, paytables, &header, NULL))
        survey->game = header.setup.game;
    lines_free(lines);
    if (file >= 0)
        close(file);
}

int run_survey_recording(const char *path, const struct rig *rig, const struct paytables *paytables,
                         struct run_survey *survey, struct error *error)
{
    struct recording_files files;
    int status = recording_files_open(&files, path, -1, error);

    *survey = (struct run_survey){.game = NULL};
    if (status) {
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
