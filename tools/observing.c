#include "tools/observing.h"

#include <getopt.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "rigs/recording/record.h"
#include "rigs/run/observe.h"
#include "tools/number.h"
#include "tools/run_crew.h"

struct observing {
    const char *rig_path;
    const char *game, *deal;
    uint64_t burn;
    json_t *tables, *rules;
    struct observation observation;
    struct observe_bet bets[WAGERS_MAX];
    const char *output, *by, *note;
    bool force, help, is_real;
    struct recorder *recorder;
    struct run_orders orders;
    struct run_show show;
    const char *journal, *folder; /* of the reports */
    struct run_reports reports;
};

enum {
    OPTION_HELP = 'h',
    OPTION_OUTPUT = 'o',
    OPTION_QUIET = 'q',
    OPTION_VERBOSE = 'v',
    OPTION_RIG = 256,
    OPTION_GAME,
    OPTION_ROUNDS,
    OPTION_SEATS,
    OPTION_BET,
    OPTION_PLAY,
    OPTION_DEAL,
    OPTION_BURN,
    OPTION_TABLE,
    OPTION_RULE,
    OPTION_KEEP_METERS,
    OPTION_PAUSE,
    OPTION_JOURNAL,
    OPTION_REPORTS,
    OPTION_FAIL_FAST,
    OPTION_SEED,
    OPTION_JSON,
    OPTION_FORCE,
    OPTION_BY,
    OPTION_NOTE
};

/* Those of record first, which observe leaves out. */
#define RECORD_OPTIONS 4
static const struct option known[] = {{"output", required_argument, NULL, OPTION_OUTPUT},
                                      {"force", no_argument, NULL, OPTION_FORCE},
                                      {"by", required_argument, NULL, OPTION_BY},
                                      {"note", required_argument, NULL, OPTION_NOTE},
                                      {"help", no_argument, NULL, OPTION_HELP},
                                      {"rig", required_argument, NULL, OPTION_RIG},
                                      {"game", required_argument, NULL, OPTION_GAME},
                                      {"rounds", required_argument, NULL, OPTION_ROUNDS},
                                      {"seats", required_argument, NULL, OPTION_SEATS},
                                      {"bet", required_argument, NULL, OPTION_BET},
                                      {"play", required_argument, NULL, OPTION_PLAY},
                                      {"deal", required_argument, NULL, OPTION_DEAL},
                                      {"burn", required_argument, NULL, OPTION_BURN},
                                      {"table", required_argument, NULL, OPTION_TABLE},
                                      {"rule", required_argument, NULL, OPTION_RULE},
                                      {"keep-meters", no_argument, NULL, OPTION_KEEP_METERS},
                                      {"pause", required_argument, NULL, OPTION_PAUSE},
                                      {"journal", required_argument, NULL, OPTION_JOURNAL},
                                      {"reports", required_argument, NULL, OPTION_REPORTS},
                                      {"fail-fast", no_argument, NULL, OPTION_FAIL_FAST},
                                      {"seed", required_argument, NULL, OPTION_SEED},
                                      {"json", no_argument, NULL, OPTION_JSON},
                                      {"quiet", no_argument, NULL, OPTION_QUIET},
                                      {"verbose", no_argument, NULL, OPTION_VERBOSE},
                                      {NULL, 0, NULL, 0}};

/* "1,4" and "1-3,7" as a set of seats. */
static int read_seats(const struct command *command, const char *text, seats_t *seats)
{
    const char *at = text;

    *seats = 0;
    while (*at >= '1' && *at <= '0' + SEATS_MAX) {
        unsigned first = (unsigned)(*at++ - '0'), last = first;

        if (*at == '-' && at[1] >= '1' && at[1] <= '0' + SEATS_MAX) {
            last = (unsigned)(at[1] - '0');
            at += 2;
        }
        for (unsigned seat = first; seat <= last; seat++)
            *seats |= seat_bit(seat);
        if (last < first || !*at)
            break;
        if (*at++ != ',')
            break;
    }
    if (*at || !*seats || at[-1] == ',')
        return command_usage_error(command,
                                   "--seats is '%s'; it must be seats from 1 to %d, as in 1,4 "
                                   "or 1-3",
                                   text, SEATS_MAX);
    return EXIT_PASS;
}

