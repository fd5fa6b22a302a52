/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "rigs/journal/verify.h"
#include "tests/support/journal_sample.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

#define FIRST "0000000000000000000000000000000000000000000000000000000000000000"

static const struct journal_start plain_start = {.version = "1"};

static struct journal *open_plain(const char *path, const struct clock *clock)
{
    struct journal *journal = NULL;
    struct error error = {.text = ""};

    CU_ASSERT_EQUAL(journal_open(path, &(struct journal_options){.clock = clock}, &plain_start,
                                 &journal, &error),
                    0);
    CU_ASSERT_PTR_NOT_NULL_FATAL(journal);
    return journal;
}

static int verify_path(const char *path, struct journal_verified *verified, struct error *error)
{
    error->text[0] = '\0';
    return journal_verify(path, &(struct journal_verify){0}, verified, error);
}

static size_t line_start(const char *text, unsigned line)
{
    const char *at = text;

    while (--line)
        at = strchr(at, '\n') + 1;
    return (size_t)(at - text);
}

TEST(a_line_carries_its_number_its_time_and_the_digest_of_the_one_before)
{
    static const char first[] = "{\"n\":1,\"prev\":\"" FIRST "\",\"t\":5000,\"kind\":\"start\","
                                "\"journal\":1,\"version\":\"1\",\"libraries\":{},\"rig\":null,"
                                "\"seed\":\"0\",\"clock\":\"virtual\",\"command\":[]}\n";
    char path[SCRATCH_PATH_SIZE], digest[DIGEST_SIZE], expected[512], *text;
    struct clock clock;
    struct journal *journal;
    size_t length;

    scratch_path(path);
    clock_virtual(&clock, 5000);
    journal = open_plain(path, &clock);
    clock_advance(&clock, 7000);
    CU_ASSERT_EQUAL(journal_event(journal, "shoe", "card", "{\"card\":\"As\"}", 6500, NULL), 0);
    CU_ASSERT_EQUAL(journal_event(journal, "shoe", "cut-card", NULL, 7000, NULL), 0);
    journal_close(journal);
    text = scratch_read(path, &length);
    unlink(path);
    CU_ASSERT_EQUAL(strncmp(text, first, strlen(first)), 0);
    digest_bytes(first, strlen(first) - 1, digest);
    snprintf(expected, sizeof expected,
             "{\"n\":2,\"prev\":\"%s\",\"t\":7000,\"kind\":\"event\",\"device\":\"shoe\","
             "\"event\":\"card\",\"at\":6500,\"details\":{\"card\":\"As\"}}",
             digest);
    CU_ASSERT_EQUAL(strncmp(text + strlen(first), expected, strlen(expected)), 0);
    digest_bytes(expected, strlen(expected), digest);
    snprintf(expected, sizeof expected,
             "{\"n\":3,\"prev\":\"%s\",\"t\":7000,\"kind\":\"event\",\"device\":\"shoe\","
             "\"event\":\"cut-card\"}\n",
             digest);
    CU_ASSERT_STRING_EQUAL(text + line_start(text, 3), expected);
    free(text);
}

/* The value is that of FIPS 180-4's example. */
TEST(digests_are_sha_256)
{
    char digest[DIGEST_SIZE];

    digest_bytes("abc", 3, digest);
    CU_ASSERT_STRING_EQUAL(digest,
                           "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(two_runs_in_virtual_time_are_identical_to_the_byte)
{
    size_t one_length, other_length;
    char *one = journal_sample_text(&one_length), *other = journal_sample_text(&other_length);

    CU_ASSERT_EQUAL(one_length, other_length);
    CU_ASSERT_STRING_EQUAL(one, other);
    CU_ASSERT_PTR_NULL(strstr(one, "\"date\""));
    CU_ASSERT_PTR_NULL(strstr(one, "\"host\""));
    free(one);
    free(other);
}

TEST(a_real_clock_puts_the_date_and_the_host_into_the_start_line)
{
    struct clock clock;
    char path[SCRATCH_PATH_SIZE], host[HOST_NAME_MAX + 1] = "", named[HOST_NAME_MAX + 16], *text;
    size_t length;

    scratch_path(path);
    clock_real(&clock);
    journal_close(open_plain(path, &clock));
    text = scratch_read(path, &length);
    unlink(path);
    CU_ASSERT_EQUAL(gethostname(host, sizeof host - 1), 0);
    snprintf(named, sizeof named, ",\"host\":\"%s\"", host);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, ",\"clock\":\"real\",\"date\":\"20"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, named));
    free(text);
}

