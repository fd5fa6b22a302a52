/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The suites of a driver, played with a script in its place. A suite opens its device by
 * scripted_open(); another one takes it in whole, after SCRIPTED() with the file of the script.
 */
#ifndef TESTS_SUPPORT_DEVICES_SCRIPTED_H
#define TESTS_SUPPORT_DEVICES_SCRIPTED_H

#include "devices/device.h"

#define SCRIPTED(path)                                                                             \
    __attribute__((constructor)) static void use_script(void)                                      \
    {                                                                                              \
        scripted_use(path);                                                                        \
    }

/* From now on every device is driven by that script. */
void scripted_use(const char *path);

/* Whether that is so: what only a driver of the program has cannot be looked at. */
bool scripted_is(void);

/* As device_open_on_link(). */
int scripted_open(struct device **device, enum device_class class, const char *driver,
                  struct link *link, const char *options, struct error *error);

#endif
