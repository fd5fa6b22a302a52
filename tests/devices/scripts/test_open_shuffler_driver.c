/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tests of the driver of the open shuffler, with the script in its place. */
#include "tests/support/devices/scripted.h"

SCRIPTED("devices/scripts/examples/open-shuffler.lua")

#include "tests/devices/shuffler/open/test_driver.c"
