/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include "tests/support/devices/link_contract.h"
#include "tests/support/mock/serial_mock.h"
#include "tests/support/mock/testbed_node.h"

struct peer {
    struct serial_mock *mock;
};

/* One testbed at a time can be the machine, however many peers there are. */
static UMockdevTestbed *testbed;
static unsigned peers;

static struct peer *make(struct hal *hal, char address[LINK_ADDRESS_MAX])
{
    struct peer *peer = g_new0(struct peer, 1);
    struct serial_mock_usb usb = {.vendor = 0x0403, .product = 0x6001};
    char name[16];

    (void)hal;
    if (!peers++)
        testbed = testbed_new();
    usb.port = peers;
    snprintf(name, sizeof name, "ttyUSB%u", peers);
    peer->mock = serial_mock_new(testbed, name, &usb);
    snprintf(address, LINK_ADDRESS_MAX, "serial:/dev/%s@115200", name);
    return peer;
}

static ssize_t peer_read(struct peer *peer, void *bytes, size_t size)
{
    struct pollfd device = {.fd = serial_mock_device(peer->mock), .events = POLLIN};

    return poll(&device, 1, 100) > 0 ? read(device.fd, bytes, size) : 0;
}

static ssize_t peer_write(struct peer *peer, const void *bytes, size_t size)
{
    ssize_t count = write(serial_mock_device(peer->mock), bytes, size);

    return count < 0 && errno == EAGAIN ? 0 : count;
}

static void drop(struct peer *peer)
{
    serial_mock_unplug(peer->mock);
}

static void restore(struct peer *peer)
{
    serial_mock_plug(peer->mock);
}

static void peer_free(struct peer *peer)
{
    serial_mock_free(peer->mock);
    if (!--peers)
        g_clear_object(&testbed);
    g_free(peer);
}

static const char *const bad_addresses[] = {"serial:",
                                            "serial:@115200",
                                            "serial:/dev/ttyUSB1",
                                            "serial:/dev/ttyUSB1@",
                                            "serial:ttyUSB1@115200",
                                            "serial:/dev/ttyUSB1@0",
                                            "serial:/dev/ttyUSB1@-9600",
                                            "serial:/dev/ttyUSB1@49",
                                            "serial:/dev/ttyUSB1@12000001",
                                            "serial:/dev/ttyUSB1@99999999999999999999",
                                            "serial:/dev/ttyUSB1@fast",
                                            "serial:/dev/ttyUSB1@9600baud",
                                            "serial:/dev/ttyUSB1@9600,",
                                            "serial:/dev/ttyUSB1@9600,9N1",
                                            "serial:/dev/ttyUSB1@9600,8X1",
                                            "serial:/dev/ttyUSB1@9600,8N3",
                                            "serial:/dev/ttyUSB1@9600,8N11",
                                            "serial:/dev/ttyUSB1@9600,8N1,8N1",
                                            "serial:/dev/ttyUSB1@9600,rtscts,xonxoff",
                                            "serial:/dev/ttyUSB1@9600,rts",
                                            "serial:/dev/ttyUSB99@9600",
                                            "serial:/dev@9600",
                                            "serial:/dev/null@9600",
                                            "serial:/dev/ptmx@9600",
                                            "serial:/etc/passwd@9600",
                                            NULL};

const struct link_contract link_contract = {
    .traits = LINK_FILLS | LINK_EXCLUSIVE | LINK_HAS_LINES,
    .bad_addresses = bad_addresses,
    .make = make,
    .read = peer_read,
    .write = peer_write,
    .drop = drop,
    .restore = restore,
    .free = peer_free,
};

/* What the kernel was last asked for: a pseudo-terminal refuses parity and other than 8 bits. */
static struct termios asked_for;

int tcsetattr(int fd, int actions, const struct termios *settings)
{
    int (*real)(int, int, const struct termios *);

    *(void **)&real = dlsym(RTLD_NEXT, "tcsetattr");
    asked_for = *settings;
    real(fd, actions, settings);
    return 0;
}

struct desk {
    struct clock clock;
    struct hal hal;
    struct serial_mock *mock;
    struct link *link;
    struct error error;
};

