/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/diff/diff.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "rigs/page/markup.h"
#include "rigs/recording/differences.h"
#include "tools/json_print.h"
#include "tools/options.h"

struct options {
    const char *paytables_path;
    bool json;
};

static const char *const kind_names[KIND_COUNT] = {"a recording", "an expectation", "a journal"};

static int bad_line(struct comparison *comparison, const struct side *side, uint64_t line)
{
    error_prefix(&comparison->error, "%s:%" PRIu64, side->path, line);
    return comparison->error.code = ERROR_CONFIG;
}

void diff_tell_json(const struct comparison *comparison, const char *place,
                    const struct json_value *const values[2])
{
    static const char *const keys[2] = {"first", "second"};
    struct json_print print = {.out = stdout};
    char where[sizeof comparison->place + DIFFERENCE_PLACE_SIZE + 2];

    snprintf(where, sizeof where, "%s%s%s", comparison->place,
             *comparison->place && *place ? ", " : "", place);
    json_print_open(&print, NULL, "{}");
    json_print_text(&print, "where", where);
    for (unsigned i = 0; i < 2; i++)
        if (values[i])
            json_print_value(&print, keys[i], values[i]);
    json_print_close(&print, "{}");
    json_print_end(&print);
}

void diff_tell(void *context, const char *place, const struct json_value *first,
               const struct json_value *second)
{
    const struct comparison *comparison = context;
    const struct json_value *values[2] = {first, second};

    if (comparison->json) {
        diff_tell_json(comparison, place, values);
        return;
    }
    fputs(comparison->place, stdout);
    fputs(*comparison->place && *place ? ", " : "", stdout);
    plain_text(stdout, place);
    for (unsigned i = 0; i < 2; i++) {
        fputs(i ? ", " : ": ", stdout);
        plain_text(stdout, comparison->side[i].path);
        fputs(values[i] ? " has " : " has nothing", stdout);
        if (values[i])
            plain_json(stdout, values[i]);
        if (json_is(values[i], JSON_KIND_INTEGER) && difference_is_money(place))
            printf(" cent%s", json_int(values[i]) == 1 ? "" : "s");
    }
    putchar('\n');
}

/* What neither of them has is the same. */
void diff_compare(struct comparison *comparison, const struct json_value *first,
                  const struct json_value *second, const char *const *ignored)
{
    if (first || second)
        comparison->differences += differences_tell(first, second, ignored, diff_tell, comparison);
}

static int take_line(struct comparison *comparison, struct side *side, struct text_line *line)
{
    if (!side->has_first)
        return recording_file_next(&side->file, line, &comparison->error);
    *line = side->first;
    side->has_first = false;
    return 1;
}

/* What a round of a recording means; NULL of a line that is none. */
static const struct json_value *mean_round(struct side *side, const struct text_line *line)
{
    struct recording_round round;
    size_t length;

    if (recording_read_round(side->json, line->text, line->length, &side->header, &round, NULL))
        return NULL;
    length = recording_mean_round(side->text, &side->header, &round, &side->deck);
    return length ? json_read(side->made, side->text, length, NULL) : NULL;
}

/* An expectation has null for a number that could not be read: such a line goes by its place. */
static bool take_number(struct side *side, const struct json_value *number)
{
    if (side->kind == KIND_EXPECTATION && json_is(number, JSON_KIND_NULL)) {
        side->unnumbered++;
        return true;
    }
    if (!json_is(number, JSON_KIND_INTEGER))
        return false;
    side->begun += json_int(number) <= side->round;
    side->round = json_int(number);
    side->unnumbered = 0;
    return true;
}

static const struct json_value *read_line(struct comparison *comparison, const struct side *side,
                                          const struct text_line *line)
{
    if (!recording_is_empty(line->text, line->length))
        return json_read(side->json, line->text, line->length, &comparison->error);
    error_set(&comparison->error, ERROR_CONFIG, RECORDING_EMPTY_LINE);
    return NULL;
}

