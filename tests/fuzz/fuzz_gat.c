/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * GAT from the host's side. The first byte says what the rest is: bytes for the frame decoder,
 * which must find what a plain reader finds however they are cut; a document of either kind, which
 * is read within its bounds or refused with a sentence; or what a device answers, question by
 * question, raw or in frames whose check is right, while it is asked what its software comes to:
 * that ends, with a result that holds together or a sentence.
 *
 * Covers: devices/gat/frame.c devices/gat/document.c devices/gat/host.c
 * Covers: rigs/authenticate/authenticate.c
 */
#include <stdlib.h>
#include <string.h>

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

static void ask(struct link *link, uint8_t how)
{
    static const char *const components[] = {"ui", "nxp"};
    static const struct gat_key key = {.text = "Jefe", .bytes = "Jefe", .size = 4};
    struct authenticate_plan plan = {.settings = gat_standard, .key = &key, .fresh = &key};
    struct authenticate_result *result = malloc(sizeof *result);
    struct error error = {.text = ""};
    int status;

    plan.components = components;
    plan.component_count = how & 1 ? 2 : 0;
    plan.settings.refuses_reserved = how & 2;
    plan.settings.tries = how & 4 ? 2 : 1;
    plan.settings.iacr = how & 8 ? 0 : -1;
    status = authenticate(link, &plan, result, &error);
    FUZZ_MUST(!status ||
              ((status == ERROR_DEVICE || status == ERROR_TIMEOUT || status == ERROR_CONFIG) &&
               *error.text));
    FUZZ_MUST(result->row_count <= AUTHENTICATE_ROWS_MAX);
    for (unsigned i = 0; i < result->row_count; i++)
        FUZZ_MUST(!*result->rows[i].digest == (result->rows[i].outcome == AUTHENTICATE_MISSING));
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input input = {data, size};

    switch (fuzz_byte(&input) & 3) {
    case 0:
        try_frames(&input);
        break;
    case 1:
        try_functions(&input);
        break;
    case 2:
        try_components(&input);
        break;
    default:
        try_host(&input);
    }
    return 0;
}
