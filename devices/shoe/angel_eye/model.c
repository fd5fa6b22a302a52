/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/shoe/angel_eye/model.h"

#include <stdlib.h>
#include <string.h>

#include "devices/model.h"
#include "devices/shoe/angel_eye/baccarat.h"
#include "devices/shoe/angel_eye/frame.h"
#include "devices/shoe/angel_eye/outbox.h"
#include "devices/shoe/mechanics.h"

/* Outbox slots needed before a draw, for all reports that may follow it and a power loss. */
#define ROOM_NEEDED 12
#define IN_ERROR    0x40

struct angel_eye_model {
    struct shoe_model_base base;
    bool includes_stx;
    bool stands_by; /* P follows each game, not a deck alone */
    /* With the mechanics' memory, what a power loss leaves as it was. */
    struct angel_eye_baccarat game;
    struct angel_eye_outbox outbox;

    struct angel_eye_decoder decoder;
    nanos_t heard_at;
    uint8_t owed_nak; /* to a damaged operation; 0 for none */
    uint8_t out[8 * ANGEL_EYE_FRAME_MAX];
    size_t out_at, out_end;
    uint64_t frames; /* of the host */
};

static struct angel_eye_model *angel_of(struct model *model)
{
    return (struct angel_eye_model *)model;
}

static void put_out(struct angel_eye_model *angel, const struct angel_eye_frame *frame)
{
    if (angel->out_at == angel->out_end)
        angel->out_at = angel->out_end = 0;
    /* A host that does not read what it asked for will ask again; nothing is lost by dropping. */
    if (sizeof angel->out - angel->out_end >= ANGEL_EYE_FRAME_MAX)
        angel->out_end += angel_eye_encode(frame, angel->out + angel->out_end);
}

static void answer(struct angel_eye_model *angel, unsigned nak)
{
    const struct angel_eye_frame frame = {.start = nak ? ANGEL_EYE_NAK : ANGEL_EYE_ACK,
                                          .nak = (uint8_t)nak};

    put_out(angel, &frame);
}

static void report_byte(struct angel_eye_model *angel, char kind, unsigned value, nanos_t now)
{
    const uint8_t data[] = {(uint8_t)kind, (uint8_t)value};

    angel_eye_outbox_add(&angel->outbox, data, sizeof data, now);
}

static void report_plain(struct angel_eye_model *angel, char kind, nanos_t now)
{
    const uint8_t data = (uint8_t)kind;

    angel_eye_outbox_add(&angel->outbox, &data, 1, now);
}

static uint8_t card_code(card_t card)
{
    static const uint8_t suits[SUIT_COUNT] = {
        [SUIT_DIAMONDS] = 1, [SUIT_CLUBS] = 2, [SUIT_SPADES] = 3, [SUIT_HEARTS] = 4};
    unsigned rank = card_rank(card) == RANK_ACE ? 1 : card_rank(card) + 2;

    return (uint8_t)((unsigned)suits[card_suit(card)] << 4 | rank);
}

static void end_game(struct angel_eye_model *angel, bool is_forced, nanos_t now)
{
    unsigned player = angel_eye_baccarat_points(&angel->game, BACCARAT_PLAYER);
    unsigned banker = angel_eye_baccarat_points(&angel->game, BACCARAT_BANKER);
    unsigned pairs = (unsigned)angel_eye_baccarat_pair(&angel->game, BACCARAT_PLAYER) |
                     (unsigned)angel_eye_baccarat_pair(&angel->game, BACCARAT_BANKER) << 1;
    unsigned winner = is_forced ? 7 : player > banker ? 1 : player < banker ? 4 : 2;

    memset(&angel->game, 0, sizeof angel->game);
    report_byte(angel, 'G', winner << 4 | pairs, now);
    if (angel->stands_by)
        report_plain(angel, 'P', now);
}

/* Target and index of a card, which the game's next one is unless the shoe is locked or in error.
 */
static uint8_t place(struct angel_eye_model *angel, const struct shoe_draw *draw)
{
    enum baccarat_side side;

    if (draw->outside)
        return angel->base.mechanics.memory.error ? 1 << 4 : 0;
    angel_eye_baccarat_next(&angel->game, &side);
    angel_eye_baccarat_take(&angel->game, side, draw->card);
    return (uint8_t)((unsigned)side << 4 | angel->game.hands[side].count);
}

static void report_card(struct angel_eye_model *angel, const struct shoe_draw *draw, nanos_t now)
{
    const uint8_t data[] = {draw->outside ? 'd' : 'D', place(angel, draw), card_code(draw->card)};
    struct angel_eye_waiting *added = angel_eye_outbox_add(&angel->outbox, data, sizeof data, now);
    enum baccarat_side ignored;

    if (added) {
        added->repeats = draw->repeat;
        added->loses_ack = draw->lose_ack;
    }
    if (!draw->outside && !angel_eye_baccarat_next(&angel->game, &ignored))
        end_game(angel, false, now);
}

