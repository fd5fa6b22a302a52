/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Scripts in their box: an input is the text of one. Loading it ends, within its steps and memory,
 * with a table or a sentence. One that can be loaded and has a model of its own is tried against
 * the contract of its class, twice with the same outcome.
 *
 * Covers: devices/scripts/box.c devices/scripts/bytes.c devices/scripts/delimited.c
 * Covers: devices/scripts/heap.c devices/scripts/library.c devices/scripts/load.c
 * Covers: devices/scripts/pattern.c devices/scripts/strings.c devices/scripts/functions.c
 * Covers: devices/scripts/timers.c devices/scripts/values.c
 * Seeds: devices/scripts/examples .lua
 */
#include <stdlib.h>
#include <string.h>

#include "devices/scripts/contract.h"
#include "devices/scripts/script.h"
#include "tests/fuzz/fuzz.h"

static void told(void *context, const char *rule, enum contract_outcome outcome, const char *why)
{
    (void)context;
    FUZZ_MUST(*rule && outcome < CONTRACT_OUTCOMES && (outcome == CONTRACT_HOLDS) == !why);
}

static void printed(void *context, const char *line)
{
    (void)context;
    (void)line;
}

static int try(const char *path, const char *model, struct contract *contract)
{
    struct error error = {.text = ""};
    int status;

    *contract = (struct contract){
        .path = path, .model = model, .options = "", .seed = 1, .told = told, .printed = printed};
    status = contract_try(contract, &error);
    FUZZ_MUST(!status || error.text[0]);
    return status;
}

/* What a rig asks of a script before it is opened; it is of one class at most. */
static void inspect(const char *path, const struct script_class *class)
{
    static const struct script_class *const classes[] = {&script_shoe, &script_shuffler};

    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++) {
        const struct device_connection connection = {.script = path, .seed = 1};
        struct error error = {.text = ""};
        unsigned capabilities;
        int status = script_inspect(classes[i], &connection, &capabilities, &error);

        FUZZ_MUST(status ? error.text[0] != 0 : classes[i] == class);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_file file = fuzz_file(data, size);
    struct script *script = calloc(1, sizeof *script);
    struct error error = {.text = ""};
    struct contract one, two;
    int status;

    FUZZ_MUST(script);
    status = script_load(script, NULL, file.path, 1, &error);
    FUZZ_MUST(!status || (status == (int)error.code && error.text[0]));
    if (!status) {
        bool is_shoe = script->class == &script_shoe;

        inspect(file.path, script->class);
        script_close(script);
        status = try(file.path, NULL, &one);
        if (status)
            try(file.path, is_shoe ? "emu:angel-eye?draw=700,refill=2000" : "emu:shuffler", &one);
        else
            FUZZ_MUST(!try(file.path, NULL, &two) &&
                      !memcmp(one.counts, two.counts, sizeof one.counts));
    }
    free(script);
    fuzz_file_close(&file);
    return 0;
}

FUZZ_WORDS
