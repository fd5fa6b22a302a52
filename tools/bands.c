/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "games/audit/bands.h"
#include "rigs/recording/paytables.h"
#include "tools/audit/crew.h"
#include "tools/audit/sheet.h"
#include "tools/jobs.h"
#include "tools/json_print.h"
#include "tools/options.h"

#define DIGITS 10

struct options {
    const struct command *command;
    bool json;
    unsigned jobs;
    uint64_t rounds;
    const char *paytables_path;
    struct paytables *paytables; /* NULL: those of the sheets alone */
    const struct game *game;
};

static int choose_game(struct options *options, char **names)
{
    struct error error;

    if (!names[0] || names[1])
        return command_usage_error(options->command, "name one GAME");
    options->game = game_find(names[0]);
    if (options->game ? game_check(options->game, &error) : game_unknown(names[0], &error))
        return command_usage_error(options->command, "%s", error.text);
    if (!options->rounds)
        return command_usage_error(options->command,
                                   "--rounds is missing: bands are those of a number of rounds");
    return 0;
}

static int audit(const struct options *options, struct audit_entry *entries, size_t *count,
                 struct error *error)
{
    const struct audit_crew crew = {.jobs = options->jobs, .progress = isatty(STDERR_FILENO)};
    struct audit_request request;

    audit_request_init(&request, options->game);
    for (unsigned wager = 0; wager < options->game->wager_count; wager++) {
        size_t index = options->game->wagers[wager].table_count;
        const struct paytable *table;

        for (; (table = paytables_at(options->paytables, options->game, wager, index)); index++)
            if (audit_request_add(&request, wager, table, error))
                return (int)error->code;
    }
    return audit_crew_run(&request, &crew, entries, count, error);
}

static struct bands hits_of(const struct audit_line *line, uint64_t rounds)
{
    struct bands bands;

    bands_of_hits(&bands, ratio_make(line->combinations, line->of), rounds);
    return bands;
}

static void print_json_band(struct json_print *print, const struct bands *bands, double per)
{
    char level[8];

    json_print_real(print, "expected", bands->expected / per, DIGITS);
    for (unsigned i = 0; i < BAND_LEVELS; i++) {
        snprintf(level, sizeof level, "%u", band_levels[i]);
        json_print_open(print, level, "{}");
        json_print_real(print, "low", (double)bands->low[i] / per, DIGITS);
        json_print_real(print, "high", (double)bands->high[i] / per, DIGITS);
        json_print_close(print, "{}");
    }
}

static void print_json_meters(struct json_print *print, const struct audit_sheet *sheet)
{
    json_print_open(print, "meters", "[]");
    for (size_t i = 0; i < sheet->meter_count; i++) {
        const struct audit_meter *meter = &sheet->meters[i];
        struct bands bands;

        bands_of_hits(&bands, meter->chance, sheet->terms->rounds);
        json_print_open(print, NULL, "{}");
        json_print_text(print, "meter", meter->rule->name);
        print_json_band(print, &bands, 1);
        json_print_close(print, "{}");
    }
    json_print_close(print, "[]");
}

static void print_json_sheet(struct json_print *print, const struct audit_sheet *sheet)
{
    const struct audit_entry *entry = sheet->entry;

    json_print_open(print, NULL, "{}");
    json_print_text(print, "wager", entry->wager);
    json_print_text(print, "table", entry->table->name);
    json_print_open(print, "net", "{}");
    json_print_bool(print, "exact", sheet->net.is_exact);
    print_json_band(print, &sheet->net, (double)entry->law.per);
    json_print_close(print, "{}");
    json_print_open(print, "lines", "[]");
    for (unsigned i = 0; i < entry->line_count; i++) {
        struct bands bands = hits_of(&entry->lines[i], sheet->terms->rounds);

        json_print_open(print, NULL, "{}");
        json_print_text(print, "line", entry->lines[i].name);
        print_json_band(print, &bands, 1);
        json_print_close(print, "{}");
    }
    json_print_close(print, "[]");
    print_json_meters(print, sheet);
    json_print_close(print, "{}");
}

static void print_json(const struct options *options, const struct audit_sheet *sheets,
                       size_t count)
{
    struct json_print print = {.out = stdout};

    json_print_open(&print, NULL, "{}");
    json_print_text(&print, "game", options->game->name);
    json_print_integer(&print, "rounds", (int64_t)options->rounds);
    json_print_open(&print, "bands", "[]");
    for (size_t i = 0; i < count; i++)
        print_json_sheet(&print, &sheets[i]);
    json_print_close(&print, "[]");
    json_print_close(&print, "{}");
    putchar('\n');
}

static void print_row(const char *name, const struct bands *bands, double per)
{
    int decimals = per > 1 ? 2 : 0;

    printf("    %-33s %14.2f", name, bands->expected / per);
    for (unsigned i = 0; i < BAND_LEVELS; i++) {
        char band[64];

        snprintf(band, sizeof band, "%.*f to %.*f", decimals, (double)bands->low[i] / per, decimals,
                 (double)bands->high[i] / per);
        printf(" %20s", band);
    }
    putchar('\n');
}

