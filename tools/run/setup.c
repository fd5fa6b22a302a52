/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/run/setup.h"

#include <stdlib.h>
#include <string.h>

#include "rigs/page/links.h"
#include "tools/ask.h"

static int read_questions(const struct option_row *row, char *text, void *context,
                          struct error *error)
{
    struct run_setup *setup = context;

    (void)row;
    if (strcmp(text, "json") != 0 && strcmp(text, "orders") != 0)
        return error_set(error, ERROR_CONFIG, "--questions is '%s'; it must be json or orders",
                         text);
    setup->questions = text;
    return 0;
}

static int read_history(const struct option_row *row, char *text, void *context,
                        struct error *error)
{
    struct run_setup *setup = context;

    (void)row;
    (void)error;
    setup->history.is_wanted = true;
    setup->history.store = text;
    return 0;
}

/* Reports find it in the command line that the journal has. */
static int read_history_pages(const struct option_row *row, char *text, void *context,
                              struct error *error)
{
    (void)context;
    return page_link_is_address(text)
               ? 0
               : error_set(error, ERROR_CONFIG,
                           "--%s is '%.80s'; it must begin with http://, https:// or file:///",
                           row->name, text);
}

static const struct option_row common[] = {
    {"journal", 0, "FILE", "write everything that happens to a new file",
     OPTION_INTO(struct run_setup, journal)},
    {"reports", 0, "DIR",
     "leave the journal in DIR, a report in each format of 'dealproof report', also after "
     "failures, "
     "Ctrl-C and where a device is missing, and what the run was played with; where an earlier run "
     "has used DIR, in DIR.2 and so on; a run that is refused, with status 2, leaves none",
     OPTION_INTO(struct run_setup, folder)},
    {"history", 0, "[=STORE]",
     "put the journal into the history when the run has ended (see 'dealproof history'); a store "
     "that is away does not change the run, and gets it later",
     .read = read_history},
    {"history-pages", 0, "URL",
     "where the pages of 'dealproof history page' are, http://, https:// or file:///: the report "
     "and the page of the run link to them",
     .read = read_history_pages},
    {"by", 0, "TEXT", "who performs it, for the journal, its reports and the header of a recording",
     OPTION_INTO(struct run_setup, by)},
    {"questions", 0, "HOW",
     "where people are asked, by --play ask or by devices that they work, json: questions as lines "
     "of JSON on standard output, answers on standard input; orders: answers from --orders, where "
     "somebody passes them on from a page; everything else is printed as with --json",
     .read = read_questions},
    {"force", 0, NULL,
     "remove what an earlier run has left in the folder of --reports, at once, and use it again; "
     "of "
     "'record' also a recording of that name",
     OPTION_INTO(struct run_setup, force)},
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
    {"realtime", 0, NULL,
     "on a real clock: play with real-time priority 40 and all memory locked, so that no other "
     "program delays when something is seen (rigs/RASPBERRY-PI.md)",
     OPTION_INTO(struct run_setup, orders.realtime)},
    {"seed", 0, "N",
     "of all that is random, such as emulated devices and injected faults (default 1)",
     OPTION_INTO(struct run_setup, orders.seed), 0, UINT64_MAX},
    {"json", 0, NULL,
     "one line of JSON for each round, for what is waited for on a real clock, and for the whole",
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

/* What is to be played is not thrown away first. */
static int refuse_own(const struct command *command, const struct run_setup *setup,
                      const char *path)
{
    if (!path || !run_folder_holds(setup->folder, path))
        return EXIT_PASS;
    return command_usage_error(
        command,
        "%s: is what an earlier run has left in %s, and --force would remove "
        "it; name another folder for the reports, or copy it elsewhere",
        path, setup->folder);
}

int run_setup_force(const struct command *command, const struct run_setup *setup,
                    char *const *names)
{
    int status;
    struct error error;

    if (!setup->force || !setup->folder || setup->again)
        return EXIT_PASS;
    status = refuse_own(command, setup, setup->orders.rig_path);
    for (; !status && *names; names++)
        status = refuse_own(command, setup, *names);
    if (status)
        return status;
    return run_folder_empty(setup->folder, &error) ? command_error(command, &error) : EXIT_PASS;
}

int run_setup_rig(const struct run_setup *setup, struct rig **rig, struct error *error)
{
    const char *path = setup->orders.rig_path;

    if (!setup->again)
        return path ? rig_load(rig, path, error) : rig_default(rig, error);
    *rig = setup->again->rig;
    (*rig)->capture[0] = '\0';
    if ((*rig)->clock == RIG_CLOCK_VIRTUAL)
        return 0;
    rig_free(*rig);
    return error_set(error, ERROR_CONFIG, "its rig is not in virtual time");
}

void run_setup_again(struct run_setup *setup, const struct command_again *again)
{
    setup->again = again;
    setup->journal = again->journal;
    setup->folder = NULL;
    setup->history = (struct run_history){.is_wanted = false};
    setup->questions = NULL;
    setup->page = (struct page_options){.listen = NULL};
    setup->show = (struct run_show){.quiet = true};
    setup->orders.jobs = 1;
    setup->orders.realtime = false;
    setup->orders.place = again->place;
}

/* Who answers at this program's own streams, if anybody; or a sentence why there is nobody at all.
 */
static int find_sides(const struct command *command, const struct run_setup *setup,
                      const struct rig *rig, enum desk_side *here)
{
    const char *who = rig_asks(rig) ? "a device of this rig asks people" : setup->asks;

    if (setup->orders.jobs > 1)
        return command_usage_error(
            command, "--jobs %u: %s, who are at one bench, not at several side by side",
            setup->orders.jobs, who);
    if (setup->questions && !strcmp(setup->questions, "orders") && !setup->page.orders)
        return command_usage_error(command, "--questions orders: answers come from --orders FD");
    *here = (enum desk_side)ask_side(setup->questions);
    return *here || setup->page.listen
               ? EXIT_PASS
               : command_usage_error(command,
                                     "%s: nobody is there to answer; use a terminal, --page or "
                                     "--questions json",
                                     who);
}

int run_setup_people(const struct command *command, struct run_setup *setup, const struct rig *rig)
{
    enum desk_side here;
    struct error error;
    int status;

    if (!setup->asks && !rig_asks(rig))
        return setup->questions
                   ? command_usage_error(command, "--questions is for --play ask alone, unless a "
                                                  "device of the rig asks people")
                   : EXIT_PASS;
    status = find_sides(command, setup, rig, &here);
    if (status)
        return status;
    setup->desk = desk_new(&error);
    if (!setup->desk)
        return command_error(command, &error);
    desk_sides(setup->desk, here | (setup->page.listen ? DESK_PAGE : 0u));
    setup->show.json |= setup->questions != NULL;
    if (here && ask_open(&setup->ask, setup->desk, here, setup->by, &setup->show, &error))
        return command_error(command, &error);
    return EXIT_PASS;
}

void run_setup_leave(struct run_setup *setup)
{
    ask_close(setup->ask);
    desk_free(setup->desk);
    setup->ask = NULL;
    setup->desk = NULL;
    run_reports_leave(&setup->reports);
}

int run_setup_reports(struct run_setup *setup, const struct run_used *used, struct error *error)
{
    const struct run_reports_asked asked = {setup->folder, setup->journal, setup->force};
    int status = setup->again ? 0 : run_history_check_rig(used->rig, error);

    if (status)
        return status;
    return run_reports_prepare(&setup->reports, &asked, used, error);
}

/* The crew plays, and its journal goes into the history when it is closed. */
static int play(const struct command *command, struct run_setup *setup, char **argv)
{
    bool is_shown = !setup->show.quiet && !setup->show.json;
    char room[STORE_ADDRESS_MAX + 16];
    char **masked = run_history_mask(&setup->history, argv, room);
    int status;

    if (!masked)
        return command_error(command, &(struct error){.code = ERROR_RIG, .text = "out of memory"});
    setup->orders.command = (const char *const *)masked;
    status = run_crew(command, &setup->orders);
    run_history_import(command, &setup->history, setup->orders.journal_path, is_shown);
    free(masked);
    return command_finish(command, status);
}

int run_setup_play(const struct command *command, struct run_setup *setup, const struct rig *rig,
                   const struct recording_list *recordings, char **argv)
{
    struct run_orders *orders = &setup->orders;
    struct error error;
    int status;

    status = setup->again
                 ? 0
                 : run_history_prepare(&setup->history, rig, setup->reports.journal, &error);
    if (status < 0)
        return command_usage_error(command, "--history: %s", error.text);
    if (status)
        command_error(command, &error);
    if ((setup->page.listen || setup->page.orders) && orders->jobs > 1)
        return command_usage_error(
            command, "--jobs %u: a page shows one bench, not several side by side", orders->jobs);
    if (setup->by && (setup->page.listen || setup->page.orders || setup->desk) &&
        desk_check_name(setup->by, &error))
        return command_usage_error(command, "--by: %s", error.text);
    setup->page.command = command->name;
    setup->page.by = orders->by = setup->by;
    setup->page.journal = setup->reports.journal;
    setup->page.rig = rig;
    setup->page.desk = setup->desk;
    if (page_start(&orders->page, &setup->page, &error))
        return command_error(command, &error);
    /* Who is named on the page of who has started it is in the header of a recording too. */
    if (!setup->by)
        setup->by = page_operator(orders->page);
    orders->rig = rig;
    orders->desk = setup->desk;
    orders->recordings = recordings;
    orders->show = &setup->show;
    setup->show.live = rig->clock == RIG_CLOCK_REAL;
    orders->journal_path = orders->page ? page_journal(orders->page) : setup->reports.journal;
    setup->show.reports = orders->reports = &setup->reports;
    status = play(command, setup, argv);
    page_stop(orders->page);
    return status;
}
