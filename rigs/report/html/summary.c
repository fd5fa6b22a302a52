/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The head of the page: how the run went, what did not pass, every check, the devices, the run. */
#include <stdlib.h>
#include <string.h>

#include "hal/base/plural.h"
#include "rigs/checks/check.h"
#include "rigs/page/markup.h"
#include "rigs/report/coverage.h"
#include "rigs/report/html/html.h"

const char *html_state(const struct report *report)
{
    return report->end ? verdict_name(report->verdict) : report->is_played ? "running" : "cut off";
}

/* A class has no blank in it. */
static const char *class_of(const struct report *report)
{
    return report->end ? verdict_name(report->verdict) : "cut";
}

static bool has_unjudged(const struct report *report)
{
    for (unsigned kind = 0; kind <= REPORT_CUT_OFF; kind++)
        if (report->broken[kind].count)
            return true;
    return false;
}

/* What a person has stopped is none of them. */
static uint64_t broken_rounds(const struct report *report)
{
    return report->round_count - report->verdicts[VERDICT_PASS] -
           report->verdicts[VERDICT_SKIPPED] - report->verdicts[VERDICT_ABORTED];
}

static void write_passed(FILE *out, const struct report *report)
{
    uint64_t passed = report->verdicts[VERDICT_PASS], skipped = report->verdicts[VERDICT_SKIPPED];
    const char *plural = passed == 1 ? "" : "s";

    if (!report->round_count)
        fputs("no round was played", out);
    else if (skipped)
        fprintf(out, "%ju round%s passed, %ju skipped", (uintmax_t)passed, plural,
                (uintmax_t)skipped);
    else if (report->verdict == VERDICT_ABORTED)
        fprintf(out, "%ju round%s passed before the run was stopped", (uintmax_t)passed, plural);
    else
        fprintf(out, "%s %ju round%s passed", passed == 1 ? "the" : "all", (uintmax_t)passed,
                plural);
    if (report->paid.voided)
        fprintf(out, ", %ju of them void", (uintmax_t)report->paid.voided);
}

static void write_sentence(FILE *out, const struct report *report)
{
    uint64_t broken = broken_rounds(report);
    size_t rounds = report->round_count;

    if (broken)
        fprintf(out, "%ju of %zu round%s did not pass", (uintmax_t)broken, rounds,
                rounds == 1 ? "" : "s");
    else
        write_passed(out, report);
    if (report->after_count)
        fputs(", but not what the rounds show together", out);
}

/* How the rounds are divided, as a strip. */
static void write_share(FILE *out, const struct report *report)
{
    const double width = 1000, least = 4, gap = 2;
    double x = 0, room = width;

    if (!report->round_count)
        return;
    for (unsigned i = 0; i < VERDICT_COUNT; i++)
        room -= report->verdicts[i] ? least + gap : 0;
    fprintf(out,
            "<svg class=\"share\" aria-hidden=\"true\" viewBox=\"0 0 %g 1\" "
            "preserveAspectRatio=\"none\">",
            width - gap);
    for (unsigned i = VERDICT_COUNT; i-- > 0;) {
        double part = least + room * (double)report->verdicts[i] / (double)(report->round_count);

        if (!report->verdicts[i])
            continue;
        fprintf(out, "<rect class=\"%s\" x=\"%.1f\" width=\"%.1f\" height=\"1\"/>",
                verdict_name((enum verdict)i), x, part);
        x += part + gap;
    }
    fputs("</svg>\n", out);
}

static void write_line(FILE *out, const struct report *report)
{
    const char *rig = report_text(json_member(report->start, "rig"), "path");
    const char *date = report_text(report->start, "date");
    const char *host = report_text(report->start, "host");
    char build[REPORT_BUILD_SIZE];

    fputs("<p class=\"soft\">dealproof ", out);
    markup_text(out, report_text(report->start, "version"));
    fputs(*report_build(report, build) ? " \u00b7 build " : "", out);
    markup_text(out, build);
    fputs(" \u00b7 rig ", out);
    markup_text(out, *rig ? rig : "built in, all emulated");
    fputs(" \u00b7 ", out);
    markup_text(out, *date ? date : "virtual time");
    fputs(*host ? " \u00b7 host " : "", out);
    markup_text(out, host);
    if (*report_part(report)) {
        fputs(" · <b>only shard ", out);
        markup_text(out, report_part(report));
        fputs("</b> of a run", out);
    }
    fputs(" \u00b7 seed ", out);
    markup_text(out, report_text(report->start, "seed"));
    fputs(report->operator_count ? " \u00b7 performed by " : "", out);
    report_operators(report, out, markup_text);
    fputs("\n", out);
}

