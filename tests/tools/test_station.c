/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dealproof station, by the program itself and over its sockets. */
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/http_client.h"
#include "tests/support/process.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

#define RUSH "fixtures/flush-rush/last-seat-alone.shoe"

static const char rig_text[] =
    "rig: bench\nclock: virtual\nseats: 7\ndevices:\n"
    "  shuffler: {driver: open, address: emu:shuffler}\n"
    "  terminal: {driver: open, address: emu:terminal, code: \"4711\", admin: \"86420\"}\n"
    "order: load\n";

struct bench {
    pid_t pid;
    char address[128], rig[SCRATCH_PATH_SIZE], runs[SCRATCH_PATH_SIZE];
    char body[65536]; /* of the last answer */
};

/* Starts a station on files that are there, and waits until it is ready. */
static void start(struct bench *bench)
{
    const char *const arguments[] = {
        "station", "--rig",     bench->rig, "--listen", "0", "--recordings", "fixtures/flush-rush",
        "--runs",  bench->runs, NULL};
    int ends[2], nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    char line[160] = "";
    FILE *said;

    CU_ASSERT_FATAL(!pipe2(ends, O_CLOEXEC) && nothing >= 0);
    bench->pid = process_start(arguments, nothing, ends[1], STDERR_FILENO);
    close(ends[1]);
    close(nothing);
    said = fdopen(ends[0], "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(fgets(line, sizeof line, said));
    fclose(said);
    CU_ASSERT_EQUAL_FATAL(sscanf(line, "ready %127s", bench->address), 1);
}

static void set_up(struct bench *bench)
{
    scratch_path(bench->rig);
    scratch_path(bench->runs);
    scratch_write(bench->rig, rig_text, sizeof rig_text - 1);
    start(bench);
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *where)
{
    (void)status, (void)kind, (void)where;
    return remove(path);
}

static void tear_down(struct bench *bench)
{
    kill(bench->pid, SIGTERM);
    CU_ASSERT_EQUAL(process_wait_soon(bench->pid), 0);
    nftw(bench->runs, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    unlink(bench->rig);
}

static void ask(const struct bench *bench, struct http_client *client, const char *request,
                const char *body)
{
    const char *host = bench->address + strlen("http://");

    http_client_open(client, bench->address);
    http_client_say(client, "%s HTTP/1.0\r\nHost: %.*s\r\n", request, (int)strcspn(host, "/"),
                    host);
    if (body)
        http_client_say(client, "Content-Type: application/json\r\nContent-Length: %zu\r\n",
                        strlen(body));
    http_client_say(client, "\r\n%s", body ? body : "");
}

static unsigned exchange(struct bench *bench, const char *request, const char *body)
{
    struct http_client client;
    unsigned status;

    ask(bench, &client, request, body);
    http_client_read_all(&client);
    status = http_client_status(&client);
    snprintf(bench->body, sizeof bench->body, "%s", http_client_body(&client));
    http_client_close(&client);
    return status;
}

static unsigned order(struct bench *bench, const char *body)
{
    return exchange(bench, "POST /control", body);
}

/* Whether the last answer has these words. */
static bool has(const struct bench *bench, const char *words)
{
    return strstr(bench->body, words);
}

/* Asks until the answer has these words; a minute is enough for everything. */
static void await_answer(struct bench *bench, const char *request, const char *words)
{
    for (int i = 0; i < 6000; i++) {
        exchange(bench, request, NULL);
        if (has(bench, words))
            return;
        usleep(10000);
    }
    CU_FAIL_FATAL("it does not come");
}

#define LONG_RUN                                                                                   \
    "{\"do\":\"start\",\"command\":\"observe\",\"game\":\"flush-rush\",\"rounds\":1000000000}"

TEST(runs_are_started_one_after_the_other_and_announced)
{
    struct http_client client, idle;
    struct bench bench;

    set_up(&bench);
    ask(&bench, &idle, "GET /events", NULL);
    CU_ASSERT_PTR_NOT_NULL(http_client_await(&idle, "\r\n\r\nevent: status\n"));
    exchange(&bench, "GET /status", NULL);
    CU_ASSERT(has(&bench, "\"command\":\"station\",\"state\":\"idle\"}"));
    CU_ASSERT_EQUAL(order(&bench, "{\"do\":\"start\",\"command\":\"run\",\"recordings\":[\"" RUSH
                                  "\"],\"seed\":\"18446744073709551615\",\"by\":\"Ann\"}"),
                    200);
    CU_ASSERT_STRING_EQUAL(bench.body, "{\"run\":1}");
    CU_ASSERT_PTR_NOT_NULL(http_client_await(&idle, "event: next\ndata: {\"run\":1}\n\n"));
    http_client_close(&idle);
    await_answer(&bench, "GET /status", "\"state\":\"ended\"");
    ask(&bench, &client, "GET /events?run=1", NULL);
    CU_ASSERT_PTR_NOT_NULL(http_client_await(&client, "\nevent: end\n"));
    CU_ASSERT_EQUAL(order(&bench,
                          "{\"do\":\"start\",\"command\":\"record\",\"game\":\"flush-rush\","
                          "\"play\":\"random\",\"rounds\":5,\"seed\":\"7\"}"),
                    200);
    CU_ASSERT_PTR_NOT_NULL(http_client_await(&client, "event: next\ndata: {\"run\":2}\n\n"));
    http_client_close(&client);
    await_answer(&bench, "GET /status", "\"state\":\"ended\",\"run\":2");
    exchange(&bench, "GET /runs", NULL);
    CU_ASSERT_STRING_EQUAL(bench.body,
                           "{\"runs\":[{\"run\":2,\"command\":\"record\",\"started\":null,"
                           "\"verdict\":\"pass\",\"rounds\":5,\"failed\":0},{\"run\":1,"
                           "\"command\":\"run\",\"started\":null,\"verdict\":\"pass\","
                           "\"rounds\":1,\"failed\":0}]}");
    exchange(&bench, "GET /recordings", NULL);
    CU_ASSERT(has(&bench, "{\"path\":\"" RUSH "\",\"game\":\"flush-rush\",\"note\":\"seat 7 plays "
                          "by itself\",\"rounds\":1,\"last\":\"pass\"}"));
    CU_ASSERT(has(&bench, "\"last\":null"));
    CU_ASSERT(has(&bench, "/2/recorded.shoe\",\"game\":\"flush-rush\""));
    CU_ASSERT(has(&bench, "],\"games\":[\"chase-the-flush\",\"flush-rush\""));
    tear_down(&bench);
}

TEST(a_report_of_each_run_is_served_and_of_no_other)
{
    struct bench bench;

    set_up(&bench);
    CU_ASSERT_EQUAL(order(&bench, "{\"do\":\"start\",\"command\":\"run\",\"recordings\":"
                                  "[\"fixtures/flush-rush\"]}"),
                    200);
    await_answer(&bench, "GET /status", "\"state\":\"ended\"");
    CU_ASSERT_EQUAL(exchange(&bench, "GET /runs/1/report", NULL), 200);
    CU_ASSERT(has(&bench, "<!DOCTYPE html>"));
    CU_ASSERT_EQUAL(exchange(&bench, "GET /runs/2/report", NULL), 404);
    CU_ASSERT_EQUAL(exchange(&bench, "GET /runs/0/report", NULL), 404);
    CU_ASSERT_EQUAL(exchange(&bench, "GET /runs/1/run.journal", NULL), 404);
    CU_ASSERT_EQUAL(exchange(&bench, "GET /runs/1/../1/report", NULL), 404);
    CU_ASSERT_EQUAL(exchange(&bench, "GET /runs/x", NULL), 404);
    tear_down(&bench);
}

TEST(what_is_played_excludes_what_else_would_use_the_bench)
{
    static const char *const orders[] = {LONG_RUN, "{\"do\":\"reset\"}", "{\"do\":\"doctor\"}"};
    struct bench bench;

    set_up(&bench);
    CU_ASSERT_EQUAL(order(&bench, "{\"do\":\"stop\"}"), 409);
    CU_ASSERT_EQUAL(order(&bench, "{\"do\":\"pause\"}"), 409);
    CU_ASSERT_EQUAL(order(&bench, LONG_RUN), 200);
    CU_ASSERT_EQUAL(order(&bench, "{\"do\":\"pause\"}"), 200);
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++)
        CU_ASSERT_EQUAL(order(&bench, orders[i]), 409);
    exchange(&bench, "GET /status", NULL);
    CU_ASSERT(has(&bench, "\"state\":\"paused\""));
    CU_ASSERT_EQUAL(order(&bench, "{\"do\":\"continue\"}"), 200);
    CU_ASSERT_EQUAL(order(&bench, "{\"do\":\"pause\"}"), 200);
    CU_ASSERT_EQUAL(order(&bench, "{\"do\":\"stop\"}"), 200);
    CU_ASSERT_EQUAL(order(&bench, "{\"do\":\"stop-now\"}"), 200);
    await_answer(&bench, "GET /status", "\"state\":\"ended\"");
    await_answer(&bench, "GET /runs", "\"verdict\":\"aborted\"");
    tear_down(&bench);
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
    struct bench bench;

    set_up(&bench);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        snprintf(body, sizeof body, "{\"do\":\"start\"%s}", cases[i].fields);
        CU_ASSERT_EQUAL(order(&bench, body), cases[i].status);
        CU_ASSERT(has(&bench, "{\"why\":\""));
        CU_ASSERT(has(&bench, cases[i].words));
    }
    CU_ASSERT_EQUAL(order(&bench, "{\"do\":\"dance\"}"), 422);
    CU_ASSERT_EQUAL(order(&bench, "{\"do\":\"reset\",\"now\":true}"), 400);
    exchange(&bench, "GET /runs", NULL);
    CU_ASSERT_STRING_EQUAL(bench.body, "{\"runs\":[]}");
    tear_down(&bench);
}

