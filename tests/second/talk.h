/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The conversation of a device with its host: requests and their repeats, refusals, events one at a
   time, HELLO, IDENTITY and LOG. The device is behind a table of functions and never sees a frame
   number; it owns itself, the conversation owns the event queue and the log. */
#ifndef SECOND_TALK_H
#define SECOND_TALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tests/second/frame.h"
#include "tests/second/lies.h"
#include "tests/second/line.h"
#include "tests/second/log.h"
#include "tests/second/options.h"

#define TALK_EVENTS 96

enum {
    TALK_HELLO = 0x01,
    TALK_IDENTITY = 0x02,
    TALK_STATUS = 0x03,
    TALK_LOG = 0x04,
    TALK_CLEAR_ERROR = 0x05,
    TALK_REPLY = 0x80,
    TALK_REFUSED = 0xff,
};

enum refusal {
    DONE = 0,
    UNKNOWN_REQUEST = 1,
    WRONG_LENGTH = 2,
    OUT_OF_RANGE = 3,
    NOT_IN_THIS_STATE = 4,
    ERROR_PENDING = 5,
    BUSY = 6,
    NOT_AUTHORIZED = 7,
    ONLY_IN_TEST_MODE = 8,
};

struct talk;

struct talk_device {
    uint8_t device_class;
    const char *model;
    size_t log_kept;
    uint8_t power_up_code;
    void *(*create)(struct talk *talk);
    /* Answers a request: 0 and a payload in *reply, or the code of the refusal. */
    enum refusal (*request)(void *device, const struct frame *request, struct frame *reply);
    uint8_t (*flags)(void *device);
    void (*tick)(void *device, uint64_t now);
    void (*power_up)(void *device);
    /* Cards that nobody may know yet, at most four; only lies ask. NULL where there are none. */
    size_t (*secret)(void *device, uint8_t cards[4]);
};

struct talk_event {
    uint8_t type;
    size_t size;
    uint8_t payload[FRAME_PAYLOAD_MAX];
};

struct talk {
    const struct talk_device *kind;
    void *device;
    const struct options *options;
    struct lies *lies;
    struct line *line;
    struct frame_reader reader;
    struct log log;
    uint64_t now;
    uint64_t clock_start;
    uint8_t nonce[4];
    bool greeted;
    bool speaks;
    bool has_answered;
    struct frame last_request;
    struct frame last_reply;
    struct talk_event events[TALK_EVENTS];
    size_t event_count;
    uint8_t event_number;
    bool event_open;
    unsigned event_sends;
    uint64_t event_sent_at;
    bool holding_events;
    unsigned frames_sent;
    uint64_t cut_at_frame;
    uint64_t off_until;
    bool off;
    unsigned lost_acknowledgements;
    unsigned lost_requests;
    unsigned acknowledged;
    unsigned requests;
};

void talk_init(struct talk *talk, const struct talk_device *kind, const struct options *options,
               struct lies *lies, struct line *line, uint64_t now);

void talk_connected(struct talk *talk);

void talk_receive(struct talk *talk, const uint8_t *bytes, size_t size);

void talk_tick(struct talk *talk, uint64_t now);

void talk_event(struct talk *talk, uint8_t type, const uint8_t *payload, size_t size);

void talk_event_byte(struct talk *talk, uint8_t type, uint8_t byte);

size_t talk_room(const struct talk *talk);

void talk_note(struct talk *talk, uint8_t code, uint8_t first, uint16_t second);

/* The time of the device's clock in milliseconds. */
uint64_t talk_clock(const struct talk *talk);

/* The power goes and is back after some milliseconds. */
void talk_cut_power(struct talk *talk, uint64_t milliseconds);

#endif
