/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Codes out of the keys that a scanner presses: the keyboard of the United States with shift, the
 * digits and signs of the keypad, and Enter or Tab after each code. Pure; the caller owns the
 * struct, which starts as zeros.
 */
#ifndef DEVICES_CARDS_TYPING_H
#define DEVICES_CARDS_TYPING_H

#include <stdbool.h>
#include <stdint.h>

#define TYPING_CODE_MAX 64 /* characters of a code */

struct typing {
    char code[TYPING_CODE_MAX + 1];
    unsigned length;
    bool is_whole;   /* the code was told: the next key begins another */
    bool is_spoiled; /* what comes up to the next Enter or Tab does not count, */
    bool is_lost;    /* since keys were lost, perhaps that Enter or Tab too */
    bool is_shifted[2];
};

enum typing_result {
    TYPING_MORE,    /* nothing to tell yet */
    TYPING_CODE,    /* `code` is whole */
    TYPING_STRANGE, /* the key is no character: what comes up to Enter or Tab does not count */
    TYPING_LONG,    /* more characters than a code has: likewise */
    TYPING_LOST,    /* the end of a code that does not count, because keys were lost */
};

/* A key is pressed or let go. */
enum typing_result typing_key(struct typing *typing, uint16_t key, bool is_down);

/* Keys were lost: what comes up to the next Enter or Tab does not count, and no key is held. */
void typing_lost(struct typing *typing);

/* Whether a code has begun, and not ended. */
bool typing_is_open(const struct typing *typing);

#endif
