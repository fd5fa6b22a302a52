/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the wire costs: encoding and decoding of frames in bytes a second, and a complete emulated
 * Flush Rush round of six seats in processor time: program, shuffle, the button, seven packets each
 * presented and taken, every event acknowledged, the deck returned; driver, link and model, on
 * virtual time. Every call of malloc, calloc and realloc is counted.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "devices/shuffler/open/model.h"
#include "devices/shuffler/shuffler.h"
#include "tests/support/bench.h"
#include "tests/support/seeded.h"

#define FRAMES 4096
#define RUNS   20
#define ROUNDS 2000
#define SEATS  6

/* glibc's own, under the names that are left when ours take their place. */
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);

static unsigned long allocations;

void *malloc(size_t size)
{
    allocations++;
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    allocations++;
    return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size)
{
    allocations++;
    return __libc_realloc(memory, size);
}

/* A wrong result ends the measurement: there is nothing to print then. */
static void must(int ok, const char *what)
{
    if (!ok) {
        fprintf(stderr, "bench_devices: %s\n", what);
        exit(EXIT_FAILURE);
    }
}

struct frames {
    struct frame in[FRAMES], out;
    uint8_t bytes[FRAMES * FRAME_ENCODED_MAX];
    size_t count;
};

static void make_frames(struct frames *frames, unsigned size)
{
    uint64_t seed = 1;

    for (unsigned i = 0; i < FRAMES; i++) {
        frames->in[i] = (struct frame){
            .class = FRAME_SHUFFLER, .type = 0x41, .sequence = (uint8_t)i, .size = (uint8_t)size};
        for (unsigned b = 0; b < size; b++)
            frames->in[i].payload[b] = (uint8_t)seeded_next(&seed);
    }
}

static void encode_all(void *context)
{
    struct frames *frames = context;

    frames->count = 0;
    for (unsigned i = 0; i < FRAMES; i++)
        frames->count += frame_encode(&frames->in[i], frames->bytes + frames->count);
}

static void decode_all(void *context)
{
    struct frames *frames = context;
    struct frame_decoder decoder = {.used = 0};
    size_t at = 0, taken;

    while (at < frames->count) {
        must(frame_decode(&decoder, frames->bytes + at, frames->count - at, &taken, &frames->out) ==
                 FRAME_READY,
             "a frame was not decoded");
        at += taken;
    }
    must(decoder.frames == FRAMES && !memcmp(frames->out.payload, frames->in[FRAMES - 1].payload,
                                             frames->in[FRAMES - 1].size),
         "the frames came out otherwise");
}

static void copy_all(void *context)
{
    static uint8_t copied[sizeof((struct frames *)0)->bytes];
    struct frames *frames = context;

    memcpy(copied, frames->bytes, frames->count);
    __asm__ volatile("" : : "r"(copied) : "memory");
}

static void measure_frames(struct frames *frames, unsigned size)
{
    unsigned long before;
    char title[80];
    double copy;

    make_frames(frames, size);
    encode_all(frames);
    snprintf(title, sizeof title, "frames with %u bytes of payload, memcpy as the baseline", size);
    bench_title(title);
    before = allocations;
    copy = (double)frames->count / bench_best(RUNS, copy_all, frames) / 1e9;
    bench_figure("memcpy", copy, "GB/s", 0);
    bench_figure("frame_encode", (double)frames->count / bench_best(RUNS, encode_all, frames) / 1e9,
                 "GB/s", copy);
    bench_figure("frame_decode", (double)frames->count / bench_best(RUNS, decode_all, frames) / 1e9,
                 "GB/s", copy);
    printf("  allocations: %lu\n", allocations - before);
}

static struct model *make_model(void *context, const char *name, const char *options,
                                struct error *error)
{
    (void)context;
    (void)name;
    return shuffler_model_new(options, error);
}

static void play_round(struct shuffler *shuffler, const struct clock *clock)
{
    struct shuffler_program program = {.count = SEATS + 1};
    struct shuffler_event event;
    unsigned taken = 0;

    memset(program.sizes, 4, program.count);
    must(shuffler_program(shuffler, &program, NULL) == 0, "no program");
    must(shuffler_shuffle(shuffler, NULL) == 0, "no shuffle");
    must(shuffler_next(shuffler, &event, clock_deadline(clock, 60000), NULL) == 1 &&
             event.kind == SHUFFLER_EVENT_SHUFFLED,
         "not shuffled");
    must(shuffler_press(shuffler, NULL) == 0, "no button");
    while (taken < SEATS + 1) {
        must(shuffler_next(shuffler, &event, clock_deadline(clock, 60000), NULL) == 1, "no event");
        taken += event.kind == SHUFFLER_EVENT_TAKEN;
    }
    must(shuffler_return_deck(shuffler, NULL) == 0, "no deck");
}

static double processor_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double time_rounds(struct shuffler *shuffler, const struct clock *clock)
{
    double start = processor_now();

    for (int i = 0; i < ROUNDS; i++)
        play_round(shuffler, clock);
    return (processor_now() - start) / ROUNDS * 1e6;
}

/* What so many looks for a cancellation cost: the one thing in a round that asks the kernel. */
static double time_looks(const struct hal *hal, unsigned looks)
{
    double start = processor_now();

    for (unsigned i = 0; i < ROUNDS * looks; i++)
        must(!hal_cancelled(hal), "cancelled");
    return (processor_now() - start) / ROUNDS * 1e6;
}

static void measure_rounds(void)
{
    struct clock clock;
    struct hal hal;
    struct link *link;
    struct shuffler *shuffler;
    unsigned long before;
    double best = 0, look;
    uint64_t events;

    clock_virtual(&clock, 0);
    must(hal_open(&hal, &clock, NULL) == 0, "no hal");
    hal.make_model = make_model;
    must(link_open(&link, &hal, "emu:shuffler", NULL) == 0, "no link");
    must(shuffler_open(&shuffler, "open", link, NULL) == 0, "no shuffler");
    play_round(shuffler, &clock);
    before = allocations;
    must(before > 0, "allocations are not counted");
    for (int i = 0; i < 10; i++) {
        double micros = time_rounds(shuffler, &clock);

        if (!i || micros < best)
            best = micros;
    }
    before = allocations - before;
    events = device_host(&shuffler->device)->counts.events;
    look = time_looks(&hal, 1);
    bench_title("a Flush Rush round of six seats, emulated, virtual time");
    bench_figure("one look for a cancellation (poll)", look, "us", 0);
    bench_figure("the round", best, "us", look);
    bench_figure("events in it, each acknowledged", (double)events / (10 * ROUNDS + 1), "", 0);
    printf("  allocations in %d rounds: %lu\n", 10 * ROUNDS, before);
    must(device_host(&shuffler->device)->counts.retries == 0, "a request was said again");
    shuffler_close(shuffler);
    link_close(link);
    hal_close(&hal);
}

int main(void)
{
    struct frames *frames = malloc(sizeof *frames);

    must(frames != NULL, "no memory");
    measure_frames(frames, 240);
    measure_frames(frames, 7);
    free(frames);
    measure_rounds();
    return 0;
}
