/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a shoe's messages hold, for who listens in: "Shoe (class 2)" in PROTOCOL.md. */
#include "devices/shoe/open/wire.h"
#include "devices/wire/layout.h"
#include "hal/base/registry.h"

static const char *const states[] = {[SHOE_IDLE] = "idle",
                                     [SHOE_DEALING] = "dealing",
                                     [SHOE_LOCKED] = "locked",
                                     [SHOE_ERROR] = "error"};
static const char *const errors[] = {[SHOE_NO_FAULT] = "none",
                                     [SHOE_CANNOT_READ] = "cannot read",
                                     [SHOE_OVERDRAW] = "overdraw",
                                     [SHOE_BUTTON_MISUSE] = "button misuse",
                                     [SHOE_REVERSE_AT_EXIT] = "reverse at the exit",
                                     [SHOE_REVERSE_MIDWAY] = "reverse midway",
                                     [SHOE_CARD_CODE] = "card code",
                                     [SHOE_DRAW_TIMEOUT] = "draw timeout",
                                     [SHOE_JAM] = "jam"};
static const char *const deck_flags[] = {"test mode", "loaded", "outside"};
static const char *const codes[] = {[SHOE_CARD] = "card",
                                    [SHOE_CUT_CARD] = "cut card",
                                    [SHOE_STAND_BY] = "stand by",
                                    [SHOE_FAULT] = "fault",
                                    [SHOE_FAULT_CLEARED] = "fault cleared",
                                    [SHOE_TEST_MODE_CHANGED] = "test mode changed",
                                    [SHOE_POWER_UP] = "power up",
                                    [SHOE_LOCK_CHANGED] = "lock changed"};

static const struct layout_field status[] = {FIELD_NAMED("state", states),
                                             FIELD_NAMED("error", errors),
                                             FIELD_FLAGS("flags", layout_hello_flags),
                                             FIELD_NUMBER("drawn", 1),
                                             FIELD_NUMBER("left", 1),
                                             FIELD_NUMBER("deck", 2),
                                             FIELD("loaded", LAYOUT_TRUTH),
                                             LAYOUT_END};
static const struct layout_field wide_status[] = {FIELD_NAMED("state", states),
                                                  FIELD_NAMED("error", errors),
                                                  FIELD_FLAGS("flags", layout_hello_flags),
                                                  FIELD_NUMBER("drawn", 1),
                                                  FIELD_NUMBER("left", 1),
                                                  FIELD_NUMBER("deck", 4),
                                                  FIELD("loaded", LAYOUT_TRUTH),
                                                  LAYOUT_STATE,
                                                  LAYOUT_END};
static const struct layout_field wide_stand_by[] = {FIELD_NUMBER("deck", 4),
                                                    FIELD_NUMBER("counted", 1, .must = DECK_SIZE),
                                                    FIELD_FLAGS("flags", deck_flags), LAYOUT_END};
static const struct layout_field lock[] = {FIELD("locked", LAYOUT_TRUTH), LAYOUT_END};
static const struct layout_field order[] = {
    FIELD_NUMBER("count", 1), FIELD("cards", LAYOUT_CARDS, .counts = "count"), LAYOUT_END};
static const struct layout_field card[] = {FIELD_NUMBER("index", 1), FIELD("card", LAYOUT_CARD),
                                           FIELD_FLAGS("flags", deck_flags), LAYOUT_END};
static const struct layout_field cut_card[] = {FIELD_NUMBER("drawn", 1), LAYOUT_END};
static const struct layout_field stand_by[] = {FIELD_NUMBER("deck", 2),
                                               FIELD_NUMBER("counted", 1, .must = DECK_SIZE),
                                               FIELD_FLAGS("flags", deck_flags), LAYOUT_END};
static const struct layout_field fault[] = {FIELD_NAMED("error", errors), FIELD_NUMBER("index", 1),
                                            LAYOUT_END};
static const struct layout_field cleared[] = {FIELD_NAMED("error", errors), LAYOUT_END};
static const struct layout_field power_up[] = {
    FIELD_NAMED("state", states), FIELD_NAMED("error", errors), FIELD_NUMBER("drawn", 1),
    FIELD_FLAGS("flags", layout_hello_flags), LAYOUT_END};
LAYOUT_LOG_REPLY(journal, codes);

static void hear_card(const struct frame *frame, struct heard *heard)
{
    if (frame->size != 3)
        return;
    heard->kind = frame->payload[2] & SHOE_FLAG_OUTSIDE ? HEARD_CARD_OUTSIDE : HEARD_CARD;
    heard->index = frame->payload[0];
    heard->test_mode = frame->payload[2] & SHOE_FLAG_TEST_MODE;
    heard->count = 1;
    heard->cards[0] = frame->payload[1];
}

static void hear_stand_by(const struct frame *frame, struct heard *heard)
{
    const uint8_t *number = frame->payload + (frame->version >= FRAME_VERSION_2 ? 2 : 0);

    heard->kind = HEARD_NEW_DECK;
    heard->has_number = true;
    heard->number = (uint16_t)wire_get16(number);
    heard->test_mode = number[3] & SHOE_FLAG_TEST_MODE;
}

static void hear_fault(const struct frame *frame, struct heard *heard)
{
    (void)frame;
    heard->kind = HEARD_FAULT;
}

static const struct layout_message messages[] = {
    LAYOUT_COMMON(status, journal, cleared),
    {SHOE_LOCK, "LOCK", lock, NULL, NULL, NULL},
    {SHOE_TEST_MODE, "TEST MODE", layout_on, NULL, NULL, NULL},
    {SHOE_LOAD_ORDER, "LOAD ORDER", order, NULL, NULL, NULL},
    {SHOE_CARD, "CARD", card, NULL, hear_card, NULL},
    {SHOE_CUT_CARD, "CUT CARD", cut_card, NULL, NULL, NULL},
    {SHOE_STAND_BY, "STAND BY", stand_by, NULL, hear_stand_by, NULL},
    {SHOE_FAULT, "FAULT", fault, NULL, hear_fault, NULL},
    {SHOE_FAULT_CLEARED, "FAULT CLEARED", cleared, NULL, NULL, NULL},
    {SHOE_TEST_MODE_CHANGED, "TEST MODE CHANGED", layout_on, NULL, NULL, NULL},
    {SHOE_POWER_UP, "POWER UP", power_up, NULL, NULL, NULL},
    {SHOE_LOCK_CHANGED, "LOCK CHANGED", lock, NULL, NULL, NULL},
    {.type = 0}};

static const struct layout_message second[] = {
    LAYOUT_SECOND(wide_status, wide_journal),
    {SHOE_STAND_BY, "STAND BY", wide_stand_by, NULL, hear_stand_by, NULL},
    {.type = 0}};

static const struct layout_class shoe_class = {
    .name = "shoe", .class = FRAME_SHOE, .messages = messages, .second = second};
REGISTER(wire_classes, shoe_class);
