/* SPDX-License-Identifier: GPL-3.0-or-later */
/* HELLO, when a conversation begins and when the link came back, held against what follows it. */
#include "devices/wire/host_inside.h"

#include <string.h>

#include "hal/base/plural.h"

static int say_hello(struct host *host, struct frame *reply, struct error *error)
{
    uint64_t comebacks = link_comebacks(host->link);
    uint8_t nonce[WIRE_NONCE_SIZE];
    int result;

    wire_put32(nonce, (uint32_t)clock_now(host->hal->clock) + host->version - FRAME_VERSION);
    result = host_ask(host, WIRE_HELLO, nonce, sizeof nonce, reply, error);
    if (!result)
        host->comebacks = comebacks;
    return result;
}

/* What a device claims in version 2 is of its class, and the same each time. */
static int check_claims(struct host *host, const struct frame *reply, struct error *error)
{
    uint32_t claims = wire_get32(reply->payload + 3);
    uint32_t strange = claims & ~wire_capabilities_of(host->class);

    if (strange)
        return error_set(error, ERROR_DEVICE,
                         "%s: HELLO claims capabilities 0x%x, and its class has no 0x%x",
                         host->link->address, (unsigned)claims, (unsigned)strange);
    if (host->has_upgraded && claims != host->capabilities)
        return error_set(error, ERROR_DEVICE,
                         "%s: HELLO claims capabilities 0x%x, and claimed 0x%x before",
                         host->link->address, (unsigned)claims, (unsigned)host->capabilities);
    host->capabilities = claims;
    return 0;
}

static int check_version(struct host *host, const struct frame *reply, struct error *error)
{
    bool is_wide = host_is_wide(host);

    if ((is_wide ? reply->size == 7 : reply->size >= 3) && reply->payload[0] == host->version)
        return is_wide ? check_claims(host, reply, error) : 0;
    return error_set(error, ERROR_DEVICE,
                     "%s: the device answers HELLO with %u byte%s, protocol version %u; this "
                     "program speaks version %d",
                     host->link->address, reply->size, plural(reply->size),
                     reply->size ? reply->payload[0] : 0, host->version);
}

/*
 * Whether so many events are counted there, each in time. Also true when the queue has no room, and
 * when the link is torn again: there will be another HELLO.
 */
static bool have_arrived(struct host *host, const unsigned *count, unsigned wanted, nanos_t time)
{
    nanos_t deadline = clock_now(host->hal->clock) + time;

    while (*count < wanted && host->queued < WIRE_EVENTS_MAX &&
           host->comebacks == link_comebacks(host->link)) {
        unsigned before = *count;
        struct frame frame;
        int result = host_next_frame(host, &frame, deadline, NULL);

        if (result > 0)
            result = host_sort(host, &frame, NULL, NULL);
        if (result < 0)
            return result != ERROR_TIMEOUT;
        if (*count > before)
            deadline = clock_now(host->hal->clock) + time;
        else if (host_is_over(host, deadline))
            return false;
    }
    return true;
}

#define HELLO_FLAGS 3 /* test mode and a pending error; the other bits are not said */

/* Each of the flags that have changed was told, or is told now. */
static bool are_flags_told(struct host *host, unsigned changed)
{
    for (unsigned flag = 0; flag < HOST_FLAGS; flag++)
        if (changed >> flag & 1 && !have_arrived(host, &host->flagged[flag], 1, HOST_RESTATED_TIME))
            return false;
    return true;
}

#define EVENT_TIME (WIRE_REPLY_TRIES * WIRE_REPLY_TIME)

/*
 * A HELLO after the link came back is held against STATUS and the events that it says wait, like
 * the first one. What changes between HELLO and STATUS is told by an event.
 */
