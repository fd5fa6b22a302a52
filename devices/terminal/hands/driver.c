/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The terminal driver "hands": people press its keys as they are asked to and read off what it
 * shows. What a key brings is asked with the key: the lights of a round, the amount after the code,
 * the sign after PAY JACKPOT. Codes are neither shown nor typed: whoever has one enters it at the
 * terminal.
 */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "devices/hands/step.h"
#include "devices/terminal/hands/answers.h"
#include "hal/desk/desk.h"

#define REFUSED "refused"

/* What is read off the terminal with an answer. */
enum look { LOOK_NOTHING, LOOK_LIGHTS, LOOK_AMOUNT, LOOK_SIGN, LOOK_METERS };

struct hands_terminal {
    struct terminal terminal;
    const struct hal *hal;
    uint32_t person_ms;
    struct terminal_config config;
    uint8_t wagers; /* seats where they are to lie at START ROUND */
    bool has_code;  /* it was accepted: the next PAY JACKPOT pays */
    /* What was read with the last keys, until it is asked for. */
    bool has_lights, has_amount, has_sign;
    uint8_t lights;
    uint64_t cents;
    struct terminal_sign sign;
    struct terminal_meters meters;
};

static struct hands_terminal *hands_of(struct terminal *terminal)
{
    return (struct hands_terminal *)terminal;
}

/* An answer that is being read. */
struct reading {
    enum look look;
    bool may_refuse;
    unsigned meters;
};

static int read_answer(const struct reading *reading, const char *text, struct hands_terminal *into,
                       struct error *error)
{
    switch (reading->look) {
    case LOOK_LIGHTS:
        return hands_seats(text, &into->lights, error);
    case LOOK_AMOUNT:
        return hands_cents(text, &into->cents, error);
    case LOOK_SIGN:
        return hands_award(text, &into->sign, error);
    default:
        return hands_meters(text, reading->meters, &into->meters, error);
    }
}

static int check_answer(const void *context, const char *answer, struct error *error)
{
    const struct reading *reading = context;
    struct hands_terminal unused;

    return reading->may_refuse && !strcasecmp(answer, REFUSED)
               ? 0
               : read_answer(reading, answer, &unused, error);
}

/* 0, 1 where keys were refused, or as desk_ask(). */
static int ask_look(struct hands_terminal *self, const struct reading *reading, const char *text,
                    struct error *error)
{
    const struct question question = {.kind = QUESTION_STEP,
                                      .text = text,
                                      .check = check_answer,
                                      .context = reading,
                                      .limit_ms = self->person_ms};
    struct answer answer;
    int status = desk_ask(self->hal->desk, self->hal, &question, &answer, error);

    if (status)
        return status;
    if (reading->may_refuse && !strcasecmp(answer.text, REFUSED))
        return 1;
    return read_answer(reading, answer.text, self, error);
}

static int ask_step(struct hands_terminal *self, const char *text, struct error *error)
{
    static const char *const words[] = {REFUSED, NULL};
    const struct hands_step step = {.text = text, .words = words, .limit_ms = self->person_ms};
    nanos_t time;

    return hands_step(self->hal, &step, &time, error);
}

static enum look look_after(const struct hands_terminal *self, const struct terminal_press *press)
{
    switch (press->key) {
    case TERMINAL_START_ROUND:
    case TERMINAL_CANCEL_ROUND:
    case TERMINAL_END_ROUND:
        return LOOK_LIGHTS;
    case TERMINAL_CODE:
        return press->is_wrong ? LOOK_NOTHING : LOOK_AMOUNT;
    case TERMINAL_PAY_JACKPOT:
        return self->has_code ? LOOK_SIGN : LOOK_NOTHING;
    default:
        return LOOK_NOTHING;
    }
}

/* "START ROUND", "SEAT 3", "'royal flush'", "the authorization code" */
static size_t put_key(const struct hands_terminal *self, const struct terminal_press *press,
                      char *text, size_t size)
{
    char name[TERMINAL_KEY_TEXT];
    const char *key;
    size_t used;

    if (press->key == TERMINAL_CODE)
        return (size_t)snprintf(text, size, "%s",
                                press->is_wrong ? "a wrong code" : "the authorization code");
    if (press->key == TERMINAL_SEAT)
        return (size_t)snprintf(text, size, "SEAT %u", press->seat);
    if (press->key == TERMINAL_HAND && press->hand >= self->config.hand_count)
        return (size_t)snprintf(text, size, "a hand that is not in the list");
    if (press->key == TERMINAL_HAND)
        return (size_t)snprintf(text, size, "'%s'", self->config.hands[press->hand].name);
    key = terminal_key_name(press, &self->config, name);
    used = (size_t)snprintf(text, size, "%s", key);
    for (size_t i = 0; i < used && i < size; i++)
        text[i] = text[i] == '-'                     ? ' '
                  : text[i] >= 'a' && text[i] <= 'z' ? (char)(text[i] - 'a' + 'A')
                                                     : text[i];
    return used;
}

