/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a terminal's messages hold, for who listens in: "Terminal (class 4)" in PROTOCOL.md. */
#include <string.h>

#include "devices/terminal/open/wire.h"
#include "devices/wire/layout.h"
#include "hal/base/registry.h"

static const char *const states[] = {
    [TERMINAL_IDLE] = "idle",       [TERMINAL_OPEN] = "open",       [TERMINAL_CHOOSE] = "choose",
    [TERMINAL_PENDING] = "pending", [TERMINAL_CONFIRM] = "confirm", [TERMINAL_CODE_ENTRY] = "code",
    [TERMINAL_AMOUNT] = "amount",   [TERMINAL_SIGNED] = "signed"};
static const char *const keys[] = {[TERMINAL_START_ROUND] = "START ROUND",
                                   [TERMINAL_CANCEL_ROUND] = "CANCEL ROUND",
                                   [TERMINAL_END_ROUND] = "END ROUND",
                                   [TERMINAL_SEAT] = "seat",
                                   [TERMINAL_HAND] = "hand",
                                   [TERMINAL_NO_HAND] = "None",
                                   [TERMINAL_PENDING_JACKPOT] = "PENDING JACKPOT",
                                   [TERMINAL_PAY_JACKPOT] = "PAY JACKPOT",
                                   [TERMINAL_CANCEL_JACKPOT] = "CANCEL JACKPOT",
                                   [TERMINAL_CODE] = "code",
                                   [TERMINAL_ESC] = "ESC",
                                   [TERMINAL_OK] = "OK"};
static const char *const reasons[] = {[0] = "none",
                                      [TERMINAL_WRONG_STATE] = "not in this state",
                                      [TERMINAL_NO_WAGERS] = "no sensor has a wager",
                                      [TERMINAL_NO_WAGER] = "the seat has no wager",
                                      [TERMINAL_SEAT_PAID] = "the seat has won already",
                                      [TERMINAL_UNKNOWN_HAND] = "the hand is not configured",
                                      [TERMINAL_WRONG_CODE] = "the code is wrong",
                                      [TERMINAL_CODE_LOCKED] = "the code is wrong, third time",
                                      [TERMINAL_ROUND_PAID] = "a jackpot was paid"};
static const char *const roundings[] = {"cents down", "dollars up", "nearest dollar"};
static const char *const codes[] = {[TERMINAL_LOG_POWER_UP] = "power up",
                                    [TERMINAL_LOG_CONFIGURED] = "configured",
                                    [TERMINAL_LOG_ROUND_STARTED] = "round started",
                                    [TERMINAL_LOG_ROUND_CANCELLED] = "round cancelled",
                                    [TERMINAL_LOG_ROUND_ENDED] = "round ended",
                                    [TERMINAL_LOG_HAND_CHOSEN] = "hand chosen",
                                    [TERMINAL_LOG_HAND_UNDONE] = "None",
                                    [TERMINAL_LOG_JACKPOT_CANCELLED] = "CANCEL JACKPOT",
                                    [TERMINAL_LOG_CODE_ESCAPED] = "ESC",
                                    [TERMINAL_LOG_CODE_WRONG] = "wrong code",
                                    [TERMINAL_LOG_CODE_LOCKED] = "wrong for the third time",
                                    [TERMINAL_LOG_AUTHORIZED] = "authorized",
                                    [TERMINAL_LOG_JACKPOT_PAID] = "jackpot paid",
                                    [TERMINAL_LOG_MUST_HIT_PAID] = "Must Hit paid",
                                    [TERMINAL_LOG_CORRECTED] = "meter corrected",
                                    [TERMINAL_LOG_KEY_REFUSED] = "key refused",
                                    [TERMINAL_LOG_ADMINISTRATOR_REFUSED] =
                                        "wrong administrator code",
                                    [TERMINAL_LOG_TEST_MODE] = "test mode",
                                    [TERMINAL_LOG_MUST_HIT_LOADED] = "Must Hit loaded"};

/* A terminal has no errors that wait: the byte for them is 0. */
static const char *const errors[] = {"none"};

