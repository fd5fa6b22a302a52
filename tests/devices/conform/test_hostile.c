/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Devices whose messages say anything: now and then a byte of a good frame is another one, or the
 * frame is cut or too long. The suite ends, finds something, and reads nothing that is not there.
 * And honest ones that do not offer test mode: nothing fails, and what needs it is said.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/devices/conform_bench.h"
#include "tests/support/suite.h"

#define SEEDS    12
#define SILENCES 30   /* frames that a device says before it falls silent, at most */
#define UNKNOWN  0x3e /* a request that no device knows */

/* A model, and what it sends altered. */
struct liar {
    struct model model;
    struct model *inner;
    struct frame_decoder decoder;
    uint64_t random;
    unsigned every; /* so many frames one is altered; 0: none */
    uint8_t lacks;  /* a request that it refuses as unknown; 0: none */
    unsigned says;  /* so many frames, then nothing more; 0: all of them */
    struct frame_decoder heard;
    uint8_t out[4096];
    size_t used, at;
};

static unsigned draw(struct liar *liar, unsigned below)
{
    liar->random = liar->random * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (unsigned)(liar->random >> 33) % below;
}

static void alter(struct liar *liar, struct frame *frame)
{
    switch (draw(liar, 4)) {
    case 0:
        frame->size = (uint8_t)draw(liar, frame->size + 1u);
        break;
    case 1:
        if (frame->size < FRAME_PAYLOAD_MAX)
            frame->payload[frame->size++] = (uint8_t)draw(liar, 256);
        break;
    case 2:
        frame->type ^= (uint8_t)(1u << draw(liar, 8));
        break;
    default:
        if (frame->size)
            frame->payload[draw(liar, frame->size)] = (uint8_t)draw(liar, 256);
    }
}

static void liar_receive(struct model *model, const uint8_t *bytes, size_t count, nanos_t now)
{
    struct liar *liar = (struct liar *)model;
    uint8_t encoded[FRAME_ENCODED_MAX];
    struct frame frame;
    size_t taken;

    if (!liar->lacks) {
        liar->inner->ops->receive(liar->inner, bytes, count, now);
        return;
    }
    for (; count; bytes += taken, count -= taken) {
        if (frame_decode(&liar->heard, bytes, count, &taken, &frame) != FRAME_READY)
            continue;
        if (frame.type == liar->lacks)
            frame.type = UNKNOWN;
        liar->inner->ops->receive(liar->inner, encoded, frame_encode(&frame, encoded), now);
    }
}

static void fill(struct liar *liar, nanos_t now)
{
    uint8_t bytes[FRAME_ENCODED_MAX];
    struct frame frame;
    size_t count = liar->inner->ops->send(liar->inner, bytes, sizeof bytes, now), taken;

    liar->at = liar->used = 0;
    for (size_t at = 0; at < count; at += taken) {
        if (frame_decode(&liar->decoder, bytes + at, count - at, &taken, &frame) != FRAME_READY)
            continue;
        if (liar->every && !draw(liar, liar->every))
            alter(liar, &frame);
        if (liar->says == 1)
            continue;
        liar->says -= liar->says > 0;
        if (liar->lacks && frame.type == 0xff && frame.payload[0] == UNKNOWN)
            frame.payload[0] = liar->lacks;
        liar->used += frame_encode(&frame, liar->out + liar->used);
    }
}

static size_t liar_send(struct model *model, uint8_t *bytes, size_t size, nanos_t now)
{
    struct liar *liar = (struct liar *)model;
    size_t count;

    if (liar->at == liar->used)
        fill(liar, now);
    count = liar->used - liar->at < size ? liar->used - liar->at : size;
    memcpy(bytes, liar->out + liar->at, count);
    liar->at += count;
    return count;
}

static nanos_t liar_due(struct model *model)
{
    struct liar *liar = (struct liar *)model;

    return liar->at < liar->used ? 0 : liar->inner->ops->due(liar->inner);
}

static void liar_free(struct model *model)
{
    struct liar *liar = (struct liar *)model;

    liar->inner->ops->free(liar->inner);
    free(liar);
}

static uint64_t seed;
static unsigned one_in;
static uint8_t lacking;
static unsigned saying;

static struct model *make(void *context, const char *name, const char *options, struct error *error)
{
    static const struct model_ops ops = {
        .receive = liar_receive, .send = liar_send, .due = liar_due, .free = liar_free};
    struct liar *liar = calloc(1, sizeof *liar);

    (void)context;
    CU_ASSERT_PTR_NOT_NULL_FATAL(liar);
    liar->model.ops = &ops;
    liar->random = seed;
    liar->every = one_in;
    liar->lacks = lacking;
    liar->says = saying;
    liar->inner = model_make(NULL, name, options, error);
    CU_ASSERT_PTR_NOT_NULL_FATAL(liar->inner);
    return &liar->model;
}

