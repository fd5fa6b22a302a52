/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lies in which a device agrees with itself, or two devices with each other: the same falsehood in
 * each of their messages, so that only what somebody else knows can contradict it. An edit is of
 * one kind of message, or of entries of a log with one code; its place is in the payload, or in the
 * entry.
 */
#include <stdio.h>
#include <unistd.h>

#include "devices/wire/wire.h"
#include "rigs/journal/verify.h"
#include "tests/support/lies/altered_run.h"
#include "tests/support/suite.h"

enum edit_how { ADD, XOR, SET, SWAP };

#define WHOLE  -1 /* of the message, not of an entry of a log */
#define DETAIL 13
#define VALUE  14 /* and the byte after it */
#define TIME   4

struct edit {
    enum device_class from;
    uint8_t type;
    int code;
    uint8_t place;
    enum edit_how how;
    uint8_t value; /* with SWAP: the two bits that change places, as a set */
};

#define EDITS_MAX 8

static const struct lie {
    const char *name;
    const char *rig, *path;
    unsigned from_round, to_round; /* 0: from the beginning, to the end */
    bool is_allowed;               /* nobody can know better */
    struct edit edits[EDITS_MAX];
} lies[] = {
#define CHASE    ALTERED_SHUFFLER(""), "fixtures/chase-the-flush/evening-of-six-seats.shoe"
#define JACKPOTS ALTERED_SHUFFLER(""), "fixtures/chase-the-flush/jackpots-key-by-key.shoe"
#define LINES    ALTERED_SHUFFLER(""), "fixtures/three-card-catch/progressive-every-line.shoe"
#define MUST_HIT ALTERED_SHUFFLER(""), "fixtures/chase-the-flush/must-hit-award.shoe"
#define CANCEL   ALTERED_SHUFFLER(""), "fixtures/chase-the-flush/cancelled-round-adds-nothing.shoe"
#define CARD     ALTERED_SHOE(""), "fixtures/chase-the-flush/card-by-card-from-a-shoe.shoe"
#define SHUF     DEVICE_SHUFFLER
#define TERM     DEVICE_TERMINAL
#define UNIT     DEVICE_SENSORS
    /* clang-format off */
    {"shuffles are numbered from 256 on", CHASE, 0, 0, true,
     {{SHUF, 0x83, WHOLE, 6, ADD, 1},
      {SHUF, 0x91, WHOLE, 0, ADD, 1},
      {SHUF, 0x94, WHOLE, 1, ADD, 1},
      {SHUF, 0x95, WHOLE, 0, ADD, 1},
      {SHUF, 0x40, WHOLE, 1, ADD, 1},
      {SHUF, 0x84, 0x40, VALUE, ADD, 1}}},
    {"the number of a shuffle jumps in round 3", CHASE, 3, 0, false,
     {{SHUF, 0x83, WHOLE, 7, ADD, 9},
      {SHUF, 0x91, WHOLE, 1, ADD, 9},
      {SHUF, 0x94, WHOLE, 2, ADD, 9},
      {SHUF, 0x95, WHOLE, 1, ADD, 9},
      {SHUF, 0x40, WHOLE, 2, ADD, 9},
      {SHUF, 0x84, 0x40, VALUE + 1, ADD, 9}}},
    {"packets are counted from 1", CHASE, 0, 0, false,
     {{SHUF, 0x41, WHOLE, 0, ADD, 1},
      {SHUF, 0x42, WHOLE, 0, ADD, 1},
      {SHUF, 0x84, 0x41, DETAIL, ADD, 1},
      {SHUF, 0x84, 0x42, DETAIL, ADD, 1},
      {SHUF, 0x83, WHOLE, 3, ADD, 1},
      {SHUF, 0x83, WHOLE, 4, ADD, 1}}},
    {"another packet is taken, by event and log", CHASE, 2, 2, false,
     {{SHUF, 0x42, WHOLE, 0, XOR, 1}, {SHUF, 0x84, 0x42, DETAIL, XOR, 1}}},
    {"test mode is flagged nowhere", CHASE, 0, 0, false,
     {{SHUF, 0x81, WHOLE, 1, SET, 0},
      {SHUF, 0x83, WHOLE, 2, SET, 0},
      {SHUF, 0x40, WHOLE, 3, SET, 2},
      {SHUF, 0x41, WHOLE, 2, SET, 0},
      {SHUF, 0x84, 0x40, DETAIL, SET, 2}}},
    {"the order was not loaded, by event and log", CHASE, 2, 2, false,
     {{SHUF, 0x40, WHOLE, 3, SET, 1}, {SHUF, 0x84, 0x40, DETAIL, SET, 1}}},
    {"a packet is larger, by its log and the count of cards", CHASE, 2, 2, false,
     {{SHUF, 0x84, 0x41, VALUE + 1, ADD, 1}, {SHUF, 0x83, WHOLE, 5, ADD, 255}}},
    {"a deck of 51 cards, by SHUFFLED and STATUS", CHASE, 2, 2, false,
     {{SHUF, 0x40, WHOLE, 0, SET, 51}, {SHUF, 0x83, WHOLE, 5, ADD, 255}}},
    {"another program, by PROGRAM and STATUS", CHASE, 0, 0, false,
     {{SHUF, 0x90, WHOLE, 0, ADD, 1}, {SHUF, 0x83, WHOLE, 9, ADD, 1}}},
    {"the log's clock is a day ahead", CHASE, 0, 0, true,
     {{SHUF, 0x84, 0x40, TIME + 4, ADD, 5},
      {SHUF, 0x84, 0x41, TIME + 4, ADD, 5},
      {SHUF, 0x84, 0x42, TIME + 4, ADD, 5},
      {SHUF, 0x84, 0x45, TIME + 4, ADD, 5},
      {SHUF, 0x84, 0x47, TIME + 4, ADD, 5}}},
    {"the log's clock is beyond what a number of JSON can say, now and then", CHASE, 2, 0, false,
     {{UNIT, 0x84, 0x40, TIME, SET, 0xff}}},
    {"seats 2 and 3 are wired the other way round", CHASE, 0, 0, false,
     {{UNIT, 0x40, WHOLE, 0, SWAP, 0x0c},
      {UNIT, 0x41, WHOLE, 0, SWAP, 0x0c},
      {UNIT, 0x83, WHOLE, 3, SWAP, 0x0c},
      {UNIT, 0x84, 0x40, DETAIL, SWAP, 0x0c},
      {UNIT, 0x84, 0x41, DETAIL, SWAP, 0x0c}}},
    {"lamps 2 and 3 are wired the other way round", CHASE, 0, 0, false,
     {{UNIT, 0x83, WHOLE, 5, SWAP, 0x0c}}},
    {"a wager came late, by the log", CHASE, 2, 2, false, {{UNIT, 0x84, 0x40, 12, SET, 0x42}}},
    {"other seats are locked, by STATUS and log", CHASE, 2, 2, false,
     {{UNIT, 0x83, WHOLE, 4, XOR, 0x20}, {UNIT, 0x84, 0x10, DETAIL, XOR, 0x20}}},
    {"unit and terminal lock another seat", CHASE, 2, 2, false,
     {{UNIT, 0x83, WHOLE, 4, XOR, 0x20},
      {UNIT, 0x84, 0x10, DETAIL, XOR, 0x20},
      {TERM, 0x83, WHOLE, 3, XOR, 0x20},
      {TERM, 0x84, 3, DETAIL, XOR, 0x20},
      {TERM, 0x84, 5, DETAIL, XOR, 0x20}}},
    {"terminal and unit light another seat", CHASE, 2, 2, false,
     {{TERM, 0x94, WHOLE, 0, XOR, 0x20},
      {TERM, 0x41, WHOLE, 0, XOR, 0x20},
      {UNIT, 0x83, WHOLE, 5, XOR, 0x20}}},
    {"rounds are counted from 256 on", CHASE, 0, 0, true,
     {{TERM, 0x83, WHOLE, 7, ADD, 1},
      {TERM, 0x84, 3, VALUE, ADD, 1},
      {TERM, 0x84, 5, VALUE, ADD, 1}}},
    {"the count of rounds jumps in round 3", CHASE, 3, 0, false,
     {{TERM, 0x83, WHOLE, 8, ADD, 1},
      {TERM, 0x84, 3, VALUE + 1, ADD, 1},
      {TERM, 0x84, 5, VALUE + 1, ADD, 1}}},
    {"awards are counted from 256 on, of which the ledger has none", LINES, 0, 0, false,
     {{TERM, 0x83, WHOLE, 11, ADD, 1}, {TERM, 0x43, WHOLE, 2, ADD, 1}}},
    {"the count of awards jumps in round 2", LINES, 2, 0, false,
     {{TERM, 0x83, WHOLE, 12, ADD, 1}, {TERM, 0x43, WHOLE, 3, ADD, 1}}},
    {"a cent less on screen, sign, award and ledger", LINES, 2, 2, false,
     {{TERM, 0x95, WHOLE, 11, ADD, 255},
      {TERM, 0x40, WHOLE, 11, ADD, 255},
      {TERM, 0x93, WHOLE, 9, ADD, 255},
      {TERM, 0x45, WHOLE, 9, ADD, 255},
      {TERM, 0x43, WHOLE, 14, ADD, 255},
      {TERM, 0x98, WHOLE, 23, ADD, 255}}},
    {"another hand on screen, award, ledger and log", LINES, 2, 2, false,
     {{TERM, 0x95, WHOLE, 2, XOR, 1},
      {TERM, 0x40, WHOLE, 2, XOR, 1},
      {TERM, 0x43, WHOLE, 5, XOR, 1},
      {TERM, 0x98, WHOLE, 14, XOR, 1},
      {TERM, 0x84, 6, VALUE + 1, XOR, 1},
      {TERM, 0x84, 12, VALUE + 1, XOR, 1}}},
    {"another meter pays, by award, sign and ledger", LINES, 2, 2, false,
     {{TERM, 0x43, WHOLE, 6, XOR, 1},
      {TERM, 0x93, WHOLE, 1, XOR, 1},
      {TERM, 0x45, WHOLE, 1, XOR, 1},
      {TERM, 0x98, WHOLE, 15, XOR, 1}}},
    {"another seat is paid, by award, sign and ledger", JACKPOTS, 2, 2, false,
     {{TERM, 0x43, WHOLE, 4, XOR, 1},
      {TERM, 0x93, WHOLE, 0, XOR, 1},
      {TERM, 0x45, WHOLE, 0, XOR, 1},
      {TERM, 0x98, WHOLE, 13, XOR, 1}}},
    {"a refused key had another reason, by event and log", JACKPOTS, 0, 0, false,
     {{TERM, 0x46, WHOLE, 1, XOR, 1}, {TERM, 0x84, 16, VALUE, XOR, 1}}},
    {"a cancelled round has ended, by the log", CANCEL, 0, 0, false, {{TERM, 0x84, 4, 12, SET, 5}}},
    {"Must Hit is a cent less wherever it is told", MUST_HIT, 0, 0, false,
     {{TERM, 0x44, WHOLE, 14, ADD, 255},
      {TERM, 0x93, WHOLE, 9, ADD, 255},
      {TERM, 0x45, WHOLE, 9, ADD, 255},
      {TERM, 0x98, WHOLE, 23, ADD, 255}}},
    {"Must Hit goes to another seat wherever it is told", MUST_HIT, 0, 0, false,
     {{TERM, 0x44, WHOLE, 4, XOR, 1},
      {TERM, 0x93, WHOLE, 0, XOR, 1},
      {TERM, 0x45, WHOLE, 0, XOR, 1},
      {TERM, 0x98, WHOLE, 13, XOR, 1},
      {TERM, 0x84, 14, DETAIL, XOR, 1}}},
    {"cards of a shoe are counted from 1", CARD, 0, 0, false,
     {{DEVICE_SHOE, 0x40, WHOLE, 0, ADD, 1},
      {DEVICE_SHOE, 0x84, 0x40, DETAIL, ADD, 1},
      {DEVICE_SHOE, 0x83, WHOLE, 3, ADD, 1},
      {DEVICE_SHOE, 0x83, WHOLE, 4, ADD, 255}}},
    {"the order of a shoe was not loaded, wherever it is told", CARD, 0, 0, false,
     {{DEVICE_SHOE, 0x40, WHOLE, 2, SET, 1},
      {DEVICE_SHOE, 0x42, WHOLE, 3, SET, 1},
      {DEVICE_SHOE, 0x83, WHOLE, 7, SET, 0}}},
    {"a shoe is not in test mode, wherever it is told", CARD, 0, 0, false,
     {{DEVICE_SHOE, 0x40, WHOLE, 2, SET, 0},
      {DEVICE_SHOE, 0x42, WHOLE, 3, SET, 0},
      {DEVICE_SHOE, 0x83, WHOLE, 7, SET, 0},
      {DEVICE_SHOE, 0x83, WHOLE, 2, SET, 0},
      {DEVICE_SHOE, 0x81, WHOLE, 1, SET, 0}}},
    {"a shoe locks when it is told to unlock, by event and log", CARD, 0, 0, false,
     {{DEVICE_SHOE, 0x47, WHOLE, 0, XOR, 1}, {DEVICE_SHOE, 0x84, 0x47, DETAIL, XOR, 1}}},
    {"a card of a shoe is another, by event and log", CARD, 0, 0, false,
     {{DEVICE_SHOE, 0x40, WHOLE, 1, XOR, 1}, {DEVICE_SHOE, 0x84, 0x40, VALUE + 1, XOR, 1}}},
    {"decks of a shoe are numbered from 256 on", CARD, 0, 0, true,
     {{DEVICE_SHOE, 0x42, WHOLE, 0, ADD, 1},
      {DEVICE_SHOE, 0x83, WHOLE, 5, ADD, 1},
      {DEVICE_SHOE, 0x84, 0x42, DETAIL, ADD, 1},
      {DEVICE_SHOE, 0x84, 0x42, VALUE, ADD, 1}}},
    /* clang-format on */
};

