/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What messages of the open wire protocol hold, as tables: for who listens in, and for the
 * dissector of tools/, whose tables are made from these. Drivers and models have their own reading
 * of devices/PROTOCOL.md and do not use them. The messages of a class are a file in the folder of
 * its device that ends with REGISTER(wire_classes, …). Constant; nothing here fails.
 */
#ifndef DEVICES_WIRE_LAYOUT_H
#define DEVICES_WIRE_LAYOUT_H

#include "devices/listen/message.h"
#include "devices/wire/frame.h"

enum layout_kind {
    LAYOUT_NUMBER,    /* of 1, 2, 4 or 8 bytes */
    LAYOUT_NAMED,     /* a byte whose values have names */
    LAYOUT_INDEX,     /* a byte that counts from 0; 0xff is none */
    LAYOUT_FLAGS,     /* a byte whose bits have names */
    LAYOUT_SEATS,     /* a byte with bit n for seat n */
    LAYOUT_TRUTH,     /* 0 or 1 */
    LAYOUT_CARD,      /* one */
    LAYOUT_CARDS,     /* as many as an earlier number says, or all that is left */
    LAYOUT_NUMBERS,   /* the same of single bytes */
    LAYOUT_TEXT,      /* a length byte and that many characters */
    LAYOUT_HEX,       /* so many bytes that mean nothing one by one */
    LAYOUT_MICROS,    /* 8 bytes: millionths of a dollar */
    LAYOUT_CODE,      /* digits that authorize, all that is left: never shown */
    LAYOUT_CODE_TEXT, /* the same as a text */
    LAYOUT_GROUPS,    /* as many groups of fields as an earlier number says */
};

enum layout_when { LAYOUT_ALWAYS, LAYOUT_IF, LAYOUT_UNLESS, LAYOUT_IF_MORE };

struct layout_field {
    const char *name; /* NULL after the last */
    enum layout_kind kind;
    uint8_t size;             /* in bytes, of a NUMBER or HEX */
    const char *const *names; /* of NAMED by value, of FLAGS by bit; NULL between them */
    uint8_t name_count;
    const char *counts;                /* the number that says how many; NULL: what is left */
    const struct layout_field *fields; /* of GROUPS */
    enum layout_when when;             /* IF_MORE: it is there where bytes are left */
    const char *on;                    /* IF, UNLESS: a number before it, or a named byte, with */
    uint8_t value;                     /* that value */
    uint8_t must;                      /* of a NUMBER: the only value that it may have; 0: any */
};

/* A row of a table; what stands after it are further members. */
#define FIELD(its_name, its_kind, ...)                                                             \
    {                                                                                              \
        .name = (its_name), .kind = (its_kind), __VA_ARGS__                                        \
    }
#define FIELD_NUMBER(its_name, bytes, ...)                                                         \
    FIELD(its_name, LAYOUT_NUMBER, .size = (bytes), __VA_ARGS__)
#define FIELD_HEX(its_name, bytes) FIELD(its_name, LAYOUT_HEX, .size = (bytes))
#define FIELD_WORDS(its_name, its_kind, array)                                                     \
    FIELD(its_name, its_kind, .names = (array), .name_count = sizeof(array) / sizeof(array)[0])
#define FIELD_NAMED(its_name, array) FIELD_WORDS(its_name, LAYOUT_NAMED, array)
#define FIELD_FLAGS(its_name, array) FIELD_WORDS(its_name, LAYOUT_FLAGS, array)

/*
 * What a message tells about the table; reads the payload itself, which is whole by its fields.
 * What a request tells counts once it was answered, unless its reply says HEARD_REFUSED.
 */
typedef void (*layout_heard)(const struct frame *frame, struct heard *heard);

struct layout_message {
    uint8_t type;                      /* a request or an event; 0 after the last */
    const char *name;                  /* "PACKET PRESENT" */
    const struct layout_field *fields; /* of the request or the event; NULL: none */
    const struct layout_field *reply;  /* NULL: none */
    layout_heard heard;                /* NULL: nothing */
    layout_heard heard_reply;
};

struct layout_class {
    const char *name; /* "shuffler" */
    uint8_t class;    /* enum frame_class */
    const struct layout_message *messages;
    const struct layout_message *second; /* those that version 2 has otherwise, or in addition */
};

