/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A dealer terminal with its progressive controller and table sign, seen from the host.
 * terminal_open() starts a conversation over a link, which stays the caller's and must outlive the
 * terminal; the backend of the link does not matter. Everything that the device says is checked:
 * what contradicts the protocol is ERROR_DEVICE with a sentence that names the address, the message
 * and the value, and the conversation may go on after it.
 *
 * What is well formed but breaks a rule of the game is left to the caller: an amount that is shown
 * too early, a meter with a wrong value, a light that stays dark.
 *
 * A terminal that does not tell its status tells nothing by itself: its screen, sign, lights and
 * meters are what somebody reads off it, a key is accepted or refused for a reason that is not
 * said, and there are no events.
 */
#ifndef DEVICES_TERMINAL_TERMINAL_H
#define DEVICES_TERMINAL_TERMINAL_H

#include "devices/device.h"
#include "devices/telling.h"
#include "devices/terminal/config.h"

#define TERMINAL_CODE_MIN   4 /* digits of an authorization or administrator code */
#define TERMINAL_CODE_MAX   8
#define TERMINAL_CODE_TRIES 3
#define TERMINAL_REASON_MAX 48 /* characters of the reason of a correction */

/* What the terminal waits for. */
enum terminal_state {
    TERMINAL_IDLE = 1,   /* START ROUND */
    TERMINAL_OPEN,       /* a seat, or the end of the round */
    TERMINAL_CHOOSE,     /* the hand of the seat, or None: the first way out */
    TERMINAL_PENDING,    /* PENDING JACKPOT */
    TERMINAL_CONFIRM,    /* PAY JACKPOT, or CANCEL JACKPOT: the second way out */
    TERMINAL_CODE_ENTRY, /* the authorization code, or ESC: the third way out */
    TERMINAL_AMOUNT,     /* PAY JACKPOT, "pay the agreed sum" */
    TERMINAL_SIGNED,     /* OK, once the player has been paid what the sign shows */
    TERMINAL_STATES,
};

enum terminal_key {
    TERMINAL_START_ROUND = 1,
    TERMINAL_CANCEL_ROUND,
    TERMINAL_END_ROUND,
    TERMINAL_SEAT, /* with its number */
    TERMINAL_HAND, /* with its number */
    TERMINAL_NO_HAND,
    TERMINAL_PENDING_JACKPOT,
    TERMINAL_PAY_JACKPOT,
    TERMINAL_CANCEL_JACKPOT,
    TERMINAL_CODE, /* with its digits */
    TERMINAL_ESC,
    TERMINAL_OK,
    TERMINAL_KEYS,
    TERMINAL_WRONG_ADMIN = TERMINAL_KEYS, /* no key: an administrator's request with a wrong code */
    TERMINAL_WAGERS,                      /* no key: other wagers lie on the sensors */
    TERMINAL_CORRECT_METER,               /* no key: an administrator sets a meter */
};

/* Why a key was refused. */
enum terminal_refusal {
    TERMINAL_WRONG_STATE = 1,
    TERMINAL_NO_WAGERS,    /* START ROUND without any */
    TERMINAL_NO_WAGER,     /* the seat has none in this round */
    TERMINAL_SEAT_PAID,    /* the seat's wager has won already */
    TERMINAL_UNKNOWN_HAND, /* not in the list of hands */
    TERMINAL_WRONG_CODE,   /* once or twice: try again */
    TERMINAL_CODE_LOCKED,  /* wrong for the third time: the jackpot is not awarded */
    TERMINAL_ROUND_PAID,   /* a round that has paid a jackpot can only be ended */
    TERMINAL_REFUSALS,
};

/* One key as it is pressed. */
struct terminal_press {
    enum terminal_key key;
    uint8_t seat;                     /* of TERMINAL_SEAT */
    uint8_t hand;                     /* of TERMINAL_HAND */
    uint8_t seats;                    /* of TERMINAL_WAGERS */
    uint8_t meter;                    /* of TERMINAL_CORRECT_METER */
    uint64_t micros;                  /* likewise */
    bool is_wrong;                    /* TERMINAL_CODE: to be refused */
    char code[TERMINAL_CODE_MAX + 1]; /* of TERMINAL_CODE: digits */
};

