/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/mock/input_mock.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/input.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/mock/testbed_node.h"

#define PIPE_SIZE (1 << 20)

struct input_mock {
    UMockdevTestbed *testbed;
    UMockdevIoctlBase *handler;
    char node[32];
    bool types;
    int writer;
    GMutex lock; /* requests are answered in a thread of umockdev's */
    bool is_grabbed, is_gone;
    int grab_failure;
};

static void set_bit(uint8_t *bits, size_t size, unsigned bit)
{
    if (bit / 8 < size)
        bits[bit / 8] |= (uint8_t)(1u << bit % 8);
}

/* EVIOCGBIT: the kinds of events that there are, and the codes of a kind. */
static void put_bits(const struct input_mock *mock, unsigned kind, uint8_t *bits, size_t size)
{
    memset(bits, 0, size);
    if (kind == 0) {
        set_bit(bits, size, EV_SYN);
        set_bit(bits, size, EV_KEY);
        return;
    }
    if (kind != EV_KEY)
        return;
    if (!mock->types)
        set_bit(bits, size, BTN_LEFT);
    for (unsigned key = KEY_ESC; mock->types && key <= KEY_COMPOSE; key++)
        set_bit(bits, size, key);
}

/* The length or 0, or a negated errno. */
static int answer(struct input_mock *mock, unsigned long request, void *data, size_t size)
{
    static const struct input_id id = {.bustype = BUS_USB, .vendor = 0x05e0, .product = 0x1200};
    unsigned number = _IOC_NR(request);

    if (_IOC_TYPE(request) != 'E')
        return -ENOTTY;
    memset(data, 0, size);
    if (number == _IOC_NR(EVIOCGVERSION)) {
        *(int *)data = EV_VERSION;
    } else if (number == _IOC_NR(EVIOCGID)) {
        memcpy(data, &id, sizeof id);
    } else if (number == _IOC_NR(EVIOCGNAME(0))) {
        snprintf(data, size, "%s", mock->types ? "Symbol Bar Code Scanner" : "Mouse");
        return (int)strlen(data) + 1;
    } else if (number == _IOC_NR(EVIOCGPHYS(0)) || number == _IOC_NR(EVIOCGUNIQ(0))) {
        return -ENOENT;
    } else if (number >= _IOC_NR(EVIOCGBIT(0, 0)) && number < _IOC_NR(EVIOCGBIT(EV_MAX, 0))) {
        put_bits(mock, number - _IOC_NR(EVIOCGBIT(0, 0)), data, size);
    }
    return 0;
}

/* The grab's argument is a number and no address. */
static int answer_grab(struct input_mock *mock, UMockdevIoctlClient *client)
{
    UMockdevIoctlData *argument = umockdev_ioctl_client_get_arg(client);
    bool is_wanted = argument->data[0];

    if (is_wanted && mock->grab_failure)
        return -mock->grab_failure;
    mock->is_grabbed = is_wanted;
    return 0;
}

static gboolean handle_ioctl(UMockdevIoctlBase *handler, UMockdevIoctlClient *client, gpointer user)
{
    unsigned long request = umockdev_ioctl_client_get_request(client);
    size_t size = _IOC_SIZE(request);
    struct input_mock *mock = user;
    int result;

    (void)handler;
    g_mutex_lock(&mock->lock);
    if (mock->is_gone) {
        result = -ENODEV;
    } else if (request == EVIOCGRAB) {
        result = answer_grab(mock, client);
    } else if (!size) {
        result = -EINVAL;
    } else {
        g_autoptr(UMockdevIoctlData) data =
            umockdev_ioctl_data_resolve(umockdev_ioctl_client_get_arg(client), 0, size, NULL);

        result = data ? answer(mock, request, data->data, size) : -EFAULT;
    }
    g_mutex_unlock(&mock->lock);
    umockdev_ioctl_client_complete(client, result < 0 ? -1 : result, result < 0 ? -result : 0);
    return TRUE;
}

/* A pipe whose writer is gone reads as its end; a device that is gone does not. */
static gboolean handle_read(UMockdevIoctlBase *handler, UMockdevIoctlClient *client, gpointer user)
{
    struct input_mock *mock = user;
    bool is_gone;

    (void)handler;
    g_mutex_lock(&mock->lock);
    is_gone = mock->is_gone;
    g_mutex_unlock(&mock->lock);
    if (!is_gone)
        return FALSE;
    umockdev_ioctl_client_complete(client, -1, ENODEV);
    return TRUE;
}

/*
 * A new pipe each time: what was typed into the one before is lost with it. Nobody sees it before
 * it has its writer: without one it would read as a device that is gone.
 */
static void make_node(struct input_mock *mock)
{
    g_autofree char *path = testbed_node_path(mock->testbed, mock->node);
    g_autofree char *hidden = g_strconcat(path, ".new", NULL);

    g_assert(mkfifo(hidden, 0600) == 0);
    mock->writer = open(hidden, O_RDWR | O_CLOEXEC);
    g_assert(mock->writer >= 0);
    fcntl(mock->writer, F_SETPIPE_SZ, PIPE_SIZE);
    g_assert(rename(hidden, path) == 0);
}

struct input_mock *input_mock_new(UMockdevTestbed *testbed, unsigned number, bool types)
{
    struct input_mock *mock = g_new0(struct input_mock, 1);
    g_autofree char *path = NULL, *directory = NULL;

