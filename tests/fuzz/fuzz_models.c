/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every model of a device that is on a link, with a host that says whatever it likes: requests with
 * good checks and any content in either version, bytes, silence, cut cables; and with somebody who
 * stands at it and puts his hands on it. An input names the model and then deeds.
 * A model is never due without something to say, says whole frames of its class alone, and ends.
 *
 * Covers: devices/wire/peer.c devices/shuffler/open/model.c devices/shuffler/open/machine.c
 * Covers: devices/shuffler/open/requests.c devices/shoe/open/model.c devices/shoe/mechanics.c
 * Covers: devices/shoe/angel_eye/model.c devices/shoe/angel_eye/outbox.c
 * Covers: devices/sensors/unit/model.c devices/sensors/unit/table.c
 * Covers: devices/terminal/open/model.c devices/terminal/open/admin.c devices/terminal/open/bank.c
 * Covers: devices/terminal/open/book.c devices/terminal/open/rounds.c devices/terminal/open/show.c
 */
#include <stdio.h>
#include <string.h>

#include "devices/gat/frame.h"
#include "devices/model.h"
#include "devices/sensors/unit/model.h"
#include "devices/shoe/angel_eye/frame.h"
#include "devices/shoe/angel_eye/model.h"
#include "devices/shoe/open/model.h"
#include "devices/shuffler/open/model.h"
#include "devices/terminal/open/model.h"
#include "devices/terminal/open/wire.h"
#include "devices/wire/frame.h"
#include "devices/wire/wire.h"
#include "hal/link/model.h"
#include "tests/fuzz/fuzz.h"

#define DEEDS_MAX 400
#define SENDS_MAX 4000 /* of one silence */

struct stranger {
    const struct model_kind *kind;
    struct model *model;
    nanos_t now;
    uint8_t sequence;
    bool is_garbled; /* bytes went out that are no frames, or the model has a fault */
    uint8_t version; /* in which it has answered HELLO */
    uint8_t challenge[WIRE_PROOF_SIZE];
    struct frame_decoder decoder;
};

static void say(struct stranger *host, const struct frame *frame)
{
    uint8_t encoded[FRAME_ENCODED_MAX];

    host->model->ops->receive(host->model, encoded, frame_encode(frame, encoded), host->now);
}

/* Events are acknowledged, so that others come. */
static void heed(struct stranger *host, const struct frame *frame)
{
    struct frame ack;

    if (wire_is_event(frame->type)) {
        frame_begin(&ack, frame->class, frame->type | WIRE_ANSWER, frame->sequence);
        ack.version = frame->version;
        say(host, &ack);
    } else if (frame->type == (WIRE_HELLO | WIRE_ANSWER)) {
        host->version = frame->version;
    } else if (frame->class == FRAME_TERMINAL && frame->size == WIRE_PROOF_SIZE &&
               frame->type == (TERMINAL_CHALLENGE | WIRE_ANSWER)) {
        memcpy(host->challenge, frame->payload, WIRE_PROOF_SIZE);
    }
}

static void hear(struct stranger *host, const uint8_t *bytes, size_t count)
{
    struct frame frame;
    size_t taken;

    for (size_t at = 0; host->kind->frame_class && at < count; at += taken) {
        enum frame_result result =
            frame_decode(&host->decoder, bytes + at, count - at, &taken, &frame);

        FUZZ_MUST(host->is_garbled || result != FRAME_REJECTED);
        if (result != FRAME_READY)
            continue;
        FUZZ_MUST(host->is_garbled || frame.class == host->kind->frame_class);
        heed(host, &frame);
    }
}

/* All that it has to say until then; false when it has left the bus. */
static bool listen(struct stranger *host, nanos_t until)
{
    struct model *model = host->model;

    for (unsigned i = 0; i < SENDS_MAX && !model->gone && !model->broken; i++) {
        uint8_t bytes[300];
        nanos_t due;
        size_t count = model->ops->send(model, bytes, 1 + (i * 37) % sizeof bytes, host->now);

        FUZZ_MUST(count <= sizeof bytes);
        hear(host, bytes, count);
        if (count || model->gone || model->broken)
            continue;
        due = model->ops->due(model);
        FUZZ_MUST(due > host->now);
        if (due > until)
            break;
        host->now = due;
    }
    host->now = host->now < until ? until : host->now;
    return !model->gone && !model->broken;
}

