/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/scripts/box.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hal/base/embed.h"
#include "hal/base/printable.h"

EMBED_TEXT(box_frames_lua, "devices/scripts/frames.lua");

#define HOOK_STEPS 1000 /* between two looks at how many are left */
#define BYTE_STEPS 64   /* bytes of memory that cost as much as a step */
#define GC_PAUSE   400  /* per cent: what is in use becomes that much before it is looked through */

static void use_steps(struct box *box, int64_t steps)
{
    box->steps -= steps;
    box->spare -= steps;
}

/*
 * In one step Lua compares two texts, looks one up or makes a number of it. What a step costs
 * follows from the longest text that there ever was, since nothing tells which one it is about.
 */
static int64_t step_cost(const struct box *box)
{
    return 1 + (int64_t)(box->longest / BOX_TEXT);
}

static int hook_steps(const struct box *box)
{
    int64_t steps = HOOK_STEPS / step_cost(box);

    return steps ? (int)steps : 1;
}

static void count_steps(lua_State *lua, lua_Debug *at);

static void look_at(struct box *box, int steps)
{
    lua_State *const threads[] = {box->lua, box->requests, box->callbacks};

    for (size_t i = 0; i < sizeof threads / sizeof threads[0]; i++)
        if (threads[i])
            lua_sethook(threads[i], count_steps, LUA_MASKCOUNT, steps);
}

/* Of a new piece Lua says what it is for in place of what it had. */
static void note_text(struct box *box, const void *piece, size_t kind, size_t size)
{
    int before;

    if (piece || kind != LUA_TSTRING || size <= box->longest)
        return;
    before = hook_steps(box);
    box->longest = size;
    if (hook_steps(box) != before && !box->bound)
        look_at(box, hook_steps(box));
}

/* What is freed is not counted against the steps. Lua counts on a piece that shrinks to be there.
 */
static void *allocate(void *context, void *piece, size_t had, size_t size)
{
    struct box *box = context;
    size_t old = piece ? had : 0;
    void *moved;

    if (size > old) {
        if (size > BOX_BLOCK || box->heap.used + (size - old) > BOX_MEMORY)
            return NULL;
        use_steps(box, (int64_t)(size / BYTE_STEPS));
        note_text(box, piece, had, size);
    }
    moved = heap_resize(&box->heap, piece, old, size);
    return moved || !size || size > old ? moved : piece;
}

static bool is_spent(struct box *box)
{
    return box->steps <= 0 || box->spare <= 0;
}

/* Once they are used up every instruction is looked at, so that nothing of the script goes on. */
static void bind(lua_State *lua)
{
    box_of(lua)->bound = BOX_OUT_OF_STEPS;
    lua_sethook(lua, count_steps, LUA_MASKCOUNT, 1);
}

static void count_steps(lua_State *lua, lua_Debug *at)
{
    struct box *box = box_of(lua);

    (void)at;
    use_steps(box, hook_steps(box) * step_cost(box));
    if (box->hal && hal_cancelled(box->hal))
        box_end(lua, ERROR_ABORTED, "cancelled");
    if (!is_spent(box))
        return;
    bind(lua);
    luaL_where(lua, 0);
    if (box->steps <= 0)
        lua_pushfstring(lua, "%sit has taken more than %d steps and neither returned nor waited",
                        lua_tostring(lua, -1), BOX_STEPS);
    else
        lua_pushfstring(lua, "%sit takes more than %d steps in a second of the bench",
                        lua_tostring(lua, -1), BOX_RATE);
    lua_error(lua);
}

void box_charge(lua_State *lua, uint64_t steps)
{
    struct box *box = box_of(lua);

    use_steps(box, steps < BOX_STEPS ? (int64_t)steps : BOX_STEPS);
    if (!is_spent(box))
        return;
    bind(lua);
    if (box->steps <= 0)
        luaL_error(lua, "this takes more than the %d steps of a call", BOX_STEPS);
    luaL_error(lua, "it takes more than %d steps in a second of the bench", BOX_RATE);
}

void box_charge_steps(lua_State *lua, uint64_t steps)
{
    box_charge(lua, steps < BOX_STEPS ? steps * (uint64_t)step_cost(box_of(lua)) : BOX_STEPS);
}

