/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rigs/bench/bench.h"
#include "tests/support/suite.h"

static struct error said;
static struct rig *rig;
static struct bench bench;

static void read_rig(const char *text)
{
    if (rig_parse(&rig, "x.yaml", text, strlen(text), &said))
        printf("  %s\n", said.text);
    CU_ASSERT_PTR_NOT_NULL_FATAL(rig);
}

static void open_bench(const char *text)
{
    read_rig(text);
    if (bench_open(&bench, rig, 7, &said))
        printf("  %s\n", said.text);
    CU_ASSERT_PTR_NOT_NULL_FATAL(bench.rig);
}

static void close_bench(void)
{
    CU_ASSERT_EQUAL(bench_close(&bench, &said), 0);
    rig_free(rig);
}

/* How many descriptors this process has open. */
static int count_descriptors(void)
{
    int count = 0;

    for (int fd = 0; fd < 256; fd++)
        count += fcntl(fd, F_GETFD) >= 0;
    return count;
}

#define REAL(device) "rig: x\nclock: real\ndevices: {" device "}\n"
#define ONE(device)  "rig: x\nclock: virtual\ndevices: {" device "}\n"

TEST(the_default_bench_has_every_device)
{
    static const char *const names[] = {"shuffler", "shoe", "terminal", "sensors"};
    int before = count_descriptors();

    CU_ASSERT_EQUAL_FATAL(rig_default(&rig, &said), 0);
    CU_ASSERT_EQUAL_FATAL(bench_open(&bench, rig, 7, &said), 0);
    CU_ASSERT_TRUE(bench.clock.is_virtual);
    CU_ASSERT_PTR_NOT_NULL(bench.shuffler);
    CU_ASSERT_PTR_NOT_NULL(bench.shoe);
    CU_ASSERT_PTR_NOT_NULL(bench.terminal);
    CU_ASSERT_PTR_NOT_NULL(bench.sensors);
    for (unsigned i = 0; i < 4; i++) {
        const struct bench_device *device = bench_device(&bench, i);

        CU_ASSERT_STRING_EQUAL(device->name, names[i]);
        CU_ASSERT_TRUE(device->is_emulated);
        CU_ASSERT_EQUAL(device->status, 0);
        CU_ASSERT_EQUAL(device->has_identity, i < 3);
        CU_ASSERT_PTR_NOT_NULL(device->model);
    }
    CU_ASSERT_PTR_NULL(bench_device(&bench, 4));
    CU_ASSERT_STRING_EQUAL(bench_find(&bench, DEVICE_TERMINAL)->identity.model, "DP-TERM1");
    close_bench();
    CU_ASSERT_EQUAL(count_descriptors(), before);
}

TEST(what_a_rig_does_not_have_is_null)
{
    open_bench(ONE("shoe: {address: emu:shoe}"));
    CU_ASSERT_PTR_NULL(bench.shuffler);
    CU_ASSERT_PTR_NOT_NULL(bench.shoe);
    CU_ASSERT_PTR_NULL(bench.terminal);
    CU_ASSERT_PTR_NULL(bench.sensors);
    CU_ASSERT_PTR_NULL(bench_find(&bench, DEVICE_SHUFFLER));
    CU_ASSERT_PTR_NULL(bench_device(&bench, 1));
    close_bench();
}

TEST(a_shoe_that_cannot_say_who_it_is_opens_too)
{
    open_bench(ONE("shoe: {driver: angel-eye, address: emu:angel-eye}"));
    CU_ASSERT_STRING_EQUAL(bench_device(&bench, 0)->driver, "angel-eye");
    CU_ASSERT_FALSE(bench_device(&bench, 0)->has_identity);
    close_bench();
}

#define ABSENT                                                                                     \
    "rig: x\nclock: real\ndevices:\n  shuffler: {address: 'usb:1209:7fff'}\n"                      \
    "  shoe: {address: emu:shoe}\n  terminal: {address: 'serial:/dev/ttyNone@115200'}\n"

