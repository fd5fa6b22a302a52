/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rigs/cover/generate.h"
#include "rigs/page/markup.h"
#include "tools/json_print.h"
#include "tools/options.h"
#include "tools/output.h"
#include "tools/recordings.h"
#include "tools/together.h"

#define ROUNDS_DEFAULT 100

struct options {
    uint64_t rounds; /* 0: not said */
    uint64_t seed;
    bool cover, json;
    const char *output;
    char name[PATH_MAX];          /* without ".shoe", where it is a file */
    const char *beside;           /* recordings that are there already */
    uint64_t recordings, written; /* rounds of all of them */
    struct generated *made;       /* with `cover`: all of them, until they are written */
};

static const struct together_file pair[] = {{".expect", NULL, 0}, {".shoe", NULL, 0}};

static void list_games(void)
{
    const struct game *game;

    printf("Games:\n");
    for (size_t i = 0; (game = game_at(i)); i++)
        options_print_item(game->name, game->title);
    printf("\n");
}

static void say_json(const char *name, uint64_t rounds)
{
    struct json_print print = {.out = stdout};
    char path[PATH_MAX + sizeof ".shoe"];

    snprintf(path, sizeof path, "%s.shoe", name);
    json_print_open(&print, NULL, "{}");
    json_print_text(&print, "generated", path);
    json_print_integer(&print, "rounds", (int64_t)rounds);
    json_print_close(&print, "{}");
    json_print_end(&print);
}

/* NAME.shoe and NAME.expect. */
static int save_pair(const char *name, const struct generated *generated, struct error *error)
{
    const struct together_file files[] = {{".expect", generated->expect, generated->expect_length},
                                          {".shoe", generated->shoe, generated->shoe_length}};

    return together_save(name, files, 2, error);
}

static void say_pair(const char *name, const struct generated *generated, bool json)
{
    if (json) {
        say_json(name, generated->rounds);
        return;
    }
    fprintf(stderr, "generated: %ju round%s in ", (uintmax_t)generated->rounds,
            generated->rounds == 1 ? "" : "s");
    plain_text(stderr, name);
    fputs(".shoe\n", stderr);
}

/* Written when all are made: whoever interrupts the work finds none of them. */
static int keep_generated(struct options *options, const struct generated *generated,
                          struct error *error)
{
    struct generated *made =
        reallocarray(options->made, options->recordings + 1, sizeof *options->made);
    struct generated *kept;

    if (!made)
        return error_set(error, ERROR_RIG, "out of memory");
    options->made = made;
    kept = &made[options->recordings++];
    *kept = *generated;
    kept->name = strdup(generated->name);
    kept->shoe = strndup(generated->shoe, generated->shoe_length);
    kept->expect = strndup(generated->expect, generated->expect_length);
    return kept->name && kept->shoe && kept->expect ? 0
                                                    : error_set(error, ERROR_RIG, "out of memory");
}

static int write_generated(void *context, const struct generated *generated, struct error *error)
{
    struct options *options = context;
    int status;

    options->written += generated->rounds;
    if (options->cover)
        return keep_generated(options, generated, error);
    if (!options->output)
        return output_write(STDOUT_FILENO, -1, generated->shoe, generated->shoe_length, error);
    status = save_pair(options->name, generated, error);
    if (!status)
        say_pair(options->name, generated, options->json);
    return status;
}

static int name_of(const struct options *options, uint64_t index, char name[PATH_MAX],
                   struct error *error)
{
    if (snprintf(name, PATH_MAX, "%s/%s", options->output, options->made[index].name) < PATH_MAX)
        return 0;
    return error_set(error, ERROR_CONFIG, "%.60s...: the name is too long", options->output);
}

static void remove_pairs(const struct options *options, uint64_t count)
{
    char name[PATH_MAX];

    for (uint64_t i = 0; i < count; i++)
        if (!name_of(options, i, name, NULL))
            together_remove(name, pair, 2);
}

static void forget_all(struct options *options)
{
    for (uint64_t i = 0; options->made && i < options->recordings; i++) {
        free((char *)options->made[i].name);
        free((char *)options->made[i].shoe);
        free((char *)options->made[i].expect);
    }
    free(options->made);
}

