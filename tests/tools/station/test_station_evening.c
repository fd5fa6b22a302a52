/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An evening at a station whose players decide on its page: questions, answers, the recording. */
#include <dirent.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/process.h"
#include "tests/support/resident.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

#define PATH_SIZE (SCRATCH_PATH_SIZE + 32)
#define ROUNDS    5

/* Orders a recording of players who are asked. */
static void begin(struct resident *bench, const char *more)
{
    char body[512];

    snprintf(body, sizeof body,
             "{\"do\":\"start\",\"command\":\"record\",\"game\":\"flush-rush\",\"play\":\"ask\","
             "\"rounds\":%d,\"seed\":\"7\"%s}",
             ROUNDS, more);
    CU_ASSERT_EQUAL(resident_order(bench, body), 200);
}

/* The number of the question that is open; 0: none. The status is in the bench's body then. */
static unsigned open_question(struct resident *bench)
{
    const char *found;

    resident_exchange(bench, "GET /status", NULL);
    found = strstr(bench->body, "\"question\":{\"id\":");
    return found ? (unsigned)strtoul(found + strlen("\"question\":{\"id\":"), NULL, 10) : 0;
}

static unsigned answer_in(struct resident *bench, unsigned run, unsigned id, const char *text,
                          const char *by)
{
    char body[256];

    snprintf(body, sizeof body, "{\"run\":%u,\"id\":%u,\"answer\":\"%s\",\"by\":\"%s\"}", run, id,
             text, by);
    return resident_exchange(bench, "POST /answer", body);
}

/* In the first run. */
static unsigned answer(struct resident *bench, unsigned id, const char *text, const char *by)
{
    return answer_in(bench, 1, id, text, by);
}

/* Waits for another question than that; 0: the run has ended. */
static unsigned await_question(struct resident *bench, unsigned last)
{
    for (;;) {
        unsigned id = open_question(bench);

        if (id && id != last)
            return id;
        if (resident_has(bench, "\"state\":\"ended\""))
            return 0;
        sched_yield();
    }
}

/* Whoever sits there bets with even numbers, and folds as soon as that is allowed otherwise. */
static unsigned answer_all(struct resident *bench)
{
    unsigned id = 0, count = 0;

    while ((id = await_question(bench, id))) {
        const char *text = id % 2 == 0 ? "bet" : resident_has(bench, "\"fold\"") ? "fold" : "check";

        CU_ASSERT_EQUAL(answer(bench, id, text, count % 3 ? "Ann" : "Bob"), 200);
        count++;
    }
    return count;
}

static void in_run(const struct resident *bench, const char *name, char path[PATH_SIZE])
{
    snprintf(path, PATH_SIZE, "%s/1/%s", bench->runs, name);
}

static unsigned count_of(const char *text, const char *words)
{
    unsigned count = 0;

    for (const char *at = text; (at = strstr(at, words)); at++)
        count++;
    return count;
}

/* Whether `settle` makes of the recording what stands beside it, to the byte. */
static bool settles_as_expected(const char *shoe, const char *expect)
{
    struct process_result result =
        process_run((const char *const[]){"settle", shoe, NULL}, process_input("", 0));
    size_t length;
    char *text = scratch_read(expect, &length);
    bool is_so = length && length == result.out_length && !memcmp(text, result.out, length);

    free(text);
    process_free(&result);
    return is_so;
}

