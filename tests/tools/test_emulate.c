/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dealproof emulate as a process, met by the real drivers over real links. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "devices/model.h"
#include "devices/sensors/unit/bet_unit.h"
#include "devices/shoe/shoe.h"
#include "devices/shuffler/shuffler.h"
#include "devices/terminal/terminal.h"
#include "tests/support/process.h"
#include "tests/support/suite.h"

#define PATIENCE 120000 /* milliseconds until a device that says nothing is taken for dead */

static struct clock real;
static struct hal hal;
static struct error error;

struct emulated {
    pid_t pid;
    int out, err; /* what it prints */
    char address[128];
};

/* The next line of a descriptor, without its newline. */
static void read_line(int fd, char *line, size_t size)
{
    size_t length = 0;

    for (;;) {
        struct pollfd polled = {.fd = fd, .events = POLLIN};

        CU_ASSERT_EQUAL_FATAL(poll(&polled, 1, PATIENCE), 1);
        CU_ASSERT_EQUAL_FATAL(read(fd, line + length, 1), 1);
        if (line[length] == '\n')
            break;
        length++;
        CU_ASSERT_FATAL(length < size);
    }
    line[length] = '\0';
}

static struct emulated start_on(const char *const *arguments, int in)
{
    struct emulated device;
    char line[128];
    int out[2], err[2];

    clock_real(&real);
    CU_ASSERT_EQUAL_FATAL(hal_open(&hal, &real, &error), 0);
    CU_ASSERT_EQUAL_FATAL(pipe2(out, O_CLOEXEC) | pipe2(err, O_CLOEXEC), 0);
    device.pid = process_start(arguments, in, out[1], err[1]);
    device.out = out[0];
    device.err = err[0];
    close(out[1]);
    close(err[1]);
    read_line(device.out, line, sizeof line);
    CU_ASSERT_EQUAL_FATAL(strncmp(line, "ready ", 6), 0);
    snprintf(device.address, sizeof device.address, "%s", line + 6);
    return device;
}

static struct emulated start(const char *const *arguments)
{
    return start_on(arguments, STDIN_FILENO);
}

/* Nothing but its one line may have been printed; returns the exit status. */
static int ended(struct emulated *device)
{
    int status = process_wait(device->pid, NULL);
    char more;

    CU_ASSERT_EQUAL(read(device->out, &more, 1), 0);
    close(device->out);
    close(device->err);
    hal_close(&hal);
    return status;
}

static int stop(struct emulated *device, int signal)
{
    CU_ASSERT_EQUAL(kill(device->pid, signal), 0);
    return ended(device);
}

static struct link *plug_in(const struct emulated *device)
{
    struct link *link;

    CU_ASSERT_EQUAL_FATAL(link_open(&link, &hal, device->address, &error), 0);
    return link;
}

#define ARGUMENTS(...)                                                                             \
    (const char *const[])                                                                          \
    {                                                                                              \
        "emulate", __VA_ARGS__, NULL                                                               \
    }

#define FAST "--option", "shuffle=1", "--option", "deal=1", "--option", "take=1"

/* Shuffles and takes all packets of a round of Flush Rush; returns how many cards came. */
static size_t deal(struct shuffler *shuffler, unsigned hands, card_t cards[DECK_SIZE],
                   bool *test_mode)
{
    struct shuffler_program program = {.count = (uint8_t)(hands + 1)};
    struct shuffler_event event;
    size_t count = 0;
    unsigned taken = 0;

    memset(program.sizes, 4, hands + 1);
    CU_ASSERT_EQUAL_FATAL(shuffler_program(shuffler, &program, &error), 0);
    CU_ASSERT_EQUAL_FATAL(shuffler_shuffle(shuffler, &error), 0);
    while (taken <= hands) {
        CU_ASSERT_EQUAL_FATAL(
            shuffler_next(shuffler, &event, clock_deadline(&real, PATIENCE), &error), 1);
        *test_mode = event.test_mode;
        if (event.kind == SHUFFLER_EVENT_SHUFFLED)
            CU_ASSERT_EQUAL_FATAL(shuffler_press(shuffler, &error), 0);
        if (event.kind == SHUFFLER_EVENT_PRESENT) {
            memcpy(cards + count, event.packet.cards, event.packet.size);
            count += event.packet.size;
        }
        taken += event.kind == SHUFFLER_EVENT_TAKEN;
    }
    CU_ASSERT_EQUAL_FATAL(shuffler_return_deck(shuffler, &error), 0);
    return count;
}