/* The next line: 1, 0 at the end, or an error. */
static int next_line(struct comparison *comparison, struct side *side)
{
    struct text_line line;
    int status = take_line(comparison, side, &line);

    side->has_line = status > 0;
    if (status <= 0)
        return status;
    side->line = line.number;
    side->value = side->kind == KIND_RECORDING ? mean_round(side, &line) : NULL;
    side->raw = read_line(comparison, side, &line);
    if (!side->raw || !json_is(side->raw, JSON_KIND_OBJECT))
        return bad_line(comparison, side, line.number);
    if (!take_number(side, json_member(side->raw, "round"))) {
        error_set(&comparison->error, ERROR_CONFIG, "the line has no number of a round");
        return bad_line(comparison, side, line.number);
    }
    return 1;
}

/* "round 3"; or "line 4", and "line 4 and 5" where it is another one in the second file. */
static void place_line(struct comparison *comparison, const struct side *side,
                       const struct side *other)
{
    char second[32] = "";

    if (!side->unnumbered) {
        snprintf(comparison->place, sizeof comparison->place, "round %" PRId64, side->round);
        return;
    }
    if (side->line != other->line)
        snprintf(second, sizeof second, " and %" PRIu64, other->line);
    snprintf(comparison->place, sizeof comparison->place, "line %" PRIu64 "%s", side->line, second);
}

static void compare_rounds(struct comparison *comparison)
{
    const struct side *first = &comparison->side[0], *second = &comparison->side[1];
    bool is_meant = first->value && second->value;

    comparison->rounds++;
    place_line(comparison, first, second);
    diff_compare(comparison, is_meant ? first->value : first->raw,
                 is_meant ? second->value : second->raw, NULL);
}

static void tell_alone(struct comparison *comparison, const struct side *side)
{
    comparison->differences++;
    if (comparison->json) {
        bool is_second = side == &comparison->side[1];
        const struct json_value *values[2] = {is_second ? NULL : side->raw,
                                              is_second ? side->raw : NULL};

        place_line(comparison, side, side);
        diff_tell_json(comparison, "", values);
        return;
    }
    if (side->unnumbered)
        fputs("a line without a number: only ", stdout);
    else
        printf("round %" PRId64 ": only ", side->round);
    plain_text(stdout, side->path);
    printf(" has it, in line %" PRIu64 "\n", side->line);
}

/* Below 0 when the first one's round comes before the second one's, which may have ended. */
static int by_number(const struct side *first, const struct side *second)
{
    if (!first->has_line || !second->has_line)
        return second->has_line - first->has_line;
    if (first->begun != second->begun)
        return first->begun < second->begun ? -1 : 1;
    if (first->round != second->round)
        return first->round < second->round ? -1 : 1;
    return (first->unnumbered > second->unnumbered) - (first->unnumbered < second->unnumbered);
}

/* Rounds go together by their numbers, and anew where these begin again. */
static int compare_lines(struct comparison *comparison)
{
    struct side *first = &comparison->side[0], *second = &comparison->side[1];
    int status = next_line(comparison, first);

    if (status >= 0)
        status = next_line(comparison, second);
    while (status >= 0 && (first->has_line || second->has_line)) {
        int order = by_number(first, second);
        bool is_first = order <= 0, is_second = order >= 0;

        if (is_first && is_second)
            compare_rounds(comparison);
        else
            tell_alone(comparison, is_first ? first : second);
        if (is_first)
            status = next_line(comparison, first);
        if (is_second && status >= 0)
            status = next_line(comparison, second);
    }
    return status < 0 ? status : 0;
}

/* The header as it means, and where it comes from as it is written. */
static int read_header(struct comparison *comparison, struct side *side)
{
    static const struct recording_source nowhere = {.note = NULL};
    struct recording_header meant;
    struct text_line line;
    size_t length;
    int status = take_line(comparison, side, &line);

    if (status <= 0)
        return status;
    status = recording_read_header(line.text, line.length, comparison->paytables, &side->header,
                                   &comparison->error);
    if (status)
        return bad_line(comparison, side, line.number);
    side->raw = json_read(side->json, line.text, line.length, &comparison->error);
    meant = side->header;
    if (!meant.has_meters)
        meant.meters.count = 0; /* they are those of the rig */
    length = recording_write_header(side->text, &meant, &nowhere);
    side->value = json_read(side->made, side->text, length - 1, &comparison->error);
    return 0;
}

