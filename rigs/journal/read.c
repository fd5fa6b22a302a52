/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/journal/read.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hal/base/json_fields.h"
#include "hal/base/lines.h"
#include "hal/base/printable.h"

/*
 * A line and what is known of it before its neighbours are looked at. `position` counts the lines
 * of the file, `number` is what the line says of itself.
 */
struct held {
    uint64_t position;
    size_t length;
    bool complete; /* a newline ended it */
    struct json_reader *reader;
    const struct json_value *fields; /* NULL: no line of a journal; `problem` says why */
    int64_t number;
    nanos_t time;
    enum journal_kind kind;
    const char *previous; /* of the fields */
    char digest[DIGEST_SIZE];
    struct error problem;
    char text[LINES_LONGEST];
};

/*
 * Three lines tell which of two that disagree is the wrong one: the digest in a line vouches for
 * the line before.
 */
#define WINDOW 3

struct journal_reader {
    int fd;
    struct lines *lines;
    bool exhausted;
    size_t first, count; /* of the window, a ring */
    struct held window[WINDOW];
    bool handed_out; /* the first of the window is the caller's now */
    char previous[DIGEST_SIZE];
    struct judge judge;
    struct journal_ending ending;
};

static struct held *held_at(struct journal_reader *reader, size_t index)
{
    return index < reader->count ? &reader->window[(reader->first + index) % WINDOW] : NULL;
}

static bool is_digest(const char *text)
{
    return strspn(text, "0123456789abcdef") == DIGEST_DIGITS && !text[DIGEST_DIGITS];
}

static int find_kind(const struct json_value *value, enum journal_kind *kind, struct error *error)
{
    const char *name;
    int status = field_text(value, "kind", &name, error);

    if (status < 0)
        return status;
    for (unsigned i = 0; i < JOURNAL_KINDS; i++)
        if (!strcmp(name, journal_kind_name((enum journal_kind)i))) {
            *kind = (enum journal_kind)i;
            return 0;
        }
    *kind = JOURNAL_KINDS;
    return 0;
}

static int read_head(struct held *held, struct error *error)
{
    int status =
        field_number(json_member(held->fields, "n"), "n", 1, INT64_MAX, &held->number, error);

    if (!status)
        status = field_number(json_member(held->fields, "t"), "t", INT64_MIN, INT64_MAX,
                              &held->time, error);
    if (!status)
        status = field_text(json_member(held->fields, "prev"), "prev", &held->previous, error);
    if (!status && !is_digest(held->previous))
        status = error_set(error, ERROR_RULE, "prev is not 64 hexadecimal digits");
    return status ? status : find_kind(json_member(held->fields, "kind"), &held->kind, error);
}

/* The seal is the last field of an end line: the digest of what stands before it. */
static bool seal_holds(const struct held *held)
{
    static const char key[] = ",\"seal\":\"";
    const size_t tail = sizeof key - 1 + DIGEST_DIGITS + strlen("\"}");
    char digest[DIGEST_SIZE];
    const char *at;

    if (held->length < tail)
        return false;
    at = held->text + held->length - tail;
    digest_bytes(held->text, held->length - tail, digest);
    return !memcmp(at, key, sizeof key - 1) &&
           !memcmp(at + sizeof key - 1, digest, DIGEST_DIGITS) &&
           !memcmp(held->text + held->length - 2, "\"}", 2);
}

static void parse_held(struct held *held)
{
    digest_bytes(held->text, held->length, held->digest);
    held->fields = fields_parse(held->reader, held->text, held->length, &held->problem);
    if (held->fields && read_head(held, &held->problem))
        held->fields = NULL;
}

/* Fills the window as far as there are lines. */
static int look_ahead(struct journal_reader *reader, struct error *error)
{
    while (reader->count < WINDOW && !reader->exhausted) {
        struct held *held = &reader->window[(reader->first + reader->count) % WINDOW];
        struct text_line line;
        int status = lines_next(reader->lines, true, &line, error);

        if (status < 0)
            return status;
        if (status == LINES_END) {
            reader->exhausted = true;
            break;
        }
        held->position = line.number;
        held->complete = line.complete;
        held->length = line.length;
        memcpy(held->text, line.text, line.length);
        if (status == LINES_LINE) {
            parse_held(held);
        } else { /* no crash leaves so much of a line */
            held->complete = true;
            error_set(&held->problem, ERROR_RULE, "it is longer than %zu bytes", LINES_LONGEST);
        }
        reader->count++;
    }
    return 0;
}

static void drop_first(struct journal_reader *reader)
{
    struct held *held = &reader->window[reader->first];

    memcpy(reader->previous, held->digest, DIGEST_SIZE);
    held->fields = NULL;
    reader->first = (reader->first + 1) % WINDOW;
    reader->count--;
    reader->handed_out = false;
}

