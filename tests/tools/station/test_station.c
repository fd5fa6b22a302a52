/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dealproof station, by the program itself and over its sockets. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/process.h"
#include "tests/support/resident.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

#define RUSH "fixtures/flush-rush/last-seat-alone.shoe"

#define SEVERAL "fixtures/flush-rush/ace-is-low-in-a-wheel.shoe" /* rounds */

#define LONG_RUN                                                                                   \
    "{\"do\":\"start\",\"command\":\"observe\",\"game\":\"flush-rush\",\"rounds\":1000000000}"

TEST(runs_are_started_one_after_the_other_and_announced)
{
    struct http_client client, idle;
    struct resident bench;

    resident_set_up(&bench);
    resident_ask(&bench, &idle, "GET /events", NULL);
    CU_ASSERT_PTR_NOT_NULL(http_client_await(&idle, "\r\n\r\nevent: status\n"));
    resident_exchange(&bench, "GET /status", NULL);
    CU_ASSERT(resident_has(&bench, "\"command\":\"station\",\"state\":\"idle\"}"));
    CU_ASSERT_EQUAL(resident_order(&bench,
                                   "{\"do\":\"start\",\"command\":\"run\",\"recordings\":[\"" RUSH
                                   "\"],\"seed\":\"18446744073709551615\",\"by\":\"Ann\"}"),
                    200);
    CU_ASSERT_STRING_EQUAL(bench.body, "{\"run\":1}");
    CU_ASSERT_PTR_NOT_NULL(http_client_await(&idle, "event: next\ndata: {\"run\":1}\n\n"));
    http_client_close(&idle);
    resident_await_answer(&bench, "GET /status", "\"state\":\"ended\"");
    resident_ask(&bench, &client, "GET /events?run=1", NULL);
    CU_ASSERT_PTR_NOT_NULL(http_client_await(&client, "\nevent: end\n"));
    CU_ASSERT_EQUAL(
        resident_order(&bench, "{\"do\":\"start\",\"command\":\"record\",\"game\":\"flush-rush\","
                               "\"play\":\"random\",\"rounds\":5,\"seed\":\"7\"}"),
        200);
    CU_ASSERT_PTR_NOT_NULL(http_client_await(&client, "event: next\ndata: {\"run\":2}\n\n"));
    http_client_close(&client);
    resident_await_answer(&bench, "GET /status", "\"state\":\"ended\",\"run\":2");
    resident_exchange(&bench, "GET /runs", NULL);
    CU_ASSERT_STRING_EQUAL(bench.body,
                           "{\"runs\":[{\"run\":2,\"command\":\"record\",\"started\":null,"
                           "\"verdict\":\"pass\",\"rounds\":5,\"failed\":0},{\"run\":1,"
                           "\"command\":\"run\",\"started\":null,\"verdict\":\"pass\","
                           "\"rounds\":1,\"failed\":0}]}");
    resident_exchange(&bench, "GET /recordings", NULL);
    CU_ASSERT(resident_has(&bench,
                           "{\"path\":\"" RUSH "\",\"game\":\"flush-rush\",\"note\":\"seat 7 plays "
                           "by itself\",\"rounds\":1,\"last\":\"pass\"}"));
    CU_ASSERT(resident_has(&bench, "\"last\":null"));
    CU_ASSERT(resident_has(&bench, "/2/recorded.shoe\",\"game\":\"flush-rush\""));
    CU_ASSERT(resident_has(&bench, "],\"games\":[\"chase-the-flush\",\"flush-rush\""));
    resident_tear_down(&bench);
}

TEST(the_status_has_the_rounds_of_the_current_run)
{
    struct resident bench;

    resident_set_up(&bench);
    CU_ASSERT_EQUAL(resident_order(&bench, LONG_RUN), 200);
    resident_await_answer(&bench, "GET /status", "\"total\":1000000000,\"ends-ms\":");
    CU_ASSERT_EQUAL(resident_order(&bench, "{\"do\":\"pause\"}"), 200);
    resident_exchange(&bench, "GET /status", NULL);
    CU_ASSERT(!resident_has(&bench, "ends-ms"));
    CU_ASSERT_EQUAL(resident_order(&bench, "{\"do\":\"stop\"}"), 200);
    resident_await_answer(&bench, "GET /status", "\"state\":\"ended\"");
    CU_ASSERT(resident_has(&bench, "\"total\":1000000000}"));
    CU_ASSERT_EQUAL(resident_order(&bench,
                                   "{\"do\":\"start\",\"command\":\"run\",\"recordings\":[\"" RUSH
                                   "\"]}"),
                    200);
    resident_await_answer(&bench, "GET /status", "\"rounds\":1,\"total\":1}");
    resident_tear_down(&bench);
}

