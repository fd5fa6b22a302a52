/*
 * The checks of a run: their names, where each rule comes from, and the book in which results are
 * kept. A book counts, hands failures to whoever listens, and writes to the journal if there is
 * one; it allocates nothing. A journal that cannot be written is remembered in `status`, so that a
 * round is judged to its end before anybody looks.
 */
#ifndef RIGS_CHECKS_CHECK_H
#define RIGS_CHECKS_CHECK_H

#include <stddef.h>
#include <stdint.h>

#include "hal/base/error.h"
#include "rigs/journal/journal.h"

enum check {
    CHECK_PACKET_SIZE,
    CHECK_PACKET_ORDER,
    CHECK_DEALT_CARDS,
    CHECK_CARD_CONSERVATION,
    CHECK_BURNED_CARDS,
    CHECK_DRAWS,
    CHECK_WAGER_OUTCOME,
    CHECK_HAND_NAME,
    CHECK_DEALER_QUALIFIES,
    CHECK_REFUSED_ROUND,
    CHECK_EXPECTATION,
    CHECK_JACKPOTS,
    CHECK_METER_VALUES,
    CHECK_MUST_HIT_CEILING,
    CHECK_MUST_HIT_SEAT,
    CHECK_LIGHTS,
    CHECK_SIGN_AMOUNT,
    CHECK_AMOUNT_HIDDEN,
    CHECK_KEY_REFUSALS,
    CHECK_WAGERS_SENSED,
    CHECK_EVENT_LOG,
    CHECK_TIMING,
    CHECK_ORDER_LEAK,
    CHECK_TEST_MODE_ANNOUNCED,
    CHECK_FRAMES,
    CHECK_COUNT
};

struct check_kind {
    const char *name;   /* "packet-size" */
    const char *rule;   /* what must be so */
    const char *source; /* where that is written */
};

extern const struct check_kind check_kinds[CHECK_COUNT];

/* -1 when the name is none of them. */
int check_find(const char *name);

struct check_counts {
    uint64_t passed[CHECK_COUNT];
    uint64_t failed[CHECK_COUNT];
    uint64_t skipped[CHECK_COUNT];
};

struct check_book {
    struct journal *journal; /* NULL: none is written */
    /* Told of each check that failed; NULL: nobody is. */
    void (*failed)(void *context, enum check check, const struct check_result *result);
    void *context;
    struct check_counts counts;
    unsigned failed_here; /* since somebody set it to 0: in this round */
    unsigned passed_here;
    int status; /* 0, or what the journal failed with */
    struct error error;
};

void check_pass(struct check_book *book, enum check check);

/* Name and outcome of the result are set here. */
void check_fail(struct check_book *book, enum check check, struct check_result result);
void check_skip(struct check_book *book, enum check check, const char *why);

/* Two numbers that must be equal: seat 0 and NULL texts where they do not apply. */
void check_number(struct check_book *book, enum check check, unsigned seat, const char *wager,
                  int64_t expected, int64_t got, const char *why);

#endif
