/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Models at the far end of real cables. The server's two halves are called by hand, so that each
 * test knows what has happened; only the silence tests let time pass.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <termios.h>
#include <unistd.h>

#include "devices/serve/serve.h"
#include "hal/link/link.h"
#include "tests/support/devices/puppet.h"
#include "tests/support/resolver.h"
#include "tests/support/suite.h"

static struct clock real;
static struct hal hal;
static struct puppet_stage stage;
static struct puppet *puppet;
static struct serve *serve;
static struct error error;

static void set_up(void)
{
    clock_real(&real);
    CU_ASSERT_EQUAL_FATAL(hal_open(&hal, &real, &error), 0);
    puppet_stage_open(&stage, &hal);
    puppet = puppet_add(&stage);
}

static void set_up_pty(void)
{
    set_up();
    CU_ASSERT_EQUAL_FATAL(serve_pty(&serve, &puppet->model, &error), 0);
    CU_ASSERT_EQUAL_FATAL(serve_step(serve, &error), 1);
}

static void set_up_tcp(void)
{
    set_up();
    CU_ASSERT_EQUAL_FATAL(serve_tcp(&serve, &puppet->model, "127.0.0.1:0", &error), 0);
    CU_ASSERT_EQUAL_FATAL(serve_step(serve, &error), 1);
}

static void tear_down(void)
{
    serve_close(serve);
    serve = NULL;
    puppet_stage_close(&stage);
    hal_close(&hal);
}

/* A descriptor that becomes readable after so many milliseconds. */
static int alarm_after(long millis)
{
    const struct itimerspec when = {.it_value = {millis / 1000, millis % 1000 * 1000000}};
    int fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);

    CU_ASSERT_EQUAL_FATAL(timerfd_settime(fd, 0, &when, NULL), 0);
    return fd;
}

/* Lets the server do all that there is to do now; returns its last status. */
static int turn(void)
{
    int status = 1;

    for (;;) {
        int idle = alarm_after(15);

        status = serve_wait(serve, idle, &error);
        close(idle);
        if (status <= 0)
            return status < 0 ? status : 1;
        status = serve_step(serve, &error);
        if (status <= 0)
            return status;
    }
}

/* A kernel that is busy tells of a hangup, or passes bytes on, some time after it was done. */
#define TURNS 1000

static void turn_until_unplugged(unsigned times)
{
    for (unsigned i = 0; i < TURNS && puppet->unplugged < times; i++)
        CU_ASSERT_EQUAL_FATAL(turn(), 1);
    CU_ASSERT_EQUAL(puppet->unplugged, times);
}

/* What the model gets until it has so much. */
static size_t turn_until_taken(void *bytes, size_t size)
{
    size_t got = 0;

    for (unsigned i = 0; i < TURNS && got < size; i++) {
        CU_ASSERT_EQUAL_FATAL(turn(), 1);
        got += puppet_take(puppet, (char *)bytes + got, size - got);
    }
    return got;
}

static struct link *plug_in(void)
{
    struct link *link;

    CU_ASSERT_EQUAL_FATAL(link_open(&link, &hal, serve_address(serve), &error), 0);
    CU_ASSERT_EQUAL(turn(), 1);
    return link;
}

static void say(struct link *link, const void *bytes, size_t size)
{
    CU_ASSERT_EQUAL_FATAL(link_write_all(link, bytes, size, clock_deadline(&real, 5000), &error),
                          0);
}

/* How much comes at once. */
static size_t hear(struct link *link, void *bytes, size_t size)
{
    ssize_t count = link_read(link, bytes, size, clock_deadline(&real, 20), &error);

    CU_ASSERT_FATAL(count >= 0);
    return (size_t)count;
}

static void every_byte_passes_both_ways(void)
{
    struct link *link = plug_in();
    uint8_t all[256], got[512];

    for (unsigned i = 0; i < sizeof all; i++)
        all[i] = (uint8_t)i;
    say(link, all, sizeof all);
    CU_ASSERT_EQUAL(turn_until_taken(got, sizeof all), sizeof all);
    CU_ASSERT(!memcmp(got, all, sizeof all));
    puppet_put(puppet, all, sizeof all);
    serve_wake(serve);
    CU_ASSERT_EQUAL(turn(), 1);
    CU_ASSERT_EQUAL(hear(link, got, sizeof got), sizeof all);
    CU_ASSERT(!memcmp(got, all, sizeof all));
    link_close(link);
    tear_down();
}

