/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Paytables as data. A wager lists the lines its sheet knows, best hand first; a paytable gives
 * each line its pay. Which line a hand is paid on belongs to the engine: of all the lines a hand
 * satisfies, the one that pays most. Built-in tables are constant; extra ones are owned by whoever
 * read them and must outlive the setups that point at them.
 */
#ifndef GAMES_PAYTABLE_H
#define GAMES_PAYTABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "games/money.h"
#include "hal/base/error.h"

#define LINES_MAX      12
#define TABLE_NAME_MAX 24

enum pay_kind {
    PAY_NONE,  /* not given: a gap, which no table may have */
    PAY_ODDS,  /* amount to 1; 0 is a push */
    PAY_CASH,  /* amount in cents, the stake is gone */
    PAY_METER, /* the whole of the meter with that index, the stake is gone */
};

struct pay {
    enum pay_kind kind;
    int32_t amount;
};

/*
 * One line of a wager. Lines of one family are the same kind of hand, the longer or higher one
 * first; within a family no line may pay less than a later one.
 */
struct line {
    const char *name;
    uint8_t family;
};

/* A set of a wager's lines: bit n stands for line n. */
typedef uint16_t lines_t;

static inline lines_t line_bit(unsigned line)
{
    return (lines_t)(1u << line);
}

struct paytable {
    char name[TABLE_NAME_MAX];
    struct pay pays[LINES_MAX];
};

/* What is worth more to the player; a meter is worth more than any cash, a lower index more. */
bool pay_better(struct pay a, struct pay b);

/* The line a hand is paid on that satisfies all of `lines`, the first of equals; -1 if none. */
int paytable_line(const struct paytable *table, lines_t lines);

/*
 * Self-check of a wager's tables: line names and table names unique, every line given a pay that
 * fits the wager, no meter paid twice, no line of a family below a later one. ERROR_CONFIG names
 * the place.
 */
int paytables_check(const char *wager, const struct line *lines, size_t line_count,
                    const struct paytable *tables, size_t table_count, bool progressive,
                    struct error *error);

#endif