/* The id in the first line of a journal on such a clock; empty where there is none. */
static void run_id(struct clock *clock, char id[JOURNAL_RUN_DIGITS + 1])
{
    char path[SCRATCH_PATH_SIZE], *text, *at;
    size_t length;

    scratch_path(path);
    journal_close(open_plain(path, clock));
    text = scratch_read(path, &length);
    unlink(path);
    at = strstr(text, ",\"run\":\"");
    snprintf(id, JOURNAL_RUN_DIGITS + 1, "%s", at ? at + strlen(",\"run\":\"") : "");
    free(text);
}

TEST(every_run_on_a_real_clock_has_an_id_of_its_own)
{
    char first[JOURNAL_RUN_DIGITS + 1], second[JOURNAL_RUN_DIGITS + 1];
    struct clock clock;

    clock_real(&clock);
    run_id(&clock, first);
    run_id(&clock, second);
    CU_ASSERT_EQUAL(strspn(first, "0123456789abcdef"), JOURNAL_RUN_DIGITS);
    CU_ASSERT_STRING_NOT_EQUAL(first, second);
    clock_virtual(&clock, 0);
    run_id(&clock, first);
    CU_ASSERT_STRING_EQUAL(first, "");
}

TEST(a_journal_that_is_there_is_never_overwritten)
{
    struct journal *journal = NULL;
    struct clock clock;
    struct error error;
    char path[SCRATCH_PATH_SIZE], *text;
    size_t length;

    clock_virtual(&clock, 0);
    scratch_path(path);
    scratch_write(path, "precious\n", 9);
    CU_ASSERT_EQUAL(journal_open(path, &(struct journal_options){.clock = &clock}, &plain_start,
                                 &journal, &error),
                    ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "never overwritten"));
    text = scratch_read(path, &length);
    CU_ASSERT_STRING_EQUAL(text, "precious\n");
    unlink(path);
    free(text);
}

TEST(any_bytes_become_a_line_of_valid_json)
{
    static const char hostile[] =
        "a\"b\\c\n\t\x01\x7f\xff\xc3\xa9\xe2\x82\xac\xc0\x80\xed\xa0\x80z";
    struct journal_reader *reader;
    struct journal_line line;
    struct journal *journal;
    struct clock clock;
    char path[SCRATCH_PATH_SIZE];

    clock_virtual(&clock, 0);
    scratch_path(path);
    journal = open_plain(path, &clock);
    CU_ASSERT_EQUAL(
        journal_device(journal, &(struct journal_device){.name = hostile, .serial = ""}, NULL), 0);
    journal_close(journal);
    CU_ASSERT_EQUAL_FATAL(journal_reader_open(path, &reader, NULL), 0);
    CU_ASSERT_EQUAL(journal_reader_next(reader, &line, NULL), 1);
    CU_ASSERT_EQUAL_FATAL(journal_reader_next(reader, &line, NULL), 1);
    CU_ASSERT_STRING_EQUAL(json_chars(json_member(line.fields, "name")),
                           "a\"b\\c\n\t\x01\x7f\xef\xbf\xbd\xc3\xa9\xe2\x82\xac\xef\xbf\xbd\xef\xbf"
                           "\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbdz");
    CU_ASSERT_STRING_EQUAL(json_chars(json_member(line.fields, "serial")), "");
    CU_ASSERT(json_is(json_member(line.fields, "driver"), JSON_KIND_NULL));
    journal_reader_close(reader);
    unlink(path);
}

