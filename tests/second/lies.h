/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lies that a device can be told to tell. Most are rows of a table and work on messages or log
   entries as they leave; the others are deeds, for which the device asks by name. */
#ifndef SECOND_LIES_H
#define SECOND_LIES_H

#include <stdbool.h>
#include <stdint.h>

#include "tests/second/frame.h"
#include "tests/second/log.h"

enum lie_kind {
    LIE_DEED,      /* the device asks for it by name */
    LIE_ADD,       /* value is added to the byte at offset; negative: from the end */
    LIE_XOR,       /* bits of the byte are turned */
    LIE_SET,       /* the byte is replaced */
    LIE_GROW,      /* a byte more */
    LIE_CUT,       /* value bytes fewer */
    LIE_DROP,      /* the message is not sent */
    LIE_TWICE,     /* the message is sent twice */
    LIE_NUMBER,    /* value is added to its number */
    LIE_TYPE,      /* its type is replaced */
    LIE_CLASS,     /* its class is replaced */
    LIE_EVENT,     /* an event of type value, with the byte offset, comes before it */
    LIE_STRAY,     /* a frame of type value with the message's number comes before it */
    LIE_NOISE,     /* bytes that are no frame come before it */
    LIE_LEAK,      /* cards that nobody may know yet are appended */
    LIE_LEAK_RAW,  /* the same in a frame with a wrong check before it */
    LIE_LEAK_TYPE, /* the same in a good frame of type value before it */
    LIE_LOG,       /* value is added to field offset of the entry with code type */
    LIE_LOG_OMIT,  /* such an entry is left out */
    LIE_LOG_TWICE, /* such an entry is written twice */
};

enum lie_field { LIE_LOG_NUMBER, LIE_LOG_TIME, LIE_LOG_CODE, LIE_LOG_FIRST, LIE_LOG_SECOND };

#define LIE_ALWAYS 0

struct lie {
    const char *device;
    const char *name;
    enum lie_kind kind;
    uint8_t type;
    int offset;
    int value;
    unsigned nth;
    const char *recording;
    const char *page;
};

struct lies {
    const struct lie *told;
    unsigned nth;
    unsigned seen;
    unsigned times;
};

extern const struct lie lies_shuffler[];
extern const struct lie lies_shoe[];
extern const struct lie lies_terminal[];
extern const struct lie lies_terminal_deeds[];
extern const struct lie lies_unit[];
extern const struct lie lies_angel_eye[];

/* Chooses NAME or NAME@N of the device; false when it has no such lie. Splits text in place. */
bool lies_choose(struct lies *lies, const char *device, char *text);

void lies_list(void);

/* True when the deed of that name is the lie and its turn has come. */
bool lies_deed(struct lies *lies, const char *name);

/* True when the lie is of this kind about this type and its turn has come. */
bool lies_turn(struct lies *lies, enum lie_kind kind, uint8_t type);

/* Changes bytes of a message that is about to be sent. */
void lies_change(struct lies *lies, struct frame *message);

/* Changes an entry of the log; returns how often it is to be written. */
unsigned lies_log(struct lies *lies, struct log_entry *entry);

#endif
