/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/bench/bench.h"

#include <stdio.h>
#include <string.h>

#include "hal/link/fault.h"

/*
 * Whether a model with these options is that of the device. A rig has at most one device of each
 * model, but for scripts, whose file is in the address.
 */
static bool is_model_of(const struct bench_device *device, const struct model_kind *kind,
                        const char *options)
{
    const char *own = strchr(device->address, '?');

    return device->kind == kind &&
           (kind->class != DEVICE_CLASSES || (own && !strncmp(options, own + 1, strlen(own + 1))));
}

/*
 * The callback by which the hal makes a model for an "emu:" address. It also records the model in
 * its bench_device.
 */
static struct model *make_model(void *context, const char *name, const char *options,
                                struct error *error)
{
    struct bench *bench = context;
    const struct model_kind *kind = model_kind_find(name, error);
    struct model *model = kind ? kind->make(options, error) : NULL;

    for (unsigned i = 0; i < bench->device_count && model; i++)
        if (is_model_of(&bench->devices[i], kind, options))
            bench->devices[i].model = model;
    return model;
}

static void link_reopened(void *context, const char *address, unsigned tries, nanos_t away)
{
    struct bench_device *device = context;

    (void)address;
    device->reopened++;
    device->tries += tries;
    device->away += away;
    if (device->bench->reopened)
        device->bench->reopened(device->bench->context, device, tries, away);
}

static void link_away(void *context, unsigned try)
{
    const struct bench_device *device = context;

    if (device->bench->away)
        device->bench->away(device->bench->context, device, try);
}

/* Wraps a link where faults are asked for; they are nearest to the device. */
static int add_faults(struct link **link, const struct rig_link_fault *fault, uint64_t seed,
                      struct error *error)
{
    struct link *inner = *link;
    struct link_faults faults;

    if (!fault)
        return 0;
    faults = (struct link_faults){
        .seed = seed,
        .flip = fault->flip,
        .drop = fault->drop,
        .duplicate = fault->duplicate,
        .delay = fault->delay,
        .delay_by = fault->delay_ms * NANOS_PER_MILLI,
        .split = fault->split,
        .merge = fault->merge,
        .cut_after = fault->cut_after,
    };
    return fault_link(link, inner, &faults, error);
}

/* The capture shows what the driver sees, faults included. */
static int add_tap(struct link **link, const struct bench_device *device,
                   const struct device_driver *driver, struct error *error)
{
    struct link *inner = *link;
    int status;

    if (!device->bench->capture)
        return 0;
    status = tap_link(link, inner, device->bench->capture, (uint8_t)device->class, driver->protocol,
                      error);
    if (!status)
        tap_mask(*link, driver->mask);
    return status;
}

/* How a device that goes away is looked for; all zero where it is not. */
static struct reopen_policy reopen_policy(struct bench_device *device)
{
    const struct rig_reopen *reopen = device->bench->rig->reopen;

    if (!reopen)
        return (struct reopen_policy){.tries = 0};
    return (struct reopen_policy){
        .first = reopen->first_ms * NANOS_PER_MILLI,
        .longest = reopen->longest_ms * NANOS_PER_MILLI,
        .tries = reopen->tries,
        .said = link_reopened,
        .awaits = link_away,
        .context = device,
    };
}

static int open_link(struct bench_device *device, const struct rig_device *rig,
                     const struct device_driver *driver, struct error *error)
{
    const struct bench *bench = device->bench;
    char address[LINK_ADDRESS_MAX];
    const struct reopen_policy policy = reopen_policy(device);
    struct link *link = NULL;
    int status = rig_address(rig->address, rig->fault, bench->seed, address, error);

    if (status == 0)
        status = link_open(&link, &bench->hal, address, error);
    if (status)
        return status;
    status = add_faults(&link, rig->link_fault, bench->seed, error);
    if (!status)
        status = add_tap(&link, device, driver, error);
    if (status) {
        link_close(link);
        return status;
    }
    device->link = link;
    return policy.tries ? link_reopen(link, &policy, error) : 0;
}

/* What the rig file says of the sensors; the names of lines stay the rig's. */
static void set_up_sensors(const struct rig *rig, struct sensors_setup *setup)
{
    const struct rig_sensors *sensors = rig->devices.sensors;

    *setup = (struct sensors_setup){
        .seats = rig->seats,
        .timing = {.debounce = sensors->debounce_us * NANOS_PER_MICRO,
                   .follow = rig->timing.wager * NANOS_PER_MILLI,
                   .settle = rig->timing.light * NANOS_PER_MILLI},
        .bias = sensors->bias,
        .active_low = sensors->active_low,
    };
    for (unsigned i = 0; i < sensors->seats_count; i++) {
        const struct rig_seat *seat = &sensors->seats[i];
        const char *const names[BET_LINES] = {seat->bet, seat->light, seat->chip, seat->lamp};

        for (unsigned line = 0; line < BET_LINES; line++)
            if (names[line][0])
                setup->lines[seat->seat][line] = names[line];
    }
}

