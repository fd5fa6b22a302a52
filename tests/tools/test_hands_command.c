/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run, observe and record on a rig by hand as processes, with a script in place of people. */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/process.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

#define ACE       "fixtures/three-card-poker/ace-is-high.shoe"
#define PATH_SIZE (SCRATCH_PATH_SIZE + 16)

/* The names of a rig, a journal and a recording. */
struct names {
    char rig[PATH_SIZE], journal[PATH_SIZE], shoe[PATH_SIZE], expect[PATH_SIZE];
};

static struct names write_rig(const char *more)
{
    struct names names;
    char base[SCRATCH_PATH_SIZE], text[512];

    scratch_path(base);
    snprintf(names.rig, sizeof names.rig, "%s.yaml", base);
    snprintf(names.journal, sizeof names.journal, "%s.journal", base);
    snprintf(names.shoe, sizeof names.shoe, "%s.shoe", base);
    snprintf(names.expect, sizeof names.expect, "%s.expect", base);
    snprintf(text, sizeof text,
             "rig: by hand\nclock: virtual\ndevices:\n  shuffler: {driver: hands}\n%s", more);
    scratch_write(names.rig, text, strlen(text));
    return names;
}

static void clean_up(const struct names *names)
{
    unlink(names->rig);
    unlink(names->journal);
    unlink(names->shoe);
    unlink(names->expect);
}

/* Lines that answer the questions from number 1 on. */
static struct process_result run_answered(const char *const *arguments, const char *const *answers)
{
    char lines[8192] = "";
    size_t used = 0;

    for (unsigned i = 0; answers[i]; i++)
        used += (size_t)snprintf(lines + used, sizeof lines - used,
                                 "{\"answer\":{\"id\":%u,\"answer\":\"%s\"}}\n", i + 1, answers[i]);
    return process_run(arguments, process_input(lines, used));
}

#define ANSWERS(...)   ((const char *const[]){__VA_ARGS__, NULL})
#define ARGUMENTS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define RUN(names)                                                                                 \
    ARGUMENTS("run", "--rig", (names).rig, "--questions", "json", "--journal", (names).journal, ACE)

static unsigned count_in(const char *path, const char *words)
{
    size_t length;
    char *text = scratch_read(path, &length);
    unsigned found = 0;

    for (const char *at = text; (at = strstr(at, words)); at++)
        found++;
    free(text);
    return found;
}

TEST(a_recording_is_run_by_answers_and_passes)
{
    struct names names = write_rig("order: stack\n");
    struct process_result result =
        run_answered(RUN(names), ANSWERS("done", "done", "ad kh qs", "", "", "done", "done", "", "",
                                         "done", "done", "", "", ""));

    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "{\"question\":{\"id\":3,\"ask\":\"cards\",\"text\":"
                                              "\"take packet 1 of 3: its 3 cards?\",\"from\":["
                                              "\"script\"]}}\n"));
    CU_ASSERT_EQUAL(process_status_with(result, "\"rounds\":3,\"pass\":3"), 0);
    CU_ASSERT_EQUAL(count_in(names.journal, "\"cards-read\",\"details\":{\"read\":1,\"nodded\":7}"),
                    1);
    CU_ASSERT_EQUAL(process_status_with(
                        run_answered(ARGUMENTS("verify", names.journal), ANSWERS("unused")), ""),
                    0);
    CU_ASSERT_EQUAL(
        process_status_with(
            run_answered(ARGUMENTS("report", "--text", names.journal), ANSWERS("unused")),
            "cards read 1 time by people or a scanner, confirmed 7 times by a nod"),
        0);
    CU_ASSERT_EQUAL(process_status_with(run_answered(ARGUMENTS("report", "--junit", names.journal),
                                                     ANSWERS("unused")),
                                        "<property name=\"cards-nodded\" value=\"7\"/>"),
                    0);
    clean_up(&names);
}

