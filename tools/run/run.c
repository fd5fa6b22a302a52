/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rigs/recording/list.h"
#include "rigs/recording/paytables.h"
#include "rigs/rig/rig.h"
#include "rigs/run/survey.h"
#include "tools/others.h"
#include "tools/recordings.h"
#include "tools/run/given.h"
#include "tools/run/named.h"
#include "tools/run/setup.h"

/* Every so many recordings one is played, the first of them being this one; count 0: all are. */
struct shard {
    uint64_t number, count;
};

#define SHARDS_MAX 10000

struct options {
    struct run_setup setup;
    const char *filter;
    const char *expect; /* of standard input */
    struct run_given given;
    struct shard shard;
    char played[DIGEST_SIZE]; /* of a shard: of all that the shards play */
    bool list_checks;
    const char *resumed; /* a journal to go on with; NULL: a new run */
    struct run_resume resume;
    char folder[PATH_MAX];       /* of that journal */
    struct paytables *paytables; /* of the rig; the surveys point at them */
    struct run_survey *surveys;  /* of each recording that is played */
};

static bool is_wanted(const char *filter, const char *path, const struct run_survey *survey)
{
    return !filter || strcasestr(path, filter) ||
           (survey->game && strcasestr(survey->game->name, filter));
}

/* What the shards of a run have in common: how often all is played, then each recording and its
   expectation in their order. */
static void begin_count(struct digest *all, uint64_t repeat)
{
    char times[24] = "";
    int length = snprintf(times, sizeof times, "%ju", (uintmax_t)repeat);

    digest_begin(all);
    digest_add(all, times, (size_t)length + 1);
}

static void count_in(struct digest *all, const struct run_survey *survey)
{
    digest_add(all, survey->digest, sizeof survey->digest);
    digest_add(all, survey->expect_digest, sizeof survey->expect_digest);
}

/* Whether a recording is of the shard, by its place among those that are wanted. */
static bool is_ours(const struct shard *shard, size_t place)
{
    return !shard->count || place % shard->count == shard->number - 1;
}

/*
 * Keeps the recordings of the shard that the filter lets through, with what their surveys found,
 * and prints which of them cannot be used. Returns how many those are; `why` is ERROR_RIG where
 * memory or the disk is to blame for one of them.
 */
static size_t look_through(const struct command *command, struct options *options,
                           struct recording_list *recordings, const struct rig *rig,
                           enum error_code *why)
{
    size_t kept = 0, bad = 0, wanted = 0;
    struct digest all;

    begin_count(&all, options->setup.orders.repeat);
    for (size_t i = 0; i < recordings->count; i++) {
        char *path = recordings->paths[i];
        struct run_survey *survey = &options->surveys[kept];
        struct error error;
        int status = run_survey_in(options->setup.orders.place, path, rig, options->paytables,
                                   survey, &error);

        if (is_wanted(options->filter, path, survey))
            count_in(&all, survey);
        if (!is_wanted(options->filter, path, survey) || !is_ours(&options->shard, wanted++)) {
            free(path);
            continue;
        }
        recordings->paths[kept++] = path;
        options->setup.show.total += survey->rounds * options->setup.orders.repeat;
        if (!status)
            status = run_survey_rounds(options->setup.orders.place, path, rig, survey, &error);
        if (!status)
            status = run_survey_expectation(options->setup.orders.place, path, &error);
        if (status) {
            command_error(command, &error);
            *why = status == ERROR_RIG ? ERROR_RIG : *why;
            bad++;
        }
    }
    recordings->count = kept;
    digest_end(&all, options->played);
    if (options->shard.count)
        options->setup.orders.played = options->played;
    return bad;
}

/* Checks everything that can be wrong before a card is dealt, and says what is. */
static int prepare(const struct command *command, struct options *options,
                   struct recording_list *recordings, const struct rig *rig)
{
    enum error_code why = ERROR_CONFIG;
    struct error error;
    size_t bad;