TEST(the_status_has_what_the_current_run_waits_for)
{
    static const char slow[] = "rig: bench\nclock: real\nseats: 7\ndevices:\n"
                               "  shuffler: {address: 'emu:shuffler?shuffle=3600000'}\n"
                               "order: load\ntiming: {shuffle: 3600000}\n";
    struct resident bench;

    resident_set_up(&bench);
    scratch_write(bench.rig, slow, sizeof slow - 1);
    CU_ASSERT_EQUAL(resident_order(&bench,
                                   "{\"do\":\"start\",\"command\":\"run\",\"recordings\":[\"" RUSH
                                   "\"]}"),
                    200);
    resident_await_answer(&bench, "GET /status",
                          "\"total\":1,\"wait\":{\"for\":\"shuffled\",\"device\":\"shuffler\","
                          "\"since-ms\":");
    CU_ASSERT(resident_has(&bench, ",\"limit-ms\":3960000}"));
    CU_ASSERT_EQUAL(resident_order(&bench, "{\"do\":\"stop-now\"}"), 200);
    resident_await_answer(&bench, "GET /status", "\"state\":\"ended\"");
    CU_ASSERT(!resident_has(&bench, "\"wait\""));
    resident_tear_down(&bench);
}

TEST(a_report_of_each_run_is_served_and_of_no_other)
{
    struct resident bench;

    resident_set_up(&bench);
    CU_ASSERT_EQUAL(resident_order(&bench, "{\"do\":\"start\",\"command\":\"run\",\"recordings\":"
                                           "[\"fixtures/flush-rush\"]}"),
                    200);
    resident_await_answer(&bench, "GET /status", "\"state\":\"ended\"");
    CU_ASSERT_EQUAL(resident_exchange(&bench, "GET /runs/1/report", NULL), 200);
    CU_ASSERT(resident_has(&bench, "<!DOCTYPE html>"));
    CU_ASSERT_EQUAL(resident_exchange(&bench, "GET /runs/2/report", NULL), 404);
    CU_ASSERT_EQUAL(resident_exchange(&bench, "GET /runs/0/report", NULL), 404);
    CU_ASSERT_EQUAL(resident_exchange(&bench, "GET /runs/1/run.journal", NULL), 404);
    CU_ASSERT_EQUAL(resident_exchange(&bench, "GET /runs/1/../1/report", NULL), 404);
    CU_ASSERT_EQUAL(resident_exchange(&bench, "GET /runs/x", NULL), 404);
    CU_ASSERT_EQUAL(resident_exchange(&bench, "GET /events?run=2", NULL), 404);
    CU_ASSERT_EQUAL(resident_exchange(&bench, "GET /events?run=4294967295", NULL), 404);
    resident_tear_down(&bench);
}

/* Leaves of a journal what it had when its first round was over. */
static void cut_after_first_round(const char *path)
{
    size_t length;
    char *text = scratch_read(path, &length);
    char *verdict = text ? strstr(text, "\"kind\":\"verdict\"") : NULL;

    CU_ASSERT_PTR_NOT_NULL_FATAL(verdict);
    CU_ASSERT_EQUAL(truncate(path, strchr(verdict, '\n') + 1 - text), 0);
    free(text);
}

TEST(a_report_has_no_digest_of_rounds_that_are_still_to_come)
{
    char path[2 * SCRATCH_PATH_SIZE];
    struct resident bench;

    resident_set_up(&bench);
    CU_ASSERT_EQUAL(resident_order(&bench, "{\"do\":\"start\",\"command\":\"run\",\"recordings\":"
                                           "[\"" SEVERAL "\"]}"),
                    200);
    resident_await_answer(&bench, "GET /status", "\"state\":\"ended\"");
    CU_ASSERT_EQUAL(resident_exchange(&bench, "GET /runs/1/report", NULL), 200);
    CU_ASSERT(resident_has(&bench, "<small>SHA-256 <code>"));
    CU_ASSERT(!resident_has(&bench, "told when the recording is over"));
    snprintf(path, sizeof path, "%s/1/run.journal", bench.runs);
    cut_after_first_round(path);
    CU_ASSERT_EQUAL(resident_exchange(&bench, "GET /runs/1/report", NULL), 200);
    CU_ASSERT(!resident_has(&bench, "<small>SHA-256 <code>"));
    CU_ASSERT(resident_has(&bench, "told when the recording is over"));
    resident_tear_down(&bench);
}

