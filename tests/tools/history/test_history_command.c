/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dealproof history as a process, and runs that put their journals into it when they end. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/history/home.h"
#include "tests/support/lies/forge.h"
#include "tests/support/suite.h"

#define SHOE "fixtures/flush-rush/evening-of-six-seats.shoe"

static size_t count_runs(const char *store)
{
    json_t *answer = store ? ASK("list", "--store", store) : ASK("list");
    size_t count = json_array_size(json_object_get(answer, "runs"));

    json_decref(answer);
    return count;
}

TEST(a_run_with_history_is_in_it_when_it_has_ended)
{
    struct history_home home = home_set_up();
    const json_t *first;
    json_t *answer;

    CU_ASSERT_EQUAL(
        process_status_with(DEALPROOF("run", "--history", "--journal", home.journal, SHOE),
                            "\nhistory: run 2"),
        0);
    answer = ASK("list");
    first = json_array_get(json_object_get(answer, "runs"), 0);
    CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(first, "verdict")), "pass");
    CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(first, "source")), home.journal);
    CU_ASSERT_EQUAL(json_integer_value(json_object_get(json_object_get(first, "rounds"), "pass")),
                    60);
    CU_ASSERT_STRING_EQUAL(json_string_value(json_array_get(json_object_get(first, "command"), 1)),
                           "--history");
    json_decref(answer);
    home_take_down(&home);
}

TEST(a_run_that_is_refused_its_history_makes_no_folder_for_it_and_says_what_names_another)
{
    struct history_home home = home_set_up();
    char data[SCRATCH_PATH_SIZE + 32], *was = getenv("HOME") ? strdup(getenv("HOME")) : NULL;

    snprintf(data, sizeof data, "%s/data", home.folder);
    setenv("XDG_DATA_HOME", data, 1);
    CU_ASSERT_EQUAL(process_status_with(DEALPROOF("run", "--history", SHOE), "made from a journal"),
                    2);
    CU_ASSERT_NOT_EQUAL(access(data, F_OK), 0);
    unsetenv("XDG_DATA_HOME");
    unsetenv("HOME");
    CU_ASSERT_EQUAL(
        process_status_with(DEALPROOF("run", "--history", "--journal", home.journal, SHOE),
                            "--history=STORE of a run"),
        2);
    if (was)
        setenv("HOME", was, 1);
    free(was);
    home_take_down(&home);
}

TEST(a_history_needs_a_journal_and_an_address)
{
    struct history_home home = home_set_up();

    CU_ASSERT_EQUAL(process_status_with(DEALPROOF("run", "--history", SHOE),
                                        "a history is made from a journal"),
                    2);
    CU_ASSERT_EQUAL(
        process_status_with(DEALPROOF("run", "--history=", "--journal", home.journal, SHOE),
                            "--history is empty"),
        2);
    CU_ASSERT_EQUAL(
        process_status_with(DEALPROOF("run", "--history=oracle:x", "--journal", home.journal, SHOE),
                            "kinds are postgresql, sqlite"),
        2);
    CU_ASSERT_NOT_EQUAL(access(home.journal, F_OK), 0);
    home_take_down(&home);
}

static size_t count_spooled(const struct history_home *home)
{
    char path[SCRATCH_PATH_SIZE + 64];

    snprintf(path, sizeof path, "%s/state/dealproof/spool/", home->folder);
    return scratch_count(path);
}

TEST(a_store_that_is_away_changes_no_run_and_gets_it_later)
{
    struct history_home home = home_set_up();
    char folder[SCRATCH_PATH_SIZE + 16], away[SCRATCH_PATH_SIZE + 48], next[SCRATCH_PATH_SIZE + 32],
        option[SCRATCH_PATH_SIZE + 64];

    snprintf(folder, sizeof folder, "%s/disk", home.folder);
    snprintf(away, sizeof away, "sqlite:%s/lab.db", folder);
    snprintf(option, sizeof option, "--history=%s", away);
    snprintf(next, sizeof next, "%s/next.journal", home.folder);
    CU_ASSERT_EQUAL(process_status_with(DEALPROOF("run", option, "--journal", home.journal, SHOE),
                                        "the journal waits and is sent with the next run"),
                    0);
    CU_ASSERT_EQUAL(count_spooled(&home), 2);
    CU_ASSERT_EQUAL_FATAL(mkdir(folder, 0700), 0);
    CU_ASSERT_EQUAL(process_status_with(DEALPROOF("run", "--history", "--journal", next, SHOE),
                                        "history: run "),
                    0);
    CU_ASSERT_EQUAL(count_spooled(&home), 2);
    unlink(next);
    CU_ASSERT_EQUAL(process_status_with(DEALPROOF("run", option, "--journal", next, SHOE),
                                        "history: 1 journal that waited was sent"),
                    0);
    CU_ASSERT_EQUAL(count_spooled(&home), 0);
    CU_ASSERT_EQUAL(count_runs(away), 2);
    home_take_down(&home);
}

/* The address is in the command line, which is in the journal. */
TEST(no_password_is_told_journaled_or_spooled)
{
    struct history_home home = home_set_up();
    static const char option[] = "--history=postgresql://ann:swordfish@/x?host=/nowhere";
    struct process_result result =
        DEALPROOF("run", option, "--journal", home.journal, "--quiet", SHOE);
    struct process_result found;
    size_t length;
    char *text = scratch_read(home.journal, &length);

    CU_ASSERT_EQUAL(result.status, 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.err, "postgresql://ann@/nowhere/x"));
    CU_ASSERT_PTR_NULL(strstr(result.err, "swordfish"));
    CU_ASSERT_PTR_NULL(strstr(text, "swordfish"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"--history=postgresql://ann@/nowhere/x\""));
    CU_ASSERT_EQUAL(count_spooled(&home), 2);
    free(text);
    process_free(&result);
    found = DEALPROOF("verify", "--replay", home.journal);
    CU_ASSERT_EQUAL(found.status, 0);
    process_free(&found);
    home_take_down(&home);
}

