/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/kernel/plug.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <fcntl.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#define VHCI          "/sys/devices/platform/vhci_hcd.0/"
#define USB_DEVICES   "/sys/bus/usb/devices"
#define HIGH_SPEED    3
#define PORT_FREE     4
#define ARGUMENTS_MAX 16

/* OP_REQ_IMPORT of USB/IP 1.1.1 with the bus id, and how long its answer is. */
#define IMPORT_BUSID 8
#define IMPORT_SIZE  40
#define ANSWER_SIZE  320
#define DEVICE_ID    0x10002 /* bus 1, device 2, as the model has it */

/* The loopback is down in a kernel that has just started. */
static void raise_loopback(void)
{
    struct ifreq request = {.ifr_name = "lo", .ifr_flags = IFF_UP};
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

    if (fd < 0 || ioctl(fd, SIOCSIFFLAGS, &request))
        guest_die("lo: %m");
    close(fd);
}

static void emulate(struct plug *plug, const char *device, const char *where,
                    const char *const *arguments)
{
    char serial[64];
    const char *words[ARGUMENTS_MAX] = {device, "--usbip", where, "--option", serial};

    snprintf(serial, sizeof serial, "serial=%s", plug->serial);
    for (size_t i = 5; arguments && *arguments && i + 1 < ARGUMENTS_MAX; i++)
        words[i] = *arguments++;
    guest_emulate(&plug->model, words);
}

/* A port that was free a moment ago. */
static unsigned short find_port(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    if (fd < 0 || bind(fd, (struct sockaddr *)&address, size) ||
        getsockname(fd, (struct sockaddr *)&address, &size))
        guest_die("no port: %m");
    close(fd);
    return ntohs(address.sin_port);
}

void plug_start(struct plug *plug, unsigned port, const char *device, const char *serial,
                const char *const *arguments)
{
    char where[16];

    raise_loopback();
    *plug = (struct plug){.port = port, .serial = serial, .tcp = find_port()};
    snprintf(where, sizeof where, "%u", plug->tcp);
    emulate(plug, device, where, arguments);
}

/* Says on the model's port that its device is wanted; what follows is for the kernel. */
static int import(const struct plug *plug)
{
    const struct sockaddr_in address = {.sin_family = AF_INET,
                                        .sin_port = htons(plug->tcp),
                                        .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    unsigned char request[IMPORT_SIZE] = {0x01, 0x11, 0x80, 0x03}, answer[ANSWER_SIZE];
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    memcpy(request + IMPORT_BUSID, "1-1", 3);
    if (fd < 0 || connect(fd, (const struct sockaddr *)&address, sizeof address) ||
        send(fd, request, sizeof request, 0) != (ssize_t)sizeof request ||
        recv(fd, answer, sizeof answer, MSG_WAITALL) != (ssize_t)sizeof answer || answer[7])
        guest_die("%s: the model does not hand out its device", plug->serial);
    return fd;
}

/* The name of the device with that serial number, or false. */
static bool find_device(const char *wanted, char *name, size_t size)
{
    DIR *devices = opendir(USB_DEVICES);
    const struct dirent *entry;
    bool is_found = false;

    while (devices && !is_found && (entry = readdir(devices))) {
        char path[GUEST_PATH_SIZE], serial[64];

        if (entry->d_name[0] == '.' || strchr(entry->d_name, ':'))
            continue;
        guest_text(path, USB_DEVICES "/%s/serial", entry->d_name);
        is_found = guest_read(path, serial, sizeof serial) && !strcmp(serial, wanted);
        if (is_found)
            snprintf(name, size, "%.31s", entry->d_name);
    }
    if (devices)
        closedir(devices);
    return is_found;
}

static bool is_in(const void *serial)
{
    char name[32];

    return find_device(serial, name, sizeof name);
}

bool plug_is_in(const struct plug *plug)
{
    return is_in(plug->serial);
}

static bool is_out(const void *serial)
{
    return !is_in(serial);
}

/* It can be used from when it has its interface. */
static bool is_configured(const void *serial)
{
    char name[32], path[GUEST_PATH_SIZE];

    if (!find_device(serial, name, sizeof name))
        return false;
    guest_text(path, USB_DEVICES "/%s:1.0", name);
    return !access(path, F_OK);
}

/* A device that was pulled out keeps its port for a moment: "hs  0003 004 …" is a free one. */
static bool is_free(const void *context)
{
    const unsigned *port = context;
    FILE *status = fopen(VHCI "status", "re");
    unsigned number, state = 0;
    char line[128];
    bool is_found = false;

    while (status && !is_found && fgets(line, sizeof line, status))
        is_found = sscanf(line, "hs %u %u", &number, &state) == 2 && number == *port;
    if (status)
        fclose(status);
    return is_found && state == PORT_FREE;
}

void plug_socket(unsigned port, int fd, const char *serial)
{
    char text[64];

    if (!guest_wait(is_free, &port))
        guest_die("%s: port %u is in use", serial, port);
    snprintf(text, sizeof text, "%u %d %u %u", port, fd, DEVICE_ID, HIGH_SPEED);
    guest_write(VHCI "attach", text);
    close(fd);
    if (!guest_wait(is_configured, serial))
        guest_die("%s: the kernel does not see the device", serial);
}

void plug_await_absence(const char *serial)
{
    if (!guest_wait(is_out, serial))
        guest_die("%s: the kernel keeps the device", serial);
}

void plug_in(struct plug *plug)
{
    plug_socket(plug->port, import(plug), plug->serial);
}

void plug_in_once(struct plug *plug, unsigned port, const char *device, const char *serial,
                  const char *const *arguments)
{
    char where[16];
    int ends[2];

    *plug = (struct plug){.port = port, .serial = serial};
    /* The model inherits its own end only: the other one must go with the device. */
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) || fcntl(ends[1], F_SETFD, 0))
        guest_die("socketpair: %m");
    snprintf(where, sizeof where, "fd:%d", ends[1]);
    emulate(plug, device, where, arguments);
    close(ends[1]);
    plug_socket(port, ends[0], serial);
}

void plug_out(struct plug *plug)
{
    char text[16];

    snprintf(text, sizeof text, "%u", plug->port);
    if (plug_is_in(plug))
        guest_write(VHCI "detach", text);
    plug_await_absence(plug->serial);
}

void plug_stop(struct plug *plug)
{
    if (plug_is_in(plug))
        plug_out(plug);
    guest_end(&plug->model);
}
