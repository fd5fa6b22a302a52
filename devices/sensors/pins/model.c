/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/sensors/pins/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/model.h"
#include "devices/sensors/sensors.h"
#include "devices/wire/defects.h"
#include "devices/wire/options.h"
#include "hal/base/random.h"

enum fault {
    FAULT_STUCK_HIGH,
    FAULT_STUCK_LOW,
    FAULT_DARK,
    FAULT_LIT,
    FAULT_BOUNCE,
    FAULT_LATE,
    FAULT_LIFT,
    FAULT_GHOST,
    FAULT_KEPT,
};
#define FAULTS 9

#define SEAT "seat", 1, BET_SENSOR_SEATS

static const struct defect_kind kinds[FAULTS] = {
    {"stuck-high", SEAT}, {"stuck-low", SEAT}, {"dark", SEAT},  {"lit", SEAT},  {"bounce", SEAT},
    {"late", SEAT},       {"lift", SEAT},      {"ghost", SEAT}, {"kept", SEAT},
};
static const struct defect_table defects = {"bet sensors", kinds, FAULTS};

static const char *const line_names[BET_LINES] = {"bet", "light", "chip", "lamp"};

/* There and back this many times before a contact is quiet. */
#define BOUNCES 4
/* Long enough for a sensor that is debounced for 20 ms, and over before a chip has travelled. */
#define GHOST (30 * NANOS_PER_MILLI)

struct felt {
    bool lies;                /* a wager, wherever it came from */
    bool hand;                /* one that a hand placed */
    bool light;               /* the lamp is told to be lit */
    nanos_t quiet[BET_LINES]; /* nothing more happens to the line after this */
    unsigned faults;          /* set of enum fault */
};

struct bet_sensor_model {
    struct model model;
    struct hal *hal;
    struct emulated_chip *chip;
    unsigned seats;
    unsigned active_low; /* set of enum bet_line */
    nanos_t travel, glow, bounce, hand, boot;
    uint64_t random;
    bool round;
    bool has_shown;         /* a fault has made a difference */
    struct defects pending; /* of the options, until the number of seats is known */
    struct felt felts[BET_SENSOR_SEATS + 1];
};

static unsigned line_of(unsigned seat, enum bet_line line)
{
    return (seat - 1) * BET_LINES + line;
}

static bool is_faulty(const struct felt *felt, enum fault fault)
{
    return felt->faults >> fault & 1;
}

static void drive(struct bet_sensor_model *model, unsigned seat, enum bet_line line, bool value,
                  nanos_t time)
{
    bool level = value != (model->active_low >> line & 1);

    emulated_line_drive(model->chip, line_of(seat, line), level, time, NULL);
}

/* The same after all that is still to happen to the line, so that this is what stays. */
static void drive_last(struct bet_sensor_model *model, unsigned seat, enum bet_line line,
                       bool value, nanos_t time)
{
    nanos_t *quiet = &model->felts[seat].quiet[line];

    if (time > *quiet)
        *quiet = time;
    drive(model, seat, line, value, *quiet);
}

static void bounce(struct bet_sensor_model *model, unsigned seat, bool value, nanos_t time)
{
    nanos_t slot = model->bounce / (2 * BOUNCES);

    for (unsigned i = 0; i < 2 * BOUNCES; i++) {
        nanos_t place = slot ? (nanos_t)(random_next(&model->random) % (uint64_t)slot) : 0;

        drive_last(model, seat, BET_LINE_BET, value == (i % 2 == 0), time + i * slot + place);
    }
}

/* Makes the sensor see what lies there. */
static void show_bet(struct bet_sensor_model *model, unsigned seat, nanos_t time)
{
    const struct felt *felt = &model->felts[seat];
    bool is_high = is_faulty(felt, FAULT_STUCK_HIGH), is_low = is_faulty(felt, FAULT_STUCK_LOW);

    if (is_faulty(felt, FAULT_BOUNCE) && !is_high && !is_low) {
        bounce(model, seat, felt->lies, time);
        time += model->bounce;
    }
    model->has_shown |= felt->lies ? is_low : is_high;
    drive_last(model, seat, BET_LINE_BET, is_high || (felt->lies && !is_low), time);
}

