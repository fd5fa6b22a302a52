/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hal/desk/desk.h"

#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "hal/base/printable.h"

const char *const question_kinds[QUESTION_KINDS] = {
    [QUESTION_CARDS] = "cards", [QUESTION_DECISION] = "decision", [QUESTION_WAGER] = "wager",
    [QUESTION_STEP] = "step",   [QUESTION_FAULT] = "fault",       [QUESTION_SETUP] = "setup",
};

/* Who has answered what. */
struct kept {
    unsigned run;
    uint64_t id;
    struct answer answer;
};

struct desk {
    pthread_mutex_t lock;
    pthread_cond_t referred;
    bool is_referring; /* who really asks is asked, without the lock, whether it takes an answer */
    int woken;         /* an eventfd: the open question has been answered */
    unsigned sides;
    bool has_left;             /* somebody who could answer */
    struct desk_scribe scribe; /* `told` is NULL: none */
    struct desk_reader readers[DESK_READERS_MAX];
    unsigned reader_count;
    uint64_t last; /* id of the last question that was asked */
    struct desk_open open;
    const struct question *question; /* that is open; NULL: none */
    bool is_answered;                /* the last question */
    struct answer answer;            /* of the last question, once it is answered */
    unsigned run;                    /* of it; 0: there is one */
    struct answer refused;           /* whoever was, last, of side 0: nobody; how often, and what */
    struct kept kept[DESK_KEPT];     /* the last answers, each in the place of the oldest */
    uint64_t kept_count;
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
    case DESK_SCANNER:
        return "scanner";
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
    pthread_cond_init(&desk->referred, NULL);
    return desk;
}

