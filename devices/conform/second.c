/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Version 2: how a conversation comes to it, log and clocks in STATUS, capabilities and vendors.
 * Everything else is followed as version 1 has it (see narrow and widen of a kind).
 */
#include "devices/conform/suite.h"
#include "hal/base/plural.h"

#define VENDOR_MOST 2000
#define DRIFT       2000 /* milliseconds that clocks may part between two replies */
#define TICK        100  /* that a clock may take from one value to the next */

bool suite_is_second(const struct suite *suite)
{
    return suite->version >= FRAME_VERSION_2;
}

static void speak(struct suite *suite, uint8_t version)
{
    suite->version = suite->decoder.versions = version;
    suite->has_status = false;
}

bool suite_downgrade(struct suite *suite)
{
    int status;

    if (!suite_is_second(suite))
        return true;
    if (!suite->is_over)
        suite_settle(suite);
    suite_mark(suite);
    speak(suite, FRAME_VERSION);
    status = suite_greet(suite, (uint32_t)suite_now(suite) ^ 0x5eed0101);
    if (suite->broken)
        return false;
    return suite_hold(suite, "V8", status == 0,
                      "a HELLO of version 1 does not begin a conversation of it: %d", status);
}

/* What is claimed is of the class, and the same each time. */
static void take_claims(struct suite *suite)
{
    uint32_t claims = suite->reply.size == 7 ? wire_get32(suite->reply.payload + 3) : 0;
    uint32_t strange = claims & ~wire_capabilities_of(suite->kind->class);

    suite_hold(suite, "N9", !strange, "HELLO claims 0x%x, and the class has no 0x%x",
               (unsigned)claims, (unsigned)strange);
    if (suite->has_claims)
        suite_hold(suite, "N12", claims == suite->capabilities,
                   "HELLO claims 0x%x, and claimed 0x%x before", (unsigned)claims,
                   (unsigned)suite->capabilities);
    suite->capabilities = claims;
    suite->has_claims = true;
}

bool suite_upgrade(struct suite *suite)
{
    uint8_t versions = suite->versions;
    int status;

    if (suite_is_second(suite) || suite->broken)
        return !suite->broken;
    suite_mark(suite);
    suite->has_state = suite->is_chained = false;
    speak(suite, FRAME_VERSION_2);
    suite->is_upgrading = true;
    status = suite_greet(suite, (uint32_t)suite_now(suite) ^ 0x5eed0102);
    suite->is_upgrading = false;
    if (suite->broken)
        return false;
    if (!suite_hold(suite, "V6", status == 0,
                    "the device says that it knows version 2, and HELLO of it has the answer %d",
                    status)) {
        speak(suite, FRAME_VERSION);
        suite_greet(suite, (uint32_t)suite_now(suite) ^ 0x5eed0103);
        return false;
    }
    suite_hold(suite, "V3", suite->versions == versions,
               "HELLO tells %u further versions, and in version 1 it told %u",
               suite->versions - FRAME_VERSION, versions - FRAME_VERSION);
    take_claims(suite);
    return true;
}

static bool claims(const struct suite *suite, unsigned capability)
{
    return suite->capabilities & capability;
}

static void compare_chain(struct suite *suite)
{
    if (suite->is_chained && suite->has_state && suite->chain.count == suite->state.entries)
        suite_hold(suite, "N20",
                   !memcmp(suite->chain.digest, suite->state.digest, WIRE_DIGEST_SIZE),
                   "what was read of the log does not come to the digest of STATUS at entry %u",
                   (unsigned)suite->state.entries);
}

/* The log of a reply to STATUS beside that of the one before. */
static void follow_log(struct suite *suite, const struct wire_state *now)
{
    static const uint8_t none[WIRE_DIGEST_SIZE];
    const struct wire_state *before = &suite->state;
    bool is_empty = !memcmp(now->digest, none, sizeof none);

    if (!now->entries)
        suite_hold(suite, "N19", is_empty, "a log without entries has a digest");
    if (!claims(suite, WIRE_KEEPS_LOG))
        suite_hold(suite, "N22", !now->entries && is_empty,
                   "STATUS has %u entr%s, and no log is claimed", (unsigned)now->entries,
                   plural_y(now->entries));
    if (suite->has_state) {
        suite_hold(suite, "N23", now->entries >= before->entries,
                   "STATUS has %u entr%s, and had %u", (unsigned)now->entries,
                   plural_y(now->entries), (unsigned)before->entries);
        if (now->entries == before->entries)
            suite_hold(suite, "N21", !memcmp(now->digest, before->digest, sizeof now->digest),
                       "STATUS has another digest for the same %u entr%s", (unsigned)now->entries,
                       plural_y(now->entries));
    }
    suite_hold(suite, "N23", now->entries >= suite->log_next || suite->lacks_log,
               "STATUS has %u entr%s, and LOG has given %u", (unsigned)now->entries,
               plural_y(now->entries), (unsigned)suite->log_next);
}