static void show_lamp(struct bet_sensor_model *model, unsigned seat, nanos_t time)
{
    const struct felt *felt = &model->felts[seat];
    bool lit = is_faulty(felt, FAULT_LIT) || (felt->light && !is_faulty(felt, FAULT_DARK));

    model->has_shown |= lit != felt->light;
    drive_last(model, seat, BET_LINE_LAMP, lit, time);
}

static void lay(struct bet_sensor_model *model, unsigned seat, bool lies, nanos_t time)
{
    struct felt *felt = &model->felts[seat];

    if (felt->lies == lies)
        return;
    felt->lies = lies;
    show_bet(model, seat, time);
}

void bet_sensor_model_hand(struct bet_sensor_model *model, unsigned seat, bool places, nanos_t time)
{
    model->felts[seat].hand = places;
    lay(model, seat, places, time);
}

static void start_round(struct bet_sensor_model *model, nanos_t time)
{
    model->round = true;
    for (unsigned i = 1; i <= model->seats; i++) {
        struct felt *felt = &model->felts[i];
        unsigned meddling = felt->lies ? FAULT_LIFT : FAULT_LATE;

        if (is_faulty(felt, meddling)) {
            felt->faults &= ~(1u << meddling);
            model->has_shown = true;
            bet_sensor_model_hand(model, i, !felt->lies, time + model->hand);
        }
    }
}

static void end_round(struct bet_sensor_model *model, nanos_t time)
{
    model->round = false;
    for (unsigned i = 1; i <= model->seats; i++)
        if (model->felts[i].hand)
            bet_sensor_model_hand(model, i, false, time + model->travel);
}

static bool value_of(struct bet_sensor_model *model, unsigned seat, enum bet_line line)
{
    return emulated_line_level(model->chip, line_of(seat, line)) != (model->active_low >> line & 1);
}

/* Asks the lines: of lamps that were written together only some may have been told yet. */
static bool is_any_lit(struct bet_sensor_model *model)
{
    for (unsigned i = 1; i <= model->seats; i++)
        if (value_of(model, i, BET_LINE_LIGHT))
            return true;
    return false;
}

static void command_light(struct bet_sensor_model *model, unsigned seat, bool lit, nanos_t time)
{
    model->felts[seat].light = lit;
    show_lamp(model, seat, time + model->glow);
    if (is_any_lit(model) == model->round)
        return;
    if (lit)
        start_round(model, time);
    else
        end_round(model, time);
}

/* A sensor sees for a moment what is not there, while wagers are placed elsewhere. */
static void haunt(struct bet_sensor_model *model, nanos_t time)
{
    for (unsigned i = 1; i <= model->seats; i++) {
        struct felt *felt = &model->felts[i];

        if (!is_faulty(felt, FAULT_GHOST) || felt->lies || value_of(model, i, BET_LINE_CHIP))
            continue;
        felt->faults &= ~(1u << FAULT_GHOST);
        model->has_shown = true;
        drive_last(model, i, BET_LINE_BET, true, time);
        drive_last(model, i, BET_LINE_BET, false, time + GHOST);
    }
}

/* Where an actuator draws back, a wager that a hand placed stays. */
static void command_chip(struct bet_sensor_model *model, unsigned seat, bool placed, nanos_t time)
{
    struct felt *felt = &model->felts[seat];

    if (placed)
        haunt(model, time);
    if (!placed && model->round && felt->lies && is_faulty(felt, FAULT_KEPT))
        model->has_shown = felt->hand = true;
    lay(model, seat, placed || felt->hand, time + model->travel);
}

static void changed(void *context, unsigned line, bool level, nanos_t time)
{
    struct bet_sensor_model *model = context;
    enum bet_line kind = line % BET_LINES;
    unsigned seat = line / BET_LINES + 1;
    bool value = level != (model->active_low >> kind & 1);

    if (kind == BET_LINE_LIGHT)
        command_light(model, seat, value, time);
    else if (kind == BET_LINE_CHIP)
        command_chip(model, seat, value, time);
}

static void show_all(struct bet_sensor_model *model, nanos_t time)
{
    for (unsigned i = 1; i <= model->seats; i++) {
        show_bet(model, i, time);
        show_lamp(model, i, time);
    }
}

