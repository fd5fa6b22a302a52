/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/second/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct option {
    const char *device;
    const char *name;
    const char *meaning;
};

/* The device is "all" where every device of the open protocol has it. */
static const struct option known[] = {
    {"line", "single-bytes", "each byte in a write of its own"},
    {"line", "gather", "MS: frames wait that long and leave in one write"},
    {"line", "baud", "N: bytes leave no faster than on a serial line"},
    {"all", "leading-zeros", "two zero bytes before each frame"},
    {"all", "answer", "MS: every frame leaves that much later"},
    {"all", "clock", "MS: what the device's clock says at its start"},
    {"all", "cut", "N: the power goes instead of the Nth frame sent"},
    {"all", "cut-ms", "MS: how long the power is away"},
    {"all", "cut-hangs-up", "the connection goes with the power"},
    {"all", "tear", "N: the connection is closed after the Nth frame, without a power loss"},
    {"all", "lost-acks", "N: acknowledgements of an event lost before one arrives"},
    {"all", "lost-requests", "N: of each N + 2 frames with a request N are lost"},
    {"all", "lost-replies", "N: each Nth reply is lost once"},
    {"all", "log-start", "N: entries that the log had before"},
    {"all", "log-few", "N: a reply to LOG has at most so many entries"},
    {"all", "log-keeps-more", "1024 entries are kept"},
    {"all", "waiting", "N: power ups that wait for the first HELLO"},
    {"all", "events-first", "events that follow from a request leave before its reply"},
    {"all", "repeat-is-same-bytes", "a repeat has the number and the bytes of the last request"},
    {"all", "speaks-first", "waiting events are sent when somebody connects, before HELLO"},
    {"all", "long-identity", "texts of 32 odd characters"},
    {"all", "empty-identity", "texts of no character"},
    {"shuffler", "shuffle", "MS: a shuffle takes"},
    {"shuffler", "deal", "MS: a packet takes"},
    {"shuffler", "take", "MS: until a person takes a packet"},
    {"shuffler", "seed", "N: of the shuffles"},
    {"shuffler", "shuffles", "N: shuffles made before"},
    {"shuffler", "leaves-when-present", "cards at the exit are not in the device any more"},
    {"shuffler", "programmed-with-draws", "packets programmed in STATUS include draws"},
    {"shuffler", "present-again-not-logged", "PACKET PRESENT after a power loss is no entry"},
    {"shuffler", "finger", "N: somebody presses the button at the Nth packet, in vain"},
    {"shuffler", "jam", "N: the Nth packet jams once"},
    {"shuffler", "door", "N: the door is opened once at the Nth packet, closed soon"},
    {"shuffler", "missing", "N: the Nth shuffle counts 51 cards"},
    {"shuffler", "cover", "N: the cover is opened during the Nth shuffle, closed soon"},
    {"shoe", "draw", "MS: until a person draws the next card"},
    {"shoe", "cards", "N: cards that a person draws from a deck that was not loaded"},
    {"shoe", "decks", "N: decks before this one"},
    {"shoe", "starts-locked", "the shoe is locked when it is switched on"},
    {"shoe", "cut-card", "N: the cut card comes after so many cards"},
    {"shoe", "fault", "N: the Nth card cannot be read at first"},
    {"shoe", "test-then-stand-by", "STAND BY comes after TEST MODE CHANGED when it ends"},
    {"terminal", "rounds", "N: rounds started before"},
    {"terminal", "awards", "N: awards paid before, with their ledger entries"},
    {"terminal", "meters-twice", "METERS CHANGED before and after a Must Hit award"},
    {"terminal", "screen-first", "SCREEN CHANGED before the other events of a key"},
    {"terminal", "screen-after-refusal", "SCREEN CHANGED follows each refused key too"},
    {"terminal", "wrong-code-no-screen", "a wrong code changes the screen without an event"},
    {"terminal", "wrong-code-logged-twice", "a wrong code is also logged as a refused key"},
    {"terminal", "refused-then-wrong", "and that entry comes first"},
    {"terminal", "third-logged-as-10", "the third wrong code has an entry 10 before its 11"},
    {"terminal", "keeps-wrong-count", "the count of wrong codes stays on the screen when paid"},
    {"terminal", "sensors-collected", "START ROUND empties the sensors"},
    {"terminal", "won-until-start", "locked and winning seats stay until the next START ROUND"},
    {"terminal", "paid-order", "N: order of the events of an award, 0 to 5"},
    {"terminal", "end-order", "N: order of the events of END ROUND, 0 to 5"},
    {"terminal", "end-log-early", "round ended is logged before Must Hit"},
    {"terminal", "configure-quiet", "CONFIGURE sends no events"},
    {"terminal", "configure-all", "CONFIGURE sends METERS, SIGN, LIGHTS and SCREEN CHANGED"},
    {"terminal", "configure-clears-sign", "CONFIGURE clears the sign"},
    {"terminal", "test-mode-always-told", "TEST MODE is an event even if nothing changes"},
    {"terminal", "must-hit-name", "TEXT: name of the Must Hit meter"},
    {"terminal", "load-until-used", "a loaded Must Hit seat survives test mode"},
    {"unit", "place", "MS: until an actuator has placed a wager"},
    {"unit", "lamp", "MS: until a lamp is lit"},
    {"unit", "high-seats-first", "seats that change together are told from the highest"},
    {"unit", "broken-lamp", "SEAT: its lamp stays dark"},
    {"unit", "hand-lifts", "SEAT: a hand takes its wager during a round"},
    {"angel-eye", "shoe", "FILE: a recording whose cards are drawn"},
    {"angel-eye", "draw", "MS: until a person draws the next card"},
    {"angel-eye", "bcc", "with-stx or without-stx: the check of operations"},
    {"angel-eye", "query-refused", "GP is answered by NAK 13"},
    {"angel-eye", "binary-seq", "SEQ counts through all bytes"},
    {"angel-eye", "constant-start", "S again after each connection"},
    {"angel-eye", "chatty", "settings, results and burn cards between the cards"},
};

static bool is_known(const char *name)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].name, name) == 0)
            return true;
    return false;
}

bool options_add(struct options *options, char *text)
{
    char *equals = strchr(text, '=');
    if (equals != NULL)
        *equals = '\0';
    if (!is_known(text) || options->count == OPTIONS_MAX)
        return false;
    options->names[options->count] = text;
    options->values[options->count++] = equals != NULL ? equals + 1 : "";
    return true;
}

const char *options_text(const struct options *options, const char *name)
{
    for (size_t i = 0; i < options->count; i++)
        if (strcmp(options->names[i], name) == 0)
            return options->values[i];
    return NULL;
}

bool options_has(const struct options *options, const char *name)
{
    return options_text(options, name) != NULL;
}

uint64_t options_number(const struct options *options, const char *name, uint64_t otherwise)
{
    const char *text = options_text(options, name);
    return text != NULL ? strtoull(text, NULL, 10) : otherwise;
}

void options_list(void)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        printf("%s\t%s\t%s\n", known[i].device, known[i].name, known[i].meaning);
}
