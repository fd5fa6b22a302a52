/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A round that was played against what was recorded and what was expected. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rigs/run/dealer/dealer.h"
#include "rigs/run/round.h"

const char *run_cards_text(const card_t *cards, unsigned count, char text[RUN_CARDS_TEXT])
{
    char *at = text;

    *at++ = '"';
    for (unsigned i = 0; i < count; i++) {
        if (i)
            *at++ = ' ';
        card_format(cards[i], at);
        at += 2;
    }
    strcpy(at, "\"");
    return text;
}

/* The seat of a packet; 0 for those of the dealer, the board and the burn. */
static unsigned seat_of(const struct deal_step *steps, size_t count, unsigned packet)
{
    return packet < count ? steps[packet].seat : 0;
}

/* Whether the cards of a packet were recorded, but as another packet. */
static bool is_elsewhere(const struct round *recorded, const card_t *cards, unsigned count)
{
    for (unsigned i = 0, at = 0; i < recorded->packet_count; at += recorded->packet[i++])
        if (recorded->packet[i] == count && !memcmp(recorded->dealt + at, cards, count))
            return true;
    return false;
}

/* Neither recording nor engine know of a packet that came after a misdeal. */
static void differ(struct run *run, unsigned packet, unsigned seat, const card_t *expected,
                   const card_t *got, const char *why)
{
    const struct round *recorded = &run->round.recorded.round;
    unsigned count = run->round.dealt.packet[packet];
    bool is_swept = packet >= recorded->packet_count;
    char wanted[RUN_CARDS_TEXT], found[RUN_CARDS_TEXT];

    run_cards_text(expected, count, wanted);
    run_cards_text(got, count, found);
    check_fail(run->book,
               is_elsewhere(recorded, got, count) ? CHECK_PACKET_ORDER : CHECK_DEALT_CARDS,
               (struct check_result){.seat = seat,
                                     .expected = wanted,
                                     .got = found,
                                     .recording = is_swept ? NULL : wanted,
                                     .engine = is_swept ? NULL : found,
                                     .device = found,
                                     .why = why,
                                     .witness = run->round.witness});
}

bool run_dealt_as_recorded(const struct run *run)
{
    const struct round *recorded = &run->round.recorded.round, *dealt = &run->round.dealt;

    return dealt->dealt_count == recorded->dealt_count &&
           !memcmp(dealt->dealt, recorded->dealt, dealt->dealt_count);
}

/* What is dealt one by one is no packet. */
static const char *unit_of(const struct run *run)
{
    return run->recording.header->setup.deal == DEAL_CARDS ? "card" : "packet";
}

/* A packet against the one that was due; cards that nobody knows beforehand are NULL. */
static void compare_packet(struct run *run, unsigned packet, const struct deal_step *due,
                           const card_t *cards, const card_t *dealt)
{
    const struct round *recorded = &run->round.recorded.round;
    unsigned found = run->round.dealt.packet[packet];
    char why[48];

    if (run->round.unknown >> packet & 1) {
        check_skip(run->book, CHECK_DEALT_CARDS, "nobody has read the cards of a packet");
        return;
    }
    if (due->cards == found) {
        check_pass(run->book, CHECK_PACKET_SIZE);
        if (!cards)
            return;
        if (!memcmp(cards, dealt, found)) {
            check_pass(run->book, CHECK_DEALT_CARDS);
            return;
        }
    }
    snprintf(why, sizeof why, "%s %u%s", unit_of(run), packet + 1,
             packet < recorded->packet_count ? "" : ", after the misdeal");
    if (due->cards != found)
        check_number(run->book, CHECK_PACKET_SIZE, due->seat, NULL, due->cards, found, why);
    else
        differ(run, packet, due->seat, cards, dealt, why);
}

/*
 * What a shuffler brings of its program after a misdeal was not recorded; its cards are known where
 * the whole order of the deck was given.
 */
static void compare_what_came(struct run *run)
{
    const struct round *recorded = &run->round.recorded.round, *got = &run->round.dealt;
    bool is_whole = run->recording.loads_order || run->round.recorded.has_deck;
    unsigned known = is_whole ? DECK_SIZE : recorded->dealt_count, at = 0, found = 0;
    struct deal_step steps[PACKETS_MAX];
    size_t count = game_deal(&run->recording.header->setup, recorded->seats, steps);
    card_t order[DECK_SIZE];

    run_dealer_order(run, order);
    for (unsigned i = 0; i < got->packet_count; i++) {
        struct deal_step due = {.seat = (uint8_t)seat_of(steps, count, i)};

        if (i < recorded->packet_count)
            due.cards = recorded->packet[i];
        else if (i < count)
            due.cards = steps[i].cards;
        else
            break;
        compare_packet(run, i, &due, at + due.cards <= known ? order + at : NULL,
                       got->dealt + found);
        at += due.cards;
        found += got->packet[i];
    }
}

