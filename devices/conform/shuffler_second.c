/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What version 2 has of a shuffler besides: decks, numbers of four bytes, draws in any program. */
#include "devices/conform/shuffler.h"
#include "hal/base/plural.h"

static bool tells_decks(const struct suite *suite)
{
    return suite->capabilities & WIRE_TELLS_DECKS;
}

static bool hold_deck(struct suite *suite, const char *what, uint8_t deck)
{
    bool holds = tells_decks(suite) ? deck == 1 || deck == 2 : deck == 0;

    suite_hold(suite, "N7", holds, "%s has deck %u, and two decks are %sclaimed", what, deck,
               tells_decks(suite) ? "" : "not ");
    return suite_hold(suite, "VSH2", holds, "%s has deck %u", what, deck);
}

/* Leaves out so many bytes of a frame. */
static void cut(struct frame *frame, size_t at, size_t count)
{
    memmove(frame->payload + at, frame->payload + at + count, frame->size - at - count);
    frame->size = (uint8_t)(frame->size - count);
}

static bool has_bytes(struct suite *suite, const char *id, const struct frame *frame, size_t size,
                      const char *what)
{
    return suite_hold(suite, id, frame->size == size, "%s has %u byte%s, not %zu", what,
                      frame->size, plural(frame->size), size);
}

static void narrow_shuffled(struct suite *suite, struct frame *frame)
{
    struct conform_shuffler_follow *follow = conform_shuffler_of(suite);
    uint8_t deck = frame->payload[6];
    uint32_t number = wire_get32(frame->payload + 1);

    if (!has_bytes(suite, "VSH13", frame, 7, "SHUFFLED"))
        return;
    if (follow->whole)
        suite_hold(suite, "VSH1", number == follow->whole,
                   "SHUFFLED has the number %u, and SHUFFLE was answered with %u", (unsigned)number,
                   (unsigned)follow->whole);
    if (hold_deck(suite, "SHUFFLED", deck) && follow->deck && deck)
        suite_hold(suite, "VSH16", (deck == follow->deck) != follow->is_exchanged,
                   "deck %u is shuffled, and the last one was %u", deck, follow->deck);
    if (follow->has_loaded_deck)
        suite_hold(suite, "VSH12", deck == follow->loaded_deck,
                   "deck %u is shuffled, and LOAD ORDER was answered with %u", deck,
                   follow->loaded_deck);
    follow->has_loaded_deck = follow->is_exchanged = false;
    follow->deck = deck;
    frame->size--;
    cut(frame, 1, 2);
}

static void narrow_present(struct suite *suite, struct frame *frame)
{
    struct conform_shuffler_follow *follow = conform_shuffler_of(suite);
    uint8_t deck = frame->payload[3];

    if (!suite_hold(suite, "VSH14", frame->size >= 4 && frame->size == 4u + frame->payload[1],
                    "PACKET PRESENT has %u byte%s for %u card%s: what follows may be a card",
                    frame->size, plural(frame->size), frame->payload[1], plural(frame->payload[1])))
        return;
    if (hold_deck(suite, "PACKET PRESENT", deck) && follow->deck)
        suite_hold(suite, "VSH15", deck == follow->deck,
                   "PACKET PRESENT has deck %u, and deck %u was shuffled", deck, follow->deck);
    cut(frame, 3, 1);
}

/* Draws stand where version 1 has the number of a deal, of which there is none. */
static void narrow_status(struct suite *suite, struct frame *frame)
{
    struct conform_shuffler_follow *follow = conform_shuffler_of(suite);
    uint8_t *at = frame->payload;

    if (!has_bytes(suite, "VSH3", frame, 12, "STATUS, without log and clocks,"))
        return;
    if (follow->is_programmed)
        suite_hold(suite, "VSH10", at[10] == follow->draws,
                   "STATUS has %u draws, and %u were programmed", at[10], follow->draws);
    at[10] = follow->program;
    if (follow->whole && at[0] != SHUFFLER_SHUFFLING && !follow->is_refused)
        suite_hold(suite, "VSH1", wire_get32(at + 6) == follow->whole,
                   "STATUS has %u as the last shuffle, not %u", (unsigned)wire_get32(at + 6),
                   (unsigned)follow->whole);
    cut(frame, 6, 2);
}

