/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The requests that all classes have. */
#include <stdio.h>
#include <string.h>

#include "devices/scripts/script.h"
#include "devices/scripts/values.h"

/* 32 bytes, or the 64 digits of them. */
static bool parse_digest(const char *text, size_t length, uint8_t digest[WIRE_DIGEST_SIZE])
{
    if (length == WIRE_DIGEST_SIZE) {
        memcpy(digest, text, WIRE_DIGEST_SIZE);
        return true;
    }
    if (length != 2 * WIRE_DIGEST_SIZE || strspn(text, "0123456789abcdefABCDEF") != length)
        return false;
    for (size_t i = 0; i < WIRE_DIGEST_SIZE; i++)
        sscanf(text + 2 * i, "%2hhx", &digest[i]);
    return true;
}

static void read_digest(lua_State *lua, uint8_t digest[WIRE_DIGEST_SIZE])
{
    size_t length = 0;
    const char *text;

    if (!value_is_given(lua, "digest"))
        return;
    lua_getfield(lua, 1, "digest");
    text = lua_type(lua, -1) == LUA_TSTRING ? lua_tolstring(lua, -1, &length) : "";
    if (!parse_digest(text, length, digest))
        value_tell_lie(lua, "its 'digest' must be 32 bytes or 64 hexadecimal digits");
    lua_pop(lua, 1);
}

void script_check_result(lua_State *lua, const char *request)
{
    value_begin(lua, request);
    if (lua_type(lua, 1) != LUA_TTABLE)
        luaL_error(lua, "%s: it returns %s where it must return a table", request,
                   lua_isnil(lua, 1) ? "nothing" : luaL_typename(lua, 1));
}

void script_end_result(lua_State *lua)
{
    const struct script *script = box_of(lua)->owner;
    char lie[ERROR_TEXT_SIZE];

    value_end(lua);
    if (value_lie(lua, lie))
        box_end(lua, ERROR_DEVICE, "%s: %s", script->device->address, lie);
}

static void take_identity(lua_State *lua, void *context)
{
    struct wire_identity *identity = context;

    script_check_result(lua, "identity()");
    memset(identity, 0, sizeof *identity);
    value_text(lua, "model", identity->model, 0, sizeof identity->model);
    value_text(lua, "serial", identity->serial, 0, sizeof identity->serial);
    value_text(lua, "firmware", identity->firmware, 0, sizeof identity->firmware);
    read_digest(lua, identity->digest);
    script_end_result(lua);
}

int script_identity(struct script *script, unsigned request, struct wire_identity *identity,
                    struct error *error)
{
    return script_ask(script, request, NULL, 1, take_identity, identity, error);
}

/* A log while it is read. */
struct reading {
    const char *const *codes;
    unsigned first_code;
    uint32_t first;
    struct log_entry *entries;
    unsigned *count;
    uint32_t *total;
};

static int give_first(lua_State *lua, void *context)
{
    const struct reading *reading = context;

    lua_pushinteger(lua, reading->first);
    return 1;
}

/* The entry is at index 1. */
static void read_entry(lua_State *lua, const struct reading *reading, unsigned place)
{
    struct log_entry *entry = &reading->entries[place];

    if (lua_type(lua, 1) != LUA_TTABLE)
        luaL_error(lua, "log(): entry %d is a %s; it must be a table", (int)place + 1,
                   luaL_typename(lua, 1));
    value_begin(lua, "log()");
    *entry = (struct log_entry){
        .number = (uint32_t)value_number(lua, "number", 0, UINT32_MAX),
        .millis = (uint64_t)value_number(lua, "millis", 0, INT64_MAX),
        .code = (uint8_t)(reading->first_code + value_word(lua, "code", reading->codes)),
        .detail = (uint8_t)value_number_or(lua, "detail", 0, 255, 0),
        .value = (uint16_t)value_number_or(lua, "value", 0, UINT16_MAX, 0)};
    script_end_result(lua);
    if (entry->number < reading->first || entry->number >= *reading->total ||
        entry->number != reading->entries[0].number + place)
        value_tell_lie(lua, "from entry %I on it has entry %I in place %d, and %I in all",
                       (lua_Integer)reading->first, (lua_Integer)entry->number, (int)place + 1,
                       (lua_Integer)*reading->total);
    script_end_result(lua);
}

static void take_log(lua_State *lua, void *context)
{
    const struct reading *reading = context;
    size_t count;
    int is_whole = 0;
    lua_Integer total = lua_tointegerx(lua, 2, &is_whole);

    script_check_result(lua, "log()");
    count = lua_rawlen(lua, 1);
    if (count > LOG_REPLY_MAX || !is_whole || total < 0 || total > UINT32_MAX)
        luaL_error(lua, "log(): it must return at most %d entries, and how many there ever were",
                   LOG_REPLY_MAX);
    *reading->total = (uint32_t)total;
    *reading->count = (unsigned)count;
    lua_settop(lua, 1);
    lua_pushvalue(lua, 1);
    for (unsigned i = 0; i < count; i++) {
        lua_rawgeti(lua, 2, (lua_Integer)i + 1);
        lua_replace(lua, 1);
        read_entry(lua, reading, i);
    }
}

int script_log(struct script *script, unsigned request, uint32_t first, const char *const *codes,
               unsigned first_code, struct log_entry *entries, unsigned *count, uint32_t *total,
               struct error *error)
{
    struct reading reading = {codes, first_code, first, entries, count, total};

    return script_ask(script, request, give_first, 2, take_log, &reading, error);
}
