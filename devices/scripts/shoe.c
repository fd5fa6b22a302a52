/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The shoe driver "script": requests and events of its class for a file of the lab. */
#include <string.h>

#include "devices/scripts/script.h"
#include "devices/scripts/values.h"

enum request { LOCK, CLEAR_ERROR, STATUS, TEST_MODE, LOAD_ORDER, LOG, IDENTITY };

static const struct script_request requests[] = {
    [LOCK] = {"lock", false, 0},
    [CLEAR_ERROR] = {"clear_error", false, 0},
    [STATUS] = {"status", false, DEVICE_TELLS_STATUS},
    [TEST_MODE] = {"test_mode", false, DEVICE_HAS_TEST_MODE},
    [LOAD_ORDER] = {"load_order", false, DEVICE_LOADS_ORDER},
    [LOG] = {"log", false, DEVICE_KEEPS_LOG},
    [IDENTITY] = {"identity", false, DEVICE_TELLS_IDENTITY},
    {NULL, false, 0},
};

static const char *const states[] = {
    "",
    [SHOE_IDLE] = "idle",
    [SHOE_DEALING] = "dealing",
    [SHOE_LOCKED] = "locked",
    [SHOE_ERROR] = "error",
    NULL,
};

static const char *const faults[] = {
    [SHOE_NO_FAULT] = "",
    [SHOE_CANNOT_READ] = "cannot-read",
    [SHOE_OVERDRAW] = "overdraw",
    [SHOE_BUTTON_MISUSE] = "button-misuse",
    [SHOE_REVERSE_AT_EXIT] = "reverse-at-exit",
    [SHOE_REVERSE_MIDWAY] = "reverse-midway",
    [SHOE_CARD_CODE] = "card-code",
    [SHOE_DRAW_TIMEOUT] = "draw-timeout",
    [SHOE_JAM] = "jam",
    NULL,
};

static const char *const log_codes[] = {"card",      "cut-card", "stand-by", "fault", "cleared",
                                        "test-mode", "power-up", "locked",   NULL};

struct script_shoe {
    struct shoe shoe;
    struct script script;
    bool is_in_test_mode; /* as far as it has said */
};

static struct script *script_of(struct shoe *shoe)
{
    return &((struct script_shoe *)shoe)->script;
}

#define ENTRY "entry" /* any event may have one */

/* What the log must have of it: a table within the event. */
static void read_log_entry(lua_State *lua, struct script *script, struct shoe_event *event)
{
    struct box_reading within = {0}, *reading = &box_of(lua)->reading;

    if (!value_is_given(lua, ENTRY))
        return;
    within = *reading;
    if (!(script->capabilities & DEVICE_KEEPS_LOG))
        luaL_error(lua, "an event has an 'entry', and this script has no log()");
    lua_pushvalue(lua, 1);
    lua_getfield(lua, 1, ENTRY);
    luaL_checktype(lua, -1, LUA_TTABLE);
    lua_replace(lua, 1);
    value_begin(lua, reading->what);
    event->entry.code = (uint8_t)(SHOE_LOG_CARD + value_word(lua, "code", log_codes));
    event->entry.detail = (uint8_t)value_number_or(lua, "detail", 0, UINT8_MAX, 0);
    event->entry.value = (uint16_t)value_number_or(lua, "value", 0, UINT16_MAX, 0);
    value_end(lua);
    lua_replace(lua, 1);
    *reading = within;
}

static void begin(lua_State *lua, struct script *script, struct script_event *event,
                  enum shoe_event_kind kind)
{
    const struct script_shoe *self = script->state;

    event->shoe.kind = kind;
    event->shoe.test_mode = self->is_in_test_mode;
    read_log_entry(lua, script, &event->shoe);
}

static void read_started(lua_State *lua, struct script *script, struct script_event *event)
{
    begin(lua, script, event, SHOE_EVENT_STARTED);
}

static void read_cut_card(lua_State *lua, struct script *script, struct script_event *event)
{
    begin(lua, script, event, SHOE_EVENT_CUT_CARD);
}

static void read_stand_by(lua_State *lua, struct script *script, struct script_event *event)
{
    begin(lua, script, event, SHOE_EVENT_STAND_BY);
    event->shoe.test_mode = value_truth_or(lua, "test_mode", event->shoe.test_mode);
    event->shoe.deck.is_known = value_is_given(lua, "deck");
    event->shoe.deck.number = (uint16_t)value_number_or(lua, "deck", 0, UINT16_MAX, 0);
    event->shoe.deck.loaded = value_truth_or(lua, "loaded", false);
}

