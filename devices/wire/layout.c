/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/wire/layout.h"

#include <inttypes.h>
#include <stdio.h>

#include "devices/telling.h"
#include "hal/base/registry.h"

#define NONE            0xff
#define MICROS_A_DOLLAR 1000000u
#define SAVED           8 /* numbers of a payload that later fields depend on */

REGISTRY(wire_classes);

const struct layout_class *layout_class_at(size_t index)
{
    return registry_at(&wire_classes, index);
}

const struct layout_class *layout_class_find(unsigned class)
{
    const struct layout_class *found;

    for (size_t i = 0; (found = layout_class_at(i)); i++)
        if (found->class == class)
            return found;
    return NULL;
}

static const struct layout_message *find(const struct layout_message *messages, unsigned type)
{
    for (; messages->type; messages++)
        if (messages->type == type)
            return messages;
    return NULL;
}

const struct layout_message *layout_message_find(const struct layout_class *class, unsigned version,
                                                 unsigned type)
{
    const struct layout_message *found = NULL;

    if (class && version >= FRAME_VERSION_2)
        found = find(class->second, type);
    return class && !found ? find(class->messages, type) : found;
}

const char *const layout_refusals[LAYOUT_REFUSALS] = {
    [0] = "none",
    [REFUSED_UNKNOWN] = "unknown request",
    [REFUSED_LENGTH] = "wrong length",
    [REFUSED_VALUE] = "value out of range",
    [REFUSED_STATE] = "not in this state",
    [REFUSED_ERROR] = "an error is pending",
    [REFUSED_BUSY] = "busy",
    [REFUSED_AUTHORIZATION] = "authorization missing or wrong",
    [REFUSED_TEST_MODE] = "only in test mode",
};

const char *const layout_hello_flags[2] = {"test mode", "error pending"};

const struct layout_field layout_hello[] = {FIELD_HEX("nonce", 4), LAYOUT_END};
static const char *const greeting_flags[] = {
    "test mode", "error pending", [WIRE_MORE_VERSIONS] = "knows version 2"};
static const char *const capabilities[WIRE_CAPABILITIES] = {
    "test mode", "log", "wall clock", "vendor messages", "draws", "two decks", "configuration"};
const struct layout_field layout_hello_reply[] = {FIELD_NUMBER("wire-version", 1),
                                                  FIELD_FLAGS("flags", greeting_flags),
                                                  FIELD_NUMBER("waiting", 1), LAYOUT_END};
const struct layout_field layout_wide_hello_reply[] = {FIELD_NUMBER("wire-version", 1),
                                                       FIELD_FLAGS("flags", greeting_flags),
                                                       FIELD_NUMBER("waiting", 1),
                                                       FIELD_HEX("spare", 3),
                                                       FIELD_FLAGS("capabilities", capabilities),
                                                       LAYOUT_END};
const struct layout_field layout_identity_reply[] = {
    FIELD("model", LAYOUT_TEXT), FIELD("serial", LAYOUT_TEXT), FIELD("firmware", LAYOUT_TEXT),
    FIELD_HEX("digest", WIRE_DIGEST_SIZE), LAYOUT_END};
const struct layout_field layout_log[] = {FIELD_NUMBER("first", 4), LAYOUT_END};
const struct layout_field layout_on[] = {FIELD("on", LAYOUT_TRUTH), LAYOUT_END};

/* A text of an identity into its member; what is left of the payload, or NULL. */
static const uint8_t *hear_text(const uint8_t *at, const uint8_t *end, char text[WIRE_TEXT_MAX + 1])
{
    size_t length = at < end ? *at : 0;

    if (at >= end || length > WIRE_TEXT_MAX || length > (size_t)(end - at) - 1)
        return NULL;
    for (size_t i = 0; i < length; i++)
        text[i] = at[1 + i] >= ' ' && at[1 + i] <= '~' ? (char)at[1 + i] : '?';
    text[length] = '\0';
    return at + 1 + length;
}

void layout_hear_identity(const struct frame *frame, struct heard *heard)
{
    struct wire_identity *identity = &heard->identity;
    const uint8_t *at = frame->payload, *end = at + frame->size;

    at = hear_text(at, end, identity->model);
    if (at)
        at = hear_text(at, end, identity->serial);
    if (at)
        at = hear_text(at, end, identity->firmware);
    if (at)
        heard->kind = HEARD_IDENTITY;
}

struct reading {
    struct message *message;
    const uint8_t *at;
    size_t left;
    struct {
        const char *name;
        uint64_t value;
    } saved[SAVED];
    unsigned saves;
};

static void save(struct reading *reading, const char *name, uint64_t value)
{
    if (reading->saves < SAVED) {
        reading->saved[reading->saves].name = name;
        reading->saved[reading->saves++].value = value;
    }
}