static void compare_packets(struct run *run)
{
    const struct round *expected = &run->round.recorded.round, *got = &run->round.dealt;
    char why[32];

    compare_what_came(run);
    snprintf(why, sizeof why, "%ss of the round", unit_of(run));
    if (!expected->is_void || got->packet_count < expected->packet_count)
        check_number(run->book, CHECK_PACKET_ORDER, 0, NULL, expected->packet_count,
                     got->packet_count, why);
}

/* Packets that a shuffler brings after a misdeal are of no hand any more. */
static void drop_swept(struct run *run)
{
    const struct round *recorded = &run->round.recorded.round;
    struct round *dealt = &run->round.dealt;

    while (recorded->is_void && dealt->packet_count > recorded->packet_count)
        dealt->dealt_count = (uint8_t)(dealt->dealt_count - dealt->packet[--dealt->packet_count]);
}

static void check_conservation(struct run *run)
{
    const struct round *dealt = &run->round.dealt;
    size_t twice = cards_once(dealt->dealt, dealt->dealt_count);
    char text[RUN_CARDS_TEXT];

    if (run->round.unknown) {
        check_skip(run->book, CHECK_CARD_CONSERVATION, "nobody has read the cards of a packet");
        return;
    }
    if (twice == dealt->dealt_count) {
        check_pass(run->book, CHECK_CARD_CONSERVATION);
        return;
    }
    run_cards_text(&dealt->dealt[twice], 1, text);
    check_fail(run->book, CHECK_CARD_CONSERVATION,
               (struct check_result){.expected = "1",
                                     .got = text,
                                     .device = text,
                                     .why = "the device dealt this card twice",
                                     .witness = run->round.witness});
}

/* Without a recording the deal program alone says what comes, and every draw is one card. */
static void check_packets(struct run *run)
{
    struct deal_step steps[PACKETS_MAX];
    size_t count = game_deal(&run->recording.header->setup, run->round.dealt.seats, steps);
    char why[32];

    for (unsigned i = 0; i < run->round.dealt.packet_count; i++) {
        snprintf(why, sizeof why, "%s %u", unit_of(run), i + 1);
        check_number(run->book, CHECK_PACKET_SIZE, seat_of(steps, count, i), NULL,
                     i < count ? steps[i].cards : 1, run->round.dealt.packet[i], why);
    }
}

void run_check_deal(struct run *run)
{
    check_packets(run);
    check_conservation(run);
    run_check_decks(run);
    run_check_leak(run);
}

void run_compare_deal(struct run *run)
{
    compare_packets(run);
    check_conservation(run);
    run_check_decks(run);
    run_check_leak(run);
    drop_swept(run);
}

void run_compare_begun(struct run *run)
{
    if (!run->round.dealt.dealt_count)
        return;
    compare_what_came(run);
    check_conservation(run);
    run_check_decks(run);
}

void run_settle(struct run *run)
{
    struct error error = {0};

    run->round.after = run->recording.meters;
    run->round.is_settled = !game_settle(&run->recording.header->setup, &run->round.dealt,
                                         &run->round.outcome, &error) &&
                            !game_settle_meters(&run->recording.header->setup, &run->round.dealt,
                                                &run->round.after, &run->round.outcome, &error);
    run->round.line_length =
        run->round.is_settled ? expect_write(run->line, run->recording.header->setup.game,
                                             &run->round.outcome, &run->round.after)
                              : expect_write_error(run->line, &run->round.dealt.number, error.text);
}

