/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What dealproof history tells as a process: differences, trends, pooled shuffles, pages. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/history/home.h"
#include "tests/support/lies/forge.h"
#include "tests/support/suite.h"

#define SHOE "fixtures/flush-rush/evening-of-six-seats.shoe"

/* The built-in rig, but for a shuffler that deals another card than was loaded, once. */
static void write_liar(const struct history_home *home, char rig[SCRATCH_PATH_SIZE + 16])
{
    static const char honest[] = "address: emu:shuffler\n";
    size_t length;
    char *text = scratch_read("rigs/emulated.yaml", &length), *at = strstr(text, honest);
    char liar[8192];

    CU_ASSERT_PTR_NOT_NULL_FATAL(at);
    snprintf(liar, sizeof liar, "%.*saddress: emu:shuffler?fault=wrong@card:2\n%s",
             (int)(at - text), text, at + strlen(honest));
    snprintf(rig, SCRATCH_PATH_SIZE + 16, "%s/liar.yaml", home->folder);
    scratch_write(rig, liar, strlen(liar));
    free(text);
}

TEST(a_run_is_shown_with_all_that_is_kept_of_it)
{
    struct history_home home = home_set_up();
    char rig[SCRATCH_PATH_SIZE + 16];
    const json_t *shown;
    json_t *answer;

    write_liar(&home, rig);
    CU_ASSERT_EQUAL(
        process_status_with(
            DEALPROOF("run", "--journal", home.journal, "--by", "Ann", "--rig", rig, SHOE), "fail"),
        1);
    CU_ASSERT_EQUAL(
        process_status_with(DEALPROOF("history", "import", "--run-id", "friday", home.journal),
                            "run friday imported"),
        0);
    answer = ASK("show", "frid");
    shown = json_array_get(json_object_get(answer, "runs"), 0);
    CU_ASSERT_STRING_EQUAL(json_string_value(json_object_get(shown, "verdict")), "fail");
    CU_ASSERT_STRING_EQUAL(
        json_string_value(json_array_get(json_object_get(shown, "operators"), 0)), "Ann");
    CU_ASSERT_EQUAL(json_integer_value(json_object_get(json_object_get(shown, "checks"), "fail")),
                    (json_int_t)json_array_size(json_object_get(shown, "failures")));
    CU_ASSERT(json_array_size(json_object_get(shown, "timings")) > 0);
    json_decref(answer);
    CU_ASSERT_EQUAL(process_status_with(DEALPROOF("history", "show", "friday"), "operator     Ann"),
                    0);
    CU_ASSERT_EQUAL(
        process_status_with(DEALPROOF("history", "show", "friday", "--csv"), "\nfriday,2"), 0);
    CU_ASSERT_EQUAL(process_status_with(DEALPROOF("history", "show", "monday"), "has no run"), 2);
    CU_ASSERT_EQUAL(
        process_status_with(DEALPROOF("history", "show", "friday", "--csv", "--json"), "not both"),
        2);
    CU_ASSERT_EQUAL(process_status_with(DEALPROOF("history", "sho"), "import, list"), 2);
    home_take_down(&home);
}

