/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the software of a device comes to, by its own account, and whether that is approved. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "devices/model.h"
#include "hal/base/secret.h"
#include "rigs/authenticate/rig.h"
#include "rigs/bench/bench.h"
#include "tools/authenticate/show.h"
#include "tools/interrupt.h"
#include "tools/options.h"
#include "tools/others.h"

#define SETTINGS_SIZE 1024

struct options {
    const struct command *command;
    const char *rig, *key, *key_hex, *key_file, *approved;
    bool is_json;
    const char *components[AUTHENTICATE_NAMES_MAX];
    unsigned component_count;
    struct authenticate_image images[AUTHENTICATE_NAMES_MAX];
    unsigned image_count;
    char settings[SETTINGS_SIZE]; /* "key=value,key=value" */
};

static const char about[] =
    "Asks a device what its software comes to, by the protocol that regulators name: GAT 3.50\n"
    "as spoken by the public program GatHost (devices/GAT.md). It is asked for its status, its\n"
    "special functions and an HMAC-SHA1 of each of its components, which are compared with a\n"
    "file of approved digests (rigs/FORMATS.md), or with images that the lab holds, or shown.\n"
    "\n"
    "A device computes its own proof: a match shows that it can give these digests, not that\n"
    "this software runs in it. A device that only replays stored answers is found by --image,\n"
    "with a key that it has never seen.\n"
    "\n"
    "Of a device that speaks the open protocol alone the digest that it declares is shown.\n";

static const char help[] =
    "Examples:\n"
    "  dealproof authenticate serial:/dev/ttyUSB0@9600 --approved deck-mate.approved\n"
    "  dealproof authenticate tcp:10.0.0.7:4001 --image DeckMate2_UI_2.0.254=ui.bin\n"
    "  dealproof authenticate --rig rigs/bench-serial.yaml shuffler --json\n"
    "  dealproof authenticate emu:gat --key Jefe\n"
    "\n"
    "Exit status: 0 all that was compared is the same, or nothing was to compare with, which\n"
    "is said; 1 something differs, is missing or is not approved; 2 usage, or a file that\n"
    "cannot be used; 3 the device does not do as the protocol says, or speaks another; 4 this\n"
    "machine failed; 5 no answer in time; 130 interrupted.\n";

/* One device, and where it is asked. */
struct asked {
    const struct options *options;
    const char *device;   /* in the rig; NULL: none is named */
    const char *address;  /* NULL: it has none */
    const char *approved; /* a file; NULL: none */
    const char *speaks;   /* another protocol than GAT, if that was found out */
};

static int read_component(const struct option_row *row, char *value, void *context,
                          struct error *error)
{
    struct options *options = context;

    (void)row;
    if (!*value || strlen(value) >= GAT_NAME_SIZE)
        return error_set(error, ERROR_CONFIG, "--component: a name has 1 to %d bytes",
                         GAT_NAME_SIZE - 1);
    for (unsigned i = 0; i < options->component_count; i++)
        if (!strcmp(options->components[i], value))
            return error_set(error, ERROR_CONFIG, "--component %s is there twice", value);
    if (options->component_count == AUTHENTICATE_NAMES_MAX)
        return error_set(error, ERROR_CONFIG, "--component: at most %d", AUTHENTICATE_NAMES_MAX);
    options->components[options->component_count++] = value;
    return 0;
}

static int read_image(const struct option_row *row, char *value, void *context, struct error *error)
{
    struct options *options = context;
    char *path = strrchr(value, '=');

    (void)row;
    if (!path || path == value || !path[1])
        return error_set(error, ERROR_CONFIG,
                         "--image %s: write NAME=FILE, the name as the device has it", value);
    *path++ = '\0';
    if (strlen(value) >= GAT_NAME_SIZE)
        return error_set(error, ERROR_CONFIG, "--image: a name has 1 to %d bytes",
                         GAT_NAME_SIZE - 1);
    for (unsigned i = 0; i < options->image_count; i++)
        if (!strcmp(options->images[i].name, value))
            return error_set(error, ERROR_CONFIG, "--image %s is there twice", value);
    if (options->image_count == AUTHENTICATE_NAMES_MAX)
        return error_set(error, ERROR_CONFIG, "--image: at most %d", AUTHENTICATE_NAMES_MAX);
    options->images[options->image_count++] = (struct authenticate_image){value, path};
    return 0;
}

static int read_setting(const struct option_row *row, char *value, void *context,
                        struct error *error)
{
    struct options *options = context;
    struct gat_settings settings = gat_standard;
    size_t used = strlen(options->settings);

