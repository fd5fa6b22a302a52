/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Patterns in bounded steps, against those of Lua itself. */
#include "devices/scripts/pattern.h"

#include <lauxlib.h>
#include <lualib.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/seeded.h"
#include "tests/support/suite.h"

#define ENOUGH 1000000

/* What string.find() takes for a plain text is none. */
static bool is_plain(const char *text)
{
    return !strpbrk(text, "^$*+?.([%-");
}

/* The first match as string.find() has it; -1 for none, -2 for a pattern that is mistaken. */
static int find(struct pattern *pattern, const char *text, const char *subject, int *end)
{
    bool is_anchored = *text == '^';
    size_t length = strlen(subject);

    pattern_begin(pattern, subject, length, text + is_anchored, strlen(text) - is_anchored, ENOUGH);
    for (size_t at = 0; at <= length; at++) {
        const char *found = pattern_match(pattern, subject + at);

        if (pattern->mistake)
            return -2;
        if (found) {
            *end = (int)(found - subject);
            return (int)at;
        }
        if (is_anchored)
            break;
    }
    return -1;
}

/* What Lua's own matcher says; its results stay on the stack. */
static int find_in_lua(lua_State *lua, const char *text, const char *subject, int *end)
{
    lua_settop(lua, 0);
    lua_getglobal(lua, "string");
    lua_getfield(lua, 1, "find");
    lua_remove(lua, 1);
    lua_pushstring(lua, subject);
    lua_pushstring(lua, text);
    if (lua_pcall(lua, 2, LUA_MULTRET, 0))
        return -2;
    if (lua_isnil(lua, 1))
        return -1;
    *end = (int)lua_tointeger(lua, 2);
    return (int)lua_tointeger(lua, 1) - 1;
}

static bool is_same_capture(lua_State *lua, const struct pattern *pattern, unsigned at)
{
    int index = 3 + (int)at;
    size_t length;
    const char *text;

    if (pattern->captures[at].length == PATTERN_POSITION)
        return lua_isinteger(lua, index) &&
               lua_tointeger(lua, index) == pattern->captures[at].start - pattern->subject + 1;
    text = lua_tolstring(lua, index, &length);
    return text && length == (size_t)pattern->captures[at].length &&
           !memcmp(text, pattern->captures[at].start, length);
}

static bool agree(lua_State *lua, const char *text, const char *subject)
{
    struct pattern pattern;
    int end = 0, lua_end = 0;
    int at = find(&pattern, text, subject, &end);
    int lua_at = find_in_lua(lua, text, subject, &lua_end);
    bool is_same = at == lua_at && end == lua_end;

    if (is_same && at >= 0) {
        is_same = lua_gettop(lua) == 2 + (int)pattern.count;
        for (unsigned i = 0; i < pattern.count && is_same; i++)
            is_same = is_same_capture(lua, &pattern, i);
    }
    if (!is_same)
        printf("'%s' in '%s': %d to %d (%s), in Lua %d to %d\n", text, subject, at, end,
               pattern.mistake ? pattern.mistake : "", lua_at, lua_end);
    return is_same;
}

static const char *draw(uint64_t *seed, const char *const *parts, unsigned count, unsigned most,
                        char *text)
{
    unsigned length = seeded_below(seed, most + 1);

    text[0] = '\0';
    for (unsigned i = 0; i < length; i++)
        strcat(text, parts[seeded_below(seed, count)]);
    return text;
}

TEST(random_patterns_match_what_they_match_in_lua)
{
    static const char *const parts[] = {"a", "b", "1",  ".",    "%a",    "%d",    "%w", "%S",
                                        "*", "+", "-",  "?",    "(",     ")",     "()", "[ab]",
                                        "$", "^", "%1", "%b()", "%f[a]", "[^a1]", "%",  "[%d-]",
                                        "[", "]", "%2", "[]]",  "[a-z]", "(a",    "%.", "[^%w]"};
    static const char *const letters[] = {"a", "b", "1", "(", ")", " ", ".", "z"};
    lua_State *lua = luaL_newstate();
    char text[64], subject[32];
    uint64_t seed = 3;
    unsigned found = 0;

    luaL_openlibs(lua);
    for (unsigned i = 0; i < 200000; i++) {
        draw(&seed, parts, sizeof parts / sizeof parts[0], 7, text);
        draw(&seed, letters, sizeof letters / sizeof letters[0], 9, subject);
        if (!is_plain(text) && !agree(lua, text, subject))
            found++;
        if (found > 5)
            break;
    }
    CU_ASSERT_EQUAL(found, 0);
    lua_close(lua);
}

TEST(patterns_as_protocols_need_them_match_what_they_match_in_lua)
{
    static const char *const tried[][2] = {
        {"^(.*)%*(%x%x)$", "p 0 As Kd*3F"},
        {"^(%l) ?(.*)$", "s 3 1 0"},
        {"%f[%w]%w+%f[%W]", "  THE (quick) fox"},
        {"^%s*(.-)%s*$", "  trimmed  "},
        {"(%w+)=(%w*)", "key=value,k="},
        {"%b{}", "x{a{b}c}d"},
        {"()a()", "bab"},
        {"(a)(b)%2%1", "abba"},
        {"[%-%]]+", "a-]-b"},
        {"^[+-]?%d+$", "-12"},
        {"\\x00", "nothing"},
        {"[^\r\n]*", "line\r\n"},
    };
    lua_State *lua = luaL_newstate();

    luaL_openlibs(lua);
    for (size_t i = 0; i < sizeof tried / sizeof tried[0]; i++)
        CU_ASSERT_TRUE(agree(lua, tried[i][0], tried[i][1]));
    lua_close(lua);
}

TEST(steps_that_are_used_up_end_a_match)
{
    struct pattern pattern;
    char subject[64];

    memset(subject, 'a', sizeof subject);
    pattern_begin(&pattern, subject, sizeof subject, "a*a*a*a*a*a*b", 13, ENOUGH);
    CU_ASSERT_PTR_NULL(pattern_match(&pattern, subject));
    CU_ASSERT(pattern.steps < 0);
    CU_ASSERT_PTR_NULL(pattern.mistake);
    pattern_begin(&pattern, subject, sizeof subject, "a*b", 3, ENOUGH);
    CU_ASSERT_PTR_NULL(pattern_match(&pattern, subject));
    CU_ASSERT(pattern.steps > 0);
}