TEST(checks_that_pass_are_folded_and_those_that_fail_are_not)
{
    size_t length;
    char *text = journal_sample_text(&length);

    CU_ASSERT_PTR_NOT_NULL(strstr(
        text, "\"kind\":\"check\",\"recording\":1,\"round\":1,\"result\":\"pass\",\"names\":{"
              "\"packet-size\":1,\"card-order\":2,\"card-conservation\":3,\"wager-outcome\":4,"
              "\"meter-value\":5,\"light\":6}}"));
    CU_ASSERT_PTR_NOT_NULL(strstr(
        text, "\"result\":\"fail\",\"name\":\"wager-outcome\",\"seat\":1,\"wager\":\"ante\","
              "\"expected\":13500,\"got\":12500,\"witnesses\":{\"recording\":13500,\"engine\":"
              "13500,\"device\":12500},\"why\":\"the terminal paid <less> than the \\\"sheet"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"engine\":null,\"device\":\""));
    CU_ASSERT_PTR_NOT_NULL(strstr(text,
                                  "\"verdict\":\"fail\",\"why\":\"2 checks failed\",\"checks\":{"
                                  "\"pass\":21,\"fail\":2,\"skipped\":0},\"timings\":["));
    free(text);
}

/* One more name than a line of passes holds, and as many as it holds. */
TEST(more_names_of_checks_than_a_line_holds_take_two_lines)
{
    for (unsigned count = 64; count <= 65; count++) {
        char path[SCRATCH_PATH_SIZE], names[65][16], *text, *last;
        struct journal_verified verified;
        struct journal *journal;
        struct clock clock;
        struct error error;
        size_t length;

        clock_virtual(&clock, 0);
        scratch_path(path);
        journal = open_plain(path, &clock);
        journal_recording(journal, &(struct journal_recording){.game = "flush-rush"}, NULL);
        journal_round(journal, 1, "{}\n", 3, NULL);
        journal_event(journal, "rig", "observed", "{}", 0, NULL);
        journal_settlement(journal, "{}", 2, NULL);
        for (unsigned i = 0; i < count; i++) {
            snprintf(names[i], sizeof names[i], "check-%u", i);
            journal_check(journal, &(struct check_result){.name = names[i]}, NULL);
        }
        journal_verdict(journal, &(struct journal_verdict){.verdict = VERDICT_PASS}, NULL);
        journal_close(journal);
        CU_ASSERT_EQUAL(verify_path(path, &verified, &error), 0);
        CU_ASSERT_EQUAL(verified.ending.lines, count == 64 ? 7 : 8);
        text = scratch_read(path, &length);
        last = strstr(text, "\"checks\":{\"pass\":");
        CU_ASSERT_PTR_NOT_NULL_FATAL(last);
        CU_ASSERT_EQUAL(atoi(last + strlen("\"checks\":{\"pass\":")), (int)count);
        unlink(path);
        free(text);
    }
}

TEST(json_with_a_line_break_is_refused_and_leaves_no_trace)
{
    struct journal_verified verified;
    struct journal *journal;
    struct clock clock;
    struct error error;
    char path[SCRATCH_PATH_SIZE];

    clock_virtual(&clock, 0);
    scratch_path(path);
    journal = open_plain(path, &clock);
    CU_ASSERT_EQUAL(journal_event(journal, "rig", "card", "{\n}", 0, &error), ERROR_RIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "line 2 of the journal would hold a line break"));
    CU_ASSERT_EQUAL(journal_event(journal, "rig", "card", "{}\n", 0, &error), 0);
    journal_close(journal);
    CU_ASSERT_EQUAL(verify_path(path, &verified, &error), 0);
    CU_ASSERT_EQUAL(verified.ending.lines, 2);
    unlink(path);
}