/* "wagers lie at seats 1 4; " */
static size_t put_wagers(uint8_t seats, char text[DESK_TEXT_SIZE])
{
    size_t used = (size_t)snprintf(text, DESK_TEXT_SIZE, "progressive wagers lie at");

    for (unsigned seat = 1; seat <= TERMINAL_SEATS; seat++)
        if (seats >> seat & 1)
            used += (size_t)snprintf(text + used, DESK_TEXT_SIZE - used, " %u", seat);
    return used + (size_t)snprintf(text + used, DESK_TEXT_SIZE - used, "; ");
}

/* "at the terminal: SEAT 3, 'royal flush', PENDING JACKPOT" */
static size_t put_keys(const struct hands_terminal *self, const struct terminal_press *presses,
                       unsigned count, char text[DESK_TEXT_SIZE])
{
    bool lays = presses[0].key == TERMINAL_START_ROUND && self->wagers;
    size_t used = lays ? put_wagers(self->wagers, text) : 0;

    used += (size_t)snprintf(text + used, DESK_TEXT_SIZE - used, "at the terminal:");

    for (unsigned i = 0; i < count && used < DESK_TEXT_SIZE / 2; i++) {
        used += (size_t)snprintf(text + used, DESK_TEXT_SIZE - used, i ? ", " : " ");
        used += put_key(self, &presses[i], text + used, DESK_TEXT_SIZE - used);
    }
    return used;
}

static const char *const questions[] = {
    [LOOK_LIGHTS] = "; which seats are lit then? (1 4, none, or refused)",
    [LOOK_AMOUNT] = "; which amount does it show? (150.00, none, or refused)",
    [LOOK_SIGN] = "; which seat and amount does the sign show? (3 150.00, none, or refused)",
};

static int refuse(const struct hands_terminal *self, struct error *error)
{
    error_set(error, ERROR_RULE, "%s: the terminal refuses a key, for a reason that nobody reads",
              self->terminal.device.address);
    return TERMINAL_WRONG_STATE;
}

static void keep_look(struct hands_terminal *self, enum look look)
{
    self->has_lights |= look == LOOK_LIGHTS;
    self->has_amount = look == LOOK_AMOUNT;
    self->has_sign = look == LOOK_SIGN;
    self->has_code = look == LOOK_AMOUNT;
}

static int hands_keys(struct terminal *terminal, const struct terminal_press *presses,
                      unsigned count, struct error *error)
{
    struct hands_terminal *self = hands_of(terminal);
    const struct reading reading = {.look = look_after(self, &presses[count - 1]),
                                    .may_refuse = true};
    char text[DESK_TEXT_SIZE];
    size_t used = put_keys(self, presses, count, text);
    int status;

    if (reading.look)
        snprintf(text + used, sizeof text - used, "%s", questions[reading.look]);
    status = reading.look ? ask_look(self, &reading, text, error) : ask_step(self, text, error);
    if (status > 0)
        return refuse(self, error);
    if (!status)
        keep_look(self, reading.look);
    return status;
}

static int hands_key(struct terminal *terminal, const struct terminal_press *press,
                     struct error *error)
{
    return hands_keys(terminal, press, 1, error);
}

static int hands_expect(struct terminal *terminal, const struct terminal_config *config,
                        struct error *error)
{
    (void)error;
    hands_of(terminal)->config = *config;
    return 0;
}

/* Who works it puts wagers where it sees them. */
static int hands_sensors(struct terminal *terminal, unsigned seats, struct error *error)
{
    (void)error;
    hands_of(terminal)->wagers = (uint8_t)seats;
    return 0;
}

static int hands_lights(struct terminal *terminal, uint8_t *seats, struct error *error)
{
    struct hands_terminal *self = hands_of(terminal);
    const struct reading reading = {.look = LOOK_LIGHTS};
    int status = self->has_lights
                     ? 0
                     : ask_look(self, &reading,
                                "which seats are lit at the terminal? (1 4, or none)", error);

    self->has_lights = false;
    *seats = self->lights;
    return status;
}

/* Only the amount is known of it, after the code. */
static int hands_screen(struct terminal *terminal, struct terminal_screen *screen,
                        struct error *error)
{
    struct hands_terminal *self = hands_of(terminal);
    const struct reading reading = {.look = LOOK_AMOUNT};
    int status = self->has_amount
                     ? 0
                     : ask_look(self, &reading,
                                "which amount does the terminal show? (150.00, or none)", error);

    self->has_amount = false;
    *screen = (struct terminal_screen){
        .hand = TERMINAL_NONE, .amount_shown = self->cents != 0, .cents = self->cents};
    return status;
}

