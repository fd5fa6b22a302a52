/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a journal can contradict itself in when it tells what the software of devices comes to. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "rigs/journal/verify.h"
#include "tests/support/lies/forge.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

#define A "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define B "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
#define HEAD                                                                                       \
    "{\"when\":\"end\",\"protocol\":\"GAT\",\"address\":\"emu:gat\",\"options\":\"key=text\""
#define TOLD HEAD ",\"version\":\"3.50\",\"key\":\"Jefe\""
#define NOTE ",\"note\":\"n\"}"

/* A component of a line. */
#define COMPONENT(name, digest, approved, result)                                                  \
    "{\"name\":\"" name "\",\"digest\":" digest ",\"approved\":" approved ",\"result\":\"" result  \
    "\"}"
#define LAB(...)    TOLD ",\"by\":\"the lab\",\"components\":[" __VA_ARGS__ "]" NOTE
#define NOBODY(...) TOLD ",\"by\":null,\"components\":[" __VA_ARGS__ "]" NOTE

/* A run in whose end a device is asked, and so many checks of identity fail for it. */
static void write_run(const char *path, const char *event, const char *details, unsigned failed,
                      enum verdict verdict)
{
    static const char *const command[] = {"run", NULL};
    const struct journal_start start = {.version = "1", .seed = 7, .command = command};
    struct journal *journal = NULL;
    struct clock clock;

    clock_virtual(&clock, NANOS_PER_SECOND);
    CU_ASSERT_EQUAL_FATAL(
        journal_open(path, &(struct journal_options){.clock = &clock}, &start, &journal, NULL), 0);
    journal_device(journal, &(struct journal_device){.name = "shuffler"}, NULL);
    CU_ASSERT_EQUAL(journal_event(journal, "shuffler", event, details, 3, NULL), 0);
    for (unsigned i = 0; i < failed; i++)
        journal_check(journal, &(struct check_result){.name = "identity", .outcome = CHECK_FAIL},
                      NULL);
    CU_ASSERT_EQUAL(journal_end(journal, verdict, verdict > VERDICT_FAIL ? "why" : NULL, NULL), 0);
    journal_close(journal);
}

/* 0, or that it is refused with these words; "" stands for an honest one. */
static bool is_judged(const char *event, const char *details, unsigned failed, const char *words)
{
    const struct journal_verify how = {.digest = NULL};
    struct journal_verified verified;
    struct error error = {.text = ""};
    char path[SCRATCH_PATH_SIZE];
    bool is_so;

    scratch_path(path);
    write_run(path, event, details, failed, failed ? VERDICT_FAIL : VERDICT_SKIPPED);
    is_so = journal_verify(path, &how, &verified, &error) == (*words ? ERROR_RULE : 0) &&
            strstr(error.text, words);
    if (!is_so)
        printf("%s: wanted '%s', got '%s'\n", details, words, error.text);
    unlink(path);
    return is_so;
}