/* In version 2 a terminal takes no code, but its proof before what is asked or behind the key. */
static void prove(const struct stranger *host, struct frame *frame)
{
    uint8_t *payload = frame->payload;

    if (frame->type == TERMINAL_KEY && frame->size && payload[0] == TERMINAL_CODE) {
        terminal_prove("4711", 4, host->challenge, frame->type, payload, 1, payload + 1);
        frame->size = 1 + WIRE_PROOF_SIZE;
    } else if ((frame->type == TERMINAL_CONFIGURE || frame->type == TERMINAL_CORRECT) &&
               frame->size <= FRAME_PAYLOAD_MAX - WIRE_PROOF_SIZE) {
        memmove(payload + WIRE_PROOF_SIZE, payload, frame->size);
        terminal_prove("86420", 5, host->challenge, frame->type, payload + WIRE_PROOF_SIZE,
                       frame->size, payload);
        frame->size = (uint8_t)(frame->size + WIRE_PROOF_SIZE);
    }
}

/* Of the deed 0x80: HELLO in version 2; 0x40: with the proof of the right code. */
static void ask(struct stranger *host, uint8_t deed, struct fuzz_input *input)
{
    struct frame frame;
    uint8_t type = fuzz_byte(input), more = fuzz_byte(input);
    const uint8_t *payload;
    size_t size;

    /* Requests of all devices and of a class are few; most numbers are none. */
    frame_begin(&frame, host->kind->frame_class, more & 0x80 ? type : type % 32,
                more & 0x40 ? type : ++host->sequence);
    payload = fuzz_take(input, (more & 0x3f) == 0x3f ? fuzz_byte(input) : more & 0x3f, &size);
    size = size < FRAME_PAYLOAD_MAX ? size : FRAME_PAYLOAD_MAX;
    memcpy(frame.payload, payload, size);
    frame.size = (uint8_t)size;
    frame.version = host->version;
    if (frame.type == WIRE_HELLO)
        frame.version = deed & 0x80 ? FRAME_VERSION_2 : FRAME_VERSION;
    if (frame.version == FRAME_VERSION_2 && frame.class == FRAME_TERMINAL && deed & 0x40)
        prove(host, &frame);
    say(host, &frame);
}

static void ask_angel_eye(struct stranger *host, struct fuzz_input *input)
{
    struct angel_eye_frame frame = {.start = ANGEL_EYE_STX, .size = 6};
    uint8_t kind = fuzz_byte(input), bytes[ANGEL_EYE_FRAME_MAX];
    static const char *const operations[] = {"OPLK01", "OPLK02", "OPEC01", "OPGP00"};
    size_t size;

    memcpy(frame.data, operations[kind % 4], 6);
    if (kind & 0x80)
        frame.start = kind & 4 ? ANGEL_EYE_ACK : ANGEL_EYE_NAK;
    if (kind & 0x40)
        frame.data[fuzz_byte(input) % 6] = fuzz_byte(input);
    frame.nak = kind & 8 ? ANGEL_EYE_NAK_BCC : ANGEL_EYE_NAK_BUSY;
    frame.includes_stx = kind & 16;
    size = angel_eye_encode(&frame, bytes);
    host->model->ops->receive(host->model, bytes, size, host->now);
}

static void load(struct stranger *host, uint8_t seed)
{
    card_t deck[DECK_SIZE];
    struct error error;

    for (unsigned i = 0; i < DECK_SIZE; i++)
        deck[i] = card_from_index((i * (2u * (seed % 6) + 1) + seed) % DECK_SIZE);
    if (host->kind->load)
        host->kind->load(host->model, deck, seed % 3 ? DECK_SIZE : seed % DECK_SIZE, host->now,
                         &error);
}

/* What who stands at the device sees of two decks. */
static void look(const struct stranger *host, uint8_t card)
{
    if (host->kind->deck_in)
        FUZZ_MUST(host->kind->deck_in(host->model) <= 2);
    if (host->kind->back_of)
        FUZZ_MUST(host->kind->back_of(host->model, card_from_index(card % DECK_SIZE)) <= 2);
}

static void touch_angel_eye(struct stranger *host, uint8_t how)
{
    static const char *const addresses[] = {"LK", "EC", "01", "none"};

    switch (how % 4) {
    case 0:
        angel_eye_model_draw(host->model, host->now);
        break;
    case 1:
        angel_eye_model_refill(host->model, host->now);
        break;
    case 2:
        angel_eye_model_end_game(host->model, host->now);
        break;
    default:
        angel_eye_model_set(host->model, addresses[how >> 2 & 3], how & 0x10 ? "0001" : "none",
                            host->now);
        break;
    }
}

