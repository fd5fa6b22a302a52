/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "hal/base/plural.h"
#include "hal/base/random.h"
#include "hal/link/fault.h"

#define CHUNK         4096
#define LONGEST_DELAY (3600 * NANOS_PER_SECOND)

/* What happens to one byte. */
struct verdict {
    bool flip, drop, duplicate, delay, split, merge;
    uint8_t mask; /* the bit that flips */
};

/* One direction: how far it is, and where it stands in the byte at that place. */
struct direction {
    uint64_t seed;
    uint64_t place;  /* of the next byte */
    bool is_delayed; /* that byte has its delay, which ends then */
    nanos_t delay_until;
    bool is_half_done; /* the first of a duplicated byte has passed */
};

struct fault_link {
    struct link link;
    struct link_faults faults;
    struct link_fault_counts counts;
    struct direction reading, writing;
    uint64_t uncut; /* bytes since the link was opened */
    bool is_cut;
    uint8_t ahead[CHUNK]; /* read from the inner link, and not yet judged */
    size_t ahead_start, ahead_end;
};

static struct verdict judge(const struct fault_link *fault, const struct direction *direction)
{
    const struct link_faults *faults = &fault->faults;
    uint64_t state = direction->seed ^ direction->place * 0xd1342543de82ef95;
    struct verdict verdict;

    verdict.mask = (uint8_t)(1u << (random_next(&state) >> 61));
    verdict.drop = random_chance(&state, faults->drop);
    verdict.flip = random_chance(&state, faults->flip) && !verdict.drop;
    verdict.duplicate = random_chance(&state, faults->duplicate) && !verdict.drop;
    verdict.delay = random_chance(&state, faults->delay) && !verdict.drop;
    verdict.split = random_chance(&state, faults->split) && !verdict.drop;
    verdict.merge = random_chance(&state, faults->merge) && !verdict.drop && !verdict.split;
    return verdict;
}

static int say_cut(const struct fault_link *fault, struct error *error)
{
    return error_set(error, ERROR_DEVICE, "%s is gone: cut on purpose after %llu byte%s",
                     fault->link.address, (unsigned long long)fault->faults.cut_after,
                     plural(fault->faults.cut_after));
}

/* True when the byte has waited for its delay, or has none. */
static bool has_waited(struct fault_link *fault, struct direction *direction,
                       const struct verdict *verdict)
{
    nanos_t now = clock_now(fault->link.hal->clock);

    if (!verdict->delay)
        return true;
    if (!direction->is_delayed) {
        direction->is_delayed = true;
        direction->delay_until = now + fault->faults.delay_by;
    }
    return now >= direction->delay_until;
}

/* Waits for the delay of the next byte: 1 when it is over, 0 at the deadline, or an error. */
static int wait_out(struct fault_link *fault, const struct direction *direction, nanos_t deadline,
                    struct error *error)
{
    nanos_t until = direction->delay_until;
    int status = hal_wait(fault->link.hal, -1, 0, until < deadline ? until : deadline, error);

    return status < 0 ? status : until <= deadline;
}

/* The byte is through: counts what happened to it and turns to the next. */
static void pass(struct fault_link *fault, struct direction *direction,
                 const struct verdict *verdict)
{
    struct link_fault_counts *counts = &fault->counts;

    counts->bytes++;
    counts->flipped += verdict->flip;
    counts->dropped += verdict->drop;
    counts->duplicated += verdict->duplicate;
    counts->delayed += verdict->delay;
    direction->place++;
    direction->is_delayed = direction->is_half_done = false;
    if (++fault->uncut == fault->faults.cut_after) {
        fault->is_cut = true;
        counts->cut++;
    }
}

/* Fills `ahead` when it is empty: 1, or 0 at the deadline, or an error. */
static ssize_t look_ahead(struct fault_link *fault, nanos_t deadline, struct error *error)
{
    ssize_t n;

    if (fault->ahead_start < fault->ahead_end)
        return 1;
    n = link_read(fault->link.inner, fault->ahead, CHUNK, deadline, error);
    if (n <= 0)
        return n;
    fault->ahead_start = 0;
    fault->ahead_end = (size_t)n;
    return 1;
}

enum after { GO_ON, ENOUGH, STAND_STILL, WANT_MORE };

/* Moves bytes that are there to the reader, until one of them ends it. */
static enum after take(struct fault_link *fault, uint8_t *bytes, size_t size, size_t *count)
{
    struct direction *reading = &fault->reading;
    enum after after = GO_ON;

    while (fault->ahead_start < fault->ahead_end && !fault->is_cut) {
        struct verdict verdict = judge(fault, reading);
        uint8_t byte = fault->ahead[fault->ahead_start];

        if (*count == size)
            return ENOUGH;
        if (!verdict.drop) {
            if (!has_waited(fault, reading, &verdict))
                return STAND_STILL;
            bytes[(*count)++] = verdict.flip ? byte ^ verdict.mask : byte;
            if (verdict.duplicate && !reading->is_half_done) {
                reading->is_half_done = true;
                continue;
            }
        }
        fault->ahead_start++;
        pass(fault, reading, &verdict);
        if (verdict.split) {
            fault->counts.split++;
            return ENOUGH;
        }
        if (!verdict.drop)
            after = verdict.merge ? WANT_MORE : GO_ON;
    }
    return after;
}

/* A read that should not end yet asks for more, but not for long; an error shows again later. */
static bool merge(struct fault_link *fault, nanos_t deadline)
{
    nanos_t patience = clock_now(fault->link.hal->clock) + LINK_MERGE_WAIT;

    if (look_ahead(fault, patience < deadline ? patience : deadline, NULL) <= 0)
        return false;
    fault->counts.merged++;
    return true;
}

