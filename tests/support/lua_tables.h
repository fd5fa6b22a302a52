/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The messages of the open protocol as the tables of tools/dealproof.lua, in Lua. */
#ifndef TESTS_SUPPORT_LUA_TABLES_H
#define TESTS_SUPPORT_LUA_TABLES_H

#include <stdio.h>

void lua_tables_write(FILE *out);

#endif
