/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "rigs/page/markup.h"
#include "rigs/report/junit/junit.h"

void junit_attribute(FILE *out, const char *name, const char *value)
{
    fprintf(out, " %s=\"", name);
    markup_text(out, value);
    putc('"', out);
}

void junit_seconds(FILE *out, nanos_t duration)
{
    nanos_t millis = duration > 0 ? duration / NANOS_PER_MILLI : 0;

    fprintf(out, " time=\"%jd.%03jd\"", (intmax_t)(millis / 1000), (intmax_t)(millis % 1000));
}

size_t junit_strip(const struct report *report)
{
    const char *common = NULL;
    size_t length = 0;

    for (size_t i = 0; i < report->files.count; i++) {
        const char *path = report_text(report->files.list[i].fields, "path");
        const char *name = strrchr(path, '/');
        size_t folder = name ? (size_t)(name + 1 - path) : 0, same = 0;

        if (*path != '/')
            continue;
        for (size_t at = 0; common && at < length && at < folder && path[at] == common[at]; at++)
            if (path[at] == '/')
                same = at + 1;
        length = common ? same : folder;
        common = path;
    }
    while (length > 1 && common[length - 1] == '/')
        length--;
    while (length > 1 && common[length - 1] != '/')
        length--;
    return length;
}

const char *junit_name(const struct junit_sheet *sheet, const struct report_recording *recording)
{
    const char *path = report_text(recording->fields, "path");

    return *path == '/' ? path + sheet->strip : path;
}

/* Jenkins takes what stands before the last dot for a package: folders become its parts. */
void junit_class(const struct junit_sheet *sheet, const struct report_recording *recording)
{
    const char *path = junit_name(sheet, recording);
    FILE *out = sheet->out;
    size_t length = strlen(path);
    char class[512];

    if (length > 5 && !strcmp(path + length - 5, ".shoe"))
        length -= 5;
    while (length && (*path == '/' || *path == '.')) {
        path++;
        length--;
    }
    snprintf(class, sizeof class, "%.*s", (int)(length < sizeof class ? length : sizeof class - 1),
             path);
    for (char *at = class; *at; at++)
        *at = *at == '.' ? '_' : *at == '/' ? '.' : *at;
    fputs(" classname=\"", out);
    markup_text(out, *class ? class : "unnamed");
    if (recording->repeat > 1)
        fprintf(out, " %u", recording->repeat);
    putc('"', out);
}

void junit_failure(const struct json_value *failure, FILE *out)
{
    static const char *const keys[] = {"expected", "got"};
    static const char *const witnesses[] = {"recording", "engine", "device", "operator", "scanner"};
    const struct json_value *said = json_member(failure, "witnesses");

    markup_text(out, report_text(failure, "name"));
    if (json_member(failure, "seat"))
        fprintf(out, ", seat %jd", (intmax_t)json_int(json_member(failure, "seat")));
    if (json_member(failure, "wager")) {
        fputs(", ", out);
        markup_text(out, report_text(failure, "wager"));
    }
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        fprintf(out, "%s %s ", i ? "," : ":", keys[i]);
        report_compared(out, failure, json_member(failure, keys[i]), markup_text);
    }
    for (size_t i = 0; said && i < sizeof witnesses / sizeof witnesses[0]; i++) {
        if (i >= REPORT_WITNESSES && !json_member(said, witnesses[i]))
            continue;
        fprintf(out, "%s %s ", i ? "," : ";", witnesses[i]);
        report_witness(out, failure, json_member(said, witnesses[i]), markup_text);
    }
    if (*report_text(failure, "why")) {
        fputs("; ", out);
        markup_text(out, report_text(failure, "why"));
    }
}

/* Why a round was not judged or not passed, as its verdict says; false where it says nothing. */
static bool write_why(const struct report *report, const struct report_round *round, FILE *out)
{
    const struct json_value *line;
    size_t at = 0;

    while ((line = report_round_line(report, round, &at)))
        if (!strcmp(report_text(line, "kind"), journal_kind_name(JOURNAL_VERDICT)) &&
            *report_text(line, "why")) {
            markup_text(out, report_text(line, "why"));
            return true;
        }
    return false;
}

/* The first check that failed, and how many more did; false where none is kept. */
static bool write_first_failure(const struct report *report, const struct report_round *round,
                                FILE *out)
{
    size_t at = 0;
    const struct json_value *failure = report_round_failure(report, round, &at);

    if (!failure)
        return false;
    junit_failure(failure, out);
    if (round->failed > 1)
        fprintf(out, "; and %jd more", (intmax_t)round->failed - 1);
    return true;
}

/* One sentence: what broke a rule, or why the round came to nothing. */
static void write_message(const struct report *report, const struct report_round *round, FILE *out)
{
    fputs(" message=\"", out);
    if (!round->judged)
        fputs("the journal ends inside this round", out);
    else if (!(round->verdict == VERDICT_FAIL && write_first_failure(report, round, out)) &&
             !write_why(report, round, out))
        fputs(verdict_name(round->verdict), out);
    putc('"', out);
}

static void write_outcome(const struct report *report, const struct report_round *round, FILE *out)
{
    const char *element = round->judged && round->verdict == VERDICT_FAIL ? "failure" : "error";
    const struct json_value *failure;
    size_t at = 0;

    fprintf(out, "   <%s", element);
    write_message(report, round, out);
    junit_attribute(out, "type", report_round_verdict(round));
    putc('>', out);
    while ((failure = report_round_failure(report, round, &at))) {
        junit_failure(failure, out);
        putc('\n', out);
    }
    if (round->checks_left_out)
        fprintf(out, "%ju more check%s not shown; the journal has all\n",
                (uintmax_t)round->checks_left_out, round->checks_left_out == 1 ? " is" : "s are");
    fprintf(out, "</%s>\n", element);
}

void junit_case(const struct junit_sheet *sheet, const struct report_recording *recording,
                const struct report_round *round)
{
    FILE *out = sheet->out;

    fprintf(out, "  <testcase name=\"round %jd\"", (intmax_t)round->number);
    junit_class(sheet, recording);
    junit_seconds(out, round->ended - round->began);
    if (!report_round_failed(round) && round->verdict == VERDICT_PASS) {
        fputs("/>\n", out);
        return;
    }
    fputs(">\n", out);
    if (!report_round_failed(round)) {
        fputs("   <skipped", out);
        write_message(sheet->report, round, out);
        fputs("/>\n", out);
    } else {
        write_outcome(sheet->report, round, out);
    }
    fputs("  </testcase>\n", out);
}
