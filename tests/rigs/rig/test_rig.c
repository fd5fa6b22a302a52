/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rigs/rig/rig.h"
#include "tests/support/suite.h"

static struct error said;

/* Whether the text is refused with a sentence that starts and goes on like this. */
static bool refused(const char *text, size_t size, const char *start, const char *within)
{
    struct rig *rig;
    int status = rig_parse(&rig, "x.yaml", text, size, &said);
    bool right = status == ERROR_CONFIG && !rig && !strncmp(said.text, start, strlen(start)) &&
                 strstr(said.text, within);

    if (status == 0)
        snprintf(said.text, sizeof said.text, "nothing: it was taken");
    if (!right)
        printf("  expected %s … %s\n  got      %s\n", start, within, said.text);
    rig_free(rig);
    return right;
}

#define REFUSED(text, start, within)                                                               \
    CU_ASSERT_TRUE(refused("" text, sizeof(text) - 1, "x.yaml:" start ": ", within))

#define HEAD  "rig: x\nclock: virtual\n"
#define RIG   HEAD "devices: {shuffler: {address: emu:shuffler}}\n"
#define TABLE HEAD "devices:\n  sensors:\n    address: emu:table\n"

static struct rig *accepted(const char *text)
{
    struct rig *rig;

    if (rig_parse(&rig, "folder/x.yaml", text, strlen(text), &said))
        printf("  %s\n", said.text);
    CU_ASSERT_PTR_NOT_NULL_FATAL(rig);
    return rig;
}

TEST(what_a_file_leaves_out_has_its_default)
{
    struct rig *rig = accepted(RIG);

    CU_ASSERT_STRING_EQUAL(rig->name, "x");
    CU_ASSERT_EQUAL(rig->clock, RIG_CLOCK_VIRTUAL);
    CU_ASSERT_EQUAL(rig->seats, 7);
    CU_ASSERT_EQUAL(rig->order, RIG_ORDER_LOAD);
    CU_ASSERT_STRING_EQUAL(rig->devices.shuffler->driver, "open");
    CU_ASSERT_PTR_NULL(rig->devices.shoe);
    CU_ASSERT_PTR_NULL(rig->devices.terminal);
    CU_ASSERT_PTR_NULL(rig->devices.sensors);
    CU_ASSERT_PTR_NULL(rig->must_hit);
    CU_ASSERT_PTR_NULL(rig->reopen);
    CU_ASSERT_EQUAL(rig->timing.reply, 1000);
    CU_ASSERT_EQUAL(rig->timing.jackpot, 2000);
    CU_ASSERT_EQUAL(rig->text_size, strlen(RIG));
    CU_ASSERT_STRING_EQUAL(rig->text, RIG);
    rig_free(rig);
}

