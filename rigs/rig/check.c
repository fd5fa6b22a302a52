/* Devices on links: drivers, addresses, models, defects. */
#include "rigs/rig/check.h"

#include <stdio.h>
#include <string.h>

#include "devices/models.h"
#include "devices/shoe/shoe.h"
#include "devices/shuffler/shuffler.h"

#define DRIVERS_MAX 16
#define NAMES_SIZE  200

/* A device of the rig while it is checked. */
struct subject {
    const struct rig_check *check;
    struct rig_device *device;
    const char *name; /* "shuffler" */
};

static int wrong(const struct subject *subject, const char *field, const char *sentence)
{
    char where[RIG_WHERE_MAX];

    snprintf(where, sizeof where, "devices.%s.%s", subject->name, field);
    return tree_error(subject->check->tree, subject->check->error, where, "%s", sentence);
}

/* The drivers that there are for a device, by name; returns how many. */
static size_t list_drivers(const char *device, const char *names[DRIVERS_MAX])
{
    const struct shuffler_driver *shufflers[DRIVERS_MAX];
    const struct shoe_driver *shoes[DRIVERS_MAX];
    size_t count = 1;

    names[0] = "open";
    if (!strcmp(device, "shuffler")) {
        count = shuffler_drivers(shufflers, DRIVERS_MAX);
        for (size_t i = 0; i < count && i < DRIVERS_MAX; i++)
            names[i] = shufflers[i]->name;
    } else if (!strcmp(device, "shoe")) {
        count = shoe_drivers(shoes, DRIVERS_MAX);
        for (size_t i = 0; i < count && i < DRIVERS_MAX; i++)
            names[i] = shoes[i]->name;
    }
    return count < DRIVERS_MAX ? count : DRIVERS_MAX;
}

static int check_driver(const struct subject *subject)
{
    char text[ERROR_TEXT_SIZE], known[NAMES_SIZE] = "";
    const char *names[DRIVERS_MAX];
    size_t count = list_drivers(subject->name, names), used = 0;

    if (!subject->device->driver[0])
        snprintf(subject->device->driver, sizeof subject->device->driver, "open");
    for (size_t i = 0; i < count && used < sizeof known; i++) {
        if (!strcmp(names[i], subject->device->driver))
            return 0;
        used +=
            (size_t)snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "", names[i]);
    }
    snprintf(text, sizeof text, "there is no driver '%.40s' for a %s; the drivers are %s",
             subject->device->driver, subject->name, known);
    return wrong(subject, "driver", text);
}

/* The model that must stand behind an emulated address of this device and driver. */
static const char *model_of(const struct subject *subject)
{
    if (!strcmp(subject->name, "shoe") && strcmp(subject->device->driver, "open") != 0)
        return subject->device->driver;
    return subject->name;
}

/* Makes the model once, since nobody knows its options and defects better than itself. */
static int try_model(const struct subject *subject)
{
    const char *expected = model_of(subject);
    struct error said = {.code = ERROR_CONFIG};
    char address[LINK_ADDRESS_MAX], text[ERROR_TEXT_SIZE];
    const struct model_kind *kind;
    struct model *model;
    char *options;

    if (rig_address(subject->device->address, "", UINT64_MAX, address, &said))
        return wrong(subject, "address", said.text);
    options = strchr(address, '?');
    *options++ = '\0';
    kind = models_find(address + strlen("emu:"), &said);
    if (!kind)
        return wrong(subject, "address", said.text);
    if (strcmp(kind->name, expected) != 0) {
        snprintf(text, sizeof text,
                 "a model of '%s' does not speak as a %s with the driver '%s'; "
                 "write emu:%s",
                 kind->name, subject->name, subject->device->driver, expected);
        return wrong(subject, "address", text);
    }
    model = kind->make(options, &said);
    if (!model)
        return wrong(subject, "address", said.text);
    model->ops->free(model);
    if (rig_address(subject->device->address, subject->device->fault, UINT64_MAX, address, &said))
        return wrong(subject, "fault", said.text);
    model = kind->make(strchr(address, '?') + 1, &said);
    if (!model)
        return wrong(subject, "fault", said.text);
    model->ops->free(model);
    return 0;
}

/* Says how the addresses of each backend are written. */
static int unknown_scheme(const struct subject *subject)
{
    struct name_list schemes;
    char text[ERROR_TEXT_SIZE - 160];

    link_schemes(&schemes);
    snprintf(text, sizeof text,
             "'%.60s' is no address; it starts with %s as in serial:/dev/ttyUSB0@115200",
             subject->device->address, name_list_text(&schemes));
    return wrong(subject, "address", text);
}