    if (rig_paytables(rig, &options->paytables, &error))
        return command_error(command, &error);
    options->surveys = calloc(recordings->count, sizeof *options->surveys);
    if (!options->surveys)
        return command_error(command, &(struct error){.code = ERROR_RIG, .text = "out of memory"});
    bad = look_through(command, options, recordings, rig, &why);
    options->setup.orders.surveys = options->surveys;
    if (!recordings->count && options->shard.count)
        return command_usage_error(command,
                                   "--shard %ju/%ju is empty: there are fewer recordings than "
                                   "that; make fewer shards",
                                   (uintmax_t)options->shard.number,
                                   (uintmax_t)options->shard.count);
    if (!recordings->count)
        return command_usage_error(command, "no recording has '%s' in its path or game",
                                   options->filter);
    if (bad) {
        error_set(&error, why, "%zu of %zu recording%s cannot be used; none was played", bad,
                  recordings->count, recordings->count == 1 ? "" : "s");
        return command_error(command, &error);
    }
    if (options->resumed ? run_resume_check(&options->resume, rig, recordings, options->surveys,
                                            options->setup.orders.repeat, &error)
                         : run_setup_reports(&options->setup,
                                             &(struct run_used){rig, recordings, options->surveys,
                                                                options->setup.orders.place},
                                             &error))
        return command_error(command, &error);
    return EXIT_PASS;
}

/* A machine that shuffles whatever it is given deals no recording. */
static void warn_of_shuffles(const struct command *command, const struct rig *rig)
{
    const struct rig_device *shuffler = rig->devices.shuffler;
    const struct device_driver *driver =
        shuffler ? device_driver_find(DEVICE_SHUFFLER, shuffler->driver, NULL) : NULL;
    struct error error;

    if (!driver || rig->order != RIG_ORDER_COMPARE || !(driver->capabilities & DEVICE_IS_STACKED) ||
        !rig_knows_cards(DEVICE_SHUFFLER, shuffler))
        return;
    error_set(
        &error, ERROR_CONFIG,
        "'order: compare': a shuffler that always shuffles does not deal what was recorded, "
        "and only 'observe' and 'record' apply to it; they prove the size and order of "
        "packets, that each card exists once, what the rules make of the cards and, over many "
        "rounds, the shuffle. Write 'order: stack' where it deals a deck as it was put in");
    command_error(command, &error);
}

/* A list that is given is of what was played: filter and shard have been there before. */
static int find_recordings(const struct command *command, struct options *options, char **names,
                           struct recording_list *recordings, struct error *error)
{
    const struct command_again *again = options->setup.again;

    if (options->setup.orders.place == &options->given.place)
        return run_given_list(recordings, error);
    if (!again || !again->recordings)
        return options->setup.show.quiet ? recording_list_find(names, recordings, error)
                                         : recordings_find(command, names, recordings, error);
    *recordings = *again->recordings;
    options->filter = NULL;
    options->shard.count = 0;
    return 0;
}

/* Who plays it again asks first whether that is what was played. */
static void compare_named(const struct options *options, const struct recording_list *recordings,
                          char **names)
{
    const struct run_setup *setup = &options->setup;

    run_named_compare(setup->again->named,
                      &(struct run_now){.names = names,
                                        .recordings = recordings,
                                        .rounds = setup->show.total,
                                        .is_chosen = options->filter || options->shard.count});
}

static int play(const struct command *command, struct options *options, struct rig *rig,
                char **argv, char **names)
{
    const struct command_again *again = options->setup.again;
    struct recording_list recordings;
    struct error error;
    int status;

    if (find_recordings(command, options, names, &recordings, &error))
        return command_error(command, &error);
    status = prepare(command, options, &recordings, rig);
    if (!status && again && again->named) {
        compare_named(options, &recordings, names);
    } else if (!status) {
        warn_of_shuffles(command, rig);
        status = run_setup_play(command, &options->setup, rig, &recordings, argv);
    }
    recording_list_free(&recordings);
    free(options->surveys);
    paytables_free(options->paytables);
    return status;
}

static int play_on_rig(const struct command *command, struct options *options, char **argv,
                       char **names)
{
    struct rig *rig;
    struct error error;
    int status;

    if (!*names)
        return command_usage_error(command, "no recording given");
    if (run_setup_rig(&options->setup, &rig, &error))
        return command_error(command, &error);
    others_warn_of_rig(command->name, rig);
    status = run_setup_people(command, &options->setup, rig);
    if (!status)
        status = play(command, options, rig, argv, names);
    run_setup_leave(&options->setup);
    rig_free(rig);
    return status;
}

/* What is played is the journal's to say, how it is shown is said anew. */
static bool asks_for_more(const struct options *options, char **names)
{
    const struct run_setup *setup = &options->setup;

    return *names || options->expect || setup->orders.rig_path || setup->journal ||
           options->filter || options->shard.count || setup->orders.repeat != 1 ||
           setup->orders.seed != 1 || setup->orders.jobs != 1 || setup->orders.fail_fast;
}

