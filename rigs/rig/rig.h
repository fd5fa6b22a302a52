/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A rig file (rigs/RIGS.md): which devices a bench has and where they are, what they are allowed to
 * take, what the table allows. rig_load() gives a rig that was checked as a whole, so that whoever
 * uses one need not ask again; the caller frees it. A mistake is ERROR_CONFIG with the file, the
 * line, the column, the value and what would be right; a file that cannot be read is ERROR_CONFIG
 * too.
 */
#ifndef RIGS_RIG_RIG_H
#define RIGS_RIG_RIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "devices/gat/key.h"
#include "devices/sensors/sensors.h"
#include "devices/shuffler/shuffler.h"
#include "devices/wire/wire.h"
#include "games/money.h"
#include "hal/base/error.h"
#include "hal/link/link.h"
#include "hal/pins/pins.h"
#include "rigs/rig/fill.h"

#define RIG_SIZE_MAX    (1 << 20) /* bytes of a file */
#define RIG_NAME_MAX    64
#define RIG_OPTIONS_MAX 160
#define RIG_PATH_MAX    1024
#define RIG_CODE_MAX    8
#define RIG_METER_MAX   8
#define RIG_WAGER_MAX   24

enum rig_clock { RIG_CLOCK_VIRTUAL, RIG_CLOCK_REAL };

/* What a run does with the order of a recording. */
enum rig_order {
    RIG_ORDER_LOAD,    /* puts the device into test mode and loads it */
    RIG_ORDER_COMPARE, /* compares it with what was dealt */
    RIG_ORDER_STACK,   /* has people put the deck into it */
};

/* What becomes of the progressive wagers at START ROUND. */
enum rig_wagers {
    RIG_WAGERS_LEFT,      /* they stay on their sensors until the round is over */
    RIG_WAGERS_COLLECTED, /* the dealer puts them into the tray */
};

enum rig_probe { RIG_PROBES_CODES, RIG_LEAVES_CODES };

/* Damage done to what passes a link (hal/link/fault.h); chances are per byte in parts per million.
 */
struct rig_link_fault {
    uint32_t flip, drop, duplicate, delay, split, merge;
    uint32_t delay_ms;
    uint32_t cut_after; /* bytes */
};

/* What a device must say of itself; "" where that is left open. */
struct rig_identity {
    char model[WIRE_TEXT_MAX + 1];
    char serial[WIRE_TEXT_MAX + 1];
    char firmware[WIRE_TEXT_MAX + sizeof ">="]; /* that one, or with ">=" that or a later one */
    char digest[2 * WIRE_DIGEST_SIZE + 1];
};

/* Where a device answers what its software comes to (devices/GAT.md), and what that must be. */
struct rig_authenticate {
    char address[LINK_ADDRESS_MAX];
    char options[RIG_OPTIONS_MAX]; /* "key=value,key=value" */
    char approved[RIG_PATH_MAX];   /* as paytables; "" where nothing is compared */
    char key[2 * GAT_KEY_MAX + 1]; /* "": that of what is approved, or a fresh one */
    char key_hex[GAT_KEY_MAX + 1]; /* likewise */
    struct rig_place place, approved_place;
};

/* What is between the bench and a device: whether bytes come as they were sent. */
enum rig_line { RIG_LINE_BY_ADDRESS, RIG_LINE_SERIAL, RIG_LINE_DIRECT };

/* The lines of a shuffler on pins; "" where it has none. */
struct rig_lines {
    char button[PIN_NAME_MAX];
    char exit[PIN_NAME_MAX];
    char ready[PIN_NAME_MAX];
    char jam[PIN_NAME_MAX];
    char door[PIN_NAME_MAX];
    uint32_t debounce_us;
    uint32_t press_ms;
    enum pin_bias bias;  /* of the inputs */
    unsigned active_low; /* set of enum shuffler_line: bit per line */
};

