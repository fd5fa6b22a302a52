/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The splitter frames.delimited of a box: frames that end with a text. It stands in the way of
 * every byte of most protocols, so it is not written in Lua as the others are
 * (devices/scripts/frames.lua).
 */
#include <string.h>

#include "devices/scripts/box.h"

#define ENDING_MAX 16
#define MOST       65536
#define STANDARD   4096
#define SPLITTER   "dealproof.delimited"

/* What has come and was not given out is the text that it carries, from `at` on. */
struct splitter {
    char ending[ENDING_MAX];
    size_t ending_size, most, at;
    bool is_skipping; /* behind the beginning of a frame that was too long */
};

static struct splitter *check_splitter(lua_State *lua)
{
    return luaL_checkudata(lua, 1, SPLITTER);
}

/* The text that it carries, pushed. */
static const char *push_text(lua_State *lua, size_t *size)
{
    lua_getiuservalue(lua, 1, 1);
    return lua_tolstring(lua, -1, size);
}

static int give_frame(lua_State *lua, const char *frame, size_t size, const char *damage)
{
    lua_pushlstring(lua, frame, size);
    if (!damage)
        return 1;
    lua_pushstring(lua, damage);
    return 2;
}

/* The next frame of what it has; nothing when more must come. */
static int next_frame(lua_State *lua)
{
    struct splitter *self = check_splitter(lua);
    size_t size;
    const char *text = push_text(lua, &size);

    for (;;) {
        size_t from = self->at, left = size - from;
        const char *end = memmem(text + from, left, self->ending, self->ending_size);
        size_t length = end ? (size_t)(end - text) - from : left;
        bool was_skipping = self->is_skipping;

        box_charge(lua, length / 16);
        if (!end && left < self->most + self->ending_size)
            return 0;
        /* What may be the beginning of its end stays. */
        self->at = end ? from + length + self->ending_size : size - self->ending_size + 1;
        self->is_skipping = !end;
        if (was_skipping)
            continue;
        if (!end || length > self->most)
            return give_frame(lua, text + from, self->most, "too-long");
        return give_frame(lua, text + from, length, NULL);
    }
}

static int splitter_feed(lua_State *lua)
{
    struct splitter *self = check_splitter(lua);
    size_t size, come;
    const char *text;

    luaL_checklstring(lua, 2, &come);
    lua_settop(lua, 2);
    text = push_text(lua, &size);
    if (self->at < size) {
        box_charge(lua, (size - self->at + come) / 16);
        lua_pushlstring(lua, text + self->at, size - self->at);
        lua_pushvalue(lua, 2);
        lua_concat(lua, 2);
    } else {
        lua_pushvalue(lua, 2);
    }
    lua_setiuservalue(lua, 1, 1);
    self->at = 0;
    lua_pushcfunction(lua, next_frame);
    lua_pushvalue(lua, 1);
    return 2;
}

static int splitter_pending(lua_State *lua)
{
    const struct splitter *self = check_splitter(lua);
    size_t size;
    const char *text = push_text(lua, &size);

    lua_pushlstring(lua, text + self->at, size - self->at);
    return 1;
}

static int splitter_clear(lua_State *lua)
{
    struct splitter *self = check_splitter(lua);

    lua_pushliteral(lua, "");
    lua_setiuservalue(lua, 1, 1);
    self->at = 0;
    self->is_skipping = false;
    return 0;
}

static void set_methods(lua_State *lua)
{
    static const luaL_Reg methods[] = {{"feed", splitter_feed},
                                       {"pending", splitter_pending},
                                       {"clear", splitter_clear},
                                       {NULL, NULL}};

    if (luaL_newmetatable(lua, SPLITTER)) {
        luaL_newlib(lua, methods);
        lua_setfield(lua, -2, "__index");
        lua_pushboolean(lua, false);
        lua_setfield(lua, -2, "__metatable");
    }
    lua_setmetatable(lua, -2);
}

static void check_fields(lua_State *lua)
{
    luaL_checktype(lua, 1, LUA_TTABLE);
    for (lua_pushnil(lua); lua_next(lua, 1); lua_pop(lua, 1)) {
        const char *name = lua_type(lua, -2) == LUA_TSTRING ? lua_tostring(lua, -2) : "?";

        if (strcmp(name, "ending") != 0 && strcmp(name, "most") != 0)
            luaL_error(lua, "frames.delimited: there is no '%s'; it has ending and most", name);
    }
}

int box_delimited(lua_State *lua)
{
    struct splitter *self;
    size_t size = 0;
    const char *ending;
    lua_Integer most;
    int is_whole;

    check_fields(lua);
    lua_settop(lua, 1);
    ending = lua_getfield(lua, 1, "ending") == LUA_TSTRING ? lua_tolstring(lua, 2, &size) : NULL;
    if (!size || size > ENDING_MAX)
        return luaL_error(lua, "frames.delimited: 'ending' must be a text of 1 to %d bytes",
                          ENDING_MAX);
    most = lua_getfield(lua, 1, "most") == LUA_TNIL ? STANDARD : lua_tointegerx(lua, 3, &is_whole);
    if (most < 1 || most > MOST)
        return luaL_error(lua, "frames.delimited: 'most' must be from 1 to %d", MOST);
    self = lua_newuserdatauv(lua, sizeof *self, 1);
    *self = (struct splitter){.ending_size = size, .most = (size_t)most};
    memcpy(self->ending, ending, size);
    lua_pushliteral(lua, "");
    lua_setiuservalue(lua, -2, 1);
    set_methods(lua);
    return 1;
}
