/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A bridge between two serial ports of umockdev, with their modem lines. */
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "hal/link/bridge.h"
#include "hal/link/heard.h"
#include "tests/support/mock/serial_mock.h"
#include "tests/support/mock/testbed_node.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

struct scene {
    UMockdevTestbed *testbed;
    struct serial_mock *ports[BRIDGE_SIDES];
    struct clock clock;
    struct hal hal;
    struct bridge bridge;
    struct bridge_counts counts;
    struct error error;
    pthread_t thread;
    int status;
    char path[SCRATCH_PATH_SIZE];
};

static void *run(void *context)
{
    struct scene *scene = context;

    scene->status = bridge_run(&scene->bridge, &scene->counts, &scene->error);
    return NULL;
}

/* Whether a port comes to drive these of its lines. */
static bool comes_to(struct serial_mock *port, int mask, int lines)
{
    for (int tries = 0; tries < 120000; tries++) {
        if ((serial_mock_outputs(port) & mask) == lines)
            return true;
        usleep(1000);
    }
    return false;
}

/* The sets of lines that one side drove, in their order. */
static size_t recorded_lines(const struct scene *scene, enum tap_direction side, uint8_t *lines,
                             size_t room)
{
    struct capture_reader *reader;
    struct heard_packet packet;
    size_t count = 0;

    CU_ASSERT_FATAL(!capture_reader_open(&reader, scene->path, NULL));
    while (capture_reader_next(reader, &packet, NULL) == 1)
        if (packet.direction == TAP_LINES && packet.bytes[0] == side && count < room)
            lines[count++] = packet.bytes[1];
    capture_reader_close(reader);
    return count;
}

/* Whether so many come to be there; looked at as the bridge goes on. */
static bool come_to_be_recorded(const struct scene *scene, enum tap_direction side, size_t count)
{
    uint8_t lines[8];

    for (int tries = 0; tries < 120000; tries++) {
        if (recorded_lines(scene, side, lines, sizeof lines) >= count)
            return true;
        usleep(1000);
    }
    return false;
}

static void begin(struct scene *scene, const char *words, bool keeps_lines)
{
    memset(scene, 0, sizeof *scene);
    scene->testbed = testbed_new();
    clock_real(&scene->clock);
    CU_ASSERT_FATAL(!hal_open(&scene->hal, &scene->clock, &scene->error));
    scratch_path(scene->path);
    CU_ASSERT_FATAL(!capture_open(&scene->bridge.capture, scene->path, &scene->error));
    scene->bridge.hal = &scene->hal;
    scene->bridge.keeps_lines = keeps_lines;
    for (unsigned i = 0; i < BRIDGE_SIDES; i++) {
        const struct serial_mock_usb usb = {.port = i + 1, .vendor = 0x0403, .product = 0x6001};
        char name[16], address[LINK_ADDRESS_MAX];

        snprintf(name, sizeof name, "ttyUSB%u", i + 1);
        snprintf(address, sizeof address, "serial:/dev/%s@9600%s", name, words);
        scene->ports[i] = serial_mock_new(scene->testbed, name, &usb);
        CU_ASSERT_FATAL(!link_open(&scene->bridge.links[i], &scene->hal, address, &scene->error));
    }
    CU_ASSERT_FATAL(!pthread_create(&scene->thread, NULL, run, scene));
    /* How the lines stand at first. */
    CU_ASSERT_FATAL(come_to_be_recorded(scene, TAP_FROM_DEVICE, 1) &&
                    come_to_be_recorded(scene, TAP_TO_DEVICE, 1));
}

static void join(struct scene *scene)
{
    pthread_join(scene->thread, NULL);
    for (int i = 0; i < BRIDGE_SIDES; i++)
        link_close(scene->bridge.links[i]);
    capture_close(scene->bridge.capture, NULL);
}

static void end(struct scene *scene)
{
    for (int i = 0; i < BRIDGE_SIDES; i++)
        serial_mock_free(scene->ports[i]);
    g_clear_object(&scene->testbed);
    hal_close(&scene->hal);
    unlink(scene->path);
}

