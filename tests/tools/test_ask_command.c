/* SPDX-License-Identifier: GPL-3.0-or-later */
/* observe and record --play ask as processes: scripts through pipes, a person on a terminal. */
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/process.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"
#include "tests/support/talk.h"

#define POKER     "--game", "three-card-poker", "--seats", "1,2"
#define ASK       "--play", "ask", "--questions", "json"
#define PATH_SIZE (SCRATCH_PATH_SIZE + 16)

/* The names of a recording and a journal, none of which is there yet. */
struct names {
    char shoe[PATH_SIZE], expect[PATH_SIZE], journal[PATH_SIZE], rig[PATH_SIZE];
};

static struct names name(void)
{
    struct names names;
    char base[SCRATCH_PATH_SIZE];

    scratch_path(base);
    snprintf(names.shoe, sizeof names.shoe, "%s.shoe", base);
    snprintf(names.expect, sizeof names.expect, "%s.expect", base);
    snprintf(names.journal, sizeof names.journal, "%s.journal", base);
    snprintf(names.rig, sizeof names.rig, "%s.yaml", base);
    return names;
}

static void clean_up(const struct names *names)
{
    unlink(names->shoe);
    unlink(names->expect);
    unlink(names->journal);
    unlink(names->rig);
}

/* A fast shuffler on a real clock. */
static void write_rig(const struct names *names)
{
    static const char text[] = "rig: test\nclock: real\nseats: 2\ndevices:\n  shuffler: {address: "
                               "\"emu:shuffler?shuffle=20,deal=2,take=2\"}\n";

    scratch_write(names->rig, text, sizeof text - 1);
}

static struct process_result run_with(const char *const *arguments, const char *answers)
{
    return process_run(arguments, process_input(answers, strlen(answers)));
}

#define RECORD(names, answers, ...)                                                                \
    run_with((const char *const[]){"record", "-o", (names).shoe, "--force", POKER, ASK,            \
                                   __VA_ARGS__, NULL},                                             \
             answers)
#define REPLAY(names) run_with((const char *const[]){"run", (names).shoe, NULL}, "")

static bool has(const char *path, const char *words)
{
    size_t length;
    char *text = scratch_read(path, &length);
    bool found = strstr(text, words);

    if (!found)
        printf("'%s' is not in %.2000s\n", words, text);
    free(text);
    return found;
}

#define SAY(id, answer) "{\"answer\":{\"id\":" #id ",\"answer\":\"" answer "\"}}\n"

TEST(what_was_answered_is_recorded)
{
    static const char *const printed[] = {
        "{\"question\":{\"id\":1,\"ask\":\"decision\",\"text\":\"seat 1 holds 8c 3c Jd: fold or "
        "bet?\",\"seat\":1,\"answers\":[\"fold\",\"bet\"],\"from\":[\"script\"]}}\n"
        "{\"taken\":{\"id\":1}}\n",
        "{\"recorded\":1}\n"};
    struct names names = name();
    struct process_result result =
        RECORD(names, SAY(1, "bet") SAY(2, "fold"), "--rounds", "1", "--journal", names.journal);

    CU_ASSERT_EQUAL(result.status, 0);
    for (size_t i = 0; i < 2; i++)
        CU_ASSERT_PTR_NOT_NULL(strstr(result.out, printed[i]));
    CU_ASSERT_TRUE(has(names.shoe, "\"decisions\":\"asked\""));
    CU_ASSERT_TRUE(has(names.shoe, "\"play\":{\"1\":[\"bet\"],\"2\":[\"fold\"]}"));
    CU_ASSERT_TRUE(
        has(names.journal, "\"kind\":\"question\",\"recording\":1,\"round\":1,\"id\":2"));
    CU_ASSERT_TRUE(has(names.journal, "\"kind\":\"answer\",\"recording\":1,\"round\":1,\"id\":2,"
                                      "\"answer\":\"fold\",\"from\":\"script\",\"took-ms\":0}"));
    process_free(&result);
    CU_ASSERT_EQUAL(process_status_with(REPLAY(names), "1 pass"), 0);
    CU_ASSERT_EQUAL(
        process_status_with(run_with((const char *const[]){"verify", names.journal, NULL}, ""), ""),
        0);
    clean_up(&names);
}

