/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `dealproof doctor --rig` as a process. */
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/support/process.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

static struct process_result doctor(const char *path)
{
    const char *const arguments[] = {"doctor", "--rig", path, NULL};

    return process_run(arguments, open("/dev/null", O_RDONLY | O_CLOEXEC));
}

static struct process_result doctor_of(const char *text)
{
    char path[] = "/tmp/dealproof-rig-XXXXXX";
    int fd = mkstemp(path);
    struct process_result result;

    CU_ASSERT_FATAL(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
    close(fd);
    result = doctor(path);
    unlink(path);
    return result;
}

TEST(the_emulated_bench_is_ready)
{
    struct process_result result = doctor("rigs/emulated.yaml");

    CU_ASSERT_EQUAL(result.status, 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "ok   terminal: emu:terminal: DP-TERM1"));
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "ok   seat 7 bet and chip"));
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "ok   seat 7 light and lamp"));
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "This bench is ready."));
    process_free(&result);
}

#define TABLE "rig: x\nclock: virtual\ndevices:\n  sensors:\n    address: emu:table\n"

TEST(a_broken_line_is_found_at_its_seat)
{
    static const struct {
        const char *fault, *found;
    } lines[] = {
        {"stuck-low@seat:2", "FAIL seat 2 bet and chip"},
        {"stuck-high@seat:2", "FAIL seat 2 bet and chip"},
        {"dark@seat:2", "FAIL seat 2 light and lamp"},
        {"lit@seat:2", "FAIL seat 2 light and lamp"},
    };

    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        struct process_result result;
        char text[512];

        snprintf(text, sizeof text,
                 TABLE "    fault: %s\n    seats:\n"
                       "    - {seat: 1, bet: bet1, chip: chip1, light: light1, lamp: lamp1}\n"
                       "    - {seat: 2, bet: bet2, chip: chip2, light: light2, lamp: lamp2}\n",
                 lines[i].fault);
        result = doctor_of(text);
        CU_ASSERT_EQUAL(result.status, 4);
        CU_ASSERT_PTR_NOT_NULL(strstr(result.out, lines[i].found));
        CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "ok   seat 1 bet and chip"));
        CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "ok   seat 1 light and lamp"));
        process_free(&result);
    }
}

TEST(a_device_that_is_not_the_one_of_the_rig_file_is_told)
{
    struct process_result result =
        doctor_of("rig: x\nclock: virtual\ndevices:\n  shuffler: {address: emu:shuffler, identity: "
                  "{model: DP-SHUF1, serial: S-18}}\n  terminal: {address: emu:terminal, identity: "
                  "{firmware: '>=1.1'}}\n");

    CU_ASSERT_EQUAL(result.status, 4);
    CU_ASSERT_PTR_NULL(strstr(result.out, "shuffler model"));
    CU_ASSERT_PTR_NOT_NULL(
        strstr(result.out, "FAIL shuffler serial: the rig file asks for 'S-18', and it is 'S-17'"));
    CU_ASSERT_PTR_NOT_NULL(strstr(
        result.out, "FAIL terminal firmware: the rig file asks for '>=1.1', and it is '1.0.1'"));
    process_free(&result);
}

TEST(what_a_seat_cannot_prove_is_a_warning)
{
    struct process_result result = doctor_of(TABLE "    seats: [{seat: 3, bet: bet3}]\n");

    CU_ASSERT_EQUAL(result.status, 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "warn seat 3: "));
    CU_ASSERT_PTR_NULL(strstr(result.out, "warn seat 2: "));
    process_free(&result);
}

TEST(every_missing_device_is_a_line)
{
    struct process_result result =
        doctor_of("rig: x\nclock: real\ndevices:\n  shuffler: {address: 'usb:1209:7ffe'}\n"
                  "  terminal: {address: 'serial:/dev/ttyNone@9600'}\n");

    CU_ASSERT_EQUAL(result.status, 4);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "FAIL shuffler: "));
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "FAIL terminal: "));
    process_free(&result);
}

/* A port that somebody has, so that nobody waits for a device there. */
static int take_port(unsigned *port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {.s_addr = htonl(INADDR_ANY)}};
    socklen_t size = sizeof address;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    CU_ASSERT_FATAL(!bind(fd, (struct sockaddr *)&address, size) && !listen(fd, 1));
    CU_ASSERT_EQUAL_FATAL(getsockname(fd, (struct sockaddr *)&address, &size), 0);
    *port = ntohs(address.sin_port);
    return fd;
}