TEST(every_field_arrives)
{
    struct rig *rig = accepted(
        "rig: all\nclock: real\nseats: 6\norder: compare\n"
        "devices:\n"
        "  shoe: {driver: angel-eye, address: 'serial:/dev/ttyUSB0@9600', options: bcc=with-stx}\n"
        "  terminal:\n"
        "    address: emu:terminal?preset=stax\n"
        "    code: '0815'\n    admin: '12345678'\n    fault: dark@seat:2,early-amount\n"
        "    link-fault: {flip: 1, drop: 2, duplicate: 3, delay: 4, delay-ms: 5, split: 6, merge: "
        "7,"
        " cut-after: 8}\n"
        "  sensors:\n    address: gpio:pinctrl-rp1\n    debounce-us: 1500\n    bias: pull-up\n"
        "    active-low: [bet, lamp]\n"
        "    seats:\n    - {seat: 6, bet: GPIO2, light: GPIO3, chip: GPIO4, lamp: '17'}\n"
        "timing: {reply: 1, shuffle: 2, packet: 3, take: 4, card: 5, wager: 6, light: 7, jackpot: "
        "8}\n"
        "limits:\n- {wager: ante, min: 500, max: 50000}\n"
        "meters:\n- {meter: star, opening: '12345.678901'}\n- {meter: must-hit, opening: 300}\n"
        "must-hit: {reset: '250.00', hit-by: '500.00', rate: '1.25'}\n"
        "paytables: my.tables\ncapture: /tmp/x.pcap\n"
        "reopen: {first-ms: 10, longest-ms: 1000, tries: 20}\n");
    const struct rig_device *shoe = rig->devices.shoe, *terminal = rig->devices.terminal;
    const struct rig_sensors *sensors = rig->devices.sensors;
    const struct rig_timing *timing = &rig->timing;

    CU_ASSERT_EQUAL(rig->clock, RIG_CLOCK_REAL);
    CU_ASSERT_EQUAL(rig->seats, 6);
    CU_ASSERT_EQUAL(rig->order, RIG_ORDER_COMPARE);
    CU_ASSERT_STRING_EQUAL(shoe->driver, "angel-eye");
    CU_ASSERT_STRING_EQUAL(shoe->options, "bcc=with-stx");
    CU_ASSERT_EQUAL(shoe->place.line, 6);
    CU_ASSERT_EQUAL(shoe->place.column, 38);
    CU_ASSERT_STRING_EQUAL(terminal->code, "0815");
    CU_ASSERT_STRING_EQUAL(terminal->admin, "12345678");
    CU_ASSERT_STRING_EQUAL(terminal->fault, "dark@seat:2,early-amount");
    CU_ASSERT_EQUAL(terminal->link_fault->flip, 1);
    CU_ASSERT_EQUAL(terminal->link_fault->delay_ms, 5);
    CU_ASSERT_EQUAL(terminal->link_fault->cut_after, 8);
    CU_ASSERT_EQUAL(sensors->debounce_us, 1500);
    CU_ASSERT_EQUAL(sensors->bias, PIN_PULL_UP);
    CU_ASSERT_EQUAL(sensors->active_low, 1u << BET_LINE_BET | 1u << BET_LINE_LAMP);
    CU_ASSERT_EQUAL(sensors->seats_count, 1);
    CU_ASSERT_STRING_EQUAL(sensors->seats[0].lamp, "17");
    CU_ASSERT_EQUAL(timing->reply, 1);
    CU_ASSERT_EQUAL(timing->wager, 6);
    CU_ASSERT_EQUAL(timing->jackpot, 8);
    CU_ASSERT_EQUAL(rig->limits[0].minimum, 500);
    CU_ASSERT_EQUAL(rig->limits[0].maximum, 50000);
    CU_ASSERT_EQUAL(rig->meters[0].opening, 12345678901);
    CU_ASSERT_EQUAL(rig->meters_count, 2);
    CU_ASSERT_EQUAL(rig->must_hit->reset, 250000000);
    CU_ASSERT_EQUAL(rig->must_hit->hit_by, 500000000);
    CU_ASSERT_EQUAL(rig->must_hit->rate, 125);
    CU_ASSERT_STRING_EQUAL(rig->paytables, "folder/my.tables");
    CU_ASSERT_STRING_EQUAL(rig->capture, "/tmp/x.pcap");
    CU_ASSERT_EQUAL(rig->reopen->tries, 20);
    rig_free(rig);
}

TEST(what_is_no_yaml_is_told_with_its_place)
{
    REFUSED("", "1:1", "empty");
    REFUSED("# nothing\n", "1:1", "empty");
    REFUSED("rig: x\n  clock: virtual\n", "2:8", "no YAML");
    REFUSED("rig: [x\n", "2:1", "no YAML");
    REFUSED("rig: x\nclock: \"virtual\n", "3:1", "no YAML");
    REFUSED("rig: \x01\n", "1:6", "no YAML text");
    REFUSED("rig: x\n\xff\xfe\n", "2:1", "no YAML text");
    REFUSED(RIG "---\n" RIG, "4:1", "second document");
}

TEST(fields_that_do_not_belong_are_told_with_those_that_do)
{
    REFUSED(RIG "colour: green\n", "4:1", "no field 'colour'");
    REFUSED(HEAD "devices: {shuffler: {adress: emu:shuffler}}\n", "3:22",
            "devices.shuffler: there is no field 'adress' here; the fields are driver, address");
    REFUSED(HEAD "devices: {shuffler: {address: emu:shuffler, code: '4711'}}\n", "3:45",
            "no field 'code'");
    REFUSED(RIG "seats: 3\nseats: 4\n", "5:1", "'seats' is here twice");
    REFUSED("clock: virtual\ndevices: {}\n", "1:1", "'rig' is missing");
    REFUSED(HEAD, "1:1", "'devices' is missing");
    REFUSED(HEAD "devices: {shuffler: {driver: open}}\n", "3:21", "'address' is missing");
    REFUSED(RIG "? [a, b]\n: c\n", "4:3", "a list; it must be a single value");
}

TEST(values_of_the_wrong_kind_are_told_with_the_right_one)
{
    REFUSED("- rig\n", "1:1", "a list; it must be a group of fields");
    REFUSED("rig: [x]\n", "1:6", "rig: this is a list; it must be a single value");
    REFUSED("rig: ''\n", "1:6", "empty");
    REFUSED("rig: x\nclock: sundial\n", "2:8", "'sundial' is none of: virtual, real");
    REFUSED("rig: x\nclock: 1\n", "2:8", "'1' is none of: virtual, real");
    REFUSED(HEAD "devices: emu\n", "3:10", "a single value; it must be a group of fields");
    REFUSED(RIG "seats: many\n", "4:8", "'many' is no whole number");
    REFUSED(RIG "seats: 07\n", "4:8", "'07' is no whole number");
    REFUSED(RIG "seats: 0x7\n", "4:8", "no whole number");
    REFUSED(RIG "seats: -1\n", "4:8", "no whole number");
    REFUSED(RIG "seats: 256\n", "4:8", "256; it is 1 to 7");
    REFUSED(RIG "timing: {reply: 4294967296}\n", "4:17", "4294967296 ms; it is 1 to 3600000 ms");
    REFUSED(RIG "meters: {star: 1}\n", "4:9", "a group of fields; it must be a list");
    REFUSED(RIG "meters: []\n", "4:9", "has 0 entries; it must have 1 to 16");
    REFUSED("rig: \"a\\0b\"\n", "1:6", "character 2 of this value cannot be printed (0x00)");
    REFUSED(TABLE "    active-low: [bet, hat]\n    seats: [{seat: 1, bet: bet1}]\n", "6:23",
            "devices.sensors.active-low[2]: 'hat' is none of: bet, light, chip, lamp");
    REFUSED("rig: 1234567890123456789012345678901234567890123456789012345678901234\n", "1:6",
            "has 64 bytes; it may have 63");
}