/* The last of that name, since a group may have it many times. */
static uint64_t recall(const struct reading *reading, const char *name)
{
    for (unsigned i = reading->saves; i--;)
        if (!strcmp(reading->saved[i].name, name))
            return reading->saved[i].value;
    return 0;
}

static uint64_t take_number(struct reading *reading, unsigned size)
{
    uint64_t value = 0;

    for (unsigned i = 0; i < size; i++)
        value = value << 8 | reading->at[i];
    reading->at += size;
    reading->left -= size;
    return value;
}

/* "jam", or "unknown 9". */
static void put_name(struct json_text *text, const struct layout_field *field, unsigned value)
{
    char unknown[24];

    if (value < field->name_count && field->names[value]) {
        json_text_string(text, field->names[value]);
        return;
    }
    snprintf(unknown, sizeof unknown, "unknown %u", value);
    json_text_string(text, unknown);
}

static void put_flags(struct json_text *text, const struct layout_field *field, unsigned flags)
{
    bool is_first = true;

    JSON_TEXT_PUT(text, "[");
    for (unsigned bit = 0; bit < 8; bit++) {
        char unknown[8];

        if (!(flags >> bit & 1))
            continue;
        json_text_raw(text, ",", !is_first);
        is_first = false;
        snprintf(unknown, sizeof unknown, "bit %u", bit);
        json_text_string(text, bit < field->name_count && field->names[bit] ? field->names[bit]
                                                                            : unknown);
    }
    JSON_TEXT_PUT(text, "]");
}

/* Bit 0 is no seat, but is shown where it is set. */
static void put_seats(struct json_text *text, unsigned seats)
{
    bool is_first = true;

    JSON_TEXT_PUT(text, "[");
    for (unsigned seat = 0; seat < 8; seat++)
        if (seats >> seat & 1) {
            json_text_raw(text, ",", !is_first);
            is_first = false;
            json_text_unsigned(text, seat);
        }
    JSON_TEXT_PUT(text, "]");
}

static void put_numbers(struct json_text *text, const uint8_t *bytes, size_t count)
{
    JSON_TEXT_PUT(text, "[");
    for (size_t i = 0; i < count; i++) {
        json_text_raw(text, ",", i > 0);
        json_text_unsigned(text, bytes[i]);
    }
    JSON_TEXT_PUT(text, "]");
}

static void put_hex(struct json_text *text, const uint8_t *bytes, size_t count)
{
    JSON_TEXT_PUT(text, "\"");
    for (size_t i = 0; i < count; i++) {
        char digits[3];

        snprintf(digits, sizeof digits, "%02x", bytes[i]);
        json_text_raw(text, digits, 2);
    }
    JSON_TEXT_PUT(text, "\"");
}

static void put_micros(struct json_text *text, uint64_t micros)
{
    char value[32];

    snprintf(value, sizeof value, "%" PRIu64 ".%06" PRIu64, micros / MICROS_A_DOLLAR,
             micros % MICROS_A_DOLLAR);
    json_text_string(text, value);
}

/* More than any reader of JSON takes for a number is a text. */
static void put_number(struct json_text *text, uint64_t value)
{
    char digits[24];

    if (value <= INT64_MAX) {
        json_text_unsigned(text, value);
        return;
    }
    snprintf(digits, sizeof digits, "%" PRIu64, value);
    json_text_string(text, digits);
}

/* What is no printable ASCII is shown as a question mark, as a screen would. */
static void put_text(struct json_text *text, const uint8_t *bytes, size_t length)
{
    char shown[256];

    for (size_t i = 0; i < length; i++)
        shown[i] = bytes[i] >= ' ' && bytes[i] <= '~' ? (char)bytes[i] : '?';
    shown[length] = '\0';
    json_text_string(text, shown);
}

/* How many bytes the field has here; one more than there are where some are missing. */
static size_t size_of(const struct reading *reading, const struct layout_field *field)
{
    size_t missing = reading->left + 1;

    switch (field->kind) {
    case LAYOUT_NUMBER:
    case LAYOUT_HEX:
        return field->size;
    case LAYOUT_MICROS:
        return 8;
    case LAYOUT_CARDS:
    case LAYOUT_NUMBERS:
        return field->counts ? recall(reading, field->counts) : reading->left;
    case LAYOUT_TEXT:
    case LAYOUT_CODE_TEXT:
        return reading->left ? 1 + (size_t)*reading->at : missing;
    case LAYOUT_CODE:
        return reading->left;
    case LAYOUT_GROUPS:
        return 0;
    default:
        return 1;
    }
}

