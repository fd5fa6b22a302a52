/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functions of the host that a script calls (devices/SCRIPTS.md, "Functions of the host"). */
#include <math.h>
#include <string.h>

#include "devices/scripts/script.h"
#include "devices/scripts/values.h"
#include "hal/base/printable.h"

#define SEND_TIME  NANOS_PER_SECOND
#define WAIT_STEPS 100 /* that a wait costs, so that nobody waits for nothing for ever */

static struct script *script_of(lua_State *lua)
{
    return box_of(lua)->owner;
}

/* While a file is loaded, or only looked at, there is no device. */
static struct script *connected(lua_State *lua, const char *function)
{
    struct script *script = script_of(lua);

    if (!script->device)
        luaL_error(lua, "%s() has no place before open(): there is no device yet", function);
    return script;
}

static int do_send(lua_State *lua)
{
    struct script *script = connected(lua, "send");
    struct error error;
    size_t size;
    const char *bytes = luaL_checklstring(lua, 1, &size);
    int status = 0;

    box_charge(lua, size / 4);
    if (size)
        status = link_write_all(script->device->link, bytes, size, script_now(script) + SEND_TIME,
                                &error);
    /* A device that was away must be asked anew. */
    if (status == ERROR_DEVICE && !link_await(script->device->link, &error))
        status = ERROR_TIMEOUT;
    if (status && status != ERROR_TIMEOUT)
        return box_end_with(lua, &error);
    lua_pushboolean(lua, !status);
    return 1;
}

static int do_now(lua_State *lua)
{
    const struct script *script = connected(lua, "now");

    lua_pushnumber(lua, (lua_Number)script_now(script) / (lua_Number)NANOS_PER_MILLI);
    return 1;
}

static int do_wait(lua_State *lua)
{
    struct script *script = connected(lua, "wait");
    lua_Number millis = luaL_checknumber(lua, 1);
    lua_Number most = (lua_Number)SCRIPT_TIME / (lua_Number)NANOS_PER_MILLI;

    if (!(millis > 0))
        millis = 0;
    if (millis > most)
        millis = most;
    box_charge(lua, WAIT_STEPS);
    script->wait_until =
        script_now(script) + (nanos_t)llround(millis * (lua_Number)NANOS_PER_MILLI);
    return box_wait(lua);
}

static int do_after(lua_State *lua)
{
    struct script *script = connected(lua, "after");

    return script_timer_add(lua, &script->timers, script_now(script));
}

static int do_cancel(lua_State *lua)
{
    return script_timer_cancel(lua, &script_of(lua)->timers);
}

static int do_waiting(lua_State *lua)
{
    lua_pushinteger(lua, script_of(lua)->waiting);
    return 1;
}

static int do_count(lua_State *lua)
{
    static const char *const names[] = {"retries", "repeats", "rejected", NULL};
    struct shoe_counts *counts = &script_of(lua)->counts;
    uint64_t *const members[] = {&counts->retries, &counts->repeats, &counts->rejected};

    ++*members[luaL_checkoption(lua, 1, NULL, names)];
    return 0;
}

/* What ends a request needs one. */
static struct script *in_request(lua_State *lua, const char *function)
{
    struct script *script = script_of(lua);

    if (!script->request || lua != script->box.requests)
        luaL_error(lua, "%s() ends a request, and this is none; tell event{\"wrong\", text = ...}",
                   function);
    return script;
}

static int do_refuse(lua_State *lua)
{
    struct script *script = in_request(lua, "refuse");
    lua_Integer code = luaL_checkinteger(lua, 1);
    char text[SCRIPT_TEXT], request[SCRIPT_TEXT];
    struct error error;

    if (code < 1 || code > 255)
        return box_end(lua, ERROR_DEVICE,
                       "%s: it refuses %s() with code %lld; a refusal is a number from 1 to 255",
                       script->device->address, script->request, (long long)code);
    printable_copy(text, sizeof text, luaL_checkstring(lua, 2));
    printable_copy(request, sizeof request, luaL_optstring(lua, 3, script->request));
    device_refuse(script->device, request, (unsigned)code, text, &error);
    return box_end_with(lua, &error);
}

static int end_request(lua_State *lua, const char *function, enum error_code code)
{
    const struct script *script = in_request(lua, function);

    return box_end(lua, code, "%s: %s", script->device->address, luaL_checkstring(lua, 1));
}

static int do_silent(lua_State *lua)
{
    return end_request(lua, "silent", ERROR_TIMEOUT);
}

static int do_wrong(lua_State *lua)
{
    return end_request(lua, "wrong", ERROR_DEVICE);
}

static int do_cannot(lua_State *lua)
{
    return end_request(lua, "cannot", ERROR_CONFIG);
}

/* What the device says from here on may not fit what it said before. */
static void lose(struct script *script)
{
    if (script->class->lost)
        script->class->lost(script);
}

static void read_wrong(lua_State *lua, struct script *script, struct script_event *event)
{
    lose(script);
    event->is_wrong = true;
    value_any_text(lua, "text", event->text, sizeof event->text);
}

static const struct script_kind *find_kind(lua_State *lua, const struct script *script,
                                           const char *name)
{
    static const struct script_kind any = {"wrong", read_wrong};
    const struct script_kind *kind = script->class->kinds;
    struct name_list known;

    for (; kind->name; kind++)
        if (!strcmp(kind->name, name))
            return kind;
    if (!strcmp(name, any.name))
        return &any;
    name_list_start(&known);
    for (kind = script->class->kinds; kind->name; kind++)
        name_list_add(&known, kind->name);
    name_list_add(&known, any.name);
    luaL_error(lua, "'%s' is no event of a %s; its events are %s", name,
               device_class_name(script->class->class), name_list_text(&known));
    return NULL;
}

static int do_event(lua_State *lua)
{
    struct script *script = connected(lua, "event");
    struct script_event *event;
    char lie[ERROR_TEXT_SIZE];
    const char *name;

    luaL_checktype(lua, 1, LUA_TTABLE);
    if (lua_rawgeti(lua, 1, 1) != LUA_TSTRING)
        return luaL_error(lua, "event: its kind comes first, as in event{\"fault\", ...}");
    name = lua_tostring(lua, -1);
    script->is_flooded |= script->waiting == SCRIPT_EVENTS;
    if (script->is_flooded)
        return 0;
    event = &script->events[(script->first + script->waiting) % SCRIPT_EVENTS];
    *event = (struct script_event){.time = script_now(script)};
    value_begin(lua, name);
    find_kind(lua, script, name)->read(lua, script, event);
    value_end(lua);
    if (value_lie(lua, lie)) {
        lose(script);
        event->is_wrong = true;
        printable_copy(event->text, sizeof event->text, lie);
    }
    script->waiting++;
    return 0;
}

const luaL_Reg script_functions[] = {
    {"send", do_send},     {"now", do_now},         {"wait", do_wait},   {"after", do_after},
    {"cancel", do_cancel}, {"waiting", do_waiting}, {"count", do_count}, {"event", do_event},
    {"refuse", do_refuse}, {"silent", do_silent},   {"wrong", do_wrong}, {"cannot", do_cannot},
    {NULL, NULL},
};
