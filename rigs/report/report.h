/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A run as its journal tells it; rigs/report/format.h has the formats that it is written in.
 * report_read() takes whatever a journal holds, also one that a crash has cut; one that was altered
 * is told up to there, and the report says so. The report owns all it shows. Of every round and
 * recording the figures are kept, most of them in temporary files; the lines of a round are kept
 * where it failed, up to a limit, and of the others as a sample: memory and pages stay small
 * whatever the length of a run.
 */
#ifndef RIGS_REPORT_REPORT_H
#define RIGS_REPORT_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "games/paid.h"
#include "hal/base/error.h"
#include "rigs/journal/read.h"
#include "rigs/report/store.h"

/* Of the rounds that passed the first ones of a recording are shown, and then one in so many. */
#define REPORT_PASSES_FIRST 5
#define REPORT_PASSES_EVERY 50

#define REPORT_POINTS 120
#define REPORT_METERS 8

/* Recordings whose meters are kept: the first ones. */
#define REPORT_CURVES 40

/* A meter after each round, or after every so many where there are more than points. */
struct report_meter {
    char name[24];
    uint64_t seen; /* values so far */
    uint64_t stride;
    size_t count;
    int64_t values[REPORT_POINTS]; /* micros */
};

struct report_round {
    size_t recording; /* index */
    int64_t number;
    bool judged; /* false: the journal ends inside the round */
    enum verdict verdict;
    nanos_t began, ended;
    int64_t passed, failed, skipped; /* checks */
    const char *lines;               /* of the journal, each with its newline; NULL: not kept */
    size_t length;
    uint64_t events_left_out, checks_left_out; /* of the lines: a flood is kept in part */
};

/* What a journal says of a file that was played, once for all times that it was. */
struct report_file {
    struct json_value *fields;
    unsigned repeats; /* so far */
};

/* In the order in which they came; `slots` find them by their paths (rigs/report/files.h). */
struct report_files {
    struct report_file *list;
    size_t count, size;
    size_t *slots; /* places in the list, from 1; 0: free */
    size_t slot_count;
};

/* One time that a file was played. */
struct report_recording {
    const struct json_value *fields; /* of its file */
    size_t first, count;             /* of the rounds */
    uint64_t verdicts[VERDICT_COUNT];
    unsigned repeat; /* 1, or more when the same recording came before */
    size_t meter_count;
    const struct report_meter *meters; /* NULL until a settlement has one, or not kept */
};

/* Three buckets a decade, from below 1 us to 50 s and beyond. */
#define REPORT_BUCKETS 25
#define REPORT_TIMINGS 32

/* All that were measured under one name and one limit. */
struct report_timing {
    char name[48];
    uint64_t count;
    uint64_t buckets[REPORT_BUCKETS];
    uint64_t late; /* of those in the bucket of the limit: longer than that */
    nanos_t slowest, limit;
    size_t slowest_round; /* index of the round where that was */
};

#define REPORT_CHECKS 64

/* Those that every failure names; an operator or a scanner is named where one has read the cards.
 */
#define REPORT_WITNESSES 3

/* Failed checks of no round that are kept; and times that a run which was cut off went on. */
#define REPORT_AFTER   16
#define REPORT_RESUMES 16

/* What became of one check over the whole run. */
struct report_check {
    char name[48];
    uint64_t passed, failed, skipped;
    uint64_t rounds;    /* in which it failed */
    size_t first, last; /* indices of the first and the last of them */
    bool was_lost;      /* it failed in a round that was cut off and played again */
    char why[128];      /* it was skipped, the last time */
};

/* Rounds that could not be judged: all are counted, and the first of each verdict are known. */
#define REPORT_UNJUDGED 5
#define REPORT_CUT_OFF  VERDICT_COUNT /* stands for those that have no verdict */

struct report_unjudged {
    uint64_t count;
    size_t rounds[REPORT_UNJUDGED]; /* indices */
};

/* What a journal says of a device. */
struct report_device {
    struct json_value *fields;
    bool test_mode; /* it was in test mode at any time */
    unsigned asked; /* how often, what its software comes to */
    /* What came of that: the first time that it was not as approved, or else the last; NULL where
       nobody asked. It is the details of the event. */
    struct json_value *software;
};

/* Names of operators that are kept. */
#define REPORT_OPERATORS 16

