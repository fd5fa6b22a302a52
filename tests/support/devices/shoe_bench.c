/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/devices/shoe_bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/shoe/angel_eye/model.h"
#include "devices/shoe/open/model.h"
#include "tests/support/devices/scripted.h"
#include "tests/support/suite.h"

#define START 0x00c0ffee

static struct model *make(const char *name, const char *options, struct error *error)
{
    return strcmp(name, "shoe") == 0 ? shoe_model_new(options, error)
                                     : angel_eye_model_new(options, error);
}

static struct model *make_model(void *context, const char *name, const char *options,
                                struct error *error)
{
    struct shoe_bench *bench = context;

    bench->model = make(name, options, error);
    return bench->model;
}

static const char *driver_of(const char *model)
{
    return strcmp(model, "shoe") == 0 ? "open" : "angel-eye";
}

int shoe_bench_connect(struct shoe_bench *bench, const char *driver, const char *options)
{
    return scripted_open((struct device **)&bench->shoe, DEVICE_SHOE, driver, bench->link, options,
                         &bench->error);
}

static void open_shoe(struct shoe_bench *bench, const char *model, const char *address)
{
    if (link_open(&bench->link, &bench->hal, address, &bench->error) ||
        shoe_bench_connect(bench, driver_of(model), ""))
        printf("%s: %s\n", address, bench->error.text);
    CU_ASSERT_PTR_NOT_NULL_FATAL(bench->shoe);
}

void shoe_bench_open(struct shoe_bench *bench, const char *model, const char *options)
{
    char address[LINK_ADDRESS_MAX];

    memset(bench, 0, sizeof *bench);
    clock_virtual(&bench->clock, START);
    CU_ASSERT_EQUAL_FATAL(hal_open(&bench->hal, &bench->clock, &bench->error), 0);
    bench->hal.make_model = make_model;
    bench->hal.model_context = bench;
    snprintf(address, sizeof address, "emu:%s?%s", model, options);
    open_shoe(bench, model, address);
}

void shoe_bench_open_far(struct shoe_bench *bench, const char *model, const char *options,
                         struct model_pump *(*pump)(struct model *model))
{
    memset(bench, 0, sizeof *bench);
    clock_real(&bench->clock);
    CU_ASSERT_EQUAL_FATAL(hal_open(&bench->hal, &bench->clock, &bench->error), 0);
    bench->model = make(model, options, &bench->error);
    CU_ASSERT_PTR_NOT_NULL_FATAL(bench->model);
    bench->pump = pump(bench->model);
    open_shoe(bench, model, model_pump_address(bench->pump));
}

void shoe_bench_open_puppet(struct shoe_bench *bench)
{
    char address[LINK_ADDRESS_MAX];

    memset(bench, 0, sizeof *bench);
    clock_virtual(&bench->clock, START);
    CU_ASSERT_EQUAL_FATAL(hal_open(&bench->hal, &bench->clock, &bench->error), 0);
    puppet_stage_open(&bench->stage, &bench->hal);
    bench->puppet = puppet_add(&bench->stage);
    snprintf(address, sizeof address, "emu:%s", bench->puppet->name);
    CU_ASSERT_EQUAL_FATAL(link_open(&bench->link, &bench->hal, address, &bench->error), 0);
}

void shoe_bench_close(struct shoe_bench *bench)
{
    shoe_close(bench->shoe);
    link_close(bench->link);
    if (bench->pump) {
        model_pump_stop(bench->pump);
        bench->model->ops->free(bench->model);
    }
    if (bench->puppet)
        puppet_stage_close(&bench->stage);
    hal_close(&bench->hal);
}

size_t shoe_bench_hex(const char *hex, uint8_t *bytes, size_t size)
{
    size_t count = 0;
    char *end;

    for (const char *at = hex; *at && count < size; at = end) {
        bytes[count++] = (uint8_t)strtoul(at, &end, 16);
        if (end == at)
            abort();
        while (*end == ' ')
            end++;
    }
    return count;
}

void shoe_bench_say(struct shoe_bench *bench, const char *hex)
{
    uint8_t bytes[512];

    puppet_put(bench->puppet, bytes, shoe_bench_hex(hex, bytes, sizeof bytes));
}

bool shoe_bench_heard(struct shoe_bench *bench, const char *hex)
{
    uint8_t expected[512], heard[512];
    size_t size = shoe_bench_hex(hex, expected, sizeof expected);
    size_t count = puppet_take(bench->puppet, heard, sizeof heard);

    if (count == size && !memcmp(heard, expected, size))
        return true;
    printf("expected %s\n     got", hex);
    for (size_t i = 0; i < count; i++)
        printf(" %02x", heard[i]);
    printf("\n");
    return false;
}

int shoe_bench_next(struct shoe_bench *bench)
{
    int result =
        shoe_next(bench->shoe, &bench->event, clock_deadline(&bench->clock, 10000), &bench->error);

    return result == 1 ? (int)bench->event.kind : -1;
}

bool shoe_bench_await(struct shoe_bench *bench, enum shoe_event_kind kind)
{
    int got;

    do
        got = shoe_bench_next(bench);
    while (got >= 0 && got != (int)kind);
    return got == (int)kind;
}

void shoe_bench_open_unlocked(struct shoe_bench *bench, const char *model, const char *options)
{
    shoe_bench_open(bench, model, options);
    CU_ASSERT_EQUAL(shoe_lock(bench->shoe, false, &bench->error), 0);
    do {
        CU_ASSERT_TRUE_FATAL(shoe_bench_await(bench, SHOE_EVENT_LOCK));
    } while (bench->event.is_locked);
}

unsigned shoe_bench_take_cards(struct shoe_bench *bench, card_t cards[DECK_SIZE])
{
    unsigned count = 0;
    int kind;

    while ((kind = shoe_bench_next(bench)) >= 0) {
        if (kind == SHOE_EVENT_CARD && count < DECK_SIZE)
            cards[count++] = bench->event.card.card;
        if (kind == SHOE_EVENT_FAULT)
            CU_ASSERT_EQUAL(shoe_clear_error(bench->shoe, bench->event.fault.code, &bench->error),
                            0);
    }
    return count;
}

unsigned shoe_bench_different(const card_t *cards, unsigned count)
{
    uint64_t seen = 0;

    for (unsigned i = 0; i < count; i++)
        seen |= UINT64_C(1) << cards[i];
    return (unsigned)__builtin_popcountll(seen);
}

bool shoe_bench_same_status(const struct shoe_status *a, const struct shoe_status *b)
{
    return a->state == b->state && a->error == b->error && a->test_mode == b->test_mode &&
           a->loaded == b->loaded && a->drawn == b->drawn && a->left == b->left &&
           a->deck == b->deck;
}
