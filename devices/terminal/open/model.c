/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/terminal/open/model.h"

#include <stdlib.h>
#include <string.h>

#include "devices/model.h"
#include "devices/terminal/open/device.h"
#include "devices/wire/options.h"

static uint8_t flags(void *context)
{
    struct terminal_device *device = context;

    return device->memory.test_mode && !defects_hold(&device->defects, DEFECT_SILENT_TEST, 0)
               ? PEER_FLAG_TEST_MODE
               : 0;
}

static unsigned request_status(struct terminal_device *device, uint8_t *reply, size_t *size)
{
    const struct terminal_memory *memory = &device->memory;

    reply[0] = memory->state;
    reply[1] = 0;
    reply[2] = flags(device);
    device->stated++;
    reply[3] =
        memory->locked ^
        (defects_show(&device->defects, DEFECT_WAVERS, device->stated, device->stated) ? 16 : 0);
    reply[4] = memory->paid;
    if (memory->locked && defects_hold(&device->defects, DEFECT_FALSE_WON, memory->rounds))
        reply[4] = memory->locked;
    wire_put32(reply + 5, memory->rounds +
                              defects_hold(&device->defects, DEFECT_FALSE_ROUNDS, memory->rounds));
    wire_put32(reply + 9, memory->awards +
                              defects_hold(&device->defects, DEFECT_FALSE_AWARDS, memory->rounds));
    *size = 13;
    return 0;
}

/* Reads a key with its argument: 0 or the enum wire_refusal. */
static unsigned take_key(const struct terminal_device *device, const uint8_t *payload, size_t size,
                         struct terminal_pressed *pressed)
{
    if (!size)
        return REFUSED_LENGTH;
    if (payload[0] < TERMINAL_START_ROUND || payload[0] >= TERMINAL_KEYS)
        return REFUSED_VALUE;
    pressed->key = (enum terminal_key)payload[0];
    switch (pressed->key) {
    case TERMINAL_CODE:
        if (peer_is_wide(&device->peer)) {
            pressed->proof = payload + 1;
            return size == 1 + WIRE_PROOF_SIZE ? 0 : REFUSED_LENGTH;
        }
        return terminal_secret_parse(&pressed->code, (const char *)payload + 1, size - 1)
                   ? 0
                   : REFUSED_VALUE;
    case TERMINAL_SEAT:
    case TERMINAL_HAND:
        if (size != 2)
            return REFUSED_LENGTH;
        pressed->number = payload[1];
        return pressed->key == TERMINAL_SEAT && (!payload[1] || payload[1] > TERMINAL_SEATS)
                   ? REFUSED_VALUE
                   : 0;
    default:
        return size == 1 ? 0 : REFUSED_LENGTH;
    }
}

static unsigned request_key(struct terminal_device *device, const uint8_t *payload,
                            size_t payload_size, uint8_t *reply, size_t *size, nanos_t now)
{
    struct terminal_pressed pressed = {0};
    unsigned refusal = take_key(device, payload, payload_size, &pressed);

    if (refusal)
        return refusal;
    if (pressed.proof && device->memory.state == TERMINAL_CODE_ENTRY && !device->is_challenged)
        return REFUSED_AUTHORIZATION;
    device->keys++;
    reply[0] = (uint8_t)terminal_press(device, &pressed, now);
    if (reply[0] && defects_hold(&device->defects, DEFECT_ACCEPTS, device->keys))
        reply[0] = 0;
    if (!reply[0] && defects_hold(&device->defects, DEFECT_PRETENDS, device->keys))
        reply[0] = TERMINAL_WRONG_STATE;
    reply[1] = device->memory.state;
    if (defects_hold(&device->defects, DEFECT_FALSE_STATE, device->keys))
        reply[1] = reply[1] == TERMINAL_IDLE ? TERMINAL_OPEN : TERMINAL_IDLE;
    *size = 2;
    device->power_fails = defects_hold(&device->defects, DEFECT_POWER, device->keys);
    return 0;
}

