/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "hal/base/random.h"
#include "hal/pins/fault.h"

/* The edges that are still to come of one bounce. */
struct train {
    uint64_t state; /* of its own generator, so that trains do not disturb each other */
    nanos_t start;
    unsigned passed, total;
    nanos_t next;
};

struct fault_pins {
    struct pins pins;
    struct pins *inner;
    struct pin_faults faults;
    struct pin_fault_counts counts;
    uint64_t state;
    uint64_t stuck;    /* all that are, however */
    uint64_t stuck_at; /* their values */
    uint64_t shown;    /* the levels of bouncing pins as last told */
    uint32_t sequence; /* of the last true edge */
    uint32_t shift;    /* edges added less edges taken away, modulo 2^32 */
    bool arrived;      /* `edge` is a true one that was not yet told */
    struct pin_event edge;
    struct train trains[PINS_MAX];
};

static const struct pins_backend fault_backend;

static void train_schedule(struct train *train, nanos_t duration)
{
    /* Each edge has its slot of the whole time and a random place in it. */
    nanos_t slot = duration / train->total;
    nanos_t place = slot > 0 ? (nanos_t)(random_next(&train->state) % (uint64_t)slot) : 0;

    train->next = train->start + train->passed * slot + place;
}

static void train_start(struct fault_pins *fault, const struct pin_event *edge)
{
    struct train *train = &fault->trains[edge->pin];

    *train = (struct train){.state = random_next(&fault->state),
                            .start = edge->time,
                            .total = 2 * fault->faults.bounce_edges};
    train_schedule(train, fault->faults.bounce_for);
    fault->counts.bounced++;
}

static bool is_rolling(const struct train *train)
{
    return train->passed < train->total;
}

static struct train *next_train(struct fault_pins *fault)
{
    struct train *next = NULL;

    for (size_t i = 0; i < fault->pins.count; i++)
        if (is_rolling(&fault->trains[i]) && (!next || fault->trains[i].next < next->next))
            next = &fault->trains[i];
    return next;
}

/* An edge is told if the caller asked for such; returns whether it was. */
static bool tell(struct fault_pins *fault, const struct pin_event *edge, struct pin_event *event)
{
    uint64_t bit = UINT64_C(1) << edge->pin;

    fault->shown = edge->rising ? fault->shown | bit : fault->shown & ~bit;
    if (!(fault->pins.requests[edge->pin].edges & (edge->rising ? PIN_RISING : PIN_FALLING)))
        return false;
    *event = *edge;
    return true;
}

static bool inject(struct fault_pins *fault, unsigned pin, nanos_t time, struct pin_event *event)
{
    struct pin_event edge = {.pin = pin,
                             .rising = !(fault->shown >> pin & 1),
                             .time = time,
                             .sequence = fault->sequence};

    fault->counts.injected++;
    if (!tell(fault, &edge, event))
        return false;
    if (event->sequence)
        event->sequence += ++fault->shift;
    return true;
}

static bool roll(struct fault_pins *fault, struct train *train, struct pin_event *event)
{
    nanos_t time = train->next;

    if (++train->passed < train->total)
        train_schedule(train, fault->faults.bounce_for);
    return inject(fault, (unsigned)(train - fault->trains), time, event);
}

/* Deals with the true edge that has arrived; returns whether `event` is one to tell. */
static bool take_edge(struct fault_pins *fault, struct pin_event *event)
{
    const struct pin_event *edge = &fault->edge;
    struct train *train = &fault->trains[edge->pin];
    bool shown = fault->shown >> edge->pin & 1;

    if (is_rolling(train)) {
        train->passed = train->total;
        /* A bounce that is half way there goes back first. */
        if (shown == edge->rising)
            return inject(fault, edge->pin, edge->time, event);
    }
    fault->arrived = false;
    fault->counts.edges++;
    fault->sequence = edge->sequence;
    if (fault->stuck >> edge->pin & 1) {
        fault->counts.swallowed++;
        fault->shift--;
        return false;
    }
    if (random_chance(&fault->state, fault->faults.bounce))
        train_start(fault, edge);
    if (!tell(fault, edge, event))
        return false;
    if (event->sequence)
        event->sequence += fault->shift;
    return true;
}

/* The inner backend is asked directly: a loss shows as a gap to the pins_wait() above this. */
static int fault_wait(struct pins *pins, struct pin_event *event, nanos_t deadline,
                      struct error *error)
{
    struct fault_pins *fault = (struct fault_pins *)pins;

