/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What devices say in a round is in the journal of the run, with its time and in its order. */
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/process.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

#define FOLDER "fixtures/chase-the-flush/"
#define CODE   "90817263"

/* A rig with all devices; the options are of the shuffler's model. */
static void write_rig(char path[SCRATCH_PATH_SIZE], const char *options)
{
    char text[1024];
    int length = snprintf(text, sizeof text,
                          "rig: test\nclock: virtual\nseats: 7\ndevices:\n"
                          "  shuffler: {driver: open, address: \"emu:shuffler%s\"}\n"
                          "  shoe: {driver: open, address: \"emu:shoe?draw=700\"}\n"
                          "  terminal: {driver: open, address: \"emu:terminal?code=" CODE
                          "\", code: \"" CODE "\", admin: "
                          "\"86420\"}\norder: load\n",
                          options);

    scratch_path(path);
    scratch_write(path, text, (size_t)length);
}

/* The journal of one recording on such a rig. */
static char *journal_of(const char *options, const char *recording)
{
    char rig[SCRATCH_PATH_SIZE], path[SCRATCH_PATH_SIZE], *text;
    const char *const arguments[] = {"run", "--rig", rig, "--journal", path, recording, NULL};
    struct process_result result;
    size_t length;

    write_rig(rig, options);
    scratch_path(path);
    result = process_run(arguments, process_input("", 0));
    process_free(&result);
    text = scratch_read(path, &length);
    unlink(path);
    unlink(rig);
    return text;
}

