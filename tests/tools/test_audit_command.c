/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/shell.h"
#include "tests/support/suite.h"

/* Runs the command with its errors among its output; returns the exit status. */
static int command(const char *arguments, char *output, size_t size)
{
    int status;
    char *text = shell_run(&status, "%s audit %s 2>&1", shell_dealproof(), arguments);

    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    snprintf(output, size, "%s", text);
    free(text);
    return status;
}

TEST(the_command_prints_every_field_in_a_stable_order)
{
    static const char *const fields[] = {"game",
                                         "wager",
                                         "table",
                                         "rules",
                                         "ev",
                                         "house-edge",
                                         "average-wager",
                                         "element-of-risk",
                                         "hit-frequency",
                                         "lines",
                                         "strategy",
                                         "standard-deviation",
                                         "volatility-index",
                                         "distribution",
                                         "return",
                                         "bands",
                                         "play-rules",
                                         "plays",
                                         "warnings"};
    static char output[65536];
    json_t *root, *entry, *value;
    const char *name;
    size_t at = 0;

    CU_ASSERT_EQUAL_FATAL(command("--json flush-rush", output, sizeof output), 0);
    root = json_loads(output, JSON_REJECT_DUPLICATES, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(root);
    CU_ASSERT_EQUAL(json_array_size(json_object_get(root, "audits")), 2);
    entry = json_array_get(json_object_get(root, "audits"), 0);
    CU_ASSERT_EQUAL_FATAL(json_object_size(entry), sizeof fields / sizeof fields[0]);
    json_object_foreach(entry, name, value) CU_ASSERT_STRING_EQUAL(name, fields[at++]);
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "\"ev\":-0.0374928886,\"house-edge\":0.0374928886,"));
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "{\"line\":\"7-card straight flush\",\"combinations\":32,"
                                          "\"of\":133784560,\"pays\":1000}"));
    json_decref(root);
}

TEST(the_number_of_jobs_changes_no_byte)
{
    static char one[65536], seven[65536];

    CU_ASSERT_EQUAL(command("--json --jobs 1 flush-rush", one, sizeof one), 0);
    CU_ASSERT_EQUAL(command("--json -j 7 flush-rush", seven, sizeof seven), 0);
    CU_ASSERT_STRING_EQUAL(one, seven);
}

TEST(standard_deviations_bands_and_rules_are_in_the_json)
{
    static char output[65536];

    CU_ASSERT_EQUAL(command("--json --rounds 100 flush-rush", output, sizeof output), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "\"standard-deviation\":5.4840773405,"));
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "\"bands\":{\"rounds\":100,\"exact\":true,\"90\":{"));
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "{\"net\":1002.0000000000,\"deals\":"));
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "{\"play\":\"by the rules\",\"ev\":-0.0374928886,"
                                          "\"cost\":0.0000000000}"));
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "\"warnings\":[]"));
}

static const char lower[] =
    "{\"game\":\"three-card-poker\",\"wager\":\"pair-plus\",\"table\":\"low\",\"pays\":{"
    "\"straight flush\":40,\"three of a kind\":30,\"straight\":6,\"flush\":2,\"pair\":1}}\n";

/* A file with that text, for unlink(). */
static void make_file(char *path, const char *text)
{
    int fd = mkstemp(path);

    CU_ASSERT_FATAL(fd >= 0);
    CU_ASSERT_EQUAL(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
}

/* Flushes that pay 2 and not 4 to 1: 1,096 of 22,100 hands, twice 4.959276 %. */
TEST(a_table_of_a_file_is_set_against_the_sheets_line_by_line)
{
    static char output[131072];
    char path[] = "/tmp/paytables-XXXXXX", arguments[128];

    make_file(path, lower);
    snprintf(arguments, sizeof arguments, "--paytables %s --against sheet three-card-poker", path);
    CU_ASSERT_EQUAL(command(arguments, output, sizeof output), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(
        output, "against table 1 of the sheet, the EV changes by -9.918552 %\n"
                "      flush                              -9.918552 %  2 to 1, not 4 to 1\n"));
    snprintf(arguments, sizeof arguments, "--json --paytables %s --against sheet three-card-poker",
             path);
    CU_ASSERT_EQUAL(command(arguments, output, sizeof output), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "{\"line\":\"flush\",\"paid\":4,\"pays\":2,"
                                          "\"change\":-0.0991855204}"));
    unlink(path);
}