TEST(an_evening_that_was_decided_on_the_page_replays_to_the_byte)
{
    char shoe[PATH_SIZE], expect[PATH_SIZE], journal[PATH_SIZE], *text;
    struct process_result result;
    struct resident bench;
    unsigned answers;
    size_t length;

    resident_set_up(&bench);
    CU_ASSERT_EQUAL(resident_order(&bench, "{\"do\":\"operator\",\"by\":\"Ann\"}"), 200);
    begin(&bench, "");
    answers = answer_all(&bench);
    CU_ASSERT(answers >= 7 * ROUNDS);
    in_run(&bench, "recorded.shoe", shoe);
    in_run(&bench, "recorded.expect", expect);
    in_run(&bench, "run.journal", journal);
    text = scratch_read(journal, &length);
    CU_ASSERT_EQUAL(count_of(text, "\"kind\":\"question\""), answers);
    CU_ASSERT_EQUAL(count_of(text, ",\"from\":[\"page\"]}\n"), answers);
    CU_ASSERT_EQUAL(count_of(text, "\"by\":\"Bob\",\"from\":\"page\",\"took-ms\":"),
                    (answers + 2) / 3);
    CU_ASSERT_EQUAL(count_of(text, "\"by\":\"Ann\",\"from\":\"page\",\"took-ms\":"),
                    answers - (answers + 2) / 3);
    CU_ASSERT_PTR_NULL(strstr(text, "script"));
    free(text);
    text = scratch_read(shoe, &length);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"by\":\"Ann\""));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"decisions\":\"asked\""));
    free(text);
    CU_ASSERT(settles_as_expected(shoe, expect));
    result = process_run((const char *const[]){"run", "--rig", bench.rig, shoe, NULL},
                         process_input("", 0));
    CU_ASSERT_EQUAL(process_status_with(result, "pass: 1 recording, 5 rounds"), 0);
    resident_tear_down(&bench);
}

TEST(the_same_answers_on_the_page_make_the_same_recording)
{
    char shoe[PATH_SIZE], *texts[2];
    struct resident bench;
    size_t lengths[2];

    for (unsigned i = 0; i < 2; i++) {
        resident_set_up(&bench);
        begin(&bench, "");
        answer_all(&bench);
        in_run(&bench, "recorded.shoe", shoe);
        texts[i] = scratch_read(shoe, &lengths[i]);
        resident_tear_down(&bench);
    }
    CU_ASSERT(lengths[0] && lengths[0] == lengths[1]);
    CU_ASSERT_STRING_EQUAL(texts[0], texts[1]);
    free(texts[0]);
    free(texts[1]);
}

TEST(an_answer_on_the_page_of_a_station_gets_what_became_of_it)
{
    struct resident bench;
    unsigned id, next;

    resident_set_up(&bench);
    CU_ASSERT_EQUAL(answer(&bench, 1, "bet", "Ann"), 404);
    begin(&bench, "");
    id = await_question(&bench, 0);
    CU_ASSERT_EQUAL(id, 1);
    CU_ASSERT(resident_has(&bench, "\"from\":[\"page\"]"));
    CU_ASSERT_EQUAL(answer(&bench, id, "raise", "Ann"), 422);
    CU_ASSERT(resident_has(&bench, "'raise' is not allowed here"));
    CU_ASSERT_EQUAL(answer(&bench, id + 1, "bet", "Ann"), 404);
    CU_ASSERT_EQUAL(answer(&bench, id, "bet", "Ann"), 200);
    next = await_question(&bench, id);
    CU_ASSERT_EQUAL(next, 2);
    CU_ASSERT_EQUAL(answer(&bench, id, "bet", "Bob"), 409);
    CU_ASSERT(resident_has(&bench, "{\"by\":\"Ann\",\"from\":\"page\",\"answer\":\"bet\"}"));
    resident_order(&bench, "{\"do\":\"stop-now\"}");
    resident_await_answer(&bench, "GET /status", "\"state\":\"ended\"");
    CU_ASSERT(!resident_has(&bench, "\"question\""));
    CU_ASSERT_EQUAL(answer(&bench, next, "bet", "Bob"), 410);
    /* The next run has a question of that number, too. */
    begin(&bench, "");
    CU_ASSERT_EQUAL(await_question(&bench, 0), 1);
    CU_ASSERT_EQUAL(answer_in(&bench, 2, 1, "bet", "Bob"), 200);
    CU_ASSERT_EQUAL(await_question(&bench, 1), 2);
    CU_ASSERT_EQUAL(answer(&bench, next, "bet", "Bob"), 410);
    CU_ASSERT_EQUAL(open_question(&bench), 2);
    resident_order(&bench, "{\"do\":\"stop-now\"}");
    resident_await_answer(&bench, "GET /status", "\"state\":\"ended\"");
    resident_tear_down(&bench);
}

