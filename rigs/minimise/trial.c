/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/minimise/trial.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "rigs/bench/bench.h"
#include "rigs/minimise/expectation.h"
#include "rigs/recording/expect.h"
#include "rigs/recording/files.h"
#include "rigs/run/runner.h"
#include "rigs/run/table.h"

static int no_memory(struct error *error)
{
    return error_set(error, ERROR_RIG, "no memory for a recording");
}

bool trials_stopped(const struct trials *trials)
{
    return trials->stop && atomic_load(trials->stop);
}

void case_free(struct failing_case *failing)
{
    for (size_t i = 0; i < failing->count; i++)
        free(failing->rounds[i].line);
    free(failing->rounds);
    free(failing->header);
    free(failing->rig);
    *failing = (struct failing_case){.header = NULL};
}

void trials_close(struct trials *trials)
{
    for (unsigned i = 0; i < 3; i++)
        json_reader_free(trials->json[i]);
    json_reader_free(trials->edited);
    paytables_free(trials->paytables);
    free(trials->texts);
    free(trials->sound);
}

/* Settles a line with the meters as they stand: its line of an expectation. */
static bool settle_line(struct json_reader *json, struct recording_header *header,
                        const struct case_round *recorded, char out[EXPECT_LINE_SIZE])
{
    struct recording_round round;
    struct settlement settlement = {.number = 0};
    struct error why;
    int64_t number = 0;
    size_t length;
    bool has_number = true;
    int status = recording_read_round(json, recorded->line, recorded->length, header, &round, &why);

    if (status)
        has_number = recording_find_number(json, recorded->line, recorded->length, &number);
    else
        number = round.round.number;
    if (!status)
        status = game_settle(&header->setup, &round.round, &settlement, &why);
    if (!status)
        status =
            game_settle_meters(&header->setup, &round.round, &header->meters, &settlement, &why);
    length = status ? expect_write_error(out, has_number ? &number : NULL, why.text)
                    : expect_write(out, header->setup.game, &settlement, &header->meters);
    out[length - 1] = '\0';
    return !status;
}

static int read_header(const struct trials *trials, const struct failing_case *failing,
                       struct recording_header *header, struct error *error)
{
    struct rig *rig;
    int status = recording_read_header(failing->header, strlen(failing->header), trials->paytables,
                                       header, error);

    if (!status)
        status = rig_parse(&rig, trials->rig_path, failing->rig, strlen(failing->rig), error);
    if (status)
        return status;
    status = run_table_apply(rig, header, error);
    rig_free(rig);
    return status;
}

static int add_round(struct failing_case *failing, const struct text_line *line,
                     struct error *error)
{
    struct case_round *more =
        reallocarray(failing->rounds, failing->count + 1, sizeof *failing->rounds);

    if (!more)
        return no_memory(error);
    failing->rounds = more;
    more += failing->count++;
    *more = (struct case_round){.line = malloc(line->length + 1), .length = line->length};
    if (!more->line)
        return no_memory(error);
    memcpy(more->line, line->text, line->length);
    more->line[line->length] = '\0';
    return 0;
}

static int read_recording(const struct trials *trials, struct failing_case *failing,
                          struct recording_file *file, struct error *error)
{
    struct recording_header header;
    struct text_line line;
    int status = recording_file_next(file, &line, error);

    if (status <= 0)
        return status ? status
                      : error_set(error, ERROR_CONFIG,
                                  "%s: is empty; a recording begins with its "
                                  "header",
                                  file->name);
    if (recording_read_header(line.text, line.length, trials->paytables, &header, error)) {
        error_prefix(error, "%s:1", file->name);
        return error->code;
    }
    failing->header = strndup(line.text, line.length);
    if (!failing->header)
        return no_memory(error);
    while ((status = recording_file_next(file, &line, error)) > 0)
        if (add_round(failing, &line, error))
            return error->code;
    if (!status && !failing->count)
        return error_set(error, ERROR_CONFIG, "%s: " RECORDING_NO_ROUND, file->name);
    return status;
}

