/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a terminal's messages hold, read by the host. Whatever is not as devices/PROTOCOL.md has it
 * is ERROR_DEVICE with a sentence that names the address, the message and the value. Nothing is
 * kept, nothing is owned.
 */
#ifndef DEVICES_TERMINAL_OPEN_READING_H
#define DEVICES_TERMINAL_OPEN_READING_H

#include "devices/terminal/terminal.h"

/* A payload, with what a sentence about it needs. */
struct terminal_said {
    const char *address;
    const char *message; /* "SCREEN" */
    const uint8_t *bytes;
    size_t size;
};

int terminal_read_screen(const struct terminal_said *said, struct terminal_screen *screen,
                         struct error *error);
int terminal_read_meters(const struct terminal_said *said, struct terminal_meters *meters,
                         struct error *error);
int terminal_read_sign(const struct terminal_said *said, struct terminal_sign *sign,
                       struct error *error);
int terminal_read_lights(const struct terminal_said *said, uint8_t *seats, struct error *error);
int terminal_read_award(const struct terminal_said *said, bool must_hit,
                        struct terminal_award *award, struct error *error);
int terminal_read_status(const struct terminal_said *said, struct terminal_status *status,
                         struct error *error);
int terminal_read_ledger(const struct terminal_said *said, struct terminal_ledger_entry *entry,
                         struct error *error);
/* Version 2: what CONFIGURE was told, or a proof's challenge. */
int terminal_read_config(const struct terminal_said *said, struct terminal_config *config,
                         struct error *error);
/* The event's kind and content; its time is the caller's. */
int terminal_read_event(const char *address, const struct frame *frame,
                        struct terminal_event *event, struct error *error);

#endif
