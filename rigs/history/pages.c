/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/history/pages.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "hal/base/save.h"
#include "rigs/page/markup.h"
#include "rigs/page/page.h"

void history_page_begin(struct history_page *page, const char *title)
{
    *page = (struct history_page){.text = NULL};
    page->out = open_memstream(&page->text, &page->length);
    if (page->out)
        html_head(page->out, title, NULL);
}

static void write_text(const void *what, FILE *out)
{
    const struct history_page *page = what;

    fwrite(page->text, 1, page->length, out);
}

int history_page_save(struct history_page *page, const char *path, struct error *error)
{
    bool is_short = !page->out;
    int status = 0;

    if (page->out)
        fputs("</body></html>\n", page->out);
    if (page->out && fclose(page->out))
        is_short = true;
    if (is_short)
        status = error_set(error, ERROR_RIG, "no memory for a page");
    if (!status)
        status = save_whole(path, write_text, page, error);
    free(page->text);
    return status;
}

void history_page_verdict(FILE *out, const char *verdict)
{
    enum verdict known;

    /* The class of a verdict is its name, and nothing but that. */
    fprintf(out, "<td><span class=\"v %s\">",
            verdict_parse(verdict, &known) ? verdict_name(known) : "");
    markup_text(out, verdict);
    fputs("</span>", out);
}

void history_page_cell(FILE *out, const char *text)
{
    fputs("<td>", out);
    markup_text(out, text ? text : "-");
}

void history_page_date(FILE *out, const char *date, int length)
{
    char text[32];

    snprintf(text, sizeof text, "%.*s", length, date);
    markup_text(out, text);
}

bool history_page_is_digest(const char *text)
{
    return strspn(text, "0123456789abcdef") == DIGEST_DIGITS && !text[DIGEST_DIGITS];
}

void history_page_flaky(FILE *out, const struct history_flaky *flaky)
{
    bool is_linked = history_page_is_digest(flaky->sha256);

    fputs("<tr><td>", out);
    if (is_linked)
        fprintf(out, "<a href=\"recording-%.12s.html\">", flaky->sha256);
    markup_text(out, flaky->path ? flaky->path : flaky->sha256);
    fputs(is_linked ? "</a>" : "", out);
    history_page_cell(out, flaky->serial);
    history_page_cell(out, flaky->firmware);
    fprintf(out, "<td class=\"n\">%" PRId64 "<td class=\"n\">%" PRId64 "\n", flaky->passed,
            flaky->failed);
}

struct writing {
    struct store *store;
    const char *folder;
    struct history_summary *machines;
    size_t count;
    struct error *error;
};

static void sum_up(const struct history_machine *machine, struct history_summary *summary)
{
    const struct history_point *last = machine->count ? &machine->points[machine->count - 1] : NULL;

    *summary = (struct history_summary){.runs = machine->count, .jams = machine->jam_count};
    memcpy(summary->serial, machine->serial, sizeof summary->serial);
    memcpy(summary->name, machine->name, sizeof summary->name);
    memcpy(summary->model, machine->model, sizeof summary->model);
    if (last) {
        memcpy(summary->firmware, last->firmware, sizeof summary->firmware);
        memcpy(summary->last, last->date, sizeof summary->last);
    }
    for (size_t i = 0; i < machine->series_count; i++)
        summary->changes += machine->series[i].change_count;
    for (size_t i = 0; i < machine->count; i++) {
        summary->rounds.passed += machine->points[i].rounds.passed;
        summary->rounds.failed += machine->points[i].rounds.failed;
    }
}

static int write_machine(void *context, const char *serial)
{
    struct writing *writing = context;
    struct history_summary *machines =
        reallocarray(writing->machines, writing->count + 1, sizeof *machines);
    struct history_machine machine;
    char path[PATH_MAX];
    int status;

    if (!machines)
        return error_set(writing->error, ERROR_RIG, "no memory for the pages of machines");
    writing->machines = machines;
    status = history_trend(writing->store, serial, &machine, writing->error);
    if (!status) {
        sum_up(&machine, &machines[writing->count++]);
        snprintf(path, sizeof path, "%s/machine-%zu.html", writing->folder, writing->count);
        status = history_page_machine(writing->store, path, &machine, writing->error);
    }
    history_machine_free(&machine);
    return status;
}

int history_pages_write(struct store *store, const char *folder, struct history_pages *pages,
                        struct error *error)
{
    struct writing writing = {.store = store, .folder = folder, .error = error};
    char path[PATH_MAX];
    int status;

    *pages = (struct history_pages){.machines = 0};
    if (strlen(folder) > PATH_MAX - 64)
        return error_set(error, ERROR_CONFIG, "the name of the folder is too long");
    status = history_serials(store, write_machine, &writing, error);
    if (!status)
        status = history_page_recordings(store, folder, &pages->recordings, error);
    snprintf(path, sizeof path, "%s/index.html", folder);
    if (!status)
        status = history_page_lab(store, path, writing.machines, writing.count, error);
    pages->machines = writing.count;
    free(writing.machines);
    return status;
}