TEST(what_is_played_excludes_what_else_would_use_the_bench)
{
    static const char *const orders[] = {LONG_RUN, "{\"do\":\"reset\"}", "{\"do\":\"doctor\"}"};
    struct resident bench;

    resident_set_up(&bench);
    CU_ASSERT_EQUAL(resident_order(&bench, "{\"do\":\"stop\"}"), 409);
    CU_ASSERT_EQUAL(resident_order(&bench, "{\"do\":\"pause\"}"), 409);
    CU_ASSERT_EQUAL(resident_order(&bench, LONG_RUN), 200);
    CU_ASSERT_EQUAL(resident_order(&bench, "{\"do\":\"pause\"}"), 200);
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++)
        CU_ASSERT_EQUAL(resident_order(&bench, orders[i]), 409);
    resident_exchange(&bench, "GET /status", NULL);
    CU_ASSERT(resident_has(&bench, "\"state\":\"paused\""));
    resident_exchange(&bench, "GET /runs", NULL);
    CU_ASSERT(resident_has(
        &bench, "{\"run\":1,\"command\":\"observe\",\"started\":null,\"verdict\":null,"));
    CU_ASSERT_EQUAL(resident_order(&bench, "{\"do\":\"continue\"}"), 200);
    CU_ASSERT_EQUAL(resident_order(&bench, "{\"do\":\"pause\"}"), 200);
    CU_ASSERT_EQUAL(resident_order(&bench, "{\"do\":\"stop\"}"), 200);
    CU_ASSERT_EQUAL(resident_order(&bench, "{\"do\":\"stop-now\"}"), 200);
    resident_await_answer(&bench, "GET /status", "\"state\":\"ended\"");
    resident_await_answer(&bench, "GET /runs", "\"verdict\":\"aborted\"");
    resident_tear_down(&bench);
}

TEST(a_start_with_a_wrong_field_is_refused_with_a_sentence)
{
    static const struct {
        unsigned status;
        const char *fields, *words;
    } cases[] = {
        {400, "", "command"},
        {422, ",\"command\":\"audit\"", "'audit'"},
        {400, ",\"command\":7", "command"},
        {400, ",\"command\":\"run\"", "recordings"},
        {400, ",\"command\":\"run\",\"recordings\":\"" RUSH "\"", "recordings"},
        {422, ",\"command\":\"run\",\"recordings\":[]", "recordings"},
        {400, ",\"command\":\"run\",\"recordings\":[7]", "recording"},
        {422, ",\"command\":\"run\",\"recordings\":[\"/etc/passwd\"]", "/etc/passwd"},
        {422, ",\"command\":\"run\",\"recordings\":[\"\"]", "no recording"},
        {422, ",\"command\":\"run\",\"recordings\":[\"--jobs\"]", "--jobs"},
        {422, ",\"command\":\"run\",\"recordings\":[\"fixtures/flush\"]", "fixtures/flush"},
        {400, ",\"command\":\"run\",\"recordings\":[\"" RUSH "\"],\"repeat\":0", "repeat"},
        {400, ",\"command\":\"run\",\"recordings\":[\"" RUSH "\"],\"jobs\":2", "jobs"},
        {400, ",\"command\":\"run\",\"recordings\":[\"" RUSH "\"],\"game\":\"stax\"", "game"},
        {400, ",\"command\":\"run\",\"recordings\":[\"" RUSH "\"],\"seed\":7", "seed"},
        {422, ",\"command\":\"run\",\"recordings\":[\"" RUSH "\"],\"seed\":\"-1\"", "seed"},
        {422,
         ",\"command\":\"run\",\"recordings\":[\"" RUSH "\"],\"seed\":\"18446744073709551616\"",
         "seed"},
        {400, ",\"command\":\"run\",\"recordings\":[\"" RUSH "\"],\"by\":7", "by"},
        {400, ",\"command\":\"observe\",\"rounds\":5", "game"},
        {422, ",\"command\":\"observe\",\"game\":\"snap\",\"rounds\":5", "'snap'"},
        {422, ",\"command\":\"observe\",\"game\":\"flush-rush\",\"play\":\"wild\",\"rounds\":5",
         "'wild'"},
        {422, ",\"command\":\"observe\",\"game\":\"flush-rush\"", "rounds"},
        {400, ",\"command\":\"observe\",\"game\":\"flush-rush\",\"rounds\":\"5\"", "rounds"},
        {400, ",\"command\":\"record\",\"game\":\"flush-rush\",\"rounds\":5,\"output\":\"x.shoe\"",
         "output"},
    };
    char body[1024];
    struct resident bench;

    resident_set_up(&bench);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        snprintf(body, sizeof body, "{\"do\":\"start\"%s}", cases[i].fields);
        CU_ASSERT_EQUAL(resident_order(&bench, body), cases[i].status);
        CU_ASSERT(resident_has(&bench, "{\"why\":\""));
        CU_ASSERT(resident_has(&bench, cases[i].words));
    }
    CU_ASSERT_EQUAL(resident_order(&bench, "{\"do\":\"dance\"}"), 422);
    CU_ASSERT_EQUAL(resident_order(&bench, "{\"do\":\"reset\",\"now\":true}"), 400);
    resident_exchange(&bench, "GET /runs", NULL);
    CU_ASSERT_STRING_EQUAL(bench.body, "{\"runs\":[]}");
    resident_tear_down(&bench);
}