void html_banner(FILE *out, const struct report *report)
{
    fprintf(out, "<header class=\"top %s\"><h1>", class_of(report));
    html_verdict(out, html_state(report));
    putc(' ', out);
    write_sentence(out, report);
    fputs("</h1>\n", out);
    write_line(out, report);
    write_share(out, report);
    fputs("</header>\n", out);
}

/* Why the run ended before all was played: what a person has done, or ordered, is no alarm. */
static void write_end(FILE *out, const struct report *report)
{
    const char *why = report_text(report->end, "why");
    bool is_alarm = *why && report->verdict != VERDICT_ABORTED;
    char stopped[REPORT_STOPPED_SIZE];

    if (*report_stopped(report, stopped)) {
        fputs("<p class=\"stopped\" role=\"status\">The run was <b>", out);
        markup_text(out, stopped);
        fputs("</b>. Nothing is said of what was not played. <span class=\"soft\">", out);
        markup_text(out, is_alarm ? "" : why);
        fputs("</span>\n", out);
    }
    if (is_alarm || (*why && !*stopped)) {
        fputs("<p class=\"alarm\">", out);
        markup_text(out, why);
        putc('\n', out);
    }
}

void html_alarms(FILE *out, const struct report *report)
{
    char resumed[REPORT_RESUME_SIZE];

    if (report->problem[0]) {
        fputs("<p class=\"alarm\" role=\"alert\"><b>This journal is not what the run wrote:</b> ",
              out);
        markup_text(out, report->problem);
        fputs(". Nothing after that is shown.\n", out);
    } else if (!report->end && report->is_played) {
        fprintf(
            out,
            "<p role=\"status\"><b>The run goes on.</b> This is what its journal has up to line "
            "%ju; load the page again for more.\n",
            (uintmax_t)report->ending.lines);
    } else if (!report->end) {
        fprintf(out,
                "<p class=\"alarm\" role=\"alert\"><b>The run was cut off.</b> The journal ends "
                "after line %ju without an end line; all up to there is shown.\n",
                (uintmax_t)report->ending.lines);
    }
    for (size_t i = 0; report_resume(report, i, resumed); i++) {
        fputs("<p class=\"alarm\">", out);
        markup_text(out, resumed);
        fputs("\n", out);
    }
    if (report->resume_count > REPORT_RESUMES)
        fprintf(out, "<p class=\"alarm\">and resumed %ju more time%s\n",
                (uintmax_t)(report->resume_count - REPORT_RESUMES),
                report->resume_count == REPORT_RESUMES + 1 ? "" : "s");
    write_end(out, report);
}

/* Of the games that the journal tells of. */
static void write_lines_tile(FILE *out, const struct report *report)
{
    struct report_lines lines = report_coverage_lines(report, NULL);

    if (lines.all)
        fprintf(out, "<li><b>%u of %u</b>paying lines seen\n", lines.seen, lines.all);
}

void html_tiles(FILE *out, const struct report *report)
{
    fputs("<ul class=\"tiles\">\n", out);
    html_tile(out, "", report->files.count, report->files.count == 1 ? "recording" : "recordings");
    if (report->recording_count > report->files.count)
        html_tile(out, "", report->recording_count, "plays");
    html_tile(out, "", report->round_count, report->round_count == 1 ? "round" : "rounds");
    for (unsigned i = 0; i < VERDICT_COUNT; i++)
        if (report->verdicts[i])
            html_tile(out, verdict_name((enum verdict)i), report->verdicts[i],
                      verdict_name((enum verdict)i));
    if (report->unjudged)
        html_tile(out, "cut", report->unjudged, "cut off");
    html_tile(out, "", (uint64_t)report->passed,
              report->passed == 1 ? "check passed" : "checks passed");
    html_tile(out, report->failed ? "fail" : "", (uint64_t)report->failed,
              report->failed == 1 ? "check failed" : "checks failed");
    html_tile(out, "", (uint64_t)report->skipped,
              report->skipped == 1 ? "check skipped" : "checks skipped");
    html_tile(out, "", report->retries, report->retries == 1 ? "retry" : "retries");
    if (report->reconnects)
        html_tile(out, "", report->reconnects,
                  report->reconnects == 1 ? "reconnect" : "reconnects");
    if (report->read + report->nodded) {
        html_tile(out, "", report->read, "read by hand or scanner");
        html_tile(out, "", report->nodded, "nodded");
    }
    write_lines_tile(out, report);
    fputs("</ul>\n", out);
}

