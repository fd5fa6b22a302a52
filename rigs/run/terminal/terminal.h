/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The terminal's part of a round from inside, for its own files only: what it tells by itself
 * (told.c), keys and where they lead (keys.c), awards with their sign (awards.c), the log and the
 * ledger (ledger.c). Functions that return int do so as those of
 * rigs/run/round.h.
 */
#ifndef RIGS_RUN_TERMINAL_TERMINAL_H
#define RIGS_RUN_TERMINAL_TERMINAL_H

#include "rigs/run/round.h"

/* Whether it tells by itself what it does; otherwise somebody reads it off, and nothing comes. */
bool run_terminal_tells(const struct run *run);

/* Takes what the terminal has said; with `met`, waits until it is, as long as the rig allows. */
typedef bool run_met(const struct run *run);
int run_listen(struct run *run, run_met *met, uint32_t limit, struct error *error);

/*
 * Lit from START ROUND on where a wager is locked: by the reply, by the lamps, and, when a key of
 * that time has changed them, by the event.
 */
int run_check_lights(struct run *run, nanos_t since, bool changed, const char *why,
                     struct error *error);

/* They are as the round has them, or dark outside one, when they are asked for again. */
int run_look_at_lights(struct run *run, const char *why, struct error *error);

/* The meters that the engine has at this step; `told` when they have changed with it. */
int run_check_meters(struct run *run, const struct meters *engine, bool told, const char *why,
                     struct error *error);
/* What METERS CHANGED has told since they were compared, if it has. */
void run_check_told_meters(struct run *run, const struct meters *engine);

/* Before a run configures the terminal for the first time: the reseeds and rates that it shows. */
int run_look_at_rules(struct run *run, struct error *error);
/*
 * Of a terminal that tells its configuration: as it was found, against the sheets; and after
 * CONFIGURE, against what that was told.
 */
int run_look_at_config(struct run *run, struct error *error);
int run_read_back(struct run *run, struct error *error);

/* They are those of the sheets. */
void run_check_rules(struct run *run);

/* What METERS CHANGED has told of CONFIGURE, if it has. */
void run_check_configured(struct run *run);

/* Whether the terminal says which mode it is in. */
void run_check_terminal_mode(struct run *run, bool said);

/* A screen that SCREEN CHANGED must tell next, or may. */
void run_expect_screen(struct run *run, const struct terminal_screen *screen, bool is_open);
/* All of them were told. */
int run_check_screens(struct run *run, struct error *error);
bool run_wrong_codes_agree(const struct run *run, const struct terminal_screen *screen,
                           unsigned due);
/* What the screen must show in the state that the terminal must be in. */
struct terminal_screen run_screen_due(const struct run *run);

/* A key that must do its work, or must be refused for the right reason. */
int run_press(struct run *run, const struct terminal_press *key, struct error *error);

/* The keys of a recording from number `first` on; END ROUND and CANCEL ROUND are the caller's. */
int run_press_recorded(struct run *run, struct terminal_press *key, struct error *error);

/* What a key that was refused writes into the log, and what KEY REFUSED tells of it. */
void run_expect_refusal(struct run *run, enum terminal_key key, int reason);
/* A wrong code was entered. */
void run_count_wrong_code(struct run *run);
/* An administrator's request with a wrong code, which must be refused. */
int run_try_wrong_admin(struct run *run, struct error *error);

/*
 * The code of the rig file was refused as wrong. Unless the terminal has accepted it before, it is
 * entered once more: ERROR_CONFIG with its place when that is refused too, otherwise 0.
 */
int run_code_refused(struct run *run, struct error *error);
/* The status of a request of the administrator; ERROR_CONFIG where his code is not accepted. */
int run_admin_refused(const struct run *run, int status, struct error *error);
/* An administrator sets a meter, which must be done and booked. */
int run_correct_meter(struct run *run, const struct terminal_press *press, struct error *error);
/* The reason that is given for it. */
#define RUN_CORRECTION "a correction of the recording"

/* The meters once END ROUND has added the contributions of the round; false: it is not known. */
bool run_meters_ended(const struct run *run, bool pays_must_hit, struct meters *meters);

/* What the terminal must have written down once this has happened. */
void run_expect_log(struct run *run, enum terminal_log_code code, unsigned detail, int64_t value);

/* The line that a seat's progressive wager is paid on by the engine, or -1. */
int run_winning_hand(const struct run *run, unsigned seat);

/* What the engine pays for a hand now; a meter is reseeded by it. */
cents_t run_pay_hand(struct run *run, unsigned hand);

/* Approves what was won, right to left, as awards are due. */
int run_approve_all(struct run *run, struct error *error);

/*
 * Of a terminal that tells nothing: what it shows after a key of an approval, which is read off;
 * and the way of a jackpot there.
 */
int run_read_award(struct run *run, enum terminal_state before, struct error *error);
int run_approve_by_hand(struct run *run, unsigned seat, unsigned hand, struct error *error);

/* After PAY JACKPOT: the award that was told. */
int run_check_award(struct run *run, unsigned seat, unsigned hand, cents_t pays,
                    struct error *error);

/* The log and the ledger of the round that was just closed. */
int run_terminal_check_log(struct run *run, struct error *error);

/* Where the ledger ends before the first round; so many awards were paid, or more. */
int run_ledger_find_end(struct run *run, uint32_t awards, struct error *error);

/*
 * An entry of the ledger that this recording has read is read again: where it is not what it was,
 * that is told.
 */
int run_ledger_check_again(struct run *run, uint32_t number, bool *is_same, struct error *error);

bool run_is_sign(const struct terminal_sign *a, const struct terminal_sign *b);
/* From now on the sign must show this; seat 0: nothing. */
void run_expect_sign(struct run *run, unsigned seat, unsigned meter, cents_t pays);

/* A sign that was read, against what it must show. */
void run_compare_sign(struct run *run, const struct terminal_sign *sign, const char *why);
/* The sign shows what is being paid, or nothing. */
int run_check_sign(struct run *run, const char *why, struct error *error);

/* The round is over: the sign stays as it is until the next one is started. */
void run_leave_sign(struct run *run);
/* It has stayed so. */
int run_check_left_sign(struct run *run, const char *why, struct error *error);

/* END ROUND has been pressed when `before` awards were told: one more, or none. */
int run_check_must_hit(struct run *run, unsigned before, struct error *error);

/* What was paid for hands, against the settlement. */
void run_check_procedure(struct run *run);

/* No award more or less than was due in this round. */
void run_check_award_count(struct run *run);

#endif
