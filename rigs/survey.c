#include "rigs/survey.h"

#include <limits.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rigs/compare.h"
#include "rigs/lines.h"
#include "rigs/shoe.h"

static bool is_regular(int file)
{
    struct stat status;

    return !fstat(file, &status) && S_ISREG(status.st_mode);
}

/* Reads to the end; the first line of a recording is its header. */
static int count_lines(struct lines *lines, const char *path, const struct paytables *paytables,
                       struct survey *survey, uint64_t *count, struct error *error)
{
    struct shoe_header header;
    struct text_line line;
    int status;

    *count = 0;
    while ((status = lines_next(lines, true, &line, error)) > 0) {
        if (status == LINES_LONG)
            return error_set(error, ERROR_CONFIG, "%s:%ju: the line is longer than %zu bytes", path,
                             (uintmax_t)line.number, LINES_LONGEST);
        if (survey && !*count) {
            status = shoe_read_header(line.text, line.length, paytables, &header, error);
            if (status) {
                error_prefix(error, "%s:1", path);
                return status;
            }
            survey->game = header.setup.game;
        }
        ++*count;
    }
    return status;
}

static int count_file(int file, const char *path, const struct paytables *paytables,
                      struct survey *survey, uint64_t *count, struct error *error)
{
    struct lines *lines = lines_new(file, -1);
    int status;

    if (!lines)
        return error_set(error, ERROR_RIG, "%s: no memory to read it", path);
    status = count_lines(lines, path, paytables, survey, count, error);
    lines_free(lines);
    return status;
}

static int survey_pair(int recording, const char *path, int expectation, const char *expect_path,
                       const struct paytables *paytables, struct survey *survey,
                       struct error *error)
{
    uint64_t lines, expected;
    int status;

    if (!is_regular(recording) || !is_regular(expectation))
        return 0;
    status = count_file(recording, path, paytables, survey, &lines, error);
    if (!status)
        status = count_file(expectation, expect_path, NULL, NULL, &expected, error);
    if (status)
        return status;
    if (!lines)
        return error_set(error, ERROR_CONFIG, "%s: empty; a recording starts with its header",
                         path);
    survey->rounds = lines - 1;
    if (expected > survey->rounds)
        return error_set(error, ERROR_CONFIG, "%s:%ju: expects a round that %s does not have",
                         expect_path, (uintmax_t)survey->rounds + 1, path);
    return 0;
}

int survey_recording(const char *path, const struct paytables *paytables, struct survey *survey,
                     struct error *error)
{
    char expect_path[PATH_MAX];
    int expectation, status, recording = lines_open(path, error);

    *survey = (struct survey){.game = NULL};
    if (recording < 0)
        return recording;
    expectation = compare_open(path, expect_path, error);
    status = expectation < 0
                 ? expectation
                 : survey_pair(recording, path, expectation, expect_path, paytables, survey, error);
    close(recording);
    if (expectation >= 0)
        close(expectation);
    return status;
}
