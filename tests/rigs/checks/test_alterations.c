/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every byte of every message of every device, altered with a good check behind it, and every
 * message left out, sent twice, cut and lengthened, in recordings of every game: the run must not
 * come out as if nothing had been. What does, and what blames another device, has a row with its
 * reason in alterations.txt beside this file. `make test` tries one in STRIDE, `make campaign` all
 * of them, and then a row that nothing needs any more fails as well.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "devices/shoe/angel_eye/frame.h"
#include "devices/wire/wire.h"
#include "rigs/run/runner.h"
#include "tests/support/lies/altered_run.h"
#include "tests/support/process.h"
#include "tests/support/suite.h"

#define STRIDE  (PROCESS_INSTRUMENTED ? 37 : 11)
#define LIST    "tests/rigs/checks/alterations.txt"
#define LONGEST (600 * NANOS_PER_SECOND) /* that an alteration may make a run last longer */

/* What is played: one recording of a game, or a rig, that brings messages the others do not. */
static const struct altered_act acts[] = {
#define CARDS(game) "{\"shoe\":1,\"game\":\"" game "\",\"deal\":\"cards\"}"
#define DEALERS     (ALTERED_SLOT(DEVICE_SHUFFLER) | ALTERED_SLOT(DEVICE_SHOE))
#define ALL         (DEALERS | ALTERED_SLOT(DEVICE_TERMINAL) | ALTERED_SLOT(DEVICE_SENSORS))
    {ALTERED_SHUFFLER(""), "fixtures/chase-the-flush/evening-of-six-seats.shoe", 4, ALL},
    {ALTERED_SHUFFLER(""), "fixtures/chase-the-flush/house-burn.shoe", 1, ALL},
    {ALTERED_SHUFFLER(""), "fixtures/chase-the-flush/jackpots-key-by-key.shoe", 2,
     ALTERED_SLOT(DEVICE_TERMINAL)},
    {ALTERED_SHUFFLER(""), "fixtures/chase-the-flush/cancelled-round-adds-nothing.shoe", 3,
     ALTERED_SLOT(DEVICE_TERMINAL) | ALTERED_SLOT(DEVICE_SENSORS)},
    {ALTERED_SHUFFLER(""), "fixtures/chase-the-flush/every-wrong-code.shoe", 2,
     ALTERED_SLOT(DEVICE_TERMINAL)},
    {ALTERED_SHUFFLER(""), "fixtures/chase-the-flush/every-key-in-every-state.shoe", 1,
     ALTERED_SLOT(DEVICE_TERMINAL)},
    {ALTERED_SHUFFLER(""), "fixtures/chase-the-flush/must-hit-award.shoe", 2,
     ALTERED_SLOT(DEVICE_TERMINAL) | ALTERED_SLOT(DEVICE_SENSORS)},
    {ALTERED_SHUFFLER(""), "fixtures/chase-the-flush/must-hit-and-a-jackpot-for-one-seat.shoe", 2,
     ALTERED_SLOT(DEVICE_TERMINAL)},
    {ALTERED_SHUFFLER(""), "fixtures/chase-the-flush/must-hit-carries-what-passes-the-ceiling.shoe",
     2, ALTERED_SLOT(DEVICE_TERMINAL)},
    {ALTERED_SHUFFLER(""), "fixtures/three-card-catch/progressive-every-line.shoe", 2, ALL},
    {ALTERED_SHUFFLER(""), "fixtures/three-card-catch/dealer-catches.shoe", 2,
     ALTERED_SLOT(DEVICE_SHUFFLER)},
    {ALTERED_SHUFFLER(""), "fixtures/three-card-catch/meters-rounded-up.shoe", 2,
     ALTERED_SLOT(DEVICE_TERMINAL)},
    {ALTERED_SHUFFLER(""), "fixtures/flush-rush/house-burn-of-three.shoe", 1, ALL},
    {ALTERED_SHUFFLER(""), "fixtures/flush-rush/evening-of-six-seats.shoe", 3,
     ALTERED_SLOT(DEVICE_SHUFFLER)},
    {ALTERED_SHUFFLER(""), "fixtures/three-card-poker/evening-of-six-seats.shoe", 3,
     ALTERED_SLOT(DEVICE_SHUFFLER)},
    {ALTERED_SHUFFLER(""), "fixtures/three-card-poker/house-burn.shoe", 1,
     ALTERED_SLOT(DEVICE_SHUFFLER)},
    {ALTERED_SHUFFLER("?fault=jam@packet:2"), "fixtures/chase-the-flush/house-burn.shoe", 1,
     ALTERED_SLOT(DEVICE_SHUFFLER)},
    {ALTERED_SHUFFLER("?fault=power@packet:2"), "fixtures/chase-the-flush/house-burn.shoe", 1,
     ALTERED_SLOT(DEVICE_SHUFFLER)},
    {ALTERED_POWERLESS, "fixtures/chase-the-flush/house-burn.shoe", 1,
     ALTERED_SLOT(DEVICE_TERMINAL)},
    {ALTERED_SHOE(""), "fixtures/chase-the-flush/card-by-card-from-a-shoe.shoe", 2, ALL},
    {ALTERED_SHOE(""), "fixtures/three-card-catch/card-by-card-from-the-hand.shoe", 2,
     ALTERED_SLOT(DEVICE_SHOE)},
    {ALTERED_SHOE(",fault=jam@card:3"), "fixtures/chase-the-flush/card-by-card-from-a-shoe.shoe", 2,
     ALTERED_SLOT(DEVICE_SHOE)},
    {ALTERED_SHOE(",fault=power@card:3"), "fixtures/chase-the-flush/card-by-card-from-a-shoe.shoe",
     2, ALTERED_SLOT(DEVICE_SHOE)},
    {ALTERED_ANGEL_EYE, CARDS("chase-the-flush"), 2, ALTERED_SLOT(DEVICE_SHOE)},
    {ALTERED_ANGEL_EYE, CARDS("three-card-catch"), 2, ALTERED_SLOT(DEVICE_SHOE)},
    {ALTERED_SCRIPTED_SHUFFLER(""), "fixtures/chase-the-flush/house-burn.shoe", 1,
     ALTERED_SLOT(DEVICE_SHUFFLER)},
    {ALTERED_SCRIPTED_SHUFFLER(""), "fixtures/three-card-catch/dealer-catches.shoe", 2,
     ALTERED_SLOT(DEVICE_SHUFFLER)},
    {ALTERED_SCRIPTED_SHUFFLER("?fault=jam@packet:2"), "fixtures/chase-the-flush/house-burn.shoe",
     1, ALTERED_SLOT(DEVICE_SHUFFLER)},
    {ALTERED_SCRIPTED_SHUFFLER("?fault=power@packet:2"), "fixtures/chase-the-flush/house-burn.shoe",
     1, ALTERED_SLOT(DEVICE_SHUFFLER)},
    {ALTERED_SCRIPTED_ANGEL_EYE, CARDS("chase-the-flush"), 2, ALTERED_SLOT(DEVICE_SHOE)},
    {ALTERED_SCRIPTED_ANGEL_EYE, CARDS("three-card-catch"), 2, ALTERED_SLOT(DEVICE_SHOE)},
};
#define ACTS (sizeof acts / sizeof acts[0])

