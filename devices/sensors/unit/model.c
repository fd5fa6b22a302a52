/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/sensors/unit/model.h"

#include <stdlib.h>
#include <string.h>

#include "devices/model.h"
#include "devices/sensors/unit/table.h"
#include "devices/sensors/unit/wire.h"
#include "devices/wire/defects.h"
#include "devices/wire/log.h"
#include "devices/wire/options.h"
#include "devices/wire/peer.h"

#define LOG_ENTRIES 256 /* the oldest are overwritten */
#define STATUS_SIZE 6
/* Queue slots needed before reading a sensor: its event and POWER UP. */
#define ROOM_NEEDED 2

/* Defects, after those of the table. */
enum {
    UNPLUG = BET_UNIT_DEFECTS,
    MISSTATED,
    UNLOGGED,
    ENDS_SILENTLY,
    TALKS,
    WAVERS,
    FLICKERS,
    STAYS_IN_TEST,
    TWITCHES,
    SNATCHED,
    FLIPS,
    LOG_FIRST,
    PEER_FIRST = LOG_FIRST + LOG_DEFECT_COUNT,
};

struct bet_unit_model {
    struct model model;
    struct bet_unit_table table; /* with the states of its seats, which a power loss leaves */
    struct peer peer;
    struct wire_identity identity;
    bool test_mode; /* and this, and the log */
    uint32_t logged;
    struct log_chain chain; /* where version 2 is spoken */
    struct log_entry log[LOG_ENTRIES];
    uint64_t frames;              /* of the host, also before the last power loss */
    uint32_t unplug;              /* after so many; 0: never */
    uint32_t stated;              /* replies to STATUS */
    uint32_t locks;               /* that were done */
    struct defects defects;       /* the rest */
    uint32_t misstated, unlogged; /* byte of STATUS in a round, entry of the log from 1; 0: none */
};

static struct bet_unit_model *unit_of(struct model *model)
{
    return (struct bet_unit_model *)model;
}

static bool has_room(const struct bet_unit_model *unit)
{
    return unit->peer.queued + ROOM_NEEDED <= WIRE_EVENTS_MAX;
}

static void write_log(struct bet_unit_model *unit, uint8_t code, uint8_t detail, uint32_t value,
                      nanos_t now)
{
    struct log_entry *entry;

    if (unit->unlogged && unit->logged + 1 == unit->unlogged) {
        unit->unlogged = 0;
        unit->table.has_shown = true;
        return;
    }
    entry = &unit->log[unit->logged++ % LOG_ENTRIES];
    *entry = (struct log_entry){.millis = log_millis(&unit->defects, LOG_FIRST, now),
                                .code = code,
                                .detail = detail,
                                .value = value};
    if (unit->peer.versions > FRAME_VERSION)
        log_chain_add(&unit->chain, entry);
}

static uint8_t hello_flags(void *context)
{
    const struct bet_unit_model *unit = context;

    return unit->test_mode ? PEER_FLAG_TEST_MODE : 0;
}

static void put_status(const struct bet_unit_model *unit, uint8_t status[STATUS_SIZE])
{
    status[0] = unit->table.round ? BET_UNIT_ROUND : BET_UNIT_IDLE;
    status[1] = 0;
    status[2] = unit->test_mode ? PEER_FLAG_TEST_MODE : 0;
    status[3] = (uint8_t)bet_unit_table_placed(&unit->table);
    status[4] = (uint8_t)bet_unit_table_locked(&unit->table);
    status[5] = (uint8_t)bet_unit_table_lit(&unit->table);
}