/* Its digest stands in the line after it, or it is sealed. */
static bool is_vouched_for(const struct held *held, const struct held *next)
{
    if (held->kind == JOURNAL_END)
        return seal_holds(held);
    return next && next->fields && !strcmp(next->previous, held->digest);
}

static bool is_last(const struct held *next)
{
    return !next || !next->complete;
}

static int altered(const struct held *held, const char *how, struct error *error)
{
    return error_set(error, ERROR_RULE, "line %ju was altered: %s", (uintmax_t)held->position, how);
}

static int inserted(const struct held *held, struct error *error)
{
    return error_set(error, ERROR_RULE, "line %ju was inserted: it is no part of the chain",
                     (uintmax_t)held->position);
}

/* The line after this one is what should stand here. */
static bool is_in_the_way(const struct journal_reader *reader, const struct held *held,
                          const struct held *next)
{
    return next && next->fields && next->number == (int64_t)held->position &&
           !strcmp(next->previous, reader->previous);
}

/* It is a line of a journal, but its number is not the one of its place. */
static int judge_number(const struct journal_reader *reader, const struct held *held,
                        const struct held *next, struct error *error)
{
    int64_t place = (int64_t)held->position;

    if (!strcmp(held->previous, reader->previous))
        return error_set(error, ERROR_RULE, "line %jd was altered: it says that it is line %jd",
                         (intmax_t)place, (intmax_t)held->number);
    if (held->number < place)
        return error_set(error, ERROR_RULE,
                         "line %jd was inserted: it says that it is line %jd, which came before",
                         (intmax_t)place, (intmax_t)held->number);
    if (is_in_the_way(reader, held, next))
        return error_set(error, ERROR_RULE,
                         "line %jd is not in its place: line %jd was put before it",
                         (intmax_t)place, (intmax_t)held->number);
    if (held->number == place + 1)
        return error_set(error, ERROR_RULE, "line %jd is missing", (intmax_t)place);
    return error_set(error, ERROR_RULE, "line %jd is missing, and all up to line %jd",
                     (intmax_t)place, (intmax_t)held->number - 1);
}

/* A kind that a later version has: the chain says that it was written so. */
static int judge_unknown(const struct held *held, const struct held *next, struct error *error)
{
    char kind[32];

    if (is_last(next) ? json_member(held->fields, "seal") != NULL : !is_vouched_for(held, next))
        return altered(held, "its kind is unknown", error);
    printable_copy(kind, sizeof kind, json_chars(json_member(held->fields, "kind")));
    return error_set(error, ERROR_RIG,
                     "line %ju is of a kind that is not known here, '%s'; use the version of "
                     "dealproof that wrote it, or a later one",
                     (uintmax_t)held->position, kind);
}

/* What the line says of itself and of the line before it. */
static int judge_alone(const struct journal_reader *reader, const struct held *held,
                       const struct held *next, struct error *error)
{
    if (!held->fields)
        return is_in_the_way(reader, held, next) ? inserted(held, error)
                                                 : altered(held, held->problem.text, error);
    if (held->number != (int64_t)held->position)
        return judge_number(reader, held, next, error);
    if (strcmp(held->previous, reader->previous))
        return altered(held, "the digest that it carries is not that of the line before it", error);
    if (reader->ending.ended)
        return error_set(error, ERROR_RULE, "line %ju was inserted: it stands after the end line",
                         (uintmax_t)held->position);
    if (held->kind == JOURNAL_END && !seal_holds(held))
        return altered(held, "its seal is not the digest of its text", error);
    if (held->kind == JOURNAL_KINDS)
        return judge_unknown(held, next, error);
    if ((held->kind == JOURNAL_START) != (held->position == 1))
        return altered(held, "the first line, and only the first, is a start line", error);
    return 0;
}

/* What the line after it says. Where the two disagree, the third tells which of them is wrong. */
static int judge_by_next(const struct journal_reader *reader, const struct held *held,
                         const struct held *next, const struct held *third, struct error *error)
{
    if (is_last(next) || !next->fields || !strcmp(next->previous, held->digest))
        return 0;
    if (is_in_the_way(reader, held, next))
        return inserted(held, error);
    if (next->number != (int64_t)next->position)
        return 0; /* it will be judged by its number */
    if (is_vouched_for(next, third))
        return altered(held, "the line after it carries another digest", error);
    if (is_last(third) && next->kind != JOURNAL_END)
        return error_set(error, ERROR_RULE,
                         "line %ju was altered, or the digest of it in line %ju, the last one",
                         (uintmax_t)held->position, (uintmax_t)next->position);
    return 0; /* nothing vouches for the next line: it is the wrong one */
}

/* The first line decides whether this is a journal at all, unless those after it prove that. */
static int judge_beginning(struct journal_reader *reader, const struct held *held,
                           struct error *error)
{
    const struct json_value *version = held->fields ? json_member(held->fields, "journal") : NULL;
    bool proven = false;

