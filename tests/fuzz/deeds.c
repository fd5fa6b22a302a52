/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/fuzz/deeds.h"

#include <stdio.h>
#include <string.h>

#include "games/card.h"

struct rig *fuzz_rig(const char *text)
{
    struct rig *rig;
    struct error error;

    if (rig_parse(&rig, "fuzz.yaml", text, strlen(text), &error))
        fuzz_found(__FILE__, __LINE__, error.text);
    return rig;
}

/* 0 or an event, a refusal of a key, or an error with its sentence. */
static void ended(int status, const struct error *error)
{
    FUZZ_MUST(status >= 0 || (status == (int)error->code && error->text[0]));
}

/* A number of the input, most of the time a small one. */
static uint64_t any_number(struct fuzz_input *input)
{
    uint8_t byte = fuzz_byte(input);
    static const uint64_t large[] = {UINT8_MAX, UINT16_MAX, UINT32_MAX, TERMINAL_METER_MAX,
                                     UINT64_MAX};

    return byte < 0xf0 ? byte : large[byte % (sizeof large / sizeof large[0])];
}

static nanos_t until(const struct bench *bench, struct fuzz_input *input)
{
    return clock_now(&bench->clock) + fuzz_byte(input) * 100 * NANOS_PER_MILLI;
}

/* All cards, by turns of a seed; of the last ones one has a card twice, or something that is none.
 */
static void any_order(card_t order[DECK_SIZE], uint8_t seed)
{
    for (unsigned i = 0; i < DECK_SIZE; i++)
        order[i] = card_from_index((i * (2u * (seed % 6) + 1) + seed) % DECK_SIZE);
    if (seed >= 0xf8)
        order[1] = seed;
    else if (seed >= 0xf0)
        order[1] = order[0];
}

static struct card_stack any_stack(struct fuzz_input *input)
{
    struct card_stack stack = {.known = 1 + fuzz_byte(input) % DECK_SIZE};

    any_order(stack.order, fuzz_byte(input));
    stack.deck = fuzz_byte(input) % 3;
    stack.read = fuzz_byte(input);
    return stack;
}

static struct shuffler_program any_program(struct fuzz_input *input)
{
    struct shuffler_program program = {.burn = fuzz_byte(input) % 8, .draws = fuzz_byte(input) % 8};
    uint8_t kind = fuzz_byte(input);

    program.count = kind % (SHUFFLER_PACKETS_MAX + 1);
    for (unsigned i = 0; i < program.count; i++)
        program.sizes[i] = kind < 0xc0 ? (uint8_t)(1 + kind % 5) : fuzz_byte(input);
    return program;
}

static int next_of_shuffler(struct bench *bench, struct fuzz_input *input, struct error *error)
{
    struct shuffler_event event;
    struct telling telling;
    int status = shuffler_next(bench->shuffler, &event, until(bench, input), error);

    if (status > 0) {
        shuffler_describe(&event, &telling);
        FUZZ_MUST(*telling.name);
        telling_details(&telling);
        if (event.kind == SHUFFLER_EVENT_PRESENT)
            FUZZ_MUST(event.packet.size <= DECK_SIZE);
    }
    return status;
}

/* In version 1 a program that a shuffler could be given is not refused as one that it cannot. */
static int programmed(struct shuffler *shuffler, const struct shuffler_program *program,
                      struct error *error)
{
    const char *driver = strchr(shuffler->device.driver->key, '/') + 1;
    int possible =
        shuffler_can_program(driver, "it", shuffler->device.is_wide ? 2 : 1, program, error);
    int status = shuffler_program(shuffler, program, error);

    FUZZ_MUST(possible || status != ERROR_CONFIG || shuffler->device.is_wide ||
              strcmp(driver, "open") != 0);
    return status;
}

static int shuffler_deed(struct bench *bench, struct fuzz_input *input, struct error *error)
{
    struct shuffler *shuffler = bench->shuffler;
    struct shuffler_status status;
    struct shuffler_program program;
    struct card_stack stack;
    unsigned has, on;

    switch (fuzz_byte(input) % 16) {
    case 0:
        return shuffler_status(shuffler, &status, error);
    case 1:
        program = any_program(input);
        return programmed(shuffler, &program, error);
    case 2:
        return shuffler_shuffle(shuffler, error);
    case 3:
        return shuffler_press(shuffler, error);
    case 4:
        return shuffler_return_deck(shuffler, error);
    case 5:
        return shuffler_test_mode(shuffler, fuzz_byte(input) & 1, error);
    case 6:
        stack = any_stack(input);
        return shuffler_load_order(shuffler, stack.order, error);
    case 7:
        stack = any_stack(input);
        return shuffler_stack(shuffler, &stack, error);
    case 8:
        shuffler_want_deck(shuffler, fuzz_byte(input) % 3);
        return 0;
    case 9:
        return shuffler_clear_error(shuffler, fuzz_byte(input) % SHUFFLER_FAULTS, error);
    case 10:
        return shuffler_look(shuffler, &has, &on, error);
    default:
        return next_of_shuffler(bench, input, error);
    }
}