static void expect_cards(const card_t *cards, size_t count, const char *text)
{
    card_t expected[DECK_SIZE];
    int expected_count = cards_parse(text, strlen(text), expected, DECK_SIZE, &error);

    CU_ASSERT_EQUAL((int)count, expected_count);
    CU_ASSERT(!memcmp(cards, expected, count));
}

static const char recording[] =
    "{\"shoe\":1,\"game\":\"flush-rush\"}\n"
    "{\"round\":1,\"bets\":{\"2\":{\"ante\":500}},\"dealt\":[\"As Ks 2d 9h\",\"Qc Jc 2h 3s\"],"
    "\"play\":{\"2\":[\"fold\"]}}\n"
    "{\"round\":2,\"bets\":{\"2\":{\"ante\":500}},\"dealt\":[],\"play\":{},\"void\":\"misdeal\"}\n"
    "{\"round\":3,\"bets\":{\"2\":{\"ante\":500}},\"dealt\":[\"2c 3c 4c 5c\",\"Ah Kh Qh Jh\"],"
    "\"play\":{\"2\":[\"bet\",\"bet\"]}}\n";

TEST(a_recording_is_dealt_round_by_round_and_in_test_mode)
{
    struct emulated device =
        start_on(ARGUMENTS("shuffler", "--tcp", "127.0.0.1:0", "--shoe", "-", FAST),
                 process_input(recording, strlen(recording)));
    struct link *link = plug_in(&device);
    struct shuffler *shuffler;
    card_t cards[DECK_SIZE];
    bool test_mode;
    size_t count;

    CU_ASSERT_EQUAL(strncmp(device.address, "tcp:127.0.0.1:", 14), 0);
    CU_ASSERT_EQUAL_FATAL(shuffler_open(&shuffler, "open", link, &error), 0);
    count = deal(shuffler, 1, cards, &test_mode);
    CU_ASSERT(test_mode);
    expect_cards(cards, count, "As Ks 2d 9h Qc Jc 2h 3s");
    count = deal(shuffler, 1, cards, &test_mode);
    expect_cards(cards, count, "2c 3c 4c 5c Ah Kh Qh Jh");
    shuffler_close(shuffler);
    link_close(link);
    CU_ASSERT_EQUAL(stop(&device, SIGTERM), 0);
}

TEST(a_round_that_is_void_before_its_first_card_takes_no_deck)
{
    static const char *const kinds[] = {"shoe", "angel-eye", "shuffler"};

    for (unsigned i = 0; i < 3; i++) {
        struct emulated device =
            start(ARGUMENTS(kinds[i], "--tcp", "127.0.0.1:0", "--shoe",
                            "fixtures/flush-rush/misdeal-before-the-first-card.shoe"));

        CU_ASSERT_EQUAL(stop(&device, SIGTERM), 0);
    }
}

static void deal_with_seed(const char *seed, card_t cards[DECK_SIZE])
{
    struct emulated device = start(ARGUMENTS("shuffler", "--pty", "--seed", seed, FAST));
    struct link *link = plug_in(&device);
    struct shuffler *shuffler;
    bool test_mode;

    CU_ASSERT_EQUAL(strncmp(device.address, "pty:/dev/pts/", 13), 0);
    CU_ASSERT_EQUAL_FATAL(shuffler_open(&shuffler, "open", link, &error), 0);
    CU_ASSERT_EQUAL(deal(shuffler, 7, cards, &test_mode), 32);
    CU_ASSERT_FALSE(test_mode);
    shuffler_close(shuffler);
    link_close(link);
    CU_ASSERT_EQUAL(stop(&device, SIGINT), 0);
}

TEST(a_seed_decides_the_cards)
{
    card_t first[DECK_SIZE], again[DECK_SIZE], other[DECK_SIZE];

    deal_with_seed("11", first);
    deal_with_seed("11", again);
    deal_with_seed("12", other);
    CU_ASSERT(!memcmp(first, again, 32));
    CU_ASSERT(memcmp(first, other, 32) != 0);
}