static void desk_start(struct desk *desk)
{
    *desk = (struct desk){0};
    clock_real(&desk->clock);
    CU_ASSERT_FATAL(hal_open(&desk->hal, &desk->clock, &desk->error) == 0);
    testbed = testbed_new();
    desk->mock = serial_mock_new(testbed, "ttyS4", NULL);
}

static int desk_open(struct desk *desk, const char *address)
{
    link_close(desk->link);
    return link_open(&desk->link, &desk->hal, address, &desk->error);
}

static void desk_end(struct desk *desk)
{
    link_close(desk->link);
    serial_mock_free(desk->mock);
    g_clear_object(&testbed);
    hal_close(&desk->hal);
}

TEST(bits_parity_and_stop_bits_of_the_address_are_set)
{
    static const struct {
        const char *address;
        tcflag_t frame;
    } cases[] = {
        {"serial:/dev/ttyS4@9600", CS8},
        {"serial:/dev/ttyS4@9600,8N1", CS8},
        {"serial:/dev/ttyS4@9600,8N2", CS8 | CSTOPB},
        {"serial:/dev/ttyS4@9600,7E1", CS7 | PARENB},
        {"serial:/dev/ttyS4@9600,7O2", CS7 | PARENB | PARODD | CSTOPB},
        {"serial:/dev/ttyS4@9600,5N1", CS5},
        {"serial:/dev/ttyS4@9600,rtscts,8E1", CS8 | PARENB},
    };
    struct desk desk;

    desk_start(&desk);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        CU_ASSERT_EQUAL(desk_open(&desk, cases[i].address), 0);
        CU_ASSERT_EQUAL(asked_for.c_cflag & (CSIZE | PARENB | PARODD | CSTOPB), cases[i].frame);
    }
    desk_end(&desk);
}

TEST(flow_control_is_off_unless_the_address_says_so)
{
    struct desk desk;

    desk_start(&desk);
    CU_ASSERT_EQUAL(desk_open(&desk, "serial:/dev/ttyS4@9600"), 0);
    CU_ASSERT_EQUAL(asked_for.c_cflag & CRTSCTS, 0);
    CU_ASSERT_EQUAL(asked_for.c_iflag & (IXON | IXOFF), 0);
    CU_ASSERT_EQUAL(desk_open(&desk, "serial:/dev/ttyS4@9600,rtscts"), 0);
    CU_ASSERT_EQUAL(asked_for.c_cflag & CRTSCTS, CRTSCTS);
    CU_ASSERT_EQUAL(asked_for.c_iflag & (IXON | IXOFF), 0);
    CU_ASSERT_EQUAL(desk_open(&desk, "serial:/dev/ttyS4@9600,xonxoff"), 0);
    CU_ASSERT_EQUAL(asked_for.c_cflag & CRTSCTS, 0);
    CU_ASSERT_EQUAL(asked_for.c_iflag & (IXON | IXOFF), IXON | IXOFF);
    desk_end(&desk);
}

TEST(the_baud_rate_is_that_of_the_address)
{
    struct termios settings;
    struct desk desk;

    desk_start(&desk);
    CU_ASSERT_EQUAL(desk_open(&desk, "serial:/dev/ttyS4@50"), 0);
    CU_ASSERT_EQUAL_FATAL(tcgetattr(serial_mock_host(desk.mock), &settings), 0);
    CU_ASSERT_EQUAL(cfgetospeed(&settings), B50);
    CU_ASSERT_EQUAL(desk_open(&desk, "serial:/dev/ttyS4@115200"), 0);
    CU_ASSERT_EQUAL_FATAL(tcgetattr(serial_mock_host(desk.mock), &settings), 0);
    CU_ASSERT_EQUAL(cfgetospeed(&settings), B115200);
    desk_end(&desk);
}

/* The kernel's struct termios2, whose header does not go together with <termios.h>. */
struct kernel_settings {
    tcflag_t flags[4];
    cc_t line, characters[19];
    speed_t input, output;
};

TEST(a_baud_rate_without_a_name_is_set_exactly)
{
    struct kernel_settings settings;
    struct desk desk;

    desk_start(&desk);
    CU_ASSERT_EQUAL(desk_open(&desk, "serial:/dev/ttyS4@250000,rtscts"), 0);
    CU_ASSERT_EQUAL_FATAL(
        ioctl(serial_mock_host(desk.mock), _IOR('T', 0x2A, struct kernel_settings), &settings), 0);
    CU_ASSERT_EQUAL(settings.output, 250000);
    desk_end(&desk);
}