static int check_renewal(struct host *host, const struct frame *hello, struct error *error)
{
    unsigned waited = hello->payload[2] < WIRE_EVENTS_MAX ? hello->payload[2] : WIRE_EVENTS_MAX;
    struct frame status;
    int result = host_ask(host, WIRE_STATUS, NULL, 0, &status, error);

    if (result > 0)
        return error_set(error, ERROR_DEVICE, "%s: the device came back and refuses STATUS: %s",
                         host->link->address, wire_refusal_text((unsigned)result));
    if (result)
        return result;
    if (!have_arrived(host, &host->arrived, waited, EVENT_TIME))
        return error_set(error, ERROR_DEVICE,
                         "%s: the device came back, its HELLO says that %u event%s, and %u came",
                         host->link->address, hello->payload[2],
                         hello->payload[2] == 1 ? " waits" : "s wait", host->arrived);
    if (status.size >= 3 && are_flags_told(host, status.payload[2] ^ hello->payload[1]))
        return 0;
    return error_set(
        error, ERROR_DEVICE,
        "%s: the device came back, its HELLO has flags 0x%02x and STATUS, of %u byte%s, "
        "0x%02x",
        host->link->address, hello->payload[1], status.size, plural(status.size),
        status.size < 3 ? 0 : status.payload[2]);
}

int host_renew(struct host *host, struct error *error)
{
    struct frame reply;
    int result;

    if (host->comebacks == link_comebacks(host->link) && !host->is_over)
        return 0;
    host->is_over = false;
    host->is_greeting = true;
    host->is_greeted = false;
    host->arrived = 0;
    memset(host->flagged, 0, sizeof host->flagged);
    result = say_hello(host, &reply, error);
    host->is_greeting = false;
    if (result > 0)
        return error_set(error, ERROR_DEVICE, "%s: the device came back and refuses HELLO: %s",
                         host->link->address, wire_refusal_text((unsigned)result));
    host->status_size = 0;
    /* Not sooner: what it says before it has heard the HELLO still has the old numbers. */
    if (!result && !host->is_greeted) {
        host->is_renewed = host->is_renewed || host->seen_event;
        host->seen_event = false;
    }
    if (!result)
        result = check_version(host, &reply, error);
    if (!result && host->is_checked && host->comebacks == link_comebacks(host->link))
        result = check_renewal(host, &reply, error);
    host->is_broken = result == ERROR_DEVICE && link_comebacks(host->link) == host->comebacks;
    return result;
}

/*
 * Whoever spoke to the device before may have had this number for the last request: a device that
 * knows a repeat by its number alone then says its last reply again, and hears the next number.
 */
static int begin(struct host *host, struct frame *reply, struct error *error)
{
    int result = say_hello(host, reply, error);

    if (result == ERROR_TIMEOUT && host->counts.wrong && host->shown_class == host->class)
        result = say_hello(host, reply, error);
    return result;
}

static int refuse_hello(const struct host *host, int refusal, struct error *error)
{
    return error_set(error, ERROR_DEVICE, "%s: the device refuses HELLO: %s", host->link->address,
                     wire_refusal_text((unsigned)refusal));
}

/* Goes on in version 2 where both know it, unless another one is wanted. */
static int upgrade(struct host *host, unsigned wanted, struct frame *reply, struct error *error)
{
    unsigned known = FRAME_VERSION + (unsigned)(reply->payload[1] >> WIRE_MORE_VERSIONS);
    int result;

    if (wanted == FRAME_VERSION || (!wanted && known < FRAME_VERSION_2))
        return 0;
    if (known < FRAME_VERSION_2)
        return error_set(error, ERROR_DEVICE,
                         "%s: the device knows version 1 of the protocol alone, and version %u is "
                         "asked for; write 'protocol: 1', or leave it out",
                         host->link->address, wanted);
    host->version = host->decoder.versions = FRAME_VERSION_2;
    host->is_upgrading = true;
    result = say_hello(host, reply, error);
    host->is_upgrading = false;
    if (result == ERROR_TIMEOUT)
        return error_set(error, ERROR_DEVICE,
                         "%s: the device says that it knows version 2 of the protocol, and does "
                         "not answer its HELLO; 'protocol: 1' speaks version 1",
                         host->link->address);
    if (result > 0)
        return refuse_hello(host, result, error);
    if (!result && host->answers_both)
        return error_set(error, ERROR_DEVICE,
                         "%s: the device answers HELLO of version 2 in both versions of the "
                         "protocol; 'protocol: 1' speaks version 1",
                         host->link->address);
    if (!result)
        result = check_version(host, reply, error);
    host->has_upgraded = !result;
    return result;
}