/* The folder of the reports is where the journal is, if the run was to leave any. */
static void place_reports(struct options *options, bool leaves_reports)
{
    struct run_setup *setup = &options->setup;
    const char *slash = strrchr(options->resumed, '/');

    snprintf(options->folder, sizeof options->folder, "%.*s",
             slash ? (int)(slash - options->resumed) + 1 : 1, slash ? options->resumed : ".");
    run_reports_resume(&setup->reports,
                       setup->folder    ? setup->folder
                       : leaves_reports ? options->folder
                                        : NULL,
                       options->resumed);
}

static int play_resumed(const struct command *command, struct options *options, char **argv)
{
    struct options was = {.setup = RUN_SETUP};
    struct run_resume *resume = &options->resume;
    struct error error;
    char **names;
    int status;

    if (run_resume_read(resume, options->resumed, &error))
        return command_error(command, &error);
    names = options_read(command, resume->argc, resume->argv, &was, &status);
    if (!names)
        return EXIT_USAGE;
    options->filter = was.filter;
    options->shard = was.shard;
    options->setup.orders.shard = was.setup.orders.shard;
    options->setup.orders.job = was.setup.orders.job;
    options->setup.orders.attempt = was.setup.orders.attempt;
    options->setup.orders.rig_path = was.setup.orders.rig_path;
    options->setup.orders.repeat = was.setup.orders.repeat;
    options->setup.orders.seed = was.setup.orders.seed;
    options->setup.orders.fail_fast = was.setup.orders.fail_fast;
    options->setup.orders.resume = resume;
    if (!options->setup.history.is_wanted)
        options->setup.history = was.setup.history;
    place_reports(options, was.setup.folder != NULL);
    return play_on_rig(command, options, argv, names);
}

static bool is_given(char **names)
{
    for (; *names; names++)
        if (!strcmp(*names, "-"))
            return true;
    return false;
}

/* A recording from standard input, and what is expected of it. */
static int play_given(const struct command *command, struct options *options, char **argv,
                      char **names)
{
    struct error error;
    int status;

    if (!is_given(names) || names[1])
        return command_usage_error(command, names[0] && names[1]
                                                ? "standard input is a recording of its own, "
                                                  "and others are named beside it"
                                                : "--expect is for a recording from "
                                                  "standard input, '-'");
    if (!options->expect)
        return command_usage_error(command,
                                   "beside standard input there is no .expect: name it by --expect "
                                   "FILE; 'dealproof settle' writes one");
    if (!strcmp(options->expect, "-"))
        return command_usage_error(command, "--expect is '-', and standard input is the recording: "
                                            "name a file");
    if (options->setup.questions)
        return command_usage_error(command, "--questions: answers come from standard input, which "
                                            "is the recording");
    status = run_given_read(&options->given, options->expect, &error);
    options->setup.orders.place = &options->given.place;
    status = status ? command_error(command, &error) : play_on_rig(command, options, argv, names);
    run_given_close(&options->given);
    return status;
}

static int run_run(const struct command *command, int argc, char **argv)
{
    struct options options = {.setup = RUN_SETUP};
    int status;
    char **names = options_read(command, argc, argv, &options, &status);

    if (!names)
        return status;
    if (options.list_checks && *names)
        return command_usage_error(command, "unknown argument '%s'; --list-checks takes none",
                                   *names);
    if (options.list_checks) {
        run_show_checks(options.setup.show.json);
        return command_finish(command, EXIT_PASS);
    }
    if (!options.resumed && (status = run_setup_force(command, &options.setup, names)))
        return status;
    if (!options.resumed)
        return is_given(names) || options.expect ? play_given(command, &options, argv, names)
                                                 : play_on_rig(command, &options, argv, names);
    if (asks_for_more(&options, names))
        return command_usage_error(command,
                                   "--resume takes rig, recordings and how they are played from "
                                   "the journal; name only how it is to be shown");
    status = play_resumed(command, &options, argv);
    run_resume_free(&options.resume);
    return status;
}

/* Of a run that went on there is one that did not. */
static int run_again(const struct command *command, int argc, char **argv,
                     const struct command_again *again)
{
    struct options options = {.setup = RUN_SETUP};
    int status;
    char **names = options_read(command, argc, argv, &options, &status);

    if (!names || options.resumed || options.list_checks)
        return EXIT_USAGE;
    run_setup_again(&options.setup, again);
    return play_on_rig(command, &options, argv, names);
}

