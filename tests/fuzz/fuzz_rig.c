/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rig files. A mistake has its place and a sentence; a rig that is taken can be written, read back
 * and written again as the same, its emulated addresses can be made up, and what it says of the
 * software of devices is a plan to ask for it.
 *
 * Covers: rigs/rig/tree.c rigs/rig/fill.c rigs/rig/load.c rigs/rig/check.c
 * Covers: rigs/rig/check_pins.c rigs/rig/check_sensors.c rigs/rig/check_shuffler.c
 * Covers: rigs/rig/check_table.c rigs/rig/check_script.c rigs/rig/rig.c rigs/rig/write.c
 * Covers: rigs/rig/identity.c rigs/authenticate/rig.c
 * Seeds: tests/failing .yaml
 * Seeds: tests/kernel .yaml
 * Seeds: tests/devices/scripts .yaml
 * Seeds: rigs .tree
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rigs/authenticate/rig.h"
#include "rigs/recording/paytables.h"
#include "rigs/rig/rig.h"
#include "rigs/rig/tree.h"
#include "rigs/rig/write.h"
#include "tests/fuzz/fuzz.h"

static char *written(const struct rig *rig, const struct game *game, size_t *size)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, size);

    FUZZ_MUST(out);
    rig_write(rig, game, out);
    fclose(out);
    return text;
}

static void write_again(const struct rig *rig)
{
    struct error error = {.text = ""};
    struct rig *again = NULL;
    size_t size, length;
    char *first = written(rig, NULL, &size), *second;

    /* What is asked of all devices together may be in fields that are not written. */
    if (!rig_parse(&again, "fuzz.yaml", first, size, &error)) {
        second = written(again, NULL, &length);
        FUZZ_MUST(size == length && !memcmp(first, second, size));
        free(second);
        rig_free(again);
    }
    free(first);
}

/* With a key of a seed, and with one of the kernel. */
static void plan(const struct rig *rig, const struct rig_authenticate *wanted)
{
    static const uint64_t seed = 7;
    const uint64_t *const seeds[] = {&seed, NULL};
    struct authenticate_setup setup;
    struct error error = {.text = ""};

    for (unsigned i = 0; i < 2; i++) {
        if (authenticate_setup(&setup, rig, wanted, seeds[i], &error))
            FUZZ_MUST(error.code == ERROR_CONFIG && error.text[0]);
        else
            authenticate_setup_free(&setup);
    }
}

static void look_at(const struct rig *rig, const struct rig_device *device)
{
    static const struct wire_identity identity = {.model = "DP-1", .firmware = "1.2.0"};
    char address[LINK_ADDRESS_MAX], text[RIG_IDENTITY_TEXT];
    struct error error;

    if (!device)
        return;
    rig_address(device->address, device->fault, 7, address, &error);
    rig_is_emulated(device->address);
    rig_address("emu:shuffler?seed=1", device->address, 7, address, &error);
    for (unsigned class = 0; class < DEVICE_CLASSES; class ++)
        rig_knows_cards(class, device);
    rig_place_error(rig, &device->place, "it", &error);
    if (device->authenticate)
        plan(rig, device->authenticate);
    for (unsigned i = 0; device->identity && i < RIG_IDENTITY_FIELDS; i++) {
        rig_identity_wanted(device->identity, i);
        rig_identity_text(&identity, i, text);
        rig_identity_fits(device->identity, i, &identity);
    }
}

/* With a game there are comments that list what it has. */
static void look_at_table(const struct rig *rig)
{
    struct paytables *set = NULL;
    struct error error = {.text = ""};
    const struct game *game;
    size_t size;

    for (size_t i = 0; (game = game_at(i)); i++)
        free(written(rig, game, &size));
    if (rig_paytables(rig, &set, &error))
        FUZZ_MUST(error.text[0]);
    paytables_free(set);
}

/* A text of somebody else's, which must not name files of this machine. */
static void parse_alone(const uint8_t *data, size_t size)
{
    struct error error = {.text = ""};
    struct rig *rig;

    if (rig_parse_alone(&rig, "fuzz.yaml", (const char *)data, size, &error))
        FUZZ_MUST(!rig && error.text[0]);
    rig_free(rig);
}

/* From a file, where what it names beside itself is not there. */
static void load(const uint8_t *data, size_t size)
{
    struct fuzz_file file = fuzz_file(data, size);
    struct error error = {.text = ""};
    struct rig *rig;

    if (rig_load(&rig, file.path, &error))
        FUZZ_MUST(!rig && error.text[0]);
    rig_free(rig);
    fuzz_file_close(&file);
}

/* What is no file, or has no name for one, is refused. */
static void load_others(void)
{
    char longest[2 * RIG_PATH_MAX];
    struct error error = {.text = ""};
    struct rig *rig;

    memset(longest, 'a', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    tree_free(NULL);
    FUZZ_MUST(rig_load(&rig, "/", &error) == ERROR_CONFIG && !rig);
    FUZZ_MUST(rig_load(&rig, "/proc/none", &error) == ERROR_CONFIG && !rig);
    FUZZ_MUST(rig_parse(&rig, longest, "", 0, &error) == ERROR_CONFIG && !rig);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct error error = {.text = ""};
    struct rig *rig = NULL;
    int status = rig_parse(&rig, "fuzz.yaml", (const char *)data, size, &error);

    load(data, size);
    load_others();
    parse_alone(data, size);
    FUZZ_MUST(!status == (rig != NULL));
    FUZZ_MUST(!status || (status == ERROR_CONFIG && error.code == ERROR_CONFIG && error.text[0]));
    if (rig) {
        FUZZ_MUST(rig->text_size == size && !memcmp(rig->text, data, size));
        for (unsigned class = 0; class < DEVICE_CLASSES; class ++)
            look_at(rig, rig_device(rig, class));
        rig_asks(rig);
        look_at_table(rig);
        write_again(rig);
        rig_free(rig);
    }
    return 0;
}

FUZZ_WORDS