static void print_meter_rows(const struct audit_sheet *sheet)
{
    for (size_t i = 0; i < sheet->meter_count; i++) {
        struct bands bands;
        char name[48];

        bands_of_hits(&bands, sheet->meters[i].chance, sheet->terms->rounds);
        snprintf(name, sizeof name, "meter %s", sheet->meters[i].rule->name);
        print_row(name, &bands, 1);
    }
}

static void print_text(const struct options *options, const struct audit_sheet *sheets,
                       size_t count)
{
    printf("%s, %" PRIu64 " round%s of one seat\n", options->game->title, options->rounds,
           options->rounds == 1 ? "" : "s");
    for (size_t i = 0; i < count; i++) {
        const struct audit_entry *entry = sheets[i].entry;
        char title[64];

        snprintf(title, sizeof title, "%s, table %s", entry->wager, entry->table->name);
        printf("\n  %-35s %14s", title, "expected");
        for (unsigned n = 0; n < BAND_LEVELS; n++)
            printf(" %18u %%", band_levels[n]);
        putchar('\n');
        print_row(sheets[i].net.is_exact ? "net result" : "net result, by the normal law",
                  &sheets[i].net, (double)entry->law.per);
        for (unsigned n = 0; n < entry->line_count; n++) {
            struct bands bands = hits_of(&entry->lines[n], options->rounds);

            print_row(entry->lines[n].name, &bands, 1);
        }
        print_meter_rows(&sheets[i]);
    }
}

static int show(const struct options *options, struct audit_entry *entries, struct error *error)
{
    const struct audit_terms terms = {.rounds = options->rounds, .hands_per_hour = 1};
    struct audit_sheet *sheets;
    size_t count;
    int status = audit(options, entries, &count, error);

    if (status)
        return status;
    sheets = audit_sheets_new(entries, count, &terms, error);
    if (!sheets)
        return (int)error->code;
    if (options->json)
        print_json(options, sheets, count);
    else
        print_text(options, sheets, count);
    free(sheets);
    return 0;
}

static int run(const struct command *command, int argc, char **argv)
{
    struct options options = {.command = command, .jobs = jobs_default()};
    struct audit_entry *entries;
    struct error error;
    int status;
    char **names = options_read(command, argc, argv, &options, &status);

    if (!names)
        return status;
    status = choose_game(&options, names);
    if (status)
        return status;
    entries = calloc(AUDIT_ENTRIES_MAX, sizeof *entries);
    if (!entries) {
        error_set(&error, ERROR_RIG, "no memory for the results");
        return command_error(command, &error);
    }
    if ((options.paytables_path &&
         paytables_load(options.paytables_path, &options.paytables, &error)) ||
        show(&options, entries, &error))
        status = command_error(command, &error);
    free(entries);
    paytables_free(options.paytables);
    return command_finish(command, status);
}

static const struct option_row rows[] = {
    {"rounds", 0, "N", "how many rounds; it must be given", OPTION_INTO(struct options, rounds), 1,
     ROUNDS_MAX},
    {"json", 0, NULL, "one JSON object instead of tables", OPTION_INTO(struct options, json)},
    {"paytables", 0, "FILE", "the tables in that file as well; it is described in FORMATS.md",
     OPTION_INTO(struct options, paytables_path)},
    {"jobs", 'j', "N", JOBS_HELP, OPTION_INTO(struct options, jobs), 1, JOBS_MAX},
    OPTIONS_END};

static const struct command bands_command = {
    .name = "bands",
    .synopsis = "GAME --rounds N [--json] [--paytables FILE] [-j N]",
    .summary = "Say what so many rounds of a game should show",
    .about =
        "Works out from the exact laws of an audit between what the net result of every wager,\n"
        "the hits of every line and of every meter lie in 90, 95 and 99 of 100 runs of N rounds.\n"
        "One run in ten leaves a band of 90 %, and with many lines some leave theirs every time:\n"
        "`observe` judges all of them together, as one check, `dealt-lines`.\n",
    .options = rows,
    .help =
        "Net results are those of one seat that plays as well as can be, in antes for a main game\n"
        "and in stakes for other wagers, a meter paying its reseed value. Hits are those of dealt\n"
        "hands, nobody folding, as `combinations` of an audit are. Below a band lies at most half\n"
        "of what is left out, and above it as well.\n"
        "\n"
        "Examples:\n"
        "  dealproof bands flush-rush --rounds 10000\n"
        "  dealproof bands chase-the-flush --rounds 500 --json | jq '.bands[0].net'\n"
        "\n"
        "Exit status: 0 the bands are there, 2 usage, or paytables that cannot be used, 4 reading\n"
        "or writing failed, or memory is short.\n",
    .run = run,
};
REGISTER(commands, bands_command);
