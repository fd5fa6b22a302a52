/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/shuffler/open/model.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "devices/model.h"
#include "devices/shuffler/open/machine.h"
#include "devices/wire/options.h"

struct shuffler_model {
    struct model model;
    struct shuffler_machine machine;
    struct wire_identity identity;
    uint64_t frames; /* of the host */
};

static struct shuffler_machine *machine_of(struct model *model)
{
    return &((struct shuffler_model *)model)->machine;
}

static void model_receive(struct model *model, const uint8_t *bytes, size_t count, nanos_t now)
{
    struct shuffler_model *shuffler = (struct shuffler_model *)model;
    struct shuffler_machine *machine = &shuffler->machine;
    uint64_t before;

    shuffler_machine_step(machine, now);
    if (machine->is_off)
        return;
    before = machine->peer.decoder.frames;
    peer_receive(&machine->peer, bytes, count, now);
    shuffler->frames += machine->peer.decoder.frames - before;
    if (defects_show(&machine->defects, DEFECT_RENAMED, 1, machine->memory.shuffle))
        memcpy(shuffler->identity.serial, "S-18", sizeof "S-18");
    model->gone |= defects_show(&machine->defects, DEFECT_UNPLUG, 1, shuffler->frames);
}

static size_t model_send(struct model *model, uint8_t *bytes, size_t size, nanos_t now)
{
    struct shuffler_machine *machine = machine_of(model);

    shuffler_machine_step(machine, now);
    return machine->is_off ? 0 : peer_send(&machine->peer, bytes, size, now);
}

static nanos_t model_due(struct model *model)
{
    const struct shuffler_machine *machine = machine_of(model);
    nanos_t speaks = machine->is_off ? NEVER : peer_due(&machine->peer);

    return speaks < machine->due ? speaks : machine->due;
}

static void model_unplug(struct model *model, nanos_t now)
{
    (void)now;
    peer_unplug(&((struct shuffler_model *)model)->machine.peer);
}

static void model_free(struct model *model)
{
    free(machine_of(model)->recording);
    free(model);
}

static int read_seed(void *context, const char *value, struct error *error)
{
    struct shuffle *how = &((struct shuffler_model *)context)->machine.memory.how;
    uint64_t seed = 0;
    int status = model_option_number("seed", value, UINT64_MAX, &seed, error);

    if (!status)
        shuffle_start(how, how->method, seed);
    return status;
}

/* How long a shuffle takes, or by which method it goes. */
static int read_shuffle(void *context, const char *value, struct error *error)
{
    struct shuffler_machine *machine = &((struct shuffler_model *)context)->machine;

    if (isalpha((unsigned char)*value))
        return shuffle_method_parse(value, strlen(value), &machine->memory.how.method, error);
    return model_option_millis("shuffle", value, &machine->shuffle_time, error);
}

static int read_deal(void *context, const char *value, struct error *error)
{
    return model_option_millis("deal", value,
                               &((struct shuffler_model *)context)->machine.deal_time, error);
}

static int read_take(void *context, const char *value, struct error *error)
{
    return model_option_millis("take", value,
                               &((struct shuffler_model *)context)->machine.take_time, error);
}

static int read_decks(void *context, const char *value, struct error *error)
{
    struct machine_memory *memory = &((struct shuffler_model *)context)->machine.memory;
    uint64_t decks = 0;
    int status = model_option_number("decks", value, DECKS_MAX, &decks, error);

    if (!status && !decks)
        status = error_set(error, ERROR_CONFIG, "decks=0; a shuffler has 1 or %d", DECKS_MAX);
    memory->decks = (uint8_t)decks;
    return status;
}

static int read_serial(void *context, const char *value, struct error *error)
{
    return model_option_serial(value, ((struct shuffler_model *)context)->identity.serial, error);
}

static int read_fault(void *context, const char *value, struct error *error)
{
    return shuffler_model_fault(context, value, error);
}

static int read_lacks(void *context, const char *value, struct error *error)
{
    return peer_option_lacks(&((struct shuffler_model *)context)->machine.peer, value, error);
}

static int read_protocol(void *context, const char *value, struct error *error)
{
    return peer_option_protocol(&((struct shuffler_model *)context)->machine.peer, value, error);
}

/* So many were made before: a long history. */
static int read_shuffles(void *context, const char *value, struct error *error)
{
    uint64_t shuffles = 0;
    int status = model_option_number("shuffles", value, UINT32_MAX, &shuffles, error);

    ((struct shuffler_model *)context)->machine.memory.shuffle = (uint32_t)shuffles;
    return status;
}

static const struct model_option options[] = {
    {"seed=N", read_seed},
    {"shuffle=MS", read_shuffle},
    {"shuffle=METHOD", read_shuffle},
    {"deal=MS", read_deal},
    {"take=MS", read_take},
    {"decks=N", read_decks},
    {"serial=TEXT", read_serial},
    {"fault=SPEC", read_fault},
    {"protocol=1|2", read_protocol},
    {"lacks=CAPABILITY", read_lacks},
    {"shuffles=N", read_shuffles},
    {NULL, NULL},
};

static void machine_init(struct shuffler_machine *machine, const struct wire_identity *identity)
{
    machine->memory.state = SHUFFLER_IDLE;
    for (unsigned i = 0; i < DECK_SIZE; i++)
        machine->memory.deck[i] = machine->memory.other[i] = card_from_index(i);
    machine->memory.decks = machine->memory.deck_id = 1;
    shuffle_start(&machine->memory.how, (struct shuffle_method){SHUFFLE_UNIFORM, 0}, 1);
    machine->due = NEVER;
    machine->shuffle_time = 20 * NANOS_PER_SECOND;
    machine->deal_time = 300 * NANOS_PER_MILLI;
    machine->take_time = 500 * NANOS_PER_MILLI;
    peer_init(&machine->peer, &shuffler_machine_peer_ops, machine, FRAME_SHUFFLER, identity);
    peer_learn(&machine->peer, WIRE_DRAWS, &machine->defects, DEFECT_PEER);
}

