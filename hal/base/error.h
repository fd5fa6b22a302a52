/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Errors. A function that can fail returns 0 or one of the negative codes below and fills the
 * caller's struct error with one sentence a bench engineer can act on: what, where, which value,
 * what to do. The caller owns the struct; a NULL error is allowed and only loses the sentence. One
 * that does not fit ends with a whole word and "…".
 * This header has no dependencies, and every room may use it.
 */
#ifndef HAL_BASE_ERROR_H
#define HAL_BASE_ERROR_H

/* The negated exit status of the command line. */
enum error_code {
    ERROR_RULE = -1,    /* a rule or an expectation is broken, or a round cannot be settled */
    ERROR_CONFIG = -2,  /* usage, configuration, or a file that cannot be used at all */
    ERROR_DEVICE = -3,  /* the device failed, or is gone */
    ERROR_RIG = -4,     /* the bench failed: memory, disk, permissions, libraries */
    ERROR_TIMEOUT = -5, /* nothing came before the deadline */
    ERROR_ABORTED = -130,
};

#define ERROR_TEXT_SIZE 480

struct error {
    enum error_code code;
    int reason; /* which rule has refused, by a list of its room (games/refusal.h); 0: not told */
    char text[ERROR_TEXT_SIZE];
};

/* Fills the error and returns its code, so that a failing function can end with it. */
int error_set(struct error *error, enum error_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ERROR_RULE with its reason, for those who must tell refusals apart and not read sentences. */
int error_refuse(struct error *error, int reason, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Puts "prefix: " before the sentence that is already there. */
void error_prefix(struct error *error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Of a file that cannot be opened, by errno: ERROR_CONFIG where there is none, else ERROR_RIG. */
enum error_code error_of_opening(int reason);

/* What to do about a file or a folder that cannot be made or written, by errno: "make room ...". */
const char *error_remedy(int reason);

#endif
