/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/suite.h"

#include <glob.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/shell.h"

static const char *const games[] = {"flush-rush", "chase-the-flush", "three-card-catch",
                                    "three-card-poker"};

/* Every line of every paytable of the rule sheets, as the oracle names them. */
static const char *const flush_rush_lines[] = {
    "ante/sample/7-card straight flush",
    "ante/sample/6-card straight flush",
    "ante/sample/5-card straight flush",
    "ante/sample/4-card straight flush",
    "ante/sample/7-card flush",
    "ante/sample/6-card flush",
    "ante/sample/5-card flush",
    "ante/sample/4-card flush",
    "all-or-nothing/sample/all",
    "all-or-nothing/sample/nothing",
    NULL,
};

static const char *const x_tra_lengths[] = {"7-card flush", "6-card flush", "5-card flush",
                                            "4-card flush", "other",        NULL};

static const char *const same_suit_lines[] = {
    "7-card straight flush", "6-card straight flush", "5-card straight flush",
    "4-card straight flush", "7-card flush",          "6-card flush",
    "5-card flush",          "4-card flush",          NULL};

static const char *const stax_lines[] = {
    "7-card straight flush", "6-card straight flush", "A-K-Q-J-10 suited",
    "5-card straight flush", "A-K-Q-J suited",        "4-card straight flush",
    "A-K-Q suited",          "3-card straight flush", NULL};

static const char *const x_tra_catches[] = {"catch a royal flush",
                                            "catch a straight flush",
                                            "catch a three of a kind",
                                            "catch a straight",
                                            "catch a flush",
                                            "natural",
                                            "other",
                                            NULL};

static const char *const natural_pair_plus_lines[] = {
    "royal flush", "straight flush", "three of a kind", "straight", "flush", "pair of 8s or better",
    NULL};

static const char *const progressive_lines[] = {"natural royal flush in spades",
                                                "catch a straight flush in spades",
                                                "catch a straight flush in diamonds",
                                                "catch a straight flush in hearts",
                                                "catch a straight flush in clubs",
                                                "natural royal flush",
                                                "natural straight flush",
                                                "natural three of a kind",
                                                "catch a three of a kind",
                                                "catch a straight",
                                                NULL};

static const char *const bonus_lines[] = {"straight flush", "three of a kind", "straight", NULL};

static const char *const pair_plus_lines[] = {
    "straight flush", "three of a kind", "straight", "flush", "pair", NULL};

static const char *fixtures(void)
{
    const char *folder = getenv("FIXTURES");

    return folder ? folder : "fixtures";
}

static size_t find(const char *game, const char *ending, glob_t *found)
{
    char pattern[512];

    snprintf(pattern, sizeof pattern, "%s/%s/*%s", fixtures(), game, ending);
    if (glob(pattern, 0, NULL, found) != 0)
        found->gl_pathc = 0;
    return found->gl_pathc;
}

static char *read_file(const char *path)
{
    int status;

    return shell_run(&status, "cat '%s'", path);
}

static void print_first_difference(const char *path, const char *expected, const char *got)
{
    int line = 1;

    for (; *expected && *expected == *got; expected++, got++)
        line += *expected == '\n';
    fprintf(stderr, "%s: line %d: expected …%.60s… the oracle says …%.60s…\n", path, line, expected,
            got);
}

static bool oracle_agrees(const char *shoe)
{
    char expect[512];
    char *expected, *got;
    int status;
    bool same;

    snprintf(expect, sizeof expect, "%.*s.expect", (int)(strlen(shoe) - strlen(".shoe")), shoe);
    expected = read_file(expect);
    got = shell_run(&status, "'%s' '%s'", shell_oracle(), shoe);
    same = status == 0 && *expected && strcmp(expected, got) == 0;
    if (!same)
        print_first_difference(shoe, expected, got);
    free(expected);
    free(got);
    return same;
}

static void check_expectations(const char *game)
{
    glob_t shoes;

    CU_ASSERT(find(game, ".shoe", &shoes) > 0);
    for (size_t i = 0; i < shoes.gl_pathc; i++)
        CU_ASSERT(oracle_agrees(shoes.gl_pathv[i]));
    globfree(&shoes);
}

TEST(every_flush_rush_expectation_follows_from_the_sheet)
{
    check_expectations("flush-rush");
}

TEST(every_chase_the_flush_expectation_follows_from_the_sheet)
{
    check_expectations("chase-the-flush");
}

TEST(every_three_card_catch_expectation_follows_from_the_sheet)
{
    check_expectations("three-card-catch");
}

TEST(every_three_card_poker_expectation_follows_from_the_rules)
{
    check_expectations("three-card-poker");
}

TEST(each_game_has_at_least_fifteen_recordings)
{
    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++) {
        glob_t shoes;

        CU_ASSERT(find(games[i], ".shoe", &shoes) >= 15);
        globfree(&shoes);
    }
}