TEST(the_bench_is_examined_and_reset)
{
    struct resident bench;

    resident_set_up(&bench);
    CU_ASSERT_EQUAL(resident_order(&bench, "{\"do\":\"doctor\"}"), 200);
    CU_ASSERT(resident_has(&bench, "{\"doctor\":[{\"what\":\""));
    CU_ASSERT(resident_has(&bench, "\"ok\":true"));
    /* Where all is well there is nothing to say. */
    CU_ASSERT(!resident_has(&bench, "\"ok\":true,\"why\""));
    CU_ASSERT_EQUAL(resident_order(&bench, "{\"do\":\"reset\"}"), 200);
    resident_await_answer(&bench, "GET /status",
                          "\"said\":\"shuffler: idle; nothing had to be done; ");
    resident_tear_down(&bench);
}

TEST(the_operator_goes_into_the_journal_of_each_run)
{
    struct http_client client;
    struct resident bench;

    resident_set_up(&bench);
    CU_ASSERT_EQUAL(resident_order(&bench, "{\"do\":\"operator\"}"), 422);
    CU_ASSERT_EQUAL(resident_order(&bench, "{\"do\":\"operator\",\"by\":\"Ann\"}"), 200);
    resident_exchange(&bench, "GET /status", NULL);
    CU_ASSERT(resident_has(&bench, "\"operator\":\"Ann\""));
    CU_ASSERT_EQUAL(resident_order(&bench, LONG_RUN), 200);
    CU_ASSERT_EQUAL(resident_order(&bench, "{\"do\":\"operator\",\"by\":\"Bob\"}"), 200);
    CU_ASSERT_EQUAL(resident_order(&bench, "{\"do\":\"stop\"}"), 200);
    resident_await_answer(&bench, "GET /status", "\"state\":\"ended\"");
    CU_ASSERT_EQUAL(resident_order(&bench,
                                   "{\"do\":\"start\",\"command\":\"run\",\"recordings\":[\"" RUSH
                                   "\"]}"),
                    200);
    resident_await_answer(&bench, "GET /status",
                          "\"state\":\"ended\",\"operator\":\"Bob\",\"run\":2");
    resident_ask(&bench, &client, "GET /events", NULL);
    CU_ASSERT_PTR_NOT_NULL(
        http_client_await(&client, "\"kind\":\"operator\",\"name\":\"Bob\",\"from\":\"page\"}"));
    http_client_close(&client);
    resident_tear_down(&bench);
}