void box_renew(struct box *box, nanos_t now)
{
    const nanos_t each = NANOS_PER_SECOND / BOX_RATE;
    nanos_t passed = (now - box->renewed) / each;

    box->steps = BOX_STEPS;
    if (now == NEVER || passed < 0 || passed > BOX_SPARE - box->spare)
        passed = BOX_SPARE - box->spare;
    box->spare += passed;
    box->renewed = now == NEVER ? 0 : box->renewed + passed * each;
    if (box->spare == BOX_SPARE && now != NEVER)
        box->renewed = now;
}

int box_end_with(lua_State *lua, const struct error *error)
{
    struct box *box = box_of(lua);

    box->is_ending = true;
    box->ending = *error;
    lua_pushliteral(lua, "the call was ended");
    return lua_error(lua);
}

int box_end(lua_State *lua, enum error_code code, const char *format, ...)
{
    struct error error = {.code = code};
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(error.text, sizeof error.text, format, arguments);
    va_end(arguments);
    printable_make(error.text);
    return box_end_with(lua, &error);
}

int box_function(lua_State *lua, const char *name)
{
    int type;

    lua_pushstring(lua, name);
    type = lua_rawget(lua, -2);
    if (type == LUA_TFUNCTION)
        return luaL_ref(lua, LUA_REGISTRYINDEX);
    lua_pop(lua, 1);
    if (type != LUA_TNIL)
        luaL_error(lua, "%s: '%s' is a %s; it must be a function", box_of(lua)->path, name,
                   lua_typename(lua, type));
    return LUA_NOREF;
}

/* The line of the script that a thread is in, as "FILE:LINE: ", or its file alone. */
static void say_where(const struct box *box, lua_State *thread, char *where, size_t size)
{
    lua_Debug at;

    for (int level = 0; lua_getstack(thread, level, &at); level++) {
        lua_getinfo(thread, "Sl", &at);
        if (at.currentline > 0 && at.source[0] == '@') {
            snprintf(where, size, "%s:%d: ", box->path, at.currentline);
            return;
        }
    }
    snprintf(where, size, "%s: ", box->path);
}

/* Lua shortens the name of a file that is long; sentences have it whole. */
static const char *skip_place(const char *text, char *where, size_t size, const struct box *box)
{
    char shortened[LUA_IDSIZE + 1] = "";
    size_t length = strlen(box->path);
    const char *at = text;

    if (!strncmp(text, box->path, length))
        at = text + length;
    else if (!strncmp(text, "...", 3))
        at = strpbrk(text, ":");
    if (at == text || !at || *at != ':')
        return text;
    if (at[1] == ' ')
        return at + 2;
    snprintf(shortened, sizeof shortened, "%.*s", (int)strspn(at + 1, "0123456789"), at + 1);
    at += 1 + strlen(shortened);
    if (!*shortened || strncmp(at, ": ", 2) != 0)
        return text;
    snprintf(where, size, "%s:%s: ", box->path, shortened);
    return at + 2;
}

/* A text may hold zeros, which end none here; what is not printable is shown as such later. */
static const char *whole_text(lua_State *thread, char said[ERROR_TEXT_SIZE])
{
    size_t length;
    const char *text = lua_tolstring(thread, -1, &length);

    if (length > ERROR_TEXT_SIZE - 1)
        length = ERROR_TEXT_SIZE - 1;
    for (size_t i = 0; i < length; i++)
        said[i] = text[i] ? text[i] : '?';
    said[length] = '\0';
    return said;
}

/* What a thread has ended with. No text is made of a value that is none. */
static void say_failure(struct box *box, lua_State *thread, int status)
{
    char where[256], said[ERROR_TEXT_SIZE];
    const char *text;

    say_where(box, thread, where, sizeof where);
    if (status == LUA_ERRMEM || box->bound == BOX_OUT_OF_MEMORY)
        text = "it needs more than 8 MiB of memory, or than 256 KiB in one piece";
    else if (lua_type(thread, -1) == LUA_TSTRING)
        text = skip_place(whole_text(thread, said), where, sizeof where, box);
    else
        text = "an error whose value is no text";
    box->has_failed = true;
    error_set(&box->failure, ERROR_RIG, "%s%s", where, text);
    printable_make(box->failure.text);
}

static int fail(const struct box *box, struct error *error)
{
    if (error)
        *error = box->failure;
    return ERROR_RIG;
}

static int after_call(lua_State *lua, int status, lua_KContext context)
{
    const struct box_call *call = (const struct box_call *)context;

    (void)status;
    if (call->take)
        call->take(lua, call->context);
    return 0;
}