TEST(a_cable_carries_every_byte_unchanged)
{
    set_up_pty();
    CU_ASSERT_EQUAL(strncmp(serve_address(serve), "pty:/dev/pts/", 13), 0);
    every_byte_passes_both_ways();
    set_up_tcp();
    CU_ASSERT_EQUAL(strncmp(serve_address(serve), "tcp:127.0.0.1:", 14), 0);
    every_byte_passes_both_ways();
}

TEST(a_terminal_is_raw_before_anybody_opens_it)
{
    struct termios settings;
    int fd;

    set_up_pty();
    fd = open(serve_address(serve) + 4, O_RDWR | O_NOCTTY);
    CU_ASSERT_EQUAL_FATAL(tcgetattr(fd, &settings), 0);
    CU_ASSERT_EQUAL(settings.c_lflag & (tcflag_t)(ECHO | ICANON | ISIG), 0);
    CU_ASSERT_EQUAL(settings.c_oflag & (tcflag_t)OPOST, 0);
    close(fd);
    tear_down();
}

static void clients_come_and_go(void)
{
    for (unsigned i = 1; i <= 3; i++) {
        struct link *link = plug_in();
        char got[16];

        say(link, "question", 8);
        CU_ASSERT_EQUAL(turn_until_taken(got, 8), 8);
        CU_ASSERT_EQUAL(puppet->unplugged, i - 1);
        link_close(link);
        turn_until_unplugged(i);
    }
    CU_ASSERT_EQUAL(puppet->freed, 0);
    tear_down();
}

TEST(a_client_that_goes_is_noticed_and_the_next_one_served)
{
    set_up_pty();
    clients_come_and_go();
    set_up_tcp();
    clients_come_and_go();
}

static void an_answer_is_for_who_asked(void)
{
    struct link *link = plug_in();
    char got[16];

    puppet_put(puppet, "for the first", 13);
    serve_wake(serve);
    CU_ASSERT_EQUAL(turn(), 1);
    link_close(link);
    turn_until_unplugged(1);
    link = plug_in();
    CU_ASSERT_EQUAL(hear(link, got, sizeof got), 0);
    link_close(link);
    tear_down();
}

TEST(a_client_does_not_read_what_the_last_one_left)
{
    set_up_pty();
    an_answer_is_for_who_asked();
    set_up_tcp();
    an_answer_is_for_who_asked();
}

static void nobody_hears(void)
{
    struct link *link;
    char got[16];

    puppet_put(puppet, "hello?", 6);
    serve_wake(serve);
    CU_ASSERT_EQUAL(turn(), 1);
    link = plug_in();
    CU_ASSERT_EQUAL(hear(link, got, sizeof got), 0);
    link_close(link);
    tear_down();
}

TEST(what_is_said_while_nobody_is_connected_is_lost)
{
    set_up_pty();
    nobody_hears();
    set_up_tcp();
    nobody_hears();
}

TEST(a_client_that_writes_and_leaves_at_once_is_heard)
{
    char got[16];
    int fd;

    set_up_pty();
    fd = open(serve_address(serve) + 4, O_RDWR | O_NOCTTY);
    CU_ASSERT_EQUAL(write(fd, "last words", 10), 10);
    close(fd);
    CU_ASSERT_EQUAL(turn(), 1);
    CU_ASSERT_EQUAL(puppet_take(puppet, got, sizeof got), 10);
    CU_ASSERT_EQUAL(puppet->unplugged, 1);
    tear_down();
}

/* 200 KB are more than any buffer between the two ends holds. */
static void slow_client(void)
{
    static uint8_t sent[200000], got[sizeof sent];
    struct link *link = plug_in();
    size_t count = 0;
    uint8_t question;

    for (size_t i = 0; i < sizeof sent; i++)
        sent[i] = (uint8_t)(i * 31 >> 3);
    CU_ASSERT_EQUAL_FATAL(puppet_put(puppet, sent, sizeof sent), sizeof sent);
    serve_wake(serve);
    CU_ASSERT_EQUAL(turn(), 1);
    say(link, "?", 1);
    while (count < sizeof got) {
        ssize_t n = link_read(link, got + count, sizeof got - count, 0, &error);

        CU_ASSERT_FATAL(n >= 0);
        count += (size_t)n;
        if (n == 0)
            CU_ASSERT_EQUAL_FATAL(turn(), 1);
    }
    CU_ASSERT(!memcmp(sent, got, sizeof got));
    CU_ASSERT_EQUAL(turn(), 1);
    CU_ASSERT_EQUAL(puppet_take(puppet, &question, 1), 1);
    link_close(link);
    tear_down();
}

TEST(a_slow_client_loses_nothing)
{
    set_up_pty();
    slow_client();
    set_up_tcp();
    slow_client();
}