static void follow_clocks(struct suite *suite, const struct wire_state *now)
{
    const struct wire_state *before = &suite->state;
    int64_t gained;

    suite_hold(suite, "N18", !now->wall == !claims(suite, WIRE_TELLS_TIME),
               "the wall clock is %s, and is %sclaimed", now->wall ? "told" : "0",
               claims(suite, WIRE_TELLS_TIME) ? "" : "not ");
    if (suite->state_losses != suite->power_losses || !suite->has_state)
        return;
    suite_hold(suite, "N17", now->millis + TICK >= before->millis,
               "the device's clock is %llu ms, and was %llu", (unsigned long long)now->millis,
               (unsigned long long)before->millis);
    gained = (int64_t)(now->wall - before->wall - (now->millis - before->millis));
    suite->has_jumped |= now->wall && before->wall && (gained > DRIFT || gained < -DRIFT);
}

void suite_take_state(struct suite *suite, struct frame *reply)
{
    struct wire_state now;
    const uint8_t *at;

    if (!suite_hold(suite, "N14", reply->size >= WIRE_STATE_SIZE,
                    "the reply to STATUS has %u byte%s, and log and clocks alone have %d",
                    reply->size, plural(reply->size), WIRE_STATE_SIZE))
        return;
    reply->size = (uint8_t)(reply->size - WIRE_STATE_SIZE);
    at = reply->payload + reply->size;
    now.entries = wire_get32(at);
    memcpy(now.digest, at + 4, sizeof now.digest);
    now.millis = wire_get64(at + 4 + WIRE_DIGEST_SIZE);
    now.wall = wire_get64(at + 12 + WIRE_DIGEST_SIZE);
    follow_clocks(suite, &now);
    follow_log(suite, &now);
    suite->state = now;
    suite->has_state = true;
    if (suite->state_losses != suite->power_losses)
        suite->marks.count = 0;
    suite->state_losses = suite->power_losses;
    log_marks_add(&suite->marks, now.entries, now.digest, now.millis);
    if (!suite->is_chained) {
        suite->chain.count = now.entries;
        memcpy(suite->chain.digest, now.digest, sizeof now.digest);
        suite->is_chained = true;
    }
    compare_chain(suite);
}

void suite_chain(struct suite *suite, const struct log_entry *entry, uint32_t total)
{
    const struct wire_state *state = &suite->state;

    if (!suite_is_second(suite) || !suite->has_state)
        return;
    suite_hold(suite, "N23", total >= state->entries, "LOG has %u entr%s, and STATUS had %u",
               (unsigned)total, plural_y((unsigned)total), (unsigned)state->entries);
    if (suite->state_losses == suite->power_losses)
        suite_hold(suite, "N24", log_marks_fit(&suite->marks, entry),
                   "entry %u is of %llu ms, and STATUS, which has %u entr%s now, of %llu",
                   (unsigned)entry->number, (unsigned long long)entry->millis,
                   (unsigned)state->entries, plural_y((unsigned)state->entries),
                   (unsigned long long)state->millis);
    if (!suite->is_chained || entry->number < suite->chain.count)
        return;
    suite->is_chained = entry->number == suite->chain.count;
    if (suite->is_chained)
        log_chain_add(&suite->chain, entry);
    compare_chain(suite);
}

/* One that never stops is cut off. */
bool suite_is_vendor_event(struct suite *suite, const struct frame *event)
{
    if (!suite_is_second(suite) || !wire_is_vendor(event->type))
        return false;
    suite_hold(suite, "N11", claims(suite, WIRE_HAS_VENDOR),
               "event 0x%02x of a vendor comes, and none is claimed", event->type);
    if (!suite_hold(suite, "N37", suite->vendor_events < VENDOR_MOST,
                    "%d events of a vendor have come, and they do not end", VENDOR_MOST))
        suite_break(suite, ERROR_DEVICE, "%s: events of a vendor come without an end",
                    suite->link->address);
    return true;
}

#define MANY 16 /* different cards in a row; bytes that count up are 13 at most */

void suite_search_vendor(struct suite *suite, const struct frame *event)
{
    uint64_t left = suite->kind->to_come ? suite->kind->to_come(suite) : 0, run = 0;
    unsigned count = 0;

    for (size_t i = 0; i < event->size && count < MANY; i++) {
        uint64_t card = card_valid(event->payload[i]) ? UINT64_C(1) << event->payload[i] : 0;

        if (!(card & left & ~run))
            run = count = 0;
        if (card & left) {
            run |= card;
            count++;
        }
    }
    suite_hold(suite, "N36", count < MANY,
               "event 0x%02x of a vendor has %d cards in a row that are still to come", event->type,
               MANY);
}

bool suite_is_vendor_code(struct suite *suite, unsigned code)
{
    if (!suite_is_second(suite) || code < WIRE_VENDOR_CODE)
        return false;
    suite_hold(suite, "N11", claims(suite, WIRE_HAS_VENDOR),
               "an entry of the log has the code 0x%02x of a vendor, and none is claimed", code);
    suite_hold(suite, "N36", true, " ");
    return true;
}
