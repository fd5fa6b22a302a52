#include "rigs/recording/survey.h"

#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rigs/recording/format.h"
#include "rigs/recording/pair.h"
#include "rigs/run/table.h"

static bool is_regular(int file)
{
    struct stat status;

    return !fstat(file, &status) && S_ISREG(status.st_mode);
}

static int read_header(struct run_pair *pair, const struct rig *rig,
                       const struct paytables *paytables, struct survey *survey,
                       struct error *error)
{
    struct recording_header header;
    struct text_line line;
    int status = run_pair_recorded(pair, &line, error);

    if (!status)
        return error_set(error, ERROR_CONFIG, "%s: empty; a recording starts with its header",
                         pair->path);
    if (status < 0)
        return status;
    status = recording_read_header(line.text, line.length, paytables, &header, error);
    if (!status) {
        survey->game = header.setup.game;
        status = run_table_apply(rig, &header, error);
    }
    if (status)
        error_prefix(error, "%s:1", pair->path);
    return status;
}

static int count_rounds(struct run_pair *pair, struct survey *survey, struct error *error)
{
    struct text_line line;
    uint64_t expected = 0;
    int status;

    while ((status = run_pair_recorded(pair, &line, error)) > 0)
        survey->rounds++;
    if (!status)
        while ((status = run_pair_expected(pair, &line, error)) > 0)
            expected++;
    if (!status && expected > survey->rounds)
        return error_set(error, ERROR_CONFIG, "%s:%ju: expects a round that %s does not have",
                         pair->expect_path, (uintmax_t)survey->rounds + 1, pair->path);
    if (!status && !survey->rounds)
        return error_set(error, ERROR_CONFIG, "%s: has no round; there is nothing to check",
                         pair->path);
    return status;
}

/* Whoever asks for a game shall hear of its recordings that have no expectation. */
static void find_game(const char *path, const struct paytables *paytables, struct survey *survey)
{
    int file = lines_open(path, NULL);
    struct lines *lines = file >= 0 && is_regular(file) ? lines_new(file, -1) : NULL;
    struct recording_header header;
    struct text_line line;

    if (lines && lines_next(lines, true, &line, NULL) == LINES_LINE &&
        !recording_read_header(line.text, line.length, paytables, &header, NULL))
        survey->game = header.setup.game;
    lines_free(lines);
    if (file >= 0)
        close(file);
}

int survey_recording(const char *path, const struct rig *rig, const struct paytables *paytables,
                     struct survey *survey, struct error *error)
{
    struct run_pair pair;
    int status = run_pair_open(&pair, path, error);

    *survey = (struct survey){.game = NULL};
    if (status) {
        find_game(path, paytables, survey);
        return status;
    }
    if (is_regular(pair.recording_file) && is_regular(pair.expectation_file)) {
        status = read_header(&pair, rig, paytables, survey, error);
        if (!status)
            status = count_rounds(&pair, survey, error);
    }
    run_pair_close(&pair);
    return status;
}
