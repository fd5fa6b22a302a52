/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The basic functions of a box, `math` and `table`: Lua's own, bounded and the same each time. */
#include "devices/scripts/library.h"

#include <lualib.h>
#include <stdlib.h>
#include <string.h>

#include "hal/base/random.h"

void library_take(lua_State *lua, int from, const char *const *names, lua_CFunction around)
{
    for (; *names; names++) {
        lua_getfield(lua, from, *names);
        if (around)
            lua_pushcclosure(lua, around, 1);
        lua_setfield(lua, -2, *names);
    }
}

int library_go_on(lua_State *lua)
{
    return lua_tocfunction(lua, lua_upvalueindex(1))(lua);
}

uint64_t library_cost(lua_State *lua)
{
    uint64_t cost = 0;

    for (int i = lua_gettop(lua); i > 0; i--)
        if (lua_type(lua, i) == LUA_TSTRING)
            cost += lua_rawlen(lua, i) / 16;
    return cost;
}

int library_charged(lua_State *lua)
{
    box_charge(lua, library_cost(lua));
    return library_go_on(lua);
}

void library_text(lua_State *lua, int at)
{
    if (luaL_callmeta(lua, at, "__tostring")) {
        if (lua_type(lua, -1) != LUA_TSTRING)
            luaL_error(lua, "'__tostring' must return a text");
        return;
    }
    if (lua_type(lua, at) >= LUA_TTABLE || lua_type(lua, at) == LUA_TLIGHTUSERDATA)
        lua_pushstring(lua, luaL_typename(lua, at));
    else
        luaL_tolstring(lua, at, NULL);
}

static int base_tostring(lua_State *lua)
{
    luaL_checkany(lua, 1);
    library_text(lua, 1);
    return 1;
}

static int base_print(lua_State *lua)
{
    const struct box *box = box_of(lua);
    int count = lua_gettop(lua);
    luaL_Buffer line;

    if (!box->printed)
        return 0;
    luaL_buffinit(lua, &line);
    for (int i = 1; i <= count; i++) {
        if (i > 1)
            luaL_addchar(&line, ' ');
        library_text(lua, i);
        luaL_addvalue(&line);
    }
    luaL_pushresult(&line);
    box->printed(box->printed_context, lua_tostring(lua, -1));
    return 0;
}

/* A bound of the box, and what a function of the host has ended, are not the script's to catch. */
static int caught(lua_State *lua, int status, lua_KContext context)
{
    struct box *box = box_of(lua);

    (void)context;
    if (status == LUA_OK || status == LUA_YIELD)
        return lua_gettop(lua);
    if (status == LUA_ERRMEM)
        box->bound = BOX_OUT_OF_MEMORY;
    if (box->bound || box->is_ending)
        return lua_error(lua);
    lua_pushboolean(lua, false);
    lua_insert(lua, -2);
    return 2;
}

static int base_pcall(lua_State *lua)
{
    luaL_checkany(lua, 1);
    lua_pushboolean(lua, true);
    lua_insert(lua, 1);
    return caught(lua, lua_pcallk(lua, lua_gettop(lua) - 2, LUA_MULTRET, 0, 0, caught), 0);
}

/* A key of a table, while they are put in order. */
struct key {
    int type;
    bool is_integer;
    lua_Integer integer;
    lua_Number number;
    const char *text;
    size_t length;
};

static int compare_texts(const struct key *a, const struct key *b)
{
    int order = memcmp(a->text, b->text, a->length < b->length ? a->length : b->length);

    return order ? order : (a->length > b->length) - (a->length < b->length);
}

static int compare_keys(const void *first, const void *second)
{
    const struct key *a = first, *b = second;

    if (a->type != b->type)
        return a->type - b->type;
    if (a->type == LUA_TSTRING)
        return compare_texts(a, b);
    if (a->is_integer && b->is_integer)
        return (a->integer > b->integer) - (a->integer < b->integer);
    return (a->number > b->number) - (a->number < b->number);
}

