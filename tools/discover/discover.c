/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <string.h>

#include "devices/model.h"
#include "hal/base/udev.h"
#include "hal/input/discover.h"
#include "hal/link/discover.h"
#include "hal/pins/discover.h"
#include "hal/usb/discover.h"
#include "tools/discover/discover.h"
#include "tools/json_print.h"
#include "tools/options.h"

#define LINE_WIDTH 78

static int run_discover(const struct command *command, int argc, char **argv);

struct options {
    bool all;
    bool json;
    bool slurm;
    const char *rig;
};

static const struct option_row rows[] = {
    {"all", 0, NULL, "every USB device but hubs, also those without a driver",
     OPTION_INTO(struct options, all)},
    {"json", 0, NULL,
     "one JSON object with the lists \"serial\", \"usb\", \"gpio\" and \"scanners\"",
     OPTION_INTO(struct options, json)},
    {"rig", 0, "FILE", "instead of the list, the rig file with the addresses of what is attached",
     OPTION_INTO(struct options, rig)},
    {"slurm", 0, NULL,
     "with --rig: opens the bench, and those of further FILEs, and prints the lines of slurm.conf "
     "and gres.conf for them",
     OPTION_INTO(struct options, slurm)},
    OPTIONS_END};

static const struct command discover = {
    .name = "discover",
    .synopsis = "[--all] [--json] | --rig FILE | --slurm --rig FILE...",
    .summary = "List the attached ports, devices and chips, with their addresses",
    .about =
        "Lists the serial ports, the USB devices that there is a driver for, the GPIO chips with\n"
        "their lines, and what types like a keyboard, each with the address to put into a rig\n"
        "file. Nothing is opened that could disturb a device, but with --slurm.\n",
    .options = rows,
    .help =
        "With --rig a USB address that means one attached device gets its serial number, so that\n"
        "it goes on meaning that one; everything else of the file stays as it is. Nothing is put\n"
        "in place of a device that is not there: standard error says which address is missing and\n"
        "what is attached that could be written instead.\n\n"
        "A serial port does not know its device's baud rate: put that in place of 115200.\n"
        "A USB device without a serial number that has a twin is named by its port; plug it into\n"
        "the same one again.\n\n"
        "Barcode and RFID readers that type, and keyboards, are listed as `cards:` of a rig file\n"
        "names them. Which of them is the scanner shows when it is unplugged.\n\n"
        "Examples:\n"
        "  dealproof discover\n"
        "  dealproof discover --json | jq -r '.usb[].address'\n"
        "  dealproof discover --rig rigs/bench-usb.yaml > my-bench.yaml\n"
        "  dealproof discover --slurm --rig left.yaml right.yaml\n\n"
        "Exit status: 0 also when nothing is found, 2 usage or rig file, 3 with --rig: an address\n"
        "is not there or not sure, 4 something could not be listed.\n",
    .run = run_discover,
};
REGISTER(commands, discover);

static void print_permission(bool accessible, const char *node)
{
    if (!accessible)
        printf("      no permission to use %s: follow the first lines of " UDEV_RULES "\n", node);
}

static void print_identity(const struct usb_identity *usb)
{
    printf("%04x:%04x", usb->vendor, usb->product);
    if (usb->manufacturer[0] || usb->name[0])
        printf(", %s%s%s", usb->manufacturer, usb->manufacturer[0] && usb->name[0] ? " " : "",
               usb->name);
    if (usb->serial[0])
        printf(", serial number %s", usb->serial);
}

static void print_serial(void *context, const struct serial_port_info *port)
{
    (void)context;
    printf("  %s: ", port->path);
    if (!strcmp(port->transport, "usb"))
        print_identity(&port->usb);
    else
        printf("%s", port->transport);
    printf("\n      %s\n", port->address);
    print_permission(port->accessible, port->path);
}

static void print_usb(void *context, const struct usb_device_info *device)
{
    (void)context;
    printf("  %s at %s: ", device->known ? device->known : "no driver", device->path);
    print_identity(&device->usb);
    printf("\n      %s\n", device->address);
    print_permission(device->accessible, device->node);
}

