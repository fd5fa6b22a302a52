/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/desk/desk.h"

#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "hal/base/utf8.h"

const char *const question_kinds[QUESTION_KINDS] = {
    [QUESTION_CARDS] = "cards", [QUESTION_DECISION] = "decision", [QUESTION_WAGER] = "wager",
    [QUESTION_STEP] = "step",   [QUESTION_FAULT] = "fault",
};

struct desk {
    pthread_mutex_t lock;
    int woken; /* an eventfd: the open question has been answered */
    unsigned sides;
    bool has_left; /* somebody who could answer */
    struct desk_reader readers[DESK_READERS_MAX];
    unsigned reader_count;
    uint64_t last; /* id of the last question that was asked */
    struct desk_open open;
    const struct question *question; /* that is open; NULL: none */
    bool is_answered;                /* the last question */
    struct answer answer;            /* of the last question, once it is answered */
};

const char *desk_side_name(enum desk_side side)
{
    switch (side) {
    case DESK_TERMINAL:
        return "terminal";
    case DESK_SCRIPT:
        return "script";
    case DESK_PAGE:
        return "page";
    default:
        return "nobody";
    }
}

struct desk *desk_new(struct error *error)
{
    struct desk *desk = calloc(1, sizeof *desk);

    if (desk)
        desk->woken = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (!desk || desk->woken < 0) {
        free(desk);
        error_set(error, ERROR_RIG, "no memory or no descriptor for questions");
        return NULL;
    }
    pthread_mutex_init(&desk->lock, NULL);
    return desk;
}

void desk_free(struct desk *desk)
{
    if (!desk)
        return;
    close(desk->woken);
    pthread_mutex_destroy(&desk->lock);
    free(desk);
}

int desk_listen(struct desk *desk, const struct desk_reader *reader, struct error *error)
{
    int status = 0;

    pthread_mutex_lock(&desk->lock);
    if (desk->reader_count == DESK_READERS_MAX)
        status = error_set(error, ERROR_RIG, "more than %d readers of questions", DESK_READERS_MAX);
    else
        desk->readers[desk->reader_count++] = *reader;
    pthread_mutex_unlock(&desk->lock);
    return status;
}

void desk_sides(struct desk *desk, unsigned sides)
{
    pthread_mutex_lock(&desk->lock);
    desk->sides = sides;
    pthread_mutex_unlock(&desk->lock);
}

/* The counter cannot be full: it is emptied before each question. */
static void wake(const struct desk *desk)
{
    const uint64_t one = 1;
    ssize_t written = write(desk->woken, &one, sizeof one);

    (void)written;
}

void desk_leave(struct desk *desk, enum desk_side side)
{
    pthread_mutex_lock(&desk->lock);
    desk->sides &= ~(unsigned)side;
    desk->has_left = true;
    if (desk->question && !(desk->open.sides & desk->sides))
        wake(desk);
    pthread_mutex_unlock(&desk->lock);
}

/* Readers are called without the lock, for they may look at the desk. */
static void tell(struct desk *desk, const struct question *question, const struct desk_open *open,
                 const struct answer *answer)
{
    struct desk_reader readers[DESK_READERS_MAX];
    unsigned count;

    if (question->asker.told)
        question->asker.told(question->asker.context, open, answer);
    pthread_mutex_lock(&desk->lock);
    count = desk->reader_count;
    memcpy(readers, desk->readers, sizeof readers);
    pthread_mutex_unlock(&desk->lock);
    for (unsigned i = 0; i < count; i++)
        readers[i].told(readers[i].context, open, answer);
}

static void copy_question(struct desk_open *open, const struct question *question, unsigned sides)
{
    *open = (struct desk_open){.kind = question->kind, .seat = question->seat, .sides = sides};
    snprintf(open->text, sizeof open->text, "%s", question->text);
    while (open->choice_count < DESK_CHOICES_MAX && question->choices[open->choice_count]) {
        snprintf(open->choices[open->choice_count], DESK_ANSWER_SIZE, "%s",
                 question->choices[open->choice_count]);
        open->choice_count++;
    }
}

