/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rigs/evidence/keys/signers.h"
#include "rigs/journal/verify.h"
#include "rigs/page/markup.h"
#include "tools/options.h"
#include "tools/verify/bundle.h"
#include "tools/verify/replay.h"

/* What is told of the files that the journal names, and the first that is not as it was. */
struct files {
    struct json_print *print; /* NULL: as text */
    char other[PATH_MAX];
};

static void print_file(const char *path, enum journal_file_state state)
{
    static const char *const words[JOURNAL_FILE_STATES] = {
        [JOURNAL_FILE_DIFFERS] = "CHANGED since the run",
        [JOURNAL_FILE_MISSING] = "missing, not compared",
        [JOURNAL_FILE_OTHER] = "a link or no plain file, not compared",
        [JOURNAL_FILE_UNREADABLE] = "cannot be read, so nobody can tell"};

    if (state == JOURNAL_FILE_SAME)
        return;
    plain_text(stdout, path);
    printf(": %s\n", words[state]);
}

static void print_files(const uint64_t files[JOURNAL_FILE_STATES])
{
    uint64_t all = 0, others = files[JOURNAL_FILE_OTHER] + files[JOURNAL_FILE_UNREADABLE];

    for (unsigned i = 0; i < JOURNAL_FILE_STATES; i++)
        all += files[i];
    if (!all)
        return;
    printf("%ju file%s named: %ju unchanged, %ju changed, %ju missing", (uintmax_t)all,
           all == 1 ? "" : "s", (uintmax_t)files[JOURNAL_FILE_SAME],
           (uintmax_t)files[JOURNAL_FILE_DIFFERS], (uintmax_t)files[JOURNAL_FILE_MISSING]);
    if (others)
        printf(", %ju not compared", (uintmax_t)others);
    printf("\n");
}

static void print_ending(const struct journal_verified *verified)
{
    const struct journal_ending *ending = &verified->ending;

    printf("%ju line%s, %ju round%s: intact\n", (uintmax_t)ending->lines,
           ending->lines == 1 ? "" : "s", (uintmax_t)verified->rounds,
           verified->rounds == 1 ? "" : "s");
    if (verified->resumed)
        printf("cut off and resumed: %ju time%s\n", (uintmax_t)verified->resumed,
               verified->resumed == 1 ? "" : "s");
    print_files(verified->files);
    if (ending->torn)
        printf("the last line is torn, %zu byte%s of it there: the run was cut off\n", ending->torn,
               ending->torn == 1 ? " is" : "s are");
    else if (!ending->ended)
        printf("there is no end line: the run was cut off, or lines were removed at the end\n");
    if (!ending->ended)
        printf("line %ju, the last complete one, has no line after it that would vouch for it\n",
               (uintmax_t)ending->lines);
    printf("digest of the last line: %s\n", ending->digest);
}

static void file_json(struct json_print *print, const char *path, enum journal_file_state state)
{
    static const char *const words[JOURNAL_FILE_STATES] = {[JOURNAL_FILE_SAME] = "unchanged",
                                                           [JOURNAL_FILE_DIFFERS] = "changed",
                                                           [JOURNAL_FILE_MISSING] = "missing",
                                                           [JOURNAL_FILE_OTHER] = "no plain file",
                                                           [JOURNAL_FILE_UNREADABLE] =
                                                               "unreadable"};

    json_print_open(print, NULL, "{}");
    json_print_text(print, "path", path);
    json_print_text(print, "state", words[state]);
    json_print_close(print, "{}");
}

static void tell_file(void *context, const char *path, enum journal_file_state state)
{
    struct files *files = context;

    if (state != JOURNAL_FILE_SAME && !*files->other)
        snprintf(files->other, sizeof files->other, "%s", path);
    if (files->print)
        file_json(files->print, path, state);
    else
        print_file(path, state);
}

static void ending_json(struct json_print *print, const struct journal_verified *verified)
{
    const struct journal_ending *ending = &verified->ending;

    json_print_bool(print, "intact", true);
    json_print_integer(print, "lines", (int64_t)ending->lines);
    json_print_integer(print, "rounds", (int64_t)verified->rounds);
    json_print_integer(print, "resumed", (int64_t)verified->resumed);
    json_print_bool(print, "ended", ending->ended);
    json_print_integer(print, "torn-bytes", (int64_t)ending->torn);
    json_print_text(print, "digest", ending->digest);
}