/* The names of the lines in as many rows as they need. */
static void print_lines(const struct gpio_chip_info *chip)
{
    size_t column = 0;

    for (size_t i = 0; i < chip->count; i++) {
        const struct gpio_line_info *line = &chip->lines[i];
        char offset[24];
        const char *name = line->name;

        if (!name[0]) {
            snprintf(offset, sizeof offset, "%zu", i);
            name = offset;
        }
        if (!column || column + strlen(name) + 1 > LINE_WIDTH) {
            printf("%s      lines:", column ? "\n" : "");
            column = strlen("      lines:");
        }
        printf(" %s%s", name, line->used ? "*" : "");
        column += strlen(name) + 1 + line->used;
    }
    if (column)
        printf("\n");
}

static void print_gpio(void *context, const struct gpio_chip_info *chip)
{
    bool *any_used = context;

    if (chip->failed) {
        printf("  %s: cannot be opened: %s\n", chip->name, strerror(chip->failed));
        print_permission(false, chip->path);
        return;
    }
    printf("  %s: %zu line%s\n      gpio:%s\n", chip->name, chip->count,
           chip->count == 1 ? "" : "s", chip->label);
    print_lines(chip);
    for (size_t i = 0; i < chip->count; i++)
        *any_used |= chip->lines[i].used;
}

static void print_scanner(void *context, const struct keyboard_info *keyboard)
{
    (void)context;
    printf("  scanner:%s\n", keyboard->path);
    print_permission(keyboard->accessible, keyboard->path);
}

/* The exit status for a list, which fails with a negative count. */
static int report(const struct command *command, int count, const struct error *error)
{
    return count < 0 ? command_error(command, error) : EXIT_PASS;
}

/* Says what a list came to and returns the exit status for it. */
static int conclude(const struct command *command, int count, const struct error *error)
{
    if (count == 0)
        printf("  none found\n");
    return report(command, count, error);
}

static int worse(int a, int b)
{
    return a > b ? a : b;
}

/* As discover_usb(), of those that there is a driver for. */
static int find_usb(bool all, void (*found)(void *context, const struct usb_device_info *device),
                    void *context, struct error *error)
{
    struct usb_known known[REGISTRY_MAX];

    return discover_usb(known, model_known_usb(known), all, found, context, error);
}

static int print_all(const struct command *command, bool all)
{
    struct error error;
    bool any_used = false;
    int status;

    printf("Serial ports\n");
    status = conclude(command, discover_serial(print_serial, NULL, &error), &error);
    printf("\nUSB devices%s\n", all ? "" : " with a driver");
    status = worse(status, conclude(command, find_usb(all, print_usb, NULL, &error), &error));
    printf("\nGPIO chips\n");
    status = worse(status, conclude(command, discover_gpio(print_gpio, &any_used, &error), &error));
    if (any_used)
        printf("  * in use\n");
    printf("\nScanners and keyboards\n");
    return worse(status,
                 conclude(command, discover_keyboards(print_scanner, NULL, &error), &error));
}

/* null where there is nothing to tell. */
static void print_told(struct json_print *print, const char *key, const char *text)
{
    json_print_text(print, key, text && text[0] ? text : NULL);
}

static void identity_json(struct json_print *print, const struct usb_identity *usb)
{
    char vendor[8], product[8];

    snprintf(vendor, sizeof vendor, "%04x", usb->vendor);
    snprintf(product, sizeof product, "%04x", usb->product);
    json_print_open(print, "usb", "{}");
    json_print_text(print, "vendor", vendor);
    json_print_text(print, "product", product);
    print_told(print, "serial", usb->serial);
    print_told(print, "manufacturer", usb->manufacturer);
    print_told(print, "name", usb->name);
    json_print_close(print, "{}");
}

static void serial_json(void *context, const struct serial_port_info *port)
{
    struct json_print *print = context;

    json_print_open(print, NULL, "{}");
    json_print_text(print, "address", port->address);
    json_print_text(print, "path", port->path);
    print_told(print, "description", port->description);
    json_print_text(print, "transport", port->transport);
    if (!strcmp(port->transport, "usb"))
        identity_json(print, &port->usb);
    else
        json_print_text(print, "usb", NULL);
    json_print_bool(print, "accessible", port->accessible);
    json_print_close(print, "{}");
}

static void usb_json(void *context, const struct usb_device_info *device)
{
    struct json_print *print = context;

    json_print_open(print, NULL, "{}");
    json_print_text(print, "address", device->address);
    print_told(print, "device", device->known);
    json_print_text(print, "port", device->path);
    json_print_text(print, "node", device->node);
    identity_json(print, &device->usb);
    json_print_bool(print, "accessible", device->accessible);
    json_print_close(print, "{}");
}

