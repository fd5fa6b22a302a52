/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A machine's life: every run, how long things took and how often rounds failed, as pictures. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rigs/history/pages/pages.h"
#include "rigs/page/markup.h"
#include "rigs/page/page.h"
#include "rigs/report/report.h"

#define WIDTH  560
#define HEIGHT 120
#define EDGE   16 /* above and below, for words */

static const char *say_value(const struct history_series *series, double value,
                             char text[DURATION_TEXT_SIZE])
{
    if (strcmp(series->name, "failures") != 0)
        return report_duration((nanos_t)value, text);
    snprintf(text, DURATION_TEXT_SIZE, "%.2f %%", 100 * value);
    return text;
}

struct scale {
    double low, high;
};

static struct scale scale_of(const struct history_series *series)
{
    struct scale scale = {series->values[0], series->values[0]};

    for (size_t i = 1; i < series->count; i++) {
        scale.low = fmin(scale.low, series->values[i]);
        scale.high = fmax(scale.high, series->values[i]);
    }
    return scale;
}

static double x_of(const struct history_series *series, double i)
{
    return series->count > 1 ? 8 + i * (WIDTH - 16) / (double)(series->count - 1) : WIDTH / 2.0;
}

static double y_of(const struct scale *scale, double value)
{
    double span = scale->high - scale->low;

    return span > 0 ? HEIGHT - EDGE - (value - scale->low) / span * (HEIGHT - 2 * EDGE)
                    : HEIGHT / 2.0;
}

static void write_picture(FILE *out, const struct history_machine *machine,
                          const struct history_series *series)
{
    struct scale scale = scale_of(series);
    char low[DURATION_TEXT_SIZE], high[DURATION_TEXT_SIZE];

    html_picture(out, WIDTH, HEIGHT + EDGE, "the value of each run, the first on the left");
    for (size_t i = 0; i < series->change_count; i++) {
        double x = x_of(series, (double)series->changes[i].at - 0.5);

        fprintf(out, "<line class=\"limit\" x1=\"%.1f\" x2=\"%.1f\" y1=\"0\" y2=\"%d\"/>", x, x,
                HEIGHT);
    }
    fputs("<polyline class=\"curve\" points=\"", out);
    for (size_t i = 0; i < series->count; i++)
        html_point(out, x_of(series, (double)i), y_of(&scale, series->values[i]));
    fputs("\"/>", out);
    for (size_t i = 0; i < series->count && series->count <= 100; i++)
        fprintf(out, "<circle class=\"bar\" cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\"/>",
                x_of(series, (double)i), y_of(&scale, series->values[i]));
    fprintf(out, "<text x=\"2\" y=\"11\">%s</text><text x=\"2\" y=\"%d\">%s</text>",
            say_value(series, scale.high, high), HEIGHT - 3, say_value(series, scale.low, low));
    fprintf(out, "<text x=\"2\" y=\"%d\">", HEIGHT + EDGE - 4);
    history_page_date(out, machine->points[series->points[0]].date, 10);
    fprintf(out, "</text><text x=\"%d\" y=\"%d\" text-anchor=\"end\">", WIDTH - 2,
            HEIGHT + EDGE - 4);
    history_page_date(out, machine->points[series->points[series->count - 1]].date, 10);
    fputs("</text></svg>", out);
}

static void write_series(FILE *out, const struct history_machine *machine,
                         const struct history_series *series)
{
    char before[DURATION_TEXT_SIZE], after[DURATION_TEXT_SIZE];

    fputs("<figure><figcaption><b>", out);
    markup_text(out, series->name);
    fprintf(out, "</b>, %zu run%s: %s", series->count, series->count == 1 ? "" : "s",
            series->change_count ? ""
            : series->is_enough  ? "no change of level"
                                 : "too few to show a change");
    for (size_t i = 0; i < series->change_count; i++) {
        const struct change *change = &series->changes[i];

        fprintf(out, "%schange with ", i ? "; " : "");
        history_page_date(out, machine->points[series->points[change->at]].date, 20);
        fprintf(out, ", %s to %s, p %.2g", say_value(series, change->before, before),
                say_value(series, change->after, after), change->p);
    }
    fputs("</figcaption>", out);
    write_picture(out, machine, series);
    fputs("</figure>\n", out);
}