void bet_sensor_model_mend(struct bet_sensor_model *model)
{
    for (unsigned i = 1; i <= model->seats; i++)
        model->felts[i].faults = 0;
    show_all(model, clock_now(model->hal->clock));
}

void bet_sensor_model_power_cycle(struct bet_sensor_model *model, nanos_t now)
{
    for (unsigned i = 1; i <= model->seats; i++) {
        drive(model, i, BET_LINE_BET, false, now);
        drive(model, i, BET_LINE_LAMP, false, now);
    }
    show_all(model, now + model->boot);
}

bool bet_sensor_model_has_shown(const struct bet_sensor_model *model)
{
    return model->has_shown;
}

struct emulated_chip *bet_sensor_model_chip(struct bet_sensor_model *model)
{
    return model->chip;
}

static int add_fault(struct bet_sensor_model *model, const struct defect *defect,
                     struct error *error)
{
    nanos_t now = clock_now(model->hal->clock);

    if (defect->at > model->seats)
        return error_set(error, ERROR_CONFIG, "%s@seat:%u: write a seat from 1 to %u",
                         kinds[defect->kind].name, defect->at, model->seats);
    model->felts[defect->at].faults |= 1u << defect->kind;
    if (defect->kind == FAULT_STUCK_HIGH || defect->kind == FAULT_STUCK_LOW)
        show_bet(model, defect->at, now);
    if (defect->kind == FAULT_DARK || defect->kind == FAULT_LIT)
        show_lamp(model, defect->at, now);
    return 0;
}

int bet_sensor_model_fault(struct bet_sensor_model *model, const char *spec, struct error *error)
{
    struct defect defect;
    int status = defect_parse(&defects, spec, &defect, error);

    return status ? status : add_fault(model, &defect, error);
}

static int find_line(const char *name, size_t length)
{
    for (int i = 0; i < BET_LINES; i++)
        if (strlen(line_names[i]) == length && !memcmp(line_names[i], name, length))
            return i;
    return -1;
}

static int read_lines(void *context, const char *names, struct error *error)
{
    struct bet_sensor_model *model = context;

    for (;;) {
        size_t length = strcspn(names, "+");
        int line = find_line(names, length);

        if (line < 0)
            return error_set(error, ERROR_CONFIG,
                             "active-low: '%.*s' is no line of a bet sensor; there are bet, light, "
                             "chip and lamp, as in active-low=bet+lamp",
                             (int)length, names);
        model->active_low |= 1u << line;
        if (!names[length])
            return 0;
        names += length + 1;
    }
}

static int read_travel(void *context, const char *value, struct error *error)
{
    return model_option_millis("travel", value, &((struct bet_sensor_model *)context)->travel,
                               error);
}

static int read_glow(void *context, const char *value, struct error *error)
{
    return model_option_millis("glow", value, &((struct bet_sensor_model *)context)->glow, error);
}

static int read_bounce(void *context, const char *value, struct error *error)
{
    return model_option_millis("bounce", value, &((struct bet_sensor_model *)context)->bounce,
                               error);
}

static int read_hand(void *context, const char *value, struct error *error)
{
    return model_option_millis("hand", value, &((struct bet_sensor_model *)context)->hand, error);
}

static int read_boot(void *context, const char *value, struct error *error)
{
    return model_option_millis("boot", value, &((struct bet_sensor_model *)context)->boot, error);
}

static int read_seed(void *context, const char *value, struct error *error)
{
    return model_option_number("seed", value, UINT64_MAX,
                               &((struct bet_sensor_model *)context)->random, error);
}

static int read_seats(void *context, const char *value, struct error *error)
{
    uint64_t seats = 0;

    if (model_option_number("seats", value, BET_SENSOR_SEATS, &seats, error) || !seats)
        return error_set(error, ERROR_CONFIG, "seats=%s: a table has 1 to %d seats", value,
                         BET_SENSOR_SEATS);
    ((struct bet_sensor_model *)context)->seats = (unsigned)seats;
    return 0;
}

static int read_fault(void *context, const char *value, struct error *error)
{
    return defects_add(&((struct bet_sensor_model *)context)->pending, &defects, value, error);
}

