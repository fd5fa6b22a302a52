/*
 * What observe and record have in common: their options, the table that these describe, and the
 * crew that plays it. record is observe with somebody who writes down every round.
 */
#ifndef TOOLS_LIVE_TABLE_H
#define TOOLS_LIVE_TABLE_H

#include "tools/command.h"

/* The part of --help that both have, a string literal. */
#define LIVE_TABLE_OPTIONS                                                                         \
    "  --rig FILE        the bench (default: every device emulated)\n"                             \
    "  --game GAME       chase-the-flush, flush-rush or three-card-catch\n"                        \
    "  --rounds N        how many; until interrupted without it, on a real clock only\n"           \
    "  --seats LIST      who plays, 1,4 or 1-3 (default: seats with a wager on a sensor that\n"    \
    "                    only people can reach, or else all seats of the rig)\n"                   \
    "  --bet WAGER=CENTS what each seat stakes, 0 for nothing; again for other wagers (default:\n" \
    "                    1000 or the limit next to it where a wager is required, and the\n"        \
    "                    progressive one where the rig has a terminal)\n"                          \
    "  --play POLICY     how the players decide, which no device sees: plain (by the hand, the\n"  \
    "                    default), bet (at once), late (check, then bet), fold, random\n"          \
    "  --deal HOW        packets from a shuffler, cards from a shoe (default: what there is)\n"    \
    "  --burn N          cards burned off the top before the first hand (default 0)\n"             \
    "  --table WAGER=T   a paytable other than the sheet's default; again for other wagers\n"      \
    "  --rule NAME=VALUE what a sheet leaves open, ace-low=false; again for others\n"              \
    "  --keep-meters     leave the terminal as it is set up, its meters as they stand\n"           \
    "  --pause SECONDS   before each round, for the people at the table: from the first wager\n"   \
    "                    on where sensors see theirs (default 0)\n"                                \
    "  --journal FILE    write everything that happens to a new file\n"                            \
    "  --reports DIR     leave a page, JUnit XML, a text and the journal in DIR\n"                 \
    "  --fail-fast       stop after the first round that does not pass\n"                          \
    "  --seed N          of emulated devices, injected faults and --play random (default 1)\n"     \
    "  --json            one line of JSON for each round and for the whole\n"                      \
    "  --quiet           only the exit status\n"                                                   \
    "  --verbose         say more\n"                                                               \
    "  --help            this text\n"

#define LIVE_TABLE_STATUS                                                                          \
    "Exit status: 0 all rounds passed, 1 some failed, 2 usage or configuration, 3 a device\n"      \
    "failed, 4 the bench failed, 5 a device did not answer in time, 130 interrupted before\n"      \
    "--rounds were played. An interrupt lets the round end first; a second one cuts it short.\n"

/* Runs a command of the two; with `records` it takes -o and what belongs to it. */
int live_table_run(const struct command *command, int argc, char **argv, bool records);

#endif
