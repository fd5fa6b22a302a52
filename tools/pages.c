/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/pages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <unistd.h>

#include "rigs/report/format.h"

void pages_follow(struct feed *feed, char *block)
{
    do
        feed_grow(feed, block);
    while (!feed->is_at_end);
}

/* A file in memory with the journal up to the round that is being played; -1: there is none. */
static int copy_played(const struct feed *feed)
{
    uint64_t size = feed->open_round == FEED_NONE ? feed->complete : feed->open_round;
    int copy = memfd_create("journal", MFD_CLOEXEC);
    off_t at = 0;

    while (copy >= 0 && (uint64_t)at < size)
        if (sendfile(copy, feed->fd, &at, (size_t)(size - (uint64_t)at)) <= 0) {
            close(copy);
            return -1;
        }
    return copy;
}

static char *write_page(const struct report *report, size_t *length)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, length);
    bool is_written;

    if (!out)
        return NULL;
    report_format_find("html")->write(report, out);
    is_written = !ferror(out);
    if (!fclose(out) && is_written)
        return text;
    free(text);
    return NULL;
}

char *pages_report(const struct feed *feed, const char *what, const char *name, size_t *length)
{
    int copy = copy_played(feed);
    struct report *report;
    struct error error;
    char path[64], *text = NULL;

    if (copy < 0)
        return NULL;
    snprintf(path, sizeof path, "/proc/self/fd/%d", copy);
    if (!report_read(path, &report, &error)) {
        char *called = strdup(name);

        if (called) {
            free(report->path);
            report->path = called;
        }
        if (!strcmp(what, "report") || (!strcmp(what, "shuffles") && report->shuffled))
            text = write_page(report, length);
        report_free(report);
    }
    close(copy);
    return text;
}