TEST(who_answers_after_somebody_else_is_told_who_that_was)
{
    struct resident bench;
    unsigned answers;

    resident_set_up(&bench);
    begin(&bench, "");
    answers = answer_all(&bench);
    CU_ASSERT_EQUAL(answer(&bench, answers, "bet", "Eve"), 409);
    CU_ASSERT(resident_has(&bench, (answers - 1) % 3 ? "{\"by\":\"Ann\",\"from\":\"page\","
                                                     : "{\"by\":\"Bob\",\"from\":\"page\","));
    resident_tear_down(&bench);
}

/* Whether the question that is open has these words. */
static bool is_asked(struct resident *bench, unsigned *id, const char *words)
{
    *id = await_question(bench, *id);
    return resident_has(bench, words);
}

TEST(cards_that_cannot_be_are_refused_on_the_page_of_a_station_with_the_reason)
{
    char journal[PATH_SIZE], *text;
    struct resident bench;
    unsigned id = 0;
    size_t length;

    resident_set_up_on(&bench, "rig: by hand\nclock: virtual\nseats: 1\ndevices:\n"
                               "  shuffler: {driver: hands}\norder: compare\n");
    CU_ASSERT_EQUAL(resident_order(&bench, "{\"do\":\"start\",\"command\":\"record\",\"game\":"
                                           "\"three-card-poker\",\"play\":\"plain\",\"rounds\":1}"),
                    200);
    CU_ASSERT(is_asked(&bench, &id, "\"ask\":\"step\""));
    CU_ASSERT_EQUAL(answer(&bench, id, "done", "Ann"), 200);
    CU_ASSERT(is_asked(&bench, &id, "packet 1 of 2: its 3 cards?"));
    CU_ASSERT_EQUAL(answer(&bench, id, "as kd", "Ann"), 422);
    CU_ASSERT(resident_has(&bench, "2 cards where 3 belong"));
    CU_ASSERT_EQUAL(answer(&bench, id, "as kd 1x", "Ann"), 422);
    CU_ASSERT(resident_has(&bench, "'1x'"));
    CU_ASSERT_EQUAL(answer(&bench, id, "as kd as", "Ann"), 422);
    CU_ASSERT(resident_has(&bench, "As was seen in this line already"));
    /* Somebody else cannot confirm what Ann has typed, nor can she what they have. */
    CU_ASSERT_EQUAL(answer(&bench, id, "as kd as", "Bob"), 422);
    CU_ASSERT_EQUAL(answer(&bench, id, "as kd as", ""), 422);
    CU_ASSERT_EQUAL(answer(&bench, id, "as kd as", "Ann"), 422);
    CU_ASSERT_EQUAL(answer(&bench, id, "", "Ann"), 422);
    CU_ASSERT_EQUAL(answer(&bench, id, "bet", "Ann"), 422);
    CU_ASSERT_EQUAL(open_question(&bench), id);
    CU_ASSERT_EQUAL(answer(&bench, id, "as kd 10h", "Ann"), 200);
    CU_ASSERT(is_asked(&bench, &id, "packet 2 of 2: its 3 cards?"));
    CU_ASSERT_EQUAL(answer(&bench, id, "2c KD 3c", "Bob"), 422);
    CU_ASSERT(resident_has(&bench, "Kd was seen in packet 1 already"));
    CU_ASSERT_EQUAL(answer(&bench, id, "2c Qd 3c", "Bob"), 200);
    while (await_question(&bench, id))
        CU_ASSERT_EQUAL(answer(&bench, id = open_question(&bench), "done", "Ann"), 200);
    resident_exchange(&bench, "GET /runs", NULL);
    CU_ASSERT(resident_has(&bench, "\"verdict\":\"pass\",\"rounds\":1"));
    /* What was refused is nobody's answer, and is kept as that. */
    in_run(&bench, "run.journal", journal);
    text = scratch_read(journal, &length);
    CU_ASSERT_EQUAL(count_of(text, "\"kind\":\"answer\""), id);
    CU_ASSERT_EQUAL(count_of(text, "\"answer\":\"2c KD 3c\""), 0);
    CU_ASSERT_EQUAL(count_of(text, "\"refused\":1,\"last-refused\":\"2c KD 3c\""), 1);
    free(text);
    resident_tear_down(&bench);
}

