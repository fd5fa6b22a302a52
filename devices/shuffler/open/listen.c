/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a shuffler's messages hold, for who listens in: "Shuffler (class 1)" in PROTOCOL.md. */
#include <string.h>

#include "devices/shuffler/open/wire.h"
#include "devices/wire/layout.h"
#include "hal/base/registry.h"

static const char *const states[] = {
    [SHUFFLER_IDLE] = "idle",       [SHUFFLER_SHUFFLING] = "shuffling",
    [SHUFFLER_READY] = "ready",     [SHUFFLER_DEALING] = "dealing",
    [SHUFFLER_PRESENT] = "present", [SHUFFLER_WAITING] = "waiting",
    [SHUFFLER_ERROR] = "error"};
static const char *const faults[] = {
    [SHUFFLER_NO_FAULT] = "none",         [SHUFFLER_JAM] = "jam",
    [SHUFFLER_MISREAD] = "misread card",  [SHUFFLER_MISSING_CARD] = "missing card",
    [SHUFFLER_EXTRA_CARD] = "extra card", [SHUFFLER_DUPLICATE_CARD] = "duplicate card",
    [SHUFFLER_DOOR_OPEN] = "door open",   [SHUFFLER_COVER_OPEN] = "cover open",
    [SHUFFLER_POWER_LOST] = "power lost"};
static const char *const programs[] = {[SHUFFLER_CUSTOM] = "custom",
                                       [SHUFFLER_FLUSH_RUSH] = "Flush Rush",
                                       [SHUFFLER_THREE_CARD_CATCH] = "3 Card Catch",
                                       [SHUFFLER_CHASE_THE_FLUSH] = "Chase the Flush"};
static const char *const deal_flags[] = {"test mode", "loaded"};
static const char *const codes[] = {
    [SHUFFLER_LOG_SHUFFLED] = "shuffled",     [SHUFFLER_LOG_PRESENT] = "packet present",
    [SHUFFLER_LOG_TAKEN] = "packet taken",    [SHUFFLER_LOG_FAULT] = "fault",
    [SHUFFLER_LOG_CLEARED] = "fault cleared", [SHUFFLER_LOG_TEST_MODE] = "test mode",
    [SHUFFLER_LOG_POWER_UP] = "power up",     [SHUFFLER_LOG_BUTTON] = "green button"};

static const struct layout_field status[] = {FIELD_NAMED("state", states),
                                             FIELD_NAMED("error", faults),
                                             FIELD_FLAGS("flags", layout_hello_flags),
                                             FIELD_NUMBER("presented", 1),
                                             FIELD_NUMBER("taken", 1),
                                             FIELD_NUMBER("left", 1),
                                             FIELD_NUMBER("shuffle", 2),
                                             FIELD_NAMED("program", programs),
                                             FIELD_NUMBER("packets", 1),
                                             LAYOUT_END};
static const struct layout_field wide_status[] = {FIELD_NAMED("state", states),
                                                  FIELD_NAMED("error", faults),
                                                  FIELD_FLAGS("flags", layout_hello_flags),
                                                  FIELD_NUMBER("presented", 1),
                                                  FIELD_NUMBER("taken", 1),
                                                  FIELD_NUMBER("left", 1),
                                                  FIELD_NUMBER("shuffle", 4),
                                                  FIELD_NUMBER("draws", 1),
                                                  FIELD_NUMBER("packets", 1),
                                                  LAYOUT_STATE,
                                                  LAYOUT_END};
static const struct layout_field wide_program[] = {
    FIELD_NUMBER("burn", 1), FIELD_NUMBER("draws", 1), FIELD_NUMBER("count", 1),
    FIELD("sizes", LAYOUT_NUMBERS, .counts = "count"), LAYOUT_END};
static const struct layout_field program[] = {
    FIELD_NAMED("program", programs),
    FIELD_NUMBER("hands", 1),
    FIELD_NUMBER("burn", 1),
    FIELD_NUMBER("count", 1, .when = LAYOUT_IF, .on = "program", .value = SHUFFLER_CUSTOM),
    FIELD("sizes", LAYOUT_NUMBERS, .counts = "count", .when = LAYOUT_IF, .on = "program",
          .value = SHUFFLER_CUSTOM),
    LAYOUT_END};
static const struct layout_field program_reply[] = {FIELD_NUMBER("packets", 1),
                                                    FIELD_NUMBER("draws", 1), LAYOUT_END};
static const struct layout_field shuffle[] = {FIELD_NUMBER("shuffle", 2), LAYOUT_END};
static const struct layout_field test_mode_reply[] = {FIELD("on", LAYOUT_TRUTH),
                                                      FIELD_NUMBER("shuffle", 2), LAYOUT_END};
static const struct layout_field wide_shuffle[] = {FIELD_NUMBER("shuffle", 4), LAYOUT_END};
static const struct layout_field wide_test_mode_reply[] = {FIELD("on", LAYOUT_TRUTH),
                                                           FIELD_NUMBER("shuffle", 4), LAYOUT_END};
static const struct layout_field wide_order[] = {FIELD_NUMBER("deck", 1),
                                                 FIELD("cards", LAYOUT_CARDS), LAYOUT_END};
static const struct layout_field wide_order_reply[] = {FIELD_NUMBER("shuffle", 4),
                                                       FIELD_NUMBER("deck", 1), LAYOUT_END};
static const struct layout_field wide_shuffled[] = {
    FIELD_NUMBER("counted", 1, .must = DECK_SIZE), FIELD_NUMBER("shuffle", 4),
    FIELD_FLAGS("flags", deal_flags), FIELD_NUMBER("deck", 1), LAYOUT_END};