/* The same in version 2 of the protocol: what it has otherwise, and in addition. */
#define LIST_2 "tests/rigs/checks/alterations-2.txt"
#define SECOND(dealer)                                                                             \
    ALTERED_HEAD dealer "  terminal: {address: 'emu:terminal?protocol=2'}\n"                       \
                        "  sensors: {driver: unit, address: 'emu:bet-sensor?protocol=2'}\n"
#define SECOND_SHUFFLER "  shuffler: {address: 'emu:shuffler?protocol=2'}\n"
#define SECOND_SHOE     "  shoe: {address: 'emu:shoe?draw=700,refill=2000,protocol=2'}\n"
static const struct altered_act second[] = {
    {SECOND(SECOND_SHUFFLER), "fixtures/chase-the-flush/evening-of-six-seats.shoe", 2, ALL},
    {SECOND(SECOND_SHUFFLER), "fixtures/chase-the-flush/every-wrong-code.shoe", 1,
     ALTERED_SLOT(DEVICE_TERMINAL)},
    {SECOND(SECOND_SHUFFLER), "fixtures/three-card-catch/progressive-every-line.shoe", 1, ALL},
    {SECOND(SECOND_SHOE), "fixtures/chase-the-flush/card-by-card-from-a-shoe.shoe", 2,
     ALTERED_SLOT(DEVICE_SHOE)},
};

