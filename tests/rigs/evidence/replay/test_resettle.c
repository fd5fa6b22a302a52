/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rounds settled again from their journal: honest ones come to the same, forged ones do not. */
#include "rigs/evidence/replay/resettle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/lies/forge.h"
#include "tests/support/process.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

static void run(const char *const *arguments)
{
    struct process_result result = process_run(arguments, process_input("", 0));

    CU_ASSERT_TRUE_FATAL(result.status >= 0 && result.status <= 5 && result.status != 2);
    process_free(&result);
}

/* What people are asked is answered from the file beside the recording, if there is one. */
static void run_answered(const char *rig, const char *journal, const char *shoe)
{
    char path[512], *answers;
    size_t length;
    struct process_result result;

    snprintf(path, sizeof path, "%.*s.answers", (int)strlen(shoe) - 5, shoe);
    if (access(path, F_OK)) {
        run((const char *const[]){"run", "-q", "--rig", rig, "--journal", journal, shoe, NULL});
        return;
    }
    answers = scratch_read(path, &length);
    result = process_run((const char *const[]){"run", "-q", "--questions", "json", "--rig", rig,
                                               "--journal", journal, shoe, NULL},
                         process_input(answers, length));
    CU_ASSERT_EQUAL_FATAL(result.status, 1);
    process_free(&result);
    free(answers);
}

static int resettle(const char *journal, const char *rig_path, struct resettled *resettled,
                    struct error *error)
{
    struct rig *rig;
    int status;

    error->text[0] = '\0';
    CU_ASSERT_EQUAL_FATAL(rig_path ? rig_load(&rig, rig_path, error) : rig_default(&rig, error), 0);
    status = resettle_journal(journal, rig, NULL, resettled, error);
    rig_free(rig);
    return status;
}

static void expect_all(const char *journal, const char *rig, uint64_t least)
{
    struct resettled resettled;
    struct error error;

    CU_ASSERT_EQUAL(resettle(journal, rig, &resettled, &error), 0);
    if (*error.text || resettled.left)
        printf("%s%s\n", error.text, resettled.why);
    CU_ASSERT_EQUAL(resettled.left, 0);
    CU_ASSERT_TRUE(resettled.rounds >= least);
    unlink(journal);
}

TEST(every_round_of_the_fixtures_comes_to_what_its_journal_says)
{
    char journal[SCRATCH_PATH_SIZE];

    scratch_path(journal);
    run((const char *const[]){"run", "-q", "--journal", journal, "fixtures", NULL});
    expect_all(journal, NULL, 400);
}

TEST(so_does_every_round_that_is_observed)
{
    static const char *const games[] = {"chase-the-flush", "flush-rush", "three-card-catch",
                                        "three-card-poker"};
    char journal[SCRATCH_PATH_SIZE];

    scratch_path(journal);
    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++) {
        run((const char *const[]){"observe", "-q", "--game", games[i], "--rounds", "60",
                                  "--journal", journal, NULL});
        expect_all(journal, NULL, 60);
    }
}

/* A device that deals what it has, and lies: of its failures nothing is said here. */
TEST(failed_rounds_are_settled_again_without_accusing_their_journal)
{
    static const char *const names[] = {"tests/failing/dealt-cards", "tests/failing/meter-values",
                                        "tests/failing/jackpots", "tests/failing/burned-cards"};
    char journal[SCRATCH_PATH_SIZE], listed[128], rig[512], shoe[512];

    scratch_path(journal);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        FILE *list;

        snprintf(listed, sizeof listed, "ls %s/*.shoe", names[i]);
        list = popen(listed, "r");
        CU_ASSERT_PTR_NOT_NULL_FATAL(list);
        while (fgets(shoe, sizeof shoe, list)) {
            shoe[strcspn(shoe, "\n")] = '\0';
            snprintf(rig, sizeof rig, "%.*s.yaml", (int)strlen(shoe) - 5, shoe);
            run_answered(rig, journal, shoe);
            expect_all(journal, rig, 1);
        }
        pclose(list);
    }
}