static void write_jams(FILE *out, const struct history_machine *machine)
{
    if (!machine->failed)
        return;
    fprintf(out,
            "<h2>Failures</h2>\n<p>It failed as a device in %zu recording%s, of which %zu %s "
            "enough rounds before that to see whether it slowed down.\n",
            machine->failed, machine->failed == 1 ? "" : "s", machine->judged,
            machine->judged == 1 ? "has" : "have");
    for (size_t i = 0; i < machine->jam_count; i++) {
        const struct history_jam *jam = &machine->jams[i];

        fputs("<p class=\"alarm\">It slowed down before it failed: run ", out);
        markup_text(out, machine->points[jam->point].id);
        fprintf(out,
                ", recording %zu, round %" PRId64 ": %.0f %% of pairs slower in the last rounds, p "
                "%.2g\n",
                jam->recording, jam->round, 100 * jam->larger, jam->p);
    }
}

static void write_runs(FILE *out, const struct history_machine *machine)
{
    fputs("<h2>Runs</h2>\n<div class=\"scroll\"><table><thead><tr><th>date<th>run<th>bench"
          "<th>firmware<th>passed<th>failed</thead>\n",
          out);
    for (size_t i = machine->count; i-- > 0;) {
        const struct history_point *point = &machine->points[i];

        fputs("<tr><td class=\"t\">", out);
        history_page_date(out, point->date, 20);
        fputs("<td><code>", out);
        markup_text(out, point->id);
        fputs("</code>", out);
        history_page_cell(out, point->host);
        history_page_cell(out, point->firmware);
        fprintf(out, "<td class=\"n\">%" PRId64 "<td class=\"n%s\">%" PRId64 "\n",
                point->rounds.passed, point->rounds.failed ? " wrong" : "", point->rounds.failed);
    }
    fputs("</table></div>\n", out);
}

static void write_facts(FILE *out, const struct history_machine *machine)
{
    char runs[32], left[32], repeated[32];

    snprintf(runs, sizeof runs, "%zu", machine->count);
    snprintf(left, sizeof left, "%zu", machine->unverified);
    snprintf(repeated, sizeof repeated, "%zu", machine->repeated);
    fputs("<h1>", out);
    markup_text(out, machine->serial);
    fputs("</h1>\n<nav><a href=\"index.html\">the lab</a></nav>\n<table class=\"facts\">", out);
    html_fact(out, "Device", machine->name);
    html_fact(out, "Model", machine->model);
    html_fact(out, "Runs", runs);
    if (machine->count) {
        html_fact(out, "First", machine->points[0].date);
        html_fact(out, "Last", machine->points[machine->count - 1].date);
        html_fact(out, "Firmware", machine->points[machine->count - 1].firmware);
    }
    if (machine->unverified)
        html_fact(out, "Left out, since they do not verify", left);
    if (machine->repeated)
        html_fact(out, "Left out, with the lines of another run in virtual time", repeated);
    fputs("</table>\n", out);
    if (machine->hosts > 1 || machine->misdated)
        fprintf(out,
                "<p class=\"soft\">Runs of %zu bench%s, in the order of their own dates; %zu of "
                "them dated before one of the same bench that was imported earlier.\n",
                machine->hosts, machine->hosts == 1 ? "" : "es", machine->misdated);
}

static int add_flaky(void *context, const struct history_flaky *flaky)
{
    history_page_flaky(context, flaky);
    return 0;
}

int history_page_machine(struct store *store, const char *path,
                         const struct history_machine *machine, struct error *error)
{
    struct history_page page;
    int status = 0;

    history_page_begin(&page, "a machine");
    if (page.out) {
        write_facts(page.out, machine);
        fputs("<h2>Over time</h2>\n<div class=\"charts\">\n", page.out);
        for (size_t i = 0; i < machine->series_count; i++)
            if (machine->series[i].count)
                write_series(page.out, machine, &machine->series[i]);
        fputs("</div>\n", page.out);
        write_jams(page.out, machine);
        fputs("<h2>Flaky recordings</h2>\n<p>Passed, and did not, with the same "
              "firmware.</p>\n" HISTORY_PAGE_FLAKY_HEAD,
              page.out);
        status = history_flaky(store, machine->serial, add_flaky, page.out, error);
        fputs("</table></div>\n", page.out);
        write_runs(page.out, machine);
    }
    if (!status)
        return history_page_save(&page, path, error);
    fclose(page.out);
    free(page.text);
    return status;
}
