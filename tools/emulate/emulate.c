/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "devices/deck/shuffle.h"
#include "devices/model.h"
#include "devices/serve/serve.h"
#include "devices/serve/usbip.h"
#include "devices/wire/frame.h"
#include "tools/emulate/decks.h"
#include "tools/emulate/watch.h"
#include "tools/interrupt.h"
#include "tools/options.h"
#include "tools/others.h"

#define SETTINGS_SIZE 2048
#define IDLE_S        60

static const char about[] =
    "Runs the model of a DEVICE as a process, on the real clock, until SIGINT or SIGTERM. When\n"
    "it can be reached it prints one line, 'ready ADDRESS', with the address that a rig file\n"
    "takes. One client at a time; when it goes away the next one is waited for, and the device\n"
    "goes on where it was.\n";

static const char help[] =
    "An unplugged device is plugged in again for the next client of its port; on a terminal\n"
    "or a descriptor there is no next client and the command ends.\n"
    "\n"
    "Examples:\n"
    "  dealproof emulate shuffler --tcp 4001 --shoe evening.shoe\n"
    "  dealproof emulate shuffler --pty --option shuffle=500 --fault jam@packet:3\n"
    "  dealproof emulate shuffler --tcp 4001 --shuffle riffle:7 --seed 2\n"
    "  dealproof emulate angel-eye --tcp 0.0.0.0:4800 --option draw=1500\n"
    "  dealproof emulate bet-sensor --tcp 4003 --option place=0 --fault dark@seat:3\n"
    "  dealproof emulate terminal --usbip 3240 --option preset=three-card-catch &\n"
    "  sudo modprobe vhci_hcd && sudo usbip attach -r localhost -b 1-1\n"
    "\n"
    "Exit status: 0 ended by a signal or by its unplug, 2 usage, or a recording that cannot be\n"
    "used, 4 no terminal or port to be had.\n";

enum reach { REACH_NONE, REACH_PTY, REACH_TTY, REACH_TCP, REACH_USBIP };

struct options {
    const struct command *command;
    const struct model_kind *kind;
    enum reach reach;
    const char *where;
    const char *shoe;
    const char *shuffle;
    bool json, verbose;
    uint64_t idle;                /* s */
    char settings[SETTINGS_SIZE]; /* "key=value,key=value" as the model takes them */
    char faults[SETTINGS_SIZE];   /* likewise */
};

static int append(char list[SETTINGS_SIZE], const char *key, const char *value, struct error *error)
{
    size_t used = strlen(list);
    int more = snprintf(list + used, SETTINGS_SIZE - used, "%s%s%s", used ? "," : "", key, value);

    if (more < 0 || used + (size_t)more >= SETTINGS_SIZE)
        return error_set(error, ERROR_CONFIG, "too many options: '%.40s' is over the limit", value);
    return 0;
}

static int read_setting(const struct option_row *row, char *setting, void *context,
                        struct error *error)
{
    struct options *options = context;
    const char *equals = strchr(setting, '=');

    (void)row;
    if (!equals || equals == setting || strchr(setting, ','))
        return error_set(error, ERROR_CONFIG,
                         "'%s' is no setting: write KEY=VALUE, one with each --option", setting);
    if (!strncmp(setting, "fault=", strlen("fault=")))
        return error_set(error, ERROR_CONFIG, "write --fault %s", equals + 1);
    return append(options->settings, "", setting, error);
}

static int read_seed(const struct option_row *row, char *seed, void *context, struct error *error)
{
    struct options *options = context;

    (void)row;
    return append(options->settings, "seed=", seed, error);
}

static int read_fault(const struct option_row *row, char *spec, void *context, struct error *error)
{
    struct options *options = context;

    (void)row;
    if (!*spec || strchr(spec, ','))
        return error_set(error, ERROR_CONFIG,
                         "'%s' is no fault: write one with each --fault, as in "
                         "--fault unplug@frames:40",
                         spec);
    return append(options->faults, "fault=", spec, error);
}

/* Only how: what the device takes for a time is not a method. */
static int read_shuffle(const struct option_row *row, char *method, void *context,
                        struct error *error)
{
    struct options *options = context;
    struct shuffle_method read;

    (void)row;
    if (shuffle_method_parse(method, strlen(method), &read, error)) {
        error_prefix(error, "--shuffle");
        return ERROR_CONFIG;
    }
    options->shuffle = method;
    return append(options->settings, "shuffle=", method, error);
}

static int read_reach(const struct option_row *row, char *where, void *context, struct error *error)
{
    static const char *const names[] = {
        [REACH_PTY] = "pty", [REACH_TTY] = "tty", [REACH_TCP] = "tcp", [REACH_USBIP] = "usbip"};
    struct options *options = context;

    if (options->reach != REACH_NONE)
        return error_set(error, ERROR_CONFIG,
                         "one of --pty, --tty, --tcp and --usbip, and only once");
    options->where = where;
    options->reach = REACH_PTY;
    while (strcmp(names[options->reach], row->name) != 0)
        options->reach++;
    return 0;
}

