/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/process.h"
#include "tests/support/rounds.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

#define ROUNDS 2000 /* their results fill a pipe many times over */

/* The process reads its signals from a descriptor; said by /proc. */
static bool reads_signals(pid_t pid)
{
    char path[64], target[64];
    bool found = false;

    for (int fd = 0; fd < 16 && !found; fd++) {
        ssize_t length;

        snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)pid, fd);
        length = readlink(path, target, sizeof target - 1);
        target[length < 0 ? 0 : length] = '\0';
        found = strstr(target, "signalfd") != NULL;
    }
    return found;
}

/* Until then a signal would end the program by itself. */
static void wait_until_it_takes_signals(pid_t pid)
{
    for (int i = 0; i < 20000 && !reads_signals(pid); i++)
        usleep(1000);
}

static int status_at_a_pipe_without_a_writer(int signal_number)
{
    char folder[] = "/tmp/test_interrupt.XXXXXX", path[64];
    const char *const arguments[] = {"settle", path, NULL};
    int null = open("/dev/null", O_RDWR | O_CLOEXEC), status;
    pid_t pid;

    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/fifo", folder);
    CU_ASSERT_EQUAL_FATAL(mkfifo(path, 0600), 0);
    pid = process_start(arguments, null, null, null);
    wait_until_it_takes_signals(pid);
    kill(pid, signal_number);
    status = process_wait_soon(pid);
    unlink(path);
    rmdir(folder);
    close(null);
    return status;
}

TEST(waiting_for_a_writer_can_be_interrupted)
{
    CU_ASSERT_EQUAL(status_at_a_pipe_without_a_writer(SIGTERM), 130);
    CU_ASSERT_EQUAL(status_at_a_pipe_without_a_writer(SIGINT), 130);
}

TEST(a_named_pipe_is_read_once_somebody_writes)
{
    char folder[] = "/tmp/test_interrupt.XXXXXX", path[64];
    const char *const arguments[] = {"settle", path, NULL};
    static const char header[] = "{\"shoe\":1,\"game\":\"flush-rush\"}\n{}\n";
    int null = open("/dev/null", O_RDWR | O_CLOEXEC), writer;
    pid_t pid;

    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/fifo", folder);
    CU_ASSERT_EQUAL_FATAL(mkfifo(path, 0600), 0);
    pid = process_start(arguments, null, null, null);
    wait_until_it_takes_signals(pid);
    writer = open(path, O_WRONLY | O_CLOEXEC);
    CU_ASSERT_EQUAL(write(writer, header, sizeof header - 1), (ssize_t)sizeof header - 1);
    close(writer);
    CU_ASSERT_EQUAL(process_wait_soon(pid), 1);
    unlink(path);
    rmdir(folder);
    close(null);
}

/* Settles more than a pipe holds into one that nobody reads; with `also_errors` both outputs. */
static pid_t settle_into(const int pipe_ends[2], bool also_errors)
{
    const char *const arguments[] = {"settle", "-", NULL};
    int rounds = memfd_create("rounds", MFD_CLOEXEC);
    int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
    struct pollfd begun = {.fd = pipe_ends[0], .events = POLLIN};
    pid_t pid;

    CU_ASSERT_EQUAL_FATAL(rounds_write(rounds, 6, ROUNDS, 1), 0);
    if (also_errors)
        for (int i = 0; i < ROUNDS; i++)
            CU_ASSERT_EQUAL(write(rounds, "{}\n", 3), 3);
    CU_ASSERT_EQUAL(lseek(rounds, 0, SEEK_SET), 0);
    pid = process_start(arguments, rounds, pipe_ends[1], also_errors ? pipe_ends[1] : null);
    CU_ASSERT_EQUAL(poll(&begun, 1, 20000), 1);
    close(rounds);
    close(null);
    return pid;
}

/* What is left in a pipe that nobody writes to any more: whole lines, or nothing. */
static bool whole_lines(int fd)
{
    char text[4096], last = '\n';
    ssize_t length;

    while ((length = read(fd, text, sizeof text)) > 0)
        last = text[length - 1];
    return length == 0 && last == '\n';
}

TEST(an_output_that_nobody_reads_can_be_interrupted)
{
    static const int flags[] = {0, O_NONBLOCK};

    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        int ends[2];
        pid_t pid;

        CU_ASSERT_EQUAL_FATAL(pipe2(ends, O_CLOEXEC), 0);
        fcntl(ends[1], F_SETFL, flags[i]);
        pid = settle_into(ends, false);
        kill(pid, SIGTERM);
        CU_ASSERT_EQUAL(process_wait_soon(pid), 130);
        close(ends[1]);
        CU_ASSERT(whole_lines(ends[0]));
        close(ends[0]);
    }
}

TEST(errors_that_nobody_reads_can_be_interrupted)
{
    int ends[2];
    pid_t pid;

    CU_ASSERT_EQUAL_FATAL(pipe2(ends, O_CLOEXEC), 0);
    pid = settle_into(ends, true);
    kill(pid, SIGINT);
    CU_ASSERT_EQUAL(process_wait_soon(pid), 130);
    close(ends[0]);
    close(ends[1]);
}

