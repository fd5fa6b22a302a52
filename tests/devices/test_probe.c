/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a probe makes of each device, and the device of a probe. */
#include "devices/probe.h"

#include <string.h>

#include "devices/model.h"
#include "devices/shoe/shoe.h"
#include "tests/support/suite.h"

REGISTRY(device_probes);

struct port {
    struct clock clock;
    struct hal hal;
    struct link *link;
    struct model *model;
};

static struct model *make(void *context, const char *name, const char *options, struct error *error)
{
    struct port *port = context;

    port->model = model_make(NULL, name, options, error);
    return port->model;
}

static void plug(struct port *port, const char *address)
{
    clock_virtual(&port->clock, 0);
    CU_ASSERT_EQUAL_FATAL(hal_open(&port->hal, &port->clock, NULL), 0);
    port->hal.make_model = make;
    port->hal.model_context = port;
    CU_ASSERT_EQUAL_FATAL(link_open(&port->link, &port->hal, address, NULL), 0);
}

static void unplug(struct port *port)
{
    link_close(port->link);
    hal_close(&port->hal);
}

static int ask(struct port *port, const char *probe, struct device_found *found)
{
    const struct device_probe *known = registry_find(&device_probes, probe);
    struct error error;

    CU_ASSERT_PTR_NOT_NULL_FATAL(known);
    *found = (struct device_found){.rate = 0};
    return known->ask(port->link, found, &error);
}

TEST(each_device_is_known_by_its_own_protocol_and_by_no_other)
{
    static const struct {
        const char *address, *probe, *other, *driver, *model;
        enum device_class class;
    } devices[] = {
        {"emu:shuffler", "open", "angel-eye", "open", "DP-SHUF1", DEVICE_SHUFFLER},
        {"emu:shoe", "open", "angel-eye", "open", "DP-SHOE1", DEVICE_SHOE},
        {"emu:terminal", "open", "angel-eye", "open", "DP-TERM1", DEVICE_TERMINAL},
        {"emu:bet-sensor", "open", "angel-eye", "unit", "DP-BET7", DEVICE_SENSORS},
        {"emu:angel-eye", "angel-eye", "open", "angel-eye", "", DEVICE_SHOE},
        {"emu:angel-eye?bcc=without-stx", "angel-eye", "open", "angel-eye", "", DEVICE_SHOE},
    };

    for (size_t i = 0; i < sizeof devices / sizeof devices[0]; i++) {
        struct device_found found;
        struct port port;

        plug(&port, devices[i].address);
        CU_ASSERT_EQUAL(ask(&port, devices[i].other, &found), 0);
        CU_ASSERT_EQUAL(ask(&port, devices[i].probe, &found), 1);
        CU_ASSERT_EQUAL(found.class, devices[i].class);
        CU_ASSERT_STRING_EQUAL(found.driver, devices[i].driver);
        CU_ASSERT_EQUAL(found.has_identity, *devices[i].model != '\0');
        CU_ASSERT_EQUAL(strncmp(found.identity.model, devices[i].model, 6), 0);
        unplug(&port);
    }
}

/* What nobody has acknowledged is told to the next host. */
TEST(a_probe_takes_no_event_from_who_comes_after_it)
{
    static const char *const addresses[] = {"emu:shuffler", "emu:terminal", "emu:bet-sensor"};

    for (size_t i = 0; i < 3; i++) {
        const struct model_kind *kind = model_kind_find(addresses[i] + 4, NULL);
        struct device_found found;
        struct frame event;
        struct port port;
        struct host host;

        plug(&port, addresses[i]);
        kind->power_cycle(port.model, clock_now(&port.clock));
        CU_ASSERT_EQUAL(ask(&port, "open", &found), 1);
        CU_ASSERT_EQUAL(host_open(&host, port.link, (enum frame_class)kind->frame_class, NULL), 0);
        CU_ASSERT_EQUAL(host_event(&host, &event, clock_deadline(&port.clock, 1000), NULL), 1);
        unplug(&port);
    }
}

TEST(a_shoe_says_its_reports_again_to_who_comes_after_a_probe)
{
    struct device_found found;
    struct shoe_event event;
    struct shoe *shoe;
    struct port port;

    plug(&port, "emu:angel-eye");
    CU_ASSERT_EQUAL(ask(&port, "angel-eye", &found), 1);
    CU_ASSERT_EQUAL_FATAL(shoe_open(&shoe, "angel-eye", port.link, "", NULL), 0);
    CU_ASSERT_EQUAL(shoe_next(shoe, &event, clock_deadline(&port.clock, 2000), NULL), 1);
    CU_ASSERT_EQUAL(event.kind, SHOE_EVENT_STARTED);
    shoe_close(shoe);
    unplug(&port);
}

TEST(every_probe_has_rates_and_the_whole_takes_no_longer_than_is_said)
{
    const struct device_probe *probe;
    nanos_t whole = 0;

    for (size_t i = 0; (probe = registry_at(&device_probes, i)); i++)
        for (const uint32_t *rate = probe->rates; *rate; rate++) {
            struct device_found found;
            struct port port;

            plug(&port, strcmp(probe->name, "open") ? "emu:shuffler" : "emu:angel-eye");
            CU_ASSERT_EQUAL(ask(&port, probe->name, &found), 0);
            whole += clock_now(&port.clock);
            unplug(&port);
        }
    CU_ASSERT_TRUE(whole > 0);
    CU_ASSERT_TRUE(whole < PROBE_SECONDS * 1000 * NANOS_PER_MILLI);
}
