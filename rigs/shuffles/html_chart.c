/* SPDX-License-Identifier: GPL-3.0-or-later */
/* P-values on their axis, and what was counted against its exact law. */
#include <math.h>
#include <stdlib.h>

#include "games/shuffles/law.h"
#include "rigs/page/markup.h"
#include "rigs/page/page.h"
#include "rigs/shuffles/html.h"

#define NAMES_WIDTH 146
#define AXIS_WIDTH  214
#define AXIS_END    12 /* room for half of the last number */
#define ROW_HEIGHT  15
#define MARKS_TOP   34 /* the row of all marks and the numbers */
#define DECADES_MIN 4
#define DECADES_MAX 12

/* Tests that could be judged, the smallest p for its weight first. */
struct marks {
    double alpha;
    unsigned decades; /* of the axis, below 1 */
    size_t count;
    const struct shuffles_result *results[SHUFFLES_RESULTS_MAX];
    double threshold[SHUFFLES_RESULTS_MAX]; /* what p must not pass to be evidence */
};

static int by_weighed_p(const void *a, const void *b)
{
    const struct shuffles_result *first = *(const struct shuffles_result *const *)a;
    const struct shuffles_result *second = *(const struct shuffles_result *const *)b;
    double x = first->p / first->weight, y = second->p / second->weight;

    return (x > y) - (x < y);
}

static struct marks make_marks(const struct shuffles_report *report)
{
    struct marks marks = {.alpha = report->alpha, .decades = DECADES_MIN};
    double left = report->weight, least = 1;

    for (size_t i = 0; i < report->result_count; i++)
        if (shuffles_is_judged(&report->results[i]))
            marks.results[marks.count++] = &report->results[i];
    qsort(marks.results, marks.count, sizeof marks.results[0], by_weighed_p);
    for (size_t i = 0; i < marks.count; i++) {
        marks.threshold[i] = marks.alpha * marks.results[i]->weight / left;
        left -= marks.results[i]->weight;
        least = fmin(least, marks.results[i]->p);
    }
    while (marks.decades < DECADES_MAX && least < pow(10, -(double)marks.decades))
        marks.decades++;
    return marks;
}

/* What is smaller than the axis goes stands at its end. */
static double x_of(const struct marks *marks, double p)
{
    double decade = p > 0 ? fmin(-log10(p), marks->decades) : marks->decades;

    return NAMES_WIDTH + AXIS_WIDTH * (1 - decade / marks->decades);
}

static void write_axis(const struct marks *marks, double bottom, FILE *out)
{
    unsigned step = marks->decades > 6 ? 2 : 1;

    fputs("<g text-anchor=\"middle\">", out);
    for (unsigned i = 0; i <= marks->decades; i += step) {
        double x = x_of(marks, pow(10, -(double)i));

        fprintf(out, "<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%g\"/>", x, x,
                MARKS_TOP - 10, bottom);
        if (i < 4)
            fprintf(out, "<text x=\"%.1f\" y=\"10\">%g</text>", x, pow(10, -(double)i));
        else
            fprintf(out,
                    "<text x=\"%.1f\" y=\"10\">10<tspan class=\"power\" dy=\"-3\">\u2212%u"
                    "</tspan></text>",
                    x, i);
    }
    fputs("</g>", out);
}

/* A staircase between what is evidence, on its left, and what is not. */
static void write_thresholds(const struct marks *marks, FILE *out)
{
    fprintf(out, "<path class=\"holm\" d=\"M%d %d", NAMES_WIDTH, MARKS_TOP);
    for (size_t i = 0; i < marks->count; i++)
        fprintf(out, "H%.1fv%d", x_of(marks, marks->threshold[i]), ROW_HEIGHT);
    fprintf(out, "H%dz\"/><line class=\"limit\" x1=\"%.1f\" x2=\"%.1f\" y1=\"14\" y2=\"%zu\"/>",
            NAMES_WIDTH, x_of(marks, marks->alpha), x_of(marks, marks->alpha),
            MARKS_TOP + marks->count * ROW_HEIGHT);
}

static void write_mark(const struct marks *marks, size_t i, FILE *out)
{
    const struct shuffles_result *result = marks->results[i];
    const char *class = result->verdict == SHUFFLES_EVIDENCE ? "mark against" : "mark";
    double x = x_of(marks, result->p), y = MARKS_TOP + ((double)i + 0.5) * ROW_HEIGHT;

    fprintf(out, "<line class=\"%s\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/>", class, x, x,
            MARKS_TOP - 15, MARKS_TOP - 4);
    fprintf(out, "<circle class=\"%s\" cx=\"%.1f\" cy=\"%g\" r=\"3.5\"><title>", class, x, y);
    markup_text(out, result->name);
    fputs(": p ", out);
    shuffles_html_p(result->p, out);
    fprintf(out, "</title></circle><text%s x=\"%d\" y=\"%g\" text-anchor=\"end\">",
            result->verdict == SHUFFLES_EVIDENCE ? " class=\"over\"" : "", NAMES_WIDTH - 8,
            y + 3.5);
    markup_text(out, result->name);
    fputs("</text>", out);
}

void shuffles_html_marks(const struct shuffles_report *report, FILE *out)
{
    struct marks marks = make_marks(report);
    double bottom = MARKS_TOP + (double)marks.count * ROW_HEIGHT;

    if (!marks.count)
        return;
    fprintf(out,
            "<figure class=\"marks\"><figcaption><b>P-values</b>: in one row, then by test. Dashed "
            "is the significance of %g, shaded what Holm\u2019s correction leaves of it for each "
            "test by its weight: a mark in there is evidence.</figcaption>",
            marks.alpha);
    html_picture(out, NAMES_WIDTH + AXIS_WIDTH + AXIS_END, bottom + 4,
                 "the p-value of each test, on a logarithmic axis");
    write_axis(&marks, bottom, out);
    write_thresholds(&marks, out);
    for (size_t i = 0; i < marks.count; i++)
        write_mark(&marks, i, out);
    fputs("</svg></figure>\n", out);
}

