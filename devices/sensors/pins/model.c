#include "devices/sensors/pins/model.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/sensors/pins/bet_sensor.h"
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
};
#define FAULTS 8

static const char *const fault_names[FAULTS] = {"stuck-high", "stuck-low", "dark", "lit",
                                                "bounce",     "late",      "lift", "ghost"};
static const char *const line_names[BET_LINES] = {"bet", "light", "chip", "lamp"};

/* There and back this many times before a contact is quiet. */
#define BOUNCES 4
/* Long enough for a sensor that is debounced for 20 ms, and over before a chip has travelled. */
#define GHOST (30 * NANOS_PER_MILLI)
/* An hour: long for a table, and far from where nanoseconds end. */
#define LONGEST_MS 3600000u

struct felt {
    bool lies;                /* a wager, wherever it came from */
    bool hand;                /* one that a hand placed */
    bool light;               /* the lamp is told to be lit */
    nanos_t quiet[BET_LINES]; /* nothing more happens to the line after this */
    unsigned faults;          /* set of enum fault */
};

struct bet_sensor_model {
    struct hal *hal;
    struct emulated_chip *chip;
    unsigned seats;
    unsigned active_low; /* set of enum bet_line */
    nanos_t travel, glow, bounce, hand, boot;
    uint64_t random;
    bool round;
    bool has_shown; /* a fault has made a difference */
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
    if (placed)
        haunt(model, time);
    lay(model, seat, placed || model->felts[seat].hand, time + model->travel);
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

static bool read_number(const char *text, uint64_t max, uint64_t *number)
{
    char *end;

    /* strtoumax would take a sign or a space before it. */
    if (text[0] < '0' || text[0] > '9')
        return false;
    errno = 0;
    *number = strtoumax(text, &end, 10);
    return !*end && !errno && *number <= max;
}

static int find_name(const char *const *names, int count, const char *name, size_t length)
{
    for (int i = 0; i < count; i++)
        if (strlen(names[i]) == length && !memcmp(names[i], name, length))
            return i;
    return -1;
}

int bet_sensor_model_fault(struct bet_sensor_model *model, const char *spec, struct error *error)
{
    size_t length = strcspn(spec, "@");
    int fault = find_name(fault_names, FAULTS, spec, length);
    nanos_t now = clock_now(model->hal->clock);
    uint64_t seat;

    if (fault < 0 || strncmp(spec + length, "@seat:", 6))
        return error_set(error, ERROR_CONFIG,
                         "'%.60s' is no fault of bet sensors; there are stuck-high, stuck-low, "
                         "dark, lit, bounce, late, lift and ghost, as in late@seat:3",
                         spec);
    if (!read_number(spec + length + 6, model->seats, &seat) || !seat)
        return error_set(error, ERROR_CONFIG,
                         "'%.60s': the seat of a fault is a number from 1 to %u", spec,
                         model->seats);
    model->felts[seat].faults |= 1u << fault;
    if (fault == FAULT_STUCK_HIGH || fault == FAULT_STUCK_LOW)
        show_bet(model, (unsigned)seat, now);
    if (fault == FAULT_DARK || fault == FAULT_LIT)
        show_lamp(model, (unsigned)seat, now);
    return 0;
}

static int read_lines(struct bet_sensor_model *model, const char *names, struct error *error)
{
    for (;;) {
        size_t length = strcspn(names, "+");
        int line = find_name(line_names, BET_LINES, names, length);

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

static int read_time(const char *key, const char *value, nanos_t *time, struct error *error)
{
    uint64_t number;

    if (!read_number(value, LONGEST_MS, &number))
        return error_set(error, ERROR_CONFIG,
                         "%s='%s' is not a number of milliseconds from 0 to %u", key, value,
                         LONGEST_MS);
    *time = (nanos_t)number * NANOS_PER_MILLI;
    return 0;
}

static int read_seats(struct bet_sensor_model *model, const char *value, struct error *error)
{
    uint64_t number;

    if (!read_number(value, BET_SENSOR_SEATS, &number) || !number)
        return error_set(error, ERROR_CONFIG, "seats='%s': a table has 1 to %d seats", value,
                         BET_SENSOR_SEATS);
    model->seats = (unsigned)number;
    return 0;
}

static int read_seed(struct bet_sensor_model *model, const char *value, struct error *error)
{
    if (read_number(value, UINT64_MAX, &model->random))
        return 0;
    return error_set(error, ERROR_CONFIG, "seed='%s' is not a number from 0 to 2^64 - 1", value);
}

/* Faults wait until the number of seats is known. */
static int read_option(struct bet_sensor_model *model, const char *key, const char *value,
                       bool faults, struct error *error)
{
    struct {
        const char *key;
        nanos_t *time;
    } times[] = {{"travel", &model->travel},
                 {"glow", &model->glow},
                 {"bounce", &model->bounce},
                 {"hand", &model->hand},
                 {"boot", &model->boot}};

    if (!strcmp(key, "fault"))
        return faults ? bet_sensor_model_fault(model, value, error) : 0;
    if (faults)
        return 0;
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++)
        if (!strcmp(key, times[i].key))
            return read_time(key, value, times[i].time, error);
    if (!strcmp(key, "seats"))
        return read_seats(model, value, error);
    if (!strcmp(key, "seed"))
        return read_seed(model, value, error);
    if (!strcmp(key, "active-low"))
        return read_lines(model, value, error);
    return error_set(error, ERROR_CONFIG,
                     "'%s' is no option of bet sensors; there are seats, travel, glow, bounce, "
                     "hand, boot, seed, active-low and fault",
                     key);
}

static int read_options(struct bet_sensor_model *model, const char *options, bool faults,
                        struct error *error)
{
    char copy[256], *rest = copy, *option;
    int result = 0;

    if (strlen(options) >= sizeof copy)
        return error_set(error, ERROR_CONFIG,
                         "the options of the bet sensors have %zu characters; at most %zu can be",
                         strlen(options), sizeof copy - 1);
    strcpy(copy, options);
    while (*options && !result && (option = strsep(&rest, ","))) {
        char *value = option;
        const char *key = strsep(&value, "=");

        result = value ? read_option(model, key, value, faults, error)
                       : error_set(error, ERROR_CONFIG,
                                   "'%s' is no option of bet sensors: write key=value, as in "
                                   "travel=40,fault=late@seat:3",
                                   key);
    }
    return result;
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

int bet_sensor_model_new(struct bet_sensor_model **model, struct hal *hal, const char *name,
                         const char *options, struct error *error)
{
    struct bet_sensor_model *made = malloc(sizeof *made);
    int result;

    *model = NULL;
    if (!made)
        return error_set(error, ERROR_RIG, "emu:%s: out of memory for the bet sensors", name);
    *made = (struct bet_sensor_model){.hal = hal,
                                      .seats = BET_SENSOR_SEATS,
                                      .travel = 40 * NANOS_PER_MILLI,
                                      .glow = 5 * NANOS_PER_MILLI,
                                      .bounce = 8 * NANOS_PER_MILLI,
                                      .hand = 300 * NANOS_PER_MILLI,
                                      .boot = 50 * NANOS_PER_MILLI,
                                      .random = 1};
    result = read_options(made, options, false, error);
    if (!result)
        result = make_chip(made, name, error);
    if (!result)
        result = read_options(made, options, true, error);
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
