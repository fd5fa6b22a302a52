/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dealproof shuffles --rig and --power as a process, on models in and out of it. */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/process.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

#define RUN(...)                                                                                   \
    process_run((const char *const[]){"shuffles", __VA_ARGS__, NULL}, process_input("", 0))

static char rig[SCRATCH_PATH_SIZE], record[SCRATCH_PATH_SIZE];

static void write_rig(const char *clock, const char *address, const char *fault)
{
    char text[512];
    int length = snprintf(text, sizeof text,
                          "rig: x\nclock: %s\ndevices:\n  shuffler:\n    address: '%s'\n%s%s\n",
                          clock, address, *fault ? "    fault: " : "", fault);

    scratch_path(rig);
    scratch_path(record);
    scratch_write(rig, text, (size_t)length);
}

static void remove_files(void)
{
    unlink(rig);
    unlink(record);
}

static size_t count_lines(const char *text)
{
    size_t count = 0;

    for (; (text = strchr(text, '\n')); text++)
        count++;
    return count;
}

static void expect(struct process_result result, int status, const char *out, const char *err)
{
    CU_ASSERT_EQUAL(result.status, status);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, out));
    CU_ASSERT_PTR_NOT_NULL(strstr(result.err, err));
    CU_ASSERT_EQUAL(!*err, !result.err_length);
    process_free(&result);
}

TEST(the_verdict_on_a_device_is_the_exit_status)
{
    write_rig("virtual", "emu:shuffler", "");
    expect(RUN("--rig", rig, "--count", "1000"), 0,
           "1000 shuffles of DP-SHUF1 S-17, firmware 1.4.2", "");
    expect(RUN("--rig", rig, "--count", "1000"), 0, "\nno evidence against, at", "");
    expect(RUN("--rig", rig, "--count", "5"), 6, "\ntoo few shuffles to say, at", "");
    remove_files();
    write_rig("virtual", "emu:shuffler?shuffle=riffle:7", "");
    expect(RUN("--rig", rig, "--count", "60"), 1, "\nevidence against, at", "");
    expect(RUN("--rig", rig, "--count", "60", "--json"), 1, "\"verdict\":\"evidence against\"", "");
    remove_files();
}

TEST(a_seed_decides_what_an_emulated_device_deals)
{
    struct process_result first, again, other;

    write_rig("virtual", "emu:shuffler", "");
    first = RUN("--rig", rig, "--count", "20", "--seed", "5");
    again = RUN("--rig", rig, "--count", "20", "--seed", "5");
    other = RUN("--rig", rig, "--count", "20", "--seed", "6");
    CU_ASSERT_STRING_EQUAL(first.out, again.out);
    CU_ASSERT_STRING_NOT_EQUAL(first.out, other.out);
    process_free(&first);
    process_free(&again);
    process_free(&other);
    remove_files();
}

TEST(a_recording_is_judged_as_the_device_was)
{
    struct process_result dealt, read;
    char *text;
    size_t length;

    write_rig("virtual", "emu:shuffler?shuffle=shelf:20", "");
    dealt = RUN("--rig", rig, "--count", "30", "--game", "chase-the-flush", "-o", record);
    read = RUN(record);
    CU_ASSERT_EQUAL(dealt.status, 1);
    CU_ASSERT_EQUAL(read.status, 1);
    CU_ASSERT_EQUAL(strncmp(dealt.out, read.out, strlen(read.out)), 0);
    CU_ASSERT_STRING_EQUAL(dealt.out + strlen(read.out),
                           "30 of 30 shuffles that were declared beforehand were dealt\n");
    process_free(&dealt);
    process_free(&read);
    text = scratch_read(record, &length);
    CU_ASSERT_EQUAL(count_lines(text), 31);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"game\":\"chase-the-flush\""));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"device\":\"DP-SHUF1 S-17\",\"firmware\":\"1.4.2\""));
    CU_ASSERT_PTR_NULL(strstr(text, "\"recorded\""));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"before\":"));
    free(text);
    expect(RUN("--rig", rig, "--count", "2", "-o", record), 2, "", "--force replaces it");
    expect(RUN("--rig", rig, "--count", "2", "-o", record, "--force", "--returned", "unknown"), 6,
           "2 shuffles of", "");
    text = scratch_read(record, &length);
    CU_ASSERT_EQUAL(count_lines(text), 3);
    CU_ASSERT_PTR_NULL(strstr(text, "\"before\":"));
    free(text);
    remove_files();
}