    for (;;) {
        struct train *train = next_train(fault);
        bool due_first = train && train->next <= deadline;

        if (!fault->arrived) {
            int result = fault->inner->backend->wait(fault->inner, &fault->edge,
                                                     due_first ? train->next : deadline, error);

            if (result < 0)
                return result;
            fault->arrived = result > 0;
        }
        if (fault->arrived && (!train || fault->edge.time <= train->next)) {
            if (take_edge(fault, event))
                return 1;
        } else if (due_first) {
            if (roll(fault, train, event))
                return 1;
        } else {
            return 0;
        }
    }
}

static int fault_read(struct pins *pins, uint64_t *values, struct error *error)
{
    struct fault_pins *fault = (struct fault_pins *)pins;
    int result = pins_read(fault->inner, values, error);

    *values = (*values & ~fault->stuck) | fault->stuck_at;
    return result;
}

static int fault_write(struct pins *pins, uint64_t mask, uint64_t values, struct error *error)
{
    struct fault_pins *fault = (struct fault_pins *)pins;

    fault->counts.swallowed += (uint64_t)__builtin_popcountll(mask & fault->stuck);
    return pins_write(fault->inner, mask & ~fault->stuck, values, error);
}

static unsigned fault_capabilities(const struct pins *pins)
{
    return pins_capabilities(((const struct fault_pins *)pins)->inner);
}

static void fault_close(struct pins *pins)
{
    pins_close(((struct fault_pins *)pins)->inner);
}

static const struct pins_backend fault_backend = {
    .scheme = "fault",
    .form = "a decorator, without an address",
    .size = sizeof(struct fault_pins),
    .close = fault_close,
    .read = fault_read,
    .write = fault_write,
    .wait = fault_wait,
    .capabilities = fault_capabilities,
};

static int check(const struct pins *inner, const struct pin_faults *faults, struct error *error)
{
    uint64_t existing = inner->count < 64 ? (UINT64_C(1) << inner->count) - 1 : ~UINT64_C(0);
    uint64_t stuck = faults->stuck | faults->stuck_high | faults->stuck_low;

    if (stuck & ~existing)
        return error_set(error, ERROR_CONFIG, "%s: faults on a pin beyond the %zu that are open",
                         inner->address, inner->count);
    if ((faults->stuck & (faults->stuck_high | faults->stuck_low)) ||
        (faults->stuck_high & faults->stuck_low))
        return error_set(error, ERROR_CONFIG, "%s: a pin can be stuck in one way only",
                         inner->address);
    if (faults->bounce > 1000000)
        return error_set(error, ERROR_CONFIG,
                         "%s: a bounce of %u parts per million; at most 1000000", inner->address,
                         faults->bounce);
    if (faults->bounce &&
        (!faults->bounce_edges || faults->bounce_edges > 1000000 || faults->bounce_for <= 0))
        return error_set(error, ERROR_CONFIG,
                         "%s: a bounce needs 1 to 1000000 pairs of edges and a time to spread them",
                         inner->address);
    return 0;
}

/* Sticks the pins: what the inputs have now is kept, the outputs are put where they will stay. */
static int stick(struct fault_pins *fault, struct error *error)
{
    const struct pin_faults *faults = &fault->faults;
    uint64_t values = 0, outputs = 0;
    int result = pins_read(fault->inner, &values, error);

    if (result)
        return result;
    for (size_t i = 0; i < fault->pins.count; i++)
        if (fault->pins.requests[i].direction == PIN_OUTPUT)
            outputs |= UINT64_C(1) << i;
    fault->shown = values;
    fault->stuck = faults->stuck | faults->stuck_high | faults->stuck_low;
    fault->stuck_at = (values & faults->stuck) | faults->stuck_high;
    return pins_write(fault->inner, outputs & (faults->stuck_high | faults->stuck_low),
                      faults->stuck_high, error);
}

int fault_pins(struct pins **pins, struct pins *inner, const struct pin_faults *faults,
               struct error *error)
{
    struct fault_pins *fault;
    int result = check(inner, faults, error);

    *pins = NULL;
    if (result)
        return result;
    fault = calloc(1, sizeof *fault);
    if (!fault)
        return error_set(error, ERROR_RIG, "%s: out of memory", inner->address);
    fault->pins = *inner;
    fault->pins.backend = &fault_backend;
    fault->inner = inner;
    fault->faults = *faults;
    fault->state = faults->seed;
    fault->sequence = inner->sequence;
    result = stick(fault, error);
    if (result) {
        free(fault);
        return result;
    }
    *pins = &fault->pins;
    return 0;
}

const struct pin_fault_counts *fault_pins_counts(const struct pins *pins)
{
    return pins->backend == &fault_backend ? &((const struct fault_pins *)pins)->counts : NULL;
}
