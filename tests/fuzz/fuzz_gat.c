/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * GAT. The first byte says what the rest is: bytes for the frame decoder, which must find what a
 * plain reader finds however they are cut; a document of either kind, a file of approved digests, a
 * key or settings, which are read within their bounds or refused with a sentence; what a device
 * answers, question by question, raw or in frames whose check is right, while it is asked what its
 * software comes to: that ends, with a result that holds together or a sentence; or questions to
 * the model of such a device, which says whole frames alone, and ends.
 *
 * Covers: devices/gat/frame.c devices/gat/document.c devices/gat/host.c devices/gat/key.c
 * Covers: devices/gat/settings.c devices/gat/model.c devices/gat/model_answer.c
 * Covers: devices/gat/model_options.c rigs/authenticate/authenticate.c
 * Covers: rigs/authenticate/approved.c
 */
#include <stdlib.h>
#include <string.h>

#include "devices/gat/model.h"
#include "devices/model.h"
#include "hal/link/model.h"
#include "rigs/authenticate/authenticate.h"
#include "tests/fuzz/fuzz.h"

/* The length of a frame that stands there; 0: it is none; -1: its end is not there. */
static int plain_length(const uint8_t *bytes, size_t left)
{
    if (left < 2)
        return -1;
    if (bytes[1] < GAT_FRAME_MIN)
        return 0;
    if (left < bytes[1])
        return -1;
    return gat_crc(bytes, bytes[1] - 2u) == (bytes[bytes[1] - 2] << 8 | bytes[bytes[1] - 1])
               ? bytes[1]
               : 0;
}

static void try_frames(struct fuzz_input *input)
{
    uint8_t piece = fuzz_byte(input);
    struct gat_decoder decoder = {.used = 0};
    size_t at = 0, whole = 0, size;
    const uint8_t *bytes = fuzz_take(input, SIZE_MAX, &size);
    int length;

    while (at < size) {
        size_t count = piece && piece < size - at ? piece : size - at, taken;
        struct gat_frame frame;
        uint8_t again[GAT_FRAME_MAX];

        if (gat_decode(&decoder, bytes + at, count, &taken, &frame) == GAT_READY) {
            length = plain_length(bytes + whole, size - whole);
            FUZZ_MUST(length > 0 && at + taken == whole + (size_t)length);
            FUZZ_MUST(gat_encode(&frame, GAT_HIGH_FIRST, again) == (size_t)length);
            FUZZ_MUST(!memcmp(again, bytes + whole, (size_t)length));
            FUZZ_MUST(!gat_command_name(frame.command) || *gat_command_name(frame.command));
            whole += (size_t)length;
        }
        at += taken;
        if (decoder.is_deaf)
            break;
    }
    length = whole < size ? plain_length(bytes + whole, size - whole) : -1;
    FUZZ_MUST(length <= 0 && (length == 0) == decoder.is_deaf);
    gat_silence(&decoder);
    gat_reject_text(decoder.reason);
    FUZZ_MUST(!decoder.used && !decoder.is_deaf);
}

static void check_error(int status, const struct error *error)
{
    FUZZ_MUST(!status || (status == ERROR_DEVICE && *error->text));
}

static void try_functions(const struct fuzz_input *input)
{
    struct gat_functions *functions = malloc(sizeof *functions);
    struct error error = {.text = ""};
    int status = gat_read_functions(input->at, input->left, functions, &error);

    check_error(status, &error);
    FUZZ_MUST(functions->count <= GAT_FUNCTIONS_MAX);
    for (unsigned i = 0; i < functions->count && !status; i++)
        FUZZ_MUST(*functions->list[i].feature && functions->list[i].count <= GAT_PARAMETERS_MAX);
    free(functions);
}

static void try_components(const struct fuzz_input *input)
{
    struct gat_components *components = malloc(sizeof *components);
    struct error error = {.text = ""};
    int status = gat_read_components(input->at, input->left, components, &error);

    check_error(status, &error);
    FUZZ_MUST(components->count <= GAT_COMPONENTS_MAX);
    for (unsigned i = 0; i < components->count && !status; i++)
        FUZZ_MUST(*components->list[i].name &&
                  strlen(components->list[i].digest) == GAT_DIGEST_SIZE - 1);
    free(components);
}

