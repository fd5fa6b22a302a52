/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The box that scripts run in: what is not in it, its bounds, and that it is the same each time. */
#include "devices/scripts/box.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/devices/script_file.h"
#include "tests/support/suite.h"

static const luaL_Reg no_host[] = {{NULL, NULL}};
static struct error error;

static int open_path(const char *path)
{
    struct box box = {0};
    int status = box_open(&box, path, 1, no_host, NULL, &error);

    if (!status)
        box_close(&box);
    return status;
}

static void refuse_bytes(const void *bytes, size_t size, const char *within)
{
    struct script_file file;

    script_file_write(&file, bytes, size);
    CU_ASSERT_EQUAL(open_path(file.path), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, within));
    CU_ASSERT(!strncmp(error.text, file.path, strlen(file.path)));
    script_file_drop(&file);
}

/* The lines of a table are all that a file must return. */
static void works(const char *lines)
{
    char text[2048];
    const char *said;

    snprintf(text, sizeof text, "%s\nreturn {}", lines);
    said = script_file_run(text);
    if (*said)
        printf("%s\n%s\n", lines, said);
    CU_ASSERT_STRING_EQUAL(said, "");
}

static void fails(const char *lines, const char *within)
{
    char text[2048];
    const char *said;

    snprintf(text, sizeof text, "%s\nreturn {}", lines);
    said = script_file_run(text);
    if (!strstr(said, within))
        printf("%s\nsaid:   %s\nwanted: %s\n", lines, said, within);
    CU_ASSERT(*said && strstr(said, within));
}

TEST(what_is_no_script_is_refused_with_a_sentence)
{
    static char much[BOX_FILE + 2];
    char folder[SCRATCH_PATH_SIZE];

    CU_ASSERT_EQUAL(open_path("no/such/script.lua"), ERROR_CONFIG);
    CU_ASSERT_STRING_EQUAL(error.text,
                           "no/such/script.lua: No such file or directory; name a script");
    scratch_path(folder);
    unlink(folder);
    CU_ASSERT_EQUAL_FATAL(mkdir(folder, 0700), 0);
    CU_ASSERT_EQUAL(open_path(folder), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "it is no file"));
    rmdir(folder);
    CU_ASSERT_EQUAL_FATAL(mkfifo(folder, 0600), 0);
    CU_ASSERT_EQUAL(open_path(folder), ERROR_CONFIG);
    unlink(folder);
    CU_ASSERT_EQUAL(open_path("/dev/zero"), ERROR_CONFIG);
    refuse_bytes("\x1bLuaT\0\x19\x93\r\n\x1a\n", 12, "it is compiled");
    memset(much, ' ', sizeof much);
    refuse_bytes(much, sizeof much, "at most 1048576 bytes");
    refuse_bytes("", 0, "it returns nothing");
    refuse_bytes("return 1", 8, "it returns number");
    refuse_bytes("return\0{}", 9, "1:");
    refuse_bytes("x = = 1", 7, ":1: unexpected symbol near '='");
    refuse_bytes("\n\nlocal x = nil + 1", 19, ":3: attempt to perform arithmetic on a nil value");
    refuse_bytes("\xff\xfe\x00\x01", 4, ":1: ");
}

TEST(an_error_has_its_file_and_line_however_long_the_name_is)
{
    char folder[SCRATCH_PATH_SIZE], path[SCRATCH_PATH_SIZE + 128], line[SCRATCH_PATH_SIZE + 160];

    scratch_path(folder);
    unlink(folder);
    CU_ASSERT_EQUAL_FATAL(mkdir(folder, 0700), 0);
    snprintf(path, sizeof path,
             "%s/a-shuffler-whose-maker-has-a-name-that-is-longer-than-lua-shows-of-a-chunk.lua",
             folder);
    scratch_write(path, "\n\nerror('no')", 13);
    CU_ASSERT_EQUAL(open_path(path), ERROR_CONFIG);
    snprintf(line, sizeof line, "%s:3: no", path);
    CU_ASSERT_STRING_EQUAL(error.text, line);
    unlink(path);
    rmdir(folder);
    fails("\nerror({})", ":2: an error whose value is no text");
    fails("error(nil)", "an error whose value is no text");
    fails("error('plain', 0)", "plain");
    fails("local s = 'x\\1\\200y' error(s)", "x??y");
    fails("error('before\\0behind')", "before?behind");
}

