/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the rule sheets say of a recording, worked out the slow and plain way. It shares no code
 * with the product, so that the two can be held against each other.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/oracle/deal.h"
#include "tests/oracle/shoe.h"

static const char usage[] =
    "usage: oracle [--lines] SHOE...           settle, or list the paytable lines that decided\n"
    "       oracle --random GAME SEED COUNT    write a recording of rare and spoiled rounds\n"
    "       oracle --evening GAME SEED COUNT   write a recording of plausible play\n";

static int settle_stream(FILE *in, const char *path, bool lines)
{
    struct table table;
    struct round round;
    char *line = NULL, error[160] = "empty file";
    size_t size = 0;
    int status = EXIT_SUCCESS;

    if (getline(&line, &size, in) < 0 || !shoe_read_header(line, &table, error)) {
        fprintf(stderr, "%s: %s\n", path, error);
        free(line);
        return 2;
    }
    while (getline(&line, &size, in) >= 0) {
        shoe_read_round(line, &table, &round);
        round_settle(&table, &round);
        if (lines)
            expect_write_lines(&table, &round, stdout);
        else
            expect_write(&table, &round, stdout);
        if (round.error[0])
            status = EXIT_FAILURE;
    }
    free(line);
    return status;
}

static int settle_file(const char *path, bool lines)
{
    FILE *in = strcmp(path, "-") == 0 ? stdin : fopen(path, "r");
    int status;

    if (!in) {
        perror(path);
        return 2;
    }
    status = settle_stream(in, path, lines);
    if (in != stdin)
        fclose(in);
    return status;
}

static int write_recording(char **arguments)
{
    bool evening = strcmp(arguments[0], "--evening") == 0;
    uint64_t seed = strtoull(arguments[2], NULL, 10);
    int count = atoi(arguments[3]);

    for (int i = 0; i < GAMES; i++)
        if (strcmp(oracle_games[i].name, arguments[1]) == 0) {
            if (evening)
                deal_evening(&oracle_games[i], seed, count, stdout);
            else
                deal_random(&oracle_games[i], seed, count, stdout);
            return EXIT_SUCCESS;
        }
    fprintf(stderr, "oracle: no game \"%s\"\n", arguments[1]);
    return 2;
}

int main(int argc, char **argv)
{
    bool lines = argc > 1 && strcmp(argv[1], "--lines") == 0;
    int status = EXIT_SUCCESS;

    if (argc == 5 && (strcmp(argv[1], "--random") == 0 || strcmp(argv[1], "--evening") == 0))
        return write_recording(argv + 1);
    if (argc < (lines ? 3 : 2) || (!lines && strncmp(argv[1], "--", 2) == 0)) {
        fputs(usage, stderr);
        return 2;
    }
    for (int i = lines ? 2 : 1; i < argc; i++) {
        int result = settle_file(argv[i], lines);

        if (result > status)
            status = result;
    }
    return status;
}
