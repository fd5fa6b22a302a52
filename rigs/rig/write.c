/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/rig/write.h"

#include <inttypes.h>

#define COLUMN 44 /* where comments beside a value begin */

/* In single quotes, within which only they themselves have a meaning. */
static int put_quoted(const char *text, FILE *out)
{
    int length = 2;

    putc('\'', out);
    for (; *text; text++, length++) {
        putc(*text, out);
        if (*text == '\'') {
            putc(*text, out);
            length++;
        }
    }
    putc('\'', out);
    return length;
}

/* What stands beside a value that takes `length` columns: why it is so, or what it may be. */
static void put_why(int length, const char *why, FILE *out)
{
    fprintf(out, "%*s# %s\n", length < COLUMN ? COLUMN - length : 1, "", why);
}

static void put_text(const char *indent, const char *key, const char *text, const char *why,
                     FILE *out)
{
    int length = fprintf(out, "%s%s: ", indent, key) + put_quoted(text, out);

    if (why)
        put_why(length, why, out);
    else
        putc('\n', out);
}

static void put_head(const struct rig *rig, FILE *out)
{
    fputs(
        "# A bench for dealproof: which devices stand on it and where they are. All fields are in\n"
        "# rigs/RIGS.md; those in comments say what counts where they are left out.\n"
        "#   dealproof doctor --rig FILE     tries the bench\n"
        "#   dealproof discover --rig FILE   says which of its devices are not attached\n",
        out);
    put_text("", "rig", rig->name, "its name in reports", out);
    if (rig->clock == RIG_CLOCK_VIRTUAL)
        put_why(fprintf(out, "clock: virtual"), "time jumps: every device is emulated", out);
    else
        put_why(fprintf(out, "clock: real"), "virtual only where every device is emu:", out);
    put_why(fprintf(out, "seats: %u", rig->seats), "of the table, 1 to 7", out);
    put_why(fprintf(out, "decks: %u", rig->decks > 1 ? 2u : 1u),
            "2: two decks take turns, one dealt and one in the machine", out);
}

/* What any device may have, and does not need. */
static void put_device(const struct rig_device *device, const char *driver, FILE *out)
{
    put_text("    ", "driver", *device->driver ? device->driver : driver, NULL, out);
    if (*device->address)
        put_text("    ", "address", device->address, NULL, out);
    if (*device->script)
        put_text("    ", "script", device->script, "that knows its protocol", out);
    if (*device->options)
        put_text("    ", "options", device->options, NULL, out);
}

static const struct device_driver *driver_of(enum device_class class,
                                             const struct rig_device *device)
{
    return device_driver_find(class, *device->driver ? device->driver : "open", NULL);
}

/* Of a device that can say who it is. */
static void put_identity(enum device_class class, const struct rig_device *device, FILE *out)
{
    const struct device_driver *driver = driver_of(class, device);

    if (!driver || !(driver->capabilities & DEVICE_TELLS_IDENTITY))
        return;
    fprintf(out, "    # Who it must be; without this it may be any, but the same to the end.\n"
                 "    # identity: {model: NAME, serial: NUMBER, firmware: '>=1.0'}\n");
}

/* Any device may have a port where it answers what its software comes to. */
static void put_authenticate(const struct rig_device *device, FILE *out)
{
    fprintf(out,
            "    # Where it answers GAT, and what its software must come to (rigs/FORMATS.md).\n"
            "    # authenticate: {address: %s, approved: FILE}\n",
            rig_is_emulated(device->address) ? "emu:gat" : "serial:/dev/ttyUSB1@9600");
}

/* Of a machine whose cards somebody else reads. */
static void put_cards(const struct rig_device *device, FILE *out)
{
    put_text("    ", "cards", *device->cards ? device->cards : "hands",
             "who reads them: hands, scanner:PATH, none", out);
    if (*device->map)
        put_text("    ", "map", device->map, "its codes and their cards", out);
    else
        fprintf(out, "    # For a scanner, a file of codes and their cards (rigs/FORMATS.md).\n"
                     "    # map: cards.jsonl\n");
}

