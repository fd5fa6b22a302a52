/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lines of the seats: none twice, all of them there where the table is emulated. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/model.h"
#include "hal/pins/emulated_pins.h"
#include "rigs/rig/check.h"

static const char *const line_names[BET_LINES] = {"bet", "light", "chip", "lamp"};

static const char *line_of(const struct rig_seat *seat, enum bet_line line)
{
    const char *const lines[BET_LINES] = {seat->bet, seat->light, seat->chip, seat->lamp};

    return lines[line];
}

static int fail_seat(const struct rig_check *check, unsigned index, const char *field,
                     const char *sentence)
{
    char where[RIG_WHERE_MAX];

    snprintf(where, sizeof where, "devices.sensors.seats[%u].%s", index + 1, field);
    return tree_error(check->tree, check->error, where, "%s", sentence);
}

static int check_line(const struct rig_check *check, unsigned index, enum bet_line line)
{
    const struct rig_seat *seats = check->rig->devices.sensors->seats;
    const char *name = line_of(&seats[index], line);
    char text[160];

    if (!name[0])
        return 0;
    for (unsigned i = 0; i <= index; i++)
        for (unsigned other = 0; other < (i < index ? BET_LINES : (unsigned)line); other++)
            if (!strcmp(name, line_of(&seats[i], (enum bet_line)other))) {
                snprintf(text, sizeof text,
                         "the line '%s' is the %s line of seat %u already; a line has one use",
                         name, line_names[other], seats[i].seat);
                return fail_seat(check, index, line_names[line], text);
            }
    return 0;
}

static int check_seat(const struct rig_check *check, unsigned index)
{
    const struct rig_seat *seats = check->rig->devices.sensors->seats;
    unsigned number = seats[index].seat;
    bool has_line = false;
    char text[120];

    if (number < 1 || number > check->rig->seats) {
        snprintf(text, sizeof text, "there is no seat %u; the table has seats 1 to %u", number,
                 check->rig->seats);
        return fail_seat(check, index, "seat", text);
    }
    for (unsigned i = 0; i < index; i++)
        if (seats[i].seat == number) {
            snprintf(text, sizeof text, "seat %u is here twice; put its lines together", number);
            return fail_seat(check, index, "seat", text);
        }
    for (unsigned line = 0; line < BET_LINES; line++) {
        int status = check_line(check, index, (enum bet_line)line);

        if (status)
            return status;
        has_line |= line_of(&seats[index], (enum bet_line)line)[0] != '\0';
    }
    if (!has_line)
        return fail_seat(check, index, "seat",
                         "it has no line; give it at least one of bet, light, chip, lamp");
    return 0;
}

static int check_emulated_line(const struct rig_check *check, const struct emulated_chip *chip,
                               unsigned index, enum bet_line line)
{
    const char *name = line_of(&check->rig->devices.sensors->seats[index], line);
    char text[160];

    if (!name[0] || emulated_chip_line(chip, name) >= 0)
        return 0;
    snprintf(text, sizeof text,
             "the emulated table has no line '%s'; its lines are bet1 light1 chip1 lamp1 bet2 …",
             name);
    return fail_seat(check, index, line_names[line], text);
}

static int check_emulated_lines(const struct rig_check *check, const struct emulated_chip *chip)
{
    for (unsigned i = 0; i < check->rig->devices.sensors->seats_count; i++)
        for (unsigned line = 0; line < BET_LINES; line++) {
            int status = check_emulated_line(check, chip, i, (enum bet_line)line);

            if (status)
                return status;
        }
    return 0;
}

/* Makes the model with these options, on a hal of its own, and frees it again. */
static int try_table(const struct rig_check *check, const struct model_kind *kind,
                     const char *where, const char *fault, bool look_at_lines)
{
    const struct rig_sensors *sensors = check->rig->devices.sensors;
    char address[LINK_ADDRESS_MAX];
    struct model *model;
    struct clock clock;
    struct hal hal;
    struct error said;
    char *options;
    int status;

    if (rig_address(sensors->device.address, fault, UINT64_MAX, address, &said))
        return tree_error(check->tree, check->error, where, "%s", said.text);
    options = strchr(address, '?');
    *options++ = '\0';
    clock_virtual(&clock, 0);
    status = hal_open(&hal, &clock, check->error);
    if (status)
        return status;
    model = kind->make_on_pins(&hal, address + strlen("emu:"), options, &said);
    if (!model && said.code == ERROR_RIG) {
        status =
            error_set(check->error, ERROR_RIG, "%s: %s: %s", check->rig->path, where, said.text);
    } else if (!model) {
        status = tree_error(check->tree, check->error, where, "%s", said.text);
    } else {
        status = look_at_lines ? check_emulated_lines(check, hal.chips) : 0;
        model->ops->free(model);
    }
    hal_close(&hal);
    return status;
}

