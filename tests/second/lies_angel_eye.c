/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/second/lies.h"

const struct lie lies_angel_eye[] = {
    {"angel-eye", "wrong-check", LIE_DEED, 0, 0, 0, LIE_ALWAYS, "eye", "the block check"},
    {"angel-eye", "wrong-check-once", LIE_DEED, 0, 0, 0, 1, "eye", "the block check"},
    {"angel-eye", "report-twice", LIE_DEED, 0, 0, 0, 3, "eye",
     "a SEQ that comes twice is a repeat"},
    {"angel-eye", "number-stands", LIE_DEED, 0, 0, 0, 3, "eye",
     "the number of the last report with other data"},
    {"angel-eye", "lock-refused", LIE_DEED, 0, 0, 0, 1, "eye", "LK is answered ACK"},
    {"angel-eye", "lock-untold", LIE_DEED, 0, 0, 0, 1, "eye3", "L: lock"},
    {"angel-eye", "card-no-card", LIE_DEED, 0, 0, 0, 2, "eye", "suits 1 to 4, ranks 1 to d"},
    {"angel-eye", "card-twice", LIE_DEED, 0, 0, 0, 1, "eye", "none twice"},
    {"angel-eye", "card-other", LIE_DEED, 0, 0, 0, 2, "eye", "cards are compared"},
    {"angel-eye", "card-untold", LIE_DEED, 0, 0, 0, 2, "eye", "D for each card"},
    {"angel-eye", "card-sent-again-other", LIE_DEED, 0, 0, 0, 2, "eye",
     "R: such a card, sent again"},
    {"angel-eye", "card-told-twice", LIE_DEED, 0, 0, 0, 2, "eye", "D once"},
    {"angel-eye", "unknown-report", LIE_DEED, 0, 0, 0, 2, "eye", "reports of this page"},
    {"angel-eye", "stand-by-untold", LIE_DEED, 0, 0, 0, 2, "eye3", "P: stand-by"},
    {"angel-eye", "card-while-locked", LIE_DEED, 0, 0, 0, 1, "eye3", "d: while locked"},
    {"angel-eye", "one-card-more", LIE_DEED, 0, 0, 0, 1, "eye3", "one too many"},
    {"angel-eye", "falls-silent", LIE_DEED, 0, 0, 0, 1, "eye", "a card within the rig's time"},
    {0},
};