TEST(an_output_that_does_not_block_gets_every_line)
{
    char text[4096];
    size_t lines = 0;
    ssize_t length;
    int ends[2];
    pid_t pid;

    CU_ASSERT_EQUAL_FATAL(pipe2(ends, O_CLOEXEC), 0);
    fcntl(ends[1], F_SETFL, O_NONBLOCK);
    pid = settle_into(ends, false);
    close(ends[1]);
    while ((length = read(ends[0], text, sizeof text)) > 0)
        for (ssize_t i = 0; i < length; i++)
            lines += text[i] == '\n';
    CU_ASSERT_EQUAL(process_wait_soon(pid), 0);
    CU_ASSERT_EQUAL(lines, ROUNDS);
    close(ends[0]);
}

/* What a command says whose shuffler takes its time, and is stopped so often; its exit status. */
static int stop_on_slow_rig(const char *rig, const char *command, int times, char text[1024])
{
    char path[SCRATCH_PATH_SIZE];
    const char *const arguments[] = {command, "--rig", path,
                                     "fixtures/flush-rush/evening-of-six-seats.shoe", NULL};
    int null = open("/dev/null", O_RDWR | O_CLOEXEC), said = memfd_create("said", MFD_CLOEXEC);
    int status;
    pid_t pid;

    scratch_path(path);
    scratch_write(path, rig, strlen(rig));
    pid = process_start(arguments, null, null, said);
    wait_until_it_takes_signals(pid);
    while (times--)
        process_signal(pid, SIGINT);
    status = process_wait_soon(pid);
    text[0] = '\0';
    CU_ASSERT(pread(said, text, 1023, 0) > 0);
    scratch_remove(path);
    close(said);
    close(null);
    return status;
}

/* Tried often, since the moment is short in which nobody could interrupt it. */
TEST(a_run_whose_journal_can_be_found_takes_signals)
{
    static const char rig[] = "{rig: slow, clock: real, devices: {shuffler: {address: "
                              "'emu:shuffler?shuffle=600000'}}}";
    char path[SCRATCH_PATH_SIZE], journal[SCRATCH_PATH_SIZE];
    const char *const arguments[] = {"observe", "--rig",     path,    "--game", "flush-rush",
                                     "--quiet", "--journal", journal, NULL};
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);

    scratch_path(path);
    scratch_path(journal);
    scratch_write(path, rig, sizeof rig - 1);
    for (int i = 0; i < 10; i++) {
        pid_t pid = process_start(arguments, null, null, null);
        siginfo_t ended = {0};

        while (access(journal, F_OK) && !ended.si_pid)
            waitid(P_PID, (id_t)pid, &ended, WEXITED | WNOHANG | WNOWAIT);
        CU_ASSERT(reads_signals(pid));
        kill(pid, SIGKILL);
        CU_ASSERT_EQUAL(process_wait(pid, NULL), 128 + SIGKILL);
        scratch_remove(journal);
    }
    scratch_remove(path);
    close(null);
}

/* A shuffler that is sound for longer than anybody waits here. */
TEST(minimise_that_is_stopped_says_no_more_than_was_seen)
{
    static const char rig[] = "{rig: slow, clock: real, devices: {shuffler: {address: "
                              "'emu:shuffler?shuffle=300,fault=missing@shuffle:59'}}}";
    char text[1024] = "";

    CU_ASSERT_EQUAL(stop_on_slow_rig(rig, "minimise", 1, text), 130);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(text, "six-seats.shoe: stopped before anything had failed there"));
    CU_ASSERT_PTR_NULL(strstr(text, "case.shoe"));
}

/* Reads what comes until it has these words, or its end. */
static bool comes(int from, char text[4096], const char *words)
{
    size_t length = strlen(text);
    ssize_t got;

    while (!(words && strstr(text, words)) && length < 4095 &&
           (got = read(from, text + length, 4095 - length)) > 0)
        text[length += (size_t)got] = '\0';
    return words && strstr(text, words);
}

TEST(a_round_that_is_cut_short_is_told_once_and_of_no_device)
{
    static const char rig[] = "{rig: slow, clock: real, devices: {shuffler: {address: "
                              "'emu:shuffler?shuffle=600000'}}}";
    char path[SCRATCH_PATH_SIZE], text[4096] = "";
    const char *const arguments[] = {
        "run", "--json", "--rig", path, "fixtures/flush-rush/evening-of-six-seats.shoe", NULL};
    int null = open("/dev/null", O_RDWR | O_CLOEXEC), ends[2];
    pid_t pid;

    scratch_path(path);
    scratch_write(path, rig, sizeof rig - 1);
    CU_ASSERT_EQUAL_FATAL(pipe2(ends, O_CLOEXEC), 0);
    pid = process_start(arguments, null, ends[1], ends[1]);
    close(ends[1]);
    CU_ASSERT(comes(ends[0], text, "{\"wait\":{\"for\":\"shuffled\""));
    process_signal(pid, SIGINT);
    process_signal(pid, SIGINT);
    CU_ASSERT_EQUAL(process_wait_soon(pid), 130);
    comes(ends[0], text, NULL);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "stopped by a person in round 1"));
    CU_ASSERT_PTR_NULL(strstr(text, "emu:shuffler"));
    scratch_remove(path);
    close(ends[0]);
    close(null);
}