static void set_up_shuffler(const struct rig_device *shuffler, struct shuffler_setup *setup)
{
    const struct rig_lines *lines = &shuffler->lines;
    const char *const names[SHUFFLER_LINES] = {lines->button, lines->exit, lines->ready, lines->jam,
                                               lines->door};

    *setup = (struct shuffler_setup){.debounce_us = lines->debounce_us,
                                     .press_ms = lines->press_ms,
                                     .bias = lines->bias,
                                     .active_low = lines->active_low};
    for (unsigned line = 0; line < SHUFFLER_LINES; line++)
        setup->lines[line] = names[line][0] ? names[line] : NULL;
}

/* "emu:NAME?OPTIONS" becomes a device on pins; what is left of the address is that of its pins. */
static int open_pins(struct bench_device *device, const struct rig_device *rig, char *address,
                     struct error *error)
{
    struct bench *bench = device->bench;
    int status = rig_address(rig->address, rig->fault, bench->seed, address, error);
    char *options;

    if (status || !device->kind)
        return status;
    options = strchr(address, '?');
    *options++ = '\0';
    device->model =
        device->kind->make_on_pins(&bench->hal, address + strlen("emu:"), options, error);
    return device->model ? 0 : (int)error->code;
}

static int open_device(struct bench_device *device, const struct rig_device *rig,
                       const struct device_driver *driver, const void *setup, struct error *error)
{
    struct bench *bench = device->bench;
    const struct reopen_policy policy = reopen_policy(device);
    char address[LINK_ADDRESS_MAX];
    struct device_connection connection = {.hal = &bench->hal,
                                           .address = address,
                                           .options = rig->options,
                                           .setup = setup,
                                           .cards = rig->cards,
                                           .map = rig->map[0] ? rig->map : NULL,
                                           .script = rig->script[0] ? rig->script : NULL,
                                           .decks = bench->rig->decks,
                                           .reopen = policy.tries ? &policy : NULL,
                                           .seed = bench->seed,
                                           .person_ms = bench->rig->timing.person,
                                           .protocol = rig->protocol};
    int status = 0;

    if (driver->on_pins)
        status = open_pins(device, rig, address, error);
    else if (driver->has_no_address)
        connection.address = device->address;
    else
        status = open_link(device, rig, driver, error);
    if (status)
        return status;
    connection.link = device->link;
    if (device->link)
        connection.address = device->link->address;
    status = device_open(&device->device, driver, &connection, error);
    if (!status && device_can(device->device, DEVICE_SHOWS_FRAMES))
        status = host_check_hello(device_host(device->device), error);
    if (status || !device_can(device->device, DEVICE_TELLS_IDENTITY))
        return status;
    status = device_identity(device->device, &device->identity, error);
    device->has_identity = !status;
    return status;
}

static bool begins(const char *address, const char *with)
{
    return !strncmp(address, with, strlen(with));
}

/*
 * USB, memory and TCP bring bytes as they were sent, or break. Behind TCP on another machine is a
 * serial server, and so a serial line, unless the rig says otherwise.
 */
static bool may_damage(const struct rig_device *rig)
{
    const char *address = rig->address;

    if (rig->link_fault || rig->line)
        return rig->link_fault || rig->line == RIG_LINE_SERIAL;
    if (begins(address, "tcp:"))
        return !begins(address, "tcp:127.") && !begins(address, "tcp:localhost:") &&
               !begins(address, "tcp:[::1]:");
    return begins(address, "serial:");
}

/* The model that an address names; a table on pins is named by its chip. */
static const struct model_kind *find_kind(const struct device_driver *driver, const char *address)
{
    char name[RIG_NAME_MAX];

    if (driver->on_pins)
        return model_kind_for(driver);
    address += strlen("emu:");
    snprintf(name, sizeof name, "%.*s", (int)strcspn(address, "?"), address);
    return model_kind_find(name, NULL);
}

/* Keeps what went wrong, with the place of the address. `setup` is what the class needs, or NULL.
 */
