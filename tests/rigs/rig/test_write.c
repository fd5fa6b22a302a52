/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rig files as they are written for a beginner: each loads as what was asked for. */
#include "rigs/rig/write.h"

#include <stdlib.h>
#include <string.h>

#include "tests/support/suite.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static struct rig_device shufflers[] = {
    {.driver = ""},
    {.driver = "open", .address = "emu:shuffler"},
    {.driver = "open", .address = "usb:1209:0001/it's # one: 'S'"},
    {.driver = "open", .address = "serial:/dev/serial/by-id/usb-FTDI-if00@115200"},
    {.driver = "hands", .cards = "none"},
    {.driver = "pins",
     .address = "gpio:felt",
     .cards = "scanner:/dev/input/it's",
     .map = "/my: codes",
     .lines = {.button = "16",
               .exit = "it's",
               .jam = "#6",
               .press_ms = 150,
               .debounce_us = 10,
               .bias = PIN_PULL_DOWN,
               .active_low = 1 << SHUFFLER_LINE_EXIT | 1 << SHUFFLER_LINE_JAM}},
};
static struct rig_device shoes[] = {
    {.driver = ""},
    {.driver = "open", .address = "emu:shoe?draw=700,refill=2000"},
    {.driver = "angel-eye", .address = "serial:/dev/ttyUSB0@4800", .options = "bcc=with-stx"},
    {.driver = "hands", .cards = "hands"},
};
static struct rig_device terminals[] = {
    {.driver = ""},
    {.driver = "open", .address = "emu:terminal"},
    {.driver = "open", .address = "tcp:[::1]:4001", .code = "0123", .admin = "00000000"},
};
static struct rig_seat emulated_seats[] = {
    {.seat = 1, .bet = "bet1", .light = "light1", .chip = "chip1", .lamp = "lamp1"},
    {.seat = 3, .bet = "bet3"}};
static struct rig_seat real_seats[] = {{.seat = 2, .bet = "4", .lamp = "it's"},
                                       {.seat = 1, .chip = "GPIO#1", .light = "- x"}};
static struct rig_sensors sensors[] = {
    {.device = {.driver = ""}},
    {.device = {.driver = "pins", .address = "emu:table"},
     .debounce_us = 20000,
     .seats = emulated_seats,
     .seats_count = 2},
    {.device = {.driver = "pins", .address = "gpio:a: chip"},
     .debounce_us = 0,
     .bias = PIN_PULL_UP,
     .active_low = 1 << BET_LINE_BET | 1 << BET_LINE_LAMP,
     .seats = real_seats,
     .seats_count = 2},
    {.device = {.driver = "unit", .address = "emu:bet-sensor", .options = "wagers=people"}},
};

static bool is_real(const struct rig_device *device)
{
    return device && !rig_is_emulated(device->address);
}

static void check_device(const struct rig_device *got, const struct rig_device *wanted)
{
    CU_ASSERT_EQUAL_FATAL(got != NULL, wanted != NULL);
    if (!got)
        return;
    CU_ASSERT_STRING_EQUAL(got->driver, wanted->driver);
    CU_ASSERT_STRING_EQUAL(got->address, wanted->address);
    CU_ASSERT_STRING_EQUAL(got->options, wanted->options);
    CU_ASSERT_STRING_EQUAL(got->cards, wanted->cards);
    CU_ASSERT_STRING_EQUAL(got->map, wanted->map);
    if (!*wanted->lines.exit)
        return;
    CU_ASSERT_STRING_EQUAL(got->lines.button, wanted->lines.button);
    CU_ASSERT_STRING_EQUAL(got->lines.exit, wanted->lines.exit);
    CU_ASSERT_STRING_EQUAL(got->lines.ready, wanted->lines.ready);
    CU_ASSERT_STRING_EQUAL(got->lines.jam, wanted->lines.jam);
    CU_ASSERT_EQUAL(got->lines.press_ms, wanted->lines.press_ms);
    CU_ASSERT_EQUAL(got->lines.debounce_us, wanted->lines.debounce_us);
    CU_ASSERT_EQUAL(got->lines.bias, wanted->lines.bias);
    CU_ASSERT_EQUAL(got->lines.active_low, wanted->lines.active_low);
}