static int make_folder(const struct options *options, bool *is_new, struct error *error)
{
    struct stat there;

    *is_new = !mkdir(options->output, 0777);
    if (*is_new)
        return 0;
    if (errno != EEXIST)
        return error_set(error, ERROR_RIG, "%s: cannot be made: %s", options->output,
                         strerror(errno));
    if (!stat(options->output, &there) && S_ISDIR(there.st_mode))
        return 0;
    return error_set(error, ERROR_CONFIG,
                     "%s: is a file, and --cover makes several recordings; name a folder for them",
                     options->output);
}

/* All of them or none; what would end the program meanwhile waits. */
static int write_all(const struct options *options, struct error *error)
{
    char name[PATH_MAX];
    sigset_t all, before;
    uint64_t count = 0;
    bool is_new = false;
    int status = 0;

    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    if (options->recordings)
        status = make_folder(options, &is_new, error);
    while (count < options->recordings && !status) {
        status = name_of(options, count, name, error);
        if (!status)
            status = save_pair(name, &options->made[count], error);
        count += !status;
    }
    if (status)
        remove_pairs(options, count);
    if (status && is_new)
        rmdir(options->output);
    for (uint64_t i = 0; i < count && !status; i++)
        if (!name_of(options, i, name, NULL))
            say_pair(name, &options->made[i], options->json);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return status;
}

/*
 * Before the work is done: a folder for recordings can be made, or nothing is in their way. It is
 * made when there is something to be written.
 */
static int prepare(struct options *options, struct error *error)
{
    bool is_new;
    int status;

    if (!options->output)
        return 0;
    if (!options->cover)
        return together_check(options->name, pair, 2, error);
    status = make_folder(options, &is_new, error);
    if (is_new)
        rmdir(options->output);
    return status;
}

static void tell_json(const struct options *options, const struct cover_game *page)
{
    struct json_print print = {.out = stdout};

    json_print_open(&print, NULL, "{}");
    json_print_integer(&print, "points", page->points.count);
    json_print_integer(&print, "shown", page->points.count - cover_book_missed(page));
    json_print_integer(&print, "rounds", (int64_t)options->written);
    json_print_open(&print, "not-shown", "[]");
    for (unsigned i = 0; i < page->points.count; i++)
        if (!cover_has(&page->seen, i))
            json_print_text(&print, NULL, page->points.point[i].name);
    json_print_close(&print, "[]");
    json_print_close(&print, "{}");
    json_print_end(&print);
}

/* Says what could not be shown, and why. */
static int tell_missing(const struct options *options, const struct cover_game *page)
{
    unsigned missed = cover_book_missed(page);

    if (options->json) {
        tell_json(options, page);
        return missed ? EXIT_FAIL : EXIT_PASS;
    }
    fprintf(stderr, "%u of %u points shown in %ju round%s\n", page->points.count - missed,
            page->points.count, (uintmax_t)options->written, options->written == 1 ? "" : "s");
    if (!options->recordings)
        fprintf(stderr, "nothing was written: no round shows a point that is missing\n");
    for (unsigned i = 0; i < page->points.count; i++)
        if (!cover_has(&page->seen, i))
            fprintf(stderr, "  not shown: %s\n", page->points.point[i].name);
    if (missed)
        fprintf(stderr, options->rounds && options->written >= options->rounds
                            ? "--rounds allows no more; without it they are looked for\n"
                            : "no round that was tried has shown them; another --seed may\n");
    return missed ? EXIT_FAIL : EXIT_PASS;
}

/* What other recordings show need not be shown again. */
static int read_beside(const struct command *command, const char *path, struct cover_book *book,
                       struct error *error)
{
    char *names[] = {(char *)path, NULL};
    struct recording_list recordings;
    int status = recordings_find(command, names, &recordings, error);

    if (status)
        return status;
    for (size_t i = 0; i < recordings.count && !status; i++)
        status = cover_book_read(book, recordings.paths[i], NULL, -1, error);
    recording_list_free(&recordings);
    return status;
}

/* A line beside which is no round, and so shows nothing. */
static void complain(const void *context, const struct error *why)
{
    command_error(context, why);
}