static int check_address(const struct rig_check *check, const struct device_driver *driver)
{
    const struct rig_device *sensors = &check->rig->devices.sensors->device;
    const struct model_kind *kind = model_kind_for(driver);
    const char *where = "devices.sensors.address", *fault = "devices.sensors.fault";
    int status;

    if (kind && rig_is_emulated(sensors->address)) {
        status = try_table(check, kind, where, "", false);
        return status ? status : try_table(check, kind, fault, sensors->fault, true);
    }
    if (strncmp(sensors->address, "gpio:", 5) != 0 || !sensors->address[5])
        return tree_error(check->tree, check->error, where,
                          "'%.60s' is no address of pins; write gpio:LABEL, as in "
                          "gpio:pinctrl-rp1, or emu:table",
                          sensors->address);
    if (strlen(sensors->address + 5) >= PINS_LABEL_MAX)
        return tree_error(check->tree, check->error, where,
                          "the label of a chip has at most %d bytes", PINS_LABEL_MAX - 1);
    if (check->rig->clock == RIG_CLOCK_VIRTUAL)
        return tree_error(check->tree, check->error, where,
                          "real pins cannot follow a virtual clock; write 'clock: real'");
    if (sensors->fault[0])
        return tree_error(check->tree, check->error, fault,
                          "only an emulated table has defects on purpose");
    return 0;
}

static int check_debounce(const struct rig_check *check)
{
    const struct rig_sensors *sensors = check->rig->devices.sensors;
    const char *where = "devices.sensors.debounce-us";

    if (sensors->debounce_us / 1000 >= check->rig->timing.wager)
        return tree_error(check->tree, check->error, where,
                          "%u us are not shorter than the %u ms that timing.wager allows a "
                          "wager to show",
                          sensors->debounce_us, check->rig->timing.wager);
    return 0;
}

/* A unit has its own seats and lines. */
static int refuse_lines(const struct rig_check *check, const struct device_driver *driver)
{
    static const char *const fields[] = {"seats", "debounce-us", "bias", "active-low"};
    const struct tree_node *sensors = tree_find(check->tree, "devices.sensors");
    char where[RIG_WHERE_MAX];

    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        snprintf(where, sizeof where, "devices.sensors.%s", fields[i]);
        if (tree_field(sensors, fields[i], strlen(fields[i])))
            return tree_error(check->tree, check->error, where,
                              "it is for sensors on pins; the driver '%s' has lines of its "
                              "own",
                              device_driver_name(driver));
    }
    return 0;
}

static int check_pins(const struct rig_check *check, const struct device_driver *driver)
{
    const struct rig_sensors *sensors = check->rig->devices.sensors;
    struct error said;
    int status = 0;

    if (!sensors->seats_count)
        return tree_error(check->tree, check->error, "devices.sensors",
                          "'seats' is missing: sensors on pins need the lines of their seats");
    if (device_check_options(driver, sensors->device.options, &said))
        return tree_error(check->tree, check->error, "devices.sensors.options", "%s", said.text);
    if (sensors->device.link_fault)
        return tree_error(check->tree, check->error, "devices.sensors.link-fault",
                          "pins have no link");
    for (unsigned i = 0; i < sensors->seats_count && !status; i++)
        status = check_seat(check, i);
    if (!status)
        status = check_debounce(check);
    return status ? status : check_address(check, driver);
}

int rig_check_sensors(const struct rig_check *check)
{
    struct rig_sensors *sensors = check->rig->devices.sensors;
    const struct device_driver *driver;
    int status;

    if (!sensors)
        return 0;
    status = rig_check_driver(check, DEVICE_SENSORS, &sensors->device, "pins", &driver);
    if (status)
        return status;
    if (driver->on_pins)
        return check_pins(check, driver);
    status = refuse_lines(check, driver);
    return status ? status : rig_check_link(check, &sensors->device, driver);
}
