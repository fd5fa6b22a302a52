/* SPDX-License-Identifier: GPL-3.0-or-later */
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

#include "devices/terminal/terminal.h"
#include "games/game.h"
#include "rigs/bench/bench.h"
#include "rigs/checks/book.h"
#include "rigs/journal/journal.h"
#include "rigs/recording/expect.h"
#include "rigs/recording/format.h"
#include "rigs/run/log.h"

struct observation;
struct run_dealer;
struct runner_options;

#define RUN_KEYS_MAX    RECORDING_KEYS_MAX
#define RUN_RETRIES_MAX 3
/* So long a device must have been silent, in milliseconds, before it is trusted again. */
#define RUN_SILENCE 1000

enum run_timing {
    RUN_SHUFFLE,
    RUN_PACKET,
    RUN_CARD,
    RUN_LIGHTS,
    RUN_JACKPOT,
    RUN_TAKE,
    RUN_REPLY,
    RUN_TIMINGS
};

extern const char *const run_timing_names[RUN_TIMINGS];

/* Where bytes stood that mean nothing. */
enum run_leak_place {
    RUN_LEAK_TAIL,   /* behind the end of a message, or in one that does not exist */
    RUN_LEAK_STRAY,  /* in a message that has its own fields and answers nothing */
    RUN_LEAK_VENDOR, /* in one of a vendor, which may hold anything */
    RUN_LEAK_NOISE,  /* in what is no frame */
};

/* Bytes that a device sent where no card belongs, until the deal tells whether they were cards. */
#define RUN_LEAK_BYTES 1024
#define RUN_LEAK_PARTS 24
struct run_leak {
    unsigned used, count;
    struct run_leak_part {
        enum run_leak_place place;
        unsigned start, count; /* in `bytes` */
        unsigned before;       /* cards dealt when it came */
    } parts[RUN_LEAK_PARTS];
    uint8_t bytes[RUN_LEAK_BYTES];
};

/* The last requests' replies and the open request of a conversation, to know what answers what. */
#define RUN_REPLIES 4
struct run_watch {
    uint8_t type, sequence; /* of the request */
    bool is_open;
    nanos_t asked;    /* when it was asked first */
    bool has_replied; /* since a round was judged: also what is asked between rounds is timed */
    nanos_t longest;  /* that a reply has taken since */
    unsigned count;
    struct frame replies[RUN_REPLIES];
};

/* A screen that SCREEN CHANGED must tell. */
struct run_screen {
    struct terminal_screen shows;
    bool is_open; /* it may be left out */
};
/* One a key, and those of codes that are tried besides. */
#define RUN_SCREENS_MAX (RUN_KEYS_MAX + 64)

/* A key that was refused. */
struct run_refusal {
    uint8_t key, reason, state;
};

/* What the terminal has told by itself in this round. */
struct run_told {
    unsigned screens; /* of those due, told or passed over */
    bool has_lights, has_meters;
    uint8_t lights;
    unsigned lights_changed, lights_due; /* how often, and how often that was to be */
    enum terminal_state screen;          /* the last one; 0: none yet */
    struct terminal_meters meters;
    unsigned refused;     /* keys */
    unsigned signs;       /* of those due, as a set */
    unsigned signs_ended; /* times that it shows no award any more */
};

/* What the ledger must have of a jackpot, by the engine; values are 0 where it pays no meter. */
struct run_booking {
    uint8_t hand;
    micros_t before, after; /* of the meter */
};

/* Likewise of a correction. */
struct run_correction {
    uint8_t meter;
    micros_t before, after;
};

/* What a device's log must have since it was read last, followed as it happens. */
struct run_account {
    uint32_t logged; /* entries already read */
    struct run_log due;
    bool is_quiet; /* nothing is under way: what is told is in it, also of a loss of power */
};

/* The shoe, where it deals. */
struct run_shoe {
    bool has_whole_deck; /* nothing was drawn from it */
    bool is_open;        /* it said that it is unlocked, and not yet that it is locked */
    uint8_t stopped;     /* the error that it waits to be cleared of, or 0 */
    bool awaits_deck;    /* an order was loaded, and STAND BY has not come yet */
    bool knows_deck;     /* the number of the deck that is in */
    uint32_t deck;
    bool has_locked;   /* or unlocked it here */
    bool locks_due[2]; /* by what it was told and has not answered with LOCK CHANGED yet */
};

