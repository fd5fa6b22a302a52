/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Devices on links: drivers, addresses, models, defects. */
#include "rigs/rig/check.h"

#include <stdio.h>
#include <string.h>

#include "devices/cards/reader.h"
#include "devices/model.h"

/* A device of the rig while it is checked. */
struct subject {
    const struct rig_check *check;
    struct rig_device *device;
    const char *name; /* "shuffler" */
    const struct device_driver *driver;
};

static int wrong(const struct subject *subject, const char *field, const char *sentence)
{
    char where[RIG_WHERE_MAX];

    snprintf(where, sizeof where, "devices.%s.%s", subject->name, field);
    return tree_error(subject->check->tree, subject->check->error, where, "%s", sentence);
}

int rig_check_driver(const struct rig_check *check, enum device_class class,
                     struct rig_device *device, const char *standard,
                     const struct device_driver **driver)
{
    char where[RIG_WHERE_MAX];
    struct error said;
    int status;

    if (!device->driver[0])
        snprintf(device->driver, sizeof device->driver, "%s", standard);
    *driver = device_driver_find(class, device->driver, &said);
    if (!*driver) {
        snprintf(where, sizeof where, "devices.%s.driver", device_class_name(class));
        return tree_error(check->tree, check->error, where, "%s", said.text);
    }
    if (!device->address[0] && !(*driver)->has_no_address) {
        snprintf(where, sizeof where, "devices.%s", device_class_name(class));
        return tree_error(check->tree, check->error, where, "the field 'address' is missing here");
    }
    status = rig_check_script(check, device, *driver);
    if (!status)
        status = rig_check_identity(check, device, *driver);
    return status ? status : rig_check_authenticate(check, device, *driver);
}

/* A model that was not made: want of memory is no mistake of the rig file. */
static int not_made(const struct subject *subject, const char *field, const struct error *said)
{
    if (said->code != ERROR_RIG)
        return wrong(subject, field, said->text);
    return error_set(subject->check->error, ERROR_RIG, "%s: devices.%s.%s: %s",
                     subject->check->rig->path, subject->name, field, said->text);
}

/* Makes the model and frees it again: only the model knows its options and defects. */
static int try_model(const struct subject *subject)
{
    const struct model_kind *expected = model_kind_for(subject->driver);
    struct error said = {.code = ERROR_CONFIG};
    char address[LINK_ADDRESS_MAX], text[ERROR_TEXT_SIZE];
    const struct model_kind *kind;
    struct model *model;
    char *options;

    if (rig_address(subject->device->address, "", UINT64_MAX, address, &said))
        return wrong(subject, "address", said.text);
    options = strchr(address, '?');
    *options++ = '\0';
    kind = model_kind_find(address + strlen("emu:"), &said);
    if (!kind)
        return wrong(subject, "address", said.text);
    if (!model_kind_fits(kind, subject->driver)) {
        snprintf(text, sizeof text,
                 "a model of '%s' does not speak as a %s with the driver '%s'; "
                 "write emu:%s",
                 kind->name, subject->driver->noun, device_driver_name(subject->driver),
                 expected ? expected->name : "NAME of a model that does");
        return wrong(subject, "address", text);
    }
    model = kind->make(options, &said);
    if (!model)
        return not_made(subject, "address", &said);
    model->ops->free(model);
    if (rig_address(subject->device->address, subject->device->fault, UINT64_MAX, address, &said))
        return wrong(subject, "fault", said.text);
    model = kind->make(strchr(address, '?') + 1, &said);
    if (!model)
        return not_made(subject, "fault", &said);
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
    struct error said;

    if (device_check_options(subject->driver, subject->device->options, &said))
        return wrong(subject, "options", said.text);
    return 0;
}

static int check_protocol(const struct subject *subject)
{
    char text[160];

    if (!subject->device->protocol || subject->driver->has_versions)
        return 0;
    snprintf(
        text, sizeof text,
        "a %s with the driver '%s' speaks a protocol that has no versions here; leave this out",
        subject->driver->noun, device_driver_name(subject->driver));
    return wrong(subject, "protocol", text);
}

int rig_check_link(const struct rig_check *check, struct rig_device *device,
                   const struct device_driver *driver)
{
    struct subject subject = {check, device, device_class_name(driver->class), driver};
    int status = check_address(&subject);

    if (!status)
        status = check_protocol(&subject);
    return status ? status : check_options(&subject);
}