/* What a device can be told, in the words of its tables. */
static void describe(const struct model_kind *kind, FILE *out)
{
    fprintf(out, "%s\noptions:", kind->summary);
    for (const struct model_option *option = kind->options; option->form; option++)
        if (strncmp(option->form, "fault=", 6) != 0)
            fprintf(out, " %s", option->form);
    if (kind->hands[0])
        fprintf(out, "; unless told: %s", kind->hands);
    fprintf(out, "\nfaults:");
    for (size_t i = 0; i < kind->defects->count; i++) {
        const struct defect_kind *defect = &kind->defects->kinds[i];

        fprintf(out, " %s", defect->name);
        if (defect->unit)
            fprintf(out, "@%s:N", defect->unit);
    }
}

static void print_device(const struct model_kind *kind)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    if (out) {
        describe(kind, out);
        fclose(out);
    }
    options_print_item(kind->name, text ? text : kind->summary);
    free(text);
}

static void print_devices(void)
{
    const struct model_kind *kind;

    printf("Devices:\n");
    for (size_t i = 0; (kind = model_kind_at(i)); i++)
        if (kind->make)
            print_device(kind);
}

static const struct option_row rows[] = {
    {.help = "How it is reached, one of:"},
    {"pty", 0, NULL, "a new pseudo-terminal: 'ready pty:/dev/pts/3'", .read = read_reach},
    {"tty", 0, "PATH",
     "a serial line at the speed that it has: the other end of a null modem cable, or of a USB "
     "gadget: 'ready /dev/ttyS0'",
     .read = read_reach},
    {"tcp", 0, "[ADDR:]PORT",
     "a TCP port, as a serial server has it; port 0 is any that is free, ADDR is 127.0.0.1 unless "
     "given: 'ready tcp:127.0.0.1:40123'",
     .read = read_reach},
    {"usbip", 0, "[ADDR:]PORT|fd:N",
     "a USB/IP server with the device on bus id 1-1, where it has a USB plug; 3240 is the usual "
     "port: 'ready usb:1209:0001/S-17'\n"
     "fd:N is the same on descriptor N, a socket whose other end goes straight to the kernel's "
     "vhci_hcd, without the handshake",
     .read = read_reach},
    {.help = "What it does:"},
    {"shoe", 0, "FILE",
     "play a recording: its rounds are the shuffles or decks to come ('-' is standard input). The "
     "device is then in test mode, and says so where its protocol can",
     OPTION_INTO(struct options, shoe)},
    {"seed", 0, "N", "seed of everything random in the device (default 1)", .read = read_seed},
    {"shuffle", 0, "METHOD",
     "how a shuffler shuffles: uniform (the default), or badly, to try what 'dealproof shuffles' "
     "finds: riffle:K, shelf:M, stuck:N, moves:N, bias:E, slot:E, stick:E, overhand[:K], or a weak "
     "generator as "
     "lcg:down-modulo",
     .read = read_shuffle},
    {"fault", 0, "SPEC",
     "a fault of the device, shown once, or for good in a seat's sensor or lamp; may be given "
     "again "
     "for another one. Some are lies, which a rig must find",
     .read = read_fault},
    {"option", 0, "KEY=VALUE", "an option of the device; MS are milliseconds",
     .read = read_setting},
    {"idle", 0, "SECONDS",
     "of a TCP port: a client that has said nothing for so long gives way to one that waits (60); "
     "0: never",
     OPTION_INTO(struct options, idle), 0, 86400},
    {.help = "What it says:"},
    {"verbose", 'v', NULL,
     "on standard error which clients come and go, and what they and the device say",
     OPTION_INTO(struct options, verbose)},
    {"json", 0, NULL, "'ready ADDRESS' as a line of JSON", OPTION_INTO(struct options, json)},
    OPTIONS_END};

static int choose_device(struct options *options, const char *name)
{
    struct error error;

    options->kind = model_kind_find(name, &error);
    if (!options->kind)
        return command_usage_error(options->command, "%s", error.text);
    if (options->reach == REACH_NONE)
        return command_usage_error(options->command,
                                   "how is it to be reached? Give --pty, --tty, --tcp or --usbip");
    if (options->reach == REACH_USBIP && !options->kind->usb_product)
        return command_usage_error(options->command,
                                   "no %s has a USB plug: use --pty, --tty or --tcp", name);
    if (options->shoe && !options->kind->load)
        return command_usage_error(options->command, "a %s deals no cards: --shoe is not for it",
                                   name);
    if (options->shuffle && options->kind->class != DEVICE_SHUFFLER)
        return command_usage_error(options->command,
                                   "a %s does not shuffle: --shuffle is not for "
                                   "it",
                                   name);
    return EXIT_PASS;
}

/* A model with nobody around it: what hands would do comes first, so that settings replace it. */
static struct model *make_model(const struct options *options, struct error *error)
{
    char text[2 * SETTINGS_SIZE + 64];
    const char *const parts[] = {options->kind->hands, options->settings, options->faults};
    size_t used = 0;

    text[0] = '\0';
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (*parts[i])
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", used ? "," : "",
                                     parts[i]);
    return options->kind->make(text, error);
}

