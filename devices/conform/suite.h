/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the files of the suite share: clauses, the conversation with the device, and how something
 * is held against it. A step is a function that tries several clauses and names each by its number.
 * Once the link or the device has failed, nothing is asked or held any more, so that a step need
 * not look.
 */
#ifndef DEVICES_CONFORM_SUITE_H
#define DEVICES_CONFORM_SUITE_H

#include <string.h>

#include "devices/conform/conform.h"
#include "devices/wire/log.h"
#include "devices/wire/wire.h"
#include "games/card.h"
#include "hal/base/registry.h"
#include "hal/link/tap.h"

#define CONFORM_MS NANOS_PER_MILLI

struct suite;

typedef void (*conform_step)(struct suite *suite);

/* A row for each number of the page. */
struct conform_clause {
    const char *id;
    conform_step step;  /* that tries it; NULL: it cannot be seen, */
    const char *unseen; /* and why. Beside a step: why it was not, where nothing happened */
};

/*
 * The clauses of a chapter, REGISTER(conform_chapters, ...). `class` is 0 in those of every class.
 */
struct conform_chapter {
    const char *name;
    unsigned class;
    unsigned version; /* 2: of devices/PROTOCOL-2.md, tried in a conversation of that version */
    const struct conform_clause *clauses;
    size_t count;
};
#define CONFORM_CHAPTER(its_name, its_class, table)                                                \
    {                                                                                              \
        .name = (its_name), .class = (its_class), .clauses = (table),                              \
        .count = sizeof(table) / sizeof(table)[0]                                                  \
    }
#define CONFORM_CHAPTER_2(its_name, its_class, table)                                              \
    {                                                                                              \
        .name = (its_name), .class = (its_class), .version = 2, .clauses = (table),                \
        .count = sizeof(table) / sizeof(table)[0]                                                  \
    }

/* An entry that the log must have got. */
struct conform_entry {
    uint8_t code, detail;
    uint32_t value; /* of which version 1 tells 16 bits */
    nanos_t time;   /* when it was told here; 0: it was not */
};

/*
 * What a class is to the suite, REGISTER(conform_kinds, ...). Everything that it follows of the
 * device is its own; the suite gives it room for `size` bytes, zeroed.
 */
struct conform_kind {
    const char *name; /* of the class */
    unsigned class;
    size_t size;
    /* What the device is when it is opened: false and a sentence where nothing can be tried. */
    bool (*begin)(struct suite *suite, struct error *error);
    void (*event)(struct suite *suite, const struct frame *event, nanos_t time);
    /* A reply to STATUS, held against what is known. */
    void (*status)(struct suite *suite, const struct frame *reply);
    /* The set of the cards that are still to come, as far as they are known. NULL: it has none. */
    uint64_t (*to_come)(struct suite *suite);
    unsigned (*state)(struct suite *suite); /* that STATUS must have, as far as it is known */
    /* Whether it may have gone on to another state by itself. NULL: it never does. */
    bool (*moves)(struct suite *suite);
    size_t firm; /* bytes of STATUS that change with a request or an event alone; 0: all */
    /* A new entry of the log, and what the log lacks once all were taken. NULL: the log is held
       against suite_note(). */
    void (*entry)(struct suite *suite, const struct log_entry *entry);
    void (*logged)(struct suite *suite);
    /* Of an entry with that code that is missing or too much, */
    const char *(*log_clause)(unsigned code);
    const char *status_clause; /* and of a STATUS that is not as the last one */
    /* TEST MODE, and what follows from it: 0, the refusal, or negative. */
    int (*mode)(struct suite *suite, bool on);
    void (*restore)(struct suite *suite);
    /* Version 2: makes a frame of the device what it is in version 1, once it was held against
       what version 2 has besides, and a request of version 1 what it is in version 2. NULL: they
       are the same. */
    void (*narrow)(struct suite *suite, struct frame *frame);
    void (*widen)(struct suite *suite, struct frame *request);
};

#define SUITE_EVENTS  64
#define SUITE_ENTRIES 1024
#define SUITE_NOTES   128
#define SUITE_PAST    4
#define SUITE_STRAYS  32
#define SUITE_KEPT    256 /* frames that are kept, the oldest go */