TEST(a_station_that_was_killed_is_started_again_and_lists_what_was_played)
{
    struct resident bench;

    resident_set_up(&bench);
    CU_ASSERT_EQUAL(resident_order(&bench,
                                   "{\"do\":\"start\",\"command\":\"run\",\"recordings\":[\"" RUSH
                                   "\"]}"),
                    200);
    resident_await_answer(&bench, "GET /runs", "\"verdict\":\"pass\"");
    CU_ASSERT_EQUAL(resident_order(&bench, LONG_RUN), 200);
    resident_await_answer(&bench, "GET /status", "\"run\":2");
    kill(bench.pid, SIGKILL);
    CU_ASSERT_EQUAL(process_wait_soon(bench.pid), 128 + SIGKILL);
    /* What it played stops by itself, and writes its end. */
    resident_start(&bench);
    resident_exchange(&bench, "GET /runs", NULL);
    CU_ASSERT(resident_has(&bench, "{\"run\":1,\"command\":\"run\",\"started\":null,\"verdict\":"
                                   "\"pass\",\"rounds\":1,\"failed\":0}]}"));
    resident_await_answer(&bench, "GET /runs",
                          "\"run\":2,\"command\":\"observe\",\"started\":null,\"verdict\":"
                          "\"aborted\"");
    resident_await_answer(&bench, "GET /status", "\"state\":\"idle\",\"run\":2");
    CU_ASSERT_EQUAL(resident_order(&bench, LONG_RUN), 200);
    CU_ASSERT_STRING_EQUAL(bench.body, "{\"run\":3}");
    resident_tear_down(&bench);
}

TEST(what_a_killed_station_has_started_has_the_bench_until_it_has_ended)
{
    static const char slow[] = "rig: bench\nclock: real\nseats: 7\ndevices:\n"
                               "  shuffler: {address: 'emu:shuffler?shuffle=3600000'}\n"
                               "order: load\ntiming: {shuffle: 3600000}\n";
    static const char *const orders[] = {LONG_RUN, "{\"do\":\"reset\"}", "{\"do\":\"doctor\"}",
                                         "{\"do\":\"pause\"}"};
    const char *found;
    struct resident bench;
    pid_t pid;

    resident_set_up_on(&bench, slow);
    CU_ASSERT_EQUAL(resident_order(&bench,
                                   "{\"do\":\"start\",\"command\":\"run\",\"recordings\":[\"" RUSH
                                   "\"]}"),
                    200);
    resident_await_answer(&bench, "GET /status", "\"wait\":{\"for\":\"shuffled\"");
    kill(bench.pid, SIGKILL);
    CU_ASSERT_EQUAL(process_wait_soon(bench.pid), 128 + SIGKILL);
    resident_start(&bench);
    resident_exchange(&bench, "GET /status", NULL);
    CU_ASSERT(resident_has(&bench, "\"state\":\"stopping\",\"run\":1"));
    resident_exchange(&bench, "GET /runs", NULL);
    CU_ASSERT(resident_has(&bench, "\"verdict\":null"));
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++)
        CU_ASSERT_EQUAL(resident_order(&bench, orders[i]), 409);
    found = strstr(bench.body, "still uses the bench, as process ");
    CU_ASSERT_PTR_NOT_NULL_FATAL(found);
    pid = (pid_t)strtol(found + strlen("still uses the bench, as process "), NULL, 10);
    CU_ASSERT_FATAL(pid > 1);
    /* It would wait for an hour; interrupted again, it writes its end at once. */
    do {
        kill(pid, SIGINT);
        usleep(10000);
        resident_exchange(&bench, "GET /status", NULL);
    } while (resident_has(&bench, "\"state\":\"stopping\""));
    CU_ASSERT(resident_has(&bench, "\"state\":\"idle\""));
    resident_exchange(&bench, "GET /runs", NULL);
    CU_ASSERT(resident_has(&bench, "\"verdict\":\"aborted\""));
    resident_tear_down(&bench);
}

/* What is not asked for is not read: a station of years is there at once. */
TEST(a_journal_is_read_when_the_runs_are_listed_and_not_before)
{
    char folder[SCRATCH_PATH_SIZE + 8], journal[SCRATCH_PATH_SIZE + 32];
    struct process_result result;
    struct resident bench;

    resident_set_up(&bench);
    kill(bench.pid, SIGTERM);
    CU_ASSERT_EQUAL(process_wait_soon(bench.pid), 0);
    snprintf(folder, sizeof folder, "%s/7", bench.runs);
    CU_ASSERT_EQUAL(mkdir(folder, 0777), 0);
    resident_start(&bench);
    snprintf(journal, sizeof journal, "%s/run.journal", folder);
    result = process_run((const char *const[]){"run", "--quiet", "--journal", journal, RUSH, NULL},
                         process_input("", 0));
    CU_ASSERT_EQUAL(result.status, 0);
    process_free(&result);
    resident_exchange(&bench, "GET /recordings", NULL);
    CU_ASSERT(resident_has(&bench, "\"path\":\"" RUSH "\",\"game\":\"flush-rush\",\"note\":"));
    CU_ASSERT(resident_has(&bench, "\"last\":\"pass\"}"));
    resident_exchange(&bench, "GET /runs", NULL);
    CU_ASSERT_STRING_EQUAL(bench.body, "{\"runs\":[{\"run\":7,\"command\":\"run\",\"started\":null,"
                                       "\"verdict\":\"pass\",\"rounds\":1,\"failed\":0}]}");
    CU_ASSERT_EQUAL(resident_order(&bench, LONG_RUN), 200);
    CU_ASSERT_STRING_EQUAL(bench.body, "{\"run\":8}");
    resident_tear_down(&bench);
}

