/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/report/html/shuffles.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "rigs/shuffles/html.h"
#include "rigs/shuffles/journal.h"

struct report_shuffles {
    struct shuffles_journal journal;
    struct shuffles *shuffles; /* NULL until there is an order */
    bool is_short;             /* there was no memory for it */
};

static bool take(void *context, const struct shuffles_order *order)
{
    struct report_shuffles *shuffled = context;

    if (!shuffled->shuffles)
        shuffled->shuffles = shuffles_new();
    shuffled->is_short |= !shuffled->shuffles;
    return shuffled->shuffles && !shuffles_add(shuffled->shuffles, order, NULL);
}

void report_shuffles_free(struct report_shuffles *shuffled)
{
    if (!shuffled)
        return;
    shuffles_free(shuffled->shuffles);
    free(shuffled);
}

bool report_shuffles_see(struct report *report, const struct journal_line *line)
{
    struct report_shuffles *shuffled = report->shuffled;

    if (!shuffled) {
        shuffled = report->shuffled = calloc(1, sizeof *shuffled);
        if (!shuffled)
            return false;
        shuffled->journal.take = take;
        shuffled->journal.context = shuffled;
    }
    shuffles_journal_see(&shuffled->journal, line);
    return !shuffled->is_short;
}

bool report_shuffles_any(const struct report *report)
{
    return report->shuffled && report->shuffled->shuffles &&
           shuffles_count(report->shuffled->shuffles);
}

static void write_count(const struct report_shuffles *shuffled, FILE *out)
{
    uint64_t count = shuffles_count(shuffled->shuffles);

    fprintf(out, "<p>%" PRIu64 " round%s dealt in an order that the shuffler made itself. ", count,
            count == 1 ? " was" : "s were");
    if (shuffled->journal.left)
        fprintf(out, "Of %" PRIu64 " more the cards are not known well enough. ",
                shuffled->journal.left);
}

/* How many rounds the run was to have that count here; 0: nobody said so. */
static uint64_t declared_rounds(const struct report *report)
{
    const struct report_recording first = report_recording_at(report, 0);
    int64_t rounds =
        json_int(report->shuffled->journal.is_virtual || !json_member(report->start, "rounds")
                     ? json_member(first.fields, "rounds")
                     : json_member(report->start, "rounds"));

    return rounds > 0 ? (uint64_t)rounds : 0;
}

static const struct json_value *find_shuffler(const struct report *report)
{
    for (size_t i = 0; i < report->device_count; i++)
        if (!strcmp(report_text(report->devices[i].fields, "name"), SHUFFLES_JOURNAL_DEVICE))
            return report->devices[i].fields;
    return NULL;
}

static struct shuffles_page page_of(const struct report *report,
                                    const struct shuffles_report *judged)
{
    const struct report_shuffles *shuffled = report->shuffled;
    const struct json_value *device = find_shuffler(report);
    struct shuffles_page page = {.shuffles = shuffled->shuffles,
                                 .report = judged,
                                 .device = report_text(device, "model"),
                                 .firmware = report_text(device, "firmware"),
                                 .from = report->journals[0].path,
                                 .recorded = report_text(report->start, "date"),
                                 .digest = "",
                                 .declared = declared_rounds(report),
                                 .looks = SHUFFLES_ALPHA};

    page.dealt = shuffles_count(shuffled->shuffles) + shuffled->journal.left;
    if (!report->end)
        page.stage = page.declared && page.dealt >= page.declared ? SHUFFLES_ALL : SHUFFLES_COMING;
    else if (page.dealt < page.declared)
        page.stage = SHUFFLES_CUT_SHORT;
    return page;
}

/* Somebody may have looked at the page of the run after each round. */
static void judge(const struct shuffles_page *page, struct shuffles_report *judged)
{
    shuffles_judge(page->shuffles,
                   shuffles_look(page->looks, page->stage, page->declared, page->dealt), judged);
}

void html_shuffles(FILE *out, const struct report *report)
{
    struct shuffles_report judged;
    struct shuffles_page page;

    if (!report_shuffles_any(report))
        return;
    page = page_of(report, &judged);
    judge(&page, &judged);
    fputs("<h2 id=\"shuffles\">Shuffles</h2>\n", out);
    write_count(report->shuffled, out);
    shuffles_html_sentence(&judged, out);
    putc('\n', out);
    shuffles_html_declared(&page, out);
    if (judged.verdict != SHUFFLES_TOO_FEW)
        shuffles_html_section(&page, out);
}

bool report_shuffles_page(const struct report *report, FILE *out)
{
    struct shuffles_report judged;
    struct shuffles_page page;

    if (!report_shuffles_any(report))
        return false;
    page = page_of(report, &judged);
    judge(&page, &judged);
    shuffles_html_page(&page, out);
    return true;
}