static void check_sensors(const struct rig_sensors *got, const struct rig_sensors *wanted)
{
    check_device(got ? &got->device : NULL, wanted ? &wanted->device : NULL);
    if (!got)
        return;
    CU_ASSERT_EQUAL_FATAL(got->seats_count, wanted->seats_count);
    if (!got->seats_count)
        return;
    CU_ASSERT_EQUAL(got->debounce_us, wanted->debounce_us);
    CU_ASSERT_EQUAL(got->bias, wanted->bias);
    CU_ASSERT_EQUAL(got->active_low, wanted->active_low);
    CU_ASSERT_EQUAL(memcmp(got->seats, wanted->seats, got->seats_count * sizeof(struct rig_seat)),
                    0);
}

static char *text_of(const struct rig *rig, const struct game *game, size_t *size)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, size);

    CU_ASSERT_PTR_NOT_NULL_FATAL(out);
    rig_write(rig, game, out);
    fclose(out);
    return text;
}

static void check_round_trip(const struct rig *rig, const struct game *game)
{
    struct error error = {.text = ""};
    struct rig *read;
    size_t size;
    char *text = text_of(rig, game, &size);

    CU_ASSERT_EQUAL(rig_parse(&read, "written", text, size, &error), 0);
    if (!read)
        printf("%s\n%s\n", error.text, text);
    CU_ASSERT_PTR_NOT_NULL_FATAL(read);
    CU_ASSERT_STRING_EQUAL(read->name, rig->name);
    CU_ASSERT_EQUAL(read->clock, rig->clock);
    CU_ASSERT_EQUAL(read->seats, rig->seats);
    CU_ASSERT_EQUAL(read->decks, rig->decks ? rig->decks : 1);
    CU_ASSERT_EQUAL(read->order, rig->order);
    CU_ASSERT_EQUAL(read->wagers, rig->wagers);
    CU_ASSERT_EQUAL(read->reopen != NULL, rig->reopen != NULL);
    check_device(read->devices.shuffler, rig->devices.shuffler);
    check_device(read->devices.shoe, rig->devices.shoe);
    check_device(read->devices.terminal, rig->devices.terminal);
    check_sensors(read->devices.sensors, rig->devices.sensors);
    if (read->devices.terminal) {
        const struct rig_device *terminal = rig->devices.terminal;

        CU_ASSERT_STRING_EQUAL(read->devices.terminal->code,
                               *terminal->code ? terminal->code : "4711");
        CU_ASSERT_STRING_EQUAL(read->devices.terminal->admin,
                               *terminal->admin ? terminal->admin : "86420");
    }
    rig_free(read);
    free(text);
}

static bool is_stacked(const struct rig_device *device)
{
    return !device || !strcmp(device->driver, "hands") || !strcmp(device->driver, "pins");
}

static bool loads(const struct rig_device *device)
{
    return !device || !strcmp(device->driver, "open");
}

/* One that the dealing devices can have. */
static enum rig_order order_of(const struct rig *rig, unsigned number)
{
    const struct rig_devices *devices = &rig->devices;

    if (number % 2)
        return RIG_ORDER_COMPARE;
    if (loads(devices->shuffler) && loads(devices->shoe))
        return RIG_ORDER_LOAD;
    return is_stacked(devices->shuffler) && is_stacked(devices->shoe) ? RIG_ORDER_STACK
                                                                      : RIG_ORDER_COMPARE;
}

static struct rig_device *or_none(struct rig_device *device)
{
    return *device->driver ? device : NULL;
}