/* How each thing that happens at a seat is told: some with a second byte. */
static const struct {
    uint8_t type, size, level;
} tellings[BET_EVENT_KINDS] = {
    [BET_EVENT_PLACED] = {BET_UNIT_PLACED, 1, 0},
    [BET_EVENT_LIFTED] = {BET_UNIT_LIFTED, 1, 0},
    [BET_EVENT_LATE] = {BET_UNIT_LATE, 1, 0},
    [BET_EVENT_LIFTED_LOCKED] = {BET_UNIT_LIFTED_LOCKED, 1, 0},
    [BET_EVENT_LAMP_DARK] = {BET_UNIT_LAMP, 2, 0},
    [BET_EVENT_LAMP_LIT] = {BET_UNIT_LAMP, 2, 1},
    [BET_EVENT_STUCK_LOW] = {BET_UNIT_STUCK, 2, 0},
    [BET_EVENT_STUCK_HIGH] = {BET_UNIT_STUCK, 2, 1},
};

static void tell_seat(struct bet_unit_model *unit, const struct bet_event *event)
{
    const uint8_t payload[] = {(uint8_t)event->seat, tellings[event->kind].level};

    peer_event(&unit->peer, tellings[event->kind].type, payload, tellings[event->kind].size,
               event->time);
    write_log(unit, tellings[event->kind].type, payload[0], payload[1], event->time);
}

/* Does what became due until now, each thing at its own time. */
static void step(struct bet_unit_model *unit, nanos_t now)
{
    struct bet_event event;

    while (has_room(unit)) {
        if (!bet_unit_table_next(&unit->table, now, &event))
            return;
        tell_seat(unit, &event);
        if (event.kind == BET_EVENT_PLACED &&
            defects_show(&unit->defects, TWITCHES, event.seat, event.seat)) {
            event.kind = BET_EVENT_LIFTED;
            tell_seat(unit, &event);
            event.kind = BET_EVENT_PLACED;
            tell_seat(unit, &event);
        }
    }
    bet_unit_table_delay_hand(&unit->table, now);
}

static unsigned lock(struct bet_unit_model *unit, uint8_t seats, nanos_t now)
{
    const uint8_t modes[] = {!unit->test_mode, unit->test_mode};

    if (seats & 1)
        return REFUSED_VALUE;
    for (unsigned i = 1; i <= BET_SENSOR_SEATS; i++)
        if (seats >> i & 1 && defects_show(&unit->defects, SNATCHED, i, i)) {
            bet_unit_table_snatch(&unit->table, i);
            tell_seat(unit, &(struct bet_event){.kind = BET_EVENT_LIFTED, .seat = i, .time = now});
        }
    if (!bet_unit_table_lock(&unit->table, seats))
        return REFUSED_STATE;
    write_log(unit, BET_UNIT_LOCK, seats, 0, now);
    unit->locks++;
    if (defects_show(&unit->defects, FLIPS, unit->locks, unit->locks))
        for (unsigned i = 0; i < 2; i++) {
            peer_event(&unit->peer, BET_UNIT_TEST_MODE_CHANGED, &modes[i], 1, now);
            write_log(unit, BET_UNIT_TEST_MODE_CHANGED, modes[i], 0, now);
        }
    return 0;
}

static unsigned unlock(struct bet_unit_model *unit, nanos_t now)
{
    if (!bet_unit_table_unlock(&unit->table))
        return REFUSED_STATE;
    write_log(unit, BET_UNIT_UNLOCK, 0, 0, now);
    return 0;
}

static unsigned light(struct bet_unit_model *unit, uint8_t seats)
{
    if (seats & 1)
        return REFUSED_VALUE;
    bet_unit_table_light(&unit->table, seats);
    return 0;
}

static unsigned place(struct bet_unit_model *unit, uint8_t seats)
{
    if (seats & 1)
        return REFUSED_VALUE;
    if (!unit->test_mode)
        return REFUSED_TEST_MODE;
    bet_unit_table_place(&unit->table, seats);
    return 0;
}

