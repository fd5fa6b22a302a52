/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A recording's life: every time that it was played, known by its digest, under whatever name. */
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rigs/history/pages/pages.h"
#include "rigs/page/markup.h"
#include "rigs/page/page.h"

struct writing {
    const char *folder;
    struct history_page page;
    char sha256[DIGEST_SIZE]; /* of the page that is open; "": none is */
    int64_t run, place;       /* of the row that is open */
    struct history_names *names;
    struct error *error;
};

static int close_page(struct writing *writing)
{
    char path[PATH_MAX], name[PAGE_LINK_SIZE];

    if (!*writing->sha256)
        return 0;
    if (writing->page.out)
        fputs("</table></div>\n", writing->page.out);
    page_link_recording(writing->sha256, name);
    snprintf(path, sizeof path, "%s/%s", writing->folder, name);
    writing->sha256[0] = '\0';
    return history_page_save(&writing->page, path, writing->error);
}

static int open_page(struct writing *writing, const struct store_rows *rows)
{
    history_page_begin(&writing->page, "a recording");
    snprintf(writing->sha256, sizeof writing->sha256, "%s", store_text(rows, 0));
    writing->run = writing->place = 0;
    if (!writing->page.out)
        return error_set(writing->error, ERROR_RIG, "no memory for a page");
    fputs("<h1>", writing->page.out);
    markup_text(writing->page.out, store_text(rows, 1) ? store_text(rows, 1) : "a recording");
    fputs("</h1>\n<nav><a href=\"index.html\">the lab</a></nav>\n<table class=\"facts\">",
          writing->page.out);
    html_fact(writing->page.out, "SHA-256", writing->sha256);
    html_fact(writing->page.out, "Game", store_text(rows, 2));
    fputs("</table>\n<p>Known by its digest: each time that it was played, under whatever name."
          "</p>\n<div class=\"scroll\"><table><thead><tr><th>date<th>verdict<th>passed<th>failed"
          "<th>run<th>called<th>machines</thead>\n",
          writing->page.out);
    return 0;
}

/* A row of the store is a device; those of one time that it was played share a row here. */
static void add_row(struct writing *writing, const struct store_rows *rows)
{
    FILE *out = writing->page.out;

    if (store_integer(rows, 3) != writing->run || store_integer(rows, 4) != writing->place) {
        writing->run = store_integer(rows, 3);
        writing->place = store_integer(rows, 4);
        fputs("<tr><td class=\"t\">", out);
        markup_text(out, store_text(rows, 5));
        history_page_verdict(out, store_text(rows, 6));
        fprintf(out, "<td class=\"n\">%" PRId64 "<td class=\"n%s\">%" PRId64 "<td><code>",
                store_integer(rows, 7), store_integer(rows, 8) ? " wrong" : "",
                store_integer(rows, 8));
        markup_text(out, store_text(rows, 9));
        fputs("</code>", out);
        history_page_cell(out, store_text(rows, 1));
        fputs("<td>", out);
    }
    if (!store_text(rows, 10))
        return;
    markup_text(out, store_text(rows, 10));
    putc(' ', out);
    if (store_text(rows, 11))
        markup_text(out, store_text(rows, 11));
    fputs("<br>", out);
}

static int write_rows(struct writing *writing, struct store_rows *rows)
{
    char name[PAGE_LINK_SIZE];
    int status;

    while ((status = store_next(rows, writing->error)) > 0) {
        status = 0;
        if (!page_link_recording(store_text(rows, 0), name))
            continue;
        if (strcmp(writing->sha256, store_text(rows, 0)) != 0) {
            status = close_page(writing);
            if (!status && !history_names_add(writing->names, name))
                status = error_set(writing->error, ERROR_RIG, "no memory for the list of pages");
            if (!status)
                status = open_page(writing, rows);
        }
        if (status)
            return status;
        add_row(writing, rows);
    }
    return status;
}

int history_page_recordings(struct store *store, const char *folder, struct history_names *names,
                            struct error *error)
{
    struct writing writing = {.folder = folder, .names = names, .error = error};
    struct store_rows *rows;
    int status = store_ask(
        store,
        "SELECT c.sha256, c.path, c.game, c.run, c.place, r.date, "
        "CASE WHEN r.complete = 0 AND c.verdict IN ('pass', 'skipped') THEN 'cut off' "
        "ELSE c.verdict END, c.rounds_passed, "
        "c.rounds_failed, r.id, d.serial, d.firmware FROM recording c JOIN run r ON "
        "r.number = c.run LEFT JOIN device d ON d.run = c.run AND d.serial IS NOT NULL "
        "WHERE c.sha256 IS NOT NULL ORDER BY c.sha256, r.date DESC, c.run, c.place, d.place",
        NULL, 0, &rows, error);

    if (status)
        return status;
    status = write_rows(&writing, rows);
    if (!status)
        status = close_page(&writing);
    else if (*writing.sha256) {
        if (writing.page.out)
            fclose(writing.page.out);
        free(writing.page.text);
    }
    store_rows_free(rows);
    return status;
}