static void come_twice(const char *reach, const char *where)
{
    struct emulated device = start(ARGUMENTS("shuffler", reach, where, FAST));

    for (unsigned i = 1; i <= 2; i++) {
        struct link *link = plug_in(&device);
        struct shuffler_status status;
        struct shuffler *shuffler;
        card_t cards[DECK_SIZE];
        bool test_mode;

        CU_ASSERT_EQUAL_FATAL(shuffler_open(&shuffler, "open", link, &error), 0);
        deal(shuffler, 2, cards, &test_mode);
        CU_ASSERT_EQUAL(shuffler_status(shuffler, &status, &error), 0);
        CU_ASSERT_EQUAL(status.shuffle, i);
        shuffler_close(shuffler);
        link_close(link);
    }
    CU_ASSERT_EQUAL(stop(&device, SIGTERM), 0);
}

TEST(a_device_goes_on_where_it_was_for_the_next_client)
{
    come_twice("--tcp", "0");
    come_twice("--pty", "--seed=5");
}

static void draw_from(const char *name, const char *driver)
{
    struct emulated device =
        start_on(ARGUMENTS(name, "--tcp", "0", "--shoe", "-", "--option", "draw=1"),
                 process_input(recording, strlen(recording)));
    struct link *link = plug_in(&device);
    struct shoe_event event;
    card_t cards[DECK_SIZE];
    size_t count = 0;
    struct shoe *shoe;
    nanos_t last = 0, now, shortest = NEVER;

    CU_ASSERT_EQUAL_FATAL(shoe_open(&shoe, driver, link, "", &error), 0);
    CU_ASSERT_EQUAL_FATAL(shoe_lock(shoe, false, &error), 0);
    while (count < 8) {
        CU_ASSERT_EQUAL_FATAL(shoe_next(shoe, &event, clock_deadline(&real, PATIENCE), &error), 1);
        if (event.kind != SHOE_EVENT_CARD)
            continue;
        now = clock_now(&real);
        if (count && now - last < shortest)
            shortest = now - last;
        last = now;
        cards[count++] = event.card.card;
    }
    /* The hand that is there unless told otherwise would take 700 ms for each. */
    CU_ASSERT(shortest < 350 * NANOS_PER_MILLI);
    expect_cards(cards, count, "As Ks 2d 9h Qc Jc 2h 3s");
    shoe_close(shoe);
    link_close(link);
    CU_ASSERT_EQUAL(stop(&device, SIGTERM), 0);
}

TEST(both_shoes_deal_a_recording_card_by_card)
{
    draw_from("shoe", "open");
    draw_from("angel-eye", "angel-eye");
}

TEST(a_terminal_shows_its_meters)
{
    struct emulated device =
        start(ARGUMENTS("terminal", "--tcp", "0", "--option", "preset=three-card-catch"));
    struct link *link = plug_in(&device);
    struct terminal_meters meters;
    struct terminal *terminal;

    CU_ASSERT_EQUAL_FATAL(terminal_open(&terminal, "open", link, &error), 0);
    CU_ASSERT_EQUAL(terminal_meters(terminal, &meters, &error), 0);
    CU_ASSERT_EQUAL(meters.count, 5);
    terminal_close(terminal);
    link_close(link);
    CU_ASSERT_EQUAL(stop(&device, SIGTERM), 0);
}

/* Takes events up to that one. */
static void await_seat(struct bet_unit *unit, enum bet_event_kind kind, unsigned seat)
{
    struct bet_unit_event event;

    do {
        CU_ASSERT_EQUAL_FATAL(bet_unit_next(unit, &event, clock_deadline(&real, PATIENCE), &error),
                              1);
    } while (event.kind != BET_UNIT_EVENT_SEAT || event.seat.kind != kind ||
             event.seat.seat != seat);
}

static void sense_bets(const char *reach, const char *where)
{
    struct emulated device = start(ARGUMENTS("bet-sensor", reach, where, "--option", "place=0",
                                             "--fault", "dark@seat:2", "--fault", "late@seat:6"));
    struct link *link = plug_in(&device);
    struct bet_unit_status status;
    struct bet_unit *unit;

    CU_ASSERT_EQUAL_FATAL(bet_unit_open(&unit, link, &error), 0);
    CU_ASSERT_EQUAL(bet_unit_test_mode(unit, true, &error), 0);
    CU_ASSERT_EQUAL(bet_unit_place(unit, 0x04, &error), 0);
    await_seat(unit, BET_EVENT_PLACED, 2);
    CU_ASSERT_EQUAL(bet_unit_lock(unit, 0x04, &error), 0);
    CU_ASSERT_EQUAL(bet_unit_light(unit, 0x04, &error), 0);
    await_seat(unit, BET_EVENT_LAMP_DARK, 2);
    await_seat(unit, BET_EVENT_LATE, 6);
    CU_ASSERT_EQUAL(bet_unit_status(unit, &status, &error), 0);
    CU_ASSERT_EQUAL(status.state, BET_UNIT_ROUND);
    CU_ASSERT_EQUAL(status.placed, 0x44);
    CU_ASSERT_EQUAL(status.locked, 0x04);
    CU_ASSERT_EQUAL(status.lit, 0);
    bet_unit_close(unit);
    link_close(link);
    CU_ASSERT_EQUAL(stop(&device, SIGTERM), 0);
}

