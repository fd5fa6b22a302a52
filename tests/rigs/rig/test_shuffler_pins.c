/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The fields of a shuffler on pins in a rig file. */
#include <stdio.h>
#include <string.h>

#include "rigs/bench/bench.h"
#include "tests/support/suite.h"

#define HEAD    "rig: x\nclock: virtual\ndevices:\n  shuffler:\n    driver: pins\n"
#define MACHINE HEAD "    address: emu:plain-shuffler\n"
#define STACK   "order: stack\n"

static struct error said;

static struct rig *accepted(const char *text)
{
    struct rig *rig = NULL;
    int status = rig_parse(&rig, "x.yaml", text, strlen(text), &said);

    if (status)
        printf("%s\n", said.text);
    CU_ASSERT_EQUAL_FATAL(status, 0);
    return rig;
}

static void refused(const char *text, const char *place, const char *words)
{
    struct rig *rig;
    char sentence[ERROR_TEXT_SIZE];

    snprintf(sentence, sizeof sentence, "x.yaml:%s: %s", place, words);
    CU_ASSERT_EQUAL(rig_parse(&rig, "x.yaml", text, strlen(text), &said), ERROR_CONFIG);
    if (strncmp(said.text, sentence, strlen(sentence)) != 0)
        printf("%s\n", said.text);
    CU_ASSERT_EQUAL(strncmp(said.text, sentence, strlen(sentence)), 0);
    CU_ASSERT_PTR_NULL(rig);
}

TEST(the_lines_of_a_shuffler_are_named_with_their_ways)
{
    struct rig *rig =
        accepted(MACHINE "    button: button\n    exit: exit\n    ready: ready\n"
                         "    press-ms: 80\n    debounce-us: 5000\n    bias: pull-up\n"
                         "    active-low: [exit, ready]\n    cards: model\n" STACK);
    const struct rig_lines *lines = &rig->devices.shuffler->lines;

    CU_ASSERT_STRING_EQUAL(lines->button, "button");
    CU_ASSERT_STRING_EQUAL(lines->jam, "");
    CU_ASSERT_EQUAL(lines->press_ms, 80);
    CU_ASSERT_EQUAL(lines->debounce_us, 5000);
    CU_ASSERT_EQUAL(lines->bias, PIN_PULL_UP);
    CU_ASSERT_EQUAL(lines->active_low, 1u << SHUFFLER_LINE_EXIT | 1u << SHUFFLER_LINE_READY);
    CU_ASSERT_FALSE(rig_asks(rig));
    CU_ASSERT_TRUE(rig_knows_cards(DEVICE_SHUFFLER, rig->devices.shuffler));
    rig_free(rig);
    rig = accepted(MACHINE "    exit: exit\n" STACK);
    CU_ASSERT_EQUAL(rig->devices.shuffler->lines.press_ms, 100);
    CU_ASSERT_EQUAL(rig->devices.shuffler->lines.debounce_us, 20000);
    CU_ASSERT_STRING_EQUAL(rig->devices.shuffler->cards, "hands");
    CU_ASSERT_TRUE(rig_asks(rig));
    rig_free(rig);
}

TEST(people_at_a_real_machine_are_asked_also_where_nobody_reads_its_cards)
{
    struct rig *rig = accepted("rig: x\nclock: real\ndevices:\n  shuffler: {driver: pins, address: "
                               "'gpio:pinctrl-rp1', exit: '4', cards: none}\norder: compare\n");

    CU_ASSERT_TRUE(rig_asks(rig));
    rig_free(rig);
}