static int hands_sign(struct terminal *terminal, struct terminal_sign *sign, struct error *error)
{
    struct hands_terminal *self = hands_of(terminal);
    const struct reading reading = {.look = LOOK_SIGN};
    int status =
        self->has_sign
            ? 0
            : ask_look(self, &reading,
                       "which seat and amount does the sign show? (3 150.00, or none)", error);

    self->has_sign = false;
    *sign = self->sign;
    return status;
}

static int hands_meters_read(struct terminal *terminal, struct terminal_meters *meters,
                             struct error *error)
{
    struct hands_terminal *self = hands_of(terminal);
    const struct reading reading = {.look = LOOK_METERS, .meters = self->config.meter_count};
    char text[DESK_TEXT_SIZE];
    size_t used =
        (size_t)snprintf(text, sizeof text, "which values do the meters show, in dollars?");
    int status;

    for (unsigned i = 0; i < reading.meters; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", i ? ", " : " (",
                                 self->config.meters[i].name);
    snprintf(text + used, sizeof text - used, ")");
    status = ask_look(self, &reading, text, error);
    if (status)
        return status;
    self->meters.count = (uint8_t)reading.meters;
    self->meters.must_hit = TERMINAL_NONE;
    for (unsigned i = 0; i < reading.meters; i++)
        memcpy(self->meters.meter[i].name, self->config.meters[i].name,
               sizeof self->meters.meter[i].name);
    *meters = self->meters;
    return 0;
}

static size_t put_dollars(char *text, size_t size, const char *before, const char *name,
                          uint64_t micros)
{
    return (size_t)snprintf(text, size, "%s%s %ju.%06ju", before, name,
                            (uintmax_t)(micros / TERMINAL_MICROS_PER_DOLLAR),
                            (uintmax_t)(micros % TERMINAL_MICROS_PER_DOLLAR));
}

/* Refused by whoever cannot, as a device that refuses. */
static int ask_administrator(struct hands_terminal *self, const char *text, const char *request,
                             struct error *error)
{
    int status = ask_step(self, text, error);

    return status > 0 ? device_refuse(&self->terminal.device, request, REFUSED_STATE,
                                      "whoever was asked to says so", error)
                      : status;
}

static int hands_configure(struct terminal *terminal, const char *admin,
                           const struct terminal_config *config, struct error *error)
{
    struct hands_terminal *self = hands_of(terminal);
    char text[DESK_TEXT_SIZE];
    size_t used = (size_t)snprintf(
        text, sizeof text,
        "end what the terminal is doing, and as its administrator set the meters to");

    (void)admin;
    self->config = *config;
    for (unsigned i = 0; i < config->meter_count; i++)
        used += put_dollars(text + used, sizeof text - used, i ? ", " : " ", config->meters[i].name,
                            config->meters[i].opening);
    return ask_administrator(self, text, "to be set up", error);
}

static int hands_correct(struct terminal *terminal, const char *admin, unsigned meter,
                         uint64_t micros, const char *reason, struct error *error)
{
    struct hands_terminal *self = hands_of(terminal);
    char text[DESK_TEXT_SIZE];

    (void)admin;
    (void)reason;
    put_dollars(text, sizeof text, "as the administrator correct the meter to: ",
                meter < self->config.meter_count ? self->config.meters[meter].name : "unknown",
                micros);
    terminal->device.refusal = 0;
    return ask_administrator(self, text, "the correction", error);
}

/* It tells nothing by itself. */
static int hands_next(struct terminal *terminal, struct terminal_event *event, nanos_t deadline,
                      struct error *error)
{
    (void)event;
    return hal_wait(hands_of(terminal)->hal, -1, 0, deadline, error);
}

static int hands_open(struct device *device, const struct device_connection *connection,
                      struct error *error)
{
    struct hands_terminal *self = (struct hands_terminal *)device;

    (void)error;
    self->hal = connection->hal;
    self->person_ms = connection->person_ms;
    return 0;
}

static const struct terminal_driver hands_driver = {
    .device =
        {
            .key = "terminal/hands",
            .class = DEVICE_TERMINAL,
            .noun = "terminal",
            .size = sizeof(struct hands_terminal),
            .by_hand = DEVICE_TIME_LIGHTS | DEVICE_TIME_JACKPOT,
            .has_no_address = true,
            .asks = true,
            .protocol = TAP_RAW,
            .open = hands_open,
        },
    .key = hands_key,
    .keys = hands_keys,
    .expect = hands_expect,
    .sensors = hands_sensors,
    .meters = hands_meters_read,
    .screen = hands_screen,
    .sign = hands_sign,
    .lights = hands_lights,
    .configure = hands_configure,
    .correct = hands_correct,
    .next = hands_next,
};
REGISTER(device_drivers, hands_driver);