static void try_device(struct bench *bench, enum device_class class, const struct rig_device *rig,
                       const void *setup)
{
    const struct device_driver *driver;
    struct bench_device *device;

    if (!rig)
        return;
    device = &bench->devices[bench->device_count++];
    *device = (struct bench_device){.class = class,
                                    .name = device_class_name(class),
                                    .driver = rig->driver,
                                    .address = rig->address[0] ? rig->address : rig->driver,
                                    .is_emulated = rig_is_emulated(rig->address),
                                    .is_lossy = may_damage(rig),
                                    .wanted = rig->identity,
                                    .authenticate = rig->authenticate,
                                    .setup = &bench->setups[class],
                                    .bench = bench};
    driver = device_driver_find(class, rig->driver, &device->error);
    if (driver && device->is_emulated)
        device->kind = find_kind(driver, rig->address);
    device->status =
        driver ? open_device(device, rig, driver, setup, &device->error) : (int)device->error.code;
    if (device->status)
        rig_place_error(bench->rig, &rig->place, device->name, &device->error);
}

/* What is approved is read before anything is opened. Fresh keys of a run in virtual time follow
   from its seed. */
static int set_up_authentication(struct bench *bench, struct error *error)
{
    const uint64_t *seed = bench->rig->clock == RIG_CLOCK_VIRTUAL ? &bench->seed : NULL;
    int status = 0;

    for (unsigned i = 0; i < DEVICE_CLASSES && !status; i++) {
        const struct rig_device *device = rig_device(bench->rig, (enum device_class)i);

        if (device && device->authenticate)
            status = authenticate_setup(&bench->setups[i], bench->rig, device->authenticate, seed,
                                        error);
    }
    return status;
}

static int open_files(struct bench *bench, struct error *error)
{
    const struct rig *rig = bench->rig;
    int status = rig_paytables(rig, &bench->paytables, error);

    if (!status)
        status = set_up_authentication(bench, error);
    if (status || !rig->capture[0])
        return status;
    status = capture_open(&bench->capture, rig->capture, error);
    if (status)
        rig_place_error(rig, &rig->capture_place, "capture", error);
    return status;
}

static struct device *opened(const struct bench *bench, enum device_class class)
{
    const struct bench_device *device = bench_find(bench, class);

    return device ? device->device : NULL;
}

/* A driver of a class opens a device of it, whose struct begins with a struct device. */
static void name_devices(struct bench *bench)
{
    bench->shuffler = (struct shuffler *)opened(bench, DEVICE_SHUFFLER);
    bench->shoe = (struct shoe *)opened(bench, DEVICE_SHOE);
    bench->terminal = (struct terminal *)opened(bench, DEVICE_TERMINAL);
    bench->sensors = (struct sensors *)opened(bench, DEVICE_SENSORS);
}

static void try_devices(struct bench *bench)
{
    const struct rig_devices *devices = &bench->rig->devices;
    struct shuffler_setup shuffler;
    struct sensors_setup setup;

    if (devices->shuffler)
        set_up_shuffler(devices->shuffler, &shuffler);
    try_device(bench, DEVICE_SHUFFLER, devices->shuffler, &shuffler);
    try_device(bench, DEVICE_SHOE, devices->shoe, NULL);
    try_device(bench, DEVICE_TERMINAL, devices->terminal, NULL);
    if (devices->sensors) {
        set_up_sensors(bench->rig, &setup);
        try_device(bench, DEVICE_SENSORS, &devices->sensors->device, &setup);
    }
    name_devices(bench);
}

/* A model behind a link is freed by the link, one on pins is the bench's. */
static void close_devices(struct bench *bench)
{
    for (unsigned i = 0; i < bench->device_count; i++) {
        struct bench_device *device = &bench->devices[i];

        device_close(device->device);
        if (device->model && device->kind->make_on_pins)
            device->model->ops->free(device->model);
        link_close(device->link);
    }
    bench->device_count = 0;
    name_devices(bench);
}

static void start_clock(struct bench *bench)
{
    if (bench->rig->clock == RIG_CLOCK_VIRTUAL)
        clock_virtual(&bench->clock, 0);
    else
        clock_real(&bench->clock);
}

int bench_try(struct bench *bench, const struct rig *rig, uint64_t seed, struct error *error)
{
    int status;

    memset(bench, 0, sizeof *bench);
    bench->rig = rig;
    bench->seed = seed;
    start_clock(bench);
    status = hal_open(&bench->hal, &bench->clock, error);
    if (status)
        return status;
    bench->hal.make_model = make_model;
    bench->hal.model_context = bench;
    status = open_files(bench, error);
    if (status) {
        bench_close(bench, NULL);
        return status;
    }
    try_devices(bench);
    return 0;
}

