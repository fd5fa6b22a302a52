/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/live/table.h"

static int run_observe(const struct command *command, int argc, char **argv)
{
    return live_table_run(command, argc, argv, false);
}

static const struct command observe = {
    .name = "observe",
    .synopsis = "--game GAME [--rig FILE] [--rounds N] [OPTION]...",
    .summary = "Check live rounds that have no recording",
    .about =
        "Plays rounds of GAME with whatever the devices of the rig deal: places wagers, presses\n"
        "START ROUND, has the cards dealt, settles them by the rules, takes jackpots through "
        "their\n"
        "approval, presses END ROUND, and checks all that can be checked without a recording. No\n"
        "order is loaded and no device is put into test mode; one that is in it fails a check.\n"
        "Opening meters and Must Hit are those of the rig file, and the terminal is set up so\n"
        "unless --keep-meters is given.\n",
    .options = live_options + LIVE_RECORD_ROWS,
    .help = "Examples:\n"
            "  dealproof observe --game chase-the-flush --rounds 1000\n"
            "  dealproof observe --rig rigs/bench-usb.yaml --game three-card-catch --seats 1,4 \\\n"
            "      --bet ante=500 --bet natural-pair-plus=100 --journal friday.journal\n"
            "  dealproof observe --rig rigs/shoe-angel-eye.yaml --game chase-the-flush --seats "
            "1-3\n\n" LIVE_TABLE_STATUS,
    .run = run_observe,
    .again = live_table_again,
};
REGISTER(commands, observe);