/* clang-format off */
#define STATUS \
    FIELD_NAMED("state", states), \
    FIELD_NAMED("error", errors), \
    FIELD_FLAGS("flags", layout_hello_flags), \
    FIELD("wagers", LAYOUT_SEATS), \
    FIELD("won", LAYOUT_SEATS), \
    FIELD_NUMBER("rounds", 4), \
    FIELD_NUMBER("awards", 4)
/* clang-format on */
static const struct layout_field status[] = {STATUS, LAYOUT_END};
static const struct layout_field wide_status[] = {STATUS, LAYOUT_STATE, LAYOUT_END};
static const struct layout_field clear[] = {FIELD_NAMED("error", errors), LAYOUT_END};
static const struct layout_field key[] = {
    FIELD_NAMED("key", keys),
    FIELD_NUMBER("seat", 1, .when = LAYOUT_IF, .on = "key", .value = TERMINAL_SEAT),
    FIELD("hand", LAYOUT_INDEX, .when = LAYOUT_IF, .on = "key", .value = TERMINAL_HAND),
    FIELD("code", LAYOUT_CODE, .when = LAYOUT_IF, .on = "key", .value = TERMINAL_CODE), LAYOUT_END};
static const struct layout_field key_reply[] = {FIELD_NAMED("refusal", reasons),
                                                FIELD_NAMED("state", states), LAYOUT_END};
static const struct layout_field seats[] = {FIELD("seats", LAYOUT_SEATS), LAYOUT_END};
static const struct layout_field meter[] = {FIELD("name", LAYOUT_TEXT),
                                            FIELD("value", LAYOUT_MICROS), LAYOUT_END};
static const struct layout_field meters[] = {
    FIELD_NUMBER("count", 1), FIELD("must-hit", LAYOUT_INDEX),
    FIELD("meters", LAYOUT_GROUPS, .counts = "count", .fields = meter), LAYOUT_END};
static const struct layout_field sign[] = {
    FIELD_NUMBER("seat", 1), FIELD("meter", LAYOUT_INDEX, .when = LAYOUT_IF_MORE),
    FIELD_NUMBER("cents", 8, .when = LAYOUT_UNLESS, .on = "seat", .value = 0), LAYOUT_END};
static const struct layout_field screen[] = {FIELD_NAMED("state", states),
                                             FIELD_NUMBER("seat", 1),
                                             FIELD("hand", LAYOUT_INDEX),
                                             FIELD_NUMBER("wrong-codes", 1),
                                             FIELD_NUMBER("cents", 8, .when = LAYOUT_IF_MORE),
                                             LAYOUT_END};
static const struct layout_field set_meter[] = {
    FIELD("name", LAYOUT_TEXT), FIELD("reseed", LAYOUT_MICROS), FIELD("opening", LAYOUT_MICROS),
    FIELD_NUMBER("rate", 2), LAYOUT_END};
static const struct layout_field set_hand[] = {FIELD("meter", LAYOUT_INDEX),
                                               FIELD_NUMBER("cents", 4), LAYOUT_END};
/* clang-format off */
#define CONFIGURATION \
    FIELD_NUMBER("wager", 4), \
    FIELD_NAMED("rounding", roundings), \
    FIELD_NUMBER("count", 1), \
    FIELD("meters", LAYOUT_GROUPS, .counts = "count", .fields = set_meter), \
    FIELD_NUMBER("must-hit-rate", 2), \
    FIELD("reset", LAYOUT_MICROS, .when = LAYOUT_UNLESS, .on = "must-hit-rate", .value = 0), \
    FIELD("ceiling", LAYOUT_MICROS, .when = LAYOUT_UNLESS, .on = "must-hit-rate", .value = 0), \
    FIELD("opening", LAYOUT_MICROS, .when = LAYOUT_UNLESS, .on = "must-hit-rate", .value = 0), \
    FIELD_NUMBER("hand-count", 1), \
    FIELD("hands", LAYOUT_GROUPS, .counts = "hand-count", .fields = set_hand)
/* clang-format on */
static const struct layout_field configure[] = {FIELD("code", LAYOUT_CODE_TEXT), CONFIGURATION,
                                                LAYOUT_END};