TEST(numbers_are_held_to_their_range_on_both_sides)
{
    rig_free(accepted(RIG "seats: 1\n"));
    REFUSED(RIG "seats: 0\n", "4:8", "seats: 0; it is 1 to 7");
    REFUSED(RIG "seats: 8\n", "4:8", "seats: 8; it is 1 to 7");
    rig_free(accepted(RIG "timing: {reply: 1, card: 3600000}\n"));
    REFUSED(RIG "timing: {reply: 0}\n", "4:17", "timing.reply: 0 ms; it is 1 to 3600000 ms");
    REFUSED(RIG "timing: {card: 3600001}\n", "4:16", "3600001 ms");
    rig_free(accepted(RIG "reopen: {first-ms: 5, longest-ms: 5, tries: 1}\n"));
    REFUSED(RIG "reopen: {first-ms: 0, longest-ms: 5, tries: 1}\n", "4:20", "0 ms");
    REFUSED(RIG "reopen: {first-ms: 5, longest-ms: 4, tries: 1}\n", "4:35", "first-ms (5)");
    REFUSED(RIG "reopen: {first-ms: 5, longest-ms: 5, tries: 0}\n", "4:45", "1 to 1000");
    rig_free(accepted(HEAD "devices: {shoe: {address: emu:shoe, link-fault: {flip: 1000000}}}\n"));
    REFUSED(HEAD "devices: {shoe: {address: emu:shoe, link-fault: {flip: 1000001}}}\n", "3:56",
            "devices.shoe.link-fault.flip: 1000001; it is 0 to 1000000");
}

TEST(an_address_must_lead_somewhere)
{
    REFUSED(HEAD "devices:\n  shuffler:\n    address: /dev/ttyUSB0\n", "5:14",
            "'/dev/ttyUSB0' is no address");
    REFUSED(HEAD "devices: {shoe: {address: 'carrier-pigeon:3'}}\n", "3:27", "is no address");
    REFUSED(HEAD "devices: {shoe: {address: 'tcp:'}}\n", "3:27", "leads nowhere; write tcp:");
    REFUSED(HEAD "devices: {shoe: {address: emu:toaster}}\n", "3:27", "no model 'toaster'");
    REFUSED(HEAD "devices: {shoe: {address: emu:shuffler}}\n", "3:27", "write emu:shoe");
    REFUSED(HEAD "devices: {shoe: {driver: angel-eye, address: emu:shoe}}\n", "3:46",
            "write emu:angel-eye");
    REFUSED(HEAD "devices: {shoe: {address: emu:shoe?speed=9}}\n", "3:27", "speed");
    REFUSED(HEAD "devices: {sensors: {address: table, seats: [{seat: 1, bet: bet1}]}}\n", "3:30",
            "no address of pins");
    REFUSED(HEAD "devices: {sensors: {address: 'emu:table?x=1', seats: [{seat: 1, bet: bet1}]}}\n",
            "3:30", "'x=1' is no option of bet sensors");
}

TEST(a_driver_must_exist_and_know_its_options)
{
    REFUSED(HEAD "devices: {shuffler: {driver: vendor, address: emu:shuffler}}\n", "3:30",
            "no driver 'vendor' for a shuffler; the drivers are ");
    REFUSED(HEAD "devices: {shoe: {driver: vendor, address: emu:shoe}}\n", "3:26", "angel-eye");
    REFUSED(HEAD "devices: {terminal: {driver: angel-eye, address: emu:terminal}}\n", "3:30",
            "no driver 'angel-eye' for a terminal");
    REFUSED(HEAD "devices: {shoe: {address: emu:shoe, options: bcc=with-stx}}\n", "3:46",
            "'open' has no options");
    REFUSED(HEAD
            "devices: {shoe: {driver: angel-eye, address: emu:angel-eye, options: bcc=maybe}}\n",
            "3:70", "'bcc=maybe' is none of: bcc=with-stx, bcc=without-stx");
}