TEST(there_are_no_files_processes_modules_clocks_and_no_compiler)
{
    static const char *const absent[] = {
        "io",       "os",      "package",   "debug",  "load", "loadstring", "dofile",
        "loadfile", "require", "coroutine", "xpcall", "next", "module",     "collectgarbage",
        "utf8",     "warn"};
    char line[80], within[80];

    for (size_t i = 0; i < sizeof absent / sizeof absent[0]; i++) {
        snprintf(line, sizeof line, "local x = %s", absent[i]);
        snprintf(within, sizeof within, "there is no '%s' here", absent[i]);
        fails(line, within);
    }
    works("assert(string.dump == nil and math.randomseed == nil)");
    works("assert(rawget(_G, 'os') == nil and getmetatable(_G) == false)");
    fails("setmetatable(_G, nil)", "cannot change a protected metatable");
    fails("print(typo)", "there is no 'typo' here");
    works("own = 3 assert(own == 3 and _G.own == 3)");
}

#define STEPS         "more than 1000000 steps"
#define MEMORY        "8 MiB of memory"
#define STEPS_OF_CALL "more than the 1000000 steps of a call"

TEST(a_call_that_does_not_end_is_ended)
{
    fails("\nwhile true do end", ":2: it has taken " STEPS);
    fails("local function f() return f() end f()", STEPS);
    fails("for i = 1, 1e9 do end", STEPS);
    fails("::again:: goto again", STEPS);
    fails("local t = setmetatable({}, {__index = function() while true do end end}) print(t.x)",
          STEPS);
    fails("local t = setmetatable({}, {__index = function(t, k) return t[k] end}) local x = t.x",
          "C stack overflow");
    fails("table.sort({3, 2, 1}, function() while true do end end)", STEPS);
    fails("('x'):gsub('.', function() while true do end end)", STEPS);
    fails("local s = '' while true do s = s .. 'x' if #s > 9 then s = '' end end", STEPS);
}

TEST(no_bound_is_caught_by_pcall)
{
    fails("pcall(function() while true do end end)", STEPS);
    fails("while true do pcall(function() while true do end end) end", STEPS);
    fails("while true do pcall(error) end", STEPS);
    fails("local function f() pcall(f) f() end f()", "");
    fails("pcall(string.rep, 'x', 1e9)", STEPS_OF_CALL);
    fails("pcall(function() local t = {} while true do t[#t + 1] = t end end)", MEMORY);
    fails("pcall(function() pcall(function() local s = 'x' while true do s = s .. s end end) end)",
          MEMORY);
    fails("do local x <close> = setmetatable({}, {__close = function() while true do end end}) end",
          STEPS);
    fails("local function f() local x <close> = setmetatable({}, {__close = function() "
          "while true do end end}) while true do end end pcall(f) while true do end",
          STEPS);
    works("local ok, why = pcall(error, 'mine', 0) assert(not ok and why == 'mine')");
    works("local ok, a, b = pcall(function(...) return ... end, 1, 2) assert(ok and b == 2)");
}

TEST(memory_has_a_bound_in_one_piece_and_in_all)
{
    fails("\nlocal s = ('x'):rep(200000) s = s .. s", ":2: it needs more than " MEMORY);
    fails("local s = 'x' while true do s = s .. s end", MEMORY);
    fails("local t = {} for i = 1, 1e6 do t[i] = {} end", "");
    fails("local t = {} for i = 1, 1000 do t[i] = ('x'):rep(20000) .. i end", MEMORY);
    fails("local t = {} while true do t = {t, {}, {}, {}, {}} end", "");
    works("for i = 1, 500 do local s = ('x'):rep(20000) .. i end");
    works("local t = {} for i = 1, 10000 do t[i] = i end assert(#t == 10000)");
}

TEST(recursion_ends_wherever_it_goes)
{
    char nested[1200] = "local x = ";

    fails("local function f() return 1 + f() end f()", "");
    works("local function f() return pcall(f) end assert(f())");
    fails("local t = setmetatable({}, {__tostring = function(x) return tostring(x) end}) "
          "tostring(t)",
          "C stack overflow");
    memset(nested + strlen(nested), '(', 400);
    fails(nested, "overflow");
    memset(nested + 10, '{', 400);
    fails(nested, "overflow");
    memset(nested + 10, '-', 400);
    for (unsigned i = 11; i < 410; i += 2)
        nested[i] = ' ';
    fails(nested, "overflow");
}