/* How often a command that opens this rig says that other machines reach its device. */
static unsigned count_warnings(const char *const *arguments, const char *address)
{
    struct process_result result = process_run(arguments, open("/dev/null", O_RDONLY | O_CLOEXEC));
    char warning[256];
    unsigned count = 0;

    snprintf(warning, sizeof warning,
             "dealproof %s: other machines reach %s, and whoever does is taken for the device; a "
             "port alone serves this one\n",
             arguments[0], address);
    for (const char *at = result.err; (at = strstr(at, warning)); at++)
        count++;
    CU_ASSERT(result.status >= 3);
    process_free(&result);
    return count;
}

TEST(a_rig_whose_device_other_machines_may_be_is_told_once_by_all_who_open_it)
{
    static const char *const hosts[] = {"0.0.0.0:", "127.0.0.1:", ""};
    char rig[SCRATCH_PATH_SIZE], shoe[SCRATCH_PATH_SIZE + 8], text[256], address[64];
    const char *const arguments[][12] = {
        {"doctor", "--rig", rig},
        {"run", "--rig", rig, "fixtures/flush-rush/everybody-folds.shoe"},
        {"observe", "--rig", rig, "--game", "flush-rush", "--rounds", "1"},
        {"record", "--rig", rig, "--game", "flush-rush", "--rounds", "1", "-o", shoe},
        {"shuffles", "--rig", rig, "--count", "1"},
        {"authenticate", "--rig", rig},
        {"discover", "--slurm", "--rig", rig},
        {"reset", "--rig", rig},
        {"conform", address, "--class", "shuffler"},
        {"authenticate", address},
    };
    unsigned port;
    int taken = take_port(&port);

    scratch_path(rig);
    snprintf(shoe, sizeof shoe, "%s.shoe", rig);
    for (unsigned host = 0; host < 3; host++) {
        snprintf(address, sizeof address, "listen:%s%u", hosts[host], port);
        snprintf(text, sizeof text, "rig: x\nclock: real\ndevices: {shuffler: {address: '%s'}}\n",
                 address);
        scratch_write(rig, text, strlen(text));
        for (size_t i = 0; i < sizeof arguments / sizeof arguments[0]; i++)
            CU_ASSERT_EQUAL(count_warnings(arguments[i], address), host == 0);
    }
    scratch_remove(rig);
    close(taken);
}

TEST(a_capture_is_left_alone)
{
    char path[] = "/tmp/dealproof-capture-XXXXXX", text[256], kept[8] = "";
    int fd = mkstemp(path);
    struct process_result result;

    CU_ASSERT_FATAL(fd >= 0 && write(fd, "kept", 4) == 4);
    snprintf(text, sizeof text,
             "rig: x\nclock: virtual\ndevices: {shoe: {address: emu:shoe}}\ncapture: %s\n", path);
    result = doctor_of(text);
    CU_ASSERT_EQUAL(result.status, 0);
    CU_ASSERT_EQUAL(pread(fd, kept, sizeof kept - 1, 0), 4);
    CU_ASSERT_STRING_EQUAL(kept, "kept");
    process_free(&result);
    close(fd);
    unlink(path);
}

TEST(a_rig_file_with_a_mistake_is_configuration)
{
    struct process_result result = doctor_of("rig: x\nclock: sundial\n");

    CU_ASSERT_EQUAL(result.status, 2);
    CU_ASSERT_STRING_EQUAL(result.out, "");
    CU_ASSERT_PTR_NOT_NULL(strstr(result.err, ":2:8: clock: 'sundial' is none of"));
    process_free(&result);
}

#define PLAIN                                                                                      \
    "rig: x\nclock: virtual\norder: compare\ndevices:\n  shuffler: {driver: pins, button: "        \
    "button, exit: exit, "                                                                         \
    "cards: none, address: 'emu:plain-shuffler"

