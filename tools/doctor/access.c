/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whether a run would be let in: the codes of the terminal and the test mode of each device. All
 * that is tried is refused by the device or taken back, so that it is left as it was found; its log
 * has what was tried.
 */
#include <stdio.h>
#include <string.h>

#include "rigs/bench/rest.h"
#include "tools/doctor/doctor.h"

#define REMEDY_CODE  "write the code that the terminal was given into the rig file"
#define REMEDY_RESET "'dealproof reset --rig FILE' takes it out"
#define REMEDY_AWARD "let a run pay an award, and see that its code is accepted"
#define REMEDY_MAKER "show its maker: a meter that does not exist must be refused"
#define REMEDY_REST  "bring it to rest with 'dealproof reset --rig FILE'"

static void wrong_code(struct findings *findings, const char *what, const struct rig_place *place)
{
    findings_add(findings, FINDING_FAIL, what, REMEDY_CODE,
                 place->line ? "the terminal does not accept the code in line %u"
                             : "the terminal does not accept the usual code, and the rig file "
                               "has none",
                 place->line);
}

/*
 * The administrator's code, once, by a correction of a meter that no terminal has: refused for the
 * meter where the code is right. Returns whether it is.
 */
static bool check_admin(struct findings *findings, struct terminal *terminal, const struct rig *rig)
{
    const struct rig_device *device = rig->devices.terminal;
    struct error error;
    int status =
        terminal_correct(terminal, device->admin, TERMINAL_METERS_MAX, 0, "doctor", &error);
    unsigned refusal = status ? device_refusal(&terminal->device) : 0;

    if (!status)
        findings_add(findings, FINDING_FAIL, "terminal admin", REMEDY_MAKER,
                     "the terminal has corrected meter %d, which no terminal has",
                     TERMINAL_METERS_MAX);
    else if (refusal == REFUSED_VALUE)
        findings_add(findings, FINDING_OK, "terminal admin", NULL,
                     "the administrator's code is accepted");
    else if (refusal == REFUSED_AUTHORIZATION)
        wrong_code(findings, "terminal admin", &device->admin_place);
    else
        findings_add(findings, FINDING_WARN, "terminal admin", REMEDY_REST, "not tried: %s",
                     error.text);
    return refusal == REFUSED_VALUE;
}

/* An award of a dollar on a terminal that nobody else has. */
static int pay_award(struct terminal *terminal, const struct rig_device *device,
                     struct error *error)
{
    static const struct terminal_config config = {
        .wager = 500,
        .meter_count = 1,
        .meters = {{.name = "doctor", .reseed = 1000000, .opening = 1000000, .rate = 100}},
        .hand_count = 1,
        .hands = {{.meter = TERMINAL_NONE, .cents = 100}},
    };
    struct terminal_approval approval;
    int status = terminal_configure(terminal, device->admin, &config, error);

    if (!status)
        status = terminal_sensors(terminal, 1u << 1, error);
    if (!status)
        status =
            terminal_key(terminal, &(struct terminal_press){.key = TERMINAL_START_ROUND}, error);
    return status ? status : terminal_approve(terminal, 1, 0, device->code, &approval, error);
}

/*
 * The code of an award. Where it is right it leads to a screen that only paying leads out of, so
 * that it is tried on a terminal in this program alone.
 */
static void check_code(struct findings *findings, struct bench *bench,
                       const struct bench_device *device, bool may_configure)
{
    const struct rig_device *terminal = bench->rig->devices.terminal;
    struct bench_rest rest = {.pays = true};
    struct error error;
    int status;

    if (!device->is_emulated || !may_configure) {
        findings_add(findings, FINDING_WARN, "terminal code", REMEDY_AWARD,
                     "not tried: %s; the first award of a run tries it",
                     device->is_emulated ? "the terminal cannot be set up"
                                         : "a code that is accepted must be followed by a payment");
        return;
    }
    status = pay_award(bench->terminal, terminal, &error);
    if (status == TERMINAL_WRONG_CODE)
        wrong_code(findings, "terminal code", &terminal->code_place);
    else if (status)
        findings_add(findings, FINDING_FAIL, "terminal code", REMEDY_REST, "%s", error.text);
    else
        findings_add(findings, FINDING_OK, "terminal code", NULL,
                     "the code of the authorization is accepted");
    bench_rest(bench, device, &rest, NULL);
}

/* Whether a run puts the device into test mode here. Sensors were, when they placed wagers. */
static bool needs_test_mode(const struct rig *rig, const struct bench_device *device)
{
    return device->class != DEVICE_SENSORS && device_can(device->device, DEVICE_HAS_TEST_MODE) &&
           (device->class == DEVICE_TERMINAL || rig->order == RIG_ORDER_LOAD) &&
           !bench_found_in_test_mode(device);
}

static bool is_between_rounds(struct bench *bench, const struct bench_device *device)
{
    struct terminal_status status;

    return device->class != DEVICE_TERMINAL ||
           (!terminal_status(bench->terminal, &status, NULL) && status.state == TERMINAL_IDLE);
}

static void check_mode(struct findings *findings, struct bench *bench,
                       const struct bench_device *device)
{
    char what[32];
    struct error error;
    bool is_idle = is_between_rounds(bench, device);
    int status = is_idle
                     ? bench_try_test_mode(bench, device, true, &error)
                     : error_set(&error, ERROR_DEVICE, "the terminal is in the middle of a round");
    unsigned refusal = is_idle && status ? device_refusal(device->device) : 0;

    snprintf(what, sizeof what, "%s test mode", device->name);
    if (!is_idle || refusal == REFUSED_STATE || refusal == REFUSED_BUSY ||
        refusal == REFUSED_ERROR) {
        findings_add(findings, FINDING_WARN, what, REMEDY_REST, "not tried: %s", error.text);
        return;
    }
    if (status)
        findings_add(findings, FINDING_FAIL, what, refusal ? REMEDY_REST : REMEDY_RESET, "%s",
                     error.text);
    if (refusal)
        return;
    if (bench_try_test_mode(bench, device, false, &error))
        findings_add(findings, FINDING_FAIL, what, REMEDY_RESET, "%s", error.text);
    else if (!status)
        findings_add(findings, FINDING_OK, what, NULL,
                     "it goes into it and out of it, and says so");
}

void doctor_check_access(struct findings *findings, struct bench *bench)
{
    for (unsigned i = 0; i < bench->device_count; i++) {
        const struct bench_device *device = &bench->devices[i];

        if (!device->status && needs_test_mode(bench->rig, device))
            check_mode(findings, bench, device);
        if (!device->status && device->class == DEVICE_TERMINAL)
            check_code(findings, bench, device, check_admin(findings, bench->terminal, bench->rig));
    }
}