/* Cuts "KEY=VALUE" in two; NULL when it is something else. */
static char *cut_at_equals(char *text)
{
    char *equals = strchr(text, '=');

    if (!equals || equals == text || !equals[1])
        return NULL;
    *equals = '\0';
    return equals + 1;
}

static int read_bet(const struct command *command, char *text, struct observing *observing)
{
    struct observation *observation = &observing->observation;
    char *stake = cut_at_equals(text);
    uint64_t cents;
    int status;

    if (!stake)
        return command_usage_error(command, "--bet is '%s'; it must be WAGER=CENTS", text);
    if (observation->bet_count == WAGERS_MAX)
        return command_usage_error(command, "--bet is given more than %d times", WAGERS_MAX);
    status = number_read(command, "--bet", stake, 0, STAKE_MAX, &cents);
    if (!status)
        observing->bets[observation->bet_count++] =
            (struct observe_bet){.wager = text, .cents = (cents_t)cents};
    return status;
}

static int read_pair(const struct command *command, const char *option, char *text, json_t *pairs)
{
    const char *value = cut_at_equals(text);

    if (!value)
        return command_usage_error(command, "%s is '%s'; it must be NAME=VALUE", option, text);
    if (!strcmp(value, "true") || !strcmp(value, "false"))
        json_object_set_new(pairs, text, json_boolean(*value == 't'));
    else
        json_object_set_new(pairs, text, json_string(value));
    return EXIT_PASS;
}

static int read_policy(const struct command *command, const char *text, enum policy *policy)
{
    int found = policy_find(text);

    if (found < 0)
        return command_usage_error(
            command, "--play is '%s'; it must be plain, bet, late, fold or random", text);
    *policy = (enum policy)found;
    return EXIT_PASS;
}

static int read_number_option(const struct command *command, int option,
                              struct observing *observing)
{
    struct observation *observation = &observing->observation;
    uint64_t seconds;
    int status;

    switch (option) {
    case OPTION_ROUNDS:
        return number_read(command, "--rounds", optarg, 1, 1000000000, &observation->rounds);
    case OPTION_BURN:
        return number_read(command, "--burn", optarg, 0, DECK_SIZE, &observing->burn);
    case OPTION_SEED:
        status = number_read(command, "--seed", optarg, 0, UINT64_MAX, &observing->orders.seed);
        observation->seed = observing->orders.seed;
        return status;
    default:
        status = number_read(command, "--pause", optarg, 0, 86400, &seconds);
        observation->pause = status ? 0 : (uint32_t)(seconds * 1000);
        return status;
    }
}

static int read_table_option(const struct command *command, int option, struct observing *observing)
{
    switch (option) {
    case OPTION_SEATS:
        return read_seats(command, optarg, &observing->observation.seats);
    case OPTION_BET:
        return read_bet(command, optarg, observing);
    case OPTION_PLAY:
        return read_policy(command, optarg, &observing->observation.policy);
    case OPTION_TABLE:
        return read_pair(command, "--table", optarg, observing->tables);
    case OPTION_RULE:
        return read_pair(command, "--rule", optarg, observing->rules);
    default:
        return read_number_option(command, option, observing);
    }
}

