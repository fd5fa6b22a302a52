/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The fields of a rig file, as rigs/RIGS.md describes them. */
#include "games/game.h"
#include "rigs/rig/check.h"

#define MEMBER(type, member)                                                                       \
    .offset = offsetof(struct type, member), .size = sizeof((struct type *)0)->member
#define TEXT(name, type, member) .key = name, .kind = FIELD_TEXT, MEMBER(type, member)
#define NUMBER(name, type, member, from, to)                                                       \
    .key = name, .kind = FIELD_NUMBER, MEMBER(type, member), .least = from, .most = to
#define WORD(name, type, member, known)                                                            \
    .key = name, .kind = FIELD_WORD, MEMBER(type, member), .words = known
#define WORDS(name, type, member, known)                                                           \
    .key = name, .kind = FIELD_WORDS, MEMBER(type, member), .words = known
#define DOLLARS(name, type, member) .key = name, .kind = FIELD_DOLLARS, MEMBER(type, member)
#define RATE(name, type, member)    .key = name, .kind = FIELD_RATE, MEMBER(type, member)
#define GROUP(name, type, member, of)                                                              \
    .key = name, .kind = FIELD_GROUP, MEMBER(type, member), .fields = of
/* Behind a pointer. */
#define POINTED(type, member)                                                                      \
    .offset = offsetof(struct type, member), .size = sizeof *((struct type *)0)->member
#define GROUP_POINTER(name, type, member, of)                                                      \
    .key = name, .kind = FIELD_GROUP, .is_pointer = true, POINTED(type, member), .fields = of
