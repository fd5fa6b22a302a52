/*
 * One round on its way through a bench, for the files of the runner only: the deal, the terminal
 * and the comparison each do their part on it and enter what they find into the book. Functions
 * return 0 when the round can go on, whatever they found; a negative code means that a device or
 * the bench failed, and the round is over.
 */
#ifndef RIGS_RUN_ROUND_H
#define RIGS_RUN_ROUND_H

#include <stdbool.h>
#include <stdint.h>

#include "devices/terminal.h"
#include "games/game.h"
#include "rigs/bench.h"
#include "rigs/check.h"
#include "rigs/expect.h"
#include "rigs/journal.h"
#include "rigs/shoe.h"

#define RUN_KEYS_MAX    64
#define RUN_RETRIES_MAX 3

enum run_timing { RUN_SHUFFLE, RUN_PACKET, RUN_CARD, RUN_LIGHTS, RUN_JACKPOT, RUN_TIMINGS };

extern const char *const run_timing_names[RUN_TIMINGS];

/* Card bytes that a device sent where no card belongs, until the deal tells whose they are. */
struct run_leak {
    uint8_t bytes[DECK_SIZE];
    unsigned count;
    unsigned before; /* cards dealt when the first of them came */
};

struct run {
    struct bench *bench;
    struct check_book *book;
    const struct shoe_header *header;
    struct terminal_config terminal; /* what the recording asks of the terminal */
    bool has_terminal;               /* the game has a progressive wager, the bench a terminal */
    bool in_test_mode;               /* the dealing device was put into it */
    bool shuffler_said, shoe_said;   /* each has announced its test mode */
    int8_t progressive;              /* the wager that feeds the meters, or NO_WAGER */

    uint32_t shuffler_logged, terminal_logged; /* entries of their logs that were looked at */

    struct meters meters; /* by the engine, from the recording */
    struct shoe_round recorded;
    bool has_keys; /* those pressed were recorded */
    unsigned key_count;
    struct terminal_press keys[RUN_KEYS_MAX];
    seats_t paid;                       /* seats with a progressive wager */
    struct settlement settlement;       /* of the recording, before the meters */
    struct round dealt;                 /* the same round with the cards that the device dealt */
    bool is_settled;                    /* what was dealt could be settled */
    struct settlement outcome;          /* of what was dealt */
    struct meters after;                /* by the engine, from what was dealt */
    struct award awards[SEATS_MAX + 1]; /* that the terminal has told in this round */
    unsigned award_count;
    unsigned refused;          /* keys of this round */
    enum terminal_state state; /* that the terminal must be in */
    unsigned approving;        /* the seat that was pressed last */
    seats_t won;               /* seats that were paid in this round */
    struct run_leak leak;
    bool silent;        /* something was dealt in test mode without saying so */
    bool device_failed; /* and was brought round again */
    char why[ERROR_TEXT_SIZE];
    char line[EXPECT_LINE_SIZE]; /* the outcome, as the .expect has it */
    size_t line_length;
    nanos_t took[RUN_TIMINGS]; /* the longest of this round; 0: not measured */
    nanos_t limit[RUN_TIMINGS];
};

/* Keeps the longest of a kind and checks it against the rig's limit in milliseconds. */
void run_time(struct run *run, enum run_timing timing, nanos_t took, uint32_t limit);

/* Writes what a device said to the journal; `details` is JSON, or NULL. */
void run_event(struct run *run, const char *device, const char *name, const char *details,
               nanos_t time);

/* Cards as the JSON text that files have, "As Td"; the text. */
#define RUN_CARDS_TEXT (3 * DECK_SIZE + 3)
const char *run_cards_text(const card_t *cards, unsigned count, char text[RUN_CARDS_TEXT]);

/* Notes a failure that was mended by trying again. */
void run_retry(struct run *run, const char *device, const char *what, unsigned attempt,
               const char *why);

/* Whether the bench has a device that deals as the recording does. */
bool run_can_deal(const struct run *run);
/* The dealing device, before the first round of a recording. */
int run_deal_start(struct run *run, struct error *error);
/* Deals the round into run->dealt and checks how. */
int run_deal(struct run *run, struct error *error);
/* Brings the dealing device back to where a round begins. */
int run_deal_recover(struct run *run, struct error *error);

/* How the cards came, against the deal program and the recording. */
void run_compare_deal(struct run *run);
/* Also of a deal that did not come to its end. */
void run_check_leak(struct run *run);
/* What the engine makes of them, against the expected line; NULL: there is none. */
int run_compare_outcome(struct run *run, const char *expected, size_t length, struct error *error);
/* Settles what was dealt, with the meters. */
void run_settle(struct run *run);

/* The logs of the round that was just dealt, and of the terminal's that was just closed. */
int run_log_deal(struct run *run, struct error *error);
int run_log_terminal(struct run *run, struct error *error);
/* Leaves out what the logs hold up to now. */
int run_log_skip(struct run *run, struct error *error);

/* Puts wagers on the sensors and says where they see one; all is well without sensors. */
int run_sensors_place(struct run *run, seats_t *sensed, struct error *error);
/* Lamps as the terminal has its lights; the first locks the wagers, none unlocks them. */
int run_sensors_light(struct run *run, seats_t lit, struct error *error);
/* Takes the wagers back. */
int run_sensors_clear(struct run *run, struct error *error);
/* Dark and empty, whatever was before. */
int run_sensors_recover(struct run *run, struct error *error);

/* Sets the terminal up for the recording. */
int run_terminal_start(struct run *run, struct error *error);
/* START ROUND with its lights, before the deal. */
int run_terminal_open(struct run *run, struct error *error);
/* Jackpots, END ROUND, Must Hit, meters: by the recorded keys, or the regular way. */
int run_terminal_close(struct run *run, struct error *error);
/* From wherever it is to an idle terminal with the meters of the recording. */
int run_terminal_recover(struct run *run, struct error *error);

#endif