static int read_shard(const struct option_row *row, char *value, void *context, struct error *error)
{
    struct options *options = context;
    const char *slash = strchr(value, '/');
    char number[8];

    snprintf(number, sizeof number, "%.*s", slash ? (int)(slash - value) : 0, value);
    if (!slash ||
        options_number(row->name, slash + 1, 1, SHARDS_MAX, &options->shard.count, error) ||
        options_number(row->name, number, 1, options->shard.count, &options->shard.number, error))
        return error_set(error, ERROR_CONFIG,
                         "--shard '%.40s': it is I/N, with N from 1 to %u and I from 1 to N", value,
                         SHARDS_MAX);
    options->setup.orders.shard = value;
    return 0;
}

static const struct option_row rows[] = {
    {"rig", 0, "FILE", "the bench to run on", OPTION_INTO(struct options, setup.orders.rig_path)},
    {.expand = run_setup_rows},
    {"filter", 0, "TEXT",
     "only recordings with TEXT in their path or the name of their game, in capitals or not; they "
     "are always played whole, since the meters of a round come from the rounds before it",
     OPTION_INTO(struct options, filter)},
    {"expect", 0, "FILE", "what is expected of the recording from standard input, '-'",
     OPTION_INTO(struct options, expect)},
    {"repeat", 0, "N", "play all recordings N times",
     OPTION_INTO(struct options, setup.orders.repeat), 1, 1000000000},
    {"shard", 0, "I/N",
     "play the Ith of every N recordings, after --filter: N runs, on as many machines, play all "
     "of them once, and 'dealproof report' takes their N journals as one run",
     .read = read_shard},
    {"job", 0, "NAME",
     "what the shards of one run have in common, for the journal: the number that a scheduler gave "
     "them. With it each may be played on another bench",
     OPTION_INTO(struct options, setup.orders.job)},
    {"attempt", 0, "N",
     "to play this shard, for the journal: after one whose bench failed the next one counts",
     OPTION_INTO(struct options, setup.orders.attempt), 1, 1000000},
    {"jobs", 'j', "N", "benches side by side, on emulated rigs without a capture only",
     OPTION_INTO(struct options, setup.orders.jobs), 1, RUN_JOBS_MAX},
    {"resume", 0, "JOURNAL",
     "go on with a run on a real clock that was cut off, at the round after its last verdict, in "
     "the same journal; where it was started, with the same rig, recordings and devices",
     OPTION_INTO(struct options, resumed)},
    {"list-checks", 0, NULL, "the checks, their rules and where those are written",
     OPTION_INTO(struct options, list_checks)},
    OPTIONS_END};

static const struct command run = {
    .name = "run",
    .synopsis = "[OPTION]... SHOE|DIR...\n       dealproof run --resume JOURNAL\n"
                "       dealproof run --list-checks [--json]",
    .summary = "Replay recordings through the rig and check everything",
    .about =
        "Plays each recording round by round through the devices of the rig and checks what they\n"
        "do against the recording, its .expect file and the rules. A DIR stands for every *.shoe\n"
        "below it, '-' for a recording from standard input. Without --rig all devices are\n"
        "emulated, in virtual time.\n",
    .options = rows,
    .help =
        "Recordings that cannot be used, such as one without its .expect or without a round, are\n"
        "all named before anything is played, and then nothing is. A recording that no device of\n"
        "the rig deals like is skipped; when all are, the run ends as one whose bench failed. On\n"
        "a terminal there is a bar, and colour unless NO_COLOR is set.\n\n"
        "Examples:\n"
        "  dealproof run fixtures\n"
        "  dealproof run --filter stax --fail-fast fixtures\n"
        "  dealproof run --rig rigs/bench-usb.yaml --reports friday evening.shoe\n"
        "  dealproof run --resume friday/run.journal\n"
        "  zcat evening.shoe.gz | dealproof run - --expect evening.expect\n"
        "  dealproof run --list-checks\n\n"
        "Exit status: 0 all rounds passed, 1 some failed, 2 usage or configuration, 3 a device\n"
        "failed, 4 the bench failed, 5 a device did not answer in time, 130 interrupted: the\n"
        "round that was being played is finished first; interrupt again to cut it short. Devices\n"
        "are left as they were found either way, or it is said which are not.\n",
    .run = run_run,
    .again = run_again,
};
REGISTER(commands, run);
