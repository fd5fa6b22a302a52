/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rigs/run/others.h"

#include <string.h>

#include "rigs/run/dealer/dealer.h"
#include "rigs/run/events.h"
#include "rigs/run/quiet.h"

/* Bet sensors are listened to in every game. */
static bool is_other(const struct run *run, const struct bench_device *device)
{
    if (device->class == DEVICE_TERMINAL ? run->recording.has_terminal
                                         : device->class == run->recording.dealer->class)
        return false;
    return device->class != DEVICE_SENSORS &&
           device_can(device->device, DEVICE_SHOWS_FRAMES | DEVICE_KEEPS_LOG | DEVICE_TELLS_STATUS);
}

/*
 * Takes an event into the journal: 1, 0 when none comes, or an error. Excused is what nobody asks
 * for and may happen all the same: power comes back, a deck is put into a shoe.
 */
static int hear(struct run *run, enum device_class class, nanos_t deadline, bool *is_excused,
                struct error *error)
{
    const struct bench *bench = run->bench;
    union {
        struct shuffler_event shuffler;
        struct shoe_event shoe;
        struct terminal_event terminal;
    } event;
    int status;

    switch (class) {
    case DEVICE_SHUFFLER:
        if ((status = shuffler_next(bench->shuffler, &event.shuffler, deadline, error)) > 0)
            run_tell_shuffler(run, &event.shuffler);
        *is_excused = status > 0 && event.shuffler.kind == SHUFFLER_EVENT_POWER_UP;
        return status;
    case DEVICE_SHOE:
        if ((status = shoe_next(bench->shoe, &event.shoe, deadline, error)) > 0)
            run_tell_shoe(run, &event.shoe);
        *is_excused = status > 0 && (event.shoe.kind == SHOE_EVENT_STARTED ||
                                     event.shoe.kind == SHOE_EVENT_STAND_BY);
        return status;
    default:
        if ((status = terminal_next(bench->terminal, &event.terminal, deadline, error)) > 0)
            run_tell_terminal(run, &event.terminal);
        *is_excused = status > 0 && event.terminal.kind == TERMINAL_EVENT_POWER_UP;
        return status;
    }
}

static int count_entries(const struct bench_device *device, uint32_t *total, struct error *error)
{
    struct log_entry entries[LOG_REPLY_MAX];
    unsigned count;

    return device_log(device->device, UINT32_MAX, entries, &count, total, error);
}

static int look(struct terminal *terminal, struct run_shown *shown, struct error *error)
{
    int status = terminal_meters(terminal, &shown->meters, error);

    if (!status)
        status = terminal_screen(terminal, &shown->screen, error);
    if (!status)
        status = terminal_sign(terminal, &shown->sign, error);
    return status ? status : terminal_lights(terminal, &shown->lights, error);
}

static int start(struct run *run, const struct bench_device *device, struct error *error)
{
    struct run_other *other = &run->recording.others[device->class];
    bool is_excused;
    int status;

    while ((status = hear(run, device->class, clock_now(&run->bench->clock), &is_excused, error)) >
           0)
        continue;
    if (!status)
        status = device_ask_test_mode(device->device, &other->in_test_mode, error);
    if (!status && device->class == DEVICE_TERMINAL)
        status = look(run->bench->terminal, &run->recording.shown, error);
    return status ? status : count_entries(device, &other->logged, error);
}

int run_others_start(struct run *run, struct error *error)
{
    const struct bench_device *device;
    int status = 0;

    for (unsigned i = 0; !status && (device = bench_device(run->bench, i)); i++)
        if (is_other(run, device))
            status = start(run, device, error);
    return status;
}

/* Counts what is excused; what else it tells fails. */
static int check_silence(struct run *run, const struct bench_device *device, unsigned *excused,
                         struct error *error)
{
    unsigned told = 0;
    bool is_excused;
    int status;

