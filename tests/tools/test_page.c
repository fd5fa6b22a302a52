/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page of run, observe and record, by the program itself and over its sockets. */
#include <fcntl.h>
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
#define LONG "fixtures/chase-the-flush/evening-of-six-seats.shoe"

/* The program while it plays; orders are lines of its standard input. */
struct played {
    pid_t pid;
    int orders, err;
    char address[128];
};

static void order(const struct played *played, const char *what)
{
    dprintf(played->orders, "{\"do\":\"%s\"}\n", what);
}

/* Starts it paused before its first round, so that nothing depends on how fast it is. */
static void start(struct played *played, const char *const *arguments)
{
    int orders[2], err[2], nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
    FILE *said;
    char line[256];

    CU_ASSERT_FATAL(!pipe2(orders, O_CLOEXEC) && !pipe2(err, O_CLOEXEC) && nothing >= 0);
    played->orders = orders[1];
    order(played, "pause");
    played->pid = process_start(arguments, orders[0], nothing, err[1]);
    close(orders[0]);
    close(err[1]);
    close(nothing);
    played->err = err[0];
    said = fdopen(dup(err[0]), "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(said);
    setvbuf(said, NULL, _IONBF, 0);
    CU_ASSERT_PTR_NOT_NULL_FATAL(fgets(line, sizeof line, said));
    CU_ASSERT_EQUAL_FATAL(sscanf(line, "dealproof %*s the page is at %127s", played->address), 1);
    fclose(said);
}

#define START(played, ...)                                                                         \
    start(played, (const char *const[]){__VA_ARGS__, "--page", "0", "--orders", "0", NULL})

static int end(struct played *played)
{
    int status = process_wait_soon(played->pid);

    close(played->orders);
    close(played->err);
    return status;
}

static void ask(const struct played *played, struct http_client *client, const char *request,
                const char *body)
{
    const char *host = played->address + strlen("http://");

    http_client_open(client, played->address);
    http_client_say(client, "%s HTTP/1.0\r\nHost: %.*s\r\n", request, (int)strcspn(host, "/"),
                    host);
    if (body)
        http_client_say(client, "Content-Type: application/json\r\nContent-Length: %zu\r\n",
                        strlen(body));
    http_client_say(client, "\r\n%s", body ? body : "");
}

static unsigned post(const struct played *played, const char *body)
{
    struct http_client client;
    unsigned status;

    ask(played, &client, "POST /control", body);
    http_client_read_all(&client);
    status = http_client_status(&client);
    http_client_close(&client);
    return status;
}

/* Follows until the status says so. The journal must be there, which takes a moment. */
static void await_status(const struct played *played, const char *words)
{
    struct http_client client;
    bool is_there = false;

    while (!is_there) {
        ask(played, &client, "GET /events", NULL);
        if (!http_client_await(&client, "\r\n\r\n") || http_client_status(&client) == 404) {
            http_client_close(&client);
            usleep(2000);
            continue;
        }
        is_there = http_client_await(&client, words);
        http_client_close(&client);
        CU_ASSERT_FATAL(is_there);
    }
}

/* Whether what was sent of the journal is all of it but what is masked. */
static bool has_all(const struct http_client *client, const char *journal)
{
    unsigned long lines = 0, last = 0;
    size_t length;
    char *text = scratch_read(journal, &length);

    for (const char *at = text; (at = strchr(at, '\n')); at++)
        lines++;
    for (const char *at = http_client_body(client); (at = strstr(at, "id: ")); at++)
        if (at[-1] == '\n' && strtoul(at + 4, NULL, 10) == last + 1)
            last++;
    free(text);
    return lines > 1 && lines == last;
}

static struct process_result run(const char *const *arguments)
{
    return process_run(arguments, process_input("", 0));
}

#define RUN(...) run((const char *const[]){__VA_ARGS__, NULL})

TEST(a_run_is_watched_from_its_start_to_its_end)
{
    char journal[SCRATCH_PATH_SIZE];
    struct http_client client;
    struct played played;

    scratch_path(journal);
    START(&played, "run", "--journal", journal, RUSH);
    await_status(&played, "\"state\":\"paused\"");
    ask(&played, &client, "GET /events", NULL);
    CU_ASSERT_PTR_NOT_NULL(http_client_await(&client, "id: 1\nevent: start\n"));
    CU_ASSERT_EQUAL(post(&played, "{\"do\":\"continue\"}"), 200);
    http_client_read_all(&client);
    CU_ASSERT_EQUAL(end(&played), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(client.text, "\nevent: verdict\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(client.text, "\nevent: end\n"));
    CU_ASSERT(has_all(&client, journal));
    http_client_close(&client);
    unlink(journal);
}

TEST(a_page_and_orders_of_nobody_leave_the_journal_as_it_is_without)
{
    char watched[SCRATCH_PATH_SIZE], plain[SCRATCH_PATH_SIZE];
    size_t lengths[2];
    char *texts[2];
    struct process_result result;
    struct played played;

    scratch_path(watched);
    scratch_path(plain);
    START(&played, "run", "--seed", "7", "--journal", watched, RUSH);
    order(&played, "continue");
    CU_ASSERT_EQUAL(end(&played), 0);
    result = RUN("run", "--seed", "7", "--journal", plain, RUSH);
    CU_ASSERT_EQUAL(result.status, 0);
    process_free(&result);
    texts[0] = scratch_read(watched, &lengths[0]);
    texts[1] = scratch_read(plain, &lengths[1]);
    /* But for the first line, which has the command, and so for digests. */
    for (unsigned i = 0; i < 2; i++) {
        for (char *at = texts[i]; (at = strstr(at, "\"prev\":\"")); at++)
            memset(at + 8, '-', 64);
        memset(strstr(texts[i], "\"seal\":\"") + 8, '-', 64);
    }
    CU_ASSERT_STRING_EQUAL(strchr(texts[0], '\n'), strchr(texts[1], '\n'));
    free(texts[0]);
    free(texts[1]);
    unlink(watched);
    unlink(plain);
}

TEST(who_opens_the_page_in_the_middle_gets_all_that_was_before)
{
    char journal[SCRATCH_PATH_SIZE];
    struct http_client client;
    struct played played;

    scratch_path(journal);
    START(&played, "run", "--repeat", "1000", "--journal", journal, RUSH);
    order(&played, "continue");
    await_status(&played, "\"state\":\"playing\"");
    CU_ASSERT_EQUAL(post(&played, "{\"do\":\"pause\"}"), 200);
    ask(&played, &client, "GET /events", NULL);
    CU_ASSERT_PTR_NOT_NULL(http_client_await(&client, "\"state\":\"paused\""));
    order(&played, "stop");
    http_client_read_all(&client);
    CU_ASSERT_EQUAL(end(&played), 130);
    CU_ASSERT(has_all(&client, journal));
    http_client_close(&client);
    unlink(journal);
}

/* A bench whose shuffler takes an hour, by the clock of people. */
static void write_slow_rig(char path[SCRATCH_PATH_SIZE])
{
    static const char text[] = "rig: slow\nclock: real\nseats: 7\ndevices:\n"
                               "  shuffler: {driver: open, address: emu:shuffler?shuffle=3600000}\n"
                               "  terminal: {driver: open, address: emu:terminal, code: \"4711\", "
                               "admin: \"86420\"}\n"
                               "order: load\ntiming: {shuffle: 3600000}\n";

    scratch_path(path);
    scratch_write(path, text, sizeof text - 1);
}

TEST(the_status_has_what_is_waited_for_and_how_much_is_left)
{
    char rig[SCRATCH_PATH_SIZE];
    struct played played;

    write_slow_rig(rig);
    START(&played, "run", "--rig", rig, "--repeat", "2", RUSH);
    await_status(&played, "\"state\":\"paused\",\"run\":1");
    order(&played, "continue");
    await_status(&played, "\"rounds\":0,\"total\":2,\"wait\":{\"for\":\"shuffled\",\"device\":"
                          "\"shuffler\",\"since-ms\":");
    order(&played, "stop-now");
    CU_ASSERT_EQUAL(end(&played), 130);
    unlink(rig);
}

TEST(a_run_goes_on_when_every_browser_is_gone_and_keeps_no_journal_that_nobody_wanted)
{
    char folder[SCRATCH_PATH_SIZE];
    struct http_client client;
    struct played played;

    scratch_path(folder);
    CU_ASSERT_EQUAL_FATAL(mkdir(folder, 0700), 0);
    setenv("TMPDIR", folder, 1);
    START(&played, "run", RUSH);
    unsetenv("TMPDIR");
    await_status(&played, "\"state\":\"paused\"");
    ask(&played, &client, "GET /events", NULL);
    CU_ASSERT_PTR_NOT_NULL(http_client_await(&client, "id: 1\n"));
    http_client_close(&client);
    /* Its journal has no name even while it is written. */
    CU_ASSERT_EQUAL(rmdir(folder), 0);
    order(&played, "continue");
    CU_ASSERT_EQUAL(end(&played), 0);
}

TEST(orders_that_exclude_each_other_are_refused)
{
    struct played played;

    START(&played, "run", "--repeat", "100000", LONG);
    await_status(&played, "\"state\":\"paused\"");
    CU_ASSERT_EQUAL(post(&played, "{\"do\":\"start\"}"), 422);
    CU_ASSERT_EQUAL(post(&played, "{\"do\":\"pause\",\"now\":true}"), 400);
    CU_ASSERT_EQUAL(post(&played, "{\"do\":\"pause\",\"by\":7}"), 400);
    CU_ASSERT_EQUAL(post(&played, "{\"do\":\"operator\"}"), 422);
    CU_ASSERT_EQUAL(post(&played, "{\"do\":\"operator\",\"by\":\"\"}"), 422);
    CU_ASSERT_EQUAL(post(&played, "{\"do\":\"operator\",\"by\":\"A\\u001b[2J\"}"), 422);
    CU_ASSERT_EQUAL(post(&played, "{\"do\":\"stop-now\"}"), 200);
    CU_ASSERT_EQUAL(end(&played), 130);
}

TEST(an_interrupt_ends_a_run_that_is_paused)
{
    struct played played;

    START(&played, "run", "--repeat", "100000", LONG);
    await_status(&played, "\"state\":\"paused\"");
    kill(played.pid, SIGINT);
    CU_ASSERT_EQUAL(end(&played), 130);
}

TEST(a_run_stops_when_who_gives_its_orders_is_gone)
{
    struct played played;

    START(&played, "observe", "--game", "flush-rush", "--rounds", "1000000");
    order(&played, "continue");
    close(played.orders);
    CU_ASSERT_EQUAL(process_wait_soon(played.pid), 130);
    close(played.err);
}

TEST(the_operator_is_shown_and_journalled)
{
    char journal[SCRATCH_PATH_SIZE];
    struct process_result result;
    struct http_client client;
    struct played played;
    size_t length;
    char *text;

    scratch_path(journal);
    START(&played, "run", "--journal", journal, RUSH);
    await_status(&played, "\"state\":\"paused\"");
    CU_ASSERT_EQUAL(post(&played, "{\"do\":\"operator\",\"by\":\"Ann \\\"A\\\"\"}"), 200);
    ask(&played, &client, "GET /status", NULL);
    CU_ASSERT_PTR_NOT_NULL(http_client_await(&client, "\"operator\":\"Ann \\\"A\\\"\""));
    http_client_close(&client);
    /* Line by line, also of a run that is paused. */
    await_status(&played, "\"kind\":\"operator\"");
    order(&played, "continue");
    CU_ASSERT_EQUAL(end(&played), 0);
    text = scratch_read(journal, &length);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(text, "\"kind\":\"operator\",\"name\":\"Ann \\\"A\\\"\",\"from\":\"page\"}\n"));
    free(text);
    result = RUN("verify", journal);
    CU_ASSERT_EQUAL(result.status, 0);
    process_free(&result);
    unlink(journal);
}

TEST(who_performs_a_run_is_known_from_its_first_line_where_the_command_says_so)
{
    char journal[SCRATCH_PATH_SIZE];
    struct process_result result;
    size_t length;
    char *text;

    scratch_path(journal);
    result = RUN("run", "--by", "Ann", "--journal", journal, RUSH);
    CU_ASSERT_EQUAL(result.status, 0);
    process_free(&result);
    text = scratch_read(journal, &length);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(text, "\"kind\":\"operator\",\"name\":\"Ann\",\"from\":\"command\"}\n"));
    CU_ASSERT(strstr(text, "\"kind\":\"operator\"") < strstr(text, "\"kind\":\"recording\""));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"rounds\":1}\n"));
    free(text);
    result = RUN("report", journal);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "performed by Ann\n"));
    process_free(&result);
    unlink(journal);
}