static ssize_t fault_read(struct link *link, void *bytes, size_t size, nanos_t deadline,
                          struct error *error)
{
    struct fault_link *fault = (struct fault_link *)link;
    size_t count = 0;

    if (hal_cancelled(link->hal))
        return error_set(error, ERROR_ABORTED, "cancelled");
    while (!fault->is_cut) {
        ssize_t n = look_ahead(fault, deadline, error);
        enum after after;

        if (n <= 0)
            return n;
        after = take(fault, bytes, size, &count);
        while (after == WANT_MORE && count < size && !fault->is_cut && merge(fault, deadline))
            after = take(fault, bytes, size, &count);
        if (count)
            return (ssize_t)count;
        if (after == STAND_STILL) {
            int status = wait_out(fault, &fault->reading, deadline, error);

            if (status <= 0)
                return status;
        }
    }
    return say_cut(fault, error);
}

/* The first `from` bytes of a write, and what becomes of them. */
struct spoiled {
    size_t from, count;
    uint8_t bytes[CHUNK];
};

static size_t copies(const struct verdict *verdict, const struct direction *at)
{
    if (verdict->drop)
        return 0;
    return verdict->duplicate && !at->is_half_done ? 2 : 1;
}

/* As many bytes as can be written at once: a later one with a delay is left for another time. */
static void spoil(struct fault_link *fault, const uint8_t *bytes, size_t size,
                  struct spoiled *spoiled)
{
    struct direction at = fault->writing;

    spoiled->count = 0;
    for (spoiled->from = 0; spoiled->from < size && spoiled->count + 2 <= CHUNK; spoiled->from++) {
        struct verdict verdict = judge(fault, &at);
        uint8_t byte = bytes[spoiled->from];

        if (spoiled->from == 0 ? !has_waited(fault, &fault->writing, &verdict) : verdict.delay)
            return;
        for (size_t i = copies(&verdict, &at); i > 0; i--)
            spoiled->bytes[spoiled->count++] = verdict.flip ? byte ^ verdict.mask : byte;
        at.place++;
        at.is_half_done = false;
    }
}

/* Passes the bytes of which everything was written; returns how many. */
static size_t pass_written(struct fault_link *fault, size_t from, size_t written)
{
    struct direction *writing = &fault->writing;

    for (size_t passed = 0; passed < from; passed++) {
        struct verdict verdict = judge(fault, writing);
        size_t needed = copies(&verdict, writing);

        if (written < needed) {
            writing->is_half_done |= written > 0;
            return passed;
        }
        written -= needed;
        pass(fault, writing, &verdict);
    }
    return from;
}

static ssize_t fault_write(struct link *link, const void *bytes, size_t size, nanos_t deadline,
                           struct error *error)
{
    struct fault_link *fault = (struct fault_link *)link;
    const struct link_faults *faults = &fault->faults;

    if (fault->is_cut)
        return say_cut(fault, error);
    if (faults->cut_after && size > faults->cut_after - fault->uncut)
        size = (size_t)(faults->cut_after - fault->uncut);
    for (;;) {
        struct spoiled spoiled;
        ssize_t n = 0;
        size_t passed;

        spoil(fault, bytes, size, &spoiled);
        if (spoiled.count) {
            n = link_write(link->inner, spoiled.bytes, spoiled.count, deadline, error);
            if (n <= 0)
                return n;
        } else if (spoiled.from == 0) {
            n = wait_out(fault, &fault->writing, deadline, error);
            if (n <= 0)
                return n;
            continue;
        }
        passed = pass_written(fault, spoiled.from, (size_t)n);
        if (passed)
            return (ssize_t)passed;
    }
}

/* The bytes of the new connection go on where those of the old one ended. */
static void fault_reopened(struct link *link)
{
    struct fault_link *fault = (struct fault_link *)link;

    fault->is_cut = false;
    fault->uncut = 0;
    fault->ahead_start = fault->ahead_end = 0;
    fault->reading.is_delayed = fault->reading.is_half_done = false;
    fault->writing.is_delayed = fault->writing.is_half_done = false;
}

static const struct link_backend fault_backend = {
    .scheme = "fault",
    .size = sizeof(struct fault_link),
    .read = fault_read,
    .write = fault_write,
    .reopened = fault_reopened,
};

static int check(const struct link *inner, const struct link_faults *faults, struct error *error)
{
    const uint32_t chances[] = {faults->flip,  faults->drop,  faults->duplicate,
                                faults->delay, faults->split, faults->merge};

    for (size_t i = 0; i < sizeof chances / sizeof chances[0]; i++)
        if (chances[i] > 1000000)
            return error_set(error, ERROR_CONFIG,
                             "%s: a fault's chance of %u parts per million is over 1000000",
                             inner->address, chances[i]);
    if (faults->delay_by < 0 || faults->delay_by > LONGEST_DELAY)
        return error_set(error, ERROR_CONFIG,
                         "%s: a delay of %lld ns is not between nothing and an hour",
                         inner->address, (long long)faults->delay_by);
    return 0;
}

int fault_link(struct link **link, struct link *inner, const struct link_faults *faults,
               struct error *error)
{
    struct fault_link *fault;
    uint64_t state = faults->seed;
    int status = check(inner, faults, error);

    *link = NULL;
    if (status < 0)
        return status;
    status = link_wrap(link, &fault_backend, inner, error);
    if (status < 0)
        return status;
    fault = (struct fault_link *)*link;
    fault->faults = *faults;
    fault->reading.seed = random_next(&state);
    fault->writing.seed = random_next(&state);
    return 0;
}

const struct link_fault_counts *fault_link_counts(const struct link *link)
{
    if (link->backend != &fault_backend)
        return NULL;
    return &((const struct fault_link *)link)->counts;
}