static int next_of_shoe(struct bench *bench, struct fuzz_input *input, struct error *error)
{
    struct shoe_event event;
    struct telling telling;
    int status = shoe_next(bench->shoe, &event, until(bench, input), error);

    if (status > 0) {
        shoe_describe(&event, &telling);
        FUZZ_MUST(*telling.name);
        telling_details(&telling);
        FUZZ_MUST(event.kind != SHOE_EVENT_CARD || card_valid(event.card.card));
    }
    return status;
}

static int shoe_deed(struct bench *bench, struct fuzz_input *input, struct error *error)
{
    struct shoe *shoe = bench->shoe;
    struct shoe_status status;
    struct shoe_counts counts;
    struct card_stack stack;
    int result;

    switch (fuzz_byte(input) % 16) {
    case 0:
        status.state = SHOE_ERROR + 1;
        result = shoe_status(shoe, &status, error);
        FUZZ_MUST(*shoe_state_text(status.state));
        return result;
    case 1:
        return shoe_lock(shoe, fuzz_byte(input) & 1, error);
    case 2:
        return shoe_expect(shoe, fuzz_byte(input), error);
    case 3:
        return shoe_clear_error(shoe, fuzz_byte(input), error);
    case 4:
        return shoe_test_mode(shoe, fuzz_byte(input) & 1, error);
    case 5:
        stack = any_stack(input);
        return shoe_load_order(shoe, stack.order, stack.read < 0xf0 ? stack.known : stack.read,
                               error);
    case 6:
        shoe_want_deck(shoe, fuzz_byte(input) % 3);
        return 0;
    case 7:
        stack = any_stack(input);
        return shoe_stack(shoe, &stack, error);
    case 8:
        shoe_counts(shoe, &counts);
        return 0;
    default:
        return next_of_shoe(bench, input, error);
    }
}

static struct terminal_press any_press(struct fuzz_input *input)
{
    struct terminal_press press = {.key = 1 + fuzz_byte(input) % (TERMINAL_KEYS - 1)};
    uint8_t more = fuzz_byte(input);

    press.seat = more % 9;
    press.hand = more & 0x80 ? TERMINAL_UNKNOWN : more % (TERMINAL_HANDS_MAX + 1);
    press.is_wrong = more & 0x40;
    strcpy(press.code, press.is_wrong ? "0000" : "4711");
    if (more >= 0xf0)
        strcpy(press.code, "none");
    return press;
}

/* A preset with one field that the input sets. */
static struct terminal_config any_config(struct fuzz_input *input)
{
    uint8_t kind = fuzz_byte(input);
    struct terminal_config config = *terminal_preset(kind & 1 ? "stax" : "three-card-catch");

    FUZZ_MUST(terminal_config_hand(&config, config.hands[1].name) == 1);
    FUZZ_MUST(terminal_config_hand(&config, "no hand") < 0);
    switch (kind >> 1 & 7) {
    case 1:
        config.wager = (uint32_t)any_number(input);
        break;
    case 2:
        config.rounding = fuzz_byte(input) % 4;
        break;
    case 3:
        config.meters[0].rate = (uint16_t)any_number(input);
        config.meters[0].opening = any_number(input);
        break;
    case 4:
        config.must_hit = (struct terminal_must_hit_rule){
            .reset = any_number(input) * TERMINAL_MICROS_PER_DOLLAR,
            .hit_by = any_number(input) * TERMINAL_MICROS_PER_DOLLAR,
            .opening = any_number(input) * TERMINAL_MICROS_PER_DOLLAR,
            .rate = (uint16_t)any_number(input)};
        break;
    case 5:
        config.hands[1].meter = fuzz_byte(input);
        config.hands[2].cents = (uint32_t)any_number(input);
        break;
    case 6:
        config.meter_count = fuzz_byte(input);
        config.hand_count = fuzz_byte(input);
        break;
    case 7:
        memcpy(config.meters[1].name, config.meters[0].name, sizeof config.meters[1].name);
        config.meters[1].name[0] = (char)fuzz_byte(input);
        break;
    default:
        break;
    }
    return config;
}

