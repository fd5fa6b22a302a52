/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page and the section: words, tables and the order of the pictures. */
#include "rigs/shuffles/html.h"

#include <inttypes.h>
#include <string.h>

#include "games/shuffles/places.h"
#include "hal/base/embed.h"
#include "hal/base/plural.h"
#include "rigs/page/markup.h"
#include "rigs/page/page.h"
#include "rigs/shuffles/power.h"
#include "rigs/shuffles/theory.h"

/* Its map is blue and orange, which colour-blind people can tell apart. */
EMBED_TEXT(shuffles_page_css, "rigs/shuffles/page.css");
const char *const shuffles_html_style = shuffles_page_css;

/* By verdict: the colour, and the word in a table. */
static const struct {
    const char *class, *word;
} shown[] = {
    [SHUFFLES_NO_EVIDENCE] = {"pass", "none"},
    [SHUFFLES_EVIDENCE] = {"fail", "evidence"},
    [SHUFFLES_TOO_FEW] = {"few", "too few"},
    [SHUFFLES_UNKNOWN] = {"unknown", "not known"},
};

void shuffles_html_p(double p, FILE *out)
{
    if (p >= 1e-4)
        fprintf(out, "%.4f", p);
    else if (p >= 1e-300)
        fprintf(out, "%.1e", p);
    else
        fputs("&lt; 1e-300", out);
}

static size_t count_verdicts(const struct shuffles_report *report, enum shuffles_verdict verdict)
{
    size_t count = 0;

    for (size_t i = 0; i < report->result_count; i++)
        count += report->results[i].verdict == verdict;
    return count;
}

static void write_names(const struct shuffles_report *report, enum shuffles_verdict verdict,
                        FILE *out)
{
    const char *between = "";

    for (size_t i = 0; i < report->result_count; i++)
        if (report->results[i].verdict == verdict) {
            fputs(between, out);
            markup_text(out, report->results[i].name);
            if (verdict == SHUFFLES_TOO_FEW)
                fprintf(out, " (%" PRIu64 ")", report->results[i].needed);
            between = ", ";
        }
}

static void write_few(const struct shuffles_report *report, FILE *out)
{
    size_t few = count_verdicts(report, SHUFFLES_TOO_FEW);

    if (!few)
        return;
    fprintf(out, "%zu test%s more shuffles than there are: ", few, few == 1 ? " needs" : "s need");
    write_names(report, SHUFFLES_TOO_FEW, out);
    fputs(". ", out);
}

bool shuffles_is_new_reason(const struct shuffles_report *report, size_t i)
{
    if (report->results[i].verdict != SHUFFLES_UNKNOWN)
        return false;
    for (size_t j = 0; j < i; j++)
        if (report->results[j].verdict == SHUFFLES_UNKNOWN &&
            !strcmp(report->results[j].uses, report->results[i].uses))
            return false;
    return true;
}

void shuffles_put_unmade(const struct shuffles_report *report, size_t i, FILE *out)
{
    const char *between = "";

    for (size_t j = i; j < report->result_count; j++)
        if (report->results[j].verdict == SHUFFLES_UNKNOWN &&
            !strcmp(report->results[j].uses, report->results[i].uses)) {
            fprintf(out, "%s%s", between, report->results[j].name);
            between = ", ";
        }
}

/* Each reason once; names and reasons are the program's own. */
static void write_unmade(const struct shuffles_report *report, FILE *out)
{
    size_t unmade = count_verdicts(report, SHUFFLES_UNKNOWN);
    const char *between = ": ";

    if (!unmade)
        return;
    fprintf(out, " %zu test%s could not be made", unmade, plural(unmade));
    for (size_t i = 0; i < report->result_count; i++)
        if (shuffles_is_new_reason(report, i)) {
            fprintf(out, "%s%s (", between, report->results[i].uses);
            shuffles_put_unmade(report, i, out);
            putc(')', out);
            between = "; ";
        }
    fputs(".", out);
}

