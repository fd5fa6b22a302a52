#include "devices/shuffler/open/model.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "devices/shuffler/open/machine.h"

struct shuffler_model {
    struct model model;
    struct machine machine;
    struct wire_identity identity;
    uint64_t frames; /* of the host */
};

static struct machine *machine_of(struct model *model)
{
    return &((struct shuffler_model *)model)->machine;
}

static void model_receive(struct model *model, const uint8_t *bytes, size_t count, nanos_t now)
{
    struct shuffler_model *shuffler = (struct shuffler_model *)model;
    struct machine *machine = &shuffler->machine;
    struct shuffler_defect *unplug;
    uint64_t before;

    machine_step(machine, now);
    if (machine->is_off)
        return;
    before = machine->peer.decoder.frames;
    peer_receive(&machine->peer, bytes, count, now);
    shuffler->frames += machine->peer.decoder.frames - before;
    unplug = machine_defect(machine, DEFECT_UNPLUG, 1, (unsigned)shuffler->frames);
    if (unplug)
        unplug->shown = model->gone = true;
}

static size_t model_send(struct model *model, uint8_t *bytes, size_t size, nanos_t now)
{
    struct machine *machine = machine_of(model);

    machine_step(machine, now);
    return machine->is_off ? 0 : peer_send(&machine->peer, bytes, size, now);
}

static nanos_t model_due(struct model *model)
{
    const struct machine *machine = machine_of(model);
    nanos_t speaks = machine->is_off ? NEVER : peer_due(&machine->peer);

    return speaks < machine->due ? speaks : machine->due;
}

static void model_free(struct model *model)
{
    free(machine_of(model)->recording);
    free(model);
}

static int add_defect(struct machine *machine, const char *spec, size_t length, struct error *error)
{
    struct shuffler_defect defect;
    int result = shuffler_defect_parse(spec, length, &defect, error);

    if (result)
        return result;
    if (machine->defect_count == SHUFFLER_DEFECTS_MAX)
        return error_set(error, ERROR_CONFIG, "'%.*s' is one fault too many: a model takes %d",
                         (int)length, spec, SHUFFLER_DEFECTS_MAX);
    machine->defects[machine->defect_count++] = defect;
    return 0;
}

static int read_number(const char *key, const char *text, size_t length, uint64_t most,
                       uint64_t *number, struct error *error)
{
    uint64_t value = 0;
    bool fits = length > 0;

    for (size_t i = 0; i < length && fits; i++) {
        fits = isdigit((unsigned char)text[i]) && !__builtin_mul_overflow(value, 10, &value) &&
               !__builtin_add_overflow(value, (uint64_t)(text[i] - '0'), &value) && value <= most;
    }
    if (!fits)
        return error_set(error, ERROR_CONFIG, "%s=%.*s: write a whole number from 0 to %llu", key,
                         (int)length, text, (unsigned long long)most);
    *number = value;
    return 0;
}

static int read_millis(const char *key, const char *text, size_t length, nanos_t *nanos,
                       struct error *error)
{
    uint64_t millis;
    int result = read_number(key, text, length, 24 * 3600 * 1000, &millis, error);

    if (!result)
        *nanos = (nanos_t)millis * NANOS_PER_MILLI;
    return result;
}

/* How long a shuffle takes, or by which method it goes. */
static int read_shuffle(struct machine *machine, const char *text, size_t length,
                        struct error *error)
{
    if (length && isalpha((unsigned char)*text))
        return shuffle_method_parse(text, length, &machine->memory.how.method, error);
    return read_millis("shuffle", text, length, &machine->shuffle_time, error);
}

static int read_serial(const char *text, size_t length, char serial[WIRE_TEXT_MAX + 1],
                       struct error *error)
{
    bool fits = length > 0 && length <= WIRE_TEXT_MAX;

    for (size_t i = 0; i < length && fits; i++)
        fits = isprint((unsigned char)text[i]);
    if (!fits)
        return error_set(error, ERROR_CONFIG, "serial=%.*s: write 1 to %d printable characters",
                         (int)length, text, WIRE_TEXT_MAX);
    memcpy(serial, text, length);
    serial[length] = '\0';
    return 0;
}