/* A device and where it is. */
struct rig_device {
    char driver[RIG_NAME_MAX];
    char address[LINK_ADDRESS_MAX];
    char options[RIG_OPTIONS_MAX];     /* of the driver, "key=value,key=value" */
    char fault[RIG_OPTIONS_MAX];       /* defects of an emulated device, joined by ',' */
    char script[RIG_PATH_MAX];         /* of a driver that takes one, as paytables; "" for others */
    struct rig_link_fault *link_fault; /* NULL: none */
    enum rig_line line;
    uint32_t protocol;             /* version of it that is spoken; 0: the highest both know */
    struct rig_identity *identity; /* NULL: it may be any */
    struct rig_authenticate *authenticate; /* NULL: its software is not asked for */
    char cards[LINK_ADDRESS_MAX]; /* who reads them; "" for a driver that has no use for it */
    char map[RIG_PATH_MAX];       /* for that; relative as below; "" for none */
    struct rig_lines lines;       /* shuffler: on pins */
    char code[RIG_CODE_MAX + 1];  /* terminal: of the authorization */
    char admin[RIG_CODE_MAX + 1]; /* terminal: of the administrator */
    enum rig_probe probe_codes;   /* terminal: whether a wrong code is tried */
    unsigned capabilities;        /* of its driver, set of enum device_capability */
    struct rig_place place;       /* of the address, or else of the driver */
    struct rig_place code_place, admin_place;
};

/* The lines of one seat; "" where it has none. */
struct rig_seat {
    uint8_t seat;
    char bet[PIN_NAME_MAX];
    char light[PIN_NAME_MAX];
    char chip[PIN_NAME_MAX];
    char lamp[PIN_NAME_MAX];
};

/* Bet sensors: a unit on a link, or the lines of the seats on pins, which all the rest is about. */
struct rig_sensors {
    struct rig_device device;
    uint32_t debounce_us;
    enum pin_bias bias;  /* of the inputs */
    unsigned active_low; /* set of enum bet_line: bit per line */
    struct rig_seat *seats;
    unsigned seats_count;
};

/* The longest that each may take, in milliseconds. */
struct rig_timing {
    uint32_t reply;   /* a device, to answer a request */
    uint32_t shuffle; /* SHUFFLE to the shuffled deck */
    uint32_t packet;  /* the button, or the packet before, to the packet at the exit */
    uint32_t take;    /* somebody, to take a packet */
    uint32_t card;    /* somebody, to draw a card */
    uint32_t wager;   /* an actuator, to the wager on the sensor */
    uint32_t light;   /* START, CANCEL and END ROUND to the lights */
    uint32_t jackpot; /* a key of the approval to the terminal's next screen */
    uint32_t person;  /* not a limit: so long somebody is waited for who takes, draws or places */
    uint32_t dwell;   /* from PAY JACKPOT to OK, somebody, to pay: so long is waited */
    uint32_t quiet;   /* after the last round: so long is listened to what comes */
};

/* Table limits of a wager in cents; 0 is none. */
#define RIG_LIMIT_TOTAL "total" /* in place of a wager: all stakes of a seat, maximum only */
struct rig_limit {
    char wager[RIG_WAGER_MAX];
    uint32_t minimum;
    uint32_t maximum;
};

struct rig_meter {
    char meter[RIG_METER_MAX + 1];
    micros_t opening;
};

struct rig_must_hit {
    micros_t reset;
    micros_t hit_by;
    int32_t rate; /* basis points */
};

/* How a device that went away is looked for, as link_reopen() has it. */
struct rig_reopen {
    uint32_t first_ms;
    uint32_t longest_ms;
    uint32_t tries;
};

