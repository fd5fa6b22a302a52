/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/report/kept.h"

#include <stdlib.h>
#include <string.h>

#define FAILED_BYTES_MAX ((size_t)16 * 1024 * 1024)
#define PASSES_MAX       300

/*
 * Of one round: its beginning, settlement and verdict, and so many other lines; a sound device
 * sends a few dozen, and a run takes no more than 2,000 events of one round.
 */
#define ROUND_EVENTS_MAX 2000
#define ROUND_CHECKS_MAX 1000
#define ROUND_BYTES_MAX  ((size_t)4 * 1024 * 1024)

struct report_kept {
    struct report_kept *next;
    char text[];
};

void report_gather_nothing(struct report_gathered *gathered)
{
    gathered->length = gathered->events = gathered->checks = 0;
}

/* Whether there is room for this line; one that is left out is counted. */
static bool has_room(struct report_gathered *gathered, struct report_round *round,
                     const struct journal_line *line)
{
    bool is_check = line->kind == JOURNAL_CHECK;
    unsigned *count = is_check ? &gathered->checks : &gathered->events;

    if (!is_check && line->kind != JOURNAL_EVENT && line->kind != JOURNAL_RETRY &&
        line->kind != JOURNAL_QUESTION && line->kind != JOURNAL_ANSWER)
        return true;
    if (*count < (is_check ? ROUND_CHECKS_MAX : ROUND_EVENTS_MAX) &&
        gathered->length + line->length < ROUND_BYTES_MAX) {
        ++*count;
        return true;
    }
    ++*(is_check ? &round->checks_left_out : &round->events_left_out);
    return false;
}

bool report_gather(struct report_gathered *gathered, struct report_round *round,
                   const struct journal_line *line)
{
    if (!has_room(gathered, round, line))
        return true;
    while (gathered->size - gathered->length < line->length + 1) {
        size_t size = gathered->size ? 2 * gathered->size : 4096;
        char *text = realloc(gathered->text, size);

        if (!text)
            return false;
        gathered->text = text;
        gathered->size = size;
    }
    memcpy(gathered->text + gathered->length, line->text, line->length);
    gathered->length += line->length;
    gathered->text[gathered->length++] = '\n';
    return true;
}

static bool is_worth_keeping(const struct report *report, const struct report_round *round,
                             size_t place)
{
    if (report_round_failed(round))
        return report->kept_bytes < FAILED_BYTES_MAX ||
               report_round_is_first(report, report->round_count - 1);
    return report->kept_passes < PASSES_MAX &&
           (place <= REPORT_PASSES_FIRST || place % REPORT_PASSES_EVERY == 0);
}

bool report_keep(struct report *report, struct report_round *round, size_t place,
                 const struct report_gathered *gathered)
{
    struct report_kept *kept;

    if (!is_worth_keeping(report, round, place))
        return true;
    kept = malloc(sizeof *kept + gathered->length);
    if (!kept)
        return false;
    memcpy(kept->text, gathered->text, gathered->length);
    kept->next = report->kept;
    report->kept = kept;
    round->lines = kept->text;
    round->length = gathered->length;
    report->kept_bytes += report_round_failed(round) ? round->length : 0;
    report->kept_passes += !report_round_failed(round);
    return true;
}

void report_kept_free(struct report_kept *kept)
{
    while (kept) {
        struct report_kept *next = kept->next;

        free(kept);
        kept = next;
    }
}