/* The longest line that the reader takes, and one byte more. */
TEST(a_line_that_could_not_be_read_again_is_not_written)
{
    static char details[70000];
    char path[SCRATCH_PATH_SIZE], *text;
    struct journal_verified verified;
    struct journal *journal;
    struct clock clock;
    struct error error;
    size_t length, around, room;

    clock_virtual(&clock, 0);
    scratch_path(path);
    journal = open_plain(path, &clock);
    journal_event(journal, "rig", "card", "\"\"", 0, NULL);
    text = scratch_read(path, &length);
    around = length - 1 - line_start(text, 2);
    free(text);
    room = 65536 - around;
    memset(details, 'x', room + 2);
    details[0] = details[room + 2] = '"';
    CU_ASSERT_EQUAL(journal_event(journal, "rig", "card", details, 0, &error), ERROR_RIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "longer than 65536 bytes"));
    details[room + 2] = '\0';
    details[room + 1] = '"';
    CU_ASSERT_EQUAL(journal_event(journal, "rig", "card", details, 0, &error), 0);
    journal_close(journal);
    CU_ASSERT_EQUAL(verify_path(path, &verified, &error), 0);
    CU_ASSERT_EQUAL(verified.ending.lines, 3);
    unlink(path);
}

/* Through a link of the test's own: what goes wrong here must not remove the machine's device. */
TEST(a_device_that_is_full_is_an_error_of_the_rig)
{
    struct journal *journal = NULL;
    char path[SCRATCH_PATH_SIZE];
    struct clock clock;
    struct error error;

    clock_virtual(&clock, 0);
    scratch_path(path);
    CU_ASSERT_EQUAL(journal_open("/dev/full", &(struct journal_options){.clock = &clock},
                                 &plain_start, &journal, &error),
                    ERROR_RIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "No space left on device; make room on its disk"));
}

/* Each limit tears a line at another place; then there is room again. */
TEST(a_disk_that_fills_up_leaves_complete_lines_and_the_run_can_go_on)
{
    struct rlimit before;

    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    for (rlim_t limit = 1000; limit < 1400; limit += 23) {
        struct rlimit tight = {.rlim_cur = limit, .rlim_max = before.rlim_max};
        struct journal_verified verified;
        struct journal *journal;
        struct clock clock;
        struct error error = {.text = ""};
        uint64_t lines = 1;
        char path[SCRATCH_PATH_SIZE], sentence[SCRATCH_PATH_SIZE + 80];
        int status;

        clock_virtual(&clock, 0);
        scratch_path(path);
        journal = open_plain(path, &clock);
        setrlimit(RLIMIT_FSIZE, &tight);
        while (!(status = journal_event(journal, "rig", "card", NULL, 0, &error)) && lines < 100)
            lines++;
        setrlimit(RLIMIT_FSIZE, &before);
        CU_ASSERT_EQUAL(status, ERROR_RIG);
        snprintf(sentence, sizeof sentence,
                 "%s: cannot be written after line %ju, its last complete one: File too large",
                 path, (uintmax_t)lines);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.text, sentence));
        CU_ASSERT_EQUAL(verify_path(path, &verified, &error), 0);
        CU_ASSERT_EQUAL(verified.ending.lines, lines);
        CU_ASSERT_EQUAL(verified.ending.torn, 0);
        CU_ASSERT_EQUAL(journal_end(journal, VERDICT_RIG, "the disk was full", &error), 0);
        journal_close(journal);
        CU_ASSERT_EQUAL(verify_path(path, &verified, &error), 0);
        CU_ASSERT_TRUE(verified.ending.ended);
        unlink(path);
    }
}

