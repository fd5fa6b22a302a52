/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Devices that are pulled out of a real USB bus and put back, and twins that stand beside them. */
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "devices/shuffler/shuffler.h"
#include "devices/terminal/terminal.h"
#include "hal/link/link.h"
#include "tests/kernel/plug.h"
#include "tests/support/process.h"
#include "tests/support/scratch.h"
#include "tests/support/suite.h"

#define PATIENCE 5000 /* milliseconds */

static struct clock real;
static struct hal hal;
static struct error error;
static struct plug plug;
static struct link *wire;
static unsigned reopened;

static void note_reopening(void *context, const char *address, unsigned tries, nanos_t away)
{
    (void)context;
    (void)address;
    (void)tries;
    (void)away;
    reopened++;
}

static void open_hal(void)
{
    clock_real(&real);
    CU_ASSERT_EQUAL_FATAL(hal_open(&hal, &real, &error), 0);
}

/* A device that can be pulled out and put back, and a link that looks for it again. */
static void set_up(const char *device, const char *const *arguments)
{
    const struct reopen_policy policy = {.first = 20 * NANOS_PER_MILLI,
                                         .longest = 200 * NANOS_PER_MILLI,
                                         .tries = 100,
                                         .said = note_reopening};

    /* A test that failed half-way has left its device. */
    if (plug.model.pid)
        plug_stop(&plug);
    open_hal();
    reopened = 0;
    plug_start(&plug, 0, device, "U-1", arguments);
    plug_in(&plug);
    CU_ASSERT_EQUAL_FATAL(link_open(&wire, &hal, plug.model.ready, &error), 0);
    CU_ASSERT_EQUAL_FATAL(link_reopen(wire, &policy, &error), 0);
}

static void tear_down(void)
{
    link_close(wire);
    plug_stop(&plug);
    hal_close(&hal);
}

static void replug(void)
{
    plug_out(&plug);
    plug_in(&plug);
}

TEST(twins_are_told_apart_by_their_serial_numbers)
{
    static const char *const serials[] = {"W-1", "W-2"};
    struct plug twins[2];

    open_hal();
    for (unsigned i = 0; i < 2; i++)
        plug_in_once(&twins[i], i, "shuffler", serials[i], NULL);
    CU_ASSERT_EQUAL(link_open(&wire, &hal, "usb:1209:0001", &error), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "W-1"));
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "W-2"));
    for (unsigned i = 2; i-- > 0;) {
        struct wire_identity identity;
        struct shuffler *shuffler;

        CU_ASSERT_EQUAL_FATAL(link_open(&wire, &hal, twins[i].model.ready, &error), 0);
        CU_ASSERT_EQUAL_FATAL(shuffler_open(&shuffler, "open", wire, &error), 0);
        CU_ASSERT_EQUAL(device_identity(&shuffler->device, &identity, &error), 0);
        CU_ASSERT_STRING_EQUAL(identity.serial, serials[i]);
        shuffler_close(shuffler);
        link_close(wire);
    }
    CU_ASSERT_EQUAL(link_open(&wire, &hal, "usb:1209:0001/W-3", &error), ERROR_DEVICE);
    plug_stop(&twins[1]);
    CU_ASSERT_EQUAL(link_open(&wire, &hal, "usb:1209:0001", &error), 0);
    link_close(wire);
    plug_stop(&twins[0]);
    hal_close(&hal);
}

TEST(a_device_replugged_while_idle_goes_on)
{
    struct wire_identity identity;
    struct shuffler *shuffler;

    set_up("shuffler", NULL);
    CU_ASSERT_EQUAL_FATAL(shuffler_open(&shuffler, "open", wire, &error), 0);
    for (unsigned i = 1; i <= 3; i++) {
        replug();
        CU_ASSERT_EQUAL(device_identity(&shuffler->device, &identity, &error), 0);
        CU_ASSERT_STRING_EQUAL(identity.serial, "U-1");
        CU_ASSERT_EQUAL(reopened, i);
    }
    shuffler_close(shuffler);
    tear_down();
}

static void *replug_soon(void *unused)
{
    (void)unused;
    guest_sleep(50);
    replug();
    return NULL;
}