TEST(bet_sensors_are_a_unit_on_a_port_or_a_terminal)
{
    sense_bets("--tcp", "0");
    sense_bets("--pty", "--seed=5");
}

TEST(people_place_wagers_as_often_as_they_are_told)
{
    struct emulated device = start(ARGUMENTS("bet-sensor", "--tcp", "0", "--option", "place=30"));
    struct link *link = plug_in(&device);
    struct bet_unit_event event;
    struct bet_unit *unit;

    CU_ASSERT_EQUAL_FATAL(bet_unit_open(&unit, link, &error), 0);
    CU_ASSERT_EQUAL(bet_unit_next(unit, &event, clock_deadline(&real, PATIENCE), &error), 1);
    CU_ASSERT_EQUAL(event.kind, BET_UNIT_EVENT_SEAT);
    CU_ASSERT_EQUAL(event.seat.kind, BET_EVENT_PLACED);
    bet_unit_close(unit);
    link_close(link);
    CU_ASSERT_EQUAL(stop(&device, SIGTERM), 0);
}

TEST(a_fault_shows_on_the_wire)
{
    struct emulated device =
        start(ARGUMENTS("shuffler", "--tcp", "0", "--fault", "cover@shuffle:1", FAST));
    const struct shuffler_program program = {.count = 3, .sizes = {4, 4, 4}};
    struct link *link = plug_in(&device);
    struct shuffler_event event;
    struct shuffler *shuffler;

    CU_ASSERT_EQUAL_FATAL(shuffler_open(&shuffler, "open", link, &error), 0);
    CU_ASSERT_EQUAL_FATAL(shuffler_program(shuffler, &program, &error), 0);
    CU_ASSERT_EQUAL_FATAL(shuffler_shuffle(shuffler, &error), 0);
    CU_ASSERT_EQUAL_FATAL(shuffler_next(shuffler, &event, clock_deadline(&real, PATIENCE), &error),
                          1);
    CU_ASSERT_EQUAL(event.kind, SHUFFLER_EVENT_FAULT);
    CU_ASSERT_EQUAL(event.fault.code, SHUFFLER_COVER_OPEN);
    shuffler_close(shuffler);
    link_close(link);
    CU_ASSERT_EQUAL(stop(&device, SIGTERM), 0);
}

static void talk_until_unplugged(const struct emulated *device)
{
    struct link *link = plug_in(device);
    struct wire_identity identity;
    struct shuffler *shuffler;
    int status = 0;

    CU_ASSERT_EQUAL_FATAL(shuffler_open(&shuffler, "open", link, &error), 0);
    for (int i = 0; i < 20 && status == 0; i++)
        status = device_identity(&shuffler->device, &identity, &error);
    CU_ASSERT_EQUAL(status, ERROR_DEVICE);
    shuffler_close(shuffler);
    link_close(link);
}

TEST(an_unplugged_device_comes_back_on_its_port_but_not_on_its_terminal)
{
    struct emulated device =
        start(ARGUMENTS("shuffler", "--tcp", "0", "--fault", "unplug@frames:10"));
    struct shuffler *shuffler;
    struct link *link;

    talk_until_unplugged(&device);
    link = plug_in(&device);
    CU_ASSERT_EQUAL(shuffler_open(&shuffler, "open", link, &error), 0);
    shuffler_close(shuffler);
    link_close(link);
    CU_ASSERT_EQUAL(stop(&device, SIGTERM), 0);

    device = start(ARGUMENTS("shuffler", "--pty", "--fault", "unplug@frames:10"));
    talk_until_unplugged(&device);
    CU_ASSERT_EQUAL(ended(&device), 0);
}