TEST(what_cannot_be_a_shuffler_on_pins_is_refused_with_its_place)
{
    refused(MACHINE "    button: button\n" STACK, "5:5",
            "devices.shuffler: 'exit' is missing: a shuffler on pins needs the line that sees its "
            "packets");
    refused(MACHINE "    exit: exit\n    ready: exit\n" STACK, "8:12",
            "devices.shuffler.ready: the line 'exit' is the exit line already; a line has one use");
    refused(MACHINE "    exit: outlet\n" STACK, "7:11",
            "devices.shuffler.exit: the emulated shuffler has no line 'outlet'");
    refused(MACHINE "    exit: exit\n    fault: melt\n" STACK, "8:12",
            "devices.shuffler.fault: 'melt' is no fault of a shuffler on pins");
    refused(HEAD "    address: emu:plain-shuffler?speed=9\n    exit: exit\n" STACK, "6:14",
            "devices.shuffler.address: 'speed=9' is no option of a shuffler on pins");
    refused(MACHINE "    exit: exit\n    options: press=hard\n" STACK, "8:14",
            "devices.shuffler.options: 'press=hard' is none of: press=shuffles-and-deals, "
            "press=shuffles-then-deals, press=deals");
    refused(MACHINE "    exit: exit\n    active-low: [entry]\n" STACK, "8:18",
            "devices.shuffler.active-low[1]: 'entry' is none of: button, exit, ready, jam, door");
    refused(MACHINE "    exit: exit\n    press-ms: 0\n" STACK, "8:15",
            "devices.shuffler.press-ms: 0 ms; it is 1 to 10000 ms");
    refused(MACHINE "    exit: exit\n    debounce-us: 1000000\n" STACK "timing: {packet: 1000}\n",
            "8:18",
            "devices.shuffler.debounce-us: 1000000 us are not shorter than the 1000 ms that "
            "timing.packet allows a packet to come");
    refused(MACHINE "    exit: exit\n    link-fault: {flip: 1}\n" STACK, "8:17",
            "devices.shuffler.link-fault: pins have no link");
    refused(HEAD "    address: serial:/dev/ttyS0@9600\n    exit: exit\n" STACK, "6:14",
            "devices.shuffler.address: 'serial:/dev/ttyS0@9600' is no address of pins; write "
            "gpio:LABEL, as in gpio:pinctrl-rp1, or emu:plain-shuffler");
    refused(HEAD "    address: gpio:pinctrl-rp1\n    exit: '4'\n" STACK, "6:14",
            "devices.shuffler.address: real pins cannot follow a virtual clock");
    refused("rig: x\nclock: real\ndevices:\n  shuffler: {driver: pins, address: gpio:a, exit: '4', "
            "fault: bounce}\n" STACK,
            "4:63", "devices.shuffler.fault: only an emulated device has defects on purpose");
    refused(HEAD "    address: gpio:a\n    identity: {model: X}\n    exit: '4'\n" STACK, "7:15",
            "devices.shuffler.identity: ");
}

TEST(a_shuffler_on_a_link_has_no_lines)
{
    static const char *const fields[] = {"button: a",  "exit: a",        "ready: a",
                                         "jam: a",     "door: a",        "press-ms: 1",
                                         "bias: none", "debounce-us: 1", "active-low: [exit]"};

    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        char text[160], words[160];

        snprintf(
            text, sizeof text,
            "rig: x\nclock: virtual\ndevices:\n  shuffler:\n    address: emu:shuffler\n    %s\n",
            fields[i]);
        snprintf(words, sizeof words,
                 "devices.shuffler.%.*s: it is for a shuffler on pins; the driver 'open' has no "
                 "lines",
                 (int)strcspn(fields[i], ":"), fields[i]);
        CU_ASSERT_EQUAL(rig_parse(&(struct rig *){NULL}, "x.yaml", text, strlen(text), &said),
                        ERROR_CONFIG);
        CU_ASSERT_PTR_NOT_NULL(strstr(said.text, words));
    }
}

TEST(a_scanner_of_a_virtual_rig_is_refused_when_the_bench_is_opened)
{
    struct rig *rig = accepted(MACHINE "    exit: exit\n    cards: scanner:/dev/input/event5\n"
                                       "    map: rigs/cards.jsonl\n" STACK);
    struct bench bench;

    CU_ASSERT_EQUAL(bench_open(&bench, rig, 1, &said), ERROR_CONFIG);
    CU_ASSERT_PTR_NOT_NULL(strstr(said.text, "a real scanner cannot follow a virtual clock"));
    rig_free(rig);
}
