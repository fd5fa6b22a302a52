/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the libraries of a box share: taking functions of Lua's own with the cost of what they work
 * through in one step. All of it runs inside Lua and raises its errors.
 */
#ifndef DEVICES_SCRIPTS_LIBRARY_H
#define DEVICES_SCRIPTS_LIBRARY_H

#include "devices/scripts/box.h"

/*
 * Puts functions of the library at `from` into the table on top of the stack: each is the upvalue
 * of `around`, or as it is where that is NULL. `names` ends with a NULL.
 */
void library_take(lua_State *lua, int from, const char *const *names, lua_CFunction around);

/*
 * Goes on as the upvalue, a function of C, in its place: with its arguments, and what it returns.
 * What a library_take() function ends with.
 */
int library_go_on(lua_State *lua);

/* The same after the cost of the texts among them. */
int library_charged(lua_State *lua);

/* Steps that all texts among the arguments are worth. */
uint64_t library_cost(lua_State *lua);

/* Pushes a value as text, by its __tostring or the name of its type, never by its address. */
void library_text(lua_State *lua, int at);

/* The functions of those names (metatables.c); the first has Lua's own as its upvalue. */
int library_setmetatable(lua_State *lua);
int library_getmetatable(lua_State *lua);

#endif