    (void)row;
    if (gat_settings_read(&settings, value, error)) {
        error_prefix(error, "--option");
        return ERROR_CONFIG;
    }
    if (used + strlen(value) + 2 > sizeof options->settings)
        return error_set(error, ERROR_CONFIG, "--option %s is one too many", value);
    snprintf(options->settings + used, sizeof options->settings - used, "%s%s", used ? "," : "",
             value);
    return 0;
}

static const struct option_row rows[] = {
    {"rig", 0, "FILE",
     "the devices of this rig, or the one that is named: where the rig says that they are asked, "
     "or "
     "else what they declare",
     OPTION_INTO(struct options, rig)},
    {"key", 0, "TEXT",
     "the key of the digests, as it is typed; unless given, that of the approved digests, or a "
     "random one, which is shown",
     OPTION_INTO(struct options, key)},
    {"key-hex", 0, "HEX", "the same as hexadecimal digits, two a byte",
     OPTION_INTO(struct options, key_hex)},
    {"key-file", 0, "FILE",
     "a text in the first line of a file that nobody but its owner can read; it is not shown",
     OPTION_INTO(struct options, key_file)},
    {"component", 0, "NAME",
     "ask for this component alone; may be given again for another one (default: all)",
     .read = read_component},
    {"approved", 0, "FILE", "compare with the digests of this file (rigs/FORMATS.md)",
     OPTION_INTO(struct options, approved)},
    {"image", 0, "NAME=FILE",
     "compare a component with what this file comes to; may be given again. That these bytes are "
     "those that its maker hashes is an assumption",
     .read = read_image},
    {"option", 0, "KEY=VALUE",
     "what the published sources leave open (devices/GAT.md), as key=hex or reply=500; may be "
     "given "
     "again",
     .read = read_setting},
    {"json", 0, NULL, "one JSON object for each device", OPTION_INTO(struct options, is_json)},
    OPTIONS_END};

/* A line on a terminal that is written over and over. */
static void show_progress(void *context, const struct gat_progress *progress)
{
    const struct clock *clock = context;

    if (progress->parts)
        fprintf(stderr, "\r\033[K%s: part %u", progress->request->feature, progress->parts);
    else
        fprintf(stderr, "\r\033[K%s: calculating, %lld s", progress->request->feature,
                (long long)((clock_now(clock) - progress->since) / NANOS_PER_SECOND));
}