    if (!held->complete)
        return error_set(error, ERROR_CONFIG, "not a journal: its first line is not complete");
    for (size_t i = 0; i < reader->count; i++)
        proven |= held_at(reader, i)->fields != NULL;
    if (!proven)
        return error_set(error, ERROR_CONFIG, "not a journal: line 1: %s", held->problem.text);
    if (held->fields && held->kind == JOURNAL_START && json_is(version, JSON_KIND_INTEGER) &&
        json_int(version) > JOURNAL_VERSION && is_vouched_for(held, held_at(reader, 1)))
        return error_set(error, ERROR_CONFIG,
                         "a journal of version %jd; this program reads version %d",
                         (intmax_t)json_int(version), JOURNAL_VERSION);
    return 0;
}

/*
 * A last line without a newline is what a crash leaves of a line that was being written; one that
 * is complete but for its last byte is not.
 */
static int judge_tail(struct journal_reader *reader, const struct held *held, struct error *error)
{
    if (reader->ending.ended)
        return error_set(error, ERROR_RULE,
                         "line %ju was inserted: it stands after the end line, and is not whole",
                         (uintmax_t)held->position);
    if (held->length && fields_parse(held->reader, held->text, held->length - 1, NULL))
        return altered(held, "something else stands where its newline was", error);
    reader->ending.torn = held->length;
    return 0;
}

/* The caller has the line until it asks for the next one. */
static int hand_out(struct journal_reader *reader, const struct held *held,
                    struct journal_line *line, struct error *error)
{
    int status;

    *line = (struct journal_line){.number = held->position,
                                  .kind = held->kind,
                                  .time = held->time,
                                  .fields = held->fields,
                                  .text = held->text,
                                  .length = held->length};
    status = judge_line(&reader->judge, line, error);
    if (status < 0)
        return status;
    reader->handed_out = true;
    reader->ending.lines = held->position;
    reader->ending.ended = held->kind == JOURNAL_END;
    memcpy(reader->ending.digest, held->digest, DIGEST_SIZE);
    return 1;
}

int journal_reader_next(struct journal_reader *reader, struct journal_line *line,
                        struct error *error)
{
    const struct held *held, *next;
    int status;

    if (reader->handed_out)
        drop_first(reader);
    status = look_ahead(reader, error);
    if (status < 0)
        return status;
    held = held_at(reader, 0);
    next = held_at(reader, 1);
    if (!held)
        return reader->ending.lines
                   ? 0
                   : error_set(error, ERROR_CONFIG, "not a journal: the file is empty");
    if (held->position == 1)
        status = judge_beginning(reader, held, error);
    if (!status && !held->complete)
        return judge_tail(reader, held, error);
    if (!status)
        status = judge_alone(reader, held, next, error);
    if (!status)
        status = judge_by_next(reader, held, next, held_at(reader, 2), error);
    return status < 0 ? status : hand_out(reader, held, line, error);
}

static bool has_memory(const struct journal_reader *reader)
{
    bool has_readers = true;

    for (size_t i = 0; i < WINDOW; i++)
        has_readers &= reader->window[i].reader != NULL;
    return has_readers && reader->lines;
}

int journal_reader_new(int fd, struct journal_reader **made, struct error *error)
{
    struct journal_reader *reader = calloc(1, sizeof *reader);

    if (!reader) {
        close(fd);
        return error_set(error, ERROR_RIG, "no memory to read a journal");
    }
    memset(reader->previous, '0', DIGEST_DIGITS);
    judge_begin(&reader->judge);
    reader->fd = fd;
    reader->lines = lines_new(reader->fd, -1);
    if (reader->lines)
        lines_end_at_long(reader->lines);
    for (size_t i = 0; i < WINDOW; i++)
        reader->window[i].reader = json_reader_new(JSON_LONGEST);
    if (!has_memory(reader)) {
        journal_reader_close(reader);
        return error_set(error, ERROR_RIG, "no memory to read a journal");
    }
    *made = reader;
    return 0;
}

int journal_reader_open(const char *path, struct journal_reader **reader, struct error *error)
{
    int fd = lines_open(path, error);

    return fd < 0 ? fd : journal_reader_new(fd, reader, error);
}

void journal_reader_close(struct journal_reader *reader)
{
    if (!reader)
        return;
    for (size_t i = 0; i < WINDOW; i++)
        json_reader_free(reader->window[i].reader);
    judge_end(&reader->judge);
    lines_free(reader->lines);
    close(reader->fd);
    free(reader);
}

void journal_reader_limit(struct journal_reader *reader, uint64_t bytes)
{
    lines_limit(reader->lines, bytes);
}

void journal_reader_ending(const struct journal_reader *reader, struct journal_ending *ending)
{
    *ending = reader->ending;
}

const struct judge *journal_reader_judge(const struct journal_reader *reader)
{
    return &reader->judge;
}
