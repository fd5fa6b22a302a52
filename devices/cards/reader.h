/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Who reads the cards of a machine that does not tell them itself: a person who is asked, a scanner
 * that they are drawn past, or nobody. A rig file names it beside the device, `cards: KIND[:REST]`;
 * the file of a kind registers it by REGISTER(card_readers, kind). A driver opens one and owns it;
 * the hal, with the desk where people are asked, must outlive it. One thread uses a reader.
 */
#ifndef DEVICES_CARDS_READER_H
#define DEVICES_CARDS_READER_H

#include "games/card.h"
#include "hal/base/error.h"
#include "hal/base/registry.h"
#include "hal/hal.h"
#include "hal/reopen.h"

struct card_reader;

/* Where a reader is, as the rig file has it. */
struct card_reader_setup {
    const struct hal *hal;
    const char *cards; /* "hands", "scanner:/dev/input/event5", "none" */
    const char *map;   /* file of codes and their cards; NULL: none was given */
    unsigned decks;    /* of the table: with 2 people may say of which one a card is */
    uint64_t seed;     /* of what is asked at random */
    /* How a scanner that goes away is looked for; copied. NULL: that ends the reading. */
    const struct reopen_policy *reopen;
};

/* What is to be read. All texts need to last until card_reader_read() returns. */
struct card_request {
    const char *what;     /* "take packet 2 of 7": what to do, and what is read then */
    unsigned seat;        /* whose; 0: of no seat */
    unsigned least, most; /* how many cards it may have; most is at least 1 */
    const uint8_t
        *seen_in;           /* of CARD_VALUES, by card: the number of the packet that had it since
                               the shuffle, or 0; such a card is refused at once, with that number */
    const char *seen_where; /* what those numbers count: "packet", "line"; NULL: packets */
    const card_t *recorded; /* `most` cards that the recording has here, which a nod confirms; NULL:
                               it is not known what must come, or it must be read all the same */
    const char *previous;   /* what `undo` goes back to: "packet 1"; NULL: there is nothing */
    const char *const *faults; /* words that name a fault instead, up to a NULL; NULL: none */
    uint32_t limit_ms;         /* 0: as long as it takes */
};

struct card_reading {
    unsigned count;
    card_t cards[DECK_SIZE];  /* in the order read: top first */
    uint8_t backs[DECK_SIZE]; /* the deck that each is of, 1 or 2; 0: nobody says it */
    unsigned fault;           /* 1 + the index of the word in `faults`; 0: cards were read */
    bool is_nodded;           /* nobody typed them: they were confirmed as recorded */
    bool is_undone;           /* nothing was read: who asks goes back to the reading before */
    nanos_t time;             /* when, by the bench's clock */
};

/* How many values a card_t of the deck may have, for a table by card. */
#define CARD_VALUES 64

struct card_reader_kind {
    const char *name;    /* as a rig file says it: "scanner" */
    const char *summary; /* for help and sentences: "a barcode or RFID reader that types" */
    size_t size;         /* of the concrete reader, whose first member is a struct card_reader */
    const char *witness; /* who says which cards they are: "operator", "scanner" */
    bool reads;          /* false: nobody does, and `read` is NULL */
    bool asks;           /* people are asked: there must be somebody to answer */
    /* `rest` is what follows the colon, or "". The memory after the struct card_reader is zero.
       close() is called only if open() succeeded; NULL: nothing is to be released. */
    int (*open)(struct card_reader *reader, const char *rest, const struct card_reader_setup *setup,
                struct error *error);
    void (*close)(struct card_reader *reader);
    int (*read)(struct card_reader *reader, const struct card_request *request,
                struct card_reading *reading, struct error *error);
};

/* First member of every concrete reader. */
struct card_reader {
    const struct card_reader_kind *kind;
    const struct hal *hal;
    unsigned decks;   /* of the table */
    bool tells_backs; /* set by open(): who reads may say of which deck a card is */
};

/* What a rig file says: NULL with ERROR_CONFIG and a sentence that lists the kinds. */
const struct card_reader_kind *card_reader_find(const char *cards, struct error *error);

/* Whether a rig file may say so: 0, or ERROR_CONFIG as above. */
int card_reader_check(const char *cards, struct error *error);

/* ERROR_CONFIG as above or for a bad map, ERROR_DEVICE and ERROR_RIG as of a link. `*reader` is
   NULL after a failure. card_reader_close() takes NULL. */
int card_reader_open(struct card_reader **reader, const struct card_reader_setup *setup,
                     struct error *error);
void card_reader_close(struct card_reader *reader);

static inline bool card_reader_reads(const struct card_reader *reader)
{
    return reader->kind->reads;
}

/*
 * Reads what is asked for: 0; ERROR_TIMEOUT when nothing came in time; ERROR_DEVICE when the
 * scanner is gone, and was looked for in vain where that was asked for; ERROR_ABORTED. What was
 * read until then stays in `reading`. What cannot be is refused to who reads, with the reason, and
 * does not end it. What should not be, another count or a card that was seen before, is refused as
 * well; a person who looks again and says the same has found it so, and it is read.
 */
int card_reader_read(struct card_reader *reader, const struct card_request *request,
                     struct card_reading *reading, struct error *error);

#endif