static int next_of_terminal(struct bench *bench, struct fuzz_input *input, struct error *error)
{
    struct terminal_event event;
    struct telling telling;
    int status = terminal_next(bench->terminal, &event, until(bench, input), error);

    if (status > 0) {
        terminal_describe(&event, terminal_preset("stax"), &telling);
        FUZZ_MUST(*telling.name);
        telling_details(&telling);
    }
    return status;
}

/* What a person reads off it. */
static int terminal_look(struct terminal *terminal, uint8_t what, struct error *error)
{
    struct terminal_status status;
    struct terminal_meters meters;
    struct terminal_screen screen;
    struct terminal_config config;
    struct terminal_sign sign;
    uint8_t lights;

    if (what >= 0xf0)
        return terminal_configuration(terminal, &config, error);
    switch (what % 5) {
    case 0:
        return terminal_status(terminal, &status, error);
    case 1:
        return terminal_meters(terminal, &meters, error);
    case 2:
        return terminal_screen(terminal, &screen, error);
    case 3:
        return terminal_sign(terminal, &sign, error);
    default:
        return terminal_lights(terminal, &lights, error);
    }
}

static int terminal_admin(struct terminal *terminal, struct fuzz_input *input, struct error *error)
{
    uint8_t what = fuzz_byte(input);
    const char *admin = what < 0x80 ? "86420" : what < 0xc0 ? "00000" : "no code";
    struct terminal_ledger_entry entry;
    struct terminal_config config;

    switch (what % 6) {
    case 0:
        config = any_config(input);
        return terminal_configure(terminal, admin, &config, error);
    case 1:
        config = any_config(input);
        return terminal_config_check(&config, error) ? 0
                                                     : terminal_expect(terminal, &config, error);
    case 2:
        return terminal_correct(terminal, admin, fuzz_byte(input) % (TERMINAL_METERS_MAX + 1),
                                any_number(input), "counted", error);
    case 3:
        return terminal_test_mode(terminal, fuzz_byte(input) & 1, error);
    case 4:
        return terminal_load_must_hit(terminal, fuzz_byte(input) % 9, error);
    default:
        return terminal_ledger(terminal, (uint32_t)any_number(input), &entry, error);
    }
}

static int terminal_deed(struct bench *bench, struct fuzz_input *input, struct error *error)
{
    struct terminal *terminal = bench->terminal;
    struct terminal_press presses[3];
    struct terminal_approval approval;
    uint8_t what = fuzz_byte(input), seat, hand;

    switch (what % 16) {
    case 0:
    case 1:
    case 2:
        presses[0] = any_press(input);
        return terminal_key(terminal, presses, error);
    case 3:
        for (unsigned i = 0; i < 3; i++)
            presses[i] = any_press(input);
        return terminal_keys(terminal, presses, 3, error);
    case 4:
    case 5:
        seat = fuzz_byte(input) % 9;
        hand = fuzz_byte(input) % TERMINAL_HANDS_MAX;
        return (what & 1 ? terminal_approve : terminal_approve_probing)(
            terminal, seat, hand, what & 0x80 ? "4321" : "4711", &approval, error);
    case 6:
    case 7:
        return terminal_sensors(terminal, fuzz_byte(input), error);
    case 8:
    case 9:
        return terminal_look(terminal, fuzz_byte(input), error);
    case 10:
    case 11:
    case 12:
        return terminal_admin(terminal, input, error);
    default:
        return next_of_terminal(bench, input, error);
    }
}

static int next_of_sensors(struct bench *bench, struct fuzz_input *input, struct error *error)
{
    struct bet_event event;
    struct telling telling;
    struct log_entry entry;
    int status = sensors_next(bench->sensors, &event, until(bench, input), error);

    if (status > 0) {
        sensors_describe(event.kind, 1u << event.seat, &telling);
        FUZZ_MUST(*telling.name && event.seat <= BET_SENSOR_SEATS);
        telling_details(&telling);
    }
    sensors_due_entry(bench->sensors, &entry);
    return status;
}