TEST(a_question_waits_until_the_last_answer_is_written)
{
    static uint8_t much[250000];
    struct link *link;
    uint8_t got;

    set_up_pty();
    link = plug_in();
    CU_ASSERT_EQUAL_FATAL(puppet_put(puppet, much, sizeof much), sizeof much);
    serve_wake(serve);
    CU_ASSERT_EQUAL(turn(), 1);
    say(link, "?", 1);
    CU_ASSERT_EQUAL(turn(), 1);
    CU_ASSERT_EQUAL(puppet_take(puppet, &got, 1), 0);
    link_close(link);
    CU_ASSERT_EQUAL(turn(), 1);
    CU_ASSERT_EQUAL(puppet->unplugged, 1);
    tear_down();
}

static void one_turn(void)
{
    CU_ASSERT_EQUAL_FATAL(serve_wait(serve, -1, &error), 1);
    CU_ASSERT_EQUAL_FATAL(serve_step(serve, &error), 1);
}

/* Three mouthfuls of the server, which a socket takes at once. */
TEST(a_question_waits_until_the_model_has_given_its_answer)
{
    static const uint8_t answer[3 * 4096];
    struct link *link;
    uint8_t got;

    set_up_tcp();
    link = plug_in();
    CU_ASSERT_EQUAL_FATAL(puppet_put(puppet, answer, sizeof answer), sizeof answer);
    serve_wake(serve);
    one_turn();
    say(link, "?", 1);
    one_turn();
    one_turn();
    CU_ASSERT_EQUAL(puppet_take(puppet, &got, 1), 0);
    CU_ASSERT_EQUAL(turn(), 1);
    CU_ASSERT_EQUAL(puppet_take(puppet, &got, 1), 1);
    link_close(link);
    tear_down();
}

/* How often the server wakes within 60 ms. */
static unsigned count_waits(void)
{
    int stop = alarm_after(60);
    unsigned count = 0;

    while (serve_wait(serve, stop, &error) == 1) {
        count++;
        CU_ASSERT_EQUAL_FATAL(serve_step(serve, &error), 1);
    }
    close(stop);
    return count;
}

static void is_quiet_with_and_without_client(void)
{
    struct link *link;

    CU_ASSERT_EQUAL(count_waits(), 0);
    link = plug_in();
    CU_ASSERT_EQUAL(count_waits(), 0);
    link_close(link);
    CU_ASSERT_EQUAL(turn(), 1);
    CU_ASSERT_EQUAL(count_waits(), 0);
    tear_down();
}

TEST(a_server_with_nothing_to_do_sleeps)
{
    set_up_pty();
    is_quiet_with_and_without_client();
    set_up_tcp();
    is_quiet_with_and_without_client();
}

TEST(a_server_wakes_when_its_model_is_due_and_not_before)
{
    struct link *link;
    nanos_t start;
    char got[8];

    set_up_tcp();
    link = plug_in();
    start = clock_now(&real);
    puppet->ready_at = start + 20 * NANOS_PER_MILLI;
    puppet_put(puppet, "later", 5);
    serve_wake(serve);
    one_turn();
    CU_ASSERT_EQUAL(serve_wait(serve, -1, &error), 1);
    CU_ASSERT(clock_now(&real) >= puppet->ready_at);
    CU_ASSERT_EQUAL(serve_step(serve, &error), 1);
    CU_ASSERT_EQUAL(hear(link, got, sizeof got), 5);
    link_close(link);
    tear_down();
}

static struct {
    unsigned came, went;
    size_t heard, said;
} watched;

static void see_client(void *context, bool is_there)
{
    (void)context;
    watched.came += is_there;
    watched.went += !is_there;
}

static void see_bytes(void *context, bool from_device, const uint8_t *bytes, size_t count,
                      nanos_t time)
{
    (void)context, (void)bytes, (void)time;
    *(from_device ? &watched.said : &watched.heard) += count;
}