struct options {
    const char *digest;
    struct verify_bundle bundle;
};

/* Files that are not what they were would come to something else. */
static int replay_one(const struct command *command, const char *path, const struct files *files)
{
    struct json_print *print = files->print;
    struct replayed replayed;
    struct error error;

    if (*files->other) {
        error_set(&error, ERROR_RIG,
                  "%.150s: cannot be replayed, since files that it names are not here as they "
                  "were: %.150s, for one",
                  path, files->other);
        return command_error(command, &error);
    }
    if (replay_journal(path, &replayed, &error))
        return command_error(command, &error);
    if (print)
        replay_json(print, &replayed);
    else
        replay_print(&replayed);
    if (replayed.is_played || replayed.resettled.rounds)
        return EXIT_PASS;
    error_set(&error, ERROR_RIG, "%s: no round could be settled again: %s", path,
              replayed.resettled.why);
    return command_error(command, &error);
}

static int verify_one(const struct command *command, const char *path,
                      const struct options *options, struct json_print *print)
{
    struct files files = {.print = print};
    const struct journal_verify how = {
        .digest = options->digest, .context = &files, .file = tell_file};
    struct journal_verified verified;
    struct error error;
    int status = EXIT_PASS;

    if (journal_verify(path, &how, &verified, &error))
        return command_error(command, &error);
    if (print) {
        json_print_close(print, "[]");
        ending_json(print, &verified);
    } else {
        print_ending(&verified);
    }
    if (options->bundle.replay)
        status = replay_one(command, path, &files);
    if (verified.files[JOURNAL_FILE_DIFFERS])
        status = EXIT_FAIL;
    else if (!status && verified.files[JOURNAL_FILE_UNREADABLE])
        status = EXIT_RIG;
    if (print)
        json_print_close(print, "{}");
    return command_finish(command, status);
}

/* Of a journal that is not intact nothing is printed but the error. */
static int verify_json(const struct command *command, const char *path,
                       const struct options *options)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    struct json_print print = {.out = out};
    int status;

    if (!out)
        return command_error(command, &(struct error){.code = ERROR_RIG, .text = "out of memory"});
    json_print_open(&print, NULL, "{}");
    json_print_text(&print, "journal", path);
    json_print_open(&print, "files", "[]");
    status = verify_one(command, path, options, &print);
    if (!fclose(out) && !print.depth)
        puts(text);
    free(text);
    return command_finish(command, status);
}

static int read_when(const struct option_row *row, char *text, void *context, struct error *error)
{
    struct options *options = context;

    (void)row;
    options->bundle.when = signers_time(text, strlen(text));
    return options->bundle.when
               ? 0
               : error_set(error, ERROR_CONFIG,
                           "--at must be YYYYMMDD or YYYYMMDDHHMM[SS], with a Z for universal "
                           "time, not '%.40s'",
                           text);
}

static int read_digest(const struct option_row *row, char *digest, void *context,
                       struct error *error)
{
    struct options *options = context;

    (void)row;
    if (strspn(digest, "0123456789abcdef") != DIGEST_DIGITS || digest[DIGEST_DIGITS])
        return error_set(error, ERROR_CONFIG, "--digest must be %d hexadecimal digits, as printed",
                         DIGEST_DIGITS);
    options->digest = digest;
    return 0;
}

static int verify_whole(const struct command *command, const char *path,
                        const struct options *options)
{
    if (options->digest)
        return command_usage_error(command, "--digest is for a journal");
    if (!options->bundle.signers && (options->bundle.revoked || options->bundle.when))
        return command_usage_error(
            command, "--revoked and --at are for --signers, which says whose signatures count");
    return verify_bundle(command, path, &options->bundle);
}

static int verify_plain(const struct command *command, const char *path,
                        const struct options *options)
{
    if (options->bundle.signers || options->bundle.revoked || options->bundle.when)
        return command_usage_error(
            command, "'%s' is no bundle, and --signers, --revoked and --at are for one", path);
    return options->bundle.json ? verify_json(command, path, options)
                                : verify_one(command, path, options, NULL);
}