/* What Lua does in one step counts by its length. */
TEST(work_in_one_step_is_bounded_as_well)
{
    fails("('a'):rep(1e5):find(('a*'):rep(30) .. 'b')", STEPS_OF_CALL);
    fails("local s = ('a'):rep(1e5) s:match('(a-)(a-)(a-)b')", STEPS_OF_CALL);
    fails("for _ in ('a'):rep(1e5):gmatch('.-.-.-b') do end", STEPS_OF_CALL);
    fails("('a'):rep(1e5):gsub('a-a-a-b', '')", STEPS_OF_CALL);
    fails("local s = ('('):rep(1e5) s:find('%b()%b()')", STEPS_OF_CALL);
    fails("string.rep('', 1e12)", STEPS_OF_CALL);
    fails("table.move({}, 1, 1e12, 2)", STEPS_OF_CALL);
    fails("table.unpack({}, 1, 1e7)", STEPS_OF_CALL);
    fails("table.concat({}, '', 1, math.maxinteger)", STEPS_OF_CALL);
    fails("table.concat({}, '', math.mininteger, math.maxinteger)", STEPS_OF_CALL);
    fails("table.insert(setmetatable({}, {__len = function() return 1e12 end}), 1, 1)",
          "no table with a metatable");
    fails("local t = {} for i = 1, 15000 do t[i] = i end while true do table.insert(t, 1, 1) "
          "table.remove(t, 1) end",
          STEPS_OF_CALL);
    fails("local s = ('x'):rep(2e5) while true do string.packsize(s) end", STEPS_OF_CALL);
    fails("local s = ('0'):rep(2e5) while true do tonumber(s) end", STEPS_OF_CALL);
    fails("local s = ('x'):rep(2e5) while true do bytes.xor(s) end", STEPS_OF_CALL);
    fails("local t = {} for i = 1, 10000 do t[i] = 10000 - i end while true do table.sort(t) end",
          STEPS_OF_CALL);
}

/* Lua compares texts, looks them up and makes numbers of them in one step. */
TEST(steps_cost_more_the_longer_the_longest_text_is)
{
    static const char *const lines[] = {
        "local s = ('1'):rep(2e5) while true do local x = s + 1 end",
        "local s = ('1'):rep(2e5) while true do math.abs(s) end",
        "local a, b = ('a'):rep(2e5), ('a'):rep(1e5) .. ('a'):rep(1e5) while a == b do end",
        "local a, b = ('a'):rep(2e5), ('a'):rep(1e5) .. ('a'):rep(1e5) while rawequal(a, b) do end",
        "local a, b = ('\\0'):rep(2e5), ('\\0'):rep(1e5) .. ('\\0'):rep(1e5) while a <= b do end",
        "local t, s = {}, ('a'):rep(2e5) t[s] = 1 while t[('a'):rep(2e5)] do end",
        "local t, s = {}, ('a'):rep(1e5) for i = 1, 40 do t[i] = s .. i end while true do "
        "table.sort(t) end",
        "local t, s = {}, ('a'):rep(1e5) for i = 1, 40 do t[s .. i] = i end while true do "
        "pairs(t) end"};

    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        fails(lines[i], "1000000 steps");
    /* A frame of some kilobytes may be looked through byte by byte. */
    works("local s, sum = ('a'):rep(4096), 0 for i = 1, #s do sum = sum + s:byte(i) end");
}

TEST(a_long_set_of_a_pattern_counts_by_its_length)
{
    fails("('a'):rep(2e4):find('[' .. ('b'):rep(1e5) .. ']')", STEPS_OF_CALL);
    fails("('a'):rep(2e4):find('[^' .. ('b'):rep(1e5) .. ']*c')", STEPS_OF_CALL);
    fails("('a'):rep(2e4):find('%f[' .. ('b'):rep(1e5) .. ']')", STEPS_OF_CALL);
}

TEST(a_metatable_is_what_it_was_when_it_was_set)
{
    works("local m = {__index = {a = 1}} local t = setmetatable({}, m) m.__index = {a = 2} "
          "assert(t.a == 1 and getmetatable(t) == m)");
    works("local C = {} C.__index = C function C.new() return setmetatable({}, C) end "
          "local c = C.new() function C.late() return 7 end assert(c.late() == 7)");
    works("local m = {} local t = setmetatable({}, m) m.__mode = 'v' t[1] = {} "
          "for i = 1, 20000 do local x = {i, {}} end assert(t[1])");
    fails("local m = {} setmetatable({}, m) m.__mode = 'v' setmetatable({}, {__index = m}) "
          "setmetatable({}, {__mode = 'v'})",
          "'__mode' has no place here");
}