/* What nobody asked for, beside the end of test mode. */
static void part(struct terminal_device *device, nanos_t now)
{
    static const uint8_t refused[] = {TERMINAL_OK, TERMINAL_WRONG_STATE, TERMINAL_IDLE};
    static const uint8_t modes[] = {1, 0};

    if (defects_show(&device->defects, DEFECT_PARTS, 1, 1))
        terminal_say(device, TERMINAL_KEY_REFUSED, refused, sizeof refused, now);
    if (defects_show(&device->defects, DEFECT_PARTS, 2, 2))
        for (unsigned i = 0; i < 2; i++)
            terminal_say(device, TERMINAL_TEST_MODE_CHANGED, &modes[i], 1, now);
    device->memory.rounds += defects_show(&device->defects, DEFECT_PARTS, 3, 3);
    device->memory.meters[0] += defects_show(&device->defects, DEFECT_PARTS, 4, 4);
}

static unsigned request_test_mode(struct terminal_device *device, uint8_t on, nanos_t now)
{
    struct terminal_memory *memory = &device->memory;

    if (on > 1)
        return REFUSED_VALUE;
    if (memory->test_mode == on)
        return 0;
    memory->test_mode = on;
    memory->must_hit_loaded = false;
    if (!defects_hold(&device->defects, DEFECT_UNLOGGED_MODE, 0))
        terminal_note(device, TERMINAL_LOG_TEST_MODE, on, 0, now);
    if (!defects_hold(&device->defects, DEFECT_SILENT_TEST, 0) &&
        (on || !defects_hold(&device->defects, DEFECT_ENDS_SILENTLY, 0)))
        terminal_say(device, TERMINAL_TEST_MODE_CHANGED, &on, 1, now);
    if (!on)
        part(device, now);
    return 0;
}

static unsigned request_load_must_hit(struct terminal_device *device, uint8_t seat, nanos_t now)
{
    struct terminal_memory *memory = &device->memory;

    if (!memory->test_mode)
        return REFUSED_TEST_MODE;
    if (!terminal_config_has_must_hit(&memory->config))
        return REFUSED_STATE;
    if (seat > TERMINAL_SEATS)
        return REFUSED_VALUE;
    memory->must_hit_loaded = true;
    memory->loaded_seat = seat;
    terminal_note(device, TERMINAL_LOG_MUST_HIT_LOADED, seat, 0, now);
    return 0;
}

/* An award that nobody made is told when the log was read. */
static void request_log(struct terminal_device *device, uint32_t first, uint8_t *reply,
                        size_t *size, nanos_t now)
{
    struct terminal_memory *memory = &device->memory;
    uint8_t award[15] = {[4] = 1, [6] = TERMINAL_NONE, [14] = 100};

    log_rewrite(&device->defects, DEFECT_LOG, memory->log, TERMINAL_LOG_SIZE, memory->logged,
                first);
    *size = log_reply(memory->log, TERMINAL_LOG_SIZE, memory->logged, first, device->peer.version,
                      reply);
    if (first >= memory->logged || !defects_show(&device->defects, DEFECT_TALKS, 0, 0))
        return;
    wire_put32(award, memory->awards + 1);
    terminal_say(device, TERMINAL_JACKPOT_PAID, award, sizeof award, now);
}

static unsigned request_sensors(struct terminal_device *device, uint8_t seats)
{
    if (seats & 1)
        return REFUSED_VALUE;
    device->sensors = seats;
    return 0;
}

static unsigned request_ledger(const struct terminal_device *device, uint32_t number,
                               uint8_t *reply, size_t *size)
{
    *size = terminal_ledger_reply(&device->memory, number, reply);
    return *size ? 0 : REFUSED_VALUE;
}

/* What a request must have as its payload; -1: its own function looks. */
static int payload_length(uint8_t type)
{
    switch (type) {
    case TERMINAL_KEY:
    case TERMINAL_CONFIGURE:
    case TERMINAL_CORRECT:
        return -1;
    case TERMINAL_SENSORS:
    case TERMINAL_TEST_MODE:
    case TERMINAL_LOAD_MUST_HIT:
    case WIRE_CLEAR_ERROR:
        return 1;
    case TERMINAL_LEDGER:
    case WIRE_LOG:
        return 4;
    default:
        return 0;
    }
}