static int read_option(const struct command *command, int option, struct observing *observing)
{
    switch (option) {
    case OPTION_HELP:
        observing->help = true;
        break;
    case OPTION_RIG:
        observing->rig_path = optarg;
        break;
    case OPTION_GAME:
        observing->game = optarg;
        break;
    case OPTION_DEAL:
        observing->deal = optarg;
        break;
    case OPTION_KEEP_METERS:
        observing->observation.keeps_meters = true;
        break;
    case OPTION_JOURNAL:
        observing->journal = optarg;
        break;
    case OPTION_REPORTS:
        observing->folder = optarg;
        break;
    case OPTION_FAIL_FAST:
        observing->orders.fail_fast = true;
        break;
    case OPTION_JSON:
        observing->show.json = true;
        break;
    case OPTION_QUIET:
        observing->show.quiet = true;
        break;
    case OPTION_VERBOSE:
        observing->show.verbose = true;
        break;
    case OPTION_OUTPUT:
        observing->output = optarg;
        break;
    case OPTION_FORCE:
        observing->force = true;
        break;
    case OPTION_BY:
        observing->by = optarg;
        break;
    case OPTION_NOTE:
        observing->note = optarg;
        break;
    default:
        return read_table_option(command, option, observing);
    }
    return EXIT_PASS;
}

static int read_options(const struct command *command, int argc, char **argv, bool records,
                        struct observing *observing)
{
    const struct option *options = records ? known : known + RECORD_OPTIONS;
    const char *letters = records ? ":ho:qv" : ":hqv";
    int option, status = EXIT_PASS;

    opterr = 0;
    while (!status && (option = getopt_long(argc, argv, letters, options, NULL)) != -1) {
        if (option == ':')
            return command_usage_error(command, "%s needs a value", argv[optind - 1]);
        if (option == '?')
            return command_usage_error(command, "unknown option '%s'", argv[optind - 1]);
        status = read_option(command, option, observing);
    }
    if (status || observing->help)
        return status;
    if (optind < argc)
        return command_usage_error(command, "'%s' is no option", argv[optind]);
    if (!observing->game)
        return command_usage_error(command, "--game is missing; nothing else says what is dealt");
    if (records && !observing->output)
        return command_usage_error(command, "-o is missing; it names the recording to make");
    return EXIT_PASS;
}

static int write_header(void *context, const struct bench *bench, const struct shoe_header *header,
                        struct error *error)
{
    const struct observing *observing = context;
    const struct bench_device *device =
        bench_find(bench, header->setup.deal == DEAL_CARDS ? BENCH_SHOE : BENCH_SHUFFLER);
    bool is_known = device->has_identity;
    char name[2 * WIRE_TEXT_MAX + 2], date[32];
    time_t now = time(NULL);
    struct tm utc;

    snprintf(name, sizeof name, "%s%s%s", is_known ? device->identity.model : device->driver,
             is_known ? " " : "", is_known ? device->identity.serial : "");
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    return record_header(
        observing->recorder, header,
        &(struct shoe_source){.recorded = observing->is_real ? date : NULL,
                              .device = name,
                              .firmware = is_known ? device->identity.firmware : NULL,
                              .by = observing->by,
                              .note = observing->note},
        error);
}

static int write_round(void *context, const struct round *round, const char *line, size_t length,
                       struct error *error)
{
    const struct observing *observing = context;
    const struct shoe_round played = {.round = *round};

    return record_round(observing->recorder, &played, line, length, error);
}

static int play(struct runner *runner, const char *path, void *context, struct error *error)
{
    const struct observing *observing = context;

    return runner_observe(runner, path, &observing->observation, error);
}

static int crew(const struct command *command, struct observing *observing, const struct rig *rig,
                char **argv)
{
    char *name = (char *)(observing->output ? observing->output : "observed");
    struct recordings rounds = {.paths = &name, .count = 1};
    struct run_orders *orders = &observing->orders;

    observing->observation.context = observing;
    orders->rig = rig;
    orders->rig_path = observing->rig_path;
    orders->recordings = &rounds;
    orders->command = (const char *const *)argv;
    orders->play = play;
    orders->context = observing;
    orders->until_stopped = !observing->observation.rounds;
    orders->show = &observing->show;
    orders->journal_path = observing->reports.journal;
    observing->show.reports = orders->reports = &observing->reports;
    return run_crew(command, orders);
}