TEST(a_run_that_cannot_begin_says_why)
{
    struct resident bench;

    resident_set_up(&bench);
    scratch_write(bench.rig, "rig: [", 6);
    CU_ASSERT_EQUAL(resident_order(&bench, LONG_RUN), 200);
    resident_await_answer(&bench, "GET /status", "\"said\":\"dealproof observe: ");
    resident_tear_down(&bench);
}

static void expect_refused(const char *const *arguments, int status, const char *words)
{
    struct process_result result = process_run(arguments, process_input("", 0));

    CU_ASSERT_EQUAL(result.status, status);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.err, words));
    CU_ASSERT_STRING_EQUAL(result.out, "");
    process_free(&result);
}

#define REFUSED(words, ...)                                                                        \
    expect_refused((const char *const[]){"station", __VA_ARGS__, NULL}, 2, words)

TEST(what_a_station_cannot_be_started_with_is_told)
{
    const char *port;
    char taken[32], runs[SCRATCH_PATH_SIZE];
    struct resident bench;

    resident_set_up(&bench);
    scratch_path(runs);
    port = strrchr(bench.address, ':') + 1;
    snprintf(taken, sizeof taken, "%.*s", (int)strcspn(port, "/"), port);
    REFUSED("in use", "--rig", bench.rig, "--runs", runs, "--listen", taken);
    REFUSED("--token-file", "--rig", bench.rig, "--runs", runs, "--listen", "0.0.0.0:0");
    REFUSED("/nowhere", "--rig", bench.rig, "--runs", runs, "--token-file", "/nowhere", "--listen",
            "0");
    REFUSED("--rig", "--runs", runs, "--listen", "0");
    REFUSED("/nowhere.yaml", "--rig", "/nowhere.yaml", "--runs", runs, "--listen", "0");
    REFUSED("/nowhere", "--rig", bench.rig, "--runs", runs, "--recordings", "/nowhere", "--listen",
            "0");
    expect_refused((const char *const[]){"station", "--rig", bench.rig, "--runs", "/dev/null",
                                         "--listen", "0", NULL},
                   4, "/dev/null");
    scratch_remove(runs);
    resident_tear_down(&bench);
}

TEST(a_folder_of_runs_has_one_station)
{
    struct resident bench;

    resident_set_up(&bench);
    REFUSED("another station keeps its runs there", "--rig", bench.rig, "--runs", bench.runs,
            "--listen", "0");
    resident_tear_down(&bench);
}

TEST(a_third_interrupt_ends_a_station_whatever_it_has_started_does)
{
    char lock[SCRATCH_PATH_SIZE + 16], *text;
    struct resident bench;
    int status = -1;
    size_t length;
    pid_t run;

    resident_set_up(&bench);
    CU_ASSERT_EQUAL(resident_order(&bench, LONG_RUN), 200);
    resident_await_answer(&bench, "GET /status", "\"run\":1");
    snprintf(lock, sizeof lock, "%s/.bench.lock", bench.runs);
    text = scratch_read(lock, &length);
    run = (pid_t)strtol(text, NULL, 10);
    free(text);
    CU_ASSERT_FATAL(run > 1 && !kill(run, SIGSTOP));
    /* Interrupts that come at once are one. */
    for (unsigned i = 0; i < 2000 && !waitpid(bench.pid, &status, WNOHANG); i++) {
        kill(bench.pid, SIGINT);
        usleep(10000);
    }
    CU_ASSERT_EQUAL(status, 0);
    resident_start(&bench);
    resident_tear_down(&bench);
}