/* In the order of their names, by number; NULL after the last. */
const struct layout_class *layout_class_at(size_t index);

/* NULL when there is none. */
const struct layout_class *layout_class_find(unsigned class);

/* One of the class, which may be NULL, in that version; NULL when there is none. */
const struct layout_message *layout_message_find(const struct layout_class *class, unsigned version,
                                                 unsigned type);

/*
 * The fields of a payload into a message, in their order. What is missing or too much is said in
 * the message, and false; a card that does not exist and a number that it cannot have are only
 * said. A value without a name is written as "unknown N".
 */
bool layout_read(const struct layout_field *fields, const uint8_t *payload, size_t size,
                 struct message *message);

/* The names of enum wire_refusal by their codes; 0 is "none". */
#define LAYOUT_REFUSALS 9
extern const char *const layout_refusals[LAYOUT_REFUSALS];

/* The messages that every class has; what STATUS, LOG and errors mean is the class's own. */
extern const struct layout_field layout_hello[], layout_hello_reply[], layout_identity_reply[],
    layout_log[], layout_on[];
extern const struct layout_field layout_wide_hello_reply[];
extern const char *const layout_hello_flags[2];
void layout_hear_identity(const struct frame *frame, struct heard *heard);

#define LAYOUT_END                                                                                 \
    {                                                                                              \
        .name = NULL                                                                               \
    }
#define LAYOUT_COMMON(status, log_reply, clear)                                                    \
    {WIRE_HELLO, "HELLO", layout_hello, layout_hello_reply, NULL, NULL},                           \
        {WIRE_IDENTITY, "IDENTITY", NULL, layout_identity_reply, NULL, layout_hear_identity},      \
        {WIRE_STATUS, "STATUS", NULL, status, NULL, NULL},                                         \
        {WIRE_LOG, "LOG", layout_log, log_reply, NULL, NULL},                                      \
    {                                                                                              \
        WIRE_CLEAR_ERROR, "CLEAR ERROR", clear, NULL, NULL, NULL                                   \
    }

/* Those that version 2 has otherwise in every class. */
#define LAYOUT_SECOND(status, log_reply)                                                           \
    {WIRE_HELLO, "HELLO", layout_hello, layout_wide_hello_reply, NULL, NULL},                      \
        {WIRE_STATUS, "STATUS", NULL, status, NULL, NULL},                                         \
        {WIRE_LOG, "LOG", layout_log, log_reply, NULL, NULL},                                      \
    {                                                                                              \
        WIRE_BYE, "BYE", NULL, NULL, NULL, NULL                                                    \
    }

/* What STATUS has after the fields of its class in version 2. */
#define LAYOUT_STATE                                                                               \
    FIELD_NUMBER("log-entries", 4), FIELD_HEX("log-digest", WIRE_DIGEST_SIZE),                     \
        FIELD_NUMBER("clock", 8), FIELD_NUMBER("wall-clock", 8)

/* The reply to LOG: entries of 16 bytes, whose codes have these names, and of 18 in version 2. */
#define LAYOUT_LOG_REPLY(name, codes)                                                              \
    static const struct layout_field name##_entry[] = {                                            \
        FIELD_NUMBER("entry", 4),  FIELD_NUMBER("millis", 8), FIELD_NAMED("code", codes),          \
        FIELD_NUMBER("detail", 1), FIELD_NUMBER("more", 2),   LAYOUT_END};                         \
    static const struct layout_field name[] = {                                                    \
        FIELD_NUMBER("written", 4), FIELD_NUMBER("count", 1),                                      \
        FIELD("entries", LAYOUT_GROUPS, .counts = "count", .fields = name##_entry), LAYOUT_END};   \
    static const struct layout_field wide_##name##_entry[] = {                                     \
        FIELD_NUMBER("entry", 4),  FIELD_NUMBER("millis", 8), FIELD_NAMED("code", codes),          \
        FIELD_NUMBER("detail", 1), FIELD_NUMBER("more", 4),   LAYOUT_END};                         \
    static const struct layout_field wide_##name[] = {                                             \
        FIELD_NUMBER("written", 4), FIELD_NUMBER("count", 1),                                      \
        FIELD("entries", LAYOUT_GROUPS, .counts = "count", .fields = wide_##name##_entry),         \
        LAYOUT_END}

#endif