/* Lines that are held back are numbered before they are in the file. */
TEST(a_full_disk_is_told_with_the_last_line_that_is_in_the_file)
{
    char path[SCRATCH_PATH_SIZE], sentence[SCRATCH_PATH_SIZE + 80];
    struct rlimit before, tight;
    struct journal_verified verified;
    struct journal *journal;
    struct clock clock;
    struct error error = {.text = ""};

    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    tight = (struct rlimit){.rlim_cur = 1000, .rlim_max = before.rlim_max};
    clock_virtual(&clock, 0);
    scratch_path(path);
    journal = open_plain(path, &clock);
    CU_ASSERT_EQUAL(journal_event(journal, "rig", "card", NULL, 0, &error), 0);
    journal_hold(journal);
    for (unsigned i = 0; i < 50; i++)
        CU_ASSERT_EQUAL(journal_event(journal, "rig", "card", NULL, 0, &error), 0);
    setrlimit(RLIMIT_FSIZE, &tight);
    CU_ASSERT_EQUAL(journal_release(journal, &error), ERROR_RIG);
    setrlimit(RLIMIT_FSIZE, &before);
    snprintf(sentence, sizeof sentence, "%s: cannot be written after line 2, its last", path);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, sentence));
    CU_ASSERT_EQUAL(verify_path(path, &verified, &error), 0);
    CU_ASSERT_EQUAL(verified.ending.lines, 2);
    CU_ASSERT_EQUAL(journal_end(journal, VERDICT_RIG, "the disk was full", &error), 0);
    journal_close(journal);
    CU_ASSERT_EQUAL(verify_path(path, &verified, &error), 0);
    CU_ASSERT_EQUAL(verified.ending.lines, 53);
    unlink(path);
}

/* The child says over a pipe which line it has been told is written. */
TEST(after_kill_9_every_line_that_was_acknowledged_is_there)
{
    uint64_t acknowledged = 0, seen;
    struct journal_verified verified;
    struct error error;
    char path[SCRATCH_PATH_SIZE];
    int pipes[2];
    pid_t child;

    scratch_path(path);
    CU_ASSERT_FATAL(!pipe2(pipes, O_CLOEXEC));
    child = fork();
    if (!child) {
        struct clock clock;
        struct journal *journal = NULL;

        clock_virtual(&clock, 0);
        journal_open(path, &(struct journal_options){.clock = &clock}, &plain_start, &journal,
                     NULL);
        for (seen = 2; !journal_event(journal, "rig", "card", "{}", 0, NULL); seen++)
            if (write(pipes[1], &seen, sizeof seen) < 0)
                break;
        _exit(0);
    }
    close(pipes[1]);
    while (acknowledged < 500 && read(pipes[0], &seen, sizeof seen) == sizeof seen)
        acknowledged = seen;
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    while (read(pipes[0], &seen, sizeof seen) == sizeof seen)
        acknowledged = seen;
    close(pipes[0]);
    CU_ASSERT(acknowledged >= 500);
    CU_ASSERT_EQUAL(verify_path(path, &verified, &error), 0);
    CU_ASSERT(verified.ending.lines == acknowledged || verified.ending.lines == acknowledged + 1);
    CU_ASSERT_FALSE(verified.ending.ended);
    unlink(path);
}

static uint64_t lines_in(const char *path)
{
    struct journal_verified verified;
    struct error error;

    CU_ASSERT_EQUAL(verify_path(path, &verified, &error), 0);
    CU_ASSERT_EQUAL(verified.ending.torn, 0);
    return verified.ending.lines;
}

/* More than the journal can hold, so that some are written before the release. */
TEST(lines_that_are_held_are_written_by_the_release_and_in_order)
{
    struct journal *journal;
    struct clock clock;
    char path[SCRATCH_PATH_SIZE];

    clock_virtual(&clock, 0);
    scratch_path(path);
    journal = open_plain(path, &clock);
    journal_hold(journal);
    for (int i = 0; i < 5; i++)
        CU_ASSERT_EQUAL(journal_event(journal, "rig", "card", "{}", 0, NULL), 0);
    CU_ASSERT_EQUAL(lines_in(path), 1);
    CU_ASSERT_EQUAL(journal_release(journal, NULL), 0);
    CU_ASSERT_EQUAL(lines_in(path), 6);
    journal_hold(journal);
    for (int i = 0; i < 3000; i++)
        CU_ASSERT_EQUAL(journal_event(journal, "rig", "card", "{}", 0, NULL), 0);
    CU_ASSERT(lines_in(path) > 1000 && lines_in(path) < 3006);
    CU_ASSERT_EQUAL(journal_release(journal, NULL), 0);
    CU_ASSERT_EQUAL(lines_in(path), 3006);
    CU_ASSERT_EQUAL(journal_event(journal, "rig", "card", "{}", 0, NULL), 0);
    CU_ASSERT_EQUAL(lines_in(path), 3007);
    journal_close(journal);
    unlink(path);
}

