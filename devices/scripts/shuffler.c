/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The shuffler driver "script": requests and events of its class for a file of the lab. */
#include <stddef.h>
#include <string.h>

#include "devices/scripts/script.h"
#include "devices/scripts/values.h"

enum request {
    PROGRAM,
    SHUFFLE,
    PRESS,
    RETURN_DECK,
    CLEAR_ERROR,
    STATUS,
    TEST_MODE,
    LOAD_ORDER,
    LOG,
    IDENTITY,
};

static const struct script_request requests[] = {
    [PROGRAM] = {"program", false, 0},
    [SHUFFLE] = {"shuffle", true, 0},
    [PRESS] = {"press", true, 0},
    [RETURN_DECK] = {"return_deck", false, 0},
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
    [SHUFFLER_IDLE] = "idle",
    [SHUFFLER_SHUFFLING] = "shuffling",
    [SHUFFLER_READY] = "ready",
    [SHUFFLER_DEALING] = "dealing",
    [SHUFFLER_PRESENT] = "present",
    [SHUFFLER_WAITING] = "waiting",
    [SHUFFLER_ERROR] = "error",
    NULL,
};

static const char *const faults[] = {
    [SHUFFLER_NO_FAULT] = "",
    [SHUFFLER_JAM] = "jam",
    [SHUFFLER_MISREAD] = "misread",
    [SHUFFLER_MISSING_CARD] = "missing-card",
    [SHUFFLER_EXTRA_CARD] = "extra-card",
    [SHUFFLER_DUPLICATE_CARD] = "duplicate-card",
    [SHUFFLER_DOOR_OPEN] = "door-open",
    [SHUFFLER_COVER_OPEN] = "cover-open",
    [SHUFFLER_POWER_LOST] = "power-lost",
    NULL,
};

struct script_shuffler {
    struct shuffler shuffler;
    struct script script;
    /* What was told of packets since the shuffle; not known before the first event of them. */
    bool counts_known;
    unsigned presented, taken;
    bool shuffle_known, is_misnumbered; /* the last one had this number, or said so, */
    uint32_t shuffle;
    unsigned refused; /* and so many decks were refused since */
    bool has_program; /* the script has taken it: */
    struct shuffler_program program;
};

static struct script_shuffler *self_of(struct shuffler *shuffler)
{
    return (struct script_shuffler *)shuffler;
}

static struct script *script_of(struct shuffler *shuffler)
{
    return &self_of(shuffler)->script;
}

/* Which mode it is of must be said where there is one. */
static bool read_mode(lua_State *lua, const struct script *script)
{
    return script->capabilities & DEVICE_HAS_TEST_MODE ? value_truth(lua, "test_mode")
                                                       : value_truth_or(lua, "test_mode", false);
}

static void follow_shuffle(lua_State *lua, struct script_shuffler *self, uint32_t number)
{
    self->is_misnumbered = self->shuffle_known &&
                           !shuffler_number_follows(number, self->shuffle, self->refused, false);
    if (self->is_misnumbered)
        value_tell_lie(lua, "'number' is %d after shuffle %d", (int)number, (int)self->shuffle);
    self->shuffle_known = true;
    self->shuffle = number;
    self->refused = 0;
}

static void read_shuffled(lua_State *lua, struct script *script, struct script_event *event)
{
    struct script_shuffler *self = script->state;

    event->shuffler = (struct shuffler_event){
        .kind = SHUFFLER_EVENT_SHUFFLED,
        .test_mode = read_mode(lua, script),
        .shuffled = {.number = (uint16_t)value_number(lua, "number", 0, UINT16_MAX),
                     .loaded = value_truth_or(lua, "loaded", false)}};
    follow_shuffle(lua, self, event->shuffler.shuffled.number);
    self->counts_known = true;
    self->presented = self->taken = 0;
}

