/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The schemas of tools/schemas/ with Debian's validator, by the programs in tests/schemas/. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "tests/support/suite.h"

static void must_hold(const char *check)
{
    char line[128];
    int status;

    snprintf(line, sizeof line, "/usr/bin/python3 -B tests/schemas/check-%s 2>&1", check);
    fflush(stdout);
    status = system(line);
    CU_ASSERT(WIFEXITED(status) && !WEXITSTATUS(status));
}

TEST(recordings_and_expectations_are_as_their_schemas_say)
{
    must_hold("files recordings");
}

TEST(rig_files_are_as_their_schema_says)
{
    must_hold("files rigs");
}

TEST(journals_of_every_kind_of_run_are_as_their_schema_says)
{
    must_hold("files journals");
}

TEST(every_command_prints_what_its_schema_says)
{
    must_hold("commands printed");
}

TEST(schemas_are_strict_and_say_what_they_are)
{
    must_hold("commands schemas");
}

TEST(the_examples_of_the_page_hold)
{
    must_hold("commands page");
}

TEST(exit_statuses_are_the_same_in_every_table)
{
    must_hold("commands statuses");
}

TEST(schema_and_program_refuse_the_same_recordings)
{
    must_hold("refusals recordings");
}

TEST(schema_and_program_refuse_the_same_expectations)
{
    must_hold("refusals expectations");
}

TEST(schema_and_program_refuse_the_same_rig_files)
{
    must_hold("refusals rigs");
}

TEST(schema_and_program_refuse_the_same_journals)
{
    must_hold("refusals journals");
}