struct terminal_screen {
    enum terminal_state state;
    uint8_t seat;        /* whose jackpot is being approved, or 0 */
    uint8_t hand;        /* that was chosen, or TERMINAL_NONE */
    uint8_t wrong_codes; /* entered so far */
    bool amount_shown;
    uint64_t cents;
};

struct terminal_meter {
    char name[TERMINAL_METER_NAME_MAX + 1];
    uint64_t micros;
    uint64_t within; /* it was read to the nearest so many; 0: exactly */
};

struct terminal_meters {
    uint8_t count;
    uint8_t must_hit; /* index, or TERMINAL_NONE */
    struct terminal_meter meter[TERMINAL_METERS_MAX];
};

struct terminal_sign {
    uint8_t seat;  /* 0: the sign shows no award */
    uint8_t meter; /* TERMINAL_NONE: a fixed amount */
    uint64_t cents;
};

/* An award, in the order of awards. */
struct terminal_award {
    uint32_t number; /* counts from 1 since the device was made */
    uint8_t seat;
    uint8_t hand;  /* TERMINAL_NONE: Must Hit */
    uint8_t meter; /* TERMINAL_NONE: a fixed amount */
    uint64_t cents;
};

struct terminal_status {
    enum terminal_state state;
    bool test_mode;
    uint8_t locked; /* set of seats with a wager in this round */
    uint8_t paid;   /* those among them that have won */
    uint32_t rounds, awards;
};

enum terminal_event_kind {
    TERMINAL_EVENT_SCREEN,
    TERMINAL_EVENT_LIGHTS,
    TERMINAL_EVENT_METERS,
    TERMINAL_EVENT_JACKPOT,
    TERMINAL_EVENT_MUST_HIT,
    TERMINAL_EVENT_SIGN,
    TERMINAL_EVENT_REFUSED,
    TERMINAL_EVENT_POWER_UP,
    TERMINAL_EVENT_TEST_MODE,
};

struct terminal_event {
    enum terminal_event_kind kind;
    nanos_t time; /* at which it came, by the clock of the link */
    union {
        struct terminal_screen screen; /* also of POWER_UP */
        uint8_t lights;
        struct terminal_meters meters;
        struct terminal_award award; /* of JACKPOT and MUST_HIT */
        struct terminal_sign sign;
        struct {
            enum terminal_key key;
            enum terminal_refusal reason;
            enum terminal_state state;
        } refused;
        bool test_mode;
    };
};

/*
 * What an entry of device_log() says; those about money name an entry of the ledger. A driver whose
 * protocol has other codes translates.
 */
enum terminal_log_code {
    TERMINAL_LOG_POWER_UP = 1,
    TERMINAL_LOG_CONFIGURED,
    TERMINAL_LOG_ROUND_STARTED,
    TERMINAL_LOG_ROUND_CANCELLED,
    TERMINAL_LOG_ROUND_ENDED,
    TERMINAL_LOG_HAND_CHOSEN,
    TERMINAL_LOG_HAND_UNDONE,
    TERMINAL_LOG_JACKPOT_CANCELLED,
    TERMINAL_LOG_CODE_ESCAPED,
    TERMINAL_LOG_CODE_WRONG,
    TERMINAL_LOG_CODE_LOCKED,
    TERMINAL_LOG_AUTHORIZED,
    TERMINAL_LOG_JACKPOT_PAID,
    TERMINAL_LOG_MUST_HIT_PAID,
    TERMINAL_LOG_CORRECTED,
    TERMINAL_LOG_KEY_REFUSED,
    TERMINAL_LOG_ADMINISTRATOR_REFUSED,
    TERMINAL_LOG_TEST_MODE,
    TERMINAL_LOG_MUST_HIT_LOADED,
    TERMINAL_LOG_CODES,
};

/* What money has moved, and why. */
struct terminal_ledger_entry {
    uint32_t number;
    uint64_t millis;
    uint8_t code; /* TERMINAL_LOG_JACKPOT_PAID, …_MUST_HIT_PAID or …_CORRECTED */
    uint8_t seat; /* 0 in a correction */
    uint8_t hand;
    uint8_t meter;
    uint64_t cents;         /* paid */
    uint64_t before, after; /* of the meter */
    char reason[TERMINAL_REASON_MAX + 1];
};

