#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rigs/json_pool.h"
#include "rigs/lines.h"
#include "rigs/shuffles.h"
#include "rigs/shuffles_read.h"
#include "tests/bench.h"
#include "tests/scratch.h"
#include "tests/seeded.h"

#define ORDERS   1000000
#define RECORDED 100000

static void mix(card_t deck[DECK_SIZE], uint64_t *state)
{
    for (unsigned i = DECK_SIZE - 1; i; i--) {
        unsigned other = seeded_below(state, i + 1);
        card_t card = deck[i];

        deck[i] = deck[other];
        deck[other] = card;
    }
}

struct work {
    struct shuffles *shuffles; /* NULL: orders are made and thrown away */
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

    game_setup_init(&setup, &game_chase_the_flush);
    for (unsigned i = 0; i < DECK_SIZE; i++)
        deck[i] = card_from_index(i);
    for (unsigned i = 0; i < ORDERS; i++) {
        memcpy(before, deck, sizeof deck);
        mix(deck, &state);
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

static void write_deck(FILE *file, const char *name, const card_t deck[DECK_SIZE])
{
    fprintf(file, ",\"%s\":\"", name);
    for (unsigned i = 0; i < DECK_SIZE; i++) {
        char card[2];

        card_format(deck[i], card);
        fprintf(file, "%s%.2s", i ? " " : "", card);
    }
    fputc('"', file);
}

static void write_recording(const char *path)
{
    FILE *file = fopen(path, "w");
    card_t deck[DECK_SIZE];
    uint64_t state = 1;

    if (!file)
        abort();
    fputs("{\"shoe\":1,\"game\":\"chase-the-flush\"}\n", file);
    for (unsigned i = 0; i < DECK_SIZE; i++)
        deck[i] = card_from_index(i);
    for (unsigned i = 1; i <= RECORDED; i++) {
        fprintf(file, "{\"round\":%u", i);
        write_deck(file, "before", deck);
        mix(deck, &state);
        write_deck(file, "deck", deck);
        fputs("}\n", file);
    }
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
    double making, counting, judging, reading;

    if (!counted.shuffles)
        return 1;
    making = bench_best_cpu(1, count_orders, &made);
    counting = bench_best_cpu(1, count_orders, &counted) - making;
    judging = bench_best_cpu(5, judge, &counted);
    if (made.checksum != counted.checksum || counted.report.verdict != SHUFFLES_NO_EVIDENCE)
        return 1;
    json_pool_install();
    scratch_path(path);
    write_recording(path);
    counted.path = path;
    reading = bench_best_cpu(1, read_recording, &counted);
    unlink(path);
    bench_title("shuffles: one million whole orders through all tests, on one core");
    bench_figure_for("all tests", counting + judging, "s", 0, "below 10");
    bench_figure("the verdict alone", judging * 1e3, "ms", 0);
    bench_title("shuffles: a whole order and the order that went in");
    bench_figure("all tests", counting * 1e6 / ORDERS, "us", 0);
    bench_figure("read from a recording and all tests", reading * 1e6 / RECORDED, "us",
                 counting * 1e6 / ORDERS);
    shuffles_free(counted.shuffles);
    return 0;
}
