/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/history/orders.h"

#define HEAD 4

enum flag { UNRELATED = 1, SECOND_DECK = 2 };

bool history_orders_add(struct history_bytes *bytes, const struct shuffles_order *order)
{
    const unsigned char head[HEAD] = {
        (unsigned char)order->count,
        (unsigned char)((order->unrelated ? UNRELATED : 0) | (order->deck ? SECOND_DECK : 0)),
        order->setup->burn, (unsigned char)order->seats};

    return history_bytes_add(bytes, head, HEAD) &&
           history_bytes_add(bytes, order->cards, order->count * sizeof order->cards[0]);
}

int history_orders_next(const unsigned char *data, size_t length, size_t *at, const char *name,
                        struct game_setup *setup, struct shuffles_order *order, struct error *error)
{
    const struct game *game = game_find(name);
    const unsigned char *head = data + *at;

    if (*at == length)
        return 0;
    if (!game)
        return error_set(error, ERROR_CONFIG,
                         "orders of '%.40s', a game that is not known here; use the version of "
                         "dealproof that imported them, or a later one",
                         name);
    if (length - *at < HEAD || !head[0] || head[0] > DECK_SIZE || length - *at - HEAD < head[0])
        return error_set(error, ERROR_CONFIG,
                         "orders that are none; make the store anew from the journals");
    game_setup_init(setup, game);
    setup->burn = head[2];
    *order = (struct shuffles_order){.cards = head + HEAD,
                                     .count = head[0],
                                     .deck = (head[1] & SECOND_DECK) != 0,
                                     .unrelated = head[1] & UNRELATED,
                                     .setup = setup,
                                     .seats = head[3]};
    *at += HEAD + head[0];
    return 1;
}
