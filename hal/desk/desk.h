/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Questions to the people at a bench. The thread that plays asks one at a time and waits; whoever
 * sits at the terminal, at a page or behind a script answers, and the first allowed answer counts.
 * A desk belongs to who makes it and must outlive its bench and everybody who answers. Every
 * function but desk_ask() may be called by any thread. rigs/STATION.md has the texts on the wire.
 */
#ifndef HAL_DESK_DESK_H
#define HAL_DESK_DESK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hal/base/error.h"
#include "hal/base/json_text.h"
#include "hal/hal.h"

#define DESK_ANSWER_SIZE 256 /* of an answer with its NUL */
#define DESK_NAME_SIZE   64  /* of who answers */
#define DESK_TEXT_SIZE   256 /* of a question */
#define DESK_CHOICES_MAX 8   /* allowed answers */
#define DESK_READERS_MAX 4
#define DESK_KEPT        64 /* answers that are known after the next question was asked */
#define DESK_MEANWHILE                                                                             \
    20 /* milliseconds between two times that a question's `meanwhile` is called */

struct desk_open;
struct answer;

enum question_kind {
    QUESTION_CARDS,    /* the cards of a packet */
    QUESTION_DECISION, /* of a player */
    QUESTION_WAGER,    /* what lies at a seat */
    QUESTION_STEP,     /* something to do, then "done" */
    QUESTION_FAULT,    /* what a device has */
    QUESTION_SETUP,    /* what stands on the bench */
    QUESTION_KINDS
};

/* "cards", "decision", "wager", "step", "fault", "setup". */
extern const char *const question_kinds[QUESTION_KINDS];

/* Who may answer: a set of these. */
enum desk_side {
    DESK_TERMINAL = 1 << 0, /* who typed at the program's own terminal */
    DESK_SCRIPT = 1 << 1,   /* lines of JSON on standard input */
    DESK_PAGE = 1 << 2,     /* a browser */
    DESK_SCANNER = 1 << 3,  /* a device that the asker listens to meanwhile: struct desk_ear */
    DESK_ANYBODY = DESK_TERMINAL | DESK_SCRIPT | DESK_PAGE,
};

/* "terminal", "script", "page", "scanner": one side. */
const char *desk_side_name(enum desk_side side);

/*
 * Told when a question is asked and when it is over (then `answer` is not NULL), by the thread that
 * asks, before it waits and before desk_ask() returns. An answer with neither text nor side says
 * that the question was withdrawn, or its time was over without `otherwise`. It must not call
 * desk_ask().
 */
struct desk_reader {
    void (*told)(void *context, const struct desk_open *question, const struct answer *answer);
    void *context;
};

/*
 * A device that may answer as well as people do. `hear` is called by the thread that asks, before
 * it waits and whenever the descriptor is readable: 1 with an answer, which counts as it is, 0 when
 * there is none yet, or an error, which ends the question. It must not call the desk.
 */
struct desk_ear {
    int fd; /* -1: there is none just now; `hear` and a question's `meanwhile` may change it */
    int (*hear)(void *context, char text[DESK_ANSWER_SIZE], struct error *error);
    void *context;
};

/* What is asked. The asker's texts need to last only until desk_ask() returns. */
struct question {
    enum question_kind kind;
    const char *text; /* a sentence for people: "seat 3: bet or fold?" */
    unsigned seat;    /* 0: of no seat */
    /* The allowed answers up to a NULL, or all NULL: what `check` allows. */
    const char *choices[DESK_CHOICES_MAX + 1];
    /* 0, or ERROR_CONFIG with what is wrong with the answer. NULL: `choices` say it. Called by who
       answers, with the desk locked: it must not call the desk. */
    int (*check)(const void *context, const char *answer, struct error *error);
    /* Called before `check` where somebody else answers, by name or side, than who was refused
       last: what that one was told to say once more, nobody else can confirm. NULL: nobody is. */
    void (*forget)(const void *context);
    const void *context;
    /* Whether who really asks takes an answer that is allowed here, where that is another program:
       0, ERROR_CONFIG with what is wrong with it, ERROR_RIG where it has not said so in time, or
       another error where its question is over. Called by who answers, while the question stays
       open and can be looked at; other answers wait. NULL: what is allowed counts. */
    int (*refer)(void *asker, const char *answer, const char *by, struct error *error);
    /* Called again and again by the asker while it waits, on a real clock: 0, or an error that ends
       the question with it, unless it is answered by then. NULL: there is nothing to do. */
    int (*meanwhile)(void *asker, struct error *error);
    void *asker;
    const struct desk_ear *ear; /* NULL: people alone answer */
    unsigned sides;             /* set of enum desk_side; 0: anybody */
    uint32_t limit_ms;          /* 0: people may take as long as they need */
    const char *otherwise;      /* the answer that counts after that; NULL: ERROR_TIMEOUT */
};

