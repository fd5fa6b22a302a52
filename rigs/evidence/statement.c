/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/evidence/statement.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rigs/rig/rig.h"

/* So many times that a run went on are told one by one. */
#define RESUMED_TOLD 32

/* What is kept of the lines until the journal's end, where the verdict stands. */
struct statement_facts {
    struct statement *statement;
    struct json_text devices, operators, resumed; /* elements of arrays */
    char device_text[STATEMENT_SIZE / 2], operator_text[STATEMENT_SIZE / 8];
    char resumed_text[STATEMENT_SIZE / 8];
    char start_text[STATEMENT_SIZE / 8], end_text[STATEMENT_SIZE / 8];
    struct json_text start, end; /* members of the object */
};

static void copy(char *to, size_t size, const struct json_value *from)
{
    snprintf(to, size, "%s", json_chars(from) ? json_chars(from) : "");
}

static void put_member(struct json_text *out, const struct json_value *object, const char *key)
{
    const struct json_value *value = json_member(object, key);

    JSON_TEXT_PUT(out, ",");
    json_text_string(out, key);
    JSON_TEXT_PUT(out, ":");
    if (value)
        json_text_value(out, value);
    else
        JSON_TEXT_PUT(out, "null");
}

static int take_start(struct statement_facts *facts, const struct json_value *fields,
                      struct error *error)
{
    static const char *const keys[] = {"version", "libraries", "rig", "seed", "clock", "date"};
    const struct json_value *libraries = json_member(fields, "libraries");

    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        put_member(&facts->start, fields, keys[i]);
    copy(facts->statement->version, sizeof facts->statement->version,
         json_member(fields, "version"));
    copy(facts->statement->build, sizeof facts->statement->build, json_member(fields, "build"));
    copy(facts->statement->date, sizeof facts->statement->date, json_member(fields, "date"));
    copy(facts->statement->shard, sizeof facts->statement->shard, json_member(fields, "shard"));
    if (!libraries)
        return 0;
    facts->statement->libraries = json_keep(libraries);
    return facts->statement->libraries
               ? 0
               : error_set(error, ERROR_RIG, "no memory for what the journal says of libraries");
}

/* An element of an array: the line without what every line has. */
static void put_element(struct json_text *out, const struct json_value *fields)
{
    bool is_first = true;

    JSON_TEXT_PUT(out, "{");
    JSON_EACH (value, fields) {
        if (!strcmp(value->key, "n") || !strcmp(value->key, "prev") || !strcmp(value->key, "t") ||
            !strcmp(value->key, "kind"))
            continue;
        if (!is_first)
            JSON_TEXT_PUT(out, ",");
        json_text_string(out, value->key);
        JSON_TEXT_PUT(out, ":");
        json_text_value(out, value);
        is_first = false;
    }
    JSON_TEXT_PUT(out, "}");
}

static void add_element(struct json_text *list, const struct json_value *fields)
{
    if (list->at > list->start)
        JSON_TEXT_PUT(list, ",");
    put_element(list, fields);
}

static void take_resumed(struct statement_facts *facts, const struct json_value *fields)
{
    struct statement *statement = facts->statement;
    struct json_text *out = &facts->resumed;

    if (statement->resumed++ < RESUMED_TOLD) {
        if (out->at > out->start)
            JSON_TEXT_PUT(out, ",");
        JSON_TEXT_PUT(out, "{\"line\":");
        json_text_value(out, json_member(fields, "n"));
        put_member(out, fields, "date");
        put_member(out, fields, "by");
        put_member(out, fields, "version");
        JSON_TEXT_PUT(out, "}");
    }
    copy(statement->resumed_by, sizeof statement->resumed_by, json_member(fields, "by"));
    copy(statement->resumed_date, sizeof statement->resumed_date, json_member(fields, "date"));
}

static void take_end(struct statement_facts *facts, const struct json_value *fields)
{
    static const char *const keys[] = {"verdict", "why",     "recordings", "rounds",
                                       "checks",  "retries", "reconnects"};

    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        put_member(&facts->end, fields, keys[i]);
    copy(facts->statement->verdict, sizeof facts->statement->verdict,
         json_member(fields, "verdict"));
    facts->statement->is_ended = true;
}

static void count_device(struct statement *statement, const char *address)
{
    statement->devices++;
    statement->emulated += address && rig_is_emulated(address);
}