TEST(the_report_of_a_run_can_be_seen_while_it_is_played_without_cards_to_come)
{
    struct http_client client;
    struct played played;

    START(&played, "run", "--repeat", "1000", RUSH);
    order(&played, "continue");
    await_status(&played, "\"kind\":\"verdict\"");
    ask(&played, &client, "GET /runs/1/report", NULL);
    http_client_read_all(&client);
    CU_ASSERT_EQUAL(http_client_status(&client), 200);
    CU_ASSERT_PTR_NOT_NULL(strstr(client.text, "<!DOCTYPE html"));
    CU_ASSERT_PTR_NOT_NULL(strstr(client.text, "<title>dealproof: running</title>"));
    CU_ASSERT_PTR_NOT_NULL(strstr(client.text, "<b>The run goes on.</b>"));
    CU_ASSERT_PTR_NULL(strstr(client.text, "cut off"));
    http_client_close(&client);
    ask(&played, &client, "GET /runs/2/report", NULL);
    http_client_read_all(&client);
    CU_ASSERT_EQUAL(http_client_status(&client), 404);
    http_client_close(&client);
    order(&played, "stop-now");
    CU_ASSERT_EQUAL(end(&played), 130);
}

TEST(shuffles_are_judged_while_they_come_for_the_count_that_was_declared)
{
    struct http_client client;
    struct played played;

    START(&played, "observe", "--game", "flush-rush", "--rounds", "1000000");
    order(&played, "continue");
    await_status(&played, "\"kind\":\"verdict\"");
    ask(&played, &client, "GET /runs/1/shuffles", NULL);
    http_client_read_all(&client);
    CU_ASSERT_EQUAL(http_client_status(&client), 200);
    CU_ASSERT_PTR_NOT_NULL(strstr(client.text, ", so far</span>"));
    CU_ASSERT_PTR_NOT_NULL(
        strstr(client.text, " of 1000000 rounds that were declared beforehand w"));
    /* That page alone, not the report. */
    CU_ASSERT_PTR_NULL(strstr(client.text, "id=\"rounds\""));
    http_client_close(&client);
    order(&played, "stop-now");
    CU_ASSERT_EQUAL(end(&played), 130);
}