static int generate_game(const struct command *command, struct options *options,
                         const struct game *game)
{
    struct cover_book book = {.complain = complain, .context = command};
    struct cover_game *page = cover_book_game(&book, game);
    struct generate_job job = {.game = game,
                               .seed = options->seed,
                               .rounds = options->rounds || options->cover ? options->rounds
                                                                           : ROUNDS_DEFAULT,
                               .cover = options->cover,
                               .context = options,
                               .write = write_generated};
    struct error error;
    int status = page ? 0 : error_set(&error, ERROR_RIG, "out of memory");

    if (!status && options->beside)
        status = read_beside(command, options->beside, &book, &error);
    if (!status)
        status = prepare(options, &error);
    if (status) {
        cover_book_clear(&book);
        return command_error(command, &error);
    }
    status = generate_run(&job, page, &error);
    if (!status && options->cover)
        status = write_all(options, &error);
    status = status           ? command_error(command, &error)
             : options->cover ? tell_missing(options, page)
                              : EXIT_PASS;
    cover_book_clear(&book);
    forget_all(options);
    return status;
}

static int run_generate(const struct command *command, int argc, char **argv)
{
    struct options options = {.seed = 1};
    const struct game *game;
    struct error error;
    int status;
    char **names = options_read(command, argc, argv, &options, &status);

    if (!names)
        return status;
    if (!names[0] || names[1])
        return command_usage_error(
            command, names[0] ? "one game at a time, and '%s' is the second" : "no game given%s",
            names[0] ? names[1] : "");
    game = game_find(names[0]);
    if (!game) {
        game_unknown(names[0], &error);
        return command_error(command, &error);
    }
    if (options.cover && !options.output)
        return command_usage_error(command, "--cover makes several recordings: name a folder for "
                                            "them with -o");
    if (options.cover && !strcmp(options.output, "-"))
        return command_usage_error(command, "-o -: --cover makes several recordings, and standard "
                                            "output takes one; name a folder for them");
    if (!options.cover && options.beside)
        return command_usage_error(command,
                                   "--beside is for --cover: random rounds are not chosen");
    if (!options.cover && options.output &&
        together_name(options.output, options.name, sizeof options.name, &error))
        return command_error(command, &error);
    if (options.json && !options.output)
        return command_usage_error(command, "--json says what was written: name it with -o; "
                                            "without it standard output is the recording");
    return command_finish(command, generate_game(command, &options, game));
}

static const struct option_row rows[] = {
    {"rounds", 'n', "N",
     "so many rounds (100); with --cover at most so many in all, and without it as many as it "
     "takes",
     OPTION_INTO(struct options, rounds), 1, GENERATE_ROUNDS_MAX},
    {"seed", 0, "N", "of seats, stakes, cards and decisions (1); the same makes the same bytes",
     OPTION_INTO(struct options, seed), 0, UINT64_MAX},
    {"cover", 0, NULL,
     "rounds that show every coverage point: several recordings, with each table, deal and rule "
     "of the sheet, keys that the terminal must refuse, and rounds that the rules refuse",
     OPTION_INTO(struct options, cover)},
    {"beside", 0, "SHOE|DIR", "with --cover: only what these recordings do not show yet",
     OPTION_INTO(struct options, beside)},
    {"output", 'o', "PATH",
     "NAME.shoe, with NAME.expect beside it, or with --cover a folder; nothing is overwritten "
     "(standard output, without an expectation)",
     OPTION_INTO(struct options, output)},
    {"json", 0, NULL, "with -o: a line of JSON for each recording, and with --cover the points",
     OPTION_INTO(struct options, json)},
    OPTIONS_END};

static const struct command generate = {
    .name = "generate",
    .synopsis =
        "[--rounds N] [--seed N] [-o NAME.shoe] GAME\n"
        "       dealproof generate --cover [--beside SHOE|DIR] [--rounds N] [--seed N] -o DIR GAME",
    .summary = "Make recordings that nobody has played, at random or to show every rule",
    .about = "Rounds are random and legal: seats, stakes that differ from seat to seat, cards,\n"
             "decisions. With --cover cards are drawn towards hands that are rare, and a round is\n"
             "kept when it shows what 'dealproof coverage' has not seen yet; all recordings are\n"
             "written at the end, or none.\n",
    .list = list_games,
    .options = rows,
    .help = "Examples:\n"
            "  dealproof generate --rounds 1000 --seed 7 -o night.shoe three-card-catch\n"
            "  dealproof generate flush-rush | dealproof settle -\n"
            "  dealproof generate --cover -o all chase-the-flush\n"
            "  dealproof generate --cover --beside friday -o rest chase-the-flush\n"
            "  dealproof run all && dealproof coverage --complete all\n\n"
            "Exit status: 0 made (with --cover: and everything is shown), 1 something is not,\n"
            "2 usage, or a file that is there already, 4 writing failed.\n",
    .run = run_generate,
};
REGISTER(commands, generate);
