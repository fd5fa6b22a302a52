/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/suite.h"

/* Runs the command with its errors among its output; returns the exit status. */
static int command(const char *arguments, char *output, size_t size)
{
    const char *program = getenv("DEALPROOF");
    char line[512];
    FILE *pipe;
    size_t length;

    snprintf(line, sizeof line, "%s audit %s 2>&1", program ? program : "build/dealproof",
             arguments);
    pipe = popen(line, "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(pipe);
    length = fread(output, 1, size - 1, pipe);
    output[length] = '\0';
    return WEXITSTATUS(pclose(pipe));
}

TEST(the_command_prints_every_field_in_a_stable_order)
{
    static const char *const fields[] = {
        "game",          "wager",           "table",         "rules", "ev",      "house-edge",
        "average-wager", "element-of-risk", "hit-frequency", "lines", "strategy"};
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
