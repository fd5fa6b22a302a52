/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/terminal/terminal.h"

#include <inttypes.h>
#include <stdio.h>

static const char *state_name(enum terminal_state state)
{
    static const char *const names[TERMINAL_STATES] = {
        [TERMINAL_IDLE] = "idle",       [TERMINAL_OPEN] = "open",
        [TERMINAL_CHOOSE] = "choose",   [TERMINAL_PENDING] = "pending",
        [TERMINAL_CONFIRM] = "confirm", [TERMINAL_CODE_ENTRY] = "code-entry",
        [TERMINAL_AMOUNT] = "amount",   [TERMINAL_SIGNED] = "signed"};

    return state < TERMINAL_STATES && names[state] ? names[state] : "unknown";
}

static const char *hand_name(const struct terminal_config *config, unsigned hand)
{
    return hand < config->hand_count ? config->hands[hand].name : NULL;
}

/* Must Hit stands after the other meters. */
static const char *meter_name(const struct terminal_config *config, unsigned meter)
{
    if (meter < config->meter_count)
        return config->meters[meter].name;
    return meter < terminal_config_meters(config) ? "must-hit" : NULL;
}

static void describe_screen(const struct terminal_event *event,
                            const struct terminal_config *config, const char *name,
                            struct telling *telling)
{
    const struct terminal_screen *screen = &event->screen;
    struct json_text *text = telling_begin(telling, name);

    telling_put_text(text, "{\"state\":", state_name(screen->state));
    if (screen->seat)
        telling_put_number(text, ",\"seat\":", screen->seat);
    if (hand_name(config, screen->hand))
        telling_put_text(text, ",\"hand\":", hand_name(config, screen->hand));
    if (screen->amount_shown)
        telling_put_number(text, ",\"cents\":", screen->cents);
    if (screen->wrong_codes)
        telling_put_number(text, ",\"wrong-codes\":", screen->wrong_codes);
    JSON_TEXT_PUT(text, "}");
}

static void describe_meters(const struct terminal_event *event, struct telling *telling)
{
    const struct terminal_meters *meters = &event->meters;
    struct json_text *text = telling_begin(telling, "meters");

    JSON_TEXT_PUT(text, "{");
    for (unsigned i = 0; i < meters->count; i++) {
        uint64_t micros = meters->meter[i].micros;
        char value[32];

        if (i)
            JSON_TEXT_PUT(text, ",");
        json_text_string(text, meters->meter[i].name);
        snprintf(value, sizeof value, "%" PRIu64 ".%06" PRIu64, micros / TERMINAL_MICROS_PER_DOLLAR,
                 micros % TERMINAL_MICROS_PER_DOLLAR);
        telling_put_text(text, ":", value);
    }
    JSON_TEXT_PUT(text, "}");
}

static void describe_award(const struct terminal_event *event, const struct terminal_config *config,
                           const char *name, struct telling *telling)
{
    const struct terminal_award *award = &event->award;
    struct json_text *text = telling_begin(telling, name);

    telling_put_number(text, "{\"seat\":", award->seat);
    if (hand_name(config, award->hand))
        telling_put_text(text, ",\"hand\":", hand_name(config, award->hand));
    if (meter_name(config, award->meter))
        telling_put_text(text, ",\"meter\":", meter_name(config, award->meter));
    telling_put_number(text, ",\"pays\":", award->cents);
    JSON_TEXT_PUT(text, "}");
}

static void describe_sign(const struct terminal_event *event, struct telling *telling)
{
    struct json_text *text = telling_begin(telling, "sign");

    JSON_TEXT_PUT(text, "{");
    if (event->sign.seat) {
        telling_put_number(text, "\"seat\":", event->sign.seat);
        telling_put_number(text, ",\"pays\":", event->sign.cents);
    }
    JSON_TEXT_PUT(text, "}");
}

static void describe_refusal(const struct terminal_event *event,
                             const struct terminal_config *config, struct telling *telling)
{
    const struct terminal_press press = {.key = event->refused.key, .hand = TERMINAL_NONE};
    char key[TERMINAL_KEY_TEXT];
    struct json_text *text = telling_begin(telling, "refused");

    telling_put_text(text, "{\"key\":", terminal_key_name(&press, config, key));
    telling_put_text(text, ",\"why\":", terminal_refusal_text(event->refused.reason));
    JSON_TEXT_PUT(text, "}");
}

void terminal_describe(const struct terminal_event *event, const struct terminal_config *config,
                       struct telling *telling)
{
    switch (event->kind) {
    case TERMINAL_EVENT_SCREEN:
        describe_screen(event, config, "screen", telling);
        break;
    case TERMINAL_EVENT_LIGHTS:
        telling_seats(telling, "lights", event->lights);
        break;
    case TERMINAL_EVENT_METERS:
        describe_meters(event, telling);
        break;
    case TERMINAL_EVENT_JACKPOT:
        describe_award(event, config, "jackpot-paid", telling);
        break;
    case TERMINAL_EVENT_MUST_HIT:
        describe_award(event, config, "must-hit", telling);
        break;
    case TERMINAL_EVENT_SIGN:
        describe_sign(event, telling);
        break;
    case TERMINAL_EVENT_REFUSED:
        describe_refusal(event, config, telling);
        break;
    case TERMINAL_EVENT_POWER_UP:
        describe_screen(event, config, "power-up", telling);
        break;
    case TERMINAL_EVENT_TEST_MODE:
        telling_truth(telling, "test-mode", event->test_mode);
        break;
    }
}
