/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "tests/oracle/deal.h"
#include "tests/oracle/deck.h"

#define GUESTS 6

/* What a guest puts down whenever the seat is taken. */
struct guest {
    bool seated;
    int64_t ante;
    int64_t side;
    bool progressive;
};

static void guest_moves(struct chance *chance, struct guest *guest)
{
    if (guest->seated ? !chance_one_in(chance, 15) : !chance_one_in(chance, 5))
        return;
    guest->seated = !guest->seated;
    guest->ante = 500 * (1 + chance_below(chance, 6));
    guest->side = chance_one_in(chance, 2) ? 500 : 0;
    guest->progressive = !chance_one_in(chance, 3);
}

static int flush_length(const struct card deck[DECK], int seat, int hole, int board)
{
    struct card seen[7];

    memcpy(seen, &deck[SLOT_SEAT(seat, 0)], (size_t)hole * sizeof seen[0]);
    memcpy(seen + hole, &deck[SLOT_BOARD(0)], (size_t)board * sizeof seen[0]);
    return longest_flush(seen, hole + board).length;
}

static const char *play_flush_rush(const struct card deck[DECK], int seat)
{
    if (flush_length(deck, seat, 4, 0) < 2)
        return "fold";
    return flush_length(deck, seat, 4, 2) < 3 ? "bet fold" : "bet bet";
}

static const char *play_chase_the_flush(const struct card deck[DECK], int seat)
{
    if (flush_length(deck, seat, 3, 0) == 3)
        return "bet";
    if (flush_length(deck, seat, 3, 2) >= 4)
        return "check bet";
    return flush_length(deck, seat, 3, 4) >= 3 ? "check check bet" : "check check fold";
}

static const char *play_three_card_catch(const struct card deck[DECK], int seat)
{
    struct three_cards hand = best_three(&deck[SLOT_SEAT(seat, 0)], 3, true);

    return hand.rank > HIGH_CARD || hand.ranks[0] >= 11 ? "play" : "fold";
}

/* Queen-six-four and better. */
static const char *play_three_card_poker(const struct card deck[DECK], int seat)
{
    static const struct three_cards least = {.rank = HIGH_CARD, .ranks = {12, 6, 4}};
    struct three_cards hand = best_three(&deck[SLOT_SEAT(seat, 0)], 3, true);

    return three_cards_compare(&hand, &least) >= 0 ? "bet" : "fold";
}

static void seat_guest(const struct game *game, const struct guest *guest,
                       const struct card deck[DECK], struct round *round, int number)
{
    static const char *(*const play[GAMES])(const struct card *, int) = {
        play_flush_rush, play_chase_the_flush, play_three_card_catch, play_three_card_poker};
    struct seat *seat = &round->seats[number];

    seat->in = true;
    seat->stake[ANTE] = guest->ante;
    if (game->x_tra)
        seat->stake[X_TRA] = guest->ante;
    seat->stake[game->side] = guest->side;
    if (game->progressive >= 0 && guest->progressive)
        seat->stake[game->progressive] = 500;
    snprintf(seat->play, sizeof seat->play, "%s", play[game - oracle_games](deck, number));
}

void deal_evening(const struct game *game, uint64_t seed, int count, FILE *out)
{
    struct chance chance = {seed};
    struct guest guests[GUESTS + 1] = {0};
    struct table table;
    char note[160];

    table_init(&table, game);
    snprintf(note, sizeof note,
             "made, not recorded from a device: oracle --evening %s %llu %d; a fair seeded deck",
             game->name, (unsigned long long)seed, count);
    line_write(header_json(&table, note), out);
    for (int number = 1; number <= count;) {
        struct round round = {.number = number};
        struct card deck[DECK];
        int seated = 0;

        deck_shuffle(&chance, deck);
        for (int seat = 1; seat <= GUESTS; seat++) {
            guest_moves(&chance, &guests[seat]);
            if (guests[seat].seated) {
                seat_guest(game, &guests[seat], deck, &round, seat);
                seated++;
            }
        }
        if (!seated)
            continue;
        deck_deal(deck, &table, &round);
        line_write(round_json(&table, &round), out);
        number++;
    }
}