/* The process that a station has started. */
static pid_t child_of(pid_t station)
{
    const struct dirent *entry;
    DIR *all = opendir("/proc");
    pid_t found = 0;

    while (all && !found && (entry = readdir(all))) {
        char path[300];
        FILE *stat;
        int pid, parent;

        snprintf(path, sizeof path, "/proc/%s/stat", entry->d_name);
        stat = fopen(path, "re");
        if (stat && fscanf(stat, "%d (%*[^)]) %*c %d", &pid, &parent) == 2 && parent == station)
            found = pid;
        if (stat)
            fclose(stat);
    }
    if (all)
        closedir(all);
    return found;
}

TEST(who_answers_a_run_that_says_nothing_is_not_told_that_it_is_wrong)
{
    char journal[PATH_SIZE], *text;
    struct http_client late;
    struct resident bench;
    size_t length;
    unsigned id;
    pid_t run;

    resident_set_up(&bench);
    begin(&bench, "");
    id = await_question(&bench, 0);
    run = child_of(bench.pid);
    CU_ASSERT_FATAL(run > 0 && !kill(run, SIGSTOP));
    CU_ASSERT_EQUAL(answer(&bench, id, "bet", "Ann"), 504);
    CU_ASSERT(resident_has(&bench, "has not said within 3 seconds"));
    resident_ask(&bench, &late, "POST /answer",
                 "{\"run\":1,\"id\":1,\"answer\":\"bet\",\"by\":\"Bob\"}");
    CU_ASSERT_EQUAL(open_question(&bench), id);
    CU_ASSERT_EQUAL(kill(run, SIGCONT), 0);
    /* The first of them has counted, once, and what is said of it is not told the second. */
    http_client_read_all(&late);
    CU_ASSERT_EQUAL(http_client_status(&late), 410);
    http_client_close(&late);
    CU_ASSERT_EQUAL(await_question(&bench, id), id + 1);
    CU_ASSERT_EQUAL(answer(&bench, id, "bet", "Bob"), 410);
    CU_ASSERT_EQUAL(answer(&bench, id + 1, "raise", "Bob"), 422);
    CU_ASSERT_EQUAL(answer(&bench, id + 1, "bet", "Bob"), 200);
    resident_order(&bench, "{\"do\":\"stop-now\"}");
    resident_await_answer(&bench, "GET /status", "\"state\":\"ended\"");
    in_run(&bench, "run.journal", journal);
    text = scratch_read(journal, &length);
    CU_ASSERT_EQUAL(count_of(text, "\"answer\":\"bet\",\"by\":\"Ann\""), 1);
    CU_ASSERT_EQUAL(count_of(text, "\"answer\":\"bet\",\"by\":\"Bob\""), 1);
    free(text);
    resident_tear_down(&bench);
}

/* The name of a shift, as long as one may be: a pipe has room for hundreds of them. */
static unsigned name_operator(struct resident *bench)
{
    char body[128];

    snprintf(body, sizeof body, "{\"do\":\"operator\",\"by\":\"%063d\"}", 7);
    return resident_order(bench, body);
}

TEST(a_run_that_reads_no_orders_holds_up_neither_the_station_nor_its_end)
{
    unsigned id, status = 200;
    struct resident bench;
    pid_t run;

    resident_set_up(&bench);
    begin(&bench, "");
    id = await_question(&bench, 0);
    run = child_of(bench.pid);
    CU_ASSERT_FATAL(run > 0 && !kill(run, SIGSTOP));
    for (unsigned i = 0; i < 4096 && status == 200; i++)
        status = name_operator(&bench);
    CU_ASSERT_EQUAL_FATAL(status, 504);
    CU_ASSERT(resident_has(&bench, "does not read its orders"));
    CU_ASSERT_EQUAL(resident_order(&bench, "{\"do\":\"pause\"}"), 504);
    CU_ASSERT_EQUAL(answer(&bench, id, "bet", "Ann"), 504);
    CU_ASSERT(resident_has(&bench, "was not given that answer"));
    CU_ASSERT_EQUAL(open_question(&bench), id);
    CU_ASSERT(resident_has(&bench, "\"state\":\"playing\""));
    CU_ASSERT_EQUAL(kill(run, SIGCONT), 0);
    while (name_operator(&bench) == 504)
        sched_yield();
    CU_ASSERT_EQUAL(answer(&bench, id, "bet", "Ann"), 200);
    resident_order(&bench, "{\"do\":\"stop-now\"}");
    resident_await_answer(&bench, "GET /status", "\"state\":\"ended\"");
    resident_tear_down(&bench);
}