TEST(missing_devices_are_named_with_the_line_of_their_address)
{
    int before = count_descriptors();

    read_rig(ABSENT);
    CU_ASSERT_TRUE(bench_open(&bench, rig, 7, &said) < 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(said.text, "x.yaml:4:23: the shuffler: usb:1209:7fff"));
    CU_ASSERT_PTR_NOT_NULL(strstr(said.text, "; failed as well: terminal"));
    CU_ASSERT_PTR_NULL(bench.shoe);
    CU_ASSERT_EQUAL(count_descriptors(), before);
    rig_free(rig);
}

TEST(a_bench_that_is_tried_keeps_what_there_is)
{
    read_rig(ABSENT);
    CU_ASSERT_EQUAL_FATAL(bench_try(&bench, rig, 7, &said), 0);
    CU_ASSERT_TRUE(bench_find(&bench, DEVICE_SHUFFLER)->status < 0);
    CU_ASSERT_EQUAL(bench_find(&bench, DEVICE_SHOE)->status, 0);
    CU_ASSERT_TRUE(bench_find(&bench, DEVICE_TERMINAL)->status < 0);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(bench_find(&bench, DEVICE_TERMINAL)->error.text, "x.yaml:6:23: the terminal"));
    CU_ASSERT_PTR_NULL(bench.shuffler);
    CU_ASSERT_PTR_NOT_NULL(bench.shoe);
    close_bench();
}

TEST(an_address_that_only_its_backend_can_judge_has_a_place_too)
{
    read_rig("rig: x\nclock: real\ndevices:\n  shoe: {address: 'tcp:localhost:port'}\n");
    CU_ASSERT_EQUAL(bench_open(&bench, rig, 7, &said), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(said.text, "x.yaml:4:19: the shoe: tcp:localhost:port"));
    rig_free(rig);
}

TEST(a_file_of_the_rig_that_cannot_be_opened_is_named_with_its_place)
{
    int before = count_descriptors();

    read_rig(ONE("shoe: {address: emu:shoe}") "paytables: nowhere.tables\n");
    CU_ASSERT_EQUAL(bench_open(&bench, rig, 7, &said), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(said.text, "x.yaml:4:12: the paytables: "));
    CU_ASSERT_PTR_NOT_NULL(strstr(said.text, "nowhere.tables"));
    CU_ASSERT_EQUAL(count_descriptors(), before);
    rig_free(rig);
    read_rig(ONE("shoe: {address: emu:shoe}") "capture: nowhere/x.pcap\n");
    CU_ASSERT_TRUE(bench_open(&bench, rig, 7, &said) < 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(said.text, "x.yaml:4:10: the capture: "));
    CU_ASSERT_EQUAL(count_descriptors(), before);
    rig_free(rig);
}

/* None of these is opened: port 0 is none. */
TEST(behind_a_server_on_another_machine_is_a_serial_line)
{
    static const struct {
        const char *rig;
        bool is_lossy;
    } lines[] = {
        {ONE("shuffler: {address: emu:shuffler}"), false},
        {ONE("shuffler: {address: emu:shuffler, line: serial}"), true},
        {ONE("shuffler: {address: emu:shuffler, link-fault: {flip: 1}, line: direct}"), true},
        {REAL("shuffler: {address: 'serial:/nowhere@9600'}"), true},
        {REAL("shuffler: {address: 'serial:/nowhere@9600', line: direct}"), false},
        {REAL("shuffler: {address: 'tcp:10.0.0.7:0'}"), true},
        {REAL("shuffler: {address: 'tcp:10.0.0.7:0', line: direct}"), false},
        {REAL("shuffler: {address: 'tcp:127.0.0.1:0'}"), false},
        {REAL("shuffler: {address: 'tcp:localhost:0'}"), false},
        {REAL("shuffler: {address: 'tcp:[::1]:0'}"), false},
        {REAL("shuffler: {address: 'tcp:127.0.0.1:0', line: serial}"), true},
    };

    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        read_rig(lines[i].rig);
        CU_ASSERT_EQUAL_FATAL(bench_try(&bench, rig, 7, &said), 0);
        CU_ASSERT_EQUAL(bench.devices[0].is_lossy, lines[i].is_lossy);
        close_bench();
    }
}