/* Every combination of devices, each with other words for the rest. */
TEST(every_bench_that_can_be_answered_is_read_back_as_it_was_written)
{
    static const char *const names[] = {"rig", "it's", "a: b # c", "\"quoted\"", "Zo\xc3\xab, 7"};
    static struct rig_reopen reopen;
    unsigned benches = 0;

    for (size_t a = 0; a < COUNT(shufflers); a++)
        for (size_t b = 0; b < COUNT(shoes); b++)
            for (size_t c = 0; c < COUNT(terminals); c++)
                for (size_t d = 0; d < COUNT(sensors); d++) {
                    struct rig rig = {.seats = (uint8_t)(3 + benches % 5)};
                    struct rig_devices *devices = &rig.devices;

                    if (!a && !b && !c && !d)
                        continue;
                    devices->shuffler = or_none(&shufflers[a]);
                    devices->shoe = or_none(&shoes[b]);
                    devices->terminal = or_none(&terminals[c]);
                    devices->sensors = *sensors[d].device.driver ? &sensors[d] : NULL;
                    rig.clock = is_real(devices->shuffler) || is_real(devices->shoe) ||
                                        is_real(devices->terminal) ||
                                        (d && is_real(&sensors[d].device))
                                    ? RIG_CLOCK_REAL
                                    : RIG_CLOCK_VIRTUAL;
                    rig.order = order_of(&rig, benches);
                    rig.decks = (uint8_t)(benches % 4 ? 1 + benches % 2 : 0);
                    rig.wagers = benches % 3 ? RIG_WAGERS_LEFT : RIG_WAGERS_COLLECTED;
                    rig.reopen = benches % 2 ? &reopen : NULL;
                    strcpy(rig.name, names[benches % COUNT(names)]);
                    check_round_trip(&rig, benches % 6 ? game_at(benches % 6 - 1) : NULL);
                    benches++;
                }
    CU_ASSERT_EQUAL(benches,
                    COUNT(shufflers) * COUNT(shoes) * COUNT(terminals) * COUNT(sensors) - 1);
}

/* Takes the mark of a comment from each line that is a field behind it. */
static void uncomment(char *text)
{
    for (char *line = text; line && *line; line = strchr(line, '\n'), line += line != NULL) {
        char *mark = line + strspn(line, " ");
        size_t key;

        if (strncmp(mark, "# ", 2) != 0)
            continue;
        key = strcspn(mark + 2, ": \n");
        if (!strncmp(mark + 2, "  ", 2) || (mark[2 + key] == ':' && mark[2] >= 'a')) {
            bool is_command = !strncmp(mark + 2, "  dealproof", 11);
            bool is_prose = !strncmp(mark + 2, "load:", 5) || !strncmp(mark + 2, "collected:", 10);

            if (!is_command && !is_prose)
                memmove(mark, "  ", 2), memmove(mark, mark + 2, strlen(mark + 2) + 1);
        }
    }
}

TEST(what_stands_in_comments_can_be_put_to_use)
{
    const struct game *game;

    for (size_t i = 0; (game = game_at(i)); i++) {
        struct rig rig = {.name = "x", .seats = 7, .devices.shuffler = &shufflers[1]};
        struct error error = {.text = ""};
        struct rig *read;
        size_t size;
        char *text;

        rig.devices.terminal = &terminals[1];
        text = text_of(&rig, game, &size);
        uncomment(text);
        CU_ASSERT_EQUAL(rig_parse(&read, "written", text, strlen(text), &error), 0);
        if (!read)
            printf("%s\n%s\n", error.text, text);
        CU_ASSERT_PTR_NOT_NULL_FATAL(read);
        CU_ASSERT_TRUE(read->limits_count > 1);
        CU_ASSERT_EQUAL(read->meters_count, game->meter_count);
        CU_ASSERT_PTR_NOT_NULL(read->reopen);
        CU_ASSERT_EQUAL(read->timing.shuffle, 60000);
        CU_ASSERT_STRING_EQUAL(read->capture, "bench.pcap");
        CU_ASSERT_STRING_EQUAL(read->devices.shuffler->identity->firmware, ">=1.0");
        rig_free(read);
        free(text);
    }
}