static bool states_otherwise(const struct question *question, const struct clock *clock)
{
    return question->limit_ms && question->otherwise && !clock->is_virtual;
}

/* Virtual time does not pass while people think, so nothing is said of a limit there. */
static void set_limit(struct desk_open *open, const struct question *question,
                      const struct clock *clock)
{
    open->asked = clock_now(clock);
    if (!question->limit_ms || clock->is_virtual)
        return;
    open->limit_ms = question->limit_ms;
    snprintf(open->otherwise, sizeof open->otherwise, "%s",
             question->otherwise ? question->otherwise : "");
}

/* Nobody is there to answer: there never was, or everybody has left. */
static int miss(const struct question *question, bool has_left, struct error *error)
{
    return has_left ? error_set(error, ERROR_ABORTED,
                                "'%s' is asked, and nobody can answer any more: standard input has "
                                "ended",
                                question->text)
                    : error_set(error, ERROR_CONFIG,
                                "'%s' is asked, and nobody is there to answer: use a terminal, "
                                "--page or --questions json",
                                question->text);
}

static int begin(struct desk *desk, const struct hal *hal, const struct question *question,
                 struct desk_open *open, struct error *error)
{
    unsigned sides;
    uint64_t taken;
    bool has_left;

    pthread_mutex_lock(&desk->lock);
    sides = question->sides ? question->sides & desk->sides : desk->sides;
    has_left = desk->has_left;
    if (!sides && !(has_left && states_otherwise(question, hal->clock))) {
        pthread_mutex_unlock(&desk->lock);
        return miss(question, has_left, error);
    }
    /* A late answer to the question before may have left it readable. */
    while (read(desk->woken, &taken, sizeof taken) > 0)
        continue;
    copy_question(&desk->open, question, sides);
    desk->open.id = ++desk->last;
    set_limit(&desk->open, question, hal->clock);
    desk->question = question;
    desk->is_answered = false;
    *open = desk->open;
    pthread_mutex_unlock(&desk->lock);
    return 0;
}

static int await(const struct desk *desk, const struct hal *hal, const struct desk_open *open,
                 struct error *error)
{
    nanos_t deadline = open->limit_ms ? open->asked + open->limit_ms * NANOS_PER_MILLI : NEVER;
    int status = open->sides ? hal_wait(hal, desk->woken, POLLIN, deadline, error) : 0;

    return status < 0 ? status : 0;
}

/* Closes the question: true if it was answered. Says whether somebody still could have. */
static bool end(struct desk *desk, const struct hal *hal, struct answer *answer, bool *can_answer)
{
    bool is_answered;

    pthread_mutex_lock(&desk->lock);
    is_answered = desk->is_answered;
    *can_answer = desk->open.sides & desk->sides;
    desk->question = NULL;
    *answer = is_answered ? desk->answer : (struct answer){.side = 0};
    answer->asked = desk->open.asked;
    answer->answered = clock_now(hal->clock);
    desk->answer = *answer;
    desk->open.id = 0;
    pthread_mutex_unlock(&desk->lock);
    return is_answered;
}

int desk_ask(struct desk *desk, const struct hal *hal, const struct question *question,
             struct answer *answer, struct error *error)
{
    struct desk_open open;
    bool can_answer;
    int status = begin(desk, hal, question, &open, error);

    if (status)
        return status;
    tell(desk, question, &open, NULL);
    status = await(desk, hal, &open, error);
    if (end(desk, hal, answer, &can_answer))
        status = 0;
    else if (!status && !can_answer && !states_otherwise(question, hal->clock))
        status = miss(question, true, error);
    else if (!status && question->otherwise)
        snprintf(answer->text, sizeof answer->text, "%s", question->otherwise);
    else if (!status)
        status = error_set(error, ERROR_TIMEOUT, "nobody has answered '%s' for %u ms", open.text,
                           open.limit_ms);
    tell(desk, question, &open, answer);
    return status;
}