static const struct model_option options[] = {
    {"seats=N", read_seats},    {"travel=MS", read_travel},
    {"glow=MS", read_glow},     {"bounce=MS", read_bounce},
    {"hand=MS", read_hand},     {"boot=MS", read_boot},
    {"seed=N", read_seed},      {"active-low=LINES", read_lines},
    {"fault=SPEC", read_fault}, {NULL, NULL},
};

static int add_pending(struct bet_sensor_model *model, struct error *error)
{
    int status = 0;

    for (unsigned i = 0; i < model->pending.count && !status; i++)
        status = add_fault(model, &model->pending.list[i], error);
    return status;
}

/* Nothing is placed or lit, whatever the polarity; what the host lets go of falls back to that. */
static void rest(struct bet_sensor_model *model)
{
    for (unsigned seat = 1; seat <= model->seats; seat++)
        for (unsigned line = 0; line < BET_LINES; line++)
            drive(model, seat, line, false, clock_now(model->hal->clock));
}

static int make_chip(struct bet_sensor_model *model, const char *name, struct error *error)
{
    const char *lines[BET_SENSOR_SEATS * BET_LINES];
    char names[BET_SENSOR_SEATS * BET_LINES][PIN_NAME_MAX];
    int result;

    for (unsigned i = 0; i < model->seats * BET_LINES; i++) {
        snprintf(names[i], sizeof names[i], "%s%u", line_names[i % BET_LINES], i / BET_LINES + 1);
        lines[i] = names[i];
    }
    result =
        emulated_chip_new(&model->chip, model->hal, name, lines, model->seats * BET_LINES, error);
    if (result)
        return result;
    rest(model);
    emulated_chip_watch(model->chip, changed, model);
    return 0;
}

static void free_model(struct model *model)
{
    bet_sensor_model_free((struct bet_sensor_model *)model);
}

int bet_sensor_model_new(struct bet_sensor_model **model, struct hal *hal, const char *name,
                         const char *text, struct error *error)
{
    static const struct model_ops ops = {.free = free_model};
    struct bet_sensor_model *made = malloc(sizeof *made);
    int result;

    *model = NULL;
    if (!made)
        return error_set(error, ERROR_RIG, "emu:%s: out of memory for the bet sensors", name);
    *made = (struct bet_sensor_model){.model.ops = &ops,
                                      .hal = hal,
                                      .seats = BET_SENSOR_SEATS,
                                      .travel = 40 * NANOS_PER_MILLI,
                                      .glow = 5 * NANOS_PER_MILLI,
                                      .bounce = 8 * NANOS_PER_MILLI,
                                      .hand = 300 * NANOS_PER_MILLI,
                                      .boot = 50 * NANOS_PER_MILLI,
                                      .random = 1};
    result = model_options_read(options, "bet sensors", text, made, error);
    if (!result)
        result = make_chip(made, name, error);
    if (!result)
        result = add_pending(made, error);
    if (result) {
        bet_sensor_model_free(made);
        return result;
    }
    *model = made;
    return 0;
}

void bet_sensor_model_free(struct bet_sensor_model *model)
{
    if (!model)
        return;
    emulated_chip_free(model->chip);
    free(model);
}

static struct model *make_on_pins(struct hal *hal, const char *chip, const char *text,
                                  struct error *error)
{
    struct bet_sensor_model *model;

    return bet_sensor_model_new(&model, hal, chip, text, error) ? NULL : &model->model;
}

static int fault(struct model *model, const char *spec, struct error *error)
{
    return bet_sensor_model_fault((struct bet_sensor_model *)model, spec, error);
}

static bool has_shown(const struct model *model)
{
    return bet_sensor_model_has_shown((const struct bet_sensor_model *)model);
}

static void power_cycle(struct model *model, nanos_t now)
{
    bet_sensor_model_power_cycle((struct bet_sensor_model *)model, now);
}

static const struct model_kind kind = {
    .name = "table",
    .summary = "bet sensors and lights on pins, seven seats",
    .class = DEVICE_SENSORS,
    .driver = "pins",
    .options = options,
    .defects = &defects,
    .make_on_pins = make_on_pins,
    .fault = fault,
    .has_shown = has_shown,
    .power_cycle = power_cycle,
    .hands = "",
};
REGISTER(device_models, kind);