TEST(who_has_ordered_what_is_in_the_journal)
{
    static const struct {
        const char *what, *by;
    } orders[] = {{"pause", "Carl"}, {"continue", "Dora"}, {"stop", "Eve"}, {"stop-now", "Eve"}};
    char path[SCRATCH_PATH_SIZE + 32], words[128], *text;
    struct process_result result;
    struct resident bench;
    size_t length;

    resident_set_up(&bench);
    CU_ASSERT_EQUAL(resident_order(&bench, "{\"do\":\"operator\",\"by\":\"Ann\"}"), 200);
    CU_ASSERT_EQUAL(resident_order(&bench, "{\"do\":\"start\",\"command\":\"record\",\"game\":"
                                           "\"flush-rush\",\"rounds\":1000000000,\"by\":\"Bob\"}"),
                    200);
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++) {
        snprintf(words, sizeof words, "{\"do\":\"%s\",\"by\":\"%s\"}", orders[i].what,
                 orders[i].by);
        CU_ASSERT_EQUAL(resident_order(&bench, words), 200);
    }
    resident_await_answer(&bench, "GET /status", "\"state\":\"ended\"");
    snprintf(path, sizeof path, "%s/1/run.journal", bench.runs);
    text = scratch_read(path, &length);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"operator\",\"name\":\"Ann\",\"from\":\"page\"}"));
    CU_ASSERT_PTR_NOT_NULL(
        strstr(text, "\"order\",\"do\":\"start\",\"by\":\"Bob\",\"from\":\"page\"}"));
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++) {
        snprintf(words, sizeof words, "\"order\",\"do\":\"%s\",\"by\":\"%s\",\"from\":\"page\"}",
                 orders[i].what, orders[i].by);
        CU_ASSERT_PTR_NOT_NULL(strstr(text, words));
    }
    free(text);
    result = process_run((const char *const[]){"verify", path, NULL}, process_input("", 0));
    CU_ASSERT_EQUAL(result.status, 0);
    process_free(&result);
    result =
        process_run((const char *const[]){"verify", "--replay", path, NULL}, process_input("", 0));
    CU_ASSERT_EQUAL(result.status, 0);
    process_free(&result);
    snprintf(path, sizeof path, "%s/1/recorded.shoe", bench.runs);
    if (!access(path, F_OK)) {
        text = scratch_read(path, &length);
        CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"by\":\"Ann\""));
        free(text);
    }
    resident_tear_down(&bench);
}

TEST(a_run_can_be_followed_as_soon_as_it_is_started)
{
    struct http_client client;
    struct resident bench;

    resident_set_up(&bench);
    CU_ASSERT_EQUAL(resident_exchange(&bench, "GET /events?run=0", NULL), 404);
    for (unsigned run = 1; run <= 3; run++) {
        char request[64];

        CU_ASSERT_EQUAL(
            resident_order(&bench,
                           "{\"do\":\"start\",\"command\":\"run\",\"recordings\":[\"" RUSH "\"]}"),
            200);
        snprintf(request, sizeof request, "GET /events?run=%u", run);
        resident_ask(&bench, &client, request, NULL);
        CU_ASSERT_PTR_NOT_NULL(http_client_await(&client, "\nevent: end\n"));
        CU_ASSERT_EQUAL(http_client_status(&client), 200);
        http_client_close(&client);
        resident_await_answer(&bench, "GET /status", "\"state\":\"ended\"");
    }
    resident_tear_down(&bench);
}

TEST(a_station_that_ends_starts_nothing_more)
{
    struct resident bench;

    resident_set_up_on(&bench, "rig: bench\nclock: real\nseats: 7\ndevices:\n"
                               "  shuffler: {address: 'emu:shuffler?shuffle=3600000'}\n"
                               "order: load\ntiming: {shuffle: 3600000}\n");
    CU_ASSERT_EQUAL(resident_order(&bench,
                                   "{\"do\":\"start\",\"command\":\"run\",\"recordings\":[\"" RUSH
                                   "\"]}"),
                    200);
    resident_await_answer(&bench, "GET /status", "\"wait\":{\"for\":\"shuffled\"");
    kill(bench.pid, SIGTERM);
    resident_await_answer(&bench, "GET /status", "\"state\":\"stopping\"");
    CU_ASSERT_EQUAL(resident_order(&bench, LONG_RUN), 503);
    resident_tear_down(&bench);
}
