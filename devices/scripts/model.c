/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The model "script": the device's side of a protocol as a script has it in its function model()
 * (devices/SCRIPTS.md, "A model"). It runs in a box of its own and shares nothing with the script
 * that drives it. A model cannot fail as a device would: an error of the script breaks it, and
 * whoever talks to it is told why.
 */
#include "devices/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/scripts/script.h"

#define OUTPUT_MAX    65536 /* bytes that wait to be sent */
#define OPTION_MAX    1024
#define AT_ONCE_MAX   10000 /* timers that run without time passing */
#define FAULT_NUMBERS 1000000000
#define FAULTS_MAX    64

struct script_model {
    struct model model;
    struct box box;
    char *path;
    int received, fault, power, unplugged; /* references */
    int faults;                            /* of the table of them; LUA_NOREF */
    struct script_timers timers;
    nanos_t now;
    bool has_shown;
    size_t sent, count; /* of the output */
    uint8_t output[OUTPUT_MAX];
    struct error broken;
};

static struct script_model *self_of(struct model *model)
{
    return (struct script_model *)model;
}

static struct script_model *owner(lua_State *lua)
{
    return box_of(lua)->owner;
}

static int do_send(lua_State *lua)
{
    struct script_model *self = owner(lua);
    size_t size;
    const char *bytes = luaL_checklstring(lua, 1, &size);

    box_charge(lua, size / 4);
    memmove(self->output, self->output + self->sent, self->count - self->sent);
    self->count -= self->sent;
    self->sent = 0;
    if (size > OUTPUT_MAX - self->count)
        return luaL_error(lua, "send: more than %d bytes wait, and nobody takes them", OUTPUT_MAX);
    memcpy(self->output + self->count, bytes, size);
    self->count += size;
    lua_pushboolean(lua, true);
    return 1;
}

static int do_now(lua_State *lua)
{
    lua_pushnumber(lua, (lua_Number)owner(lua)->now / (lua_Number)NANOS_PER_MILLI);
    return 1;
}

static int do_after(lua_State *lua)
{
    return script_timer_add(lua, &owner(lua)->timers, owner(lua)->now);
}

static int do_cancel(lua_State *lua)
{
    return script_timer_cancel(lua, &owner(lua)->timers);
}

static int do_shown(lua_State *lua)
{
    owner(lua)->has_shown = true;
    return 0;
}

static const luaL_Reg functions[] = {
    {"send", do_send},     {"now", do_now},     {"after", do_after},
    {"cancel", do_cancel}, {"shown", do_shown}, {NULL, NULL},
};

static void break_down(struct script_model *self)
{
    self->model.broken = self->broken.text;
}

/* 0, or the error that has broken it. */
static int call(struct script_model *self, int function, const char *name, box_give *give,
                void *context)
{
    const struct box_call made = {
        .function = function, .name = name, .give = give, .context = context};

    if (function == LUA_NOREF)
        return 0;
    box_renew(&self->box, self->now);
    if (box_start(&self->box, self->box.callbacks, &made, &self->broken) >= 0)
        return 0;
    break_down(self);
    return ERROR_RIG;
}

/* What became due on the way to that time comes first, each at its own time. */
static void advance(struct script_model *self, nanos_t now)
{
    nanos_t due, since = self->now;
    unsigned at_once = 0;

    while (!self->model.broken && (due = script_timer_due(&self->timers)) <= now) {
        self->now = due > self->now ? due : self->now;
        at_once = self->now > since ? 0 : at_once + 1;
        since = self->now;
        if (at_once > AT_ONCE_MAX)
            error_set(&self->broken, ERROR_RIG, "%s: %d timers have run and no time has passed",
                      self->path, AT_ONCE_MAX);
        if (at_once > AT_ONCE_MAX ||
            script_timer_run(&self->timers, &self->box, self->now, &self->broken) < 0)
            break_down(self);
    }
    self->now = now;
}

/* Bytes of the host on their way into the script. */
struct bytes {
    const uint8_t *at;
    size_t count;
};