TEST(a_silent_client_gives_way_to_one_that_waits_and_only_then)
{
    static const struct serve_watch watch = {.came = see_client, .passed = see_bytes};
    struct link *first, *second;
    char got[16];

    set_up_tcp();
    memset(&watched, 0, sizeof watched);
    serve_set_watch(serve, &watch);
    first = plug_in();
    second = plug_in();
    say(second, "second", 6);
    CU_ASSERT_EQUAL(turn(), 1);
    CU_ASSERT_EQUAL(puppet_take(puppet, got, sizeof got), 0);
    serve_set_idle(serve, 3600 * NANOS_PER_SECOND);
    CU_ASSERT_EQUAL(turn(), 1);
    CU_ASSERT_EQUAL(puppet_take(puppet, got, sizeof got), 0);
    say(first, "first", 5);
    CU_ASSERT_EQUAL(turn(), 1);
    CU_ASSERT_EQUAL(puppet_take(puppet, got, sizeof got), 5);
    CU_ASSERT_EQUAL(puppet->unplugged, 0);
    serve_set_idle(serve, NANOS_PER_MILLI);
    CU_ASSERT_EQUAL(turn(), 1);
    CU_ASSERT_EQUAL(turn(), 1);
    CU_ASSERT_EQUAL(puppet->unplugged, 1);
    CU_ASSERT_EQUAL(puppet_take(puppet, got, sizeof got), 6);
    puppet_put(puppet, "answer", 6);
    serve_wake(serve);
    CU_ASSERT_EQUAL(turn(), 1);
    CU_ASSERT_EQUAL(hear(second, got, sizeof got), 6);
    CU_ASSERT(watched.came == 2 && watched.went == 1);
    CU_ASSERT(watched.heard == 11 && watched.said == 6);
    link_close(first);
    link_close(second);
    tear_down();
}

TEST(a_silent_client_keeps_a_device_that_nobody_else_wants)
{
    struct link *link;
    char got[16];

    set_up_tcp();
    serve_set_idle(serve, NANOS_PER_MILLI);
    link = plug_in();
    CU_ASSERT_EQUAL(turn(), 1);
    CU_ASSERT_EQUAL(puppet->unplugged, 0);
    say(link, "late", 4);
    CU_ASSERT_EQUAL(turn(), 1);
    CU_ASSERT_EQUAL(puppet_take(puppet, got, sizeof got), 4);
    link_close(link);
    tear_down();
}

TEST(serving_ends_when_it_is_told_to)
{
    int stop = eventfd(1, EFD_CLOEXEC);

    set_up_tcp();
    CU_ASSERT_EQUAL(serve_run(serve, stop, &error), 0);
    tear_down();
    set_up_pty();
    CU_ASSERT_EQUAL(serve_run(serve, stop, &error), 0);
    tear_down();
    close(stop);
}

TEST(an_unplugged_model_is_plugged_in_again_for_the_next_client_of_its_port)
{
    struct link *link;
    char got[8];

    set_up_tcp();
    link = plug_in();
    puppet_put(puppet, "lost", 4);
    puppet->model.gone = true;
    serve_wake(serve);
    CU_ASSERT_EQUAL(turn(), 1);
    CU_ASSERT_EQUAL(link_read(link, got, sizeof got, clock_deadline(&real, 1000), &error),
                    ERROR_DEVICE);
    link_close(link);
    CU_ASSERT_FALSE(puppet->model.gone);
    CU_ASSERT_EQUAL(puppet->unplugged, 1);
    link = plug_in();
    say(link, "again", 5);
    CU_ASSERT_EQUAL(turn(), 1);
    CU_ASSERT_EQUAL(puppet_take(puppet, got, sizeof got), 5);
    link_close(link);
    tear_down();
}

TEST(an_unplugged_model_still_knows_what_it_has_to_do)
{
    int patience = alarm_after(5000);

    set_up_tcp();
    puppet->ready_at = clock_now(&real) + 20 * NANOS_PER_MILLI;
    puppet_put(puppet, "later", 5);
    puppet->model.gone = true;
    serve_wake(serve);
    one_turn();
    CU_ASSERT_EQUAL(serve_wait(serve, patience, &error), 1);
    CU_ASSERT(clock_now(&real) >= puppet->ready_at);
    close(patience);
    tear_down();
}

TEST(a_terminal_whose_model_is_unplugged_is_gone)
{
    struct link *link;
    char got[8];

    set_up_pty();
    link = plug_in();
    puppet->model.gone = true;
    serve_wake(serve);
    CU_ASSERT_EQUAL(turn(), 0);
    CU_ASSERT_EQUAL(link_read(link, got, sizeof got, clock_deadline(&real, 1000), &error),
                    ERROR_DEVICE);
    link_close(link);
    CU_ASSERT_EQUAL(link_open(&link, &hal, serve_address(serve), &error), ERROR_DEVICE);
    tear_down();
}

TEST(a_model_that_is_due_and_says_nothing_is_a_failure_of_the_bench)
{
    set_up_tcp();
    puppet->is_stuck = true;
    puppet_put(puppet, "never", 5);
    serve_wake(serve);
    CU_ASSERT_EQUAL(serve_wait(serve, -1, &error), 1);
    CU_ASSERT_EQUAL(serve_step(serve, &error), ERROR_RIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "due but has nothing to send"));
    tear_down();
}