/* "device event" of each event of the first round, one after the other, with a device's details. */
static char *events_of(char *journal, const char *device)
{
    char *said = NULL, *rest = NULL;
    size_t length;
    FILE *out = open_memstream(&said, &length);

    for (char *line = strtok_r(journal, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        json_t *fields = json_loads(line, 0, NULL);
        const char *kind = json_string_value(json_object_get(fields, "kind"));
        const char *from = json_string_value(json_object_get(fields, "device"));
        json_t *details = json_object_get(fields, "details");

        if (!strcmp(kind, "event") && !strcmp(from, device)) {
            char *text = json_dumps(details, JSON_COMPACT | JSON_ENCODE_ANY);

            fprintf(out, "%s%s%s;", json_string_value(json_object_get(fields, "event")),
                    text ? " " : "", text ? text : "");
            free(text);
        }
        if (!strcmp(kind, "verdict"))
            rest = "";
        json_decref(fields);
    }
    fclose(out);
    return said;
}

static bool says(const char *options, const char *recording, const char *device, const char *words)
{
    char *journal = journal_of(options, recording);
    char *said = events_of(journal, device);
    bool is_there = strstr(said, words) != NULL;

    if (!is_there)
        fprintf(stderr, "'%s' is not in: %s\n", words, said);
    free(said);
    free(journal);
    return is_there;
}

TEST(the_way_of_a_jackpot_is_told_screen_by_screen)
{
    static const char way[] =
        "meters {\"star\":\"10000.000000\",\"spade\":\"2500.000000\",\"heart\":\"1000.000000\","
        "\"diamond\":\"500.000000\"};"
        "key \"start-round\";lights [1,2];screen {\"state\":\"open\"};"
        "screen {\"state\":\"choose\",\"seat\":1};"
        "screen {\"state\":\"pending\",\"seat\":1,\"hand\":\"4-card straight flush\"};"
        "screen {\"state\":\"confirm\",\"seat\":1,\"hand\":\"4-card straight flush\"};"
        "screen {\"state\":\"code-entry\",\"seat\":1,\"hand\":\"4-card straight flush\"};"
        "screen {\"state\":\"code-entry\",\"seat\":1,\"hand\":\"4-card straight flush\","
        "\"wrong-codes\":1};refused {\"key\":\"code\",\"why\":\"the code is wrong\"};"
        "screen {\"state\":\"amount\",\"seat\":1,\"hand\":\"4-card straight flush\","
        "\"cents\":15000,\"wrong-codes\":1};"
        "jackpot-paid {\"seat\":1,\"hand\":\"4-card straight flush\",\"pays\":15000};"
        "sign {\"seat\":1,\"pays\":15000};"
        "screen {\"state\":\"signed\",\"seat\":1,\"hand\":\"4-card straight flush\","
        "\"cents\":15000,\"wrong-codes\":1};sign {};screen {\"state\":\"open\"};key \"end-round\";"
        "meters {\"star\":\"10000.200000\",\"spade\":\"2500.500000\",\"heart\":\"1000.500000\","
        "\"diamond\":\"500.500000\"};lights [];screen {\"state\":\"idle\"};";

    CU_ASSERT(says("", FOLDER "ace-is-low-and-high-in-straight-flushes.shoe", "terminal", way));
}

TEST(a_shuffler_is_told_from_its_test_mode_to_the_last_packet_taken)
{
    CU_ASSERT(says("", FOLDER "ace-is-low-and-high-in-straight-flushes.shoe", "shuffler",
                   "test-mode true;shuffled {\"shuffle\":1,\"loaded\":true};"
                   "packet-present {\"packet\":1,\"cards\":\"Ac 4c 9d\"};packet-taken 1;"
                   "packet-present {\"packet\":2,\"cards\":\"5c 6c Kh\"};packet-taken 2;"
                   "packet-present {\"packet\":3,\"cards\":\"Js Jh 7d\"};packet-taken 3;"
                   "packet-present {\"packet\":4,\"cards\":\"2c 3c Ts Qd\"};packet-taken 4;"));
}

TEST(a_fault_and_its_clearing_are_told)
{
    static const char shoe[] = FOLDER "ace-is-low-and-high-in-straight-flushes.shoe";

    CU_ASSERT(says("?fault=jam@packet:2", shoe, "shuffler", "packet-taken 1;fault \"jam"));
    CU_ASSERT(says("?fault=jam@packet:2", shoe, "shuffler", ";cleared \"jam"));
}

TEST(cards_of_a_shoe_are_told_one_by_one)
{
    CU_ASSERT(says("", FOLDER "card-by-card-from-a-shoe.shoe", "shoe",
                   "test-mode true;stand-by;locked false;card \"Ad\";card \"2c\";"));
}

TEST(wagers_of_many_seats_are_one_line_of_the_sensors)
{
    char path[SCRATCH_PATH_SIZE], *text, *said;
    const char *const arguments[] = {"run", "--journal", path,
                                     FOLDER "ace-is-low-and-high-in-straight-flushes.shoe", NULL};
    struct process_result result;
    size_t length;

    scratch_path(path);
    result = process_run(arguments, process_input("", 0));
    process_free(&result);
    text = scratch_read(path, &length);
    unlink(path);
    said = events_of(text, "sensors");
    CU_ASSERT_STRING_EQUAL(said, "wager placed [1,2];wager lifted while locked [1,2];");
    free(said);
    free(text);
}

/* The address of an emulated terminal has it here; nothing that comes after may. */
TEST(the_code_is_entered_and_never_written)
{
    char *journal = journal_of("", FOLDER "ace-is-low-and-high-in-straight-flushes.shoe");
    char *played = strstr(journal, "\"kind\":\"recording\"");

    CU_ASSERT_PTR_NOT_NULL_FATAL(played);
    CU_ASSERT_PTR_NOT_NULL(strstr(played, "jackpot-paid"));
    CU_ASSERT_PTR_NULL(strstr(played, "\"" CODE));
    CU_ASSERT_PTR_NULL(strstr(played, ":" CODE));
    free(journal);
}

TEST(who_was_put_into_test_mode_is_reported_so)
{
    char path[SCRATCH_PATH_SIZE];
    const char *const arguments[] = {"run", "--journal", path,
                                     FOLDER "ace-is-low-and-high-in-straight-flushes.shoe", NULL};
    const char *const report[] = {"report", path, NULL};
    struct process_result result;

    scratch_path(path);
    result = process_run(arguments, process_input("", 0));
    process_free(&result);
    result = process_run(report, process_input("", 0));
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "digest 46cacc820492..., in TEST MODE\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "digest 4699c0605e69...\n"));
    process_free(&result);
    unlink(path);
}