static const struct layout_field wide_present[] = {FIELD_NUMBER("index", 1),
                                                   FIELD_NUMBER("size", 1),
                                                   FIELD_FLAGS("flags", deal_flags),
                                                   FIELD_NUMBER("deck", 1),
                                                   FIELD("cards", LAYOUT_CARDS, .counts = "size"),
                                                   LAYOUT_END};
static const struct layout_field order[] = {FIELD("cards", LAYOUT_CARDS), LAYOUT_END};
static const struct layout_field shuffled[] = {FIELD_NUMBER("counted", 1, .must = DECK_SIZE),
                                               FIELD_NUMBER("shuffle", 2),
                                               FIELD_FLAGS("flags", deal_flags), LAYOUT_END};
static const struct layout_field present[] = {
    FIELD_NUMBER("index", 1), FIELD_NUMBER("size", 1), FIELD_FLAGS("flags", deal_flags),
    FIELD("cards", LAYOUT_CARDS, .counts = "size"), LAYOUT_END};
static const struct layout_field taken[] = {FIELD_NUMBER("index", 1), LAYOUT_END};
static const struct layout_field fault[] = {FIELD_NAMED("error", faults), FIELD_NUMBER("detail", 1),
                                            LAYOUT_END};
static const struct layout_field cleared[] = {FIELD_NAMED("error", faults), LAYOUT_END};
static const struct layout_field power_up[] = {FIELD_NAMED("state", states),
                                               FIELD_NAMED("error", faults),
                                               FIELD_NUMBER("presented", 1),
                                               FIELD_NUMBER("taken", 1),
                                               FIELD_FLAGS("flags", layout_hello_flags),
                                               LAYOUT_END};
static const struct layout_field button[] = {FIELD_NAMED("refusal", layout_refusals), LAYOUT_END};
LAYOUT_LOG_REPLY(journal, codes);

/* The last two bytes of a number are enough to miss a shuffle by. */
static void hear_shuffled(const struct frame *frame, struct heard *heard)
{
    const uint8_t *number = frame->payload + (frame->version >= FRAME_VERSION_2 ? 3 : 1);

    heard->kind = HEARD_SHUFFLED;
    heard->has_number = true;
    heard->number = (uint16_t)wire_get16(number);
    heard->test_mode = number[2] & SHUFFLER_FLAG_TEST_MODE;
}

static void hear_packet(const struct frame *frame, struct heard *heard)
{
    size_t size = frame->size > 2 ? frame->payload[1] : 0;
    size_t at = frame->version >= FRAME_VERSION_2 ? 4 : 3;

    if (!size || size > DECK_SIZE || frame->size != at + size)
        return;
    heard->kind = HEARD_PACKET;
    heard->index = frame->payload[0];
    heard->test_mode = frame->payload[2] & SHUFFLER_FLAG_TEST_MODE;
    heard->count = (unsigned)size;
    memcpy(heard->cards, frame->payload + at, size);
}

static void hear_fault(const struct frame *frame, struct heard *heard)
{
    (void)frame;
    heard->kind = HEARD_FAULT;
}

static const struct layout_message messages[] = {
    LAYOUT_COMMON(status, journal, cleared),
    {SHUFFLER_PROGRAM, "PROGRAM", program, program_reply, NULL, NULL},
    {SHUFFLER_SHUFFLE, "SHUFFLE", NULL, shuffle, NULL, NULL},
    {SHUFFLER_BUTTON, "GREEN BUTTON", NULL, NULL, NULL, NULL},
    {SHUFFLER_RETURN_DECK, "RETURN DECK", NULL, NULL, NULL, NULL},
    {SHUFFLER_TEST_MODE, "TEST MODE", layout_on, test_mode_reply, NULL, NULL},
    {SHUFFLER_LOAD_ORDER, "LOAD ORDER", order, shuffle, NULL, NULL},
    {SHUFFLER_SHUFFLED, "SHUFFLED", shuffled, NULL, hear_shuffled, NULL},
    {SHUFFLER_PACKET_PRESENT, "PACKET PRESENT", present, NULL, hear_packet, NULL},
    {SHUFFLER_PACKET_TAKEN, "PACKET TAKEN", taken, NULL, NULL, NULL},
    {SHUFFLER_FAULT, "FAULT", fault, NULL, hear_fault, NULL},
    {SHUFFLER_FAULT_CLEARED, "FAULT CLEARED", cleared, NULL, NULL, NULL},
    {SHUFFLER_TEST_MODE_CHANGED, "TEST MODE", layout_on, NULL, NULL, NULL},
    {SHUFFLER_POWER_UP, "POWER UP", power_up, NULL, NULL, NULL},
    {SHUFFLER_BUTTON_PRESSED, "GREEN BUTTON", button, NULL, NULL, NULL},
    {.type = 0}};

static const struct layout_message second[] = {
    LAYOUT_SECOND(wide_status, wide_journal),
    {SHUFFLER_PROGRAM, "PROGRAM", wide_program, program_reply, NULL, NULL},
    {SHUFFLER_SHUFFLE, "SHUFFLE", NULL, wide_shuffle, NULL, NULL},
    {SHUFFLER_TEST_MODE, "TEST MODE", layout_on, wide_test_mode_reply, NULL, NULL},
    {SHUFFLER_LOAD_ORDER, "LOAD ORDER", wide_order, wide_order_reply, NULL, NULL},
    {SHUFFLER_SHUFFLED, "SHUFFLED", wide_shuffled, NULL, hear_shuffled, NULL},
    {SHUFFLER_PACKET_PRESENT, "PACKET PRESENT", wide_present, NULL, hear_packet, NULL},
    {.type = 0}};

static const struct layout_class shuffler_class = {
    .name = "shuffler", .class = FRAME_SHUFFLER, .messages = messages, .second = second};
REGISTER(wire_classes, shuffler_class);
