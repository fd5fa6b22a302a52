/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The library `string` of a box: Lua's own functions with the cost of long texts, patterns in
 * bounded steps, and no addresses in what is formatted. string.dump is left out.
 */
#include <lualib.h>
#include <string.h>

#include "devices/scripts/box.h"
#include "devices/scripts/library.h"
#include "devices/scripts/pattern.h"

/* Takes up the pattern among the arguments of a call; true when it is anchored. */
static bool begin(lua_State *lua, struct pattern *pattern, bool may_anchor)
{
    size_t length, size;
    const char *subject = luaL_checklstring(lua, 1, &length);
    const char *text = luaL_checklstring(lua, 2, &size);
    bool is_anchored = may_anchor && size && *text == '^';

    pattern_begin(pattern, subject, length, text + is_anchored, size - is_anchored,
                  box_of(lua)->steps);
    return is_anchored;
}

/* A match from there, as pattern_match(); what it has cost is charged. */
static const char *try_at(lua_State *lua, struct pattern *pattern, const char *from)
{
    int64_t before = pattern->steps;
    const char *end = pattern_match(pattern, from);

    box_charge(lua, (uint64_t)(before - pattern->steps));
    if (pattern->mistake)
        luaL_error(lua, "the pattern '%s' cannot be: %s", lua_tostring(lua, 2), pattern->mistake);
    return end;
}

/* The first match from there on; `*at` is where it begins. */
static const char *search(lua_State *lua, struct pattern *pattern, bool is_anchored,
                          const char **at)
{
    for (;; ++*at) {
        const char *end = try_at(lua, pattern, *at);

        if (end || is_anchored || *at >= pattern->subject_end)
            return end;
    }
}

static void push_capture(lua_State *lua, const struct pattern *pattern, unsigned at)
{
    if (pattern->captures[at].length == PATTERN_POSITION)
        lua_pushinteger(lua, pattern->captures[at].start - pattern->subject + 1);
    else
        lua_pushlstring(lua, pattern->captures[at].start, (size_t)pattern->captures[at].length);
}

/* All captures, or the whole match where there are none. */
static int push_captures(lua_State *lua, const struct pattern *pattern, const char *start,
                         const char *end)
{
    luaL_checkstack(lua, PATTERN_CAPTURES, "too many captures");
    for (unsigned i = 0; i < pattern->count; i++)
        push_capture(lua, pattern, i);
    if (!pattern->count && start)
        lua_pushlstring(lua, start, (size_t)(end - start));
    return (int)pattern->count + (!pattern->count && start ? 1 : 0);
}

/* Where to begin, from 0; false when that is behind the subject. */
static bool first_place(lua_State *lua, size_t length, size_t *first)
{
    lua_Integer given = luaL_optinteger(lua, 3, 1);

    if (given > 0)
        *first = (size_t)given - 1;
    else
        *first = given == 0 || -given > (lua_Integer)length ? 0 : length - (size_t)-given;
    return *first <= length;
}

static int find_plain(lua_State *lua, size_t first)
{
    size_t length, size;
    const char *subject = lua_tolstring(lua, 1, &length), *text = lua_tolstring(lua, 2, &size);
    const char *found;

    box_charge(lua, (length - first) / 16);
    found = memmem(subject + first, length - first, text, size);
    if (!found)
        return 0;
    lua_pushinteger(lua, found - subject + 1);
    lua_pushinteger(lua, found - subject + (lua_Integer)size);
    return 2;
}

static bool is_plain(const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (!text[i] || strchr("^$*+?.([%-", text[i]))
            return false;
    return true;
}