static int load_approved(const void *text, size_t size, struct approved **approved,
                         struct error *error)
{
    struct fuzz_file file = fuzz_file(text, size);
    int status = approved_load(file.path, approved, error);

    FUZZ_MUST(!status || approved_load(file.path, approved, NULL) == status);
    fuzz_file_close(&file);
    return status;
}

static void try_approved(const struct fuzz_input *input)
{
    struct approved *approved;
    struct error error = {.text = ""};
    int status = load_approved(input->at, input->left, &approved, &error);

    FUZZ_MUST(!status || (status == ERROR_CONFIG && *error.text));
    FUZZ_MUST(!status == !!approved);
    for (unsigned i = 0; approved && i < approved->count; i++) {
        FUZZ_MUST(strlen(approved->list[i].digest) == GAT_DIGEST_SIZE - 1);
        FUZZ_MUST(approved_find(approved, approved->list[i].name) == &approved->list[i]);
    }
    approved_free(approved);
}

/* A key, or settings, which are the same when they are read as they are written. */
static void try_texts(const struct fuzz_input *input)
{
    char *text = fuzz_text(input), written[GAT_SETTINGS_SIZE], again[GAT_SETTINGS_SIZE];
    struct gat_settings settings = gat_standard, other = gat_standard;
    struct gat_key key, same;
    struct error error = {.text = ""};

    if (!gat_key_text(&key, text, &error))
        FUZZ_MUST(key.size && key.size <= GAT_KEY_MAX && gat_key_same(&key, &key));
    else
        FUZZ_MUST(error.code == ERROR_CONFIG && *error.text);
    if (input->left >= GAT_KEY_RANDOM) {
        gat_key_random(&key, input->at, true);
        FUZZ_MUST(key.size == GAT_KEY_RANDOM && !memcmp(key.bytes, input->at, key.size));
        gat_key_random(&key, input->at, false);
        FUZZ_MUST(key.size == 2 * GAT_KEY_RANDOM);
    }
    if (!gat_key_hex(&key, text, &error))
        FUZZ_MUST(!gat_key_hex(&same, key.text, &error) && gat_key_same(&key, &same));
    if (!gat_settings_read(&settings, text, &error)) {
        gat_settings_text(&settings, written);
        FUZZ_MUST(!gat_settings_read(&other, written, &error));
        FUZZ_MUST(!strcmp(written, gat_settings_text(&other, again)));
    }
    free(text);
}

/* A device that answers each question with the next piece of the input. */
struct stranger {
    struct model model;
    struct fuzz_input *input;
    uint8_t out[2 * GAT_FRAME_MAX];
    size_t at, end;
    nanos_t due;
};

static struct stranger *stranger_of(struct model *model)
{
    return (struct stranger *)model;
}

/*
 * Bits 0 and 1: a frame whose command and check are right, one with a command of its own, raw
 * bytes, or silence. The other bits: when, in units of 4 ms.
 */
static void stranger_receive(struct model *model, const uint8_t *bytes, size_t count, nanos_t now)
{
    struct stranger *stranger = stranger_of(model);
    uint8_t how = fuzz_byte(stranger->input);
    struct gat_frame frame = {.command = (count ? bytes[0] : 0) | GAT_REPLY};
    const uint8_t *data;
    size_t size;

    stranger->at = stranger->end = 0;
    if (!stranger->input->left || (how & 3) == 3)
        return;
    if ((how & 3) == 1)
        frame.command = fuzz_byte(stranger->input);
    data = fuzz_take(stranger->input, fuzz_byte(stranger->input) % (GAT_DATA_MAX + 1), &size);
    if ((how & 3) == 2) {
        memcpy(stranger->out, data, size);
        stranger->end = size;
    } else {
        frame.size = (uint8_t)size;
        memcpy(frame.data, data, size);
        stranger->end = gat_encode(&frame, GAT_HIGH_FIRST, stranger->out);
    }
    stranger->due = now + (how >> 2) * 4 * NANOS_PER_MILLI;
}