/* Booleans stand before numbers, numbers before texts, as Lua numbers its types. */
static void read_key(lua_State *lua, struct key *key)
{
    *key = (struct key){.type = lua_type(lua, -1)};
    switch (key->type) {
    case LUA_TSTRING:
        key->text = lua_tolstring(lua, -1, &key->length);
        break;
    case LUA_TNUMBER:
        key->is_integer = lua_isinteger(lua, -1);
        key->integer = lua_tointeger(lua, -1);
        key->number = lua_tonumber(lua, -1);
        break;
    case LUA_TBOOLEAN:
        key->number = lua_toboolean(lua, -1);
        break;
    default:
        luaL_error(lua, "pairs: a %s among the keys has no order; use numbers or texts",
                   luaL_typename(lua, -1));
    }
}

static void push_key(lua_State *lua, const struct key *key)
{
    if (key->type == LUA_TSTRING)
        lua_pushlstring(lua, key->text, key->length);
    else if (key->type == LUA_TBOOLEAN)
        lua_pushboolean(lua, key->number != 0);
    else if (key->is_integer)
        lua_pushinteger(lua, key->integer);
    else
        lua_pushnumber(lua, key->number);
}

/* Upvalues: the keys, the table, how many were given. */
static int next_pair(lua_State *lua)
{
    lua_Integer at = lua_tointeger(lua, lua_upvalueindex(3));

    for (;;) {
        if (lua_rawgeti(lua, lua_upvalueindex(1), ++at) == LUA_TNIL)
            return 1;
        lua_pushvalue(lua, -1);
        if (lua_rawget(lua, lua_upvalueindex(2)) != LUA_TNIL)
            break;
        lua_pop(lua, 2);
    }
    lua_pushinteger(lua, at);
    lua_replace(lua, lua_upvalueindex(3));
    return 2;
}

/* Where Lua keeps a key depends on a number that it draws when it starts. */
static int base_pairs(lua_State *lua)
{
    lua_Integer count = 0;
    struct key *keys;

    luaL_checktype(lua, 1, LUA_TTABLE);
    lua_settop(lua, 1);
    for (lua_pushnil(lua); lua_next(lua, 1); lua_pop(lua, 1))
        count++;
    box_charge_steps(lua, 8 * (uint64_t)count);
    keys = lua_newuserdatauv(lua, sizeof *keys * (size_t)(count + 1), 0);
    count = 0;
    for (lua_pushnil(lua); lua_next(lua, 1);) {
        lua_pop(lua, 1);
        read_key(lua, &keys[count++]);
    }
    qsort(keys, (size_t)count, sizeof *keys, compare_keys);
    lua_createtable(lua, (int)count, 0);
    for (lua_Integer i = 0; i < count; i++) {
        push_key(lua, &keys[i]);
        lua_rawseti(lua, -2, i + 1);
    }
    lua_pushvalue(lua, 1);
    lua_pushinteger(lua, 0);
    lua_pushcclosure(lua, next_pair, 3);
    return 1;
}

/* As Lua's, drawn from the seed of the bench. */
static int math_random(lua_State *lua)
{
    uint64_t drawn = random_next(&box_of(lua)->random), range;
    lua_Integer low = 1, high;

    switch (lua_gettop(lua)) {
    case 0:
        lua_pushnumber(lua, (lua_Number)(drawn >> 11) / 9007199254740992.0);
        return 1;
    case 1:
        high = luaL_checkinteger(lua, 1);
        break;
    default:
        low = luaL_checkinteger(lua, 1);
        high = luaL_checkinteger(lua, 2);
    }
    luaL_argcheck(lua, low <= high, lua_gettop(lua), "interval is empty");
    range = (uint64_t)high - (uint64_t)low + 1;
    lua_pushinteger(lua, (lua_Integer)((uint64_t)low + (range ? drawn % range : drawn)));
    return 1;
}

static void make_math(lua_State *lua)
{
    luaopen_math(lua);
    lua_pushnil(lua);
    lua_setfield(lua, -2, "randomseed");
    lua_pushcfunction(lua, math_random);
    lua_setfield(lua, -2, "random");
}

