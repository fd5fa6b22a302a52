/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the lines of a journal say of each other: their order and place, their times, counts and
 * verdicts. The reader (rigs/journal/read.h) shows every line to a judge before it hands it out, so
 * that whoever reads a journal reads one that does not contradict itself. Each rule is a sentence
 * of rigs/JOURNAL.md. A judge has nothing of its own but the question that is open.
 */
#ifndef RIGS_JOURNAL_JUDGE_H
#define RIGS_JOURNAL_JUDGE_H

#include <stdbool.h>
#include <stdint.h>

#include "hal/base/digest.h"
#include "hal/base/error.h"
#include "hal/base/json.h"
#include "hal/clock.h"
#include "rigs/checks/result.h"
#include "rigs/checks/verdict.h"
#include "rigs/journal/kind.h"

struct journal_line {
    uint64_t number;
    enum journal_kind kind;
    nanos_t time;
    const struct json_value *fields;
    const char *text; /* without its newline */
    size_t length;
};

#define JUDGE_OUTCOMES (CHECK_SKIPPED + 1)

/* What a journal has counted, in all and of each recording and round. */
struct judge_totals {
    int64_t recordings;
    int64_t rounds[VERDICT_COUNT];
    int64_t checks[JUDGE_OUTCOMES];
    int64_t retries, reconnects;
    enum verdict worst; /* of the rounds, and of what failed outside of them */
};

struct judge_recording {
    int64_t number;    /* from 1; 0: none yet */
    int64_t announced; /* rounds; of observed ones 0 where that was not known */
    int64_t judged;    /* rounds that have a verdict */
    bool is_observed;
};

struct judge_round {
    bool is_open;
    int64_t number;
    bool is_settled, is_unsettled; /* there is a settlement; it says that there can be none */
    bool is_dealt, is_observed;    /* cards came; the whole round was told */
    bool has_passes;               /* the line of them, after which the verdict comes */
    bool is_refused;               /* the rules refuse it, as they should */
    bool is_late, is_other;        /* a check of timing failed, one of identity did */
    int64_t checks[JUDGE_OUTCOMES];
};

#define JUDGE_DEVICES   32
#define JUDGE_NAME_SIZE 32

struct judge_device {
    char name[JUDGE_NAME_SIZE];
    char identity[DIGEST_SIZE]; /* of what it says of itself */
};

struct judge {
    bool is_virtual;
    bool is_resumed;
    int64_t announced; /* rounds of the whole run; -1 where that was not known */
    nanos_t time;      /* of the last line */
    unsigned device_count;
    struct judge_device devices[JUDGE_DEVICES];
    struct judge_recording recording;
    bool is_short; /* a recording before that one has fewer rounds than it was to have */
    struct judge_round round;
    enum verdict last;           /* of the last round */
    int64_t asked;               /* id of the last question */
    struct json_value *question; /* that is open, a copy; NULL: none is */
    int64_t owed;                /* checks of identity that must fail, for software that is wrong */
    struct judge_totals totals;
};

void judge_begin(struct judge *judge);
void judge_end(struct judge *judge);

/*
 * 0: the line contradicts none before it. ERROR_RULE: it does, as a sentence that names it.
 * ERROR_RIG: memory is short.
 */
int judge_line(struct judge *judge, const struct journal_line *line, struct error *error);

/* For the files of the judge: "line 7 was altered: a check line has …". */
int judge_refuse(const struct journal_line *line, const char *why, struct error *error);

/* The same: results, verdicts and totals. */
int judge_check(struct judge *judge, const struct journal_line *line, struct error *error);
int judge_verdict(struct judge *judge, const struct journal_line *line, struct error *error);
int judge_totals(const struct judge *judge, const struct journal_line *line, struct error *error);

/* The same: questions and what came of them. */
int judge_question(struct judge *judge, const struct journal_line *line, struct error *error);
int judge_answer(struct judge *judge, const struct journal_line *line, struct error *error);

/* The same: which devices there are, and the run that goes on with them after it was cut off. */
int judge_device(struct judge *judge, const struct journal_line *line, struct error *error);
bool judge_knows_device(const struct judge *judge, const char *name);
int judge_resumed(struct judge *judge, const struct journal_line *line, struct error *error);

/* The same: what devices said of their software; and a line that comes before its checks failed. */
int judge_software(struct judge *judge, const struct journal_line *line, struct error *error);
#define JUDGE_OWED "comes after software that is not as approved, and no check of it has failed"

/* The same: "2026-01-31T18:00:00Z"; a digest. */
bool judge_is_date(const struct json_value *value);
bool judge_is_digest(const struct json_value *value);

/* The same: adds to a sum of counts; false when that is no count or does not fit. */
bool judge_add(int64_t *sum, const struct json_value *count);

#endif
