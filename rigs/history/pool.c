/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/history/pool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rigs/history/orders.h"

/* Digests of what was added, so that nothing is twice. */
struct seen {
    char (*digests)[DIGEST_SIZE];
    size_t count, size;
};

struct pooling {
    struct shuffles *shuffles;
    struct history_pooled *pooled;
    struct seen seen;
    int64_t run; /* that was added last */
    struct error *error;
};

/* 1: it was there; ERROR_RIG without memory. */
static int remember(struct pooling *pooling, const void *cards, size_t length)
{
    struct seen *seen = &pooling->seen;
    char digest[DIGEST_SIZE];

    digest_bytes(cards, length, digest);
    for (size_t i = 0; i < seen->count; i++)
        if (!strcmp(seen->digests[i], digest))
            return 1;
    if (seen->count == seen->size) {
        size_t size = seen->size ? 2 * seen->size : 64;
        void *digests = reallocarray(seen->digests, size, sizeof *seen->digests);

        if (!digests)
            return error_set(pooling->error, ERROR_RIG, "no memory for the orders of a machine");
        seen->digests = digests;
        seen->size = size;
    }
    memcpy(seen->digests[seen->count++], digest, DIGEST_SIZE);
    return 0;
}

static int add_orders(struct pooling *pooling, const char *game, const void *cards, size_t length)
{
    struct shuffles_order order;
    struct game_setup setup;
    size_t at = 0;
    int status;

    while ((status = history_orders_next(cards, length, &at, game, &setup, &order,
                                         pooling->error)) > 0) {
        if (shuffles_add(pooling->shuffles, &order, pooling->error))
            pooling->pooled->unknown++; /* a card twice: what was dealt is no order */
        else
            pooling->pooled->orders++;
    }
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
    bool is_new = store_integer(rows, 0) != pooling->run;
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
    status = length ? remember(pooling, cards, length) : 0;
    if (status) {
        pooled->repeated += status > 0;
        return status < 0 ? status : 0;
    }
    pooled->unknown += (uint64_t)store_integer(rows, 6);
    return add_orders(pooling, store_text(rows, 5), cards, length);
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
                       "s.unknown, s.cards FROM shuffled s JOIN run r ON r.number = s.run "
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
    free(pooling.seen.digests);
    if (!status && !pooled->orders)
        return error_set(error, ERROR_CONFIG,
                         "%s: has no orders that a shuffler with the serial number '%.80s' made by "
                         "itself",
                         store_shown(store), serial);
    return status;
}