/*
 * The fields of each message, in their order: "name", "name:SIZE", "name:t" for a text with its
 * length, and after "[" what comes again to the end.
 */
static const struct layout {
    uint8_t class; /* 0: every one */
    uint8_t type;
    const char *name, *fields;
} layouts[] = {
    {0, 0x81, "HELLO", "protocol flags waiting"},
    {0, 0x82, "IDENTITY", "model:t serial:t firmware:t digest:32"},
    {0, 0x84, "LOG", "total:4 count [ number:4 time:8 code detail value:2"},
    {0, 0x85, "CLEAR-ERROR", ""},
    {0, 0xff, "REFUSED", "request reason"},
    {FRAME_SHUFFLER, 0x83, "STATUS",
     "state error flags presented taken cards shuffle:2 program packets"},
    {FRAME_SHUFFLER, 0x90, "PROGRAM", "packets draws"},
    {FRAME_SHUFFLER, 0x91, "SHUFFLE", "shuffle:2"},
    {FRAME_SHUFFLER, 0x92, "GREEN-BUTTON", ""},
    {FRAME_SHUFFLER, 0x93, "RETURN-DECK", ""},
    {FRAME_SHUFFLER, 0x94, "TEST-MODE", "on shuffle:2"},
    {FRAME_SHUFFLER, 0x95, "LOAD-ORDER", "shuffle:2"},
    {FRAME_SHUFFLER, 0x40, "SHUFFLED", "cards shuffle:2 flags"},
    {FRAME_SHUFFLER, 0x41, "PACKET-PRESENT", "index size flags [ card"},
    {FRAME_SHUFFLER, 0x42, "PACKET-TAKEN", "index"},
    {FRAME_SHUFFLER, 0x43, "FAULT", "code detail"},
    {FRAME_SHUFFLER, 0x44, "FAULT-CLEARED", "code"},
    {FRAME_SHUFFLER, 0x45, "TEST-MODE-CHANGED", "on"},
    {FRAME_SHUFFLER, 0x46, "POWER-UP", "state error presented taken flags"},
    {FRAME_SHOE, 0x83, "STATUS", "state error flags drawn left deck:2 loaded"},
    {FRAME_SHOE, 0x90, "LOCK", ""},
    {FRAME_SHOE, 0x91, "TEST-MODE", ""},
    {FRAME_SHOE, 0x92, "LOAD-ORDER", ""},
    {FRAME_SHOE, 0x40, "CARD", "index card flags"},
    {FRAME_SHOE, 0x42, "STAND-BY", "deck:2 cards flags"},
    {FRAME_SHOE, 0x43, "FAULT", "code index"},
    {FRAME_SHOE, 0x44, "FAULT-CLEARED", "code"},
    {FRAME_SHOE, 0x45, "TEST-MODE-CHANGED", "on"},
    {FRAME_SHOE, 0x46, "POWER-UP", "state error drawn flags"},
    {FRAME_SHOE, 0x47, "LOCK-CHANGED", "locked"},
    {FRAME_BET_SENSOR, 0x83, "STATUS", "state error flags placed locked lit"},
    {FRAME_BET_SENSOR, 0x90, "LOCK", ""},
    {FRAME_BET_SENSOR, 0x91, "UNLOCK", ""},
    {FRAME_BET_SENSOR, 0x92, "LIGHTS", ""},
    {FRAME_BET_SENSOR, 0x93, "PLACE", ""},
    {FRAME_BET_SENSOR, 0x94, "TEST-MODE", ""},
    {FRAME_BET_SENSOR, 0x40, "PLACED", "seat"},
    {FRAME_BET_SENSOR, 0x41, "LIFTED", "seat"},
    {FRAME_BET_SENSOR, 0x42, "LATE", "seat"},
    {FRAME_BET_SENSOR, 0x43, "LIFTED-WHILE-LOCKED", "seat"},
    {FRAME_BET_SENSOR, 0x46, "TEST-MODE-CHANGED", "on"},
    {FRAME_TERMINAL, 0x83, "STATUS", "state error flags locked won rounds:4 awards:4"},
    {FRAME_TERMINAL, 0x90, "KEY", "reason state"},
    {FRAME_TERMINAL, 0x91, "SENSORS", ""},
    {FRAME_TERMINAL, 0x92, "METERS", "count must-hit [ name:t value:8"},
    {FRAME_TERMINAL, 0x93, "SIGN", "seat meter cents:8"},
    {FRAME_TERMINAL, 0x94, "LIGHTS", "seats"},
    {FRAME_TERMINAL, 0x95, "SCREEN", "state seat hand wrong-codes cents:8"},
    {FRAME_TERMINAL, 0x96, "CONFIGURE", ""},
    {FRAME_TERMINAL, 0x97, "CORRECT-METER", ""},
    {FRAME_TERMINAL, 0x98, "LEDGER",
     "number:4 time:8 code seat hand meter cents:8 before:8 after:8 reason:t"},
    {FRAME_TERMINAL, 0x99, "TEST-MODE", ""},
    {FRAME_TERMINAL, 0x9a, "LOAD-MUST-HIT", ""},
    {FRAME_TERMINAL, 0x40, "SCREEN-CHANGED", "state seat hand wrong-codes cents:8"},
    {FRAME_TERMINAL, 0x41, "LIGHTS-CHANGED", "seats"},
    {FRAME_TERMINAL, 0x42, "METERS-CHANGED", "count must-hit [ name:t value:8"},
    {FRAME_TERMINAL, 0x43, "JACKPOT-PAID", "number:4 seat hand meter cents:8"},
    {FRAME_TERMINAL, 0x44, "MUST-HIT-PAID", "number:4 seat hand meter cents:8"},
    {FRAME_TERMINAL, 0x45, "SIGN-CHANGED", "seat meter cents:8"},
    {FRAME_TERMINAL, 0x46, "KEY-REFUSED", "key reason state"},
    {FRAME_TERMINAL, 0x47, "POWER-UP", "state seat hand wrong-codes cents:8"},
    {FRAME_TERMINAL, 0x48, "TEST-MODE-CHANGED", "on"},
};