/* What terminal_approve() saw on its way. */
struct terminal_approval {
    uint64_t cents;        /* as the terminal showed it after the code */
    bool early;            /* it was shown before the code was entered */
    bool misstated;        /* a reply to a key had another state than the screen */
    bool pretended;        /* a key was refused for the state and did its work all the same */
    uint64_t cents_signed; /* on the screen while the sign shows it */
    uint8_t wrong_codes;   /* on the screen when the code was to be entered */
    bool has_probed;       /* a wrong code was entered, */
    uint8_t refusal;       /* and refused for that */
    struct terminal_sign sign;
    nanos_t longest; /* from a key to the screen after it */
};

struct terminal;

/*
 * One protocol, beside what any driver has. Slots are the requests below of the same name, and none
 * is NULL but those that say so; one that the device refuses says so by device_refuse().
 */
struct terminal_driver {
    struct device_driver device;
    int (*key)(struct terminal *terminal, const struct terminal_press *press, struct error *error);
    /* NULL: one by one. */
    int (*keys)(struct terminal *terminal, const struct terminal_press *presses, unsigned count,
                struct error *error);
    /* NULL: it knows by itself what it is set up for. */
    int (*expect)(struct terminal *terminal, const struct terminal_config *config,
                  struct error *error);
    /* NULL unless it tells its status. */
    int (*status)(struct terminal *terminal, struct terminal_status *status, struct error *error);
    /* NULL: it has sensors of its own, or people put wagers where it sees them. */
    int (*sensors)(struct terminal *terminal, unsigned seats, struct error *error);
    int (*meters)(struct terminal *terminal, struct terminal_meters *meters, struct error *error);
    int (*screen)(struct terminal *terminal, struct terminal_screen *screen, struct error *error);
    int (*sign)(struct terminal *terminal, struct terminal_sign *sign, struct error *error);
    int (*lights)(struct terminal *terminal, uint8_t *seats, struct error *error);
    int (*configure)(struct terminal *terminal, const char *admin,
                     const struct terminal_config *config, struct error *error);
    int (*correct)(struct terminal *terminal, const char *admin, unsigned meter, uint64_t micros,
                   const char *reason, struct error *error);
    /* NULL unless it tells its configuration. */
    int (*configuration)(struct terminal *terminal, struct terminal_config *config,
                         struct error *error);
    /* NULL unless it has a test mode, both; NULL unless it keeps a log. */
    int (*test_mode)(struct terminal *terminal, bool on, struct error *error);
    int (*load_must_hit)(struct terminal *terminal, unsigned seat, struct error *error);
    int (*ledger)(struct terminal *terminal, uint32_t number, struct terminal_ledger_entry *entry,
                  struct error *error);
    int (*next)(struct terminal *terminal, struct terminal_event *event, nanos_t deadline,
                struct error *error);
};

/* First member of every concrete terminal. */
struct terminal {
    struct device device;
    enum terminal_state answered; /* the state in the reply to the last key */
    unsigned repeated;            /* awards told again, unlike a loss of power explains it */
    unsigned stale;               /* challenges that came twice */
    unsigned replayed;            /* proofs of a code that were not refused a second time */
};

/*
 * Opens a conversation; "open" is the driver of the open wire protocol. ERROR_CONFIG for a driver
 * that does not exist. `*terminal` is NULL after a failure. terminal_close() takes NULL.
 */
int terminal_open(struct terminal **terminal, const char *driver, struct link *link,
                  struct error *error);
void terminal_close(struct terminal *terminal);

/*
 * Presses a key. Returns 0, or the positive enum terminal_refusal with its sentence in `error`, or
 * a negative error. A device that lost its power after the key had done its work refuses the
 * repeated request with TERMINAL_WRONG_STATE, since no key is possible twice in a row: the screen
 * tells.
 */
int terminal_key(struct terminal *terminal, const struct terminal_press *press,
                 struct error *error);

/* Keys one after the other, up to one that is refused; returns as terminal_key() does. */
int terminal_keys(struct terminal *terminal, const struct terminal_press *presses, unsigned count,
                  struct error *error);

/* What it is set up for, by terminal_configure() or by whoever did before. */
int terminal_expect(struct terminal *terminal, const struct terminal_config *config,
                    struct error *error);

/*
 * The regular way of a jackpot from an open round back to it: seat, hand, PENDING JACKPOT, PAY
 * JACKPOT, code, PAY JACKPOT, OK. Returns as terminal_key() does; a refusal leaves the terminal
 * where the refused key left it. Goes on by itself when the device loses its power on the way.
 */