#define TYPED   "tests/failing/dealt-cards/typed-by-hand"
#define EVENING "fixtures/chase-the-flush/evening-of-six-seats.shoe"
#define AWARDS  "fixtures/chase-the-flush/jackpots-key-by-key.shoe"

struct case_of {
    const char *shoe; /* that is run, on the rig beside it where it fails; or a game to observe */
    const char *line;
    unsigned nth;
    const char *old, *new; /* NULL: the line is dropped */
    const char *words;
};

static const char *play_case(const struct case_of *of, const char *journal, char rig[512])
{
    if (!strchr(of->shoe, '/')) {
        run((const char *const[]){"observe", "-q", "--game", of->shoe, "--rounds", "5", "--journal",
                                  journal, NULL});
        return NULL;
    }
    if (strncmp(of->shoe, "tests", 5) != 0) {
        run((const char *const[]){"run", "-q", "--journal", journal, of->shoe, NULL});
        return NULL;
    }
    snprintf(rig, 512, "%.*s.yaml", (int)strlen(of->shoe) - 5, of->shoe);
    run_answered(rig, journal, of->shoe);
    return rig;
}

TEST(what_does_not_follow_from_the_lines_above_it_is_found)
{
    static const struct case_of cases[] = {
        {EVENING, "\"kind\":\"settled\"", 2, "\"net\":{\"ante\":", "\"net\":{\"ante\":1",
         "the settlement does not follow from the cards above it"},
        {EVENING, "\"kind\":\"round\"", 3, "\"ante\":", "\"ante\":1",
         "what was played is not what the recording has"},
        {EVENING, "\"kind\":\"round\"", 3, "\"dealt\":[\"", "\"dealt\":[\"As ",
         "what was played is not what the recording has"},
        {EVENING, "\"event\":\"meters\"", 4, "\"star\":\"1", "\"star\":\"2",
         "the terminal told other meters than the settlement has"},
        {EVENING, "\"kind\":\"settled\"", 5, "\"star\":\"1", "\"star\":\"2",
         "the settlement does not follow from the cards above it"},
        {AWARDS, "\"event\":\"jackpot-paid\"", 2, "\"pays\":", "\"pays\":1",
         "the terminal paid other jackpots than the settlement has"},
        {AWARDS, "\"event\":\"jackpot-paid\"", 2, NULL, NULL,
         "the terminal paid other jackpots than the settlement has"},
        {AWARDS, "\"event\":\"jackpot-paid\"", 2, "\"jackpot-paid\"", "\"jackpot-payed\"",
         "no such device tells such an event"},
        {AWARDS, "\"event\":\"jackpot-paid\"", 2, "\"terminal\"", "\"shuffler\"",
         "no such device tells such an event"},
        {EVENING, "\"event\":\"meters\"", 4, NULL, NULL, "the terminal told none"},
        {EVENING, "\"event\":\"packet-present\"", 9, "\"cards\":\"", "\"cards\":\"2c ",
         "other cards were told than were played"},
        {EVENING, "\"event\":\"packet-present\"", 9, "\"packet\":", "\"packet\":1",
         "packets are not numbered as they came"},
        {EVENING, "\"event\":\"packet-present\"", 9, "\"packet-present\"", "\"button\"",
         "it passes a round"},
        {EVENING, "\"event\":\"packet-taken\"", 9, NULL, NULL, "it passes a round whose packets"},
        {"flush-rush", "\"event\":\"packet-present\"", 3, "\"cards\":\"", "\"cards\":\"2c ",
         "other cards were told than were played"},
        {"flush-rush", "\"kind\":\"round\"", 2, "\"ante\":1", "\"ante\":2",
         "observed with other wagers"},
        {TYPED ".shoe", "\"id\":8,", 2, "\"answer\":\"\"", "\"answer\":\"2h 3h 4h\"",
         "people answered other cards than were told"},
        {EVENING, "\"kind\":\"verdict\"", 3, "\"limit\":30000000000", "\"limit\":90000000000",
         "a limit of time that is not the rig's"},
        {EVENING, "\"kind\":\"device\"", 1, "emu:shuffler", "usb:0403:6001",
         "its address is 'usb:0403:6001"},
        {EVENING, "\"kind\":\"device\"", 1, "\"open\"", "\"pins\"", "its driver is 'pins'"},
        {EVENING, "\"kind\":\"recording\"", 1, "\"game\":\"chase-the-flush\"",
         "\"game\":\"flush-rush\"", "the recording is of another game"}};

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char path[512];
        const char *rig;
        size_t line;
        char journal[SCRATCH_PATH_SIZE];
        struct resettled resettled;
        struct forgery forgery;
        struct error error;

        scratch_path(journal);
        rig = play_case(&cases[i], journal, path);
        forgery = forge_read(journal);
        line = forge_find(&forgery, cases[i].line, cases[i].nth);
        if (cases[i].old)
            forge_replace(&forgery, line, cases[i].old, cases[i].new);
        else
            forge_remove(&forgery, line, 1);
        forge_write(&forgery, journal);
        CU_ASSERT_EQUAL(resettle(journal, rig, &resettled, &error), ERROR_RULE);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.text, cases[i].words));
        if (!strstr(error.text, cases[i].words))
            printf("%s: %s\n", cases[i].words, error.text);
        forge_free(&forgery);
        unlink(journal);
    }
}