/* One that says nothing is none. */
static const struct json_value *find_source(const struct side *side)
{
    const struct json_value *source = json_member(side->raw, "source");

    return json_count(source) ? source : NULL;
}

static int compare_headers(struct comparison *comparison)
{
    struct side *first = &comparison->side[0], *second = &comparison->side[1];
    const struct json_value *first_source, *second_source;
    int status = read_header(comparison, first);

    if (!status)
        status = read_header(comparison, second);
    if (status)
        return status;
    first_source = find_source(first);
    second_source = find_source(second);
    snprintf(comparison->place, sizeof comparison->place, "header");
    diff_compare(comparison, first->value, second->value, NULL);
    snprintf(comparison->place, sizeof comparison->place, "header, source");
    diff_compare(comparison, first_source, second_source, NULL);
    return 0;
}

/* What a file is, by its first line. */
static int find_kind(struct comparison *comparison, struct side *side)
{
    const struct json_value *first;
    int status = recording_file_next(&side->file, &side->first, &comparison->error);

    if (status < 0)
        return status;
    side->has_first = status;
    first = status ? read_line(comparison, side, &side->first) : NULL;
    if (!status)
        return error_set(&comparison->error, ERROR_CONFIG, "%s: is empty", side->path);
    if (!first)
        return bad_line(comparison, side, 1);
    if (json_member(first, "shoe"))
        side->kind = KIND_RECORDING;
    else if (json_member(first, "journal"))
        side->kind = KIND_JOURNAL;
    else if (json_member(first, "round"))
        side->kind = KIND_EXPECTATION;
    else
        return error_set(&comparison->error, ERROR_CONFIG,
                         "%s: is no recording, expectation or journal by its first line",
                         side->path);
    return 0;
}

/* A journal is read by its own reader, from the beginning again. */
static int open_journal(struct comparison *comparison, struct side *side)
{
    struct stat status;

    if (!strcmp(side->path, "-"))
        return error_set(&comparison->error, ERROR_CONFIG,
                         "%s: is a journal, which is looked into twice; name its file",
                         side->file.name);
    if (fstat(side->file.fd, &status) || !S_ISREG(status.st_mode))
        return error_set(&comparison->error, ERROR_CONFIG,
                         "%s: a journal is looked into twice and must be a file", side->path);
    return journal_reader_open(side->path, &side->journal, &comparison->error);
}

static int open_side(struct comparison *comparison, struct side *side)
{
    int status;

    side->json = json_reader_new(JSON_LONGEST);
    side->made = json_reader_new(MEANING_SIZE);
    if (!side->json || !side->made)
        return error_set(&comparison->error, ERROR_RIG, "out of memory");
    status = recording_file_open(&side->file, side->path, -1, &comparison->error);
    if (status) {
        side->file.lines = NULL;
        return status;
    }
    status = find_kind(comparison, side);
    return status || side->kind != KIND_JOURNAL ? status : open_journal(comparison, side);
}

static void close_side(struct side *side)
{
    if (side->file.lines)
        recording_file_close(&side->file);
    if (side->journal)
        journal_reader_close(side->journal);
    json_reader_free(side->json);
    json_reader_free(side->made);
}

static int compare_files(struct comparison *comparison)
{
    struct side *first = &comparison->side[0], *second = &comparison->side[1];
    int status = open_side(comparison, first);

    if (!status)
        status = open_side(comparison, second);
    if (status)
        return status;
    if (first->kind != second->kind)
        return error_set(&comparison->error, ERROR_CONFIG,
                         "%s is %s and %s is %s; compare two of a kind", first->path,
                         kind_names[first->kind], second->path, kind_names[second->kind]);
    if (first->kind == KIND_JOURNAL)
        return diff_journals(comparison);
    if (first->kind == KIND_RECORDING)
        status = compare_headers(comparison);
    return status ? status : compare_lines(comparison);
}

