/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/live/table.h"

static int run_record(const struct command *command, int argc, char **argv)
{
    return live_table_run(command, argc, argv, true);
}

static const struct command record = {
    .name = "record",
    .synopsis = "-o SHOE --game GAME [--rig FILE] [--rounds N] [OPTION]...",
    .summary = "Record what devices deal, with what the rules make of it",
    .about =
        "Observes rounds as 'dealproof observe' does and writes each that came to its end to "
        "SHOE,\n"
        "NAME.shoe, and its settlement to NAME.expect beside it: 'dealproof run NAME.shoe' "
        "replays\n"
        "it with the same result. Until the end the files are NAME.shoe.part and "
        "NAME.expect.part,\n"
        "with whole rounds only; they get their names whatever ends the recording but kill -9.\n\n"
        "With --from it touches no device and makes the recording of a table that was only\n"
        "listened to (devices/LISTENING.md). No line carries stakes and decisions: give them for\n"
        "all rounds, --bet and --play, or as they were noted, --notes.\n",
    .options = live_options,
    .help = "Examples:\n"
            "  dealproof record -o evening.shoe --rig rigs/bench-usb.yaml --game chase-the-flush\n"
            "  dealproof record -o three.shoe --game three-card-catch --rounds 50 --play random\n"
            "  dealproof run three.shoe\n"
            "  dealproof record -o night.shoe --from night.pcap --game flush-rush --seats 1,4 \\\n"
            "    --bet ante=1000 --play plain\n\n" LIVE_TABLE_STATUS,
    .run = run_record,
    .again = live_table_again,
};
REGISTER(commands, record);
