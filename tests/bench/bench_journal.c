/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a journal costs a round: the lines of six seats, written to a file line by line, beside
 * plain write(2) of the same lines and beside their digests alone; and how fast it is read back,
 * beside those digests and beside jansson, which merely parses the lines; and the memory that this
 * takes, of a journal and of one of many times its rounds and recordings.
 */
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rigs/journal/verify.h"
#include "rigs/report/report.h"
#include "tests/support/bench.h"
#include "tests/support/process.h"
#include "tests/support/scratch.h"

#define ROUNDS 5000
#define TURNS  5

/* A recording of one round, played so often. */
#define FEW  200
#define MANY 60000

/* One round's worth: a round line, nine events, the settlement, checks and the verdict. */
#define EVENTS 9

static const char played[] =
    "{\"bets\":{\"1\":{\"ante\":1000,\"x-tra\":1000,\"progressive\":500},\"3\":{"
    "\"ante\":"
    "2000,\"x-tra\":2000,\"progressive\":500},\"5\":{\"ante\":2500,\"x-tra\":2500},\"6\":{\"ante\":"
    "1000,\"x-tra\":1000}},\"dealt\":[\"Qs 3h 4s\",\"Kc Th 8s\",\"9s 6c Ts\",\"Qh Jc 6d\",\"8h 2h "
    "As\",\"Qd\",\"5h\",\"Jh\",\"4d\"],\"play\":{\"1\":[\"play\"],\"3\":[\"play\"],\"5\":[\"fold\"]"
    "}}";
static const char settlement[] =
    "{\"board\":[],\"burned\":[],\"dealer\":{\"cards\":[\"8h\",\"2h\",\"As\",\"4d\"],"
    "\"hand\":\"high card\"},\"seats\":{\"1\":{\"cards\":[\"Qs\",\"3h\",\"4s\",\"Qd\"],\"hand\":"
    "\"pair\",\"net\":{\"ante\":1000,\"x-tra\":0,\"play\":1000,\"progressive\":-500},\"total\":"
    "1500},"
    "\"3\":{\"cards\":[\"Kc\",\"Th\",\"8s\",\"5h\"],\"hand\":\"high card\",\"net\":{\"ante\":-2000,"
    "\"x-tra\":-2000,\"play\":-2000,\"progressive\":-500},\"total\":-6500}},\"jackpots\":[],"
    "\"meters\":{\"1\":\"5002.000000\",\"2\":\"251.600000\",\"3\":\"251.600000\"}}";

static void fail(const char *what)
{
    fprintf(stderr, "bench_journal: %s\n", what);
    exit(EXIT_FAILURE);
}

static int write_round(struct journal *journal, struct clock *clock, uint64_t number)
{
    static const char *const checks[] = {"packet-size", "card-order", "wager-outcome", "light"};
    const struct journal_timing timings[] = {{"shuffle", 5000000, 60000000000, false},
                                             {"packet-present", 400000, 3000000000, false}};
    int status = journal_round(journal, number, played, sizeof played - 1, NULL);

    for (int i = 0; i < EVENTS; i++) {
        clock->now += NANOS_PER_MILLI;
        status |= journal_event(journal, "shuffler", "packet-present",
                                "{\"packet\":3,\"cards\":\"Qs 3h 4s\"}", clock->now, NULL);
    }
    status |= journal_settlement(journal, settlement, sizeof settlement - 1, NULL);
    for (int i = 0; i < 28; i++)
        status |= journal_check(journal, &(struct check_result){.name = checks[i % 4]}, NULL);
    return status |
           journal_verdict(journal,
                           &(struct journal_verdict){
                               .verdict = VERDICT_PASS, .timings = timings, .timing_count = 2},
                           NULL);
}

static void write_rounds(const char *path, bool held)
{
    const struct journal_start start = {.version = DEALPROOF_VERSION};
    const struct journal_recording recording = {
        .expect_path = "a.expect", .game = "three-card-catch", .rounds = ROUNDS};
    struct journal *journal;
    struct clock clock;

    clock_virtual(&clock, 0);
    unlink(path);
    if (journal_open(path, &(struct journal_options){.clock = &clock}, &start, &journal, NULL) ||
        journal_device(journal, &(struct journal_device){.name = "shuffler"}, NULL) ||
        journal_recording(journal, &recording, NULL))
        fail("cannot make the journal");
    for (uint64_t round = 1; round <= ROUNDS; round++) {
        if (held)
            journal_hold(journal);
        if (write_round(journal, &clock, round) || (held && journal_release(journal, NULL)))
            fail("cannot write a round");
    }
    journal_close(journal);
}

static void write_recordings(const char *path, uint64_t count)
{
    const struct journal_start start = {.version = DEALPROOF_VERSION};
    const struct journal_recording recording = {.path = "a.shoe", .game = "three-card-catch"};
    struct journal *journal;
    struct clock clock;

    clock_virtual(&clock, 0);
    unlink(path);
    if (journal_open(path, &(struct journal_options){.clock = &clock}, &start, &journal, NULL))
        fail("cannot make the journal");
    for (uint64_t i = 0; i < count; i++)
        if (journal_recording(journal, &recording, NULL) ||
            journal_round(journal, 1, "{}", 2, NULL) ||
            journal_event(journal, "rig", "observed", "{}", 0, NULL) ||
            journal_settlement(journal, "{}", 2, NULL) ||
            journal_verdict(journal, &(struct journal_verdict){.verdict = VERDICT_PASS}, NULL))
            fail("cannot write a recording");
    journal_close(journal);
}

