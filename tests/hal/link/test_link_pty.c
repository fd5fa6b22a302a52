/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include "tests/support/devices/link_contract.h"

/* The master of a pseudo-terminal, whose slave is found through a link in a directory of its own:
 * a terminal that comes back has another number. */
struct peer {
    int master;
    char directory[32];
    char path[48];
};

static void peer_drop(struct peer *peer)
{
    close(peer->master);
    unlink(peer->path);
    peer->master = -1;
}

static void peer_restore(struct peer *peer)
{
    peer->master = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    CU_ASSERT_FATAL(peer->master >= 0);
    CU_ASSERT_FATAL(grantpt(peer->master) == 0 && unlockpt(peer->master) == 0);
    CU_ASSERT_FATAL(symlink(ptsname(peer->master), peer->path) == 0);
}

static struct peer *peer_make(struct hal *hal, char address[LINK_ADDRESS_MAX])
{
    struct peer *peer = calloc(1, sizeof *peer);

    (void)hal;
    CU_ASSERT_PTR_NOT_NULL_FATAL(peer);
    strcpy(peer->directory, "/tmp/link_pty.XXXXXX");
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(peer->directory));
    snprintf(peer->path, sizeof peer->path, "%s/tty", peer->directory);
    snprintf(address, LINK_ADDRESS_MAX, "pty:%s", peer->path);
    peer_restore(peer);
    return peer;
}

static void peer_free(struct peer *peer)
{
    if (peer->master >= 0)
        peer_drop(peer);
    rmdir(peer->directory);
    free(peer);
}

static ssize_t peer_read(struct peer *peer, void *bytes, size_t size)
{
    struct pollfd polled = {.fd = peer->master, .events = POLLIN};

    return poll(&polled, 1, 100) > 0 ? read(peer->master, bytes, size) : 0;
}

static ssize_t peer_write(struct peer *peer, const void *bytes, size_t size)
{
    ssize_t n = write(peer->master, bytes, size);

    return n < 0 && errno == EAGAIN ? 0 : n;
}

static const char *const bad_addresses[] = {"pty:",
                                            "pty:/dev",
                                            "pty:/dev/null",
                                            "pty:/etc/passwd",
                                            "pty:/dev/absent",
                                            "pty:/etc/passwd/below",
                                            "pty:/dev/pts/999999",
                                            NULL};

const struct link_contract link_contract = {
    .traits = LINK_FILLS | LINK_EXCLUSIVE,
    .bad_addresses = bad_addresses,
    .make = peer_make,
    .read = peer_read,
    .write = peer_write,
    .drop = peer_drop,
    .restore = peer_restore,
    .free = peer_free,
};

static int refusal(const char *address, struct error *error)
{
    struct clock clock;
    struct hal hal;
    struct link *link;
    int status;

    clock_virtual(&clock, 0);
    CU_ASSERT_FATAL(hal_open(&hal, &clock, error) == 0);
    status = link_open(&link, &hal, address, error);
    link_close(link);
    hal_close(&hal);
    return status;
}

TEST(what_is_no_terminal_is_told_apart)
{
    struct error error;

    CU_ASSERT_EQUAL(refusal("pty:", &error), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "names no terminal"));
    CU_ASSERT_EQUAL(refusal("pty:/dev", &error), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "a directory"));
    CU_ASSERT_EQUAL(refusal("pty:/etc/passwd", &error), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "a file"));
    CU_ASSERT_EQUAL(refusal("pty:/dev/null", &error), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "not a terminal"));
    CU_ASSERT_EQUAL(refusal("pty:/dev/absent", &error), ERROR_DEVICE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "no such file"));
}

/* Nobody may be refused permission as root, so root becomes nobody for a moment. */
TEST(a_terminal_without_permission_says_who_may)
{
    const uid_t nobody = 65534, self = geteuid();
    char address[LINK_ADDRESS_MAX];
    struct peer *peer = peer_make(NULL, address);
    struct error error;

    CU_ASSERT_EQUAL(chmod(peer->path, 0), 0);
    CU_ASSERT_EQUAL(chmod(peer->directory, 0755), 0);
    if (self == 0)
        CU_ASSERT_EQUAL(seteuid(nobody), 0);
    CU_ASSERT_EQUAL(refusal(address, &error), ERROR_RIG);
    if (self == 0)
        CU_ASSERT_EQUAL(seteuid(self), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, address));
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "no permission"));
    peer_free(peer);
}

TEST(a_terminal_is_raw_whatever_it_was_before)
{
    const char text[] = "\x03\x04\r\n\x11\x13\x1a\x1c";
    char address[LINK_ADDRESS_MAX], got[sizeof text] = {0};
    struct peer *peer = peer_make(NULL, address);
    struct termios settings;
    struct error error;
    struct clock clock;
    struct link *link;
    struct hal hal;
    size_t count = 0;
    ssize_t n;

    CU_ASSERT_EQUAL(tcgetattr(peer->master, &settings), 0);
    settings.c_lflag |= ICANON | ECHO | ISIG;
    settings.c_iflag |= IXON | ICRNL;
    CU_ASSERT_EQUAL(tcsetattr(peer->master, TCSANOW, &settings), 0);
    clock_real(&clock);
    CU_ASSERT_FATAL(hal_open(&hal, &clock, &error) == 0);
    CU_ASSERT_FATAL(link_open(&link, &hal, address, &error) == 0);
    CU_ASSERT_EQUAL(peer_write(peer, text, sizeof text), sizeof text);
    while (count < sizeof got && (n = link_read(link, got + count, sizeof got - count,
                                                clock_deadline(&clock, 1000), &error)) > 0)
        count += (size_t)n;
    CU_ASSERT_EQUAL(count, sizeof text);
    CU_ASSERT_EQUAL(memcmp(got, text, sizeof text), 0);
    CU_ASSERT_EQUAL(peer_read(peer, got, sizeof got), 0);
    link_close(link);
    hal_close(&hal);
    peer_free(peer);
}

LINK_CONTRACT_TESTS