/* A journal that was read, without its folder: a report says the same wherever that lies. */
struct report_journal {
    char *path;
    struct json_value *start; /* its first line; NULL: it is the only one */
    struct journal_ending ending;
};

#define REPORT_DATE_SIZE sizeof "2026-01-31T18:00:00Z"

/* Attempts at a shard that do not count and are told. */
#define REPORT_LEFT_OUT 16

struct report_kept;
struct report_shuffles;
struct report_coverage; /* rigs/report/coverage.h */

struct report {
    struct report_journal *journals; /* one, or that of each shard in their order */
    size_t journal_count, journal_size;
    char left_out[REPORT_LEFT_OUT][ERROR_TEXT_SIZE];
    size_t left_out_count;
    struct json_value *start;
    struct json_value *end; /* NULL when the run was cut off, */
    bool is_played;         /* or is being played */
    struct report_device *devices;
    size_t device_count, device_size;
    char *operators[REPORT_OPERATORS]; /* in the order in which they came, each once */
    size_t operator_count;             /* one more than REPORT_OPERATORS: there were others */
    struct journal_ending ending;      /* of all; the digest is that of the last */
    bool withholds; /* digests by which cards could be found that were not dealt yet */
    char problem[ERROR_TEXT_SIZE]; /* why the journal is not trusted; empty when it is */
    enum verdict verdict;          /* of the run */
    struct report_files files;
    struct report_store *recordings; /* but for the last of them */
    struct report_recording last;
    size_t recording_count;
    struct report_meter *meters[REPORT_CURVES]; /* REPORT_METERS each, or NULL */
    struct report_store *rounds;
    size_t round_count;
    uint64_t verdicts[VERDICT_COUNT];
    uint64_t unjudged; /* cut off */
    struct report_unjudged broken[VERDICT_COUNT + 1];
    char since_date[REPORT_DATE_SIZE]; /* of the start, or of when the run went on; "": none */
    nanos_t since;                     /* the same on the bench's clock */
    char *stopped_by;                  /* who has ordered the stop, on the page; or NULL */
    int64_t passed, failed, skipped;   /* checks */
    uint64_t retries, reconnects;
    uint64_t read, nodded; /* packets, or cards of a shoe, that no device tells: read out, nodded */
    struct paid paid;      /* by the settlements, of games that this program knows */
    cents_t staked[SEATS_MAX + 1]; /* on the progressive wager, in the round that is read */
    struct report_timing timings[REPORT_TIMINGS];
    size_t timing_count;
    struct report_check checks[REPORT_CHECKS];
    size_t check_count;
    struct json_value *after[REPORT_AFTER]; /* checks that failed after the last round */
    size_t after_count;
    struct json_value *resumes[REPORT_RESUMES]; /* the first of those lines */
    uint64_t resume_count;                      /* of all */
    struct report_kept *kept;                   /* lines of rounds */
    size_t kept_bytes, kept_passes;
    struct json_reader *json;         /* for the lines that are kept */
    struct report_shuffles *shuffled; /* NULL before the first line */
    struct report_coverage *coverage; /* NULL when nothing is known of what was exercised */
};

/* ERROR_CONFIG: not a journal. ERROR_RIG: memory, or reading. One of a shard is told as a part. */
int report_read(const char *path, struct report **report, struct error *error);
void report_free(struct report *report);

/*
 * The same of the journals of one run that was played in shards, each once and in any order:
 * recordings come as the run would have had them. ERROR_CONFIG names a shard that is missing, comes
 * twice, or is of another run. One journal need not be of a shard.
 */
int report_read_shards(char *const *paths, struct report **report, struct error *error);

/* The same of its first bytes alone: of a journal that is being written, up to some line. */
int report_read_part(const char *path, uint64_t bytes, struct report **report, struct error *error);

/* Who else sees the lines of a journal, each before the report does; an error ends the reading. */
struct report_watch {
    int (*see)(void *context, const struct journal_line *line, struct error *error);
    void *context;
};
int report_read_watched(const char *path, uint64_t bytes, const struct report_watch *watch,
                        struct report **report, struct error *error);

/* For the reader: the wagers of a round, and what was settled of it. */
void report_paid_begin(struct report *report, const struct json_value *played);
void report_paid_end(struct report *report, const struct json_value *settlement);