TEST(a_run_whose_station_is_killed_while_it_asks_ends_by_itself)
{
    char journal[PATH_SIZE], *text;
    struct resident bench;
    bool is_ended = false;
    size_t length;

    resident_set_up(&bench);
    begin(&bench, "");
    CU_ASSERT_EQUAL(await_question(&bench, 0), 1);
    kill(bench.pid, SIGKILL);
    CU_ASSERT_EQUAL(process_wait_soon(bench.pid), 128 + SIGKILL);
    in_run(&bench, "run.journal", journal);
    for (unsigned i = 0; i < 6000 && !is_ended; i++) {
        text = scratch_read(journal, &length);
        is_ended = strstr(text, "\"kind\":\"end\",\"verdict\":\"aborted\"");
        free(text);
        usleep(10000);
    }
    CU_ASSERT(is_ended);
    resident_start(&bench);
    CU_ASSERT_EQUAL(answer(&bench, 1, "bet", "Ann"), 410);
    CU_ASSERT_EQUAL(answer_in(&bench, 2, 1, "bet", "Ann"), 404);
    /* Its reports are written after its end. */
    resident_await_answer(&bench, "GET /status", "\"state\":\"idle\"");
    resident_tear_down(&bench);
}

/* The disk of the run that is played is as full as its journal is long. */
static void fill_disk(const struct resident *bench)
{
    char path[PATH_SIZE], *text;
    struct rlimit limit;
    struct stat status;
    size_t length;

    in_run(bench, "run.journal", path);
    CU_ASSERT_EQUAL_FATAL(stat(path, &status), 0);
    limit.rlim_cur = limit.rlim_max = (rlim_t)status.st_size;
    snprintf(path, sizeof path, "%s/.bench.lock", bench->runs);
    text = scratch_read(path, &length);
    CU_ASSERT_EQUAL(prlimit((pid_t)strtol(text, NULL, 10), RLIMIT_FSIZE, &limit, NULL), 0);
    free(text);
}

TEST(an_answer_that_the_journal_has_no_room_for_is_not_taken_and_the_run_says_why)
{
    struct resident bench;

    signal(SIGXFSZ, SIG_IGN);
    resident_set_up_on(&bench, "rig: bench\nclock: real\nseats: 2\ndevices:\n"
                               "  shuffler: {driver: open, address: emu:shuffler}\norder: load\n");
    begin(&bench, "");
    CU_ASSERT_EQUAL(await_question(&bench, 0), 1);
    resident_await_answer(&bench, "GET /status", "\"run\":1,\"line\"");
    fill_disk(&bench);
    CU_ASSERT_EQUAL(answer(&bench, 1, "bet", "Ann"), 410);
    resident_await_answer(&bench, "GET /status", "\"state\":\"ended\"");
    CU_ASSERT(resident_has(&bench, "\"said\":\"dealproof record: "));
    CU_ASSERT(resident_has(&bench, "cannot be written after line"));
    resident_exchange(&bench, "GET /runs", NULL);
    CU_ASSERT(
        resident_has(&bench, "\"verdict\":null,\"rounds\":0,\"failed\":0,\"why\":\"dealproof "));
    resident_tear_down(&bench);
    signal(SIGXFSZ, SIG_DFL);
}

TEST(a_run_that_is_stopped_in_its_last_round_has_played_all_and_passes)
{
    struct resident bench;

    resident_set_up(&bench);
    CU_ASSERT_EQUAL(resident_order(&bench, "{\"do\":\"start\",\"command\":\"observe\",\"game\":"
                                           "\"flush-rush\",\"play\":\"ask\",\"rounds\":1}"),
                    200);
    CU_ASSERT_EQUAL(await_question(&bench, 0), 1);
    CU_ASSERT_EQUAL(resident_order(&bench, "{\"do\":\"stop\"}"), 200);
    answer_all(&bench);
    resident_await_answer(&bench, "GET /runs", "\"verdict\":\"pass\",\"rounds\":1");
    resident_tear_down(&bench);
}