static void read_card(lua_State *lua, struct script *script, struct script_event *event)
{
    begin(lua, script, event, SHOE_EVENT_CARD);
    if (script->capabilities & DEVICE_HAS_TEST_MODE)
        event->shoe.test_mode = value_truth(lua, "test_mode");
    event->shoe.card.card = value_card(lua, "card");
    event->shoe.card.outside = value_truth_or(lua, "outside", false);
    event->shoe.card.resent = value_truth_or(lua, "resent", false);
    event->shoe.card.loaded = value_truth_or(lua, "loaded", false);
    event->shoe.card.raw = (uint8_t)value_number_or(lua, "raw", 0, UINT8_MAX, 0);
}

/* The text is the event's own until the next one is taken. */
static void read_trouble(lua_State *lua, struct script *script, struct script_event *event,
                         enum shoe_event_kind kind)
{
    begin(lua, script, event, kind);
    lua_getfield(lua, 1, "code");
    event->shoe.fault.code = lua_type(lua, -1) == LUA_TNUMBER
                                 ? (uint8_t)value_number(lua, "code", 1, UINT8_MAX)
                                 : (uint8_t)value_word(lua, "code", faults);
    lua_pop(lua, 1);
    event->shoe.fault.is_stopped =
        kind == SHOE_EVENT_FAULT && value_truth_or(lua, "stopped", false);
    if (value_is_given(lua, "text"))
        value_text(lua, "text", event->text, 1, sizeof event->text);
    event->shoe.fault.text = NULL;
}

static void read_fault(lua_State *lua, struct script *script, struct script_event *event)
{
    read_trouble(lua, script, event, SHOE_EVENT_FAULT);
}

static void read_cleared(lua_State *lua, struct script *script, struct script_event *event)
{
    read_trouble(lua, script, event, SHOE_EVENT_CLEARED);
}

static void read_locked(lua_State *lua, struct script *script, struct script_event *event)
{
    begin(lua, script, event, SHOE_EVENT_LOCK);
    event->shoe.is_locked = value_truth(lua, "on");
}

static void read_test_mode(lua_State *lua, struct script *script, struct script_event *event)
{
    struct script_shoe *self = script->state;

    begin(lua, script, event, SHOE_EVENT_TEST_MODE);
    event->shoe.is_on = event->shoe.test_mode = self->is_in_test_mode = value_truth(lua, "on");
}

static void read_setting(lua_State *lua, struct script *script, struct script_event *event)
{
    begin(lua, script, event, SHOE_EVENT_SETTING);
    value_text(lua, "address", event->shoe.setting.address, 2, sizeof event->shoe.setting.address);
    value_text(lua, "value", event->shoe.setting.value, 0, sizeof event->shoe.setting.value);
}

static void read_result(lua_State *lua, struct script *script, struct script_event *event)
{
    begin(lua, script, event, SHOE_EVENT_RESULT);
    event->shoe.result = (uint8_t)value_number(lua, "value", 0, UINT8_MAX);
}

static const struct script_kind kinds[] = {
    {"started", read_started},
    {"stand-by", read_stand_by},
    {"card", read_card},
    {"cut-card", read_cut_card},
    {"fault", read_fault},
    {"cleared", read_cleared},
    {"locked", read_locked},
    {"test-mode", read_test_mode},
    {"setting", read_setting},
    {"result", read_result},
    {NULL, NULL},
};

const struct script_class script_shoe = {DEVICE_SHOE, requests, kinds, NULL};

static int inspect(const struct device_connection *connection, unsigned *capabilities,
                   struct error *error)
{
    return script_inspect(&script_shoe, connection, capabilities, error);
}

static int open_device(struct device *device, const struct device_connection *connection,
                       struct error *error)
{
    struct script_shoe *self = (struct script_shoe *)device;

    return script_open(&self->script, &script_shoe, device, connection, self, error);
}

static void close_device(struct device *device)
{
    script_close(&((struct script_shoe *)device)->script);
}

/* A status while it is read. */
struct reading {
    const struct script *script;
    struct shoe_status *status;
};

