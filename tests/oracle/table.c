/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/oracle/table.h"

#include <stdarg.h>

#define DOLLARS(n) ((int64_t)(n)*MILLIONTHS_PER_DOLLAR)
#define METER(name, reseed, rate)                                                                  \
    {                                                                                              \
        name, DOLLARS(reseed), rate, DOLLARS(reseed)                                               \
    }

const struct game oracle_games[GAMES] = {
    [FLUSH_RUSH] = {.name = "flush-rush",
                    .wagers = {"ante", "bet-1", "bet-2", "all-or-nothing"},
                    .by_decision = "bet-1 bet-2",
                    .tables = {[ANTE] = "s", [ALL_OR_NOTHING] = "s"},
                    .progressive = -1,
                    .hole_cards = 4,
                    .board_cards = 4,
                    .side = ALL_OR_NOTHING,
                    .plays = {"fold", "bet fold", "bet bet"}},
    [CHASE_THE_FLUSH] = {.name = "chase-the-flush",
                         .wagers = {"ante", "x-tra", "all-in", "same-suit", "stax"},
                         .by_decision = "all-in",
                         .tables = {[X_TRA] = "BA", [SAME_SUIT] = "BA", [STAX] = "1"},
                         .progressive = STAX,
                         .hole_cards = 3,
                         .board_cards = 4,
                         .dealer = true,
                         .qualifies = true,
                         .x_tra = true,
                         .by_cards = true,
                         .side = SAME_SUIT,
                         .plays = {"bet", "check bet", "check check bet", "check check fold"},
                         .meters = {METER("star", 10000, 200), METER("spade", 2500, 500),
                                    METER("heart", 1000, 500), METER("diamond", 500, 500)},
                         .meter_count = 4,
                         .hands = {"7-card straight flush", "6-card straight flush",
                                   "A-K-Q-J-10 suited", "5-card straight flush", "A-K-Q-J suited",
                                   "4-card straight flush", "A-K-Q suited",
                                   "3-card straight flush"}},
    [THREE_CARD_CATCH] =
        {.name = "three-card-catch",
         .wagers = {"ante", "x-tra", "play", "natural-pair-plus", "progressive"},
         .by_decision = "play",
         .tables = {[X_TRA] = "12", [NATURAL_PAIR_PLUS] = "1234", [PROGRESSIVE] = "1"},
         .progressive = PROGRESSIVE,
         .hole_cards = 3,
         .dealer = true,
         .x_tra = true,
         .by_cards = true,
         .side = NATURAL_PAIR_PLUS,
         .plays = {"bet", "play", "fold"},
         .meters = {METER("1", 5000, 500), METER("2", 250, 400), METER("3", 250, 400),
                    METER("4", 250, 400), METER("5", 250, 400)},
         .meter_count = 5,
         .hands = {"natural royal flush in spades", "catch straight flush in spades",
                   "catch straight flush in diamonds", "catch straight flush in hearts",
                   "catch straight flush in clubs", "natural royal flush", "natural straight flush",
                   "natural three of a kind", "catch three of a kind", "catch straight"}},
    [THREE_CARD_POKER] = {.name = "three-card-poker",
                          .wagers = {"ante", "play", "pair-plus"},
                          .by_decision = "play",
                          .tables = {[ANTE] = "1", [PAIR_PLUS] = "12345"},
                          .progressive = -1,
                          .hole_cards = 3,
                          .dealer = true,
                          .qualifies = true,
                          .side = PAIR_PLUS,
                          .plays = {"bet", "play", "fold"}},
};

void round_error(struct round *round, const char *format, ...)
{
    va_list arguments;

    if (round->error[0])
        return;
    va_start(arguments, format);
    vsnprintf(round->error, sizeof round->error, format, arguments);
    va_end(arguments);
}

void round_decided(struct round *round, int wager, const char *line)
{
    round->decided[round->decided_count++] = (struct decided){wager, line};
}