/* The next line of an expectation: 1, 0 at its end, or an error. */
static int take_expected(struct trials *trials, struct recording_file *file,
                         char text[EXPECT_LINE_SIZE], struct error *error)
{
    struct text_line line;
    int status = recording_file_next(file, &line, error);

    if (status <= 0)
        return status;
    if (recording_is_empty(line.text, line.length))
        return error_set(error, ERROR_CONFIG, "%s:%ju: " RECORDING_EMPTY_LINE, file->name,
                         (uintmax_t)line.number);
    if (line.length >= EXPECT_LINE_SIZE)
        return error_set(error, ERROR_CONFIG, "%s:%ju: is longer than what any round comes to",
                         file->name, (uintmax_t)line.number);
    if (!json_read(trials->json[0], line.text, line.length, error)) {
        error_prefix(error, "%s:%ju", file->name, (uintmax_t)line.number);
        return error->code = ERROR_CONFIG;
    }
    memcpy(text, line.text, line.length);
    text[line.length] = '\0';
    return 1;
}

/* All texts of the originals in one block: a settlement and an expectation for each round. */
static int read_expected(struct trials *trials, struct failing_case *failing, const char *recording,
                         struct recording_file *file, struct error *error)
{
    struct recording_header header;
    struct text_line line;
    char *at;
    int status = read_header(trials, failing, &header, error);

    if (status) {
        error_prefix(error, "%s:1", recording);
        return status;
    }
    trials->texts = malloc(failing->count * 2 * EXPECT_LINE_SIZE);
    if (!trials->texts)
        return no_memory(error);
    at = trials->texts;
    for (size_t i = 0; i < failing->count; i++, at += 2 * EXPECT_LINE_SIZE) {
        struct case_round *round = &failing->rounds[i];

        round->was_refused = !settle_line(trials->json[0], &header, round, at);
        round->settled = at;
        status = take_expected(trials, file, at + EXPECT_LINE_SIZE, error);
        if (status < 0)
            return status;
        round->expected = status ? at + EXPECT_LINE_SIZE : NULL;
    }
    status = recording_file_next(file, &line, error);
    if (status > 0)
        return error_set(error, ERROR_CONFIG, "%s:%ju: expects a round that %s does not have",
                         file->name, (uintmax_t)line.number, recording);
    return status;
}

static int read_rig(struct trials *trials, struct failing_case *failing, const char *path,
                    struct error *error)
{
    struct rig *rig;
    int status = path ? rig_load(&rig, path, error) : rig_default(&rig, error);

    if (status)
        return status;
    trials->rig_path = path ? path : "emulated.yaml";
    failing->rig = strndup(rig->text, rig->text_size);
    status = failing->rig ? rig_paytables(rig, &trials->paytables, error) : no_memory(error);
    rig_free(rig);
    return status;
}

int trials_open(struct trials *trials, struct failing_case *failing, const char *rig_path,
                const char *recording, uint64_t seed, struct error *error)
{
    struct recording_files files;
    int status;

    *trials = (struct trials){.recording = recording, .seed = seed};
    *failing = (struct failing_case){.header = NULL};
    for (unsigned i = 0; i < 3; i++)
        if (!(trials->json[i] = json_reader_new(JSON_LONGEST)))
            return no_memory(error);
    if (!(trials->edited = json_reader_new(JSON_LONGEST)))
        return no_memory(error);
    if (access(recording, F_OK))
        return error_set(error, ERROR_CONFIG, "%s: %s", recording, strerror(errno));
    status = read_rig(trials, failing, rig_path, error);
    if (status || (status = recording_files_open(&files, recording, -1, error)))
        return status;
    status = read_recording(trials, failing, &files.recorded, error);
    if (!status)
        status = read_expected(trials, failing, recording, &files.expected, error);
    recording_files_close(&files);
    return status;
}

/*
 * One line of the expectation of a case; false: the rules refuse it now, and did not the original.
 * One that was refused may come to be played: it is smaller by what it was refused for.
 */
