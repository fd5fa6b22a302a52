/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions of a script that are called after a while. */
#include <math.h>

#include "devices/scripts/script.h"

#define LONGEST     (24.0 * 3600 * 1000) /* milliseconds, a day */
#define TIMER_STEPS 100 /* that a call costs, so that nobody is called for nothing for ever */

static void remove_timer(struct script_timers *timers, unsigned at)
{
    timers->list[at] = timers->list[--timers->count];
}

int script_timer_add(lua_State *lua, struct script_timers *timers, nanos_t now)
{
    lua_Number millis = luaL_checknumber(lua, 1);

    luaL_argcheck(lua, millis >= 0 && millis <= LONGEST, 1, "a day at most, in milliseconds");
    luaL_checktype(lua, 2, LUA_TFUNCTION);
    if (timers->count == SCRIPT_TIMERS)
        return luaL_error(lua, "after: %d functions wait already", SCRIPT_TIMERS);
    lua_settop(lua, 2);
    timers->list[timers->count] = (struct script_timer){
        .at = now + (nanos_t)llround(millis * (lua_Number)NANOS_PER_MILLI),
        .number = ++timers->last,
        .function = luaL_ref(lua, LUA_REGISTRYINDEX),
    };
    timers->count++;
    lua_pushinteger(lua, timers->last);
    return 1;
}

int script_timer_cancel(lua_State *lua, struct script_timers *timers)
{
    lua_Integer number = luaL_checkinteger(lua, 1);

    for (unsigned i = 0; i < timers->count; i++)
        if (timers->list[i].number == number) {
            luaL_unref(lua, LUA_REGISTRYINDEX, timers->list[i].function);
            remove_timer(timers, i);
            break;
        }
    return 0;
}

/* The first to be called: of those that are due at the same time the one that was set first. */
static unsigned find_first(const struct script_timers *timers)
{
    unsigned first = 0;

    for (unsigned i = 1; i < timers->count; i++) {
        const struct script_timer *a = &timers->list[i], *b = &timers->list[first];

        if (a->at < b->at || (a->at == b->at && a->number < b->number))
            first = i;
    }
    return first;
}

nanos_t script_timer_due(const struct script_timers *timers)
{
    return timers->count ? timers->list[find_first(timers)].at : NEVER;
}

/* The function is forgotten once it is on the stack. */
static int give_nothing(lua_State *lua, void *context)
{
    box_charge(lua, TIMER_STEPS);
    luaL_unref(lua, LUA_REGISTRYINDEX, *(const int *)context);
    return 0;
}

int script_timer_run(struct script_timers *timers, struct box *box, nanos_t now,
                     struct error *error)
{
    unsigned first = find_first(timers);
    struct box_call call = {.name = "a timer", .give = give_nothing};
    int status;

    if (!timers->count || timers->list[first].at > now)
        return 0;
    call.function = timers->list[first].function;
    call.context = &call.function;
    remove_timer(timers, first);
    box_renew(box, now);
    status = box_start(box, box->callbacks, &call, error);
    return status < 0 ? status : 1;
}