/* Those that version 2 has otherwise. */
#define STATE " log-entries:4 log-digest:32 clock:8 wall-clock:8"
static const struct layout second_layouts[] = {
    {0, 0x81, "HELLO", "protocol flags waiting capabilities:4"},
    {0, 0x84, "LOG", "total:4 count [ number:4 time:8 code detail value:4"},
    {0, 0x86, "BYE", ""},
    {FRAME_SHUFFLER, 0x83, "STATUS",
     "state error flags presented taken cards shuffle:4 draws packets" STATE},
    {FRAME_SHUFFLER, 0x91, "SHUFFLE", "shuffle:4"},
    {FRAME_SHUFFLER, 0x94, "TEST-MODE", "on shuffle:4"},
    {FRAME_SHUFFLER, 0x95, "LOAD-ORDER", "shuffle:4 deck"},
    {FRAME_SHUFFLER, 0x40, "SHUFFLED", "cards shuffle:4 flags deck"},
    {FRAME_SHUFFLER, 0x41, "PACKET-PRESENT", "index size flags deck [ card"},
    {FRAME_SHOE, 0x83, "STATUS", "state error flags drawn left deck:4 loaded" STATE},
    {FRAME_SHOE, 0x42, "STAND-BY", "deck:4 cards flags"},
    {FRAME_BET_SENSOR, 0x83, "STATUS", "state error flags placed locked lit" STATE},
    {FRAME_TERMINAL, 0x83, "STATUS", "state error flags locked won rounds:4 awards:4" STATE},
    {FRAME_TERMINAL, 0x9b, "CONFIGURATION",
     "wager:4 rounding count [ name:t reseed:8 opening:8 rate:2"},
    {FRAME_TERMINAL, 0x9c, "CHALLENGE", "challenge:16"},
};

/* Who sent it, what it is, and which part was altered, as rows of the list name them. */
struct place {
    char device[16], message[24], field[16];
    bool is_scripted; /* then rows of the device "script" are for it as well */
};

static const struct layout *find_in(const struct layout *list, size_t count,
                                    const struct alter_message *message)
{
    for (size_t i = 0; i < count; i++)
        if (list[i].type == message->bytes[ALTER_TYPE_AT] &&
            (!list[i].class || list[i].class == message->bytes[1]))
            return &list[i];
    return NULL;
}

