/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page as a whole: its head, and a section for each recording. */
#include "rigs/report/html/html.h"
#include "rigs/report/coverage.h"

#include <stdlib.h>

#include "rigs/page/markup.h"
#include "rigs/report/format.h"
#include "rigs/report/html/shuffles.h"
#include "rigs/shuffles/html.h"

/* With the rest of a page this keeps it below 5 MB, whatever failed. */
#define ROUNDS_BYTES_MAX ((size_t)4500000)
#define PASSES_BYTES_MAX ((size_t)800000)
#define EVENTS_BYTES_MAX ((size_t)1500000)
#define OPEN_MAX         10

/* What has been spent on recordings and their rounds so far, in bytes. */
struct spent {
    size_t bytes;        /* on all of them */
    size_t passes_bytes; /* on those that passed */
    size_t events_bytes; /* on rounds that failed, with what the devices said */
    size_t opened;
    size_t passed_left, broken_left; /* recordings that there was no room for */
    uint64_t rounds_left;            /* of those, the rounds that did not pass */
};

static void write_option(FILE *out, const char *value, const char *text)
{
    fprintf(out, "<option value=\"%s\">", value);
    markup_text(out, text);
}

static void write_name(FILE *out, const struct report_recording *recording)
{
    markup_text(out, report_text(recording->fields, "path"));
    if (recording->repeat > 1)
        fprintf(out, " (%u)", recording->repeat);
}

static void write_filters(FILE *out, const struct report *report)
{
    fputs("<h2 id=\"rounds\">Rounds</h2>\n<form id=\"filter\" hidden>"
          "<label>Verdict<select name=\"verdict\"><option value=\"\">all",
          out);
    for (unsigned i = 0; i < VERDICT_COUNT; i++)
        if (report->verdicts[i])
            write_option(out, verdict_name((enum verdict)i), verdict_name((enum verdict)i));
    if (report->unjudged)
        write_option(out, "cut off", "cut off");
    /* The script adds the recordings that are on the page. */
    fputs("</select></label>\n<label>Recording<select name=\"recording\"><option value=\"\">all"
          "</select></label>\n<label>Text<input type=\"search\" name=\"words\" "
          "placeholder=\"wager, check, As Kd\"></label>\n"
          "<button type=\"button\" id=\"open\">Open all</button>"
          "<button type=\"button\" id=\"close\">Close all</button>"
          "<output id=\"count\" aria-live=\"polite\"></output></form>\n",
          out);
}

static bool has_room(const struct spent *spent, bool passed)
{
    return spent->bytes < ROUNDS_BYTES_MAX && (!passed || spent->passes_bytes < PASSES_BYTES_MAX);
}

static void spend(struct spent *spent, bool passed, size_t bytes)
{
    spent->bytes += bytes;
    spent->passes_bytes += passed ? bytes : 0;
}

/* Writes the round if the page has room for it. */
static bool write_round(FILE *out, const struct report *report, size_t index, struct spent *spent)
{
    const struct report_round round = report_round_at(report, index);
    bool failed = report_round_failed(&round);
    const struct html_round how = {.number = index + 1,
                                   .open = failed && spent->opened < OPEN_MAX,
                                   .events = failed && spent->events_bytes < EVENTS_BYTES_MAX};
    long before = ftell(out), length;

    if (!round.lines || !has_room(spent, !failed))
        return false;
    html_round(out, report, &round, &how);
    length = ftell(out) - before;
    spent->opened += failed;
    spent->events_bytes += how.events ? (size_t)length : 0;
    spend(spent, !failed, (size_t)length);
    return true;
}

static void write_recording_head(FILE *out, const struct report_recording *recording, size_t index,
                                 bool withholds)
{
    fprintf(out, "<section class=\"recording\" id=\"recording-%zu\"><h3>", index + 1);
    write_name(out, recording);
    fputs("</h3><p class=\"soft\">", out);
    markup_text(out, report_text(recording->fields, "game"));
    for (unsigned i = 0; i < VERDICT_COUNT; i++)
        if (recording->verdicts[i])
            fprintf(out, " \u00b7 %ju %s", (uintmax_t)recording->verdicts[i],
                    verdict_name((enum verdict)i));
    if (!withholds) {
        fputs(" \u00b7 <small>SHA-256 <code>", out);
        markup_text(out, report_text(recording->fields, "sha256"));
        fputs("</code></small>\n", out);
    }
}

