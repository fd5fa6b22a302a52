/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What version 2 of the open protocol lets a run see of every device: what vendors and clocks say
 * goes to the journal, what a device claims and its log come to is judged, and BYE ends it.
 */
#include "rigs/run/second.h"

#include <inttypes.h>
#include <stdio.h>

static void put_hex(char text[2 * FRAME_PAYLOAD_MAX + 1], const uint8_t *bytes, size_t count)
{
    *text = '\0';
    for (size_t i = 0; i < count; i++)
        sprintf(text + 2 * i, "%02x", bytes[i]);
}

/* To the journal, and no further. */
static void note(void *context, const struct host_note *said)
{
    struct run_notes *notes = context;
    char details[96 + 2 * FRAME_PAYLOAD_MAX], payload[2 * FRAME_PAYLOAD_MAX + 1];

    switch (said->kind) {
    case HOST_VENDOR_EVENT:
        put_hex(payload, said->payload, said->size);
        snprintf(details, sizeof details, "{\"type\":%u,\"payload\":\"%s\"}", said->type, payload);
        run_event(notes->run, notes->device, "vendor", details, said->time);
        break;
    case HOST_VENDOR_ENTRY:
        snprintf(details, sizeof details, "{\"entry\":%u,\"code\":%u,\"detail\":%u,\"value\":%u}",
                 (unsigned)said->entry->number, said->entry->code, said->entry->detail,
                 (unsigned)said->entry->value);
        run_event(notes->run, notes->device, "vendor-entry", details, said->time);
        break;
    default:
        snprintf(details, sizeof details, "{\"millis\":%" PRId64 "}", said->millis);
        run_event(notes->run, notes->device, "clock-jumped", details, said->time);
        notes->jumps++;
    }
}

static struct host *host_of(const struct bench_device *device)
{
    return device->device && device_can(device->device, DEVICE_SHOWS_FRAMES)
               ? device_host(device->device)
               : NULL;
}

void run_second_begin(struct run *run)
{
    const struct bench_device *device;

    for (unsigned i = 0; (device = bench_device(run->bench, i)); i++) {
        struct host *host = host_of(device);

        run->notes[device->class] = (struct run_notes){.run = run, .device = device->name};
        if (!host)
            continue;
        host->noted = note;
        host->noted_context = &run->notes[device->class];
    }
}

void run_second_forget(struct run *run)
{
    const struct bench_device *device;

    for (unsigned i = 0; (device = bench_device(run->bench, i)); i++)
        if (host_of(device))
            host_of(device)->noted = NULL;
}

static void fail(struct run *run, enum check check, const char *device, uint64_t got,
                 const char *why)
{
    if (got)
        check_number(run->book, check, 0, device, 0, (int64_t)got, why);
}

/* The one that it has lied about, for the sentence. */
static void check_lies(struct run *run, const char *device, const struct host *host, uint64_t got)
{
    unsigned lied = host->lied & -host->lied;
    char why[96];

    snprintf(why, sizeof why, "'%s' is %s", wire_capability_text(lied),
             host->capabilities & lied ? "claimed by HELLO and refused"
                                       : "not claimed by HELLO and done");
    fail(run, CHECK_STATUS, device, got, why);
}

void run_second_check(struct run *run, const struct bench_device *device, const struct host *host,
                      const struct host_counts *seen)
{
    const struct host_counts *counts = &host->counts;
    struct run_notes *notes = &run->notes[device->class];

    if (!host_is_wide(host))
        return;
    /* While it was opened nobody listened. */
    if (counts->jumps != notes->jumps)
        run_event(run, device->name, "clock-jumped", NULL, clock_now(&run->bench->clock));
    notes->jumps = counts->jumps;
    fail(run, CHECK_FRAMES, device->name, counts->versions - seen->versions,
         "frames of another version of the protocol than HELLO has agreed on");
    fail(run, CHECK_FRAMES, device->name, counts->unclaimed - seen->unclaimed,
         "events or entries of a vendor that HELLO does not claim");
    fail(run, CHECK_FRAMES, device->name, counts->late - seen->late,
         "frames that came after BYE was answered");
    fail(run, CHECK_EVENT_LOG, device->name, counts->rewritten - seen->rewritten,
         "logs that do not come to the digest that STATUS tells");
    fail(run, CHECK_EVENT_LOG, device->name, counts->parted - seen->parted,
         "entries of a log that are not of the clock that STATUS tells");
    check_lies(run, device->name, host, counts->lies - seen->lies);
}

void run_second_check_codes(struct run *run)
{
    const struct terminal *terminal = run->bench->terminal;

    if (!terminal || !terminal->device.is_wide)
        return;
    fail(run, CHECK_AUTHORIZATION, "terminal", terminal->stale - run->stale,
         "challenges that came before");
    fail(run, CHECK_AUTHORIZATION, "terminal", terminal->replayed - run->replayed,
         "proofs of a code that were said again, and not refused for that");
    run->stale = terminal->stale;
    run->replayed = terminal->replayed;
}

/* STATUS once more, and LOG where it counts more: neither may count fewer than the other did. */
static int compare_log(struct host *host, struct error *error)
{
    struct log_entry entries[LOG_REPLY_MAX];
    struct frame reply;
    uint32_t total;
    unsigned count;
    int status = host_request(host, WIRE_STATUS, NULL, 0, &reply, error);

    if (status || !host->log_total || host->state.entries == host->log_total)
        return status;
    return host_log(host, UINT32_MAX, entries, &count, &total, error);
}

/* One that somebody else has put into test mode, and is left in it, does not part. */
static void part(struct run *run, const struct bench_device *device)
{
    struct error error = {.text = ""};
    struct host *host = device_host(device->device);
    int status = compare_log(host, &error);

    if (!status)
        status = host_bye(host, &error);
    if (status == REFUSED_STATE && device_in_test_mode(device->device))
        return;
    if (status > 0)
        check_number(run->book, CHECK_FRAMES, 0, device->name, 0, status,
                     "code with which BYE is refused after the last round");
    else if ((status == ERROR_DEVICE && !link_is_lost(device->link)) ||
             (status == ERROR_TIMEOUT && !device->is_lossy))
        check_number(run->book, CHECK_FRAMES, 0, device->name, 0, 1, error.text);
}

void run_second_end(struct run *run)
{
    const struct bench_device *device;

    for (unsigned i = 0; (device = bench_device(run->bench, i)); i++)
        if (host_of(device) && host_is_wide(host_of(device)) && device->link->is_open)
            part(run, device);
}
