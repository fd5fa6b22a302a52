/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "games/money.h"
#include "rigs/page/markup.h"
#include "rigs/report/html/html.h"

#define CURVE_WIDTH  240
#define CURVE_HEIGHT 60
#define CURVE_MARGIN 4

#define BAR_WIDTH    30
#define BARS_LEAST   9 /* so that a caption has room beside it */
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
    snprintf(shows, sizeof shows, "meter %s over %ju rounds", meter->name, (uintmax_t)meter->seen);
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

static double bar_height(const struct report_timing *timing, const struct bars *bars, size_t i)
{
    return bars->highest ? (double)timing->buckets[i] * (BARS_HEIGHT - 2 * LABEL_HEIGHT) /
                               (double)bars->highest
                         : 0;
}

static void write_bars(FILE *out, const struct report_timing *timing, const struct bars *bars)
{
    for (size_t i = bars->first; i <= bars->last; i++) {
        double height = bar_height(timing, bars, i);

        if (timing->buckets[i])
            html_bar(out, (double)((i - bars->first) * BAR_WIDTH + 2), BARS_HEIGHT, BAR_WIDTH - 4,
                     height);
    }
}

/* How often over each bar, and below every second one where it begins. */
static void write_labels(FILE *out, const struct report_timing *timing, const struct bars *bars)
{
    for (size_t i = bars->first; i <= bars->last; i++) {
        size_t x = (i - bars->first) * BAR_WIDTH;
        char text[DURATION_TEXT_SIZE];

        if (timing->buckets[i])
            fprintf(out, "<text x=\"%zu\" y=\"%.1f\" text-anchor=\"middle\">%ju</text>",
                    x + BAR_WIDTH / 2, BARS_HEIGHT - bar_height(timing, bars, i) - 3,
                    (uintmax_t)timing->buckets[i]);
        if ((i - bars->first) % 2 == 0)
            fprintf(out, "<text x=\"%zu\" y=\"%d\">%s</text>", x, BARS_HEIGHT + LABEL_HEIGHT - 4,
                    i ? report_duration(report_bucket_start(i), text) : "0");
    }
}

/* Within its bucket the limit stands where its value is. */
static void write_limit(FILE *out, const struct report_timing *timing, const struct bars *bars)
{
    char text[DURATION_TEXT_SIZE];

    for (size_t i = bars->first; timing->limit && i <= bars->last; i++) {
        nanos_t start = report_bucket_start(i);
        nanos_t end = i + 1 < REPORT_BUCKETS ? report_bucket_start(i + 1) : NEVER;
        double x = (double)(i - bars->first) * BAR_WIDTH +
                   BAR_WIDTH * (double)(timing->limit - start) / (double)(end - start);

        if (timing->limit >= start && timing->limit < end)
            fprintf(out,
                    "<line class=\"limit\" x1=\"%.1f\" x2=\"%.1f\" y1=\"0\" y2=\"%d\"/>"
                    "<text class=\"over\" x=\"%.1f\" y=\"11\">%s</text>",
                    x, x, BARS_HEIGHT, x + 4, report_duration(timing->limit, text));
    }
}

void html_timing(FILE *out, const struct report *report, const struct report_timing *timing)
{
    struct bars bars = find_bars(timing);
    size_t width = (bars.last - bars.first + 1) * BAR_WIDTH;
    const struct report_round slowest = report_round_at(report, timing->slowest_round);
    char text[DURATION_TEXT_SIZE];

    fputs("<figure><figcaption><b>", out);
    markup_text(out, timing->name);
    fprintf(out, "</b>: %ju measured, half within %s,<br>slowest ", (uintmax_t)timing->count,
            report_duration(report_timing_median(timing), text));
    fprintf(out, "%s in <a href=\"#recording-%zu\">round %jd</a>",
            report_duration(timing->slowest, text), slowest.recording + 1,
            (intmax_t)slowest.number);
    if (timing->limit)
        fprintf(out, ", allowed %s", report_duration(timing->limit, text));
    fputs("</figcaption>", out);
    html_picture(out, (double)width, BARS_HEIGHT + LABEL_HEIGHT,
                 "how often each duration was measured");
    write_bars(out, timing, &bars);
    write_limit(out, timing, &bars);
    write_labels(out, timing, &bars);
    fputs("</svg></figure>\n", out);
}
