/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "games/audit/audit.h"
#include "rigs/recording/paytables.h"
#include "tools/audit_crew.h"
#include "tools/audit_report.h"
#include "tools/jobs.h"
#include "tools/options.h"

static const char about[] =
    "Counts every deal there is and plays each one as well as its rules allow. Nothing is\n"
    "simulated: the figures are exact fractions, printed by integer division, and the same to\n"
    "the byte on every machine and with any number of jobs. Without GAME all games are\n"
    "audited.\n";

static const char help[] =
    "What the figures mean:\n"
    "  EV                 what a player who plays perfectly wins on average: per ante in a main\n"
    "                     game (ante, bonus and raises together), per stake of any other wager\n"
    "  house edge         the same seen from the house: -EV\n"
    "  average wager      all that is staked in a round, in antes\n"
    "  element of risk    house edge divided by average wager: the price of a dollar in action\n"
    "  hit frequency      share of deals that win; pushes and folded hands do not\n"
    "  combinations       deals paid on a line, nobody folding. A main game's are those of the\n"
    "                     table it is named after: the ante's or x-tra's\n"
    "  optimal play       share of deals that end with each decision. Of two decisions of equal\n"
    "                     worth the one that stakes less is taken\n"
    "\n"
    "A progressive is taken with its meters at their reseed values and with what a wager adds\n"
    "to the meters counted as return. In JSON its pays are dollars, or the name of a meter;\n"
    "other pays are to 1, and 0 is a push. Who may draw in 3 Card Catch depends on who folds:\n"
    "its progressive goes by the play of the default x-tra table.\n"
    "\n"
    "Examples:\n"
    "  dealproof audit                                        every game and table\n"
    "  dealproof audit chase-the-flush                        one game\n"
    "  dealproof audit three-card-catch --rule ace-low=false  as some houses play it\n"
    "  dealproof audit --json | jq '.audits[] | [.game, .wager, .table, .\"house-edge\"]'\n";

struct options {
    const struct command *command;
    bool json;
    bool ace_low;
    bool ace_low_given;
    unsigned jobs;
    const char *paytables_path;
    struct paytables *paytables; /* NULL: those of the sheets alone */
    const struct game *games[REGISTRY_MAX];
    size_t game_count;
};

static int read_rule(const struct option_row *row, char *rule, void *context, struct error *error)
{
    struct options *options = context;
    const char *value = strchr(rule, '=');
    int length = value ? (int)(value - rule) : (int)strlen(rule);

    (void)row;
    if (strncmp(rule, "ace-low", (size_t)length) || length != (int)strlen("ace-low"))
        return error_set(error, ERROR_CONFIG,
                         "unknown rule '%.*s'; the one rule an audit can change is ace-low", length,
                         rule);
    if (!value || (strcmp(value, "=true") && strcmp(value, "=false")))
        return error_set(error, ERROR_CONFIG,
                         "rule ace-low cannot be '%s'; write ace-low=true or ace-low=false",
                         value ? value + 1 : "");
    options->ace_low = !strcmp(value, "=true");
    options->ace_low_given = true;
    return 0;
}

static int add_game(struct options *options, const char *name)
{
    const struct game *game = game_find(name);

    struct error error;

    if (game ? game_check(game, &error) : game_unknown(name, &error))
        return command_usage_error(options->command, "%s", error.text);
    for (size_t i = 0; i < options->game_count; i++)
        if (options->games[i] == game)
            return command_usage_error(options->command, "game '%s' is given twice", name);
    options->games[options->game_count++] = game;
    return 0;
}

static void add_all_games(struct options *options)
{
    const struct game *game;
    struct error error;

    for (size_t i = 0; (game = game_at(i)); i++)
        if (game_check(game, &error))
            fprintf(stderr, "dealproof audit: left out: %s\n", error.text);
        else if (game->audit)
            options->games[options->game_count++] = game;
        else
            fprintf(stderr, "dealproof audit: %s is left out: it has no audit of its own\n",
                    game->name);
}