static const struct layout *find_layout(const struct alter_message *message)
{
    const struct layout *found = NULL;

    if (message->bytes[0] == FRAME_VERSION_2)
        found = find_in(second_layouts, sizeof second_layouts / sizeof second_layouts[0], message);
    if (!found)
        found = find_in(layouts, sizeof layouts / sizeof layouts[0], message);
    if (found)
        return found;
    printf("a message of type 0x%02x has no layout\n", message->bytes[ALTER_TYPE_AT]);
    CU_FAIL("a message has no layout");
    return &layouts[0];
}

/* Finds the field that a byte of the payload belongs to. */
static void name_field(const char *fields, const uint8_t *payload, size_t size, size_t byte,
                       char field[16])
{
    const char *again = NULL, *at = fields;
    size_t start = 0;

    strcpy(field, "beyond");
    while (start < size) {
        char name[16];
        int length = 0, count = 1;
        size_t end;

        at += strspn(at, " ");
        if (*at == '[')
            again = ++at;
        if (!*at && again)
            at = again;
        if (sscanf(at, " %15[a-z-]%n", name, &length) != 1)
            return;
        at += length;
        if (at[0] == ':' && at[1] == 't') {
            count = payload[start] + 1;
            at += 2;
        } else if (at[0] == ':') {
            count = (int)strtol(at + 1, (char **)&at, 10);
        }
        end = start + (size_t)count;
        if (byte >= start && byte < end) {
            strcpy(field, name);
            return;
        }
        start = end;
    }
}

/* What begins with STX is version 2 of the open protocol where the number of a class follows. */
static bool is_open(const struct alter_message *message)
{
    return message->bytes[0] == FRAME_VERSION ||
           (message->bytes[0] == FRAME_VERSION_2 && message->size > 1 &&
            message->bytes[1] <= FRAME_TERMINAL);
}

static void name_angel_eye(const struct alter_message *message, size_t byte, struct place *place)
{
    uint8_t start = message->bytes[0];

    strcpy(place->device, "angel-eye");
    if (start == ANGEL_EYE_ENQ)
        snprintf(place->message, sizeof place->message, "report-%c", message->bytes[2]);
    else
        strcpy(place->message, start == ANGEL_EYE_STX ? "answer" : "ACK");
    if (byte == 0)
        strcpy(place->field, "start");
    else if (byte + 1 == message->size)
        strcpy(place->field, "ETX");
    else if (start == ANGEL_EYE_ENQ && byte < 3)
        strcpy(place->field, byte == 1 ? "sequence" : "letter");
    else if (start == ANGEL_EYE_ENQ && strchr("DRd", message->bytes[2]))
        strcpy(place->field, byte == 3 ? "target" : "card");
    else
        strcpy(place->field, "data");
}

static void name_place(const struct alter_message *message, const struct alter *alter,
                       struct place *place)
{
    static const char *const heads[FRAME_HEAD] = {"version", "class", "type", "sequence"};
    static const char *const hows[] = {
        [ALTER_DROP] = "left-out", [ALTER_TWICE] = "twice", [ALTER_SHORTER] = "shorter",
        [ALTER_LONGER] = "longer", [ALTER_OMIT] = "untold", [ALTER_AGAIN] = "again"};
    const struct layout *layout;

    if (!is_open(message)) {
        name_angel_eye(message, alter->byte, place);
    } else {
        layout = find_layout(message);
        snprintf(place->device, sizeof place->device, "%s",
                 alter->slot == DEVICE_SENSORS ? "unit" : device_class_name(alter->slot));
        snprintf(place->message, sizeof place->message, "%s", layout->name);
        if (alter->byte < FRAME_HEAD)
            strcpy(place->field, heads[alter->byte]);
        else
            name_field(layout->fields, message->bytes + FRAME_HEAD, message->size - FRAME_HEAD,
                       alter->byte - FRAME_HEAD, place->field);
    }
    if (alter->how >= ALTER_DROP)
        strcpy(place->field, hows[alter->how]);
}

/* A row: where an alteration may make no difference, or blame another device, and why. */
struct row {
    char outcome[16]; /* "passes", "misblamed", ... */
    struct place place;
    char reason[200];
    unsigned used;
};
#define ROWS_MAX 400