TEST(the_same_answers_make_the_same_bytes)
{
    struct names names = name();
    char answers[8192] = "", *texts[2][3];
    size_t length;

    for (unsigned i = 1; i <= 40; i++)
        snprintf(answers + strlen(answers), sizeof answers - strlen(answers),
                 "{\"answer\":{\"id\":%u,\"answer\":\"%s\",\"by\":\"Zoë\"}}\n", i,
                 i % 3 ? "Bet" : "fold");
    for (unsigned i = 0; i < 2; i++) {
        struct process_result result =
            RECORD(names, answers, "--rounds", "20", "--journal", names.journal);

        CU_ASSERT_EQUAL(result.status, 0);
        texts[i][0] = result.out;
        free(result.err);
        texts[i][1] = scratch_read(names.shoe, &length);
        texts[i][2] = scratch_read(names.journal, &length);
        CU_ASSERT_EQUAL(process_status_with(REPLAY(names), "20 pass"), 0);
        clean_up(&names);
    }
    for (unsigned i = 0; i < 3; i++) {
        CU_ASSERT_STRING_EQUAL(texts[0][i], texts[1][i]);
        free(texts[0][i]);
        free(texts[1][i]);
    }
}

TEST(what_is_no_answer_is_refused_with_the_reason_and_decides_nothing)
{
    static const struct {
        const char *line, *words;
    } cases[] = {
        {"bet", "{\"refused\":{\"id\":null,\"why\":\""},
        {"[]", "a line is {"},
        {"{}", "a line is {"},
        {"{\"answer\":{\"id\":1,\"answer\":\"bet\"},\"x\":1}", "a line is {"},
        {"{\"answer\":\"bet\"}", "a line is {"},
        {"{\"answer\":{\"answer\":\"bet\"}}", "id is the number of a question"},
        {"{\"answer\":{\"id\":\"1\",\"answer\":\"bet\"}}", "id is the number of a question"},
        {"{\"answer\":{\"id\":1}}", "answer is missing"},
        {"{\"answer\":{\"id\":1,\"answer\":2}}", "answer and by are strings"},
        {"{\"answer\":{\"id\":1,\"answer\":\"bet\",\"from\":\"page\"}}", "and nothing else"},
        {"{\"answer\":{\"id\":1,\"answer\":\"raise\"}}",
         "{\"refused\":{\"id\":1,\"why\":\"'raise' is not allowed here; it must be one of fold, "
         "bet\"}}\n"},
        {"{\"answer\":{\"id\":1,\"answer\":\"b\"}}", "'b' is not allowed here"},
        {"{\"answer\":{\"id\":1,\"answer\":\"bet\",\"by\":\"a\\nb\"}}", "a name is one line"},
        {"{\"answer\":{\"id\":2,\"answer\":\"bet\"}}",
         "{\"refused\":{\"id\":2,\"why\":\"no such question was asked yet\"}}\n"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct names names = name();
        struct process_result result;
        char answers[1024];

        snprintf(answers, sizeof answers, "%s\n%s", cases[i].line, SAY(1, "fold") SAY(2, "fold"));
        result = RECORD(names, answers, "--rounds", "1");
        CU_ASSERT_EQUAL(result.status, 0);
        if (!strstr(result.out, cases[i].words))
            printf("'%s': %s\n", cases[i].line, result.out);
        CU_ASSERT_PTR_NOT_NULL(strstr(result.out, cases[i].words));
        CU_ASSERT_TRUE(has(names.shoe, "\"play\":{\"1\":[\"fold\"],\"2\":[\"fold\"]}"));
        process_free(&result);
        clean_up(&names);
    }
}

TEST(of_two_answers_the_first_counts_and_the_second_is_refused)
{
    struct names names = name();
    struct process_result result =
        RECORD(names, SAY(1, "bet") SAY(1, "fold") SAY(2, "fold"), "--rounds", "1");

    CU_ASSERT_EQUAL(result.status, 0);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(result.out, "{\"refused\":{\"id\":1,\"why\":\"'bet' was answered before, by the "
                           "script\"}}\n"));
    CU_ASSERT_TRUE(has(names.shoe, "\"play\":{\"1\":[\"bet\"],\"2\":[\"fold\"]}"));
    process_free(&result);
    clean_up(&names);
}

TEST(a_line_that_is_too_long_is_refused_whole)
{
    struct names names = name();
    char *answers = malloc(20000);
    struct process_result result;

    CU_ASSERT_PTR_NOT_NULL_FATAL(answers);
    memset(answers, ' ', 10000);
    strcpy(answers + 10000, SAY(1, "bet") SAY(1, "fold") SAY(2, "fold"));
    result = RECORD(names, answers, "--rounds", "1");
    CU_ASSERT_EQUAL(result.status, 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "longer than 4096 bytes"));
    CU_ASSERT_TRUE(has(names.shoe, "\"play\":{\"1\":[\"fold\"],\"2\":[\"fold\"]}"));
    process_free(&result);
    free(answers);
    clean_up(&names);
}

