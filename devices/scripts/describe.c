/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/scripts/describe.h"

#include <stdlib.h>
#include <string.h>

#include "devices/scripts/script.h"
#include "hal/base/json_text.h"
#include "hal/base/printable.h"

#define NAME_MAX_HERE 64
#define DETAILS_MAX   8192
#define DEPTH_MAX     4 /* of lists and tables within details */

struct script_describer {
    struct script script;
    int split, describe; /* references; LUA_NOREF: what came at once is a frame */
    int work;            /* of the function below */
    int splitters[2];    /* by direction; LUA_NOREF before the first */
};

/* Bytes that passed, while they are described. */
struct passing {
    struct script_describer *describer;
    bool from_device;
    const uint8_t *bytes;
    size_t count;
    nanos_t time;
    script_message_told *told;
    void *context;
};

static void put_value(lua_State *lua, struct json_text *text, unsigned depth);

static void put_number(lua_State *lua, struct json_text *text)
{
    lua_Number number = lua_tonumber(lua, -1);

    if (lua_isinteger(lua, -1))
        json_text_number(text, lua_tointeger(lua, -1));
    else if (number - number != 0) /* there is no such number in JSON */
        JSON_TEXT_PUT(text, "null");
    else
        json_text_real(text, number, 15);
}

static void put_list(lua_State *lua, struct json_text *text, unsigned depth)
{
    lua_Integer count = (lua_Integer)lua_rawlen(lua, -1);

    JSON_TEXT_PUT(text, "[");
    for (lua_Integer i = 1; i <= count; i++) {
        if (i > 1)
            JSON_TEXT_PUT(text, ",");
        lua_rawgeti(lua, -1, i);
        put_value(lua, text, depth);
        lua_pop(lua, 1);
    }
    JSON_TEXT_PUT(text, "]");
}

/* The names of a table, in their order, on top of it. */
static lua_Integer push_names(lua_State *lua)
{
    int table = lua_gettop(lua);
    lua_Integer count = 0;

    lua_newtable(lua);
    for (lua_pushnil(lua); lua_next(lua, table); lua_pop(lua, 1)) {
        lua_Integer at = ++count;

        box_charge(lua, (uint64_t)count);

        if (lua_type(lua, -2) != LUA_TSTRING)
            luaL_error(lua, "describe(): a %s is no name of a detail", luaL_typename(lua, -2));
        for (; at > 1; at--) {
            lua_rawgeti(lua, table + 1, at - 1);
            if (lua_compare(lua, -1, -3, LUA_OPLT))
                break;
            lua_rawseti(lua, table + 1, at);
        }
        if (at > 1)
            lua_pop(lua, 1);
        lua_pushvalue(lua, -2);
        lua_rawseti(lua, table + 1, at);
    }
    return count;
}

static void put_members(lua_State *lua, struct json_text *text, unsigned depth)
{
    lua_Integer count = push_names(lua);

    JSON_TEXT_PUT(text, "{");
    for (lua_Integer i = 1; i <= count; i++) {
        if (i > 1)
            JSON_TEXT_PUT(text, ",");
        lua_rawgeti(lua, -1, i);
        json_text_string(text, lua_tostring(lua, -1));
        JSON_TEXT_PUT(text, ":");
        lua_rawget(lua, -3);
        put_value(lua, text, depth);
        lua_pop(lua, 1);
    }
    JSON_TEXT_PUT(text, "}");
    lua_pop(lua, 1);
}

static void put_value(lua_State *lua, struct json_text *text, unsigned depth)
{
    luaL_checkstack(lua, 8, "details");
    switch (lua_type(lua, -1)) {
    case LUA_TNIL:
        JSON_TEXT_PUT(text, "null");
        break;
    case LUA_TBOOLEAN:
        if (lua_toboolean(lua, -1))
            JSON_TEXT_PUT(text, "true");
        else
            JSON_TEXT_PUT(text, "false");
        break;
    case LUA_TNUMBER:
        put_number(lua, text);
        break;
    case LUA_TSTRING:
        json_text_string(text, lua_tostring(lua, -1));
        break;
    case LUA_TTABLE:
        if (depth == DEPTH_MAX)
            luaL_error(lua, "describe(): details are at most %d tables deep", DEPTH_MAX);
        if (lua_rawlen(lua, -1))
            put_list(lua, text, depth + 1);
        else
            put_members(lua, text, depth + 1);
        break;
    default:
        luaL_error(lua, "describe(): a %s is no detail", luaL_typename(lua, -1));
    }
}

/* The results of describe() are the last two on the stack. */
static void tell(lua_State *lua, const struct passing *passing, struct script_message *message)
{
    char name[NAME_MAX_HERE], details[DETAILS_MAX + 1] = "{}";
    struct json_text text;

    if (lua_type(lua, -2) == LUA_TSTRING) {
        printable_copy(name, sizeof name, lua_tostring(lua, -2));
        message->name = name;
    } else if (lua_isboolean(lua, -2) && !lua_toboolean(lua, -2)) {
        message->is_damaged = true;
    } else if (!lua_isnil(lua, -2)) {
        luaL_error(lua, "describe(): it returns a %s where the name of a frame belongs",
                   luaL_typename(lua, -2));
    }
    if (lua_type(lua, -1) == LUA_TTABLE) {
        json_text_begin(&text, details, DETAILS_MAX);
        put_members(lua, &text, 0);
        *text.at = '\0';
        if (text.full)
            luaL_error(lua, "describe(): details have at most %d bytes", DETAILS_MAX);
    } else if (!lua_isnil(lua, -1)) {
        luaL_error(lua, "describe(): its details are a %s; they must be a table",
                   luaL_typename(lua, -1));
    }
    message->details = details;
    passing->told(passing->context, message);
}

