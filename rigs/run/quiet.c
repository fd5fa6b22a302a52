/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/run/quiet.h"

#include "rigs/run/dealer/dealer.h"
#include "rigs/run/terminal/terminal.h"

bool run_quiet_is_told(const struct bench_device *device, int status)
{
    return (status == ERROR_DEVICE && (!device->link || !link_is_lost(device->link))) ||
           (status == ERROR_TIMEOUT && !device->is_lossy);
}

void run_quiet_tell(struct run *run, enum check check, const struct bench_device *device,
                    int status, const struct error *error)
{
    if (run_quiet_is_told(device, status))
        check_number(run->book, check, 0, device->name, 0, 1, error->text);
}

static int hear_dealer(struct run *run, struct error *error)
{
    int status;

    while ((status = run->recording.dealer->hear(run, clock_now(&run->bench->clock), error)) > 0)
        continue;
    return status;
}

/* Of a dealer whose frames nobody sees, the check that it belongs to is that of its turns. */
static enum check check_of(const struct run *run, const struct bench_device *device)
{
    return device->class == run->recording.dealer->class &&
                   !device_can(device->device, DEVICE_SHOWS_FRAMES)
               ? CHECK_PACKET_ORDER
               : CHECK_FRAMES;
}

void run_quiet_hear(struct run *run)
{
    const struct bench_device *device;
    struct error error;

    for (unsigned i = 0; (device = bench_device(run->bench, i)); i++) {
        int status = 0;

        if (device->class == run->recording.dealer->class)
            status = hear_dealer(run, &error);
        else if (device->class == DEVICE_TERMINAL && run->recording.has_terminal)
            status = run_listen(run, NULL, 0, &error);
        else if (device->class == DEVICE_SENSORS)
            status = run_sensors_hear(run, &error);
        run_quiet_tell(run, check_of(run, device), device, status, &error);
    }
}

bool run_quiet_pass(struct run *run, uint32_t millis)
{
    struct bench *bench = run->bench;

    run_quiet_hear(run);
    for (uint32_t left = millis, slice; left; left -= slice) {
        slice = left < RUN_QUIET_SLICE ? left : RUN_QUIET_SLICE;
        if (hal_wait(&bench->hal, -1, 0, clock_deadline(&bench->clock, slice), NULL) < 0)
            return false;
        run_quiet_hear(run);
    }
    return true;
}
