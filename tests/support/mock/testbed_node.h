/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Nodes in /dev of a mocked machine: each is a raw pseudo-terminal, whose other end is the mocked
 * device's. The caller owns the descriptors and the texts (g_free).
 */
#ifndef TESTS_SUPPORT_MOCK_TESTBED_NODE_H
#define TESTS_SUPPORT_MOCK_TESTBED_NODE_H

#include <stdbool.h>
#include <umockdev.h>

/* A machine that everybody may look into, whatever the umask: one's /dev and /sys are such. */
UMockdevTestbed *testbed_new(void);

/* Where "/dev/ttyS4" of the mocked machine really is. */
char *testbed_node_path(UMockdevTestbed *testbed, const char *node);

void testbed_node_make(UMockdevTestbed *testbed, const char *node, int *master, int *slave);

/*
 * A plain file in the node's place, for programs that only look for it: they run with umockdev's
 * own realpath(), which a node that leads to a pseudo-terminal makes write beyond its memory.
 */
void testbed_node_make_plain(UMockdevTestbed *testbed, const char *node);

/*
 * Root may open everything, so for file access this thread is nobody for a while. What umockdev
 * itself needs for the node stays open to it.
 */
void testbed_give_up_privileges(UMockdevTestbed *testbed, const char *node, bool give_up);

/* One line of a device's description; nothing if there is no value. */
void testbed_describe(GString *text, const char *attribute, const char *value);

#endif