/* What came of an alteration. The four that pass are as if nothing had been. */
enum outcome {
    FOUND,          /* fail, by a check */
    REFUSED,        /* device: the driver or the rig names it */
    TIMES_OUT,      /* it does not answer in time */
    PASSES_OPENING, /* one message is altered, before the recording is begun */
    PASSES_RUN,     /* one message while it is played */
    PASSES_END,     /* one message after the last round */
    PASSES_ALWAYS,  /* every message of that kind */
    PASSES_BROKEN,  /* either, in a round in which the device fails anyway */
    MISBLAMED,      /* found, and another device is named first */
    WRONG,          /* rig, aborted, a bad file, or no end */
    OUTCOMES
};

static const char *const outcome_names[OUTCOMES] = {
    "found", "refused", "times-out", "opening",   "run",
    "end",   "always",  "broken",    "misblamed", "wrong",
};

/* One campaign, with its totals. */
struct campaign {
    bool is_whole;
    unsigned stride, first, turn; /* every so many alterations one is tried, from this one on */
    struct row rows[ROWS_MAX];
    unsigned row_count;
    unsigned tried, unshown, outcomes[OUTCOMES], checks[CHECK_COUNT], unlisted;
};

static enum outcome where(const struct altered_run *run, const struct alter *alter)
{
    if (run->honest.worst == VERDICT_DEVICE)
        return PASSES_BROKEN;
    if (alter->message == ALTER_EVERY)
        return PASSES_ALWAYS;
    if (alter->message < (int)run->honest.opened)
        return PASSES_OPENING;
    return alter->message < (int)run->honest.played ? PASSES_RUN : PASSES_END;
}

static enum outcome judge(const struct altered_run *run, const struct alter *alter,
                          const struct altered_ending *ending)
{
    const struct altered_ending *honest = &run->honest;

    if (alter->hangs || ending->took > honest->took + LONGEST || ending->worst > VERDICT_DEVICE ||
        ending->status == ERROR_CONFIG)
        return WRONG;
    if (ending->worst == honest->worst && !ending->failed && !ending->status &&
        !strcmp(ending->why, honest->why))
        return where(run, alter);
    if (!(ending->blamed & ALTERED_SLOT(alter->slot)))
        return MISBLAMED;
    if (ending->worst == VERDICT_TIMEOUT)
        return TIMES_OUT;
    return ending->failed ? FOUND : REFUSED;
}

static bool is_same(const char *row, const char *at)
{
    return !strcmp(row, "*") || !strcmp(row, at);
}

static struct row *find_row(struct campaign *campaign, enum outcome outcome,
                            const struct place *place)
{
    for (unsigned i = 0; i < campaign->row_count; i++) {
        struct row *row = &campaign->rows[i];

        if (!strcmp(row->outcome, outcome_names[outcome]) &&
            (is_same(row->place.device, place->device) ||
             (place->is_scripted && !strcmp(row->place.device, "script"))) &&
            is_same(row->place.message, place->message) && is_same(row->place.field, place->field))
            return row;
    }
    return NULL;
}

static void print_try(const struct altered_run *run, const struct alter *alter,
                      const struct altered_ending *ending, enum outcome outcome,
                      const struct place *place)
{
    printf("%s %s %s %s: %s, message %d byte %u how %d 0x%02x: %s, status %d, %u rounds, %s: %s; "
           "%s; %s\n",
           outcome_names[outcome], place->device, place->message, place->field, run->act->path,
           alter->message, alter->byte, alter->how, alter->value, verdict_name(ending->worst),
           ending->status, ending->rounds,
           ending->first == CHECK_COUNT ? "-" : check_kinds[ending->first].name, ending->first_why,
           ending->why, ending->status ? ending->error.text : "");
}

static bool is_scripted(const struct altered_act *act)
{
    return strstr(act->rig, "driver: script") != NULL;
}

static void try_alteration(struct campaign *campaign, struct altered_run *run, struct alter *alter,
                           const struct alter_message *message)
{
    struct altered_ending ending;
    enum outcome outcome;
    struct place place;
    struct row *row;

    if (campaign->turn++ % campaign->stride != campaign->first)
        return;
    altered_play(run, alter, &ending);
    if (!alter->shown) {
        campaign->unshown++;
        return;
    }
    outcome = judge(run, alter, &ending);
    campaign->tried++;
    campaign->outcomes[outcome]++;
    if (ending.failed)
        campaign->checks[ending.first]++;
    if (outcome <= TIMES_OUT)
        return;
    name_place(message, alter, &place);
    place.is_scripted = is_scripted(run->act);
    row = find_row(campaign, outcome, &place);
    if (row) {
        row->used++;
        return;
    }
    print_try(run, alter, &ending, outcome, &place);
    campaign->unlisted++;
}