static const enum check check_of[] = {
    [EXPECT_ROUND] = CHECK_EXPECTATION,        [EXPECT_MISSING] = CHECK_EXPECTATION,
    [EXPECT_UNEXPECTED] = CHECK_EXPECTATION,   [EXPECT_ERROR] = CHECK_REFUSED_ROUND,
    [EXPECT_BOARD] = CHECK_DEALT_CARDS,        [EXPECT_BURNED] = CHECK_BURNED_CARDS,
    [EXPECT_DEALER] = CHECK_DEALT_CARDS,       [EXPECT_DEALER_CARDS] = CHECK_DEALT_CARDS,
    [EXPECT_DEALER_HAND] = CHECK_HAND_NAME,    [EXPECT_DEALER_QUALIFIES] = CHECK_DEALER_QUALIFIES,
    [EXPECT_DEALER_OTHER] = CHECK_EXPECTATION, [EXPECT_SEATS] = CHECK_WAGER_OUTCOME,
    [EXPECT_SEAT] = CHECK_WAGER_OUTCOME,       [EXPECT_SEAT_CARDS] = CHECK_DEALT_CARDS,
    [EXPECT_SEAT_HAND] = CHECK_HAND_NAME,      [EXPECT_SEAT_WAGER] = CHECK_WAGER_OUTCOME,
    [EXPECT_JACKPOTS] = CHECK_JACKPOTS,        [EXPECT_JACKPOT] = CHECK_JACKPOTS,
    [EXPECT_METERS] = CHECK_METER_VALUES,      [EXPECT_METER] = CHECK_METER_VALUES,
    [EXPECT_OTHER] = CHECK_EXPECTATION,
};

/* A missing value is null in JSON. */
static const char *json_of(const char *value)
{
    return *value ? value : "null";
}

static const char *who_disagrees(const struct run *run)
{
    if (!run->round.dealt.dealt_count)
        return "no device was asked; expectation and engine disagree";
    return run_dealt_as_recorded(run)
               ? "the device dealt what was recorded; expectation and engine disagree"
               : "the device dealt other cards than were recorded";
}

static void enter_difference(struct run *run, const struct expect_difference *difference)
{
    const char *expected = json_of(difference->expected), *got = json_of(difference->got);
    bool is_named = difference->place == EXPECT_SEAT_WAGER || difference->place == EXPECT_METER ||
                    difference->place == EXPECT_OTHER || difference->place == EXPECT_DEALER_OTHER ||
                    (difference->place == EXPECT_SEAT && !difference->seat);

    check_fail(run->book, check_of[difference->place],
               (struct check_result){.seat = difference->seat,
                                     .wager = is_named ? difference->name : NULL,
                                     .expected = expected,
                                     .got = got,
                                     .recording = expected,
                                     .engine = got,
                                     .why = who_disagrees(run)});
}

/* What an expectation that is met has proven of a round: that it is refused, or all of these. */
static const enum check outcome_checks[] = {
    CHECK_BURNED_CARDS, CHECK_WAGER_OUTCOME, CHECK_HAND_NAME,   CHECK_JACKPOTS,
    CHECK_METER_VALUES, CHECK_REFUSED_ROUND, CHECK_EXPECTATION, CHECK_DEALER_QUALIFIES};
#define OUTCOME_CHECKS (sizeof outcome_checks / sizeof outcome_checks[0])

static void pass_outcome(struct run *run)
{
    if (!run->round.is_settled) {
        check_pass(run->book, CHECK_REFUSED_ROUND);
        check_pass(run->book, CHECK_EXPECTATION);
        return;
    }
    for (unsigned i = 0; i < OUTCOME_CHECKS; i++)
        check_pass(run->book, outcome_checks[i]);
}

void run_skip_outcome(struct run *run)
{
    for (unsigned i = 0; i < OUTCOME_CHECKS; i++)
        check_skip(run->book, outcome_checks[i], "the device dealt other cards than were recorded");
}

#define DIFFERENCES_MAX 128

int run_compare_outcome(struct run *run, const char *expected, size_t length, struct error *error)
{
    struct expect_difference differences[DIFFERENCES_MAX];
    int count;

    if (!expected) {
        bool is_empty = memmem(run->line, run->round.line_length, RECORDING_EMPTY_LINE,
                               strlen(RECORDING_EMPTY_LINE));

        check_fail(run->book, CHECK_EXPECTATION,
                   (struct check_result){.expected = "null",
                                         .got = "\"a round\"",
                                         .why = is_empty ? "the line of the recording is empty; "
                                                           "remove it"
                                                         : "the expectation ends before the "
                                                           "recording does"});
        return 0;
    }
    count = expect_compare(expected, length, run->line, run->round.line_length - 1, differences,
                           DIFFERENCES_MAX, error);
    if (count < 0)
        return error->code = ERROR_CONFIG;
    if (!count)
        pass_outcome(run);
    for (int i = 0; i < count && i < DIFFERENCES_MAX; i++)
        enter_difference(run, &differences[i]);
    return 0;
}