TEST(a_result_is_what_its_digests_come_to)
{
    static const struct {
        const char *details;
        unsigned failed;
        const char *words;
    } cases[] = {
        {LAB(COMPONENT("ui", "\"" A "\"", "\"" A "\"", "matches")), 0, ""},
        {LAB(COMPONENT("ui", "\"" A "\"", "\"" B "\"", "differs")), 1, ""},
        {LAB(COMPONENT("ui", "null", "\"" B "\"", "missing")), 1, ""},
        {LAB(COMPONENT("ui", "null", "null", "missing")), 1, ""},
        {LAB(COMPONENT("ui", "\"" A "\"", "null", "unapproved")), 1, ""},
        {NOBODY(COMPONENT("ui", "\"" A "\"", "null", "shown")), 0, ""},
        {NOBODY(COMPONENT("ui", "\"" A "\"", "\"" B "\"", "differs")), 1, ""},
        {NOBODY(COMPONENT("ui", "null", "null", "missing")), 1, ""},
        {LAB(COMPONENT("ui", "\"" A "\"", "\"" B "\"", "matches")), 0, "another result"},
        {LAB(COMPONENT("ui", "\"" A "\"", "\"" A "\"", "differs")), 1, "another result"},
        {LAB(COMPONENT("ui", "null", "\"" B "\"", "matches")), 0, "another result"},
        {LAB(COMPONENT("ui", "\"" A "\"", "null", "matches")), 0, "another result"},
        {LAB(COMPONENT("ui", "\"" A "\"", "null", "shown")), 0, "another result"},
        {NOBODY(COMPONENT("ui", "\"" A "\"", "null", "matches")), 0, "another result"},
        {NOBODY(COMPONENT("ui", "\"" A "\"", "\"" A "\"", "matches")), 0, "a component comes to"},
        {NOBODY(COMPONENT("ui", "null", "\"" A "\"", "missing")), 1, "a component comes to"},
        {LAB(COMPONENT("ui", "7", "\"" A "\"", "missing")), 1, "a component comes to"},
        {LAB(COMPONENT("ui", "\"" A "\"", "7", "unapproved")), 1, "a component comes to"},
        {LAB("{\"name\":\"ui\",\"digest\":null,\"approved\":null}"), 1, "a component comes to"},
        {LAB("{\"digest\":null,\"approved\":null,\"result\":\"missing\"}"), 1,
         "a component comes to"},
        {LAB(COMPONENT("ui", "\"" A "\"", "\"" A "\"",
                       "matches") "," COMPONENT("ui", "\"" A "\"", "\"" A "\"", "matches")),
         0, "twice"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        CU_ASSERT(is_judged("authenticated", cases[i].details, cases[i].failed, cases[i].words));
}

TEST(a_telling_is_whole)
{
    static const struct {
        const char *event, *details, *words;
    } cases[] = {
        {"authenticated", LAB(""), ""},
        {"authenticated", TOLD ",\"by\":null,\"components\":[],\"left-out\":3" NOTE, ""},
        {"authenticated", TOLD ",\"by\":null,\"components\":[],\"left-out\":0" NOTE, "leaves out"},
        {"authenticated", TOLD ",\"by\":null,\"components\":[],\"left-out\":\"3\"" NOTE,
         "leaves out"},
        {"authenticated", TOLD ",\"by\":null,\"components\":{}" NOTE, "the device comes to"},
        {"authenticated", TOLD ",\"by\":null" NOTE, "the device comes to"},
        {"authenticated", TOLD ",\"components\":[]" NOTE, "the device comes to"},
        {"authenticated", TOLD ",\"by\":null,\"components\":[]}", "the device comes to"},
        {"authenticated", TOLD ",\"key-hex\":\"0a\",\"by\":null,\"components\":[]" NOTE,
         "the device comes to"},
        {"authenticated", HEAD ",\"version\":\"3.50\",\"by\":null,\"components\":[]" NOTE,
         "the device comes to"},
        {"authenticated", "{\"when\":\"now\"}", "when the device was asked"},
        {"authenticated", "{\"when\":\"end\",\"protocol\":\"GAT\"}", "how the device was asked"},
        {"authenticated", "[]", "when the device was asked"},
        {"not-authenticated", "{}", "when the device was asked"},
        {"not-authenticated", HEAD "}", "told nothing of its software"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        CU_ASSERT(is_judged(cases[i].event, cases[i].details, 0, cases[i].words));
}

#define WRONG                                                                                      \
    LAB(COMPONENT("ui", "\"" A "\"", "\"" B "\"",                                                  \
                  "differs") "," COMPONENT("nxp", "null", "\"" B "\"", "missing"))

TEST(each_component_that_is_not_as_approved_has_failed_a_check)
{
    CU_ASSERT(is_judged("authenticated", WRONG, 2, ""));
    CU_ASSERT(is_judged("authenticated", WRONG, 3, ""));
    CU_ASSERT(is_judged("authenticated", WRONG, 1, "no check of it has failed"));
    CU_ASSERT(is_judged("authenticated", WRONG, 0, "no check of it has failed"));
    CU_ASSERT(is_judged("not-authenticated", HEAD ",\"why\":\"silent\"}", 1, ""));
    CU_ASSERT(is_judged("not-authenticated", HEAD ",\"why\":\"silent\"}", 0,
                        "no check of it has failed"));
}

/* A failed check of another device before it does not stand for it. */
TEST(a_check_that_failed_before_is_not_the_one_that_is_due)
{
    struct journal_verified verified;
    char path[SCRATCH_PATH_SIZE];
    struct forgery forgery;
    struct error error;
    size_t told;

    scratch_path(path);
    write_run(path, "not-authenticated", HEAD ",\"why\":\"silent\"}", 1, VERDICT_FAIL);
    forgery = forge_read(path);
    told = forge_find(&forgery, "not-authenticated", 1);
    forge_splice(&forgery, told, &forgery, told + 1, 1);
    forge_remove(&forgery, told + 2, 1);
    forge_write(&forgery, path);
    forge_free(&forgery);
    CU_ASSERT_EQUAL(journal_verify(path, &(struct journal_verify){0}, &verified, &error),
                    ERROR_RULE);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "no check of it has failed"));
    unlink(path);
}

TEST(a_run_that_the_bench_has_ended_owes_no_checks)
{
    struct journal_verified verified;
    char path[SCRATCH_PATH_SIZE];

    scratch_path(path);
    write_run(path, "not-authenticated", HEAD ",\"why\":\"no permission\"}", 0, VERDICT_RIG);
    CU_ASSERT_EQUAL(journal_verify(path, &(struct journal_verify){0}, &verified, NULL), 0);
    unlink(path);
}
