/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Command lines: the options of every command, by its table, without what it does then. An input is
 * a line of words, the first of them a command's name; a word may be in quotes. What is wrong is a
 * sentence and status 2, --help is status 0, and what is left are words that were given.
 *
 * Covers: tools/options.c tools/live/options.c
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/fuzz/fuzz.h"
#include "tools/options.h"

#define WORDS_MAX    64
#define OPTIONS_SIZE (1 << 18) /* more than the struct of any command */

/* In the place of those in tools/main.c, which has a main of its own. */
REGISTRY(commands);

const struct command *command_find(const char *name)
{
    return registry_find(&commands, name);
}

/* What is printed goes to a file in memory meanwhile. */
struct quiet {
    int out, error, said;
};

static void quiet_begin(struct quiet *quiet)
{
    fflush(stdout);
    quiet->out = dup(STDOUT_FILENO);
    quiet->error = dup(STDERR_FILENO);
    quiet->said = memfd_create("said", MFD_CLOEXEC);
    FUZZ_MUST(quiet->said >= 0 && dup2(quiet->said, STDOUT_FILENO) >= 0 &&
              dup2(quiet->said, STDERR_FILENO) >= 0);
}

/* How many bytes were printed. */
static off_t quiet_end(struct quiet *quiet)
{
    off_t said;

    fflush(stdout);
    said = lseek(quiet->said, 0, SEEK_CUR);
    if (quiet->out >= 0)
        dup2(quiet->out, STDOUT_FILENO);
    else
        close(STDOUT_FILENO);
    FUZZ_MUST(dup2(quiet->error, STDERR_FILENO) >= 0);
    close(quiet->out);
    close(quiet->error);
    close(quiet->said);
    return said;
}

static int cut_words(char *text, char *words[WORDS_MAX])
{
    int count = 0;

    while (*(text += strspn(text, " \n")) && count < WORDS_MAX - 1) {
        const char *end = *text == '"' ? "\"" : " \n";

        text += *text == '"';
        words[count++] = text;
        text += strcspn(text, end);
        if (*text)
            *text++ = '\0';
    }
    words[count] = NULL;
    return count;
}

static void read_options(const struct command *command, int argc, char **argv)
{
    char *given[WORDS_MAX], **left;
    void *options = calloc(1, OPTIONS_SIZE);
    struct quiet quiet;
    int status = -1, count = 0;
    off_t said;

    FUZZ_MUST(options);
    memcpy(given, argv, (size_t)argc * sizeof *given);
    quiet_begin(&quiet);
    left = options_read(command, argc, argv, options, &status);
    said = quiet_end(&quiet);
    FUZZ_MUST(left ? status == -1 && !said : said > 0);
    FUZZ_MUST(left || status == EXIT_PASS || status == EXIT_USAGE);
    for (; left && left[count]; count++) {
        int from = 1;

        while (from < argc && given[from] != left[count])
            from++;
        FUZZ_MUST(from < argc);
    }
    free(options);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input input = {data, size};
    char *text = fuzz_text(&input), *words[WORDS_MAX];
    int count = cut_words(text, words);
    const struct command *command = count ? command_find(words[0]) : NULL;

    if (command)
        read_options(command, count, words);
    free(text);
    return 0;
}

FUZZ_WORDS
