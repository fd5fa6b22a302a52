/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pump under test drivers, with an echo for a model. */
#include <string.h>

#include "hal/link/link.h"
#include "tests/support/devices/model_pump.h"
#include "tests/support/devices/puppet.h"
#include "tests/support/suite.h"

static struct clock real;
static struct hal hal;
static struct puppet_stage stage;
static struct puppet *echo;
static struct error error;

static void set_up(void)
{
    clock_real(&real);
    CU_ASSERT_EQUAL_FATAL(hal_open(&hal, &real, &error), 0);
    puppet_stage_open(&stage, &hal);
    echo = puppet_add(&stage);
    echo->is_echo = true;
}

static void tear_down(struct model_pump *pump)
{
    model_pump_stop(pump);
    puppet_stage_close(&stage);
    hal_close(&hal);
}

static struct link *plug_in(const struct model_pump *pump)
{
    struct link *link;

    CU_ASSERT_EQUAL_FATAL(link_open(&link, &hal, model_pump_address(pump), &error), 0);
    return link;
}

static void expect_bytes(struct link *link, const char *bytes, size_t size)
{
    char got[64];
    size_t count = 0;
    ssize_t n;

    while (count < size) {
        n = link_read(link, got + count, size - count, clock_deadline(&real, 5000), &error);
        CU_ASSERT_FATAL(n > 0);
        count += (size_t)n;
    }
    CU_ASSERT(!memcmp(got, bytes, size));
}

static void say_and_hear(struct link *link, const char *bytes, size_t size)
{
    CU_ASSERT_EQUAL_FATAL(link_write_all(link, bytes, size, clock_deadline(&real, 5000), &error),
                          0);
    expect_bytes(link, bytes, size);
}

/* Every byte value that a terminal could take for something else. */
static const char awkward[] = "\x00\x03\x04\x0a\x0d\x11\x13\x1a\x7f\xff";

static void hosts_come_and_go(struct model_pump *pump)
{
    for (int i = 0; i < 3; i++) {
        struct link *link = plug_in(pump);

        say_and_hear(link, awkward, sizeof awkward);
        link_close(link);
    }
    tear_down(pump);
}

TEST(a_model_answers_on_a_terminal_and_hosts_come_and_go)
{
    set_up();
    hosts_come_and_go(model_pump_pty(&echo->model));
}

TEST(a_model_answers_on_a_socket_and_hosts_come_and_go)
{
    set_up();
    hosts_come_and_go(model_pump_tcp(&echo->model));
}

static void speak_unasked(struct model_pump *pump)
{
    struct link *link = plug_in(pump);
    nanos_t now;

    say_and_hear(link, "a", 1);
    puppet_put((struct puppet *)model_pump_lock(pump, &now), "unasked", 7);
    model_pump_unlock(pump);
    expect_bytes(link, "unasked", 7);
    link_close(link);
    tear_down(pump);
}

TEST(what_a_test_does_to_the_model_reaches_the_host_at_once)
{
    set_up();
    speak_unasked(model_pump_pty(&echo->model));
    set_up();
    speak_unasked(model_pump_tcp(&echo->model));
}

static void go_away(struct model_pump *pump)
{
    struct link *link = plug_in(pump);
    nanos_t now;
    char byte;

    say_and_hear(link, "a", 1);
    model_pump_lock(pump, &now)->gone = true;
    model_pump_unlock(pump);
    CU_ASSERT_EQUAL(link_read(link, &byte, 1, clock_deadline(&real, 5000), &error), ERROR_DEVICE);
    link_close(link);
    tear_down(pump);
}

TEST(a_model_that_goes_is_gone_for_its_host)
{
    set_up();
    go_away(model_pump_pty(&echo->model));
    set_up();
    go_away(model_pump_tcp(&echo->model));
}
