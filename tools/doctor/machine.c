/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#include "hal/base/realtime.h"
#include "hal/hal.h"
#include "hal/pins/gpiod.h"
#include "rigs/journal/libraries.h"
#include "tools/doctor/doctor.h"

static void check_libraries(struct findings *findings)
{
    static const char *const of_devices[] = {"libusb", "libserialport", "libgpiod"};
    struct libraries libraries;

    libraries_find(&libraries);
    for (size_t i = 0; i < sizeof of_devices / sizeof of_devices[0]; i++)
        findings_add(findings, FINDING_OK, of_devices[i], NULL, "version %s",
                     libraries_version(&libraries, of_devices[i]));
}

static void check_edges(struct findings *findings)
{
    struct utsname system;
    unsigned major = 0, minor = 0;

    if (gpio_capabilities() & PINS_LOSS_DETECTED) {
        findings_add(findings, FINDING_OK, "lost edges", NULL, "are detected and reported");
        return;
    }
    findings_add(findings, FINDING_WARN, "lost edges",
                 "debounce noisy lines, or use Debian 13 with libgpiod 2",
                 "cannot be detected by libgpiod %s, which keeps 16 unread edges of a line",
                 gpio_library_version());
    if (!uname(&system) && sscanf(system.release, "%u.%u", &major, &minor) == 2 &&
        (major < 5 || (major == 5 && minor < 7)))
        findings_add(findings, FINDING_FAIL, "times of edges", "use Linux 5.7 or newer",
                     "Linux %u.%u takes them from the wall clock", major, minor);
}

/* The smallest step that the clock is seen to make. */
static nanos_t clock_step(const struct clock *clock)
{
    nanos_t smallest = NEVER;

    for (int i = 0; i < 1000; i++) {
        nanos_t before = clock_now(clock), after = clock_now(clock);

        if (after > before && after - before < smallest)
            smallest = after - before;
    }
    return smallest;
}

#define STEP_SIZE 32
#define STEP_MAX  (10 * NANOS_PER_MICRO)

/*
 * What is kept with a run is the same each time on a machine that is: no figure that was measured,
 * but the limit that it was held against.
 */
static void describe_step(const struct findings *findings, nanos_t step, char text[STEP_SIZE])
{
    if (findings->is_kept)
        snprintf(text, STEP_SIZE, "%s %lld us", step > STEP_MAX ? "above" : "at most",
                 (long long)(STEP_MAX / NANOS_PER_MICRO));
    else
        snprintf(text, STEP_SIZE, "%lld ns", (long long)step);
}

static void check_clock(struct findings *findings)
{
    char seen[STEP_SIZE];
    struct timespec resolution;
    struct clock clock;
    nanos_t stated, step;

    clock_real(&clock);
    if (clock_getres(CLOCK_MONOTONIC, &resolution)) {
        findings_add(findings, FINDING_FAIL, "clock", "use a kernel with CLOCK_MONOTONIC", "%s",
                     strerror(errno));
        return;
    }
    stated = resolution.tv_sec * NANOS_PER_SECOND + resolution.tv_nsec;
    step = clock_step(&clock);
    describe_step(findings, step, seen);
    if (stated > NANOS_PER_MICRO || step > STEP_MAX)
        findings_add(findings, FINDING_WARN, "clock",
                     "check the clock source in /sys/devices/system/clocksource",
                     "resolution %lld ns, smallest step seen %s: too coarse for times of edges",
                     (long long)stated, seen);
    else
        findings_add(findings, FINDING_OK, "clock", NULL,
                     "resolution %lld ns, smallest step seen %s", (long long)stated, seen);
}

static void check_cancel(struct findings *findings)
{
    struct error error = {.text = ""};
    struct clock clock;
    struct hal hal;

    clock_real(&clock);
    if (hal_open(&hal, &clock, &error)) {
        findings_add(findings, FINDING_FAIL, "cancellation", "raise `ulimit -n`", "%s", error.text);
        return;
    }
    hal_cancel(&hal);
    if (hal_wait(&hal, -1, 0, clock_deadline(&clock, 1000), &error) == ERROR_ABORTED)
        findings_add(findings, FINDING_OK, "cancellation", NULL, "ends a wait at once");
    else
        findings_add(findings, FINDING_FAIL, "cancellation", "use a kernel with eventfd",
                     "does not end a wait");
    hal_close(&hal);
}

static void check_realtime(struct findings *findings)
{
    struct error error;

    if (realtime_try(&error))
        findings_add(findings, FINDING_WARN, "--realtime", REALTIME_REMEDY,
                     "is not for this user: other programs may delay when an edge or a byte is "
                     "seen");
    else
        findings_add(findings, FINDING_OK, "--realtime", NULL,
                     "may be had: priority %d, all memory locked", REALTIME_PRIORITY);
}

void doctor_check_machine(struct findings *findings)
{
    check_libraries(findings);
    check_edges(findings);
    check_clock(findings);
    check_cancel(findings);
    check_realtime(findings);
}