void shuffles_html_sentence(const struct shuffles_report *report, FILE *out)
{
    if (report->verdict == SHUFFLES_EVIDENCE) {
        size_t against = count_verdicts(report, SHUFFLES_EVIDENCE);

        fprintf(out, "A uniform shuffler would hardly deal so: %zu of %zu test%s find%s evidence (",
                against, report->judged, plural(report->judged), against == 1 ? "s" : "");
        write_names(report, SHUFFLES_EVIDENCE, out);
        fprintf(out, "), where all of them together would blame one in %g uniform shufflers. ",
                1 / report->alpha);
        write_few(report, out);
        write_unmade(report, out);
        return;
    }
    if (report->verdict == SHUFFLES_TOO_FEW)
        fputs("There are too few shuffles to say. ", out);
    write_few(report, out);
    if (report->judged)
        fprintf(out,
                "Nothing was found that a uniform shuffler would not do, in %zu test%s at a "
                "significance of %g for all of them together.",
                report->judged, plural(report->judged), report->alpha);
    write_unmade(report, out);
}

static const char *was(uint64_t count)
{
    return count == 1 ? "was" : "were";
}

/* Of a rig: nothing was shown before the end. */
static void write_dealt(const struct shuffles_page *page, FILE *out)
{
    fprintf(out,
            "<p class=\"%s\">%" PRIu64 " of %" PRIu64 " shuffle%s that %s declared beforehand "
            "%s dealt.",
            page->stage == SHUFFLES_ALL ? "soft" : "alarm", page->dealt, page->declared,
            plural(page->declared), was(page->declared), was(page->dealt));
    if (page->stage == SHUFFLES_CUT_SHORT)
        fputs(" Nothing was shown before, so that the significance stands; what it cost is that so "
              "many show less, by what stands beside each test.",
              out);
    putc('\n', out);
}

/* Whoever looks again and again, and stops when it pleases, finds evidence more often than alpha.
 */
void shuffles_html_declared(const struct shuffles_page *page, FILE *out)
{
    double last = shuffles_look(page->looks, SHUFFLES_ALL, page->declared, page->dealt);

    if (!(page->looks > 0)) {
        if (page->declared)
            write_dealt(page, out);
        return;
    }
    fprintf(out, "<p class=\"%s\">%s", page->stage == SHUFFLES_ALL ? "soft" : "alarm",
            page->stage == SHUFFLES_COMING ? "So far: " : "");
    if (!page->declared) {
        fprintf(out,
                "it was not declared how many rounds there will be, so that each may be the last: "
                "of a significance of %g, after %" PRIu64 " round%s %.2g is left for this look.\n",
                page->looks, page->dealt, page->dealt == 1 ? "" : "s", last);
        return;
    }
    fprintf(out, "%" PRIu64 " of %" PRIu64 " round%s that %s declared beforehand %s dealt. ",
            page->dealt, page->declared, plural(page->declared), was(page->declared),
            was(page->dealt));
    if (page->stage == SHUFFLES_ALL)
        fprintf(out, "Of a significance of %g, %g is for the end and the rest for looks before.\n",
                page->looks, last);
    else if (page->stage == SHUFFLES_COMING)
        fprintf(out,
                "The verdict counts when all have come, at %g. Until then each look has its share "
                "of what is left of %g: %.2g.\n",
                last, page->looks, page->report->alpha);
    else
        fprintf(out,
                "The run was stopped before, maybe for what it showed. That costs: it is judged as "
                "one look among many, at %.2g, and not at %g; and so many show less.\n",
                page->report->alpha, last);
}

static void write_figures(const struct shuffles_result *result, FILE *out)
{
    fprintf(out, "<td class=\"n\">%.4g<small>%s</small><td class=\"n\">", result->statistic,
            shuffles_law_names[result->law]);
    if (result->df > 0)
        fprintf(out, "%.0f", result->df);
    fputs("<td class=\"n\">", out);
    shuffles_html_p(result->p, out);
    fprintf(out, "<td class=\"n%s\">", result->verdict == SHUFFLES_EVIDENCE ? " wrong" : "");
    shuffles_html_p(result->holm, out);
}

