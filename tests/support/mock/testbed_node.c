/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/mock/testbed_node.h"

#include <fcntl.h>
#include <pty.h>
#include <sys/fsuid.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

UMockdevTestbed *testbed_new(void)
{
    umask(022);
    return umockdev_testbed_new();
}

char *testbed_node_path(UMockdevTestbed *testbed, const char *node)
{
    g_autofree char *root = umockdev_testbed_get_root_dir(testbed);

    return g_strconcat(root, node, NULL);
}

void testbed_node_make(UMockdevTestbed *testbed, const char *node, int *master, int *slave)
{
    g_autofree char *path = testbed_node_path(testbed, node);
    g_autofree char *directory = g_path_get_dirname(path);
    struct termios raw;
    char name[64];

    g_assert(openpty(master, slave, name, NULL, NULL) == 0);
    fcntl(*master, F_SETFD, FD_CLOEXEC);
    fcntl(*slave, F_SETFD, FD_CLOEXEC);
    g_assert(tcgetattr(*slave, &raw) == 0);
    cfmakeraw(&raw);
    g_assert(tcsetattr(*slave, TCSANOW, &raw) == 0);
    g_assert(g_mkdir_with_parents(directory, 0755) == 0);
    g_assert(symlink(name, path) == 0);
}

void testbed_node_make_plain(UMockdevTestbed *testbed, const char *node)
{
    g_autofree char *path = testbed_node_path(testbed, node);

    g_assert(unlink(path) == 0);
    g_assert(g_file_set_contents(path, "", 0, NULL));
}

void testbed_give_up_privileges(UMockdevTestbed *testbed, const char *node, bool give_up)
{
    g_autofree char *root = umockdev_testbed_get_root_dir(testbed);
    g_autofree char *socket = g_strconcat(root, "/ioctl", node, NULL);

    /* libusb's socket to udev is made in the root. */
    chmod(root, 0777);
    chmod(socket, 0777);
    if (geteuid() == 0)
        setfsuid(give_up ? 65534 : 0);
}

void testbed_describe(GString *text, const char *attribute, const char *value)
{
    if (value)
        g_string_append_printf(text, "A: %s=%s\\n\n", attribute, value);
}