TEST(a_line_of_a_shuffler_that_is_on_while_nothing_is_dealt_is_told)
{
    static const struct {
        const char *rest, *found;
        int status;
    } cases[] = {
        {"'}", "ok   shuffler exit: nothing lies there\n", 0},
        {"'}", "warn shuffler button: it was not pressed", 0},
        {"'}", "warn shuffler: how long a shuffle takes is not judged (no ready line) → ", 0},
        {"'}", "warn shuffler: a jam is only noticed", 0},
        {"', ready: ready, jam: jam, door: door}", "ok   shuffler ready: no deck is shuffled\n", 0},
        {"', ready: ready, jam: jam, door: door}", "ok   shuffler jam: ", 0},
        {"', ready: ready, jam: jam, door: door}", "ok   shuffler door: it is closed\n", 0},
        {"?active-low=exit'}", "FAIL shuffler exit: it sees a packet → take the packet away", 4},
        {"?active-low=exit', active-low: [exit]}", "ok   shuffler exit: nothing lies there\n", 0},
        {"', jam: jam, active-low: [jam]}", "FAIL shuffler jam: it says that cards are jammed", 4},
        {"', door: door, active-low: [door]}", "FAIL shuffler door: it says that a door", 4},
        {"', ready: ready, active-low: [ready]}", "ok   shuffler ready: a deck is shuffled\n", 0},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct process_result result;
        char text[512];

        snprintf(text, sizeof text, PLAIN "%s\n", cases[i].rest);
        result = doctor_of(text);
        CU_ASSERT_EQUAL(result.status, cases[i].status);
        if (!strstr(result.out, cases[i].found))
            printf("%s: %s%s\n", cases[i].rest, result.out, result.err);
        CU_ASSERT_PTR_NOT_NULL(strstr(result.out, cases[i].found));
        process_free(&result);
    }
}

#define TERMINAL "rig: x\nclock: virtual\ndevices:\n  terminal:\n    "

TEST(a_code_that_the_terminal_was_not_given_is_told)
{
    static const struct {
        const char *fields, *found;
        int status;
    } cases[] = {
        {"address: emu:terminal", "ok   terminal code: ", 0},
        {"address: 'emu:terminal?preset=three-card-catch'", "ok   terminal admin: ", 0},
        {"address: 'emu:terminal?code=1234,admin=98765'\n    code: '1234'\n    admin: '98765'",
         "ok   terminal code: ", 0},
        {"address: 'emu:terminal?code=1234'",
         "FAIL terminal code: the terminal does not accept the usual code", 4},
        {"address: emu:terminal\n    code: '1234'",
         "FAIL terminal code: the terminal does not accept the code in line 6", 4},
        {"address: emu:terminal\n    admin: '12345'",
         "FAIL terminal admin: the terminal does not accept the code in line 6", 4},
        {"address: emu:terminal\n    admin: '12345'", "warn terminal code: not tried: ", 4},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct process_result result;
        char text[512];

        snprintf(text, sizeof text, TERMINAL "%s\n", cases[i].fields);
        result = doctor_of(text);
        CU_ASSERT_EQUAL(result.status, cases[i].status);
        if (!strstr(result.out, cases[i].found))
            printf("%s: %s\n", cases[i].fields, result.out);
        CU_ASSERT_PTR_NOT_NULL(strstr(result.out, cases[i].found));
        process_free(&result);
    }
}

TEST(a_test_mode_that_is_not_announced_or_not_left_is_told)
{
    static const struct {
        const char *device, *found;
        int status;
    } cases[] = {
        {"shuffler: {address: emu:shuffler}", "ok   shuffler test mode: ", 0},
        {"shuffler: {address: emu:shuffler, fault: silent-test}",
         "STATUS says not in test mode, but the shuffler agreed to be in test mode", 4},
        {"shuffler: {address: emu:shuffler, fault: unannounced}",
         "FAIL shuffler test mode: it does not announce that it is in test mode", 4},
        {"shuffler: {address: emu:shuffler, fault: ends-silently}",
         "FAIL shuffler test mode: it does not announce that it has left test mode", 4},
        {"shoe: {address: emu:shoe, fault: ends-silently}", "FAIL shoe test mode: ", 4},
        {"terminal: {address: emu:terminal, fault: ends-silently}", "FAIL terminal test mode: ", 4},
        {"shoe: {driver: angel-eye, address: emu:angel-eye}", "ok   shoe: ", 0},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct process_result result;
        char text[512];

        snprintf(text, sizeof text, "rig: x\nclock: virtual\ndevices:\n  %s\n", cases[i].device);
        result = doctor_of(text);
        CU_ASSERT_EQUAL(result.status, cases[i].status);
        if (!strstr(result.out, cases[i].found))
            printf("%s: %s\n", cases[i].device, result.out);
        CU_ASSERT_PTR_NOT_NULL(strstr(result.out, cases[i].found));
        process_free(&result);
    }
}

TEST(nobody_is_put_into_a_test_mode_that_no_run_needs)
{
    struct process_result result = doctor_of("rig: x\nclock: virtual\norder: compare\ndevices:\n"
                                             "  shuffler: {address: emu:shuffler}\n");

    CU_ASSERT_EQUAL(result.status, 0);
    CU_ASSERT_PTR_NULL(strstr(result.out, "test mode"));
    process_free(&result);
}