/* Plain questions, which ask nothing of the device. */
static void sensors_told(const struct sensors *sensors, uint8_t line)
{
    struct bet_unchecked unchecked[BET_UNCHECKED_MAX];

    FUZZ_MUST(sensors_unchecked(sensors, unchecked) <= BET_UNCHECKED_MAX);
    FUZZ_MUST(!(sensors_with(sensors, line % BET_LINES) & ~BET_ALL_SEATS));
    FUZZ_MUST(!(sensors_placed(sensors) & ~BET_ALL_SEATS));
    sensors_in_round(sensors);
    sensors_last_status(sensors);
}

static int sensors_deed(struct bench *bench, struct fuzz_input *input, struct error *error)
{
    struct sensors *sensors = bench->sensors;
    uint8_t what = fuzz_byte(input), seats = fuzz_byte(input) & BET_ALL_SEATS;
    unsigned wrong;

    switch (what % 16) {
    case 0:
    case 1:
        return sensors_place(sensors, seats, what & 1, error);
    case 2:
        return sensors_lock(sensors, what & 0x80 ? seats : sensors_placed(sensors), error);
    case 3:
        return sensors_unlock(sensors, error);
    case 4:
        return sensors_light(sensors, seats, error);
    case 5:
        return sensors_settle(sensors, error);
    case 6:
        return sensors_check_lamps(sensors, &wrong, error);
    case 7:
        return sensors_rest(sensors, error);
    case 8:
        return sensors_leave_test_mode(sensors, error);
    case 9:
        sensors_told(sensors, seats);
        return 0;
    default:
        return next_of_sensors(bench, input, error);
    }
}

/* What every device has, asked of one that has it. */
static int device_deed(struct bench_device *at, struct fuzz_input *input, struct error *error)
{
    struct wire_identity identity;
    struct log_entry entries[LOG_REPLY_MAX];
    struct host *host = device_host(at->device);
    unsigned count;
    uint32_t total;
    bool is_on;

    switch (fuzz_byte(input) % 8) {
    case 0:
        return device_identity(at->device, &identity, error);
    case 1:
        return device_ask_test_mode(at->device, &is_on, error);
    case 2:
    case 3:
        return device_log(at->device, (uint32_t)any_number(input), entries, &count, &total, error);
    case 4:
        if (host)
            host_settle(host);
        return 0;
    case 5:
        if (host)
            host_allow(host);
        return 0;
    case 6:
        return host ? host_check_hello(host, error) : 0;
    default:
        device_in_test_mode(at->device);
        return 0;
    }
}

static void break_down(struct bench_device *at, uint8_t which, uint8_t when)
{
    const struct defect_kind *kind = &at->kind->defects->kinds[which % at->kind->defects->count];
    struct error error;
    char spec[64];

    snprintf(spec, sizeof spec, kind->unit ? "%s@%s:%u" : "%s", kind->name, kind->unit,
             when % 16u + 1);
    at->kind->fault(at->model, spec, &error);
}

/* What befalls an emulated device. */
static void befall(struct bench_device *at, struct fuzz_input *input)
{
    nanos_t now = clock_now(&at->bench->clock);
    uint8_t what = fuzz_byte(input), seed = fuzz_byte(input);
    struct error error;
    card_t order[DECK_SIZE];

    any_order(order, seed % 0xf0);
    if (!at->kind || !at->model || (at->link && link_is_away(at->link)))
        return;
    if (at->kind->has_shown)
        at->kind->has_shown(at->model);
    if (what & 8)
        at->model->gone = true;
    else if (what & 1 && at->kind->load)
        at->kind->load(at->model, order, DECK_SIZE, now, &error);
    else if (what & 2 && at->kind->power_cycle)
        at->kind->power_cycle(at->model, now);
    else if (at->kind->defects && at->kind->fault)
        break_down(at, seed, fuzz_byte(input));
}

void fuzz_deed(struct bench *bench, struct fuzz_input *input)
{
    static int (*const deeds[DEVICE_CLASSES])(struct bench *, struct fuzz_input *,
                                              struct error *) = {[DEVICE_SHUFFLER] = shuffler_deed,
                                                                 [DEVICE_SHOE] = shoe_deed,
                                                                 [DEVICE_TERMINAL] = terminal_deed,
                                                                 [DEVICE_SENSORS] = sensors_deed};
    uint8_t whose = fuzz_byte(input);
    struct bench_device *at = &bench->devices[whose % bench->device_count];
    struct error error = {.text = ""};

    if (whose >= 0xe0)
        befall(at, input);
    else
        ended(whose >= 0xc0 ? device_deed(at, input, &error)
                            : deeds[at->class](bench, input, &error),
              &error);
}
