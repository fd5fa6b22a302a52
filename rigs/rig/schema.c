/* The fields of a rig file, as rigs/RIGS.md describes them. */
#include "rigs/rig/check.h"

#define OPTIONAL CYAML_FLAG_OPTIONAL

static const cyaml_strval_t clocks[] = {{"virtual", RIG_CLOCK_VIRTUAL}, {"real", RIG_CLOCK_REAL}};
static const cyaml_strval_t orders[] = {{"load", RIG_ORDER_LOAD}, {"compare", RIG_ORDER_COMPARE}};
static const cyaml_strval_t biases[] = {{"as-is", PIN_BIAS_AS_IS},
                                        {"none", PIN_BIAS_NONE},
                                        {"pull-up", PIN_PULL_UP},
                                        {"pull-down", PIN_PULL_DOWN}};
static const cyaml_strval_t lines[] = {{"bet", 1 << BET_LINE_BET},
                                       {"light", 1 << BET_LINE_LIGHT},
                                       {"chip", 1 << BET_LINE_CHIP},
                                       {"lamp", 1 << BET_LINE_LAMP}};

static const cyaml_schema_field_t link_fault_fields[] = {
    CYAML_FIELD_UINT("flip", OPTIONAL, struct rig_link_fault, flip),
    CYAML_FIELD_UINT("drop", OPTIONAL, struct rig_link_fault, drop),
    CYAML_FIELD_UINT("duplicate", OPTIONAL, struct rig_link_fault, duplicate),
    CYAML_FIELD_UINT("delay", OPTIONAL, struct rig_link_fault, delay),
    CYAML_FIELD_UINT("delay-ms", OPTIONAL, struct rig_link_fault, delay_ms),
    CYAML_FIELD_UINT("split", OPTIONAL, struct rig_link_fault, split),
    CYAML_FIELD_UINT("merge", OPTIONAL, struct rig_link_fault, merge),
    CYAML_FIELD_UINT("cut-after", OPTIONAL, struct rig_link_fault, cut_after),
    CYAML_FIELD_END,
};

/* A struct rig_device is the first member of what has more. */
#define DEVICE_FIELDS                                                                              \
    CYAML_FIELD_STRING("driver", OPTIONAL, struct rig_device, driver, 1),                          \
        CYAML_FIELD_STRING("address", CYAML_FLAG_DEFAULT, struct rig_device, address, 1),          \
        CYAML_FIELD_STRING("options", OPTIONAL, struct rig_device, options, 0),                    \
        CYAML_FIELD_STRING("fault", OPTIONAL, struct rig_device, fault, 0),                        \
        CYAML_FIELD_MAPPING_PTR("link-fault", OPTIONAL, struct rig_device, link_fault,             \
                                link_fault_fields)

static const cyaml_schema_field_t device_fields[] = {DEVICE_FIELDS, CYAML_FIELD_END};

static const cyaml_schema_field_t terminal_fields[] = {
    DEVICE_FIELDS,
    CYAML_FIELD_STRING("code", OPTIONAL, struct rig_device, code, 1),
    CYAML_FIELD_STRING("admin", OPTIONAL, struct rig_device, admin, 1),
    CYAML_FIELD_END,
};

static const cyaml_schema_field_t seat_fields[] = {
    CYAML_FIELD_UINT("seat", CYAML_FLAG_DEFAULT, struct rig_seat, seat),
    CYAML_FIELD_STRING("bet", OPTIONAL, struct rig_seat, bet, 1),
    CYAML_FIELD_STRING("light", OPTIONAL, struct rig_seat, light, 1),
    CYAML_FIELD_STRING("chip", OPTIONAL, struct rig_seat, chip, 1),
    CYAML_FIELD_STRING("lamp", OPTIONAL, struct rig_seat, lamp, 1),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t seat_entry = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct rig_seat, seat_fields)};

static const cyaml_schema_field_t sensors_fields[] = {
    DEVICE_FIELDS,
    CYAML_FIELD_UINT("debounce-us", OPTIONAL, struct rig_sensors, debounce_us),
    CYAML_FIELD_ENUM("bias", OPTIONAL | CYAML_FLAG_STRICT, struct rig_sensors, bias, biases,
                     CYAML_ARRAY_LEN(biases)),
    CYAML_FIELD_FLAGS("active-low", OPTIONAL | CYAML_FLAG_STRICT, struct rig_sensors, active_low,
                      lines, CYAML_ARRAY_LEN(lines)),
    CYAML_FIELD_SEQUENCE("seats", OPTIONAL | CYAML_FLAG_POINTER, struct rig_sensors, seats,
                         &seat_entry, 1, BET_SENSOR_SEATS),
    CYAML_FIELD_END,
};

