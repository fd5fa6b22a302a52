/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The configuration that a terminal tells, version 2 of the protocol: against the sheets as it was
 * found, and against what CONFIGURE was told.
 */
#include <string.h>

#include "rigs/run/terminal/terminal.h"

/* The first of several that is not as it must be stays. */
static void see(struct run_finding *finding, const char *what, uint64_t due, uint64_t told,
                const char *why)
{
    if (finding->due == finding->found)
        *finding = (struct run_finding){what, (int64_t)due, (int64_t)told, why};
}

static void see_meters(struct run_finding *finding, const struct terminal_config *due,
                       const struct terminal_config *told)
{
    for (unsigned i = 0; i < due->meter_count && i < told->meter_count; i++) {
        see(finding, due->meters[i].name, due->meters[i].reseed, told->meters[i].reseed,
            "millionths of the reseed value, by CONFIGURATION");
        see(finding, due->meters[i].name, due->meters[i].rate, told->meters[i].rate,
            "basis points of the rate, by CONFIGURATION");
    }
}

static void see_hands(struct run_finding *finding, const struct terminal_config *due,
                      const struct terminal_config *told)
{
    see(finding, NULL, due->hand_count, told->hand_count, "hands, by CONFIGURATION");
    for (unsigned i = 0; i < due->hand_count && i < told->hand_count; i++) {
        see(finding, due->hands[i].name, due->hands[i].meter, told->hands[i].meter,
            "number of the meter that the hand pays, by CONFIGURATION");
        see(finding, due->hands[i].name, due->hands[i].cents, told->hands[i].cents,
            "cents that the hand pays, by CONFIGURATION");
    }
}

/* What a rig file may have otherwise than the sheets. */
static void see_rest(struct run_finding *finding, const struct terminal_config *due,
                     const struct terminal_config *told)
{
    see(finding, NULL, due->wager, told->wager, "cents of the wager, by CONFIGURATION");
    see(finding, NULL, due->rounding, told->rounding, "rounding, by CONFIGURATION");
    see(finding, NULL, due->meter_count, told->meter_count, "meters, by CONFIGURATION");
    for (unsigned i = 0; i < due->meter_count && i < told->meter_count; i++) {
        see(finding, due->meters[i].name, 0, strcmp(due->meters[i].name, told->meters[i].name) != 0,
            "another name of the meter, by CONFIGURATION");
        see(finding, due->meters[i].name, due->meters[i].opening, told->meters[i].opening,
            "millionths of the opening value, by CONFIGURATION");
    }
    see(finding, "must-hit", due->must_hit.rate, told->must_hit.rate,
        "basis points of the rate, by CONFIGURATION");
    see(finding, "must-hit", due->must_hit.reset, told->must_hit.reset,
        "millionths of the reset value, by CONFIGURATION");
    see(finding, "must-hit", due->must_hit.hit_by, told->must_hit.hit_by,
        "millionths of the ceiling, by CONFIGURATION");
    see(finding, "must-hit", due->must_hit.opening, told->must_hit.opening,
        "millionths of the opening value, by CONFIGURATION");
}

static bool is_same_game(const struct terminal_config *due, const struct terminal_config *told)
{
    bool is_same = due->meter_count == told->meter_count;

    for (unsigned i = 0; is_same && i < due->meter_count; i++)
        is_same = !strcmp(due->meters[i].name, told->meters[i].name);
    return is_same;
}

int run_look_at_config(struct run *run, struct error *error)
{
    const struct terminal_config *due = &run->recording.terminal;
    struct run_finding *finding = &run->found.config;
    struct terminal_config told;
    int status;

    if (!device_can(&run->bench->terminal->device, DEVICE_TELLS_CONFIG))
        return 0;
    status = terminal_configuration(run->bench->terminal, &told, error);
    if (status || !is_same_game(due, &told))
        return status;
    run->found.tells_config = true;
    *finding = (struct run_finding){.why = NULL};
    see_meters(finding, due, &told);
    see_hands(finding, due, &told);
    return 0;
}

int run_read_back(struct run *run, struct error *error)
{
    const struct terminal_config *due = &run->recording.terminal;
    struct terminal_config told;
    int status;

    if (!device_can(&run->bench->terminal->device, DEVICE_TELLS_CONFIG))
        return 0;
    status = terminal_configuration(run->bench->terminal, &told, error);
    if (status)
        return status;
    run->configured = (struct run_finding){.why = NULL};
    see_rest(&run->configured, due, &told);
    see_meters(&run->configured, due, &told);
    see_hands(&run->configured, due, &told);
    return 0;
}