static unsigned show(struct terminal_device *device, uint8_t type, uint8_t *reply, size_t *size)
{
    switch (type) {
    case TERMINAL_METERS:
        *size = terminal_meters_layout(device, reply);
        return 0;
    case TERMINAL_SIGN:
        *size = terminal_sign_layout(device, reply);
        terminal_sign_asked(device);
        return 0;
    case TERMINAL_LIGHTS:
        reply[0] = terminal_lit(device);
        *size = 1;
        return 0;
    case TERMINAL_SCREEN:
        *size = terminal_screen_layout(device, reply);
        return 0;
    case TERMINAL_CONFIGURATION:
        *size = terminal_configuration_reply(device, reply);
        return 0;
    case TERMINAL_CHALLENGE:
        terminal_challenge(device, reply);
        *size = WIRE_PROOF_SIZE;
        return 0;
    default:
        return REFUSED_UNKNOWN;
    }
}

/* What a request must find in the queue: no event of a key is ever lost. */
#define ROOM_NEEDED 6

static bool has_room(const struct terminal_device *device, uint8_t type)
{
    bool tells = type == TERMINAL_KEY || type == TERMINAL_CONFIGURE || type == TERMINAL_CORRECT ||
                 type == TERMINAL_TEST_MODE;

    return !tells || device->peer.queued + ROOM_NEEDED <= WIRE_EVENTS_MAX;
}

static bool is_known(const struct terminal_device *device, uint8_t type)
{
    uint8_t last = peer_is_wide(&device->peer) ? TERMINAL_CHALLENGE : TERMINAL_LOAD_MUST_HIT;

    return (type >= WIRE_STATUS && type <= WIRE_CLEAR_ERROR) ||
           (type >= TERMINAL_KEY && type <= last);
}

static unsigned execute(void *context, uint8_t type, const uint8_t *payload, size_t payload_size,
                        uint8_t *reply, size_t *size, nanos_t now)
{
    struct terminal_device *device = context;
    int length = payload_length(type);

    device->now = now;
    if (!is_known(device, type))
        return REFUSED_UNKNOWN;
    if (length >= 0 && payload_size != (size_t)length)
        return REFUSED_LENGTH;
    if (!has_room(device, type))
        return REFUSED_BUSY;
    switch (type) {
    case WIRE_STATUS:
        return request_status(device, reply, size);
    case WIRE_LOG:
        request_log(device, wire_get32(payload), reply, size, now);
        return 0;
    case WIRE_CLEAR_ERROR:
        return REFUSED_VALUE;
    case TERMINAL_KEY:
        return request_key(device, payload, payload_size, reply, size, now);
    case TERMINAL_SENSORS:
        return request_sensors(device, payload[0]);
    case TERMINAL_CONFIGURE:
        return terminal_admin_configure(device, payload, payload_size, now);
    case TERMINAL_CORRECT:
        return terminal_admin_correct(device, payload, payload_size, now);
    case TERMINAL_LEDGER:
        return request_ledger(device, wire_get32(payload), reply, size);
    case TERMINAL_TEST_MODE:
        return request_test_mode(device, payload[0], now);
    case TERMINAL_LOAD_MUST_HIT:
        return request_load_must_hit(device, payload[0], now);
    default:
        return show(device, type, reply, size);
    }
}

void terminal_model_power_cycle(struct model *model, nanos_t now)
{
    struct terminal_device *device = (struct terminal_device *)model;

    device->power_fails = device->is_challenged = false;
    peer_restart(&device->peer, now);
    terminal_note(device, TERMINAL_LOG_POWER_UP, device->memory.state, 0, now);
    terminal_say_screen(device, TERMINAL_POWER_UP, now);
}

static void receive(struct model *model, const uint8_t *bytes, size_t count, nanos_t now)
{
    struct terminal_device *device = (struct terminal_device *)model;
    uint64_t before = device->peer.decoder.frames;

    peer_receive(&device->peer, bytes, count, now);
    for (uint64_t i = device->peer.decoder.frames - before; i; i--)
        if (defects_hold(&device->defects, DEFECT_UNPLUG, ++device->frames))
            model->gone = true;
    if (device->power_fails)
        terminal_model_power_cycle(model, now);
}

static size_t send_bytes(struct model *model, uint8_t *bytes, size_t size, nanos_t now)
{
    return peer_send(&((struct terminal_device *)model)->peer, bytes, size, now);
}

static nanos_t due(struct model *model)
{
    return peer_due(&((struct terminal_device *)model)->peer);
}

static void unplug(struct model *model, nanos_t now)
{
    (void)now;
    peer_unplug(&((struct terminal_device *)model)->peer);
}

static void free_model(struct model *model)
{
    free(model);
}

