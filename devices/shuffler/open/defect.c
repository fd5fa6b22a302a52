/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/shuffler/open/defect.h"

#include "devices/wire/peer.h"
#include "games/card.h"

/* In the order of enum shuffler_defect. */
static const struct defect_kind kinds[] = {
    {"jam", "packet", 1, DECK_SIZE},
    {"misread", "card", 1, DECK_SIZE},
    {"missing", "shuffle", 1, UINT16_MAX},
    {"extra", "shuffle", 1, UINT16_MAX},
    {"duplicate", "shuffle", 1, UINT16_MAX},
    {"door", "packet", 1, DECK_SIZE},
    {"cover", "shuffle", 1, UINT16_MAX},
    {"power", "packet", 1, DECK_SIZE},
    {"unplug", "frames", 1, 999999999},
    {"short", "packet", 1, DECK_SIZE},
    {"long", "packet", 1, DECK_SIZE},
    /* It changes places with the bottom card, and the first card cannot come before itself. */
    {"wrong", "card", 1, DECK_SIZE - 1},
    {"twice", "card", 2, DECK_SIZE},
    {"leak", "packet", 1, DECK_SIZE},
    {"whisper", "packet", 1, DECK_SIZE},
    {"silent-test", NULL, 0, 0},
    {"reboot", "packet", 1, DECK_SIZE},
    {"slow", "packet", 1, DECK_SIZE},
    {"swap", "packet", 1, DECK_SIZE},
    {"reversed", "packet", 1, DECK_SIZE},
    {"lose", "packet", 1, DECK_SIZE},
    {"early", "packet", 1, DECK_SIZE},
    {"more", "packet", 1, DECK_SIZE},
    {"slip", "packet", 1, DECK_SIZE},
    {"mumble", "packet", 1, DECK_SIZE},
    {"unflagged", "packet", 1, DECK_SIZE},
    {"unannounced", NULL, 0, 0},
    {"unlogged", "packet", 1, DECK_SIZE},
    {"mislogged", "packet", 1, DECK_SIZE},
    {"skip", "event", 1, 999999999},
    {"misnumbered", "shuffle", 1, UINT16_MAX},
    {"miscount", "packet", 1, DECK_SIZE},
    {"misstated", "byte", 1, 10},
    {"phantom", "packet", 1, DECK_SIZE},
    {"unlogged-mode", NULL, 0, 0},
    {"garble", "packet", 1, DECK_SIZE},
    {"stammer", "packet", 1, DECK_SIZE},
    {"misaddress", "packet", 1, DECK_SIZE},
    {"crowd", "packet", 1, DECK_SIZE},
    {"boast", "packet", 1, DECK_SIZE},
    {"stays-in-test", NULL, 0, 0},
    {"forgets", "shuffle", 1, UINT16_MAX},
    {"renamed", "shuffle", 1, UINT16_MAX},
    {"ends-silently", NULL, 0, 0},
    {"talks", NULL, 0, 0},
    {"wavers", "status", 1, 999999999},
    {"parts", "way", 1, 4},
    {"same-deck", "shuffle", 2, UINT16_MAX},
    {"stray", "card", 1, DECK_SIZE},
    {"misdecked", "packet", 1, DECK_SIZE},
    LOG_DEFECTS,
    PEER_DEFECTS,
};

const struct defect_table shuffler_defects = {"a shuffler", kinds, sizeof kinds / sizeof kinds[0]};