TEST(a_socket_is_served_until_its_other_end_closes)
{
    int ends[2];
    char got[8];

    set_up();
    CU_ASSERT_EQUAL_FATAL(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    CU_ASSERT_EQUAL_FATAL(serve_socket(&serve, &puppet->model, ends[0], &error), 0);
    CU_ASSERT_STRING_EQUAL(serve_address(serve), "");
    CU_ASSERT_EQUAL(write(ends[1], "ask", 3), 3);
    CU_ASSERT_EQUAL(turn(), 1);
    CU_ASSERT_EQUAL(puppet_take(puppet, got, sizeof got), 3);
    puppet_put(puppet, "answer", 6);
    serve_wake(serve);
    CU_ASSERT_EQUAL(turn(), 1);
    CU_ASSERT_EQUAL(read(ends[1], got, sizeof got), 6);
    close(ends[1]);
    CU_ASSERT_EQUAL(turn(), 0);
    CU_ASSERT_EQUAL(puppet->unplugged, 1);
    tear_down();
}

TEST(only_a_connected_socket_can_be_passed_on)
{
    int file = open("/dev/null", O_RDWR | O_CLOEXEC);
    int unconnected = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const int wrong[] = {file, unconnected, 999};

    set_up();
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        CU_ASSERT_EQUAL(serve_socket(&serve, &puppet->model, wrong[i], &error), ERROR_CONFIG);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "is not a connected socket"));
        CU_ASSERT_PTR_NULL(serve);
    }
    CU_ASSERT_EQUAL(close(file), 0);
    CU_ASSERT_EQUAL(close(unconnected), 0);
    tear_down();
}

TEST(a_bad_place_to_listen_is_named)
{
    static const struct {
        const char *where;
        int code;
        const char *words;
    } bad[] = {
        {"127.0.0.1:65536", ERROR_CONFIG, "'65536' is not a port"},
        {"127.0.0.1:-1", ERROR_CONFIG, "'-1' is not a port"},
        {"127.0.0.1:", ERROR_CONFIG, "'' is not a port"},
        {"", ERROR_CONFIG, "'' is not a port"},
        {"here", ERROR_CONFIG, "'here' is not a port"},
        {":4001", ERROR_CONFIG, "has 0 characters"},
        {"::1:4001", ERROR_CONFIG, "put an IPv6 address in brackets"},
        {"[::1:4001", ERROR_CONFIG, "put an IPv6 address in brackets"},
        {"no.such.host.invalid:0", ERROR_CONFIG, "no address is known"},
        {"192.0.2.1:0", ERROR_CONFIG, "is no address of this machine"},
        {"0123456789012345678901234567890123456789012345678901234567890123:1", ERROR_CONFIG,
         "has 64 characters"},
    };

    set_up();
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        CU_ASSERT_EQUAL(serve_tcp(&serve, &puppet->model, bad[i].where, &error), bad[i].code);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.text, bad[i].words));
        CU_ASSERT_PTR_NULL(serve);
    }
    tear_down();
}

TEST(a_port_serves_one_program)
{
    struct serve *second;

    set_up_tcp();
    CU_ASSERT_EQUAL(serve_tcp(&second, &puppet->model, serve_address(serve) + 4, &error),
                    ERROR_RIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "is in use by another program"));
    CU_ASSERT_PTR_NULL(second);
    tear_down();
}

TEST(any_address_is_named_by_one_that_can_be_connected_to)
{
    static const struct {
        const char *where, *named;
    } places[] = {{"0", "tcp:127.0.0.1:"},
                  {"0.0.0.0:0", "tcp:127.0.0.1:"},
                  {"localhost:0", "tcp:"},
                  {"[::1]:0", "tcp:[::1]:"},
                  {"[::]:0", "tcp:[::1]:"}};

    set_up();
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        struct link *link;

        if (serve_tcp(&serve, &puppet->model, places[i].where, &error)) {
            /* A machine without IPv6, or without names, is no failure of ours. */
            CU_ASSERT(places[i].where[0] == '[' ||
                      (places[i].where[0] == 'l' && !resolver_knows("localhost")));
            continue;
        }
        CU_ASSERT_EQUAL(strncmp(serve_address(serve), places[i].named, strlen(places[i].named)), 0);
        CU_ASSERT_EQUAL(link_open(&link, &hal, serve_address(serve), &error), 0);
        link_close(link);
        serve_close(serve);
        serve = NULL;
    }
    tear_down();
}
