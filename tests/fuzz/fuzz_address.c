/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Addresses and options as people write them. An input is a line: an address of a link, or of pins,
 * on a bench in virtual time with every model, none of whose schemes reaches anything real here;
 * and the options of a driver.
 *
 * Covers: hal/link/emu.c devices/wire/options.c devices/wire/defects.c devices/options.c
 * Covers: devices/shoe/options.c
 */
#include <stdlib.h>
#include <string.h>

#include "devices/device.h"
#include "devices/model.h"
#include "devices/wire/frame.h"
#include "devices/wire/wire.h"
#include "hal/link/link.h"
#include "hal/pins/pins.h"
#include "tests/fuzz/fuzz.h"

/* Schemes whose open() would look at this machine or its network: their texts stay unopened. */
static bool is_safe(const char *address)
{
    return !link_backend_of(address) || !strncmp(address, "emu:", 4) ||
           !strncmp(address, "serial:/proc/none/", 18);
}

static void open_link(struct hal *hal, const char *address)
{
    struct error error = {.text = ""};
    struct link *link = NULL;
    uint8_t bytes[FRAME_ENCODED_MAX];
    struct frame hello;
    int status;

    if (!is_safe(address))
        return;
    status = link_open(&link, hal, address, &error);
    FUZZ_MUST(!status == (link != NULL));
    FUZZ_MUST(!status || error.text[0]);
    for (uint8_t class = 0; link && class < 6; class ++) {
        frame_begin(&hello, class, WIRE_HELLO, 1);
        hello.size = WIRE_NONCE_SIZE;
        memset(hello.payload, class, WIRE_NONCE_SIZE);
        link_write(link, bytes, frame_encode(&hello, bytes), clock_now(hal->clock), &error);
        link_read(link, bytes, sizeof bytes, clock_now(hal->clock) + NANOS_PER_SECOND, &error);
    }
    if (link) {
        hal_cancel(hal);
        FUZZ_MUST(link_read(link, bytes, sizeof bytes, NEVER, &error) == ERROR_ABORTED);
        hal_resume(hal);
    }
    link_close(link);
}

static void check_options(const char *text)
{
    const struct device_driver *driver;
    struct error error = {.text = ""};

    for (size_t i = 0; (driver = device_driver_at(i)); i++)
        if (device_check_options(driver, text, &error))
            FUZZ_MUST(error.text[0]);
    device_has_option(text, "seed", "7");
}

static void make_models(const char *text)
{
    const struct model_kind *kind;
    struct error error;

    for (size_t i = 0; (kind = model_kind_at(i)); i++) {
        struct model *model = kind->make ? kind->make(text, &error) : NULL;

        FUZZ_MUST(model || !kind->make || error.text[0]);
        if (model && kind->fault)
            kind->fault(model, text, &error);
        if (model && kind->has_shown)
            kind->has_shown(model);
        if (model)
            model->ops->free(model);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input input = {data, size};
    char *text = fuzz_text(&input);
    struct clock clock;
    struct hal hal;
    struct error error;
    size_t length = strcspn(text, "\n");

    clock_virtual(&clock, 0);
    FUZZ_MUST(!hal_open(&hal, &clock, &error));
    hal.make_model = model_make;
    text[length] = '\0';
    open_link(&hal, text);
    make_models(text);
    check_options(text);
    hal_close(&hal);
    free(text);
    return 0;
}

FUZZ_WORDS
