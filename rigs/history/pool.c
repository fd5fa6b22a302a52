/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/history/pool.h"

#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rigs/history/orders.h"

struct pooling {
    struct shuffles *shuffles;
    struct history_pooled *pooled;
    void *seen;  /* a tree of digests of what was added, so that nothing is twice */
    int64_t run; /* that was added last */
    struct error *error;
};

static int by_text(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* 1: it was there; ERROR_RIG without memory. */
static int remember(struct pooling *pooling, const char digest[DIGEST_SIZE])
{
    char *added = strdup(digest);
    char **node = added ? tsearch(added, &pooling->seen, by_text) : NULL;

    if (node && *node == added)
        return 0;
    free(added);
    return node ? 1 : error_set(pooling->error, ERROR_RIG, "no memory for the orders of a machine");
}

/*
 * Whether an order in virtual time, where the same seed makes the same ones, and all before it are
 * those of an earlier run, be that longer or shorter. `chain` is the digest of those before it,
 * and becomes that with it: two that are equal by chance are two.
 */
static int is_repeated(struct pooling *pooling, const unsigned char *order, size_t length,
                       char chain[DIGEST_SIZE])
{
    struct digest sum;

    digest_begin(&sum);
    digest_add(&sum, chain, strlen(chain));
    digest_add(&sum, order, length);
    digest_end(&sum, chain);
    return remember(pooling, chain);
}

static void add_order(struct pooling *pooling, const struct shuffles_order *order)
{
    if (shuffles_add(pooling->shuffles, order, pooling->error))
        pooling->pooled->unknown++; /* a card twice: what was dealt is no order */
    else
        pooling->pooled->orders++;
}

static int add_orders(struct pooling *pooling, bool is_virtual, const char *game,
                      const unsigned char *cards, size_t length)
{
    char chain[DIGEST_SIZE] = "";
    struct shuffles_order order;
    struct game_setup setup;
    size_t at = 0, from = 0;
    uint64_t left_out = 0, added = 0;
    int status, repeated = 0;

    while ((status = history_orders_next(cards, length, &at, game, &setup, &order,
                                         pooling->error)) > 0) {
        bool is_after = repeated > 0; /* the one before it was left out */

        if (is_virtual)
            repeated = is_repeated(pooling, cards + from, at - from, chain);
        if (repeated < 0)
            return repeated;
        from = at;
        left_out += repeated > 0;
        if (repeated)
            continue;
        order.unrelated |= is_after;
        add_order(pooling, &order);
        added++;
    }
    pooling->pooled->repeated += left_out && !added;
    pooling->pooled->repeated_orders += added ? left_out : 0;
    return status;
}

static void add_firmware(struct history_pooled *pooled, const char *firmware)
{
    char list[sizeof pooled->firmware + 8], one[sizeof pooled->firmware + 8];
    size_t length = strlen(pooled->firmware);

    snprintf(list, sizeof list, ", %s,", pooled->firmware);
    snprintf(one, sizeof one, ", %s,", firmware ? firmware : "");
    if (!firmware || strstr(list, one))
        return;
    snprintf(pooled->firmware + length, sizeof pooled->firmware - length, "%s%s",
             length ? ", " : "", firmware);
}

static void see_run(struct pooling *pooling, const struct store_rows *rows)
{
    struct history_pooled *pooled = pooling->pooled;
    const char *date = store_text(rows, 1);

    pooling->run = store_integer(rows, 0);
    pooled->runs++;
    pooled->looks += 1 + (uint64_t)store_integer(rows, 3);
    if (!*pooled->first || strcmp(date, pooled->first) < 0)
        snprintf(pooled->first, sizeof pooled->first, "%s", date);
    if (strcmp(date, pooled->last) > 0)
        snprintf(pooled->last, sizeof pooled->last, "%s", date);
    add_firmware(pooled, store_text(rows, 4));
}

static int add_row(struct pooling *pooling, const struct store_rows *rows)
{
    struct history_pooled *pooled = pooling->pooled;
    bool is_new = store_integer(rows, 0) != pooling->run, is_virtual;
    char digest[DIGEST_SIZE] = "";
    size_t length;
    const void *cards;
    int status;

    if (!store_integer(rows, 2)) {
        pooled->unverified += is_new;
        pooling->run = store_integer(rows, 0);
        return 0;
    }
    if (is_new)
        see_run(pooling, rows);
    cards = store_blob(rows, 7, &length);
    is_virtual = !strcmp(store_text(rows, 8), "virtual");
    if (length)
        digest_bytes(cards, length, digest);
    status = length && !is_virtual ? remember(pooling, digest) : 0;
    if (status) {
        pooled->repeated += status > 0;
        return status < 0 ? status : 0;
    }
    pooled->unknown += (uint64_t)store_integer(rows, 6);
    return add_orders(pooling, is_virtual, store_text(rows, 5), cards, length);
}

int history_pool(struct store *store, const char *serial, const char *firmware,
                 struct shuffles *shuffles, struct history_pooled *pooled, struct error *error)
{
    const struct store_value values[] = {store_of_text(serial), store_of_text(firmware)};
    struct pooling pooling = {.shuffles = shuffles, .pooled = pooled, .error = error};
    struct store_rows *rows;
    int status;

    *pooled = (struct history_pooled){.runs = 0};
    status = store_ask(store,
                       "SELECT r.number, r.date, r.verified, r.resumed, d.firmware, s.game, "
                       "s.unknown, s.cards, r.clock FROM shuffled s JOIN run r ON r.number = s.run "
                       "JOIN device d ON d.run = s.run AND d.serial = s.serial "
                       "WHERE s.serial = $1 AND (CAST($2 AS TEXT) IS NULL OR d.firmware = $2) "
                       "ORDER BY r.number, s.recording",
                       values, 2, &rows, error);
    if (status)
        return status;
    while ((status = store_next(rows, error)) > 0) {
        status = add_row(&pooling, rows);
        if (status)
            break;
    }
    store_rows_free(rows);
    tdestroy(pooling.seen, free);
    if (!status && !pooled->orders)
        return error_set(error, ERROR_CONFIG,
                         "%s: has no orders that a shuffler with the serial number '%.80s' made by "
                         "itself",
                         store_shown(store), serial);
    return status;
}