/* The shuffle of a round as the shuffler told it, where it deals. */
struct run_shuffle {
    uint32_t number;
    bool is_told;   /* this round has one */
    bool is_loaded; /* the order of the deck */
};

/* What the terminal has told since CONFIGURE and before a round that an idle one has not. */
struct run_idle {
    uint8_t lights;
    enum terminal_state screen; /* 0: none but idle */
    unsigned refused;           /* keys */
    struct terminal_sign sign;  /* seat 0: none, or what it shows */
};

/* A device that neither deals nor plays, as it was when the recording began. */
struct run_other {
    uint32_t logged; /* entries of its log */
    bool in_test_mode;
};

/* What such a terminal shows. */
struct run_shown {
    struct terminal_meters meters;
    struct terminal_screen screen;
    struct terminal_sign sign;
    uint8_t lights;
};

/* What was read of the terminal's ledger, the last of it: the same when it is read again. */
#define RUN_LEDGER_KEPT 256 /* that a terminal keeps, by the protocol */
struct run_ledger_past {
    uint32_t first, next;                                  /* numbers of these */
    struct terminal_ledger_entry entries[RUN_LEDGER_KEPT]; /* at their numbers modulo that */
};

/* Cards that people or scanners read, in packets; of a shoe one by one. */
struct run_read {
    unsigned asked, first; /* of a stacked deck: those so far, and those of the first round */
    unsigned read, nodded; /* read out, or confirmed as recorded by a nod */
};

/* What holds for one recording, or for the rounds that are observed. */
struct run_recording {
    uint32_t shuffles;   /* number of the last that was told; 0: none was */
    int64_t returned;    /* round whose deck was put back, no shuffle having come since; or 0 */
    uint8_t deck_played; /* of two, by the recording, in the last round that was dealt */
    const struct recording_header *header;
    const struct observation *observation;   /* NULL: a recording is played */
    cents_t stakes[WAGERS_MAX];              /* of each seat that is observed */
    seats_t playing;                         /* and where people are asked, those who did last, */
    cents_t laid[SEATS_MAX + 1][WAGERS_MAX]; /* with these stakes; 0: nobody was asked yet */
    const struct run_dealer *dealer;         /* the device that deals; NULL: none can */
    bool is_first;                           /* no round of it was played yet */
    bool has_asked;                          /* the devices that neither deal nor play */
    int8_t progressive;                      /* the wager that feeds the meters, or NO_WAGER */
    bool has_terminal;               /* there is such a wager, and the bench has a terminal */
    struct terminal_config terminal; /* what the recording asks of the terminal */
    struct meters meters;            /* by the engine, before the round that is played */
    uint64_t meters_within;          /* they were taken over as somebody read them, so exactly */
    bool loads_order;                /* recorded orders are loaded; otherwise they are compared */
    bool stacks_order;               /* they are, once people have put the deck into them */
    unsigned by_hand;                /* set of enum run_timing that were said to be people's */
    struct run_read read;
    bool in_test_mode; /* the dealing device must say that it is in it */
    bool dealer_said;  /* it has announced its test mode */
    struct run_shoe shoe;
    bool terminal_test_mode; /* the terminal was put into it */
    bool terminal_said;      /* and has announced it */
    struct run_account dealer_log, sensors_log;
    bool sensors_begun;      /* their log is followed */
    unsigned sensors_strays; /* changes of test mode by themselves, up to now */
    uint32_t award_number;   /* of the last award that the terminal told */
    uint32_t rounds_started; /* by its STATUS, and those since */
    bool is_counted;         /* both are known */
    bool has_start;          /* the terminal's log begins with how it was set up */
    bool was_configured, was_put_into_test_mode;
    uint32_t ledger_next;               /* the number that its next entry must have */
    bool is_ledger_known;               /* all of it; otherwise as far as the log tells */
    bool has_booked;                    /* an entry of it was read */
    struct terminal_sign sign;          /* that it has shown last */
    struct terminal_sign sign_left;     /* that it shows since the last round ended, */
    bool is_sign_left;                  /* where that is known */
    bool is_sign_out;                   /* SIGN CHANGED has told so since an award */
    bool has_told_meters;               /* METERS CHANGED came after CONFIGURE, */
    struct terminal_meters told_meters; /* with these */
    struct run_idle idle;
    struct run_other others[DEVICE_CLASSES];
    struct run_shown shown;
    bool was_probed;          /* with wrong codes, or it was said why not */
    uint32_t terminal_logged; /* entries of its log already read */
    /* As the terminal called Must Hit first. */
    char must_hit_name[TERMINAL_METER_NAME_MAX + 1];
};