TEST(the_end_of_standard_input_ends_the_run_and_whole_rounds_are_kept)
{
    struct names names = name();
    struct process_result result = RECORD(names, SAY(1, "bet") SAY(2, "bet") SAY(3, "bet"),
                                          "--rounds", "9", "--journal", names.journal);
    struct process_result page =
        run_with((const char *const[]){"report", "--html", names.journal, NULL}, "");

    CU_ASSERT_PTR_NOT_NULL(strstr(page.out, "<td>seat 1<td>question<td>seat 1 holds "));
    CU_ASSERT_PTR_NOT_NULL(strstr(page.out, "<td>script<td>answer<td>bet\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(page.out, "<td>nobody<td>answer<td>\n"));
    process_free(&page);
    CU_ASSERT_EQUAL(result.status, 130);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.err, "nobody can answer any more"));
    CU_ASSERT_PTR_NOT_NULL(
        strstr(result.out, "{\"over\":{\"id\":4,\"answer\":null,\"from\":\"nobody\"}}\n"));
    CU_ASSERT_EQUAL(process_status_with(REPLAY(names), "1 pass"), 0);
    process_free(&result);
    clean_up(&names);
}

TEST(what_was_stated_counts_when_the_time_is_over_or_nobody_is_left)
{
    struct names names = name();
    struct process_result result;

    write_rig(&names);
    result = RECORD(names, SAY(1, "bet"), "--rounds", "2", "--rig", names.rig, "--answer-limit",
                    "60", "--journal", names.journal);
    CU_ASSERT_EQUAL(result.status, 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "\"limit-ms\":60000,\"otherwise\":\""));
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "{\"over\":{\"id\":4,\"answer\":\""));
    CU_ASSERT_TRUE(has(names.journal, "\"from\":\"nobody\""));
    CU_ASSERT_TRUE(has(names.journal, "\"kind\":\"wait\""));
    CU_ASSERT_EQUAL(process_status_with(REPLAY(names), "2 pass"), 0);
    process_free(&result);
    clean_up(&names);
}

