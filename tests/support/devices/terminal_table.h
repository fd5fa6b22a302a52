/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A terminal's model on the table of a test, without a link and without the driver: requests go in
 * as frames, everything that comes out is kept. Seats 1 and 3 have a wager unless a test says
 * otherwise; approvals are those of seat 3 with hand 3. A test opens and closes it.
 */
#ifndef TESTS_SUPPORT_DEVICES_TERMINAL_TABLE_H
#define TESTS_SUPPORT_DEVICES_TERMINAL_TABLE_H

#include "devices/terminal/open/device.h"
#include "devices/terminal/open/model.h"

#define TERMINAL_TABLE_KEPT 64

struct terminal_table {
    struct terminal_device *device;
    nanos_t now;
    uint8_t sequence;
    struct frame_decoder decoder;
    struct frame reply;                       /* the last one */
    struct frame events[TERMINAL_TABLE_KEPT]; /* since terminal_table_forget() */
    struct frame heard[TERMINAL_TABLE_KEPT];  /* likewise, replies and events */
    unsigned event_count, heard_count;
    bool is_deaf; /* events are not acknowledged */
};

void terminal_table_open(struct terminal_table *table, const char *options);
void terminal_table_open_with(struct terminal_table *table, const char *options,
                              const struct terminal_config *config);
void terminal_table_close(struct terminal_table *table);

/* STAX with a Must Hit from $250 to $500 at 1 %, opening somewhere between. */
struct terminal_config terminal_table_must_hit(uint64_t opening);

/* Sends bytes and takes what comes. */
void terminal_table_say(struct terminal_table *table, const uint8_t *bytes, size_t count);
void terminal_table_say_hex(struct terminal_table *table, const char *hex);
void terminal_table_listen(struct terminal_table *table);
void terminal_table_forget(struct terminal_table *table);

/* A HELLO: events are numbered from 0 again. */
void terminal_table_hello(struct terminal_table *table);

/* 0 with the reply, or the enum wire_refusal. */
unsigned terminal_table_ask(struct terminal_table *table, uint8_t type, const void *payload,
                            size_t size);

/* The enum terminal_refusal, or 0. A hand or seat is `number`; a code is that of the model. */
unsigned terminal_table_press(struct terminal_table *table, enum terminal_key key, unsigned number);
unsigned terminal_table_code(struct terminal_table *table, const char *digits);

/* START ROUND with wagers at these seats; forgets what was heard before. */
void terminal_table_start(struct terminal_table *table, uint8_t seats);

/* To a state by the regular keys. */
void terminal_table_reach(struct terminal_table *table, enum terminal_state state);

/* Whether a frame that was heard is, encoded, these bytes. */
bool terminal_table_heard(const struct terminal_table *table, const char *hex);
/* The nth event of that type, or NULL. */
const struct frame *terminal_table_event(const struct terminal_table *table, uint8_t type,
                                         unsigned nth);

/* What the device remembers but for its log, for comparing. */
void terminal_table_memory(const struct terminal_table *table, struct terminal_memory *memory);

size_t terminal_unhex(const char *hex, uint8_t *bytes, size_t size);

#endif
