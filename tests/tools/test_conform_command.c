/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `dealproof conform` as a process: what it prints, how it ends, and real links. */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/process.h"
#include "tests/support/suite.h"

#define PATIENCE 120000 /* milliseconds until a process that says nothing is taken for dead */

static struct process_result run(const char *const *arguments)
{
    return process_run(arguments, open("/dev/null", O_RDONLY | O_CLOEXEC));
}

#define RUN(...) run((const char *const[]){"conform", __VA_ARGS__, NULL})

static void expect(struct process_result result, int status, const char *within)
{
    bool is_said = strstr(result.out, within) || strstr(result.err, within);

    if (result.status != status || !is_said)
        printf("%d, without '%s':\n%.2000s%s", result.status, within, result.out, result.err);
    CU_ASSERT_EQUAL(result.status, status);
    CU_ASSERT_TRUE(is_said);
    process_free(&result);
}

#define SHUFFLER "emu:shuffler", "--class", "shuffler"
#define TERMINAL                                                                                   \
    "emu:terminal", "--class", "terminal", "--code", "4711", "--admin-code", "86420", "--alter"

TEST(a_device_that_keeps_the_page_ends_with_0_and_another_with_1)
{
    expect(RUN(SHUFFLER), 0, "\n99 pass, 0 fail, 67 not offered, 41 not to be seen\n");
    expect(RUN(SHUFFLER), 0, "\npass           SH12  SHUFFLE; yes; 6; yes; 6; 4; 4; 5\n");
    expect(RUN(SHUFFLER), 0, "\nnot to be seen C6    The host numbers its requests");
    expect(RUN("emu:shuffler?fault=misstated@byte:6", "--class", "shuffler"), 1,
           "\n    STATUS has 45 cards in the device, not 44\n         0.000 s host   07 01 01 03");
    expect(RUN(TERMINAL), 0, "146 pass, 0 fail, 65 not offered, 23 not to be seen\n");
}

TEST(frames_of_what_passes_are_shown_where_all_are_asked_for)
{
    expect(RUN(SHUFFLER, "--only", "SH32"), 0,
           "pass           SH32  1 Flush Rush; one of 4 for each hand, one of 4 for the board\n"
           "1 pass, 0 fail, 0 not offered, 0 not to be seen\n");
    expect(RUN(SHUFFLER, "--only", "SH32", "--all"), 0,
           "for the board\n         0.000 s host   07 01 01 10");
}

static unsigned lines_of(const char *text)
{
    unsigned lines = 0;

    while ((text = strchr(text, '\n'))) {
        text++;
        lines++;
    }
    return lines;
}

TEST(json_has_a_line_for_each_sentence_and_one_with_the_totals)
{
    struct process_result result = RUN(SHUFFLER, "--json");

    CU_ASSERT_EQUAL(result.status, 0);
    CU_ASSERT_EQUAL(lines_of(result.out), 99 + 67 + 41 + 1);
    CU_ASSERT_EQUAL(strncmp(result.out, "{\"id\":\"F1\",\"verdict\":\"pass\",\"text\":\"", 36), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "\"from\":\"device\",\"bytes\":\"06 01 01 83"));
    CU_ASSERT_PTR_NOT_NULL(strstr(
        result.out,
        "{\"id\":\"C6\",\"verdict\":\"not to be seen\",\"text\":\"The host numbers its requests"));
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "\"why\":\"it binds the host\",\"frames\":[]}\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out,
                                  "\n{\"totals\":{\"pass\":99,\"fail\":0,\"not offered\":67,"
                                  "\"not to be seen\":41}}\n"));
    process_free(&result);
}

TEST(codes_are_in_nothing_that_is_printed)
{
    struct process_result result = RUN(TERMINAL, "--json");

    CU_ASSERT_EQUAL(result.status, 0);
    CU_ASSERT_PTR_NULL(strstr(result.out, "34 37 31 31"));    /* 4711 */
    CU_ASSERT_PTR_NULL(strstr(result.out, "38 36 34 32 30")); /* 86420 */
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "0a 30 30 30 30"));
    process_free(&result);
}