static void write_section(FILE *out, const struct report *report, size_t index, struct spent *spent)
{
    const struct report_recording recording = report_recording_at(report, index);
    size_t passes_left = 0, failures_left = 0;

    write_recording_head(out, &recording, index,
                         report->withholds && index + 1 == report->recording_count);
    if (index < REPORT_CURVES)
        html_meters(out, &recording);
    for (size_t i = 0; i < recording.count; i++) {
        const struct report_round round = report_round_at(report, recording.first + i);

        if (!write_round(out, report, recording.first + i, spent))
            *(report_round_failed(&round) ? &failures_left : &passes_left) += 1;
    }
    if (failures_left)
        fprintf(out,
                "<p class=\"alarm\">%zu more rounds that did not pass are not shown, to keep the "
                "page small. The journal has them all.\n",
                failures_left);
    if (passes_left)
        fprintf(out, "<p class=\"soft\">%zu more rounds passed or were skipped.\n", passes_left);
    fputs("</section>\n", out);
}

static size_t broken_rounds(const struct report *report, const struct report_recording *recording)
{
    size_t broken = 0;

    for (size_t i = 0; i < recording->count; i++) {
        const struct report_round round = report_round_at(report, recording->first + i);

        broken += report_round_failed(&round);
    }
    return broken;
}

/* There is something to see in it, and the page has room. */
static bool is_shown(const struct report *report, const struct report_recording *recording,
                     bool passed, const struct spent *spent)
{
    for (size_t i = 0; has_room(spent, passed) && i < recording->count; i++)
        if (report_round_at(report, recording->first + i).lines)
            return true;
    return false;
}

/* Put together apart from the page, which may be a pipe: only memory can be asked for its length.
 */
static void write_recording(FILE *out, const struct report *report, size_t index,
                            struct spent *spent)
{
    const struct report_recording recording = report_recording_at(report, index);
    size_t broken = broken_rounds(report, &recording);
    size_t length = 0, rounds = spent->bytes;
    bool passed = !broken;
    char *text = NULL;
    bool shown = is_shown(report, &recording, passed, spent);
    FILE *section = shown ? open_memstream(&text, &length) : NULL;

    if (!shown) {
        *(passed ? &spent->passed_left : &spent->broken_left) += 1;
        spent->rounds_left += broken;
        return;
    }
    if (section)
        write_section(section, report, index, spent);
    if (section && !fclose(section) && text)
        fwrite(text, 1, length, out);
    else
        fputs("<p class=\"alarm\">There was no memory for a recording that belongs here. The "
              "journal has it.\n",
              out);
    free(text);
    spend(spent, passed, length - (spent->bytes - rounds));
}

static void write_left(FILE *out, const struct spent *spent)
{
    if (spent->broken_left)
        fprintf(out,
                "<p class=\"alarm\">%ju more rounds that did not pass, in %zu more recordings, are "
                "not shown, to keep the page small. The journal has them all.\n",
                (uintmax_t)spent->rounds_left, spent->broken_left);
    if (spent->passed_left)
        fprintf(out, "<p class=\"soft\">%zu more recordings passed or were skipped.\n",
                spent->passed_left);
}

static void write_places(FILE *out, const struct report *report)
{
    fputs("<nav>", out);
    if (report->failed || report->verdict > VERDICT_PASS)
        fputs("<a href=\"#broken\">What did not pass</a>", out);
    fputs("<a href=\"#rounds\">Rounds</a><a href=\"#devices\">Devices</a>"
          "<a href=\"#checks\">Checks</a><a href=\"#timings\">Timings</a>",
          out);
    if (report_shuffles_any(report))
        fputs("<a href=\"#shuffles\">Shuffles</a>", out);
    if (report_coverage_any(report))
        fputs("<a href=\"#coverage\">Coverage</a>", out);
    fputs("<a href=\"#run\">The run</a></nav>\n", out);
}

static void write_html(const struct report *report, FILE *out)
{
    struct spent spent = {0};

    html_head(out, html_state(report), report_shuffles_any(report) ? shuffles_html_style : "");
    html_banner(out, report);
    html_alarms(out, report);
    html_tiles(out, report);
    write_places(out, report);
    html_broken(out, report);
    html_devices(out, report);
    html_timings(out, report);
    html_shuffles(out, report);
    write_filters(out, report);
    for (size_t i = 0; i < report->recording_count; i++)
        write_recording(out, report, i, &spent);
    write_left(out, &spent);
    html_checks(out, report);
    html_coverage(out, report);
    html_facts(out, report);
    html_filter_script(out);
    fputs("</body></html>\n", out);
}

static const struct report_format html = {
    .name = "html",
    .file = "report.html",
    .summary = "one page that needs nothing else: rounds with their cards, differences with what "
               "each witness says, meters, timings, filters, and the shuffles that a device made "
               "itself",
    .rank = REPORT_RANK_LAST,
    .write = write_html};
REGISTER(report_formats, html);