static void write_result(const struct shuffles_result *result, FILE *out)
{
    fputs("<tr><th scope=\"row\"><b>", out);
    markup_text(out, result->name);
    fputs("</b><small>would catch ", out);
    markup_text(out, result->catches);
    fprintf(out, "</small><td><span class=\"v %s\">%s</span>", shown[result->verdict].class,
            shown[result->verdict].word);
    if (result->verdict == SHUFFLES_UNKNOWN)
        fputs("<td><td>", out);
    else
        fprintf(out, "<td class=\"n\">%" PRIu64 "<td class=\"n\">%" PRIu64, result->count,
                result->needed);
    if (shuffles_is_judged(result))
        write_figures(result, out);
    else
        fputs("<td><td><td><td>", out);
    fputs("<td class=\"why\">", out);
    markup_text(out, result->says);
    fputs("<small>", out);
    markup_text(out, result->uses);
    fputs("</small><td class=\"why\">", out);
    markup_text(out, shuffles_is_judged(result) ? result->shows : "");
    putc('\n', out);
}

static void write_results(const struct shuffles_report *report, FILE *out)
{
    fputs("<h3>Every test</h3><div class=\"scroll\"><table class=\"tests\"><thead><tr>"
          "<th scope=\"col\">Test<th scope=\"col\">Evidence<th scope=\"col\">Used"
          "<th scope=\"col\">Needed<th scope=\"col\">Statistic<th scope=\"col\">df"
          "<th scope=\"col\">p<th scope=\"col\">Holm<th scope=\"col\">Found"
          "<th scope=\"col\">So many show, nine times in ten<tbody>\n",
          out);
    for (size_t i = 0; i < report->result_count; i++)
        write_result(&report->results[i], out);
    fputs("</table></div>\n", out);
}

static void write_histograms(const struct shuffles *shuffles, FILE *out)
{
    if (!shuffles_whole(shuffles))
        return;
    fputs("<h3>Counted in each shuffle</h3>\n<p class=\"soft\"><span class=\"key\"></span>shuffles "
          "that came to a value, <span class=\"key line\"></span>the exact law of a uniform one\n"
          "<div class=\"charts\">\n",
          out);
    for (size_t i = 0; i < SHUFFLES_HISTOGRAMS; i++) {
        struct shuffles_bars bars = shuffles_bars(shuffles, (enum shuffles_histogram)i);

        shuffles_html_histogram(&bars, out);
    }
    fputs("</div>\n", out);
}

/* What these orders could have shown of a machine for which theory needs so many of them. */
static const char *here(const struct shuffles_report *report, const struct shuffle_method *method,
                        uint64_t needed)
{
    uint64_t moves = report->before + report->previous;

    if (method->kind == SHUFFLE_STUCK)
        return report->count >= needed ? "would be found out" : "more are needed";
    if (!report->whole)
        return "not known: no whole order is";
    if (!moves)
        return "not known: what went in is not";
    if (moves < needed)
        return "more are needed";
    return report->before >= needed ? "would be found out"
                                    : "would be found out, if cards go back as they came";
}

/* How many shuffles it takes to find evidence against common machines. */
static void write_theory(const struct shuffles_report *report, FILE *out)
{
    static const struct {
        const char *method, *words;
    } machines[] = {
        {"riffle:5", "five riffles"},
        {"riffle:7", "seven riffles"},
        {"riffle:8", "eight riffles"},
        {"shelf:10", "ten shelves"},
        {"shelf:50", "fifty shelves"},
        {"stuck:100", "a hundred orders that come round"},
        {"bias:0.1", "a top card that stays one time in ten"},
        {"bias:0.02", "a top card that stays one time in fifty"},
    };

    fprintf(out,
            "<h3>What these would have found out</h3>\n<p class=\"soft\">Whole shuffles, with what "
            "went in, that theory needs for a machine with a known flaw, at the same significance "
            "and nineteen times in twenty. Here %" PRIu64 " are whole; what went in is known of "
            "%" PRIu64 ", and of %" PRIu64 " more the order dealt before had to stand for it."
            "\n<div class=\"scroll\"><table><thead><tr>"
            "<th scope=\"col\">Machine<th scope=\"col\">Needed<th scope=\"col\">Here<tbody>\n",
            report->whole, report->before, report->previous);
    for (size_t i = 0; i < sizeof machines / sizeof machines[0]; i++) {
        struct shuffle_method method;
        uint64_t needed;

        if (shuffle_method_parse(machines[i].method, strlen(machines[i].method), &method, NULL) ||
            shuffles_power_needed(&method, report->alpha, &needed, NULL))
            continue;
        fprintf(out, "<tr><th scope=\"row\">%s<td class=\"n\">%" PRIu64 "<td>%s\n",
                machines[i].words, needed, here(report, &method, needed));
    }
    fputs("</table></div>\n", out);
}