/* What holds for one round; all of it is cleared when a round begins. */
struct run_round {
    struct recording_round recorded;
    struct check_tally tally; /* of the book */
    bool has_keys;            /* those pressed were recorded */
    unsigned key_count;
    struct terminal_press keys[RUN_KEYS_MAX];
    seats_t paid;                 /* seats with a progressive wager */
    seats_t laid;                 /* seats where one lies at START ROUND: those, or as recorded */
    seats_t wagered;              /* seats where one has lain */
    bool is_laid;                 /* they lie there, as far as somebody has put them there */
    seats_t held;                 /* seats whose actuator holds a wager */
    bool is_collected;            /* START ROUND was pressed, and they went into the tray */
    struct settlement settlement; /* of the recording, before the meters */
    struct round dealt;           /* the same round with the cards that the device dealt */
    const char *witness;          /* who has read those cards; NULL: the device tells them */
    uint64_t unknown;             /* packets, as a set, whose cards nobody knows: as recorded */
    uint8_t deck;                 /* of two, whose turn it is; 0: there is one */
    bool has_passed_deck;         /* another one was shuffled before and left out */
    uint8_t backs[DECK_SIZE];     /* the deck that each card dealt is of; 0: nobody says it */
    struct run_shuffle shuffle;
    bool has_loaded;                    /* the order of the deck, into a shoe */
    bool is_settled;                    /* what was dealt could be settled */
    struct settlement outcome;          /* of what was dealt */
    size_t line_length;                 /* of the outcome, in run->line */
    struct meters after;                /* by the engine, from what was dealt */
    struct meters live;                 /* by the engine, as this round has left them so far */
    bool was_ended;                     /* END ROUND was pressed, */
    struct meters at_end;               /* when they stood so */
    struct meters stood;                /* by the engine, when they were compared last */
    const struct meters *meters_due;    /* that METERS CHANGED must tell next */
    struct award awards[SEATS_MAX + 1]; /* that the terminal has told */
    uint8_t award_hands[SEATS_MAX + 1]; /* of each of them */
    unsigned award_count;
    unsigned awards_before;                     /* told before the key that pays */
    nanos_t key_took;                           /* that was pressed last, to its answer */
    unsigned awards_due, awards_awaited;        /* in all; those told until it may go on */
    struct run_booking booking;                 /* of the jackpot that is being paid */
    struct run_booking bookings[SEATS_MAX + 1]; /* of the first awards */
    unsigned booking_count;
    struct run_correction corrections[CORRECTIONS_MAX]; /* that the ledger must have */
    unsigned correction_count;
    struct run_told told;
    struct run_log log;        /* of the terminal */
    struct terminal_sign sign; /* what it must show; seat 0: nothing */
    unsigned sign_count;       /* that were due */
    struct terminal_sign signs[SEATS_MAX + 1];
    unsigned signs_ended; /* by OK */
    bool is_ending;       /* END ROUND is being pressed */
    unsigned refused;     /* keys */
    struct run_refusal refusals[RUN_KEYS_MAX];
    unsigned screen_count;
    struct run_screen screens[RUN_SCREENS_MAX]; /* that are due, in this order */
    unsigned wrong_codes;                       /* in this approval */
    unsigned code_entries;                      /* that the log may have of wrong codes besides */
    enum terminal_state state;                  /* that the terminal must be in */
    unsigned approving;                         /* the last seat that a key must have led to */
    unsigned hand;                              /* and the hand */
    seats_t won;                                /* seats that were paid */
    seats_t sensed;                             /* seats where the terminal was told of a wager */
    seats_t locked;                             /* seats that the sensors were told to lock */
    struct run_leak leak;
    bool is_flagged;      /* a frame came that must say whether it is of test mode */
    bool silent;          /* something was dealt in test mode without saying so */
    unsigned modes_again; /* events of test mode that tell what was told before */
    bool device_failed;   /* a device has failed and was recovered; `why` says how */
    bool shoe_restarted;  /* it has said so in this round */
    char why[ERROR_TEXT_SIZE];
    nanos_t took[RUN_TIMINGS]; /* the longest of each kind; 0: not measured */
    nanos_t limit[RUN_TIMINGS];
    unsigned by_hand; /* set of those that people have taken */
    nanos_t told_at; /* when the shuffler has told something last, or its button was pressed: it may
                        have done more before that is heard */
};

