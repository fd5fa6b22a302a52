/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/history/pages/pages.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

void history_page_flaky(FILE *out, const struct history_flaky *flaky)
{
    char name[PAGE_LINK_SIZE];
    bool is_linked = page_link_recording(flaky->sha256, name);

    fputs("<tr><td>", out);
    if (is_linked)
        fprintf(out, "<a href=\"%s\">", name);
    markup_text(out, flaky->path ? flaky->path : flaky->sha256);
    fputs(is_linked ? "</a>" : "", out);
    history_page_cell(out, flaky->serial);
    history_page_cell(out, flaky->firmware);
    fprintf(out, "<td class=\"n\">%" PRId64 "<td class=\"n\">%" PRId64 "\n", flaky->passed,
            flaky->failed);
}

bool history_names_add(struct history_names *names, const char *name)
{
    char(*items)[PAGE_LINK_SIZE] =
        reallocarray(names->items, names->count + 1, sizeof *names->items);

    if (!items)
        return false;
    names->items = items;
    snprintf(items[names->count++], PAGE_LINK_SIZE, "%s", name);
    return true;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* Pages of what the store has no more: nothing else in the folder is touched. */
static void remove_others(const char *folder, struct history_names *names)
{
    DIR *there = opendir(folder);
    const struct dirent *entry;

    if (!there)
        return;
    qsort(names->items, names->count, sizeof *names->items, by_name);
    while ((entry = readdir(there)))
        if (page_link_is_one(entry->d_name) &&
            !bsearch(entry->d_name, names->items, names->count, sizeof *names->items, by_name))
            unlinkat(dirfd(there), entry->d_name, 0);
    closedir(there);
}

struct writing {
    struct store *store;
    const char *folder;
    struct history_summary *machines;
    size_t count;
    struct history_names names;
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
    char path[PATH_MAX], name[PAGE_LINK_SIZE];
    int status;

    page_link_machine(serial, name);
    if (!machines || !history_names_add(&writing->names, name))
        return error_set(writing->error, ERROR_RIG, "no memory for the pages of machines");
    writing->machines = machines;
    status = history_trend(writing->store, serial, &machine, writing->error);
    if (!status) {
        sum_up(&machine, &machines[writing->count++]);
        snprintf(path, sizeof path, "%s/%s", writing->folder, name);
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
    if (strlen(folder) > PATH_MAX - PAGE_LINK_SIZE - 1)
        return error_set(error, ERROR_CONFIG, "the name of the folder is too long");
    status = history_serials(store, write_machine, &writing, error);
    if (!status)
        status = history_page_recordings(store, folder, &writing.names, error);
    snprintf(path, sizeof path, "%s/index.html", folder);
    if (!status)
        status = history_page_lab(store, path, writing.machines, writing.count, error);
    if (!status)
        remove_others(folder, &writing.names);
    pages->machines = writing.count;
    pages->recordings = writing.names.count - writing.count;
    free(writing.machines);
    free(writing.names.items);
    return status;
}
