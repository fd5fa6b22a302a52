/* The page as a whole: summary, devices, timings, and a section for each recording. */
#include "rigs/report_html.h"

#include <stdlib.h>

#include "rigs/markup.h"

/* With the rest of a page this keeps it below 5 MB, whatever failed. */
#define ROUNDS_BYTES_MAX ((size_t)4600000)
#define PASSES_BYTES_MAX ((size_t)500000)
#define OPEN_MAX         10
#define CURVES_MAX       40

/* What has been spent on rounds so far. */
struct spent {
    size_t bytes;        /* on all of them */
    size_t passes_bytes; /* on those that passed */
    size_t opened;
};

static void write_head(FILE *out, const struct report *report)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
          "style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">\n"
          "<link rel=\"icon\" href=\"data:,\">\n<title>dealproof: ",
          out);
    fputs(report->end ? verdict_name(report->verdict) : "cut off", out);
    fprintf(out, "</title>\n<style>%s</style></head><body>\n", html_style);
}

static void write_alarms(FILE *out, const struct report *report)
{
    if (report->problem[0]) {
        fputs("<p class=\"alarm\" role=\"alert\"><b>This journal is not what the run wrote:</b> ",
              out);
        markup_text(out, report->problem);
        fputs(". Nothing after that is shown.\n", out);
    } else if (!report->end) {
        fprintf(out,
                "<p class=\"alarm\" role=\"alert\"><b>The run was cut off.</b> The journal ends "
                "after line %ju without an end line; all up to there is shown.\n",
                (uintmax_t)report->ending.lines);
    }
    if (*report_text(report->end, "why")) {
        fputs("<p class=\"alarm\">", out);
        markup_text(out, report_text(report->end, "why"));
        fputs("\n", out);
    }
}

static void write_tile(FILE *out, uint64_t number, const char *name)
{
    fprintf(out, "<li><b>%ju</b>%s\n", (uintmax_t)number, name);
}

static void write_summary(FILE *out, const struct report *report)
{
    fputs("<h1>", out);
    html_verdict(out, report->end ? verdict_name(report->verdict) : "cut off");
    fputs(" dealproof run</h1>\n", out);
    write_alarms(out, report);
    fputs("<ul class=\"tiles\">\n", out);
    write_tile(out, report->recording_count, "recordings");
    write_tile(out, report->round_count, "rounds");
    for (unsigned i = 0; i < VERDICT_COUNT; i++)
        if (report->verdicts[i])
            write_tile(out, report->verdicts[i], verdict_name((enum verdict)i));
    if (report->unjudged)
        write_tile(out, report->unjudged, "cut off");
    write_tile(out, (uint64_t)report->passed, "checks passed");
    write_tile(out, (uint64_t)report->failed, "checks failed");
    write_tile(out, (uint64_t)report->skipped, "checks skipped");
    write_tile(out, report->retries, "retries");
    fputs("</ul>\n", out);
}

static void write_fact(FILE *out, const char *name, const char *value)
{
    if (!*value)
        return;
    fprintf(out, "<tr><th scope=\"row\">%s<td><code>", name);
    markup_text(out, value);
    fputs("</code>\n", out);
}

static void write_facts(FILE *out, const struct report *report)
{
    const json_t *rig = json_object_get(report->start, "rig");
    const json_t *word, *version;
    const char *name;
    size_t index;

    fputs("<h2>The run</h2><div class=\"scroll\"><table>\n<tr><th scope=\"row\">Command<td><code>",
          out);
    json_array_foreach(json_object_get(report->start, "command"), index, word)
    {
        fputs(index ? " " : "", out);
        markup_json(out, word);
    }
    fputs("</code>\n", out);
    write_fact(out, "dealproof", report_text(report->start, "version"));
    fputs("<tr><th scope=\"row\">Libraries<td><code>", out);
    json_object_foreach(json_object_get(report->start, "libraries"), name, version)
    {
        markup_text(out, name);
        putc(' ', out);
        markup_json(out, version);
        fputs("; ", out);
    }
    fputs("</code>\n", out);
    write_fact(out, "Rig file", report_text(rig, "path"));
    write_fact(out, "SHA-256 of it", report_text(rig, "sha256"));
    write_fact(out, "Seed", report_text(report->start, "seed"));
    write_fact(out, "Clock", report_text(report->start, "clock"));
    write_fact(out, "Date", report_text(report->start, "date"));
    write_fact(out, "Journal", report->path);
    write_fact(out, "SHA-256 of its last line", report->ending.digest);
    fputs("</table></div>\n", out);
}