static void take_status(lua_State *lua, void *context)
{
    const struct reading *reading = context;

    script_check_result(lua, "status()");
    *reading->status = (struct shoe_status){
        .state = value_word(lua, "state", states),
        .error = value_is_given(lua, "fault") ? value_word(lua, "fault", faults) : SHOE_NO_FAULT,
        .test_mode = reading->script->capabilities & DEVICE_HAS_TEST_MODE
                         ? value_truth(lua, "test_mode")
                         : value_truth_or(lua, "test_mode", false),
        .loaded = value_truth_or(lua, "loaded", false),
        .drawn = (uint8_t)value_number(lua, "drawn", 0, UINT8_MAX),
        .left = (uint8_t)value_number(lua, "left", 0, UINT8_MAX),
        .deck = (uint16_t)value_number(lua, "deck", 0, UINT16_MAX)};
    script_end_result(lua);
}

static int tell_status(struct shoe *shoe, struct shoe_status *status, struct error *error)
{
    struct reading reading = {script_of(shoe), status};
    int result = script_ask(script_of(shoe), STATUS, NULL, 1, take_status, &reading, error);

    if (!result)
        ((struct script_shoe *)shoe)->is_in_test_mode = status->test_mode;
    return result;
}

static int in_test_mode(struct device *device, bool *is_on, struct error *error)
{
    struct shoe_status status = {.test_mode = false};
    int result = tell_status((struct shoe *)device, &status, error);

    *is_on = status.test_mode;
    return result;
}

static int tell_lock(struct shoe *shoe, bool on, struct error *error)
{
    struct script *script = script_of(shoe);

    return script_has(script, LOCK) ? script_tell_truth(script, LOCK, on, error) : 0;
}

static int tell_cleared(struct shoe *shoe, uint8_t code, struct error *error)
{
    struct script *script = script_of(shoe);

    return script_has(script, CLEAR_ERROR) ? script_tell_number(script, CLEAR_ERROR, code, error)
                                           : 0;
}

static int tell_test_mode(struct shoe *shoe, bool on, struct error *error)
{
    return script_tell_truth(script_of(shoe), TEST_MODE, on, error);
}

static int tell_order(struct shoe *shoe, const card_t *order, size_t count, struct error *error)
{
    struct script_cards cards = {order, count};

    return script_ask(script_of(shoe), LOAD_ORDER, script_give_cards, 0, NULL, &cards, error);
}

static int tell_identity(struct device *device, struct wire_identity *identity, struct error *error)
{
    return script_identity(script_of((struct shoe *)device), IDENTITY, identity, error);
}

static int tell_log(struct device *device, uint32_t first, struct log_entry *entries,
                    unsigned *count, uint32_t *total, struct error *error)
{
    return script_log(script_of((struct shoe *)device), LOG, first, log_codes, SHOE_LOG_CARD,
                      entries, count, total, error);
}

static int next_event(struct shoe *shoe, struct shoe_event *event, nanos_t deadline,
                      struct error *error)
{
    const struct script_event *told;
    int result = script_next(script_of(shoe), &told, deadline, error);

    if (result <= 0)
        return result;
    *event = told->shoe;
    event->time = told->time;
    if (event->kind == SHOE_EVENT_FAULT || event->kind == SHOE_EVENT_CLEARED)
        event->fault.text = *told->text ? told->text : shoe_fault_text(event->fault.code);
    return result;
}

static void tell_counts(const struct shoe *shoe, struct shoe_counts *counts)
{
    *counts = ((const struct script_shoe *)shoe)->script.counts;
}

static const struct shoe_driver script_driver = {
    .device =
        {
            .key = "shoe/script",
            .class = DEVICE_SHOE,
            .noun = "shoe",
            .size = sizeof(struct script_shoe),
            .capabilities = DEVICE_LOADS_ORDER | DEVICE_HAS_TEST_MODE | DEVICE_KEEPS_LOG |
                            DEVICE_TELLS_IDENTITY | DEVICE_TELLS_STATUS | DEVICE_TELLS_CARDS,
            .takes_script = true,
            .protocol = TAP_RAW,
            .inspect = inspect,
            .open = open_device,
            .close = close_device,
            .identity = tell_identity,
            .in_test_mode = in_test_mode,
            .log = tell_log,
        },
    .status = tell_status,
    .lock = tell_lock,
    .clear_error = tell_cleared,
    .test_mode = tell_test_mode,
    .load_order = tell_order,
    .next = next_event,
    .counts = tell_counts,
};
REGISTER(device_drivers, script_driver);