/* Names of lines that are on when they are low. */
static void put_active_low(unsigned set, const char *const *names, unsigned count, FILE *out)
{
    const char *separator = "";

    fprintf(out, "    active-low: [");
    for (unsigned line = 0; line < count; line++)
        if (set >> line & 1) {
            fprintf(out, "%s%s", separator, names[line]);
            separator = ", ";
        }
    fprintf(out, "]\n");
}

static void put_bias(enum pin_bias bias, FILE *out)
{
    static const char *const biases[] = {[PIN_BIAS_AS_IS] = "as-is",
                                         [PIN_BIAS_NONE] = "none",
                                         [PIN_PULL_UP] = "pull-up",
                                         [PIN_PULL_DOWN] = "pull-down"};

    put_why(fprintf(out, "    bias: %s", biases[bias]),
            "of inputs: as-is, none, pull-up, pull-down", out);
}

/* The lines of a shuffler on pins. */
static void put_lines(const struct rig_lines *lines, FILE *out)
{
    static const char *const whys[SHUFFLER_LINES] = {
        "out: presses the green button", "in: a packet lies at the exit",
        "in: the deck is shuffled", "in: cards are jammed", "in: a door is open"};
    const char *const given[SHUFFLER_LINES] = {lines->button, lines->exit, lines->ready, lines->jam,
                                               lines->door};

    for (unsigned line = 0; line < SHUFFLER_LINES; line++)
        if (*given[line])
            put_text("    ", shuffler_line_names[line], given[line], whys[line], out);
    put_why(fprintf(out, "    debounce-us: %u", lines->debounce_us),
            "an input stands so long before it counts", out);
    put_why(fprintf(out, "    press-ms: %u", lines->press_ms), "the button is pressed", out);
    put_bias(lines->bias, out);
    put_active_low(lines->active_low, shuffler_line_names, SHUFFLER_LINES, out);
    fprintf(out, "    # What the button does: shuffles-and-deals, shuffles, or deals.\n"
                 "    # options: press=shuffles-and-deals\n");
}

static void put_dealer(enum device_class class, const struct rig_device *device, FILE *out)
{
    const struct device_driver *driver = device ? driver_of(class, device) : NULL;

    if (!device)
        return;
    fprintf(out, "  %s:\n", device_class_name(class));
    put_device(device, "open", out);
    if (driver && driver->on_pins)
        put_lines(&device->lines, out);
    if (driver && driver->takes_cards)
        put_cards(device, out);
    put_identity(class, device, out);
    put_authenticate(device, out);
}

/* Of a terminal that is told them; people know theirs. */
static void put_codes(const struct rig_device *terminal, FILE *out)
{
    put_text("    ", "code", *terminal->code ? terminal->code : "4711",
             "that authorizes an award, 4 to 8 digits", out);
    put_text("    ", "admin", *terminal->admin ? terminal->admin : "86420", "of the administrator",
             out);
    fprintf(out,
            "    # Whether a run tries a wrong code first; never on a terminal out of test mode.\n"
            "    # probe-codes: true\n");
}

static void put_terminal(const struct rig_device *terminal, FILE *out)
{
    if (!terminal)
        return;
    fprintf(out, "  terminal:\n");
    put_device(terminal, "open", out);
    if (*terminal->address)
        put_codes(terminal, out);
    put_identity(DEVICE_TERMINAL, terminal, out);
}

static void put_line(const char *key, const char *line, FILE *out)
{
    if (!*line)
        return;
    fprintf(out, ", %s: ", key);
    put_quoted(line, out);
}

static void put_pins(const struct rig_sensors *sensors, FILE *out)
{
    static const char *const names[BET_LINES] = {"bet", "light", "chip", "lamp"};

    put_why(fprintf(out, "    debounce-us: %u", sensors->debounce_us),
            "a sensor stands so long before it counts", out);
    put_bias(sensors->bias, out);
    fprintf(out, "    # Lines that are on when they are low, of bet, light, chip, lamp.\n");
    put_active_low(sensors->active_low, names, BET_LINES, out);
    fprintf(out,
            "    # By seat: bet (in) sees a wager, light (out) is its lamp, chip (out) places a\n"
            "    # wager, lamp (in) sees the lamp lit. A missing line leaves something unproven.\n"
            "    seats:\n");
    for (unsigned i = 0; i < sensors->seats_count; i++) {
        const struct rig_seat *seat = &sensors->seats[i];

        fprintf(out, "      - {seat: %u", seat->seat);
        put_line("bet", seat->bet, out);
        put_line("light", seat->light, out);
        put_line("chip", seat->chip, out);
        put_line("lamp", seat->lamp, out);
        fprintf(out, "}\n");
    }
}