static void write_devices(FILE *out, const struct report *report)
{
    static const char *const keys[] = {"model",  "firmware", "serial",
                                       "driver", "address",  "digest"};
    const json_t *device;
    size_t index;

    if (!json_array_size(report->devices))
        return;
    fputs("<h2>Devices</h2><div class=\"scroll\"><table><thead><tr><th scope=\"col\">Device"
          "<th scope=\"col\">Model<th scope=\"col\">Firmware<th scope=\"col\">Serial number"
          "<th scope=\"col\">Driver<th scope=\"col\">Address<th scope=\"col\">Digest"
          "<th scope=\"col\">Test mode<tbody>\n",
          out);
    json_array_foreach(report->devices, index, device)
    {
        fputs("<tr><th scope=\"row\">", out);
        markup_text(out, report_text(device, "name"));
        for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
            fputs("<td><code>", out);
            markup_text(out, report_text(device, keys[i]));
            fputs("</code>", out);
        }
        fputs(json_is_true(json_object_get(device, "test-mode")) ? "<td><b>on</b>\n" : "<td>off\n",
              out);
    }
    fputs("</table></div>\n", out);
}

static void write_timings(FILE *out, const struct report *report)
{
    if (!report->timing_count)
        return;
    fputs("<h2>Timings</h2><div class=\"charts\">\n", out);
    for (size_t i = 0; i < report->timing_count; i++)
        html_timing(out, report, &report->timings[i]);
    fputs("</div>\n", out);
}

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
    fputs("<h2>Rounds</h2>\n<form id=\"filter\" hidden>"
          "<label>Verdict<select name=\"verdict\"><option value=\"\">all",
          out);
    for (unsigned i = 0; i < VERDICT_COUNT; i++)
        if (report->verdicts[i])
            write_option(out, verdict_name((enum verdict)i), verdict_name((enum verdict)i));
    if (report->unjudged)
        write_option(out, "cut off", "cut off");
    fputs("</select></label>\n<label>Recording<select name=\"recording\"><option value=\"\">all",
          out);
    for (size_t i = 0; i < report->recording_count; i++) {
        fprintf(out, "<option value=\"recording-%zu\">", i + 1);
        write_name(out, &report->recordings[i]);
    }
    fputs("</select></label>\n<label>Text<input type=\"search\" name=\"words\" "
          "placeholder=\"wager, card, check\"></label>\n"
          "<button type=\"button\" id=\"open\">Open all</button>"
          "<button type=\"button\" id=\"close\">Close all</button>"
          "<output id=\"count\" aria-live=\"polite\"></output></form>\n",
          out);
}

/* Writes the round if the page has room for it. */
static bool write_round(FILE *out, const struct report_round *round, struct spent *spent)
{
    bool failed = report_round_failed(round);
    bool room =
        spent->bytes < ROUNDS_BYTES_MAX && (failed || spent->passes_bytes < PASSES_BYTES_MAX);
    char *text = NULL;
    size_t length = 0;
    FILE *buffer = round->lines && room ? open_memstream(&text, &length) : NULL;

    if (!buffer)
        return false;
    html_round(buffer, round, failed && spent->opened < OPEN_MAX);
    fclose(buffer);
    fwrite(text, 1, length, out);
    free(text);
    spent->opened += failed;
    spent->bytes += length;
    spent->passes_bytes += failed ? 0 : length;
    return true;
}

static void write_recording_head(FILE *out, const struct report_recording *recording, size_t index)
{
    fprintf(out, "<section class=\"recording\" id=\"recording-%zu\"><h3>", index + 1);
    write_name(out, recording);
    fputs("</h3><p>", out);
    markup_text(out, report_text(recording->fields, "game"));
    for (unsigned i = 0; i < VERDICT_COUNT; i++)
        if (recording->verdicts[i])
            fprintf(out, ", %ju %s", (uintmax_t)recording->verdicts[i],
                    verdict_name((enum verdict)i));
    fputs(" <small>SHA-256 <code>", out);
    markup_text(out, report_text(recording->fields, "sha256"));
    fputs("</code></small>\n", out);
}

static void write_recording(FILE *out, const struct report *report, size_t index,
                            struct spent *spent)
{
    const struct report_recording *recording = &report->recordings[index];
    size_t passes_left = 0, failures_left = 0;

    write_recording_head(out, recording, index);
    if (index < CURVES_MAX)
        html_meters(out, recording);
    for (size_t i = 0; i < recording->count; i++) {
        const struct report_round *round = &report->rounds[recording->first + i];

        if (!write_round(out, round, spent))
            *(report_round_failed(round) ? &failures_left : &passes_left) += 1;
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

void report_write_html(const struct report *report, FILE *out)
{
    struct spent spent = {0};

    write_head(out, report);
    write_summary(out, report);
    write_devices(out, report);
    write_timings(out, report);
    write_facts(out, report);
    write_filters(out, report);
    for (size_t i = 0; i < report->recording_count; i++)
        write_recording(out, report, i, &spent);
    fprintf(out, "<script>%s</script></body></html>\n", html_script);
}