TEST(lines_that_the_device_pulls_are_seen)
{
    static const struct {
        int pulled;
        unsigned seen;
    } cases[] = {{TIOCM_CTS, LINK_CTS},
                 {TIOCM_DSR, LINK_DSR},
                 {TIOCM_CAR, LINK_DCD},
                 {TIOCM_RNG, LINK_RI},
                 {0, 0}};
    struct desk desk;
    unsigned lines;

    desk_start(&desk);
    CU_ASSERT_EQUAL(desk_open(&desk, "serial:/dev/ttyS4@9600"), 0);
    CU_ASSERT_EQUAL(link_set_lines(desk.link, LINK_RTS | LINK_DTR, 0, &desk.error), 0);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        serial_mock_pull(desk.mock, cases[i].pulled);
        CU_ASSERT_EQUAL(link_get_lines(desk.link, &lines, &desk.error), 0);
        CU_ASSERT_EQUAL(lines, cases[i].seen);
    }
    desk_end(&desk);
}

TEST(lines_that_are_set_reach_the_device)
{
    struct desk desk;

    desk_start(&desk);
    CU_ASSERT_EQUAL(desk_open(&desk, "serial:/dev/ttyS4@9600"), 0);
    CU_ASSERT_EQUAL(link_set_lines(desk.link, LINK_RTS | LINK_DTR, LINK_DTR, &desk.error), 0);
    CU_ASSERT_EQUAL(serial_mock_outputs(desk.mock), TIOCM_DTR);
    CU_ASSERT_EQUAL(link_set_lines(desk.link, LINK_RTS, LINK_RTS, &desk.error), 0);
    CU_ASSERT_EQUAL(serial_mock_outputs(desk.mock), TIOCM_DTR | TIOCM_RTS);
    CU_ASSERT_EQUAL(link_set_lines(desk.link, LINK_DTR, 0, &desk.error), 0);
    CU_ASSERT_EQUAL(serial_mock_outputs(desk.mock), TIOCM_RTS);
    desk_end(&desk);
}

TEST(lines_that_are_not_ours_cannot_be_set)
{
    struct desk desk;

    desk_start(&desk);
    CU_ASSERT_EQUAL(desk_open(&desk, "serial:/dev/ttyS4@9600"), 0);
    CU_ASSERT_EQUAL(link_set_lines(desk.link, LINK_CTS, LINK_CTS, &desk.error), ERROR_CONFIG);
    CU_ASSERT_EQUAL(desk_open(&desk, "serial:/dev/ttyS4@9600,rtscts"), 0);
    CU_ASSERT_EQUAL(link_set_lines(desk.link, LINK_RTS, 0, &desk.error), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(desk.error.text, "rtscts"));
    CU_ASSERT_EQUAL(link_set_lines(desk.link, LINK_DTR, 0, &desk.error), 0);
    desk_end(&desk);
}

TEST(a_port_that_reads_as_silence_is_asked_whether_it_is_there)
{
    struct desk desk;
    char byte;

    desk_start(&desk);
    CU_ASSERT_EQUAL(desk_open(&desk, "serial:/dev/ttyS4@9600"), 0);
    CU_ASSERT_EQUAL(link_read(desk.link, &byte, 1, clock_deadline(&desk.clock, 10), &desk.error),
                    0);
    serial_mock_fail(desk.mock, TIOCINQ, EIO);
    CU_ASSERT_EQUAL(link_read(desk.link, &byte, 1, clock_deadline(&desk.clock, 10), &desk.error),
                    ERROR_DEVICE);
    CU_ASSERT_PTR_NOT_NULL(strstr(desk.error.text, "serial:/dev/ttyS4@9600"));
    desk_end(&desk);
}