static void put_sensors(const struct rig_sensors *sensors, FILE *out)
{
    if (!sensors)
        return;
    fprintf(out, "  sensors:\n");
    put_device(&sensors->device, "pins", out);
    if (sensors->seats_count)
        put_pins(sensors, out);
    else
        put_identity(DEVICE_SENSORS, &sensors->device, out);
}

static void put_table(const struct rig *rig, FILE *out)
{
    static const char *const orders[] = {
        [RIG_ORDER_LOAD] = "load", [RIG_ORDER_COMPARE] = "compare", [RIG_ORDER_STACK] = "stack"};

    fprintf(out,
            "\n# load: a recorded order is loaded in test mode. compare: what is dealt is compared "
            "with\n"
            "# it. stack: people put it into the deck, for a machine that deals it as it is.\n"
            "order: %s\n",
            orders[rig->order]);
    fprintf(
        out,
        "# collected: at START ROUND the dealer takes the progressive wagers. left: they stay.\n"
        "wagers: %s\n",
        rig->wagers == RIG_WAGERS_COLLECTED ? "collected" : "left");
}

/* Only the game knows what its wagers and meters are called. */
static void put_game(const struct game *game, FILE *out)
{
    fprintf(out,
            "\n# Table limits in cents; total is all that a seat stakes in a round.\n# limits:\n");
    for (unsigned i = 0; i < game->wager_count; i++)
        if (!game->wagers[i].fixed)
            fprintf(out, "#   - {wager: %s, min: 500, max: 50000}\n", game->wagers[i].name);
    fprintf(out, "#   - {wager: total, max: 200000}\n");
    if (!game->meter_count)
        return;
    fprintf(out, "# Opening values of meters in dollars, for recordings that do not say them.\n"
                 "# meters:\n");
    for (unsigned i = 0; i < game->meter_count; i++)
        fprintf(out, "#   - {meter: %s, opening: \"%" PRId64 ".00\"}\n", game->meters[i].name,
                game->meters[i].reseed / MICROS_PER_DOLLAR);
}

static void put_rest(const struct rig *rig, FILE *out)
{
    fprintf(
        out,
        "\n# The longest that each thing may take, in milliseconds. People have `person` to do\n"
        "# theirs, and fail the check when they take longer than `take` or `card`.\n"
        "# timing: {reply: 1000, shuffle: 60000, packet: 5000, take: 60000, card: 30000,\n"
        "#          wager: 500, light: 500, jackpot: 2000, person: 600000, dwell: 0, quiet: 500}\n"
        "# A file for every byte on the links, which `decode` and Wireshark read; each\n"
        "# run makes its own: bench.pcap, bench.2.pcap.\n"
        "# capture: bench.pcap\n"
        "# A history that journals go into when a run has ended (rigs/HISTORY.md): default, a\n"
        "# file as sqlite:FILE, or postgresql://USER@HOST/DATABASE.\n"
        "# history: default\n"
        "# More paytables than those of the sheets (rigs/FORMATS.md).\n"
        "# paytables: house.paytables\n");
    fprintf(out,
            "# A device that goes away is looked for; without this its loss ends the run.\n"
            "%sreopen: {first-ms: 100, longest-ms: 5000, tries: 10}\n",
            rig->reopen ? "" : "# ");
}

void rig_write(const struct rig *rig, const struct game *game, FILE *out)
{
    put_head(rig, out);
    fprintf(out, "\ndevices:\n");
    put_dealer(DEVICE_SHUFFLER, rig->devices.shuffler, out);
    put_dealer(DEVICE_SHOE, rig->devices.shoe, out);
    put_terminal(rig->devices.terminal, out);
    put_sensors(rig->devices.sensors, out);
    put_table(rig, out);
    if (game)
        put_game(game, out);
    put_rest(rig, out);
}