static unsigned change_test_mode(struct bet_unit_model *unit, uint8_t on, nanos_t now)
{
    if (on > 1)
        return REFUSED_VALUE;
    if (unit->table.round)
        return REFUSED_STATE;
    if (!has_room(unit))
        return REFUSED_BUSY;
    if (unit->test_mode == on)
        return 0;
    unit->test_mode = on || defects_hold(&unit->defects, STAYS_IN_TEST, 0);
    if (on || !defects_hold(&unit->defects, ENDS_SILENTLY, 0))
        peer_event(&unit->peer, BET_UNIT_TEST_MODE_CHANGED, &on, 1, now);
    write_log(unit, BET_UNIT_TEST_MODE_CHANGED, on, 0, now);
    if (!on)
        bet_unit_table_place(&unit->table, 0);
    return 0;
}

/* A wager that nobody placed is told when the log was read. */
static void answer_log(struct bet_unit_model *unit, uint32_t first, uint8_t *reply, size_t *size,
                       nanos_t now)
{
    const uint8_t seat = BET_SENSOR_SEATS;

    log_rewrite(&unit->defects, LOG_FIRST, unit->log, LOG_ENTRIES, unit->logged, first);
    *size = log_reply(unit->log, LOG_ENTRIES, unit->logged, first, unit->peer.version, reply);
    if (first < unit->logged && defects_show(&unit->defects, TALKS, 0, 0))
        peer_event(&unit->peer, BET_UNIT_PLACED, &seat, 1, now);
}

static void tell_state(void *context, struct wire_state *state, nanos_t now)
{
    struct bet_unit_model *unit = context;

    state->entries = unit->logged;
    memcpy(state->digest, unit->chain.digest, sizeof state->digest);
    state->millis = log_millis(&unit->defects, LOG_FIRST, now);
}

static void write_note(void *context, uint8_t code, uint8_t detail, uint32_t value, nanos_t now)
{
    write_log(context, code, detail, value, now);
}

/* How long the payload of a request is; negative when there is no such request. */
static int payload_size_of(uint8_t type)
{
    switch (type) {
    case WIRE_STATUS:
    case BET_UNIT_UNLOCK:
        return 0;
    case WIRE_LOG:
        return 4;
    case WIRE_CLEAR_ERROR:
    case BET_UNIT_LOCK:
    case BET_UNIT_LIGHTS:
    case BET_UNIT_PLACE:
    case BET_UNIT_TEST_MODE:
        return 1;
    default:
        return -1;
    }
}

static unsigned answer(void *context, uint8_t type, const uint8_t *payload, size_t payload_size,
                       uint8_t *reply, size_t *size, nanos_t now)
{
    struct bet_unit_model *unit = context;
    int expected = payload_size_of(type);

    if (expected < 0)
        return REFUSED_UNKNOWN;
    if (payload_size != (size_t)expected)
        return REFUSED_LENGTH;
    switch (type) {
    case WIRE_STATUS:
        put_status(unit, reply);
        unit->stated++;
        if (defects_show(&unit->defects, WAVERS, unit->stated, unit->stated))
            reply[3] ^= 1u << BET_SENSOR_SEATS;
        if (defects_show(&unit->defects, FLICKERS, unit->stated, unit->stated))
            reply[5] ^= 1u << BET_SENSOR_SEATS;
        if (unit->misstated && unit->table.round) {
            reply[unit->misstated - 1] ^= unit->misstated == 3 ? PEER_FLAG_TEST_MODE : 1u << 7;
            unit->table.has_shown = true;
        }
        *size = STATUS_SIZE;
        return 0;
    case WIRE_LOG:
        answer_log(unit, wire_get32(payload), reply, size, now);
        return 0;
    case BET_UNIT_LOCK:
        return lock(unit, payload[0], now);
    case BET_UNIT_UNLOCK:
        return unlock(unit, now);
    case BET_UNIT_LIGHTS:
        return light(unit, payload[0]);
    case BET_UNIT_PLACE:
        return place(unit, payload[0]);
    case BET_UNIT_TEST_MODE:
        return change_test_mode(unit, payload[0], now);
    default: /* CLEAR ERROR: none ever waits */
        return REFUSED_VALUE;
    }
}