/* Packets, the burn first and draws last, as far as they were programmed; 0: not known. */
static unsigned programmed_size(const struct script_shuffler *self, unsigned index)
{
    const struct shuffler_program *program = &self->program;
    unsigned burned = program->burn > 0;

    if (!self->has_program)
        return 0;
    if (index < burned)
        return program->burn;
    return index < program->count + burned ? program->sizes[index - burned] : 1;
}

static void read_present(lua_State *lua, struct script *script, struct script_event *event)
{
    struct script_shuffler *self = script->state;
    unsigned index = (unsigned)value_number(lua, "index", 0, SHUFFLER_PACKETS_MAX - 1);

    if (self->counts_known && (index != self->presented || self->taken != self->presented))
        value_tell_lie(lua, "'index' is %d after %d were present and %d taken", (int)index,
                       (int)self->presented, (int)self->taken);
    event->shuffler = (struct shuffler_event){.kind = SHUFFLER_EVENT_PRESENT,
                                              .test_mode = read_mode(lua, script)};
    event->shuffler.packet.index = (uint8_t)index;
    event->shuffler.packet.programmed = (uint8_t)programmed_size(self, index);
    event->shuffler.packet.is_unknown = !(script->capabilities & DEVICE_TELLS_CARDS);
    if (!event->shuffler.packet.is_unknown)
        event->shuffler.packet.size =
            (uint8_t)value_cards(lua, "cards", event->shuffler.packet.cards);
    if (!event->shuffler.packet.is_unknown && !event->shuffler.packet.size)
        value_tell_lie(lua, "it has no cards");
    self->counts_known = true;
    self->presented = index + 1;
    self->taken = index;
}

static void read_taken(lua_State *lua, struct script *script, struct script_event *event)
{
    struct script_shuffler *self = script->state;
    unsigned index = (unsigned)value_number(lua, "index", 0, SHUFFLER_PACKETS_MAX - 1);

    if (self->counts_known && (index != self->taken || self->taken == self->presented))
        value_tell_lie(lua, "'index' is %d after %d were present and %d taken", (int)index,
                       (int)self->presented, (int)self->taken);
    event->shuffler.kind = SHUFFLER_EVENT_TAKEN;
    event->shuffler.taken = (uint8_t)index;
    self->counts_known = true;
    self->presented = self->taken = index + 1;
}

/* A deck that does not count is not shuffled. */
static bool refuses_deck(unsigned fault)
{
    return fault == SHUFFLER_MISSING_CARD || fault == SHUFFLER_EXTRA_CARD ||
           fault == SHUFFLER_DUPLICATE_CARD;
}

static void read_fault(lua_State *lua, struct script *script, struct script_event *event)
{
    struct script_shuffler *self = script->state;

    event->shuffler.kind = SHUFFLER_EVENT_FAULT;
    event->shuffler.fault.code = value_word(lua, "code", faults);
    event->shuffler.fault.detail = (uint8_t)value_number_or(lua, "detail", 0, UINT8_MAX, 0);
    self->refused += refuses_deck(event->shuffler.fault.code);
}

static void read_cleared(lua_State *lua, struct script *script, struct script_event *event)
{
    (void)script;
    event->shuffler.kind = SHUFFLER_EVENT_CLEARED;
    event->shuffler.fault.code = value_word(lua, "code", faults);
}

static void read_test_mode(lua_State *lua, struct script *script, struct script_event *event)
{
    (void)script;
    event->shuffler.kind = SHUFFLER_EVENT_TEST_MODE;
    event->shuffler.test_mode = value_truth(lua, "on");
}

static enum shuffler_fault read_pending(lua_State *lua)
{
    return value_is_given(lua, "fault") ? value_word(lua, "fault", faults) : SHUFFLER_NO_FAULT;
}

