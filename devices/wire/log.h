/*
 * The log that a model keeps and gives away on WIRE_LOG: a ring of entries, the oldest of which are
 * overwritten. The model owns the entries and counts what it wrote; nothing fails.
 */
#ifndef DEVICES_WIRE_LOG_H
#define DEVICES_WIRE_LOG_H

#include <stddef.h>
#include <stdint.h>

struct log_entry {
    uint64_t millis;
    uint8_t code, detail;
    uint16_t value;
};

/*
 * Writes the reply that gives as many entries from number `first` on as go into a frame, of the
 * last `kept` that were `written` into `log`; returns its size.
 */
size_t peer_log_reply(const struct log_entry *log, uint32_t kept, uint32_t written, uint32_t first,
                      uint8_t *reply);

#endif