static int give_bytes(lua_State *lua, void *context)
{
    const struct bytes *bytes = context;

    lua_pushlstring(lua, (const char *)bytes->at, bytes->count);
    return 1;
}

static void model_receive(struct model *model, const uint8_t *bytes, size_t count, nanos_t now)
{
    struct script_model *self = self_of(model);
    struct bytes given = {bytes, count};

    advance(self, now);
    if (!model->broken)
        call(self, self->received, "received", give_bytes, &given);
}

static size_t model_send(struct model *model, uint8_t *bytes, size_t size, nanos_t now)
{
    struct script_model *self = self_of(model);
    size_t count;

    advance(self, now);
    count = self->count - self->sent < size ? self->count - self->sent : size;
    memcpy(bytes, self->output + self->sent, count);
    self->sent += count;
    return count;
}

static nanos_t model_due(struct model *model)
{
    const struct script_model *self = (const struct script_model *)model;

    return self->sent < self->count ? self->now : script_timer_due(&self->timers);
}

static void model_unplug(struct model *model, nanos_t now)
{
    struct script_model *self = self_of(model);

    advance(self, now);
    self->sent = self->count = 0;
    if (!model->broken)
        call(self, self->unplugged, "unplugged", NULL, NULL);
}

static void model_free(struct model *model)
{
    struct script_model *self = self_of(model);

    box_close(&self->box);
    free(self->path);
    free(self);
}

static const struct model_ops ops = {
    .receive = model_receive,
    .send = model_send,
    .due = model_due,
    .unplug = model_unplug,
    .free = model_free,
};

/* A model while it is made. */
struct making {
    struct script_model *self;
    const char *options;
    struct error *error;
};

/* The options of an address, but for those that are not the script's. */
static int give_options(lua_State *lua, void *context)
{
    const struct making *making = context;
    const char *at = making->options;

    lua_newtable(lua);
    while (*at) {
        size_t key = strcspn(at, "=,"), length = strcspn(at, ",");
        bool is_own = !strncmp(at, "file=", 5) || !strncmp(at, "seed=", 5) ||
                      !strncmp(at, "fault=", 6) || at[key] != '=';

        if (!is_own) {
            lua_pushlstring(lua, at, key);
            lua_pushlstring(lua, at + key + 1, length - key - 1);
            lua_rawset(lua, -3);
        }
        at += length + (at[length] == ',');
    }
    return 1;
}

static void check_members(lua_State *lua)
{
    static const char *const known[] = {"received", "faults", "fault", "power", "unplugged"};

    for (lua_pushnil(lua); lua_next(lua, 1); lua_pop(lua, 1)) {
        const char *name = lua_type(lua, -2) == LUA_TSTRING ? lua_tostring(lua, -2) : "?";
        bool is_known = false;

        for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
            is_known |= !strcmp(known[i], name);
        if (!is_known)
            luaL_error(lua, "model(): its table has '%s', which no model has", name);
    }
}

static void take_model(lua_State *lua, void *context)
{
    const struct making *making = context;
    struct script_model *self = making->self;

    if (lua_type(lua, 1) != LUA_TTABLE)
        luaL_error(lua, "model(): it returns %s where it must return a table",
                   lua_isnil(lua, 1) ? "nothing" : luaL_typename(lua, 1));
    check_members(lua);
    self->received = box_function(lua, "received");
    self->fault = box_function(lua, "fault");
    self->power = box_function(lua, "power");
    self->unplugged = box_function(lua, "unplugged");
    if (self->received == LUA_NOREF)
        luaL_error(lua, "model(): its table has no function 'received'");
    lua_pushliteral(lua, "faults");
    if (lua_rawget(lua, 1) == LUA_TTABLE && self->fault == LUA_NOREF)
        luaL_error(lua, "model(): its table has 'faults' and no function 'fault'");
    self->faults = lua_type(lua, -1) == LUA_TTABLE ? luaL_ref(lua, LUA_REGISTRYINDEX) : LUA_NOREF;
}