static void read_power_up(lua_State *lua, struct script *script, struct script_event *event)
{
    struct script_shuffler *self = script->state;

    event->shuffler = (struct shuffler_event){
        .kind = SHUFFLER_EVENT_POWER_UP,
        .test_mode = value_truth_or(lua, "test_mode", false),
        .power = {.state = value_word(lua, "state", states),
                  .error = read_pending(lua),
                  .presented = (uint8_t)value_number(lua, "presented", 0, SHUFFLER_PACKETS_MAX),
                  .taken = (uint8_t)value_number(lua, "taken", 0, SHUFFLER_PACKETS_MAX)}};
    self->counts_known = true;
    self->presented = event->shuffler.power.presented;
    self->taken = event->shuffler.power.taken;
    self->refused++; /* a shuffle that was lost may have had its number */
}

static void read_button(lua_State *lua, struct script *script, struct script_event *event)
{
    (void)script;
    event->shuffler.kind = SHUFFLER_EVENT_BUTTON;
    event->shuffler.button = (uint8_t)value_number_or(lua, "refusal", 0, UINT8_MAX, 0);
}

static const struct script_kind kinds[] = {
    {"shuffled", read_shuffled}, {"packet-present", read_present}, {"packet-taken", read_taken},
    {"fault", read_fault},       {"cleared", read_cleared},        {"test-mode", read_test_mode},
    {"power-up", read_power_up}, {"button", read_button},          {NULL, NULL},
};

static void lose_counts(struct script *script)
{
    struct script_shuffler *self = script->state;

    self->counts_known = false;
    self->shuffle_known = self->is_misnumbered;
    self->is_misnumbered = false;
}

const struct script_class script_shuffler = {DEVICE_SHUFFLER, requests, kinds, lose_counts};

static int inspect(const struct device_connection *connection, unsigned *capabilities,
                   struct error *error)
{
    return script_inspect(&script_shuffler, connection, capabilities, error);
}

static int open_device(struct device *device, const struct device_connection *connection,
                       struct error *error)
{
    struct script_shuffler *self = (struct script_shuffler *)device;

    return script_open(&self->script, &script_shuffler, device, connection, self, error);
}

static void close_device(struct device *device)
{
    script_close(&((struct script_shuffler *)device)->script);
}

/* A status while it is read. */
struct reading {
    const struct script_shuffler *self;
    struct shuffler_status *status;
};

/* Whether the packets that it says are programmed are those that it was told, with or without the
 * draws. */
static bool is_as_programmed(const struct script_shuffler *self, unsigned packets)
{
    unsigned told = self->program.count + (self->program.burn > 0 ? 1u : 0u);

    return self->has_program && (packets == told || packets == told + self->program.draws);
}

static void take_status(lua_State *lua, void *context)
{
    const struct reading *reading = context;
    struct shuffler_status *status = reading->status;

    script_check_result(lua, "status()");
    *status = (struct shuffler_status){
        .state = value_word(lua, "state", states),
        .error = read_pending(lua),
        .test_mode = read_mode(lua, &reading->self->script),
        .presented = (uint8_t)value_number(lua, "presented", 0, SHUFFLER_PACKETS_MAX),
        .taken = (uint8_t)value_number(lua, "taken", 0, SHUFFLER_PACKETS_MAX),
        .left = (uint8_t)value_number(lua, "left", 0, DECK_SIZE),
        .shuffle = (uint16_t)value_number(lua, "shuffle", 0, UINT16_MAX),
        .packets = (uint8_t)value_number(lua, "packets", 0, SHUFFLER_PACKETS_MAX + 1)};
    status->is_as_programmed = value_truth_or(lua, "as_programmed", true) &&
                               is_as_programmed(reading->self, status->packets);
    script_end_result(lua);
}

static int tell_status(struct shuffler *shuffler, struct shuffler_status *status,
                       struct error *error)
{
    struct reading reading = {self_of(shuffler), status};

    return script_ask(script_of(shuffler), STATUS, NULL, 1, take_status, &reading, error);
}

static int in_test_mode(struct device *device, bool *is_on, struct error *error)
{
    struct shuffler_status status = {.test_mode = false};
    int result = tell_status((struct shuffler *)device, &status, error);

    *is_on = status.test_mode;
    return result;
}