TEST(a_recording_that_is_not_there_as_it_was_is_left_out_and_said)
{
    char journal[SCRATCH_PATH_SIZE];
    struct resettled resettled;
    struct forgery forgery;
    struct error error;

    scratch_path(journal);
    run((const char *const[]){"run", "-q", "--journal", journal, EVENING, NULL});
    forgery = forge_read(journal);
    forge_replace(&forgery, forge_find(&forgery, "\"kind\":\"recording\"", 1), "evening",
                  "morning");
    forge_write(&forgery, journal);
    forge_free(&forgery);
    CU_ASSERT_EQUAL(resettle(journal, NULL, &resettled, &error), 0);
    CU_ASSERT_EQUAL(resettled.rounds, 0);
    CU_ASSERT_EQUAL(resettled.left, 60);
    CU_ASSERT_PTR_NOT_NULL(strstr(resettled.why, "morning-of-six-seats.shoe or its expectation"));
    unlink(journal);
}

/* Three rounds by hand; the first packet is read wrongly, taken back and read once more. */
TEST(cards_that_were_taken_back_count_for_nothing)
{
    static const char *const answers[] = {
        "done", "done", "2h 3h 4h", "undo", "ad kh qs", "as jd 9h", "", "done",
        "done", "",     "",         "done", "done",     "",         "", ""};
    char journal[SCRATCH_PATH_SIZE], lines[4096];
    struct process_result result;
    size_t used = 0;

    scratch_path(journal);
    for (unsigned i = 0; i < sizeof answers / sizeof answers[0]; i++)
        used += (size_t)snprintf(lines + used, sizeof lines - used,
                                 "{\"answer\":{\"id\":%u,\"answer\":\"%s\"}}\n", i + 1, answers[i]);
    result =
        process_run((const char *const[]){"run", "-q", "--questions", "json", "--rig",
                                          TYPED ".yaml", "--journal", journal, TYPED ".shoe", NULL},
                    process_input(lines, used));
    CU_ASSERT_EQUAL(result.status, 0);
    process_free(&result);
    expect_all(journal, TYPED ".yaml", 3);
}

/* The page names exactly those checks of which a forged pass on a real clock is not found. */
TEST(the_page_says_which_checks_are_not_judged_again)
{
    size_t length;
    char *page = scratch_read("rigs/JOURNAL.md", &length);
    char *from = strstr(page, "\nNot judged again are the checks "), *to, name[64];

    CU_ASSERT_PTR_NOT_NULL_FATAL(from);
    to = strchr(from, ':');
    CU_ASSERT_PTR_NOT_NULL_FATAL(to);
    *to = '\0';
    for (unsigned i = 0; i < CHECK_COUNT; i++) {
        bool is_judged = RESETTLE_JUDGES >> i & 1;

        snprintf(name, sizeof name, "`%s`", check_kinds[i].name);
        if ((strstr(from, name) == NULL) != is_judged)
            printf("%s\n", name);
        CU_ASSERT_EQUAL(strstr(from, name) == NULL, is_judged);
    }
    free(page);
}
