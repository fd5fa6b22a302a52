#include "devices/wire/log.h"

#include "devices/wire/frame.h"
#include "devices/wire/wire.h"

#define HEADER 5  /* bytes: the number written, and of entries that follow */
#define ENTRY  16 /* bytes */
#define MOST   ((FRAME_PAYLOAD_MAX - HEADER) / ENTRY)

size_t peer_log_reply(const struct log_entry *log, uint32_t kept, uint32_t written, uint32_t first,
                      uint8_t *reply)
{
    uint32_t oldest = written > kept ? written - kept : 0;
    uint8_t *at = reply + HEADER;

    wire_put32(reply, written);
    reply[4] = 0;
    for (uint32_t i = first < oldest ? oldest : first; i < written && reply[4] < MOST; i++) {
        const struct log_entry *entry = &log[i % kept];

        wire_put32(at, i);
        wire_put64(at + 4, entry->millis);
        at[12] = entry->code;
        at[13] = entry->detail;
        wire_put16(at + 14, entry->value);
        at += ENTRY;
        reply[4]++;
    }
    return (size_t)(at - reply);
}