TEST(a_signal_ends_it_also_while_a_client_is_connected)
{
    static const int signals[] = {SIGTERM, SIGINT};
    char byte;

    for (size_t i = 0; i < 2; i++) {
        struct emulated device = start(ARGUMENTS("terminal", "--tcp", "0"));
        struct link *link = plug_in(&device);

        CU_ASSERT_EQUAL(kill(device.pid, signals[i]), 0);
        CU_ASSERT_EQUAL(link_read(link, &byte, 1, clock_deadline(&real, PATIENCE), &error),
                        ERROR_DEVICE);
        link_close(link);
        CU_ASSERT_EQUAL(ended(&device), 0);
    }
}

static void hear_exactly(struct link *link, uint8_t *bytes, size_t size)
{
    for (size_t count = 0; count < size;) {
        ssize_t n =
            link_read(link, bytes + count, size - count, clock_deadline(&real, PATIENCE), &error);

        CU_ASSERT_FATAL(n > 0);
        count += (size_t)n;
    }
}

/* The port is in the line for people: "attach it with: usbip --tcp-port N attach …". */
static struct link *reach_usbip(const struct emulated *device)
{
    char line[128], address[64];
    struct link *link;
    unsigned port;

    read_line(device->err, line, sizeof line);
    CU_ASSERT_EQUAL_FATAL(
        sscanf(line, "attach it with: usbip --tcp-port %u attach -r 127.0.0.1 -b 1-1", &port), 1);
    snprintf(address, sizeof address, "tcp:127.0.0.1:%u", port);
    CU_ASSERT_EQUAL_FATAL(link_open(&link, &hal, address, &error), 0);
    return link;
}

TEST(a_device_on_usb_is_listed_with_its_numbers)
{
    static const struct {
        const char *name, *address;
        uint8_t product;
    } devices[] = {{"shuffler", "usb:1209:0001/Q7", 1},
                   {"shoe", "usb:1209:0002/Q7", 2},
                   {"terminal", "usb:1209:0003/Q7", 3}};
    static const uint8_t list[8] = {0x01, 0x11, 0x80, 0x05};
    uint8_t answer[0x0c + 0x138 + 4];

    for (size_t i = 0; i < sizeof devices / sizeof devices[0]; i++) {
        struct emulated device =
            start(ARGUMENTS(devices[i].name, "--usbip", "127.0.0.1:0", "--option", "serial=Q7"));
        struct link *link = reach_usbip(&device);

        CU_ASSERT_STRING_EQUAL(device.address, devices[i].address);
        CU_ASSERT_EQUAL(
            link_write_all(link, list, sizeof list, clock_deadline(&real, PATIENCE), &error), 0);
        hear_exactly(link, answer, sizeof answer);
        CU_ASSERT_EQUAL(answer[0x0c + 256 + 32 + 12], 0x12);
        CU_ASSERT_EQUAL(answer[0x0c + 256 + 32 + 13], 0x09);
        CU_ASSERT_EQUAL(answer[0x0c + 256 + 32 + 15], devices[i].product);
        link_close(link);
        CU_ASSERT_EQUAL(stop(&device, SIGTERM), 0);
    }
}