static int find_model(lua_State *lua)
{
    int *model = lua_touserdata(lua, 1);

    lua_rawgeti(lua, LUA_REGISTRYINDEX, owner(lua)->box.table);
    *model = box_function(lua, "model");
    return 0;
}

/* Has the script make it, in the box that is open. */
static int make_inside(struct making *making)
{
    struct script_model *self = making->self;
    int model = LUA_NOREF;
    struct box_call made = {
        .name = "model", .give = give_options, .take = take_model, .results = 1, .context = making};

    if (box_protect(&self->box, find_model, &model, making->error))
        return ERROR_CONFIG;
    if (model == LUA_NOREF)
        return error_set(making->error, ERROR_CONFIG,
                         "%s: it has no function 'model', which makes the other end", self->path);
    made.function = model;
    box_renew(&self->box, NEVER);
    return box_start(&self->box, self->box.callbacks, &made, making->error) < 0 ? ERROR_CONFIG : 0;
}

/* A fault while it is looked up: "jam@packet:2". */
struct defect_found {
    struct script_model *self;
    char name[64], unit[32];
    lua_Integer number;
    bool has_number;
    bool is_known, fits;
    char form[128]; /* how it is written */
    struct name_list names;
};

/* In their order, which is not that of the table. */
static void list_faults(lua_State *lua, struct defect_found *found)
{
    const char *names[FAULTS_MAX];
    unsigned count = 0;

    for (lua_pushnil(lua); lua_next(lua, -2) && count < FAULTS_MAX; lua_pop(lua, 1)) {
        const char *name = lua_type(lua, -2) == LUA_TSTRING ? lua_tostring(lua, -2) : "?";
        unsigned at = count++;

        for (; at && strcmp(names[at - 1], name) > 0; at--)
            names[at] = names[at - 1];
        names[at] = name;
    }
    name_list_start(&found->names);
    for (unsigned i = 0; i < count; i++)
        name_list_add(&found->names, names[i]);
}

static int look_up(lua_State *lua)
{
    struct defect_found *found = lua_touserdata(lua, 1);
    const char *unit;

    if (found->self->faults == LUA_NOREF)
        return 0;
    lua_rawgeti(lua, LUA_REGISTRYINDEX, found->self->faults);
    lua_pushstring(lua, found->name);
    found->is_known = lua_rawget(lua, -2) != LUA_TNIL;
    unit = lua_type(lua, -1) == LUA_TSTRING ? lua_tostring(lua, -1) : NULL;
    found->fits = unit ? found->has_number && !strcmp(unit, found->unit) : !found->has_number;
    snprintf(found->form, sizeof found->form, unit ? "%s@%s:N" : "%s", found->name, unit);
    lua_pop(lua, 1);
    list_faults(lua, found);
    return 0;
}

static void split_spec(const char *spec, struct defect_found *found)
{
    const char *at = strchr(spec, '@'), *colon = at ? strchr(at, ':') : NULL;
    uint64_t number = 0;

    snprintf(found->name, sizeof found->name, "%.*s",
             (int)(at ? at - spec : (ptrdiff_t)strlen(spec)), spec);
    if (!colon)
        return;
    snprintf(found->unit, sizeof found->unit, "%.*s", (int)(colon - at - 1), at + 1);
    found->has_number =
        !model_option_number("fault", colon + 1, FAULT_NUMBERS, &number, NULL) && number;
    found->number = (lua_Integer)number;
}

static int give_fault(lua_State *lua, void *context)
{
    const struct defect_found *found = context;

    lua_pushstring(lua, found->name);
    if (found->has_number)
        lua_pushinteger(lua, found->number);
    return found->has_number ? 2 : 1;
}