static int take_line(struct statement_facts *facts, const struct journal_line *line,
                     struct error *error)
{
    switch (line->kind) {
    case JOURNAL_START:
        return take_start(facts, line->fields, error);
    case JOURNAL_DEVICE:
        add_element(&facts->devices, line->fields);
        count_device(facts->statement, json_chars(json_member(line->fields, "address")));
        return 0;
    case JOURNAL_OPERATOR:
        add_element(&facts->operators, line->fields);
        copy(facts->statement->by, sizeof facts->statement->by, json_member(line->fields, "name"));
        return 0;
    case JOURNAL_RESUMED:
        take_resumed(facts, line->fields);
        return 0;
    case JOURNAL_END:
        take_end(facts, line->fields);
        return 0;
    default:
        return 0;
    }
}

static void put_text(struct json_text *out, const struct json_text *piece)
{
    json_text_raw(out, piece->start, (size_t)(piece->at - piece->start));
    out->full |= piece->full;
}

static void put_resumed(struct json_text *out, const struct statement_facts *facts)
{
    JSON_TEXT_PUT(out, ",\"resumed\":{\"times\":");
    json_text_unsigned(out, facts->statement->resumed);
    JSON_TEXT_PUT(out, ",\"first\":[");
    put_text(out, &facts->resumed);
    JSON_TEXT_PUT(out, "]}");
}

static int put_together(struct statement_facts *facts, const struct journal_ending *ending,
                        const struct statement_head *head, struct error *error)
{
    struct statement *statement = facts->statement;
    struct json_text out;

    json_text_begin(&out, statement->text, sizeof statement->text - 1);
    JSON_TEXT_PUT(&out, "{\"statement\":");
    json_text_unsigned(&out, (uint64_t)head->format);
    JSON_TEXT_PUT(&out, ",\"bundler\":");
    json_text_string(&out, head->bundler);
    JSON_TEXT_PUT(&out, ",\"journal\":\"run.journal\",\"lines\":");
    json_text_unsigned(&out, ending->lines);
    JSON_TEXT_PUT(&out, ",\"last\":");
    json_text_string(&out, ending->digest);
    JSON_TEXT_PUT(&out, ",\"amends\":");
    json_text_string(&out, *head->amends ? head->amends : NULL);
    if (statement->is_ended)
        put_text(&out, &facts->end);
    else
        JSON_TEXT_PUT(&out, ",\"verdict\":null");
    JSON_TEXT_PUT(&out, ",\"performed\":[");
    put_text(&out, &facts->operators);
    JSON_TEXT_PUT(&out, "]");
    if (head->format > 1)
        put_resumed(&out, facts);
    put_text(&out, &facts->start);
    if (head->format > 2) {
        JSON_TEXT_PUT(&out, ",\"shard\":");
        json_text_string(&out, *statement->shard ? statement->shard : NULL);
    }
    JSON_TEXT_PUT(&out, ",\"devices\":[");
    put_text(&out, &facts->devices);
    JSON_TEXT_PUT(&out, "]}\n");
    if (out.full)
        return error_set(error, ERROR_CONFIG,
                         "a statement of this journal has more than %d bytes: it names too many "
                         "devices or people",
                         STATEMENT_SIZE);
    statement->length = (size_t)(out.at - out.start);
    *out.at = '\0';
    return 0;
}

struct statement_facts *statement_begin(struct statement *statement)
{
    struct statement_facts *facts = calloc(1, sizeof *facts);

    memset(statement, 0, sizeof *statement);
    if (!facts)
        return NULL;
    facts->statement = statement;
    json_text_begin(&facts->devices, facts->device_text, sizeof facts->device_text);
    json_text_begin(&facts->operators, facts->operator_text, sizeof facts->operator_text);
    json_text_begin(&facts->resumed, facts->resumed_text, sizeof facts->resumed_text);
    json_text_begin(&facts->start, facts->start_text, sizeof facts->start_text);
    json_text_begin(&facts->end, facts->end_text, sizeof facts->end_text);
    return facts;
}

int statement_see(void *facts, const struct journal_line *line, struct error *error)
{
    struct statement_facts *kept = facts;
    int status = take_line(kept, line, error);

    return status ? status : copies_see(&kept->statement->copies, line, error);
}

int statement_end(struct statement_facts *facts, const struct journal_ending *ending,
                  const struct statement_head *head, struct error *error)
{
    struct statement *statement = facts->statement;
    int status = 0;

    memcpy(statement->amends, head->amends, sizeof statement->amends);
    if (ending)
        status = put_together(facts, ending, head, error);
    if (!ending || status)
        statement_free(statement);
    free(facts);
    return status;
}

static int read_lines(struct statement_facts *facts, struct journal_reader *reader,
                      struct error *error)
{
    struct journal_line line;
    int status;