/* The decisions of Three Card Poker, 1,755 classes of 22,100 hands; Q-6-4 is the last that plays.
 */
TEST(the_complete_table_has_every_hand_once)
{
    static char output[65536];
    char folder[] = "/tmp/audit-XXXXXX", path[64], arguments[128], line[256];
    long deals = 0, plays = 0, rows = 0;
    FILE *file;

    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/plays.csv", folder);
    snprintf(arguments, sizeof arguments, "--strategy %s three-card-poker", path);
    CU_ASSERT_EQUAL(command(arguments, output, sizeof output), 0);
    CU_ASSERT_EQUAL(command(arguments, output, sizeof output), 2);
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "is there already; --force replaces it"));
    file = fopen(path, "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    CU_ASSERT_PTR_NOT_NULL(fgets(line, sizeof line, file));
    CU_ASSERT_STRING_EQUAL(line, "table,decision,cards,board,deals,ev-bet,ev-not-bet,best\n");
    while (fgets(line, sizeof line, file)) {
        long weight = strtol(strstr(line + 4, ",,") + 2, NULL, 10);

        deals += weight;
        plays += strstr(line, ",bet\n") ? weight : 0;
        rows++;
        if (strstr(line, "4c 6d Qh"))
            CU_ASSERT_PTR_NOT_NULL(strstr(line, ",bet\n"));
        if (strstr(line, "3c 6d Qh"))
            CU_ASSERT_PTR_NOT_NULL(strstr(line, ",fold\n"));
    }
    fclose(file);
    CU_ASSERT_EQUAL(rows, 1755);
    CU_ASSERT_EQUAL(deals, 22100);
    CU_ASSERT_EQUAL(plays, 14900);
    unlink(path);
    rmdir(folder);
}

TEST(the_page_needs_nothing_else_and_shows_the_figures)
{
    static char output[65536], page[262144];
    char folder[] = "/tmp/audit-XXXXXX", path[64], arguments[128];
    size_t length;
    FILE *file;

    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/par.html", folder);
    snprintf(arguments, sizeof arguments, "--html %s flush-rush", path);
    CU_ASSERT_EQUAL(command(arguments, output, sizeof output), 0);
    CU_ASSERT_EQUAL(command(arguments, output, sizeof output), 2);
    snprintf(arguments, sizeof arguments, "--force --html %s flush-rush", path);
    CU_ASSERT_EQUAL(command(arguments, output, sizeof output), 0);
    file = fopen(path, "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    length = fread(page, 1, sizeof page - 1, file);
    page[length] = '\0';
    fclose(file);
    CU_ASSERT_PTR_NOT_NULL(strstr(page, "default-src 'none'; style-src 'sha256-"));
    CU_ASSERT_PTR_NOT_NULL(strstr(page, "<td class=\"n\">5.4841</td>"));
    CU_ASSERT_PTR_NOT_NULL(strstr(page, "<li>first four cards: bet two of a suit"));
    CU_ASSERT_PTR_NULL(strstr(page, "http://"));
    CU_ASSERT_PTR_NULL(strstr(page, "https://"));
    CU_ASSERT_PTR_NOT_NULL(strstr(page, "</body></html>\n"));
    unlink(path);
    rmdir(folder);
}

/* A table of a file that gives money away is warned of, and audited all the same. */
TEST(a_table_outside_of_the_stated_range_is_warned_of)
{
    static const char rich[] =
        "{\"game\":\"three-card-poker\",\"wager\":\"pair-plus\",\"table\":\"rich\",\"pays\":{"
        "\"straight flush\":40,\"three of a kind\":30,\"straight\":6,\"flush\":4,\"pair\":2}}\n";
    static char output[131072];
    char path[] = "/tmp/paytables-XXXXXX", arguments[128];

    make_file(path, rich);
    snprintf(arguments, sizeof arguments, "--paytables %s three-card-poker", path);
    CU_ASSERT_EQUAL(command(arguments, output, sizeof output), 0);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(output, "warning: a house edge of -14.6244 % is outside of 0 % to 25 %\n"));
    unlink(path);
}