TEST(a_passed_socket_speaks_usb_without_a_handshake)
{
    /* GET_DESCRIPTOR of string 3, sequence 9, device number 77. */
    static const uint8_t submit[48] = {0, 0, 0, 1, 0, 0, 0, 9, 0,    0, 0, 77, 0, 0, 0,  1,
                                       0, 0, 0, 0, 0, 0, 0, 0, 0,    0, 0, 64, 0, 0, 0,  0,
                                       0, 0, 0, 0, 0, 0, 0, 0, 0x80, 6, 3, 3,  9, 4, 64, 0};
    static const uint8_t serial[] = {10, 3, 'S', 0, '-', 0, '1', 0, '7', 0};
    struct emulated device;
    uint8_t answer[48 + sizeof serial];
    char where[16];
    int ends[2];

    CU_ASSERT_EQUAL_FATAL(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    snprintf(where, sizeof where, "fd:%d", ends[0]);
    device = start(ARGUMENTS("shuffler", "--usbip", where));
    close(ends[0]);
    CU_ASSERT_STRING_EQUAL(device.address, "usb:1209:0001/S-17");
    CU_ASSERT_EQUAL(write(ends[1], submit, sizeof submit), (ssize_t)sizeof submit);
    CU_ASSERT_EQUAL(recv(ends[1], answer, sizeof answer, MSG_WAITALL), (ssize_t)sizeof answer);
    CU_ASSERT_EQUAL(answer[3], 3);
    CU_ASSERT_EQUAL(answer[7], 9);
    CU_ASSERT(!memcmp(answer + 48, serial, sizeof serial));
    close(ends[1]);
    CU_ASSERT_EQUAL(ended(&device), 0);
}

/* The published example of an Angel Eye's operations, and its acknowledgement. */
TEST(a_device_on_a_serial_line_serves_it_until_it_hangs_up)
{
    static const uint8_t lock[] = {0x02, 'O', 'P', 'L', 'K', '0', '2', 0x03, '1', 'B'};
    int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    struct pollfd polled = {.fd = master, .events = POLLIN};
    struct emulated device;
    uint8_t answer = 0;

    CU_ASSERT_FATAL(master >= 0 && !grantpt(master) && !unlockpt(master));
    device = start(ARGUMENTS("angel-eye", "--tty", ptsname(master), "--option", "draw=0"));
    CU_ASSERT_STRING_EQUAL(device.address, ptsname(master));
    CU_ASSERT_EQUAL(write(master, lock, sizeof lock), (ssize_t)sizeof lock);
    while (answer != 0x06 && poll(&polled, 1, PATIENCE) == 1)
        CU_ASSERT_EQUAL_FATAL(read(master, &answer, 1), 1);
    CU_ASSERT_EQUAL(answer, 0x06);
    close(master);
    CU_ASSERT_EQUAL(ended(&device), 0);
}

TEST(a_port_in_use_is_a_failure_of_the_bench)
{
    struct emulated device = start(ARGUMENTS("shuffler", "--tcp", "0"));

    CU_ASSERT_EQUAL(process_status_with(process_run(ARGUMENTS("shoe", "--tcp", device.address + 4),
                                                    process_input("", 0)),
                                        "is in use by another program"),
                    4);
    CU_ASSERT_EQUAL(stop(&device, SIGTERM), 0);
}

/* Lines of standard error up to one that holds these words. */
static void read_until(const struct emulated *device, const char *words)
{
    char line[1024];

    do
        read_line(device->err, line, sizeof line);
    while (!strstr(line, words));
}

TEST(a_device_that_is_verbose_says_who_comes_and_what_is_said)
{
    struct emulated device = start(ARGUMENTS("shuffler", "--tcp", "0", "--verbose", FAST));
    struct link *link = plug_in(&device);
    struct shuffler *shuffler;

    CU_ASSERT_EQUAL_FATAL(shuffler_open(&shuffler, "open", link, &error), 0);
    read_until(&device, "client 1: connected from 127.0.0.1:");
    read_until(&device, "> shuffler request HELLO");
    read_until(&device, "< shuffler reply to HELLO");
    shuffler_close(shuffler);
    link_close(link);
    read_until(&device, "client 1: gone");
    CU_ASSERT_EQUAL(stop(&device, SIGTERM), 0);
}

TEST(who_comes_while_somebody_has_the_device_hears_that_it_may_be_taken)
{
    static const char *const names[] = {"shuffler", "angel-eye"};

    for (unsigned i = 0; i < 2; i++) {
        struct emulated device = start(ARGUMENTS(names[i], "--tcp", "0"));
        struct link *first = plug_in(&device), *second = plug_in(&device);
        struct shuffler *shuffler;
        struct shoe *shoe;

        CU_ASSERT_EQUAL(i ? shoe_open(&shoe, "angel-eye", second, "", &error)
                          : shuffler_open(&shuffler, "open", second, &error),
                        ERROR_TIMEOUT);
        CU_ASSERT_PTR_NOT_NULL(
            strstr(error.text, "? Behind TCP it may speak with another program"));
        link_close(first);
        link_close(second);
        CU_ASSERT_EQUAL(stop(&device, SIGTERM), 0);
    }
}

TEST(who_serves_other_machines_is_told_so)
{
    struct emulated device = start(ARGUMENTS("shuffler", "--tcp", "0.0.0.0:0"));

    read_until(&device, "other machines reach 0.0.0.0:0");
    CU_ASSERT_EQUAL(stop(&device, SIGTERM), 0);
    device = start(ARGUMENTS("shuffler", "--tcp", "127.0.0.1:0"));
    CU_ASSERT_EQUAL(kill(device.pid, SIGTERM), 0);
    CU_ASSERT_EQUAL(read(device.err, (char[1]){0}, 1), 0);
    CU_ASSERT_EQUAL(ended(&device), 0);
}
