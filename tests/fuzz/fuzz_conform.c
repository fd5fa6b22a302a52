/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The conformance suite on every emulated device of the open protocol, whose messages are rewritten
 * on the way (tests/fuzz/editor.h). An input names the device and the options of the suite, with
 * the highest bit of the first byte also defects of the device in a line, then edits.
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
#include <stdio.h>
#include <string.h>

#include "devices/conform/conform.h"
#include "devices/model.h"
#include "tests/fuzz/editor.h"

#define LONGEST    (24 * 3600 * NANOS_PER_SECOND)
#define SENT_MAX   200000 /* pieces that a device sends in one run of the suite */
#define STOPPED    300    /* after as many the suite is stopped, if it is */
#define HAS_TRAITS 0x80u  /* of the first byte */
#define TRAITS     100    /* letters of a line of defects */

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
    {FRAME_SHOE, DEVICE_SHOE, "emu:angel-eye"},
};
#define KINDS  (sizeof kinds / sizeof kinds[0])
#define HONEST 8 /* the others have a fault, or are of another class or protocol */

/* A device, and who rewrites what it sends. */
struct liar {
    struct model model;
    struct model *inner;
    const struct kind *kind;
    struct hal *hal;
    bool is_stopped; /* somebody stops the suite */
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
    if (strstr(liar->kind->address, "angel-eye")) {
        memcpy(liar->out, bytes, count);
        liar->used = count;
        return;
    }
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
    if (liar->is_stopped && liar->sent == STOPPED)
        hal_cancel(liar->hal);
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
    return liar->inner ? &liar->model : NULL;
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
 * a code that is none; the two highest which sentence, or without one that somebody stops the
 * suite, that the code has a letter, that there is no such class.
 */
static void set_up(struct conform *conform, struct liar *liar, uint8_t how)
{
    static const char *const sentences[] = {"M2", "SH4", "T57", "XX1"};

    FUZZ_MUST(conform_class(conform_class_name(conform->class)) == conform->class);
    FUZZ_MUST(!conform_class("device"));
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
    liar->is_stopped = (how & 0xd0) == 0x40;
    if ((how & 0xd0) == 0x80)
        conform->code = "47ll";
    if ((how & 0xd0) == 0xc0)
        conform->class = 0;
}

static void try_suite(struct conform *conform, struct link *link, bool is_honest)
{
    struct error error = {.text = ""};
    int status = conform_run(conform, link, &error);

    FUZZ_MUST(!status || (status == (int)error.code && *error.text));
    FUZZ_MUST(!is_honest || (!status && !conform->counts[CONFORM_FAIL]));
}

/* Of a model's options only these: with others a device may take as long as it likes. */
static bool is_trait(const char *option)
{
    static const char *const known[] = {"fault=", "lacks=", "decks=2", "history=1", "chatty=1"};

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (!strncmp(option, known[i], strlen(known[i])))
            return true;
    return false;
}

/* The device's address with the traits of the input; false: there is no such thing. */
static bool put_address(const struct kind *kind, struct fuzz_input *input, char *address,
                        size_t room)
{
    const uint8_t *end = input->left ? memchr(input->at, '\n', input->left) : NULL;
    char text[TRAITS + 1] = "", *more = text, *option;
    size_t size;

    snprintf(address, room, "%s", kind->address);
    if (!end || end - input->at > TRAITS)
        return false;
    memcpy(text, input->at, (size_t)(end - input->at));
    fuzz_take(input, (size_t)(end - input->at) + 1, &size);
    while ((option = strsep(&more, ","))) {
        size_t used = strlen(address);

        if (!is_trait(option))
            return false;
        snprintf(address + used, room - used, "%c%s", strchr(address, '?') ? ',' : '?', option);
    }
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct model_ops ops = {
        .receive = liar_receive, .send = liar_send, .due = liar_due, .free = liar_free};
    struct fuzz_input input = {data, size};
    uint8_t which = fuzz_byte(&input), how = fuzz_byte(&input);
    struct hal hal;
    struct liar liar = {.model.ops = &ops,
                        .kind = &kinds[(which & ~HAS_TRAITS) % KINDS],
                        .hal = &hal,
                        .decoder.versions = FRAME_VERSIONS};
    struct conform conform = {.hal = &hal, .class = liar.kind->class};
    char address[LINK_ADDRESS_MAX];
    struct clock clock;
    struct link *link;

    snprintf(address, sizeof address, "%s", liar.kind->address);
    if (which & HAS_TRAITS && !put_address(liar.kind, &input, address, sizeof address))
        return 0;
    editor_begin(&liar.editor, input);
    clock_virtual(&clock, 0);
    FUZZ_MUST(!hal_open(&hal, &clock, NULL));
    hal.make_model = make;
    hal.model_context = &liar;
    set_up(&conform, &liar, how);
    if (!link_open(&link, &hal, address, NULL)) {
        try_suite(&conform, link,
                  !input.left && !(which & HAS_TRAITS) && how < 0x10 && liar.kind < &kinds[HONEST]);
        FUZZ_MUST(clock_now(&clock) < LONGEST);
        link_close(link);
    } else {
        FUZZ_MUST(which & HAS_TRAITS);
    }
    hal_close(&hal);
    return 0;
}

/* One that the device could have, as a line of an input. */
static size_t any_trait(const struct kind *kind, unsigned seed, char line[TRAITS + 2])
{
    static const char *const others[] = {"lacks=test-mode", "lacks=log", "lacks=wall-clock",
                                         "lacks=draws",     "decks=2",   "lacks=configuration",
                                         "history=1",       "chatty=1"};
    char name[32];
    const struct model_kind *model;
    const struct defect_kind *defect;

    snprintf(name, sizeof name, "%.*s", (int)strcspn(kind->address + 4, "?"), kind->address + 4);
    model = model_kind_find(name, NULL);
    if (seed % 5 == 0 || !model || !model->defects)
        return (size_t)snprintf(line, TRAITS + 2, "%s\n", others[seed / 5 % 8]);
    defect = &model->defects->kinds[seed / 5 % model->defects->count];
    return (size_t)snprintf(line, TRAITS + 2, defect->unit ? "fault=%s@%s:%u\n" : "fault=%s\n",
                            defect->name, defect->unit, seed / 500 % 12 + 1);
}

/* Some of the time the device gets another defect, and loses those that it had. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed)
{
    char line[TRAITS + 2];
    const uint8_t *end = size > 2 && *data & HAS_TRAITS ? memchr(data + 2, '\n', size - 2) : NULL;
    size_t from = end ? (size_t)(end - data) + 1 : 2, length;

    if (size < 2 || seed % 4)
        return LLVMFuzzerMutate(data, size, max);
    length = any_trait(&kinds[(*data & ~HAS_TRAITS) % KINDS], seed / 4, line);
    if (size - from > max - 2 - length)
        return LLVMFuzzerMutate(data, size, max);
    memmove(data + 2 + length, data + from, size - from);
    memcpy(data + 2, line, length);
    *data |= HAS_TRAITS;
    return 2 + length + size - from;
}