TEST(sensors_are_lines_on_pins_or_a_unit_on_a_link)
{
    struct rig *rig = accepted(HEAD "devices: {sensors: {driver: unit, address: emu:bet-sensor, "
                                    "options: wagers=people, fault: 'dark@seat:2'}}\n");

    CU_ASSERT_STRING_EQUAL(rig->devices.sensors->device.driver, "unit");
    CU_ASSERT_STRING_EQUAL(rig->devices.sensors->device.options, "wagers=people");
    CU_ASSERT_EQUAL(rig->devices.sensors->seats_count, 0);
    CU_ASSERT_EQUAL(rig->devices.sensors->device.place.line, 3);
    rig_free(rig);
    rig = accepted(TABLE "    seats: [{seat: 1, bet: bet1}]\n");
    CU_ASSERT_STRING_EQUAL(rig->devices.sensors->device.driver, "pins");
    rig_free(rig);
    rig_free(accepted("rig: x\nclock: real\ndevices: {sensors: {driver: unit, address: 'tcp:h:1', "
                      "link-fault: {flip: 3}}}\n"));
    REFUSED(HEAD "devices: {sensors: {address: emu:table}}\n", "3:20", "'seats' is missing");
    REFUSED(TABLE "    driver: unit\n    seats: [{seat: 1, bet: bet1}]\n", "7:12",
            "the driver 'unit' has lines of its own");
    REFUSED(HEAD "devices: {sensors: {driver: unit, address: emu:table}}\n", "3:44",
            "no model 'table'");
    REFUSED(HEAD "devices: {sensors: {driver: unit, address: emu:shoe}}\n", "3:44",
            "write emu:bet-sensor");
    REFUSED(HEAD "devices: {sensors: {driver: unit, address: emu:bet-sensor, options: x=1}}\n",
            "3:69", "'x=1' is none of: wagers=actuators, wagers=people");
    REFUSED(HEAD "devices: {sensors: {driver: unit, address: gpio:chip}}\n", "3:44",
            "is no address; it starts with");
    REFUSED(HEAD "devices: {sensors: {driver: open, address: emu:table}}\n", "3:29",
            "no driver 'open' for sensors; the drivers are pins, unit");
    REFUSED(TABLE "    options: a=1\n    seats: [{seat: 1, bet: bet1}]\n", "6:14",
            "'pins' has no options");
    REFUSED(TABLE "    link-fault: {flip: 3}\n    seats: [{seat: 1, bet: bet1}]\n", "6:17",
            "pins have no link");
}

TEST(an_order_is_loaded_only_where_that_can_be)
{
    REFUSED("rig: x\nclock: real\norder: load\n"
            "devices: {shoe: {driver: angel-eye, address: 'tcp:h:1'}}\n",
            "3:8", "write 'order: compare'");
    REFUSED("rig: x\nclock: real\n"
            "devices: {shoe: {driver: angel-eye, address: 'tcp:h:1'}}\n",
            "1:1", "write 'order: compare'");
    rig_free(accepted("rig: x\nclock: real\norder: compare\n"
                      "devices: {shoe: {driver: angel-eye, address: 'tcp:h:1'}}\n"));
    rig_free(accepted("rig: x\nclock: real\norder: load\n"
                      "devices: {shoe: {driver: angel-eye, address: emu:angel-eye}}\n"));
}

TEST(a_real_device_needs_a_real_clock)
{
    REFUSED(HEAD "devices: {shoe: {address: 'tcp:localhost:4001'}}\n", "3:27",
            "devices.shoe.address: a real device cannot follow a virtual clock");
    REFUSED(HEAD "devices: {sensors: {address: gpio:chip, seats: [{seat: 1, bet: a}]}}\n", "3:30",
            "real pins cannot follow a virtual clock");
    rig_free(accepted("rig: x\nclock: real\ndevices: {shoe: {address: 'tcp:localhost:4001'}}\n"));
    rig_free(accepted("rig: x\nclock: real\ndevices: {shoe: {address: emu:shoe}}\n"));
}

TEST(only_emulated_devices_have_defects)
{
    REFUSED(HEAD "devices: {shuffler: {address: emu:shuffler, fault: hiccup}}\n", "3:52", "hiccup");
    REFUSED("rig: x\nclock: real\ndevices: {shoe: {address: 'tcp:h:1', fault: jam@card:1}}\n",
            "3:45", "only an emulated device");
    REFUSED(TABLE "    fault: hiccup\n    seats: [{seat: 1, bet: bet1}]\n", "6:12", "hiccup");
    rig_free(accepted(TABLE "    fault: late@seat:1\n    seats: [{seat: 1, bet: bet1}]\n"));
}

TEST(a_code_has_four_to_eight_digits)
{
    REFUSED(HEAD "devices: {terminal: {address: emu:terminal, code: '471'}}\n", "3:51",
            "'471' is no code");
    REFUSED(HEAD "devices: {terminal: {address: emu:terminal, code: 47x1}}\n", "3:51", "no code");
    REFUSED(HEAD "devices: {terminal: {address: emu:terminal, admin: 123456789}}\n", "3:52",
            "has 9 bytes; it may have 8");
}

