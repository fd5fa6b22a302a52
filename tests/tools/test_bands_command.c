/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/shell.h"
#include "tests/support/suite.h"

/* Runs the command with its errors among its output; returns the exit status. */
static int command(const char *arguments, char *output, size_t size)
{
    int status;
    char *text = shell_run(&status, "%s bands %s 2>&1", shell_dealproof(), arguments);

    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    snprintf(output, size, "%s", text);
    free(text);
    return status;
}

/* 720 of 22,100 hands are straights: 325.79 of 10,000, give or take 29 in nine of ten runs. */
TEST(hits_nets_and_their_bands_are_printed_for_every_table)
{
    static char output[65536];

    CU_ASSERT_EQUAL(command("three-card-poker --rounds 10000", output, sizeof output), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "Three Card Poker, 10000 rounds of one seat\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "  pair-plus, table 5 "));
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "    straight                                  325.79   "
                                          "        297 to 355 "));
    CU_ASSERT_PTR_NOT_NULL(strstr(output, "    net result                               -337.30   "
                                          "       -607 to -67 "));
}

TEST(a_program_gets_one_object)
{
    static char output[65536];
    json_t *root, *bands, *net;

    CU_ASSERT_EQUAL(command("--json --rounds 10000 three-card-poker", output, sizeof output), 0);
    root = json_loads(output, JSON_REJECT_DUPLICATES, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(root);
    bands = json_object_get(root, "bands");
    CU_ASSERT_EQUAL(json_array_size(bands), 6);
    net = json_object_get(json_array_get(bands, 0), "net");
    CU_ASSERT(json_real_value(json_object_get(json_object_get(net, "90"), "low")) == -607);
    CU_ASSERT_EQUAL(json_array_size(json_object_get(json_array_get(bands, 1), "lines")), 5);
    json_decref(root);
}

TEST(the_number_of_jobs_changes_no_byte)
{
    static char one[65536], three[65536];

    CU_ASSERT_EQUAL(command("flush-rush --rounds 77 -j 1", one, sizeof one), 0);
    CU_ASSERT_EQUAL(command("flush-rush --rounds 77 -j 3", three, sizeof three), 0);
    CU_ASSERT_STRING_EQUAL(one, three);
}

TEST(bad_usage_is_named_and_ends_with_status_2)
{
    static const struct {
        const char *arguments, *words;
    } wrong[] = {
        {"", "name one GAME"},
        {"flush-rush three-card-poker --rounds 5", "name one GAME"},
        {"poker --rounds 5", "unknown game 'poker'"},
        {"flush-rush", "--rounds is missing"},
        {"flush-rush --rounds 0", "--rounds is '0'; it must be from 1 to 1000000000"},
        {"flush-rush --rounds many", "--rounds is 'many'"},
        {"flush-rush --rounds 5 --paytables /no/file", "/no/file"},
    };
    char output[4096];

    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        CU_ASSERT_EQUAL(command(wrong[i].arguments, output, sizeof output), 2);
        CU_ASSERT_PTR_NOT_NULL(strstr(output, wrong[i].words));
    }
}
