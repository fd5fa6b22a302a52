/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether the bench of a rig file is ready: every device opened, every line tried. */
#include <stdio.h>

#include "rigs/bench/rest.h"
#include "tools/doctor/doctor.h"
#include "tools/others.h"

#define REMEDY_LINE "look at the plug, the wire and the line in the rig file"

#define REMEDY_DEVICE   "look at its power, its cable and its address in the rig file"
#define REMEDY_PORT     "look at the cable, and at 'authenticate' in the rig file"
#define REMEDY_UNPROVED "wire that line and name it in the rig file, or leave it unproved"
#define REMEDY_MODE     "take it out with 'dealproof reset --rig FILE'"
#define REMEDY_IDENTITY "attach the one that the rig file names, or name this one there"

static void check_identity(struct findings *findings, const struct bench_device *device)
{
    char what[32], has[RIG_IDENTITY_TEXT];

    for (unsigned field = 0; field < RIG_IDENTITY_FIELDS; field++) {
        snprintf(what, sizeof what, "%s %s", device->name, rig_identity_names[field]);
        if (!rig_identity_fits(device->wanted, field, &device->identity))
            findings_add(findings, FINDING_FAIL, what, REMEDY_IDENTITY,
                         "the rig file asks for '%s', and it is '%s'",
                         rig_identity_wanted(device->wanted, field),
                         rig_identity_text(&device->identity, field, has));
    }
}

/* Only its status: a calculation may take minutes, and a run asks for one. */
static void check_software(struct findings *findings, struct bench *bench,
                           const struct bench_device *device)
{
    const char *address = device->authenticate->address;
    struct gat_status status = {0};
    struct gat_host host;
    struct error error;
    struct link *link;
    char what[32];
    int failed = link_open(&link, &bench->hal, address, &error);

    snprintf(what, sizeof what, "%s software", device->name);
    if (!failed) {
        failed = gat_host_open(&host, link, &device->setup->plan.settings, &error);
        if (!failed)
            failed = gat_status(&host, &status, &error);
        link_close(link);
    }
    if (failed)
        findings_add(findings, FINDING_FAIL, what, REMEDY_PORT, "%s", error.text);
    else
        findings_add(findings, FINDING_OK, what, NULL, "%s: version %x.%02x of GAT; %s", address,
                     status.version >> 8 & 0xffu, status.version & 0xffu,
                     device->setup->approved ? "digests are approved"
                                             : "no digests are approved, nothing is compared");
}

static void check_device(struct findings *findings, const struct bench_device *device)
{
    const struct wire_identity *identity = &device->identity;

    if (device->status)
        findings_add(findings, FINDING_FAIL, device->name, REMEDY_DEVICE, "%s", device->error.text);
    else if (device->has_identity)
        findings_add(findings, FINDING_OK, device->name, NULL,
                     "%s: %s, serial number %s, firmware %s", device->address, identity->model,
                     identity->serial, identity->firmware);
    else if (device->device->driver->has_no_address)
        findings_add(findings, FINDING_OK, device->name, NULL,
                     "%s: nothing to open, people work it; a run asks them", device->address);
    else
        findings_add(findings, FINDING_OK, device->name, NULL, "%s: open, it cannot say who it is",
                     device->address);
    if (bench_found_in_test_mode(device))
        findings_add(findings, FINDING_WARN, device->name, REMEDY_MODE,
                     "it is in test mode: what it deals or draws may have been loaded");
    if (device->has_identity && device->wanted)
        check_identity(findings, device);
}

/* Says what became of one line of a seat. */
static void add_line(struct findings *findings, unsigned seat, const char *line, int status,
                     bool right, const char *expected, const struct error *error)
{
    char what[32];

    snprintf(what, sizeof what, "seat %u %s", seat, line);
    if (status)
        findings_add(findings, FINDING_FAIL, what, REMEDY_LINE, "%s", error->text);
    else if (right)
        findings_add(findings, FINDING_OK, what, NULL, "%s", expected);
    else
        findings_add(findings, FINDING_FAIL, what, REMEDY_LINE, "not so: %s", expected);
}