static const cyaml_schema_field_t devices_fields[] = {
    CYAML_FIELD_MAPPING_PTR("shuffler", OPTIONAL, struct rig_devices, shuffler, device_fields),
    CYAML_FIELD_MAPPING_PTR("shoe", OPTIONAL, struct rig_devices, shoe, device_fields),
    CYAML_FIELD_MAPPING_PTR("terminal", OPTIONAL, struct rig_devices, terminal, terminal_fields),
    CYAML_FIELD_MAPPING_PTR("sensors", OPTIONAL, struct rig_devices, sensors, sensors_fields),
    CYAML_FIELD_END,
};

static const cyaml_schema_field_t timing_fields[] = {
    CYAML_FIELD_UINT("reply", OPTIONAL, struct rig_timing, reply),
    CYAML_FIELD_UINT("shuffle", OPTIONAL, struct rig_timing, shuffle),
    CYAML_FIELD_UINT("packet", OPTIONAL, struct rig_timing, packet),
    CYAML_FIELD_UINT("take", OPTIONAL, struct rig_timing, take),
    CYAML_FIELD_UINT("card", OPTIONAL, struct rig_timing, card),
    CYAML_FIELD_UINT("wager", OPTIONAL, struct rig_timing, wager),
    CYAML_FIELD_UINT("light", OPTIONAL, struct rig_timing, light),
    CYAML_FIELD_UINT("jackpot", OPTIONAL, struct rig_timing, jackpot),
    CYAML_FIELD_END,
};

static const cyaml_schema_field_t limit_fields[] = {
    CYAML_FIELD_STRING("wager", CYAML_FLAG_DEFAULT, struct rig_limit, wager, 1),
    CYAML_FIELD_UINT("min", OPTIONAL, struct rig_limit, minimum),
    CYAML_FIELD_UINT("max", OPTIONAL, struct rig_limit, maximum),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t limit_entry = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct rig_limit, limit_fields)};

static const cyaml_schema_field_t meter_fields[] = {
    CYAML_FIELD_STRING("meter", CYAML_FLAG_DEFAULT, struct rig_meter, meter, 1),
    CYAML_FIELD_STRING("opening", CYAML_FLAG_DEFAULT, struct rig_meter, opening_text, 1),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t meter_entry = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct rig_meter, meter_fields)};

static const cyaml_schema_field_t must_hit_fields[] = {
    CYAML_FIELD_STRING("reset", CYAML_FLAG_DEFAULT, struct rig_must_hit, reset_text, 1),
    CYAML_FIELD_STRING("hit-by", CYAML_FLAG_DEFAULT, struct rig_must_hit, hit_by_text, 1),
    CYAML_FIELD_STRING("rate", CYAML_FLAG_DEFAULT, struct rig_must_hit, rate_text, 1),
    CYAML_FIELD_END,
};

static const cyaml_schema_field_t reopen_fields[] = {
    CYAML_FIELD_UINT("first-ms", CYAML_FLAG_DEFAULT, struct rig_reopen, first_ms),
    CYAML_FIELD_UINT("longest-ms", CYAML_FLAG_DEFAULT, struct rig_reopen, longest_ms),
    CYAML_FIELD_UINT("tries", CYAML_FLAG_DEFAULT, struct rig_reopen, tries),
    CYAML_FIELD_END,
};

#define LIMITS_MAX        32
#define METERS_LISTED_MAX 16

static const cyaml_schema_field_t rig_fields[] = {
    CYAML_FIELD_STRING("rig", CYAML_FLAG_DEFAULT, struct rig, name, 1),
    CYAML_FIELD_ENUM("clock", CYAML_FLAG_STRICT, struct rig, clock, clocks,
                     CYAML_ARRAY_LEN(clocks)),
    CYAML_FIELD_UINT("seats", OPTIONAL, struct rig, seats),
    CYAML_FIELD_MAPPING("devices", CYAML_FLAG_DEFAULT, struct rig, devices, devices_fields),
    CYAML_FIELD_ENUM("order", OPTIONAL | CYAML_FLAG_STRICT, struct rig, order, orders,
                     CYAML_ARRAY_LEN(orders)),
    CYAML_FIELD_MAPPING("timing", OPTIONAL, struct rig, timing, timing_fields),
    CYAML_FIELD_SEQUENCE("limits", OPTIONAL | CYAML_FLAG_POINTER, struct rig, limits, &limit_entry,
                         1, LIMITS_MAX),
    CYAML_FIELD_SEQUENCE("meters", OPTIONAL | CYAML_FLAG_POINTER, struct rig, meters, &meter_entry,
                         1, METERS_LISTED_MAX),
    CYAML_FIELD_MAPPING_PTR("must-hit", OPTIONAL, struct rig, must_hit, must_hit_fields),
    CYAML_FIELD_STRING("paytables", OPTIONAL, struct rig, paytables, 1),
    CYAML_FIELD_STRING("capture", OPTIONAL, struct rig, capture, 1),
    CYAML_FIELD_MAPPING_PTR("reopen", OPTIONAL, struct rig, reopen, reopen_fields),
    CYAML_FIELD_END,
};

const cyaml_schema_value_t rig_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct rig, rig_fields)};