static bool put_expected(struct trials *trials, struct recording_header *header,
                         const struct case_round *round, FILE *out)
{
    char fresh[EXPECT_LINE_SIZE], carried[2 * EXPECT_LINE_SIZE];
    const struct json_value *is, *was, *wanted;
    struct json_text text;

    if (!settle_line(trials->json[0], header, round, fresh) && !round->was_refused)
        return false;
    if (!round->expected)
        return true;
    is = json_read(trials->json[0], fresh, strlen(fresh), NULL);
    was = json_read(trials->json[1], round->settled, strlen(round->settled), NULL);
    wanted = json_read(trials->json[2], round->expected, strlen(round->expected), NULL);
    if (!is || !was || !wanted)
        return false;
    json_text_begin(&text, carried, sizeof carried);
    expectation_carry(&text, is, was, wanted);
    fwrite(carried, 1, (size_t)(text.at - carried), out);
    putc('\n', out);
    return !text.full;
}

static void put_line(const struct case_round *round, FILE *out)
{
    fwrite(round->line, 1, round->length, out);
    putc('\n', out);
}

char *case_text(struct trials *trials, const struct failing_case *failing, bool expected,
                size_t *length)
{
    struct recording_header header;
    char *text = NULL;
    bool is_good = !expected || !read_header(trials, failing, &header, &trials->error);
    FILE *out = is_good ? open_memstream(&text, length) : NULL;

    if (!out)
        return NULL;
    if (!expected)
        fprintf(out, "%s\n", failing->header);
    for (size_t i = 0; i < failing->count && is_good; i++)
        if (expected)
            is_good = put_expected(trials, &header, &failing->rounds[i], out);
        else
            put_line(&failing->rounds[i], out);
    if (!fclose(out) && is_good)
        return text;
    free(text);
    return NULL;
}

/* The two files of a trial, in memory: sentences call them as the files that they were made of. */
struct trial_texts {
    const char *recording; /* the path of the one; any other is that of its expectation */
    char *shoe, *expect;
    size_t shoe_length, expect_length;
};

static bool texts_make(struct trials *trials, const struct failing_case *failing,
                       struct trial_texts *texts)
{
    *texts = (struct trial_texts){.recording = trials->recording};
    texts->shoe = case_text(trials, failing, false, &texts->shoe_length);
    if (texts->shoe)
        texts->expect = case_text(trials, failing, true, &texts->expect_length);
    return texts->expect;
}

static void texts_free(struct trial_texts *texts)
{
    free(texts->shoe);
    free(texts->expect);
}

static bool write_all(int fd, const char *text, size_t length)
{
    while (length) {
        ssize_t written = write(fd, text, length);

        if (written < 0)
            return false;
        text += written;
        length -= (size_t)written;
    }
    return !lseek(fd, 0, SEEK_SET);
}

static int open_text(const void *context, const char *path, struct error *error)
{
    const struct trial_texts *texts = context;
    bool is_recording = !strcmp(path, texts->recording);
    int fd = memfd_create("trial", MFD_CLOEXEC);

    if (fd >= 0 && write_all(fd, is_recording ? texts->shoe : texts->expect,
                             is_recording ? texts->shoe_length : texts->expect_length))
        return fd;
    error_set(error, ERROR_RIG, "%s: no memory for a trial of it: %s", path, strerror(errno));
    if (fd >= 0)
        close(fd);
    return ERROR_RIG;
}

/* What came of one trial. */
struct playing {
    const struct failure *wanted; /* NULL: whatever fails first is taken */
    const char *check;            /* that is to fail; NULL: any */
    enum verdict verdict;         /* that a round is to end with instead, or 0 */
    struct failure found;
    bool has_check; /* the check failed, in the round that is going on or after the last */
    bool is_found;
    bool is_over;             /* no line is played any more: what fails now is of no round */
    size_t rounds;            /* that have ended */
    size_t at;                /* the index of the round that failed so */
    const atomic_bool *asked; /* what stops all trials; NULL: nothing */
    atomic_bool stop;         /* this one: that is so, or all that is wanted was seen */
};

/*
 * Numbers change with rounds and cards, and options of an address with the defects among them: they
 * do not tell failures apart.
 */
static void strip_numbers(char text[256], const char *from)
{
    bool is_option = false;
    size_t length = 0;

    for (; from && *from && length < 255; from++) {
        is_option = *from == '?' || (is_option && *from != ' ');
        if (!is_option && !isdigit((unsigned char)*from))
            text[length++] = *from;
    }
    text[length] = '\0';
}