TEST(a_run_without_shuffles_of_a_devices_own_has_no_page_of_them)
{
    struct http_client client;
    struct played played;

    START(&played, "run", "--repeat", "100000", RUSH);
    order(&played, "continue");
    await_status(&played, "\"kind\":\"verdict\"");
    ask(&played, &client, "GET /runs/1/shuffles", NULL);
    http_client_read_all(&client);
    CU_ASSERT_EQUAL(http_client_status(&client), 404);
    CU_ASSERT_PTR_NOT_NULL(strstr(client.text, "its shuffler has made no order itself so far"));
    http_client_close(&client);
    order(&played, "stop-now");
    CU_ASSERT_EQUAL(end(&played), 130);
}

/* Ends with status 2, says these words, and has not begun to play. */
static void expect_refused(struct process_result result, const char *words)
{
    CU_ASSERT_EQUAL(result.status, 2);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.err, words));
    CU_ASSERT_STRING_EQUAL(result.out, "");
    process_free(&result);
}

TEST(what_no_page_can_be_served_with_is_told_before_anything_is_played)
{
    char token[SCRATCH_PATH_SIZE], journal[SCRATCH_PATH_SIZE], taken[32];
    struct played played;

    scratch_path(token);
    scratch_path(journal);
    START(&played, "run", RUSH);
    snprintf(taken, sizeof taken, "%s", strrchr(played.address, ':') + 1);
    taken[strcspn(taken, "/")] = '\0';
    expect_refused(RUN("run", "--journal", journal, "--page", taken, RUSH), "in use");
    order(&played, "continue");
    CU_ASSERT_EQUAL(end(&played), 0);
    expect_refused(RUN("run", "--journal", journal, "--page", "nowhere", RUSH), "nowhere");
    expect_refused(RUN("run", "--journal", journal, "--page", "0.0.0.0:0", RUSH), "--token-file");
    expect_refused(RUN("run", "--journal", journal, "--page", "0", "--token-file", token, RUSH),
                   token);
    scratch_write(token, "0123456789abcdef\n", 17);
    chmod(token, 0644);
    expect_refused(RUN("observe", "--game", "flush-rush", "--rounds", "1", "--journal", journal,
                       "--page", "0", "--token-file", token),
                   token);
    expect_refused(RUN("run", "--journal", journal, "--token-file", token, RUSH), "--page");
    expect_refused(RUN("run", "--journal", journal, "--page", "0", "-j", "2", RUSH), "--jobs 2");
    expect_refused(RUN("run", "--journal", journal, "--orders", "77", RUSH), "--orders");
    expect_refused(RUN("run", "--journal", journal, "--page", "0", "--by", "A\nB", RUSH), "--by");
    CU_ASSERT_NOT_EQUAL(access(journal, F_OK), 0);
    unlink(token);
}

TEST(an_order_that_is_none_is_told)
{
    char garbage[5000];
    struct process_result result;
    const char *const arguments[] = {"run", "--orders", "0", RUSH, NULL};

    result = process_run(arguments, process_input("garbage\n", 8));
    CU_ASSERT_PTR_NOT_NULL(strstr(result.err, "an order by --orders is refused: "));
    process_free(&result);
    memset(garbage, 'x', sizeof garbage);
    result = process_run(arguments, process_input(garbage, sizeof garbage));
    CU_ASSERT_PTR_NOT_NULL(
        strstr(result.err, "an order by --orders is longer than 4096 bytes; no more are taken"));
    process_free(&result);
}