struct model *shuffler_model_new(const char *text, struct error *error)
{
    static const struct model_ops ops = {.receive = model_receive,
                                         .send = model_send,
                                         .due = model_due,
                                         .unplug = model_unplug,
                                         .free = model_free};
    /* The digest is that of "dealproof model of a shuffler, 1.4.2", which is all its firmware. */
    static const struct wire_identity identity = {
        .model = "DP-SHUF1",
        .serial = "S-17",
        .firmware = "1.4.2",
        .digest = {0x46, 0xca, 0xcc, 0x82, 0x04, 0x92, 0xad, 0x58, 0x75, 0x6a, 0x48,
                   0xc6, 0xc2, 0xe4, 0x90, 0x66, 0xe4, 0x64, 0x53, 0x27, 0x2f, 0xb0,
                   0x19, 0x83, 0x66, 0x24, 0xdc, 0x6a, 0x31, 0xfa, 0x4b, 0xda},
    };
    struct shuffler_model *shuffler = calloc(1, sizeof *shuffler);

    if (!shuffler) {
        error_set(error, ERROR_RIG, "no memory for a model of a shuffler");
        return NULL;
    }
    shuffler->model.ops = &ops;
    shuffler->identity = identity;
    machine_init(&shuffler->machine, &shuffler->identity);
    if (model_options_read(options, "a shuffler", text, shuffler, error)) {
        free(shuffler);
        return NULL;
    }
    if (shuffler->machine.memory.decks > 1)
        shuffler->machine.peer.capabilities |= WIRE_TELLS_DECKS;
    return &shuffler->model;
}

int shuffler_model_fault(struct model *model, const char *spec, struct error *error)
{
    return defects_add(&machine_of(model)->defects, &shuffler_defects, spec, error);
}

bool shuffler_model_has_shown(const struct model *model)
{
    return defects_have_shown(&((const struct shuffler_model *)model)->machine.defects);
}

/* The rest of the deck, in an order that the seed decides. */
static void complete_order(struct shuffler_machine *machine, card_t order[DECK_SIZE], size_t count)
{
    uint64_t seen = 0;
    size_t end = count;

    for (size_t i = 0; i < count; i++)
        seen |= UINT64_C(1) << order[i];
    for (unsigned i = 0; i < DECK_SIZE; i++)
        if (!(seen >> card_from_index(i) & 1))
            order[end++] = card_from_index(i);
    shuffle_uniform(order + count, end - count, &machine->memory.how.generator);
}

int shuffler_model_load(struct model *model, const card_t *top, size_t count, nanos_t now,
                        struct error *error)
{
    struct shuffler_machine *machine = machine_of(model);
    card_t(*recording)[DECK_SIZE];

    if (cards_once(top, count) < count)
        return error_set(error, ERROR_CONFIG,
                         "shuffle %zu of the recording: %zu cards that are not each another one "
                         "of a deck",
                         machine->recorded + 1, count);
    recording = realloc(machine->recording, (machine->recorded + 1) * sizeof *recording);
    if (!recording)
        return error_set(error, ERROR_RIG, "no memory for shuffle %zu of the recording",
                         machine->recorded + 1);
    machine->recording = recording;
    memcpy(recording[machine->recorded], top, count);
    complete_order(machine, recording[machine->recorded++], count);
    shuffler_machine_set_test_mode(machine, true, now);
    return 0;
}

void shuffler_model_power_cycle(struct model *model, nanos_t now)
{
    struct shuffler_machine *machine = machine_of(model);

    shuffler_machine_step(machine, now);
    shuffler_machine_power_off(machine, now);
    shuffler_machine_step(machine, now);
}

bool shuffler_model_take(struct model *model, nanos_t now)
{
    struct shuffler_machine *machine = machine_of(model);

    shuffler_machine_step(machine, now);
    if (machine->is_off || machine->memory.state != SHUFFLER_PRESENT)
        return false;
    shuffler_machine_take(machine, now);
    return true;
}

unsigned shuffler_model_press(struct model *model, nanos_t now)
{
    struct shuffler_machine *machine = machine_of(model);

    shuffler_machine_step(machine, now);
    return machine->is_off ? REFUSED_BUSY : shuffler_machine_press(machine, true, now);
}

static uint8_t deck_in(const struct model *model)
{
    const struct machine_memory *memory = &((const struct shuffler_model *)model)->machine.memory;

    return memory->decks > 1 ? memory->deck_id : 0;
}

static uint8_t back_of(const struct model *model, card_t card)
{
    return shuffler_machine_back(&((const struct shuffler_model *)model)->machine, card);
}

static const struct model_kind kind = {
    .name = "shuffler",
    .summary = "one deck or two in turn, deals packets",
    .class = DEVICE_SHUFFLER,
    .driver = "open",
    .options = options,
    .defects = &shuffler_defects,
    .make = shuffler_model_new,
    .fault = shuffler_model_fault,
    .has_shown = shuffler_model_has_shown,
    .power_cycle = shuffler_model_power_cycle,
    .load = shuffler_model_load,
    .deals_packets = true,
    .deck_in = deck_in,
    .back_of = back_of,
    .frame_class = FRAME_SHUFFLER,
    .usb_vendor = MODEL_USB_VENDOR,
    .usb_product = 1,
    .hands = "",
};
REGISTER(device_models, kind);