/* What a terminal that was found has shown of its reseeds and rates. */
#define RUN_FOUND_MAX 64
struct run_found {
    bool was_looked_at, was_judged;
    bool is_counted;            /* STATUS was asked before it was configured, and after that */
    enum terminal_state screen; /* by SCREEN, as it was found */
    struct terminal_status before, after;
    unsigned count;
    struct run_finding {
        const char *meter;
        int64_t due, found;
        const char *why;
    } finding[RUN_FOUND_MAX];
    bool tells_config; /* it tells its configuration, and that is of this game: */
    struct run_finding config;
};

/* Who hears what a device says beside its class. */
struct run_notes {
    struct run *run;
    const char *device;
    uint64_t jumps; /* of its wall clock that were told */
};

/* Its own members hold as long as the runner does. */
struct run {
    struct bench *bench;
    struct check_book *book;
    struct journal *journal; /* NULL: none is written */
    const struct runner_options *options;
    bool entered[DEVICE_CLASSES];    /* put into test mode here, to be taken out of it at the end */
    bool is_code_known;              /* the terminal has accepted the code of the rig file */
    uint8_t deck_last;               /* of two, that was shuffled last; 0: it is not known */
    uint8_t deck_moving;             /* that is being shuffled */
    bool is_deck_known;              /* somebody has told which deck was in at first, */
    bool is_deck_swapped;            /* and it was the other one than the recording says */
    const struct device *watched;    /* the dealing device, where its frames can be seen */
    struct run_watch watch;          /* of the dealing device */
    struct run_watch terminal_watch; /* of the terminal, for its replies' time alone */
    /* The previous observer of the terminal's frames, chained. */
    void (*terminal_seen)(void *context, bool from_device, const struct frame *frame, nanos_t time);
    void *terminal_context;
    char line[EXPECT_LINE_SIZE]; /* scratch: the outcome, as the .expect has it */
    struct run_found found;
    struct run_finding configured; /* by CONFIGURATION, after CONFIGURE; no `why`: none was asked */
    unsigned stale, replayed;      /* of the terminal, when last looked at */
    struct run_notes notes[DEVICE_CLASSES];
    struct run_log_past pasts[DEVICE_CLASSES]; /* of their logs, also of earlier recordings */
    struct run_ledger_past ledger_past;        /* likewise */
    unsigned
        most_wrong_codes; /* that the terminal was found with, or had entered in any approval */
    bool is_screen_known; /* it was asked what it was found with */
    struct run_recording recording;
    struct run_round round;
};

/*
 * Keeps the longest of a kind and checks it against the rig's limit in milliseconds. What people
 * have taken, who do the device's work, is kept and not checked.
 */
void run_time(struct run *run, enum run_timing timing, nanos_t took, uint32_t limit);

/* Whether people take that time in place of the device. */
bool run_is_by_hand(const struct run *run, enum run_timing timing);

/* Writes what a device said to the journal; `details` is JSON, or NULL. */
void run_event(struct run *run, const char *device, const char *name, const char *details,
               nanos_t time);

/* Cards as the JSON text that files have, "As Td"; the text. */
#define RUN_CARDS_TEXT (3 * DECK_SIZE + 3)
const char *run_cards_text(const card_t *cards, unsigned count, char text[RUN_CARDS_TEXT]);

