/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/mock/serial_mock.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "tests/support/mock/testbed_node.h"

char *__realpath_chk(const char *path, char *resolved, size_t size);

/*
 * What libserialport of Debian 13 asks for the kernel's name of a port. umockdev 0.19 overruns the
 * buffer when a node leads out of the mocked machine, as each terminal does; on a real machine the
 * node is the port, and so it is here.
 */
char *__realpath_chk(const char *path, char *resolved, size_t size)
{
    if (access(path, F_OK) < 0)
        return NULL;
    g_assert(g_strlcpy(resolved, path, size) < size);
    return resolved;
}

struct serial_mock {
    UMockdevTestbed *testbed;
    UMockdevIoctlBase *handler;
    char name[32], node[48];
    char *syspath;
    struct serial_mock_usb usb;
    bool has_usb;
    GMutex lock;
    int master, slave;
    int lines; /* TIOCM_ bits, those of both sides */
    unsigned long failing;
    int failure;
};

static bool answer_lines(struct serial_mock *mock, UMockdevIoctlClient *client,
                         unsigned long request)
{
    g_autoptr(UMockdevIoctlData) data = NULL;
    int *lines;

    if (request != TIOCMGET && request != TIOCMSET && request != TIOCMBIS && request != TIOCMBIC)
        return false;
    data =
        umockdev_ioctl_data_resolve(umockdev_ioctl_client_get_arg(client), 0, sizeof *lines, NULL);
    lines = (int *)(void *)data->data;
    g_mutex_lock(&mock->lock);
    if (request == TIOCMGET)
        *lines = mock->lines;
    else if (request == TIOCMSET)
        mock->lines = *lines;
    else if (request == TIOCMBIS)
        mock->lines |= *lines;
    else
        mock->lines &= ~*lines;
    g_mutex_unlock(&mock->lock);
    umockdev_ioctl_client_complete(client, 0, 0);
    return true;
}

static int failure_of(struct serial_mock *mock, unsigned long request)
{
    int number;

    g_mutex_lock(&mock->lock);
    number = mock->failing == request ? mock->failure : 0;
    g_mutex_unlock(&mock->lock);
    return number;
}

/* Everything but the modem lines is the pseudo-terminal's own business. */
static gboolean handle_ioctl(UMockdevIoctlBase *handler, UMockdevIoctlClient *client, gpointer user)
{
    struct serial_mock *mock = user;
    unsigned long request = umockdev_ioctl_client_get_request(client);
    int failure = failure_of(mock, request);
    int result, number;

    (void)handler;
    if (failure) {
        umockdev_ioctl_client_complete(client, -1, failure);
        return TRUE;
    }
    if (answer_lines(mock, client, request))
        return TRUE;
    result = umockdev_ioctl_client_execute(client, &number, NULL);
    umockdev_ioctl_client_complete(client, result, number);
    return TRUE;
}

static void describe_usb(GString *text, const struct serial_mock_usb *usb)
{
    g_string_append_printf(text,
                           "P: /devices/usb1/1-%u\nE: SUBSYSTEM=usb\nE: DEVTYPE=usb_device\n"
                           "A: busnum=1\\n\nA: devnum=%u\\n\n"
                           "A: idVendor=%04x\\n\nA: idProduct=%04x\\n\n",
                           usb->port, usb->port, usb->vendor, usb->product);
    testbed_describe(text, "serial", usb->serial);
    testbed_describe(text, "manufacturer", usb->manufacturer);
    testbed_describe(text, "product", usb->name);
    g_string_append_printf(text,
                           "\nP: /devices/usb1/1-%u/1-%u:1.0\nE: SUBSYSTEM=usb\n"
                           "E: DEVTYPE=usb_interface\n\n",
                           usb->port, usb->port);
}