static void say_recorded(const struct observing *observing, uint64_t rounds)
{
    size_t stem = strlen(observing->output) - strlen(".shoe");

    if (observing->show.quiet)
        return;
    if (observing->show.json)
        printf("{\"recorded\":%ju}\n", (uintmax_t)rounds);
    else if (rounds)
        printf("recorded: %ju round%s in %s and %.*s.expect\n", (uintmax_t)rounds,
               rounds == 1 ? "" : "s", observing->output, (int)stem, observing->output);
    else
        printf("recorded: nothing; %s was not made\n", observing->output);
}

static int record(const struct command *command, struct observing *observing, const struct rig *rig,
                  char **argv)
{
    const struct record_options options = {.force = observing->force, .sync = observing->is_real};
    struct error error;
    uint64_t rounds;
    int status;

    if (record_open(&observing->recorder, observing->output, &options, &error))
        return command_error(command, &error);
    observing->observation.opened = write_header;
    observing->observation.settled = write_round;
    status = crew(command, observing, rig, argv);
    rounds = record_rounds(observing->recorder);
    if (record_close(observing->recorder, &error)) {
        int failed = command_error(command, &error);

        return status ? status : failed;
    }
    say_recorded(observing, rounds);
    return command_finish(command, status);
}

/* The table as the first line of a recording; NULL when memory is short. */
static char *write_table(const struct observing *observing, const struct rig *rig)
{
    const char *deal = observing->deal                               ? observing->deal
                       : rig->devices.shuffler || !rig->devices.shoe ? "packets"
                                                                     : "cards";
    json_t *header = json_pack("{s:i,s:s,s:s,s:I,s:O,s:O}", "shoe", 1, "game", observing->game,
                               "deal", deal, "burn", (json_int_t)observing->burn, "tables",
                               observing->tables, "rules", observing->rules);
    char *text = header ? json_dumps(header, JSON_COMPACT) : NULL;

    json_decref(header);
    return text;
}

/* Before a device is touched or a file made. */
static int check_table(const struct observing *observing, const struct rig *rig,
                       struct error *error)
{
    struct paytables *paytables;
    int status = rig_paytables(rig, &paytables, error);

    if (!status)
        status = observe_check(rig, paytables, &observing->observation, error);
    paytables_free(paytables);
    return status;
}

static int run_on(const struct command *command, struct observing *observing, const struct rig *rig,
                  char **argv)
{
    struct error error;
    char *table;
    int status;

    observing->is_real = rig->clock == RIG_CLOCK_REAL;
    if (!observing->is_real && !observing->observation.rounds)
        return command_usage_error(command, "time is virtual on this rig and rounds come in "
                                            "thousands a second: say how many, --rounds N");
    table = write_table(observing, rig);
    if (!table)
        return command_usage_error(command, "an option holds what is no UTF-8");
    observing->observation.header = table;
    observing->observation.bets = observing->bets;
    if (check_table(observing, rig, &error) ||
        run_reports_prepare(&observing->reports, observing->folder, observing->journal, &error))
        status = command_error(command, &error);
    else
        status = observing->output ? record(command, observing, rig, argv)
                                   : crew(command, observing, rig, argv);
    free(table);
    return status;
}

static int run_with(const struct command *command, int argc, char **argv, bool records,
                    struct observing *observing)
{
    struct rig *rig;
    struct error error;
    int status = read_options(command, argc, argv, records, observing);

    if (status)
        return status;
    if (observing->help) {
        command_help(command);
        return command_finish(command, EXIT_PASS);
    }
    status = observing->rig_path ? rig_load(&rig, observing->rig_path, &error)
                                 : rig_default(&rig, &error);
    if (status)
        return command_error(command, &error);
    status = run_on(command, observing, rig, argv);
    rig_free(rig);
    return status;
}

int observing_run(const struct command *command, int argc, char **argv, bool records)
{
    struct observing observing = {.observation = {.seed = 1},
                                  .orders = {.jobs = 1, .repeat = 1, .seed = 1}};
    int status;

    observing.tables = json_object();
    observing.rules = json_object();
    status = run_with(command, argc, argv, records, &observing);
    json_decref(observing.tables);
    json_decref(observing.rules);
    return status;
}