TEST(a_device_that_fails_ends_it_after_what_it_dealt_was_judged_and_recorded)
{
    char *text;
    size_t length;

    write_rig("virtual", "emu:shuffler", "missing@shuffle:4");
    expect(RUN("--rig", rig, "--count", "10", "-o", record), 3, "3 shuffles of",
           "shuffle 4: the shuffler reports: missing card");
    text = scratch_read(record, &length);
    CU_ASSERT_EQUAL(count_lines(text), 4);
    free(text);
    remove_files();
    write_rig("virtual", "emu:shuffler", "jam@packet:1");
    expect(RUN("--rig", rig, "--count", "10"), 3, "", "shuffle 1: the shuffler reports: jam");
    remove_files();
    write_rig("virtual", "emu:shuffler?take=0", "");
    expect(RUN("--rig", rig, "--count", "10"), 5, "", "shuffle 1: the shuffler has said nothing");
    remove_files();
}

/* Starts a model as a process; its address into the rig. */
static pid_t start_model(const char *reach, const char *where, const char *time)
{
    const char *const arguments[] = {"emulate", "shuffler", "--shuffle", "riffle:2", "--option",
                                     time,      "--option", "deal=1",    "--option", "take=1",
                                     reach,     where,      NULL};
    int in = process_input("", 0), out[2];
    char line[128] = "";
    size_t length = 0;
    pid_t pid;

    CU_ASSERT_EQUAL_FATAL(pipe2(out, O_CLOEXEC), 0);
    pid = process_start(arguments, in, out[1], STDERR_FILENO);
    close(out[1]);
    close(in);
    while (length + 1 < sizeof line && read(out[0], line + length, 1) == 1 && line[length] != '\n')
        length++;
    line[length] = '\0';
    close(out[0]);
    CU_ASSERT_EQUAL_FATAL(strncmp(line, "ready ", 6), 0);
    write_rig("real", line + 6, "");
    return pid;
}

static void stop_model(pid_t pid)
{
    kill(pid, SIGTERM);
    CU_ASSERT_EQUAL(process_wait_soon(pid), 0);
    remove_files();
}

TEST(a_device_on_a_port_or_a_terminal_is_judged_like_any_other)
{
    static const char *const reach[][2] = {{"--tcp", "0"}, {"--pty", "--seed=1"}};

    for (size_t i = 0; i < 2; i++) {
        pid_t pid = start_model(reach[i][0], reach[i][1], "shuffle=1");
        char *text;
        size_t length;

        expect(RUN("--rig", rig, "--count", "3", "-o", record), 1, "3 shuffles of", "");
        text = scratch_read(record, &length);
        CU_ASSERT_PTR_NULL(strstr(text, "\"before\":"));
        CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"recorded\":\"20"));
        free(text);
        expect(RUN("--rig", rig, "--count", "2", "--returned", "dealt"), 1, "2 shuffles of", "");
        stop_model(pid);
    }
}

/* The recording exists once somebody listens to signals. */
static void wait_for_record(off_t size)
{
    struct stat file = {0};

    for (int i = 0; i < 20000 && (stat(record, &file) || file.st_size < size); i++)
        usleep(1000);
}

static pid_t start_dealing(int out)
{
    const char *const arguments[] = {"shuffles",   "--rig", rig,    "--count",
                                     "1000000000", "-o",    record, NULL};
    int in = process_input("", 0);
    pid_t pid = process_start(arguments, in, out, out);

    close(in);
    return pid;
}