static int by_place(const void *a, const void *b)
{
    const size_t *first = a, *second = b;

    return (*first > *second) - (*first < *second);
}

void html_round_link(FILE *out, const struct report *report, size_t index,
                     const struct html_shown *shown)
{
    const struct report_round round = report_round_at(report, index);
    const struct report_recording recording = report_recording_at(report, round.recording);
    bool is_shown = shown->count &&
                    bsearch(&index, shown->rounds, shown->count, sizeof *shown->rounds, by_place);

    if (is_shown)
        fprintf(out, "<a href=\"#round-%zu\">", index + 1);
    markup_text(out, report_text(recording.fields, "path"));
    fprintf(out, ", round %jd%s", (intmax_t)round.number, is_shown ? "</a>" : "");
}

/* The rule behind a check that this program knows. */
static const char *rule_of(const char *name)
{
    int check = check_find(name);

    return check < 0 ? "" : check_kinds[check].rule;
}

static void write_failed_check(FILE *out, const struct report *report,
                               const struct report_check *check, const struct html_shown *shown)
{
    fputs("<tr><th scope=\"row\">", out);
    markup_text(out, check->name);
    fputs("<small>", out);
    markup_text(out, rule_of(check->name));
    fputs("</small><td class=\"path\">", out);
    if (check->rounds)
        html_round_link(out, report, check->first, shown);
    else
        fputs(check->was_lost ? "a round that was cut off and played again"
                              : "after the last round",
              out);
    fprintf(out, "<td class=\"n wrong\">%ju<td class=\"n\">%ju\n", (uintmax_t)check->failed,
            (uintmax_t)check->rounds);
}

/* The first rounds of one verdict, each with why. */
static void write_unjudged(FILE *out, const struct report *report, unsigned kind,
                           const struct html_shown *shown)
{
    const struct report_unjudged *broken = &report->broken[kind];

    for (size_t i = 0; i < broken->count && i < REPORT_UNJUDGED; i++) {
        const struct report_round round = report_round_at(report, broken->rounds[i]);
        const char *why;

        fputs("<li>", out);
        html_verdict(out, report_round_verdict(&round));
        putc(' ', out);
        html_round_link(out, report, broken->rounds[i], shown);
        why = report_round_why(report, &round);
        fputs(*why ? ": " : "", out);
        markup_text(out, why);
        putc('\n', out);
    }
    if (broken->count > REPORT_UNJUDGED)
        fprintf(out, "<li>and %ju more: %s\n", (uintmax_t)(broken->count - REPORT_UNJUDGED),
                kind == REPORT_CUT_OFF ? "cut off" : verdict_name((enum verdict)kind));
}

/* Rounds that no check has failed in, and did not pass all the same. */
static void write_broken_rounds(FILE *out, const struct report *report,
                                const struct html_shown *shown)
{
    if (!has_unjudged(report))
        return;
    fputs("<p>Rounds that could not be judged:<ul class=\"path\">\n", out);
    for (unsigned kind = 0; kind <= REPORT_CUT_OFF; kind++)
        write_unjudged(out, report, kind, shown);
    fputs("</ul>\n", out);
}

/* What the rounds show together. */
static void write_after(FILE *out, const struct report *report)
{
    for (size_t i = 0; i < report->after_count; i++) {
        fputs("<p>After the last round: <b>", out);
        markup_text(out, report_text(report->after[i], "name"));
        fputs("</b>, expected ", out);
        report_compared(out, report->after[i], json_member(report->after[i], "expected"),
                        markup_text);
        fputs(", got ", out);
        report_compared(out, report->after[i], json_member(report->after[i], "got"), markup_text);
        fputs("; ", out);
        markup_text(out, report_text(report->after[i], "why"));
        putc('\n', out);
    }
}

bool html_broken_any(const struct report *report)
{
    return has_unjudged(report) || report->failed;
}