/* A field of links that a device without one cannot have. */
static int check_without_link(const struct subject *subject)
{
    const struct rig_device *device = subject->device;
    const char *field = device->address[0]   ? "address"
                        : device->fault[0]   ? "fault"
                        : device->link_fault ? "link-fault"
                        : device->line       ? "line"
                        : device->protocol   ? "protocol"
                                             : NULL;
    char text[160];

    if (!field)
        return check_options(subject);
    snprintf(text, sizeof text,
             "a %s with the driver '%s' is on no link: people are where it is; leave this out",
             subject->driver->noun, device_driver_name(subject->driver));
    return wrong(subject, field, text);
}

/* Who reads the cards, where the device does not tell them itself. */
static int check_cards(const struct subject *subject)
{
    struct rig_device *device = subject->device;
    char text[160];
    struct error said;

    if (subject->driver->takes_cards && !device->cards[0])
        snprintf(device->cards, sizeof device->cards, "hands");
    if (!subject->driver->takes_cards && (device->cards[0] || device->map[0])) {
        snprintf(text, sizeof text,
                 "a %s with the driver '%s' tells its cards itself, and nobody reads them; leave "
                 "this out",
                 subject->driver->noun, device_driver_name(subject->driver));
        return wrong(subject, device->cards[0] ? "cards" : "map", text);
    }
    if (device->cards[0] && card_reader_check(device->cards, &said))
        return wrong(subject, "cards", said.text);
    if (device->cards[0] && subject->driver->class == DEVICE_SHOE &&
        !card_reader_find(device->cards, NULL)->reads)
        return wrong(subject, "cards",
                     "a shoe deals one card at a time: where nobody reads them nothing is left to "
                     "check; write 'cards: hands'");
    return 0;
}

static int check_device(const struct rig_check *check, enum device_class class,
                        struct rig_device *device)
{
    const struct device_driver *driver;
    int status;

    if (!device)
        return 0;
    status = rig_check_driver(check, class, device, "open", &driver);
    if (status)
        return status;
    status = check_cards(&(struct subject){check, device, device_class_name(class), driver});
    if (!status && class == DEVICE_SHUFFLER && !driver->on_pins)
        status = rig_refuse_shuffler_lines(check, driver);
    if (status)
        return status;
    if (driver->on_pins)
        return rig_check_shuffler_pins(check, driver);
    return driver->has_no_address ? check_without_link(&(struct subject){
                                        check, device, device_class_name(class), driver})
                                  : rig_check_link(check, device, driver);
}

static int check_code(const struct rig_check *check, const char *field, char *code,
                      const char *standard)
{
    struct subject subject = {check, check->rig->devices.terminal, "terminal", NULL};
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

static int check_order(const struct rig_check *check, enum device_class class,
                       const struct rig_device *device)
{
    const struct device_driver *driver =
        device ? device_driver_find(class, device->driver, NULL) : NULL;
    unsigned can = driver ? device->capabilities : 0;

    if (!driver || check->rig->order == RIG_ORDER_COMPARE)
        return 0;
    if (check->rig->order == RIG_ORDER_STACK)
        return can & DEVICE_IS_STACKED
                   ? 0
                   : tree_error(check->tree, check->error, "order",
                                "no deck is stacked for the driver '%s' of the %s; write %s",
                                device->driver, device_class_name(class),
                                can & DEVICE_LOADS_ORDER ? "'order: load'" : "'order: compare'");
    if (rig_is_emulated(device->address) || can & DEVICE_LOADS_ORDER)
        return 0;
    return tree_error(check->tree, check->error, "order",
                      "the driver '%s' of the %s cannot load an order; write %s'order: compare'",
                      device->driver, device_class_name(class),
                      can & DEVICE_IS_STACKED ? "'order: stack' where the machine deals a deck as "
                                                "it was put in, and otherwise "
                                              : "");
}

int rig_check_devices(const struct rig_check *check)
{
    struct rig_devices *devices = &check->rig->devices;
    int status;

    if (!devices->shuffler && !devices->shoe && !devices->terminal && !devices->sensors)
        return tree_error(check->tree, check->error, "devices",
                          "there is none; a rig has at least one of shuffler, shoe, terminal, "
                          "sensors");
    status = check_device(check, DEVICE_SHUFFLER, devices->shuffler);
    if (!status)
        status = check_device(check, DEVICE_SHOE, devices->shoe);
    if (!status)
        status = check_device(check, DEVICE_TERMINAL, devices->terminal);
    if (!status && devices->terminal)
        status = check_code(check, "code", devices->terminal->code, "4711");
    if (!status && devices->terminal)
        status = check_code(check, "admin", devices->terminal->admin, "86420");
    if (!status)
        status = check_order(check, DEVICE_SHUFFLER, devices->shuffler);
    return status ? status : check_order(check, DEVICE_SHOE, devices->shoe);
}