TEST(one_shuffle_that_was_declared_is_told_as_one)
{
    struct process_result result;

    write_rig("virtual", "emu:shuffler", "");
    result = RUN("--rig", rig, "--count", "1", "-o", record);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(result.out, "1 of 1 shuffle that was declared beforehand was dealt\n"));
    process_free(&result);
    remove_files();
}

TEST(an_interrupt_judges_what_there_is)
{
    int out = process_input("", 0);
    char said[64 * 1024] = "", expected[64], *text;
    size_t length;
    pid_t pid;

    write_rig("virtual", "emu:shuffler", "");
    pid = start_dealing(out);
    wait_for_record(100000);
    kill(pid, SIGINT);
    CU_ASSERT_EQUAL(process_wait_soon(pid), 130);
    CU_ASSERT(pread(out, said, sizeof said - 1, 0) > 0);
    text = scratch_read(record, &length);
    snprintf(expected, sizeof expected, "%zu shuffles of DP-SHUF1", count_lines(text) - 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(said, expected));
    CU_ASSERT_PTR_NOT_NULL(strstr(said, "at a significance of"));
    CU_ASSERT_PTR_NOT_NULL(strstr(
        said, " of 1000000000 shuffles that were declared beforehand were dealt; nothing was "
              "shown before, so that the significance stands, but so many show less\n"));
    snprintf(expected, sizeof expected, "interrupted after %zu shuffles", count_lines(text) - 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(said, expected));
    free(text);
    close(out);
    remove_files();
}

TEST(a_second_interrupt_does_not_wait_for_the_device)
{
    pid_t model = start_model("--tcp", "0", "shuffle=3600000"), pid;
    int out = process_input("", 0);

    pid = start_dealing(out);
    wait_for_record(1);
    kill(pid, SIGINT);
    kill(pid, SIGTERM);
    CU_ASSERT_EQUAL(process_wait_soon(pid), 130);
    close(out);
    stop_model(model);
}

TEST(somebody_may_put_the_cards_back_and_say_so)
{
    const char *const arguments[] = {"shuffles", "--rig", rig, "--count", "3", "--prompt", NULL};

    write_rig("virtual", "emu:shuffler?shuffle=riffle:1", "");
    expect(process_run(arguments, process_input("\nback\n\n", 7)), 1, "3 shuffles of",
           "2 of 3: put the cards back and press Enter 3 of 3");
    expect(process_run(arguments, process_input("\n", 1)), 4, "2 shuffles of",
           "nobody says that the cards are back");
    remove_files();
}

TEST(an_interrupt_ends_the_wait_for_the_cards)
{
    const char *const arguments[] = {"shuffles", "--rig", rig,    "--count", "3",
                                     "--prompt", "-o",    record, NULL};
    int quiet[2], out = process_input("", 0);
    char said[64 * 1024] = "";
    pid_t pid;

    write_rig("virtual", "emu:shuffler", "");
    CU_ASSERT_EQUAL_FATAL(pipe2(quiet, O_CLOEXEC), 0);
    pid = process_start(arguments, quiet[0], out, out);
    wait_for_record(1);
    kill(pid, SIGINT);
    CU_ASSERT_EQUAL(process_wait_soon(pid), 130);
    CU_ASSERT(pread(out, said, sizeof said - 1, 0) > 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(said, "interrupted after "));
    close(quiet[0]);
    close(quiet[1]);
    close(out);
    remove_files();
}