static bool is_there(const struct reading *reading, const struct layout_field *field)
{
    switch (field->when) {
    case LAYOUT_IF:
        return recall(reading, field->on) == field->value;
    case LAYOUT_UNLESS:
        return recall(reading, field->on) != field->value;
    case LAYOUT_IF_MORE:
        return reading->left > 0;
    default:
        return true;
    }
}

static bool read_fields(struct reading *reading, const struct layout_field *fields);

static bool read_groups(struct reading *reading, const struct layout_field *field)
{
    struct json_text *text = message_field(reading->message, field->name);
    uint64_t count = recall(reading, field->counts);
    unsigned saves = reading->saves;
    bool is_whole = true;

    JSON_TEXT_PUT(text, "[");
    for (uint64_t i = 0; i < count && is_whole; i++) {
        json_text_raw(text, ",", i > 0);
        JSON_TEXT_PUT(text, "{");
        is_whole = read_fields(reading, field->fields);
        JSON_TEXT_PUT(text, "}");
        reading->saves = saves;
    }
    JSON_TEXT_PUT(text, "]");
    return is_whole;
}

static void check_cards(struct message *message, const card_t *cards, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!card_valid(cards[i]))
            message_wrong(message, "byte %02x is no card", cards[i]);
}

static void check_number(struct message *message, const struct layout_field *field, uint64_t value)
{
    if (field->must && value != field->must)
        message_wrong(message, "'%s' is %ju and must be %u", field->name, (uintmax_t)value,
                      field->must);
}

/* Numbers, and bytes that stand for something else; later fields may depend on them. */
static void read_value(struct reading *reading, const struct layout_field *field,
                       struct json_text *text)
{
    uint64_t value = take_number(reading, field->kind == LAYOUT_MICROS   ? 8
                                          : field->kind == LAYOUT_NUMBER ? field->size
                                                                         : 1);
    const card_t card = (card_t)value;

    save(reading, field->name, value);
    check_number(reading->message, field, value);
    if (field->kind == LAYOUT_CARD)
        check_cards(reading->message, &card, 1);
    if (field->kind == LAYOUT_NAMED)
        put_name(text, field, (unsigned)value);
    else if (field->kind == LAYOUT_FLAGS)
        put_flags(text, field, (unsigned)value);
    else if (field->kind == LAYOUT_SEATS)
        put_seats(text, (unsigned)value);
    else if (field->kind == LAYOUT_MICROS)
        put_micros(text, value);
    else if (field->kind == LAYOUT_CARD)
        telling_put_cards(text, &card, 1);
    else if (field->kind == LAYOUT_TRUTH && value < 2)
        telling_put_truth(text, value);
    else if (field->kind == LAYOUT_INDEX && value == NONE)
        JSON_TEXT_PUT(text, "null");
    else
        put_number(text, value);
}

static void read_bytes(struct reading *reading, const struct layout_field *field, size_t size,
                       struct json_text *text)
{
    const uint8_t *bytes = reading->at;

    reading->at += size;
    reading->left -= size;
    switch (field->kind) {
    case LAYOUT_CARDS:
        check_cards(reading->message, bytes, size);
        telling_put_cards(text, bytes, (unsigned)size);
        break;
    case LAYOUT_NUMBERS:
        put_numbers(text, bytes, size);
        break;
    case LAYOUT_TEXT:
        put_text(text, bytes + 1, size - 1);
        break;
    case LAYOUT_HEX:
        put_hex(text, bytes, size);
        break;
    default:
        JSON_TEXT_PUT(text, "\"hidden\"");
    }
}

static bool is_value(enum layout_kind kind)
{
    return kind <= LAYOUT_CARD || kind == LAYOUT_TRUTH || kind == LAYOUT_MICROS;
}

static bool read_field(struct reading *reading, const struct layout_field *field)
{
    size_t size = size_of(reading, field);
    struct json_text *text;

    if (field->kind == LAYOUT_GROUPS)
        return read_groups(reading, field);
    if (size > reading->left) {
        message_wrong(reading->message, "the payload ends in '%s'", field->name);
        return false;
    }
    text = message_field(reading->message, field->name);
    if (is_value(field->kind))
        read_value(reading, field, text);
    else
        read_bytes(reading, field, size, text);
    return true;
}

static bool read_fields(struct reading *reading, const struct layout_field *fields)
{
    for (const struct layout_field *field = fields; field && field->name; field++)
        if (is_there(reading, field) && !read_field(reading, field))
            return false;
    return true;
}

bool layout_read(const struct layout_field *fields, const uint8_t *payload, size_t size,
                 struct message *message)
{
    struct reading reading = {.message = message, .at = payload, .left = size};

    if (!read_fields(&reading, fields))
        return false;
    if (reading.left)
        message_wrong(message, "the payload has %zu byte%s too many", reading.left,
                      reading.left == 1 ? "" : "s");
    return !reading.left;
}
