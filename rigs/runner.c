#include "rigs/runner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rigs/compare.h"
#include "rigs/digest.h"
#include "rigs/fields.h"
#include "rigs/json_pool.h"
#include "rigs/lines.h"
#include "rigs/run_round.h"

struct runner {
    struct bench *bench;
    const struct runner_options *options;
    struct runner_counts counts;
    struct check_book book;
    const char *path; /* of the recording that is played */
    bool is_first;    /* no round of it was played yet */
    struct shoe_header header;
    struct run run;
    struct host_counts frames[BENCH_DEVICES]; /* of each conversation, when last looked at */
    struct json_pool pool;
};

static const char *const timing_names[RUN_TIMINGS] = {"shuffle", "packet", "card", "lights",
                                                      "jackpot"};

enum verdict runner_verdict(int status)
{
    switch (status) {
    case 0:
        return VERDICT_PASS;
    case ERROR_RULE:
        return VERDICT_FAIL;
    case ERROR_DEVICE:
        return VERDICT_DEVICE;
    case ERROR_TIMEOUT:
        return VERDICT_TIMEOUT;
    case ERROR_ABORTED:
        return VERDICT_ABORTED;
    default:
        return VERDICT_RIG;
    }
}

static void tell_failure(void *context, enum check check, const struct check_result *result)
{
    const struct runner *runner = context;

    (void)check;
    if (runner->options->check_failed)
        runner->options->check_failed(runner->options->context, runner->path,
                                      runner->run.recorded.round.number, result);
}

struct runner *runner_new(struct bench *bench, const struct runner_options *options,
                          struct error *error)
{
    struct runner *runner = calloc(1, sizeof *runner);

    if (!runner) {
        error_set(error, ERROR_RIG, "no memory for a runner");
        return NULL;
    }
    runner->bench = bench;
    runner->options = options;
    runner->book =
        (struct check_book){.journal = options->journal, .failed = tell_failure, .context = runner};
    return runner;
}

void runner_free(struct runner *runner)
{
    free(runner);
}

const struct runner_counts *runner_counts(const struct runner *runner)
{
    return &runner->counts;
}

void run_time(struct run *run, enum run_timing timing, nanos_t took, uint32_t limit)
{
    char expected[32], got[32];

    if (took > run->took[timing])
        run->took[timing] = took;
    run->limit[timing] = limit * NANOS_PER_MILLI;
    if (took <= limit * NANOS_PER_MILLI) {
        check_pass(run->book, CHECK_TIMING);
        return;
    }
    snprintf(expected, sizeof expected, "%u", (unsigned)limit);
    snprintf(got, sizeof got, "%.3f", (double)took / (double)NANOS_PER_MILLI);
    check_fail(run->book, CHECK_TIMING,
               (struct check_result){.wager = timing_names[timing],
                                     .expected = expected,
                                     .got = got,
                                     .device = got,
                                     .why = "milliseconds at most"});
}

void run_event(struct run *run, const char *device, const char *name, const char *details,
               nanos_t time)
{
    struct check_book *book = run->book;

    if (book->journal && !book->status)
        book->status = journal_event(book->journal, device, name, details, time, &book->error);
}

void run_retry(struct run *run, const char *device, const char *what, unsigned attempt,
               const char *why)
{
    struct check_book *book = run->book;

    if (book->journal && !book->status)
        book->status = journal_retry(book->journal, device, what, attempt, why, &book->error);
}

/* The keys of a round, which the settlement does not need and its reader therefore drops. */
static int read_keys(struct run *run, const char *text, size_t length, struct error *error)
{
    json_t *line, *value;
    size_t i;
    int status = 0;

    run->key_count = 0;
    run->has_keys = memmem(text, length, "\"keys\"", 6) != NULL;
    if (!run->has_keys || !run->has_terminal)
        return 0;
    line = fields_parse(text, length, error);
    if (!line)
        return ERROR_RULE;
    json_array_foreach(json_object_get(line, "keys"), i, value)
    {
        if (i == RUN_KEYS_MAX) {
            status = error_set(error, ERROR_RULE, "more than %d keys in a round", RUN_KEYS_MAX);
            break;
        }
        run->keys[i].hand = TERMINAL_NONE;
        status = terminal_key_parse(json_string_value(value), &run->terminal, &run->keys[i], error);
        if (status)
            break;
        run->key_count++;
    }
    json_decref(line);
    return status;
}