static void raise_error(struct angel_eye_model *angel, enum shoe_fault fault, nanos_t now)
{
    /* A card that does not come out is, to this shoe, a draw that takes too long. */
    angel->base.mechanics.memory.error = fault == SHOE_JAM ? SHOE_DRAW_TIMEOUT : (uint8_t)fault;
    report_byte(angel, 'E', IN_ERROR | angel->base.mechanics.memory.error, now);
}

static bool has_room(const struct angel_eye_model *angel)
{
    return angel->outbox.queued + ROOM_NEEDED <= ANGEL_EYE_REPORTS_MAX;
}

static bool draw_card(struct angel_eye_model *angel, nanos_t now)
{
    struct shoe_draw draw;

    if (!has_room(angel) || !shoe_mechanics_draw(&angel->base.mechanics, &draw))
        return false;
    if (draw.has_cut_card)
        report_plain(angel, 'C', now);
    if (draw.has_card)
        report_card(angel, &draw, now);
    if (draw.fault)
        raise_error(angel, draw.fault, now);
    shoe_mechanics_plan(&angel->base.mechanics, now);
    return true;
}

static void refill(struct angel_eye_model *angel, nanos_t now)
{
    shoe_mechanics_refill(&angel->base.mechanics);
    memset(&angel->game, 0, sizeof angel->game);
    report_plain(angel, 'P', now);
    shoe_mechanics_plan(&angel->base.mechanics, now);
}

/* Does what became due until now, each thing at its own time. */
static void step(struct angel_eye_model *angel, nanos_t now)
{
    struct shoe_mechanics *mechanics = &angel->base.mechanics;

    while (mechanics->due <= now) {
        if (!has_room(angel))
            mechanics->due = now + ANGEL_EYE_REPLY;
        else if (shoe_mechanics_refills(mechanics))
            refill(angel, mechanics->due);
        else
            draw_card(angel, mechanics->due);
    }
}

static unsigned lock(struct angel_eye_model *angel, unsigned value, nanos_t now)
{
    struct shoe_memory *memory = &angel->base.mechanics.memory;
    bool on = value == 2;

    if (value != 1 && value != 2)
        return ANGEL_EYE_NAK_FORMAT;
    if (memory->error)
        return ANGEL_EYE_NAK_BUSY;
    if (memory->is_locked != on) {
        memory->is_locked = on;
        report_byte(angel, 'L', on, now);
        shoe_mechanics_plan(&angel->base.mechanics, now);
    }
    return 0;
}

static unsigned clear_error(struct angel_eye_model *angel, unsigned value, nanos_t now)
{
    struct shoe_memory *memory = &angel->base.mechanics.memory;

    if (!memory->error || memory->error != value)
        return ANGEL_EYE_NAK_OTHER;
    report_byte(angel, 'e', value, now);
    memory->error = SHOE_NO_FAULT;
    shoe_mechanics_plan(&angel->base.mechanics, now);
    return 0;
}

static void answer_state(struct angel_eye_model *angel)
{
    const struct shoe_memory *memory = &angel->base.mechanics.memory;
    struct angel_eye_frame frame = {
        .start = ANGEL_EYE_STX,
        .includes_stx = angel->includes_stx,
        .size = ANGEL_EYE_OPERATION,
        .data = {'O', 'P', 'G', 'P', '0', '0'},
    };

    if (memory->error)
        frame.data[5] = '3';
    else if (memory->is_locked)
        frame.data[5] = '2';
    else if (memory->drawn)
        frame.data[5] = '1';
    put_out(angel, &frame);
}

static bool is_digit(uint8_t byte)
{
    return byte >= '0' && byte <= '9';
}

static unsigned execute(struct angel_eye_model *angel, const struct angel_eye_frame *operation,
                        bool *is_query, nanos_t now)
{
    const uint8_t *data = operation->data;
    unsigned value;

    if (operation->includes_stx != angel->includes_stx)
        return ANGEL_EYE_NAK_BCC;
    if (operation->size != ANGEL_EYE_OPERATION)
        return ANGEL_EYE_NAK_FORMAT;
    if (memcmp(data, "OP", 2) != 0)
        return ANGEL_EYE_NAK_COMMAND;
    if (!is_digit(data[4]) || !is_digit(data[5]))
        return ANGEL_EYE_NAK_FORMAT;
    value = (unsigned)(data[4] - '0') * 10 + (unsigned)(data[5] - '0');
    if (!memcmp(data + 2, "LK", 2))
        return lock(angel, value, now);
    if (!memcmp(data + 2, "EC", 2))
        return clear_error(angel, value, now);
    if (memcmp(data + 2, "GP", 2) != 0)
        return ANGEL_EYE_NAK_TYPE;
    *is_query = value == 0;
    return value ? ANGEL_EYE_NAK_FORMAT : 0;
}