TEST(a_wrong_card_fails_the_run_and_is_told_with_its_witnesses)
{
    struct names names = write_rig("order: stack\n");
    struct process_result result =
        run_answered(RUN(names), ANSWERS("done", "done", "ad kh qs", "", "kc qd 10h", "done",
                                         "done", "done", "", "", "done", "done", "", "", ""));

    CU_ASSERT_EQUAL(process_status_with(result, "dealt-cards"), 1);
    CU_ASSERT_EQUAL(count_in(names.journal, "\"name\":\"dealt-cards\",\"expected\":\"Kc Qd Jh\","
                                            "\"got\":\"Kc Qd Th\",\"witnesses\":{"
                                            "\"recording\":\"Kc Qd Jh\",\"engine\":\"Kc Qd Th\","
                                            "\"device\":null,\"operator\":\"Kc Qd Th\"}"),
                    1);
    clean_up(&names);
}

TEST(a_duplicate_is_refused_on_standard_output_with_its_place_and_kept)
{
    struct names names = write_rig("order: stack\n");
    struct process_result result =
        run_answered(RUN(names), ANSWERS("done", "done", "ad kh qs", "as jd kh"));

    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "{\"refused\":{\"id\":4,\"why\":\"Kh was seen in "
                                              "packet 1 already; look again, "));
    CU_ASSERT_EQUAL(process_status_with(result, "aborted"), 130);
    CU_ASSERT_EQUAL(count_in(names.journal, ",\"refused\":1,\"last-refused\":\"as jd kh\"}"), 1);
    CU_ASSERT_EQUAL(count_in(names.journal, "\"refused\":"), 1);
    CU_ASSERT_EQUAL(process_status_with(
                        run_answered(ARGUMENTS("verify", names.journal), ANSWERS("unused")), ""),
                    0);
    clean_up(&names);
}

TEST(standard_input_that_ends_in_the_middle_of_a_packet_leaves_what_was_typed)
{
    struct names names = write_rig("order: stack\n");
    struct process_result result =
        run_answered(RUN(names), ANSWERS("done", "done", "ad kh qs", "as jd 9h"));

    CU_ASSERT_EQUAL(process_status_with(result, "nobody can answer any more"), 130);
    CU_ASSERT_EQUAL(count_in(names.journal, "\"answer\":\"as jd 9h\""), 1);
    CU_ASSERT_EQUAL(count_in(names.journal, "\"cards\":\"As Jd 9h\",\"witness\":\"operator\""), 1);
    CU_ASSERT_EQUAL(count_in(names.journal, "\"verdict\":\"aborted\""), 2);
    CU_ASSERT_EQUAL(process_status_with(
                        run_answered(ARGUMENTS("verify", names.journal), ANSWERS("unused")), ""),
                    0);
    clean_up(&names);
}

TEST(what_is_recorded_by_hand_replays_on_the_emulated_rig)
{
    struct names names = write_rig("seats: 1\norder: compare\n");
    struct process_result result =
        run_answered(ARGUMENTS("record", "-o", names.shoe, "--game", "three-card-poker", "--rounds",
                               "3", "--rig", names.rig, "--questions", "json"),
                     ANSWERS("done", "as kd 9h", "2c 3c 4c", "done", "done", "jh jd 9h", "qh qc ks",
                             "undo", "qh qc kc", "done", "done", "as ah", "2c"));

    CU_ASSERT_EQUAL(process_status_with(result, "{\"recorded\":2}"), 130);
    CU_ASSERT_EQUAL(count_in(names.shoe, "\"dealt\":[\"As Kd 9h\",\"2c 3c 4c\"]"), 1);
    CU_ASSERT_EQUAL(count_in(names.shoe, "\"dealt\":[\"Jh Jd 9h\",\"Qh Qc Kc\"]"), 1);
    CU_ASSERT_EQUAL(count_in(names.shoe, "\"device\":\"hands\""), 1);
    CU_ASSERT_EQUAL(process_status_with(
                        run_answered(ARGUMENTS("run", names.shoe), ANSWERS("unused")), "2 pass"),
                    0);
    clean_up(&names);
}