TEST(wagers_reach_the_sensors_of_their_seat)
{
    unsigned wrong = ~0u;

    open_bench("rig: x\nclock: virtual\nseats: 4\ndevices:\n  sensors:\n"
               "    address: emu:table?active-low=bet+lamp\n    active-low: [bet, lamp]\n"
               "    bias: pull-up\n    seats:\n"
               "    - {seat: 4, bet: bet4, chip: chip4, light: light4, lamp: lamp4}\n"
               "    - {seat: 2, bet: bet2, chip: chip2}\n");
    CU_ASSERT_EQUAL(sensors_with(bench.sensors, BET_LINE_BET), 1u << 2 | 1u << 4);
    CU_ASSERT_EQUAL(sensors_with(bench.sensors, BET_LINE_LAMP), 1u << 4);
    CU_ASSERT_EQUAL(sensors_place(bench.sensors, 1u << 4, true, &said), 0);
    CU_ASSERT_EQUAL(sensors_settle(bench.sensors, &said), 0);
    CU_ASSERT_EQUAL(sensors_placed(bench.sensors), 1u << 4);
    CU_ASSERT_EQUAL(sensors_light(bench.sensors, 1u << 4, &said), 0);
    CU_ASSERT_EQUAL(sensors_check_lamps(bench.sensors, &wrong, &said), 0);
    CU_ASSERT_EQUAL(wrong, 0);
    close_bench();
}

/* Presses of a shuffle in test mode, up to its first packet or the fault in its place. */
static enum shuffler_event_kind deal_one(struct shuffler_event *event)
{
    struct shuffler_program program = {.count = 2, .sizes = {4, 4}};
    nanos_t deadline = clock_deadline(&bench.clock, 60000);

    CU_ASSERT_EQUAL(shuffler_program(bench.shuffler, &program, &said), 0);
    CU_ASSERT_EQUAL(shuffler_shuffle(bench.shuffler, &said), 0);
    do {
        CU_ASSERT_EQUAL_FATAL(shuffler_next(bench.shuffler, event, deadline, &said), 1);
    } while (event->kind != SHUFFLER_EVENT_SHUFFLED);
    CU_ASSERT_EQUAL(shuffler_press(bench.shuffler, &said), 0);
    CU_ASSERT_EQUAL_FATAL(shuffler_next(bench.shuffler, event, deadline, &said), 1);
    return event->kind;
}

TEST(a_defect_of_the_rig_shows)
{
    struct shuffler_event event;

    open_bench(ONE("shuffler: {address: emu:shuffler, fault: jam@packet:1}"));
    CU_ASSERT_EQUAL(deal_one(&event), SHUFFLER_EVENT_FAULT);
    CU_ASSERT_EQUAL(event.fault.code, SHUFFLER_JAM);
    close_bench();
    open_bench(ONE("shuffler: {address: emu:shuffler}"));
    CU_ASSERT_EQUAL(deal_one(&event), SHUFFLER_EVENT_PRESENT);
    close_bench();
}

TEST(defects_can_be_added_to_an_open_bench)
{
    struct shuffler_event event;

    open_bench(ONE("shuffler: {address: emu:shuffler}"));
    CU_ASSERT_EQUAL(bench_fault(&bench, DEVICE_SHOE, "jam@card:1", &said), ERROR_CONFIG);
    CU_ASSERT_EQUAL(bench_fault(&bench, DEVICE_SHUFFLER, "hiccup", &said), ERROR_CONFIG);
    CU_ASSERT_EQUAL(bench_fault(&bench, DEVICE_SHUFFLER, "jam@packet:1", &said), 0);
    CU_ASSERT_EQUAL(deal_one(&event), SHUFFLER_EVENT_FAULT);
    close_bench();
    CU_ASSERT_EQUAL_FATAL(rig_default(&rig, &said), 0);
    CU_ASSERT_EQUAL_FATAL(bench_open(&bench, rig, 7, &said), 0);
    CU_ASSERT_EQUAL(bench_fault(&bench, DEVICE_SHOE, "jam@card:1", &said), 0);
    CU_ASSERT_EQUAL(bench_fault(&bench, DEVICE_TERMINAL, "dark@seat:1", &said), 0);
    CU_ASSERT_EQUAL(bench_fault(&bench, DEVICE_SENSORS, "late@seat:1", &said), 0);
    close_bench();
}

