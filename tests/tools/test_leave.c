/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How devices are left: real-clock runs on emulated devices in other processes are ended in the
 * middle of a round, and the devices asked afterwards what they are doing.
 */
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

#define RECORDING "fixtures/chase-the-flush/must-hit-award.shoe"

struct table {
    pid_t shuffler, terminal;
    char rig[SCRATCH_PATH_SIZE];
};

/* Starts an emulated device: its address is where it said that it is ready. */
static pid_t start(const char *const *arguments, char address[64])
{
    int ends[2], null = open("/dev/null", O_RDWR | O_CLOEXEC);
    char line[80] = "";
    FILE *said;
    pid_t pid;

    CU_ASSERT_EQUAL_FATAL(pipe2(ends, O_CLOEXEC), 0);
    pid = process_start(arguments, null, ends[1], null);
    close(ends[1]);
    close(null);
    said = fdopen(ends[0], "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(fgets(line, sizeof line, said));
    fclose(said);
    CU_ASSERT_EQUAL_FATAL(sscanf(line, "ready %63s", address), 1);
    return pid;
}

/* A shuffler and a terminal, the rig file with `more` fields of the terminal. */
static void lay(struct table *table, const char *shuffle, const char *more)
{
    const char *const shuffler[] = {"emulate",  "shuffler", "--tcp",    "0",
                                    "--option", shuffle,    "--option", "deal=20",
                                    "--option", "take=20",  NULL};
    const char *const terminal[] = {"emulate", "terminal", "--tcp", "0", NULL};
    char shuffler_at[64], terminal_at[64], text[400];

    table->shuffler = start(shuffler, shuffler_at);
    table->terminal = start(terminal, terminal_at);
    scratch_path(table->rig);
    snprintf(text, sizeof text,
             "rig: live\nclock: real\ndevices:\n  shuffler: {address: '%s'}\n"
             "  terminal: {address: '%s'%s}\n",
             shuffler_at, terminal_at, more);
    scratch_write(table->rig, text, strlen(text));
}

static void clear(const struct table *table)
{
    kill(table->shuffler, SIGTERM);
    kill(table->terminal, SIGTERM);
    process_wait(table->shuffler, NULL);
    process_wait(table->terminal, NULL);
    unlink(table->rig);
}

/* What the command says of the bench, its status before it; to be freed. */
static char *ask(const struct table *table, const char *command)
{
    const char *const arguments[] = {command, "--rig", table->rig, NULL};
    struct process_result result = process_run(arguments, open("/dev/null", O_RDONLY | O_CLOEXEC));
    char *text = NULL;

    CU_ASSERT_TRUE_FATAL(asprintf(&text, "%d\n%s%s", result.status, result.out, result.err) > 0);
    process_free(&result);
    return text;
}

static bool says(const struct table *table, const char *command, const char *words)
{
    char *text = ask(table, command);
    bool is_there = strstr(text, words) != NULL;

    if (!is_there)
        printf("no '%s' in: %s\n", words, text);
    free(text);
    return is_there;
}

#define AT_REST "0\nshuffler: idle; nothing had to be done\nterminal: no round is open; nothing had"

static bool has_told(const char *journal, const char *event)
{
    size_t length;
    char *text = access(journal, F_OK) ? NULL : scratch_read(journal, &length);
    bool has = text && strstr(text, event);

    free(text);
    return has;
}

static void await_round(const char *journal)
{
    bool is_there = false;

    for (int i = 0; i < 2000 && !is_there; i++) {
        usleep(10000);
        is_there = has_told(journal, "\"event\":\"lights\"");
    }
    CU_ASSERT_TRUE(is_there);
}

/*
 * The run is in the middle of its first shuffle, whose end it waits for, when it is ended;
 * `in_time` says whether it was, where that matters.
 */
static int end_run(const struct table *table, int number, unsigned times, bool *in_time)
{
    int status;
    char journal[SCRATCH_PATH_SIZE];
    const char *const arguments[] = {"run",       "--rig", table->rig, "--repeat", "50",
                                     "--journal", journal, RECORDING,  NULL};
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    pid_t pid;

    scratch_path(journal);
    unlink(journal);
    pid = process_start(arguments, null, null, null);
    await_round(journal);
    for (unsigned i = 0; i < times; i++)
        process_signal(pid, number);
    close(null);
    status = process_wait_soon(pid);
    if (in_time)
        *in_time = !has_told(journal, "\"event\":\"shuffled\"");
    unlink(journal);
    return status;
}

TEST(a_run_that_is_ended_by_a_signal_leaves_its_devices_as_it_found_them)
{
    static const int numbers[] = {SIGTERM, SIGHUP, SIGINT};
    struct table table;

    lay(&table, "shuffle=1500", "");
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        CU_ASSERT_EQUAL(end_run(&table, numbers[i], 1, NULL), 130);
        CU_ASSERT_TRUE(says(&table, "reset", AT_REST));
    }
    CU_ASSERT_EQUAL(end_run(&table, SIGINT, 2, NULL), 130);
    CU_ASSERT_TRUE(says(&table, "reset", AT_REST));
    clear(&table);
}