static int give_program(lua_State *lua, void *context)
{
    const struct shuffler_program *program = context;

    lua_createtable(lua, 0, 3);
    lua_pushinteger(lua, program->burn);
    lua_setfield(lua, -2, "burn");
    lua_pushinteger(lua, program->draws);
    lua_setfield(lua, -2, "draws");
    lua_createtable(lua, program->count, 0);
    for (unsigned i = 0; i < program->count; i++) {
        lua_pushinteger(lua, program->sizes[i]);
        lua_rawseti(lua, -2, i + 1);
    }
    lua_setfield(lua, -2, "sizes");
    return 1;
}

static int tell_program(struct shuffler *shuffler, const struct shuffler_program *program,
                        struct error *error)
{
    struct script_shuffler *self = self_of(shuffler);
    int result;

    if (!script_has(&self->script, PROGRAM))
        return 0;
    result = script_ask(&self->script, PROGRAM, give_program, 0, NULL, (void *)program, error);
    if (!result) {
        self->has_program = true;
        self->program = *program;
    }
    return result;
}

static int tell_shuffle(struct shuffler *shuffler, struct error *error)
{
    return script_tell(script_of(shuffler), SHUFFLE, error);
}

static int tell_press(struct shuffler *shuffler, struct error *error)
{
    return script_tell(script_of(shuffler), PRESS, error);
}

static int tell_return(struct shuffler *shuffler, struct error *error)
{
    struct script *script = script_of(shuffler);

    return script_has(script, RETURN_DECK) ? script_tell(script, RETURN_DECK, error) : 0;
}

static int tell_test_mode(struct shuffler *shuffler, bool on, struct error *error)
{
    return script_tell_truth(script_of(shuffler), TEST_MODE, on, error);
}

static int tell_order(struct shuffler *shuffler, const card_t order[DECK_SIZE], struct error *error)
{
    struct script_cards cards = {order, DECK_SIZE};

    return script_ask(script_of(shuffler), LOAD_ORDER, script_give_cards, 0, NULL, &cards, error);
}

static int tell_cleared(struct shuffler *shuffler, enum shuffler_fault code, struct error *error)
{
    struct script *script = script_of(shuffler);

    if (!script_has(script, CLEAR_ERROR))
        return 0;
    return script_tell_text(script, CLEAR_ERROR, code < SHUFFLER_FAULTS ? faults[code] : "", error);
}

static int tell_identity(struct device *device, struct wire_identity *identity, struct error *error)
{
    return script_identity(script_of((struct shuffler *)device), IDENTITY, identity, error);
}

static int tell_log(struct device *device, uint32_t first, struct log_entry *entries,
                    unsigned *count, uint32_t *total, struct error *error)
{
    static const char *const codes[] = {"shuffled", "packet-present", "packet-taken",
                                        "fault",    "cleared",        "test-mode",
                                        "power-up", "button",         NULL};

    return script_log(script_of((struct shuffler *)device), LOG, first, codes,
                      SHUFFLER_LOG_SHUFFLED, entries, count, total, error);
}

static int next_event(struct shuffler *shuffler, struct shuffler_event *event, nanos_t deadline,
                      struct error *error)
{
    const struct script_event *told;
    int result = script_next(script_of(shuffler), &told, deadline, error);

    if (result > 0) {
        *event = told->shuffler;
        event->time = told->time;
    }
    return result;
}

static const struct shuffler_driver script_driver = {
    .device =
        {
            .key = "shuffler/script",
            .class = DEVICE_SHUFFLER,
            .noun = "shuffler",
            .size = sizeof(struct script_shuffler),
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
    .program = tell_program,
    .shuffle = tell_shuffle,
    .press = tell_press,
    .return_deck = tell_return,
    .test_mode = tell_test_mode,
    .load_order = tell_order,
    .clear_error = tell_cleared,
    .next = next_event,
};
REGISTER(device_drivers, script_driver);