/* How the run went on, the nth time from 0, and what it had lost; false when that is not kept. */
#define REPORT_RESUME_SIZE 256
bool report_resume(const struct report *report, size_t index, char text[REPORT_RESUME_SIZE]);

/*
 * The checks that were skipped each time for the same reason, and that reason: the nth from 0;
 * false when there are no more.
 */
#define REPORT_UNPROVEN_SIZE 2048
bool report_unproven(const struct report *report, size_t index, char text[REPORT_UNPROVEN_SIZE]);

/*
 * What a device says of its software, in a sentence, with what that is worth; "" where nobody has
 * asked. And whether it was not as approved.
 */
#define REPORT_SOFTWARE_SIZE 640
const char *report_software(const struct report_device *device, char text[REPORT_SOFTWARE_SIZE]);
bool report_software_is_wrong(const struct json_value *software);

/*
 * For a run that a person has stopped: who, when and after which round, in a sentence that begins
 * with "stopped by". For one that was to stop at its first failure, and has: "stopped at", and how
 * many rounds were not played. "" for others.
 */
#define REPORT_STOPPED_SIZE 640
const char *report_stopped(const struct report *report, char text[REPORT_STOPPED_SIZE]);

/* For the reader: a round that is judged, or cut off, is the last one so far. */
void report_unjudged_see(struct report *report, const struct report_round *round);

/* A check failed in it first, or it is one of the first that could not be judged. */
bool report_round_is_first(const struct report *report, size_t index);

/* Why a round that is kept came to its verdict; "" where the journal does not say so. The text is
   valid until another line is asked for. */
const char *report_round_why(const struct report *report, const struct report_round *round);

/* The first digits of the program's build; "" where the journal has none. */
#define REPORT_BUILD_SIZE 13
const char *report_build(const struct report *report, char text[REPORT_BUILD_SIZE]);

/* The priority that it was played with; "" where it was played like any program. */
#define REPORT_REALTIME_SIZE 24
const char *report_realtime(const struct report *report, char text[REPORT_REALTIME_SIZE]);

/* "pass", "fail" …, or "cut off" for a round without a verdict. */
const char *report_round_verdict(const struct report_round *round);

/* Neither passed nor skipped. */
bool report_round_failed(const struct report_round *round);

/* By their place in the run, from 0. What cannot be read back is empty, and a round cut off. */
struct report_round report_round_at(const struct report *report, size_t index);
struct report_recording report_recording_at(const struct report *report, size_t index);

/*
 * The lines kept of a round, one after the other: `at` starts at 0. NULL after the last; a line is
 * valid until the next is asked for.
 */
const struct json_value *report_round_line(const struct report *report,
                                           const struct report_round *round, size_t *at);

/* The same, only failed checks. */
const struct json_value *report_round_failure(const struct report *report,
                                              const struct report_round *round, size_t *at);

/* What a failed check has compared, where that is money: "-$5.00"; or "". */
#define REPORT_MONEY_SIZE (PAID_TEXT_SIZE + 1)
const char *report_money(const struct json_value *failure, const struct json_value *value,
                         char text[REPORT_MONEY_SIZE]);

/* How a text is written: markup_text() or plain_text(). */
typedef void report_writer(FILE *out, const char *text);

/*
 * What a failed check has compared, in words: money as that, cards as "5h Jh As 7d", null as
 * "nothing"; and what a witness says, who may be "silent".
 */
void report_compared(FILE *out, const struct json_value *failure, const struct json_value *value,
                     report_writer *write);
void report_witness(FILE *out, const struct json_value *failure, const struct json_value *value,
                    report_writer *write);

/* Writes who performed the run: "Ann, Bob". */
void report_operators(const struct report *report, FILE *out, report_writer *write);

/* "2/4" where the report is of one shard alone; "" where it is of a whole run. */
const char *report_part(const struct report *report);

/* A text field; "" where there is none. */
const char *report_text(const struct json_value *object, const char *key);

/* The lower end of a bucket; buckets go up to the lower end of the next. */
nanos_t report_bucket_start(size_t bucket);

/* The smallest bucket end that at least half of the timings do not pass, or the slowest. */
nanos_t report_timing_median(const struct report_timing *timing);

/* A duration for people: "412 ms", "3.2 s", "87 us". */
#define DURATION_TEXT_SIZE 24
const char *report_duration(nanos_t duration, char text[DURATION_TEXT_SIZE]);

#endif