int host_open(struct host *host, struct link *link, enum frame_class class, struct error *error)
{
    return host_open_as(host, link, class, 0, error);
}

int host_open_as(struct host *host, struct link *link, enum frame_class class, unsigned version,
                 struct error *error)
{
    struct frame reply;
    int result;

    memset(host, 0, sizeof *host);
    host->link = link;
    host->hal = link->hal;
    host->class = (uint8_t) class;
    host->version = FRAME_VERSION;
    host->vendor_left = HOST_EVENTS_MAX;
    host->drained = clock_now(host->hal->clock);
    host->status_firm = HOST_STATUS;
    result = begin(host, &reply, error);
    if (result > 0)
        return refuse_hello(host, result, error);
    if (result)
        return result;
    result = check_version(host, &reply, error);
    if (!result)
        result = upgrade(host, version, &reply, error);
    if (result)
        return result;
    host->hello_flags = reply.payload[1];
    host->hello_events = reply.payload[2];
    /* What was on the line before was meant for nobody here. */
    host->counts.wrong = host->counts.rejected = host->counts.hasty = host->counts.crowded = 0;
    host->counts.lost = host->counts.restarts = host->counts.versions = 0;
    host->is_young = host->seen_event;
    host->heard = 0;
    return 0;
}

/*
 * Takes what waited in the device into the queue, as far as it has room: each comes when the one
 * above is acknowledged. A device may have sent some of them before it answered HELLO, or before it
 * heard of it.
 */
static int await_events(struct host *host, struct error *error)
{
    unsigned wanted = host->hello_events < WIRE_EVENTS_MAX ? host->hello_events : WIRE_EVENTS_MAX;

    while (host->heard < wanted) {
        unsigned before = host->heard;
        nanos_t deadline = clock_now(host->hal->clock) + WIRE_REPLY_TRIES * WIRE_REPLY_TIME;

        while (host->heard == before) {
            struct frame frame;
            int result = host_next_frame(host, &frame, deadline, error);

            if (result > 0)
                result = host_sort(host, &frame, NULL, error);
            if (result < 0)
                return result;
            if (host->heard > before || !host_is_over(host, deadline))
                continue;
            return host->queued >= wanted
                       ? 0
                       : error_set(error, ERROR_DEVICE,
                                   "%s: HELLO says that %u event%s, and %u came",
                                   host->link->address, host->hello_events,
                                   host->hello_events == 1 ? " waits" : "s wait", host->queued);
        }
    }
    return 0;
}

int host_check_hello(struct host *host, struct error *error)
{
    struct frame status;
    int result = host_request(host, WIRE_STATUS, NULL, 0, &status, error);

    host->is_checked = true;
    if (result > 0)
        return error_set(error, ERROR_DEVICE, "%s: the device refuses STATUS: %s",
                         host->link->address, wire_refusal_text((unsigned)result));
    if (result)
        return result;
    if (status.size < 3 || (status.payload[2] ^ host->hello_flags) & HELLO_FLAGS)
        return error_set(error, ERROR_DEVICE,
                         "%s: HELLO has flags 0x%02x and STATUS, of %u byte%s, 0x%02x",
                         host->link->address, host->hello_flags, status.size, plural(status.size),
                         status.size < 3 ? 0 : status.payload[2]);
    if (host_is_wide(host))
        result = host_try_unclaimed(host, error);
    return result ? result : await_events(host, error);
}