static size_t stranger_send(struct model *model, uint8_t *bytes, size_t size, nanos_t now)
{
    struct stranger *stranger = stranger_of(model);
    size_t count = now >= stranger->due ? stranger->end - stranger->at : 0;

    if (count > size)
        count = size;
    memcpy(bytes, stranger->out + stranger->at, count);
    stranger->at += count;
    return count;
}

static nanos_t stranger_due(struct model *model)
{
    const struct stranger *stranger = stranger_of(model);

    return stranger->at < stranger->end ? stranger->due : NEVER;
}

static void stranger_free(struct model *model)
{
    (void)model;
}

static struct model *make(void *context, const char *name, const char *options, struct error *error)
{
    (void)name;
    (void)options;
    (void)error;
    return context;
}

static const char approved_text[] =
    "{\"approved\":1,\"algorithm\":\"hmac-sha1\",\"key\":\"Jefe\",\"by\":\"lab\"}\n"
    "{\"component\":\"ui\",\"version\":\"1\","
    "\"digest\":\"effcdf6ae5eb2fa2d27416d5f184df9c259a7c79\"}\n"
    "{\"component\":\"os\",\"digest\":\"00000000000000000000000000000000000000ff\"}\n";

static void told(void *context, const struct gat_progress *progress)
{
    (void)context;
    FUZZ_MUST(progress->request && progress->since >= 0);
}

/* Bits: two components, strict, two tries, IACR, what is approved, an image, no key, a mistake. */
static void ask(struct link *link, uint8_t how)
{
    static const char *const components[] = {"ui", "nxp"};
    static const struct gat_key key = {.text = "Jefe", .bytes = "Jefe", .size = 4};
    static const struct gat_key other = {.text = "Jeff", .bytes = "Jeff", .size = 4};
    struct fuzz_file file = fuzz_file("what do ya want for nothing?", 28);
    struct authenticate_image image = {.name = "ui", .path = file.path};
    struct authenticate_plan plan = {.settings = gat_standard, .fresh = &key};
    struct authenticate_result *result = malloc(sizeof *result);
    struct error error = {.text = ""};
    struct approved *approved = NULL;
    int status;

    if (how & 0x10)
        FUZZ_MUST(!load_approved(approved_text, strlen(approved_text), &approved, &error));
    plan.approved = approved;
    plan.images = &image;
    plan.image_count = how & 0x20 ? 1 : 0;
    plan.key = how & 0x40 ? NULL : &key;
    plan.components = components;
    plan.component_count = how & 1 ? 2 : 0;
    plan.settings.refuses_reserved = how & 2;
    plan.settings.tries = how & 4 ? 2 : 1;
    plan.settings.iacr = how & 8 ? 0 : -1;
    plan.settings.is_utf8 = how & 8;
    plan.settings.baud = how & 8 ? 9600 : -1;
    plan.listener.told = told;
    if (how & 0x80) {
        plan.key = &other;
        image.name = "os";
        plan.settings.key_is_hex = how & 2;
        FUZZ_MUST(authenticate_check(&plan, &error) == 0 ||
                  (error.code == ERROR_CONFIG && *error.text));
        image.path = "/nowhere";
    } else {
        FUZZ_MUST(!authenticate_check(&plan, &error));
    }
    FUZZ_MUST(authenticate_needs_key(&plan) == (!plan.key && (!approved || plan.image_count)));
    status = authenticate(link, &plan, result, &error);
    FUZZ_MUST(!status ||
              ((status == ERROR_DEVICE || status == ERROR_TIMEOUT || status == ERROR_CONFIG) &&
               *error.text));
    FUZZ_MUST(result->row_count <= AUTHENTICATE_ROWS_MAX && result->wrong <= result->row_count);
    for (unsigned i = 0; i < result->row_count; i++) {
        const struct authenticate_row *row = &result->rows[i];

        FUZZ_MUST(!*row->digest == (row->outcome == AUTHENTICATE_MISSING));
        FUZZ_MUST(*authenticate_outcome_name(row->outcome));
        authenticate_row_why(row);
    }
    approved_free(approved);
    fuzz_file_close(&file);
    free(result);
}