static bool has_partner(const char *path, const char *ending, const char *partner)
{
    char other[512];

    snprintf(other, sizeof other, "%.*s%s", (int)(strlen(path) - strlen(ending)), path, partner);
    if (access(other, R_OK) == 0)
        return true;
    fprintf(stderr, "%s: no %s\n", path, other);
    return false;
}

TEST(recordings_and_expectations_come_in_pairs)
{
    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++) {
        glob_t shoes, expects;

        CU_ASSERT_EQUAL(find(games[i], ".shoe", &shoes), find(games[i], ".expect", &expects));
        for (size_t n = 0; n < shoes.gl_pathc; n++)
            CU_ASSERT(has_partner(shoes.gl_pathv[n], ".shoe", ".expect"));
        for (size_t n = 0; n < expects.gl_pathc; n++)
            CU_ASSERT(has_partner(expects.gl_pathv[n], ".expect", ".shoe"));
        globfree(&shoes);
        globfree(&expects);
    }
}

/* The header names the folder's game and says who made the recording and why. */
static bool header_is_good(const char *path, const char *game)
{
    FILE *file = fopen(path, "r");
    json_t *header = json_loadf(file, JSON_DISABLE_EOF_CHECK | JSON_REJECT_DUPLICATES, NULL);
    json_t *source = json_object_get(header, "source");
    const char *name = json_string_value(json_object_get(header, "game"));
    bool good = json_integer_value(json_object_get(header, "shoe")) == 1 && name &&
                strcmp(name, game) == 0 && json_string_length(json_object_get(source, "by")) > 0 &&
                json_string_length(json_object_get(source, "note")) > 0;

    if (!good)
        fprintf(stderr, "%s: wrong header\n", path);
    json_decref(header);
    fclose(file);
    return good;
}

TEST(every_header_names_its_game_and_its_source)
{
    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++) {
        glob_t shoes;

        find(games[i], ".shoe", &shoes);
        for (size_t n = 0; n < shoes.gl_pathc; n++)
            CU_ASSERT(header_is_good(shoes.gl_pathv[n], games[i]));
        globfree(&shoes);
    }
}

static bool decided(const char *lines, const char *game, const char *wager, const char *line)
{
    char wanted[160];

    snprintf(wanted, sizeof wanted, "\n%s/%s%s\n", game, wager, line);
    if (strstr(lines, wanted))
        return true;
    fprintf(stderr, "no recording is decided by %s/%s%s\n", game, wager, line);
    return false;
}

static char *lines_of(const char *game)
{
    int status;

    return shell_run(&status, "echo; '%s' --lines '%s/%s/'*.shoe", shell_oracle(), fixtures(),
                     game);
}

static void check_lines(const char *lines, const char *game, const char *wager,
                        const char *const *names)
{
    for (; *names; names++)
        CU_ASSERT(decided(lines, game, wager, *names));
}

TEST(every_line_of_flush_rush_occurs)
{
    char *lines = lines_of("flush-rush");

    check_lines(lines, "flush-rush", "", flush_rush_lines);
    free(lines);
}

TEST(every_line_of_chase_the_flush_occurs)
{
    char *lines = lines_of("chase-the-flush");

    check_lines(lines, "chase-the-flush", "x-tra/A/", x_tra_lengths);
    check_lines(lines, "chase-the-flush", "x-tra/B/", x_tra_lengths);
    check_lines(lines, "chase-the-flush", "same-suit/A/", same_suit_lines);
    check_lines(lines, "chase-the-flush", "same-suit/B/", same_suit_lines);
    check_lines(lines, "chase-the-flush", "stax/1/", stax_lines);
    free(lines);
}

TEST(every_line_of_three_card_catch_occurs)
{
    char *lines = lines_of("three-card-catch");

    check_lines(lines, "three-card-catch", "x-tra/1/", x_tra_catches);
    check_lines(lines, "three-card-catch", "x-tra/2/", x_tra_catches);
    check_lines(lines, "three-card-catch", "natural-pair-plus/1/", natural_pair_plus_lines);
    check_lines(lines, "three-card-catch", "natural-pair-plus/2/", natural_pair_plus_lines);
    check_lines(lines, "three-card-catch", "natural-pair-plus/3/", natural_pair_plus_lines);
    check_lines(lines, "three-card-catch", "natural-pair-plus/4/", natural_pair_plus_lines);
    check_lines(lines, "three-card-catch", "progressive/1/", progressive_lines);
    free(lines);
}

TEST(every_line_of_three_card_poker_occurs)
{
    char *lines = lines_of("three-card-poker");

    check_lines(lines, "three-card-poker", "ante/1/", bonus_lines);
    check_lines(lines, "three-card-poker", "pair-plus/1/", pair_plus_lines);
    check_lines(lines, "three-card-poker", "pair-plus/2/", pair_plus_lines);
    check_lines(lines, "three-card-poker", "pair-plus/3/", pair_plus_lines);
    check_lines(lines, "three-card-poker", "pair-plus/4/", pair_plus_lines);
    check_lines(lines, "three-card-poker", "pair-plus/5/", pair_plus_lines);
    free(lines);
}
