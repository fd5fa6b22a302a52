/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/fuzz/editor.h"

#include <string.h>

#include "devices/wire/wire.h"

enum edit {
    EDIT_XOR,
    EDIT_SET,
    EDIT_SHORTER,
    EDIT_LONGER,
    EDIT_TYPE,
    EDIT_PAYLOAD,
    EDIT_SAME,
    EDIT_EVENT, /* the next event becomes another one */
    EDITS
};

void editor_begin(struct editor *editor, struct fuzz_input input)
{
    *editor = (struct editor){.input = input, .is_over = !input.left};
    editor->passes = fuzz_byte(&editor->input);
}

/* Where the cards of a message are that tells them. */
static size_t cards_at(enum device_class from, const struct alter_message *message)
{
    uint8_t type = message->size > FRAME_HEAD ? message->bytes[ALTER_TYPE_AT] : 0;

    if (from == DEVICE_SHUFFLER && type == 0x41)
        return FRAME_HEAD + 3;
    if (from == DEVICE_SHOE && type == 0x40)
        return FRAME_HEAD + 1;
    return 0;
}

/* One card of a good message became another value. */
static bool is_other_card(enum device_class from, const struct alter_message *honest,
                          const struct alter_message *told)
{
    size_t at = cards_at(from, honest);
    size_t end = from == DEVICE_SHOE ? at + 1 : honest->size;

    return at && honest->size == told->size && !memcmp(honest->bytes, told->bytes, FRAME_HEAD) &&
           memcmp(honest->bytes + at, told->bytes + at, end - at) != 0;
}

static bool is_event(const struct alter_message *message)
{
    return message->size >= FRAME_HEAD && wire_is_event(message->bytes[ALTER_TYPE_AT]);
}

/* What follows in the input is its payload. */
static void put_payload(struct fuzz_input *input, struct alter_message *message, size_t count)
{
    size_t size;
    const uint8_t *bytes = fuzz_take(input, count, &size);

    if (size > FRAME_HEAD + FRAME_PAYLOAD_MAX - message->size)
        size = FRAME_HEAD + FRAME_PAYLOAD_MAX - message->size;
    memcpy(message->bytes + message->size, bytes, size);
    message->size += size;
}

static void edit(struct editor *editor, struct alter_message *message)
{
    struct fuzz_input *input = &editor->input;
    enum edit how = fuzz_byte(input) % EDITS;
    size_t at = message->size ? fuzz_byte(input) % message->size : 0;
    uint8_t value = fuzz_byte(input);

    if (how == EDIT_XOR) {
        message->bytes[at] ^= value;
    } else if (how == EDIT_SET) {
        message->bytes[at] = value;
    } else if (how == EDIT_TYPE) {
        message->bytes[ALTER_TYPE_AT] = value;
    } else if (how == EDIT_SHORTER) {
        message->size -= value < message->size ? value : message->size;
    } else if (how == EDIT_LONGER) {
        put_payload(input, message, value);
    } else if (how == EDIT_PAYLOAD && message->size > FRAME_HEAD) {
        message->size = FRAME_HEAD;
        put_payload(input, message, value);
    } else if (how == EDIT_EVENT) {
        message->bytes[ALTER_TYPE_AT] = (uint8_t)(WIRE_FIRST_EVENT + value % 16);
        message->size = FRAME_HEAD;
        put_payload(input, message, fuzz_byte(input) % 80);
    }
}

void editor_lie(void *context, enum device_class from, struct alter_message *message)
{
    struct editor *editor = context;
    const struct alter_message honest = *message;

    if (editor->is_over || (editor->passes && editor->passes--))
        return;
    if (editor->input.left && *editor->input.at % EDITS == EDIT_EVENT && !is_event(message))
        return;
    edit(editor, message);
    editor->edits +=
        honest.size != message->size || memcmp(honest.bytes, message->bytes, honest.size) != 0;
    editor->cards += is_other_card(from, &honest, message);
    editor->is_over = !editor->input.left;
    editor->passes = fuzz_byte(&editor->input);
}