static void conclude_json(const struct comparison *comparison)
{
    struct json_print print = {.out = stdout};

    json_print_open(&print, NULL, "{}");
    json_print_bool(&print, "same", !comparison->differences);
    json_print_integer(&print, "differences", (int64_t)comparison->differences);
    json_print_integer(&print, "rounds", (int64_t)comparison->rounds);
    json_print_close(&print, "{}");
    json_print_end(&print);
}

static int run_diff(const struct command *command, int argc, char **argv)
{
    struct options options = {.paytables_path = NULL};
    static struct comparison comparison; /* too large for a stack */
    int status;
    char **names = options_read(command, argc, argv, &options, &status);

    if (!names)
        return status;
    if (!names[0] || !names[1] || names[2])
        return command_usage_error(command, "two files are compared");
    if (!strcmp(names[0], "-") && !strcmp(names[1], "-"))
        return command_usage_error(command, "standard input is one of the two at most");
    for (unsigned i = 0; i < 2; i++) {
        comparison.side[i].path = names[i];
        comparison.side[i].round = INT64_MIN;
    }
    if (options.paytables_path &&
        paytables_load(options.paytables_path, &comparison.paytables, &comparison.error))
        return command_error(command, &comparison.error);
    comparison.json = options.json;
    status = compare_files(&comparison);
    if (!status && options.json)
        conclude_json(&comparison);
    if (!status)
        status = command_finish(command, comparison.differences ? EXIT_FAIL : EXIT_PASS);
    else
        status = command_error(command, &comparison.error);
    for (unsigned i = 0; i < 2; i++)
        close_side(&comparison.side[i]);
    paytables_free(comparison.paytables);
    return status;
}

static const struct option_row rows[] = {
    {"paytables", 0, "FILE", "paytables beyond those of the sheets, for recordings that name them",
     OPTION_INTO(struct options, paytables_path)},
    {"json", 0, NULL, "a line of JSON for each difference, and one with the totals",
     OPTION_INTO(struct options, json)},
    OPTIONS_END};

static const struct command diff = {
    .name = "diff",
    .synopsis = "[--paytables FILE] [--json] A B",
    .summary = "Compare two recordings, expectations or journals by what they mean",
    .about =
        "Prints a line for each difference: round, seat, field and both values. The order of\n"
        "fields, blanks and other words for the same (a default that is written out, also the\n"
        "deck whose turn it is; 'all-in' for the 'bet' that makes it; more decimals of a meter,\n"
        "another order of the seats in 'wagers:4,1') do not matter; keys that are written out\n"
        "differ from none, which stand for the regular ones, and meters from none, which stand\n"
        "for those of the rig. Rounds go together by their numbers, and anew where these begin\n"
        "again; lines of expectations without a number (null) by their place after the same\n"
        "round. '-' is standard input, for all but journals, which are looked into twice.\n\n"
        "Of journals another rig, file that it names, device, limit of time, seed or recording\n"
        "is told. Files are the same where their digests are, wherever they lie; the rig that is\n"
        "built in is rigs/emulated.yaml. Passed over are the numbers, digests and times of lines\n"
        "(also how long people, rounds and lost devices took, and how often one was tried) and\n"
        "waits; of a run and of one that was resumed version, date and command line; and of a\n"
        "run build, commit, libraries, host, id, job and attempt.\n",
    .options = rows,
    .help = "Examples:\n"
            "  dealproof diff friday.shoe saturday.shoe\n"
            "  dealproof settle evening.shoe | dealproof diff evening.expect -\n"
            "  dealproof diff monday/run.journal tuesday/run.journal\n\n"
            "Exit status: 0 they mean the same, 1 they differ, 2 usage, or a file that cannot be\n"
            "read as one of these, 4 reading or writing failed.\n",
    .run = run_diff,
};
REGISTER(commands, diff);