static void describe(struct serial_mock *mock)
{
    g_autoptr(GString) text = g_string_new(NULL);
    g_autoptr(GError) error = NULL;

    g_free(mock->syspath);
    if (mock->has_usb) {
        mock->syspath = g_strdup_printf("/sys/devices/usb1/1-%u/1-%u:1.0/tty/%s", mock->usb.port,
                                        mock->usb.port, mock->name);
        describe_usb(text, &mock->usb);
    } else {
        mock->syspath = g_strdup_printf("/sys/devices/pnp0/00:04/tty/%s", mock->name);
        g_string_append(text, "P: /devices/pnp0/00:04\nE: SUBSYSTEM=pnp\n\n");
    }
    g_string_append_printf(text, "P: %s\nE: SUBSYSTEM=tty\nE: DEVNAME=%s\nL: device=../..\n",
                           mock->syspath + strlen("/sys"), mock->node);
    umockdev_testbed_add_from_string(mock->testbed, text->str, &error);
    g_assert_no_error(error);
}

void serial_mock_plug(struct serial_mock *mock)
{
    testbed_node_make(mock->testbed, mock->node, &mock->master, &mock->slave);
    fcntl(mock->master, F_SETFL, O_RDWR | O_NONBLOCK);
    describe(mock);
}

/* From the inside out: the testbed takes away each device's links but not its children's. */
static void remove_parents(const struct serial_mock *mock)
{
    g_autofree char *adapter = g_strdup_printf("/sys/devices/usb1/1-%u", mock->usb.port);
    g_autofree char *interface = g_strdup_printf("%s/1-%u:1.0", adapter, mock->usb.port);

    if (!mock->has_usb) {
        umockdev_testbed_remove_device(mock->testbed, "/sys/devices/pnp0/00:04");
        return;
    }
    umockdev_testbed_remove_device(mock->testbed, interface);
    umockdev_testbed_remove_device(mock->testbed, adapter);
}

void serial_mock_unplug(struct serial_mock *mock)
{
    g_autofree char *path = testbed_node_path(mock->testbed, mock->node);

    if (mock->master < 0)
        return;
    unlink(path);
    umockdev_testbed_uevent(mock->testbed, mock->syspath, "remove");
    umockdev_testbed_remove_device(mock->testbed, mock->syspath);
    remove_parents(mock);
    close(mock->master);
    close(mock->slave);
    mock->master = mock->slave = -1;
}

struct serial_mock *serial_mock_new(UMockdevTestbed *testbed, const char *name,
                                    const struct serial_mock_usb *usb)
{
    struct serial_mock *mock = g_new0(struct serial_mock, 1);

    mock->testbed = testbed;
    mock->master = mock->slave = -1;
    snprintf(mock->name, sizeof mock->name, "%s", name);
    snprintf(mock->node, sizeof mock->node, "/dev/%s", name);
    mock->has_usb = usb;
    if (usb)
        mock->usb = *usb;
    g_mutex_init(&mock->lock);
    mock->handler = umockdev_ioctl_base_new();
    g_signal_connect(mock->handler, "handle-ioctl", G_CALLBACK(handle_ioctl), mock);
    g_assert(umockdev_testbed_attach_ioctl(testbed, mock->node, mock->handler, NULL));
    serial_mock_plug(mock);
    return mock;
}

void serial_mock_free(struct serial_mock *mock)
{
    if (!mock)
        return;
    serial_mock_unplug(mock);
    umockdev_testbed_detach_ioctl(mock->testbed, mock->node, NULL);
    g_signal_handlers_disconnect_by_data(mock->handler, mock);
    g_object_unref(mock->handler);
    g_mutex_clear(&mock->lock);
    g_free(mock->syspath);
    g_free(mock);
}

int serial_mock_device(const struct serial_mock *mock)
{
    return mock->master;
}

int serial_mock_host(const struct serial_mock *mock)
{
    return mock->slave;
}

void serial_mock_pull(struct serial_mock *mock, int lines)
{
    const int outputs = TIOCM_RTS | TIOCM_DTR;

    g_mutex_lock(&mock->lock);
    mock->lines = (mock->lines & outputs) | (lines & ~outputs);
    g_mutex_unlock(&mock->lock);
}

int serial_mock_outputs(struct serial_mock *mock)
{
    int lines;

    g_mutex_lock(&mock->lock);
    lines = mock->lines & (TIOCM_RTS | TIOCM_DTR);
    g_mutex_unlock(&mock->lock);
    return lines;
}

void serial_mock_fail(struct serial_mock *mock, unsigned long request, int number)
{
    g_mutex_lock(&mock->lock);
    mock->failing = request;
    mock->failure = number;
    g_mutex_unlock(&mock->lock);
}
