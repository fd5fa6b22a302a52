/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lab at a glance: what there is, the machines, flaky recordings, the latest runs. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rigs/history/pages/pages.h"
#include "rigs/page/markup.h"
#include "rigs/page/page.h"

/* The rows of the latest runs, in a ring. */
struct latest {
    char *rows[HISTORY_PAGE_RUNS];
    size_t count, passed, cut_off, unverified;
    bool is_short;
};

static char *make_row(const struct history_found *run)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);

    if (!out)
        return NULL;
    fputs("<tr><td class=\"t\">", out);
    markup_text(out, run->date);
    history_page_verdict(out, run->verdict);
    fprintf(out, "<td class=\"n\">%" PRId64 "<td class=\"n%s\">%" PRId64, run->rounds.passed,
            run->rounds.failed ? " wrong" : "", run->rounds.failed);
    history_page_cell(out, run->host);
    history_page_cell(out, run->rig ? run->rig : "(built in)");
    fputs("<td>", out);
    for (size_t i = 0; i < run->device_count; i++)
        if (run->devices[i].serial) {
            markup_text(out, run->devices[i].serial);
            putc(' ', out);
        }
    fputs("<td><code>", out);
    markup_text(out, run->id);
    fprintf(out, "</code>%s%s\n",
            run->is_complete || !strcmp(run->verdict, "cut off") ? "" : " cut off",
            run->is_verified ? "" : " <b>not verified</b>");
    if (fclose(out)) {
        free(text);
        return NULL;
    }
    return text;
}

static int see_run(void *context, const struct history_found *run)
{
    struct latest *latest = context;
    char **row = &latest->rows[latest->count++ % HISTORY_PAGE_RUNS];

    latest->passed += !strcmp(run->verdict, "pass");
    latest->cut_off += !strcmp(run->verdict, "cut off");
    latest->unverified += !run->is_verified;
    free(*row);
    *row = make_row(run);
    latest->is_short |= !*row;
    return 0;
}

static void write_latest(FILE *out, const struct latest *latest)
{
    fputs("<h2>Latest runs</h2>\n<div class=\"scroll\"><table><thead><tr><th>date<th>verdict"
          "<th>passed<th>failed<th>bench<th>rig<th>machines<th>run</thead>\n",
          out);
    for (size_t i = 0; i < HISTORY_PAGE_RUNS && i < latest->count; i++)
        fputs(latest->rows[(latest->count - 1 - i) % HISTORY_PAGE_RUNS], out);
    fputs("</table></div>\n", out);
    if (latest->count > HISTORY_PAGE_RUNS)
        fprintf(out, "<p class=\"soft\">and %zu before these\n", latest->count - HISTORY_PAGE_RUNS);
}

static void write_machines(FILE *out, const struct history_summary *machines, size_t count)
{
    fputs("<h2>Machines</h2>\n<div class=\"scroll\"><table><thead><tr><th>serial<th>device"
          "<th>model<th>firmware<th>runs<th>last<th>rounds failed<th>changes<th>slowed down"
          "</thead>\n",
          out);
    for (size_t i = 0; i < count; i++) {
        const struct history_summary *machine = &machines[i];
        char name[PAGE_LINK_SIZE];

        page_link_machine(machine->serial, name);
        fprintf(out, "<tr><th scope=\"row\"><a href=\"%s\">", name);
        markup_text(out, machine->serial);
        fputs("</a>", out);
        history_page_cell(out, machine->name);
        history_page_cell(out, machine->model);
        history_page_cell(out, machine->firmware);
        fprintf(out, "<td class=\"n\">%zu<td class=\"t\">", machine->runs);
        history_page_date(out, machine->last, 20);
        fprintf(out, "<td class=\"n%s\">%" PRId64 "<td class=\"n%s\">%zu<td class=\"n%s\">%zu\n",
                machine->rounds.failed ? " wrong" : "", machine->rounds.failed,
                machine->changes ? " wrong" : "", machine->changes, machine->jams ? " wrong" : "",
                machine->jams);
    }
    fputs("</table></div>\n", out);
}

static int add_flaky(void *context, const struct history_flaky *flaky)
{
    history_page_flaky(context, flaky);
    return 0;
}

static void write_tiles(FILE *out, const struct latest *latest, size_t machines)
{
    fputs("<h1>The lab at a glance</h1>\n<ul class=\"tiles\">\n", out);
    html_tile(out, "", latest->count, "runs");
    html_tile(out, "pass", latest->passed, "passed");
    html_tile(out, "fail", latest->count - latest->passed - latest->cut_off, "did not");
    if (latest->cut_off)
        html_tile(out, "", latest->cut_off, "cut off");
    html_tile(out, "", machines, "machines");
    if (latest->unverified)
        html_tile(out, "fail", latest->unverified, "not verified");
    fputs("</ul>\n", out);
}

int history_page_lab(struct store *store, const char *path, const struct history_summary *machines,
                     size_t count, struct error *error)
{
    struct latest latest = {.count = 0};
    struct history_page page;
    int status = history_find(store, &(struct history_filter){.id = NULL}, see_run, &latest, error);

    history_page_begin(&page, "the lab");
    if (!status && (latest.is_short || !page.out))
        status = error_set(error, ERROR_RIG, "no memory for a page");
    if (!status) {
        write_tiles(page.out, &latest, count);
        write_machines(page.out, machines, count);
        fputs("<h2>Flaky recordings</h2>\n<p>Passed, and did not, with the same devices and "
              "firmware.</p>\n" HISTORY_PAGE_FLAKY_HEAD,
              page.out);
        status = history_flaky(store, NULL, add_flaky, page.out, error);
        fputs("</table></div>\n", page.out);
        write_latest(page.out, &latest);
    }
    for (size_t i = 0; i < HISTORY_PAGE_RUNS; i++)
        free(latest.rows[i]);
    if (!status)
        return history_page_save(&page, path, error);
    if (page.out)
        fclose(page.out);
    free(page.text);
    return status;
}