static int run_verify(const struct command *command, int argc, char **argv)
{
    struct options options = {0};
    struct error error;
    int status;
    char **names = options_read(command, argc, argv, &options, &status);

    if (!names)
        return status;
    if (!names[0] || names[1])
        return command_usage_error(command, names[0] ? "one journal or bundle at a time"
                                                     : "no journal or bundle given");
    if (options.bundle.replay && !strcmp(names[0], "-"))
        return command_usage_error(command, "--replay reads the journal twice: name a file");
    status = verify_is_bundle(names[0], &error);
    if (status < 0)
        return command_error(command, &error);
    return status ? verify_whole(command, names[0], &options)
                  : verify_plain(command, names[0], &options);
}

static const struct option_row rows[] = {
    {"digest", 0, "DIGEST", "the digest that the last line must have", .read = read_digest},
    {"replay", 0, NULL,
     "play it again on emulated devices and compare every line; of a run on real devices settle "
     "every round again from its cards; where rig file and recordings are as they were. Of a "
     "bundle that is done anyway, and --replay makes it a matter of the exit status",
     OPTION_INTO(struct options, bundle.replay)},
    {"signers", 0, "FILE", "whose signatures of a bundle count, as OpenSSH's allowed signers",
     OPTION_INTO(struct options, bundle.signers)},
    {"revoked", 0, "FILE", "public keys that count no more, one a line; with --signers",
     OPTION_INTO(struct options, bundle.revoked)},
    {"at", 0, "TIME", "when the signatures are held to have been made; now, if it is not given",
     .read = read_when},
    {"json", 0, NULL, "one line of JSON; of what is not intact the error alone",
     OPTION_INTO(struct options, bundle.json)},
    OPTIONS_END};

static const struct command verify = {
    .name = "verify",
    .synopsis = "[--digest DIGEST] [--replay] [--json] JOURNAL\n"
                "       dealproof verify [--replay] [--signers FILE] [--revoked FILE] [--at TIME]\n"
                "                        [--json] FILE.tar",
    .summary = "Prove that a journal or a bundle is what was written, or name what is not",
    .about =
        "Every line of a journal carries the SHA-256 of the line before it. 'verify' follows that\n"
        "chain and names the first line that was altered, inserted or is missing, or that\n"
        "contradicts the lines before it: a verdict that does not follow from its checks, totals\n"
        "that are none, rounds that are missing, time that runs backwards. It also compares the\n"
        "rig file, what that names and the recordings with the digests that the journal has of\n"
        "them, where they are still there and plain files ('-' reads the journal from standard\n"
        "input).\n\n"
        "A journal without an end line, or with a torn line at its end, is what a crash leaves:\n"
        "that is said, and is no fault. It is also what remains when the last lines are removed,\n"
        "and who rewrites all lines can make a chain that holds. Keep the digest of the last "
        "line,\n"
        "which 'verify' prints, apart from the journal; --digest compares it.\n\n"
        "Of a bundle (see 'dealproof bundle') it checks the archive, every digest, the journal as\n"
        "above, the statement and the copies of files against it, and the signatures beside the\n"
        "bundle. It makes the reports again, and plays the run again, or settles its rounds "
        "again,\n"
        "from what the bundle has kept and nothing else; and it says what is proved, by whom, and\n"
        "what is not.\n",
    .options = rows,
    .help =
        "Examples:\n"
        "  dealproof verify evening.journal\n"
        "  dealproof verify --digest \"$(cat evening.digest)\" evening.journal\n"
        "  dealproof verify --replay evening.journal\n"
        "  dealproof verify friday.tar --signers allowed --revoked lost-keys\n\n"
        "Exit status: 0 intact, 1 altered, or a file that it names was, or nobody whose\n"
        "signature counts vouches for it, 2 not a journal or bundle,\n"
        "4 nobody can tell: reading failed, memory is short, or a later version wrote it; with\n"
        "--replay also when the run cannot be played or settled again.\n",
    .run = run_verify,
};
REGISTER(commands, verify);
