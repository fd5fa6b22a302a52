/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A device that types, on a node of umockdev's: it answers the ioctls of the kernel's input
 * interface, so that libevdev runs on it unchanged. The test owns it, and frees it after the last
 * use of its node and before the testbed. Run under umockdev-wrapper.
 */
#ifndef TESTS_SUPPORT_MOCK_INPUT_MOCK_H
#define TESTS_SUPPORT_MOCK_INPUT_MOCK_H

#include <stdbool.h>
#include <umockdev.h>

struct input_mock;

/* /dev/input/eventNUMBER; one that does not type is a mouse. */
struct input_mock *input_mock_new(UMockdevTestbed *testbed, unsigned number, bool types);
void input_mock_free(struct input_mock *mock);

/* A name of udev's for it, /dev/input/by-id/NAME. */
void input_mock_link(struct input_mock *mock, const char *name);

/* Types the characters of ASCII that a US keyboard has; '\n' is Enter, '\t' Tab. */
void input_mock_type(struct input_mock *mock, const char *text);

/* One key pressed and let go. */
void input_mock_key(struct input_mock *mock, unsigned key);
/* Value 0 let go, 1 pressed, 2 repeated. */
void input_mock_event(struct input_mock *mock, unsigned key, int value);

/* Whether all that was typed has been read. */
bool input_mock_is_heard(struct input_mock *mock);

/* The kernel says that it has dropped events. */
void input_mock_drop(struct input_mock *mock);

/* The node is gone; who has it open is hung up on, and reading it fails with ENODEV. */
void input_mock_unplug(struct input_mock *mock);

/* The same device is there again, at the same node. */
void input_mock_plug(struct input_mock *mock);

/* Grabbing it fails with that errno. */
void input_mock_refuse_grab(struct input_mock *mock, int number);

bool input_mock_is_grabbed(struct input_mock *mock);

#endif
