/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Serial ports that are asked who is behind them. */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "devices/model.h"
#include "devices/probe.h"
#include "tests/support/mock/serial_mock.h"
#include "tests/support/mock/testbed_node.h"
#include "tests/support/suite.h"

/* A device behind a port, which understands at its own rate only. */
struct served {
    struct serial_mock *port;
    struct model *model; /* NULL: nobody answers, bytes are counted */
    speed_t rate;
    atomic_bool is_over;
    atomic_size_t heard;
    pthread_t thread;
};

static void *serve(void *context)
{
    struct served *served = context;
    uint8_t bytes[256];
    struct clock clock;

    clock_real(&clock);
    while (!served->is_over) {
        struct pollfd device = {.fd = serial_mock_device(served->port), .events = POLLIN};
        ssize_t got = poll(&device, 1, 5) > 0 ? read(device.fd, bytes, sizeof bytes) : 0;
        struct termios settings;
        size_t sent;

        if (got > 0)
            served->heard += (size_t)got;
        if (!served->model)
            continue;
        if (got > 0 && !tcgetattr(serial_mock_host(served->port), &settings) &&
            cfgetospeed(&settings) == served->rate)
            served->model->ops->receive(served->model, bytes, (size_t)got, clock_now(&clock));
        sent = served->model->ops->send(served->model, bytes, sizeof bytes, clock_now(&clock));
        if (sent && write(device.fd, bytes, sent) < 0 && errno != EAGAIN)
            break;
    }
    return NULL;
}

static void serve_start(struct served *served, const char *model)
{
    served->model = model ? model_make(NULL, model, "", NULL) : NULL;
    served->is_over = false;
    served->heard = 0;
    CU_ASSERT_EQUAL_FATAL(pthread_create(&served->thread, NULL, serve, served), 0);
}

static void serve_stop(struct served *served)
{
    served->is_over = true;
    pthread_join(served->thread, NULL);
    if (served->model)
        served->model->ops->free(served->model);
}

static const struct serial_mock_usb adapter = {
    .port = 7, .vendor = 0x0403, .product = 0x6001, .serial = "FT1", .name = "FT232R"};

/* What is behind a port with that device at that rate; `heard` are the bytes that it was sent. */
static int probe(const char *model, speed_t rate, struct device_found *found, size_t *heard)
{
    UMockdevTestbed *testbed = testbed_new();
    struct served served = {.port = serial_mock_new(testbed, "ttyUSB0", &adapter), .rate = rate};
    struct error error = {.text = ""};
    struct clock clock;
    struct hal hal;
    int status;

    clock_real(&clock);
    CU_ASSERT_EQUAL_FATAL(hal_open(&hal, &clock, NULL), 0);
    serve_start(&served, model);
    status = device_probe_port(&hal, "/dev/ttyUSB0", found, &error);
    if (status < 0)
        printf("%s\n", error.text);
    serve_stop(&served);
    *heard = served.heard;
    serial_mock_free(served.port);
    hal_close(&hal);
    g_object_unref(testbed);
    return status;
}

/* On a busy machine the device may answer too late. */
static int probe_until_found(const char *model, speed_t rate, struct device_found *found)
{
    size_t heard;
    int status = 0;

    for (unsigned i = 0; i < 20 && !status; i++)
        status = probe(model, rate, found, &heard);
    return status;
}

TEST(what_answers_at_its_rate_is_found)
{
    struct device_found found;

    CU_ASSERT_EQUAL(probe_until_found("terminal", B57600, &found), 1);
    CU_ASSERT_EQUAL(found.class, DEVICE_TERMINAL);
    CU_ASSERT_STRING_EQUAL(found.driver, "open");
    CU_ASSERT_EQUAL(found.rate, 57600);
    CU_ASSERT_STRING_EQUAL(found.identity.serial, "T-1");
    CU_ASSERT_EQUAL(probe_until_found("angel-eye", B4800, &found), 1);
    CU_ASSERT_EQUAL(found.class, DEVICE_SHOE);
    CU_ASSERT_STRING_EQUAL(found.driver, "angel-eye");
    CU_ASSERT_EQUAL(found.rate, 4800);
    CU_ASSERT_FALSE(found.has_identity);
}

TEST(who_does_not_answer_is_nobody_known)
{
    struct device_found found;
    size_t heard;

    CU_ASSERT_EQUAL(probe(NULL, B9600, &found, &heard), 0);
    CU_ASSERT_TRUE(heard > 0);
}

TEST(a_port_that_is_not_there_is_an_error)
{
    struct error error = {.text = ""};
    struct device_found found;
    struct clock clock;
    struct hal hal;

    clock_real(&clock);
    CU_ASSERT_EQUAL_FATAL(hal_open(&hal, &clock, NULL), 0);
    CU_ASSERT_EQUAL(device_probe_port(&hal, "/dev/ttyNone", &found, &error), ERROR_DEVICE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "serial:/dev/ttyNone@115200"));
    hal_close(&hal);
}
