/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a bet sensor unit's messages hold, for who listens in: "The unit" in PROTOCOL.md. */
#include "devices/sensors/unit/wire.h"
#include "devices/wire/layout.h"
#include "hal/base/registry.h"

static const char *const states[] = {[BET_UNIT_IDLE] = "idle", [BET_UNIT_ROUND] = "round"};
static const char *const codes[] = {[BET_UNIT_LOCK] = "lock",
                                    [BET_UNIT_UNLOCK] = "unlock",
                                    [BET_UNIT_PLACED] = "placed",
                                    [BET_UNIT_LIFTED] = "lifted",
                                    [BET_UNIT_LATE] = "late",
                                    [BET_UNIT_LIFTED_LOCKED] = "lifted while locked",
                                    [BET_UNIT_LAMP] = "lamp",
                                    [BET_UNIT_STUCK] = "stuck",
                                    [BET_UNIT_TEST_MODE_CHANGED] = "test mode",
                                    [BET_UNIT_POWER_UP] = "power up"};

/* A unit has no errors: the byte for them is 0. */
static const char *const errors[] = {"none"};

/* clang-format off */
#define STATUS \
    FIELD_NAMED("state", states), \
    FIELD_NAMED("error", errors), \
    FIELD_FLAGS("flags", layout_hello_flags), \
    FIELD("placed", LAYOUT_SEATS), \
    FIELD("wagers", LAYOUT_SEATS), \
    FIELD("lit", LAYOUT_SEATS)
/* clang-format on */
static const struct layout_field status[] = {STATUS, LAYOUT_END};
static const struct layout_field wide_status[] = {STATUS, LAYOUT_STATE, LAYOUT_END};
static const struct layout_field clear[] = {FIELD_NAMED("error", errors), LAYOUT_END};
static const struct layout_field seats[] = {FIELD("seats", LAYOUT_SEATS), LAYOUT_END};
static const struct layout_field seat[] = {FIELD_NUMBER("seat", 1), LAYOUT_END};
static const struct layout_field lamp[] = {FIELD_NUMBER("seat", 1), FIELD("glows", LAYOUT_TRUTH),
                                           LAYOUT_END};
static const struct layout_field stuck[] = {FIELD_NUMBER("seat", 1), FIELD("sees", LAYOUT_TRUTH),
                                            LAYOUT_END};
LAYOUT_LOG_REPLY(journal, codes);

static void hear_lock(const struct frame *frame, struct heard *heard)
{
    if (frame->size != 1)
        return;
    heard->kind = HEARD_WAGERS;
    heard->seats = frame->payload[0];
}

static const struct layout_message messages[] = {
    LAYOUT_COMMON(status, journal, clear),
    {BET_UNIT_LOCK, "LOCK", seats, NULL, hear_lock, NULL},
    {BET_UNIT_UNLOCK, "UNLOCK", NULL, NULL, NULL, NULL},
    {BET_UNIT_LIGHTS, "LIGHTS", seats, NULL, NULL, NULL},
    {BET_UNIT_PLACE, "PLACE", seats, NULL, NULL, NULL},
    {BET_UNIT_TEST_MODE, "TEST MODE", layout_on, NULL, NULL, NULL},
    {BET_UNIT_PLACED, "PLACED", seat, NULL, NULL, NULL},
    {BET_UNIT_LIFTED, "LIFTED", seat, NULL, NULL, NULL},
    {BET_UNIT_LATE, "LATE", seat, NULL, NULL, NULL},
    {BET_UNIT_LIFTED_LOCKED, "LIFTED WHILE LOCKED", seat, NULL, NULL, NULL},
    {BET_UNIT_LAMP, "LAMP", lamp, NULL, NULL, NULL},
    {BET_UNIT_STUCK, "STUCK", stuck, NULL, NULL, NULL},
    {BET_UNIT_TEST_MODE_CHANGED, "TEST MODE", layout_on, NULL, NULL, NULL},
    {BET_UNIT_POWER_UP, "POWER UP", status, NULL, NULL, NULL},
    {.type = 0}};

static const struct layout_message second[] = {LAYOUT_SECOND(wide_status, wide_journal),
                                               {.type = 0}};

static const struct layout_class unit_class = {
    .name = "bet sensor", .class = FRAME_BET_SENSOR, .messages = messages, .second = second};
REGISTER(wire_classes, unit_class);
