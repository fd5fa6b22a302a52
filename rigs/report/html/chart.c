/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "games/money.h"
#include "hal/base/plural.h"
#include "rigs/page/markup.h"
#include "rigs/report/html/html.h"

#define CURVE_WIDTH  240
#define CURVE_HEIGHT 60
#define CURVE_MARGIN 4

#define BAR_WIDTH    30
#define BAR_GAP      1.5 /* on each side */
#define BAR_LEAST    8   /* of a part of one that the limit divides, with its gaps */
#define BARS_LEAST   9   /* so that a caption has room beside it */
#define BARS_HEIGHT  90
#define LABEL_HEIGHT 16

static void write_dollars(FILE *out, micros_t value)
{
    fprintf(out, "$%jd.%02jd", (intmax_t)(value / MICROS_PER_DOLLAR),
            (intmax_t)(value % MICROS_PER_DOLLAR / MICROS_PER_CENT));
}

static void write_points(FILE *out, const struct report_meter *meter, micros_t low, micros_t high)
{
    double span = high > low ? (double)(high - low) : 1;

    for (size_t i = 0; i < meter->count; i++) {
        double x = CURVE_MARGIN +
                   (double)i * (CURVE_WIDTH - 2 * CURVE_MARGIN) / (double)(meter->count - 1);
        double y = CURVE_HEIGHT - CURVE_MARGIN -
                   (double)(meter->values[i] - low) * (CURVE_HEIGHT - 2 * CURVE_MARGIN) / span;

        html_point(out, x, y);
    }
}

static void write_curve(FILE *out, const struct report_meter *meter)
{
    micros_t low = meter->values[0], high = meter->values[0];
    char shows[sizeof meter->name + 48];

    for (size_t i = 1; i < meter->count; i++) {
        low = meter->values[i] < low ? meter->values[i] : low;
        high = meter->values[i] > high ? meter->values[i] : high;
    }
    fputs("<figure><figcaption>meter <b>", out);
    markup_text(out, meter->name);
    fputs("</b>, ", out);
    write_dollars(out, low);
    fputs(" to ", out);
    write_dollars(out, high);
    fputs("</figcaption>", out);
    snprintf(shows, sizeof shows, "meter %s over %ju round%s", meter->name, (uintmax_t)meter->seen,
             plural(meter->seen));
    html_picture(out, CURVE_WIDTH, CURVE_HEIGHT, shows);
    fprintf(out, "<polygon class=\"area\" points=\"%d,%d", CURVE_MARGIN, CURVE_HEIGHT);
    write_points(out, meter, low, high);
    fprintf(out, " %d,%d\"/><polyline class=\"curve\" points=\"", CURVE_WIDTH - CURVE_MARGIN,
            CURVE_HEIGHT);
    write_points(out, meter, low, high);
    fputs("\"/></svg></figure>\n", out);
}

void html_meters(FILE *out, const struct report_recording *recording)
{
    if (!recording->meter_count || recording->meters[0].count < 3)
        return;
    fputs("<div class=\"charts\">\n", out);
    for (size_t i = 0; i < recording->meter_count; i++)
        if (recording->meters[i].count > 1)
            write_curve(out, &recording->meters[i]);
    fputs("</div>\n", out);
}

struct bars {
    size_t first, last; /* buckets that are drawn */
    uint64_t highest;
};

/* The buckets that hold something and the one of the limit, with neighbours on each side. */
static struct bars find_bars(const struct report_timing *timing)
{
    struct bars bars = {.first = REPORT_BUCKETS};

    for (size_t i = 0; i < REPORT_BUCKETS; i++) {
        bool limit = timing->limit && timing->limit >= report_bucket_start(i) &&
                     (i + 1 == REPORT_BUCKETS || timing->limit < report_bucket_start(i + 1));

        if (!timing->buckets[i] && !limit)
            continue;
        bars.first = i < bars.first ? i : bars.first;
        bars.last = i;
        if (timing->buckets[i] > bars.highest)
            bars.highest = timing->buckets[i];
    }
    do {
        bars.first -= bars.first > 0;
        bars.last += bars.last + 1 < REPORT_BUCKETS;
    } while (bars.last - bars.first + 1 < BARS_LEAST);
    return bars;
}

/*
 * Where the limit stands within its bucket: where its value is, but so far from the edges that a
 * bar on the side where something was measured can be seen. Negative for the other buckets.
 */
