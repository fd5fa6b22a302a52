/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/run/bar.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "hal/base/plural.h"
#include "rigs/station/progress.h"

#define COLUMNS_USUAL 80
#define WIDEST        40
#define NARROWEST     8

/* With a decimal where it is slow, as real devices are: "0.3/s". */
static void put_speed(const struct run_bar *bar, char *text, size_t size)
{
    double speed = 1e3 * (double)bar->rounds / (double)(bar->milliseconds ? bar->milliseconds : 1);

    snprintf(text, size, "%.*f/s", speed < 10 ? 1 : 0, speed);
}

/* "25 min", "40 s": what is left of the run, if its rounds go on as they did. */
static void put_left(const struct run_bar *bar, char *text, size_t size)
{
    int64_t seconds =
        progress_left_ms(bar->rounds, bar->total, (nanos_t)bar->milliseconds * NANOS_PER_MILLI,
                         (nanos_t)bar->since_round_ms * NANOS_PER_MILLI) /
        1000;

    if (seconds < 120)
        snprintf(text, size, ", %" PRId64 " s left", seconds);
    else
        snprintf(text, size, ", %" PRId64 " min left", seconds / 60);
}

/* What a device or a person is waited for, or why nobody is. */
static void put_state(const struct run_bar *bar, char *text, size_t size)
{
    int used = 0;

    *text = '\0';
    if (bar->is_stopping)
        snprintf(text, size, ", finishing this round, press again to cut it short");
    else if (bar->away)
        snprintf(text, size, ", %s is away, try %u", bar->away, bar->tries);
    else if (bar->awaits)
        used = snprintf(text, size, ", waiting for %s (%s) %" PRIu64, bar->awaits, bar->from,
                        bar->waited_ms / 1000);
    if (used && bar->limit_ms)
        used += snprintf(text + used, size - (size_t)used, " of %" PRIu64, bar->limit_ms / 1000);
    if (used)
        snprintf(text + used, size - (size_t)used, " s");
}

/* Of "rounds": of those that there will be, where that is known. */
static const char *ending(const struct run_bar *bar)
{
    return plural(bar->total ? bar->total : bar->rounds);
}

/* "3 of 90 rounds, 0 failed, waiting for packet (shuffler) 2 of 5 s, 25 min left" */
static int put_live_words(const struct run_bar *bar, char *text, size_t size)
{
    char of[32] = "", state[128], left[32] = "";

    if (bar->total)
        snprintf(of, sizeof of, " of %" PRIu64, bar->total);
    put_state(bar, state, sizeof state);
    if (bar->rounds && bar->rounds < bar->total && !bar->is_stopping)
        put_left(bar, left, sizeof left);
    return snprintf(text, size, "%" PRIu64 "%s round%s, %" PRIu64 " failed%s%s", bar->rounds, of,
                    ending(bar), bar->failed, state, left);
}

/* " 120 of 6000 rounds, 18323/s, 3 failed", padded so that its length does not grow. */
static int put_words(const struct run_bar *bar, char *text, size_t size)
{
    char of[32] = "", speed[32];
    int digits = bar->total ? snprintf(of, sizeof of, "%" PRIu64, bar->total) : 1;

    put_speed(bar, speed, sizeof speed);
    return snprintf(text, size, "%*" PRIu64 "%s%s round%s, %s, %" PRIu64 " failed", digits,
                    bar->rounds, bar->total ? " of " : "", of, ending(bar), speed, bar->failed);
}

static void put_bar(const struct run_bar *bar, unsigned width, char *text)
{
    uint64_t rounds = bar->rounds < bar->total ? bar->rounds : bar->total;
    unsigned done = (unsigned)(rounds * width / bar->total);

    *text++ = '[';
    memset(text, '#', done);
    memset(text + done, '.', width - done);
    strcpy(text + width, "] ");
}

size_t run_bar_text(const struct run_bar *bar, unsigned columns, char text[RUN_BAR_SIZE])
{
    char words[256] = "", drawn[WIDEST + 4] = "";
    unsigned length =
        (unsigned)(bar->is_live ? put_live_words : put_words)(bar, words, sizeof words);
    /* The last column stays empty: some terminals would go to the next line. */
    unsigned room = columns > length + 4 ? columns - length - 4 : 0;

    if (bar->total && room >= NARROWEST)
        put_bar(bar, room < WIDEST ? room : WIDEST, drawn);
    if (columns && length >= columns && columns <= sizeof words)
        words[columns - 1] = '\0';
    return (size_t)snprintf(text, RUN_BAR_SIZE, "%s%s%s%s", drawn,
                            bar->colour && bar->failed ? "\033[31m" : "", words,
                            bar->colour && bar->failed ? "\033[0m" : "");
}

void run_bar_draw(const struct run_bar *bar)
{
    struct winsize size = {0};
    char text[RUN_BAR_SIZE];

    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) || !size.ws_col)
        size.ws_col = COLUMNS_USUAL;
    run_bar_text(bar, size.ws_col, text);
    fprintf(stderr, "\r\033[K%s", text);
    fflush(stderr);
}

void run_bar_clear(void)
{
    fputs("\r\033[K", stderr);
    fflush(stderr);
}