static int read_round(struct runner *runner, const struct text_line *line, struct error *error)
{
    struct run *run = &runner->run;
    int status;

    json_pool_enter(&runner->pool);
    status = shoe_read_round(line->text, line->length, run->header, &run->recorded, error);
    if (!status)
        status = read_keys(run, line->text, line->length, error);
    json_pool_leave();
    return status;
}

static void find_paid(struct run *run)
{
    const struct round *round = &run->recorded.round;

    run->paid = 0;
    for (unsigned seat = 1; run->progressive >= 0 && seat <= SEATS_MAX; seat++)
        if (round->seats & seat_bit(seat) && round->bets[seat][run->progressive])
            run->paid |= seat_bit(seat);
}

/* A round that the rules refuse is not played: what counts is the reason. */
static int refuse_round(struct runner *runner, const struct text_line *expected, const char *why,
                        bool numbered, struct error *error)
{
    struct run *run = &runner->run;

    run->line_length =
        expect_write_error(run->line, numbered ? &run->recorded.round.number : NULL, why);
    return run_compare_outcome(run, expected ? expected->text : NULL,
                               expected ? expected->length : 0, error);
}

static int play_devices(struct run *run, const struct text_line *expected, struct error *error)
{
    int status = run_terminal_open(run, error);

    if (status)
        return status;
    status = run_deal(run, error);
    if (status) {
        run_check_leak(run);
        return status;
    }
    run_compare_deal(run);
    run_settle(run);
    if (run->book->journal && !run->book->status)
        run->book->status =
            journal_settlement(run->book->journal, run->line, run->line_length, &run->book->error);
    status = run_compare_outcome(run, expected ? expected->text : NULL,
                                 expected ? expected->length : 0, error);
    return status ? status : run_terminal_close(run, error);
}

static int play_round(struct runner *runner, const struct text_line *line,
                      const struct text_line *expected, struct error *error)
{
    struct run *run = &runner->run;
    struct meters after = run->meters;
    struct error why;
    int status = read_round(runner, line, &why);

    if (status == ERROR_RULE)
        return refuse_round(runner, expected, why.text,
                            shoe_find_number(line->text, line->length, &run->recorded.round.number),
                            error);
    if (!status)
        status = game_settle(&run->header->setup, &run->recorded.round, &run->settlement, &why);
    if (!status)
        status = game_settle_meters(&run->header->setup, &run->recorded.round, &after,
                                    &run->settlement, &why);
    if (status == ERROR_RULE)
        return refuse_round(runner, expected, why.text, true, error);
    if (status) {
        *error = why;
        return status;
    }
    find_paid(run);
    status = play_devices(run, expected, error);
    run->meters = after;
    return status;
}

/* Lost events are a failure; whatever was said twice has been mended and is only counted. */
static void check_frames(struct runner *runner, enum bench_slot slot, const char *device,
                         const struct host *host)
{
    struct host_counts *seen = &runner->frames[slot];
    char why[96];

    if (!host)
        return;
    check_number(&runner->book, CHECK_FRAMES, 0, device, 0,
                 (int64_t)(host->counts.lost - seen->lost), "events that never came");
    if (host->counts.retries + host->counts.duplicates != seen->retries + seen->duplicates) {
        snprintf(why, sizeof why, "%ju requests and %ju events were said again",
                 (uintmax_t)(host->counts.retries - seen->retries),
                 (uintmax_t)(host->counts.duplicates - seen->duplicates));
        run_retry(&runner->run, device, "frames", 1, why);
    }
    *seen = host->counts;
}

static void check_all_frames(struct runner *runner)
{
    const struct bench *bench = runner->bench;

    if (bench->shuffler)
        check_frames(runner, BENCH_SHUFFLER, "shuffler", shuffler_host(bench->shuffler));
    if (bench->shoe)
        check_frames(runner, BENCH_SHOE, "shoe", shoe_host(bench->shoe));
    if (bench->terminal)
        check_frames(runner, BENCH_TERMINAL, "terminal", terminal_host(bench->terminal));
}

/* After a round that did not pass, the next one starts from where the recording says. */
static int recover(struct runner *runner, struct error *error)
{
    struct run *run = &runner->run;
    int status = run_deal_recover(run, error);

    if (!status)
        status = run_terminal_recover(run, error);
    return status ? status : run_log_skip(run, error);
}

static int write_verdict(struct runner *runner, enum verdict verdict, const char *why)
{
    struct journal_timing timings[RUN_TIMINGS];
    size_t count = 0;

    if (!runner->options->journal)
        return 0;
    for (unsigned i = 0; i < RUN_TIMINGS; i++)
        if (runner->run.took[i])
            timings[count++] = (struct journal_timing){.name = timing_names[i],
                                                       .took = runner->run.took[i],
                                                       .limit = runner->run.limit[i]};
    return journal_verdict(
        runner->options->journal,
        &(struct journal_verdict){
            .verdict = verdict, .why = why, .timings = timings, .timing_count = count},
        &runner->book.error);
}