void desk_free(struct desk *desk)
{
    if (!desk)
        return;
    close(desk->woken);
    pthread_cond_destroy(&desk->referred);
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

void desk_scribe(struct desk *desk, const struct desk_scribe *scribe)
{
    pthread_mutex_lock(&desk->lock);
    desk->scribe = scribe ? *scribe : (struct desk_scribe){.told = NULL};
    pthread_mutex_unlock(&desk->lock);
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

/* Who of those that an open question is asked of can still answer. The caller holds the lock. */
static unsigned sides_left(const struct desk *desk)
{
    return desk->open.sides & (desk->sides | DESK_SCANNER);
}

void desk_leave(struct desk *desk, enum desk_side side)
{
    pthread_mutex_lock(&desk->lock);
    desk->sides &= ~(unsigned)side;
    desk->has_left = true;
    if (desk->question && !sides_left(desk))
        wake(desk);
    pthread_mutex_unlock(&desk->lock);
}

/* The scribe and readers are called without the lock, for they may look at the desk. */
static int note(struct desk *desk, const struct desk_open *open, const struct answer *answer,
                struct error *error)
{
    struct desk_scribe scribe;

    pthread_mutex_lock(&desk->lock);
    scribe = desk->scribe;
    pthread_mutex_unlock(&desk->lock);
    return scribe.told ? scribe.told(scribe.context, open, answer, error) : 0;
}

static void tell(struct desk *desk, const struct desk_open *open, const struct answer *answer)
{
    struct desk_reader readers[DESK_READERS_MAX];
    unsigned count;

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
                                "'%s' is asked, and nobody can answer any more", question->text)
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
    sides |= question->ear ? DESK_SCANNER : 0;
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
    desk->open.run = desk->run;
    desk->refused = (struct answer){.side = 0};
    set_limit(&desk->open, question, hal->clock);
    desk->question = question;
    desk->is_answered = false;
    *open = desk->open;
    pthread_mutex_unlock(&desk->lock);
    return 0;
}

/* Takes the lock when it is known what became of the answers so far. */
static void lock_settled(struct desk *desk)
{
    pthread_mutex_lock(&desk->lock);
    while (desk->is_referring)
        pthread_cond_wait(&desk->referred, &desk->lock);
}

/* With the lock held: the open question is answered. */
static void keep(struct desk *desk, const struct answer *answer)
{
    desk->kept[desk->kept_count++ % DESK_KEPT] = (struct kept){desk->run, desk->last, *answer};
    desk->answer = *answer;
    desk->is_answered = true;
}

/* With the lock held: the answer to a question that is over; NULL: nobody has answered, or that was
   long ago. */
static const struct answer *find_kept(const struct desk *desk, unsigned run, uint64_t id)
{
    for (uint64_t i = desk->kept_count; i > 0 && i + DESK_KEPT > desk->kept_count; i--) {
        const struct kept *kept = &desk->kept[(i - 1) % DESK_KEPT];

        if (kept->run == run && kept->id == id)
            return &kept->answer;
    }
    return NULL;
}

/* What the ear has heard counts, unless somebody was first: 1, 0 or the error of the ear. */
static int hear(struct desk *desk, const struct desk_ear *ear, struct error *error)
{
    struct answer answer = {.side = DESK_SCANNER};
    int status = 0;

    lock_settled(desk);
    if (!desk->is_answered) {
        status = ear->hear(ear->context, answer.text, error);
        if (status > 0)
            keep(desk, &answer);
    }
    pthread_mutex_unlock(&desk->lock);
    return status;
}

/* One look at who may answer, until `until`: 1 when the question is answered, 0, or an error. */
static int listen_until(struct desk *desk, const struct hal *hal, const struct desk_ear *ear,
                        nanos_t until, struct error *error)
{
    struct pollfd fds[] = {{.fd = desk->woken, .events = POLLIN}, {.fd = -1, .events = POLLIN}};
    int status;

    do {
        status = ear ? hear(desk, ear, error) : 0;
        if (status)
            return status;
        fds[1].fd = ear ? ear->fd : -1;
        status = hal_wait_many(hal, fds, ear ? 2 : 1, until, error);
    } while (status > 0 && !fds[0].revents);
    return status;
}

/* Waits until the question is answered, its time is over, or nobody is left. */
static int await(struct desk *desk, const struct hal *hal, const struct question *question,
                 const struct desk_open *open, struct error *error)
{
    nanos_t deadline = open->limit_ms ? open->asked + open->limit_ms * NANOS_PER_MILLI : NEVER;
    bool has_more = question->meanwhile && !hal->clock->is_virtual;
    int status = open->sides ? 0 : 1;

    while (!status) {
        nanos_t until = has_more ? clock_deadline(hal->clock, DESK_MEANWHILE) : deadline;
        bool is_last = until >= deadline;

        status = listen_until(desk, hal, question->ear, is_last ? deadline : until, error);
        if (!status && is_last)
            return 0;
        if (!status)
            status = question->meanwhile(question->asker, error);
    }
    return status < 0 ? status : 0;
}

/* Closes the question: true if it was answered. Says whether somebody still could have. */
static bool end(struct desk *desk, const struct hal *hal, struct answer *answer, bool *can_answer)
{
    bool is_answered;

    lock_settled(desk);
    is_answered = desk->is_answered;
    *can_answer = sides_left(desk);
    desk->question = NULL;
    *answer = is_answered ? desk->answer : (struct answer){.side = 0};
    answer->asked = desk->open.asked;
    answer->answered = clock_now(hal->clock);
    answer->refused = desk->refused.refused;
    memcpy(answer->last_refused, desk->refused.last_refused, sizeof answer->last_refused);
    desk->answer = *answer;
    desk->open.id = 0;
    pthread_mutex_unlock(&desk->lock);
    return is_answered;
}

int desk_ask(struct desk *desk, const struct hal *hal, const struct question *question,
             struct answer *answer, struct error *error)
{
    struct desk_open open;
    struct error why;
    bool can_answer;
    int unwritten,
        status = desk ? begin(desk, hal, question, &open, error) : miss(question, false, error);

    if (status)
        return status;
    status = note(desk, &open, NULL, error);
    if (status) {
        end(desk, hal, answer, &can_answer);
        return status;
    }
    tell(desk, &open, NULL);
    status = await(desk, hal, question, &open, error);
    if (end(desk, hal, answer, &can_answer))
        status = 0;
    else if (!status && !can_answer && !states_otherwise(question, hal->clock))
        status = miss(question, true, error);
    else if (!status && question->otherwise)
        snprintf(answer->text, sizeof answer->text, "%s", question->otherwise);
    else if (!status)
        status = error_set(error, ERROR_TIMEOUT, "nobody has answered '%s' for %u ms", open.text,
                           open.limit_ms);
    unwritten = note(desk, &open, answer, &why);
    if (unwritten && !status) {
        *answer = (struct answer){.side = 0};
        if (error)
            *error = why;
        status = unwritten;
    }
    tell(desk, &open, answer);
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

static int check_answer(const struct question *question, const char *text, char *chosen,
                        struct error *error)
{
    if (desk_check_text(text, "an answer", DESK_ANSWER_SIZE, error))
        return ERROR_CONFIG;
    if (question->choices[0])
        return check_choice(question, text, chosen, error);
    snprintf(chosen, DESK_ANSWER_SIZE, "%s", text);
    return question->check ? question->check(question->context, text, error) : 0;
}

/* The caller holds the lock. Whether question `id` of that run may be answered, but by whom. */
static enum desk_result find_question(const struct desk *desk, unsigned run, uint64_t id)
{
    unsigned current = desk->run ? desk->run : 1;

    if (!id || run > current || (run == current && id > desk->last))
        return DESK_UNKNOWN;
    if (find_kept(desk, desk->run ? run : 0, id))
        return DESK_ANSWERED;
    return run < current || id < desk->last || !desk->question ? DESK_OVER : DESK_TAKEN;
}

/* Without the lock, for it may take a while; the question waits for it as answers do. */
static enum desk_result refer(struct desk *desk, const char *text, const char *by,
                              struct error *error)
{
    const struct question *question = desk->question;
    int status = 0;

    if (question->refer) {
        desk->is_referring = true;
        pthread_mutex_unlock(&desk->lock);
        status = question->refer(question->asker, text, by, error);
        pthread_mutex_lock(&desk->lock);
        desk->is_referring = false;
        pthread_cond_broadcast(&desk->referred);
    }
    return !status                  ? DESK_TAKEN
           : status == ERROR_CONFIG ? DESK_NOT_ALLOWED
           : status == ERROR_RIG    ? DESK_UNTOLD
                                    : DESK_OVER;
}

/* Whether somebody was refused before, and is not who answers now. */
static bool is_another(const struct answer *refused, const char *by, enum desk_side side)
{
    return refused->side && (refused->side != side || strcmp(refused->by, by ? by : "") != 0);
}

static void remember(struct answer *refused, const char *by, enum desk_side side)
{
    refused->side = side;
    snprintf(refused->by, sizeof refused->by, "%s", by ? by : "");
}

/* It may be too long, or hold what is no text. */
static void note_refused(struct answer *refused, const char *text)
{
    refused->refused++;
    printable_copy(refused->last_refused, sizeof refused->last_refused, text);
}

static enum desk_result take(struct desk *desk, const char *text, const char *by,
                             enum desk_side side, struct error *error)
{
    struct answer answer = {.side = side, .asked = desk->open.asked};
    enum desk_result result;

    if (!(desk->open.sides & side))
        return DESK_NOT_YOURS;
    if (desk->question->forget && is_another(&desk->refused, by, side))
        desk->question->forget(desk->question->context);
    remember(&desk->refused, by, side);
    if (check_answer(desk->question, text, answer.text, error) ||
        desk_check_name(by ? by : "", error)) {
        note_refused(&desk->refused, text);
        return DESK_NOT_ALLOWED;
    }
    result = refer(desk, answer.text, by, error);
    if (result != DESK_TAKEN)
        return result;
    snprintf(answer.by, sizeof answer.by, "%s", by ? by : "");
    keep(desk, &answer);
    desk->open.id = 0;
    wake(desk);
    return DESK_TAKEN;
}

enum desk_result desk_answer_run(struct desk *desk, unsigned run, uint64_t id, const char *text,
                                 const char *by, enum desk_side side, struct answer *first,
                                 struct error *error)
{
    enum desk_result result;

    lock_settled(desk);
    if (!run)
        run = desk->run ? desk->run : 1;
    result = find_question(desk, run, id);
    if (result == DESK_ANSWERED && first)
        *first = *find_kept(desk, desk->run ? run : 0, id);
    if (result == DESK_TAKEN)
        result = take(desk, text, by, side, error);
    pthread_mutex_unlock(&desk->lock);
    return result;
}

enum desk_result desk_answer(struct desk *desk, uint64_t id, const char *text, const char *by,
                             enum desk_side side, struct answer *first, struct error *error)
{
    return desk_answer_run(desk, 0, id, text, by, side, first, error);
}

void desk_look(struct desk *desk, struct desk_open *open)
{
    pthread_mutex_lock(&desk->lock);
    *open = desk->open;
    open->run = desk->run;
    pthread_mutex_unlock(&desk->lock);
}

void desk_count_from(struct desk *desk, unsigned run, uint64_t id)
{
    pthread_mutex_lock(&desk->lock);
    desk->run = run;
    desk->last = id - 1;
    pthread_mutex_unlock(&desk->lock);
}