/* Arguments and results pass inside the call, where an error of Lua is caught. */
static int enter_call(lua_State *lua)
{
    const struct box_call *call = lua_touserdata(lua, 1);
    int count;

    lua_settop(lua, 0);
    lua_rawgeti(lua, LUA_REGISTRYINDEX, call->function);
    count = call->give ? call->give(lua, call->context) : 0;
    lua_callk(lua, count, call->results, (lua_KContext)call, after_call);
    return after_call(lua, LUA_OK, (lua_KContext)call);
}

static int step(struct box *box, lua_State *thread, int count, struct error *error)
{
    int results, status = lua_resume(thread, NULL, count, &results);

    if (status == LUA_YIELD) {
        lua_pop(thread, results);
        return BOX_WAITS;
    }
    if (status == LUA_OK) {
        lua_settop(thread, 0);
        return BOX_DONE;
    }
    if (box->bound || !box->is_ending) {
        say_failure(box, thread, status);
        return fail(box, error);
    }
    box->is_ending = false;
    lua_resetthread(thread);
    lua_settop(thread, 0);
    if (error)
        *error = box->ending;
    return (int)box->ending.code;
}

int box_start(struct box *box, lua_State *thread, const struct box_call *call, struct error *error)
{
    if (box->has_failed)
        return fail(box, error);
    lua_pushcfunction(thread, enter_call);
    lua_pushlightuserdata(thread, (void *)call);
    return step(box, thread, 1, error);
}

int box_resume(struct box *box, bool something_came, struct error *error)
{
    if (box->has_failed)
        return fail(box, error);
    lua_pushboolean(box->requests, something_came);
    return step(box, box->requests, 1, error);
}

/* What has gone wrong meanwhile ends the call here. */
static int waited(lua_State *lua, int status, lua_KContext context)
{
    (void)status;
    (void)context;
    if (box_of(lua)->is_ending) {
        lua_pushliteral(lua, "the call was ended");
        return lua_error(lua);
    }
    return 1;
}

int box_wait(lua_State *lua)
{
    if (box_of(lua)->is_ending)
        return waited(lua, LUA_OK, 0);
    if (lua != box_of(lua)->requests)
        return luaL_error(lua, "only open(), reopened() and requests may wait");
    return lua_yieldk(lua, 0, 0, waited);
}

int box_protect(struct box *box, lua_CFunction function, void *context, struct error *error)
{
    int status;

    if (box->has_failed)
        return fail(box, error);
    lua_pushcfunction(box->lua, function);
    lua_pushlightuserdata(box->lua, context);
    status = lua_pcall(box->lua, 1, 0, 0);
    if (status == LUA_OK)
        return 0;
    say_failure(box, box->lua, status);
    lua_settop(box->lua, 0);
    return fail(box, error);
}

struct loading {
    struct box *box;
    const luaL_Reg *host;
    char *text;
    size_t size;
    int chunk; /* reference */
};

static int unknown_global(lua_State *lua)
{
    const char *name = lua_type(lua, 2) == LUA_TSTRING ? lua_tostring(lua, 2) : "?";

    return luaL_error(lua, "there is no '%s' here (devices/SCRIPTS.md lists what there is)", name);
}

/* A name that is not there is a slip of the pen more often than meant. */
static void guard_globals(lua_State *lua)
{
    lua_createtable(lua, 0, 2);
    lua_pushcfunction(lua, unknown_global);
    lua_setfield(lua, -2, "__index");
    lua_pushboolean(lua, false);
    lua_setfield(lua, -2, "__metatable");
    lua_setmetatable(lua, -2);
}

/* The helpers that are written in Lua take what they need before the script can change it. */
static void add_frames(lua_State *lua)
{
    if (luaL_loadbufferx(lua, box_frames_lua, strlen(box_frames_lua), "=frames", "t"))
        lua_error(lua);
    lua_pushvalue(lua, -2);
    lua_setupvalue(lua, -2, 1);
    lua_call(lua, 0, 1);
    lua_pushcfunction(lua, box_delimited);
    lua_setfield(lua, -2, "delimited");
    lua_setfield(lua, -2, "frames");
}