TEST(a_seat_and_a_line_are_there_once)
{
    REFUSED(TABLE "    seats:\n    - {seat: 1, bet: bet1}\n    - {seat: 1, light: light1}\n",
            "8:14", "devices.sensors.seats[2].seat: seat 1 is here twice");
    REFUSED(TABLE "    seats:\n    - {seat: 1, bet: bet1}\n    - {seat: 2, lamp: bet1}\n", "8:23",
            "the line 'bet1' is the bet line of seat 1 already");
    REFUSED(TABLE "    seats: [{seat: 1, bet: bet1, lamp: bet1}]\n", "6:40", "bet line of seat 1");
    REFUSED(TABLE "    seats: [{seat: 0, bet: bet1}]\n", "6:20", "there is no seat 0");
    REFUSED(TABLE "    seats: [{seat: 5, bet: bet1}]\nseats: 4\n", "6:20",
            "there is no seat 5; the table has seats 1 to 4");
    REFUSED(TABLE "    seats: [{seat: 1}]\n", "6:20", "it has no line");
    REFUSED(TABLE "    seats: [{seat: 1, bet: GPIO2}]\n", "6:28", "no line 'GPIO2'");
    REFUSED(TABLE "    debounce-us: 500000\n    seats: [{seat: 1, bet: bet1}]\n", "6:18",
            "500000 us are not shorter than the 500 ms");
    rig_free(accepted(TABLE "    debounce-us: 499999\n    seats: [{seat: 1, bet: bet1}]\n"));
}

TEST(limits_are_of_wagers_that_players_stake)
{
    REFUSED(RIG "limits: [{wager: antes}]\n", "4:18", "no game has a wager 'antes'");
    REFUSED(RIG "limits: [{wager: bluff}]\n", "4:18", "write total or one of ante, x-tra, ");
    rig_free(accepted(RIG "limits: [{wager: all-in, max: 5}, {wager: total, max: 9}]\n"));
    REFUSED(RIG "limits: [{wager: total, min: 5}]\n", "4:30", "have a maximum only");
    REFUSED(RIG "limits: [{wager: ante}, {wager: ante}]\n", "4:33", "twice");
    rig_free(accepted(RIG "limits: [{wager: ante, min: 5, max: 5}]\n"));
    REFUSED(RIG "limits: [{wager: ante, min: 5, max: 4}]\n", "4:37",
            "4 cents; a maximum is not below the minimum (5 cents)");
    REFUSED(RIG "limits: [{wager: ante, min: 100000001}]\n", "4:29",
            "100000001 cents; it is 0 to 100000000 cents");
}

TEST(meters_are_those_of_one_game)
{
    REFUSED(RIG "meters: [{meter: moon, opening: 1}]\n", "4:18", "'moon' is no meter");
    REFUSED(RIG "meters: [{meter: star, opening: 1}, {meter: '5', opening: 1}]\n", "4:45",
            "'5' is no meter beside those before it");
    REFUSED(RIG "meters: [{meter: star, opening: 1}, {meter: star, opening: 1}]\n", "4:45",
            "twice");
    REFUSED(RIG "meters: [{meter: star, opening: 1.0000001}]\n", "4:33", "1.0000001");
    REFUSED(RIG "meters: [{meter: must-hit, opening: 1}]\n", "4:18", "no Must Hit");
    rig_free(accepted(RIG "meters: [{meter: '1', opening: 1}, {meter: '5', opening: 1}]\n"));
}

TEST(must_hit_has_room_and_makes_sense)
{
    rig_free(accepted(RIG "must-hit: {reset: 250, hit-by: 500, rate: 1}\n"));
    REFUSED(RIG "must-hit: {reset: 250, hit-by: 500, rate: 1}\n"
                "meters: [{meter: '5', opening: 1}]\n",
            "4:11", "no room for Must Hit");
    REFUSED(RIG "must-hit: {reset: 500, hit-by: 500, rate: 1}\n", "4:32", "not more than");
    REFUSED(RIG "must-hit: {reset: 250, hit-by: 250.01, rate: 100}\n", "4:11",
            "cannot run from 250 to 250.01 at 100 per cent");
    REFUSED(RIG "must-hit: {reset: -1, hit-by: 500, rate: 1}\n", "4:19", "-1");
    REFUSED(RIG "must-hit: {reset: 250, hit-by: x, rate: 1}\n", "4:32", "x");
    REFUSED(RIG "must-hit: {reset: 250, hit-by: 500, rate: 0}\n", "4:43", "0 per cent");
    REFUSED(RIG "must-hit: {reset: 250, hit-by: 500, rate: 101}\n", "4:43", "101");
}