static void narrow_load(struct suite *suite, struct frame *frame)
{
    struct conform_shuffler_follow *follow = conform_shuffler_of(suite);

    if (!has_bytes(suite, "VSH7", frame, 5, "the reply to LOAD ORDER"))
        return;
    follow->loaded_deck = frame->payload[4];
    follow->has_loaded_deck = hold_deck(suite, "the reply to LOAD ORDER", frame->payload[4]);
    frame->size--;
    cut(frame, 0, 2);
}

void conform_shuffler_narrow(struct suite *suite, struct frame *frame)
{
    struct conform_shuffler_follow *follow = conform_shuffler_of(suite);

    switch (frame->type) {
    case SHUFFLER_SHUFFLED:
        narrow_shuffled(suite, frame);
        break;
    case SHUFFLER_PACKET_PRESENT:
        narrow_present(suite, frame);
        break;
    case WIRE_STATUS | WIRE_ANSWER:
        narrow_status(suite, frame);
        break;
    case SHUFFLER_LOAD_ORDER | WIRE_ANSWER:
        narrow_load(suite, frame);
        break;
    case SHUFFLER_SHUFFLE | WIRE_ANSWER:
        if (!has_bytes(suite, "VSH5", frame, 4, "the reply to SHUFFLE"))
            return;
        follow->whole = wire_get32(frame->payload);
        cut(frame, 0, 2);
        break;
    case SHUFFLER_TEST_MODE | WIRE_ANSWER:
        if (has_bytes(suite, "VSH6", frame, 5, "the reply to TEST MODE"))
            cut(frame, 1, 2);
        break;
    default:
        break;
    }
}

/* The order is for the deck that is shuffled next. */
void conform_shuffler_widen(struct suite *suite, struct frame *request)
{
    (void)suite;
    if (request->type != SHUFFLER_LOAD_ORDER || request->size == FRAME_PAYLOAD_MAX)
        return;
    memmove(request->payload + 1, request->payload, request->size++);
    request->payload[0] = 0;
}

static void try_programs(struct suite *suite)
{
    static const struct conform_shuffler_program programs[] = {
        {"VSH8", "packets of 3 and 3", {0, 0, 2, 3, 3}, 5, 2, 0, 0, {3, 3}},
        {"VSH8", "burn 1, packets of 5 and 2", {1, 0, 2, 5, 2}, 5, 3, 0, 0, {1, 5, 2}},
        {"VSH9", "a program without a packet", {1, 0, 0}, 3, 0, 0, 3, {0}},
        {"VSH9", "a program with an empty packet", {0, 0, 2, 4, 0}, 5, 0, 0, 3, {0}},
        {"VSH9", "a program of 53 cards", {3, 0, 2, 25, 25}, 5, 0, 0, 3, {0}},
        {"VSH9", "packets and draws of 53 cards", {0, 3, 2, 25, 25}, 5, 0, 0, 3, {0}},
        {"VSH9", "a program that is cut", {0, 0, 2, 4}, 4, 0, 0, 2, {0}},
        {"VSH9", "a program with a byte too many", {0, 0, 1, 4, 4}, 5, 0, 0, 2, {0}},
        {"VSH9", "a program of two bytes", {0, 0}, 2, 0, 0, 2, {0}},
    };
    static const struct conform_shuffler_program draws = {
        "N6", "a packet of 2, three draws", {0, 3, 1, 2}, 4, 1, 3, 0, {2}};
    static const struct conform_shuffler_program refused = {
        "N6", "a packet of 2, three draws, which are not claimed,", {0, 3, 1, 2}, 4, 0, 0, 3, {0}};

    for (unsigned i = 0; i < sizeof programs / sizeof programs[0]; i++)
        conform_shuffler_send(suite, &programs[i]);
    conform_shuffler_send(suite, suite->capabilities & WIRE_DRAWS ? &draws : &refused);
    suite_hold(suite, "VSH4", suite->has_reply, "PROGRAM has no answer");
    suite_settle(suite);
}