static int find_or_match(lua_State *lua, bool finds)
{
    struct pattern pattern;
    bool is_anchored = begin(lua, &pattern, true);
    size_t length = (size_t)(pattern.subject_end - pattern.subject), first = 0, size;
    const char *at, *end, *text = lua_tolstring(lua, 2, &size);

    if (!first_place(lua, length, &first)) {
        luaL_pushfail(lua);
        return 1;
    }
    if (finds && (lua_toboolean(lua, 4) || is_plain(text, size))) {
        int count = find_plain(lua, first);

        if (!count)
            luaL_pushfail(lua);
        return count ? count : 1;
    }
    at = pattern.subject + first;
    end = search(lua, &pattern, is_anchored, &at);
    if (!end) {
        luaL_pushfail(lua);
        return 1;
    }
    if (!finds)
        return push_captures(lua, &pattern, at, end);
    lua_pushinteger(lua, at - pattern.subject + 1);
    lua_pushinteger(lua, end - pattern.subject);
    return 2 + push_captures(lua, &pattern, NULL, NULL);
}

static int string_find(lua_State *lua)
{
    return find_or_match(lua, true);
}

static int string_match(lua_State *lua)
{
    return find_or_match(lua, false);
}

/* Upvalues: subject, pattern, where to go on, and where the last match ended or -1. */
static int next_match(lua_State *lua)
{
    struct pattern pattern;
    const char *at, *end;
    lua_Integer last = lua_tointeger(lua, lua_upvalueindex(4));

    lua_settop(lua, 0);
    lua_pushvalue(lua, lua_upvalueindex(1));
    lua_pushvalue(lua, lua_upvalueindex(2));
    begin(lua, &pattern, false);
    at = pattern.subject + lua_tointeger(lua, lua_upvalueindex(3));
    for (; at <= pattern.subject_end; at++) {
        end = try_at(lua, &pattern, at);
        if (!end || end - pattern.subject == last)
            continue;
        lua_pushinteger(lua, end - pattern.subject);
        lua_copy(lua, -1, lua_upvalueindex(3));
        lua_replace(lua, lua_upvalueindex(4));
        return push_captures(lua, &pattern, at, end);
    }
    return 0;
}

static int string_gmatch(lua_State *lua)
{
    luaL_checkstring(lua, 1);
    luaL_checkstring(lua, 2);
    lua_settop(lua, 2);
    lua_pushinteger(lua, 0);
    lua_pushinteger(lua, -1);
    lua_pushcclosure(lua, next_match, 4);
    return 1;
}

/* "%1" in a replacement is a capture, "%0" the whole match, "%%" itself. */
static void add_text(lua_State *lua, luaL_Buffer *buffer, const struct pattern *pattern,
                     const char *start, const char *end)
{
    size_t size;
    const char *text = lua_tolstring(lua, 3, &size);

    box_charge(lua, size / 16);
    for (size_t i = 0; i < size; i++) {
        if (text[i] != '%') {
            luaL_addchar(buffer, text[i]);
            continue;
        }
        i++;
        if (i < size && text[i] == '%') {
            luaL_addchar(buffer, '%');
        } else if (i < size && (text[i] == '0' || (text[i] == '1' && !pattern->count))) {
            luaL_addlstring(buffer, start, (size_t)(end - start));
        } else if (i < size && text[i] > '0' && (unsigned)(text[i] - '0') <= pattern->count) {
            push_capture(lua, pattern, (unsigned)(text[i] - '1'));
            luaL_addvalue(buffer);
        } else {
            luaL_error(lua, "the replacement '%s' has a '%%' that is followed by no capture", text);
        }
    }
}

/* What stands for a match: of a text, a table or a function. */
static void add_replacement(lua_State *lua, luaL_Buffer *buffer, const struct pattern *pattern,
                            const char *start, const char *end, int type)
{
    int count;

    if (type == LUA_TSTRING || type == LUA_TNUMBER) {
        add_text(lua, buffer, pattern, start, end);
        return;
    }
    if (type == LUA_TFUNCTION) {
        lua_pushvalue(lua, 3);
        count = push_captures(lua, pattern, start, end);
        lua_call(lua, count, 1);
    } else {
        if (pattern->count)
            push_capture(lua, pattern, 0);
        else
            lua_pushlstring(lua, start, (size_t)(end - start));
        lua_gettable(lua, 3);
    }
    if (!lua_toboolean(lua, -1)) {
        lua_pop(lua, 1);
        luaL_addlstring(buffer, start, (size_t)(end - start));
    } else if (lua_isstring(lua, -1)) {
        luaL_addvalue(buffer);
    } else {
        luaL_error(lua, "a match is replaced by a %s; it must be a text", luaL_typename(lua, -1));
    }
}