/* The frame is on top of the stack, and stays there. */
static void describe_frame(lua_State *lua, const struct passing *passing, bool is_damaged)
{
    struct script_message message = {
        .from_device = passing->from_device, .time = passing->time, .is_damaged = is_damaged};

    message.bytes = (const uint8_t *)lua_tolstring(lua, -1, &message.count);
    if (!message.bytes)
        luaL_error(lua, "split(): its splitter gives a %s; it must give a text",
                   luaL_typename(lua, -1));
    lua_rawgeti(lua, LUA_REGISTRYINDEX, passing->describer->describe);
    lua_pushvalue(lua, -2);
    lua_pushboolean(lua, passing->from_device);
    lua_call(lua, 2, 2);
    tell(lua, passing, &message);
    lua_pop(lua, 2);
}

/* The splitter of a direction, made when it is first needed. */
static void push_splitter(lua_State *lua, const struct passing *passing)
{
    int *splitter = &passing->describer->splitters[passing->from_device];

    if (*splitter == LUA_NOREF) {
        lua_rawgeti(lua, LUA_REGISTRYINDEX, passing->describer->split);
        lua_call(lua, 0, 1);
        *splitter = luaL_ref(lua, LUA_REGISTRYINDEX);
    }
    lua_rawgeti(lua, LUA_REGISTRYINDEX, *splitter);
}

/* for frame, damage in splitter:feed(bytes) do describe(frame, from_device) end */
static int describe_bytes(lua_State *lua)
{
    const struct passing *passing = lua_touserdata(lua, 1);

    if (passing->describer->split == LUA_NOREF) {
        lua_pushlstring(lua, (const char *)passing->bytes, passing->count);
        describe_frame(lua, passing, false);
        return 0;
    }
    push_splitter(lua, passing);
    lua_getfield(lua, -1, "feed");
    lua_insert(lua, -2);
    lua_pushlstring(lua, (const char *)passing->bytes, passing->count);
    lua_call(lua, 2, 3);
    for (;;) {
        lua_settop(lua, 4);
        lua_pushvalue(lua, 2);
        lua_pushvalue(lua, 3);
        lua_pushvalue(lua, 4);
        lua_call(lua, 2, 2);
        if (lua_isnil(lua, 5))
            return 0;
        lua_copy(lua, 5, 4);
        lua_pushvalue(lua, 5);
        describe_frame(lua, passing, !lua_isnil(lua, 6));
    }
}

static int find_functions(lua_State *lua)
{
    struct script_describer *describer = lua_touserdata(lua, 1);

    lua_rawgeti(lua, LUA_REGISTRYINDEX, describer->script.box.table);
    describer->split = box_function(lua, "split");
    describer->describe = box_function(lua, "describe");
    lua_pushcfunction(lua, describe_bytes);
    describer->work = luaL_ref(lua, LUA_REGISTRYINDEX);
    return 0;
}

int script_describer_open(struct script_describer **describer, const char *path,
                          struct error *error)
{
    struct script_describer *opened = calloc(1, sizeof *opened);
    struct error said;
    int status;

    *describer = NULL;
    if (!opened)
        return error_set(error, ERROR_RIG, "%s: not enough memory to load it", path);
    opened->splitters[0] = opened->splitters[1] = LUA_NOREF;
    status = script_load(&opened->script, NULL, path, 1, error);
    if (!status && box_protect(&opened->script.box, find_functions, opened, &said))
        status = error_set(error, ERROR_CONFIG, "%s", said.text);
    if (!status && opened->describe == LUA_NOREF)
        status =
            error_set(error, ERROR_CONFIG,
                      "%s: it has no function 'describe', which says what a frame means", path);
    if (status) {
        script_describer_close(opened);
        return status;
    }
    *describer = opened;
    return 0;
}

void script_describer_close(struct script_describer *describer)
{
    if (describer && describer->script.path)
        script_close(&describer->script);
    free(describer);
}

enum device_class script_describer_class(const struct script_describer *describer)
{
    return describer->script.class->class;
}

static int give_passing(lua_State *lua, void *context)
{
    lua_pushlightuserdata(lua, context);
    return 1;
}

int script_describe(struct script_describer *describer, bool from_device, const uint8_t *bytes,
                    size_t count, nanos_t time, script_message_told *told, void *context,
                    struct error *error)
{
    struct box *box = &describer->script.box;
    struct passing passing = {describer, from_device, bytes, count, time, told, context};
    const struct box_call call = {
        .function = describer->work, .name = "describe", .give = give_passing, .context = &passing};
    int status;

    if (!count)
        return 0;
    box_renew(box, NEVER);
    status = box_start(box, box->callbacks, &call, error);
    return status < 0 ? status : 0;
}