/* A lie while it is told. */
struct teller {
    const struct lie *lie;
    const struct altered_ending *ending;
};

static uint8_t swap_bits(uint8_t byte, uint8_t bits)
{
    unsigned found = byte & bits;

    return found && found != bits ? byte ^ bits : byte;
}

/* A seat is told by its number in events and logs, and by its bit in sets. */
static uint8_t swap_seats(uint8_t seat, uint8_t bits)
{
    return bits >> seat & 1 ? (uint8_t)__builtin_ctz(bits ^ 1u << seat) : seat;
}

static void edit_byte(const struct edit *edit, uint8_t *byte)
{
    if (edit->how == ADD)
        *byte = (uint8_t)(*byte + edit->value);
    else if (edit->how == XOR)
        *byte ^= edit->value;
    else if (edit->how == SET)
        *byte = edit->value;
    else
        *byte = edit->type == (WIRE_STATUS | WIRE_ANSWER) ? swap_bits(*byte, edit->value)
                                                          : swap_seats(*byte, edit->value);
}

static void edit_message(const struct edit *edit, struct alter_message *message)
{
    uint8_t *payload = message->bytes + FRAME_HEAD;
    size_t size = message->size - FRAME_HEAD;

    if (edit->code == WHOLE) {
        if (edit->place < size)
            edit_byte(edit, payload + edit->place);
        return;
    }
    for (size_t at = 5; at + 16 <= size; at += 16)
        if (payload[at + 12] == edit->code)
            edit_byte(edit, payload + at + edit->place);
}

