/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dealproof bridge as a process, between terminals and between a model and a run. */
#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/support/process.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

static struct process_result run(const char *const *arguments)
{
    return process_run(arguments, process_input("", 0));
}

#define CALL(...) run((const char *const[]){__VA_ARGS__, NULL})

/* A bridge between two terminals, whose masters are the machine and its controller. */
struct scene {
    int device, controller;
    pid_t pid;
    int err, out; /* what it says */
    char capture[SCRATCH_PATH_SIZE];
};

static int open_master(char address[64])
{
    int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);

    CU_ASSERT_FATAL(master >= 0 && !grantpt(master) && !unlockpt(master));
    snprintf(address, 64, "pty:%s", ptsname(master));
    return master;
}

/* Waits for words on a descriptor; false when it ends without them. */
static bool comes(int fd, const char *words)
{
    char text[8192] = "";
    size_t used = 0;
    ssize_t count;

    while (!strstr(text, words) && used < sizeof text - 1 && (count = read(fd, text + used, 1)) > 0)
        text[used += (size_t)count] = '\0';
    return strstr(text, words);
}

static void start_with(struct scene *scene, const char *option, const char *value)
{
    char device[64], controller[64];
    int null = open("/dev/null", O_RDWR | O_CLOEXEC), err[2], out[2];

    scratch_path(scene->capture);
    scene->device = open_master(device);
    scene->controller = open_master(controller);
    CU_ASSERT_FATAL(!pipe2(err, O_CLOEXEC) && !pipe2(out, O_CLOEXEC));
    scene->pid = process_start((const char *const[]){"bridge", device, controller, "--capture",
                                                     scene->capture, option, value, NULL},
                               null, out[1], err[1]);
    close(err[1]);
    close(out[1]);
    close(null);
    scene->err = err[0];
    scene->out = out[0];
    CU_ASSERT_FATAL(comes(scene->err, "passing on"));
}

static void start(struct scene *scene, const char *protocol)
{
    start_with(scene, protocol ? "--protocol" : NULL, protocol);
}

/* The exit status, once it has ended; everything but the capture is closed. */
static int end(struct scene *scene)
{
    int status = process_wait_soon(scene->pid);

    if (scene->device >= 0)
        close(scene->device);
    if (scene->controller >= 0)
        close(scene->controller);
    close(scene->err);
    close(scene->out);
    return status;
}

static void pass(int from, int to, const char *text)
{
    struct pollfd polled = {.fd = to, .events = POLLIN};
    char heard[4096];
    size_t length = strlen(text), got = 0;

    CU_ASSERT_EQUAL(write(from, text, length), (ssize_t)length);
    while (got < length && poll(&polled, 1, 20000) == 1)
        got += (size_t)read(to, heard + got, sizeof heard - got);
    CU_ASSERT_EQUAL(got, length);
    CU_ASSERT_EQUAL(memcmp(heard, text, length), 0);
}

TEST(a_signal_ends_a_bridge_well_and_its_capture_is_whole)
{
    static const int signals[] = {SIGTERM, SIGINT};

    for (int i = 0; i < 2; i++) {
        struct scene scene;

        start(&scene, NULL);
        pass(scene.device, scene.controller, "from the machine");
        pass(scene.controller, scene.device, "to it");
        kill(scene.pid, signals[i]);
        CU_ASSERT(comes(scene.err, "16 bytes heard, 5 passed on to it, 0 lost"));
        CU_ASSERT_EQUAL(end(&scene), 0);
        CU_ASSERT_EQUAL(
            process_status_with(CALL("decode", scene.capture), "< bytes, 16 bytes: 66 72 6f 6d"),
            0);
        CU_ASSERT_EQUAL(
            process_status_with(CALL("decode", scene.capture), "> bytes, 5 bytes: 74 6f 20 69 74"),
            0);
        unlink(scene.capture);
    }
}