static const struct layout_field configuration[] = {CONFIGURATION, LAYOUT_END};
static const struct layout_field wide_configure[] = {FIELD_HEX("proof", WIRE_PROOF_SIZE),
                                                     CONFIGURATION, LAYOUT_END};
static const struct layout_field wide_correct[] = {
    FIELD_HEX("proof", WIRE_PROOF_SIZE), FIELD("meter", LAYOUT_INDEX),
    FIELD("value", LAYOUT_MICROS), FIELD("reason", LAYOUT_TEXT), LAYOUT_END};
static const struct layout_field wide_key[] = {
    FIELD_NAMED("key", keys),
    FIELD_NUMBER("seat", 1, .when = LAYOUT_IF, .on = "key", .value = TERMINAL_SEAT),
    FIELD("hand", LAYOUT_INDEX, .when = LAYOUT_IF, .on = "key", .value = TERMINAL_HAND),
    FIELD("proof", LAYOUT_HEX, .size = WIRE_PROOF_SIZE, .when = LAYOUT_IF, .on = "key",
          .value = TERMINAL_CODE),
    LAYOUT_END};
static const struct layout_field challenge[] = {FIELD_HEX("challenge", WIRE_PROOF_SIZE),
                                                LAYOUT_END};
static const struct layout_field correct[] = {
    FIELD("code", LAYOUT_CODE_TEXT), FIELD("meter", LAYOUT_INDEX), FIELD("value", LAYOUT_MICROS),
    FIELD("reason", LAYOUT_TEXT), LAYOUT_END};
static const struct layout_field ledger[] = {FIELD_NUMBER("entry", 4), LAYOUT_END};
static const struct layout_field ledger_reply[] = {FIELD_NUMBER("entry", 4),
                                                   FIELD_NUMBER("millis", 8),
                                                   FIELD_NAMED("code", codes),
                                                   FIELD_NUMBER("seat", 1),
                                                   FIELD("hand", LAYOUT_INDEX),
                                                   FIELD("meter", LAYOUT_INDEX),
                                                   FIELD_NUMBER("cents", 8),
                                                   FIELD("meter-before", LAYOUT_MICROS),
                                                   FIELD("meter-after", LAYOUT_MICROS),
                                                   FIELD("reason", LAYOUT_TEXT),
                                                   LAYOUT_END};
static const struct layout_field load[] = {FIELD_NUMBER("seat", 1), LAYOUT_END};
static const struct layout_field award[] = {
    FIELD_NUMBER("award", 4),     FIELD_NUMBER("seat", 1),  FIELD("hand", LAYOUT_INDEX),
    FIELD("meter", LAYOUT_INDEX), FIELD_NUMBER("cents", 8), LAYOUT_END};
static const struct layout_field refused[] = {FIELD_NAMED("key", keys),
                                              FIELD_NAMED("refusal", reasons),
                                              FIELD_NAMED("state", states), LAYOUT_END};
LAYOUT_LOG_REPLY(journal, codes);

static void hear_key(const struct frame *frame, struct heard *heard)
{
    switch (frame->size ? frame->payload[0] : 0) {
    case TERMINAL_START_ROUND:
        heard->kind = HEARD_ROUND_STARTED;
        break;
    case TERMINAL_END_ROUND:
        heard->kind = HEARD_ROUND_ENDED;
        break;
    case TERMINAL_CANCEL_ROUND:
        heard->kind = HEARD_ROUND_CANCELLED;
        break;
    default:
        break;
    }
}

static void hear_key_reply(const struct frame *frame, struct heard *heard)
{
    if (!frame->size || frame->payload[0])
        heard->kind = HEARD_REFUSED;
}

static void hear_sensors(const struct frame *frame, struct heard *heard)
{
    if (frame->size != 1)
        return;
    heard->kind = HEARD_WAGERS;
    heard->seats = frame->payload[0];
}

