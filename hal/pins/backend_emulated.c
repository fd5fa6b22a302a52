/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hal/pins/emulated_pins.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hal/base/names.h"
#include "hal/base/registry.h"
#include "hal/pins/emulated_chip.h"
#include "hal/pins/resolve.h"

void emulated_pins_push(struct emulated_pins *user, unsigned pin, bool rising, nanos_t time)
{
    struct pin_event *event;

    if (!(user->pins.requests[pin].edges & (rising ? PIN_RISING : PIN_FALLING)))
        return;
    user->sequence++;
    if (user->chip->to_lose) {
        user->chip->to_lose--;
        return;
    }
    if (user->queued == EMULATED_QUEUE) {
        user->head = (user->head + 1) % EMULATED_QUEUE;
        user->queued--;
    }
    event = &user->queue[(user->head + user->queued++) % EMULATED_QUEUE];
    *event =
        (struct pin_event){.pin = pin, .rising = rising, .time = time, .sequence = user->sequence};
}

/* Tells the watcher once all is done, so that it sees what was written together, together. */
static void announce(const struct emulated_pins *user, uint64_t changed)
{
    struct emulated_chip *chip = user->chip;

    for (size_t pin = 0; pin < user->pins.count; pin++)
        if (changed >> pin & 1 && chip->changed) {
            unsigned line = user->offsets[pin];

            chip->changed(chip->context, line, chip->lines[line].level, chip->now);
        }
}

static struct emulated_chip *find_chip(const struct hal *hal, const char *name)
{
    for (struct emulated_chip *c = hal->chips; c; c = c->next)
        if (!c->unplugged && !strcmp(c->name, name))
            return c;
    return NULL;
}

static int refuse_name(const struct hal *hal, const char *name, struct error *error)
{
    struct name_list names;

    name_list_start(&names);
    for (const struct emulated_chip *c = hal->chips; c; c = c->next)
        if (!c->unplugged)
            name_list_add(&names, c->name);
    return error_set(error, ERROR_CONFIG, "emu:%s: no emulated chip has this name; there are: %s",
                     name, name_list_text(&names));
}

static int resolve(struct emulated_pins *emulated, const struct pin_request *requests, size_t count,
                   struct error *error)
{
    const struct emulated_chip *chip = emulated->chip;
    struct gpio_line_info *lines = calloc(chip->count + 1, sizeof *lines);
    int result;

    if (!lines)
        return error_set(error, ERROR_RIG, "%s: out of memory", emulated->pins.address);
    for (size_t i = 0; i < chip->count; i++) {
        lines[i].used = chip->lines[i].used;
        memcpy(lines[i].name, chip->lines[i].name, sizeof lines[i].name);
        memcpy(lines[i].consumer, chip->lines[i].consumer, sizeof lines[i].consumer);
    }
    result = pins_resolve(emulated->pins.address, lines, chip->count, requests, count,
                          emulated->offsets, error);
    free(lines);
    return result;
}

static bool take_line(struct emulated_pins *emulated, unsigned pin)
{
    const struct pin_request *request = &emulated->pins.requests[pin];
    struct emulated_chip *chip = emulated->chip;
    unsigned offset = emulated->offsets[pin];
    struct emulated_line *line = &chip->lines[offset];
    bool changed;

    emulated_line_occupy(chip, offset, PINS_CONSUMER);
    line->output = request->direction == PIN_OUTPUT;
    if (request->bias != PIN_BIAS_AS_IS)
        line->bias = request->bias;
    changed = emulated_line_update(chip, offset, request->initial != request->active_low);
    line->user = emulated;
    line->pin = pin;
    debounce_start(&emulated->debounce[pin], request->debounce_us * NANOS_PER_MICRO,
                   line->level != request->active_low);
    return changed;
}

static void take_lines(struct emulated_pins *emulated)
{
    uint64_t changed = 0;

    emulated->next = emulated->chip->users;
    emulated->chip->users = emulated;
    for (unsigned pin = 0; pin < emulated->pins.count; pin++)
        changed |= (uint64_t)take_line(emulated, pin) << pin;
    announce(emulated, changed);
}