TEST(where_nobody_could_answer_nothing_is_dealt)
{
    static const struct {
        const char *const arguments[12];
        const char *words;
    } cases[] = {
        {{"observe", POKER, "--rounds", "1", "--play", "ask", NULL}, "nobody is there to answer"},
        {{"observe", POKER, "--rounds", "1", "--play", "plain", "--questions", "json", NULL},
         "--play ask alone"},
        {{"observe", POKER, "--rounds", "1", "--answer-limit", "3", NULL}, "--play ask alone"},
        {{"observe", POKER, "--rounds", "1", "--play", "ask", "--questions", "xml", NULL},
         "it must be json"},
        {{"observe", POKER, "--rounds", "1", "--play", "ask", "--questions", "orders", NULL},
         "--orders FD"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct process_result result = run_with(cases[i].arguments, "");

        CU_ASSERT_EQUAL(result.out_length, 0);
        CU_ASSERT_EQUAL(process_status_with(result, cases[i].words), 2);
    }
}

TEST(a_question_is_in_the_pipe_before_its_answer_and_late_answers_decide_nothing)
{
    struct names names = name();
    struct talk *talk;

    write_rig(&names);
    talk = talk_start((const char *const[]){"record", "-o", names.shoe, "--rig", names.rig, POKER,
                                            "--rounds", "1", ASK, "--answer-limit", "1", NULL});
    CU_ASSERT_TRUE(talk_hears(talk, "{\"question\":{\"id\":1,"));
    CU_ASSERT_TRUE(talk_hears(talk, "{\"over\":{\"id\":1,"));
    CU_ASSERT_TRUE(talk_hears(talk, "{\"question\":{\"id\":2,"));
    talk_say(talk, SAY(1, "bet"));
    CU_ASSERT_TRUE(talk_hears(talk, "{\"refused\":{\"id\":1,\"why\":\"the question is over\"}}"));
    talk_say(talk, SAY(2, "bet"));
    CU_ASSERT_TRUE(talk_hears(talk, "{\"taken\":{\"id\":2}}"));
    CU_ASSERT_EQUAL(talk_end(talk), 0);
    CU_ASSERT_TRUE(has(names.shoe, ",\"2\":[\"bet\"]}"));
    clean_up(&names);
}

TEST(two_interrupts_withdraw_the_question_and_whole_rounds_are_kept)
{
    struct names names = name();
    struct talk *talk = talk_start((const char *const[]){
        "record", "-o", names.shoe, POKER, "--rounds", "9", ASK, "--journal", names.journal, NULL});

    CU_ASSERT_TRUE(talk_hears(talk, "{\"question\":{\"id\":1,"));
    talk_say(talk, SAY(1, "bet") SAY(2, "fold"));
    CU_ASSERT_TRUE(talk_hears(talk, "{\"question\":{\"id\":3,"));
    process_signal(talk->pid, SIGINT);
    process_signal(talk->pid, SIGINT);
    CU_ASSERT_TRUE(talk_hears(talk, "{\"over\":{\"id\":3,\"answer\":null,\"from\":\"nobody\"}}"));
    CU_ASSERT_EQUAL(talk_end(talk), 130);
    CU_ASSERT_EQUAL(process_status_with(REPLAY(names), "1 pass"), 0);
    CU_ASSERT_EQUAL(
        process_status_with(run_with((const char *const[]){"verify", names.journal, NULL}, ""), ""),
        0);
    clean_up(&names);
}

TEST(after_one_interrupt_the_round_is_answered_to_its_end)
{
    struct names names = name();
    struct talk *talk = talk_start(
        (const char *const[]){"record", "-o", names.shoe, POKER, "--rounds", "9", ASK, NULL});

    CU_ASSERT_TRUE(talk_hears(talk, "{\"question\":{\"id\":1,"));
    process_signal(talk->pid, SIGINT);
    talk_say(talk, SAY(1, "bet") SAY(2, "fold"));
    CU_ASSERT_TRUE(talk_hears(talk, "{\"recorded\":1}"));
    CU_ASSERT_EQUAL(talk_end(talk), 130);
    CU_ASSERT_EQUAL(process_status_with(REPLAY(names), "1 pass"), 0);
    clean_up(&names);
}

TEST(a_person_answers_on_the_terminal_and_may_shorten_what_is_unique)
{
    struct names names = name();
    struct talk *talk = talk_on_terminal(
        (const char *const[]){"record", "-o", names.shoe, POKER, "--rounds", "1", "--by", "Ann",
                              "--play", "ask", "--journal", names.journal, NULL});

    CU_ASSERT_TRUE(talk_hears(talk, "seat 1 holds 8c 3c Jd: fold or bet? "));
    talk_say(talk, "raise\n");
    CU_ASSERT_TRUE(talk_hears(talk, "'raise' is not allowed here; it must be one of fold, bet"));
    CU_ASSERT_TRUE(talk_hears(talk, "fold or bet? "));
    talk_say(talk, "\n");
    CU_ASSERT_TRUE(talk_hears(talk, "is not allowed here"));
    CU_ASSERT_TRUE(talk_hears(talk, "fold or bet? "));
    talk_say(talk, " B \n");
    CU_ASSERT_TRUE(talk_hears(talk, "seat 2 holds 9d 9c 5s: fold or bet? "));
    talk_say(talk, "fo\n");
    CU_ASSERT_TRUE(talk_hears(talk, "recorded: 1 round"));
    CU_ASSERT_EQUAL(talk_end(talk), 0);
    CU_ASSERT_TRUE(has(names.shoe, "\"play\":{\"1\":[\"bet\"],\"2\":[\"fold\"]}"));
    CU_ASSERT_TRUE(has(names.journal, "\"answer\":\"bet\",\"by\":\"Ann\",\"from\":\"terminal\""));
    clean_up(&names);
}

#define PASSED_ON "--play", "ask", "--questions", "orders", "--orders", "0"

TEST(answers_that_are_passed_on_with_orders_are_of_a_page)
{
    struct names names = name();
    struct talk *talk = talk_start((const char *const[]){"observe", POKER, PASSED_ON, "--rounds",
                                                         "1", "--journal", names.journal, NULL});

    CU_ASSERT_TRUE(talk_hears(talk, "{\"question\":{\"id\":1,"));
    CU_ASSERT_TRUE(talk_hears(talk, "\"from\":[\"page\"]}}\n"));
    talk_say(talk, "{\"answer\":{\"id\":1,\"answer\":\"raise\"}}\n");
    CU_ASSERT_TRUE(talk_hears(talk, "{\"refused\":{\"id\":1,\"why\":\"'raise' is not allowed"));
    talk_say(talk, "{\"answer\":{\"id\":1,\"answer\":\"bet\",\"by\":\"Ann\"}}\n");
    CU_ASSERT_TRUE(talk_hears(talk, "{\"taken\":{\"id\":1}}\n"));
    CU_ASSERT_TRUE(talk_hears(talk, "{\"question\":{\"id\":2,"));
    talk_say(talk, "{\"answer\":{\"id\":2,\"answer\":\"fold\"}}\n");
    CU_ASSERT_TRUE(talk_hears(talk, "{\"run\":\"pass\""));
    CU_ASSERT_EQUAL(talk_end(talk), 0);
    CU_ASSERT_TRUE(
        has(names.journal, "\"id\":1,\"answer\":\"bet\",\"by\":\"Ann\",\"from\":\"page\","));
    CU_ASSERT_TRUE(has(names.journal, "\"id\":2,\"answer\":\"fold\",\"from\":\"page\","));
    clean_up(&names);
}

TEST(a_step_is_done_by_enter_and_a_packet_confirmed_by_it)
{
    static const char rig[] = "rig: test\nclock: virtual\ndevices:\n  shuffler: {driver: hands}\n"
                              "order: stack\n";
    struct names names = name();
    struct talk *talk;

    scratch_write(names.rig, rig, sizeof rig - 1);
    talk = talk_on_terminal((const char *const[]){
        "run", "--rig", names.rig, "fixtures/three-card-poker/ace-is-high.shoe", NULL});
    for (unsigned round = 1; round <= 3; round++) {
        CU_ASSERT_TRUE(talk_hears(talk, "which must not shuffle (Enter: done) "));
        talk_say(talk, "\n");
        CU_ASSERT_TRUE(talk_hears(talk,
                                  "press the green button of the shuffler, which must not shuffle "
                                  "(Enter: done) "));
        talk_say(talk, "\n");
        CU_ASSERT_TRUE(talk_hears(talk, "its 3 cards? "));
        talk_say(talk, round == 1 ? "ad kh qs\n" : "\n");
        CU_ASSERT_TRUE(talk_hears(talk, "take packet 2 of "));
        CU_ASSERT_TRUE(talk_hears(talk, ") "));
        talk_say(talk, "\n");
        if (round == 2)
            continue;
        CU_ASSERT_TRUE(talk_hears(talk, "take packet 3 of "));
        CU_ASSERT_TRUE(talk_hears(talk, ") "));
        talk_say(talk, "\n");
    }
    CU_ASSERT_TRUE(talk_hears(talk, "3 pass"));
    CU_ASSERT_EQUAL(talk_end(talk), 0);
    clean_up(&names);
}

TEST(when_who_passes_answers_on_is_gone_nobody_is_waited_for)
{
    struct names names = name();
    struct talk *talk = talk_start((const char *const[]){"observe", POKER, PASSED_ON, "--rounds",
                                                         "1", "--journal", names.journal, NULL});

    CU_ASSERT_TRUE(talk_hears(talk, "{\"question\":{\"id\":1,"));
    close(talk->in);
    talk->in = open("/dev/null", O_WRONLY | O_CLOEXEC);
    CU_ASSERT_TRUE(talk_hears(talk, "{\"over\":{\"id\":1,\"answer\":null,\"from\":\"nobody\"}}\n"));
    CU_ASSERT_EQUAL(talk_end(talk), 130);
    clean_up(&names);
}

TEST(a_script_is_never_taken_for_a_page)
{
    static const char *const lines[] = {
        "{\"answer\":{\"id\":1,\"answer\":\"bet\",\"from\":\"page\"}}\n",
        "{\"do\":\"answer\",\"id\":1,\"answer\":\"bet\"}\n"};
    struct names names = name();
    struct talk *talk = talk_start((const char *const[]){"observe", POKER, ASK, "--rounds", "1",
                                                         "--journal", names.journal, NULL});

    CU_ASSERT_TRUE(talk_hears(talk, "{\"question\":{\"id\":1,"));
    for (size_t i = 0; i < 2; i++) {
        talk_say(talk, lines[i]);
        CU_ASSERT_TRUE(talk_hears(talk, "{\"refused\":{"));
    }
    talk_say(talk, SAY(1, "bet") SAY(2, "bet"));
    CU_ASSERT_TRUE(talk_hears(talk, "{\"run\":\"pass\""));
    CU_ASSERT_EQUAL(talk_end(talk), 0);
    CU_ASSERT_TRUE(has(names.journal, "\"id\":1,\"answer\":\"bet\",\"from\":\"script\","));
    clean_up(&names);
}

TEST(the_last_answer_may_lack_its_newline)
{
    struct process_result result =
        run_with((const char *const[]){"observe", "--game", "three-card-poker", "--seats", "1",
                                       "--rounds", "1", ASK, NULL},
                 "{\"answer\":{\"id\":1,\"answer\":\"bet\"}}");

    CU_ASSERT_EQUAL(result.status, 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "{\"taken\":{\"id\":1}}\n"));
    process_free(&result);
}
