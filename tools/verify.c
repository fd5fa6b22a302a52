/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <string.h>

#include "rigs/journal/verify.h"
#include "rigs/page/markup.h"
#include "tools/options.h"

static void print_file(void *context, const char *path, enum journal_file_state state)
{
    (void)context;
    if (state == JOURNAL_FILE_SAME)
        return;
    plain_text(stdout, path);
    printf(": %s\n",
           state == JOURNAL_FILE_MISSING ? "missing, not compared" : "CHANGED since the run");
}

static void print_ending(const struct journal_verified *verified)
{
    const struct journal_ending *ending = &verified->ending;

    printf("%ju lines, %ju rounds: intact\n", (uintmax_t)ending->lines,
           (uintmax_t)verified->rounds);
    if (verified->files)
        printf("%ju files named: %ju unchanged, %ju changed, %ju missing\n",
               (uintmax_t)verified->files,
               (uintmax_t)(verified->files - verified->differing - verified->missing),
               (uintmax_t)verified->differing, (uintmax_t)verified->missing);
    if (ending->torn)
        printf("the last line is torn, %zu bytes of it are there: the run was cut off\n",
               ending->torn);
    else if (!ending->ended)
        printf("there is no end line: the run was cut off, or lines were removed at the end\n");
    if (!ending->ended)
        printf("line %ju, the last complete one, has no line after it that would vouch for it\n",
               (uintmax_t)ending->lines);
    printf("digest of the last line: %s\n", ending->digest);
}

static int verify_one(const struct command *command, const char *path, const char *digest)
{
    const struct journal_verify how = {.digest = digest, .file = print_file};
    struct journal_verified verified;
    struct error error;

    if (journal_verify(path, &how, &verified, &error))
        return command_error(command, &error);
    print_ending(&verified);
    return command_finish(command, verified.differing ? EXIT_FAIL : EXIT_PASS);
}

struct options {
    const char *digest;
};

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

static int run_verify(const struct command *command, int argc, char **argv)
{
    struct options options = {0};
    int status;
    char **names = options_read(command, argc, argv, &options, &status);

    if (!names)
        return status;
    if (!names[0] || names[1])
        return command_usage_error(command,
                                   names[0] ? "one journal at a time" : "no journal given");
    return verify_one(command, names[0], options.digest);
}

static const struct option_row rows[] = {
    {"digest", 0, "DIGEST", "the digest that the last line must have", .read = read_digest},
    OPTIONS_END};

static const struct command verify = {
    .name = "verify",
    .synopsis = "[--digest DIGEST] JOURNAL",
    .summary = "Prove that a journal is what the run wrote, or name the line that is not",
    .about =
        "Every line of a journal carries the SHA-256 of the line before it. 'verify' follows that\n"
        "chain and names the first line that was altered, inserted or is missing. It also "
        "compares\n"
        "the rig file and the recordings with the digests that the journal has of them, where "
        "they\n"
        "are still there ('-' reads the journal from standard input).\n\n"
        "A journal without an end line, or with a torn line at its end, is what a crash leaves:\n"
        "that is said, and is no fault. It is also what remains when the last lines are removed,\n"
        "and who rewrites all lines can make a chain that holds. Keep the digest of the last "
        "line,\n"
        "which 'verify' prints, apart from the journal; --digest compares it.\n",
    .options = rows,
    .help = "Examples:\n"
            "  dealproof verify evening.journal\n"
            "  dealproof verify --digest \"$(cat evening.digest)\" evening.journal\n\n"
            "Exit status: 0 intact, 1 altered, or a file that it names was, 2 not a journal,\n"
            "4 reading failed.\n",
    .run = run_verify,
};
REGISTER(commands, verify);