/* A table without surprises, whose length is what it holds. */
static uint64_t check_plain(lua_State *lua, int at)
{
    luaL_checktype(lua, at, LUA_TTABLE);
    if (lua_getmetatable(lua, at))
        luaL_error(lua, "the functions of 'table' take no table with a metatable");
    return lua_rawlen(lua, at);
}

static int table_charged(lua_State *lua)
{
    box_charge(lua, check_plain(lua, 1));
    return library_go_on(lua);
}

static int table_sort(lua_State *lua)
{
    box_charge_steps(lua, 16 * check_plain(lua, 1));
    return library_go_on(lua);
}

/* How many elements the arguments `first` and `last` span, of a table of that length. */
static void charge_span(lua_State *lua, int first, int last, uint64_t length)
{
    lua_Integer from = luaL_optinteger(lua, first, 1);
    lua_Integer to = luaL_optinteger(lua, last, (lua_Integer)length);

    if (to >= from)
        box_charge(lua, (uint64_t)to - (uint64_t)from + 1 ? (uint64_t)to - (uint64_t)from + 1
                                                          : BOX_STEPS);
}

static int table_concat(lua_State *lua)
{
    charge_span(lua, 3, 4, check_plain(lua, 1));
    return library_go_on(lua);
}

static int table_unpack(lua_State *lua)
{
    charge_span(lua, 2, 3, check_plain(lua, 1));
    return library_go_on(lua);
}

static int table_move(lua_State *lua)
{
    charge_span(lua, 2, 3, check_plain(lua, 1));
    if (!lua_isnoneornil(lua, 5))
        check_plain(lua, 5);
    return library_go_on(lua);
}

void box_make_table(lua_State *lua)
{
    static const struct {
        const char *names[3];
        lua_CFunction around;
    } rows[] = {
        {{"insert", "remove", NULL}, table_charged},
        {{"sort", NULL}, table_sort},
        {{"concat", NULL}, table_concat},
        {{"unpack", NULL}, table_unpack},
        {{"move", NULL}, table_move},
        {{"pack", NULL}, NULL},
    };
    int all;

    luaopen_table(lua);
    all = lua_gettop(lua);
    lua_newtable(lua);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        library_take(lua, all, rows[i].names, rows[i].around);
    lua_remove(lua, all);
}

/* Methods of texts are those of a table that the script cannot reach. */
static void protect_texts(lua_State *lua)
{
    box_make_string(lua);
    lua_pushliteral(lua, "");
    lua_getmetatable(lua, -1);
    lua_pushvalue(lua, -3);
    lua_setfield(lua, -2, "__index");
    lua_pushboolean(lua, false);
    lua_setfield(lua, -2, "__metatable");
    lua_pop(lua, 3);
}

void box_make_globals(lua_State *lua)
{
    static const char *const plain[] = {"assert", "error",  "ipairs", "rawequal", "rawget",
                                        "rawlen", "rawset", "select", "type",     NULL};
    static const luaL_Reg own[] = {{"tostring", base_tostring},
                                   {"print", base_print},
                                   {"pcall", base_pcall},
                                   {"pairs", base_pairs},
                                   {"getmetatable", library_getmetatable},
                                   {NULL, NULL}};
    int all;

    luaopen_base(lua);
    all = lua_gettop(lua);
    lua_newtable(lua);
    library_take(lua, all, plain, NULL);
    library_take(lua, all, (const char *const[]){"tonumber", NULL}, library_charged);
    library_take(lua, all, (const char *const[]){"setmetatable", NULL}, library_setmetatable);
    luaL_setfuncs(lua, own, 0);
    box_make_string(lua);
    lua_setfield(lua, -2, "string");
    protect_texts(lua);
    box_make_table(lua);
    lua_setfield(lua, -2, "table");
    make_math(lua);
    lua_setfield(lua, -2, "math");
    box_make_bytes(lua);
    lua_setfield(lua, -2, "bytes");
    lua_pushvalue(lua, -1);
    lua_setfield(lua, -2, "_G");
    lua_remove(lua, all);
}