/* A rule that none of the games leaves open is a mistake. */
static int check_rule(const struct options *options)
{
    struct name_list open;
    const struct game *game;

    if (!options->ace_low_given)
        return 0;
    for (size_t i = 0; i < options->game_count; i++)
        if (options->games[i]->ace_low_open)
            return 0;
    name_list_start(&open);
    for (size_t i = 0; (game = game_at(i)); i++)
        if (game->ace_low_open)
            name_list_add(&open, game->name);
    return command_usage_error(options->command,
                               "rule ace-low means nothing to %s; it is one of %s",
                               options->games[0]->name, name_list_text(&open));
}

static int choose_games(struct options *options, char **names)
{
    int status = 0;

    for (char **name = names; *name && !status; name++)
        status = add_game(options, *name);
    if (!*names)
        add_all_games(options);
    return status ? status : check_rule(options);
}

/* The request starts with the sheet's own tables. */
static int request_extra_tables(const struct options *options, const struct game *game,
                                struct audit_request *request, struct error *error)
{
    for (unsigned wager = 0; wager < game->wager_count; wager++) {
        const struct paytable *table;
        size_t index = game->wagers[wager].table_count;

        for (; (table = paytables_at(options->paytables, game, wager, index)); index++)
            if (audit_request_add(request, wager, table, error))
                return (int)error->code;
    }
    return 0;
}

static int audit_all(const struct options *options, struct audit_entry *entries, size_t *count,
                     struct error *error)
{
    for (size_t i = 0; i < options->game_count; i++) {
        struct audit_request request;
        size_t found;
        int status;

        audit_request_init(&request, options->games[i]);
        if (options->ace_low_given)
            request.ace_low = options->ace_low;
        status = request_extra_tables(options, options->games[i], &request, error);
        if (status)
            return status;
        status = audit_crew_run(&request, options->jobs, isatty(STDERR_FILENO), entries + *count,
                                &found, error);
        if (status)
            return status;
        *count += found;
    }
    return 0;
}

static int run(const struct command *command, int argc, char **argv)
{
    struct options options = {.command = command, .jobs = jobs_default()};
    struct audit_entry *entries;
    struct error error;
    size_t count = 0;
    int status;
    char **names = options_read(command, argc, argv, &options, &status);

    if (!names)
        return status;
    status = choose_games(&options, names);
    if (status)
        return status;
    entries = calloc((size_t)AUDIT_ENTRIES_MAX * options.game_count, sizeof *entries);
    if (!entries) {
        error_set(&error, ERROR_RIG, "no memory for the results");
        return command_error(command, &error);
    }
    if ((options.paytables_path &&
         paytables_load(options.paytables_path, &options.paytables, &error)) ||
        audit_all(&options, entries, &count, &error))
        status = command_error(command, &error);
    else if (options.json)
        audit_report_json(entries, count);
    else
        audit_report_text(entries, count);
    free(entries);
    paytables_free(options.paytables);
    return command_finish(command, status);
}

static const struct option_row rows[] = {
    {"json", 0, NULL, "one JSON object, {\"audits\":[...]}, instead of tables",
     OPTION_INTO(struct options, json)},
    {"rule", 0, "NAME=VALUE",
     "play by another reading of the sheets: ace-low=true (the default: A-2-3 is the lowest "
     "straight of 3 Card Catch) or ace-low=false",
     .read = read_rule},
    {"paytables", 0, "FILE", "also audit the tables in that file; it is described in FORMATS.md",
     OPTION_INTO(struct options, paytables_path)},
    {"jobs", 'j', "N", JOBS_HELP, OPTION_INTO(struct options, jobs), 1, JOBS_MAX},
    OPTIONS_END};

static const struct command audit_command = {
    .name = "audit",
    .synopsis = "[--json] [--rule NAME=VALUE] [--paytables FILE] [-j N] [GAME]...",
    .summary = "Work out the exact house edge of every wager and table",
    .about = about,
    .options = rows,
    .help = help,
    .run = run,
};
REGISTER(commands, audit_command);