#define CHART_WIDTH  280
#define CHART_HEIGHT 110
#define CHART_SIDE   12
#define CHART_FOOT   96
#define CHART_TOP    8
#define BARS_MAX     36
#define BARS_LEAST   8
#define NEVER_DUE    0.0005 /* of the highest: not worth a bar that nothing is in */

/* The values that are drawn, put together where there are more than bars. */
struct chart {
    const struct shuffles_bars *bars;
    size_t first, last, width; /* of values, and of a bar in values */
    double highest;            /* share of all orders in a bar, seen or due */
};

static double seen_in(const struct chart *chart, size_t start)
{
    uint64_t seen = 0;

    for (size_t i = start; i < start + chart->width && i < chart->bars->size; i++)
        seen += chart->bars->seen[i];
    return (double)seen / (double)chart->bars->total;
}

static double due_in(const struct chart *chart, size_t start)
{
    double due = 0;

    for (size_t i = start; i < start + chart->width && i < chart->bars->size; i++)
        due += chart->bars->chance[i];
    return due;
}

/* How many values go into a bar. */
static size_t round_width(size_t values)
{
    static const size_t widths[] = {1, 2, 5, 10, 20, 50, 100};
    size_t i = 0;

    while (i + 1 < sizeof widths / sizeof widths[0] && widths[i] * BARS_MAX < values)
        i++;
    return widths[i];
}

static struct chart make_chart(const struct shuffles_bars *bars)
{
    struct chart chart = {.bars = bars, .first = bars->size, .width = 1};
    double likeliest = 0;

    for (size_t i = 0; i < bars->size; i++)
        likeliest = fmax(likeliest, bars->chance[i]);
    for (size_t i = 0; i < bars->size; i++)
        if (bars->seen[i] || bars->chance[i] > likeliest * NEVER_DUE) {
            chart.first = i < chart.first ? i : chart.first;
            chart.last = i;
        }
    if (chart.last < chart.first + BARS_LEAST)
        chart.last = chart.first + BARS_LEAST;
    chart.width = round_width(chart.last - chart.first + 1);
    chart.first -= chart.first % chart.width;
    for (size_t i = chart.first; i <= chart.last; i += chart.width)
        chart.highest = fmax(chart.highest, fmax(seen_in(&chart, i), due_in(&chart, i)));
    return chart;
}

/* How wide a bar is drawn, and where one begins. */
static double bar_width(const struct chart *chart)
{
    return (CHART_WIDTH - 2.0 * CHART_SIDE) /
           (double)((chart->last - chart->first) / chart->width + 1);
}

static double bar_x(const struct chart *chart, size_t start)
{
    return CHART_SIDE + bar_width(chart) * (double)((start - chart->first) / chart->width);
}

static double height_of(const struct chart *chart, double share)
{
    return share / chart->highest * (CHART_FOOT - CHART_TOP);
}

static void write_bars(const struct chart *chart, FILE *out)
{
    double width = bar_width(chart);

    for (size_t i = chart->first; i <= chart->last; i += chart->width)
        if (seen_in(chart, i) > 0)
            html_bar(out, round(10 * (bar_x(chart, i) + width * 0.1)) / 10, CHART_FOOT,
                     round(10 * width * 0.8) / 10, height_of(chart, seen_in(chart, i)));
}

static void write_law(const struct chart *chart, FILE *out)
{
    fputs("<polyline class=\"law\" points=\"", out);
    for (size_t i = chart->first; i <= chart->last; i += chart->width)
        html_point(out, bar_x(chart, i) + bar_width(chart) / 2,
                   CHART_FOOT - height_of(chart, due_in(chart, i)));
    fputs("\"/>", out);
}

/* About eight numbers below: in the middle of a bar, or where one of many values begins. */
static void write_values(const struct chart *chart, FILE *out)
{
    size_t bars = (chart->last - chart->first) / chart->width + 1;
    size_t step = chart->width * ((bars + 7) / 8);

    fputs("<g text-anchor=\"middle\">", out);
    for (size_t i = chart->first; i <= chart->last; i += step)
        fprintf(out, "<text x=\"%.1f\" y=\"%d\">%zu</text>",
                bar_x(chart, i) + (chart->width > 1 ? 0 : bar_width(chart) / 2), CHART_HEIGHT - 3,
                i);
    fputs("</g>", out);
}

static double mean_seen(const struct shuffles_bars *bars)
{
    double sum = 0;

    for (size_t i = 0; i < bars->size; i++)
        sum += (double)i * (double)bars->seen[i];
    return sum / (double)bars->total;
}

void shuffles_html_histogram(const struct shuffles_bars *bars, FILE *out)
{
    struct chart chart;

    if (!bars->total)
        return;
    chart = make_chart(bars);
    fputs("<figure class=\"histogram\"><figcaption><b>", out);
    markup_text(out, bars->name);
    fprintf(out, "</b><small>mean %.4g, due %.4g</small></figcaption>", mean_seen(bars),
            law_moments(bars->chance, bars->size).mean);
    html_picture(out, CHART_WIDTH, CHART_HEIGHT, bars->name);
    write_bars(&chart, out);
    write_law(&chart, out);
    write_values(&chart, out);
    fputs("</svg></figure>\n", out);
}