static void tell(void *context, enum device_class from, struct alter_message *message)
{
    const struct teller *teller = context;
    const struct lie *lie = teller->lie;
    unsigned round = teller->ending->rounds + 1;

    if (round < lie->from_round || (lie->to_round && round > lie->to_round))
        return;
    for (unsigned i = 0; i < EDITS_MAX && lie->edits[i].type; i++)
        if (lie->edits[i].from == from && lie->edits[i].type == message->bytes[ALTER_TYPE_AT])
            edit_message(&lie->edits[i], message);
}

/* Whatever devices say, what is written of it can be read again. */
static bool can_be_read(const char *journal)
{
    struct journal_verified verified;
    struct error error = {.text = ""};
    int status = journal_verify(journal, &(struct journal_verify){0}, &verified, &error);

    if (status)
        printf("%s\n", error.text);
    unlink(journal);
    return !status;
}

TEST(a_device_that_agrees_with_itself_is_found_where_others_know_better)
{
    for (size_t i = 0; i < sizeof lies / sizeof lies[0]; i++) {
        const struct altered_act act = {.rig = lies[i].rig, .path = lies[i].path, .rounds = 4};
        struct teller teller = {.lie = &lies[i]};
        struct alter alter = {.lie = tell, .context = &teller};
        struct altered_ending ending;
        struct altered_run run;
        char journal[SCRATCH_PATH_SIZE];
        bool is_found;

        teller.ending = &ending;
        altered_open(&run, &act);
        scratch_path(journal);
        run.journal = journal;
        altered_play(&run, &alter, &ending);
        is_found = ending.worst != VERDICT_PASS || ending.failed;
        if (!alter.shown || is_found == lies[i].is_allowed || ending.worst > VERDICT_DEVICE)
            printf("%s: told %u times, %s, %s: %s; %s\n", lies[i].name, alter.shown,
                   verdict_name(ending.worst),
                   ending.first == CHECK_COUNT ? "-" : check_kinds[ending.first].name,
                   ending.first_why, ending.status ? ending.error.text : ending.why);
        CU_ASSERT_TRUE(alter.shown > 0);
        CU_ASSERT_EQUAL(is_found, !lies[i].is_allowed);
        CU_ASSERT_TRUE(ending.worst <= VERDICT_DEVICE);
        CU_ASSERT_TRUE(can_be_read(journal));
        altered_close(&run);
    }
}
