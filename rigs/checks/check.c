/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/checks/check.h"

#include <stddef.h>
#include <string.h>

#define KIND_OF_ROW(id, text, must_be, written, takes)                                             \
    [CHECK_##id] = {.name = text, .rule = must_be, .source = written, .needs = takes},

const struct check_kind check_kinds[CHECK_COUNT] = {CHECK_ROWS(KIND_OF_ROW)};

int check_find(const char *name)
{
    for (int i = 0; i < CHECK_COUNT; i++)
        if (!strcmp(check_kinds[i].name, name))
            return i;
    return -1;
}

bool check_is_money(const char *name, const char *wager)
{
    return !strcmp(name, check_kinds[CHECK_WAGER_OUTCOME].name) ||
           (wager && !strcmp(wager, "cents"));
}

const char *check_missing(unsigned needs)
{
    static const struct {
        unsigned needs;
        const char *why;
    } reasons[] = {
        {CHECK_NEEDS_RECORDING, "nothing was recorded to compare with"},
        {CHECK_NEEDS_OF_GAME, NULL},
        {CHECK_NEEDS_CARDS, "nobody reads the cards of the dealing device"},
        {CHECK_NEEDS_AWARDS, "the rig has no terminal"},
        {CHECK_NEEDS_SENSORS, "the rig has no bet sensors"},
        {CHECK_NEEDS_TERMINAL, "the rig has no terminal"},
        {CHECK_NEEDS_SCREENS, "the terminal does not tell its screens: somebody reads it off"},
        {CHECK_NEEDS_WAGERS, "no seat of the rig has a bet line and a chip line to place wagers"},
        {CHECK_NEEDS_PACKETS, "a shoe deals single cards, not packets"},
        {CHECK_NEEDS_TURNS, "nothing was recorded to compare with"},
        {CHECK_NEEDS_WIRE, "the protocol of the dealing device does not show its frames"},
        {CHECK_NEEDS_TEST_MODE, "the protocol of the dealing device does not announce test mode"},
        {CHECK_NEEDS_LOG, "no device that takes part keeps a log"},
        {CHECK_NEEDS_STATUS, "no device that takes part answers what it is doing"},
        {CHECK_NEEDS_NUMBERS, "no device of the rig numbers its events"},
        {CHECK_NEEDS_IDENTITY, "no device of the rig says who it is"},
        {CHECK_NEEDS_BACKS, "nobody says of which deck a card is: neither the dealing device nor a "
                            "person or scanner beside it"},
        {CHECK_NEEDS_OWN_ORDER,
         "no device shuffles: orders are loaded or stacked, or people put decks in"},
        {CHECK_NEEDS_OWN_DRAW, "the terminal is told to whom Must Hit goes, and when"},
    };

    for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++)
        if (needs & reasons[i].needs)
            return reasons[i].why;
    return NULL;
}
