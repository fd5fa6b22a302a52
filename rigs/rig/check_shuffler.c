/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lines of a shuffler on pins: those that it needs, none twice, all there where it is emulated.
 */
#include <stdio.h>
#include <string.h>

#include "hal/pins/emulated_pins.h"
#include "rigs/rig/check.h"

static const char *line_of(const struct rig_lines *lines, unsigned line)
{
    const char *const names[SHUFFLER_LINES] = {lines->button, lines->exit, lines->ready, lines->jam,
                                               lines->door};

    return names[line];
}

static int fail(const struct rig_check *check, const char *field, const char *sentence)
{
    char where[RIG_WHERE_MAX];

    snprintf(where, sizeof where, "devices.shuffler.%s", field);
    return tree_error(check->tree, check->error, where, "%s", sentence);
}

static int check_lines(const struct rig_check *check, const struct rig_lines *lines)
{
    char text[160];

    for (unsigned line = 0; line < SHUFFLER_LINES; line++)
        for (unsigned other = 0; other < line; other++) {
            if (!line_of(lines, line)[0] || strcmp(line_of(lines, line), line_of(lines, other)))
                continue;
            snprintf(text, sizeof text, "the line '%s' is the %s line already; a line has one use",
                     line_of(lines, line), shuffler_line_names[other]);
            return fail(check, shuffler_line_names[line], text);
        }
    return 0;
}

static int check_emulated_lines(const struct rig_check *check, const struct emulated_chip *chip)
{
    const struct rig_lines *lines = &check->rig->devices.shuffler->lines;
    char text[160];

    for (unsigned line = 0; line < SHUFFLER_LINES; line++) {
        const char *name = line_of(lines, line);

        if (!name[0] || emulated_chip_line(chip, name) >= 0)
            continue;
        snprintf(text, sizeof text,
                 "the emulated shuffler has no line '%s'; its lines are button, exit, ready, jam "
                 "and door",
                 name);
        return fail(check, shuffler_line_names[line], text);
    }
    return 0;
}

/* A packet that comes in time must have stood long enough to be believed. */
static int check_debounce(const struct rig_check *check, const struct rig_lines *lines)
{
    char text[160];

    if (lines->debounce_us / 1000 < check->rig->timing.packet)
        return 0;
    snprintf(text, sizeof text,
             "%u us are not shorter than the %u ms that timing.packet allows a packet to come",
             lines->debounce_us, check->rig->timing.packet);
    return fail(check, "debounce-us", text);
}

int rig_check_shuffler_pins(const struct rig_check *check, const struct device_driver *driver)
{
    const struct rig_device *shuffler = check->rig->devices.shuffler;
    const struct rig_lines *lines = &shuffler->lines;
    int status;

    if (!lines->exit[0])
        return tree_error(check->tree, check->error, "devices.shuffler",
                          "'exit' is missing: a shuffler on pins needs the line that sees its "
                          "packets");
    status = check_lines(check, lines);
    if (!status)
        status = check_debounce(check, lines);
    return status ? status : rig_check_pins(check, shuffler, driver, check_emulated_lines);
}

int rig_refuse_shuffler_lines(const struct rig_check *check, const struct device_driver *driver)
{
    static const char *const fields[] = {"button",   "exit",        "ready", "jam",        "door",
                                         "press-ms", "debounce-us", "bias",  "active-low", NULL};

    return rig_refuse_lines(check, driver, fields);
}
