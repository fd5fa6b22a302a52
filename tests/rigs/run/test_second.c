/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs in version 2 of the open protocol: which version a rig file pins, what goes to the journal
 * and to a capture.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rigs/run/runner.h"
#include "tests/support/scenes/scene.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

#define HEAD "rig: test\nclock: virtual\ndevices:\n"

static int parse(const char *text, struct rig **rig, struct error *error)
{
    return rig_parse(rig, "test.yaml", text, strlen(text), error);
}

TEST(a_version_that_does_not_exist_is_a_mistake_of_the_file)
{
    static const char *const wrong[] = {
        HEAD "  shuffler: {address: emu:shuffler, protocol: 3}\n",
        HEAD "  shuffler: {address: emu:shuffler, protocol: 0}\n",
        HEAD "  shoe: {driver: angel-eye, address: emu:angel-eye, protocol: 2}\n",
        HEAD "  shuffler: {driver: hands, protocol: 1}\n",
    };

    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct error error = {0};
        struct rig *rig;

        CU_ASSERT_EQUAL(parse(wrong[i], &rig, &error), ERROR_CONFIG);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "protocol"));
    }
}

TEST(a_device_that_does_not_know_the_pinned_version_is_refused)
{
    struct error error = {0};
    struct bench bench;
    struct rig *rig;

    CU_ASSERT_EQUAL_FATAL(
        parse(HEAD "  shuffler: {address: emu:shuffler, protocol: 2}\n", &rig, &error), 0);
    CU_ASSERT_EQUAL(bench_open(&bench, rig, 1, &error), ERROR_DEVICE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "knows version 1 of the protocol alone"));
    rig_free(rig);
}

static unsigned version_of(const char *text)
{
    struct error error = {0};
    struct bench bench;
    struct rig *rig;
    unsigned version;

    CU_ASSERT_EQUAL_FATAL(parse(text, &rig, &error), 0);
    CU_ASSERT_EQUAL_FATAL(bench_open(&bench, rig, 1, &error), 0);
    version = device_host(&bench.shuffler->device)->version;
    bench_close(&bench, NULL);
    rig_free(rig);
    return version;
}

TEST(the_rig_file_pins_the_version_that_is_spoken)
{
    CU_ASSERT_EQUAL(version_of(HEAD "  shuffler: {address: emu:shuffler}\n"), 1);
    CU_ASSERT_EQUAL(version_of(HEAD "  shuffler: {address: 'emu:shuffler?protocol=2'}\n"), 2);
    CU_ASSERT_EQUAL(
        version_of(HEAD "  shuffler: {address: 'emu:shuffler?protocol=2', protocol: 1}\n"), 1);
    CU_ASSERT_EQUAL(
        version_of(HEAD "  shuffler: {address: 'emu:shuffler?protocol=2', protocol: 2}\n"), 2);
}

/* A recording with an award, whose codes are 4711 and 86420. */
#define AWARDED "fixtures/chase-the-flush/jackpots-key-by-key.shoe"

static bool holds(const char *text, size_t length, const char *word)
{
    return memmem(text, length, word, strlen(word)) != NULL;
}

static void look_for_codes(const char *protocol, bool is_there, bool is_masked)
{
    char text[512], capture[SCRATCH_PATH_SIZE];
    struct scene scene;
    size_t length;
    char *bytes;

    scratch_path(capture);
    snprintf(text, sizeof text,
             "rig: test\nclock: virtual\ncapture: %s\ndevices:\n"
             "  shuffler: {address: 'emu:shuffler?protocol=%s'}\n"
             "  terminal: {address: 'emu:terminal?protocol=%s'}\n",
             capture, protocol, protocol);
    scene_open(&scene, text, 1);
    CU_ASSERT_EQUAL(runner_play(scene.runner, AWARDED, &scene.error), 0);
    CU_ASSERT_EQUAL(scene.worst, VERDICT_PASS);
    scene_close(&scene);
    bytes = scratch_read(capture, &length);
    CU_ASSERT(length > 1000);
    CU_ASSERT_EQUAL(holds(bytes, length, "4711"), is_there);
    CU_ASSERT_EQUAL(holds(bytes, length, "86420"), is_there);
    CU_ASSERT_EQUAL(holds(bytes, length, "00000"), is_masked);
    free(bytes);
    scratch_remove(capture);
}

TEST(codes_are_not_on_the_wire_and_need_no_mask)
{
    look_for_codes("1", false, true);
    look_for_codes("2", false, false);
}