TEST(a_rig_that_asks_is_refused_where_nobody_could_answer_or_several_benches_are_asked_for)
{
    struct names names = write_rig("order: stack\n");
    const char *const alone[] = {"run", "--rig", names.rig, "--journal", names.journal, ACE, NULL};
    const char *const many[] = {"run",         "--rig", names.rig, "--jobs", "2",
                                "--questions", "json",  ACE,       NULL};
    const char *const unasked[] = {"run", "--questions", "json", ACE, NULL};
    struct process_result result = run_answered(alone, ANSWERS("done"));

    CU_ASSERT_EQUAL(process_status_with(result, "a device of this rig asks people: nobody is there "
                                                "to answer; use a terminal, --page or --questions "
                                                "json"),
                    2);
    CU_ASSERT_EQUAL(access(names.journal, F_OK), -1);
    CU_ASSERT_EQUAL(process_status_with(run_answered(many, ANSWERS("done")),
                                        "who are at one bench, not at several"),
                    2);
    CU_ASSERT_EQUAL(process_status_with(run_answered(unasked, ANSWERS("done")),
                                        "unless a device of the rig asks people"),
                    2);
    clean_up(&names);
}

TEST(rounds_whose_cards_nobody_reads_cannot_be_recorded)
{
    static const char text[] = "rig: blind\nclock: virtual\ndevices:\n"
                               "  shuffler: {driver: hands, cards: none}\norder: compare\n";
    struct names names = write_rig("seats: 1\n");
    struct process_result result;

    scratch_write(names.rig, text, sizeof text - 1);
    result = run_answered(ARGUMENTS("record", "-o", names.shoe, "--game", "three-card-poker",
                                    "--rounds", "3", "--rig", names.rig, "--questions", "json"),
                          ANSWERS("done"));
    CU_ASSERT_EQUAL(process_status_with(result, "nobody reads the cards of the shuffler"), 2);
    CU_ASSERT_EQUAL(access(names.shoe, F_OK), -1);
    clean_up(&names);
}

TEST(a_machine_that_always_shuffles_is_told_apart_before_the_first_round)
{
    struct names names = write_rig("order: compare\n");
    struct process_result result = run_answered(RUN(names), ANSWERS("done", "ad kh qs"));

    CU_ASSERT_PTR_NOT_NULL(
        strstr(result.err, "only 'observe' and 'record' apply to it; they prove"));
    CU_ASSERT_EQUAL(process_status_with(result, ""), 130);
    clean_up(&names);
}

/*
 * Reads until a text has come; false when it ends before. With a process, that is interrupted again
 * and again meanwhile: how often depends on nothing but its own time.
 */
static bool await_words(int pipe, pid_t interrupted, const char *words)
{
    char text[16384] = "";
    size_t used = 0;

    while (used + 1 < sizeof text && !strstr(text, words)) {
        struct pollfd ready = {.fd = pipe, .events = POLLIN};
        ssize_t got;

        if (!poll(&ready, 1, interrupted ? 50 : -1)) {
            kill(interrupted, SIGINT);
            continue;
        }
        got = read(pipe, text + used, sizeof text - 1 - used);
        if (got <= 0)
            return false;
        used += (size_t)got;
    }
    return true;
}

TEST(interrupts_in_the_middle_of_a_packet_abort_and_keep_what_was_typed)
{
    static const char answers[] = "{\"answer\":{\"id\":1,\"answer\":\"done\"}}\n"
                                  "{\"answer\":{\"id\":2,\"answer\":\"done\"}}\n"
                                  "{\"answer\":{\"id\":3,\"answer\":\"ad kh qs\"}}\n";
    struct names names = write_rig("order: stack\n");
    int in[2], out[2];
    pid_t pid;

    CU_ASSERT_EQUAL_FATAL(pipe2(in, O_CLOEXEC), 0);
    CU_ASSERT_EQUAL_FATAL(pipe2(out, O_CLOEXEC), 0);
    pid = process_start(RUN(names), in[0], out[1], out[1]);
    close(in[0]);
    close(out[1]);
    CU_ASSERT_EQUAL(write(in[1], answers, sizeof answers - 1), sizeof answers - 1);
    CU_ASSERT_TRUE(await_words(out[0], 0, "\"id\":4"));
    CU_ASSERT_TRUE(await_words(out[0], pid, "\"run\":\"aborted\""));
    CU_ASSERT_EQUAL(process_wait(pid, NULL), 130);
    close(in[1]);
    close(out[0]);
    CU_ASSERT_EQUAL(count_in(names.journal, "\"cards\":\"Ad Kh Qs\",\"witness\":\"operator\""), 1);
    CU_ASSERT_EQUAL(count_in(names.journal, "\"verdict\":\"aborted\""), 2);
    clean_up(&names);
}
