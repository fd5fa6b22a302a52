/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pages of a history whose names are hostile: what came from a store is text and nothing else. */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rigs/history/import.h"
#include "rigs/history/pages/pages.h"
#include "rigs/history/store/schema.h"
#include "rigs/report/format.h"
#include "tests/support/journal_sample.h"
#include "tests/support/lies/forge.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

#define HOSTILE "<script>alert(1)</script>"

struct lab {
    char folder[SCRATCH_PATH_SIZE], journal[SCRATCH_PATH_SIZE + 16];
    struct store *store;
};

static void import(struct lab *lab, const char *id, uint64_t fail_every, const char *serial)
{
    const struct journal_sample sample = {.rounds = 20, .fail_every = fail_every};
    struct history_imported imported;
    struct forgery forgery;

    unlink(lab->journal);
    CU_ASSERT_EQUAL_FATAL(journal_sample_write(lab->journal, &sample, NULL), 0);
    forgery = forge_read(lab->journal);
    forge_replace_all(&forgery, "SH-0042", serial);
    forge_replace_all(&forgery, "evening-of-six-seats.shoe", HOSTILE ".shoe");
    forge_write(&forgery, lab->journal);
    forge_free(&forgery);
    CU_ASSERT_EQUAL(history_import(lab->store, lab->journal,
                                   &(struct history_import){.id = id, .host = HOSTILE}, &imported,
                                   NULL),
                    0);
}

static struct lab set_up(void)
{
    char address[SCRATCH_PATH_SIZE + 32];
    struct lab lab;

    scratch_path(lab.folder);
    CU_ASSERT_EQUAL_FATAL(mkdir(lab.folder, 0700), 0);
    snprintf(lab.journal, sizeof lab.journal, "%s/run.journal", lab.folder);
    snprintf(address, sizeof address, "sqlite:%s/history.db", lab.folder);
    CU_ASSERT_EQUAL_FATAL(history_open(address, true, &lab.store, NULL), 0);
    import(&lab, "honest", 0, HOSTILE);
    import(&lab, "lying", 7, HOSTILE);
    return lab;
}

static void take_down(struct lab *lab)
{
    store_close(lab->store);
    scratch_remove(lab->folder);
}

/* All pages of the folder; every one has its policy and nothing that it does not write itself. */
static size_t look_through(const struct lab *lab, const char *wanted)
{
    char pattern[SCRATCH_PATH_SIZE + 16];
    size_t pages, with = 0;
    glob_t found;

    snprintf(pattern, sizeof pattern, "%s/*.html", lab->folder);
    CU_ASSERT_EQUAL_FATAL(glob(pattern, 0, NULL, &found), 0);
    pages = found.gl_pathc;
    for (size_t i = 0; i < pages; i++) {
        size_t length;
        char *text = scratch_read(found.gl_pathv[i], &length);

        CU_ASSERT_PTR_NULL(strstr(text, "<script>alert"));
        CU_ASSERT_PTR_NOT_NULL(strstr(text, "Content-Security-Policy"));
        CU_ASSERT_PTR_NOT_NULL(strstr(text, "</html>\n"));
        with += strstr(text, wanted) != NULL;
        free(text);
    }
    globfree(&found);
    return with;
}

TEST(names_of_a_store_are_text_on_every_page)
{
    struct lab lab = set_up();
    struct history_pages pages;

    CU_ASSERT_EQUAL(history_pages_write(lab.store, lab.folder, &pages, NULL), 0);
    CU_ASSERT_EQUAL(pages.machines, 2);
    CU_ASSERT(pages.recordings >= 1);
    CU_ASSERT_EQUAL(look_through(&lab, "&lt;script&gt;alert(1)"), 3 + pages.recordings);
    take_down(&lab);
}

TEST(a_digest_that_is_a_path_names_no_file)
{
    struct lab lab = set_up();
    struct history_pages pages;

    CU_ASSERT_EQUAL(store_do(lab.store,
                             "UPDATE recording SET sha256 = '../../../../x\" onload=\"y'", NULL, 0,
                             NULL),
                    0);
    CU_ASSERT_EQUAL(history_pages_write(lab.store, lab.folder, &pages, NULL), 0);
    CU_ASSERT_EQUAL(pages.recordings, 0);
    CU_ASSERT_EQUAL(look_through(&lab, "\" onload=\""), 0);
    take_down(&lab);
}