TEST(two_runs_are_compared_for_people_and_programs)
{
    struct history_home home = home_set_up();
    char rig[SCRATCH_PATH_SIZE + 16], liar[SCRATCH_PATH_SIZE + 16];
    json_t *answer;
    struct process_result result;

    write_liar(&home, rig);
    snprintf(liar, sizeof liar, "%s/liar.journal", home.folder);
    CU_ASSERT_EQUAL(process_status_with(DEALPROOF("run", "--journal", home.journal, SHOE), "pass"),
                    0);
    CU_ASSERT_EQUAL(
        process_status_with(DEALPROOF("run", "--journal", liar, "--rig", rig, SHOE), "fail"), 1);
    CU_ASSERT_EQUAL(
        process_status_with(DEALPROOF("history", "import", "--run-id", "honest", home.journal),
                            "imported"),
        0);
    CU_ASSERT_EQUAL(
        process_status_with(DEALPROOF("history", "import", "--run-id", "liar", liar), "imported"),
        0);
    CU_ASSERT_EQUAL(process_status_with(DEALPROOF("history", "diff", "honest", "liar"),
                                        "\nverdict    " SHOE ": pass | fail\n"),
                    1);
    CU_ASSERT_EQUAL(process_status_with(DEALPROOF("history", "diff", "honest", "honest"),
                                        "0 differences, 0 of 3 timings differ"),
                    0);
    CU_ASSERT_EQUAL(process_status_with(DEALPROOF("history", "diff", "--firmware", "1.4.2", "9.9"),
                                        "has no run with firmware 9.9"),
                    2);
    CU_ASSERT_EQUAL(process_status_with(DEALPROOF("history", "diff", "--csv", "honest", "liar"),
                                        "\ncheck,dealt-cards,"),
                    1);
    result = DEALPROOF("history", "diff", "--json", "honest", "liar");
    answer = json_loads(result.out, 0, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(answer);
    CU_ASSERT(json_array_size(json_object_get(answer, "differences")) > 4);
    CU_ASSERT_EQUAL(json_array_size(json_object_get(answer, "timings")), 3);
    json_decref(answer);
    process_free(&result);
    home_take_down(&home);
}

TEST(what_does_not_verify_is_no_evidence_against_a_firmware)
{
    struct history_home home = home_set_up();
    size_t length;
    char *text;

    CU_ASSERT_EQUAL(process_status_with(DEALPROOF("run", "--journal", home.journal, SHOE), "pass"),
                    0);
    CU_ASSERT_EQUAL(
        process_status_with(DEALPROOF("history", "import", "--run-id", "honest", home.journal),
                            "imported"),
        0);
    CU_ASSERT_EQUAL(
        process_status_with(DEALPROOF("history", "import", "--run-id", "again", home.journal),
                            "imported"),
        0);
    text = scratch_read(home.journal, &length);
    text[length / 2] ^= 1;
    scratch_write(home.journal, text, length);
    free(text);
    CU_ASSERT_EQUAL(process_status_with(DEALPROOF("history", "import", "--unverified", "--run-id",
                                                  "altered", home.journal),
                                        "marked as NOT VERIFIED"),
                    0);
    CU_ASSERT_EQUAL(process_status_with(DEALPROOF("history", "diff", "honest", "altered"),
                                        "second: run altered, 1 run, NOT VERIFIED, cut off\n"),
                    1);
    CU_ASSERT_EQUAL(
        process_status_with(DEALPROOF("history", "diff", "--firmware", "1.4.2", "1.4.2"),
                            "firmware 1.4.2, 1 run; 1 that does not verify left out; 1 with the "
                            "lines of another left out\n"),
        0);
    home_take_down(&home);
}

TEST(machines_and_flaky_recordings_are_shown_over_time)
{
    struct history_home home = home_set_up();
    char rig[SCRATCH_PATH_SIZE + 16], liar[SCRATCH_PATH_SIZE + 16];
    const json_t *machine;
    json_t *answer;

    write_liar(&home, rig);
    snprintf(liar, sizeof liar, "%s/liar.journal", home.folder);
    CU_ASSERT_EQUAL(
        process_status_with(DEALPROOF("run", "--history", "--journal", home.journal, SHOE), "pass"),
        0);
    CU_ASSERT_EQUAL(
        process_status_with(DEALPROOF("run", "--history", "--journal", liar, "--rig", rig, SHOE),
                            "fail"),
        1);
    CU_ASSERT_EQUAL(
        process_status_with(DEALPROOF("history", "trend", "--serial", "S-17"), "FLAKY: " SHOE " ("),
        0);
    CU_ASSERT_EQUAL(process_status_with(DEALPROOF("history", "trend", "--serial", "S-17"),
                                        "too few to show a change"),
                    0);
    CU_ASSERT_EQUAL(process_status_with(DEALPROOF("history", "trend", "--serial", "S-18"),
                                        "has no run with the serial number 'S-18'"),
                    2);
    CU_ASSERT_EQUAL(process_status_with(DEALPROOF("history", "trend", "--csv"), "S-17,1.4.2,2"), 0);
    answer = ASK("trend", "--serial", "S-17");
    machine = json_array_get(json_object_get(answer, "machines"), 0);
    CU_ASSERT_EQUAL(json_array_size(json_object_get(machine, "runs")), 2);
    CU_ASSERT_EQUAL(json_array_size(json_object_get(answer, "flaky")), 1);
    json_decref(answer);
    home_take_down(&home);
}

/* Observes so many rounds and puts them into the history. */
static void observe(const struct history_home *home, const char *rig, const char *seed)
{
    char journal[SCRATCH_PATH_SIZE + 32];

    snprintf(journal, sizeof journal, "%s/seed-%s.journal", home->folder, seed);
    CU_ASSERT_EQUAL(process_status_with(DEALPROOF("observe", "--game", "chase-the-flush",
                                                  "--rounds", "300", "--seed", seed, "--rig", rig,
                                                  "--history", "--journal", journal),
                                        "history: run"),
                    0);
}

static void write_shuffler(const struct history_home *home, const char *method,
                           char rig[SCRATCH_PATH_SIZE + 16])
{
    char text[256];

    snprintf(text, sizeof text,
             "rig: shuffler\nclock: virtual\ndevices:\n"
             "  shuffler: {address: 'emu:shuffler?shuffle=%s'}\n",
             method);
    snprintf(rig, SCRATCH_PATH_SIZE + 16, "%s/%.8s.yaml", home->folder, method);
    scratch_write(rig, text, strlen(text));
}

TEST(all_orders_of_a_machine_are_judged_together)
{
    struct history_home home = home_set_up();
    char rig[SCRATCH_PATH_SIZE + 16], page[SCRATCH_PATH_SIZE + 16];

    snprintf(page, sizeof page, "%s/page.html", home.folder);
    write_shuffler(&home, "uniform", rig);
    observe(&home, rig, "1");
    observe(&home, rig, "2");
    CU_ASSERT_EQUAL(process_status_with(DEALPROOF("history", "shuffles", "S-17", "-o", page),
                                        "600 orders of 2 runs, firmware 1.4.2\n"
                                        "look 2 at the most, and each may be the last: of a "
                                        "significance of 0.01 it has 0.0017\n"),
                    0);
    CU_ASSERT_EQUAL(access(page, F_OK), 0);
    CU_ASSERT_EQUAL(process_status_with(DEALPROOF("history", "shuffles", "--declared", "2", "S-17"),
                                        "look 2 of 2 that were declared: of a significance of 0.01 "
                                        "it has 0.009\n"),
                    0);
    CU_ASSERT_EQUAL(process_status_with(DEALPROOF("history", "shuffles", "--declared", "1", "S-17"),
                                        "nothing is left to judge this one by"),
                    2);
    CU_ASSERT_EQUAL(process_status_with(DEALPROOF("history", "shuffles", "--csv", "S-17"),
                                        "\nsuit runs,600,20,"),
                    0);
    CU_ASSERT_EQUAL(process_status_with(DEALPROOF("history", "shuffles", "S-18"),
                                        "has no orders that a shuffler"),
                    2);
    CU_ASSERT_EQUAL(process_status_with(DEALPROOF("history", "shuffles", "--alpha", "2", "S-17"),
                                        "between 0 and 1"),
                    2);
    home_take_down(&home);
}

TEST(a_longer_run_of_the_same_seed_adds_what_is_new_in_it)
{
    struct history_home home = home_set_up();
    char rig[SCRATCH_PATH_SIZE + 16];

    write_shuffler(&home, "uniform", rig);
    observe(&home, rig, "1");
    CU_ASSERT_EQUAL(process_status_with(DEALPROOF("observe", "--game", "chase-the-flush",
                                                  "--rounds", "400", "--seed", "1", "--rig", rig,
                                                  "--history", "--journal", home.journal),
                                        "history: run"),
                    0);
    CU_ASSERT_EQUAL(process_status_with(DEALPROOF("history", "shuffles", "S-17"),
                                        "400 orders of 2 runs, firmware 1.4.2\n"
                                        "300 more orders are left out: a run in virtual time "
                                        "begins as an earlier one\n"),
                    0);
    home_take_down(&home);
}

/* Each run passes, its check of the shuffle too. */
TEST(a_bias_that_no_single_run_shows_is_found_over_all)
{
    static const char *const seeds[] = {"1", "2", "3", "4", "5", "6"};
    struct history_home home = home_set_up();
    char rig[SCRATCH_PATH_SIZE + 16];

    write_shuffler(&home, "bias:0.03", rig);
    for (size_t i = 0; i < sizeof seeds / sizeof seeds[0]; i++)
        observe(&home, rig, seeds[i]);
    CU_ASSERT_EQUAL(
        process_status_with(DEALPROOF("history", "shuffles", "S-17"), "1800 orders of 6 runs"), 1);
    home_take_down(&home);
}

TEST(no_cell_of_a_table_is_computed_or_turned)
{
    struct history_home home = home_set_up();
    char rig[SCRATCH_PATH_SIZE + 16], *built_in;
    struct forgery forgery;
    size_t length;

    built_in = scratch_read("rigs/emulated.yaml", &length);
    snprintf(rig, sizeof rig, "%s/a\u202eb.yaml", home.folder);
    scratch_write(rig, built_in, length);
    free(built_in);
    CU_ASSERT_EQUAL(process_status_with(
                        DEALPROOF("run", "--journal", home.journal, "--rig", rig, SHOE), "pass"),
                    0);
    CU_ASSERT_EQUAL(process_status_with(DEALPROOF("history", "import", "--run-id", "-2+3", "--host",
                                                  "=1+2,x", home.journal),
                                        "imported"),
                    0);
    CU_ASSERT_EQUAL(process_status_with(DEALPROOF("history", "list", "--csv"), "\n'-2+3,2"), 0);
    CU_ASSERT_EQUAL(
        process_status_with(DEALPROOF("history", "list", "--csv"), ",\"'=1+2,x\",pass,"), 0);
    CU_ASSERT_EQUAL(
        process_status_with(DEALPROOF("history", "list", "--csv"), "/a<U+202E>b.yaml,60,"), 0);
    forgery = forge_read(home.journal);
    forge_replace(&forgery, 0, home.folder, "\\ufffe=3+\\u0001");
    forge_write(&forgery, home.journal);
    forge_free(&forgery);
    CU_ASSERT_EQUAL(
        process_status_with(DEALPROOF("history", "import", "--run-id", "forged", home.journal),
                            "imported"),
        0);
    CU_ASSERT_EQUAL(process_status_with(DEALPROOF("history", "list", "--csv"),
                                        ",<EF><BF><BE>=3+<U+0001>/a<U+202E>b.yaml,60,"),
                    0);
    home_take_down(&home);
}

TEST(a_history_is_shown_as_pages)
{
    struct history_home home = home_set_up();
    char folder[SCRATCH_PATH_SIZE + 16], index[SCRATCH_PATH_SIZE + 32];

    snprintf(folder, sizeof folder, "%s/pages", home.folder);
    snprintf(index, sizeof index, "%s/index.html", folder);
    CU_ASSERT_EQUAL(
        process_status_with(DEALPROOF("run", "--history", "--journal", home.journal, SHOE), "pass"),
        0);
    CU_ASSERT_EQUAL(process_status_with(DEALPROOF("history", "page", "-o", folder),
                                        "/index.html: 3 machines, 1 recording\n"),
                    0);
    CU_ASSERT_EQUAL(access(index, F_OK), 0);
    CU_ASSERT_EQUAL(process_status_with(DEALPROOF("history", "page"), "-o DIR says where"), 2);
    home_take_down(&home);
}