void html_broken(FILE *out, const struct report *report, const struct html_shown *shown)
{
    if (!html_broken_any(report))
        return;
    fputs("<h2 id=\"broken\">What did not pass</h2>\n", out);
    if (report->failed)
        fputs("<div class=\"scroll\"><table><thead><tr><th scope=\"col\">Check and rule"
              "<th scope=\"col\">First<th scope=\"col\">Failed<th scope=\"col\">Rounds<tbody>\n",
              out);
    for (size_t i = 0; i < report->check_count; i++)
        if (report->checks[i].failed)
            write_failed_check(out, report, &report->checks[i], shown);
    if (report->failed)
        fputs("</table></div>\n", out);
    write_after(out, report);
    write_broken_rounds(out, report, shown);
}

void html_checks(FILE *out, const struct report *report)
{
    if (!report->check_count)
        return;
    fputs("<h2 id=\"checks\">Checks</h2><div class=\"scroll\"><table><thead><tr>"
          "<th scope=\"col\">Check<th scope=\"col\">What it proves<th scope=\"col\">Passed"
          "<th scope=\"col\">Failed<th scope=\"col\">Skipped<tbody>\n",
          out);
    for (size_t i = 0; i < report->check_count; i++) {
        const struct report_check *check = &report->checks[i];

        fputs("<tr><th scope=\"row\">", out);
        markup_text(out, check->name);
        fputs("<td class=\"why\">", out);
        markup_text(out, rule_of(check->name));
        if (*check->why) {
            fputs(" <small>skipped: ", out);
            markup_text(out, check->why);
            fputs("</small>", out);
        }
        fprintf(out, "<td class=\"n\">%ju<td class=\"n%s\">%ju<td class=\"n\">%ju\n",
                (uintmax_t)check->passed, check->failed ? " wrong" : "", (uintmax_t)check->failed,
                (uintmax_t)check->skipped);
    }
    fputs("</table></div>\n", out);
}

static void write_device_field(FILE *out, const struct json_value *device, const char *key,
                               const char *attribute)
{
    const char *value = report_text(device, key);

    fprintf(out, "<td%s><code>", attribute);
    markup_text(out, *value ? value : "\u2013");
    fputs("</code>", out);
}

static void write_component(FILE *out, const struct json_value *component)
{
    const char *result = report_text(component, "result");
    bool is_wrong = strcmp(result, "matches") != 0 && strcmp(result, "shown") != 0;

    fputs("<tr><th scope=\"row\">", out);
    markup_text(out, report_text(component, "name"));
    write_device_field(out, component, "digest", "");
    write_device_field(out, component, "approved", "");
    fprintf(out, "<td%s>", is_wrong ? " class=\"wrong\"" : "");
    markup_text(out, result);
    putc('\n', out);
}

static void write_software(FILE *out, const struct report_device *device)
{
    const struct json_value *components = json_member(device->software, "components");
    char software[REPORT_SOFTWARE_SIZE];

    if (!*report_software(device, software))
        return;
    fputs("<h3>Software of the ", out);
    markup_text(out, report_text(device->fields, "name"));
    fputs("</h3><p>", out);
    markup_text(out, software);
    fputs(".</p>\n", out);
    if (!json_count(components))
        return;
    fputs("<div class=\"scroll\"><table><thead><tr><th scope=\"col\">Component"
          "<th scope=\"col\">Digest (HMAC-SHA1)<th scope=\"col\">Approved<th scope=\"col\">Result"
          "<tbody>\n",
          out);
    JSON_EACH (component, components)
        write_component(out, component);
    fputs("</table></div>\n", out);
}

void html_devices(FILE *out, const struct report *report)
{
    if (!report->device_count)
        return;
    fputs("<h2 id=\"devices\">Devices</h2><div class=\"scroll\"><table><thead><tr>"
          "<th scope=\"col\">Device<th scope=\"col\">Model<th scope=\"col\">Firmware"
          "<th scope=\"col\">Serial number<th scope=\"col\">Driver<th scope=\"col\">Address"
          "<th scope=\"col\">Test mode<th scope=\"col\">Digest of the firmware<tbody>\n",
          out);
    for (size_t i = 0; i < report->device_count; i++) {
        const struct json_value *device = report->devices[i].fields;

        fputs("<tr><th scope=\"row\">", out);
        markup_text(out, report_text(device, "name"));
        write_device_field(out, device, "model", " class=\"t\"");
        write_device_field(out, device, "firmware", " class=\"t\"");
        fputs("<td class=\"t\"><code>", out);
        html_history_machine(out, report, report_text(device, "serial"));
        fputs("</code>", out);
        write_device_field(out, device, "driver", " class=\"t\"");
        write_device_field(out, device, "address", "");
        fputs(report->devices[i].test_mode ? "<td><b>on</b>" : "<td>off", out);
        write_device_field(out, device, "digest", "");
        putc('\n', out);
    }
    fputs("</table></div>\n", out);
    for (size_t i = 0; i < report->device_count; i++)
        write_software(out, &report->devices[i]);
}