/* LOAD ORDER for a deck by its number. */
static int load_deck(struct suite *suite, uint8_t deck)
{
    uint8_t payload[1 + DECK_SIZE] = {deck};
    int status;

    suite_deck(payload + 1);
    suite_mark(suite);
    suite->is_raw = true;
    status = suite_try(suite, SHUFFLER_LOAD_ORDER, payload, sizeof payload);
    suite->is_raw = false;
    if (!status)
        conform_shuffler_of(suite)->is_loaded = true;
    return status;
}

/* Of two decks one is the next; with one deck neither is. */
static void try_decks(struct suite *suite)
{
    struct conform_shuffler_follow *follow = conform_shuffler_of(suite);
    int first, second;

    if (!(suite->capabilities & WIRE_HAS_TEST_MODE) || conform_shuffler_mode(suite, true) != 0) {
        suite_not_offered(suite, "VSH11", "the device has no test mode");
        return;
    }
    suite_settle(suite);
    follow->mode_changes = 0;
    first = load_deck(suite, 1);
    second = load_deck(suite, 2);
    suite_hold(suite, "VSH11",
               tells_decks(suite) ? (first == 0 && second == REFUSED_VALUE) ||
                                        (second == 0 && first == REFUSED_VALUE)
                                  : first == REFUSED_VALUE && second == REFUSED_VALUE,
               "LOAD ORDER for deck 1 has the answer %d, and for deck 2 %d", first, second);
    suite_hold(suite, "VSH11", load_deck(suite, 3) == REFUSED_VALUE,
               "LOAD ORDER for deck 3 is not refused with 3");
    suite_deck(follow->order);
    conform_shuffler_mode(suite, false);
    suite_settle(suite);
    follow->mode_changes = 0;
}

static void try_second(struct suite *suite)
{
    static const struct conform_shuffler_program plain = {
        "VSH8", "burn 2, packets of 3 and 4", {2, 0, 2, 3, 4}, 5, 3, 0, 0, {2, 3, 4}};
    static const struct conform_shuffler_program draws = {
        "VSH8", "burn 2, packets of 3 and 4, a draw", {2, 1, 2, 3, 4}, 5, 3, 1, 0, {2, 3, 4}};

    suite_settle(suite);
    try_programs(suite);
    try_decks(suite);
    conform_shuffler_try_shuffles(suite);
    if (suite->conform->hands) {
        conform_shuffler_play(suite, suite->capabilities & WIRE_DRAWS ? &draws : &plain, false);
        conform_shuffler_recover(suite);
    }
    suite_settle(suite);
}

#define NOBODY "nobody takes packets: --hands where somebody does"

static const struct conform_clause clauses[] = {
    {"N6", try_second, NULL},      {"N7", try_second, NULL},
    {"VSH1", try_second, NULL},    {"VSH2", try_second, NULL},
    {"VSH3", try_second, NULL},    {"VSH4", try_second, NULL},
    {"VSH5", try_second, NULL},    {"VSH6", try_second, NULL},
    {"VSH7", try_second, NULL},    {"VSH8", try_second, NULL},
    {"VSH9", try_second, NULL},    {"VSH10", try_second, NULL},
    {"VSH11", try_second, NULL},   {"VSH12", try_second, NULL},
    {"VSH13", try_second, NULL},   {"VSH14", try_second, NOBODY},
    {"VSH15", try_second, NOBODY}, {"VSH16", try_second, "the device has one deck"},
};
static const struct conform_chapter shuffler_chapter =
    CONFORM_CHAPTER_2("shuffler of version 2", FRAME_SHUFFLER, clauses);
REGISTER(conform_chapters, shuffler_chapter);
