/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lines of the seats: none twice, all of them there where the table is emulated. */
#include <stdio.h>
#include <string.h>

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
    static const char *const fields[] = {"seats", "debounce-us", "bias", "active-low", NULL};

    return rig_refuse_lines(check, driver, fields);
}

static int check_pins(const struct rig_check *check, const struct device_driver *driver)
{
    const struct rig_sensors *sensors = check->rig->devices.sensors;
    int status = 0;

    if (!sensors->seats_count)
        return tree_error(check->tree, check->error, "devices.sensors",
                          "'seats' is missing: sensors on pins need the lines of their seats");
    for (unsigned i = 0; i < sensors->seats_count && !status; i++)
        status = check_seat(check, i);
    if (!status)
        status = check_debounce(check);
    return status ? status : rig_check_pins(check, &sensors->device, driver, check_emulated_lines);
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
