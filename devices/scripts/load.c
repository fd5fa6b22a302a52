/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A script from its file, and what its table must hold. */
#include <stdlib.h>
#include <string.h>

#include "devices/scripts/script.h"
#include "hal/base/names.h"

/* What any script may have beside the requests of its class. */
static const char *const members[] = {"class",    "open",  "reopened",    "received", "split",
                                      "describe", "model", "tells_cards", NULL};

static bool is_request(const struct script_class *class, const char *name)
{
    for (unsigned i = 0; class->requests[i].name; i++)
        if (!strcmp(class->requests[i].name, name))
            return true;
    return false;
}

/* A request that is misspelt would be left out in silence. */
static void check_members(lua_State *lua, const struct script *script)
{
    for (lua_pushnil(lua); lua_next(lua, -2); lua_pop(lua, 1)) {
        const char *name = lua_type(lua, -2) == LUA_TSTRING ? lua_tostring(lua, -2) : NULL;
        bool is_known = name && is_request(script->class, name);

        for (unsigned i = 0; members[i] && name && !is_known; i++)
            is_known = !strcmp(members[i], name);
        if (!is_known)
            luaL_error(lua, "%s: a script of a %s has no '%s' (devices/SCRIPTS.md lists them)",
                       script->path, device_class_name(script->class->class), name ? name : "?");
    }
}

static const struct script_class *const classes[] = {&script_shuffler, &script_shoe};
#define CLASSES (sizeof classes / sizeof classes[0])

static const struct script_class *find_class(lua_State *lua, const struct script *script)
{
    const char *name = lua_tostring(lua, -1);
    struct name_list known;

    for (size_t i = 0; i < CLASSES; i++)
        if (!strcmp(device_class_name(classes[i]->class), name))
            return classes[i];
    name_list_start(&known);
    for (size_t i = 0; i < CLASSES; i++)
        name_list_add(&known, device_class_name(classes[i]->class));
    luaL_error(lua, "%s: there is no class '%s'; the classes are %s", script->path, name,
               name_list_text(&known));
    return NULL;
}

/* The class of the file, which must be that of the driver if there is one. */
static void check_class(lua_State *lua, struct script *script)
{
    const struct script_class *class;

    lua_pushliteral(lua, "class");
    if (lua_rawget(lua, -2) != LUA_TSTRING)
        luaL_error(lua, "%s: it does not say its 'class', as in class = \"%s\"", script->path,
                   device_class_name(script->class ? script->class->class : DEVICE_SHUFFLER));
    class = find_class(lua, script);
    if (script->class && script->class != class)
        luaL_error(lua, "%s: its class is '%s'; it must be \"%s\" here", script->path,
                   lua_tostring(lua, -1), device_class_name(script->class->class));
    script->class = class;
    lua_pop(lua, 1);
}

static void find_requests(lua_State *lua, struct script *script)
{
    const struct script_request *rows = script->class->requests;

    for (unsigned i = 0; rows[i].name; i++) {
        script->requests[i] = box_function(lua, rows[i].name);
        if (script->requests[i] != LUA_NOREF)
            script->capabilities |= rows[i].capability;
        else if (rows[i].is_required)
            luaL_error(lua, "%s: it has no function '%s', which a %s needs", script->path,
                       rows[i].name, device_class_name(script->class->class));
    }
}

/* A machine may deal and not know what. */
static void check_cards(lua_State *lua, struct script *script)
{
    bool deals = script->class->class == DEVICE_SHUFFLER || script->class->class == DEVICE_SHOE;
    int type;

    lua_pushliteral(lua, "tells_cards");
    type = lua_rawget(lua, -2);
    if (type != LUA_TNIL && (type != LUA_TBOOLEAN || script->class->class != DEVICE_SHUFFLER))
        luaL_error(lua, "%s: 'tells_cards' is true or false, of a shuffler", script->path);
    if (deals && (type == LUA_TNIL || lua_toboolean(lua, -1)))
        script->capabilities |= DEVICE_TELLS_CARDS;
    lua_pop(lua, 1);
}

static int look_at_table(lua_State *lua)
{
    struct script *script = lua_touserdata(lua, 1);

    lua_rawgeti(lua, LUA_REGISTRYINDEX, script->box.table);
    check_class(lua, script);
    check_members(lua, script);
    script->open = box_function(lua, "open");
    script->reopened = box_function(lua, "reopened");
    script->received = box_function(lua, "received");
    if (script->received == LUA_NOREF)
        luaL_error(lua, "%s: it has no function 'received', which is told what came", script->path);
    find_requests(lua, script);
    check_cards(lua, script);
    return 0;
}

static bool has_both(const struct script *script)
{
    return !(script->capabilities & DEVICE_LOADS_ORDER) ||
           script->capabilities & DEVICE_HAS_TEST_MODE;
}

int script_load(struct script *script, const struct script_class *class, const char *path,
                uint64_t seed, struct error *error)
{
    struct error said;
    int status;

    *script = (struct script){
        .class = class,
        .path = strdup(path),
        .box = {.printed = script->box.printed, .printed_context = script->box.printed_context}};
    if (!script->path)
        return error_set(error, ERROR_RIG, "%s: not enough memory to load it", path);
    status = box_open(&script->box, script->path, seed, script_functions, script, error);
    if (!status && box_protect(&script->box, look_at_table, script, &said))
        status = error_set(error, ERROR_CONFIG, "%s", said.text);
    if (!status && !has_both(script))
        status = error_set(error, ERROR_CONFIG,
                           "%s: it has load_order() and no test_mode(); orders are loaded in test "
                           "mode only",
                           path);
    if (status)
        script_close(script);
    return status;
}

void script_close(struct script *script)
{
    box_close(&script->box);
    free(script->path);
    script->path = NULL;
}

int script_inspect(const struct script_class *class, const struct device_connection *connection,
                   unsigned *capabilities, struct error *error)
{
    struct script *script = calloc(1, sizeof *script);
    int status;

    if (!script)
        return error_set(error, ERROR_RIG, "%s: not enough memory to load it", connection->script);
    status = script_load(script, class, connection->script, connection->seed, error);
    if (!status) {
        *capabilities = script->capabilities;
        script_close(script);
    }
    free(script);
    return status;
}