int terminal_model_fault(struct model *model, const char *spec, struct error *error)
{
    return defects_add(&((struct terminal_device *)model)->defects, &terminal_defects, spec, error);
}

bool terminal_model_has_shown(const struct model *model)
{
    return defects_have_shown(&((const struct terminal_device *)model)->defects);
}

int terminal_model_configure(struct model *model, const struct terminal_config *config, nanos_t now,
                             struct error *error)
{
    struct terminal_device *device = (struct terminal_device *)model;

    if (device->memory.state != TERMINAL_IDLE)
        return error_set(error, ERROR_CONFIG,
                         "a terminal can be configured only between rounds: end this one first");
    if (terminal_config_check(config, error))
        return ERROR_CONFIG;
    terminal_configured(device, config, now);
    return 0;
}

static int read_code(struct terminal_secret *secret, const char *key, const char *value,
                     struct error *error)
{
    if (terminal_secret_parse(secret, value, strlen(value)))
        return 0;
    return error_set(error, ERROR_CONFIG, "%s=%.40s: write %d to %d digits", key, value,
                     TERMINAL_CODE_MIN, TERMINAL_CODE_MAX);
}

static int read_authorization(void *context, const char *value, struct error *error)
{
    return read_code(&((struct terminal_device *)context)->code, "code", value, error);
}

static int read_admin(void *context, const char *value, struct error *error)
{
    return read_code(&((struct terminal_device *)context)->admin, "admin", value, error);
}

static int read_serial(void *context, const char *value, struct error *error)
{
    return model_option_serial(value, ((struct terminal_device *)context)->identity.serial, error);
}

static int read_seed(void *context, const char *value, struct error *error)
{
    return model_option_number("seed", value, UINT64_MAX,
                               &((struct terminal_device *)context)->memory.random, error);
}

static int read_preset(void *context, const char *value, struct error *error)
{
    const struct terminal_config *preset = terminal_preset(value);

    if (!preset)
        return error_set(error, ERROR_CONFIG, "preset=%.40s: write stax or three-card-catch",
                         value);
    ((struct terminal_device *)context)->memory.config = *preset;
    return 0;
}

/* So many awards were paid before: a long history. */
static int read_awards(void *context, const char *value, struct error *error)
{
    struct terminal_memory *memory = &((struct terminal_device *)context)->memory;
    uint64_t awards;
    int status = model_option_number("awards", value, UINT32_MAX, &awards, error);

    if (status)
        return status;
    memory->awards = memory->booked = memory->logged = memory->chain.count = (uint32_t)awards;
    for (unsigned i = 0; i < TERMINAL_LEDGER_SIZE; i++)
        memory->ledger[i] = (struct terminal_ledger_record){
            .code = TERMINAL_LOG_JACKPOT_PAID, .seat = 1, .meter = TERMINAL_NONE, .cents = 2000};
    return 0;
}

/* It has paid the first meter once, from its opening value, and ended a round with two wagers
 * since.
 */
static int read_history(void *context, const char *value, struct error *error)
{
    uint64_t history;
    int status = model_option_number("history", value, 1, &history, error);

    ((struct terminal_device *)context)->has_history = !status && history;
    return status;
}

static void make_history(struct terminal_device *device)
{
    struct terminal_memory *memory = &device->memory;
    struct terminal_ledger_record record = {.code = TERMINAL_LOG_JACKPOT_PAID, .seat = 1};

    record.before = memory->meters[0];
    record.cents = terminal_bank_due(memory, 0);
    terminal_bank_pay(memory, 0);
    memory->meters[0] += defects_hold(&device->defects, DEFECT_FOUND_RESEED, 0);
    record.after = memory->meters[0];
    memory->awards++;
    memory->rounds++;
    terminal_book(device, &record, 0);
    terminal_bank_contribute(memory, 2);
    memory->meters[0] += defects_hold(&device->defects, DEFECT_FOUND_RATE, 0);
    terminal_note(device, TERMINAL_LOG_ROUND_ENDED, 6, memory->rounds, 0);
}

static int read_chatty(void *context, const char *value, struct error *error)
{
    uint64_t chatty;
    int status = model_option_number("chatty", value, 1, &chatty, error);

    ((struct terminal_device *)context)->is_chatty = !status && chatty;
    return status;
}

