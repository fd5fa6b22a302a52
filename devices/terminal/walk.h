/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where keys lead at a terminal that keeps to the protocol, without a terminal: which state each
 * comes to, or why it must be refused. A walk is a plain value; nothing here fails. A run predicts
 * a device by it, and recordings are read by it for what they press where.
 */
#ifndef DEVICES_TERMINAL_WALK_H
#define DEVICES_TERMINAL_WALK_H

#include "devices/terminal/terminal.h"

struct terminal_walk {
    enum terminal_state state;
    uint8_t laid;   /* seats where a progressive wager lies */
    uint8_t sensed; /* those that the terminal knows of */
    uint8_t won;    /* seats that were paid in this round */
    uint8_t hands;  /* in the terminal's list */
    unsigned approving, hand, wrong_codes;
};

/* Presses a key: why it must be refused (enum terminal_refusal), or 0, and the walk goes on. */
int terminal_walk_press(struct terminal_walk *walk, const struct terminal_press *press);

#endif
