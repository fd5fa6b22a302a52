/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One message of a conversation that was listened to, whatever its protocol: who said what, its
 * fields spelled out as JSON, and, of those that tell something about the table, what was heard.
 * A plain value; pointers into bytes are good until the decoder is given the next ones. Codes that
 * authorize somebody are never part of it.
 */
#ifndef DEVICES_LISTEN_MESSAGE_H
#define DEVICES_LISTEN_MESSAGE_H

#include "devices/wire/wire.h"
#include "games/card.h"
#include "hal/base/json_text.h"

enum message_kind {
    MESSAGE_REQUEST, /* by the host */
    MESSAGE_REPLY,
    MESSAGE_REFUSAL, /* of a request, or of an event */
    MESSAGE_EVENT,   /* by the device */
    MESSAGE_ACKNOWLEDGEMENT,
    MESSAGE_FRAME,  /* of a protocol that does not say which it is */
    MESSAGE_DAMAGE, /* bytes that are no whole frame */
    MESSAGE_BYTES,  /* of a protocol that is not known */
    MESSAGE_KINDS
};

/* What the table is about, for who makes a recording of it. */
enum heard_kind {
    HEARD_NOTHING,
    HEARD_REFUSED,         /* what the request would have told is not so */
    HEARD_IDENTITY,        /* identity */
    HEARD_SHUFFLED,        /* a deck is shuffled: a new round; number, where it is known */
    HEARD_PACKET,          /* index, cards, test_mode */
    HEARD_NEW_DECK,        /* a shoe has a whole deck; number likewise */
    HEARD_CARD,            /* cards[0], index where the protocol has it, else -1; test_mode */
    HEARD_CARD_AGAIN,      /* the same, sent again in case that it was not heard */
    HEARD_CARD_OUTSIDE,    /* the same, drawn although the shoe was locked or in error */
    HEARD_LOCK,            /* is_on: the shoe is locked */
    HEARD_FAULT,           /* the device reports one */
    HEARD_WAGERS,          /* seats: whose wagers are locked for the round */
    HEARD_ROUND_STARTED,   /* START ROUND was accepted */
    HEARD_ROUND_ENDED,     /* END ROUND was accepted */
    HEARD_ROUND_CANCELLED, /* CANCEL ROUND was accepted */
    HEARD_METERS,          /* meters; index of Must Hit, or -1 */
    HEARD_MUST_HIT,        /* seat; index, the number of the award */
};

#define HEARD_METERS_MAX 6
#define HEARD_NAME_MAX   16

struct heard {
    enum heard_kind kind;
    unsigned seat;
    unsigned seats; /* bit n for seat n */
    int index;
    bool has_number;
    uint16_t number; /* of the shuffle or the deck, modulo 65536 */
    bool is_on;
    bool test_mode; /* the device says that it is in it */
    unsigned count; /* of cards or meters */
    card_t cards[DECK_SIZE];
    struct {
        char name[HEARD_NAME_MAX];
        uint64_t micros;
    } meters[HEARD_METERS_MAX];
    struct wire_identity identity;
};

#define MESSAGE_NAME_SIZE   48
#define MESSAGE_WRONG_SIZE  160
#define MESSAGE_FIELDS_SIZE 8192
#define MESSAGE_NO_NUMBER   (-1)

struct message {
    enum message_kind kind;
    char device[24];                    /* "shuffler"; "" where the protocol does not say */
    char name[MESSAGE_NAME_SIZE];       /* "PACKET PRESENT" */
    char title[MESSAGE_NAME_SIZE + 16]; /* the same in words: "event PACKET PRESENT" */
    int number;                         /* that the protocol gives it, or MESSAGE_NO_NUMBER */
    uint32_t key;                       /* a question and its answer have the same */
    unsigned missed;                    /* of an event: those before it that were not heard */
    char wrong[MESSAGE_WRONG_SIZE];     /* what is wrong with it, and where; "" for nothing */
    struct json_text fields;            /* the members of an object, without its braces */
    char buffer[MESSAGE_FIELDS_SIZE];
    const uint8_t *bytes; /* as they came, of DAMAGE and BYTES; NULL: they may hold a code */
    size_t size;          /* how many */
    struct heard heard;
};

/* Starts one without fields, and with the title that its kind and name make. */
void message_begin(struct message *message, enum message_kind kind, const char *device,
                   const char *name, int number);

/* Another name, and the title that it makes. */
void message_rename(struct message *message, const char *name);

/* "request", "acknowledgement". */
const char *message_kind_name(enum message_kind kind);

static inline bool message_asks(const struct message *message)
{
    return message->kind == MESSAGE_REQUEST || message->kind == MESSAGE_EVENT;
}

static inline bool message_answers(const struct message *message)
{
    return message->kind == MESSAGE_REPLY || message->kind == MESSAGE_REFUSAL ||
           message->kind == MESSAGE_ACKNOWLEDGEMENT;
}

/* Members of the fields: a comma where it is needed and the name, then what the caller puts. */
struct json_text *message_field(struct message *message, const char *name);
void message_put_number(struct message *message, const char *name, uint64_t number);
void message_put_text(struct message *message, const char *name, const char *text);
void message_put_truth(struct message *message, const char *name, bool is_so);
void message_put_cards(struct message *message, const char *name, const card_t *cards,
                       unsigned count);

/* What is wrong with it; the first sentence counts. */
void message_wrong(struct message *message, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/*
 * The fields as text, "index 0, size 4, cards As Td 9h 2c"; groups in brackets. Returns how much
 * of the room it took; what does not fit is left out.
 */
size_t message_text(const struct message *message, char *text, size_t size);

#endif