TEST(what_differs_is_a_page_too)
{
    struct lab lab = set_up();
    struct history_side sides[2] = {{.count = 1}, {.count = 1}};
    char path[SCRATCH_PATH_SIZE + 16], id[HISTORY_ID_MAX + 1];
    struct history_diff diff;
    int64_t numbers[2];

    for (int i = 0; i < 2; i++) {
        CU_ASSERT_EQUAL_FATAL(
            history_find_id(lab.store, i ? "lying" : "honest", id, &numbers[i], NULL), 0);
        sides[i].runs = &numbers[i];
        snprintf(sides[i].label, sizeof sides[i].label, HOSTILE);
    }
    CU_ASSERT_EQUAL(history_diff(lab.store, sides, &diff, NULL), 0);
    snprintf(path, sizeof path, "%s/diff.html", lab.folder);
    CU_ASSERT_EQUAL(history_page_diff(path, sides, &diff, NULL), 0);
    CU_ASSERT_EQUAL(look_through(&lab, "&lt;script&gt;alert(1)"), 1);
    history_diff_free(&diff);
    take_down(&lab);
}

TEST(a_page_that_cannot_be_written_is_told)
{
    struct lab lab = set_up();
    struct history_pages pages;
    struct error error;

    CU_ASSERT_EQUAL(history_pages_write(lab.store, "/nowhere/at/all", &pages, &error), ERROR_RIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "/nowhere/at/all"));
    take_down(&lab);
}

TEST(pages_of_what_the_store_has_no_more_are_removed_and_nothing_else)
{
    struct lab lab = set_up();
    char old[2 * SCRATCH_PATH_SIZE + PAGE_LINK_SIZE], other[SCRATCH_PATH_SIZE + 32];
    char name[PAGE_LINK_SIZE];
    struct history_pages pages;

    page_link_machine("gone", name);
    snprintf(old, sizeof old, "%s/%s", lab.folder, name);
    snprintf(other, sizeof other, "%s/machine-notes.html", lab.folder);
    scratch_write(old, "x", 1);
    scratch_write(other, "x", 1);
    CU_ASSERT_EQUAL(history_pages_write(lab.store, lab.folder, &pages, NULL), 0);
    CU_ASSERT_NOT_EQUAL(access(old, F_OK), 0);
    CU_ASSERT_EQUAL(access(other, F_OK), 0);
    page_link_machine(HOSTILE, name);
    snprintf(old, sizeof old, "%s/%s", lab.folder, name);
    CU_ASSERT_EQUAL(access(old, F_OK), 0);
    take_down(&lab);
}

/* The report of the journal, whose first line has these words in its command; to be freed. */
static char *report_with(struct lab *lab, const char *words)
{
    struct forgery forgery = forge_read(lab->journal);
    struct report *report;
    char *text = NULL;
    size_t length;
    FILE *out;

    forge_replace(&forgery, 0, "\"command\":[", words);
    forge_write(&forgery, lab->journal);
    forge_free(&forgery);
    CU_ASSERT_EQUAL_FATAL(report_read(lab->journal, &report, NULL), 0);
    out = open_memstream(&text, &length);
    CU_ASSERT_EQUAL(report_write(report, report_format_find("html"), out, NULL), 0);
    fclose(out);
    report_free(report);
    return text;
}

/* Every link of a report leads to a page that there is. */
TEST(a_report_links_to_the_pages_of_its_machines_and_recordings)
{
    static const char at[] = "href=\"https://lab.example/history/";
    struct lab lab = set_up();
    struct history_pages pages;
    size_t links = 0;
    char *text;

    CU_ASSERT_EQUAL(history_pages_write(lab.store, lab.folder, &pages, NULL), 0);
    text = report_with(&lab,
                       "\"command\":[\"run\",\"--history-pages\",\"https://lab.example/history\",");
    for (char *found = text; (found = strstr(found, at)); links++) {
        char path[SCRATCH_PATH_SIZE + PAGE_LINK_SIZE];

        found += sizeof at - 1;
        snprintf(path, sizeof path, "%s/%.*s", lab.folder, (int)strcspn(found, "\""), found);
        CU_ASSERT_EQUAL(access(path, F_OK), 0);
    }
    CU_ASSERT_EQUAL(links, 1 + pages.machines + pages.recordings);
    free(text);
    import(&lab, "other", 0, HOSTILE);
    text = report_with(&lab, "\"command\":[\"--history-pages=javascript:alert(1)\",");
    CU_ASSERT_PTR_NULL(strstr(text, "href=\"javascript"));
    CU_ASSERT_PTR_NULL(strstr(text, ">History<"));
    free(text);
    take_down(&lab);
}
