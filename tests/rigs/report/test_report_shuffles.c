/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/document.h"
#include "tests/support/process.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

#define DEALT "dealt in an order that the shuffler made itself"

/* The page of what a command, whose last argument is a journal, has written there. To be freed. */
static char *page_after(const char *const *command, int status)
{
    const char *arguments[16];
    char journal[SCRATCH_PATH_SIZE];
    struct process_result result;
    size_t count = 0;
    char *page;

    scratch_path(journal);
    for (; command[count]; count++)
        arguments[count] = command[count];
    arguments[count++] = "--journal";
    arguments[count++] = journal;
    arguments[count] = NULL;
    result = process_run(arguments, process_input("", 0));
    CU_ASSERT_EQUAL(result.status, status);
    process_free(&result);
    result =
        process_run((const char *const[]){"report", "--html", journal, NULL}, process_input("", 0));
    CU_ASSERT_EQUAL(result.status, 0);
    page = result.out;
    free(result.err);
    unlink(journal);
    return page;
}

static char *observed(const char *game, const char *rounds, const char *burn)
{
    return page_after((const char *const[]){"observe", "--game", game, "--rounds", rounds, "--burn",
                                            burn, "--quiet", NULL},
                      0);
}

/* The rig that is built in, with another line in place of one of its own. To be removed. */
static void write_rig(char path[SCRATCH_PATH_SIZE], const char *line, const char *by)
{
    size_t length;
    char *rig = scratch_read("rigs/emulated.yaml", &length), *at = strstr(rig, line), *changed;
    int size;

    CU_ASSERT_PTR_NOT_NULL_FATAL(at);
    size = asprintf(&changed, "%.*s%s%s", (int)(at - rig), rig, by, at + strlen(line));
    CU_ASSERT_FATAL(size > 0);
    scratch_path(path);
    scratch_write(path, changed, (size_t)size);
    free(changed);
    free(rig);
}

TEST(orders_that_a_device_made_are_judged_in_the_page_of_the_run)
{
    char *page = observed("flush-rush", "600", "0");

    CU_ASSERT_PTR_NOT_NULL(strstr(page, "<p>600 rounds were " DEALT ". Nothing was found that"));
    CU_ASSERT_PTR_NOT_NULL(strstr(page, "<a href=\"#shuffles\">Shuffles</a>"));
    CU_ASSERT_EQUAL(document_count(page, "class=\"cells\""), 1);
    CU_ASSERT_EQUAL(document_count(page, "class=\"holm\""), 1);
    /* Seven seats and the community packet, of four cards each. */
    CU_ASSERT_PTR_NOT_NULL(strstr(page, "the first 32 places of 600 orders"));
    free(page);
}

TEST(cards_that_are_drawn_later_are_left_out_and_burned_ones_are_not)
{
    char *page = observed("three-card-catch", "600", "0");

    CU_ASSERT_PTR_NOT_NULL(strstr(page, "the first 24 places of 600 orders"));
    free(page);
    page = observed("three-card-catch", "600", "2");
    CU_ASSERT_PTR_NOT_NULL(strstr(page, "the first 26 places of 600 orders"));
    free(page);
}

TEST(too_few_orders_get_a_sentence_and_no_picture)
{
    char *page = observed("chase-the-flush", "30", "0");

    CU_ASSERT_PTR_NOT_NULL(
        strstr(page, "<p>30 rounds were " DEALT ". There are too few shuffles to say. "));
    CU_ASSERT_EQUAL(document_count(page, "class=\"cells\""), 0);
    CU_ASSERT_EQUAL(document_count(page, "class=\"holm\""), 0);
    free(page);
    page = observed("chase-the-flush", "1", "0");
    CU_ASSERT_PTR_NOT_NULL(strstr(page, "<p>1 round was " DEALT));
    free(page);
}