TEST(a_rig_file_may_say_where_the_history_is)
{
    struct history_home home = home_set_up();
    char rig[SCRATCH_PATH_SIZE + 16], reports[SCRATCH_PATH_SIZE + 16], text[8192], *built_in;
    size_t length;

    snprintf(reports, sizeof reports, "%s/reports", home.folder);
    snprintf(rig, sizeof rig, "%s/rig.yaml", home.folder);
    built_in = scratch_read("rigs/emulated.yaml", &length);
    snprintf(text, sizeof text, "%s\nhistory: sqlite:lab.db\n", built_in);
    scratch_write(rig, text, strlen(text));
    CU_ASSERT_EQUAL(
        process_status_with(DEALPROOF("run", "--rig", rig, "--journal", home.journal, SHOE),
                            "history: run "),
        0);
    CU_ASSERT_EQUAL(count_runs(home.store), 1);
    CU_ASSERT_EQUAL(
        process_status_with(DEALPROOF("run", "--rig", rig, SHOE), "the rig's does not have it"), 0);
    snprintf(text, sizeof text, "%s\nhistory: postgresql://ann:swordfish@host/x\n", built_in);
    scratch_write(rig, text, strlen(text));
    CU_ASSERT_EQUAL(
        process_status_with(DEALPROOF("run", "--rig", rig, "--journal", home.journal, SHOE),
                            "a rig file is no place for a password"),
        2);
    CU_ASSERT_EQUAL(
        process_status_with(DEALPROOF("run", "--rig", rig, "--reports", reports, "--history", SHOE),
                            "a rig file is no place for a password"),
        2);
    CU_ASSERT_NOT_EQUAL(access(reports, F_OK), 0);
    CU_ASSERT_EQUAL(process_status_with(DEALPROOF("observe", "--game", "flush-rush", "--rounds",
                                                  "2", "--rig", rig, "--reports", reports),
                                        "a rig file is no place for a password"),
                    2);
    CU_ASSERT_NOT_EQUAL(access(reports, F_OK), 0);
    free(built_in);
    home_take_down(&home);
}

TEST(a_folder_of_journals_is_imported_and_each_is_told)
{
    struct history_home home = home_set_up();
    char broken[SCRATCH_PATH_SIZE + 32], *text;
    size_t length;

    CU_ASSERT_EQUAL(process_status_with(DEALPROOF("run", "--journal", home.journal, SHOE), "pass"),
                    0);
    CU_ASSERT_EQUAL(process_status_with(DEALPROOF("history", "list"), "there is no such file"), 2);
    /* Nobody can tell whether there is one. */
    CU_ASSERT_EQUAL(process_status_with(
                        DEALPROOF("history", "list", "--store", "sqlite:/proc/version/history.db"),
                        "cannot be read: Not a directory"),
                    4);
    CU_ASSERT_EQUAL(process_status_with(DEALPROOF("history", "import", home.folder), " imported\n"),
                    0);
    CU_ASSERT_EQUAL(
        process_status_with(DEALPROOF("history", "import", home.folder), "was there already"), 0);
    text = scratch_read(home.journal, &length);
    text[length / 2] ^= 1;
    snprintf(broken, sizeof broken, "%s/broken.journal", home.folder);
    scratch_write(broken, text, length);
    free(text);
    CU_ASSERT_EQUAL(
        process_status_with(DEALPROOF("history", "import", home.folder), "was there already"), 1);
    CU_ASSERT_EQUAL(process_status_with(DEALPROOF("history", "import", "--unverified", broken),
                                        "marked as NOT VERIFIED"),
                    0);
    CU_ASSERT_EQUAL(process_status_with(DEALPROOF("history", "list"), "  NOT VERIFIED\n"), 0);
    CU_ASSERT_EQUAL(process_status_with(
                        DEALPROOF("history", "import", "--run-id", "aaaa", broken, home.journal),
                        "--run-id is for one journal"),
                    2);
    CU_ASSERT_EQUAL(process_status_with(DEALPROOF("history", "import", SHOE), "not a journal"), 2);
    home_take_down(&home);
}

TEST(standard_input_and_a_store_of_the_environment_are_taken)
{
    struct history_home home = home_set_up();
    static const char *const arguments[] = {"history", "import", "--run-id", "piped", "-", NULL};
    char *text;
    size_t length;

    setenv("DEALPROOF_STORE", home.store, 1);
    CU_ASSERT_EQUAL(process_status_with(DEALPROOF("run", "--journal", home.journal, SHOE), "pass"),
                    0);
    text = scratch_read(home.journal, &length);
    CU_ASSERT_EQUAL(process_status_with(process_run(arguments, process_input(text, length)),
                                        "-: run piped imported"),
                    0);
    free(text);
    unsetenv("DEALPROOF_STORE");
    CU_ASSERT_EQUAL(count_runs(home.store), 1);
    home_take_down(&home);
}

TEST(a_journal_from_standard_input_is_imported_alone)
{
    static const char words[] =
        "standard input is a journal of its own, and 'a.journal' is another";

    CU_ASSERT_EQUAL(process_status_with(DEALPROOF("history", "import", "a.journal", "-"), words),
                    2);
    CU_ASSERT_EQUAL(process_status_with(DEALPROOF("history", "import", "-", "a.journal"), words),
                    2);
}
