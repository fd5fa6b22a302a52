/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The conformance suite on every emulated device of the open protocol, whose messages are rewritten
 * on the way (tests/fuzz/editor.h). An input names the device, the options of the suite and edits.
 * The suite ends, in time; what it tells is a sentence of the page with a verdict and a reason, and
 * what it does not tell has an error with a sentence. An honest device fails in nothing.
 *
 * Covers: devices/conform/conversation.c devices/conform/follow.c devices/conform/frames.c
 * Covers: devices/conform/records.c devices/conform/run.c devices/conform/talk.c
 * Covers: devices/conform/shoe.c devices/conform/shoe_steps.c devices/conform/unit.c
 * Covers: devices/conform/unit_steps.c devices/conform/shuffler.c
 * Covers: devices/conform/shuffler_moves.c devices/conform/shuffler_steps.c
 * Covers: devices/conform/terminal.c devices/conform/terminal_admin.c
 * Covers: devices/conform/terminal_keys.c devices/conform/terminal_money.c
 * Covers: devices/conform/terminal_shown.c devices/conform/terminal_steps.c
 * Covers: devices/conform/second.c devices/conform/second_steps.c
 * Covers: devices/conform/shuffler_second.c devices/conform/terminal_second.c
 */
#include <string.h>

#include "devices/conform/conform.h"
#include "devices/model.h"
#include "tests/fuzz/editor.h"

#define LONGEST  (24 * 3600 * NANOS_PER_SECOND)
#define SENT_MAX 200000 /* pieces that a device sends in one run of the suite */

static const struct kind {
    enum frame_class class;
    enum device_class from;
    const char *address;
} kinds[] = {
    {FRAME_SHUFFLER, DEVICE_SHUFFLER, "emu:shuffler?shuffle=900"},
    {FRAME_SHOE, DEVICE_SHOE, "emu:shoe?draw=300,cut=2"},
    {FRAME_BET_SENSOR, DEVICE_SENSORS, "emu:bet-sensor"},
    {FRAME_TERMINAL, DEVICE_TERMINAL, "emu:terminal"},
    {FRAME_SHUFFLER, DEVICE_SHUFFLER, "emu:shuffler?protocol=2"},
    {FRAME_SHOE, DEVICE_SHOE, "emu:shoe?draw=300,protocol=2"},
    {FRAME_BET_SENSOR, DEVICE_SENSORS, "emu:bet-sensor?protocol=2"},
    {FRAME_TERMINAL, DEVICE_TERMINAL, "emu:terminal?protocol=2"},
    {FRAME_SHUFFLER, DEVICE_SHUFFLER, "emu:shuffler?fault=jam@packet:2"},
    {FRAME_SHOE, DEVICE_SHOE, "emu:shoe?draw=300,fault=jam@card:3"},
    {FRAME_BET_SENSOR, DEVICE_SENSORS, "emu:bet-sensor?fault=dark@seat:3"},
    {FRAME_TERMINAL, DEVICE_TERMINAL, "emu:terminal?fault=power@key:3"},
    {FRAME_SHUFFLER, DEVICE_SHOE, "emu:shoe?draw=300"},
};
#define KINDS  (sizeof kinds / sizeof kinds[0])
#define HONEST 8 /* the others have a fault, or are of another class */

/* A device, and who rewrites what it sends. */
struct liar {
    struct model model;
    struct model *inner;
    const struct kind *kind;
    struct editor editor;
    struct frame_decoder decoder;
    unsigned sent;
    uint8_t out[4096];
    size_t used, at;
};

static struct liar *liar_of(struct model *model)
{
    return (struct liar *)model;
}

static void liar_receive(struct model *model, const uint8_t *bytes, size_t count, nanos_t now)
{
    struct liar *liar = liar_of(model);

    liar->inner->ops->receive(liar->inner, bytes, count, now);
    model->gone = liar->inner->gone;
}

static void rewrite(struct liar *liar, struct frame *frame)
{
    struct alter_message message = {
        .bytes = {frame->version, frame->class, frame->type, frame->sequence},
        .size = FRAME_HEAD + frame->size};

    memcpy(message.bytes + FRAME_HEAD, frame->payload, frame->size);
    editor_lie(&liar->editor, liar->kind->from, &message);
    if (message.size < FRAME_HEAD)
        return;
    frame->version = message.bytes[0];
    frame->class = message.bytes[1];
    frame->type = message.bytes[2];
    frame->sequence = message.bytes[3];
    frame->size =
        (uint8_t)(message.size - FRAME_HEAD < FRAME_PAYLOAD_MAX ? message.size - FRAME_HEAD
                                                                : FRAME_PAYLOAD_MAX);
    memcpy(frame->payload, message.bytes + FRAME_HEAD, frame->size);
}

