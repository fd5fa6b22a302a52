/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rig files that name scripts: where their files are, and what they make of a device. */
#include <stdio.h>
#include <string.h>

#include "rigs/bench/bench.h"
#include "tests/support/devices/script_file.h"
#include "tests/support/suite.h"

#define HEAD     "rig: x\nclock: virtual\ndevices:\n"
#define REAL     "rig: x\nclock: real\norder: load\ndevices:\n"
#define EXAMPLES "devices/scripts/examples/"

static struct error error;

static struct rig *parse(const char *path, const char *text)
{
    struct rig *rig;

    rig_parse(&rig, path, text, strlen(text), &error);
    return rig;
}

TEST(a_script_is_where_the_rig_file_says_relative_to_itself)
{
    struct rig *rig = parse("devices/scripts/x.yaml",
                            HEAD "  shuffler: {driver: script, script: examples/tally.lua, "
                                 "address: emu:script}\n");

    CU_ASSERT_PTR_NOT_NULL_FATAL(rig);
    CU_ASSERT_STRING_EQUAL(rig->devices.shuffler->script, EXAMPLES "tally.lua");
    CU_ASSERT_STRING_EQUAL(rig->devices.shuffler->address, "emu:script?file=" EXAMPLES "tally.lua");
    CU_ASSERT_EQUAL(rig->devices.shuffler->capabilities,
                    DEVICE_LOADS_ORDER | DEVICE_HAS_TEST_MODE | DEVICE_TELLS_IDENTITY |
                        DEVICE_TELLS_STATUS | DEVICE_TELLS_CARDS);
    rig_free(rig);
    rig = parse("devices/x.yaml", HEAD "  shuffler: {driver: script, script: "
                                       "scripts/examples/tally.lua, address: "
                                       "'emu:script?speed=2,file=scripts/examples/tally.lua'}\n");
    CU_ASSERT_PTR_NOT_NULL_FATAL(rig);
    CU_ASSERT_STRING_EQUAL(rig->devices.shuffler->address,
                           "emu:script?speed=2,file=" EXAMPLES "tally.lua");
    rig_free(rig);
}

TEST(a_script_talks_to_any_model_of_its_class)
{
    struct rig *rig = parse("x.yaml", HEAD "  shuffler: {driver: script, script: " EXAMPLES
                                           "open-shuffler.lua, address: emu:shuffler}\n"
                                           "  shoe: {driver: script, script: " EXAMPLES
                                           "angel-eye.lua, address: emu:angel-eye}\n");

    if (!rig)
        printf("%s\n", error.text);
    CU_ASSERT_PTR_NOT_NULL(rig);
    rig_free(rig);
}

static void refuse(const char *text, const char *within)
{
    struct rig *rig = parse("x.yaml", text);

    CU_ASSERT_PTR_NULL(rig);
    CU_ASSERT_EQUAL(error.code, ERROR_CONFIG);
    if (!strstr(error.text, within))
        printf("said:   %s\nwanted: %s\n", error.text, within);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, within));
    rig_free(rig);
}

TEST(a_mistake_about_a_script_has_its_place)
{
    refuse(HEAD "  shuffler: {driver: script, address: emu:script}\n",
           "x.yaml:4:22: devices.shuffler.driver: which script? Name its file, as in script: "
           "my-shuffler.lua");
    refuse(HEAD "  shuffler: {script: a.lua, address: emu:shuffler}\n",
           "devices.shuffler.script: the driver 'open' takes none");
    refuse(HEAD "  shuffler: {driver: script, script: none.lua, address: emu:script}\n",
           "x.yaml:4:38: devices.shuffler.script: none.lua: No such file or directory; name a "
           "script");
    refuse(HEAD "  shuffler: {driver: script, script: devices, address: emu:script}\n",
           "devices: it is no file; name a script");
    refuse(HEAD "  shoe: {driver: script, script: " EXAMPLES "tally.lua, address: emu:script}\n",
           "devices.shoe.script: " EXAMPLES
           "tally.lua: its class is 'shuffler'; it must be \"shoe\" here");
    refuse(HEAD "  shuffler: {driver: script, script: " EXAMPLES "tally.lua, address: emu:shoe}\n",
           "a model of 'shoe' does not speak as a shuffler with the driver 'script'");
    refuse(HEAD "  shuffler: {driver: script, script: " EXAMPLES "tally.lua, address: "
                "'emu:script?file=" EXAMPLES "angel-eye.lua'}\n",
           "devices.shuffler.address: " EXAMPLES "angel-eye.lua: it has no function 'model'");
    refuse(HEAD "  shuffler: {driver: script, script: " EXAMPLES
                "tally.lua, address: emu:script, fault: smoke}\n",
           "devices.shuffler.fault: 'smoke' is no fault of the model");
    refuse(HEAD "  shuffler: {driver: script, script: " EXAMPLES
                "tally.lua, address: emu:script, options: fast}\n",
           "devices.shuffler.options: 'fast' is no option of a script");
    refuse(HEAD "  shuffler: {driver: script, script: 'a,b.lua', address: emu:script}\n",
           "a path with a comma cannot be used");
    refuse(HEAD "  shuffler: {driver: open, address: emu:script}\n",
           "a model of 'script' does not speak as a shuffler with the driver 'open'");
}

TEST(what_a_script_cannot_is_a_mistake_of_the_rig_file_as_with_any_driver)
{
    refuse(REAL "  shoe: {driver: script, script: " EXAMPLES
                "angel-eye.lua, address: 'serial:/dev/ttyUSB0@4800'}\n",
           "the driver 'script' of the shoe cannot load an order; write 'order: compare'");
    refuse(HEAD "  shoe: {driver: script, script: " EXAMPLES
                "angel-eye.lua, address: emu:angel-eye, identity: {model: X}}\n",
           "cannot say who it is");
}

/* Each has the model of its own file. */
TEST(two_scripts_of_one_bench_have_a_model_each)
{
    static const char shoe[] =
        "return {class = 'shoe', received = function() end, lock = function() send('L') end,\n"
        "model = function() return {received = function() shown() end} end}";
    struct script_file file;
    struct bench bench;
    struct rig *rig;
    char text[512];

    script_file_text(&file, shoe);
    snprintf(text, sizeof text,
             HEAD "  shuffler: {driver: script, script: " EXAMPLES
                  "tally.lua, address: emu:script}\n"
                  "  shoe: {driver: script, script: %s, address: emu:script}\n",
             file.path);
    rig = parse("x.yaml", text);
    CU_ASSERT_PTR_NOT_NULL_FATAL(rig);
    CU_ASSERT_EQUAL_FATAL(bench_open(&bench, rig, 1, &error), 0);
    CU_ASSERT_EQUAL(bench_fault(&bench, DEVICE_SHUFFLER, "jam@packet:1", &error), 0);
    CU_ASSERT_EQUAL(bench_fault(&bench, DEVICE_SHOE, "jam@packet:1", &error), ERROR_CONFIG);
    CU_ASSERT_FALSE(bench_has_shown(&bench, DEVICE_SHOE));
    CU_ASSERT_EQUAL(shoe_lock(bench.shoe, true, &error), 0);
    CU_ASSERT_TRUE(bench_has_shown(&bench, DEVICE_SHOE));
    CU_ASSERT_FALSE(bench_has_shown(&bench, DEVICE_SHUFFLER));
    bench_close(&bench, NULL);
    rig_free(rig);
    script_file_drop(&file);
}
