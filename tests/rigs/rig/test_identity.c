/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who a device must be, by the rig file. */
#include <stdio.h>
#include <string.h>

#include "rigs/rig/rig.h"
#include "tests/support/suite.h"

static bool fits(const char *wanted, const char *firmware)
{
    struct rig_identity asked = {.model = ""};
    struct wire_identity told = {.model = "M"};

    snprintf(asked.firmware, sizeof asked.firmware, "%s", wanted);
    snprintf(told.firmware, sizeof told.firmware, "%s", firmware);
    return rig_identity_fits(&asked, 2, &told);
}

TEST(a_least_firmware_is_compared_number_by_number)
{
    static const char *const later[] = {"1.0.1", "1.0.2",   "1.1",      "1.0.10", "2",
                                        "10.0",  "1.0.1.0", "1.0.1-b2", "1.0.01"};
    static const char *const earlier[] = {"1.0.0", "1.0", "1", "0.9.9", "", "v1.0.1", "latest"};

    for (size_t i = 0; i < sizeof later / sizeof later[0]; i++)
        CU_ASSERT_TRUE(fits(">=1.0.1", later[i]));
    for (size_t i = 0; i < sizeof earlier / sizeof earlier[0]; i++)
        CU_ASSERT_FALSE(fits(">=1.0.1", earlier[i]));
    CU_ASSERT_TRUE(fits(">=1.0.0", "1"));
    CU_ASSERT_TRUE(fits(">=1", "1.0.0"));
}

TEST(without_the_sign_a_firmware_is_that_one)
{
    CU_ASSERT_TRUE(fits("1.0.1", "1.0.1"));
    CU_ASSERT_FALSE(fits("1.0.1", "1.0.2"));
    CU_ASSERT_FALSE(fits("1.0", "1.0.0"));
    CU_ASSERT_TRUE(fits("", "anything"));
}

TEST(a_digest_may_be_in_capitals)
{
    struct rig_identity asked = {.model = ""};
    struct wire_identity told = {.digest = {0xab}};

    snprintf(asked.digest, sizeof asked.digest, "AB%062d", 0);
    CU_ASSERT_TRUE(rig_identity_fits(&asked, 3, &told));
    told.digest[WIRE_DIGEST_SIZE - 1] = 1;
    CU_ASSERT_FALSE(rig_identity_fits(&asked, 3, &told));
}

#define RIG "rig: x\nclock: virtual\ndevices:\n  "

static void refuse(const char *device, const char *within)
{
    char text[400];
    struct rig *rig = NULL;
    struct error error = {.text = ""};

    snprintf(text, sizeof text, RIG "%s\n", device);
    CU_ASSERT_EQUAL(rig_parse(&rig, "x.yaml", text, strlen(text), &error), ERROR_CONFIG);
    if (!strstr(error.text, within))
        printf("%s\n", error.text);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, within));
    rig_free(rig);
}

TEST(an_identity_that_no_device_can_have_is_a_mistake_of_the_file)
{
    refuse("shuffler: {address: emu:shuffler, identity: {digest: '12'}}",
           "x.yaml:4:56: devices.shuffler.identity.digest: this is no SHA-256");
    refuse("shuffler: {address: emu:shuffler, identity: {firmware: '>=1.'}}", "numbers with dots");
    refuse("shuffler: {address: emu:shuffler, identity: {firmware: '>=v1'}}", "numbers with dots");
    refuse("shuffler: {address: emu:shuffler, identity: {name: x}}",
           "the fields are model, serial, firmware, digest");
    refuse("shoe: {driver: angel-eye, address: emu:angel-eye, identity: {model: x}}",
           "cannot say who it is");
    refuse("sensors: {address: emu:table, identity: {model: x}}", "cannot say who it is");
}
