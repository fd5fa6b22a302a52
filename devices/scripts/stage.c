/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/scripts/stage.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hal/base/random.h"

#define NOISE_PIECES 200
#define NOISE_GAP    (11 * NANOS_PER_MILLI)

/* What sends bytes of no protocol for a while, or none at all. */
struct noise {
    struct model model;
    uint64_t random;
    unsigned left; /* pieces */
    nanos_t due;
};

static void noise_receive(struct model *model, const uint8_t *bytes, size_t count, nanos_t now)
{
    (void)model;
    (void)bytes;
    (void)count;
    (void)now;
}

static size_t noise_send(struct model *model, uint8_t *bytes, size_t size, nanos_t now)
{
    struct noise *noise = (struct noise *)model;
    size_t count = 1 + (size_t)(random_next(&noise->random) % 40);

    if (!noise->left || now < noise->due)
        return 0;
    for (size_t i = 0; i < count && i < size; i++)
        bytes[i] = (uint8_t)random_next(&noise->random);
    noise->left--;
    noise->due = now + NOISE_GAP;
    return count < size ? count : size;
}

static nanos_t noise_due(struct model *model)
{
    const struct noise *noise = (const struct noise *)model;

    return noise->left ? noise->due : NEVER;
}

static void noise_free(struct model *model)
{
    free(model);
}

static struct model *make_noise(uint64_t seed, unsigned pieces)
{
    static const struct model_ops ops = {
        .receive = noise_receive, .send = noise_send, .due = noise_due, .free = noise_free};
    struct noise *noise = calloc(1, sizeof *noise);

    if (!noise)
        return NULL;
    noise->model.ops = &ops;
    noise->random = seed;
    noise->left = pieces;
    return &noise->model;
}

/* "emu:silence" and "emu:noise?SEED" are the contract's own. */
static struct model *make_model(void *context, const char *name, const char *options,
                                struct error *error)
{
    struct stage *stage = context;

    if (!strcmp(name, "silence"))
        return make_noise(1, 0);
    if (!strcmp(name, "noise"))
        return make_noise(strtoull(options, NULL, 10), NOISE_PIECES);
    stage->kind = model_kind_find(name, error);
    stage->model = stage->kind ? stage->kind->make(options, error) : NULL;
    return stage->model;
}

static int open_link(struct stage *stage, const char *address, const struct link_faults *faults)
{
    struct link *inner;
    int status = link_open(&inner, &stage->hal, address, &stage->error);

    if (status)
        return status;
    stage->link = inner;
    return faults ? fault_link(&stage->link, inner, faults, &stage->error) : 0;
}

int stage_open(struct stage *stage, const char *address, const struct link_faults *faults)
{
    static const struct sensors_setup setup = {.seats = BET_SENSOR_SEATS,
                                               .timing = BET_SENSOR_TIMING};
    const struct contract *contract = stage->contract;
    const struct device_driver *driver =
        device_driver_find(stage->class->class, "script", &stage->error);
    struct device_connection connection = {.script = contract->path,
                                           .options = contract->options,
                                           .setup = &setup,
                                           .seed = contract->seed,
                                           .printed = contract->printed,
                                           .printed_context = contract->context};
    int status;

    stage->link = NULL;
    stage->device = NULL;
    stage->kind = NULL;
    stage->model = NULL;
    clock_virtual(&stage->clock, 0);
    status = hal_open(&stage->hal, &stage->clock, &stage->error);
    if (status)
        return status;
    stage->hal.make_model = make_model;
    stage->hal.model_context = stage;
    status = open_link(stage, address ? address : stage->address, faults);
    if (status)
        return status;
    connection.link = stage->link;
    connection.address = stage->link->address;
    connection.hal = &stage->hal;
    return device_open(&stage->device, driver, &connection, &stage->error);
}

void stage_close(struct stage *stage)
{
    device_close(stage->device);
    link_close(stage->link);
    hal_close(&stage->hal);
}

bool stage_fail(struct stage *stage, const char *format, ...)
{
    va_list arguments;
    char text[ERROR_TEXT_SIZE];

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    error_set(&stage->error, ERROR_RULE, "%s", text);
    return false;
}

bool stage_skip(struct stage *stage, const char *format, ...)
{
    va_list arguments;
    char text[ERROR_TEXT_SIZE];

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    error_set(&stage->error, ERROR_RULE, "%s", text);
    stage->is_skipped = true;
    return false;
}

void stage_note(uint64_t *sum, uint64_t number)
{
    *sum = (*sum ^ number) * UINT64_C(1099511628211) + 1;
}

void stage_event(struct stage *stage, struct stage_play *play, unsigned kind, nanos_t time)
{
    stage_note(&play->events, kind);
    stage_note(&play->events, (uint64_t)time);
    play->count++;
    if (play->power_at && play->count == play->power_at && stage->kind && stage->kind->power_cycle)
        stage->kind->power_cycle(stage->model, clock_now(&stage->clock));
}