TEST(the_bench_is_examined_and_reset)
{
    struct bench bench;

    set_up(&bench);
    CU_ASSERT_EQUAL(order(&bench, "{\"do\":\"doctor\"}"), 200);
    CU_ASSERT(has(&bench, "{\"doctor\":[{\"what\":\""));
    CU_ASSERT(has(&bench, "\"ok\":true"));
    CU_ASSERT_EQUAL(order(&bench, "{\"do\":\"reset\"}"), 200);
    await_answer(&bench, "GET /status", "\"said\":\"shuffler: idle; nothing had to be done;");
    tear_down(&bench);
}

TEST(the_operator_goes_into_the_journal_of_each_run)
{
    struct http_client client;
    struct bench bench;

    set_up(&bench);
    CU_ASSERT_EQUAL(order(&bench, "{\"do\":\"operator\"}"), 422);
    CU_ASSERT_EQUAL(order(&bench, "{\"do\":\"operator\",\"by\":\"Ann\"}"), 200);
    exchange(&bench, "GET /status", NULL);
    CU_ASSERT(has(&bench, "\"operator\":\"Ann\""));
    CU_ASSERT_EQUAL(order(&bench, LONG_RUN), 200);
    CU_ASSERT_EQUAL(order(&bench, "{\"do\":\"operator\",\"by\":\"Bob\"}"), 200);
    CU_ASSERT_EQUAL(order(&bench, "{\"do\":\"stop\"}"), 200);
    await_answer(&bench, "GET /status", "\"state\":\"ended\"");
    CU_ASSERT_EQUAL(
        order(&bench, "{\"do\":\"start\",\"command\":\"run\",\"recordings\":[\"" RUSH "\"]}"), 200);
    await_answer(&bench, "GET /status", "\"state\":\"ended\",\"operator\":\"Bob\",\"run\":2");
    ask(&bench, &client, "GET /events", NULL);
    CU_ASSERT_PTR_NOT_NULL(
        http_client_await(&client, "\"event\":\"operator\",\"details\":{\"name\":\"Bob\"}"));
    http_client_close(&client);
    tear_down(&bench);
}