/* Descriptor N of "fd:N", or -1. */
static int passed_descriptor(const char *where)
{
    char *end;
    long number;

    if (strncmp(where, "fd:", 3) != 0 || where[3] < '0' || where[3] > '9')
        return -1;
    number = strtol(where + 3, &end, 10);
    return *end || number > 1000000 ? -1 : (int)number;
}

/* Puts the model behind a USB plug; *address becomes that of the USB device. */
static int plug_usb(const struct options *options, struct model **model, char *address, size_t size,
                    struct error *error)
{
    struct usb_function_identity usb = {.vendor = options->kind->usb_vendor,
                                        .product = options->kind->usb_product,
                                        .manufacturer = "dealproof"};
    struct wire_identity identity;
    struct model *plugged;
    int status = model_identity(options->kind, options->settings, &identity, error);

    if (status)
        return status;
    snprintf(usb.name, sizeof usb.name, "%s (emulated)", identity.model);
    snprintf(usb.serial, sizeof usb.serial, "%s", identity.serial);
    snprintf(address, size, "usb:%04x:%04x/%s", usb.vendor, usb.product, usb.serial);
    plugged = usbip_new(*model, &usb, passed_descriptor(options->where) >= 0, error);
    if (!plugged)
        return ERROR_RIG;
    *model = plugged;
    return 0;
}

static int open_server(const struct options *options, struct model *model, struct serve **serve,
                       struct error *error)
{
    if (options->reach == REACH_PTY)
        return serve_pty(serve, model, error);
    if (options->reach == REACH_TTY)
        return serve_tty(serve, model, options->where, error);
    if (options->reach == REACH_USBIP && passed_descriptor(options->where) >= 0)
        return serve_socket(serve, model, passed_descriptor(options->where), error);
    return serve_tcp(serve, model, options->where, error);
}

/* The port of "tcp:HOST:PORT". */
static void say_how_to_attach(const char *address)
{
    const char *port = strrchr(address, ':');
    int length = port ? (int)(port - address) : 0;

    if (port)
        fprintf(stderr, "attach it with: usbip --tcp-port %s attach -r %.*s -b " USBIP_BUSID "\n",
                port + 1, length - 4, address + 4);
}

/* A device asks nobody who he is. */
static void warn_of_others(const struct options *options)
{
    if (options->where && options->reach != REACH_TTY)
        others_warn(options->command->name, options->where, "can use the device");
}

static int serve_model(const struct options *options, struct model *model, const char *usb_address,
                       struct error *error)
{
    struct emulate_watch *watch = NULL;
    struct serve *serve = NULL;
    int stop = interrupt_descriptor(error);
    int status = stop < 0 ? stop : open_server(options, model, &serve, error);

    if (status == 0 && options->verbose)
        status = emulate_watch_open(&watch, serve, options->kind, *usb_address, error);
    if (status == 0) {
        serve_set_idle(serve, (nanos_t)options->idle * NANOS_PER_SECOND);
        warn_of_others(options);
        if (*usb_address)
            say_how_to_attach(serve_address(serve));
        command_ready(*usb_address                  ? usb_address
                      : options->reach == REACH_TTY ? options->where
                                                    : serve_address(serve),
                      options->json);
        if (command_finish(options->command, EXIT_PASS))
            status = error_set(error, ERROR_RIG, "nobody can be told that the device is ready");
        else
            status = serve_run(serve, stop, error);
    }
    serve_close(serve);
    emulate_watch_close(watch);
    if (stop >= 0)
        close(stop);
    return status;
}

static int emulate_device(const struct options *options, struct error *error)
{
    char usb_address[96] = "";
    struct model *model = make_model(options, error);
    int status = model ? 0 : (int)error->code;

    if (status == 0 && options->shoe)
        status = emulate_decks_load(options->shoe, options->kind, model, error);
    if (status == 0 && options->reach == REACH_USBIP)
        status = plug_usb(options, &model, usb_address, sizeof usb_address, error);
    if (status == 0)
        status = serve_model(options, model, usb_address, error);
    if (model)
        model->ops->free(model);
    return status;
}

static int run_emulate(const struct command *command, int argc, char **argv)
{
    struct options options = {.command = command, .idle = IDLE_S};
    struct error error = {.code = ERROR_CONFIG};
    int status;
    char **names = options_read(command, argc, argv, &options, &status);

    if (!names)
        return status;
    if (!names[0])
        return command_usage_error(command, "no device given");
    if (names[1])
        return command_usage_error(command, "one device at a time, and '%s' is the second",
                                   names[1]);
    status = choose_device(&options, names[0]);
    if (status)
        return status;
    status = emulate_device(&options, &error);
    if (status) {
        error.code = (enum error_code)status;
        return command_error(command, &error);
    }
    return EXIT_PASS;
}

static const struct command emulate = {
    .name = "emulate",
    .synopsis = "DEVICE --pty|--tty PATH|--tcp PORT|--usbip PORT [OPTION]...",
    .summary = "Run the model of a device as a process, on a terminal, a port or USB",
    .about = about,
    .list = print_devices,
    .options = rows,
    .help = help,
    .run = run_emulate,
};
REGISTER(commands, emulate);