TEST(held_lines_that_find_no_room_are_written_when_there_is_some)
{
    struct rlimit before, tight;
    struct journal *journal;
    struct clock clock;
    struct error error;
    char path[SCRATCH_PATH_SIZE];

    signal(SIGXFSZ, SIG_IGN);
    clock_virtual(&clock, 0);
    scratch_path(path);
    journal = open_plain(path, &clock);
    getrlimit(RLIMIT_FSIZE, &before);
    tight = (struct rlimit){.rlim_cur = 600, .rlim_max = before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &tight);
    journal_hold(journal);
    for (int i = 0; i < 5; i++)
        CU_ASSERT_EQUAL(journal_event(journal, "rig", "card", "{}", 0, &error), 0);
    CU_ASSERT_EQUAL(journal_release(journal, &error), ERROR_RIG);
    CU_ASSERT_EQUAL(journal_event(journal, "rig", "left-out", "{}", 0, &error), ERROR_RIG);
    CU_ASSERT_EQUAL(lines_in(path), 1);
    setrlimit(RLIMIT_FSIZE, &before);
    CU_ASSERT_EQUAL(journal_event(journal, "rig", "card", "{}", 0, &error), 0);
    CU_ASSERT_EQUAL(lines_in(path), 7);
    journal_close(journal);
    unlink(path);
}

TEST(questions_answers_and_waits_are_lines_of_their_own)
{
    static const char expected[] =
        "\"kind\":\"wait\",\"for\":\"packet\",\"device\":\"shuffler\",\"limit-ms\":5500}\n"
        "\"kind\":\"wait\",\"for\":\"wager\",\"device\":\"sensors\"}\n"
        "\"kind\":\"question\",\"id\":4,\"ask\":\"decision\",\"text\":\"bet or fold?\",\"seat\":3,"
        "\"answers\":[\"bet\",\"fold\"],\"from\":[\"page\"],\"limit-ms\":9000,"
        "\"otherwise\":\"fold\"}\n"
        "\"kind\":\"answer\",\"id\":4,\"answer\":\"bet\",\"by\":\"Ann\",\"from\":\"page\","
        "\"took-ms\":1200,\"refused\":2,\"last-refused\":\"\\\"raise\\\"\"}\n"
        "\"kind\":\"question\",\"id\":5,\"ask\":\"decision\",\"text\":\"bet or fold?\",\"seat\":3,"
        "\"answers\":[\"bet\",\"fold\"],\"from\":[\"page\"],\"limit-ms\":9000,"
        "\"otherwise\":\"fold\"}\n"
        "\"kind\":\"answer\",\"id\":5,\"answer\":null,\"from\":\"nobody\",\"took-ms\":0}\n";
    struct desk_open question = {.id = 4,
                                 .kind = QUESTION_DECISION,
                                 .seat = 3,
                                 .sides = DESK_PAGE,
                                 .text = "bet or fold?",
                                 .choices = {"bet", "fold"},
                                 .choice_count = 2,
                                 .otherwise = "fold",
                                 .limit_ms = 9000};
    const struct answer answer = {.text = "bet",
                                  .by = "Ann",
                                  .side = DESK_PAGE,
                                  .answered = 1200 * NANOS_PER_MILLI,
                                  .refused = 2,
                                  .last_refused = "\"raise\""};
    char path[SCRATCH_PATH_SIZE], kinds[2048] = "", *text, *at;
    struct journal_verified verified;
    struct journal *journal;
    struct clock clock;
    struct error error;
    size_t length;

    scratch_path(path);
    clock_real(&clock);
    journal = open_plain(path, &clock);
    journal_device(journal, &(struct journal_device){.name = "shuffler"}, NULL);
    journal_device(journal, &(struct journal_device){.name = "sensors"}, NULL);
    journal_wait(journal, &(struct journal_wait){"packet", "shuffler", 5500, 0}, NULL);
    journal_wait(journal, &(struct journal_wait){"wager", "sensors", 0, 0}, NULL);
    journal_question(journal, &question, NULL);
    journal_answer(journal, &question, &answer, NULL);
    question.id = 5;
    journal_question(journal, &question, NULL);
    journal_answer(journal, &question, &(struct answer){.side = 0}, NULL);
    CU_ASSERT_EQUAL(journal_end(journal, VERDICT_RIG, "no round", NULL), 0);
    journal_close(journal);
    CU_ASSERT_EQUAL(verify_path(path, &verified, &error), 0);
    text = scratch_read(path, &length);
    at = text + line_start(text, 4);
    for (unsigned line = 0; line < 6; line++, at = strchr(at, '\n') + 1)
        strncat(kinds, strstr(at, "\"kind\""),
                (size_t)(strchr(at, '\n') + 1 - strstr(at, "\"kind\"")));
    CU_ASSERT_STRING_EQUAL(kinds, expected);
    free(text);
    unlink(path);
}

