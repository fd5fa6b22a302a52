/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What dealproof emulate refuses, and what its help teaches. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "devices/model.h"
#include "tests/support/process.h"
#include "tests/support/suite.h"

#define ARGUMENTS(...)                                                                             \
    (const char *const[])                                                                          \
    {                                                                                              \
        "emulate", __VA_ARGS__, NULL                                                               \
    }

static void expect_refusal(const char *const *arguments, int status, const char *words)
{
    struct process_result result = process_run(arguments, process_input("", 0));

    CU_ASSERT_EQUAL(result.status, status);
    CU_ASSERT_EQUAL(result.out_length, 0);
    CU_ASSERT_EQUAL(strncmp(result.err, "dealproof emulate: ", 19), 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.err, words));
    if (!strstr(result.err, words))
        fprintf(stderr, "not '%s' but: %s", words, result.err);
    process_free(&result);
}

TEST(bad_usage_is_named_and_ends_with_status_2)
{
    static const struct {
        const char *arguments[6];
        const char *words;
    } wrong[] = {
        {{"emulate"}, "no device given"},
        {{"emulate", "dice", "--pty"}, "shoe, shuffler, terminal"},
        {{"emulate", "shuffler", "shoe", "--pty"}, "'shoe' is the second"},
        {{"emulate", "bet-sensor", "--usbip", "0"}, "no bet-sensor has a USB plug"},
        {{"emulate", "bet-sensor", "--pty", "--shoe", "-"}, "a bet-sensor deals no cards"},
        {{"emulate", "bet-sensor", "--pty", "--fault", "dark@seat:8"}, "N from 1 to 7"},
        {{"emulate", "bet-sensor", "--pty", "--option", "draw=1"}, "it has seed=N, serial=TEXT"},
        {{"emulate", "shuffler"}, "Give --pty, --tty, --tcp or --usbip"},
        {{"emulate", "shuffler", "--tty", "/dev/null"}, "/dev/null is no serial line"},
        {{"emulate", "shuffler", "--pty", "--tcp", "0"}, "only once"},
        {{"emulate", "shuffler", "--pty", "--pty"}, "only once"},
        {{"emulate", "shuffler", "--tcp"}, "--tcp needs a value"},
        {{"emulate", "shuffler", "--udp", "1"}, "unknown option '--udp'"},
        {{"emulate", "shuffler", "--tcp", "70000"}, "'70000' is not a port"},
        {{"emulate", "shuffler", "--usbip", "fd:x"}, "'x' is not a port"},
        {{"emulate", "shuffler", "--usbip", "fd:77"}, "descriptor 77 is not a connected socket"},
        {{"emulate", "angel-eye", "--usbip", "0"}, "no angel-eye has a USB plug"},
        {{"emulate", "shuffler", "--pty", "--seed", "x"}, "seed=x"},
        {{"emulate", "shuffler", "--pty", "--fault", "dance"}, "it has jam, misread"},
        {{"emulate", "terminal", "--pty", "--fault", "jam@packet:1"}, "it has unplug, power"},
        {{"emulate", "shoe", "--pty", "--fault", "jam@card:1,seed=4"}, "one with each --fault"},
        {{"emulate", "shuffler", "--pty", "--fault", ""}, "--fault is empty"},
        {{"emulate", "shuffler", "--pty", "--option", "speed=9"}, "it has seed=N, shuffle=MS"},
        {{"emulate", "shuffler", "--pty", "--shuffle", "riffle"}, "'riffle' is no way to shuffle"},
        {{"emulate", "shuffler", "--pty", "--shuffle", "500"}, "'500' is no way to shuffle"},
        {{"emulate", "shuffler", "--pty", "--shuffle", "riffle:7,deal=1"}, "no way to shuffle"},
        {{"emulate", "shuffler", "--pty", "--option", "shuffle=shelf"}, "no way to shuffle"},
        {{"emulate", "shoe", "--pty", "--shuffle", "uniform"}, "a shoe does not shuffle"},
        {{"emulate", "shuffler", "--pty", "--option", "deal"}, "write KEY=VALUE"},
        {{"emulate", "shuffler", "--pty", "--option", "=1"}, "write KEY=VALUE"},
        {{"emulate", "shuffler", "--pty", "--option", "deal=1,take=1"}, "write KEY=VALUE"},
        {{"emulate", "shuffler", "--pty", "--option", "fault=jam@packet:1"}, "write --fault jam"},
        {{"emulate", "terminal", "--pty", "--shoe", "-"}, "a terminal deals no cards"},
        {{"emulate", "shuffler", "--pty", "--shoe", "/nowhere"}, "/nowhere: cannot open"},
        {{"emulate", "shuffler", "--pty", "--shoe", "/tmp"}, "is a directory"},
        {{"emulate", "shuffler", "--pty", "--shoe", "-"}, "standard input: there is no round"},
    };

    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        expect_refusal(wrong[i].arguments, 2, wrong[i].words);
}

TEST(a_recording_that_cannot_be_played_is_named_with_its_line)
{
    static const struct {
        const char *text, *words;
    } wrong[] = {
        {"{\"shoe\":1,\"game\":\"flush-rush\"}\n", "standard input: there is no round in it"},
        {"{\"shoe\":2,\"game\":\"flush-rush\"}\n", "standard input:1: "},
        {"{\"shoe\":1,\"game\":\"chase-the-flush\",\"deal\":\"cards\"}\n",
         "standard input:1: it was dealt card by card and a shuffler deals packets"},
        {"{\"shoe\":1,\"game\":\"flush-rush\"}\n{\"round\":1}\n", "standard input:2: "},
        {"{\"shoe\":1,\"game\":\"flush-rush\"}\n{\"round\":1,\"bets\":{\"2\":{\"ante\":500}},"
         "\"dealt\":[\"As Ks 2d 9h\",\"As Jc 2h 3s\"],\"play\":{\"2\":[\"fold\"]}}\n",
         "standard input:2: "},
    };

    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct process_result result =
            process_run(ARGUMENTS("shuffler", "--pty", "--shoe", "-"),
                        process_input(wrong[i].text, strlen(wrong[i].text)));

        CU_ASSERT_EQUAL(result.status, 2);
        CU_ASSERT_EQUAL(result.out_length, 0);
        CU_ASSERT_PTR_NOT_NULL(strstr(result.err, wrong[i].words));
        process_free(&result);
    }
}

TEST(a_serial_line_that_is_not_there_is_a_failure_of_the_bench)
{
    expect_refusal(ARGUMENTS("shuffler", "--tty", "/dev/nowhere"), 4,
                   "/dev/nowhere: cannot open the serial line");
}

TEST(a_device_that_cannot_say_that_it_is_ready_does_not_wait)
{
    int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
    int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    pid_t pid = process_start(ARGUMENTS("shuffler", "--pty"), nowhere, full, nowhere);

    CU_ASSERT_EQUAL(process_wait(pid, NULL), 4);
    close(full);
    close(nowhere);
}

TEST(help_teaches_with_every_device_and_examples)
{
    struct process_result result = process_run(ARGUMENTS("--help"), process_input("", 0));
    const struct model_kind *kind;

    CU_ASSERT_EQUAL(result.status, 0);
    for (size_t i = 0; (kind = model_kind_at(i)); i++)
        if (kind->make)
            CU_ASSERT_PTR_NOT_NULL(strstr(result.out, kind->name));
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "usbip attach -r localhost -b 1-1"));
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "--fault jam@packet:3"));
    CU_ASSERT_EQUAL(result.err_length, 0);
    process_free(&result);
}