static int check_choice(const struct question *question, const char *text, char *chosen,
                        struct error *error)
{
    char allowed[DESK_ANSWER_SIZE] = "";
    size_t used = 0;

    for (unsigned i = 0; i < DESK_CHOICES_MAX && question->choices[i]; i++) {
        if (!strcasecmp(question->choices[i], text)) {
            snprintf(chosen, DESK_ANSWER_SIZE, "%s", question->choices[i]);
            return 0;
        }
        if (used < sizeof allowed)
            used += (size_t)snprintf(allowed + used, sizeof allowed - used, "%s%s",
                                     used ? ", " : "", question->choices[i]);
    }
    return error_set(error, ERROR_CONFIG, "'%.60s' is not allowed here; it must be one of %s", text,
                     allowed);
}

/* What is shown on terminals and stands in a line of a journal must not move a cursor. */
static bool is_one_line(const char *text)
{
    for (const unsigned char *at = (const unsigned char *)text; *at; at++)
        if (*at < ' ' || *at == 0x7f || (at[0] == 0xc2 && at[1] >= 0x80 && at[1] < 0xa0))
            return false;
    return utf8_is_valid(text);
}

static int check_text(const char *text, const char *what, size_t size, struct error *error)
{
    if (strlen(text) >= size)
        return error_set(error, ERROR_CONFIG, "%s has at most %zu bytes", what, size - 1);
    if (!is_one_line(text))
        return error_set(error, ERROR_CONFIG, "%s is one line of text in UTF-8", what);
    return 0;
}

static int check_answer(const struct question *question, const char *text, char *chosen,
                        struct error *error)
{
    if (check_text(text, "an answer", DESK_ANSWER_SIZE, error))
        return ERROR_CONFIG;
    if (question->choices[0])
        return check_choice(question, text, chosen, error);
    snprintf(chosen, DESK_ANSWER_SIZE, "%s", text);
    return question->check ? question->check(question->context, text, error) : 0;
}

/* The caller holds the lock. */
static enum desk_result take(struct desk *desk, uint64_t id, const char *text, const char *by,
                             enum desk_side side, struct error *error)
{
    struct answer answer = {.side = side, .asked = desk->open.asked};

    if (!id || id > desk->last)
        return DESK_UNKNOWN;
    if (id < desk->last || !desk->question || desk->is_answered)
        return id == desk->last && desk->is_answered ? DESK_ANSWERED : DESK_OVER;
    if (!(desk->open.sides & side))
        return DESK_NOT_YOURS;
    if (check_answer(desk->question, text, answer.text, error) ||
        check_text(by ? by : "", "a name", sizeof answer.by, error))
        return DESK_NOT_ALLOWED;
    snprintf(answer.by, sizeof answer.by, "%s", by ? by : "");
    desk->answer = answer;
    desk->is_answered = true;
    desk->open.id = 0;
    wake(desk);
    return DESK_TAKEN;
}

enum desk_result desk_answer(struct desk *desk, uint64_t id, const char *text, const char *by,
                             enum desk_side side, struct answer *first, struct error *error)
{
    enum desk_result result;

    pthread_mutex_lock(&desk->lock);
    result = take(desk, id, text, by, side, error);
    if (result == DESK_ANSWERED && first)
        *first = desk->answer;
    pthread_mutex_unlock(&desk->lock);
    return result;
}

void desk_look(struct desk *desk, struct desk_open *open)
{
    pthread_mutex_lock(&desk->lock);
    *open = desk->open;
    pthread_mutex_unlock(&desk->lock);
}

void desk_count_from(struct desk *desk, uint64_t id)
{
    pthread_mutex_lock(&desk->lock);
    desk->last = id - 1;
    pthread_mutex_unlock(&desk->lock);
}