static void unplug(bool is_device)
{
    struct scene scene;
    int *side;

    start(&scene, NULL);
    pass(scene.device, scene.controller, "last words");
    side = is_device ? &scene.device : &scene.controller;
    close(*side);
    *side = -1;
    CU_ASSERT(comes(scene.err, "is gone"));
    CU_ASSERT(comes(scene.err, "0 bytes on the way to it are lost"));
    CU_ASSERT_EQUAL(end(&scene), 3);
    CU_ASSERT_EQUAL(process_status_with(CALL("decode", scene.capture), "< bytes, 10 bytes"), 0);
    CU_ASSERT_EQUAL(process_status_with(CALL("decode", scene.capture), " 0 - pty:"), 0);
    unlink(scene.capture);
}

TEST(a_machine_that_is_unplugged_is_told_and_ends_the_bridge_with_3)
{
    unplug(true);
}

TEST(a_controller_that_is_unplugged_is_told_and_ends_the_bridge_with_3)
{
    unplug(false);
}

TEST(messages_are_shown_as_they_pass)
{
    struct scene scene;
    static const char cut[] = "\5\x30\x43\3\x37\x30", ack[] = "\6";

    start(&scene, "angel-eye");
    pass(scene.device, scene.controller, cut);
    pass(scene.controller, scene.device, ack);
    CU_ASSERT(comes(scene.out, "< shoe cut card came out, sequence 48\n"));
    CU_ASSERT(comes(scene.out, "> shoe ACK [after "));
    kill(scene.pid, SIGTERM);
    CU_ASSERT_EQUAL(end(&scene), 0);
    CU_ASSERT_EQUAL(process_status_with(CALL("decode", scene.capture), "< shoe cut card"), 0);
    unlink(scene.capture);
}

TEST(a_script_shows_what_passes_and_its_failure_stops_no_byte)
{
    static const char text[] = "local d = {class = 'shuffler'}\n"
                               "for _, n in ipairs{'received', 'program', 'shuffle', 'press', "
                               "'return_deck', 'clear_error'} do d[n] = function() end end\n"
                               "function d.describe(frame)\n"
                               "  if frame == 'bad' then error('no') end\n"
                               "  return 'said', {words = frame}\n"
                               "end\n"
                               "return d\n";
    char script[SCRATCH_PATH_SIZE];
    struct scene scene;

    scratch_path(script);
    scratch_write(script, text, sizeof text - 1);
    start_with(&scene, "--script", script);
    pass(scene.device, scene.controller, "hello");
    CU_ASSERT(comes(scene.out, "< shuffler said: words hello\n"));
    pass(scene.device, scene.controller, "bad");
    CU_ASSERT(comes(scene.err, "bytes still pass, but are shown no more"));
    pass(scene.controller, scene.device, "still");
    kill(scene.pid, SIGTERM);
    CU_ASSERT_EQUAL(end(&scene), 4);
    CU_ASSERT_EQUAL(process_status_with(CALL("decode", scene.capture), "> bytes, 5 bytes"), 0);
    unlink(script);
    unlink(scene.capture);
}