static int string_gsub(lua_State *lua)
{
    struct pattern pattern;
    bool is_anchored = begin(lua, &pattern, true);
    int type = lua_type(lua, 3);
    lua_Integer most = luaL_optinteger(lua, 4, pattern.subject_end - pattern.subject + 1);
    const char *at = pattern.subject, *last = NULL;
    lua_Integer count = 0;
    luaL_Buffer buffer;

    luaL_argexpected(lua,
                     type == LUA_TNUMBER || type == LUA_TSTRING || type == LUA_TFUNCTION ||
                         type == LUA_TTABLE,
                     3, "string/function/table");
    luaL_buffinit(lua, &buffer);
    while (count < most) {
        const char *end = try_at(lua, &pattern, at);

        if (end && end != last) {
            count++;
            add_replacement(lua, &buffer, &pattern, at, end, type);
            at = last = end;
        } else if (at < pattern.subject_end) {
            luaL_addchar(&buffer, *at++);
        } else {
            break;
        }
        if (is_anchored)
            break;
    }
    luaL_addlstring(&buffer, at, (size_t)(pattern.subject_end - at));
    luaL_pushresult(&buffer);
    lua_pushinteger(lua, count);
    return 2;
}

/* Addresses differ from run to run. */
static void refuse_pointer(lua_State *lua, const char *form)
{
    while ((form = strchr(form, '%'))) {
        form += 1 + strspn(form + 1, "-+ #0123456789.");
        if (*form == 'p')
            luaL_error(lua, "'%%p' has no place here: an address differs from run to run");
        form += *form == '%';
    }
}

/* Upvalue: Lua's own. */
static int string_format(lua_State *lua)
{
    int count = lua_gettop(lua);

    refuse_pointer(lua, luaL_checkstring(lua, 1));
    box_charge(lua, library_cost(lua));
    for (int i = 2; i <= count; i++) {
        if (lua_type(lua, i) < LUA_TTABLE && lua_type(lua, i) != LUA_TLIGHTUSERDATA)
            continue;
        library_text(lua, i);
        lua_replace(lua, i);
    }
    return library_go_on(lua);
}

/* Upvalue: Lua's own, which goes round as often as it is told, for what is empty too. */
static int string_rep(lua_State *lua)
{
    lua_Integer times = luaL_checkinteger(lua, 2);

    if (times > 0)
        box_charge(lua, (uint64_t)times / 64);
    return library_go_on(lua);
}

void box_make_string(lua_State *lua)
{
    /* The first ones do no more than what they make costs in memory. */
    static const char *const plain[] = {"byte",    "char", "len",   "lower",
                                        "reverse", "sub",  "upper", NULL};
    static const char *const costly[] = {"pack", "packsize", "unpack", NULL};
    static const luaL_Reg own[] = {{"find", string_find},
                                   {"match", string_match},
                                   {"gmatch", string_gmatch},
                                   {"gsub", string_gsub},
                                   {NULL, NULL}};
    int all;

    luaopen_string(lua);
    all = lua_gettop(lua);
    lua_newtable(lua);
    library_take(lua, all, plain, NULL);
    library_take(lua, all, costly, library_charged);
    library_take(lua, all, (const char *const[]){"format", NULL}, string_format);
    library_take(lua, all, (const char *const[]){"rep", NULL}, string_rep);
    luaL_setfuncs(lua, own, 0);
    lua_remove(lua, all);
}
