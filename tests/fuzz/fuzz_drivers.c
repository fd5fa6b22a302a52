/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every driver, with a caller that asks for anything in any order (tests/fuzz/deeds.h)
 * and an emulated device whose messages are rewritten on the way (tests/fuzz/editor.h). An input
 * names the rig, then how many bytes are edits; the rest are deeds. With the highest bit of the
 * first byte there is one alteration instead of edits (tests/support/lies/alter.h), so that
 * messages are lost or come twice. Every call ends, in time, with an outcome or a sentence, and
 * what is told of an event can be told on.
 *
 * Covers: devices/wire/host_events.c devices/wire/host_greet.c devices/wire/host_read.c
 * Covers: devices/wire/host_request.c devices/wire/log.c devices/wire/wire.c
 * Covers: devices/shuffler/open/driver.c devices/shuffler/open/track.c
 * Covers: devices/shuffler/open/program.c devices/shuffler/shuffler.c devices/shuffler/describe.c
 * Covers: devices/shoe/open/driver.c devices/shoe/angel_eye/driver.c
 * Covers: devices/shoe/angel_eye/report.c devices/shoe/shoe.c devices/shoe/describe.c
 * Covers: devices/sensors/unit/driver.c devices/sensors/unit/bet_unit.c devices/sensors/sensors.c
 * Covers: devices/terminal/open/driver.c devices/terminal/open/reading.c
 * Covers: devices/terminal/terminal.c devices/terminal/approve.c
 * Covers: devices/terminal/describe.c devices/terminal/config.c devices/device.c
 */
#include <stdio.h>
#include <string.h>

#include "tests/fuzz/deeds.h"
#include "tests/fuzz/editor.h"
#include "tests/support/lies/altered_run.h"

#define DEEDS_MAX 120
/* A cable that is torn out is back after a while. */
#define REOPEN  "reopen: {first-ms: 10, longest-ms: 1000, tries: 5}\n"
#define LONGEST (6 * 3600 * NANOS_PER_SECOND)
/* Where version 2 is spoken. */
#define WIDE                                                                                       \
    "  terminal: {address: 'emu:terminal?protocol=2'}\n"                                           \
    "  sensors: {driver: unit, address: 'emu:bet-sensor?protocol=2'}\n"
#define BY_HAND "rig: by hand\nclock: virtual\norder: stack\ndevices:\n"
/* What an input makes of it. */
#define NOISE ", link-fault: {split: 1}}\n"

/* Opened once, and made as new for each input. */
static struct scenery {
    const char *text;
    struct rig *rig;
    struct bench bench;
} sceneries[] = {
    {.text = ALTERED_SHUFFLER("") REOPEN},
    {.text = ALTERED_SHOE("") REOPEN},
    {.text = ALTERED_ANGEL_EYE REOPEN},
    {.text = ALTERED_SCRIPTED_SHUFFLER("") REOPEN},
    {.text = ALTERED_SCRIPTED_ANGEL_EYE REOPEN},
    {.text = ALTERED_HEAD "  shuffler: {address: emu:shuffler" NOISE ALTERED_TABLE REOPEN},
    {.text = ALTERED_HEAD
     "  shoe: {address: 'emu:shoe?draw=700,refill=2000'" NOISE ALTERED_TABLE REOPEN},
    {.text = ALTERED_HEAD "  shoe: {driver: angel-eye, address: "
                          "'emu:angel-eye?draw=700,refill=2000'" NOISE ALTERED_TABLE REOPEN},
    {.text = ALTERED_HEAD "  shuffler: {address: 'emu:shuffler?protocol=2,decks=2'}\n" WIDE REOPEN},
    {.text = ALTERED_HEAD
     "  shoe: {address: 'emu:shoe?draw=700,refill=2000,protocol=2'}\n" WIDE REOPEN},
    /* Drivers that can do less than others; of people nobody is there. */
    {.text = BY_HAND "  shuffler: {driver: hands}\n  terminal: {driver: hands}\n"},
    {.text = BY_HAND "  shoe: {driver: hands}\n  terminal: {driver: hands}\n"},
};

static struct bench *bench_of(uint8_t which)
{
    struct scenery *scenery = &sceneries[which % (sizeof sceneries / sizeof sceneries[0])];
    struct error error;

    if (!scenery->rig) {
        scenery->rig = fuzz_rig(scenery->text);
        FUZZ_MUST(!bench_open(&scenery->bench, scenery->rig, 1, &error));
    }
    return &scenery->bench;
}

/* Looks at every frame, as a run does. */
static void seen(void *context, bool from_device, const struct frame *frame, nanos_t time)
{
    const struct device *device = context;

    (void)time;
    if (!from_device)
        return;
    device_meaningful(device, frame);
    FUZZ_MUST(device_frame_test_mode(device, frame) <= 1);
}

/* So are bytes that are no frame. */
static void dropped(void *context, const uint8_t *bytes, size_t count, nanos_t time)
{
    (void)context;
    (void)bytes;
    FUZZ_MUST(count && time >= 0);
}

static void watch(struct device *device)
{
    struct host *host = device ? device_host(device) : NULL;

    if (!host || !device->driver->meaningful || !device->driver->frame_test_mode)
        return;
    host->seen = seen;
    host->dropped = dropped;
    host->context = device;
}

/* How bad the line of a card dealer is, if it is; whether it is. */
static bool make_noise(struct bench *bench, struct fuzz_input *input)
{
    const struct rig_devices *devices = &bench->rig->devices;
    struct rig_link_fault *fault =
        devices->shuffler ? devices->shuffler->link_fault : devices->shoe->link_fault;

    if (!fault)
        return false;
    fault->flip = fuzz_byte(input) * 1000;
    fault->drop = fuzz_byte(input) * 1000;
    fault->duplicate = fuzz_byte(input) * 1000;
    fault->cut_after = fuzz_byte(input) * 8;
    return true;
}

/* One message that is lost, told twice or damaged. */
static struct alter any_alteration(const struct bench *bench, struct fuzz_input *input)
{
    struct alter alter = {.slot = bench->devices[fuzz_byte(input) % bench->device_count].class};

    alter.how = fuzz_byte(input) % (ALTER_AGAIN + 1);
    alter.message = fuzz_byte(input);
    alter.byte = fuzz_byte(input);
    alter.value = fuzz_byte(input);
    if (alter.message == UINT8_MAX) {
        alter.message = ALTER_EVERY;
        alter.type = alter.value;
    }
    return alter;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input input = {data, size}, edits;
    uint8_t which = fuzz_byte(&input);
    struct bench *bench = bench_of(which & 0x7f);
    struct editor editor = {.is_over = true};
    struct alter alter = {.lie = editor_lie, .context = &editor};
    struct error error = {.text = ""};
    bool is_noisy = make_noise(bench, &input);
    int status;

    if (which & 0x80) {
        alter = any_alteration(bench, &input);
    } else {
        edits.at = fuzz_take(&input, fuzz_byte(&input), &edits.left);
        editor_begin(&editor, edits);
    }
    status = alter_renew(&alter, bench, 1, &error);
    FUZZ_MUST(!status || (status == (int)error.code && error.text[0]));
    FUZZ_MUST(!status || editor.edits || alter.shown || is_noisy);
    for (unsigned i = 0; !status && i < bench->device_count; i++)
        watch(bench->devices[i].device);
    for (unsigned i = 0; !status && i < DEEDS_MAX && input.left && !alter.hangs; i++)
        fuzz_deed(bench, &input);
    FUZZ_MUST(!alter.hangs && clock_now(&bench->clock) < LONGEST);
    return 0;
}
