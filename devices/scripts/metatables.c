/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Metatables of a box. A table gets a copy of what its metatable is when it is first set, which the
 * script cannot reach: no finalizer, which would run where no steps are counted, and no weak table,
 * which changes when nobody looks, can come into it later. Chains are short, since Lua follows one
 * to its end in a single step.
 */
#include <string.h>

#include "devices/scripts/library.h"

#define CHAIN 32 /* tables that one step may look through */

/* Keys of the registry: copies by metatable; by table, how many chains come through it at most. */
static const char copies, heights;
/* Key of a copy: what it was made of. */
static const char original;

/* A table of the registry whose keys are weak. */
static void push_weak(lua_State *lua, const void *key)
{
    if (lua_rawgetp(lua, LUA_REGISTRYINDEX, key) == LUA_TTABLE)
        return;
    lua_pop(lua, 1);
    lua_newtable(lua);
    lua_createtable(lua, 0, 1);
    lua_pushliteral(lua, "k");
    lua_setfield(lua, -2, "__mode");
    lua_setmetatable(lua, -2);
    lua_pushvalue(lua, -1);
    lua_rawsetp(lua, LUA_REGISTRYINDEX, key);
}

static void check_name(lua_State *lua, const char *name)
{
    if (!strcmp(name, "__gc") || !strcmp(name, "__mode"))
        luaL_error(lua, "a metatable with '%s' has no place here", name);
}

/* Puts the copy of a metatable on the stack. */
static void push_copy(lua_State *lua, int metatable)
{
    push_weak(lua, &copies);
    lua_pushvalue(lua, metatable);
    if (lua_rawget(lua, -2) == LUA_TTABLE) {
        lua_remove(lua, -2);
        return;
    }
    lua_pop(lua, 1);
    lua_newtable(lua);
    for (lua_pushnil(lua); lua_next(lua, metatable);) {
        const char *name = lua_type(lua, -2) == LUA_TSTRING ? lua_tostring(lua, -2) : "";

        box_charge(lua, 1);
        if (strncmp(name, "__", 2) != 0) {
            lua_pop(lua, 1);
            continue;
        }
        check_name(lua, name);
        lua_pushvalue(lua, -2);
        lua_insert(lua, -2);
        lua_rawset(lua, -4);
    }
    lua_pushvalue(lua, metatable);
    lua_rawsetp(lua, -2, &original);
    lua_pushvalue(lua, metatable);
    lua_pushvalue(lua, -2);
    lua_rawset(lua, -4);
    lua_remove(lua, -2);
}

static lua_Integer height_of(lua_State *lua, int table)
{
    lua_Integer height;

    push_weak(lua, &heights);
    lua_pushvalue(lua, table);
    lua_rawget(lua, -2);
    height = lua_tointeger(lua, -1);
    lua_pop(lua, 2);
    return height;
}

static void raise(lua_State *lua, int table, lua_Integer height)
{
    push_weak(lua, &heights);
    lua_pushvalue(lua, table);
    lua_pushinteger(lua, height);
    lua_rawset(lua, -3);
    lua_pop(lua, 1);
}

/*
 * A table of that height has this metatable: what it leads to is one further down the chain. False
 * when that is too long.
 */
static bool lengthen(lua_State *lua, lua_Integer height, int metatable)
{
    static const char *const leads[] = {"__index", "__newindex", "__call"};

    bool is_short = true;

    luaL_checkstack(lua, 8, "a chain of metatables");
    for (unsigned i = 0; i < sizeof leads / sizeof leads[0] && is_short; i++) {
        lua_pushstring(lua, leads[i]);
        if (lua_rawget(lua, metatable) == LUA_TTABLE && height_of(lua, lua_gettop(lua)) <= height) {
            box_charge(lua, 1);
            raise(lua, lua_gettop(lua), height + 1);
            is_short = height < CHAIN;
            if (is_short && lua_getmetatable(lua, -1)) {
                is_short = lengthen(lua, height + 1, lua_gettop(lua));
                lua_pop(lua, 1);
            }
        }
        lua_pop(lua, 1);
    }
    return is_short;
}

int library_setmetatable(lua_State *lua)
{
    luaL_checktype(lua, 1, LUA_TTABLE);
    if (lua_type(lua, 2) != LUA_TTABLE)
        return library_go_on(lua);
    lua_settop(lua, 2);
    push_copy(lua, 2);
    lua_replace(lua, 2);
    library_go_on(lua); /* leaves the table, with its metatable */
    lua_settop(lua, 1);
    lua_getmetatable(lua, 1);
    if (!lengthen(lua, height_of(lua, 1), 2)) {
        lua_pushnil(lua);
        lua_setmetatable(lua, 1);
        luaL_error(lua, "a chain of more than %d metatables has no place here", CHAIN);
    }
    lua_settop(lua, 1);
    return 1;
}

int library_getmetatable(lua_State *lua)
{
    luaL_checkany(lua, 1);
    if (!lua_getmetatable(lua, 1)) {
        lua_pushnil(lua);
        return 1;
    }
    if (luaL_getmetafield(lua, 1, "__metatable") == LUA_TNIL)
        lua_rawgetp(lua, -1, &original);
    return 1;
}