static int end_round(struct runner *runner, int status, const struct error *failure,
                     struct error *error)
{
    struct check_book *book = &runner->book;
    enum verdict verdict = runner_verdict(status);
    struct runner_round ended = {.recording = runner->path,
                                 .number = runner->run.recorded.round.number,
                                 .passed = book->passed_here,
                                 .failed = book->failed_here};

    if (book->failed_here)
        verdict = verdict_worse(verdict, VERDICT_FAIL);
    if (runner->run.device_failed)
        verdict = verdict_worse(verdict, VERDICT_DEVICE);
    ended.verdict = verdict;
    ended.why = status ? failure->text : runner->run.device_failed ? runner->run.why : NULL;
    runner->counts.rounds++;
    runner->counts.verdicts[verdict]++;
    if (!book->status)
        book->status = write_verdict(runner, verdict, ended.why);
    if (runner->options->round_ended)
        runner->options->round_ended(runner->options->context, &ended);
    if (book->status) {
        *error = book->error;
        return book->status;
    }
    return verdict == VERDICT_PASS ? 0 : 1;
}

/* What this bench cannot prove is said once for each recording, in its first round. */
static void skip_checks(struct runner *runner)
{
    static const enum check of_terminal[] = {CHECK_LIGHTS, CHECK_SIGN_AMOUNT, CHECK_AMOUNT_HIDDEN,
                                             CHECK_KEY_REFUSALS};
    struct run *run = &runner->run;

    if (!runner->is_first)
        return;
    runner->is_first = false;
    if (run->progressive >= 0 && !run->bench->sensors)
        check_skip(run->book, CHECK_WAGERS_SENSED, "the rig has no bet sensors");
    for (unsigned i = 0; i < sizeof of_terminal / sizeof of_terminal[0]; i++)
        if (run->progressive >= 0 && !run->bench->terminal)
            check_skip(run->book, of_terminal[i], "the rig has no terminal");
}

/* A bench without a device that deals so plays nothing, and says so. */
static int skip_round(struct runner *runner, struct error *error)
{
    static const char why[] = "the rig has no device that deals like this; add a shoe or shuffler";
    const struct runner_round ended = {.recording = runner->path,
                                       .number = runner->run.recorded.round.number,
                                       .verdict = VERDICT_SKIPPED,
                                       .why = why};
    struct check_book *book = &runner->book;

    runner->counts.rounds++;
    runner->counts.verdicts[VERDICT_SKIPPED]++;
    if (!book->status)
        book->status = write_verdict(runner, VERDICT_SKIPPED, why);
    if (runner->options->round_ended)
        runner->options->round_ended(runner->options->context, &ended);
    if (book->status)
        *error = book->error;
    return book->status;
}

/* 0 to go on, 1 to stop without harm, or what ends the run. */
static int run_one(struct runner *runner, const struct text_line *line,
                   const struct text_line *expected, struct error *error)
{
    struct run *run = &runner->run;
    struct error failure = {0};
    int64_t number = 0;
    int status, ended;

    runner->book.failed_here = runner->book.passed_here = 0;
    run->device_failed = false;
    memset(run->took, 0, sizeof run->took);
    shoe_find_number(line->text, line->length, &number);
    run->recorded.round.number = number;
    if (runner->options->journal && !runner->book.status)
        runner->book.status = journal_round(runner->options->journal, (uint64_t)number, line->text,
                                            line->length, &runner->book.error);
    if (!run_can_deal(run))
        return skip_round(runner, error);
    skip_checks(runner);
    status = play_round(runner, line, expected, &failure);
    check_all_frames(runner);
    ended = end_round(runner, status, &failure, error);
    if (ended <= 0)
        return ended;
    if (status == ERROR_ABORTED || status == ERROR_RIG || status == ERROR_CONFIG) {
        *error = failure;
        return status;
    }
    if (runner->options->fail_fast)
        return 1;
    if (recover(runner, error)) {
        if (status)
            *error = failure;
        return error->code;
    }
    return 0;
}

static bool is_stopped(const struct runner *runner)
{
    return runner->options->stop &&
           atomic_load_explicit(runner->options->stop, memory_order_relaxed);
}

/* The two files side by side. */
struct pair {
    struct lines *recording, *expectation;
    char expect_path[PATH_MAX];
};

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