TEST(the_seed_decides_the_cards)
{
    struct shuffler_event first, again, other;

    open_bench(ONE("shuffler: {address: emu:shuffler}"));
    deal_one(&first);
    close_bench();
    open_bench(ONE("shuffler: {address: emu:shuffler}"));
    deal_one(&again);
    close_bench();
    read_rig(ONE("shuffler: {address: emu:shuffler}"));
    CU_ASSERT_EQUAL_FATAL(bench_open(&bench, rig, 8, &said), 0);
    deal_one(&other);
    close_bench();
    CU_ASSERT_EQUAL(memcmp(first.packet.cards, again.packet.cards, 4), 0);
    CU_ASSERT_NOT_EQUAL(memcmp(first.packet.cards, other.packet.cards, 4), 0);
}

TEST(a_renewed_bench_is_like_one_just_opened)
{
    struct shuffler_event first, again, other;
    int before = count_descriptors();
    nanos_t took;

    open_bench(ONE("shuffler: {address: emu:shuffler}, terminal: {address: emu:terminal}"));
    deal_one(&first);
    took = clock_now(&bench.clock);
    CU_ASSERT_TRUE(took > 0);
    CU_ASSERT_EQUAL(bench_renew(&bench, 7, &said), 0);
    CU_ASSERT_PTR_NOT_NULL(bench.terminal);
    CU_ASSERT_PTR_NULL(bench_device(&bench, 2));
    deal_one(&again);
    CU_ASSERT_EQUAL(clock_now(&bench.clock), took);
    CU_ASSERT_EQUAL(bench_renew(&bench, 8, &said), 0);
    deal_one(&other);
    close_bench();
    CU_ASSERT_EQUAL(memcmp(first.packet.cards, again.packet.cards, 4), 0);
    CU_ASSERT_NOT_EQUAL(memcmp(first.packet.cards, other.packet.cards, 4), 0);
    CU_ASSERT_EQUAL(count_descriptors(), before);
}

TEST(a_defect_of_the_rig_is_there_again_in_a_renewed_bench)
{
    struct shuffler_event event;

    open_bench(ONE("shuffler: {address: emu:shuffler, fault: jam@packet:1}"));
    CU_ASSERT_EQUAL(deal_one(&event), SHUFFLER_EVENT_FAULT);
    CU_ASSERT_EQUAL(bench_renew(&bench, 7, &said), 0);
    CU_ASSERT_EQUAL(deal_one(&event), SHUFFLER_EVENT_FAULT);
    close_bench();
}

TEST(a_bad_link_is_mended_and_counted)
{
    struct shuffler_event event;
    uint64_t retries;

    open_bench(ONE("shuffler: {address: emu:shuffler, link-fault: {drop: 5000}}"));
    CU_ASSERT_EQUAL(deal_one(&event), SHUFFLER_EVENT_PRESENT);
    retries = device_host(&bench.shuffler->device)->counts.retries;
    CU_ASSERT_TRUE(retries > 0);
    close_bench();
}

static unsigned told;
static char told_name[16];

static void tell(void *context, const struct bench_device *device, unsigned tries, nanos_t away)
{
    (void)context;
    CU_ASSERT_TRUE(tries > 0 && away > 0);
    snprintf(told_name, sizeof told_name, "%s", device->name);
    told++;
}

TEST(a_device_that_comes_back_is_told_and_counted)
{
    struct terminal_status status;
    struct model *before;

    open_bench(
        ONE("terminal: {address: emu:terminal, fault: 'unplug@frames:4'}") "reopen: {first-ms: 10, "
                                                                           "longest-ms: 100, "
                                                                           "tries: 5}\n");
    told = 0;
    bench.reopened = tell;
    before = bench_device(&bench, 0)->model;
    CU_ASSERT_PTR_NOT_NULL(before);
    for (int i = 0; i < 4 && !told; i++)
        terminal_status(bench.terminal, &status, &said);
    CU_ASSERT_EQUAL(told, 1);
    CU_ASSERT_STRING_EQUAL(told_name, "terminal");
    CU_ASSERT_EQUAL(bench_device(&bench, 0)->reopened, 1);
    CU_ASSERT_TRUE(bench_device(&bench, 0)->away >= 10 * NANOS_PER_MILLI);
    close_bench();
}