TEST(anchors_are_refused_before_they_multiply)
{
    REFUSED("rig: &a x\nclock: *a\n", "1:6", "anchors and aliases");
    REFUSED("a: &a [x, x]\nb: &b [*a, *a, *a]\nc: [*b, *b, *b]\n", "1:4", "anchors and aliases");
}

/* The text of a million bytes of one thing. */
static void refuse_flood(const char *piece, const char *within)
{
    size_t length = strlen(piece), size = RIG_SIZE_MAX / length * length;
    char *text = malloc(size);

    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    for (size_t at = 0; at < size; at += length)
        memcpy(text + at, piece, length);
    CU_ASSERT_TRUE(refused(text, size, "x.yaml:", within));
    free(text);
}

TEST(hostile_files_end_in_a_sentence)
{
    char *large = calloc(1, RIG_SIZE_MAX + 1);

    refuse_flood("[", "nested more than 12 deep");
    refuse_flood("{a: ", "nested more than 12 deep");
    refuse_flood("- ", "nested more than 12 deep");
    refuse_flood("a", "a single value");
    refuse_flood("\"", "no YAML");
    refuse_flood("\n", "empty");
    refuse_flood("x: y\n", "there is no field 'x'");
    CU_ASSERT_PTR_NOT_NULL_FATAL(large);
    CU_ASSERT_TRUE(refused(large, RIG_SIZE_MAX + 1, "x.yaml: ", "at most 1048576 bytes"));
    CU_ASSERT_TRUE(refused(large, 100, "x.yaml:1:1: ", "no YAML text"));
    free(large);
}

/* Every beginning of a good file, and every single byte of it spoiled, ends without a crash. */
TEST(a_spoiled_file_never_does_harm)
{
    struct rig *rig, *spoiled;
    char *text;

    CU_ASSERT_EQUAL_FATAL(rig_default(&rig, &said), 0);
    text = malloc(rig->text_size);
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    for (size_t i = 0; i < rig->text_size; i += 3) {
        memcpy(text, rig->text, rig->text_size);
        if (!rig_parse(&spoiled, "x.yaml", text, i, &said))
            rig_free(spoiled);
        text[i] = "\t:[{&*!\x80\"'-0"[i / 3 % 13];
        said.text[0] = '\0';
        if (!rig_parse(&spoiled, "x.yaml", text, rig->text_size, &said))
            rig_free(spoiled);
        else
            CU_ASSERT_EQUAL(strncmp(said.text, "x.yaml:", 7), 0);
    }
    free(text);
    rig_free(rig);
}

TEST(a_file_that_is_not_there_is_named)
{
    struct rig *rig;

    CU_ASSERT_EQUAL(rig_load(&rig, "nowhere/x.yaml", &said), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(said.text, "nowhere/x.yaml: No such file"));
    CU_ASSERT_PTR_NULL(rig);
    CU_ASSERT_EQUAL(rig_load(&rig, "rigs", &said), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(said.text, "rigs: Is a directory"));
}

TEST(every_shipped_rig_is_right)
{
    glob_t found;

    CU_ASSERT_EQUAL_FATAL(glob("rigs/*.yaml", 0, NULL, &found), 0);
    CU_ASSERT(found.gl_pathc >= 10);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        struct rig *rig;

        if (rig_load(&rig, found.gl_pathv[i], &said))
            printf("  %s\n", said.text);
        CU_ASSERT_PTR_NOT_NULL(rig);
        rig_free(rig);
    }
    globfree(&found);
}

TEST(the_default_rig_is_the_shipped_file)
{
    struct rig *built_in, *file;

    CU_ASSERT_EQUAL_FATAL(rig_default(&built_in, &said), 0);
    CU_ASSERT_EQUAL_FATAL(rig_load(&file, "rigs/emulated.yaml", &said), 0);
    CU_ASSERT_EQUAL_FATAL(built_in->text_size, file->text_size);
    CU_ASSERT_EQUAL(memcmp(built_in->text, file->text, file->text_size), 0);
    rig_free(built_in);
    rig_free(file);
}

static bool address_is(const char *address, const char *fault, const char *expected)
{
    char text[LINK_ADDRESS_MAX];

    return rig_address(address, fault, 7, text, &said) == 0 && !strcmp(text, expected);
}

TEST(seed_and_defects_join_an_emulated_address_only)
{
    char text[LINK_ADDRESS_MAX], fault[RIG_OPTIONS_MAX];

    CU_ASSERT_TRUE(address_is("emu:shoe", "", "emu:shoe?seed=7"));
    CU_ASSERT_TRUE(address_is("emu:shoe?", "", "emu:shoe?seed=7"));
    CU_ASSERT_TRUE(address_is("emu:shoe?draw=1", "", "emu:shoe?draw=1,seed=7"));
    CU_ASSERT_TRUE(address_is("emu:shoe?seed=3", "", "emu:shoe?seed=3"));
    CU_ASSERT_TRUE(address_is("emu:shoe?draw=1,seed=3", "", "emu:shoe?draw=1,seed=3"));
    CU_ASSERT_TRUE(address_is("emu:shoe", "a@b:1,c", "emu:shoe?seed=7,fault=a@b:1,fault=c"));
    CU_ASSERT_TRUE(address_is("tcp:h:1", "", "tcp:h:1"));
    memset(fault, 'x', sizeof fault - 1);
    fault[sizeof fault - 1] = '\0';
    for (size_t i = 3; i < sizeof fault - 1; i += 4)
        fault[i] = ',';
    CU_ASSERT_EQUAL(rig_address("emu:shoe", fault, 7, text, &said), ERROR_CONFIG);
}