/* A name and 8 bytes for each; one that is cut is none. */
static void hear_meters(const struct frame *frame, struct heard *heard)
{
    const uint8_t *at = frame->payload + 2, *end = frame->payload + frame->size;
    unsigned count = frame->size > 2 ? frame->payload[0] : 0;

    for (heard->count = 0; heard->count < count && heard->count < HEARD_METERS_MAX;
         heard->count++) {
        size_t length = at < end ? *at : HEARD_NAME_MAX;

        if (length >= HEARD_NAME_MAX || (size_t)(end - at) < 1 + length + 8)
            return;
        memcpy(heard->meters[heard->count].name, at + 1, length);
        heard->meters[heard->count].micros = wire_get64(at + 1 + length);
        at += 1 + length + 8;
    }
    heard->index = frame->size > 1 && frame->payload[1] != TERMINAL_NONE ? frame->payload[1] : -1;
    if (count && heard->count == count)
        heard->kind = HEARD_METERS;
}

static void hear_must_hit(const struct frame *frame, struct heard *heard)
{
    if (frame->size != 15)
        return;
    heard->kind = HEARD_MUST_HIT;
    heard->index = (int)(wire_get32(frame->payload) & INT32_MAX);
    heard->seat = frame->payload[4];
}

static const struct layout_message messages[] = {
    LAYOUT_COMMON(status, journal, clear),
    {TERMINAL_KEY, "KEY", key, key_reply, hear_key, hear_key_reply},
    {TERMINAL_SENSORS, "SENSORS", seats, NULL, hear_sensors, NULL},
    {TERMINAL_METERS, "METERS", NULL, meters, NULL, hear_meters},
    {TERMINAL_SIGN, "SIGN", NULL, sign, NULL, NULL},
    {TERMINAL_LIGHTS, "LIGHTS", NULL, seats, NULL, NULL},
    {TERMINAL_SCREEN, "SCREEN", NULL, screen, NULL, NULL},
    {TERMINAL_CONFIGURE, "CONFIGURE", configure, NULL, NULL, NULL},
    {TERMINAL_CORRECT, "CORRECT METER", correct, NULL, NULL, NULL},
    {TERMINAL_LEDGER, "LEDGER", ledger, ledger_reply, NULL, NULL},
    {TERMINAL_TEST_MODE, "TEST MODE", layout_on, NULL, NULL, NULL},
    {TERMINAL_LOAD_MUST_HIT, "LOAD MUST HIT", load, NULL, NULL, NULL},
    {TERMINAL_SCREEN_CHANGED, "SCREEN CHANGED", screen, NULL, NULL, NULL},
    {TERMINAL_LIGHTS_CHANGED, "LIGHTS CHANGED", seats, NULL, NULL, NULL},
    {TERMINAL_METERS_CHANGED, "METERS CHANGED", meters, NULL, hear_meters, NULL},
    {TERMINAL_JACKPOT_PAID, "JACKPOT PAID", award, NULL, NULL, NULL},
    {TERMINAL_MUST_HIT_PAID, "MUST HIT PAID", award, NULL, hear_must_hit, NULL},
    {TERMINAL_SIGN_CHANGED, "SIGN CHANGED", sign, NULL, NULL, NULL},
    {TERMINAL_KEY_REFUSED, "KEY REFUSED", refused, NULL, NULL, NULL},
    {TERMINAL_POWER_UP, "POWER UP", screen, NULL, NULL, NULL},
    {TERMINAL_TEST_MODE_CHANGED, "TEST MODE", layout_on, NULL, NULL, NULL},
    {.type = 0}};

static const struct layout_message second[] = {
    LAYOUT_SECOND(wide_status, wide_journal),
    {TERMINAL_KEY, "KEY", wide_key, key_reply, hear_key, hear_key_reply},
    {TERMINAL_CONFIGURE, "CONFIGURE", wide_configure, NULL, NULL, NULL},
    {TERMINAL_CORRECT, "CORRECT METER", wide_correct, NULL, NULL, NULL},
    {TERMINAL_CONFIGURATION, "CONFIGURATION", NULL, configuration, NULL, NULL},
    {TERMINAL_CHALLENGE, "CHALLENGE", NULL, challenge, NULL, NULL},
    {.type = 0}};

static const struct layout_class terminal_class = {
    .name = "terminal", .class = FRAME_TERMINAL, .messages = messages, .second = second};
REGISTER(wire_classes, terminal_class);