static void write_by_lines(void *context)
{
    write_rounds(context, false);
}

static void write_by_rounds(void *context)
{
    write_rounds(context, true);
}

struct plain {
    const char *text;
    size_t length;
    const char *path; /* NULL: digests only */
};

static void copy_lines(void *context)
{
    const struct plain *plain = context;
    const char *at = plain->text, *end = plain->text + plain->length;
    int fd = plain->path ? open(plain->path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0600) : -1;

    while (at < end) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        char digest[DIGEST_SIZE];

        if (!plain->path)
            digest_bytes(at, (size_t)(newline - at), digest);
        else if (write(fd, at, (size_t)(newline + 1 - at)) < 0)
            fail("cannot write plain lines");
        at = newline + 1;
    }
    if (fd >= 0)
        close(fd);
}

static void verify_all(void *context)
{
    struct journal_verified verified;
    struct error error;

    if (journal_verify(context, &(struct journal_verify){0}, &verified, &error))
        fail(error.text);
    if (verified.rounds != ROUNDS)
        fail("rounds are missing");
}

static void report_all(void *context)
{
    struct report *report;
    struct error error;

    if (report_read(context, &report, &error))
        fail(error.text);
    if (report->round_count != ROUNDS)
        fail("rounds are missing");
    report_free(report);
}

static void parse_lines(void *context)
{
    const struct plain *plain = context;
    const char *at = plain->text, *end = plain->text + plain->length;

    while (at < end) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        json_t *line = json_loadb(at, (size_t)(newline - at), JSON_REJECT_DUPLICATES, NULL);

        if (!line)
            fail("a line is not JSON");
        json_decref(line);
        at = newline + 1;
    }
}

/* The command itself, as a process of its own. */
static double peak_megabytes(const char *command, const char *path)
{
    const char *const arguments[] = {command, path, NULL};
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    long kilobytes;

    process_wait(process_start(arguments, null, null, null), &kilobytes);
    close(null);
    return (double)kilobytes / 1024;
}

/* What a command takes of a long journal, and beside it of a short one. */
struct peaks {
    double few, many;
};

static struct peaks peaks_of(const char *command, const char *path)
{
    struct peaks peaks;

    write_recordings(path, FEW);
    peaks.few = peak_megabytes(command, path);
    write_recordings(path, MANY);
    peaks.many = peak_megabytes(command, path);
    unlink(path);
    return peaks;
}

int main(void)
{
    struct peaks verifying, reporting;
    char path[SCRATCH_PATH_SIZE], copy[SCRATCH_PATH_SIZE], *text;
    double written, held, copied, digested, verified, reported, parsed, lines, megabytes;
    struct journal_verified seen;
    struct plain plain;
    size_t length;

    scratch_path(path);
    scratch_path(copy);
    /* Before this process is large, which those that it starts are at first. */
    verifying = peaks_of("verify", path);
    reporting = peaks_of("report", path);
    written = bench_best_cpu(TURNS, write_by_lines, path);
    held = bench_best_cpu(TURNS, write_by_rounds, path);
    text = scratch_read(path, &length);
    plain = (struct plain){text, length, copy};
    copied = bench_best_cpu(TURNS, copy_lines, &plain);
    plain.path = NULL;
    digested = bench_best_cpu(TURNS, copy_lines, &plain);
    parsed = bench_best_cpu(2, parse_lines, &plain);
    verified = bench_best_cpu(TURNS, verify_all, path);
    reported = bench_best_cpu(TURNS, report_all, path);
    if (journal_verify(path, &(struct journal_verify){0}, &seen, NULL))
        fail("the journal does not verify");
    lines = (double)seen.ending.lines;
    megabytes = (double)length / 1e6;
    unlink(path);
    unlink(copy);
    free(text);
    bench_title("journal: lines written one by one, as the run goes on");
    bench_figure("write(2) of the same lines", lines / copied, "lines/s", 0);
    bench_figure("SHA-256 of the same lines", lines / digested, "lines/s", lines / copied);
    bench_figure("the journal, line by line", lines / written, "lines/s", lines / copied);
    bench_figure("the journal, lines of a round held", lines / held, "lines/s", lines / copied);
    bench_figure("the journal, line by line", megabytes / written, "MB/s", 0);
    bench_title("journal: a round, of so many lines and bytes, and its cost");
    bench_figure("lines", lines / ROUNDS, "a round", 0);
    bench_figure("bytes", (double)length / ROUNDS, "a round", 0);
    bench_figure("line by line", 1e6 * written / ROUNDS, "us a round", 0);
    bench_figure("held and written together", 1e6 * held / ROUNDS, "us a round",
                 1e6 * written / ROUNDS);
    bench_title("journal: read back, beside parsing alone");
    bench_figure("jansson alone", megabytes / parsed, "MB/s", 0);
    bench_figure("SHA-256 alone", megabytes / digested, "MB/s", megabytes / parsed);
    bench_figure_for("verify", megabytes / verified, "MB/s", megabytes / parsed, "at least 4");
    bench_figure_for("report", megabytes / reported, "MB/s", megabytes / parsed, "at least 4");
    bench_title("journal: the most memory, of 60,000 recordings beside 200");
    bench_figure_for("verify", verifying.many, "MB", verifying.few, "at most 1.1");
    bench_figure_for("report", reporting.many, "MB", reporting.few, "at most 1.1");
    return EXIT_SUCCESS;
}