#define LIST(name, type, member, of, to)                                                           \
    .key = name, .kind = FIELD_LIST, POINTED(type, member),                                        \
    .count = offsetof(struct type, member##_count), .fields = of, .least = 1, .most = to

#define MILLION      1000000u
#define HOUR_MS      3600000u
#define DEBOUNCE_MAX 1000000u /* us */
#define PRESS_MAX    10000u   /* ms */
#define TRIES_MAX    1000u
#define LIMITS_MAX   32
#define METERS_MOST  16

static const struct field_word clocks[] = {
    {"virtual", RIG_CLOCK_VIRTUAL}, {"real", RIG_CLOCK_REAL}, {NULL, 0}};
static const struct field_word orders[] = {{"load", RIG_ORDER_LOAD},
                                           {"compare", RIG_ORDER_COMPARE},
                                           {"stack", RIG_ORDER_STACK},
                                           {NULL, 0}};
static const struct field_word wagers[] = {
    {"left", RIG_WAGERS_LEFT}, {"collected", RIG_WAGERS_COLLECTED}, {NULL, 0}};
static const struct field_word probes[] = {
    {"true", RIG_PROBES_CODES}, {"false", RIG_LEAVES_CODES}, {NULL, 0}};
static const struct field_word line_kinds[] = {
    {"serial", RIG_LINE_SERIAL}, {"direct", RIG_LINE_DIRECT}, {NULL, 0}};
static const struct field_word biases[] = {{"as-is", PIN_BIAS_AS_IS},
                                           {"none", PIN_BIAS_NONE},
                                           {"pull-up", PIN_PULL_UP},
                                           {"pull-down", PIN_PULL_DOWN},
                                           {NULL, 0}};
static const struct field_word lines[] = {{"bet", 1 << BET_LINE_BET},
                                          {"light", 1 << BET_LINE_LIGHT},
                                          {"chip", 1 << BET_LINE_CHIP},
                                          {"lamp", 1 << BET_LINE_LAMP},
                                          {NULL, 0}};

static const struct field_word shuffler_lines[] = {
    {"button", 1 << SHUFFLER_LINE_BUTTON}, {"exit", 1 << SHUFFLER_LINE_EXIT},
    {"ready", 1 << SHUFFLER_LINE_READY},   {"jam", 1 << SHUFFLER_LINE_JAM},
    {"door", 1 << SHUFFLER_LINE_DOOR},     {NULL, 0}};

/* Chances are per byte, in parts per million. */
static const struct field link_fault_fields[] = {
    {NUMBER("flip", rig_link_fault, flip, 0, MILLION)},
    {NUMBER("drop", rig_link_fault, drop, 0, MILLION)},
    {NUMBER("duplicate", rig_link_fault, duplicate, 0, MILLION)},
    {NUMBER("delay", rig_link_fault, delay, 0, MILLION)},
    {NUMBER("delay-ms", rig_link_fault, delay_ms, 0, HOUR_MS), .unit = "ms"},
    {NUMBER("split", rig_link_fault, split, 0, MILLION)},
    {NUMBER("merge", rig_link_fault, merge, 0, MILLION)},
    {NUMBER("cut-after", rig_link_fault, cut_after, 0, UINT32_MAX)},
    {.key = NULL},
};

static const struct field identity_fields[] = {
    {TEXT("model", rig_identity, model), .least = 1},
    {TEXT("serial", rig_identity, serial), .least = 1},
    {TEXT("firmware", rig_identity, firmware), .least = 1},
    {TEXT("digest", rig_identity, digest), .least = 1},
    {.key = NULL},
};

static const struct field authenticate_fields[] = {
    {TEXT("address", rig_authenticate, address), .least = 1, .required = true,
     .place = offsetof(struct rig_authenticate, place)},
    {TEXT("options", rig_authenticate, options)},
    {TEXT("approved", rig_authenticate, approved), .least = 1,
     .place = offsetof(struct rig_authenticate, approved_place)},
    {TEXT("key", rig_authenticate, key), .least = 1},
    {TEXT("key-hex", rig_authenticate, key_hex), .least = 1},
    {.key = NULL},
};

/*
 * A struct rig_device is the first member of what has more. Whether an address is missing depends
 * on the driver, whose place stands for it where there is none.
 */
#define DEVICE_FIELDS                                                                              \
    {TEXT("driver", rig_device, driver), .least = 1, .place = offsetof(struct rig_device, place)}, \
        {TEXT("address", rig_device, address), .least = 1,                                         \
         .place = offsetof(struct rig_device, place)},                                             \
        {TEXT("options", rig_device, options)}, {TEXT("fault", rig_device, fault)},                \
        {TEXT("script", rig_device, script), .least = 1},                                          \
        {WORD("line", rig_device, line, line_kinds)},                                              \
        {NUMBER("protocol", rig_device, protocol, 1, FRAME_VERSIONS)},                             \
        {GROUP_POINTER("identity", rig_device, identity, identity_fields)},                        \
        {GROUP_POINTER("authenticate", rig_device, authenticate, authenticate_fields)},            \
    {                                                                                              \
        GROUP_POINTER("link-fault", rig_device, link_fault, link_fault_fields)                     \
    }

#define DEALER_FIELDS                                                                              \
    DEVICE_FIELDS, {TEXT("cards", rig_device, cards), .least = 1},                                 \
    {                                                                                              \
        TEXT("map", rig_device, map), .least = 1                                                   \
    }

static const struct field shoe_fields[] = {DEALER_FIELDS, {.key = NULL}};

static const struct field shuffler_fields[] = {
    DEALER_FIELDS,
    {TEXT("button", rig_device, lines.button), .least = 1},
    {TEXT("exit", rig_device, lines.exit), .least = 1},
    {TEXT("ready", rig_device, lines.ready), .least = 1},
    {TEXT("jam", rig_device, lines.jam), .least = 1},
    {TEXT("door", rig_device, lines.door), .least = 1},
    {NUMBER("press-ms", rig_device, lines.press_ms, 1, PRESS_MAX), .unit = "ms", .standard = 100},
    {NUMBER("debounce-us", rig_device, lines.debounce_us, 0, DEBOUNCE_MAX), .unit = "us",
     .standard = 20000},
    {WORD("bias", rig_device, lines.bias, biases)},
    {WORDS("active-low", rig_device, lines.active_low, shuffler_lines)},
    {.key = NULL},
};

static const struct field terminal_fields[] = {
    DEVICE_FIELDS,
    {TEXT("code", rig_device, code), .least = 1, .place = offsetof(struct rig_device, code_place)},
    {TEXT("admin", rig_device, admin), .least = 1,
     .place = offsetof(struct rig_device, admin_place)},
    {WORD("probe-codes", rig_device, probe_codes, probes)},
    {.key = NULL},
};

static const struct field seat_fields[] = {
    {NUMBER("seat", rig_seat, seat, 0, UINT8_MAX), .required = true},
    {TEXT("bet", rig_seat, bet), .least = 1},
    {TEXT("light", rig_seat, light), .least = 1},
    {TEXT("chip", rig_seat, chip), .least = 1},
    {TEXT("lamp", rig_seat, lamp), .least = 1},
    {.key = NULL},
};

static const struct field sensors_fields[] = {
    DEVICE_FIELDS,
    {NUMBER("debounce-us", rig_sensors, debounce_us, 0, DEBOUNCE_MAX), .unit = "us",
     .standard = 20000},
    {WORD("bias", rig_sensors, bias, biases)},
    {WORDS("active-low", rig_sensors, active_low, lines)},
    {LIST("seats", rig_sensors, seats, seat_fields, BET_SENSOR_SEATS)},
    {.key = NULL},
};

static const struct field devices_fields[] = {
    {GROUP_POINTER("shuffler", rig_devices, shuffler, shuffler_fields)},
    {GROUP_POINTER("shoe", rig_devices, shoe, shoe_fields)},
    {GROUP_POINTER("terminal", rig_devices, terminal, terminal_fields)},
    {GROUP_POINTER("sensors", rig_devices, sensors, sensors_fields)},
    {.key = NULL},
};

#define TIME(name, type, member) NUMBER(name, type, member, 1, HOUR_MS), .unit = "ms"

static const struct field timing_fields[] = {
    {TIME("reply", rig_timing, reply), .standard = 1000},
    {TIME("shuffle", rig_timing, shuffle), .standard = 60000},
    {TIME("packet", rig_timing, packet), .standard = 5000},
    {TIME("take", rig_timing, take), .standard = 60000},
    {TIME("card", rig_timing, card), .standard = 30000},
    {TIME("wager", rig_timing, wager), .standard = 500},
    {TIME("light", rig_timing, light), .standard = 500},
    {TIME("jackpot", rig_timing, jackpot), .standard = 2000},
    {TIME("person", rig_timing, person), .standard = 600000},
    {NUMBER("dwell", rig_timing, dwell, 0, HOUR_MS), .unit = "ms"},
    {NUMBER("quiet", rig_timing, quiet, 0, HOUR_MS), .unit = "ms", .standard = 500},
    {.key = NULL},
};

static const struct field limit_fields[] = {
    {TEXT("wager", rig_limit, wager), .least = 1, .required = true},
    {NUMBER("min", rig_limit, minimum, 0, STAKE_MAX), .unit = "cents"},
    {NUMBER("max", rig_limit, maximum, 0, STAKE_MAX), .unit = "cents"},
    {.key = NULL},
};

static const struct field meter_fields[] = {
    {TEXT("meter", rig_meter, meter), .least = 1, .required = true},
    {DOLLARS("opening", rig_meter, opening), .required = true},
    {.key = NULL},
};

static const struct field must_hit_fields[] = {
    {DOLLARS("reset", rig_must_hit, reset), .required = true},
    {DOLLARS("hit-by", rig_must_hit, hit_by), .required = true},
    {RATE("rate", rig_must_hit, rate), .required = true},
    {.key = NULL},
};

static const struct field reopen_fields[] = {
    {TIME("first-ms", rig_reopen, first_ms), .required = true},
    {TIME("longest-ms", rig_reopen, longest_ms), .required = true},
    {NUMBER("tries", rig_reopen, tries, 1, TRIES_MAX), .required = true},
    {.key = NULL},
};

const struct field rig_fields[] = {
    {TEXT("rig", rig, name), .least = 1, .required = true},
    {WORD("clock", rig, clock, clocks), .required = true},
    {NUMBER("seats", rig, seats, 1, SEATS_MAX), .standard = SEATS_MAX},
    {NUMBER("decks", rig, decks, 1, DECKS_MAX), .standard = 1},
    {GROUP("devices", rig, devices, devices_fields), .required = true},
    {WORD("order", rig, order, orders)},
    {WORD("wagers", rig, wagers, wagers)},
    {GROUP("timing", rig, timing, timing_fields)},
    {LIST("limits", rig, limits, limit_fields, LIMITS_MAX)},
    {LIST("meters", rig, meters, meter_fields, METERS_MOST)},
    {GROUP_POINTER("must-hit", rig, must_hit, must_hit_fields)},
    {TEXT("paytables", rig, paytables), .least = 1, .place = offsetof(struct rig, paytables_place)},
    {TEXT("capture", rig, capture), .least = 1, .place = offsetof(struct rig, capture_place)},
    {TEXT("history", rig, history), .least = 1},
    {GROUP_POINTER("reopen", rig, reopen, reopen_fields)},
    {.key = NULL},
};