void shuffles_html_section(const struct shuffles_page *page, FILE *out)
{
    fputs("<div class=\"pictures\">\n", out);
    shuffles_html_map(page->shuffles, out);
    shuffles_html_marks(page->report, out);
    fputs("</div>\n", out);
    if (page->report->count < PLACES_ORDERS_MIN)
        fprintf(out,
                "<p class=\"soft\">A map of places and cards is drawn from %ju shuffles on; there "
                "are %" PRIu64 ".\n",
                (uintmax_t)PLACES_ORDERS_MIN, page->report->count);
    write_histograms(page->shuffles, out);
    write_results(page->report, out);
    shuffles_html_tables(page->shuffles, out);
}

static void write_banner(const struct shuffles_page *page, FILE *out)
{
    const struct shuffles_report *report = page->report;
    const char *class = shown[report->verdict].class;

    fprintf(out, "<header class=\"top %s\"><h1><span class=\"v %s\">%s%s</span> ", class, class,
            shuffles_verdict_names[report->verdict],
            page->stage == SHUFFLES_COMING ? ", so far" : "");
    fprintf(out, "%" PRIu64 " shuffle%s", report->count, report->count == 1 ? "" : "s");
    if (*page->device) {
        fputs(" of ", out);
        markup_text(out, page->device);
    }
    fputs("</h1>\n<p>", out);
    shuffles_html_sentence(report, out);
    fputs("\n</header>\n", out);
    shuffles_html_declared(page, out);
}

static void write_tiles(const struct shuffles_page *page, FILE *out)
{
    const struct shuffles_report *report = page->report;
    size_t against = count_verdicts(report, SHUFFLES_EVIDENCE);
    size_t few = count_verdicts(report, SHUFFLES_TOO_FEW);

    fputs("<ul class=\"tiles\">\n", out);
    if (page->recordings)
        html_tile(out, "", page->recordings, page->recordings == 1 ? "recording" : "recordings");
    html_tile(out, "", report->count, "shuffles");
    html_tile(out, "", report->whole, "with all their cards");
    html_tile(out, "", report->judged, "tests judged");
    html_tile(out, against ? "fail" : "", against, "find evidence");
    html_tile(out, few ? "few" : "", few, "need more shuffles");
    fprintf(out, "<li><b>%g</b>significance\n</ul>\n", report->alpha);
}

static void write_before(const struct shuffles_report *report, FILE *out)
{
    char text[160];

    snprintf(text, sizeof text,
             "known of %" PRIu64 " of %" PRIu64 " shuffle%s; of %" PRIu64
             " the order dealt before stands for it",
             report->before, report->count, plural(report->count), report->previous);
    html_fact(out, "Order that went in", text);
}

static void write_facts(const struct shuffles_page *page, FILE *out)
{
    fputs("<h2 id=\"judged\">What was judged</h2><div class=\"scroll\"><table class=\"facts\">\n",
          out);
    html_fact(out, "Device", page->device);
    html_fact(out, "Firmware", page->firmware);
    html_fact(out, page->recordings > 1 ? "First recording" : "From", page->from);
    html_fact(out, "Recorded", *page->recorded || !page->recordings ? page->recorded : "not said");
    html_fact(out, page->recordings > 1 ? "SHA-256 of the list of their digests" : "SHA-256",
              page->digest);
    write_before(page->report, out);
    html_fact(out, "dealproof", DEALPROOF_VERSION);
    fputs("</table></div>\n", out);
}

void shuffles_html_page(const struct shuffles_page *page, FILE *out)
{
    html_head(out, shuffles_verdict_names[page->report->verdict], shuffles_html_style);
    write_banner(page, out);
    write_tiles(page, out);
    shuffles_html_section(page, out);
    if (page->report->count)
        write_theory(page->report, out);
    write_facts(page, out);
    fputs("</body></html>\n", out);
}
