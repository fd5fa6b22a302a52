/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tests of the driver of the Angel Eye shoe, with the script in its place. */
#include "tests/support/devices/scripted.h"

SCRIPTED("devices/scripts/examples/angel-eye.lua")

#include "tests/devices/shoe/angel_eye/test_driver.c"