TEST(the_end_carries_the_worst_verdict_and_the_totals)
{
    const struct journal_sample sample = {.rounds = 30, .fail_every = 7, .timeout_every = 13};
    char path[SCRATCH_PATH_SIZE], *text;
    struct error error;
    size_t length;

    scratch_path(path);
    CU_ASSERT_EQUAL(journal_sample_write(path, &sample, &error), 0);
    text = scratch_read(path, &length);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(text, "\"kind\":\"end\",\"verdict\":\"timeout\",\"recordings\":1,\"rounds\":{"
                     "\"skipped\":0,\"pass\":24,\"fail\":4,\"timeout\":2,\"device\":0,\"rig\":0,"
                     "\"aborted\":0},\"checks\":{\"pass\":588,\"fail\":8,\"skipped\":0},"
                     "\"retries\":2,\"reconnects\":0,\"seal\":\""));
    unlink(path);
    free(text);
}

TEST(the_operator_and_how_much_there_is_to_play_are_told)
{
    const struct journal_start start = {.version = "1", .rounds = 90};
    const struct journal_wait wait = {"return", "shuffler", 0, 3};
    struct journal_verified verified;
    char path[SCRATCH_PATH_SIZE], *text;
    struct journal *journal;
    struct clock clock;
    struct error error;
    size_t length;

    scratch_path(path);
    clock_real(&clock);
    CU_ASSERT_EQUAL_FATAL(
        journal_open(path, &(struct journal_options){.clock = &clock}, &start, &journal, &error),
        0);
    journal_device(journal, &(struct journal_device){.name = "shuffler"}, NULL);
    CU_ASSERT_EQUAL(journal_operator(journal, "Ann \"A\"", "command", &error), 0);
    CU_ASSERT_EQUAL(journal_wait(journal, &wait, &error), 0);
    CU_ASSERT_EQUAL(journal_end(journal, VERDICT_RIG, "no round", &error), 0);
    journal_close(journal);
    CU_ASSERT_EQUAL(verify_path(path, &verified, &error), 0);
    text = scratch_read(path, &length);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"command\":[],\"rounds\":90}\n"));
    CU_ASSERT_PTR_NOT_NULL(
        strstr(text, "\"kind\":\"operator\",\"name\":\"Ann \\\"A\\\"\",\"from\":\"command\"}\n"));
    CU_ASSERT_PTR_NOT_NULL(
        strstr(text, "\"kind\":\"wait\",\"for\":\"return\",\"device\":\"shuffler\",\"try\":3}\n"));
    free(text);
    unlink(path);
}
