/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "games/audit/audit.h"
#include "hal/base/save.h"
#include "rigs/recording/paytables.h"
#include "tools/audit/crew.h"
#include "tools/audit/decisions.h"
#include "tools/audit/report.h"
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
    "  standard deviation how far a round's net result is from the EV, in antes or stakes\n"
    "  volatility index   1.645 standard deviations\n"
    "  base, static pays  what the EV is made of: stakes won and lost at even money, then the\n"
    "                     lines of the table; a progressive has meters and contributions too\n"
    "  net result         of a round: every result there is; of N rounds: between what it lies\n"
    "                     in 90, 95 and 99 of 100 such runs, by the law of one, exactly\n"
    "  break-even         what a meter shows when the house edge is 0, the others at reseed and\n"
    "                     contributions not counted; a meter's hours are those of one wager\n"
    "  rules              to play by, as code that the audit has tried; what they and common\n"
    "                     errors cost. Rules that cost 0 are exact\n"
    "  warning            a house edge outside of 0 % to 25 %, a line that no deal is paid\n"
    "                     on, a meter that gets less between hits than its reseed value\n"
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
    "  dealproof audit --paytables mine.jsonl --against sheet flush-rush\n"
    "  dealproof audit --strategy plays.csv chase-the-flush   every decision of a game\n"
    "  dealproof audit --json | jq '.audits[] | [.game, .wager, .table, .\"house-edge\"]'\n"
    "\n"
    "Exit status: 0 the figures are there, warnings or not, 2 usage, paytables that cannot be\n"
    "used, or a file that is there already, 4 reading or writing failed, or memory is short.\n";

struct options {
    const struct command *command;
    bool json;
    bool replace;
    bool ace_low;
    bool ace_low_given;
    unsigned jobs;
    struct audit_terms terms;
    const char *html;     /* the file of the page, or NULL */
    const char *strategy; /* the file of the complete table, or NULL */
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

static int write_decisions(void *context, const struct audit_part *total,
                           const struct audit_entry *entries, size_t count, struct error *error)
{
    const struct options *options = context;

    return audit_decisions_write(total, entries, count, options->strategy, options->replace, error);
}

static int audit_all(struct options *options, struct audit_entry *entries, size_t *count,
                     struct error *error)
{
    const struct audit_crew crew = {.jobs = options->jobs,
                                    .progress = isatty(STDERR_FILENO),
                                    .done = options->strategy ? write_decisions : NULL,
                                    .context = options};

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
        status = audit_crew_run(&request, &crew, entries + *count, &found, error);
        if (status)
            return status;
        *count += found;
    }
    return 0;
}

static int read_against(const struct option_row *row, char *what, void *context,
                        struct error *error)
{
    struct options *options = context;

    (void)row;
    if (strcmp(what, "sheet"))
        return error_set(error, ERROR_CONFIG,
                         "--against cannot be '%s'; write --against sheet: each table of the file "
                         "beside the sheet's own",
                         what);
    options->terms.against_sheet = true;
    return 0;
}

/* What is asked for together must make sense together. */
static int check_options(const struct options *options)
{
    struct stat status;

    if (options->terms.against_sheet && !options->paytables_path)
        return command_usage_error(options->command,
                                   "--against sheet compares the tables of a file; name it with "
                                   "--paytables");
    if (options->replace && !options->html && !options->strategy)
        return command_usage_error(options->command, "--force means nothing without a file");
    if (options->strategy && options->game_count != 1)
        return command_usage_error(options->command,
                                   "--strategy writes the table of one game; name that GAME");
    if (options->strategy && options->games[0]->audit && !options->games[0]->audit->decisions)
        return command_usage_error(options->command, "the decisions of %s are not written down",
                                   options->games[0]->name);
    for (int i = 0; i < 2 && !options->replace; i++) {
        const char *path = i ? options->html : options->strategy;

        if (path && !save_look(path, &status) && S_ISREG(status.st_mode))
            return command_usage_error(options->command,
                                       "%s: is there already; --force replaces it", path);
    }
    return 0;
}

struct page {
    const struct audit_sheet *sheets;
    size_t count;
};

static void write_page(const void *what, FILE *out)
{
    const struct page *page = what;

    audit_report_html(page->sheets, page->count, out);
}

static int report(const struct options *options, const struct audit_entry *entries, size_t count,
                  struct error *error)
{
    struct audit_sheet *sheets = audit_sheets_new(entries, count, &options->terms, error);
    const struct page page = {sheets, count};
    int status = 0;

    if (!sheets)
        return (int)error->code;
    if (options->html)
        status = save_whole(options->html, write_page, &page, error);
    if (!status && options->json)
        audit_report_json(sheets, count);
    else if (!status)
        audit_report_text(sheets, count);
    free(sheets);
    return status;
}

static int run(const struct command *command, int argc, char **argv)
{
    struct options options = {
        .command = command,
        .jobs = jobs_default(),
        .terms = {.rounds = AUDIT_ROUNDS, .hands_per_hour = AUDIT_HANDS_PER_HOUR}};
    struct audit_entry *entries;
    struct error error;
    size_t count = 0;
    int status;
    char **names = options_read(command, argc, argv, &options, &status);

    if (!names)
        return status;
    status = choose_games(&options, names);
    if (!status)
        status = check_options(&options);
    if (status)
        return status;
    entries = calloc((size_t)AUDIT_ENTRIES_MAX * options.game_count, sizeof *entries);
    if (!entries) {
        error_set(&error, ERROR_RIG, "no memory for the results");
        return command_error(command, &error);
    }
    if ((options.paytables_path &&
         paytables_load(options.paytables_path, &options.paytables, &error)) ||
        audit_all(&options, entries, &count, &error) || report(&options, entries, count, &error))
        status = command_error(command, &error);
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
    {"against", 0, "sheet",
     "with --paytables: what each table of the file changes of the sheet's own, line by line",
     .read = read_against},
    {"rounds", 0, "N", "how many rounds the bands of the net result are of; 10000 by default",
     OPTION_INTO(struct options, terms.rounds), 1, ROUNDS_MAX},
    {"hands-per-hour", 0, "N",
     "turns rounds between two hits of a meter into hours; 40 by default, for one wager",
     OPTION_INTO(struct options, terms.hands_per_hour), 1, 100000},
    {"html", 0, "FILE", "write a page as well, which needs nothing else",
     OPTION_INTO(struct options, html), .use = OPTION_WRITES},
    {"strategy", 0, "FILE",
     "write the complete table of optimal play of one GAME as comma-separated values",
     OPTION_INTO(struct options, strategy), .use = OPTION_WRITES},
    {"force", 0, NULL, "replace a page or a table that is there",
     OPTION_INTO(struct options, replace)},
    {"jobs", 'j', "N", JOBS_HELP, OPTION_INTO(struct options, jobs), 1, JOBS_MAX},
    OPTIONS_END};

static const struct command audit_command = {
    .name = "audit",
    .synopsis = "[--json] [--html FILE] [--rule NAME=VALUE] [-j N] [GAME]...\n"
                "       dealproof audit --paytables FILE [--against sheet] [GAME]...\n"
                "       dealproof audit --strategy FILE GAME",
    .summary = "Work out the exact house edge of every wager and table",
    .about = about,
    .options = rows,
    .help = help,
    .run = run,
};
REGISTER(commands, audit_command);