TEST(a_capture_holds_every_link)
{
    char path[] = "/tmp/dealproof-capture-XXXXXX", text[256];
    unsigned char head[4096];
    int fd = mkstemp(path);
    ssize_t size;

    CU_ASSERT_TRUE_FATAL(fd >= 0 && !close(fd) && !unlink(path));
    snprintf(text, sizeof text,
             "rig: x\nclock: virtual\ndevices: {shuffler: {address: emu:shuffler}, "
             "shoe: {driver: angel-eye, address: emu:angel-eye}}\ncapture: %s\n",
             path);
    open_bench(text);
    close_bench();
    fd = open(path, O_RDONLY | O_CLOEXEC);
    size = read(fd, head, sizeof head);
    close(fd);
    unlink(path);
    CU_ASSERT_TRUE_FATAL(size > 100);
    CU_ASSERT_PTR_NOT_NULL(memmem(head, (size_t)size, "emu:shuffler", 12));
    CU_ASSERT_PTR_NOT_NULL(memmem(head, (size_t)size, "emu:angel-eye", 13));
}

/* A shuffler of a protocol that can be told nothing. */
static const struct shuffler_driver plain_driver = {
    .device = {.key = "shuffler/plain", .class = DEVICE_SHUFFLER, .noun = "shuffler"}};
REGISTER(device_drivers, plain_driver);

TEST(a_rig_says_to_compare_where_its_shuffler_cannot_load_an_order)
{
    static const char text[] = "rig: x\nclock: real\n"
                               "devices: {shuffler: {driver: plain, address: tcp:127.0.0.1:1}}\n";

    CU_ASSERT_EQUAL(rig_parse(&rig, "x.yaml", text, strlen(text), &said), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(
        strstr(said.text,
               "the driver 'plain' of the shuffler cannot load an order; write 'order: compare'"));
    read_rig("rig: x\nclock: real\norder: compare\n"
             "devices: {shuffler: {driver: plain, address: tcp:127.0.0.1:1}}\n");
    rig_free(rig);
}

/* Its link frees it at once, and makes another one when the device is back. */
TEST(a_model_that_has_left_is_not_looked_at)
{
    struct bench_device *device;
    struct shoe_event event;
    int status;

    open_bench(
        ONE("shoe: {driver: angel-eye, address: emu:angel-eye}") "reopen: {first-ms: 1000, "
                                                                 "longest-ms: 1000, tries: 5}\n");
    device = &bench.devices[0];
    device->model->gone = true;
    status = shoe_next(bench.shoe, &event, clock_deadline(&bench.clock, 10), &said);
    CU_ASSERT_EQUAL(status, ERROR_DEVICE);
    CU_ASSERT_TRUE_FATAL(link_is_away(device->link));
    CU_ASSERT_EQUAL(bench_fault(&bench, DEVICE_SHOE, "jam@card:1", &said), ERROR_DEVICE);
    CU_ASSERT_PTR_NOT_NULL(strstr(said.text, "has left"));
    CU_ASSERT_EQUAL(bench_deck(&bench, DEVICE_SHOE), 0);
    CU_ASSERT_EQUAL(bench_back(&bench, DEVICE_SHOE, card_from_index(0)), 0);
    CU_ASSERT_FALSE(bench_has_shown(&bench, DEVICE_SHOE));
    CU_ASSERT_EQUAL(link_await(device->link, &said), 0);
    CU_ASSERT_FALSE(link_is_away(device->link));
    CU_ASSERT_EQUAL(bench_fault(&bench, DEVICE_SHOE, "jam@card:1", &said), 0);
    close_bench();
}