struct answer {
    char text[DESK_ANSWER_SIZE]; /* as allowed: a choice as it is written there */
    char by[DESK_NAME_SIZE];     /* who; "" where nobody gave a name */
    enum desk_side side;         /* 0: nobody answered, and `otherwise` counts */
    nanos_t asked, answered;     /* by the bench's clock */
    unsigned refused;            /* answers before it that were not allowed, and the last of them */
    char last_refused[DESK_ANSWER_SIZE];
};

/* A question as it is open, for who shows it: a copy. */
struct desk_open {
    uint64_t id;  /* from 1; 0: nothing is asked */
    unsigned run; /* that it is a question of, where a desk has several; 0: it has one */
    enum question_kind kind;
    unsigned seat, sides;
    char text[DESK_TEXT_SIZE];
    char choices[DESK_CHOICES_MAX][DESK_ANSWER_SIZE];
    unsigned choice_count;
    char otherwise[DESK_ANSWER_SIZE];
    uint32_t limit_ms; /* 0 on a virtual clock */
    nanos_t asked;     /* by the bench's clock */
};

enum desk_result {
    DESK_TAKEN,       /* the answer counts */
    DESK_NOT_ALLOWED, /* and the question stays open; `error` says what is wrong with it */
    DESK_ANSWERED,    /* somebody else was first: `first` says who */
    DESK_OVER,        /* its time is over, or it was withdrawn */
    DESK_UNKNOWN,     /* no such question was asked */
    DESK_NOT_YOURS,   /* this side may not answer it */
    DESK_UNTOLD,      /* who really asks has not said yet whether it counts; the question is open */
};

struct desk;

/* NULL with ERROR_RIG when memory or descriptors are short. */
struct desk *desk_new(struct error *error);
void desk_free(struct desk *desk);

/* A reader stays until the desk is freed. ERROR_RIG beyond DESK_READERS_MAX. */
int desk_listen(struct desk *desk, const struct desk_reader *reader, struct error *error);

/*
 * Who writes questions and answers down, told before every reader: what cannot be written is not
 * asked, and no answer to it counts. `told` is 0 or the error that desk_ask() returns then.
 */
struct desk_scribe {
    int (*told)(void *context, const struct desk_open *question, const struct answer *answer,
                struct error *error);
    void *context;
};

/* NULL: nobody, as at first. */
void desk_scribe(struct desk *desk, const struct desk_scribe *scribe);

/* Which sides there are to answer, as a set; without any, asking is ERROR_CONFIG. */
void desk_sides(struct desk *desk, unsigned sides);

/*
 * This side can answer no more. A question that nobody else can answer is over, as those to come
 * are: what was stated for the end of its time counts, or else desk_ask() is ERROR_ABORTED.
 */
void desk_leave(struct desk *desk, enum desk_side side);

/*
 * Asks, and waits for the first allowed answer: 0, ERROR_TIMEOUT, ERROR_ABORTED when the bench was
 * cancelled or everybody has left, ERROR_CONFIG when there never was anybody to answer, as at a
 * desk that is NULL, or what `meanwhile` returned. On a
 * virtual clock no time passes meanwhile, and there is no deadline: what comes of a run depends on
 * the answers alone.
 */
int desk_ask(struct desk *desk, const struct hal *hal, const struct question *question,
             struct answer *answer, struct error *error);

/*
 * Answers question `id`. Answer and name are one line of UTF-8 each; else it is DESK_NOT_ALLOWED.
 * `first` is filled with DESK_ANSWERED; it may be NULL.
 */
enum desk_result desk_answer(struct desk *desk, uint64_t id, const char *text, const char *by,
                             enum desk_side side, struct answer *first, struct error *error);
/* The same of a question of that run: what was meant for the run before is DESK_OVER, though its
   number is asked again. The one run of a desk that has no others is 1; 0 is any. */
enum desk_result desk_answer_run(struct desk *desk, unsigned run, uint64_t id, const char *text,
                                 const char *by, enum desk_side side, struct answer *first,
                                 struct error *error);

/* One line of UTF-8 that fits into `size` bytes, and can be seen; else ERROR_CONFIG, of `what`. */
int desk_check_text(const char *text, const char *what, size_t size, struct error *error);

/* The name of somebody: one line of UTF-8 of up to DESK_NAME_SIZE - 1 bytes, not of blanks alone
   and without what cannot be seen; "": nobody. Else ERROR_CONFIG. */
int desk_check_name(const char *name, struct error *error);

/* The next question is that number of that run: another program has asked and counted it. */
void desk_count_from(struct desk *desk, unsigned run, uint64_t id);

/* What is asked now; `run` is known also when nothing is. */
void desk_look(struct desk *desk, struct desk_open *open);

/* Writes the fields of a question as they are on the wire, without braces: "id":4,"ask":… */
void desk_write(const struct desk_open *open, struct json_text *out);

#endif