static const struct {
    enum alter_how how;
    uint8_t value;
} byte_ways[] = {
    {ALTER_ADD, 1}, {ALTER_XOR, 0x01}, {ALTER_XOR, 0x80}, {ALTER_SET, 0x00}, {ALTER_SET, 0xff}};
#define BYTE_WAYS (sizeof byte_ways / sizeof byte_ways[0])

/* What a way makes of a byte, to try no content twice. */
static uint8_t result_of(size_t way, uint8_t byte)
{
    switch (byte_ways[way].how) {
    case ALTER_ADD:
        return (uint8_t)(byte + byte_ways[way].value);
    case ALTER_XOR:
        return byte ^ byte_ways[way].value;
    default:
        return byte_ways[way].value;
    }
}

static bool is_new(size_t way, uint8_t byte)
{
    if (result_of(way, byte) == byte)
        return false;
    for (size_t i = 0; i < way; i++)
        if (result_of(i, byte) == result_of(way, byte))
            return false;
    return true;
}

static void try_message(struct campaign *campaign, struct altered_run *run, struct alter *alter,
                        const struct alter_message *message)
{
    static const enum alter_how hows[] = {ALTER_DROP,   ALTER_TWICE, ALTER_SHORTER,
                                          ALTER_LONGER, ALTER_OMIT,  ALTER_AGAIN};

    for (alter->byte = 0; alter->byte < message->size; alter->byte++)
        for (size_t way = 0; way < BYTE_WAYS; way++) {
            alter->how = byte_ways[way].how;
            alter->value = byte_ways[way].value;
            if (is_new(way, message->bytes[alter->byte]))
                try_alteration(campaign, run, alter, message);
        }
    alter->byte = 0;
    alter->value = 0;
    for (size_t i = 0; i < sizeof hows / sizeof hows[0]; i++) {
        alter->how = hows[i];
        try_alteration(campaign, run, alter, message);
    }
}

/* What a device says while it is opened is the same in every recording. */
static bool is_of_opening(const struct alter_message *message)
{
    return is_open(message) && (message->bytes[ALTER_TYPE_AT] == (WIRE_HELLO | WIRE_ANSWER) ||
                                message->bytes[ALTER_TYPE_AT] == (WIRE_IDENTITY | WIRE_ANSWER));
}

static void try_device(struct campaign *campaign, struct altered_run *run, enum device_class slot,
                       bool is_first)
{
    struct alter alter = {.slot = slot, .kept = run->messages, .kept_max = ALTERED_MESSAGES_MAX};

    altered_play(run, &alter, &run->honest);
    if (run->honest.failed || run->honest.status)
        printf("%s: %s %s\n", run->act->path, run->honest.first_why, run->honest.error.text);
    CU_ASSERT_EQUAL(run->honest.failed, 0);
    CU_ASSERT_EQUAL(run->honest.status, 0);
    CU_ASSERT_FATAL(alter.count < ALTERED_MESSAGES_MAX);
    run->count = alter.count;
    alter.kept_max = 0;
    for (unsigned i = 0; i < run->count; i++) {
        alter.message = (int)i;
        if (is_first || !is_of_opening(&run->messages[i]))
            try_message(campaign, run, &alter, &run->messages[i]);
    }
}

/* The same lie in every message of a kind: what contradicts it must be another message. */
static void try_kinds(struct campaign *campaign, struct altered_run *run, enum device_class slot,
                      bool is_first)
{
    struct alter alter = {.slot = slot, .message = ALTER_EVERY};

    for (unsigned i = 0; i < run->count; i++) {
        const struct alter_message *message = &run->messages[i];
        bool is_done = message->size <= ALTER_TYPE_AT;

        for (unsigned k = i + 1; k < run->count && !is_done; k++)
            is_done = run->messages[k].size > ALTER_TYPE_AT &&
                      run->messages[k].bytes[ALTER_TYPE_AT] == message->bytes[ALTER_TYPE_AT];
        if (is_done || (!is_first && is_of_opening(message)))
            continue;
        alter.type = message->bytes[ALTER_TYPE_AT];
        try_message(campaign, run, &alter, message);
    }
}

