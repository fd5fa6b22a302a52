/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "games/shuffles/shuffles.h"
#include "hal/base/lines.h"
#include "rigs/shuffles/read.h"
#include "tests/support/bench.h"
#include "tests/support/deck.h"
#include "tests/support/scratch.h"

#define ORDERS   1000000
#define RECORDED 100000

struct work {
    struct shuffles *shuffles; /* NULL: orders are made and thrown away */
    bool is_alone;             /* what went in is not told */
    struct shuffles_report report;
    const char *path;
    unsigned checksum;
};

static void count_orders(void *context)
{
    struct work *work = context;
    card_t deck[DECK_SIZE], before[DECK_SIZE];
    struct game_setup setup;
    struct shuffles_order order = {
        .cards = deck, .count = DECK_SIZE, .before = before, .setup = &setup, .seats = seat_bit(1)};
    uint64_t state = 1;

    game_setup_init(&setup, game_find("chase-the-flush"));
    if (work->is_alone)
        order.before = NULL;
    deck_in_order(deck);
    for (unsigned i = 0; i < ORDERS; i++) {
        memcpy(before, deck, sizeof deck);
        deck_mix(deck, &state);
        work->checksum += deck[0];
        if (work->shuffles && shuffles_add(work->shuffles, &order, NULL))
            abort();
    }
}

static void judge(void *context)
{
    struct work *work = context;

    shuffles_judge(work->shuffles, SHUFFLES_ALPHA, &work->report);
}

static void write_recording(const char *path)
{
    FILE *file = fopen(path, "w");

    if (!file)
        abort();
    fputs("{\"shoe\":1,\"game\":\"chase-the-flush\"}\n", file);
    deck_write_rounds(file, RECORDED, 1);
    if (fclose(file))
        abort();
}

static void read_recording(void *context)
{
    struct work *work = context;
    struct shuffles_reader reader = {.shuffles = work->shuffles, .stop = -1};
    struct error error;
    int input = lines_open(work->path, &error);

    shuffles_clear(work->shuffles);
    if (input < 0 || shuffles_read(&reader, input, work->path, &error)) {
        fprintf(stderr, "%s\n", error.text);
        exit(1);
    }
    close(input);
}

int main(void)
{
    struct work made = {.shuffles = NULL}, counted = {.shuffles = shuffles_new()};
    char path[SCRATCH_PATH_SIZE];
    double making, counting, judging, reading, alone;

    if (!counted.shuffles)
        return 1;
    making = bench_best_cpu(1, count_orders, &made);
    counting = bench_best_cpu(1, count_orders, &counted) - making;
    judging = bench_best_cpu(5, judge, &counted);
    shuffles_clear(counted.shuffles);
    counted.is_alone = true;
    alone = bench_best_cpu(1, count_orders, &counted) - making;
    counted.checksum -= made.checksum;
    if (made.checksum != counted.checksum || counted.report.verdict != SHUFFLES_NO_EVIDENCE)
        return 1;
    scratch_path(path);
    write_recording(path);
    counted.path = path;
    reading = bench_best_cpu(1, read_recording, &counted);
    unlink(path);
    bench_title("shuffles: one million whole orders through all tests, on one core");
    bench_figure("the same orders made, and no test", making, "s", 0);
    bench_figure_for("all tests", counting + judging, "s", making, "below 24.5 x");
    bench_figure("all tests, what went in not told", alone, "s", making);
    bench_figure("the verdict alone", judging * 1e3, "ms", 0);
    bench_title("shuffles: a whole order and the order that went in");
    bench_figure("all tests", counting * 1e6 / ORDERS, "us", 0);
    bench_figure("read from a recording and all tests", reading * 1e6 / RECORDED, "us",
                 counting * 1e6 / ORDERS);
    shuffles_free(counted.shuffles);
    return 0;
}