static int prepare(lua_State *lua)
{
    struct loading *loading = lua_touserdata(lua, 1);
    struct box *box = loading->box;

    look_at(box, hook_steps(box));
    box->requests = lua_newthread(lua);
    luaL_ref(lua, LUA_REGISTRYINDEX);
    box->callbacks = lua_newthread(lua);
    luaL_ref(lua, LUA_REGISTRYINDEX);
    lua_pushfstring(lua, "@%s", box->path);
    if (luaL_loadbufferx(lua, loading->text, loading->size, lua_tostring(lua, -1), "t"))
        return lua_error(lua);
    box_make_globals(lua);
    luaL_setfuncs(lua, loading->host, 0);
    add_frames(lua);
    guard_globals(lua);
    lua_setupvalue(lua, -2, 1);
    loading->chunk = luaL_ref(lua, LUA_REGISTRYINDEX);
    return 0;
}

static void take_table(lua_State *lua, void *context)
{
    struct box *box = context;

    if (lua_type(lua, -1) != LUA_TTABLE)
        luaL_error(lua, "%s: it returns %s where it must return its table", box->path,
                   lua_isnil(lua, -1) ? "nothing" : luaL_typename(lua, -1));
    box->table = luaL_ref(lua, LUA_REGISTRYINDEX);
}

static int run_chunk(struct box *box, struct loading *loading, struct error *error)
{
    struct box_call call = {.name = "the script", .take = take_table, .results = 1, .context = box};
    int status = box_protect(box, prepare, loading, error);

    if (status)
        return status;
    call.function = loading->chunk;
    box_renew(box, NEVER);
    status = box_start(box, box->callbacks, &call, error);
    return status < 0 ? status : 0;
}

static int read_bytes(int file, struct loading *loading, const char *path, struct error *error)
{
    ssize_t count = 1;

    loading->text = malloc(BOX_FILE + 1);
    if (!loading->text)
        return error_set(error, ERROR_RIG, "%s: not enough memory to read it", path);
    while (count > 0 && loading->size <= BOX_FILE) {
        count = read(file, loading->text + loading->size, BOX_FILE + 1 - loading->size);
        loading->size += count > 0 ? (size_t)count : 0;
    }
    if (count < 0)
        return error_set(error, ERROR_CONFIG, "%s: %s; name a script", path, strerror(errno));
    if (loading->size > BOX_FILE)
        return error_set(error, ERROR_CONFIG, "%s: a script has at most %u bytes", path, BOX_FILE);
    if (loading->size && loading->text[0] == LUA_SIGNATURE[0])
        return error_set(error, ERROR_CONFIG,
                         "%s: it is compiled; name the text that it was made of", path);
    return 0;
}

/* A pipe without a writer is not waited for. */
static int read_script(const char *path, struct loading *loading, struct error *error)
{
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat about;
    int status;

    if (file < 0)
        return error_set(error, ERROR_CONFIG, "%s: %s; name a script", path, strerror(errno));
    if (fstat(file, &about) || !S_ISREG(about.st_mode))
        status = error_set(error, ERROR_CONFIG, "%s: it is no file; name a script", path);
    else
        status = read_bytes(file, loading, path, error);
    close(file);
    return status;
}

int box_open(struct box *box, const char *path, uint64_t seed, const luaL_Reg *host, void *owner,
             struct error *error)
{
    struct loading loading = {.box = box, .host = host};
    struct error said = {0};
    int status = read_script(path, &loading, &said);

    *box = (struct box){.path = path,
                        .table = LUA_NOREF,
                        .random = seed,
                        .owner = owner,
                        .steps = BOX_STEPS,
                        .spare = BOX_SPARE,
                        .printed = box->printed,
                        .printed_context = box->printed_context};
    if (!status) {
        box->lua = lua_newstate(allocate, box);
        if (!box->lua)
            status = error_set(&said, ERROR_RIG, "%s: not enough memory to run it", path);
    }
    if (!status) {
        *(struct box **)lua_getextraspace(box->lua) = box;
        lua_gc(box->lua, LUA_GCINC, GC_PAUSE, 0, 0);
        status = run_chunk(box, &loading, &said) ? ERROR_CONFIG : 0;
    }
    free(loading.text);
    if (!status)
        return 0;
    box_close(box);
    return error_set(error, (enum error_code)status, "%s", said.text);
}

void box_close(struct box *box)
{
    if (box->lua)
        lua_close(box->lua);
    box->lua = NULL;
    heap_free(&box->heap);
}