/* The first failure in full, and which other devices failed. */
static int report_failures(const struct bench *bench, struct error *error)
{
    const struct bench_device *first = NULL;
    char others[64] = "";
    size_t used = 0;

    for (unsigned i = 0; i < bench->device_count; i++) {
        const struct bench_device *device = &bench->devices[i];

        if (!device->status)
            continue;
        if (first)
            used += (size_t)snprintf(others + used, sizeof others - used, "%s%s", used ? ", " : "",
                                     device->name);
        else
            first = device;
    }
    if (!first)
        return 0;
    return error_set(error, (enum error_code)first->status, "%s%s%s", first->error.text,
                     used ? "; failed as well: " : "", others);
}

int bench_open(struct bench *bench, const struct rig *rig, uint64_t seed, struct error *error)
{
    int status = bench_try(bench, rig, seed, error);

    if (status)
        return status;
    status = report_failures(bench, error);
    if (status)
        bench_close(bench, NULL);
    return status;
}

int bench_renew(struct bench *bench, uint64_t seed, struct error *error)
{
    close_devices(bench);
    if (bench->capture && bench->clock.is_virtual)
        capture_restart(bench->capture, clock_now(&bench->clock));
    bench->seed = seed;
    start_clock(bench);
    try_devices(bench);
    return report_failures(bench, error);
}

int bench_close(struct bench *bench, struct error *error)
{
    int status;

    close_devices(bench);
    status = capture_close(bench->capture, error);
    paytables_free(bench->paytables);
    for (unsigned i = 0; i < DEVICE_CLASSES; i++)
        authenticate_setup_free(&bench->setups[i]);
    hal_close(&bench->hal);
    memset(bench, 0, sizeof *bench);
    return status;
}

#define GRACE_LEAST 1000 /* milliseconds */

uint64_t bench_patience(uint32_t limit)
{
    uint32_t grace = limit / 10;

    return (uint64_t)limit + (grace > GRACE_LEAST ? grace : GRACE_LEAST);
}

uint64_t bench_person(const struct bench *bench, uint32_t limit)
{
    uint64_t person = bench->rig->timing.person, least = bench_patience(limit);

    return person > least ? person : least;
}

nanos_t bench_deadline(const struct bench *bench, uint32_t limit)
{
    return clock_deadline(&bench->clock, (int64_t)bench_patience(limit));
}

const struct bench_device *bench_device(const struct bench *bench, unsigned index)
{
    return index < bench->device_count ? &bench->devices[index] : NULL;
}

const struct bench_device *bench_find(const struct bench *bench, enum device_class class)
{
    for (unsigned i = 0; i < bench->device_count; i++)
        if (bench->devices[i].class == class)
            return &bench->devices[i];
    return NULL;
}

bool bench_in_test_mode(struct bench *bench, enum device_class class)
{
    struct device *device = opened(bench, class);

    return device && device_in_test_mode(device);
}

/* NULL too while it is away: the link has freed it, and makes another one when it comes back. */
static struct model *model_of(const struct bench_device *device)
{
    return device && !(device->link && link_is_away(device->link)) ? device->model : NULL;
}

uint8_t bench_deck(const struct bench *bench, enum device_class class)
{
    const struct bench_device *device = bench_find(bench, class);
    struct model *model = model_of(device);

    return model && device->kind->deck_in ? device->kind->deck_in(model) : 0;
}

uint8_t bench_back(const struct bench *bench, enum device_class class, card_t card)
{
    const struct bench_device *device = bench_find(bench, class);
    struct model *model = model_of(device);

    return model && device->kind->back_of ? device->kind->back_of(model, card) : 0;
}

int bench_fault(struct bench *bench, enum device_class class, const char *spec, struct error *error)
{
    const struct bench_device *device = bench_find(bench, class);
    struct model *model = model_of(device);

    if (!device)
        return error_set(error, ERROR_CONFIG, "'%.60s': this rig has no such device", spec);
    if (!device->model)
        return error_set(error, ERROR_CONFIG, "'%.60s': the %s at %s is not emulated", spec,
                         device->name, device->address);
    if (!model)
        return error_set(error, ERROR_DEVICE, "'%.60s': the %s at %s has left; wait for it", spec,
                         device->name, device->address);
    return device->kind->fault(model, spec, error);
}

bool bench_has_shown(const struct bench *bench, enum device_class class)
{
    const struct bench_device *device = bench_find(bench, class);
    struct model *model = model_of(device);

    return model && device->kind->has_shown(model);
}