static void read_rows(struct campaign *campaign, const char *list)
{
    FILE *file = fopen(list, "r");
    char line[400];

    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    while (fgets(line, sizeof line, file)) {
        struct row *row = &campaign->rows[campaign->row_count];

        if (line[0] == '#' || line[0] == '\n')
            continue;
        CU_ASSERT_FATAL(campaign->row_count < ROWS_MAX);
        if (sscanf(line, "%15s %15s %23s %15[^:]: %199[^\n]", row->outcome, row->place.device,
                   row->place.message, row->place.field, row->reason) != 5) {
            printf("%s: no row: %s", list, line);
            CU_FAIL_FATAL("a line of the list is no row");
        }
        campaign->row_count++;
    }
    fclose(file);
}

static void print_totals(const struct campaign *campaign)
{
    printf("%u alterations, one in %u:", campaign->tried, campaign->stride);
    for (unsigned i = 0; i < OUTCOMES; i++)
        printf(" %u %s,", campaign->outcomes[i], outcome_names[i]);
    printf(" %u not listed\n", campaign->unlisted);
    if (!campaign->is_whole)
        return;
    for (unsigned i = 0; i < CHECK_COUNT; i++)
        if (campaign->checks[i])
            printf("%8u first by %s\n", campaign->checks[i], check_kinds[i].name);
    for (unsigned i = 0; i < campaign->row_count; i++)
        printf("%8u %s %s %s %s: %s\n", campaign->rows[i].used, campaign->rows[i].outcome,
               campaign->rows[i].place.device, campaign->rows[i].place.message,
               campaign->rows[i].place.field, campaign->rows[i].reason);
}

/* All of them, the third of every eight ("3/8"), or by default a few. */
static void choose(struct campaign *campaign, const char *which)
{
    unsigned number = 1, count = STRIDE;

    campaign->is_whole = which && !strcmp(which, "whole");
    if (campaign->is_whole)
        count = 1;
    else if (which && (sscanf(which, "%u/%u", &number, &count) != 2 || !number || number > count))
        CU_FAIL_FATAL("CAMPAIGN is 'whole' or I/N");
    campaign->stride = count;
    campaign->first = number - 1;
}

static void play_campaign(const struct altered_act *played, size_t count, const char *list)
{
    static struct campaign campaign;
    const char *which = getenv("CAMPAIGN");
    const char *act = getenv("CAMPAIGN_ACT");
    unsigned begun = 0, own;

    campaign = (struct campaign){.turn = 0};
    choose(&campaign, which);
    read_rows(&campaign, LIST);
    own = strcmp(list, LIST) != 0 ? campaign.row_count : 0;
    if (own)
        read_rows(&campaign, list);
    for (size_t i = 0; i < count; i++) {
        struct altered_run run;

        if (act && (size_t)atoi(act) != i)
            continue;
        altered_open(&run, &played[i]);
        for (unsigned slot = 0; slot < DEVICE_CLASSES; slot++)
            if (played[i].slots & ALTERED_SLOT(slot) &&
                bench_find(&run.bench, (enum device_class)slot)) {
                unsigned of = ALTERED_SLOT(slot + (is_scripted(&played[i]) ? DEVICE_CLASSES : 0));
                bool is_first = !(begun & of);

                try_device(&campaign, &run, (enum device_class)slot, is_first);
                try_kinds(&campaign, &run, (enum device_class)slot, is_first);
                begun |= of;
            }
        altered_close(&run);
    }
    print_totals(&campaign);
    CU_ASSERT_EQUAL(campaign.unlisted, 0);
    /* A list of version 2 goes on where that of version 1 ends. */
    for (unsigned i = own; campaign.is_whole && !act && i < campaign.row_count; i++) {
        if (!campaign.rows[i].used)
            printf("nothing needs this row: %s %s %s %s\n", campaign.rows[i].outcome,
                   campaign.rows[i].place.device, campaign.rows[i].place.message,
                   campaign.rows[i].place.field);
        CU_ASSERT_TRUE(campaign.rows[i].used > 0);
    }
}

TEST(an_altered_message_is_found_or_listed_with_the_reason)
{
    play_campaign(acts, ACTS, LIST);
}

TEST(an_altered_message_of_version_2_is_found_or_listed_with_the_reason)
{
    play_campaign(second, sizeof second / sizeof second[0], LIST_2);
}