int terminal_approve(struct terminal *terminal, unsigned seat, unsigned hand, const char *code,
                     struct terminal_approval *approval, struct error *error);

/* Digits that are not those: another last one. */
void terminal_wrong_code(const char *code, char wrong[TERMINAL_CODE_MAX + 1]);

/* The same with a wrong code first, which must be refused; `approval->refusal` says why it was. */
int terminal_approve_probing(struct terminal *terminal, unsigned seat, unsigned hand,
                             const char *code, struct terminal_approval *approval,
                             struct error *error);

/*
 * Requests. ERROR_DEVICE with device_refusal() not 0 (an enum wire_refusal): the device refused
 * and nothing has changed. Sets of seats have bit n for seat n.
 */
int terminal_status(struct terminal *terminal, struct terminal_status *status, struct error *error);
int terminal_sensors(struct terminal *terminal, unsigned seats, struct error *error);
int terminal_meters(struct terminal *terminal, struct terminal_meters *meters, struct error *error);
int terminal_screen(struct terminal *terminal, struct terminal_screen *screen, struct error *error);
int terminal_sign(struct terminal *terminal, struct terminal_sign *sign, struct error *error);
int terminal_lights(struct terminal *terminal, uint8_t *seats, struct error *error);

/* For an administrator, between rounds. ERROR_CONFIG for what terminal_config_check() refuses. */
int terminal_configure(struct terminal *terminal, const char *admin,
                       const struct terminal_config *config, struct error *error);

/* What it was configured for; the names of hands are NULL. */
int terminal_configuration(struct terminal *terminal, struct terminal_config *config,
                           struct error *error);

/*
 * For an administrator: puts a meter to a value, for a stated reason. Not during an approval. The
 * number after the last that any terminal has is taken as well, to be refused: REFUSED_VALUE where
 * the code is right.
 */
int terminal_correct(struct terminal *terminal, const char *admin, unsigned meter, uint64_t micros,
                     const char *reason, struct error *error);

/*
 * Test mode, which the device announces, and what it allows: the next END ROUND pays Must Hit to
 * that seat (0: to nobody) if the rules let it, instead of drawing.
 */
int terminal_test_mode(struct terminal *terminal, bool on, struct error *error);
int terminal_load_must_hit(struct terminal *terminal, unsigned seat, struct error *error);

/* One entry of the ledger: refused with REFUSED_VALUE where the device has none of that number. */
int terminal_ledger(struct terminal *terminal, uint32_t number, struct terminal_ledger_entry *entry,
                    struct error *error);

/*
 * The next event: 1, or 0 when none came before the deadline, or an error. Events must be taken: a
 * device with a full queue refuses keys with REFUSED_BUSY. Each award is handed out once.
 */
int terminal_next(struct terminal *terminal, struct terminal_event *event, nanos_t deadline,
                  struct error *error);

/*
 * An event as the journal has it: its name, and its details as JSON. The configuration gives the
 * names of hands and meters.
 */
void terminal_describe(const struct terminal_event *event, const struct terminal_config *config,
                       struct telling *telling);

/*
 * Keys as recordings write them: start-round, cancel-round, end-round, seat-1 … seat-7, hand:NAME,
 * none, pending-jackpot, pay-jackpot, cancel-jackpot, code, wrong-code, esc, ok, unknown-hand; and
 * wrong-admin, which is no key. The configuration gives the names of hands; "hand" alone leaves it
 * to the caller. The digits of a code are never part of its name: the caller puts them into the
 * press. ERROR_CONFIG for another text.
 */
int terminal_key_parse(const char *text, const struct terminal_config *config,
                       struct terminal_press *press, struct error *error);

/* The text is in the given buffer where it has to be made. */
#define TERMINAL_KEY_TEXT 64
const char *terminal_key_name(const struct terminal_press *press,
                              const struct terminal_config *config, char text[TERMINAL_KEY_TEXT]);

/* "the round is open", "the seat has no wager in this round": for sentences and reports. */
const char *terminal_state_text(unsigned state);
const char *terminal_refusal_text(unsigned reason);

/* The key that leads out of a state without paying, where there is one. */
enum terminal_key terminal_way_out(enum terminal_state state);

#endif