static int read_option(struct shuffler_model *shuffler, const char *option, size_t length,
                       struct error *error)
{
    struct machine *machine = &shuffler->machine;
    const char *equals = memchr(option, '=', length);
    const char *value = equals ? equals + 1 : option;
    size_t key = equals ? (size_t)(equals - option) : 0;
    size_t size = length - (size_t)(value - option);
    uint64_t seed;
    int result;

    if (key == 4 && !memcmp(option, "seed", key)) {
        result = read_number("seed", value, size, UINT64_MAX, &seed, error);
        if (!result)
            shuffle_start(&machine->memory.how, machine->memory.how.method, seed);
        return result;
    }
    if (key == 7 && !memcmp(option, "shuffle", key))
        return read_shuffle(machine, value, size, error);
    if (key == 4 && !memcmp(option, "deal", key))
        return read_millis("deal", value, size, &machine->deal_time, error);
    if (key == 4 && !memcmp(option, "take", key))
        return read_millis("take", value, size, &machine->take_time, error);
    if (key == 6 && !memcmp(option, "serial", key))
        return read_serial(value, size, shuffler->identity.serial, error);
    if (key == 5 && !memcmp(option, "fault", key))
        return add_defect(machine, value, size, error);
    return error_set(
        error, ERROR_CONFIG,
        "'%.*s' is no option of a shuffler: it has seed=N, shuffle=MS, shuffle=METHOD, "
        "deal=MS, take=MS, serial=TEXT and fault=SPEC",
        (int)length, option);
}

static int read_options(struct shuffler_model *shuffler, const char *options, struct error *error)
{
    int result = 0;

    while (*options && !result) {
        size_t length = strcspn(options, ",");

        result = read_option(shuffler, options, length, error);
        options += length + (options[length] == ',');
    }
    return result;
}

static void machine_init(struct machine *machine, const struct wire_identity *identity)
{
    machine->memory.state = SHUFFLER_IDLE;
    for (unsigned i = 0; i < DECK_SIZE; i++)
        machine->memory.deck[i] = card_from_index(i);
    shuffle_start(&machine->memory.how, (struct shuffle_method){SHUFFLE_UNIFORM, 0}, 1);
    machine->due = NEVER;
    machine->shuffle_time = 20 * NANOS_PER_SECOND;
    machine->deal_time = 300 * NANOS_PER_MILLI;
    machine->take_time = 500 * NANOS_PER_MILLI;
    peer_init(&machine->peer, &machine_peer_ops, machine, FRAME_SHUFFLER, identity);
}

struct model *shuffler_model_new(const char *options, struct error *error)
{
    static const struct model_ops ops = {
        .receive = model_receive, .send = model_send, .due = model_due, .free = model_free};
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
    if (read_options(shuffler, options, error)) {
        free(shuffler);
        return NULL;
    }
    return &shuffler->model;
}

int shuffler_model_fault(struct model *model, const char *spec, struct error *error)
{
    return add_defect(machine_of(model), spec, strlen(spec), error);
}

bool shuffler_model_has_shown(const struct model *model)
{
    const struct machine *machine = &((const struct shuffler_model *)model)->machine;

    for (unsigned i = 0; i < machine->defect_count; i++)
        if (machine->defects[i].shown)
            return true;
    return false;
}

/* The rest of the deck, in an order that the seed decides. */
static void complete_order(struct machine *machine, card_t order[DECK_SIZE], size_t count)
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
    struct machine *machine = machine_of(model);
    card_t(*recording)[DECK_SIZE];

    if (count > DECK_SIZE || !machine_is_part_of_deck(top, count))
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
    machine_set_test_mode(machine, true, now);
    return 0;
}

void shuffler_model_power_cycle(struct model *model, nanos_t now)
{
    struct machine *machine = machine_of(model);

    machine_step(machine, now);
    machine_power_off(machine, now);
    machine_step(machine, now);
}

bool shuffler_model_take(struct model *model, nanos_t now)
{
    struct machine *machine = machine_of(model);

    machine_step(machine, now);
    if (machine->is_off || machine->memory.state != SHUFFLER_PRESENT)
        return false;
    machine_take(machine, now);
    return true;
}

unsigned shuffler_model_press(struct model *model, nanos_t now)
{
    struct machine *machine = machine_of(model);

    machine_step(machine, now);
    return machine->is_off ? REFUSED_BUSY : machine_press(machine, true, now);
}