void html_timings(FILE *out, const struct report *report, const struct html_shown *shown)
{
    if (!report->timing_count)
        return;
    fputs("<h2 id=\"timings\">Timings</h2><div class=\"charts\">\n", out);
    for (size_t i = 0; i < report->timing_count; i++)
        html_timing(out, report, &report->timings[i], shown);
    fputs("</div>\n", out);
}

static void write_libraries(FILE *out, const struct report *report)
{
    const char *separator = "";

    fputs("<tr><th scope=\"row\">Libraries<td><code>", out);
    JSON_EACH (version, json_member(report->start, "libraries")) {
        fputs(separator, out);
        markup_text(out, version->key);
        putc(' ', out);
        markup_json(out, version);
        separator = "; ";
    }
    fputs("</code>\n", out);
}

/* What the chain of digests says of this very journal. */
static void write_chain(FILE *out, const struct report *report)
{
    fprintf(out, "<tr><th scope=\"row\">Chain of digests<td>%ju line%s, %s\n",
            (uintmax_t)report->ending.lines, plural(report->ending.lines),
            report->problem[0]     ? "<b>broken after them</b>"
            : report->ending.ended ? "intact to the end"
            : report->is_played    ? "intact so far"
                                   : "intact, and cut off after them");
    for (size_t i = 0; i < report->journal_count; i++) {
        const struct report_journal *journal = &report->journals[i];

        html_fact(out, "Journal", journal->path);
        if (journal->start) {
            html_fact(out, "Rig file of its bench",
                      report_text(json_member(journal->start, "rig"), "path"));
            html_fact(out, "SHA-256 of that",
                      report_text(json_member(journal->start, "rig"), "sha256"));
        }
        html_fact(out, "SHA-256 of its last line",
                  report->withholds ? "told when the recording is over" : journal->ending.digest);
    }
    for (size_t i = 0; i < report->left_out_count; i++)
        html_fact(out, "Attempt", report->left_out[i]);
}

static void write_paid(FILE *out, const struct report *report)
{
    char text[PAID_TEXT_SIZE];

    html_fact(out, "Paid from the tray", paid_text(report->paid.tray, text));
    html_fact(out, "Paid from meters", paid_text(report->paid.meters, text));
    snprintf(text, sizeof text, "%ju", (uintmax_t)report->paid.voided);
    html_fact(out, "Void rounds", text);
}

void html_facts(FILE *out, const struct report *report)
{
    const struct json_value *rig = json_member(report->start, "rig");
    char realtime[REPORT_REALTIME_SIZE];

    fputs("<h2 id=\"run\">The run</h2><div class=\"scroll\"><table class=\"facts\">\n"
          "<tr><th scope=\"row\">Command<td><code>dealproof",
          out);
    JSON_EACH (word, json_member(report->start, "command")) {
        putc(' ', out);
        markup_json(out, word);
    }
    fputs("</code>\n", out);
    html_fact(out, "dealproof", report_text(report->start, "version"));
    html_fact(out, "Build", report_text(report->start, "build"));
    html_fact(out, "Commit", report_text(report->start, "commit"));
    write_libraries(out, report);
    html_fact(out, "Rig file", report_text(rig, "path"));
    html_fact(out, "SHA-256 of it", report_text(rig, "sha256"));
    html_fact(out, "Seed", report_text(report->start, "seed"));
    html_fact(out, "Clock", report_text(report->start, "clock"));
    html_fact(out, "Real-time priority", report_realtime(report, realtime));
    html_fact(out, "Date", report_text(report->start, "date"));
    html_fact(out, "Host", report_text(report->start, "host"));
    if (report->operator_count) {
        fputs("<tr><th scope=\"row\">Performed by<td><code>", out);
        report_operators(report, out, markup_text);
        fputs("</code>\n", out);
    }
    write_paid(out, report);
    write_chain(out, report);
    fputs("</table></div>\n", out);
}
