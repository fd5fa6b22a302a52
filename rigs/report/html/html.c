/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page as a whole: its head, and a section for each recording. */
#include "rigs/report/html/html.h"
#include "rigs/report/coverage.h"

#include <stdlib.h>

#include "rigs/page/links.h"
#include "rigs/page/markup.h"
#include "rigs/report/format.h"
#include "rigs/report/html/shuffles.h"
#include "rigs/report/present.h"
#include "rigs/shuffles/html.h"

/* With the rest of a page this keeps it below 5 MB, whatever failed. */
#define ROUNDS_BYTES_MAX ((size_t)4500000)
#define PASSES_BYTES_MAX ((size_t)800000)
#define EVENTS_BYTES_MAX ((size_t)1500000)
#define OPEN_MAX         10 /* rounds that did not pass */
#define PAPER_MAX        20 /* the same, that are printed with their account */

/* What has been spent on recordings and their rounds so far, in bytes. */
struct spent {
    size_t bytes;        /* on all of them */
    size_t passes_bytes; /* on those that passed */
    size_t events_bytes; /* on rounds that failed, with what the devices said */
    size_t opened;
    uint64_t passed;                 /* rounds that did, and are on the page, */
    size_t last_passed;              /* by the place of the last of them */
    size_t passed_left, broken_left; /* recordings that there was no room for */
    uint64_t rounds_left;            /* of those, the rounds that did not pass */
    struct html_shown shown;
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

/* Without memory nothing links to the round. */
static void remember(struct html_shown *shown, size_t index)
{
    if (report_grow((void **)&shown->rounds, shown->count, &shown->size, sizeof *shown->rounds))
        shown->rounds[shown->count++] = index;
}

/* The first of each kind have room always: that is bounded, and the head of the page names them. */
static bool is_shown(const struct report *report, const struct report_round *round, size_t index,
                     const struct spent *spent)
{
    return round->lines &&
           (has_room(spent, !report_round_failed(round)) || report_round_is_first(report, index));
}

/* Writes the round if the page has room for it. */
static bool write_round(FILE *out, const struct report *report, size_t index, struct spent *spent)
{
    const struct report_round round = report_round_at(report, index);
    bool failed = report_round_failed(&round);
    const struct html_round how = {.number = index + 1,
                                   .open = failed && spent->opened < OPEN_MAX,
                                   .brief = spent->opened >= PAPER_MAX &&
                                            !report_round_is_first(report, index),
                                   .events = failed && spent->events_bytes < EVENTS_BYTES_MAX};
    long before = ftell(out), length;

    if (!is_shown(report, &round, index, spent))
        return false;
    html_round(out, report, &round, &how);
    length = ftell(out) - before;
    spent->opened += failed;
    spent->events_bytes += how.events ? (size_t)length : 0;
    spend(spent, !failed, (size_t)length);
    if (!failed) {
        spent->passed++;
        spent->last_passed = index;
    }
    remember(&spent->shown, index);
    return true;
}

static void write_recording_head(FILE *out, const struct report *report,
                                 const struct report_recording *recording, size_t index,
                                 bool withholds, bool passed)
{
    fprintf(out, "<section class=\"recording%s\" id=\"recording-%zu\"><h3>",
            passed ? " passed" : "", index + 1);
    write_name(out, recording);
    fputs("</h3><p class=\"soft head\">", out);
    markup_text(out, report_text(recording->fields, "game"));
    for (unsigned i = 0; i < VERDICT_COUNT; i++)
        if (recording->verdicts[i])
            fprintf(out, " \u00b7 %ju %s", (uintmax_t)recording->verdicts[i],
                    verdict_name((enum verdict)i));
    if (!withholds) {
        fputs(" \u00b7 <small>SHA-256 <code>", out);
        html_history_recording(out, report, report_text(recording->fields, "sha256"));
        fputs("</code></small>\n", out);
    }
}

/* What is left out of a recording, with where to find it. */
static void write_rest(FILE *out, const struct report *report, const size_t left[2])
{
    if (left[1]) {
        fprintf(out,
                "<p class=\"alarm\">%zu more round%s that did not pass %s not shown, to keep "
                "the page small. The journal has all: <code>",
                left[1], left[1] == 1 ? "" : "s", left[1] == 1 ? "is" : "are");
        markup_text(out, report->journals[0].path);
        fputs("</code>\n", out);
    }
    if (left[0])
        fprintf(out, "<p class=\"soft\">%zu more round%s that passed or %s skipped %s not shown.\n",
                left[0], left[0] == 1 ? "" : "s", left[0] == 1 ? "was" : "were",
                left[0] == 1 ? "is" : "are");
}

static void write_section(FILE *out, const struct report *report, size_t index, bool passed,
                          struct spent *spent)
{
    const struct report_recording recording = report_recording_at(report, index);
    size_t left[2] = {0};

    write_recording_head(out, report, &recording, index,
                         report->withholds && index + 1 == report->recording_count, passed);
    if (index < REPORT_CURVES)
        html_meters(out, &recording);
    for (size_t i = 0; i < recording.count; i++) {
        const struct report_round round = report_round_at(report, recording.first + i);

        if (!write_round(out, report, recording.first + i, spent))
            left[report_round_failed(&round)]++;
    }
    write_rest(out, report, left);
    fputs("</section>\n", out);
}

/* What there is to know of a recording before it is written. */
struct survey {
    size_t broken; /* rounds that did not pass */
    bool is_shown; /* there is something to see in it, and the page has room */
};

static struct survey survey_recording(const struct report *report,
                                      const struct report_recording *recording,
                                      const struct spent *spent)
{
    struct survey survey = {0};

    for (size_t i = 0; i < recording->count; i++) {
        const struct report_round round = report_round_at(report, recording->first + i);

        survey.broken += report_round_failed(&round);
        survey.is_shown = survey.is_shown || is_shown(report, &round, recording->first + i, spent);
    }
    return survey;
}

static void write_recording(FILE *out, const struct report *report, size_t index,
                            struct spent *spent)
{
    const struct report_recording recording = report_recording_at(report, index);
    struct survey survey = survey_recording(report, &recording, spent);
    size_t rounds = spent->bytes;
    long before = ftell(out);