TEST(what_cannot_be_meant_is_said)
{
    write_rig("virtual", "emu:shuffler", "");
    expect(RUN("--rig", rig), 2, "", "--rig needs --count");
    expect(RUN("--rig", rig, "--count", "0"), 2, "", "--count is '0'");
    expect(RUN("--rig", rig, "--count", "4294967296"), 2, "", "--count is '4294967296'");
    expect(RUN("--rig", rig, "--count", "1", record), 2, "", "not both");
    expect(RUN("--rig", rig, "--count", "1", "--returned", "up"), 2, "", "--returned is 'up'");
    expect(RUN("--rig", "/nowhere", "--count", "1"), 2, "", "/nowhere");
    expect(RUN("--count", "1", record), 2, "", "are for --rig");
    expect(RUN("--output", record, record), 2, "", "are for --rig");
    expect(RUN("--game", "flush-rush", record), 2, "", "are for --rig");
    expect(RUN("--rig", rig, "--count", "1", "--game", "bingo"), 2, "", "bingo");
    expect(RUN("--power", "--rig", rig), 2, "", "--power deals from models");
    expect(RUN("--power", "riffle"), 2, "", "'riffle' is no way to shuffle");
    expect(RUN("--power", "--count", "10,x"), 2, "", "--count is '10,x'");
    expect(RUN("--power", "--count", "10,10"), 2, "", "that ascend");
    expect(RUN("--power", "--seeds", "0"), 2, "", "--seeds is '0'");
    remove_files();
}

TEST(the_power_table_is_the_same_each_time_and_says_who_was_found)
{
    struct process_result first = RUN("--power", "--seeds", "20", "shelf:10", "uniform", "bias:1");
    struct process_result again = RUN("--power", "--seeds", "20", "shelf:10", "uniform", "bias:1");

    CU_ASSERT_EQUAL(first.status, 0);
    CU_ASSERT_STRING_EQUAL(first.out, again.out);
    CU_ASSERT_PTR_NOT_NULL(strstr(first.out, "evidence at alpha 0.01 in 20 seeds from 1\n"));
    CU_ASSERT_PTR_NOT_NULL(
        strstr(first.out, "\nshelf:10         1.000         1         1     20"));
    CU_ASSERT_PTR_NOT_NULL(strstr(first.out, "one card at one place 20"));
    process_free(&first);
    process_free(&again);
    first = RUN("--power", "--seeds", "4", "--count", "1,3", "--json", "overhand");
    CU_ASSERT_EQUAL(count_lines(first.out), 2);
    CU_ASSERT_PTR_EQUAL(strstr(first.out, "{\"method\":\"overhand\",\"shuffles\":1,\"seeds\":4,"
                                          "\"found\":4,"),
                        first.out);
    CU_ASSERT_PTR_NOT_NULL(strstr(first.out, "\"first\":{\"adjacent pairs kept\":4}}\n"));
    process_free(&first);
}

/* Two decks that are riffled once: each order says much of the one before the last. */
TEST(orders_of_two_decks_are_set_against_those_of_the_same_deck)
{
    char text[] = "rig: x\nclock: virtual\ndecks: 2\ndevices:\n"
                  "  shuffler: {address: 'emu:shuffler?decks=2,shuffle=riffle:1'}\n";
    struct process_result read, single;
    size_t length;
    char *recorded;

    scratch_path(rig);
    scratch_path(record);
    scratch_write(rig, text, sizeof text - 1);
    unlink(record);
    expect(RUN("--rig", rig, "--count", "8", "-o", record), 1, "\nevidence against, at", "");
    recorded = scratch_read(record, &length);
    CU_ASSERT_PTR_NOT_NULL(strstr(recorded, "\"decks\":2"));
    CU_ASSERT_PTR_NOT_NULL(strstr(recorded, "{\"round\":8,\"deck-id\":2,\"deck\":\""));
    read = RUN(record);
    CU_ASSERT_EQUAL(read.status, 1);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(read.out, "6 orders, each against the order that went in; mean 2, due 26.5"));
    process_free(&read);
    memcpy(strstr(text, "decks: 2"), "seats: 7", 8);
    scratch_write(rig, text, sizeof text - 1);
    single = RUN("--rig", rig, "--count", "8");
    CU_ASSERT_PTR_NOT_NULL(strstr(single.out, "7 orders, each against the order that went in; "));
    CU_ASSERT_PTR_NULL(strstr(single.out, "mean 2, due 26.5"));
    process_free(&single);
    free(recorded);
    remove_files();
}