static int read_configure(void *context, const char *value, struct error *error)
{
    struct terminal_device *device = context;

    if (strcmp(value, "keeps") != 0 && strcmp(value, "resets") != 0)
        return error_set(error, ERROR_CONFIG, "configure=%s: write keeps or resets", value);
    device->resets = !strcmp(value, "resets");
    return 0;
}

static int read_fault(void *context, const char *value, struct error *error)
{
    return terminal_model_fault(context, value, error);
}

static int read_lacks(void *context, const char *value, struct error *error)
{
    return peer_option_lacks(&((struct terminal_device *)context)->peer, value, error);
}

static int read_protocol(void *context, const char *value, struct error *error)
{
    return peer_option_protocol(&((struct terminal_device *)context)->peer, value, error);
}

static const struct model_option options[] = {
    {"seed=N", read_seed},
    {"code=DIGITS", read_authorization},
    {"admin=DIGITS", read_admin},
    {"serial=TEXT", read_serial},
    {"preset=NAME", read_preset},
    {"awards=N", read_awards},
    {"configure=keeps", read_configure},
    {"configure=resets", read_configure},
    {"history=0|1", read_history},
    {"chatty=0|1", read_chatty},
    {"fault=SPEC", read_fault},
    {"protocol=1|2", read_protocol},
    {"lacks=CAPABILITY", read_lacks},
    {NULL, NULL},
};

/* The digest is that of "dealproof model of a terminal, 1.0.1", which is all its firmware. */
static const struct wire_identity identity = {
    .model = "DP-TERM1",
    .serial = "T-1",
    .firmware = "1.0.1",
    .digest = {0x46, 0x99, 0xc0, 0x60, 0x5e, 0x69, 0x5b, 0x6f, 0xf6, 0xd4, 0xc4,
               0x57, 0x24, 0x47, 0x32, 0x3f, 0xec, 0x80, 0x3d, 0x49, 0xba, 0x36,
               0x21, 0x49, 0xfa, 0x99, 0x01, 0x31, 0x0a, 0x7d, 0xe5, 0x9a},
};

static void tell_state(void *context, struct wire_state *state, nanos_t now)
{
    struct terminal_device *device = context;

    state->entries = device->memory.logged;
    memcpy(state->digest, device->memory.chain.digest, sizeof state->digest);
    state->millis = log_millis(&device->defects, DEFECT_LOG, now);
}

static void write_note(void *context, uint8_t code, uint8_t detail, uint32_t value, nanos_t now)
{
    terminal_note(context, (enum terminal_log_code)code, detail, value, now);
}

struct model *terminal_model_new(const char *text, struct error *error)
{
    static const struct model_ops ops = {
        .receive = receive, .send = send_bytes, .due = due, .unplug = unplug, .free = free_model};
    static const struct peer_ops peer_ops = {
        .request = execute, .flags = flags, .state = tell_state, .note = write_note};
    struct terminal_device *device = calloc(1, sizeof *device);

    if (!device) {
        error_set(error, ERROR_RIG, "no memory for a terminal");
        return NULL;
    }
    device->model.ops = &ops;
    device->identity = identity;
    terminal_secret_parse(&device->code, "4711", 4);
    terminal_secret_parse(&device->admin, "86420", 5);
    device->memory.config = *terminal_preset("stax");
    device->memory.random = 1;
    peer_init(&device->peer, &peer_ops, device, FRAME_TERMINAL, &device->identity);
    peer_learn(&device->peer, WIRE_TELLS_CONFIG, &device->defects, DEFECT_PEER);
    if (model_options_read(options, "a terminal", text, device, error)) {
        free(device);
        return NULL;
    }
    device->memory.state = TERMINAL_IDLE;
    device->memory.hand = TERMINAL_NONE;
    terminal_bank_open(&device->memory);
    if (device->has_history)
        make_history(device);
    return &device->model;
}

static const struct model_kind kind = {
    .name = "terminal",
    .summary = "dealer terminal, progressive controller and table sign",
    .class = DEVICE_TERMINAL,
    .driver = "open",
    .options = options,
    .defects = &terminal_defects,
    .make = terminal_model_new,
    .fault = terminal_model_fault,
    .has_shown = terminal_model_has_shown,
    .power_cycle = terminal_model_power_cycle,
    .frame_class = FRAME_TERMINAL,
    .usb_vendor = MODEL_USB_VENDOR,
    .usb_product = 3,
    .hands = "",
};
REGISTER(device_models, kind);