static void try_liars(enum frame_class class, const char *address)
{
    unsigned found = 0;

    for (seed = 1; seed <= SEEDS; seed++) {
        struct conform_bench bench;

        one_in = seed % 2 ? 40 : 7;
        conform_bench_begin(&bench, class);
        bench.hal.make_model = make;
        conform_bench_run(&bench, address);
        CU_ASSERT(!bench.status || bench.status == (int)bench.error.code);
        found += bench.status != 0 || bench.conform.counts[CONFORM_FAIL] > 0;
        /* A day is longer than all that is waited for. */
        CU_ASSERT(clock_now(&bench.clock) < 24 * 3600 * NANOS_PER_SECOND);
        conform_bench_end(&bench);
    }
    CU_ASSERT_EQUAL(found, SEEDS);
}

TEST(a_shuffler_that_says_anything_is_survived_and_found)
{
    try_liars(FRAME_SHUFFLER, "emu:shuffler?shuffle=900");
}

TEST(a_shoe_that_says_anything_is_survived_and_found)
{
    try_liars(FRAME_SHOE, "emu:shoe?draw=300,cut=2");
}

TEST(a_bet_sensor_unit_that_says_anything_is_survived_and_found)
{
    try_liars(FRAME_BET_SENSOR, "emu:bet-sensor");
}

TEST(a_terminal_that_says_anything_is_survived_and_found)
{
    try_liars(FRAME_TERMINAL, "emu:terminal");
}

/* Test mode without what it is for. */
TEST(a_device_that_lacks_one_request_of_test_mode_fails_nothing)
{
    static const struct {
        enum frame_class class;
        const char *address;
        uint8_t lacks;
        const char *ids[5]; /* that it does not offer */
    } devices[] = {
        {FRAME_SHUFFLER, "emu:shuffler", 0x15, {"SH16", "SH25", "SH43", "SH44", "C19"}},
        {FRAME_SHOE, "emu:shoe?draw=300", 0x12, {"SO22", "SO23", "SO34", "SO36", "C19"}},
        {FRAME_BET_SENSOR, "emu:bet-sensor", 0x13, {"B36"}},
        {FRAME_TERMINAL, "emu:terminal", 0x1a, {"T57"}},
    };

    one_in = 0;
    for (unsigned i = 0; i < sizeof devices / sizeof devices[0]; i++) {
        struct conform_bench bench;

        lacking = devices[i].lacks;
        conform_bench_begin(&bench, devices[i].class);
        bench.hal.make_model = make;
        conform_bench_run(&bench, devices[i].address);
        printf("%s", bench.failed);
        CU_ASSERT_EQUAL(bench.status, 0);
        CU_ASSERT_EQUAL(bench.conform.counts[CONFORM_FAIL], 0);
        for (unsigned j = 0; j < 5 && devices[i].ids[j]; j++)
            CU_ASSERT_EQUAL(conform_bench_verdict(&bench, devices[i].ids[j]), CONFORM_NOT_OFFERED);
        conform_bench_end(&bench);
    }
    lacking = 0;
}

TEST(a_device_that_falls_silent_at_any_moment_is_said_to_be_silent)
{
    static const struct {
        enum frame_class class;
        const char *address;
    } devices[] = {{FRAME_SHUFFLER, "emu:shuffler"},
                   {FRAME_SHOE, "emu:shoe?draw=300"},
                   {FRAME_BET_SENSOR, "emu:bet-sensor"},
                   {FRAME_TERMINAL, "emu:terminal"}};

    one_in = 0;
    for (unsigned i = 0; i < 4 * SILENCES; i++) {
        struct conform_bench bench;

        saying = 2 + i / 4;
        conform_bench_begin(&bench, devices[i % 4].class);
        bench.hal.make_model = make;
        conform_bench_run(&bench, devices[i % 4].address);
        CU_ASSERT_EQUAL(bench.status, ERROR_TIMEOUT);
        CU_ASSERT_EQUAL((int)bench.error.code, bench.status);
        conform_bench_end(&bench);
    }
    saying = 0;
}

TEST(what_a_device_does_not_know_is_not_offered)
{
    static const struct {
        enum frame_class class;
        const char *address, *id;
        uint8_t mode;
    } devices[] = {{FRAME_SHUFFLER, "emu:shuffler", "SH41", 0x14},
                   {FRAME_SHOE, "emu:shoe?draw=300", "SO32", 0x11},
                   {FRAME_BET_SENSOR, "emu:bet-sensor", "B31", 0x14},
                   {FRAME_TERMINAL, "emu:terminal", "T56", 0x19}};

    one_in = 0;
    for (unsigned i = 0; i < sizeof devices / sizeof devices[0]; i++) {
        struct conform_bench bench;

        lacking = devices[i].mode;
        conform_bench_begin(&bench, devices[i].class);
        bench.hal.make_model = make;
        conform_bench_run(&bench, devices[i].address);
        printf("%s", bench.failed);
        CU_ASSERT_EQUAL(bench.status, 0);
        CU_ASSERT_EQUAL(bench.conform.counts[CONFORM_FAIL], 0);
        CU_ASSERT_EQUAL(conform_bench_verdict(&bench, devices[i].id), CONFORM_NOT_OFFERED);
        CU_ASSERT_EQUAL(conform_bench_verdict(&bench, "C22"), CONFORM_NOT_OFFERED);
        conform_bench_end(&bench);
    }
    lacking = 0;
}