static int play_rounds(struct runner *runner, struct pair *pair, struct error *error)
{
    struct text_line line, expected;
    int status;

    while ((status = next_line(pair->recording, runner->path, &line, error)) > 0) {
        int wanted = next_line(pair->expectation, pair->expect_path, &expected, error);

        if (wanted < 0)
            return wanted;
        if (is_stopped(runner))
            return error_set(error, ERROR_ABORTED, "stopped before line %ju of %s",
                             (uintmax_t)line.number, runner->path);
        status = run_one(runner, &line, wanted ? &expected : NULL, error);
        if (status)
            return status;
    }
    if (status < 0)
        return status;
    status = next_line(pair->expectation, pair->expect_path, &expected, error);
    if (status > 0)
        return error_set(error, ERROR_CONFIG, "%s: line %ju expects a round that %s does not have",
                         pair->expect_path, (uintmax_t)expected.number, runner->path);
    return status;
}

static int apply_limits(struct runner *runner, struct error *error)
{
    const struct rig *rig = runner->bench->rig;
    struct game_setup *setup = &runner->header.setup;

    for (unsigned i = 0; i < rig->limits_count; i++) {
        int wager = game_wager(setup->game, rig->limits[i].wager);

        if (wager >= 0) {
            setup->minimum[wager] = rig->limits[i].minimum;
            setup->maximum[wager] = rig->limits[i].maximum;
        }
    }
    return game_check_setup(setup, error);
}

static int8_t progressive_wager(const struct game *game)
{
    for (int8_t i = 0; i < game->wager_count; i++)
        if (game->wagers[i].progressive)
            return i;
    return NO_WAGER;
}

static int read_header(struct runner *runner, struct pair *pair, struct error *error)
{
    struct text_line line;
    int status = next_line(pair->recording, runner->path, &line, error);

    if (!status)
        return error_set(error, ERROR_CONFIG, "%s: empty; a recording starts with its header",
                         runner->path);
    if (status < 0)
        return status;
    status =
        shoe_read_header(line.text, line.length, runner->bench->paytables, &runner->header, error);
    if (!status)
        status = apply_limits(runner, error);
    if (status)
        error_prefix(error, "%s:1", runner->path);
    return status;
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

static int write_recording(struct runner *runner, const struct pair *pair, struct error *error)
{
    char digest[DIGEST_SIZE], expect_digest[DIGEST_SIZE];
    struct journal_recording recording = {.path = runner->path,
                                          .digest = digest,
                                          .expect_path = pair->expect_path,
                                          .expect_digest = expect_digest,
                                          .game = runner->header.setup.game->name};

    if (!runner->options->journal)
        return 0;
    if (digest_file(runner->path, digest, error) ||
        digest_file(pair->expect_path, expect_digest, error))
        return error->code;
    recording.rounds = count_rounds(runner->path);
    return journal_recording(runner->options->journal, &recording, error);
}

static int start_devices(struct run *run, struct error *error)
{
    int status = run_deal_start(run, error);

    if (!status)
        status = run_terminal_start(run, error);
    return status ? status : run_log_skip(run, error);
}

static int play_pair(struct runner *runner, struct pair *pair, struct error *error)
{
    struct run *run = &runner->run;
    int status = read_header(runner, pair, error);

    if (!status)
        status = write_recording(runner, pair, error);
    if (status)
        return status;
    run->bench = runner->bench;
    run->book = &runner->book;
    run->header = &runner->header;
    run->meters = runner->header.meters;
    run->progressive = progressive_wager(runner->header.setup.game);
    run->has_terminal = run->progressive >= 0 && runner->bench->terminal;
    runner->is_first = true;
    status = run_can_deal(run) ? start_devices(run, error) : 0;
    return status ? status : play_rounds(runner, pair, error);
}

int runner_play(struct runner *runner, const char *path, struct error *error)
{
    struct pair pair = {NULL, NULL, ""};
    int expectation = compare_open(path, pair.expect_path, error), recording, status;

    if (expectation < 0)
        return expectation;
    runner->path = path;
    status = recording = lines_open(path, error);
    if (recording >= 0) {
        pair.recording = lines_new(recording, -1);
        pair.expectation = lines_new(expectation, -1);
        status = pair.recording && pair.expectation
                     ? play_pair(runner, &pair, error)
                     : error_set(error, ERROR_RIG, "%s: out of memory", path);
        lines_free(pair.recording);
        lines_free(pair.expectation);
        close(recording);
    }
    close(expectation);
    runner->counts.checks = runner->book.counts;
    return status;
}