TEST(a_station_that_was_killed_is_started_again_and_lists_what_was_played)
{
    struct bench bench;

    set_up(&bench);
    CU_ASSERT_EQUAL(
        order(&bench, "{\"do\":\"start\",\"command\":\"run\",\"recordings\":[\"" RUSH "\"]}"), 200);
    await_answer(&bench, "GET /runs", "\"verdict\":\"pass\"");
    CU_ASSERT_EQUAL(order(&bench, LONG_RUN), 200);
    await_answer(&bench, "GET /status", "\"run\":2");
    kill(bench.pid, SIGKILL);
    CU_ASSERT_EQUAL(process_wait_soon(bench.pid), 128 + SIGKILL);
    /* What it played stops by itself, and writes its end. */
    do {
        start(&bench);
        exchange(&bench, "GET /runs", NULL);
        CU_ASSERT(has(&bench, "{\"run\":1,\"command\":\"run\",\"started\":null,\"verdict\":"
                              "\"pass\",\"rounds\":1,\"failed\":0}]}"));
        if (!has(&bench, "\"run\":2,\"command\":\"observe\",\"started\":null,\"verdict\":null"))
            break;
        kill(bench.pid, SIGTERM);
        CU_ASSERT_EQUAL(process_wait_soon(bench.pid), 0);
    } while (true);
    CU_ASSERT(has(&bench, "\"run\":2,\"command\":\"observe\",\"started\":null,\"verdict\":"
                          "\"aborted\""));
    exchange(&bench, "GET /status", NULL);
    CU_ASSERT(has(&bench, "\"state\":\"idle\",\"run\":2"));
    CU_ASSERT_EQUAL(order(&bench, LONG_RUN), 200);
    CU_ASSERT_STRING_EQUAL(bench.body, "{\"run\":3}");
    tear_down(&bench);
}