    if (!survey.is_shown) {
        *(survey.broken ? &spent->broken_left : &spent->passed_left) += 1;
        spent->rounds_left += survey.broken;
        return;
    }
    write_section(out, report, index, !survey.broken, spent);
    spend(spent, !survey.broken, (size_t)(ftell(out) - before) - (spent->bytes - rounds));
}

static void write_left(FILE *out, const struct spent *spent)
{
    bool one_round = spent->rounds_left == 1, one = spent->passed_left == 1;

    if (spent->broken_left)
        fprintf(
            out,
            "<p class=\"alarm\">%ju more round%s that did not pass, in %zu more recording%s, %s "
            "not shown, to keep the page small. The journal has all.\n",
            (uintmax_t)spent->rounds_left, one_round ? "" : "s", spent->broken_left,
            spent->broken_left == 1 ? "" : "s", one_round ? "is" : "are");
    if (spent->passed_left)
        fprintf(out,
                "<p class=\"soft\">%zu more recording%s that passed or %s skipped %s not shown.\n",
                spent->passed_left, one ? "" : "s", one ? "was" : "were", one ? "is" : "are");
}

/* Before the rounds: which of those that passed are among them. */
static void write_sample(FILE *out, const struct report *report, const struct spent *spent)
{
    uint64_t passed = 0;

    for (unsigned verdict = 0; verdict <= VERDICT_PASS; verdict++)
        passed += report->verdicts[verdict];
    if (!spent->passed || spent->passed >= passed)
        return;
    fprintf(out,
            "<p class=\"soft\">Of %ju rounds that passed or were skipped %ju %s shown: of each "
            "recording the first %d and then every %dth, as long as there is room. The last of "
            "them is ",
            (uintmax_t)passed, (uintmax_t)spent->passed, spent->passed == 1 ? "is" : "are",
            REPORT_PASSES_FIRST, REPORT_PASSES_EVERY);
    html_round_link(out, report, spent->last_passed, &spent->shown);
    fputs(". The journal has all.\n", out);
}

/*
 * The rounds are put together before the rest of the page, which links to those that are there; and
 * apart from it, for it may be a pipe, and only memory can be asked for a length.
 */
struct rounds {
    char *text;
    size_t length;
};

static void make_rounds(const struct report *report, struct rounds *rounds, struct spent *spent)
{
    FILE *out = open_memstream(&rounds->text, &rounds->length);

    if (!out)
        return;
    for (size_t i = 0; i < report->recording_count; i++)
        write_recording(out, report, i, spent);
    write_left(out, spent);
    if (fclose(out)) {
        free(rounds->text);
        *rounds = (struct rounds){NULL, 0};
    }
}

static void write_rounds(FILE *out, const struct report *report, const struct rounds *rounds,
                         const struct spent *spent)
{
    write_filters(out, report);
    fprintf(
        out,
        "<p class=\"paper\">On paper the first %d rounds that did not pass stand in full, and so "
        "do the first in which each check failed; others take a line. Rounds that passed are "
        "counted with their recording. The page itself has more, and what the devices said; the "
        "journal has all.\n",
        PAPER_MAX);
    if (rounds->text)
        write_sample(out, report, spent);
    if (rounds->text)
        fwrite(rounds->text, 1, rounds->length, out);
    else
        fputs("<p class=\"alarm\">There was no memory for the rounds, which belong here. The "
              "journal has them.\n",
              out);
}

static void write_places(FILE *out, const struct report *report)
{
    fputs("<nav>", out);
    if (html_broken_any(report))
        fputs("<a href=\"#broken\">What did not pass</a>", out);
    fputs("<a href=\"#rounds\">Rounds</a>", out);
    if (html_history(report))
        page_link_write(out, html_history(report), PAGE_LINK_INDEX, "History");
    if (report->device_count)
        fputs("<a href=\"#devices\">Devices</a>", out);
    if (report->check_count)
        fputs("<a href=\"#checks\">Checks</a>", out);
    if (report->timing_count)
        fputs("<a href=\"#timings\">Timings</a>", out);
    if (report_shuffles_any(report))
        fputs("<a href=\"#shuffles\">Shuffles</a>", out);
    if (report_coverage_any(report))
        fputs("<a href=\"#coverage\">Coverage</a>", out);
    fputs("<a href=\"#run\">The run</a></nav>\n", out);
}

static void write_html(const struct report *report, FILE *out)
{
    struct spent spent = {0};
    struct rounds rounds = {NULL, 0};

    make_rounds(report, &rounds, &spent);
    html_head(out, html_state(report), report_shuffles_any(report) ? shuffles_html_style : "");
    html_banner(out, report);
    html_alarms(out, report);
    html_tiles(out, report);
    write_places(out, report);
    html_broken(out, report, &spent.shown);
    html_devices(out, report);
    html_timings(out, report, &spent.shown);
    html_shuffles(out, report);
    write_rounds(out, report, &rounds, &spent);
    html_checks(out, report);
    html_coverage(out, report);
    html_facts(out, report);
    html_filter_script(out);
    fputs("</body></html>\n", out);
    free(spent.shown.rounds);
    free(rounds.text);
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