static bool is_wanted_check(const struct playing *playing, const char *name)
{
    if (playing->wanted)
        return !strcmp(playing->wanted->check, name);
    return !playing->verdict && (!playing->check || !strcmp(playing->check, name));
}

/* A line that is no round may have no number; the header is line 1. */
static void name_place(const struct playing *playing, int64_t round, char place[40])
{
    if (playing->is_over)
        snprintf(place, 40, "after the last round");
    else if (round)
        snprintf(place, 40, "round %" PRId64, round);
    else
        snprintf(place, 40, "line %zu", playing->rounds + 2);
}

static void take_check(void *context, const char *recording, int64_t round,
                       const struct check_result *result)
{
    struct playing *playing = context;
    char place[40], seat[24] = "";

    (void)recording;
    if (playing->is_found || playing->has_check || !is_wanted_check(playing, result->name))
        return;
    snprintf(playing->found.check, sizeof playing->found.check, "%s", result->name);
    name_place(playing, round, place);
    if (result->seat)
        snprintf(seat, sizeof seat, ", seat %u", result->seat);
    snprintf(playing->found.sentence, sizeof playing->found.sentence,
             "%s%s: %s: expected %s, got %s", place, seat, result->name,
             result->expected ? result->expected : "nothing",
             result->got ? result->got : "nothing");
    playing->found.verdict = VERDICT_FAIL;
    playing->has_check = !playing->is_over;
    playing->is_found =
        playing->is_over && (!playing->wanted || playing->wanted->verdict == VERDICT_FAIL);
}

/* A round, or the run after it, that ended otherwise than by a check: a device that is stuck. */
static void take_verdict(struct playing *playing, const struct runner_round *round)
{
    char place[40], why[256];

    if (round->verdict == VERDICT_PASS || round->verdict == VERDICT_SKIPPED ||
        round->verdict == VERDICT_ABORTED || playing->check ||
        (playing->verdict && round->verdict != playing->verdict))
        return;
    strip_numbers(why, round->why);
    if (playing->wanted && (*playing->wanted->check || playing->wanted->verdict != round->verdict ||
                            strcmp(playing->wanted->why, why) != 0))
        return;
    playing->found = (struct failure){.verdict = round->verdict};
    memcpy(playing->found.why, why, sizeof why);
    name_place(playing, round->number, place);
    snprintf(playing->found.sentence, sizeof playing->found.sentence, "%s: %s: %s", place,
             verdict_name(round->verdict), round->why ? round->why : "");
    playing->is_found = true;
}

static void judge_round(struct playing *playing, const struct runner_round *round)
{
    if (!playing->has_check) {
        take_verdict(playing, round);
        return;
    }
    playing->found.verdict = round->verdict;
    playing->is_found = !playing->wanted || playing->wanted->verdict == round->verdict;
    playing->has_check = false;
}

/* No round after the one that fails so can make a difference: the trial ends with it. */
static void take_round(void *context, const struct runner_round *round)
{
    struct playing *playing = context;

    if (!playing->is_found) {
        judge_round(playing, round);
        playing->at = playing->rounds++;
    }
    if (playing->is_found || (playing->asked && atomic_load(playing->asked)))
        atomic_store(&playing->stop, true);
}

/* What a run that has played all its lines ends with all the same. */
static void take_end(struct playing *playing, int status, const struct error *error)
{
    const struct runner_round none = {.verdict = verdict_of_status(status), .why = error->text};

    if (status && !playing->is_found)
        take_verdict(playing, &none);
}

/* Devices are judged, and left as they were found, as a run does it after its last round. */
static void end_rounds(struct runner *runner, struct playing *playing)
{
    struct error error = {0};
    int status;

    playing->is_over = true;
    status = runner_judge(runner, &error);
    take_end(playing, status, &error);
    status = runner_finish(runner, &error);
    take_end(playing, status, &error);
}

static int play_bench(struct trials *trials, struct bench *bench, const struct trial_texts *texts,
                      struct playing *playing, struct error *error)
{
    const struct recording_place place = {.open = open_text, .context = texts};
    struct runner_options options = {.place = &place,
                                     .stop = &playing->stop,
                                     .context = playing,
                                     .round_ended = take_round,
                                     .check_failed = take_check};
    struct runner *runner = runner_new(bench, &options, error);
    bool is_found;
    int status;