/* Pointers are NULL where the file has no such field. */
struct rig {
    char name[RIG_NAME_MAX];
    enum rig_clock clock;
    uint8_t seats; /* of the table, 1 to 7 */
    uint8_t decks; /* that take turns, 1 or 2 */
    struct rig_devices {
        struct rig_device *shuffler;
        struct rig_device *shoe;
        struct rig_device *terminal;
        struct rig_sensors *sensors;
    } devices;
    enum rig_order order;
    enum rig_wagers wagers;
    struct rig_timing timing; /* complete: what the file leaves out has its default */
    struct rig_limit *limits;
    unsigned limits_count;
    struct rig_meter *meters; /* opening values, for recordings that do not say */
    unsigned meters_count;
    struct rig_must_hit *must_hit; /* likewise */
    struct rig_reopen *reopen;     /* NULL: a device that goes away ends the run */
    char paytables[RIG_PATH_MAX];  /* "" for the sheets' own; relative to the working directory, */
    char capture[RIG_PATH_MAX];    /* though the file says it relative to itself; "" for none */
    char history[RIG_PATH_MAX];    /* a store for journals, or "default"; "" for none */
    struct rig_place paytables_place, capture_place;
    char path[RIG_PATH_MAX]; /* of the file, for sentences */
    char *text;              /* the file as it was read, for its digest */
    size_t text_size;
};

/* `*rig` is NULL after a failure. rig_free() takes NULL. */
int rig_load(struct rig **rig, const char *path, struct error *error);
void rig_free(struct rig *rig);

/* The same from memory; `path` is what sentences call it and what its paths are relative to. */
int rig_parse(struct rig **rig, const char *path, const char *text, size_t size,
              struct error *error);

/*
 * The same of a text that somebody else has sent: no file that it names is opened. ERROR_RIG where
 * it could not be checked without, since it names scripts or maps.
 */
int rig_parse_alone(struct rig **rig, const char *path, const char *text, size_t size,
                    struct error *error);

/*
 * The text of a rig file as it has to be in another one, `to`, which may be in another folder: the
 * files that it reads are named from the root then. `*moved` is the caller's. ERROR_CONFIG where
 * that cannot be done, or makes a path too long.
 */
int rig_move(const char *path, const char *text, const char *to, char **moved, struct error *error);

/* rigs/emulated.tree, which is built in: what runs when no rig is named. */
int rig_default(struct rig **rig, struct error *error);

/* Reads the paytables that the rig names; NULL where it names none. Errors have their place. */
struct paytables;
int rig_paytables(const struct rig *rig, struct paytables **set, struct error *error);

/* Puts the place of a value and what it is of before a sentence about it. */
void rig_place_error(const struct rig *rig, const struct rig_place *place, const char *what,
                     struct error *error);

/* The device of a class; NULL where the rig has none. */
const struct rig_device *rig_device(const struct rig *rig, enum device_class class);

/* Whether people are asked what a device does, or what it deals: somebody must answer. */
bool rig_asks(const struct rig *rig);

/* Whether the cards that the device deals are known, by itself or by who reads them. */
bool rig_knows_cards(enum device_class class, const struct rig_device *device);

/* What tells devices apart, in this order: "model", "serial", "firmware", "digest". */
#define RIG_IDENTITY_FIELDS 4
extern const char *const rig_identity_names[RIG_IDENTITY_FIELDS];

/* What a rig file asks for in a field, "" for nothing; what a device says there, "" for a digest
 * that it does not tell. */
const char *rig_identity_wanted(const struct rig_identity *wanted, unsigned field);
#define RIG_IDENTITY_TEXT (2 * WIRE_DIGEST_SIZE + 1)
const char *rig_identity_text(const struct wire_identity *identity, unsigned field,
                              char text[RIG_IDENTITY_TEXT]);

/* Whether that is what is asked for; all is where nothing is. */
bool rig_identity_fits(const struct rig_identity *wanted, unsigned field,
                       const struct wire_identity *identity);

/* Whether an address names an emulated device. */
bool rig_is_emulated(const char *address);

/*
 * Whether everything that is opened for a rig is emulated: its devices, the ports at which they are
 * asked for their software, who reads their cards. Devices that people work are not.
 */
bool rig_is_all_emulated(const struct rig *rig);

/*
 * The address to open: that of the rig, and where it is emulated the defects and, unless it has
 * one, the seed among its options. ERROR_CONFIG when that becomes too long.
 */
int rig_address(const char *address, const char *fault, uint64_t seed, char text[LINK_ADDRESS_MAX],
                struct error *error);

#endif
