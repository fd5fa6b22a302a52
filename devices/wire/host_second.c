/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What version 2 adds for the host: the state of log and clocks in STATUS, capabilities that are
 * held against what is done, what vendors say, and BYE.
 */
#include "devices/wire/host_inside.h"

#include <inttypes.h>
#include <string.h>

#include "hal/base/plural.h"

static void pass_on(const struct host *host, const struct host_note *note)
{
    if (host->noted)
        host->noted(host->noted_context, note);
}

static void lie(struct host *host, unsigned capability)
{
    host->counts.lies += !(host->lied & capability);
    host->lied |= capability;
}

void host_note_refused(struct host *host, uint8_t type)
{
    unsigned capability = wire_capability_for(host->class, type);

    if (capability & host->capabilities)
        lie(host, capability);
}

int host_try_unclaimed(struct host *host, struct error *error)
{
    /* None of them changes anything: LOG from an entry that never comes, test mode off. */
    static const uint8_t last[] = {0xff, 0xff, 0xff, 0xff}, off = 0;
    uint32_t missing = wire_capabilities_of(host->class) & ~host->capabilities;

    for (uint8_t type = WIRE_LOG; type < WIRE_FIRST_EVENT; type++) {
        unsigned capability = wire_capability_for(host->class, type);
        struct frame reply;
        int result;

        if (!(capability & missing))
            continue;
        missing &= ~capability;
        result = host_ask(host, type, type == WIRE_LOG ? last : &off,
                          type == WIRE_LOG                  ? sizeof last
                          : capability == WIRE_TELLS_CONFIG ? 0
                                                            : 1,
                          &reply, error);
        if (result < 0)
            return result;
        if (result != REFUSED_UNKNOWN)
            lie(host, capability);
    }
    return 0;
}

/* A log that says the same number of entries with another digest, or fewer, was rewritten. */
static void rewrite(struct host *host)
{
    host->counts.rewritten++;
    host->is_chained = false;
}

static void compare_chain(struct host *host)
{
    if (host->is_chained && host->has_state && host->chain.count == host->state.entries &&
        memcmp(host->chain.digest, host->state.digest, WIRE_DIGEST_SIZE) != 0)
        rewrite(host);
}

static void follow_log(struct host *host, const struct wire_state *now)
{
    static const uint8_t none[WIRE_DIGEST_SIZE];
    const struct wire_state *before = &host->state;
    bool is_empty = !memcmp(now->digest, none, sizeof none);

    if (host->has_state && (now->entries < before->entries || now->entries < host->log_total ||
                            (now->entries == before->entries &&
                             memcmp(now->digest, before->digest, sizeof now->digest) != 0)))
        rewrite(host);
    else if (!now->entries && !is_empty)
        rewrite(host);
    if (!(host->capabilities & WIRE_KEEPS_LOG) && (now->entries || !is_empty))
        lie(host, WIRE_KEEPS_LOG);
    host->state = *now;
    if (!host->is_chained) {
        host->chain.count = now->entries;
        memcpy(host->chain.digest, now->digest, sizeof now->digest);
        host->is_chained = true;
    }
    compare_chain(host);
}

#define DRIFT 2000 /* milliseconds, from one reply to the next */

/* A device that lost its power may begin its own clock anew. */
static void follow_clocks(struct host *host, const struct wire_state *now)
{
    const struct wire_state *before = &host->state;
    int64_t gained;

    if (!now->wall == !!(host->capabilities & WIRE_TELLS_TIME))
        lie(host, WIRE_TELLS_TIME);
    if (!host->has_state || !now->wall || !before->wall || now->millis < before->millis)
        return;
    gained = (int64_t)(now->wall - before->wall - (now->millis - before->millis));
    if (gained <= DRIFT && gained >= -DRIFT)
        return;
    host->counts.jumps++;
    pass_on(host, &(struct host_note){.kind = HOST_CLOCK_JUMP,
                                      .time = clock_now(host->hal->clock),
                                      .millis = gained});
}

