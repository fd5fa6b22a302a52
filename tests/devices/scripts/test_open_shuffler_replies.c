/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Replies of a hostile shuffler, with the script in its place. */
#include "tests/support/devices/scripted.h"

SCRIPTED("devices/scripts/examples/open-shuffler.lua")

#include "tests/devices/shuffler/open/test_replies.c"
