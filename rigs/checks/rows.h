/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The checks of a run, a row each: its name in the code and in files, what must be so, where that
 * is written, and what it takes to prove it (enum check_need). They stand in the order in which
 * they are listed. A row is all that it takes to add a check, beside the function that judges it.
 */
#ifndef RIGS_CHECKS_ROWS_H
#define RIGS_CHECKS_ROWS_H

#define CHECK_SHEETS   "games/RULES.md"
#define CHECK_PROTOCOL "devices/PROTOCOL.md"
#define CHECK_FORMATS  "rigs/FORMATS.md"

/* clang-format off */
#define CHECK_ROWS(ROW)                                                                            \
    ROW(PACKET_SIZE, "packet-size",                                                                \
        "a packet has as many cards as the deal program says",                                     \
        CHECK_SHEETS ": Deck and deal; " CHECK_PROTOCOL ": Shuffler",                              \
        CHECK_NEEDS_PACKETS | CHECK_NEEDS_CARDS)                                                   \
    ROW(PACKET_ORDER, "packet-order",                                                              \
        "packets come seat by seat, dealer, community, each in its turn",                          \
        CHECK_SHEETS ": Deck and deal",                                                            \
        CHECK_NEEDS_TURNS)                                                                         \
    ROW(DEALT_CARDS, "dealt-cards",                                                                \
        "the device deals the cards that were recorded",                                           \
        CHECK_FORMATS ": Rounds",                                                                  \
        CHECK_NEEDS_RECORDING | CHECK_NEEDS_CARDS)                                                 \
    ROW(CARD_CONSERVATION, "card-conservation",                                                    \
        "each of 52 cards exists once, and is of the deck that is dealt",                          \
        CHECK_SHEETS ": Deck and deal",                                                            \
        CHECK_NEEDS_CARDS)                                                                         \
    ROW(DECK_TURNS, "deck-turns",                                                                  \
        "of two decks the one is dealt whose turn it is",                                          \
        CHECK_FORMATS ": Two decks",                                                               \
        CHECK_NEEDS_TWO_DECKS | CHECK_NEEDS_BACKS)                                                 \
    ROW(BURNED_CARDS, "burned-cards",                                                              \
        "burned cards are those expected",                                                         \
        CHECK_SHEETS ": Deck and deal; " CHECK_FORMATS ": Expectations",                           \
        CHECK_NEEDS_BURN | CHECK_NEEDS_RECORDING | CHECK_NEEDS_CARDS)                              \
    ROW(DRAWS, "draws",                                                                            \
        "exactly those draw who must",                                                             \
        CHECK_SHEETS ": 3 Card Catch",                                                             \
        CHECK_NEEDS_DRAWS | CHECK_NEEDS_RECORDING | CHECK_NEEDS_CARDS)                             \
    ROW(WAGER_OUTCOME, "wager-outcome",                                                            \
        "every wager wins or loses what the sheet says",                                           \
        CHECK_SHEETS ": Paytables, Flush Rush, Chase the Flush, 3 Card Catch, Three Card Poker",   \
        CHECK_NEEDS_RECORDING | CHECK_NEEDS_CARDS)                                                 \
    ROW(HAND_NAME, "hand-name",                                                                    \
        "a hand is called what it is",                                                             \
        CHECK_SHEETS ": Flush Rush, Chase the Flush, 3 Card Catch, Three Card Poker",              \
        CHECK_NEEDS_RECORDING | CHECK_NEEDS_CARDS)                                                 \
    ROW(DEALER_QUALIFIES, "dealer-qualifies",                                                      \
        "the dealer qualifies when he should",                                                     \
        CHECK_SHEETS ": Chase the Flush, Three Card Poker",                                        \
        CHECK_NEEDS_QUALIFYING | CHECK_NEEDS_RECORDING | CHECK_NEEDS_CARDS)                        \
    ROW(REFUSED_ROUND, "refused-round",                                                            \
        "a round is settled, or refused for that reason",                                          \
        CHECK_FORMATS ": Expectations",                                                            \
        CHECK_NEEDS_NOTHING)                                                                       \
    ROW(EXPECTATION, "expectation",                                                                \
        "each round has one expectation, in the same order",                                       \
        CHECK_FORMATS ": Expectations",                                                            \
        CHECK_NEEDS_RECORDING)                                                                     \
    ROW(JACKPOTS, "jackpots",                                                                      \
        "jackpots go to the right seats in the right order",                                       \
        CHECK_SHEETS ": STAX, 3 Card Catch, Meters",                                               \
        CHECK_NEEDS_PROGRESSIVE | CHECK_NEEDS_AWARDS)                                              \
    ROW(PROCEDURE, "procedure",                                                                    \
        "who has won is paid, in turn, for the hand and the sum that were won",                    \
        CHECK_SHEETS ": The dealer terminal, Meters",                                              \
        CHECK_NEEDS_PROGRESSIVE | CHECK_NEEDS_TERMINAL)                                            \
    ROW(METER_VALUES, "meter-values",                                                              \
        "every meter has its exact value after every step",                                        \
        CHECK_SHEETS ": Meters",                                                                   \
        CHECK_NEEDS_PROGRESSIVE | CHECK_NEEDS_AWARDS)                                              \
    ROW(METER_RULES, "meter-rules",                                                                \
        "reseeds and rates that a terminal was found with are those of the sheets",                \
        CHECK_SHEETS ": STAX, 3 Card Catch, Meters",                                               \
        CHECK_NEEDS_PROGRESSIVE | CHECK_NEEDS_TERMINAL | CHECK_NEEDS_SCREENS)                      \
    ROW(MUST_HIT_CEILING, "must-hit-ceiling",                                                      \
        "Must Hit never passes its ceiling",                                                       \
        CHECK_SHEETS ": Must Hit",                                                                 \
        CHECK_NEEDS_MUST_HIT | CHECK_NEEDS_TERMINAL)                                               \
    ROW(MUST_HIT_SEAT, "must-hit-seat",                                                            \
        "Must Hit goes to a paid seat, at END ROUND only",                                         \
        CHECK_SHEETS ": Must Hit",                                                                 \
        CHECK_NEEDS_MUST_HIT | CHECK_NEEDS_TERMINAL)                                               \
    ROW(LIGHTS, "lights",                                                                          \
        "lights, lamps and events show the locked wagers of a round",                              \
        CHECK_SHEETS ": The dealer terminal",                                                      \
        CHECK_NEEDS_PROGRESSIVE | CHECK_NEEDS_TERMINAL)                                            \
    ROW(SIGN_AMOUNT, "sign-amount",                                                                \
        "the sign shows what is paid, to whom and until OK",                                       \
        CHECK_SHEETS ": The dealer terminal",                                                      \
        CHECK_NEEDS_PROGRESSIVE | CHECK_NEEDS_TERMINAL)                                            \
    ROW(AMOUNT_HIDDEN, "amount-hidden",                                                            \
        "no amount is shown before the code",                                                      \
        CHECK_SHEETS ": The dealer terminal",                                                      \
        CHECK_NEEDS_PROGRESSIVE | CHECK_NEEDS_TERMINAL | CHECK_NEEDS_SCREENS)                      \
    ROW(KEY_REFUSALS, "key-refusals",                                                              \
        "a key is refused exactly when it should be",                                              \
        CHECK_PROTOCOL ": States and keys",                                                        \
        CHECK_NEEDS_PROGRESSIVE | CHECK_NEEDS_TERMINAL)                                            \
    ROW(AUTHORIZATION, "authorization",                                                            \
        "a wrong code is refused, of an award as of the administrator",                            \
        CHECK_PROTOCOL ": States and keys, Requests",                                              \
        CHECK_NEEDS_PROGRESSIVE | CHECK_NEEDS_TERMINAL)                                            \
    ROW(WAGERS_SENSED, "wagers-sensed",                                                            \
        "sensors see the wagers that were placed, when they were",                                 \
        CHECK_PROTOCOL ": Bet sensors",                                                            \
        CHECK_NEEDS_PROGRESSIVE | CHECK_NEEDS_SENSORS | CHECK_NEEDS_TERMINAL | CHECK_NEEDS_WAGERS) \
    ROW(EVENT_LOG, "event-log",                                                                    \
        "a device's log tells what happened, its ledger what was paid",                            \
        CHECK_PROTOCOL ": 0x04 LOG, Shuffler, Shoe, Terminal",                                     \
        CHECK_NEEDS_LOG)                                                                           \
    ROW(STATUS, "status",                                                                          \
        "a device's STATUS says what it has done and what it is",                                  \
        CHECK_PROTOCOL ": 0x03 STATUS, Shuffler, Shoe, Bet sensors",                               \
        CHECK_NEEDS_STATUS)                                                                        \
    ROW(TIMING, "timing",                                                                          \
        "nothing takes longer than the rig allows",                                                \
        "rigs/RIGS.md: Times",                                                                     \
        CHECK_NEEDS_NOTHING)                                                                       \
    ROW(ORDER_LEAK, "order-leak",                                                                  \
        "no card is on the wire before its packet, in whatever frame",                             \
        CHECK_PROTOCOL ": Shuffler, Shoe",                                                         \
        CHECK_NEEDS_WIRE)                                                                          \
    ROW(TEST_MODE_ANNOUNCED, "test-mode-announced",                                                \
        "no device is in test mode silently",                                                      \
        CHECK_PROTOCOL ": Shuffler, Shoe, Terminal",                                               \
        CHECK_NEEDS_TEST_MODE)                                                                     \
    ROW(FRAMES, "frames",                                                                          \
        "no event is lost, no frame comes that answers nothing",                                   \
        CHECK_PROTOCOL ": Conversations",                                                          \
        CHECK_NEEDS_NUMBERS)                                                                       \
    ROW(IDENTITY, "identity",                                                                      \
        "a device is the one that the rig file names, and the same one to the end",                \
        CHECK_PROTOCOL ": 0x02 IDENTITY; devices/GAT.md: What is compared; "                       \
                       "rigs/RIGS.md: Who a device is, What its software comes to",                \
        CHECK_NEEDS_IDENTITY)                                                                      \
    ROW(SHUFFLE, "shuffle",                                                                        \
        "orders that a device makes itself are those of a uniform shuffle",                        \
        "rigs/SHUFFLES.md: The tests",                                                             \
        CHECK_NEEDS_OWN_ORDER | CHECK_NEEDS_CARDS)                                                 \
    ROW(DEALT_LINES, "dealt-lines",                                                                \
        "hands of a live table come to each line as often as its exact law says",                  \
        "games/PAR.md: Hands of a live table",                                                     \
        CHECK_NEEDS_OWN_ORDER | CHECK_NEEDS_CARDS)                                                 \
    ROW(MUST_HIT_RANDOM, "must-hit-random",                                                        \
        "Must Hit goes to any eligible seat, at any value up to its ceiling",                      \
        CHECK_SHEETS ": Must Hit; " CHECK_PROTOCOL ": Meters",                                     \
        CHECK_NEEDS_MUST_HIT | CHECK_NEEDS_TERMINAL | CHECK_NEEDS_OWN_DRAW)
/* clang-format on */

#endif