TEST(a_device_replugged_while_somebody_waits_for_it_goes_on)
{
    struct shuffler_event event;
    struct wire_identity identity;
    struct shuffler *shuffler;
    pthread_t thread;

    set_up("shuffler", NULL);
    CU_ASSERT_EQUAL_FATAL(shuffler_open(&shuffler, "open", wire, &error), 0);
    CU_ASSERT_EQUAL_FATAL(pthread_create(&thread, NULL, replug_soon, NULL), 0);
    CU_ASSERT_EQUAL(shuffler_next(shuffler, &event, clock_deadline(&real, 1500), &error), 0);
    pthread_join(thread, NULL);
    CU_ASSERT_EQUAL(reopened, 1);
    CU_ASSERT_EQUAL(device_identity(&shuffler->device, &identity, &error), 0);
    shuffler_close(shuffler);
    tear_down();
}

#define HANDS 3 /* of Flush Rush: as many packets of four cards, and the community's */

/* The packets of a round, each of which must come once, although the device goes in between. */
struct dealt {
    unsigned packets, taken;
    uint64_t cards;
    unsigned count;
};

static void take_packet(struct dealt *dealt, const struct shuffler_event *event)
{
    CU_ASSERT_EQUAL(event->packet.index, dealt->packets);
    dealt->packets++;
    for (unsigned i = 0; i < event->packet.size; i++)
        dealt->cards |= UINT64_C(1) << event->packet.cards[i];
    dealt->count += event->packet.size;
}

/* Pulls the device out after the first event of that kind, for so long. */
static void deal_and_replug_after(enum shuffler_event_kind kind, unsigned milliseconds)
{
    static const char *const times[] = {"--option", "shuffle=50", "--option", "deal=200",
                                        "--option", "take=200",   NULL};
    struct shuffler_program program = {.count = HANDS + 1};
    struct dealt dealt = {0};
    struct shuffler_event event;
    struct shuffler *shuffler;
    bool is_done = false;

    set_up("shuffler", times);
    memset(program.sizes, 4, program.count);
    CU_ASSERT_EQUAL_FATAL(shuffler_open(&shuffler, "open", wire, &error), 0);
    CU_ASSERT_EQUAL_FATAL(shuffler_program(shuffler, &program, &error), 0);
    CU_ASSERT_EQUAL_FATAL(shuffler_shuffle(shuffler, &error), 0);
    while (dealt.taken <= HANDS) {
        int result = shuffler_next(shuffler, &event, clock_deadline(&real, PATIENCE), &error);

        if (result != 1)
            fprintf(stderr, "%u packets, %u taken, reopened %u times: %s\n", dealt.packets,
                    dealt.taken, reopened, result ? error.text : "nothing came");
        CU_ASSERT_EQUAL_FATAL(result, 1);
        if (event.kind == SHUFFLER_EVENT_SHUFFLED)
            CU_ASSERT_EQUAL_FATAL(shuffler_press(shuffler, &error), 0);
        if (event.kind == SHUFFLER_EVENT_PRESENT)
            take_packet(&dealt, &event);
        dealt.taken += event.kind == SHUFFLER_EVENT_TAKEN;
        if (event.kind == kind && !is_done) {
            plug_out(&plug);
            guest_sleep(milliseconds);
            plug_in(&plug);
            is_done = true;
        }
    }
    CU_ASSERT_EQUAL(reopened, 1);
    CU_ASSERT_EQUAL(dealt.packets, HANDS + 1);
    CU_ASSERT_EQUAL(dealt.count, 4 * (HANDS + 1));
    CU_ASSERT_EQUAL(__builtin_popcountll(dealt.cards), 4 * (HANDS + 1));
    CU_ASSERT_EQUAL(device_host(&shuffler->device)->counts.lost, 0);
    shuffler_close(shuffler);
    tear_down();
}

TEST(a_shuffler_replugged_in_the_middle_of_a_packet_deals_each_card_once)
{
    deal_and_replug_after(SHUFFLER_EVENT_SHUFFLED, 0);
    deal_and_replug_after(SHUFFLER_EVENT_PRESENT, 0);
    deal_and_replug_after(SHUFFLER_EVENT_TAKEN, 0);
    /* For longer than the device repeats what nobody acknowledges. */
    deal_and_replug_after(SHUFFLER_EVENT_PRESENT, 2500);
}

static const struct terminal_press approval[] = {
    {.key = TERMINAL_START_ROUND},     {.key = TERMINAL_SEAT, .seat = 3},
    {.key = TERMINAL_HAND, .hand = 3}, {.key = TERMINAL_PENDING_JACKPOT},
    {.key = TERMINAL_PAY_JACKPOT},     {.key = TERMINAL_CODE, .code = "4711"},
    {.key = TERMINAL_PAY_JACKPOT},     {.key = TERMINAL_OK},
    {.key = TERMINAL_END_ROUND},
};
#define APPROVAL_KEYS (sizeof approval / sizeof approval[0])