/* What somebody does who stands at it. */
static void touch(struct stranger *host, uint8_t how)
{
    const char *name = host->kind->name;
    struct error error = {.text = ""};

    if (!strcmp(name, "angel-eye"))
        touch_angel_eye(host, how);
    else if (!strcmp(name, "shoe") && how & 1)
        shoe_model_draw(host->model, host->now);
    else if (!strcmp(name, "shoe"))
        shoe_model_refill(host->model, host->now);
    else if (!strcmp(name, "shuffler") && how & 1)
        shuffler_model_take(host->model, host->now);
    else if (!strcmp(name, "shuffler"))
        shuffler_model_press(host->model, host->now);
    else if (!strcmp(name, "bet-sensor"))
        bet_unit_model_hand(host->model, 1 + how % 7u, how & 0x80, host->now);
    else if (!strcmp(name, "terminal") &&
             terminal_model_configure(host->model,
                                      terminal_preset(how & 1 ? "stax" : "three-card-catch"),
                                      host->now, &error))
        FUZZ_MUST(error.text[0]);
}

/* A fault that it gets meanwhile, by its name. */
static void break_down(struct stranger *host, struct fuzz_input *input)
{
    char spec[32] = "";
    struct error error = {.text = ""};
    size_t size;
    const uint8_t *text = fuzz_take(input, fuzz_byte(input) % sizeof spec, &size);

    memcpy(spec, text, size);
    if (!host->kind->fault)
        return;
    host->is_garbled = true;
    if (host->kind->fault(host->model, spec, &error))
        FUZZ_MUST(error.code == ERROR_CONFIG && error.text[0]);
}

static void do_one(struct stranger *host, struct fuzz_input *input)
{
    uint8_t deed = fuzz_byte(input);
    const uint8_t *raw;
    size_t size;

    switch (deed % 8) {
    case 0:
    case 1:
    case 2:
        if (host->kind->frame_class)
            ask(host, deed, input);
        else
            ask_angel_eye(host, input);
        break;
    case 3:
        raw = fuzz_take(input, deed >> 3, &size);
        if (size)
            host->model->ops->receive(host->model, raw, size, host->now);
        break;
    case 4:
        listen(host, host->now + (nanos_t)fuzz_byte(input) * 100 * NANOS_PER_MILLI);
        break;
    case 5:
        if (!(deed & 0x80))
            touch(host, fuzz_byte(input));
        else if (host->kind->power_cycle)
            host->kind->power_cycle(host->model, host->now);
        break;
    case 6:
        load(host, fuzz_byte(input));
        look(host, fuzz_byte(input));
        break;
    default:
        if (!(deed & 0x80))
            break_down(host, input);
        else if (host->model->ops->unplug)
            host->model->ops->unplug(host->model, host->now);
        break;
    }
    listen(host, host->now);
}

/* Such a model with the options of the input, a text, or with those for somebody at the device. */
static struct model *make(struct stranger *host, struct fuzz_input *input)
{
    static const char *const names[] = {"angel-eye", "bet-sensor", "script",
                                        "shoe",      "shuffler",   "terminal"};
    char options[64] = "";
    uint8_t kind = fuzz_byte(input), how = fuzz_byte(input);
    struct error error = {.text = ""};
    struct model *model;
    size_t size;

    host->kind = model_kind_find(names[kind % (sizeof names / sizeof names[0])], &error);
    FUZZ_MUST(host->kind);
    if (how & 0x80)
        snprintf(options, sizeof options, "%s", host->kind->hands ? host->kind->hands : "");
    else {
        const uint8_t *text = fuzz_take(input, how & 0x3f, &size);

        memcpy(options, text, size);
        host->is_garbled = strstr(options, "fault") != NULL;
    }
    model = host->kind->make(options, &error);
    FUZZ_MUST(model || (error.code == ERROR_CONFIG && error.text[0]));
    return model;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input input = {data, size};
    struct stranger host = {
        .now = NANOS_PER_SECOND, .version = FRAME_VERSION, .decoder.versions = FRAME_VERSIONS};

    host.model = make(&host, &input);
    if (!host.model)
        return 0;
    if (host.kind->fault && fuzz_byte(&input) & 1)
        host.is_garbled = true;
    for (unsigned i = 0; i < DEEDS_MAX && input.left && !host.model->gone && !host.model->broken;
         i++)
        do_one(&host, &input);
    listen(&host, host.now + 60 * NANOS_PER_SECOND);
    if (host.kind->has_shown)
        host.kind->has_shown(host.model);
    if (host.model->ops->unplug)
        host.model->ops->unplug(host.model, host.now);
    host.model->ops->free(host.model);
    return 0;
}