static int check_address(const struct subject *subject)
{
    const char *address = subject->device->address;
    const struct link_backend *backend = link_backend_of(address);
    char text[ERROR_TEXT_SIZE];

    if (!backend)
        return unknown_scheme(subject);
    if (!address[strlen(backend->scheme) + 1]) {
        snprintf(text, sizeof text, "'%s' leads nowhere; write %s", address, backend->form);
        return wrong(subject, "address", text);
    }
    if (rig_is_emulated(address))
        return try_model(subject);
    if (subject->check->rig->clock == RIG_CLOCK_VIRTUAL)
        return wrong(subject, "address",
                     "a real device cannot follow a virtual clock; write 'clock: real'");
    if (subject->device->fault[0])
        return wrong(subject, "fault",
                     "only an emulated device has defects on purpose; link-fault damages what "
                     "passes a real link");
    return 0;
}

static int check_options(const struct subject *subject)
{
    const char *options = subject->device->options;
    char text[ERROR_TEXT_SIZE];

    if (!options[0])
        return 0;
    if (!strcmp(subject->device->driver, "open")) {
        snprintf(text, sizeof text,
                 "the driver 'open' has no options ('%.60s'); those of a model follow its address, "
                 "as in emu:%s?seed=7",
                 options, subject->name);
        return wrong(subject, "options", text);
    }
    if (!strcmp(subject->device->driver, "angel-eye") && strcmp(options, "bcc=with-stx") != 0 &&
        strcmp(options, "bcc=without-stx") != 0) {
        snprintf(text, sizeof text, "'%.60s' is none of: bcc=with-stx, bcc=without-stx", options);
        return wrong(subject, "options", text);
    }
    return 0;
}

static int check_device(const struct rig_check *check, struct rig_device *device, const char *name)
{
    const struct subject subject = {check, device, name};
    int status;

    if (!device)
        return 0;
    status = check_driver(&subject);
    if (!status)
        status = check_address(&subject);
    return status ? status : check_options(&subject);
}

static int check_code(const struct rig_check *check, const char *field, char *code,
                      const char *standard)
{
    struct subject subject = {check, check->rig->devices.terminal, "terminal"};
    size_t length;
    char text[120];

    if (!code[0])
        snprintf(code, RIG_CODE_MAX + 1, "%s", standard);
    length = strlen(code);
    if (length >= 4 && strspn(code, "0123456789") == length)
        return 0;
    snprintf(text, sizeof text, "'%.10s' is no code; a code has 4 to %d digits, in quotes", code,
             RIG_CODE_MAX);
    return wrong(&subject, field, text);
}

/* Whether the driver of a shoe can load an order; that of a shuffler says so when it is asked. */
static bool can_load(const char *driver)
{
    const struct shoe_driver *shoes[DRIVERS_MAX];
    size_t count = shoe_drivers(shoes, DRIVERS_MAX);

    for (size_t i = 0; i < count && i < DRIVERS_MAX; i++)
        if (!strcmp(shoes[i]->name, driver))
            return shoes[i]->load_order != NULL;
    return false;
}

static int check_order(const struct rig_check *check)
{
    const struct rig_device *shoe = check->rig->devices.shoe;

    if (!shoe || check->rig->order != RIG_ORDER_LOAD || rig_is_emulated(shoe->address) ||
        can_load(shoe->driver))
        return 0;
    return tree_error(check->tree, check->error, "order",
                      "the driver '%s' of the shoe cannot load an order; write "
                      "'order: compare'",
                      shoe->driver);
}

int rig_check_devices(const struct rig_check *check)
{
    struct rig_devices *devices = &check->rig->devices;
    int status;

    if (!devices->shuffler && !devices->shoe && !devices->terminal && !devices->sensors)
        return tree_error(check->tree, check->error, "devices",
                          "there is none; a rig has at least one of shuffler, shoe, terminal, "
                          "sensors");
    status = check_device(check, devices->shuffler, "shuffler");
    if (!status)
        status = check_device(check, devices->shoe, "shoe");
    if (!status)
        status = check_device(check, devices->terminal, "terminal");
    if (!status && devices->terminal)
        status = check_code(check, "code", devices->terminal->code, "4711");
    if (!status && devices->terminal)
        status = check_code(check, "admin", devices->terminal->admin, "86420");
    return status ? status : check_order(check);
}
