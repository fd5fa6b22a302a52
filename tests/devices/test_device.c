/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What all drivers have in common, whatever their class. */
#include "devices/device.h"

#include <string.h>

#include "devices/model.h"
#include "tests/support/suite.h"

static struct error error;

TEST(a_driver_has_what_it_says_it_can)
{
    const struct device_driver *driver;

    for (size_t i = 0; (driver = device_driver_at(i)); i++) {
        unsigned can = driver->capabilities;

        CU_ASSERT_PTR_NOT_NULL(driver->open);
        CU_ASSERT_EQUAL(!driver->identity, !(can & DEVICE_TELLS_IDENTITY));
        CU_ASSERT_EQUAL(!driver->in_test_mode, !(can & DEVICE_TELLS_STATUS));
        CU_ASSERT_EQUAL(!driver->log, !(can & DEVICE_KEEPS_LOG));
        CU_ASSERT_EQUAL(!driver->host, !(can & DEVICE_SHOWS_FRAMES));
        CU_ASSERT(!driver->on_pins || driver->protocol == TAP_RAW);
        CU_ASSERT_EQUAL(!driver->inspect, !driver->takes_script);
        if (driver->host && (driver->class == DEVICE_SHUFFLER || driver->class == DEVICE_SHOE)) {
            CU_ASSERT_PTR_NOT_NULL(driver->meaningful);
            CU_ASSERT_PTR_NOT_NULL(driver->frame_test_mode);
        }
    }
    CU_ASSERT_PTR_NOT_NULL(device_driver_at(0));
}

TEST(a_driver_is_found_by_class_and_name_and_has_a_model)
{
    const struct device_driver *driver;

    for (size_t i = 0; (driver = device_driver_at(i)); i++) {
        const struct model_kind *kind = model_kind_for(driver);

        CU_ASSERT_PTR_EQUAL(device_driver_find(driver->class, device_driver_name(driver), &error),
                            driver);
        CU_ASSERT_EQUAL(!kind, driver->has_no_address); /* there are no models of people */
        if (!kind)
            continue;
        CU_ASSERT_EQUAL(
            strncmp(driver->key, device_class_name(driver->class), strcspn(driver->key, "/")), 0);
        CU_ASSERT_EQUAL(kind->class, driver->takes_script ? DEVICE_CLASSES : driver->class);
        CU_ASSERT_EQUAL(!kind->make, driver->on_pins);
        CU_ASSERT_EQUAL(!kind->make_on_pins, !driver->on_pins);
        CU_ASSERT_EQUAL(driver->protocol == FRAME_PROTOCOL, kind->frame_class != 0);
    }
}

TEST(an_unknown_driver_is_answered_with_those_of_the_class)
{
    const struct device_driver *driver;

    for (size_t i = 0; (driver = device_driver_at(i)); i++) {
        const char *list;

        CU_ASSERT_PTR_NULL(device_driver_find(driver->class, "nobody", &error));
        CU_ASSERT_EQUAL(error.code, ERROR_CONFIG);
        list = strstr(error.text, "; the drivers are ");
        CU_ASSERT_PTR_NOT_NULL_FATAL(list);
        CU_ASSERT_PTR_NOT_NULL(strstr(list, device_driver_name(driver)));
    }
    device_driver_find(DEVICE_SENSORS, "open", &error);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(error.text, "there is no driver 'open' for sensors; the drivers"));
    device_driver_find(DEVICE_SHOE, "sneaker", &error);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(error.text, "there is no driver 'sneaker' for a shoe; the drivers"));
}

TEST(the_options_of_a_driver_are_those_of_its_table)
{
    static const struct {
        enum device_class class;
        const char *driver, *options, *words; /* NULL: it knows them */
    } tried[] = {
        {DEVICE_SHOE, "angel-eye", "", NULL},
        {DEVICE_SHOE, "angel-eye", "bcc=with-stx", NULL},
        {DEVICE_SHOE, "angel-eye", "bcc=without-stx", NULL},
        {DEVICE_SHOE, "angel-eye", "bcc=without", "'bcc=without' is none of: bcc=with-stx, bcc="},
        {DEVICE_SHOE, "angel-eye", "bcc", "none of"},
        {DEVICE_SHOE, "angel-eye", "bcc=with-stx,cut=3", "'cut=3' is none of"},
        {DEVICE_SENSORS, "unit", "wagers=people", NULL},
        {DEVICE_SENSORS, "unit", "wagers=peoples", "none of: wagers=actuators, wagers=people"},
        {DEVICE_SENSORS, "pins", "wagers=people", "the driver 'pins' has no options"},
        {DEVICE_SHUFFLER, "open", "seed=1", "follow its address, as in emu:shuffler?seed=7"},
    };

    for (size_t i = 0; i < sizeof tried / sizeof tried[0]; i++) {
        const struct device_driver *driver =
            device_driver_find(tried[i].class, tried[i].driver, &error);

        CU_ASSERT_PTR_NOT_NULL_FATAL(driver);
        CU_ASSERT_EQUAL(device_check_options(driver, tried[i].options, &error),
                        tried[i].words ? ERROR_CONFIG : 0);
        if (tried[i].words)
            CU_ASSERT_PTR_NOT_NULL(strstr(error.text, tried[i].words));
    }
}

TEST(an_option_is_found_among_others)
{
    CU_ASSERT_TRUE(device_has_option("a=1,b=2", "a", "1"));
    CU_ASSERT_TRUE(device_has_option("a=1,b=2", "b", "2"));
    CU_ASSERT_FALSE(device_has_option("a=12,b=2", "a", "1"));
    CU_ASSERT_FALSE(device_has_option("aa=1", "a", "1"));
    CU_ASSERT_FALSE(device_has_option("", "a", "1"));
}
