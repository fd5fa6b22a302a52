/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The conversation of a script with its device: what came, timers, and calls that wait. */
#include "devices/scripts/script.h"

#include <string.h>

static struct link *link_of(const struct script *script)
{
    return script->device->link;
}

/* A device that is away is waited for as long as the link looks for it; then it must be asked anew.
 */
static int come_back(struct script *script, int status, struct error *error)
{
    return status == ERROR_DEVICE ? link_await(link_of(script), error) : status;
}

static int give_received(lua_State *lua, void *context)
{
    const struct bytes {
        const uint8_t *at;
        size_t count;
    } *bytes = context;

    lua_pushlstring(lua, (const char *)bytes->at, bytes->count);
    return 1;
}

static int hand_over(struct script *script, const uint8_t *bytes, size_t count, struct error *error)
{
    struct {
        const uint8_t *at;
        size_t count;
    } given = {bytes, count};
    const struct box_call call = {
        .function = script->received, .name = "received", .give = give_received, .context = &given};
    int status;

    box_renew(&script->box, script_now(script));
    status = box_start(&script->box, script->box.callbacks, &call, error);
    return status < 0 ? status : 1;
}

/*
 * Until something has happened, be it bytes or a timer: 1, or 0 at the deadline or when the link
 * came back, or an error. What is there at the deadline is still read, and what is there when a
 * timer is due goes before it, once.
 */
static int pump(struct script *script, nanos_t deadline, struct error *error)
{
    uint8_t bytes[1024];
    uint64_t comebacks = link_comebacks(link_of(script));

    for (;;) {
        nanos_t due = script_timer_due(&script->timers);
        ssize_t count;
        int status;

        if (hal_cancelled(script->hal))
            return error_set(error, ERROR_ABORTED, "cancelled");
        if (due <= script->read_at) {
            status = script_timer_run(&script->timers, &script->box, script_now(script), error);
            if (status)
                return status;
        }
        count =
            link_read(link_of(script), bytes, sizeof bytes, due < deadline ? due : deadline, error);
        script->read_at = script_now(script);
        if (count < 0)
            return come_back(script, (int)count, error);
        if (count)
            return hand_over(script, bytes, (size_t)count, error);
        if (script_now(script) >= deadline && due > script->read_at)
            return 0;
        if (link_comebacks(link_of(script)) != comebacks)
            return 0;
    }
}

/* A call that may wait, from its start to its end. */
static int run_call(struct script *script, const struct box_call *call, struct error *error)
{
    struct box *box = &script->box;
    nanos_t renewed = script_now(script);
    int result;

    script->request = call->name;
    script->return_by = renewed + SCRIPT_TIME;
    box_renew(box, renewed);
    result = box_start(box, box->requests, call, error);
    while (result == BOX_WAITS) {
        int64_t steps = box->steps;
        nanos_t until = script->wait_until;
        int came =
            pump(script, until < script->return_by ? until : script->return_by, &box->ending);

        box->is_ending = came < 0;
        box->steps = steps;
        if (came >= 0 && script_now(script) >= script->return_by) {
            box->is_ending = true;
            error_set(&box->ending, ERROR_TIMEOUT, "%s: %s: %s() has not returned for %d s",
                      script->device->address, script->path, call->name,
                      (int)(SCRIPT_TIME / NANOS_PER_SECOND));
        }
        if (came > 0 || script_now(script) - renewed >= NANOS_PER_MILLI) {
            renewed = script_now(script);
            box_renew(box, renewed);
        }
        result = box_resume(box, came > 0, error);
    }
    script->request = NULL;
    return result < 0 ? result : 0;
}

/* Tells a script that its link was lost and is back. */
static int renew(struct script *script, struct error *error)
{
    const struct box_call call = {.function = script->reopened, .name = "reopened"};
    int status = 0;

    if (link_comebacks(link_of(script)) == script->comebacks)
        return 0;
    script->comebacks = link_comebacks(link_of(script));
    if (script->reopened != LUA_NOREF)
        status = run_call(script, &call, error);
    return status;
}

int script_ask(struct script *script, unsigned request, box_give *give, int results, box_take *take,
               void *context, struct error *error)
{
    const struct box_call call = {.function = script->requests[request],
                                  .name = script->class->requests[request].name,
                                  .give = give,
                                  .results = results,
                                  .take = take,
                                  .context = context};
    int status;

    if (call.function == LUA_NOREF)
        return error_set(error, ERROR_CONFIG, "%s: the script %s has no %s()",
                         script->device->address, script->path, call.name);
    status = renew(script, error);
    return status ? status : run_call(script, &call, error);
}