TEST(orders_that_were_loaded_say_nothing_of_a_shuffler)
{
    char *page =
        page_after((const char *const[]){"run", "--quiet", "fixtures/flush-rush", NULL}, 0);

    CU_ASSERT_PTR_NULL(strstr(page, DEALT));
    CU_ASSERT_PTR_NULL(strstr(page, "#shuffles"));
    free(page);
}

/* Each recording begins with the same order there, which is no fault of the shuffler. */
TEST(an_emulated_device_that_starts_anew_is_judged_by_one_recording)
{
    static const char recording[] = "fixtures/flush-rush/evening-of-six-seats.shoe";
    char rig[SCRATCH_PATH_SIZE], *page;

    write_rig(rig, "order: load", "order: compare");
    page = page_after((const char *const[]){"run", "--quiet", "--rig", rig, recording, recording,
                                            recording, NULL},
                      1);
    CU_ASSERT_PTR_NOT_NULL(strstr(page, "<p>60 rounds were " DEALT ". There are too few"));
    CU_ASSERT_PTR_NULL(strstr(page, "would hardly deal so"));
    free(page);
    unlink(rig);
}

TEST(a_shuffler_that_is_stuck_is_found_out_by_its_journal)
{
    char rig[SCRATCH_PATH_SIZE], *page;

    write_rig(rig, "emu:shuffler", "emu:shuffler?shuffle=stuck:20");
    page = page_after((const char *const[]){"observe", "--quiet", "--rig", rig, "--game",
                                            "flush-rush", "--rounds", "40", NULL},
                      1);
    CU_ASSERT_PTR_NOT_NULL(strstr(page, "but not what the rounds show together</h1>"));
    CU_ASSERT_PTR_NOT_NULL(strstr(page, "<p>After the last round: <b>shuffle</b>"));
    CU_ASSERT_PTR_NOT_NULL(strstr(page, "A uniform shuffler would hardly deal so: "));
    CU_ASSERT_PTR_NOT_NULL(strstr(page, "20 orders had come before"));
    CU_ASSERT_EQUAL(document_count(page, "class=\"holm\""), 1);
    free(page);
    unlink(rig);
}

/* A journal of so many rounds of a run that was to have 600, as it stands then. */
static char *page_of_part(unsigned rounds)
{
    char journal[SCRATCH_PATH_SIZE], *text, *page;
    struct process_result result;
    size_t length;
    char *at;

    scratch_path(journal);
    result = process_run((const char *const[]){"observe", "--game", "flush-rush", "--rounds", "600",
                                               "--quiet", "--journal", journal, NULL},
                         process_input("", 0));
    CU_ASSERT_EQUAL(result.status, 0);
    process_free(&result);
    text = scratch_read(journal, &length);
    at = text;
    for (unsigned i = 0; i < rounds; i++)
        at = strstr(at + 1, "\"kind\":\"verdict\"");
    length = (size_t)(strchr(at, '\n') + 1 - text);
    scratch_write(journal, text, length);
    free(text);
    result =
        process_run((const char *const[]){"report", "--html", journal, NULL}, process_input("", 0));
    page = result.out;
    free(result.err);
    unlink(journal);
    return page;
}

TEST(what_is_not_all_that_was_declared_says_so)
{
    char *page = page_of_part(300);

    CU_ASSERT_PTR_NOT_NULL(
        strstr(page, "So far: 300 of 600 rounds that were declared beforehand were dealt. "));
    CU_ASSERT_PTR_NOT_NULL(
        strstr(page, "each look has its share of what is left of 0.01: 1.7e-06"));
    CU_ASSERT_PTR_NOT_NULL(strstr(page, "at a significance of 1.66667e-06 for all of them"));
    free(page);
    page = page_of_part(600);
    CU_ASSERT_PTR_NULL(strstr(page, "So far"));
    CU_ASSERT_PTR_NOT_NULL(
        strstr(page, "600 of 600 rounds that were declared beforehand were dealt. Of a "
                     "significance of 0.01, 0.009 is for the end"));
    free(page);
}
