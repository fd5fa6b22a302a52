/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "devices/wire/log.h"

#include <nettle/sha2.h>

#include "devices/wire/frame.h"
#include "devices/wire/wire.h"
#include "hal/base/plural.h"

#define HEADER 5  /* bytes: the number written, and of entries that follow */
#define ENTRY  16 /* bytes, in version 1 */
#define WIDE   18 /* in version 2 */

_Static_assert(LOG_REPLY_MAX == (FRAME_PAYLOAD_MAX - HEADER) / ENTRY, "a frame holds no more");

static size_t entry_size(unsigned version)
{
    return version < FRAME_VERSION_2 ? ENTRY : WIDE;
}

static void put_entry(uint8_t *at, uint32_t number, const struct log_entry *entry, unsigned version)
{
    wire_put32(at, number);
    wire_put64(at + 4, entry->millis);
    at[12] = entry->code;
    at[13] = entry->detail;
    if (version < FRAME_VERSION_2)
        wire_put16(at + 14, entry->value & 0xffff);
    else
        wire_put32(at + 14, entry->value);
}

void log_chain_add(struct log_chain *chain, const struct log_entry *entry)
{
    struct sha256_ctx sum;
    uint8_t bytes[WIDE];

    put_entry(bytes, chain->count++, entry, FRAME_VERSION_2);
    sha256_init(&sum);
    sha256_update(&sum, sizeof chain->digest, chain->digest);
    sha256_update(&sum, sizeof bytes, bytes);
    sha256_digest(&sum, sizeof chain->digest, chain->digest);
}

void log_marks_add(struct log_marks *marks, uint32_t entries, const uint8_t digest[32],
                   uint64_t millis)
{
    unsigned at = marks->count++ % LOG_MARKS;

    marks->chains[at].count = entries;
    memcpy(marks->chains[at].digest, digest, sizeof marks->chains[at].digest);
    marks->millis[at] = millis;
}

bool log_marks_agree(const struct log_marks *marks, const struct log_chain *chain)
{
    for (unsigned i = 0; i < LOG_MARKS && i < marks->count; i++)
        if (marks->chains[i].count == chain->count &&
            memcmp(marks->chains[i].digest, chain->digest, sizeof chain->digest) != 0)
            return false;
    return true;
}

#define TICK 100 /* milliseconds that a clock may take from one value to the next */

bool log_marks_fit(const struct log_marks *marks, const struct log_entry *entry)
{
    for (unsigned i = 0; i < LOG_MARKS && i < marks->count; i++)
        if (entry->number < marks->chains[i].count ? entry->millis > marks->millis[i] + TICK
                                                   : entry->millis + TICK < marks->millis[i])
            return false;
    return true;
}

size_t log_reply(const struct log_entry *log, uint32_t kept, uint32_t written, uint32_t first,
                 unsigned version, uint8_t *reply)
{
    const size_t most = (FRAME_PAYLOAD_MAX - HEADER) / entry_size(version);
    uint32_t oldest = written > kept ? written - kept : 0;
    uint8_t *at = reply + HEADER;

    wire_put32(reply, written);
    reply[4] = 0;
    for (uint32_t i = first < oldest ? oldest : first; i < written && reply[4] < most; i++) {
        put_entry(at, i, &log[i % kept], version);
        at += entry_size(version);
        reply[4]++;
    }
    return (size_t)(at - reply);
}

uint64_t log_millis(struct defects *defects, unsigned first, nanos_t now)
{
    uint64_t millis = (uint64_t)(now / NANOS_PER_MILLI);

    if (defects_hold(defects, first + LOG_CLOCK_STANDS, 0))
        return 0;
    if (defects_hold(defects, first + LOG_CLOCK_BACK, 0))
        return UINT32_MAX - millis;
    if (defects_hold(defects, first + LOG_CLOCK_FAST, 0))
        return millis * 10;
    return defects_hold(defects, first + LOG_CLOCK_SLOW, 0) ? millis / 10 : millis;
}

void log_rewrite(struct defects *defects, unsigned first, struct log_entry *log, uint32_t kept,
                 uint32_t written, uint32_t from)
{
    struct defect *defect =
        from < written ? defects_find(defects, first + LOG_REWRITTEN, from + 1, written) : NULL;

    if (!defect || defect->at + kept < written)
        return;
    defect->shown = defect->is_given;
    defect->is_given = true;
    if (defect->shown)
        log[(defect->at - 1) % kept].value ^= 1;
}

size_t log_reply_size(const uint8_t *reply, size_t size, unsigned version)
{
    return size < HEADER ? SIZE_MAX : HEADER + (size_t)reply[4] * entry_size(version);
}

static struct log_entry get_entry(const uint8_t *at, unsigned version)
{
    bool is_wide = version >= FRAME_VERSION_2;

    return (struct log_entry){.number = wire_get32(at),
                              .millis = wire_get64(at + 4),
                              .code = at[12],
                              .detail = at[13],
                              .value = is_wide ? wire_get32(at + 14) : wire_get16(at + 14),
                              .is_vendor = is_wide && at[12] >= WIRE_VENDOR_CODE};
}

int log_read(const char *address, uint32_t first, unsigned version, const uint8_t *reply,
             size_t size, struct log_entry entries[LOG_REPLY_MAX], unsigned *count, uint32_t *total,
             struct error *error)
{
    if (size != log_reply_size(reply, size, version))
        return error_set(error, ERROR_DEVICE,
                         "%s: the reply to LOG has %zu byte%s for %u entr%s of %zu bytes", address,
                         size, plural(size), size < HEADER ? 0 : reply[4],
                         plural_y(size < HEADER ? 0 : reply[4]), entry_size(version));
    *total = wire_get32(reply);
    *count = reply[4];
    for (unsigned i = 0; i < *count; i++) {
        entries[i] = get_entry(reply + HEADER + i * entry_size(version), version);
        if (entries[i].number < first || entries[i].number >= *total ||
            entries[i].number != entries[0].number + i)
            return error_set(error, ERROR_DEVICE,
                             "%s: LOG from %u on gives entry %u in place %u of %u", address, first,
                             entries[i].number, i, *total);
    }
    return 0;
}