static void take_operation(struct angel_eye_model *angel, const struct angel_eye_frame *operation,
                           nanos_t now)
{
    bool is_query = false;
    unsigned nak = execute(angel, operation, &is_query, now);

    angel->owed_nak = 0;
    if (is_query)
        answer_state(angel);
    else
        answer(angel, nak);
}

static void note_rejection(struct angel_eye_model *angel)
{
    if (angel->decoder.rejected_start != ANGEL_EYE_STX)
        return;
    if (angel->decoder.reason == ANGEL_EYE_BAD_BCC)
        angel->owed_nak = ANGEL_EYE_NAK_BCC;
    else if (angel->decoder.reason == ANGEL_EYE_NO_ETX || angel->decoder.reason == ANGEL_EYE_CUT)
        angel->owed_nak = ANGEL_EYE_NAK_NO_ETX;
    else
        angel->owed_nak = ANGEL_EYE_NAK_FORMAT;
}

static void hear(struct angel_eye_model *angel, const uint8_t *bytes, size_t count, nanos_t now)
{
    enum angel_eye_result result;
    size_t at = 0;

    do {
        struct angel_eye_frame frame;
        size_t taken;

        result = angel_eye_decode(&angel->decoder, bytes + at, count - at, &taken, &frame);
        at += taken;
        if (result == ANGEL_EYE_REJECTED)
            note_rejection(angel);
        if (result != ANGEL_EYE_READY)
            continue;
        angel->frames++;
        if (frame.start == ANGEL_EYE_STX)
            take_operation(angel, &frame, now);
        else if (frame.start != ANGEL_EYE_ENQ)
            angel_eye_outbox_answered(&angel->outbox, frame.start == ANGEL_EYE_ACK, now);
    } while (result != ANGEL_EYE_NEED_MORE);
    if (angel->owed_nak && !angel->decoder.used) {
        answer(angel, angel->owed_nak);
        angel->owed_nak = 0;
    }
}

static void model_receive(struct model *model, const uint8_t *bytes, size_t count, nanos_t now)
{
    struct angel_eye_model *angel = angel_of(model);

    step(angel, now);
    angel->heard_at = now;
    hear(angel, bytes, count, now);
    model->gone |= shoe_mechanics_is_unplugged(&angel->base.mechanics, angel->frames);
}

static nanos_t stalls_at(const struct angel_eye_model *angel)
{
    return angel->decoder.used ? angel->heard_at + ANGEL_EYE_GAP : NEVER;
}

static size_t model_send(struct model *model, uint8_t *bytes, size_t size, nanos_t now)
{
    struct angel_eye_model *angel = angel_of(model);
    struct angel_eye_frame report;
    size_t count;

    step(angel, now);
    while (now >= stalls_at(angel)) {
        angel_eye_expire(&angel->decoder);
        note_rejection(angel);
        hear(angel, angel->decoder.partial, 0, now);
    }
    for (unsigned times = angel_eye_outbox_say(&angel->outbox, &report, now); times; times--)
        put_out(angel, &report);
    count = angel->out_end - angel->out_at;
    if (count > size)
        count = size;
    memcpy(bytes, angel->out + angel->out_at, count);
    angel->out_at += count;
    return count;
}

static nanos_t model_due(struct model *model)
{
    const struct angel_eye_model *angel = angel_of(model);
    nanos_t due = angel_eye_outbox_due(&angel->outbox);

    if (angel->out_at < angel->out_end)
        return 0;
    if (stalls_at(angel) < due)
        due = stalls_at(angel);
    if (angel->base.mechanics.due < due)
        due = angel->base.mechanics.due;
    return due;
}

/* Who it spoke with is gone: what had come and gone of a frame is no part of the next one. */
static void model_unplug(struct model *model, nanos_t now)
{
    struct angel_eye_model *angel = angel_of(model);

    (void)now;
    memset(&angel->decoder, 0, sizeof angel->decoder);
    angel->out_at = angel->out_end = 0;
    angel->owed_nak = 0;
}

static void model_free(struct model *model)
{
    shoe_mechanics_free(&angel_of(model)->base.mechanics);
    free(model);
}