static void lines_json(struct json_print *print, const struct gpio_chip_info *chip)
{
    json_print_open(print, "lines", "[]");
    for (size_t i = 0; i < chip->count; i++) {
        const struct gpio_line_info *line = &chip->lines[i];

        json_print_open(print, NULL, "{}");
        json_print_integer(print, "offset", (int64_t)i);
        print_told(print, "name", line->name);
        json_print_bool(print, "used", line->used);
        print_told(print, "consumer", line->consumer);
        json_print_bool(print, "output", line->output);
        json_print_bool(print, "active-low", line->active_low);
        json_print_close(print, "{}");
    }
    json_print_close(print, "[]");
}

static void gpio_json(void *context, const struct gpio_chip_info *chip)
{
    char address[sizeof "gpio:" + PINS_LABEL_MAX];
    struct json_print *print = context;

    snprintf(address, sizeof address, "gpio:%s", chip->label);
    json_print_open(print, NULL, "{}");
    json_print_text(print, "address", chip->failed ? NULL : address);
    json_print_text(print, "path", chip->path);
    json_print_text(print, "name", chip->name);
    print_told(print, "label", chip->label);
    lines_json(print, chip);
    json_print_bool(print, "accessible", !chip->failed);
    json_print_close(print, "{}");
}

static void scanner_json(void *context, const struct keyboard_info *keyboard)
{
    char cards[sizeof "scanner:" + KEYBOARD_PATH_MAX];
    struct json_print *print = context;

    snprintf(cards, sizeof cards, "scanner:%s", keyboard->path);
    json_print_open(print, NULL, "{}");
    json_print_text(print, "cards", cards);
    json_print_text(print, "path", keyboard->path);
    json_print_bool(print, "accessible", keyboard->accessible);
    json_print_close(print, "{}");
}

static int print_json(const struct command *command, bool all)
{
    struct json_print print = {.out = stdout, .indent = 2};
    struct error error;
    int status;

    json_print_open(&print, NULL, "{}");
    json_print_open(&print, "serial", "[]");
    status = report(command, discover_serial(serial_json, &print, &error), &error);
    json_print_close(&print, "[]");
    json_print_open(&print, "usb", "[]");
    status = worse(status, report(command, find_usb(all, usb_json, &print, &error), &error));
    json_print_close(&print, "[]");
    json_print_open(&print, "gpio", "[]");
    status = worse(status, report(command, discover_gpio(gpio_json, &print, &error), &error));
    json_print_close(&print, "[]");
    json_print_open(&print, "scanners", "[]");
    status =
        worse(status, report(command, discover_keyboards(scanner_json, &print, &error), &error));
    json_print_close(&print, "[]");
    json_print_close(&print, "{}");
    printf("\n");
    return status;
}

static int fill_rig(const struct command *command, const char *path)
{
    struct error error;

    return discover_fill(path, stdout, stderr, &error) ? command_error(command, &error) : EXIT_PASS;
}

#define BENCHES_MAX 64

static int list_nodes(const struct command *command, const char *rig, char **others)
{
    char *paths[BENCHES_MAX + 1] = {(char *)rig};
    struct error error;
    size_t count = 1;

    for (; *others && count < BENCHES_MAX; others++)
        paths[count++] = *others;
    if (*others)
        return command_usage_error(command, "more than %d benches on one host", BENCHES_MAX);
    return discover_slurm(paths, stdout, &error) ? command_error(command, &error) : EXIT_PASS;
}

static int run_discover(const struct command *command, int argc, char **argv)
{
    struct options options = {0};
    int status;
    char **names = options_read(command, argc, argv, &options, &status);

    if (!names)
        return status;
    if (*names && !options.slurm)
        return command_usage_error(command, "unexpected argument '%s'", *names);
    if (options.slurm && !options.rig)
        return command_usage_error(command, "--slurm needs the rig file of a bench: --rig FILE");
    if (options.rig && (options.all || options.json))
        return command_usage_error(command, "--rig goes without --all and --json");
    if (options.slurm)
        status = list_nodes(command, options.rig, names);
    else if (options.rig)
        status = fill_rig(command, options.rig);
    else
        status = options.json ? print_json(command, options.all) : print_all(command, options.all);
    return command_finish(command, status);
}