    if (!runner)
        return error->code;
    status = runner_play(runner, trials->recording, error);
    is_found = status == ERROR_ABORTED && playing->is_found;
    if (status >= 0)
        end_rounds(runner, playing);
    else if (is_found)
        runner_finish(runner, NULL);
    else
        runner_rest(runner, 2000, NULL);
    trials->rounds += runner_counts(runner)->rounds;
    runner_free(runner);
    return status >= 0 || is_found ? 0 : status;
}

static int play_texts(struct trials *trials, const struct failing_case *failing,
                      const struct trial_texts *texts, struct playing *playing, struct error *error)
{
    struct bench bench;
    struct rig *rig;
    int status = rig_parse(&rig, trials->rig_path, failing->rig, strlen(failing->rig), error);

    if (status)
        return status;
    rig->capture[0] = '\0'; /* hundreds of them would be left */
    status = bench_open(&bench, rig, trials->seed, error);
    if (!status) {
        trials->played++;
        status = play_bench(trials, &bench, texts, playing, error);
        bench_close(&bench, NULL);
    }
    rig_free(rig);
    return status;
}

/* 0 when it was played, whatever came of it; ERROR_ABORTED after `stop`. */
static int play(struct trials *trials, const struct failing_case *failing, struct playing *playing,
                struct error *error)
{
    struct trial_texts texts;
    int status;

    if (trials_stopped(trials))
        return error_set(error, ERROR_ABORTED, "%s: stopped before it was played",
                         trials->recording);
    playing->asked = trials->stop;
    if (texts_make(trials, failing, &texts))
        status = play_texts(trials, failing, &texts, playing, error);
    else
        status = error_set(error, ERROR_CONFIG, "what is left is no recording of its kind");
    texts_free(&texts);
    if (playing->is_found)
        trials->at = playing->at;
    return status;
}

bool failure_verdict(const char *name, enum verdict *verdict)
{
    return verdict_parse(name, verdict) &&
           (*verdict == VERDICT_TIMEOUT || *verdict == VERDICT_DEVICE || *verdict == VERDICT_RIG);
}

int trials_find(struct trials *trials, const struct failing_case *failing, const char *check,
                struct error *error)
{
    struct playing playing = {.check = check};
    enum verdict verdict;
    int status;

    if (check && failure_verdict(check, &verdict)) {
        playing.check = NULL;
        playing.verdict = verdict;
    }
    status = play(trials, failing, &playing, error ? error : &trials->error);

    if (!playing.is_found)
        return status;
    trials->wanted = playing.found;
    return 1;
}

bool trials_can(const struct trials *trials, size_t rounds)
{
    return !trials_stopped(trials) &&
           (!trials->budget || trials->rounds + rounds <= trials->budget);
}

static bool fails_so(struct trials *trials, const struct failing_case *failing)
{
    struct playing playing = {.wanted = &trials->wanted};

    if (!trials_can(trials, failing->count))
        return false;
    play(trials, failing, &playing, &trials->error);
    return playing.is_found;
}

/* No round of the rig is spent with it. */
static bool fails_sound(const struct trials *trials, const struct failing_case *failing)
{
    struct trials beside = *trials;
    struct failing_case sound = *failing;

    if (!trials->sound)
        return false;
    beside.budget = 0;
    sound.rig = trials->sound;
    return fails_so(&beside, &sound);
}

void trials_compare(struct trials *trials, const struct failing_case *failing, char *sound)
{
    free(trials->sound);
    trials->sound = sound;
    if (!fails_sound(trials, failing))
        return;
    free(sound);
    trials->sound = NULL;
}

bool trials_fails(struct trials *trials, const struct failing_case *failing)
{
    return fails_so(trials, failing) && !fails_sound(trials, failing);
}

int trials_again(struct trials *trials, const struct failing_case *failing, unsigned times,
                 unsigned *failed)
{
    *failed = 0;
    for (unsigned i = 0; i < times; i++)
        if (fails_so(trials, failing))
            ++*failed;
        else if (trials_stopped(trials))
            return ERROR_ABORTED;
    return 0;
}