/* Tells the people at the table what to do, where there are any: time is not virtual. */
void run_ask(const struct run *run, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * A device or a person is waited for from here on, where time is not virtual; and no more. 0
 * milliseconds: as long as it takes.
 */
void run_wait_begin(struct run *run, const char *what, const char *device, uint64_t limit_ms);
void run_wait_end(const struct run *run);

/* Tells of the last packet that was dealt, where time is not virtual. */
void run_tell_dealt(const struct run *run);

/* Notes a failure that was mended by trying again. */
void run_retry(struct run *run, const char *device, const char *what, unsigned attempt,
               const char *why);

/* The scribe of the bench's desk: puts a question, or what came of it, into the run's journal. */
int run_enter_question(void *context, const struct desk_open *question, const struct answer *answer,
                       struct error *error);

/* What there is to prove checks with, as a set of enum check_need. */
unsigned run_capabilities(const struct run *run);

/* The seats with a progressive wager. */
void run_find_paid(struct run *run);

/* How the cards came, against the deal program and the recording. */
void run_compare_deal(struct run *run);
/* The same of a deal that a device did not end: what has come of it. */
void run_compare_begun(struct run *run);
/* The same where there is no recording. */
void run_check_deal(struct run *run);
bool run_dealt_as_recorded(const struct run *run);
/* Also of a deal that did not come to its end. */
void run_check_leak(struct run *run);
/* Whether the cards are all of one deck, and that is the one whose turn it is. */
void run_check_decks(struct run *run);
/* What the engine makes of them, against the expected line; NULL: there is none. */
int run_compare_outcome(struct run *run, const char *expected, size_t length, struct error *error);
/* Nothing was expected of the cards that were dealt. */
void run_skip_outcome(struct run *run);
/* Settles what was dealt, with the meters. */
void run_settle(struct run *run);
/* Writes the settlement to the journal. */
void run_enter_settlement(struct run *run);

/* Sees a frame of the dealing device, for its host: bytes that mean nothing there may be cards. */
void run_watch_frame(void *run, bool from_device, const struct frame *frame, nanos_t time);
/* Likewise what came and was no frame. */
void run_watch_dropped(void *run, const uint8_t *bytes, size_t count, nanos_t time);
/* Times the replies of the terminal from now on; the previous observer of its frames is chained. */
void run_watch_terminal(struct run *run);
/* The longest that a device has taken to reply in this round. */
void run_check_replies(struct run *run);
/* Puts wagers on the sensors and says where they see one; all is well without sensors. */
int run_sensors_place(struct run *run, seats_t *sensed, struct error *error);
/* After START ROUND, where the rig says so: no wager is left on a sensor, as the terminal is told.
 */
int run_sensors_collect(struct run *run, struct error *error);
/* Lamps as the terminal has its lights; the first locks the wagers, none unlocks them. */
int run_sensors_light(struct run *run, seats_t lit, struct error *error);
/* Takes the wagers back. */
int run_sensors_clear(struct run *run, struct error *error);
/* Dark and empty, whatever was before. */
int run_sensors_recover(struct run *run, struct error *error);

/* Takes what the sensors have to say. */
int run_sensors_hear(struct run *run, struct error *error);
/* What their log has since it was read last, if it is followed. */
int run_sensors_check_log(struct run *run, struct error *error);
/* Seats where only people place wagers and a sensor sees them. */
seats_t run_seats_of_people(const struct run *run);

/* Sets the terminal up for the recording. */
int run_terminal_start(struct run *run, struct error *error);
/* Out of test mode again, likewise. */
int run_terminal_end(struct run *run, struct error *error);
/* START ROUND with its lights, before the deal. */
int run_terminal_open(struct run *run, struct error *error);
/* Takes what the terminal has said; waits until it has told so many awards of this round. */
int run_terminal_listen(struct run *run, unsigned awards, struct error *error);
/* Settles an observed round that has ended: by now it shows whether there was an award. */
int run_must_hit_settle(struct run *run, unsigned before, struct error *error);
/* Leaves out what the terminal's log holds up to now. */
int run_terminal_skip_log(struct run *run, struct error *error);
/* Jackpots, END ROUND, Must Hit, meters: by the recorded keys, or the regular way. */
int run_terminal_close(struct run *run, struct error *error);
/* From wherever it is to an idle terminal with the meters of the recording. */
int run_terminal_recover(struct run *run, struct error *error);

#endif