TEST(a_full_disk_is_told_at_once_and_stops_no_byte)
{
    struct rlimit before, small;
    struct scene scene;
    char text[1001];

    getrlimit(RLIMIT_FSIZE, &before);
    small = (struct rlimit){.rlim_cur = 1500, .rlim_max = before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    start(&scene, NULL);
    setrlimit(RLIMIT_FSIZE, &before);
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    for (int i = 0; i < 4; i++)
        pass(scene.device, scene.controller, text);
    CU_ASSERT(comes(scene.err, "bytes still pass, but are recorded no more"));
    pass(scene.controller, scene.device, text);
    kill(scene.pid, SIGTERM);
    CU_ASSERT(comes(scene.err, "not whole"));
    CU_ASSERT_EQUAL(end(&scene), 4);
    CU_ASSERT_EQUAL(process_status_with(CALL("decode", scene.capture), "< bytes, 1000 bytes"), 1);
    unlink(scene.capture);
}

TEST(what_nobody_reads_of_the_messages_does_not_hold_the_table_up)
{
    struct scene scene;

    start(&scene, "angel-eye");
    for (int i = 0; i < 3000; i++)
        pass(scene.device, scene.controller, "\5\x30\x43\3\x37\x30");
    kill(scene.pid, SIGTERM);
    CU_ASSERT(comes(scene.err, "messages were not shown: nobody read in time"));
    CU_ASSERT_EQUAL(end(&scene), 0);
    unlink(scene.capture);
}

/* Whether it warns of other machines when it waits for somebody there. */
static bool warns(const char *address)
{
    int null = open("/dev/null", O_RDWR | O_CLOEXEC), err[2];
    char device[64], capture[SCRATCH_PATH_SIZE], said[512];
    int master = open_master(device);
    struct pollfd polled;
    size_t got = 0;
    pid_t pid;

    scratch_path(capture);
    CU_ASSERT_FATAL(!pipe2(err, O_CLOEXEC));
    pid =
        process_start((const char *const[]){"bridge", device, address, "--capture", capture, NULL},
                      null, null, err[1]);
    close(err[1]);
    polled = (struct pollfd){.fd = err[0], .events = POLLIN};
    memset(said, 0, sizeof said);
    while (!strstr(said, "waiting for somebody") && got < sizeof said - 1 &&
           poll(&polled, 1, 20000) == 1) {
        ssize_t more = read(err[0], said + got, sizeof said - 1 - got);

        if (more <= 0)
            break;
        got += (size_t)more;
    }
    CU_ASSERT_PTR_NOT_NULL(strstr(said, "waiting for somebody"));
    kill(pid, SIGTERM);
    CU_ASSERT_EQUAL(process_wait_soon(pid), 0);
    scratch_remove(capture);
    close(err[0]);
    close(master);
    close(null);
    return strstr(said, "other machines reach");
}

TEST(a_bridge_that_other_machines_reach_says_so)
{
    CU_ASSERT_TRUE(warns("listen:0.0.0.0:47113"));
    CU_ASSERT_FALSE(warns("listen:47113"));
    CU_ASSERT_FALSE(warns("listen:127.0.0.1:47113"));
}

TEST(a_bridge_that_cannot_begin_says_why_and_makes_no_file)
{
    char capture[SCRATCH_PATH_SIZE], address[64];
    int master = open_master(address);

    scratch_path(capture);
    CU_ASSERT_EQUAL(
        process_status_with(CALL("bridge", address, "--capture", capture), "two links are needed"),
        2);
    CU_ASSERT_EQUAL(process_status_with(CALL("bridge", address, "pty:/x"), "--capture is missing"),
                    2);
    CU_ASSERT_EQUAL(process_status_with(CALL("bridge", address, address, "--capture", capture),
                                        "both links are"),
                    2);
    CU_ASSERT_EQUAL(
        process_status_with(CALL("bridge", address, "pty:/nowhere", "--capture", capture),
                            "pty:/nowhere: there is no such file"),
        3);
    CU_ASSERT_EQUAL(process_status_with(CALL("bridge", address, "modem:1", "--capture", capture),
                                        "'modem:1' is not the address of a link"),
                    2);
    CU_ASSERT_EQUAL(
        process_status_with(CALL("bridge", "emu:shuffler", address, "--capture", capture),
                            "nothing is emulated on this bench"),
        2);
    CU_ASSERT_EQUAL(process_status_with(CALL("bridge", address, "pty:/x", "--capture", capture,
                                             "--protocol", "morse"),
                                        "there is no protocol 'morse'"),
                    2);
    CU_ASSERT_EQUAL(access(capture, F_OK), -1);
    close(master);
}

/* A port that is free for a while: held by a socket that does not listen. */
static int hold_port(char address[64], char listens[64])
{
    struct sockaddr_in name = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof name;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const int on = 1;

    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    CU_ASSERT_FATAL(!bind(fd, (struct sockaddr *)&name, size));
    CU_ASSERT_FATAL(!getsockname(fd, (struct sockaddr *)&name, &size));
    snprintf(address, 64, "tcp:127.0.0.1:%u", ntohs(name.sin_port));
    snprintf(listens, 64, "listen:%u", ntohs(name.sin_port));
    return fd;
}

static pid_t start_model(char address[64], int *out)
{
    static const char *const model[] = {"emulate",  "shuffler",  "--tcp",    "0",
                                        "--option", "shuffle=5", "--option", "deal=2",
                                        "--option", "take=2",    NULL};
    int null = open("/dev/null", O_RDWR | O_CLOEXEC), said[2];
    char line[64] = "";
    size_t length = 0;
    pid_t pid;

    CU_ASSERT_FATAL(!pipe2(said, O_CLOEXEC));
    pid = process_start(model, null, said[1], null);
    close(said[1]);
    close(null);
    while (length < sizeof line - 1 && read(said[0], line + length, 1) == 1 && line[length] != '\n')
        length++;
    line[length] = '\0';
    CU_ASSERT_FATAL(!strncmp(line, "ready ", 6));
    snprintf(address, 64, "%s", line + 6);
    *out = said[0];
    return pid;
}

static bool starts_to_wait(int fd)
{
    return comes(fd, "waiting for somebody to connect");
}

/* What a lab does: the controller is a run, the machine a model, and the bridge between them. */
TEST(a_run_through_a_bridge_passes_and_its_capture_has_its_cards)
{
    char model[64], address[64], listens[64], rig[SCRATCH_PATH_SIZE], text[256];
    char capture[SCRATCH_PATH_SIZE];
    int out, err[2], null = open("/dev/null", O_RDWR | O_CLOEXEC);
    int holder = hold_port(address, listens);
    pid_t device = start_model(model, &out), bridge;
    struct process_result result;

    scratch_path(capture);
    CU_ASSERT_FATAL(!pipe2(err, O_CLOEXEC));
    bridge = process_start((const char *const[]){"bridge", model, listens, "--capture", capture,
                                                 "--protocol", "open", NULL},
                           null, null, err[1]);
    close(err[1]);
    CU_ASSERT_FATAL(starts_to_wait(err[0]));
    scratch_path(rig);
    scratch_write(rig, text,
                  (size_t)snprintf(text, sizeof text,
                                   "rig: x\nclock: real\ndevices:\n  shuffler: {driver: open, "
                                   "address: \"%s\"}\n",
                                   address));
    /* The bridge listens a moment after it has said so. */
    for (int tries = 0; tries < 100; tries++) {
        result = CALL("observe", "--rig", rig, "--game", "flush-rush", "--rounds", "3");
        if (result.status != 3)
            break;
        process_free(&result);
        usleep(20000);
    }
    CU_ASSERT_EQUAL(result.status, 0);
    process_free(&result);
    CU_ASSERT(comes(err[0], "is gone"));
    CU_ASSERT_EQUAL(process_wait_soon(bridge), 3);
    result = CALL("decode", capture);
    CU_ASSERT_EQUAL(result.status, 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(result.out, "shuffler event PACKET PRESENT"));
    CU_ASSERT_PTR_NOT_NULL(strstr(result.err, " 0 damaged, 0 not heard, 0 unanswered"));
    process_free(&result);
    kill(device, SIGTERM);
    process_wait_soon(device);
    close(holder);
    close(out);
    close(err[0]);
    close(null);
    unlink(rig);
    unlink(capture);
}

/* A port alone is of this computer, which a controller beside it does not reach. */
TEST(the_example_of_a_controller_that_calls_is_one_that_it_reaches)
{
    struct process_result help = CALL("bridge", "--help");
    size_t length;
    char *page = scratch_read("devices/LISTENING.md", &length);
    const char *const texts[] = {help.out, page};

    for (size_t i = 0; i < 2; i++) {
        CU_ASSERT_PTR_NOT_NULL(strstr(texts[i], "tcp:192.168.0.7:4001 listen:0.0.0.0:4001"));
        CU_ASSERT_PTR_NULL(strstr(texts[i], "tcp:192.168.0.7:4001 listen:4001"));
    }
    CU_ASSERT_PTR_NOT_NULL(strstr(page, "other machines reach"));
    free(page);
    process_free(&help);
}