    while ((status = hear(run, device->class, clock_now(&run->bench->clock), &is_excused, error)) >
           0)
        *(is_excused ? excused : &told) += 1;
    if (told)
        check_number(run->book, CHECK_FRAMES, 0, device->name, 0, told,
                     "events that it told, though nothing was asked of it");
    return status;
}

static int check_log(struct run *run, const struct bench_device *device, unsigned excused,
                     struct error *error)
{
    uint32_t total, wanted = run->recording.others[device->class].logged + excused;
    int status = count_entries(device, &total, error);

    if (!status && total != wanted)
        check_number(run->book, CHECK_EVENT_LOG, 0, device->name, wanted, total,
                     "entries of its log, though nothing was asked of it");
    return status;
}

/* One that is only watched must not be in test mode at all. */
static int check_mode(struct run *run, const struct bench_device *device, struct error *error)
{
    bool wanted = !run->recording.observation && run->recording.others[device->class].in_test_mode;
    bool is_on;
    int status = device_ask_test_mode(device->device, &is_on, error);

    if (!status && is_on != wanted)
        check_number(run->book, CHECK_TEST_MODE_ANNOUNCED, 0, device->name, wanted, is_on,
                     run->recording.observation ? "it is in test mode"
                                                : "test mode, though nothing was asked of it");
    return status;
}

static void compare(struct run *run, enum check check, uint64_t before, uint64_t now,
                    const char *why)
{
    if (now != before)
        check_number(run->book, check, 0, "terminal", (int64_t)before, (int64_t)now, why);
}

static void compare_meters(struct run *run, const struct terminal_meters *before,
                           const struct terminal_meters *now)
{
    compare(run, CHECK_METER_VALUES, before->count, now->count,
            "meters that it has, though nothing was asked of it");
    for (unsigned i = 0; i < before->count && i < now->count; i++) {
        compare(run, CHECK_METER_VALUES, before->meter[i].micros, now->meter[i].micros,
                "millionths of a dollar on a meter, though nothing was asked of it");
        compare(run, CHECK_METER_VALUES, 1,
                !strcmp(before->meter[i].name, now->meter[i].name) &&
                    (before->must_hit == i) == (now->must_hit == i),
                "a meter is called as before, though nothing was asked of it");
    }
}

/* What a terminal shows stays as it was, as everything else of it. */
static int check_shown(struct run *run, struct error *error)
{
    const struct run_shown *before = &run->recording.shown;
    struct run_shown now;
    int status = look(run->bench->terminal, &now, error);

    if (status)
        return status;
    compare_meters(run, &before->meters, &now.meters);
    compare(run, CHECK_STATUS, before->screen.state, now.screen.state,
            "state by SCREEN, though nothing was asked of it");
    compare(run, CHECK_STATUS, before->screen.seat, now.screen.seat,
            "seat by SCREEN, though nothing was asked of it");
    compare(run, CHECK_STATUS, before->screen.wrong_codes, now.screen.wrong_codes,
            "wrong codes by SCREEN, though nothing was asked of it");
    compare(run, CHECK_SIGN_AMOUNT, before->sign.seat, now.sign.seat,
            "seat on the sign, though nothing was asked of it");
    compare(run, CHECK_SIGN_AMOUNT, before->sign.cents, now.sign.cents,
            "cents on the sign, though nothing was asked of it");
    compare(run, CHECK_LIGHTS, before->lights, now.lights,
            "seats that are lit, as a set, though nothing was asked of it");
    return 0;
}

void run_others_check(struct run *run)
{
    const struct bench_device *device;
    struct error error;

    for (unsigned i = 0; (device = bench_device(run->bench, i)); i++) {
        unsigned excused = 0;
        int status;

        if (!is_other(run, device))
            continue;
        status = check_silence(run, device, &excused, &error);
        if (!status)
            status = check_log(run, device, excused, &error);
        if (!status)
            status = check_mode(run, device, &error);
        if (!status && device->class == DEVICE_TERMINAL)
            status = check_shown(run, &error);
        run_quiet_tell(run, CHECK_FRAMES, device, status, &error);
    }
}