TEST(a_run_that_cannot_begin_says_why)
{
    struct bench bench;

    set_up(&bench);
    scratch_write(bench.rig, "rig: [", 6);
    CU_ASSERT_EQUAL(order(&bench, LONG_RUN), 200);
    await_answer(&bench, "GET /status", "\"said\":\"dealproof observe: ");
    tear_down(&bench);
}

static void expect_refused(const char *const *arguments, const char *words)
{
    struct process_result result = process_run(arguments, process_input("", 0));

    CU_ASSERT_EQUAL(result.status, 2);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.err, words));
    CU_ASSERT_STRING_EQUAL(result.out, "");
    process_free(&result);
}

#define REFUSED(words, ...)                                                                        \
    expect_refused((const char *const[]){"station", __VA_ARGS__, NULL}, words)

TEST(what_a_station_cannot_be_started_with_is_told)
{
    const char *port;
    char taken[32];
    struct bench bench;

    set_up(&bench);
    port = strrchr(bench.address, ':') + 1;
    snprintf(taken, sizeof taken, "%.*s", (int)strcspn(port, "/"), port);
    REFUSED("in use", "--rig", bench.rig, "--runs", bench.runs, "--listen", taken);
    REFUSED("--token-file", "--rig", bench.rig, "--runs", bench.runs, "--listen", "0.0.0.0:0");
    REFUSED("/nowhere", "--rig", bench.rig, "--runs", bench.runs, "--token-file", "/nowhere");
    REFUSED("--rig", "--runs", bench.runs);
    REFUSED("/nowhere.yaml", "--rig", "/nowhere.yaml", "--runs", bench.runs);
    REFUSED("/nowhere", "--rig", bench.rig, "--runs", bench.runs, "--recordings", "/nowhere");
    REFUSED("/dev/null", "--rig", bench.rig, "--runs", "/dev/null");
    tear_down(&bench);
}