    while ((status = journal_reader_next(reader, &line, error)) > 0) {
        status = statement_see(facts, &line, error);
        if (status)
            return status;
    }
    return status;
}

int statement_make(struct statement *statement, int journal, uint64_t bytes,
                   const struct statement_head *head, struct error *error)
{
    struct statement_facts *facts = statement_begin(statement);
    struct journal_reader *reader;
    struct journal_ending ending;
    int status, made;

    if (!facts) {
        close(journal);
        return error_set(error, ERROR_RIG, "no memory for a statement");
    }
    status = journal_reader_new(journal, &reader, error);
    if (!status) {
        journal_reader_limit(reader, bytes);
        status = read_lines(facts, reader, error);
        journal_reader_ending(reader, &ending);
        journal_reader_close(reader);
    }
    made = statement_end(facts, status ? NULL : &ending, head, error);
    return status ? status : made;
}

void statement_free(struct statement *statement)
{
    copies_free(&statement->copies);
    free(statement->libraries);
    statement->libraries = NULL;
}

static bool read_head(const struct json_value *value, struct statement_head *head)
{
    const struct json_value *amends = json_member(value, "amends");

    head->format = (int)json_int(json_member(value, "statement"));
    copy(head->bundler, sizeof head->bundler, json_member(value, "bundler"));
    copy(head->amends, sizeof head->amends, amends);
    return json_chars(json_member(value, "bundler")) && amends &&
           (amends->kind == JSON_KIND_NULL || json_chars(amends));
}

static bool is_digest(const struct json_value *value)
{
    const char *text = json_chars(value);

    return !text || (strspn(text, "0123456789abcdef") == DIGEST_DIGITS && !text[DIGEST_DIGITS]);
}

int statement_read(const char *text, size_t length, struct statement_head *head,
                   struct error *error)
{
    struct json_reader *reader = json_reader_new(JSON_LONGEST);
    const struct json_value *value = NULL;
    size_t line = strcspn(text, "\n");
    int status = 0;

    *head = (struct statement_head){.format = 0};
    if (!reader)
        return error_set(error, ERROR_RIG, "no memory to read a statement");
    if (line + 1 != length)
        status = error_set(error, ERROR_RULE,
                           "statement.json was altered: it is not one line and nothing else");
    else if (!read_head(value = json_read(reader, text, line, NULL), head))
        status = error_set(error, ERROR_RULE, "statement.json is no statement");
    else if (!is_digest(json_member(value, "amends")))
        status = error_set(error, ERROR_RULE, "statement.json was altered: 'amends' is no digest");
    if (head->format < 1 || head->format > STATEMENT_FORMAT)
        head->format = STATEMENT_FORMAT;
    json_reader_free(reader);
    return status;
}

static int compare(const struct json_value *theirs, const struct json_value *ours,
                   struct error *error)
{
    const char *bundler = json_chars(json_member(theirs, "bundler"));
    bool is_other = !bundler || strcmp(bundler, DEALPROOF_VERSION) != 0;

    JSON_EACH (value, ours) {
        const struct json_value *said = json_member(theirs, value->key);

        /* A later version may have a later format. */
        if (json_same(said, value) || (is_other && !strcmp(value->key, "statement")))
            continue;
        return is_other && !said
                   ? 1
                   : error_set(error, ERROR_RULE,
                               "statement.json does not say what the journal does of '%s'",
                               value->key);
    }
    if (is_other)
        return json_count(theirs) != json_count(ours) ||
               !json_same(json_member(theirs, "statement"), json_member(ours, "statement"));
    return error_set(error, ERROR_RULE,
                     json_count(theirs) == json_count(ours)
                         ? "statement.json is not written as this program writes it, which is said "
                           "to have made it"
                         : "statement.json says more than the journal");
}

int statement_compare(const char *text, const struct statement *ours, struct error *error)
{
    struct json_reader *readers[2] = {json_reader_new(JSON_LONGEST), json_reader_new(JSON_LONGEST)};
    const struct json_value *theirs = NULL, *own = NULL;
    int status;

    if (readers[0] && readers[1]) {
        theirs = json_read(readers[0], text, strcspn(text, "\n"), error);
        own = json_read(readers[1], ours->text, ours->length - 1, error);
    }
    if (!readers[0] || !readers[1])
        status = error_set(error, ERROR_RIG, "no memory to read a statement");
    else if (!theirs || !own)
        status = error_set(error, ERROR_RULE, "statement.json is no statement");
    else
        status = strcmp(text, ours->text) ? compare(theirs, own, error) : 0;
    json_reader_free(readers[0]);
    json_reader_free(readers[1]);
    return status;
}