struct suite {
    struct conform *conform;
    struct link *link;
    const struct conform_kind *kind;
    void *own; /* of the kind */
    struct error *error;
    tap_masker *mask; /* of the driver: what no report may hold of what is sent; NULL: nothing */
    int broken;       /* an error_code once nothing more can be asked */
    int is_ending;    /* why it was broken off, while the device is taken back */
    /* Requests */
    uint8_t sequence;
    uint8_t asked_type;
    unsigned asked_times, answered_times; /* of the request that is open or was last, */
    struct {                              /* and of those before it, whose replies may be late */
        uint8_t sequence, type;
        unsigned unanswered;
    } past[SUITE_PAST];
    unsigned past_count;
    bool has_reply;
    struct frame request, reply;
    /* Versions */
    uint8_t version;       /* of the conversation, */
    uint8_t versions;      /* and how many the device says that it knows */
    bool is_upgrading;     /* HELLO of version 2 is not answered: what is of version 1 is old */
    bool is_raw;           /* the next requests are of version 2 as they are */
    bool is_over;          /* BYE was answered */
    bool lacks_log;        /* LOG is refused as unknown */
    bool has_claims;       /* a HELLO of version 2 has told */
    uint32_t capabilities; /* that it claims */
    unsigned vendor_events;
    bool has_jumped;        /* the wall clock, against the device's */
    bool has_state;         /* STATUS of version 2 has told, since then */
    unsigned state_losses;  /* so often the power had been lost, */
    struct log_marks marks; /* and since then it has told this */
    struct wire_state state;
    bool is_chained; /* what was read of the log comes to this */
    struct log_chain chain;
    uint8_t hello[3]; /* of the last reply to HELLO, */
    bool is_new;      /* to which no STATUS was compared yet */
    /* Events */
    bool is_muted;  /* nothing is held: what it does cannot be followed just now */
    bool withholds; /* acknowledgements */
    bool defers;    /* judging, until what is asked meanwhile is known */
    bool is_greeted, has_event;
    bool is_loose;      /* the next number may be 0, or the one that would follow */
    bool last_is_taken; /* the last event was taken and acknowledged */
    bool awaits_power_up;
    bool may_have_restarted; /* number 0 came since all was quiet */
    uint8_t first_open;      /* number of the event that is not acknowledged */
    struct frame identity;   /* the last reply to IDENTITY */
    uint8_t stranger;        /* a class that has answered, and is not this one; 0: none */
    nanos_t last_gap;        /* before it was said again */
    uint8_t next_event;
    struct frame last_event;
    nanos_t last_event_time;
    uint64_t read_count, last_event_read;
    nanos_t read_at, read_window; /* the last read, and since when what it brought may have come */
    struct frame events[SUITE_EVENTS];
    nanos_t event_times[SUITE_EVENTS];
    unsigned event_count;  /* that wait to be judged */
    unsigned heard;        /* events since HELLO */
    unsigned repeats;      /* of the last one */
    unsigned power_losses; /* by numbers that start again, */
    unsigned power_ups;    /* and told */
    bool is_old;           /* what comes happened before this conversation */
    struct frame_decoder decoder;
    /* Log */
    uint32_t log_next; /* the first entry that was not read */
    struct log_entry entries[SUITE_ENTRIES];
    uint32_t entry_count; /* what was read and is to be read again */
    struct conform_entry notes[SUITE_NOTES];
    unsigned note_count;
    struct log_entry strays[SUITE_STRAYS]; /* that nothing was told of yet */
    unsigned stray_count;
    bool has_clock; /* an entry that was matched with an event, */
    nanos_t clock_here;
    uint64_t clock_there, last_millis;
    unsigned clock_losses;
    nanos_t clock_span;   /* between the first such entry and the last, here, */
    uint64_t clock_spans; /* and there, in milliseconds */
    /* STATUS */
    struct frame status;
    bool has_status;
    /* Frames */
    struct conform_frame frames[SUITE_KEPT];
    size_t frame_count, step_start;
    struct suite_records *records;
};

