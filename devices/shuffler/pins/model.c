/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/shuffler/pins/model.h"

#include <stdlib.h>
#include <string.h>

#include "devices/model.h"
#include "devices/shuffler/pins/machine.h"

int plain_shuffler_fault(struct plain_shuffler *model, const char *spec, struct error *error)
{
    return defects_add(&model->defects, &plain_shuffler_defects, spec, error);
}

bool plain_shuffler_has_shown(const struct plain_shuffler *model)
{
    return defects_have_shown(&model->defects);
}

struct emulated_chip *plain_shuffler_chip(struct plain_shuffler *model)
{
    return model->chip;
}

static int read_shuffle(void *context, const char *value, struct error *error)
{
    struct plain_shuffler *model = context;

    if (*value >= '0' && *value <= '9')
        return model_option_millis("shuffle", value, &model->shuffle_time, error);
    return shuffle_method_parse(value, strlen(value), &model->method, error);
}

static int read_deal(void *context, const char *value, struct error *error)
{
    return model_option_millis("deal", value, &((struct plain_shuffler *)context)->deal_time,
                               error);
}

static int read_take(void *context, const char *value, struct error *error)
{
    return model_option_millis("take", value, &((struct plain_shuffler *)context)->take_time,
                               error);
}

static int read_clear(void *context, const char *value, struct error *error)
{
    return model_option_millis("clear", value, &((struct plain_shuffler *)context)->clear_time,
                               error);
}

static int read_least(void *context, const char *value, struct error *error)
{
    return model_option_millis("least", value, &((struct plain_shuffler *)context)->least, error);
}

static int read_seed(void *context, const char *value, struct error *error)
{
    return model_option_number("seed", value, UINT64_MAX, &((struct plain_shuffler *)context)->seed,
                               error);
}

static int read_press(void *context, const char *value, struct error *error)
{
    for (unsigned i = 0; i < PRESS_KINDS; i++)
        if (!strcmp(plain_press_names[i], value)) {
            ((struct plain_shuffler *)context)->press = (enum plain_press)i;
            return 0;
        }
    return error_set(error, ERROR_CONFIG,
                     "press=%.40s: write shuffles-and-deals, shuffles-then-deals or deals", value);
}

static int find_line(const char *name, size_t length)
{
    for (int i = 0; i < SHUFFLER_LINES; i++)
        if (strlen(shuffler_line_names[i]) == length &&
            !memcmp(shuffler_line_names[i], name, length))
            return i;
    return -1;
}

static int read_lines(void *context, const char *names, struct error *error)
{
    struct plain_shuffler *model = context;

    for (;;) {
        size_t length = strcspn(names, "+");
        int line = find_line(names, length);

        if (line < 0)
            return error_set(error, ERROR_CONFIG,
                             "active-low: '%.*s' is no line of a shuffler; there are button, exit, "
                             "ready, jam and door, as in active-low=exit+jam",
                             (int)length, names);
        model->active_low |= 1u << line;
        if (!names[length])
            return 0;
        names += length + 1;
    }
}

static int read_fault(void *context, const char *value, struct error *error)
{
    return plain_shuffler_fault(context, value, error);
}

static const struct model_option options[] = {
    {"shuffle=MS", read_shuffle},
    {"shuffle=METHOD", read_shuffle},
    {"deal=MS", read_deal},
    {"take=MS", read_take},
    {"clear=MS", read_clear},
    {"least=MS", read_least},
    {"press=WHAT", read_press},
    {"seed=N", read_seed},
    {"active-low=LINES", read_lines},
    {"fault=SPEC", read_fault},
    {NULL, NULL},
};

static int make_chip(struct plain_shuffler *model, const char *name, struct error *error)
{
    int result = emulated_chip_new(&model->chip, model->hal, name, shuffler_line_names,
                                   SHUFFLER_LINES, error);

    if (result)
        return result;
    for (unsigned line = 0; line < SHUFFLER_LINES; line++)
        plain_shuffler_drive(model, line, false, clock_now(model->hal->clock));
    emulated_chip_watch(model->chip, plain_shuffler_changed, model);
    return 0;
}

static void free_model(struct model *model)
{
    plain_shuffler_free((struct plain_shuffler *)model);
}

int plain_shuffler_new(struct plain_shuffler **model, struct hal *hal, const char *name,
                       const char *text, struct error *error)
{
    static const struct model_ops ops = {.free = free_model};
    struct plain_shuffler *made = malloc(sizeof *made);
    int result;

    *model = NULL;
    if (!made)
        return error_set(error, ERROR_RIG, "emu:%s: out of memory for the shuffler", name);
    *made = (struct plain_shuffler){.model.ops = &ops,
                                    .hal = hal,
                                    .shuffle_time = 20000 * NANOS_PER_MILLI,
                                    .deal_time = 300 * NANOS_PER_MILLI,
                                    .take_time = 500 * NANOS_PER_MILLI,
                                    .clear_time = 2000 * NANOS_PER_MILLI,
                                    .least = 30 * NANOS_PER_MILLI,
                                    .seed = 1,
                                    .pressed = NEVER};
    for (unsigned i = 0; i < DECK_SIZE; i++)
        made->deck[i] = card_from_index(i);
    result = model_options_read(options, plain_shuffler_defects.noun, text, made, error);
    if (!result)
        result = make_chip(made, name, error);
    if (result) {
        plain_shuffler_free(made);
        return result;
    }
    shuffle_start(&made->shuffle, made->method, made->seed);
    *model = made;
    return 0;
}

void plain_shuffler_free(struct plain_shuffler *model)
{
    if (!model)
        return;
    emulated_chip_free(model->chip);
    free(model);
}

static struct model *make_on_pins(struct hal *hal, const char *chip, const char *text,
                                  struct error *error)
{
    struct plain_shuffler *model;

    return plain_shuffler_new(&model, hal, chip, text, error) ? NULL : &model->model;
}

static int fault(struct model *model, const char *spec, struct error *error)
{
    return plain_shuffler_fault((struct plain_shuffler *)model, spec, error);
}

static bool has_shown(const struct model *model)
{
    return plain_shuffler_has_shown((const struct plain_shuffler *)model);
}

static const struct model_kind kind = {
    .name = "plain-shuffler",
    .summary = "a shuffler on pins: a green button, an exit, no data port",
    .class = DEVICE_SHUFFLER,
    .driver = "pins",
    .options = options,
    .defects = &plain_shuffler_defects,
    .make_on_pins = make_on_pins,
    .fault = fault,
    .has_shown = has_shown,
    .deals_packets = true,
    .hands = "",
};
REGISTER(device_models, kind);