    mock->testbed = testbed;
    mock->types = types;
    g_mutex_init(&mock->lock);
    snprintf(mock->node, sizeof mock->node, "/dev/input/event%u", number);
    path = testbed_node_path(testbed, mock->node);
    directory = g_path_get_dirname(path);
    g_assert(g_mkdir_with_parents(directory, 0755) == 0);
    make_node(mock);
    mock->handler = umockdev_ioctl_base_new();
    g_signal_connect(mock->handler, "handle-ioctl", G_CALLBACK(handle_ioctl), mock);
    g_signal_connect(mock->handler, "handle-read", G_CALLBACK(handle_read), mock);
    g_assert(umockdev_testbed_attach_ioctl(testbed, mock->node, mock->handler, NULL));
    return mock;
}

void input_mock_free(struct input_mock *mock)
{
    g_autofree char *path = testbed_node_path(mock->testbed, mock->node);

    umockdev_testbed_detach_ioctl(mock->testbed, mock->node, NULL);
    g_signal_handlers_disconnect_by_data(mock->handler, mock);
    g_object_unref(mock->handler);
    unlink(path);
    if (mock->writer >= 0)
        close(mock->writer);
    g_mutex_clear(&mock->lock);
    g_free(mock);
}

void input_mock_link(struct input_mock *mock, const char *name)
{
    g_autofree char *node = g_strconcat("/dev/input/by-id/", name, NULL);
    g_autofree char *path = testbed_node_path(mock->testbed, node);
    g_autofree char *directory = g_path_get_dirname(path);
    g_autofree char *target = g_strconcat("../", strrchr(mock->node, '/') + 1, NULL);

    g_assert(g_mkdir_with_parents(directory, 0755) == 0);
    g_assert(symlink(target, path) == 0);
}

static void send(struct input_mock *mock, unsigned type, unsigned code, int value)
{
    const struct input_event event = {
        .type = (uint16_t)type, .code = (uint16_t)code, .value = value};

    g_assert(write(mock->writer, &event, sizeof event) == sizeof event);
}

void input_mock_event(struct input_mock *mock, unsigned key, int value)
{
    send(mock, EV_KEY, key, value);
    send(mock, EV_SYN, SYN_REPORT, 0);
}

void input_mock_key(struct input_mock *mock, unsigned key)
{
    input_mock_event(mock, key, 1);
    input_mock_event(mock, key, 0);
}

/* By rows of the keyboard: the keys of a row follow each other. */
static const struct {
    unsigned first;
    const char *plain, *shifted;
} rows[] = {
    {KEY_1, "1234567890-=", "!@#$%^&*()_+"},
    {KEY_Q, "qwertyuiop[]", "QWERTYUIOP{}"},
    {KEY_A, "asdfghjkl;'`", "ASDFGHJKL:\"~"},
    {KEY_BACKSLASH, "\\zxcvbnm,./", "|ZXCVBNM<>?"},
    {KEY_SPACE, " ", ""},
    {KEY_ENTER, "\n", ""},
    {KEY_TAB, "\t", ""},
};

static void type_character(struct input_mock *mock, char character)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *plain = strchr(rows[i].plain, character);
        const char *shifted = strchr(rows[i].shifted, character);

        if (plain) {
            input_mock_key(mock, rows[i].first + (unsigned)(plain - rows[i].plain));
            return;
        }
        if (shifted) {
            input_mock_event(mock, KEY_LEFTSHIFT, 1);
            input_mock_key(mock, rows[i].first + (unsigned)(shifted - rows[i].shifted));
            input_mock_event(mock, KEY_LEFTSHIFT, 0);
            return;
        }
    }
    g_assert_not_reached();
}

void input_mock_type(struct input_mock *mock, const char *text)
{
    for (; *text; text++)
        type_character(mock, *text);
}

bool input_mock_is_heard(struct input_mock *mock)
{
    int left = 0;

    g_assert(ioctl(mock->writer, FIONREAD, &left) == 0);
    return !left;
}

void input_mock_drop(struct input_mock *mock)
{
    send(mock, EV_SYN, SYN_DROPPED, 0);
    send(mock, EV_SYN, SYN_REPORT, 0);
}

void input_mock_unplug(struct input_mock *mock)
{
    g_autofree char *path = testbed_node_path(mock->testbed, mock->node);

    unlink(path);
    g_mutex_lock(&mock->lock);
    mock->is_gone = true;
    g_mutex_unlock(&mock->lock);
    close(mock->writer);
    mock->writer = -1;
}

void input_mock_plug(struct input_mock *mock)
{
    g_mutex_lock(&mock->lock);
    mock->is_gone = mock->is_grabbed = false;
    g_mutex_unlock(&mock->lock);
    make_node(mock);
}

void input_mock_refuse_grab(struct input_mock *mock, int number)
{
    g_mutex_lock(&mock->lock);
    mock->grab_failure = number;
    g_mutex_unlock(&mock->lock);
}

bool input_mock_is_grabbed(struct input_mock *mock)
{
    bool is_grabbed;

    g_mutex_lock(&mock->lock);
    is_grabbed = mock->is_grabbed;
    g_mutex_unlock(&mock->lock);
    return is_grabbed;
}
