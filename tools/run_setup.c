/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/run_setup.h"

#include <string.h>

static const struct option_row common[] = {
    {"journal", 0, "FILE", "write everything that happens to a new file",
     OPTION_INTO(struct run_setup, journal)},
    {"reports", 0, "DIR",
     "leave the journal in DIR, and a report in each format of 'dealproof report', also after "
     "failures and Ctrl-C; files that are there already are not touched",
     OPTION_INTO(struct run_setup, folder)},
    {"page", 0, "[ADDR:]PORT",
     "show the run in a browser while it lasts, on this machine unless ADDR is another of its "
     "addresses; rigs/STATION.md",
     OPTION_INTO(struct run_setup, page.listen)},
    {"token-file", 0, "FILE",
     "what a browser must know to see the page, 16 characters or more in a file that its owner "
     "alone can read; needed where other machines reach it",
     OPTION_INTO(struct run_setup, page.token_file)},
    {"orders", 0, "FD",
     "take the orders of a page from an open descriptor, a line of JSON each, and stop after the "
     "round when it is closed",
     OPTION_INTO(struct run_setup, page.orders)},
    {"fail-fast", 0, NULL, "stop after the first round that does not pass",
     OPTION_INTO(struct run_setup, orders.fail_fast)},
    {"seed", 0, "N",
     "of all that is random, such as emulated devices and injected faults (default 1)",
     OPTION_INTO(struct run_setup, orders.seed), 0, UINT64_MAX},
    {"json", 0, NULL, "one line of JSON for each round and for the whole",
     OPTION_INTO(struct run_setup, show.json)},
    {"quiet", 'q', NULL, "only the exit status, and what keeps the run from starting",
     OPTION_INTO(struct run_setup, show.quiet)},
    {"verbose", 'v', NULL,
     "say also what passes, and every failure: otherwise the first three of the same check at "
     "the same place are printed, and the others counted",
     OPTION_INTO(struct run_setup, show.verbose)},
};

size_t run_setup_rows(struct option_row *rows, size_t room)
{
    size_t count = sizeof common / sizeof common[0];

    if (count > room)
        count = room;
    memcpy(rows, common, count * sizeof *rows);
    return count;
}

int run_setup_rig(const struct run_setup *setup, struct rig **rig, struct error *error)
{
    const char *path = setup->orders.rig_path;

    return path ? rig_load(rig, path, error) : rig_default(rig, error);
}

int run_setup_reports(struct run_setup *setup, struct error *error)
{
    return run_reports_prepare(&setup->reports, setup->folder, setup->journal, error);
}

int run_setup_play(const struct command *command, struct run_setup *setup, const struct rig *rig,
                   const struct recording_list *recordings, char **argv)
{
    struct run_orders *orders = &setup->orders;
    struct error error;
    int status;

    if ((setup->page.listen || setup->page.orders) && orders->jobs > 1)
        return command_usage_error(
            command, "--jobs %u: a page shows one bench, not several side by side", orders->jobs);
    setup->page.command = command->name;
    setup->page.journal = setup->reports.journal;
    setup->page.rig = rig;
    setup->page.desk = setup->desk;
    if (page_start(&orders->page, &setup->page, &error))
        return command_error(command, &error);
    orders->rig = rig;
    orders->recordings = recordings;
    orders->command = (const char *const *)argv;
    orders->show = &setup->show;
    setup->show.live = rig->clock == RIG_CLOCK_REAL;
    orders->journal_path = orders->page ? page_journal(orders->page) : setup->reports.journal;
    setup->show.reports = orders->reports = &setup->reports;
    status = run_crew(command, orders);
    page_stop(orders->page);
    return status;
}