static void try_host(struct fuzz_input *input)
{
    static const struct model_ops ops = {.receive = stranger_receive,
                                         .send = stranger_send,
                                         .due = stranger_due,
                                         .free = stranger_free};
    struct stranger stranger = {.model.ops = &ops, .input = input};
    uint8_t how = fuzz_byte(input);
    struct clock clock;
    struct link *link;
    struct hal hal;

    clock_virtual(&clock, 0);
    FUZZ_MUST(!hal_open(&hal, &clock, NULL));
    hal.make_model = make;
    hal.model_context = &stranger;
    FUZZ_MUST(!link_open(&link, &hal, "emu:stranger", NULL));
    ask(link, how);
    link_close(link);
    hal_close(&hal);
}

/* All that the model has to say in the next ten minutes; what has no fault says frames. */
static void listen(struct model *model, nanos_t *now, bool is_sound, enum gat_order order)
{
    struct gat_decoder decoder = {.order = order};
    struct gat_frame frame;
    uint8_t bytes[GAT_FRAME_MAX];
    nanos_t due;

    while (!model->gone && (due = model->ops->due(model)) < *now + 600 * NANOS_PER_SECOND) {
        size_t count, taken;

        *now = due > *now ? due : *now;
        count = model->ops->send(model, bytes, sizeof bytes, *now);
        FUZZ_MUST(count && count <= sizeof bytes);
        FUZZ_MUST(!is_sound || gat_decode(&decoder, bytes, count, &taken, &frame) == GAT_READY);
        FUZZ_MUST(!is_sound || taken == count);
    }
}

/*
 * The options of the model, then deeds. Bits 0 to 2: the command, or bytes that are no frame, or
 * the power goes; bit 3: the other order of the check. The other bits: the time that passes.
 */
static void try_model(struct fuzz_input *input)
{
    size_t size;
    const uint8_t *said = fuzz_take(input, fuzz_byte(input), &size);
    char *options = fuzz_text(&(struct fuzz_input){said, size});
    const char *fault = strstr(options, "fault=");
    bool is_sound = !fault;
    struct error error = {.text = ""};
    struct model *model = gat_model_new(options, &error);
    enum gat_order order = model ? ((struct gat_model *)model)->settings.order : GAT_HIGH_FIRST;
    nanos_t now = NANOS_PER_SECOND;

    FUZZ_MUST(model || (error.code == ERROR_CONFIG && *error.text));
    /* One that it has, or gets, more than once. */
    if (model && fault)
        model_kind_find("gat", NULL)->fault(model, fault + strlen("fault="), &error);
    while (model && input->left && !model->gone) {
        uint8_t deed = fuzz_byte(input), bytes[GAT_FRAME_MAX];
        struct gat_frame frame = {.command = deed & 7};

        said = fuzz_take(input, deed & 6 ? fuzz_byte(input) % (GAT_DATA_MAX + 1) : 0, &size);
        frame.size = (uint8_t)size;
        memcpy(frame.data, said, size);
        now += (deed >> 4) * NANOS_PER_SECOND;
        if (frame.command == 6)
            model->ops->receive(model, said, size, now);
        else if (frame.command == 7)
            model_kind_find("gat", NULL)->power_cycle(model, now);
        else
            model->ops->receive(model, bytes, gat_encode(&frame, deed & 8 ? !order : order, bytes),
                                now);
        listen(model, &now, is_sound, order);
    }
    if (model) {
        model_kind_find("gat", NULL)->has_shown(model);
        model->ops->free(model);
    }
    free(options);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input input = {data, size};

    switch (fuzz_byte(&input) & 7) {
    case 0:
        try_frames(&input);
        break;
    case 1:
        try_functions(&input);
        break;
    case 2:
        try_components(&input);
        break;
    case 4:
        try_approved(&input);
        break;
    case 5:
        try_texts(&input);
        break;
    case 6:
        try_model(&input);
        break;
    default:
        try_host(&input);
    }
    return 0;
}