#define HANDS HEAD "devices: {shuffler: {driver: hands}}\n"

TEST(a_device_by_hand_has_no_address_and_says_who_reads_its_cards)
{
    struct rig *rig = accepted(HANDS "order: stack\n");

    CU_ASSERT_STRING_EQUAL(rig->devices.shuffler->address, "");
    CU_ASSERT_STRING_EQUAL(rig->devices.shuffler->cards, "hands");
    CU_ASSERT_EQUAL(rig->order, RIG_ORDER_STACK);
    CU_ASSERT_TRUE(rig_asks(rig));
    CU_ASSERT_TRUE(rig_knows_cards(DEVICE_SHUFFLER, rig->devices.shuffler));
    rig_free(rig);
    rig = accepted(HEAD "devices: {shuffler: {driver: hands, cards: none}}\norder: compare\n");
    CU_ASSERT_TRUE(rig_asks(rig));
    CU_ASSERT_FALSE(rig_knows_cards(DEVICE_SHUFFLER, rig->devices.shuffler));
    rig_free(rig);
    rig = accepted(RIG);
    CU_ASSERT_FALSE(rig_asks(rig));
    CU_ASSERT_TRUE(rig_knows_cards(DEVICE_SHUFFLER, rig->devices.shuffler));
    rig_free(rig);
    REFUSED(HEAD "devices: {shuffler: {driver: hands, address: emu:shuffler}}\norder: stack\n",
            "3:46", "devices.shuffler.address: a shuffler with the driver 'hands' is on no link");
    REFUSED(HEAD "devices: {shuffler: {driver: hands, fault: jam}}\norder: stack\n", "3:44",
            "devices.shuffler.fault: a shuffler with the driver 'hands' is on no link");
    REFUSED(HEAD "devices: {shuffler: {driver: hands, options: a=b}}\norder: stack\n", "3:46",
            "the driver 'hands' has no options");
    REFUSED(HEAD "devices: {shuffler: {driver: hands, identity: {model: X}}}\norder: stack\n",
            "3:47", "cannot say who it is");
    REFUSED(HEAD "devices: {shuffler: {driver: open}}\n", "3:21",
            "devices.shuffler: the field 'address' is missing here");
}

TEST(who_reads_cards_is_said_where_the_device_does_not_tell_them)
{
    REFUSED(HEAD "devices: {shuffler: {address: emu:shuffler, cards: hands}}\n", "3:52",
            "devices.shuffler.cards: a shuffler with the driver 'open' tells its cards itself");
    REFUSED(HEAD "devices: {shuffler: {address: emu:shuffler, map: codes}}\n", "3:50",
            "devices.shuffler.map: a shuffler with the driver 'open' tells its cards itself");
    REFUSED(HEAD "devices: {shuffler: {driver: hands, cards: feet}}\norder: stack\n", "3:44",
            "nobody reads cards as 'feet'; it may be one of ");
    REFUSED(HEAD "devices: {shoe: {driver: hands, cards: none}}\norder: stack\n", "3:40",
            "a shoe deals one card at a time");
    REFUSED(HEAD "devices: {terminal: {address: emu:terminal, cards: hands}}\n", "3:45",
            "there is no field 'cards' here");
}

TEST(a_deck_is_stacked_for_machines_that_cannot_be_told_an_order)
{
    REFUSED(RIG "order: stack\n", "4:8",
            "order: no deck is stacked for the driver 'open' of the shuffler; write 'order: load'");
    REFUSED(HEAD "devices: {shoe: {driver: angel-eye, address: emu:angel-eye}}\norder: stack\n",
            "4:8", "for the driver 'angel-eye' of the shoe; write 'order: compare'");
    REFUSED(HANDS, "1:1",
            "the driver 'hands' of the shuffler cannot load an order; write 'order: stack' where "
            "the machine deals a deck as it was put in, and otherwise 'order: compare'");
    REFUSED(HANDS "order: load\n", "4:8", "cannot load an order; write 'order: stack'");
}

