/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The clauses of the chapter on shufflers, and which step tries each. */
#include "devices/conform/shuffler.h"

#define NOBODY    "nobody takes packets: --hands where somebody does"
#define NO_FAULT  "no such fault happened"
#define NO_LOSS   "it takes a loss of power, and none happened"
#define TWO_DECKS "no message tells which deck is in"

#define IDLE     conform_shuffler_try_idle, NULL
#define PROGRAMS conform_shuffler_try_programs, NULL
#define ROUND    conform_shuffler_try_round, NOBODY
#define SHUFFLES conform_shuffler_try_shuffles, NULL
#define IF_FAULT conform_shuffler_try_round, NO_FAULT
#define IF_LOSS  conform_shuffler_try_round, NO_LOSS

static const struct conform_clause clauses[] = {
    {"SH1", ROUND},
    {"SH2", ROUND},
    {"SH3", SHUFFLES},
    {"SH4", SHUFFLES},
    {"SH5", SHUFFLES},
    {"SH6", ROUND},
    {"SH7", ROUND},
    {"SH8", ROUND},
    {"SH9", IF_FAULT},
    {"SH10", IDLE},
    {"SH11", PROGRAMS},
    {"SH12", SHUFFLES},
    {"SH13", IDLE},
    {"SH14", SHUFFLES},
    {"SH15", IDLE},
    {"SH16", IDLE},
    {"SH17", IDLE},
    {"SH18", PROGRAMS},
    {"SH19", IDLE},
    {"SH20", PROGRAMS},
    {"SH21", SHUFFLES},
    {"SH22", ROUND},
    {"SH23", SHUFFLES},
    {"SH24", IDLE},
    {"SH25", IDLE},
    {"SH26", SHUFFLES},
    {"SH27", SHUFFLES},
    {"SH28", IDLE},
    {"SH29", SHUFFLES},
    {"SH30", PROGRAMS},
    {"SH31", PROGRAMS},
    {"SH32", PROGRAMS},
    {"SH33", PROGRAMS},
    {"SH34", PROGRAMS},
    {"SH35", PROGRAMS},
    {"SH36", PROGRAMS},
    {"SH37", ROUND},
    {"SH38", ROUND},
    {"SH39", SHUFFLES},
    {"SH40", conform_shuffler_try_round, "nobody pressed the button by hand"},
    {"SH41", IDLE},
    {"SH42", IF_LOSS},
    {"SH43", SHUFFLES},
    {"SH44", SHUFFLES},
    {"SH45", SHUFFLES},
    {"SH46", SHUFFLES},
    {"SH47", NULL, TWO_DECKS},
    {"SH48", SHUFFLES},
    {"SH49", ROUND},
    {"SH50", ROUND},
    {"SH51", IF_FAULT},
    {"SH52", IF_FAULT},
    {"SH53", IDLE},
    {"SH54", IF_LOSS},
    {"SH55", conform_shuffler_try_round, "nobody pressed the button by hand"},
    {"SH56", ROUND},
    {"SH57", NULL, "how many events a device has room for is its own business"},
    {"SH58", IF_FAULT},
    {"SH59", IF_FAULT},
    {"SH60", IF_FAULT},
    {"SH61", IF_FAULT},
    {"SH62", IF_FAULT},
    {"SH63", IF_FAULT},
    {"SH64", IF_FAULT},
    {"SH65", IF_LOSS},
    {"SH66", IF_FAULT},
    {"SH67", IF_LOSS},
    {"SH68", IF_LOSS},
    {"SH69", NULL, "an event that comes twice after a loss of power is allowed, and not asked for"},
    {"SH70", IF_LOSS},
    {"SH71", SHUFFLES},
    {"SH72", ROUND},
    {"SH73", ROUND},
    {"SH74", IF_FAULT},
    {"SH75", IF_FAULT},
    {"SH76", IDLE},
    {"SH77", IF_LOSS},
    {"SH78", ROUND},
    {"SH79", conform_shuffler_try_idle, "the log has fewer than 256 entries"},
    {"SH80", conform_shuffler_try_idle, "the device still keeps its first entry"},
};
static const struct conform_chapter shuffler_chapter =
    CONFORM_CHAPTER("shuffler", FRAME_SHUFFLER, clauses);
REGISTER(conform_chapters, shuffler_chapter);