/* A 4-card flush at 4 instead of 5 to 1 must cost the player, and leave the sheet's table alone. */
TEST(tables_of_a_file_are_audited_beside_those_of_the_sheet)
{
    static const char table[] =
        "{\"game\":\"flush-rush\",\"wager\":\"ante\",\"table\":\"low\",\"pays\":{"
        "\"7-card straight flush\":1000,\"6-card straight flush\":500,"
        "\"5-card straight flush\":100,\"4-card straight flush\":15,\"7-card flush\":300,"
        "\"6-card flush\":20,\"5-card flush\":9,\"4-card flush\":4}}\n";
    static char output[65536];
    char path[] = "/tmp/paytables-XXXXXX", arguments[64];
    int fd = mkstemp(path);
    json_t *root, *entry;

    CU_ASSERT_FATAL(fd >= 0);
    CU_ASSERT_EQUAL(write(fd, table, sizeof table - 1), (ssize_t)sizeof table - 1);
    close(fd);
    snprintf(arguments, sizeof arguments, "--json --paytables %s flush-rush", path);
    CU_ASSERT_EQUAL(command(arguments, output, sizeof output), 0);
    unlink(path);
    root = json_loads(output, 0, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(root);
    CU_ASSERT_EQUAL_FATAL(json_array_size(json_object_get(root, "audits")), 3);
    entry = json_array_get(json_object_get(root, "audits"), 1);
    CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(entry, "table")), "low");
    CU_ASSERT(json_real_value(json_object_get(entry, "ev")) < -0.0374928886);
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "\"ev\":-0.0374928886,"));
    json_decref(root);
}

TEST(bad_usage_is_named_and_ends_with_status_2)
{
    static const struct {
        const char *arguments, *words;
    } wrong[] = {
        {"poker", "unknown game 'poker'; the games are chase-the-flush, flush-rush, three-card"},
        {"flush-rush flush-rush", "'flush-rush' is given twice"},
        {"--rule wild=true", "unknown rule 'wild'; the one rule an audit can change is ace-low"},
        {"--rule ace=true", "unknown rule 'ace'"},
        {"--rule ace-low=maybe", "cannot be 'maybe'; write ace-low=true or ace-low=false"},
        {"--rule ace-low", "write ace-low=true or ace-low=false"},
        {"--rule ace-low=true flush-rush", "means nothing to flush-rush"},
        {"--jobs 0", "--jobs is '0'; it must be from 1 to 64"},
        {"-j 65", "--jobs is '65'; it must be from 1 to 64"},
        {"--jobs two", "--jobs is 'two'"},
        {"-j", "-j needs a value"},
        {"--jobs", "--jobs needs a value"},
        {"--fast", "unknown option '--fast'"},
        {"--against sheet flush-rush", "compares the tables of a file; name it with --paytables"},
        {"--against A flush-rush", "--against cannot be 'A'; write --against sheet"},
        {"--rounds 0", "--rounds is '0'; it must be from 1 to 1000000000"},
        {"--hands-per-hour 0", "--hands-per-hour is '0'; it must be from 1 to 100000"},
        {"--strategy /tmp/x.csv", "--strategy writes the table of one game; name that GAME"},
        {"--force flush-rush", "--force means nothing without a file"},
    };
    char output[4096];

    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        CU_ASSERT_EQUAL(command(wrong[i].arguments, output, sizeof output), 2);
        CU_ASSERT_PTR_NOT_NULL(strstr(output, wrong[i].words));
    }
}

TEST(help_teaches_the_figures_and_shows_examples)
{
    static char output[8192];

    CU_ASSERT_EQUAL(command("--help", output, sizeof output), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "Usage: dealproof audit [--json]"));
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "element of risk"));
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "three-card-catch --rule ace-low=false"));
}

TEST(people_get_a_table_with_per_cent)
{
    static char output[65536];

    CU_ASSERT_EQUAL(command("flush-rush", output, sizeof output), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "Flush Rush\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(output, " 3.749289 % "));
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "1000 to 1               32\n"));
}