TEST(a_rig_has_one_deck_or_two)
{
    static const char *const wrong[] = {"0", "3", "two", "-1", "[2]"};
    struct rig *rig;
    struct error error;
    char text[160];

    for (unsigned decks = 0; decks <= 2; decks++) {
        snprintf(text, sizeof text,
                 "rig: x\nclock: virtual\n%s%sdevices: {shoe: {address: emu:shoe}}\n",
                 decks == 2 ? "decks: 2\n" : "", decks == 1 ? "decks: 1\n" : "");
        CU_ASSERT_EQUAL_FATAL(rig_parse(&rig, "x", text, strlen(text), &error), 0);
        CU_ASSERT_EQUAL(rig->decks, decks ? decks : 1);
        rig_free(rig);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        snprintf(text, sizeof text,
                 "rig: x\nclock: virtual\ndecks: %s\ndevices: {shoe: {address: emu:shoe}}\n",
                 wrong[i]);
        CU_ASSERT_EQUAL(rig_parse(&rig, "x", text, strlen(text), &error), ERROR_CONFIG);
        CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "x:3:8: decks: "));
    }
}

static bool is_all_emulated(const char *devices)
{
    char text[512];
    struct rig *rig;
    bool is_so;

    snprintf(text, sizeof text, "{rig: x, clock: real, order: compare, devices: {%s}}", devices);
    rig = accepted(text);
    CU_ASSERT_PTR_NOT_NULL_FATAL(rig);
    is_so = rig_is_all_emulated(rig);
    rig_free(rig);
    return is_so;
}

TEST(a_rig_is_emulated_only_when_no_address_of_it_is_real)
{
    CU_ASSERT(is_all_emulated("shuffler: {address: 'emu:shuffler'}, terminal: {address: "
                              "'emu:terminal', authenticate: {address: 'emu:gat', key: Jefe}}"));
    CU_ASSERT(is_all_emulated("shuffler: {driver: pins, address: 'emu:pins-shuffler', button: "
                              "button, exit: exit, cards: none}"));
    CU_ASSERT_FALSE(is_all_emulated("shuffler: {address: 'pty:/dev/pts/1'}"));
    CU_ASSERT_FALSE(is_all_emulated("shuffler: {address: 'emu:shuffler', authenticate: {address: "
                                    "'pty:/dev/pts/1', key: Jefe}}"));
    CU_ASSERT_FALSE(is_all_emulated("shuffler: {address: 'emu:shuffler'}, sensors: {driver: unit, "
                                    "address: 'emu:bet-sensor', authenticate: {address: "
                                    "'tcp:127.0.0.1:4001', key: Jefe}}"));
    CU_ASSERT_FALSE(is_all_emulated("shuffler: {driver: hands, cards: hands}"));
    CU_ASSERT_FALSE(is_all_emulated("shuffler: {driver: pins, address: 'emu:pins-shuffler', "
                                    "button: button, exit: exit, cards: "
                                    "'scanner:/dev/input/event0', map: cards.map}"));
}

static void moves(const char *text, const char *expected)
{
    struct error error = {0};
    char *moved;

    CU_ASSERT_EQUAL(rig_move("/usr/x.yaml", text, "/tmp/y.yaml", &moved, &error), 0);
    if (error.code)
        printf("%s\n", error.text);
    CU_ASSERT_PTR_NOT_NULL_FATAL(moved);
    CU_ASSERT_STRING_EQUAL(moved, expected);
    free(moved);
}

TEST(a_rig_that_goes_into_another_folder_finds_its_files)
{
    struct error error;
    char *moved;

    moves(
        "rig: x # paytables: a.json\nclock: virtual\npaytables:   house/it's.jsonl # ours\n"
        "capture: a.pcap\ndevices: {shuffler: {address: 'emu:shuffler', authenticate: {address: "
        "'emu:gat', approved: \"ü/a.json\"}}, \"terminal\": {address: 'emu:terminal', "
        "authenticate: {address: 'emu:gat', approved: /b.json}}}\n",
        "rig: x # paytables: a.json\nclock: virtual\npaytables:   '/usr/house/it''s.jsonl' # ours\n"
        "capture: a.pcap\ndevices: {shuffler: {address: 'emu:shuffler', authenticate: {address: "
        "'emu:gat', approved: '/usr/ü/a.json'}}, \"terminal\": {address: 'emu:terminal', "
        "authenticate: {address: 'emu:gat', approved: /b.json}}}\n");
    CU_ASSERT_EQUAL(rig_move("/usr/x.yaml", "paytables: a\n", "/usr/./y.yaml", &moved, &error), 0);
    CU_ASSERT_STRING_EQUAL(moved, "paytables: a\n");
    free(moved);
    CU_ASSERT_EQUAL(
        rig_move("/usr/x.yaml", "paytables: \"a\\x62\"\n", "/tmp/y.yaml", &moved, &error),
        ERROR_CONFIG);
    CU_ASSERT_PTR_NULL(moved);
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "/usr/x.yaml:1:12: paytables: "));
    CU_ASSERT_EQUAL(rig_move("/none/x.yaml", "", "/tmp/y.yaml", &moved, &error), ERROR_CONFIG);
    CU_ASSERT_PTR_NULL(moved);
}