static int read_bcc(void *context, const char *value, struct error *error)
{
    struct angel_eye_model *angel = context;

    if (strcmp(value, "with-stx") != 0 && strcmp(value, "without-stx") != 0)
        return error_set(error, ERROR_CONFIG, "bcc=%s: write with-stx or without-stx", value);
    angel->includes_stx = !strcmp(value, "with-stx");
    return 0;
}

static int read_stand_by(void *context, const char *value, struct error *error)
{
    struct angel_eye_model *angel = context;

    if (strcmp(value, "deck") != 0 && strcmp(value, "game") != 0)
        return error_set(error, ERROR_CONFIG, "stand-by=%s: write deck or game", value);
    angel->stands_by = !strcmp(value, "game");
    return 0;
}

static const struct model_option options[] = {
    SHOE_OPTIONS,
    {"stand-by=deck", read_stand_by},
    {"stand-by=game", read_stand_by},
    {"bcc=with-stx", read_bcc},
    {"bcc=without-stx", read_bcc},
    {"fault=SPEC", shoe_option_fault},
    {NULL, NULL},
};

/* What a shoe says when it is switched on. */
static void start(struct angel_eye_model *angel, nanos_t now)
{
    report_plain(angel, 'S', now);
    report_byte(angel, 'L', angel->base.mechanics.memory.is_locked, now);
    if (angel->base.mechanics.memory.error)
        report_byte(angel, 'E', IN_ERROR | angel->base.mechanics.memory.error, now);
}

struct model *angel_eye_model_new(const char *text, struct error *error)
{
    static const struct model_ops ops = {.receive = model_receive,
                                         .send = model_send,
                                         .due = model_due,
                                         .unplug = model_unplug,
                                         .free = model_free};
    struct angel_eye_model *angel = calloc(1, sizeof *angel);

    if (!angel) {
        error_set(error, ERROR_RIG, "no memory for a model of an Angel Eye shoe");
        return NULL;
    }
    angel->base.model.ops = &ops;
    angel->includes_stx = true;
    shoe_mechanics_init(&angel->base.mechanics, 1);
    if (model_options_read(options, "an Angel Eye shoe", text, angel, error)) {
        model_free(&angel->base.model);
        return NULL;
    }
    start(angel, 0);
    report_plain(angel, 'P', 0);
    return &angel->base.model;
}

int angel_eye_model_load(struct model *model, const card_t *top, size_t count, nanos_t now,
                         struct error *error)
{
    struct angel_eye_model *angel = angel_of(model);
    struct shoe_mechanics *mechanics = &angel->base.mechanics;
    int result = shoe_mechanics_record(mechanics, top, count, error);

    if (!result && !mechanics->played && !mechanics->memory.drawn)
        refill(angel, now);
    return result;
}

bool angel_eye_model_draw(struct model *model, nanos_t now)
{
    step(angel_of(model), now);
    return draw_card(angel_of(model), now);
}

void angel_eye_model_refill(struct model *model, nanos_t now)
{
    step(angel_of(model), now);
    refill(angel_of(model), now);
}

void angel_eye_model_end_game(struct model *model, nanos_t now)
{
    step(angel_of(model), now);
    end_game(angel_of(model), true, now);
}

bool angel_eye_model_set(struct model *model, const char *address, const char *value, nanos_t now)
{
    uint8_t data[ANGEL_EYE_REPORT_MAX] = {'M'};

    if (strlen(address) != 2 || strlen(value) != 4)
        return false;
    memcpy(data + 1, address, 2);
    memcpy(data + 3, value, 4);
    step(angel_of(model), now);
    return angel_eye_outbox_add(&angel_of(model)->outbox, data, sizeof data, now);
}

void angel_eye_model_power_cycle(struct model *model, nanos_t now)
{
    struct angel_eye_model *angel = angel_of(model);
    struct angel_eye_waiting kept[ANGEL_EYE_REPORTS_MAX];
    unsigned count;

    step(angel, now);
    count = angel_eye_outbox_restart(&angel->outbox, kept);
    model_unplug(model, now);
    start(angel, now);
    for (unsigned i = 0; i < count; i++)
        angel_eye_outbox_add(&angel->outbox, kept[i].data, kept[i].size, now);
    shoe_mechanics_plan(&angel->base.mechanics, now);
}

static const struct model_kind kind = {
    .name = "angel-eye",
    .summary = "one card at a time, the Angel Eye II-EX protocol",
    .class = DEVICE_SHOE,
    .driver = "angel-eye",
    .options = options,
    .defects = &shoe_defects,
    .make = angel_eye_model_new,
    .fault = shoe_model_fault,
    .has_shown = shoe_model_has_shown,
    .power_cycle = angel_eye_model_power_cycle,
    .load = angel_eye_model_load,
    .hands = "draw=700,refill=2000",
};
REGISTER(device_models, kind);
