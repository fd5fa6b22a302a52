/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/pages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hal/base/veil.h"
#include "rigs/report/format.h"
#include "rigs/report/html/shuffles.h"

void pages_follow(struct feed *feed, char *block)
{
    do
        feed_grow(feed, block);
    while (!feed->is_at_end);
}

void pages_watch_set(struct pages_watch *watch, bool runs)
{
    if (runs == !!watch->since)
        return;
    watch->ran = pages_watch_read(watch);
    watch->since = runs ? clock_read_real() : 0;
}

nanos_t pages_watch_read(const struct pages_watch *watch)
{
    return watch->ran + (watch->since ? clock_read_real() - watch->since : 0);
}

/* "report" or "shuffles"; NULL where there is no such page of this run. */
static char *write_page(const struct report *report, const char *what, size_t *length)
{
    bool is_report = !strcmp(what, "report"), is_written;
    char *text = NULL;
    FILE *out = is_report || !strcmp(what, "shuffles") ? open_memstream(&text, length) : NULL;

    if (!out)
        return NULL;
    is_written = is_report || report_shuffles_page(report, out);
    if (is_report)
        report_format_find("html")->write(report, out);
    is_written &= !ferror(out);
    if (!fclose(out) && is_written)
        return text;
    free(text);
    return NULL;
}

/* How many bytes of it are of rounds that are over. */
static uint64_t count_played(const struct feed *feed)
{
    return feed->open_round == FEED_NONE ? feed->complete : feed->open_round;
}

char *pages_report(int fd, const char *what, const char *name, size_t *length)
{
    struct feed *feed = feed_new(fd, &(struct server_run){.number = 0});
    char *block = malloc(FEED_BLOCK), path[64], *called, *text = NULL;
    struct report *report = NULL;
    struct error error;

    if (feed && block) {
        pages_follow(feed, block);
        /* By the descriptor that is open, since the file may have no name any more. */
        snprintf(path, sizeof path, "/proc/self/fd/%d", feed->fd);
        if (!report_read_part(path, count_played(feed), &report, &error)) {
            report->withholds = feed->open_round != FEED_NONE || feed->open_recording != FEED_NONE;
            /* Who writes a journal holds it. */
            report->is_played = veil_is_locked(feed->fd);
            called = strdup(name);
            if (called) {
                free(report->journals[0].path);
                report->journals[0].path = called;
            }
            text = write_page(report, what, length);
            report_free(report);
        }
    }
    free(block);
    if (feed)
        feed_free(feed);
    return text;
}