TEST(what_is_no_use_of_the_command_ends_with_2)
{
    expect(RUN("--class", "shoe"), 2, "one address is needed");
    expect(RUN("emu:shoe", "emu:shoe", "--class", "shoe"), 2, "one address is needed");
    expect(RUN("emu:shoe"), 2, "Write --class CLASS");
    expect(RUN("emu:shoe", "--class", "roulette"), 2, "'roulette' is no class");
    expect(RUN("emu:none", "--class", "shoe"), 2, "there is no model 'none'");
    expect(RUN("emu:terminal", "--class", "terminal", "--code", "12"), 2, "4 to 8 digits");
    expect(RUN(SHUFFLER, "--only", "T1"), 2, "sentence T1 is of class terminal");
    expect(RUN("emu:angel-eye", "--class", "shoe"), 2, "speaks 'angel-eye'");
    expect(RUN("emu:shoe", "--class", "shuffler"), 2, "write --class shoe");
}

TEST(a_device_that_is_gone_ends_with_3_and_what_was_found_is_told)
{
    expect(RUN("tcp:127.0.0.1:1", "--class", "shoe"), 3, "refused the connection");
    expect(RUN("emu:shuffler?fault=unplug@frames:100", "--class", "shuffler"), 3,
           "pass           F1 ");
    expect(RUN("emu:shuffler?fault=unplug@frames:100", "--class", "shuffler"), 3,
           " 0 fail, 0 not offered, ");
}

struct emulated {
    pid_t pid;
    int out;
    char address[128];
};

static struct emulated start(const char *const *arguments)
{
    struct emulated device;
    char line[128];
    size_t length = 0;
    int out[2], null = open("/dev/null", O_RDWR | O_CLOEXEC);

    CU_ASSERT_EQUAL_FATAL(pipe2(out, O_CLOEXEC), 0);
    device.pid = process_start(arguments, null, out[1], null);
    device.out = out[0];
    close(out[1]);
    close(null);
    do {
        struct pollfd polled = {.fd = device.out, .events = POLLIN};

        CU_ASSERT_EQUAL_FATAL(poll(&polled, 1, PATIENCE), 1);
        CU_ASSERT_EQUAL_FATAL(read(device.out, line + length, 1), 1);
    } while (line[length++] != '\n' && length < sizeof line);
    line[length - 1] = '\0';
    CU_ASSERT_EQUAL_FATAL(strncmp(line, "ready ", 6), 0);
    snprintf(device.address, sizeof device.address, "%s", line + 6);
    return device;
}

static void stop(struct emulated *device)
{
    kill(device->pid, SIGTERM);
    process_wait_soon(device->pid);
    close(device->out);
}

#define START(...) start((const char *const[]){"emulate", __VA_ARGS__, NULL})

TEST(devices_are_tried_over_tcp_and_a_pseudo_terminal)
{
    struct emulated shuffler = START("shuffler", "--tcp", "0");
    struct emulated unit = START("bet-sensor", "--pty");

    expect(RUN(shuffler.address, "--class", "shuffler", "--only", "SH36"), 0,
           "pass           SH36 ");
    expect(RUN(unit.address, "--class", "sensors", "--only", "C9"), 0, "pass           C9 ");
    stop(&shuffler);
    stop(&unit);
}

TEST(nobody_who_answers_ends_with_5)
{
    struct emulated shuffler = START("shuffler", "--pty");

    kill(shuffler.pid, SIGSTOP);
    expect(RUN(shuffler.address, "--class", "shuffler"), 5, "nobody answers HELLO");
    kill(shuffler.pid, SIGCONT);
    stop(&shuffler);
}

/* A signal while it waits for a shuffle: the device is idle and out of test mode again. */
TEST(an_interrupted_run_ends_with_130_and_takes_the_device_back)
{
    struct emulated shuffler =
        START("shuffler", "--tcp", "0", "--option", "shuffle=3000", "--option", "seed=5");
    const char *const arguments[] = {"conform", shuffler.address, "--class", "shuffler",
                                     "--only",  "SH43",           NULL};
    int null = open("/dev/null", O_RDWR | O_CLOEXEC), out[2];
    char told[4096] = "";
    pid_t pid;

    CU_ASSERT_EQUAL_FATAL(pipe2(out, O_CLOEXEC), 0);
    pid = process_start(arguments, null, out[1], null);
    usleep(2500000);
    kill(pid, SIGINT);
    CU_ASSERT_EQUAL(process_wait_soon(pid), 130);
    close(null);
    close(out[1]);
    CU_ASSERT(read(out[0], told, sizeof told - 1) > 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(told, "0 pass, 0 fail, 0 not offered, 1 not to be seen\n"));
    close(out[0]);
    expect(RUN(shuffler.address, "--class", "shuffler", "--only", "SH16"), 0,
           "pass           SH16 ");
    stop(&shuffler);
}
