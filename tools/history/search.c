/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/history/history.h"

struct options {
    struct history_options history;
    struct history_filter filter;
};

static int find_runs(const struct command *command, int argc, char **argv)
{
    struct options options = {.filter = {.id = NULL}};
    struct history_printer printer;
    struct store *store;
    struct error error;
    int status;
    char **names = options_read(command, argc, argv, &options, &status);

    if (!names)
        return status;
    if (*names)
        return command_usage_error(command, "'%s': nothing but options is expected", *names);
    status = history_store(command, &options.history, false, &store);
    if (status)
        return status;
    history_print_begin(&printer, &options.history);
    if (history_find(store, &options.filter, history_print_run, &printer, &error))
        status = command_error(command, &error);
    else
        history_print_end(&printer);
    store_close(store);
    return command_finish(command, status);
}

static const struct option_row list_rows[] = {{.expand = history_rows}, OPTIONS_END};

static const struct command list_command = {
    .name = "history list",
    .synopsis = "[OPTION]...",
    .summary = "Show every run, in the order of their dates",
    .about = "A line for each run: its date, verdict, rounds that passed of all that were judged,\n"
             "id, rig file, and the devices with serial number and firmware.\n",
    .options = list_rows,
    .help = "Runs are ordered by the dates that they have themselves. Where benches have clocks\n"
            "that differ, so does that order.\n\n"
            "Exit status: 0, 2 usage, or no history there, 4 the store failed.\n",
    .run = find_runs,
};
REGISTER(history_commands, list_command);

static const struct option_row search_rows[] = {
    {"serial", 0, "SERIAL", "runs with the device of this serial number",
     OPTION_INTO(struct options, filter.serial)},
    {"firmware", 0, "VERSION", "with a device of this firmware; that of --serial, if it is given",
     OPTION_INTO(struct options, filter.firmware)},
    {"rig", 0, "TEXT", "with TEXT in the path of the rig file, in capitals or not",
     OPTION_INTO(struct options, filter.rig)},
    {"check", 0, "NAME", "in which this check failed", OPTION_INTO(struct options, filter.check)},
    {"verdict", 0, "VERDICT",
     "that came to pass, fail, device, rig, timeout, aborted or skipped, or was 'cut off'",
     OPTION_INTO(struct options, filter.verdict)},
    {"since", 0, "DATE", "from this day on, 2026-01-31, or time, 2026-01-31T18:00:00Z",
     OPTION_INTO(struct options, filter.since)},
    {"until", 0, "DATE", "up to it, with that day", OPTION_INTO(struct options, filter.until)},
    {"operator", 0, "NAME", "that this person performed",
     OPTION_INTO(struct options, filter.operator)},
    {.expand = history_rows},
    OPTIONS_END};

static const struct command search_command = {
    .name = "history search",
    .synopsis = "[OPTION]...",
    .summary = "Find runs by device, firmware, rig, check, verdict, date or person",
    .about = "Shows the runs of which all that is asked for holds, as 'history list' does.\n",
    .options = search_rows,
    .help = "Examples:\n"
            "  dealproof history search --serial S-1042 --firmware 2.1\n"
            "  dealproof history search --check card-order --since 2026-01-01 --json\n\n"
            "Exit status: 0, also when there is none, 2 usage, or no history there, 4 the store\n"
            "failed.\n",
    .run = find_runs,
};
REGISTER(history_commands, search_command);
