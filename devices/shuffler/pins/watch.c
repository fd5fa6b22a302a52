/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/shuffler/pins/watch.h"

#define ALL_LINES ((1u << SHUFFLER_LINES) - 1)

static struct shuffler_event *add(struct shuffler_watch *watch, enum shuffler_event_kind kind,
                                  nanos_t time)
{
    struct shuffler_event *event = &watch->spare;

    if (watch->queued == WATCH_EVENTS_MAX)
        watch->is_flooded = true;
    else
        event = &watch->queue[(watch->first + watch->queued++) % WATCH_EVENTS_MAX];
    *event = (struct shuffler_event){.kind = kind, .time = time};
    return event;
}

void shuffler_watch_shuffled(struct shuffler_watch *watch, nanos_t time)
{
    watch->awaits_shuffle = false;
    add(watch, SHUFFLER_EVENT_SHUFFLED, time)->shuffled.number = ++watch->shuffles;
}

/* Without a line that says so, a packet is the first sign of a shuffled deck. */
static void see_exit(struct shuffler_watch *watch, bool on, nanos_t time)
{
    if (on && watch->awaits_shuffle && !shuffler_watch_has(watch, SHUFFLER_LINE_READY))
        shuffler_watch_shuffled(watch, time);
    if (on)
        add(watch, SHUFFLER_EVENT_PRESENT, time)->packet.index = watch->presented++;
    else if (watch->taken < watch->presented)
        add(watch, SHUFFLER_EVENT_TAKEN, time)->taken = watch->taken++;
}

static void see_fault(struct shuffler_watch *watch, enum shuffler_fault fault, bool on,
                      nanos_t time)
{
    add(watch, on ? SHUFFLER_EVENT_FAULT : SHUFFLER_EVENT_CLEARED, time)->fault.code = fault;
}

static void see(struct shuffler_watch *watch, enum shuffler_line line, bool on, nanos_t time)
{
    if (shuffler_watch_is_on(watch, line) == on)
        return;
    watch->on ^= 1u << line;
    switch (line) {
    case SHUFFLER_LINE_EXIT:
        see_exit(watch, on, time);
        break;
    case SHUFFLER_LINE_READY:
        if (on && (watch->awaits_shuffle || !watch->shuffles_itself))
            shuffler_watch_shuffled(watch, time);
        break;
    case SHUFFLER_LINE_JAM:
        see_fault(watch, SHUFFLER_JAM, on, time);
        break;
    case SHUFFLER_LINE_DOOR:
        see_fault(watch, SHUFFLER_DOOR_OPEN, on, time);
        break;
    default:
        break;
    }
}

/* What the lines are: of those in the set, what that means is told. */
static int read_levels(struct shuffler_watch *watch, unsigned told, struct error *error)
{
    uint64_t values;
    int result = pins_read(watch->pins, &values, error);

    if (result)
        return result;
    watch->is_doubtful = false;
    for (unsigned line = SHUFFLER_LINE_EXIT; line < SHUFFLER_LINES; line++) {
        if (!shuffler_watch_has(watch, line))
            continue;
        if (told >> line & 1)
            see(watch, line, values >> watch->pin[line] & 1, clock_now(watch->pins->hal->clock));
        else if (values >> watch->pin[line] & 1)
            watch->on |= 1u << line;
    }
    return 0;
}

int shuffler_watch_open(struct shuffler_watch *watch, struct pins *pins,
                        const int pin[SHUFFLER_LINES], struct error *error)
{
    *watch = (struct shuffler_watch){.pins = pins};
    for (unsigned line = 0; line < SHUFFLER_LINES; line++)
        watch->pin[line] = pin[line];
    watch->is_blind = !(pins_capabilities(pins) & PINS_LOSS_DETECTED);
    return read_levels(watch, 1u << SHUFFLER_LINE_JAM | 1u << SHUFFLER_LINE_DOOR, error);
}

static void take_edge(struct shuffler_watch *watch, const struct pin_event *edge)
{
    for (unsigned line = SHUFFLER_LINE_EXIT; line < SHUFFLER_LINES; line++)
        if (watch->pin[line] == (int)edge->pin)
            see(watch, line, edge->rising, edge->time);
}

static int say_flooded(struct shuffler_watch *watch, struct error *error)
{
    watch->is_flooded = false;
    return error_set(error, ERROR_DEVICE,
                     "%s: the lines change faster than anybody takes packets; look at the sensors, "
                     "or debounce them longer",
                     watch->pins->address);
}

int shuffler_watch_wait(struct shuffler_watch *watch, nanos_t deadline, struct error *error)
{
    unsigned queued = watch->queued;
    struct pin_event edge;
    int result = pins_wait(watch->pins, &edge, deadline, error);

    if (result > 0)
        take_edge(watch, &edge);
    else if (result == ERROR_RIG)
        watch->is_doubtful = true;
    else if (!result && (watch->is_blind || watch->is_doubtful)) {
        result = read_levels(watch, ALL_LINES, error);
        result = result ? result : watch->queued > queued;
    }
    return watch->is_flooded ? say_flooded(watch, error) : result;
}

int shuffler_watch_catch_up(struct shuffler_watch *watch, struct error *error)
{
    nanos_t now = clock_now(watch->pins->hal->clock);
    int result;

    do
        result = shuffler_watch_wait(watch, now, error);
    while (result > 0);
    return result;
}

void shuffler_watch_begin(struct shuffler_watch *watch)
{
    watch->awaits_shuffle = true;
    watch->presented = watch->taken = 0;
}

struct shuffler_event *shuffler_watch_first(struct shuffler_watch *watch)
{
    return watch->queued ? &watch->queue[watch->first] : NULL;
}

void shuffler_watch_drop(struct shuffler_watch *watch)
{
    watch->first = (watch->first + 1) % WATCH_EVENTS_MAX;
    watch->queued--;
}