/*
 * What reset says of devices whose run was killed in a shuffle; to be freed. A machine that is busy
 * may kill it before the shuffle has begun or when it is over: then it is tried again.
 */
static char *reset_after_a_kill(const struct table *table)
{
    for (unsigned i = 0; i < 20; i++) {
        bool in_time;
        char *text;

        CU_ASSERT_EQUAL(end_run(table, SIGKILL, 1, &in_time), 128 + SIGKILL);
        CU_ASSERT_TRUE(says(table, "doctor", "warn shuffler: it is in test mode"));
        CU_ASSERT_TRUE(says(table, "doctor", "warn terminal: it is in test mode"));
        text = ask(table, "reset");
        if (in_time && strncmp(text, "0\nshuffler: idle,", 17) != 0)
            return text;
        free(text);
    }
    CU_FAIL_FATAL("no run was killed in its shuffle");
    return NULL;
}

TEST(what_a_killed_run_has_left_is_told_and_can_be_reset)
{
    static const char left[] = ", in test mode; its deck was returned, it has left test mode\n"
                               "terminal: the round is open, in test mode; its round was "
                               "cancelled, it has left test mode\n";
    struct table table;
    char *text;

    lay(&table, "shuffle=1500", "");
    /* The shuffler has gone on: it has shuffled, if that took its time. */
    text = reset_after_a_kill(&table);
    CU_ASSERT_TRUE(!strncmp(text, "0\nshuffler: shuffling,", 22) ||
                   !strncmp(text, "0\nshuffler: ready,", 18));
    CU_ASSERT_TRUE(strstr(text, left) == text + strcspn(text, ","));
    free(text);
    CU_ASSERT_TRUE(says(&table, "reset", AT_REST));
    clear(&table);
}

TEST(a_device_that_is_not_there_is_named_and_the_others_are_reset)
{
    struct table table;

    lay(&table, "shuffle=100", "");
    kill(table.terminal, SIGTERM);
    process_wait(table.terminal, NULL);
    CU_ASSERT_TRUE(says(&table, "reset", "3\nshuffler: idle; nothing had to be done\n"));
    CU_ASSERT_TRUE(says(&table, "reset", ": the terminal: tcp:"));
    kill(table.shuffler, SIGTERM);
    process_wait(table.shuffler, NULL);
    unlink(table.rig);
}

static int play(const struct table *table, const char *words)
{
    const char *const arguments[] = {
        "run", "--rig", table->rig, "fixtures/chase-the-flush/two-winners-of-one-meter.shoe", NULL};

    return process_status_with(process_run(arguments, open("/dev/null", O_RDONLY | O_CLOEXEC)),
                               words);
}