static double limit_in(const struct report_timing *timing, size_t bucket)
{
    nanos_t start = report_bucket_start(bucket);
    nanos_t end = bucket + 1 < REPORT_BUCKETS ? report_bucket_start(bucket + 1) : NEVER;
    double least = timing->buckets[bucket] > timing->late ? BAR_LEAST : 0;
    double most = BAR_WIDTH - (timing->late ? BAR_LEAST : 0);
    double x;

    if (!timing->limit || timing->limit < start || timing->limit >= end)
        return -1;
    x = BAR_WIDTH * (double)(timing->limit - start) / (double)(end - start);
    return x < least ? least : x > most ? most : x;
}

/* A bar between two places of a bucket, with how often over it. */
static void write_bar(FILE *out, const struct bars *bars, uint64_t count, double from, double to)
{
    double height = bars->highest
                        ? (double)count * (BARS_HEIGHT - 2 * LABEL_HEIGHT) / (double)bars->highest
                        : 0;

    if (!count)
        return;
    html_bar(out, from + BAR_GAP, BARS_HEIGHT, to - from - 2 * BAR_GAP, height);
    fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%ju</text>", (from + to) / 2,
            BARS_HEIGHT - height - 3, (uintmax_t)count);
}

/* No bar crosses the limit: what was within it stands before it, what was not behind it. */
static void write_bars(FILE *out, const struct report_timing *timing, const struct bars *bars)
{
    for (size_t i = bars->first; i <= bars->last; i++) {
        double x = (double)((i - bars->first) * BAR_WIDTH), limit = limit_in(timing, i);

        if (limit < 0) {
            write_bar(out, bars, timing->buckets[i], x, x + BAR_WIDTH);
            continue;
        }
        write_bar(out, bars, timing->buckets[i] - timing->late, x, x + limit);
        write_bar(out, bars, timing->late, x + limit, x + BAR_WIDTH);
    }
}

/* Below every second bucket where it begins. */
static void write_labels(FILE *out, const struct bars *bars)
{
    for (size_t i = bars->first; i <= bars->last; i += 2) {
        char text[DURATION_TEXT_SIZE];

        fprintf(out, "<text x=\"%zu\" y=\"%d\">%s</text>", (i - bars->first) * BAR_WIDTH,
                BARS_HEIGHT + LABEL_HEIGHT - 4,
                i ? report_duration(report_bucket_start(i), text) : "0");
    }
}

static void write_limit(FILE *out, const struct report_timing *timing, const struct bars *bars)
{
    char text[DURATION_TEXT_SIZE];

    for (size_t i = bars->first; i <= bars->last; i++) {
        double limit = limit_in(timing, i), x = (double)(i - bars->first) * BAR_WIDTH + limit;

        if (limit >= 0)
            fprintf(out,
                    "<line class=\"limit\" x1=\"%.1f\" x2=\"%.1f\" y1=\"0\" y2=\"%d\"/>"
                    "<text class=\"over\" x=\"%.1f\" y=\"11\">%s</text>",
                    x, x, BARS_HEIGHT, x + 4, report_duration(timing->limit, text));
    }
}

void html_timing(FILE *out, const struct report *report, const struct report_timing *timing,
                 const struct html_shown *shown)
{
    struct bars bars = find_bars(timing);
    size_t width = (bars.last - bars.first + 1) * BAR_WIDTH;
    char text[DURATION_TEXT_SIZE];

    fputs("<figure><figcaption><b>", out);
    markup_text(out, timing->name);
    fprintf(out, "</b>: %ju measured, half within %s", (uintmax_t)timing->count,
            report_duration(report_timing_median(timing), text));
    if (timing->limit)
        fprintf(out, ", allowed %s", report_duration(timing->limit, text));
    fputs("<br>slowest ", out);
    fprintf(out, "%s in ", report_duration(timing->slowest, text));
    html_round_link(out, report, timing->slowest_round, shown);
    fputs("</figcaption>", out);
    html_picture(out, (double)width, BARS_HEIGHT + LABEL_HEIGHT,
                 "how often each duration was measured");
    write_limit(out, timing, &bars);
    write_bars(out, timing, &bars);
    write_labels(out, &bars);
    fputs("</svg></figure>\n", out);
}
