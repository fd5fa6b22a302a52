#include "rigs/recording/pair.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "hal/base/digest.h"
#include "rigs/recording/compare.h"

int run_pair_open(struct run_pair *pair, const char *path, struct error *error)
{
    *pair = (struct run_pair){.path = path, .recording_file = -1};
    pair->expectation_file = compare_open(path, pair->expect_path, error);
    if (pair->expectation_file < 0)
        return pair->expectation_file;
    pair->recording_file = lines_open(path, error);
    if (pair->recording_file < 0) {
        close(pair->expectation_file);
        return pair->recording_file;
    }
    pair->recording = lines_new(pair->recording_file, -1);
    pair->expectation = lines_new(pair->expectation_file, -1);
    if (pair->recording && pair->expectation)
        return 0;
    run_pair_close(pair);
    return error_set(error, ERROR_RIG, "%s: out of memory", path);
}

void run_pair_close(struct run_pair *pair)
{
    lines_free(pair->recording);
    lines_free(pair->expectation);
    close(pair->recording_file);
    close(pair->expectation_file);
}

static int next_line(struct lines *lines, const char *path, struct text_line *line,
                     struct error *error)
{
    int status = lines_next(lines, true, line, error);

    if (status == LINES_LONG)
        status = error_set(error, ERROR_CONFIG, "line %ju is longer than %zu bytes",
                           (uintmax_t)line->number, LINES_LONGEST);
    if (status < 0)
        error_prefix(error, "%s", path);
    return status;
}

int run_pair_recorded(struct run_pair *pair, struct text_line *line, struct error *error)
{
    return next_line(pair->recording, pair->path, line, error);
}

int run_pair_expected(struct run_pair *pair, struct text_line *line, struct error *error)
{
    return next_line(pair->expectation, pair->expect_path, line, error);
}

/* Every line after the header is a round. */
static uint64_t count_rounds(const char *path)
{
    char buffer[16 * 1024];
    uint64_t lines = 0;
    char last = '\n';
    size_t length;
    FILE *file = fopen(path, "re");

    while (file && (length = fread(buffer, 1, sizeof buffer, file))) {
        for (const char *at = buffer; (at = memchr(at, '\n', (size_t)(buffer + length - at))); at++)
            lines++;
        last = buffer[length - 1];
    }
    if (file)
        fclose(file);
    lines += last != '\n';
    return lines ? lines - 1 : 0;
}

int run_pair_enter(const struct run_pair *pair, const char *game, struct journal *journal,
                   struct error *error)
{
    char digest[DIGEST_SIZE], expect_digest[DIGEST_SIZE];
    struct journal_recording recording = {.path = pair->path,
                                          .digest = digest,
                                          .expect_path = pair->expect_path,
                                          .expect_digest = expect_digest,
                                          .game = game};

    if (digest_file(pair->path, digest, error) ||
        digest_file(pair->expect_path, expect_digest, error))
        return error->code;
    recording.rounds = count_rounds(pair->path);
    return journal_recording(journal, &recording, error);
}