/* Lua follows a chain to its end in one step. */
TEST(a_chain_of_metatables_is_short)
{
    works("local t = {x = 1} for i = 1, 32 do t = setmetatable({}, {__index = t}) end "
          "assert(t.x == 1)");
    fails("local t = {x = 1} for i = 1, 33 do t = setmetatable({}, {__index = t}) end",
          "a chain of more than 32 metatables");
    /* From the other end, and to itself. */
    fails("local t = {} for i = 1, 33 do local u = {} setmetatable(t, {__newindex = u}) t = u end",
          "a chain of more than 32 metatables");
    fails("local t = {} setmetatable(t, {__index = t})", "a chain of more than 32 metatables");
    fails("local t = {} setmetatable(t, {__call = t})", "a chain of more than 32 metatables");
    works("local t = {} pcall(setmetatable, t, {__index = t}) assert(not getmetatable(t))");
    /* As many beside each other as memory has. */
    works("local c = {} for i = 1, 1000 do setmetatable({}, {__index = c}) end");
}

TEST(a_script_may_change_its_own_globals_and_hurts_nobody)
{
    works("string.find = nil string.sub = 3 assert(('abc'):find('b') == 2 and ('abc'):sub(2) == "
          "'bc')");
    works("math = nil table = nil string = nil frames.delimited{ending = 'x'}");
    works("assert(getmetatable('') == false)");
    fails("setmetatable('', {})", "table expected");
    fails("getmetatable('').__index = nil", "attempt to index a boolean value");
    fails("setmetatable({}, {__gc = function() end})", "'__gc' has no place here");
    fails("setmetatable({}, {__mode = 'k'})", "'__mode' has no place here");
    works("local m = {} setmetatable({}, m) m.__gc = function() while true do end end");
    works("local t = setmetatable({}, {__metatable = 1}) assert(getmetatable(t) == 1)");
}

/* Keys stand in an order that Lua draws anew each time it starts; here they do not. */
TEST(two_runs_are_the_same)
{
    works("local t, s = {}, '' for i = 1, 40 do t['k' .. i * 7 % 41] = i end\n"
          "for k in pairs(t) do s = s .. k .. ' ' end\n"
          "assert(s:find('^k1 k10 k11 ') and s:find('k9 $'))");
    works("local s = '' for k, v in pairs{[3] = 'c', 'a', x = 1, [2.5] = 'f', [-1] = 'm', "
          "[true] = 't', A = 2} do s = s .. tostring(k) .. ';' end\n"
          "assert(s == 'true;-1;1;2.5;3;A;x;', s)");
    fails("for k in pairs{[{}] = 1} do end", "a table among the keys has no order");
    works("local t = {a = 1, b = 2} for k in pairs(t) do t[k] = nil end assert(pairs(t)() == nil)");
    works("assert(tostring({}) == 'table' and tostring(print) == 'function')");
    works("assert(('%s %s %d'):format({}, print, 3) == 'table function 3')");
    works("assert(tostring(setmetatable({}, {__tostring = function() return 'me' end})) == 'me')");
    fails("('%p'):format({})", "'%p' has no place here");
    fails("('%-20p'):format({})", "'%p' has no place here");
    works("assert(('%%p %5.1f'):format(1.25) == '%p   1.2')");
}

static double draw(uint64_t seed)
{
    struct script_file file;
    struct box box = {0};
    double drawn = 0;

    script_file_text(&file, "local n = 0 for i = 1, 9 do n = n * 10 + math.random(0, 9) end\n"
                            "local f = math.random() assert(f >= 0 and f < 1)\n"
                            "assert(math.random(3) <= 3 and math.random(5, 5) == 5)\n"
                            "return {n = n}");
    CU_ASSERT_EQUAL_FATAL(box_open(&box, file.path, seed, no_host, NULL, &error), 0);
    lua_rawgeti(box.lua, LUA_REGISTRYINDEX, box.table);
    lua_getfield(box.lua, -1, "n");
    drawn = lua_tonumber(box.lua, -1);
    box_close(&box);
    script_file_drop(&file);
    return drawn;
}

TEST(random_numbers_are_those_of_the_seed)
{
    CU_ASSERT_EQUAL(draw(5), draw(5));
    CU_ASSERT_NOT_EQUAL(draw(5), draw(6));
    fails("math.random(2, 1)", "interval is empty");
}

static char printed[64];

static void keep_printed(void *context, const char *line)
{
    (void)context;
    snprintf(printed, sizeof printed, "%s", line);
}

TEST(what_is_printed_goes_to_who_listens_and_nowhere_else)
{
    struct box box = {.printed = keep_printed};
    struct script_file file;

    script_file_text(&file, "print('a', 1, nil, {}) return {}");
    CU_ASSERT_EQUAL_FATAL(box_open(&box, file.path, 1, no_host, NULL, &error), 0);
    CU_ASSERT_STRING_EQUAL(printed, "a 1 nil table");
    box_close(&box);
    box_close(&box);
    script_file_drop(&file);
    works("print('nobody')");
}