static void end_progress(void)
{
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r\033[K");
}

/* The key of the command line, if there is one; it says of itself whether it is digits. */
static int take_key(const struct options *options, struct authenticate_setup *setup,
                    struct error *error)
{
    char secret[2 * GAT_KEY_MAX + 1];
    int status = 0;

    if (!!options->key + !!options->key_hex + !!options->key_file > 1)
        return error_set(error, ERROR_CONFIG, "one of --key, --key-hex and --key-file");
    if (options->key_file) {
        status = secret_read(options->key_file, "key", secret, sizeof secret, error);
        if (!status)
            status = (setup->plan.settings.key_is_hex ? gat_key_hex : gat_key_text)(&setup->key,
                                                                                    secret, error);
    } else if (options->key) {
        status = gat_key_text(&setup->key, options->key, error);
    } else if (options->key_hex) {
        status = gat_key_hex(&setup->key, options->key_hex, error);
        setup->plan.settings.key_is_hex |= !strstr(options->settings, "key=");
    } else {
        return 0;
    }
    setup->plan.key = &setup->key;
    return status;
}

/* What the command line says, beside what a rig has said already. */
static int plan(const struct options *options, struct authenticate_setup *setup,
                struct error *error)
{
    struct authenticate_plan *made = &setup->plan;
    int status = gat_settings_read(&made->settings, options->settings, error);

    if (!status)
        status = take_key(options, setup, error);
    if (!status && options->approved) {
        approved_free(setup->approved);
        made->approved = NULL;
        status = approved_load(options->approved, &setup->approved, error);
        made->approved = setup->approved;
        if (!status && !strstr(options->settings, "key="))
            made->settings.key_is_hex = setup->approved->key.is_hex;
    }
    made->components = options->components;
    made->component_count = options->component_count;
    made->images = options->images;
    made->image_count = options->image_count;
    if (!status)
        status = authenticate_check(made, error);
    return status ? status : authenticate_fresh(setup, NULL, error);
}

/* What was asked for can be had by GAT alone. */
static bool needs_gat(const struct options *options)
{
    return options->approved || options->image_count || options->component_count || options->key ||
           options->key_hex || options->key_file;
}

static int say_no_gat(const char *address, const char *protocol, struct error *error)
{
    return error_set(error, ERROR_DEVICE,
                     "%s: no GAT here, so that nothing can be compared; the %s protocol is spoken, "
                     "and without other options what the device declares is shown",
                     address, protocol);
}

/* Says who is there, of one that does not answer GAT; 0 where that is a declared identity. */
static int ask_others(struct asked *asked, struct link *link, int status, struct error *error)
{
    const char *protocol;
    struct device_found found;
    struct error unheard;

    if (device_probe_link(link, &found, &protocol, &unheard) <= 0)
        return status;
    asked->speaks = protocol;
    if (!found.has_identity)
        return error_set(error, ERROR_DEVICE,
                         "%s: no GAT here; the %s protocol is spoken, by a %s that cannot say who "
                         "it is",
                         link->address, protocol, device_class_name(found.class));
    if (needs_gat(asked->options))
        return say_no_gat(link->address, protocol, error);
    authenticate_show_declared(asked->device, link->address, protocol, &found.identity,
                               asked->options->is_json);
    return 0;
}

static void show(const struct options *options, const struct authenticate_shown *shown)
{
    (options->is_json ? authenticate_show_json : authenticate_show_text)(shown);
}

/* The status of the comparison, or of what failed. */
static int ask_device(struct asked *asked, struct link *link, struct authenticate_setup *setup,
                      struct error *error)
{
    struct authenticate_result *result = malloc(sizeof *result);
    struct authenticate_shown shown = {.device = asked->device,
                                       .address = link->address,
                                       .approved = asked->approved,
                                       .hides_key = asked->options->key_file,
                                       .plan = &setup->plan,
                                       .result = result};
    int status;

    if (!result)
        return error_set(error, ERROR_RIG, "out of memory for digests");
    if (isatty(STDERR_FILENO))
        setup->plan.listener = (struct gat_listener){show_progress, link->hal->clock};
    status = authenticate(link, &setup->plan, result, error);
    end_progress();
    if (!status)
        show(asked->options, &shown);
    else if (!result->has_answered && (status == ERROR_TIMEOUT || status == ERROR_DEVICE))
        status = ask_others(asked, link, status, error);
    if (!status && result->wrong)
        status = ERROR_RULE;
    free(result);
    return status;
}

/* Interrupted from another thread. */
static void on_signal(void *context, unsigned times)
{
    (void)times;
    hal_cancel(context);
}

struct site {
    struct clock clock;
    struct hal hal;
    struct interrupt interrupt;
};

/* An emulated device needs no real clock. */
static int open_site(struct site *site, const char *address, struct error *error)
{
    int status;

    if (rig_is_emulated(address))
        clock_virtual(&site->clock, 0);
    else
        clock_real(&site->clock);
    status = hal_open(&site->hal, &site->clock, error);
    if (status)
        return status;
    site->hal.make_model = model_make;
    status = interrupt_watch(&site->interrupt, on_signal, &site->hal, error);
    if (status)
        hal_close(&site->hal);
    return status;
}

static void close_site(struct site *site)
{
    interrupt_release(&site->interrupt);
    hal_close(&site->hal);
}

static int ask_address(struct asked *asked, struct authenticate_setup *setup, struct error *error)
{
    struct site site;
    struct link *link;
    int status = open_site(&site, asked->address, error);

    if (status)
        return status;
    status = link_open(&link, &site.hal, asked->address, error);
    if (!status) {
        status = ask_device(asked, link, setup, error);
        link_close(link);
    }
    close_site(&site);
    return status;
}

/* Of a device that the rig does not say how to ask: what it declares. */
static int show_declared(struct asked *asked, const struct rig *rig, enum device_class class,
                         struct error *error)
{
    const struct bench_device *device;
    struct bench bench;
    int status = bench_try(&bench, rig, 1, error);

    if (status)
        return status;
    device = bench_find(&bench, class);
    status = device->status;
    asked->speaks = status ? NULL : device->driver;
    if (status)
        *error = device->error;
    else if (!device->has_identity)
        status = error_set(error, ERROR_DEVICE, "the %s at %s has no GAT and cannot say who it is",
                           device->name, device->address);
    else if (needs_gat(asked->options))
        status = say_no_gat(device->address, device->driver, error);
    else
        authenticate_show_declared(device->name, device->address, device->driver, &device->identity,
                                   asked->options->is_json);
    bench_close(&bench, NULL);
    return status;
}

static int ask_class(struct asked *asked, const struct rig *rig, enum device_class class,
                     struct error *error)
{
    const struct rig_authenticate *wanted = rig_device(rig, class)->authenticate;
    struct authenticate_setup setup;
    int status;

    if (!wanted)
        return show_declared(asked, rig, class, error);
    asked->address = wanted->address;
    asked->approved = asked->options->approved ? asked->options->approved : wanted->approved;
    status = authenticate_setup(&setup, rig, wanted, NULL, error);
    if (status)
        return status;
    status = plan(asked->options, &setup, error);
    if (!status)
        status = ask_address(asked, &setup, error);
    authenticate_setup_free(&setup);
    return status;
}

/* Says why a device could not be asked or told nothing: on standard error, and as JSON. */
static int fail(const struct asked *asked, int status, struct error *error)
{
    int exit_status;

    error->code = (enum error_code)status;
    exit_status = command_error(asked->options->command, error);
    if (asked->options->is_json)
        authenticate_show_failed(&(struct authenticate_failed){.device = asked->device,
                                                               .address = asked->address,
                                                               .speaks = asked->speaks,
                                                               .status = exit_status,
                                                               .why = error->text});
    return exit_status;
}

/* The exit status; a difference is shown already. */
static int finish(const struct asked *asked, int status, struct error *error)
{
    return status && status != ERROR_RULE ? fail(asked, status, error) : -status;
}

/* The worse of two: what failed before what differs. */
static int worse(int a, int b)
{
    return a == EXIT_PASS || (a == EXIT_FAIL && b != EXIT_PASS) ? b : a;
}

static bool is_meant(const struct rig_device *device, const char *name, enum device_class class)
{
    if (!device)
        return false;
    return name ? !strcmp(name, device_class_name(class))
                : device->authenticate || device->capabilities & DEVICE_TELLS_IDENTITY;
}

/* Every device of the rig that can be asked, or the one of that name. */
static int ask_rig(const struct options *options, const char *name)
{
    struct asked nobody = {.options = options};
    struct error error;
    struct rig *rig;
    unsigned count = 0;
    int status = rig_load(&rig, options->rig, &error), result = EXIT_PASS;

    if (status)
        return fail(&nobody, status, &error);
    rig->capture[0] = '\0';
    others_warn_of_rig(options->command->name, rig);
    for (unsigned i = 0; i < DEVICE_CLASSES && result != EXIT_ABORTED; i++) {
        const struct rig_device *device = rig_device(rig, (enum device_class)i);
        struct asked asked = {.options = options,
                              .device = device_class_name((enum device_class)i)};

        if (!is_meant(device, name, (enum device_class)i))
            continue;
        count++;
        asked.address = *device->address ? device->address : NULL;
        status = ask_class(&asked, rig, (enum device_class)i, &error);
        result = worse(result, finish(&asked, status, &error));
    }
    rig_free(rig);
    if (!count && name)
        return command_usage_error(options->command, "%s has no device '%s'", options->rig, name);
    if (!count)
        return command_usage_error(options->command, "%s has no device that can be asked",
                                   options->rig);
    return result;
}

static int ask_one(const struct options *options, const char *address)
{
    struct authenticate_setup setup = {.plan.settings = gat_standard};
    struct asked asked = {.options = options, .address = address, .approved = options->approved};
    struct error error = {.code = ERROR_CONFIG};
    int status = plan(options, &setup, &error);

    if (!status) {
        others_warn_of_link(options->command->name, address, OTHERS_MAY_BE_DEVICE);
        status = ask_address(&asked, &setup, &error);
    }
    authenticate_setup_free(&setup);
    return finish(&asked, status, &error);
}

static int run_authenticate(const struct command *command, int argc, char **argv)
{
    struct options options = {.command = command};
    int status;
    char **names = options_read(command, argc, argv, &options, &status);

    if (!names)
        return status;
    if (!options.rig && !names[0])
        return command_usage_error(command, "no address given; or name a rig by --rig FILE");
    if (names[0] && names[1])
        return command_usage_error(command, "one %s at a time, and '%s' is the second",
                                   options.rig ? "device" : "address", names[1]);
    status = options.rig ? ask_rig(&options, names[0]) : ask_one(&options, names[0]);
    return command_finish(command, status);
}

static const struct command authenticate_command = {
    .name = "authenticate",
    .synopsis = "ADDRESS|--rig FILE [DEVICE] [--approved FILE] [OPTION]...",
    .summary = "Ask a device what its software comes to, and compare it with what is approved",
    .about = about,
    .options = rows,
    .help = help,
    .run = run_authenticate,
};
REGISTER(commands, authenticate_command);
