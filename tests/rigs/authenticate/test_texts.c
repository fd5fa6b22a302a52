/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts that journals have, in the words of every version: earlier/ has a journal of each. */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rigs/authenticate/authenticate.h"
#include "tests/support/process.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

#define JOURNALS "tests/rigs/authenticate/earlier/*.journal"

static bool is_in_a_journal(const char *key, const char *text)
{
    char member[512];
    bool is_there = false;
    glob_t found;

    snprintf(member, sizeof member, "\"%s\":\"%s\"", key, text);
    CU_ASSERT_EQUAL_FATAL(glob(JOURNALS, 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        size_t length;
        char *journal = scratch_read(found.gl_pathv[i], &length);

        is_there |= strstr(journal, member) != NULL;
        free(journal);
    }
    globfree(&found);
    return is_there;
}

/*
 * Where this fails, a text was worded anew: add it to rigs/authenticate/texts.c, leave there what
 * it was, and add a journal that has it: `run --rig tests/rigs/authenticate/earlier/rig.yaml
 * --journal tests/rigs/authenticate/earlier/NAME.journal tests/rigs/authenticate/earlier/one.shoe`.
 */
TEST(the_texts_of_today_are_in_a_journal_that_is_kept)
{
    CU_ASSERT(is_in_a_journal("protocol", GAT_SPOKEN));
    CU_ASSERT(is_in_a_journal("note", AUTHENTICATE_CAUTION));
    CU_ASSERT(authenticate_is_protocol(GAT_SPOKEN));
    CU_ASSERT(authenticate_is_caution(AUTHENTICATE_CAUTION));
}

TEST(journals_with_the_texts_of_earlier_versions_are_replayed)
{
    glob_t found;

    CU_ASSERT_EQUAL_FATAL(glob(JOURNALS, 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        struct process_result result =
            process_run((const char *const[]){"verify", "--replay", found.gl_pathv[i], NULL}, -1);

        CU_ASSERT_EQUAL(result.status, 0);
        if (result.status)
            printf("%s%s\n", result.out, result.err);
        process_free(&result);
    }
    globfree(&found);
}

TEST(other_texts_are_none_of_them)
{
    CU_ASSERT_FALSE(authenticate_is_protocol("GAT 4.00"));
    CU_ASSERT_FALSE(authenticate_is_protocol(NULL));
    CU_ASSERT_FALSE(authenticate_is_caution(""));
    CU_ASSERT_FALSE(authenticate_is_caution(NULL));
}