TEST(what_came_before_the_link_was_opened_is_forgotten)
{
    struct desk desk;
    char byte = 0;

    desk_start(&desk);
    CU_ASSERT_EQUAL(write(serial_mock_device(desk.mock), "stale", 5), 5);
    CU_ASSERT_EQUAL(desk_open(&desk, "serial:/dev/ttyS4@9600"), 0);
    CU_ASSERT_EQUAL(write(serial_mock_device(desk.mock), "!", 1), 1);
    CU_ASSERT_EQUAL(link_read(desk.link, &byte, 1, clock_deadline(&desk.clock, 1000), &desk.error),
                    1);
    CU_ASSERT_EQUAL(byte, '!');
    desk_end(&desk);
}

TEST(a_busy_port_is_said_to_be_in_use)
{
    struct link *second;
    struct desk desk;

    desk_start(&desk);
    CU_ASSERT_EQUAL(desk_open(&desk, "serial:/dev/ttyS4@9600"), 0);
    CU_ASSERT_EQUAL(link_open(&second, &desk.hal, "serial:/dev/ttyS4@115200", &desk.error),
                    ERROR_RIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(desk.error.text, "in use"));
    desk_end(&desk);
}

TEST(a_port_without_permission_names_the_group_and_the_rule)
{
    struct desk desk;

    desk_start(&desk);
    fchmod(serial_mock_host(desk.mock), 0);
    testbed_give_up_privileges(testbed, "/dev/ttyS4", true);
    CU_ASSERT_EQUAL(desk_open(&desk, "serial:/dev/ttyS4@9600"), ERROR_RIG);
    testbed_give_up_privileges(testbed, "/dev/ttyS4", false);
    CU_ASSERT_PTR_NOT_NULL(strstr(desk.error.text, "dialout"));
    CU_ASSERT_PTR_NOT_NULL(strstr(desk.error.text, "99-dealproof.rules"));
    fchmod(serial_mock_host(desk.mock), 0600);
    CU_ASSERT_EQUAL(desk_open(&desk, "serial:/dev/ttyS4@9600"), 0);
    desk_end(&desk);
}

TEST(a_directory_is_not_a_port)
{
    struct desk desk;

    desk_start(&desk);
    CU_ASSERT_EQUAL(desk_open(&desk, "serial:/dev@9600"), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(desk.error.text, "/dev is a directory"));
    desk_end(&desk);
}

TEST(a_pseudo_terminal_is_sent_to_its_own_kind_of_link)
{
    char address[LINK_ADDRESS_MAX], remedy[LINK_ADDRESS_MAX], name[64];
    struct desk desk;

    desk_start(&desk);
    CU_ASSERT_EQUAL_FATAL(ttyname_r(serial_mock_host(desk.mock), name, sizeof name), 0);
    snprintf(address, sizeof address, "serial:%s@9600", name);
    snprintf(remedy, sizeof remedy, "write pty:%s", name);
    CU_ASSERT_EQUAL(desk_open(&desk, address), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(desk.error.text, remedy));
    desk_end(&desk);
}

TEST(a_port_is_found_through_a_link_by_its_identity)
{
    g_autofree char *directory = NULL, *link = NULL, *root = NULL;
    struct desk desk;

    desk_start(&desk);
    root = umockdev_testbed_get_root_dir(testbed);
    directory = g_strconcat(root, "/dev/serial/by-id", NULL);
    link = g_strconcat(directory, "/usb-Shuffler_17-if00", NULL);
    CU_ASSERT_EQUAL(g_mkdir_with_parents(directory, 0755), 0);
    CU_ASSERT_EQUAL(symlink("../../ttyS4", link), 0);
    CU_ASSERT_EQUAL(desk_open(&desk, "serial:/dev/serial/by-id/usb-Shuffler_17-if00@9600"), 0);
    desk_end(&desk);
}

TEST(a_waiting_read_does_not_spin)
{
    struct rusage before, after;
    struct desk desk;
    char byte;

    desk_start(&desk);
    CU_ASSERT_EQUAL(desk_open(&desk, "serial:/dev/ttyS4@9600"), 0);
    getrusage(RUSAGE_THREAD, &before);
    CU_ASSERT_EQUAL(link_read(desk.link, &byte, 1, clock_deadline(&desk.clock, 200), &desk.error),
                    0);
    getrusage(RUSAGE_THREAD, &after);
    CU_ASSERT(after.ru_nvcsw - before.ru_nvcsw < 100);
    desk_end(&desk);
}

LINK_CONTRACT_TESTS
