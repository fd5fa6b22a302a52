/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/run_bar.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define COLUMNS_USUAL 80
#define WIDEST        40
#define NARROWEST     8

/* With a decimal where it is slow, as real devices are: "0.3/s". */
static void put_speed(const struct run_bar *bar, char *text, size_t size)
{
    double speed = 1e3 * (double)bar->rounds / (double)(bar->milliseconds ? bar->milliseconds : 1);

    snprintf(text, size, "%.*f/s", speed < 10 ? 1 : 0, speed);
}

/* " 120 of 6000 rounds, 18323/s, 3 failed", padded so that its length does not grow. */
static int put_words(const struct run_bar *bar, char *text, size_t size)
{
    char of[32] = "", speed[32];
    int digits = bar->total ? snprintf(of, sizeof of, "%" PRIu64, bar->total) : 1;

    put_speed(bar, speed, sizeof speed);
    return snprintf(text, size, "%*" PRIu64 "%s%s rounds, %s, %" PRIu64 " failed", digits,
                    bar->rounds, bar->total ? " of " : "", of, speed, bar->failed);
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
    char words[128], drawn[WIDEST + 4] = "";
    unsigned length = (unsigned)put_words(bar, words, sizeof words);
    /* The last column stays empty: some terminals would go to the next line. */
    unsigned room = columns > length + 4 ? columns - length - 4 : 0;

    if (bar->total && room >= NARROWEST)
        put_bar(bar, room < WIDEST ? room : WIDEST, drawn);
    if (columns && length >= columns)
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