static void model_receive(struct model *model, const uint8_t *bytes, size_t count, nanos_t now)
{
    struct bet_unit_model *unit = unit_of(model);
    uint64_t before = unit->peer.decoder.frames;

    step(unit, now);
    peer_receive(&unit->peer, bytes, count, now);
    unit->frames += unit->peer.decoder.frames - before;
    if (unit->unplug && unit->frames >= unit->unplug) {
        unit->unplug = 0;
        model->gone = true;
    }
}

static size_t model_send(struct model *model, uint8_t *bytes, size_t size, nanos_t now)
{
    step(unit_of(model), now);
    return peer_send(&unit_of(model)->peer, bytes, size, now);
}

static nanos_t model_due(struct model *model)
{
    const struct bet_unit_model *unit = unit_of(model);
    nanos_t speaks = peer_due(&unit->peer);
    nanos_t happens = has_room(unit) ? bet_unit_table_due(&unit->table) : NEVER;

    return speaks < happens ? speaks : happens;
}

static void model_unplug(struct model *model, nanos_t now)
{
    (void)now;
    peer_unplug(&unit_of(model)->peer);
}

static void model_free(struct model *model)
{
    free(model);
}

#define SEAT "seat", 1, BET_SENSOR_SEATS

/* In the order of enum bet_unit_defect, and those that are not of the table. */
static const struct defect_kind kinds[] = {
    {"stuck-high", SEAT},
    {"stuck-low", SEAT},
    {"dark", SEAT},
    {"lit", SEAT},
    {"late", SEAT},
    {"lift", SEAT},
    {"kept", SEAT},
    [UNPLUG] = {"unplug", "frames", 1, UINT32_MAX},
    [MISSTATED] = {"misstated", "byte", 3, 5},
    [UNLOGGED] = {"unlogged", "entry", 1, UINT32_MAX},
    [ENDS_SILENTLY] = {"ends-silently", NULL, 0, 0},
    [TALKS] = {"talks", NULL, 0, 0},
    [WAVERS] = {"wavers", "status", 1, UINT32_MAX},
    [FLICKERS] = {"flickers", "status", 1, UINT32_MAX},
    [STAYS_IN_TEST] = {"stays-in-test", NULL, 0, 0},
    [TWITCHES] = {"twitches", SEAT},
    [SNATCHED] = {"snatched", SEAT},
    [FLIPS] = {"flips", "lock", 1, UINT32_MAX},
    [LOG_FIRST] = LOG_DEFECTS,
    PEER_DEFECTS,
};
static const struct defect_table defects = {"a bet sensor unit", kinds,
                                            sizeof kinds / sizeof kinds[0]};

int bet_unit_model_fault(struct model *model, const char *spec, struct error *error)
{
    struct bet_unit_model *unit = unit_of(model);
    struct defect defect;
    int status = defect_parse(&defects, spec, &defect, error);

    if (status)
        return status;
    if (defect.kind == UNPLUG)
        unit->unplug = defect.at;
    else if (defect.kind == MISSTATED)
        unit->misstated = defect.at;
    else if (defect.kind == UNLOGGED)
        unit->unlogged = defect.at;
    else if (defect.kind > UNLOGGED)
        return defects_add(&unit->defects, &defects, spec, error);
    else
        bet_unit_table_defect(&unit->table, (enum bet_unit_defect)defect.kind, defect.at);
    return 0;
}

static bool has_shown(const struct model *model)
{
    return ((const struct bet_unit_model *)model)->table.has_shown || model->gone;
}

static int read_seed(void *context, const char *value, struct error *error)
{
    return model_option_number("seed", value, UINT64_MAX,
                               &((struct bet_unit_model *)context)->table.random, error);
}

static int read_serial(void *context, const char *value, struct error *error)
{
    return model_option_serial(value, ((struct bet_unit_model *)context)->identity.serial, error);
}

static int read_place(void *context, const char *value, struct error *error)
{
    return model_option_millis("place", value, &((struct bet_unit_model *)context)->table.hand_time,
                               error);
}

