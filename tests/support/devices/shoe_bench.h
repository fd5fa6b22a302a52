/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A bench for tests of dealing shoes: virtual time, one link, and a shoe on it, which is a model or
 * a puppet that the test plays byte for byte. Everything that a bench opened is closed by
 * shoe_bench_close(). Time starts at 0x00c0ffee nanoseconds, so that a conversation's nonce is
 * known.
 */
#ifndef TESTS_SUPPORT_DEVICES_SHOE_BENCH_H
#define TESTS_SUPPORT_DEVICES_SHOE_BENCH_H

#include "devices/shoe/shoe.h"
#include "tests/support/devices/model_pump.h"
#include "tests/support/devices/puppet.h"

struct shoe_bench {
    struct clock clock;
    struct hal hal;
    struct puppet_stage stage;
    struct puppet *puppet; /* NULL: a model */
    struct model *model;   /* NULL: a puppet */
    struct model_pump *pump;
    struct link *link;
    struct shoe *shoe;
    struct shoe_event event;
    struct error error;
};

/* A model, "shoe" or "angel-eye", and the driver that speaks its protocol. */
void shoe_bench_open(struct shoe_bench *bench, const char *model, const char *options);
/* The same on the real clock behind a terminal or a socket. */
void shoe_bench_open_far(struct shoe_bench *bench, const char *model, const char *options,
                         struct model_pump *(*pump)(struct model *model));
/* A puppet at the end of a link; no driver is open yet. */
void shoe_bench_open_puppet(struct shoe_bench *bench);
/* A driver for it, as shoe_open(); a script where the suite has one. */
int shoe_bench_connect(struct shoe_bench *bench, const char *driver, const char *options);
void shoe_bench_close(struct shoe_bench *bench);

/* Bytes in hex, "05 30 53"; returns how many. */
size_t shoe_bench_hex(const char *hex, uint8_t *bytes, size_t size);

/* The puppet says this; what the host wrote since the last look is exactly this. */
void shoe_bench_say(struct shoe_bench *bench, const char *hex);
bool shoe_bench_heard(struct shoe_bench *bench, const char *hex);

/* The next event within ten seconds, in bench->event: its kind, or -1 for none or an error. */
int shoe_bench_next(struct shoe_bench *bench);

/* Skips events up to one of that kind; false when none comes. */
bool shoe_bench_await(struct shoe_bench *bench, enum shoe_event_kind kind);

/* shoe_bench_open(), and a hand may draw: the shoe is unlocked and has said so. */
void shoe_bench_open_unlocked(struct shoe_bench *bench, const char *model, const char *options);

/* Cards until nothing comes any more, at most a deck of them; errors are cleared on the way. */
unsigned shoe_bench_take_cards(struct shoe_bench *bench, card_t cards[DECK_SIZE]);

bool shoe_bench_same_status(const struct shoe_status *a, const struct shoe_status *b);

/* How many different cards there are among these. */
unsigned shoe_bench_different(const card_t *cards, unsigned count);

#endif