static unsigned count_awards(struct terminal *terminal)
{
    struct terminal_event event;
    unsigned count = 0;

    while (terminal_next(terminal, &event, clock_deadline(&real, 50), &error) == 1)
        count += event.kind == TERMINAL_EVENT_JACKPOT;
    return count;
}

TEST(a_terminal_replugged_at_any_key_of_an_approval_pays_once)
{
    struct terminal_status status;
    struct terminal *terminal;

    set_up("terminal", NULL);
    CU_ASSERT_EQUAL_FATAL(terminal_open(&terminal, "open", wire, &error), 0);
    for (unsigned pulled = 0; pulled < APPROVAL_KEYS; pulled++) {
        unsigned awards = 0;

        CU_ASSERT_EQUAL_FATAL(terminal_sensors(terminal, 1u << 3, &error), 0);
        for (unsigned key = 0; key < APPROVAL_KEYS; key++) {
            int result;

            if (key == pulled)
                replug();
            result = terminal_key(terminal, &approval[key], &error);
            if (result)
                fprintf(stderr, "pulled at key %u, key %u: %s\n", pulled, key, error.text);
            CU_ASSERT_EQUAL_FATAL(result, 0);
            awards += count_awards(terminal);
        }
        CU_ASSERT_EQUAL(awards, 1);
        CU_ASSERT_EQUAL(terminal_status(terminal, &status, &error), 0);
        CU_ASSERT_EQUAL(status.awards, pulled + 1);
        CU_ASSERT_EQUAL(status.rounds, pulled + 1);
        CU_ASSERT_EQUAL(status.state, TERMINAL_IDLE);
    }
    CU_ASSERT_EQUAL(reopened, APPROVAL_KEYS);
    terminal_close(terminal);
    tear_down();
}

/* Somebody who trips over the cables while a recording is played, once the bench is open. */
struct clumsy {
    const char *journal;
    struct plug *cables[2];
    atomic_bool stop;
    unsigned trips;
};

static bool has_begun(const void *journal)
{
    char lines[4096];
    int fd = open(journal, O_RDONLY | O_CLOEXEC);
    ssize_t length = fd < 0 ? 0 : read(fd, lines, sizeof lines);

    if (fd >= 0)
        close(fd);
    return length > 0 && memmem(lines, (size_t)length, "\"kind\":\"round\"", 14);
}

static void *trip(void *context)
{
    struct clumsy *clumsy = context;

    if (!guest_wait(has_begun, clumsy->journal))
        return NULL;
    while (!atomic_load(&clumsy->stop)) {
        struct plug *cable = clumsy->cables[clumsy->trips & 1];

        guest_sleep(150 + clumsy->trips * 37 % 200);
        plug_out(cable);
        plug_in(cable);
        clumsy->trips++;
    }
    return NULL;
}

TEST(a_run_passes_when_its_devices_are_replugged_at_any_time)
{
    static const char *const times[] = {"--option", "shuffle=20", "--option", "deal=5",
                                        "--option", "take=5",     NULL};
    char recording[GUEST_PATH_SIZE], journal[SCRATCH_PATH_SIZE];
    const char *const arguments[] = {"run",       "--json", "--rig",   "tests/kernel/replug.yaml",
                                     "--journal", journal,  recording, NULL};
    struct process_result result;
    struct clumsy clumsy = {.journal = journal};
    struct plug shuffler, terminal;
    pthread_t thread;

    guest_text(recording, "%s/chase-the-flush/stax-every-line.shoe", getenv("FIXTURES"));
    scratch_path(journal);
    plug_start(&shuffler, 0, "shuffler", "S-17", times);
    plug_start(&terminal, 1, "terminal", "T-17", NULL);
    plug_in(&shuffler);
    plug_in(&terminal);
    clumsy.cables[0] = &shuffler;
    clumsy.cables[1] = &terminal;
    CU_ASSERT_EQUAL_FATAL(pthread_create(&thread, NULL, trip, &clumsy), 0);
    result = process_run(arguments, process_input("", 0));
    atomic_store(&clumsy.stop, true);
    pthread_join(thread, NULL);
    CU_ASSERT_EQUAL(result.status, 0);
    CU_ASSERT(clumsy.trips > 0);
    if (result.status)
        fprintf(stderr, "%s%s", result.out, result.err);
    else
        printf("%s: every round passed, devices replugged %u times\n", recording, clumsy.trips);
    process_free(&result);
    unlink(journal);
    plug_stop(&terminal);
    plug_stop(&shuffler);
}