static int read_fault(void *context, const char *value, struct error *error)
{
    return bet_unit_model_fault(context, value, error);
}

static int read_lacks(void *context, const char *value, struct error *error)
{
    return peer_option_lacks(&((struct bet_unit_model *)context)->peer, value, error);
}

static int read_protocol(void *context, const char *value, struct error *error)
{
    return peer_option_protocol(&((struct bet_unit_model *)context)->peer, value, error);
}

static const struct model_option options[] = {
    {"seed=N", read_seed},
    {"serial=TEXT", read_serial},
    {"place=MS", read_place},
    {"fault=SPEC", read_fault},
    {"protocol=1|2", read_protocol},
    {"lacks=CAPABILITY", read_lacks},
    {NULL, NULL},
};

static void set_up(struct bet_unit_model *unit)
{
    static const struct model_ops ops = {.receive = model_receive,
                                         .send = model_send,
                                         .due = model_due,
                                         .unplug = model_unplug,
                                         .free = model_free};
    static const struct peer_ops peer_ops = {
        .request = answer, .flags = hello_flags, .state = tell_state, .note = write_note};
    /* The digest is that of "dealproof model of a bet sensor unit, 1.0.0": all its firmware. */
    static const struct wire_identity identity = {
        .model = "DP-BET7",
        .serial = "B-7",
        .firmware = "1.0.0",
        .digest = {0x3c, 0xa9, 0x56, 0xba, 0xd8, 0xe3, 0x31, 0xbf, 0xee, 0x57, 0x61,
                   0x96, 0x7f, 0x74, 0x8b, 0x4e, 0x93, 0x3d, 0x10, 0xe7, 0x59, 0xbb,
                   0x8c, 0xc5, 0x4c, 0xf9, 0x0c, 0xaa, 0x36, 0xa4, 0xa5, 0x12},
    };

    unit->model.ops = &ops;
    unit->identity = identity;
    bet_unit_table_init(&unit->table, 1);
    peer_init(&unit->peer, &peer_ops, unit, FRAME_BET_SENSOR, &unit->identity);
    peer_learn(&unit->peer, 0, &unit->defects, PEER_FIRST);
}

struct model *bet_unit_model_new(const char *text, struct error *error)
{
    struct bet_unit_model *unit = calloc(1, sizeof *unit);

    if (!unit) {
        error_set(error, ERROR_RIG, "no memory for a model of a bet sensor unit");
        return NULL;
    }
    set_up(unit);
    if (model_options_read(options, "a bet sensor unit", text, unit, error)) {
        free(unit);
        return NULL;
    }
    return &unit->model;
}

void bet_unit_model_hand(struct model *model, unsigned seat, bool places, nanos_t now)
{
    step(unit_of(model), now);
    bet_unit_table_hand(&unit_of(model)->table, seat, places);
}

void bet_unit_model_power_cycle(struct model *model, nanos_t now)
{
    struct bet_unit_model *unit = unit_of(model);
    uint8_t status[STATUS_SIZE];

    step(unit, now);
    bet_unit_table_power_cycle(&unit->table);
    peer_restart(&unit->peer, now);
    put_status(unit, status);
    peer_event(&unit->peer, BET_UNIT_POWER_UP, status, sizeof status, now);
    write_log(unit, BET_UNIT_POWER_UP, status[0], status[4], now);
}

static const struct model_kind kind = {
    .name = "bet-sensor",
    .summary = "unit with the bet sensors, lamps and actuators of seven seats",
    .class = DEVICE_SENSORS,
    .driver = "unit",
    .options = options,
    .defects = &defects,
    .make = bet_unit_model_new,
    .fault = bet_unit_model_fault,
    .has_shown = has_shown,
    .power_cycle = bet_unit_model_power_cycle,
    .frame_class = FRAME_BET_SENSOR,
    .hands = "place=3000",
};
REGISTER(device_models, kind);