/* records.c: what was found. Nothing is held once the suite is broken. */
bool suite_hold(struct suite *suite, const char *id, bool holds, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void suite_not_offered(struct suite *suite, const char *id, const char *why);
/* Why a clause that nothing was held against could not be seen. */
void suite_unseen(struct suite *suite, const char *id, const char *why);
/* The frames from here on belong to what is held next. */
void suite_mark(struct suite *suite);

/* talk.c: the conversation. */
nanos_t suite_now(const struct suite *suite);
/* Nothing more is asked; the first reason counts. */
void suite_break(struct suite *suite, enum error_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void suite_send_bytes(struct suite *suite, const void *bytes, size_t count);
void suite_send(struct suite *suite, const struct frame *frame);
/* The next number is of a request of that type, which is not sent yet. */
void suite_number(struct suite *suite, uint8_t type);
/* One read, up to the deadline, and everything that it brings. */
void suite_listen(struct suite *suite, nanos_t deadline);
/* Listens for so many milliseconds. */
void suite_rest(struct suite *suite, unsigned millis);
/*
 * A request under the next number: 0 with the reply in suite->reply, the code of the refusal, or
 * negative. One that is not answered breaks the suite.
 */
int suite_ask(struct suite *suite, uint8_t type, const void *payload, size_t size);
/* The same without breaking: SUITE_SILENT where nothing comes. */
#define SUITE_SILENT (-1000)
int suite_try(struct suite *suite, uint8_t type, const void *payload, size_t size);
/* The last request once more, byte by byte the same, sent once: as suite_try(). */
int suite_repeat(struct suite *suite);
/* HELLO with that nonce. */
int suite_greet(struct suite *suite, uint32_t nonce);
/* These bytes get no answer, and the next request does. */
void suite_drop(struct suite *suite, const char *id, const void *bytes, size_t count,
                const char *what);
/* The last request was refused with that code, by this clause too, unless it is not known. */
void suite_same(struct suite *suite, const char *id, unsigned code);
/* A request that must be refused so, by which clause. */
bool suite_refused(struct suite *suite, const char *id, unsigned code, uint8_t type,
                   const void *payload, size_t size, const char *what);
/* One that must be done, with so many bytes of reply. */
bool suite_done(struct suite *suite, const char *id, uint8_t type, const void *payload,
                size_t payload_size, size_t size, const char *what);

/* An order of all cards, in which neither ranks nor suits follow each other. */
void suite_deck(card_t deck[DECK_SIZE]);

/* follow.c: events, STATUS and the log as they come. */
/* Judges the events that have come. */
void suite_judge(struct suite *suite);
/* Until `done`, or for so many milliseconds: whether it is. */
bool suite_await(struct suite *suite, bool (*done)(struct suite *suite), unsigned millis);
/* The sizes of a class's events from 0x40 on, and the clause of each. */
struct conform_size {
    uint8_t size;
    const char *id;
};
/* Whether an event can be read: it is one of the class, and as long as it must be, or longer. */
bool suite_sized(struct suite *suite, const struct frame *event, const struct conform_size *sizes,
                 size_t count, size_t more);
/* TEST MODE is told: what was asked for, and once. */
void suite_mode_told(struct suite *suite, const char *id, bool told, bool is_on, unsigned *changes);
/* POWER UP has come: the events start with number 0. */
void suite_power_up(struct suite *suite);
/* The reply to STATUS has the flags that HELLO had. */
void suite_compare_hello(struct suite *suite);
/* STATUS twice, held against what is known. */
void suite_status(struct suite *suite);
/* All is told: then STATUS and the log. */
void suite_settle(struct suite *suite);
/* An entry that the log must have, and when it was told. */
void suite_note(struct suite *suite, uint8_t code, uint8_t detail, unsigned value, nanos_t time);
/* The log has at that time of the device's clock what was told here then. */
void suite_clock(struct suite *suite, nanos_t here, uint64_t millis);
void suite_read_log(struct suite *suite);
/* A log that no longer has its first entry: it keeps so many, and starts with the oldest. */
void suite_oldest(struct suite *suite, const char *kept, const char *oldest, unsigned least);
/* The last entry of the log is the last that it counts. */
void suite_peek_log(struct suite *suite);
/* IDENTITY, which is what it was. */
void suite_identity(struct suite *suite);
/* What was read of the log, once more. */
void suite_read_log_again(struct suite *suite);

/* second.c: version 2. */
/* A conversation of version 2, or of version 1; false where the device does not know it. */
bool suite_upgrade(struct suite *suite);
bool suite_downgrade(struct suite *suite);
bool suite_is_second(const struct suite *suite);
/* Takes log and clocks off the reply to STATUS, and holds them against each other. */
void suite_take_state(struct suite *suite, struct frame *reply);
/* An entry of the log is the next one that comes to the digest of STATUS, or known already. */
void suite_chain(struct suite *suite, const struct log_entry *entry, uint32_t total);
/* Whether an event, or a code of the log, is of a vendor, which is passed over. */
bool suite_is_vendor_event(struct suite *suite, const struct frame *event);
void suite_search_vendor(struct suite *suite, const struct frame *event);
bool suite_is_vendor_code(struct suite *suite, unsigned code);

/* As much of a value as both versions tell. */
static inline bool suite_same_value(const struct suite *suite, uint32_t a, uint32_t b)
{
    return ((a ^ b) & (suite_is_second(suite) ? UINT32_MAX : UINT16_MAX)) == 0;
}

static inline bool suite_has(const struct suite *suite, uint8_t type, size_t size)
{
    return suite->reply.type == (type | WIRE_ANSWER) && suite->reply.size == size;
}

#endif