static void take_sent(struct liar *liar, nanos_t now)
{
    uint8_t bytes[FRAME_ENCODED_MAX];
    struct frame frame;
    size_t count = liar->inner->ops->send(liar->inner, bytes, sizeof bytes, now), taken;

    liar->at = liar->used = 0;
    for (size_t at = 0; at < count; at += taken) {
        if (frame_decode(&liar->decoder, bytes + at, count - at, &taken, &frame) != FRAME_READY)
            continue;
        rewrite(liar, &frame);
        liar->used += frame_encode(&frame, liar->out + liar->used);
    }
}

static size_t liar_send(struct model *model, uint8_t *bytes, size_t size, nanos_t now)
{
    struct liar *liar = liar_of(model);
    size_t count;

    FUZZ_MUST(++liar->sent < SENT_MAX);
    if (liar->at == liar->used)
        take_sent(liar, now);
    model->gone = liar->inner->gone;
    count = liar->used - liar->at < size ? liar->used - liar->at : size;
    memcpy(bytes, liar->out + liar->at, count);
    liar->at += count;
    return count;
}

static nanos_t liar_due(struct model *model)
{
    struct liar *liar = liar_of(model);

    return liar->at < liar->used ? 0 : liar->inner->ops->due(liar->inner);
}

static void liar_free(struct model *model)
{
    liar_of(model)->inner->ops->free(liar_of(model)->inner);
}

static struct model *make(void *context, const char *name, const char *options, struct error *error)
{
    struct liar *liar = context;

    liar->inner = model_make(NULL, name, options, error);
    FUZZ_MUST(liar->inner);
    return &liar->model;
}

static void tell(void *context, const struct conform_result *result)
{
    (void)context;
    FUZZ_MUST(*result->id && *result->text && result->verdict < CONFORM_VERDICTS);
    FUZZ_MUST(!result->why == (result->verdict == CONFORM_PASS));
    FUZZ_MUST(result->frame_count <= CONFORM_FRAMES_MAX);
}

static void ask(void *context, const char *what)
{
    (void)context;
    FUZZ_MUST(*what);
}

/*
 * Bits: nobody is there, no code, nothing that cannot be undone, a noisy line, one sentence alone,
 * a code that is none.
 */
static void try_suite(struct conform *conform, struct link *link, uint8_t how, bool is_honest)
{
    static const char *const sentences[] = {"M2", "SH4", "T57", "XX1"};
    struct error error = {.text = ""};
    int status;

    conform->hands = !(how & 1);
    conform->code = how & 2 ? NULL : "4711";
    conform->admin_code = how & 2 ? NULL : "86420";
    conform->alters = !(how & 4);
    conform->is_noisy = how & 8;
    conform->only = how & 0x10 ? sentences[how >> 6] : NULL;
    if (how & 0x20)
        conform->admin_code = "12";
    conform->told = tell;
    conform->asks = how & 1 ? NULL : ask;
    status = conform_run(conform, link, &error);
    FUZZ_MUST(!status || (status == (int)error.code && *error.text));
    FUZZ_MUST(!is_honest || how >= 0x10 || (!status && !conform->counts[CONFORM_FAIL]));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct model_ops ops = {
        .receive = liar_receive, .send = liar_send, .due = liar_due, .free = liar_free};
    struct fuzz_input input = {data, size};
    struct liar liar = {.model.ops = &ops,
                        .kind = &kinds[fuzz_byte(&input) % KINDS],
                        .decoder.versions = FRAME_VERSIONS};
    struct hal hal;
    struct conform conform = {.hal = &hal, .class = liar.kind->class};
    uint8_t how = fuzz_byte(&input);
    struct clock clock;
    struct link *link;

    editor_begin(&liar.editor, input);
    clock_virtual(&clock, 0);
    FUZZ_MUST(!hal_open(&hal, &clock, NULL));
    hal.make_model = make;
    hal.model_context = &liar;
    FUZZ_MUST(!link_open(&link, &hal, liar.kind->address, NULL));
    try_suite(&conform, link, how, !input.left && liar.kind < &kinds[HONEST]);
    FUZZ_MUST(clock_now(&clock) < LONGEST);
    link_close(link);
    hal_close(&hal);
    return 0;
}