int host_take_state(struct host *host, struct frame *reply, struct error *error)
{
    struct wire_state now;
    const uint8_t *at;

    if (reply->size < WIRE_STATE_SIZE)
        return error_set(error, ERROR_DEVICE,
                         "%s: STATUS has %u byte%s: version 2 of the protocol has %d for log and "
                         "clocks alone",
                         host->link->address, reply->size, plural(reply->size), WIRE_STATE_SIZE);
    reply->size = (uint8_t)(reply->size - WIRE_STATE_SIZE);
    at = reply->payload + reply->size;
    now.entries = wire_get32(at);
    memcpy(now.digest, at + 4, sizeof now.digest);
    now.millis = wire_get64(at + 4 + WIRE_DIGEST_SIZE);
    now.wall = wire_get64(at + 12 + WIRE_DIGEST_SIZE);
    follow_clocks(host, &now);
    follow_log(host, &now);
    host->has_state = true;
    if (host->mark_restarts != host->counts.restarts)
        host->marks.count = 0;
    host->mark_restarts = host->counts.restarts;
    log_marks_add(&host->marks, now.entries, now.digest, now.millis);
    return 0;
}

static void pass_entry(struct host *host, const struct log_entry *entry)
{
    host->counts.unclaimed += !(host->capabilities & WIRE_HAS_VENDOR);
    pass_on(host, &(struct host_note){.kind = HOST_VENDOR_ENTRY,
                                      .time = clock_now(host->hal->clock),
                                      .type = entry->code,
                                      .entry = entry});
}

/* That the power was lost may be told after the log was read: the event is waited for. */
void host_settle_clock(struct host *host)
{
    host->counts.parted += host->has_parted && host->mark_restarts == host->counts.restarts;
    host->has_parted = false;
}

void host_chain(struct host *host, const struct log_entry *entries, unsigned count, uint32_t total)
{
    for (unsigned i = 0; i < count && host->mark_restarts == host->counts.restarts; i++)
        host->has_parted |= !log_marks_fit(&host->marks, &entries[i]);
    if ((host->has_state && total < host->state.entries) || total < host->log_total)
        rewrite(host);
    host->log_total = total;
    for (unsigned i = 0; i < count && host->is_chained; i++) {
        if (entries[i].number < host->chain.count)
            continue;
        /* What is missing between them cannot be told: the next STATUS is a new beginning. */
        if (entries[i].number > host->chain.count) {
            host->is_chained = false;
            return;
        }
        if (entries[i].is_vendor)
            pass_entry(host, &entries[i]);
        log_chain_add(&host->chain, &entries[i]);
        if (!log_marks_agree(&host->marks, &host->chain))
            rewrite(host);
    }
}

void host_pass_vendor(struct host *host, const struct frame *event)
{
    host->counts.unclaimed += !(host->capabilities & WIRE_HAS_VENDOR);
    host->vendor_left -= host->vendor_left > 0;
    pass_on(host, &(struct host_note){.kind = HOST_VENDOR_EVENT,
                                      .time = host->event_time,
                                      .type = event->type,
                                      .size = event->size,
                                      .payload = event->payload});
}

#define BYE_TRIES 10
#define BYE_QUIET (500 * NANOS_PER_MILLI) /* more than two times that an event is said again */

/* Takes what comes for as long as a reply may take. */
static int let_come(struct host *host, struct error *error)
{
    nanos_t deadline = clock_now(host->hal->clock) + WIRE_REPLY_TIME;
    struct frame frame;
    int result;

    while ((result = host_next_frame(host, &frame, deadline, error)) > 0) {
        result = host_sort(host, &frame, NULL, error);
        if (result < 0)
            break;
    }
    return result;
}

static int listen_on(struct host *host, struct error *error)
{
    const uint64_t rejected = host->counts.rejected, wrong = host->counts.wrong;
    nanos_t deadline = clock_now(host->hal->clock) + BYE_QUIET;
    struct frame frame;
    int result;

    while ((result = host_next_frame(host, &frame, deadline, error)) > 0) {
        if (frame.version == host->version && wire_is_event(frame.type))
            host->counts.late++;
        else
            result = host_sort(host, &frame, NULL, error);
        if (result < 0)
            break;
    }
    host->counts.late += host->counts.rejected - rejected + host->counts.wrong - wrong;
    return result < 0 ? result : 0;
}

int host_bye(struct host *host, struct error *error)
{
    int result = REFUSED_BUSY;
    struct frame reply;

    if (!host_is_wide(host) || host->is_over)
        return 0;
    for (unsigned tries = 0; tries < BYE_TRIES && result == REFUSED_BUSY; tries++) {
        result = host_request(host, WIRE_BYE, NULL, 0, &reply, error);
        if (result == REFUSED_BUSY && let_come(host, error) < 0)
            break;
    }
    if (result)
        return result;
    host->is_over = true;
    if (reply.size)
        return error_set(error, ERROR_DEVICE, "%s: the reply to BYE has %u byte%s",
                         host->link->address, reply.size, plural(reply.size));
    return listen_on(host, error);
}