TEST(modem_lines_of_each_side_are_passed_on_and_recorded)
{
    struct scene scene;
    uint8_t lines[8];

    begin(&scene, "", false);
    CU_ASSERT(comes_to(scene.ports[1], TIOCM_RTS | TIOCM_DTR, 0));
    serial_mock_pull(scene.ports[0], TIOCM_CTS);
    CU_ASSERT(comes_to(scene.ports[1], TIOCM_RTS | TIOCM_DTR, TIOCM_RTS));
    serial_mock_pull(scene.ports[0], TIOCM_CTS | TIOCM_DSR);
    CU_ASSERT(comes_to(scene.ports[1], TIOCM_RTS | TIOCM_DTR, TIOCM_RTS | TIOCM_DTR));
    serial_mock_pull(scene.ports[1], TIOCM_DSR | TIOCM_RI);
    CU_ASSERT(comes_to(scene.ports[0], TIOCM_RTS | TIOCM_DTR, TIOCM_DTR));
    hal_cancel(&scene.hal);
    join(&scene);
    CU_ASSERT_EQUAL(scene.status, 0);
    CU_ASSERT_EQUAL(scene.counts.side[BRIDGE_DEVICE].lines, 2);
    CU_ASSERT_EQUAL(scene.counts.side[BRIDGE_CONTROLLER].lines, 1);
    CU_ASSERT_EQUAL_FATAL(recorded_lines(&scene, TAP_FROM_DEVICE, lines, sizeof lines), 3);
    CU_ASSERT_EQUAL(lines[0], 0);
    CU_ASSERT_EQUAL(lines[1], LINK_CTS);
    CU_ASSERT_EQUAL(lines[2], LINK_CTS | LINK_DSR);
    CU_ASSERT_EQUAL_FATAL(recorded_lines(&scene, TAP_TO_DEVICE, lines, sizeof lines), 2);
    CU_ASSERT_EQUAL(lines[1], LINK_DSR | LINK_RI);
    end(&scene);
}

TEST(rts_is_left_to_a_flow_control_that_owns_it)
{
    struct scene scene;
    int before;

    begin(&scene, ",rtscts", false);
    before = serial_mock_outputs(scene.ports[1]) & TIOCM_RTS;
    serial_mock_pull(scene.ports[0], TIOCM_CTS | TIOCM_DSR);
    CU_ASSERT(comes_to(scene.ports[1], TIOCM_DTR, TIOCM_DTR));
    CU_ASSERT_EQUAL(serial_mock_outputs(scene.ports[1]) & TIOCM_RTS, before);
    hal_cancel(&scene.hal);
    join(&scene);
    CU_ASSERT_EQUAL(scene.status, 0);
    end(&scene);
}

TEST(lines_that_are_to_be_kept_are_recorded_alone)
{
    struct scene scene;
    uint8_t lines[8];
    int before;

    begin(&scene, "", true);
    before = serial_mock_outputs(scene.ports[1]);
    serial_mock_pull(scene.ports[0], TIOCM_DSR);
    CU_ASSERT(come_to_be_recorded(&scene, TAP_FROM_DEVICE, 2));
    hal_cancel(&scene.hal);
    join(&scene);
    CU_ASSERT_EQUAL(serial_mock_outputs(scene.ports[1]), before);
    CU_ASSERT_EQUAL_FATAL(recorded_lines(&scene, TAP_FROM_DEVICE, lines, sizeof lines), 2);
    CU_ASSERT_EQUAL(lines[1], LINK_DSR);
    end(&scene);
}

TEST(bytes_pass_between_serial_ports_until_one_is_unplugged)
{
    struct scene scene;
    struct pollfd polled;
    char heard[8];

    begin(&scene, "", false);
    polled = (struct pollfd){.fd = serial_mock_device(scene.ports[1]), .events = POLLIN};
    CU_ASSERT_EQUAL(write(serial_mock_device(scene.ports[0]), "a\0b\xff", 4), 4);
    CU_ASSERT_FATAL(poll(&polled, 1, 20000) == 1);
    CU_ASSERT_EQUAL(read(polled.fd, heard, sizeof heard), 4);
    CU_ASSERT_EQUAL(memcmp(heard, "a\0b\xff", 4), 0);
    serial_mock_unplug(scene.ports[1]);
    join(&scene);
    CU_ASSERT_EQUAL(scene.status, ERROR_DEVICE);
    CU_ASSERT_EQUAL(scene.counts.side[BRIDGE_DEVICE].heard, 4);
    CU_ASSERT_EQUAL(scene.counts.side[BRIDGE_CONTROLLER].passed, 4);
    end(&scene);
}
