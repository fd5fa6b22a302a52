/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whole runs of a recording on emulated devices whose messages are rewritten on the way, with a
 * good check behind them. An input names what is played, then edits: how many messages pass, what
 * is done to the next one. Every run ends, in time, with a verdict and a sentence where it is none
 * to be glad of; one without an edit passes, and one with a single edit of a card does not.
 *
 * Covers: devices/wire/host.c devices/shuffler/open/driver.c devices/shoe/open/driver.c
 * Covers: devices/shoe/angel_eye/driver.c devices/shoe/angel_eye/report.c
 * Covers: devices/sensors/unit/driver.c devices/terminal/open/driver.c
 * Covers: devices/terminal/open/reading.c devices/wire/log.c devices/shuffler/open/track.c
 * Covers: devices/shuffler/open/program.c devices/sensors/unit/bet_unit.c
 */
#include <string.h>

#include "devices/wire/wire.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/altered_run.h"

#define LONGEST (900 * NANOS_PER_SECOND)
#define ALL                                                                                        \
    (ALTERED_SLOT(DEVICE_SHUFFLER) | ALTERED_SLOT(DEVICE_SHOE) | ALTERED_SLOT(DEVICE_TERMINAL) |   \
     ALTERED_SLOT(DEVICE_SENSORS))

static const struct altered_act acts[] = {
    {ALTERED_SHUFFLER(""), "fixtures/chase-the-flush/house-burn.shoe", 1, ALL},
    {ALTERED_SHUFFLER(""), "fixtures/chase-the-flush/jackpots-key-by-key.shoe", 1, ALL},
    {ALTERED_SHUFFLER(""), "fixtures/chase-the-flush/must-hit-award.shoe", 1, ALL},
    {ALTERED_SHUFFLER(""), "fixtures/three-card-catch/dealer-catches.shoe", 1, ALL},
    {ALTERED_SHUFFLER("?fault=jam@packet:2"), "fixtures/chase-the-flush/house-burn.shoe", 1, ALL},
    {ALTERED_SHUFFLER("?fault=power@packet:2"), "fixtures/chase-the-flush/house-burn.shoe", 1, ALL},
    {ALTERED_SHOE(""), "fixtures/chase-the-flush/card-by-card-from-a-shoe.shoe", 1, ALL},
    {ALTERED_SHOE(",fault=jam@card:3"), "fixtures/chase-the-flush/card-by-card-from-a-shoe.shoe", 1,
     ALL},
    {ALTERED_ANGEL_EYE, "{\"shoe\":1,\"game\":\"chase-the-flush\",\"deal\":\"cards\"}", 1, ALL},
    {ALTERED_SCRIPTED_SHUFFLER(""), "fixtures/chase-the-flush/house-burn.shoe", 1, ALL},
    {ALTERED_SCRIPTED_ANGEL_EYE, "{\"shoe\":1,\"game\":\"chase-the-flush\",\"deal\":\"cards\"}", 1,
     ALL},
};
#define ACTS (sizeof acts / sizeof acts[0])
/* Those with a fault do not pass without an edit. */
#define IS_SOUND(act) (!strstr((act)->rig, "fault="))

enum edit {
    EDIT_XOR,
    EDIT_SET,
    EDIT_SHORTER,
    EDIT_LONGER,
    EDIT_TYPE,
    EDIT_PAYLOAD,
    EDIT_SAME,
    EDITS
};

struct editor {
    struct fuzz_input input;
    unsigned passes; /* messages until the next edit */
    bool is_over;    /* there are no more */
    unsigned edits, cards;
};

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

static void edit(struct editor *editor, struct alter_message *message)
{
    struct fuzz_input *input = &editor->input;
    enum edit how = fuzz_byte(input) % EDITS;
    size_t at = message->size ? fuzz_byte(input) % message->size : 0, size;
    uint8_t value = fuzz_byte(input);
    const uint8_t *bytes;

    if (how == EDIT_XOR) {
        message->bytes[at] ^= value;
    } else if (how == EDIT_SET) {
        message->bytes[at] = value;
    } else if (how == EDIT_TYPE) {
        message->bytes[ALTER_TYPE_AT] = value;
    } else if (how == EDIT_SHORTER) {
        message->size -= value < message->size ? value : message->size;
    } else if (how == EDIT_LONGER || how == EDIT_PAYLOAD) {
        if (how == EDIT_PAYLOAD && message->size > FRAME_HEAD)
            message->size = FRAME_HEAD;
        bytes = fuzz_take(input, value, &size);
        if (size > FRAME_HEAD + FRAME_PAYLOAD_MAX - message->size)
            size = FRAME_HEAD + FRAME_PAYLOAD_MAX - message->size;
        memcpy(message->bytes + message->size, bytes, size);
        message->size += size;
    }
}

static void lie(void *context, enum device_class from, struct alter_message *message)
{
    struct editor *editor = context;
    const struct alter_message honest = *message;

    if (editor->is_over || editor->passes--)
        return;
    edit(editor, message);
    editor->edits +=
        honest.size != message->size || memcmp(honest.bytes, message->bytes, honest.size) != 0;
    editor->cards += is_other_card(from, &honest, message);
    editor->is_over = !editor->input.left;
    editor->passes = fuzz_byte(&editor->input);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct editor editor = {.input = {data, size}};
    const struct altered_act *act = &acts[fuzz_byte(&editor.input) % ACTS];
    struct alter alter = {.lie = lie, .context = &editor};
    struct altered_run run;
    struct altered_ending ending;

    editor.is_over = !editor.input.left;
    editor.passes = fuzz_byte(&editor.input);
    altered_open(&run, act);
    altered_play(&run, &alter, &ending);
    FUZZ_MUST(!alter.hangs && ending.took < LONGEST);
    FUZZ_MUST(!ending.status || ending.error.text[0]);
    FUZZ_MUST(ending.worst < VERDICT_COUNT && ending.worst != VERDICT_ABORTED);
    FUZZ_MUST(editor.edits || !IS_SOUND(act) || ending.worst == VERDICT_PASS);
    FUZZ_MUST(editor.edits != 1 || editor.cards != 1 || ending.worst != VERDICT_PASS);
    altered_close(&run);
    return 0;
}