/* The actuator places a wager and takes it back; the sensor must follow both times. */
static void check_wager(struct findings *findings, struct sensors *sensors, unsigned seat)
{
    const unsigned set = 1u << seat;
    struct error error;
    bool follows = true;
    int status = 0;

    for (int placed = 1; placed >= 0 && !status; placed--) {
        status = sensors_place(sensors, set, placed, &error);
        if (!status)
            status = sensors_settle(sensors, &error);
        follows &= !(sensors_placed(sensors) & set) == !placed;
    }
    add_line(findings, seat, "bet and chip", status, follows,
             "the sensor follows the actuator, there and back", &error);
}

static void check_lamp(struct findings *findings, struct sensors *sensors, unsigned seat)
{
    const unsigned set = 1u << seat;
    unsigned wrong = 0, ever_wrong = 0;
    struct error error;
    int status = 0;

    for (int lit = 1; lit >= 0 && !status; lit--) {
        status = sensors_light(sensors, lit ? set : 0, &error);
        if (!status)
            status = sensors_check_lamps(sensors, &wrong, &error);
        ever_wrong |= wrong;
    }
    add_line(findings, seat, "light and lamp", status, !(ever_wrong & set),
             "the lamp lights and goes out, and is seen to", &error);
}

/* The seats that have any line. */
static unsigned seats_with_lines(const struct sensors *sensors)
{
    unsigned seats = 0;

    for (unsigned line = 0; line < BET_LINES; line++)
        seats |= sensors_with(sensors, (enum bet_line)line);
    return seats;
}

/* What stays unproven; seats without a line are not on this bench at all. */
static void warn_of_unchecked(struct findings *findings, const struct sensors *sensors)
{
    struct bet_unchecked unchecked[BET_UNCHECKED_MAX];
    size_t count = sensors_unchecked(sensors, unchecked);
    unsigned seats = seats_with_lines(sensors) | 1;
    char what[32];

    for (size_t i = 0; i < count; i++) {
        if (!(seats >> unchecked[i].seat & 1))
            continue;
        if (unchecked[i].seat)
            snprintf(what, sizeof what, "seat %u", unchecked[i].seat);
        else
            snprintf(what, sizeof what, "seats");
        findings_add(findings, FINDING_WARN, what, REMEDY_UNPROVED, "%s", unchecked[i].sentence);
    }
}

static void check_lines(struct findings *findings, struct sensors *sensors)
{
    unsigned wagers = sensors_with(sensors, BET_LINE_BET) & sensors_with(sensors, BET_LINE_CHIP);
    unsigned lamps = sensors_with(sensors, BET_LINE_LIGHT) & sensors_with(sensors, BET_LINE_LAMP);
    struct error error;

    for (unsigned seat = 1; seat <= BET_SENSOR_SEATS; seat++) {
        if (wagers >> seat & 1)
            check_wager(findings, sensors, seat);
        if (lamps >> seat & 1)
            check_lamp(findings, sensors, seat);
    }
    warn_of_unchecked(findings, sensors);
    if (sensors_rest(sensors, &error))
        findings_add(findings, FINDING_FAIL, "sensors test mode", REMEDY_MODE, "%s", error.text);
}

int doctor_check_rig(struct findings *findings, const char *command, const char *path,
                     struct error *error)
{
    struct bench bench;
    struct rig *rig;
    int status = rig_load(&rig, path, error);

    if (status)
        return status;
    /* A look at a bench must not empty what its last run has captured. */
    rig->capture[0] = '\0';
    others_warn_of_rig(command, rig);
    status = bench_try(&bench, rig, 1, error);
    if (!status) {
        findings_add(findings, FINDING_OK, "rig", NULL, "%s: '%s', %u device%s", path, rig->name,
                     bench.device_count, bench.device_count == 1 ? "" : "s");
        for (unsigned i = 0; i < bench.device_count; i++)
            check_device(findings, &bench.devices[i]);
        for (unsigned i = 0; i < bench.device_count; i++)
            if (bench.devices[i].authenticate)
                check_software(findings, &bench, &bench.devices[i]);
        doctor_check_access(findings, &bench);
        if (bench.shuffler)
            doctor_check_shuffler(findings, bench.shuffler);
        if (bench.sensors)
            check_lines(findings, bench.sensors);
        status = bench_close(&bench, error);
    }
    rig_free(rig);
    return status;
}