static int give_options(lua_State *lua, void *context)
{
    const char *at = context;

    lua_newtable(lua);
    while (*at) {
        size_t key = strcspn(at, "=,"), length = strcspn(at, ",");

        lua_pushlstring(lua, at, key);
        lua_pushlstring(lua, at + key + (at[key] == '='), length - key - (at[key] == '='));
        lua_rawset(lua, -3);
        at += length + (at[length] == ',');
    }
    return 1;
}

static int start(struct script *script, const char *options, struct error *error)
{
    const struct box_call call = {
        .function = script->open, .name = "open", .give = give_options, .context = (void *)options};

    return script->open == LUA_NOREF ? 0 : run_call(script, &call, error);
}

int script_open(struct script *script, const struct script_class *class, struct device *device,
                const struct device_connection *connection, void *state, struct error *error)
{
    int status;

    script->box.printed = connection->printed;
    script->box.printed_context = connection->printed_context;
    status = script_load(script, class, connection->script, connection->seed, error);
    if (status)
        return status;
    script->device = device;
    script->state = state;
    script->hal = script->box.hal = connection->link->hal;
    script->comebacks = link_comebacks(link_of(script));
    device->capabilities = script->capabilities;
    status = start(script, connection->options, error);
    if (status)
        script_close(script);
    return status;
}

int script_tell(struct script *script, unsigned request, struct error *error)
{
    return script_ask(script, request, NULL, 0, NULL, NULL, error);
}

bool script_has(const struct script *script, unsigned request)
{
    return script->requests[request] != LUA_NOREF;
}

static int give_truth(lua_State *lua, void *context)
{
    lua_pushboolean(lua, *(const bool *)context);
    return 1;
}

int script_tell_truth(struct script *script, unsigned request, bool value, struct error *error)
{
    return script_ask(script, request, give_truth, 0, NULL, &value, error);
}

static int give_number(lua_State *lua, void *context)
{
    lua_pushinteger(lua, *(const lua_Integer *)context);
    return 1;
}

int script_tell_number(struct script *script, unsigned request, lua_Integer value,
                       struct error *error)
{
    return script_ask(script, request, give_number, 0, NULL, &value, error);
}

static int give_text(lua_State *lua, void *context)
{
    lua_pushstring(lua, context);
    return 1;
}

int script_tell_text(struct script *script, unsigned request, const char *text, struct error *error)
{
    return script_ask(script, request, give_text, 0, NULL, (void *)text, error);
}

int script_give_cards(lua_State *lua, void *context)
{
    const struct script_cards *given = context;

    lua_createtable(lua, (int)given->count, 0);
    for (size_t i = 0; i < given->count; i++) {
        char text[2];

        card_format(given->cards[i], text);
        lua_pushlstring(lua, text, sizeof text);
        lua_rawseti(lua, -2, (lua_Integer)i + 1);
    }
    return 1;
}

/* Told once what waited was taken; what came after that is lost. */
static int tell_flood(struct script *script, struct error *error)
{
    script->is_flooded = false;
    if (script->class->lost)
        script->class->lost(script);
    return error_set(error, ERROR_DEVICE,
                     "%s: it tells of more than %d events before one of them could be taken",
                     script->device->address, SCRIPT_EVENTS);
}

int script_next(struct script *script, const struct script_event **event, nanos_t deadline,
                struct error *error)
{
    while (!script->waiting) {
        int status;

        if (script->is_flooded)
            return tell_flood(script, error);
        status = renew(script, error);

        if (!status && !script->waiting)
            status = pump(script, deadline, error);
        /* A device that needs longer to come back than it is asked for is asked again. */
        if (status < 0 && (status != ERROR_TIMEOUT || script_now(script) >= deadline))
            return status;
        if (!script->waiting && script_now(script) >= deadline)
            return 0;
    }
    script->taken = script->events[script->first];
    script->first = (script->first + 1) % SCRIPT_EVENTS;
    script->waiting--;
    if (script->taken.is_wrong)
        return error_set(error, ERROR_DEVICE, "%s: %s", script->device->address,
                         script->taken.text);
    script->counts.events++;
    *event = &script->taken;
    return 1;
}