static int emulated_open(struct pins *pins, const char *rest, const struct pin_request *requests,
                         size_t count, struct error *error)
{
    struct emulated_pins *emulated = (struct emulated_pins *)pins;
    int result;

    emulated->chip = find_chip(pins->hal, rest);
    if (!emulated->chip)
        return refuse_name(pins->hal, rest, error);
    emulated_chip_run(emulated->chip);
    result = resolve(emulated, requests, count, error);
    if (!result)
        take_lines(emulated);
    return result;
}

static void emulated_close(struct pins *pins)
{
    struct emulated_pins *emulated = (struct emulated_pins *)pins, **link;
    struct emulated_chip *chip = emulated->chip;
    uint64_t changed = 0;

    emulated_chip_run(chip);
    for (link = &chip->users; *link != emulated; link = &(*link)->next)
        ;
    *link = emulated->next;
    for (size_t pin = 0; pin < pins->count; pin++) {
        struct emulated_line *line = &chip->lines[emulated->offsets[pin]];

        emulated_line_occupy(chip, emulated->offsets[pin], NULL);
        line->user = NULL;
        line->output = false;
        changed |= (uint64_t)emulated_line_update(chip, emulated->offsets[pin], line->level) << pin;
    }
    announce(emulated, changed);
}

static int check_there(const struct emulated_pins *emulated, struct error *error)
{
    if (!emulated->torn)
        return 0;
    return error_set(error, ERROR_DEVICE, "%s: the chip is gone; plug it in and open it again",
                     emulated->pins.address);
}

static int emulated_read(struct pins *pins, uint64_t *values, struct error *error)
{
    struct emulated_pins *emulated = (struct emulated_pins *)pins;

    emulated_chip_run(emulated->chip);
    *values = 0;
    for (size_t pin = 0; pin < pins->count; pin++) {
        const struct emulated_line *line = &emulated->chip->lines[emulated->offsets[pin]];
        bool level = line->output ? line->level != pins->requests[pin].active_low
                                  : emulated->debounce[pin].level;

        *values |= (uint64_t)level << pin;
    }
    return check_there(emulated, error);
}

static int emulated_write(struct pins *pins, uint64_t mask, uint64_t values, struct error *error)
{
    struct emulated_pins *emulated = (struct emulated_pins *)pins;
    struct emulated_chip *chip = emulated->chip;
    int result = check_there(emulated, error);
    uint64_t changed = 0;

    if (result)
        return result;
    emulated_chip_run(chip);
    for (size_t pin = 0; pin < pins->count; pin++) {
        bool level = (values >> pin & 1) != pins->requests[pin].active_low;

        if (mask >> pin & 1)
            changed |= (uint64_t)emulated_line_update(chip, emulated->offsets[pin], level) << pin;
    }
    announce(emulated, changed);
    return 0;
}

static int emulated_wait(struct pins *pins, struct pin_event *event, nanos_t deadline,
                         struct error *error)
{
    struct emulated_pins *emulated = (struct emulated_pins *)pins;
    nanos_t now = clock_now(pins->hal->clock);

    for (;;) {
        /* A wait until now only looks whether the bench was cancelled. */
        int result = hal_wait(pins->hal, -1, 0, now, error);
        nanos_t due;

        emulated_chip_run(emulated->chip);
        if (!result)
            result = check_there(emulated, error);
        if (result)
            return result;
        if (emulated->queued) {
            *event = emulated->queue[emulated->head];
            emulated->head = (emulated->head + 1) % EMULATED_QUEUE;
            emulated->queued--;
            return 1;
        }
        now = clock_now(pins->hal->clock);
        if (now >= deadline)
            return 0;
        due = emulated_chip_due(emulated->chip);
        result = hal_wait(pins->hal, -1, 0, due < deadline ? due : deadline, error);
        if (result)
            return result;
    }
}

static unsigned emulated_capabilities(const struct pins *pins)
{
    (void)pins;
    return PINS_LOSS_DETECTED | PINS_KERNEL_DEBOUNCE;
}

static const struct pins_backend emulated_backend = {
    .scheme = "emu",
    .form = "emu:NAME, as in emu:table",
    .size = sizeof(struct emulated_pins),
    .open = emulated_open,
    .close = emulated_close,
    .read = emulated_read,
    .write = emulated_write,
    .wait = emulated_wait,
    .capabilities = emulated_capabilities,
};
REGISTER(pins_backends, emulated_backend);
