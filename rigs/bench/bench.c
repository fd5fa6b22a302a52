#include "rigs/bench/bench.h"

#include <stdio.h>
#include <string.h>

#include "devices/models.h"
#include "devices/shoe/angel_eye/model.h"
#include "devices/shoe/open/model.h"
#include "devices/shuffler/open/model.h"
#include "devices/terminal/open/model.h"
#include "hal/link/fault.h"

/* The device whose model has that name; the rig's checks let each model stand in one place only. */
static struct bench_device *device_of_model(struct bench *bench, const char *model)
{
    for (unsigned i = 0; i < bench->device_count; i++) {
        struct bench_device *device = &bench->devices[i];
        const char *name = device->address + strlen("emu:");
        size_t length = strcspn(name, "?");

        if (device->is_emulated && device->slot != BENCH_SENSORS && strlen(model) == length &&
            !strncmp(name, model, length))
            return device;
    }
    return NULL;
}

/* What the hal makes models by: remembers each, so that somebody can get at it. */
static struct model *make_model(void *context, const char *name, const char *options,
                                struct error *error)
{
    struct model *model = models_make(NULL, name, options, error);
    struct bench_device *device = device_of_model(context, name);

    if (device)
        device->model = model;
    return model;
}

static void link_reopened(void *context, const char *address, unsigned tries, nanos_t away)
{
    struct bench_device *device = context;

    (void)address;
    device->reopened++;
    device->away += away;
    if (device->bench->reopened)
        device->bench->reopened(device->bench->context, device, tries, away);
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
static int add_tap(struct link **link, const struct bench_device *device, struct error *error)
{
    bool is_angel = !strcmp(device->driver, "angel-eye");
    struct link *inner = *link;

    if (!device->bench->capture)
        return 0;
    return tap_link(link, inner, device->bench->capture, (uint8_t)device->slot,
                    is_angel ? TAP_ANGEL_EYE : TAP_DEALPROOF, error);
}

static int add_reopening(struct bench_device *device, struct error *error)
{
    const struct rig_reopen *reopen = device->bench->rig->reopen;
    struct link_reopen_policy policy;

    if (!reopen)
        return 0;
    policy = (struct link_reopen_policy){
        .first = reopen->first_ms * NANOS_PER_MILLI,
        .longest = reopen->longest_ms * NANOS_PER_MILLI,
        .tries = reopen->tries,
        .said = link_reopened,
        .context = device,
    };
    return link_reopen(device->link, &policy, error);
}

static int open_link(struct bench_device *device, const struct rig_device *rig, struct error *error)
{
    const struct bench *bench = device->bench;
    char address[LINK_ADDRESS_MAX];
    struct link *link = NULL;
    int status = rig_address(rig->address, rig->fault, bench->seed, address, error);

    if (status == 0)
        status = link_open(&link, &bench->hal, address, error);
    if (status)
        return status;
    status = add_faults(&link, rig->link_fault, bench->seed, error);
    if (!status)
        status = add_tap(&link, device, error);
    if (status) {
        link_close(link);
        return status;
    }
    device->link = link;
    return add_reopening(device, error);
}

static int open_shuffler(struct bench_device *device, const struct rig_device *rig,
                         struct error *error)
{
    struct bench *bench = device->bench;
    int status = shuffler_open(&bench->shuffler, rig->driver, device->link, error);

    if (!status)
        status = shuffler_identity(bench->shuffler, &device->identity, error);
    device->has_identity = !status;
    return status;
}

static int open_shoe(struct bench_device *device, const struct rig_device *rig, struct error *error)
{
    struct bench *bench = device->bench;
    int status = shoe_open(&bench->shoe, rig->driver, device->link, rig->options, error);

    if (status || !bench->shoe->driver->identity)
        return status;
    status = shoe_identity(bench->shoe, &device->identity, error);
    device->has_identity = !status;
    return status;
}

static int open_terminal(struct bench_device *device, const struct rig_device *rig,
                         struct error *error)
{
    struct bench *bench = device->bench;
    int status = terminal_open(&bench->terminal, device->link, error);

    (void)rig;
    if (!status)
        status = terminal_identity(bench->terminal, &device->identity, error);
    device->has_identity = !status;
    return status;
}

/* Asks for the lines of all seats; the number of each goes into `seats`, by seat. */
static size_t request_lines(const struct rig_sensors *rig, struct pin_request *requests,
                            struct bet_sensor_seat *seats)
{
    size_t count = 0;

    for (unsigned i = 0; i < rig->seats_count; i++) {
        const struct rig_seat *seat = &rig->seats[i];
        const char *const names[BET_LINES] = {seat->bet, seat->light, seat->chip, seat->lamp};

        for (unsigned line = 0; line < BET_LINES; line++) {
            struct pin_request *request = &requests[count];

            if (!names[line][0])
                continue;
            *request = bet_sensor_request((enum bet_line)line, names[line]);
            request->active_low = rig->active_low >> line & 1;
            if (request->direction == PIN_INPUT)
                request->bias = rig->bias;
            seats[seat->seat - 1].pin[line] = (int)count++;
        }
    }
    return count;
}

/* "emu:NAME?OPTIONS" becomes a table; what is left of the address is that of its pins. */
static int open_table(struct bench *bench, char *address, struct error *error)
{
    char *options = strchr(address, '?');

    *options++ = '\0';
    return bet_sensor_model_new(&bench->table, &bench->hal, address + strlen("emu:"), options,
                                error);
}

static int open_sensors(struct bench_device *device, const struct rig_sensors *rig,
                        struct error *error)
{
    struct bench *bench = device->bench;
    struct pin_request requests[PINS_MAX];
    struct bet_sensor_seat seats[BET_SENSOR_SEATS];
    const struct bet_sensor_timing timing = {
        .debounce = rig->debounce_us * NANOS_PER_MICRO,
        .follow = bench->rig->timing.wager * NANOS_PER_MILLI,
        .settle = bench->rig->timing.light * NANOS_PER_MILLI,
    };
    char address[LINK_ADDRESS_MAX];
    size_t count;
    int status = rig_address(rig->address, rig->fault, bench->seed, address, error);

    for (unsigned i = 0; i < BET_SENSOR_SEATS; i++)
        seats[i] = (struct bet_sensor_seat)BET_NO_SEAT;
    count = request_lines(rig, requests, seats);
    if (!status && device->is_emulated)
        status = open_table(bench, address, error);
    if (!status)
        status = pins_open(&bench->pins, &bench->hal, address, requests, count, error);
    if (!status)
        status =
            bet_sensor_open(&bench->sensor, bench->pins, seats, bench->rig->seats, &timing, error);
    if (!status)
        bench->sensors = &bench->sensor;
    return status;
}

static struct bench_device *add_device(struct bench *bench, enum bench_slot slot, const char *name,
                                       const char *driver, const char *address)
{
    struct bench_device *device = &bench->devices[bench->device_count++];

    *device = (struct bench_device){.slot = slot,
                                    .name = name,
                                    .driver = driver,
                                    .address = address,
                                    .is_emulated = rig_is_emulated(address),
                                    .bench = bench};
    return device;
}

/* Keeps what went wrong, with the place of the address. */
static void conclude(struct bench_device *device, int status, const struct rig_place *place)
{
    device->status = status;
    if (status)
        rig_place_error(device->bench->rig, place, device->name, &device->error);
}

static void try_device(struct bench *bench, enum bench_slot slot, const char *name,
                       const struct rig_device *rig,
                       int (*open)(struct bench_device *, const struct rig_device *,
                                   struct error *))
{
    struct bench_device *device;
    int status;

    if (!rig)
        return;
    device = add_device(bench, slot, name, rig->driver, rig->address);
    status = open_link(device, rig, &device->error);
    if (!status)
        status = open(device, rig, &device->error);
    conclude(device, status, &rig->place);
}

static void try_sensors(struct bench *bench, const struct rig_sensors *rig)
{
    struct bench_device *device;

    if (!rig)
        return;
    device = add_device(bench, BENCH_SENSORS, "sensors", "pins", rig->address);
    conclude(device, open_sensors(device, rig, &device->error), &rig->place);
}

static int open_files(struct bench *bench, struct error *error)
{
    const struct rig *rig = bench->rig;
    int status = rig_paytables(rig, &bench->paytables, error);

    if (status || !rig->capture[0])
        return status;
    status = capture_open(&bench->capture, rig->capture, error);
    if (status)
        rig_place_error(rig, &rig->capture_place, "capture", error);
    return status;
}

static void try_devices(struct bench *bench)
{
    const struct rig_devices *devices = &bench->rig->devices;

    try_device(bench, BENCH_SHUFFLER, "shuffler", devices->shuffler, open_shuffler);
    try_device(bench, BENCH_SHOE, "shoe", devices->shoe, open_shoe);
    try_device(bench, BENCH_TERMINAL, "terminal", devices->terminal, open_terminal);
    try_sensors(bench, devices->sensors);
}

static void close_devices(struct bench *bench)
{
    shuffler_close(bench->shuffler);
    shoe_close(bench->shoe);
    terminal_close(bench->terminal);
    pins_close(bench->pins);
    if (bench->table)
        bet_sensor_model_free(bench->table);
    for (unsigned i = 0; i < bench->device_count; i++)
        link_close(bench->devices[i].link);
    bench->shuffler = NULL;
    bench->shoe = NULL;
    bench->terminal = NULL;
    bench->sensors = NULL;
    bench->table = NULL;
    bench->pins = NULL;
    bench->device_count = 0;
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
    hal_close(&bench->hal);
    memset(bench, 0, sizeof *bench);
    return status;
}

const struct bench_device *bench_device(const struct bench *bench, unsigned index)
{
    return index < bench->device_count ? &bench->devices[index] : NULL;
}

const struct bench_device *bench_find(const struct bench *bench, enum bench_slot slot)
{
    for (unsigned i = 0; i < bench->device_count; i++)
        if (bench->devices[i].slot == slot)
            return &bench->devices[i];
    return NULL;
}

bool bench_in_test_mode(struct bench *bench, enum bench_slot slot)
{
    struct shuffler_status shuffler;
    struct shoe_status shoe;
    struct terminal_status terminal;

    if (slot == BENCH_SHUFFLER && bench->shuffler)
        return !shuffler_status(bench->shuffler, &shuffler, NULL) && shuffler.test_mode;
    if (slot == BENCH_SHOE && bench->shoe)
        return !shoe_status(bench->shoe, &shoe, NULL) && shoe.test_mode;
    if (slot == BENCH_TERMINAL && bench->terminal)
        return !terminal_status(bench->terminal, &terminal, NULL) && terminal.test_mode;
    return false;
}

int bench_fault(struct bench *bench, enum bench_slot slot, const char *spec, struct error *error)
{
    const struct bench_device *device = bench_find(bench, slot);

    if (!device)
        return error_set(error, ERROR_CONFIG, "'%.60s': this rig has no such device", spec);
    if (slot == BENCH_SENSORS && bench->table)
        return bet_sensor_model_fault(bench->table, spec, error);
    if (!device->model)
        return error_set(error, ERROR_CONFIG, "'%.60s': the %s at %s is not emulated", spec,
                         device->name, device->address);
    if (slot == BENCH_SHUFFLER)
        return shuffler_model_fault(device->model, spec, error);
    if (slot == BENCH_TERMINAL)
        return terminal_model_fault(device->model, spec, error);
    if (!strcmp(device->driver, "angel-eye"))
        return angel_eye_model_fault(device->model, spec, error);
    return shoe_model_fault(device->model, spec, error);
}

bool bench_has_shown(const struct bench *bench, enum bench_slot slot)
{
    const struct bench_device *device = bench_find(bench, slot);

    if (slot == BENCH_SENSORS)
        return bench->table && bet_sensor_model_has_shown(bench->table);
    if (!device || !device->model)
        return false;
    if (slot == BENCH_SHUFFLER)
        return shuffler_model_has_shown(device->model);
    if (slot == BENCH_TERMINAL)
        return terminal_model_has_shown(device->model);
    return strcmp(device->driver, "angel-eye") != 0 && shoe_model_has_shown(device->model);
}