static int model_fault(struct model *model, const char *spec, struct error *error)
{
    struct script_model *self = self_of(model);
    struct defect_found found = {.self = self};
    int status;

    split_spec(spec, &found);
    status = box_protect(&self->box, look_up, &found, error);
    if (status)
        return status;
    if (!found.is_known)
        return error_set(
            error, ERROR_CONFIG, "'%.60s' is no fault of the model in %s; its faults are %s", spec,
            self->path, self->faults == LUA_NOREF ? "none" : name_list_text(&found.names));
    if (!found.fits)
        return error_set(error, ERROR_CONFIG, "fault=%.60s: write %s", spec, found.form);
    if (!call(self, self->fault, "fault", give_fault, &found))
        return 0;
    return error_set(error, ERROR_CONFIG, "%s", self->broken.text);
}

static bool model_has_shown(const struct model *model)
{
    return ((const struct script_model *)model)->has_shown;
}

bool script_model_has_power(const struct model *model)
{
    return model->ops != &ops || ((const struct script_model *)model)->power != LUA_NOREF;
}

static void model_power_cycle(struct model *model, nanos_t now)
{
    struct script_model *self = self_of(model);

    advance(self, now);
    if (!model->broken)
        call(self, self->power, "power", NULL, NULL);
}

/* One option of the text; the next one is behind it. */
static const char *next_option(const char *at, char option[OPTION_MAX])
{
    size_t length = strcspn(at, ",");

    snprintf(option, OPTION_MAX, "%.*s", (int)length, at);
    return at + length + (at[length] == ',');
}

static int read_options(const char *options, char path[OPTION_MAX], uint64_t *seed,
                        struct error *error)
{
    char option[OPTION_MAX];

    *path = '\0';
    while (*options) {
        options = next_option(options, option);
        if (!strncmp(option, "file=", 5))
            snprintf(path, OPTION_MAX, "%s", option + 5);
        else if (!strncmp(option, "seed=", 5) &&
                 model_option_number("seed", option + 5, UINT64_MAX, seed, error))
            return ERROR_CONFIG;
        else if (!strchr(option, '='))
            return error_set(error, ERROR_CONFIG,
                             "'%.60s' is no option of a script; write "
                             "KEY=VALUE",
                             option);
    }
    if (*path)
        return 0;
    return error_set(error, ERROR_CONFIG,
                     "which script? Name its file, as in emu:script?file=my-shuffler.lua");
}

static int add_faults(struct script_model *self, const char *options, struct error *error)
{
    char option[OPTION_MAX];
    int status = 0;

    while (*options && !status) {
        options = next_option(options, option);
        if (!strncmp(option, "fault=", 6))
            status = model_fault(&self->model, option + 6, error);
    }
    return status;
}

static struct model *make(const char *options, struct error *error)
{
    struct script_model *self = calloc(1, sizeof *self);
    char path[OPTION_MAX];
    uint64_t seed = 1;
    struct making making = {self, options, error};
    int status;

    if (!self || read_options(options, path, &seed, error)) {
        free(self);
        return NULL;
    }
    self->model.ops = &ops;
    self->faults = LUA_NOREF;
    self->path = strdup(path);
    status = self->path ? box_open(&self->box, self->path, seed, functions, self, error)
                        : error_set(error, ERROR_RIG, "%s: not enough memory to load it", path);
    if (!status)
        status = make_inside(&making);
    if (!status)
        status = add_faults(self, options, error);
    if (!status)
        return &self->model;
    if (error)
        error->code = (enum error_code)status;
    model_free(&self->model);
    return NULL;
}

static int no_option(void *context, const char *value, struct error *error)
{
    (void)context;
    (void)value;
    (void)error;
    return 0;
}

static const struct model_option options[] = {{"file=PATH", no_option},
                                              {"seed=N", no_option},
                                              {"fault=SPEC", no_option},
                                              {"KEY=VALUE", no_option},
                                              {NULL, NULL}};
static const struct defect_table defects = {"a script", NULL, 0};

static const struct model_kind kind = {
    .name = "script",
    .summary = "the other end of a script, as its file has it (devices/SCRIPTS.md)",
    .class = DEVICE_CLASSES,
    .driver = "script",
    .options = options,
    .defects = &defects,
    .make = make,
    .fault = model_fault,
    .has_shown = model_has_shown,
    .power_cycle = model_power_cycle,
    .hands = "",
};
REGISTER(device_models, kind);