TEST(a_code_that_the_terminal_does_not_accept_is_a_mistake_of_the_rig_file)
{
    struct table table;

    lay(&table, "shuffle=100", ", code: '1234'");
    CU_ASSERT_EQUAL(play(&table, ": devices.terminal.code: the terminal at tcp:"), 2);
    CU_ASSERT_TRUE(says(&table, "reset", AT_REST));
    CU_ASSERT_TRUE(says(&table, "doctor", "This bench is ready."));
    clear(&table);
    lay(&table, "shuffle=100", ", admin: '12345'");
    CU_ASSERT_EQUAL(play(&table, ": devices.terminal.admin: the terminal at tcp:"), 2);
    CU_ASSERT_TRUE(says(&table, "reset", AT_REST));
    CU_ASSERT_TRUE(says(&table, "doctor", "FAIL terminal admin: the terminal does not accept"));
    clear(&table);
}

TEST(a_doctor_leaves_devices_as_it_found_them_and_locks_nobody_out)
{
    struct table table;

    lay(&table, "shuffle=100", ", code: '1234'");
    for (unsigned i = 0; i < 4; i++) {
        CU_ASSERT_TRUE(says(&table, "doctor", "ok   shuffler test mode: it goes into it and out"));
        CU_ASSERT_TRUE(says(&table, "doctor", "warn terminal code: not tried: a code that is"));
        CU_ASSERT_TRUE(says(&table, "reset", AT_REST));
    }
    CU_ASSERT_EQUAL(play(&table, ": devices.terminal.code: the terminal at tcp:"), 2);
    clear(&table);
    lay(&table, "shuffle=100", "");
    CU_ASSERT_TRUE(says(&table, "doctor", "ok   terminal admin: "));
    CU_ASSERT_EQUAL(play(&table, "1 pass"), 0);
    clear(&table);
}

/* How a run ends whose shuffler, or terminal, leaves after so many frames; -1 where that is not
 * told, or a check failed for it. */
static int leave_after(const char *device, unsigned frames)
{
    char rig[SCRATCH_PATH_SIZE], journal[SCRATCH_PATH_SIZE], text[512], *told;
    const char *const arguments[] = {"run", "--rig", rig, "--journal", journal, RECORDING, NULL};
    bool is_terminal = !strcmp(device, "terminal");
    struct process_result result;
    char fault[64];
    size_t length;
    int status;

    scratch_path(rig);
    scratch_path(journal);
    snprintf(fault, sizeof fault, "?fault=unplug@frames:%u", frames);
    snprintf(text, sizeof text,
             "rig: leaving\nclock: virtual\ndevices:\n  shuffler: {address: 'emu:shuffler%s'}\n"
             "  terminal: {address: 'emu:terminal%s', code: '4711'}\n",
             is_terminal ? "" : fault, is_terminal ? fault : "");
    scratch_write(rig, text, strlen(text));
    result = process_run(arguments, process_input("", 0));
    status = !result.status || strstr(result.err, "is gone") ? result.status : -1;
    process_free(&result);
    if (!access(journal, F_OK)) { /* it has begun */
        told = scratch_read(journal, &length);
        status = strstr(told, "\"result\":\"fail\"") ? -1 : status;
        free(told);
    }
    unlink(rig);
    unlink(journal);
    return status;
}

static void leave_at_each(const char *device)
{
    unsigned frames = 1, gone = 0;
    int status;

    while ((status = leave_after(device, frames)) && frames < 400) {
        CU_ASSERT_EQUAL(status, 3);
        gone += status == 3;
        frames++;
    }
    CU_ASSERT(gone > 20);
    CU_ASSERT_EQUAL(status, 0); /* it has sent all before it would leave */
}

TEST(a_device_that_leaves_is_told_as_gone_and_fails_no_check)
{
    leave_at_each("shuffler");
    leave_at_each("terminal");
}
